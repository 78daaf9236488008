"""Two looks at a picture with a tray, put together."""

from __future__ import annotations

import pytest

from companion.rules.layout import Die
from companion.table.observation import DieReading
from vision.dice.pictures import joined
from vision.dice.reading import SeenDie

SAIL, CUBE = Die("sail", 3), Die("colour", 2)


def seen(box, **faces):
    return SeenDie(box, {Die(kind, 3): p for kind, p in faces.items()})


def lying(box, die, p):
    return DieReading({die: p}, (0.0, 0.0), box, "")


def test_a_sail_is_told_as_it_lies_in_the_tray_if_that_is_surer():
    (die,) = joined([seen((350, 386, 38, 36), sail=0.46)], [lying((345, 388, 50, 56), SAIL, 0.98)])
    assert die.best == (SAIL, 0.98)
    assert die.box == (350, 386, 38, 36)
    (die,) = joined([seen((350, 386, 38, 36), sail=0.46)], [lying((345, 388, 50, 56), SAIL, 0.3)])
    assert die.best == (SAIL, 0.46)


@pytest.mark.parametrize(("is_aslant", "p"), [(True, 0.98), (False, 0.3)])
def test_a_d12_is_told_by_the_tray_only_if_it_is_seen_from_the_side(is_aslant, p):
    twelve = SeenDie((350, 386, 38, 36), {Die("d12", 3): 0.3}, is_aslant)
    (die,) = joined([twelve], [lying((350, 386, 38, 36), Die("d12", 3), 0.98)])
    assert die.best == (Die("d12", 3), p)
    assert not die.is_aslant


def test_a_cube_is_told_by_the_first_look():
    (die,) = joined([seen((350, 386, 38, 36), d6=0.6)], [lying((350, 388, 38, 36), CUBE, 0.98)])
    assert die.best == (Die("d6", 3), 0.6)


def test_a_die_that_only_the_look_into_the_tray_has_seen_is_told_too():
    one = seen((400, 300, 40, 40), sail=0.5)
    other = lying((200, 300, 44, 40), CUBE, 0.97)
    told = joined([one], [other, lying((401, 299, 40, 42), SAIL, 0.9)])
    assert [die.best for die in told] == [(CUBE, 0.97), (SAIL, 0.9)]
    assert told[0].box == (200, 300, 44, 40)


def test_the_neighbour_of_a_die_is_not_taken_for_it():
    """The box of a cube may reach over the sail that touches it."""
    cube = seen((648, 383, 59, 41), d6=0.99)
    told = joined(
        [cube],
        [lying((646, 382, 55, 42), Die("d6", 3), 1.0), lying((678, 390, 42, 34), SAIL, 0.95)],
    )
    assert [die.best[0] for die in told] == [Die("d6", 3), SAIL]


def test_of_two_looks_at_one_place_the_nearer_is_believed():
    sails = [seen((234, 311, 44, 39), sail=0.6), seen((263, 300, 40, 41), sail=0.6)]
    told = joined(sails, [lying((260, 302, 41, 41), SAIL, 0.97)])
    assert [die.best[1] for die in told] == [0.6, 0.97]
