"""Numerals that people have told: what looks the same is known again, and nothing else is."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.rules.layout import Die
from vision.dice.kinds import CLOSE_SIGNS
from vision.dice.lettering import Lettering
from vision.dice.reader import TrayReader
from vision.dice.table_reader import TableReader
from vision.dice.tones import Body
from vision.virtual.dice import DiePose

SIZE_MM = (220.0, 160.0)
SEVEN, ONE, NINE = (CLOSE_SIGNS.index(sign) for sign in ("7", "1", "9"))
RED, WHITE = np.array([40.0, 60.0, 45.0]), np.array([95.0, 0.0, 0.0])


def said(**by_sign: float) -> np.ndarray:
    """Return what a network says: -5 of every sign but those that are given."""
    logits = np.full(len(CLOSE_SIGNS), -5.0)
    for sign, value in by_sign.items():
        logits[CLOSE_SIGNS.index(sign[1:])] = value
    return logits


def odds_of(logits: np.ndarray) -> np.ndarray:
    return np.exp(logits) / np.exp(logits).sum()


FLAGGED_ONE, PLAIN_SEVEN = said(_1=3.0, _7=4.0), said(_1=-4.0, _7=6.0)


def held(lettering: Lettering, logits: np.ndarray, tone=RED, shape="icosahedron") -> np.ndarray:
    return lettering.held_against(odds_of(logits)[None], [Body(shape, tone)], logits[None])[0]


@pytest.fixture
def lettering() -> Lettering:
    """A red d20 whose 1 the network takes for a 7, as somebody has said."""
    told = Lettering()
    told.add(Body("icosahedron", RED), FLAGGED_ONE, ONE)
    return told


def test_nothing_is_known_at_first() -> None:
    nothing = Lettering()
    assert not nothing
    assert np.array_equal(held(nothing, FLAGGED_ONE), odds_of(FLAGGED_ONE))


def test_what_somebody_has_told_is_known_when_it_is_seen_again(lettering: Lettering) -> None:
    assert odds_of(FLAGGED_ONE).argmax() == SEVEN
    again = held(lettering, FLAGGED_ONE + 0.2)
    assert again.argmax() == ONE
    assert again.max() > 0.9
    assert again.sum() == pytest.approx(1.0)


def test_what_looks_otherwise_stays_as_plain_as_it_was(lettering: Lettering) -> None:
    for plain in (PLAIN_SEVEN, said(_9=6.0)):
        assert np.array_equal(held(lettering, plain), odds_of(plain))


def test_other_dice_are_not_known_by_it(lettering: Lettering) -> None:
    for other in ({"tone": WHITE}, {"shape": "dodecahedron"}):
        assert np.array_equal(held(lettering, FLAGGED_ONE, **other), odds_of(FLAGGED_ONE))


def test_what_is_plain_and_looks_like_another_that_was_told_is_asked_about() -> None:
    """Somebody said 9 of what is plainly a 7: a slip, or a misreading for which nobody asked."""
    told = Lettering()
    told.add(Body("icosahedron", RED), PLAIN_SEVEN, NINE)
    again = held(told, PLAIN_SEVEN)
    assert again.max() < 0.9
    told.add(Body("icosahedron", RED), PLAIN_SEVEN, SEVEN)
    righted = held(told, PLAIN_SEVEN)
    assert righted.argmax() == SEVEN
    assert righted.max() > 0.9


# -- in a tray ----

FACES, EACH, TAUGHT = (4, 6, 8, 16, 18), 4, 1


def pose(face: int, k: int) -> DiePose:
    x, y = 60 + 7 * (3 * face + k) % 100, 50 + 11 * (face + k) % 60
    return DiePose("d20", face, x, y, 37 * face + 61 * k)


def out_of_focus(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 2.0), np.uint8)


def test_of_a_die_that_is_hard_to_read_less_is_asked_the_more_was_told(tray) -> None:
    reader = TrayReader(SIZE_MM, out_of_focus(tray.empty()))
    pictures = {
        (face, k): out_of_focus(tray.picture(pose(face, k))) for face in FACES for k in range(EACH)
    }
    rest = [at for at in pictures if at[1] >= TAUGHT]

    def fates() -> list[str]:
        told = []
        for face, k in rest:
            (die,) = reader.read(pictures[face, k], ("d20",))
            best, p = die.best
            told.append("asked" if p < 0.9 else "right" if best.face == face else "wrong")
        return told

    before = fates()
    for face in FACES:
        picture = pictures[face, 0]
        (die,) = reader.read(picture, ("d20",))
        assert reader.learn(picture, {die.box_px: Die("d20", face)})
    after = fates()
    assert before.count("asked") > len(rest) / 2
    assert after.count("asked") < before.count("asked") / 2
    assert after.count("wrong") <= before.count("wrong")


def test_a_picture_of_another_size_and_what_cannot_be_read_teach_nothing(tray) -> None:
    reader = TrayReader(SIZE_MM, tray.empty())
    picture = tray.picture(pose(4, 0))
    (die,) = reader.read(picture, ("d20",))
    assert reader.learn(picture[:-2], {die.box_px: Die("d20", 7)})
    for unread in (Die("d6", 5), Die("d30", 7), Die("d20", 25)):
        assert reader.learn(picture, {die.box_px: unread})
    assert reader.read(picture, ("d20",))[0].faces == die.faces


def test_a_tray_that_was_never_seen_has_to_be_waited_for(tray) -> None:
    somewhere = {(10, 10, 30, 30): Die("d20", 4)}
    assert not TrayReader(SIZE_MM).learn(tray.picture(pose(4, 0)), somewhere)


def test_a_table_without_a_tray_learns_once_a_throw_has_told_how_it_is_seen(tray) -> None:
    reader, hard = TableReader(), out_of_focus(tray.picture(pose(16, 1)))
    somewhere = {(10, 10, 30, 30): Die("d20", 4)}
    assert not reader.learn(hard, somewhere)
    reader.read(tray.picture(pose(8, 0)), ("d20",))
    (before,) = reader.read(hard, ("d20",))
    for k in (0, 2, 3):
        seen = out_of_focus(tray.picture(pose(16, k)))
        (die,) = reader.read(seen, ("d20",))
        assert reader.learn(seen, {die.box_px: Die("d20", 16)})
    (after,) = reader.read(hard, ("d20",))
    assert before.faces[Die("d20", 16)] < after.faces[Die("d20", 16)]
