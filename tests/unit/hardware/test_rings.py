"""What is special to each ring, and how one is chosen."""

from __future__ import annotations

import io
import re
import sys
import types
from math import ceil

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import BackendFallback, HardwareError
from hardware.ring import LedRing, MockRing, PageRing, TerminalRing, open_ring
from hardware.ws2812 import RESET_BYTES, SPEED_HZ, Ws2812Ring, encode_byte, encode_colours


class Screen(io.StringIO):
    def isatty(self):
        return True


def decode(wire, gap=""):
    """Read a line as a WS2812 does: how long it is high tells a one from a zero.

    `gap` is what the line does between two bytes.
    """
    line = gap.join(f"{byte:08b}" for byte in wire)
    pulses = [len(pulse) for pulse in re.findall("1+", line)]
    assert set(pulses) <= {1, 2}
    data = "".join(str(pulse - 1) for pulse in pulses)
    levels = [int(data[i : i + 8], 2) for i in range(0, len(data), 8)]
    return [(r, g, b) for g, r, b in zip(levels[::3], levels[1::3], levels[2::3], strict=True)]


@pytest.mark.parametrize("gap", ["", "0"])
def test_every_byte_survives_the_wire_with_the_line_low_between_two_bytes(gap):
    """Three SPI bits a bit cut the third lowest bit in two, on a Pi 3 and 4."""
    for value in range(256):
        colours = [(value, 0, 255 - value)]
        assert decode(encode_colours(colours), gap) == colours


def test_how_long_the_line_is_high_is_what_the_data_sheets_allow():
    zero, one = encode_byte(0x00)[0] >> 4, encode_byte(0xFF)[0] >> 4
    assert (f"{zero:b}", f"{one:b}") == ("1000", "1100")
    for core_hz in (250e6, 500e6, 200e6):  # a Pi 3 held still, a Pi 4, a Pi 5
        divider = 2 * ceil(core_hz / SPEED_HZ / 2)  # only even ones
        assert 0.25e-6 < divider / core_hz < 0.38e-6
        assert 0.65e-6 < 2 * divider / core_hz < 0.95e-6


def test_all_lamps_fit_into_what_spidev_sends_at_once():
    """Between two transfers the line may be low so long that the lamps take it for the end."""
    assert len(encode_colours([(255, 255, 255)] * 256)) <= 4096


def test_colours_survive_the_wire_between_two_resets():
    colours = [(255, 0, 1), (2, 130, 77), (0, 0, 0)]
    wire = encode_colours(colours)
    assert wire[:RESET_BYTES] == wire[-RESET_BYTES:] == bytes(RESET_BYTES)
    assert decode(wire) == colours
    assert RESET_BYTES * 8 / SPEED_HZ >= 280e-6


def test_ws2812_goes_dark_before_its_bus_is_let_go():
    sent = []
    spi = types.SimpleNamespace(writebytes2=sent.append, close=lambda: sent.append("closed"))
    ring = Ws2812Ring(spi, 2)
    ring.show([(9, 9, 9), (1, 1, 1)])
    ring.close()
    assert sent == [
        encode_colours([(9, 9, 9), (1, 1, 1)]),
        encode_colours([(0, 0, 0)] * 2),
        "closed",
    ]


def test_the_bus_is_let_go_even_if_the_lamps_cannot_be_darkened():
    closed = []
    spi = types.SimpleNamespace(writebytes2=lambda _: 1 / 0, close=lambda: closed.append(True))
    ring = Ws2812Ring(spi, 2)
    with pytest.raises(ZeroDivisionError):
        ring.close()
    ring.close()
    assert closed == [True]


def test_a_bus_that_takes_no_speed_is_let_go(monkeypatch):
    closed = []

    class SpiDev:
        def open(self, bus, device):
            pass

        def __setattr__(self, name, value):
            raise OSError("Inappropriate ioctl")

        def close(self):
            closed.append(True)

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=SpiDev))
    with pytest.warns(BackendFallback, match="Inappropriate"):
        open_ring("ws2812:24")
    assert closed == [True]


