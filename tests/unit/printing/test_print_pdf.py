"""The PDFs are true to scale: their drawing operations are read back and measured."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
import pytest
from pypdf import PageObject, PdfReader
from pypdf.generic import ContentStream

from companion.boards.profile import load_profile
from companion.errors import PrintingError
from vision.frame import Array, Image
from vision.printing.pdf import board_pdf, markers_pdf, tiling
from vision.printing.sheets import PAPERS
from vision.printing.styles import STYLES

OCEAN = load_profile("hex-ocean")
MM = 72 / 25.4
PX_PER_MM = 4.0


def pages_of(data: bytes) -> list[PageObject]:
    return list(PdfReader(BytesIO(data)).pages)


def size_mm(page: PageObject) -> tuple[float, float]:
    return float(page.mediabox.width) / MM, float(page.mediabox.height) / MM


def drawn_paths(page: PageObject) -> Iterator[tuple[bytes, Array, tuple[float, ...], bool]]:
    """Yield each painted polygon: operator, points (N, 2) in points, fill colour, all straight."""
    matrix: Array = np.eye(3)
    stack: list[tuple[Array, tuple[float, ...]]] = []
    colour: tuple[float, ...] = (0.0, 0.0, 0.0)
    points: list[tuple[float, float]] = []
    straight = True
    stream = ContentStream(page["/Contents"], page.pdf)
    for raw, operator in stream.operations:
        values = [float(v) for v in raw if isinstance(v, int | float)]
        if operator == b"q":
            stack.append((matrix, colour))
        elif operator == b"Q":
            matrix, colour = stack.pop()
        elif operator == b"cm":
            a, b, c, d, e, f = values
            matrix = np.array([[a, b, 0], [c, d, 0], [e, f, 1]]) @ matrix
        elif operator == b"rg":
            colour = tuple(values)
        elif operator in (b"m", b"l"):
            points.append((values[0], values[1]))
        elif operator == b"c":
            straight = False
        elif operator in (b"f", b"f*", b"S", b"B", b"B*", b"n"):
            if points:
                page_points = np.c_[np.array(points), np.ones(len(points))] @ matrix
                yield operator, page_points[:, :2], colour, straight
            points, straight = [], True


def rasterised(page: PageObject) -> Image:
    """Paint the filled polygons of a page, as a printer would."""
    width, height = size_mm(page)
    sheet = np.full((round(height * PX_PER_MM), round(width * PX_PER_MM)), 255, np.uint8)
    for operator, points, colour, straight in drawn_paths(page):
        if operator in (b"S", b"n") or not straight:
            continue
        pixels = np.c_[points[:, 0], height * MM - points[:, 1]] / MM * PX_PER_MM
        grey = 255 * sum(colour) / 3
        cv2.fillPoly(sheet, [np.round(pixels).astype(np.int32)], (grey,))
    return np.asarray(cv2.cvtColor(sheet, cv2.COLOR_GRAY2BGR), np.uint8)


def marker_centres_mm(picture: Image, px_per_mm: float) -> dict[int, Array]:
    known = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(known).detectMarkers(picture)
    if ids is None:
        return {}
    found = zip(corners, ids.ravel(), strict=True)
    return {int(k): quad[0].mean(axis=0) / px_per_mm for quad, k in found}


def ruler_lengths_mm(page: PageObject) -> list[float]:
    """Return the lengths of all single lines on a page."""
    lines = [p for op, p, _, _ in drawn_paths(page) if op == b"S" and len(p) % 2 == 0]
    return [float(np.linalg.norm(b - a)) / MM for p in lines for a, b in p.reshape(-1, 2, 2)]


def test_the_full_board_is_one_sheet_with_markers_at_their_distances() -> None:
    (page,) = pages_of(board_pdf(OCEAN, STYLES["deep"], "full"))
    assert size_mm(page) == pytest.approx((576, 548), abs=0.01)
    centres = marker_centres_mm(rasterised(page), PX_PER_MM)
    assert sorted(centres) == [0, 1, 2, 3]
    for marker in OCEAN.markers:
        expected = np.hypot(*marker.centre_mm)
        assert np.linalg.norm(centres[marker.id] - centres[0]) == pytest.approx(expected, abs=0.3)


@pytest.mark.parametrize(("paper", "pages"), [("a4", 6), ("a3", 4), ("letter", 9)])
def test_tiles_cover_the_board_with_overlap(paper: str, pages: int) -> None:
    tiles = tiling(OCEAN, paper)
    sheets = pages_of(board_pdf(OCEAN, STYLES["chart"], paper))
    assert tiles.pages == len(sheets) == pages
    for sheet in sheets:
        assert sorted(size_mm(sheet)) == pytest.approx(sorted(PAPERS[paper]), abs=0.01)
    right, bottom = tiles.origin_mm(tiles.columns - 1, tiles.rows - 1)
    assert right + tiles.window_mm[0] == pytest.approx(OCEAN.width_mm)
    assert bottom + tiles.window_mm[1] == pytest.approx(OCEAN.height_mm)
    step = tiles.origin_mm(1, 1)
    assert tiles.window_mm[0] - step[0] == pytest.approx(8)
    assert tiles.window_mm[1] - step[1] == pytest.approx(8)
    for page, room in zip(tiles.page_mm, tiles.window_mm, strict=True):
        assert room <= page - 16


@pytest.mark.parametrize("paper", ["a4", "a3", "letter", "full"])
def test_every_sheet_has_a_ruler_of_100_mm_and_says_how_to_print(paper: str) -> None:
    sheets = pages_of(board_pdf(OCEAN, STYLES["chart"], paper))
    for number, sheet in enumerate(sheets, 1):
        assert any(length == pytest.approx(100, abs=1e-3) for length in ruler_lengths_mm(sheet))
        text = sheet.extract_text()
        assert "Print at 100 %" in text
        assert f"sheet {number} of {len(sheets)}" in text


def test_each_tile_shows_its_part_of_the_board() -> None:
    tiles = tiling(OCEAN, "a4")
    sheets = pages_of(board_pdf(OCEAN, STYLES["chart"], "a4"))
    for k, sheet in enumerate(sheets):
        origin = np.array(tiles.origin_mm(k % tiles.columns, k // tiles.columns))
        for marker in OCEAN.markers:
            at = np.array(marker.centre_mm) + OCEAN.marker_inset_mm - origin
            seen = marker_centres_mm(rasterised(sheet), PX_PER_MM).get(marker.id)
            if (at > 20).all() and (at < np.array(tiles.window_mm) - 20).all():
                assert seen is not None
                assert seen == pytest.approx(at + 8, abs=0.3)


def test_cut_out_markers_have_their_size_and_place() -> None:
    (page,) = pages_of(markers_pdf(OCEAN, "a4"))
    picture = rasterised(page)
    assert sorted(marker_centres_mm(picture, PX_PER_MM)) == [0, 1, 2, 3]
    blacks = [
        np.ptp(points, axis=0) / MM
        for operator, points, colour, _ in drawn_paths(page)
        if operator.startswith(b"f") and colour == (0.0, 0.0, 0.0)
    ]
    assert len(blacks) == 4
    assert np.array(blacks) == pytest.approx(30, abs=1e-3)
    text = page.extract_text()
    assert "marker 0, top left" in text
    assert "marker 2, bottom right" in text
    assert "1: 520 mm, 2: 708 mm, 3: 480 mm" in text


def test_the_same_board_gives_the_same_bytes() -> None:
    assert board_pdf(OCEAN, STYLES["deep"], "a3") == board_pdf(OCEAN, STYLES["deep"], "a3")


def test_unknown_papers_are_refused_in_words() -> None:
    with pytest.raises(PrintingError, match="no paper is called 'a5': choose a4, a3, a2"):
        board_pdf(OCEAN, STYLES["deep"], "a5")
    with pytest.raises(PrintingError, match="the markers fit on one sheet"):
        markers_pdf(OCEAN, "full")


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler's pdftoppm is not here")
def test_popplers_print_has_the_markers_at_their_distances(tmp_path: Path) -> None:
    (tmp_path / "board.pdf").write_bytes(board_pdf(OCEAN, STYLES["deep"], "full"))
    command = ["pdftoppm", "-r", "127", "-png", "-singlefile", "board.pdf", "board"]
    subprocess.run(command, cwd=tmp_path, check=True)
    picture = cv2.imread(str(tmp_path / "board.png"))
    assert picture is not None
    centres = marker_centres_mm(np.asarray(picture, np.uint8), 5.0)
    for marker in OCEAN.markers:
        expected = np.hypot(*marker.centre_mm)
        assert np.linalg.norm(centres[marker.id] - centres[0]) == pytest.approx(expected, abs=0.3)


def test_the_viewer_is_told_not_to_scale() -> None:
    assert re.search(rb"/PrintScaling\s*/None", board_pdf(OCEAN, STYLES["deep"], "a4"))
