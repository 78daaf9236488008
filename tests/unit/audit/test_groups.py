"""Comparing captains, following one die, and the tests of textbooks."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations, product
from math import exp, factorial, log, prod
from random import Random

import numpy as np
import pytest
from scipy import stats

from companion.audit.comparison import FIRMNESS, Comparison, holm
from companion.audit.dependence import REPEAT_ODDS, REPEAT_WEIGHT, TABLE_WEIGHT, Dependence
from companion.audit.evidence import ROLLS_PER_FACE
from companion.audit.exact import SIMULATED, FixedTest, fixed_test
from companion.audit.fair import exactly_read
from companion.rules.dice import DieKind

COIN = DieKind("coin", (0, 1))
THREE = DieKind("three", (1, 2, 3))
SAIL = DieKind("sail", (2, 3, 3, 4))
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


def chances_with_memory(
    fair: np.ndarray, before: list[int], odds: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a die with a memory shows next; and one without, as far as one knows."""
    firm = ROLLS_PER_FACE * len(fair)
    came = np.bincount(before[1:], minlength=len(fair))
    plain = (firm * fair + came) / (firm + came.sum())
    last = before[-1]
    if odds is None:
        next_ones = [b for a, b in pairwise(before) if a == last]
        told = firm * plain + np.bincount(next_ones, minlength=len(fair))
    else:
        told = plain * np.where(np.arange(len(fair)) == last, odds, 1.0)
    return told / told.sum(), plain


@pytest.mark.parametrize("kind", [COIN, SAIL, D6])
def test_a_memory_is_weighed_as_the_likelihood_of_the_dice_that_have_one(kind: DieKind) -> None:
    fair = exactly_read(kind)
    faces = [fair.values.index(Random(11).choice(kind.faces))]
    follow, dice, shares = Dependence(fair), Random(11), np.array(fair.shares)
    follow.update(fair.values[faces[0]])
    weights = [TABLE_WEIGHT, *[REPEAT_WEIGHT] * len(REPEAT_ODDS)]
    likely = np.log(weights)
    for _ in range(60):
        k = faces[-1] if dice.random() < 0.2 else fair.values.index(dice.choice(kind.faces))
        for n, odds in enumerate((None, *REPEAT_ODDS)):
            likely[n] += log(chances_with_memory(shares, faces, odds)[0][k])
        faces.append(k)
        came = np.bincount(faces[1:])
        best = sum(n * log(n / came.sum()) for n in came if n)
        now = follow.update(fair.values[k])
        assert now == follow.log_now == pytest.approx(np.logaddexp.reduce(likely) - best)
    assert sum(weights) == pytest.approx(1)


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


@pytest.mark.parametrize("kind", [SAIL, D6])
@pytest.mark.parametrize("others", [1, 3])
def test_sides_are_weighed_as_they_were_expected_before_each_block(
    kind: DieKind, others: int
) -> None:
    fair, dice = exactly_read(kind), Random(2)
    side, own, rest = Comparison(fair, others), [*[0] * len(fair.values)], [0] * len(fair.values)
    logs = [0.0] * len(FIRMNESS)
    for _ in range(40):
        block = [dice.choices(fair.values, range(1, 1 + len(own)))[0]]
        block += dice.choices(kind.faces, k=others)
        prior = ROLLS_PER_FACE * len(own) * np.array(fair.shares)
        both = (prior + own + rest) / sum(prior + own + rest)
        for n, per_face in enumerate(FIRMNESS):
            firm = per_face * len(own) * both
            told = [(firm + came) / sum(firm + came) for came in (own, rest)]
            mean = (told[0] + others * told[1]) / (1 + others)
            for is_rest, face in zip((0, *[1] * others), block, strict=True):
                k = fair.values.index(face)
                logs[n] += log(told[is_rest][k] / mean[k])
        for is_rest, face in zip((0, *[1] * others), block, strict=True):
            (own, rest)[is_rest][fair.values.index(face)] += 1
            now = side.update((face,), in_group=not is_rest)
        assert now == side.log_now == pytest.approx(np.logaddexp.reduce(logs) - log(len(logs)))


