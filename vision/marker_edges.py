"""Corners of a printed marker from its edges, measured in linear light.

A blurred bright border grows over a dark square once the picture is gamma-coded, and a corner
finder sees every marker some 0.6 px too small on each side. Half way up the edge in *linear* light
is where the edge really is; on the path-traced pictures this leaves 0.1 px.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import LINEAR, Array

_ALONG = np.linspace(0.15, 0.85, 9)
_STEPS = 17
_MAX_REACH_PX = 4.0


def sharpen_corners(gray: Array, quad: Array) -> Array:
    """Return the corners, shape (4, 2) px, where straight lines along the four edges meet.

    Parameters
    ----------
    gray : ndarray of shape (H, W), uint8
    quad : ndarray of shape (4, 2), float64
        Corners good to about two pixels; dark inside, bright outside.
    """
    for _ in range(2):
        quad = _meet(*_edge_lines(gray, quad))
    return quad


def _edge_lines(gray: Array, quad: Array) -> tuple[Array, Array]:
    """Return the outward normals, shape (4, 2), and distances from the origin, shape (4,)."""
    sides = np.roll(quad, -1, axis=0) - quad
    lengths = np.linalg.norm(sides, axis=1)
    normals = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[:, None]
    outward = ((quad + sides / 2 - quad.mean(axis=0)) * normals).sum(axis=1)
    normals = normals * np.sign(outward)[:, None]
    reach = min(_MAX_REACH_PX, float(lengths.mean()) * 0.11)
    across = np.linspace(-reach, reach, _STEPS)
    starts = quad[:, None, :] + _ALONG[None, :, None] * sides[:, None, :]
    points = starts[:, :, None, :] + across[:, None] * normals[:, None, None, :]
    x, y = (points[..., k].reshape(4, -1).astype(np.float32) for k in (0, 1))
    light = LINEAR[cv2.remap(gray, x, y, cv2.INTER_LINEAR)].reshape(4, len(_ALONG), _STEPS)
    dark = light[..., :3].mean(axis=-1, keepdims=True)
    bright = light[..., -3:].mean(axis=-1, keepdims=True)
    rise = np.clip((light - dark) / np.maximum(bright - dark, 1e-3), -0.2, 1.2)
    # The step of the same area: less noisy than the crossing of one half.
    step = across[1] - across[0]
    places = across[-1] + step / 2 - rise.sum(axis=-1) * step
    offsets = np.clip(np.median(places, axis=1), -reach, reach)
    return normals, (normals * quad).sum(axis=1) + offsets


def _meet(normals: Array, distances: Array) -> Array:
    """Return the corner between each side and the one before it."""
    corners = []
    for k in range(4):
        pair = [k - 1, k]
        corners.append(np.linalg.solve(normals[pair], distances[pair]))
    return np.array(corners)
