"""Setting up a table on its page: what is seen of it now, and what it is asked to keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from companion.boards.profile import XY
from companion.table.observation import DieReading

Part = Literal["board", "tray"]
"""What a picture is of."""

Zone = tuple[float, float, float, float]
"""Left, top, right, bottom of a tray as shares of the picture."""

Printed = Literal["board", "markers"]
"""What is printed: the whole board, or its markers for a board of one's own."""

Kept = Literal["", "taken", "given"]
"""Whether there is a picture without anything on it: none, taken on the page, or named at the
start."""


@dataclass(frozen=True, slots=True)
class BoardSight:
    """What one picture shows of a board."""

    frame: str
    """Id of the picture."""
    is_found: bool
    says: str
    """A plain sentence: how well the board lies, or what is missing."""
    outlines: tuple[tuple[XY, ...], ...] = ()
    """The edge of the board, then of each marker that was found: corners as shares of the
    picture's width and height."""
    places: tuple[tuple[XY, ...], ...] = ()
    """Likewise the places of the lesson, in its order."""


@dataclass(frozen=True, slots=True)
class TrayReading:
    """What was read in the tray, for who wants to try it."""

    dice: tuple[DieReading, ...]
    size_px: tuple[int, int]
    """Width and height of the picture."""
    advice: str | None
    """What to do if something in it cannot be told."""


class SetUp(Protocol):
    """What the set-up page asks and changes. A board is named by the id of its profile."""

    @property
    def presses(self) -> Mapping[str, int]:
        """How often each button has been pressed since the table was opened."""
        ...

    @property
    def has_camera(self) -> bool:
        """Whether the table was started with one."""
        ...

    @property
    def has_tray(self) -> bool:
        """Whether the newest picture shows a tray, too."""
        ...

    @property
    def can_cut_tray(self) -> bool:
        """Whether the tray's picture can be cut out of the board's."""
        ...

    @property
    def zone(self) -> Zone | None:
        """Where the tray is cut out of the board's picture; ``None`` if it is not."""
        ...

    def move_zone(self, zone: Zone | None) -> None:
        """Cut the tray out elsewhere from now on; ``None``: there is none in the picture.

        Raises `NotCalibrated` if that cannot be.
        """
        ...

    @property
    def has_ring(self) -> bool:
        """Whether there are lamps to point north with."""
        ...

    def board(self, profile: str) -> BoardSight:
        """Look for a board in the newest picture.

        Raises `CameraUnavailable` if there is none, `NotCalibrated` without any camera.
        """
        ...

    def picture(self, part: Part) -> bytes | None:
        """Return the newest picture, JPEG; ``None`` if there is none."""
        ...

    def kept_picture(self, part: Part, profile: str) -> bytes | None:
        """Return the picture of the empty board or tray that is used, JPEG, if there is one."""
        ...

    def kept(self, profile: str) -> Mapping[Part, Kept]:
        """Say which pictures of the empty board and tray there are."""
        ...

    def take(self, part: Part, profile: str, is_sure: bool) -> None:
        """Keep the newest picture as that of the empty board or tray, and use it from now on.

        Raises
        ------
        DoubtfulPicture
            Something seems to lie there; not if it `is_sure`.
        NotCalibrated, CameraUnavailable
            It cannot be used, or none is wanted.
        """
        ...

    def drop(self, part: Part, profile: str) -> None:
        """Throw the picture away that was kept, and do without from now on."""
        ...

    def lesson(self, profile: str) -> tuple[tuple[str, str], ...]:
        """Return which ship goes on which cell for `teach`; nothing on boards without ships."""
        ...

    def taught(self, profile: str) -> tuple[str, ...]:
        """Return the colours of the ships whose tones are known."""
        ...

    def teach(self, profile: str, is_sure: bool) -> None:
        """Learn the tones of the ships that stand as the lesson has it, from the newest picture.

        Each picture adds to what was learnt since the table was opened. Raises as `take` does.
        """
        ...

    def forget(self, profile: str) -> None:
        """Forget what was learnt of these ships."""
        ...

    def read_dice(self, profile: str) -> TrayReading:
        """Read what lies in the tray, of any kind. Raises `NotCalibrated`, `CameraUnavailable`."""
        ...

    def point_north(self) -> None:
        """Light the lamps that point north for a while."""
        ...

    def printed(self, what: Printed, profile: str, paper: str) -> bytes:
        """Return a PDF of a board, true to scale. Raises `PrintingError` on unknown paper."""
        ...
