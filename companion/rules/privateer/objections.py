"""Which rule stands against a table that no legal line of play explains.

Only ships are looked at; a guess that is wrong makes a less helpful sentence, nothing is applied.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.deeds import Deed
from companion.rules.game import LEGAL, PlayerId, Ruling
from companion.rules.layout import Cell, Layout
from companion.rules.phases import no
from companion.rules.privateer.actions import ChooseColour, Sail
from companion.rules.privateer.state import (
    NOWHERE,
    Asking,
    ChoosingColours,
    Fleeing,
    Sailing,
    State,
)
from companion.rules.privateer.words import place, who

Check = Callable[[State, Deed], Ruling]
"""`Privateer.check`."""


def objection(state: State, seen: Layout, check: Check, asked: Ruling) -> Ruling:
    """Return the refusal of the nearest illegal action, or `LEGAL`.

    `asked` is what to answer while nothing was done: what is to be done, and its rule.
    """
    lying = _ships(seen)
    moved = [
        (player, cell)
        for player, seat in enumerate(state.seats)
        if seat.colour and (cell := lying.get(seat.colour)) is not None and cell != seat.cell
    ]
    if isinstance(state.stage, ChoosingColours):
        return _placed(state, lying, check, asked)
    if not moved:
        return asked
    for player, cell in moved:
        if player == _under_way(state):
            return asked
        if player != state.turn or not isinstance(state.stage, Sailing):
            return _astray(state, player, cell)
    return check(state, Sail(state.player, moved[0][1])) if len(moved) == 1 else LEGAL


def _ships(seen: Layout) -> dict[str, Cell]:
    return {colour: cell for cell, held in seen.cells.items() for colour in held.ships}


def _under_way(state: State) -> int | None:
    """Return whose ship may move once what is asked for is told: the card, or the colour die."""
    if isinstance(state.stage, Fleeing):
        return state.stage.loser
    return state.turn if isinstance(state.stage, Asking) else None


def _astray(state: State, player: int, cell: Cell) -> Ruling:
    """Refuse a ship that was moved though it is not its captain's time to sail."""
    home, name = place(state.seats[player].cell), who(state, player)
    port = state.deck.port_at.get(state.seats[player].cell)
    where = state.deck.ports[port].title if port is not None else home
    if isinstance(state.stage, Sailing):
        mine = who(state, state.turn)
        return no("PRV-23", f"{mine} sails now; {name}'s ship stays at {where}.")
    return no("PRV-23", f"{name}'s ship belongs at {where} now, not at {place(cell)}.")


def _placed(state: State, lying: dict[str, Cell], check: Check, asked: Ruling) -> Ruling:
    """Refuse a ship put down elsewhere than on the port of its colour, or a second one."""
    known = {seat.colour: seat.cell for seat in state.seats if seat.cell != NOWHERE}
    for colour, cell in known.items():
        if colour in lying and lying[colour] != cell:
            return no("PRV-13", f"The {colour} ship starts on its own port at {place(cell)}.")
    new = sorted(set(lying) - set(known))
    if not new:
        return asked
    if len(new) > 1:
        return no("PRV-13", "Each captain sails one ship: put down one at a time.")
    number = state.deck.port_of_colour.get(new[0])
    if number is None:
        return no("PRV-2", f"There is no {new[0]} ship in this game.")
    port = state.deck.ports[number]
    if lying[new[0]] != port.cell:
        return no("PRV-13", f"The {new[0]} ship starts in {port.title}, {place(port.cell)}.")
    player = [bool(seat.colour) for seat in state.seats].index(False)
    return check(state, ChooseColour(PlayerId(player), new[0]))
