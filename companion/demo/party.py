"""What a party at a table has: hands for the pieces, and a tally of what became of its moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from companion.rules.layout import Die, Layout, Spot


class Pieces(Protocol):
    """What hands can do at the table."""

    def lay(self, layout: Layout) -> None:
        """Put the pieces so; pieces that stay are not touched."""
        ...

    def accept(self, layout: Layout) -> None:
        """Hold the pieces to stand so from now on, as they were measured; none is touched."""
        ...

    def roll(self, dice: tuple[Die, ...]) -> None:
        """Throw these dice into the tray; those that lie there stay."""
        ...

    def take(self, dice: tuple[Die, ...]) -> None:
        """Take dice out of the tray."""
        ...

    def sweep(self) -> None:
        """Take all dice out of the tray."""
        ...

    def reach(self, spots: tuple[Spot, ...], seat: int) -> None:
        """Hold a hand over the board where something lies, or over the tray."""
        ...

    def withdraw(self) -> None:
        """Take the hand away."""
        ...


@dataclass
class Tally:
    """What became of the moves and rolls of a game."""

    moves: int = 0
    """Moves and rolls that the camera had to see."""
    recognised: int = 0
    """Recorded from the pictures alone."""
    asked: int = 0
    """Questions the table asked."""
    pressed: int = 0
    """Times a captain pressed the button to say that a move was done."""
    told: int = 0
    """Moves a captain had to tell by phone because the table did not follow."""
    misread: int = 0
    """Lines of the log that were wrong without a question; a captain put them right."""
