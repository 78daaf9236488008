"""Ships, tiles or coins: what lies on the virtual table's board, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell, Layout, Placed
from vision.virtual.berths import berth_ships, berth_tiles
from vision.virtual.canvas import Canvas
from vision.virtual.coins import CoinPose, CoinsOnBoard
from vision.virtual.pieces import ShipPose, TilePose, paint_ship, paint_tile
from vision.virtual.tagged import TaggedOnTable


class PiecesOnBoard(Protocol):
    """All pieces on one board: put where a layout has them, and painted."""

    @property
    def ships(self) -> Mapping[tuple[Cell, str], ShipPose | CoinPose]:
        """The truth: where each ship stands, by cell and colour."""
        ...

    @property
    def tagged(self) -> Mapping[int, Placed]:
        """The truth: where each piece of an open table stands, by its tag."""
        ...

    def lay(self, was: Layout, now: Layout) -> None:
        """Put the pieces so; one that stays keeps its exact pose."""
        ...

    def paint(self, canvas: Canvas) -> None:
        """Paint them with their shadows."""
        ...


def put_out(profile: BoardProfile, rng: np.random.Generator) -> PiecesOnBoard:
    """Return the pieces that are played with on a board, none of them laid yet."""
    made: dict[str, type[ShipsOnBoard] | type[CoinsOnBoard] | type[TaggedOnTable]]
    made = {"ships": ShipsOnBoard, "coins": CoinsOnBoard, "tagged": TaggedOnTable}
    return made[profile.pieces.set](profile, rng)


class ShipsOnBoard:
    """Little ships and terrain tiles."""

    def __init__(self, profile: BoardProfile, rng: np.random.Generator) -> None:
        self._profile, self._rng = profile, rng
        self._ships: dict[tuple[Cell, str], ShipPose] = {}
        self._tiles: dict[Cell, TilePose] = {}

    @property
    def ships(self) -> Mapping[tuple[Cell, str], ShipPose]:
        """The truth: where each ship stands, by cell and colour."""
        return dict(self._ships)

    @property
    def tagged(self) -> Mapping[int, Placed]:
        """None bear a tag."""
        return {}

    def lay(self, was: Layout, now: Layout) -> None:
        """Put the pieces so; one that stays keeps its exact pose."""
        self._tiles = berth_tiles(self._tiles, now, self._profile, self._rng)
        self._ships = berth_ships(self._ships, was, now, self._profile, self._rng)

    def paint(self, canvas: Canvas) -> None:
        """Paint tiles, then far ships before near ones, which may hide them."""
        for tile in self._tiles.values():
            paint_tile(canvas, tile)
        eye = canvas.lens.position_mm
        far_first = sorted(
            self._ships.values(), key=lambda s: -np.hypot(s.x_mm - eye[0], s.y_mm - eye[1])
        )
        for ship in far_first:
            paint_ship(canvas, ship)
