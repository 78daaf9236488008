"""Moves over the open sea, measured at the tag amidships (CSG-11 to 14, 22, 25, 73 to 77)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, product

from companion.rules.game import Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import is_near, overlap
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import has
from companion.rules.pirates_csg.actions import ComeAbout, Move
from companion.rules.pirates_csg.arrivals import arrive
from companion.rules.pirates_csg.deck import SHORT
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships, refuse_action
from companion.rules.pirates_csg.manoeuvres import about_turns, standard_moves
from companion.rules.pirates_csg.sea import (
    beam_mm,
    bow_touches,
    hull_at,
    near_obstacles,
    runs_into,
    shore,
    touches,
    weeds,
)
from companion.rules.pirates_csg.state import (
    LEAVING,
    MOVE,
    NO_TOKENS,
    Ship,
    State,
    card_of,
    did,
    island_of,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import name_of, ship_name
from companion.rules.plane import XY, Outline, bearing_deg, distance, on_board, place, turn_deg
from companion.rules.words import listed

ANGLE_DEG = 20.0
"""How far a ship may lie off the direction of her last leg, as people lay ships."""
SHORT_LEG_MM = 12.0
"""A leg shorter than this has no direction to speak of."""


def segments(state: State, ship: Ship) -> tuple[str, ...]:
    """Return the segments a ship may use now, each a side of a card (CSG-1, CSG-11)."""
    card = card_of(state, ship)
    if ship.is_derelict:
        # Oarsman and steamship do not add up (CSG-77).
        moves = has(state, ship, "oarsman") or has(state, ship, "steamship")
        return (SHORT,) if moves else ()
    if ship.is_mired or ship.towing:
        return (SHORT,)
    base = card.move
    if has(state, ship, "gunboat"):
        return base
    gains = has(state, ship, "helmsman") + (
        has(state, ship, "steamship") and len(ship.masts) == card.masts
    )
    laden = ship.coins or ship.treasures or any(ship.tokens)
    gains += bool(has(state, ship, "clipper") and laden)
    return (*base, *(SHORT,) * gains)


@lru_cache(maxsize=4096)
def excess_mm(legs: tuple[float, ...], sides: tuple[int, ...]) -> float | None:
    """Return by how much legs are longer than segments allow, at best; ``None``: too many legs.

    Every leg takes one segment or more, in any order (CSG-11); shorter is allowed (CSG-12).

    >>> excess_mm((100.0, 50.0), (86, 54)), excess_mm((50.0, 130.0), (54, 54, 86))
    (14.0, 0.0)
    """
    best: float | None = None
    for given in product(range(len(legs)), repeat=len(sides)):
        if len(set(given)) < len(legs):
            continue
        left = list(legs)
        for leg, side in zip(given, sides, strict=True):
            left[leg] -= side
        over = sum(max(0.0, mm) for mm in left)
        best = over if best is None else min(best, over)
    return best


def holders_of(state: State, ship: Ship) -> list[Ship]:
    """Return the ships whose bows pin a ship that they have rammed (CSG-22)."""
    if not state.options.pinning:
        return []
    rammers = [ship_of(state, tag) for tag in ship.pinned_by]
    return [r for r in rammers if r.owner != ship.owner and bow_touches(state, r, ship)]


def refuse_to_sail(state: State, tag: int) -> Ruling | None:
    """Refuse a ship that cannot be given a move at all."""
    ship = own_ship(state, tag, "CSG-9")
    if isinstance(ship, Ruling):
        return ship
    name = ship_name(state, ship)
    if not segments(state, ship):
        return no("CSG-19", f"{name} is a derelict: she cannot move, only explore or repair.")
    holders = holders_of(state, ship)
    if holders:
        rammers = listed(ship_name(state, holder) for holder in holders)
        return no("CSG-22", f"{name} is pinned while the bow of {rammers} touches her.")
    if ship.lost_in:
        return no("CSG-27", f"{name} is lost in the fog: roll for where she comes out.")
    return refuse_action(state, ship, MOVE)


def path_of(state: State, action: Move) -> list[XY]:
    """Return the way of the ship's tag, from where it is to where it will be."""
    return [place(ship_of(state, action.ship).pose), *action.corners, place(action.pose)]


def refuse_way(
    state: State, ship: Ship, action: Move, sides: Sequence[str], limit: int
) -> Ruling | None:
    """Refuse a way that is too long, turns too sharply or runs through something."""
    path = path_of(state, action)
    refusal = _refuse_length(state, ship, action.pose, path, sides)
    if refusal is None and limit < 180:
        refusal = _refuse_turns(state, ship, action.pose, path, limit)
    if refusal is None:
        refusal = _refuse_obstacles(state, ship, action, path)
    return refusal


