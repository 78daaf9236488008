"""``quarterdeck cards``: says whether a card file of one's own can be played with."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.cards.files import parse_cards
from companion.cli.files import read_file
from companion.errors import BadOptions
from companion.rules.catalogue import find_game
from companion.rules.game import AnyGame
from companion.rules.options import playable

WIDEST = 200
"""So much of a line at fault is shown: what is no card file may be one line as long as itself."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``cards``."""
    parser = commands.add_parser(
        "cards",
        help="check a card file of your own",
        description="Check a card file (docs/cards.md): says what is wrong and on which line, or "
        "what is in it. Status 1 if it cannot be played with.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the card file, TOML")
    parser.add_argument("--game", default="privateer", help="for which (default: privateer)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check the file and print what is found. Raises `BadOptions`, `AuditError`."""
    text = read_file(arguments.file)
    game = find_game(arguments.game)
    option = _option_of(game)
    try:
        playable(game, {option: text})
    except BadOptions as error:
        print("\n".join([f"{arguments.file}: {error}", *_line(text, str(error))]))
        return 1
    print("\n".join(_summary(game, parse_cards(text))))
    return 0


def _option_of(game: AnyGame) -> str:
    """Return the option that takes a card file."""
    found = [option.id for option in game.info.options if option.file == ".toml"]
    if not found:
        raise BadOptions(f"{game.info.title} is played without card files")
    return found[0]


def _line(text: str, reason: str) -> list[str]:
    """Return the line a refusal speaks of, if it names one."""
    found = re.search(r"\bline (\d+)", reason)
    lines = text.splitlines()
    number = int(found[1]) if found else 0
    return [f"{number:>6} | {lines[number - 1][:WIDEST]}"] if 0 < number <= len(lines) else []


def _summary(game: AnyGame, data: Mapping[str, Any]) -> list[str]:
    """Return what is in a file: its title, whose it is, how many of each kind of card."""
    counts = [
        f"{key.replace('_', ' ')} {len(value)}"
        for key, value in data.items()
        if isinstance(value, list) and value and isinstance(value[0], dict)
    ]
    lines = [f"{data.get('title', 'This')}: {game.info.title} can be played with it."]
    if "notice" in data:
        lines.append(f"  {data['notice']}")
    return [*lines, f"  in it: {', '.join(counts)}"]
