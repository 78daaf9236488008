"""Cubes with round edges, hollow pips and mirrored lamps, for the training pictures.

Each pixel's ray is followed to a rounded cube, so that edges, pips and gloss look like those of
moulded dice. Millimetres, z up; colours are BGR floats from 0 to 255.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.solids import Side, Solid
from vision.frame import Array

_STEPS = 14
"""Steps along a ray; flat sides need one, round edges more."""
_HIT_MM = 0.04
_BUMP = 0.16
"""Height of the ripples of a surface that is not quite even, as a slope."""

_RIM = 0.8
"""How far a side is rounded off outside a pip, in radii of the pip."""
_MARBLED = np.log([0.15, 1.6])
"""Of how fine marble is, radians a millimetre: from one swirl a side to such as are small as pips,
which must not be counted with them."""


@dataclass(frozen=True, eq=False)
class Lamp:
    """Something bright that is mirrored: a disc, a ring or a window, as angles seen from below."""

    way: Array
    """Unit vector (3,) to its middle."""
    shape: str
    """``disc``, ``ring`` or ``window``."""
    wide: float
    """Half its width as a tangent."""
    high: float
    """Half its height, or the thickness of a ring."""
    glow: float

    @staticmethod
    def random(rng: np.random.Generator, eye: Array) -> Lamp:
        """Return a lamp overhead; half of them are where the tops of dice mirror them.

        `eye` is where the camera is, (3,).
        """
        way = np.array([*rng.normal(0, 0.35, 2), 1.0])
        if rng.random() < 0.5:
            way = eye * [-1, -1, 1] / eye[2] + [*rng.normal(0, 0.12, 2), 0.0]
        shape = str(rng.choice(["disc", "ring", "window"], p=[0.35, 0.35, 0.3]))
        wide = float(np.exp(rng.uniform(np.log(0.05), np.log(0.5))))
        high = wide * rng.uniform(0.12, 0.4) if shape == "ring" else wide * rng.uniform(0.3, 1.5)
        return Lamp(
            way / np.linalg.norm(way), shape, wide, high, float(np.exp(rng.uniform(0.7, 3)))
        )

    @staticmethod
    def around_camera(rng: np.random.Generator, eye: Array) -> Lamp:
        """Return a ring of light near the camera at `eye` (3,), as many a photograph is taken with:
        what is level mirrors it, and all of it is seen in what is bent.
        """
        way = eye * [-1, -1, 1] / eye[2] + [*rng.normal(0, 0.06, 2), 0.0]
        wide = float(np.exp(rng.uniform(np.log(0.08), np.log(0.4))))
        return Lamp(
            way / np.linalg.norm(way), "ring", wide, wide * rng.uniform(0.08, 0.3),
            float(np.exp(rng.uniform(2, 4))),
        )  # fmt: skip

    def mirrored(self, ways: Array, blur: float) -> Array:
        """Return how bright it is in mirrored directions (N, 3), with soft edges."""
        right = np.cross(self.way, [0.3, 1.0, 0.1])
        right /= np.linalg.norm(right)
        ahead = np.maximum(ways @ self.way, 1e-3)
        u, v = ways @ right / ahead, ways @ np.cross(self.way, right) / ahead
        if self.shape == "window":
            inside = np.minimum(self.wide - np.abs(u), self.high - np.abs(v))
            inside = np.minimum(inside, np.abs(u) - 0.06 * self.wide)  # the bar in its middle
        else:
            far = np.hypot(u, v)
            inside = (
                self.high - np.abs(far - self.wide) if self.shape == "ring" else self.wide - far
            )
        return np.asarray(self.glow * np.clip(inside / blur + 0.5, 0, 1))


@dataclass(frozen=True, eq=False)
class Make:
    """How a cube is moulded and painted, apart from its colours."""

    round_mm: float
    ball: float
    """Radius of the ball that cuts the corners, in half sides; large for none."""
    hollow: float
    """Slope at the rim of a pip."""
    rim: float
    """Slope of the side just outside a pip, where polishing has rounded it off."""
    bulge: float
    """Slope of a side at its edge; negative where it is sunken."""
    gloss: float
    blur: float
    ripple: float
    pattern: str
    """``plain``, ``marbled``, ``speckled`` or ``clear``."""
    pip: str
    """``full`` or ``ring``."""

    @staticmethod
    def random(rng: np.random.Generator) -> Make:
        """Return some make."""
        return Make(
            round_mm=float(np.exp(rng.uniform(np.log(0.4), np.log(4.5)))),
            ball=rng.uniform(1.25, 1.6) if rng.random() < 0.4 else 9.0,
            hollow=rng.uniform(0.3, 1.2) if rng.random() < 0.75 else 0.0,
            rim=rng.uniform(0.05, 0.5) if rng.random() < 0.5 else 0.0,
            bulge=rng.normal(0, 0.12) if rng.random() < 0.6 else 0.0,
            gloss=rng.uniform(0.25, 1.3) if rng.random() < 0.65 else 0.0,
            blur=float(np.exp(rng.uniform(np.log(0.03), np.log(0.5)))),
            ripple=rng.uniform(0, _BUMP) if rng.random() < 0.4 else 0.0,
            pattern=str(
                rng.choice(["plain", "marbled", "speckled", "clear"], p=[0.45, 0.22, 0.08, 0.25])
            ),
            pip="ring" if rng.random() < 0.03 else "full",
        )


def draw_cube(
    layer: Array,
    corner: Array,
    solid: Solid,
    shift: Array,
    eye: Eye,
    light: tuple[Array, float, list[Lamp]],
    make: Make,
    paint: tuple[Array, Array, dict[int, Array]],
    sides_paint: dict[int, Array],
    glyphs: dict[int, list[Array]],
    rng: np.random.Generator,
) -> Array:
    """Draw a cube over part of a picture; return where it is (H, W) bool.

    Parameters
    ----------
    layer : (H, W, 3) float32, the part of the picture; it is drawn over.
    corner : pixel of the picture at which the part begins.
    shift : added to the solid's places.
    light : way to the light, ambient share, lamps that are mirrored.
    paint : body, its second colour, ink of each side.
    sides_paint : colours of sides that have their own, by number of the side.
    glyphs : for each side the coverage pictures of its prints, in their order.
    """
    rows, columns = np.mgrid[0 : layer.shape[0], 0 : layer.shape[1]]
    rays = eye.rays(columns.ravel() + corner[0], rows.ravel() + corner[1])
    axes = np.stack([solid.sides[k].normal for k in range(3)])
    half = float(axes[0] @ (solid.sides[0].corners.mean(0) - solid.sides[3].corners.mean(0))) / 2
    middle = solid.corners.mean(0) + shift
    start, way = axes @ (eye.place - middle), rays @ axes.T
    hit, places = _followed(start, way, half, make)
    shown = hit.reshape(layer.shape[:2])
    if not hit.any():
        return shown
    normals = _normals(places, half, make)
    number = np.abs(places).argmax(1)
    number = number + 3 * (places[np.arange(len(places)), number] < 0)
    cover, slope = np.zeros(len(places)), np.zeros_like(places)
    body = _body(places, layer[shown], make, paint[:2], rng)
    for k in np.unique(number):
        here = number == k
        if int(k) in sides_paint:
            body[here] = sides_paint[int(k)] + 0.15 * (body[here] - paint[0])
        side = solid.sides[k]
        cover[here], slope[here] = _printed(
            places[here], side, glyphs[int(k)], axes, middle - shift, make
        )
        if make.pattern == "clear":  # what is printed below shines through
            across = axes @ side.normal
            below = places[here] - 2 * np.outer(places[here] @ across, across)
            off = below + rng.normal(0, 0.6, 3)
            other = (int(k) + 3) % 6
            through, _ = _printed(
                off, solid.sides[other], glyphs[other], axes, middle - shift, make
            )
            dim = rng.uniform(0, 0.6) * through[:, None]
            body[here] = body[here] * (1 - dim) + 0.5 * dim * (body[here] * 0.5 + paint[2][other])
    ink = np.stack([paint[2][k] for k in range(6)])[number]
    told = _lit(
        body * (1 - cover[:, None]) + ink * cover[:, None],
        (normals, slope, places, half), way[hit], axes, light, make, rng,
    )  # fmt: skip
    layer[shown] = told
    return np.asarray(shown)


def _followed(start: Array, way: Array, half: float, make: Make) -> tuple[Array, Array]:
    """Return which rays meet the cube, and where (in its own frame)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (-half - start) / way, (half - start) / way
    near, far = np.minimum(one, other).max(1), np.maximum(one, other).min(1)
    meets = near < far
    index = np.flatnonzero(meets)
    along = near[index]
    chosen = way[index]
    places = start + along[:, None] * chosen
    for _ in range(_STEPS):
        away = _distance(places, half, make)
        along = along + away
        places = start + along[:, None] * chosen
    good = (_distance(places, half, make) < _HIT_MM) & (along < far[index] + 0.2)
    hit = np.zeros(len(way), bool)
    hit[index[good]] = True
    return hit, places[good]


