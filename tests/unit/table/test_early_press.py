"""The big button pressed before the camera has seen what was done, or while it reads it."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from companion.errors import CompanionError, LedgerError, NotYourTurn, StaleVersion
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import CellContent, Die, make_layout
from companion.table.commands import Act, PressTurn, TakeSeat, Undo
from companion.table.observation import Unreadable
from companion.table.referee import Referee
from companion.table.sentences import LOOKING_FIRST, NOT_LOOKED, PRESS_ONCE_MORE
from tests.table.synthetic import Hands
from tests.table.toy import Move, ToyRace, TrickRace, kinds, open_race

GAME = TrickRace()


@pytest.fixture
def moving() -> tuple[Referee, Hands]:
    """Return a table at which Ann may play a trick or pass, and something has just been moved."""
    referee, hands = open_race(GAME)
    referee.expect_picture(True)
    return referee, hands


def test_a_press_waits_for_the_picture_that_is_due(moving: tuple[Referee, Hands]) -> None:
    referee, hands = moving
    referee.command(PressTurn(0))
    assert kinds(referee) == []
    assert referee.snapshot().notice == LOOKING_FIRST
    referee.observe(hands.look())
    assert kinds(referee) == ["pass"]
    assert referee.snapshot().notice is None


def test_what_the_picture_tells_was_meant_and_what_comes_next_was_not(
    moving: tuple[Referee, Hands],
) -> None:
    referee, hands = moving
    referee.command(PressTurn(0))
    hands.throw([Die("coin", 2)])
    referee.observe(hands.look())
    assert kinds(referee) == ["pass", "throw"]
    assert referee.snapshot().notice == PRESS_ONCE_MORE


def test_who_presses_again_does_not_wait(moving: tuple[Referee, Hands]) -> None:
    referee, _ = moving
    referee.command(PressTurn())
    referee.command(PressTurn())
    assert kinds(referee) == ["pass"]


def test_a_press_that_counts_for_nobody_is_refused_at_once(moving: tuple[Referee, Hands]) -> None:
    referee, hands = moving
    referee.command(TakeSeat("ann", 0))
    with pytest.raises(NotYourTurn):
        referee.command(PressTurn(1))
    referee.observe(hands.look())
    assert kinds(referee) == []


@pytest.mark.parametrize("why", ["told", "noticed", "an arm"])
def test_a_press_whose_picture_cannot_be_read_is_dropped_with_a_word(
    moving: tuple[Referee, Hands], why: str
) -> None:
    """It passed the turn, and what had been moved was to be put back."""
    referee, hands = moving
    referee.command(PressTurn(0))
    if why == "told":
        referee.observe(Unreadable("too dark", "1"))
    elif why == "noticed":
        referee.expect_picture(False)
    else:
        referee.observe(hands.look(occluded=frozenset({(-3, 0)})))
    assert kinds(referee) == []
    assert referee.snapshot().notice == NOT_LOOKED
    referee.observe(hands.look())
    assert kinds(referee) == []
    assert referee.snapshot().notice is None
    referee.command(PressTurn(0))
    assert kinds(referee) == ["pass"]


def test_a_press_that_waited_leaves_what_was_said_before_it() -> None:
    """The same picture again asks nothing new."""
    referee, hands = open_race(GAME)
    hands.lay_pieces(make_layout({(0, 0): CellContent(("red",)), (0, 2): CellContent(("blue",))}))
    while referee.snapshot().question is None:
        referee.observe(hands.look())
    asked = referee.snapshot().notice
    referee.expect_picture(True)
    referee.command(PressTurn())
    assert referee.snapshot().notice == LOOKING_FIRST
    referee.observe(hands.look())
    assert referee.snapshot().notice == asked


def test_a_press_of_which_nothing_came_makes_the_next_one_no_second(
    moving: tuple[Referee, Hands],
) -> None:
    referee, _ = moving
    referee.command(PressTurn())
    referee.command(Act(Move(PlayerId(0), "pass", 0)))
    referee.command(Act(Move(CHANCE, "throw", 1)))
    referee.command(Act(Move(PlayerId(0), "run", 1)))
    referee.command(PressTurn(1))
    assert kinds(referee) == ["pass", "throw", "run"]
    assert referee.snapshot().notice == LOOKING_FIRST


def test_who_wins_and_presses_early_is_not_refused() -> None:
    race = ToyRace()
    referee, hands = open_race(race)
    for player in (0, 1, 0, 1, 0):
        referee.command(Act(Move(CHANCE, "throw", 2)))
        if player or referee.state.places[0] < 1:
            referee.command(Act(Move(PlayerId(player), "run", 2)))
    referee.expect_picture(True)
    referee.command(PressTurn())
    won = race.apply(referee.state, Move(PlayerId(0), "run", 2)).state
    hands.lay(race.layout(won))
    for _ in range(3):
        referee.observe(hands.look())
    assert referee.snapshot().over
    assert referee.snapshot().notice is None


@pytest.mark.parametrize("is_read", [True, False], ids=["read", "unread"])
def test_a_press_before_something_is_taken_back_says_nothing(
    moving: tuple[Referee, Hands], is_read: bool
) -> None:
    referee, hands = moving
    referee.command(Act(Move(PlayerId(0), "pass", 0)))
    referee.command(Act(Move(CHANCE, "throw", 1)))
    referee.command(PressTurn())
    referee.command(Undo())
    if is_read:
        referee.observe(hands.look())
    else:
        referee.expect_picture(False)
    assert kinds(referee) == ["pass", "throw"]
    assert referee.snapshot().notice is None


def test_a_late_press_of_another_captain_tells_nobody_to_press(
    moving: tuple[Referee, Hands],
) -> None:
    referee, _ = moving
    for seat, phone in enumerate(("ann", "bob")):
        referee.command(TakeSeat(phone, seat))
    version = referee.snapshot().version
    referee.command(Act(Move(PlayerId(0), "pass", 0)))
    with pytest.raises(StaleVersion):
        referee.command(PressTurn(1, version))
    assert referee.snapshot().notice is None


def test_a_press_that_cannot_be_written_down_waits_on(
    moving: tuple[Referee, Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    referee, hands = moving
    referee.command(PressTurn())
    with monkeypatch.context() as full:
        full.setattr(referee._book, "append", fail)
        with pytest.raises(LedgerError):
            referee.observe(hands.look())
    assert kinds(referee) == []
    referee.observe(hands.look())
    assert kinds(referee) == ["pass"]


def fail(*_: object) -> None:
    raise LedgerError("the card is full")


class Busy:
    """The referee's lock, which tells when somebody waits for it."""

    def __init__(self, lock: Any) -> None:
        self.lock, self.is_wanted = lock, threading.Event()

    def __enter__(self) -> None:
        if not self.lock.acquire(blocking=False):
            self.is_wanted.set()
            self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


def test_a_press_while_a_picture_is_taken_in_is_of_what_was_shown_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    referee, hands = open_race(GAME)
    busy, refused = Busy(threading.RLock()), list[CompanionError]()
    monkeypatch.setattr(referee, "_lock", busy)

    def press() -> None:
        try:
            referee.command(PressTurn())
        except CompanionError as error:
            refused.append(error)

    presser = threading.Thread(target=press)

    def picture() -> bytes:
        presser.start()
        assert busy.is_wanted.wait(20)
        return b"a picture"

    hands.throw([Die("coin", 2)])
    referee.observe(hands.look(), picture)
    presser.join(20)
    assert kinds(referee) == ["pass", "throw"]
    assert [type(error) for error in refused] == [StaleVersion]
    assert referee.snapshot().notice == PRESS_ONCE_MORE
