"""Random battles of PirateWars and what must hold at every step of them."""

from collections import Counter
from dataclasses import fields, replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.game import ChanceRoll
from companion.rules.layout import Die
from companion.rules.pirate_wars.actions import Done, Post, Sail
from companion.rules.pirate_wars.codec import CODEC
from companion.rules.pirate_wars.fighting.losses import chart_of
from companion.rules.pirate_wars.pieces import AFLOAT, NOWHERE
from companion.rules.pirate_wars.stages import Committing, Culling, Pressing, Throwing, Yielding
from companion.rules.pirate_wars.state import State, design_of
from tests.playing import asked_player
from tests.property.random_play import JSON_VALUES, Rulebook
from tests.unit.rules.pirate_wars.squadron import GAME, lively

BOOK = Rulebook(GAME, "PWR-")
TURNS = 8
BASE_PHASES, BASE_KINDS = 18, 26
"""Phases, and kinds of actions, in the base game."""
LONGEST = 3000
"""Steps in which a random battle of so many turns ends."""

ISLES = [
    {"kind": "island", "x_mm": 650, "y_mm": 450, "across_dots": 12, "depth_dots": 0},
    {"kind": "reef", "x_mm": 400, "y_mm": 200, "across_dots": 16, "depth_dots": 4},
]


def options_of(seed: int) -> dict[str, object]:
    """Return the options of a random battle: all that change how it is played, in turns."""
    return {
        "rounds": TURNS,
        "ships_each": 1 + seed // 2 % 2,
        "losses": ("owner", "order")[seed % 2],
        "terrain": ISLES if seed % 3 == 0 else [],
    }


def figures(state: State) -> Counter[str]:
    """Return everybody: aboard, in a boarding, in the water."""
    count: Counter[str] = Counter()
    for ship in state.ships:
        for hand, number in ship.crew:
            count[hand.kind] += number
    if isinstance(state.stage, Throwing | Culling):
        for crew in state.stage.fight.crews:
            for hand, number in crew:
                count[hand.kind] += number
    for shoal in state.shoals:
        count.update(dict(shoal.figures))
    return count


LOSING = {"PWR-88", "PWR-90", "PWR-75", "PWR-73", "PWR-74", "PWR-77", "PWR-76", "PWR-95", "PWR-65"}
LOSING |= {"PWR-60", "PWR-61", "PWR-64"}
"""Rules by which figures leave the battle; the last three are told in a boarding."""


def check_figures(state: State, after: State, happenings) -> None:
    """PWR-88: nobody comes from nowhere, nobody is lost without a rule that says so."""
    before, now = figures(state), figures(after)
    if len(after.ships) == len(state.ships):
        assert not now - before
    if before - now and not isinstance(state.stage, Culling):
        assert LOSING & {happening.rule for happening in happenings}, before - now


def check_ships(state: State) -> None:
    """PWR-83, PWR-87: no ship has more sails than hull once its hull is hit."""
    assert CODEC.complaint(state) is None
    for number, ship in enumerate(state.ships):
        design = design_of(state, number)
        assert 0 <= ship.sf <= design.sail_factor
        if ship.hf < design.hull_factor:
            assert ship.sf <= ship.hf
        assert sum(chart_of(state, number).rows) == ship.sf + ship.hf
        if ship.fate != AFLOAT:
            assert ship.pose == NOWHERE or ship.fate not in ("sunk", "gone")
    layout = GAME.layout(state)
    out = [ship.fate == AFLOAT and not ship.is_inside for ship in state.ships]
    tags = {n + 1 for n, is_out in enumerate(out) if is_out}
    if all(ship.pose != NOWHERE for ship in state.ships if ship.fate == AFLOAT):
        assert {tag for tag in layout.pieces if tag <= len(state.ships)} >= tags


def check_dead_crews(state: State, actions) -> None:
    """A ship without a crew does nothing: it is only adrift."""
    fighting = isinstance(state.stage, Committing | Throwing | Culling | Pressing | Yielding)
    for action in actions:
        number = getattr(action, "ship", None)
        if number is None or fighting or state.round == 0:
            continue
        if type(action).__name__ not in ("Drift", "Lose", "HoldBack", "Swim"):
            assert state.ships[number].crew, action


def check_measured(state: State, action) -> None:
    """A ship seen where a path has brought it is taken to have sailed some path there."""
    after = GAME.apply(state, action).state
    ship = after.ships[action.ship]
    if ship.pose == NOWHERE or after.ships[action.ship].pose != action.path[-1]:
        return
    found = GAME.measured(state, {action.ship + 1: action.path[-1]})
    assert any(isinstance(a, Sail) and a.path[-1] == action.path[-1] for a in found), action


