"""The buttons on gpiozero's mock pins; the test is the finger."""

from __future__ import annotations

import threading

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.errors import HardwareError
from hardware.buttons import TURN_PIN, UNDO_PIN, Buttons


class Factory(MockFactory):
    """Mock pins with a clock of their own."""

    now_s = 0.0

    def ticks(self):
        return self.now_s


@pytest.fixture
def factory():
    made = Factory()
    yield made
    made.reset()


def press(factory, pin, down_s=0.2):
    factory.now_s += 1.0
    factory.pin(pin).drive_low()
    factory.now_s += down_s
    factory.pin(pin).drive_high()


def open_buttons(factory, **settings):
    heard = []
    settings.setdefault("undo_hold_s", 0.0)
    buttons = Buttons(
        lambda: heard.append("turn"),
        lambda: heard.append("undo"),
        pin_factory=factory,
        **settings,
    )
    return buttons, heard


def test_each_button_calls_its_own(factory):
    buttons, heard = open_buttons(factory)
    with buttons:
        press(factory, TURN_PIN)
        press(factory, UNDO_PIN)
        press(factory, TURN_PIN)
    assert heard == ["turn", "undo", "turn"]


def test_a_bouncing_contact_counts_once(factory):
    buttons, heard = open_buttons(factory)
    pin = factory.pin(TURN_PIN)
    with buttons:
        factory.now_s += 1.0
        for _ in range(4):
            pin.drive_low()
            factory.now_s += 0.004
            pin.drive_high()
            factory.now_s += 0.004
        pin.drive_low()
        factory.now_s += 0.3
        pin.drive_high()
        factory.now_s += 0.01  # the contact bounces as it opens, too
        pin.drive_low()
        pin.drive_high()
    assert heard == ["turn"]


def test_undo_must_be_held(factory):
    held = threading.Event()
    with Buttons(lambda: None, held.set, pin_factory=factory, undo_hold_s=0.02):
        pin = factory.pin(UNDO_PIN)
        pin.drive_low()
        assert held.wait(5.0)
        pin.drive_high()


def test_a_short_touch_does_not_undo(factory):
    held = threading.Event()
    with Buttons(lambda: None, held.set, pin_factory=factory, undo_hold_s=30.0):
        press(factory, UNDO_PIN)
        assert not held.is_set()


def test_close_is_idempotent_and_frees_the_pins(factory):
    buttons, heard = open_buttons(factory)
    buttons.close()
    buttons.close()
    press(factory, TURN_PIN)
    assert heard == []
    open_buttons(factory)[0].close()


def test_a_pin_in_use_names_the_button_and_frees_the_other(factory):
    with pytest.raises(HardwareError, match=r"undo button.*taken"):
        open_buttons(factory, undo_pin=TURN_PIN)
    open_buttons(factory)[0].close()


class BackendError(Exception):
    """Stands in for `lgpio.error`, which is of no kind that gpiozero knows."""


@pytest.mark.parametrize("moment", ["claimed", "listened to"])
def test_a_pin_of_another_program_names_the_button_and_frees_the_other(moment):
    """lgpio's "GPIO busy" came through as it was, and the turn pin stayed taken."""

    class Pin(MockPin):
        def __init__(self, factory, info):
            super().__init__(factory, info)
            if moment == "claimed":
                self.fail()

        def _set_when_changed(self, value):
            if moment == "listened to" and value is not None:
                self.fail()
            super()._set_when_changed(value)

        def fail(self):
            if self.info.name == UNDO_PIN and self.factory.is_busy:
                raise BackendError("'GPIO busy'")

    factory = Factory(pin_class=Pin)
    factory.is_busy = True
    with pytest.raises(HardwareError, match=r"the undo button.*GPIO busy"):
        open_buttons(factory)
    factory.is_busy = False
    open_buttons(factory)[0].close()
    factory.reset()


@pytest.mark.parametrize("pin", ["GPIO77", "nonsense", 999])
def test_an_impossible_pin_names_the_button(factory, pin):
    with pytest.raises(HardwareError, match="turn button"):
        open_buttons(factory, turn_pin=pin)


def test_negative_times_are_refused(factory):
    with pytest.raises(HardwareError, match="negative"):
        open_buttons(factory, bounce_s=-1)
