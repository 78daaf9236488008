"""Random games of Privateer and what must hold at every step of them."""

import re
from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.privateer.actions import Buy, DrawCard, DrawPortCard, Sell, Upgrade
from companion.rules.privateer.codec import CODEC
from companion.rules.privateer.state import State, drawable_bounty, drawable_ports
from tests.playing import asked_player
from tests.property.random_play import JSON_VALUES, Rulebook
from tests.unit.rules.privateer.voyage import GAME, lively

BOOK = Rulebook(GAME, "PRV-")
LONGEST = 4000
"""Steps in which a random game ends: 1,384 at most in 400 lively games of 2 to 6."""

OPTIONS = st.fixed_dictionaries(
    {
        "battle_needs_move": st.booleans(),
        "replace_on_upgrade": st.booleans(),
        "round_cap": st.sampled_from([0, 0, 3]),
    }
)


def check_supply(state: State) -> None:
    """PRV-5, PRV-60: cargo and cards are where they must be; nothing has vanished."""
    deck = state.deck
    assert CODEC.complaint(state) is None
    for i, stock in enumerate(deck.stock):
        assert state.bank[i] + sum(seat.cargo[i] for seat in state.seats) == stock
    relics = [relic for seat in state.seats for relic in seat.relics]
    assert len(set(relics)) == len(relics)
    assert not {*relics} & {*state.bounty_pile}
    assert not {*state.slots} & {*state.port_pile}
    ships = sum(len(content.ships) for content in GAME.layout(state).cells.values())
    assert ships == sum(bool(seat.colour) for seat in state.seats)


def check_doubloons(state: State, after: State, happenings) -> None:
    """PRV-7: silver moves only by a happening that says so.

    Where a purse bounds the amount the happening has no coins: then nobody pays more than it says,
    and what goes from captain to captain adds up.
    """
    earned: Counter[int] = Counter()
    owed: Counter[str] = Counter()
    robbed = 0
    for happening in happenings:
        earned.update(dict(happening.coins))
        if found := re.fullmatch(r"(\w+) pays (\d+) silver, or all .*", happening.text):
            owed[found[1]] += int(found[2])
        if found := re.fullmatch(r"\w+ takes up to (\d+) silver from \w+", happening.text):
            robbed += int(found[1])
    for seat, (old, new) in enumerate(zip(state.seats, after.seats, strict=True)):
        hidden = new.silver - old.silver - earned[seat]
        name = new.colour.capitalize() or state.names[seat]
        assert -owed[name] - robbed <= hidden <= robbed
        if not robbed and not earned[seat]:
            assert hidden == -min(owed[name], old.silver)
    if not owed:
        whole = sum(s.silver for s in after.seats) - sum(s.silver for s in state.seats)
        assert whole == sum(earned.values())


def check_relics_and_steps(state: State, after: State, happenings) -> None:
    """PRV-55, PRV-61: markers and relics move only by a rule that says so."""
    rules = {happening.rule for happening in happenings}
    before = Counter(r for seat in state.seats for r in seat.relics)
    now = Counter(r for seat in after.seats for r in seat.relics)
    assert not before - now, "a relic has left the game"
    if now - before:
        assert "PRV-21" in rules
    owners = [seat.relics for seat in state.seats]
    if now == before and owners != [seat.relics for seat in after.seats]:
        assert "PRV-62" in rules
    ranks = sum(
        abs(a - b) for s, t in _pairs(state, after) for a, b in zip(*_ranks(s, t), strict=True)
    )
    if ranks and all(seat.captain for seat in state.seats):
        assert {"PRV-54", "PRV-55"} & rules


def check_goods(state: State, after: State, happenings) -> None:
    """PRV-5: each type adds up to what is printed; a hold changes only by a rule that says so."""
    for i, stock in enumerate(state.deck.stock):
        assert after.bank[i] + sum(seat.cargo[i] for seat in after.seats) == stock
    if any(old.cargo != new.cargo for old, new in _pairs(state, after)):
        rules = {happening.rule for happening in happenings}
        assert {"PRV-41", "PRV-45", "PRV-46", "PRV-52", "PRV-56", "PRV-64"} & rules


