"""Privateer on phones, with the real rules and referee, in headless Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest
from playwright.sync_api import expect

from companion.cards.files import builtin_text
from companion.rules.game import CHANCE, ChanceRoll, Decision
from companion.rules.layout import CellContent, make_layout
from companion.table.commands import Act
from tests.unit.rules.privateer.voyage import lively
from tests.web.conftest import PHONE, Phone, lines_of, overlap
from tests.web.doubles import FakeTable, make_snapshot
from tests.web.real_house import RealHouse

pytestmark = pytest.mark.browser
NAMES = ("Anne", "Bart")


@pytest.fixture
def house() -> RealHouse:
    """Two captains in the Infamy set-up, the first of them dealing."""
    house = RealHouse()
    house.open("privateer", NAMES, {})
    go_on(house, lambda pending: pending.phase == "outfit")
    return house


def go_on(house: RealHouse, until: Callable[[Any], bool]) -> Any:
    """Play until something is asked; return what."""
    referee, rng = house.referee, Random(3)
    assert referee is not None
    game = referee.game
    for _ in range(400):
        pending = game.pending(referee.state)
        if until(pending):
            return pending
        player = CHANCE if isinstance(pending, ChanceRoll) else pending.player  # type: ignore[union-attr]
        action = lively(rng, referee.state, game.legal_actions(referee.state, player))
        seat = int(player) if isinstance(pending, Decision) else None
        referee.command(Act(action, seat))
    raise AssertionError("never")


def test_a_captain_deals_in_port_and_alone_sees_the_purse(
    new_phone: Callable[[], Phone], house: RealHouse
) -> None:
    """PRV-7, PRV-17: buy, upgrade, leave; the purse counts along, on one phone."""
    referee = house.referee
    assert referee is not None
    first = referee.state.turn
    mine, other = new_phone(), new_phone()
    mine.open()
    mine.sit(NAMES[first])
    deck = mine.page.locator("#deck")
    expect(deck.locator(".purse")).to_have_attribute(
        "aria-label", "Your purse: 2 gold and 0 silver; nobody else sees it"
    )
    expect(deck).not_to_contain_text("is not shown here")
    row = deck.locator(".deal:not(.none)").first
    before = sum(referee.state.seat.cargo)
    more, count = row.get_by_role("button", name="One more"), row.locator(".deal-count")
    for _ in range(9):  # for all the silver there is; the keyboard stays where it is
        more.press("Enter")
    expect(more).to_be_disabled()
    expect(more).to_be_focused()
    expect(more).to_have_css("opacity", "1")  # what is off can be read
    while count.inner_text() != "2":
        row.get_by_role("button", name="One less").click()
    # The other sits down meanwhile: what was counted stays.
    other.open()
    other.sit(NAMES[1 - first])
    mine.page.evaluate("fetch('/api/offers')")  # by then it has heard of it
    expect(row.locator(".deal-count")).to_have_text("2")
    row.locator(".deal-do").click()
    expect(deck.locator(".hold .good")).to_have_count(2)
    assert sum(referee.state.seat.cargo) == before + 2
    spent = 10 - referee.state.seat.silver
    assert spent >= 4
    deck.locator(".upgrade").first.click()
    expect(deck.locator(".step.done")).to_have_count(3)
    gold, silver = divmod(referee.state.seat.silver, 5)
    expect(deck.locator(".purse")).to_have_attribute(
        "aria-label", f"Your purse: {gold} gold and {silver} silver; nobody else sees it"
    )
    expect(other.page.locator("#deck .purse")).to_have_attribute(
        "aria-label", "Your purse: 2 gold and 0 silver; nobody else sees it"
    )
    expect(other.page.locator("#deck .deal")).to_have_count(0)
    mine.page.get_by_role("button", name="Outfit done").click()
    expect(other.page.locator("#deck .deal").first).to_be_visible()


def test_what_lies_open_is_on_every_page(phone: Phone, house: RealHouse) -> None:
    """PRV-9, PRV-51: ladder, prices, other captains' ship boards, the card just drawn."""
    phone.open()
    phone.page.get_by_role("button", name="I only watch").tap()
    page = phone.page
    expect(page.locator(".ladder")).to_have_attribute(
        "aria-label", "Infamy, first to 20: Anne 2, Bart 2"
    )
    expect(page.locator(".prices tbody tr")).to_have_count(6)
    expect(page.locator("#deck")).to_be_hidden()
    page.locator(".captain .look").first.tap()
    sheet = page.get_by_role("dialog", name="Anne")
    expect(sheet.locator(".track-row")).to_have_count(4)
    page.keyboard.press("Escape")
    go_on(house, lambda pending: pending.phase == "sail")
    expect(page.locator(".bounty h2")).to_be_visible()
    phone.open("/screen")
    expect(page.locator(".prices tbody tr")).to_have_count(6)
    expect(page.locator(".bounty h2")).to_be_visible()


def test_the_drawn_card_is_found_by_its_name(phone: Phone, house: RealHouse) -> None:
    """PRV-21: all cards of the pile are listed and searched."""
    go_on(house, lambda pending: pending.phase == "bounty")
    sheet = phone.open_sheet()
    expect(sheet.locator(".offer")).to_have_count(24)
    sheet.get_by_role("searchbox").fill("knotted")
    sheet.get_by_role("button", name="draws The Knotted Rope").tap()
    expect(phone.page.locator(".bounty h2")).to_have_text("The Knotted Rope")


