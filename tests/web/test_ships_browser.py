"""The shipyard on a phone: parts chosen, faults told at once, the card drawn, kept and printed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.rules.game import GameInfo, Option
from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import read_design, stock_ship
from tests.web.conftest import PHONE, Phone, box_of
from tests.web.doubles import INFO, FakeHouse
from web.errors import HINTS, PLAIN

pytestmark = pytest.mark.browser

OPTION = Option(
    "own_ships", (), (), "Beside the models.", "Ships of your own", "Fleets", workshop="ships"
)


class HarbourHouse(FakeHouse):
    """A house with a game to which ships can be brought along."""

    @property
    def games(self) -> Sequence[GameInfo]:
        return (replace(INFO, options=(OPTION,)),)


@pytest.fixture
def house() -> HarbourHouse:
    return HarbourHouse()


def opened(phone: Phone) -> Page:
    phone.open("/ships")
    phone.page.get_by_text("She may be built.").wait_for()
    return phone.page


def chart(page: Page) -> list[str]:
    """Return the damage chart as it is read from the top."""
    return page.locator(".damage li").all_inner_texts()


def test_large_letters_widen_no_page_of_the_shipyard(phone: Phone) -> None:
    """ "9 tons of 9" stood beside its name whatever its width."""
    page = opened(phone)
    page.evaluate("document.documentElement.style.fontSize = '34px'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_everything_fits_a_phone_and_can_be_touched_and_the_card_alone_is_printed(
    phone: Phone,
) -> None:
    page = opened(phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    small = page.evaluate(
        "[...document.querySelectorAll('main button, main select, main summary, main label.switch,"
        " main a')].filter(a => a.offsetParent && a.getBoundingClientRect().height < 44)"
        ".map(a => a.outerHTML)"
    )
    assert small == []
    # What the keyboard comes to is not under the verdict.
    page.locator(".brand").focus()
    verdict = box_of(page.locator("#verdict"))["y"]
    for _ in range(24):
        page.keyboard.press("Tab")
        focused = box_of(page.locator(":focus"))
        assert focused["y"] + focused["height"] <= verdict

    page.emulate_media(media="print")
    expect(page.locator("#card")).to_be_visible()
    for hidden in (".yard", ".top", "#faults", ".take"):
        expect(page.locator(hidden)).to_be_hidden()


def test_faults_are_told_as_parts_change(phone: Phone) -> None:
    """PWR-104, PWR-105: a fifth cannon is a ton and more than half; taken away she is fine."""
    page = opened(phone)
    page.get_by_role("button", name="Add a cannon").click()
    faults = page.locator("#faults")
    expect(faults).to_contain_text("2 things are against the rules")
    expect(faults).to_contain_text("There is room for 9 tons; 5 cannons, 16 extra figures")
    expect(faults.locator(".rule").first).to_have_text("PWR-104")
    # On a phone the parts fill the page; the verdict stays in view.
    expect(page.locator("#verdict")).to_have_text("2 against the rules ▾")
    expect(page.locator("#verdict")).to_be_in_viewport()
    page.get_by_role("button", name="Take cannon 5 away").click()
    expect(faults).to_have_text("She may be built.")

    # PWR-112, T14: sails held back are refused, and where the table plays so reckoned.
    page.get_by_label("Sail factors held back").fill("2")
    expect(faults.locator(".rule")).to_have_text("PWR-112")
    page.get_by_text("Overloading: more cargo for less speed").click()
    expect(faults).to_have_text("She may be built.")
    assert [text.split()[0] for text in chart(page) if "sail" in text] == (
        ["48", "40", "32", "24", "16", "8", "8", "8"]
    )


def test_a_ship_changes_sides_and_is_built_from_a_wish(phone: Phone) -> None:
    page = opened(phone)
    # PWR-6: pirates and Imperials do not mix; the others' figures are left ashore.
    page.get_by_label("Sails forthe pirates").select_option(label="the Imperials")
    expect(page.locator(".crew")).to_contain_text("Imperial Captain")
    expect(page.locator(".crew")).not_to_contain_text("pirate")
    page.get_by_label("marines", exact=True).fill("8")
    expect(page.locator(".crew")).to_contain_text("8 marines")

    # PWR-103: length and speed give the masts; the chart follows.
    page.get_by_label("A model").select_option(label="Imperial Flagship")
    page.get_by_label("Length").select_option(label="40 dots")
    page.get_by_text("Rig her for a speed").click()
    page.get_by_label("Speed wished for, dots").fill("70")
    page.get_by_role("button", name="Rig her").click()
    expect(page.locator(".damage li")).to_have_count(12)
    assert chart(page)[0].split() == ["70", "sail"]
    expect(page.locator("#faults")).to_have_text("She may be built.")
    page.get_by_label("Width").select_option(label="12 dots, wide")
    expect(page.locator("#faults")).to_have_text("She may be built.")


def kept(page: Page) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(
        page.evaluate("localStorage.getItem('quarterdeck-ships')")
    )
    return found


def test_a_ship_is_kept_on_the_device_and_brought_along(phone: Phone, house: HarbourHouse) -> None:
    """The start page offers what the shipyard of this device keeps; chosen, it is sent whole."""
    page = phone.page
    phone.open("/")
    page.get_by_text("Fleets").click()
    page.get_by_role("link", name="Make one").click()  # without ships of one's own
    page.wait_for_url("**/ships")
    page.get_by_text("She may be built.").wait_for()
    for name in ("Whydah <b>", "Whydah"):
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Keep on this device").click()
        page.get_by_text(f"{name} is kept on this device").wait_for()
    assert kept(page)["Whydah <b>"]["id"] == "whydah-b"

    # It is found again.
    page.reload()
    page.get_by_label("One of yours").select_option(label="Whydah <b>")
    expect(page.locator(".ship-title")).to_have_text("Whydah <b>")
    page.get_by_role("button", name="Keep on this device").click()
    page.get_by_role("button", name="Forget her").click()
    assert list(kept(page)) == ["Whydah"]

    phone.open("/")
    page.get_by_text("Fleets").click()
    page.get_by_role("checkbox", name="Whydah").check()
    expect(page.locator(".changed")).to_have_text("Ships of your own")
    with page.expect_response("**/api/games"):
        page.get_by_role("button", name="Set sail").click()
    (opened_game,) = house.opened
    (ship,) = opened_game[2]["own_ships"]
    assert read_design(ship).title == "Whydah"


def test_a_file_is_saved_and_opened(phone: Phone, tmp_path: Path) -> None:
    page = opened(phone)
    with page.expect_download() as download:
        page.get_by_role("link", name="Save as a file").click()
    assert download.value.suggested_filename == "black-swan.toml"
    saved = tmp_path / "swan.toml"
    download.value.save_as(saved)
    assert parse_ship(saved.read_text("utf-8")).column == stock_ship("skulls-eye-schooner").column
    other = tmp_path / "other.toml"
    other.write_text(ship_toml(stock_ship("man-of-war")), "utf-8")
    page.get_by_label("Or a file").set_input_files(other)
    expect(page.locator(".ship-title")).to_have_text("Man of War")
    other.write_text("hull = 8", "utf-8")
    phone.foresee("status of 400")  # the refusal itself
    # What is said stands far below on a phone, out of view, and spoke of reloading the page.
    page.evaluate("scrollTo(0, 0)")
    page.get_by_label("Or a file").set_input_files(other)
    said = page.locator("#problem .card")
    expect(said).to_contain_text("the ship lacks the field 'id'")
    expect(said).to_be_in_viewport(ratio=1)
    expect(said).to_contain_text(HINTS["ship_file"])


@pytest.mark.parametrize("length", [100_000, 3_000_000])
def test_a_file_that_is_far_too_long_is_refused_in_words(
    phone: Phone, tmp_path: Path, length: int
) -> None:
    page, photograph = opened(phone), tmp_path / "swan.toml"
    photograph.write_text("x" * length, "utf-8")
    phone.foresee("status of 413")  # the refusal itself
    page.get_by_label("Or a file").set_input_files(photograph)
    expect(page.locator("#problem")).to_contain_text(PLAIN[413])
    expect(page.locator("#problem")).to_contain_text(HINTS["http_413"])
