"""The lines that `quarterdeck dice` prints: the bar, the evidence, and what stands between."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import exp
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.audit.evidence import Evidence
    from companion.audit.rolls import DieRoll
    from companion.trial.kept import KeptTrial

BELL = "\a"
BAR = 24
"""Characters of the progress bar."""
MOST_LOG = 20.0
"""Evidence beyond this, as a natural logarithm, is no number for people."""


def say(text: str) -> None:
    """Print a line; in a terminal the progress bar gives way to it."""
    print(f"\r\033[K{text}" if sys.stdout.isatty() else text, flush=True)


class Terminal:
    """The voice of a trial in a terminal (`companion.trial.voice.Voice`)."""

    def say(self, text: str) -> None:
        """Print it."""
        say(text)

    def alarm(self, text: str) -> None:
        """Print it, and ring three times."""
        say(text + BELL * 3 * sys.stdout.isatty())

    def count(self, trial: KeptTrial, dice: Sequence[DieRoll]) -> None:
        """Print how far it is, what the dice show and what all of them are worth; ring once."""
        faces = " ".join(roll.shows for roll in dice)
        line = f"{progress(trial.read, trial.plan.wanted)}  shows {faces:<8} "
        line += evidence_words(trial.evidence)
        if sys.stdout.isatty():
            print(f"\r\033[K{line}{BELL}", end="", flush=True)
        else:
            print(line, flush=True)


def progress(done: int, wanted: int) -> str:
    """Draw how far it is.

    >>> progress(150, 300)
    '[############............] 150/300'
    """
    full = min(BAR, BAR * done // wanted)
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{wanted}"


def evidence_words(evidence: Evidence) -> str:
    """Say the evidence that a die is loaded, and that it is an alarm, or has been one."""
    from companion.audit.fair import ALPHA

    now, most = _number(evidence.log_now), _number(evidence.log_most)
    if not evidence.is_alarm:
        return f"evidence {now}, alarm at {1 / ALPHA:.0f}"
    return f"evidence {now}: ALARM" if now == most else f"evidence {now}, was {most}: ALARM"


def _number(natural_log: float) -> str:
    """Return evidence as people read numbers.

    >>> _number(0.3), _number(8.0), _number(500.0)
    ('1.3', '2 981', 'beyond all bounds')
    """
    if natural_log > MOST_LOG:
        return "beyond all bounds"
    found = exp(natural_log)
    return f"{found:.2g}" if found < 100 else f"{found:,.0f}".replace(",", " ")
