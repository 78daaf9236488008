"""The task phase of one side: what its figures may be told to do (PWR-56 to PWR-83).

Whoever is given no other task sails the ship (PWR-81); that needs no telling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from companion.rules.deeds import Deed, in_order
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.phases import TurnChoice, no
from companion.rules.pirate_wars import orders
from companion.rules.pirate_wars.actions import (
    Board,
    Cross,
    Disembark,
    Done,
    FireGun,
    Haul,
    LoadArms,
    LoadGun,
    Lower,
    Post,
    Raid,
    ResetSails,
    Scuttle,
    SetSails,
    ShiftGun,
    ShipDeed,
    Shoot,
    StrikeSail,
    Swim,
)
from companion.rules.pirate_wars.ashore import crossing, launching, loot, rousing
from companion.rules.pirate_wars.crew import CLIMBING
from companion.rules.pirate_wars.fighting import gun_orders, small_arms
from companion.rules.pirate_wars.fighting.boarding import board, may_board, refuse_board
from companion.rules.pirate_wars.fighting.gunnery import ranged
from companion.rules.pirate_wars.pieces import AGROUND
from companion.rules.pirate_wars.sailing import rig_orders, sail_orders
from companion.rules.pirate_wars.sailing.moving import refuse_ship
from companion.rules.pirate_wars.sailing.swimming import refuse_swim, swim, swims
from companion.rules.pirate_wars.stages import Firing
from companion.rules.pirate_wars.state import State, design_of, is_engaged
from companion.rules.pirate_wars.words import ship_name, verb_of, who
from companion.rules.words import capital

Refuse = Callable[[State, Deed], Ruling | None]
Play = Callable[[State, Deed], State]

ORDERS: Mapping[type[Deed], tuple[Refuse, Play]] = {
    FireGun: (gun_orders.refuse_fire, gun_orders.fire),
    Shoot: (small_arms.refuse_shot, small_arms.shoot),
    LoadGun: (gun_orders.refuse_load, gun_orders.load),
    LoadArms: (small_arms.refuse_arms, small_arms.load_arms),
    ShiftGun: (gun_orders.refuse_shift, gun_orders.shift),
    Post: (orders.refuse_post, orders.post),
    ResetSails: (sail_orders.refuse_reset, sail_orders.reset_sails),
    SetSails: (sail_orders.refuse_sails, sail_orders.set_sails),
    Scuttle: (orders.refuse_scuttle, orders.scuttle),
    StrikeSail: (rig_orders.refuse_strike, rig_orders.strike_sail),
    Haul: (loot.refuse_haul, loot.haul),
    Lower: (launching.refuse_lower, launching.lowered),
    Disembark: (launching.refuse_disembark, launching.ashore),
    Cross: (crossing.refuse_cross, crossing.cross),
    Raid: (rousing.refuse_raid, rousing.raid),
}
"""How an order to a ship is refused and carried out."""
OF_SHIPS = (SetSails, ResetSails, Scuttle, ShiftGun, Post)
"""Orders that launches and landing parties cannot be given."""


class GiveTasks(TurnChoice[State, Deed]):
    """The side on turn gives tasks; then it throws for whatever it fires."""

    name, rule, takes = "tasks", "PWR-56", (*ORDERS, Board, Swim, Done)

    def pending(self, state: State) -> Decision:
        """Ask; playing on ends the phase for this side."""
        declared = len(state.attacks)
        text = f"{who(state, state.player)}: give tasks to your figures, or go on"
        if declared:
            text += f" and throw for {declared} declared"
        return Decision(state.player, self.name, text, passing=Done(state.player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return what can be ordered; of figures one or all, though any number between may be."""
        return in_order(self._offers(state))

    def _offers(self, state: State) -> Iterator[Deed]:
        player = state.player
        yield Done(player)
        for number, ship in enumerate(state.ships):
            if ship.player == player and is_stranded(state, number):
                yield from launching.offers(state, player, number)
            if ship.player != player:
                continue
            if can_scuttle(state, number):
                yield Scuttle(player, number)
            if refuse_tasks(state, number) is not None:
                continue
            yield from orders.offers(state, player, number)
            yield from rig_orders.offers(state, player, number)
            yield from loot.offers(state, player, number)
            yield from launching.offers(state, player, number)
            for target in range(len(state.ships)):
                if may_board(state, number, target):
                    yield Board(player, number, target)
                robbery = Raid(player, number, target)
                if rousing.refuse_raid(state, robbery) is None:
                    yield robbery
        for number, target in swims(state, player):
            yield Swim(player, number, target)

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse tasks for ships that can do none, and tasks nobody is free for."""
        if isinstance(action, Done):
            return None
        if isinstance(action, Swim):
            return refuse_swim(state, action.shoal, action.ship)
        assert isinstance(action, ShipDeed)
        refusal = _refuse_piece(state, action)
        if refusal is not None:
            return refusal
        if isinstance(action, Board):
            return refuse_board(state, action.ship, action.target)
        kind = design_of(state, action.ship).kind
        turned = kind == "fort" and isinstance(action, ShiftGun)  # on wheels (PWR-129)
        if kind == "fort" and isinstance(action, Post):
            return no("PWR-123", "In a fortress figures go to other places in the Movement phase.")
        if kind == "tribe" and isinstance(action, Lower):
            return no("PWR-133", "Islanders get into their boats in the Movement phase.")
        if isinstance(action, OF_SHIPS) and kind != "ship" and not turned:
            return no("PWR-56", f"{capital(ship_name(state, action.ship))} is no ship.")
        return ORDERS[type(action)][0](state, action)

    def play(self, state: State, action: Deed) -> Step[State]:
        """Carry an order out; the dice are thrown when everything is declared (PWR-3)."""
        if isinstance(action, Done):
            return self._declared(state)
        if isinstance(action, Board):
            return board(state, action.ship, action.target)
        if isinstance(action, Swim):
            return swim(state, action.shoal, action.ship)
        return Step(ORDERS[type(action)][1](state, action))

    def _declared(self, state: State) -> Step[State]:
        volleys, lost = ranged(state, state.attacks)
        told = tuple(
            Happening(f"{capital(_fires(state, attack.ship))} in vain: {why}", rule)
            for attack, rule, why in lost
        )
        return Step(state._replace(stage=Firing(volleys), attacks=()), told)


def _fires(state: State, number: int) -> str:
    return f"{ship_name(state, number)} {verb_of(state, number, 'fires')}"


def is_stranded(state: State, number: int) -> bool:
    """Tell whether a crew can do nothing but take to the launches (PWR-107)."""
    return state.ships[number].fate == AGROUND and bool(state.ships[number].crew)


def _refuse_piece(state: State, action: ShipDeed) -> Ruling | None:
    """Refuse what is not one's own, out of the battle, or idle for the round."""
    number = action.ship
    own = 0 <= number < len(state.ships) and state.ships[number].player == action.player
    if own and is_stranded(state, number):
        if isinstance(action, Lower | Cross):
            return None
        name = ship_name(state, number)
        return no("PWR-107", f"The crew of {name} can do nothing but take to the launches.")
    refusal = refuse_ship(state, number, GiveTasks.rule)
    if refusal is not None:
        return refusal
    # A Captain who was held back may blow up a ship that is being boarded (PWR-76).
    return (_refuse_crew if isinstance(action, Scuttle) else refuse_tasks)(state, number)


