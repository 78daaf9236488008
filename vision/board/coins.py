"""Piecepack coins and pawns: what the net's answers mean."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from companion.table.observation import CellReading, Ships
from vision.board.net import listed
from vision.frame import Array

SUITS = ("suns", "crowns", "moons", "arms")
"""Order of the net's outputs 1 to 4; output 0 is "no coin", 5 a coin whose value is up (a wreck).
These six are unnormalised log-probabilities."""

PACK, TREASURE = 6, 7
"""Outputs: log-odds that a coin is of the second pack, and that a pawn stands there."""

SPAN = 1.25
"""Width of a cut-out in pitches of the grid: stacks lean into the neighbours' cells."""

NO_LANDING = 1e-4
"""Weight of a coin on land: no rule lets a ship lie there."""

NO_CARRIER = 0.02
"""Weight of a treasure that stands neither on a ship nor on land."""

NO_TREASURE = 0.1
"""Weight of a board without any treasure: it is in play but for a moment in a hand."""

DOUBT = 0.1
"""A cross that is printed once may pass for a pawn; only the empty board can tell for certain."""


class CoinSet:
    """Coins of four suits, of one pack or two, wrecks, and the treasure."""

    weights = "coins.onnx"
    outputs = 9
    """Those above and, last, the log-odds that an arm hides part of the cell."""
    span = SPAN
    lean_mm = 3.0
    """Cut-outs follow the upper side of a coin as it leans away from the camera."""
    names = SUITS
    columns = slice(1, 5)

    def holds_ship(self, out: Array) -> Array:
        """Return for which cells, shape (cells,), a suit is likelier than none."""
        return np.asarray(np.isin(out[:, :6].argmax(axis=1), (1, 2, 3, 4)))

    def read(
        self, out: Array, profile: BoardProfile, unknown: Collection[Cell]
    ) -> dict[Cell, CellReading]:
        """Return what each cell holds; one of `unknown` print is left out when in doubt.

        `out` (cells, outputs) as for `PieceSet.read`. A coin that lies on another hides it: stacks
        are read as one ship, and a wreck under its captor is not seen.
        """
        fleets = profile.pieces.fleets
        most = sum(mark.kind == "treasure" for mark in profile.marks)
        treasures = at_most(out[:, TREASURE], most)
        cells = {}
        for cell, scores, treasure in zip(profile.cells, out, treasures, strict=True):
            reading = _read_cell(scores, treasure, fleets, cell in profile.impassable)
            if cell not in unknown or not _is_doubtful(reading):
                cells[cell] = reading
        return cells


def at_most(odds: Array, most: int) -> Array:
    """Return chances, shape (cells,), from log-odds when no more than `most` of them are true.

    That none is true has the weight `NO_TREASURE`.

    >>> at_most(np.array([3.0, 2.0, -20.0]), 1).round(2)
    array([0.73, 0.27, 0.  ])
    """
    weights = np.exp(np.minimum(odds, 30.0))
    sums = np.zeros(most + 1)
    sums[0] = 1.0
    for weight in weights:  # elementary symmetric sums: every choice of so many cells
        sums[1:] += weight * sums[:-1]
    chances = []
    for weight in weights:
        without = np.zeros(most + 1)
        for k in range(most + 1):
            without[k] = max(sums[k] - weight * (without[k - 1] if k else 0.0), 0.0)
        chances.append(weight * without[:most].sum() / (NO_TREASURE + sums[1:].sum()))
    return np.asarray(np.clip(chances, 0.0, 1.0))


def _read_cell(
    scores: Array, treasure: float, fleets: tuple[str, ...], is_land: bool
) -> CellReading:
    top = np.exp(scores[:6] - scores[:6].max())
    if is_land:
        top[1:] *= NO_LANDING
    both = np.outer(top, [1 - treasure, treasure])
    both[[5] if is_land else [0, 5], 1] *= NO_CARRIER
    both /= both.sum()
    top = both.sum(axis=1)
    second = 1 / (1 + np.exp(-scores[PACK]))
    ships: dict[Ships, float] = {(): float(top[0] + top[5])}
    for suit, p in zip(SUITS, top[1:5], strict=True):
        packs = ((suit, 1 - second), (f"{suit}2", second))
        known = [(fleet, share) for fleet, share in packs if not fleets or fleet in fleets]
        if len(known) == 1:  # of one pack only: whatever it looks like
            known = [(known[0][0], 1.0)]
        ships.update({(fleet,): float(p * share) for fleet, share in known})
    return CellReading(
        listed(ships),
        listed({None: float(1 - top[5]), "wreck": float(top[5])}),
        listed({None: float(both[:, 0].sum()), "treasure": float(both[:, 1].sum())}),
    )


def _is_doubtful(reading: CellReading) -> bool:
    sure = (max(reading.ships.values()), max(reading.terrain.values()), reading.cargo.get(None, 0))
    return min(sure) < 1 - DOUBT
