"""Boards and panels on narrow phones and on the big screen: nothing is cut off or shrunk away."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.table.referee import Referee
from companion.table.snapshot import LogEntry
from tests.playing import asked_player
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.fleet_at_sea import at_sea
from tests.web.real_house import RealHouse
from web.server import WebServer

pytestmark = pytest.mark.browser


@pytest.fixture
def house() -> Any:
    return RealHouse()


@pytest.fixture
def screen(browser: Browser, server: WebServer) -> Iterator[Page]:
    """The big screen, as large as a small one."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(10_000)
    page = context.new_page()
    outside: list[str] = []
    page.on("request", lambda request: outside.append(request.url))
    yield page
    context.close()
    assert {url.split("/")[2] for url in outside} <= {f"127.0.0.1:{server.port}"}


def open_screen(page: Page, server: WebServer) -> Page:
    page.goto(f"http://127.0.0.1:{server.port}/screen")
    page.locator(".captain").first.wait_for()
    return page


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).last.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def test_two_seas_stand_one_below_the_other_on_a_phone(phone: Phone, house: RealHouse) -> None:
    house.open("ahoy-matey", ("Ann", "Bob"), {"pieces_of_eight": True})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    board = phone.page.locator("#board svg")
    box = board.bounding_box()
    assert box is not None
    assert box["height"] > 1.8 * box["width"]
    square = board.locator(".water").first.bounding_box()
    assert square is not None
    assert square["width"] > 24  # side by side they would be half as wide
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    upright = board.get_attribute("viewBox") or ""
    phone.page.set_viewport_size({"width": 740, "height": 360})  # the phone is turned
    expect(board).not_to_have_attribute("viewBox", upright)
    box = board.bounding_box()
    assert box is not None
    assert box["height"] < box["width"]


def play_to_the_first_card(referee: Referee) -> None:
    """Play anyhow until somebody has drawn a card that the screen shows."""
    game, chance = referee.game, random.Random(3)
    while "draws" not in " ".join(line for e in referee.snapshot().log for line in e.consequences):
        asked = asked_player(game, referee.state)
        assert asked is not None
        action = chance.choice(game.legal_actions(referee.state, asked))
        told = game.action_to_json(action)
        referee.command_json({"type": "act", "action": told, "seat": None})


def test_the_prices_of_every_port_fit_on_the_screen(
    screen: Page, server: WebServer, house: RealHouse
) -> None:
    referee = house.open("privateer", ("Ann", "Bob", "Cid", "Dee"), {})
    play_to_the_first_card(referee)
    open_screen(screen, server)
    expect(screen.locator("#latest .bounty")).to_be_visible()
    assert bottom(screen, ".prices") <= 800
    assert bottom(screen, "#latest") <= 800
    board = screen.locator("#board svg").bounding_box()
    code = screen.locator(".code svg").bounding_box()
    assert board is not None
    assert code is not None
    assert board["y"] + board["height"] <= code["y"]


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
def test_the_code_does_not_cover_an_open_table(screen: Page, server: WebServer, house: Any) -> None:
    open_screen(screen, server)
    sea, code = (screen.locator(s).bounding_box() for s in (".open-sea", ".code svg"))
    assert sea is not None
    assert code is not None
    assert sea["y"] + sea["height"] <= code["y"]
    expect(screen.locator("body")).not_to_have_class("cornered")


def test_the_code_stands_in_the_corner_that_hexagons_leave(
    screen: Page, server: WebServer, house: RealHouse
) -> None:
    house.open("articles-of-war", ("Ann", "Bob"), {})
    open_screen(screen, server)
    assert bottom(screen, "#board svg") > 740
    expect(screen.locator("body")).to_have_class("screen cornered")


def room_for(page: Page, selector: str) -> float:
    """How far what is shown reaches beyond its column; 0 or less if it stays within."""
    return float(
        page.evaluate(
            """selector => {
                const column = document.querySelector('.beside').getBoundingClientRect().bottom;
                const shown = [...document.querySelectorAll(selector)].filter((n) => !n.hidden);
                return Math.max(...shown.map((n) => n.getBoundingClientRect().bottom)) - column;
            }""",
            selector,
        )
    )


