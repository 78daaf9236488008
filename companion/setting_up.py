"""The set-up of a table that is open: what its camera sees now, and pictures that are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from companion.boards.profile import BoardProfile, load_profile
from companion.errors import CameraUnavailable, DoubtfulPicture, NotCalibrated, TrayNotFound
from companion.looks import Looks
from companion.rules.dice import die_words, face_name
from companion.rules.layout import Cell
from companion.table.findings import SURE_DIE
from companion.table.observation import CellReading, DieReading, Unreadable
from companion.table.setting_up import BoardSight, Kept, Part, Printed, TrayReading
from companion.teaching import Samples, lesson, sample
from vision.board.look import learn_look
from vision.board.reader import BoardReader
from vision.camera.zone import Share, board_picture, check_share
from vision.dice.any_tray import AnyTrayReader
from vision.dice.legible import advice_on
from vision.dice.reader import TrayReader
from vision.evidence import jpeg
from vision.frame import Array, Frame, Image
from vision.registration import BoardFit, marker_corners, missing_text, register

SURE_PIECE = 0.9
"""From here on a cell of a board that should be empty holds something."""
MOST_NAMED = 4
"""Places that are named where pieces still stand."""

_NO_CAMERA = "no picture has come yet; was the table started with --camera?"
_NO_TRAY = (
    "the camera gives no picture of a tray: start with a zone of its picture or a second camera "
    "(docs/dice.md)"
)
_NO_WALLS = (
    "I see no box with upright walls in it. If yours has none, a leather tray or a mat, no such "
    "picture is needed; else let it be seen whole"
)


class SettingUp:
    """Implements `companion.table.setting_up.SetUp` over the newest picture.

    Parameters
    ----------
    newest : callable
        Returns the newest frame, ``None`` before the first.
    looks : Looks
        Where pictures are kept.
    use : callable
        Called when another picture is kept: what reads the table is to know it.
    aim : callable or None
        Cuts the tray's picture out of another zone of the board's, where the camera does so.
    """

    def __init__(
        self,
        newest: Callable[[], Frame | None],
        looks: Looks,
        use: Callable[[], None],
        aim: Callable[[Share], None] | None = None,
    ) -> None:
        self._newest, self._looks, self._use, self._aim = newest, looks, use, aim
        if aim is not None and (zone := looks.zone()) is not None:
            aim(zone)
        self._presses = {"turn": 0, "undo": 0}
        self._point_north: Callable[[], None] | None = None
        self._samples: dict[str, Samples] = {}
        """Tones of ships by game, since the table was opened."""
        self._seen: tuple[tuple[str, str], BoardSight] | None = None

    # -- buttons and ring -----------------------------------------------------------------------

    @property
    def presses(self) -> Mapping[str, int]:
        """How often each button has been pressed since the table was opened."""
        return dict(self._presses)

    def note_press(self, button: str) -> None:
        """Count a press of ``"turn"`` or ``"undo"``."""
        self._presses[button] += 1

    @property
    def has_ring(self) -> bool:
        """Whether there are lamps to point north with."""
        return self._point_north is not None

    def points_north_by(self, point: Callable[[], None]) -> None:
        """Say what lights the lamps that point north."""
        self._point_north = point

    def point_north(self) -> None:
        """Light the lamps that point north for a while."""
        if self._point_north is not None:
            self._point_north()

    @property
    def has_tray(self) -> bool:
        """Whether the newest picture shows a tray, too."""
        frame = self._newest()
        return frame is not None and frame.tray is not None

    @property
    def zone(self) -> Share | None:
        """Where the tray is cut out of the board's picture; ``None`` if it is not."""
        frame = self._newest()
        return None if frame is None or self._aim is None else frame.tray_zone

    def move_zone(self, zone: Share) -> None:
        """Cut the tray out elsewhere from now on. Raises `NotCalibrated` and `LedgerError`."""
        if self._aim is None:
            raise NotCalibrated("this camera's picture of the tray is not a part of the board's")
        try:
            check_share(zone)
        except CameraUnavailable as error:
            raise NotCalibrated(str(error)) from error
        self._looks.keep_zone(zone)
        self._aim(zone)
        self._use()

    # -- pictures -------------------------------------------------------------------------------

    def board(self, profile: str) -> BoardSight:
        """Look for a board in the newest picture. Raises `CameraUnavailable` if there is none."""
        frame = self._frame()
        if self._seen is None or self._seen[0] != (frame.id, profile):
            # Several phones may look on: each picture is looked through once.
            self._seen = ((frame.id, profile), _sight(frame, load_profile(profile)))
        return self._seen[1]

    def picture(self, part: Part) -> bytes | None:
        """Return the newest picture, JPEG; ``None`` if there is none."""
        frame = self._newest()
        if frame is None:
            return None
        image = frame.board if part == "board" else frame.tray
        return None if image is None else jpeg(board_picture(image))

    def kept(self, profile: str) -> Mapping[Part, Kept]:
        """Say which pictures without anything on them there are."""
        looks = self._looks
        return {
            "board": _kept(looks.empty_board, looks.keeps_board(profile)),
            "tray": _kept(looks.empty_tray, looks.keeps_tray()),
        }

    def take(self, part: Part, profile: str, is_sure: bool) -> None:
        """Keep the newest picture as that of the empty board or tray, and use it from now on.

        Raises `DoubtfulPicture`, `NotCalibrated`, `CameraUnavailable` and `LedgerError`.
        """
        if self.kept(profile)[part] == "given":
            flag = "--empty" if part == "board" else "--empty-tray"
            raise NotCalibrated(
                f"the table was started with {flag} and a picture; without that it takes yours"
            )
        frame, board = self._frame(), load_profile(profile)
        if part == "board":
            _check_board(frame, board, is_sure)
            self._looks.keep_board(board.id, frame.board)
        else:
            tray = _tray_of(frame)
            _check_tray(tray, board, is_sure)
            self._looks.keep_tray(tray)
        self._use()

    # -- ships ----------------------------------------------------------------------------------

    def lesson(self, profile: str) -> tuple[tuple[str, str], ...]:
        """Return which ship goes on which cell for `teach`; nothing on boards without ships."""
        board = load_profile(profile)
        return tuple((ship, board.name_of(cell)) for cell, ship in lesson(board).items())

    def taught(self, profile: str) -> tuple[str, ...]:
        """Return the colours of the ships whose tones are known."""
        look = self._looks.ships(load_profile(profile).games[0])
        return () if look is None else tuple(look.tones)

    def teach(self, profile: str, is_sure: bool) -> None:
        """Learn the tones of the ships that stand as the lesson has it, from the newest picture.

        Each picture adds to what was learnt since the table was opened. Raises as `take` does.
        """
        board = load_profile(profile)
        tones = sample(self._frame(), board, self._looks.board(profile), is_sure)
        samples = self._samples.setdefault(board.games[0], {})
        for ship, more in tones.items():
            samples.setdefault(ship, []).extend(more)
        self._looks.keep_ships(board.games[0], learn_look(samples))
        self._use()

    def forget(self, profile: str) -> None:
        """Know nothing of these ships any more."""
        game = load_profile(profile).games[0]
        self._samples.pop(game, None)
        self._looks.forget_ships(game)
        self._use()

    # -- dice -----------------------------------------------------------------------------------

    def read_dice(self, profile: str) -> TrayReading:
        """Read what lies in the tray, of any kind. Raises `NotCalibrated`, `CameraUnavailable`."""
        tray = _tray_of(self._frame())
        dice = _read(tray, load_profile(profile), self._looks.tray())
        size = (tray.shape[1], tray.shape[0])
        return TrayReading(dice, size, advice_on(dice, tray, SURE_DIE))

    def printed(self, what: Printed, profile: str, paper: str) -> bytes:
        """Return a PDF of a board, true to scale. Raises `PrintingError` on unknown paper."""
        # Here and not above: most tables never print.
        from vision.printing.pdf import board_pdf, markers_pdf
        from vision.printing.styles import STYLES

        board = load_profile(profile)
        if what == "markers":
            return markers_pdf(board, paper)
        return board_pdf(board, STYLES["chart"], paper)

    def _frame(self) -> Frame:
        frame = self._newest()
        if frame is None:
            raise CameraUnavailable(_NO_CAMERA)
        return frame


