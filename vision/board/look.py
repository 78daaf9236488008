"""A taught look: the very tones of the ships on this table, learnt from a few labelled pictures.

The net knows what red ships look like everywhere; a look knows this red. It only weighs colours
against one another where a ship is seen anyway, and never makes or unmakes a ship.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.errors import NotCalibrated
from companion.files import UNREAD, why_unread
from vision.board.sets import PieceSet
from vision.frame import Array

CHANGED = 0.08
"""Paint values by which a pixel must differ from the empty cell to belong to a ship."""

LEAST_PIXELS = 25
"""Fewer changed pixels tell no tone."""

SPREAD_FLOOR = 0.05
"""Light and shade move a tone by so much even if few samples show it."""

WORST = 6.0
"""A tone that does not fit at all costs so much log-odds: the net is not overruled blindly."""

VERSION = 1


@dataclass(frozen=True, eq=False)
class Look:
    """Tones by ship colour; colours that were not taught are left to the net."""

    tones: Mapping[str, Array]
    """Gamma-coded paint, shape (2, 3): mean and spread of blue, green, red."""

    def weigh(self, out: Array, pieces: PieceSet, seen: Array, empty: Array) -> Array:
        """Return a net's answers, shape (cells, outputs), with ill-fitting tones made less likely.

        Raises `NotCalibrated` if tones were taught that this set of pieces does not have.
        """
        strange = self.tones.keys() - set(pieces.names)
        if strange:
            raise NotCalibrated(f"the look knows {min(strange)!r}, which is no ship of this board")
        weighed = out.copy()
        scores = weighed[:, pieces.columns]
        for k in np.flatnonzero(pieces.holds_ship(out)):
            tone = hull_tone(seen[k], empty[k])
            if tone is None:
                continue
            fits = {name: _misfit(tone, known) for name, known in self.tones.items()}
            best = min(fits.values(), default=0.0)
            for name, misfit in fits.items():
                scores[k, pieces.names.index(name)] -= min(WORST, misfit - best)
        return weighed

    def to_json(self) -> dict[str, object]:
        """Return the look as JSON values."""
        return {
            "version": VERSION,
            "ships": {
                name: {"mean": known[0].tolist(), "spread": known[1].tolist()}
                for name, known in sorted(self.tones.items())
            },
        }


def learn_look(samples: Mapping[str, Sequence[Array]]) -> Look:
    """Make a look of hull tones, each of shape (3,), by ship colour."""
    tones = {}
    for name, seen in samples.items():
        if seen:
            stacked = np.array(seen)
            spread = np.maximum(stacked.std(axis=0), SPREAD_FLOOR)
            tones[name] = np.stack([stacked.mean(axis=0), spread])
    return Look(tones)


def hull_tone(seen: Array, empty: Array) -> Array | None:
    """Return the tone, shape (3,), of what lies on a cell; ``None`` if too little does.

    Both arrays of shape (SIDE, SIDE, 3), gamma-coded.
    """
    changed = np.abs(seen - empty).max(axis=-1) > CHANGED
    inner = changed[8:-8, 8:-8]
    if np.count_nonzero(inner) < LEAST_PIXELS:
        return None
    return np.asarray(np.median(seen[8:-8, 8:-8][inner], axis=0))


def load_look(path: Path) -> Look:
    """Read a look that was saved as JSON. Raises `NotCalibrated`."""
    try:
        data = json.loads(path.read_text("utf-8"))
        if data["version"] != VERSION:
            raise NotCalibrated(f"the look {str(path)!r} was made by another version; teach again")
        tones = {n: np.array([t["mean"], t["spread"]], float) for n, t in data["ships"].items()}
    except UNREAD as error:
        raise NotCalibrated(
            f"the look {str(path)!r} cannot be read: {why_unread(error)}"
        ) from error
    if not all(tone.shape == (2, 3) and np.isfinite(tone).all() for tone in tones.values()):
        raise NotCalibrated(f"the look {str(path)!r} has tones that are none")
    return Look(tones)


def _misfit(tone: Array, known: Array) -> float:
    return float(0.5 * (((tone - known[0]) / known[1]) ** 2).sum())
