"""Sheets of paper: a canvas measured in millimetres, shapes and texts on it, the ruler below."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import Literal
from unicodedata import normalize

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY
from companion.errors import PrintingError
from companion.rules.words import listed
from vision.printing.drawing import BLACK, RGB, Disc, Label, Polygon, Shape

PAPERS: dict[str, XY] = {
    "a4": (210.0, 297.0),
    "a3": (297.0, 420.0),
    "a2": (420.0, 594.0),
    "a1": (594.0, 841.0),
    "letter": (215.9, 279.4),
}
"""Sheets of home printers and print shops, upright, millimetres; ``"full"`` is as large as the
board."""

Align = Literal["left", "centre", "right"]

Line = tuple[float, float, float, float]
"""From x, y to x, y; millimetres."""

RULER_MM = 100.0
MARGIN_MM = 8.0
"""Printers leave up to this much of a sheet white."""
FOOT_MM = 12.0
"""Below the drawing, for the ruler and a line of text."""
_CAP_HEIGHT = {"Times-Bold": 0.676, "Helvetica": 0.718, "Helvetica-Bold": 0.718}
"""Height of a capital against the size of the font (Adobe's font metrics)."""
_CROSSED = str.maketrans("ĐđĦħıŁłŦŧ", "DdHhiLlTt")
"""Letters that Unicode does not take apart, and what they are without their stroke or dot."""


def paper_size(paper: str) -> XY:
    """Return width and height of a sheet, upright. Raises `PrintingError` on an unknown paper."""
    if paper not in PAPERS:
        known = listed((*PAPERS, "full"), "or")
        raise PrintingError(f"no paper is called {paper!r}: choose {known}")
    return PAPERS[paper]


def sheet_size(paper: str, why: str) -> XY:
    """Return the size of a sheet for what is not as large as a board: `why` says so of ``"full"``.

    Raises `PrintingError`.
    """
    if paper == "full":
        raise PrintingError(f"{why}: choose {listed(PAPERS, 'or')}, not 'full'")
    return paper_size(paper)


def new_canvas(page_mm: XY, title: str) -> tuple[Canvas, BytesIO]:
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


def saved(canvas: Canvas, store: BytesIO) -> bytes:
    """Return the PDF that was drawn."""
    canvas.save()
    return store.getvalue()


def cut_marks(corner: XY, opposite: XY, near_mm: float, far_mm: float) -> list[Line]:
    """Return lines outside a rectangle, so near and so far, that would meet in its corners."""
    (x0, y0), (x1, y1) = corner, opposite
    marks: list[Line] = []
    for x, sx in ((x0, -1), (x1, 1)):
        for y, sy in ((y0, -1), (y1, 1)):
            marks.append((x, y + sy * near_mm, x, y + sy * far_mm))
            marks.append((x + sx * near_mm, y, x + sx * far_mm, y))
    return marks


def draw_shapes(canvas: Canvas, shapes: Iterable[Shape]) -> None:
    """Draw shapes, the later ones above the earlier."""
    canvas.setLineJoin(1)
    for shape in shapes:
        if isinstance(shape, Label):
            font = "Times-Bold"
            draw_text(canvas, shape.baseline_mm, shape.text, shape.height_mm, font, shape.colour)
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


def draw_text(
    canvas: Canvas,
    baseline_mm: XY,
    text: str,
    height_mm: float,
    font: str,
    colour: RGB,
    align: Align = "centre",
) -> None:
    """Write a line whose middle, left or right end is at a point; `height_mm`: of a capital."""
    text = _in_font(text)
    canvas.setFillColorRGB(*_rgb(colour))
    canvas.setFont(font, height_mm * mm / _CAP_HEIGHT[font])
    x, y = baseline_mm[0] * mm, baseline_mm[1] * mm
    if align == "centre":
        canvas.drawCentredString(x, y, text)
    elif align == "left":
        canvas.drawString(x, y, text)
    else:
        canvas.drawRightString(x, y, text)


def _in_font(text: str) -> str:
    """Return a text without what the fonts of every PDF lack: they would print a box for it.

    >>> _in_font("Żółta Łódź, Señora Ωmega")
    'Zólta Lódz, Señora ?mega'
    """
    plain = [
        letter if _has(letter) else normalize("NFD", letter.translate(_CROSSED))[0]
        for letter in normalize("NFC", text)
    ]
    return "".join(plain).encode("cp1252", "replace").decode("cp1252")


def _has(letter: str) -> bool:
    return letter == letter.encode("cp1252", "replace").decode("cp1252")


def draw_lines(canvas: Canvas, lines: Iterable[Line]) -> None:
    """Draw thin black lines."""
    canvas.setStrokeColorRGB(0, 0, 0)
    canvas.setLineWidth(0.2 * mm)
    canvas.lines([tuple(v * mm for v in line) for line in lines])


def draw_foot(canvas: Canvas, page_mm: XY, title: str) -> None:
    """Draw the ruler that shows whether the print is true to scale."""
    width, height = page_mm
    left, y = width / 2 - RULER_MM / 2, height - MARGIN_MM - 5.0
    ticks = [(left + 10 * k, y, left + 10 * k, y - (2.5 if k % 5 == 0 else 1.5)) for k in range(11)]
    draw_lines(canvas, [(left, y, left + RULER_MM, y), *ticks])
    note = f'Print at 100 % (never "fit to page"): this line measures {RULER_MM:.0f} mm. {title}.'
    draw_text(canvas, (width / 2, y + 3.6), note, 1.9, "Helvetica", BLACK)
