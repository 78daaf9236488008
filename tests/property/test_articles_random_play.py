"""Random games of Articles of War and what must hold at every step of them."""

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import State
from companion.rules.game import PlayerId
from companion.rules.hexes import DIRECTION_NAMES
from tests.playing import asked_player
from tests.property.random_play import JSON_VALUES, Rulebook

GAME = ArticlesOfWar()
BOOK = Rulebook(GAME, "AOW-")
LONGEST = 1000
"""Steps in which a random battle ends: 253 at most in 3,000 games with random options."""

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "radius": st.sampled_from([4, 5, 6]),
        "start_ring": st.sampled_from([None, 2, 3, 4]),
        "destructive_moves": st.just("forbidden-if-alternative"),
        "tie_break": st.just("last-afloat"),
        "bank": st.just(30),
        "desperation": st.just(True),
        "marque": st.just(True),
        "duel": st.just(True),
        "battles": st.sampled_from([2, 3]),
        "grudge": st.just(True),
        "wind": st.sampled_from(DIRECTION_NAMES),
        "storm": st.just(True),
        "gambits": st.just("house"),
        "gambits_fresh": st.just("campaign"),
    },
)


def table_for(options: dict, players: int) -> tuple[list[str], dict]:
    """Return names and options that may be played together."""
    if options.get("duel"):
        players = 2
        options = {k: v for k, v in options.items() if k != "grudge"}
    elif options.get("grudge"):
        players = max(players, 3)
    return [f"Captain {n}" for n in range(players)], options


def most_rounds(options: dict) -> int | None:
    """Return the rounds in which a battle ends for certain, if there is such a number.

    With wind and storm the merchant, whom nobody sails, drifts at least two hexes a round until
    she is off the map; then the ring closes from the edge to the centre, a round for each, and
    one hex is left.
    """
    if "wind" not in options or "storm" not in options:
        return None
    radius = options.get("radius", 5)
    return (radius + 2) // 2 + radius + 1


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
    assert all(ships[colour] <= 1 for colour in state.memory.grudges)
    assert state.options.bank is None or sum(state.gold) <= state.options.bank
    assert GAME.view(state, None) == GAME.view(state, PlayerId(0))
    layout = GAME.layout(state)
    assert sum(len(content.ships) for content in layout.cells.values()) == len(state.afloat)


def play(state: State, action) -> State:
    step = GAME.apply(state, action)
    BOOK.check_step(step)
    earned = Counter()
    for happening in step.happenings:
        earned.update(dict(happening.coins))
    gained = {
        seat: new - old
        for seat, (old, new) in enumerate(zip(state.gold, step.state.gold, strict=True))
        if new != old
    }
    assert {seat: coins for seat, coins in earned.items() if coins} == gained
    return step.state


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), options=OPTIONS)
def test_random_games(seed, players, options):
    """AOW-59: every game ends; AOW-58: doubloons move only by a happening that says so.

    Whatever options are chosen together.
    """
    random = Random(seed)
    names, options = table_for(options, players)
    state = GAME.setup(names, options)
    rounds, played = most_rounds(options), []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST * state.options.battles
        assert rounds is None or state.round <= rounds
        actions = GAME.legal_actions(state, asked)
        action = random.choice(actions)
        if random.random() < 0.3:
            BOOK.check_offers(state)
            check_pieces(state)
            BOOK.check_json(state, action)
            BOOK.check_refusals(state, [*random.sample(played, min(5, len(played))), action])
        state = play(state, action)
        played.append(action)
    BOOK.check_end(state)
    BOOK.check_record(names, options, played, state)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000), options=OPTIONS)
def test_spoilt_json_raises_only_our_errors(data, seed, options):
    random = Random(seed)
    state = GAME.setup(*table_for(options, 2))
    BOOK.check_spoilt(data, BOOK.wander(state, random.randrange(100), random), check_pieces)


@settings(max_examples=200, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from(["sail", "roll", "press", "roll_again", "drift"]))
def test_strange_actions_raise_only_our_errors(data, kind):
    BOOK.check_strange_action(data, kind)
