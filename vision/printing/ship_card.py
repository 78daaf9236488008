"""A ship of PirateWars as a reference card: damage chart, crew, cannons and weapons to tick off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY
from companion.rules.pirate_wars.built.charts import Charts
from companion.rules.pirate_wars.built.ship_card import Row, ShipCard, ship_card
from companion.rules.pirate_wars.built.ships import DOT_MM, ShipDesign
from vision.printing.drawing import BLACK, RGB, Disc, Polygon, Shape, rectangle
from vision.printing.sheets import (
    FOOT_MM,
    MARGIN_MM,
    draw_foot,
    draw_shapes,
    draw_text,
    new_canvas,
    saved,
    sheet_size,
)

HULL: RGB = (222, 200, 168)
SAIL: RGB = (225, 236, 244)
INK: RGB = (60, 60, 60)
LINE_MM = 0.3
_LEFT_MM = 14.0
_COLUMN_MM = 66.0
"""Width of the damage chart with its speeds."""
_TALLEST_ROW_MM = 9.0
_CHART_TOP_MM = 44.0


def ship_card_pdf(ship: ShipDesign, charts: Charts, paper: str) -> bytes:
    """Return a PDF of a ship's reference card, one sheet.

    Raises `PrintingError` on an unknown paper.
    """
    page, card = sheet_size(paper, "a card fits on one sheet"), ship_card(ship, charts)
    canvas, store = new_canvas(page, f"{card.title}, reference card")
    draw_text(canvas, (page[0] / 2, 20.0), card.title, 6.0, "Times-Bold", BLACK)
    draw_text(canvas, (page[0] / 2, 28.0), card.subtitle, 2.6, "Helvetica", INK)
    _damage_chart(canvas, card.rows, page[1] - MARGIN_MM - FOOT_MM - 6)
    x, right = _LEFT_MM + _COLUMN_MM, page[0] - _LEFT_MM
    y = _hull(canvas, ship, (x, 38.0), right - x)
    y = _numbers(canvas, card, (x, y + 8), right - x)
    y = _crew(canvas, card, (x, y + 5), right)
    y = _cannons(canvas, card, (x, y + 5), right)
    _weapons(canvas, card, (x, y + 5), right)
    draw_foot(canvas, page, f"{card.title}, PirateWars")
    canvas.showPage()
    return saved(canvas, store)


def _damage_chart(canvas: Canvas, rows: Sequence[Row], bottom_mm: float) -> None:
    """Draw the column to be crossed off from the top (PWR-84), speeds beside it (PWR-85)."""
    _heading(canvas, (_LEFT_MM, 38.0), "DAMAGE")
    high = min(_TALLEST_ROW_MM, (bottom_mm - _CHART_TOP_MM) / len(rows))
    for n, row in enumerate(rows):
        y = _CHART_TOP_MM + n * high
        is_sail = row.factor == "S"
        box = rectangle(
            (_LEFT_MM + 16, y), (32, high), fill=SAIL if is_sail else HULL, line=INK, line_mm=0.3
        )
        draw_shapes(canvas, [box])
        word = "sail" if is_sail else "HULL"
        baseline = y + high / 2 + 1.2
        draw_text(canvas, (_LEFT_MM + 32, baseline), word, 2.4, "Helvetica-Bold", INK)
        if row.speed is not None:
            place = (_LEFT_MM + 13, baseline)
            draw_text(canvas, place, str(row.speed), 3.0, "Helvetica-Bold", BLACK, "right")


def _hull(canvas: Canvas, ship: ShipDesign, at_mm: XY, width_mm: float) -> float:
    """Draw the ship from above, bow to the right; return where it ends."""
    # The longest hull fills the width, so that cards beside one another show who is larger.
    scale = width_mm / (80 * DOT_MM)
    middle = at_mm[0] + width_mm / 2, at_mm[1] + 6 * DOT_MM * scale
    draw_shapes(canvas, _hull_shapes(ship, middle, scale))
    return at_mm[1] + 12 * DOT_MM * scale


def _hull_shapes(ship: ShipDesign, middle_mm: XY, scale: float) -> Iterator[Shape]:
    x, y = middle_mm
    shift = ship.tag_x_dots * DOT_MM

    def placed(points: Sequence[XY]) -> tuple[XY, ...]:
        return tuple((x + scale * (px + shift), y + scale * py) for px, py in points)

    yield Polygon(placed(ship.outline_mm), HULL, INK, LINE_MM)
    for number, cannon in enumerate(ship.cannons):
        (mx, my) = ship.muzzle_mm(number, cannon.side)
        ahead = {"port": (0, -1), "starboard": (0, 1), "stern": (-1, 0)}.get(cannon.side, (1, 0))
        inner = (mx - 14 * ahead[0], my - 14 * ahead[1])
        outer = (mx + 10 * ahead[0], my + 10 * ahead[1])
        yield Polygon(placed([inner, outer]), line=BLACK, line_mm=0.9)
    spread = ship.length * DOT_MM
    for n, mast in enumerate(ship.masts, 1):
        share = 0.1 if mast.is_mizzen else 1 - n / (len(ship.masts) + 1)
        at = placed([(spread * (share - 0.5) - shift, 0.0)])[0]
        yield Disc(at, 1.0, SAIL, INK, LINE_MM)


def _numbers(canvas: Canvas, card: ShipCard, at_mm: XY, width_mm: float) -> float:
    x, y = at_mm
    half = width_mm / 2
    for n, (name, value) in enumerate(card.numbers):
        left = x + (n % 2) * half
        line = y + (n // 2) * 5.2
        draw_text(canvas, (left, line), name, 2.1, "Helvetica", INK, "left")
        end = (left + half - 4, line)
        draw_text(canvas, end, value, 2.4, "Helvetica-Bold", BLACK, "right")
    return y + (len(card.numbers) + 1) // 2 * 5.2


def _crew(canvas: Canvas, card: ShipCard, at_mm: XY, right_mm: float) -> float:
    """Draw a circle for every figure, to be crossed out."""
    x, y = at_mm
    _heading(canvas, (x, y), "CREW")
    y += 5.6
    for title, count in card.crew:
        draw_text(canvas, (x, y), f"{count} {title}", 2.1, "Helvetica", BLACK, "left")
        start, pitch = x + 46, 4.2
        a_line = max(1, int((right_mm - start) // pitch))
        spots = [
            (start + 2 + pitch * (n % a_line), y - 1.1 + 4.4 * (n // a_line)) for n in range(count)
        ]
        draw_shapes(canvas, [Disc(spot, 1.7, line=INK, line_mm=0.25) for spot in spots])
        y += 4.4 * ((count - 1) // a_line) + 5.2
    return y


def _cannons(canvas: Canvas, card: ShipCard, at_mm: XY, right_mm: float) -> float:
    """Draw two boxes a cannon, for the rounds its loading takes."""
    x, y = at_mm
    if not card.cannons:
        return y
    _heading(canvas, (x, y), "CANNONS")
    y += 5.6
    for number, words in enumerate(card.cannons, 1):
        draw_text(canvas, (x, y), f"{number}  {words}", 2.1, "Helvetica", BLACK, "left")
        boxes = [
            rectangle((right_mm - 10 + 5 * k, y - 2.8), (3.4, 3.4), line=INK, line_mm=0.25)
            for k in range(2)
        ]
        draw_shapes(canvas, boxes)
        y += 4.8
    return y


def _weapons(canvas: Canvas, card: ShipCard, at_mm: XY, right_mm: float) -> float:
    x, y = at_mm
    columns = (x, x + 52, x + 72, right_mm)
    _heading(canvas, (x, y), "WEAPONS")
    for at, title in zip(columns[1:], ("dice", "hits at", "dots"), strict=True):
        draw_text(canvas, (at, y), title, 1.9, "Helvetica", INK, "right")
    y += 5.2
    for line in card.weapons:
        reach = f"{line.reach}{' *' if line.is_default else ''}"
        draw_text(canvas, (x, y), line.title, 2.1, "Helvetica", BLACK, "left")
        for at, value in zip(columns[1:], (str(line.dice), line.target, reach), strict=True):
            draw_text(canvas, (at, y), value, 2.1, "Helvetica-Bold", BLACK, "right")
        y += 4.6
    notes = ["Attack: of the figure that fires. B: also at 4 dots and less."]
    if any(line.is_default for line in card.weapons):
        notes.append("* our range: the chart of the game was never found.")
    for note in (line for text in notes for line in wrap(text, 70)):
        draw_text(canvas, (x, y), note, 1.8, "Helvetica", INK, "left")
        y += 3.4
    return y


def _heading(canvas: Canvas, at_mm: XY, text: str) -> None:
    draw_text(canvas, at_mm, text, 2.5, "Helvetica-Bold", INK, "left")
