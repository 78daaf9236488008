"""Brick ships: hulls with castles and studs, masts and sails, launches; from outline and height."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from vision.frame import Array
from vision.virtual.meshes import Colour, Facet, beam_at, clockwise, cut, flat, prism, shrunk

WOOD: Colour = (52, 84, 128)
DECK: Colour = (88, 132, 176)
DARK: Colour = (36, 56, 84)
CANVAS: Colour = (206, 226, 236)

FLEETS: dict[str, Colour] = {
    "red": (48, 40, 190),
    "blue": (184, 96, 30),
    "yellow": (50, 190, 230),
    "green": (70, 140, 44),
    "gray": (120, 118, 116),
    "black": (38, 36, 36),
    "white": (235, 240, 244),
    "orange": (40, 120, 230),
    "purple": (140, 56, 104),
}
"""Paint of a fleet's wales, sails and flags, blue-green-red."""

_STUD_MM = 8.0
"""One dot of a brick."""
_CLEAR_MM = 19.0
"""No sail stands so near the tag."""

Outline = tuple[tuple[float, float], ...]


@lru_cache(maxsize=256)
def ship_facets(outline_mm: Outline, height_mm: float, colour: str) -> tuple[Facet, ...]:
    """Return a ship with the tag's mast, from the water up.

    Parameters
    ----------
    outline_mm : tuple of (x, y)
        Its hull: x toward the bow, y to starboard, origin under the tag.
    height_mm : float
        Of the tag above the table; sails stay below it.
    colour : str
        One of `FLEETS`; a ship of any other colour has plain canvas.
    """
    hull = clockwise(np.array(outline_mm))
    deck_mm = _deck_mm(height_mm)
    trim = FLEETS.get(colour, WOOD)
    facets = [
        *prism(hull, 0.0, 0.6 * deck_mm, WOOD, DARK, flare=0.9),
        *prism(hull, 0.6 * deck_mm, 0.85 * deck_mm, trim, trim),
        *prism(hull, 0.85 * deck_mm, deck_mm, DARK, DARK),
        flat(shrunk(hull, 0.9), deck_mm, DECK),
        *_studs(shrunk(hull, 0.84), deck_mm, DECK),
    ]
    stern, bow = float(hull[:, 0].min()), float(hull[:, 0].max())
    length = bow - stern
    for part, rise in (
        (cut(hull, stern, stern + 0.22 * length), 0.55),
        (cut(hull, bow - 0.2 * length, bow), 0.3),
    ):
        if len(part) > 2:
            top_mm = deck_mm * (1 + rise)
            facets += prism(part, deck_mm, top_mm, WOOD, DARK)
            facets.append(flat(shrunk(part, 0.84), top_mm, DECK))
            facets += _studs(shrunk(part, 0.76), top_mm, DECK)
    facets += _bowsprit(bow, length, deck_mm)
    for x in _mast_places(stern, bow):
        facets += _rigged_mast(hull, x, deck_mm, height_mm, colour)
    facets += _pole(0.0, 0.0, deck_mm, height_mm, 3.0)
    facets += _pennant(stern, deck_mm, colour)
    return tuple(facets)


@lru_cache(maxsize=64)
def launch_facets(outline_mm: Outline, height_mm: float, colour: str) -> tuple[Facet, ...]:
    """Return an open boat with thwarts, and the tag's stick."""
    hull = clockwise(np.array(outline_mm))
    rim_mm = max(3.0, min(9.0, 0.5 * height_mm))
    facets = [
        *prism(hull, 0.0, rim_mm, WOOD, FLEETS.get(colour, WOOD), flare=0.85),
        flat(shrunk(hull, 0.78), rim_mm, DARK),
    ]
    stern, bow = float(hull[:, 0].min()), float(hull[:, 0].max())
    for share in (0.25, 0.45, 0.65):
        x = stern + share * (bow - stern)
        bench = cut(shrunk(hull, 0.86), x - 2.0, x + 2.0)
        if len(bench) > 2:
            facets.append(flat(bench, rim_mm, DECK))
    facets += _pole(0.0, 0.0, rim_mm, height_mm, 2.0)
    return tuple(facets)


def _deck_mm(height_mm: float) -> float:
    return max(4.0, min(20.0, 0.3 * height_mm))


