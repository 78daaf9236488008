"""The buttons on gpiozero's mock pins; the test is the finger."""

from __future__ import annotations

import errno
import threading

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from companion.errors import HardwareError
from hardware import buttons, pins
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


def press(factory, pin):
    factory.now_s += 1.0
    factory.pin(pin).drive_low()
    factory.now_s += 0.2
    factory.pin(pin).drive_high()


def open_buttons(factory):
    turns, undone = [], threading.Event()
    opened = Buttons(lambda: turns.append("turn"), lambda: undone.set, pin_factory=factory)
    return opened, turns, undone


def test_turn_acts_when_pressed(factory):
    opened, turns, undone = open_buttons(factory)
    with opened:
        press(factory, TURN_PIN)
        press(factory, TURN_PIN)
    assert turns == ["turn", "turn"]
    assert not undone.is_set()


def test_a_bouncing_contact_counts_once(factory):
    opened, turns, _ = open_buttons(factory)
    pin = factory.pin(TURN_PIN)
    with opened:
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
    assert turns == ["turn"]


def test_undo_must_be_held(factory, monkeypatch):
    monkeypatch.setattr(buttons, "UNDO_HOLD_S", 0.02)
    opened, turns, undone = open_buttons(factory)
    with opened:
        factory.pin(UNDO_PIN).drive_low()
        assert undone.wait(5.0)
        factory.pin(UNDO_PIN).drive_high()
    assert turns == []


def test_undo_is_meant_of_what_is_shown_as_it_goes_down(factory, monkeypatch):
    """What was counted while it was held was taken back."""
    monkeypatch.setattr(buttons, "UNDO_HOLD_S", 0.02)
    shown, meant, undone = ["a move"], [], threading.Event()

    def touch():
        seen = list(shown)
        return lambda: (meant.append(seen), undone.set())

    with Buttons(lambda: None, touch, pin_factory=factory):
        factory.pin(UNDO_PIN).drive_low()
        shown.append("another")
        assert undone.wait(5.0)
    assert meant == [["a move"]]


def test_undo_that_went_down_before_it_was_listened_to_is_let_be(factory, monkeypatch):
    """gpiozero's thread that waits for the hold ended, and undo was dead from then on."""
    monkeypatch.setattr(buttons, "UNDO_HOLD_S", 0.02)
    waited, undone = threading.Event(), threading.Event()

    def listen(button, touch):
        factory.pin(UNDO_PIN).drive_low()
        buttons_listen(button, touch)
        held = button.when_held
        button.when_held = lambda: (held(), waited.set())

    buttons_listen = buttons._on_hold
    monkeypatch.setattr(buttons, "_on_hold", listen)
    with Buttons(lambda: None, lambda: undone.set, pin_factory=factory):
        assert waited.wait(5.0)
        assert not undone.is_set()


def test_a_press_that_goes_wrong_is_not_the_last_that_is_heard(factory, monkeypatch, caplog):
    """What was raised ended gpiozero's thread."""
    monkeypatch.setattr(buttons, "UNDO_HOLD_S", 0.02)
    turns, tried, undone = [], threading.Event(), threading.Event()

    def turn():
        turns.append("turn")
        raise ZeroDivisionError

    def go_wrong():
        tried.set()
        raise ZeroDivisionError

    meant = [go_wrong, undone.set]
    with Buttons(turn, lambda: meant.pop(0), pin_factory=factory):
        press(factory, TURN_PIN)
        press(factory, TURN_PIN)
        for is_done in (tried, undone):
            factory.pin(UNDO_PIN).drive_low()
            assert is_done.wait(5.0)
            factory.pin(UNDO_PIN).drive_high()
    assert turns == ["turn", "turn"]
    assert caplog.text.count("a press was not carried out") == 3


def test_a_short_touch_does_not_undo(factory, monkeypatch):
    monkeypatch.setattr(buttons, "UNDO_HOLD_S", 30.0)
    opened, _, undone = open_buttons(factory)
    with opened:
        press(factory, UNDO_PIN)
        assert not undone.is_set()


def test_close_is_idempotent_and_frees_the_pins(factory):
    opened, turns, _ = open_buttons(factory)
    with opened as entered:
        assert entered is opened
    press(factory, TURN_PIN)
    assert turns == []
    open_buttons(factory)[0].close()
    opened.close()


def test_a_pin_in_use_names_the_button_and_frees_the_other(factory):
    with (
        gpiozero.Button(UNDO_PIN, pin_factory=factory),
        pytest.raises(HardwareError, match=r"undo button.*taken"),
    ):
        open_buttons(factory)
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
    with pytest.raises(HardwareError, match=r"the undo button.*GPIO busy") as refused:
        open_buttons(factory)
    factory.is_busy = False
    open_buttons(factory)[0].close()
    assert refused.value.__cause__  # kept until now, as Python 3.13 keeps it by itself
    factory.reset()


@pytest.mark.parametrize(
    ("found", "words"),
    [(None, "sudo apt install python3-lgpio"), ("lgpio", "group gpio.*write in the folder")],
)
def test_where_no_pins_can_be_reached_what_is_amiss_is_told(monkeypatch, found, words):
    """Whoever had lgpio was told to install it."""
    monkeypatch.setattr(pins, "find_spec", lambda _: found)
    with (
        pytest.raises(HardwareError, match=words),
        pins.named_pin_errors("the turn button"),
    ):
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")


@pytest.mark.parametrize("backend", ["gpiozero.pins.native", "gpiozero.pins.rpigpio"])
def test_a_backend_that_opens_and_gives_no_pins_is_told_like_none(monkeypatch, backend):
    """On a Pi 3 or 4 without lgpio all that was said was "Invalid argument"."""

    class Pin(MockPin):
        def _set_edges(self, value):
            if value != "none":
                raise OSError(errno.EINVAL, "Invalid argument")

    makeshift = type("Makeshift", (Factory,), {"__module__": backend})
    monkeypatch.setattr(gpiozero.Device, "pin_factory", makeshift(pin_class=Pin))
    monkeypatch.setattr(pins, "find_spec", lambda _: None)
    with pytest.raises(HardwareError, match=r"the turn button.*apt install python3-lgpio"):
        open_buttons(None)
