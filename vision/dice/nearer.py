"""Nearer looks at dice, by networks that know one thing: numerals, pips, sides without a sign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import partial

import numpy as np

from companion.rules.layout import Die
from vision.dice.aspect import Aspect
from vision.dice.box_network import (
    DOUBTFUL,
    BoxNetwork,
    UprightNetwork,
    as_lit,
    evened,
    evened_apart,
    light_of,
)
from vision.dice.crops import (
    CLOSE_AROUND,
    CLOSE_PX,
    PIPS_AROUND,
    PIPS_PX,
    PLAIN_AROUND,
    PLAIN_PX,
    Box,
)
from vision.dice.kinds import (
    CLOSE_KINDS,
    CLOSE_SIGNS,
    KINDS,
    PIP_SIGNS,
    PLAIN_SIGNS,
    SHAPES,
    SIGNS,
    sign_of,
)
from vision.dice.lettering import Lettering
from vision.dice.tones import body_of
from vision.frame import Array, Image

CLOSE_WARMTH, PIPS_WARMTH, PLAIN_WARMTH = 0.5, 0.8, 0.7
"""Logits are divided by these: few answers with 0.9 are to be wrong. The first was chosen on drawn
pictures that the network had not seen, the second on the photographs that may be learnt from, each
set read by a network that had not seen it, the third on path-traced and virtual trays that the
network had not seen."""
_LEAST_ASKED = 0.05
"""Probability of a kind from which on its sign is looked at from nearer."""
_LEAST_LIKELY = 0.06
"""Places of tops that are less likely are not looked at again."""
_SEEN_WORTH, _LEAST_SEEN = 0.5, 0.005
"""So much it says of where the tops are that signs are seen there; each at least so likely."""
_BOTH = 0.25
"""So much the first look counts at tops without a sign; the rest the one at all its colours."""

_PIECEPACK, _COLOUR = KINDS.index("piecepack"), KINDS.index("colour")
_PLAIN_SIGNS = np.array([SIGNS.index(sign) for sign in PLAIN_SIGNS[1:]])


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


class Numerals(_Nearer):
    """Small numerals, looked at where the top sides of d8 to d20 are."""

    def __init__(self) -> None:
        super().__init__(CLOSE_KINDS, CLOSE_SIGNS)
        classes = (len(CLOSE_SIGNS),)
        self._network = BoxNetwork("close.onnx.gz", CLOSE_PX, classes, CLOSE_WARMTH, evened)
        self._lettering: Lettering | None = None

    def knowing(self, lettering: Lettering | None) -> Numerals:
        """Return the same look, held against what people have told of dice."""
        own = copy(self)
        own._lettering = lettering
        return own

    def learn(
        self, picture: Image, aspect: Aspect, dice: Sequence[Die], lettering: Lettering
    ) -> None:
        """Take into `lettering` what is seen of dice of which somebody has told what they show."""
        around = [CLOSE_AROUND[SHAPES[die.kind]] for die in dice]
        said = self._network.said(picture, aspect.tops, around)
        for die, box, own in zip(dice, aspect.boxes, said, strict=True):
            body = body_of(picture, box, SHAPES[die.kind])
            lettering.add(body, own, CLOSE_SIGNS.index(sign_of(die)))

    def _told(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        odds = self._at_tops(picture, aspects, shapes)
        if self._lettering:
            self._hold_against(self._lettering, picture, aspects[0], shapes, odds)
        return odds

    def _hold_against(
        self,
        lettering: Lettering,
        picture: Image,
        aspect: Aspect,
        shapes: Sequence[str],
        odds: Array,
    ) -> None:
        """Put into `odds` (N, signs) what people have told of such dice.

        What is plain is not looked at eight times, unless it looks like another that was told.
        """
        around = [CLOSE_AROUND[shape] for shape in shapes]
        bodies = [body_of(picture, *seen) for seen in zip(aspect.boxes, shapes, strict=True)]
        once = self._network.said(picture, aspect.tops, around, once=True)
        asked = [
            k
            for k, body in enumerate(bodies)
            if odds[k].max() < DOUBTFUL
            or lettering.is_known_as_another(body, once[k], int(odds[k].argmax()))
        ]
        if asked:
            tops, near = [aspect.tops[k] for k in asked], [around[k] for k in asked]
            said = self._network.said(picture, tops, near)
            odds[asked] = lettering.held_against(odds[asked], [bodies[k] for k in asked], said)

    def _at_tops(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        """Where dice show no sign, their tops are hardly: at the rest it is looked again."""
        around = [CLOSE_AROUND[shape] for shape in shapes]
        ps, places = np.array([one.p for one in aspects]), [one.tops for one in aspects]
        if len(aspects) > 1:
            none = self._at(self._network.glance, picture, places, around)[..., 0]
            seen = _SEEN_WORTH * np.log(np.maximum(1 - none, _LEAST_SEEN)).sum(axis=1)
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


class Pips(_Nearer):
    """Pips, counted where it is known which way up is."""

    def __init__(self) -> None:
        super().__init__(("d6",), PIP_SIGNS)
        self._network = UprightNetwork("pips.onnx.gz", PIPS_PX, PIPS_WARMTH)

    def _told(self, picture: Image, aspects: Sequence[Aspect], shapes: Sequence[str]) -> Array:
        """As they are under the likeliest camera: to mix in the others told less, no surer."""
        boxes, leans_deg = aspects[0].boxes, aspects[0].leans_deg
        return self._network.odds(picture, boxes, PIPS_AROUND, leans_deg, evened_apart)


class Plain:
    """A network that is asked about tops without a sign: by their sides it tells the kind, too."""

    def __init__(self) -> None:
        self._network = UprightNetwork("plain.onnx.gz", PLAIN_PX, PLAIN_WARMTH)

    def tell(self, picture: Image, aspect: Aspect, kinds: Array, signs: Array) -> None:
        """Put into `kinds` and `signs` what both looks say of dice without a sign on top."""
        known = kinds[:, [_PIECEPACK, _COLOUR]].sum(axis=1)
        asked = np.flatnonzero(known * signs[:, _PLAIN_SIGNS].sum(axis=1) > _LEAST_ASKED)
        if not len(asked):
            return
        dice, even = aspect.of(asked), partial(as_lit, light=light_of(picture))
        told = self._network.odds(picture, dice.boxes, PLAIN_AROUND, dice.leans_deg, even)
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
