"""Looks at how dice lie: where one leaves a doubt, more of them, each a little otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from vision.frame import Array

_A_LITTLE_DEG = 5.0
_OTHERWISE = (
    ((0.0, 0.0), True),
    ((_A_LITTLE_DEG, 0.0), False),
    ((0.0, _A_LITTLE_DEG), True),
    ((-_A_LITTLE_DEG, 0.0), False),
    ((0.0, -_A_LITTLE_DEG), True),
)
"""How a die is looked at again: as if it were seen so much otherwise, and mirrored or not. A die
lies as it did when it is mirrored, and how it is seen is known no better than this anyway."""


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


def glanced(
    look: Callable[[Sequence[Glance]], Array],
    leans_deg: Array,
    is_doubtful: Callable[[Array], Array],
) -> Array:
    """Return what a network says of how dice lie, in the mean of six looks where one is doubtful.

    Parameters
    ----------
    look : returns what it says (M, classes), logarithms, in each of M looks.
    leans_deg : (N, 2), of each die, as `Glance.lean_deg`.
    is_doubtful : given what it says (N, classes) at first, tells of which dice (N,) that is not
        plain.

    Returns
    -------
    ndarray of shape (N, classes).
    """
    told = look([Glance(k, lean, False) for k, lean in enumerate(leans_deg)])
    unsure = np.flatnonzero(is_doubtful(told))
    if len(unsure):
        again = [
            Glance(int(k), leans_deg[k] + off, mirrored)
            for off, mirrored in _OTHERWISE
            for k in unsure
        ]
        more = look(again).reshape(len(_OTHERWISE), len(unsure), -1).sum(axis=0)
        told[unsure] = (told[unsure] + more) / (1 + len(_OTHERWISE))
    return told
