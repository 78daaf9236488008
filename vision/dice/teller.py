"""What one die shows: small networks, run by OpenCV. Safe between threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from companion.boards.profile import XY
from companion.rules.layout import Die
from vision.dice.box_network import EVENED, BoxNetwork, UprightNetwork, as_lit, evened
from vision.dice.crops import (
    AROUND,
    CLOSE_AROUND,
    CLOSE_PX,
    CROP_PX,
    PIPS_AROUND,
    PIPS_PX,
    PLAIN_AROUND,
    PLAIN_PX,
    Box,
)
from vision.dice.kinds import (
    CLOSE_KINDS,
    CLOSE_SIGNS,
    COLOURS,
    FACES,
    KINDS,
    NOTHING,
    PIP_SIGNS,
    PLAIN_SIGNS,
    SHAPES,
    SIGNS,
    sign_of,
)
from vision.frame import Array, Image

WARMTH, CLOSE_WARMTH, PIPS_WARMTH, PLAIN_WARMTH = 0.7, 0.5, 0.85, 0.7
"""Logits are divided by these: few answers with 0.9 are to be wrong. The first two were chosen on
drawn pictures that the networks had not seen, the third on the photographs that may be learnt from,
each set read by a network that had not seen it, the fourth on path-traced and virtual trays
that the network had not seen."""
_FOREIGN = 0.1
"""A die is of no expected kind if all of them (with their like) have less than this together."""
_LEAST_TOLD = 0.005
"""Probabilities below are left out."""

_LEAST_ASKED = 0.05
"""Probability of a kind from which on its sign is looked at from nearer."""
_LEAST_LIKELY = 0.06
"""Places of tops that are less likely are not looked at again."""
_SEEN_WORTH = 0.5
"""So much it says of where the tops are that signs are seen there."""
_BOTH = 0.5
"""Tops without a sign are told by both looks alike."""

_LATER = [
    KINDS.index(kind)
    for kind, shape in SHAPES.items()
    if kind in ("d6", *CLOSE_KINDS) or shape == "tetrahedron"
]
"""Signs of these are told by a nearer look, of tetrahedra by `vision.dice.sail`."""
_SHAPES = [SHAPES.get(kind, "") for kind in KINDS]
"""Of nothing, none."""
_CLOSE_SIGNS = np.array([SIGNS.index(sign) for sign in CLOSE_SIGNS[1:]])
_NOTHING = KINDS.index(NOTHING)
_PIECEPACK, _COLOUR = KINDS.index("piecepack"), KINDS.index("colour")
_PLAIN_SIGNS = np.array([SIGNS.index(sign) for sign in PLAIN_SIGNS[1:]])
_BLANK, _COLOURS = SIGNS.index("blank"), [SIGNS.index(colour) for colour in COLOURS]
_SIGN_OF = {(k, f): SIGNS.index(sign_of(Die(k, f))) for k, faces in FACES.items() for f in faces}


@dataclass(frozen=True, eq=False)
class Aspect:
    """How dice are seen under one of the cameras there may be."""

    p: float
    """How likely that camera is."""
    boxes: Sequence[Box]
    """Around each die."""
    tops: Sequence[Box]
    """The same, moved so that their middles are those of the top sides."""
    leans_deg: Array
    """Shape (N, 2), see `vision.dice.lean.LEANS_DEG`."""

    def of(self, some: Array) -> Aspect:
        """Return the same of some of the dice."""
        boxes, tops = ([them[int(n)] for n in some] for them in (self.boxes, self.tops))
        return Aspect(self.p, boxes, tops, self.leans_deg[some])


@dataclass(frozen=True, eq=False)
class Views:
    """How dice are seen, as far as is known."""

    aspects: Sequence[Aspect]
    """Under the cameras there may be, the likeliest first; at least one."""
    doubts: Array
    """Shape (N,): how much weighs that each seems not to lie flat, whole and alone, against that it
    does; 0 where nothing says so."""
    aslant: Sequence[bool]
    """Of which another side is nearer to the middle than the one on top."""


@dataclass(frozen=True, eq=False)
class Odds:
    """What a die may be: probabilities of its kind and, apart from that, of its sign."""

    kinds: Array
    """Shape (len(KINDS),)."""
    signs: Array
    """Shape (len(SIGNS),)."""
    doubt: float = 0.0
    """Of `Views.doubts`, and in a tray that was seen empty of the die's outline."""
    is_aslant: bool = False
    """As `Views.aslant`."""
    lean_deg: XY = (0.0, 0.0)
    """How it is seen under the likeliest camera, `vision.dice.lean.LEANS_DEG`."""

    def faces(self, expect: Sequence[str] | None = None) -> Mapping[Die, float]:
        """Return the probability of each face; they sum to less than 1 where it cannot be told.

        Parameters
        ----------
        expect : kinds that can lie there; ``None`` for any. A die of another kind but the same
            shape is then taken for the expected one: a cannonball is told as a ``d20`` if only
            that is expected.
        """
        odds = {kind: float(self.kinds[k]) for k, kind in enumerate(KINDS) if kind != NOTHING}
        if expect is not None:
            odds = _narrowed(odds, expect)
        signs = self.signs if expect is None else _as_expected(self.signs, expect)
        both = {
            Die(kind, face): p * float(signs[_SIGN_OF[kind, face]])
            for kind, p in odds.items()
            for face in FACES[kind]
        }
        known, fitting = sum(odds.values()), sum(both.values())
        # Kind and sign must fit together; what does not is ruled out, up to half of all.
        share = max(fitting / known, 0.5) if known else 1.0
        share *= 1 + self.doubt
        return {die: p / share for die, p in both.items() if p / share >= _LEAST_TOLD}


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


