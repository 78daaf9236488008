"""Killed in mid-game and started again, the service goes on at the same event."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import pytest

from companion.boards.choice import board_for
from companion.cli.play import on_end
from companion.demo.phone import HttpPhone
from companion.ledger.sqlite_store import SqliteStore
from companion.ledger.store import verify_chain
from companion.rules.catalogue import find_game
from companion.rules.layout import Layout
from tests.served import NAMES, QUARTERDECK, open_game, served, tell_one


@pytest.mark.parametrize(
    ("name", "options", "steps"),
    [("articles-of-war", {}, 25), ("pirate-wars", {"wind": "N", "losses": "order"}, 40)],
)
def test_a_killed_service_goes_on_at_the_same_event(
    name: str, options: Mapping[str, object], steps: int, tmp_path: Path
) -> None:
    game, random = find_game(name), Random(2)
    state = game.setup(NAMES, {**options, **board_for(game.info, options).options})
    with served("serve", "--data", str(tmp_path)) as (_, address):
        open_game(address, name, options)
        phone = HttpPhone(address)
        for _ in range(steps):
            state = tell_one(game, phone, state, random)
        before = phone.look()
    with served("serve", "--data", str(tmp_path)) as (_, address):
        phone = HttpPhone(address)
        after = phone.look()
        assert after["log"] == before["log"]
        assert after["layout"] == before["layout"]
        assert after["pending"] == before["pending"]
        assert after["sheets"] == before["sheets"]
        for _ in range(10):
            state = tell_one(game, phone, state, random)
        assert phone.look()["pending"] == game.pending(state).text
        assert Layout.from_json(phone.look()["layout"]) == game.layout(state)
    store = SqliteStore(tmp_path / "ledger.sqlite3")
    (stored,) = store.games()
    assert verify_chain(stored, store.read(stored)) >= steps + 11
    store.close()


def test_a_polite_kill_ends_the_service_cleanly(tmp_path: Path) -> None:
    with served("serve", "--data", str(tmp_path)) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


@pytest.fixture
def hang_up() -> Iterator[signal.Signals]:
    """Return the signal that a terminal sends as it ends; what was done on signals is restored."""
    heeded = {n: signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # tests may have been begun with nohup, too
    yield signal.SIGHUP
    for number, handler in heeded.items():
        signal.signal(number, handler)


def test_a_table_ends_cleanly_with_its_terminal(hang_up: signal.Signals) -> None:
    """The lamps stayed lit, and a trial unsealed, when a connection by ssh broke."""
    done = on_end()
    assert not done.is_set()
    signal.raise_signal(hang_up)
    assert done.is_set()


def test_a_table_begun_with_nohup_outlasts_its_terminal(hang_up: signal.Signals) -> None:
    signal.signal(hang_up, signal.SIG_IGN)
    done = on_end()
    signal.raise_signal(hang_up)
    assert not done.is_set()


def test_a_taken_port_is_said_in_plain_words(tmp_path: Path) -> None:
    with served("serve", "--data", str(tmp_path)) as (_, address):
        port = address.rstrip("/").rsplit(":", 1)[1]
        second = subprocess.run(
            [
                *QUARTERDECK,
                "serve",
                "--host",
                "127.0.0.1",
                "--port",
                port,
                "--data",
                str(tmp_path / "other"),
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert second.returncode == 2
        assert "already" in second.stderr
        assert "--port" in second.stderr
