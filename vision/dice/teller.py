"""What one die shows: small networks, run by OpenCV. Safe between threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from companion.boards.profile import XY
from companion.rules.layout import Die
from vision.dice.aspect import DOUBTS, Views, from_above
from vision.dice.box_network import EVENED, BoxNetwork, evened
from vision.dice.crops import AROUND, CROP_PX, Box
from vision.dice.kinds import CLOSE_KINDS, COLOURS, FACES, KINDS, NOTHING, SHAPES, SIGNS, sign_of
from vision.dice.lettering import Lettering
from vision.dice.nearer import Numerals, Pips, Plain
from vision.dice.washed_out import is_washed_out
from vision.frame import Array, Image

WARMTH = 0.7
"""Logits are divided by this: few answers with 0.9 are to be wrong. Chosen on drawn pictures that
the network had not seen, as those of the nearer looks (`vision.dice.nearer`)."""
_FOREIGN = 0.1
"""A die is of no expected kind if all of them (with their like) have less than this together."""
_LEAST_TOLD = 0.005
"""Probabilities below are left out."""

_LATER = [
    KINDS.index(kind)
    for kind, shape in SHAPES.items()
    if kind in ("d6", *CLOSE_KINDS) or shape == "tetrahedron"
]
"""Signs of these are told by a nearer look, of tetrahedra by `vision.dice.tetrahedron_tops`."""
_SHAPES = [SHAPES.get(kind, "") for kind in KINDS]
"""Of nothing, none."""
_NOTHING = KINDS.index(NOTHING)
_NULL_IN_LIGHT = 1 / 6
"""A top without a sign that is as bright as the camera can show is a null so likely: any side of a
piecepack die looks so then."""
_BLANK, _COLOURS = SIGNS.index("blank"), [SIGNS.index(colour) for colour in COLOURS]
_SIGN_OF = {(k, f): SIGNS.index(sign_of(Die(k, f))) for k, faces in FACES.items() for f in faces}

_TENS = [KINDS.index("d10"), KINDS.index("d100")]
_NUMERALS_OF_TENS = [[_SIGN_OF[KINDS[k], f] for f in FACES[KINDS[k]]] for k in _TENS]
_UNSEEN = 0.005
"""Weighs for a kind none of whose numerals is seen."""
_SELDOM = {"d6_numeral": 0.5}
"""Where any kind may lie, so much likelier are others. A cube's digit from 2 to 5 looks much the
same on a piecepack die, and only those are played with here. Chosen on the path-traced trays that
may be learnt from."""


@dataclass(frozen=True, eq=False)
class Odds:
    """What a die may be: probabilities of its kind and, apart from that, of its sign."""

    kinds: Array
    """Shape (len(KINDS),)."""
    signs: Array
    """Shape (len(SIGNS),)."""
    doubts: Array = field(default_factory=lambda: np.zeros(len(DOUBTS)))
    """Of `Views.doubts`, and in a tray that was seen empty of the die's outline."""
    is_aslant: bool = False
    """As `Views.aslant`."""
    lean_deg: XY = (0.0, 0.0)
    """How it is seen under the likeliest camera, `vision.dice.lean.LEANS_DEG`."""
    nothing_worth: float = 1.0
    """So much it counts that it may be nothing, or a die that cannot be told (`kinds`)."""

    @property
    def nothing(self) -> float:
        """Probability that it is nothing, or a die that cannot be told."""
        return float(self.kinds[_NOTHING])

    def faces(self, expect: Sequence[str] | None = None) -> Mapping[Die, float]:
        """Return the probability of each face; they sum to less than 1 where it cannot be told.

        Parameters
        ----------
        expect : kinds that can lie there; ``None`` for any. A die of another kind but the same
            shape is then taken for the expected one: a cannonball is told as a ``d20`` if only
            that is expected.
        """
        odds = {kind: float(self.kinds[k]) for k, kind in enumerate(KINDS) if kind != NOTHING}
        odds = _usual(odds) if expect is None else _narrowed(odds, expect)
        signs = self.signs if expect is None else _as_expected(self.signs, expect)
        both = {
            Die(kind, face): p * float(signs[_SIGN_OF[kind, face]])
            for kind, p in odds.items()
            for face in FACES[kind]
        }
        known, fitting = sum(odds.values()), sum(both.values())
        # Kind and sign must fit together; what does not is ruled out, up to half of all.
        share = max(fitting / known, 0.5) if known else 1.0
        share *= 1 - self.nothing * (1 - self.nothing_worth)
        share *= 1 + float(self.doubts.sum())
        return {die: p / share for die, p in both.items() if p / share >= _LEAST_TOLD}


