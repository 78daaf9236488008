"""Choices in *Tell the table*: under headings that fit, and by the names that people use."""

from __future__ import annotations

from dataclasses import replace

import pytest
from playwright.sync_api import Route, expect

from companion.table.snapshot import Offer
from tests.web.conftest import Phone, luminance
from tests.web.doubles import FakeTable, make_snapshot

pytestmark = pytest.mark.browser

GOODS = ("cocoa", "fruit", "sugar", "tobacco")
MERCHANT = -2


@pytest.fixture
def table() -> FakeTable:
    return FakeTable(make_snapshot(("Ann", "Bob", "Cid")))


def deed(text: str, type_: str, **fields: object) -> Offer:
    return Offer(text, {"type": type_, "player": 0, **fields})


def test_goods_are_taken_from_captains_by_name(phone: Phone, table: FakeTable) -> None:
    """Two games take: this one no treasure, and its foes were numbers."""
    table.offered = (
        *(
            deed(f"take 1 {good} from {name}", "take", foe=foe, good=good)
            for foe, name in ((1, "Bob"), (2, "Cid"), (MERCHANT, "the merchant"))
            for good in GOODS
        ),
        deed("plunder nothing", "decline"),
    )
    sheet = phone.open_sheet("Ann")
    kinds = sheet.get_by_role("group", name="What kind of thing?").get_by_role("button")
    expect(kinds).to_have_text(["Take a good12", "No1"])
    foes = sheet.get_by_role("group", name="Whom?").get_by_role("button")
    expect(foes).to_have_text(["The merchant", "Bob", "Cid"])
    foes.filter(has_text="Cid").tap()
    sheet.get_by_role("group", name="Which good?").get_by_role("button", name="Sugar").tap()
    expect(sheet.locator(".offer")).to_have_text(["take 1 sugar from Cid"])


def test_figures_and_where_they_stand_have_the_names_that_people_use(
    phone: Phone, table: FakeTable
) -> None:
    table.offered = tuple(
        deed(f"1 {figure} to {station}", "post", figure=figure, station=station)
        for figure in ("pirate-musket", "pirate-female", "first-mate")
        for station in ("guns", "castle", "floor-2")
    )
    sheet = phone.open_sheet("Ann")
    figures = sheet.get_by_role("group", name="Who?").get_by_role("button")
    expect(figures).to_have_text(["Pirate with a musket", "Female pirate", "First mate"])
    stations = sheet.get_by_role("group", name="Where?").get_by_role("button")
    expect(stations).to_have_text(["Gun deck", "Top castles", "Tower, floor 2"])


def test_kinds_and_things_are_named_in_the_words_of_their_game(
    phone: Phone, table: FakeTable
) -> None:
    """Two games press, each in its own words; what has an id alone is listed by its words."""
    prizes = tuple(deed(f"press {q},0", "press", cell=f"{q},0") for q in range(1, 7))
    table.offered = (deed("scuttle", "scuttle"), *prizes)
    sheet = phone.open_sheet("Ann")
    kinds = sheet.get_by_role("group", name="What kind of thing?").get_by_role("button")
    expect(kinds.filter(has_text="Press into service")).to_be_visible()
    fights = tuple(deed(f"press with {count}", "press", count=count) for count in range(2, 8))
    table.offered = (deed("scuttle", "scuttle"), *fights)
    table.show()
    expect(kinds.filter(has_text="Fight on")).to_be_visible()

    for field, ids, title in (
        ("relic", ("widow-maker", "bell"), "Culverin"),
        ("upgrade", ("fort:castillo", "fort:redoubt"), "Castillo"),
    ):
        table.offered = tuple(
            deed(f"take {words} for {number} silver", "bargain", count=number, **{field: one})
            for one, words in zip(ids, (f"The Widow's {title}", "The Bell"), strict=True)
            for number in range(1, 5)
        )
        table.show()
        expect(sheet.locator(".offer", has_text=title)).to_have_count(4)
        expect(sheet.locator(".offer")).to_have_count(8)
        expect(sheet.get_by_text("Widow maker")).to_have_count(0)
        expect(sheet.get_by_text("Fort:castillo")).to_have_count(0)


def test_a_few_things_are_all_listed_whatever_their_kinds(phone: Phone, table: FakeTable) -> None:
    """Of a third ship, her two places hid that one may do without her."""
    third = [deed(f"a third ship on {q},0", "buy_third", cell=f"{q},0") for q in (1, 2)]
    table.offered = (*third, deed("no third ship", "pass"))
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".offer")).to_have_text([offer.text for offer in table.offered])
    expect(sheet.get_by_role("group", name="What kind of thing?")).to_have_count(0)


