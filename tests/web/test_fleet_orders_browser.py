"""Orders on a phone, ship by ship: what each can still do, chosen on the board or in the list."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from companion.rules.layout import Pose, make_layout
from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.fleet_at_sea import ORDERS, PARTY, PIECES, RAVEN, WOLF, Bleeding, act, at_sea

pytestmark = pytest.mark.browser


@pytest.fixture
def table() -> FakeTable:
    table = FakeTable(at_sea())
    table.offered = ORDERS
    return table


@pytest.fixture
def house(table: FakeTable) -> Any:
    return FakeHouse(table)


def heading_of(sheet: Locator, name: str) -> Locator:
    return sheet.locator(".group h3 button", has_text=name)


def group(sheet: Locator, name: str) -> Locator:
    return sheet.locator("section.group", has_text=name)


def told_acts(table: FakeTable) -> list[Any]:
    return [told["action"] for told in table.told if told["type"] == "act"]


def test_choices_are_grouped_by_ship_counted_and_searched(phone: Phone) -> None:
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".group")).to_have_count(2)
    wolf = group(sheet, "The Sea Wolf")
    expect(wolf).to_contain_text("Fire a gun 9 · Load a gun 1")
    expect(wolf.get_by_label("10 things to tell")).to_be_visible()
    expect(group(sheet, "The Raven")).to_contain_text("Load a gun 2")
    expect(sheet.get_by_role("button", name="Ann: no more tasks")).to_be_visible()
    expect(sheet.locator(".offer")).to_have_count(1)
    expect(sheet.locator(".target")).to_have_count(2)

    sheet.get_by_role("searchbox").fill("loads gun")  # of all ships
    expect(sheet.locator(".group")).to_have_count(0)
    expect(sheet.locator(".results .offer")).to_have_count(3)
    sheet.get_by_role("searchbox").fill("")
    expect(sheet.locator(".group")).to_have_count(2)


def test_a_group_opens_narrows_down_and_closes(phone: Phone, table: FakeTable) -> None:
    sheet = phone.open_sheet("Ann")
    heading = heading_of(sheet, "The Sea Wolf")
    expect(heading).to_have_attribute("aria-expanded", "false")
    heading.tap()
    wolf = group(sheet, "The Sea Wolf")
    expect(heading).to_have_attribute("aria-expanded", "true")
    expect(heading).to_be_focused()
    expect(sheet.locator(".pointed")).to_have_count(1)
    wolf.get_by_role("button", name="Gun 2", exact=True).tap()
    targets = wolf.get_by_role("group", name="At whom?").get_by_role("button")
    expect(targets).to_have_text(["The Raven", "The Pike", "The landing party"])
    targets.filter(has_text="Pike").tap()
    expect(wolf.locator(".offer.strong")).to_have_text("the Sea Wolf fires gun 2 at the Pike")
    heading.tap()
    expect(heading).to_have_attribute("aria-expanded", "false")
    expect(sheet.locator(".pointed")).to_have_count(0)
    assert not told_acts(table)

    sheet.locator(".target").nth(1).tap()  # a ship on the board
    expect(heading_of(sheet, "The Raven")).to_have_attribute("aria-expanded", "true")
    expect(group(sheet, "The Raven").locator(".offer")).to_have_count(2)


def test_the_board_leads_to_orders_which_go_on_until_the_phase_is_over(
    phone: Phone, table: FakeTable
) -> None:
    phone.open()
    phone.sit("Ann")
    page = phone.page
    ship = page.locator('#board [data-tag="2"]')
    ship.evaluate("ship => { ship.dataset.isTheSame = '' }")
    table.show(health={"ring": "Check the cable."})
    expect(page.locator("#health")).to_contain_text("Check the cable.")
    # A moment that changes nothing on the board leaves what a finger may be on.
    expect(ship).to_have_attribute("data-is-the-same", "")
    ship.tap()
    expect(page.locator("#cell")).to_contain_text("the Raven, ship of Red")
    page.locator("#cell").get_by_role("button", name="Give orders").tap()
    sheet = page.get_by_role("dialog", name="Tell the table")
    raven = heading_of(sheet, "The Raven")
    expect(raven).to_have_attribute("aria-expanded", "true")

    sheet.get_by_role("button", name="the Raven loads gun 1").tap()
    expect(sheet.get_by_role("status")).to_have_text("Told: the Raven loads gun 1")
    table.offered = tuple(offer for offer in ORDERS if offer.text != "the Raven loads gun 1")
    table.show()
    expect(group(sheet, "The Raven").locator(".offer")).to_have_count(1)
    expect(raven).to_have_attribute("aria-expanded", "true")
    table.show(phase="firing")
    expect(sheet).to_be_hidden()


def test_what_was_told_is_said_until_the_next_is_chosen_or_told_elsewhere(
    phone: Phone, table: FakeTable
) -> None:
    """It stood above the orders of the next captain, on a phone for the whole table."""
    sheet = phone.open_sheet("Ann")
    said = sheet.get_by_role("status")
    raven = heading_of(sheet, "The Raven")
    raven.tap()
    load = sheet.get_by_role("button", name="the Raven loads gun 1")
    load.tap()
    expect(said).to_have_text("Told: the Raven loads gun 1")
    heading_of(sheet, "The Sea Wolf").tap()
    expect(said).to_be_hidden()

    raven.tap()
    load.tap()
    expect(said).to_be_visible()
    table.show()  # another phone has told something
    expect(said).to_be_hidden()
    expect(load).to_be_visible()


def test_another_captains_ship_takes_no_orders(phone: Phone, table: FakeTable) -> None:
    ann, bob = table.now.seats
    table.show(seats=(replace(ann, taken=True), bob))
    phone.open()
    phone.sit("Bob")
    page = phone.page
    page.locator('#board [data-tag="1"]').tap()
    expect(page.locator("#cell")).to_contain_text("the Sea Wolf")
    expect(page.get_by_role("button", name="Give orders")).to_have_count(0)


def test_figures_ashore_are_no_land_and_names_do_not_cover_one_another(
    phone: Phone, table: FakeTable
) -> None:
    # Side by side, as in a boarding: one name under each ship would cover the other.
    beside = {**PIECES, RAVEN: replace(PIECES[RAVEN], pose=Pose(240.0, 240.0, 30.0))}
    table.show(layout=make_layout({}, (), beside))
    phone.open()
    phone.sit("Ann")
    board = phone.page.locator("#board")
    expect(board.locator(f'.layer-ships [data-tag="{PARTY}"] .figure')).to_have_count(3)
    expect(board.locator(".layer-land .land-piece")).to_have_count(1)

    names = board.locator(".open-name")
    expect(names).to_have_count(5)
    boxes = phone.boxes_on_board(".open-name")
    size = "all => all.map(n => n.getScreenCTM().a * parseFloat(n.getAttribute('font-size')))"
    assert min(names.evaluate_all(size)) >= 11
    # Without its letter a small hull tells its fleet by the colour alone.
    assert min(board.locator(".open-letter text").evaluate_all(size)) >= 9.5
    for k, one in enumerate(boxes):
        for other in boxes[:k]:
            wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
            high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
            assert wide <= 1 or high <= one["height"] - 11, (one, other)  # the rest is room above


@pytest.mark.parametrize("table", [Bleeding({"Pirate": 3, "Cook": 2}, 1)])
def test_losses_are_named_at_one_go(phone: Phone, table: Bleeding) -> None:
    sheet = phone.open_sheet("Ann")
    more = sheet.get_by_role("button", name="One more: Pirate · Deck")
    more.focus()
    for _ in range(2):  # one more than fall
        phone.page.keyboard.press("Enter")
    expect(more).to_be_disabled()
    expect(more).to_be_focused()  # though it came to its end
    expect(sheet).to_contain_text("1 of 1 named.")

    table.bleed({"Pirate": 3, "First-mate": 1, "Cook": 2}, 3)
    expect(sheet).to_contain_text("0 of 3 named.")
    go = sheet.get_by_role("button", name="So be it")
    expect(go).to_be_disabled()
    for row in ("Pirate · Deck", "Pirate · Deck", "First mate · Deck"):
        sheet.get_by_role("button", name=f"One more: {row}").tap()
    expect(sheet.get_by_role("button", name="One more: Cook · Deck")).to_be_disabled()
    sheet.get_by_role("button", name="One fewer: First mate · Deck").tap()
    sheet.get_by_role("button", name="One more: Cook · Deck").tap()
    go.tap()
    expect(sheet).to_be_hidden()
    expect(phone.page.locator("#turn")).to_contain_text("Nobody else falls.")
    assert table.crew == {"Pirate": 1, "First-mate": 1, "Cook": 1}


@pytest.mark.parametrize("table", [Bleeding({"Pirate": 14, "Cook": 3}, 11)])
def test_as_many_as_may_be_are_named_by_one_tap(phone: Phone, table: Bleeding) -> None:
    """Eleven figures were eleven taps, and of which ship they were stood below the sheet."""
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".asks")).to_have_text("Say which 11 fall.")
    sheet.get_by_role("button", name="One more: Cook · Deck").tap()
    sheet.get_by_role("button", name="As many as may be: Pirate · Deck").tap()
    expect(sheet).to_contain_text("11 of 11 named.")
    sheet.get_by_role("button", name="As many as may be: Cook · Deck").tap()  # no more than that
    sheet.get_by_role("button", name="So be it").tap()
    expect(phone.page.locator("#turn")).to_contain_text("Nobody else falls.")
    assert table.crew == {"Pirate": 4, "Cook": 2}


@pytest.mark.parametrize("table", [Bleeding({"Pirate": 2, "Cook": 2}, 3)])
def test_what_falls_by_itself_is_not_told_any_more(phone: Phone, table: Bleeding) -> None:
    sheet = phone.open_sheet("Ann")
    for row in ("Pirate · Deck", "Pirate · Deck", "Cook · Deck"):
        sheet.get_by_role("button", name=f"One more: {row}").tap()
    sheet.get_by_role("button", name="So be it").tap()
    expect(phone.page.locator("#turn")).to_contain_text("Nobody else falls.")
    assert [action["figure"] for action in told_acts(table)] == ["Pirate"]


def test_while_moves_are_measured_ships_are_put_down_held_and_sent(
    phone: Phone, table: FakeTable
) -> None:
    without = {tag: piece for tag, piece in PIECES.items() if tag != WOLF}
    table.show(layout=make_layout({}, (), without), phase="place_ship", measured=True)
    table.offered = ()  # more places than a list holds
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".target")).to_have_count(1)  # the Raven stands already
    sheet.get_by_role("button", name="Put down: The Sea Wolf").tap()
    expect(sheet.locator(".held .open-hull")).to_be_visible()
    grip = sheet.locator(".held .grip").bounding_box()
    assert grip is not None
    assert grip["width"] >= 24

    # A tap on the board does not scroll away from the ship that will be dragged.
    table.offered = ORDERS
    table.show(phase="move", layout=make_layout({}, (), PIECES))
    expect(sheet.locator(".target")).to_have_count(2)
    sheet.locator(".target").nth(1).tap()
    expect(heading_of(sheet, "The Raven")).to_have_attribute("aria-expanded", "true")
    expect(sheet.locator(".held .open-hull")).to_be_in_viewport()


def test_nobody_is_invited_to_move_ships_on_anothers_turn(phone: Phone, table: FakeTable) -> None:
    """The sea stood there to be dragged on, above the words that there was nothing to tell."""
    table.offered = ()
    ann, bob = table.now.seats
    table.show(measured=True, seats=(replace(ann, taken=True), bob))
    sheet = phone.open_sheet("Bob")
    expect(sheet).to_contain_text("There is nothing to tell the table now: it is Ann’s turn.")
    expect(sheet.locator("svg.board")).to_have_count(0)
    phone.page.keyboard.press("Escape")
    phone.pass_on("Ann")
    expect(phone.tell().locator("svg.board")).to_be_visible()


def test_a_few_choices_of_several_ships_are_all_listed(phone: Phone, table: FakeTable) -> None:
    """Whose ship stays idle was asked ship by ship: each had to be opened for its one answer."""
    table.offered = tuple(
        act(f"{name} stays idle", ship, "idle")
        for ship, name in ((WOLF, "the Sea Wolf"), (RAVEN, "the Raven"))
    )
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".offer")).to_have_text(
        ["the Sea Wolf stays idle", "the Raven stays idle"]
    )
    expect(sheet.locator(".group")).to_have_count(0)


def test_a_ship_that_is_off_the_table_is_named_and_not_put_down(
    phone: Phone, table: FakeTable
) -> None:
    without = {tag: piece for tag, piece in PIECES.items() if tag != WOLF}
    table.show(phase="turn", layout=make_layout({}, (), without), measured=True)
    table.offered = (
        act("the Sea Wolf looks for a way out of the fog", WOLF, "leave_fog"),
        act("the Raven sails on", RAVEN, "sail", path=[[420.0, 330.0, 90.0]]),
    )
    sheet = phone.open_sheet("Ann")
    expect(heading_of(sheet, "The Sea Wolf")).to_be_visible()
    expect(sheet.locator(".target")).to_have_count(1)
    expect(sheet.get_by_role("button", name="Put down")).to_have_count(0)


def test_the_usual_places_are_tapped_on_the_board(phone: Phone, table: FakeTable) -> None:
    table.show(phase="move", measured=True)
    table.offered = (
        act("the Sea Wolf sails on", WOLF, "sail", path=[[300.0, 260.0, 30.0]]),
        act("the Sea Wolf turns", WOLF, "sail", path=[[240.0, 225.0, 30.0], [250.0, 330.0, 90.0]]),
        act("the Raven sails on", RAVEN, "sail", path=[[420.0, 330.0, 90.0]]),
    )
    sheet = phone.open_sheet("Ann")
    expect(sheet.locator(".group")).to_have_count(2)  # what was offered has come
    expect(sheet.locator(".goal")).to_have_count(0)
    sheet.locator(".target").first.tap()
    expect(sheet.locator(".goal")).to_have_count(2)
    sheet.locator(".goal .touch").nth(1).tap()
    expect(sheet.locator(".goal.picked")).to_have_count(1)
    sheet.locator(".told-board .offer").tap()
    expect(sheet.get_by_role("status")).to_have_text("Told: the Sea Wolf turns")
    assert [action["path"][-1] for action in told_acts(table)] == [[250.0, 330.0, 90.0]]


def test_what_the_next_captain_may_say_begins_at_the_top(phone: Phone, table: FakeTable) -> None:
    """On a phone for the whole table the list stayed where the captain before had scrolled it."""

    def places(name: str) -> tuple[Any, ...]:
        poses = [[300.0, 20.0 * k, 0.0] for k in range(20)]
        return tuple(
            act(f"{name} sails to {x}, {y}", WOLF, "sail", path=[[x, y, h]]) for x, y, h in poses
        )

    table.show(phase="place_ship", measured=True)
    table.offered = places("the Wolf")
    sheet = phone.open_sheet()
    last = sheet.get_by_role("button", name="the Wolf sails to 300.0, 380.0")
    last.tap()
    scrolled = "node => node.scrollTop"
    assert sheet.evaluate(scrolled) > 300
    ann, *others = table.now.seats
    table.offered = places("she")
    table.show()  # the same captain goes on where she is
    expect(sheet.get_by_role("button", name="she sails to 300.0, 380.0")).to_be_attached()
    assert sheet.evaluate(scrolled) > 300
    table.offered = places("the next")
    table.show(seats=(replace(ann, asked=False), *(replace(one, asked=True) for one in others)))
    expect(sheet.get_by_role("button", name="the next sails to 300.0, 380.0")).to_be_attached()
    assert sheet.evaluate(scrolled) == 0


def test_orders_are_given_by_keyboard(phone: Phone, table: FakeTable) -> None:
    sheet = phone.open_sheet("Ann")
    keys, focused = phone.page.keyboard, phone.page.locator(":focus")
    expect(focused).to_have_text("Tell the table")
    expect(heading_of(sheet, "The Raven")).to_be_visible()  # what was offered has come
    for expected in ("Close", "Search"):
        keys.press("Tab")
        expect(focused).to_have_attribute("aria-label", expected)
    keys.press("Tab")
    expect(focused).to_have_attribute("aria-expanded", "false")
    keys.press("Tab")
    expect(focused).to_contain_text("The Raven")
    keys.press("Enter")
    expect(heading_of(sheet, "The Raven")).to_have_attribute("aria-expanded", "true")
    expect(focused).to_contain_text("The Raven")
    keys.press("Tab")
    expect(focused).to_have_text("the Raven loads gun 1")
    keys.press("Enter")
    expect(sheet.get_by_role("status")).to_have_text("Told: the Raven loads gun 1")
    assert [action["gun"] for action in told_acts(table)] == [0]

    # What was pressed keeps the focus.
    heading_of(sheet, "The Sea Wolf").tap()
    gun = sheet.get_by_role("button", name="Gun 3", exact=True)
    kind = sheet.locator(".tabs button", has_text="Load a gun")
    sheet.locator(".tabs button", has_text="Fire a gun").tap()  # guns were loaded before
    for pressed, state in ((gun, "true"), (gun, "false"), (kind, "true")):
        pressed.focus()
        keys.press("Enter")
        expect(pressed).to_have_attribute("aria-pressed", state)
        expect(pressed).to_be_focused()
