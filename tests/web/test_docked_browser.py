"""Ships that lie side by side on a small phone: a tap means the nearest, not the one drawn last."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from companion.rules.layout import Placed, Pose, make_layout
from companion.rules.sheets import Sheet
from tests.web.conftest import Phone, overlap
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.fleet_at_sea import COVE, HULL, PIECES, act, at_sea

pytestmark = pytest.mark.browser

NAMES = ("Ada", "Bea", "Cat", "Dot", "Eve")
DOCKED = {
    tag: Placed(Pose(400.0 + 46.0 * tag, 500.0, 90.0), "ship", f"the {name}", "red", HULL)
    for tag, name in enumerate(NAMES, start=1)
}
SHEETS = tuple(Sheet(0, ship.name, "red", tag) for tag, ship in DOCKED.items())
HOME = {COVE: PIECES[COVE]}


@pytest.fixture
def house() -> Any:
    layout = make_layout({}, (), DOCKED | HOME)
    table = FakeTable(at_sea(layout, sheets=SHEETS, phase="move", measured=True))
    table.offered = tuple(
        act(f"{ship.name} {way}", tag, "sail", path=[[ship.pose.x_mm, y, 90.0]])
        for tag, ship in DOCKED.items()
        for way, y in (("sails on", 720.0), ("drifts", 780.0))
    )
    return FakeHouse(table)


def middle(what: Locator) -> tuple[float, float]:
    """Return the middle of what is drawn, px of the page."""
    what.wait_for()
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def tap_hull(phone: Phone, board: Locator, tag: int) -> None:
    """Tap where a hull is seen, whatever lies over it."""
    hull = board.locator(f'.layer-ships [data-tag="{tag}"] .open-hull')
    phone.page.touchscreen.tap(*middle(hull))


def test_every_docked_ship_and_the_island_behind_them_is_tapped_on_the_page(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
    board, cell = phone.page.locator("#board"), phone.page.locator("#cell")
    board.scroll_into_view_if_needed()
    for tag, name in enumerate(NAMES, start=1):
        tap_hull(phone, board, tag)
        expect(cell).to_contain_text(f"the {name}, ship of Red")

    shore = board.locator(".of-island .shore")
    shore.scroll_into_view_if_needed()
    box = shore.bounding_box()
    assert box is not None
    phone.page.touchscreen.tap(box["x"] + box["width"] - 6, box["y"] + 6)
    expect(cell).to_contain_text("island 1, island")


def test_of_docked_ships_and_their_usual_places_the_nearest_is_meant(phone: Phone) -> None:
    """Every ship is taken hold of and dragged, also past the one that is held."""
    answer = {"version": 3, "offers": []}
    phone.page.route("**/api/shown", lambda route: route.fulfill(json=answer))
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".group")).to_have_count(len(NAMES))

    tap_hull(phone, sheet, 3)
    expect(sheet.locator(".goal-dot")).to_have_count(2)
    for k, way in enumerate(("sails on", "drifts")):
        phone.page.touchscreen.tap(*middle(sheet.locator(".goal-dot").nth(k)))
        expect(sheet.locator(".told-board .offer")).to_have_text(f"the Cat {way}")

    for tag, name in enumerate(NAMES, start=1):
        tap_hull(phone, sheet, tag)
        heading = sheet.locator(f'[data-piece="{tag}"] h3 button')
        expect(heading).to_have_attribute("aria-expanded", "true")
        expect(heading).to_contain_text(f"The {name}")
    x, y = middle(sheet.locator(".held .open-hull"))
    phone.page.mouse.move(x, y)
    phone.page.mouse.down()
    phone.page.mouse.move(x + 5, y + 30, steps=3)
    with phone.page.expect_request("**/api/shown") as request:
        phone.page.mouse.up()
    assert request.value.post_data_json["pieces"][0]["tag"] == len(NAMES)


def test_a_fortress_is_drawn_on_its_island_whatever_their_tags(phone: Phone, house: Any) -> None:
    """Its tag is lower than the island's, which was drawn over it."""
    wall = ((-30.0, -30.0), (30.0, -30.0), (30.0, 30.0), (-30.0, 30.0))
    castle = Placed(HOME[COVE].pose, "fort", "fortress 1", "red", wall)
    house.now.show(layout=make_layout({}, (), {1: castle} | HOME), sheets=())
    phone.open()
    phone.sit("Ann")
    drawn = phone.page.locator("#board .land-piece")
    expect(drawn).to_have_count(2)
    expect(drawn.last.locator(".walls")).to_have_count(1)
    # Its number stood on the letter of its fleet, and was the number of the island, too.
    names, (letter,) = phone.boxes_on_board(".open-name"), phone.boxes_on_board(".open-letter text")
    assert not any(overlap(letter, name) for name in names)
    board, cell = phone.page.locator("#board"), phone.page.locator("#cell")
    phone.page.touchscreen.tap(*middle(board.locator(".walls")))
    expect(cell).to_contain_text("fortress 1")
