"""``quarterdeck print cards``: every card of Privateer's deck, whole and on its paper."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.cards.files import builtin_text, read_cards
from companion.errors import CardError
from companion.rules.privateer.deck_reading import read_deck
from tests.command_line import run_command
from vision.printing.cards import cards_pdf

HOUSE = builtin_text("privateer-house")


def words_of(data: bytes) -> str:
    """Return what stands in a PDF, lines and pages joined by blanks."""
    pages = PdfReader(BytesIO(data)).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_card_is_printed_once(paper: str) -> None:
    deck = read_cards(HOUSE, read_deck)
    words = words_of(cards_pdf(deck, paper))
    for card in (*deck.captains, *deck.port_cards, *deck.bounty):
        assert card.title in words
    assert words.count("CAPTAIN") == len(deck.captains)
    assert words.count("PORT CARD") == len(deck.port_cards)
    assert words.count("RELIC") + words.count("FORTUNE") == len(deck.bounty)
    assert "Begins with Crew 1 and Cannons 1." in words
    assert "Sells rum for 3 and paprika for 3." in words


def test_a_long_text_is_set_smaller_so_that_none_of_it_is_lost(tmp_path: Path) -> None:
    long = "Salt " * 180 + "and the end."
    own, target = tmp_path / "own.toml", tmp_path / "cards.pdf"
    own.write_text(HOUSE.replace("First over the rail, last to surrender.", long), "utf-8")
    assert run_command("print", "cards", str(own), "-o", str(target)) == 0
    assert long in words_of(target.read_bytes())


def test_a_fault_of_a_card_file_is_told_with_its_line(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(HOUSE.replace("start_silver = 10", 'start_silver = "ten"'), "utf-8")
    with pytest.raises(CardError, match="start_silver") as caught:
        run_command("print", "cards", str(own))
    assert caught.value.line == 6
