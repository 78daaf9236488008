"""What `quarterdeck dice` sees: the rolls in a tray before a camera."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from companion.cli.dice_lessons import Lesson
from companion.cli.dice_lines import say
from companion.cli.dice_throws import ReadFace, Thrown
from companion.errors import AuditError, BadOptions, CameraUnavailable, PictureError, TrayNotFound
from companion.rules.dice import die_words

if TYPE_CHECKING:
    from companion.rules.dice import DieKind
    from companion.rules.layout import Die
    from companion.table.observation import DieReading
    from vision.dice.crops import Box
    from vision.dice.rolls import Roll
    from vision.frame import Camera, Frame, Image

AROUND, CROP_PX = 1.25, 144
"""Picture of a die alone: so much wider than the die, and its side in pixels."""
MOST_MM = 1000
"""Longest side of a tray; nobody has a larger one, and a drawn one would fill the memory."""
UNSEEN = ReadFace(None, 0.0, None, "", is_sure=False)
"""A die that was rolled, and is not seen."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What reads the dice of one kind in the pictures of one camera."""

    read: Callable[[Image], tuple[DieReading, ...]]
    learn: Callable[[Image, Mapping[Box, Die]], bool]
    """Takes in what the dice of a picture show; tells whether it could, or never will."""


class TrayWatch:
    """Follows the camera over a tray.

    Parameters
    ----------
    kind : of the die.
    arguments : of `quarterdeck dice`.
    before : how much was rolled before, in any unit: a virtual tray does not roll the same again.
    """

    def __init__(self, kind: DieKind, arguments: argparse.Namespace, before: int = 0) -> None:
        from vision.dice.rolls import RollWatch
        from vision.settling import Restlessness

        self._kind = kind.id
        self._camera, self._reader = _open(kind, arguments, before)
        self._lessons = deque[Lesson]()
        self._awaited: int = arguments.dice
        self._watch, self._restlessness = RollWatch(self._read, self._awaited), Restlessness()
        self.is_folder = arguments.camera.startswith("folder:")
        """Whether pictures of a folder are read, each taken at rest."""
        self._has_vouched, self._is_counted = Event(), Event()
        self._has_begun = False

    def vouch(self) -> None:
        """Say that the doubtful roll in the tray was one: the button. From any thread."""
        self._has_vouched.set()

    def counted(self) -> None:
        """Say that the roll told last is counted, though it was doubtful: it is not told again.

        From any thread.
        """
        self._is_counted.set()

    def rolls(
        self, before: Iterable[str] = (), lessons: deque[Lesson] | None = None
    ) -> Iterator[Thrown]:
        """Yield each roll in the tray once, when it rests; doubtful ones when they are vouched for.

        A doubtful roll is yielded with its doubt, and again without it after `vouch`. Pictures of a
        folder are passed over if they were taken as rolls `before` (the digest of each). Before it
        reads it learns what lies in `lessons`, now or later, and takes that out.
        """
        self._lessons = deque() if lessons is None else lessons
        try:
            yield from self._pictures(set(before)) if self.is_folder else self._film()
        finally:
            self._camera.close()

    def _pictures(self, before: set[str]) -> Iterator[Thrown]:
        """Yield each picture of a folder as a roll; of two that are the same one is a copy."""
        from companion.ledger.events import picture_digest
        from vision.evidence import jpeg

        seen = set[str]()
        while (frame := _next_frame(self._camera)) is not None:
            picture = _tray_of(frame)
            stored = jpeg(picture)
            digest = picture_digest(stored)
            is_copy = digest in seen
            seen.add(digest)
            if is_copy:
                say(f"not counted: picture {frame.id} is the same as one before")
            elif digest not in before:
                named = f" (picture {frame.id})"
                yield self._thrown(self._rested(picture), picture, stored, named)

    def _film(self) -> Iterator[Thrown]:
        """Yield the rolls before a camera that looks on and on."""
        while (frame := _next_frame(self._camera)) is not None:
            roll = self._fed(_tray_of(frame))
            self._warn_of_unrest(frame.time_s)
            if roll is not None:
                yield self._thrown(roll, self._watch.picture)
        if (roll := self._watch.end()) is not None:
            yield self._thrown(roll, self._watch.picture)

    def _warn_of_unrest(self, time_s: float) -> None:
        """Say if no picture has been at rest for long."""
        from vision.settling import RESTLESS

        if self._restlessness.lasts(not self._watch.is_at_rest, time_s):
            say(RESTLESS)

    def _thrown(self, roll: Roll, picture: Image, stored: bytes = b"", named: str = "") -> Thrown:
        """Return a roll with the picture that it was read in."""
        from vision.evidence import jpeg

        doubt = _doubt(roll, picture, self._kind)
        return Thrown(self._dice(roll, picture), doubt and doubt + named, stored or jpeg(picture))

    def _read(self, picture: Image) -> tuple[DieReading, ...]:
        self._study()
        readings = self._reader.read(picture)
        if readings and not self._has_begun and not self.is_folder:
            say("not counted: what lay in the tray when I began")
        self._has_begun = True
        return readings

    def _study(self) -> None:
        """Let the reader learn what people have said, as soon as it knows how it sees the dice."""
        from vision.camera.folder import load_picture

        while self._lessons:
            lesson = self._lessons[0]
            try:
                picture = load_picture(lesson.picture)
            except PictureError:
                picture = None  # somebody has tidied up
            if picture is not None and not self._reader.learn(picture, {lesson.box: lesson.die}):
                return
            self._lessons.popleft()

    def _fed(self, picture: Image) -> Roll | None:
        """Return the roll that a picture of a film ends, or that was vouched for just before."""
        if self._is_counted.is_set():
            self._is_counted.clear()
            self._watch.gate.counted()
        if self._has_vouched.is_set():
            self._has_vouched.clear()
            if (vouched := self._watch.gate.confirm()) is not None:
                return vouched
        return self._watch.feed(picture)

    def _rested(self, picture: Image) -> Roll:
        """Return the roll in a single picture, which was taken at rest.

        Each picture is a roll of its own: what the last one showed says nothing about it.
        """
        from vision.dice.rolls import RollGate, miscounted

        readings = self._read(picture)
        roll = RollGate(self._awaited).rest(readings, has_tumbled=True)
        return miscounted(readings, self._awaited) if roll is None else roll

    def _dice(self, roll: Roll, picture: Image) -> tuple[ReadFace, ...]:
        """Return as many dice as are rolled at once; where more or fewer are seen, none is sure.

        What lies in the tray too many may be any of them, so the likeliest are taken for the dice.
        """
        dice = tuple(_read_face(die, picture) for die in roll.dice)
        if roll.is_whole:
            return dice
        likeliest = sorted(dice, key=lambda die: die.p, reverse=True)[: self._awaited]
        seen = [replace(die, is_sure=False) for die in dice if die in likeliest][: self._awaited]
        return (*seen, *[UNSEEN] * (self._awaited - len(seen)))


