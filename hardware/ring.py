"""The LED ring behind one small port: terminal, plain LEDs, WS2812 over SPI, mock, page.

A ring only lights colours; what they mean is said by `companion.table.ring`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TextIO

import gpiozero

from companion.errors import BackendFallback, BackendMissing, DeviceClosed, HardwareError
from companion.table.ring import RGB
from hardware.pins import named_pin_errors
from hardware.ws2812 import Ws2812Ring, open_spi


class Ring(Protocol):
    """Some lamps in a circle, numbered clockwise from north."""

    @property
    def leds(self) -> int:
        """How many lamps there are."""
        ...

    def show(self, colours: Sequence[RGB]) -> None:
        """Light all lamps; one colour for each. Raises `HardwareError` or `OSError`."""
        ...

    def close(self) -> None:
        """Darken the lamps and let the device go; may be called twice."""
        ...


class PageRing:
    """No lamps here: the web page draws the sign itself."""

    leds = 0

    def __init__(self, reason: str = "") -> None:
        self.reason = reason
        """Why it stands in for another ring; empty when it was asked for."""

    def show(self, colours: Sequence[RGB]) -> None:
        """Light nothing."""
        check_count(colours, 0)

    def close(self) -> None:
        """Nothing to let go."""


class MockRing:
    """Remembers every change of its lamps; chosen only by name."""

    def __init__(self, leds: int = 12) -> None:
        self.leds = leds
        self._closed = False
        self.frames: list[tuple[RGB, ...]] = []
        """Each shown set of colours that differed from the one before."""

    def show(self, colours: Sequence[RGB]) -> None:
        """Remember the colours."""
        if self._closed:
            raise DeviceClosed("the mock ring is closed")
        check_count(colours, self.leds)
        frame = tuple(colours)
        if not self.frames or self.frames[-1] != frame:
            self.frames.append(frame)

    def close(self) -> None:
        """Darken and let go."""
        if not self._closed:
            self.show(((0, 0, 0),) * self.leds)
            self._closed = True


class TerminalRing:
    """One line of coloured dots, redrawn in place; only on a real terminal."""

    def __init__(self, stream: TextIO, leds: int) -> None:
        if not stream.isatty():
            raise HardwareError("the terminal ring needs a terminal; this output is not one")
        self._stream = stream
        self.leds = leds
        self._line = ""
        self._closed = False

    def show(self, colours: Sequence[RGB]) -> None:
        """Redraw the line if it changed."""
        if self._closed:
            raise DeviceClosed("the terminal ring is closed")
        check_count(colours, self.leds)
        # The screen is not a lamp: its dots are drawn brighter than the bounded LEDs shine.
        dots = (tuple(min(255, channel * 3) for channel in colour) for colour in colours)
        line = "".join(f"\x1b[38;2;{r};{g};{b}m●" for r, g, b in dots)
        if line != self._line:
            self._line = line
            self._stream.write(f"\r{line}\x1b[0m")
            self._stream.flush()

    def close(self) -> None:
        """End the line."""
        if not self._closed:
            self._closed = True
            self._stream.write("\r\x1b[0m\x1b[K")
            self._stream.flush()


class LedRing:
    """Plain one-coloured LEDs, each between a GPIO pin (through its resistor) and ground.

    They cannot show a colour, so each shines as bright as its brightest channel.

    Parameters
    ----------
    pins : one pin a lamp, in any way gpiozero can name it, clockwise from north.
    pin_factory : gpiozero's; ``None`` for its default.
    """

    def __init__(self, pins: Sequence[str | int], pin_factory: Any) -> None:
        self.leds = len(pins)
        with named_pin_errors("the LED ring"):
            self._board = gpiozero.LEDBoard(*pins, pwm=True, pin_factory=pin_factory)

    def show(self, colours: Sequence[RGB]) -> None:
        """Light each LED."""
        if self._board.closed:
            raise DeviceClosed("the LED ring is closed")
        check_count(colours, self.leds)
        self._board.value = tuple(max(colour) / 255 for colour in colours)

    def close(self) -> None:
        """Darken the LEDs and free their pins."""
        self._board.close()


def check_count(colours: Sequence[RGB], leds: int) -> None:
    """Refuse a set of colours that does not fit the ring."""
    if len(colours) != leds:
        raise HardwareError(f"the ring has {leds} lamps, {len(colours)} colours were given")


def open_ring(spec: str, *, pin_factory: Any = None, stream: TextIO | None = None) -> Ring:
    """Open the ring that `spec` names; where that fails, warn and let the page stand in.

    Parameters
    ----------
    spec : ``"page"``, ``"terminal[:LEDS]"``, ``"leds:PIN,PIN,..."``, ``"ws2812:LEDS[:BUS.DEVICE]"``
        or ``"mock[:LEDS]"``.
    pin_factory : gpiozero's, for ``leds``.
    stream : where the terminal ring draws.

    Raises
    ------
    HardwareError
        if `spec` itself cannot be understood; a device that will not open is no error but a
        `BackendFallback` warning, and `PageRing.reason` says why.
    """
    try:
        return _open(spec, pin_factory, stream)
    except (BackendMissing, _NoRing, OSError) as error:
        reason = f"the ring {spec!r} cannot be used: {error}"
        warnings.warn(reason, BackendFallback, stacklevel=2)
        return PageRing(reason)


class _NoRing(HardwareError):
    """The device was understood but will not open."""


def _open(spec: str, pin_factory: Any, stream: TextIO | None) -> Ring:
    backend, _, rest = spec.partition(":")
    if backend == "page" and not rest:
        return PageRing()
    if backend == "mock":
        return MockRing(_count(spec, rest or "12"))
    if backend == "terminal":
        leds = _count(spec, rest or "12")
        if stream is None:
            raise _NoRing("there is no terminal to draw on")
        return _opened(lambda: TerminalRing(stream, leds))
    if backend == "leds" and rest:
        pins = [pin.strip() for pin in rest.split(",")]
        return _opened(lambda: LedRing(pins, pin_factory))
    if backend == "ws2812" and rest:
        count, _, place = rest.partition(":")
        bus, _, device = (place or "0.0").partition(".")
        leds = _count(spec, count)
        spi = open_spi(_number(spec, bus), _number(spec, device))
        return Ws2812Ring(spi, leds)
    raise HardwareError(
        f"no ring {spec!r}: say page, terminal, leds:PIN,PIN,..., ws2812:LEDS or mock"
    )


def _opened(make: Callable[[], Ring]) -> Ring:
    try:
        return make()
    except HardwareError as error:
        raise _NoRing(str(error)) from error


def _count(spec: str, text: str) -> int:
    leds = _number(spec, text)
    if not 1 <= leds <= 256:
        raise HardwareError(f"the ring {spec!r} must have 1 to 256 lamps")
    return leds


def _number(spec: str, text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise HardwareError(f"the ring {spec!r} needs a whole number where it says {text!r}")
    return int(text)
