"""How long the explanation search takes when a whole turn is done under one hand.

Three ships and six dice: every spend at random, one picture at the end. Readings are synthetic,
with 5 % noise. Processor time, so that other work on the machine matters less. `--json` prints one
object.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from random import Random
from typing import Any

from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.game import Decision
from companion.table.watcher import Watcher
from tests.table.battle import at_table, battle

GAME = ArticlesOfWar()
SHIPS = {
    (0, 0): "red",
    (2, -3): "red",
    (-2, 2): "red",
    (4, -1): "blue",
    (-4, 0): "blue",
    (0, 4): "blue",
}
TERRAIN = {(1, 1): "volcano", (-1, -1): "reef", (3, -4): "desert"}


def play_turn(state: Any, rng: Random) -> Any:
    """Spend dice at random until something else is asked."""
    while isinstance(pending := GAME.pending(state), Decision) and pending.phase == "spend":
        action = rng.choice(GAME.legal_actions(state, pending.player))
        state = GAME.apply(state, action).state
    return state


def measure(turns: int) -> list[float]:
    """Return the milliseconds of each turn's explanation, ascending."""
    took = []
    for seed in range(turns):
        rng = Random(seed)
        sails = tuple(sorted(rng.choice((2, 3, 3, 4)) for _ in range(4)))
        cannons = tuple(sorted(rng.randint(1, 5) for _ in range(2)))
        state = battle(SHIPS, sails, cannons, terrain=TERRAIN)
        hands, watcher = at_table(state, seed), Watcher(GAME, state)
        watcher.observe(hands.look(0.05))
        hands.lay(GAME.layout(play_turn(state, rng)))
        picture = hands.look(0.05)
        started = time.process_time()
        watcher.observe(picture)
        took.append(1000 * (time.process_time() - started))
    return sorted(took)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    took = measure(arguments.turns)
    figures = {
        "turns": len(took),
        "median_ms": round(took[len(took) // 2], 1),
        "p95_ms": round(took[int(0.95 * len(took))], 1),
    }
    if arguments.json:
        print(json.dumps(figures))
    else:
        print(
            "six dice under one hand, explained: median {median_ms} ms, p95 {p95_ms} ms".format(
                **figures
            )
        )


if __name__ == "__main__":
    main()
