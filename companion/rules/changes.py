"""What differs between the table as it should be and as it is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from companion.rules.deeds import Deed
from companion.rules.game import Ruling
from companion.rules.layout import Cell, Die, Layout

Check = Callable[[Any, Deed], Ruling]
"""`companion.rules.game.Game.check` of a game."""


class Change(NamedTuple):
    """The differences between two layouts, each sorted."""

    gone: tuple[tuple[str, Cell], ...]
    """Ships (colour, cell) that lie there no more."""
    came: tuple[tuple[str, Cell], ...]
    tiles: tuple[tuple[str, Cell], ...]
    """Terrain (kind, cell) that was not there."""
    cargo_gone: tuple[Cell, ...]
    """Cells from which a treasure has been taken."""
    cargo_came: tuple[Cell, ...]
    spent: tuple[Die, ...]
    """Dice that should be in the tray and are not."""
    rolled: tuple[Die, ...]
    """Dice in the tray that should not be."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing differs."""
        return not any(self)


def cells_of(colour: str, ships: Iterable[tuple[str, Cell]]) -> list[Cell]:
    """Return the cells of one colour among some ships (`Change.gone`, `Change.came`)."""
    return [cell for c, cell in ships if c == colour]


def change(expected: Layout, seen: Layout) -> Change:
    """Compare two layouts."""
    before, after = Counter(_ships(expected)), Counter(_ships(seen))
    dice, lying = Counter(expected.dice), Counter(seen.dice)
    tiles = [
        (content.terrain, cell)
        for cell, content in seen.cells.items()
        if content.terrain and expected.at(cell).terrain != content.terrain
    ]
    laden, found = _laden(expected), _laden(seen)
    return Change(
        tuple(sorted((before - after).elements())),
        tuple(sorted((after - before).elements())),
        tuple(sorted(tiles)),
        tuple(sorted(laden - found)),
        tuple(sorted(found - laden)),
        tuple(sorted((dice - lying).elements())),
        tuple(sorted((lying - dice).elements())),
    )


def _ships(layout: Layout) -> Iterator[tuple[str, Cell]]:
    for cell, content in layout.cells.items():
        for colour in content.ships:
            yield colour, cell


def _laden(layout: Layout) -> set[Cell]:
    return {cell for cell, content in layout.cells.items() if content.cargo}
