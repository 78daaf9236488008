"""The tetrahedron: what its top corner is worth, read at all the corners of its sides.

From above a side is seen at a third of its height, so its numerals are flat smears. But the die
lies in known ways only: its edges give place and turn, and the camera's place gives the corner on
top. So each visible side is laid flat, once with each of its corners upward, and the numeral next
to that corner stands in the middle of a small view. A corner has the same number on all its sides,
and a die has certain numbers: of 2, 3, 3 and 4 the one that is not at the foot is on top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, permutations

import cv2
import numpy as np

from vision.dice.box_network import evened, softmax
from vision.dice.crops import Box
from vision.dice.floor import SeenFloor
from vision.dice.kinds import KINDS, SIGNS
from vision.dice.no_tray import table_under
from vision.dice.teller import Odds
from vision.dice.tetrahedra import EDGE_MM, Base, corners_mm, seek_bases
from vision.dice.tray import on_floor
from vision.frame import Array, Image
from vision.network import StoredNetwork

VIEW_PX = 28
VIEW_MM = 12.0
"""Side of the square that a view shows."""
VALUES = (1, 2, 3, 4)
"""Classes 1 to 4 of the network; class 0 is no such numeral."""
CORNERS = {"sail": (2, 3, 3, 4), "d4": (1, 2, 3, 4)}
"""The numbers of a die's corners."""
_WAYS = [np.array(sorted(set(permutations(numbers)))) for numbers in CORNERS.values()]
"""In which ways they may be at the corners, (ways, 4)."""
_FOOT, _TOP = (0, 1, 2), (3,)
"""Corners of a base."""
_TETRAHEDRA = [KINDS.index(kind) for kind in CORNERS]
_SIGNS = np.array([SIGNS.index(str(value)) for value in VALUES])
_LEAST_TOLD = 0.05
"""Probability of a tetrahedron from which on its sides are looked at."""
_LEAST_LIKELY = 0.3
"""The look from above hardly tells one tetrahedron from another."""
_LEAST = 0.02
"""No single view rules a value out altogether."""
_COVERED = 0.5
"""Share of views that a neighbour hides, or a reflection."""
_NO_SUCH_DIE = 0.05
"""How likely it is, before its sides are looked at, that none of the bases is right, or that the
die is cocked."""
_BASES = 5
"""So many places where it may stand are looked at,"""
_PLAIN = 0.97
"""unless those before told a value with this probability."""
_DOUBTED = 2
"""Else so many, the likeliest, are looked at again from places beside,"""
_ASIDE_MM = 0.55 * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
"""which are these."""
_REACH = 0.5
"""Where numerals stand on the way from the middle of a side to the corner."""
_GRAZING = 0.1
"""Sides seen at a flatter angle than this (cosine) show nothing."""


