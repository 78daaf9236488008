"""When is it a roll? Each is told once, when it rests; dice that are put back are not one.

A *rest* is a still tray without a hand. Dice of a new rest that lie where the same faces lay before
were not touched; all others are *fresh*. Fresh dice are a roll if

- there are as many as awaited and all of them can be read, and
- they show other faces than the dice that were taken up, or tumbled: something moved in the
  tray while no arm reached into the picture.

Dice that show the same faces again and were never seen to tumble may have been picked up and put
back. Such a roll is told as doubtful, and counts only if it is confirmed (`confirm`, the button).
So is a throw of which more or fewer dice are seen than are awaited, or none though something
tumbled in an empty tray: one may be hidden, and which ones are may hang on their faces. What lies
in the tray at the first rest was not rolled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from math import dist

from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.remembered_dice import SAME_PLACE_MM
from companion.table.unsure_dice import said_of
from vision.dice.reading import SURE
from vision.frame import Image
from vision.settling import LongExposure, SettlingGate, Stillness, Tumbling

_ODD = 8
"""Of so many dice one may come to lie by chance where another has shown the same face before."""


_PUT_BACK = (
    "the same faces as before, and nothing tumbled: say so, or press the turn button, if it was a "
    "roll"
)
_LEFT = "a die lies as one lay before: say so, or press the turn button, if all of them were rolled"
"""It may have been left lying, or shows the same at the same place by chance."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice that were rolled, or may have been."""

    dice: tuple[DieReading, ...]
    doubt: str = ""
    """Why it is a roll only once somebody confirms it, in plain words; empty: it is certain."""
    is_whole: bool = True
    """As many dice are seen as are rolled at once."""

    @property
    def is_certain(self) -> bool:
        """Whether nobody need confirm it."""
        return not self.doubt


class RollGate:
    """Tells from the readings of one rest after the other which dice were rolled."""

    def __init__(self, awaited: int) -> None:
        self.awaited = awaited
        """How many dice are to be rolled."""
        self._lying: tuple[DieReading, ...] = ()
        self._taken: Counter[Die] = Counter()
        """Faces of the dice taken up since the last roll."""
        self._seen: tuple[DieReading, ...] = ()
        """All dice of the last rest."""
        self._doubtful: Roll | None = None

    def rest(self, readings: Sequence[DieReading], has_tumbled: bool) -> Roll | None:
        """Take the dice of a new rest; return the roll that it shows, if it does."""
        before, self._seen, self._doubtful = self._seen, tuple(readings), None
        fresh = tuple(r for r in readings if not _lies_in(r, self._lying))
        gone = [r for r in self._lying if not _lies_in(r, readings)]
        self._lying = tuple(r for r in self._lying if _lies_in(r, readings))
        self._taken += Counter(_face(r) for r in gone if _is_sure(r))
        if self.awaited == len(readings) and self.awaited - len(fresh) <= self.awaited // _ODD:
            fresh = tuple(readings)
        if not fresh:
            self._lying = tuple(readings)
            if before or not has_tumbled:
                return None  # they lie as they lay; what is gone may have been taken up in no time
            return _not_whole((), self.awaited)
        if self.awaited not in (len(fresh), len(readings)):
            return self._miscounted(fresh, before, has_tumbled)
        if 2 * len(fresh) <= self.awaited:
            return None  # most dice were left lying: it is no throw of all of them
        is_all = len(fresh) == self.awaited
        thrown = fresh if is_all else tuple(readings)
        if not all(_is_sure(r) for r in thrown):
            return Roll(thrown, _unsure(thrown))
        if not is_all:
            return self._doubt(thrown, _LEFT)
        self._lying = tuple(readings)
        faces = Counter(_face(r) for r in fresh)
        if has_tumbled or faces - self._taken:
            self._taken.clear()
            return Roll(fresh)
        return self._doubt(fresh, _PUT_BACK)

    def _miscounted(
        self, fresh: Sequence[DieReading], before: Sequence[DieReading], has_tumbled: bool
    ) -> Roll | None:
        """Return the throw of which too many or too few dice are seen, ``None`` if there was none.

        While dice are taken up, those that are left show what they showed. `before` are the dice
        of the rest before this one.
        """
        seen = len(self._seen)
        if 2 * (len(fresh) + max(0, self.awaited - seen)) <= self.awaited:
            return None  # most dice were left lying
        shown = Counter(_face(r) for r in fresh if _is_sure(r))
        known = self._taken | Counter(_face(r) for r in before)
        is_unclear = any(not (_is_sure(r) or _lies_at(r, before)) for r in fresh)
        if not (has_tumbled or is_unclear or shown - known):
            return None
        return _not_whole(self._seen, self.awaited)

    def _doubt(self, dice: tuple[DieReading, ...], why: str) -> Roll:
        """Return a roll that is one only if somebody vouches for it."""
        self._doubtful = Roll(dice, why)
        return self._doubtful

    def begin(self, readings: Sequence[DieReading]) -> None:
        """Take the dice of the first rest: nobody has seen them rolled."""
        self._lying = self._seen = tuple(readings)

    def confirm(self) -> Roll | None:
        """Return the doubtful roll of the last rest as certain: somebody has vouched for it."""
        doubtful, self._doubtful = self._doubtful, None
        if doubtful is None:
            return None
        self.counted()
        return replace(doubtful, doubt="")

    def counted(self) -> None:
        """Take the dice of the last rest as rolled: somebody has said what they show.

        They are not told again, whatever could be read of them.
        """
        self._lying, self._doubtful = self._seen, None
        self._taken.clear()


