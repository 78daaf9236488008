"""What the networks that look nearer are trained on: numerals, pips, sides without a sign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.pictures import Known, Labelled
from benchmarks.dice_training.recolouring import (
    SHARPNESSES,
    evened,
    recoloured,
    relit,
    softened,
    with_gloss,
)
from benchmarks.dice_training.telling import (
    NO_SIGN,
    Feed,
    Sample,
    as_channels,
    far_aside,
    mirrored_leans,
    roughly,
    upward,
)
from benchmarks.dice_training.tetrahedra import stored
from vision.dice.box_network import DARK, EVENED, LIT, light_of
from vision.dice.crops import (
    CLOSE_AROUND,
    CLOSE_PX,
    PIPS_AROUND,
    PIPS_PX,
    PLAIN_AROUND,
    PLAIN_PX,
)
from vision.dice.kinds import (
    CLOSE_KINDS,
    CLOSE_SIGNS,
    COLOURS,
    KINDS,
    NOTHING,
    PIP_SIGNS,
    PLAIN_SIGNS,
    SHAPES,
    SIGNS,
)
from vision.frame import Array, Image

_LEAN_DEG = {"icosahedron": (17.0, 24.0), "dodecahedron": (27.0, 37.0), "octahedron": (30.0, 41.0)}
"""Up to the first the numeral on top is told. Seen from farther beside than the second it is not:
the next side is as plain. In between nothing is learnt."""
_NUMERALS_TOO = ("d6_numeral", "d4_barrel")
"""Kinds that `close` is never asked about, but whose photographs show it numerals on top."""
_CLOSE_NOTHING, _PIPS_NOTHING = 0.2, 0.5
"""Share of the crops without a sign that the networks for numerals and for pips are shown; of dice
with other signs the latter is shown fewer."""
_PLAIN_NOTHING = 0.06
"""Share of the dice with a sign, other than piecepack dice, that `PlainFeed` shows."""
_PLAIN_OFTEN = np.array([1.5, 3.0, *[1.0] * len(COLOURS)])
"""How often it shows each of `PLAIN_SIGNS`."""


class CloseFeed(Feed):
    """Draws close crops of the dice that have a sign on their top side, and of what has none."""

    size_px, evened = CLOSE_PX, 1.0
    often_nothing: ClassVar[Mapping[str, float]] = {}
    shift = 0.06
    softest = 0.55

    def _is_hard(self, die: Labelled) -> bool:
        return die.lean_deg > _LEAN_DEG.get(SHAPES[die.kind], (90.0, 90.0))[1]

    def _is_unsure(self, die: Labelled) -> bool:
        """Tell the same, or whether a die may show a plain numeral though it cannot be told."""
        least, most = _LEAN_DEG.get(SHAPES.get(die.kind, ""), (90.0, 90.0))
        return die.is_hidden or least < die.lean_deg <= most

    def _around(self, kind: str) -> float:
        return CLOSE_AROUND.get(SHAPES.get(kind, ""), CLOSE_AROUND["octahedron"])

    def _evenly(self, samples: list[Sample]) -> Array:
        """Return the same for signs: the larger numbers are on few dice."""
        signs = np.array([s.sign for s in samples])
        weights = np.bincount(signs, minlength=len(CLOSE_SIGNS))[signs] ** -0.5
        return np.asarray(weights / weights.sum())

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        close = [KINDS.index(kind) for kind in (*CLOSE_KINDS, *_NUMERALS_TOO)]
        found = []
        for s in super()._samples(picture, rng):
            if s.kind in close and s.sign != NO_SIGN:
                found.append(s._replace(sign=CLOSE_SIGNS.index(SIGNS[s.sign])))
            elif s.kind in close or rng.random() < _CLOSE_NOTHING:
                found.append(s._replace(sign=0))
        return found


class PipsFeed(Feed):
    """Draws crops of dice with pips, and of some other things."""

    size_px, evened = PIPS_PX, EVENED
    often_nothing: ClassVar[Mapping[str, float]] = {}
    softest = 0.42
    glossy = 0.3
    sent, dazzled = 0.3, 0.12

    def _seen(
        self, crops: torch.Tensor, leans_deg: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the same; up is up, as far as is known: what is known of leans is a little off."""
        leans_deg = roughly(leans_deg)
        return self._turned(crops, upward(leans_deg)), far_aside(leans_deg)

    def _even(self, crops: torch.Tensor, told: torch.Tensor) -> torch.Tensor:
        """Return the crops evened, their colours without light and dark, and leans: 7 channels."""
        colour = crops - crops.mean(1, keepdim=True)
        shown = evened(crops, self.evened), evened(colour, self.evened), as_channels(told, crops)
        return torch.cat(shown, 1)

    def _is_unsure(self, die: Labelled) -> bool:
        """Tell whether a die may show plain pips though it cannot be told: that is no reason."""
        return die.is_hidden

    def _around(self, kind: str) -> float:
        return PIPS_AROUND

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        found = []
        for s in super()._samples(picture, rng):
            if s.kind == KINDS.index("d6"):
                found.append(s._replace(sign=PIP_SIGNS.index(SIGNS[s.sign])))
            elif rng.random() < (_CLOSE_NOTHING if s.kind else _PIPS_NOTHING):
                found.append(s._replace(kind=KINDS.index(NOTHING), sign=0))
        return found


