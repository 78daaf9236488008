"""Sheets of ships on a phone: one's own first, what is left, what is still to do."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from companion.rules.sheets import ChartRow, Gauge, Sheet
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot

pytestmark = pytest.mark.browser

CHART = tuple(
    ChartRow(kind, label, lost)
    for kind, label, lost in (
        ("sail", "56", True),
        ("sail", "48", False),
        ("hull", "", False),
        ("sail", "40", False),
        ("hull", "", False),
    )
)
SHEETS = (
    Sheet(0, "Sea Wolf", "red", 10, (Gauge("Masts", 2, 3),), ("Cargo: 2 fish",)),
    Sheet(
        1,
        "Barracuda",
        "blue",
        11,
        (Gauge("Crew", 30, 33), Gauge("Cannons", 3, 4)),
        ("Loaded: 3 of 4 cannons",),
        CHART,
        ("Fire 3 cannons", "Reload 1 cannon"),
    ),
)


@pytest.fixture
def house() -> Any:
    return FakeHouse(FakeTable(make_snapshot(sheets=SHEETS)))


def test_a_captains_own_ship_is_first_and_open_and_another_opens_and_stays_open(
    phone: Phone, house: FakeHouse
) -> None:
    phone.open()
    phone.sit("Bob")
    sheets = phone.page.locator(".ship-sheet")
    expect(sheets).to_have_count(2)
    mine = sheets.first
    expect(mine).to_contain_text("Barracuda")
    expect(mine).to_have_attribute("open", "")
    expect(mine.get_by_role("img", name="Crew: 30 of 33")).to_be_visible()
    expect(mine.get_by_role("img", name="Damage chart: 4 of 5 rows left")).to_be_visible()
    expect(mine.locator("[role=img] li")).to_have_count(0)  # pictures have no items
    expect(mine.locator(".todo li")).to_have_text(["Fire 3 cannons", "Reload 1 cannon"])

    other = phone.page.locator(".ship-sheet", has_text="Sea Wolf")
    expect(sheets.nth(1)).not_to_have_attribute("open", "")
    other.locator("summary").tap()
    expect(other.get_by_role("img", name="Masts: 2 of 3")).to_be_visible()
    assert house.now is not None
    house.now.show(version=4, sheets=SHEETS[:1])
    expect(sheets).to_have_count(1)
    expect(other.get_by_role("img", name="Masts: 2 of 3")).to_be_visible()
