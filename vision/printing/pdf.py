"""True-scale PDFs of boards and markers, for print shops and for home printers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from io import BytesIO

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY, BoardProfile, Marker
from companion.errors import PrintingError
from vision.printing.coins import COIN_MM, SUITS, coin_shapes, treasure_shapes, wreck_shapes
from vision.printing.drawing import BLACK, RGB, Disc, Label, Polygon, Shape
from vision.printing.shapes import board_shapes, marker_modules, marker_shapes
from vision.printing.styles import BoardStyle

PAPERS: dict[str, XY] = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "a2": (420.0, 594.0),
    "a1": (594.0, 841.0),
    "letter": (215.9, 279.4),
}
"""Sheets of home printers and print shops, upright, millimetres; ``"full"`` is as large as the
board."""

Line = tuple[float, float, float, float]
"""From x, y to x, y; millimetres."""

RULER_MM = 100.0
_MARGIN_MM = 8.0
"""Printers leave up to this much of a sheet white."""
_FOOT_MM = 12.0
"""Below the drawing, for the ruler and a line of text."""
_OVERLAP_MM = 8.0
"""Neighbouring sheets show this much of the board twice, to be glued on one another."""
_CAP_HEIGHT = {"Times-Bold": 0.676, "Helvetica": 0.718}
"""Height of a capital against the size of the font (Adobe's font metrics)."""


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
        page = board[0] + 2 * _MARGIN_MM, board[1] + 2 * _MARGIN_MM + _FOOT_MM
        return Tiling(page, 1, 1, board)
    width, height = _paper(paper)
    ways = (_tile(profile, (width, height)), _tile(profile, (height, width)))
    return min(ways, key=lambda way: way.pages)


def board_pdf(profile: BoardProfile, style: BoardStyle, paper: str) -> bytes:
    """Return a PDF of the whole board, on as many sheets as it takes.

    Raises `PrintingError` on an unknown paper and `BoardError` if a marker cannot be drawn.
    """
    tiles, shapes = tiling(profile, paper), board_shapes(profile, style)
    inset = profile.marker_inset_mm
    canvas, store = _canvas(tiles.page_mm, f"{profile.title} board")
    for row in range(tiles.rows):
        for column in range(tiles.columns):
            x, y = tiles.origin_mm(column, row)
            canvas.saveState()
            _window(canvas, tiles)
            canvas.translate((inset - x) * mm, (inset - y) * mm)
            _draw(canvas, shapes)
            canvas.restoreState()
            _joints(canvas, tiles, column, row)
            place = f"sheet {row * tiles.columns + column + 1} of {tiles.pages}"
            if tiles.pages > 1:
                place += f": row {row + 1} of {tiles.rows}, column {column + 1} of {tiles.columns}"
            _foot(canvas, tiles.page_mm, f"{profile.title}, {place}")
            canvas.showPage()
    canvas.save()
    return store.getvalue()


def markers_pdf(profile: BoardProfile, paper: str) -> bytes:
    """Return a PDF of the board's markers alone, to be cut out and laid at its corners.

    Raises `PrintingError` on an unknown paper and `BoardError` if a marker cannot be drawn.
    """
    if paper == "full":
        raise PrintingError(f"the markers fit on one sheet: choose {_choices(PAPERS)}, not 'full'")
    page = _paper(paper)
    side = profile.marker_side_mm + 30.0
    columns = max(1, min(2, int((page[0] - 2 * _MARGIN_MM) // side)))
    rows = max(1, int((page[1] - 2 * _MARGIN_MM - _FOOT_MM - 20) // side))
    canvas, store = _canvas(page, f"{profile.title} markers")
    # In the order in which they lie on the board, so that the sheet looks like its corners.
    markers = sorted(profile.markers, key=lambda m: (m.centre_mm[1], m.centre_mm[0]))
    for start in range(0, len(markers), columns * rows):
        _text(canvas, (page[0] / 2, 18.0), _distances(profile), 2.2, "Helvetica", BLACK)
        for k, marker in enumerate(markers[start : start + columns * rows]):
            x = page[0] / 2 + (k % columns - (columns - 1) / 2) * side
            _cut_out(canvas, profile, marker, (x, 28.0 + side * (k // columns + 0.5)))
        _foot(canvas, page, f"{profile.title}, markers of {profile.dictionary}")
        canvas.showPage()
    canvas.save()
    return store.getvalue()


def coins_pdf(paper: str) -> bytes:
    """Return a PDF of coins and a treasure for people who have no piecepack, to be cut out.

    Four ships a fleet of two packs, three wrecks beside them, and a treasure to be rolled.
    Raises `PrintingError` on an unknown paper.
    """
    if paper == "full":
        raise PrintingError(f"the coins fit on one sheet: choose {_choices(PAPERS)}, not 'full'")
    page = _paper(paper)
    canvas, store = _canvas(page, "Piecepack coins")
    pitch = COIN_MM + 4.0
    left, top = page[0] / 2 - 3 * pitch, 36.0
    _text(canvas, (page[0] / 2, 14.0), "PIECEPACK COINS", 5.0, "Times-Bold", BLACK)
    notes = (
        "Glue this sheet on card of about 3 mm and cut the coins out: four ships of each fleet",
        "and, with their values up, wrecks. Upper rows: the first pack; lower rows: the second.",
    )
    for k, note in enumerate(notes):
        _text(canvas, (page[0] / 2, 18.5 + 3.2 * k), note, 1.9, "Helvetica", BLACK)
    fleets = [(suit, look) for look in ("painted", "rimmed") for suit in SUITS]
    for row, (fleet, look) in enumerate(fleets):
        for column in range(7):
            at = (left + column * pitch, top + row * pitch)
            is_ship = column < 4
            face = coin_shapes(fleet, look, at) if is_ship else wreck_shapes(str(column - 1), at)
            _draw(canvas, [*face, Disc(at, COIN_MM / 2, line=(120, 120, 120), line_mm=0.15)])
    strip = (page[0] / 2, top + 8 * pitch - 6.0)
    _draw(canvas, treasure_shapes(strip))
    note = "The treasure: roll the strip to a tube, close it with the lid. A pawn will do as well."
    _text(canvas, (page[0] / 2, strip[1] + 24.5), note, 1.9, "Helvetica", BLACK)
    _foot(canvas, page, "Piecepack coins")
    canvas.showPage()
    canvas.save()
    return store.getvalue()


def _choices(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _paper(paper: str) -> XY:
    if paper not in PAPERS:
        raise PrintingError(f"no paper is called {paper!r}: choose {_choices((*PAPERS, 'full'))}")
    return PAPERS[paper]


def _tile(profile: BoardProfile, page_mm: XY) -> Tiling:
    """Cut the board into equal parts that fit on the page."""
    room = (page_mm[0] - 2 * _MARGIN_MM, page_mm[1] - 2 * _MARGIN_MM - _FOOT_MM)
    board = (profile.width_mm, profile.height_mm)
    counts = [
        max(1, math.ceil((b - _OVERLAP_MM) / (r - _OVERLAP_MM)))
        for b, r in zip(board, room, strict=True)
    ]
    parts = [(b - _OVERLAP_MM) / n + _OVERLAP_MM for b, n in zip(board, counts, strict=True)]
    return Tiling(page_mm, counts[0], counts[1], (parts[0], parts[1]))


def _canvas(page_mm: XY, title: str) -> tuple[Canvas, BytesIO]:
    """Return a canvas in points whose y grows downward from the top, like the board's."""
    store = BytesIO()
    size = (page_mm[0] * mm, page_mm[1] * mm)
    # Invariant: the same board gives the same bytes, whenever it is printed.
    canvas = Canvas(store, pagesize=size, bottomup=0, invariant=1)
    canvas.setTitle(title)
    canvas.setCreator("Quarterdeck")
    # "Fit to page" is what spoils prints; viewers that honour this leave it off.
    canvas.setViewerPreference("PrintScaling", "None")
    return canvas, store


def _window(canvas: Canvas, tiles: Tiling) -> None:
    """Move the origin to the sheet's part of the board and draw nothing outside it."""
    canvas.translate(_MARGIN_MM * mm, _MARGIN_MM * mm)
    clip = canvas.beginPath()
    clip.rect(0, 0, tiles.window_mm[0] * mm, tiles.window_mm[1] * mm)
    canvas.clipPath(clip, stroke=0, fill=0)


def _draw(canvas: Canvas, shapes: Iterable[Shape]) -> None:
    canvas.setLineJoin(1)
    for shape in shapes:
        if isinstance(shape, Label):
            font = "Times-Bold"
            _text(canvas, shape.baseline_mm, shape.text, shape.height_mm, font, shape.colour)
            continue
        if shape.fill is not None:
            canvas.setFillColorRGB(*_rgb(shape.fill))
        if shape.line is not None:
            canvas.setStrokeColorRGB(*_rgb(shape.line))
            canvas.setLineWidth(shape.line_mm * mm)
        how = {"stroke": int(shape.line is not None), "fill": int(shape.fill is not None)}
        if isinstance(shape, Disc):
            (x, y), radius = shape.centre_mm, shape.radius_mm
            canvas.circle(x * mm, y * mm, radius * mm, **how)
        else:
            canvas.drawPath(_path(canvas, shape), **how)


def _path(canvas: Canvas, shape: Polygon) -> object:
    path = canvas.beginPath()
    (x, y), *others = shape.points_mm
    path.moveTo(x * mm, y * mm)
    for x, y in others:
        path.lineTo(x * mm, y * mm)
    path.close()
    return path


def _rgb(colour: RGB) -> tuple[float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255


def _text(
    canvas: Canvas, baseline_mm: XY, text: str, height_mm: float, font: str, colour: RGB
) -> None:
    """Write a line centred on its baseline; `height_mm` is that of a capital."""
    canvas.setFillColorRGB(*_rgb(colour))
    canvas.setFont(font, height_mm * mm / _CAP_HEIGHT[font])
    canvas.drawCentredString(baseline_mm[0] * mm, baseline_mm[1] * mm, text)


def _lines(canvas: Canvas, lines: Iterable[Line]) -> None:
    canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setLineWidth(0.2 * mm)
    canvas.lines([tuple(v * mm for v in line) for line in lines])


def _corner_marks(x0: float, y0: float, x1: float, y1: float) -> list[Line]:
    """Return cut marks around a rectangle: lines that would meet in its corners."""
    near, far = 1.0, 5.0
    marks: list[Line] = []
    for x, sx in ((x0, -1), (x1, 1)):
        for y, sy in ((y0, -1), (y1, 1)):
            marks.append((x, y + sy * near, x, y + sy * far))
            marks.append((x + sx * near, y, x + sx * far, y))
    return marks


def _joints(canvas: Canvas, tiles: Tiling, column: int, row: int) -> None:
    """Mark where to cut, and where the neighbouring sheet's edge comes to lie."""
    x0, y0 = _MARGIN_MM, _MARGIN_MM
    x1, y1 = x0 + tiles.window_mm[0], y0 + tiles.window_mm[1]
    marks = _corner_marks(x0, y0, x1, y1)
    if column < tiles.columns - 1:
        glue = x1 - _OVERLAP_MM
        marks += [(glue, y0 - 3, glue, y0 - 1), (glue, y1 + 1, glue, y1 + 3)]
        _text(canvas, (x1 - _OVERLAP_MM / 2, y0 - 1.2), "glue", 1.6, "Helvetica", BLACK)
    if row < tiles.rows - 1:
        glue = y1 - _OVERLAP_MM
        marks += [(x0 - 3, glue, x0 - 1, glue), (x1 + 1, glue, x1 + 3, glue)]
        _text(canvas, (x0 - 4.0, y1 - _OVERLAP_MM / 2), "glue", 1.6, "Helvetica", BLACK)
    _lines(canvas, marks)


def _foot(canvas: Canvas, page_mm: XY, title: str) -> None:
    """Draw the ruler that shows whether the print is true to scale."""
    width, height = page_mm
    left, y = width / 2 - RULER_MM / 2, height - _MARGIN_MM - 5.0
    ticks = [(left + 10 * k, y, left + 10 * k, y - (2.5 if k % 5 == 0 else 1.5)) for k in range(11)]
    _lines(canvas, [(left, y, left + RULER_MM, y), *ticks])
    note = f'Print at 100 % (never "fit to page"): this line measures {RULER_MM:.0f} mm. {title}.'
    _text(canvas, (width / 2, y + 3.6), note, 1.9, "Helvetica", BLACK)


def _cut_out(canvas: Canvas, profile: BoardProfile, marker: Marker, at_mm: XY) -> None:
    """Draw a marker centred at a point of the sheet, with cut marks and its place."""
    x, y = at_mm
    canvas.saveState()
    canvas.translate((x - marker.centre_mm[0]) * mm, (y - marker.centre_mm[1]) * mm)
    _draw(canvas, marker_shapes(profile, marker))
    canvas.restoreState()
    modules = len(marker_modules(profile.dictionary, marker.id))
    half = profile.marker_side_mm * (0.5 + 1 / modules)
    _lines(canvas, _corner_marks(x - half, y - half, x + half, y + half))
    place = f"marker {marker.id}, {_corner_name(profile, marker)}"
    _text(canvas, (x, y + half + 4.5), place, 2.4, "Helvetica", BLACK)


def _corner_name(profile: BoardProfile, marker: Marker) -> str:
    (x, y), inset = marker.centre_mm, profile.marker_inset_mm
    side = "left" if x + inset < profile.width_mm / 2 else "right"
    return f"{'top' if y + inset < profile.height_mm / 2 else 'bottom'} {side}"


def _distances(profile: BoardProfile) -> str:
    """Say how far apart the first markers belong."""
    first, *others = sorted(profile.markers, key=lambda m: m.id)
    places = [f"{m.id}: {math.dist(first.centre_mm, m.centre_mm):.0f} mm" for m in others]
    return f"Distance of their centres from that of marker {first.id}: {', '.join(places)}."
