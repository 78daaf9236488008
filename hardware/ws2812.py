"""WS2812 ("NeoPixel") lamps over SPI: works without root, and on a Pi 5 too.

A WS2812 reads a bit about every 1.3 us, told apart by how long the line stays high. At 3 MHz four
SPI bits make one of these: ``1100`` (0.67 us high) is a one, ``1000`` (0.33 us) a zero. Both are
what WorldSemi's data sheets of the WS2812B allow, old (0.65 to 0.95 and 0.25 to 0.55 us) and new
(0.58 to 1 and 0.22 to 0.38 us).

Four, for then a byte ends where a bit does: the SPI of a Pi 3 or 4 may hold the line low for a
moment between two bytes (https://github.com/jgarff/rpi_ws281x/issues/499), which would cut a bit in
two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from companion.errors import BackendMissing, DeviceClosed, HardwareError
from companion.table.ring import RGB

SPEED_HZ = 3_000_000
RESET_BYTES = 113
"""300 us of low line: the lamps take over what they were sent (newer ones want 280 us)."""


class Spi(Protocol):
    """As much of ``spidev.SpiDev`` as is needed."""

    def writebytes2(self, data: bytes) -> None:
        """Send bytes of any number."""
        ...

    def close(self) -> None:
        """Let the bus go."""
        ...


def encode_byte(value: int) -> bytes:
    """Return the four SPI bytes that carry one byte, highest bit first.

    >>> encode_byte(0x00).hex(), encode_byte(0xFF).hex()
    ('88888888', 'cccccccc')
    """
    bits = 0
    for place in range(7, -1, -1):
        bits = bits << 4 | (0b1100 if value >> place & 1 else 0b1000)
    return bits.to_bytes(4, "big")


_ENCODED = tuple(encode_byte(value) for value in range(256))


def encode_colours(colours: Sequence[RGB]) -> bytes:
    """Return what goes over the wire: resets at both ends, green first as the lamps want it."""
    reset = bytes(RESET_BYTES)
    lamps = (_ENCODED[g] + _ENCODED[r] + _ENCODED[b] for r, g, b in colours)
    return reset + b"".join(lamps) + reset


def open_spi(bus: int, device: int) -> Spi:
    """Open an SPI bus for WS2812.

    Raises `BackendMissing` without spidev, and `OSError`, which says what to do, without the bus.
    """
    try:
        import spidev
    except ImportError as error:
        raise BackendMissing(
            "spidev is missing; on a Raspberry Pi: sudo apt install python3-spidev, then make setup"
        ) from error
    spi: Any = spidev.SpiDev()
    place = f"/dev/spidev{bus}.{device}"
    try:
        spi.open(bus, device)
    except FileNotFoundError as error:
        raise OSError(
            f"there is no {place}; enable SPI (sudo raspi-config nonint do_spi 0) and start the "
            "Pi anew"
        ) from error
    except PermissionError as error:
        raise OSError(
            f"{place} may not be used; sudo adduser $USER spi, then log in anew"
        ) from error
    try:
        spi.max_speed_hz = SPEED_HZ
        spi.mode = 0
    except BaseException:
        spi.close()
        raise
    opened: Spi = spi
    return opened


class Ws2812Ring:
    """A ring whose data line hangs on MOSI (GPIO 10), with its own 5 V supply and common ground.

    Parameters
    ----------
    spi : opened at `SPEED_HZ`; closed with the ring.
    leds : number of lamps.
    """

    def __init__(self, spi: Spi, leds: int) -> None:
        self._spi: Spi | None = spi
        self.leds = leds

    def show(self, colours: Sequence[RGB]) -> None:
        """Send all colours; takes 32 us a lamp."""
        if self._spi is None:
            raise DeviceClosed("the WS2812 ring is closed")
        if len(colours) != self.leds:
            raise HardwareError(f"the ring has {self.leds} lamps, {len(colours)} colours came")
        self._spi.writebytes2(encode_colours(colours))

    def close(self) -> None:
        """Darken the lamps and let the bus go, which happens even if they cannot be darkened."""
        spi = self._spi
        if spi is None:
            return
        try:
            self.show(((0, 0, 0),) * self.leds)
        finally:
            self._spi = None
            spi.close()
