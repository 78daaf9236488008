"""A roll is told once, when it rests; picking dice up and putting them back is not one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.unsure_dice import COCKED
from vision.dice.rolls import RollGate, RollWatch


def die(face: int, x: float, y: float = 50.0, p: float = 0.99) -> DieReading:
    return DieReading({Die("d6", face): p}, (x, y), (0, 0, 40, 40))


def test_dice_thrown_into_an_empty_tray_are_a_roll_once() -> None:
    gate = RollGate(2)
    assert gate.rest([], False) is None
    roll = gate.rest([die(3, 40), die(5, 90)], False)
    assert roll is not None
    assert roll.is_certain
    assert len(roll.dice) == 2
    assert gate.rest([die(3, 40.3), die(5, 89.8)], False) is None


def test_a_throw_of_too_few_dice_is_doubtful_until_the_others_are_seen() -> None:
    gate = RollGate(2)
    few = gate.rest([die(3, 40)], False)
    assert few is not None
    assert not few.is_certain
    assert not few.is_whole
    assert few.doubt == "I see 1 die, 2 are rolled at once"
    assert gate.rest([die(3, 40)], False) is None  # nothing new
    roll = gate.rest([die(3, 40), die(5, 90)], False)
    assert roll is not None
    assert roll.is_certain
    assert roll.is_whole
    assert {r.best for r in roll.dice} == {(Die("d6", 3), 0.99), (Die("d6", 5), 0.99)}


def test_a_throw_is_not_lost_though_as_few_dice_are_seen_as_before() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    for seen in ([die(2, 60), die(4, 120)], [die(6, 70), die(4, 110)], [die(6, 30), die(4, 95)]):
        few = gate.rest(seen, True)
        assert few is not None
        assert few.doubt == "I see 2 dice, 3 are rolled at once"
    whole = gate.rest([die(5, 60), die(1, 120), die(3, 30)], True)
    assert whole is not None
    assert whole.is_certain


def test_a_throw_of_which_no_die_is_seen_is_asked_about() -> None:
    gate = RollGate(2)
    gate.rest([die(3, 40), die(5, 90)], True)
    assert gate.rest([], True) is None  # taken up, faster than an arm is seen
    none = gate.rest([], True)
    assert none is not None
    assert not none.is_whole
    assert none.doubt == "I see 0 dice, 2 are rolled at once"


def test_a_throw_of_too_many_dice_is_doubtful() -> None:
    gate = RollGate(1)
    many = gate.rest([die(2, 60), die(4, 120)], True)
    assert many is not None
    assert (many.is_certain, many.is_whole, len(many.dice)) == (False, False, 2)
    assert many.doubt == "I see 2 dice, 1 is rolled at once"


def test_dice_that_are_taken_up_one_after_the_other_are_no_throw() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    assert gate.rest([die(3, 40), die(5, 90)], False) is None
    assert gate.rest([die(3, 60)], False) is None  # pushed aside
    assert gate.rest([], False) is None


def test_dice_of_a_throw_that_was_too_few_are_taken_up_in_silence() -> None:
    gate = RollGate(4)
    assert gate.rest([die(3, 40), die(5, 90), die(1, 150)], True) is not None
    assert gate.rest([die(3, 40), die(5, 97)], False) is None
    assert gate.rest([die(5, 97, p=0.5)], False) is None


def test_an_unclear_die_at_a_new_place_belongs_to_a_throw() -> None:
    gate = RollGate(2)
    gate.rest([die(3, 40), die(5, 90)], True)
    few = gate.rest([die(3, 130, p=0.5)], False)
    assert few is not None
    assert not few.is_whole


def test_dice_that_are_left_lying_are_no_throw_though_another_thing_is_seen() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    assert gate.rest([die(3, 40), die(5, 90), die(1, 150), die(2, 60)], True) is None


def test_what_lies_there_at_the_beginning_was_not_rolled() -> None:
    gate = RollGate(1)
    gate.begin([die(4, 40)])
    assert gate.rest([die(4, 40)], False) is None
    doubtful = gate.rest([die(4, 90)], False)
    assert doubtful is not None
    assert not doubtful.is_certain
    roll = gate.rest([die(2, 60)], False)
    assert roll is not None
    assert roll.is_certain


@pytest.mark.parametrize("between", [[], None])
def test_dice_that_are_put_back_as_they_were_are_no_roll(between: list[DieReading] | None) -> None:
    gate = RollGate(2)
    gate.rest([die(3, 40), die(5, 90)], True)
    if between is not None:
        assert gate.rest(between, False) is None
    doubtful = gate.rest([die(5, 140), die(3, 60)], False)
    assert doubtful is not None
    assert not doubtful.is_certain
    assert "button" in doubtful.doubt


def test_a_roll_that_repeats_a_die_by_chance_is_not_lost() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    doubtful = gate.rest([die(3, 41), die(2, 70), die(6, 120)], True)
    assert doubtful is not None
    assert not doubtful.is_certain
    assert len(doubtful.dice) == 3
    assert "all of them were rolled" in doubtful.doubt
    confirmed = gate.confirm()
    assert confirmed is not None
    assert confirmed.dice == doubtful.dice
    assert gate.rest([die(3, 41), die(2, 70), die(6, 120)], False) is None


def test_where_most_dice_were_left_lying_the_rest_is_waited_for() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    assert gate.rest([die(3, 40), die(5, 90), die(6, 120)], True) is None


def test_the_button_makes_a_roll_of_a_doubtful_one() -> None:
    gate = RollGate(1)
    gate.rest([die(4, 40)], True)
    gate.rest([die(4, 90)], False)
    confirmed = gate.confirm()
    assert confirmed is not None
    assert confirmed.is_certain
    assert gate.confirm() is None


def test_the_same_faces_after_tumbling_are_a_roll() -> None:
    gate = RollGate(1)
    gate.rest([die(4, 40)], True)
    again = gate.rest([die(4, 90)], True)
    assert again is not None
    assert again.is_certain


def test_another_face_was_turned_so_it_was_rolled() -> None:
    gate = RollGate(1)
    gate.rest([die(4, 40)], True)
    again = gate.rest([die(2, 42)], False)
    assert again is not None
    assert again.is_certain


def test_dice_that_stay_are_no_part_of_a_roll() -> None:
    gate = RollGate(1)
    gate.rest([die(4, 40)], True)
    roll = gate.rest([die(4, 40), die(6, 100)], True)
    assert roll is not None
    assert [r.centre_mm[0] for r in roll.dice] == [100]
    unclear = gate.rest([die(4, 40), die(6, 100), die(2, 150, p=0.5)], True)
    assert unclear is not None
    assert [r.best for r in unclear.dice] == [(Die("d6", 2), 0.5)]


def test_a_cocked_die_is_asked_about() -> None:
    gate = RollGate(2)
    leaning = replace(die(6, 100, p=0.5), seems=COCKED)
    roll = gate.rest([die(4, 40), leaning], True)
    assert roll is not None
    assert not roll.is_certain
    assert roll.doubt == "a die is cocked: put it right or say what it shows"
    assert gate.confirm() is None
    righted = gate.rest([die(4, 40), die(6, 100)], False)
    assert righted is not None
    assert righted.is_certain


def test_thirty_dice_are_one_roll_though_some_lie_where_the_same_lay_before() -> None:
    gate = RollGate(30)
    first = [die(k % 6 + 1, 20.0 * (k % 6), 20.0 * (k // 6)) for k in range(30)]
    assert gate.rest(first, True) is not None
    second = [die((k + 1) % 6 + 1, 20.0 * (k % 6) + 9, 20.0 * (k // 6)) for k in range(30)]
    again = gate.rest([*first[:2], *second[2:]], True)
    assert again is not None
    assert again.is_certain
    assert len(again.dice) == 30


def test_a_few_dice_that_are_rolled_again_are_not_thirty() -> None:
    gate = RollGate(30)
    first = [die(k % 6 + 1, 20.0 * (k % 6), 20.0 * (k // 6)) for k in range(30)]
    gate.rest(first, True)
    assert gate.rest([*first[:20], *(die(5, 200.0, 9.0 * k) for k in range(10))], True) is None
    pair = RollGate(2)
    pair.rest([die(3, 40), die(5, 90)], True)
    assert pair.rest([die(3, 40), die(6, 120)], True) is None


@pytest.mark.parametrize(("dice", "is_certain"), [(7, False), (8, True)])
def test_of_eight_dice_one_may_lie_where_the_same_lay_before(dice: int, is_certain: bool) -> None:
    gate = RollGate(dice)
    first = [die(3, 20.0 * k) for k in range(dice)]
    gate.rest(first, True)
    again = gate.rest([first[0], *(die(5, 20.0 * k, 90.0) for k in range(1, dice))], True)
    assert again is not None
    assert again.is_certain is is_certain
    assert len(again.dice) == dice


def test_beside_eight_that_were_rolled_a_die_that_stayed_is_none_of_them() -> None:
    gate = RollGate(8)
    first = [die(3, 20.0 * k) for k in range(8)]
    gate.rest(first, True)
    again = gate.rest([first[0], *(die(5, 20.0 * k, 90.0) for k in range(8))], True)
    assert again is not None
    assert again.is_certain
    assert len(again.dice) == 8


def test_a_throw_with_an_unclear_die_is_not_lost_though_one_lies_as_before() -> None:
    gate = RollGate(3)
    gate.rest([die(3, 40), die(5, 90), die(1, 150)], True)
    leaning = replace(die(2, 70, p=0.5), seems=COCKED)
    roll = gate.rest([die(3, 41), leaning, die(6, 120)], True)
    assert roll is not None
    assert len(roll.dice) == 3
    assert roll.doubt == "a die is cocked: put it right or say what it shows"
    assert gate.confirm() is None, "what it shows is to be said"
    gate.counted()
    assert gate.rest([die(3, 41), die(2, 70), leaning], True) is None, "most were left lying"


def test_where_half_of_the_dice_were_left_lying_and_one_is_gone_nothing_was_thrown() -> None:
    gate = RollGate(4)
    lying = [die(3, 40), die(5, 90)]
    gate.rest([*lying, die(1, 150), die(2, 200)], True)
    assert gate.rest([*lying, die(6, 120)], True) is None


def scene(*at: tuple[int, int], arm: bool = False) -> np.ndarray:
    picture = np.full((240, 320, 3), 60, np.uint8)
    for x, y in at:
        picture[y : y + 30, x : x + 30] = 220
    if arm:
        picture[100:, 130:190] = 150
    return picture


FLYING = [scene((80, 60)), scene((130, 90)), scene((170, 130)), scene((200, 150))]


class Readings:
    """A reader that finds one die where the bright square is, always with the same face."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, picture: np.ndarray) -> tuple[DieReading, ...]:
        self.calls += 1
        rows, columns = np.nonzero(picture[..., 0] > 200)
        return (die(4, float(columns.mean()) / 2, float(rows.mean()) / 2),) if len(rows) else ()