def _studs(area: Array, height_mm: float, colour: Colour) -> Iterator[Facet]:
    """Yield the studs of the bricks on a deck: a shade beside each, then its top."""
    angles = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    ring = 2.3 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    dark = tuple(round(0.72 * c) for c in colour)
    light = tuple(min(255, round(1.08 * c)) for c in colour)
    low, high = area.min(axis=0), area.max(axis=0)
    for x in np.arange(low[0] + _STUD_MM / 2, high[0], _STUD_MM):
        port, starboard = beam_at(area, float(x))
        count = int((starboard - port) / _STUD_MM)
        for k in range(count):
            at = np.array([x, (port + starboard) / 2 + (k - (count - 1) / 2) * _STUD_MM])
            yield flat(ring * 1.25 + at + 0.5, height_mm, (dark[0], dark[1], dark[2]))
            yield flat(ring + at, height_mm + 1.7, (light[0], light[1], light[2]))


def _bowsprit(bow: float, length: float, deck_mm: float) -> list[Facet]:
    reach = min(0.14 * length, 28.0)
    spar = np.array([[bow - 4, -1.6], [bow + reach, -0.8], [bow + reach, 0.8], [bow - 4, 1.6]])
    return prism(spar, 1.2 * deck_mm, 1.2 * deck_mm + 2.5, DARK, WOOD)


def _mast_places(stern: float, bow: float) -> list[float]:
    """Return the x of the masts that bear sails: up to three, none beside the tag's."""
    length = bow - stern
    count = 2 if length < 190 else 3
    places = np.linspace(stern + 0.2 * length, bow - 0.24 * length, count)
    chosen = [float(x) for x in places if abs(x) >= _CLEAR_MM]
    if length >= 90 and chosen:
        return chosen
    return [x for x in (0.55 * bow, bow - 8.0) if x >= _CLEAR_MM][:1]


def _pennant(stern: float, deck_mm: float, colour: str) -> list[Facet]:
    """Return a fleet's flag, flying over the stern."""
    staff_mm = deck_mm + 16.0
    cloth = np.array([[0, 0, 0], [-13, 2, 0], [-13, 2, 9], [0, 0, 9]], float)
    cloth = cloth + np.array([stern + 2, 0, -staff_mm])
    # It flutters, so that it is seen from above as well.
    cloth[2:, 1] += 7.0
    normal = np.cross(cloth[1] - cloth[0], cloth[3] - cloth[0])
    flag = Facet(cloth, normal / np.linalg.norm(normal), FLEETS.get(colour, CANVAS), is_thin=True)
    return [*_pole(stern + 2, 0.0, deck_mm, staff_mm, 0.9), flag]


def _rigged_mast(
    hull: Array, x: float, deck_mm: float, height_mm: float, colour: str
) -> list[Facet]:
    """Return a mast with a square sail that the wind fills toward the bow."""
    port, starboard = beam_at(hull, x)
    middle, half = (port + starboard) / 2, 0.62 * (starboard - port) + 4.0
    top_mm = 0.92 * height_mm
    foot_mm, head_mm = deck_mm + 0.22 * (top_mm - deck_mm), deck_mm + 0.86 * (top_mm - deck_mm)
    facets = _pole(x, middle, deck_mm, top_mm, 2.4)
    if head_mm - foot_mm < 6.0:
        return facets
    stripe = FLEETS.get(colour, CANVAS)
    across, up = np.linspace(-1, 1, 8), np.linspace(0, 1, 4)
    belly = min(14.0, 0.45 * half)

    def at(u: float, v: float) -> tuple[float, float, float]:
        width = half * (1.06 - 0.16 * v)
        swell = belly * (1 - u * u) * np.sin(np.pi * (0.15 + 0.75 * v))
        return x + 3.0 + float(swell), middle + u * width, -(foot_mm + v * (head_mm - foot_mm))

    for j in range(len(up) - 1):
        for k in range(len(across) - 1):
            corners = np.array(
                [at(across[k + a], up[j + b]) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))]
            )
            normal = np.cross(corners[1] - corners[0], corners[3] - corners[0])
            cloth = stripe if k % 2 == 0 else CANVAS
            facets.append(Facet(corners, normal / np.linalg.norm(normal), cloth, is_thin=True))
    yard = np.array([[x + 1, -half], [x + 3.5, -half], [x + 3.5, half], [x + 1, half]])
    yard = yard * (1, 0.95) + np.array([0, middle])
    return [*facets, *prism(yard, head_mm, head_mm + 2.5, DARK, DARK)]


def _pole(x: float, y: float, low_mm: float, high_mm: float, radius_mm: float) -> list[Facet]:
    angles = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    ring = np.stack([x + radius_mm * np.cos(angles), y + radius_mm * np.sin(angles)], axis=1)
    return prism(ring, low_mm, high_mm, WOOD, WOOD) if high_mm > low_mm else []