def test_what_waits_for_the_others_says_nothing_yet() -> None:
    side = Comparison(exactly_read(D6), 1)
    for _ in range(50):
        side.update((6,), in_group=True)
    assert side.log_now == 0.0
    side.update((1,) * 30, in_group=False)
    assert side.log_now != 0.0


def test_dice_of_one_sorted_roll_are_mixed_before_they_are_paired() -> None:
    # Half-way through 1 1 ... 6 6 one side would have rolled nothing but ones, twos and threes.
    faces = [face for face in D6.values for _ in range(20)]
    side = Comparison(exactly_read(D6), 1)
    side.update(faces, in_group=True)
    side.update(faces[::-1], in_group=False)
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


def results(rolls: int) -> list[tuple[int, ...]]:
    return [one for one in product(range(rolls + 1), repeat=3) if sum(one) == rolls]


@pytest.mark.parametrize(
    ("kind", "shares"),
    [(THREE, (Fraction(1, 3),) * 3), (SAIL, (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)))],
)
def test_the_exact_test_is_exact(kind: DieKind, shares: tuple[Fraction, ...]) -> None:
    for counts in [*results(7), (12, 3, 1)]:
        found = fixed_test(counts, exactly_read(kind))
        assert found.method == "exact multinomial"
        assert found.p_value == pytest.approx(exact_p(counts, shares))


@pytest.mark.parametrize(
    ("kind", "counts"), [(D6, (30, 20, 10, 10, 40, 20)), (SAIL, (60, 130, 90)), (D6, (3, 7) * 3)]
)
def test_chi_squared_is_used_where_its_condition_holds(
    kind: DieKind, counts: tuple[int, ...]
) -> None:
    fair, rolls = exactly_read(kind), sum(counts)
    found = fixed_test(counts, fair)
    least = rolls * min(fair.shares)
    assert (found.method, found.least_expected) == ("chi-squared", pytest.approx(least))
    expected = rolls * np.array(fair.shares)
    assert found.p_value == pytest.approx(stats.chisquare(counts, expected).pvalue)
    # An unread die may have shown the rarest face, too.
    assert fixed_test(counts, fair, 12).least_expected == pytest.approx(
        (rolls + 12) * min(fair.shares)
    )


def test_chi_squared_is_simulated_where_its_condition_fails() -> None:
    found = fixed_test((3, 1) * 10, exactly_read(D20))
    assert (found.method, found.least_expected) == ("simulated chi-squared", 2.0)
    assert found == fixed_test((3, 1) * 10, exactly_read(D20)), "it is seeded"
    loaded = fixed_test((15,) + (1,) * 19, exactly_read(D20))
    assert loaded.p_value == pytest.approx(1 / (1 + SIMULATED)), "never 0"
    assert fixed_test((2, 3, 2, 2, 2, 2), exactly_read(D6)).method == "exact multinomial"
    assert fixed_test((3, 3, 3, 3, 2, 2), exactly_read(D6)).method == "simulated chi-squared"


@pytest.mark.parametrize("counts", [(3, 1) * 10, (3, 2, 2, 3, 0) * 4, (4, 4, 4, 4, *(2,) * 12)])
def test_of_simulated_rolls_all_count_that_are_as_far_off(counts: tuple[int, ...]) -> None:
    # Of faces that are alike, chi-squared orders results by the sum of their squares: whole
    # numbers, so ties are ties.
    squares = (np.random.default_rng(7).multinomial(40, [1 / 20] * 20, 200_000) ** 2).sum(1)
    counts += (0,) * (20 - len(counts))
    as_far = (squares >= sum(n * n for n in counts)).mean()
    assert fixed_test(counts, exactly_read(D20)).p_value == pytest.approx(as_far, abs=0.02)


def test_no_rolls_say_nothing() -> None:
    nothing = FixedTest("exact multinomial", 1.0, 0.0)
    assert fixed_test((0, 0, 0), exactly_read(THREE)) == nothing
