"""What `quarterdeck dice` sees: the rolls in a tray before a camera."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from companion.cli.dice_session import ReadFace, Thrown, say
from companion.errors import AuditError, CameraUnavailable, PictureError

if TYPE_CHECKING:
    from companion.rules.dice import DieKind
    from companion.table.observation import DieReading
    from vision.dice.rolls import Roll
    from vision.frame import Camera, Frame, Image

    Read = Callable[[Image], tuple[DieReading, ...]]

DIE_MM = 16.0
"""Width of a die, where nothing else tells the scale of a picture."""
AROUND, CROP_PX = 1.25, 144
"""Picture of a die alone: so much wider than the die, and its side in pixels."""
LEAST_FACE = 0.3
"""Without a picture of the empty tray, what shows no face of the die with this probability is taken
for something else: the grain of a table, a coin."""


class TrayWatch:
    """Follows the camera over a tray.

    Parameters
    ----------
    kind : of the die.
    arguments : of `quarterdeck dice`.
    """

    def __init__(self, kind: DieKind, arguments: argparse.Namespace) -> None:
        from vision.dice.rolls import RollWatch

        self._camera, self._reader = _open(kind, arguments)
        self._watch = RollWatch(self._read, arguments.dice)
        self.is_folder = arguments.camera.startswith("folder:")
        """Whether pictures of a folder are read, each taken at rest."""
        self._has_vouched = Event()
        self._seen: tuple[DieReading, ...] = ()
        """What was read at the last rest."""

    def vouch(self) -> None:
        """Say that the doubtful roll in the tray was one: the button. From any thread."""
        self._has_vouched.set()

    def counted(self) -> None:
        """Say that the roll told last is counted, though it was doubtful: it is not told again."""
        self._watch.gate.counted()

    def rolls(self) -> Iterator[Thrown]:
        """Yield each roll in the tray once, when it rests; doubtful ones when they are vouched for.

        A doubtful roll is yielded with its doubt, and again without it after `vouch`.
        """
        try:
            while (frame := _next_frame(self._camera)) is not None:
                picture = frame.board if frame.tray is None else frame.tray
                roll = self._rested(frame.id, picture) if self.is_folder else self._fed(picture)
                if roll is not None:
                    dice = tuple(_read_face(die, picture) for die in roll.dice)
                    yield Thrown(dice, _doubt(roll), _jpeg(picture))
        finally:
            self._camera.close()

    def _read(self, picture: Image) -> tuple[DieReading, ...]:
        self._seen = self._reader(picture)
        return self._seen

    def _fed(self, picture: Image) -> Roll | None:
        """Return the roll that a picture of a film ends, or that was vouched for just before.

        Where dice came, but not as many as are rolled, it is said how many are seen.
        """
        if self._has_vouched.is_set():
            self._has_vouched.clear()
            if (vouched := self._watch.gate.confirm()) is not None:
                return vouched
        before = self._seen
        roll = self._watch.feed(picture)
        if roll is None and len(self._seen) > len(before):
            self._count("", self._seen)
        return roll

    def _rested(self, name: str, picture: Image) -> Roll | None:
        """Return the roll in a single picture, which was taken at rest.

        Each picture is a roll of its own: what the last one showed says nothing about it.
        """
        from vision.dice.rolls import RollGate

        readings = self._read(picture)
        roll = RollGate(self._watch.gate.awaited).rest(readings, has_tumbled=True)
        if roll is None:
            self._count(f"{name}: ", readings)
        return roll

    def _count(self, name: str, readings: Sequence[DieReading]) -> None:
        """Say how many dice are seen, if it is not as many as are rolled."""
        awaited = self._watch.gate.awaited
        if len(readings) != awaited:
            dice = "1 die" if len(readings) == 1 else f"{len(readings)} dice"
            wanted = f"{awaited} {'is' if awaited == 1 else 'are'} rolled at once"
            say(f"{name}not counted: I see {dice}, {wanted}")


def _next_frame(camera: Camera) -> Frame | None:
    """Return the next picture that can be read; those of a folder that cannot are named."""
    while True:
        try:
            return camera.read()
        except PictureError as error:
            say(f"not counted: {error}")


def _doubt(roll: Roll) -> str:
    """Say why a roll is not certain; also if that is because the dice are too small."""
    from vision.dice.legible import advice_on

    small = advice_on(roll.dice) if roll.doubt else None
    return f"{roll.doubt}; {small}" if small else roll.doubt


def _read_face(reading: DieReading, picture: Image) -> ReadFace:
    from vision.dice.reading import SURE

    face, p = (None, 0.0) if reading.best is None else (reading.best[0].face, reading.best[1])
    crop = _jpeg(_crop(picture, reading.box_px))
    return ReadFace(face, p, reading.box_px, reading.look, crop, p >= SURE)


def _crop(picture: Image, box: tuple[int, int, int, int]) -> Image:
    """Return the square around a die, with a little of what lies beside it, for people to see."""
    import cv2

    x, y, width, height = box
    side = round(AROUND * max(width, height))
    square = cv2.getRectSubPix(picture, (side, side), (x + width / 2, y + height / 2))
    crop = cv2.resize(square, (CROP_PX, CROP_PX), interpolation=cv2.INTER_AREA)
    return crop.astype(picture.dtype)


def _open(kind: DieKind, arguments: argparse.Namespace) -> tuple[Camera, Read]:
    """Open the camera and what reads its pictures: of a known tray, or wherever dice lie."""
    from vision.camera.folder import load_picture
    from vision.camera.opening import open_camera
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
        tray = RollingTray(kind.id, kind.faces, arguments.dice, size_mm, int(seed or 0))
        camera, empty = tray, tray.empty
    else:
        camera = open_camera(arguments.camera)
        if not arguments.empty:
            return camera, _free_reader(kind)
        empty = load_picture(Path(arguments.empty))
    reader = TrayReader(size_mm, empty)
    return camera, lambda picture: reader.read(picture, (kind.id,))


def _free_reader(kind: DieKind) -> Read:
    """Return a reader that needs no tray."""
    from companion.table.observation import DieReading
    from vision.dice.looks import LookBook
    from vision.dice.reading import DiceReader

    reader, looks = DiceReader(), LookBook()

    def read(picture: Image) -> tuple[DieReading, ...]:
        seen = reader.read(picture, (kind.id,))
        readings = []
        for die in seen:
            if die.best is None or die.best[1] < LEAST_FACE:
                continue
            x, y, w, h = die.box
            mm = DIE_MM / max(w, h)  # nobody knows how far the camera is; dice know their size
            box = (round(x), round(y), round(w), round(h))
            centre = ((x + w / 2) * mm, (y + h / 2) * mm)
            readings.append(DieReading(die.faces, centre, box, looks.look(picture, die)))
        return tuple(readings)

    return read


def _jpeg(picture: Image) -> bytes:
    import cv2

    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75])
    return jpeg.tobytes()


def _tray_size(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = (0.0, 0.0)
    if min(size) <= 0:
        raise AuditError(f"--tray is width x height in mm, e.g. 220x160, not {text!r}")
    return size
