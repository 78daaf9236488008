"""One request gets lost: pages say so, ask again, and show meanwhile what they can."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable

pytestmark = pytest.mark.browser

AGAIN_MS = 1600


def lose_first(page: Page, path: str) -> None:
    """The first request of this path does not arrive; those after it do."""
    page.route(path, lambda route: route.abort(), times=1)


@pytest.fixture
def hasty(new_phone: Callable[[], Phone]) -> Phone:
    """A phone whose clock the test moves on."""
    phone = new_phone()
    phone.page.clock.install()
    phone.foresee("ERR_FAILED")
    return phone


def test_the_big_screen_asks_for_the_board_again(hasty: Phone, table: FakeTable) -> None:
    page = hasty.page
    lose_first(page, "**/api/board")
    hasty.open("/screen")
    expect(page.locator("#turn h1")).to_have_text("Ann’s turn")
    expect(page.locator("#log li").first).to_be_visible()
    told = page.get_by_text("Lost the table, trying again")  # in letters to be read from afar
    expect(told).to_be_visible()
    expect(page.locator("#board svg")).to_have_count(0)
    page.clock.run_for(AGAIN_MS)
    expect(page.locator("#board .ship").first).to_be_visible()
    expect(page.locator("#link-words")).to_have_text("live")
    expect(told).to_be_hidden()

    # Moments that come before the board are shown on it: the second met one still on its way.
    def meanwhile(route: Route) -> None:
        table.show(pending="Look up!")
        page.evaluate("fetch('/api/state')")  # by then the stream has brought it
        route.continue_()

    page.route("**/api/board", meanwhile, times=1)
    hasty.open("/screen")
    expect(page.locator("#turn")).to_contain_text("Look up!")
    expect(page.locator("#board .ship").first).to_be_visible()


def test_a_phone_asks_again_for_the_board_and_where_it_sits(hasty: Phone) -> None:
    lose_first(hasty.page, "**/api/board")
    hasty.open()
    expect(hasty.page.locator("#turn h1")).to_have_text("Ann’s turn")
    expect(hasty.page.locator("#lost")).to_be_visible()
    hasty.page.clock.run_for(AGAIN_MS)
    expect(hasty.page.locator("#board .ship").first).to_be_visible()
    expect(hasty.page.locator("#lost")).to_be_hidden()

    lose_first(hasty.page, "**/api/me")
    hasty.open()
    expect(hasty.page.locator("#lost")).to_be_visible()
    hasty.page.clock.run_for(AGAIN_MS)
    hasty.sit("Ann")


def test_a_request_that_hangs_holds_up_no_moment_for_long(hasty: Phone, table: FakeTable) -> None:
    """Moments are shown one after the other, and each waits for what the one before asks."""
    hasty.page.route("**/api/me", lambda route: None, times=1)  # it stays on its way
    with hasty.page.expect_request("**/api/me"):
        hasty.open()
    expect(hasty.page.locator("#turn")).to_contain_text("Spend a die")
    table.show(pending="Look up!")
    hasty.page.clock.run_for(5_100)
    expect(hasty.page.locator("#turn")).to_contain_text("Look up!")


def test_the_start_page_asks_for_the_games_again(hasty: Phone, house: FakeHouse) -> None:
    house.now = None
    lose_first(hasty.page, "**/api/games")
    hasty.open()
    expect(hasty.page.locator("#lost")).to_be_visible()
    expect(hasty.page.get_by_text("Looking for the table")).to_be_visible()
    hasty.page.clock.run_for(AGAIN_MS)
    expect(hasty.page.get_by_role("button", name="Set sail")).to_be_visible()
    expect(hasty.page.locator("#link-words")).to_have_text("live")
    expect(hasty.page.get_by_text("Looking for the table")).to_be_hidden()


def free_all(table: FakeTable) -> None:
    """What the host does with a seat whose phone is gone."""
    table.phones.clear()
    table.show(seats=tuple(replace(seat, taken=False) for seat in table.now.seats))


def test_a_phone_that_was_put_off_its_seat_watches(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    phone.open()
    phone.sit("Ann")
    table.phones.clear()  # and no moment says so: it believes the refusal
    phone.foresee("status of 403")  # the refusal itself
    page.get_by_role("button", name="Turn done").tap()
    expect(page.locator("#refusal")).to_contain_text("This phone only watches.")
    page.get_by_role("button", name="take a seat").tap()
    phone.sit("Ann")

    free_all(table)
    expect(page.get_by_role("button", name="take a seat")).to_be_visible()
    expect(page.get_by_role("button", name="Turn done")).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ann’s turn")
    expect(page.locator(".captain.mine")).to_have_count(0)
    # It does not sit down again by itself where it was put off.
    page.reload()
    expect(page.get_by_role("button", name="take a seat")).to_be_visible()
    assert [told["seat"] for told in table.told] == [0, 0]


def test_another_window_of_the_same_phone_follows(phone: Phone, context: Any) -> None:
    phone.open()
    phone.sit("Ann")
    other = context.new_page()
    other.goto(phone.address)
    expect(other.locator(".captain.mine")).to_contain_text("Ann")
    other.get_by_role("button", name="Menu").tap()
    other.get_by_role("button", name="Who holds this phone?").tap()
    other.get_by_role("dialog").get_by_role("button", name="Bob").tap()
    expect(phone.page.locator(".captain.mine")).to_contain_text("Bob")
