"""What changed on the board between two layouts, for the arrow on the phones."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from companion.rules.changes import change
from companion.rules.hexes import distance
from companion.rules.layout import Cell, Layout, Pose, cell_name


@dataclass(frozen=True, slots=True)
class Change:
    """Ships that moved, pieces that came and ships that went."""

    moved: tuple[tuple[str, Cell, Cell], ...] = ()
    """Colour, from, to."""
    came: tuple[Cell, ...] = ()
    """Cells with a new ship or a new terrain tile."""
    gone: tuple[tuple[str, Cell], ...] = ()
    """Colour and last cell of ships that left the ocean."""
    pieces: tuple[tuple[int, Pose, Pose], ...] = ()
    """Pieces of an open table that moved: tag, from, to."""

    def __bool__(self) -> bool:
        return bool(self.moved or self.came or self.gone or self.pieces)

    def to_json(self) -> dict[str, Any]:
        """Return the change as JSON values."""
        return {
            "moved": [[c, cell_name(a), cell_name(b)] for c, a, b in self.moved],
            "came": [cell_name(cell) for cell in self.came],
            "gone": [[c, cell_name(cell)] for c, cell in self.gone],
            "pieces": [[tag, asdict(a), asdict(b)] for tag, a, b in self.pieces],
        }


def change_between(before: Layout, after: Layout) -> Change:
    """Pair the ships that left a cell with those of their colour that came to one, nearest first.

    Two like ships that moved at once may be paired crosswise; it is a picture, not a record.
    """
    seen = change(before, after)
    left, came, moved = Counter(seen.gone), Counter(seen.came), []
    for colour in sorted({colour for colour, _ in left}):
        pairs = sorted(
            (distance(a, b), a, b) for c, a in left if c == colour for d, b in came if d == colour
        )
        for _, a, b in pairs:
            if left[colour, a] and came[colour, b]:
                left[colour, a] -= 1
                came[colour, b] -= 1
                moved.append((colour, a, b))
    new = {cell for _, cell in (*seen.tiles, *came.elements())}
    gone = tuple(sorted(set(left.elements())))
    return Change(tuple(moved), tuple(sorted(new)), gone, _pieces_moved(before, after))


def _pieces_moved(before: Layout, after: Layout) -> tuple[tuple[int, Pose, Pose], ...]:
    both = sorted(before.pieces.keys() & after.pieces.keys())
    poses = ((tag, before.pieces[tag].pose, after.pieces[tag].pose) for tag in both)
    return tuple((tag, a, b) for tag, a, b in poses if a != b)
