"""``quarterdeck see dice``: what the dice reader makes of pictures."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.boards.profile import load_profile
from companion.cli.pictures import Told, add_pictures, tell_each
from companion.errors import BadOptions, PictureError
from companion.rules.dice import face_name

if TYPE_CHECKING:
    from companion.rules.layout import Die
    from vision.dice.reading import SeenDie

TRAY_OF = "hex-ocean"
"""Board whose tray is looked for in the pictures."""

NOTES = """\
A picture needs no tray: dice seen more or less from above, from a hundredth of the picture's
longer side (but 30 pixels at least) to most of it.

The exit status is 1 if a picture could not be read; the others are.

With --json, one object a picture and line:
  image   the file as it was given
  reason  why it cannot be read, in plain words; null when it can
  advice  what would make the dice easier to read: they are too small, or may be seen too much
          from the side; null when they are neither
  dice    from left to right, each {"kind", "face", "p", "box", "answered", "seems"}:
    kind, face  the likeliest: a number, or the word that people call the face by; null when
                nothing can be told
    p           probability of both together
    box         [x, y, width, height], pixels of the picture as it is shown (a phone's is turned)
    answered    false: to be asked about, not believed
    seems       why: "cocked", "half-hidden", "stacked" (or still rolling), "no die", or
                "unclear", what it shows is not plain; null when it is answered
kinds: d6 (pips), d6_numeral, piecepack ("null", "ace", 2 to 5), colour ("brown", "red", "orange",
  "green", "white", "yellow"), sail (tetrahedron 2 to 4), d4, d4_barrel, d8, d10, d100, d12,
  cannon (icosahedron 1 to 5), d20
"""


def add_command(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``dice`` to the things that can be seen."""
    dice = kinds.add_parser(
        "dice",
        help="read the dice in pictures",
        description="Read the dice in pictures.",
        epilog=NOTES,
    )
    dice.add_argument(
        "--expect",
        action="append",
        metavar="KINDS",
        help="kinds that can be there, e.g. d6,d6; may be given more than once (default: any)",
    )
    add_pictures(dice, "dice")
    dice.set_defaults(run=see_dice)


def see_dice(arguments: argparse.Namespace) -> int:
    """Read each picture, of dice of any kind or of those that are expected."""
    from vision.camera.folder import load_picture  # OpenCV takes a while to load
    from vision.dice.kinds import parse_kinds
    from vision.dice.legible import advice_on_picture
    from vision.dice.pictures import PictureReader

    expect = None if arguments.expect is None else parse_kinds(",".join(arguments.expect).lower())
    if expect == ():
        raise BadOptions("--expect names kinds of dice, e.g. d6,d6; leave it out for any")
    tray = load_profile(TRAY_OF).tray
    reader = PictureReader(None if tray is None else tray.size_mm)

    def look(name: str) -> Told:
        told: dict[str, Any] = {"image": name, "reason": None, "advice": None, "dice": []}
        try:
            picture = load_picture(Path(name))
        except PictureError as error:
            return told | {"reason": str(error)}
        seen = reader.read(picture, expect)
        return told | {"advice": advice_on_picture(seen, picture), "dice": _dice_json(seen)}

    return tell_each(arguments, look, _text)


def _dice_json(seen: Iterable[SeenDie]) -> list[dict[str, Any]]:
    dice = []
    for die in seen:
        best = die.best
        dice.append(
            {
                "kind": None if best is None else best[0].kind,
                "face": None if best is None else _shown(best[0]),
                "p": round(die.p, 4),
                "box": [round(v, 1) for v in die.box],
                "answered": die.is_answered,
                "seems": die.seems or None,
            }
        )
    return dice


def _shown(die: Die) -> int | str:
    """Return what is to be read on top: ``0`` of a d10 or d100, but ``null`` of a piecepack."""
    name = face_name(die.kind, die.face)
    return int(name) if name.isdigit() else name


def _text(told: Told) -> str:
    if told["reason"]:
        return f"{told['image']}: unreadable: {told['reason']}"
    lines = [f"{told['image']}: {counted(told['dice'])}"]
    for die in told["dice"]:
        x, y, *_ = die["box"]
        what = "cannot be told" if die["kind"] is None else f"{die['kind']} {die['face']}"
        unsure = "" if die["answered"] else f"  not sure: {die['seems']}"
        lines.append(f"  {what:<14} {die['p']:.3f}  at {x:.0f},{y:.0f}{unsure}")
    if told["advice"]:
        lines.append(f"  {told['advice']}")
    return "\n".join(lines)


def counted(dice: Sequence[Mapping[str, Any]]) -> str:
    """Return how many dice are told, and how many things are not."""
    told = sum(die["answered"] for die in dice)
    unsure = len(dice) - told
    words = "1 die" if told == 1 else f"{told} dice"
    more = "1 thing" if unsure == 1 else f"{unsure} things"
    return f"{words}, and {more} I am not sure of" if unsure else words
