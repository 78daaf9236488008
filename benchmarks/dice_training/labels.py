"""How dice of a picture are labelled, by whatever made it."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.dice_training.pictures import SKIPPED
from benchmarks.dice_training.solids import Solid
from vision.dice.kinds import NOTHING

_PARTLY, _WHOLE = 0.75, 0.87
"""Shares of a die that are seen: up to the first it is not told, from the second on it is."""


@dataclass(frozen=True)
class Seen:
    """A die in a picture, as it is labelled."""

    kind: str
    """Of `vision.dice.kinds.KINDS`; `NOTHING` where it cannot be told."""
    die: str
    """What it is, whether it can be told or not."""
    face: int
    box: tuple[float, float, float, float]
    """x, y, width, height in pixels."""
    lean_deg: float
    """Between the view to it and straight down."""
    up_deg: float
    """Which way up is at its place: from the picture's right towards its lower side."""
    visible: float
    """Share of it that lies in the picture and is covered by nothing."""
    is_hidden: bool
    """As `pictures.Labelled.is_hidden`."""
    own: tuple[float, float] | None
    """If it is cocked: how far aside and which way up the die itself is seen, degrees."""

    def label(self) -> dict:
        """Return the label as it is stored (`pictures.drawn_pictures`)."""
        return {
            "kind": self.kind,
            "die": self.die,
            "value": int(self.face),
            "box": [round(float(v), 1) for v in self.box],
            "lean": round(self.lean_deg, 1),
            "up": round(self.up_deg),
            "visible": round(self.visible, 2),
            "hidden": self.is_hidden,
            "own": self.own and [round(v, 1) for v in self.own],
        }


def kind_as_seen(solid: Solid, visible: float, is_whole: bool) -> str:
    """Return a die's kind if it can be told and so much of it is seen, all in the picture."""
    if not solid.is_told:
        return NOTHING
    if is_whole and _PARTLY < visible <= _WHOLE:
        return SKIPPED
    return solid.kind if is_whole and visible > _WHOLE else NOTHING
