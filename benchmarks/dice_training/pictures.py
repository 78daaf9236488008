"""Labelled pictures of dice, from wherever they come, and which of them may be learnt from.

Split: of the real photographs a picture is learnt from if the CRC-32 of its name leaves 0 to 5 when
divided by ten, and reported on otherwise; of the path-traced trays those with an even number are
learnt from. Drawn pictures are only learnt from.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np

from benchmarks.dice_training.eye import lean_along
from benchmarks.dice_training.falling import FLAT, HARDLY
from companion.boards.profile import XY
from companion.rules.dice import face_name
from vision.dice.kinds import FACES, NOTHING
from vision.frame import Image

Box = tuple[float, float, float, float]
"""x, y, width, height in pixels of the stored file."""

FOUND = "found.json"
"""File in a folder of pictures: where a finder sees dice in them."""
SKIPPED = "unsure"
"""Kind of a die that counts neither as legible nor as hidden."""
STRAY = "no die"
"""Kind of a thing that a finder has taken for a die."""
TRACED_KINDS = {"d20": "cannon", "d4": "sail"}
_LEAST_VISIBLE, _LEAST_COMMON = 0.6, 0.3
_TOP_ONLY = "matteop_d6_wood"
"""Set whose boxes cover only the pips on top."""


@dataclass(frozen=True)
class Labelled:
    """A die as it is labelled."""

    kind: str
    face: int
    box: Box
    is_whole: bool = True
    """The box is around the whole die, not only around what counts."""
    lean_deg: float = 0.0
    """Between the view to it and straight down, where that is known."""
    up_deg: float = 0.0
    """Which way up is: from the picture's right towards its lower side, where that is known."""
    visible: float = 1.0
    """Share of it that lies in the picture and is covered by nothing, where that is known."""
    is_hidden: bool = False
    """It is known to lie flat, and is `NOTHING` though its sign may be plain: too little of it is
    seen, or it lies on another."""
    die: str = ""
    """What it is, whether it can be told or not, where that is known."""
    lies: str = ""
    """How it came to lie, where that is known (`falling`)."""
    own_lean_deg: XY | None = None
    """If it is cocked, how it is seen itself: `vision.dice.lean.LEANS_DEG`."""

    @property
    def leans_deg(self) -> XY:
        """How it is seen if it lies flat: `vision.dice.lean.LEANS_DEG`."""
        return _vector(self.lean_deg, self.up_deg)


def _vector(lean_deg: float, up_deg: float) -> XY:
    up = np.radians(up_deg)
    return lean_deg * float(np.cos(up)), lean_deg * float(np.sin(up))


@dataclass(frozen=True, eq=False)
class Known:
    """A picture whose dice are known."""

    path: Path
    dice: tuple[Labelled, ...]
    source: str
    is_learnt: bool
    """It may be learnt from; if not, it is reported on."""
    found: tuple[Box, ...] = ()
    """Where a finder sees dice, if it was asked (`found.py`)."""

    def as_found(self) -> Iterator[tuple[Labelled, Box]]:
        """Yield the dice with the boxes that a finder puts around them, else with their own.

        Boxes around cocked dice and piles are far off: these are what the reader has to judge by.
        """
        if not self.found:
            yield from ((die, die.box) for die in self.dice)
        for box in self.found:
            shares = [_common(die.box, box) for die in self.dice]
            if max(shares, default=0.0) > _LEAST_COMMON:
                yield self.dice[int(np.argmax(shares))], box

    @property
    def fifth(self) -> int:
        """Which fifth of its set it belongs to, 0 to 4: one is left out to choose parameters by."""
        return crc32(self.path.name.encode()) // 10 % 5

    def read(self) -> Image:
        """Return the picture; raises `OSError` if it cannot be read."""
        picture = cv2.imread(str(self.path))
        if picture is None:
            raise OSError(f"{self.path} is no picture")
        return np.asarray(picture, np.uint8)

    def read_empty(self) -> Image:
        """Return the same tray without dice (`cast_trays`); raises `OSError` if there is none."""
        return replace(self, path=self.path.with_suffix(".empty.jpg")).read()


