"""A table without pictures: pieces and dice lie as told, and observations are made of them.

Captains play by the rules (the truth); what the camera would measure is made from the layout, with
noise, hidden cells and misreads drawn from a seeded source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.rules.hexes import hexagon
from companion.rules.layout import Cell, CellContent, Die, Layout
from companion.table.observation import CellReading, DieReading, Observation

COLOURS = ("red", "blue", "yellow", "green", "gray", "black", "white")
TERRAIN = ("volcano", "desert", "reef")
OCEAN = tuple(sorted(hexagon(5)))
FACES = {
    "coin": (1, 2),
    "sail": (2, 3, 4),
    "cannon": (1, 2, 3, 4, 5),
    "piecepack": (0, 1, 2, 3, 4, 5),
    "d6": (1, 2, 3, 4, 5, 6),
    "colour": (0, 1, 2, 3, 4, 5),
}


@dataclass
class DieOnTable:
    """A die somewhere in the tray."""

    die: Die
    x_mm: float
    y_mm: float


@dataclass
class Hands:
    """What hands do at a table: lay pieces, throw dice, take dice away.

    Parameters
    ----------
    rng : Random
        Where dice come to rest.
    layout : Layout
        The pieces on the board.
    cells : tuple of Cell
        The cells of the board.
    colours : tuple of str
        Colours that a ship may be taken for.
    """

    rng: Random
    layout: Layout = field(default_factory=Layout)
    cells: tuple[Cell, ...] = OCEAN
    colours: tuple[str, ...] = COLOURS
    tray: list[DieOnTable] = field(default_factory=list)
    clock_s: float = 0.0
    frames: int = 0

    def lay(self, layout: Layout) -> None:
        """Put the pieces so, and take spent dice out of the tray; check dice stay there."""
        spent = tuple((Counter(self.layout.dice) - Counter(layout.dice)).elements())
        self.tray.reverse()
        self.take(spent)
        self.tray.reverse()
        self.layout = layout

    def lay_pieces(self, layout: Layout) -> None:
        """Put the pieces so and forget to take the dice."""
        self.layout = layout

    def throw(self, dice: Sequence[Die]) -> None:
        """Throw dice; none comes to lie on another."""
        for die in dice:
            self.tray.append(DieOnTable(die, *self._free_place()))

    def _free_place(self) -> tuple[float, float]:
        while True:
            x, y = self.rng.uniform(12, 208), self.rng.uniform(12, 148)
            if all(abs(d.x_mm - x) + abs(d.y_mm - y) > 30 for d in self.tray):
                return x, y

    def take(self, dice: Sequence[Die]) -> None:
        """Take dice out of the tray, wherever they lie; latest thrown first."""
        for die in dice:
            for lying in reversed(self.tray):
                if lying.die == die:
                    self.tray.remove(lying)
                    break

    def sweep(self) -> None:
        """Take all dice out of the tray."""
        self.tray.clear()

    def look(self, noise: float = 0.0, **changes: object) -> Observation:
        """Return what a camera measures now; `changes` replace fields of the observation."""
        self.clock_s += 0.5
        self.frames += 1
        fields: dict[str, object] = {
            "frame_id": f"f{self.frames}",
            "time_s": self.clock_s,
            "cells": {c: self._read(c, noise) for c in self.cells},
            "dice": tuple(read_die(d, self.rng, noise) for d in self.tray),
            "fit_error_mm": 0.3,
        }
        return Observation(**{**fields, **changes})  # type: ignore[arg-type]

    def _read(self, cell: Cell, noise: float) -> CellReading:
        return read_cell(self.layout.at(cell), self.rng, noise, self.colours)


def read_cell(
    content: CellContent, rng: Random, noise: float, colours: Sequence[str] = COLOURS
) -> CellReading:
    """Return a reading of one cell in which the truth keeps at least ``1 - noise``.

    A stack looks like one ship, and a wreck under a ship is not seen.
    """
    seen = tuple(sorted(set(content.ships)))
    lost = rng.uniform(0, noise)
    rivals = [s for s in [(), *((c,) for c in colours)] if s != seen]
    rival = rng.choice(rivals)
    ships = {seen: 1 - lost, rival: lost} if lost else {seen: 1.0}
    ground = None if seen and content.terrain == "wreck" else content.terrain
    other = rng.choice([t for t in (None, *TERRAIN) if t != ground])
    lost = rng.uniform(0, noise)
    terrain: dict[str | None, float] = {ground: 1.0}
    if lost:
        terrain = {ground: 1 - lost, other: lost}
    return CellReading(ships, terrain, {content.cargo: 1.0})


def read_die(lying: DieOnTable, rng: Random, noise: float) -> DieReading:
    """Return a reading of one die; its place trembles by half a millimetre."""
    lost = rng.uniform(0, noise)
    faces = {lying.die: 1 - lost}
    others = [f for f in FACES[lying.die.kind] if f != lying.die.face]
    if lost:
        faces[Die(lying.die.kind, rng.choice(others))] = lost
    x, y = lying.x_mm + rng.uniform(-0.5, 0.5), lying.y_mm + rng.uniform(-0.5, 0.5)
    return DieReading(faces, (x, y), (int(x), int(y), 20, 20))


def sure_die(kind: str, face: int, x_mm: float, y_mm: float, p: float = 0.99) -> DieReading:
    """Return a reading of a die at a place."""
    return DieReading({Die(kind, face): p}, (x_mm, y_mm), (0, 0, 20, 20))


def doubtful_die(faces: Mapping[Die, float], x_mm: float, y_mm: float) -> DieReading:
    """Return a reading of a die that cannot quite be told."""
    return DieReading(faces, (x_mm, y_mm), (0, 0, 20, 20))
