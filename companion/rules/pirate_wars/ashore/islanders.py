"""Islanders: how many live where, their boats, and when they fight (PWR-131 to PWR-136).

Their figures and weapons stand with the others, in `figures` and the charts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

A_PLATE, A_SMALL_PLATE = 8, 2
"""Islanders that a plate of 32 by 32 dots and a smaller one feed (PWR-134)."""
WARRIORS_A_SHAMAN = 4
"""One shaman for so many warriors (PWR-131)."""
CALM, FIGHTING, HIDING = "calm", "fighting", "hiding"
MOODS = (CALM, FIGHTING, HIDING)


@dataclass(frozen=True, slots=True)
class Boat:
    """A boat of the islanders (PWR-133)."""

    id: str
    holds: int
    dots: int
    paddlers: int
    """Figures it takes to move at full; the others may fight."""
    reach: int
    """A figure must be so near to get in, dots."""
    first_dots: int
    """How far it goes in the turn in which they get in."""


BOATS: Mapping[str, Boat] = MappingProxyType(
    {
        boat.id: boat
        for boat in (
            Boat("canoe", 3, 36, 2, 12, 18),
            Boat("outrigger", 3, 48, 1, 8, 24),
            Boat("catamaran", 6, 48, 2, 8, 24),
        )
    }
)


def inhabitants(plates: int, small_plates: int) -> int:
    """Return the most islanders of an island (PWR-134).

    >>> inhabitants(1, 2)
    12
    """
    return A_PLATE * plates + A_SMALL_PLATE * small_plates


def tribe(count: int) -> dict[str, int]:
    """Return who the inhabitants are: a Kahuna, a Shaman for four warriors, warriors (PWR-131).

    >>> tribe(8)
    {'kahuna': 1, 'shaman': 1, 'warrior': 6}
    """
    kahuna = min(1, count)
    rest = count - kahuna
    shamans = rest // (WARRIORS_A_SHAMAN + 1)
    return {"kahuna": kahuna, "shaman": shamans, "warrior": rest - shamans}


@dataclass(frozen=True, slots=True)
class Temper:
    """How the islanders of one island stand to strangers (PWR-135, PWR-136)."""

    left: int
    """How many there are."""
    mood: str = CALM
    flee_at: int = -1
    """They hide once so few are left; -1: while they are calm."""

    def landed(self) -> Temper:
        """Return them after strangers have set foot on the beach: they attack (PWR-135)."""
        if self.mood != CALM or not self.left:
            return self
        return replace(self, mood=FIGHTING, flee_at=self.left // 2)

    def lost(self, count: int) -> Temper:
        """Return them after losses: at half of their number they hide (PWR-136)."""
        left = max(0, self.left - count)
        hides = self.mood == FIGHTING and left <= self.flee_at
        return replace(self, left=left, mood=HIDING if hides else self.mood)

    def raided(self) -> Temper:
        """Return them after the idol was robbed: they come back until half are left (PWR-136)."""
        if self.mood != HIDING or not self.left:
            return self
        return replace(self, mood=FIGHTING, flee_at=self.left // 2)


def shielded(target: int, has_shield: bool) -> int:
    """Return a melee target number against a figure with or without a shield (PWR-132)."""
    return target - has_shield
