"""Throws as the camera has read them, and which of them are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot

from companion.audit.rolls import DieRoll
from companion.audit.trial import Plan
from companion.rules.dice import DieKind, face_name

UNMOVED = 0.25
"""A die that was not touched is found again within this part of its width."""
ONE_TOO_MANY = "one too many"
"""What each die seems of a throw of which more dice are seen than were rolled: it may be another
one, that only lies there."""


@dataclass(frozen=True, slots=True)
class ReadFace:
    """A die of a roll, as the camera read it."""

    face: int | None
    """``None``: it could not be told."""
    p: float
    box: tuple[int, int, int, int] | None
    """``None``: it is not seen."""
    look: str
    crop: bytes = b""
    """Picture of the die alone, JPEG."""
    is_sure: bool = True
    """Else the face is a guess."""
    seems: str = ""
    """What it seems then: `companion.table.unsure_dice`, or `ONE_TOO_MANY`."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that came to rest, and why that may be no roll."""

    dice: tuple[ReadFace, ...]
    doubt: str
    jpeg: bytes

    def told(self, kind: str) -> str:
        """Return what the dice were taken for, as people call it; ``?``: for nothing."""
        faces = (die.face for die in self.dice)
        return " ".join("?" if face is None else face_name(kind, face) for face in faces)


def counted_faces(doubtful: Thrown, kind: DieKind) -> list[int | None]:
    """Return what the dice of a throw count for that nobody has put right, ``None``: unread.

    Those that were read for sure count, unless the doubt is whether they were rolled at all.
    """
    was_rolled = not doubtful.doubt or not all(die.is_sure for die in doubtful.dice)
    shown = kind.faces if was_rolled else ()
    return [die.face if die.is_sure and die.face in shown else None for die in doubtful.dice]


def entered(
    plan: Plan,
    number: int,
    time_s: float,
    faces: Sequence[int | None],
    read: Sequence[ReadFace] = (),
    picture: str = "",
    confirmed_by: str = "",
) -> list[DieRoll]:
    """Return the dice of a throw as they are written down.

    Parameters
    ----------
    plan : what is rolled.
    number : of the roll, in its file.
    time_s : when it was entered, seconds since 1970.
    faces : what the dice show, ``None``: unread.
    read : what the camera read of them, in the same order; empty if somebody has told them.
    picture : name of the throw's picture, if one is kept.
    confirmed_by : who has said what they show.
    """
    blank = DieRoll(
        plan.kind,
        None,
        look=plan.look,
        captain=plan.captain,
        roll=number,
        time_s=time_s,
        source="table",
        confirmed_by=confirmed_by,
        picture=picture,
    )
    told = [replace(blank, face=face) for face in faces]
    if not read:
        return told
    return [_seen(die, seen, plan) for die, seen in zip(told, read, strict=True)]


def _seen(told: DieRoll, read: ReadFace, plan: Plan) -> DieRoll:
    """Return a die together with what the camera read of it."""
    die = replace(told, seems=read.seems, box=read.box)
    if read.face not in plan.kind.faces:
        return die
    # A die that is rolled alone is the same one, whatever the light makes of its colour.
    look = plan.look or (read.look if plan.at_once > 1 else "")
    return replace(die, source="camera", read=read.face, p=round(read.p, 4), look=look)


def matched(faces: Sequence[int], read: Sequence[int | None]) -> list[int]:
    """Return faces that somebody has told in the order of dice that were taken for others.

    Those that are as they were read stay with their dice, so that each keeps its own picture.

    >>> matched([4, 5, 6], [6, 4, None]), matched([6, 2], [2, 2]), matched([2, 2], [2, 5])
    ([6, 4, 5], [6, 2], [2, 2])
    """
    left = list(faces)
    found: list[int | None] = [None] * len(read)
    for k, face in enumerate(read):
        if face == faces[k]:
            left.remove(faces[k])
            found[k] = face
    for k, face in enumerate(read):
        if found[k] is None and face in left:
            left.remove(face)
            found[k] = face
    return [left.pop(0) if face is None else face for face in found]


def is_same_throw(before: Thrown, now: Thrown) -> bool:
    """Say whether half of the dice lie where they lay, and show the same as far as that is sure."""
    seen = [die for die in before.dice if die.box is not None]
    still = [die for die in seen if any(_lies_still(die, other) for other in now.dice)]
    return bool(seen) and 2 * len(still) >= len(seen)


def _lies_still(die: ReadFace, other: ReadFace) -> bool:
    if die.box is None or other.box is None:
        return False
    (x, y, w, h), (x1, y1, w1, h1) = die.box, other.box
    gap = hypot(x + w / 2 - x1 - w1 / 2, y + h / 2 - y1 - h1 / 2)
    shows_another = die.is_sure and other.is_sure and die.face != other.face
    return gap < UNMOVED * max(w, h) and not shows_another
