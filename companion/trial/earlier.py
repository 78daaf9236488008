"""The trials that are kept beside the games of a table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.audit.rolls_file import rolls_in
from companion.audit.trial import Earlier, Kept, Spoilt
from companion.errors import AuditError
from companion.trial.names import PLAN, ROLLS
from companion.trial.plans import kept_plan

LOST = f"{PLAN}, which says what was rolled, is missing"


def trial_folders(trials: Path) -> list[Path]:
    """Return the folders that hold something of a trial, the newest first."""
    found = {path.parent for name in (PLAN, ROLLS) for path in trials.glob(f"*/{name}")}
    return sorted(found, reverse=True)


def kept_trials(trials: Path, is_meant: Callable[[Path], bool]) -> Kept:
    """Return the trials of a folder but those whose own folders are not meant."""
    earlier, spoilt = list[Earlier](), list[Spoilt]()
    for folder in filter(is_meant, trial_folders(trials)):
        try:
            earlier.append(_earlier(folder))
        except AuditError as error:
            spoilt.append(Spoilt(folder.name, str(error)))
    return Kept(earlier, spoilt)


def _earlier(folder: Path) -> Earlier:
    """Return the trial of a folder. Raises `AuditError` if nobody knows what was rolled there."""
    if (plan := kept_plan(folder)) is None:
        raise AuditError(LOST)
    try:
        rolls, _ = rolls_in((folder / ROLLS).read_bytes(), folder / ROLLS)
    except FileNotFoundError:
        return Earlier(folder.name, plan, ())
    except (OSError, ValueError, AuditError) as error:
        return Earlier(folder.name, plan, (), f"its rolls cannot be read: {error}")
    return Earlier(folder.name, plan, rolls)