class RollWatch:
    """Follows the pictures of a tray and tells each roll once.

    What the first picture of a rest leaves open is looked at once more, in its first pictures
    together (`vision.settling.LongExposure`), before anybody is asked.

    Parameters
    ----------
    read : callable
        Reads the dice of a tray's picture, e.g. `TrayReader.read`.
    awaited : int
        How many dice are to be rolled at once.
    """

    def __init__(self, read: Callable[[Image], tuple[DieReading, ...]], awaited: int) -> None:
        self.gate = RollGate(awaited)
        """Where a roll may be confirmed, or counted as told."""
        self.is_at_rest = False
        """Whether nothing moved in the last picture, and no arm reached into it."""
        self._read = read
        self._settling, self._exposure = SettlingGate(), LongExposure()
        self._tumbling, self._has_tumbled = Tumbling(), False
        self._is_due = self._is_first = True
        self._picture: Image | None = None
        self._left_open: tuple[DieReading, ...] | None = None
        """What lies there, if it is to be looked at once more."""

    @property
    def is_about_to_read(self) -> bool:
        """Whether one of the next pictures will be read, should the tray stay as still as it is."""
        return self._settling.is_settling and (self._is_due or self._left_open is not None)

    @property
    def picture(self) -> Image:
        """In which the dice of the last rest were read; there must have been one."""
        assert self._picture is not None
        return self._picture

    def feed(self, picture: Image) -> Roll | None:
        """Take the next picture; return a roll once the rest it ends in has been read."""
        self._tumbling.feed(picture)
        self.is_at_rest = self._settling.feed(picture) is Stillness.REST
        if not self.is_at_rest:
            self._is_due = True
            self._exposure.end()
            return self.end()
        self._exposure.add(picture)
        if self._is_due:
            self._is_due = False
            self._has_tumbled = self._tumbling.end(picture) is not None
            return self._look(picture)
        if self._left_open is not None and self._exposure.is_long:
            return self._look(self._exposure.picture)
        return None

    def end(self) -> Roll | None:
        """Return the roll that was to be looked at once more: there are no more such pictures."""
        left, self._left_open = self._left_open, None
        return None if left is None else self.gate.rest(left, self._has_tumbled)

    def _look(self, picture: Image) -> Roll | None:
        self._picture, readings = picture, self._read(picture)
        if self._is_first:
            self._is_first = False
            self.gate.begin(readings)
            return None
        self._left_open = readings
        return self.end() if self._exposure.is_long or self._is_plain(readings) else None

    def _is_plain(self, readings: Sequence[DieReading]) -> bool:
        """Tell whether all dice are told, and as many as are awaited, or there is none."""
        is_all = len(readings) in (0, self.gate.awaited)
        return is_all and all(_is_sure(reading) for reading in readings)


def _lies_in(reading: DieReading, others: Sequence[DieReading]) -> bool:
    """Tell whether a die lies among others, where it was and showing the same."""
    return any(
        dist(reading.centre_mm, o.centre_mm) < SAME_PLACE_MM and _face(o) == _face(reading)
        for o in others
    )


def _lies_at(reading: DieReading, others: Sequence[DieReading]) -> bool:
    """Tell whether a die lies where one lay, whatever it shows."""
    return any(dist(reading.centre_mm, o.centre_mm) < SAME_PLACE_MM for o in others)


def _not_whole(seen: Sequence[DieReading], awaited: int) -> Roll:
    """Return a throw of which too many or too few dice are seen."""
    dice = "1 die" if len(seen) == 1 else f"{len(seen)} dice"
    doubt = f"I see {dice}, {awaited} {'is' if awaited == 1 else 'are'} rolled at once"
    return Roll(tuple(seen), doubt, is_whole=False)


def _unsure(dice: Iterable[DieReading]) -> str:
    """Say why not all dice of a throw can be told."""
    why = said_of(die.seems for die in dice if not _is_sure(die))
    return f"{why}: put it right or say what it shows"


def _face(reading: DieReading) -> Die:
    best = reading.best
    return Die("", 0) if best is None else best[0]


def _is_sure(reading: DieReading) -> bool:
    return reading.p >= SURE
