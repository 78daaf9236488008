"""Random games with random variants: what holds in every state, whatever is played."""

import contextlib
from collections import Counter
from dataclasses import fields
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.errors import BadOptions
from companion.rules.ahoy_matey.actions import KINDS, Deploy, Run, Take
from companion.rules.ahoy_matey.options import VARIANTS
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.sea import is_harbour, is_island
from companion.rules.ahoy_matey.state import Finished, State
from companion.rules.game import PlayerId
from companion.rules.layout import Die
from tests.playing import asked_player
from tests.property.random_play import JSON_VALUES, Rulebook

GAME = AhoyMatey()
BOOK = Rulebook(GAME, "AHM-")
CAP = 40
"""Turns of a random game here."""
LONGEST = 40 * CAP
"""Steps in which such a game ends: a turn is a roll, up to five dice, takings and their rolls."""
SWITCHES = (*VARIANTS, "parlay", "second_pack", "delivery_ignores_reserve")


@st.composite
def tables(draw):
    """Return a number of players and options that can be played together."""
    players = draw(st.integers(2, 8))
    options: dict[str, object] = {"turn_cap": CAP}
    if players > 4:
        options[draw(st.sampled_from(["pieces_of_eight", "doubloons", "badly_drawn_map"]))] = True
    for name in draw(st.permutations(SWITCHES))[: draw(st.integers(0, 8))]:
        with contextlib.suppress(BadOptions):
            GAME.setup([f"P{n}" for n in range(players)], options | {name: True})
            options[name] = True
    return players, options


def check_pieces(state: State) -> None:
    """Ships and treasures are conserved; what lies on the board is what the layout shows."""
    position, options = state.position, state.options
    begun = options.ships * len(state.fleets)
    left = sum(position.reserve) + sum(stack.size for stack in position.ships)
    assert left == sum(state.afloat)
    lost = begun - left - sum(state.captured)
    assert lost == 0 or (options.hurricane and lost > 0)
    for colour, reserve in zip([f.colour for f in state.fleets], position.reserve, strict=True):
        afloat = sum(stack.size for stack in position.ships if stack.fleet == colour)
        assert reserve >= 0
        assert afloat + reserve <= options.ships
    places = Counter(stack.cell for stack in position.ships)
    assert set(places.values()) <= {1}
    assert options.sea.squares.issuperset(places)
    sunk = isinstance(state.stage, Finished) and state.stage.how == "hurricane"
    unknown = options.boards == 2 and not options.doubloons and not position.treasures
    assert sunk or unknown or len(position.treasures) == options.treasures
    for treasure in position.treasures:
        stands = is_island(treasure.place) or is_harbour(treasure.place)
        assert stands or treasure.place in places
    layout = GAME.layout(state)
    assert sum(len(c.ships) for c in layout.cells.values()) == sum(s.size for s in position.ships)
    cargo = sum(c.cargo is not None for c in layout.cells.values())
    assert cargo == len({t.place for t in position.treasures})
    assert tuple(die.face for die in layout.dice) == state.dice
    assert GAME.view(state, None) == GAME.view(state, PlayerId(0))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), table=tables())
def test_random_games(seed, table):
    """AHM-45: every game ends; ships and treasures are conserved until then."""
    players, options = table
    random = Random(seed)
    names = [f"Captain {n}" for n in range(players)]
    state = GAME.setup(names, options)
    played: list = []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST
        actions = GAME.legal_actions(state, asked)
        if random.random() < 0.01:
            actions = GAME.asides(state)
        action = random.choice(actions)
        if random.random() < 0.15:
            BOOK.check_offers(state)
            check_pieces(state)
            BOOK.check_json(state, action)
            BOOK.check_refusals(state, [*random.sample(played, min(5, len(played))), action])
        step = GAME.apply(state, action)
        if random.random() < 0.05:
            # A table that shows another state is objected to with a rule or not at all.
            BOOK.check_ruling(GAME.objection(state, GAME.layout(step.state)))
            BOOK.check_ruling(GAME.objection(step.state, GAME.layout(state)))
        BOOK.check_step(step)
        state = step.state
        played.append(action)
    check_pieces(state)
    BOOK.check_end(state)
    BOOK.check_record(names, options, played, state)


def anything(state: State, random: Random):
    """Return an action that may make no sense at all, though its fields have the right types."""
    values = {
        "player": PlayerId(random.choice([-1, 0, 1, state.player, state.player, state.player])),
        "variant": random.choice(SWITCHES),
        "board": random.randint(-1, 3),
        "dice": tuple(Die("piecepack", random.randint(-1, 6)) for _ in range(random.randint(0, 5))),
        "low": random.randint(-1, 6),
        "high": random.randint(-1, 6),
        "fleet": random.choice(["suns", "crowns", "moons", "arms", "suns2", "arms2"]),
        "die": random.choice([*state.dice, random.randint(-1, 6)]),
        "course": random.randint(-1, 6),
        "ships": random.choice([1, 1, 1, 0, 2, 3]),
        "treasure": random.random() < 0.3,
    }
    near = [stack.cell for stack in state.position.ships] or [(1, 1)]
    cell = random.choice([random.choice(near), (random.randint(-1, 24), random.randint(-1, 12))])
    kind = random.choice([*KINDS, Run, Run, Run, Run, Take, Deploy])
    names = [field.name for field in fields(kind)]
    return kind(**{name: cell if name in ("start", "ship") else values[name] for name in names})


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), table=tables())
def test_whatever_is_tried_is_legal_or_refused_with_a_rule(seed, table):
    """Every refusal names its rule and says a sentence; the words of the action never fail."""
    players, options = table
    random = Random(seed)
    state = GAME.setup([f"Captain {n}" for n in range(players)], options)
    for _ in range(150):
        asked = asked_player(GAME, state)
        if asked is None:
            break
        BOOK.check_refusals(state, [action := anything(state, random), anything(state, random)])
        assert GAME.describe(state, action)
        state = GAME.apply(state, random.choice(GAME.legal_actions(state, asked))).state


@settings(max_examples=200, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_spoilt_json_raises_only_our_errors(data, seed):
    random = Random(seed)
    variants = random.sample(["cursed_treasure", "shipwrecked", "hurricane", "freak_squall"], 2)
    state = GAME.setup(["A", "B"], dict.fromkeys(variants, True))
    BOOK.check_spoilt(data, BOOK.wander(state, random.randrange(120), random), check_pieces)


@settings(max_examples=200, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from([kind.name for kind in KINDS]))
def test_strange_actions_raise_only_our_errors(data, kind):
    BOOK.check_strange_action(data, kind)
