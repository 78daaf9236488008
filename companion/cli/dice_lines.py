"""The lines that `quarterdeck dice` prints: the bar, the evidence, and what stands between."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import exp, log
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.audit.evidence import Evidence
    from companion.audit.fair import ReaderChecks
    from companion.audit.rolls import DieRoll
    from companion.rules.dice import DieKind

BAR = 24
"""Characters of the progress bar."""
MOST_LOG = 20.0
"""Evidence beyond this, as a natural logarithm, is no number for people."""


def say(text: str) -> None:
    """Print a line; in a terminal the progress bar gives way to it."""
    print(f"\r\033[K{text}" if sys.stdout.isatty() else text, flush=True)


def progress(done: int, wanted: int) -> str:
    """Draw how far it is.

    >>> progress(150, 300)
    '[############............] 150/300'
    """
    full = min(BAR, BAR * done // wanted)
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{wanted}"


def weighed(kind: DieKind, checks: ReaderChecks, rolls: Sequence[DieRoll]) -> Evidence:
    """Return the evidence of rolls that stand that a die is loaded."""
    from companion.audit.evidence import Evidence
    from companion.audit.fair import exactly_read, read_with_errors
    from companion.audit.rolls import together

    measured = checks.get(kind.id)
    evidence = Evidence(
        exactly_read(kind) if measured is None else read_with_errors(kind, measured)
    )
    for dice in together(rolls):
        evidence.update(roll.face for roll in dice)
    return evidence


def is_alarm(evidence: Evidence) -> bool:
    """Say whether the evidence has been an alarm: it stays one, whatever comes after."""
    from companion.audit.fair import ALPHA

    return evidence.log_most >= -log(ALPHA)


def evidence_words(evidence: Evidence) -> str:
    """Say the evidence that a die is loaded, and that it is an alarm, or has been one."""
    from companion.audit.fair import ALPHA

    now, most = _number(evidence.log_now), _number(evidence.log_most)
    if not is_alarm(evidence):
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
