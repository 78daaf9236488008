"""Dice on a table, photographed ray by ray (Mitsuba): shadows, gloss, light from one to another.

Millimetres, z up, the table at 0.
"""

from __future__ import annotations

import cv2
import mitsuba as mi
import numpy as np

from benchmarks.dice_training.drawing import draw_floor, two_colours
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import Fallen, Thing, Throw
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.painting import painted
from benchmarks.dice_training.rounding import rounded
from benchmarks.dice_training.shots import Shot
from vision.frame import Array

mi.set_variant("llvm_ad_rgb")

_DEPTH = 4
_COVERED = 0.2
"""Share of pictures in which a card or a hand hides some of it."""
_FLOOR_MM, _FLOOR_PX = 500.0, 1400


def photographed(
    throw: Throw, glyphs: Glyphs, rng: np.random.Generator, size_px: int, samples: int
) -> Shot:
    """Return a picture of dice from a camera somewhere over them."""
    eye = Eye.random(rng, size_px)
    made = [_mesh(fallen, glyphs, rng) for fallen in throw.dice]
    scene = {"type": "scene", "sensor": _sensor(eye, size_px), **_lights(rng)}
    scene |= {f"die{k}": mesh for k, (mesh, _) in enumerate(made)}
    things = [shape for thing in throw.things for shape in _shapes(thing, rng)]
    scene |= {f"thing{k}": shape for k, shape in enumerate(things)}
    if rng.random() < _COVERED:
        scene["card"] = _card(rng)
    scene["floor"] = _floor(rng)
    world = mi.load_dict(scene, parallel=False)  # else the order of lamps, and the noise, varies
    paths = mi.load_dict({"type": "path", "max_depth": _DEPTH})
    seed = int(rng.integers(1 << 30))
    light = np.array(mi.render(world, integrator=paths, spp=samples, seed=seed))
    outlines = [cv2.convexHull(eye.pixels(p).astype(np.float32)).reshape(-1, 2) for _, p in made]
    visible = _visible(world, outlines, size_px)
    return Shot(_developed(light[..., :3], rng), throw.dice, tuple(outlines), tuple(visible), eye)


def _developed(light: Array, rng: np.random.Generator) -> Array:
    """Return linear RGB as a camera stores it: exposed, bent, BGR."""
    bright = float(np.percentile(light.mean(axis=2), 97))
    linear = np.clip(light * rng.uniform(0.5, 1.05) / max(bright, 1e-6), 0, 1)
    bent = np.where(linear < 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    return np.ascontiguousarray(255 * bent[..., ::-1], np.float32)


def _visible(world: mi.Scene, outlines: list[Array], size_px: int) -> list[float]:
    """Return of each die the share of it in the picture that nothing covers."""
    numbers = mi.load_dict({"type": "aov", "aovs": "shape:shape_index"})
    told = np.array(mi.render(world, integrator=numbers, spp=1))
    owner = np.round(told[..., -1]).astype(int) - 1  # 0 is nothing
    named = [shape.id() for shape in world.shapes()]
    shares = []
    for k, outline in enumerate(outlines):
        alone = np.zeros((size_px, size_px), np.uint8)
        cv2.fillConvexPoly(alone, np.round(outline * 16).astype(np.int32), 1, shift=4)
        seen = int(((owner == named.index(f"die{k}")) & (alone > 0)).sum())
        shares.append(min(1.0, seen / max(int(alone.sum()), 1)))
    return shares


def _sensor(eye: Eye, size_px: int) -> dict:
    _, down, forward = eye.turn
    pose = mi.ScalarTransform4f().look_at(
        origin=eye.place.tolist(), target=(eye.place + forward).tolist(), up=(-down).tolist()
    )
    film = {"type": "hdrfilm", "width": size_px, "height": size_px, "rfilter": {"type": "box"}}
    fov = float(2 * np.degrees(np.arctan(size_px / 2 / eye.focal)))
    return {"type": "perspective", "fov": fov, "to_world": pose, "film": film,
            "sampler": {"type": "independent"}}  # fmt: skip


# -- light ------------------------------------------------------------------------------------


def _lights(rng: np.random.Generator) -> dict:
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


def _floor(rng: np.random.Generator) -> dict:
    floor = draw_floor(rng, _FLOOR_PX)
    scale = mi.ScalarTransform4f().scale([_FLOOR_MM, _FLOOR_MM, 1])
    return {"type": "rectangle", "to_world": scale, "bsdf": _surface(floor, rng, 0.2)}


def _shapes(thing: Thing, rng: np.random.Generator) -> list[dict]:
    moved = mi.ScalarTransform4f().translate(thing.middle.tolist())
    turned = moved.rotate([0, 0, 1], float(np.degrees(thing.turn)))
    bsdf = _surface(np.full((2, 2, 3), two_colours(rng)[0]), rng, 0.5)
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
    bsdf = _surface(np.full((2, 2, 3), two_colours(rng)[0]), rng, 0.3)
    return {"type": "cube", "to_world": pose.scale(half), "bsdf": bsdf}


def _surface(paint: Array, rng: np.random.Generator, gloss: float) -> dict:
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


def _mesh(fallen: Fallen, glyphs: Glyphs, rng: np.random.Generator) -> tuple[mi.Mesh, Array]:
    """Return a die with round edges, painted, and the points (N, 3) of its surface."""
    solid = fallen.solid
    round_mm = float(rng.choice([0.25, rng.uniform(0.4, 1.2), rng.uniform(1.2, 2.6)]))
    points, normals, triangles = rounded(solid, round_mm)
    corners = points[triangles]  # (F, 3, 3)
    flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    side_of = np.argmax(flat @ np.array([s.normal for s in solid.sides]).T, axis=1)
    skin = painted(fallen, glyphs, rng)
    properties = mi.Properties()
    properties["bsdf"] = mi.load_dict(_surface(skin.picture, rng, 0.55))
    mesh = mi.Mesh(
        "die", vertex_count=3 * len(corners), face_count=len(corners), has_vertex_normals=True,
        has_vertex_texcoords=True, props=properties,
    )  # fmt: skip
    told = mi.traverse(mesh)
    told["vertex_positions"] = corners.astype(np.float32).ravel()
    told["vertex_normals"] = normals[triangles].astype(np.float32).ravel()
    told["vertex_texcoords"] = skin.places(corners, side_of).astype(np.float32).ravel()
    told["faces"] = np.arange(3 * len(corners), dtype=np.uint32)
    told.update()
    return mesh, points
