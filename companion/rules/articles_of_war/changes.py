"""What differs between the table as it should be and as it is seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.rules.articles_of_war.state import State
from companion.rules.deeds import Deed
from companion.rules.game import Ruling
from companion.rules.layout import Cell, Die, Layout

Check = Callable[[State, Deed], Ruling]
"""`ArticlesOfWar.check`."""


@dataclass(frozen=True, slots=True)
class Change:
    """What differs between the table as it should be and as it is seen."""

    gone: tuple[tuple[str, Cell], ...]
    """Ships (colour, cell) that lie there no more."""
    came: tuple[tuple[str, Cell], ...]
    tiles: tuple[tuple[str, Cell], ...]
    """Terrain (kind, cell) that was not there."""
    spent: tuple[Die, ...]
    """Dice that should be in the tray and are not."""
    rolled: tuple[Die, ...]
    """Dice in the tray that should not be."""

    def of(self, colour: str, ships: tuple[tuple[str, Cell], ...]) -> list[Cell]:
        """Return the cells of one colour among some ships."""
        return [cell for c, cell in ships if c == colour]

    def is_nothing(self) -> bool:
        """Say whether nothing differs."""
        return not (self.gone or self.came or self.tiles or self.spent or self.rolled)


def change(expected: Layout, seen: Layout) -> Change:
    """Compare two layouts."""
    before, after = Counter(_ships(expected)), Counter(_ships(seen))
    dice, lying = Counter(expected.dice), Counter(seen.dice)
    tiles = [
        (content.terrain, cell)
        for cell, content in seen.cells.items()
        if content.terrain and expected.at(cell).terrain != content.terrain
    ]
    return Change(
        tuple(sorted((before - after).elements())),
        tuple(sorted((after - before).elements())),
        tuple(sorted(tiles)),
        tuple(sorted((dice - lying).elements())),
        tuple(sorted((lying - dice).elements())),
    )


def _ships(seen: Layout) -> Iterator[tuple[str, Cell]]:
    for cell, content in seen.cells.items():
        for colour in content.ships:
            yield colour, cell