WAYS = {"4,0": ("1,0", "2,0", "4,-4"), "4,-1": ("1,-1", "2,-1", "4,-3")}


def ways_of_two_ships() -> tuple[Offer, ...]:
    return tuple(
        replace(deed(f"{ship} to {to}", "sail", ship=ship, die=die, direction=way), to=to)
        for ship, goals in WAYS.items()
        for to, die, way in zip(goals, (3, 2, 4), ("W", "W", "NE"), strict=True)
    )


def test_a_ship_is_tapped_on_the_board_and_then_where_she_goes(
    phone: Phone, table: FakeTable
) -> None:
    """Her die and her direction had to be found below the board, three taps for what one says."""
    sails = ways_of_two_ships()
    table.offered = (*sails, deed("4,0 off the map", "sail", ship="4,0", die=3, direction="E"))
    sheet = phone.open_sheet("Ann")
    asked, targets = sheet.locator(".filters .small").first, sheet.locator(".target")
    expect(asked).to_contain_text("Which ship?")
    expect(targets).to_have_count(2)
    targets.first.tap()
    expect(asked).to_contain_text("Where to?")
    expect(targets).to_have_count(3)
    targets.nth(1).tap()
    expect(sheet.locator(".offer")).to_have_text(["4,0 to 2,0"])
    targets.nth(2).tap()  # no, there
    expect(sheet.locator(".offer")).to_have_text(["4,0 to 4,-4"])
    expect(sheet.get_by_role("group", name="Where to?")).to_have_count(0)  # on the board alone

    # Of many shots one hits: its target is tapped.
    shots = tuple(
        deed(f"fire {die} {way} from {ship}", "fire", ship=ship, die=die, direction=way)
        for ship in WAYS
        for die in (2, 4)
        for way in ("E", "NE", "NW", "W")
    )
    table.offered = (replace(shots[0], to="0,0"), *shots[1:])
    table.show()
    targets.nth(1).tap()  # she hits nothing: of her is asked no target
    expect(asked).to_contain_text("Which ship?")
    targets.first.tap()
    expect(asked).to_contain_text("At whom?")
    targets.tap()
    expect(sheet.locator(".offer")).to_have_text(["fire 2 E from 4,0"])


def test_cells_of_the_board_are_pressed_by_keyboard(phone: Phone, table: FakeTable) -> None:
    """Where a ship goes is on the board alone, and no key came to it."""
    table.offered = (*ways_of_two_ships(), deed("4,0 off the map", "sail", ship="4,0", die=3))
    sheet, keys = phone.open_sheet("Ann"), phone.page.keyboard
    focused = phone.page.locator(":focus")
    sheet.get_by_role("button", name="Close").focus()
    keys.press("Tab")
    expect(focused).to_have_attribute("aria-label", "F11: Red ship")
    keys.press("Tab")  # of the board a single stop: on to the list below it
    expect(focused).to_have_text("G11")
    keys.press("Shift+Tab")
    keys.press("ArrowRight")
    expect(focused).to_have_attribute("aria-label", "G11: Red ship")
    keys.press("Enter")

    # On the board that was drawn anew: row by row, or to the nearest.
    expect(sheet.locator(".filters .small").first).to_contain_text("Where to?")
    first, second, third = "C11: open sea", "G8: open sea", "G9: open sea"
    expect(focused).to_have_attribute("aria-label", first)
    for key, name in (("ArrowRight", second), ("ArrowRight", third), ("ArrowUp", first)):
        keys.press(key)
        expect(focused).to_have_attribute("aria-label", name)
    keys.press("ArrowDown")
    expect(focused).to_have_attribute("aria-label", third)
    keys.press("Space")
    expect(sheet.locator(".offer")).to_have_text(["4,0 to 2,0"])
    expect(focused).to_have_attribute("aria-pressed", "true")
    expect(focused).to_have_role("button")


def test_the_focus_stays_in_a_sheet_that_stays(phone: Phone, table: FakeTable) -> None:
    """The chosen answer went, and the focus with it: the next tab began behind the sheet."""
    sails = [deed(f"sail {way}", "sail", direction=way) for way in ("E", "W", "NE")]
    table.offered = tuple(sails)
    sheet = phone.open_sheet("Ann")
    sheet.get_by_role("button", name="sail W").focus()
    phone.page.keyboard.press("Enter")
    expect(sheet).to_contain_text("Told: sail W")
    table.offered = (sails[0], sails[2])
    table.show()
    expect(sheet.locator(".offer")).to_have_count(2)
    expect(sheet.get_by_role("heading", name="Tell the table")).to_be_focused()


