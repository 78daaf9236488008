"""``quarterdeck see`` and ``quarterdeck watch``: what the camera would make of pictures."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.boards.profile import load_profile
from companion.cli import see_dice, see_tags
from companion.cli.files import check_spared
from companion.cli.pictures import Told, add_pictures, tell_each
from companion.errors import NotCalibrated, PictureError
from companion.files import UNREAD, why_unread, write_file
from companion.rules.layout import Cell, Layout, cell_name, parse_cell
from companion.table.observation import CellReading, Observation, Unreadable, likeliest
from companion.table.sentences import NameOf

if TYPE_CHECKING:
    from vision.board.reader import BoardReader
    from vision.following import Change

DEFAULT_PROFILE = "hex-ocean"

NOT_LOOKED_FOR: Mapping[str | None, float] = {None: 1.0}

SEE_NOTES = """\
The exit status is 1 if a picture could not be read, or shows no board; the others are read.

With --json, one object a picture and line:
  image         the file as it was given
  readable      whether the board was found
  reason        why not, in plain words; null when readable
  fit_error_mm  mean error of the markers' corners on the board; null when not readable
  cells         occupied cells only: cell id -> {"ship", "terrain", "cargo", "p"}; ship is a colour,
                two colours joined by "+" (a boarding), or null; a stack counts as one ship; cargo
                is told on boards that have a treasure; p is the probability of all together
  occluded      ids of the cells that an arm hides
"""

WATCH_NOTES = """\
With --json, one object a change and line; fields that do not apply are null:
  image    name of the picture      event    one of those below
  ship     its colour               terrain  volcano, desert, reef or wreck
  from     cell it lay on           to       cell it lies on now
  cargo    treasure                 reason   why a picture cannot be read
events:
  moved, gone, appeared                      a ship
  terrain_gone, terrain_appeared             a tile or a wreck
  cargo_moved, cargo_gone, cargo_appeared    the treasure
  hand            an arm hides part of the board; changes wait for its going
  camera_moved, light_changed      told with the first picture that shows it
  empty_board     the first picture shows no piece; the others are compared with it
  unreadable      the markers are not to be seen; see reason
"""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``see`` and ``watch``."""
    see = commands.add_parser("see", help="read pictures of a board, of tagged pieces or of dice")
    kinds = see.add_subparsers(dest="kind", metavar="WHAT", required=True)
    board = kinds.add_parser(
        "board",
        help="read what lies on a board's cells",
        description="Read what lies on a board's cells.",
        epilog=SEE_NOTES,
    )
    _add_profile(board)
    add_pictures(board, "the board")
    board.set_defaults(run=see_board)

    see_dice.add_command(kinds)
    see_tags.add_command(kinds)

    teach = kinds.add_parser(
        "teach",
        help="learn the tones of this table's ships",
        description="Learn the tones of this table's ships from pictures of known layouts.",
    )
    _add_profile(teach)
    teach.add_argument("--out", required=True, metavar="LOOK", help="JSON file to write")
    teach.add_argument(
        "layouts",
        nargs="+",
        metavar="IMAGE=LAYOUT",
        help='a picture and a JSON file: {"cells": [{"cell": "0,1", "ships": ["red"], '
        '"terrain": null}], "dice": []}',
    )
    teach.set_defaults(run=teach_look)

    watch = commands.add_parser(
        "watch",
        help="follow a sequence of pictures and tell the changes",
        description="Follow a sequence of pictures and tell the changes.",
        epilog=WATCH_NOTES,
    )
    watch.add_argument(
        "--frames", required=True, metavar="FOLDER", help="pictures, in order of name"
    )
    watch.add_argument(
        "--free",
        action="store_true",
        required=True,
        help="without a game: whatever changes is told",
    )
    _add_profile(watch)
    watch.add_argument("--json", action="store_true", help="one JSON object a change and line")
    watch.set_defaults(run=watch_folder)


def _add_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile",
        default=DEFAULT_PROFILE,
        metavar="P",
        help=f"board profile, by name or TOML file (default: {DEFAULT_PROFILE})",
    )
    parser.add_argument("--empty", metavar="EMPTY", help="picture of the same board without pieces")
    parser.add_argument("--look", metavar="LOOK", help="the ships' tones, taught by `see teach`")


def see_board(arguments: argparse.Namespace) -> int:
    """Read each picture of a board of cells."""
    from vision.camera.folder import load_picture  # OpenCV takes a while to load
    from vision.frame import Frame

    reader = _make_reader(arguments)

    def look(name: str) -> Told:
        try:
            picture = load_picture(Path(name))
        except PictureError as error:
            return _seen_json(name, Unreadable(str(error), name))
        # Pictures of different tables may follow one another: nothing is carried over.
        reader.fit = None
        return _seen_json(name, reader.read(Frame(name, 0.0, picture)))

    return tell_each(arguments, look, partial(_seen_text, reader.profile.name_of))


def teach_look(arguments: argparse.Namespace) -> int:
    """Learn tones from pictures whose layouts are known, and save them."""
    from vision.board.look import learn_look
    from vision.camera.folder import load_picture
    from vision.frame import Frame

    out, pairs = Path(arguments.out), [_pair(text) for text in arguments.layouts]
    check_spared(out, '{\n "version"', (path for pair in pairs for path in pair))
    reader = _make_reader(arguments)
    samples: dict[str, list[Any]] = {}
    for image, layout in pairs:
        fleet = {
            cell: content.ships[0]
            for cell, content in _read_layout(layout).cells.items()
            # Two ships or a tile on a cell would mix their tones.
            if len(content.ships) == 1 and content.terrain is None
        }
        frame = Frame(str(image), 0.0, load_picture(image))
        for ship, tones in reader.sample_tones(frame, fleet).items():
            samples.setdefault(ship, []).extend(tones)
    if not samples:
        raise NotCalibrated("no ship on open sea was found in these layouts; nothing is learnt")
    write_file(out, json.dumps(learn_look(samples).to_json(), indent=1) + "\n")
    counts = ", ".join(f"{ship} {len(tones)}" for ship, tones in sorted(samples.items()))
    print(f"learnt from so many ships: {counts}")
    return 0