def _refuse_length(
    state: State, ship: Ship, pose: Pose, path: list[XY], sides: Sequence[str]
) -> Ruling | None:
    legs = tuple(distance(a, b) for a, b in pairwise(path))
    lengths = tuple(sorted(state.options.side_mm(side) for side in sides))
    straight = over = excess_mm(legs, lengths)
    if not _lies_along(path, pose):
        # She has turned at the end, which takes a segment that is not sailed.
        over = excess_mm((*legs, 0.0), lengths)
    name, template = ship_name(state, ship), "+".join(sides)
    far = state.options.tolerance_mm
    has_only_turned = over != straight and straight is not None and straight <= far
    if over is None or (has_only_turned and over > far):
        reason = (
            f"{name} moves {template}: she turns before each part of it and not after the last."
        )
        return no("CSG-11", f"{reason} Lay her along the way she came.")
    if over > far:
        reach = sum(lengths)
        return no(
            "CSG-11", f"{over:.0f} mm too far: {name} moves {template}, {reach} mm from tag to tag."
        )
    return None


def _lies_along(path: list[XY], pose: Pose) -> bool:
    """Say whether a ship lies along the last leg of her way."""
    start, end = path[-2], path[-1]
    if distance(start, end) < SHORT_LEG_MM:
        return True
    return abs(turn_deg(bearing_deg(start, end), pose.heading_deg)) <= ANGLE_DEG


def _refuse_turns(
    state: State, ship: Ship, pose: Pose, path: list[XY], limit: int
) -> Ruling | None:
    """Refuse turns sharper than the table allows."""
    headings = [ship.pose.heading_deg]
    headings += [bearing_deg(a, b) for a, b in pairwise(path) if distance(a, b) >= SHORT_LEG_MM]
    headings.append(pose.heading_deg)
    for before, after in pairwise(headings):
        turn = abs(turn_deg(before, after))
        if turn > limit + ANGLE_DEG:
            name = ship_name(state, ship)
            reason = f"{name} turns {turn:.0f} degrees; {limit} are allowed before each part."
            return no("CSG-11", reason)
    return None


def _refuse_obstacles(state: State, ship: Ship, action: Move, path: list[XY]) -> Ruling | None:
    tolerance = state.options.tolerance_mm
    name = ship_name(state, ship)
    refusal = refuse_off_sea(state, ship, action.pose)
    if refusal is not None:
        return refusal
    outline = hull_at(card_of(state, ship), action.pose)
    # On her way she needs water as wide as she is, where she ends she needs it all around.
    width = beam_mm(card_of(state, ship)) / 2
    around = near_obstacles(state, (*path, *outline), width, ship.tag, ship.towing)
    for tag, other in around.items():
        for a, b in pairwise(path):
            if runs_into(a, b, other, width - tolerance):
                reason = f"{name} would pass through {name_of(state, tag)}; touching it stops her."
                return no("CSG-11", reason)
        if is_near(outline, other, 0) and overlap(outline, other) > tolerance:
            deep = overlap(outline, other)
            reason = f"{name} lies {deep:.0f} mm deep in {name_of(state, tag)}; she may touch it."
            return no("CSG-11", reason)
    refusal = _refuse_weed(state, ship, outline, path)
    return _refuse_tow(state, ship, action, outline) if refusal is None else refusal


def _refuse_weed(state: State, ship: Ship, outline: Outline, path: list[XY]) -> Ruling | None:
    """Refuse to sail on through sargasso, which ends a move as land does (CSG-27)."""
    tolerance = state.options.tolerance_mm
    clear = beam_mm(card_of(state, ship)) / 2 - tolerance
    for weed in weeds(state, ship).values():
        is_crossed = any(runs_into(a, b, weed, clear) for a, b in pairwise(path))
        if is_crossed or overlap(outline, weed) > tolerance:
            name = ship_name(state, ship)
            return no(
                "CSG-27", f"Sargasso weed ends the move of {name}: stop where she touches it."
            )
    return None


def refuse_off_sea(state: State, ship: Ship, pose: Pose) -> Ruling | None:
    """Refuse a pose beyond the edge of the sea."""
    width, height = state.options.sea_mm
    over = state.options.tolerance_mm
    card = card_of(state, ship)
    for x, y in (place(pose), on_board(pose, card.bow_mm)):
        if not (-over <= x <= width + over and -over <= y <= height + over):
            reason = f"{card.title} would leave the sea, which is {width} by {height} mm."
            return no("CSG-39", reason)
    return None


def _refuse_tow(state: State, ship: Ship, action: Move, outline: Outline) -> Ruling | None:
    """Refuse a tow that is left behind, or one that there is not (CSG-25)."""
    if (action.tow is not None) != bool(ship.towing):
        name = ship_name(state, ship)
        what = f"lay {name_of(state, ship.towing)} beside her" if ship.towing else "she tows nobody"
        return no("CSG-25", f"Say where the tow of {name} lies: {what}.")
    if action.tow is None:
        return None
    towed = ship_of(state, ship.towing)
    hull = hull_at(card_of(state, towed), action.tow)
    tolerance = state.options.tolerance_mm
    if not touches(state, outline, hull) or overlap(outline, hull) > tolerance:
        reason = f"{ship_name(state, towed)} must touch {ship_name(state, ship)}, who tows her."
        return no("CSG-25", reason)
    for tag, other in near_obstacles(state, hull, 0, ship.tag, towed.tag).items():
        if overlap(hull, other) > tolerance:
            return no("CSG-25", f"{ship_name(state, towed)} lies in {name_of(state, tag)}.")
    return refuse_off_sea(state, towed, action.tow)