def test_six_captains_of_privateer_fit_with_legend_and_log(
    screen: Page, server: WebServer, house: RealHouse
) -> None:
    referee = house.open("privateer", ("Anne", "Bart", "Calico", "Drake", "Edward", "Fay"), {})
    play_to_the_first_card(referee)
    open_screen(screen, server)
    expect(screen.locator("#log li").first).to_be_visible()
    assert room_for(screen, ".legend") <= 0
    assert room_for(screen, "#log li") <= 1


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
def test_no_line_of_the_log_is_cut_through(screen: Page, server: WebServer, house: Any) -> None:
    """As many lines as fit, also when the screen gets lower."""
    lines = tuple(LogEntry(k, f"Line {k}: " + "and so on " * 8, 0) for k in range(1, 9))
    house.now.show(log=lines)
    for height in (800, 700):
        screen.set_viewport_size({"width": 1280, "height": height})
        open_screen(screen, server)
        expect(screen.locator("#log li").first).to_contain_text("Line 8")
        assert room_for(screen, "#log li") <= 1
    shown = screen.locator("#log li:visible").count()
    screen.set_viewport_size({"width": 1280, "height": 900})
    expect(screen.locator("#log li:visible")).not_to_have_count(shown)
    assert room_for(screen, "#log li") <= 1


@pytest.mark.parametrize("house", [FakeHouse(None)])
def test_an_empty_screen_shows_the_code_large(screen: Page, server: WebServer, house: Any) -> None:
    screen.goto(f"http://127.0.0.1:{server.port}/screen")
    code = screen.locator(".code svg")
    expect(screen.locator("body")).to_have_class("screen empty")
    box = code.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) > 380
    house.now = FakeTable(at_sea())
    server.live.refresh()
    screen.locator(".captain").first.wait_for()
    box = code.bounding_box()
    assert box is not None
    assert box["width"] < 140


def test_on_a_large_screen_the_ladder_of_five_captains_can_be_read(
    screen: Page, server: WebServer, house: RealHouse
) -> None:
    """It was as small as on a small screen, though half of the column was free."""
    screen.set_viewport_size({"width": 1920, "height": 1080})
    referee = house.open("privateer", ("Anne", "Bart", "Calico", "Drake", "Edward"), {})
    play_to_the_first_card(referee)
    open_screen(screen, server)
    letters = screen.locator(".rung-number").first
    assert letters.evaluate("node => node.getScreenCTM().a") * 9 >= 14  # drawn 9 units high
    expect(screen.locator("#log li").nth(3)).to_be_visible()
    assert room_for(screen, "#log li") <= 1


@pytest.mark.parametrize("radius", [4, 5, 6])
@pytest.mark.parametrize("width", [320, 390])
def test_letters_around_the_hexes_of_a_phone_keep_apart(
    phone: Phone, house: RealHouse, radius: int, width: int
) -> None:
    """On the smallest ocean letter and number of a corner touched."""
    house.open("articles-of-war", ("Ann", "Bob"), {"radius": radius})
    phone.page.set_viewport_size({"width": width, "height": 844})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    boxes = phone.boxes_on_board(".coordinate")
    assert len({box["left"] for box in boxes}) > 4
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            down = abs(one["top"] - other["top"])
            assert across < 0 or down >= 11, (one, other)


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
@pytest.mark.parametrize("unit", ["gold", "doubloons", "infamy"])
def test_what_changed_does_not_cover_the_score(
    screen: Page, server: WebServer, house: Any, unit: str
) -> None:
    seats = house.now.now.seats
    house.now.show(seats=(replace(seats[0], scores={unit: 12}), *seats[1:]))
    open_screen(screen, server)
    expect(screen.locator(".coins").first).to_contain_text("12")
    house.now.show(seats=(replace(seats[0], scores={unit: 9}), *seats[1:]))
    mark, score = screen.locator(".loss"), screen.locator(".coins").first
    expect(mark).to_have_text("−3")
    one, other = mark.bounding_box(), score.bounding_box()
    assert one is not None
    assert other is not None
    assert one["x"] + one["width"] <= other["x"] or one["y"] + one["height"] <= other["y"]
