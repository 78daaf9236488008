"""The two buttons of the table, through gpiozero: turn (pressed) and undo (held)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any

import gpiozero

from companion.errors import HardwareError
from hardware.pins import named_pin_errors

Press = Callable[[], None]
"""Called from gpiozero's thread; must return soon and must not raise."""

TURN_PIN = "GPIO5"
UNDO_PIN = "GPIO6"
BOUNCE_S = 0.05
UNDO_HOLD_S = 0.6


class Buttons:
    """Turn and undo. Each button closes its pin to ground; the pull-up inside the Pi is used.

    Undo must be held, so that an elbow does not take back a move; turn acts when pressed.
    A contact that bounces counts once.

    Parameters
    ----------
    on_turn, on_undo : called once for each press.
    pin_factory : gpiozero's (a `MockFactory` in the demo and in tests); ``None`` for its default.
    turn_pin, undo_pin : in any way gpiozero can name a pin.
    bounce_s : a press within this time of the last change is no press.
    undo_hold_s : how long undo must be held; 0 for acting at the press.

    Raises
    ------
    HardwareError
        if a pin cannot be used; the message names the button and the reason.
    """

    def __init__(
        self,
        on_turn: Press,
        on_undo: Press,
        *,
        pin_factory: Any = None,
        turn_pin: str | int = TURN_PIN,
        undo_pin: str | int = UNDO_PIN,
        bounce_s: float = BOUNCE_S,
        undo_hold_s: float = UNDO_HOLD_S,
    ) -> None:
        if bounce_s < 0 or undo_hold_s < 0:
            raise HardwareError("a button's times must not be negative")
        with ExitStack() as opened:  # if one cannot be used, the other is free again
            with named_pin_errors("the turn button"):
                self._turn = opened.enter_context(
                    gpiozero.Button(turn_pin, pin_factory=pin_factory)
                )
                _on_press(self._turn, on_turn, bounce_s)
            with named_pin_errors("the undo button"):
                self._undo = opened.enter_context(
                    gpiozero.Button(undo_pin, hold_time=undo_hold_s or 1.0, pin_factory=pin_factory)
                )
                if undo_hold_s:
                    self._undo.when_held = on_undo
                else:
                    _on_press(self._undo, on_undo, bounce_s)
            opened.pop_all()

    def close(self) -> None:
        """Free both pins; may be called twice."""
        try:
            self._turn.close()
        finally:
            self._undo.close()

    def __enter__(self) -> Buttons:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


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
            press()

    button.when_pressed = pressed
    button.when_released = settled
