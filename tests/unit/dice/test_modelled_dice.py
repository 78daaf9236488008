"""Bodies of two colours that dice are drawn with, and dice that others have modelled."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.dice_training.colours import two_colours
from benchmarks.dice_training.glyphs import FOOTLESS, GLYPH_PX, load_glyphs
from benchmarks.dice_training.near import TexturedScene
from benchmarks.dice_training.solids import Solid, make_solid, moved
from benchmarks.dice_training.tetrahedra import draw_standing
from benchmarks.dice_training.textures import Texture
from benchmarks.dice_training.themes import Model, moved_by, read_model, skin_of

BRIGHTNESS = np.array([0.11, 0.59, 0.3])
HALF = 0.08
"""Half a side of the modelled cube, in its own units."""
FACES = {(1, 0): 1, (1, 2): 2, (1, 1): 3, (-1, 1): 4, (-1, 2): 5, (-1, 0): 6}
"""What is on the sides of the modelled cube, by where they look: to which end of which axis."""


@pytest.fixture
def themes(tmp_path: Path) -> Path:
    """Return a folder with a theme of one cube, left-handed as theirs are."""
    theme = tmp_path / "default"
    theme.mkdir()
    positions: list[float] = []
    for end, axis in FACES:
        for a, b in product((-1, 1), repeat=2):
            corner = np.insert(np.array([a, b]), axis, end) * HALF * [1, 1, -1]
            positions += corner.tolist()
    triangles = np.concatenate([[[4 * k, 4 * k + 1, 4 * k + 3], [4 * k, 4 * k + 3, 4 * k + 2]]
                                for k in range(6)])  # fmt: skip
    outside = []
    points = np.array(positions).reshape(-1, 3) * [1, 1, -1]
    for triangle in triangles:
        a, b, c = points[triangle]
        is_outward = np.cross(b - a, c - a) @ a > 0
        outside += (triangle if is_outward else triangle[::-1]).tolist()
    mesh = {"positions": positions, "normals": positions, "indices": outside,
            "uvs": [0.25, 0.75] * 24, "scaling": [1, 1, 1]}  # fmt: skip
    numbers = {str(k): face for k, face in enumerate(np.repeat(list(FACES.values()), 2).tolist())}
    stored = {
        "meshes": [mesh | {"name": "d6"}, mesh | {"name": "d6_collider"}],
        "colliderFaceMap": {"d6": numbers},
    }
    (theme / "default.json").write_text(json.dumps(stored), "utf-8")
    ink = {"light": "light.png", "dark": "dark.png"}
    manner = {"meshFile": "default.json", "material": {"diffuseTexture": ink}}
    (theme / "theme.config.json").write_text(json.dumps(manner), "utf-8")
    for name, grey in (("light", 255), ("dark", 0)):
        skin = np.zeros((8, 8, 4), np.uint8)
        skin[:4] = [grey, grey, grey, 255]
        cv2.imwrite(str(theme / f"{name}.png"), skin)
    return tmp_path


def cube(themes: Path) -> Model:
    return read_model(themes, "default", "d6_numeral")


def test_the_sides_of_a_modelled_die_bear_the_numbers_that_its_faces_have(themes: Path) -> None:
    told = {
        (round(float(side.normal[axis])), axis): int(side.prints[0].text)
        for side in cube(themes).solid.sides
        for axis in (int(np.abs(side.normal).argmax()),)
    }
    assert told == FACES


def test_a_modelled_cube_is_16_mm_wide_and_its_surface_looks_outward(themes: Path) -> None:
    model = cube(themes)
    assert np.ptp(model.solid.corners, axis=0) == pytest.approx([16, 16, 16])
    a, b, c = np.moveaxis(model.corners, 1, 0)
    assert (np.cross(b - a, c - a) * a).sum(axis=1).min() > 0
    assert model.places == pytest.approx(0.25)  # the picture's first line is its uppermost


def test_how_a_modelled_die_has_moved_is_told_by_its_sides(themes: Path) -> None:
    solid = cube(themes).solid
    turn = np.array([[0.0, -1, 0], [0.6, 0, -0.8], [0.8, 0, 0.6]])
    shift = np.array([30.0, -5, 8])
    after = type(solid)(tuple(moved(side, turn, shift) for side in solid.sides), solid.kind, 0)
    told_turn, told_shift = moved_by(solid, after)
    assert told_turn == pytest.approx(turn)
    assert told_shift == pytest.approx(shift)


def test_ink_of_a_theme_stands_on_a_body_that_it_can_be_read_on(themes: Path) -> None:
    for seed in range(20):
        skin = skin_of(themes / "default", np.random.default_rng(seed))
        ink, body = (float(skin[row, 0] @ BRIGHTNESS) for row in (0, 7))
        assert abs(ink - body) > 100


def test_a_second_colour_leaves_the_ink_as_plain_at_least_half() -> None:
    rng, seen = np.random.default_rng(3), 0
    for _ in range(60):
        body, ink = two_colours(rng, 90)
        bare = np.broadcast_to(body, (90, 120, 3)).astype(np.float32)
        laid = Texture.random(body, ink, rng).laid(bare, 6.0, rng)
        apart = (laid - ink) @ BRIGHTNESS / ((body - ink) @ BRIGHTNESS)
        assert laid.shape == bare.shape
        assert apart.min() > 0.49
        seen += int(np.ptp(laid, axis=(0, 1)).max() > 20)
    assert seen > 40


def printed(solid: Solid) -> set[str]:
    return {p.text for side in solid.sides for p in side.prints}


def test_some_textured_dice_have_no_mark_at_6_and_9_or_a_1_that_is_all_flag() -> None:
    rng = np.random.default_rng(4)
    scene = TexturedScene(rng, load_glyphs([], rng), 96)
    drawn = []
    for _ in range(60):
        scene.draw(make_solid("d20", rng), np.zeros(2), "d20")
        drawn.append(printed(scene.dice[-1][0]))
    unmarked = [texts for texts in drawn if {"6", "9"} <= texts]
    footless = [texts for texts in drawn if FOOTLESS in texts]
    assert 3 < len(unmarked) < 20
    assert 3 < len(footless) < 20
    assert not any("1" in texts for texts in footless)
    assert not any({"6", "9"} & texts for texts in drawn if texts not in unmarked)


def test_a_1_that_is_all_flag_has_nothing_to_stand_on() -> None:
    for glyph in load_glyphs([], np.random.default_rng(0))[FOOTLESS]:
        assert len(glyph) == GLYPH_PX
        foot, width = glyph[-8:].max(axis=0), glyph.shape[1]
        assert foot[: width // 3].max() == 0  # all of it is on the right, under the stroke
        assert foot[width // 2 :].max() > 0.9


def test_a_d4_whose_1_is_all_flag_stands_where_any_other_does() -> None:
    rng = np.random.default_rng(2)
    glyphs = load_glyphs([], rng)
    drawn = [sorted(draw_standing(rng, glyphs, footless=1.0).classes) for _ in range(12)]
    d4 = [classes for classes in drawn if classes == [1, 2, 3, 4]]
    assert len(d4) >= 2, "its corners are told by their numbers, however they are printed"
