"""Random games of other rules engines, for a measure of our own: python-chess and OpenSpiel.

Only the benchmarks' environment has them (``make bench``); `PEERS` lists those that are there.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from random import Random
from time import process_time

Play = Callable[[Random, list[float] | None], int]
"""Plays one random game, returns its steps, collects the seconds of some legality checks."""


def python_chess(random: Random, checks: list[float] | None = None) -> int:
    """Play a random game of chess with python-chess."""
    import chess

    board = chess.Board()
    steps = 0
    while not board.is_game_over():
        moves = list(board.legal_moves)
        move = random.choice(moves)
        if checks is not None:
            begun = process_time()
            board.is_legal(move)
            checks.append(process_time() - begun)
        board.push(move)
        steps += 1
    return steps


def _open_spiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(random: Random, checks: list[float] | None = None) -> int:
        state = game.new_initial_state()
        steps = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, odds = zip(*state.chance_outcomes(), strict=True)
                action = random.choices(actions, odds)[0]
            else:
                action = random.choice(state.legal_actions())
            state.apply_action(action)
            steps += 1
        return steps

    return play


def _found() -> dict[str, Play]:
    found: dict[str, Play] = {}
    if find_spec("chess"):
        found["python-chess"] = python_chess
    if find_spec("pyspiel"):
        found["OpenSpiel chess"] = _open_spiel("chess")
        found["OpenSpiel backgammon"] = _open_spiel("backgammon")
    return found


PEERS = _found()
