"""PirateWars reckoned a second time, slowly: from the plain data and the texts of the rules.

Nothing here asks the rules: charts are lists of rows, ways are walked millimetre by millimetre,
turns degree by degree, bores are looked along. Where a measurement decides by a hair, `None` says
that both answers will do.
"""

from __future__ import annotations

import tomllib
from cmath import exp, phase
from itertools import pairwise
from math import degrees, radians
from pathlib import Path

DOT = 8.0
TOLERANCE_MM, TOLERANCE_DEG = 6, 3
HAIR_MM = 1.5
DATA = Path(__file__).parents[2] / "companion/rules/pirate_wars/built"
SHIPS = {ship["id"]: ship for ship in tomllib.loads((DATA / "ships.toml").read_text())["ship"]}
WEAPONS = tomllib.loads((DATA / "charts.toml").read_text())["weapon"]
SAIL_LOSS = {3: 16, 4: 12, 5: 10, 6: 8, 7: 8, 8: 6, 9: 6, 10: 6}
SIDES = {"bow": 0, "starboard": 90, "stern": 180, "port": -90}
SIMPLE_SAILS = {"gaff": 2, "lateen": 1, "launch-gaff": 1, "jib": 1}


# The damage chart


def sail_factor(ship) -> int:
    """PWR-101: the first square sail of a mast counts two, every further one."""
    total = 0
    for mast in ship["mast"]:
        squares = [sail for sail in mast["sails"] if sail not in SIMPLE_SAILS]
        total += len(squares) + bool(squares)
        total += sum(SIMPLE_SAILS[sail] for sail in mast["sails"] if sail in SIMPLE_SAILS)
    return total


def column(hull: int, sails: int) -> list[str]:
    """PWR-84: spare sails on top, then hull and sail in turns, a hull factor at the bottom."""
    rows = []
    for level in range(hull):
        rows.append("H")
        # From the bottom: a sail between two hulls while there are any.
        if level < hull - 1 and sails > 0:
            rows.append("S")
            sails -= 1
    return ["S"] * sails + rows[::-1]


class Chart:
    """A damage chart as it lies on the table: rows that are crossed off one by one."""

    def __init__(self, hull: int, sails: int) -> None:
        self.rows = [[kind, True] for kind in column(hull, sails)]
        self.hull, self.figures = hull, 0

    def left(self, kind: str) -> int:
        return sum(1 for row, is_open in self.rows if row == kind and is_open)

    def _cross(self, kinds: str) -> bool:
        for row in self.rows:
            if row[1] and row[0] in kinds:
                row[1] = False
                self.figures += 1
                # Sails beyond the hull come down with it (PWR-87).
                while row[0] == "H" and self.left("S") > self.left("H"):
                    self._cross("S")
                return True
        return False

    def hit(self, what: str, count: int) -> int:
        """PWR-86, PWR-88: cross rows off; return the figures that fall."""
        before = self.figures
        kinds = {"ball": "SH", "shot": "S", "sails": "S", "hull": "H"}[what]
        for _ in range(count):
            if not self._cross(kinds):
                break
        return self.figures - before

    def open(self, count: int) -> None:
        """PWR-83, PWR-89: open sails again from below, after hull damage up to the hull."""
        whole = self.left("H") == self.hull
        for row in reversed(self.rows):
            if count and row[0] == "S" and not row[1]:
                if not whole and self.left("S") >= self.left("H"):
                    return
                row[1] = True
                count -= 1


# Wind and ways


def wrapped(deg: float) -> float:
    """Return an angle from -180 to 180."""
    while deg > 180:
        deg -= 360
    while deg <= -180:
        deg += 360
    return deg


def class_at(heading: float, wind: float) -> str:
    """PWR-40: by the angle to where the wind comes from; a measured one is taken for the best."""
    angle = abs(wrapped(heading - wind))
    for kind, least in (("full", 90), ("tack", 45)):
        if angle >= least - TOLERANCE_DEG:
            return kind
    return "adrift"


def sails_carried(can: int, wanted: int, last: int) -> int:
    """PWR-31, PWR-32: as many as wanted of those open, two more or fewer than in the last move."""
    wish = wanted if wanted < can else can
    if not wish or not last:
        return wish
    near = [sails for sails in range(1, can + 1) if abs(sails - last) <= 2]
    if not near:
        return can  # fewer are open than she might come down to
    return min(near, key=lambda sails: abs(sails - wish))


