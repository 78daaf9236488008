"""Can the dice of a picture be read well, and what to do: said to the people who set it up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from companion.rules.dice import die_words
from companion.table.observation import DieReading
from vision.dice.crops import Box
from vision.dice.kinds import SHAPES
from vision.dice.reading import SURE, SeenDie
from vision.dice.washed_out import is_washed_out
from vision.frame import Image

NEEDED_PX = 18
"""Height of a numeral, or width of five pips, from which on dice are read well."""
ASLANT = (
    "I may see a {} too much from the side: its next number is as plain as the one on top; "
    "let the camera look down from above"
)
"""What to do about dice that are seen too far aside, given their kind."""
WASHED_OUT = (
    "the top of a die is as bright as I can see, what it shows is lost in the light: "
    "dim the lamp, or move it so that the die does not mirror it"
)
_SIGN_SHARE = {
    "cube": 0.55,
    "icosahedron": 0.27,
    "tetrahedron": 0.25,
    "dodecahedron": 0.3,
    "octahedron": 0.4,
    "trapezohedron": 0.35,
    "log": 0.45,
    "d20": 0.2,
    "d100": 0.22,
}
"""Height of the sign on top in sides of the die's box, by shape, or by kind where it is lower."""


def sign_px(kind: str, box: Sequence[float]) -> float:
    """Return how high the sign on top of a die is in the picture, given its box (x, y, w, h)."""
    return _SIGN_SHARE.get(kind, _SIGN_SHARE[SHAPES[kind]]) * max(box[2:])


def advice(dice: Iterable[tuple[str, Sequence[float]]]) -> str | None:
    """Return what to do about dice that are too small to be read, ``None`` if they are not.

    Parameters
    ----------
    dice : kind and box (x, y, width, height in pixels) of each.
    """
    sizes = [sign_px(kind, box) for kind, box in dice]
    if not sizes:
        return None
    smallest = float(np.median(sizes))
    if smallest >= NEEDED_PX:
        return None
    return (
        f"a digit is {int(smallest)} px tall, I need {NEEDED_PX}: "
        "come closer, use the camera's full picture, or use a second camera over the tray"
    )


def advice_on_picture(seen: Sequence[SeenDie], picture: Image) -> str | None:
    """Return what to do about the dice of a picture: too small, seen aslant, or washed out."""
    told = [(die, die.best[0].kind) for die in seen if die.best is not None]
    aslant = next((ASLANT.format(die_words(kind)) for die, kind in told if die.is_too_aslant), None)
    unsure = any(not die.is_answered for die in seen)
    small = advice((kind, die.box) for die, kind in told) if unsure else None
    lit = _advice_on_light(picture, [die.box for die in seen if not die.is_answered])
    return "; ".join(text for text in (small, aslant, lit) if text) or None


def advice_on(readings: Sequence[DieReading], picture: Image, sure: float = SURE) -> str | None:
    """Return the same for a tray, but only if something in it is told with less than `sure`."""
    unsure = [die.box_px for die in readings if die.p < sure]
    if not unsure:
        return None
    small = advice((die.best[0].kind, die.box_px) for die in readings if die.best is not None)
    return "; ".join(text for text in (small, _advice_on_light(picture, unsure)) if text) or None


def _advice_on_light(picture: Image, unsure: Iterable[Box]) -> str | None:
    return WASHED_OUT if any(is_washed_out(picture, box) for box in unsure) else None
