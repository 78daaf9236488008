"""Little ships and terrain tiles: what the net's answers mean."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from companion.table.observation import CellReading, Ships
from vision.board.net import listed
from vision.frame import Array

SHIPS = ("red", "blue", "yellow", "green", "gray", "black", "white")
"""Order of the net's first seven outputs: how well a ship of the colour fits what is there."""

TERRAINS = (None, "volcano", "desert", "reef")
"""Order of its next four, unnormalised log-probabilities."""

SOME = 11
"""Index of the log-odds that any ship is there: of which colour is another matter, so that what may
be gray or white is not taken for nothing."""

PAIR_PRIOR = 0.1
"""Two ships share a cell only while a boarding is fought out."""

CROWD_PRIOR = 1.0
"""For each ship beside the first where many may lie in a port."""

NO_LANDING = 1e-4
"""Weight of a ship on a volcano or a desert: no rule lets one lie there."""

SECOND_MERCHANT = -5.0
"""Log-odds of a second white ship: the game has one."""

OPEN_SEA = np.array([0.0, -20.0, -20.0, -20.0])
"""`TERRAINS` where no tiles are laid: a crowd of hulls may look like a reef."""

NOT_PLAYED = -20.0
"""Log-odds of a ship that no game on this board has."""

DOUBTFUL_MERCHANT = 0.1
"""A pale mark that is printed once may pass for the merchant; only the empty board can tell."""


@dataclass(frozen=True, eq=False)
class Groups:
    """The ships that can be on one cell."""

    ships: tuple[Ships, ...]
    members: Array
    """Shape (groups, 7), bool: which of `SHIPS` each holds."""
    prior: Array
    """Shape (groups,): how likely each is before one looks, relative to one ship alone."""


@cache
def groups_of(share: int) -> Groups:
    """Return the groups of up to `share` ships."""
    ships = tuple(tuple(sorted(g)) for n in range(share + 1) for g in combinations(SHIPS, n))
    more = np.array([max(len(group) - 1, 0) for group in ships])
    members = np.array([[ship in group for ship in SHIPS] for group in ships])
    return Groups(ships, members, (PAIR_PRIOR if share == 2 else CROWD_PRIOR) ** more)


class ShipSet:
    """Ships of six fleets, one merchant, three kinds of tiles."""

    weights = "ships.onnx"
    outputs = 13
    """`SHIPS`, `TERRAINS`, `SOME`, and the log-odds that an arm hides part of the cell."""
    span = 1.06
    """Width of a cut-out in pitches of the grid: the whole cell and a little of its neighbours."""
    lean_mm = 5.0
    """Cut-outs follow things of this height as they lean away from the camera: half a ship."""
    names = SHIPS
    columns = slice(0, len(SHIPS))

    def holds_ship(self, out: Array) -> Array:
        """Return for which cells, shape (cells,), a ship is likelier than none."""
        return np.asarray(out[:, SOME] > 0)

    def read(
        self, out: Array, profile: BoardProfile, unknown: Collection[Cell]
    ) -> dict[Cell, CellReading]:
        """Return what each cell holds; one of `unknown` print is left out when in doubt.

        `out` (cells, outputs) as for `PieceSet.read`.
        """
        fleets = profile.pieces.fleets
        land = out[:, 7:11] if profile.pieces.tiles else np.tile(OPEN_SEA, (len(out), 1))
        ports = {mark.cell for mark in profile.marks if mark.kind == "port"}
        few, many = groups_of(2), groups_of(profile.pieces.share)
        odds = _one_merchant(out)
        odds[:, [bool(fleets) and ship not in fleets for ship in SHIPS]] = NOT_PLAYED
        cells = {
            cell: read_cell(out[k], land[k], odds[k], many if cell in ports else few)
            for k, cell in enumerate(profile.cells)
        }
        doubtful = [c for c in unknown if cells[c].ships.get(("white",), 0) > DOUBTFUL_MERCHANT]
        return {cell: reading for cell, reading in cells.items() if cell not in doubtful}


def read_cell(out: Array, terrain_logs: Array, odds: Array, groups: Groups) -> CellReading:
    """Turn one cell's answers into probabilities that keep the rules.

    Parameters
    ----------
    out : ndarray of shape (13,)
        The net's answers.
    terrain_logs : ndarray of shape (4,)
        `TERRAINS`, unnormalised log-probabilities.
    odds : ndarray of shape (7,)
        How likely each ship is before one looks, log-odds: 0, or less.
    groups : Groups
        What can be on the cell, nothing first.
    """
    fits = groups.members[1:] @ out[: len(SHIPS)]
    fits = np.exp(fits - fits.max())
    some = 1 / (1 + np.exp(-out[SOME]))
    likely = np.concatenate([[1 - some], some * fits / fits.sum()])
    likely *= groups.prior * np.exp(groups.members @ odds)
    land = np.exp(terrain_logs - terrain_logs.max())
    joint = land[:, None] * likely[None, :]
    joint[1:3, 1:] *= NO_LANDING
    joint /= joint.sum()
    return CellReading(
        listed(dict(zip(groups.ships, joint.sum(axis=0), strict=True))),
        listed(dict(zip(TERRAINS, joint.sum(axis=1), strict=True))),
    )


def _one_merchant(out: Array) -> Array:
    """Return the odds of each ship on each cell, shape (cells, 7): one merchant at most is here.

    It is where one is likeliest, if one is likelier there than anything else.
    """
    odds, white = np.zeros((len(out), len(SHIPS))), SHIPS.index("white")
    others = np.delete(out[:, : len(SHIPS)], white, axis=1).max(axis=1)
    likeliest = np.minimum(out[:, SOME], out[:, white] - others)
    if likeliest.max() > 0:
        odds[np.arange(len(out)) != likeliest.argmax(), white] = SECOND_MERCHANT
    return odds
