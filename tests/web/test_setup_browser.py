"""The set-up page: what the camera sees, pictures that are taken, dice that are tried, buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.errors import LedgerError
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.setting_up import BoardSight, TrayReading
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable

pytestmark = pytest.mark.browser

EDGE = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
SIGHT = BoardSight("v1", True, "I see all markers.", (EDGE, EDGE))


@pytest.fixture
def house() -> Any:
    house = FakeHouse(None)
    house.set_up.sight = SIGHT
    house.set_up.has_tray = True
    return house


COUNT_CHANGES = """() => {
    window.changes = 0;
    const count = new MutationObserver((list) => { window.changes += list.length; });
    for (const node of document.querySelectorAll("[role=status]"))
        count.observe(node, { childList: true, characterData: true, subtree: true });
}"""


def test_board_buttons_and_ring_are_shown_as_they_are_now(phone: Phone, house: FakeHouse) -> None:
    page = phone.page
    house.set_up.has_ring = True
    phone.open("/setup")
    says, turn = page.locator("#board-says"), page.locator("#press-turn")
    expect(says).to_have_text("I see all markers.")
    expect(page.locator("#board-lines polygon")).to_have_count(2)
    picture, lines = page.locator("#board-picture"), page.locator("#board-seen svg")
    assert lines.bounding_box() == pytest.approx(picture.bounding_box(), abs=1)

    expect(turn).to_contain_text("not pressed yet")
    page.evaluate(COUNT_CHANGES)
    house.set_up.presses["turn"] = 1
    expect(turn).to_contain_text("pressed once")
    # What has not changed is not read out again each second.
    assert page.evaluate("window.changes") <= 2
    page.get_by_role("button", name="Point to the far side").tap()
    expect(page.locator("#ring-answer")).to_have_text("It does for a few seconds.")
    assert ("north",) in house.set_up.asked

    # Others fight a battle: what would be refused is not offered.
    note, changing = page.locator("#watching"), page.locator("main button:visible")
    expect(note).to_be_hidden()
    table = FakeTable()
    table.show(seats=tuple(replace(seat, taken=True) for seat in table.now.seats))
    house.now = table
    expect(note).to_be_visible()
    expect(changing).to_have_count(0)
    expect(picture).to_be_visible()
    house.now = None
    expect(note).to_be_hidden()
    expect(page.locator("#bare-board")).to_be_visible()

    house.set_up.sight = BoardSight("v2", False, "I see none of the four markers.")
    expect(says).to_have_text("I see none of the four markers.")
    expect(page.locator("#board-lines polygon")).to_have_count(0)
    expect(page.get_by_text("The lines lie on the edge")).to_be_visible()
    expect(page.get_by_role("heading", name="The tray")).to_be_visible()
    house.set_up.has_camera = False
    expect(page.get_by_text("The lines lie on the edge")).to_be_hidden()
    expect(page.get_by_role("heading", name="The tray")).to_be_hidden()
    house.set_up.sight = None
    expect(says).to_have_text("no picture has come yet.")
    expect(page.locator("#bare-board")).to_be_hidden()
    expect(page.locator("#board-picture")).to_be_hidden()


def test_a_picture_is_taken_and_asked_about_if_something_lies_there(
    phone: Phone, house: FakeHouse
) -> None:
    page = phone.page
    house.set_up.is_full = True
    phone.open("/setup")
    kept = page.locator("#board-kept")
    expect(kept).to_have_text("There is none yet.")
    phone.foresee("status of 409")  # the refusal itself
    page.locator("#take-board").tap()
    answer = page.locator("#board-answer")
    expect(answer).to_contain_text("something seems to stand on D4")
    answer.get_by_role("button", name="Take it all the same").tap()
    expect(answer).to_have_text("It is kept, and used from now on.")
    expect(answer.locator(".note")).to_be_focused()
    expect(kept).to_contain_text("There is one.")
    expect(page.get_by_alt_text("The picture that is kept").first).to_be_visible()
    page.locator("#drop-board").tap()
    expect(answer).to_have_text("It is gone, and not used any more.")
    expect(kept).to_have_text("There is none yet.")

    # Dice are tried.
    told = DieReading({Die("cannon", 4): 0.99}, (1.0, 2.0), (16, 9, 32, 18))
    doubted = replace(told, faces={}, box_px=(80, 45, 16, 9), seems="cocked")
    house.set_up.reading = TrayReading((told, doubted), (160, 90), "a digit is 9 px tall")
    page.get_by_role("button", name="Read the dice").tap()
    expect(page.locator("#dice-read")).to_contain_text("✓ cannonball die: 4")
    expect(page.locator("#dice-read")).to_contain_text("? a die is cocked")
    expect(page.locator("#tray-lines rect")).to_have_count(2)
    expect(page.locator("#tray-answer")).to_have_text("a digit is 9 px tall")


def test_ships_are_taught_and_another_board_is_looked_for(phone: Phone, house: FakeHouse) -> None:
    page = phone.page
    house.set_up.is_full = True
    phone.open("/setup")
    expect(page.locator("#lesson li > span")).to_have_text(["Red on C4", "Merchant on G7"])
    phone.foresee("status of 409")  # the refusal itself
    page.get_by_role("button", name="There they are: take the picture").tap()
    answer = page.locator("#teach-answer")
    expect(answer).to_contain_text("what stands on C4 looks blue; red goes there")
    answer.get_by_role("button", name="Take it all the same").tap()
    expect(page.locator("#taught")).to_have_text("Known by now: Red and Merchant.")
    page.get_by_role("button", name="Forget them").tap()
    expect(page.locator("#taught")).to_have_text("None is known by its paint yet.")

    # A board whose tags are enough: no ships are taught for it, and no picture is taken.
    which = page.get_by_label("Which board lies there?")
    expect(page.locator("#bare-board")).to_be_visible()
    which.select_option("open-table")
    expect(page.locator("#ships")).to_be_hidden()
    expect(page.locator("#bare-board")).to_be_hidden()
    assert ("board", "open-table") in house.set_up.asked
    printed = page.get_by_role("link", name="Board, Letter")
    expect(printed).to_have_attribute("href", "/setup/open-table/board.pdf?paper=letter")
    phone.open("/setup")  # this phone remembers it
    expect(which).to_have_value("open-table")


def test_without_camera_tray_and_ring_the_page_says_so_and_fits(
    phone: Phone, house: FakeHouse
) -> None:
    house.set_up.sight, house.set_up.has_tray = None, False
    phone.page.set_viewport_size({"width": 320, "height": 568})
    phone.open()
    phone.page.get_by_role("link", name="Set up camera, tray and buttons").tap()
    expect(phone.page.locator("#no-tray")).to_be_visible()
    expect(phone.page.locator("#ring-step")).to_be_hidden()
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_tray_is_shown_by_a_box_around_it_or_in_numbers(phone: Phone, house: FakeHouse) -> None:
    page, setting = phone.page, house.set_up
    setting.can_cut_tray = True  # and nobody has shown yet where it is
    phone.open("/setup")
    zone, answer = page.locator("#board-zone rect"), page.locator("#zone-answer")
    seen, hint = page.locator("#board-seen"), page.get_by_text("Drag a box around the tray")
    show = page.get_by_role("button", name="Show where the tray is")
    expect(page.locator("#zone-says")).to_contain_text("show where")
    expect(zone).to_have_count(0)
    show.tap()
    expect(hint).to_be_visible()
    box = seen.bounding_box()
    assert box is not None
    mouse = page.mouse
    mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 0.2 * box["height"])
    mouse.down()
    mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.6 * box["height"], steps=3)
    expect(zone).to_be_visible()
    mouse.up()
    expect(answer).to_have_text("It is looked for there from now on.")
    expect(hint).to_be_hidden()
    assert setting.zone == pytest.approx((0.4, 0.2, 0.9, 0.6), abs=0.01)

    # It may be left as it is: then a tap moves nothing.
    shown = setting.zone
    show.tap()
    page.get_by_role("button", name="Leave it").tap()
    expect(hint).to_be_hidden()
    seen.click()
    assert setting.zone == shown

    # In numbers.
    page.get_by_text("Or in numbers").tap()
    left = page.get_by_label("Left, %")
    expect(left).to_have_value("40")
    left.fill("50")
    with page.expect_response("**/api/setup/zone"):
        left.press("Enter")
    expect(answer).to_have_text("It is looked for there from now on.")
    assert setting.zone == pytest.approx((0.5, 0.2, 0.9, 0.6), abs=0.01)


def test_where_there_is_no_tray_its_place_is_taken_away(phone: Phone, house: FakeHouse) -> None:
    page, setting = phone.page, house.set_up
    setting.can_cut_tray, setting.zone = True, (0.4, 0.2, 0.9, 0.6)
    phone.open("/setup")
    take_away = page.get_by_role("button", name="There is no tray in the picture")
    setting.refuse = LedgerError("it cannot be kept (No space left on device)")
    phone.foresee("status of 503")  # the refusal itself
    take_away.tap()
    expect(page.locator("#zone-answer")).to_contain_text("it cannot be kept")
    setting.refuse = None
    take_away.tap()
    answer = page.get_by_text("No tray is looked for from now on. Rolls are told by phone.")
    expect(answer).to_be_focused()
    assert setting.zone is None
    expect(take_away).to_be_hidden()
    expect(page.locator("#board-zone rect")).to_have_count(0)
    expect(page.get_by_role("button", name="Show where the tray is")).to_be_visible()
