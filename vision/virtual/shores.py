"""What ships sail round: islands with palms, waters, forts; from outline and height."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.frame import Array
from vision.virtual.meshes import Colour, Facet, clockwise, flat, prism, shrunk
from vision.virtual.ships import FLEETS, Outline

SAND: Colour = (140, 200, 224)
GRASS: Colour = (62, 138, 96)
BUSH: Colour = (44, 104, 66)
TRUNK: Colour = (60, 92, 128)
LEAF: Colour = (52, 146, 62)
STONE: Colour = (138, 148, 154)
ROCK: Colour = (96, 104, 112)
SHALLOW: Colour = (186, 178, 96)
SURF: Colour = (232, 226, 206)

_CLEAR_MM = 24.0
"""Nothing grows so near the tag."""


@lru_cache(maxsize=64)
def island_facets(outline_mm: Outline, height_mm: float, seed: int) -> tuple[Facet, ...]:
    """Return an island: surf, a beach, a green hill lower than its tag, and palms."""
    rng = np.random.default_rng(seed)
    shore = clockwise(np.array(outline_mm))
    hill_mm = min(8.0, max(0.8, 0.8 * height_mm))
    facets = [
        flat(_wavy(shrunk(shore, 1.12), 2.0, rng), 0.1, SHALLOW),
        flat(shrunk(shore, 1.025), 0.2, SURF),
        *prism(shore, 0.0, 0.4 * hill_mm, SAND, SAND),
        *prism(_wavy(shrunk(shore, 0.76), 3.0, rng), 0.4 * hill_mm, 0.75 * hill_mm, GRASS, GRASS),
        *prism(_wavy(shrunk(shore, 0.5), 3.0, rng), 0.75 * hill_mm, hill_mm, BUSH, BUSH, 1.1),
    ]
    for x, y in _spots(shore, rng, 7):
        facets += _palm(x, y, 0.5 * hill_mm, rng)
    return tuple(facets)


@dataclass(frozen=True, slots=True)
class Waters:
    """How a kind of water looks: rings from its edge inward, and what stands out of it."""

    rings: tuple[Colour, ...]
    rocks: tuple[Colour, Colour] | None = None
    """Their sides and tops."""


WATERS: dict[str, Waters] = {
    "reef": Waters((SHALLOW, SURF, SHALLOW), (ROCK, STONE)),
    "fog": Waters(((206, 202, 196), (222, 219, 214), (236, 234, 230))),
    "sargasso": Waters(((70, 112, 84), (52, 98, 96), (66, 120, 122))),
    "iceberg": Waters(((206, 186, 140), (228, 214, 186)), ((222, 206, 184), (252, 248, 240))),
    "whirlpool": Waters(((150, 96, 40), (122, 70, 24), (176, 130, 70), (104, 56, 16), (70, 34, 8))),
}


@lru_cache(maxsize=64)
def water_facets(kind: str, outline_mm: Outline, seed: int) -> tuple[Facet, ...]:
    """Return one of `WATERS`: nothing in it is high."""
    rng, look = np.random.default_rng(seed), WATERS[kind]
    shore = clockwise(np.array(outline_mm))
    facets = [flat(shore, 0.1, look.rings[0])]
    for k, colour in enumerate(look.rings[1:], 1):
        inner = shrunk(shore, 1 - 0.9 * k / len(look.rings))
        facets.append(flat(_wavy(inner, 2.0, rng), 0.1 + 0.1 * k, colour))
    spots = _spots(shore, rng, 9) if look.rocks else []
    for x, y in spots:
        side, top = look.rocks or (ROCK, STONE)
        radius = float(rng.uniform(0.05, 0.12)) * float(np.ptp(shore[:, 0]))
        rock = _wavy(_ring((x, y), radius, 7), 0.25 * radius, rng)
        facets += prism(clockwise(rock), 0.0, float(rng.uniform(2, 9)), side, top, 1.3)
    return tuple(facets)


@lru_cache(maxsize=64)
def fort_facets(outline_mm: Outline, height_mm: float, colour: str) -> tuple[Facet, ...]:
    """Return a fort: walls with merlons, a court, a flag, and a tower under the tag."""
    plan = clockwise(np.array(outline_mm))
    wall_mm = max(4.0, min(26.0, 0.6 * height_mm))
    court: Colour = (112, 132, 142)
    facets = [
        *prism(plan, 0.0, wall_mm, STONE, STONE, 1.06),
        flat(shrunk(plan, 0.8), wall_mm, court),
    ]
    walk = shrunk(plan, 0.93)
    for k in range(len(plan)):
        start, end = walk[k], walk[(k + 1) % len(plan)]
        for share in np.arange(0.1, 1.0, 0.2):
            at = (
                shrunk(plan, 0.94)[k] * (1 - share)
                + shrunk(plan, 0.94)[(k + 1) % len(plan)] * share
            )
            size = min(3.0, 0.06 * float(np.linalg.norm(end - start)))
            facets += prism(_ring(at, size * 1.4, 4), wall_mm, wall_mm + 4.0, STONE, SURF)
    corner = shrunk(plan, 0.7)[0]
    facets += prism(_ring(corner, 1.2, 5), wall_mm, wall_mm + 30.0, TRUNK, TRUNK)
    cloth = np.array([[0, 0, -14.0], [20, 3, -14.0], [20, 3, 0.0], [0, 0, 0.0]])
    cloth = cloth + np.array([*corner, -(wall_mm + 15.0)])
    facets.append(Facet(cloth, np.array([0.15, -0.99, 0.0]), FLEETS.get(colour, SURF), True))
    if height_mm > wall_mm:
        facets += prism(_ring((0.0, 0.0), 14.0, 8), wall_mm, height_mm, STONE, STONE, 1.1)
    return tuple(facets)


@lru_cache(maxsize=64)
def block_facets(outline_mm: Outline, height_mm: float, colour: str) -> tuple[Facet, ...]:
    """Return a plain block, for pieces nobody has modelled."""
    plan = clockwise(np.array(outline_mm))
    return tuple(prism(plan, 0.0, max(1.0, height_mm), FLEETS.get(colour, STONE), STONE))


def _wavy(outline: Array, by_mm: float, rng: np.random.Generator) -> Array:
    """Return an outline (N, 2) with its corners rounded off and a little irregular."""
    points = outline + rng.uniform(-by_mm, by_mm, outline.shape)
    for _ in range(2):
        after = np.roll(points, -1, axis=0)
        pairs = np.stack([0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after], axis=1)
        points = pairs.reshape(-1, 2)
    return np.asarray(points)


def _ring(middle: Array | tuple[float, float], radius: float, count: int) -> Array:
    angles = np.linspace(0, 2 * np.pi, count, endpoint=False) + 0.4
    return np.asarray(middle) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def _spots(shore: Array, rng: np.random.Generator, count: int) -> list[tuple[float, float]]:
    """Return places well inside an outline, none beside the tag, those far from us first."""
    spots = []
    for _ in range(count * 3):
        corner, share = shore[int(rng.integers(len(shore)))], float(rng.uniform(0.45, 0.8))
        x, y = corner * share + rng.uniform(-4, 4, 2)
        if np.hypot(x, y) > _CLEAR_MM:
            spots.append((float(x), float(y)))
    return sorted(spots[:count], key=lambda spot: spot[1])


def _palm(x: float, y: float, foot_mm: float, rng: np.random.Generator) -> list[Facet]:
    """Return a palm: a leaning trunk and a star of leaves."""
    lean = rng.uniform(-5, 5, 2)
    top_mm = foot_mm + float(rng.uniform(14, 22))
    trunk = prism(_ring((x, y), 1.0, 5), foot_mm, top_mm, TRUNK, TRUNK)
    middle = np.array([x, y]) + 0.3 * lean
    leaves = []
    start = float(rng.uniform(0, 1))
    for k in range(7):
        angle = 2 * np.pi * k / 7 + start
        way, side = (
            np.array([np.cos(angle), np.sin(angle)]),
            np.array([-np.sin(angle), np.cos(angle)]),
        )
        tip, knee = middle + 10 * way, middle + 5 * way
        shape = np.array([middle, knee + 1.9 * side, tip, knee - 1.9 * side])
        fade = 0.85 + 0.3 * (k % 2)
        colour = tuple(min(255, round(fade * c)) for c in LEAF)
        leaves.append(flat(clockwise(shape), top_mm, (colour[0], colour[1], colour[2])))
    return [*trunk, *leaves]
