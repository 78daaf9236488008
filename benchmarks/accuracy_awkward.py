"""Cocked, stacked, half-hidden and rolling dice: are they reported, or guessed?

``python -m benchmarks.accuracy_awkward drawn --count 400``
``python -m benchmarks.accuracy_awkward traced --folder FRAMES/dice``
``python -m benchmarks.accuracy_awkward thrown --folder TRAYS``
``python -m benchmarks.accuracy_awkward trays --count 50 [--kinds d8 d10 d12 d20]``
``python -m benchmarks.accuracy_awkward aslant --count 20``
``python -m benchmarks.accuracy_awkward cast --folder CAST``

Drawn pictures (of the training's generator, other seeds) each hold one awkward die among plain
ones; of the path-traced trays the half that nothing was learnt from is read, by how much of each
die is seen and whether it touches another; virtual trays (other seeds as well) are rolled four
times each (``--throws``), with cocked and stacked dice among the plain ones. Virtual dice seen
aslant are read as in any picture: nobody knows how the camera stands. Cast dice
(`dice_training.cast`) lie as they fell; thrown ones (`dice_training.cast_trays --awkward`) in a
tray that has been seen empty: all kinds of the folder can lie there.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.dice_training.brush import photograph
from benchmarks.dice_training.drawing import AWKWARD, FINE, Scene
from benchmarks.dice_training.falling import FLAT
from benchmarks.dice_training.glyphs import Glyphs, fonts_under, load_glyphs
from benchmarks.dice_training.pictures import SKIPPED, Known, drawn_pictures, traced_trays
from benchmarks.dice_training.solids import make_solid
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.unsure_dice import COCKED, HALF_HIDDEN, NO_DIE, STACKED, UNCLEAR
from vision.dice.crops import Box, is_in
from vision.dice.kinds import NOTHING
from vision.dice.reading import DiceReader, SeenDie
from vision.dice.rolls import RollGate
from vision.frame import Image
from vision.virtual.dice import face_on_top
from vision.virtual.solids import SOLID_KINDS

KINDS = ("d6", "d6_numeral", "piecepack", "cannon", "d20")
TRACED_KINDS = ("d6", "cannon", "piecepack", "sail", "colour")
ASLANT_KINDS = ("d20", "cannon", "d12", "d10", "d8", "sail", "d4")
TILTS_DEG = (0, 10, 20, 30, 40)
NEAR_TRAY_MM = (150.0, 110.0)
"""A small tray, seen from near: numerals are large enough."""
SIZE_PX = 576
_APART_MM = 34.0
FATES = ("right", "wrong", "reported", "overlooked")
SEEMS = (HALF_HIDDEN, COCKED, STACKED, NO_DIE, UNCLEAR)
"""As what the reported ones are reported."""
_THROWS = ("throws, all plain", "throws, some awkward")


def main(argv: list[str] | None = None) -> int:
    """Draw or load, read, count, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", choices=list(_SOURCES))
    parser.add_argument(
        "--count", type=int, default=400, help="drawn pictures, or trays (of each kind and tilt)"
    )
    parser.add_argument("--awkward", type=float, default=0.4, help="share of the dice of trays")
    parser.add_argument("--throws", type=int, default=4, help="into each virtual tray")
    parser.add_argument("--seed", type=int, default=990_000)
    parser.add_argument(
        "--kinds", nargs="+", choices=SOLID_KINDS, default=TRACED_KINDS, help="of virtual trays"
    )
    parser.add_argument("--folder", type=Path, help="path-traced trays, or cast dice")
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    arguments = parser.parse_args(argv)
    if arguments.source in ("traced", "thrown", "cast") and arguments.folder is None:
        parser.error(f"{arguments.source}: say where the pictures are (--folder)")
    try:
        fates = _SOURCES[arguments.source](arguments)
    except FileNotFoundError as error:
        parser.error(f"there is no {error.filename}: is {arguments.folder} the right folder?")
    if not fates:
        nothing = f"no labelled pictures in {arguments.folder}"
        parser.error(
            nothing if arguments.folder else "nothing to read: --count and --throws from 1"
        )
    print(f"{'':<22}{'dice':>6}" + "".join(f"{fate:>12}" for fate in (*FATES, *SEEMS)))
    for what in dict.fromkeys(what for what, _ in fates):
        counts, seems = ([fates[what, fate] for fate in some] for some in (FATES, SEEMS))
        counts[FATES.index("reported")] += sum(seems)
        print(f"{what:<22}{sum(counts):>6}" + "".join(f"{n:>12}" for n in (*counts, *seems)))
    return 0


