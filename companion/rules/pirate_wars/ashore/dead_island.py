"""Dead Man's Island: skeletons that serve cannons and are only hacked apart (PWR-138)."""

from __future__ import annotations

from companion.rules.pirate_wars.built.figures import Groups, kind
from companion.rules.pirate_wars.built.weapons import Weapon

SKELETON = "skeleton"
RANGE = 72
TARGET = 1
"""Their cannons fire shot only, as far as this, with this target number."""
EASIER = 1
"""Added to the target number of whoever attacks a skeleton in a melee."""
CLEAVED = 2
"""Skeletons that a Captain or Lieutenant fells in a turn of melee, without dice."""


def bone_cannon(cannon: Weapon) -> Weapon:
    """Return a cannon as skeletons fire it: shot to 72 dots at target number 1 (PWR-138)."""
    return Weapon(
        cannon.id, cannon.title, cannon.dice, TARGET, cannon.nearest, RANGE, False, cannon.reload
    )


def melee_target(attack: int) -> int:
    """Return the target number of a figure that hacks at skeletons (PWR-138)."""
    return attack + EASIER


def cleaved(figures: Groups) -> int:
    """Return the skeletons that Captains and Lieutenants fell in a turn of melee (PWR-138).

    >>> cleaved((("pirate-captain", 1), ("pirate", 5)))
    2
    """
    leaders = sum(n for name, n in figures if kind(name).role in ("captain", "lieutenant"))
    return CLEAVED * leaders
