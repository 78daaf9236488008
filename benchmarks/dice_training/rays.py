"""Dice on a table, photographed ray by ray (Mitsuba): shadows, gloss, light from one to another.

Millimetres, z up, the table at 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import mitsuba as mi
import numpy as np

from benchmarks.dice_training.brush import draw_floor, tint_of
from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import Fallen, Thing, Throw
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.painting import painted
from benchmarks.dice_training.rounding import rounded
from benchmarks.dice_training.shots import Shot
from vision.dice.kinds import COLOURS, SHAPES
from vision.frame import Array

mi.set_variant("llvm_ad_rgb")

_DEPTH = 4
_DIE = "die"
_ROUNDEST_MM = 0.8
"""Of tetrahedra: rounder ones have no corners."""
_COVERED = 0.2
"""Share of pictures in which a card or a hand hides some of it."""
_FLOOR_MM, _FLOOR_PX = 500.0, 1400


@dataclass(frozen=True, eq=False)
class Camera:
    """An eye whose pictures may be less high than wide."""

    eye: Eye
    size_px: tuple[int, int]
    """Width and height; `eye` sees a square of that width, of which the middle is taken."""

    @property
    def _above_px(self) -> int:
        return (self.size_px[0] - self.size_px[1]) // 2

    @property
    def axis_px(self) -> tuple[float, float]:
        """Where it looks straight ahead."""
        return self.eye.middle, self.eye.middle - self._above_px

    def pixels(self, points: Array) -> Array:
        """Return pixels (N, 2) of points (N, 3)."""
        return self.eye.pixels(points) - [0, self._above_px]

    def sensor(self) -> dict:
        """Return what Mitsuba is told of it."""
        (wide, high), eye = self.size_px, self.eye
        _, down, forward = eye.turn
        pose = mi.ScalarTransform4f().look_at(
            origin=eye.place.tolist(), target=(eye.place + forward).tolist(), up=(-down).tolist()
        )
        film = {
            "type": "hdrfilm", "width": wide, "height": wide, "rfilter": {"type": "box"},
            "crop_offset_y": self._above_px, "crop_width": wide, "crop_height": high,
        }  # fmt: skip
        fov = float(2 * np.degrees(np.arctan(wide / 2 / eye.focal)))
        return {"type": "perspective", "fov": fov, "to_world": pose, "film": film,
                "sampler": {"type": "independent"}}  # fmt: skip


def photographed(
    throw: Throw,
    glyphs: Glyphs,
    rng: np.random.Generator,
    size_px: int,
    samples: int,
    contrast: float = 0.0,
    textured: float = 0.0,
    alike: float = 0.0,
) -> Shot:
    """Return a picture of dice from a camera somewhere over them.

    With a contrast (`two_colours`) they are as plain as dice that are sold, and not over-exposed.
    `textured` is the share of them that has a second colour in its body (`Texture`), `alike` that
    of the floors that are about as a side of a colour die that lies there.
    """
    eye = Eye.random(rng, size_px)
    camera = Camera(eye, (size_px, size_px))
    made = [mesh_of(fallen, glyphs, rng, contrast, textured) for fallen in throw.dice]
    scene = lights(rng) | dice_of(made)
    things = [s for thing in throw.things for s in shapes_of(thing, thing_surface(rng))]
    scene |= {f"thing{k}": shape for k, shape in enumerate(things)}
    if rng.random() < _COVERED:
        scene["card"] = _card(rng)
    is_alike = alike and rng.random() < alike
    scene["floor"] = _floor(rng, _some_side(throw, rng) if is_alike else None)
    outlines = [outline_of(points, camera) for _, points in made]
    seed = int(rng.integers(1 << 30))
    light, owner = rendered(camera, scene, samples, seed)
    exposed = light * rng.uniform(0.5, 0.85 if contrast else 1.05) / brightest(light)
    return Shot(developed(exposed), throw.dice, tuple(outlines), owner, eye)


def rendered(camera: Camera, scene: dict, samples: int, seed: int) -> tuple[Array, Array]:
    """Return the light (H, W, 3) that a camera sees, and which die (H, W); -1 where there is none.

    Dice are those of `dice_of`; they must be made before all other shapes.
    """
    whole = {"type": "scene", "sensor": camera.sensor(), **scene}
    world = mi.load_dict(whole, parallel=False)  # else the order of lamps, and the noise, varies
    paths = mi.load_dict({"type": "path", "max_depth": _DEPTH})
    light = np.array(mi.render(world, integrator=paths, spp=samples, seed=seed))
    numbers = mi.load_dict({"type": "aov", "aovs": "shape:shape_index"})
    told = np.array(mi.render(world, integrator=numbers, spp=1))
    made = np.round(told[..., -1]).astype(int) - 1  # shapes in the order in which they were made
    return light[..., :3], np.where(made < sum(name.startswith(_DIE) for name in scene), made, -1)


def brightest(light: Array) -> float:
    """Return how bright the brightest places of a picture are, but for a few."""
    return max(float(np.percentile(light.mean(axis=2), 97)), 1e-6)


def spared(light: Array) -> Array:
    """Return linear RGB as a camera exposes it that spares bright places: it is told to keep the
    brightest fiftieth of the picture at half of what it can store (`vision.camera.pi`).
    """
    grey = np.sort(light.mean(axis=2), axis=None)
    return light * min(1.0, 0.5 / float(grey[-(grey.size // 50) :].mean()))


def developed(light: Array) -> Array:
    """Return linear RGB, bright places at 1, as a camera stores it: bent, BGR, 0 to 255."""
    linear = np.clip(light, 0, 1)
    bent = np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.ascontiguousarray(255 * bent[..., ::-1], np.float32)


def outline_of(points: Array, camera: Camera) -> Array:
    """Return the outline (N, 2), pixels, of points (N, 3)."""
    return cv2.convexHull(camera.pixels(points).astype(np.float32)).reshape(-1, 2)


# -- light ------------------------------------------------------------------------------------


def lights(rng: np.random.Generator) -> dict:
    """Return light from all around, and one to three lamps or windows."""
    lights = {"sky": {"type": "constant", "radiance": _rgb(_warmth(rng) * rng.uniform(0.15, 0.6))}}
    for k in range(int(rng.integers(1, 4))):
        way, slope = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(5, 65))
        far = rng.uniform(500, 1500)
        aside = np.sin(slope) * np.array([np.cos(way), np.sin(way)])
        at = far * np.array([*aside, np.cos(slope)])
        wide, high = far * rng.uniform(0.03, 0.4, 2)
        pose = mi.ScalarTransform4f().look_at(at.tolist(), [0, 0, 0], [0.1, 1, 0])
        power = rng.uniform(0.3, 2.0) * far**2 / (4 * wide * high)
        lights[f"lamp{k}"] = {
            "type": "rectangle",
            "to_world": pose @ mi.ScalarTransform4f().scale([wide, high, 1]),
            "emitter": {"type": "area", "radiance": _rgb(_warmth(rng) * power)},
        }
    return lights


def _warmth(rng: np.random.Generator) -> Array:
    """Return the colour of a light (RGB), from a candle's to the sky's."""
    warm = rng.uniform(-0.25, 0.45)
    return np.array([1 + warm, 1.0, 1 - warm])


def _rgb(colour: Array) -> dict:
    return {"type": "rgb", "value": [float(v) for v in np.maximum(colour, 0)]}


# -- the table and what lies on it ------------------------------------------------------------


def _floor(rng: np.random.Generator, base: Array | None) -> dict:
    floor = draw_floor(rng, _FLOOR_PX, base=base)
    scale = mi.ScalarTransform4f().scale([_FLOOR_MM, _FLOOR_MM, 1])
    return {"type": "rectangle", "to_world": scale, "bsdf": surface(floor, rng, 0.2)}


def _some_side(throw: Throw, rng: np.random.Generator) -> Array | None:
    """Return about the colour (BGR, 0 to 255) of a side of a colour die, most often of its top."""
    tops = [die.solid.face for die in throw.dice if die.solid.kind == "colour"]
    if not tops:
        return None
    paint = int(rng.choice(tops)) if rng.random() < 0.7 else int(rng.integers(len(COLOURS)))
    tint = tint_of(paint, rng) * rng.uniform(0.6, 1.5) + rng.normal(0, 12, 3)
    return np.asarray(np.clip(tint, 4, 250))


def thing_surface(rng: np.random.Generator) -> dict:
    """Return a surface of one colour."""
    return surface(np.full((2, 2, 3), two_colours(rng)[0]), rng, 0.5)


def shapes_of(thing: Thing, bsdf: dict) -> list[dict]:
    """Return a thing with such a surface."""
    moved = mi.ScalarTransform4f().translate(thing.middle.tolist())
    turned = moved.rotate([0, 0, 1], float(np.degrees(thing.turn)))
    if thing.kind == "box":
        return [{"type": "cube", "to_world": turned.scale(thing.half.tolist()), "bsdf": bsdf}]
    radius, _, high = thing.half.tolist()
    lid = turned.translate([0, 0, high]).scale(radius)
    wall = {"p0": [0, 0, -high], "p1": [0, 0, high], "radius": radius, "to_world": turned}
    return [{"type": "disk", "to_world": lid, "bsdf": bsdf},
            {"type": "cylinder", **wall, "bsdf": bsdf}]  # fmt: skip


def _card(rng: np.random.Generator) -> dict:
    """Return a card (or a hand) that hangs over some dice."""
    at = [*rng.uniform(-45, 45, 2).tolist(), rng.uniform(24, 36)]
    pose = mi.ScalarTransform4f().translate(at).rotate([0, 0, 1], rng.uniform(0, 360))
    half = [rng.uniform(6, 16), rng.uniform(8, 40), 0.3]
    bsdf = surface(np.full((2, 2, 3), two_colours(rng)[0]), rng, 0.3)
    return {"type": "cube", "to_world": pose.scale(half), "bsdf": bsdf}


def surface(paint: Array, rng: np.random.Generator, gloss: float) -> dict:
    """Return a surface painted so (H, W, 3; BGR, 0 to 255); `gloss` is how often it mirrors."""
    linear = np.clip(paint[..., ::-1] / 255, 0, 1) ** 2.2
    texture = {
        "type": "bitmap", "data": mi.TensorXf(np.ascontiguousarray(linear, np.float32)),
        "raw": True, "wrap_mode": "clamp",
    }  # fmt: skip
    glossy = rng.random() < gloss
    return {
        "type": "principled",
        "base_color": texture,
        "roughness": float(rng.uniform(0.08, 0.35) if glossy else rng.uniform(0.4, 0.9)),
        "specular": float(rng.uniform(0.3, 0.6)),
    }


# -- dice -------------------------------------------------------------------------------------


Made = Callable[[np.random.Generator], list[tuple[mi.Mesh, Array]]]
"""Returns dice that were thrown as `mesh_of` does, in colours at random."""


def dice_of(made: Sequence[tuple[mi.Mesh, Array]]) -> dict:
    """Return dice (`mesh_of`) as `rendered` looks for them."""
    return {f"{_DIE}{k}": mesh for k, (mesh, _) in enumerate(made)}


def mesh_of(
    fallen: Fallen,
    glyphs: Glyphs,
    rng: np.random.Generator,
    contrast: float = 0.0,
    textured: float = 0.0,
) -> tuple[mi.Mesh, Array]:
    """Return a die with round edges, painted (`painted`), and its surface's points (N, 3)."""
    solid = fallen.solid
    round_mm = float(rng.choice([0.25, rng.uniform(0.4, 1.2), rng.uniform(1.2, 2.6)]))
    if SHAPES[fallen.solid.kind] == "tetrahedron":
        round_mm = min(round_mm, _ROUNDEST_MM)
    points, normals, triangles = rounded(solid, round_mm)
    corners = points[triangles]  # (F, 3, 3)
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    side_of = np.argmax(flat @ np.array([s.normal for s in solid.sides]).T, axis=1)
    skin = painted(fallen, glyphs, rng, contrast, textured)
    bsdf = surface(skin.picture, rng, 0.55)
    return mesh_from(corners, normals[triangles], skin.places(corners, side_of), bsdf), points


def mesh_from(corners: Array, normals: Array, places: Array, bsdf: dict) -> mi.Mesh:
    """Return a mesh of triangles: corners and normals (F, 3, 3), places in a picture (F, 3, 2)."""
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(bsdf)
    mesh = mi.Mesh(
        "die", vertex_count=3 * len(corners), face_count=len(corners), has_vertex_normals=True,
        has_vertex_texcoords=True, props=properties,
    )  # fmt: skip
    told = mi.traverse(mesh)
    told["vertex_positions"] = corners.astype(np.float32).ravel()
    told["vertex_normals"] = normals.astype(np.float32).ravel()
    told["vertex_texcoords"] = places.astype(np.float32).ravel()
    told["faces"] = np.arange(3 * len(corners), dtype=np.uint32)
    told.update()
    return mesh
