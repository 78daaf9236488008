"""A table without pictures: pieces and dice lie as told, and observations are made of them.

Captains play by the rules (the truth); what the camera would measure is made from the layout, with
noise, hidden cells and misreads drawn from a seeded source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from companion.rules.game import AnyGame
from companion.rules.hexes import hexagon
from companion.rules.layout import Cell, CellContent, Die, Layout
from companion.table.observation import CellReading, DieReading, Observation

COLOURS = ("red", "blue", "yellow", "green", "gray", "black", "white")
TERRAIN = ("volcano", "desert", "reef")


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
    """

    rng: Random
    layout: Layout = field(default_factory=Layout)
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
            "cells": read_cells(self.layout, self.rng, noise),
            "dice": tuple(read_die(d, self.rng, noise) for d in self.tray),
            "fit_error_mm": 0.3,
        }
        return Observation(**{**fields, **changes})  # type: ignore[arg-type]


def read_cells(
    layout: Layout, rng: Random, noise: float = 0.0, cells: Sequence[Cell] = ()
) -> Mapping[Cell, CellReading]:
    """Return what a camera reads of the board; `noise` is the share lost to other readings."""
    return {c: read_cell(layout.at(c), rng, noise) for c in cells or sorted(hexagon(5))}


def read_cell(content: CellContent, rng: Random, noise: float) -> CellReading:
    """Return a reading of one cell in which the truth keeps at least ``1 - noise``."""
    lost = rng.uniform(0, noise)
    rivals = [s for s in [(), *((c,) for c in COLOURS)] if s != content.ships]
    rival = rng.choice(rivals)
    ships = {content.ships: 1 - lost, rival: lost} if lost else {content.ships: 1.0}
    other = rng.choice([t for t in (None, *TERRAIN) if t != content.terrain])
    lost = rng.uniform(0, noise)
    terrain: dict[str | None, float] = {content.terrain: 1.0}
    if lost:
        terrain = {content.terrain: 1 - lost, other: lost}
    return CellReading(ships, terrain)


def read_die(lying: DieOnTable, rng: Random, noise: float) -> DieReading:
    """Return a reading of one die; its place trembles by half a millimetre."""
    lost = rng.uniform(0, noise)
    faces = {lying.die: 1 - lost}
    low, high = (2, 4) if lying.die.kind == "sail" else (1, 5)
    others = [f for f in range(low, high + 1) if f != lying.die.face]
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


def leaves_trace(game: AnyGame, before: object, after: object) -> bool:
    """Say whether a step shows on the table."""
    return game.layout(before) != game.layout(after)