def _next_frame(camera: Camera) -> Frame | None:
    """Return the next picture that can be read; those of a folder that cannot are named."""
    while True:
        try:
            return camera.read()
        except PictureError as error:
            say(f"not counted: {error}")


def _tray_of(frame: Frame) -> Image:
    """Return the picture of the tray: all there is, where nothing else is looked at."""
    return frame.board if frame.tray is None else frame.tray


def _doubt(roll: Roll, picture: Image, kind: str) -> str:
    """Say why a roll is not certain; also if dice are too small, or washed out by a lamp."""
    from vision.dice.legible import advice, advice_on

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
    from vision.dice.kinds import SHAPES
    from vision.dice.legible import NEEDED_PX, sign_px

    if kind not in SHAPES:
        return None
    wide_px = NEEDED_PX / sign_px(kind, (0, 0, 1, 1))
    return (
        f"no {die_words(kind)} lies there, or it is too small: it should be about {wide_px:.0f} "
        "pixels wide in the picture"
    )


def _read_face(reading: DieReading, picture: Image) -> ReadFace:
    from vision.dice.reading import SURE
    from vision.evidence import jpeg

    face, p = (None, 0.0) if reading.best is None else (reading.best[0].face, reading.best[1])
    crop = jpeg(_crop(picture, reading.box_px))
    return ReadFace(face, p, reading.box_px, reading.look, crop, p >= SURE, reading.seems)


