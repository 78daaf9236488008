"""Boards and panels on narrow phones and on the big screen: nothing is cut off or shrunk away."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Page, expect

from companion.rules.views import Weather
from companion.table.referee import Referee
from companion.table.snapshot import LogEntry
from tests.playing import asked_player
from tests.web.conftest import TWO_FRAMES, Phone, lines_of
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
    expect(page.get_by_role("img", name="QR code")).to_be_visible()
    return page


def box_of(page: Page, selector: str) -> FloatRect:
    box = page.locator(selector).last.bounding_box()
    assert box is not None
    return box


def bottom(page: Page, selector: str) -> float:
    box = box_of(page, selector)
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


CAPTAINS = ("Anne", "Bart", "Calico", "Drake", "Edward", "Fay")


def test_privateer_fits_on_the_screen_with_any_number_of_captains(
    screen: Page, server: WebServer, house: RealHouse
) -> None:
    def open_for(count: int) -> None:
        play_to_the_first_card(house.open("privateer", CAPTAINS[:count], {}))
        server.live.refresh()
        expect(screen.locator(".captain")).to_have_count(count)
        expect(screen.locator("#latest .bounty")).to_be_visible()
        screen.evaluate(TWO_FRAMES)

    screen.goto(f"http://127.0.0.1:{server.port}/screen")
    open_for(3)
    expect(screen.locator("#log li").first).to_be_visible()
    assert room_for(screen, ".legend") <= 0

    open_for(4)
    assert bottom(screen, ".prices") <= 800
    assert bottom(screen, "#latest") <= 800
    board, code = (box_of(screen, one) for one in ("#board svg", ".code svg"))
    assert board["y"] + board["height"] <= code["y"]

    open_for(6)
    expect(screen.locator("#log li").first).to_be_visible()
    assert room_for(screen, ".legend") <= 0
    assert room_for(screen, "#log li") <= 1

    # On a large screen the ladder of five was as small, though half of the column was free.
    screen.set_viewport_size({"width": 1920, "height": 1080})
    open_for(5)
    letters = screen.locator(".rung-number").first
    assert letters.evaluate("node => node.getScreenCTM().a") * 9 >= 14  # drawn 9 units high
    expect(screen.locator("#log li").nth(1)).to_be_visible()
    assert room_for(screen, "#log li") <= 1


@pytest.mark.parametrize("game", ["articles-of-war", "privateer"])
def test_names_of_three_captains_are_not_broken(
    screen: Page, server: WebServer, house: RealHouse, game: str
) -> None:
    """Three stood beside each other on every screen: "Ann" and "e" below it."""
    names = ("Anne", "Bartholomew", "Christine")
    house.open(game, names, {})
    for width, height in ((360, 740), (820, 1180), (1280, 800), (1920, 1080)):
        screen.set_viewport_size({"width": width, "height": height})
        open_screen(screen, server)
        called = screen.locator(".called")
        assert [lines_of(called.nth(k), name) for k, name in enumerate(names)] == [1, 1, 1], width
        assert called.evaluate_all("all => all.every((n) => n.scrollWidth <= n.clientWidth)")


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
def test_the_code_is_large_on_an_empty_screen_and_covers_no_open_table(
    screen: Page, server: WebServer, house: Any
) -> None:
    screen.goto(f"http://127.0.0.1:{server.port}/screen")
    expect(screen.locator("body")).to_have_class("screen empty")
    box = box_of(screen, ".code svg")
    assert min(box["width"], box["height"]) > 380

    house.now = FakeTable(at_sea())
    server.live.refresh()
    screen.locator(".captain").first.wait_for()
    sea, code = (box_of(screen, one) for one in (".open-sea", ".code svg"))
    assert code["width"] < 140
    assert sea["y"] + sea["height"] <= code["y"]
    expect(screen.locator("body")).not_to_have_class("cornered")


def stand_still(screen: Page) -> None:
    """Show all streaks of wind at once."""
    expect(screen.locator(".streak")).to_have_count(16)
    still = "all => all.forEach(({ style }) => { style.animation = 'none'; style.opacity = 1; })"
    screen.locator(".streak").evaluate_all(still)


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
def test_no_wind_blows_below_an_open_sea(screen: Page, server: WebServer, house: Any) -> None:
    """Streaks near the lower edge went on over the page: the drawing is higher than the sea."""
    open_screen(screen, server)
    sea = box_of(screen, ".open-sea")
    low = sea["y"] + sea["height"] + 2
    below = FloatRect(x=sea["x"], y=low, width=sea["width"], height=30)
    above = FloatRect(x=sea["x"], y=low - 60, width=sea["width"], height=50)
    calm, calm_sea = (screen.screenshot(clip=strip) for strip in (below, above))
    house.now.show(weather=Weather(wind_from_deg=0.0))
    stand_still(screen)
    assert screen.screenshot(clip=above) != calm_sea
    assert screen.screenshot(clip=below) == calm


@pytest.mark.parametrize("house", [FakeHouse(FakeTable())])
def test_no_wind_blows_beside_the_hexes(screen: Page, server: WebServer, house: Any) -> None:
    """Streaks hung over the letters around the ocean, and over the page beside it."""
    open_screen(screen, server)
    box = box_of(screen, ".layer-ground")
    wide, high = box["width"], box["height"]
    corner = FloatRect(x=box["x"] + 0.85 * wide, y=box["y"], width=0.15 * wide, height=0.25 * high)
    middle = FloatRect(
        x=box["x"] + wide / 3, y=box["y"] + high / 3, width=wide / 3, height=high / 3
    )
    calm, calm_sea = (screen.screenshot(clip=part) for part in (corner, middle))
    house.now.show(weather=Weather(wind_from_deg=30.0))
    stand_still(screen)
    assert screen.screenshot(clip=middle) != calm_sea
    assert screen.screenshot(clip=corner) == calm


def test_letters_around_the_hexes_of_a_phone_keep_apart(
    phone: Phone, server: WebServer, house: RealHouse
) -> None:
    """On the smallest ocean letter and number of a corner touched."""
    phone.open()
    for radius, width in itertools.product((4, 5, 6), (320, 390)):
        phone.page.set_viewport_size({"width": width, "height": 844})
        if width == 320:
            house.open("articles-of-war", ("Ann", "Bob"), {"radius": radius})
            server.live.refresh()
        hexes = 3 * radius * (radius + 1) + 1
        expect(phone.page.locator("#board").locator(".water, .land")).to_have_count(hexes)
        boxes = phone.boxes_on_board(".coordinate")
        assert len({box["left"] for box in boxes}) > 4
        for k, one in enumerate(boxes):
            for other in boxes[:k]:
                across = min(one["right"], other["right"]) - max(one["left"], other["left"])
                down = abs(one["top"] - other["top"])
                assert across < 0 or down >= 11, (one, other)


def test_letters_around_squares_stand_clear_of_them_and_apart(
    phone: Phone, house: RealHouse
) -> None:
    """At the steps of the piecepack's sea "2" and "I" read as one, and "10" lay on the edge."""
    house.open("ahoy-matey", ("Ann", "Bob"), {})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    boxes = phone.boxes_on_board(".coordinate")
    assert len(boxes) > 30
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            across = min(one["right"], other["right"]) - max(one["left"], other["left"])
            assert across < -6 or abs(one["top"] - other["top"]) >= 12, (one, other)
    cells = phone.boxes_on_board(".water, #board .land")
    for label in boxes:
        middle = (label["top"] + label["bottom"]) / 2
        row = [cell for cell in cells if cell["top"] < middle < cell["bottom"]]
        for cell in row:
            assert label["right"] <= cell["left"] + 1 or label["left"] >= cell["right"] - 1, label


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
def test_a_larger_screen_has_larger_letters(screen: Page, server: WebServer, house: Any) -> None:
    """On a television they were as small as on a laptop, and nobody across the room could read."""
    open_screen(screen, server)

    def height_of(selector: str) -> float:
        size = "node => parseFloat(getComputedStyle(node).fontSize)"
        return float(screen.locator(selector).first.evaluate(size))

    small = {what: height_of(what) for what in ("#turn h1", "#turn p", ".coins", ".deed")}
    screen.set_viewport_size({"width": 1920, "height": 1080})
    for what, before in small.items():
        assert height_of(what) > 1.3 * before, what
    screen.set_viewport_size({"width": 700, "height": 500})
    assert height_of(".deed") >= 17


@pytest.mark.parametrize("house", [FakeHouse(FakeTable(at_sea()))])
def test_what_changed_does_not_cover_the_score(screen: Page, server: WebServer, house: Any) -> None:
    table = house.now
    for unit in ("gold", "doubloons", "infamy"):
        first, *others = table.now.seats
        table.show(seats=(replace(first, scores={unit: 12}), *others))
        open_screen(screen, server)
        mark, score = screen.locator(".loss"), screen.locator(".coins").first
        expect(score).to_contain_text("12")
        table.show(seats=(replace(first, scores={unit: 9}), *others))
        expect(mark).to_have_text("−3")
        # Both at once: the mark does not stay for long.
        one, other = score.evaluate(
            """score => [score.querySelector('.loss'), score].map(
                node => node.getBoundingClientRect().toJSON())"""
        )
        assert one["right"] <= other["left"] or one["bottom"] <= other["top"]
