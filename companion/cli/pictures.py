"""Pictures that are read one after the other: what all of ``quarterdeck see`` has in common."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import PictureError

Told = Mapping[str, Any]
"""What is told of a picture, as JSON; why it cannot be read is its ``"reason"``."""


def add_pictures(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the pictures, of what they are, and the way to print what is told of them."""
    parser.add_argument("--json", action="store_true", help="one JSON object a picture and line")
    parser.add_argument("images", nargs="+", metavar="IMAGE", help=f"pictures of {what}")


def tell_each(
    arguments: argparse.Namespace, look: Callable[[str], Told], in_words: Callable[[Told], str]
) -> int:
    """Print what is told of each picture, by its name; one that cannot be read stops no other.

    Returns the exit status, 1 if one could not be read. Raises `PictureError` for one that is named
    by nothing, as an unset variable of a shell gives it.
    """
    if not all(arguments.images):
        raise PictureError("a picture is named by nothing at all, '': give its file")
    status = 0
    for name in arguments.images:
        told = look(name)
        if told["reason"] is not None:
            status = 1
        print(json.dumps(told) if arguments.json else in_words(told), flush=True)
    return status
