"""How fast the rules are: whole random games a second and `check` of one action.

``python benchmarks/rules_speed.py``. Times are processor time, so that a busy machine does not
count. Captains and dice are random and seeded; tables of two to six in turn.
"""

from __future__ import annotations

from random import Random
from statistics import median, quantiles
from time import process_time

from companion.rules.catalogue import GAMES
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, GameOver

GAMES_PLAYED = 200
CHECKED_AT_A_STEP = 4


def play(game: AnyGame, seed: int, checks: list[float] | None = None) -> int:
    """Play a random game and return its steps; collect the seconds of some checks."""
    random = Random(seed)
    fewest, most = game.info.players
    players = fewest + seed % (most - fewest + 1)
    state = game.setup([f"Captain {n}" for n in range(players)], {})
    steps = 0
    while not isinstance(pending := game.pending(state), GameOver):
        player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
        actions = game.legal_actions(state, player)
        if checks is not None:
            for action in random.sample(actions, min(CHECKED_AT_A_STEP, len(actions))):
                begun = process_time()
                game.check(state, action)
                checks.append(process_time() - begun)
        state = game.apply(state, random.choice(actions)).state
        steps += 1
    return steps


def main() -> None:
    """Measure every game and print a line each."""
    for game in GAMES:
        for seed in range(20):
            play(game, seed)
        begun = process_time()
        steps = sum(play(game, seed) for seed in range(GAMES_PLAYED))
        seconds = process_time() - begun
        checks: list[float] = []
        for seed in range(30):
            play(game, seed, checks)
        print(
            f"{game.info.id}: {GAMES_PLAYED / seconds:.0f} random games/s"
            f" ({steps / GAMES_PLAYED:.0f} steps a game),"
            f" check median {median(checks) * 1e6:.1f} us,"
            f" p95 {quantiles(checks, n=20)[-1] * 1e6:.1f} us"
        )


if __name__ == "__main__":
    main()