def test_spidev_is_opened_at_its_speed_only_when_chosen(monkeypatch):
    opened = []

    class SpiDev:
        def open(self, bus, device):
            opened.append((bus, device))

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=SpiDev))
    ring = open_ring("ws2812:24:1.2")
    assert isinstance(ring, Ws2812Ring)
    assert ring.leds == 24
    assert opened == [(1, 2)]
    assert ring._spi.max_speed_hz == SPEED_HZ


def test_without_spidev_the_page_stands_in_and_says_why(monkeypatch):
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.warns(BackendFallback, match="spidev is missing"):
        ring = open_ring("ws2812:12")
    assert isinstance(ring, PageRing)
    assert "apt install python3-spidev" in ring.reason


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (FileNotFoundError(2, "No such file or directory"), "no /dev/spidev0.0; enable SPI"),
        (PermissionError(13, "Permission denied"), "may not be used; sudo adduser"),
    ],
)
def test_a_bus_that_is_not_to_be_had_says_what_to_do(monkeypatch, error, words):
    """What spidev itself says of it does not name so much as the file."""

    class SpiDev:
        def open(self, bus, device):
            raise error

    monkeypatch.setitem(sys.modules, "spidev", types.SimpleNamespace(SpiDev=SpiDev))
    with pytest.warns(BackendFallback, match=words):
        open_ring("ws2812:24")


def test_leds_shine_as_bright_as_their_brightest_channel():
    factory = MockFactory(pin_class=MockPWMPin)
    ring = LedRing(("GPIO17", "GPIO27"), factory)
    ring.show(((255, 0, 0), (0, 51, 20)))
    assert [factory.pin(name).state for name in ("GPIO17", "GPIO27")] == [1.0, 0.2]
    ring.close()


def test_a_pin_that_cannot_serve_falls_back_with_its_name():
    with pytest.warns(BackendFallback, match="GPIO99"):
        assert open_ring("leds:GPIO99", pin_factory=MockFactory(pin_class=MockPWMPin)).leds == 0


def test_a_pin_in_use_is_told_until_it_is_let_go():
    factory = MockFactory(pin_class=MockPWMPin)
    held = LedRing(("GPIO17",), factory)
    with pytest.raises(HardwareError, match="taken"):
        LedRing(("GPIO17",), factory)
    held.close()
    LedRing(("GPIO17",), factory).close()  # it is free again


def test_terminal_ring_draws_one_line_and_only_changes():
    screen = Screen()
    ring = open_ring("terminal:2", stream=screen)
    ring.show(((80, 0, 0), (0, 0, 0)))
    drawn = screen.getvalue()
    assert drawn.count("●") == 2
    assert "38;2;240;0;0" in drawn
    assert "\n" not in drawn
    ring.show(((80, 0, 0), (0, 0, 0)))
    assert screen.getvalue() == drawn


def test_no_terminal_no_terminal_ring():
    with pytest.raises(HardwareError, match="terminal"):
        TerminalRing(io.StringIO(), 2)
    with pytest.warns(BackendFallback, match="not one"):
        assert isinstance(open_ring("terminal", stream=io.StringIO()), PageRing)


def test_the_mock_remembers_changes_only():
    ring = open_ring("mock:1")
    assert isinstance(ring, MockRing)
    for level in (1, 1, 2):
        ring.show(((level, 0, 0),))
    ring.close()
    assert ring.frames == [((1, 0, 0),), ((2, 0, 0),), ((0, 0, 0),)]


@pytest.mark.parametrize(
    "spec", ["", "neon", "leds", "ws2812", "ws2812:x", "mock:0", "mock:999", "ws2812:12:a.b"]
)
def test_a_spec_nobody_understands_is_an_error(spec):
    with pytest.raises(HardwareError):
        open_ring(spec)


def test_the_page_is_no_fallback_when_asked_for():
    ring = open_ring("page")
    assert isinstance(ring, PageRing)
    assert ring.reason == ""
