"""The evidence is a fair bet: summed over all that fair dice can show, it is 1, whenever."""

from __future__ import annotations

from itertools import product
from math import exp, prod
from random import Random

import numpy as np
import pytest

from companion.audit.batch import NEAR, favoured, log_evidence, power
from companion.audit.evidence import DIRICHLET_WEIGHT, ODDS, ODDS_WEIGHT, Evidence, log_sum
from companion.audit.exact import fixed_test
from companion.audit.excuses import CLOSE
from companion.audit.fair import ALPHA, Fair, exactly_read, read_with_errors
from companion.rules.dice import DieKind

D4 = DieKind("d4", (1, 2, 3, 4))
D6 = DieKind("d6", tuple(range(1, 7)))
D20 = DieKind("d20", tuple(range(1, 21)))
SAIL = DieKind("sail", (2, 3, 3, 4))
THREE = DieKind("three", (1, 2, 2, 3))
MEASURED = {(1, 1): 20, (2, 2): 38, (2, 3): 2, (3, 3): 20}


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
    assert mean_evidence(fair, fair.shares, rolls) == pytest.approx(1)


def test_loaded_dice_gain() -> None:
    assert mean_evidence(exactly_read(D4), (0.7, 0.1, 0.1, 0.1), 4) > 1.1


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.4])
def test_checks_and_rolls_together_gain_nothing(rate: float) -> None:
    # A coin whose heads are read as tails; two checks a side and five rolls, all that can come.
    coin, total = DieKind("coin", (0, 1)), 0.0
    for wrong, ways in ((0, 1), (1, 2), (2, 1)):
        chance = ways * rate**wrong * (1 - rate) ** (2 - wrong)
        fair = read_with_errors(coin, {(0, 0): 2, (1, 1): 2 - wrong, (1, 0): wrong})
        total += chance * mean_evidence(fair, ((1 + rate) / 2, (1 - rate) / 2), 5)
    assert 0.2 < total <= 1


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
    assert (evidence.p_value, evidence.is_alarm) == (1.0, False)
    for _ in range(12):
        evidence.update((6,))
        assert evidence.is_alarm is (evidence.p_value <= ALPHA)
    top = evidence.log_now
    for k in range(600):
        evidence.update((1 + k % 6,))
    assert evidence.log_now < 1 < top == evidence.log_most
    assert evidence.is_alarm, "an alarm stays one"
    assert evidence.p_value == pytest.approx(exp(-top))


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
    off = CLOSE if fair.misreads else 1e-6
    assert log_evidence(np.array(counts), fair) == pytest.approx(np.array(logs), abs=off)


@pytest.mark.parametrize("kind", [D6, SAIL])
@pytest.mark.parametrize("is_exact", [True, False])
def test_many_at_once_with_unread_dice_are_nearly_as_one_by_one(
    kind: DieKind, is_exact: bool
) -> None:
    first, last = kind.values[0], kind.values[-1]
    checks = {(v, v): 80 for v in kind.values} | {(last, first): 5}
    fair = exactly_read(kind) if is_exact else read_with_errors(kind, checks)
    dice, evidence = Random(6), Evidence(fair)
    counts, unread, logs = [], [], []
    for _ in range(200):
        face = dice.choice(kind.faces)
        is_refused = face >= last - 1 and dice.random() < 0.3
        logs.append(evidence.update((None if is_refused else face,)))
        counts.append(list(evidence.counts))
        unread.append(evidence.unread)
    many = log_evidence(np.array(counts), fair, np.array(unread))
    off = np.array(logs) - many
    assert off.min() > -CLOSE
    assert off.max() < 0.02
    alone = [
        log_evidence(np.array(n), fair, np.array(u)) for n, u in zip(counts, unread, strict=True)
    ]
    assert many == pytest.approx(np.array(alone), abs=NEAR)


def test_no_number_of_sixes_is_too_many_at_once() -> None:
    evidence = Evidence(exactly_read(D6))
    evidence.update([6] * 3000)
    counts = np.array([[0, 0, 0, 0, 0, 3000]])
    assert log_evidence(counts, evidence.fair) == pytest.approx(evidence.log_now)


# -- dice that could not be read ----

BEFORE_THERE_WERE_ANY = {
    "d4": (15.282674161204575, 15.665357991223571, 2.64393432293262e-09),
    "d6": (4.092887569173013, 4.092887569173013, 0.003551535818343563),
    "d20": (1.4284845277641258, 1.564251846859411, 0.010555520210487815),
    "sail": (15.642176916058208, 16.027911788836693, 5.099712998147702e-10),
}
"""Evidence, its greatest and the textbook's p-value, as they came out of the audit that had no
notion of unread dice."""


@pytest.mark.parametrize("kind", [D4, D6, D20, SAIL], ids=lambda kind: kind.id)
def test_where_all_is_read_nothing_has_changed(kind: DieKind) -> None:
    dice, evidence = Random(8), Evidence(exactly_read(kind))
    for _ in range(300):
        evidence.update((dice.choice((*kind.faces, kind.faces[-1])),))
    now = (evidence.log_now, evidence.log_most, fixed_test(evidence.counts, evidence.fair).p_value)
    assert now == pytest.approx(BEFORE_THERE_WERE_ANY[kind.id], rel=1e-12)


