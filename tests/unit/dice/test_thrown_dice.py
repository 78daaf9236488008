"""Dice that fall and are photographed for the training: their shape, how they lie, their labels."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.drawing import AWKWARD, Scene
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.falling import (
    COCKED,
    FLAT,
    HARDLY,
    ON_ANOTHER,
    Fallen,
    as_bought,
    lying,
)
from benchmarks.dice_training.glyphs import GLYPH_PX, load_glyphs
from benchmarks.dice_training.painting import painted
from benchmarks.dice_training.pictures import SKIPPED, drawn_pictures
from benchmarks.dice_training.rounding import rounded
from benchmarks.dice_training.shots import SIZE_PX, Shot, labels_of
from benchmarks.dice_training.solids import Solid, make_solid, moved
from benchmarks.dice_training.tetrahedra import standing_in
from vision.dice.kinds import FACES, NOTHING
from vision.dice.tetrahedra import EDGE_MM, Base, corners_mm
from vision.dice.tetrahedron_tops import VALUES
from vision.frame import Array

EYE = Eye(np.array([0.0, 0, 400]), np.diag([1.0, -1, -1]), 1200.0, (SIZE_PX - 1) / 2)
"""From straight above: three pixels a millimetre on the table."""


def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def turned(solid: Solid, angle_deg: float, shift: tuple[float, float, float]) -> Solid:
    """Return a die tipped over towards y, then put elsewhere with its lowest point so high."""
    cos, sin = np.cos(np.radians(angle_deg)), np.sin(np.radians(angle_deg))
    how = np.array([[1, 0, 0], [0, cos, -sin], [0, sin, cos]])
    sides = [moved(side, how, np.zeros(3)) for side in solid.sides]
    low = min(float(side.corners[:, 2].min()) for side in sides)
    put = np.array(shift) - [0, 0, low]
    return replace(solid, sides=tuple(moved(side, np.eye(3), put) for side in sides))


def fallen(kind: str, angle_deg: float = 0.0, at: tuple[float, float, float] = (0, 0, 0)) -> Fallen:
    return lying(kind, turned(make_solid(kind, rng()), angle_deg, at).sides)


def shot(*dice: Fallen, visible: float = 1.0) -> Shot:
    """Return what is seen of dice of which a card hides all but a share, from below."""
    outlines = tuple(
        cv2.convexHull(EYE.pixels(die.solid.corners).astype(np.float32)).reshape(-1, 2)
        for die in dice
    )
    picture: Array = np.zeros((SIZE_PX, SIZE_PX, 3), np.float32)
    owner = np.full((SIZE_PX, SIZE_PX), -1)
    for k, outline in enumerate(outlines):
        alone = np.zeros(owner.shape, np.uint8)
        cv2.fillConvexPoly(alone, np.round(outline).astype(np.int32), 1)
        rows, columns = np.nonzero(alone)
        kept = slice(round(visible * len(rows)))
        owner[rows[kept], columns[kept]] = k
    return Shot(picture, dice, outlines, owner, EYE)


@pytest.mark.parametrize("kind", FACES)
def test_round_edges_take_from_a_die_and_leave_its_sides(kind: str) -> None:
    solid = make_solid(kind, rng())
    points, normals, triangles = rounded(solid, 1.0)
    for side in solid.sides:
        over = (points - side.corners[0]) @ side.normal
        assert over.max() == pytest.approx(0, abs=0.01 if kind != "d4_barrel" else 1.0)
    corners = np.unique(solid.corners.round(4), axis=0)
    far = np.linalg.norm(corners - corners.mean(axis=0), axis=1).max()
    assert np.linalg.norm(points - corners.mean(axis=0), axis=1).max() < far - 0.2
    assert np.linalg.norm(normals, axis=1) == pytest.approx(1)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    outward = np.einsum("fi,fi->f", np.cross(b - a, c - a), (a + b + c) / 3 - points.mean(axis=0))
    assert (outward > -1e-9).all()


@pytest.mark.parametrize("kind", FACES)
def test_a_die_that_lies_flat_shows_what_it_was_made_to_show(kind: str) -> None:
    for seed in range(12):
        solid = make_solid(kind, np.random.default_rng(seed))
        fell = lying(kind, solid.sides)
        assert (fell.lies, fell.solid.kind, fell.solid.face) == (FLAT, kind, solid.face)
        assert fell.solid.is_told


@pytest.mark.parametrize("kind", ["d6", "sail", "d20", "piecepack", "d10"])
def test_how_a_die_lies_is_told_by_its_side_and_its_height(kind: str) -> None:
    upright = fallen(kind)
    leaning = fallen(kind, 15)
    assert (leaning.lies, leaning.solid.kind, leaning.solid.is_told) == (COCKED, kind, False)
    assert leaning.solid.face == upright.solid.face
    assert np.degrees(np.arccos(leaning.solid.up[2])) == pytest.approx(15)
    assert fallen(kind, 4).lies == HARDLY
    high = fallen(kind, at=(0, 0, 16))
    assert (high.lies, high.solid.is_told) == (ON_ANOTHER, False)
    assert high.solid.face == upright.solid.face
    assert fallen(kind, at=(0, 0, 2)).lies == HARDLY


def test_the_sides_of_a_thrown_die_are_painted_with_its_signs() -> None:
    disc = np.zeros((GLYPH_PX, GLYPH_PX), np.float32)
    cv2.circle(disc, (GLYPH_PX // 2, GLYPH_PX // 2), GLYPH_PX // 2 - 1, (1.0,), -1)
    die = fallen("d6")
    skin = painted(die, {"o": [disc]}, np.random.default_rng(2), 0.0)
    for k, side in enumerate(die.solid.sides):
        tile = skin.tile(k).astype(float)
        away = np.abs(tile - tile[0, 0]).sum(axis=2)
        spots, _ = cv2.connectedComponents((away > away.max() / 2).astype(np.uint8))
        assert spots - 1 == len(side.prints)
    middles = np.array([[side.corners.mean(axis=0)] for side in die.solid.sides])
    at = skin.places(middles, np.arange(len(middles)))[:, 0] * skin.picture.shape[1::-1]
    assert (at % skin.tile_px) == pytest.approx(skin.tile_px / 2, abs=1)


def test_what_lies_flat_and_whole_is_labelled_and_nothing_else(tmp_path: Path) -> None:
    dice = (
        fallen("d6", at=(-30, 0, 0)),
        fallen("d20", 15, (30, 0, 0)),
        fallen("piecepack", at=(0, 30, 16)),
        fallen("d6", 4, (0, -30, 0)),
        fallen("d6", at=(58, 40, 0)),
    )
    labels = labels_of(shot(*dice))
    assert [d["kind"] for d in labels] == ["d6", NOTHING, NOTHING, SKIPPED, NOTHING]
    assert [d["die"] for d in labels] == ["d6", "d20", "piecepack", "d6", "d6"]
    assert [d["hidden"] for d in labels] == [False, False, True, False, True]
    assert [d["own"] is not None for d in labels] == [False, True, False, False, False]

    (tmp_path / "labels.jsonl").write_text(json.dumps({"image": "0.jpg", "dice": labels}))
    (known,) = drawn_pictures(tmp_path)
    plain, cocked, *_ = known.dice
    x, y, wide, high = plain.box
    left, top = EYE.pixels(dice[0].solid.corners).min(axis=0)
    assert (x, y) == pytest.approx((left, top), abs=0.1)
    assert x + wide < SIZE_PX / 2
    assert 50 < high < 90
    assert cocked.own_lean_deg is not None
    assert np.hypot(*np.subtract(cocked.own_lean_deg, cocked.leans_deg)) == pytest.approx(15, abs=2)


@pytest.mark.parametrize("way", AWKWARD)
def test_of_a_drawn_die_that_cannot_be_told_it_is_known_what_it_is(way: str) -> None:
    glyphs = load_glyphs([], rng())
    scene = Scene(rng(), glyphs, SIZE_PX)
    AWKWARD[way](scene, "d10", np.zeros(2))
    kinds = [(seen.kind, seen.die) for seen in scene.seen(least=0.1)]
    assert (NOTHING, "d10") in kinds
    assert all(kind == NOTHING and die in FACES for kind, die in kinds)


def test_a_die_that_others_hide_is_labelled_by_how_much_of_it_is_seen() -> None:
    die = fallen("d6")
    told = [labels_of(shot(die, visible=share)) for share in (0.95, 0.8, 0.5, 0.3)]
    assert [[d["kind"] for d in labels] for labels in told] == [["d6"], [SKIPPED], [NOTHING], []]


def test_a_tetrahedron_that_is_thrown_has_edges_of_20_mm() -> None:
    for seed in range(4):
        solid = as_bought(make_solid("sail", np.random.default_rng(seed)), "sail")
        a, b, c = solid.sides[0].corners
        assert [np.linalg.norm(a - b), np.linalg.norm(b - c)] == pytest.approx([EDGE_MM] * 2)
    cube = make_solid("d6", rng())
    assert as_bought(cube, "d6") is cube


def test_ink_with_a_contrast_is_brighter_or_darker_however_its_colour_is() -> None:
    draws = np.random.default_rng(4)
    weights = np.array([0.11, 0.59, 0.3])
    for _ in range(60):
        body, ink = two_colours(draws, 90.0)
        assert abs(float((body - ink) @ weights)) > 70  # before both are kept within 8 to 252


def test_the_sides_of_a_thrown_sail_are_seen_with_the_numbers_of_its_corners() -> None:
    sail = _on_the_floor("sail", (12.0, -20.0))
    outside = _on_the_floor("sail", (60.0, 0.0))
    seen = shot(fallen("d6", at=(-40, 20, 0)), sail, outside)
    (standing,) = standing_in(seen, np.zeros((SIZE_PX, SIZE_PX, 3), np.uint8))
    corners = corners_mm(Base(standing.pose[:2], float(standing.pose[2]))) * [1, -1, 1]
    for corner, told in zip(corners, standing.classes, strict=True):
        number = VALUES[told - 1]
        prints = [p for side in sail.solid.sides for p in side.prints]
        nearest = min(prints, key=lambda p: float(np.linalg.norm(p.middle - corner)))
        assert int(nearest.text) == number
    at = cv2.perspectiveTransform(standing.pose[None, None, :2], standing.to_picture)[0, 0]
    assert standing.its_own[round(at[1]), round(at[0])] == 255
    views = [told for _, told in standing.views(np.random.default_rng(1))]
    assert set(views) <= {0, *standing.classes}
    assert len(views) - views.count(0) >= 6


def _on_the_floor(kind: str, at: tuple[float, float]) -> Fallen:
    solid = as_bought(make_solid(kind, rng()), kind)
    low = min(float(side.corners[:, 2].min()) for side in solid.sides)
    shift = np.array([*at, -low])
    sides = tuple(moved(side, np.eye(3), shift) for side in solid.sides)
    return Fallen(replace(solid, sides=sides), FLAT)
