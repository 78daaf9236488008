"""What the dice audit promises, shown by simulation: ``python -m benchmarks.audit_bars``.

False alarms of fair dice at any stopping time, power against loaded ones, a reader that errs, and
the cost of an update. Seeded; under two minutes on one processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Mapping
from math import log, sqrt
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from companion.audit.batch import favoured, log_evidence
from companion.audit.comparison import Comparison
from companion.audit.dependence import Dependence
from companion.audit.evidence import Evidence
from companion.audit.fair import ALPHA, Checks, Fair, exactly_read, read_with_errors
from companion.rules.dice import DieKind

D4, D6, D20 = (DieKind(f"d{n}", tuple(range(1, n + 1))) for n in (4, 6, 20))
SAIL = DieKind("sail", (2, 3, 3, 4))
CHUNK = 100
"""Dice simulated at once; a d20 takes 16 MB of counts."""

Rng = np.random.Generator
Counts = NDArray[Any]


def thrown(shares: NDArray[Any], dice: int, rolls: int, rng: Rng) -> Iterator[Counts]:
    """Yield the counts after every roll of simulated dice, (up to CHUNK, rolls, faces) each."""
    for start in range(0, dice, CHUNK):
        size = (min(CHUNK, dice - start), rolls)
        faces = rng.choice(len(shares), size=size, p=shares)
        yield np.cumsum(faces[..., None] == np.arange(len(shares)), axis=1)


def alarms(fair: Fair, shares: NDArray[Any], dice: int, rolls: int, rng: Rng) -> float:
    """Return the share of dice that raise an alarm after any of their rolls."""
    found = [
        (log_evidence(counts, fair).max(axis=1) >= -log(fair.alpha)).sum()
        for counts in thrown(shares, dice, rolls, rng)
    ]
    return float(sum(found)) / dice


def chi_squared_alarms(
    kind: DieKind, shares: NDArray[Any], dice: int, rolls: int, rng: Rng, *, always: bool
) -> float:
    """Return the share of dice that chi-squared calls loaded at 5 %.

    With `always` it is looked at after every roll from the first with five expected of each face
    on, else after the last alone.
    """
    from scipy.special import chdtri

    fair = np.array(exactly_read(kind).centre)
    limit = chdtri(len(fair) - 1, ALPHA)
    first = int(5 / fair.min()) if always else rolls
    expected = np.arange(first, rolls + 1)[:, None] * fair
    found = 0
    for counts in thrown(shares, dice, rolls, rng):
        statistic = ((counts[:, first - 1 :] - expected) ** 2 / expected).sum(-1)
        found += int((statistic.max(axis=1) >= limit).sum())
    return found / dice


def one_way(kind: DieKind, rate: float) -> NDArray[Any]:
    """Return how a reader errs (true face, read face) that takes the last face for another."""
    confusion = np.eye(len(kind.values))
    confusion[-1, -2:] = rate, 1 - rate
    return confusion


def measured(kind: DieKind, confusion: NDArray[Any], checks: int, rng: Rng) -> Checks:
    """Return what somebody finds who checks so many readings of every face."""
    found: dict[tuple[int, int], int] = {}
    for value, rates in zip(kind.values, confusion, strict=True):
        for read, count in zip(kind.values, rng.multinomial(checks, rates), strict=True):
            if count:
                found[value, read] = int(count)
    return found


def misread_alarms(
    kind: DieKind, rate: float, checks: int | None, dice: int, rolls: int, rng: Rng
) -> float:
    """Return the share of fair dice called loaded through a reader that errs one way.

    The reader is measured anew for every die, with `checks` readings of each face; ``None``: its
    word is taken.
    """
    exact = exactly_read(kind)
    confusion = one_way(kind, rate)
    shares = np.array(exact.centre) @ confusion
    if checks is None:
        return alarms(exact, shares, dice, rolls, rng)
    found = 0.0
    for _ in range(dice):
        fair = read_with_errors(kind, measured(kind, confusion, checks, rng))
        found += alarms(fair, shares, 1, rolls, rng)
    return found / dice


def captain_alarms(ratio: float, dice: int, rng: Rng) -> float:
    """Return how often one of three captains stands out whose d6 favours a face `ratio` times."""
    fair = exactly_read(D6)
    usual = np.array(fair.centre)
    own = favoured(usual, 0, ratio) if ratio != 1 else usual
    found = 0
    for _ in range(dice):
        side = Comparison(fair, 2)
        for turn in range(900):
            is_own = turn % 3 == 0
            face = int(rng.choice(D6.values, p=own if is_own else usual))
            side.update((face,), in_group=is_own)
        found += side.p_value <= ALPHA
    return found / dice


def memory_alarms(share: float, rolls: int, dice: int, rng: Rng, load: float = 1.0) -> float:
    """Return how often a d6 is found to have a memory that repeats its face so often by itself."""
    fair = exactly_read(D6)
    shares = favoured(np.array(fair.centre), 0, load) if load != 1 else np.array(fair.centre)
    found = 0
    for _ in range(dice):
        faces = rng.choice(D6.values, size=rolls, p=shares).tolist()
        repeats = rng.random(rolls) < share
        watch = Dependence(fair)
        for k in range(rolls):
            faces[k] = faces[k - 1] if k and repeats[k] else faces[k]
            watch.update(faces[k])
        found += watch.log_most >= -log(ALPHA)
    return found / dice


def update_cost_us(fair: Fair, rng: Rng, rolls: int = 3000) -> tuple[float, float]:
    """Return median and mean cost of taking in one roll, microseconds."""
    faces = rng.choice(fair.values, size=rolls, p=fair.centre).tolist()
    evidence, costs = Evidence(fair), []
    for face in faces:
        start = time.perf_counter()
        evidence.update((face,))
        costs.append(1e6 * (time.perf_counter() - start))
    return median(costs), sum(costs) / rolls


def main(argv: list[str] | None = None) -> None:
    """Print every bar with what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", type=int, default=2000, help="simulated for each figure")
    parser.add_argument("--seed", type=int, default=6)
    arguments = parser.parse_args(argv)
    dice, rng = arguments.dice, np.random.default_rng(arguments.seed)
    print(f"{dice} simulated dice a figure (a tenth for those in brackets), seed {arguments.seed}")
    started = time.perf_counter()

    print("\nFair dice called loaded at any time within 1,000 rolls (bar: 5 %)")
    for kind in (D4, D6, D20, SAIL):
        fair = exactly_read(kind)
        _tell(kind.id, alarms(fair, np.array(fair.centre), dice, 1000, rng), dice)
    uniform = np.full(6, 1 / 6)
    looked = chi_squared_alarms(D6, uniform, dice, 600, rng, always=True)
    _tell("d6, chi-squared looked at after every of 600 rolls", looked, dice)

    print("\nLoaded d6 found (bar: .65 at 300 rolls, one face x 1.5)")
    powers: Mapping[tuple[float, int], None] = dict.fromkeys(
        ((1.25, 1000), (1.5, 200), (1.5, 300), (2.0, 100), (3.0, 40))
    )
    for ratio, rolls in powers:
        loaded = favoured(uniform, 0, ratio)
        found = alarms(exactly_read(D6), loaded, dice, rolls, rng)
        once = chi_squared_alarms(D6, loaded, dice, rolls, rng, always=False)
        _tell(f"x {ratio}, {rolls} rolls (chi-squared once, at the end: {once:.3f})", found, dice)

    print("\nFair dice through a reader that takes one face for another, 1,000 rolls (bar: 5 %)")
    few = dice // 10
    for rate in (0.05, 0.15):
        name = f"d6, {100 * rate:.0f} % of its sixes read as fives"
        _tell(f"{name}, not measured", misread_alarms(D6, rate, None, dice, 1000, rng), dice)
        for checks in (30, 100, 300):
            found = misread_alarms(D6, rate, checks, few, 1000, rng)
            _tell(f"({name}, {checks} checks a face)", found, few)
    found = misread_alarms(D20, 0.05, 100, few, 1000, rng)
    _tell("(d20, 5 % of its twenties read as nineteens, 100 checks)", found, few)
    through = read_with_errors(D6, {(v, v): 200 for v in D6.values})
    found = alarms(through, favoured(uniform, 0, 1.5), dice, 300, rng)
    _tell("power, x 1.5, 300 rolls, reader right in 200 checks a face", found, dice)

    print("\nCaptains and memory")
    _tell(
        "(three captains, same dice: one stands out)",
        captain_alarms(1, dice // 10, rng),
        dice // 10,
    )
    _tell("(one of them x 2)", captain_alarms(2, dice // 10, rng), dice // 10)
    _tell(
        "(a die without memory, 1,000 rolls)", memory_alarms(0, 1000, dice // 10, rng), dice // 10
    )
    found = memory_alarms(0, 1000, dice // 10, rng, 2)
    _tell("(the same, one face x 2)", found, dice // 10)
    found = memory_alarms(0.15, 300, dice // 10, rng)
    _tell("(face repeated by itself 3 times in 20, 300 rolls)", found, dice // 10)

    print("\nOne update of the evidence, microseconds, median and mean (bar: 50)")
    for kind in (D4, D6, D20):
        checks = {(v, v): 100 for v in kind.values}
        for name, fair in (
            ("", exactly_read(kind)),
            (", erring reader", read_with_errors(kind, checks)),
        ):
            middle, mean = update_cost_us(fair, rng)
            print(f"  {kind.id + name:<60} {middle:5.1f} {mean:5.1f}")
    print(f"\n{time.perf_counter() - started:.0f} s")


def _tell(name: str, found: float, dice: int) -> None:
    error = sqrt(max(found * (1 - found), 1 / dice) / dice)
    print(f"  {name:<60} {found:.3f} +- {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
