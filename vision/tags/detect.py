"""Tags in a picture: their numbers, how sure these are, and their corners."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frame import LINEAR, Array
from vision.registration import BoardFit
from vision.tags.align import Placing, align, look
from vision.tags.codes import Match, TagCodes
from vision.tags.squares import dark_squares, each_once

MIN_ROUGH = 0.5
"""Correlation with a tag's modules from which a dark square is worth a closer look."""

WELL = 0.85
"""Correlation from which a tag was laid on well; below it a shadow may lie across."""

MIN_SCORE = 0.75
"""Correlation of a laid-on tag with what is seen from which it is believed."""

MIN_CODE = 0.8
"""Correlation of its modules alone: markers of other dictionaries have up to 0.75, glaring tags
0.87 and more."""

SAME_PLACE = 0.5
"""Of a tag's side: squares nearer together than this are one and the same."""

HIGHEST_MM = 250.0
"""No tag stands higher than this."""

NO_SQUARES: Array = np.zeros((0, 4, 2))
_STEP_MM = 5.0


@dataclass(frozen=True, eq=False)
class SeenTag:
    """A tag as it was found in a picture."""

    tag: int
    p: float
    """Probability that it bears this number."""
    score: float
    """Correlation of its picture with what is seen."""
    corners_px: Array
    """Shape (4, 2), from its own top-left one clockwise."""


def detect_tags(
    gray: Array, fit: BoardFit, codes: TagCodes, side_mm: float, before: Array = NO_SQUARES
) -> list[SeenTag]:
    """Return the tags that are seen, by number; of two with one number both.

    Parameters
    ----------
    gray : ndarray of shape (H, W), uint8
    fit : BoardFit
        The camera, good enough to know how large a tag looks, and how slanted.
    codes : TagCodes
    side_mm : float
        Of a tag's black square.
    before : ndarray of shape (N, 4, 2)
        Corners of tags in an earlier picture; it is looked whether they are still there, even if
        something that touches them spoils their outline.
    """
    light = cv2.LUT(gray, LINEAR)
    quads = each_once(np.concatenate([dark_squares(gray, _side_px(fit, side_mm)), before]))
    rough = _matches(light, quads, codes) if len(quads) else []
    worth = [k for k, match in enumerate(rough) if match.score >= MIN_ROUGH]
    if not worth:
        return []
    numbers = [rough[k].tag for k in worth]
    corners = np.array([np.roll(quads[k], rough[k].turns, axis=0) for k in worth])
    corners, scores = _laid_on(light, codes, numbers, _flat_squares(fit, corners, codes))
    found = [
        SeenTag(tag, _certainty(match, codes), float(score), quad)
        for tag, score, quad, match in zip(
            numbers, scores, corners, _matches(light, corners, codes), strict=True
        )
        if score >= MIN_SCORE and match.score >= MIN_CODE and (match.tag, match.turns) == (tag, 0)
    ]
    return _each_once(found)


def _laid_on(
    light: Array, codes: TagCodes, numbers: list[int], start: Placing
) -> tuple[Array, Array]:
    """Return the exact corners (N, 4, 2) of tags, and how well each agrees with what is seen."""
    placing, scores = align(light, codes, numbers, start)
    corners = placing.pixels(codes.corners)
    poor = np.flatnonzero(scores < WELL)
    if len(poor):
        some = [numbers[k] for k in poor]
        again, evened = align(light, codes, some, start.some(poor), evened=True)
        better = evened > scores[poor]
        corners[poor[better]] = again.pixels(codes.corners)[better]
        scores[poor[better]] = evened[better]
    return corners, scores


def _each_once(found: list[SeenTag]) -> list[SeenTag]:
    """Return tags without those that are a better one over again: outline and paper of one card."""
    kept: list[SeenTag] = []
    for tag in sorted(found, key=lambda t: (t.tag, -t.score)):
        side = float(np.linalg.norm(tag.corners_px[0] - tag.corners_px[1]))
        middle = tag.corners_px.mean(axis=0)
        gaps = [
            np.linalg.norm(k.corners_px.mean(axis=0) - middle) for k in kept if k.tag == tag.tag
        ]
        if all(gap > SAME_PLACE * side for gap in gaps):
            kept.append(tag)
    return kept


def _side_px(fit: BoardFit, side_mm: float) -> tuple[float, float]:
    """Return the least and greatest side that a tag may have in the picture."""
    corners = fit.to_board(np.array([[0.0, 0.0], fit.size_px]))
    eye = fit.camera_mm
    far = np.linalg.norm(np.column_stack([corners, [0.0, 0.0]]) - eye, axis=1).max()
    side = fit.focal_px * side_mm
    return 0.7 * side / float(far), 1.3 * side / max(-eye[2] - HIGHEST_MM, -0.4 * eye[2])


def _matches(light: Array, quads: Array, codes: TagCodes) -> list[Match]:
    """Return what squares (N, 4, 2) show: four samples a module."""
    size = codes.modules
    steps = (np.arange(2 * size) + 0.5) / (2 * size)
    x, y = np.meshgrid(steps, steps)
    weights = np.stack([(1 - x) * (1 - y), x * (1 - y), x * y, (1 - x) * y], axis=-1)
    seen = look(light, weights.reshape(-1, 4) @ quads)
    return codes.match(seen.reshape(-1, size, 2, size, 2).mean(axis=(2, 4)))


def _flat_squares(fit: BoardFit, corners: Array, codes: TagCodes) -> Placing:
    """Return squares (N, 4, 2) as the camera sees flat ones there."""
    middles = corners.mean(axis=1)
    spots = fit.to_board(middles)
    steps = np.array([[_STEP_MM, 0.0], [0.0, _STEP_MM]])
    slopes = [(fit.project(spots + s) - fit.project(spots - s)) / (2 * _STEP_MM) for s in steps]
    frames = np.stack(slopes, axis=-1)
    flat = (corners - middles[:, None]) @ np.linalg.inv(frames).transpose(0, 2, 1)
    ahead = flat[:, 1] - flat[:, 0] + flat[:, 2] - flat[:, 3]
    sizes = np.linalg.norm(ahead, axis=1) / 2 / codes.modules
    return Placing(middles, frames, np.arctan2(ahead[:, 1], ahead[:, 0]), sizes)


def _certainty(match: Match, codes: TagCodes) -> float:
    """Return the probability of a number, from how much worse the second fits.

    As if the modules erred independently and normally: the share of a correlation that is missing
    is the variance of the error.
    """
    worse = (1 - match.second**2) / max(1 - match.score**2, 1e-3)
    return float(1 / (1 + worse ** (-(codes.modules**2) / 2)))
