"""Privateer's cards, to be cut out: captains, port cards and the bounty deck of any card file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from reportlab.pdfgen.canvas import Canvas

from companion.boards.profile import XY
from companion.rules.privateer.deck import Deck
from companion.rules.privateer.effects import GOODS
from companion.rules.privateer.words import begins_with
from companion.rules.words import listed
from vision.printing.drawing import BLACK, RGB, rectangle
from vision.printing.sheets import (
    FOOT_MM,
    MARGIN_MM,
    Align,
    draw_foot,
    draw_shapes,
    draw_text,
    new_canvas,
    saved,
    sheet_size,
)

CARD_MM = (60.0, 80.0)
"""Nine of these lie on a sheet of a4 or letter."""
BAND_MM = 9.0
"""The coloured head of a card, which says what it is."""
EDGE_MM = 4.0
_BANDS: dict[str, RGB] = {
    "CAPTAIN": (222, 200, 168),
    "PORT CARD": (196, 222, 236),
    "RELIC": (240, 222, 150),
    "FORTUNE": (206, 222, 196),
}
_GRAY: RGB = (120, 120, 120)
_HEIGHTS_MM = (2.6, 2.2, 1.9, 1.6, 1.3, 1.0)
"""Heights of a capital that are tried until the words fit."""


@dataclass(frozen=True)
class _Card:
    kind: str
    title: str
    lines: tuple[str, ...]
    """What stands below the title, each a paragraph."""


def cards_pdf(deck: Deck, paper: str) -> bytes:
    """Return a PDF of all cards of a deck, edge to edge. Raises `PrintingError`."""
    page = sheet_size(paper, "cards go on sheets of paper")
    canvas, store = new_canvas(page, f"{deck.title}, cards")
    columns = int((page[0] - 2 * MARGIN_MM) // CARD_MM[0])
    rows = int((page[1] - 2 * MARGIN_MM - FOOT_MM) // CARD_MM[1])
    left, cards = (page[0] - columns * CARD_MM[0]) / 2, list(_cards(deck))
    for start in range(0, len(cards), columns * rows):
        for k, card in enumerate(cards[start : start + columns * rows]):
            x, y = left + k % columns * CARD_MM[0], MARGIN_MM + k // columns * CARD_MM[1]
            _draw(canvas, card, (x, y))
        draw_foot(canvas, page, f"{deck.title}, Privateer")
        canvas.showPage()
    return saved(canvas, store)


def _cards(deck: Deck) -> Iterator[_Card]:
    for captain in deck.captains:
        yield _Card("CAPTAIN", captain.title, (captain.text, begins_with(captain)))
    for port in deck.port_cards:
        lines = (f"Sells {_prices(port.sells)}.", f"Buys {_prices(port.buys)}.")
        yield _Card("PORT CARD", port.title, lines)
    for card in deck.bounty:
        yield _Card("RELIC" if card.is_relic else "FORTUNE", card.title, (card.text,))


def _prices(prices: tuple[int | None, ...]) -> str:
    named = [
        f"{g} for {price}" for g, price in zip(GOODS, prices, strict=True) if price is not None
    ]
    return listed(named) or "nothing"


def _draw(canvas: Canvas, card: _Card, at_mm: XY) -> None:
    (x, y), (width, height) = at_mm, CARD_MM
    band = rectangle(at_mm, (width, BAND_MM), fill=_BANDS[card.kind])
    draw_shapes(canvas, [band, rectangle(at_mm, CARD_MM, line=_GRAY, line_mm=0.2)])
    middle = x + width / 2
    draw_text(canvas, (middle, y + 5.4), card.kind, 1.8, "Helvetica", BLACK)
    down = y + BAND_MM + EDGE_MM
    down = _write(canvas, (card.title,), (middle, down), 16, "Times-Bold", "centre") + EDGE_MM
    _write(
        canvas, card.lines, (x + EDGE_MM, down), y + height - EDGE_MM - down, "Helvetica", "left"
    )


def _write(
    canvas: Canvas, texts: tuple[str, ...], at_mm: XY, room_mm: float, font: str, align: Align
) -> float:
    """Write paragraphs in letters as large as there is room for; return where they end."""
    for tall in _HEIGHTS_MM:
        # A letter of these fonts is three quarters as wide as a capital is tall, about.
        lines = [wrap(text, int((CARD_MM[0] - 2 * EDGE_MM) / (0.75 * tall))) for text in texts]
        line_mm = 1.9 * tall
        high = sum(len(paragraph) + 0.5 for paragraph in lines) * line_mm
        if high <= room_mm:
            break
    x, y = at_mm
    for paragraph in lines:
        for line in paragraph:
            y += line_mm
            draw_text(canvas, (x, y), line, tall, font, BLACK, align)
        y += 0.5 * line_mm
    return y
