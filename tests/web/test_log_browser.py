"""The log on a phone: older lines page by page, lines that a finger can hit, ones and manies."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.table.snapshot import LogEntry
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot

pytestmark = pytest.mark.browser

HELD = 50  # lines of a snapshot, and of a page


class Chronicle(FakeTable):
    """A table with more lines than a snapshot holds."""

    def __init__(self, count: int) -> None:
        self.all = tuple(LogEntry(2 * k, f"Line {k}", 0) for k in range(1, count + 1))
        self.asked = 0
        super().__init__(make_snapshot(log=self.all[-HELD:]))

    def log(self, before: int | None = None) -> tuple[LogEntry, ...]:
        self.asked += 1
        return tuple(e for e in self.all if before is None or e.seq < before)[-HELD:]

    def write(self, *lines: LogEntry) -> None:
        self.all = lines
        self.show(log=lines[-HELD:])


@pytest.fixture
def table() -> Any:
    return Chronicle(120)


@pytest.fixture
def house(table: FakeTable) -> Any:
    return FakeHouse(table)


def test_older_lines_are_paged_to_the_first_of_each_battle(phone: Phone, table: Chronicle) -> None:
    phone.open()
    phone.sit("Ann")
    lines, more = phone.page.locator("#log li"), phone.page.get_by_role("button", name="Earlier")
    for shown in (12, 50):
        expect(lines).to_have_count(shown)
        more.tap()
    expect(lines).to_have_count(100)

    # Another battle begins its log anew.
    long_one = table.all
    table.all = (LogEntry(1, "A new beginning", 0),)
    table.show(game="the-next", log=table.all)
    expect(lines).to_have_count(1)
    expect(more).to_be_hidden()
    table.all = long_one
    table.show(game="the-last", log=long_one[-HELD:])
    for shown in (12, 50, 100):
        expect(lines).to_have_count(shown)
        more.tap()
    expect(lines).to_have_count(120)
    expect(lines.last).to_contain_text("Line 1")
    expect(more).to_be_hidden()

    # The game goes on: what leaves the moment is known already.
    table.asked = 0
    for number in (121, 122, 123):
        table.write(*table.all, LogEntry(2 * number, f"Line {number}", 0))
        expect(lines.first).to_contain_text(f"Line {number}")
    deeds = lines.locator("button.deed")
    assert deeds.all_text_contents() == [f"Line {number}" for number in range(123, 0, -1)]
    assert table.asked == 0

    # What was taken back from a line far back on is shown so, and none is lost.
    struck = (replace(line, retracted=True) for line in table.all[2:])
    table.write(*table.all[:2], *struck, LogEntry(500, "The newest", 0))
    expect(lines.nth(121)).to_have_class("retracted")
    expect(lines.nth(122)).not_to_have_class("retracted")
    assert deeds.all_text_contents()[1:] == [f"Line {number}" for number in range(123, 0, -1)]


def test_one_is_not_said_like_many_notes_are_folded_and_lines_are_large(
    phone: Phone, table: Chronicle
) -> None:
    ann, bob = table.now.seats
    scores = {"captured": 0, "ships left": 1, "tokens": 1, "crew": 1}
    table.show(
        seats=(replace(ann, ships=1, scores={"doubloons": 1}), replace(bob, scores=scores)),
        notes=tuple(f"Island {number}: 3 gold" for number in range(8)),
    )
    phone.open()
    phone.sit("Ann")
    captains, notes = phone.page.locator(".captain"), phone.page.locator("#notes")
    words = "Red: 1 doubloon, 1 ship, on turn, you"
    expect(captains.first.locator(".sr")).to_have_text(words)
    expect(captains.last).to_contain_text("0 captured, 1 ship left, 1 token, 1 crew")

    expect(notes.get_by_text("Island 2: 3 gold")).to_be_visible()
    expect(notes.get_by_text("Island 7: 3 gold")).to_be_hidden()
    notes.get_by_text("5 more").tap()
    expect(notes.get_by_text("Island 7: 3 gold")).to_be_visible()

    # The whole of a line can be tapped.
    line = phone.page.locator("#log li").first
    line.evaluate("node => node.scrollIntoView({ block: 'center' })")
    height, hit = line.evaluate(
        """node => {
            const { left, bottom, height } = node.getBoundingClientRect();
            return [height, document.elementFromPoint(left + 8, bottom - 4).textContent];
        }"""
    )
    assert height >= 44
    assert hit == "Line 120"


def test_what_happens_is_heard_as_it_comes(phone: Phone, table: Chronicle) -> None:
    """Who does not see the log was told nothing of what others did."""
    phone.open()
    phone.sit("Ann")
    news, before = phone.page.locator("#news[role=status]"), table.all
    expect(phone.page.locator("#log li").first).to_contain_text("Line 120")
    expect(news).to_have_text("")
    sails = LogEntry(999, "Bob sails", 1, ("Bob sails: +1 doubloon",))
    table.write(*before, sails)
    expect(news).to_have_text("Bob sails. +1 doubloon")
    table.write(*before, replace(sails, retracted=True))
    expect(news).to_have_text("Taken back: Bob sails")
    # Of the battle before nothing is said in the next one.
    table.show(game="the next", log=())
    expect(news).to_have_text("")


def test_what_the_keyboard_comes_to_is_not_under_the_bar(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
    bar = phone.page.locator("#bar").bounding_box()
    assert bar is not None
    phone.page.locator("#menu").focus()
    phone.page.keyboard.press("Tab")  # to the board, which is a single stop
    for deed in phone.page.locator("#log .deed").all():
        phone.page.keyboard.press("Tab")
        expect(deed).to_be_focused()
        box = deed.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= bar["y"]


def test_a_line_and_what_followed_do_not_say_the_same_twice(phone: Phone, table: Chronicle) -> None:
    """A card that was drawn was named in its line and again before its text."""
    draws = "Red draws The Comb"
    table.write(LogEntry(1, draws, 0, (f"{draws}: Take 2 silver (PRV-21)", "Red takes 2 silver")))
    phone.open()
    phone.sit("Ann")
    expect(phone.page.locator("#log .consequence")).to_have_text(
        ["Take 2 silver (PRV-21)", "Red takes 2 silver"]
    )
    phone.page.get_by_role("button", name=draws).tap()
    told = phone.page.get_by_role("dialog").locator(".consequence")
    expect(told.first).to_have_text("Take 2 silver (PRV-21)")
