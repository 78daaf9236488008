"""Falling off the wind, once all ships have moved (PWR-46)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import TurnChoice, no
from companion.rules.pirate_wars.actions import Done, FallOff
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.sailing.held import has_stayed
from companion.rules.pirate_wars.sailing.moving import can_fall_off, refuse_ship
from companion.rules.pirate_wars.sailing.seamanship import (
    ANGLE_TOLERANCE,
    FALL_OFF,
    is_in_irons,
    running,
    turned_with_wind,
)
from companion.rules.pirate_wars.sailing.waters import crowded, is_off_table, swung
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name, who
from companion.rules.plane import distance, on_board, turn_deg
from companion.rules.words import capital

STANDARD_FALLS = (15.0, 30.0, 45.0)


class FallOffWind(TurnChoice[State, Deed]):
    """The side on turn may turn its ships with the wind (PWR-46)."""

    name, rule, takes = "fall_off", "PWR-46", (FallOff, Done)

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
            for turned in _standard_falls(state, number, pose):
                action = FallOff(state.player, number, turned)
                if turned != pose and self.refuse(state, action) is None:
                    found.add(action)
        return tuple(sorted(found))

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return the turn that a ship is seen to have made."""
        found = [
            FallOff(state.player, n, seen[tag_of(n)].rounded())
            for n in can_fall_off(state)
            if tag_of(n) in seen and not has_stayed(state, n, seen[tag_of(n)])
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


def _standard_falls(state: State, number: int, pose: Pose) -> Iterator[Pose]:
    """Yield some turns with the wind; to both sides where the bow points into it."""
    assert state.wind is not None
    for angle in STANDARD_FALLS:
        turned = turned_with_wind(state, number, pose, angle)
        yield turned
        if is_in_irons(pose.heading_deg, state.wind):
            turn = turn_deg(pose.heading_deg, turned.heading_deg)
            yield swung(state, number, pose, -turn).rounded()


def _refuse_fall(state: State, action: FallOff, name: str) -> Ruling | None:
    assert state.wind is not None
    pose, slack = state.ships[action.ship].pose, state.options.tolerance_mm
    wanted = turn_deg(pose.heading_deg, running(state.wind))
    turn = turn_deg(pose.heading_deg, action.pose.heading_deg)
    either = is_in_irons(pose.heading_deg, state.wind)
    if abs(turn) > ANGLE_TOLERANCE and not either and turn * wanted < 0:
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
