"""A die that is rolled before a camera, on a phone: seen live, and told where it was not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from companion.audit.rolls import STANDS, find_kind
from companion.audit.trial import Plan
from companion.trial.kept import KeptTrial
from companion.trial.throws import ReadFace, Thrown
from companion.trial.tray import Reader
from companion.trial.trials import TableTrials
from tests.unit.audit.heard import trial_of
from tests.web.conftest import PHONE, Phone
from tests.web.doubles import FakeHouse
from web.server import PageServer, WebServer
from web.trial_page import create_trial_app

pytestmark = pytest.mark.browser


def jpeg(width: int, height: int) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))[1].tobytes()


def thrown(*faces: int | None, doubt: str = "", x: int = 0) -> Thrown:
    dice = tuple(
        ReadFace(face, 0.99, (x + 60 * k, 9, 40, 40), "", jpeg(40, 40), is_sure=face is not None)
        for k, face in enumerate(faces)
    )
    return Thrown(dice, doubt, jpeg(640, 360))


@pytest.fixture
def trial(tmp_path: Path) -> KeptTrial:
    return trial_of(find_kind("d20"), tmp_path / "mine", 300)


@pytest.fixture
def server(trial: KeptTrial) -> Iterator[PageServer]:
    with PageServer(create_trial_app(trial), host="127.0.0.1", port=0) as server:
        yield server


def wake(phone: Phone) -> None:
    """Let the page look at once, as when a phone is woken."""
    phone.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_a_die_is_followed_and_told_on_a_phone(phone: Phone, trial: KeptTrial) -> None:
    phone.open()
    page = phone.page
    expect(page.get_by_text("Nothing has been counted yet")).to_be_visible()
    expect(page.locator("#link")).to_have_text("live")
    assert page.locator(".brand").evaluate("brand => brand.scrollWidth <= brand.clientWidth")
    trial.take(thrown(17, 3))
    wake(phone)
    expect(page.get_by_role("heading", name="d20: 2 of 300")).to_be_visible()
    expect(page.get_by_role("region", name="The last roll")).to_contain_text("17")

    trial.pass_over(thrown(6, None, doubt="one leans", x=200))
    wake(phone)
    form = page.locator("form.asked-throw")
    expect(form).to_contain_text("One leans.")
    expect(form.get_by_role("group")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    second = form.get_by_role("group").nth(1)
    second.get_by_role("radio", name="12").check()

    # The next roll comes while somebody is about to answer: what was tapped stays.
    trial.take(thrown(1, 1, x=400))
    wake(phone)
    expect(page.get_by_role("heading", name="d20: 5 of 300")).to_be_visible()
    expect(form.get_by_role("group")).to_have_count(1)  # the other one counts as it was read
    expect(form.get_by_role("radio", name="12")).to_be_checked()
    form.get_by_role("button", name="That is what").tap()
    expect(form).to_have_count(0)
    told = [roll.face for roll in trial.rolls if roll.status == STANDS]
    assert sorted(face or 0 for face in told) == [1, 1, 3, 6, 12, 17]

    page.get_by_role("button", name="Take back").tap()
    expect(form).to_have_count(1)
    form.get_by_role("button", name="It was no roll").tap()
    expect(form).to_have_count(0)
    assert [roll.roll for roll in trial.rolls if roll.status == STANDS] == [1, 1, 3, 3]


def test_a_misread_die_is_put_right_by_one_tap(phone: Phone, trial: KeptTrial) -> None:
    trial.take(thrown(17, 3))
    phone.open()
    page = phone.page
    summary = page.get_by_text("One of them was misread")
    summary.tap()
    form = page.locator("form.put-right")
    dice = form.get_by_role("group")
    expect(dice.nth(1).get_by_role("radio", name="3", exact=True)).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    dice.nth(0).get_by_role("radio", name="12").check()

    # Another phone is quicker, about another die: what was not tapped here is as it says.
    trial.put_right(1, [17, 4], "Anne")
    wake(phone)
    expect(dice.nth(1).get_by_role("radio", name="4", exact=True)).to_be_checked()
    expect(dice.nth(0).get_by_role("radio", name="12")).to_be_checked()
    form.get_by_role("button", name="That is what they show").tap()
    expect(page.get_by_role("region", name="The last roll").locator("b")).to_have_text(["12", "4"])
    expect(form).to_be_hidden()
    assert [(die.face, die.read) for die in trial.rolls] == [(12, 17), (4, 3)]


def test_who_was_slower_is_told_so(phone: Phone, trial: KeptTrial) -> None:
    trial.pass_over(thrown(None, doubt="it leans"))
    phone.open()
    phone.page.get_by_role("radio", name="5", exact=True).check()
    phone.foresee("Failed to load resource")
    phone.page.route("**/api/trial/moment", lambda route: route.abort())
    trial.answer(1, [20], "Anne")
    phone.page.get_by_role("button", name="That is what it shows").tap()
    refused = phone.page.locator("#refused")
    expect(refused).to_contain_text("somebody was quicker")
    phone.page.unroute("**/api/trial/moment")
    expect(phone.page.get_by_role("heading", name="d20: 1 of 300")).to_be_visible()
    expect(refused).to_contain_text("somebody was quicker")  # though the page is a newer one
    refused.get_by_role("button", name="I see").tap()
    expect(refused).to_be_empty()


def test_the_page_stays_under_the_finger(phone: Phone, trial: KeptTrial) -> None:
    trial.pass_over(thrown(None, doubt="it leans"))
    phone.open()
    page = phone.page
    form = page.locator("#asked-1")
    form.get_by_role("radio", name="12").check()
    before = form.bounding_box()

    # What was asked later comes above it, while a finger is down.
    button = form.get_by_role("button", name="It was no roll").bounding_box()
    assert before is not None
    assert button is not None
    page.mouse.move(button["x"] + 20, button["y"] + 20)
    page.mouse.down()
    trial.take(thrown(1, x=400))
    trial.pass_over(thrown(None, doubt="it is cocked", x=200))
    with page.expect_response(lambda answer: answer.url.endswith("/trial")):
        wake(phone)
    page.mouse.move(5, 700)  # thought better of it
    page.mouse.up()
    expect(page.locator("form.asked-throw")).to_have_count(2)
    expect(page.get_by_role("status").get_by_text("d20: 1 of 300")).to_have_count(1)
    after = form.bounding_box()
    assert after is not None
    assert abs(after["y"] - before["y"]) < 2

    form.get_by_role("radio", name="12").press("Enter")
    expect(form).to_have_count(0)
    expect(page.get_by_role("heading", name="d20: 2 of 300")).to_be_focused()
    page.locator("a.whole").tap()
    expect(page.get_by_role("dialog", name="The whole throw")).to_be_visible()


# -- at an open table ----


@pytest.fixture
def trials(tmp_path: Path) -> TableTrials:
    reader = Reader(lambda _: (), lambda *_: True)
    return TableTrials(tmp_path / "trials", lambda *_: reader, lambda _: None, {})


@pytest.fixture
def open_table(trials: TableTrials) -> Iterator[WebServer]:
    with WebServer(
        FakeHouse(None), host="127.0.0.1", port=0, max_streams=4, trials=trials
    ) as server:
        yield server


def is_heard(page: Page) -> None:
    """Wait until the page that a link leads to hears what is tapped: its script has come."""
    expect(page.locator("#link-words")).to_have_text("live")


def test_a_die_is_put_on_trial_at_the_table(
    context: BrowserContext, open_table: WebServer, trials: TableTrials
) -> None:
    page, errors = context.new_page(), list[str]()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(f"http://127.0.0.1:{open_table.port}/dice")
    page.get_by_role("link", name="Put one die on trial").tap()
    is_heard(page)
    page.get_by_label("Kind of die").select_option("d6")
    page.get_by_label("Which one of its kind").fill("green")
    page.get_by_label("Dice thrown at once").fill("2")
    page.get_by_role("button", name="Begin").tap()
    expect(page.get_by_role("heading", name="green d6: 0 of 300")).to_be_focused()
    assert page.evaluate("scrollY") == 0
    page.get_by_role("button", name="Sound").tap()
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")

    # Nobody sees a tray: rolls are told.
    told = page.locator("details.told")
    faces = told.get_by_role("group", name="Die 1").get_by_role("radio").all()
    tops = {box["y"] for face in faces if (box := face.bounding_box()) is not None}
    assert (len(faces), len(tops)) == (6, 1), "six in a row, even on a narrow phone"
    for die, face in (("Die 1", "4"), ("Die 2", "6")):
        told.get_by_role("group", name=die).get_by_role("radio", name=face).check()
    told.get_by_role("button", name="Count them").tap()
    expect(page.get_by_role("heading", name="green d6: 2 of 300")).to_be_visible()
    expect(told.locator("input:checked")).to_have_count(0)
    assert trials.now is not None
    assert [roll.face for roll in trials.now.rolls] == [4, 6]
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    page.get_by_role("button", name="End the trial").tap()
    expect(page.get_by_role("region", name="Earlier trials")).to_contain_text("2 of 300")
    page.get_by_role("link", name="the verdict").tap()
    expect(page.get_by_text("Too few rolls to tell: 2.")).to_be_visible()
    page.get_by_role("link", name="All trials").tap()
    is_heard(page)
    page.get_by_role("button", name="Go on").tap()
    expect(page.get_by_role("heading", name="green d6: 2 of 300")).to_be_visible()
    page.get_by_role("link", name="All dice of the table").tap()
    page.get_by_role("link", name="See the green d6 on trial").tap()
    expect(page.get_by_role("heading", name="green d6: 2 of 300")).to_be_visible()
    assert errors == []


TREMBLE = """() => {
  const again = new MouseEvent("click", { ...place(tapped), bubbles: true, detail: 1 });
  Object.defineProperty(again, "timeStamp", { value: tapped.timeStamp + 300 });
  document.querySelector(".face[value='17']").dispatchEvent(again);
  function place({ clientX, clientY }) { return { clientX, clientY }; }
}"""
"""A finger that trembles: it taps once more, 0.3 s later by the clock of its event."""


def test_one_die_is_told_by_a_tap_and_a_phone_that_was_slower_is_told_so(
    context: BrowserContext, open_table: WebServer, trials: TableTrials
) -> None:
    trials.begin(Plan(find_kind("d20"), 300, look="W" * 24))
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{open_table.port}/trial")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    place = page.get_by_role("button", name="17", exact=True).bounding_box()
    assert place is not None
    page.evaluate("document.addEventListener('click', (tap) => { window.tapped = tap; }, true)")
    page.touchscreen.tap(place["x"] + 9, place["y"] + 9)
    expect(page.get_by_role("heading", name="d20: 1 of 300")).to_be_visible()
    page.evaluate(TREMBLE)
    assert page.get_by_role("button", name="17", exact=True).bounding_box() == place
    page.get_by_role("button", name="16", exact=True).press("Enter")
    expect(page.get_by_role("heading", name="d20: 2 of 300")).to_be_visible()
    expect(page.get_by_role("button", name="16", exact=True)).to_be_focused()
    page.get_by_role("button", name="Take back").press("Enter")
    expect(page.get_by_role("heading", name="d20: 1 of 300")).to_be_visible()
    expect(page.get_by_role("button", name="Take back")).to_be_focused()

    page.route("**/api/trial/moment", lambda route: route.abort())
    expect(page.get_by_text("Lost the table")).to_be_visible()
    assert trials.now is not None
    trials.now.tell([3])
    page.get_by_role("button", name="18", exact=True).tap()
    expect(page.locator("#refused")).to_contain_text("Something was rolled meanwhile.")
    assert [roll.face for roll in trials.now.rolls if roll.status == STANDS] == [17, 3]


def test_a_page_of_the_trial_before_does_not_end_the_next(
    context: BrowserContext, open_table: WebServer, trials: TableTrials
) -> None:
    trials.begin(Plan(find_kind("d20"), 300))
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{open_table.port}/trial")
    is_heard(page)
    page.route("**/api/trial/moment", lambda route: route.abort())
    expect(page.get_by_text("Lost the table")).to_be_visible()
    trials.end()
    trials.begin(Plan(find_kind("d6"), 300, look="red"))
    page.get_by_role("button", name="End the trial").tap()
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Another die is on trial by now: the red d6.")
    assert trials.now is not None
    page.unroute("**/api/trial/moment")
    expect(page.get_by_role("heading", name="red d6: 0 of 300")).to_be_visible()
