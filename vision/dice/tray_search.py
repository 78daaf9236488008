"""Finding the tray: an open box whose floor is of known size.

No single edge tells the floor: its foot may be black on black or lie in shadow, and the upper edge
of the wall or a shadow's edge may be much plainer. But the box is one solid: where its upper inner
edge is seen, floor and outer edge can only be elsewhere in two ways, by the height of the walls
and the width of their tops. So of all boxes the one is sought whose twelve edges are plain in the
picture and whose walls' tops are of one colour all around.

The same edges tell how wide the lens is, where nobody knows: from nearer, with a wider lens, more
is seen of the walls.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import cv2
import numpy as np

from companion.boards.profile import XY
from companion.errors import TrayNotFound
from vision.dice.edges import Edges
from vision.dice.open_box import homographies_of, lying_at, nearest_turn, seen
from vision.dice.tray import FOCAL, Sight, TrayView
from vision.frame import Array, Image

_SMALL_PX = 640
_OFFERED = 6
"""Lines of a side that may be the walls' upper inner edge."""
_PROMISING, _STARTS = 150, 3
"""So many rectangles of these lines are looked at, and so many of the boxes are varied."""
_LENSES, _STARTS_EACH = (0.7, FOCAL), 2
"""Where the focal length is not known: widths of the picture from which the search begins (fields
of view of 71 and 49 degrees), and boxes varied for each."""
_DISTINCT_PX = 5.0
"""Starts are farther apart than this."""
_MISFIT_WORTH = 20.0
_HEIGHTS_MM = np.array([12.0, 16.0, 20.0, 24.0, 28.0, 34.0])
_TOPS_MM = np.array([3.0, 5.0, 7.0, 9.0, 12.0, 16.0])
_LEAST = np.array([*[-np.inf] * 6, 10.0, 2.0, -0.3])
_MOST = np.array([*[np.inf] * 6, 40.0, 20.0, 0.3])
"""Walls are so high and their tops so wide, and the focal length is so near to that from which the
search begins (logarithm). Lower walls hardly matter: floor and upper edge are seen in nearly the
same place then."""
_PATCHY, _PATCHY_CAP = 6.0, 0.33
"""What it costs if the top of a wall has another colour than the others (a step of 1 of the
logarithm), and how much of it counts at most."""
_STEPS = np.array([0.02, 0.02, 0.01, 2.0, 2.0, 6.0, 3.0, 1.5, 0.12])
"""First steps by which a box is varied: turns (radians), place, height and tops (mm), and the
logarithm of the focal length."""
_TRIES, _SHRINK = 60, 0.6
_ROUGHLY, _WELL = 18, 36
"""Spots of each side that are looked at: first, and where it is told how much a box is worth."""
_FIRST_ROUNDS, _ROUNDS, _BEHIND = 10, 16, 2.0
"""After the first rounds only boxes go on that are not worth so much less than the best one."""
_LEAST_WORTH = 17.0
"""Of the black trays for choosing the least plain has 20.8; a bare rectangle, whose four lines a
long lens takes for foot and upper edge alike, has 15.8."""
_LEAST_WHOLE, _PLAIN = 14.0, 0.6
"""A box is worth less if a lamp makes the top of one wall another colour. If each of its twelve
edges is as plain as the second it need be worth the first only: of what is no tray here all have
one that is not."""


def find_tray(picture: Image, size_mm: XY, sight: Sight | None = None) -> TrayView:
    """Find the floor of a tray that fills a good part of the picture, its sides about upright.

    Parameters
    ----------
    picture : (H, W, 3) uint8 BGR; best without dice.
    size_mm : inside width and height of the floor.
    sight : of the camera, where it is known; else it looks at the middle of the picture, and how
        wide it sees is found with the tray.

    Raises
    ------
    TrayNotFound
        if nothing looks like one.
    """
    height, width = picture.shape[:2]
    scale = _SMALL_PX / width
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edges = Edges(np.asarray(small, np.uint8))
    if sight is None:
        axis, starts = ((width - 1) / 2, (height - 1) / 2), _STARTS_EACH
        sights = [Sight(focal * width, axis) for focal in _LENSES]
    else:
        sights, starts = [sight], _STARTS
    rectangles = _rectangles(edges, size_mm)
    boxes = [
        _Box(search, start, is_lens_known=sight is not None)
        for search in (_Search(edges, scale, size_mm, one) for one in sights)
        for start in search.starts(*rectangles, starts)
    ]
    box = _best(boxes)
    if box is None or not _is_tray(box.worth, edges.worth(box.quads, _WELL)):
        raise TrayNotFound(
            "no dice tray is seen: put it in the middle of the picture, empty, its sides upright"
        )
    corners, sight = (box.quads[0] + 0.5) / scale - 0.5, box.search.sight
    return TrayView(size_mm, corners, (width, height), sight.focal_px * box.longer, sight.axis_px)


def _is_tray(worth: float, plain: Array) -> bool:
    """Tell whether the likeliest box is one, given how plain its edges are (3, 4)."""
    return worth >= _LEAST_WORTH or (worth >= _LEAST_WHOLE and float(plain.min()) >= _PLAIN)


