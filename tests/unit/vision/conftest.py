"""A plain drawn board, seen by a camera whose pose is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import pytest

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import Cell, CellContent

SCALE = 2  # pixels a millimetre of the flat drawing
EDGE = 20.0
PAINT = {
    "red": (40, 40, 200),
    "blue": (190, 80, 40),
    "yellow": (50, 205, 235),
    "green": (60, 140, 50),
    "gray": (135, 130, 125),
    "black": (35, 32, 30),
    "white": (245, 245, 245),
}


@dataclass(frozen=True)
class Pose:
    """Where the camera stands: `turn_deg` about the vertical, `tilt_deg` off it."""

    height_mm: float = 850.0
    tilt_deg: float = 8.0
    turn_deg: float = 2.0
    focal_px: float = 1200.0

    def project(self, points_mm: np.ndarray, centre_mm: tuple[float, float]) -> np.ndarray:
        turn = cv2.Rodrigues(np.array([0.0, 0.0, np.radians(self.turn_deg)]))[0]
        tilt = cv2.Rodrigues(np.array([np.radians(self.tilt_deg), 0.0, 0.0]))[0]
        rotation = tilt @ turn
        shift = np.array([0, 0, self.height_mm]) - rotation @ np.array([*centre_mm, 0.0])
        matrix = np.array([[self.focal_px, 0, 639.5], [0, self.focal_px, 479.5], [0, 0, 1]])
        if points_mm.shape[1] == 2:
            points_mm = np.column_stack([points_mm, np.zeros(len(points_mm))])
        pixels, _ = cv2.projectPoints(points_mm, rotation, shift, matrix, np.zeros(4))
        return pixels.reshape(-1, 2)


DrawBoard = Callable[..., np.ndarray]


@pytest.fixture(scope="session")
def profile() -> BoardProfile:
    return load_profile("hex-ocean")


@pytest.fixture(scope="session")
def draw_board(profile: BoardProfile) -> DrawBoard:
    def draw(
        cells: Mapping[Cell, CellContent] | None = None,
        without_markers: Iterable[int] = (),
        light: tuple[float, float, float] = (1.0, 1.0, 1.0),
        seed: int = 1,
        **pose_values: float,
    ) -> np.ndarray:
        flat = _flat(profile, cells or {}, set(without_markers))
        pose, centre = Pose(**pose_values), _middle(profile)
        corners = np.array(
            [
                [0, 0],
                [profile.width_mm, 0],
                [profile.width_mm, profile.height_mm],
                [0, profile.height_mm],
            ]
        )
        target = pose.project(corners - EDGE, centre).astype(np.float32)
        warp = cv2.getPerspectiveTransform((corners * SCALE - 0.5).astype(np.float32), target)
        table = np.full((960, 1280, 3), (60, 75, 90), np.uint8)
        smooth = cv2.GaussianBlur(flat, (3, 3), 0.8)
        picture = cv2.warpPerspective(
            smooth, warp, (1280, 960), table, cv2.INTER_AREA, cv2.BORDER_TRANSPARENT
        )
        noise = np.random.default_rng(seed).integers(-3, 4, (240, 320, 3), np.int16)
        lit = cv2.multiply(picture, (*light, 1.0)).astype(np.int16) + np.tile(noise, (4, 4, 1))
        return np.clip(lit, 0, 255).astype(np.uint8)

    return draw


@pytest.fixture(scope="session")
def true_pixels(profile: BoardProfile) -> Callable[..., np.ndarray]:
    def project(points_mm: np.ndarray, **pose_values: float) -> np.ndarray:
        return Pose(**pose_values).project(points_mm, _middle(profile))

    return project


def _middle(profile: BoardProfile) -> tuple[float, float]:
    return profile.width_mm / 2 - EDGE, profile.height_mm / 2 - EDGE


def _flat(profile: BoardProfile, cells: Mapping[Cell, CellContent], hidden: set[int]) -> np.ndarray:
    size = (round(profile.height_mm * SCALE), round(profile.width_mm * SCALE), 3)
    flat = np.full(size, (120, 70, 25), np.uint8)
    for cell in profile.cells:
        outline = _px(profile.cell_outline_mm(cell))
        cv2.fillPoly(flat, [outline], (150, 95, 45))
        cv2.polylines(flat, [outline], True, (225, 205, 190), SCALE)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, profile.dictionary))
    side = round(profile.marker_side_mm * SCALE)
    for marker in profile.markers:
        x, y = _px([marker.centre_mm])[0] - side // 2
        border = 4 * SCALE
        flat[max(0, y - border) : y + side + border, max(0, x - border) : x + side + border] = 235
        drawn = cv2.aruco.generateImageMarker(dictionary, marker.id, side)
        ink = np.full_like(drawn, 235) if marker.id in hidden else np.where(drawn > 0, 235, 25)
        flat[y : y + side, x : x + side] = ink[..., None]
    for cell, content in cells.items():
        _draw_content(flat, profile, cell, content)
    return flat


def _draw_content(
    flat: np.ndarray, profile: BoardProfile, cell: Cell, content: CellContent
) -> None:
    centre = np.array(profile.cell_centre_mm(cell))
    if content.terrain == "desert":
        cv2.fillPoly(flat, [_px(profile.cell_outline_mm(cell))], (120, 190, 225))
    for k, ship in enumerate(content.ships):
        lift = (k - (len(content.ships) - 1) / 2) * 15
        hull = np.array([[-15, -5], [6, -5], [15, 0], [6, 5], [-15, 5]]) + centre + (0, lift)
        cv2.fillPoly(flat, [_px(hull)], PAINT[ship])
        deck = np.array([[-10, -2], [0, -2], [0, 2], [-10, 2]]) + centre + (0, lift)
        cv2.fillPoly(flat, [_px(deck)], tuple(0.8 * v for v in PAINT[ship]))


def _px(points_mm: Iterable[Iterable[float]]) -> np.ndarray:
    return np.round((np.array(list(points_mm)) + EDGE) * SCALE).astype(np.int32)
