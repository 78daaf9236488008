"""What is wrong with a set-up is told where it can be seen, above the button that sails."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import Phone
from tests.web.doubles import FakeHouse

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


@pytest.mark.parametrize("blank", ["", "   "])
def test_a_captain_without_a_name_is_told(phone: Phone, house: FakeHouse, blank: str) -> None:
    phone.page.set_viewport_size(SMALL)
    phone.open()
    phone.page.get_by_label("Captain 2").fill(blank)
    phone.page.get_by_role("button", name="Set sail").tap()
    fault = phone.page.get_by_role("alert").filter(has_text="Captain 2 needs a name.")
    stands_clear(phone, fault)
    field = phone.page.get_by_label("Captain 2")
    expect(field).to_be_focused()
    stands_clear(phone, field)
    assert house.opened == []
    field.fill("Bob")
    expect(fault).to_be_hidden()
    phone.page.get_by_role("button", name="Set sail").tap()
    phone.page.locator("dialog").wait_for()


def test_what_the_rules_refuse_stands_above_the_button(phone: Phone, house: FakeHouse) -> None:
    phone.page.set_viewport_size(SMALL)
    phone.open()
    phone.foresee("status of 400")  # the refusal itself
    for number in (1, 2):
        phone.page.get_by_label(f"Captain {number}").fill("Ann")
    phone.page.evaluate("scrollTo(0, 0)")
    phone.page.get_by_role("button", name="Set sail").tap()
    stands_clear(phone, phone.page.locator(".card.refusal"))
