"""Where the tray is: its floor in the picture, and where the camera stands over it.

Tray frame: millimetres, origin at the floor's top-left inside corner, x right, y down; heights
are counted upward.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.dice.crops import Box
from vision.frame import Array, Image

PX_PER_MM = 2.5
"""Scale of the rectified tray."""
MARGIN_MM = 14.0
"""Shown around the floor in the rectified picture: dice lean out over the edge."""
SEARCHED_MM = 20.0
"""So far around the floor dice are looked for: they lean, and its corners may be off."""
_STRIP = 128
"""Rows of a rectified picture that are thought of at once: of a large table all would not fit."""
FOCAL = 1.1
"""Focal length in widths of the picture, where nothing better is known (a field of view of 49
degrees; what is cut from a wider camera's full picture is about that)."""


@dataclass(frozen=True, slots=True)
class Sight:
    """How the camera looks into a picture."""

    focal_px: float
    axis_px: XY
    """Where it looks straight ahead; may be outside of a picture that is part of a larger one."""


@dataclass(frozen=True, eq=False)
class TrayView:
    """A tray as one camera sees it."""

    size_mm: XY
    corners_px: Array
    """Corners of the floor, (4, 2) float64, (x, y): top-left, then clockwise."""
    picture_px: tuple[int, int]
    """Width and height of the pictures."""
    focal_px: float
    axis_px: XY | None = None
    """Where the camera looks straight ahead; ``None``: in the middle of the picture."""

    @cached_property
    def to_picture(self) -> Array:
        """Homography (3, 3) from the floor in millimetres to the picture."""
        width, height = self.size_mm
        floor = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        how = cv2.getPerspectiveTransform(floor, self.corners_px.astype(np.float32))
        return np.asarray(how, float)

    @cached_property
    def _rectifier(self) -> Array:
        """Homography (3, 3) from rectified pixels to the picture."""
        to_mm = np.array(
            [
                [1 / PX_PER_MM, 0, 0.5 / PX_PER_MM - MARGIN_MM],
                [0, 1 / PX_PER_MM, 0.5 / PX_PER_MM - MARGIN_MM],
                [0, 0, 1],
            ]
        )
        return np.asarray(self.to_picture @ to_mm)

    @cached_property
    def _rectifying(self) -> tuple[Array, Array]:
        """Where each rectified pixel is seen, as `cv2.remap` takes it, which is sooner."""
        tall = self.rectified_px[1]
        strips = [self._mapped(top, min(top + _STRIP, tall)) for top in range(0, tall, _STRIP)]
        first, second = (np.vstack(maps) for maps in zip(*strips, strict=True))
        return first, second

    def _mapped(self, top: int, bottom: int) -> tuple[Array, Array]:
        """Return the rows of `_rectifying` from `top` on, `bottom` not included."""
        columns, rows = np.meshgrid(
            np.arange(self.rectified_px[0], dtype=float), np.arange(top, bottom, dtype=float)
        )
        seen = cv2.perspectiveTransform(np.dstack([columns, rows]), self._rectifier)
        x, y = (seen[..., k].astype(np.float32) for k in (0, 1))
        first, second = cv2.convertMaps(x, y, cv2.CV_16SC2)
        return np.asarray(first), np.asarray(second)

    @cached_property
    def rectified_px(self) -> tuple[int, int]:
        """Width and height of the rectified picture."""
        width, height = self.size_mm
        return (
            round((width + 2 * MARGIN_MM) * PX_PER_MM),
            round((height + 2 * MARGIN_MM) * PX_PER_MM),
        )

    @cached_property
    def _seen(self) -> Array:
        """The floor's axes and origin in the camera's frame, as columns, any length."""
        width, height = self.picture_px
        x, y = self.axis_px or ((width - 1) / 2, (height - 1) / 2)
        lens = np.array([[self.focal_px, 0, x], [0, self.focal_px, y], [0, 0, 1]])
        return np.asarray(np.linalg.inv(lens) @ self.to_picture)

    @cached_property
    def camera_mm(self) -> Array:
        """Position (3,) of the camera: over which point of the floor, and how high."""
        seen = self._seen.copy()
        seen /= np.sqrt(np.linalg.norm(seen[:, 0]) * np.linalg.norm(seen[:, 1]))
        seen *= np.sign(seen[2, 2])
        third = np.cross(seen[:, 0], seen[:, 1])
        left, _, right = np.linalg.svd(np.stack([seen[:, 0], seen[:, 1], third], axis=1))
        place = -(left @ right).T @ seen[:, 2]
        return np.array([place[0], place[1], abs(place[2])])

    @cached_property
    def around_px(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of the part of the picture that is searched for dice."""
        more = (SEARCHED_MM - MARGIN_MM) * PX_PER_MM
        wide, tall = self.rectified_px
        left, top, width, height = self.box_px(-more, -more, wide + more, tall + more)
        return left, top, left + width, top + height

    def rectify(self, picture: Image) -> Image:
        """Return the tray as seen from straight above, `PX_PER_MM`, with its margin."""
        return np.asarray(cv2.remap(picture, *self._rectifying, cv2.INTER_LINEAR), np.uint8)

    def to_floor(self, point_px: XY) -> Array:
        """Return the place (2,) on the floor that is seen at a point (x, y) of the picture."""
        seen = np.linalg.inv(self.to_picture) @ np.array([*point_px, 1.0])
        return np.asarray(seen[:2] / seen[2])

    def under(self, point_px: XY, height_mm: float) -> XY:
        """Return the place on the floor under what is seen at a point of the picture, so high.

        What is higher leans outward, away from the point over which the camera stands.
        """
        over, high = self.camera_mm[:2], self.camera_mm[2]
        x, y = over + (self.to_floor(point_px) - over) * (high - height_mm) / high
        return float(x), float(y)

    def leans_deg(self, points_mm: Array) -> Array:
        """Return how what stands at points (N, 3) leans, (N, 2): `vision.dice.lean.LEANS_DEG`."""
        away = self.camera_mm - points_mm
        far = np.degrees(np.arctan2(np.hypot(away[:, 0], away[:, 1]), away[:, 2]))
        aside = self.project(points_mm + np.array([0.0, 0.0, 1.0])) - self.project(points_mm)
        return np.asarray(far[:, None] * aside / np.linalg.norm(aside, axis=1).clip(1e-9)[:, None])

    def to_pixels(self, floor_mm: Array) -> Array:
        """Return where the picture shows places (N, 2) of the floor."""
        seen = cv2.perspectiveTransform(floor_mm[None].astype(np.float64), self.to_picture)
        return np.asarray(seen[0])

    def project(self, points_mm: Array) -> Array:
        """Return where the picture shows points (N, 3) over the floor, (N, 2)."""
        return self.to_pixels(on_floor(points_mm, self.camera_mm))

    def rectified(self, points_px: Array) -> Array:
        """Return where points (N, 2) of the picture are in the rectified picture."""
        how = np.linalg.inv(self._rectifier)
        return np.asarray(cv2.perspectiveTransform(points_px[None].astype(np.float64), how)[0])

    def box_px(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[int, int, int, int]:
        """Return x, y, width, height in the picture around a box in rectified pixels."""
        corners = np.array([[[left, top], [right, top], [right, bottom], [left, bottom]]], float)
        found = cv2.perspectiveTransform(corners, self._rectifier)[0]
        low, high = np.floor(found.min(axis=0)), np.ceil(found.max(axis=0))
        wide, tall = self.picture_px
        x0, y0 = (int(v) for v in np.clip(low, 0, [wide - 1, tall - 1]))
        x1, y1 = (int(v) for v in np.clip(high, 1, [wide, tall]))
        return x0, y0, max(x1 - x0, 1), max(y1 - y0, 1)


def on_floor(points_mm: Array, camera_mm: Array) -> Array:
    """Return which places (..., 2) of the floor a camera (3,) sees behind points (..., 3) over it.

    What is higher is seen farther outward, and larger.
    """
    over, high = camera_mm[:2], camera_mm[2]
    return np.asarray(over + (points_mm[..., :2] - over) * (high / (high - points_mm[..., 2:])))


def to_rectified(points_mm: Array) -> Array:
    """Return the rectified pixels (..., 2) of points (..., 2) of the floor."""
    return np.asarray((points_mm + MARGIN_MM) * PX_PER_MM - 0.5)


def grown(box: Box, share: float) -> Array:
    """Return the corners (4, 2) of a box (x, y, width, height) that is larger by a share."""
    x, y, width, height = box
    dx, dy = share * width, share * height
    left, top, right, bottom = x - dx, y - dy, x + width + dx, y + height + dy
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
