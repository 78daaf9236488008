"""What the camera measured in one settled picture: probabilities, never moves.

Vision makes these values, the referee explains them; neither knows the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from companion.boards.profile import XY
from companion.rules.layout import Cell, CellContent, Die, Pose

Ships = tuple[str, ...]
"""Colours on one cell, sorted: ``()``, ``("red",)`` or ``("blue", "red")``.

Each colour once: how many ships are stacked cannot be seen from above.
"""

K = TypeVar("K")


def likeliest(odds: Mapping[K, float]) -> tuple[K, float]:
    """Return what is likeliest, and its probability; there must be something."""
    return max(odds.items(), key=lambda pair: pair[1])


@dataclass(frozen=True, slots=True)
class CellReading:
    """What one cell seems to hold. Each mapping sums to 1; what is not listed is as good as 0."""

    ships: Mapping[Ships, float]
    terrain: Mapping[str | None, float]
    cargo: Mapping[str | None, float] = field(default_factory=dict)
    """Empty where no cargo is looked for."""

    @property
    def best(self) -> CellContent:
        """What it holds likeliest: ships, terrain and cargo each by itself."""
        ships = max(self.ships, key=lambda group: self.ships[group], default=())
        terrain = max(self.terrain, key=lambda kind: self.terrain[kind], default=None)
        cargo = max(self.cargo, key=lambda kind: self.cargo[kind], default=None)
        return CellContent(ships, terrain, cargo)


@dataclass(frozen=True, slots=True)
class DieReading:
    """One die in the tray."""

    faces: Mapping[Die, float]
    """Probability of each kind and face; may sum to less than 1 (the rest: cannot be told)."""
    centre_mm: XY
    """Where it lies on the floor of the tray."""
    box_px: tuple[int, int, int, int]
    """x, y, width, height in the tray's picture."""
    look: str = ""
    """Tells dice of one kind apart from roll to roll (``"green"``); empty: it cannot be told."""
    seems: str = ""
    """What it seems if it is asked about: `companion.table.unsure_dice`; empty if it is told."""

    @property
    def best(self) -> tuple[Die, float] | None:
        """The likeliest face and its probability, or ``None`` if nothing can be told."""
        return likeliest(self.faces) if self.faces else None

    @property
    def p(self) -> float:
        """Probability of the likeliest face; 0 if nothing can be told."""
        return max(self.faces.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class TagReading:
    """One tagged piece on an open table."""

    pose: Pose
    """Measured, projected down to the table by the tag's height."""
    p: float
    """Probability that the tag bears this number."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture at rest, measured."""

    frame_id: str
    """Names the picture; evidence pictures are kept under it."""
    time_s: float
    """Monotonic time of the exposure."""
    cells: Mapping[Cell, CellReading]
    """Cells that could be read; one that is missing is hidden or unreadable."""
    dice: tuple[DieReading, ...] | None
    """Dice in the tray; ``None`` when the tray could not be seen."""
    fit_error_mm: float
    """Mean reprojection error of the board's markers, in board millimetres."""
    occluded: frozenset[Cell] = field(default_factory=frozenset)
    """Cells behind a hand or an arm."""
    tags: Mapping[int, TagReading] = field(default_factory=dict)
    """Tags read on an open table. One that is missing is unseen: sails and masts hide tags, so
    that says nothing of its piece."""
    has_tumbled: bool | None = None
    """Whether something moved in the tray since the last rest while no arm reached in; ``None``:
    nobody looked."""
    tumbled_s: tuple[float, float] | None = None
    """Exposures of the two pictures between which it moved last; ``None``: just before this one."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A picture that tells nothing, and why; falsy."""

    reason: str
    """A plain sentence for the people at the table."""
    frame_id: str

    def __bool__(self) -> bool:
        return False
