"""What the camera knows before a game begins: board and tray with nothing on them, and where."""

from __future__ import annotations

import json
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import cv2

from companion.boards.profile import XY
from companion.errors import LedgerError, NotCalibrated, PictureError
from vision.board.look import Look, load_look
from vision.camera.folder import load_picture
from vision.camera.zone import Share, parse_share
from vision.frame import Image

_LOG = logging.getLogger(__name__)
_TRAY = "tray"
_ZONE = "tray-zone.txt"
_SHIPS = "ships-{}.json"


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

    def board(self, profile: str) -> Image | None:
        """Return the picture of a board without pieces: the one given, or the one kept."""
        return self._kept(profile) if self.empty_board is None else self.empty_board

    def tray(self) -> Image | None:
        """Return the picture of the tray without dice, likewise."""
        return self._kept(_TRAY) if self.empty_tray is None else self.empty_tray

    def keeps_board(self, profile: str) -> bool:
        """Say whether a picture of a board without pieces has been kept."""
        return self._keeps(profile)

    def keeps_tray(self) -> bool:
        """Say whether a picture of the tray without dice has been kept."""
        return self._keeps(_TRAY)

    def keep_board(self, profile: str, picture: Image) -> None:
        """Keep a picture of a board without pieces. Raises `LedgerError` if it cannot be."""
        self._keep(profile, picture)

    def keep_tray(self, picture: Image) -> None:
        """Keep a picture of the tray without dice, likewise."""
        self._keep(_TRAY, picture)

    def ships(self, game: str) -> Look | None:
        """Return the tones of a game's ships, if they were taught."""
        path = self._file(_SHIPS.format(game))
        if path is None or not path.exists():
            return None
        try:
            return load_look(path)
        except NotCalibrated as error:
            _put_away(path, error)
            return None

    def keep_ships(self, game: str, look: Look) -> None:
        """Keep the tones of a game's ships. Raises `LedgerError` if that cannot be."""
        self._write(_SHIPS.format(game), json.dumps(look.to_json(), indent=1).encode())

    def forget_ships(self, game: str) -> None:
        """Know nothing of a game's ships any more."""
        self._remove(_SHIPS.format(game))

    def drop_board(self, profile: str) -> None:
        """Throw the picture of a board away that has been kept. Raises `LedgerError`."""
        self._drop(profile)

    def drop_tray(self) -> None:
        """Throw the picture of the tray away that has been kept. Raises `LedgerError`."""
        self._drop(_TRAY)

    def zone(self) -> Share | None:
        """Return where in the camera's picture the tray was last said to be."""
        path = self._file(_ZONE)
        if path is None or not path.exists():
            return None
        try:
            return parse_share(path.read_text("ascii"))
        except (OSError, ValueError) as error:  # `CameraUnavailable` is an `OSError`
            _put_away(path, error)
            return None

    def keep_zone(self, zone: Share) -> None:
        """Keep where the tray is; a picture of it empty, cut out elsewhere, is of no use then."""
        self.drop_tray()
        self._write(_ZONE, ",".join(map(str, zone)).encode())

    def _path(self, name: str) -> Path | None:
        return self._file(f"empty-{name}.png")

    def _file(self, name: str) -> Path | None:
        return None if self.folder is None else self.folder / name

    def _drop(self, name: str) -> None:
        self._remove(f"empty-{name}.png")

    def _keeps(self, name: str) -> bool:
        path = self._path(name)
        return path is not None and path.exists()

    def _kept(self, name: str) -> Image | None:
        path = self._path(name)
        if path is None or not path.exists():
            return None
        try:
            return load_picture(path)
        except PictureError as error:
            _put_away(path, error)
            return None

    def _keep(self, name: str, picture: Image) -> None:
        self._write(f"empty-{name}.png", cv2.imencode(".png", picture)[1].tobytes())

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
            new.write_bytes(data)
            new.replace(path)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            raise LedgerError(f"it cannot be kept ({error.strerror})") from error


def _put_away(path: Path, why: Exception) -> None:
    """Call a file that cannot be read otherwise: it is not used, and another can be made."""
    _LOG.warning("%s is not used: %s", path.name, why)
    with suppress(OSError):
        path.replace(path.with_name(path.name + ".damaged"))