def dots_to_move(ship, open_sails: int, wanted: int, last: int, heading: float, wind: float):
    """PWR-39 to PWR-42, PWR-47, PWR-85: speed class, sails and dots at the start of a turn."""
    sails, kind = sails_carried(open_sails, wanted, last), class_at(heading, wind)
    if not sails or kind == "adrift":
        return "adrift", 0, 8
    speed = SAIL_LOSS[ship["length"] // 8] * sails
    return kind, sails, speed if kind == "full" else speed // 2


def tag_from_stern(ship) -> float:
    """Return how far the tag is before the stern, millimetres."""
    return (ship["length"] / 2 + ship.get("tag_x_dots", 0.0)) * DOT


def walked(ship, pose, course: float, mm: int):
    """Return x, y and heading after so many steps of a millimetre."""
    here, step = complex(pose[0], pose[1]), exp(1j * radians(course))
    for _ in range(mm):
        here += step
    return here.real, here.imag, pose[2]


def pivoted(ship, pose, deg: float):
    """PWR-44: return the pose after a turn on the rudder, at the stern."""
    back = tag_from_stern(ship)
    stern = complex(pose[0], pose[1]) - back * exp(1j * radians(pose[2]))
    heading = pose[2] + deg
    here = stern + back * exp(1j * radians(heading))
    return here.real, here.imag, heading % 360


def turned_to_run(pose_heading: float, wind: float, most: int) -> float:
    """PWR-42, PWR-46: return the turn toward running, tenth by tenth of a degree."""
    turned = 0.0
    while turned < most - 1e-9:
        off = wrapped(wind + 180 - pose_heading)
        rest = abs(off) - turned
        if rest < 0.05:
            break
        turned += 0.1
    return turned if wrapped(wind + 180 - pose_heading) > 0 else -turned


def stops(length: int, left: int) -> list[int]:
    """PWR-43: return where leaps can end: after each length, and where the movement does."""
    found, gone = [], 0
    while gone < left:
        gone = min(gone + length, left)
        found.append(gone)
    return found


def turn_after(length: int, whole: int, leap_to: int) -> int:
    """PWR-44: return the degrees a ship may turn where a leap has ended."""
    leap = leap_to - max([0, *[end for end in stops(length, leap_to) if end < leap_to]])
    if leap > length / 2:
        return 90
    return 45 if whole < length / 2 else 0


def keeps_off_wind(ship, heading: float, turn: float, wind: float) -> bool:
    """PWR-117: square sails keep a ship from turning nearer to the wind than across it."""
    if all(sail in SIMPLE_SAILS for mast in ship["mast"] for sail in mast["sails"]):
        return True
    before, after = (abs(wrapped(deg - wind)) for deg in (heading, heading + turn))
    return not turn or after > before or after >= 90 - TOLERANCE_DEG


# Guns


def hull(ship, outline, pose) -> list[complex]:
    """Return the corners of a hull on the table."""
    turn = exp(1j * radians(pose[2]))
    return [complex(pose[0], pose[1]) + complex(x, y) * turn for x, y in outline]


def holds(corners: list[complex], point: complex) -> bool:
    """Count how often a ray to the right leaves the outline."""
    odd = False
    for a, b in _sides(corners):
        if (a.imag > point.imag) != (b.imag > point.imag):
            part = (point.imag - a.imag) / (b.imag - a.imag)
            odd ^= point.real < a.real + part * (b.real - a.real)
    return odd


def off(corners: list[complex], point: complex) -> float:
    """Return how far a point is from an outline, 0 inside."""
    if holds(corners, point):
        return 0.0
    best = float("inf")
    for a, b in _sides(corners):
        along = ((point - a) * (b - a).conjugate()).real / abs(b - a) ** 2
        best = min(best, abs(point - a - max(0.0, min(1.0, along)) * (b - a)))
    return best


def apart(one: list[complex], other: list[complex]) -> float:
    """Return the distance of two outlines, 0 where they overlap: from corner to outline."""
    if any(_cut(*side, *rim) for side in _sides(one) for rim in _sides(other)):
        return 0.0
    return min([off(other, p) for p in one] + [off(one, p) for p in other])


def _sides(corners: list[complex]):
    return pairwise([*corners, corners[0]])


def _cut(a: complex, b: complex, c: complex, d: complex) -> bool:
    """Say whether two stretches cross: the ends of each lie on both sides of the other."""

    def left(start: complex, end: complex, point: complex) -> bool:
        return ((end - start).conjugate() * (point - start)).imag > 0

    return left(a, b, c) != left(a, b, d) and left(c, d, a) != left(c, d, b)


def muzzle(ship, gun: int, side: str, pose) -> complex:
    """Return where a cannon's shot leaves the hull; a deck gun's at the bow."""
    tag = complex(ship.get("tag_x_dots", 0.0), 0)
    if gun >= len(ship["cannon"]):
        at = complex(ship["length"] / 2, 0)
    elif side == "stern":
        at = complex(-ship["length"] / 2, 0)
    else:
        half = ship["hull"] / 2
        across = {"port": -half, "starboard": half}.get(side, 0.0)
        at = complex(ship["cannon"][gun]["at"], across)
    return complex(pose[0], pose[1]) + (at - tag) * DOT * exp(1j * radians(pose[2]))


def looks_along(start: complex, course: float, target, others) -> bool | None:
    """PWR-68: look along a bore, millimetre by millimetre, for the target and what is before it."""
    step, here, doubtful = exp(1j * radians(course)), start, False
    nearest = float("inf")
    while abs(here - start) < 2500:
        away = off(target, here)
        nearest = min(nearest, away)
        if away <= TOLERANCE_MM - HAIR_MM:
            return None if doubtful else True
        if away <= 2 * TOLERANCE_MM:
            doubtful = True
        before = min([off(other, here) for other in others], default=float("inf"))
        if before == 0 and not doubtful:
            return None if _grazes(others, here, step) else False
        if before <= HAIR_MM:
            doubtful = True
        # Nothing is nearer than this, so it may be stepped over.
        here += step * max(1.0, min(away, before) - 2 * TOLERANCE_MM)
    return None if doubtful else False


def _grazes(others, here: complex, step: complex) -> bool:
    """Say whether a way only just cuts a hull: no deeper than a hair."""
    ahead = [here + step * mm for mm in range(300)]
    inside = [p for p in ahead if any(holds(other, p) for other in others)]
    return len(inside) < 2 * HAIR_MM


def sees_round(start: complex, pose, target, others) -> bool | None:
    """PWR-68: a turntable points at any part of a hull, but not by 30 degrees ahead and astern.

    Its nearest point is tried, and its corners.
    """
    if holds(target, start):
        return None
    rim = [a + (b - a) * k / 400 for a, b in _sides(target) for k in range(400)]
    found = [_points(start, pose, end, others) for end in (min(rim, key=_from(start)), *target)]
    return True if True in found else None if None in found else False


def _from(start: complex):
    return lambda point: abs(point - start)


def _points(start: complex, pose, end: complex, others) -> bool | None:
    """Say whether a turntable can be pointed at a point, and nothing is before it."""
    bow = abs(wrapped(degrees(phase(end - start)) - pose[2]))
    doubtful = min(abs(bow - 30), abs(bow - 150)) < 1
    if not 30 <= bow <= 150 and not doubtful:
        return False
    way = [start + (end - start) * k / 500 for k in range(501)]
    near = min([off(other, p) for other in others for p in way], default=99.0)
    if near > HAIR_MM:
        return None if doubtful else True
    deep = [p for p in way if any(holds(other, p) for other in others)]
    return None if len(deep) < 10 else False


def rakes(start: complex, ship, target, pose) -> bool | None:
    """PWR-71: the gun is dead ahead or astern: the hull would sail over it, straight on or back.

    What lies beside that by no more than the tolerance counts.
    """
    keel = exp(1j * radians(pose[2]))
    off_keel = (start - complex(pose[0], pose[1])) * keel.conjugate()
    half = ship["hull"] / 2 * DOT + TOLERANCE_MM
    if abs(abs(off_keel.imag) - half) < HAIR_MM:
        return None
    ends = [((corner - complex(pose[0], pose[1])) * keel.conjugate()).real for corner in target]
    if min(abs(off_keel.real - end) for end in (min(ends), max(ends))) < HAIR_MM:
        return None
    if min(ends) < off_keel.real < max(ends):
        return False  # abreast of her
    return abs(off_keel.imag) < half