def test_a_card_file_is_checked_when_it_is_chosen(
    phone: Phone, house: RealHouse, tmp_path: Path
) -> None:
    """The line at fault is shown; a good file is played with."""
    text = builtin_text("privateer-house").replace('title = "House deck"', 'title = "Ours"', 1)
    good, bad = tmp_path / "ours.toml", tmp_path / "bad.toml"
    good.write_text(text, "utf-8")
    bad.write_text(text.replace("start_silver = 10", "start_silver = -1", 1), "utf-8")
    house.referee = None
    phone.open()
    page = phone.page
    page.get_by_text("Privateer", exact=True).tap()
    page.get_by_text("Cards", exact=True).tap()
    page.get_by_label("Deck").set_input_files(str(bad))
    fault = page.locator("#option-deck-fault")
    expect(fault).to_contain_text("line 6: start_silver: must be a whole number from 0 to 99")
    expect(fault).to_contain_text("6 │ start_silver = -1")
    page.get_by_label("Deck").set_input_files(str(good))
    expect(fault).to_be_hidden()
    expect(page.get_by_text("This can be played with.")).to_be_visible()
    page.get_by_role("button", name="Set sail").tap()
    page.get_by_role("button", name="I only watch").tap()
    opened = house.referee
    assert opened is not None
    assert opened.state.deck.title == "Ours"


def speak_for_all(phone: Phone) -> None:
    phone.open()
    phone.page.get_by_role("button", name="One phone for the whole table").tap()
    expect(phone.page.locator("#deck .deal").first).to_be_visible()


def test_dealing_is_done_by_thumb_and_by_ear_and_nothing_is_pushed_off(phone: Phone) -> None:
    """Steppers are as large as a thumb; no two buttons of a port have the same name."""
    page = phone.page
    speak_for_all(phone)
    deck, prices = page.locator("#deck"), page.locator(".price-scroll")
    for stepper in deck.locator(".deal:not(.none) .stepper").all():
        box = stepper.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    names = [deal.get_attribute("aria-label") for deal in deck.locator(".deal-do").all()]
    assert all(names)
    assert len(set(names)) == len(names)
    # What the purse cannot pay is on offer here all the same, and refused.
    expect(deck).to_contain_text("is not shown here: a deal that it cannot pay is refused.")

    # PRV-17, PRV-53: who outfits stays in port; who trades leaves it.
    expect(page.get_by_role("button", name="Outfit done")).to_be_visible()

    # Every price is in view, also in the last column, of what the bank has.
    for width in (360, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert prices.evaluate("node => node.scrollWidth <= node.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # Enlarged letters push nothing off the deck.
    page.set_viewport_size(PHONE)
    page.evaluate("document.documentElement.style.fontSize = '34px'")
    wide = deck.evaluate(
        "deck => [...deck.querySelectorAll('*')].some(n => n.getBoundingClientRect().right > 360)"
    )
    assert not wide


def test_letters_of_the_board_can_be_read_and_the_rose_covers_none(
    phone: Phone, house: RealHouse
) -> None:
    go_on(house, lambda pending: pending.phase == "trade")  # a bounty card has let the wind blow
    speak_for_all(phone)
    expect(phone.page.get_by_role("button", name="Leave port")).to_be_visible()
    kinds = (".coordinate", ".port-text", ".rose-disc", ".board")
    letters, ports, (rose,), (board,) = map(phone.boxes_on_board, kinds)
    assert len(ports) == 6
    for box in letters + ports:
        assert box["height"] >= 11
        assert box["left"] >= board["left"] - 1
        assert box["right"] <= board["right"] + 1
    for k, box in enumerate(letters):
        assert not overlap(box, rose)
        assert not any(overlap(box, other) for other in ports + letters[:k])


def test_the_name_of_a_port_makes_room_for_a_ship(phone: Phone, house: RealHouse) -> None:
    """A ship before Havana lay under the name."""
    assert house.referee is not None
    profile = house.referee.profile
    cells = {profile.name_of(cell): cell for cell in profile.cells}
    port, before, beside = (cells[name] for name in ("D1", "D2", "E1"))
    table = FakeTable(make_snapshot(profile=profile.id))
    house.referee = cast("Any", table)

    def name_with_ships_on(*where: Any) -> dict[str, float]:
        table.show(layout=make_layout({cell: CellContent(("red",)) for cell in where}, ()))
        expect(phone.page.locator("#board .ship-letter")).to_have_count(len(where))
        boxes = phone.boxes_on_board(".port-text >> text=Havana")
        ships = phone.boxes_on_board(".ship-letter")
        assert not any(overlap(boxes[0], ship) for ship in ships)
        return cast("dict[str, float]", boxes[0])

    phone.page.set_viewport_size({"width": 1000, "height": 900})
    phone.open()
    phone.page.get_by_role("button", name="I only watch").click()
    usual = name_with_ships_on(port)
    aside = name_with_ships_on(port, before)
    assert aside["left"] > usual["left"]
    assert aside["bottom"] < usual["bottom"]
    assert name_with_ships_on(port, before, beside)["right"] < aside["left"]
    assert name_with_ships_on(port) == usual


@pytest.mark.parametrize("seat", ["I only watch", "Ching Shih", "Captain Teach"])
def test_names_are_read_whole_and_unbroken_beside_their_infamy(
    phone: Phone, house: RealHouse, seat: str
) -> None:
    """It read "Ching S...", as six letters had room; then "Captai", "n"."""
    house.open("privateer", ("Ching Shih", "Captain Teach", "Anne-Marie Bonny"), {})
    phone.open()
    phone.page.locator("dialog").get_by_role("button", name=seat).click()
    for called in phone.page.locator(".captain .called").all():
        assert called.evaluate("node => node.scrollHeight <= node.clientHeight")
        for word in called.inner_text().replace("-", " ").split():
            assert lines_of(called, word) == 1