def _pair(text: str) -> tuple[Path, Path]:
    image, _, layout = text.partition("=")
    if not image or not layout:
        raise NotCalibrated(f"a picture comes with its layout, IMAGE=LAYOUT, not {text!r}")
    return Path(image), Path(layout)


def _read_layout(path: Path) -> Layout:
    try:
        return Layout.from_json(json.loads(path.read_text("utf-8")))
    except UNREAD as error:
        raise NotCalibrated(
            f"the layout {str(path)!r} cannot be read: {why_unread(error)}"
        ) from error


def _make_reader(arguments: argparse.Namespace) -> BoardReader:
    from vision.board.look import load_look
    from vision.board.reader import BoardReader
    from vision.camera.folder import load_picture

    empty = None if arguments.empty is None else load_picture(Path(arguments.empty))
    look = None if arguments.look is None else load_look(Path(arguments.look))
    return BoardReader(load_profile(arguments.profile), empty, look)


def _seen_json(name: str, seen: Observation | Unreadable) -> dict[str, Any]:
    if isinstance(seen, Unreadable):
        return {
            "image": name,
            "readable": False,
            "reason": seen.reason,
            "fit_error_mm": None,
            "cells": {},
            "occluded": [],
        }
    return {
        "image": name,
        "readable": True,
        "reason": None,
        "fit_error_mm": round(seen.fit_error_mm, 3),
        "cells": _occupied_json(seen.cells),
        "occluded": [cell_name(cell) for cell in sorted(seen.occluded)],
    }


def _occupied_json(cells: Mapping[Cell, CellReading]) -> dict[str, Any]:
    occupied = {}
    for cell, reading in sorted(cells.items()):
        ships, p_ships = likeliest(reading.ships)
        terrain, p_terrain = likeliest(reading.terrain)
        cargo, p_cargo = likeliest(reading.cargo or NOT_LOOKED_FOR)
        if ships or terrain or cargo:
            occupied[cell_name(cell)] = {
                "ship": "+".join(ships) or None,
                "terrain": terrain,
                **({"cargo": cargo} if reading.cargo else {}),
                "p": round(p_ships * p_terrain * p_cargo, 4),
            }
    return occupied


def _seen_text(name_of: NameOf, told: Told) -> str:
    if not told["readable"]:
        return f"{told['image']}: unreadable: {told['reason']}"
    lines = [f"{told['image']}: markers fit to {told['fit_error_mm']:.2f} mm"]
    for cell, content in told["cells"].items():
        what = " on ".join(content[k] for k in ("cargo", "ship", "terrain") if content.get(k))
        lines.append(f"  {name_of(parse_cell(cell)):>6}  {what:<18} {content['p']:.3f}")
    if told["occluded"]:
        hidden = " ".join(name_of(parse_cell(cell)) for cell in told["occluded"])
        lines.append(f"  hidden by an arm: {hidden}")
    return "\n".join(lines)


def watch_folder(arguments: argparse.Namespace) -> int:
    """Follow the pictures of a folder."""
    from vision.camera import open_camera
    from vision.following import FreeWatch

    reader = _make_reader(arguments)
    watch, name_of = FreeWatch(reader), reader.profile.name_of
    camera = open_camera(f"folder:{arguments.frames}")
    while True:
        try:
            frame = camera.read()
        except PictureError as error:
            print(f"quarterdeck: {error}", file=sys.stderr)
            continue
        if frame is None:
            return 0
        for change in watch.feed(frame):
            told = _change_json(frame.id, change)
            text = json.dumps(told) if arguments.json else _change_text(frame.id, change, name_of)
            print(text, flush=True)


def _change_json(image: str, change: Change) -> dict[str, Any]:
    return {
        "image": image,
        "event": change.event,
        "ship": change.ship,
        "from": None if change.origin is None else cell_name(change.origin),
        "to": None if change.target is None else cell_name(change.target),
        "terrain": change.terrain,
        "cargo": change.cargo,
        "reason": change.reason,
    }


def _change_text(image: str, change: Change, name_of: NameOf) -> str:
    origin = "" if change.origin is None else name_of(change.origin)
    target = "" if change.target is None else name_of(change.target)
    sentence = {
        "moved": f"the {change.ship} ship moved from {origin} to {target}",
        "gone": f"the {change.ship} ship is gone from {origin}",
        "appeared": f"a {change.ship} ship appeared on {target}",
        "terrain_gone": f"the {change.terrain} is gone from {origin}",
        "terrain_appeared": f"a {change.terrain} appeared on {target}",
        "cargo_moved": f"the {change.cargo} moved from {origin} to {target}",
        "cargo_gone": f"the {change.cargo} is gone from {origin}",
        "cargo_appeared": f"the {change.cargo} appeared on {target}",
        "hand": "a hand is in view",
        "camera_moved": "the camera or the board moved",
        "light_changed": "the light changed",
        "empty_board": "the board is empty",
        "unreadable": f"unreadable: {change.reason}",
    }[change.event]
    return f"{image}: {sentence}"
