"""The reader of an open table: a frame in, an observation with the poses of its tags out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from companion.errors import BoardError
from companion.rules.layout import Pose
from companion.table.observation import Observation, TagReading
from vision.frame import Array, Frame
from vision.piece_reader import PieceReader
from vision.registration import BoardFit, marker_corners
from vision.tags.camera import TagPlace, fit_together
from vision.tags.codes import codes_of
from vision.tags.detect import NO_SQUARES, SeenTag, detect_tags

LEAN_MM = 60.0
"""A tag on a high mast at the table's edge seems to stand so far beside it."""

NO_HEIGHTS: Mapping[int, float] = {}


@dataclass(frozen=True, eq=False)
class PlacedTag:
    """A tag that was found, and where it is."""

    seen: SeenTag
    place: TagPlace

    @property
    def pose(self) -> Pose:
        """Where it is above the table: its middle projected straight down."""
        heading_deg = math.degrees(self.place.heading_rad) % 360
        return Pose(self.place.x_mm, self.place.y_mm, heading_deg)


class TagReader(PieceReader):
    """Reads the tags of one open table.

    Parameters
    ----------
    profile : BoardProfile
        One of an open table.
    heights : callable, optional
        Returns how high above the table each tag is, millimetres, as far as that is known
        (`Placed.height_mm` of the game's layout). Other tags' heights are estimated.

    Raises
    ------
    BoardError
        The profile is that of a board of cells.
    """

    def __init__(
        self,
        profile: BoardProfile,
        heights: Callable[[], Mapping[int, float]] = lambda: NO_HEIGHTS,
    ) -> None:
        if profile.tags is None:
            raise BoardError(f"the pieces of {profile.id!r} stand on cells and bear no tags")
        super().__init__(profile)
        self._heights = heights
        self._last: dict[int, Array] = {}
        """Where each tag was seen last, corners (4, 2) px."""
        self._side_mm = profile.tags.side_mm
        self._inset_mm = profile.marker_inset_mm
        self._codes = codes_of(profile.tags.dictionary)
        corners = marker_corners(profile)
        self._markers_mm = {m.id: c for m, c in zip(profile.markers, corners, strict=True)}

    def read_fitted(self, frame: Frame, fit: BoardFit) -> Observation:
        """Read a frame whose table has been found already."""
        tags = {t.seen.tag: TagReading(t.pose, t.seen.p) for t in self.find(frame, fit)}
        return Observation(frame.id, frame.time_s, {}, None, fit.error_mm, tags=tags)

    def find(self, frame: Frame, fit: BoardFit) -> list[PlacedTag]:
        """Return all tags that are seen on the table, by number.

        Spare tags beside the table mean nothing, and of two with one number neither can be trusted.
        """
        gray = cv2.cvtColor(frame.board, cv2.COLOR_BGR2GRAY)
        seen = detect_tags(gray, fit, self._codes, self._side_mm, self._before)
        near = [tag for tag in seen if self._is_over_table(tag, fit)]
        count = Counter(tag.tag for tag in near)
        seen = [tag for tag in near if count[tag.tag] == 1]
        self._remember(seen)
        if not seen:
            return []
        corners = np.array([tag.corners_px for tag in seen])
        known = self._heights()
        heights = [known.get(tag.tag) for tag in seen]
        places = fit_together(fit, self._markers_mm, corners, self._side_mm, heights)
        return [PlacedTag(tag, place) for tag, place in zip(seen, places, strict=True)]

    @property
    def _before(self) -> Array:
        return np.array([*self._last.values()]) if self._last else NO_SQUARES

    def _remember(self, seen: list[SeenTag]) -> None:
        """Keep where tags are; one that is hidden now may be there still."""
        self._last.update({tag.tag: tag.corners_px for tag in seen})

    def _is_over_table(self, tag: SeenTag, fit: BoardFit) -> bool:
        (x, y), inset = fit.to_board(tag.corners_px.mean(axis=0)[None])[0], self._inset_mm
        width, height = self.profile.width_mm, self.profile.height_mm
        return bool(
            -LEAN_MM < x + inset < width + LEAN_MM and -LEAN_MM < y + inset < height + LEAN_MM
        )
