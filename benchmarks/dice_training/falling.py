"""How dice lie that have been thrown: MuJoCo lets them fall on a table, things and each other.

Millimetres, z up, the table at 0; within MuJoCo centimetres, grams and seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.dice_training.solids import SUITS, Side, Solid, counts, make_solid, moved
from vision.dice.kinds import SHAPES
from vision.dice.tetrahedra import EDGE_MM
from vision.frame import Array

if TYPE_CHECKING:
    import mujoco

KINDS = {
    "d6": 0.27, "cannon": 0.13, "sail": 0.08, "d20": 0.1, "piecepack": 0.11, "colour": 0.07,
    "d6_numeral": 0.06, "d4_barrel": 0.02, "d8": 0.04, "d10": 0.04, "d100": 0.02, "d12": 0.04,
    "d4": 0.02,
}  # fmt: skip
"""Kinds that are thrown, and how often."""
FLAT, HARDLY, COCKED, ON_ANOTHER = "flat", "hardly", "cocked", "on another"
"""How a die lies; `HARDLY` is between flat and cocked, or on something thin."""
_REACH_MM = 42.0
_FLAT_DEG, _COCKED_DEG = 2.0, 7.0
_LOW_MM, _HIGH_MM = 0.6, 4.0
_AWAY_MM = 600.0
"""Where dice wait that have not been thrown yet."""
_STEP_S, _FALL_S, _GOES = 0.001, 0.6, 3
_GRAMS_A_CM3 = 1.3
_BESIDE = 0.3
"""So often a die that is thrown apart falls near another."""


@dataclass(frozen=True, eq=False)
class Thing:
    """A box or a disc that stands on the table."""

    kind: str
    """``box`` or ``cylinder``."""
    middle: Array
    half: Array
    """Half its size along x, y, z; of a disc its radius twice, and half its height."""
    turn: float
    """About z, radians."""


@dataclass(frozen=True, eq=False)
class Fallen:
    """A die where it came to rest."""

    solid: Solid
    lies: str


@dataclass(frozen=True, eq=False)
class Throw:
    """Dice and things on a table."""

    dice: tuple[Fallen, ...]
    things: tuple[Thing, ...]


def throw(often: Mapping[str, float], rng: np.random.Generator, most: int) -> Throw:
    """Return 5 to `most` dice of some kinds, thrown so often, as they came to rest."""
    kinds, odds = list(often), list(often.values())
    same = str(rng.choice(kinds, p=odds)) if rng.random() < 0.3 else None
    count = int(rng.integers(5, most + 1))
    wanted = [same or str(rng.choice(kinds, p=odds)) for _ in range(count)]
    solids = [make_solid(kind, rng) for kind in wanted]
    return piled(wanted, solids, rng)


def piled(
    wanted: Sequence[str],
    solids: Sequence[Solid],
    rng: np.random.Generator,
    walls: tuple[Thing, ...] = (),
) -> Throw:
    """Return dice of kinds `wanted` that fell on each other, on coins, cards and sticks."""
    return _settled(wanted, solids, (*walls, *_clutter(rng)), _drop, _GOES, rng)


def apart(
    wanted: Sequence[str], most_mm: Array, rng: np.random.Generator, walls: tuple[Thing, ...] = ()
) -> Throw:
    """Return dice of kinds `wanted` that fell one after the other within `most_mm` (2,)."""
    solids = [as_bought(make_solid(kind, rng), kind) for kind in wanted]
    return settled_apart(solids, most_mm, rng, walls)


def settled_apart(
    solids: Sequence[Solid], most_mm: Array, rng: np.random.Generator, walls: tuple[Thing, ...]
) -> Throw:
    """Return these dice as they fell one after the other within `most_mm` (2,)."""
    wanted, each = [solid.kind for solid in solids], partial(_drop_apart, most_mm=most_mm)
    return _settled(wanted, solids, walls, each, len(wanted), rng)


def as_bought(solid: Solid, kind: str) -> Solid:
    """Return a die with edges of 20 mm if it is a tetrahedron: others are not read as one."""
    if SHAPES[kind] != "tetrahedron":
        return solid
    corners = solid.sides[0].corners
    scale = EDGE_MM / float(np.linalg.norm(corners[0] - corners[1]))
    sides = tuple(moved(side, scale * np.eye(3), np.zeros(3)) for side in solid.sides)
    return replace(solid, sides=sides)


def _settled(
    wanted: Sequence[str],
    solids: Sequence[Solid],
    things: tuple[Thing, ...],
    let_fall: Callable[[mujoco.MjData, int, np.random.Generator], None],
    goes: int,
    rng: np.random.Generator,
) -> Throw:
    """Return dice of kinds `wanted` as they come to rest, dropped by `let_fall` in so many goes."""
    import mujoco

    solids = [_about_its_middle(solid) for solid in solids]
    model = mujoco.MjModel.from_xml_string(_world(solids, things, float(rng.uniform(0.35, 1.1))))
    data = mujoco.MjData(model)
    data.qpos.reshape(-1, 7)[:, 0] = _AWAY_MM / 10 + 10 * np.arange(len(solids))
    steps = round(_FALL_S / _STEP_S)
    for dropped in np.array_split(np.arange(len(solids)), goes):
        for k in dropped:
            let_fall(data, int(k), rng)
        mujoco.mj_step(model, data, steps)
    fallen = []
    for k, (kind, solid) in enumerate(zip(wanted, solids, strict=True)):
        place, how = data.body(f"die{k}").xpos * 10, data.body(f"die{k}").xmat.reshape(3, 3)
        moving = float(np.abs(data.qvel.reshape(-1, 6)[k]).max())
        if np.hypot(*place[:2]) < 3 * _REACH_MM and place[2] > 0:
            fell = lying(kind, tuple(moved(side, how, place) for side in solid.sides))
            fallen.append(fell if moving < 1.0 else _doubted(fell))
    return Throw(tuple(fallen), things)


def _about_its_middle(solid: Solid) -> Solid:
    middle = np.unique(solid.corners.round(3), axis=0).mean(axis=0)
    return replace(solid, sides=tuple(moved(s, np.eye(3), -middle) for s in solid.sides))


def _drop(data: mujoco.MjData, k: int, rng: np.random.Generator) -> None:
    """Lift a die over the table, or over one that lies there already; it falls from there."""
    poses = data.qpos.reshape(-1, 7)
    there = np.flatnonzero(np.hypot(*poses[:, :2].T) < _REACH_MM / 10)
    how = rng.random()
    turn = rng.normal(0, 1, 4)
    high = rng.uniform(2, 8)
    if how < 0.3 or not len(there):
        at = rng.uniform(-1, 1, 2) * _REACH_MM / 10
    else:
        below = poses[rng.choice(there)]
        high = below[2] + rng.uniform(1.7, 2.1)
        if how < 0.65:  # flat on top of it, or nearly so
            at = below[:2] + rng.normal(0, 0.25, 2)
            half = rng.uniform(0, np.pi)
            turn = np.array([np.cos(half), *rng.normal(0, 0.03, 2), np.sin(half)])
        else:  # half beside it
            way = rng.uniform(0, 2 * np.pi)
            at = below[:2] + rng.uniform(0.9, 1.6) * np.array([np.cos(way), np.sin(way)])
    poses[k] = [*at, high, *(turn / np.linalg.norm(turn))]
    data.qvel.reshape(-1, 6)[k] = 0


def _drop_apart(data: mujoco.MjData, k: int, rng: np.random.Generator, most_mm: Array) -> None:
    """Lift a die over a place within `most_mm` (2,), now and then near another; it falls there."""
    poses = data.qpos.reshape(-1, 7)
    at = rng.uniform(-most_mm, most_mm)
    if k and rng.random() < _BESIDE:
        way = rng.uniform(0, 2 * np.pi)
        aside = rng.uniform(14, 24) * np.array([np.cos(way), np.sin(way)])
        at = np.clip(poses[rng.integers(k), :2] * 10 + aside, -most_mm, most_mm)
    turn = rng.normal(0, 1, 4)
    poses[k] = [*at / 10, rng.uniform(2.5, 6), *(turn / np.linalg.norm(turn))]
    data.qvel.reshape(-1, 6)[k] = 0


def _clutter(rng: np.random.Generator) -> list[Thing]:
    """Return coins, cards, walls and sticks, on and against which dice lie aslant."""
    things = []
    for _ in range(int(rng.choice([0, 1, 2, 3], p=[0.4, 0.3, 0.2, 0.1]))):
        at, turn = rng.uniform(-1.3, 1.3, 2) * _REACH_MM, float(rng.uniform(0, 2 * np.pi))
        what = rng.random()
        if what < 0.4:
            radius, high = rng.uniform(8, 15), rng.uniform(1.2, 4.0)
            thing = ("cylinder", [radius, radius, high / 2])
        elif what < 0.75:
            long, wide = rng.uniform(20, 60), rng.uniform(2, 30)
            thing = ("box", [long / 2, wide / 2, rng.uniform(1.0, 9.0) / 2])
        else:
            thing = ("box", [rng.uniform(60, 120), rng.uniform(3, 6), rng.uniform(10, 26) / 2])
        half = np.array(thing[1])
        things.append(Thing(thing[0], np.array([*at, half[2]]), half, turn))
    return things


def _world(solids: list[Solid], things: tuple[Thing, ...], rough: float) -> str:
    """Return a table with dice and things, as MuJoCo is told of it."""
    meshes, bodies = [], []
    for k, solid in enumerate(solids):
        corners = np.unique(solid.corners.round(3), axis=0) / 10
        numbers = " ".join(f"{v:.4f}" for v in corners.ravel())
        meshes.append(f'<mesh name="m{k}" vertex="{numbers}"/>')
        bodies.append(
            f'<body name="die{k}" pos="0 0 3"><freejoint/>'
            f'<geom type="mesh" mesh="m{k}" density="{_GRAMS_A_CM3}"/></body>'
        )
    for thing in things:
        place, half = (" ".join(f"{v / 10:.4f}" for v in a) for a in (thing.middle, thing.half))
        size = half if thing.kind == "box" else f"{thing.half[0] / 10} {thing.half[2] / 10}"
        bodies.append(
            f'<geom type="{thing.kind}" pos="{place}" size="{size}" euler="0 0 {thing.turn:.4f}"/>'
        )
    return (
        f'<mujoco><compiler angle="radian" inertiafromgeom="true"/>'
        f'<option timestep="{_STEP_S}" gravity="0 0 -981" cone="elliptic"/>'
        f'<default><geom friction="{rough:.2f} 0.02 0.002" condim="4" solref="0.004 1"/></default>'
        f"<asset>{''.join(meshes)}</asset>"
        f'<worldbody><geom type="plane" size="200 200 1"/>{"".join(bodies)}</worldbody></mujoco>'
    )


def lying(kind: str, sides: tuple[Side, ...]) -> Fallen:
    """Return how a die lies: which face it shows, and whether that can be told."""
    if SHAPES[kind] == "tetrahedron":
        bottom = min(sides, key=lambda side: side.normal[2])
        up = -bottom.normal
        prints = [p for side in sides for p in side.prints]
        face = int(max(prints, key=lambda p: p.middle @ up).text)
    else:
        top = max((s for s in sides if counts(kind, s)), key=lambda side: side.normal[2])
        up, face = top.normal, _face(kind, top)
    lean_deg = float(np.degrees(np.arccos(np.clip(up[2], -1, 1))))
    high = min(float(side.corners[:, 2].min()) for side in sides)
    if lean_deg > _COCKED_DEG:
        lies = COCKED
    elif high > _HIGH_MM:
        lies = ON_ANOTHER
    else:
        lies = FLAT if lean_deg < _FLAT_DEG and high < _LOW_MM else HARDLY
    level = np.array([0.0, 0.0, 1.0]) if lies in (FLAT, ON_ANOTHER) else up
    return Fallen(Solid(sides, kind, face, level, lies == FLAT), lies)


def _doubted(fallen: Fallen) -> Fallen:
    return replace(fallen, lies=HARDLY, solid=replace(fallen.solid, is_told=False))


def _face(kind: str, side: Side) -> int:
    if kind == "colour":
        return int(side.paint or 0)
    if not side.prints:
        return 0
    text = side.prints[0].text
    if text == "o":
        return len(side.prints)
    return 1 if text in SUITS else int(text.rstrip("._"))
