"""Wind and storm on the ring: gusts blow the way ships drift, the storm closes the ring."""

from __future__ import annotations

import dataclasses

from companion.rules.layout import Layout
from companion.rules.views import Weather
from companion.table.ring import (
    BRIGHTEST,
    CALM_S,
    GUST_S,
    RGB,
    RingSign,
    ring_colours,
    ring_sign,
)
from companion.table.snapshot import Seat, Snapshot

RED: RGB = (255, 20, 10)


def table(weather: Weather) -> Snapshot:
    seat = Seat(0, "Ann", ("red",), {"doubloons": 2}, 2, True, True)
    return Snapshot(
        1,
        "g",
        "",
        "p",
        "spend",
        1,
        "",
        (),
        False,
        "",
        (seat,),
        Layout(),
        (),
        None,
        None,
        weather=weather,
    )


def whitest(sign: RingSign, time_s: float) -> float:
    """Angle of the lamp the wind has made whitest, in a ring of 36."""
    lamps = ring_colours(sign, 36, time_s)
    return 10.0 * max(range(36), key=lambda i: lamps[i][2])


def test_a_wind_from_the_west_blows_to_the_east() -> None:
    sign = ring_sign(table(Weather(wind_from_deg=270.0)))
    assert sign.wind_to_deg == 90.0
    assert whitest(sign, GUST_S + CALM_S / 2) == 90.0
    blown = [whitest(sign, GUST_S * share) for share in (0.0, 0.3, 0.6)]
    off_lee = [abs((angle - 90.0 + 180.0) % 360.0 - 180.0) for angle in blown]
    assert off_lee[0] == 180.0
    assert off_lee[0] > off_lee[1] > off_lee[2]


def test_the_storm_closes_the_ring_as_the_sea_shrinks() -> None:
    def taken(ring: int) -> int:
        sign = ring_sign(table(Weather(storm_ring=ring, sea_rings=5)))
        calm = ring_colours(dataclasses.replace(sign, storm=0.0), 24, 1.0)
        stormy = ring_colours(sign, 24, 1.0)
        return sum(a != b for a, b in zip(calm, stormy, strict=True))

    assert 0 < taken(5) < taken(3) < taken(1)
    assert taken(0) == 12  # every other lamp: those between still say whose turn it is


def test_no_lamp_is_ever_brighter_than_allowed() -> None:
    sign = RingSign("steady", RED, 0.0, wind_to_deg=45.0, storm=1.0)
    for tenth in range(60):
        for lamp in ring_colours(sign, 12, tenth / 10):
            assert max(lamp) <= round(255 * BRIGHTEST)


def test_without_weather_the_ring_says_whose_turn_it_is_and_nothing_else() -> None:
    assert ring_sign(table(Weather())) == RingSign("steady", RED, 0.0)
    assert ring_sign(table(Weather(storm_ring=3))).storm == 0.0  # nobody knows how wide the sea is
