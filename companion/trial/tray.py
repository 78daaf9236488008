"""The tray of a trial: which rolls lie in it, picture by picture."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Event

import cv2

from companion.boards.profile import XY
from companion.errors import NotCalibrated, PictureError
from companion.rules.dice import DieKind, die_words
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.trial.kept import KeptTrial
from companion.trial.lessons import Lesson
from companion.trial.throws import ONE_TOO_MANY, ReadFace, Thrown
from vision.camera.folder import load_picture
from vision.dice.any_tray import AnyTrayReader
from vision.dice.crops import Box
from vision.dice.kinds import SHAPES
from vision.dice.legible import NEEDED_PX, advice, advice_on, sign_px
from vision.dice.reading import SURE
from vision.dice.rolls import Roll, RollGate, RollWatch
from vision.evidence import jpeg
from vision.frame import Image
from vision.settling import RESTLESS, Restlessness

AROUND, CROP_PX = 1.25, 144
"""Picture of a die alone: so much wider than the die, and its side in pixels."""
UNSEEN = ReadFace(None, 0.0, None, "", is_sure=False)
"""A die that was rolled, and is not seen."""
IN_THE_BEGINNING = "not counted: what lay in the tray when I began to look"


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads the dice of one kind in the pictures of one camera."""

    read: Callable[[Image], tuple[DieReading, ...]]
    learn: Callable[[Image, Mapping[Box, Die]], bool]
    """Takes in what the dice of a picture show; ``False``: not yet, tell it once more later."""


def reader_at_table(
    kind: DieKind, size_mm: XY, empty: Image | None, say: Callable[[str], None]
) -> Reader:
    """Return what reads dice of a kind in the tray of a table, of whatever make that is.

    Parameters
    ----------
    kind : DieKind
    size_mm : inside of the tray, if it has upright walls.
    empty : (H, W, 3) uint8 BGR, the tray without dice, if there is such a picture.
    say : callable
        Is told if the tray is not seen whole.
    """
    tray = AnyTrayReader(size_mm, empty)

    def read(picture: Image) -> tuple[DieReading, ...]:
        try:
            return tray.read(picture, (kind.id,))
        except NotCalibrated as error:
            say(f"not counted: {error}")
            return ()

    return Reader(read, tray.learn_in)


