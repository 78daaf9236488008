"""What dice and whirlpools move is put where it comes to lie, as people lay it (CSG-27)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.rules.game import Decision, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import overlap
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.actions import Place
from companion.rules.pirates_csg.arrivals import come_to, let_go
from companion.rules.pirates_csg.measuring import STILL_MM, was_moved
from companion.rules.pirates_csg.sailing import refuse_off_sea
from companion.rules.pirates_csg.sea import hull_at, near_obstacles
from companion.rules.pirates_csg.stages import OnTurn, Setting
from companion.rules.pirates_csg.state import (
    Ship,
    State,
    Terrain,
    card_of,
    find_ship,
    find_terrain,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.terrain import EXIT_MM, RULE, lies_in, out_of_weed
from companion.rules.pirates_csg.terrain_data import FOG, WHIRLPOOL
from companion.rules.pirates_csg.turns import drift_on
from companion.rules.pirates_csg.words import name_of, who
from companion.rules.places import compass
from companion.rules.plane import bearing_deg, distance, place, toward, turn_deg
from companion.rules.words import capital

NEAR_MM, NEAR_DEG = 30.0, 30.0
"""A piece may be put so far beside the place that is named: a hand knows eight directions."""


class SetPiece(TurnChoice[State, Place]):
    """An iceberg that drifts, or a ship that comes out somewhere, is put there (CSG-27)."""

    name, rule, takes = "set", RULE, (Place,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: {_told(state, stage_of(state, Setting))}"
        return Decision(state.player, self.name, text, measured=True)

    def actions(self, state: State) -> tuple[Place, ...]:
        """Return the place that is named."""
        stage = stage_of(state, Setting)
        exact = Place(state.player, stage.piece, stage.pose)
        return () if self.refuse(state, exact) is not None else (exact,)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Place, ...]:
        """Return where it is seen, once it has been moved near enough."""
        stage = stage_of(state, Setting)
        pose = seen.get(stage.piece)
        if pose is None or not was_moved(piece_of(state, stage.piece).pose, pose):
            return ()
        action = Place(state.player, stage.piece, pose.rounded())
        return () if self.refuse(state, action) is not None else (action,)

    def refuse(self, state: State, action: Place) -> Ruling | None:
        """Refuse other pieces, and places that are too far from the one that is named."""
        stage = stage_of(state, Setting)
        if action.ship != stage.piece:
            return no(self.rule, f"First {_told(state, stage)}.")
        away = distance(place(action.pose), place(stage.pose))
        turned = abs(turn_deg(action.pose.heading_deg, stage.pose.heading_deg))
        if away > NEAR_MM:
            return no(self.rule, farther(state, stage.piece, action.pose, stage.pose))
        piece = piece_of(state, stage.piece)
        if isinstance(piece, Terrain):
            where = lies_in(state, replace(piece, pose=action.pose), state.options.tolerance_mm)
            reason = f"{capital(name_of(state, piece.tag))} would lie {where}."
            return no(self.rule, reason) if where else None
        if turned > NEAR_DEG:
            way = compass(stage.pose.heading_deg)
            return no(
                self.rule, f"{capital(name_of(state, piece.tag))} is to lie with her bow {way}."
            )
        return _refuse_berth(state, piece, action.pose)

    def play(self, state: State, action: Place) -> Step[State]:
        """Put it there; icebergs drift on, a ship may have come to something."""
        piece, left = piece_of(state, action.ship), stage_of(state, Setting).left
        pose = action.pose.rounded()
        if isinstance(piece, Terrain):
            moved = replace(piece, pose=pose)
            terrain = tuple(moved if t.tag == piece.tag else t for t in state.terrain)
            return drift_on(state._replace(terrain=terrain), left)
        ship = replace(piece, pose=pose, lost_in=0)
        state = with_ship(state, ship)._replace(stage=OnTurn())
        if piece.lost_in:  # She sails on from there.
            return Step(state)
        state, told = come_to(state, ship, piece)
        state, parted = let_go(out_of_weed(state))
        return Step(state, (*told, *parted))


def piece_of(state: State, tag: int) -> Ship | Terrain:
    """Return a ship or a piece of terrain that is known to be there."""
    piece = find_ship(state, tag) or find_terrain(state, tag)
    assert piece is not None
    return piece


def farther(state: State, tag: int, seen: Pose, wanted: Pose) -> str:
    """Say how far and whither a piece is to be moved to lie where it should."""
    away, way = distance(place(seen), place(wanted)), bearing_deg(place(seen), place(wanted))
    name = capital(name_of(state, tag))
    if away <= STILL_MM:
        return f"{name} has been turned: turn it back."
    return f"{name} is to lie {away:.0f} mm farther {compass(way)}."


def _told(state: State, stage: Setting) -> str:
    """Say where a piece is to be put."""
    piece, name = piece_of(state, stage.piece), name_of(state, stage.piece)
    if isinstance(piece, Terrain):
        way = compass(bearing_deg(place(piece.pose), place(stage.pose)))
        return f"move {name} {state.options.short_mm} mm (S) to the {way}"
    where, way = way_out(state, stage), compass(stage.pose.heading_deg)
    return f"put {name} out at {where}: stern {EXIT_MM:.0f} mm from the tag, bow {way}"


def way_out(state: State, stage: Setting) -> str:
    """Name the fog bank or whirlpool that a ship comes out of."""
    ship = ship_of(state, stage.piece)
    middle = EXIT_MM + card_of(state, ship).bow_mm[0]
    behind = toward(place(stage.pose), stage.pose.heading_deg, -middle)
    exits = [t for t in state.terrain if t.kind in (FOG, WHIRLPOOL)]
    out = min(exits, key=lambda t: distance(place(t.pose), behind))
    return name_of(state, out.tag)


def _refuse_berth(state: State, ship: Ship, pose: Pose) -> Ruling | None:
    outline = hull_at(card_of(state, ship), pose)
    for tag, other in near_obstacles(state, outline, 0, ship.tag).items():
        if overlap(outline, other) > state.options.tolerance_mm:
            return no(RULE, f"{name_of(state, ship.tag)} would lie in {name_of(state, tag)}.")
    return refuse_off_sea(state, ship, pose)
