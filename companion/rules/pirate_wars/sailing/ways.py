"""Which way of moving a piece has: under sail, under oars or on foot."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Sail
from companion.rules.pirate_wars.sailing.courses import Course, judged
from companion.rules.pirate_wars.sailing.manoeuvres import guessed_path, manoeuvres, measured_paths
from companion.rules.pirate_wars.sailing.seamanship import needs_wind
from companion.rules.pirate_wars.sailing.small_ways import (
    judged_row,
    judged_walk,
    rowed_paths,
    rowed_ways,
    walked_paths,
    walked_ways,
)
from companion.rules.pirate_wars.state import State, design_of


class Ways(NamedTuple):
    """How a piece moves."""

    offered: Callable[[State, PlayerId, int], tuple[Sail, ...]]
    """Standard ways that are offered."""
    seen: Callable[[State, int, Pose], tuple[tuple[Pose, ...], ...]]
    """Ways that bring it to where it is seen."""
    judged: Callable[[State, int, tuple[Pose, ...]], Course | Ruling]
    """Where a way brings it, or why it may not go so."""
    guessed: Callable[[State, int, Pose], tuple[Pose, ...]]
    """The way that was probably meant, to say what is wrong with it."""


SAILED = Ways(manoeuvres, measured_paths, judged, guessed_path)
ROWED = Ways(rowed_ways, rowed_paths, judged_row, guessed_path)
WALKED = Ways(walked_ways, walked_paths, judged_walk, lambda _state, _number, seen: (seen,))


def ways_of(state: State, number: int) -> Ways:
    """Return how a piece moves."""
    if needs_wind(state, number):
        return SAILED
    return WALKED if design_of(state, number).kind in ("party", "tribe") else ROWED
