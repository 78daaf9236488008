"""How awkward dice are counted: what is said of one is no word about the die it hides."""

from __future__ import annotations

from benchmarks.accuracy_awkward import fates_of
from companion.rules.layout import Die
from companion.table.unsure_dice import STACKED
from vision.dice.reading import SeenDie

ABOVE, BELOW = Die("d12", 8), Die("d20", 10)
BOX, HIDDEN = (100.0, 100.0, 50.0, 50.0), (105.0, 95.0, 50.0, 50.0)


def seen(die: Die) -> SeenDie:
    return SeenDie(BOX, {die: 0.97})


def test_a_hidden_die_is_overlooked_where_the_one_above_it_is_told():
    assert fates_of([seen(ABOVE)], [(BELOW, HIDDEN), (ABOVE, BOX)]) == ["overlooked", "right"]


def test_a_wrong_answer_counts_for_every_die_it_may_be_about():
    told = [seen(Die("d12", 3))]
    assert fates_of(told, [(BELOW, HIDDEN), (ABOVE, BOX)]) == ["wrong", "wrong"]


def test_a_question_counts_for_every_die_it_may_be_about():
    asked = [SeenDie(BOX, {ABOVE: 0.4}, seems=STACKED)]
    assert fates_of(asked, [(BELOW, HIDDEN), (ABOVE, BOX)]) == [STACKED, STACKED]
