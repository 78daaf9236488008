"""How well dice are read: real photographs, path-traced trays, virtual trays of unused seeds.

``python -m benchmarks.accuracy_dice photographs --folder DICE``
``python -m benchmarks.accuracy_dice traced --folder FRAMES/dice``
``python -m benchmarks.accuracy_dice virtual --scenes 100 --rolls 5 --seed 123000``
``python -m benchmarks.accuracy_dice drawn --folder NEAR``, of ``dice_training.generate --near``:
each kind of numbered dice read on its own; those that are seen whole and from above, and all.
With ``--as-in-a-tray`` they need not be found, and are doubted no more than there.
``python -m benchmarks.accuracy_dice traced --folder TRAYS --in-play``, of what
``dice_training.cast_trays`` wrote: the tray has been seen empty.

Only pictures that nothing was learnt from are read, unless ``--learnt`` asks for the others (for
choosing parameters). A die counts as *right* or *wrong* if it is answered, else as *refused* (the
table asks); *missed* is a die without a reading, *ghost* an answer where there is no die.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from benchmarks.dice_training.pictures import (
    Known,
    Labelled,
    drawn_pictures,
    real_photographs,
    traced_trays,
)
from benchmarks.dice_training.tables import SIZE_MM, box_of, virtual_rolls
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from vision.dice.aspect import Aspect, Views
from vision.dice.crops import Box, is_in, middle_of
from vision.dice.kinds import CLOSE_KINDS, FACES, SHAPES
from vision.dice.lean import Leaning
from vision.dice.memory import TrayMemory
from vision.dice.pictures import PictureReader
from vision.dice.reader import TrayReader
from vision.dice.reading import SURE, DiceReader
from vision.dice.teller import DieTeller, Odds
from vision.dice.tones import body_of
from vision.frame import Image
from vision.virtual.solids import SOLID_KINDS


@dataclass(frozen=True)
class Answer:
    """What was told of one die: its box, and the likeliest face if that is sure."""

    box: Box
    die: Die | None


class Tally:
    """Counts of dice by kind and fate, of pictures, and of what was taken for what."""

    def __init__(self) -> None:
        self.fates: Counter[tuple[str, str]] = Counter()
        self.confused: Counter[tuple[Die, Die]] = Counter()
        self.pictures: Counter[str] = Counter()
        self.times_s: list[float] = []
        self.failures: list[str] = []

    def add(self, name: str, answers: Sequence[Answer], truth: Sequence[Labelled]) -> None:
        """Compare the answers of one picture with its labels."""
        matched, fates = _matched(answers, truth), []
        for number, label in enumerate(truth):
            answer = matched.get(number)
            fate = _fate(answer, label)
            fates.append(fate)
            self.fates[label.kind, fate] += 1
            if fate in ("right", "wrong") and answer is not None and answer.die is not None:
                self.confused[Die(label.kind, label.face), answer.die] += 1
            if fate == "wrong" and answer is not None:
                self.failures.append(f"{name}: {label.kind} {label.face} read as {answer.die}")
        for answer in (a for a in answers if not any(a is m for m in matched.values())):
            sure = answer.die is not None
            self.fates["no die", "ghost" if sure else "refused"] += 1
            fates.append("ghost" if sure else "extra")
            if sure:
                self.failures.append(f"{name}: {answer.die} where no die is labelled")
        exact = all(fate == "right" for fate in fates)
        wrong = any(fate in ("wrong", "ghost") for fate in fates)
        self.pictures["exact" if exact else "wrong" if wrong else "asked"] += 1

    def read(
        self,
        name: str,
        picture: Image,
        truth: Sequence[Labelled],
        reader: PictureReader,
        kinds: Sequence[str] | None,
    ) -> None:
        """Read a picture, and compare what is told with its labels."""
        start = time.perf_counter()
        seen = reader.read(picture, kinds)
        self.times_s.append(time.perf_counter() - start)
        self.add(name, [answer_of(die.box, die.best) for die in seen], truth)

    def show(self, title: str) -> None:
        """Print the figures."""
        print(f"\n## {title}")
        for kind in sorted({kind for kind, _ in self.fates}):
            n = {fate: count for (k, fate), count in self.fates.items() if k == kind}
            dice, answered = sum(n.values()), n.get("right", 0) + n.get("wrong", 0)
            line = f"{kind:11} {dice:5}  " + "  ".join(f"{f} {c}" for f, c in sorted(n.items()))
            if kind != "no die" and answered:
                line += f"   right of answered {n.get('right', 0) / answered:.2%}"
                line += f", not answered {1 - answered / dice:.1%}"
            print(line)
        print("pictures", dict(self.pictures))
        times = np.percentile(self.times_s or [0.0], [50, 95]) * 1e3
        print(f"a picture {times[0]:.0f} ms, p95 {times[1]:.0f} ms (time that passed)")
        for failure in self.failures:
            print(" ", failure)

    def show_confusion(self) -> None:
        """Print for each kind what its answered faces were taken for."""
        for kind in sorted({truth.kind for truth, _ in self.confused}):
            rows: dict[int, Counter[str]] = defaultdict(Counter)
            for (truth, told), count in self.confused.items():
                if truth.kind == kind:
                    shown = str(told.face) if told.kind == kind else f"{told.kind} {told.face}"
                    rows[truth.face][shown] += count
            print(f"{kind}: " + "; ".join(
                f"{face} -> " + ", ".join(f"{t} {c}" for t, c in sorted(row.items()))
                for face, row in sorted(rows.items())
            ))  # fmt: skip


def _matched(answers: Sequence[Answer], truth: Sequence[Labelled]) -> dict[int, Answer]:
    """Return the answer to each label: its box holds the label's middle, and it is the nearest."""
    pairs = [
        (float(np.abs(np.subtract(middle_of(answer.box), middle_of(label.box))).sum()), number, k)
        for number, label in enumerate(truth)
        for k, answer in enumerate(answers)
        if is_in(label.box, answer.box)
    ]
    matched: dict[int, Answer] = {}
    taken = set[int]()
    for _, number, k in sorted(pairs):
        if number not in matched and k not in taken:
            matched[number] = answers[k]
            taken.add(k)
    return matched