@pytest.mark.parametrize("counts", [(5, 1, 0), (9, 9, 2), (0, 4, 3)])
def test_unread_dice_leave_a_textbook_s_test_its_greatest_p_value(
    counts: tuple[int, int, int],
) -> None:
    fair, unread = exactly_read(THREE), 4
    filled = [
        (counts[0] + a, counts[1] + b, counts[2] + unread - a - b)
        for a in range(unread + 1)
        for b in range(unread + 1 - a)
    ]
    best = max(fixed_test(one, fair).p_value for one in filled)
    assert fixed_test(counts, fair, unread).p_value == pytest.approx(best)


def least_evidence(fair: Fair, faces: list[int | None]) -> float:
    """Return the least logarithm of the evidence over all that the unread dice may have shown."""
    unread = faces.count(None)
    found = []
    for line in product(fair.values, repeat=unread):
        told = iter(line)
        evidence = Evidence(fair)
        evidence.update(next(told) if face is None else face for face in faces)
        found.append(evidence.log_now)
    return min(found)


def refusing(count: int, every: int, seed: int) -> list[int | None]:
    dice = Random(seed)
    faces = [dice.choice((1, 2, 2, 3, 3, 3, 3)) for _ in range(count)]
    return [None if k % every == every - 1 else face for k, face in enumerate(faces)]


@pytest.mark.parametrize("is_exact", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_unread_dice_count_for_the_least_that_they_can_make(is_exact: bool, seed: int) -> None:
    fair = exactly_read(THREE) if is_exact else read_with_errors(THREE, MEASURED)
    faces = refusing(40, 9, seed)
    evidence = Evidence(fair)
    evidence.update(faces)
    least = least_evidence(fair, faces)
    assert evidence.unread == 4
    assert evidence.log_now <= least + CLOSE
    assert evidence.log_now > least - (0.7 if is_exact else 4.0), "it gives little away"


@pytest.mark.parametrize("seed", range(4))
def test_the_dirichlet_part_takes_the_kindest_faces_in_any_order(seed: int) -> None:
    fair, faces, dice = exactly_read(THREE), refusing(30, 6, seed), Random(seed)

    def dirichlet(line: list[int | None]) -> float:
        evidence = Evidence(fair)
        evidence.update(line)
        return evidence._log_dirichlet

    read = [face for face in faces if face is not None]
    best = min(dirichlet([*read, *line]) for line in product(THREE.values, repeat=5))
    for _ in range(5):
        dice.shuffle(faces)
        assert dirichlet(faces) == pytest.approx(best)


def test_dice_that_were_no_roll_are_allowed_for() -> None:
    faces = refusing(60, 7, 1)
    with_them, without = Evidence(exactly_read(THREE)), Evidence(exactly_read(THREE))
    with_them.update(faces)
    without.update(face for face in faces if face is not None)
    assert with_them.log_now < without.log_now


def test_an_unread_die_never_speaks_against_the_die() -> None:
    evidence = Evidence(exactly_read(D6))
    evidence.update([6] * 12)
    top = evidence.log_now
    evidence.update([None])
    assert evidence.log_now < top == evidence.log_most
    assert evidence.counts_then == (0, 0, 0, 0, 0, 12)


def test_power_grows_with_rolls_and_with_the_load() -> None:
    fair = exactly_read(D6)
    assert power(fair, 100, 1.5) < power(fair, 300, 1.5) < power(fair, 300, 2.0)
    assert power(fair, 30, 1.25) < 0.05
    assert power(exactly_read(DieKind("coin", (0, 1))), 200, 1.5) > 0.95


@pytest.mark.parametrize(
    ("kind", "rolls", "ratio"), [(D6, 200, 1.5), (D6, 60, 2.0), (SAIL, 200, 1.5)]
)
def test_the_power_is_that_of_dice_that_are_looked_at_after_every_roll(
    kind: DieKind, rolls: int, ratio: float
) -> None:
    fair, rng = exactly_read(kind), np.random.default_rng(3)
    shares, dice = np.array(fair.shares), 3000
    found = 0.0
    for face, share in enumerate(shares):
        loaded = favoured(shares, face, ratio)
        counts = np.zeros((round(dice * share), len(shares)))
        has_alarmed = np.zeros(len(counts), bool)
        for _ in range(rolls):
            counts += rng.multinomial(1, loaded, size=len(counts))
            has_alarmed |= log_evidence(counts, fair) >= -np.log(ALPHA)
        found += share * has_alarmed.mean()
    assert power(fair, rolls, ratio) == pytest.approx(found, abs=0.03)


def test_an_erring_reader_costs_power() -> None:
    checks = {(v, v): 15 for v in D6.values}
    assert power(read_with_errors(D6, checks), 300, 1.5) < power(exactly_read(D6), 300, 1.5)


def test_a_favoured_face_leaves_the_others_their_proportions() -> None:
    assert favoured(np.array([0.25, 0.5, 0.25]), 1, 1.5) == pytest.approx([0.125, 0.75, 0.125])
    assert favoured(np.array([0.5, 0.5]), 0, 3.0) == pytest.approx([0.95, 0.05])


def test_a_sum_of_nothing_has_no_logarithm() -> None:
    assert log_sum([]) == -np.inf