def _crop(picture: Image, box: tuple[int, int, int, int]) -> Image:
    """Return the square around a die, with a little of what lies beside it, for people to see."""
    import cv2

    x, y, width, height = box
    side = round(AROUND * max(width, height))
    square = cv2.getRectSubPix(picture, (side, side), (x + width / 2, y + height / 2))
    crop = cv2.resize(square, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return crop.astype(picture.dtype)


def _open(kind: DieKind, arguments: argparse.Namespace, before: int) -> tuple[Camera, Reader]:
    """Open the camera and what reads its pictures: of a known tray, or wherever dice lie."""
    from vision.camera.folder import load_picture
    from vision.camera.opening import KINDS, open_camera
    from vision.dice.reader import TrayReader

    size_mm = _tray_size(arguments.tray)
    name, _, seed = arguments.camera.partition(":")
    camera: Camera
    if name == "virtual":
        from vision.virtual.roller import RollingTray

        if seed and not seed.isdecimal():
            raise CameraUnavailable(
                f"virtual:{seed}: say virtual, or virtual:NUMBER for other rolls"
            )
        if arguments.empty:
            raise BadOptions("the virtual tray is known empty: leave out --empty")
        tray = RollingTray(kind.id, kind.faces, arguments.dice, size_mm, int(seed or 0) + before)
        camera, empty = tray, tray.empty
    else:
        camera = open_camera(_over_tray(arguments.camera), kinds=(*KINDS, "virtual"))
        if not arguments.empty:
            return camera, _free_reader(kind, stands_still=name != "folder")
        empty = load_picture(Path(arguments.empty))
    try:
        reader = TrayReader(size_mm, empty)
    except TrayNotFound as error:
        if name == "virtual":
            raise TrayNotFound(
                f"--tray {arguments.tray}: no virtual tray of this size is seen; give one more "
                "like 220x160"
            ) from error
        raise TrayNotFound(
            f"{arguments.empty}: {error}; or leave out --empty: any other tray will do without"
        ) from error
    return camera, Reader(lambda picture: reader.read(picture, (kind.id,)), reader.learn)


def _over_tray(camera: str) -> str:
    """Return a camera that looks at the tray alone: unless a zone is told, all it sees counts.

    A Pi's camera shows the lower right corner otherwise, for in a game the board is beside it.

    >>> _over_tray("picamera2:1"), _over_tray("picamera2@0.5,0,1,1")
    ('picamera2:1@0,0,1,1', 'picamera2@0.5,0,1,1')
    """
    is_whole_pi = camera.partition(":")[0] == "picamera2" and not {"@", "+"} & set(camera)
    return f"{camera}@0,0,1,1" if is_whole_pi else camera


def _free_reader(kind: DieKind, stands_still: bool = False) -> Reader:
    """Return a reader that needs no tray; a camera that `stands_still` is known ever better."""
    from vision.dice.anywhere import AnywhereReader
    from vision.dice.legible import ASLANT
    from vision.dice.table_reader import TableReader

    table = TableReader() if stands_still else None
    reader = table or AnywhereReader(stands_still=False)
    has_said = Event()

    def read(picture: Image) -> tuple[DieReading, ...]:
        readings = reader.read(picture, (kind.id,))
        if reader.is_too_aslant and not has_said.is_set():
            has_said.set()
            say(f"{ASLANT.format(die_words(kind.id))}, or show me the empty tray (--empty)")
        return readings

    # In each picture of a folder a die may look otherwise.
    return Reader(read, table.learn if table else lambda *_: True)


def _tray_size(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = (0.0, 0.0)
    if not all(isfinite(side) and side > 0 for side in size):
        raise AuditError(f"--tray is width x height in mm, e.g. 220x160, not {text!r}")
    if max(size) > MOST_MM:
        raise AuditError(f"--tray has sides of up to {MOST_MM} mm, e.g. 220x160, not {text!r}")
    return size
