"""What a trial of `quarterdeck dice` leaves behind: checked readings, the verdict, the report."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.audit import sealed_words, text_of
from companion.cli.files import read_table
from companion.errors import AuditError
from companion.files import write_file
from companion.trial.names import CHECKS, PICTURES, REPORT, ROLLS

if TYPE_CHECKING:
    from companion.audit.checks_csv import Counts
    from companion.audit.fair import ReaderChecks
    from companion.audit.rolls import DieRoll
    from companion.rules.dice import DieKind
    from companion.trial.kept import KeptTrial


def end(trial: KeptTrial) -> None:
    """Seal the rolls, keep what was checked, say the verdict, write the report.

    The verdict is said, too, where the card refuses the seal. Where nothing was rolled, no folder
    is left.
    """
    from companion.trial.folder import sweep

    sealed = ""
    try:
        sealed = trial.end()
    finally:
        print()  # below the bar, which stands there again where a doubtful throw was kept
        try:
            if trial.checked:
                keep_checks(trial.folder, trial.plan.kind, trial.checked)
                trial.checked = {}
            if sealed and not trial.rolls:
                sweep(trial.folder)
        finally:
            judge(trial.folder, sealed, trial.rolls, trial.checks)


def keep_checks(folder: Path, kind: DieKind, checked: Counts) -> None:
    """Add what was checked to what was before; if that cannot be read, write it beside."""
    from companion.audit.checks_csv import read_checks, write_checks

    path = folder / CHECKS
    before: Counts = {}
    try:
        before = read_table(path, read_checks) if path.exists() else {}
    except AuditError as error:
        path = next(new for k in count(2) if not (new := numbered(path, k)).exists())
        print(
            f"{error}\nIt is left as it is. What was checked now is in {path}: put the first "
            "right, and add these lines to it."
        )
    counts = before.setdefault(kind.id, {})
    for faces, times in checked[kind.id].items():
        counts[faces] = counts.get(faces, 0) + times
    write_file(path, write_checks(before, [kind]))
    print(f"Checked readings: {path}")


def numbered(path: Path, number: int) -> Path:
    """Return the path beside another, e.g. ``checks-2.csv``."""
    return path.with_stem(f"{path.stem}-{number}")


def judge(folder: Path, sealed: str, rolls: Sequence[DieRoll], checks: ReaderChecks) -> None:
    """Say the verdict on the rolls of a trial; if they are `sealed`, write the report."""
    from companion.audit.judging import audit
    from companion.audit.rolls import STANDS
    from companion.trial.folder import write_verdict

    standing = [roll for roll in rolls if roll.status == STANDS]
    unread = sum(1 for roll in standing if roll.face is None)
    if unread:
        dice = "1 die" if unread == 1 else f"{unread} dice"
        print(
            f"Could not be read: {dice}. The verdict holds whatever they showed; tell it with "
            f"--by-hand if {folder / PICTURES} shows it."
        )
    if unread == len(standing):
        print("No rolls were counted.")
        if unread and sealed:
            print(f"The rolls: {folder / ROLLS}, {sealed_words(sealed)}")
        return
    found = audit(standing, checks)
    for one in found:
        print(text_of(one))
    if sealed:
        write_verdict(folder, found, rolls, "The dice")
        print(f"The report with plots: {folder / REPORT}")
        print(f"The rolls: {folder / ROLLS}, {sealed_words(sealed)}")