def _usual(odds: Mapping[str, float]) -> dict[str, float]:
    """Return the odds of kinds with those that are seldom played with less likely."""
    told = {kind: p * _SELDOM.get(kind, 1.0) for kind, p in odds.items()}
    lost = sum(odds.values()) / max(sum(told.values()), 1e-9)
    return {kind: p * lost for kind, p in told.items()}


def _narrowed(odds: Mapping[str, float], expect: Sequence[str]) -> dict[str, float]:
    """Give the probability of what cannot be there to what is most like it."""
    shapes: dict[str, float] = {}
    for kind, p in odds.items():
        shapes[SHAPES[kind]] = shapes.get(SHAPES[kind], 0.0) + p
    wanted = [kind for kind in FACES if kind in expect]
    told = {}
    for kind in wanted:
        alike = [k for k in wanted if SHAPES[k] == SHAPES[kind]]
        known = sum(odds[k] for k in alike)
        part = odds[kind] / known if known > 1e-6 else 1 / len(alike)
        told[kind] = shapes[SHAPES[kind]] * part
    known, every = sum(told.values()), sum(odds.values())
    if known < _FOREIGN or every == 0:
        return {kind: odds[kind] for kind in wanted}
    return {kind: p * every / known for kind, p in told.items()}


def meant_kinds(kinds: Array, expect: Sequence[str] | None) -> Array:
    """Return odds (N, len(KINDS)) of what each die is taken for where it is known what lies there.

    As in `Odds.faces`: pips that are hard to see make a d6 look like a die without any, but where
    no other cube can lie they are looked for.
    """
    if expect is None:
        return kinds
    meant = np.zeros_like(kinds)
    meant[:, _NOTHING] = kinds[:, _NOTHING]
    for own, narrow in zip(kinds, meant, strict=True):
        odds = {kind: float(own[k]) for k, kind in enumerate(KINDS) if kind != NOTHING}
        for kind, p in _narrowed(odds, expect).items():
            narrow[KINDS.index(kind)] = p
    return meant


def _as_expected(signs: Array, expect: Sequence[str]) -> Array:
    """Return what a side without a sign shows, where it can be blank or coloured only."""
    signs = signs.copy()
    if "colour" not in expect:
        signs[_BLANK] += signs[_COLOURS].sum()
    elif "piecepack" not in expect:
        signs[_COLOURS] *= 1 + signs[_BLANK] / (signs[_COLOURS].sum() + 1e-6)
    return signs


def shape_of(odds: Odds, expect: Sequence[str] | None) -> str:
    """Return the shape of what a die most likely is, if it is one; `expect` as for `Odds.faces`."""
    (meant,) = meant_kinds(odds.kinds[None], expect)
    return _SHAPES[1 + int(meant[1:].argmax())]