def feed(watch: RollWatch, *pictures: np.ndarray) -> list[bool | None]:
    told = [watch.feed(picture) for picture in pictures]
    return [None if roll is None else roll.is_certain for roll in told]


def test_a_die_that_tumbles_without_an_arm_is_a_certain_roll_told_once() -> None:
    read = Readings()
    watch = RollWatch(read, 1)
    lying = [scene((40, 40))] * 4
    assert feed(watch, *lying) == [None] * 4  # it lay there when the watch began
    told = feed(watch, *FLYING, *[scene((200, 150))] * 5)
    assert told.count(True) == 1
    assert read.calls == 2


def test_a_die_carried_by_a_hand_is_doubtful() -> None:
    watch = RollWatch(Readings(), 1)
    feed(watch, *[scene((40, 40))] * 4)
    hand = [scene(arm=True), scene((145, 80), arm=True), scene((200, 100), arm=True)]
    told = feed(watch, *hand, *[scene((200, 100))] * 5)
    assert told.count(True) == 0
    assert told.count(False) == 1


class DimReadings(Readings):
    """The same in a dim room: a die is told once enough pictures are taken together."""

    def __init__(self, least: int) -> None:
        super().__init__()
        self.least = least

    def __call__(self, picture: np.ndarray) -> tuple[DieReading, ...]:
        return tuple(
            reading if self.calls >= self.least else replace(reading, faces={})
            for reading in super().__call__(picture)
        )


