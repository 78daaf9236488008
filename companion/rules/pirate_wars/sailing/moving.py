"""The movement phase: ships sail or drift, then fall off the wind (PWR-35 to PWR-55)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.deeds import Deed, in_order
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import TurnChoice, no
from companion.rules.pirate_wars.actions import Done, Drift, Sail, ShipDeed
from companion.rules.pirate_wars.ashore import marching
from companion.rules.pirate_wars.ashore.marching import MARCHES
from companion.rules.pirate_wars.ashore.storming import in_the_open
from companion.rules.pirate_wars.built.fort_inside import PLACES
from companion.rules.pirate_wars.crew import COVER
from companion.rules.pirate_wars.fighting.losses import settle, strike
from companion.rules.pirate_wars.options import FULL
from companion.rules.pirate_wars.pieces import ADRIFT, AFLOAT, AGROUND, GONE, NOWHERE, Ship, tag_of
from companion.rules.pirate_wars.sailing.aground import grounding
from companion.rules.pirate_wars.sailing.contact import met
from companion.rules.pirate_wars.sailing.courses import Course, whole_move
from companion.rules.pirate_wars.sailing.drifting import (
    drifted,
    drifts_offered,
    drifts_to,
    refuse_drift,
)
from companion.rules.pirate_wars.sailing.held import (
    LITTLE,
    has_stayed,
    is_held,
    may_stay,
    stay,
    why_held,
)
from companion.rules.pirate_wars.sailing.seamanship import ANGLE_TOLERANCE, needs_wind, running
from companion.rules.pirate_wars.sailing.waters import is_off_table
from companion.rules.pirate_wars.sailing.ways import ways_of
from companion.rules.pirate_wars.state import State, design_of, tied_to, unlashed, with_ship
from companion.rules.pirate_wars.words import Told, ship_name, verb_of, who
from companion.rules.plane import turn_deg
from companion.rules.words import capital

LEFT_BY_WALKING = (COVER, *PLACES)
"""Where a party is no more once it has walked in the open."""


def to_move(state: State) -> list[int]:
    """Return the ships of the side on turn that can still move; one under way goes first."""
    mine = [n for n in _unmoved(state) if not is_held(state, n)]
    return [n for n in mine if _has_begun(state, n)] or mine


def _is_to_move(state: State, number: int) -> bool:
    """Tell whether a ship is among those `to_move`; most others need not be looked at for that."""
    mine = _unmoved(state)
    if number not in mine or is_held(state, number):
        return False
    begun = [n for n in mine if _has_begun(state, n)]
    return number in begun or all(is_held(state, n) for n in begun)


def _has_begun(state: State, number: int) -> bool:
    ship = state.ships[number]
    under_way = ship.way != ADRIFT and needs_wind(state, number)
    return under_way and ship.left < whole_move(state, number)


def _unmoved(state: State) -> list[int]:
    """Return the ships that have movement left and that the side on turn moves."""
    return [
        n
        for n, ship in enumerate(state.ships)
        if (ship.player == state.player or _is_left_over(state, ship))
        and ship.left
        and ship.hf
        and ship.fate == AFLOAT
    ]


def _is_left_over(state: State, ship: Ship) -> bool:
    """Tell whether nobody is aboard a ship and its captain has no turn any more (PWR-42).

    Whoever moves last lets it drift.
    """
    last = state.slot + 1 == len(state.order)
    return last and not ship.crew and ship.way == ADRIFT and ship.player not in state.order


def lying_still(state: State) -> Step[State]:
    """Let the ships of a side that cannot move lie where they are (PWR-48)."""
    held = _unmoved(state)
    told = tuple([why_held(state, n) for n in held])
    return Step(stay(state, held), told)


def gone(state: State, number: int, rule: str) -> tuple[State, Told]:
    """Take a ship out of the battle: it has left the sea."""
    ship = state.ships[number]._replace(fate=GONE, pose=NOWHERE, left=0)
    text = f"{capital(ship_name(state, number))} leaves the battle"
    return unlashed(with_ship(state, number, ship), number), (Happening(text, rule),)


def _how_it_moves(state: State, number: int) -> str:
    """Say how far a piece moves."""
    ship, kind = state.ships[number], design_of(state, number).kind
    if kind == "fort":
        return "may send figures to other places"
    if ship.way == ADRIFT:
        return "drifts with the wind"
    how = {"ship": "sails", "launch": "moves"}.get(kind, f"{verb_of(state, number, 'walks')} up to")
    boats = ", or get into a boat" if kind == "tribe" and ship.boats else ""
    return f"{how} {ship.left} dots{boats}"


class MoveShips(TurnChoice[State, Deed]):
    """The side on turn moves all its ships, in any order (PWR-35)."""

    name, rule, takes = "move", "PWR-35", (Sail, Drift, *MARCHES, Done)

    def pending(self, state: State) -> Decision:
        """Ask for the next ship; where none needs to move, to play on leaves them as they are."""
        numbers = to_move(state)
        ways = [f"{ship_name(state, n)} {_how_it_moves(state, n)}" for n in numbers]
        passing = Done(state.player) if all(may_stay(state, n) for n in numbers) else None
        text = f"{who(state, state.player)}: {'; '.join(ways)}{', or go on' if passing else ''}"
        return Decision(state.player, self.name, text, passing=passing, measured=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return the standard manoeuvres of every ship that can move."""
        numbers = to_move(state)
        found: list[Deed] = [Done(state.player)] * all(may_stay(state, n) for n in numbers)
        for number in numbers:
            found += marching.offers(state, state.player, number)
            if design_of(state, number).kind == "fort":
                continue
            if needs_wind(state, number) and may_stay(state, number, LITTLE):
                continue
            if state.ships[number].way == ADRIFT:
                ends = drifts_offered(state, number)
                found += [Drift(state.player, number, end) for end in ends]
            else:
                found += ways_of(state, number).offered(state, state.player, number)
        return in_order(found)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return the drifts and paths that bring a ship where it is seen, or to fall off there."""
        found: list[Deed] = []
        for number in to_move(state):
            pose = seen.get(tag_of(number))
            if pose is None or has_stayed(state, number, pose):
                continue
            if design_of(state, number).kind == "fort":
                continue
            if state.ships[number].way == ADRIFT:
                drifts = drifts_to(state, number, pose)
                found += [Drift(state.player, number, end) for end in drifts]
            else:
                paths = ways_of(state, number).seen(state, number, pose)
                found += [Sail(state.player, number, path) for path in paths]
        return tuple(sorted(found))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse ships that are not to move and ways they cannot go."""
        if isinstance(action, Done):
            return _refuse_to_stay(state)
        assert isinstance(action, ShipDeed)
        if not _is_to_move(state, action.ship):
            refusal = refuse_ship(state, action.ship, self.rule)
            if refusal is not None:
                return refusal
            return _refuse_to_move(state, action.ship, to_move(state)[0])
        ship, name = state.ships[action.ship], ship_name(state, action.ship)
        if type(action) in MARCHES:
            return MARCHES[type(action)][0](state, action)
        if design_of(state, action.ship).kind == "fort":
            return no("PWR-119", f"{capital(name)} stays where it is.")
        if isinstance(action, Drift):
            if ship.way == ADRIFT:
                return refuse_drift(state, action.ship, action.pose)
            return no("PWR-39", f"{capital(name)} is under way: she moves {ship.left} dots.")
        if ship.way == ADRIFT:
            return no("PWR-42", f"{capital(name)} is adrift: 8 dots with the wind.")
        assert isinstance(action, Sail)
        result = ways_of(state, action.ship).judged(state, action.ship, action.path)
        return result if isinstance(result, Ruling) else None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Move the ship; what it runs into, and the ground, take effect at once."""
        if isinstance(action, Done):
            return Step(stay(state, to_move(state)))
        if type(action) in MARCHES:
            return Step(MARCHES[type(action)][1](state, action))
        assert isinstance(action, Sail | Drift)
        if isinstance(action, Drift):
            return self._drift(state, action)
        course = ways_of(state, action.ship).judged(state, action.ship, action.path)
        assert not isinstance(course, Ruling)
        ship = state.ships[action.ship]
        last = not course.left
        is_ship = design_of(state, action.ship).kind == "ship"
        if ship.station in LEFT_BY_WALKING and course.pose != ship.pose:
            ship = in_the_open(ship)
        ship = ship._replace(
            pose=course.pose,
            left=course.left,
            steering=ship.steering or last,
            moved=ship.moved or (not is_ship and course.pose != ship.pose),
        )
        state = with_ship(state, action.ship, ship)
        end = gone(state, action.ship, "PWR-140") if course.is_gone else None
        state, told = end or _ended(state, action.ship, course)
        return settle(state, state.stage, told)

    def _drift(self, state: State, action: Drift) -> Step[State]:
        told: Told = ()
        ashore = []
        for n, pose in drifted(state, action.ship, action.pose).items():
            before = state.ships[n].pose
            moved = Pose(pose.x_mm, pose.y_mm, before.heading_deg)
            ashore.append((n, grounding(state, n, before, moved, False)))
            is_launch = design_of(state, n).kind == "launch"
            ship = state.ships[n]._replace(pose=pose, left=0, steering=True)
            ship = ship._replace(moved=ship.moved or is_launch)
            state = with_ship(state, n, ship)
            if is_off_table(state, pose):
                state, more = gone(state, n, "PWR-140")
                told = (*told, *more)
        for n, damage in ashore:
            if damage and state.ships[n].fate == AFLOAT:
                state, told = _aground(state, n, damage, told)
        return settle(state, state.stage, told)


def _refuse_to_stay(state: State) -> Ruling | None:
    """Refuse to go on while a ship must move."""
    must = [n for n in to_move(state) if not may_stay(state, n)]
    if not must:
        return None
    name, left = capital(ship_name(state, must[0])), state.ships[must[0]].left
    return no("PWR-39", f"{name} has {left} dots to move.")


def _refuse_to_move(state: State, number: int, other: int) -> Ruling:
    """Say why a ship is not to move now; `other` is."""
    name = capital(ship_name(state, number))
    if not state.ships[number].hf:
        return no("PWR-54", f"{name} has no hull left: she sinks where she lies.")
    if not state.ships[number].left:
        has = verb_of(state, number, "has")
        return no("PWR-39", f"{name} {has} no movement left in this turn.")
    if is_held(state, number):
        held = why_held(state, number)
        return no(held.rule, f"{held.text}.")
    return no("PWR-39", f"{capital(ship_name(state, other))} has begun to move and goes first.")


def _ended(state: State, number: int, course: Course) -> tuple[State, Told]:
    """Carry out what a way has cost: the ground on it comes before who is met at its end."""
    told: Told = ()
    for damage in course.aground:
        state, told = _aground(state, number, damage, told)
    state, more = met(state, number, course)
    return state, (*more, *told) if course.struck == -1 else (*told, *more)


def _aground(state: State, number: int, damage: int, told: Told) -> tuple[State, Told]:
    """Take what the ground costs; who has no hull left has nothing more to lose to it."""
    if not state.ships[number].hf:
        return state, told
    text = f"{capital(ship_name(state, number))} runs aground"
    full = state.options.grounding == FULL
    rule = "PWR-107" if full else "PWR-55"
    state, more = strike(state, number, "hull", damage, rule)
    told = (*told, Happening(text, rule), *more)
    if full and not state.ships[number].hf:
        state, more = _stranded(state, number)
        told = (*told, *more)
    return state, told


def _stranded(state: State, number: int) -> tuple[State, Told]:
    """Leave a ship that broke its hull on the ground where it lies, out of the battle (PWR-107)."""
    ship = state.ships[number]._replace(fate=AGROUND, left=0)
    text = f"{capital(ship_name(state, number))} lies there for good, a danger to all others"
    return unlashed(with_ship(state, number, ship), number), (Happening(text, "PWR-107"),)


def refuse_ship(state: State, number: int, rule: str) -> Ruling | None:
    """Refuse a number that is no ship of the side on turn, or one that is out of the battle."""
    if not 0 <= number < len(state.ships):
        return no(rule, f"There is no ship {number + 1}.")
    ship = state.ships[number]
    if ship.player != state.player:
        name = capital(ship_name(state, number))
        verb = verb_of(state, number, "is")
        return no(rule, f"{name} {verb} not {who(state, state.player)}'s.")
    if ship.fate != AFLOAT:
        return no(rule, f"{capital(ship_name(state, number))} is out of the battle.")
    return None


def can_fall_off(state: State) -> list[int]:
    """Return the ships of the side on turn that may still fall off the wind (PWR-46)."""
    assert state.wind is not None
    return [
        n
        for n, ship in enumerate(state.ships)
        if ship.player == state.player
        and ship.alive
        and ship.hf
        and not ship.fell_off
        and needs_wind(state, n)
        and tied_to(state, n) is None
        and abs(turn_deg(ship.pose.heading_deg, running(state.wind))) > ANGLE_TOLERANCE
    ]