def test_what_is_printed_on_a_card_is_told_with_it_and_searched(
    phone: Phone, table: FakeTable
) -> None:
    """Who plays with a house deck bought ships of which the price alone was told."""
    table.offered = tuple(
        replace(deed(f"buy {name}", "buy_ship", card=name), printed=f"{masts} masts, moves S+L")
        for masts, name in enumerate(("Tern", "Gull", "Crow", "Owl", "Rook", "Wren", "Kite"), 1)
    )
    sheet = phone.open_sheet("Ann")
    expect(sheet.get_by_role("button", name="buy Crow")).to_contain_text("3 masts, moves S+L")
    sheet.get_by_role("searchbox").fill("5 masts")
    expect(sheet.locator(".offer")).to_contain_text(["buy Rook"])
    expect(sheet.locator(".offer")).to_have_count(1)


def test_the_search_can_be_read_and_does_not_speak_of_choices_without_a_hit(
    phone: Phone, table: FakeTable
) -> None:
    table.offered = tuple(
        deed(f"take {good} at {n}", "bargain", good=good, count=n)
        for good in GOODS
        for n in range(1, 5)
    )
    sheet = phone.open_sheet("Ann")
    search = sheet.get_by_role("searchbox")
    expect(sheet.get_by_role("button", name="Fruit")).to_be_visible()
    # What stands in an empty field is at least 4.5 times as light as its ground, or as dark.
    words, ground = search.evaluate(
        """node => [getComputedStyle(node, '::placeholder').color,
                    getComputedStyle(node).backgroundColor]"""
    )
    assert (luminance(words) + 0.05) / (luminance(ground) + 0.05) >= 4.5

    search.fill("rum")
    expect(sheet.locator(".results")).to_have_text("Nothing fits. Search for other words.")
    search.fill("")
    sheet.get_by_role("button", name="Fruit").tap()
    search.fill("rum")
    expect(sheet.locator(".results")).to_have_text("Nothing fits. Take a choice back.")


def test_what_is_typed_before_the_answer_is_searched_for(phone: Phone, table: FakeTable) -> None:
    """The search broke while the table was still asked."""
    table.offered = tuple(deed(f"take {good}", good, count=n) for n, good in enumerate(GOODS * 2))
    asked: list[Route] = []
    phone.page.route("**/api/offers", lambda route: asked.append(route))  # the rules think
    sheet = phone.open_sheet("Ann")
    expect(sheet).to_contain_text("Asking the table …")
    sheet.get_by_role("searchbox").fill("sugar")
    # A moment of the same version comes meanwhile: it is no reason to ask again.
    table.show(version=table.now.version, pending="Look up!")
    expect(phone.page.locator("#turn")).to_contain_text("Look up!")
    asked[0].continue_()
    expect(sheet.get_by_role("group", name="What kind of thing?")).to_be_visible()
    expect(sheet.get_by_role("searchbox", include_hidden=True)).to_have_value("sugar")
    assert len(asked) == 1


def test_letters_on_fleets_and_goods_can_be_read(phone: Phone) -> None:
    """White on green the letter was but 3.5 times as light as its ground; 4.5 can be read."""
    phone.open("/join")
    painted = phone.page.evaluate(
        """async () => {
            const { href } = document.querySelector("link[rel=stylesheet]");
            const { FLEETS } = await import(new URL("js/fleet.js", href));
            const { goodSign } = await import(new URL("js/goods.js", href));
            const signs = ["rum", "paprika", "cinnamon", "tobacco", "sugar", "fruit"].map(goodSign);
            const part = (sign, name) => sign.querySelector(name).getAttribute("fill");
            const pairs = [
                ...Object.values(FLEETS).flatMap((one) => (one.dark ? [] : [["#fff", one.fill]])),
                ...signs.map((sign) => [part(sign, "text"), part(sign, "path")]),
            ];
            const named = (colour) => {
                document.body.style.color = colour;
                return getComputedStyle(document.body).color;
            };
            return pairs.map((pair) => pair.map(named));
        }"""
    )
    assert len(painted) == 14
    for pair in painted:
        dark, light = sorted(map(luminance, pair))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, pair


def test_a_sheet_may_be_closed_while_it_asks_the_table(phone: Phone) -> None:
    """The answer was drawn on a sheet that was there no more."""
    held: list[Route] = []
    phone.page.route("**/api/offers", lambda route: held.append(route))
    phone.open()
    phone.sit("Ann")
    with phone.page.expect_request("**/api/offers"):
        phone.tell()
    phone.page.keyboard.press("Escape")
    expect(phone.page.get_by_role("dialog")).to_have_count(0)
    with phone.page.expect_response("**/api/offers"):
        held[0].continue_()
    phone.tell()  # that nothing went wrong meanwhile is seen by the phone
