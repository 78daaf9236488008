"""What the LED ring should say: one sign, derived from the snapshot, and its colours at a time.

Pure: the hardware lights these colours, the web draws the same sign, tests compare values.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from companion.rules.plane import normal_deg, turn_deg
from companion.rules.views import Weather
from companion.table.snapshot import Seat, Snapshot

RGB = tuple[int, int, int]
"""Red, green, blue, 0-255."""

Pattern = Literal["steady", "pulse", "blink", "off"]

AMBER: RGB = (255, 150, 0)
GOLD: RGB = (255, 190, 40)
NOBODY: RGB = (255, 220, 170)
"""A captain who has not drawn a fleet yet: warm white."""

FLEET_LIGHT: dict[str, RGB] = {
    "red": (255, 20, 10),
    "blue": (20, 60, 255),
    "yellow": (255, 210, 0),
    "green": (10, 220, 40),
    "gray": (120, 140, 160),
    "black": (130, 0, 200),  # no lamp shines black; violet stands in for it
    "white": NOBODY,
    "suns": (255, 20, 10),
    "crowns": (190, 210, 0),
    "moons": (130, 0, 200),
    "arms": (20, 60, 255),
    # A second piecepack: the same families, paler.
    "suns2": (255, 90, 50),
    "crowns2": (200, 235, 90),
    "moons2": (180, 90, 255),
    "arms2": (70, 150, 255),
}
WIND: RGB = (190, 230, 255)
STORM: RGB = (70, 105, 120)

BRIGHTEST = 0.35
"""Share of full power that no lamp ever exceeds: a ring at arm's length must not dazzle."""

PULSE_S = 3.0
BLINK_S = 0.7
_FAR_SIDE = 0.12
"""Glow of the lamps away from the captain, so that the colour shows from everywhere."""
_SPREAD_DEG = 75.0
GUST_S = 1.8
"""How long a gust runs over the ring, from the windward to the leeward lamp."""
CALM_S = 3.2
"""From the end of a gust to the next."""
_GUST_DEG = 28.0
_HEAD_DEG = 34.0
"""Half the breadth of the lamps that keep pointing to leeward between the gusts."""
_SWELL_S = 2.6


@dataclass(frozen=True, slots=True)
class RingSign:
    """One message of the ring."""

    pattern: Pattern
    """``"blink"`` flashes amber once when it begins and is steady from then on."""
    colour: RGB = (0, 0, 0)
    side_deg: float | None = None
    """Clockwise from the ring's north: the side that lights brightest; ``None`` for all round."""
    wind_to_deg: float | None = None
    """Where ships drift, clockwise from north; gusts of light blow that way. ``None``: no wind."""
    storm: float = 0.0
    """How far the storm has closed in, 0 (none) to 1: so much of the ring it has closed."""


DARK = RingSign("off")
NORTH = RingSign("steady", NOBODY, 0.0)
"""For who sets up the ring: where it takes north to be."""


def ring_sign(snapshot: Snapshot) -> RingSign:
    """Return what the ring says about a table; `DARK` when there is nothing to say.

    A question goes before a refusal, a refusal before the turn, for that is the order in which
    the table waits for them.
    """
    if snapshot.over:
        return _winner_sign(snapshot)
    if snapshot.question is not None:
        asked = snapshot.question.seats
        sides = [seat.side_deg for seat in snapshot.seats if seat.seat in asked]
        return RingSign("pulse", AMBER, sides[0] if len(asked) == 1 else None)
    captain = next((seat for seat in snapshot.seats if seat.asked), None)
    refused = snapshot.notice is not None and snapshot.notice.kind == "refusal"
    if captain is None:
        return RingSign("blink") if refused else DARK
    weather = snapshot.weather
    return RingSign(
        "blink" if refused else "steady",
        _fleet_light(captain),
        captain.side_deg,
        None if weather.wind_from_deg is None else normal_deg(weather.wind_from_deg + 180.0),
        _storm_share(weather),
    )


