"""The colours a board can be printed in."""

from __future__ import annotations

from dataclasses import dataclass

from vision.printing.drawing import RGB, WHITE


@dataclass(frozen=True, slots=True)
class BoardStyle:
    """The colours of a printed board."""

    id: str
    paper: RGB
    sea: RGB
    line: RGB
    ink: RGB
    """Title, zones and compass."""
    accent: RGB
    """The middle cell's diamond, the cross where treasure lies."""
    land: RGB


STYLES: dict[str, BoardStyle] = {
    style.id: style
    for style in (
        BoardStyle(
            id="deep",
            paper=(33, 60, 106),
            sea=(44, 98, 158),
            line=(205, 228, 246),
            ink=(214, 206, 178),
            accent=WHITE,
            land=(196, 166, 108),
        ),
        BoardStyle(
            id="chart",
            paper=(238, 226, 196),
            sea=(196, 221, 226),
            line=(84, 108, 122),
            ink=(96, 66, 40),
            accent=(172, 44, 34),
            land=(216, 190, 136),
        ),
        BoardStyle(
            id="night",
            paper=(34, 36, 42),
            sea=(38, 52, 84),
            line=(98, 150, 190),
            ink=(176, 150, 96),
            accent=WHITE,
            land=(104, 90, 66),
        ),
    )
}
"""``chart`` saves ink; ``deep`` is the one to have printed in a shop."""
