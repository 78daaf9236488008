"""Little ships and terrain tiles: what the net's answers mean."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from companion.table.observation import CellReading, Ships
from vision.board.net import listed
from vision.frame import Array

SHIPS = ("red", "blue", "yellow", "green", "gray", "black", "white")
"""Order of the net's first seven outputs: log-odds that a ship of the colour is there."""

TERRAINS = (None, "volcano", "desert", "reef")
"""Order of its next four, unnormalised log-probabilities."""

_SETS: tuple[Ships, ...] = (
    (),
    *((ship,) for ship in SHIPS),
    *(tuple(sorted(pair)) for pair in combinations(SHIPS, 2)),
)
_MEMBERS = np.array([[ship in group for ship in SHIPS] for group in _SETS])

PAIR_PRIOR = 0.1
"""Two ships share a cell only while a boarding is fought out."""

NO_LANDING = 1e-4
"""Weight of a ship on a volcano or a desert: no rule lets one lie there."""

SECOND_MERCHANT = 5.0
"""Log-odds against a second white ship: the game has one."""

DOUBTFUL_MERCHANT = 0.1
"""A pale mark that is printed once may pass for the merchant; only the empty board can tell."""


class ShipSet:
    """Ships of six fleets, one merchant, three kinds of tiles."""

    weights = "ships.onnx"
    outputs = 12
    """`SHIPS`, `TERRAINS`, and the log-odds that an arm hides part of the cell."""
    span = 1.06
    """Width of a cut-out in pitches of the grid: the whole cell and a little of its neighbours."""
    lean_mm = 5.0
    """Cut-outs follow things of this height as they lean away from the camera: half a ship."""
    names = SHIPS
    columns = slice(0, len(SHIPS))

    def holds_ship(self, out: Array) -> Array:
        """Return for which cells, shape (cells,), a ship is likelier than none."""
        return np.asarray(out[:, self.columns].max(axis=1) > 0)

    def read(
        self, out: Array, profile: BoardProfile, unknown: Collection[Cell]
    ) -> dict[Cell, CellReading]:
        """Return what each cell holds; one of `unknown` print is left out when in doubt."""
        ships, land = _with_one_merchant(out[:, self.columns]), out[:, 7:11]
        cells = {cell: read_cell(ships[k], land[k]) for k, cell in enumerate(profile.cells)}
        doubtful = [c for c in unknown if cells[c].ships.get(("white",), 0) > DOUBTFUL_MERCHANT]
        return {cell: reading for cell, reading in cells.items() if cell not in doubtful}


def read_cell(ship_odds: Array, terrain_logs: Array) -> CellReading:
    """Turn one cell's scores, shapes (7,) and (4,), into probabilities that keep the rules."""
    yes = -np.logaddexp(0, -ship_odds)
    no = -np.logaddexp(0, ship_odds)
    logs = _MEMBERS @ yes + ~_MEMBERS @ no
    groups = np.exp(logs - logs.max())
    groups[_MEMBERS.sum(axis=1) == 2] *= PAIR_PRIOR
    land = np.exp(terrain_logs - terrain_logs.max())
    joint = land[:, None] * groups[None, :]
    joint[1:3, 1:] *= NO_LANDING
    joint /= joint.sum()
    return CellReading(
        listed(dict(zip(_SETS, joint.sum(axis=0), strict=True))),
        listed(dict(zip(TERRAINS, joint.sum(axis=1), strict=True))),
    )


def _with_one_merchant(ship_odds: Array) -> Array:
    """There is one merchant at most: the likeliest keeps its odds, the others lose."""
    ships = ship_odds.copy()
    white = ships[:, SHIPS.index("white")]
    others = np.arange(len(white)) != white.argmax()
    if white.max() > 0:
        white[others] -= SECOND_MERCHANT
    return ships
