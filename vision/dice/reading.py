"""Dice in any picture: where they lie, what they may show. No tray is needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from companion.errors import BadOptions
from companion.rules.layout import Die
from vision.dice.aspect import Aspect, Views
from vision.dice.crops import Box
from vision.dice.finder import COARSE_PX, DieFinder, Found
from vision.dice.kinds import FACES
from vision.dice.lean import CameraMemory, Leaning, LeanTeller
from vision.dice.lying import LyingTeller
from vision.dice.sail import SailTeller
from vision.dice.teller import DieTeller, Odds
from vision.frame import Array, Image

SURE = 0.9
"""A die is answered from this probability on; below, the table is asked."""

_DOUBT, _BOTH_DOUBT = 0.1, 0.05
"""So much it weighs that a die seems not to lie flat, whole and alone (`Odds.faces`); the second
where more than that tells how it lies. Chosen on dice that fell and on drawn ones."""
_FLAT_TOPPED, _EDGED = "cube", "tetrahedron"
"""In a tray it is not asked of these whether they are seen as what lies flat there. Of cubes it
takes time, and little is told by it that is not told by what lies around them; how tetrahedra lie
their edges tell (`vision.dice.base`)."""
_ICOSAHEDRON, _LOOKED_FROM = "icosahedron", 0.0015
"""Of these, from so much doubt on, it is looked whether the numeral is where the top of one is that
lies flat."""
_LEANS, _LEANS_BY_OFF, _LEANS_BY_LYING = 0.0012, 100.0, 0.4
"""So much it weighs that it leans; more, the farther the numeral is off (in boxes); and so much of
what `lying.onnx` says counts. Fitted to drawn and virtual dice and to such as fell."""
_PLAIN_DIE, _PLAIN_NOTHING = 0.8, 0.7
"""What is less of a die than the first and more of nothing than the second is left out."""

_COARSER_PX = (COARSE_PX // 2, COARSE_PX // 4)
"""Further looks at a picture, one after the other while no die in it is told: one may fill it. Not
at once, for a group of dice, seen so small, looks like one."""


@dataclass(frozen=True, eq=False)
class SeenDie:
    """Something that looks like a die."""

    box: Box
    """x, y, width, height in pixels of the picture."""
    faces: Mapping[Die, float]
    """Probability of each kind and face; the rest up to 1: cannot be told."""
    p_die: float
    """Probability that it is a die at all."""
    is_aslant: bool = False
    """It is seen from so far beside that another side is nearer to its middle than the top, as far
    as can be told (`vision.dice.lean`)."""

    @property
    def best(self) -> tuple[Die, float] | None:
        """The likeliest face and its probability, or ``None`` if nothing can be told."""
        if not self.faces:
            return None
        die = max(self.faces, key=lambda d: self.faces[d])
        return die, self.faces[die]

    @property
    def is_answered(self) -> bool:
        """It is told, not asked about."""
        return self.best is not None and self.best[1] >= SURE

    @property
    def is_too_aslant(self) -> bool:
        """It is asked about, and seen from so far beside that this may be the reason."""
        return self.is_aslant and not self.is_answered


class DiceReader:
    """Reads the dice of pictures; the networks are loaded once.

    Parameters
    ----------
    stands_still : all pictures are of one camera, and it is not moved: how it stands is told better
        with each. From one thread only.
    """

    def __init__(self, stands_still: bool = False) -> None:
        self._memory = CameraMemory() if stands_still else None
        self._finder = DieFinder()
        self._teller, self._lean, self._lying = DieTeller(), LeanTeller(), LyingTeller()
        self.sails = SailTeller()

    def look(
        self,
        picture: Image,
        size: int,
        expect: Sequence[str] | None,
        seen_at: Callable[[Sequence[Box]], Aspect],
    ) -> tuple[tuple[Found, Odds], ...]:
        """Return what looks like a die, from left to right, and what each may be.

        `size` is the longest side at which the picture is searched (`DieFinder.find_at`); `expect`
        as for `DieTeller.tell`; `seen_at` tells how dice are seen in boxes.
        """
        found = _from_left(self._finder.find_at(picture, size))
        boxes = [f.box for f in found]

        def views_of(shapes: Sequence[str]) -> Views:
            aspect = seen_at(boxes)
            doubts = self.doubts(picture, boxes, shapes, aspect.leans_deg)
            return Views((aspect,), doubts, [False] * len(boxes))

        odds = self._teller.tell(picture, boxes, expect, views_of)
        return tuple((f, o) for f, o in zip(found, odds, strict=True) if not _is_nothing(f, o))

    def doubts(
        self, picture: Image, boxes: Sequence[Box], shapes: Sequence[str], leans_deg: Array
    ) -> Array:
        """Return `Views.doubts` of dice in a tray, where it is known how they are seen."""
        flat = self._lying.flat(picture, boxes, leans_deg, shapes, knows_camera=True)
        aside = ["" if shape in (_FLAT_TOPPED, _EDGED) else shape for shape in shapes]
        own = self._lean.flat(picture, boxes, aside, leans_deg)
        weights = np.array([_DOUBT if shape == _FLAT_TOPPED else _BOTH_DOUBT for shape in shapes])
        doubts = np.asarray(weights * np.exp(-flat - own))
        looked = np.flatnonzero([s == _ICOSAHEDRON for s in shapes] & (doubts > _LOOKED_FROM))
        if len(looked):
            dice, of_dice = [boxes[int(k)] for k in looked], [_ICOSAHEDRON] * len(looked)
            tops = Leaning(1.0, leans_deg[looked]).tops_of(dice, of_dice)
            off = self._teller.numerals.off_middle(picture, tops, of_dice)
            lies = own[looked] + _LEANS_BY_LYING * flat[looked]
            doubts[looked] += _LEANS * np.exp(_LEANS_BY_OFF * off - lies)
        return doubts

    def read(self, picture: Image, expect: Sequence[str] | None = None) -> tuple[SeenDie, ...]:
        """Return the dice in a picture, from left to right.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        expect : kinds of dice that can lie there; ``None`` for any.
        """
        found = self._finder.find(picture)
        first = seen = self._seen(picture, found, expect)
        for size in _COARSER_PX:
            if any(die.is_answered for die in seen):
                return seen
            found = self._finder.with_larger(picture, found, size)
            seen = self._seen(picture, found, expect)
        return seen if any(die.is_answered for die in seen) else first

    def _seen(
        self, picture: Image, every: tuple[Found, ...], expect: Sequence[str] | None
    ) -> tuple[SeenDie, ...]:
        found = _from_left(every)
        boxes = [f.box for f in found]

        def views_of(shapes: Sequence[str]) -> Views:
            likely = self._lean.leanings(picture, boxes, shapes, self._memory)
            aspects = [
                Aspect(one.p, boxes, one.tops_of(boxes, shapes), one.leans_deg) for one in likely
            ]
            flat = self._lying.flat(picture, boxes, aspects[0].leans_deg, shapes)
            return Views(aspects, _DOUBT * np.exp(-flat), likely[0].aslant(shapes))

        seen = list[SeenDie]()
        looks = self._teller.tell(picture, boxes, expect, views_of)
        for one, odds in zip(found, looks, strict=True):
            told = self.sails.told_alone(picture, one.box, odds, expect)
            if not _is_nothing(one, told):
                seen.append(SeenDie(one.box, told.faces(expect), one.p, told.is_aslant))
        return tuple(seen)


def _from_left(found: tuple[Found, ...]) -> list[Found]:
    return sorted(found, key=lambda f: f.box[:2])


def _is_nothing(found: Found, odds: Odds) -> bool:
    """Tell whether both networks doubt that it is a die; a cocked one is plainly a die."""
    return found.p < _PLAIN_DIE and float(odds.kinds[0]) > _PLAIN_NOTHING


def parse_kinds(text: str) -> tuple[str, ...]:
    """Read kinds of dice separated by commas; raises `BadOptions` for one that is not known."""
    kinds = tuple(part.strip() for part in text.split(",") if part.strip())
    for kind in kinds:
        if kind not in FACES:
            raise BadOptions(f"no die of the kind {kind!r}: say some of {', '.join(FACES)}")
    return kinds
