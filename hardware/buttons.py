"""The two buttons of the table, through gpiozero: turn (pressed) and undo (held)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import gpiozero

from hardware.pins import named_pin_errors

_LOG = logging.getLogger(__name__)

Press = Callable[[], None]
"""Called from gpiozero's thread; must return soon."""
Touch = Callable[[], Press]
"""Likewise; returns what is to be done if the button is held."""

TURN_PIN = "GPIO5"
UNDO_PIN = "GPIO6"
BOUNCE_S = 0.05
UNDO_HOLD_S = 0.6


class Buttons:
    """Turn and undo. Each button closes its pin to ground; the pull-up inside the Pi is used.

    Undo must be held, so that an elbow does not take back a move; turn acts when pressed.
    A contact that bounces counts once. What a press raises is only noted.

    Parameters
    ----------
    on_turn : called once for each press.
    on_undo : called when the button goes down, for it is meant of what is shown then; what it
        returns is called once the button has been held.
    pin_factory : gpiozero's (a `MockFactory` in the demo and in tests); ``None`` for its default.
    bounce_s : a press within this time of the last change is no press.

    Raises
    ------
    HardwareError
        if a pin cannot be used; the message names the button and the reason.
    """

    def __init__(
        self,
        on_turn: Press,
        on_undo: Touch,
        *,
        pin_factory: Any = None,
        bounce_s: float = BOUNCE_S,
    ) -> None:
        with ExitStack() as opened:  # if one cannot be used, the other is free again
            with named_pin_errors("the turn button"):
                self._turn = opened.enter_context(
                    gpiozero.Button(TURN_PIN, pin_factory=pin_factory)
                )
                _on_press(self._turn, on_turn, bounce_s)
            with named_pin_errors("the undo button"):
                self._undo = opened.enter_context(
                    gpiozero.Button(UNDO_PIN, hold_time=UNDO_HOLD_S, pin_factory=pin_factory)
                )
                _on_hold(self._undo, on_undo)
            opened.pop_all()

    def close(self) -> None:
        """Free both pins; may be called twice."""
        try:
            self._turn.close()
        finally:
            self._undo.close()

    def __enter__(self) -> Buttons:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _on_hold(button: Any, touch: Touch) -> None:
    """Call `touch` when the button goes down, and what it returns once it has been held.

    One that went down before it was listened to was meant of nothing that is known.
    """
    meant: list[Press] = []

    def touched() -> None:
        meant.clear()
        with _noted():
            meant.append(touch())

    def held() -> None:
        with _noted():
            for press in meant:
                press()

    button.when_pressed, button.when_held = touched, held


def _on_press(button: Any, press: Press, bounce_s: float) -> None:
    """Call `press` on each press that comes `bounce_s` after the last change.

    gpiozero's own `bounce_time` is left alone: it is ignored by its mock pins, and some backends
    drop the release with it. The factory's clock counts, as gpiozero's own durations do.
    """
    factory = button.pin_factory
    last: list[Any] = []

    def settled() -> bool:
        now = factory.ticks()
        quiet = not last or factory.ticks_diff(now, last[0]) >= bounce_s
        last[:] = [now]
        return quiet

    def pressed() -> None:
        if settled():
            with _noted():
                press()

    button.when_pressed = pressed
    button.when_released = settled


@contextmanager
def _noted() -> Iterator[None]:
    """Note what is raised: it would end the thread that listens, and no press would be heard."""
    try:
        yield
    except Exception:  # noqa: BLE001 - of whatever kind, as in `companion.service`
        _LOG.exception("a press was not carried out")
