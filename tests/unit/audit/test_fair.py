"""What a fair die shows through a reader that errs: the limits hold, the kindest is the kindest."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.audit.fair import ALPHA, DELTA, Fair, exactly_read, read_with_errors, upper_limit
from companion.rules.dice import DieKind

D6 = DieKind("d6", tuple(range(1, 7)))
SAIL = DieKind("sail", (2, 3, 3, 4))


def perfect(kind: DieKind, times: int) -> dict[tuple[int, int], int]:
    return {(v, v): times for v in kind.values}


def test_exact_reading_leaves_the_declared_distribution_alone() -> None:
    fair = exactly_read(SAIL)
    assert fair.is_exact
    assert fair.kindest((9, 0, 0)) == (0.25, 0.5, 0.25)
    assert fair.log_excess((9, 0, 0)) == 0.0
    assert fair.alpha == ALPHA


def test_limits_enclose_what_was_measured_and_perfection() -> None:
    checks = perfect(D6, 200) | {(6, 6): 190, (6, 5): 10}
    fair = read_with_errors(D6, checks)
    measured = [1 / 6] * 4 + [(1 + 0.05) / 6, 0.95 / 6]
    for low, high, share in zip(fair.low, fair.high, measured, strict=True):
        assert low < share < high
        assert low < 1 / 6 < high
    assert fair.centre == pytest.approx(measured)
    assert fair.alpha == ALPHA - DELTA
    assert fair.checks == 1200


def test_more_checks_draw_the_limits_closer() -> None:
    few, many = (read_with_errors(D6, perfect(D6, n)) for n in (30, 3000))
    assert all(a < b for a, b in zip(few.low, many.low, strict=True))
    assert all(a > b for a, b in zip(few.high, many.high, strict=True))


def test_a_face_that_was_never_checked_may_be_read_as_anything() -> None:
    checks = perfect(D6, 500)
    del checks[3, 3]
    fair = read_with_errors(D6, checks)
    assert fair.low[2] == 0.0
    assert all(h == 1.0 for v, h in zip(D6.values, fair.high, strict=True) if v != 3)


def test_the_limits_hold_as_often_as_they_promise() -> None:
    rng = np.random.default_rng(2)
    reads = np.eye(6)
    reads[5, 4:] = 0.08, 0.92
    reads[0, :2] = 0.97, 0.03
    truth = np.full(6, 1 / 6) @ reads
    missed = 0
    for _ in range(400):
        checks = {
            (v, r): int(n)
            for v, row in zip(D6.values, reads, strict=True)
            for r, n in zip(D6.values, rng.multinomial(60, row), strict=True)
        }
        fair = read_with_errors(D6, checks)
        missed += not all(
            low <= share <= high
            for low, share, high in zip(fair.low, truth, fair.high, strict=True)
        )
    assert missed / 400 <= 2.5 * DELTA  # five standard errors would be 0.035


@pytest.mark.parametrize(("hits", "trials"), [(0, 50), (3, 50), (49, 50)])
def test_the_upper_limit_is_where_so_few_hits_become_unlikely(hits: int, trials: int) -> None:
    from scipy.special import bdtr

    assert float(bdtr(hits, trials, upper_limit(hits, trials, 0.01))) == pytest.approx(0.01)


def test_the_upper_limit_of_nothing_checked_is_certainty() -> None:
    assert upper_limit(0, 0, 0.01) == 1.0
    assert upper_limit(5, 5, 0.01) == 1.0


@st.composite
def boxes(draw: st.DrawFn) -> Fair:
    weights = draw(st.lists(st.integers(1, 9), min_size=2, max_size=6))
    centre = tuple(w / sum(weights) for w in weights)
    slack = draw(st.lists(st.floats(0, 0.9), min_size=len(weights), max_size=len(weights)))
    low = tuple(c * (1 - s) for c, s in zip(centre, slack, strict=True))
    high = tuple(min(1.0, c * (1 + s)) for c, s in zip(centre, slack[::-1], strict=True))
    return Fair(tuple(range(len(weights))), low, high, centre, ALPHA - DELTA)


@settings(max_examples=150, deadline=None)
@given(boxes(), st.data())
def test_no_shares_within_the_limits_are_kinder(fair: Fair, data: st.DataObject) -> None:
    faces = len(fair.values)
    counts = data.draw(st.lists(st.integers(0, 30), min_size=faces, max_size=faces))
    if sum(counts) == 0:
        return
    best = fair.kindest(counts)
    assert sum(best) == pytest.approx(1, abs=1e-9)
    for share, low, high in zip(best, fair.low, fair.high, strict=True):
        assert low - 1e-9 <= share <= high + 1e-9

    def log_likelihood(shares: tuple[float, ...]) -> float:
        return sum(n * log(max(s, 1e-300)) for n, s in zip(counts, shares, strict=True) if n)

    # Concave over a convex set: no exchange between two faces within the limits may gain.
    top = log_likelihood(best)
    for i in range(faces):
        for j in range(faces):
            move = 1e-4 * min(1.0, fair.high[i] - best[i], best[j] - fair.low[j])
            if i != j and move > 0:
                other = list(best)
                other[i], other[j] = best[i] + move, best[j] - move
                assert log_likelihood(tuple(other)) <= top + 1e-8
    assert fair.log_excess(counts) >= -1e-9  # the centre lies within the limits
