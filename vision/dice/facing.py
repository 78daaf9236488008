"""Whether the sides of a die face as those of one do that lies flat there.

A die that leans a little has the outline and nearly the look of one that lies flat: what betrays it
is which way its sides face, its top side above all. For that it must be known how what lies flat is
seen. Where that is known roughly only, the dice of a picture tell together: most lie flat.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from statistics import median

import numpy as np

from vision.dice.box_network import EVENED, evened, softmax, with_aside
from vision.dice.crops import FACING_AROUND, FACING_PX, Box, cut_upright, middle_of
from vision.dice.glances import MIRRORED_TOO, Glance, glanced
from vision.dice.kinds import SOLIDS
from vision.dice.lean import CameraMemory, Leaning
from vision.frame import Array, Image
from vision.network import StoredNetwork

JUDGED = ("icosahedron", "dodecahedron", "octahedron", "trapezohedron")
"""Shapes that are asked about. How the others lie is told well without; and where nothing but cubes
lies, cameras sought by how they face were no truer."""
_LENSES = np.array([1.0, 0.6, 0.78, 1.28, 1.65])
"""Straight from above a tray looks much the same through a wide lens from near, with low walls, as
through a long one from afar, with high ones. Its dice do not: they may lean outward so many times
as much as it seems by the tray."""
_USUAL = np.array([0.8, 0.03, 0.07, 0.07, 0.03])
"""How usual that is, of trays that were found."""
_UNLIKELY = 0.02
"""Under lenses less likely than that nothing is looked at: they are taken to fit as badly as the
worst. What was said of them before fades, and some throws later they are looked at again."""
_WORTH, _MOST = 0.6, 3.0
"""So much one die says of how the camera stands, and at most: it may lean itself."""
_STEPS_DEG, _OFF_DEG = (6.0, 6.0, 3.0, 3.0), 8.0
"""A camera that is known roughly is sought so far beside the likeliest one, step by step. It is
seldom farther off than the last (standard deviation)."""
_ANGLES = np.arange(6) * np.pi / 3
_AROUND = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
"""Ways to which it is sought."""
_ENOUGH = 10
"""So many dice of a picture are asked for that at most."""
_MUCH_LESS, _LESS_PLAIN = 3.0, 0.1
"""A die that faces so much less plainly than its like usually do is doubted so much. Chosen on
virtual trays: one of a thousand plain dice is asked about for it, and two thirds of the cocked
icosahedra that were told, once some of their like were seen."""
_BEFORE, _REMEMBERED = (2.0, 2.0), 20
"""What is taken to have been seen before, and so many dice are remembered."""
_AS_POORLY, _KNOWN = 0.5, 3
"""Among so many that face no plainer, or hardly, it is one of an odd make: asked about three times
at most, while cocked ones seldom face so well so often."""
_SAME_PLACE_PX = 4.0
"""What lies so near a die that is remembered is that one."""


class LensMemory:
    """What the dice of one tray have said of its camera's lens; from one thread only."""

    def __init__(self) -> None:
        self._memory = CameraMemory()
        self.odds = _USUAL
        """How likely each of `_LENSES` is."""

    def taken_in(self, places: Array, flat: Array) -> Array:
        """Take in where dice lie (N, 2) and, under each lens, how plainly they lie flat (L, N).

        Returns how likely each lens is for each die, (L, N), by what all others have said: a die
        that leans must not vouch for a lens through which it would lie flat.
        """
        odds = np.log(_USUAL) + self._memory.taken_in(places, _says(flat).sum(axis=1))
        self.odds = softmax(odds[None])[0]
        return softmax((odds[:, None] - _says(flat)).T).T


class UsualFacing:
    """How plainly dice of each shape face as what lies flat in one tray, as a rule.

    In its light, and with its dice, a die that faces far less plainly than its like most likely
    leans. From one thread only.
    """

    def __init__(self) -> None:
        self._seen = defaultdict[str, deque[tuple[Array, float]]](lambda: deque(maxlen=_REMEMBERED))

    def doubts(self, places: Array, shapes: Sequence[str], facing: Array) -> Array:
        """Return how much weighs, of each die (N,), that it faces less plainly than is usual.

        Parameters
        ----------
        places : (N, 2), where dice lie, pixels. One that lies where its like did is that one.
        shapes : of the dice.
        facing : (N,), how plainly they lie flat, as `FacingTeller.flat`.
        """
        judged = _judged(shapes)
        for k in judged:
            seen, place = self._seen[shapes[k]], places[k]
            is_new = all(np.abs(place - other).max() > _SAME_PLACE_PX for other, _ in seen)
            if is_new and facing[k] > 0:  # what seems to lean makes leaning no more usual
                seen.append((place, float(facing[k])))
        doubts = np.zeros(len(shapes))
        for k in judged:
            plain = [plain for _, plain in self._seen[shapes[k]]]
            if sum(one < facing[k] + _AS_POORLY for one in plain) <= _KNOWN:
                usual = median([*_BEFORE, *plain])
                doubts[k] = _LESS_PLAIN * np.exp(2 * (usual - _MUCH_LESS - facing[k]))
        return doubts


