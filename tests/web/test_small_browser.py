"""Narrow phones, enlarged letters and long names: nothing is cut off, broken or pushed away."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

from companion.rules.catalogue import GAMES
from tests.web.conftest import Phone
from tests.web.doubles import FakeTable, make_snapshot
from tests.web.real_house import RealHouse

pytestmark = pytest.mark.browser

NAMES = ("Bartholomew", "Anne-Marie Bonny", "عبد الرحمن القرصان البحري", "Cid")
ARAB = 2
SIZES = {  # width, height, size of the letters: usual ones are 17 px
    "small phone": (320, 640, 17),
    "letters 125 %": (360, 740, 21),
    "letters 200 %": (360, 740, 34),
    "page 200 %": (180, 370, 17),
}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(make_snapshot(NAMES))


def open_at(phone: Phone, width: int, height: int, letters: int) -> None:
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.open()
    phone.page.evaluate("px => { document.documentElement.style.fontSize = `${px}px`; }", letters)
    seat = phone.page.locator("dialog").get_by_role("button", name=NAMES[0])
    seat.dispatch_event("click")
    phone.page.locator(".captain.mine").wait_for()


def lines_of(text: Locator, word: str) -> int:
    """Return over how many lines a word of this text is written."""
    return int(
        text.evaluate(
            """(node, word) => {
                const range = document.createRange();
                const at = node.firstChild.data.indexOf(word);
                range.setStart(node.firstChild, at);
                range.setEnd(node.firstChild, at + word.length);
                return range.getClientRects().length;
            }""",
            word,
        )
    )


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_button_stays_on_the_page(phone: Phone, size: tuple[int, int, int]) -> None:
    width, height, _ = size
    open_at(phone, *size)
    for name in ("Menu", "Undo", "Tell the table", "Turn done"):
        box = phone.page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box is not None
        assert box["x"] >= 0, name
        assert box["x"] + box["width"] <= width, name
        assert box["y"] + box["height"] <= height, name
        assert box["height"] >= 44, name
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
    bar = phone.page.locator("#bar").bounding_box()
    assert bar is not None
    assert bar["height"] < 0.4 * height


@pytest.mark.parametrize("size", [(360, 740, 17), *SIZES.values()], ids=["phone", *SIZES])
def test_no_word_of_the_headline_is_broken(phone: Phone, size: tuple[int, int, int]) -> None:
    open_at(phone, *size)
    title = phone.page.get_by_role("heading", level=1)
    expect(title).to_have_text("Your turn, Bartholomew")
    assert lines_of(title.locator("bdi"), "Bartholomew") == 1


def test_the_end_of_the_page_is_not_under_the_bar(phone: Phone) -> None:
    open_at(phone, 180, 370, 17)
    phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = phone.page.locator("#log li").last.bounding_box()
    bar = phone.page.locator("#bar").bounding_box()
    assert last is not None
    assert bar is not None
    assert last["y"] + last["height"] <= bar["y"]


def test_you_is_read_beside_a_long_name(phone: Phone) -> None:
    open_at(phone, 360, 740, 17)
    mine = phone.page.locator(".captain.mine")
    you, card = mine.get_by_text("you", exact=True).bounding_box(), mine.bounding_box()
    name = mine.get_by_text(NAMES[0]).bounding_box()
    assert you is not None
    assert card is not None
    assert name is not None
    assert name["x"] + name["width"] <= you["x"]
    assert you["x"] + you["width"] <= card["x"] + card["width"]


def test_a_name_from_right_to_left_keeps_its_beginning(phone: Phone) -> None:
    open_at(phone, 360, 740, 17)
    name = phone.page.locator(".captain").nth(ARAB).get_by_text(NAMES[ARAB])
    assert name.evaluate("node => node.scrollWidth > node.clientWidth")  # it is cut short
    assert name.evaluate("node => getComputedStyle(node).direction") == "rtl"


@pytest.mark.parametrize("path", ["/", "/screen"])
def test_a_name_from_right_to_left_leaves_the_sentence_alone(
    phone: Phone, table: FakeTable, path: str
) -> None:
    """The headline read "s'", the name, "turn"."""
    arab, other = make_snapshot(("عمر", "Cid")).seats
    table.now = make_snapshot(seats=(arab, other))
    phone.open(path)
    title = phone.page.locator("#turn h1")
    expect(title).to_have_text("عمر’s turn")
    name, rest = title.evaluate(
        """node => [node.firstChild, node.lastChild].map(part => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return [...range.getClientRects()].map(box => [box.left, box.right]);
        })"""
    )
    assert len(rest) == 1
    assert name[-1][1] <= rest[0][0] + 1


ENLARGED = (320, 640, 34)


def right_edge(what: Locator) -> float:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"]


def test_a_sheet_can_be_closed_with_enlarged_letters(phone: Phone) -> None:
    """The button was pushed off the page by the title."""
    open_at(phone, *ENLARGED)
    phone.page.get_by_role("button", name="Menu").tap()
    close = phone.page.get_by_role("dialog").get_by_role("button", name="Close")
    assert right_edge(close) <= 320
    close.tap()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize("house", [RealHouse()])
@pytest.mark.parametrize("game", [game.info.title for game in GAMES])
def test_no_option_is_wider_than_a_small_phone(phone: Phone, house: RealHouse, game: str) -> None:
    """Long words of options broke out of the form."""
    width, height, letters = ENLARGED
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.open()
    phone.page.evaluate("px => { document.documentElement.style.fontSize = `${px}px`; }", letters)
    form = phone.page.locator("#start")
    form.get_by_role("radio", name=game, exact=True).check()
    form.locator(".fold").evaluate_all("folds => folds.forEach(fold => { fold.open = true; })")
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= width
