"""What teaching a table its ships is worth: virtual tables whose ships have odd tones.

    python -m benchmarks.accuracy_teaching [--tables 24] [--seed 300] [--shift 0.08]

Each table's paints are shifted at random: hue by up to `shift` of the circle, saturation and
brightness by up to three times as much. One of each colour is set out as the set-up page asks for
it, and a picture taken; then four fleets of twelve ships are read, with what was learnt and
without. A ship counts as told from a probability of 0.9 on.
"""

from __future__ import annotations

import argparse
import colorsys

import numpy as np

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import Cell, CellContent, Layout, make_layout
from companion.setup.teaching import lesson, sample
from companion.table.observation import Unreadable, likeliest
from vision.board.look import learn_look
from vision.board.reader import BoardReader
from vision.virtual import Scene, VirtualTable
from vision.virtual.pieces import SHIP_COLOURS

SURE = 0.9
FLEETS, SHIPS = 4, 12
READERS = ("by itself", "taught by one picture")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=24)
    parser.add_argument("--seed", type=int, default=300)
    parser.add_argument("--shift", type=float, default=0.08)
    arguments = parser.parse_args()
    counts = np.zeros((len(READERS), 2), int)
    usual = dict(SHIP_COLOURS)
    for seed in range(arguments.seed, arguments.seed + arguments.tables):
        rng = np.random.default_rng(seed)
        SHIP_COLOURS.update({n: _shifted(c, rng, arguments.shift) for n, c in usual.items()})
        counts += _counted(load_profile("hex-ocean"), rng)
    print(f"{arguments.tables * FLEETS * SHIPS} ships, tones shifted by {arguments.shift}")
    for name, (right, wrong) in zip(READERS, counts, strict=True):
        print(f"{name:24}told rightly {right}, wrongly {wrong}")


def _shifted(
    paint: tuple[int, int, int], rng: np.random.Generator, by: float
) -> tuple[int, int, int]:
    blue, green, red = (level / 255 for level in paint)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    saturation, value = (x * (1 + 3 * by * rng.uniform(-1, 1)) for x in (saturation, value))
    hue = (hue + by * rng.uniform(-1, 1)) % 1
    red, green, blue = colorsys.hsv_to_rgb(hue, min(saturation, 1), min(max(value, 0.05), 1))
    return int(blue * 255), int(green * 255), int(red * 255)


def _counted(board: BoardProfile, rng: np.random.Generator) -> np.ndarray:
    """Return ships told rightly and wrongly, shape (readers, 2), on one table."""
    table = VirtualTable(board, Scene.random(rng), rng, lambda: 0.0)
    empty = table.empty_board()
    _lay(table, lesson(board))
    look = learn_look(sample(table.frame(), board, empty, is_sure=True))
    readers = BoardReader(board, empty), BoardReader(board, empty, look)
    counts = np.zeros((len(readers), 2), int)
    for _ in range(FLEETS):
        fleet = _fleet(board, rng)
        _lay(table, fleet)
        frame = table.frame()
        for row, reader in zip(counts, readers, strict=True):
            row += _told(reader.read(frame), fleet)
    return counts


def _lay(table: VirtualTable, ships: dict[Cell, str]) -> None:
    table.lay(Layout())  # else those that are there already stay as they lie
    table.lay(make_layout({c: CellContent((s,), None, None) for c, s in ships.items()}, ()))


def _fleet(board: BoardProfile, rng: np.random.Generator) -> dict[Cell, str]:
    sea = [cell for cell in board.cells if not board.marks_on(cell)]
    cells = [sea[k] for k in rng.permutation(len(sea))[:SHIPS]]
    colours = [name for name in SHIP_COLOURS if name != "white"]
    return {c: colours[k % len(colours)] if k else "white" for k, c in enumerate(cells)}


def _told(seen: object, fleet: dict[Cell, str]) -> np.ndarray:
    counts = np.zeros(2, int)
    if isinstance(seen, Unreadable):
        return counts
    for cell, ship in fleet.items():
        ships = seen.cells[cell].ships if cell in seen.cells else {(): 0.0}  # type: ignore[attr-defined]
        best, p = likeliest(ships)
        if p >= SURE:
            counts[0 if best == (ship,) else 1] += 1
    return counts


if __name__ == "__main__":
    main()
