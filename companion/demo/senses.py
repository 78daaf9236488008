"""What virtual captains think a state is worth, beyond what anybody can read off the scoreboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import hypot
from typing import Any

from companion.rules.game import PlayerId
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.fighting.gunnery import ranged
from companion.rules.pirate_wars.pieces import NOWHERE as NOT_PLACED
from companion.rules.pirate_wars.pieces import Ship
from companion.rules.pirate_wars.sailing.seamanship import dots
from companion.rules.pirate_wars.stages import Tasking
from companion.rules.pirate_wars.state import State as Battle
from companion.rules.privateer.effects import CANNONS, SAILS
from companion.rules.privateer.sailing import costs_from
from companion.rules.privateer.state import NOWHERE, Seat, State, Trading, infamy, rank_value

Sense = Callable[[Any, PlayerId], float]
"""State and player to how well that captain stands, higher is better."""

INFAMY, SILVER, GOODS = 6.0, 0.5, 0.7
"""What a point, a silver and the best price on the table for a good are worth."""
PATIENCE = 0.8
"""What is left of a gain that is a turn farther away."""


def privateer_sense(state: State, player: PlayerId) -> float:
    """Points first, then silver for the next ones, goods for silver, and the way to a port."""
    deck, seat = state.deck, state.seats[player]
    rivals = sum(infamy(deck, s) for p, s in enumerate(state.seats) if p != player)
    worth = INFAMY * infamy(deck, seat) + SILVER * seat.silver - rivals / 2
    worth += 0.8 * sum(rank_value(deck, seat, track) for track in (SAILS, CANNONS))
    best = [max(_prices(state, good), default=0) for good in range(len(seat.cargo))]
    worth += GOODS * sum(count * price for count, price in zip(seat.cargo, best, strict=True))
    return worth + (_prospect(state, player) if seat.cell != NOWHERE else 0.0)


def _prices(state: State, good: int) -> list[int]:
    """Return what the ports pay for a good."""
    cards = (state.deck.port_card[slot] for slot in state.slots if slot)
    return [price for card in cards if (price := card.buys[good]) is not None]


def _prospect(state: State, player: PlayerId) -> float:
    """Return what the best port is worth, the less the farther it is."""
    seat, deck = state.seats[player], state.deck
    costs = costs_from(deck.sea, seat.cell, state.wind)
    moves = max(2 * rank_value(deck, seat, SAILS), 2)
    is_dealing = isinstance(state.stage, Trading) and player == state.turn
    gains = [0.0]
    for number, port in enumerate(deck.ports):
        if not state.slots[number] or port.cell not in costs:
            continue
        if number == seat.last:
            gains += [_gain(state, seat, number)] if is_dealing else []
            continue
        gains.append(_gain(state, seat, number) * PATIENCE ** (1 + costs[port.cell] / moves))
    return max(gains)


def _gain(state: State, seat: Seat, number: int) -> float:
    """Return what a visit may bring: sales, an upgrade, a bargain."""
    card = state.deck.port_card[state.slots[number]]
    sold = sum(n * (price or 0) for n, price in zip(seat.cargo, card.buys, strict=True))
    tracks = zip(state.deck.tracks, seat.ranks, strict=True)
    steps = [track.prices[rank] for track, rank in tracks if rank < len(track.prices)]
    upgrade = INFAMY / 2 if steps and min(steps) <= seat.silver + sold else 0.0
    return 2.0 + sold * (1 - GOODS) + upgrade


HULL, SAIL, FIGURE, LOAD = 3.0, 1.0, 0.3, 0.5
"""What a hull factor, a sail factor, a figure and half a cannon's load are worth."""
SHOT, WASTED, BURST, LASHED, GO_ON = 4.0, -2.0, -3.0, 2.0, 1.2
"""What a shot that can hit, one that cannot, one that bursts the cannon, a boarding and no further
task are worth."""
NEARER = 0.05
"""What a dot nearer to an enemy is worth."""


def pirate_wars_sense(state: Battle, player: PlayerId) -> float:
    """Sink them, keep the own crew, load and fire whatever bears, and do not dawdle."""
    worth = 0.0
    for number, ship in enumerate(state.ships):
        value = HULL * ship.hf + SAIL * ship.sf + FIGURE * crew_size(ship.crew)
        value *= ship.alive and number not in state.scuttles
        worth += value if ship.player == player else -value
        if ship.player == player:
            worth += LOAD * sum(gun.load for gun in ship.guns) + NEARER * _closing(state, ship)
    volleys, lost = ranged(state, state.attacks)
    burst = sum(volley.near for volley in volleys)
    worth += SHOT * (len(volleys) - burst) + BURST * burst
    worth += WASTED * len(lost) + LASHED * len(state.engaged)
    still_asked = isinstance(state.stage, Tasking) and state.player == player
    return worth + (0.0 if still_asked else GO_ON)


def _closing(state: Battle, ship: Ship) -> float:
    """Return how near the nearest enemy is, in dots below nought."""
    enemies = [s for s in state.ships if s.player != ship.player and s.pose != NOT_PLACED]
    if not enemies or ship.pose == NOT_PLACED:
        return 0.0
    apart = (hypot(ship.pose.x_mm - s.pose.x_mm, ship.pose.y_mm - s.pose.y_mm) for s in enemies)
    return -dots(min(apart))


SENSES: Mapping[str, Sense] = {
    "privateer": privateer_sense,
    "pirate-wars": pirate_wars_sense,
}
"""By game; captains of other games go by the scoreboard alone."""
