"""Numbers of rules on the pages: a tap tells what the rule says; the page that has them all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.errors import IllegalAction
from companion.rules.rulebook import find_rule
from companion.table.snapshot import LogEntry
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable

pytestmark = pytest.mark.browser


def says(page: Page, number: str) -> None:
    """The topmost sheet tells what a rule says."""
    found = find_rule(number)
    assert found is not None
    book, rule = found
    sheet = page.locator("dialog").last
    expect(sheet).to_have_attribute("aria-label", f"Rule {number}")
    expect(sheet.locator("p").first).to_contain_text(rule.text)
    expect(sheet.get_by_role("link", name=f"All the rules of {book.title}")).to_be_visible()
    expect(sheet.get_by_text("our reading", exact=True)).to_have_count(int(rule.is_ours))


def test_numbers_of_a_refusal_and_in_the_log_tell_their_rules(
    phone: Phone, table: FakeTable
) -> None:
    page = phone.page
    told = "+1 doubloon: Red sinks Blue (AOW-47)"
    table.show(log=(LogEntry(2, "Red fires", 0, consequences=(told,)),))
    phone.open()
    phone.sit("Ann")
    phone.foresee("status of 409")  # the refusal itself
    table.refuse = IllegalAction("AOW-28", "The other ship needs this sail.")
    page.get_by_role("button", name="Turn done").tap()
    card = page.locator("#refusal")
    card.get_by_role("link", name="AOW-28").tap()
    says(page, "AOW-28")
    page.locator("dialog").get_by_role("button", name="Close").tap()
    expect(card).to_be_visible()

    # In the log it tells the rule and not the line.
    expect(page.locator("#log")).to_contain_text(told)
    page.locator("#log").get_by_role("link", name="AOW-47").tap()
    says(page, "AOW-47")
    expect(page.locator("dialog")).to_have_count(1)
    page.locator("dialog").get_by_role("button", name="Close").tap()

    # The menu leads to all of them.
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("link", name="The rules by their numbers").tap()
    expect(page.get_by_role("link", name=table.now.title)).to_contain_text("in play now")


def test_who_is_new_to_a_game_is_led_to_its_rules(phone: Phone, house: FakeHouse) -> None:
    """They stood behind the menu alone, and told what lies where to nobody who did not look."""
    page, table = phone.page, house.now
    house.now = None
    phone.open()
    link = page.get_by_role("link", name="Read its rules")
    expect(link).to_have_attribute("href", "/rules/toy-battle")
    expect(link).to_have_attribute("target", "_blank")  # the names that were typed stay

    house.now = table
    assert table is not None
    phone.open()
    phone.sit("Ann")
    link = page.get_by_role("link", name="Read its rules")
    expect(link).to_be_hidden()  # in mid-game
    table.show(round=0)
    expect(link).to_have_attribute("href", "/rules/in-play")


TOY_RULE = {
    "number": "AOW-28",
    "text": "As AOW-27 says (AOW-26).",
    "is_ours": False,
    "title": "Toy",
    "page": "/rules/AOW-28",
}


def test_a_number_within_a_rule_tells_that_one_on_top_and_a_lost_rule_is_told(
    phone: Phone, table: FakeTable
) -> None:
    page = phone.page
    told = ("Red waits (AOW-28)", "Red sinks Blue (AOW-47)")
    table.show(log=(LogEntry(2, "Red fires", 0, consequences=told),))
    phone.open()
    phone.sit("Ann")
    page.route("**/api/rules/AOW-28", lambda route: route.fulfill(json=TOY_RULE))
    page.locator("#log").get_by_role("link", name="AOW-28").tap()
    for number in ("AOW-27", "AOW-26"):
        page.locator("dialog").first.get_by_role("link", name=number).tap()
        says(page, number)
        page.locator("dialog").last.get_by_role("button", name="Close").tap()
        expect(page.locator("dialog")).to_have_count(1)
    page.locator("dialog").get_by_role("button", name="Close").tap()

    # One gets lost on its way.
    phone.foresee("ERR_FAILED")
    page.route("**/api/rules/AOW-47", lambda route: route.abort(), times=1)
    page.locator("#log").get_by_role("link", name="AOW-47").tap()
    sheet = page.locator("dialog")
    expect(sheet).to_contain_text("The table cannot be reached.")
    sheet.get_by_role("link", name="All the rules").tap()
    expect(page.locator("#AOW-47")).to_be_in_viewport()


def test_the_rules_of_a_game_are_searched_by_words_in_any_order(phone: Phone) -> None:
    phone.page.set_viewport_size({"width": 320, "height": 568})
    phone.open("/rules/articles-of-war")
    shown = phone.page.locator(".entry:visible")
    expect(shown).to_have_count(87)
    phone.page.get_by_label("Search these rules").fill("DICE desperation")
    numbers = shown.locator(".number")
    expect(phone.page.get_by_role("status")).to_contain_text("rules have this.")
    assert "AOW-67" in numbers.all_text_contents()
    assert len(numbers.all_text_contents()) < 20
    # A number within a rule leads there, though it does not have the words.
    phone.page.locator("#AOW-67").get_by_role("link", name="AOW-83").tap()
    expect(phone.page.locator("#AOW-83")).to_be_in_viewport()
    expect(shown).to_have_count(87)
    phone.page.get_by_label("Search these rules").fill("helicopter")
    expect(phone.page.get_by_role("status")).to_have_text("No rules have this.")
    wide = phone.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 320
