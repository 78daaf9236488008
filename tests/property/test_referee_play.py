"""Random parties at a synthetic table: whatever happens, no event may differ from the truth in
silence, and the ledger tells the same game again.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.ledger.memory_store import MemoryStore
from companion.ledger.store import verify_chain
from companion.rules.game import CHANCE, ChanceRoll, Decision, GameOver
from companion.table.commands import Act, AnswerQuestion, PressTurn, Undo
from companion.table.history import replay
from companion.table.observation import CellReading
from companion.table.referee import Referee
from companion.table.snapshot import Question
from tests.table.battle import GAME, PROFILE, battle, open_referee
from tests.table.synthetic import Hands

TOLD = ("draw_commodore", "choose_density")


class Party:
    """Captains who play a game with their hands while the referee looks on.

    They move on without waiting for it, now and then do two things between two pictures, and
    answer what is asked. `past` holds every state the true game has been in.
    """

    def __init__(self, rng: Random, noise: float, players: int = 3) -> None:
        self.rng, self.noise = rng, noise
        self.store = MemoryStore()
        self.referee = open_referee(self.store, players)
        self.truth: Any = self.referee.state
        self.past = {self.truth}
        self.hands = Hands(rng)

    @property
    def is_over(self) -> bool:
        return isinstance(GAME.pending(self.truth), GameOver)

    def act(self) -> None:
        """Do what is pending with the hands; tell what no camera can see."""
        pending = GAME.pending(self.truth)
        if isinstance(pending, ChanceRoll):
            outcomes = GAME.chance_outcomes(self.truth)
            action = self.rng.choices([a for a, _ in outcomes], [float(p) for _, p in outcomes])[0]
        else:
            assert isinstance(pending, Decision)
            action = self._choose(pending)
        after = GAME.apply(self.truth, action).state
        if pending.phase in TOLD:
            self.catch_up()
            self.referee.command(Act(action))
        elif type(action).__name__ == "Pass":
            self.catch_up()
            self.referee.command(PressTurn())
        elif isinstance(pending, ChanceRoll) and pending.dice:
            self._throw(pending, action, after)
        else:
            self.hands.lay(GAME.layout(after))
        self.truth = after
        self.past.add(after)
        if isinstance(pending, ChanceRoll) and pending.dice:
            self.look()  # dice that nobody lets come to rest cannot be read by anyone

    def _choose(self, pending: Decision) -> Any:
        actions = GAME.legal_actions(self.truth, pending.player)
        ships = {}
        for action in self.rng.sample(actions, min(6, len(actions))):
            view = GAME.view(GAME.apply(self.truth, action).state, None)
            ships[action] = view.seats[pending.player].ships
        return max(ships, key=lambda a: ships[a])

    def _throw(self, pending: ChanceRoll, action: Any, after: Any) -> None:
        if len(pending.dice) > 1:
            self.hands.sweep()
        self.hands.throw(GAME.rolled(action))
        if len(pending.dice) > 1:
            self.hands.lay_pieces(GAME.layout(after))
        else:
            self.hands.lay(GAME.layout(after))

    def look(self, times: int = 1, **changes: object) -> None:
        for _ in range(times):
            self.referee.observe(self.hands.look(self.noise, **changes), lambda: b"jpeg")

    def catch_up(self) -> None:
        """Look, and answer honestly, until the referee knows all that has happened."""
        for _ in range(60):
            if self.referee.state == self.truth:
                return
            question = self.referee.snapshot().question
            if question is not None:
                self.answer(question)
            self.look()
        raise AssertionError(f"it never followed: {self.referee.snapshot().notice}")

    def answer(self, question: Question) -> None:
        right = [
            choice
            for choice, explanation in self.referee._readings._asked.items()
            if explanation.state == self.truth
        ]
        self.referee.command(AnswerQuestion(question.id, right[0] if right else "other"))

    def check(self) -> None:
        """No silent error: what is recorded has truly happened."""
        assert self.referee.state in self.past, (
            f"recorded {self.referee.snapshot().log[-3:]}, which never happened"
        )

    def check_ledger(self) -> None:
        events = self.store.read("g")
        assert verify_chain("g", events) == len(events)
        assert replay(GAME, events) == self.referee._book.history
        again = Referee.resume(GAME, PROFILE, self.store, lambda: 2.0, "g")
        assert again.snapshot().log == self.referee.snapshot().log
        assert again.snapshot().layout == self.referee.snapshot().layout
        assert again.state == self.referee.state


@pytest.mark.parametrize("seed", range(3))
def test_whole_games_are_followed_without_a_silent_error(seed: int) -> None:
    party = Party(Random(seed), noise=0.08, players=2 + seed % 2)
    for _ in range(120):
        if party.is_over:
            break
        party.act()
        if not party.is_over and party.rng.random() < 0.85:
            party.look(2)
            party.check()
    party.catch_up()
    party.check()
    party.check_ledger()


class Table(RuleBasedStateMachine):
    """A party under the worst of cameras and the most restless of hands."""

    @initialize(seed=st.integers(0, 2**16), noise=st.sampled_from([0.0, 0.05, 0.3]))
    def sit_down(self, seed: int, noise: float) -> None:
        self.party = Party(Random(seed), noise, players=2)
        while GAME.view(self.party.truth, None).phase != "choose_dice":
            party = self.party
            pending = GAME.pending(party.truth)
            player = CHANCE if isinstance(pending, ChanceRoll) else pending.player  # type: ignore[union-attr]
            action = party.rng.choice(GAME.legal_actions(party.truth, player))
            party.referee.command(Act(action))
            party.truth = party.referee.state
            party.past.add(party.truth)
        self.party.hands.lay(GAME.layout(self.party.truth))
        self.party.look()

    @precondition(lambda self: not self.party.is_over)
    @rule()
    def act(self) -> None:
        self.party.act()

    @rule(times=st.integers(1, 3))
    def look(self, times: int) -> None:
        self.party.look(times)

    @rule(seed=st.integers(0, 2**16))
    def look_past_an_arm(self, seed: int) -> None:
        seen = self.party.hands.look(self.party.noise)
        hidden = frozenset(Random(seed).sample(sorted(seen.cells), 25))
        self.party.look(occluded=hidden, dice=None if seed % 2 else seen.dice)

    @rule(seed=st.integers(0, 2**16))
    def look_and_misread_a_cell(self, seed: int) -> None:
        rng = Random(seed)
        seen = dict(self.party.hands.look(self.party.noise).cells)
        cell = rng.choice(sorted(seen))
        ghost = rng.choice([("red",), ("black",), ()])
        seen[cell] = CellReading({ghost: 0.9, seen[cell].ships and max(seen[cell].ships): 0.1},
                                 seen[cell].terrain)  # fmt: skip
        if not GAME.layout(self.party.truth).at(cell).ships:
            self.party.look(cells=seen)

    @rule()
    def answer(self) -> None:
        question = self.party.referee.snapshot().question
        if question is not None:
            self.party.answer(question)

    @precondition(lambda self: self.party.referee.state == self.party.truth)
    @rule()
    def undo_and_lay_it_back(self) -> None:
        party = self.party
        last = next(party.referee._book.history.standing)
        if last.event.is_chance or last.before not in party.past:
            return
        party.referee.command(Undo())
        party.truth = party.referee.state
        lying = GAME.layout(last.after).dice
        party.hands.lay_pieces(GAME.layout(party.truth))
        for die in party.hands.layout.dice:
            if party.hands.layout.dice.count(die) > lying.count(die):
                party.hands.throw([die])
                break

    @invariant()
    def nothing_is_recorded_that_did_not_happen(self) -> None:
        if hasattr(self, "party"):
            self.party.check()

    def teardown(self) -> None:
        if hasattr(self, "party"):
            self.party.check_ledger()


TestTable = Table.TestCase
TestTable.settings = settings(
    max_examples=12,
    stateful_step_count=20,
    phases=[Phase.explicit, Phase.generate],
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_the_invariant_can_fail() -> None:
    party = Party(Random(1), 0.0)
    party.referee._book.history.state = battle({(0, 0): "red"})
    with pytest.raises(AssertionError, match="never happened"):
        party.check()
