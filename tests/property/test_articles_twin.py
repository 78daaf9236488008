"""The legal spends against a slow twin written straight from the rules.

The twin knows nothing of musters, courses or caches: it tries to finish the turn on paper with
every way of giving the dice to the ships, and walks every sail hex by hex.
"""

from functools import cache
from random import Random

import pytest

from companion.rules.articles_of_war.actions import Fire, Sail
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import Spending, State
from companion.rules.game import CHANCE, ChanceRoll, GameOver

GAME = ArticlesOfWar()
STEPS = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]


@cache
def can_finish(ships: tuple[str, ...], sails: int, cannons: int) -> bool:
    """Say whether every ship can be given exactly two dice, one of them a sail (AOW-27, 28).

    Each ship is the string of the dice it has had, e.g. ``"SC"``.
    """
    if all(len(had) == 2 for had in ships):
        return all("S" in had for had in ships)
    index = next(i for i, had in enumerate(ships) if len(had) < 2)
    for die, left in (("S", sails), ("C", cannons)):
        given = ships[index] + die
        if left and not (len(given) == 2 and "S" not in given):
            rest = (*ships[:index], given, *ships[index + 1 :])
            if can_finish(rest, sails - (die == "S"), cannons - (die == "C")):
                return True
    return False


def dice_had(duty: int) -> str | None:
    """Return the dice a ship has had as far as they matter; ``None`` for a prize of this turn."""
    return {-1: "", 6: "C", 7: "SS", 8: None}.get(duty, "S")


def sail_ends(state: State, cell, colour, die, way):
    """Return where a sail ends and how, hex by hex (AOW-36 to 40)."""
    terrain = dict(state.ocean.tiles)
    for _ in range(die):
        cell = (cell[0] + STEPS[way][0], cell[1] + STEPS[way][1])
        if max(abs(cell[0]), abs(cell[1]), abs(cell[0] + cell[1])) > state.options.radius:
            return cell, "off"
        if terrain.get(cell) in ("volcano", "desert"):
            return cell, "wreck"
        if any(ship.cell == cell and ship.colour != colour for ship in state.ships):
            return cell, "board"
    return cell, "sea"


def slow_spends(state: State) -> set:
    colour = state.fleet.colour
    mine = [ship for ship in state.ships if ship.colour == colour]
    found = set()
    for index, ship in enumerate(mine):
        had = dice_had(ship.duty)
        if had is None or len(had) == 2:
            continue
        for kind, values in (("S", state.sails), ("C", state.cannons)):
            given = had + kind
            if given == "CC":
                continue
            others = [dice_had(s.duty) for i, s in enumerate(mine) if i != index]
            fleet = (given, *(o for o in others if o is not None))
            if not can_finish(
                fleet, len(state.sails) - (kind == "S"), len(state.cannons) - (kind == "C")
            ):
                continue
            for value in values:
                found |= set(ways(state, ship, kind, value))
    return found


def ways(state: State, ship, kind: str, value: int):
    player = state.fleet.player
    if kind == "C":
        return [Fire(player, ship.cell, value, way) for way in range(6)]
    open_ways, wrecks = [], []
    for way in range(6):
        if 0 <= ship.duty <= 5 and STEPS[way] == tuple(-x for x in STEPS[ship.duty]):
            continue
        cell, end = sail_ends(state, ship.cell, ship.colour, value, way)
        if end == "sea" and any(s.cell == cell for s in state.ships if s != ship):
            continue
        (wrecks if end == "wreck" else open_ways).append(way)
    if state.options.destructive_moves == "allowed" or not open_ways:
        open_ways += wrecks
    return [Sail(player, ship.cell, value, way) for way in open_ways]


def slow_shot(state: State, action: Fire) -> tuple:
    """Return what a shot must leave: the ships that survive and the shooter's doubloons."""
    cell, terrain = action.ship, dict(state.ocean.tiles)
    blocked = False
    for _ in range(action.die):
        blocked = blocked or terrain.get(cell) == "volcano"
        cell = (cell[0] + STEPS[action.direction][0], cell[1] + STEPS[action.direction][1])
    hit = [
        s for s in state.ships if s.cell == cell and s.colour != state.fleet.colour and not blocked
    ]
    gold = state.gold[action.player] + sum(s.colour != "white" for s in hit)
    return {(s.cell, s.colour) for s in state.ships if s not in hit}, gold


def spending_states(count: int, seed: int, **options: object):
    """Yield states of random games in which dice are spent."""
    random = Random(seed)
    while count:
        state = GAME.setup([f"P{n}" for n in range(random.randint(2, 6))], options)
        while not isinstance(pending := GAME.pending(state), GameOver):
            if isinstance(state.stage, Spending) and random.random() < 0.4 and count:
                count -= 1
                yield state
            player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
            state = GAME.apply(state, random.choice(GAME.legal_actions(state, player))).state


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"radius": 4, "start_ring": 3},
        {"radius": 6, "destructive_moves": "forbidden-if-alternative"},
        {"radius": 4, "destructive_moves": "forbidden-if-alternative"},
    ],
    ids=str,
)
def test_legal_spends_agree_with_the_slow_twin(options):
    """AOW-26 to AOW-36, AOW-44 on 300 positions of random games per set of options."""
    for state in spending_states(300, seed=7, **options):
        legal = GAME.legal_actions(state, state.fleet.player)
        assert set(legal) == slow_spends(state), GAME.to_json(state)


def test_every_other_spend_is_refused():
    """AOW-26 to AOW-36: `check` and `legal_actions` agree on all conceivable spends."""
    for state in spending_states(25, seed=8):
        legal = set(GAME.legal_actions(state, state.fleet.player))
        cells = sorted({ship.cell for ship in state.ships} | {(0, 0), (9, 9)})
        for kind in (Sail, Fire):
            for cell in cells:
                for die in range(1, 6):
                    for way in range(-1, 7):
                        action = kind(state.fleet.player, cell, die, way)
                        assert GAME.check(state, action).legal == (action in legal)


def test_shots_agree_with_the_slow_twin():
    """AOW-45 to AOW-50."""
    for state in spending_states(150, seed=9):
        for action in GAME.legal_actions(state, state.fleet.player):
            if isinstance(action, Fire):
                after = GAME.apply(state, action).state
                ships, gold = slow_shot(state, action)
                if GAME.outcome(after) is None:
                    assert {(s.cell, s.colour) for s in after.ships} == ships
                    assert after.gold[action.player] == gold
