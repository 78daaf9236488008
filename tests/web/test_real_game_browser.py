"""A battle told by phones alone, with the real rules and referee, in headless Chromium."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.table.snapshot import Offer
from tests.web.conftest import Phone
from tests.web.real_house import RealHouse

pytestmark = pytest.mark.browser


@pytest.fixture
def house() -> Any:
    house = RealHouse()
    house.open("articles-of-war", ("Ann", "Bob"), {})
    return house


def tell(phone: Phone, told: Offer) -> None:
    """Tell the table one offer, found by its dice or its words."""
    page, text = phone.page, told.text
    sheet = phone.tell()
    offer = sheet.get_by_role("button", name=text, exact=True)
    for die in told.action.get("dice", ()):
        sheet.locator(f"[data-value='{die['kind']} {die['face']}']").tap()
    search = sheet.get_by_role("searchbox")
    expect(sheet.locator(".offer, .results p").first).to_be_visible()
    for tab in sheet.locator(".tabs button").all():
        if offer.is_visible():
            break
        tab.tap()
        if search.is_visible():
            search.fill(text)
    if search.is_visible():
        search.fill(text)
    with page.expect_response("**/api/command") as answer:
        offer.tap()
    assert answer.value.status == 200


def test_a_battle_is_played_by_telling_the_table(phone: Phone, house: RealHouse) -> None:
    referee = house.referee
    assert referee is not None
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    chance = random.Random(4)
    phases = {"draw_commodore", "place_fleet", "place_tile", "choose_dice", "roll", "spend"}
    seen: set[str] = set()
    while not phases <= seen:
        phase = referee.snapshot().phase
        safe = [o for o in referee.offers(None) if not re.search(r"\b(onto|off) the\b", o.text)]
        offer = chance.choice(safe)
        if phase in seen:  # more of the same: the referee is told directly
            action = dict(offer.action)
            referee.command_json({"type": "act", "action": action, "seat": None})
        else:
            tell(phone, offer)
            expect(phone.page.locator("#log .deed").first).to_have_text(offer.text)
            # The rest of the dice are spent in the same sheet.
            stays = phase == referee.snapshot().phase == "spend"
            expect(phone.page.get_by_role("dialog")).to_have_count(int(stays))
            seen.add(phase)
    now = referee.snapshot()
    expect(phone.page.locator("#turn")).to_contain_text(now.pending)
    coins = phone.page.locator(".captain .coins")
    expect(coins).to_have_text([str(seat.scores["doubloons"]) for seat in now.seats])


def test_pressing_the_button_too_early_shows_the_rule(
    new_phone: Callable[[], Phone], house: RealHouse
) -> None:
    referee = house.referee
    assert referee is not None
    chance = random.Random(5)
    while referee.snapshot().phase != "spend":
        action = dict(chance.choice(referee.offers(None)).action)
        referee.command_json({"type": "act", "action": action, "seat": None})
    asked = next(seat.name for seat in referee.snapshot().seats if seat.asked)
    phone = new_phone()
    phone.open()
    phone.sit(asked)
    phone.foresee("status of 409")  # the refusal itself
    phone.page.get_by_role("button", name="Turn done").click()
    alert = phone.page.get_by_role("alert")
    expect(alert).to_have_count(1)
    expect(alert).to_contain_text("AOW-")
    notice = referee.snapshot().notice
    assert notice is not None
    expect(alert.locator(".rule")).to_have_text(notice.rule)
    expect(alert.locator(".big")).to_have_text(notice.text)


def test_taking_back_a_roll_asks_the_other_captain(new_phone: Callable[[], Phone]) -> None:
    ann, bob = new_phone(), new_phone()
    for phone, name in ((ann, "Ann"), (bob, "Bob")):
        phone.open()
        phone.sit(name)
    ann.page.get_by_role("button", name="Tell the table").click()
    ann.page.locator(".offer").first.click()
    drawn = ann.page.locator("#log .deed").first
    expect(drawn).to_contain_text("Ann draws")
    ann.page.get_by_role("button", name="Undo").click()
    ann.page.get_by_role("button", name="Take it back").click()
    question = bob.page.get_by_role("group", name="The table asks")
    expect(question).to_contain_text("Ann wants to take back")
    expect(ann.page.locator("#question")).to_contain_text("The table asks Bob")
    question.get_by_role("button", name="Agreed").click()
    expect(ann.page.locator("#log li").first).to_have_class("retracted")
    expect(question).to_be_hidden()


def test_a_board_of_squares_shows_stacks_and_treasure_and_is_told(
    phone: Phone, house: RealHouse
) -> None:
    referee = house.open("ahoy-matey", ("Ann", "Bob"), {"flotilla": True})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    board = phone.page.locator("#board")
    expect(board.locator(".water")).to_have_count(88 + 4)  # AHM-6 and the harbours
    expect(board.locator(".land")).to_have_count(4)
    expect(board.locator(".stack-count")).to_have_text(["×3", "×3"])
    expect(board.locator(".chest")).to_have_count(1)
    for text in ("Suns rolls 5", "Moons rolls ace", "Suns rolls 2 and 4"):
        offer = next(o for o in referee.offers(None) if o.text == text)
        referee.command_json({"type": "act", "action": dict(offer.action), "seat": None})
    text = "Suns: 2 ships go 4 south from the north harbour to H4"
    tell(phone, next(offer for offer in referee.offers(None) if offer.text == text))
    expect(phone.page.get_by_role("dialog")).to_contain_text(f"Told: {text}")
    expect(board.locator(".stack-count")).to_have_text(["×3", "×2"])
    label = board.locator("svg.board").get_attribute("aria-label")
    assert label is not None
    assert "H4: 2 Suns ships" in label
    assert "harbour N: Suns ship" in label


def test_another_battle_is_of_the_game_that_was_opened_last(phone: Phone) -> None:
    """Who plays the same game all evening had to choose it each time."""
    phone.open()
    phone.sit("One phone for the whole table")
    form = phone.page.get_by_role("dialog", name="A new battle")
    game = form.get_by_role("radio", name="Ahoy, Matey!")
    for is_chosen in (False, True):
        phone.page.get_by_role("button", name="Menu").tap()
        phone.page.get_by_role("button", name="A new battle").tap()
        phone.page.get_by_role("button", name="Open a new one").tap()
        expect(game).to_be_checked(checked=is_chosen)
        game.check()
        form.get_by_role("button", name="Set sail").tap()
        expect(form).to_have_count(0)


def test_captains_with_two_fleets_fit_on_a_phone(phone: Phone, house: RealHouse) -> None:
    """Five ships in a row pushed the doubloons, and with them the whole page, off to the right."""
    referee = house.open("articles-of-war", ("Ann", "Bob"), {"duel": True})
    while any(seat.ships < 5 for seat in referee.snapshot().seats):
        action = dict(referee.offers(None)[0].action)
        referee.command_json({"type": "act", "action": action, "seat": None})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    expect(phone.page.locator(".captain .ships svg")).to_have_count(10)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
