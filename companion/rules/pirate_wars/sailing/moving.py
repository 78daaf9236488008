"""The movement phase: ships sail or drift, then fall off the wind (PWR-35 to PWR-55)."""

from __future__ import annotations

from collections.abc import Mapping

from companion.rules.deeds import Deed, in_order
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import Choice, no
from companion.rules.pirate_wars.actions import Done, Drift, FallOff, Sail, ShipDeed
from companion.rules.pirate_wars.ashore import marching
from companion.rules.pirate_wars.ashore.marching import MARCHES
from companion.rules.pirate_wars.ashore.storming import in_the_open
from companion.rules.pirate_wars.built.fort_inside import PLACES
from companion.rules.pirate_wars.crew import COVER
from companion.rules.pirate_wars.fighting.losses import settle, strike
from companion.rules.pirate_wars.options import FULL
from companion.rules.pirate_wars.pieces import ADRIFT, AFLOAT, AGROUND, GONE, NOWHERE, tag_of
from companion.rules.pirate_wars.sailing.aground import grounding
from companion.rules.pirate_wars.sailing.contact import met
from companion.rules.pirate_wars.sailing.courses import whole_move
from companion.rules.pirate_wars.sailing.drifting import drifted, due_drift, refuse_drift
from companion.rules.pirate_wars.sailing.seamanship import (
    ANGLE_TOLERANCE,
    FALL_OFF,
    needs_wind,
    running,
    turned_with_wind,
)
from companion.rules.pirate_wars.sailing.waters import crowded, is_off_table, swung
from companion.rules.pirate_wars.sailing.ways import ways_of
from companion.rules.pirate_wars.state import State, design_of, tied_to, with_ship
from companion.rules.pirate_wars.words import Told, capital, ship_name, who
from companion.rules.plane import distance, on_board, turn_deg

LEFT_BY_WALKING = (COVER, *PLACES)
"""Where a party is no more once it has walked in the open."""
STANDARD_FALLS = (15.0, 30.0, 45.0)


def to_move(state: State) -> list[int]:
    """Return the ships of the side on turn that have movement left; one under way goes first."""
    mine = [
        n
        for n, ship in enumerate(state.ships)
        if ship.player == state.player and ship.left and ship.hf and ship.fate == AFLOAT
    ]
    begun = [
        n
        for n in mine
        if needs_wind(state, n)
        and state.ships[n].way != ADRIFT
        and state.ships[n].left < whole_move(state, n)
    ]
    return begun or mine


def gone(state: State, number: int, rule: str) -> tuple[State, Told]:
    """Take a ship out of the battle: it has left the sea."""
    ship = state.ships[number]._replace(fate=GONE, pose=NOWHERE, left=0)
    engaged = tuple(pair for pair in state.engaged if number not in pair)
    text = f"{capital(ship_name(state, number))} leaves the battle"
    return with_ship(state, number, ship)._replace(engaged=engaged), (Happening(text, rule),)


def may_stay(state: State) -> bool:
    """Tell whether all that is left to move may stay where it is: on foot, or under oars."""
    return not any(needs_wind(state, number) for number in to_move(state))


def _stayed(state: State) -> State:
    """Let whatever may stay do so."""
    for number in to_move(state):
        state = with_ship(state, number, state.ships[number]._replace(left=0))
    return state


def _how_it_moves(state: State, number: int) -> str:
    """Say how far a piece moves."""
    ship, kind = state.ships[number], design_of(state, number).kind
    if kind == "fort":
        return "may send figures to other places"
    if ship.way == ADRIFT:
        return "drifts with the wind"
    how = {"ship": "sails", "launch": "moves"}.get(kind, "walks up to")
    return f"{how} {ship.left} dots"


