"""Tags for ships and cards of islands for open tables, to be cut out: true-scale PDFs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY, Tags
from companion.errors import PrintingError
from companion.rules.layout import Placed
from vision.printing.drawing import BLACK, RGB, WHITE, Label, Polygon, Shape, blend
from vision.printing.shapes import code_shapes
from vision.printing.sheets import (
    FOOT_MM,
    MARGIN_MM,
    cut_marks,
    draw_foot,
    draw_lines,
    draw_shapes,
    draw_text,
    new_canvas,
    saved,
    sheet_size,
)

EDGE_MODULES = 2.0
"""White paper around the ink of a card: a module for the camera, one for arrow and number."""
HEAD_MM = 30.0
"""Above the cards: what to do with them."""
_CELL_MM = (12.0, 18.0)
"""Room beside and below a tag's card."""
_GAP_MM = 2.0
"""Between two islands on a sheet."""
_GRAY: RGB = (120, 120, 120)

FLAT = ("island", "reef", "fog", "sargasso", "iceberg", "whirlpool")
"""Kinds of pieces that are cards lying on the table; others bear their tag on top."""
_PAINTS: Mapping[str, tuple[RGB, RGB]] = {
    "island": ((226, 204, 150), (150, 178, 112)),
    "reef": ((150, 206, 204), (196, 228, 222)),
    "fog": ((222, 224, 226), (240, 241, 242)),
    "sargasso": ((150, 164, 104), (176, 186, 128)),
    "iceberg": ((196, 222, 236), (232, 244, 250)),
    "whirlpool": ((96, 140, 176), (150, 186, 210)),
}
"""Shore and middle of a card; pale, so that it costs little ink."""

_ON_SHEETS = "these go on sheets of paper"
_TAG_NOTES = (
    "Glue this sheet on card and cut along the marks. Fix each tag level on top of its ship, clear",
    "of the sails, its arrow toward the bow, its middle as high above the table as is written.",
)
_ISLAND_NOTES = (
    "Glue this sheet on card and cut each shore out along its line; lay it flat where the game",
    "says. What counts is the printed shore; what you build on it must not hide the tag.",
)


