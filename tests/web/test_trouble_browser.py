"""Phones when something goes wrong: a silent table, hasty taps, sheets and refusals of the past."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page, expect

from companion.errors import IllegalAction, StaleVersion
from companion.table.snapshot import LogEntry
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot
from web.phones import COOKIE

pytestmark = pytest.mark.browser


def commands(table: FakeTable, kind: str) -> list[Any]:
    return [told for told in table.told if told["type"] == kind]


def never_answer(page: Page, path: str) -> None:
    """What is asked of this path stays on its way, as with a table that hangs."""
    page.route(path, lambda route: None)


def test_a_table_that_hangs_is_told_as_lost(new_phone: Callable[[], Phone]) -> None:
    """Neither a broken connection nor an answer: the stream and the state both stay silent."""
    phone = new_phone()
    phone.page.clock.install()
    phone.open()
    phone.sit("Ann")
    expect(phone.page.locator("#link-words")).to_have_text("live")
    phone.foresee("ERR_")
    never_answer(phone.page, "**/api/state")
    never_answer(phone.page, "**/api/stream*")
    with phone.page.expect_request("**/api/state"):
        phone.page.clock.run_for(12_500)
    phone.page.clock.run_for(5_500)
    expect(phone.page.locator("#lost")).to_be_visible()
    expect(phone.page.locator("#link-words")).to_have_text("lost")
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.locator("#lost")).to_be_hidden()


WEEK = timedelta(days=7)


@pytest.mark.parametrize("where", ["#health", "#start [role=status]"])
def test_a_table_whose_clock_is_wrong_says_so_until_it_is_right(
    phone: Phone, house: Any, where: str
) -> None:
    """Its rolls would be kept under the date on which it was switched off last."""
    if where != "#health":
        house.now = None
    now = datetime.now(UTC)
    phone.page.clock.install(time=now + WEEK)
    phone.open()
    told = phone.page.locator(where)
    expect(told).to_contain_text("Clock: The table says that it is")
    expect(told).to_contain_text(f'sudo date -s "{now + WEEK:%Y-%m-%d}')
    phone.page.clock.set_system_time(now)
    phone.page.clock.run_for(11_000)
    expect(told.get_by_text("Clock")).to_have_count(0)


def test_a_double_tap_ends_one_turn(phone: Phone, table: FakeTable) -> None:
    """The phone for the whole table may end every turn, so its second tap would end the next."""
    phone.page.clock.install()
    phone.open()
    phone.sit("One phone for the whole table")
    version = table.now.version
    phone.page.clock.pause_at(phone.page.evaluate("Date.now()") / 1000 + 2)
    done = phone.page.get_by_role("button", name="Turn done")
    with phone.page.expect_response("**/api/command"):
        done.tap()
    ann, bob = table.now.seats
    table.show(seats=(replace(ann, asked=False), replace(bob, asked=True)))
    expect(phone.page.locator("#turn h1")).to_have_text("Bob’s turn")
    done.dispatch_event("click")  # the second tap, within a blink
    phone.page.clock.run_for(600)
    expect(done).not_to_have_attribute("aria-disabled", "true")
    with phone.page.expect_response("**/api/command"):
        done.tap()
    told = [told["version"] for told in commands(table, "turn")]
    assert told == [version, version + 1]


def test_a_seat_is_chosen_of_the_battle_that_is_open(phone: Phone, table: FakeTable) -> None:
    """The sheet of the last battle would seat Dee where Ann sat."""
    phone.open()
    sheet = phone.page.get_by_role("dialog", name="Who holds this phone?")
    expect(sheet.get_by_role("button", name="Ann")).to_be_visible()
    seats = make_snapshot(("Dee", "Fay", "Eve")).seats
    table.show(game="the-next", seats=seats)
    expect(sheet.get_by_role("button", name="Fay")).to_be_visible()
    expect(sheet.get_by_role("button", name="Ann")).to_have_count(0)
    sheet.get_by_role("button", name="Eve", exact=True).click()
    expect(phone.page.locator(".captain.mine")).to_contain_text("Eve")
    assert [told["seat"] for told in commands(table, "take_seat")] == [2]


def test_who_only_watches_opens_no_battle_while_one_runs(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    another = page.get_by_role("dialog", name="Quarterdeck").get_by_role(
        "button", name="A new battle"
    )

    def open_menu() -> None:
        with page.expect_response("**/api/me"):
            page.get_by_role("button", name="Menu").tap()

    phone.open()
    page.get_by_role("button", name="I only watch").tap()
    open_menu()
    expect(another).to_be_visible()  # nobody plays
    page.keyboard.press("Escape")

    # It was offered beside one phone for the whole table, and then refused.
    host_elsewhere(phone, table)
    open_menu()
    expect(page.get_by_text("Big screen")).to_be_visible()
    expect(another).to_be_hidden()
    page.keyboard.press("Escape")
    ann, bob = table.now.seats
    table.show(seats=(replace(ann, taken=True), bob))
    open_menu()
    expect(another).to_be_hidden()
    page.keyboard.press("Escape")
    table.show(over=True, result="Ann wins.")
    page.get_by_role("button", name="A new battle").tap()
    expect(page.get_by_role("dialog", name="A new battle")).to_be_visible()


def host_elsewhere(phone: Phone, table: FakeTable) -> None:
    """Another phone speaks for all of them, so no seat is taken that others could see."""
    told = json.dumps({"type": "take_seat", "seat": "host"}).encode()
    headers = {"Content-Type": "application/json", "Cookie": f"{COOKIE}={'h' * 24}"}
    with urlopen(Request(phone.address + "/api/command", told, headers)) as answer:
        assert json.load(answer)["place"] == "host"
    assert not any(seat.taken for seat in table.now.seats)


def test_a_battle_that_may_not_be_opened_is_told_in_the_form(
    phone: Phone, table: FakeTable, house: FakeHouse
) -> None:
    page = phone.page
    phone.open()
    page.get_by_role("button", name="I only watch").click()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="A new battle").click()
    page.get_by_role("button", name="Open a new one").click()
    form = page.get_by_role("dialog", name="A new battle")
    host_elsewhere(phone, table)  # meanwhile
    phone.foresee("status of 403")  # the refusal itself
    form.get_by_role("button", name="Set sail").click()
    card = form.get_by_role("alert").filter(has_text="A battle is being fought here.")
    expect(card).to_contain_text("take a seat in the menu")
    expect(card).to_be_in_viewport()
    assert house.opened == []


def refused(phone: Phone, table: FakeTable, refusal: Any) -> Any:
    """Let the table refuse the big button; return where that is shown."""
    phone.foresee("status of 409")  # the refusal itself
    table.refuse = refusal
    phone.page.get_by_role("button", name="Turn done").click()
    card = phone.page.locator("#refusal")
    expect(card).to_be_visible()
    table.refuse = None
    return card


def test_a_refusal_goes_by_hand_or_when_the_game_goes_on(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    too_early = IllegalAction("AOW-29", "Spend all your dice first.")
    card = refused(phone, table, too_early)
    expect(card).to_contain_text("AOW-29")
    expect(card).to_contain_text("Spend all your dice first.")
    card.get_by_role("button", name="I see").click()
    expect(card).to_be_hidden()

    # It was no double tap: the button takes the next only when it is on again.
    expect(phone.page.get_by_role("button", name="Turn done")).not_to_have_attribute(
        "aria-disabled", "true"
    )
    refused(phone, table, too_early)
    table.show(version=table.now.version, health={"ring": "Check the cable."})
    expect(phone.page.locator("#health")).to_contain_text("Check the cable.")
    expect(card).to_be_visible()  # nothing has happened yet
    table.show(pending="Spend the last die.")
    expect(card).to_be_hidden()


def test_that_the_table_had_moved_on_is_told_long_enough(
    new_phone: Callable[[], Phone], table: FakeTable
) -> None:
    """The moment that made a tap stale comes right after the refusal."""
    phone = new_phone()
    phone.page.clock.install()
    phone.open()
    phone.sit("Ann")
    card = refused(phone, table, StaleVersion("Something else has happened meanwhile."))
    table.show(pending="Look up!", log=(*table.now.log, LogEntry(4, "Bob sails 3 NE", 1)))
    expect(phone.page.locator("#turn")).to_contain_text("Look up!")
    expect(card).to_contain_text("Something else has happened meanwhile.")
    expect(card).to_contain_text("The last thing now: Bob sails 3 NE")
    phone.page.clock.run_for(4_100)
    table.show(pending="Go on.")
    expect(card).to_be_hidden()


def test_a_command_that_met_nobody_is_forgotten_when_the_table_is_back(
    new_phone: Callable[[], Phone],
) -> None:
    phone = new_phone()
    phone.open()
    phone.sit("Ann")
    phone.foresee("ERR_")
    phone.page.route("**/api/**", lambda route: route.abort())
    phone.page.get_by_role("button", name="Turn done").click()
    card = phone.page.locator("#refusal")
    expect(card).to_contain_text("The table cannot be reached.")
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.locator("#lost")).to_be_visible()
    phone.page.unroute_all(behavior="ignoreErrors")
    phone.page.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.page.locator("#lost")).to_be_hidden()
    expect(card).to_be_hidden()


def test_a_menu_that_was_left_by_one_of_its_pages_is_closed(phone: Phone) -> None:
    """Safari shows a page again as it was left: the menu lay over the table."""
    phone.open()
    phone.sit("Ann")
    phone.page.route("**/rules", lambda route: route.fulfill(status=204))  # the page stays
    phone.page.get_by_role("button", name="Menu").click()
    phone.page.get_by_role("link", name="The rules by their numbers").click()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
