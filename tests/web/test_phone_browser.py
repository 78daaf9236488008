"""The phone page in headless Chromium, over a fake table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from companion.errors import IllegalAction
from companion.rules.game import Weather
from companion.rules.layout import make_layout
from companion.table.snapshot import Notice, Offer
from tests.web.conftest import Phone, overlap
from tests.web.doubles import LAYOUT, QUESTION, FakeHouse, FakeTable, make_snapshot, moved
from web.server import WebServer

pytestmark = pytest.mark.browser

WAYS = ("E", "NE", "NW", "W", "SW", "SE")


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


def test_the_score_follows_live(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    expect(phone.page.get_by_role("heading", level=1)).to_have_text("Your turn, Ann")
    ann = phone.page.locator(".captain").first
    expect(ann.locator(".coins")).to_have_text("2")
    table.show(
        seats=with_score(table, 0, 3),
        layout=moved(LAYOUT, (4, 0), (1, 0)),
        pending="Spend another die.",
    )
    expect(ann.locator(".gain")).to_have_text("+1")
    expect(ann).to_have_attribute("aria-label", "Ann, Red: 3 doubloons, 2 ships, on turn")
    expect(phone.page.locator(".arrow")).to_have_count(1)
    expect(phone.page.locator("#turn")).to_contain_text("Spend another die.")
    assert no_sideways_scroll(phone)


def sunk(table: FakeTable, *scores: int) -> Any:
    """The captains with these doubloons, none of whom has a ship."""
    seats = zip(table.now.seats, scores, strict=True)
    return tuple(replace(seat, ships=0, scores={"doubloons": n}) for seat, n in seats)


def test_who_lost_every_ship_is_faded_in_battle_alone(phone: Phone, table: FakeTable) -> None:
    """Nobody has a ship before ships are placed, nor the winner after the last battle."""
    phone.open()
    captains = phone.page.locator(".captain")
    table.show(round=0, seats=sunk(table, 5, 5))
    expect(captains.first.locator(".coins")).to_have_text("5")
    expect(phone.page.locator(".captain.out")).to_have_count(0)
    table.show(round=3)
    expect(phone.page.locator(".captain.out")).to_have_count(2)
    table.show(over=True, result="Bob wins.", seats=sunk(table, 3, 7), winners=(1,))
    expect(captains.nth(1)).to_contain_text("winner")
    expect(phone.page.locator(".captain.first")).to_have_count(1)
    expect(phone.page.locator(".captain.out")).to_have_count(0)
    words = "Bob, Blue: 7 doubloons, 0 ships, winner"
    expect(captains.nth(1)).to_have_attribute("aria-label", words)
    table.show(winners=(0, 1))
    expect(captains).to_contain_text(["first place", "first place"])


def test_a_sea_that_was_cleared_lost_no_ship(phone: Phone, table: FakeTable) -> None:
    """Red crosses of a whole battle stayed on the sea of the next."""
    phone.open()
    phone.sit("Ann")
    cells = {cell: replace(content, ships=()) for cell, content in LAYOUT.cells.items()}
    without_blue = {**LAYOUT.cells, (-4, 0): cells[-4, 0]}
    table.show(layout=make_layout(without_blue, ()))
    expect(phone.page.locator("#board .lost")).to_have_count(1)
    table.show(layout=make_layout({**cells, (0, 0): LAYOUT.cells[0, 0]}, ()), pending="Draw.")
    expect(phone.page.locator("#turn")).to_contain_text("Draw.")
    expect(phone.page.locator("#board .lost")).to_have_count(0)


def test_long_names_and_words_fit_six_captains(phone: Phone, table: FakeTable) -> None:
    names = ("Bartholomew the Terrible", "Wilhelmina", "O", "Anne-Marie Bonny", "Cid", "X" * 24)
    table.now = make_snapshot(names, pending="Antidisestablishmentarianism" * 3)
    phone.open()
    phone.sit("Cid")
    assert no_sideways_scroll(phone)
    phone.page.get_by_role("button", name="Menu").click()
    assert no_sideways_scroll(phone)


def test_dice_are_drawn_and_awaited(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    expect(phone.page.locator("#dice .die")).to_have_count(3)
    expect(phone.page.get_by_role("img", name="cannonball 4")).to_be_visible()
    table.show(layout=replace(LAYOUT, dice=()), awaits_roll=("cannon", "sail"))
    expect(phone.page.locator("#dice .die.waits")).to_have_count(2)
    table.show(awaits_roll=())
    expect(phone.page.locator("#dice")).to_be_hidden()


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
    west.tap()
    with phone.page.expect_response("**/api/command"):
        card.get_by_role("button", name="Neither").tap()
    assert {"type": "answer", "question": 7, "choice": "b", "seat": 0} in table.told
    table.show(question=None)
    expect(card).to_be_hidden()


def test_a_question_to_another_captain_has_no_buttons(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Bob")
    table.show(question=QUESTION, seats=tuple(replace(s, taken=True) for s in table.now.seats))
    expect(phone.page.locator("#question")).to_contain_text("The table asks Ann")
    expect(phone.page.locator("#question button")).to_have_count(0)


def test_undo_is_asked_twice(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Undo").tap()
    sheet = phone.page.get_by_role("dialog", name="Take back the last thing?")
    # The latest line is taken back already, so the one before it is meant.
    expect(sheet).to_contain_text("Blue: sail 3 NE")
    sheet.get_by_role("button", name="Keep it").tap()
    expect(sheet).to_be_hidden()
    assert "undo" not in [told["type"] for told in table.told]
    phone.page.get_by_role("button", name="Undo").tap()
    with phone.page.expect_response("**/api/command"):
        sheet.get_by_role("button", name="Take it back").tap()
    assert table.told[-1] == {"type": "undo", "seq": 2, "seat": 0}


def test_a_refusal_is_large_for_the_captain_concerned(
    new_phone: Callable[[], Phone], table: FakeTable
) -> None:
    ann, bob = new_phone(), new_phone()
    for phone, name in ((ann, "Ann"), (bob, "Bob")):
        phone.open()
        phone.sit(name)
    table.show(notice=Notice("refusal", "A sail must be used in full.", "AOW-33", 0))
    alert = ann.page.get_by_role("alert").filter(has_text="AOW-33")
    expect(alert).to_contain_text("A sail must be used in full.")
    assert (
        alert.locator(".big").evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > 19
    )
    expect(bob.page.locator("#notice .note")).to_contain_text("A sail must be used in full.")
    expect(bob.page.locator("#notice .card")).to_have_count(0)
    alert.get_by_role("button", name="I see").click()
    expect(alert).to_be_hidden()
    table.show(notice=Notice("refusal", "Another thing.", "AOW-35", 0))
    expect(ann.page.get_by_role("alert")).to_contain_text("Another thing.")


def test_an_objection_is_said_once(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    text = "A sail must be used in full."
    notice = Notice("refusal", text, "AOW-33", 0)
    table.show(notice=notice, question=replace(QUESTION, text=text, rule="AOW-33", evidence=None))
    expect(phone.page.get_by_role("heading", name="The rules object")).to_be_visible()
    expect(phone.page.get_by_text(text)).to_have_count(1)
    expect(phone.page.get_by_text("AOW-33")).to_have_count(1)


def test_a_refused_command_shows_rule_and_sentence(
    new_phone: Callable[[], Phone], table: FakeTable
) -> None:
    phone = new_phone()
    phone.open()
    phone.sit("Ann")
    phone.foresee("status of 409")  # the refusal itself
    table.refuse = IllegalAction("AOW-29", "Spend all your dice first.")
    phone.page.get_by_role("button", name="Turn done").click()
    card = phone.page.locator("#refusal")
    expect(card).to_contain_text("AOW-29")
    expect(card).to_contain_text("Spend all your dice first.")
    card.get_by_role("button", name="I see").click()
    expect(card).to_be_hidden()


def test_the_phone_remembers_its_seat(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Bob")
    phone.page.reload()
    expect(phone.page.locator(".captain.mine")).to_contain_text("Bob")
    expect(phone.page.locator("dialog")).to_have_count(0)
    assert phone.page.evaluate("document.cookie") == ""


def test_an_onlooker_only_watches(phone: Phone) -> None:
    phone.open()
    phone.page.get_by_role("button", name="I only watch").tap()
    expect(phone.page.get_by_role("button", name="take a seat")).to_be_visible()
    expect(phone.page.get_by_role("button", name="Undo")).to_be_hidden()
    phone.page.wait_for_function("localStorage.getItem('quarterdeck-seat') !== null")
    phone.page.reload()
    expect(phone.page.get_by_role("button", name="take a seat")).to_be_visible()
    expect(phone.page.locator("dialog")).to_have_count(0)


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


def test_many_offers_are_narrowed_by_tapping(phone: Phone, table: FakeTable) -> None:
    table.offered = sails()
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    sheet = phone.page.get_by_role("dialog", name="Tell the table")
    expect(sheet.locator(".results")).to_contain_text("24 answers are possible")
    sheet.locator(".target").last.tap()
    expect(sheet.locator(".offer")).to_have_count(12)
    sheet.get_by_role("group", name="Which die?").get_by_role("button", name="3").tap()
    sheet.get_by_role("button", name="↗ NE").tap()
    expect(sheet.locator(".offer")).to_have_text(["sail 3 NE from F11"])
    assert no_sideways_scroll(phone)
    with phone.page.expect_response("**/api/command"):
        sheet.locator(".offer").tap()
    assert table.told[-1]["action"] == sails()[19].action
    assert table.told[-1]["version"] == table.now.version
    expect(sheet).to_be_hidden()


def test_a_ship_leaves_the_map_only_when_it_is_meant(phone: Phone, table: FakeTable) -> None:
    text = "Red: sail 3 E, G11 to G12, off the map"
    table.offered = (Offer(text, {"type": "sail", "player": 0, "die": 3}),)
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    sheet = phone.page.get_by_role("dialog", name="Off the map?")
    phone.page.get_by_role("button", name=text).tap()
    sheet.get_by_role("button", name="Keep it").tap()
    expect(sheet).to_have_count(0)
    assert [told["type"] for told in table.told] == ["take_seat"]
    phone.page.get_by_role("button", name=text).tap()
    with phone.page.expect_response("**/api/command"):
        sheet.get_by_role("button", name="Let her go").tap()
    assert table.told[-1]["type"] == "act"


def test_offers_are_searched(phone: Phone, table: FakeTable) -> None:
    table.offered = sails()
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    phone.page.get_by_role("searchbox").fill("2 sw")
    expect(phone.page.locator(".offer")).to_have_text(["sail 2 SW from G11", "sail 2 SW from F11"])
    phone.page.get_by_role("searchbox").fill("kraken")
    expect(phone.page.locator(".results")).to_contain_text("Nothing fits")


def test_a_roll_is_told_die_by_die(phone: Phone, table: FakeTable) -> None:
    def roll(*faces: int) -> dict[str, Any]:
        return {"type": "roll", "player": -1, "dice": [{"kind": "sail", "face": f} for f in faces]}

    rolls = [(a, b) for a in (2, 3, 4) for b in (2, 3, 4) if a <= b] + [(1, 1)]
    table.offered = tuple(Offer(f"rolled {a} {b}", roll(a, b)) for a, b in rolls)
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    phone.page.get_by_role("button", name="sail 4", exact=True).tap()
    expect(phone.page.locator(".offer")).to_have_count(3)
    expect(phone.page.get_by_role("button", name="sail 1")).to_be_disabled()
    phone.page.get_by_role("button", name="sail 3", exact=True).tap()
    expect(phone.page.locator(".offer")).to_have_text(["rolled 3 4"])
    phone.page.get_by_role("button", name="Take away sail 4").tap()
    expect(phone.page.locator(".offer")).to_have_count(3)


def test_offers_follow_the_game(phone: Phone, table: FakeTable) -> None:
    table.offered = sails()[:2]
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Tell the table").tap()
    expect(phone.page.locator(".offer")).to_have_count(2)
    table.offered = ()
    table.show()
    expect(phone.page.locator(".results")).to_contain_text("nothing to tell")


def test_the_log_shows_what_followed_and_the_picture(phone: Phone, table: FakeTable) -> None:
    table.pictures["shot-2"] = jpeg()
    phone.open()
    phone.sit("Ann")
    lines = phone.page.locator("#log li")
    expect(lines.nth(1)).to_contain_text("+1 doubloon, sank Gray (AOW-46)")
    expect(lines.nth(1)).to_contain_text("98.7 % sure")
    expect(lines.nth(1)).not_to_contain_text("come to the same")
    expect(lines.nth(0)).to_contain_text("91 % sure, other ways come to the same")
    struck = lines.nth(0).locator(".deed")
    assert "line-through" in struck.evaluate("node => getComputedStyle(node).textDecorationLine")
    phone.page.get_by_role("button", name="Picture of").tap()
    picture = phone.page.get_by_role("dialog").get_by_role("img")
    expect(picture).to_be_visible()
    picture.evaluate("image => image.decode()")
    assert picture.evaluate("image => image.naturalWidth") == 80


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
    keys.press("Tab")
    keys.press("Tab")
    expect(focused).to_have_text("G11")
    keys.press("Space")
    expect(phone.page.locator(".offer")).to_have_count(12)
    expect(focused).to_have_text("G11")
    keys.press("Escape")
    expect(phone.page.locator("dialog")).to_have_count(0)
    expect(focused).to_have_text("Tell the table")


def test_colour_is_never_the_only_sign(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
    letters = phone.page.locator("#board .ship-letter").all_text_contents()
    assert sorted(letters) == sorted("RRBBAAKKGM")
    fills = phone.page.locator("#board .hull").evaluate_all(
        "all => all.map(x => x.getAttribute('fill'))"
    )
    assert all(fill.startswith("url(#fleet-") for fill in fills)
    label = phone.page.locator("#board svg").get_attribute("aria-label")
    assert label is not None
    assert "G4: Blue ship, reef" in label


def test_letters_and_numbers_stand_at_both_ends_of_the_lines_of_hexes(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
    every = [*"BCDEFGHIJKL", *map(str, range(2, 13))]
    labels = phone.page.locator("#board .coordinate")
    # Where there is little room no letter stands beside a number.
    assert Counter(labels.all_text_contents()) == {**dict.fromkeys(every, 1), "G": 2, "7": 2}
    phone.page.set_viewport_size({"width": 800, "height": 900})
    expect(labels).to_have_count(2 * len(every))
    assert Counter(labels.all_text_contents()) == dict.fromkeys(every, 2)


@pytest.mark.parametrize("width", [280, 360, 500, 800, 1280])
def test_letters_around_hexes_cover_neither_each_other_nor_the_rose(
    phone: Phone, table: FakeTable, width: int
) -> None:
    phone.page.set_viewport_size({"width": width, "height": 740})
    phone.open()
    phone.sit("Ann")
    table.show(weather=Weather(45.0, None, 5, "Wind from NE"))
    expect(phone.page.locator("#board .rose-disc")).to_have_count(1)
    letters, (rose,) = map(phone.boxes_on_board, (".coordinate", ".rose-disc"))
    assert len(letters) >= 24
    for k, box in enumerate(letters):
        assert box["height"] >= 11
        assert not overlap(box, rose)
        assert not any(overlap(box, other) for other in letters[:k])


def test_a_hex_says_what_lies_there(phone: Phone) -> None:
    phone.open()
    phone.sit("Ann")
    phone.page.locator("#board .water").nth(45).click()
    expect(phone.page.locator("#cell")).to_have_text("G7: Merchant ship")


def test_ill_parts_are_named(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    table.show(health={"camera": "Check the cable."})
    expect(phone.page.locator("#health")).to_contain_text("Camera: Check the cable.")


def test_the_end_is_told(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    seats = tuple(replace(seat, asked=False) for seat in table.now.seats)
    table.show(over=True, result="Ann wins with 5 doubloons.", seats=seats)
    expect(phone.page.locator("#turn")).to_contain_text("The battle is over")
    expect(phone.page.locator("#turn")).to_contain_text("Ann wins with 5 doubloons.")
    expect(phone.page.get_by_role("button", name="Turn done")).to_be_hidden()
    phone.page.get_by_role("button", name="A new battle").tap()
    expect(phone.page.get_by_role("dialog", name="A new battle")).to_contain_text("Set sail")


def test_a_game_is_opened_from_the_start_page(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    phone.page.get_by_role("button", name="3", exact=True).tap()
    for k, name in enumerate(("Ann", "Bob", "Cid")):
        phone.page.get_by_label(f"Captain {k + 1}").fill(name)
    phone.page.get_by_text("House rules").tap()
    phone.page.get_by_label("Is there fog?").check()
    assert no_sideways_scroll(phone)
    phone.page.get_by_role("button", name="Set sail").tap()
    phone.sit("Cid")
    assert house.opened == [("toy-battle", ("Ann", "Bob", "Cid"), {"fog": True})]
    expect(phone.page.locator(".captain")).to_have_count(3)


def test_a_usual_game_is_three_taps(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    phone.page.get_by_label("Toy Battle").tap()
    phone.page.get_by_role("button", name="4", exact=True).tap()
    phone.page.get_by_role("button", name="Set sail").tap()
    phone.page.locator("dialog").wait_for()
    ((game, captains, options),) = house.opened
    assert (game, len(set(captains)), options) == ("toy-battle", 4, {})


def test_a_contradiction_is_told_at_its_field(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    phone.page.get_by_role("button", name="3", exact=True).tap()
    phone.page.get_by_text("Variants").tap()
    phone.page.get_by_label("The Duel").check()
    phone.page.get_by_text("Variants").first.tap()
    phone.foresee("status of 400")  # the refusal itself
    phone.page.get_by_role("button", name="Set sail").tap()
    fault = phone.page.locator("[data-option=duel] .fault")
    expect(fault).to_have_text("The Duel is for two captains.")
    expect(fault).to_be_in_viewport()
    expect(phone.page.get_by_label("The Duel")).to_be_focused()
    phone.page.get_by_label("The Duel").uncheck()
    expect(fault).to_be_hidden()
    phone.page.get_by_role("button", name="Set sail").tap()
    phone.page.locator("dialog").wait_for()


def test_the_host_types_in_numbers_and_cards(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    page = phone.page
    page.get_by_text("Variants").tap()
    page.get_by_label("Battles").fill("3")
    page.locator("summary", has_text="Cards").tap()
    page.get_by_label("Card numbers").fill("4, 5 and 6")
    for _ in range(3):
        page.get_by_role("button", name="Add one").tap()
    page.get_by_role("button", name="Take away").last.tap()
    cards = page.locator(".record")
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


def test_cards_typed_in_once_are_offered_again(phone: Phone, house: FakeHouse) -> None:
    house.now = None
    phone.open()
    phone.page.locator("summary", has_text="Cards").tap()
    phone.page.get_by_role("button", name="Add one").tap()
    phone.page.locator(".record").get_by_label("Name").fill("Grog")
    phone.page.reload()
    phone.page.locator("summary", has_text="Cards").tap()
    phone.page.get_by_role("button", name="Use the 1 typed in before").tap()
    expect(phone.page.locator(".record").get_by_label("Name")).to_have_value("Grog")


def test_a_captain_points_at_a_line_and_puts_it_right(phone: Phone, table: FakeTable) -> None:
    table.pictures["shot-2"] = jpeg()
    actions = ({"type": "roll", "number": n} for n in (1, 2))
    table.offered = tuple(Offer(f"Blue rolls {action['number']}", action) for action in actions)
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Blue: sail 3 NE, G3 to D6", exact=True).tap()
    sheet = phone.page.get_by_role("dialog")
    expect(sheet.locator("img")).to_have_js_property("complete", True)
    expect(sheet).to_contain_text("seen by the camera, 98.7 % sure")
    sheet.get_by_role("button", name="It was something else").tap()
    with phone.page.expect_response("**/api/command"):
        phone.page.get_by_role("button", name="Blue rolls 2").tap()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    action = {"type": "roll", "number": 2}
    assert table.told[-1] == {"type": "correct", "seq": 2, "action": action, "seat": 0}


def test_what_was_taken_back_and_who_only_watches_correct_nothing(
    phone: Phone, table: FakeTable
) -> None:
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Blue: fire 4 E", exact=True).tap()
    expect(phone.page.get_by_role("dialog")).to_contain_text("It has been taken back.")
    expect(phone.page.get_by_role("button", name="It was something else")).to_have_count(0)


def test_the_host_lets_a_cheat_walk_the_plank(phone: Phone, table: FakeTable) -> None:
    planks = ({"type": "walk_the_plank", "player": k} for k in (0, 1))
    asides = tuple(Offer(f"Captain {plank['player']} walks the plank", plank) for plank in planks)
    table.show(asides=asides)
    phone.open()
    phone.sit("One phone for the whole table")
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("button", name="The table decides").tap()
    phone.page.get_by_role("button", name="Captain 1 walks the plank").tap()
    assert table.told[-1]["type"] == "take_seat"  # not before all agree
    with phone.page.expect_response("**/api/command"):
        phone.page.get_by_role("button", name="So be it").tap()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    action = {"type": "walk_the_plank", "player": 1}
    assert table.told[-1] == {"type": "act", "action": action, "seat": None}


def test_a_captain_finds_no_penalties_in_the_menu(phone: Phone, table: FakeTable) -> None:
    table.show(asides=(Offer("Captain 1 walks the plank", {"type": "walk_the_plank"}),))
    phone.open()
    phone.sit("Ann")
    phone.page.get_by_role("button", name="Menu").tap()
    expect(phone.page.get_by_role("dialog")).to_contain_text("A new battle")
    expect(phone.page.get_by_role("button", name="The table decides")).to_have_count(0)


def test_wind_and_storm_are_drawn_and_said(phone: Phone, table: FakeTable) -> None:
    phone.open()
    phone.sit("Ann")
    expect(phone.page.locator("#board .stormy")).to_have_count(0)
    words = "Wind from the west; the storm rages beyond ring 3."
    table.show(weather=Weather(270.0, 3, 5, words))
    expect(phone.page.locator("#weather")).to_have_text(words)
    # Rings 4 and 5 of the ocean are lost: 24 and 30 hexes.
    expect(phone.page.locator("#board .stormy")).to_have_count(54)
    arrow = phone.page.locator("#board .rose > g")
    expect(arrow).to_have_attribute("transform", "rotate(90)")
    expect(phone.page.locator("#turn .ring-wind")).to_have_count(1)
    label = phone.page.locator("#board svg").get_attribute("aria-label")
    assert label is not None
    assert words in label


def test_the_big_screen_follows(phone: Phone, table: FakeTable) -> None:
    phone.page.set_viewport_size({"width": 1280, "height": 720})
    phone.open("/screen")
    expect(phone.page.locator(".captain")).to_have_count(2)
    expect(phone.page.locator(".code svg")).to_be_visible()
    table.show(pending="Look up!")
    expect(phone.page.locator("#turn")).to_contain_text("Look up!")
    scroll = phone.page.evaluate("document.documentElement.scrollHeight")
    assert scroll <= 720


@pytest.mark.parametrize("path", ["/join", "/nowhere"])
def test_plain_pages_fit(new_phone: Callable[[], Phone], path: str) -> None:
    phone = new_phone()
    phone.foresee("status of 404")
    phone.open(path)
    assert no_sideways_scroll(phone)
    phone.page.get_by_role("link", name="To the table").click()
    expect(phone.page.get_by_role("dialog")).to_be_visible()


def test_a_captain_without_a_phone_is_answered_for_by_who_sits(
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
