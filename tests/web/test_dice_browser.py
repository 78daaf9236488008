"""The doubter's page on a phone: readable at 360 pixels, pictures of single dice, live."""

from __future__ import annotations

import re
from random import Random

import cv2
import numpy as np
import pytest
from playwright.sync_api import Route, expect

from companion.ledger.events import TRAY_PICTURE, ActionApplied, GameOpened
from companion.ledger.memory_store import MemoryStore
from tests.web.conftest import PHONE, TWO_FRAMES, Phone, lines_of
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.test_small_browser import SIZES, show_at

pytestmark = pytest.mark.browser

BOX = (300, 200, 60, 50)


def tray_jpeg() -> bytes:
    """Return a picture of a tray, white where the die lies."""
    picture = np.zeros((480, 640, 3), np.uint8)
    x, y, w, h = BOX
    picture[y : y + h, x : x + w] = 255
    return cv2.imencode(".jpg", picture)[1].tobytes()


def rolled(face: int) -> ActionApplied:
    read = {"kind": "cannon", "face": face, "p": 0.99, "box": list(BOX), "look": ""}
    action = {"type": "roll", "player": -1, "dice": [{"kind": "cannon", "face": face}]}
    return ActionApplied(
        action, "rolls", face % 2, "camera", True, 0.99, "v1-abc", phase="roll", dice=(read,)
    )


def pictures() -> dict[str, bytes]:
    return {"v1-abc" + TRAY_PICTURE: tray_jpeg(), "v1-abc": tray_jpeg()}


@pytest.fixture
def house(table: FakeTable) -> FakeHouse:
    house, dice = FakeHouse(table), Random(1)
    opened = GameOpened("articles-of-war", ("Ann", "Bob"), {}, "hex-ocean")
    house.records = MemoryStore()
    house.records.append("game-0001", 0, [opened], 1763753645.0)
    rolls = [rolled(dice.randint(1, 5)) for _ in range(60)]
    house.records.append("game-0001", 1, rolls, 1763753645.0, pictures())
    return house


def test_the_page_fits_a_phone_and_shows_single_dice(phone: Phone) -> None:
    phone.open("/dice")
    page = phone.page
    page.get_by_text("Fair as far as 60 rolls can tell").wait_for()
    page.locator("summary").first.click()
    page.locator("article summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        "[...document.querySelectorAll('main a, main summary')].filter("
        "a => a.offsetParent && !a.closest('.origin') && a.getBoundingClientRect().height < 44"
        ").map(a => a.outerHTML)"
    )
    assert small == []
    crop = page.locator("img.placed").first
    crop.scroll_into_view_if_needed()
    crop.wait_for()
    # The middle of the die is in the middle of what is shown.
    seen, frame = crop.bounding_box(), page.locator(".crop").first.bounding_box()
    assert seen is not None
    assert frame is not None
    scale = seen["width"] / 640
    x, y, w, h = BOX
    assert seen["x"] + (x + w / 2) * scale == pytest.approx(frame["x"] + frame["width"] / 2, abs=1)
    assert seen["y"] + (y + h / 2) * scale == pytest.approx(frame["y"] + frame["height"] / 2, abs=1)
    assert w * scale > frame["width"] / 2


def test_on_paper_a_card_that_lists_everything_may_go_on_overleaf(phone: Phone) -> None:
    phone.open("/dice")
    page = phone.page
    report = page.request.get(page.url + "/report.html").text()
    page.goto("about:blank")
    page.set_content(report)
    page.emulate_media(media="print")
    breaks = "getComputedStyle(document.querySelector('.judged')).breakInside"
    assert page.evaluate(breaks) == "avoid"
    page.evaluate("document.querySelector('.judged details').open = true")
    assert page.evaluate(breaks) == "auto", "else it leaves the first page empty"


def test_enlarged_letters_break_no_die_s_name_and_push_nothing_off_the_page(
    phone: Phone, house: FakeHouse
) -> None:
    names = ("Donaudampfschiffskapitän", "Bartholomew Mountbatten")
    opened = GameOpened("articles-of-war", names, {}, "hex-ocean")
    house.records.append("game-0002", 0, [opened, rolled(2), rolled(3)], 1763753645.0, pictures())
    phone.open("/dice")
    phone.page.locator(".filters summary").click()
    phone.page.locator("article summary").click()
    for size, (width, height, letters) in SIZES.items():
        show_at(phone, width, height, letters)
        title = phone.page.get_by_role("heading", name="cannonball die")
        assert lines_of(title, "cannonball") == 1, size
        shown = phone.page.locator(".thrown figcaption").first
        assert lines_of(shown, "cannonball") == 1, size
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width, size


def test_a_new_roll_comes_by_itself_and_rolls_are_filtered_by_a_tap(
    phone: Phone, house: FakeHouse, table: FakeTable
) -> None:
    page = phone.page

    def roll_once_more(count: int) -> None:
        house.records.append("game-0001", count, [rolled(5)], 1763753700.0)
        table.show()

    def meanwhile(route: Route) -> None:
        roll_once_more(61)  # the page was sent, and does not hear the table yet
        route.continue_()

    page.route("**/api/stream*", meanwhile, times=1)
    phone.open("/dice")
    page.get_by_text("Fair as far as 61 rolls can tell").wait_for()
    page.locator("article summary").click()
    roll_once_more(62)
    page.get_by_text("Fair as far as 62 rolls can tell").wait_for()
    # What was opened stays open.
    expect(page.locator("article details").first).to_have_attribute("open", "")

    # A filter is chosen by a tap.
    page.locator(".filters summary").click()
    page.get_by_role("link", name="Ann", exact=True).click()
    page.wait_for_url("**/dice?captain=Ann")
    expect(page.locator(".filters summary")).to_have_text(re.compile("^Ann"))
    expect(page.locator(".rolls .who strong").first).to_have_text("Ann")


HEARS = """
window.EventSource = class extends EventSource {
    constructor(address) {
        super(address);
        this.addEventListener("message", ({ data }) => {
            window.heard = JSON.parse(data).table.version;
        });
    }
};
"""
"""Tells what the page has heard by now."""


def test_what_comes_while_the_page_is_asked_for_is_asked_for_once(
    phone: Phone, house: FakeHouse, table: FakeTable
) -> None:
    """Each event was asked for by itself: a table with many rolls fell behind ever more."""
    page = phone.page
    page.add_init_script(HEARS)
    phone.open("/dice")

    def go_on() -> None:
        table.show()
        page.wait_for_function("version => window.heard === version", arg=table.now.version)

    def let_through(number: int) -> None:
        """Let a request pass, as soon as there are so many."""
        for _ in range(100):
            if len(asked) >= number:
                break
            page.evaluate(TWO_FRAMES)
        asked[number - 1].continue_()

    page.wait_for_function("() => window.heard")  # of a mere string the policy allows one look
    asked: list[Route] = []
    page.route("**/dice", lambda route: asked.append(route))
    for _ in range(4):
        go_on()
    house.records.append("game-0001", 61, [rolled(5)], 1763753700.0)
    let_through(1)
    let_through(2)
    page.get_by_text("Fair as far as 61 rolls can tell").wait_for()
    page.evaluate(TWO_FRAMES)
    assert len(asked) == 2
