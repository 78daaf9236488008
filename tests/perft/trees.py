"""Trees of play: nodes by depth and the probability of the leaves, for any game.

A perft file has a line for each position. At every depth its triple (chance, decision, terminal)
counts the nodes that lie exactly so many steps below the position. Decisions are weighted evenly,
so the leaves of a whole tree weigh 1.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from companion.rules.game import AnyGame, ChanceRoll, GameOver
from tests.playing import asked_player


@dataclass
class Tree:
    """Counts by depth, and the probability of all leaves."""

    counts: list[Counter[str]]
    """How many nodes of each kind lie exactly so many steps below, depth 1 first."""
    mass: Fraction
    """Of all leaves, the nodes at the last depth included; decisions are weighted evenly."""


def kind(game: AnyGame, state: Any) -> str:
    """Say who moves in a state: ``"chance"``, ``"decision"``, or nobody: ``"terminal"``."""
    pending = game.pending(state)
    if isinstance(pending, GameOver):
        return "terminal"
    return "chance" if isinstance(pending, ChanceRoll) else "decision"


def children(game: AnyGame, state: Any) -> list[tuple[Any, Fraction]]:
    """Return what can follow a state, with its probability."""
    pending = game.pending(state)
    if isinstance(pending, ChanceRoll):
        return [(game.apply(state, a).state, p) for a, p in game.chance_outcomes(state)]
    actions = game.legal_actions(state, pending.player)
    return [(game.apply(state, a).state, Fraction(1, len(actions))) for a in actions]


def grow(game: AnyGame, state: Any, depth: int) -> Tree:
    """Visit every node; equal states at a depth are visited once and counted as often as met."""
    level: dict[Any, tuple[int, Fraction]] = {state: (1, Fraction(1))}
    counts, ended = [], Fraction(0)
    for _ in range(depth):
        following: dict[Any, tuple[int, Fraction]] = {}
        for node, (times, mass) in level.items():
            if kind(game, node) == "terminal":
                ended += mass
                continue
            for child, p in children(game, node):
                before = following.get(child, (0, Fraction(0)))
                following[child] = (before[0] + times, before[1] + mass * p)
        level = following
        counts.append(Counter())
        for node, (times, _) in level.items():
            counts[-1][kind(game, node)] += times
    return Tree(counts, ended + sum((mass for _, mass in level.values()), Fraction(0)))


def written(name: str, tree: Tree) -> str:
    """Write a tree as a line of a perft file."""
    parts = [
        f"{depth}: {c['chance']} {c['decision']} {c['terminal']}"
        for depth, c in enumerate(tree.counts, 1)
    ]
    return " | ".join([name, *parts])


def below(game: AnyGame, state: Any, depth: int) -> dict[str, int]:
    """Count the nodes under each first action, so that the wrong branch is visible."""
    player = asked_player(game, state)
    assert player is not None
    return {
        game.describe(state, action): grow(game, game.apply(state, action).state, depth - 1)
        .counts[-1]
        .total()
        for action in game.legal_actions(state, player)
    }


def expected(file: Path) -> dict[str, str]:
    """Return the lines of a perft file by the name of their position."""
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    return {line.split(" | ")[0]: line for line in lines}


def check_counts(game: AnyGame, file: Path, name: str, state: Any, depth: int) -> None:
    """Demand that the tree below a position is as its perft file says."""
    tree = grow(game, state, depth)
    assert tree.mass == Fraction(1)
    found, line = written(name, tree), expected(file)[name]
    if found != line:
        pytest.fail(f"{found}\nis not\n{line}\nbelow each action: {below(game, state, depth)}")


def print_lines(game: AnyGame, positions: dict[str, tuple[Any, int]]) -> None:
    """Print the lines of a perft file as they are now."""
    for name, (state, depth) in positions.items():
        sys.stdout.write(written(name, grow(game, state, depth)) + "\n")
