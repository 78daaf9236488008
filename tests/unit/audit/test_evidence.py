"""The evidence is a fair bet: summed over all that fair dice can show, it is 1, whenever."""

from __future__ import annotations

from itertools import product
from math import exp, prod
from random import Random

import numpy as np
import pytest

from companion.audit.batch import favoured, log_evidence, power
from companion.audit.evidence import DIRICHLET_WEIGHT, ODDS, ODDS_WEIGHT, Evidence, log_sum
from companion.audit.fair import ALPHA, DELTA, Fair, exactly_read, read_with_errors
from companion.rules.dice import DieKind

D4 = DieKind("d4", (1, 2, 3, 4))
D6 = DieKind("d6", tuple(range(1, 7)))
D20 = DieKind("d20", tuple(range(1, 21)))
SAIL = DieKind("sail", (2, 3, 3, 4))
BOX = Fair((1, 2, 3), (0.2, 0.3, 0.25), (0.4, 0.5, 0.45), (0.3, 0.4, 0.3), ALPHA - DELTA)


def mean_evidence(fair: Fair, shares: tuple[float, ...], rolls: int) -> float:
    """Return the expected evidence after so many rolls, over all that can come."""
    total = 0.0
    for line in product(range(len(shares)), repeat=rolls):
        evidence = Evidence(fair)
        for k in line:
            evidence.update((fair.values[k],))
        total += prod(shares[k] for k in line) * exp(evidence.log_now)
    return total


@pytest.mark.parametrize("kind", [D4, SAIL])
@pytest.mark.parametrize("rolls", [1, 4])
def test_fair_dice_gain_nothing(kind: DieKind, rolls: int) -> None:
    fair = exactly_read(kind)
    assert mean_evidence(fair, fair.centre, rolls) == pytest.approx(1)


def test_loaded_dice_gain() -> None:
    assert mean_evidence(exactly_read(D4), (0.7, 0.1, 0.1, 0.1), 4) > 1.1


@pytest.mark.parametrize("shares", [(0.3, 0.4, 0.3), (0.2, 0.5, 0.3), (0.4, 0.3, 0.3)])
def test_no_distribution_within_the_limits_gains(shares: tuple[float, ...]) -> None:
    assert mean_evidence(BOX, shares, 5) <= 1 + 1e-12


def test_the_weights_of_the_mixture_are_a_distribution() -> None:
    assert pytest.approx(1) == DIRICHLET_WEIGHT + len(ODDS) * ODDS_WEIGHT


def test_dice_rolled_together_may_come_in_any_order() -> None:
    one, other = Evidence(exactly_read(D6)), Evidence(exactly_read(D6))
    assert one.update((6, 6, 1, 3)) == pytest.approx(other.update((1, 3, 6, 6)))


def test_sorted_dice_are_not_looked_at_half_way() -> None:
    # Six threes and then six fours: half-way through, this looks like a die of nothing but threes.
    evidence = Evidence(exactly_read(DieKind("coin", (3, 4))))
    evidence.update([3] * 6 + [4] * 6)
    assert evidence.log_most == 0.0


def test_what_counts_is_the_most_that_ever_was() -> None:
    evidence = Evidence(exactly_read(D6))
    for _ in range(12):
        evidence.update((6,))
    top = evidence.log_now
    for k in range(600):
        evidence.update((1 + k % 6,))
    assert evidence.log_now < 1 < top == evidence.log_most
    assert evidence.p_value == pytest.approx(exp(-top))


def test_the_price_of_a_measured_reader_is_in_the_p_value() -> None:
    evidence = Evidence(BOX)
    assert evidence.p_value == 1.0
    for _ in range(60):
        evidence.update((1,))
    assert evidence.p_value == pytest.approx(DELTA, abs=1e-3)


@pytest.mark.parametrize("kind", [D4, D6, D20, SAIL])
@pytest.mark.parametrize("is_exact", [True, False])
def test_many_at_once_are_as_one_by_one(kind: DieKind, is_exact: bool) -> None:
    checks = {(v, v): 80 for v in kind.values} | {(kind.values[-1], kind.values[0]): 5}
    fair = exactly_read(kind) if is_exact else read_with_errors(kind, checks)
    dice, evidence = Random(5), Evidence(fair)
    counts, logs = [], []
    for _ in range(200):
        logs.append(evidence.update((dice.choice(kind.faces),)))
        counts.append(list(evidence.counts))
    assert log_evidence(np.array(counts), fair) == pytest.approx(np.array(logs), abs=1e-6)


def test_power_grows_with_rolls_and_with_the_load() -> None:
    fair = exactly_read(D6)
    assert power(fair, 100, 1.5) < power(fair, 300, 1.5) < power(fair, 300, 2.0)
    assert power(fair, 30, 1.25) < 0.05


def test_an_erring_reader_costs_power() -> None:
    checks = {(v, v): 60 for v in D6.values}
    assert power(read_with_errors(D6, checks), 300, 1.5) < power(exactly_read(D6), 300, 1.5)


def test_a_favoured_face_leaves_the_others_their_proportions() -> None:
    assert favoured(np.array([0.25, 0.5, 0.25]), 1, 1.5) == pytest.approx([0.125, 0.75, 0.125])
    assert favoured(np.array([0.5, 0.5]), 0, 3.0).sum() == pytest.approx(1)


def test_a_sum_of_nothing_has_no_logarithm() -> None:
    assert log_sum([]) == -np.inf
