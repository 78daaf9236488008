"""True-scale PDFs of boards and markers, for print shops and for home printers."""

from __future__ import annotations

import math
from dataclasses import dataclass

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY, BoardProfile, Marker
from vision.printing.coins import COIN_MM, SUITS, coin_shapes, treasure_shapes, wreck_shapes
from vision.printing.drawing import BLACK, Disc
from vision.printing.shapes import board_shapes, marker_modules, marker_shapes
from vision.printing.sheets import (
    FOOT_MM,
    MARGIN_MM,
    cut_marks,
    draw_foot,
    draw_lines,
    draw_shapes,
    draw_text,
    new_canvas,
    paper_size,
    saved,
    sheet_size,
)
from vision.printing.styles import BoardStyle

_OVERLAP_MM = 8.0
"""Neighbouring sheets show this much of the board twice, to be glued on one another."""


@dataclass(frozen=True, slots=True)
class Tiling:
    """How a board is cut into sheets."""

    page_mm: XY
    """Width and height of each sheet as it lies in the PDF."""
    columns: int
    rows: int
    window_mm: XY
    """Part of the board on each sheet, overlap included."""

    @property
    def pages(self) -> int:
        """Return the number of sheets."""
        return self.columns * self.rows

    def origin_mm(self, column: int, row: int) -> XY:
        """Return the top-left corner of a sheet's part, measured from the board's corner."""
        width, height = self.window_mm
        return column * (width - _OVERLAP_MM), row * (height - _OVERLAP_MM)


def tiling(profile: BoardProfile, paper: str) -> Tiling:
    """Return the way to put a board on sheets of a paper that needs the fewest.

    Raises `PrintingError` on an unknown paper.
    """
    if paper == "full":
        board = profile.width_mm, profile.height_mm
        page = board[0] + 2 * MARGIN_MM, board[1] + 2 * MARGIN_MM + FOOT_MM
        return Tiling(page, 1, 1, board)
    width, height = paper_size(paper)
    ways = (_tile(profile, (width, height)), _tile(profile, (height, width)))
    return min(ways, key=lambda way: way.pages)


def board_pdf(profile: BoardProfile, style: BoardStyle, paper: str) -> bytes:
    """Return a PDF of the whole board, on as many sheets as it takes.

    Raises `PrintingError` on an unknown paper and `BoardError` if a marker cannot be drawn.
    """
    tiles, shapes = tiling(profile, paper), board_shapes(profile, style)
    inset = profile.marker_inset_mm
    canvas, store = new_canvas(tiles.page_mm, f"{profile.title} board")
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            x, y = tiles.origin_mm(column, row)
            canvas.saveState()
            _window(canvas, tiles)
            canvas.translate((inset - x) * mm, (inset - y) * mm)
            draw_shapes(canvas, shapes)
            canvas.restoreState()
            _joints(canvas, tiles, column, row)
            place = f"sheet {row * tiles.columns + column + 1} of {tiles.pages}"
            if tiles.pages > 1:
                place += f": row {row + 1} of {tiles.rows}, column {column + 1} of {tiles.columns}"
            draw_foot(canvas, tiles.page_mm, f"{profile.title}, {place}")
            canvas.showPage()
    return saved(canvas, store)


