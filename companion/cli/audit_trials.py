"""What `quarterdeck audit` says of the dice that were put on trial beside the games it reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from companion.cli.files import same_file
from companion.rules.dice import die_words
from companion.rules.words import counted
from companion.trial.names import ROLLS, TRIALS

if TYPE_CHECKING:
    from companion.audit.trial import Earlier


def trials_beside(ledger: Path, named: Sequence[Path]) -> list[str]:
    """Return lines that name the trials kept beside a ledger, and say how one is audited.

    Left out are those whose tables of rolls are `named`: they are audited. No line: there are none.
    """
    from companion.trial.earlier import kept_trials

    ledger = ledger.expanduser()
    trials = (ledger if ledger.is_dir() else ledger.parent) / TRIALS
    kept = kept_trials(
        trials, lambda folder: not any(same_file(folder / ROLLS, table) for table in named)
    )
    if not (kept.earlier or kept.spoilt):
        return []
    many = counted(len(kept.earlier) + len(kept.spoilt), "trial", "trials")
    lines = [f"Not counted here: {many} of a die, kept in {trials}"]
    lines += [f"  {one.name}: {_told(one)}" for one in kept.earlier]
    lines += [f"  {one.name} cannot be read: {one.why}" for one in kept.spoilt]
    if rolled := [one.name for one in kept.earlier if one.rolls]:
        folder = quote(str(trials / rolled[0]))
        lines.append(f"To audit one of them: quarterdeck audit --rolls {folder}")
    return lines


def _told(one: Earlier) -> str:
    who = f", {one.plan.captain}" if one.plan.captain else ""
    when = f", {one.rolls[-1].evening}" if one.rolls else ""
    far = one.trouble or f"{one.read} of {one.plan.wanted} rolls"
    return f"{die_words(one.plan.die)}{who}{when}, {far}"