def _distance(places: Array, half: float, make: Make) -> Array:
    """Return how far places (N, 3) are from the cube's surface; negative inside."""
    x, y, z = np.abs(places).T  # one at a time: three times as fast
    far = np.sqrt(x * x + y * y + z * z)
    x, y, z = (v - (half - make.round_mm) for v in (x, y, z))
    inside = np.minimum(np.maximum(np.maximum(x, y), z), 0)
    x, y, z = (np.maximum(v, 0) for v in (x, y, z))
    box = np.sqrt(x * x + y * y + z * z) + inside - make.round_mm
    return np.asarray(np.maximum(box, far - make.ball * half))


def _normals(places: Array, half: float, make: Make) -> Array:
    beyond = np.maximum(np.abs(places) - (half - make.round_mm), 1e-6)
    normals = beyond * np.sign(places)
    far = np.linalg.norm(places, axis=1)
    on_ball = np.abs(far - make.ball * half) < 2 * _HIT_MM
    normals[on_ball] = places[on_ball]
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _body(
    places: Array, floor: Array, make: Make, paint: tuple[Array, Array],
    rng: np.random.Generator,
) -> Array:  # fmt: skip
    """Return the colour of the body (N, 3) at places."""
    body = np.repeat(paint[0][None], len(places), 0)
    if make.pattern in ("marbled", "speckled"):
        fine = float(np.exp(rng.uniform(*_MARBLED))) if make.pattern == "marbled" else 2.5
        bent = places + rng.uniform(0, 2.5) * np.sin(places @ rng.normal(0, 0.5, (3, 3)))
        waves = rng.normal(0, fine, (6, 3))
        swirl = np.sin(bent @ waves.T + rng.uniform(0, 6.3, 6)).sum(1) / 1.7
        share = np.clip(swirl * rng.uniform(0.4, 3) + rng.normal(0, 0.3), 0, 1)[:, None]
        body = body * (1 - share) + paint[1] * share
    elif make.pattern == "clear":  # brighter where light has gone through, the floor shines through
        depth = np.clip(0.5 + places @ rng.normal(0, 0.05, 3), 0, 1)[:, None]
        body = body * (0.65 + 0.6 * depth)
        share = rng.uniform(0.05, 0.4)
        body = body * (1 - share) + floor * share
    return np.asarray(body)