class PlainFeed(Feed):
    """Draws crops of dice without a sign on top, and of some that have one; all keep colours."""

    size_px = PLAIN_PX
    softest = 0.5
    glossy = 0.06

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return crops (N, 7, 48, 48) with up upward, as lit and held against the light."""
        chosen = torch.multinomial(self._odds, size, replacement=True)
        crops = self._crops[chosen].permute(0, 3, 1, 2).float() / 255
        mirrored = (self._signs[chosen] > 0) & (torch.rand(size) < 0.5)
        crops = torch.where(mirrored[:, None, None, None], crops.flip(-1), crops)
        leans_deg = roughly(mirrored_leans(self._leans_deg[chosen], mirrored))
        turned = self._turned(crops, upward(leans_deg))
        lit, lights = relit(turned, self._lights[chosen])
        shone = with_gloss(lit, self.glossy)
        parts = shone.split(-(-size // SHARPNESSES))
        soft = torch.cat([softened(part, self.softest) for part in parts])
        seen = (soft + torch.rand(size, 1, 1, 1) * 0.04 * torch.randn(soft.shape)).clamp(0, 1)
        against = torch.log((seen + DARK) / (lights[..., None, None] + DARK))
        shown = torch.cat([(seen - 0.5) * LIT, against, as_channels(far_aside(leans_deg), seen)], 1)
        shown = shown.contiguous(memory_format=torch.channels_last)
        return shown, self._kinds[chosen], self._signs[chosen]

    def _around(self, kind: str) -> float:
        return PLAIN_AROUND

    def _evenly(self, samples: list[Sample]) -> Array:
        """Return weights by which nulls come as often as three colours together."""
        signs = np.array([s.sign for s in samples])
        counts = np.bincount(signs, minlength=len(PLAIN_SIGNS))
        return np.asarray((_PLAIN_OFTEN / counts.clip(1))[signs])

    def _samples(self, picture: Known, rng: np.random.Generator) -> list[Sample]:
        found, light = [], tuple(light_of(picture.read()).tolist())
        for s in super()._samples(picture, rng):
            if s.sign == NO_SIGN:
                continue
            if SIGNS[s.sign] in PLAIN_SIGNS:
                found.append(s._replace(sign=PLAIN_SIGNS.index(SIGNS[s.sign]), light=light))
            elif s.kind == KINDS.index("piecepack") or rng.random() < _PLAIN_NOTHING:
                found.append(s._replace(sign=0, light=light))
        return found


class SidesFeed:
    """Draws sides of tetrahedra as they look from places that are a little off."""

    def __init__(self, path: Path) -> None:
        self._dice = [die for file in sorted(path.glob("*.npz")) for die in stored(file)]
        self._rng = np.random.default_rng(int(torch.randint(1 << 30, (1,))))

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return views (N, 3, 28, 28), evened, nothing, and their classes."""
        seen: list[tuple[Image, int]] = []
        while len(seen) < size:
            seen += self._dice[int(self._rng.integers(len(self._dice)))].views(self._rng)
        views = torch.from_numpy(np.stack([view for view, _ in seen[:size]]))
        labels = torch.tensor([label for _, label in seen[:size]])
        return _as_shown(views.permute(0, 3, 1, 2).float() / 255), labels, labels


def _as_shown(views: torch.Tensor) -> torch.Tensor:
    plain = torch.zeros(len(views), dtype=torch.bool)
    return evened(recoloured(views, plain, Feed.softest, Feed.glossy), 1.0)


def loss(
    net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor, torch.Tensor]
) -> torch.Tensor:
    """Return the cross entropy of the sign on a close crop."""
    crops, _, signs = batch
    return F.cross_entropy(net(crops).float(), signs, label_smoothing=0.01)