def markers_pdf(profile: BoardProfile, paper: str) -> bytes:
    """Return a PDF of the board's markers alone, to be cut out and laid at its corners.

    Raises `PrintingError` on an unknown paper and `BoardError` if a marker cannot be drawn.
    """
    page = sheet_size(paper, "the markers fit on one sheet")
    side = profile.marker_side_mm + 30.0
    columns = max(1, min(2, int((page[0] - 2 * MARGIN_MM) // side)))
    rows = max(1, int((page[1] - 2 * MARGIN_MM - FOOT_MM - 20) // side))
    canvas, store = new_canvas(page, f"{profile.title} markers")
    # In the order in which they lie on the board, so that the sheet looks like its corners.
    markers = sorted(profile.markers, key=lambda m: (m.centre_mm[1], m.centre_mm[0]))
    for start in range(0, len(markers), columns * rows):
        draw_text(canvas, (page[0] / 2, 18.0), _distances(profile), 2.2, "Helvetica", BLACK)
        for k, marker in enumerate(markers[start : start + columns * rows]):
            x = page[0] / 2 + (k % columns - (columns - 1) / 2) * side
            _cut_out(canvas, profile, marker, (x, 28.0 + side * (k // columns + 0.5)))
        draw_foot(canvas, page, f"{profile.title}, markers of {profile.dictionary}")
        canvas.showPage()
    return saved(canvas, store)


def coins_pdf(paper: str) -> bytes:
    """Return a PDF of coins and a treasure for people who have no piecepack, to be cut out.

    Four ships a fleet of two packs, three wrecks beside them, and a treasure to be rolled.
    Raises `PrintingError` on an unknown paper.
    """
    page = sheet_size(paper, "the coins fit on one sheet")
    canvas, store = new_canvas(page, "Piecepack coins")
    pitch = COIN_MM + 4.0
    left, top = page[0] / 2 - 3 * pitch, 36.0
    draw_text(canvas, (page[0] / 2, 14.0), "PIECEPACK COINS", 5.0, "Times-Bold", BLACK)
    notes = (
        "Glue this sheet on card of about 3 mm and cut the coins out: four ships of each fleet",
        "and, with their values up, wrecks. Upper rows: the first pack; lower rows: the second.",
    )
    for k, note in enumerate(notes):
        draw_text(canvas, (page[0] / 2, 18.5 + 3.2 * k), note, 1.9, "Helvetica", BLACK)
    fleets = [(suit, look) for look in ("painted", "rimmed") for suit in SUITS]
    for row, (fleet, look) in enumerate(fleets):
        for column in range(7):
            at = (left + column * pitch, top + row * pitch)
            is_ship = column < 4
            face = coin_shapes(fleet, look, at) if is_ship else wreck_shapes(str(column - 1), at)
            draw_shapes(canvas, [*face, Disc(at, COIN_MM / 2, line=(120, 120, 120), line_mm=0.15)])
    strip = (page[0] / 2, top + 8 * pitch - 6.0)
    draw_shapes(canvas, treasure_shapes(strip))
    note = "The treasure: roll the strip to a tube, close it with the lid. A pawn will do as well."
    draw_text(canvas, (page[0] / 2, strip[1] + 24.5), note, 1.9, "Helvetica", BLACK)
    draw_foot(canvas, page, "Piecepack coins")
    canvas.showPage()
    return saved(canvas, store)


def _tile(profile: BoardProfile, page_mm: XY) -> Tiling:
    """Cut the board into equal parts that fit on the page."""
    room = (page_mm[0] - 2 * MARGIN_MM, page_mm[1] - 2 * MARGIN_MM - FOOT_MM)
    board = (profile.width_mm, profile.height_mm)
    counts = [
        max(1, math.ceil((b - _OVERLAP_MM) / (r - _OVERLAP_MM)))
        for b, r in zip(board, room, strict=True)
    ]
    parts = [(b - _OVERLAP_MM) / n + _OVERLAP_MM for b, n in zip(board, counts, strict=True)]
    return Tiling(page_mm, counts[0], counts[1], (parts[0], parts[1]))


def _window(canvas: Canvas, tiles: Tiling) -> None:
    """Move the origin to the sheet's part of the board and draw nothing outside it."""
    canvas.translate(MARGIN_MM * mm, MARGIN_MM * mm)
    clip = canvas.beginPath()
    clip.rect(0, 0, tiles.window_mm[0] * mm, tiles.window_mm[1] * mm)
    canvas.clipPath(clip, stroke=0, fill=0)


def _joints(canvas: Canvas, tiles: Tiling, column: int, row: int) -> None:
    """Mark where to cut, and where the neighbouring sheet's edge comes to lie."""
    x0, y0 = MARGIN_MM, MARGIN_MM
    x1, y1 = x0 + tiles.window_mm[0], y0 + tiles.window_mm[1]
    marks = cut_marks((x0, y0), (x1, y1), 1.0, 5.0)
    if column < tiles.columns - 1:
        glue = x1 - _OVERLAP_MM
        marks += [(glue, y0 - 3, glue, y0 - 1), (glue, y1 + 1, glue, y1 + 3)]
        draw_text(canvas, (x1 - _OVERLAP_MM / 2, y0 - 1.2), "glue", 1.6, "Helvetica", BLACK)
    if row < tiles.rows - 1:
        glue = y1 - _OVERLAP_MM
        marks += [(x0 - 3, glue, x0 - 1, glue), (x1 + 1, glue, x1 + 3, glue)]
        draw_text(canvas, (x0 - 4.0, y1 - _OVERLAP_MM / 2), "glue", 1.6, "Helvetica", BLACK)
    draw_lines(canvas, marks)


def _cut_out(canvas: Canvas, profile: BoardProfile, marker: Marker, at_mm: XY) -> None:
    """Draw a marker centred at a point of the sheet, with cut marks and its place."""
    x, y = at_mm
    canvas.saveState()
    canvas.translate((x - marker.centre_mm[0]) * mm, (y - marker.centre_mm[1]) * mm)
    draw_shapes(canvas, marker_shapes(profile, marker))
    canvas.restoreState()
    modules = len(marker_modules(profile.dictionary, marker.id))
    half = profile.marker_side_mm * (0.5 + 1 / modules)
    draw_lines(canvas, cut_marks((x - half, y - half), (x + half, y + half), 1.0, 5.0))
    place = f"marker {marker.id}, {_corner_name(profile, marker)}"
    draw_text(canvas, (x, y + half + 4.5), place, 2.4, "Helvetica", BLACK)


def _corner_name(profile: BoardProfile, marker: Marker) -> str:
    (x, y), inset = marker.centre_mm, profile.marker_inset_mm
    side = "left" if x + inset < profile.width_mm / 2 else "right"
    return f"{'top' if y + inset < profile.height_mm / 2 else 'bottom'} {side}"


def _distances(profile: BoardProfile) -> str:
    """Say how far apart the first markers belong."""
    first, *others = sorted(profile.markers, key=lambda m: m.id)
    places = [f"{m.id}: {math.dist(first.centre_mm, m.centre_mm):.0f} mm" for m in others]
    return f"Distance of their centres from that of marker {first.id}: {', '.join(places)}."
