"""Phones some years old, played by a Chromium from which is taken what they lack."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from companion.errors import StaleVersion
from tests.web.conftest import Phone, box_of
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot
from tests.web.fleet_at_sea import ORDERS, at_sea

pytestmark = pytest.mark.browser

NEWER = """
for (const name of ["findLast", "findLastIndex", "toReversed", "toSorted", "toSpliced", "with"])
  delete Array.prototype[name];
for (const name of ["difference", "intersection", "union"]) delete Set.prototype[name];
for (const [of, name] of [[Object, "groupBy"], [Map, "groupBy"], [Promise, "withResolvers"],
  [Array, "fromAsync"], [AbortSignal, "any"], [AbortSignal, "timeout"], [URL, "canParse"],
  [crypto, "randomUUID"], [navigator, "wakeLock"], [window, "structuredClone"],
  [Element.prototype, "checkVisibility"], [HTMLElement.prototype, "showPopover"]]) delete of[name];
"""
"""Takes away what Chromium 92, Safari 15.4 or Firefox 98 do not have, or not without https."""

NO_MEMORY = {
    "refused": "get() { throw new DOMException('no', 'SecurityError'); }",
    "absent": "value: null",
}


def age_styles(page: Page) -> None:
    """Let a page know its styles as a Chromium of 2022 does, which skips what it does not know."""

    def older(route: Route) -> None:
        text = route.fetch().text()
        for new in ("dvh", "cqi", ":has(", "@container", "container-type", ' / "";'):
            text = text.replace(new, "-unknown-" + new)
        route.fulfill(body=text, content_type="text/css")

    page.route("**/*.css", older)


@pytest.fixture
def old(phone: Phone) -> Phone:
    phone.page.add_init_script(NEWER)
    age_styles(phone.page)
    return phone


def test_an_older_phone_undoes_and_hears_that_the_table_had_moved_on(
    old: Phone, table: FakeTable
) -> None:
    """Undo did nothing there, and so did the refusal."""
    old.open()
    old.sit("Ann")
    old.page.get_by_role("button", name="Undo").click()
    dialog = old.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Blue: sail 3 NE, G3 to D6")
    table.refuse = StaleVersion(2, 3)
    old.foresee("status of 409")
    dialog.get_by_role("button", name="Take it back").click()
    expect(old.page.locator("#refusal")).to_contain_text("The last thing now: Blue: sail 3 NE")


@pytest.mark.parametrize("path", ["/", "/screen", "/setup", "/ships"])
def test_a_browser_that_cannot_read_the_script_says_so(phone: Phone, path: str) -> None:
    """It said for ever that it looks for the table."""
    phone.open(path)
    said = phone.page.get_by_text("This browser is too old")
    expect(phone.page.locator("h1").first).to_be_attached()  # the script has run, or none is needed
    expect(said).to_be_hidden()

    phone.page.add_init_script("delete Array.prototype.at")
    phone.foresee("ERR_FAILED")
    phone.page.route("**/pages/*.js", lambda route: route.abort())
    phone.open(path)
    expect(said).to_be_visible()
    expect(said).to_be_in_viewport()
    expect(phone.page.get_by_text("Looking for the table")).to_be_hidden()
    expect(phone.page.get_by_text("No battle is open yet")).to_be_hidden()


@pytest.fixture(params=NO_MEMORY)
def forgetful(request: pytest.FixtureRequest, phone: Phone) -> Phone:
    how = NO_MEMORY[request.param]
    phone.page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ {how} }})")
    return phone


class TestWithoutMemory:
    """As in an app that reads codes and shows the page itself, or where people forbade it."""

    @pytest.fixture
    def house(self) -> Any:
        return FakeHouse(None)

    def test_a_battle_is_opened_and_joined(self, forgetful: Phone, house: Any) -> None:
        """The start page never came."""
        page = forgetful.page
        forgetful.open()
        page.get_by_role("button", name="Set sail").click()
        page.get_by_role("dialog").get_by_role("button", name="I only watch").click()
        expect(page.get_by_role("button", name="take a seat")).to_be_visible()

        # Whoever watches is not asked again when the table was lost for a while.
        forgetful.foresee("ERR_FAILED")
        page.route("**/api/*", lambda route: route.abort())
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("#link-words")).to_have_text("lost")
        page.unroute("**/api/*")
        page.evaluate("dispatchEvent(new Event('online'))")
        expect(page.locator("#link-words")).to_have_text("live")
        house.now.show(pending="Look up!")
        expect(page.locator("#turn")).to_contain_text("Look up!")
        expect(page.get_by_role("dialog")).to_have_count(0)

    def test_a_ship_is_not_said_to_be_kept(self, forgetful: Phone) -> None:
        forgetful.open("/ships")
        forgetful.page.get_by_role("button", name="Keep on this device").click()
        expect(forgetful.page.locator("#kept")).to_contain_text("save her as a file")


def test_what_a_full_memory_does_not_take_is_known_until_the_page_is_left(phone: Phone) -> None:
    """What had been kept before came back."""
    phone.open("/join")
    known = phone.page.evaluate(
        """async () => {
            const { href } = document.querySelector("link[rel=stylesheet]");
            const { keep, recall } = await import(new URL("js/memory.js", href));
            const told = [keep("ship", "sloop")];
            const { setItem } = Storage.prototype;
            Storage.prototype.setItem = () => { throw new Error("full"); };
            told.push(keep("ship", "frigate"), recall("ship", "none"));
            Storage.prototype.setItem = setItem;
            told.push(keep("ship", "galleon"), recall("ship", "none"));
            return [...told, recall("crew", "none")];
        }"""
    )
    assert known == [True, False, "frigate", True, "galleon", "none"]


def test_the_screen_of_an_old_tablet_shows_all_of_it(old: Phone, table: FakeTable) -> None:
    """It was cut off where a page ends that cannot be scrolled; the turn was in small letters."""
    old.page.set_viewport_size({"width": 1280, "height": 720})
    table.show(log=make_snapshot().log * 5)
    old.open("/screen")
    title = old.page.locator("#turn h1")
    expect(title).to_have_text("Ann’s turn")
    for part in ("#board svg", ".code", ".beside"):
        box = box_of(old.page.locator(part))
        assert box["y"] + box["height"] <= 720, part
    small, large = (
        float(
            old.page.locator(which).evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
        )
        for which in ("#turn p", "#turn h1")
    )
    assert large > 1.5 * small


def test_in_a_sheet_of_an_old_phone_the_board_leaves_room_for_the_answers(
    old: Phone, table: FakeTable
) -> None:
    """On a turned one it was higher than the page."""
    old.page.set_viewport_size({"width": 740, "height": 360})
    table.now = at_sea()
    table.offered = ORDERS
    old.open()
    old.sit("Ann")
    board = old.tell().locator("svg.board")
    expect(board).to_be_visible()
    assert box_of(board)["height"] <= 240
