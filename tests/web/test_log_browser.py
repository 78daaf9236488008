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
        super().__init__(make_snapshot(log=self.all[-HELD:]))

    def log(self, before: int | None = None) -> tuple[LogEntry, ...]:
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


def test_older_lines_are_paged_to_the_first(phone: Phone, table: Chronicle) -> None:
    phone.open()
    phone.sit("Ann")
    lines, more = phone.page.locator("#log li"), phone.page.get_by_role("button", name="Earlier")
    for shown in (12, 50, 100):
        expect(lines).to_have_count(shown)
        more.tap()
    expect(lines).to_have_count(120)
    expect(lines.last).to_contain_text("Line 1")
    expect(more).to_be_hidden()
    # The game goes on: nothing is lost in between, and what is struck out far back is shown so.
    struck = replace(table.all[2], retracted=True)
    table.write(*table.all[:2], struck, *table.all[3:], LogEntry(500, "The newest", 0))
    expect(lines).to_have_count(121)
    expect(lines.first).to_contain_text("The newest")
    expect(lines.nth(118)).to_have_class("retracted")
    numbers = lines.locator("button.deed").all_text_contents()
    assert numbers[1:] == [f"Line {k}" for k in range(120, 0, -1)]


def test_another_battle_begins_its_log_anew(phone: Phone, table: Chronicle) -> None:
    phone.open()
    phone.sit("Ann")
    lines, more = phone.page.locator("#log li"), phone.page.get_by_role("button", name="Earlier")
    for shown in (12, 50):
        expect(lines).to_have_count(shown)
        more.tap()
    expect(lines).to_have_count(100)
    table.all = (LogEntry(1, "A new beginning", 0),)
    table.show(game="the-next", log=table.all)
    expect(lines).to_have_count(1)
    expect(more).to_be_hidden()


def test_the_whole_of_a_line_can_be_tapped(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
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


def test_one_is_not_said_like_many(phone: Phone, table: Chronicle) -> None:
    ann, bob = table.now.seats
    scores = {"captured": 0, "ships left": 1, "tokens": 1, "crew": 1}
    table.show(seats=(replace(ann, ships=1, scores={"doubloons": 1}), replace(bob, scores=scores)))
    phone.open()
    phone.sit("Ann")
    captains = phone.page.locator(".captain")
    expect(captains.first).to_have_attribute("aria-label", "Ann, Red: 1 doubloon, 1 ship, on turn")
    expect(captains.last).to_contain_text("0 captured, 1 ship left, 1 token, 1 crew")


def test_the_sheet_says_that_it_asks(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    phone.page.route("**/api/offers", lambda route: None)  # the rules think
    phone.page.get_by_role("button", name="Tell the table").tap()
    expect(phone.page.get_by_role("dialog")).to_contain_text("Asking the table …")


def test_the_big_screen_leads_back(phone: Phone) -> None:
    phone.open("/screen")
    phone.page.get_by_role("link", name="Quarterdeck").tap()
    expect(phone.page.get_by_role("dialog", name="Who holds this phone?")).to_be_visible()
