"""The board reader: a frame in, an observation out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.boards.grids import Grid
from companion.boards.profile import BoardProfile
from companion.errors import BoardError, NotCalibrated
from companion.rules.layout import Cell
from companion.table.observation import Observation, Unreadable
from vision.board.look import Look, hull_tone
from vision.board.net import CellNet
from vision.board.patches import (
    PatchGrid,
    blind_cells,
    code_patches,
    cut_patches,
    even_light,
    lay_grid,
    lone_cells,
    typical_cells,
)
from vision.board.sets import SETS
from vision.frame import Array, Frame, Image
from vision.light import Light, measure_light
from vision.piece_reader import PieceReader
from vision.registration import BoardFit, register

HIDDEN_SURE = 0.0
"""Log-odds from which a cell counts as hidden by a hand."""

HIDDEN_CERTAIN = 4.0
"""Log-odds that need no way to the rim."""

HIDDEN_NEAR = -2.0
"""Log-odds that are enough beside a cell that is surely hidden."""

CAMERA_RESTS_MM = 0.3
"""A board that shifts less in the picture is where it was: that is the noise of its markers."""

NO_CELLS: frozenset[Cell] = frozenset()


@dataclass(frozen=True, eq=False)
class EmptyBoard:
    """A picture of the board without pieces, and where the board lies in it."""

    image: Image
    fit: BoardFit
    light: Light


@dataclass(frozen=True, eq=False)
class _Ground:
    """The empty cells, cut as they lie under what a camera in one place sees."""

    empty: EmptyBoard
    fit: BoardFit
    grid: PatchGrid
    bare: Array
    """Linear paint, as `cut_patches` returns it."""
    coded: Array


def take_empty(image: Image, profile: BoardProfile) -> EmptyBoard:
    """Take in a picture of the empty board. Raises `NotCalibrated` if it cannot be read."""
    fit = register(image, profile)
    if isinstance(fit, Unreadable):
        raise NotCalibrated(f"the picture of the empty board cannot be used: {fit.reason}")
    return EmptyBoard(image, fit, measure_light(image, fit, profile))


class BoardReader(PieceReader):
    """Reads what lies on the cells of one board.

    Parameters
    ----------
    profile : BoardProfile
    empty : ndarray of shape (H, W, 3), uint8, BGR, optional
        The same board without pieces, from any place and in any light. Without it each cell is
        compared with what most cells look like.
    look : Look, optional
        The tones of this table's ships, taught before.

    Raises
    ------
    BoardError
        The profile is that of an open table.
    NotCalibrated
        The picture of the empty board cannot be read.
    """

    def __init__(
        self, profile: BoardProfile, empty: Image | None = None, look: Look | None = None
    ) -> None:
        if profile.is_open:
            raise BoardError(
                f"the open table {profile.id!r} has no cells: its tags are read instead"
            )
        super().__init__(profile)
        self.look = look
        self.empty = None if empty is None else take_empty(empty, profile)
        self._pieces = SETS[profile.pieces.set]
        self._net = CellNet(self._pieces.weights, self._pieces.outputs)
        self._ground: _Ground | None = None
        self._lone, self._blind = lone_cells(profile), blind_cells(profile)

    def know_empty(self, image: Image) -> None:
        """Compare with this empty board from now on. Raises `NotCalibrated`."""
        self.empty = take_empty(image, self.profile)

    def read_fitted(self, frame: Frame, fit: BoardFit) -> Observation:
        """Read a frame whose board has been found already."""
        out = self._score(frame.board, fit)
        hidden = _hidden_cells(self.profile.grid, out[:, -1])
        lone, blind = (self._lone, self._blind) if self.empty is None else (NO_CELLS, NO_CELLS)
        told = self._pieces.read(out, self.profile, lone)
        cells = {cell: r for cell, r in told.items() if cell not in hidden and cell not in blind}
        return Observation(frame.id, frame.time_s, cells, None, fit.error_mm, hidden)

    def sample_tones(self, frame: Frame, fleet: Mapping[Cell, str]) -> dict[str, list[Array]]:
        """Return the hull tones of ships whose cells are known, for `learn_look`.

        Raises `NotCalibrated` if the picture cannot be read.
        """
        fit = register(frame.board, self.profile, None, frame.id)
        if isinstance(fit, Unreadable):
            raise NotCalibrated(f"nothing can be learnt from {frame.id}: {fit.reason}")
        seen, bare = self._cut_pair(frame.board, fit)
        samples: dict[str, list[Array]] = {}
        for cell, ship in fleet.items():
            k = self.profile.cells.index(cell)
            tone = hull_tone(seen[k], bare[k])
            if tone is not None:
                samples.setdefault(ship, []).append(tone)
        return samples

    def _score(self, image: Image, fit: BoardFit) -> Array:
        """Return the net's answers, shape (cells, outputs), tones weighed in."""
        seen, bare = self._cut_pair(image, fit)
        out = self._net.score(seen, bare)
        return out if self.look is None else self.look.weigh(out, self._pieces, seen, bare)

    def _cut_pair(self, image: Image, fit: BoardFit) -> tuple[Array, Array]:
        """Return every cell as it is seen and as it is empty, gamma-coded, in the same light."""
        light = measure_light(image, fit, self.profile)
        if self.empty is None:
            grid = self._lay_grid(fit)
            seen = cut_patches(image, fit, light, grid)
            bare = typical_cells(seen, self.profile, grid)
            return code_patches(even_light(seen, bare, grid)), code_patches(bare)
        ground = self._ground_under(fit, self.empty)
        seen = cut_patches(image, fit, light, ground.grid)
        return code_patches(even_light(seen, ground.bare, ground.grid)), ground.coded

    def _lay_grid(self, fit: BoardFit) -> PatchGrid:
        return lay_grid(fit, self.profile, self._pieces.span, self._pieces.lean_mm)

    def _ground_under(self, fit: BoardFit, empty: EmptyBoard) -> _Ground:
        """Return the empty cells; while the camera rests they are those of the frame before."""
        known = self._ground
        if known is not None and known.empty is empty:
            if fit.shift_from(known.fit, self.profile) < CAMERA_RESTS_MM:
                return known
        grid = self._lay_grid(fit)
        bare = cut_patches(empty.image, empty.fit, empty.light, grid)
        self._ground = _Ground(empty, fit, grid, bare, code_patches(bare))
        return self._ground


def _hidden_cells(grid: Grid, odds: Array) -> frozenset[Cell]:
    """Return the cells behind an arm.

    It comes from outside, so they hang together to the rim; but a sleeve in the colour of the sea
    may hide the way, so what is beyond doubt counts anywhere.
    """
    by_cell = dict(zip(grid.cells, odds, strict=True))
    sure = {cell for cell, o in by_cell.items() if o > HIDDEN_SURE}
    near = {cell for cell, o in by_cell.items() if o > HIDDEN_NEAR}
    near &= sure.union(*(grid.around(cell) for cell in sure))
    reached = {c for c in near if c in grid.rim or by_cell[c] > HIDDEN_CERTAIN}
    while True:
        more = {c for c in near - reached if reached.intersection(grid.around(c))}
        if not more:
            return frozenset(reached)
        reached |= more
