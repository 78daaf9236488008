"""What the dice audit promises, shown by simulation: ``python -m benchmarks.audit_bars``.

False alarms of fair dice at any stopping time, power against loaded ones, a reader that errs or
refuses, and the cost of an update. Seeded; a few minutes on one processor.
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
        (log_evidence(counts, fair).max(axis=1) >= -log(ALPHA)).sum()
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

    fair = np.array(exactly_read(kind).shares)
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
    shares = np.array(exact.shares) @ confusion
    if checks is None:
        return alarms(exact, shares, dice, rolls, rng)
    found = 0.0
    for _ in range(dice):
        fair = read_with_errors(kind, measured(kind, confusion, checks, rng))
        found += alarms(fair, shares, 1, rolls, rng)
    return found / dice


def misread_power(confusion: NDArray[Any], checks: int, dice: int, rng: Rng) -> float:
    """Return the share of d6 with a face x 1.5 found in 300 rolls, their reader measured anew."""
    loaded = favoured(np.full(6, 1 / 6), 0, 1.5) @ confusion
    found = 0.0
    for _ in range(dice):
        fair = read_with_errors(D6, measured(D6, confusion, checks, rng))
        found += alarms(fair, loaded, 1, 300, rng)
    return found / dice


def refused(faces: list[int], chance: Mapping[int, float], rng: Rng) -> list[int | None]:
    """Return rolls of which a camera refuses each face with a chance of its own."""
    lots = rng.random(len(faces))
    return [None if lot < chance[f] else f for f, lot in zip(faces, lots, strict=True)]


def refusal_alarms(
    shares: Counts, chance: Mapping[int, float], dice: int, rolls: int, rng: Rng, *, is_kept: bool
) -> float:
    """Return the share of d6 called loaded through a camera that refuses to read some rolls.

    Without `is_kept` those are left out, as if they had never been rolled.
    """
    found = 0
    for _ in range(dice):
        evidence = Evidence(exactly_read(D6))
        faces = rng.choice(D6.values, size=rolls, p=shares).tolist()
        for face in refused(faces, chance, rng):
            if is_kept or face is not None:
                evidence.update((face,))
        found += evidence.p_value <= ALPHA
    return found / dice


def captain_alarms(ratio: float, dice: int, rng: Rng) -> float:
    """Return how often one of three captains stands out whose d6 favours a face `ratio` times."""
    fair = exactly_read(D6)
    usual = np.array(fair.shares)
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
    shares = favoured(np.array(fair.shares), 0, load) if load != 1 else np.array(fair.shares)
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
    faces = rng.choice(fair.values, size=rolls, p=fair.shares).tolist()
    evidence, costs = Evidence(fair), []
    for face in faces:
        start = time.perf_counter()
        evidence.update((face,))
        costs.append(1e6 * (time.perf_counter() - start))
    return median(costs), sum(costs) / rolls


def tell_fair(dice: int, rng: Rng) -> None:
    """Print how often fair dice are called loaded."""
    uniform = np.full(6, 1 / 6)
    print("\nFair dice called loaded at any time within 1,000 rolls (bar: 5 %)")
    for kind in (D4, D6, D20, SAIL):
        fair = exactly_read(kind)
        _tell(kind.id, alarms(fair, np.array(fair.shares), dice, 1000, rng), dice)
    looked = chi_squared_alarms(D6, uniform, dice, 600, rng, always=True)
    _tell("d6, chi-squared looked at after every of 600 rolls", looked, dice)


def tell_loaded(dice: int, rng: Rng) -> None:
    """Print how often loaded dice are found."""
    uniform = np.full(6, 1 / 6)
    print("\nLoaded d6 found (bar: .65 at 300 rolls, one face x 1.5)")
    powers: Mapping[tuple[float, int], None] = dict.fromkeys(
        ((1.25, 1000), (1.5, 200), (1.5, 300), (2.0, 100), (3.0, 40))
    )
    for ratio, rolls in powers:
        loaded = favoured(uniform, 0, ratio)
        found = alarms(exactly_read(D6), loaded, dice, rolls, rng)
        once = chi_squared_alarms(D6, loaded, dice, rolls, rng, always=False)
        _tell(f"x {ratio}, {rolls} rolls (chi-squared once, at the end: {once:.3f})", found, dice)


def tell_misread(dice: int, rng: Rng) -> None:
    """Print what an erring reader does to fair dice and to power."""
    few, uniform = dice // 10, np.full(6, 1 / 6)
    print("\nFair dice through a reader that takes one face for another, 1,000 rolls (bar: 5 %)")
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
    for name, confusion in (
        ("reads 5 % of sixes as fives", one_way(D6, 0.05)),
        ("takes 1 in 500 for another face", np.where(np.eye(6) > 0, 0.998, 0.0004)),
    ):
        found = misread_power(confusion, 200, few, rng)
        _tell(f"(the same, reader {name}, 200 checks a face)", found, few)


def tell_unread(dice: int, rng: Rng) -> None:
    """Print what a camera does that refuses to read some dice."""
    some, uniform = dice // 4, np.full(6, 1 / 6)
    print("\nA camera that refuses to read some dice, d6 (bar: 5 %)")
    for name, chance in (
        ("half of the sixes", {**dict.fromkeys(D6.values, 0.0), 6: 0.5}),
        ("1 in 20 of the sixes", {**dict.fromkeys(D6.values, 0.0), 6: 0.05}),
        ("1 in 50 of all dice", dict.fromkeys(D6.values, 0.02)),
    ):
        for is_kept in (False, True):
            word = "kept as unread" if is_kept else "left out"
            found = refusal_alarms(uniform, chance, some, 1000, rng, is_kept=is_kept)
            _tell(f"[fair, {name} refused, {word}, 1,000 rolls]", found, some)
    for ratio, rolls, share in ((1.5, 300, 0.02), (1.5, 600, 0.02), (2.0, 300, 0.05)):
        loaded, chance = favoured(uniform, 0, ratio), dict.fromkeys(D6.values, share)
        found = refusal_alarms(loaded, chance, some, rolls, rng, is_kept=True)
        _tell(f"[x {ratio}, {rolls} rolls, {100 * share:.0f} % of all refused]", found, some)


def tell_groups(dice: int, rng: Rng) -> None:
    """Print how often captains and memories stand out."""
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


def tell_costs(rng: Rng) -> None:
    """Print what an update costs."""
    print("\nOne update of the evidence, microseconds, median and mean (bar: 50)")
    for kind in (D4, D6, D20):
        right = {(v, v): 100 for v in kind.values}
        wrong = {**right, (kind.values[-1], kind.values[-2]): 5}
        for name, fair in (
            ("", exactly_read(kind)),
            (", reader found right", read_with_errors(kind, right)),
            (", reader found wrong 5 times", read_with_errors(kind, wrong)),
        ):
            middle, mean = update_cost_us(fair, rng)
            print(f"  {kind.id + name:<60} {middle:5.1f} {mean:5.1f}")


def main(argv: list[str] | None = None) -> None:
    """Print every bar with what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dice", type=int, default=2000, help="simulated for each figure")
    parser.add_argument("--seed", type=int, default=6)
    arguments = parser.parse_args(argv)
    dice, rng = arguments.dice, np.random.default_rng(arguments.seed)
    print(f"{dice} simulated dice a figure, a tenth in (), a quarter in []; seed {arguments.seed}")
    started = time.perf_counter()
    tell_fair(dice, rng)
    tell_loaded(dice, rng)
    tell_misread(dice, rng)
    tell_unread(dice, rng)
    tell_groups(dice, rng)
    tell_costs(rng)
    print(f"\n{time.perf_counter() - started:.0f} s")


def _tell(name: str, found: float, dice: int) -> None:
    error = sqrt(max(found * (1 - found), 1 / dice) / dice)
    print(f"  {name:<60} {found:.3f} +- {error:.3f}", flush=True)


if __name__ == "__main__":
    main()
