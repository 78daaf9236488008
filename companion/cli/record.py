"""``quarterdeck record``: a game of the ledger as a record, which ``replay`` checks."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from companion.cli.files import open_ledger
from companion.cli.play import DATA, NAME_FOLDER
from companion.errors import LedgerError
from companion.rules.catalogue import find_game
from companion.rules.game import GameOver
from companion.rules.record import action_line, header_line
from companion.table.book import opening
from companion.table.history import History, replay


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``record``."""
    parser = commands.add_parser(
        "record",
        help="write a game of the ledger as a game record",
        description="Print a game of the ledger as a game record (docs/record.md), without what "
        "was taken back; `quarterdeck replay -` checks it.",
    )
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="such as game-0003 (default: the last one)"
    )
    parser.add_argument(
        "--data", type=Path, default=DATA, help=f"folder of the ledger (default: {DATA})"
    )
    parser.add_argument(
        "--unfinished",
        action="store_true",
        help="write a game in play although its record tells what players keep secret",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the record. Raises `LedgerError` when there is no such game."""
    with closing(open_ledger(arguments.data, NAME_FOLDER)) as store:
        game_id = _chosen(store.games(), arguments.game)
        game = find_game(opening(store, game_id).rules)
        history = replay(game, store.read(game_id))
    if history.refused is not None:
        raise LedgerError(
            f"{game_id} holds what the rules of this version refuse ({history.refused.text}: "
            f"{history.refused.why}); the version that it was played with can write its record"
        )
    if game.info.has_secrets and not arguments.unfinished and not _is_over(history):
        raise LedgerError(
            f"{game_id} is still in play, and its record tells what the captains keep secret; "
            "wait for its end, or add --unfinished"
        )
    print("\n".join(record_of(history)))
    return 0


def record_of(history: History) -> list[str]:
    """Return the lines of a game's record: what stands of it, in order."""
    game, opened = history.game, history.opened
    lines = [header_line(game.info.id, opened.players, opened.options)]
    lines += (action_line(game, played.before, played.action) for played in history.since(1))
    return lines


def _is_over(history: History) -> bool:
    return isinstance(history.game.pending(history.state), GameOver)


def _chosen(games: Sequence[str], wanted: str | None) -> str:
    if not games:
        raise LedgerError("no game has been played yet")
    if wanted is None:
        return games[-1]
    if wanted not in games:
        there_are = f"there are {games[0]} to {games[-1]}" if len(games) > 1 else f"only {games[0]}"
        raise LedgerError(f"there is no game {wanted!r}; {there_are}")
    return wanted
