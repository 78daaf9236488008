"""How dice are seen, where nobody knows how the camera stands: how far aside, and which way up is.

Of an icosahedron that is seen from more than 21 degrees beside, the next side is nearer to the
middle than the one on top, and its numeral is as plain: told as if it were seen from above, every
second such die would be told wrongly, and surely. Light on its sides, its outline and its shadow
tell how it is seen, roughly; and one camera sees all dice of a picture, so together they tell
where it may stand, and with that where the top side of each may be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.dice.box_network import EVENED, evened, softmax
from vision.dice.crops import AROUND, LEAN_PX, Box, cut_crop, middle_of
from vision.frame import Array, Image
from vision.network import StoredNetwork

_STEP_DEG = 8.0
LEANS_DEG = tuple(_STEP_DEG * step for step in range(-6, 7))
"""A lean is a vector: which way up is seen in the picture (x, y), as long as the die is seen aside,
in degrees. The network tells of each place of a map, its columns x and its rows y, how likely what
it is shown would be with that lean."""
ASLANT_DEG = {"icosahedron": 20.9, "dodecahedron": 31.7, "octahedron": 35.3, "trapezohedron": 27.0}
"""Half the angle between two sides: seen from farther beside, the next one is nearer to the middle.
Of d10 the angles hang on their make; where drawn ones begin to be told wrongly was counted."""
_TOP = {"icosahedron": 0.4, "dodecahedron": 0.4, "octahedron": 0.37, "trapezohedron": 0.37}
"""From a die's middle to that of its top side, in sides of its box."""
_TILTS_DEG, _MOST_TILT_DEG = 4.0, 56.0
"""Cameras that are tilted by up to so much are thought of, in such steps."""
_FOCALS = ((0.8, 0.5), (1.3, 0.3), (3.0, 0.2))
"""Focal lengths of cameras, in longer sides of their picture, and how usual they are."""
_USUAL_DEG = 11.0
"""Spread of how cameras are tilted, each way."""
_WORTH = 1.3
"""So much what dice say counts against how usual a camera is: by itself the network is too wary."""
_REMEMBERED, _STILL_PX = 0.6, 3.0
"""Share of what was said that is believed at the next throw; a die that is seen within so much of
where one lay has not been thrown."""
_ASIDE = 0.1
"""Share of dice that say nothing of how they are seen: they lie aside, or are none."""
_ALIKE_DEG = 12.0
"""Cameras under which all dice lean by so much alike are taken for one."""
_MOST_CAMERAS, _ENOUGH = 6, 0.95
"""So many are thought of at most, the likeliest; fewer if these are as likely as that together.
These were chosen on drawn dice that the network had not seen, `_WORTH` and `_USUAL_DEG` by what is
told of such, of dice that fell, and of photographs that may be learnt from."""


@dataclass(frozen=True, eq=False)
class Leaning:
    """How the dice of a picture lean under one of the cameras there may be."""

    p: float
    """How likely that camera is."""
    leans_deg: Array
    """Shape (N, 2), see `LEANS_DEG`."""

    def tops_of(self, boxes: Sequence[Box], shapes: Sequence[str]) -> list[Box]:
        """Return the boxes of dice, moved to where their top sides are seen."""
        moved = []
        for lean, box, shape in zip(self.leans_deg, boxes, shapes, strict=True):
            far = float(np.hypot(*lean))
            way = lean / max(far, 1.0) * np.sin(np.radians(far))
            x, y = _TOP.get(shape, 0.0) * max(box[2:]) * way
            moved.append((box[0] + float(x), box[1] + float(y), box[2], box[3]))
        return moved

    def aslant(self, shapes: Sequence[str]) -> list[bool]:
        """Tell of which dice another side is nearer to the middle than the one on top."""
        far = np.hypot(*self.leans_deg.T).tolist()
        return [d > ASLANT_DEG.get(shape, 90.0) for d, shape in zip(far, shapes, strict=True)]


class CameraMemory:
    """What pictures of a camera that stands still have said of how it stands; not thread-safe."""

    def __init__(self) -> None:
        self._places = np.zeros((0, 2))
        self._last: Array | float = 0.0
        self._before: Array | float = 0.0

    def taken_in(self, places: Array, said: Array) -> Array:
        """Return what has been said up to now; where some dice lie as they lay, nothing new.

        Parameters
        ----------
        places : (N, 2), where dice lie, pixels.
        said : (H,), what they say of each camera there may be.
        """
        gaps = np.abs(self._places[:, None] - places).max(axis=2)
        if not (gaps < _STILL_PX).any():
            self._before = _REMEMBERED * (self._before + self._last)
        self._places, self._last = places, said
        return np.asarray(self._before + said)


