"""Choices in *Tell the table*: under headings that fit, and by the names that people use."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Route, expect

from companion.table.snapshot import Offer
from tests.web.conftest import Phone
from tests.web.doubles import FakeTable, make_snapshot

pytestmark = pytest.mark.browser

GOODS = ("cocoa", "fruit", "sugar", "tobacco")
MERCHANT = -2


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(make_snapshot(("Ann", "Bob", "Cid")))


def open_sheet(phone: Phone) -> Locator:
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    return phone.page.get_by_role("dialog", name="Tell the table")


def deed(text: str, type_: str, **fields: object) -> Offer:
    return Offer(text, {"type": type_, "player": 0, **fields})


def test_goods_are_taken_from_captains_by_name(phone: Phone, table: FakeTable) -> None:
    """Two games take: this one no treasure, and its foes were numbers."""
    table.offered = (
        *(
            deed(f"take 1 {good} from {name}", "take", foe=foe, good=good)
            for foe, name in ((1, "Bob"), (2, "Cid"), (MERCHANT, "the merchant"))
            for good in GOODS
        ),
        deed("plunder nothing", "decline"),
    )
    sheet = open_sheet(phone)
    kinds = sheet.get_by_role("group", name="What kind of thing?").get_by_role("button")
    expect(kinds).to_have_text(["Take a good12", "No1"])
    foes = sheet.get_by_role("group", name="Whom?").get_by_role("button")
    expect(foes).to_have_text(["The merchant", "Bob", "Cid"])
    foes.filter(has_text="Cid").tap()
    sheet.get_by_role("group", name="Which good?").get_by_role("button", name="Sugar").tap()
    expect(sheet.locator(".offer")).to_have_text(["take 1 sugar from Cid"])


@pytest.mark.parametrize(
    ("field", "ids"),
    [("relic", ("widow-maker", "bell")), ("upgrade", ("fort:castillo", "fort:redoubt"))],
)
def test_what_has_an_id_alone_is_listed_by_its_words(
    phone: Phone, table: FakeTable, field: str, ids: tuple[str, str]
) -> None:
    table.offered = tuple(
        deed(f"take {words} for {number} silver", "bargain", count=number, **{field: one})
        for one, words in zip(ids, ("The Widow's Culverin", "The Bell"), strict=True)
        for number in range(1, 5)
    )
    sheet = open_sheet(phone)
    expect(sheet.locator(".offer")).to_have_count(8)
    expect(sheet.get_by_text("Widow maker")).to_have_count(0)
    expect(sheet.get_by_text("Fort:castillo")).to_have_count(0)


@pytest.mark.parametrize(
    ("fields", "heading"), [({"cell": "1,0"}, "Press into service"), ({}, "Fight on")]
)
def test_two_games_press_each_in_its_own_words(
    phone: Phone, table: FakeTable, fields: dict[str, str], heading: str
) -> None:
    table.offered = (deed("scuttle", "scuttle"), deed("press", "press", **fields))
    kinds = open_sheet(phone).get_by_role("group", name="What kind of thing?")
    expect(kinds.get_by_role("button", name=heading)).to_be_visible()


def test_a_search_without_a_hit_does_not_speak_of_choices(phone: Phone, table: FakeTable) -> None:
    table.offered = tuple(
        deed(f"take {good} at {n}", "bargain", good=good, count=n)
        for good in GOODS
        for n in range(1, 5)
    )
    sheet = open_sheet(phone)
    sheet.get_by_role("searchbox").fill("rum")
    expect(sheet.locator(".results")).to_have_text("Nothing fits. Search for other words.")
    sheet.get_by_role("searchbox").fill("")
    sheet.get_by_role("button", name="Fruit").tap()
    sheet.get_by_role("searchbox").fill("rum")
    expect(sheet.locator(".results")).to_have_text("Nothing fits. Take a choice back.")


def test_what_is_typed_before_the_answer_is_searched_for(phone: Phone, table: FakeTable) -> None:
    """The search broke while the table was still asked."""
    table.offered = tuple(deed(f"take {good}", good, count=n) for n, good in enumerate(GOODS * 2))

    def meanwhile(route: Route) -> None:
        search = phone.page.locator("dialog input")
        search.evaluate("node => { node.value = 'sugar'; node.dispatchEvent(new Event('input')); }")
        route.continue_()

    phone.page.route("**/api/offers", meanwhile)
    sheet = open_sheet(phone)
    expect(sheet.get_by_role("group", name="What kind of thing?")).to_be_visible()
    expect(sheet.get_by_role("searchbox", include_hidden=True)).to_have_value("sugar")


def test_what_stands_in_an_empty_field_can_be_read(phone: Phone, table: FakeTable) -> None:
    """At least 4.5 times as light as its ground."""
    table.offered = tuple(deed(f"take {n}", "bargain", count=n) for n in range(8))
    search = open_sheet(phone).get_by_role("searchbox")
    words, ground = search.evaluate(
        """node => [getComputedStyle(node, '::placeholder').color,
                    getComputedStyle(node).backgroundColor].map(
            colour => colour.match(/[0-9.]+/g).slice(0, 3).map(part => part / 255))"""
    )
    assert (luminance(words) + 0.05) / (luminance(ground) + 0.05) >= 4.5


def luminance(colour: list[float]) -> float:
    """Return the relative luminance of sRGB parts from 0 to 1 (WCAG 2)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
