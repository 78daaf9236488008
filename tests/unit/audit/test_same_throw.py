"""Which throws are one, seen twice."""

from __future__ import annotations

import pytest

from companion.trial.throws import ReadFace, Thrown, is_same_throw

Box = tuple[int, int, int, int]
AT: Box = (100, 100, 30, 40)


def die(face: int | None, box: Box | None = AT, *, is_sure: bool = True) -> ReadFace:
    return ReadFace(face, 0.99, box, "", is_sure=is_sure)


UNSEEN = die(None, None, is_sure=False)


@pytest.mark.parametrize(
    ("before", "now", "is_same"),
    [
        ([die(5)], [die(5)], True),
        ([die(5)], [die(5, (109, 100, 30, 40))], True),  # as pictures differ
        ([die(5)], [die(5, (110, 100, 30, 40))], False),
        ([die(5)], [die(5, (100, 110, 30, 40))], False),
        ([die(5, (70, 70, 100, 100))], [die(5, (115, 100, 40, 40))], True),  # its box is another
        ([die(5, (70, 70, 100, 100))], [die(5, (100, 115, 40, 40))], True),
        ([die(5, (100, 100, 40, 40))], [die(5, (70, 70, 100, 100))], True),
        ([die(5)], [die(6)], False),
        ([die(5, is_sure=False)], [die(6)], True),  # what was in doubt is seen better now
        ([die(5)], [die(6, is_sure=False)], True),
        ([UNSEEN], [die(5)], False),
        ([die(5)], [UNSEEN], False),
        ([die(5)], [UNSEEN, die(5)], True),
        ([die(4, (300, 100, 30, 40)), die(5)], [die(5), die(6, (0, 0, 30, 40))], True),
        ([die(4, (300, 100, 30, 40)), die(4, (400, 9, 30, 40)), die(5)], [die(5)], False),
    ],
)
def test_a_throw_is_the_same_where_half_of_its_dice_lie_still(
    before: list[ReadFace], now: list[ReadFace], is_same: bool
) -> None:
    assert is_same_throw(Thrown(tuple(before), "", b""), Thrown(tuple(now), "", b"")) == is_same
