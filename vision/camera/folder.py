"""Recorded pictures as a camera."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from companion.errors import CameraUnavailable, PictureError
from companion.rules.words import counting_order
from vision.frame import Frame, Image

SUFFIXES = tuple(".jpg .jpeg .png .webp .avif .bmp .heic .heif .tif .tiff".split())
"""Of pictures, those that cannot be read here among them: each is named, none left out unsaid."""

TRAY = ".tray"
"""``012.tray.jpg`` is the tray's picture that belongs to ``012.jpg``."""

EMPTY = ".empty"
"""``012.empty.jpg`` is the empty board beside ``012.jpg``; not a frame of its own."""

LEAST_PX = 8
"""Of width and height: nothing is to be seen in any smaller picture."""
MOST_BYTES = 2**28
"""Of a file: what is larger is no picture, and would fill a Pi's memory."""

MOST_PX = 2**28
"""Of a picture; it takes three bytes a pixel. No phone takes larger ones."""

_HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")
"""How files of such pictures go on after their first four bytes."""
_JPEG, _JPEG_END = b"\xff\xd8", b"\xff\xd9"
"""First bytes of such a picture, and its last."""
_JPEG_FRAMES = tuple(bytes((0xFF, n)) for n in range(0xC0, 0xD0) if n not in (0xC4, 0xC8, 0xCC))
"""Begin of the part that tells how large it is."""
_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG_PART = re.compile(rb"\xff[^\x00\x01\xd0-\xd8\xff]", re.DOTALL)
"""Begin of a part that tells its length, or the end. The picture's own bytes hold no such pair."""


class FolderCamera:
    """Plays the pictures of a folder in order of their names, then ends: 2.jpg before 10.jpg."""

    def __init__(self, path: str, clock: Callable[[], float]) -> None:
        folder = Path(path)
        if not folder.is_dir():
            raise CameraUnavailable(f"there is no folder {path!r}; give one that holds pictures")
        self._paths = picture_paths(folder)
        if not self._paths:
            raise CameraUnavailable(f"the folder {path!r} holds no pictures, such as .jpg or .png")
        self._source = f"folder:{folder.name}"
        self._clock = clock
        self._next = 0

    def read(self) -> Frame | None:
        """Return the next picture, ``None`` after the last.

        Raises `PictureError` for one that cannot be read; the one after it comes next.
        """
        if self._next >= len(self._paths):
            return None
        path = self._paths[self._next]
        self._next += 1
        tray = path.with_name(f"{path.stem}{TRAY}{path.suffix}")
        return Frame(
            id=path.stem.encode(errors="replace").decode(),  # a name may be no text
            time_s=self._clock(),
            board=load_picture(path),
            tray=load_picture(tray) if tray.is_file() else None,
            source=self._source,
        )

    def close(self) -> None:
        """End the playing."""
        self._next = len(self._paths)


def picture_paths(folder: Path) -> list[Path]:
    """Return the frames of a folder in order; trays and empty boards beside them left out."""
    frames = (
        path
        for path in folder.iterdir()
        if path.suffix.lower() in SUFFIXES
        and not path.stem.endswith((TRAY, EMPTY))
        and not path.name.startswith(".")  # what a Mac puts beside them on a stick
    )
    return sorted(frames, key=lambda path: counting_order(path.name))


def load_picture(path: Path) -> Image:
    """Read a picture file: (H, W, 3) uint8, BGR. Raises `PictureError`."""
    data = _read_bytes(path)
    if _breaks_off(data):
        raise PictureError(f"{str(path)!r} is damaged: it breaks off; copy or send it once more")
    width, height = _announced_px(data)
    if width * height > MOST_PX:
        raise PictureError(
            f"{str(path)!r} is too large: {width}x{height} pixels, at most {MOST_PX // 10**6}"
            " million; make it smaller"
        )
    image = _decoded(data, path)
    height, width = image.shape[:2]
    if min(width, height) < LEAST_PX:
        raise PictureError(f"{str(path)!r} is too small to show anything: {width}x{height} pixels")
    return image


def _read_bytes(path: Path) -> bytes:
    """Return what a file holds; OpenCV reads none whose name is no text."""
    try:
        if path.is_dir():
            raise PictureError(f"{str(path)!r} is a folder: give the pictures in it")
        if not path.exists():
            raise PictureError(f"there is no picture {str(path)!r}")
        if not path.is_file():
            raise PictureError(f"{str(path)!r} is no file: give a picture")
        if path.stat().st_size > MOST_BYTES:
            raise PictureError(f"{str(path)!r} is too large for a picture; is it a film?")
        return path.read_bytes()
    except OSError as error:
        raise PictureError(f"{str(path)!r} cannot be opened: {error.strerror}") from error


def _decoded(data: bytes, path: Path) -> Image:
    """Return a picture upright, as its EXIF data say, with 8 bits a channel."""
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    except cv2.error as error:
        raise PictureError(
            f"{str(path)!r} cannot be read as a picture: it is damaged, or far too large"
        ) from error
    if image is None:
        if data[4:12] in _HEIC:
            raise PictureError(
                f"{str(path)!r} is a HEIC picture, as iPhones take them, which cannot be read here:"
                " send it as JPEG (camera formats: Most Compatible)"
            )
        raise PictureError(f"{str(path)!r} cannot be read as a picture; is it damaged?")
    return image  # type: ignore[return-value]


def _announced_px(data: bytes) -> tuple[int, int]:
    """Return the width and height that a PNG or JPEG says it has; 0 of others.

    A small file may hold a picture that fills any memory.
    """
    if data.startswith(_PNG):
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if not data.startswith(_JPEG):
        return 0, 0
    for mark, at in _jpeg_parts(data):
        if mark in _JPEG_FRAMES:  # its length, bits of a sample, height, width
            return (
                int.from_bytes(data[at + 5 : at + 7], "big"),
                int.from_bytes(data[at + 3 : at + 5], "big"),
            )
    return 0, 0


def _breaks_off(data: bytes) -> bool:
    r"""Tell whether these are the bytes of a JPEG picture that has no end.

    It is read from part to part: a small picture within it has an end of its own, and some cameras
    add bytes behind it.

    >>> _breaks_off(b"\xff\xd8" b"\xff\xda\x00\x02" b"scan\xff\x00" b"\xff\xd9" b"added")
    False
    >>> _breaks_off(b"\xff\xd8" b"\xff\xe1\x00\x06\xff\xd8\xff\xd9" b"\xff\xda\x00\x02" b"scan")
    True
    """
    return data.startswith(_JPEG) and all(mark != _JPEG_END for mark, _ in _jpeg_parts(data))


def _jpeg_parts(data: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield how each part of a JPEG picture begins and where it goes on; its end is the last."""
    at = len(_JPEG)
    while (mark := _JPEG_PART.search(data, at)) is not None:
        yield mark[0], mark.end()
        if mark[0] == _JPEG_END:
            return
        # Its length counts itself; the picture's own bytes follow without one, up to the next mark.
        at = mark.end() + int.from_bytes(data[mark.end() : mark.end() + 2], "big")