def _fate(answer: Answer | None, label: Labelled) -> str:
    if answer is None:
        return "missed"
    if answer.die is None:
        return "refused"
    return "right" if answer.die == Die(label.kind, label.face) else "wrong"


def main(argv: list[str] | None = None) -> int:
    """Read, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=["photographs", "traced", "virtual", "drawn"])
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--learnt", action="store_true", help="read what was learnt from")
    parser.add_argument("--free", action="store_true", help="do not tell which kinds there can be")
    parser.add_argument("--as-in-a-tray", action="store_true", help="of drawn dice")
    parser.add_argument("--in-play", action="store_true", help="trays were seen empty")
    parser.add_argument("--confusion", action="store_true", help="print confusion tables")
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--rolls", type=int, default=5)
    parser.add_argument("--seed", type=int, default=123000)
    parser.add_argument("--kinds", default="sail,cannon", help="of the virtual trays")
    parser.add_argument("--dice", type=int, help="dice of each virtual roll (default: 1 to 6)")
    parser.add_argument("--tray", default="220x160", help="inside of the virtual tray, mm")
    arguments = parser.parse_args(argv)
    cv2.setNumThreads(2)
    kinds = tuple(arguments.kinds.split(","))
    if unknown := set(kinds).difference(SOLID_KINDS):
        parser.error(f"--kinds: {min(unknown)!r} is none of {', '.join(SOLID_KINDS)}")
    if arguments.source == "virtual":
        tallies = {"virtual " + arguments.kinds: _virtual(arguments, kinds)}
    elif arguments.source == "drawn":
        known = _asked(parser, arguments, drawn_pictures)
        tallies = _drawn(known, _given if arguments.as_in_a_tray else _any)
    else:
        read = real_photographs if arguments.source == "photographs" else traced_trays
        known = asked_half(parser, arguments, read)
        tallies = _pictures(known, arguments.free, _in_play if arguments.in_play else _seen)
    for title, tally in tallies.items():
        tally.show(title)
        if arguments.confusion:
            tally.show_confusion()
    return 0


Labelling = Callable[[Path], Iterable[Known]]
"""Returns the labelled pictures of a folder."""


def _asked(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, read: Labelling
) -> list[Known]:
    """Return all pictures of ``--folder``; ends the program if it is not given or not there."""
    if not arguments.folder:
        parser.error(f"{arguments.source}: say where the pictures are (--folder)")
    try:
        return list(read(Path(arguments.folder)))
    except FileNotFoundError as error:
        parser.error(f"there is no {error.filename}: is {arguments.folder} the right folder?")


def asked_half(
    parser: argparse.ArgumentParser, arguments: argparse.Namespace, read: Labelling
) -> list[Known]:
    """Return the pictures of ``--folder`` that are reported on, or were ``--learnt`` from.

    Ends the program if there are none.
    """
    every = _asked(parser, arguments, read)
    known = [k for k in every if k.is_learnt == arguments.learnt]
    if not known:
        parser.error(f"no labelled pictures in {arguments.folder}")
    return known


ReadKnown = Callable[[Known, Image, Sequence[str] | None], list[Answer]]


def _pictures(known: Iterable[Known], free: bool, read: ReadKnown) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    expected: dict[str, tuple[str, ...]] = {}
    for picture in (known := list(known)):
        kinds = {d.kind for d in picture.dice if d.kind in FACES}
        expected[picture.source] = tuple(kinds.union(expected.get(picture.source, ())))
    for picture in known:
        tally = tallies[picture.source]
        image = picture.read()
        start = time.perf_counter()
        answers = read(picture, image, None if free else expected[picture.source])
        tally.times_s.append(time.perf_counter() - start)
        tally.add(picture.path.name, answers, picture.dice)
    return tallies


def _seen(_: Known, image: Image, expect: Sequence[str] | None) -> list[Answer]:
    """Return what `quarterdeck see dice` tells."""
    return [answer_of(d.box, d.best) for d in _picture_reader().read(image, expect)]


def _in_play(known: Known, image: Image, expect: Sequence[str] | None) -> list[Answer]:
    """Return what is told of a tray that was seen empty; nothing where it is not found."""
    try:
        readings = TrayReader(SIZE_MM, known.read_empty()).read(image, expect)
    except NotCalibrated:
        return []
    return [answer_of(r.box_px, r.best) for r in readings]


def answer_of(box: Box, best: tuple[Die, float] | None) -> Answer:
    """Return an answer that is told if it is sure."""
    return Answer(box, best[0] if best and best[1] >= SURE else None)


@cache
def _picture_reader() -> PictureReader:
    return PictureReader(SIZE_MM)


_MOST_LEAN_DEG = {"icosahedron": 18.0, "dodecahedron": 27.0}
"""Seen from farther beside, the next side is as plain as the top."""
_FROM_ABOVE_DEG, _WHOLE = 20.0, 0.98


Read = Callable[[Image, str, Sequence[Labelled]], list[Answer]]


def _any(image: Image, kind: str, _: Sequence[Labelled]) -> list[Answer]:
    """Return what is told in any picture of dice of a kind."""
    return [answer_of(d.box, d.best) for d in dice_reader().read(image, (kind,))]


def _given(image: Image, kind: str, dice: Sequence[Labelled]) -> list[Answer]:
    """Return what is told of dice of a kind, in a tray: where and how they lie is given."""
    looks = tell_in_tray(image, aspect_of(kind, dice), kind, TrayMemory())
    return [answer_of(die.box, best_of(odds, kind)) for die, odds in zip(dice, looks, strict=True)]


def aspect_of(kind: str, dice: Sequence[Labelled]) -> Aspect:
    """Return how dice of a kind are seen, by their labels."""
    boxes = [die.box for die in dice]
    leaning = Leaning(1.0, np.array([die.leans_deg for die in dice]).reshape(-1, 2))
    tops = leaning.tops_of(boxes, [SHAPES[kind]] * len(dice))
    return Aspect(1.0, boxes, tops, leaning.leans_deg)


def tell_in_tray(image: Image, aspect: Aspect, kind: str, memory: TrayMemory) -> list[Odds]:
    """Return what dice of a kind may show in a tray, where it is given how they are seen."""
    shapes = [SHAPES[kind]] * len(aspect.boxes)

    def views_of(_: Sequence[str]) -> Views:
        return dice_reader().views_in_tray(image, aspect, shapes, memory)

    looks = _teller().tell(image, aspect.boxes, (kind,), views_of, memory.lettering)
    return [
        memory.vouched.lessened(body_of(image, *seen), odds)
        for seen, odds in zip(zip(aspect.boxes, shapes, strict=True), looks, strict=True)
    ]


def best_of(odds: Odds, kind: str) -> tuple[Die, float] | None:
    """Return the likeliest face of a die of a kind, and how likely it is."""
    return max(odds.faces((kind,)).items(), key=lambda face: face[1], default=None)


dice_reader, _teller = cache(DiceReader), cache(DieTeller)


def _drawn(known: Iterable[Known], read: Read) -> dict[str, Tally]:
    """Read numbered dice; `is_hidden` ones and those that are nearly so count in no tally."""
    tallies = {"drawn, from above, whole": Tally(), "drawn, all": Tally(), "drawn, cocked": Tally()}
    for picture in known:
        image = picture.read()
        for kind in sorted({d.kind for d in picture.dice if d.kind in CLOSE_KINDS}):
            most = _MOST_LEAN_DEG.get(SHAPES[kind], 90.0)
            dice = [d for d in picture.dice if d.kind == kind and d.lean_deg <= most]
            plain = [d for d in dice if d.lean_deg <= _FROM_ABOVE_DEG and d.visible >= _WHOLE]
            start = time.perf_counter()
            answers = read(image, kind, dice)
            spent = time.perf_counter() - start
            for tally, truth in zip(tallies.values(), (plain, dice), strict=False):
                own = [a for a in answers if any(is_in(die.box, a.box) for die in truth)]
                tally.times_s.append(spent)
                tally.add(f"{picture.path.name} {kind}", own, truth)
        for die in _cocked(picture):
            start = time.perf_counter()
            told = [a for a in read(image, die.kind, [die]) if is_in(die.box, a.box)]
            tallies["drawn, cocked"].times_s.append(time.perf_counter() - start)
            tallies["drawn, cocked"].add(f"{picture.path.name} {die.kind}", told, [die])
    return tallies


def _cocked(picture: Known) -> Iterator[Labelled]:
    """Yield numbered dice seen whole that are cocked, as what they would be told to show."""
    for die in picture.dice:
        most = _MOST_LEAN_DEG.get(SHAPES.get(die.die, ""), _FROM_ABOVE_DEG)
        is_seen = die.lean_deg <= most and die.visible >= _WHOLE
        if die.die in CLOSE_KINDS and die.own_lean_deg is not None and is_seen:
            yield replace(die, kind=die.die)


def _virtual(arguments: argparse.Namespace, kinds: tuple[str, ...]) -> Tally:
    tally = Tally()
    away_mm: list[float] = []
    for k, (answers, truth, spent, away) in enumerate(_virtual_answers(arguments, kinds)):
        tally.times_s.append(spent)
        away_mm += away
        tally.add(f"{k:04d}", answers, truth)
    print(f"from the true place {np.round(np.percentile(away_mm, [50, 95, 100]), 1)} mm")
    return tally


def _virtual_answers(
    arguments: argparse.Namespace, kinds: tuple[str, ...]
) -> Iterator[tuple[list[Answer], list[Labelled], float, list[float]]]:
    reader, last = None, None
    width, _, height = arguments.tray.partition("x")
    size_mm = (float(width), float(height))
    count = (arguments.dice, arguments.dice) if arguments.dice else (1, 6)
    rolls = virtual_rolls(arguments.scenes, arguments.rolls, arguments.seed, kinds, count, size_mm)
    for roll in rolls:
        if reader is None or last is not roll.empty:
            reader, last = TrayReader(size_mm, roll.empty), roll.empty
        picture: Image = roll.picture
        start = time.perf_counter()
        readings = reader.read(picture, None if arguments.free else kinds)
        spent = time.perf_counter() - start
        places = np.array([r.centre_mm for r in readings]).reshape(-1, 2)
        away = [
            float(np.linalg.norm(places - [d.x_mm, d.y_mm], axis=1).min())
            for d in roll.dice
            if len(places)
        ]
        yield (
            [answer_of(r.box_px, r.best) for r in readings],
            [Labelled(d.kind, d.face, box_of(d, roll.lens)) for d in roll.dice],
            spent,
            away,
        )


if __name__ == "__main__":
    sys.exit(main())
