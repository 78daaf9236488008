"""Random battles of PirateWars with the optional rules: the same must hold at every step."""

from collections import Counter
from random import Random

import pytest

from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.built.figures import kind
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.state import State
from tests.playing import asked_player
from tests.property.test_pirate_wars_random_play import (
    BOOK,
    LONGEST,
    LOSING,
    check_dead_crews,
    check_measured,
    check_ships,
    figures,
)
from tests.unit.rules.pirate_wars.landfall import FORT, ISLES, PEOPLE, SIEGE, landing, storming
from tests.unit.rules.pirate_wars.squadron import GAME

OPTIONAL_LOSSES = LOSING | {
    "PWR-107",
    "PWR-113",
    "PWR-119",
    "PWR-122",
    "PWR-125",
    "PWR-126",
    "PWR-137",
}


def options_of(seed: int) -> dict[str, object]:
    """Return the options of a random battle: all optional rules, some of them in turns."""
    return {
        "rounds": 10,
        "sea_mm": [1400, 1100],
        "losses": "order",
        "terrain": ISLES,
        "grounding": "full",
        "head_on_proximity": seed % 2 == 0,
        "sail_types": seed % 3 == 0,
        "hauling": True,
        "launches": True,
        "forts": [FORT] if seed % 4 < 2 else [],
        "natives": [PEOPLE | ({"boats": 2}, {"kind": "skeletons"})[seed // 4]] * (seed % 4 > 1),
        "alligators": seed % 2 == 1,
        "snares": seed == 6,
        "launch_sails": seed == 3,
    }


def chests(state: State) -> int:
    """Return the chests and barrels of all ships."""
    return sum(ship.chests for ship in state.ships if ship.fate in ("afloat", "aground"))


def everybody(state: State) -> Counter[str]:
    """Return all figures, those in snares too."""
    count = figures(state)
    for ship in state.ships:
        for hand, number in ship.snared:
            count[hand.kind] += number
    return count


def check_everybody(state: State, after: State, happenings) -> None:
    """PWR-88: nobody comes from nowhere, nobody is lost without a rule that says so."""
    before, now = everybody(state), everybody(after)
    if state.round:
        # Natives come back by themselves; everybody else is born in no battle.
        assert not {name for name in now - before if kind(name).sides[0] in ("pirate", "imperial")}
    if before - now:
        assert OPTIONAL_LOSSES & {happening.rule for happening in happenings}, before - now


def check_launches(state: State) -> None:
    """PWR-113, PWR-115: no more launches than ships carry, no more in them than they seat."""
    for ship in state.ships:
        aboard = sum(count for _, count in ship.crew)
        if ship.design == "launch":
            assert ship.hf <= 1
            assert ship.fate != "afloat" or aboard + 2 * ship.chests <= 7
        assert ship.boats >= 0
        assert ship.chests >= 0


@pytest.mark.parametrize("seed", range(8))
def test_random_battles_with_the_optional_rules(seed):
    """PWR-107 to PWR-139: every battle ends; figures, chests and launches are accounted for."""
    random, options = Random(seed), options_of(seed)
    names = ["Ann", "Ben"]
    state = GAME.setup(names, options)
    played: list = []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST
        actions = GAME.legal_actions(state, asked)
        action = landing(random, state, actions)
        step = GAME.apply(state, action)
        BOOK.check_step(step)
        check_everybody(state, step.state, step.happenings)
        if state.round:
            assert chests(step.state) <= chests(state)
        check_launches(step.state)
        if random.random() < 0.1:
            check_ships(state)
            assert len(GAME.view(state, None).seats) == 2
            check_dead_crews(state, actions)
            BOOK.check_offers(state)
            BOOK.check_json(state, action)
            for other in random.sample(played, min(3, len(played))):
                BOOK.check_ruling(GAME.check(state, other))
            if isinstance(action, Sail):
                check_measured(state, action)
        state = step.state
        played.append(action)
    BOOK.check_end(state)
    if seed % 4 == 0:
        BOOK.check_record(names, options, played, state)


def test_what_the_random_battles_are_worth():
    """Launches are lowered, rowed and left, ships run aground, islanders put off in a canoe."""
    kinds: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    paddled = 0
    for seed in (27, 36, 259):
        random = Random(seed)
        state = GAME.setup(["Ann", "Ben"], options_of(seed % 8) | {"rounds": 12})
        while (asked := asked_player(GAME, state)) is not None:
            action = landing(random, state, GAME.legal_actions(state, asked))
            paddled += isinstance(action, Sail) and state.ships[action.ship].design == "canoe"
            kinds[type(action).__name__] += 1
            step = GAME.apply(state, action)
            rules.update(happening.rule for happening in step.happenings)
            state = step.state
    assert {"Lower", "Disembark", "Cross"} <= set(kinds), kinds
    assert {"PWR-107"} <= set(rules), rules
    assert paddled


def check_fortresses(state: State) -> None:
    """PWR-119, PWR-120: parties within a fortress stand where it does, in one place, untagged."""
    for ship in state.ships:
        if ship.is_inside:
            assert ship.pose == state.ships[ship.fort].pose
            assert len({hand.station for hand, _ in ship.crew}) <= 1
    tags = {tag_of(n) for n, ship in enumerate(state.ships) if ship.is_inside}
    assert not tags & set(GAME.layout(state).pieces)


@pytest.mark.parametrize("seed", range(4))
def test_random_sieges(seed):
    """PWR-119 to PWR-129: a fortress is fired at, stormed and held; now and then somebody falls."""
    random = Random(seed)
    names, options = ["Ann", "Ben"], SIEGE | {"rounds": 8 + seed}
    state = GAME.setup(names, options)
    played: list = []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST
        action = storming(random, state, GAME.legal_actions(state, asked))
        falls = GAME.asides(state)
        if falls and random.random() < 0.03:
            action = random.choice(falls)
        step = GAME.apply(state, action)
        BOOK.check_step(step)
        check_everybody(state, step.state, step.happenings)
        check_fortresses(step.state)
        if random.random() < 0.1:
            BOOK.check_offers(state)
            BOOK.check_json(state, action)
            for other in random.sample(played, min(3, len(played))):
                BOOK.check_ruling(GAME.check(state, other))
        state = step.state
        played.append(action)
    BOOK.check_end(state)
    BOOK.check_record(names, options, played, state)


def test_what_the_random_sieges_are_worth():
    """Walls are climbed, doors broken, floors fought for, and figures fall."""
    kinds: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    for seed in (24, 83):
        random = Random(seed)
        state = GAME.setup(["Ann", "Ben"], SIEGE)
        while (asked := asked_player(GAME, state)) is not None:
            action = storming(random, state, GAME.legal_actions(state, asked))
            kinds[type(action).__name__] += 1
            step = GAME.apply(state, action)
            rules.update(happening.rule for happening in step.happenings)
            state = step.state
    assert {"Climb", "Enter", "Board", "Post"} <= set(kinds), kinds
    assert {"PWR-119", "PWR-120", "PWR-122"} <= set(rules), rules
