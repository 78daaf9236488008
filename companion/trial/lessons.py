"""What people have said of dice that the camera could not tell, for its reader to learn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from companion.audit.rolls import DieRoll, together
from companion.rules.layout import Die
from companion.trial.throws import ONE_TOO_MANY
from vision.dice.reading import SURE

MOST = 100
"""So many of the last ones are learnt when a trial is gone on with: that takes two seconds."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What a die shows in a picture of a trial."""

    picture: Path
    box: tuple[int, int, int, int]
    die: Die


def lessons_of(rolls: Iterable[DieRoll], pictures: Path) -> Iterator[Lesson]:
    """Yield what somebody has said of a die, the only one of its throw not read so for sure.

    Where there are more it is not known which of them shows what: people tell them in any order.
    Nor is it where more dice were seen than were rolled: theirs may be another one than was taken
    for it. `pictures` is the folder of the trial's pictures.
    """
    for dice in together(rolls):
        news = [die for die in dice if die.confirmed_by and not _was_told(die)]
        if len(news) != 1 or news[0].seems == ONE_TOO_MANY:
            continue
        (die,) = news
        if die.picture and die.box is not None and die.face is not None:
            yield Lesson(pictures / die.picture, die.box, Die(die.kind.id, die.face))


def _was_told(die: DieRoll) -> bool:
    return die.read == die.face and (die.p or 0.0) >= SURE