class FacingTeller:
    """Tells whether dice face as what lies flat. Safe between threads."""

    def __init__(self) -> None:
        self._network = StoredNetwork("vision.dice", "facing.onnx.gz")

    def flat(
        self,
        picture: Image,
        boxes: Sequence[Box],
        leans_deg: Array,
        shapes: Sequence[str],
        again_below: float = -np.inf,
    ) -> Array:
        """Return how much likelier it is that dice lie flat than that they lean: logarithms (M, N).

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        boxes : of the dice.
        leans_deg : (M, N, 2), how what lies flat there is seen under each of some cameras,
            `vision.dice.lean.LEANS_DEG`.
        shapes : of the dice; ``np.inf`` is returned for what is none of `JUDGED`.
        again_below : what is less plain than that at the first look is looked at again.
        """
        flat = np.full((len(leans_deg), len(boxes)), np.inf)
        judged = _judged(shapes)
        if not judged:
            return flat
        crops = _Crops(picture, boxes)

        def look(glances: Sequence[Glance]) -> Array:
            dice = [judged[one.number % len(judged)] for one in glances]
            shown = [
                one.shown(crops.of(k, one.lean_deg)) for k, one in zip(dice, glances, strict=True)
            ]
            told = self._network.told(with_aside(shown, np.array([g.lean_deg for g in glances])))
            return told[range(len(dice)), [SOLIDS.index(shapes[k]) for k in dice], None]

        seen_deg = leans_deg[:, judged].reshape(-1, 2)
        told = glanced(look, seen_deg, lambda told: told[:, 0] < again_below, MIRRORED_TOO)
        flat[:, judged] = told.reshape(len(leans_deg), len(judged))
        return flat

    def in_tray(
        self,
        picture: Image,
        boxes: Sequence[Box],
        leans_deg: Array,
        shapes: Sequence[str],
        lenses: LensMemory,
    ) -> tuple[Array, Array]:
        """Return how likely some lenses are for each die, and under each what `flat` tells.

        Both (L, N); how likely they are by what all other dice say, sum 1 for each. What is not
        plain at the first look is looked at again.

        `leans_deg` (N, 2) is how dice are seen as far as the tray tells it. A throw of which none
        is judged says nothing, and if all lie as plainly flat as counts under the likeliest lens,
        no other can be told to be likelier: under that one alone is looked then.
        """
        if not _judged(shapes):
            return np.ones((1, len(boxes))), np.full((1, len(boxes)), np.inf)

        def under(lens: Array) -> Array:
            return self.flat(picture, boxes, _LENSES[lens, None, None] * leans_deg, shapes, _MOST)

        likely = np.argsort(-lenses.odds)[: (lenses.odds > _UNLIKELY).sum()]
        told = under(likely[:1])
        if told.min() < _MOST and len(likely) > 1:
            told = np.concatenate([told, under(likely[1:])])
        looked_through = likely[: len(told)]
        flat = np.repeat(told.min(axis=0, keepdims=True), len(_LENSES), axis=0)
        flat[looked_through] = told
        odds = lenses.taken_in(np.array([middle_of(box) for box in boxes]), flat)[looked_through]
        return odds / odds.sum(axis=0), told

    def held_against(
        self,
        picture: Image,
        boxes: Sequence[Box],
        leanings: Sequence[Leaning],
        shapes: Sequence[str],
    ) -> tuple[Leaning, ...]:
        """Return cameras that are known roughly, the likeliest one as the dice say more nearly.

        The likeliest first; all of them as likely as the dice make them. `shapes` as for `flat`.
        """
        some = sorted(_judged(shapes), key=lambda k: -max(boxes[k][2:]))[:_ENOUGH]
        if not some:
            return tuple(leanings)
        own, solids = [boxes[k] for k in some], [shapes[k] for k in some]

        def said(leans_deg: Array) -> Array:
            flat = self.flat(picture, own, leans_deg[:, some], solids)
            return np.asarray(_says(flat).sum(axis=1))

        leans = np.stack([one.leans_deg for one in leanings])
        odds = np.log([one.p for one in leanings]) + said(leans)
        first = int(odds.argmax())
        off_deg = np.zeros(2)
        for step in _STEPS_DEG:
            tried = off_deg + step * _AROUND
            more = said(leans[first] + tried[:, None]) + np.log(leanings[first].p)
            more -= (tried**2).sum(axis=1) / (2 * _OFF_DEG**2)
            if more.max() > odds[first]:
                odds[first], off_deg = more.max(), tried[more.argmax()]
        leans[first] += off_deg
        ps = softmax(odds[None])[0]
        return tuple(Leaning(float(ps[k]), leans[k]) for k in np.argsort(-odds))


def _judged(shapes: Sequence[str]) -> list[int]:
    return [k for k, shape in enumerate(shapes) if shape in JUDGED]


def _says(flat: Array) -> Array:
    """Return what dice that lie flat so plainly (M, N) each say of each camera, logarithms.

    What is not judged says the same of all.
    """
    return np.asarray(_WORTH * np.clip(flat, -_MOST, _MOST))


class _Crops:
    """Dice as the network is shown them, each cut once for every way that may be up."""

    def __init__(self, picture: Image, boxes: Sequence[Box]) -> None:
        self._picture, self._boxes = picture, boxes
        self._cut: dict[tuple[int, float], Array] = {}

    def of(self, number: int, lean_deg: Array) -> Array:
        """Return a die, (48, 48, 3): evened, up upward."""
        x, y = lean_deg
        way = number, round(float(np.arctan2(y, x)), 6)
        if way not in self._cut:
            box = self._boxes[number]
            crop = cut_upright(self._picture, box, FACING_PX, FACING_AROUND, lean_deg)
            self._cut[way] = evened(crop, EVENED)
        return self._cut[way]
