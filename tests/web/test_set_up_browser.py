"""The form that opens a battle: it fits the page, knows who is there and tells what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import Phone, box_of, luminance
from tests.web.doubles import FakeHouse, FakeTable, make_snapshot
from tests.web.real_house import RealHouse

pytestmark = pytest.mark.browser

SMALL = {"width": 320, "height": 568}


@pytest.fixture
def house() -> Any:
    return FakeHouse(None)


def stands_clear(phone: Phone, what: Locator) -> None:
    """It is seen whole: on the page, and not under the button."""
    expect(what).to_be_in_viewport()
    button = phone.page.get_by_role("button", name="Set sail").bounding_box()
    box = what.bounding_box()
    assert button is not None
    assert box is not None
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= button["y"]


def test_a_captain_without_a_name_is_told(phone: Phone, house: FakeHouse) -> None:
    phone.page.set_viewport_size(SMALL)
    phone.open()
    field, launch = (
        phone.page.get_by_label("Captain 2"),
        phone.page.get_by_role("button", name="Set sail"),
    )
    fault = phone.page.get_by_role("alert").filter(has_text="Captain 2 needs a name.")
    for blank in ("", "   "):
        field.fill(blank)
        launch.tap()
        stands_clear(phone, fault)
        expect(field).to_be_focused()
        stands_clear(phone, field)
        assert house.opened == []
        field.fill("Bob")
        expect(fault).to_be_hidden()
        field.evaluate("field => field.blur()")

    # What the rules refuse stands above the button.
    phone.foresee("status of 400")  # the refusal itself
    phone.page.get_by_label("Captain 1").fill("Bob")
    phone.page.evaluate("scrollTo(0, 0)")
    launch.tap()
    stands_clear(phone, phone.page.locator(".card.refusal"))

    # Two taps at once open one game.
    phone.page.get_by_label("Captain 1").fill("Ann")
    launch.evaluate("button => { button.click(); button.click(); }")
    phone.page.locator("dialog").wait_for()
    assert len(house.opened) == 1


@pytest.mark.parametrize("house", [RealHouse()])
def test_the_form_is_for_the_keyboard_large_fingers_and_weak_eyes(phone: Phone) -> None:
    page = phone.page
    phone.open()
    page.get_by_role("radio", name="Ahoy, Matey!").check()
    counts = page.get_by_role("group", name="How many captains?").get_by_role("button")
    assert all(box_of(count)["width"] >= 44 for count in counts.all())
    assert box_of(page.get_by_role("link", name="Set up camera"))["height"] >= 44

    # What the keyboard comes to is not under the button, and stays where it was pressed.
    counts.get_by_text("5").press("Enter")
    expect(counts.get_by_text("5")).to_be_focused()
    expect(page.get_by_label("Captain 5")).to_be_visible()
    for summary in page.locator("summary").all():
        while not summary.evaluate("node => node === document.activeElement"):
            page.keyboard.press("Tab")
        stands_clear(phone, summary)

    # Colours of one's own take all grounds away: it is seen all the same what is chosen.
    page.emulate_media(forced_colors="active")
    page.locator("summary").first.press("Enter")
    switch = page.get_by_role("checkbox").first
    knob = "node => ['', '::after'].map(part => getComputedStyle(node, part).backgroundColor)"
    for _ in ("off", "on"):
        assert len(set(switch.evaluate(knob))) == 2
        switch.check()
    ground = "node => getComputedStyle(node).backgroundColor"
    chosen, other = (counts.get_by_text(count).evaluate(ground) for count in ("5", "4"))
    assert chosen != other
    page.emulate_media(forced_colors="none", contrast="more")
    line = page.get_by_label("Captain 5").evaluate("node => getComputedStyle(node).borderColor")
    assert luminance(line) + 0.05 >= 3 * (luminance("rgb(22 61 84)") + 0.05)  # of the field itself


def switch_all_on(form: Locator) -> None:
    switches = form.locator(".switch input:not(:checked)")
    switches.evaluate_all("all => all.forEach(one => one.click())")


@pytest.mark.parametrize("house", [RealHouse()])
def test_no_number_of_options_widens_the_page(phone: Phone) -> None:
    """What was changed stands beside its heading, cut short."""
    phone.page.set_viewport_size({"width": 390, "height": 844})
    phone.open()
    form = phone.page.locator("#start")
    for game in ("Privateer", "Ahoy, Matey!"):
        form.get_by_role("radio", name=game, exact=True).check()
        switch_all_on(form)
        expect(form.locator(".changed").filter(has_text=", ").first).to_be_visible()
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("house", [RealHouse()])
def test_no_number_of_options_widens_the_sheet(phone: Phone, house: RealHouse) -> None:
    phone.page.set_viewport_size({"width": 390, "height": 844})
    house.open("ahoy-matey", ("Ann", "Bob"), {})
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    phone.page.get_by_role("button", name="Menu").tap()
    phone.page.get_by_role("button", name="A new battle").tap()
    phone.page.get_by_role("button", name="Open a new one").tap()
    sheet = phone.page.get_by_role("dialog", name="A new battle")
    sheet.get_by_role("radio", name="Ahoy, Matey!").check()
    switch_all_on(sheet)
    assert sheet.evaluate("node => node.scrollWidth <= node.clientWidth")


@pytest.mark.parametrize(
    "house", [FakeHouse(FakeTable(make_snapshot(("Dee", "Eve", "Fay"), over=True)))]
)
def test_the_captains_at_the_table_are_offered_again(phone: Phone) -> None:
    """On every phone, not on the one alone that opened the last battle."""
    page = phone.page
    phone.open()
    page.get_by_role("button", name="I only watch").click()
    form = page.get_by_role("dialog", name="A new battle")
    # A form that cannot be had says so.
    phone.foresee("ERR_FAILED")
    page.route("**/api/games", lambda route: route.abort(), times=1)
    page.get_by_role("button", name="A new battle").click()
    expect(page.locator("#refusal")).to_contain_text("The table cannot be reached.")
    expect(form).to_have_count(0)

    page.get_by_role("button", name="A new battle").click()
    fields = form.locator("input[name=captain]")
    expect(fields).to_have_count(3)
    expect(form.get_by_role("heading", name="A new battle")).to_have_count(1)
    assert [field.input_value() for field in fields.all()] == ["Dee", "Eve", "Fay"]
    form.get_by_role("button", name="4", exact=True).click()
    expect(form.get_by_label("Captain 4")).to_have_value("Anne")


def test_what_is_amiss_with_the_house_stands_above_the_form(phone: Phone, house: FakeHouse) -> None:
    house.ill["ledger"] = "The last game cannot be gone on with."
    phone.page.clock.install()
    phone.open()
    note = phone.page.get_by_text("Record: The last game cannot be gone on with.")
    expect(note).to_be_in_viewport()
    house.ill = {"camera": "The cable is out."}
    phone.page.clock.run_for(3000)  # it asks anew
    expect(phone.page.get_by_text("Camera: The cable is out.")).to_be_visible()
    expect(note).to_be_hidden()


@pytest.mark.parametrize("house", [RealHouse()])
def test_the_rule_of_an_option_is_told_by_a_tap(phone: Phone) -> None:
    """Its number broke at a line's end, and led nowhere."""
    phone.open()
    phone.page.get_by_role("radio", name="PirateWars").check()
    phone.page.get_by_text("Optional rules", exact=True).tap()
    switch = phone.page.get_by_label("Oversailing")
    phone.page.get_by_role("link", name="PWR-111").tap()
    expect(phone.page.get_by_role("dialog", name="Rule PWR-111")).to_be_visible()
    expect(switch).not_to_be_checked()


