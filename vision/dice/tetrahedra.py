"""How a tetrahedron stands: the place and turn at which its edges run along those of the picture.

No outline tells it, for what touches something else has none of its own, and the corners of a die
are blunt. But the camera's place is known: so of all places and turns around a box the ones are
sought at which the three edges on the floor and the three that rise to the top are plain.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from vision.dice.crops import Box, middle_of
from vision.dice.edges import Edges
from vision.dice.floor import SeenFloor
from vision.dice.tray import PX_PER_MM, TrayView, on_floor, to_rectified
from vision.frame import Array

EDGE_MM = 20.0
_HEIGHT = (2 / 3) ** 0.5
"""In edges."""
_EDGES = np.array([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)])
"""Between the corners on the floor (0 to 2) and the top."""
_WORTHS = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 0.3])
"""The edges that rise are less plain: numerals stand on both sides of them."""
_REACH_MM, _STEP_MM, _STEP_DEG = 4.5, 1.8, 7.5
"""So far to each side of where the box says a base is sought at first, in such steps."""
_SEEN_MM = 24.0
"""So far from where it may stand edges are looked at."""
_COARSE = (0.9, 3)
"""At first an edge is what differs so far (mm) to both sides of it, at so many spots."""
_FINER = ((0.8, 9, 0.6, 2.5), (0.4, 9, 0.25, 1.0))
"""The same of what follows, and how far (mm, degrees) a base is moved and turned."""
_NEAR = np.arange(-2, 3)
_APART_MM, _APART_DEG = 1.2, 6.0
"""Different bases differ by more than one of these."""
_BOX_WORTH = 0.2
"""What a millimetre counts by which the silhouette misses the box."""
_FAR_MM = 4.0
"""A side of the box that is off by more was not seen: it lies on a neighbour."""


@dataclass(frozen=True, eq=False)
class Base:
    """Where a tetrahedron stands on the floor."""

    centre_mm: Array
    """Shape (2,)."""
    turn: float
    """Direction of one corner from the centre, radians from +x toward +y."""
    edge_mm: float = EDGE_MM


def corners_mm(base: Base) -> Array:
    """Return the corners (4, 3) of a tetrahedron, heights upward; the last is the top."""
    pose = np.array([[*base.centre_mm, base.turn]])
    return np.asarray(_corners(pose, base.edge_mm)[:, 0])


def seek_bases(floor: SeenFloor, box: Box) -> Iterator[Base]:
    """Yield different places at which a tetrahedron of `EDGE_MM` may stand, likelier ones first.

    Parameters
    ----------
    floor : of the tray in the picture.
    box : the die's in the picture.
    """
    view = floor.view
    middle = view.under(middle_of(box), _HEIGHT * EDGE_MM / 4)
    edges = floor.edges_around(middle, _SEEN_MM)
    steps = np.arange(-_REACH_MM, _REACH_MM + 0.01, _STEP_MM)
    poses = _around(np.array([*middle, 0.0]), steps, np.radians(np.arange(0, 120, _STEP_DEG)))
    worths = _worth(edges, box, view, poses, *_COARSE)
    found = np.zeros((0, 3))
    while (worths > -np.inf).any():
        best = poses[int(worths.argmax())]
        worths[_are_alike(poses, best)] = -np.inf
        for beside_mm, spots, step_mm, step_deg in _FINER:
            near = _around(best, _NEAR * step_mm, np.radians(_NEAR * step_deg))
            best = near[int(_worth(edges, box, view, near, beside_mm, spots).argmax())]
        if not _are_alike(found, best).any():
            found = np.vstack([found, best])
            yield Base(best[:2], float(best[2]))


def _around(pose: Array, steps: Array, turns: Array) -> Array:
    """Return poses (N, 3), x, y and turn, on a grid around one."""
    grid = np.stack(np.meshgrid(steps, steps, turns, indexing="ij"), axis=-1).reshape(-1, 3)
    return np.asarray(pose + grid)


def _are_alike(poses: Array, pose: Array) -> Array:
    away = np.hypot(*(poses[:, :2] - pose[:2]).T)
    turned = np.abs(np.angle(np.exp(3j * (poses[:, 2] - pose[2])))) / 3
    return np.asarray((away <= _APART_MM) & (turned <= np.radians(_APART_DEG)))


def _corners(poses: Array, edge_mm: float = EDGE_MM) -> Array:
    """Return the corners (4, N, 3) of tetrahedra, mm."""
    angles = poses[:, 2] + (np.arange(3) * 2 * np.pi / 3)[:, None]
    corners = np.zeros((4, len(poses), 3))
    corners[..., :2] = poses[:, :2]
    corners[:3, :, 0] += edge_mm / 3**0.5 * np.cos(angles)
    corners[:3, :, 1] += edge_mm / 3**0.5 * np.sin(angles)
    corners[3, :, 2] = _HEIGHT * edge_mm
    return corners


def _worth(
    edges: Edges, box: Box, view: TrayView, poses: Array, beside_mm: float, spots: int
) -> Array:
    """Return for each pose (N, 3) how much the picture looks like it."""
    corners = _corners(poses)
    seen_mm = corners[..., :2]  # all but the top are on the floor
    seen_mm[3] = on_floor(corners[3], view.camera_mm)
    starts, ends = to_rectified(seen_mm)[_EDGES.T]
    plain = edges.between(starts, ends, beside_mm * PX_PER_MM, spots)
    seen = view.to_pixels(seen_mm.reshape(-1, 2)).reshape(4, -1, 2)
    x, y, width, height = box
    away = np.stack([seen.min(axis=0) - [x, y], seen.max(axis=0) - [x + width, y + height]])
    away_mm = np.abs(away) * (EDGE_MM / max(width, height))
    beside_box = np.minimum(away_mm, _FAR_MM).sum(axis=0).sum(axis=1) / 4
    return np.asarray(_WORTHS @ plain - _BOX_WORTH * beside_box)
