"""Weapons: dice, target numbers, ranges (PWR-10 to PWR-18). The numbers are data: `charts`."""

from __future__ import annotations

from dataclasses import dataclass

WEAPON_IDS = ("cannon-ball", "cannon-shot", "musket", "pistol", "deck-gun", "bow", "spear")
CLOSE_DOTS = 4
"""At this distance and below only "B" weapons can be used (PWR-17)."""
FACES = 6
ALWAYS_FAILS = 6
"""The face that is a failure whatever the target number (PWR-1)."""


@dataclass(frozen=True, slots=True)
class Weapon:
    """What can be fired, thrown or shot; distances in dots."""

    id: str
    title: str
    dice: int
    """Rolled for each shot."""
    target: int
    """Target number; 0: the Attack of the figure that fires."""
    nearest: int
    """Below this distance it cannot be used; a cannon explodes (PWR-74)."""
    range: int
    """Farthest target."""
    close: bool
    """A "B" weapon: it can be used at 4 dots and less (PWR-17)."""
    reload: int
    """Figures times rounds it takes to load it again; 0: it never needs loading (PWR-80)."""

    @property
    def is_cannon(self) -> bool:
        """Fired from a cannon: ball or shot."""
        return self.id in ("cannon-ball", "cannon-shot")

    def target_of(self, attack: int) -> int:
        """Return the target number for a figure with this Attack."""
        return self.target or attack

    def reaches(self, dots: float) -> bool:
        """Tell whether a target so far away is within range."""
        return dots <= self.range

    def too_near(self, dots: float) -> bool:
        """Tell whether a target is nearer than the weapon may be used (PWR-17, PWR-74)."""
        return dots < self.nearest or (dots <= CLOSE_DOTS and not self.close)


def chance(target: int) -> tuple[int, int]:
    """Return the odds that one die meets a target number: favourable faces, all faces (PWR-1).

    A six always fails, so 5 is the best target there is; below 1 nothing succeeds.

    >>> chance(3), chance(6), chance(-1)
    ((3, 6), (5, 6), (0, 6))
    """
    return max(0, min(target, ALWAYS_FAILS - 1)), FACES


def is_success(face: int, target: int) -> bool:
    """Tell whether a die meets a target number (PWR-1)."""
    return face <= target and face != ALWAYS_FAILS


def successes(faces: tuple[int, ...], target: int) -> int:
    """Count the dice that meet a target number.

    >>> successes((1, 1, 1, 2, 5, 5), 3)
    4
    """
    return sum(is_success(face, target) for face in faces)
