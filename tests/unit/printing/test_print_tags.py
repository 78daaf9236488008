"""Printed tags and islands: the right numbers, true to scale, arrows to the bow."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from pypdf import PdfReader

from companion.boards.profile import load_profile
from companion.cli.pieces import islands_of, read_numbers, ships_of, unnamed
from companion.errors import BadOptions, PrintingError
from companion.rules.layout import Placed, Pose
from tests.command_line import run_command
from vision.printing.drawing import Label, Polygon
from vision.printing.raster import rasterise
from vision.printing.sheets import PAPERS
from vision.printing.tags import _packed, card_mm, island_shapes, islands_pdf, tag_shapes, tags_pdf

TAGS = load_profile("open-table").tags
REST = Pose(0, 0, 0)
SHORE = ((-48, -20), (-32, -34), (32, -34), (48, -20), (48, 20), (32, 34), (-32, 34), (-48, 20))
PX = 4.0


def text_of(data: bytes) -> str:
    return "\n".join(page.extract_text() for page in PdfReader(BytesIO(data)).pages)


def detected(picture: np.ndarray) -> dict[int, np.ndarray]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    return {int(i): quad.reshape(4, 2) for i, quad in zip(ids.ravel(), corners, strict=True)}


@pytest.mark.parametrize("number", [0, 10, 250, 586])
def test_a_tag_has_its_number_and_size_and_an_arrow_along_its_x_axis(number: int) -> None:
    shapes = tag_shapes(TAGS, number, (20, 20))
    found = detected(rasterise(shapes, (0, 0), (40, 40), PX))
    assert list(found) == [number]
    assert found[number] / PX == pytest.approx(
        np.array([[8, 8], [32, 8], [32, 32], [8, 32]]), abs=0.4
    )
    (arrow,) = [s for s in shapes if isinstance(s, Polygon) and len(s.points_mm) == 3]
    tip = max(arrow.points_mm)
    assert tip[1] == 20, "it points along +x, and x is where the tag's top right corner is"
    ink, half = 20 + TAGS.side_mm / 2, card_mm(TAGS) / 2
    assert all(ink + TAGS.side_mm / 8 < x < 20 + half for x, _ in arrow.points_mm)
    (label,) = [s for s in shapes if isinstance(s, Label)]
    assert label.text == str(number)
    assert ink + TAGS.side_mm / 8 < label.baseline_mm[1] - label.height_mm
    assert label.baseline_mm[1] < 20 + half


def test_an_island_has_its_shore_around_its_tag() -> None:
    shapes = island_shapes(TAGS, 103, Placed(REST, "island", "Skull Isle", "", SHORE), (60, 50))
    shore = shapes[0]
    assert isinstance(shore, Polygon)
    assert shore.points_mm == tuple((60 + x, 50 + y) for x, y in SHORE)
    found = detected(rasterise(shapes, (0, 0), (120, 100), PX))
    assert found[103].mean(axis=0) / PX == pytest.approx((60, 50), abs=0.3)


def test_sheets_name_ships_and_heights_or_leave_a_line() -> None:
    names = {12: "Black Gull", 13: "Żółta Niña"}
    named = {tag: Placed(REST, "ship", name, "", SHORE, 36.0) for tag, name in names.items()}
    told = text_of(tags_pdf(TAGS, named, "a4"))
    assert "Black Gull" in told
    assert "Zólta Niña" in told, "letters that a PDF's fonts lack would be boxes"
    assert "36 mm high" in told
    many = tags_pdf(TAGS, unnamed(range(1, 40)), "a4")
    assert len(PdfReader(BytesIO(many)).pages) == 3
    assert {str(k) for k in range(1, 40)} <= set(text_of(many).split())


def test_islands_lie_apart_and_inside_the_sheet() -> None:
    kinds = ("island", "reef", "iceberg")
    pieces = {100 + k: Placed(REST, kinds[k % 3], f"isle {k}", "", SHORE) for k in range(11)}
    page = PAPERS["a4"]
    sheets = list(_packed(pieces, page, "a4"))
    assert [tag for sheet in sheets for tag, _ in sheet] == sorted(pieces)
    assert max(len(sheet) for sheet in sheets) == 6
    for sheet in sheets:
        boxes = [(x - 48, y - 34, x + 48, y + 34) for _, (x, y) in sheet]
        for k, (x0, y0, x1, y1) in enumerate(boxes):
            assert x0 >= 8
            assert y0 >= 30
            assert x1 <= page[0] - 8
            assert y1 <= page[1] - 20
            for a0, b0, a1, b1 in boxes[:k]:
                assert x0 >= a1 or a0 >= x1 or y0 >= b1 or b0 >= y1
    assert len(PdfReader(BytesIO(islands_pdf(TAGS, pieces, "a4"))).pages) == len(sheets)


def test_what_cannot_be_printed_is_explained() -> None:
    with pytest.raises(PrintingError, match="no island to print"):
        islands_pdf(TAGS, {1: Placed(REST, "ship", "Gull", "", SHORE)}, "a4")
    large = tuple((3 * x, 3 * y) for x, y in SHORE)
    with pytest.raises(PrintingError, match="Isle is 288 x 204 mm and does not fit on a4"):
        islands_pdf(TAGS, {101: Placed(REST, "island", "Isle", "", large)}, "a4")
    with pytest.raises(PrintingError, match="choose a4"):
        tags_pdf(TAGS, unnamed([1]), "full")
    with pytest.raises(PrintingError, match="numbered like"):
        read_numbers("1-x")
    with pytest.raises(PrintingError, match="numbered upward: 1-30, not 30-1"):
        read_numbers("2,30-1")
    with pytest.raises(PrintingError, match="played on cells: its pieces bear no tags"):
        ships_of("privateer", None, {})
    with pytest.raises(BadOptions, match="for 2 to 6 players, not 9"):
        islands_of("pirates-csg", 9, {})


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tags", "--numbers", "1-8,12"), "9 tags on a4"),
        (("tags", "--game", "pirate-wars"), "8 tags on a4"),
        (("markers", "--profile", "open-table"), "4 markers on a4"),
    ],
)
def test_the_command_prints_them(
    words: tuple[str, ...], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command("print", *words, "-o", tmp_path / "x.pdf") == 0
    assert told in capsys.readouterr().out
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("tags",), "say whose"),
        (("islands", "--game", "pirate-wars"), "no island to print"),
        (("tags", "--numbers", "1", "--profile", "sea-grid"), "stand on cells"),
    ],
)
def test_the_command_says_what_is_missing(
    words: tuple[str, ...], match: str, tmp_path: Path
) -> None:
    with pytest.raises(PrintingError, match=match):
        run_command("print", *words, "-o", tmp_path / "x.pdf")
