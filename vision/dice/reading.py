"""Dice in any picture: where they lie, what they may show. No tray is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median_high

import numpy as np

from companion.rules.layout import Die
from companion.table.observation import likeliest
from companion.table.unsure_dice import HALF_HIDDEN, NO_DIE, UNCLEAR
from vision.dice.aspect import DOUBTS, Aspect, Views
from vision.dice.crops import Box, middle_of
from vision.dice.facing import JUDGED, FacingTeller
from vision.dice.finder import COARSE_PX, SEEN_PX, DieFinder, Found, distinct
from vision.dice.kinds import CLOSE_KINDS, SHAPES
from vision.dice.lean import CameraMemory, LeanTeller
from vision.dice.lying import LyingTeller
from vision.dice.memory import TrayMemory
from vision.dice.teller import DieTeller, Odds, shape_of
from vision.dice.tetrahedron_tops import TetrahedronTeller
from vision.dice.tones import body_of
from vision.frame import Array, Image

SURE = 0.9
"""A die is answered from this probability on; below, the table is asked."""

_HALF_HIDDEN, _COCKED, _STACKED, _NO_DIE, _UNCLEAR = range(len(DOUBTS))
Weights = Mapping[str, tuple[float, float]]
_NUMBERED = "numbered"
_IN_TRAY: Weights = {
    "cube": (0.1, 0.0), "tetrahedron": (0.05, 0.0), "icosahedron": (0.018, 0.1),
    _NUMBERED: (0.018, 0.02),
}  # fmt: skip
_ANYWHERE: Weights = {
    "cube": (0.1, 0.0), "tetrahedron": (0.1, 0.0), "icosahedron": (0.1, 0.3),
    _NUMBERED: (0.1, 0.1),
}  # fmt: skip
"""By shape (`_NUMBERED`: of all others): so much it weighs that a die seems not to lie flat, whole
and alone (`vision.dice.lying`), and that it seems to lean (`vision.dice.facing`). Whether it leans
is asked of one of them alone: of a numbered die its sides tell better than what is around it, and
asked of both, more plain ones are asked about and hardly fewer that lean are told. How tetrahedra
lie their edges tell (`vision.dice.tetrahedra`). Chosen on dice that fell, on drawn and on virtual
ones, so that about as many that do not lie flat are told as when both were asked; those of a tray
once more since doubtful dice are looked at again (`vision.dice.glances`), by dice drawn from
near."""
_JUDGED_WORTH = 0.1
"""So much it counts that a die looks like nothing that can be told, of shapes whose facing is
judged: the teller doubts dice whose numerals are small or pale, which are told from nearer. Chosen
with the weights above. With 0.3 for cubes coins on boards were told as dice."""
_STRANGE = 0.04
"""So much it weighs in a picture without a tray, times the square of how much likelier the finder
takes it for no die than for one: among ships and coins much looks like one from near. Squared,
plain dice are doubted hardly at all. Chosen on boards, photographs and drawn pictures that may be
learnt from."""
_LEAST_NUMBERED_PX, _TINY = 24.0, 1.0
"""A die of a shape whose numerals are read from near (`JUDGED`) is asked about if it is smaller,
its odds halved: what is left of a numeral looks like a 1. Of path-traced cannonballs that may be
learnt from, made smaller, of those of 16 to 20 pixels that were told 17 of 68 were told wrongly, of
20 to 24 five of 120, of 24 to 28 one of 131, of larger ones none of 38."""
_SHARPNESS = 2.0
"""So much is made of how plainly a die faces as what lies flat does."""
_PLAIN_DIE, _PLAIN_NOTHING = 0.8, 0.7
"""What is less of a die than the first and more of nothing than the second is left out."""

_DOUBTED, _COVERED = 0.1, 0.2
"""A die is said to lie badly if more than the first doubts that it lies well, else to be half
hidden if the teller is surer than the second that nothing can be told. Chosen on dice that fell, on
drawn and on virtual ones."""

_COARSER_PX = (COARSE_PX // 2, COARSE_PX // 4)
"""Further looks at a picture, one after the other while no die in it is told: one may fill it. Not
at once, for a group of dice, seen so small, looks like one."""
_DWARF, _DWARF_WORTH = 0.5, 0.5
"""What is told and smaller by this than most that is told is asked about, its odds halved: a crumb
looks like a die from so near, a pip or a numeral like its number. On what may be learnt from dice
were no smaller than by 0.66, other things by 0.36 to 0.51."""
_SPECK = 0.25
"""What cannot be told and is smaller by this than every die that is told is none: a grain of the
table, a letter. Dice of one table differ less, and a half-hidden one as well."""
_FINER_PX = (2 * SEEN_PX, 4 * SEEN_PX)
"""The last ones, at a picture that is so large: its dice may be tiny. Not before the coarser ones:
seen so large, a pip of a die that lies near may look like one."""


@dataclass(frozen=True, eq=False)
class SeenDie:
    """Something that looks like a die."""

    box: Box
    """x, y, width, height in pixels of the picture."""
    faces: Mapping[Die, float]
    """Probability of each kind and face; the rest up to 1: cannot be told."""
    is_aslant: bool = False
    """It is seen from so far beside that another side is nearer to its middle than the top, as far
    as can be told (`vision.dice.lean`)."""
    seems: str = ""
    """What it seems if it is asked about: `companion.table.unsure_dice`; empty if it is told."""

    @property
    def best(self) -> tuple[Die, float] | None:
        """The likeliest face and its probability, or ``None`` if nothing can be told."""
        return likeliest(self.faces) if self.faces else None

    @property
    def p(self) -> float:
        """Probability of the likeliest face; 0 if nothing can be told."""
        return max(self.faces.values(), default=0.0)

    @property
    def is_answered(self) -> bool:
        """It is told, not asked about."""
        return self.p >= SURE

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
        self._teller, self._lean = DieTeller(), LeanTeller()
        self._lying, self._facing = LyingTeller(), FacingTeller()
        self.tetrahedra = TetrahedronTeller()

    def look(
        self,
        picture: Image,
        size: int,
        expect: Sequence[str] | None,
        seen_at: Callable[[Sequence[Box]], Aspect],
        memory: TrayMemory,
    ) -> tuple[tuple[Found, Odds], ...]:
        """Return what looks like a die, from left to right, and what each may be.

        `size` is the longest side at which the picture is searched (`DieFinder.find_at`); `expect`
        as for `DieTeller.tell`; `seen_at` tells how dice are seen in boxes as far as the
        tray tells it, `memory` what its dice have told before.
        """
        found = _from_left(self._finder.find_at(picture, size))
        boxes = [f.box for f in found]

        def views_of(shapes: Sequence[str]) -> Views:
            return self.views_in_tray(picture, seen_at(boxes), shapes, memory)

        looks = self._teller.tell(picture, boxes, expect, views_of, memory.lettering)
        if memory.vouched:
            looks = [
                memory.vouched.lessened(body_of(picture, box, shape_of(odds, expect)), odds)
                for box, odds in zip(boxes, looks, strict=True)
            ]
        return tuple((f, o) for f, o in zip(found, looks, strict=True) if not _is_nothing(f, o))

    def learn(
        self, picture: Image, aspect: Aspect, dice: Sequence[Die], memory: TrayMemory
    ) -> None:
        """Take into `memory` how dice look of which somebody has said what they show."""
        shapes = [SHAPES[die.kind] for die in dice]

        def views_of(_: Sequence[str]) -> Views:
            return self.views_in_tray(picture, aspect, shapes, memory)

        expect = tuple({die.kind for die in dice})
        looks = self._teller.tell(picture, aspect.boxes, expect, views_of)
        for box, shape, odds in zip(aspect.boxes, shapes, looks, strict=True):
            memory.vouched.add(body_of(picture, box, shape), odds)
        numbered = np.array([k for k, die in enumerate(dice) if die.kind in CLOSE_KINDS], int)
        if len(numbered):
            own = [dice[k] for k in numbered]
            self._teller.numerals.learn(picture, aspect.of(numbered), own, memory.lettering)

    def views_in_tray(
        self, picture: Image, aspect: Aspect, shapes: Sequence[str], memory: TrayMemory
    ) -> Views:
        """Return how dice seem to lie where it is known how they are seen, and `aspect` as it is.

        `picture` (H, W, 3) uint8 BGR; `shapes` of the dice in `aspect`, in its order; `memory` is
        what the dice of that tray have told before, and takes in what these tell.
        """
        boxes, leans_deg = aspect.boxes, aspect.leans_deg
        lying = self._lying.otherwise(picture, boxes, leans_deg, shapes, knows_camera=True)
        odds, faces = self._facing.in_tray(picture, boxes, leans_deg, shapes, memory.lenses)
        facing = (odds * np.exp(_SHARPNESS * faces)).sum(axis=0)
        doubts = _doubts(shapes, _IN_TRAY, lying, facing)
        places, plain = np.array([middle_of(box) for box in boxes]), np.log(facing) / _SHARPNESS
        doubts[:, _COCKED] += memory.usual.doubts(places, shapes, plain)
        doubts[:, _UNCLEAR] = _tiny(boxes, shapes)
        return Views((aspect,), doubts, [False] * len(boxes), _nothing_worths(shapes))

    def read(self, picture: Image, expect: Sequence[str] | None = None) -> tuple[SeenDie, ...]:
        """Return the dice in a picture, from left to right.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        expect : kinds of dice that can lie there; ``None`` for any.
        """
        first: tuple[SeenDie, ...] | None = None
        for found in self._looks(picture):
            seen = self._seen(picture, self._apart(picture, found, expect), expect)
            if any(die.is_answered for die in seen):
                return like_each_other(seen)
            first = seen if first is None else first
        return first or ()

    def _looks(self, picture: Image) -> Iterator[tuple[Found, ...]]:
        """Yield what looks like a die, at one size of the picture after the other."""
        found = self._finder.find(picture)
        yield found
        for size in _COARSER_PX:
            found = self._finder.with_larger(picture, found, size)
            yield found
        for size in _FINER_PX:
            if size <= max(picture.shape[:2]):
                yield self._finder.find(picture, size)

    def _apart(
        self, picture: Image, found: Sequence[Found], expect: Sequence[str] | None
    ) -> tuple[Found, ...]:
        """Return what was found, with the dice of a group instead of the group.

        Seen so small, dice that lie close together look like a large one, and so may some of them.
        """
        apart = list[Found]()
        for one in found:
            is_group = self._is_group(picture, one, expect)
            apart.extend(self._apart(picture, one.parts, expect) if is_group else [one])
        return distinct(sorted(apart, key=lambda f: -f.p))

    def _is_group(self, picture: Image, one: Found, expect: Sequence[str] | None) -> bool:
        """Tell whether two parts of what was found are told as dice, more plainly than the whole.

        Chosen on the photographs that may be learnt from, from near and from far.
        """
        if len(one.parts) < 2:
            return False
        boxes = [one.box, *(part.box for part in one.parts)]
        looks = zip(boxes, self._teller.tell(picture, boxes, expect), strict=True)
        faces = [self.tetrahedra.told_alone(picture, *look, expect).faces(expect) for look in looks]
        whole, *sure = [max(each.values(), default=0.0) for each in faces]
        told = sorted(part.p * p for part, p in zip(one.parts, sure, strict=True) if p >= SURE)
        return len(told) > 1 and told[-2] > one.p * whole

    def _seen(
        self, picture: Image, every: tuple[Found, ...], expect: Sequence[str] | None
    ) -> tuple[SeenDie, ...]:
        found = _from_left(every)
        boxes = [f.box for f in found]

        def views_of(shapes: Sequence[str]) -> Views:
            roughly = self._lean.leanings(picture, boxes, shapes, self._memory)
            likely = self._facing.held_against(picture, boxes, roughly, shapes)
            aspects = [
                Aspect(one.p, boxes, one.tops_of(boxes, shapes), one.leans_deg) for one in likely
            ]
            lying = self._lying.otherwise(picture, boxes, aspects[0].leans_deg, shapes)
            (faces,) = self._facing.flat(picture, boxes, likely[0].leans_deg[None], shapes)
            doubts = _doubts(shapes, _ANYWHERE, lying, np.exp(_SHARPNESS * faces))
            doubts[:, _NO_DIE] = _STRANGE * np.array([1 / one.p - 1 for one in found]) ** 2
            doubts[:, _UNCLEAR] = _tiny(boxes, shapes)
            return Views(aspects, doubts, likely[0].aslant(shapes), _nothing_worths(shapes))

        seen = list[SeenDie]()
        looks = self._teller.tell(picture, boxes, expect, views_of)
        for one, odds in zip(found, looks, strict=True):
            told = self.tetrahedra.told_alone(picture, one.box, odds, expect)
            if not _is_nothing(one, told):
                seen.append(seen_as(told, one, expect))
        return tuple(seen)


def like_each_other(seen: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return dice of which some are told, for dice of one table are about as large as each other.

    What is told and far smaller than most is asked about, what is not told and smaller still is
    none.
    """
    told_px = [max(die.box[2:]) for die in seen if die.is_answered]
    dwarf_px = _DWARF * median_high(told_px)
    least_px = _SPECK * min(px for px in told_px if px >= dwarf_px)
    kept = (die for die in seen if die.is_answered or max(die.box[2:]) >= least_px)
    return tuple(_halved(die) if max(die.box[2:]) < dwarf_px else die for die in kept)


