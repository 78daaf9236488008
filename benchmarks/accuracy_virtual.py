"""How well boards are read on the virtual table: fresh scenes, random layouts.

    python -m benchmarks.accuracy_virtual PROFILE [--scenes N] [--boards N] [--seed S]
                                          [--no-empty] [--hands]

Every scene has its own camera, light, print and make of pieces; its boards are read one by one
against a picture of the empty board (`--no-empty`: without one), `--hands` with a hand over them.
A board is exact when every cell that is told is right. Seeds from 900000 on are kept for
reports: nothing is trained or chosen on them.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from math import log

import numpy as np

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import CellContent, Layout, cell_name, make_layout
from companion.table.observation import CellReading, Unreadable
from companion.table.sight import CONTRADICTION, FLOOR
from vision.board.reader import BoardReader
from vision.frame import Frame
from vision.virtual import Scene, VirtualTable

SHIPS = ("red", "blue", "yellow", "green", "gray", "black")
FLEETS = ("suns", "crowns", "moons", "arms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("profile")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--boards", type=int, default=3, help="layouts a scene")
    parser.add_argument("--seed", type=int, default=900_000)
    parser.add_argument("--no-empty", action="store_true")
    parser.add_argument("--hands", action="store_true")
    a = parser.parse_args()
    profile, tally = load_profile(a.profile), Tally()
    for seed in range(a.seed, a.seed + a.scenes):
        play_scene(profile, seed, a, tally)
    tally.print(f"{profile.id}, seeds {a.seed} to {a.seed + a.scenes - 1}, "
                f"{'without' if a.no_empty else 'with'} the empty board"
              f"{', a hand over each' if a.hands else ''}")  # fmt: skip


class Tally:
    """Counts over boards."""

    def __init__(self) -> None:
        self.boards = self.exact = self.unreadable = self.cells = self.wrong = self.sure = 0
        self.left_out = self.hidden = self.needless = 0
        self.confusion: Counter[str] = Counter()
        self.makes: Counter[str] = Counter()
        self.exact_makes: Counter[str] = Counter()
        self.failures: list[str] = []
        self.times_ms: list[float] = []

    def print(self, title: str) -> None:
        print(f"\n{title}")
        share = 100 * self.exact / max(self.boards, 1)
        print(f"  boards exact      {self.exact} of {self.boards} ({share:.1f} %), "
              f"{self.unreadable} unreadable")  # fmt: skip
        for make, count in sorted(self.makes.items()):
            print(f"    {make:<15} {self.exact_makes[make]} of {count}")
        print(
            f"  cells wrong       {self.wrong} of {self.cells}; {self.sure} of them without doubt"
        )
        hidden = f"{self.hidden} taken for hidden, {self.needless} of them in full view"
        print(f"  cells not told    {hidden}; {self.left_out} left out")
        median, high = np.percentile(self.times_ms, [50, 95])
        print(f"  frame to reading  {median:.0f} ms median, {high:.0f} ms p95")
        for what, count in self.confusion.most_common():
            print(f"  confusion         {count} x {what}")
        for line in self.failures:
            print(f"  {line}")


def play_scene(profile: BoardProfile, seed: int, a: argparse.Namespace, tally: Tally) -> None:
    rng = np.random.default_rng(seed)
    scene = Scene.random(rng)
    table = VirtualTable(profile, scene, rng, lambda: 0.0)
    reader = BoardReader(profile, None if a.no_empty else table.empty_board())
    for number in range(a.boards):
        layout = random_layout(profile, rng)
        table.lay(layout)
        clean = frame = table.frame()
        if a.hands:
            to = profile.cell_centre_mm(profile.cells[int(rng.integers(len(profile.cells)))])
            table.reach(to, float(rng.uniform(0, 360)), is_left=bool(rng.integers(2)))
            frame = table.frame()
            table.withdraw()
        begun = time.perf_counter()
        seen = reader.read(frame)
        tally.times_ms.append(1000 * (time.perf_counter() - begun))
        tally.boards += 1
        if isinstance(seen, Unreadable):
            tally.unreadable += 1
            tally.failures.append(f"{seed}/{number}: {seen.reason}")
            continue
        before, make = tally.wrong, make_of(table)
        name = f"{seed}/{number} {scene.light} {scene.board_style} {make}"
        judge(profile, layout, seen, name, tally)
        tally.exact += tally.wrong == before
        tally.makes[make] += 1
        tally.exact_makes[make] += tally.wrong == before
        tally.needless += needless(seen.occluded, clean, frame, reader)


def judge(profile, layout: Layout, seen, name: str, tally: Tally) -> None:
    for cell in profile.cells:
        truth = shown(layout.at(cell))
        if cell not in seen.cells:
            tally.hidden += cell in seen.occluded
            tally.left_out += cell not in seen.occluded
            continue
        tally.cells += 1
        best, cost = seen.cells[cell].best, doubt(seen.cells[cell], truth)
        if best == truth:
            continue
        tally.wrong += 1
        tally.sure += cost > CONTRADICTION
        what = f"{words(truth)} read as {words(best)}"
        tally.confusion[what] += 1
        tally.failures.append(f"{name} cell {cell_name(cell)}: {what}, cost {cost:.1f}")


def make_of(table: VirtualTable) -> str:
    """Return how the pieces look: the first pack's coins, or ships."""
    coins = [ship for (_, fleet), ship in table.ships.items() if not fleet.endswith("2")]
    return getattr(coins[0], "look", "ships")


