"""Rolls told on a phone while the camera sees the same throw: it answers one roll, not two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from companion.boards.profile import load_profile
from companion.ledger.memory_store import MemoryStore
from companion.rules.deeds import Roll
from companion.rules.game import CHANCE
from companion.table.commands import PressTurn
from companion.table.referee import Referee
from companion.table.verdicts import Apply, Ask, Nothing, Verdict
from tests.table.regatta import seen
from tests.table.synthetic import doubtful_die, sure_die
from tests.unit.table.test_tray_rolls import Casters, Throw, Tray

DICE = [1, 3]
THROWN: Throw = ((4, 90, 60), (6, 150, 90), (1, 40, 120))
READ_OTHERWISE: Throw = ((5, 90, 60), (2, 150, 90), (3, 40, 120))
NEXT: Throw = ((2, 40, 40), (3, 120, 30), (5, 180, 130))


def faces(throw: Throw) -> tuple[int, ...]:
    return tuple(sorted(face for face, _, _ in throw))


def check_next_throw_counts(tray: Tray, dice: int) -> None:
    """The next throw is counted without a touch, though it may show what was told."""
    before = tray.count
    tray.look([], has_tumbled=False)
    tray.look([(face, 230 - x, y) for face, x, y in THROWN[:dice]], has_tumbled=True)
    assert (tray.count, tray.faces) == (before + 1, faces(THROWN[:dice]))
    tray.look(NEXT[:dice], has_tumbled=True)
    assert (tray.count, tray.faces) == (before + 2, faces(NEXT[:dice]))


def check_press_counts(tray: Tray, throw: Throw) -> None:
    """Somebody who presses the button says that what lies there was rolled, once."""
    before = tray.count
    vouched = tray.watcher.press()
    assert isinstance(vouched, Apply)
    tray.watcher.accept(vouched.explanation)
    assert (tray.count, tray.faces) == (before + 1, faces(throw))
    check_next_throw_counts(tray, len(throw))


def said_in(verdicts: Sequence[Verdict], dice: int) -> list[str]:
    """Return what the table says of dice in doubt: it asks about one, and speaks of several."""
    return [
        "" if v.notice is None else v.notice.text
        for v in verdicts
        if isinstance(v, Ask if dice == 1 else Nothing)
    ]


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("throw", [THROWN, READ_OTHERWISE], ids=["as told", "otherwise"])
def test_a_throw_that_is_told_while_its_picture_is_read_counts_once(
    throw: Throw, dice: int
) -> None:
    tray = Tray(dice)
    exposed_s = tray.expose()
    tray.tell(faces(THROWN[:dice]))
    verdict = tray.look(throw[:dice], has_tumbled=True, at_s=exposed_s)
    assert (tray.count, verdict) == (1, Nothing())
    assert tray.look(throw[:dice], has_tumbled=False) == Nothing()
    check_next_throw_counts(tray, dice)


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("throw", [THROWN, READ_OTHERWISE], ids=["as told", "otherwise"])
def test_a_throw_that_tumbled_before_it_was_told_counts_once(throw: Throw, dice: int) -> None:
    tray = Tray(dice)
    tumbled_s = tray.expose(), tray.expose()
    tray.tell(faces(THROWN[:dice]))
    assert tray.look(throw[:dice], has_tumbled=True, tumbled_s=tumbled_s) == Nothing()
    assert tray.count == 1
    check_next_throw_counts(tray, dice)


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("has_tumbled", [True, False], ids=["about then", "unseen"])
@pytest.mark.parametrize("throw", [THROWN, READ_OTHERWISE], ids=["as told", "otherwise"])
def test_if_nobody_knows_which_throw_it_is_the_table_asks(
    throw: Throw, has_tumbled: bool, dice: int
) -> None:
    """While it reads a picture the camera takes no other: what tumbles meanwhile it sees later."""
    tray = Tray(dice)
    before_s = tray.expose()
    tray.tell(faces(THROWN[:dice]))
    tumbled_s = (before_s, tray.expose()) if has_tumbled else None
    verdicts = [tray.look(throw[:dice], has_tumbled, tumbled_s=tumbled_s)]
    verdicts += [tray.look(throw[:dice], False) for _ in range(8)]
    assert tray.count == 1
    said = said_in(verdicts, dice)
    assert said
    assert all("throw again, or press" in text for text in said)
    check_press_counts(tray, throw[:dice])


@pytest.mark.parametrize("dice", DICE)
def test_a_throw_after_a_roll_that_was_told_by_hand_counts_though_it_shows_the_same(
    dice: int,
) -> None:
    tray = Tray(dice)
    tray.tell(faces(THROWN[:dice]))
    tray.look(THROWN[:dice], has_tumbled=True)
    assert (tray.count, tray.faces) == (2, faces(THROWN[:dice]))
    check_next_throw_counts(tray, dice)


@pytest.mark.parametrize("dice", DICE)
def test_a_throw_nobody_saw_tumble_counts_if_the_told_one_was_not_there(dice: int) -> None:
    """As ever: a die that falls out of a hand is asked about only if it shows what was told."""
    tray = Tray(dice)
    tray.tell(faces(THROWN[:dice]))
    tray.look([], has_tumbled=False)
    tray.look(READ_OTHERWISE[:dice], has_tumbled=False)
    assert (tray.count, tray.faces) == (2, faces(READ_OTHERWISE[:dice]))


@pytest.mark.parametrize("p", [0.8, 0.4, 0.0], ids=["asked about", "cocked", "no idea"])
@pytest.mark.parametrize("told", [4, 2], ids=["as told", "otherwise"])
def test_a_doubtful_die_that_is_told_counts_once_though_it_is_plain_later(
    told: int, p: float
) -> None:
    tray = Tray(1)
    faces_read = {die: p for die in sure_die("d6", 4, 0, 0).faces if p}
    for second in range(9):
        lying = (doubtful_die(faces_read, 90, 60),)
        picture = replace(seen({}, (), 10.0 + second), dice=lying, has_tumbled=second == 0)
        tray.watcher.observe(picture)
    tray.clock_s = 20.0
    tray.tell((told,))
    for _ in range(3):
        assert tray.look(THROWN[:1], has_tumbled=False) == Nothing()
    assert tray.count == 1
    check_next_throw_counts(tray, 1)


def test_a_die_hidden_at_first_is_part_of_the_throw_that_was_told() -> None:
    tray = Tray(1)
    tumbled_s = tray.expose(), tray.expose()
    tray.tell((4,))
    tray.tell((6,))
    tray.look(((4, 90, 60), (6, 150, 90)), has_tumbled=True, tumbled_s=tumbled_s)
    assert tray.count == 2


def test_dice_thrown_early_are_not_taken_for_the_roll_that_somebody_tells() -> None:
    """Both lay there when the one roll was told: nobody knows what the other one is."""
    tray = Tray(1)
    exposed_s = tray.expose()
    tray.tell((4,))
    tray.look(((4, 90, 60), (6, 150, 90)), has_tumbled=True, at_s=exposed_s)
    assert tray.count == 1
    assert any(
        isinstance(tray.look(((4, 90, 60), (6, 150, 90)), has_tumbled=False), Ask) for _ in range(8)
    )
    assert tray.count == 1


@pytest.mark.parametrize("has_tumbled", [True, False])
def test_a_choice_told_next_does_not_make_the_throw_new(has_tumbled: bool) -> None:
    """Whoever plays on quickly on a phone is ahead of the camera by more than one tap."""
    tray = Tray(1)
    exposed_s = tray.expose()
    tray.tell((4,))
    tray.watcher.settle(tray.watcher.state)
    tray.look(READ_OTHERWISE[:1], has_tumbled=has_tumbled, at_s=exposed_s)
    tray.look(READ_OTHERWISE[:1], has_tumbled=False)
    assert tray.count == 1


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("was_told", [True, False])
def test_what_was_thrown_when_something_is_taken_back_counts_if_somebody_says_so(
    was_told: bool, dice: int
) -> None:
    """It may have been for the roll that was taken back, or for the one that followed it."""
    tray = Tray(dice)
    before = tray.watcher.state
    if was_told:
        exposed_s = tray.expose()
        tray.tell(faces(NEXT[:dice]))
    else:
        tray.look(NEXT[:dice], has_tumbled=True)
        exposed_s = tray.expose()
    roll = Roll(CHANCE, faces(NEXT[:dice]))
    tray.watcher.settle(before, undone=[(roll, tray.watcher.state)])
    verdicts = [tray.look(THROWN[:dice], has_tumbled=True, at_s=exposed_s)]
    verdicts += [tray.look(THROWN[:dice], has_tumbled=False) for _ in range(8)]
    assert "I did not see" in said_in(verdicts, dice)[-1]
    assert tray.count == 0
    check_press_counts(tray, THROWN[:dice])


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("again", [NEXT, THROWN], ids=["other faces", "the same faces"])
def test_a_roll_that_was_taken_back_is_thrown_again_without_a_touch(
    again: Throw, dice: int
) -> None:
    tray = Tray(dice)
    before = tray.watcher.state
    tray.look(THROWN[:dice], has_tumbled=True)
    roll = Roll(CHANCE, faces(THROWN[:dice]))
    tray.watcher.settle(before, undone=[(roll, tray.watcher.state)])
    tray.look([(face, 230 - x, y) for face, x, y in again[:dice]], has_tumbled=True)
    assert (tray.count, tray.faces) == (1, faces(again[:dice]))


@pytest.mark.parametrize("seat", [None, 0], ids=["button", "phone"])
def test_what_was_thrown_again_when_the_last_throw_is_vouched_for_is_asked_about(
    seat: int | None,
) -> None:
    """Else one press makes two rolls: who throws again may press a moment too early."""
    profile, store = load_profile("open-table"), MemoryStore()
    referee = Referee.open(Casters(1), ["Ann", "Bob"], {}, profile, store, lambda: 0.0, "cast")

    def look(at_s: float, throw: Throw, *, has_tumbled: bool = False) -> None:
        dice = tuple(sure_die("d6", *die) for die in throw)
        referee.observe(replace(seen({}, (), at_s), dice=dice, has_tumbled=has_tumbled))

    look(0.0, [])
    look(1.0, THROWN[:1], has_tumbled=True)
    look(2.0, [(4, 160, 60)])
    assert referee.state.count == 1
    referee.note_exposure(3.0)
    referee.command(PressTurn(seat))
    assert referee.state.count == 2
    look(3.0, NEXT[:1], has_tumbled=True)
    for second in range(4, 12):
        look(float(second), NEXT[:1])
    assert referee.state.count == 2
    question = referee.snapshot().question
    assert question is not None
    assert "I did not see d6 2 rolled" in str(referee.snapshot().notice)
