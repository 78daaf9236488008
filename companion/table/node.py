"""One state on a line of play, held against the picture, and what its last step shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.rules.game import Decision
from companion.rules.layout import Layout, Spot
from companion.table.findings import State
from companion.table.outlook import Next
from companion.table.tray import Assigned


@dataclass(slots=True)
class Node:
    """A state on a line, held against the picture."""

    start: int
    """Index of the start."""
    state: State
    layout: Layout
    parent: Node | None
    action: Any
    assigned: Assigned
    wrong: frozenset[Spot]
    board_cost: float
    sunk_cost: float
    """What the line has cost for good: steps, readings of rolled dice."""
    depth: int
    leaves_trace: bool
    """The last step shows on the board or in the tray."""
    tray_cost: float = 0.0
    missing: int = 0
    """Dice that should wait in the tray and are not there."""
    left_lying: float = 0.0
    """Part of the tray's cost that no further step can mend."""
    lines: int = 1
    """How many lines lead here."""

    @property
    def cost(self) -> float:
        """What it costs to believe that the line ends here."""
        return self.board_cost + self.tray_cost + self.sunk_cost

    @property
    def agrees(self) -> bool:
        """Whether nothing on the table contradicts it."""
        return not self.wrong and not self.missing

    def path(self) -> Iterator[Node]:
        """Yield the nodes from here back to the start, the start not included."""
        node = self
        while node.parent is not None:
            yield node
            node = node.parent


def is_seen(node: Node, pending: Decision, child: Next) -> bool:
    """Say whether a choice shows: pieces of an open table only where they are measured."""
    changed = node.layout.changed(child.layout)
    is_told = not pending.measured and any(isinstance(spot, int) for spot in changed)
    return not is_told and shows(node.layout, child.layout)


def goes_unmissed(node: Node, child: Node) -> bool:
    """Say whether a step takes ships from where the picture does not miss them.

    From among others, or from under an arm: there nothing was wrong that the step could mend, so
    where she only passes through something more is wrong. That is no sign that she did not.
    """
    if not node.wrong:  # then she is seen nowhere that she could have gone on to
        return False
    untold = node.layout.changed_cells(child.layout) - node.wrong - child.wrong
    return any(len(child.layout.at(c).ships) < len(node.layout.at(c).ships) for c in untold)


def shows(before: Layout, after: Layout) -> bool:
    """Say whether a step leaves a trace on the board or in the tray."""
    return after.dice != before.dice or bool(before.changed(after))
