"""The phone page in headless Chromium, over a fake table."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.rules.layout import CellContent, make_layout
from companion.rules.views import Weather
from companion.table.snapshot import LogEntry, Notice, Offer
from tests.web.conftest import PHONE, Phone, overlap
from tests.web.doubles import LAYOUT, QUESTION, FakeHouse, FakeTable, make_snapshot, moved
from web.server import WebServer

pytestmark = pytest.mark.browser

WAYS = ("E", "NE", "NW", "W", "SW", "SE")

REMEMBERED = """() => new Promise((done) => {
  const isThere = () => localStorage.getItem("quarterdeck-seat") !== null;
  const look = () => (isThere() ? done() : requestAnimationFrame(look));
  look();
})"""
"""Waits until the phone has written down what it is. The page lets nobody evaluate text, so that
Playwright can only look once."""


def jpeg() -> bytes:
    return bytes(cv2.imencode(".jpg", np.full((60, 80, 3), 90, np.uint8))[1].tobytes())


def sails() -> tuple[Offer, ...]:
    return tuple(
        Offer(
            f"sail {die} {way} from {name}",
            {"type": "sail", "player": 0, "ship": ship, "die": die, "direction": way},
        )
        for ship, name in (("4,0", "G11"), ("4,-1", "F11"))
        for die in (2, 3)
        for way in WAYS
    )


def no_sideways_scroll(phone: Phone) -> bool:
    width = phone.page.evaluate("document.documentElement.scrollWidth")
    return bool(width <= 360)


def with_score(table: FakeTable, seat: int, doubloons: int) -> Any:
    seats = list(table.now.seats)
    seats[seat] = replace(seats[seat], scores={"doubloons": doubloons})
    return tuple(seats)


def test_score_dice_and_ill_parts_follow_live(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    phone.open()
    phone.sit("Ann")
    expect(page.get_by_role("heading", level=1)).to_have_text("Your turn, Ann")
    ann = page.locator(".captain").first
    expect(ann.locator(".coins")).to_have_text("2")
    expect(page.locator("#dice .die")).to_have_count(3)
    expect(page.get_by_role("img", name="cannonball 4")).to_be_visible()

    table.show(
        seats=with_score(table, 0, 3),
        layout=moved(LAYOUT, (4, 0), (1, 0)),
        pending="Spend another die.",
        health={"camera": "Check the cable.", "tray": "A die is on trial (/trial)."},
    )
    expect(ann.locator(".gain")).to_have_text("+1")
    heard = "Ann Red: 3 doubloons, 2 ships, on turn, you"  # what is drawn, and told beside it
    expect(ann).to_match_aria_snapshot(f'- listitem: "{heard}"')
    expect(page.locator(".arrow")).to_have_count(1)
    expect(page.locator("#turn")).to_contain_text("Spend another die.")
    expect(page.locator("#health")).to_contain_text("Camera: Check the cable.")
    link = page.locator("#health").get_by_role("link", name="/trial")
    expect(link).to_have_attribute("href", "/trial")
    assert no_sideways_scroll(phone)

    table.show(layout=replace(LAYOUT, dice=()), awaits_roll=("cannon", "sail"))
    expect(page.locator("#dice .die.waits")).to_have_count(2)
    table.show(awaits_roll=())
    expect(page.locator("#dice")).to_be_hidden()


def sunk(table: FakeTable, *scores: int) -> Any:
    """The captains with these doubloons, none of whom has a ship."""
    seats = zip(table.now.seats, scores, strict=True)
    return tuple(replace(seat, ships=0, scores={"doubloons": n}) for seat, n in seats)


def test_who_lost_every_ship_is_faded_in_battle_alone_and_the_end_is_told(
    phone: Phone, table: FakeTable
) -> None:
    """Nobody has a ship before ships are placed, nor the winner after the last battle."""
    page = phone.page
    phone.open()
    phone.sit("Ann")
    captains = page.locator(".captain")
    table.show(round=0, seats=sunk(table, 5, 5))
    expect(captains.first).not_to_contain_text("none at sea")
    expect(captains.first.locator(".coins")).to_have_text("5")
    expect(page.locator(".captain.out")).to_have_count(0)
    table.show(round=3)
    expect(page.locator(".captain.out")).to_have_count(2)
    expect(captains.first).to_contain_text("none at sea")

    seats = tuple(replace(seat, asked=False) for seat in sunk(table, 3, 7))
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    table.show(over=True, result="Bob wins with 7 doubloons.", seats=seats, winners=(1,))
    expect(page.locator("#turn")).to_be_in_viewport()  # whoever reads the log sees who has won
    expect(captains.nth(1)).to_contain_text("winner")
    expect(page.locator(".captain.first")).to_have_count(1)
    expect(page.locator(".captain.out")).to_have_count(0)
    words = "Blue: 7 doubloons, 0 ships, winner"
    expect(captains.nth(1).locator(".sr")).to_have_text(words)
    expect(page.locator("#turn")).to_contain_text("The battle is over")
    expect(page.locator("#turn")).to_contain_text("Bob wins with 7 doubloons.")
    won = page.locator("#turn").get_by_role("heading")
    expect(won).to_have_text("Bob wins")
    expect(page.get_by_role("button", name="Turn done")).to_be_hidden()
    table.show(winners=(0,))
    expect(won).to_have_text("You win, Ann")
    table.show(winners=(0, 1))
    expect(won).to_have_text("Ann and Bob win")
    expect(captains).to_contain_text(["first place", "first place"])
    page.get_by_role("button", name="A new battle").tap()
    expect(page.get_by_role("dialog", name="A new battle")).to_contain_text("Set sail")


def test_losses_wind_and_storm_are_drawn_and_said(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    phone.open()
    phone.sit("Ann")
    # A sea that was cleared lost no ship: red crosses of a whole battle stayed on that of the next.
    cells = {cell: replace(content, ships=()) for cell, content in LAYOUT.cells.items()}
    without_blue = {**LAYOUT.cells, (-4, 0): cells[-4, 0]}
    table.show(layout=make_layout(without_blue, ()))
    expect(page.locator("#board .lost")).to_have_count(1)
    expect(page.locator("#board .lost .ship")).to_have_count(0)
    # The cross over the ship that scuttled another seemed to be hers.
    without_green = {**without_blue, (1, -4): CellContent(("black",))}
    table.show(layout=make_layout(without_green, ()))
    expect(page.locator("#board .lost title")).to_have_text("Green ship lost")
    expect(page.locator("#board .lost .ship")).to_have_count(1)
    table.show(layout=make_layout({**cells, (0, 0): LAYOUT.cells[0, 0]}, ()), pending="Draw.")
    expect(page.locator("#turn")).to_contain_text("Draw.")
    expect(page.locator("#board .lost")).to_have_count(0)

    expect(page.locator("#board .stormy")).to_have_count(0)
    words = "Wind from the west; the storm rages beyond ring 3."
    table.show(weather=Weather(270.0, 3, 5, words))
    expect(page.locator("#weather")).to_have_text(words)
    # Rings 4 and 5 of the ocean are lost: 24 and 30 hexes.
    expect(page.locator("#board .stormy")).to_have_count(54)
    expect(page.locator("#board .rose > g")).to_have_attribute("transform", "rotate(90)")
    expect(page.locator("#turn .ring-wind")).to_have_count(1)
    expect(page.locator("#board svg.board")).to_have_attribute(
        "aria-label", re.compile(re.escape(words))
    )


def test_long_names_and_words_fit_six_captains(phone: Phone, table: FakeTable) -> None:
    names = ("Bartholomew the Terrible", "Wilhelmina", "O", "Anne-Marie Bonny", "Cid", "X" * 24)
    table.now = make_snapshot(names, pending="Antidisestablishmentarianism" * 3)
    phone.open()
    phone.sit("Cid")
    assert no_sideways_scroll(phone)
    phone.page.get_by_role("button", name="Menu").click()
    assert no_sideways_scroll(phone)


def test_a_question_is_answered_by_tapping(phone: Phone, table: FakeTable) -> None:
    table.pictures["shot-2"] = jpeg()
    phone.open()
    phone.sit("Ann")
    table.show(question=QUESTION)
    card = phone.page.get_by_role("group", name="The table asks")
    expect(card).to_contain_text("AOW-35")
    expect(card.locator("svg.board")).to_have_count(2)
    expect(card.locator(".coordinate")).to_have_count(0)
    expect(card.get_by_role("button", name="Red sailed 3 E")).not_to_contain_text("the same")
    west = card.get_by_role("button", name="Red sailed 3 W")
    expect(west).to_contain_text("or another way that comes to the same")
    with phone.page.expect_response("**/api/command"):
        west.tap()
    with phone.page.expect_response("**/api/command"):
        card.get_by_role("button", name="Neither").tap()
    assert {"type": "answer", "question": 7, "choice": "b", "seat": 0} in table.told
    table.show(question=None)
    expect(card).to_be_hidden()

    # What the rules object to is said once.
    text = "A sail must be used in full."
    notice = Notice("refusal", text, "AOW-33", 0)
    table.show(notice=notice, question=replace(QUESTION, text=text, rule="AOW-33", evidence=None))
    expect(phone.page.get_by_role("heading", name="The rules object")).to_be_visible()
    expect(phone.page.get_by_text(text)).to_have_count(1)
    expect(phone.page.get_by_text("AOW-33")).to_have_count(1)


def test_who_sits_answers_for_a_captain_without_a_phone_alone(
    phone: Phone, table: FakeTable
) -> None:
    table.show(seats=tuple(replace(seat, taken=False) for seat in table.now.seats))
    phone.open()
    phone.sit("Bob")
    table.show(question=replace(QUESTION, evidence=None))
    card = phone.page.get_by_role("group", name="The table asks")
    with phone.page.expect_response("**/api/command"):
        card.get_by_role("button", name="Neither").tap()
    assert {"type": "answer", "question": 7, "choice": "c", "seat": 1} in table.told

    # A question to another captain has no buttons.
    table.show(seats=tuple(replace(seat, taken=True) for seat in table.now.seats))
    expect(phone.page.locator("#question")).to_contain_text("The table asks Ann")
    expect(phone.page.locator("#question button")).to_have_count(0)


def test_who_chooses_sees_which_seats_are_taken_meanwhile(phone: Phone, table: FakeTable) -> None:
    """All phones greet at once; a seat taken by the first looked free on the others."""
    table.show(seats=tuple(replace(seat, taken=False) for seat in table.now.seats))
    phone.open()
    sheet = phone.page.get_by_role("dialog", name="Who holds this phone?")
    bob = sheet.get_by_role("button", name="Bob")
    expect(bob).not_to_contain_text("has a phone already")
    table.show(seats=tuple(replace(seat, taken=seat.seat == 1) for seat in table.now.seats))
    expect(bob).to_contain_text("has a phone already")
    table.show(seats=tuple(replace(seat, taken=False) for seat in table.now.seats))
    expect(bob).not_to_contain_text("has a phone already")


def test_undo_is_asked_twice_and_means_the_line_that_was_shown(
    phone: Phone, table: FakeTable
) -> None:
    page = phone.page
    phone.open()
    phone.sit("Ann")
    page.get_by_role("button", name="Undo").tap()
    sheet = page.get_by_role("dialog", name="Take back the last thing?")
    # The latest line is taken back already, so the one before it is meant.
    expect(sheet).to_contain_text("Blue: sail 3 NE")
    sheet.get_by_role("button", name="Keep it").tap()
    expect(sheet).to_be_hidden()
    assert "undo" not in [told["type"] for told in table.told]

    page.get_by_role("button", name="Undo").tap()
    expect(sheet).to_contain_text("Blue: sail 3 NE")
    table.show(log=(*table.now.log, LogEntry(4, "Red: fire 2 W", 0)))
    expect(page.locator("#log")).to_contain_text("Red: fire 2 W")
    with page.expect_response("**/api/command"):
        sheet.get_by_role("button", name="Take it back").tap()
    undone = [{"type": "undo", "seq": 2, "seat": 0}]
    assert [told for told in table.told if told["type"] == "undo"] == undone

    # What was asked of the last battle is put away when another is opened.
    page.get_by_role("button", name="Undo").tap()
    expect(sheet).to_be_visible()
    table.show(game="the-next")
    expect(sheet).to_have_count(0)
    expect(page.locator(".captain.mine")).to_contain_text("Ann")
    assert [told for told in table.told if told["type"] == "undo"] == undone


def test_a_refusal_is_large_for_the_captain_concerned(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    phone.open()
    phone.sit("Bob")
    table.show(notice=Notice("refusal", "A sail must be used in full.", "AOW-33", 0))
    expect(page.locator("#notice[aria-live] .note")).to_contain_text("A sail must be used in full.")
    expect(page.locator("#notice .card")).to_have_count(0)

    phone.pass_on("Ann")
    alert = page.get_by_role("alert").filter(has_text="AOW-33")
    expect(alert).to_contain_text("A sail must be used in full.")
    size = "node => parseFloat(getComputedStyle(node).fontSize)"
    assert alert.locator(".big").evaluate(size) > 19
    alert.get_by_role("button", name="I see").click()
    expect(alert).to_be_hidden()
    table.show(notice=Notice("refusal", "Another thing.", "AOW-35", 0))
    expect(page.get_by_role("alert")).to_contain_text("Another thing.")


def test_the_phone_remembers_its_seat_or_that_it_only_watches(phone: Phone) -> None:
    page = phone.page
    phone.open()
    page.get_by_role("button", name="I only watch").tap()
    expect(page.get_by_role("button", name="take a seat")).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()
    page.evaluate(REMEMBERED)
    page.reload()
    expect(page.get_by_role("button", name="take a seat")).to_be_visible()
    expect(page.locator("dialog")).to_have_count(0)

    page.get_by_role("button", name="take a seat").tap()
    phone.sit("Bob")
    page.reload()
    expect(page.locator(".captain.mine")).to_contain_text("Bob")
    expect(page.locator("dialog")).to_have_count(0)
    assert page.evaluate("document.cookie") == ""


def test_the_phone_comes_back_after_a_restart(
    new_phone: Callable[[], Phone], server: WebServer, house: FakeHouse, table: FakeTable
) -> None:
    phone = new_phone()
    phone.open()
    phone.sit("Bob")
    phone.foresee("ERR_")  # refused connections, while the server is away
    server.stop()
    expect(phone.page.get_by_text("Lost the table, trying again")).to_be_visible()
    table.show(pending="Meanwhile something happened.")
    with WebServer(house, host="127.0.0.1", port=server.port, max_streams=4):
        expect(phone.page.locator("#turn")).to_contain_text("Meanwhile something happened.")
        expect(phone.page.locator("#lost")).to_be_hidden()
        expect(phone.page.locator(".captain.mine")).to_contain_text("Bob")
        with phone.page.expect_response("**/api/command") as answer:
            phone.page.get_by_role("button", name="Turn done").click()
        assert answer.value.status == 200
        phone.page.goto("about:blank")
    assert table.told[-1] == {"type": "turn", "version": table.now.version, "seat": 1}


def test_many_offers_are_searched_and_narrowed_by_tapping(phone: Phone, table: FakeTable) -> None:
    table.offered = sails()
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".results")).to_contain_text("24 answers are possible")
    search = sheet.get_by_role("searchbox")
    search.fill("2 sw")
    expect(sheet.locator(".offer")).to_have_text(["sail 2 SW from G11", "sail 2 SW from F11"])
    search.fill("kraken")
    expect(sheet.locator(".results")).to_contain_text("Nothing fits")
    search.fill("")

    sheet.locator(".target").last.tap()
    expect(sheet.locator(".offer")).to_have_count(12)
    sheet.get_by_role("group", name="Which die?").get_by_role("button", name="3").tap()
    # The game goes on and the same is on offer: what was chosen so far stays.
    with phone.page.expect_response("**/api/offers") as answer:
        table.show(pending="Look up!")
    answer.value.finished()
    expect(phone.page.locator("#turn")).to_contain_text("Look up!")
    expect(sheet.locator(".offer")).to_have_count(6)
    sheet.get_by_role("button", name="↗ NE").tap()
    expect(sheet.locator(".offer")).to_have_text(["sail 3 NE from F11"])
    assert no_sideways_scroll(phone)
    with phone.page.expect_response("**/api/command"):
        sheet.locator(".offer").tap()
    assert table.told[-1]["action"] == sails()[19].action
    assert table.told[-1]["version"] == table.now.version
    # There may be more dice to spend, until the game is past that.
    expect(sheet).to_contain_text("Told: sail 3 NE from F11")
    table.show(phase="roll")
    expect(sheet).to_be_hidden()


def test_offers_follow_the_game_and_a_ship_leaves_the_map_only_when_it_is_meant(
    phone: Phone, table: FakeTable
) -> None:
    page = phone.page
    table.offered = sails()[:2]
    phone.open_sheet("Ann")
    expect(page.locator(".offer")).to_have_count(2)
    table.offered = ()
    table.show()
    nothing = "There is nothing to tell the table now: it is Ann’s turn."
    expect(page.locator(".results")).to_contain_text(nothing)

    sheet = page.get_by_role("dialog", name="Is that meant?")
    text = "Red: sail 3 E, G11 to G12"
    sail = {"type": "sail", "player": 0, "die": 3}
    table.offered = (Offer(text, sail, loss="the ship is out of the battle"),)
    table.show()
    page.get_by_role("button", name=text).tap()
    expect(sheet).to_contain_text(f"{text}: the ship is out of the battle.")
    sheet.get_by_role("button", name="Keep it").tap()
    expect(sheet).to_have_count(0)
    assert [told["type"] for told in table.told] == ["take_seat"]
    page.get_by_role("button", name=text).tap()
    with page.expect_response("**/api/command"):
        sheet.get_by_role("button", name="So be it").tap()
    assert table.told[-1]["type"] == "act"


def test_the_log_shows_what_followed_and_the_picture(phone: Phone, table: FakeTable) -> None:
    table.pictures["shot-2"] = jpeg()
    page = phone.page
    phone.open()
    phone.sit("Ann")
    lines = page.locator("#log li")
    expect(lines.nth(1)).to_contain_text("+1 doubloon, sank Gray (AOW-46)")
    # What is as usual is told when a line is tapped; the log marks what is less sure.
    expect(lines.nth(1)).not_to_contain_text("sure")
    expect(lines.nth(0)).to_contain_text("91 % sure, other ways come to the same")
    struck = lines.nth(0).locator(".deed")
    assert "line-through" in struck.evaluate("node => getComputedStyle(node).textDecorationLine")

    page.get_by_role("button", name="Picture of").tap()
    picture = page.get_by_role("dialog").get_by_role("img")
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") == 80
    page.keyboard.press("Escape")

    # What was taken back is not put right.
    page.get_by_role("button", name="Blue: fire 4 E", exact=True).tap()
    expect(page.get_by_role("dialog")).to_contain_text("It has been taken back.")
    expect(page.get_by_role("button", name="It was something else")).to_have_count(0)


def test_everything_works_by_keyboard(phone: Phone, table: FakeTable) -> None:
    table.offered = sails()
    phone.open()
    keys = phone.page.keyboard
    focused = phone.page.locator(":focus")
    sheet = phone.page.get_by_role("dialog", name="Who holds this phone?")
    expect(sheet).to_be_visible()
    for _ in range(2):
        keys.press("Tab")
    expect(focused).to_contain_text("Ann")
    keys.press("Enter")
    expect(phone.page.locator(".captain.mine")).to_contain_text("Ann")
    phone.page.get_by_role("button", name="Tell the table").focus()
    keys.press("Enter")
    expect(phone.page.locator(".results")).to_contain_text("24 answers are possible")
    for _ in range(3):  # past the board, which is one stop
        keys.press("Tab")
    expect(focused).to_have_text("G11")
    keys.press("Space")
    expect(phone.page.locator(".offer")).to_have_count(12)
    expect(focused).to_have_text("G11")
    # Answers are counted, not read out one after the other.
    expect(phone.page.locator("dialog [aria-live]")).to_have_text("12 answers are possible.")
    keys.press("Escape")
    expect(phone.page.locator("dialog")).to_have_count(0)
    expect(focused).to_have_text("Tell the table")


def test_the_board_is_read_without_colours(phone: Phone) -> None:
    page = phone.page
    phone.open()
    phone.sit("Ann")
    letters = page.locator("#board .ship-letter").all_text_contents()
    assert sorted(letters) == sorted("RRBBAAKKGM")
    fills = page.locator("#board .hull").evaluate_all("all => all.map(x => x.getAttribute('fill'))")
    assert all(fill.startswith("url(#fleet-") for fill in fills)
    label = page.locator("#board svg.board").get_attribute("aria-label")
    assert label is not None
    assert "G4: Blue ship, reef" in label
    page.locator("#board .water").nth(45).click()
    expect(page.locator("#cell")).to_have_text("G7: Merchant ship")

    # Letters and numbers stand at both ends of the lines of hexes.
    every = [*"BCDEFGHIJKL", *map(str, range(2, 13))]
    labels = page.locator("#board .coordinate")
    # Where there is little room no letter stands beside a number.
    assert Counter(labels.all_text_contents()) == {**dict.fromkeys(every, 1), "G": 2, "7": 2}
    page.set_viewport_size({"width": 800, "height": 900})
    expect(labels).to_have_count(2 * len(every))
    assert Counter(labels.all_text_contents()) == dict.fromkeys(every, 2)


def test_what_lies_on_the_board_is_reached_by_keyboard(phone: Phone, table: FakeTable) -> None:
    """A tap told what lies on a hex; no key came to the board of the page."""
    phone.open()
    phone.sit("Ann")
    keys, focused = phone.page.keyboard, phone.page.locator(":focus")
    board = phone.page.locator("#board svg.board")
    expect(board).to_have_role("group")
    expect(board.locator('[tabindex="0"]')).to_have_count(1)
    board.locator('[tabindex="0"]').focus()
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    words = focused.get_attribute("aria-label")
    assert words is not None
    assert "open sea" not in words
    keys.press("Enter")
    expect(phone.page.locator("#cell")).to_have_text(words)
    table.show(weather=Weather(45.0, None, 5, "Wind from NE"))
    expect(board).to_have_attribute("aria-label", re.compile("Wind from NE"))
    expect(focused).to_have_attribute("aria-label", words)  # drawn anew, and the focus stays


def test_letters_around_hexes_cover_neither_each_other_nor_the_rose(
    phone: Phone, table: FakeTable
) -> None:
    table.show(weather=Weather(45.0, None, 5, "Wind from NE"))
    phone.open()
    phone.sit("Ann")
    for width in (280, 360, 500, 800, 1280):
        phone.page.set_viewport_size({"width": width, "height": 740})
        expect(phone.page.locator("#board .rose-disc")).to_have_count(1)
        letters, (rose,) = map(phone.boxes_on_board, (".coordinate", ".rose-disc"))
        assert len(letters) >= 24
        for k, box in enumerate(letters):
            assert box["height"] >= 11
            assert not overlap(box, rose)
            assert not any(overlap(box, other) for other in letters[:k])


def test_a_game_is_opened_once_nothing_contradicts(phone: Phone, house: FakeHouse) -> None:
    page = phone.page
    house.now = None
    phone.open()
    page.get_by_role("button", name="3", exact=True).tap()
    page.get_by_text("Variants").tap()
    page.get_by_label("The Duel").check()
    page.get_by_text("Variants").first.tap()
    phone.foresee("status of 400")  # the refusal itself
    page.get_by_role("button", name="Set sail").tap()
    fault = page.locator("[data-option=duel] .fault")
    expect(fault).to_have_text("The Duel is for two captains.")
    expect(fault).to_be_in_viewport()
    expect(page.get_by_label("The Duel")).to_be_focused()
    page.get_by_label("The Duel").uncheck()
    expect(fault).to_be_hidden()

    for k, name in enumerate(("Ann", "Bob", "Cid")):
        page.get_by_label(f"Captain {k + 1}").fill(name)
    page.get_by_text("House rules").tap()
    page.get_by_label("Is there fog?").check()
    assert no_sideways_scroll(phone)
    page.get_by_role("button", name="Set sail").tap()
    phone.sit("Cid")
    assert house.opened == [("toy-battle", ("Ann", "Bob", "Cid"), {"fog": True})]
    expect(page.locator(".captain")).to_have_count(3)


def test_a_usual_game_is_three_taps(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    phone.page.get_by_label("Toy Battle").tap()
    phone.page.get_by_role("button", name="4", exact=True).tap()
    phone.page.get_by_role("button", name="Set sail").tap()
    phone.page.locator("dialog").wait_for()
    ((game, captains, options),) = house.opened
    assert (game, len(set(captains)), options) == ("toy-battle", 4, {})


def test_the_host_types_in_numbers_and_cards(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    page = phone.page
    cards, folded = page.locator(".record"), page.locator("summary", has_text="Cards")
    folded.tap()
    page.get_by_role("button", name="Add one").tap()
    cards.get_by_label("Name").fill("Grog")
    page.reload()
    # Cards typed in once are offered again.
    folded.tap()
    page.get_by_role("button", name="Use the 1 typed in before").tap()
    expect(cards.get_by_label("Name")).to_have_value("Grog")

    page.get_by_text("Variants").tap()
    page.get_by_label("Battles").fill("3")
    page.get_by_label("Card numbers").fill("4, 5 and 6")
    for _ in range(2):
        page.get_by_role("button", name="Add one").tap()
    page.get_by_role("button", name="Take away").last.tap()
    expect(cards.nth(0)).to_contain_text("What it says.")
    cards.nth(0).get_by_label("Name").fill("Broadside")
    cards.nth(1).get_by_label("Name").fill("Grog")
    cards.nth(1).get_by_label("Words").fill("Roll one die more.")
    assert no_sideways_scroll(phone)
    page.get_by_role("button", name="Set sail").tap()
    page.locator("dialog").wait_for()
    assert house.opened[0][2] == {
        "battles": 3,
        "numbers": [4, 5, 6],
        "cards": [
            {"colour": "red", "name": "Broadside", "text": ""},
            {"colour": "blue", "name": "Grog", "text": "Roll one die more."},
        ],
    }


def rolls_of_blue() -> tuple[Offer, ...]:
    """A ship acts in the line, too: the sheet closes all the same."""
    actions = ({"type": "roll", "number": n} for n in (1, 2))
    return tuple(Offer(f"Blue rolls {a['number']}", a, {"ship": 1}) for a in actions)


def test_a_captain_points_at_a_line_and_puts_it_right(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    table.pictures["shot-2"] = jpeg()
    table.offered = rolls_of_blue()
    phone.open()
    phone.sit("Ann")
    page.get_by_role("button", name="Blue: sail 3 NE, G3 to D6", exact=True).tap()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("img")).to_have_js_property("complete", True)
    expect(sheet).to_contain_text("seen by the camera, 98.7 % sure")
    sheet.get_by_role("button", name="It was something else").tap()
    with page.expect_response("**/api/command"):
        page.get_by_role("button", name="Blue rolls 2").tap()
    expect(sheet).to_have_count(0)
    correction = {"type": "correct", "action": {"type": "roll", "number": 2}, "seat": 0}
    assert table.told[-1] == {**correction, "seq": 2}

    # A line far down: the page leads to what the table answers.
    line = page.get_by_role("button", name="Red draws commodore 1", exact=True)
    line.scroll_into_view_if_needed()
    expect(page.locator("#turn")).not_to_be_in_viewport()
    line.tap()
    page.get_by_role("button", name="It was something else").tap()
    page.get_by_role("button", name="Blue rolls 2").tap()
    expect(page.locator("#turn")).to_be_in_viewport()
    expect(sheet).to_have_count(0)
    assert table.told[-1] == {**correction, "seq": 1}


def test_the_host_alone_lets_a_cheat_walk_the_plank(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    planks = ({"type": "walk_the_plank", "player": k} for k in (0, 1))
    asides = tuple(Offer(f"Captain {plank['player']} walks the plank", plank) for plank in planks)
    table.show(asides=asides)
    phone.open()
    phone.sit("Ann")
    page.get_by_role("button", name="Menu").tap()
    expect(page.get_by_role("dialog")).to_contain_text("A new battle")
    expect(page.get_by_role("button", name="The table decides")).to_have_count(0)
    page.keyboard.press("Escape")

    phone.pass_on("One phone for the whole table")
    expect(page.locator(".captain.mine")).to_have_count(0)
    page.get_by_role("button", name="Menu").tap()
    page.get_by_role("button", name="The table decides").tap()
    page.get_by_role("button", name="Captain 1 walks the plank").tap()
    expect(page.get_by_role("button", name="So be it")).to_be_visible()
    assert table.told[-1]["type"] == "take_seat"  # not before all agree
    with page.expect_response("**/api/command"):
        page.get_by_role("button", name="So be it").tap()
    expect(page.get_by_role("dialog")).to_have_count(0)
    action = {"type": "walk_the_plank", "player": 1}
    assert table.told[-1] == {"type": "act", "action": action, "seat": None}


def test_the_big_screen_follows_and_leads_back(phone: Phone, table: FakeTable) -> None:
    page = phone.page
    page.set_viewport_size({"width": 1280, "height": 720})
    phone.open("/screen")
    expect(page.locator(".captain")).to_have_count(2)
    expect(page.locator(".code svg")).to_be_visible()
    table.show(pending="Look up!")
    expect(page.locator("#turn")).to_contain_text("Look up!")
    assert page.evaluate("document.documentElement.scrollHeight") <= 720

    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Quarterdeck").tap()
    expect(page.get_by_role("dialog", name="Who holds this phone?")).to_be_visible()


def test_plain_pages_fit(phone: Phone) -> None:
    phone.foresee("status of 404")
    for path in ("/join", "/nowhere"):
        phone.open(path)
        expect(phone.page.get_by_role("img", name="QR code")).to_have_count(int(path == "/join"))
        assert no_sideways_scroll(phone)
        phone.page.get_by_role("link", name="To the table").click()
        expect(phone.page.get_by_role("dialog")).to_be_visible()
