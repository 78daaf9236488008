"""The legal choices against a slow twin written straight from the rules.

The twin knows nothing of phases, queues of jobs or caches. It weighs every conceivable choice by
itself, with fractions of moves instead of half-points. ``QUARTERDECK_TWIN`` in the environment sets
the number of positions; 10,000 are compared before a release.
"""

import os
from fractions import Fraction
from functools import cache
from random import Random

from companion.rules.game import CHANCE, Decision
from companion.rules.privateer.actions import (
    MERCHANT,
    Accept,
    Anchor,
    Attack,
    Buy,
    ChooseColour,
    Decline,
    Discard,
    Gain,
    KeepCaptain,
    Leave,
    Offer,
    Plunder,
    Rob,
    Sail,
    Sell,
    SetWind,
    Take,
    TakeRelic,
    Upgrade,
)
from companion.rules.privateer.state import Outfitting, Plundering, Sailing, State
from tests.playing import asked_player
from tests.unit.rules.privateer.voyage import GAME, HOUSE, lively

POSITIONS = int(os.environ.get("QUARTERDECK_TWIN", "700"))
GOODS = ["rum", "paprika", "cinnamon", "tobacco", "sugar", "fruit"]
COLOURS = ["red", "blue", "yellow", "green", "gray", "black"]
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
AGAINST = {"N": "S", "S": "N", "E": "W", "W": "E"}
LAND = {tuple(cell) for cell in HOUSE["sea"]["land"]}
PORTS = {tuple(port["cell"]): port for port in HOUSE["port"]}
CARDS = {card["id"]: card for card in HOUSE["port_card"]}
RELICS = {card["id"]: card for card in HOUSE["bounty"]}


@cache
def moves_to(start, wind):
    """Return the least moves to every square: sweep over the sea until nothing improves."""
    sea = [(c, r) for c in range(16) for r in range(12) if (c, r) not in LAND]
    best = {start: Fraction(0)}
    improved = True
    while improved:
        improved = False
        for cell in sea:
            if cell not in best:
                continue
            for way, (dx, dy) in STEPS.items():
                there = cell[0] + dx, cell[1] + dy
                price = Fraction(1)
                if wind == way:
                    price = Fraction(1, 2)
                elif wind == AGAINST[way]:
                    price = Fraction(2)
                total = best[cell] + price
                if there in sea and (there not in best or total < best[there]):
                    best[there] = total
                    improved = True
    return best


def value(seat, name):
    """Return what a rank and the relics are worth."""
    index = ["sails", "crew", "cannons", "hold"].index(name)
    printed = HOUSE["ship"][name]["values"][seat.ranks[index]]
    return printed + sum(RELICS[r].get("bonus", {}).get(name, 0) for r in seat.relics)


def space(seat):
    return value(seat, "hold") - sum(seat.cargo)


def has(seat, good):
    return seat.cargo[GOODS.index(good)]


def others(state, player):
    return [p for p in range(len(state.seats)) if p != player]


def twin(state: State, pending: Decision) -> set:
    """Return what the rules allow."""
    return TWINS[pending.phase](state, pending.player, state.seats[pending.player])


def keep_captain(state, player, seat):
    kept = [s.captain for s in state.seats]
    return {KeepCaptain(player, c["id"]) for c in HOUSE["captain"] if c["id"] not in kept}


def choose_colour(state, player, seat):
    taken = [s.colour for s in state.seats]
    return {ChooseColour(player, colour) for colour in COLOURS if colour not in taken}


def sail(state, player, seat):
    moves = state.stage.moves
    return {Sail(player, c) for c, cost in moves_to(seat.cell, state.wind).items() if cost <= moves}


def choose_foe(state, player, seat):
    foes = {Attack(player, p) for p in others(state, player) if state.seats[p].cell == seat.cell}
    at_merchant = list(seat.cell) in HOUSE["sea"]["merchants"]
    return foes | ({Attack(player, MERCHANT)} if at_merchant else set())


def plunder(state, player, seat):
    stage = state.stage
    assert isinstance(stage, Plundering)
    loser = state.seats[stage.loser]
    takes = {Take(player, stage.loser, good) for good in GOODS if has(loser, good)}
    return takes if stage.begun else takes | {Decline(player)}


