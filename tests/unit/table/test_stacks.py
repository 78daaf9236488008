"""Coins on each other cannot be counted from above: the table asks, it does not guess."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE, Decision
from companion.rules.layout import Die
from companion.table.commands import Act, AnswerQuestion
from companion.table.referee import Referee
from companion.table.snapshot import Question
from tests.table.evening import COINS
from tests.table.synthetic import Hands

GAME = find_game("ahoy-matey")


class Table:
    """A referee with a game of Ahoy, Matey! and hands that show it pictures."""

    def __init__(self, **options: Any) -> None:
        profile = board_for(GAME.info, options)
        self.referee = Referee.open(
            GAME, ["Ann", "Bob"], options, profile, MemoryStore(), lambda: 1.0, "g"
        )
        layout = GAME.layout(self.referee.state)
        self.hands = Hands(Random(2), layout, profile.cells, COINS)
        self.look()

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            self.referee.observe(self.hands.look())

    def tell(self, *texts: str) -> None:
        for text in texts:
            self.referee.command(Act(self.find(text)))
            self.hands.sweep()
            self.hands.throw(GAME.layout(self.referee.state).dice)
            self.hands.lay_pieces(GAME.layout(self.referee.state))
            self.look()

    def find(self, text: str) -> Any:
        state = self.referee.state
        pending = GAME.pending(state)
        player = pending.player if isinstance(pending, Decision) else CHANCE
        return next(a for a in GAME.legal_actions(state, player) if text in GAME.describe(state, a))

    def show(self, text: str) -> Any:
        """Do it with the hands and let the table look until it asks; return the true state."""
        after = GAME.apply(self.referee.state, self.find(text)).state
        self.hands.lay(GAME.layout(after))
        self.look(20)
        return after

    def question(self) -> Question:
        question = self.referee.snapshot().question
        assert question is not None
        return question

    def answer(self, text: str) -> None:
        question = self.question()
        choice = next(c for c in question.choices if text in c.text)
        self.referee.command(AnswerQuestion(question.id, choice.id))


def test_a_second_ship_put_on_the_first_looks_like_no_move_at_all() -> None:
    table = Table()
    table.tell("Suns rolls 5", "Moons rolls ace", "Suns rolls null and null", "deploys")
    truth = table.show("deploys")
    texts = [choice.text for choice in table.question().choices]
    assert len(texts) == 3
    assert "deploys" in texts[0] + texts[1]
    assert "moves no ship" in texts[0] + texts[1]
    table.answer("deploys")
    assert table.referee.state == truth
    assert table.referee.snapshot().layout.at((8, 0)).ships == ("suns", "suns")


def test_how_many_of_a_stack_have_left_is_asked() -> None:
    table = Table(flotilla=True)
    table.tell("Suns rolls 5", "Moons rolls ace", "Suns rolls 2 and 4")
    truth = table.show("2 ships go 4 south")
    assert any("2 ships" in choice.text for choice in table.question().choices)
    table.answer("2 ships")
    assert table.referee.state == truth
    rolled, settled = table.referee.snapshot().log[-2:]
    assert (rolled.asked, settled.asked) == (False, True)


def test_a_null_without_a_ship_in_reserve_needs_no_question() -> None:
    table = Table(isla_diablo=True)
    table.tell("Suns rolls 5", "Moons rolls ace", "Suns rolls null and 3")
    truth = table.show("moves no ship")
    assert table.referee.state == truth
    assert table.referee.snapshot().question is None


def test_an_unusable_roll_is_followed_by_the_next_captains() -> None:
    table = Table()
    table.tell("Suns rolls 5", "Moons rolls ace")
    for faces, name in (((3, 4), "Suns"), ((2, 5), "Moons")):
        table.hands.sweep()
        table.hands.throw([Die("piecepack", face) for face in faces])
        table.look()
        assert table.referee.snapshot().log[-1].text.startswith(f"{name} rolls")
