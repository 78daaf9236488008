"""Headings by the sails a ship carries: striking the square sail to tack (PWR-117)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.game import PlayerId, Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.actions import StrikeSail
from companion.rules.pirate_wars.built.ships import SQUARE_SAILS, ShipDesign
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.hands import idle_hands, tasked
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import ship_name
from companion.rules.words import capital

RULE = "PWR-117"
STRIKERS = 2
"""Sailors it takes to strike the sail, or to set it again."""


def can_strike(design: ShipDesign) -> bool:
    """Tell whether a ship tacks once its square sail is struck: it has one, and a gaff sail."""
    sails = [sail for mast in design.masts for sail in mast.sails]
    return sum(sail in SQUARE_SAILS for sail in sails) == 1 and "gaff" in sails


def offers(state: State, player: PlayerId, number: int) -> Iterator[Deed]:
    """Yield striking or setting the sail, where it can be done."""
    order = StrikeSail(player, number)
    if state.options.sail_types and refuse_strike(state, order) is None:
        yield order


def refuse_strike(state: State, action: Deed) -> Ruling | None:
    """Refuse ships that gain nothing by it, and too few hands."""
    assert isinstance(action, StrikeSail)
    name = capital(ship_name(state, action.ship))
    if not state.options.sail_types:
        return no(RULE, "Headings do not depend on sails at this table.")
    if not can_strike(design_of(state, action.ship)):
        return no(RULE, f"{name} has no single square sail to strike and a gaff sail to tack with.")
    if crew_size(idle_hands(state.ships[action.ship], STRIKERS)) < STRIKERS:
        return no(RULE, f"It takes {STRIKERS} sailors without another task.")
    return None


def strike_sail(state: State, action: Deed) -> State:
    """Strike the sail, or set it again; it counts in the next move."""
    assert isinstance(action, StrikeSail)
    ship = tasked(state.ships[action.ship], STRIKERS)
    return with_ship(state, action.ship, ship._replace(struck=not ship.struck))
