"""How fast the rules are beside others: whole random games a second and `check` of one action.

``python -m benchmarks.rules_speed``. Times are processor time, so that a busy machine counts less;
all take turns within one run, round by round, so that drift hits them alike. Moves, dice and the
number of captains are random and seeded.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from statistics import median, quantiles
from time import process_time

from benchmarks.peers import PEERS, Play
from companion.rules.catalogue import GAMES
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, GameOver
from companion.rules.options import playable

ROUNDS = 5
ROUND_S = 1.0
"""Processor time each gets in a round."""
CHECKED_GAMES = 20
CHECKED_AT_A_STEP = 4


def play(
    game: AnyGame, captains: Sequence[int], random: Random, checks: list[float] | None = None
) -> int:
    """Play a random game and return its steps; collect the seconds of some checks."""
    state = game.setup([f"Captain {n}" for n in range(random.choice(captains))], {})
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


def _round(player: Play, random: Random) -> tuple[int, int, float]:
    """Play for `ROUND_S`; return games, steps, seconds."""
    games = steps = 0
    begun = process_time()
    while (seconds := process_time() - begun) < ROUND_S:
        steps += player(random, None)
        games += 1
    return games, steps, seconds


def main() -> None:
    """Measure our games and the peers that are installed, and print a line each."""
    players: dict[str, Play] = {
        game.info.id: partial(play, game, playable(game, {})) for game in GAMES
    } | PEERS
    sources = {name: Random(7) for name in players}
    rates: dict[str, list[float]] = {name: [] for name in players}
    lengths: dict[str, float] = {}
    for name, player in players.items():
        player(sources[name], None)  # caches and imports are not what is measured
    for _ in range(ROUNDS):
        for name, player in players.items():
            games, steps, seconds = _round(player, sources[name])
            rates[name].append(games / seconds)
            lengths[name] = steps / games
    chess = median(rates["python-chess"]) if "python-chess" in rates else None
    for name, player in players.items():
        rate = median(rates[name])
        beside = f", {rate / chess:.2g} x python-chess" if chess and name != "python-chess" else ""
        print(f"{name}: {rate:.3g} random games/s ({lengths[name]:.0f} steps a game){beside}")
        checks: list[float] = []
        for _ in range(CHECKED_GAMES):
            player(sources[name], checks)
        if checks:
            p95 = quantiles(checks, n=20)[-1] * 1e6
            print(f"    check: median {median(checks) * 1e6:.1f} us, p95 {p95:.1f} us")
    if not PEERS:
        print("(python-chess and OpenSpiel are not here; `make bench` brings them)")


if __name__ == "__main__":
    main()
