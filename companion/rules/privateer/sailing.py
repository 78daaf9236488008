"""Sailing with, across and against the wind, and what the square brings (PRV-23 to PRV-39)."""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from functools import lru_cache

from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Cell
from companion.rules.phases import Choice, TurnChoice, no, stage_of
from companion.rules.privateer.actions import MERCHANT, Attack, Sail, sails_of
from companion.rules.privateer.deck import Sea
from companion.rules.privateer.state import (
    ChoosingFoe,
    Fighting,
    Sailing,
    State,
    Trading,
    with_seat,
)
from companion.rules.privateer.turns import Told, end_turn
from companion.rules.privateer.words import WIND_NAMES, ask, moves_text, place, who
from companion.rules.words import counted, listed

DOWN, CROSS, UP = 1, 2, 4
"""Half-points for a step with the wind, across it, against it (PRV-31)."""
COSTS = {
    "none": (CROSS, CROSS, CROSS, CROSS),
    "N": (DOWN, CROSS, UP, CROSS),
    "E": (CROSS, DOWN, CROSS, UP),
    "S": (UP, CROSS, DOWN, CROSS),
    "W": (CROSS, UP, CROSS, DOWN),
}
"""Cost of a step N, E, S and W in each wind."""
MOST_KNOWN = 1024
"""Squares and winds whose costs are kept, for one sea."""
MOST_REACHES = 8192
"""Squares, winds and moves whose reaches are kept, for one sea."""


def costs_from(sea: Sea, start: Cell, wind: str) -> Mapping[Cell, int]:
    """Return what it costs at least to sail to each square, in half-points, squares sorted.

    The order of legs is free, and only land is in the way (PRV-34): a cheapest path is as good as
    any other. Squares that no ship can get to are left out.
    """
    key = start, wind
    found = sea.known_costs.get(key)
    if found is None:
        if len(sea.known_costs) >= MOST_KNOWN:
            sea.known_costs.clear()
        found = sea.known_costs[key] = dict(sorted(_search(sea, start, COSTS[wind]).items()))
    return found


def _search(sea: Sea, start: Cell, costs: tuple[int, ...]) -> dict[Cell, int]:
    best, around = {start: 0}, sea.around
    heap = [(0, start)]
    while heap:
        cost, cell = heapq.heappop(heap)
        if cost > best[cell]:
            continue  # a cheaper way was found meanwhile
        for neighbour, price in zip(around[cell], costs, strict=True):
            total = cost + price
            if neighbour is not None and total < best.get(neighbour, total + 1):
                best[neighbour] = total
                heapq.heappush(heap, (total, neighbour))
    return best


def reach(sea: Sea, start: Cell, wind: str, moves: int) -> tuple[Cell, ...]:
    """Return the squares a ship can end on with so many moves, sorted (PRV-33)."""
    key = start, wind, moves
    found = sea.known_reaches.get(key)
    if found is None:
        if len(sea.known_reaches) >= MOST_REACHES:
            sea.known_reaches.clear()
        costs = costs_from(sea, start, wind)
        within = tuple([cell for cell, cost in costs.items() if cost <= 2 * moves])
        found = sea.known_reaches[key] = within
    return found


@lru_cache(maxsize=1024)
def _sail_text(colour: str, moves: int, wind: str) -> str:
    up_to = counted(moves, "move", "moves")
    return f"{colour.capitalize()}: sail up to {up_to}; {WIND_NAMES[wind]}"


@lru_cache(maxsize=MOST_REACHES)
def _sails(sea: Sea, start: Cell, wind: str, moves: int, player: PlayerId) -> tuple[Sail, ...]:
    sails = sails_of(player, sea)
    return tuple([sails[cell] for cell in reach(sea, start, wind, moves)])


