"""Poses along a ship's way, for the tests."""

from __future__ import annotations

from companion.rules import plane
from companion.rules.layout import Pose
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.state import State, design_of


def ahead(pose: Pose, dots: float) -> Pose:
    """Return the pose so many dots straight ahead."""
    return plane.advance(pose, dots * DOT_MM).rounded()


def turned(state: State, number: int, pose: Pose, deg: float) -> Pose:
    """Return a pose turned on the ship's rudder, clockwise positive."""
    return plane.turned(pose, deg, design_of(state, number).rudder_mm).rounded()
