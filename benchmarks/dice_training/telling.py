"""What the teller is trained on: crops around dice, turned and recoloured, and what they show."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.pictures import SKIPPED, STRAY, Box, Known, Labelled
from benchmarks.dice_training.recolouring import (
    dazzled,
    evened,
    recoloured,
    stored_again,
)
from companion.boards.profile import XY
from companion.rules.layout import Die
from vision.dice.box_network import EVENED, FAR_DEG
from vision.dice.crops import (
    AROUND,
    CROP_PX,
    cut_crop,
)
from vision.dice.kinds import (
    CLOSE_KINDS,
    KINDS,
    NOTHING,
    SHAPES,
    SIGNS,
    SOLIDS,
    sign_of,
)
from vision.frame import Array, Image

BATCH = 96
_ROOM = 1.45
"""Side of a stored crop in sides of a shown one: room to turn and shift it."""
NO_SIGN = -1
_BESIDE = 0.12
"""Crops of no die, for each die: beside, between, halfway off."""
_LESS_NOTHING = 0.7
"""Many dice of the drawn pictures are hidden or cut off; they are shown less often."""
_OFTEN_NOTHING = {"cast": 1.3}
"""The same of sets whose awkward dice lie as real ones do: these are shown oftener."""
_MORE_PIPS = 2.5
"""Dice with pips are what most people roll."""
_MORE_ACES = 5.0
"""Any suit may stand on an ace, and each looks like no other."""
_OFTEN_WELL, _LEAN_OFF_DEG = 0.8, (4.0, 11.0)
"""How dice lean is mostly known to the first, else to the second, each way (standard deviation)."""

SHAPE_OF = torch.tensor([SOLIDS.index(SHAPES.get(kind, SOLIDS[0])) for kind in KINDS])
"""Number of its shape, of each kind (of nothing, none)."""


class Sample(NamedTuple):
    """What a crop shows."""

    crop: Image
    kind: int
    """Class of its kind."""
    sign: int
    """Class of its sign, `NO_SIGN` for none."""
    lean_deg: XY = (0.0, 0.0)
    """How it is seen: `vision.dice.lean.LEANS_DEG`."""
    light: tuple[float, ...] = (1.0, 1.0, 1.0)
    """Of its picture (`vision.dice.box_network.light_of`), where that counts."""
    own_lean_deg: XY = (0.0, 0.0)
    """How it is seen itself, where it may be cocked and that counts."""


class Feed:
    """Draws crops, from each set as often as `shares` says; the rest from drawn pictures."""

    size_px, evened = CROP_PX, EVENED
    often_nothing: ClassVar[Mapping[str, float]] = _OFTEN_NOTHING
    mirrored: ClassVar[Sequence[str]] = (NOTHING, "d6", "colour")
    """Kinds that are as true when mirrored."""
    shift = 0.035
    """Spread of the error of a box, in sides of a crop."""
    softest = 0.36
    """Some crops are shown as if they had only this share of their pixels."""
    glossy = 0.12
    """Share of the crops that mirror a lamp, beside those whose pictures show it."""
    sent, dazzled = 0.0, 0.0
    """Shares of the crops that are stored once more, and that are in too much light."""

    def __init__(
        self, known: list[Known], shares: Mapping[str, float], rng: np.random.Generator
    ) -> None:
        sets: dict[str, list[Sample]] = {}
        for picture in known:
            sets.setdefault(picture.source, []).extend(self._samples(picture, rng))
        sets = {name: samples for name, samples in sets.items() if samples}
        given = {name: shares[name] for name in sets if name in shares}
        drawn = sum(len(s) for name, s in sets.items() if name not in shares)
        every = [s for samples in sets.values() for s in samples]
        self._crops = torch.from_numpy(np.stack([s.crop for s in every]))
        self._kinds = torch.tensor([s.kind for s in every])
        self._signs = torch.tensor([s.sign for s in every])
        self._leans_deg = torch.tensor([s.lean_deg for s in every])
        self._lights = torch.tensor([s.light for s in every])
        self._own_leans_deg = torch.tensor([s.own_lean_deg for s in every])
        rest = 1 - sum(given.values())
        weights = [
            (given[n] if n in given else rest * len(v) / drawn)
            * self._evenly(v)
            * self._often(n, v)
            for n, v in sets.items()
        ]
        self._odds = torch.from_numpy(np.concatenate(weights))
        self._is_mirrored = self._are_of(self.mirrored)
        self._plain = self._are_of(("colour",))
        print("crops", {n: len(v) for n, v in sets.items()}, flush=True)
        print(
            "kinds", dict(zip(KINDS, np.bincount(self._kinds, minlength=len(KINDS)), strict=True))
        )

    def _are_of(self, kinds: Sequence[str]) -> torch.Tensor:
        """Return which crops are of some kinds."""
        return torch.isin(self._kinds, torch.tensor([KINDS.index(kind) for kind in kinds]))

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (N, 3, 72, 72), evened, and the classes of kind and sign."""
        chosen = torch.multinomial(self._odds, size, replacement=True)
        stored = stored_again(self._crops[chosen], self.sent)
        crops = dazzled(stored.permute(0, 3, 1, 2).float() / 255, self.dazzled)
        mirrored = self._is_mirrored[chosen] & (torch.rand(size) < 0.5)
        crops = torch.where(mirrored[:, None, None, None], crops.flip(-1), crops)
        leans_deg = mirrored_leans(self._leans_deg[chosen], mirrored)
        turned, told = self._seen(crops, leans_deg)
        coloured = recoloured(turned, self._plain[chosen], self.softest, self.glossy)
        shown = self._even(coloured, told).contiguous(memory_format=torch.channels_last)
        return shown, self._kinds[chosen], self._signs[chosen]

    def _seen(
        self, crops: torch.Tensor, leans_deg: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return crops turned, shifted and scaled, and (N, M) what is told of how they are seen."""
        return self._turned(crops, any_turns(len(crops))), leans_deg[:, :0]

    def _even(self, crops: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        """Return the crops as they are shown, with a channel for each thing that is told."""
        return torch.cat([evened(crops, self.evened), as_channels(told, crops)], 1)

    def _evenly(self, samples: list[Sample]) -> Array:
        """Return how often each sample of a set is to be shown: rare kinds more often."""
        kinds = np.array([s.kind for s in samples])
        weights = np.bincount(kinds, minlength=len(KINDS))[kinds] ** -0.5
        weights[kinds == KINDS.index("d6")] *= _MORE_PIPS
        weights[np.array([s.sign for s in samples]) == SIGNS.index("ace")] *= _MORE_ACES
        return np.asarray(weights / weights.sum())

    def _often(self, name: str, samples: list[Sample]) -> Array:
        """Return how much oftener than others those of a set are shown that are nothing."""
        is_nothing = np.array([s.kind == KINDS.index(NOTHING) for s in samples])
        return np.where(is_nothing, self.often_nothing.get(name, _LESS_NOTHING), 1.0)

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        image = picture.read()
        found = []
        boxes = [die.box for die in picture.dice]
        for die in picture.dice:
            if die.kind == SKIPPED or not die.is_whole or self._is_unsure(die):
                continue
            kind, sign = NOTHING if die.kind == STRAY else die.kind, NO_SIGN
            if kind != NOTHING and not self._is_hard(die):
                sign = SIGNS.index(sign_of(Die(die.kind, die.face)))
            room = self._room(image, die.box, kind)
            found.append(Sample(room, KINDS.index(kind), sign, die.leans_deg))
            if rng.random() < _BESIDE:
                beside = _beside(die.box, boxes, rng)
                if beside is not None:
                    room = self._room(image, beside, NOTHING)
                    found.append(Sample(room, KINDS.index(NOTHING), NO_SIGN, die.leans_deg))
        return found

    def _is_hard(self, die: Labelled) -> bool:
        """Tell whether a die is seen so that its sign is not to be told."""
        return False

    def _is_unsure(self, die: Labelled) -> bool:
        """Tell whether a die is neither plain nor hard."""
        return False

    def _around(self, kind: str) -> float:
        """Return how much is shown of a die of a kind, in sides of its box."""
        return AROUND

    def _room(self, image: Image, box: Box, kind: str) -> Image:
        return cut_crop(image, box, round(_ROOM * self.size_px), _ROOM * self._around(kind))

    def _turned(self, crops: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
        """Turn each crop (radians, against the clock), shift and scale it a little, cut its middle.

        A turned die is as true as the first; a mirrored one only if it has pips or colours.
        """
        count = len(crops)
        scale = torch.exp(0.08 * torch.randn(count)) / _ROOM
        stretch = torch.exp(0.05 * torch.randn(count))
        cos, sin = torch.cos(turn) * scale, torch.sin(turn) * scale
        shift = self.shift * torch.randn(count, 2)
        how = torch.stack(
            [
                torch.stack([cos * stretch, -sin, shift[:, 0]], 1),
                torch.stack([sin * stretch, cos, shift[:, 1]], 1),
            ],
            1,
        )
        grid = F.affine_grid(how, [count, 3, self.size_px, self.size_px], align_corners=False)
        return F.grid_sample(crops, grid, padding_mode="border", align_corners=False)


def any_turns(count: int) -> torch.Tensor:
    """Return angles, radians."""
    return (torch.rand(count) * 2 - 1) * math.pi


def roughly(leans_deg: torch.Tensor) -> torch.Tensor:
    """Return leans (N, 2) as they are known where a picture is read: most of them well."""
    count = len(leans_deg)
    off_deg = torch.where(torch.rand(count, 1) < _OFTEN_WELL, *_LEAN_OFF_DEG)
    return leans_deg + off_deg * torch.randn(count, 2)


def upward(leans_deg: torch.Tensor) -> torch.Tensor:
    """Return the angles by which crops are to be turned for up to be up, given leans (N, 2)."""
    return torch.atan2(leans_deg[:, 1], leans_deg[:, 0]) + math.pi / 2


def far_aside(leans_deg: torch.Tensor) -> torch.Tensor:
    """Return how far aside dice with leans (N, 2) are seen as networks are told it, (N, 1)."""
    return leans_deg.norm(dim=1, keepdim=True) / FAR_DEG


def as_channels(told: torch.Tensor, crops: torch.Tensor) -> torch.Tensor:
    """Return numbers (N, M) that are told of crops as channels (N, M, H, W) like theirs."""
    return told[:, :, None, None].expand(-1, -1, *crops.shape[2:])


def mirrored_leans(leans_deg: torch.Tensor, is_mirrored: torch.Tensor) -> torch.Tensor:
    """Return leans (N, 2) of crops of which some are mirrored, left for right."""
    x, y = leans_deg.T
    return torch.stack([torch.where(is_mirrored, -x, x), y], 1)


def _beside(box: Box, boxes: list[Box], rng: np.random.Generator) -> Box | None:
    """Return a box that fits no die: shifted, or around two that touch."""
    x, y, w, h = box
    side = max(w, h)
    if rng.random() < 0.4:
        for a, b, c, d in boxes:
            apart = math.hypot(a + c / 2 - x - w / 2, b + d / 2 - y - h / 2)
            if 0.5 * side < apart < 1.3 * side:
                low, high = np.minimum([x, y], [a, b]), np.maximum([x + w, y + h], [a + c, b + d])
                return (*low, *(high - low))
    way, far = rng.uniform(0, 2 * math.pi), rng.uniform(0.55, 1.6) * side
    at = (x + far * math.cos(way), y + far * math.sin(way))
    gaps = [math.hypot(at[0] - a, at[1] - b) / side for a, b, *_ in boxes]
    size = float(rng.uniform(0.7, 1.2))
    return (*at, w * size, h * size) if min(gaps) > 0.5 else None


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the cross entropies of kind and sign, the latter where there is a sign."""
    crops, kinds, signs = batch
    return _missed(net(crops).float(), kinds, signs)


def _missed(told: torch.Tensor, kinds: torch.Tensor, signs: torch.Tensor) -> torch.Tensor:
    kind, sign = told[:, : len(KINDS)], told[:, len(KINDS) :]
    answer = F.cross_entropy(kind, kinds, label_smoothing=0.01)
    worth = _WORTH[kinds]
    missed = F.cross_entropy(
        sign, signs, ignore_index=NO_SIGN, label_smoothing=0.01, reduction="none"
    )
    return answer + (missed * worth).sum() / worth.sum().clamp(min=1)


def loss_beside(
    before: torch.nn.Module,
    net: torch.nn.Module,
    batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor],
) -> torch.Tensor:
    """Return `loss`, and how far `net` strays from what was told before of all but aces.

    Trained on without that, a teller forgets a little of what the pictures at hand show too seldom:
    a d20 with a small number was taken for a cannonball.
    """
    crops, kinds, signs = batch
    with torch.no_grad():
        once = before(crops).float()
    told, is_other = net(crops).float(), signs != SIGNS.index("ace")
    heads = (slice(None, len(KINDS)), slice(len(KINDS), None))
    strayed = [_strayed(told[:, head], once[:, head])[is_other].mean() for head in heads]
    return _missed(told, kinds, signs) + _STRAYED * torch.stack(strayed).sum()


def _strayed(told: torch.Tensor, once: torch.Tensor) -> torch.Tensor:
    """Return the divergence (N,) of probabilities from what they were, both as logits."""
    apart = once.log_softmax(1) - told.log_softmax(1)
    return (once.softmax(1) * apart).sum(1)


_STRAYED = 3.0
"""How much it counts to stray from what was told before."""
_WORTH = torch.tensor(
    [
        0.0 if kind in (NOTHING, *CLOSE_KINDS) else 0.3 if SHAPES[kind] == "tetrahedron" else 1.0
        for kind in KINDS
    ]
)
"""How much the sign of a kind counts: small numerals are left to the networks that come closer."""