class SailShip(TurnChoice[State, Sail]):
    """Sail as far as the moves go, or stay (PRV-23)."""

    name, rule, takes = "sail", "PRV-23", (Sail,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        seat = state.seat
        text = _sail_text(seat.colour, stage_of(state, Sailing).moves, state.wind)
        return Decision(state.player, self.name, text, passing=Sail(state.player, seat.cell))

    def actions(self, state: State) -> tuple[Sail, ...]:
        """Every square in reach."""
        moves, seat = stage_of(state, Sailing).moves, state.seat
        return _sails(state.deck.sea, seat.cell, state.wind, moves, state.player)

    def refuse(self, state: State, action: Sail) -> Ruling | None:
        """Refuse land, what lies off the board and what is too far."""
        costs = costs_from(state.deck.sea, state.seat.cell, state.wind)
        cost, moves = costs.get(action.cell), stage_of(state, Sailing).moves
        if cost is not None and cost <= 2 * moves:
            return None
        name = place(action.cell)
        if action.cell not in state.deck.sea.cells:
            return no("PRV-29", f"{name} is land or off the board; ships sail on the sea.")
        if cost is None:
            return no("PRV-29", f"No ship can get to {name}: land lies all around it.")
        wind = WIND_NAMES[state.wind]
        reason = f"It takes {moves_text(cost)} to {name} with {wind}; you have {moves}."
        return no("PRV-30" if state.wind == "none" else "PRV-31", reason)

    def play(self, state: State, action: Sail) -> Step[State]:
        """Move the ship; then battle, port or the end of the turn."""
        seat = state.seat
        moved = action.cell != seat.cell
        if moved:
            state = with_seat(state, state.turn, seat._replace(cell=action.cell))
        port = state.deck.port_at.get(action.cell)
        if port is not None:
            return _enter(state, port)
        if not moved and state.options.battle_needs_move:
            return end_turn(state, _peace(state))
        return _meet(state)


def _enter(state: State, port: int) -> Step[State]:
    """Trade in a new port; the last one is closed to its captain (PRV-25, PRV-58)."""
    seat = state.seat
    if port == seat.last:
        title = state.deck.ports[port].title
        text = f"{who(state, state.turn)} visited {title} last: no deals before another port"
        return end_turn(state, (Happening(text, "PRV-58"),))
    state = with_seat(state, state.turn, seat._replace(last=port))
    text = f"{who(state, state.turn)} enters {state.deck.ports[port].title}"
    return Step(state._replace(stage=Trading()), (Happening(text, "PRV-25"),))


def foes_here(state: State) -> list[PlayerId]:
    """Return whom the captain on turn may fight where the ship lies, sorted (PRV-38)."""
    cell, seats = state.seat.cell, state.seats
    foes = [foe for foe in state.rivals if seats[foe].cell == cell]
    if cell in state.deck.sea.merchant_cells:
        foes.append(MERCHANT)
    return sorted(foes)


def _peace(state: State) -> Told:
    """Say why nobody fights here, where somebody could."""
    if not foes_here(state):
        return ()
    return (Happening(f"{who(state, state.turn)} stays and keeps the peace", "PRV-39"),)


def _meet(state: State) -> Step[State]:
    """Fight whoever is here (PRV-24)."""
    foes = foes_here(state)
    if not foes:
        return end_turn(state)
    if len(foes) > 1:
        return Step(state._replace(stage=ChoosingFoe()))
    return fight(state, foes[0])


def fight(state: State, foe: int) -> Step[State]:
    """Begin a battle."""
    text = f"{who(state, state.turn)} fights {who(state, foe)}"
    return Step(state._replace(stage=Fighting(foe)), (Happening(text, "PRV-24"),))


class ChooseFoe(Choice[State, Attack]):
    """Several foes on one square: the moving captain picks one (PRV-38)."""

    name, rule, takes = "choose_foe", "PRV-38", (Attack,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        foes = listed((who(state, foe) for foe in foes_here(state)), "or")
        return ask(state.player, self.name, who(state, state.turn), f"fight {foes}")

    def actions(self, state: State) -> tuple[Attack, ...]:
        """Everybody here."""
        return tuple(Attack(state.player, foe) for foe in foes_here(state))

    def refuse(self, state: State, action: Attack) -> Ruling | None:
        """Refuse whoever is not here."""
        foes = foes_here(state)
        if action.foe in foes:
            return None
        names = listed((who(state, foe) for foe in foes), "or")
        return no(self.rule, f"Fight {names}: nobody else is on your square.")

    def play(self, state: State, action: Attack) -> Step[State]:
        """Begin the battle."""
        return fight(state, action.foe)
