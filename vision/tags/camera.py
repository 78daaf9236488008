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
        rows, misses = _camera_rows(camera, known, known_px, len(tags), CORNER_SIGMA_PX)
        more = _tag_rows(camera, tags, tags_px, side_mm / 2)
        pulls = _prior_rows(camera, tags[:, 3], heights, spread)
        stack = [np.concatenate(pair) for pair in zip((rows, misses), more, pulls, strict=True)]
        step = np.linalg.lstsq(stack[0], stack[1], rcond=None)[0]
        camera = camera.stepped(step[:8])
        tags = tags + step[8:].reshape(-1, 4)
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


def _camera_rows(
    camera: BoardFit, points: Array, pixels: Array, tags: int, sigma: float
) -> tuple[Array, Array]:
    """Return what the camera's parameters change of known points' pixels, and what is missing."""
    flat = np.column_stack([points, np.zeros(len(points))])
    seen, slopes = camera.slopes(flat)
    rows = np.zeros((2 * len(points), 8 + 4 * tags))
    rows[:, :8] = slopes
    return rows / sigma, (pixels - seen).ravel() / sigma


def _tag_rows(camera: BoardFit, tags: Array, tags_px: Array, half_mm: float) -> tuple[Array, Array]:
    """Return the same of the corners of tags, whose places are looked for as well."""
    square = half_mm * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    cos, sin = np.cos(tags[:, 2]), np.sin(tags[:, 2])
    turn = np.stack([np.stack([cos, -sin], -1), np.stack([sin, cos], -1)], axis=1)
    arms = square @ turn.transpose(0, 2, 1)
    points = np.concatenate(
        [tags[:, None, :2] + arms, np.repeat(-tags[:, None, 3:], 4, axis=1)], axis=2
    ).reshape(-1, 3)
    seen, slopes = camera.slopes(points)
    board, _ = cv2.Rodrigues(camera.rotation)
    moves = slopes[:, 3:6] @ board  # a point that moves on the board moves so in the picture
    rows = np.zeros((8 * len(tags), 8 + 4 * len(tags)))
    rows[:, :8] = slopes
    for k, arm in enumerate(arms):
        own = moves[8 * k : 8 * k + 8].reshape(4, 2, 3)
        swing = np.stack([-arm[:, 1], arm[:, 0]], axis=1)
        columns = [own[..., 0], own[..., 1], (own[..., :2] * swing[:, None]).sum(-1), -own[..., 2]]
        rows[8 * k : 8 * k + 8, 8 + 4 * k : 12 + 4 * k] = np.stack(columns, -1).reshape(8, 4)
    return rows / TAG_SIGMA_PX, (tags_px.reshape(-1, 2) - seen).ravel() / TAG_SIGMA_PX


def _prior_rows(
    camera: BoardFit, heights: Array, usual: Array, spread: Array
) -> tuple[Array, Array]:
    """Return the pull of what is known beforehand: the lens and the heights."""
    count = len(heights)
    rows = np.zeros((2 + count, 8 + 4 * count))
    rows[:2, :8], lens = camera.lens_pull()
    rows[2 + np.arange(count), 11 + 4 * np.arange(count)] = 1 / spread
    return rows, np.concatenate([lens, (usual - heights) / spread])
