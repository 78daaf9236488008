"""``quarterdeck see tags``: which tagged pieces stand where on pictures of an open table."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.boards.profile import BoardProfile, load_profile
from companion.cli.parser import finite
from companion.cli.pictures import Told, add_pictures, tell_each
from companion.errors import BoardError, PictureError
from companion.table.observation import Unreadable

if TYPE_CHECKING:
    from vision.tags.reader import PlacedTag, TagReader

DEFAULT_PROFILE = "open-table"

NOTES = """\
The table's four markers must be in the picture; the lens need not be known. A tag seems to lie
farther out the higher it stands: give the heights that are known, others are estimated from the
size that tags seem to have, and are less exact.
The exit status is 1 if a picture could not be read, or shows no table; the others are read.

With --json, one object a picture and line:
  image         the file as it was given
  readable      whether the table was found
  reason        why not, in plain words; null when readable
  fit_error_mm  mean error of the markers' corners on the table; null when not readable
  tags          by number, each with:
    id            number of the tag
    x_mm, y_mm    the tag's middle, straight down on the table, from the centre of marker 0
                  (x toward marker 1, y toward marker 3)
    heading_deg   of the tag's x axis (the bow), clockwise from +x as seen from above
    height_mm     above the table: as given or estimated
    p             probability that the tag bears this number
    centre_px     [x, y], pixels of the picture
"""


def add_command(kinds: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``tags`` to the things that can be seen."""
    parser = kinds.add_parser(
        "tags",
        help="read where tagged pieces stand on an open table",
        description="Read which tagged pieces stand where on an open table.",
        epilog=NOTES,
    )
    parser.add_argument(
        "--profile",
        default=DEFAULT_PROFILE,
        metavar="P",
        help=f"open table, by name or TOML file (default: {DEFAULT_PROFILE})",
    )
    parser.add_argument(
        "--height",
        action="append",
        default=[],
        type=_height,
        metavar="TAG=MM",
        help="height of a tag above the table, as often as needed",
    )
    add_pictures(parser, "the table")
    parser.set_defaults(run=see_tags)


def see_tags(arguments: argparse.Namespace) -> int:
    """Read each picture of an open table."""
    from vision.tags.reader import TagReader  # OpenCV takes a while to load

    heights = dict(arguments.height)
    reader = TagReader(_open_table(arguments.profile), lambda: heights)
    return tell_each(arguments, partial(_look_at, reader), _text)


def _look_at(reader: TagReader, name: str) -> Told:
    from vision.camera.folder import load_picture
    from vision.frame import Frame
    from vision.registration import register

    try:
        frame = Frame(name, 0.0, load_picture(Path(name)))
    except PictureError as error:
        return _unreadable(name, str(error))
    # Pictures of different tables may follow one another: nothing is carried over.
    fit = register(frame.board, reader.profile, None, name)
    if isinstance(fit, Unreadable):
        return _unreadable(name, fit.reason)
    return {
        "image": name,
        "readable": True,
        "reason": None,
        "fit_error_mm": round(fit.error_mm, 3),
        "tags": list(_tags_json(reader.find(frame, fit))),
    }


def _unreadable(name: str, reason: str) -> dict[str, Any]:
    return {"image": name, "readable": False, "reason": reason, "fit_error_mm": None, "tags": []}


def _tags_json(tags: Iterable[PlacedTag]) -> Iterable[dict[str, Any]]:
    for tag in tags:
        pose = tag.pose
        yield {
            "id": tag.seen.tag,
            "x_mm": round(pose.x_mm, 2),
            "y_mm": round(pose.y_mm, 2),
            "heading_deg": round(pose.heading_deg, 2) % 360,
            "height_mm": round(tag.place.height_mm, 1),
            "p": round(tag.seen.p, 4),
            "centre_px": [round(float(v), 2) for v in tag.seen.corners_px.mean(axis=0)],
        }


def _text(told: Told) -> str:
    if not told["readable"]:
        return f"{told['image']}: unreadable: {told['reason']}"
    lines = [f"{told['image']}: markers fit to {told['fit_error_mm']:.2f} mm"]
    for tag in told["tags"]:
        lines.append(
            f"  tag {tag['id']:<4} at {tag['x_mm']:7.1f}, {tag['y_mm']:6.1f} mm, "
            f"heading {tag['heading_deg']:5.1f} deg, {tag['height_mm']:5.1f} mm high"
        )
    return "\n".join(lines)


def _open_table(name: str) -> BoardProfile:
    profile = load_profile(name)
    if not profile.is_open:
        raise BoardError(f"the pieces of {name!r} stand on cells and bear no tags: see board")
    return profile


def _height(text: str) -> tuple[int, float]:
    try:
        tag, height = text.split("=")
        return int(tag), finite(height)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not like 12=85: tag=millimetres") from None
