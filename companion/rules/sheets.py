"""What is kept of each ship on an open table, as every phone shows it: one sheet a ship.

Bookkeeping is what makes people stop playing these games. The rules fill in the sheet, the pages
only draw it; they know no game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RowKind = Literal["sail", "hull"]


@dataclass(frozen=True, slots=True)
class Gauge:
    """So many are left of so many: masts, crew, room in the hold."""

    label: str
    left: int
    full: int


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A row of a damage chart, from the top."""

    kind: RowKind
    label: str
    """What stands beside it, e.g. the speed it allows."""
    is_lost: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """A ship, a port or a fort as its captain needs to know it."""

    seat: int
    """Whose it is."""
    title: str
    colour: str
    tag: int | None
    """Tag of its piece; ``None`` for what has none."""
    gauges: tuple[Gauge, ...] = ()
    lines: tuple[str, ...] = ()
    """Facts in plain words: ``"Loaded: 3 of 4 cannons"``."""
    chart: tuple[ChartRow, ...] = ()
    todo: tuple[str, ...] = ()
    """What can still be done this phase, in plain words; empty when all is done."""
