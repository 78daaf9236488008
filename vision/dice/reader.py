"""The reader of the dice tray: a picture in, one `DieReading` a die out."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.boards.profile import XY
from companion.rules.layout import Die
from companion.table.observation import DieReading
from vision.dice import cannon, sail
from vision.dice.blobs import Blob, find_blobs
from vision.dice.find import find_tray
from vision.dice.floor import differs, model_floor
from vision.dice.labels import FACES, NOTHING, PATCH_PX, PX_PER_MM, TOP_MM
from vision.dice.network import DieNetwork, SideNetwork, TopNetwork
from vision.dice.tray import TrayView, to_mm
from vision.frame import Array, Image

_MIDDLE_MM = {"cannon": 11.0, "sail": 4.5, "d6": 8.0}
"""Height of a die's middle, which its outline is centred on."""
_UNKNOWN_MIDDLE_MM = 8.0
_MOST_MISFIT_MM = 2.0
_MOST_OFF_MM = 3.5
"""A sail die whose outline is farther from its base than this is cocked or half hidden."""
_NO_TOP = 0.15
"""Probability of seeing no top side, from which on it is looked for beside."""
_ASIDE_MM = 1.5 * np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1]])
"""An outline that was found badly is off by this much; the next side's numeral is 8 mm away."""
_LEAST_TOLD = 0.02
"""Probabilities below are left out."""
_EXPECTED = 0.6
"""Probability that a die is of an expected kind at all, from which on the others are ruled out."""


class TrayReader:
    """Reads the pictures of one tray under one camera that stands still.

    Parameters
    ----------
    size_mm : inside width and height of the tray's floor (`BoardProfile.tray`).
    empty : (H, W, 3) uint8 BGR, the tray without dice; dice are found far better with it.
    corners_px : the floor's inside corners (4, 2) where they are known; else they are looked for,
        in `empty` or in the first picture.
    focal_px : focal length of the camera; ``None`` for a guess.

    Raises
    ------
    NotCalibrated
        if `empty` is given and no tray is found in it.
    """

    def __init__(
        self,
        size_mm: XY,
        empty: Image | None = None,
        *,
        corners_px: Array | None = None,
        focal_px: float | None = None,
    ) -> None:
        self._size_mm = size_mm
        self._network = DieNetwork()
        self._sides = SideNetwork()
        self._tops = TopNetwork()
        self._view: TrayView | None = None
        self._focal_px = focal_px
        self._corners_px = corners_px
        self._floor: Array | None = None
        if empty is not None:
            self._floor = self.view(empty).rectify(empty)

    def view(self, picture: Image) -> TrayView:
        """Return where the tray is; looked for in `picture` the first time."""
        if self._view is None:
            if self._corners_px is None:
                self._view = find_tray(picture, self._size_mm, self._focal_px)
            else:
                height, width = picture.shape[:2]
                focal = float(width) if self._focal_px is None else self._focal_px
                self._view = TrayView(self._size_mm, self._corners_px, (width, height), focal)
        return self._view

    def read(self, picture: Image, expect: tuple[str, ...] | None = None) -> tuple[DieReading, ...]:
        """Return the dice in the tray, left to right; what cannot be told has faces below 1.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR, of the size of the first one.
        expect : kinds of dice that can lie there, if that is known.

        Raises
        ------
        NotCalibrated
            if there was no picture of the empty tray and no tray is found in this one.
        """
        view = self.view(picture)
        rectified = view.rectify(picture)
        floor = model_floor(rectified) if self._floor is None else self._floor
        blobs = find_blobs(differs(rectified, floor))
        single = [k for k, blob in enumerate(blobs) if blob.is_single]
        told = self._network.classify([cut_patch(rectified, blobs[k], view) for k in single])
        faces: dict[int, Mapping[Die, float]] = {}
        for k, odds in zip(single, told, strict=True):
            every = {die: float(odds[c]) for c, die in FACES.items()}
            known = sum(every.values())
            every |= self._sail_faces(picture, blobs[k], view, every)
            every |= self._cannon_faces(picture, blobs[k], view, every)
            unknown = float(odds[NOTHING]) + known - sum(every.values())
            faces[k] = _narrowed(every, unknown, expect)
        return tuple(_reading(blob, faces.get(k, {}), view) for k, blob in enumerate(blobs))

    def _sail_faces(
        self, picture: Image, blob: Blob, view: TrayView, faces: Mapping[Die, float]
    ) -> dict[Die, float]:
        """Return what a sail die shows, told from its sides; all 0 if it does not lie as one."""
        sure = sum(p for die, p in faces.items() if die.kind == "sail")
        base = sail.fit_base(to_mm(blob.outline))
        lies = base.misfit_mm < _MOST_MISFIT_MM and abs(base.edge_mm - sail.EDGE_MM) < _MOST_OFF_MM
        if not lies or sure < _LEAST_TOLD:
            return {Die("sail", value): 0.0 for value in sail.VALUES}
        odds = self._sides.values(sail.side_views(picture, view.to_picture, base, view.camera_mm))
        return {Die("sail", v): sure * float(odds[k + 1]) for k, v in enumerate(sail.VALUES)}

    def _cannon_faces(
        self, picture: Image, blob: Blob, view: TrayView, faces: Mapping[Die, float]
    ) -> dict[Die, float]:
        """Return what a cannonball die shows, its top side looked at once more from near."""
        seen = np.array([faces[Die("cannon", value)] for value in cannon.VALUES])
        sure = float(seen.sum())
        if sure < _LEAST_TOLD:
            return {}
        place = _on_floor(blob, _MIDDLE_MM["cannon"], view)
        odds = self._top_values(picture, place, view)
        # Both looks must agree: the wide one knows which side is on top, the near one what it says.
        both = odds[1:] * np.maximum(seen / sure, _LEAST_TOLD)
        both *= sure * (1 - odds[0]) / both.sum()
        return {Die("cannon", v): float(p) for v, p in zip(cannon.VALUES, both, strict=True)}

    def _top_values(self, picture: Image, place: Array, view: TrayView) -> Array:
        """Look at the top side; where none is seen, try again a little beside."""
        best: Array | None = None
        for aside in _ASIDE_MM:
            shown = cannon.top_view(picture, view.to_picture, place + aside, view.camera_mm)
            odds = self._tops.values(shown)
            if best is None or odds[0] < best[0]:
                best = odds
            if best[0] < _NO_TOP:
                break
        assert best is not None
        return best