class TetrahedronTeller:
    """Tells tetrahedra, sails and d4, by all corners of their sides. Safe between threads."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "sides.onnx.gz")

    def told(
        self, floor: SeenFloor, box: Box, odds: Odds, expect: Sequence[str] | None = None
    ) -> tuple[Odds, Base | None]:
        """Return the odds of a die with what its sides say, if it may be one, and its base.

        Parameters
        ----------
        floor : what it stands on: the tray, or the table under it (`vision.dice.no_tray`).
        box : the die's in the picture.
        odds : what the die may be, by its looks.
        expect : kinds of dice that can lie there; ``None`` for any. Whichever of them, both are
            looked for: where nobody knows better a sail is called a d4.
        """
        asked = [kind for kind in CORNERS if expect is None or kind in expect]
        sure = float(odds.kinds[_TETRAHEDRA].sum())
        if not asked or sure < _LEAST_TOLD:
            return odds, None
        before = np.maximum(odds.kinds[_TETRAHEDRA] / sure, _LEAST_LIKELY)
        before /= before.sum()
        told, base = self._read(floor, box, before, len(asked) == 1)
        after, signs = odds.kinds.copy(), (1 - sure) * odds.signs
        after[_TETRAHEDRA] = sure * (told.sum(axis=1) + (1 - told.sum()) * before)
        signs[_SIGNS] += sure * told.sum(axis=0)
        told_so = replace(odds, kinds=after, signs=signs)
        return told_so, base if told.sum() > 0.5 else None

    def told_alone(
        self, picture: Image, box: Box, odds: Odds, expect: Sequence[str] | None = None
    ) -> Odds:
        """Return the same odds where nobody knows the tray: on a table made up under the die."""
        size = (picture.shape[1], picture.shape[0])
        table = SeenFloor(picture, table_under(box, odds.lean_deg, size))
        return self.told(table, box, odds, expect)[0]

    def _read(
        self, floor: SeenFloor, box: Box, before: Array, one_asked: bool
    ) -> tuple[Array, Base]:
        """Return the probabilities of kind and value, as `_posterior`, and the likeliest base.

        What is not plain at any place is read once more at some beside the likeliest: where a die
        stands is known to half a millimetre, and how it reads must not hang on that.
        """
        bases, evidence = list[Base](), list[Array]()
        for base in islice(seek_bases(floor, box), _BASES):
            shown = np.ones((4, 1 + len(VALUES)))
            bases.append(base)
            evidence.append(_evidence(shown))
            for corners in (_TOP, _FOOT):  # where the numerals at the top are plain they will do
                shown = shown * self._shown(floor, base, corners)
                evidence[-1] = _evidence(shown)
                told = _posterior(evidence, before)
                # Where one kind is asked for, whichever it is, what it says is enough.
                if (told.sum(axis=0) if one_asked else told).max() >= _PLAIN:
                    return told, bases[_likeliest(evidence)[0]]
        for k in _likeliest(evidence)[:_DOUBTED]:
            beside = [
                _evidence(self._shown(floor, _moved(bases[k], aside), _FOOT + _TOP))
                for aside in _ASIDE_MM
            ]
            evidence[k] = np.mean([evidence[k], *beside], axis=0)
        return _posterior(evidence, before), bases[_likeliest(evidence)[0]]

    def _shown(self, floor: SeenFloor, base: Base, corners: Sequence[int]) -> Array:
        """Return how much likelier what is seen is if a corner has a number than if it has none.

        Shape (4, 1 + numbers): corners, and numbers from 0 on.
        """
        shown, view = np.ones((4, 1 + len(VALUES))), floor.view
        views = side_views(floor.picture, view.to_picture, base, view.camera_mm, corners)
        odds = self._odds([view for _, view in views])
        likely = np.maximum((1 - _COVERED) * odds[:, 1:] + _COVERED * odds[:, :1], _LEAST)
        likely /= np.maximum(odds[:, :1], _LEAST)
        for (corner, _), one in zip(views, likely, strict=True):
            shown[corner, VALUES] *= one
        return shown

    def _odds(self, views: Sequence[Image]) -> Array:
        """Return probabilities (N, 5): of no numeral, then of `VALUES`."""
        if not views:
            return np.zeros((0, 1 + len(VALUES)))
        shown = np.stack([evened(view) for view in views]).transpose(0, 3, 1, 2)
        logits = self._network.told(shown).reshape(len(views), -1)
        return softmax(logits)


def _moved(base: Base, aside_mm: Array) -> Base:
    return Base(base.centre_mm + aside_mm, base.turn, base.edge_mm)


def _likeliest(evidence: Sequence[Array]) -> list[int]:
    """Return the numbers of the bases, those first that explain most."""
    return sorted(range(len(evidence)), key=lambda k: -float(evidence[k].sum()))


def _posterior(evidence: Sequence[Array], before: Array) -> Array:
    """Return the probabilities (kinds, 4) of kind and value; the rest up to 1: no such die.

    Parameters
    ----------
    evidence : of each base, see `_evidence`.
    before : (kinds,), how likely each is.
    """
    both = np.mean(evidence, axis=0) * before[:, None] * (1 - _NO_SUCH_DIE)
    return np.asarray(both / (both.sum() + _NO_SUCH_DIE))


def _evidence(shown: Array) -> Array:
    """Return how much likelier what corners show is for each kind and value on top (kinds, 4)."""
    evidence = np.zeros((len(CORNERS), len(VALUES)))
    for k, ways in enumerate(_WAYS):
        each = shown[np.arange(4), ways].prod(axis=1) / len(ways)
        np.add.at(evidence[k], ways[:, _TOP[0]] - 1, each)
    return evidence


def side_views(
    picture: Image,
    to_picture: Array,
    base: Base,
    camera_mm: Array,
    which: Sequence[int] = (*_FOOT, *_TOP),
) -> list[tuple[int, Image]]:
    """Return the visible sides laid flat: numbers of corners, and views with them upward.

    Parameters
    ----------
    picture : (H, W, 3) uint8.
    to_picture : homography (3, 3) from the floor in millimetres to the picture.
    camera_mm : position (3,) of the camera over the floor, height upward.
    which : of the corners are looked at.

    Returns
    -------
    list of (corner, view); corners as in `corners_mm`, each view (28, 28, 3).
    """
    corners = corners_mm(base)
    heart = corners.mean(axis=0)
    half = VIEW_MM / 2 * base.edge_mm / EDGE_MM
    shown, squares = list[int](), list[Array]()
    for side in ((0, 1, 3), (1, 2, 3), (2, 0, 3)):
        middle = corners[list(side)].mean(axis=0)
        outward, sight = middle - heart, camera_mm - middle
        cos = outward @ sight / (np.linalg.norm(outward) * np.linalg.norm(sight))
        if cos < _GRAZING:
            continue
        for k, corner in enumerate(side):
            if corner not in which:
                continue
            up = corners[corner] - middle
            # The picture's frame is left-handed (y down, height up): this is right as it is seen.
            across = (corners[side[(k + 1) % 3]] - corners[side[(k + 2) % 3]]) / base.edge_mm
            numeral = middle + _REACH * up
            up = up / np.linalg.norm(up)
            shown.append(corner)
            squares.append(numeral + half * (_SQUARE @ np.array([across, up])))
    if not shown:
        return []
    seen = cv2.perspectiveTransform(on_floor(np.array(squares), camera_mm), to_picture)
    return [
        (corner, _laid_flat(picture, square_px))
        for corner, square_px in zip(shown, seen.astype(np.float32), strict=True)
    ]


_SQUARE = np.array([[-1.0, 1.0], [1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]])
_END = VIEW_PX - 0.5
_SHOWN = np.array([[-0.5, -0.5], [_END, -0.5], [_END, _END], [-0.5, _END]], np.float32)
"""The corners of a view."""


def _laid_flat(picture: Image, square_px: Array) -> Image:
    """Show a square of space, its corners (4, 2) float32 in the picture, from its front."""
    how = cv2.getPerspectiveTransform(square_px, _SHOWN)
    flat = cv2.warpPerspective(
        picture, how, (VIEW_PX, VIEW_PX), flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(flat, np.uint8)
