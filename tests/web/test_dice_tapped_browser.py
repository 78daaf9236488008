"""Dice that are told by tapping: kinds apart, faces in order, faces by their names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from companion.rules.layout import Die
from companion.table.snapshot import Offer
from tests.web.conftest import TWO_FRAMES, Phone, box_of
from tests.web.doubles import QUESTION, FakeTable
from tests.web.real_house import RealHouse
from tests.web.test_phone_browser import jpeg

pytestmark = pytest.mark.browser
TRAY = "/evidence/shot.tray"


def labels(dice: Locator) -> list[str | None]:
    return [die.get_attribute("aria-label") for die in dice.locator(".die").all()]


def roll(text: str, *dice: tuple[str, int]) -> Offer:
    shown = [{"kind": kind, "face": face} for kind, face in dice]
    return Offer(text, {"type": "roll", "player": -1, "dice": shown})


def test_a_roll_is_told_die_by_die(phone: Phone, table: FakeTable) -> None:
    rolls = [(a, b) for a in (2, 3, 4) for b in (2, 3, 4) if a <= b] + [(1, 1)]
    table.offered = tuple(roll(f"rolled {a} {b}", ("sail", a), ("sail", b)) for a, b in rolls)
    sheet = phone.open_sheet()
    offers = sheet.locator(".offer")
    expect(sheet.get_by_role("searchbox")).to_have_count(0)
    expect(sheet.get_by_text("answers are possible")).to_have_count(0)
    sheet.get_by_role("button", name="sail 4", exact=True).tap()
    expect(offers).to_have_count(3)
    expect(sheet.get_by_role("button", name="sail 1")).to_be_disabled()
    sheet.get_by_role("button", name="sail 3", exact=True).tap()
    expect(offers).to_have_text(["rolled 3 4"])
    sheet.get_by_role("button", name="Take away sail 4").tap()
    expect(offers).to_have_count(3)

    # A d20 is told from a d6, and its faces stand in order.
    table.offered = tuple(
        roll(f"row {row}, {rounds} rounds", ("d6", row), ("d20", rounds))
        for row in range(1, 7)
        for rounds in range(1, 21)
    )
    table.show(awaits_roll=("d20", "d6"))
    small, large = (sheet.get_by_role("group", name=kind, exact=True) for kind in ("d6", "d20"))
    expect(large.locator(".die")).to_have_count(20)
    assert labels(small) == [f"d6 {n}" for n in range(1, 7)]
    assert labels(large) == [f"d20 {n}" for n in range(1, 21)]
    expect(large.get_by_role("heading")).to_have_text("The d20")
    # Six faces are one row, on small phones, too.
    for width in (360, 320):
        phone.page.set_viewport_size({"width": width, "height": 740})
        boxes = [box_of(face) for face in small.get_by_role("button").all()]
        assert len({box["y"] for box in boxes}) == 1, width
        assert min(min(box["width"], box["height"]) for box in boxes) >= 44, width
    outlines = [kind.locator(".die-body").first.get_attribute("d") for kind in (small, large)]
    assert outlines[0] != outlines[1]
    expect(sheet.locator(".results")).to_have_text("0 of 2 dice.")
    large.get_by_role("button", name="d20 10", exact=True).tap()
    small.get_by_role("button", name="d6 2", exact=True).tap()
    expect(offers).to_have_text(["row 2, 10 rounds"])


def test_who_is_asked_about_dice_sees_the_tray(phone: Phone, table: FakeTable) -> None:
    table.pictures["shot.tray"] = jpeg()
    table.show(question=replace(QUESTION, evidence="shot", tray="shot.tray"))
    phone.open()
    phone.sit("One phone for the whole table")
    seen = phone.page.get_by_role("img", name="What the table saw; tap to enlarge")
    expect(seen).to_have_attribute("src", TRAY)
    seen.tap()
    shown = phone.page.get_by_role("img", name=QUESTION.text, exact=True)
    expect(shown).to_have_attribute("src", TRAY)


@pytest.fixture
def ahoy(house: Any) -> Any:
    real = RealHouse()
    referee = real.open("ahoy-matey", ("Ann", "Bob"), {"freak_squall": True})
    house.now = referee
    return referee


def roll_of(referee: Any, *faces: int) -> None:
    """Tell the roll with these faces, whatever words it has."""
    for offer in referee.offers(None):
        dice = offer.action.get("dice", ())
        if sorted(die["face"] for die in dice) == sorted(faces):
            referee.command_json({"type": "act", "action": dict(offer.action), "seat": None})
            return
    raise AssertionError(faces)


def misread(phone: Phone, line: str) -> Locator:
    """Point at a line of the log and say that it was something else; return the sheet."""
    phone.page.get_by_role("button", name=line, exact=True).tap()
    phone.page.get_by_role("button", name="It was something else").tap()
    return phone.page.get_by_role("dialog", name="What was it really?")


def test_a_roll_is_put_right_from_what_was_read(phone: Phone, ahoy: Any) -> None:
    """All its dice had to be tapped anew, where one was misread."""
    roll_of(ahoy, 5)
    roll_of(ahoy, 1)
    roll_of(ahoy, 2, 4)
    line = ahoy.snapshot().log[-1].text
    phone.open()
    phone.sit("One phone for the whole table")
    sheet = misread(phone, line)
    chosen, offers = sheet.locator(".chosen .die"), sheet.locator(".results .offer")
    expect(chosen).to_have_count(2)
    assert labels(sheet.locator(".chosen")) == ["die 2", "die 4"]
    expect(sheet.locator(".results")).to_have_text("That is how it stands.")
    expect(sheet).to_contain_text("Tap the die below that was misread, then what it shows.")
    expect(sheet.get_by_role("button", name="die 5", exact=True)).to_be_disabled()
    sheet.get_by_role("button", name="Take away die 4").tap()
    expect(offers).to_have_count(5)
    sheet.get_by_role("button", name="die 5", exact=True).tap()
    expect(offers).to_have_count(1)
    with phone.page.expect_response("**/api/command") as answer:
        offers.tap()
    assert answer.value.status == 200
    assert ahoy.game.rolled(ahoy._book.history.played[-1].action) == (
        Die("piecepack", 2),
        Die("piecepack", 5),
    )
    phone.page.get_by_role("button", name=ahoy.snapshot().log[-1].text, exact=True).tap()
    expect(phone.page.get_by_role("dialog")).to_contain_text("put right")


def test_the_only_die_of_its_kind_is_put_right_by_one_tap(phone: Phone, table: FakeTable) -> None:
    faces = [(row, rounds) for row in range(1, 7) for rounds in range(1, 21)]
    table.offered = tuple(
        roll(f"row {row}, {rounds} rounds", ("d6", row), ("d20", rounds))
        for row, rounds in faces
        if (row, rounds) != (2, 10)
    )
    table.stands = (Die("d20", 10), Die("d6", 2))
    line = table.now.log[0]
    table.show(log=(replace(line, evidence="shot", tray="shot.tray"),))
    table.pictures |= {"shot": jpeg(), "shot.tray": jpeg()}
    phone.open()
    phone.sit("One phone for the whole table")
    phone.page.get_by_role("button", name=f"Picture of: {line.text}").tap()
    expect(phone.page.get_by_role("img", name=line.text)).to_have_attribute("src", TRAY)
    phone.page.keyboard.press("Escape")
    sheet = misread(phone, "Red draws commodore 1")
    expect(sheet.get_by_role("img", name="The dice in the tray")).to_have_attribute("src", TRAY)
    offers = sheet.locator(".results .offer")
    expect(sheet.locator(".results")).to_have_text("That is how it stands.")
    sheet.get_by_role("button", name="d20 11", exact=True).tap()
    expect(offers).to_have_text(["row 2, 11 rounds"])
    with phone.page.expect_response("**/api/alternatives*") as answer:
        table.show(phase="another")  # the game goes on, and what was tapped stays
    answer.value.finished()
    phone.page.evaluate(TWO_FRAMES)
    expect(offers).to_have_text(["row 2, 11 rounds"])
    sheet.get_by_role("button", name="d6 3", exact=True).tap()
    expect(offers).to_have_text(["row 3, 11 rounds"])
    sheet.get_by_role("button", name="d6 2", exact=True).tap()
    sheet.get_by_role("button", name="Take away d20 11").tap()
    expect(sheet.get_by_role("button", name="d20 10", exact=True)).to_be_disabled()


def test_null_and_ace_are_called_so(phone: Phone, ahoy: Any) -> None:
    """A piecepack die shows null, ace, 2 to 5: its 0 is a face like the others."""
    roll_of(ahoy, 5)
    roll_of(ahoy, 1)
    sheet = phone.open_sheet()
    expect(sheet.get_by_role("button", name="die null", exact=True)).to_be_visible()
    sheet.get_by_role("button", name="die ace", exact=True).tap()
    expect(sheet.get_by_role("button", name="Take away die ace")).to_have_text("ace")
    phone.page.keyboard.press("Escape")
    roll_of(ahoy, 0, 0)
    phone.page.get_by_role("button", name="Tell the table").tap()
    headings = ["The lower face?", "The higher face?"]
    expect(sheet.locator(".facet h3")).to_have_text(headings)
    lower = sheet.get_by_role("group", name=headings[0])
    expect(lower.get_by_role("button", name="Null")).to_be_visible()
    expect(lower.get_by_role("button", name="Ace")).to_be_visible()