def put(state: State, ship: Ship, pose: Pose) -> State:
    """Return the state with a ship somewhere else: she has left whatever she was at."""
    gone = replace(ship, docked=0, leave=0, blockade=0, brought=NO_TOKENS)
    return with_ship(state, replace(gone, pose=pose.rounded()))


def can_leave(state: State, ship: Ship) -> bool:
    """Say whether a standard move takes a raider away from the home she is docked at (CSG-84)."""
    if refuse_to_sail(state, ship.tag) is not None:
        return False
    sides, limit = segments(state, ship), state.options.turn_limit
    return any(
        not _stays(state, ship, move.pose) and refuse_way(state, ship, move, sides, limit) is None
        for move in standard_moves(state, ship, sides)
    )


def _stays(state: State, ship: Ship, pose: Pose) -> bool:
    """Say whether a ship would still touch the island she is docked at."""
    land = shore(state, island_of(state, ship.docked))
    return touches(state, hull_at(card_of(state, ship), pose.rounded()), land)


def _refuse_staying(state: State, ship: Ship, pose: Pose) -> Ruling | None:
    """Refuse a raider to end at the home she must leave, while there is a way off (CSG-84)."""
    if ship.leave != LEAVING or not _stays(state, ship, pose) or not can_leave(state, ship):
        return None
    name, where = ship_name(state, ship), name_of(state, ship.docked)
    return no("CSG-84", f"{name} must leave {where} this turn; here she still touches it.")


class Sail(Doing[Move]):
    """Move (CSG-11)."""

    takes = Move

    def candidates(self, state: State) -> list[Move]:
        """Return standard manoeuvres of every ship that may move."""
        found: list[Move] = []
        for ship in own_ships(state):
            if refuse_to_sail(state, ship.tag) is None:
                found += standard_moves(state, ship, segments(state, ship))
        return found

    def refuse(self, state: State, action: Move) -> Ruling | None:
        """Refuse what the template does not allow."""
        refusal = refuse_to_sail(state, action.ship)
        if refusal is not None:
            return refusal
        ship = ship_of(state, action.ship)
        sides, limit = segments(state, ship), state.options.turn_limit
        refusal = refuse_way(state, ship, action, sides, limit)
        return _refuse_staying(state, ship, action.pose) if refusal is None else refusal

    def play(self, state: State, action: Move) -> Step[State]:
        """Move the ship, and what she tows; then see what she has come to."""
        path = path_of(state, action)
        before = ship_of(state, action.ship)
        ship = did(before, MOVE)
        moved = put(state, ship, action.pose)
        if action.tow is not None:
            moved = put(moved, ship_of(moved, ship.towing), action.tow)
        return arrive(moved, action.ship, path, before)


class TurnAbout(Doing[ComeAbout]):
    """Come about (CSG-13)."""

    takes = ComeAbout

    def candidates(self, state: State) -> list[ComeAbout]:
        """Return turns by 90 and 180 degrees of every ship that may move."""
        found: list[ComeAbout] = []
        for ship in own_ships(state):
            if refuse_to_sail(state, ship.tag) is None:
                found += about_turns(state, ship)
        return found

    def refuse(self, state: State, action: ComeAbout) -> Ruling | None:
        """Refuse to leave the spot, and to come to lie in something."""
        refusal = refuse_to_sail(state, action.ship)
        if refusal is not None:
            return refusal
        ship = ship_of(state, action.ship)
        tolerance = state.options.tolerance_mm
        away = distance(place(ship.pose), place(action.pose))
        if away > tolerance:
            reason = (
                f"{ship_name(state, ship)} comes about on the spot, but lies {away:.0f} mm away."
            )
            return no("CSG-13", reason)
        outline = hull_at(card_of(state, ship), action.pose)
        for tag, other in near_obstacles(state, outline, 0, ship.tag).items():
            if overlap(outline, other) > tolerance:
                reason = (
                    f"{ship_name(state, ship)} has no room to turn beside {name_of(state, tag)}."
                )
                return no("CSG-13", reason)
        if any(overlap(outline, weed) > tolerance for weed in weeds(state, ship).values()):
            reason = f"{ship_name(state, ship)} has no room to turn beside the sargasso weed."
            return no("CSG-27", reason)
        refusal = refuse_off_sea(state, ship, action.pose)
        return _refuse_staying(state, ship, action.pose) if refusal is None else refusal

    def play(self, state: State, action: ComeAbout) -> Step[State]:
        """Turn the ship; she has not gone anywhere, but may touch something now."""
        before = ship_of(state, action.ship)
        moved = put(state, did(before, MOVE), action.pose)
        point = place(action.pose)
        return arrive(moved, action.ship, [point, point], before)
