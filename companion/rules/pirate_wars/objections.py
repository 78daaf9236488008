"""Which rule stands against a table that no legal line of play explains.

A guess that is wrong makes a less helpful sentence; nothing is applied.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.deeds import Deed
from companion.rules.game import Ruling
from companion.rules.layout import Layout, Pose
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import Drift, FallOff, PlaceShip, Sail
from companion.rules.pirate_wars.pieces import ADRIFT, AFLOAT, NOWHERE, tag_of
from companion.rules.pirate_wars.sailing.moving import to_move
from companion.rules.pirate_wars.sailing.seamanship import ANGLE_TOLERANCE
from companion.rules.pirate_wars.sailing.ways import ways_of
from companion.rules.pirate_wars.setup import next_to_place
from companion.rules.pirate_wars.stages import FallingOff, Moving, PlacingShips, SettingDown
from companion.rules.pirate_wars.state import State
from companion.rules.pirate_wars.words import ship_name
from companion.rules.plane import distance, place, turn_deg
from companion.rules.words import capital

Check = Callable[[State, Deed], Ruling]
"""`PirateWars.check`."""


def objection(state: State, seen: Layout, check: Check, asked: Ruling) -> Ruling:
    """Return the refusal of the nearest illegal action; a legal one if none can be named.

    `asked` is what to answer while nothing was done: what is to be done, and its rule.
    """
    moved = [n for n in range(len(state.ships)) if _is_moved(state, n, seen)]
    if not moved:
        return asked
    number = moved[0]
    pose = seen.pieces[tag_of(number)].pose
    if isinstance(state.stage, Moving) and number in to_move(state):
        return _refuse_way(state, number, pose, check)
    player = state.ships[number].player
    if isinstance(state.stage, FallingOff) and player == state.player:
        return check(state, FallOff(player, number, pose))
    if number == _to_place(state):
        return check(state, PlaceShip(player, number, pose))
    name = capital(ship_name(state, number))
    if state.ships[number].is_inside:
        fort = ship_name(state, state.ships[number].fort)
        return no(asked.rule, f"{name} is within {fort}: lay its tag aside.")
    if state.ships[number].fate != AFLOAT or state.ships[number].pose == NOWHERE:
        return no(asked.rule, f"{name} does not stand on the table now.")
    return no(asked.rule, f"{name} stays where she was: {_away(state, number, pose)}.")


def _to_place(state: State) -> int | None:
    """Return what is put on the table now: a ship, or what comes from one or from a shore."""
    if isinstance(state.stage, SettingDown):
        return state.stage.number
    return next_to_place(state) if isinstance(state.stage, PlacingShips) else None


def _is_moved(state: State, number: int, seen: Layout) -> bool:
    piece = seen.pieces.get(tag_of(number))
    if piece is None:
        return False
    ship = state.ships[number]
    turned = abs(turn_deg(ship.pose.heading_deg, piece.pose.heading_deg)) > ANGLE_TOLERANCE
    return turned or _apart(ship.pose, piece.pose) > state.options.tolerance_mm


def _apart(one: Pose, other: Pose) -> float:
    return distance(place(one), place(other))


def _away(state: State, number: int, pose: Pose) -> str:
    ship = state.ships[number]
    turn = round(turn_deg(pose.heading_deg, ship.pose.heading_deg))
    away = round(_apart(ship.pose, pose))
    return f"she is {away} mm off" if away > 2 else f"turn her back by {abs(turn)} degrees"


def _refuse_way(state: State, number: int, pose: Pose, check: Check) -> Ruling:
    """Say what is wrong with where a ship was moved, as if it had gone there in one way."""
    player = state.player  # whoever moves last lets what nobody commands drift
    if state.ships[number].way == ADRIFT:
        return check(state, Drift(player, number, pose))
    return check(state, Sail(player, number, ways_of(state, number).guessed(state, number, pose)))
