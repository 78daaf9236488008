"""The drawing of the board, and its picture."""

from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.boards.profile import Marker, load_profile
from companion.errors import BoardError
from vision.printing.drawing import BLACK, Disc, Label, Polygon, rectangle
from vision.printing.raster import rasterise
from vision.printing.shapes import board_shapes, marker_modules, marker_shapes
from vision.printing.styles import STYLES

OCEAN = load_profile("hex-ocean")


@pytest.mark.parametrize("marker_id", [0, 1, 2, 3, 49])
def test_marker_modules_are_opencvs(marker_id: int) -> None:
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    pixels = cv2.aruco.generateImageMarker(known, marker_id, 60)
    modules = marker_modules("DICT_4X4_50", marker_id)
    assert (pixels[5::10, 5::10] > 0).tolist() == [list(row) for row in modules]


@pytest.mark.parametrize(
    ("dictionary", "marker_id", "message"),
    [
        ("DICT_4x4_50", 0, "no marker dictionary 'DICT_4x4_50'"),
        ("ArucoDetector", 0, "no marker dictionary"),
        ("DICT_4X4_50", 50, "has the markers 0 to 49, not 50"),
    ],
)
def test_unknown_markers_are_refused(dictionary: str, marker_id: int, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        marker_modules(dictionary, marker_id)


def test_a_markers_white_and_black_are_where_they_belong() -> None:
    marker = Marker(2, (100.0, 50.0))
    patch, square, *whites = marker_shapes(OCEAN, marker)
    assert isinstance(patch, Polygon)
    assert isinstance(square, Polygon)
    assert patch.points_mm[0] == (80, 30)
    assert patch.points_mm[2] == (120, 70)
    assert (square.points_mm[0], square.points_mm[2]) == ((85, 35), (115, 65))
    area = sum(
        (w.points_mm[2][0] - w.points_mm[0][0]) * (w.points_mm[2][1] - w.points_mm[0][1])
        for w in whites
        if isinstance(w, Polygon)
    )
    modules = marker_modules("DICT_4X4_50", 2)
    assert area == pytest.approx(25 * sum(map(sum, modules)))


def test_the_board_shows_every_cell_start_and_zone() -> None:
    shapes = board_shapes(OCEAN, STYLES["chart"])
    hexes = {s.points_mm for s in shapes if isinstance(s, Polygon) and len(s.points_mm) == 6}
    assert hexes == {OCEAN.cell_outline_mm(c) for c in OCEAN.cells}
    circles = [s.centre_mm for s in shapes if isinstance(s, Disc)]
    assert {OCEAN.cell_centre_mm(m.cell) for m in OCEAN.marks if m.kind == "circle"} <= set(circles)
    words = {s.text for s in shapes if isinstance(s, Label)}
    assert {"HEX OCEAN", "SHIPYARD", "TREASURE"} == {word for word in words if len(word) > 2}


@pytest.mark.parametrize(("radius", "first", "last"), [(4, "C", "K"), (5, "B", "L"), (6, "A", "M")])
def test_letters_and_numbers_stand_at_both_ends_of_each_line_of_hexes(
    radius: int, first: str, last: str
) -> None:
    profile = load_profile("hex-ocean" if radius == 5 else f"hex-ocean-{radius}")
    labels = [s for s in board_shapes(profile, STYLES["chart"]) if isinstance(s, Label)]
    texts = Counter(label.text for label in labels if len(label.text) <= 2)
    rows = [chr(k) for k in range(ord(first), ord(last) + 1)]
    lines = [str(7 + k) for k in range(-radius, radius + 1)]
    assert texts == dict.fromkeys(rows + lines, 2)
    assert profile.name_of((0, -radius)) == f"{first}7"
    row = [label.baseline_mm for label in labels if label.text == first]
    y = profile.cell_centre_mm((0, -radius))[1]
    assert all(abs(at[1] - y) < 3 for at in row)


@pytest.mark.parametrize("style", sorted(STYLES))
def test_nothing_is_printed_off_the_board_or_over_the_ocean(style: str) -> None:
    inset = OCEAN.marker_inset_mm
    ocean = np.array([p for c in OCEAN.cells for p in OCEAN.cell_outline_mm(c)])
    hull = cv2.convexHull(ocean.astype(np.float32))
    for shape in board_shapes(OCEAN, STYLES[style]):
        if not isinstance(shape, Polygon):
            continue
        points = np.array(shape.points_mm)
        assert points.min() >= -inset
        assert (points.max(axis=0) <= np.array([OCEAN.width_mm, OCEAN.height_mm]) - inset).all()
        outside = [cv2.pointPolygonTest(hull, (float(x), float(y)), True) for x, y in points]
        spans_all = np.ptp(points[:, 0]) > 500
        assert spans_all or max(outside) < 0 or min(outside) >= -0.01


def test_a_small_square_is_painted_to_the_fraction_of_a_pixel() -> None:
    square = rectangle((1.25, 1.0), (2.0, 1.5), fill=BLACK)
    picture = rasterise([square], (0.0, 0.0), (5.0, 4.0), 1.0)[..., 0]
    dark = 1 - picture.astype(float) / 255
    assert dark.sum() == pytest.approx(3.0, abs=0.02)
    columns = dark.sum(axis=0)
    assert columns == pytest.approx([0, 0.75 * 1.5, 1.5, 0.25 * 1.5, 0], abs=0.02)


def test_the_picture_holds_the_markers_within_a_tenth_of_a_millimetre() -> None:
    px_per_mm = 4.0
    shapes = board_shapes(OCEAN, STYLES["deep"])
    picture = rasterise(shapes, (-20.0, -20.0), (560.0, 520.0), px_per_mm)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(picture)
    assert sorted(ids.ravel()) == [0, 1, 2, 3]
    centres = {m.id: m.centre_mm for m in OCEAN.markers}
    for quad, marker_id in zip(corners, ids.ravel(), strict=True):
        seen = (quad[0].mean(axis=0) + 0.5) / px_per_mm - 20.0
        assert seen == pytest.approx(centres[int(marker_id)], abs=0.15)


def test_markers_of_another_size_follow_the_profile() -> None:
    wide = replace(OCEAN, marker_side_mm=42.0)
    square = marker_shapes(wide, wide.markers[0])[1]
    assert isinstance(square, Polygon)
    assert square.points_mm[2] == (21, 21)