def tags_pdf(tags: Tags, pieces: Mapping[int, Placed], paper: str) -> bytes:
    """Return a PDF of tags with their numbers, the names of their pieces, and arrows to the bow.

    Parameters
    ----------
    tags : Tags
        How an open table's tags are printed.
    pieces : mapping of int to Placed
        The pieces by tag; one without a name gets a line to write it on.
    paper : str
        One of `PAPERS`.

    Raises
    ------
    PrintingError
        On an unknown paper.
    BoardError
        If a number is not in the tags' dictionary.
    """
    page, card = sheet_size(paper, _ON_SHEETS), card_mm(tags)
    half = card / 2
    canvas, store = new_canvas(page, "Tags")
    cell = (card + _CELL_MM[0], card + _CELL_MM[1])
    columns = max(1, int((page[0] - 2 * MARGIN_MM) // cell[0]))
    rows = max(1, int((page[1] - HEAD_MM - MARGIN_MM - FOOT_MM) // cell[1]))
    numbers = sorted(pieces)
    for start in range(0, len(numbers), columns * rows):
        _head(canvas, page, "TAGS", _TAG_NOTES)
        for k, number in enumerate(numbers[start : start + columns * rows]):
            x = page[0] / 2 + (k % columns - (columns - 1) / 2) * cell[0]
            y = HEAD_MM + (k // columns) * cell[1] + half + 4
            draw_shapes(canvas, tag_shapes(tags, number, (x, y)))
            draw_lines(canvas, cut_marks((x - half, y - half), (x + half, y + half), 0.8, 3.5))
            _caption(canvas, (x, y + half + 5.5), pieces[number])
        draw_foot(canvas, page, f"Tags of {tags.dictionary}")
        canvas.showPage()
    return saved(canvas, store)


def islands_pdf(tags: Tags, pieces: Mapping[int, Placed], paper: str) -> bytes:
    """Return a PDF of islands and waters as cards with their tags, as many sheets as it takes.

    Raises `PrintingError` on an unknown paper, if there is nothing flat among the pieces, or if one
    is too large for the paper.
    """
    page = sheet_size(paper, _ON_SHEETS)
    flat = {tag: piece for tag, piece in pieces.items() if piece.kind in FLAT}
    if not flat:
        raise PrintingError(
            "there is no island to print: name them as the game has them, e.g. of PirateWars with"
            """ --option 'terrain=[{"kind": "island", "x_mm": 650, "y_mm": 450,"""
            """ "across_dots": 24, "depth_dots": 0}]'"""
        )
    canvas, store = new_canvas(page, "Islands")
    for sheet in _packed(flat, page, paper):
        _head(canvas, page, "ISLANDS AND WATERS", _ISLAND_NOTES)
        for tag, at in sheet:
            draw_shapes(canvas, island_shapes(tags, tag, flat[tag], at))
        draw_foot(canvas, page, f"Islands and waters, tags of {tags.dictionary}")
        canvas.showPage()
    return saved(canvas, store)


def card_mm(tags: Tags) -> float:
    """Return the side of a tag's card as it is cut out."""
    return tags.side_mm * (1 + 2 * EDGE_MODULES / 8)


def tag_shapes(tags: Tags, number: int, centre_mm: XY) -> list[Shape]:
    """Return a tag with its number below it and an arrow toward the bow on its right."""
    (x, y), module = centre_mm, tags.side_mm / 8
    near = tags.side_mm / 2 + 1.15 * module
    arrow = (
        (x + near, y - 0.45 * module),
        (x + near + 0.7 * module, y),
        (x + near, y + 0.45 * module),
    )
    return [
        *code_shapes(tags.dictionary, number, tags.side_mm, centre_mm),
        Polygon(arrow, fill=BLACK),
        Label(str(number), (x, y + near + 0.62 * module), 0.6 * module, BLACK),
    ]


def island_shapes(tags: Tags, number: int, piece: Placed, centre_mm: XY) -> list[Shape]:
    """Return a card: shore, middle, tag and name; its frame's x axis to the right."""
    shore, inside = _PAINTS[piece.kind]
    x, y = centre_mm
    outline = tuple((x + px, y + py) for px, py in piece.outline_mm)
    middle = tuple((x + 0.72 * px, y + 0.72 * py) for px, py in piece.outline_mm)
    half = card_mm(tags) / 2
    white = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
    bottom = max(py for _, py in piece.outline_mm)
    shapes: list[Shape] = [
        Polygon(outline, fill=shore, line=blend(shore, BLACK, 0.6), line_mm=0.4),
        Polygon(middle, fill=inside),
    ]
    if _holds(piece, half):
        shapes.append(Polygon(white, fill=WHITE))
    shapes += tag_shapes(tags, number, centre_mm)
    if piece.name and bottom > half + 8:
        shapes.append(Label(piece.name.upper(), (x, y + half + 5), 2.2, blend(shore, BLACK, 0.7)))
    return shapes


def _holds(piece: Placed, half: float) -> bool:
    """Say whether a tag's whole card fits between the sides of a piece."""
    xs, ys = zip(*piece.outline_mm, strict=True)
    return bool(min(-min(xs), max(xs), -min(ys), max(ys)) > half)


def _packed(pieces: Mapping[int, Placed], page: XY, paper: str) -> Iterator[list[tuple[int, XY]]]:
    """Yield sheets: tags and where the origin of each piece comes to lie, in rows."""
    left, right = MARGIN_MM, page[0] - MARGIN_MM
    lowest = page[1] - MARGIN_MM - FOOT_MM
    sheet: list[tuple[int, XY]] = []
    x, y, row = left, HEAD_MM, 0.0
    for tag, piece in sorted(pieces.items()):
        xs, ys = zip(*piece.outline_mm, strict=True)
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        if width > right - left or height > lowest - HEAD_MM:
            raise PrintingError(
                f"{piece.name or piece.kind} is {width:.0f} x {height:.0f} mm and does not fit on "
                f"{paper}: choose a larger paper"
            )
        if x + width > right:
            x, y, row = left, y + row + _GAP_MM, 0.0
        if y + height > lowest:
            yield sheet
            sheet, x, y, row = [], left, HEAD_MM, 0.0
        sheet.append((tag, (x - min(xs), y - min(ys))))
        x, row = x + width + _GAP_MM, max(row, height)
    yield sheet


def _head(canvas: Canvas, page: XY, title: str, notes: Iterable[str]) -> None:
    draw_text(canvas, (page[0] / 2, 14.0), title, 5.0, "Times-Bold", BLACK)
    for k, note in enumerate(notes):
        draw_text(canvas, (page[0] / 2, 18.8 + 3.2 * k), note, 1.9, "Helvetica", BLACK)


def _caption(canvas: Canvas, at_mm: XY, piece: Placed) -> None:
    """Write whose tag it is, and how high it belongs."""
    x, y = at_mm
    if piece.name:
        draw_text(canvas, (x, y), piece.name, 2.2, "Helvetica-Bold", BLACK)
    else:
        draw_lines(canvas, [(x - 18, y, x + 18, y)])
    if piece.height_mm:
        draw_text(canvas, (x, y + 3.6), f"{piece.height_mm:g} mm high", 1.8, "Helvetica", _GRAY)
