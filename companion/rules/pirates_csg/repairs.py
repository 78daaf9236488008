"""Repairs, scuttling and tows (CSG-24 to CSG-26, CSG-55)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.game import Happening, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import has
from companion.rules.pirates_csg.actions import CastOff, Repair, Scuttle, Tow
from companion.rules.pirates_csg.deck import NOBODY, RESOURCES
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.fates import is_at_home, sunk
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.sea import hull, if_nearly, ships_touch
from companion.rules.pirates_csg.state import (
    MILITARY,
    REPAIR,
    Ship,
    State,
    card_of,
    did,
    find_island,
    find_ship,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import Told, name_of, ship_name
from companion.rules.tuples import shifted

LUMBER, TEXTILES = RESOURCES.index("lumber"), RESOURCES.index("textiles")


def repairs_free(state: State, ship: Ship) -> bool:
    """Say whether a ship repairs here without tokens (CSG-26, CSG-71, CSG-5)."""
    if has(state, ship, "shipwright") or (ship.docked and is_at_home(state, ship)):
        return True
    island = find_island(state, ship.docked)
    return bool(island and island.building == MILITARY and island.owner == ship.owner)


def repairs_with_tokens(state: State, ship: Ship) -> bool:
    """Say whether a ship repairs with lumber and textiles at a wild island (CSG-55)."""
    island = find_island(state, ship.docked)
    wild = island is not None and island.home == NOBODY
    return wild and ship.tokens[LUMBER] > 0 and ship.tokens[TEXTILES] > 0


class RepairShip(Doing[Repair]):
    """Replace one mast (CSG-26)."""

    takes = Repair

    def candidates(self, state: State) -> Iterator[Repair]:
        """Every lost mast."""
        for ship in own_ships(state):
            lost = sorted({*range(card_of(state, ship).masts)} - {*ship.masts})
            yield from (Repair(state.player, ship.tag, mast) for mast in lost)

    def refuse(self, state: State, action: Repair) -> Ruling | None:
        """Refuse whole ships, and places without help."""
        ship = own_ship(state, action.ship, "CSG-26")
        if isinstance(ship, Ruling):
            return ship
        name = ship_name(state, ship)
        if action.mast in ship.masts or not 0 <= action.mast < card_of(state, ship).masts:
            return no("CSG-26", f"{name} has not lost mast {action.mast + 1}.")
        if ship.lost_in:
            return no("CSG-27", f"{name} is lost in the fog.")
        if not repairs_free(state, ship) and not repairs_with_tokens(state, ship):
            reason = "repairs at home, in a military port, or with a shipwright"
            reason += "; at a wild island with 1 lumber and 1 textiles"
            return no("CSG-55" if ship.docked else "CSG-26", f"{name} {reason}.")
        return refuse_action(state, ship, REPAIR)

    def play(self, state: State, action: Repair) -> Step[State]:
        """Set the mast up; tokens are used where nothing else helps."""
        ship = did(ship_of(state, action.ship), REPAIR)
        rule = "CSG-26"
        text = f"{ship_name(state, ship)} replaces a mast"
        if not repairs_free(state, ship):
            tokens = shifted(shifted(ship.tokens, LUMBER, -1), TEXTILES, -1)
            ship, rule = replace(ship, tokens=tokens), "CSG-55"
            text += " with 1 lumber and 1 textiles"
        ship = replace(ship, masts=tuple(sorted((*ship.masts, action.mast))))
        state = with_ship(state, ship)
        told: Told = (Happening(text, rule),)
        for other in state.ships:
            if other.towing == ship.tag:
                state = with_ship(state, replace(other, towing=0))
                ended = f"{ship_name(state, ship)} is in tow no more: she has a mast again"
                told = (*told, Happening(ended, "CSG-25"))
        return Step(state, told)


class ScuttleShip(Doing[Scuttle]):
    """Remove an own derelict as her action (CSG-24)."""

    takes = Scuttle

    def candidates(self, state: State) -> Iterator[Scuttle]:
        """Every derelict."""
        return (Scuttle(state.player, s.tag) for s in own_ships(state) if s.is_derelict)

    def refuse(self, state: State, action: Scuttle) -> Ruling | None:
        """Refuse ships that have masts."""
        ship = own_ship(state, action.ship, "CSG-24")
        if isinstance(ship, Ruling):
            return ship
        if not ship.is_derelict:
            return no("CSG-24", f"{ship_name(state, ship)} has masts; derelicts are scuttled.")
        if ship.lost_in:
            return no("CSG-27", f"{ship_name(state, ship)} is lost in the fog.")
        return refuse_action(state, ship, REPAIR)

    def play(self, state: State, action: Scuttle) -> Step[State]:
        """Remove her."""
        ship = ship_of(state, action.ship)
        text = f"{ship_name(state, ship)} is scuttled"
        return Step(sunk(state, ship), (Happening(text, "CSG-24"),))


class TowShip(Doing[Tow]):
    """Take a derelict in tow that the ship touches (CSG-25)."""

    takes = Tow

    def candidates(self, state: State) -> Iterator[Tow]:
        """Every derelict for every ship that tows nobody."""
        wrecks = [s for s in state.ships if s.is_derelict]
        for ship in own_ships(state):
            if not ship.towing:
                yield from (Tow(state.player, ship.tag, s.tag) for s in wrecks)

    def refuse(self, state: State, action: Tow) -> Ruling | None:
        """Refuse ships with masts, other ships' tows, and what is not touched."""
        ship = own_ship(state, action.ship, "CSG-25")
        if isinstance(ship, Ruling):
            return ship
        wreck = find_ship(state, action.target)
        name = ship_name(state, ship)
        if ship.is_derelict:
            return no("CSG-19", f"{name} cannot tow: she is a derelict.")
        if ship.towing:
            return no("CSG-25", f"{name} tows {name_of(state, ship.towing)} already.")
        if wreck is None or not wreck.is_derelict:
            return no("CSG-25", "Only a derelict can be towed.")
        if any(other.towing == wreck.tag for other in state.ships):
            return no("CSG-25", f"{ship_name(state, wreck)} is in tow already.")
        if not ships_touch(state, ship, wreck):
            close = if_nearly(state, hull(state, ship), hull(state, wreck))
            return no("CSG-25", f"{name} does not touch {ship_name(state, wreck)}{close}.")
        return None

    def play(self, state: State, action: Tow) -> Step[State]:
        """Make fast."""
        ship = ship_of(state, action.ship)
        text = f"{ship_name(state, ship)} takes {name_of(state, action.target)} in tow"
        state = with_ship(state, replace(ship, towing=action.target))
        return Step(state, (Happening(text, "CSG-25"),))


class CastOffTow(Doing[CastOff]):
    """Let the tow go (CSG-25)."""

    takes = CastOff

    def candidates(self, state: State) -> Iterator[CastOff]:
        """Every ship that tows."""
        return (CastOff(state.player, s.tag) for s in own_ships(state) if s.towing)

    def refuse(self, state: State, action: CastOff) -> Ruling | None:
        """Refuse ships that tow nobody."""
        ship = own_ship(state, action.ship, "CSG-25")
        if isinstance(ship, Ruling):
            return ship
        return None if ship.towing else no("CSG-25", f"{ship_name(state, ship)} tows nobody.")

    def play(self, state: State, action: CastOff) -> Step[State]:
        """Let her go."""
        ship = ship_of(state, action.ship)
        text = f"{ship_name(state, ship)} casts {name_of(state, ship.towing)} off"
        return Step(with_ship(state, replace(ship, towing=0)), (Happening(text, "CSG-25"),))
