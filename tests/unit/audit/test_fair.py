"""What a fair die shows through a reader that errs: excuses have their price, the best is found."""

from __future__ import annotations

from itertools import product
from math import comb, exp, inf, log, log1p, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.audit.evidence import Evidence
from companion.audit.excuses import CLOSE
from companion.audit.fair import ALPHA, Fair, exactly_read, read_with_errors
from companion.audit.misreads import BETS, misreads
from companion.rules.dice import DieKind

D6 = DieKind("d6", tuple(range(1, 7)))
SAIL = DieKind("sail", (2, 3, 3, 4))


def perfect(kind: DieKind, times: int) -> dict[tuple[int, int], int]:
    return {(v, v): times for v in kind.values}


def test_exact_reading_leaves_the_declared_distribution_alone() -> None:
    fair = exactly_read(SAIL)
    assert fair.kindest((9, 0, 0)) == (0.25, 0.5, 0.25)
    assert fair.log_excess((9, 0, 0)) == (0.0, 0.0)
    assert fair.limits() == ((0.25, 0.25), (0.5, 0.5), (0.25, 0.25))


@pytest.mark.parametrize("rates", [(0.0, 0.0, 0.0), (0.1, 0.0, 0.0), (0.02, 0.3, 0.1)])
@pytest.mark.parametrize("looked", [(3, 3, 3), (2, 5, 4)])
def test_the_price_is_a_fair_bet_against_the_share_that_is_true(
    rates: tuple[float, ...], looked: tuple[int, ...]
) -> None:
    shares = (0.25, 0.5, 0.25)
    true = sum(share * rate for share, rate in zip(shares, rates, strict=True))
    mean = 0.0
    for wrong in product(*(range(n + 1) for n in looked)):
        chance = prod(
            comb(n, w) * rate**w * (1 - rate) ** (n - w)
            for n, w, rate in zip(looked, wrong, rates, strict=True)
        )
        found = misreads(sum(wrong), zip(shares, looked, strict=True))
        mean += chance * exp(found.price(true)[0])
    assert mean <= 1 + 1e-12
    assert true or mean == pytest.approx(1)


def test_the_stakes_are_one() -> None:
    assert sum(stake for _, stake in BETS) == pytest.approx(1)


def test_wrong_readings_make_misread_dice_cheap_and_more_checks_dear() -> None:
    few, many, erring = (
        read_with_errors(D6, checks)
        for checks in (
            perfect(D6, 30),
            perfect(D6, 300),
            perfect(D6, 300) | {(6, 6): 285, (6, 5): 15},
        )
    )
    assert many.misread_limit < erring.misread_limit < few.misread_limit
    assert erring.misread_limit > 0.05 / 6, "what was found is allowed"
    assert erring.misreads is not None
    assert (erring.misreads.checks, erring.misreads.wrong) == (1800, 15)
    assert erring.misreads.price(erring.misread_limit)[0] == pytest.approx(log(1 / ALPHA), abs=1e-6)
    for (low, high), share in zip(many.limits(), many.shares, strict=True):
        assert low < share < high


def test_a_face_that_was_never_checked_may_be_read_as_anything() -> None:
    checks = perfect(D6, 500)
    del checks[3, 3]
    fair = read_with_errors(D6, checks)
    assert fair.misread_limit == 1.0
    evidence = Evidence(fair)
    for _ in range(60):
        evidence.update((1,))
    assert evidence.log_most == 0.0


@st.composite
def readers(draw: st.DrawFn) -> Fair:
    faces = tuple(draw(st.lists(st.integers(1, 5), min_size=2, max_size=6)))
    kind = DieKind("die", tuple(sorted((*faces, 6))))
    times, wrong = draw(st.integers(0, 60)), draw(st.integers(0, 4))
    checks = perfect(kind, times) | ({(kind.values[0], kind.values[-1]): wrong} if wrong else {})
    return read_with_errors(kind, checks)


def excuse(fair: Fair, counts: list[int], unread: int, share: float) -> float:
    """Return gain less price of a share of misread dice, by trying exchanges of single faces."""
    claimed, left = list(fair.shares), share
    step = share / 600
    while left > 1e-12:
        levels = [
            n / p if p > 0 else inf if n else 0.0 for n, p in zip(counts, claimed, strict=True)
        ]
        losers = [k for k, p in enumerate(claimed) if p > 0]
        best, worst = (
            max(range(len(counts)), key=levels.__getitem__),
            min(losers, key=levels.__getitem__),
        )
        if levels[best] <= levels[worst]:
            break
        part = min(step, left, claimed[worst])
        claimed[best] += part
        claimed[worst] -= part
        left -= part
    gain = sum(n * log(c / p) for n, c, p in zip(counts, claimed, fair.shares, strict=True) if n)
    assert fair.misreads is not None
    return gain + unread * log1p(share / min(fair.shares)) - fair.misreads.price(share)[0]


@settings(max_examples=40, deadline=None)
@given(readers(), st.data())
def test_no_share_of_misread_dice_excuses_more(fair: Fair, data: st.DataObject) -> None:
    faces = len(fair.values)
    counts = data.draw(st.lists(st.integers(0, 40), min_size=faces, max_size=faces))
    unread = data.draw(st.integers(0, 5))
    most, where = fair.log_excess(counts, unread)
    again, _ = fair.log_excess(counts, unread, near=data.draw(st.floats(0, 1)))
    assert again == pytest.approx(most, abs=CLOSE)
    tried = [0.0, *np.geomspace(1e-3, 1, 5), where]
    assert max(excuse(fair, counts, unread, share) for share in tried) <= most + 1e-6
    # Exchanges of single faces come somewhat short of the best.
    assert excuse(fair, counts, unread, where) >= most - CLOSE - 0.1 - 0.02 * abs(most)


@settings(max_examples=60, deadline=None)
@given(readers(), st.data())
def test_the_kindest_shares_are_shares_and_as_kind_as_they_are_said_to_be(
    fair: Fair, data: st.DataObject
) -> None:
    faces = len(fair.values)
    counts = data.draw(st.lists(st.integers(0, 40), min_size=faces, max_size=faces))
    kindest, (most, share) = fair.kindest(counts), fair.log_excess(counts)
    assert sum(kindest) == pytest.approx(1, abs=1e-6)
    assert min(kindest) > 0
    gain = sum(
        n * log(kind / p) for n, kind, p in zip(counts, kindest, fair.shares, strict=True) if n
    )
    assert fair.misreads is not None
    assert gain - fair.misreads.price(share)[0] == pytest.approx(most, abs=2 * CLOSE)
