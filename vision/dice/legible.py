"""Are the dice large enough in the picture? Said in numbers, for the people who set it up."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from vision.dice.kinds import SHAPES
from vision.dice.reading import SeenDie

NEEDED_PX = 18
"""Height of a numeral, or width of five pips, from which on dice are read well."""
_SIGN_SHARE = {
    "cube": 0.55,
    "icosahedron": 0.27,
    "tetrahedron": 0.25,
    "dodecahedron": 0.3,
    "octahedron": 0.4,
    "trapezohedron": 0.35,
    "log": 0.45,
}
"""Height of the sign on top in sides of the die's box."""


def sign_px(die: SeenDie) -> float | None:
    """Return how high the sign on top is in the picture, or ``None`` if the kind is not known."""
    best = die.best
    if best is None:
        return None
    return _SIGN_SHARE[SHAPES[best[0].kind]] * max(die.box[2:])


def advice(dice: Iterable[SeenDie]) -> str | None:
    """Return what to do about dice that are too small to be read, ``None`` if they are not."""
    sizes = [size for size in (sign_px(die) for die in dice) if size is not None]
    if not sizes:
        return None
    smallest = float(np.median(sizes))
    if smallest >= NEEDED_PX:
        return None
    return (
        f"a digit is {smallest:.0f} px tall, I need {NEEDED_PX}: "
        "come closer, use the camera's full picture, or use a second camera over the tray"
    )
