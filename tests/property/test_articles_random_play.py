"""Random games of Articles of War and what must hold at every step of them."""

import contextlib
import json
from collections import Counter
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import MalformedAction
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import State
from companion.rules.game import CHANCE, ChanceRoll, GameOver, PlayerId
from companion.rules.record import replay, write_record

GAME = ArticlesOfWar()
LONGEST = 1000
"""Steps in which a random game ends: 233 at most in 1,500 games of six on the largest ocean."""

OPTIONS = st.fixed_dictionaries(
    {
        "radius": st.sampled_from([4, 5, 6]),
        "start_ring": st.sampled_from([None, 2, 3, 4]),
        "destructive_moves": st.sampled_from(["allowed", "forbidden-if-alternative"]),
        "tie_break": st.sampled_from(["shared", "last-afloat"]),
    }
)


def asked_player(state: State) -> PlayerId | None:
    """Return who chooses or rolls now; ``None`` when the game is over."""
    pending = GAME.pending(state)
    if isinstance(pending, GameOver):
        return None
    return CHANCE if isinstance(pending, ChanceRoll) else pending.player


def check_offers(state: State, asked: PlayerId | None) -> None:
    for player in (CHANCE, *range(len(state.names))):
        actions = GAME.legal_actions(state, PlayerId(player))
        assert bool(actions) == (player == asked)
        assert list(actions) == sorted(actions)
        assert len(set(actions)) == len(actions)
    if asked is None:
        return
    actions = GAME.legal_actions(state, asked)
    texts = [GAME.describe(state, action) for action in actions]
    assert len(set(texts)) == len(texts)
    if asked == CHANCE:
        outcomes = GAME.chance_outcomes(state)
        assert tuple(action for action, _ in outcomes) == actions
        assert sum(p for _, p in outcomes) == Fraction(1)
        assert all(p > 0 for _, p in outcomes)


def check_pieces(state: State) -> None:
    ships = Counter(ship.colour for ship in state.afloat)
    assert all(count <= (1 if colour == "white" else 3) for colour, count in ships.items())
    at_rest = [ship.cell for ship in state.ships]
    assert len(set(at_rest)) == len(at_rest)
    assert all(ship.cell in state.ocean.cells for ship in state.afloat)
    tiles = Counter(tile for _, tile in state.ocean.tiles)
    assert all(count <= 4 for count in tiles.values())
    own = state.fleet.colour if state.fleets else ""
    assert all(ship.duty == -1 or ship.colour == own for ship in state.ships)
    assert GAME.view(state, None) == GAME.view(state, PlayerId(0))
    layout = GAME.layout(state)
    assert sum(len(content.ships) for content in layout.cells.values()) == len(state.afloat)


def check_step(state: State, action, random: Random) -> State:
    step = GAME.apply(state, action)
    earned = Counter()
    for happening in step.happenings:
        assert happening.text
        assert happening.rule.startswith("AOW-")
        earned.update(dict(happening.coins))
    gained = {
        seat: new - old
        for seat, (old, new) in enumerate(zip(state.gold, step.state.gold, strict=True))
        if new != old
    }
    assert {seat: coins for seat, coins in earned.items() if coins} == gained
    return step.state


def check_json(state: State, action) -> None:
    assert GAME.from_json(json.loads(json.dumps(GAME.to_json(state)))) == state
    assert GAME.action_from_json(json.loads(json.dumps(GAME.action_to_json(action)))) == action
    assert GAME.parse(state, GAME.describe(state, action)) == action


def check_refusals(state: State, strangers: list) -> None:
    asked = asked_player(state)
    legal = set(GAME.legal_actions(state, asked)) if asked is not None else set()
    for action in strangers:
        ruling = GAME.check(state, action)
        assert ruling.legal == (action in legal)
        if not ruling.legal:
            assert ruling.rule.startswith("AOW-")
            assert ruling.reason.endswith((".", "?"))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), options=OPTIONS)
def test_random_games(seed, players, options):
    """AOW-59: every game ends; AOW-58: doubloons move only by a happening that says so."""
    random = Random(seed)
    names = [f"Captain {n}" for n in range(players)]
    state = GAME.setup(names, options)
    played: list = []
    while (asked := asked_player(state)) is not None:
        assert len(played) < LONGEST
        actions = GAME.legal_actions(state, asked)
        action = random.choice(actions)
        if random.random() < 0.3:
            check_offers(state, asked)
            check_pieces(state)
            check_json(state, action)
            check_refusals(state, [*random.sample(played, min(5, len(played))), action])
        state = check_step(state, action, random)
        played.append(action)
    check_offers(state, None)
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert sorted(p for place in outcome.placing for p in place) == list(range(players))
    again = replay(write_record(GAME, names, options, played))
    assert again.refusal is None
    assert again.state == state


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_spoilt_json_raises_only_our_errors(data, seed):
    random = Random(seed)
    state = GAME.setup(["A", "B"], {})
    for _ in range(random.randrange(60)):
        asked = asked_player(state)
        if asked is None:
            break
        state = GAME.apply(state, random.choice(GAME.legal_actions(state, asked))).state
    spoilt = GAME.to_json(state)
    key = data.draw(st.sampled_from(sorted(spoilt)))
    spoilt[key] = data.draw(JSON_VALUES)
    try:
        read = GAME.from_json(spoilt)
    except MalformedAction:
        return
    assert GAME.to_json(read) == spoilt
    asked = asked_player(read)
    check_offers(read, asked)
    check_pieces(read)
    if asked is not None:
        for action in GAME.legal_actions(read, asked):
            GAME.apply(read, action)


@settings(max_examples=200, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from(["sail", "roll", "press", "place_fleet", "pass"]))
def test_strange_actions_raise_only_our_errors(data, kind):
    value = {"type": kind, **data} if isinstance(data, dict) else data
    with contextlib.suppress(MalformedAction):
        assert GAME.action_from_json(value) is not None
