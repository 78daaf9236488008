"""Reefs, fog, sargasso, icebergs and whirlpools: an optional module (CSG-27, CSG-41)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Step
from companion.rules.layout import Pose
from companion.rules.outlines import overlap
from companion.rules.paths import crossing
from companion.rules.phases import stage_of
from companion.rules.pirates_csg.dice import OneDie, ask_die, face_of
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.sea import hull, hull_at, obstacles, patch, pose_with_bow, touches
from companion.rules.pirates_csg.stages import OnTurn, RollingExit, RollingTerrain
from companion.rules.pirates_csg.state import Ship, State, Terrain, card_of, ship_of, with_ship
from companion.rules.pirates_csg.terrain_data import (
    FOG,
    ICEBERG,
    REEF,
    REEF_LOSSES,
    SARGASSO,
    WHIRLPOOL,
)
from companion.rules.pirates_csg.words import Told, masts_text, ship_name, who
from companion.rules.plane import XY, Outline, toward

RULE = "CSG-27"
EXIT_MM = 60.0
"""How far from the middle of a fog or whirlpool a ship comes out, at her bow."""
EXITS = 6
MET = {
    REEF: "a reef",
    FOG: "fog and is lost in it",
    SARGASSO: "sargasso weed",
    ICEBERG: "an iceberg",
    WHIRLPOOL: "a whirlpool",
}


def met(state: State, tag: int, path: list[XY], before: Outline, told: Told) -> Step[State]:
    """Return what the terrain does that a ship has come into contact with on her way.

    Only contact counts, and only with what she did not lie at before; the first one decides.
    """
    state = state._replace(stage=OnTurn())
    ship = ship_of(state, tag)
    if not state.terrain:
        return Step(state, told)
    here = [t for t in state.terrain if touches(state, patch(t), hull(state, ship))]
    is_mired = ship.is_mired and any(t.kind == SARGASSO for t in here)
    ship = replace(ship, is_mired=is_mired)
    state = with_ship(state, ship)
    for terrain in sorted(state.terrain, key=lambda t: _entered_at(path, t)):
        is_met = terrain in here or _entered_at(path, terrain) < len(path)
        if is_met and not touches(state, patch(terrain), before):
            return _happens(state, ship, terrain, told)
    return Step(state, told)


def _entered_at(path: list[XY], terrain: Terrain) -> float:
    """Return where on its way a path meets a terrain; as many as it has corners if it does not."""
    for index, (a, b) in enumerate(pairwise(path)):
        crossed = crossing(a, b, patch(terrain))
        if crossed:
            return index + crossed[0]
    return float(len(path))


def _happens(state: State, ship: Ship, terrain: Terrain, told: Told) -> Step[State]:
    name = ship_name(state, ship)
    told = (*told, Happening(f"{name} meets {MET[terrain.kind]}", RULE))
    if terrain.kind == REEF:
        return Step(state._replace(stage=RollingTerrain(ship.tag, terrain.tag)), told)
    if terrain.kind == FOG:
        lost = replace(ship, lost_in=terrain.tag, towing=0, docked=0)
        return Step(with_ship(state, lost), told)
    if terrain.kind == SARGASSO:
        return Step(with_ship(state, replace(ship, is_mired=True)), told)
    if terrain.kind == WHIRLPOOL:
        others = [t for t in state.terrain if t.kind == WHIRLPOOL and t != terrain]
        if others:
            state = with_ship(state, replace(came_out(state, ship, others[0], 1), towing=0))
    return hit(state, ship.tag, OnTurn(), RULE, told)


def came_out(state: State, ship: Ship, terrain: Terrain, face: int) -> Ship:
    """Return a ship at an exit of a terrain, or at the next one clockwise that is free."""
    for pose in _exits(state, ship, terrain, face):
        outline = hull_at(card_of(state, ship), pose)
        others = obstacles(state, ship.tag).values()
        if all(overlap(outline, other) <= 0.5 for other in others):
            return replace(ship, pose=pose, lost_in=0)
    return ship


def _exits(state: State, ship: Ship, terrain: Terrain, face: int) -> Iterator[Pose]:
    middle = (terrain.pose.x_mm, terrain.pose.y_mm)
    length = max(x for x, _ in card_of(state, ship).outline_mm) * 2
    width, height = state.options.sea_mm
    for turn in range(EXITS):
        heading = 360 / EXITS * ((face - 1 + turn) % EXITS)
        tip = toward(middle, heading, EXIT_MM + length)
        if 0 <= tip[0] <= width and 0 <= tip[1] <= height:
            yield pose_with_bow(card_of(state, ship), tip, heading)


class RollTerrain(OneDie):
    """A ship on a reef rolls for her masts (CSG-27)."""

    name, rule = "roll_reef", RULE

    def pending(self, state: State) -> ChanceRoll:
        """Ask the owner."""
        ship = ship_of(state, stage_of(state, RollingTerrain).ship)
        return ask_die(ship.owner, self.name, f"{who(state, ship.owner)}: roll for the reef")

    def play(self, state: State, action: Roll) -> Step[State]:
        """Lose masts; more than she has makes a wreck, which is a derelict."""
        ship = ship_of(state, stage_of(state, RollingTerrain).ship)
        losses = REEF_LOSSES[face_of(action)]
        text = f"The reef costs {ship_name(state, ship)} {masts_text(losses)}"
        told: Told = (Happening(text, self.rule),)
        count = min(losses, len(ship.masts))
        if not count:
            return Step(state._replace(stage=OnTurn()), told)
        return hit(state, ship.tag, OnTurn(), self.rule, told, count)


class RollExit(OneDie):
    """A ship finds her way out of the fog (CSG-27)."""

    name, rule = "roll_exit", RULE

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        ship = ship_of(state, stage_of(state, RollingExit).ship)
        text = f"{who(state, ship.owner)}: roll where {ship_name(state, ship)} leaves the fog"
        return ask_die(ship.owner, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Put her at the exit; she may move from there."""
        ship = ship_of(state, stage_of(state, RollingExit).ship)
        fog = next((t for t in state.terrain if t.tag == ship.lost_in), None)
        assert fog is not None
        out = came_out(state, ship, fog, face_of(action))
        state = with_ship(state, replace(out, lost_in=0))._replace(stage=OnTurn())
        text = f"{ship_name(state, ship)} leaves the fog by exit {face_of(action)}"
        return Step(state, (Happening(text, self.rule),))


def drifting(state: State) -> tuple[int, ...]:
    """Return the tags of the icebergs."""
    return tuple(t.tag for t in state.terrain if t.kind == ICEBERG)


def drifted(state: State, tag: int, face: int) -> State:
    """Return the state after an iceberg has drifted S; it stays where there is no room."""
    berg = next(t for t in state.terrain if t.tag == tag)
    heading = 360 / EXITS * (face - 1)
    x, y = toward((berg.pose.x_mm, berg.pose.y_mm), heading, state.options.short_mm)
    moved = replace(berg, pose=Pose(x, y, berg.pose.heading_deg).rounded())
    width, height = state.options.sea_mm
    outline = patch(moved)
    around = [*obstacles(state).values(), *(patch(t) for t in state.terrain if t.tag != tag)]
    inside = 0 <= x <= width and 0 <= y <= height
    if not inside or any(overlap(outline, other) > 0.5 for other in around):
        return state
    return state._replace(terrain=tuple(moved if t.tag == tag else t for t in state.terrain))
