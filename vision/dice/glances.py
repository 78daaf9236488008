"""Looks at dice: where one leaves a doubt, more of them, each a little otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vision.frame import Array


class Glance(NamedTuple):
    """One look at one die."""

    number: int
    """Which of the dice it is."""
    lean_deg: Array
    """(2,), how what lies flat there is taken to be seen: `vision.dice.lean.LEANS_DEG`."""
    is_mirrored: bool
    """It is shown the other way round, left for right where up is up."""

    def shown(self, crop: Array) -> Array:
        """Return a crop (size, size, channels), up upward, as this look shows it."""
        return crop[:, ::-1] if self.is_mirrored else crop


Otherwise = tuple[Array, bool]
"""How a die is looked at again: as if it were seen so much otherwise, (2,) degrees, and mirrored
or not. How it is seen is known no better than that."""


def _to_sides(off_deg: float, mirrored: Sequence[bool]) -> tuple[Otherwise, ...]:
    ways = np.arange(len(mirrored)) * 2 * np.pi / len(mirrored)
    offs_deg = off_deg * np.stack([np.cos(ways), np.sin(ways)], axis=1)
    return tuple(zip(offs_deg, mirrored, strict=True))


SIX_SIDES = _to_sides(7.0, [False] * 6)
"""Looks at what a die shows."""
MIRRORED_TOO = ((np.zeros(2), True), *_to_sides(5.0, [False, True] * 2))
"""Looks at how it lies: mirrored, it lies as it did."""


def glanced(
    look: Callable[[Sequence[Glance]], Array],
    leans_deg: Array,
    is_doubtful: Callable[[Array], Array],
    otherwise: Sequence[Otherwise],
) -> Array:
    """Return what a network says of dice, in the mean over further looks where one is doubtful.

    Parameters
    ----------
    look : returns what it says (M, classes), logarithms, in each of M looks.
    leans_deg : (N, 2), of each die, as `Glance.lean_deg`.
    is_doubtful : given what it says (N, classes) at first, tells of which dice (N,) that is not
        plain.
    otherwise : the further looks at these.

    Returns
    -------
    ndarray of shape (N, classes).
    """
    told = look([Glance(k, lean, False) for k, lean in enumerate(leans_deg)])
    unsure = np.flatnonzero(is_doubtful(told))
    if len(unsure):
        again = [
            Glance(int(k), leans_deg[k] + off_deg, is_mirrored)
            for off_deg, is_mirrored in otherwise
            for k in unsure
        ]
        more = look(again).reshape(len(otherwise), len(unsure), -1).sum(axis=0)
        told[unsure] = (told[unsure] + more) / (1 + len(otherwise))
    return told
