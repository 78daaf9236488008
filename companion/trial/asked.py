"""The throws of a trial that people are asked about."""

from __future__ import annotations

from collections.abc import Sequence

from companion.audit.rolls import DieRoll, together
from companion.audit.trial import Asked, AskedDie
from companion.trial.throws import Thrown


def asked_about(
    standing: Sequence[DieRoll], passed_over: Thrown | None, next_roll: int
) -> list[Asked]:
    """Return the throws with dice that could not be read, the newest first.

    Parameters
    ----------
    standing : the rolls that were not taken back.
    passed_over : the last throw, if it may still be put right.
    next_roll : the number that one would get.
    """
    asked = []
    if passed_over is not None:
        seen = enumerate(passed_over.dice, 1)
        dice = tuple(AskedDie(k, die.face, bool(die.crop)) for k, die in seen)
        asked.append(Asked(next_roll, dice, passed_over.doubt))
    for rolled in reversed(list(together(standing))):
        unread = tuple(
            AskedDie(k, die.read, die.box is not None)
            for k, die in enumerate(rolled, 1)
            if die.face is None
        )
        if unread:
            asked.append(Asked(rolled[0].roll, unread))
    return asked


def meant_dice(standing: Sequence[DieRoll], roll: int, told: int) -> list[DieRoll]:
    """Return the dice of a roll that are meant where so many are told.

    Those that could not be read, told since or not; else all.
    """
    rolled = [die for die in standing if die.roll == roll]
    unread = [
        die
        for die in rolled
        if die.face is None or (die.confirmed_by and (die.seems or die.read is None))
    ]
    return unread if unread and told != len(rolled) else rolled