def _drawn(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    fonts = fonts_under(arguments.fonts)
    reader, fates = DiceReader(), Counter[tuple[str, str]]()
    glyphs: Glyphs = {}
    for index in range(arguments.count):
        rng = np.random.default_rng((arguments.seed, index))
        glyphs = load_glyphs(fonts, rng) if index % 50 == 0 else glyphs
        what = list(AWKWARD)[index % len(AWKWARD)]
        picture, kinds, awkward, plain = _scene(rng, glyphs, what)
        seen = reader.read(picture, kinds)
        ways = [what, *["plain, beside them"] * len(plain)]
        fates.update(zip(ways, fates_of(seen, [awkward, *plain]), strict=True))
    return fates


_Labelled = tuple[Die, Box]


def _scene(
    rng: np.random.Generator, glyphs: Glyphs, what: str
) -> tuple[Image, tuple[str, ...], _Labelled, list[_Labelled]]:
    """Return a picture, the kinds in it, its awkward die, and its plain ones."""
    while True:
        scene = Scene(rng, glyphs, SIZE_PX)
        reach = 0.3 * SIZE_PX * FINE / scene.eye.focal * float(np.linalg.norm(scene.eye.place))
        kind = str(rng.choice(KINDS))
        at = rng.uniform(-0.5, 0.5, 2) * reach
        face = AWKWARD[what](scene, kind, at)
        places, kinds = [at], {kind}
        for _ in range(40):
            place = rng.uniform(-reach, reach, 2)
            if len(places) < 4 and min(np.linalg.norm(place - p) for p in places) > _APART_MM:
                other = str(rng.choice(KINDS))
                scene.draw(make_solid(other, rng), place, other)
                places.append(place)
                kinds.add(other)
        seen = scene.seen(least=0.2)
        awkward = [d for d in seen if d.kind == NOTHING]
        if awkward:
            plain = [(Die(d.kind, d.face), d.box) for d in seen if d.kind in KINDS]
            told = (Die(kind, face), awkward[-1].box)
            return photograph(scene.canvas, SIZE_PX, rng), tuple(sorted(kinds)), told, plain


def fates_of(seen: Sequence[SeenDie], truths: Sequence[_Labelled]) -> list[str]:
    """Return what befell each labelled die. What rightly tells one of two that it holds is no word
    about the other: of that hardly anything may be seen.
    """
    fates = []
    for truth, box in truths:
        others = [other for other in truths if other[0] != truth]
        own = [d for d in seen if is_in(box, d.box) and not any(_tells(d, *o) for o in others)]
        fates.append(_fate(own, truth))
    return fates


def _tells(seen: SeenDie, truth: Die, box: Box) -> bool:
    is_told = seen.is_answered and seen.best is not None and seen.best[0] == truth
    return is_told and is_in(box, seen.box)


def _fate(own: Sequence[SeenDie], truth: Die) -> str:
    if not own:
        return "overlooked"
    told = [die.best[0] for die in own if die.best is not None and die.is_answered]
    if not told:
        return own[0].seems
    return "right" if truth in told else "wrong"


def _traced(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    from benchmarks.dice_training.tables import SIZE_MM
    from vision.dice.pictures import PictureReader

    reader, fates = PictureReader(SIZE_MM), Counter[tuple[str, str]]()
    for known in traced_trays(arguments.folder):
        if known.is_learnt:
            continue
        seen = reader.read(known.read(), TRACED_KINDS)
        ways, truths = list[str](), list[_Labelled]()
        for die, label in zip(known.dice, _labels_of(known), strict=True):
            hidden = "seen less than 60 %" if label["visible"] < 0.6 else ""
            ways.append(hidden or ("touching" if label["touching"] else "free"))
            truths.append((Die(die.kind if die.kind != NOTHING else "hidden", die.face), die.box))
        fates.update(zip(ways, fates_of(seen, truths), strict=True))
    return fates


def _thrown(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    from benchmarks.dice_training.tables import SIZE_MM
    from vision.dice.reader import TrayReader

    fates, trays = Counter[tuple[str, str]](), list(traced_trays(arguments.folder))
    kinds = tuple(sorted({die.die for known in trays for die in known.dice}))
    for known in trays:
        if known.is_learnt:
            continue
        try:
            reader = TrayReader(SIZE_MM, known.read_empty())
            readings = reader.read(known.read(), kinds)
        except NotCalibrated:
            fates["in trays that are not found", "reported"] += len(known.dice)
            continue
        truths = [(Die(die.die, die.face), die.box) for die in known.dice]
        ways = [
            die.lies if label["visible"] >= 0.6 else "seen less than 60 %"
            for die, label in zip(known.dice, _labels_of(known), strict=True)
        ]
        fates.update(zip(ways, fates_of(_as_seen(readings), truths), strict=True))
        fates[_THROWS[set(ways) != {FLAT}], _fate_of_throw(readings, truths)] += 1
    return fates


def _fate_of_throw(readings: Sequence[DieReading], truths: Sequence[_Labelled]) -> str:
    """Return what `quarterdeck dice` makes of a throw of so many dice, which tumbled."""
    roll = RollGate(len(truths)).rest(readings, has_tumbled=True)
    if roll is None or not roll.is_certain:
        return "reported"
    told = Counter(r.best[0] for r in roll.dice if r.best is not None)
    return "right" if told == Counter(truth for truth, _ in truths) else "wrong"


def _labels_of(known: Known) -> list[dict]:
    labels: list[dict] = json.loads(known.path.with_suffix(".json").read_text("utf-8"))["dice"]
    return labels


def _as_seen(readings: Sequence[DieReading]) -> list[SeenDie]:
    return [SeenDie(tuple(map(float, r.box_px)), r.faces, seems=r.seems) for r in readings]


def _cast(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    reader, fates = DiceReader(), Counter[tuple[str, str]]()
    for known in drawn_pictures(arguments.folder):
        seen = reader.read(known.read(), tuple(sorted({die.die for die in known.dice})))
        truths = [(Die(die.die, die.face), die.box) for die in known.dice]
        for die, fate in zip(known.dice, fates_of(seen, truths), strict=True):
            lies = die.lies
            if lies == FLAT:
                lies += ", whole" if die.kind == die.die else ", partly seen"
            if die.kind != SKIPPED:
                fates[lies, fate] += 1
    return fates


def _trays(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    from benchmarks.dice_training.tables import SIZE_MM, box_of, is_awkward, virtual_rolls
    from vision.dice.reader import TrayReader

    fates = Counter[tuple[str, str]]()
    for index in range(arguments.count):
        reader = None
        how = (1, arguments.throws, arguments.seed + index, arguments.kinds)
        for roll in virtual_rolls(*how, awkward=arguments.awkward):
            reader = reader or TrayReader(SIZE_MM, roll.empty)
            readings = reader.read(roll.picture, arguments.kinds)
            truths = [(Die(d.kind, face_on_top(d)), box_of(d, roll.lens)) for d in roll.dice]
            throw = _THROWS[any(is_awkward(die, roll.dice) for die in roll.dice)]
            fates[throw, _fate_of_throw(readings, truths)] += 1
            for die, fate in zip(roll.dice, fates_of(_as_seen(readings), truths), strict=True):
                what = "cocked" if die.lean_deg else "on another" if die.high_mm else "plain"
                if what == "plain" and is_awkward(die, roll.dice):
                    continue  # it lies under another, which is counted
                fates[what, fate] += 1
    return fates


def _aslant(arguments: argparse.Namespace) -> Counter[tuple[str, str]]:
    from benchmarks.dice_training.tables import box_of, virtual_rolls

    reader, fates = DiceReader(), Counter[tuple[str, str]]()
    for kind in ASLANT_KINDS:
        for tilt in TILTS_DEG:
            how = (arguments.count, 1, arguments.seed + tilt, (kind,), (3, 3), NEAR_TRAY_MM)
            for roll in virtual_rolls(*how, tilt_deg=tilt):
                seen = reader.read(roll.picture, (kind,))
                truths = [(Die(d.kind, d.face), box_of(d, roll.lens)) for d in roll.dice]
                fates.update((f"{kind}, {tilt} degrees", fate) for fate in fates_of(seen, truths))
    return fates


_SOURCES = {
    "drawn": _drawn, "traced": _traced, "thrown": _thrown, "trays": _trays, "aslant": _aslant,
    "cast": _cast,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
