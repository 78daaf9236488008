"""Doubts that people have answered: of dice of that make they count less, of others as before."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.layout import Die
from companion.table.unsure_dice import COCKED, STACKED
from vision.dice.aspect import DOUBTS
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.reader import TrayReader
from vision.dice.teller import Odds
from vision.dice.tones import Body
from vision.dice.vouched import Vouched
from vision.virtual.dice import DiePose

SIZE_MM = (220.0, 160.0)
RED = Body("icosahedron", np.array([40.0, 60.0, 45.0]))
WHITE = Body("icosahedron", np.array([95.0, 0.0, 0.0]))
SEVEN = Die("d20", 7)


def doubted(nothing: float = 0.0, **by: float) -> Odds:
    """Return a d20 that shows a plain 7 and is doubted so much."""
    kinds, signs = np.zeros(len(KINDS)), np.zeros(len(SIGNS))
    kinds[[0, KINDS.index("d20")]] = nothing, 1 - nothing
    signs[SIGNS.index("7")] = 1.0
    return Odds(kinds, signs, np.array([by.get(doubt.split()[0], 0.0) for doubt in DOUBTS]))


def sure_of(vouched: Vouched, odds: Odds, body: Body = RED) -> float:
    return vouched.lessened(body, odds).faces(("d20",)).get(SEVEN, 0.0)


def answered(times: int, odds: Odds, body: Body = RED) -> Vouched:
    vouched = Vouched()
    for _ in range(times):
        vouched.add(body, odds)
    return vouched


def test_after_so_many_answers_the_same_doubt_is_worth_one_in_so_many_and_one() -> None:
    odds = doubted(cocked=0.3)
    assert not Vouched()
    for times in (0, 1, 3):
        doubt = 0.3 / (1 + times)
        assert sure_of(answered(times, odds), odds) == pytest.approx(1 / (1 + doubt))


def test_a_greater_doubt_and_another_one_weigh_as_before() -> None:
    vouched = answered(9, doubted(cocked=0.3))
    for odds in (doubted(cocked=0.4), doubted(stacked=0.3)):
        assert sure_of(vouched, odds) == sure_of(Vouched(), odds)
    assert {COCKED, STACKED} <= set(DOUBTS)


def test_of_other_dice_nothing_is_known() -> None:
    odds = doubted(cocked=0.3)
    for other in (WHITE, replace(RED, shape="cube")):
        assert sure_of(answered(9, odds), odds, other) == sure_of(Vouched(), odds)


def test_that_it_looks_like_no_die_counts_less_too() -> None:
    odds = doubted(nothing=0.5)
    assert sure_of(Vouched(), odds) == pytest.approx(0.5)
    assert sure_of(answered(3, odds), odds) == pytest.approx(0.8)  # odds of nothing 1/4 to one


def test_answers_to_other_questions_vouch_for_nothing() -> None:
    """Its number was asked, not how it lies: there was no doubt of that to be answered."""
    hardly = doubted(nothing=0.05, cocked=0.004)
    assert sure_of(answered(9, hardly), hardly) == sure_of(Vouched(), hardly)


# -- in a tray ----


def leaning(k: int, lean_deg: float) -> DiePose:
    x, y = 50 + 37 * k % 120, 45 + 29 * k % 70
    return DiePose("d20", 8, x, y, 61 * k, lean_deg=lean_deg, lean_way_deg=83 * k)


def test_a_die_of_an_odd_make_is_asked_about_less_and_a_cocked_one_as_before(tray) -> None:
    """As if its sides were askew: each time it seems to lean by as much."""
    reader = TrayReader(SIZE_MM, tray.empty())

    def sure(pose: DiePose) -> float:
        (die,) = reader.read(tray.picture(pose), ("d20",))
        return die.faces.get(Die("d20", 8), 0.0)

    odd, others = ([leaning(k, 12.0) for k in some] for some in (range(8), range(8, 12)))
    cocked = leaning(3, 19.0)
    before, cocked_before = [sure(pose) for pose in others], sure(cocked)
    for pose in odd:
        picture = tray.picture(pose)
        (die,) = reader.read(picture, ("d20",))
        assert reader.learn(picture, {die.box_px: Die("d20", 8)})
    after = [sure(pose) for pose in others]
    assert max(before) < 0.9 < max(after)
    assert all(a < b for a, b in zip(before, after, strict=True))
    assert max(cocked_before, sure(cocked)) < 0.1
