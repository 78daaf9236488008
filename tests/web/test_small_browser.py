"""Narrow phones, enlarged letters and long names: nothing is cut off, broken or pushed away."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from companion.rules.catalogue import GAMES
from tests.web.conftest import Phone, box_of, lines_of
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
    "page 400 %": (320, 256, 17),
}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(make_snapshot(NAMES))


def show_at(phone: Phone, width: int, height: int, letters: int) -> None:
    """Give the page this size and its letters theirs."""
    phone.page.set_viewport_size({"width": width, "height": height})
    phone.page.evaluate("px => { document.documentElement.style.fontSize = `${px}px`; }", letters)


def sit_first(phone: Phone) -> None:
    phone.open()
    phone.page.locator("dialog").get_by_role("button", name=NAMES[0]).dispatch_event("click")
    phone.page.locator(".captain.mine").wait_for()


def test_every_button_stays_on_the_page_and_no_word_of_the_headline_is_broken(
    phone: Phone,
) -> None:
    sit_first(phone)
    title = phone.page.get_by_role("heading", level=1)
    expect(title).to_have_text("Your turn, Bartholomew")
    assert lines_of(title.locator("bdi"), "Bartholomew") == 1  # on a usual phone
    for size, (width, height, letters) in SIZES.items():
        show_at(phone, width, height, letters)
        for name in ("Menu", "Undo", "Tell the table", "Turn done"):
            box = box_of(phone.page.get_by_role("button", name=name, exact=True))
            assert box["x"] >= 0, (size, name)
            assert box["x"] + box["width"] <= width, (size, name)
            assert box["y"] + box["height"] <= height, (size, name)
            assert box["height"] >= 44, (size, name)
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= width, size
        assert box_of(phone.page.locator("#bar"))["height"] < 0.4 * height, size
        assert lines_of(title.locator("bdi"), "Bartholomew") == 1, size
        if size == "small phone":  # the name of the program gives way to the round
            cut = "node => node.scrollWidth > node.clientWidth"
            assert not phone.page.locator("#round").evaluate(cut)


ENLARGED = (320, 640, 34)


def test_a_low_page_leaves_four_fifths_to_what_is_read(phone: Phone) -> None:
    """Head and bar stood on half of it."""
    sit_first(phone)
    show_at(phone, 320, 256, 17)
    assert box_of(phone.page.locator("#bar"))["height"] <= 256 / 4.8
    phone.page.evaluate("scrollTo(0, 300)")
    expect(phone.page.locator(".top")).not_to_be_in_viewport()
    show_at(phone, 360, 740, 17)
    expect(phone.page.locator(".top")).to_be_in_viewport()


def test_what_a_tap_on_the_board_tells_is_not_under_the_bar(phone: Phone) -> None:
    sit_first(phone)
    page = phone.page
    show_at(phone, 360, 640, 17)
    board, bar = page.locator("#board"), box_of(page.locator("#bar"))
    edges = box_of(board)
    page.evaluate("top => scrollTo(0, top)", edges["y"] + edges["height"] - bar["y"])
    box = box_of(board)
    assert box["y"] + box["height"] == pytest.approx(bar["y"], abs=1)  # all that is below is hidden
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    cell = page.locator("#cell")
    expect(cell).to_contain_text("G7")
    words = box_of(cell)
    assert words["y"] + words["height"] <= box_of(page.locator("#bar"))["y"]


def test_the_end_of_the_page_and_the_way_out_of_a_sheet_are_reached(phone: Phone) -> None:
    sit_first(phone)
    show_at(phone, 180, 370, 17)
    phone.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    last = box_of(phone.page.locator("#log li").last)
    assert last["y"] + last["height"] <= box_of(phone.page.locator("#bar"))["y"]

    # With enlarged letters the button that closes a sheet was pushed off the page by the title.
    show_at(phone, *ENLARGED)
    phone.page.get_by_role("button", name="Menu").tap()
    expect(phone.page.get_by_role("banner")).to_have_count(1)  # the head of a sheet is none
    close = phone.page.get_by_role("dialog").get_by_role("button", name="Close")
    assert box_of(close)["x"] + box_of(close)["width"] <= 320
    close.tap()
    expect(phone.page.get_by_role("dialog")).to_have_count(0)


def test_long_names_are_whole_and_leave_room(phone: Phone) -> None:
    sit_first(phone)
    mine = phone.page.locator(".captain.mine")
    you, card = box_of(mine.get_by_text("you", exact=True)), box_of(mine)
    assert you["x"] + you["width"] <= card["x"] + card["width"]
    assert you["y"] + you["height"] <= card["y"] + card["height"]
    # "Bartholomew" was broken before its last letter, or where "you" stood.
    for number, name in ((0, "Bartholomew"), (1, "Marie"), (1, "Bonny"), (3, "Cid")):
        assert lines_of(phone.page.locator(".called").nth(number), name) == 1

    # Also one from right to left.
    arab = phone.page.locator(".captain").nth(ARAB).get_by_text(NAMES[ARAB])
    for called in phone.page.locator(".called").all():
        assert called.evaluate(
            "node => node.scrollWidth <= node.clientWidth && node.scrollHeight <= node.clientHeight"
        )
    assert arab.evaluate("node => getComputedStyle(node).direction") == "rtl"


def test_the_buttons_of_a_usual_phone_have_one_line_each(phone: Phone) -> None:
    sit_first(phone)
    for words in ("Undo", "Tell the table", "Turn done"):
        assert lines_of(phone.page.get_by_role("button", name=words), words) == 1


def test_a_name_from_right_to_left_leaves_the_sentence_alone(
    phone: Phone, table: FakeTable
) -> None:
    """The headline read "s'", the name, "turn"."""
    arab, other = make_snapshot(("عمر", "Cid")).seats
    table.now = make_snapshot(seats=(arab, other))
    for path in ("/", "/screen"):
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


@pytest.mark.parametrize("house", [RealHouse()])
def test_no_option_is_wider_than_a_small_phone(phone: Phone) -> None:
    """Long words of options broke out of the form."""
    phone.open()
    show_at(phone, *ENLARGED)
    form = phone.page.locator("#start")
    for game in GAMES:
        form.get_by_role("radio", name=game.info.title, exact=True).check()
        form.locator(".fold").evaluate_all("folds => folds.forEach(fold => { fold.open = true; })")
        assert phone.page.evaluate("document.documentElement.scrollWidth") <= ENLARGED[0]
