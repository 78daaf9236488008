"""What is wrong with something that was built."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """A limit that was not kept."""

    rule: str
    """Number of the rule."""
    reason: str
    """One plain sentence that says what would be right."""
