"""The camera of `quarterdeck dice`: opened, and followed from roll to roll."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from companion.cli.dice_lines import say
from companion.cli.parser import finite
from companion.errors import AuditError, BadOptions, CameraUnavailable, PictureError, TrayNotFound
from companion.rules.dice import die_words

if TYPE_CHECKING:
    from companion.boards.profile import XY
    from companion.rules.dice import DieKind
    from companion.table.observation import DieReading
    from companion.trial.throws import Thrown
    from companion.trial.tray import Reader
    from vision.frame import Camera, Frame, Image

LEAST_MM, MOST_MM = 20, 1000
"""Sides of a tray; nobody has one beyond, and to draw one would take minutes or fill the memory."""


class TrayCamera:
    """Follows the camera over a tray.

    Parameters
    ----------
    kind : of the die.
    arguments : of `quarterdeck dice`.
    before : how much was rolled before, in any unit: a virtual tray does not roll the same again.
    """

    def __init__(self, kind: DieKind, arguments: argparse.Namespace, before: int = 0) -> None:
        from companion.trial.tray import TrayWatch

        self._camera, self._reader = _open(kind, arguments, before)
        self._dice = arguments.dice
        self.watch = TrayWatch(kind, arguments.dice, self._reader, say)
        self.is_folder = arguments.camera.startswith("folder:")
        """Whether pictures of a folder are read, each taken at rest."""

    def rolls(
        self, before: Iterable[str] = (), is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[Thrown]:
        """Yield each roll in the tray once, as `TrayWatch.feed` returns it, until it `is_over`.

        Pictures of a folder are passed over if they were taken as rolls `before` (the digest of
        each).
        """
        try:
            yield from self._pictures(set(before)) if self.is_folder else self._film(is_over)
        finally:
            self._camera.close()

    def _pictures(self, before: set[str]) -> Iterator[Thrown]:
        """Yield each picture of a folder as a roll; of two that are the same one is a copy."""
        from companion.ledger.events import picture_digest
        from vision.evidence import jpeg

        seen = set[str]()
        is_new = not before
        while (frame := _next_frame(self._camera)) is not None:
            picture = _tray_of(frame)
            stored = jpeg(picture)
            digest = picture_digest(stored)
            is_copy = digest in seen
            seen.add(digest)
            if is_copy:
                say(f"not counted: picture {frame.id} is the same as one before")
            elif digest not in before:
                thrown = self.watch.take_alone(picture, stored, frame.id)
                if is_new and len(seen) == 1 and thrown.doubt:
                    self._check_count(picture, frame.id)
                yield thrown

    def _check_count(self, picture: Image, name: str) -> None:
        """Refuse the first picture if it shows more dice than are said to be thrown at once.

        So do the others then: they would be kept as rolls that nobody could read.
        """
        from vision.dice.reading import SURE

        told = [die.best for die in self._reader.read(picture) if die.best is not None]
        count = sum(1 for _, p in told if p >= SURE)
        if count > self._dice:
            raise AuditError(
                f"picture {name} shows {count} dice: say --dice {count}, or take it away if so "
                "many are not thrown at once"
            )

    def _film(self, is_over: Callable[[], bool]) -> Iterator[Thrown]:
        """Yield the rolls before a camera that looks on and on."""
        while not is_over():
            frame, watch = _next_frame(self._camera), self.watch
            thrown = watch.end() if frame is None else watch.feed(_tray_of(frame), frame.time_s)
            if thrown is not None:
                yield thrown
            if frame is None:
                return


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


def _open(kind: DieKind, arguments: argparse.Namespace, before: int) -> tuple[Camera, Reader]:
    """Open the camera and what reads its pictures: of a known tray, or wherever dice lie."""
    from vision.camera.folder import load_picture
    from vision.camera.opening import KINDS, open_camera
    from vision.dice.kinds import FACES

    if kind.id not in FACES:
        raise BadOptions(
            f"no camera reads a {kind.id}, only {', '.join(sorted(FACES))}: type what it shows "
            "(--by-hand), or, if it looks like one of these and shows some of its faces, name "
            'that one, e.g. --die d6 --faces "1 1 2 2 3 3"'
        )
    size_mm = _tray_size(arguments.tray)
    name, _, seed = arguments.camera.partition(":")
    if name == "virtual":
        return _open_virtual(kind, arguments, size_mm, seed, before)
    if arguments.empty:
        try:
            reader = _tray_reader(kind, size_mm, load_picture(Path(arguments.empty)))
        except TrayNotFound as error:
            raise TrayNotFound(
                f"{arguments.empty}: {error}; or leave out --empty: any other tray will do without"
            ) from error
    else:
        reader = _free_reader(kind, stands_still=name != "folder")
    # The camera last: where anything else is amiss none is left open.
    return open_camera(_over_tray(arguments.camera), kinds=(*KINDS, "virtual")), reader


def _open_virtual(
    kind: DieKind, arguments: argparse.Namespace, size_mm: XY, seed: str, before: int
) -> tuple[Camera, Reader]:
    from vision.virtual.roller import RollingTray

    if seed and not seed.isdecimal():
        raise CameraUnavailable(f"virtual:{seed}: say virtual, or virtual:NUMBER for other rolls")
    if arguments.empty:
        raise BadOptions("the virtual tray is known empty: leave out --empty")
    tray = RollingTray(kind.id, kind.faces, arguments.dice, size_mm, int(seed or 0) + before)
    try:
        return tray, _tray_reader(kind, size_mm, tray.empty)
    except TrayNotFound as error:
        raise TrayNotFound(
            f"--tray {arguments.tray}: no virtual tray of this size is seen; give one more like "
            "220x160"
        ) from error


def _tray_reader(kind: DieKind, size_mm: XY, empty: Image) -> Reader:
    """Return a reader of a known tray. Raises `TrayNotFound` if it is not seen in `empty`."""
    from companion.trial.tray import Reader
    from vision.dice.reader import TrayReader

    reader = TrayReader(size_mm, empty)
    return Reader(lambda picture: reader.read(picture, (kind.id,)), reader.learn)


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
    from companion.trial.tray import Reader
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


def _tray_size(text: str) -> XY:
    width, _, height = text.partition("x")
    try:
        size = finite(width), finite(height)
    except ValueError:
        size = (0.0, 0.0)
    if min(size) <= 0:
        raise AuditError(f"--tray is width x height in mm, e.g. 220x160, not {text!r}")
    if min(size) < LEAST_MM or max(size) > MOST_MM:
        raise AuditError(
            f"--tray has sides of {LEAST_MM} to {MOST_MM} mm, e.g. 220x160, not {text!r}"
        )
    return size
