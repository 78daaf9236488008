"""The sets of pieces that can be read, by the name a board's profile gives them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from companion.table.observation import CellReading
from vision.board.coins import CoinSet
from vision.board.ships import ShipSet
from vision.frame import Array


class PieceSet(Protocol):
    """How cells with certain pieces are cut out, and what a net says of them."""

    @property
    def weights(self) -> str:
        """Name of the net's file."""
        ...

    @property
    def outputs(self) -> int:
        """Answers of the net to each cell; the last: the log-odds that an arm hides it."""
        ...

    @property
    def span(self) -> float:
        """Width of a cut-out in pitches of the grid."""
        ...

    @property
    def lean_mm(self) -> float:
        """Height of the things that cut-outs follow as they lean away from the camera."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """What can be told apart by tone, in the order of `columns`."""
        ...

    @property
    def columns(self) -> slice:
        """The net's outputs that weigh `names` against one another."""
        ...

    def holds_ship(self, out: Array) -> Array:
        """Return for which cells, shape (cells,), one of `names` is likelier than none."""
        ...

    def read(
        self, out: Array, profile: BoardProfile, unknown: Collection[Cell]
    ) -> dict[Cell, CellReading]:
        """Turn the net's answers, shape (cells, outputs), into readings of the profile's cells.

        Cells of `unknown` print, which were never seen empty, may be left out.
        """
        ...


SETS: dict[str, PieceSet] = {"ships": ShipSet(), "coins": CoinSet()}
"""Keys: `companion.boards.profile.PIECE_SETS`."""
