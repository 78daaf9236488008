"""What the audit promises, by simulation; `benchmarks/audit_bars.py` at a smaller size."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks import audit_bars as bars
from companion.audit.batch import favoured
from companion.audit.fair import exactly_read
from companion.rules.dice import DieKind


@pytest.mark.parametrize("kind", [bars.D4, bars.D6, bars.D20], ids=lambda kind: kind.id)
def test_fair_dice_raise_few_alarms_however_often_one_looks(kind: DieKind) -> None:
    fair = exactly_read(kind)
    dice = 150 if kind is bars.D20 else 400
    found = bars.alarms(fair, np.array(fair.shares), dice, 1000, np.random.default_rng(1))
    assert 0 < found <= 0.07  # the bar is 0.05; the simulation's error is 0.01


def test_a_face_favoured_by_half_is_found() -> None:
    loaded = favoured(np.full(6, 1 / 6), 0, 1.5)
    found = bars.alarms(exactly_read(bars.D6), loaded, 400, 300, np.random.default_rng(2))
    assert found >= 0.65


def test_a_measured_reader_convicts_no_fair_die() -> None:
    rng = np.random.default_rng(3)
    assert bars.misread_alarms(bars.D6, 0.15, None, 100, 1000, rng) > 0.2
    assert bars.misread_alarms(bars.D6, 0.15, 60, 60, 1000, rng) <= 0.05
    assert bars.misread_alarms(bars.D6, 0.05, 60, 60, 1000, rng) <= 0.05


def test_a_camera_that_refuses_sixes_convicts_no_fair_die() -> None:
    shares, chance = np.full(6, 1 / 6), {**dict.fromkeys(range(1, 7), 0.0), 6: 0.5}
    rng = np.random.default_rng(6)
    assert bars.refusal_alarms(shares, chance, 40, 1000, rng, is_kept=False) > 0.5
    found = bars.refusal_alarms(shares, chance, 150, 1000, rng, is_kept=True)
    assert found <= 0.07  # the bar is 0.05; the simulation's error is 0.02


def test_a_loaded_die_is_found_although_some_dice_are_refused() -> None:
    loaded, chance = favoured(np.full(6, 1 / 6), 0, 2.0), dict.fromkeys(range(1, 7), 0.02)
    rng = np.random.default_rng(7)
    assert bars.refusal_alarms(loaded, chance, 60, 300, rng, is_kept=True) > 0.8


def test_chi_squared_would_have_cried_wolf() -> None:
    shares, rng = np.full(6, 1 / 6), np.random.default_rng(4)
    assert bars.chi_squared_alarms(bars.D6, shares, 200, 600, rng, always=True) > 0.25
    assert bars.chi_squared_alarms(bars.D6, shares, 200, 600, rng, always=False) < 0.1


def test_counts_grow_by_one_a_roll() -> None:
    shares = np.array([0.5, 0.5])
    chunks = list(bars.thrown(shares, bars.CHUNK + 3, 20, np.random.default_rng(5)))
    assert [c.shape for c in chunks] == [(bars.CHUNK, 20, 2), (3, 20, 2)]
    assert (chunks[0].sum(-1) == np.arange(1, 21)).all()
