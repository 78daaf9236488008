"""``quarterdeck demo``: whole games on the virtual table, every move read from pictures."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.play import add_server_arguments, on_end, open_door, open_ring_for
from companion.errors import BadOptions

if TYPE_CHECKING:
    from companion.demo.evening import Evening
    from companion.demo.headless import GameReport
    from companion.demo.live import LiveCaptains
    from companion.ledger.sqlite_store import SqliteStore

SUMMED = ("moves", "recognised", "pressed", "asked", "told", "silent_errors")
"""What is counted of each game and of all together."""
COLUMNS = ("game", "captains", *SUMMED[:-1], "silent", "result")


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``demo``."""
    demo = commands.add_parser(
        "demo",
        help="play whole games on a virtual table",
        description="Virtual captains play on a rendered table; every roll and move is read from "
        "its pictures.",
    )
    demo.add_argument("--game", default="articles-of-war", help="which game to play")
    demo.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, e.g. flotilla=true; may be given several times",
    )
    demo.add_argument("--seed", type=int, help="of dice, choices, light and noise")
    demo.add_argument("--players", type=int, help="how many captains (default: by the seed)")
    demo.add_argument("--headless", action="store_true", help="no pages; play and count")
    demo.add_argument("--games", type=int, default=1, help="how many, with --headless")
    demo.add_argument("--json", action="store_true", help="print one JSON object (--headless)")
    demo.add_argument("--pace", type=float, default=0.3, help="seconds a hand takes (default 0.3)")
    demo.add_argument("--once", action="store_true", help="end after the game")
    demo.add_argument("--data", type=Path, help="keep the ledger in this folder and go on from it")
    demo.add_argument("--ring", default="page", help="page or terminal (default: page)")
    add_server_arguments(demo)
    demo.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play."""
    if arguments.games < 1:
        raise BadOptions(f"--games must be at least 1, not {arguments.games}")
    if (arguments.seed or 0) < 0:
        raise BadOptions(f"--seed is a whole number from 0 on, not {arguments.seed}")
    if arguments.pace < 0:
        raise BadOptions(f"--pace is a number of seconds from 0 on, not {arguments.pace:g}")
    if arguments.headless and arguments.data is not None:
        raise BadOptions("--headless keeps no ledger: leave out --data, or --headless")
    if not arguments.headless and (arguments.games > 1 or arguments.json):
        counted = "--json" if arguments.json else f"--games {arguments.games}"
        raise BadOptions(f"the pages show one game: for {counted} add --headless, or leave it out")
    return _run_headless(arguments) if arguments.headless else _run_live(arguments)


def read_options(given: list[str]) -> dict[str, object]:
    """Return options from ``NAME=VALUE``; a value is JSON, or else a word as it stands.

    >>> read_options(["flotilla=true", "radius=4", "wind=NE"])
    {'flotilla': True, 'radius': 4, 'wind': 'NE'}
    """
    options: dict[str, object] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadOptions(f"--option wants NAME=VALUE, not {text!r}", name)
        try:
            options[name] = json.loads(value)
        except json.JSONDecodeError:
            options[name] = value
    return options


# -- headless -------------------------------------------------------------------------------------


def _run_headless(arguments: argparse.Namespace) -> int:
    first = 1 if arguments.seed is None else arguments.seed
    each: list[dict[str, Any]] = []
    for report in _play_all(range(first, first + arguments.games), arguments):
        told = report.to_json()
        if not arguments.json:
            # The head comes with the first game: what is refused has none.
            rows = [_cells(told)] if each else [COLUMNS, _cells(told)]
            print("\n".join(map(_row, rows)), flush=True)
        each.append(told)
    total = {name: sum(told[name] for told in each) for name in SUMMED}
    if arguments.json:
        print(json.dumps({"games": len(each), **total, "each": each}))
    else:
        print(_row(("all", "", *total.values(), "")))
    return 1 if total["silent_errors"] else 0


def _play_all(seeds: range, arguments: argparse.Namespace) -> Iterator[GameReport]:
    """Play the games, as many at once as there are processors; yield them in order."""
    from companion.demo.headless import play_headless

    play = partial(
        play_headless,
        game=arguments.game,
        players=arguments.players,
        options=read_options(arguments.option),
    )
    workers = min(len(seeds), os.cpu_count() or 1)
    if workers == 1:
        yield from map(play, seeds)
        return
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(play, seeds)


def _cells(told: Mapping[str, Any]) -> tuple[object, ...]:
    """Return a game's line of the table, in the order of `COLUMNS`."""
    counts = (told[name] for name in SUMMED)
    return (f"seed {told['seed']}", told["players"], *counts, told["result"])


def _row(cells: tuple[object, ...]) -> str:
    *numbers, last = cells
    return "  ".join([f"{cell!s:>10}" for cell in numbers] + [str(last)])


# -- live -----------------------------------------------------------------------------------------


def _run_live(arguments: argparse.Namespace) -> int:
    from companion.demo.evening import Evening
    from companion.demo.live import LiveCaptains, Paced, Teller
    from companion.ledger.folder import open_store, sole_table
    from web.server import WebServer

    seed = int(time.time()) if arguments.seed is None else arguments.seed
    done = on_end()
    with ExitStack() as stack:
        folder = arguments.data or Path(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="quarterdeck-demo-"))
        )
        stack.enter_context(sole_table(folder))
        store = stack.enter_context(closing(open_store(folder)))
        evening = Evening(
            arguments.game,
            seed,
            store,
            time.monotonic,
            arguments.players,
            read_options(arguments.option),
            through=Paced,
        )
        stack.callback(evening.close)
        open_ring_for(evening.service, arguments.ring, stack)
        evening.service.subscribe(Teller(lambda line: print(line, flush=True)))
        serve = partial(WebServer, evening.service)
        address = open_door(serve, arguments.host, arguments.port, stack)
        evening.service.start()
        captains = LiveCaptains(evening, address, arguments.pace)
        stack.callback(captains.stop)
        captains.start()
        return _until_over(captains, evening, store, done, arguments.once)


def _until_over(
    captains: LiveCaptains,
    evening: Evening,
    store: SqliteStore,
    done: threading.Event,
    once: bool,
) -> int:
    # Short waits: on some systems a signal does not end an endless one.
    while not done.is_set() and not captains.over.wait(0.5):
        store.settle()
    if captains.failure is not None:
        raise captains.failure
    if captains.over.is_set():
        print(f"\n{evening.result()}", flush=True)
        if not once:
            print("The scoreboard stays open; Ctrl-C ends.", flush=True)
            while not done.wait(0.5):
                store.settle()
    return 0
