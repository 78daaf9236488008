"""Reefs, fog, sargasso, icebergs and whirlpools: an optional module (CSG-27, CSG-41)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Step
from companion.rules.layout import Pose
from companion.rules.outlines import gap, overlap
from companion.rules.paths import crossing, way_gap
from companion.rules.phases import stage_of
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.sea import (
    beam_mm,
    hull,
    hull_at,
    obstacles,
    patch,
    pose_with_bow,
    runs_into,
    touches,
)
from companion.rules.pirates_csg.stages import (
    OnTurn,
    RollingTerrain,
    Setting,
    Stage,
)
from companion.rules.pirates_csg.state import (
    Ship,
    State,
    Terrain,
    card_of,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.terrain_data import (
    FOG,
    ICEBERG,
    REEF,
    REEF_LOSSES,
    SARGASSO,
    WHIRLPOOL,
)
from companion.rules.pirates_csg.words import Told, masts_text, name_of, ship_name, who
from companion.rules.places import compass
from companion.rules.plane import XY, Outline, place, toward
from companion.rules.words import if_close, listed

RULE = "CSG-27"
EXIT_MM = 60.0
"""How far from the middle of a fog or whirlpool a ship comes out, at her bow."""
EXITS = 6


def heading_of(face: int) -> float:
    """Return the direction that a die names: 1 is east, the others follow clockwise."""
    return 360 / EXITS * (face - 1)


WAYS = listed(f"{face} {compass(heading_of(face))}" for face in range(1, EXITS + 1))
"""Where the faces of a die point."""
MET = {
    REEF: "a reef",
    FOG: "fog and is lost in it",
    SARGASSO: "sargasso weed",
    ICEBERG: "an iceberg",
    WHIRLPOOL: "a whirlpool",
}


def met(state: State, tag: int, path: list[XY], before: Outline, told: Told) -> Step[State]:
    """Return what the terrain does that a ship has come into contact with on her way."""
    state = state._replace(stage=OnTurn())
    ship = ship_of(state, tag)
    terrain = first_met(state, ship, path, before)
    if terrain is None:
        return Step(state, (*told, *_cleared(state, ship, path, before)))
    return _happens(state, ship, terrain, (*told, *_narrowly(state, ship, terrain, path)))


def first_met(state: State, ship: Ship, path: list[XY], before: Outline) -> Terrain | None:
    """Return the first terrain that a ship comes into contact with on the way to where she lies.

    Her hull counts, and only what she did not lie at before. Sargasso ends her move, so she has
    not come to it unless she touches it now.
    """
    wide = beam_mm(card_of(state, ship)) / 2
    found: list[tuple[float, int, Terrain]] = []
    for terrain in state.terrain:
        outline = patch(terrain)
        if not touches(state, outline, before):
            at = _entered_at(path, outline, wide) if terrain.kind != SARGASSO else None
            if at is None and touches(state, outline, hull(state, ship)):
                at = float(len(path))
            if at is not None:
                found.append((at, terrain.tag, terrain))
    return min(found)[2] if found else None


def _clear_mm(state: State, ship: Ship, terrain: Terrain, path: list[XY]) -> float:
    """Return by how much a ship clears a piece of terrain; minus where she meets it.

    Where she goes far into it that is only some number below `-ERROR_MM`.
    """
    outline = patch(terrain)
    clear = gap(outline, hull(state, ship)) - state.options.tolerance_mm
    if terrain.kind == SARGASSO:
        return clear
    wide = beam_mm(card_of(state, ship)) / 2
    return min(clear, *(way_gap(a, b, outline) - wide for a, b in pairwise(path)))


def _cleared(state: State, ship: Ship, path: list[XY], before: Outline) -> Told:
    """Tell which terrain a ship has only just cleared."""
    told: Told = ()
    for terrain in state.terrain:
        if not touches(state, patch(terrain), before):
            told = (*told, *_narrowly(state, ship, terrain, path))
    return told


def _narrowly(state: State, ship: Ship, terrain: Terrain, path: list[XY]) -> Told:
    """Say so where millimetres decide whether a ship meets a piece of terrain."""
    clear = _clear_mm(state, ship, terrain, path)
    close = if_close(clear)
    if not close:
        return ()
    how = "touches" if clear < 0 else "clears"
    text = f"{ship_name(state, ship)} {how} the {terrain.kind} {terrain.tag}{close}"
    return (Happening(text, RULE),)


def _entered_at(path: list[XY], outline: Outline, wide_mm: float) -> float | None:
    """Return on which leg, and where on it, a ship so wide to either side strikes an outline."""
    for index, (a, b) in enumerate(pairwise(path)):
        # `crossing` widens an outline with square corners: it says where, but not whether.
        if runs_into(a, b, outline, wide_mm):
            entered = crossing(a, b, outline, -wide_mm)
            assert entered is not None
            return index + entered[0]
    return None


def out_of_weed(state: State) -> State:
    """Return the state in which no ship is mired that has come clear of sargasso (CSG-27)."""
    banks = [patch(t) for t in state.terrain if t.kind == SARGASSO]
    for ship in state.ships:
        if ship.is_mired:
            here = () if ship.lost_in else hull(state, ship)
            if not here or not any(touches(state, bank, here) for bank in banks):
                state = with_ship(state, replace(ship, is_mired=False))
    return state


def _happens(state: State, ship: Ship, terrain: Terrain, told: Told) -> Step[State]:
    name = ship_name(state, ship)
    told = (*told, Happening(f"{name} meets {MET[terrain.kind]}", RULE))
    if terrain.kind == REEF:
        return Step(state._replace(stage=RollingTerrain(ship.tag, terrain.tag)), told)
    if terrain.kind == FOG:
        lost = replace(ship, lost_in=terrain.tag, docked=0)
        return Step(with_ship(state, lost), told)
    if terrain.kind == SARGASSO:
        return Step(with_ship(state, replace(ship, is_mired=True)), told)
    then: Stage = OnTurn()
    if terrain.kind == WHIRLPOOL and not ship.is_derelict:  # She would only sink.
        then, more = _thrown_out(state, ship, terrain)
        told = (*told, *more)
    return hit(state, ship.tag, then, RULE, told)


def _thrown_out(state: State, ship: Ship, terrain: Terrain) -> tuple[Stage, Told]:
    """Return what follows once a whirlpool throws a ship out at another one."""
    others = [t for t in state.terrain if t.kind == WHIRLPOOL and t != terrain]
    if not others:
        return OnTurn(), ()
    out, name = came_out(state, ship, others[0], 1), ship_name(state, ship)
    where = name_of(state, others[0].tag)
    if out == ship:
        text = f"No exit of {where} is free: {name} stays where she is"
        return OnTurn(), (Happening(text, RULE),)
    text = f"{name} is thrown out at {where}"
    return Setting(ship.tag, out.pose), (Happening(text, RULE),)


def came_out(state: State, ship: Ship, terrain: Terrain, face: int) -> Ship:
    """Return a ship at an exit of a terrain, or at the next one clockwise that is free."""
    for pose in _exits(state, ship, terrain, face):
        outline = hull_at(card_of(state, ship), pose)
        others = obstacles(state, ship.tag).values()
        if all(overlap(outline, other) <= 0.5 for other in others):
            return replace(ship, pose=pose)
    return ship


def _exits(state: State, ship: Ship, terrain: Terrain, face: int) -> Iterator[Pose]:
    middle = place(terrain.pose)
    length = max(x for x, _ in card_of(state, ship).outline_mm) * 2
    width, height = state.options.sea_mm
    for turn in range(EXITS):
        heading = heading_of((face - 1 + turn) % EXITS + 1)
        tip = toward(middle, heading, EXIT_MM + length)
        if 0 <= tip[0] <= width and 0 <= tip[1] <= height:
            yield pose_with_bow(card_of(state, ship), tip, heading)


class RollTerrain(RollOneDie):
    """A ship on a reef rolls for her masts (CSG-27)."""

    name, rule = "roll_reef", RULE

    def pending(self, state: State) -> ChanceRoll:
        """Ask the owner."""
        ship = ship_of(state, stage_of(state, RollingTerrain).ship)
        text = f"{who(state, ship.owner)}: roll for the reef, 1 or 2 costs two masts, 3 or 4 one"
        return ask_die(ship.owner, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Lose masts; more than she has makes a wreck, which is a derelict."""
        ship = ship_of(state, stage_of(state, RollingTerrain).ship)
        count = min(REEF_LOSSES[face_of(action)], len(ship.masts))
        text = f"The reef costs {ship_name(state, ship)} {masts_text(count)}"
        told: Told = (Happening(text, self.rule),)
        if not count:
            return Step(state._replace(stage=OnTurn()), told)
        return hit(state, ship.tag, OnTurn(), self.rule, told, count)


def drifting(state: State) -> tuple[int, ...]:
    """Return the tags of the icebergs."""
    return tuple(t.tag for t in state.terrain if t.kind == ICEBERG)


def drifted(state: State, berg: Terrain, face: int) -> Terrain:
    """Return an iceberg after it has drifted S; it stays where there is no room."""
    way = heading_of(face)
    x, y = toward((berg.pose.x_mm, berg.pose.y_mm), way, state.options.short_mm)
    moved = replace(berg, pose=Pose(x, y, berg.pose.heading_deg).rounded())
    return berg if lies_in(state, moved, 0.5) else moved


def lies_in(state: State, terrain: Terrain, most_mm: float) -> str:
    """Say where a piece of terrain must not lie, deeper in something than so much; else nothing."""
    width, height = state.options.sea_mm
    if not (0 <= terrain.pose.x_mm <= width and 0 <= terrain.pose.y_mm <= height):
        return "off the sea"
    others = {t.tag: patch(t) for t in state.terrain if t.tag != terrain.tag}
    for tag, other in (obstacles(state) | others).items():
        if overlap(patch(terrain), other) > most_mm:
            return f"in {name_of(state, tag)}"
    return ""