class LeanTeller:
    """Tells how dice are seen. Safe between threads."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "lean.onnx.gz")

    def leanings(
        self,
        picture: Image,
        boxes: Sequence[Box],
        shapes: Sequence[str],
        memory: CameraMemory | None = None,
    ) -> tuple[Leaning, ...]:
        """Return how dice may lean under the cameras there may be, the likeliest first.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        boxes : of what lies in it.
        shapes : of the dice, empty for what is none. Without any they are taken to be seen from
            above.
        memory : of the camera, if it stands still.
        """
        dice = [k for k, shape in enumerate(shapes) if shape]
        if not dice:
            return (Leaning(1.0, np.zeros((len(boxes), 2))),)
        own = [boxes[k] for k in dice]
        places = np.array([middle_of(box) for box in own])
        size = picture.shape[1], picture.shape[0]
        likely = []
        for leaning in together(self.maps(picture, own), places, size, memory):
            leans = np.zeros((len(boxes), 2))
            leans[dice] = leaning.leans_deg
            likely.append(Leaning(leaning.p, leans))
        return tuple(likely)

    def maps(self, picture: Image, boxes: Sequence[Box]) -> Array:
        """Return the map of each die by itself (N, L, L), logarithms; see `LEANS_DEG`.

        It is the mean over all quarter turns.
        """
        crops = [evened(cut_crop(picture, box, LEAN_PX, AROUND), EVENED) for box in boxes]
        turns = range(4)
        shown = np.stack([np.rot90(crop, k) for k in turns for crop in crops])
        told = self._network.told(shown.transpose(0, 3, 1, 2))
        maps = told.reshape(len(turns), len(boxes), len(LEANS_DEG), len(LEANS_DEG))
        back = [np.rot90(seen, -k, axes=(1, 2)) for k, seen in zip(turns, maps, strict=True)]
        return np.asarray(np.mean(back, axis=0))


def together(
    maps: Array, places: Array, size_px: tuple[int, int], memory: CameraMemory | None = None
) -> tuple[Leaning, ...]:
    """Return how dice may lean under the cameras there may be, the likeliest first.

    Parameters
    ----------
    maps : (N, L, L), what each die says.
    places : (N, 2), their middles, pixels.
    size_px : width and height of the picture.
    memory : of the camera, if it stands still.
    """
    leans, usual = _thought_of(places, size_px)
    said = _WORTH * _likelihoods(maps, leans).sum(axis=1)
    odds = usual + (said if memory is None else memory.taken_in(places, said))
    left = softmax(odds[None])[0]
    leanings = list[Leaning]()
    while len(leanings) < _MOST_CAMERAS and sum(leaning.p for leaning in leanings) < _ENOUGH:
        away = leans - leans[left.argmax()]
        alike = np.where((np.hypot(away[..., 0], away[..., 1]) < _ALIKE_DEG).all(axis=1), left, 0.0)
        p = float(alike.sum())
        leanings.append(Leaning(p, np.einsum("h,hni->ni", alike / p, leans)))
        left = np.where(alike > 0, 0.0, left)
    known = sum(leaning.p for leaning in leanings)
    return tuple(replace(one, p=one.p / known) for one in leanings)


def _thought_of(places: Array, size_px: tuple[int, int]) -> tuple[Array, Array]:
    """Return leans (H, N, 2), degrees, under the cameras there may be, and how usual these are."""
    line = np.arange(-_MOST_TILT_DEG, _MOST_TILT_DEG + 1, _TILTS_DEG)
    tilts = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    tilts = tilts[np.hypot(*tilts.T) <= _MOST_TILT_DEG]
    tilt = np.hypot(*tilts.T)
    ways = tilts / np.maximum(tilt, 1.0)[:, None]
    sin, cos = np.sin(np.radians(tilt)), np.cos(np.radians(tilt))
    leans, usual = [], []
    for focal, share in _FOCALS:
        rays = (places - np.array(size_px) / 2) / (focal * max(size_px))
        aside = (sin[:, None] * ways)[:, None] + cos[:, None, None] * rays
        down = cos[:, None] - sin[:, None] * (ways @ rays.T)
        length = np.hypot(*np.moveaxis(aside, 2, 0))
        degrees = np.degrees(np.arctan2(length, down)) / np.maximum(length, 1e-6)
        leans.append(aside * degrees[..., None])
        usual.append(np.log(share) - tilt**2 / (2 * _USUAL_DEG**2))
    return np.concatenate(leans), np.concatenate(usual)


def _likelihoods(maps: Array, leans: Array) -> Array:
    """Return what the dice say of leans (H, N, 2): logarithms (H, N), between places of maps."""
    count, side = len(maps), len(LEANS_DEG)
    shares = softmax(maps.reshape(count, -1))
    told = np.log((1 - _ASIDE) * shares + _ASIDE / side**2).reshape(maps.shape)
    at = np.clip(leans / _STEP_DEG + side // 2, 0, side - 1 - 1e-6)
    x, y = np.moveaxis(at, 2, 0)
    column, row = x.astype(int), y.astype(int)
    x, y, die = x - column, y - row, np.arange(count)
    above = (1 - x) * told[die, row, column] + x * told[die, row, column + 1]
    below = (1 - x) * told[die, row + 1, column] + x * told[die, row + 1, column + 1]
    return np.asarray((1 - y) * above + y * below)
