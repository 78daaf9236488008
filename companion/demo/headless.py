"""Whole games without a browser, counted: moves, recognised, asked, silent errors."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2

from companion.demo.evening import NO_OPTIONS, Evening
from companion.demo.party import Tally
from companion.demo.phone import FlaskPhone
from companion.ledger.folder import open_store
from companion.rules.game import AnyGame, Decision
from companion.table.sight import same_table
from companion.table.snapshot import Snapshot
from web.app import create_app

FRAME_S = 0.25
"""Between two pictures, in the time of the table; no real time is waited for."""
FIRST_LOOKS = 6
"""Pictures of the table before anybody touches it."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """What became of one game."""

    seed: int
    players: int
    tally: Tally
    silent_errors: int
    """Lines of the log that were wrong, and steps after which the record differed from the table,
    without a question or an objection that everybody sees."""
    pictures: int
    result: str

    def to_json(self) -> dict[str, Any]:
        """Return the report as JSON values, with the tally's counts beside the others."""
        told = asdict(self)
        counts: dict[str, Any] = told.pop("tally")
        del counts["misread"]  # a part of the silent errors
        return told | counts


def play_headless(
    seed: int,
    game: str = "articles-of-war",
    players: int | None = None,
    options: Mapping[str, object] = NO_OPTIONS,
) -> GameReport:
    """Play one whole game from rendered pictures, as fast as it goes."""
    cv2.setNumThreads(1)  # games run side by side, one a processor
    with (
        tempfile.TemporaryDirectory(prefix="quarterdeck-") as folder,
        closing(open_store(Path(folder))) as store,
    ):
        ticks = itertools.count()
        evening = Evening(game, seed, store, lambda: next(ticks) * FRAME_S, players, options)
        with closing(evening):
            return _play(evening, seed)


def _play(evening: Evening, seed: int) -> GameReport:
    pictures = 0

    def look() -> None:
        nonlocal pictures
        pictures += 1
        evening.service.look()

    app = create_app(evening.service)
    captains = evening.captains(lambda: FlaskPhone(app), look)
    table = evening.service.table()
    assert table is not None
    silent = 0
    for _ in range(FIRST_LOOKS):
        look()  # the camera hangs there before anybody rolls

    def compare(truth: Any) -> None:
        nonlocal silent
        alike = _agree(evening.rules, table.state, truth) or is_ahead(
            evening.rules, table.state, truth
        )
        silent += not alike and not _speaks(table.snapshot())

    truth = captains.play(compare)
    silent += not _end_alike(evening.rules, table.state, truth)
    return GameReport(
        seed,
        len(evening.names),
        captains.tally,
        silent + captains.tally.misread,
        pictures,
        table.snapshot().result,
    )


def _speaks(shown: Snapshot) -> bool:
    """Say whether the table asks, or objects aloud to what it sees."""
    return shown.question is not None or (
        shown.notice is not None and shown.notice.kind == "refusal"
    )


def is_ahead(game: AnyGame, recorded: Any, truth: Any) -> bool:
    """Say whether the record is only ahead by what a captain must do and can do in one way alone.

    A die that cannot be seen any more counts as spent. If nothing else could have been done with
    it, and no piece moves, nothing wrong was written down: its captain still holds it.
    """
    before = game.layout(truth)
    while isinstance(pending := game.pending(truth), Decision) and not pending.measured:
        actions = game.legal_actions(truth, pending.player)
        if len(actions) != 1:
            return False
        truth = game.apply(truth, actions[0]).state
        if before.changed(game.layout(truth)):
            return False
        if _agree(game, recorded, truth):
            return True
    return False


def _agree(game: AnyGame, recorded: Any, truth: Any) -> bool:
    """Say whether the record is what a captain sees; pieces are measured, so they may differ."""
    alike = same_table(game.layout(recorded), game.layout(truth))
    return alike and bool(game.view(recorded, None).seats == game.view(truth, None).seats)


def _end_alike(game: AnyGame, recorded: Any, truth: Any) -> bool:
    """Say whether two ends of a game are the same one, to the last detail on cells."""
    if game.layout(truth).pieces:
        return _agree(game, recorded, truth) and game.outcome(recorded) == game.outcome(truth)
    return bool(recorded == truth)