def refuse_tasks(state: State, number: int) -> Ruling | None:
    """Refuse tasks on a ship where nobody can do any."""
    refusal = _refuse_crew(state, number)
    if refusal is not None or design_of(state, number).kind == "fort":
        # In a fortress only those fight who stand where the attackers are; they are busy.
        return refusal
    if is_engaged(state, number):
        name = capital(ship_name(state, number))
        return no("PWR-58", f"{name} is engaged in a boarding: no other tasks.")
    return refusal


def can_scuttle(state: State, number: int) -> bool:
    """Tell whether a ship's Captain may fire into the powder, be it boarded or not (PWR-76)."""
    if design_of(state, number).kind != "ship" or _refuse_crew(state, number) is not None:
        return False
    return orders.refuse_scuttle(state, Scuttle(state.ships[number].player, number)) is None


def _refuse_crew(state: State, number: int) -> Ruling | None:
    """Refuse orders to a crew that is not there, or does not obey."""
    ship, name = state.ships[number], capital(ship_name(state, number))
    if not ship.alive:
        return no("PWR-40", f"Nobody is aboard {ship_name(state, number)}.")
    if design_of(state, number).kind == "tribe" and not rousing.is_fighting(ship):
        return no("PWR-135", f"{name} keep still until strangers land on their island.")
    if ship.stunned:
        return no("PWR-50", f"{name} was in a ramming: no tasks in this round.")
    if ship.station == CLIMBING:
        return no("PWR-120", f"{name} climbs the wall with both hands: no tasks in this round.")
    if ship.mood != "loyal":
        return no("PWR-93", f"The crew of {ship_name(state, number)} has mutinied and only flees.")
    return None