def _printed(
    places: Array, side: Side, glyphs: list[Array], axes: Array, middle: Array, make: Make
) -> tuple[Array, Array]:
    """Return how much of each place is ink, and the slope (N, 3) of the hollows there."""
    cover, slope = np.zeros(len(places)), np.zeros_like(places)
    for printed, glyph in zip(side.prints, glyphs, strict=True):
        at, up = axes @ (printed.middle - middle), axes @ printed.up
        right = np.cross(up, axes @ side.normal)
        away = places - at
        scale = 64 / printed.height_mm
        u, v = away @ right * scale, -(away @ up) * scale
        high, wide = glyph.shape
        if printed.text == "o":
            far = np.hypot(u, v) / 32
            soft = 0.06
            inside = np.clip((1 - far) / soft + 0.5, 0, 1)
            if make.pip == "ring":
                inside = inside * np.clip((far - 0.6) / soft + 0.5, 0, 1)
            outside = make.rim * np.clip(1 - (far - 1) / _RIM, 0, 1)
            steep = np.where(far < 1, make.hollow * far, outside)
            hollow = steep / np.maximum(far * 32 / scale, 1e-6)
            slope += hollow[:, None] * (away - (away @ (axes @ side.normal))[:, None]
                                        * (axes @ side.normal))  # fmt: skip
        else:
            x, y = (u + wide / 2).astype(np.float32), (v + high / 2).astype(np.float32)
            inside = cv2.remap(glyph, x[None], y[None], cv2.INTER_LINEAR)[0]
        cover = np.maximum(cover, inside)
    return cover, slope


def _lit(
    colour: Array,
    surface: tuple[Array, Array, Array, float],
    way: Array,
    axes: Array,
    light: tuple[Array, float, list[Lamp]],
    make: Make,
    rng: np.random.Generator,
) -> Array:
    """Return how the surface looks in this light: lit, shaded near the floor, mirroring lamps."""
    normals, slope, places, half = surface
    sun, ambient, lamps = light
    shaped = normals - slope  # a hollow looks inward
    shaped /= np.linalg.norm(shaped, axis=1, keepdims=True)
    world = shaped @ axes
    low = np.clip((places @ axes)[:, 2] / half * 0.5 + 0.5, 0, 1)
    shade = ambient * (0.8 + 0.2 * world[:, 2]) * (0.6 + 0.4 * low)
    shade = shade + (1 - ambient) * np.maximum(world @ sun, 0)
    told = colour * shade[:, None]
    if not make.gloss:
        return np.asarray(told)
    bent = (
        shaped + make.bulge * (places - normals * (places * normals).sum(1, keepdims=True)) / half
    )
    if make.ripple:
        waves = rng.normal(0, 0.7, (3, 3))
        bent = bent + make.ripple * np.sin(places @ waves.T + rng.uniform(0, 6.3, 3))
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    against = np.clip(-(way * bent).sum(1), 0, 1)
    mirrored = (way + 2 * against[:, None] * bent) @ axes
    share = make.gloss * (0.06 + 0.94 * (1 - against) ** 5)
    glow = np.zeros(len(told))
    for lamp in lamps:
        glow += lamp.mirrored(mirrored, make.blur)
    bright = np.clip(share * (glow + 0.35 * np.clip(mirrored[:, 2], 0, 1)), 0, 1)[:, None]
    return np.asarray(told * (1 - bright) + 255 * bright)