def _kept(given: Image | None, is_kept: bool) -> Kept:
    return "given" if given is not None else "taken" if is_kept else ""


def _tray_of(frame: Frame) -> Image:
    if frame.tray is None:
        raise NotCalibrated(frame.tray_trouble or _NO_TRAY)
    return frame.tray


# -- the board ----------------------------------------------------------------------------------


def _sight(frame: Frame, board: BoardProfile) -> BoardSight:
    fit = register(frame.board, board, None, frame.id)
    if isinstance(fit, Unreadable):
        return BoardSight(frame.id, False, _sentence(fit.reason))
    size = np.array(fit.size_px)
    quads = np.stack([_edge_mm(board), *_markers_mm(board, fit)])
    shares = fit.project(quads.reshape(-1, 2)).reshape(quads.shape) / size
    outlines = tuple(tuple((float(x), float(y)) for x, y in quad) for quad in shares)
    return BoardSight(frame.id, True, _how_well(board, fit), outlines)


def _edge_mm(board: BoardProfile) -> Array:
    near = -board.marker_inset_mm
    right, bottom = near + board.width_mm, near + board.height_mm
    return np.array([[near, near], [right, near], [right, bottom], [near, bottom]])


def _markers_mm(board: BoardProfile, fit: BoardFit) -> list[Array]:
    corners = zip(board.markers, marker_corners(board), strict=True)
    return [quad for marker, quad in corners if marker.id in fit.markers]


