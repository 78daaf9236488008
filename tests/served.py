"""A table in a process of its own, that is killed as a power cut would; and who plays at it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

from companion.demo.phone import HttpPhone
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision

QUARTERDECK = (sys.executable, "-m", "companion.cli")
NAMES = ("Anne", "Bart")


@contextmanager
def served(*words: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a command that serves on a port, 0: a free one; yield its process and address.

    Then it is killed, as a power cut would.
    """
    process = subprocess.Popen(
        [*QUARTERDECK, *words, "--host", "127.0.0.1", "--port", str(port)],
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


def open_game(address: str, game: str, options: Mapping[str, object]) -> None:
    request = urllib.request.Request(
        f"{address}api/games",
        data=json.dumps({"game": game, "players": NAMES, "options": options}).encode(),
        headers={"Content-Type": "application/json"},
    )
    urllib.request.urlopen(request, timeout=10).close()


def tell_one(game: AnyGame, phone: HttpPhone, state: Any, random: Random) -> Any:
    """Tell one random legal thing by phone; return the state it leads to."""
    pending = game.pending(state)
    assert isinstance(pending, ChanceRoll | Decision)
    player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
    action = random.choice(game.legal_actions(state, player))
    phone.send({"type": "act", "action": game.action_to_json(action)})
    return game.apply(state, action).state