def check_cards(state: State, after: State, action, happenings) -> None:
    """PRV-11, PRV-21, PRV-57, PRV-60: a card leaves its pile by being drawn, and no other way."""
    rules = {happening.rule for happening in happenings}
    drawn = {action.card} if isinstance(action, DrawCard) else set()
    gone = {*drawable_bounty(state)} - {*after.bounty_pile}
    assert gone == drawn or (not drawn and after.bounty_pile == state.bounty_pile)
    assert ("PRV-21" in rules) == bool(drawn)
    laid = {action.card} if isinstance(action, DrawPortCard) else set()
    gone = {*drawable_ports(state)} - {*after.port_pile}
    assert gone == laid or (not laid and after.port_pile == state.port_pile)
    assert {*after.slots} - {*state.slots, ""} == laid
    left = {*state.slots} - {*after.slots, ""}
    assert not left or (len(left) == 1 and "PRV-57" in rules)
    relics = [relic for seat in after.seats for relic in seat.relics]
    assert len(set(relics)) == len(relics)
    assert not {*relics} & {*after.bounty_pile}


def _pairs(state: State, after: State):
    return zip(state.seats, after.seats, strict=True)


def _ranks(before, after):
    return before.ranks, after.ranks


def check_secrets(state: State, action, random: Random) -> None:
    """PRV-7: with another purse every other captain and the onlookers are told the very same."""
    owner = random.randrange(len(state.seats))
    seat = state.seats[owner]
    silver = seat.silver + random.randint(1, 30)
    seats = (*state.seats[:owner], seat._replace(silver=silver), *state.seats[owner + 1 :])
    other = state._replace(seats=seats)
    assert GAME.pending(other) == GAME.pending(state)
    assert GAME.layout(other) == GAME.layout(state)
    assert GAME.objection(other, GAME.layout(state)) == GAME.objection(state, GAME.layout(state))
    assert GAME.describe(other, action) == GAME.describe(state, action)
    assert GAME.open_actions(other) == GAME.open_actions(state)
    for viewer in (None, *range(len(state.seats))):
        same = GAME.view(other, viewer) == GAME.view(state, viewer)
        assert same == (viewer != owner)
    for player in range(len(state.seats)):
        if player != owner:
            assert GAME.legal_actions(other, player) == GAME.legal_actions(state, player)
    richer, poorer = GAME.apply(other, action), GAME.apply(state, action)
    assert richer.happenings == poorer.happenings
    assert GAME.pending(richer.state) == GAME.pending(poorer.state)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 6), options=OPTIONS)
def test_random_games(seed, players, options):
    """PRV-65, PRV-68: every game ends; PRV-5, PRV-7: nothing comes from nowhere."""
    random = Random(seed)
    state = GAME.setup([f"Captain {n}" for n in range(players)], options)
    played: list = []
    while (asked := asked_player(GAME, state)) is not None:
        assert len(played) < LONGEST
        action = lively(random, state, GAME.legal_actions(state, asked))
        step = GAME.apply(state, action)
        BOOK.check_step(step)
        check_doubloons(state, step.state, step.happenings)
        check_relics_and_steps(state, step.state, step.happenings)
        check_goods(state, step.state, step.happenings)
        check_cards(state, step.state, action, step.happenings)
        if random.random() < 0.1:
            BOOK.check_offers(state)
            check_supply(state)
            BOOK.check_json(state, action)
            check_secrets(state, action, random)
            BOOK.check_refusals(state, [*random.sample(played, min(5, len(played))), action])
        state = step.state
        played.append(action)
    check_supply(state)
    BOOK.check_end(state)


def test_lively_captains_do_everything():
    """What the random games above are worth: every phase is met, and every kind of action."""
    phases, kinds, deals = set(), set(), 0
    for seed in range(40):
        random = Random(seed)
        state = GAME.setup([f"Captain {n}" for n in range(2 + seed % 5)], {})
        while (asked := asked_player(GAME, state)) is not None:
            phases.add(GAME.pending(state).phase)
            action = lively(random, state, GAME.legal_actions(state, asked))
            kinds.add(type(action).__name__)
            deals += isinstance(action, Buy | Sell | Upgrade)
            state = GAME.apply(state, action).state
    assert len(phases) == 25, phases
    assert len(kinds) == 22, kinds
    assert deals > 500


@settings(max_examples=150, deadline=None)
@given(data=st.data(), seed=st.integers(0, 1000))
def test_spoilt_json_raises_only_our_errors(data, seed):
    """States from outside: refused in our words, or playable."""
    random = Random(seed)
    state = GAME.setup(["A", "B"], {})
    BOOK.check_spoilt(data, BOOK.wander(state, random.randrange(90), random, lively), check_supply)


@settings(max_examples=100, deadline=None)
@given(data=JSON_VALUES, kind=st.sampled_from(["sail", "roll", "buy", "draw_bounty", "leave"]))
def test_strange_actions_raise_only_our_errors(data, kind):
    """An action from outside is read, or refused in our words."""
    BOOK.check_strange_action(data, kind)
