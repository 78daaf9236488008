"""The choices and their consequences against a slow twin written straight from the rules.

``make twin`` compares 10,000 random positions for every set of options; a test run fewer.
"""

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from companion.rules.articles_of_war.actions import Drift, Fire, Sail, YieldToStorm
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import PlacingGrudge, Spending, State
from companion.rules.game import CHANCE, ChanceRoll, Decision, GameOver
from tests.property import articles_twin as twin

GAME = ArticlesOfWar()
POSITIONS = int(os.environ.get("QUARTERDECK_TWIN", "300"))


def own_card(colour: str, timing: str, effect: str) -> dict[str, str]:
    return {"colour": colour, "name": "Own", "timing": timing, "effect": effect}


OWN_CARDS = {
    "gambits": "cards",
    "gambit_cards": [
        own_card("red", "onSpendSail", "sail one less or farther"),
        own_card("blue", "onReefRoll", "pass the reef"),
        own_card("yellow", "beforeDiceChoice", "two more dice"),
        own_card("green", "onLoss", "two doubloons for the loss"),
        own_card("gray", "onBoardingRoll", "board with two more"),
        own_card("black", "afterRoll", "table"),
    ],
}
ALL_WEATHER = {"wind": "NE", "storm": True}
ALL = {"desperation": True, "marque": True, "battles": 2, "gambits": "house", **ALL_WEATHER}

OPTION_SETS: dict[str, dict[str, object]] = {
    "base": {},
    "small, corners": {"radius": 4, "start_ring": 4},
    "large, strict": {"radius": 6, "destructive_moves": "forbidden-if-alternative"},
    "own hexes": {"start_hexes": "5,0 5,-5 0,-5 -3,-2 -5,5 1,4", "bank": 30},
    "small, strict": {"radius": 4, "destructive_moves": "forbidden-if-alternative"},
    "desperation": {"desperation": True},
    "duel": {"duel": True},
    "campaign": {"battles": 3},
    "marque": {"marque": True},
    "wind": {"wind": "W"},
    "grudge": {"grudge": True},
    "storm": {"storm": True},
    "house gambits": {"gambits": "house"},
    "own gambits": {**OWN_CARDS, "wind": "SE"},
    "wind, storm, grudge": {**ALL_WEATHER, "grudge": True},
    "everything": {**ALL, "grudge": True, "bank": 30},
    "everything, duel": {**ALL, "duel": True, "radius": 6},
}


def captains(options: dict[str, object], random: Random) -> int:
    if options.get("duel"):
        return 2
    return random.randint(3 if options.get("grudge") else 2, 6)


def positions(count: int, seed: int, options: dict[str, object]):
    """Yield states of random games in which somebody chooses or rolls a die; the set-up seldom."""
    random = Random(seed)
    while True:
        names = [f"P{n}" for n in range(captains(options, random))]
        state = GAME.setup(names, options)
        while not isinstance(pending := GAME.pending(state), GameOver):
            if isinstance(pending, Decision) or len(pending.dice) == 1:
                setting_up = pending.phase in ("place_fleet", "buy_third", "place_tile")
                if random.random() < (0.05 if setting_up else 0.7):
                    yield state, pending
                    count -= 1
                    if not count:
                        return
            player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
            state = GAME.apply(state, random.choice(GAME.legal_actions(state, player))).state


def check_consequence(state: State, action) -> None:
    """Hold what a choice leads to against the twin."""
    after = GAME.apply(state, action).state
    lying = set(twin.ships(after))
    over = len(twin.captains_left(after)) < 2
    if isinstance(action, Fire):
        left, gold = twin.slow_shot(state, action)
        assert lying == left
        assert over or after.gold[action.player] == gold
    elif isinstance(action, Drift):
        left, due = twin.slow_drift(state)
        assert lying == left
        assert twin.due_of(after) == due
    elif isinstance(action, YieldToStorm):
        assert lying == twin.slow_storm(state)
    passed_on = isinstance(action, Fire | Sail) and isinstance(state.stage, Spending)
    if passed_on and (twin.is_a_new_turn(after) or isinstance(after.stage, PlacingGrudge)):
        assert (after.turn, after.round) == twin.slow_turn(state_at_end(state, after))


def check_die(state: State, pending: ChanceRoll) -> None:
    """Hold the odds of one die and what each face brings about against the twin."""
    faces = Counter(getattr(state.options, f"{pending.dice[0]}_faces"))
    odds = {action.dice[0].face: p for action, p in GAME.chance_outcomes(state)}
    assert odds == {face: Fraction(n, faces.total()) for face, n in faces.items()}
    for action, _ in GAME.chance_outcomes(state):
        what, value = twin.slow_roll(state, pending.phase, action.dice[0].face)
        assert twin.rolled(GAME.apply(state, action).state, what) == value


def state_at_end(before: State, after: State) -> State:
    """Return the table at the end of a turn, with the fleet on turn still on turn."""
    return replace(after, turn=before.turn, round=before.round)


@pytest.mark.parametrize("name", OPTION_SETS)
def test_choices_and_consequences_agree_with_the_slow_twin(name):
    """AOW-16 to AOW-60, AOW-64, AOW-67 to AOW-87 on random positions of every set of options."""
    random = Random(3)
    for state, pending in positions(POSITIONS, seed=7, options=OPTION_SETS[name]):
        if isinstance(pending, ChanceRoll):
            check_die(state, pending)
            continue
        legal = GAME.legal_actions(state, pending.player)
        assert set(legal) == twin.slow_choices(state, pending.phase), GAME.to_json(state)
        for action in random.sample(legal, min(2, len(legal))):
            check_consequence(state, action)


def test_the_sets_of_options_meet_every_phase():
    """So that the comparison is worth something."""
    met = {
        pending.phase
        for name in ("everything", "everything, duel", "own gambits")
        for _, pending in positions(1200, 5, OPTION_SETS[name])
    }
    assert met == {*twin.CHOICES, "reef", "boarding", "wind", "drift_reef", "roll_again"}


def test_every_other_spend_is_refused():
    """AOW-26 to AOW-36: `check` and `legal_actions` agree on all conceivable spends."""
    spending = (s for s, p in positions(400, 8, {}) if p.phase == "spend")
    for state, _ in zip(spending, range(25), strict=False):
        legal = set(GAME.legal_actions(state, state.fleet.player))
        cells = sorted({ship.cell for ship in state.ships} | {(0, 0), (9, 9)})
        for kind in (Sail, Fire):
            for cell in cells:
                for die in range(1, 6):
                    for way in range(-1, 7):
                        action = kind(state.fleet.player, cell, die, way)
                        assert GAME.check(state, action).legal == (action in legal)