def from_above(boxes: Sequence[Box]) -> Views:
    """Return how dice are seen from straight above."""
    count = len(boxes)
    above = Aspect(1.0, boxes, boxes, np.zeros((count, 2)))
    return Views((above,), np.zeros(count), [False] * count)


class DieTeller:
    """Tells kind and face of dice whose boxes are known."""

    def __init__(self) -> None:
        even, classes = partial(evened, middle=EVENED), (len(KINDS), len(SIGNS))
        self._whole = BoxNetwork("teller.onnx", CROP_PX, classes, WARMTH, even)
        plain = BoxNetwork("plain.onnx", PLAIN_PX, (len(PLAIN_SIGNS),), PLAIN_WARMTH, as_lit)
        self._numerals, self._pips, self._plain = _Numerals(), _Pips(), _Plain(plain)

    def tell(
        self,
        picture: Image,
        boxes: Sequence[Box],
        expect: Sequence[str] | None = None,
        views_of: Callable[[Sequence[str]], Views] | None = None,
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
        self._numerals.tell(picture, views.aspects, meant, signs)
        self._pips.tell(picture, views.aspects, meant, signs)
        if expect is None or "colour" in expect:  # else what bears no sign is a null
            self._plain.tell(picture, boxes, kinds, signs)
        leans = [(float(x), float(y)) for x, y in views.aspects[0].leans_deg]
        told = zip(kinds, signs, views.doubts.tolist(), views.aslant, leans, strict=True)
        return [Odds(*each) for each in told]


class _Nearer:
    """A nearer look at the signs of some kinds only."""

    def __init__(self, kinds: Sequence[str], signs: Sequence[str]) -> None:
        self._kinds = [KINDS.index(kind) for kind in kinds]
        self._signs = np.array([SIGNS.index(sign) for sign in signs[1:]])

    def tell(self, picture: Image, aspects: Sequence[Aspect], kinds: Array, signs: Array) -> None:
        """Put into `signs` what those dice show that may be of its kinds."""
        known = kinds[:, self._kinds].sum(axis=1)
        asked = np.flatnonzero(known > _LEAST_ASKED)
        if not len(asked):
            return
        likely = np.take(self._kinds, kinds[asked][:, self._kinds].argmax(axis=1))
        shapes = [SHAPES[KINDS[k]] for k in likely]
        told = self._told(picture, [aspect.of(asked) for aspect in aspects], shapes)[:, 1:]
        share = (known[asked] / kinds[asked, 1:].sum(axis=1))[:, None]
        signs[asked] *= 1 - share
        signs[np.ix_(asked, self._signs)] += share * told

    def _told(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        """Return odds (N, signs), the first of none."""
        raise NotImplementedError


class _Numerals(_Nearer):
    """Small numerals, looked at where the top sides of d8 to d20 are."""

    def __init__(self) -> None:
        super().__init__(CLOSE_KINDS, CLOSE_SIGNS)
        classes = (len(CLOSE_SIGNS),)
        self._network = BoxNetwork("close.onnx", CLOSE_PX, classes, CLOSE_WARMTH, evened)

    def _told(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        """Where dice show no sign, their tops are hardly: at the rest it is looked again."""
        around = [CLOSE_AROUND[shape] for shape in shapes]
        ps, places = np.array([one.p for one in aspects]), [one.tops for one in aspects]
        if len(aspects) > 1:
            none = self._at(self._network.glance, picture, places, around)[..., 0]
            seen = _SEEN_WORTH * np.log(np.maximum(1 - none, _LEAST_TOLD)).sum(axis=1)
            ps *= np.exp(seen - seen.max())
            kept = np.flatnonzero(ps > _LEAST_LIKELY * ps.sum())
            ps, places = ps[kept], [places[k] for k in kept]
        odds = self._at(self._network.odds, picture, places, around)
        return np.asarray(np.einsum("t,tns->ns", ps / ps.sum(), odds))

    def _at(
        self,
        look: Callable[[Image, Sequence[Box], Sequence[float]], Array],
        picture: Image,
        places: Sequence[Sequence[Box]],
        around: Sequence[float],
    ) -> Array:
        """Return odds (places, N, signs); all are looked at together, which is faster."""
        every = [box for boxes in places for box in boxes]
        told = look(picture, every, [*around] * len(places))
        return told.reshape(len(places), len(around), -1)


class _Pips(_Nearer):
    """Pips, counted where it is known which way up is."""

    def __init__(self) -> None:
        super().__init__(("d6",), PIP_SIGNS)
        self._network = UprightNetwork("pips.onnx", PIPS_PX, PIPS_WARMTH)

    def _told(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        """As they are under the likeliest camera: to mix in the others told less, no surer."""
        around, likeliest = [PIPS_AROUND] * len(shapes), aspects[0]
        return self._network.odds(picture, likeliest.boxes, around, likeliest.leans_deg)


class _Plain:
    """A network that is asked about tops without a sign: by their sides it tells the kind, too."""

    def __init__(self, network: BoxNetwork) -> None:
        self._network = network

    def tell(self, picture: Image, boxes: Sequence[Box], kinds: Array, signs: Array) -> None:
        """Put into `kinds` and `signs` what both looks say of dice without a sign on top."""
        known = kinds[:, [_PIECEPACK, _COLOUR]].sum(axis=1)
        asked = np.flatnonzero(known * signs[:, _PLAIN_SIGNS].sum(axis=1) > _LEAST_ASKED)
        if not len(asked):
            return
        around = [PLAIN_AROUND] * len(asked)
        told = self._network.odds(picture, [boxes[int(n)] for n in asked], around)
        share = (known[asked] / kinds[asked, 1:].sum(axis=1))[:, None]
        signed = signs[asked]
        signed[:, _PLAIN_SIGNS] = 0
        # A sign or a blank side is on a piecepack die, a colour on a colour die.
        before = np.insert(signs[np.ix_(asked, _PLAIN_SIGNS)], 0, signed.sum(axis=1), axis=1)
        before[:, :2] *= kinds[asked, _PIECEPACK, None]
        before[:, 2:] *= kinds[asked, _COLOUR, None]
        both = np.sqrt(before) ** _BOTH * told ** (1 - _BOTH)  # one look has told kind and sign
        both /= np.maximum(both.sum(axis=1, keepdims=True), 1e-9)
        # The sign says which kind it is; that is not to count twice.
        kinds[asked, _COLOUR] = known[asked] * (1 - both[:, 0]) / 2
        kinds[asked, _PIECEPACK] = known[asked] * (1 + both[:, 0]) / 2
        signs[asked] *= 1 - share
        signs[asked] += share * both[:, :1] * signed / np.maximum(signed.sum(1)[:, None], 1e-9)
        signs[np.ix_(asked, _PLAIN_SIGNS)] += share * both[:, 1:]


def _groups(expect: Sequence[str] | None) -> Array:
    """Return which kinds are told apart, (groups, len(KINDS)): not those that mean the same die.

    `Odds.faces` takes all kinds of a shape for the only one of them that is expected.
    """
    shapes = [SHAPES[kind] for kind in expect or ()]
    names = [SHAPES[k] if k in SHAPES and shapes.count(SHAPES[k]) == 1 else k for k in KINDS]
    return np.array([[own == name for own in names] for name in dict.fromkeys(names)], float)


def surest(odds: Array, groups: Array, later: Sequence[int]) -> Array:
    """Return how sure the whole look is of each die; signs of kinds told `later` aside."""
    kinds, signs = odds[:, : len(KINDS)], odds[:, len(KINDS) :]
    near = np.isin(kinds.argmax(axis=1), later)
    sure = (kinds @ groups.T).max(axis=1)
    return np.asarray(sure * np.where(near, 1.0, signs.max(axis=1)))