def cut_patch(rectified: Image, blob: Blob, view: TrayView) -> Image:
    """Cut the patch (72, 72, 3) around the place where a die's top face is seen."""
    lean = (to_mm(blob.middle) - view.camera_mm[:2]) / view.camera_mm[2]
    middle = blob.middle + lean * TOP_MM * PX_PER_MM
    how = np.array([[1, 0, (PATCH_PX - 1) / 2 - middle[0]], [0, 1, (PATCH_PX - 1) / 2 - middle[1]]])
    patch = cv2.warpAffine(
        rectified, how, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(patch, np.uint8)


def _narrowed(
    faces: Mapping[Die, float], unknown: float, expect: tuple[str, ...] | None
) -> dict[Die, float]:
    """Rule out the kinds that cannot be there; `unknown` stays as it is."""
    told = dict(faces)
    if expect is not None:
        told = {die: p for die, p in told.items() if die.kind in expect}
        known = sum(told.values())
        if known > _EXPECTED:
            told = {die: p / (known + unknown) for die, p in told.items()}
    return {die: p for die, p in told.items() if p >= _LEAST_TOLD}


def _reading(blob: Blob, faces: Mapping[Die, float], view: TrayView) -> DieReading:
    kind = max(faces, key=lambda d: faces[d]).kind if faces else ""
    height = _MIDDLE_MM.get(kind, _UNKNOWN_MIDDLE_MM)
    x, y = _on_floor(blob, height, view)
    box = view.box_px(*blob.box)
    return DieReading(dict(faces), (float(x), float(y)), (box[0], box[1], box[2], box[3]))


def _on_floor(blob: Blob, height_mm: float, view: TrayView) -> Array:
    """Return where a thing stands (2,), given the height of its middle: it leans outward."""
    over, high = view.camera_mm[:2], view.camera_mm[2]
    return np.asarray(over + (to_mm(blob.middle) - over) * (high - height_mm) / high)