def _how_well(board: BoardProfile, fit: BoardFit) -> str:
    good = f"The board lies where I think it does to {fit.error_mm:.1f} mm."
    if len(fit.markers) == len(board.markers):
        return f"I see all markers. {good}"
    missing = missing_text(set(fit.markers), board)
    return f"{_sentence(missing)} It will do, but all are better. {good}"


def _check_board(frame: Frame, board: BoardProfile, is_sure: bool) -> None:
    """Refuse a picture that is of no use as that of the empty board, or that seems to be none."""
    if board.is_open:
        raise NotCalibrated("an open table needs no such picture: the tags of the pieces are read")
    seen = BoardReader(board).read(frame)
    if isinstance(seen, Unreadable):
        raise NotCalibrated(seen.reason)
    full = [cell for cell, reading in seen.cells.items() if _holds_something(reading)]
    if not is_sure and (full or seen.occluded):
        raise DoubtfulPicture(
            _standing(full, board) if full else "something lies over a part of it"
        )


def _holds_something(reading: CellReading) -> bool:
    looked_for = (reading.ships.get((), 0.0), reading.terrain.get(None, 0.0))
    cargo = reading.cargo.get(None, 0.0) if reading.cargo else 1.0
    return min(*looked_for, cargo) <= 1 - SURE_PIECE


def _standing(cells: list[Cell], board: BoardProfile) -> str:
    names = [board.name_of(cell) for cell in sorted(cells)]
    shown, more = names[:MOST_NAMED], len(names) - MOST_NAMED
    places = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    return f"something seems to stand on {places}"


# -- the tray -----------------------------------------------------------------------------------


def _check_tray(picture: Image, board: BoardProfile, is_sure: bool) -> None:
    """Refuse a picture that is of no use as that of the empty tray, or that seems to be none."""
    if board.tray is None:
        raise NotCalibrated(f"{board.title} is played without a tray")
    try:
        TrayReader(board.tray.size_mm, picture)
    except TrayNotFound as error:
        raise NotCalibrated(_NO_WALLS) from error
    read = (die.best for die in _read(picture, board, None))
    dice = [best[0] for best in read if best is not None and best[1] >= SURE_DIE]
    if dice and not is_sure:
        words = ", ".join(f"{die_words(d.kind)} {face_name(d.kind, d.face)}" for d in dice)
        raise DoubtfulPicture(f"dice seem to lie in it: {words}")


def _read(picture: Image, board: BoardProfile, empty: Image | None) -> tuple[DieReading, ...]:
    if board.tray is None:
        raise NotCalibrated(f"{board.title} is played without a tray")
    reader = AnyTrayReader(board.tray.size_mm, empty)
    return reader.read(picture, None, lambda: None, lambda: None)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
