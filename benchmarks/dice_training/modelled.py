"""Dice that others have modelled (`themes`), thrown and photographed ray by ray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path

import mitsuba as mi
import numpy as np

from benchmarks.dice_training.falling import Thing, Throw, settled_apart
from benchmarks.dice_training.rays import Made, mesh_from, surface
from benchmarks.dice_training.themes import THEMES, Model, moved_by, read_model, skin_of
from vision.frame import Array

_LIKE_ONE = 0.5
"""Share of throws all of whose dice are of one theme."""
_MOST = 6


class Models:
    """The dice of a folder of themes."""

    def __init__(self, folder: Path, kinds: Sequence[str], within_mm: Array) -> None:
        self._folder, self._kinds, self._within_mm = folder, list(kinds), within_mm
        self._model = cache(partial(read_model, folder))

    def thrown(self, rng: np.random.Generator, walls: tuple[Thing, ...]) -> tuple[Throw, Made]:
        """Return one to six dice that fell into a tray; those of a kind are of one theme."""
        same = str(rng.choice(THEMES)) if rng.random() < _LIKE_ONE else None
        wanted = [str(kind) for kind in rng.choice(self._kinds, int(rng.integers(1, _MOST + 1)))]
        themes = {kind: same or str(rng.choice(THEMES)) for kind in dict.fromkeys(wanted)}
        models = {kind: self._model(theme, kind) for kind, theme in themes.items()}
        solids = [models[kind].solid for kind in wanted]
        throw = settled_apart(solids, self._within_mm, rng, walls)
        return throw, partial(self._made, throw, themes, models)

    def _made(
        self,
        throw: Throw,
        themes: Mapping[str, str],
        models: Mapping[str, Model],
        rng: np.random.Generator,
    ) -> list[tuple[mi.Mesh, Array]]:
        """Return dice of which each kind has a theme and a model; those of a theme are alike."""
        skins = {theme: skin_of(self._folder / theme, rng) for theme in themes.values()}
        made = []
        for fallen in throw.dice:
            theme, model = themes[fallen.solid.kind], models[fallen.solid.kind]
            turn, shift = moved_by(model.solid, fallen.solid)
            corners, normals = model.corners @ turn.T + shift, model.normals @ turn.T
            bsdf = surface(skins[theme], rng, 0.55)
            made.append((mesh_from(corners, normals, model.places, bsdf), corners.reshape(-1, 3)))
        return made
