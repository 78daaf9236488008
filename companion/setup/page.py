"""The set-up of a table that is open: what its camera sees now, and pictures that are kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from time import monotonic

from companion.boards.profile import load_profile
from companion.errors import CameraUnavailable, NotCalibrated
from companion.setup.looks import TRAY, Looks
from companion.setup.sight import check_board, check_tray, read_tray, sight
from companion.setup.teaching import Samples, lesson, sample
from companion.table.findings import SURE_DIE
from companion.table.setting_up import BoardSight, Kept, Part, Printed, TrayReading, Zone
from vision.board.look import Look, learn_look
from vision.camera.zone import board_picture, check_zone
from vision.dice.legible import advice_on
from vision.evidence import jpeg
from vision.frame import Frame, Image

SHARED_S = 0.8
"""So long what was seen of a board serves whoever asks."""

_NO_PICTURE = "no picture has come yet"
_NO_CAMERA = "this table has no camera: everything is told by phone"
_NO_TRAY = (
    "there is no picture of a tray: show where it is in the camera's picture, or start the table "
    "with a second camera over it"
)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What was seen of a board, and until when that serves."""

    profile: str
    until_s: float
    sight: BoardSight


class SettingUp:
    """Implements `companion.table.setting_up.SetUp` over the newest picture.

    Parameters
    ----------
    newest : callable
        Returns the newest frame, ``None`` before the first.
    looks : Looks
        Where pictures are kept.
    use : callable
        Called when something else is kept of a board (its profile's id), or of the tray: what
        reads the table is to know it.
    aim : callable or None
        Cuts the tray's picture out of another zone of the board's, or of none, where the camera
        does so.
    has_camera : bool
        Whether the table was started with one.
    """

    def __init__(
        self,
        newest: Callable[[], Frame | None],
        looks: Looks,
        use: Callable[[Part, str], None],
        aim: Callable[[Zone | None], None] | None = None,
        has_camera: bool = True,
    ) -> None:
        self.has_camera = has_camera
        """Whether the table was started with one."""
        self._newest, self._looks, self._use, self._aim = newest, looks, use, aim
        if aim is not None and (zone := looks.zone()) is not None:
            aim(None if zone == "none" else zone)
        self._presses = {"turn": 0, "undo": 0}
        self._point_north: Callable[[], None] | None = None
        self._changing, self._looking, self._reading = Lock(), Lock(), Lock()
        self._read: tuple[tuple[str, str], TrayReading] | None = None
        self._samples: dict[str, Samples] = {}
        """Tones of ships by game, since the table was opened."""
        self._seen: _Seen | None = None

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
    def can_cut_tray(self) -> bool:
        """Whether the tray's picture can be cut out of the board's."""
        return self._aim is not None

    @property
    def zone(self) -> Zone | None:
        """Where the tray is cut out of the board's picture; ``None`` if it is not."""
        frame = self._newest()
        return None if frame is None or self._aim is None else frame.tray_zone

    def move_zone(self, zone: Zone | None) -> None:
        """Cut the tray out elsewhere from now on, or nowhere.

        Raises `NotCalibrated` and `LedgerError`.
        """
        if self._aim is None:
            raise NotCalibrated("this camera's picture of the tray is not a part of the board's")
        try:
            zone = None if zone is None else check_zone(zone)
        except CameraUnavailable as error:
            raise NotCalibrated(str(error)) from error
        with self._changing:
            self._looks.keep_zone(zone)
            self._aim(zone)
            self._use("tray", "")

    # -- pictures -------------------------------------------------------------------------------

    def board(self, profile: str) -> BoardSight:
        """Look for a board in the newest picture. Raises `CameraUnavailable`, `NotCalibrated`."""
        frame = self._frame()
        with self._looking:  # several phones may look on: they share what is seen for a while
            now_s = monotonic()
            seen = self._seen
            is_new = seen is None or (seen.sight.frame != frame.id and now_s > seen.until_s)
            if seen is None or seen.profile != profile or is_new:
                found = sight(frame, load_profile(profile))
                seen = self._seen = _Seen(profile, monotonic() + SHARED_S, found)
            return seen.sight

    def picture(self, part: Part) -> bytes | None:
        """Return the newest picture, JPEG; ``None`` if there is none."""
        frame = self._newest()
        if frame is None:
            return None
        image = frame.board if part == "board" else frame.tray
        return None if image is None else jpeg(board_picture(image))

    def kept(self, profile: str) -> Mapping[Part, Kept]:
        """Say which pictures of the empty board and tray there are."""
        return {"board": self._is_kept(profile), "tray": self._is_kept(TRAY)}

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
        with self._changing:
            if part == "board":
                check_board(frame, board, is_sure)
                self._looks.keep(profile, frame.board)
            else:
                tray = _tray_of(frame)
                check_tray(tray, board, is_sure)
                self._looks.keep(TRAY, tray)
            self._use(part, profile)

    def kept_picture(self, part: Part, profile: str) -> bytes | None:
        """Return the picture of the empty board or tray that is used, JPEG, if there is one."""
        image = self._looks.empty(_named(part, profile))
        return None if image is None else jpeg(board_picture(image))

    def drop(self, part: Part, profile: str) -> None:
        """Throw the picture away that was kept, and do without from now on."""
        with self._changing:
            if self.kept(profile)[part] != "taken":
                return
            self._looks.drop(_named(part, profile))
            self._use(part, profile)

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
        game = board.games[0]
        tones = sample(self._frame(), board, self._looks.empty(profile), is_sure)
        with self._changing:
            before, known = self._samples.get(game, {}), self._looks.ships(game)
            samples = before | {ship: before.get(ship, []) + more for ship, more in tones.items()}
            # Ships that were taught on another evening stay known.
            look = Look({**(known.tones if known else {}), **learn_look(samples).tones})
            self._looks.keep_ships(game, look)
            self._samples[game] = samples
            self._use("board", profile)

    def forget(self, profile: str) -> None:
        """Forget what was learnt of these ships."""
        game = load_profile(profile).games[0]
        with self._changing:
            self._looks.forget_ships(game)
            self._samples.pop(game, None)
            self._use("board", profile)

    # -- dice -----------------------------------------------------------------------------------

    def read_dice(self, profile: str) -> TrayReading:
        """Read what lies in the tray, of any kind. Raises `NotCalibrated`, `CameraUnavailable`."""
        frame = self._frame()
        tray = _tray_of(frame)
        with self._reading:  # it takes a while: one at a time, and each picture once
            if self._read is None or self._read[0] != (frame.id, profile):
                dice = read_tray(tray, load_profile(profile), self._looks.empty(TRAY))
                size = (tray.shape[1], tray.shape[0])
                reading = TrayReading(dice, size, advice_on(dice, tray, SURE_DIE))
                self._read = ((frame.id, profile), reading)
            return self._read[1]

    def printed(self, what: Printed, profile: str, paper: str) -> bytes:
        """Return a PDF of a board, true to scale. Raises `PrintingError` on unknown paper."""
        # Here and not above: most tables never print.
        from vision.printing.pdf import board_pdf, markers_pdf
        from vision.printing.styles import STYLES

        board = load_profile(profile)
        if what == "markers":
            return markers_pdf(board, paper)
        return board_pdf(board, STYLES["chart"], paper)

    def _is_kept(self, of: str) -> Kept:
        if self._looks.is_given(of):
            return "given"
        return "taken" if self._looks.keeps(of) else ""

    def _frame(self) -> Frame:
        frame = self._newest()
        if not self.has_camera:
            raise NotCalibrated(_NO_CAMERA)
        if frame is None:
            raise CameraUnavailable(_NO_PICTURE)
        return frame


def _named(part: Part, profile: str) -> str:
    return profile if part == "board" else TRAY


def _tray_of(frame: Frame) -> Image:
    if frame.tray is None:
        raise NotCalibrated(frame.tray_trouble or _NO_TRAY)
    return frame.tray