def _halved(die: SeenDie) -> SeenDie:
    faces = {face: _DWARF_WORTH * p for face, p in die.faces.items()}
    return replace(die, faces=faces, seems=die.seems or NO_DIE)


def seen_as(odds: Odds, found: Found, expect: Sequence[str] | None) -> SeenDie:
    """Return what was found with what it may show, or what it seems if that is not told."""
    faces = odds.faces(expect)
    return SeenDie(found.box, faces, odds.is_aslant, _what_it_seems(odds, faces))


def _what_it_seems(odds: Odds, faces: Mapping[Die, float]) -> str:
    sure, doubt = max(faces.values(), default=0.0), float(odds.doubts.sum())
    if sure >= SURE:
        return ""
    if doubt > _DOUBTED or sure * (1 + doubt) >= SURE:  # without that doubt it would be told
        return DOUBTS[int(odds.doubts.argmax())]
    return HALF_HIDDEN if odds.nothing > _COVERED else UNCLEAR


def _doubts(shapes: Sequence[str], weights: Weights, lying: Array, facing: Array) -> Array:
    """Return `Views.doubts` of dice of some shapes.

    `lying` is what `vision.dice.lying` tells; `facing` how many times likelier it is that each
    faces as what lies flat does than that it leans. Where that weighs, it alone tells of leaning.
    """
    by = np.array([weights.get(shape, weights[_NUMBERED]) for shape in shapes]).reshape(-1, 2)
    doubts = np.zeros((len(shapes), len(DOUBTS)))
    doubts[:, [_HALF_HIDDEN, _COCKED, _STACKED]] = by[:, :1] * lying
    is_faced = by[:, 1] > 0
    doubts[is_faced, _COCKED] = by[is_faced, 1] / facing[is_faced]
    return doubts


def _tiny(boxes: Sequence[Box], shapes: Sequence[str]) -> Array:
    """Return what weighs (N,) that the numeral of each is too small to be read."""
    small = [
        shape in JUDGED and max(box[2:]) < _LEAST_NUMBERED_PX
        for box, shape in zip(boxes, shapes, strict=True)
    ]
    return _TINY * np.array(small, float)


def _nothing_worths(shapes: Sequence[str]) -> Array:
    """Return `Views.nothing_worths` of dice of some shapes."""
    return np.array([_JUDGED_WORTH if shape in JUDGED else 1.0 for shape in shapes])


def _from_left(found: tuple[Found, ...]) -> list[Found]:
    return sorted(found, key=lambda f: f.box[:2])


def _is_nothing(found: Found, odds: Odds) -> bool:
    """Tell whether both networks doubt that it is a die; a cocked one is plainly a die."""
    return found.p < _PLAIN_DIE and odds.nothing > _PLAIN_NOTHING