def trade(state, player, seat):
    port = PORTS[seat.cell]
    slot = state.slots[[p["id"] for p in HOUSE["port"]].index(port["id"])]
    card, found = CARDS[slot], {Leave(player)}
    for good in GOODS:
        for count in range(1, 13):
            price = card["sells"].get(good)
            in_bank = state.bank[GOODS.index(good)]
            if price and price * count <= seat.silver and count <= min(space(seat), in_bank):
                found.add(Buy(player, good, count))
            if good in card["buys"] and count <= has(seat, good):
                found.add(Sell(player, good, count))
    for index, name in enumerate(["sails", "crew", "cannons", "hold"]):
        prices = HOUSE["ship"][name]["prices"][seat.ranks[index] :]
        if prices and prices[0] <= seat.silver:
            found.add(Upgrade(player, name))
    if isinstance(state.stage, Outfitting):
        found = {action for action in found if not isinstance(action, Sell)}
    return found


def steal_relic(state, player, seat):
    return {TakeRelic(player, p, r) for p in others(state, player) for r in state.seats[p].relics}


def steal_cargo(state, player, seat):
    foes = others(state, player) if space(seat) > 0 else []
    return {Take(player, p, good) for p in foes for good in GOODS if has(state.seats[p], good)}


def offer(state, player, seat):
    found = {Decline(player)}
    for foe in others(state, player):
        for give in GOODS:
            for get in GOODS:
                if give != get and has(seat, give) and has(state.seats[foe], get):
                    found.add(Offer(player, foe, give, get))
    return found


TWINS = {
    "keep_captain": keep_captain,
    "choose_colour": choose_colour,
    "outfit": trade,
    "trade": trade,
    "sail": sail,
    "choose_foe": choose_foe,
    "plunder_merchant": lambda state, player, seat: {Plunder(player), Decline(player)},
    "plunder": plunder,
    "set_wind": lambda state, player, seat: {
        SetWind(player, wind) for wind in ("none", "N", "E", "S", "W")
    },
    "gain": lambda state, player, seat: {
        Gain(player, good) for good in GOODS if state.bank[GOODS.index(good)] and space(seat) > 0
    },
    "discard": lambda state, player, seat: {
        Discard(player, good) for good in GOODS if has(seat, good)
    },
    "steal_relic": steal_relic,
    "steal_cargo": steal_cargo,
    "steal_silver": lambda state, player, seat: {Rob(player, p) for p in others(state, player)},
    "offer": offer,
    "answer": lambda state, player, seat: {Accept(player), Decline(player)},
    "choose_port": lambda state, player, seat: {Anchor(player, p["id"]) for p in HOUSE["port"]},
}


def infamy(seat):
    """Return a captain's Infamy, straight from the board (PRV-55, PRV-67)."""
    points = 0
    for rank in seat.ranks:
        points += rank if rank < 5 else 7
    return points + sum(RELICS[relic].get("infamy", 0) for relic in seat.relics)


def decisions(count: int, seed: int):
    """Yield positions of random games in which somebody chooses; sailing ones less often."""
    random = Random(seed)
    while count:
        state = GAME.setup([f"P{n}" for n in range(random.randint(2, 6))], {})
        while (asked := asked_player(GAME, state)) is not None and count:
            share = 0.1 if isinstance(state.stage, Sailing) else 0.5
            if asked != CHANCE and random.random() < share:
                count -= 1
                yield state
            state = GAME.apply(state, lively(random, state, GAME.legal_actions(state, asked))).state


def test_legal_choices_agree_with_the_slow_twin():
    """PRV-10 to PRV-63: every decision there is."""
    met = set()
    for state in decisions(POSITIONS, seed=7):
        pending = GAME.pending(state)
        met.add(pending.phase)
        legal = GAME.legal_actions(state, pending.player)
        assert set(legal) == twin(state, pending), GAME.to_json(state)
        scores = [seat.scores["infamy"] for seat in GAME.view(state, None).seats]
        assert scores == [infamy(seat) for seat in state.seats]
    assert met == set(TWINS)


def test_every_other_choice_is_refused():
    """PRV-10 to PRV-63: `check` and `legal_actions` agree on choices of all kinds."""
    pool: dict[type, set] = {}
    random = Random(9)
    for state in decisions(POSITIONS // 4, seed=8):
        player = GAME.pending(state).player
        legal = set(GAME.legal_actions(state, player))
        for action in legal:
            known = pool.setdefault(type(action), set())
            if len(known) < 300:
                known.add(action)
        for known in pool.values():
            for action in random.sample(sorted(known), min(6, len(known))):
                assert GAME.check(state, action).legal == (action in legal), action
