"""Trials that are heard in a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from companion.audit.fair import ReaderChecks
from companion.audit.trial import Plan
from companion.cli.dice_lines import Terminal
from companion.rules.dice import DieKind
from companion.trial.kept import KeptTrial


def trial_of(
    kind: DieKind,
    folder: Path,
    wanted: int,
    captain: str = "",
    checks: ReaderChecks | None = None,
    clock: Callable[[], float] = time.time,
    at_once: int = 1,
) -> KeptTrial:
    """Return a trial as `quarterdeck dice` makes it."""
    plan = Plan(kind, wanted, at_once, captain)
    return KeptTrial(plan, folder, checks, clock, Terminal())
