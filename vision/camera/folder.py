"""Recorded pictures as a camera."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2

from companion.errors import CameraUnavailable, PictureError
from vision.frame import Frame, Image

SUFFIXES = (".jpg", ".jpeg", ".png")

TRAY = ".tray"
"""``012.tray.jpg`` is the tray's picture that belongs to ``012.jpg``."""

EMPTY = ".empty"
"""``012.empty.jpg`` is the empty board beside ``012.jpg``; not a frame of its own."""

_HEIC = (b"ftypheic", b"ftypheix", b"ftyphevc", b"ftypmif1", b"ftypmsf1")
"""How files of such pictures go on after their first four bytes."""


class FolderCamera:
    """Plays the pictures of a folder in order of their names, then ends."""

    def __init__(self, path: str, clock: Callable[[], float]) -> None:
        folder = Path(path)
        if not folder.is_dir():
            raise CameraUnavailable(f"there is no folder {path!r}; give one that holds pictures")
        self._paths = picture_paths(folder)
        if not self._paths:
            raise CameraUnavailable(f"the folder {path!r} holds no .jpg or .png pictures")
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
            id=path.stem,
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
    return sorted(
        path
        for path in folder.iterdir()
        if path.suffix.lower() in SUFFIXES and not path.stem.endswith((TRAY, EMPTY))
    )


def load_picture(path: Path) -> Image:
    """Read a picture file, shape (H, W, 3), BGR. Raises `PictureError`."""
    if path.is_dir():
        raise PictureError(f"{str(path)!r} is a folder: give the pictures in it")
    if not path.is_file():
        raise PictureError(f"there is no picture {str(path)!r}")
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        if _is_heic(path):
            raise PictureError(
                f"{str(path)!r} is a HEIC picture, as iPhones take them, which cannot be read here:"
                " send it as JPEG (camera formats: Most Compatible)"
            )
        raise PictureError(f"{str(path)!r} cannot be read as a picture; is it damaged?")
    return image  # type: ignore[return-value]


def _is_heic(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(12)[4:] in _HEIC
