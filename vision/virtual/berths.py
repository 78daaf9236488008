"""Where people put pieces down: never quite in the middle, and never twice the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
    came_from = _journeys(was, now)
    for cell, content in sorted(now.cells.items()):
        if not content.ships:
            continue
        if content.ships == was.at(cell).ships and all((cell, c) in old for c in content.ships):
            new.update({(cell, c): old[cell, c] for c in content.ships})
            continue
        lift = TILE_MM if content.terrain else 0.0
        headings = {
            colour: _heading(cell, colour, old, came_from, profile, rng) for colour in content.ships
        }
        if len(headings) > 1:
            headings = _side_by_side(headings, came_from, cell)
        places = _places(cell, headings, profile, rng)
        for (colour, heading), (x, y) in zip(headings.items(), places, strict=True):
            shade = _shade(cell, colour, old, came_from, rng)
            new[cell, colour] = ShipPose(colour, x, y, heading, lift, shade)
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


def _heading(
    cell: Cell,
    colour: str,
    old: Ships,
    came_from: Mapping[tuple[Cell, str], Cell],
    profile: BoardProfile,
    rng: np.random.Generator,
) -> float:
    origin = came_from.get((cell, colour))
    if origin is not None:
        (x0, y0), (x1, y1) = profile.cell_centre_mm(origin), profile.cell_centre_mm(cell)
        return float(np.degrees(np.arctan2(y1 - y0, x1 - x0)) + rng.normal(0, 5))
    if (cell, colour) in old:  # it only makes room, or takes it back
        return old[cell, colour].heading_deg + float(rng.normal(0, 2))
    return 60.0 * int(rng.integers(6)) + float(rng.normal(0, 8))


def _side_by_side(
    headings: Mapping[str, float], came_from: Mapping[tuple[Cell, str], Cell], cell: Cell
) -> dict[str, float]:
    """Let all ships point as the one that lay there first does, else they would not fit."""
    first = next((c for c in headings if (cell, c) not in came_from), next(iter(headings)))
    return {
        colour: headings[first] + (0 if colour == first else angle % 12 - 6)
        for colour, angle in headings.items()
    }


def _shade(
    cell: Cell,
    colour: str,
    old: Ships,
    came_from: Mapping[tuple[Cell, str], Cell],
    rng: np.random.Generator,
) -> float:
    """Return the shade of a ship's paint: it takes it along on its way."""
    known = old.get((came_from.get((cell, colour), cell), colour))
    return known.shade if known is not None else float(rng.uniform(0.92, 1.08))


def _places(
    cell: Cell, headings: Mapping[str, float], profile: BoardProfile, rng: np.random.Generator
) -> Iterator[tuple[float, float]]:
    """Yield a place on the cell for each ship: the middle, or side by side."""
    x, y = profile.cell_centre_mm(cell)
    if len(headings) == 1:
        off, way = _OFF_MM * np.sqrt(rng.random()), 2 * np.pi * rng.random()
        yield x + float(off * np.cos(way)), y + float(off * np.sin(way))
        return
    abeam = np.radians(next(iter(headings.values())) + 90)
    for side in np.linspace(-1, 1, len(headings)):
        dx, dy = rng.normal(0, 0.6, 2) + side * _BESIDE_MM * np.array(
            [np.cos(abeam), np.sin(abeam)]
        )
        yield x + float(dx), y + float(dy)
