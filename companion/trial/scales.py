"""The evidence of a trial: weighed roll by roll, and all anew where one has changed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.audit.evidence import Evidence
from companion.audit.fair import ReaderChecks
from companion.audit.judging import fair_die
from companion.audit.rolls import DieRoll, together
from companion.rules.dice import DieKind


class Scales:
    """Holds the evidence that a die is loaded.

    Parameters
    ----------
    kind : DieKind
        The die.
    checks : ReaderChecks
        How well the camera was found to read.
    rolls : sequence of DieRoll
        Those that stand.
    """

    def __init__(self, kind: DieKind, checks: ReaderChecks, rolls: Sequence[DieRoll]) -> None:
        self._fair = partial(fair_die, kind=kind, checks=checks.get(kind.id))
        self.evidence = self._weighed(rolls)

    def add(self, dice: Sequence[DieRoll], rolls: Sequence[DieRoll]) -> bool:
        """Weigh dice that were added to the rolls that stand; say whether that brings an alarm."""
        if self.evidence.fair != self._fair(dice):
            return self.weigh(rolls)  # the first that the camera read, or told beside such
        was_alarm = self.evidence.is_alarm
        self.evidence.update(roll.face for roll in dice)
        return self.evidence.is_alarm and not was_alarm

    def weigh(self, rolls: Sequence[DieRoll]) -> bool:
        """Weigh all rolls that stand, for some are others now; say whether it brings an alarm."""
        was_alarm, self.evidence = self.evidence.is_alarm, self._weighed(rolls)
        return self.evidence.is_alarm and not was_alarm

    def _weighed(self, rolls: Sequence[DieRoll]) -> Evidence:
        evidence = Evidence(self._fair(rolls))
        for dice in together(rolls):
            evidence.update(roll.face for roll in dice)
        return evidence