class _Search:
    """The edges of a picture, brought down by a scale, in which the box is sought."""

    def __init__(self, edges: Edges, scale: float, size_mm: XY, sight: Sight) -> None:
        self.sight = sight
        focal, (x, y) = sight.focal_px * scale, sight.axis_px
        self._size_mm = size_mm
        self._edges = edges
        self._lens = np.array(
            [
                [focal, 0, (x + 0.5) * scale - 0.5],
                [0, focal, (y + 0.5) * scale - 0.5],
                [0, 0, 1.0],
            ]
        )

    def _seen(self, axes: Array, rest: Array) -> Array:
        return seen(axes, rest, self._size_mm, self._lens)

    def worth(self, quads: Array, spots: int) -> Array:
        """Return how much boxes (N, 3, 4, 2) look like the tray (N,), by spots of each side."""
        tops = self._edges.colours_along(quads[:, 1:].mean(axis=1), spots)
        patchy = np.linalg.norm(tops - np.median(tops, axis=1, keepdims=True), axis=-1)
        plain = self._edges.worth(quads, spots).sum(axis=(1, 2))
        return np.asarray(plain - _PATCHY * np.minimum(patchy, _PATCHY_CAP).sum(axis=1))

    def starts(self, quads: Array, homographies: Array, worths: Array, most: int) -> list[Array]:
        """Return the likeliest boxes (9,), roughly: rotation vector, `seen`'s rest, and 0.

        Parameters
        ----------
        quads : (N, 4, 2), corners of what may be the walls' upper edge.
        homographies : (N, 3, 3), see `homographies_of`.
        worths : (N,), how plain the sides are.
        most : so many at most.
        """
        if not len(quads):
            return []
        axes, middles, misfits = lying_at(homographies, self._lens)
        kept = np.argsort(_MISFIT_WORTH * misfits - worths, kind="stable")[:_PROMISING]
        axes, middles, misfits, quads = axes[kept], middles[kept], misfits[kept], quads[kept]
        rest = np.column_stack([middles, np.full((len(middles), 2), (20.0, 8.0))])
        for column, values in ((3, _HEIGHTS_MM), (4, _TOPS_MM)):
            tried = np.repeat(rest, len(values), axis=0)
            tried[:, column] = np.tile(values, len(rest))
            boxes = self._seen(np.repeat(axes, len(values), axis=0), tried)
            worths = self.worth(boxes, _ROUGHLY).reshape(len(rest), len(values))
            rest[:, column] = values[worths.argmax(axis=1)]
        apart: list[int] = []
        for k in np.argsort(_MISFIT_WORTH * misfits - worths.max(axis=1)):
            if all(np.abs(quads[k] - quads[j]).max() > _DISTINCT_PX for j in apart):
                apart.append(int(k))
            if len(apart) == most:
                break
        return [np.concatenate([nearest_turn(axes[k]), rest[k], [0.0]]) for k in apart]

    def seen_through(self, boxes: Array) -> Array:
        """Return `seen` (N, 3, 4, 2) of boxes (N, 9), through a lens of each one's focal length.

        A longer lens sees the same from farther away: the place is meant so.
        """
        longer = np.exp(boxes[:, -1])
        turns = np.stack([cv2.Rodrigues(one[:3])[0] for one in boxes])
        rest = boxes[:, 3:8].copy()
        rest[:, 2] *= longer
        axis = self._lens[:2, 2]
        quads = self._seen(turns, rest)
        return np.asarray(axis + (quads - axis) * longer[:, None, None, None])


class _Box:
    """A box that is varied to look more like the tray.

    Parameters
    ----------
    search : where it is sought.
    start : (9,), one of the search's starts.
    is_lens_known : the focal length is not varied.
    """

    def __init__(self, search: _Search, start: Array, *, is_lens_known: bool) -> None:
        self.search = search
        self.worth = -np.inf
        self.quads = np.zeros((3, 4, 2))
        """The foot of its walls, their upper inner and their upper outer edge as they are seen."""
        self._best, self._steps = start, _STEPS.copy()
        self._rng = np.random.default_rng(0)
        if is_lens_known:
            self._steps[-1] = 0.0

    @property
    def longer(self) -> float:
        """By how many times the focal length is longer than that of the search."""
        return float(np.exp(self._best[-1]))

    def vary(self, rounds: int, spots: int) -> None:
        """Look for a better one nearby, by so many spots of each side."""
        self.worth = -np.inf  # by other spots it was worth something else
        for _ in range(rounds):
            steps = self._steps
            strides = np.vstack([np.diag(steps), -np.diag(steps), np.zeros(9)])
            tried = self._best + np.vstack([self._rng.normal(size=(_TRIES, 9)) * steps, strides])
            tried = np.clip(tried, _LEAST, _MOST)
            quads = self.search.seen_through(tried)
            worths = self.search.worth(quads, spots)
            k = int(worths.argmax())
            if worths[k] > self.worth:
                self.worth, self._best, self.quads = float(worths[k]), tried[k], quads[k]
            else:
                self._steps = steps * _SHRINK


def _best(boxes: Sequence[_Box]) -> _Box | None:
    """Vary the boxes; return the one that is worth most, if there is any."""
    for box in boxes:
        box.vary(_FIRST_ROUNDS, _ROUGHLY)
    least = max((box.worth for box in boxes), default=0.0) - _BEHIND
    promising = [box for box in boxes if box.worth >= least]
    for box in promising:
        box.vary(_ROUNDS, _WELL)
    return max(promising, key=lambda box: box.worth, default=None)


def _rectangles(edges: Edges, size_mm: XY) -> tuple[Array, Array, Array]:
    """Return what may be the walls' upper edge: corners (N, 4, 2), homographies, worths (N,)."""
    sides = [edges.lines(side, _OFFERED) for side in range(4)]
    chosen = list(product(*sides))
    lines = np.array([[line for line, _ in four] for four in chosen]).reshape(-1, 4, 3)
    quads, worths = _corners(lines), [sum(worth for _, worth in four) for four in chosen]
    return quads, homographies_of(quads, size_mm), np.array(worths)


def _corners(lines: Array) -> Array:
    """Return where four sides (N, 4, 3) meet (N, 4, 2): top-left, then clockwise."""
    meets = np.cross(lines, lines[:, [3, 0, 1, 2]])
    return np.asarray(meets[..., :2] / meets[..., 2:])