@pytest.mark.parametrize(
    ("read", "due"), [(Readings(), "_x_____x________"), (DimReadings(99), "_x_____xxxxxxxx_")]
)
def test_a_picture_is_about_to_be_read_while_what_was_rolled_comes_to_rest(
    read: Readings, due: str
) -> None:
    watch, seen = RollWatch(read, 1), ""
    for picture in [*[scene()] * 3, *FLYING, *[scene((200, 150))] * 9]:
        watch.feed(picture)
        seen += "x" if watch.is_about_to_read else "_"
    assert seen == due


def begun(read: Readings) -> RollWatch:
    watch = RollWatch(read, 1)
    assert feed(watch, *[scene()] * 4) == [None] * 4
    return watch


@pytest.mark.parametrize(("least", "is_told"), [(3, True), (99, False)])
def test_what_one_picture_leaves_open_is_looked_at_once_more_before_anybody_is_asked(
    least: int, is_told: bool
) -> None:
    read = DimReadings(least)  # the empty tray, the first look, the second
    told = feed(begun(read), *FLYING, *[scene((200, 150))] * 30)
    assert told.count(is_told) == 1
    assert told.count(not is_told) == 0
    assert read.calls == 3


def test_a_roll_that_is_taken_up_before_the_second_look_is_not_lost() -> None:
    read = DimReadings(least=99)
    watch = begun(read)
    assert feed(watch, *FLYING, *[scene((200, 150))] * 4) == [None] * 8
    assert feed(watch, scene((200, 150), arm=True)) == [False]
    assert (watch.picture[150:180, 200:230] == 220).all()
    assert (watch.picture == scene((200, 150))).all()  # without the arm


