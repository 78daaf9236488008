"""Numbers of rules on the pages: a tap tells what the rule says; the page that has them all."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from companion.errors import IllegalAction
from companion.rules.rulebook import find_rule
from companion.table.snapshot import LogEntry
from tests.web.conftest import Phone
from tests.web.doubles import FakeTable

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


def test_the_number_of_a_refusal_tells_its_rule(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    phone.foresee("status of 409")  # the refusal itself
    table.refuse = IllegalAction("AOW-28", "The other ship needs this sail.")
    phone.page.get_by_role("button", name="Turn done").tap()
    card = phone.page.locator("#refusal")
    card.get_by_role("link", name="AOW-28").tap()
    says(phone.page, "AOW-28")
    phone.page.locator("dialog").get_by_role("button", name="Close").tap()
    expect(card).to_be_visible()


def test_a_number_in_the_log_tells_its_rule_and_not_the_line(
    phone: Phone, table: FakeTable
) -> None:
    told = "+1 doubloon: Red sinks Blue (AOW-47)"
    table.show(log=(LogEntry(2, "Red fires", 0, consequences=(told,)),))
    phone.open()
    phone.sit("Ann")
    expect(phone.page.locator("#log")).to_contain_text(told)
    phone.page.locator("#log").get_by_role("link", name="AOW-47").tap()
    says(phone.page, "AOW-47")
    expect(phone.page.locator("dialog")).to_have_count(1)


def test_a_rule_that_gets_lost_on_its_way_is_told(phone: Phone, table: FakeTable) -> None:
    table.show(log=(LogEntry(2, "Red fires", 0, consequences=("Red sinks Blue (AOW-47)",)),))
    phone.open()
    phone.sit("Ann")
    phone.foresee("ERR_FAILED")
    phone.page.route("**/api/rules/*", lambda route: route.abort(), times=1)
    phone.page.locator("#log").get_by_role("link", name="AOW-47").tap()
    sheet = phone.page.locator("dialog")
    expect(sheet).to_contain_text("The table cannot be reached.")
    sheet.get_by_role("link", name="All the rules").tap()
    expect(phone.page.locator("#AOW-47")).to_be_in_viewport()


def test_a_number_within_a_rule_tells_that_one_on_top(phone: Phone, table: FakeTable) -> None:
    table.show(log=(LogEntry(2, "Red waits", 0, consequences=("Red waits (AOW-28)",)),))
    phone.open()
    phone.sit("Ann")
    phone.page.route(
        "**/api/rules/AOW-28",
        lambda route: route.fulfill(
            json={
                "number": "AOW-28",
                "text": "As AOW-27 says (AOW-26).",
                "is_ours": False,
                "title": "Toy",
                "page": "/rules/AOW-28",
            }
        ),
    )
    phone.page.locator("#log").get_by_role("link", name="AOW-28").tap()
    for number in ("AOW-27", "AOW-26"):
        phone.page.locator("dialog").first.get_by_role("link", name=number).tap()
        says(phone.page, number)
        phone.page.locator("dialog").last.get_by_role("button", name="Close").tap()


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


def test_the_menu_leads_to_the_rules(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("link", name="The rules by their numbers").tap()
    game = phone.page.get_by_role("link", name=table.now.title)
    expect(game).to_contain_text("in play now")
