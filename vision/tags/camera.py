"""Camera and tags fitted together: what tags of known height tell of the camera, and back.

From straight above, four markers in one plane do not tell a near camera with a short lens from a
far one with a long lens; pieces 100 mm high would stand 9 mm off. Tags of known height settle it:
the nearer the camera, the larger they look beside the markers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from vision.aruco import SQUARE
from vision.frame import Array
from vision.registration import CORNER_SIGMA_PX, BoardFit

TAG_SIGMA_PX = 0.2
"""How well a corner of a tag is found, glare and bent paper included."""

KNOWN_SIGMA_MM = 2.0
"""How well the height of a piece is known that the game knows."""

USUAL_HEIGHT_MM = (70.0, 35.0)
"""Height of tags of unknown pieces: mean and spread."""

STEPS = 8


@dataclass(frozen=True, slots=True)
class TagPlace:
    """Where a tag is, in the board frame."""

    x_mm: float
    y_mm: float
    heading_rad: float
    """Of its own x axis, from +x toward +y."""
    height_mm: float


def fit_together(
    fit: BoardFit,
    markers_mm: Mapping[int, Array],
    tags_px: Array,
    side_mm: float,
    heights_mm: list[float | None],
) -> list[TagPlace]:
    """Return the places of tags that agree best, together with the camera's, with all corners.

    Parameters
    ----------
    fit : BoardFit
        What the markers alone tell.
    markers_mm : mapping of int to ndarray of shape (4, 2)
        Corners on the board of each marker the fit rests on.
    tags_px : ndarray of shape (N, 4, 2)
        Corners, from the tag's own top-left one clockwise.
    side_mm : float
        Of the tags' black squares.
    heights_mm : list of float or None
        Heights of the tags above the board as far as they are known.
    """
    known = np.concatenate([markers_mm[i] for i in sorted(fit.seen)])
    known_px = np.concatenate([fit.seen[i] for i in sorted(fit.seen)])
    prior = [(USUAL_HEIGHT_MM if h is None else (h, KNOWN_SIGMA_MM)) for h in heights_mm]
    heights, spread = np.array(prior).reshape(-1, 2).T
    tags = _first_places(fit, tags_px, heights)
    camera = fit
    for _ in range(STEPS):
        marks = _marker_equations(camera, known, known_px)
        corners = _tag_equations(camera, tags, tags_px, side_mm / 2)
        step, moves = _solve(marks, corners, tags[:, 3] - heights, spread)
        camera, tags = camera.stepped(step), tags + moves
        if np.abs(step[3:6]).max() < 0.01:
            break
    return [TagPlace(*map(float, tag)) for tag in tags]


def _first_places(fit: BoardFit, tags_px: Array, heights: Array) -> Array:
    """Return rough places (N, 4): x, y, heading, height."""
    places = []
    for quad, height in zip(tags_px, heights, strict=True):
        corners = fit.to_board(quad, float(height))
        ahead = corners[1] - corners[0] + corners[2] - corners[3]
        x, y = corners.mean(axis=0)
        places.append((x, y, np.arctan2(ahead[1], ahead[0]), height))
    return np.array(places).reshape(-1, 4)


def _marker_equations(camera: BoardFit, points: Array, pixels: Array) -> tuple[Array, Array]:
    """Return rows (R, 8) and misses (R,) of the markers' corners and of what lenses are like."""
    seen, slopes = camera.slopes(np.column_stack([points, np.zeros(len(points))]))
    rows, pull = camera.lens_pull()
    misses = (pixels - seen).ravel() / CORNER_SIGMA_PX
    return np.vstack([slopes / CORNER_SIGMA_PX, rows]), np.concatenate([misses, pull])


def _tag_equations(
    camera: BoardFit, tags: Array, tags_px: Array, half_mm: float
) -> tuple[Array, Array, Array]:
    """Return what each tag's corners tell.

    Returns
    -------
    ndarray of shape (N, 8, 8)
        How its corners' pixels move with the camera's eight values.
    ndarray of shape (N, 8, 4)
        And with its own x, y, heading and height.
    ndarray of shape (N, 8)
        How far off they are.
    """
    cos, sin = np.cos(tags[:, 2]), np.sin(tags[:, 2])
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], axis=1)
    arms = half_mm * SQUARE @ turn.transpose(0, 2, 1)
    depths = np.repeat(-tags[:, None, 3:], 4, axis=1)
    points = np.concatenate([tags[:, None, :2] + arms, depths], axis=2)
    seen, slopes = camera.slopes(points.reshape(-1, 3))
    board, _ = cv2.Rodrigues(camera.rotation)
    # A point that moves on the board moves so in the picture: (N, corner, pixel, board axis).
    moves = (slopes[:, 3:6] @ board).reshape(-1, 4, 2, 3)
    swing = np.stack([-arms[..., 1], arms[..., 0]], axis=-1)
    turning = (moves[..., :2] * swing[:, :, None]).sum(axis=-1)
    own = np.stack([moves[..., 0], moves[..., 1], turning, -moves[..., 2]], axis=-1)
    miss = (tags_px.reshape(-1, 2) - seen).reshape(-1, 8)
    shapes = slopes.reshape(-1, 8, 8), own.reshape(-1, 8, 4), miss
    by_camera, by_tag, off = (part / TAG_SIGMA_PX for part in shapes)
    return by_camera, by_tag, off


def _solve(
    marks: tuple[Array, Array],
    tags: tuple[Array, Array, Array],
    too_high_mm: Array,
    spread_mm: Array,
) -> tuple[Array, Array]:
    """Return the step of the camera (8,) and of each tag (N, 4) by least squares.

    A tag tells of no other tag but through the camera. So each one's own four values are solved
    for first, and what remains are eight equations, however many tags there are.
    """
    rows, misses = marks
    by_camera, by_tag, off = tags
    turned = by_tag.transpose(0, 2, 1)
    own, cross, wish = turned @ by_tag, turned @ by_camera, (turned @ off[..., None])[..., 0]
    own[:, 3, 3] += spread_mm**-2
    wish[:, 3] -= too_high_mm * spread_mm**-2
    solved = np.linalg.solve(own, np.concatenate([cross, wish[..., None]], axis=2))
    with_camera, alone = solved[..., :8], solved[..., 8]
    left = by_camera.transpose(0, 2, 1) @ by_camera - cross.transpose(0, 2, 1) @ with_camera
    pull = np.einsum("nij,ni->j", by_camera, off) - np.einsum("nij,ni->j", cross, alone)
    step = np.linalg.solve(rows.T @ rows + left.sum(axis=0), rows.T @ misses + pull)
    return step, alone - with_camera @ step
