"""One suite over every ring that can be opened here."""

from __future__ import annotations

import io
import os

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import DeviceClosed, HardwareError
from hardware.ring import LedRing, MockRing, PageRing, TerminalRing
from hardware.ws2812 import Ws2812Ring, open_spi

LEDS = 4


class Screen(io.StringIO):
    def isatty(self):
        return True


class FakeSpi:
    def __init__(self):
        self.sent = []
        self.closed = 0

    def writebytes2(self, data):
        self.sent.append(bytes(data))

    def close(self):
        self.closed += 1


def real_ws2812():
    if not os.path.exists("/dev/spidev0.0"):
        pytest.skip("no SPI bus at /dev/spidev0.0")
    return Ws2812Ring(open_spi(0, 0), LEDS)


def leds_on_mock_pins():
    return LedRing(("GPIO17", "GPIO27", "GPIO22", "GPIO23"), MockFactory(pin_class=MockPWMPin))


RINGS = {
    "mock": lambda: MockRing(LEDS),
    "page": PageRing,
    "terminal": lambda: TerminalRing(Screen(), LEDS),
    "leds": leds_on_mock_pins,
    "ws2812-stand-in": lambda: Ws2812Ring(FakeSpi(), LEDS),
    "ws2812": real_ws2812,
}


@pytest.fixture(params=sorted(RINGS))
def ring(request):
    opened = RINGS[request.param]()
    yield opened
    opened.close()


def test_takes_one_colour_a_lamp_again_and_again(ring):
    for level in (0, 80, 255):
        ring.show(((level, 0, 7),) * ring.leds)


def test_refuses_a_wrong_number_of_colours(ring):
    with pytest.raises(HardwareError):
        ring.show(((1, 2, 3),) * (ring.leds + 1))


def test_closes_twice_and_shows_nothing_after(ring):
    ring.close()
    ring.close()
    if ring.leds:
        with pytest.raises(DeviceClosed):
            ring.show(((1, 2, 3),) * ring.leds)
