"""Dice that lie in the tray from one rest to the next: what each meant, which is which.

A die that was not touched lies where it lay; so readings are paired with what is remembered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import dist

from companion.boards.profile import XY
from companion.rules.layout import Die
from companion.table.observation import DieReading

SAME_PLACE_MM = 4.0
"""A die that was not touched is found again within this distance."""
NUDGE_MM = 20.0
"""A die of the same face this near to one that vanished may have been rolled or only nudged."""
FLOOR = 1e-3
"""Least likelihood of a face that a die may show; it matters for those that cannot be told."""


class Role(Enum):
    """What a die in the tray meant at the last rest."""

    WAITING = "waiting"
    """Rolled, not yet spent."""
    LEFT = "left"
    """Spent, but not taken out."""
    USED = "used"
    """It meant something once: a check roll, a surplus die."""
    IDLE = "idle"
    """It appeared while no roll was awaited."""
    GONE = "gone"
    """No longer seen; remembered because the camera may have missed it."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A die as it lay at the last rest."""

    die: Die
    centre_mm: XY
    role: Role


Memory = tuple[Lying, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """A reading against the memory."""

    reading: DieReading
    known: Lying | None
    """The remembered die that lies here still."""
    is_doubtful: bool
    """New or not? It was nudged, or not seen for a while, or it appeared out of turn."""


def die_of(seen: Seen) -> Die | None:
    """Return what a die is taken for: what it showed before if it lies there still."""
    if seen.known is not None:
        return seen.known.die
    best = seen.reading.best
    return best[0] if best else None


def matched(
    readings: Sequence[DieReading], memory: Memory, *, is_still: bool = False
) -> tuple[Seen, ...]:
    """Pair readings with remembered dice, nearest first.

    With `is_still` nothing has tumbled: what lies where a die lay is that die, though another face
    is read by now, or people have said another.
    """
    pairs = sorted(
        (gap, i, j)
        for i, r in enumerate(readings)
        for j, m in enumerate(memory)
        if (gap := dist(r.centre_mm, m.centre_mm)) <= NUDGE_MM
        and (_may_show(r, m.die) or (is_still and _lies_there(m, gap)))
    )
    same: dict[int, int] = {}
    near: dict[int, int] = {}
    for gap, i, j in pairs:
        if i in same or i in near or j in same.values() or j in near.values():
            continue
        (same if gap <= SAME_PLACE_MM else near)[i] = j
    seen = []
    for i, reading in enumerate(readings):
        known = memory[same[i]] if i in same else None
        out_of_turn = known is not None and known.role in (Role.GONE, Role.IDLE)
        nudged = i in near and memory[near[i]].role is not Role.WAITING
        seen.append(Seen(reading, known, out_of_turn or nudged))
    return tuple(seen)


def perhaps_moved(seen: tuple[Seen, ...], memory: Memory) -> tuple[Seen, ...]:
    """Doubt that dice are new if nothing tumbled and they show what has vanished elsewhere."""
    new = [s for s in seen if s.known is None and not s.is_doubtful]
    left = (m for m in missing_from(seen, memory) if m.role is not Role.WAITING)
    gone, shown = Counter[Die | None](m.die for m in left), Counter(die_of(s) for s in new)
    if not new or shown - gone:
        return seen
    return tuple(replace(s, is_doubtful=True) if s in new else s for s in seen)


def vanished(seen: tuple[Seen, ...], memory: Memory) -> Memory:
    """Return the missing dice that the camera may only have missed."""
    forgotten = (Role.WAITING, Role.IDLE)
    return tuple(m for m in missing_from(seen, memory) if m.role not in forgotten)


def missing_from(seen: tuple[Seen, ...], memory: Memory) -> Memory:
    """Return the remembered dice that do not lie where they lay."""
    found = [s.known for s in seen]
    return tuple(m for m in memory if not any(m is f for f in found))


def _lies_there(lying: Lying, gap_mm: float) -> bool:
    return lying.role is not Role.GONE and gap_mm <= SAME_PLACE_MM


def _may_show(reading: DieReading, die: Die) -> bool:
    return not reading.faces or reading.faces.get(die, 0.0) >= max(FLOOR, 0.1 * reading.p)
