"""Boards of squares and the coins that belong on them."""

from io import BytesIO

import cv2
import numpy as np
import pytest
from pypdf import PdfReader
from pypdf.generic import ContentStream

from companion.boards.profile import builtin_profiles, load_profile
from companion.errors import PrintingError
from companion.rules.squares import square_name
from vision.printing.coins import COIN_LOOKS, COIN_MM, SUITS, coin_shapes, wreck_shapes
from vision.printing.drawing import Disc, Label, Polygon
from vision.printing.pdf import board_pdf, coins_pdf, tiling
from vision.printing.raster import rasterise
from vision.printing.shapes import board_shapes
from vision.printing.styles import STYLES

SEA = load_profile("piecepack-sea")
MM = 72 / 25.4


def painted(name: str, px_per_mm: float = 2.0) -> np.ndarray:
    profile = load_profile(name)
    inset = profile.marker_inset_mm
    size = (profile.width_mm, profile.height_mm)
    return rasterise(board_shapes(profile, STYLES["chart"]), (-inset, -inset), size, px_per_mm)


@pytest.mark.parametrize("name", builtin_profiles())
def test_every_board_prints_its_markers_where_the_profile_says(name: str) -> None:
    profile = load_profile(name)
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    quads, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(painted(name, 3.0))
    seen = {int(i): quad[0].mean(axis=0) for i, quad in zip(ids.ravel(), quads, strict=True)}
    assert seen.keys() == {m.id for m in profile.markers}
    for marker in profile.markers:
        at = (seen[marker.id] + 0.5) / 3.0 - profile.marker_inset_mm
        assert at == pytest.approx(marker.centre_mm, abs=0.25)


@pytest.mark.parametrize("name", builtin_profiles())
@pytest.mark.parametrize("style", sorted(STYLES))
def test_nothing_reaches_over_the_edge(name: str, style: str) -> None:
    profile = load_profile(name)
    low = -profile.marker_inset_mm
    high = np.array([profile.width_mm, profile.height_mm]) + low
    for shape in board_shapes(profile, STYLES[style]):
        if isinstance(shape, Polygon):
            points = np.array(shape.points_mm)
        elif isinstance(shape, Disc):
            points = np.array(shape.centre_mm) + np.array([[-1, -1], [1, 1]]) * shape.radius_mm
        else:
            half = 0.4 * shape.height_mm * len(shape.text)
            (x, y), height = shape.baseline_mm, shape.height_mm
            points = np.array([[x - half, y - height], [x + half, y]])
        assert (points >= low).all()
        assert (points <= high).all()


def test_each_column_and_row_is_named_as_captains_point_at_it() -> None:
    labels = [s for s in board_shapes(SEA, STYLES["chart"]) if isinstance(s, Label)]
    for cell in SEA.cells:
        if SEA.marks_on(cell) and SEA.marks_on(cell)[0].kind == "harbour":
            continue
        x, y = SEA.cell_centre_mm(cell)
        letter, number = square_name(cell)[0], square_name(cell)[1:]
        assert any(s.text == letter and abs(s.baseline_mm[0] - x) < 0.1 for s in labels)
        assert any(s.text == number and abs(s.baseline_mm[1] - y) < 2 for s in labels)


def test_harbours_have_their_letters() -> None:
    shapes = board_shapes(SEA, STYLES["deep"])
    large = [s for s in shapes if isinstance(s, Label) and s.height_mm > 6]
    labels = {s.text: s.baseline_mm for s in large}
    for mark in SEA.marks:
        if mark.kind == "harbour":
            x, y = SEA.cell_centre_mm(mark.cell)
            assert labels[mark.text] == pytest.approx((x, y), abs=0.3 * SEA.pitch_mm)


def test_marks_and_land_are_to_be_seen() -> None:
    picture = painted("piecepack-sea").astype(int)

    def crop(cell: tuple[int, int]) -> np.ndarray:
        x, y = (round(2 * (v + SEA.marker_inset_mm)) for v in SEA.cell_centre_mm(cell))
        return picture[y - 24 : y + 24, x - 24 : x + 24]

    plain = crop((3, 2))
    marked = ((8, 1), (5, 4), (6, 4), (5, 5), (6, 6), (5, 6), (1, 1), (8, 0))
    for cell in marked:  # wind; wind and anchor; anchor; cross; skull; land; strait; harbour
        differs = np.abs(crop(cell) - plain).max(axis=-1) > 20
        assert differs.mean() > 0.04, cell
    assert np.abs(crop((2, 3)) - plain).max() < 20


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("piecepack-sea", "a2"),
        ("piecepack-two-seas", "a1"),
        ("hex-ocean-4", "a2"),
        ("hex-ocean-6", "a1"),
    ],
)
def test_new_boards_fit_on_one_sheet_of_a_print_shop(name: str, paper: str) -> None:
    profile = load_profile(name)
    assert tiling(profile, paper).pages == 1
    assert len(PdfReader(BytesIO(board_pdf(profile, STYLES["chart"], paper))).pages) == 1
    assert tiling(profile, "a4").pages > 1


@pytest.mark.parametrize("look", COIN_LOOKS)
def test_suits_differ_in_every_look(look: str) -> None:
    half = COIN_MM / 2
    pictures = {
        name: rasterise(shapes, (-half, -half), (COIN_MM, COIN_MM), 4.0).astype(int)
        for name, shapes in (
            *((suit, coin_shapes(suit, look)) for suit in SUITS),
            ("wreck", wreck_shapes("3")),
        )
    }
    names = sorted(pictures)
    for k, one in enumerate(names):
        for other in names[k + 1 :]:
            differs = np.abs(pictures[one] - pictures[other]).max(axis=-1) > 60
            assert differs.mean() > 0.1, (one, other)


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_coin_sheet_has_two_packs_true_to_scale(paper: str) -> None:
    (page,) = PdfReader(BytesIO(coins_pdf(paper))).pages
    words = page.extract_text()
    assert "PIECEPACK COINS" in words
    assert "this line measures 100 mm" in words
    stream, start = ContentStream(page["/Contents"], page.pdf), None
    widths = []
    for raw, operator in stream.operations:  # a circle is drawn as a move and four curves
        if operator == b"m":
            start, reach = float(raw[0]), []
        elif operator == b"c" and start is not None:
            reach.append(float(raw[4]))
        elif operator == b"S" and start is not None and len(reach) == 4:
            widths.append((max(reach) - min(reach)) / MM)
    assert sum(abs(w - COIN_MM) < 0.01 for w in widths) == 8 * (4 + 3)


def test_coins_need_a_sheet_of_paper() -> None:
    with pytest.raises(PrintingError, match="the coins fit on one sheet: choose a4"):
        coins_pdf("full")
