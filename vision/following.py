"""What has changed from picture to picture, without a game: ships that moved, hands, bumps.

What lay there before is a strong hint: a cell is taken to have changed only when the picture says
so clearly, and a ship that vanished here and turned up there is one ship.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import dist
from typing import TypeVar

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from companion.table.observation import CellReading, Observation, Ships, Unreadable, likeliest
from vision.board.reader import BoardReader
from vision.frame import Frame
from vision.light import Light, measure_light
from vision.pipeline import CAMERA_MOVED_MM
from vision.registration import BoardFit, register

_Key = TypeVar("_Key")

STAYS = 30.0
"""How much likelier it is that a cell stays as it was than that it changes."""

SAME_SHIP = 0.003
"""Probability of the vanished colour that is enough to see it in a ship that turned up."""

TINT_CHANGED = 0.06
"""Change of the light's colour (natural logarithm) that is told; at rest it is below 0.03."""

BRIGHTNESS_CHANGED = 0.2
"""The same for brightness, which a hand and the camera's own exposure disturb more."""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that differs from the picture before."""

    event: str
    """``"moved"``, ``"gone"``, ``"appeared"``, ``"terrain_gone"``, ``"terrain_appeared"``,
    ``"cargo_moved"``, ``"cargo_gone"``, ``"cargo_appeared"``, ``"hand"``, ``"camera_moved"``,
    ``"light_changed"``, ``"empty_board"``, ``"unreadable"``."""
    ship: str | None = None
    origin: Cell | None = None
    """Where it was; ``None`` for what appeared."""
    target: Cell | None = None
    """Where it is now; ``None`` for what is gone."""
    terrain: str | None = None
    reason: str | None = None
    """Why a picture is unreadable."""
    cargo: str | None = None


class BoardMemory:
    """What is believed to lie on the board, carried from picture to picture."""

    def __init__(self, profile: BoardProfile) -> None:
        self._profile = profile
        self.ships: dict[Cell, Ships] = {}
        self.terrain: dict[Cell, str] = {}
        self.cargo: dict[Cell, str] = {}

    def take_in(self, readings: Mapping[Cell, CellReading]) -> list[Change]:
        """Bring the belief up to date; return what changed, in reading order."""
        gone: list[tuple[str, Cell]] = []
        come: list[tuple[str, Cell]] = []
        changes = []
        for cell, reading in sorted(readings.items()):
            changes += self._take_terrain(cell, reading)
            before = self.ships.get(cell, ())
            after = _likelier(reading.ships, before)
            gone += [(ship, cell) for ship in before if ship not in after]
            come += [(ship, cell) for ship in after if ship not in before]
        pairs = _pair_up(gone, come, readings, self._profile)
        for ship, cell in gone:
            self._remove(ship, cell)
        moved_to = {(ship, cell) for _, _, ship, cell in pairs}
        for name, origin, _, target in pairs:
            self._place(name, target)
            changes.append(Change("moved", name, origin, target))
            gone.remove((name, origin))
        for ship, cell in gone:
            changes.append(Change("gone", ship, cell))
        for ship, cell in come:
            if (ship, cell) not in moved_to:
                self._place(ship, cell)
                changes.append(Change("appeared", ship, None, cell))
        return changes + self._take_cargo(readings)

    def _take_terrain(self, cell: Cell, reading: CellReading) -> list[Change]:
        before = self.terrain.get(cell)
        after = _likelier(reading.terrain, before)
        if after == before or (before == "wreck" and _likelier(reading.ships, ()) != ()):
            return []  # a wreck is not gone when a ship lies on it
        changes = []
        if before is not None:
            del self.terrain[cell]
            changes.append(Change("terrain_gone", None, cell, None, before))
        if after is not None:
            self.terrain[cell] = after
            changes.append(Change("terrain_appeared", None, None, cell, after))
        return changes

    def _take_cargo(self, readings: Mapping[Cell, CellReading]) -> list[Change]:
        """Bring the belief about cargo up to date; what left one cell for another moved."""
        told = {cell: r.cargo for cell, r in sorted(readings.items()) if r.cargo}
        now = {cell: _likelier(odds, self.cargo.get(cell)) for cell, odds in told.items()}
        left = [(c, what) for c, what in self.cargo.items() if c in now and now[c] != what]
        come = [(c, what) for c, what in now.items() if what and self.cargo.get(c) != what]
        changes = []
        for cell, what in left:
            del self.cargo[cell]
            to = next((c for c, other in come if other == what), None)
            event = "cargo_gone" if to is None else "cargo_moved"
            changes.append(Change(event, None, cell, to, cargo=what))
            come = [(c, other) for c, other in come if c != to]
            if to is not None:
                self.cargo[to] = what
        for cell, what in come:
            self.cargo[cell] = what
            changes.append(Change("cargo_appeared", None, None, cell, cargo=what))
        return changes

    def _place(self, ship: str, cell: Cell) -> None:
        self.ships[cell] = tuple(sorted({*self.ships.get(cell, ()), ship}))

    def _remove(self, ship: str, cell: Cell) -> None:
        left = tuple(s for s in self.ships[cell] if s != ship)
        if left:
            self.ships[cell] = left
        else:
            del self.ships[cell]


class FreeWatch:
    """Follows single pictures of one table and tells the changes.

    Parameters
    ----------
    reader : BoardReader
        With or without a picture of the empty board. Without one, a first picture that shows no
        piece is taken for it.
    """

    def __init__(self, reader: BoardReader) -> None:
        self._reader = reader
        self.memory = BoardMemory(reader.profile)
        self._fit: BoardFit | None = None
        self._light: Light | None = None
        self._first = True

    def feed(self, frame: Frame) -> list[Change]:
        """Take the next picture; return what has changed since the one before."""
        profile = self._reader.profile
        fit = register(frame.board, profile, self._fit, frame.id)
        if isinstance(fit, Unreadable):
            return [Change("unreadable", reason=fit.reason)]
        light = measure_light(frame.board, fit, profile)
        changes = self._circumstances(fit, light)
        self._fit, self._light = fit, light
        seen = self._reader.read_fitted(frame, fit)
        first, self._first = self._first, False
        if first and self._reader.empty is None and _shows_nothing(seen):
            self._reader.know_empty(frame.board)
            return [Change("empty_board")]
        if seen.occluded:
            # What a hand does is told when it is gone: a ship in it is neither here nor there.
            return [*changes, Change("hand")]
        return changes + self.memory.take_in(seen.cells)

    def _circumstances(self, fit: BoardFit, light: Light) -> list[Change]:
        changes = []
        profile = self._reader.profile
        if self._fit is not None and fit.shift_from(self._fit, profile) > CAMERA_MOVED_MM:
            changes.append(Change("camera_moved"))
        if self._light is not None and _light_differs(light, self._light, profile):
            changes.append(Change("light_changed"))
        return changes


def _light_differs(now: Light, before: Light, profile: BoardProfile) -> bool:
    middle = np.array([profile.grid.origin_mm])
    step = np.log(now.white_at(middle) / before.white_at(middle))
    tint = np.abs(step - step.mean()).max()
    return bool(tint > TINT_CHANGED or abs(step.mean()) > BRIGHTNESS_CHANGED)


def _shows_nothing(seen: Observation) -> bool:
    """Return whether a picture is of the empty board; a print may puzzle the reader a little."""
    busy = sum(
        reading.ships.get((), 0.0) < 0.5
        or reading.terrain.get(None, 0.0) < 0.5
        or reading.cargo.get("treasure", 0.0) > 0.5
        for reading in seen.cells.values()
    )
    return busy <= 1 and not seen.occluded


def _likelier(odds: Mapping[_Key, float], before: _Key) -> _Key:
    best, p = likeliest(odds)
    return before if odds.get(before, 0.0) * STAYS >= p else best


def _pair_up(
    gone: list[tuple[str, Cell]],
    come: list[tuple[str, Cell]],
    seen: Mapping[Cell, CellReading],
    profile: BoardProfile,
) -> list[tuple[str, Cell, str, Cell]]:
    """Match ships that vanished with ships that turned up, nearest first.

    Returns name, origin, the colour it is seen as, target. A colour that is merely possible is
    matched only after all that agree.
    """
    possible = []
    for name, origin in gone:
        for seen_as, target in come:
            agrees = name == seen_as
            if agrees or seen[target].ships.get((name,), 0.0) > SAME_SHIP:
                away = round(dist(profile.cell_centre_mm(origin), profile.cell_centre_mm(target)))
                possible.append((not agrees, away, name, origin, seen_as, target))
    pairs: list[tuple[str, Cell, str, Cell]] = []
    for _, _, name, origin, seen_as, target in sorted(possible):
        fresh = all((name, origin) != p[:2] and (seen_as, target) != p[2:] for p in pairs)
        if fresh:
            pairs.append((name, origin, seen_as, target))
    return pairs
