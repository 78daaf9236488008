"""What can be made of a picture: nothing, something that happened, a question, or patience."""

from __future__ import annotations

from dataclasses import dataclass

from companion.table.findings import Explanation
from companion.table.snapshot import Notice

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """The table lies as it should."""

    notice: Notice | None = None


@dataclass(frozen=True, slots=True)
class Apply:
    """What happened is clear."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Wait:
    """Not clear yet."""

    key: Key
    """Tells one unclear situation from another."""
    notice: Notice | None


@dataclass(frozen=True, slots=True)
class Ask:
    """It will not become clear by itself."""

    key: Key
    explanations: tuple[Explanation, ...]
    """The candidates, likeliest first; empty when no legal line explains the picture."""
    notice: Notice


Verdict = Nothing | Apply | Wait | Ask
