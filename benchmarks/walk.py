"""How long each step takes on the way from the picture to the ledger, in a game in full swing.

``python -m benchmarks.walk``. A headless game on the virtual table is played; every step of the
real service is timed as it goes: motion gate, reading a settled picture (board and tray),
explaining it, making it durable. Rendering the virtual table is no part of the way and is given
apart.
"""

from __future__ import annotations

import itertools
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from unittest.mock import patch

from companion.demo.evening import Evening
from companion.demo.headless import FRAME_S
from companion.demo.phone import FlaskPhone
from companion.ledger.folder import open_store
from companion.ledger.sqlite_store import SqliteStore
from companion.table.explain import Explainer
from companion.table.referee import Referee
from vision.board.reader import BoardReader
from vision.dice.reader import TrayReader
from vision.pipeline import Watcher
from vision.settling import SettlingGate
from vision.virtual.table import VirtualTable
from web.app import create_app

SEED, CAPTAINS = 11, 4

STEPS: tuple[tuple[str, type, str], ...] = (
    ("motion gate, one picture", SettlingGate, "feed"),
    ("registered board -> cells", BoardReader, "read_fitted"),
    ("tray -> dice", TrayReader, "read"),
    ("frame -> observation", Watcher, "_tell"),
    ("observation -> explanation", Explainer, "explain"),
    ("events -> durable", SqliteStore, "append"),
    ("observation -> published", Referee, "observe"),
    ("(rendering the virtual table)", VirtualTable, "frame"),
)


@contextmanager
def timed(times: dict[str, list[float]]) -> Iterator[None]:
    """Time every call of the steps while the body runs."""
    with ExitStack() as stack:
        for name, owner, method in STEPS:
            call = _timed(getattr(owner, method), times[name])
            stack.enter_context(patch.object(owner, method, call))
        yield


def _timed(call: Callable[..., Any], into: list[float]) -> Callable[..., Any]:
    def measured(*args: Any, **kwargs: Any) -> Any:
        begun = perf_counter()
        try:
            return call(*args, **kwargs)
        finally:
            into.append(perf_counter() - begun)

    return measured


def main() -> None:
    """Play, measure and print a line a step."""
    times: dict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder, timed(times):
        ticks = itertools.count()
        store = open_store(Path(folder))
        evening = Evening("articles-of-war", SEED, store, lambda: next(ticks) * FRAME_S, CAPTAINS)
        app = create_app(evening.service)

        def look() -> None:
            evening.service.look()

        evening.captains(lambda: FlaskPhone(app), look).play()
        evening.close()
    print(f"{'step':<32}{'calls':>7}{'median ms':>11}{'p95 ms':>9}")
    for name, _, _ in STEPS:
        taken = [1000 * t for t in times[name]]
        print(f"{name:<32}{len(taken):>7}{median(taken):>11.2f}{quantiles(taken, n=20)[-1]:>9.2f}")


if __name__ == "__main__":
    main()