def needless(hidden, clean: Frame, frame: Frame, reader: BoardReader) -> int:
    """Count cells taken for hidden on which the hand's picture is that without it."""
    differs = np.abs(frame.board.astype(int) - clean.board).max(axis=-1) > 40
    count = 0
    for cell in hidden:
        corners = reader.fit.project(np.array(reader.profile.cell_outline_mm(cell)))
        (x0, y0), (x1, y1) = corners.min(axis=0).astype(int), corners.max(axis=0).astype(int)
        count += not differs[max(y0, 0) : y1, max(x0, 0) : x1].any()
    return count


def shown(content: CellContent) -> CellContent:
    """Return what a camera above can see of a cell: a stack is one ship, and hides a wreck."""
    ships = tuple(sorted(set(content.ships)))
    hides = ships and content.terrain == "wreck"
    return CellContent(ships, None if hides else content.terrain, content.cargo)


def doubt(reading: CellReading, truth: CellContent) -> float:
    """Return what it costs the referee to believe the truth (`companion.table.sight`)."""
    pairs = [(reading.ships, truth.ships), (reading.terrain, truth.terrain)]
    pairs += [(reading.cargo, truth.cargo)] if reading.cargo else []
    return sum(log(max(odds.values()) / max(odds.get(true, 0), FLOOR)) for odds, true in pairs)


def words(content: CellContent) -> str:
    parts = ["+".join(content.ships), content.terrain or "", content.cargo or ""]
    return " ".join(p for p in parts if p) or "nothing"


def random_coins(profile: BoardProfile, rng: np.random.Generator) -> Layout:
    """Return a game of Ahoy, Matey! at some moment: stacks, wrecks, one treasure."""
    fleets = profile.pieces.fleets or FLEETS
    sea = [c for c in profile.cells if c not in profile.impassable]
    free = [sea[int(k)] for k in rng.permutation(len(sea))]
    cells: dict[tuple[int, int], CellContent] = {}
    for fleet in fleets:
        left = int(rng.integers(1, 5))
        while left:
            stack = min(left, int(rng.choice([1, 2, 3], p=[0.75, 0.15, 0.1])))
            terrain = "wreck" if rng.random() < 0.05 else None
            cells[free.pop()] = CellContent((fleet,) * stack, terrain)
            left -= stack
    island = [mark.cell for mark in profile.marks if mark.kind == "treasure"]
    for _ in island:
        carrier = list(cells)[int(rng.integers(len(cells)))]
        at = island.pop() if rng.random() < 0.4 else carrier
        was = cells.get(at, CellContent())
        cells[at] = CellContent(was.ships, was.terrain, "treasure")
    for _ in range(int(rng.integers(0, 4))):
        cells[free.pop()] = CellContent((), "wreck")
    return make_layout(cells)


def random_ships(profile: BoardProfile, rng: np.random.Generator) -> Layout:
    """Return a battle at some moment: up to three ships a fleet, a merchant, tiles on hexes."""
    free = [profile.cells[int(k)] for k in rng.permutation(len(profile.cells))]
    cells: dict[tuple[int, int], CellContent] = {}
    for colour in SHIPS[: int(rng.integers(2, 7))]:
        for _ in range(int(rng.integers(1, 4))):
            reef = "reef" if rng.random() < 0.15 and profile.grid.is_hex else None
            cells[free.pop()] = CellContent((colour,), reef)
    if rng.random() < 0.7:
        cells[free.pop()] = CellContent(("white",))
    if profile.grid.is_hex:
        for terrain in ("volcano", "desert", "reef"):
            for _ in range(int(rng.integers(1, 5))):
                cells[free.pop()] = CellContent((), terrain)
    return make_layout(cells)


def random_voyage(profile: BoardProfile, rng: np.random.Generator) -> Layout:
    """Return a game of Privateer at some moment: a ship a fleet; half of them lie in ports."""
    ports = [mark.cell for mark in profile.marks if mark.kind == "port"]
    cells: dict[tuple[int, int], list[str]] = {}
    for colour in SHIPS[: int(rng.integers(2, 7))]:
        where = ports if rng.random() < 0.5 else profile.cells
        cells.setdefault(where[int(rng.integers(len(where)))], []).append(colour)
    return make_layout({c: CellContent(tuple(sorted(ships))) for c, ships in cells.items()})


LAYOUTS = {"ships": random_ships, "coins": random_coins}


def random_layout(profile: BoardProfile, rng: np.random.Generator) -> Layout:
    """Return a game at some moment of a kind that is played on this board."""
    ports = any(mark.kind == "port" for mark in profile.marks)
    return (random_voyage if ports else LAYOUTS[profile.pieces.set])(profile, rng)


if __name__ == "__main__":
    main()