class MoveShips(Choice[State, Deed]):
    """The side on turn moves all its ships, in any order (PWR-35)."""

    name, rule, takes = "move", "PWR-35", (Sail, Drift, *MARCHES, Done)

    def asked(self, state: State) -> PlayerId:
        """Return the side on turn."""
        return state.player

    def pending(self, state: State) -> Decision:
        """Ask for the next ship."""
        parts = []
        for number in to_move(state):
            parts.append(f"{ship_name(state, number)} {_how_it_moves(state, number)}")
        text = f"{who(state, state.player)}: {'; '.join(parts)}"
        done = Done(state.player) if may_stay(state) else None
        return Decision(state.player, self.name, text, passing=done, measured=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return the standard manoeuvres of every ship that can move."""
        found: list[Deed] = [Done(state.player)] if may_stay(state) else []
        for number in to_move(state):
            found += marching.offers(state, state.player, number)
            if design_of(state, number).kind == "fort":
                continue
            if state.ships[number].way == ADRIFT:
                found.append(Drift(state.player, number, due_drift(state, number)))
            else:
                found += ways_of(state, number).offered(state, state.player, number)
        return in_order(found)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return the drifts and paths that bring a ship where it is seen."""
        found: list[Deed] = []
        for number in to_move(state):
            pose = seen.get(tag_of(number))
            if pose is None or design_of(state, number).kind == "fort":
                continue
            if state.ships[number].way == ADRIFT:
                drift = Drift(state.player, number, pose.rounded())
                found += [drift] * (refuse_drift(state, number, pose) is None)
            else:
                paths = ways_of(state, number).seen(state, number, pose)
                found += [Sail(state.player, number, path) for path in paths]
        return tuple(sorted(found))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse ships that are not to move and ways they cannot go."""
        if isinstance(action, Done):
            return None if may_stay(state) else no(self.rule, f"{self.pending(state).text}.")
        assert isinstance(action, ShipDeed)
        refusal = refuse_ship(state, action.ship, self.rule)
        if refusal is not None:
            return refusal
        ship, name = state.ships[action.ship], ship_name(state, action.ship)
        if action.ship not in to_move(state):
            other = to_move(state)[0]
            if ship.left:
                reason = f"{capital(ship_name(state, other))} has begun to move and goes first."
            else:
                reason = f"{capital(name)} has moved already."
            return no("PWR-39", reason)
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
            return Step(_stayed(state))
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
        told: Told = ()
        if course.is_gone:
            state, told = gone(state, action.ship, "PWR-140")
        else:
            state, told = met(state, action.ship, course)
        return _grounded(state, action.ship, course.aground, told)

    def _drift(self, state: State, action: Drift) -> Step[State]:
        told: Told = ()
        ashore = []
        for n, pose in drifted(state, action.ship, action.pose).items():
            before = state.ships[n].pose
            moved = Pose(pose.x_mm, pose.y_mm, before.heading_deg)
            ashore.append((n, grounding(state, n, before, moved, False)))
            ship = state.ships[n]._replace(pose=pose, left=0, steering=True)
            state = with_ship(state, n, ship)
            if is_off_table(state, pose):
                state, more = gone(state, n, "PWR-140")
                told = (*told, *more)
        for n, damage in ashore:
            if damage and state.ships[n].fate == AFLOAT:
                state, told = _aground(state, n, damage, told)
        return settle(state, state.stage, told)


def _grounded(state: State, number: int, damages: tuple[int, ...], told: Told) -> Step[State]:
    if state.ships[number].fate == AFLOAT:
        for damage in damages:
            state, told = _aground(state, number, damage, told)
    return settle(state, state.stage, told)


def _aground(state: State, number: int, damage: int, told: Told) -> tuple[State, Told]:
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
    engaged = tuple(pair for pair in state.engaged if number not in pair)
    text = f"{capital(ship_name(state, number))} lies there for good, a danger to all others"
    return with_ship(state, number, ship)._replace(engaged=engaged), (Happening(text, "PWR-107"),)


def refuse_ship(state: State, number: int, rule: str) -> Ruling | None:
    """Refuse a number that is no ship of the side on turn, or one that is out of the battle."""
    if not 0 <= number < len(state.ships):
        return no(rule, f"There is no ship {number + 1}.")
    ship, name = state.ships[number], ship_name(state, number)
    if ship.player != state.player:
        return no(rule, f"{capital(name)} is not {who(state, state.player)}'s.")
    if ship.fate != AFLOAT:
        return no(rule, f"{capital(name)} is out of the battle.")
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


class FallOffWind(Choice[State, Deed]):
    """The side on turn may turn its ships with the wind (PWR-46)."""

    name, rule, takes = "fall_off", "PWR-46", (FallOff, Done)

    def asked(self, state: State) -> PlayerId:
        """Return the side on turn."""
        return state.player

    def pending(self, state: State) -> Decision:
        """Ask; playing on keeps the headings."""
        text = f"{who(state, state.player)}: fall off the wind by up to 45 degrees, or go on"
        done = Done(state.player)
        return Decision(state.player, self.name, text, passing=done, measured=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return some angles for every ship, and keeping the headings."""
        found: set[Deed] = {Done(state.player)}
        for number in can_fall_off(state):
            pose = state.ships[number].pose
            for angle in STANDARD_FALLS:
                turned = turned_with_wind(state, number, pose, angle)
                action = FallOff(state.player, number, turned)
                if turned != pose and self.refuse(state, action) is None:
                    found.add(action)
        return tuple(sorted(found))

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return the turn that a ship is seen to have made."""
        found = [
            FallOff(state.player, n, seen[tag_of(n)].rounded())
            for n in can_fall_off(state)
            if tag_of(n) in seen
        ]
        return tuple(sorted(a for a in found if self.refuse(state, a) is None))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse turns into the wind, past running, too wide, or off the rudder."""
        if isinstance(action, Done):
            return None
        assert isinstance(action, FallOff)
        refusal = refuse_ship(state, action.ship, self.rule)
        if refusal is not None:
            return refusal
        name = capital(ship_name(state, action.ship))
        if action.ship not in can_fall_off(state):
            return no(self.rule, f"{name} cannot fall off the wind now.")
        return _refuse_fall(state, action, name)

    def play(self, state: State, action: Deed) -> Step[State]:
        """Turn the ship, or go on to the next side."""
        if isinstance(action, Done):
            ships = tuple(
                ship._replace(fell_off=True) if ship.player == state.player else ship
                for ship in state.ships
            )
            return Step(state._replace(ships=ships))
        assert isinstance(action, FallOff)
        ship = state.ships[action.ship]._replace(pose=action.pose.rounded(), fell_off=True)
        return Step(with_ship(state, action.ship, ship))


def _refuse_fall(state: State, action: FallOff, name: str) -> Ruling | None:
    assert state.wind is not None
    pose, slack = state.ships[action.ship].pose, state.options.tolerance_mm
    wanted = turn_deg(pose.heading_deg, running(state.wind))
    turn = turn_deg(pose.heading_deg, action.pose.heading_deg)
    if abs(turn) > ANGLE_TOLERANCE and abs(wanted) < 180 - ANGLE_TOLERANCE and turn * wanted < 0:
        return no("PWR-46", f"{name} falls off with the wind, not into it.")
    if abs(turn) > FALL_OFF + ANGLE_TOLERANCE:
        return no("PWR-46", f"{round(abs(turn) - FALL_OFF)} degrees too much: 45 at most.")
    if abs(turn) > abs(wanted) + ANGLE_TOLERANCE:
        return no("PWR-46", f"{name} turns no farther than running before the wind.")
    rudder = design_of(state, action.ship).rudder_mm
    off = distance(on_board(pose, rudder), on_board(action.pose, rudder))
    if off > slack:
        return no("PWR-44", f"{name} turns on her rudder, which has moved {off:.0f} mm.")
    if is_off_table(state, action.pose):
        return no("PWR-46", f"{name} would leave the sea: no ship falls off over its edge.")
    lies_on = crowded(state, action.ship, swung(state, action.ship, pose, turn), slack)
    if lies_on is not None:
        what = "the shore" if lies_on < 0 else ship_name(state, lies_on)
        return no("PWR-51", f"{name} cannot turn so far: {what} is in the way.")
    return None