def ring_colours(sign: RingSign, leds: int, time_s: float) -> tuple[RGB, ...]:
    """Return the colour of each lamp, clockwise from north, `time_s` after the sign began.

    No channel exceeds ``255 * BRIGHTEST``.

    >>> ring_colours(RingSign("steady", (200, 100, 0)), 2, 0.0)
    ((70, 35, 0), (70, 35, 0))
    """
    colour, side_deg, glow = sign.colour, sign.side_deg, 1.0
    if sign.pattern == "off":
        glow = 0.0
    elif sign.pattern == "pulse":
        glow = 0.25 + 0.75 * (0.5 - 0.5 * math.cos(2 * math.pi * time_s / PULSE_S))
    elif sign.pattern == "blink" and time_s < BLINK_S:
        colour, side_deg = AMBER, None
    lamps = []
    for i in range(leds):
        angle = 360.0 * i / leds
        light = _scaled(colour, glow * _side_weight(angle, side_deg))
        if i % 2:  # the lamps between keep showing whose turn it is
            light = _mixed(light, STORM, _storm_weight(angle, sign.storm, time_s))
        if sign.wind_to_deg is not None:
            light = _mixed(light, WIND, _wind_weight(angle - sign.wind_to_deg, time_s))
        lamps.append(_scaled(light, BRIGHTEST))
    return tuple(lamps)


def dimmed(colours: tuple[RGB, ...], factor: float) -> tuple[RGB, ...]:
    """Return the colours at a share of their brightness.

    >>> dimmed(((80, 40, 0),), 0.1)
    ((8, 4, 0),)
    """
    return tuple(_scaled(colour, factor) for colour in colours)


def _winner_sign(snapshot: Snapshot) -> RingSign:
    """All round in the colour of the one winner; gold when they share it; dark when nobody won."""
    if not snapshot.winners:
        return DARK
    best = [seat for seat in snapshot.seats if seat.seat in snapshot.winners]
    return RingSign("steady", _fleet_light(best[0]) if len(best) == 1 else GOLD)


def _fleet_light(seat: Seat) -> RGB:
    return FLEET_LIGHT.get(seat.colours[0], NOBODY) if seat.colours else NOBODY


def _side_weight(angle_deg: float, side_deg: float | None) -> float:
    if side_deg is None:
        return 1.0
    away = abs(turn_deg(side_deg, angle_deg))
    if away >= _SPREAD_DEG:
        return _FAR_SIDE
    near = 0.5 + 0.5 * math.cos(math.pi * away / _SPREAD_DEG)
    return _FAR_SIDE + (1.0 - _FAR_SIDE) * near


def _wind_weight(from_lee_deg: float, time_s: float) -> float:
    """Return how white the wind makes a lamp so far from the leeward one."""
    from_lee = abs(turn_deg(0.0, from_lee_deg))
    head = max(0.0, 1.0 - from_lee / _HEAD_DEG)
    run = (time_s % (GUST_S + CALM_S)) / GUST_S
    if run > 1.0:
        return 0.7 * head
    behind = (from_lee - 180.0 * (1.0 - run)) / _GUST_DEG
    return max(0.7 * head, 0.9 * math.exp(-behind * behind))


def _storm_share(weather: Weather) -> float:
    """Return how much of the sea's breadth the storm has taken, 0 to 1."""
    if weather.storm_ring is None or not weather.sea_rings:
        return 0.0
    # The coin on the outermost ring sinks nobody yet, but the storm is there to be seen.
    return (weather.sea_rings - weather.storm_ring + 1) / (weather.sea_rings + 1)


def _storm_weight(angle_deg: float, share: float, time_s: float) -> float:
    """Return how much of a lamp the storm has taken; it closes the ring from the south."""
    from_south = abs(angle_deg % 360.0 - 180.0)
    if share <= 0.0 or from_south > 180.0 * share:
        return 0.0
    return 0.8 + 0.2 * math.sin(2 * math.pi * (time_s / _SWELL_S + angle_deg / 140.0))


def _mixed(colour: RGB, other: RGB, weight: float) -> RGB:
    red, green, blue = (round(a + (b - a) * weight) for a, b in zip(colour, other, strict=True))
    return red, green, blue


def _scaled(colour: RGB, factor: float) -> RGB:
    red, green, blue = (round(channel * factor) for channel in colour)
    return red, green, blue
