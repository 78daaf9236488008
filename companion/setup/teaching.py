"""Teaching a table its own ships: one of each colour on a cell that is named, then a picture.

The reader knows what red ships look like everywhere; taught, it knows this red.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.boards.profile import BoardProfile
from companion.errors import DoubtfulPicture, NotCalibrated
from companion.rules.layout import Cell
from companion.table.observation import CellReading, Observation, Unreadable, likeliest
from vision.board.reader import BoardReader
from vision.board.ships import SHIPS
from vision.frame import Array, Frame, Image

SEEN = 0.5
"""From here on a ship is seen on a cell, of whatever colour."""
SURE = 0.9
"""From here on something stands where nothing was asked for, or looks like another colour."""

Samples = dict[str, list[Array]]
"""Hull tones by colour, as `BoardReader.sample_tones` returns them."""


def lesson(board: BoardProfile) -> dict[Cell, str]:
    """Return where one ship of each colour goes; none on a board without such ships.

    Open sea, spread over the board and away from its rim.
    """
    if board.pieces.set != "ships":
        return {}
    ships = board.pieces.fleets or SHIPS
    bare = board.impassable | board.grid.rim
    sea = [cell for cell in board.cells if cell not in bare and not board.marks_on(cell)]
    step = len(sea) / len(ships)
    return {sea[int((k + 0.5) * step)]: ship for k, ship in enumerate(ships)}


def sample(frame: Frame, board: BoardProfile, empty: Image | None, is_sure: bool) -> Samples:
    """Return the tones of the ships that stand where the lesson says; others may be missing.

    Raises
    ------
    NotCalibrated
        The board or none of the ships is seen, or this board has no such ships.
    DoubtfulPicture
        A ship looks like another colour, or something stands elsewhere; not if it `is_sure`.
    """
    asked = lesson(board)
    if not asked:
        raise NotCalibrated(f"the pieces of {board.title} need not be taught")
    reader = BoardReader(board, empty)
    seen = reader.read(frame)
    if isinstance(seen, Unreadable):
        raise NotCalibrated(seen.reason)
    there = {cell: ship for cell, ship in asked.items() if _has_ship(seen.cells.get(cell))}
    if not there:
        raise NotCalibrated("I see no ship on any of the places that I named")
    if not is_sure and (doubt := _doubt(seen, board, there)):
        raise DoubtfulPicture(doubt)
    return reader.sample_tones(frame, there)


def _has_ship(reading: CellReading | None) -> bool:
    return reading is not None and 1 - reading.ships.get((), 0.0) >= SEEN


def _doubt(seen: Observation, board: BoardProfile, there: Mapping[Cell, str]) -> str:
    """Say what is not as the lesson has it; empty if nothing is."""
    for cell, ship in there.items():
        looks, p = likeliest(seen.cells[cell].ships)
        if p >= SURE and looks != (ship,):
            colours = " and ".join(looks)
            return f"what stands on {board.name_of(cell)} looks {colours}; {ship} goes there"
    astray = [
        board.name_of(cell)
        for cell, reading in seen.cells.items()
        if cell not in there and 1 - reading.ships.get((), 0.0) >= SURE
    ]
    return f"something seems to stand on {', '.join(sorted(astray))}, too" if astray else ""
