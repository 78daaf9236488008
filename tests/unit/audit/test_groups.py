"""Comparing captains, following one die, and the tests of textbooks."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import exp, factorial, prod
from random import Random

import pytest

from companion.audit.comparison import Comparison, holm
from companion.audit.dependence import Dependence
from companion.audit.exact import fixed_test
from companion.audit.fair import exactly_read
from companion.rules.dice import DieKind

COIN = DieKind("coin", (0, 1))
THREE = DieKind("three", (1, 2, 3))
D6 = DieKind("d6", tuple(range(1, 7)))
D20 = DieKind("d20", tuple(range(1, 21)))


@pytest.mark.parametrize("share", [0.5, 0.2, 0.9])
def test_a_die_without_memory_gains_nothing_fair_or_not(share: float) -> None:
    total = 0.0
    for line in product((0, 1), repeat=9):
        follow = Dependence(exactly_read(COIN))
        for face in line:
            follow.update(face)
        chance = prod(share if face else 1 - share for face in line)
        total += chance * exp(follow.log_now)
    assert 0.05 < total <= 1 + 1e-12


def test_a_die_that_repeats_itself_is_found_out() -> None:
    dice, follow = Random(4), Dependence(exactly_read(D6))
    face = 1
    for _ in range(400):
        face = face if dice.random() < 0.3 else dice.randint(1, 6)
        follow.update(face)
    assert follow.log_most > 5
    assert follow.repeats > 1.5 * follow.expected_repeats()


def test_a_die_that_goes_round_is_found_out_without_repeats() -> None:
    dice, follow = Random(4), Dependence(exactly_read(D6))
    face = 1
    for _ in range(500):
        face = 1 + face % 6 if dice.random() < 0.5 else dice.randint(1, 6)
        follow.update(face)
    assert follow.log_most > 5


def test_as_many_repeats_are_expected_as_the_faces_show_in_any_order() -> None:
    follow, faces = Dependence(exactly_read(D6)), (1, 1, 2, 3, 3, 3)
    for face in faces:
        follow.update(face)
    orders = [*permutations(faces)]
    repeats = sum(a == b for order in orders for a, b in pairwise(order))
    assert follow.expected_repeats() == pytest.approx(repeats / len(orders))


def test_following_begins_with_the_second_roll() -> None:
    follow = Dependence(exactly_read(D6))
    assert follow.expected_repeats() == 0.0
    follow.update(3)
    assert (follow.rolls, follow.log_now) == (0, 0.0)
    follow.update(3)
    assert (follow.rolls, follow.repeats) == (1, 1)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.1, 0.9)])
@pytest.mark.parametrize("others", [1, 2])
def test_like_dice_gain_nothing_whatever_they_are(shares: tuple[float, float], others: int) -> None:
    total = 0.0
    size = 4 * (1 + others)
    for line in product((0, 1), repeat=size):
        side = Comparison(exactly_read(COIN), others)
        for k, face in enumerate(line):
            side.update((face,), in_group=k % (1 + others) == 0)
        total += prod(shares[face] for face in line) * exp(side.log_now)
    assert 0.5 < total <= 1 + 1e-12


def test_a_captain_with_dice_of_their_own_stands_out() -> None:
    dice, side = Random(1), Comparison(exactly_read(D6), 2)
    for k in range(900):
        face = dice.choice((1, 2, 3, 4, 5, 6, 6, 6)) if k % 3 == 0 else dice.randint(1, 6)
        side.update((face,), in_group=k % 3 == 0)
    assert side.p_value < 0.001


def test_what_waits_for_the_others_says_nothing_yet() -> None:
    side = Comparison(exactly_read(D6), 1)
    for _ in range(50):
        side.update((6,), in_group=True)
    assert side.log_now == 0.0
    side.update((1,) * 30, in_group=False)
    assert side.log_now != 0.0


def test_dice_of_one_sorted_roll_are_mixed_before_they_are_paired() -> None:
    # Both roll 1 1 ... 6 6 sorted; taken in that order, the blocks would follow a pattern.
    faces = [face for face in D6.values for _ in range(5)]
    side = Comparison(exactly_read(D6), 1)
    for _ in range(4):
        side.update(faces, in_group=True)
        side.update(faces, in_group=False)
    assert side.p_value > 0.3


def test_holm_keeps_the_order_and_corrects_for_the_number() -> None:
    assert holm({}) == {}
    corrected = holm({"Ann": 0.02, "Bob": 0.02, "Cid": 0.9, "Dan": 0.001})
    assert corrected == pytest.approx({"Ann": 0.06, "Bob": 0.06, "Cid": 0.9, "Dan": 0.004})
    assert list(corrected) == ["Ann", "Bob", "Cid", "Dan"]
    assert holm({"Ann": 0.7, "Bob": 0.9})["Ann"] == 1.0


def exact_p(counts: tuple[int, ...], shares: tuple[Fraction, ...]) -> float:
    def chance(result: tuple[int, ...]) -> Fraction:
        ways = factorial(sum(result))
        for n in result:
            ways //= factorial(n)
        return ways * prod((s**n for s, n in zip(shares, result, strict=True)), start=Fraction(1))

    n, seen = sum(counts), chance(counts)
    results = (r for r in product(range(n + 1), repeat=len(counts)) if sum(r) == n)
    return float(sum(chance(r) for r in results if chance(r) <= seen))


@pytest.mark.parametrize("counts", [(3, 0, 0), (1, 2, 3), (5, 4, 1), (0, 9, 0)])
def test_the_exact_test_is_exact(counts: tuple[int, int, int]) -> None:
    third = Fraction(1, 3)
    found = fixed_test(counts, exactly_read(THREE))
    assert found.method == "exact multinomial"
    assert found.p_value == pytest.approx(exact_p(counts, (third, third, third)))


def test_chi_squared_is_used_where_its_condition_holds() -> None:
    found = fixed_test((30, 20, 10, 10, 40, 20), exactly_read(D6))
    assert (found.method, found.least_expected) == ("chi-squared", pytest.approx(130 / 6))
    assert found.p_value == pytest.approx(7.3318e-06, rel=1e-3)  # 32.0 with 5 degrees of freedom


def test_chi_squared_is_simulated_where_its_condition_fails() -> None:
    found = fixed_test((3, 1) * 10, exactly_read(D20))
    assert (found.method, found.least_expected) == ("simulated chi-squared", 2.0)
    assert found.p_value == fixed_test((3, 1) * 10, exactly_read(D20)).p_value
    assert 0.9 < found.p_value <= 1
    loaded = fixed_test((12,) + (1,) * 19, exactly_read(D20))
    assert loaded.p_value < 0.001


def test_no_rolls_say_nothing() -> None:
    assert fixed_test((0, 0, 0), exactly_read(THREE)).p_value == 1.0
