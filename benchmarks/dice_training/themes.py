"""Dice that others have modelled: their shapes, letterings and bodies, to measure by.

Seven themes of 3D Dice (Frank Ali, MIT licence), each with d4 to d20 and a d100: of the npm package
``@3d-dice/dice-themes`` (0.2.1 was used; ``npm pack`` fetches it) the folder ``themes``. Nothing is
learnt from them, and none of their files is kept here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.colours import brightness, two_colours
from benchmarks.dice_training.solids import Print, Side, Solid
from vision.dice.kinds import SHAPES
from vision.frame import Array

KINDS = ("d4", "d6_numeral", "d8", "d10", "d100", "d12", "d20")
THEMES = ("default", "rust", "smooth", "rock", "diceOfRolling", "wooden", "blueGreenMetal")
_CUBE_MM = 16.0
_ZERO = {"d10": 10, "d100": 100}
"""What they call the face that shows 0, or 00."""
_FLAT = 0.995
"""Parts of a surface that face so nearly as a side does are that side; the rest is its edge."""
_PALE, _DARK = 110.0, 120.0
"""Grey levels of bodies from which on ink is dark, up to which it is light, where both are had."""


@dataclass(frozen=True, eq=False)
class Model:
    """A die as it was modelled, in millimetres."""

    solid: Solid
    """Its flat sides; what stands on them is known, not where."""
    corners: Array
    """Of its surface's triangles: (F, 3, 3)."""
    normals: Array
    """At these corners."""
    places: Array
    """Of these corners in the picture of its skin: (F, 3, 2)."""


def read_model(folder: Path, theme: str, kind: str) -> Model:
    """Read a die of a theme; `folder` holds all themes."""
    manner = json.loads((folder / theme / "theme.config.json").read_text("utf-8"))
    path = folder / theme / manner.get("meshFile", "")
    if not path.is_file():  # some have the shapes of another
        path = folder / "default" / "default.json"
    stored = json.loads(path.read_text("utf-8"))
    meshes = {mesh["name"]: mesh for mesh in stored["meshes"]}
    name = kind.removesuffix("_numeral")
    mm = _CUBE_MM / float(np.ptp(_points(meshes["d6"])[:, 0]))
    corners, triangles = mm * _points(meshes[name]), _triangles(meshes[name])
    normals = _points(meshes[name], "normals")
    places = np.array(meshes[name]["uvs"]).reshape(-1, 2) * [1, -1] + [0, 1]
    coarse = _points(meshes[name + "_collider"])[_triangles(meshes[name + "_collider"])]
    sides = []
    for face, ways in _ways(stored["colliderFaceMap"][name], coarse).items():
        flat = _part_facing(corners[triangles], ways.mean(axis=0))
        sides.append((face, *flat))
    solid = Solid(_with_prints(kind, sides), kind, 0)
    return Model(solid, corners[triangles], normals[triangles], places[triangles])


def _points(mesh: dict, what: str = "positions") -> Array:
    """Return points (N, 3); theirs are left-handed."""
    scale = mesh["scaling"] if what == "positions" else 1.0
    return np.asarray(np.array(mesh[what]).reshape(-1, 3) * scale * [1, 1, -1])


def _triangles(mesh: dict) -> Array:
    """Return triangles (F, 3) that go around against the clock, seen from outside."""
    triangles = np.array(mesh["indices"]).reshape(-1, 3)
    corners = _points(mesh)[triangles]
    outward = (_normals(corners) * (corners.mean(axis=1) - corners.mean(axis=(0, 1)))).sum(axis=1)
    return triangles if outward.sum() > 0 else triangles[:, ::-1]


def _normals(corners: Array) -> Array:
    """Return normals (F, 3) of triangles (F, 3, 3), as long as these are large."""
    return np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])


def _ways(faces: dict[str, int], coarse: Array) -> dict[int, Array]:
    """Return for each face how the triangles of the coarse shape that stand for it look."""
    normals = _normals(coarse)
    numbers = {face: [int(k) for k, f in faces.items() if f == face] for face in faces.values()}
    return {face: normals[of] for face, of in numbers.items()}


def _part_facing(corners: Array, way: Array) -> tuple[Array, Array]:
    """Return points (N, 3) of the side that looks about that way, and its normal (3,)."""
    normals = _normals(corners)
    units = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    part = units @ (way / np.linalg.norm(way)) > _FLAT
    normal = normals[part].sum(axis=0)
    return corners[part].reshape(-1, 3), normal / np.linalg.norm(normal)


def _with_prints(kind: str, sides: list[tuple[int, Array, Array]]) -> tuple[Side, ...]:
    """Return sides that bear their numbers; a tetrahedron's face down is what it shows on top."""
    up, one = np.zeros(3), 1.0
    if SHAPES[kind] == "tetrahedron":
        tops = {
            face: Print(str(face), -3 * points.mean(axis=0), up, one) for face, points, _ in sides
        }
        return tuple(
            Side(points, normal, tuple(top for f, top in tops.items() if f != face))
            for face, points, normal in sides
        )
    shown = {face: 0 if face == _ZERO.get(kind) else face for face, _, _ in sides}
    return tuple(
        Side(points, normal, (Print(str(shown[face]), points.mean(axis=0), up, one),))
        for face, points, normal in sides
    )


def moved_by(before: Solid, after: Solid) -> tuple[Array, Array]:
    """Return how a die was turned (3, 3), and shifted then (3,)."""
    here, there = before.corners, after.corners
    left, _, right = np.linalg.svd((here - here.mean(0)).T @ (there - there.mean(0)))
    turn = right.T @ np.diag([1, 1, np.sign(np.linalg.det(right.T @ left.T))]) @ left.T
    return turn, there.mean(0) - turn @ here.mean(0)


def skin_of(theme: Path, rng: np.random.Generator) -> Array:
    """Return the picture (H, W, 3; BGR, 0 to 255) that is laid around a theme's dice.

    Some have ink and wear alone, on a body of any colour.
    """
    manner = json.loads((theme / "theme.config.json").read_text("utf-8"))
    if "material" not in manner:
        manner |= json.loads((theme.parent / "default" / "theme.config.json").read_text("utf-8"))
    named = manner["material"]["diffuseTexture"]
    ink = str(rng.choice(["light", "dark"])) if isinstance(named, dict) else None
    stored = cv2.imread(str(theme / (named[ink] if ink else named)), cv2.IMREAD_UNCHANGED)
    skin = np.asarray(stored, np.float32)
    if ink is None:
        return skin
    while True:
        body = two_colours(rng)[0]
        grey = brightness(body)
        if (grey < _DARK) if ink == "light" else (grey > _PALE):
            break
    share = skin[..., 3:] / 255
    return np.asarray(skin[..., :3] * share + body * (1 - share), np.float32)
