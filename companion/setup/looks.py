"""What the camera knows before a game begins: board and tray with nothing on them, and where."""

from __future__ import annotations

import json
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

import cv2

from companion.boards.profile import XY
from companion.errors import LedgerError, NotCalibrated
from companion.files import replace_file
from companion.table.setting_up import Zone
from vision.board.look import Look, load_look
from vision.camera.folder import load_picture
from vision.camera.zone import parse_zone
from vision.frame import Image

_LOG = logging.getLogger(__name__)
TRAY = "tray"
"""What the tray's pictures are called; those of a board by its profile."""
_EMPTY = "empty-{}.png"
_ZONE = "tray-zone.txt"
_NO_TRAY: Literal["none"] = "none"
_SHIPS = "ships-{}.json"

Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Looks:
    """Pictures given at the start, or taken on the set-up page and kept beside the games."""

    empty_board: Image | None = None
    """The board without pieces, given at the start; the reading is far better with one."""
    empty_tray: Image | None = None
    tray_at_mm: XY | None = None
    """`Tray.place_mm`, where this table's tray is fixed beside its board."""
    folder: Path | None = None
    """Where pictures that are taken are kept; ``None``: none can be."""

    def empty(self, of: str) -> Image | None:
        """Return the picture of a board (its profile's id) or the `TRAY` with nothing on it.

        The one given at the start, else the one kept; ``None`` if there is neither.
        """
        given = self._given(of)
        return self._read(_EMPTY.format(of), load_picture) if given is None else given

    def is_given(self, of: str) -> bool:
        """Say whether such a picture was given at the start."""
        return self._given(of) is not None

    def keeps(self, of: str) -> bool:
        """Say whether such a picture has been kept."""
        path = self._file(_EMPTY.format(of))
        return path is not None and path.exists()

    def keep(self, of: str, picture: Image) -> None:
        """Keep such a picture. Raises `LedgerError` if that cannot be."""
        self._write(_EMPTY.format(of), cv2.imencode(".png", picture)[1].tobytes())

    def drop(self, of: str) -> None:
        """Throw the picture away that has been kept. Raises `LedgerError`."""
        self._remove(_EMPTY.format(of))

    def ships(self, game: str) -> Look | None:
        """Return the tones of a game's ships, if they were taught."""
        return self._read(_SHIPS.format(game), load_look)

    def keep_ships(self, game: str, look: Look) -> None:
        """Keep the tones of a game's ships. Raises `LedgerError` if that cannot be."""
        self._write(_SHIPS.format(game), json.dumps(look.to_json(), indent=1).encode())

    def forget_ships(self, game: str) -> None:
        """Forget what was learnt of a game's ships. Raises `LedgerError`."""
        self._remove(_SHIPS.format(game))

    def zone(self) -> Zone | Literal["none"] | None:
        """Return where in the camera's picture the tray was last said to be.

        ``"none"``: that there is none in it; ``None``: nobody has said anything.
        """
        return self._read(_ZONE, _parse_zone)

    def keep_zone(self, zone: Zone | None) -> None:
        """Keep where the tray is, or that there is none.

        A picture of it empty, cut out elsewhere, is of no use then.
        """
        self.drop(TRAY)
        self._write(_ZONE, (_NO_TRAY if zone is None else ",".join(map(str, zone))).encode())

    def _given(self, of: str) -> Image | None:
        return self.empty_tray if of == TRAY else self.empty_board

    def _file(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / name

    def _read(self, name: str, load: Callable[[Path], Kept]) -> Kept | None:
        """Return what a file holds; one that cannot be read is put aside, to be made anew."""
        path = self._file(name)
        if path is None or not path.exists():
            return None
        try:
            return load(path)
        except (OSError, ValueError, NotCalibrated) as error:
            _LOG.warning("%s is not used: %s", path.name, error)
            with suppress(OSError):
                path.replace(path.with_name(path.name + ".damaged"))
            return None

    def _remove(self, name: str) -> None:
        path = self._file(name)
        try:
            if path is not None:
                path.unlink(missing_ok=True)
        except OSError as error:
            raise LedgerError(f"it cannot be thrown away ({error.strerror})") from error

    def _write(self, name: str, data: bytes) -> None:
        path = self._file(name)
        if path is None:
            raise LedgerError("this table has no folder to keep anything in")
        # A name of its own: several phones may ask at once.
        new = path.with_name(f"{path.name}.{secrets.token_hex(4)}.new")
        try:
            replace_file(path, data, new)
        except OSError as error:
            raise LedgerError(f"it cannot be kept ({error.strerror})") from error


def _parse_zone(path: Path) -> Zone | Literal["none"]:
    text = path.read_text("ascii")
    return _NO_TRAY if text == _NO_TRAY else parse_zone(text)