def test_a_roll_at_the_end_of_a_film_is_not_lost() -> None:
    watch = begun(DimReadings(least=99))
    assert feed(watch, *FLYING, *[scene((200, 150))] * 4) == [None] * 8
    left = watch.end()
    assert left is not None
    assert not left.is_certain
    assert watch.end() is None


def test_a_throw_of_too_few_dice_is_looked_at_once_more() -> None:
    read = Readings()
    watch = RollWatch(read, 2)
    feed(watch, *[scene()] * 4)
    told = feed(watch, *FLYING, *[scene((200, 150))] * 14)
    assert told.count(False) == 1
    assert read.calls == 3


@pytest.mark.parametrize("awaited", [1, 2, 3, 9])
@pytest.mark.parametrize("seen", [0, 1, 2, 3, 4, 9, 10])
@pytest.mark.parametrize("p", [0.99, 0.4])
def test_whatever_is_seen_after_a_throw_into_an_empty_tray_is_a_roll(
    awaited: int, seen: int, p: float
) -> None:
    """Each picture of a folder is taken so, and none may be passed over."""
    roll = RollGate(awaited).rest([die(4, 30.0 * k, p=p) for k in range(seen)], has_tumbled=True)
    assert roll is not None
    assert len(roll.dice) == seen
    assert roll.is_whole == (seen == awaited)
    assert roll.is_certain == (roll.is_whole and p == 0.99)