@pytest.mark.parametrize("house", [RealHouse()])
def test_what_is_wrong_with_long_options_stands_clear(phone: Phone, tmp_path: Path) -> None:
    """It stands below what is taller than the screen, or at its lower edge, under the button."""
    page = phone.page
    page.set_viewport_size({"width": 360, "height": 740})
    phone.open()
    phone.foresee("status of 400")
    page.get_by_text("Gambits", exact=True).first.tap()
    page.get_by_role("button", name="Add one").tap()
    page.get_by_role("button", name="Set sail").tap()
    stands_clear(phone, page.get_by_role("alert").filter(has_text="Red's gambit needs a name."))

    page.get_by_role("radio", name="Privateer", exact=True).check()
    page.get_by_text("Cards", exact=True).tap()
    deck = page.get_by_label("Deck")
    # At the lower edge, as far down as a finger finds it.
    deck.evaluate("node => scrollBy(0, node.getBoundingClientRect().bottom - innerHeight + 80)")
    (tmp_path / "deck.toml").write_text("nothing = 1\n")
    deck.set_input_files(tmp_path / "deck.toml")
    fault = page.get_by_role("alert").filter(has_text="the deck cannot be played")
    expect(fault).to_be_visible()
    stands_clear(phone, fault)


ARROW_PX = 20
"""What the arrow of a list takes beside its words."""
CUT = """(arrow) => [...document.querySelectorAll("select")].flatMap((list) => {
    const look = getComputedStyle(list);
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = look.font;
    const room = list.clientWidth - parseFloat(look.paddingLeft) - parseFloat(look.paddingRight);
    const texts = [...list.options].map((one) => one.text);
    return texts.filter((text) => pen.measureText(text).width > room - arrow);
})"""
UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true })"


@pytest.mark.parametrize("house", [RealHouse()])
def test_no_choice_is_cut_short(phone: Phone) -> None:
    """On a phone it read "a ready fleet for everybo…", and natives were "Island…"."""
    phone.open()
    games = phone.page.locator("label.game")
    expect(games).to_have_count(5)
    for game in games.all():
        game.tap()
        phone.page.evaluate(UNFOLD)
        for more in phone.page.get_by_role("button", name="Add one").all():
            more.click()
        assert phone.page.evaluate(CUT, ARROW_PX) == []