class DieTeller:
    """Tells kind and face of dice whose boxes are known."""

    def __init__(self) -> None:
        even, classes = partial(evened, middle=EVENED), (len(KINDS), len(SIGNS))
        self._whole = BoxNetwork("teller.onnx.gz", CROP_PX, classes, WARMTH, even)
        self.numerals, self._pips, self._plain = Numerals(), Pips(), Plain()

    def tell(
        self,
        picture: Image,
        boxes: Sequence[Box],
        expect: Sequence[str] | None = None,
        views_of: Callable[[Sequence[str]], Views] | None = None,
        lettering: Lettering | None = None,
    ) -> list[Odds]:
        """Return what each die may be.

        Parameters
        ----------
        picture : (H, W, 3) uint8 BGR.
        boxes : of the dice.
        expect : kinds of dice that can lie there; ``None`` for any. What cannot lie there is no
            reason to look again, but keeps its odds.
        views_of : given the shapes of what is in the boxes, returns how they are seen; ``None``
            where that is from above.
        lettering : what people have told of the numerals of such dice.

        Each is shown to a network, and if that is not plain, turned by each eighth too: what is
        told one way up only is told badly, and the mean says so. Pips, and small numerals, are
        looked at from nearer by networks that know nothing else, and so are tops without a sign
        where colour dice can lie.
        """
        if not boxes:
            return []
        alike = partial(surest, groups=_groups(expect), later=_LATER)
        odds = self._whole.odds(picture, boxes, [AROUND] * len(boxes), alike)
        kinds, signs = odds[:, : len(KINDS)], odds[:, len(KINDS) :]
        meant = meant_kinds(kinds, expect)
        shapes = [_SHAPES[k] for k in meant.argmax(axis=1)]
        views = views_of(shapes) if views_of else from_above(boxes)
        self.numerals.knowing(lettering).tell(picture, views.aspects, meant, signs)
        by_numeral(kinds, signs)
        self._pips.tell(picture, views.aspects, meant, signs)
        has_colours = expect is None or "colour" in expect
        if has_colours:  # else what bears no sign is a null
            self._plain.tell(picture, views.aspects[0], kinds, signs)
        if expect is None or "piecepack" in expect:  # else white is what a colour die shows
            _doubt_in_light(picture, boxes, signs, [_BLANK, *(() if has_colours else _COLOURS)])
        leans = [(float(x), float(y)) for x, y in views.aspects[0].leans_deg]
        worths = views.nothing_worths.tolist()
        told = zip(kinds, signs, views.doubts, views.aslant, leans, worths, strict=True)
        return [Odds(*each) for each in told]


def _doubt_in_light(
    picture: Image, boxes: Sequence[Box], signs: Array, blank: Sequence[int]
) -> None:
    """Make it less likely in `signs` (N, len(SIGNS)) that tops are `blank` that are washed out."""
    for k in map(int, np.flatnonzero(signs[:, blank].sum(axis=1) > _NULL_IN_LIGHT)):
        if is_washed_out(picture, boxes[k]):
            signs[k, blank] *= _NULL_IN_LIGHT


def by_numeral(kinds: Array, signs: Array) -> None:
    """Put into `kinds` (N, len(KINDS)) which of d10 and d100 dice are: their numerals tell it.

    From farther away, as a whole, they look the same.
    """
    known = kinds[:, _TENS].sum(axis=1, keepdims=True)
    seen = np.stack([signs[:, numerals].sum(axis=1) for numerals in _NUMERALS_OF_TENS], axis=1)
    told = np.sqrt(kinds[:, _TENS]) * (seen + _UNSEEN)
    kinds[:, _TENS] = known * told / np.maximum(told.sum(axis=1, keepdims=True), 1e-9)


def _groups(expect: Sequence[str] | None) -> Array:
    """Return which kinds are told apart, (groups, len(KINDS)): not those that mean the same die.

    `Odds.faces` takes all kinds of a shape for the only one of them that is expected.
    """
    shapes = [SHAPES[kind] for kind in expect or ()]
    names = [SHAPES[k] if k in SHAPES and shapes.count(SHAPES[k]) == 1 else k for k in KINDS]
    return np.array([[own == name for own in names] for name in dict.fromkeys(names)], float)


def surest(odds: Array, groups: Array, later: Sequence[int]) -> Array:
    """Return how sure the whole look is of each die (N,); signs of kinds told `later` aside.

    `odds` (N, len(KINDS) + len(SIGNS)), `groups` as `_groups` returns them.
    """
    kinds, signs = odds[:, : len(KINDS)], odds[:, len(KINDS) :]
    near = np.isin(kinds.argmax(axis=1), later)
    sure = (kinds @ groups.T).max(axis=1)
    return np.asarray(sure * np.where(near, 1.0, signs.max(axis=1)))
