"""Killed in mid-game and started again, the service goes on at the same event."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.boards.choice import board_for
from companion.cli.play import on_end
from companion.demo.phone import HttpPhone
from companion.ledger.sqlite_store import SqliteStore
from companion.ledger.store import verify_chain
from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision
from companion.rules.layout import Layout

QUARTERDECK = (sys.executable, "-m", "companion.cli")
NAMES = ("Anne", "Bart")


@contextmanager
def served(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a command that serves; yield its process and address; kill it (as a power cut would)."""
    process = subprocess.Popen(
        [*QUARTERDECK, *words, "--host", "127.0.0.1", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process, _address(process)
    finally:
        process.kill()
        process.wait(20)
        assert process.stdout is not None
        process.stdout.close()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"http://\S+", line):
            return found.group()
    raise AssertionError("no address was printed: " + "".join(said))


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
        _open_game(address, name, options)
        phone = HttpPhone(address)
        for _ in range(steps):
            state = _tell_one(game, phone, state, random)
        before = phone.look()
    with served("serve", "--data", str(tmp_path)) as (_, address):
        phone = HttpPhone(address)
        after = phone.look()
        assert after["log"] == before["log"]
        assert after["layout"] == before["layout"]
        assert after["pending"] == before["pending"]
        assert after["sheets"] == before["sheets"]
        for _ in range(10):
            state = _tell_one(game, phone, state, random)
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


def _open_game(address: str, game: str, options: Mapping[str, object]) -> None:
    request = urllib.request.Request(
        f"{address}api/games",
        data=json.dumps({"game": game, "players": NAMES, "options": options}).encode(),
        headers={"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).close()


def _tell_one(game: AnyGame, phone: HttpPhone, state: Any, random: Random) -> Any:
    """Tell one random legal thing by phone; return the state it leads to."""
    pending = game.pending(state)
    assert isinstance(pending, ChanceRoll | Decision)
    player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
    action = random.choice(game.legal_actions(state, player))
    phone.send({"type": "act", "action": game.action_to_json(action)})
    return game.apply(state, action).state
