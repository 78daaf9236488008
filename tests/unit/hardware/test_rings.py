"""What is special to each ring, and how one is chosen."""

from __future__ import annotations

import io
import sys
import types

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from companion.errors import BackendFallback, HardwareError
from hardware.ring import LedRing, MockRing, PageRing, TerminalRing, open_ring
from hardware.ws2812 import RESET_BYTES, SPEED_HZ, Ws2812Ring, encode_byte, encode_colours


class Screen(io.StringIO):
    def isatty(self):
        return True


def decode(wire):
    """Read a line as a WS2812 does: every third SPI bit tells a one from a zero."""
    bits = "".join(f"{byte:08b}" for byte in wire)
    symbols = [bits[i : i + 3] for i in range(0, len(bits), 3)]
    assert set(symbols) <= {"110", "100"}
    data = "".join(symbol[1] for symbol in symbols)
    levels = [int(data[i : i + 8], 2) for i in range(0, len(data), 8)]
    return [(r, g, b) for g, r, b in zip(levels[::3], levels[1::3], levels[2::3], strict=True)]


def test_every_byte_becomes_three_spi_bytes():
    assert all(len(encode_byte(value)) == 3 for value in range(256))
    assert len({encode_byte(value) for value in range(256)}) == 256


def test_colours_survive_the_wire_between_two_resets():
    colours = [(255, 0, 1), (2, 130, 77), (0, 0, 0)]
    wire = encode_colours(colours)
    assert wire[:RESET_BYTES] == wire[-RESET_BYTES:] == bytes(RESET_BYTES)
    assert decode(wire[RESET_BYTES:-RESET_BYTES]) == colours
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


def test_a_pin_in_use_is_told():
    factory = MockFactory(pin_class=MockPWMPin)
    held = LedRing(("GPIO17",), factory)
    with pytest.raises(HardwareError, match="taken"):
        LedRing(("GPIO17",), factory)
    held.close()


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
