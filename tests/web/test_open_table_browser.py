"""An open table on a phone: ships are dragged to where they stand, rolls of many dice counted."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from companion.rules.layout import Die, Pose, make_layout
from tests.table.regatta import DICE, Regatta, open_regatta
from tests.web.conftest import TWO_FRAMES, Phone, box_of
from tests.web.real_house import RealHouse

pytestmark = pytest.mark.browser


@pytest.fixture
def options() -> dict[str, object]:
    return {}


@pytest.fixture
def house(options: dict[str, object]) -> Any:
    house = RealHouse()
    house.referee = open_regatta(options)
    return house


def drag(page: Page, what: Locator, by_px: tuple[float, float]) -> None:
    """Drag and wait for what the table says to it; what it said before is not taken for that."""
    answers = page.locator(".dropped > *")
    answers.evaluate_all("all => all.forEach((one) => { one.dataset.old = '' })")
    box = box_of(what)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + by_px[0], y + by_px[1], steps=4)
    page.mouse.up()
    page.locator(".dropped > :not([data-old])").first.wait_for()


def test_a_ship_is_dragged_to_where_it_stands(phone: Phone, house: RealHouse) -> None:
    sheet = phone.open_sheet()
    sheet.locator('[data-tag="10"]').tap()
    hull = sheet.locator(".held .open-hull")
    # Too far: it says by how much.
    phone.foresee("status of 409")  # the refusal itself
    drag(phone.page, hull, (120, 0))
    expect(sheet.locator(".refusal")).to_contain_text("mm too far")

    # Back again, to where it may be; the numbers tell, too.
    drag(phone.page, hull, (-90, 4))
    sheet.get_by_text("Or in numbers").tap()
    assert 150 < float(sheet.get_by_label("From the left, mm").input_value()) < 306
    sheet.locator(".offer.strong", has_text="Anne: sail to").tap()
    expect(phone.page.locator("#log")).to_contain_text("Anne: sail to")
    assert house.referee is not None
    pose = house.referee.snapshot().layout.pieces[10].pose
    assert 150 < pose.x_mm < 306
    assert pose != Pose(100.0, 200.0, 0.0)
    expect(phone.page.locator("#board .wake")).to_have_count(1)


def test_where_a_ship_stands_is_typed_with_a_keyboard_alone(phone: Phone) -> None:
    """Whoever cannot drag was left with the usual places."""
    sheet, keys = phone.open_sheet(), phone.page.keyboard
    sheet.get_by_text("Or in numbers").focus()
    keys.press("Enter")
    left = sheet.get_by_label("From the left, mm")
    expect(left).to_have_value("100")
    expect(sheet.get_by_label("From the top, mm")).to_have_value("200")
    sheet.get_by_label("Which piece").focus()
    for key in ("Tab", "ControlOrMeta+A", "2", "5", "0", "Enter"):
        keys.press(key)
    expect(sheet.locator(".dropped .offer.strong")).to_contain_text("Anne: sail to 250, 200")
    assert "translate(250 200)" in (sheet.locator(".held").get_attribute("transform") or "")
    for key in (*("Tab",) * 4, "Enter"):
        keys.press(key)
    expect(phone.page.locator("#log")).to_contain_text("Anne: sail to")


def test_on_a_turned_phone_the_told_board_is_large_enough_for_thumbs_and_eyes(phone: Phone) -> None:
    """It was 130 pixels high, with names of 5."""
    phone.page.set_viewport_size({"width": 740, "height": 360})
    sheet = phone.open_sheet()
    board = sheet.locator("svg.board")
    expect(board).to_be_visible()
    assert box_of(board)["height"] > 200
    phone.page.evaluate(TWO_FRAMES)
    names = sheet.locator(".open-name").all()
    assert names
    assert all(box_of(name)["height"] >= 11 for name in names)


def test_a_ship_is_turned_by_its_handle(phone: Phone, house: RealHouse) -> None:
    sheet = phone.open_sheet()
    sheet.locator('[data-tag="10"]').tap()
    grip, hull = sheet.locator(".held .grip"), sheet.locator(".held .open-hull")
    before = box_of(grip)
    drag(phone.page, hull, (25, 0))
    # The answer does not move the board from under the finger that goes on to turn the ship.
    assert abs(box_of(grip)["y"] - before["y"]) < 1
    drag(phone.page, grip, (-15, 15))
    sheet.locator(".offer.strong", has_text="Anne: sail to").tap()
    expect(phone.page.locator("#log")).to_contain_text("Anne: sail to")
    assert house.referee is not None
    assert 30 < house.referee.snapshot().layout.pieces[10].pose.heading_deg < 150


def test_a_ship_let_go_of_beside_the_board_is_put_down(phone: Phone) -> None:
    sheet = phone.open_sheet()
    sheet.locator('[data-tag="10"]').tap()
    hull = sheet.locator(".held .open-hull")
    phone.foresee("status of 409")
    drag(phone.page, hull, (0, box_of(sheet.locator("svg.board"))["y"] - box_of(hull)["y"] - 60))
    expect(sheet.locator(".refusal")).to_be_visible()


def test_a_drag_that_the_phone_takes_over_is_put_down_where_it_came_to(phone: Phone) -> None:
    """A message from above cancels the touch: the ship stayed there, and nothing was said to it."""
    sheet = phone.open_sheet()
    sheet.locator('[data-tag="10"]').tap()
    box = box_of(sheet.locator(".held .open-hull"))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = phone.page.context.new_cdp_session(phone.page)
    for kind, at in (("Start", x), ("Move", x + 10), ("Move", x + 20), ("Cancel", None)):
        points = [] if at is None else [{"x": at, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})
    expect(sheet.locator(".dropped .offer").first).to_contain_text("Anne: sail to")


@pytest.mark.parametrize("options", [{"dice": True}])
def test_twenty_dice_are_counted(phone: Phone, house: RealHouse) -> None:
    sheet = phone.open_sheet()
    expect(sheet).to_contain_text(f"0 of {DICE} dice")
    for _ in range(DICE - 1):
        sheet.get_by_role("button", name="One more d6 4").tap()

    # An answer to what was counted before comes too late.
    def meanwhile(route: Route) -> None:
        sheet.get_by_role("button", name="One d6 4 fewer").dispatch_event("click")
        route.continue_()

    phone.page.route("**/api/shown", meanwhile, times=1)
    with phone.page.expect_response("**/api/shown") as answer:
        sheet.get_by_role("button", name="One more d6 1").tap()
    answer.value.finished()
    phone.page.evaluate("() => fetch('/api/me').then((answer) => answer.json())")
    expect(sheet).to_contain_text(f"{DICE - 1} of {DICE} dice")
    expect(sheet.locator(".offer")).to_have_count(0)

    sheet.get_by_role("button", name="One more d6 6").tap()
    sheet.get_by_role("button", name="The wind is cast").tap()
    expect(phone.page.locator("#log")).to_contain_text("The wind is cast")
    assert house.referee is not None
    assert isinstance(house.referee.game, Regatta)
    assert house.referee.snapshot().awaits_roll == ()


@pytest.mark.parametrize("options", [{"dice": True}])
def test_a_roll_of_twenty_dice_is_put_right(phone: Phone, house: RealHouse) -> None:
    """No list holds it: the page said that there was nothing to tell."""
    referee = house.referee
    assert referee is not None
    rolled = [Die("d6", 4)] * (DICE - 1) + [Die("d6", 6)]
    (told,) = referee.shown(None, make_layout({}, rolled))
    referee.command_json({"type": "act", "action": dict(told.action)})
    phone.open()
    phone.sit("One phone for the whole table")
    phone.page.get_by_role("button", name=told.text, exact=True).tap()
    phone.page.get_by_role("button", name="It was something else").tap()
    sheet = phone.page.get_by_role("dialog", name="What was it really?")
    expect(sheet).to_contain_text(f"{DICE} of {DICE} dice")
    expect(sheet.locator(".results")).to_have_text("That is how it stands.")
    fewer = sheet.get_by_role("button", name="One d6 6 fewer")
    fewer.tap()
    sheet.get_by_role("button", name="One more d6 6").tap()
    expect(sheet.locator(".offer")).to_have_count(0)  # as it was
    fewer.tap()
    sheet.get_by_role("button", name="One more d6 5").tap()
    with phone.page.expect_response("**/api/command") as answer:
        sheet.locator(".offer").tap()
    assert answer.value.status == 200
    (stands,) = referee._book.history.standing
    assert referee.game.rolled(stands.action) == (*rolled[:-1], Die("d6", 5))


@pytest.mark.parametrize("options", [{"dice": True}])
def test_counters_of_dice_keep_the_focus_and_tell_no_roll_counted_otherwise(phone: Phone) -> None:
    """The button of twenty dice stayed when one of them was taken away."""
    sheet = phone.open_sheet()
    more, fewer = (
        sheet.get_by_role("button", name=name) for name in ("One more d6 4", "One d6 4 fewer")
    )
    more.focus()
    for _ in range(DICE + 1):  # one more than there are
        phone.page.keyboard.press("Enter")
        expect(more).to_be_focused()
    expect(more).to_be_disabled()
    expect(sheet).to_contain_text(f"{DICE} of {DICE} dice")
    expect(sheet.get_by_role("button", name="The wind is cast")).to_be_visible()

    fewer.focus()
    phone.page.keyboard.press("Enter")
    expect(sheet).to_contain_text(f"{DICE - 1} of {DICE} dice")
    expect(sheet.locator(".offer")).to_have_count(0)
    expect(sheet).to_contain_text("Count the dice above.")
    for _ in range(DICE - 1):
        phone.page.keyboard.press("Enter")
    expect(fewer).to_be_focused()
    expect(fewer).to_be_disabled()


def test_a_piece_on_the_page_is_reached_by_keyboard(phone: Phone) -> None:
    """What stands there, and orders for it, were a tap away and no key's."""
    phone.open()
    phone.sit("Anne")
    board = phone.page.locator("#board svg.board")
    board.locator('[tabindex="0"]').focus()
    words = phone.page.locator(":focus").get_attribute("aria-label")
    assert words
    phone.page.keyboard.press("Enter")
    expect(phone.page.locator("#cell")).to_contain_text(words)
    expect(board.locator(".pointed")).to_have_count(1)