def check_rolls(state: State, pending: ChanceRoll, random: Random) -> None:
    """Any dice of the right number are a roll, whether or not the odds list just these."""
    faces = {"d6": 6, "d8": 8}
    dice = tuple(sorted(Die(kind, random.randint(1, faces[kind])) for kind in pending.dice))
    roll = GAME.roll_of(state, dice)
    assert roll is not None
    assert GAME.rolled(roll) == dice
    GAME.apply(state, roll)
    assert GAME.roll_of(state, (*dice, Die("d6", 1))) is None


STRANGE: dict[type, tuple[object, ...]] = {int: (-1, 0, 1, 7, 99), str: ("", "deck", "nothing")}


def check_strange(state: State, action, random: Random) -> None:
    """Whatever is told, the rules answer: an action with any field changed is ruled upon."""
    for field in fields(action):
        value = getattr(action, field.name)
        if field.name != "player" and type(value) in STRANGE:
            other = replace(action, **{field.name: random.choice(STRANGE[type(value)])})
            ruling = GAME.check(state, other)
            BOOK.check_ruling(ruling)
            if ruling.legal:
                GAME.apply(state, other)


@pytest.mark.parametrize("seed", range(16))
def test_random_battles(seed):
    """PWR-140: every battle ends; figures and sails are where the rules put them."""
    players, options = 2 + seed % 4 % 3 % 2, options_of(seed)
    random = Random(seed)
    names = [f"Captain {n}" for n in range(players)]
    state = GAME.setup(names, options)
    played: list = []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST
        actions = GAME.legal_actions(state, asked)
        action = lively(random, state, actions)
        step = GAME.apply(state, action)
        BOOK.check_step(step)
        check_figures(state, step.state, step.happenings)
        if random.random() < 0.1:
            check_ships(state)
            check_dead_crews(state, actions)
            BOOK.check_offers(state)
            BOOK.check_json(state, action)
            for other in random.sample(played, min(3, len(played))):
                BOOK.check_ruling(GAME.check(state, other))
            for other in random.sample(actions, min(5, len(actions))):
                assert GAME.check(state, other), other
                check_strange(state, other, random)
            pending = GAME.pending(state)
            if isinstance(pending, ChanceRoll):
                check_rolls(state, pending, random)
            if isinstance(action, Sail):
                check_measured(state, action)
        state = step.state
        played.append(action)
    check_ships(state)
    BOOK.check_end(state)
    if seed % 3 == 0:
        BOOK.check_record(names, options, played, state)


def test_lively_captains_do_everything():
    """What the random battles above are worth: nearly every phase is met, and every action."""
    phases, kinds = set(), set()
    for seed in range(14):
        random = Random(seed)
        options = {"rounds": 10, "ships_each": 2, "sea_mm": [900, 600]}
        state = GAME.setup(["Ann", "Ben"], options)
        while (asked := asked_player(GAME, state)) is not None:
            phases.add(GAME.pending(state).phase)
            action = lively(random, state, GAME.legal_actions(state, asked))
            kinds.add(type(action).__name__)
            state = GAME.apply(state, action).state
    assert len(phases) >= BASE_PHASES - 3, sorted(phases)
    assert len(kinds) >= BASE_KINDS - 4, sorted(kinds)


@settings(max_examples=50, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_spoilt_json_raises_only_our_errors(data, seed):
    """States from outside: refused in our words, or playable."""
    random = Random(seed)
    state = GAME.setup(["A", "B"], {})
    BOOK.check_spoilt(data, BOOK.wander(state, random.randrange(120), random, lively))


@settings(max_examples=100, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from(["sail", "roll", "fire_gun", "lose", "done"]))
def test_strange_actions_raise_only_our_errors(data, kind):
    """An action from outside is read, or refused in our words."""
    BOOK.check_strange_action(data, kind)


def test_posting_by_any_number():
    """PWR-56: one figure or all are offered; any number between is legal as well."""
    random = Random(1)
    state = GAME.setup(["A", "B"], {})
    while GAME.pending(state).phase != "tasks":
        actions = GAME.legal_actions(state, asked_player(GAME, state))
        state = GAME.apply(state, lively(random, state, actions)).state
    posts = [a for a in GAME.legal_actions(state, state.player) if isinstance(a, Post)]
    most = max(posts, key=lambda a: a.count)
    for count in range(1, most.count + 1):
        fewer = Post(most.player, most.ship, most.figure, most.start, most.station, count)
        assert GAME.check(state, fewer)
    assert Done(state.player) in GAME.legal_actions(state, state.player)