class TrayWatch:
    """Follows the pictures of a tray.

    Parameters
    ----------
    kind : DieKind
    dice : int
        How many are thrown at once.
    reader : Reader
    say : callable
        Is told in plain words what is not counted, and why.
    """

    def __init__(
        self, kind: DieKind, dice: int, reader: Reader, say: Callable[[str], None]
    ) -> None:
        self._kind, self._dice, self._reader, self._say = kind.id, dice, reader, say
        self.lessons = deque[Lesson]()
        """What people have said of dice: learnt before anything is read, now or later, and then
        taken out."""
        self.asked: Thrown | None = None
        """The throw that people were asked about when the last picture came: it may have been told
        since."""
        self._trial: KeptTrial | None = None
        self._has_vouched, self._is_told = Event(), Event()
        self.begin_anew()

    @property
    def is_about_to_read(self) -> bool:
        """Whether one of the next pictures will be read, should the tray stay still."""
        return self._watch.is_about_to_read

    def begin_anew(self) -> None:
        """Take what is seen next for no roll: nobody knows how it came to lie there."""
        self._watch, self._restlessness = RollWatch(self._read, self._dice), Restlessness()
        self._has_begun = False

    def join(self, trial: KeptTrial) -> None:
        """Tell a trial what is not counted, and hear what people say of its dice."""
        self._trial, self._say, self.lessons = trial, trial.say, trial.lessons
        trial.on_answered = self._is_told.set

    def vouch(self) -> None:
        """Say that the doubtful roll in the tray was one: the button. From any thread."""
        self._has_vouched.set()

    def counted(self) -> None:
        """Say that the roll returned last is counted, if it was doubtful, too: once is enough."""
        self._watch.gate.counted()

    def feed(self, picture: Image, time_s: float) -> Thrown | None:
        """Take the next picture; return the roll it ends, each once, when it rests.

        A doubtful roll is returned with its doubt, and again without it after `vouch`.
        """
        self._note_asked()
        roll = self._fed(picture)
        if self._restlessness.lasts(not self._watch.is_at_rest, time_s):
            self._say(RESTLESS)
        return None if roll is None else self._thrown(roll, self._watch.picture)

    def end(self) -> Thrown | None:
        """Return the roll that was to be looked at once more: there are no more pictures."""
        self._note_asked()
        roll = self._watch.end()
        return None if roll is None else self._thrown(roll, self._watch.picture)

    def take_alone(self, picture: Image, stored: bytes, name: str) -> Thrown:
        """Return the roll in a single picture, which was taken at rest and is called `name`.

        Each picture is a roll of its own: what the last one showed says nothing about it. `stored`
        is the picture as JPEG.
        """
        self._has_begun = True
        roll = RollGate(self._dice).rest(self._read(picture), has_tumbled=True)
        assert roll is not None  # in a tray of which nothing was known
        thrown = self._thrown(roll, picture, stored)
        return replace(thrown, doubt=thrown.doubt and f"{thrown.doubt} (picture {name})")

    def _note_asked(self) -> None:
        self.asked = None if self._trial is None else self._trial.doubtful

    def _thrown(self, roll: Roll, picture: Image, stored: bytes = b"") -> Thrown:
        """Return a roll with the picture that it was read in."""
        doubt = _doubt(roll, picture, self._kind)
        return Thrown(self._read_dice(roll, picture), doubt, stored or jpeg(picture))

    def _read(self, picture: Image) -> tuple[DieReading, ...]:
        self._study()
        readings = self._reader.read(picture)
        if readings and not self._has_begun:
            self._say(IN_THE_BEGINNING)
        self._has_begun = True
        return readings

    def _study(self) -> None:
        """Let the reader learn what people have said, as soon as it knows how it sees the dice."""
        while self.lessons:
            lesson = self.lessons[0]
            try:
                picture = load_picture(lesson.picture)
            except PictureError:
                picture = None  # somebody has tidied up
            if picture is not None and not self._reader.learn(picture, {lesson.box: lesson.die}):
                return
            self.lessons.popleft()

    def _fed(self, picture: Image) -> Roll | None:
        """Return the roll that a picture ends, or that was vouched for just before."""
        if self._is_told.is_set():
            self._is_told.clear()
            if self._trial is not None and self._trial.doubtful is None:  # else it is a later one
                self._watch.gate.counted()
        if self._has_vouched.is_set():
            self._has_vouched.clear()
            if (vouched := self._watch.gate.confirm()) is not None:
                return vouched
        return self._watch.feed(picture)

    def _read_dice(self, roll: Roll, picture: Image) -> tuple[ReadFace, ...]:
        """Return as many dice as are rolled at once; where more or fewer are seen, none is sure.

        What lies in the tray too many may be any of them, so the likeliest are taken for the dice.
        """
        dice = tuple(_read_face(die, picture) for die in roll.dice)
        if roll.is_whole:
            return dice
        likeliest = sorted(dice, key=lambda die: die.p, reverse=True)[: self._dice]
        unsure = [replace(die, is_sure=False) for die in dice if die in likeliest][: self._dice]
        if len(dice) > self._dice:
            return tuple(replace(die, seems=ONE_TOO_MANY) for die in unsure)
        return (*unsure, *[UNSEEN] * (self._dice - len(unsure)))


def _doubt(roll: Roll, picture: Image, kind: str) -> str:
    """Say why a roll is not certain; also if dice are too small, or washed out by a lamp."""
    why = None
    if not roll.is_whole:
        told = [(die.best[0].kind, die.box_px) for die in roll.dice if die.best is not None]
        # The smallest dice are not even found.
        why = advice(told) if told else _size_needed(kind)
    elif roll.doubt:
        why = advice_on(roll.dice, picture)
    return f"{roll.doubt}; {why}" if why else roll.doubt


def _size_needed(kind: str) -> str | None:
    """Say how large a die must be in the picture to be read; ``None`` of one that nobody knows.

    >>> _size_needed("d20")
    'no d20 lies there, or it is too small: it should be about 90 pixels wide in the picture'
    """
    if kind not in SHAPES:
        return None
    wide_px = NEEDED_PX / sign_px(kind, (0, 0, 1, 1))
    return (
        f"no {die_words(kind)} lies there, or it is too small: it should be about {wide_px:.0f} "
        "pixels wide in the picture"
    )


def _read_face(reading: DieReading, picture: Image) -> ReadFace:
    face, p = None if reading.best is None else reading.best[0].face, reading.p
    crop = jpeg(_crop(picture, reading.box_px))
    return ReadFace(face, p, reading.box_px, reading.look, crop, p >= SURE, reading.seems)


def _crop(picture: Image, box: Box) -> Image:
    """Return the square around a die, with a little of what lies beside it, for people to see."""
    x, y, width, height = box
    side = round(AROUND * max(width, height))
    square = cv2.getRectSubPix(picture, (side, side), (x + width / 2, y + height / 2))
    crop = cv2.resize(square, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return crop.astype(picture.dtype)
