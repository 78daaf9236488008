"""How well boards and sequences are read: the figures of docs/accuracy_boards.md.

    python -m benchmarks.accuracy_board [--frames FRAMES/dev] [--half tune|report|all]

The even-numbered pictures and the sequences 00 and 01 were used to choose and to learn ("tune");
the odd-numbered pictures and the other sequences were not ("report", the default).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from companion.boards.profile import BoardProfile, load_profile
from companion.rules.layout import cell_name
from companion.table.observation import Observation, Unreadable
from vision.board.reader import BoardReader
from vision.camera.folder import load_picture, picture_paths
from vision.following import FreeWatch
from vision.frame import Frame

HIDDEN = 0.5
"""From this share a cell counts as hidden; below it a reading is as good as a hidden mark."""


@dataclass
class Tally:
    """Counts over pictures."""

    boards: int = 0
    exact: int = 0
    unreadable: int = 0
    cells: int = 0
    wrong: int = 0
    hidden: int = 0
    hidden_marked: int = 0
    hidden_guessed_wrong: int = 0
    marked_in_view: int = 0
    fit_mm: list[float] = field(default_factory=list)
    times_ms: list[float] = field(default_factory=list)
    confusion: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def print(self, title: str) -> None:
        print(f"\n{title}")
        if not self.boards:
            print("  no pictures")
            return
        share = 100 * self.wrong / max(self.cells, 1)
        print(f"  boards exact        {self.exact} of {self.boards} ({self.unreadable} unreadable)")
        print(f"  cells wrong         {self.wrong} of {self.cells} in view ({share:.2f} %)")
        print(
            f"  hidden cells        {self.hidden_marked} of {self.hidden} marked, "
            f"{self.hidden_guessed_wrong} of the others read wrong; "
            f"{self.marked_in_view} cells in full view marked hidden"
        )
        if self.fit_mm:
            print(f"  marker fit          {np.mean(self.fit_mm):.2f} mm mean, "
                  f"{max(self.fit_mm):.2f} mm worst")  # fmt: skip
        if self.times_ms:
            median, high = np.percentile(self.times_ms, [50, 95])
            print(f"  frame to reading    {median:.0f} ms median, {high:.0f} ms p95")
        for what, count in self.confusion.most_common():
            print(f"  confusion           {count} x {what}")
        for line in self.failures:
            print(f"  {line}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    beside = Path(__file__).parents[2] / "shared" / "frames"
    parser.add_argument(
        "--frames", default=Path(os.environ.get("QUARTERDECK_FRAMES") or beside) / "dev"
    )
    parser.add_argument("--half", choices=("tune", "report", "all"), default="report")
    arguments = parser.parse_args()
    frames, profile = Path(arguments.frames), load_profile("hex-ocean")
    if not (frames / "hex").is_dir():
        sys.exit(f"no pictures in {str(frames)!r}: set QUARTERDECK_FRAMES or give --frames")
    halves = ("tune", "report") if arguments.half == "all" else (arguments.half,)
    for half in halves:
        print(f"\n=== half: {half} ===")
        wanted = [p for p in picture_paths(frames / "hex") if half_of(int(p.stem)) == half]
        games = [frames / "hex_seq" / g for g in (("00", "01") if half == "tune" else ("02", "03"))]
        single_pictures(wanted, profile, True).print("single pictures, with the empty board")
        single_pictures(wanted, profile, False).print("single pictures, without the empty board")
        sequence_pictures(games, profile).print(
            "sequence pictures one by one, empty board: frame 0"
        )
        follow(games, profile)


def half_of(number: int) -> str:
    return "report" if number % 2 else "tune"


def single_pictures(paths: list[Path], profile: BoardProfile, with_empty: bool) -> Tally:
    tally = Tally()
    for path in paths:
        empty = path.with_name(f"{path.stem}.empty.jpg")
        reader = BoardReader(profile, load_picture(empty) if with_empty else None)
        judge(tally, reader, path)
    return tally


def sequence_pictures(games: list[Path], profile: BoardProfile) -> Tally:
    tally = Tally()
    for game in games:
        first, *others = picture_paths(game)
        reader = BoardReader(profile, load_picture(first))
        for path in others:
            judge(tally, reader, path)
    return tally


def judge(tally: Tally, reader: BoardReader, path: Path) -> None:
    """Read one labelled picture and count."""
    label = json.loads(path.with_suffix(".json").read_text())
    name = f"{path.parent.name}/{path.stem}"
    frame = Frame(name, 0.0, load_picture(path))
    start = time.perf_counter()
    seen = reader.read(frame)
    tally.times_ms.append((time.perf_counter() - start) * 1000)
    tally.boards += 1
    if isinstance(seen, Unreadable):
        tally.unreadable += 1
        tally.failures.append(f"{name}: {seen.reason}")
        return
    tally.fit_mm.append(seen.fit_error_mm)
    before = tally.wrong + tally.hidden_guessed_wrong
    compare(tally, seen, label, name)
    tally.exact += tally.wrong + tally.hidden_guessed_wrong == before


def compare(tally: Tally, seen: Observation, label: dict, name: str) -> None:
    truth = {(c["q"], c["r"]): describe(c["ship"], c["terrain"]) for c in label["cells"]}
    covered = {(q, r): share for q, r, share in label.get("covered_cells", [])}
    for cell in [*seen.cells, *seen.occluded]:
        share = covered.get(cell, 0.0)
        marked = cell in seen.occluded
        tally.hidden += share >= HIDDEN
        tally.hidden_marked += marked and share >= HIDDEN
        tally.marked_in_view += marked and share == 0
        if marked:
            continue
        expected, got = truth.get(cell, "empty"), likeliest(seen, cell)
        tally.cells += share < HIDDEN
        if got == expected:
            continue
        tally.hidden_guessed_wrong += share >= HIDDEN
        tally.wrong += share < HIDDEN
        tally.confusion[f"{expected} read as {got}"] += 1
        hidden = f", {share:.0%} hidden" if share else ""
        tally.failures.append(f"{name} cell {cell_name(cell)}: {expected} read as {got}{hidden}")


def describe(ship: str | None, terrain: str | None) -> str:
    return " on ".join(word for word in (ship, terrain) if word) or "empty"


def likeliest(seen: Observation, cell: tuple[int, int]) -> str:
    best = seen.cells[cell].best
    return describe("+".join(best.ships) or None, best.terrain)


def follow(games: list[Path], profile: BoardProfile) -> None:
    """Follow whole sequences, the empty first picture included, and compare the events."""
    right: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    invented: Counter[str] = Counter()
    failures = []
    for game in games:
        watch = FreeWatch(BoardReader(profile))
        for path in picture_paths(game):
            label = json.loads(path.with_suffix(".json").read_text())
            told = Counter(
                (c.event, c.ship or c.terrain, c.origin, c.target)
                for c in watch.feed(Frame(path.stem, 0.0, load_picture(path)))
            )
            expected = Counter(expected_changes(label))
            right.update(e[0] for e in (told & expected).elements())
            missed.update(e[0] for e in (expected - told).elements())
            invented.update(e[0] for e in (told - expected).elements())
            failures += [f"{game.name}/{path.stem} missed {e}" for e in expected - told]
            failures += [f"{game.name}/{path.stem} invented {e}" for e in told - expected]
    print("\nsequences followed without a game (first picture: the empty board)")
    for event in sorted({*right, *missed, *invented}):
        print(f"  {event:<18}  {right[event]} right, {missed[event]} missed, "
              f"{invented[event]} invented")  # fmt: skip
    for line in failures:
        print(f"  {line}")


def expected_changes(label: dict) -> list[tuple]:
    changes = expected_event(label)
    if label.get("camera_bump"):
        changes.append(("camera_moved", None, None, None))
    if label.get("light_change"):
        changes.append(("light_changed", None, None, None))
    return changes


def expected_event(label: dict) -> list[tuple]:
    event = label["event"]
    kind, changes = event["type"], []
    if kind == "empty":
        changes.append(("empty_board", None, None, None))
    elif kind == "hand":
        changes.append(("hand", None, None, None))
    elif kind == "move":
        changes.append(("moved", event["ship"], tuple(event["from"]), tuple(event["to"])))
    elif kind == "remove":
        changes.append(("gone", event["ship"], tuple(event["from"]), None))
    elif kind == "setup":
        for c in label["cells"]:
            if c["ship"]:
                changes.append(("appeared", c["ship"], None, (c["q"], c["r"])))
            if c["terrain"]:
                changes.append(("terrain_appeared", c["terrain"], None, (c["q"], c["r"])))
    return changes


if __name__ == "__main__":
    main()