def _common(a: Box, b: Box) -> float:
    """Return the share of two boxes together that both cover."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    both = max(width, 0.0) * max(height, 0.0)
    return both / (a[2] * a[3] + b[2] * b[3] - both)


def as_jpeg(picture: Image, quality: int) -> Image:
    """Return a picture (H, W, 3) as it is after it was stored as JPEG, of quality 0 to 100."""
    code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)


def real_photographs(folder: Path) -> Iterator[Known]:
    """Yield the photographs of a folder with a manifest (`dice/README.md` of the pictures)."""
    for line in (folder / "manifest.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        source = entry["image"].split("/")[0]
        dice = tuple(
            Labelled(d["kind"], int(d["value"]), tuple(d["box"]), source != _TOP_ONLY)
            for d in entry["dice"]
            if d["box"] is not None
        )
        learnt = crc32(entry["image"].encode()) % 10 < 6
        yield Known(folder / entry["image"], dice, source, learnt)


def traced_trays(folder: Path) -> Iterator[Known]:
    """Yield the path-traced trays of a folder."""
    for path in sorted(folder.glob("*.json")):
        label = json.loads(path.read_text("utf-8"))
        dice = tuple(_traced_die(d, label["camera"]) for d in label["dice"])
        yield Known(path.with_suffix(".jpg"), dice, "traced", label["index"] % 2 == 0)


def traced_boards(folder: Path) -> Iterator[Known]:
    """Yield the path-traced boards of a folder, on which no dice lie; every second is learnt."""
    for path in sorted(folder.rglob("*.jpg")):
        family, number, *_ = path.relative_to(folder).parts  # of a frame, or of a whole game
        if family != "dice":
            is_learnt = int(number.split(".")[0]) % 2 == 0
            yield Known(path, (), "bare boards", is_learnt)


def _traced_die(die: dict, camera: dict) -> Labelled:
    x0, y0, x1, y1 = die["bbox_px"]
    kind = die.get("die") or TRACED_KINDS.get(die["kind"], die["kind"])
    face = next(f for f in FACES[kind] if face_name(kind, f) == str(die["value"]))
    lies = die.get("lies", FLAT)
    told = kind if die["visible"] >= _LEAST_VISIBLE and lies == FLAT else NOTHING
    turn, middle = np.array(camera["R"]), np.array([camera["cx"], camera["cy"]])
    ray = np.array([*(np.array(die["centre_px"]) - middle) / (camera["fx"], camera["fy"]), 1.0])
    lean_deg, up_deg = lean_along(ray, -turn[:, 2])  # the third axis points into the table
    box = (x0, y0, x1 - x0, y1 - y0)
    return Labelled(
        SKIPPED if lies == HARDLY else told,
        face,
        box,
        lean_deg=lean_deg,
        up_deg=up_deg,
        die=kind,
        lies=lies,
    )


def drawn_pictures(folder: Path) -> Iterator[Known]:
    """Yield the pictures of a folder that `generate`, `tables` or `cast` wrote."""
    stored = folder / FOUND
    found = json.loads(stored.read_text("utf-8")) if stored.exists() else {}
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        dice = tuple(
            Labelled(
                d["kind"],
                int(d["value"]),
                tuple(d["box"]),
                lean_deg=d.get("lean", 0.0),
                up_deg=d.get("up", 0.0),
                visible=d.get("visible", 1.0),
                is_hidden=d.get("hidden", False),
                die=d.get("die", ""),
                lies=d.get("lies", ""),
                own_lean_deg=_vector(*d["own"]) if d.get("own") else None,
            )
            for d in entry["dice"]
        )
        boxes = tuple(tuple(box) for box in found.get(entry["image"], ()))
        yield Known(folder / entry["image"], dice, folder.name, True, boxes)


def with_whole_boxes(pictures: Iterable[Known], boxes: Path) -> Iterator[Known]:
    """Put whole boxes, found by an earlier network (`boxes.py`), where there are only tops."""
    found = json.loads(boxes.read_text("utf-8"))
    for known in pictures:
        places = found.get(known.path.name)
        if places is None:
            yield known
            continue
        dice = tuple(
            die if place is None else replace(die, box=tuple(place), is_whole=True)
            for die, place in zip(known.dice, places, strict=True)
        )
        yield replace(known, dice=dice)


def with_leans(pictures: Iterable[Known], leans: Path) -> Iterator[Known]:
    """Put how dice lean, told by an earlier network (`leans.py`), where nobody knows."""
    found = json.loads(leans.read_text("utf-8"))
    for known in pictures:
        told = found.get(f"{known.source}/{known.path.name}")
        if told is None:
            yield known
            continue
        mean = np.mean(told, axis=0)
        dice = []
        for k, die in enumerate(known.dice):
            x, y = told[k] if k < len(told) else mean  # what was added since
            up, far = float(np.degrees(np.arctan2(y, x))), float(np.hypot(x, y))
            dice.append(replace(die, lean_deg=far, up_deg=up))
        yield replace(known, dice=tuple(dice))


def with_strays(pictures: Iterable[Known], strays: Path) -> Iterator[Known]:
    """Add what a finder took for dice where there are none (`strays.py`)."""
    found = json.loads(strays.read_text("utf-8"))
    for known in pictures:
        beside = tuple(Labelled(STRAY, 0, tuple(box)) for box in found.get(known.path.name, ()))
        yield replace(known, dice=(*known.dice, *beside))
