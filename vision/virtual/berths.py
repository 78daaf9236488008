"""Where people put pieces down: never quite in the middle, and never twice the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell, Layout
from vision.virtual.pieces import TILE_MM, ShipPose, TilePose

_OFF_MM = 4.0
"""Greatest distance of a lone ship from the middle of its cell."""
_BESIDE_MM = 9.0
"""Distance of two ships on one cell from its middle, to either side."""

Ships = Mapping[tuple[Cell, str], ShipPose]
"""Ships by cell and colour; two of one colour never share a cell."""


def berth_ships(
    old: Ships, was: Layout, now: Layout, profile: BoardProfile, rng: np.random.Generator
) -> dict[tuple[Cell, str], ShipPose]:
    """Return where all ships stand in a new layout.

    A ship whose cell holds the same ships as before keeps its exact pose. One that came from
    elsewhere points along its way.
    """
    new: dict[tuple[Cell, str], ShipPose] = {}
    berths = _Berths(old, _journeys(was, now), profile, rng)
    for cell, content in sorted(now.cells.items()):
        if not content.ships:
            continue
        if content.ships == was.at(cell).ships and all((cell, c) in old for c in content.ships):
            new.update({(cell, c): old[cell, c] for c in content.ships})
            continue
        lift = TILE_MM if content.terrain else 0.0
        headings = berths.headings(cell, content.ships)
        places = berths.places(cell, headings)
        for (colour, heading), (x, y) in zip(headings.items(), places, strict=True):
            new[cell, colour] = ShipPose(colour, x, y, heading, lift, berths.shade(cell, colour))
    return new


def berth_tiles(
    old: Mapping[Cell, TilePose], now: Layout, profile: BoardProfile, rng: np.random.Generator
) -> dict[Cell, TilePose]:
    """Return where all terrain tiles lie; one that stays keeps its pose."""
    new: dict[Cell, TilePose] = {}
    for cell, content in sorted(now.cells.items()):
        if content.terrain is None:
            continue
        lying = old.get(cell)
        if lying is None or lying.terrain != content.terrain:
            x, y = profile.cell_centre_mm(cell)
            dx, dy = rng.normal(0, 0.4, 2)
            turn = 60.0 * int(rng.integers(6)) + float(rng.normal(0, 1.5))
            lying = TilePose(content.terrain, x + float(dx), y + float(dy), turn)
        new[cell] = lying
    return new


def _journeys(was: Layout, now: Layout) -> dict[tuple[Cell, str], Cell]:
    """Match each ship that appeared on a cell with the nearest of its colour that left one."""

    def ships(layout: Layout) -> set[tuple[Cell, str]]:
        return {(cell, colour) for cell, c in layout.cells.items() for colour in c.ships}

    left = sorted(ships(was) - ships(now))
    journeys: dict[tuple[Cell, str], Cell] = {}
    for cell, colour in sorted(ships(now) - ships(was)):
        origins = [origin for origin, other in left if other == colour]
        if origins:
            nearest = min(origins, key=lambda o: (o[0] - cell[0]) ** 2 + (o[1] - cell[1]) ** 2)
            journeys[cell, colour] = nearest
            left.remove((nearest, colour))
    return journeys


@dataclass(frozen=True, slots=True)
class _Berths:
    """How ships are put down that did not lie as they do now."""

    old: Ships
    came_from: Mapping[tuple[Cell, str], Cell]
    profile: BoardProfile
    rng: np.random.Generator

    def headings(self, cell: Cell, ships: Iterable[str]) -> dict[str, float]:
        """Return the headings of the ships on a cell, degrees.

        Several all point as the one that lay there first does, else they would not fit.
        """
        headings = {colour: self._heading(cell, colour) for colour in ships}
        if len(headings) < 2:
            return headings
        lay_there = (c for c in headings if (cell, c) not in self.came_from)
        first = next(lay_there, next(iter(headings)))
        return {
            colour: headings[first] + (0 if colour == first else angle % 12 - 6)
            for colour, angle in headings.items()
        }

    def _heading(self, cell: Cell, colour: str) -> float:
        origin = self.came_from.get((cell, colour))
        if origin is not None:
            (x0, y0), (x1, y1) = map(self.profile.cell_centre_mm, (origin, cell))
            return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)) + self.rng.normal(0, 5))
        if (cell, colour) in self.old:  # it only makes room, or takes it back
            return self.old[cell, colour].heading_deg + float(self.rng.normal(0, 2))
        return 60.0 * int(self.rng.integers(6)) + float(self.rng.normal(0, 8))

    def shade(self, cell: Cell, colour: str) -> float:
        """Return the shade of a ship's paint: it takes it along on its way."""
        known = self.old.get((self.came_from.get((cell, colour), cell), colour))
        return known.shade if known is not None else float(self.rng.uniform(0.92, 1.08))

    def places(self, cell: Cell, headings: Mapping[str, float]) -> Iterator[tuple[float, float]]:
        """Yield a place on the cell for each ship: the middle, or side by side."""
        x, y = self.profile.cell_centre_mm(cell)
        if len(headings) == 1:
            off, way = _OFF_MM * np.sqrt(self.rng.random()), 2 * np.pi * self.rng.random()
            yield x + float(off * np.cos(way)), y + float(off * np.sin(way))
            return
        abeam = np.radians(next(iter(headings.values())) + 90)
        for side in np.linspace(-1, 1, len(headings)):
            aside = side * _BESIDE_MM * np.array([np.cos(abeam), np.sin(abeam)])
            dx, dy = self.rng.normal(0, 0.6, 2) + aside
            yield x + float(dx), y + float(dy)
