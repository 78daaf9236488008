"""A phone at a table that is killed: it goes on with it, and tells what the card has lost."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, expect

from companion.boards.choice import board_for
from companion.demo.phone import HttpPhone
from companion.rules.catalogue import find_game
from companion.table.snapshot import LogEntry
from tests.served import NAMES, open_game, served, tell_one
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot
from web.server import WebServer

pytestmark = pytest.mark.browser

GAME = find_game("articles-of-war")


class Teller:
    """Somebody who tells one random legal thing after the other."""

    def __init__(self) -> None:
        self.state = GAME.setup(NAMES, board_for(GAME.info, {}).options)
        self._random = Random(5)
        self._before: list[Any] = []

    def forget(self, told: int) -> None:
        """Take up where so much was not told yet; the very same will be told."""
        self.state, choices = self._before[-told]
        self._random.setstate(choices)

    def tell(self, address: str) -> Any:
        """Tell one more; return the table as it is shown then."""
        self._before.append((self.state, self._random.getstate()))
        told_by = HttpPhone(address)
        self.state = tell_one(GAME, told_by, self.state, self._random)
        return told_by.look()


def lose_after(version: int, folder: Path) -> None:
    """What a card does that has said of the last events that they are on it, and they were not."""
    ledger = sqlite3.connect(folder / "ledger.sqlite3")
    with ledger:
        ledger.execute("DELETE FROM event WHERE seq > ?", (version,))
    ledger.close()


def test_a_phone_goes_on_with_a_killed_table_and_tells_what_the_card_has_lost(
    context: BrowserContext, tmp_path: Path
) -> None:
    teller, serve = Teller(), ("serve", "--data", str(tmp_path))
    page = context.new_page()
    with served(*serve) as (_, address):
        open_game(address, GAME.info.id, {})
        for _ in range(4):
            table = teller.tell(address)
        phone = Phone(page, address.rstrip("/"))
        phone.open()
        phone.sit("One phone for the whole table")
    expect(page.locator("#link-words")).to_have_text("lost")
    port = urlsplit(address).port or 0

    newest, told = page.locator("#log .deed").first, page.locator("#health")
    with served(*serve, port=port) as (_, address):
        expect(page.locator("#link-words")).to_have_text("live")
        expect(newest).to_have_text(table["log"][-1]["text"])
        expect(told).to_be_hidden()  # nothing is lost by a kill
        for _ in range(2):
            before, table = table, teller.tell(address)
        expect(newest).to_have_text(table["log"][-1]["text"])
        sheet = phone.tell()
        expect(sheet.locator(".offer, .results p").first).to_be_visible()

    lose_after(before["version"] - 1, tmp_path)
    lost = [line["text"] for line in table["log"][-2:]]
    with served(*serve, port=port) as (_, address):
        words = "Lost: “{}” and “{}” had been noted, and the table no longer knows of it."
        expect(told).to_contain_text(words.format(*lost))
        expect(newest).to_have_text(table["log"][-3]["text"])
        expect(sheet).to_be_hidden()  # it offered what was to follow
        teller.forget(2)
        teller.tell(address)
        expect(told).to_contain_text(f"Lost: “{lost[1]}” had been noted")
        teller.tell(address)
        expect(newest).to_have_text(lost[1])
        expect(told).to_be_hidden()


def test_an_undo_that_the_card_has_lost_is_named(context: BrowserContext) -> None:
    """The line stood again, and nobody was told."""
    page = context.new_page()
    first, second = LogEntry(2, "Red rolls 3", 0), LogEntry(3, "Blue rolls 4", 1)
    gone = replace(second, retracted=True)
    undone = make_snapshot(version=5, log=(first, gone, LogEntry(5, "Blue rolls 6", 1)))
    with WebServer(FakeHouse(FakeTable(undone)), host="127.0.0.1", port=0) as server:
        phone = Phone(page, f"http://127.0.0.1:{server.port}")
        phone.open()
        phone.sit("One phone for the whole table")
    told = page.locator("#health")
    table = FakeTable(make_snapshot(version=3, log=(first, second)))
    with WebServer(FakeHouse(table), host="127.0.0.1", port=server.port):
        expect(told).to_contain_text("Lost: “Blue rolls 4” had been taken back, and the table")
        expect(told).to_contain_text("“Blue rolls 6” had been noted, and the table no longer")
        table.show(version=4, log=(first, gone))
        expect(told).not_to_contain_text("had been taken back")
        table.show(version=5, log=(first, gone, LogEntry(5, "Blue rolls 6", 1)))
        expect(told).to_be_hidden()


def test_another_battle_of_the_same_number_is_no_loss(context: BrowserContext) -> None:
    """As when a damaged ledger was put aside, and the first battle of a new one is fought."""
    page = context.new_page()
    with WebServer(FakeHouse(FakeTable()), host="127.0.0.1", port=0) as server:
        phone = Phone(page, f"http://127.0.0.1:{server.port}")
        phone.open()
        phone.sit("One phone for the whole table")
    begun = FakeTable(make_snapshot(version=1, log=(LogEntry(1, "Red draws commodore 6", 0),)))
    with WebServer(FakeHouse(begun), host="127.0.0.1", port=server.port):
        expect(page.locator("#log .deed")).to_have_text(["Red draws commodore 6"])
        expect(page.locator("#health")).to_be_hidden()
