"""What a ship docked at an enemy's island does to it: blockades and raids (CSG-81, CSG-84)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.game import Happening, PlayerId, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import amount, space
from companion.rules.pirates_csg.doing import Doing, docked_at, own_ship, own_ships
from companion.rules.pirates_csg.fates import is_at_home
from companion.rules.pirates_csg.harbour_actions import DeclareBlockade, DiscardStock, RaidGold
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.state import (
    EXPLORE,
    NO_TOKENS,
    RAIDING,
    TRADING,
    State,
    did,
    island_of,
    paid,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import island_name, ship_name, who


class Blockade(Doing[DeclareBlockade]):
    """Declare hostilities in an enemy's trading port (CSG-81)."""

    takes = DeclareBlockade

    def candidates(self, state: State) -> Iterator[DeclareBlockade]:
        """Every ship in harbour."""
        return (DeclareBlockade(state.player, s.tag) for s in own_ships(state) if s.docked)

    def refuse(self, state: State, action: DeclareBlockade) -> Ruling | None:
        """Refuse other places: only trading ports can be blockaded (CSG-70)."""
        berth = docked_at(state, action.ship, "CSG-81")
        if isinstance(berth, Ruling):
            return berth
        ship, port = berth
        if port.building != TRADING or port.owner == ship.owner:
            return no("CSG-70", "Only an enemy's trading port can be blockaded.")
        if ship.is_derelict:
            return no("CSG-19", f"{ship_name(state, ship)} is a derelict: she blockades nobody.")
        if ship.blockade:
            return no("CSG-81", f"{ship_name(state, ship)} blockades it already.")
        return None

    def play(self, state: State, action: DeclareBlockade) -> Step[State]:
        """Close the port."""
        ship = ship_of(state, action.ship)
        text = f"{ship_name(state, ship)} blockades the trading port on "
        text += island_name(state, island_of(state, ship.docked))
        state = with_ship(state, replace(ship, blockade=ship.docked))
        return Step(state, (Happening(text, "CSG-81"),))


class Discard(Doing[DiscardStock]):
    """A blockader throws the stock of the port out of the game, as an explore action (CSG-81)."""

    takes = DiscardStock

    def candidates(self, state: State) -> Iterator[DiscardStock]:
        """Every blockader."""
        return (DiscardStock(state.player, s.tag) for s in own_ships(state) if s.blockade)

    def refuse(self, state: State, action: DiscardStock) -> Ruling | None:
        """Refuse who blockades nothing, and what is empty."""
        ship = own_ship(state, action.ship, "CSG-81")
        if isinstance(ship, Ruling):
            return ship
        if not ship.blockade:
            return no("CSG-81", f"{ship_name(state, ship)} blockades no port.")
        if not any(island_of(state, ship.blockade).stock):
            return no("CSG-81", "There is no stock in this port.")
        return refuse_action(state, ship, EXPLORE)

    def play(self, state: State, action: DiscardStock) -> Step[State]:
        """Remove it."""
        ship = did(ship_of(state, action.ship), EXPLORE)
        port = island_of(state, ship.blockade)
        text = f"{ship_name(state, ship)} destroys the stock on {island_name(state, port)}"
        state = with_island(with_ship(state, ship), replace(port, stock=NO_TOKENS))
        return Step(state, (Happening(text, "CSG-81"),))


class Raid(Doing[RaidGold]):
    """A raider takes gold from an enemy's home on the turn she arrives (CSG-84)."""

    takes = RaidGold

    def candidates(self, state: State) -> Iterator[RaidGold]:
        """Every ship at an enemy's home."""
        return (RaidGold(state.player, s.tag) for s in own_ships(state) if s.leave == RAIDING)

    def refuse(self, state: State, action: RaidGold) -> Ruling | None:
        """Refuse ships elsewhere, a second helping, and an empty purse."""
        berth = docked_at(state, action.ship, "CSG-84")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        name = ship_name(state, ship)
        if is_at_home(state, ship) or island.home < 0 or not amount(state, ship, "raider"):
            return no("CSG-84", f"{name} is no raider at an enemy's home island.")
        if ship.is_derelict:
            return no("CSG-84", f"{name} is a derelict; she raids nobody.")
        if ship.leave != RAIDING or "raid" in ship.done:
            return no("CSG-84", f"{name} raids once, on the turn she arrives.")
        if state.seats[island.home].gold < 1:
            return no("CSG-84", f"{who(state, island.home)} has no gold.")
        if space(state, ship) < 1:
            return no("CSG-35", f"{name} has no space free.")
        return None

    def play(self, state: State, action: RaidGold) -> Step[State]:
        """Take it aboard as one coin."""
        ship = did(ship_of(state, action.ship), "raid")
        victim = island_of(state, ship.docked).home
        gold = min(amount(state, ship, "raider"), state.seats[victim].gold)
        ship = replace(ship, coins=tuple(sorted((*ship.coins, gold))))
        text = f"{ship_name(state, ship)} takes {gold} gold from {who(state, victim)}"
        state = with_ship(paid(state, victim, -gold), ship)
        return Step(state, (Happening(text, "CSG-84", ((PlayerId(victim), -gold),)),))
