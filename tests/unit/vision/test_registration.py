from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.errors import BoardError
from companion.table.observation import Unreadable
from vision.blank import BLANK, is_blank
from vision.registration import BoardFit, register


def centres(profile):
    return np.array([profile.cell_centre_mm(cell) for cell in profile.cells])


@pytest.mark.parametrize(
    "pose",
    [{}, {"turn_deg": 178.0}, {"tilt_deg": 24.0}, {"height_mm": 1000.0, "focal_px": 1350.0}],
    ids=["plain", "turned", "tilted", "high"],
)
def test_cells_lie_where_the_camera_sees_them(draw_board, true_pixels, profile, pose):
    fit = register(draw_board(**pose), profile)
    assert isinstance(fit, BoardFit)
    assert fit.markers == {0, 1, 2, 3}
    assert fit.error_mm < 0.6
    off = fit.to_board(true_pixels(centres(profile), **pose)) - centres(profile)
    assert np.linalg.norm(off, axis=1).max() < 1.5


def test_one_hidden_marker_still_makes_a_fit(draw_board, true_pixels, profile):
    fit = register(draw_board(without_markers=[3]), profile)
    assert isinstance(fit, BoardFit)
    assert fit.markers == {0, 1, 2}
    off = fit.to_board(true_pixels(centres(profile))) - centres(profile)
    assert np.linalg.norm(off, axis=1).max() < 4


def test_two_hidden_markers_are_named(draw_board, profile):
    seen = register(draw_board(without_markers=[0, 2]), profile, frame_id="f7")
    assert isinstance(seen, Unreadable)
    assert seen.frame_id == "f7"
    assert seen.reason == (
        "I see two of four markers; the far-left one and the near-right one are missing or in glare"
    )


def test_a_picture_without_a_board_says_so(draw_board, profile):
    seen = register(draw_board(without_markers=range(4)), profile)
    assert isinstance(seen, Unreadable)
    assert "none of the four markers" in seen.reason


@pytest.mark.parametrize("colour", [(0, 0, 0), (20, 20, 70), (255, 255, 255)])
def test_a_covered_lens_is_told_as_one(profile, colour):
    rng = np.random.default_rng(4)
    glow = np.linspace(0, 1, 1280)[None, :, None] * colour + rng.normal(0, 15, (960, 1280, 3))
    seen = register(np.clip(glow, 0, 255).astype(np.uint8), profile)
    assert isinstance(seen, Unreadable)
    assert seen.reason == BLANK


def test_a_board_in_little_light_is_no_covered_lens(draw_board):
    assert not is_blank(draw_board(light=(0.3, 0.3, 0.3)))


def test_dim_light_is_enough(draw_board, profile):
    fit = register(draw_board(light=(0.15, 0.2, 0.3)), profile)
    assert isinstance(fit, BoardFit)
    assert fit.error_mm < 0.8


def test_the_previous_fit_gives_the_same_result(draw_board, profile):
    image = draw_board(tilt_deg=15.0)
    first = register(image, profile)
    again = register(image, profile, first)
    assert isinstance(first, BoardFit)
    assert isinstance(again, BoardFit)
    assert again.shift_from(first, profile) < 0.2


def test_a_moved_camera_is_measured(draw_board, profile):
    first = register(draw_board(), profile)
    moved = register(draw_board(turn_deg=3.5), profile, first)
    assert isinstance(first, BoardFit)
    assert isinstance(moved, BoardFit)
    assert 5 < moved.shift_from(first, profile) < 15


def test_a_wrong_board_is_not_trusted(draw_board, profile):
    places = [replace(m, centre_mm=(m.centre_mm[0] * (1 + 0.2 * (m.id == 2)), m.centre_mm[1]))
              for m in profile.markers]  # fmt: skip
    other = replace(profile, markers=(*places, *[replace(places[0], id=k) for k in (7, 8)]))
    seen = register(draw_board(), replace(other, markers=tuple(other.markers[:4])))
    assert isinstance(seen, Unreadable) or seen.markers != {0, 1, 2, 3}


def test_a_board_of_ones_own_with_unknown_markers_is_refused(draw_board, profile):
    with pytest.raises(BoardError, match="no marker dictionary 'DICT_4X4_5'"):
        register(draw_board(), replace(profile, dictionary="DICT_4X4_5"))
    *others, last = profile.markers
    with pytest.raises(BoardError, match="has the markers 0 to 49, not 50"):
        register(draw_board(), replace(profile, markers=(*others, replace(last, id=50))))


def test_high_things_lean_away_from_the_camera(draw_board, true_pixels, profile):
    pose = {"tilt_deg": 20.0}
    fit = register(draw_board(**pose), profile)
    assert isinstance(fit, BoardFit)
    flat = centres(profile)
    tops = true_pixels(np.column_stack([flat, np.full(len(flat), -10.0)]), **pose)
    lean = fit.to_board(tops) - flat
    assert np.abs(lean - fit.lean_mm(flat, 10.0)).max() < 1.5
    assert np.abs(fit.to_board(tops, height_mm=10.0) - flat).max() < 1.5
