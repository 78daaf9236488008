"""How fast the rules of PirateWars are: `check` by kind of action, choices, steps.

``python -m benchmarks.pirate_wars_speed [games]``. Processor time of random battles under several
sets of options; captains choose a kind of action first and then one of it, so that all kinds are
met. Seeded.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from random import Random
from statistics import median, quantiles
from time import process_time
from typing import Any

from companion.rules.game import CHANCE, ChanceRoll, GameOver
from companion.rules.pirate_wars.actions import Scuttle
from companion.rules.pirate_wars.rules import PirateWars

GAMES = 8
MOST_STEPS = 1500
ISLES = [
    {"kind": "island", "x_mm": 700, "y_mm": 500, "across_dots": 40, "depth_dots": 0},
    {"kind": "reef", "x_mm": 300, "y_mm": 900, "across_dots": 30, "depth_dots": 8},
    {"kind": "reef", "x_mm": 1200, "y_mm": 250, "across_dots": 30, "depth_dots": 4},
]
NATIVES = {
    "island": 1,
    "plates": 1,
    "small_plates": 0,
    "archers": 0,
    "treasure": 4,
    "cannons": 0,
    "boat": "canoe",
    "boats": 2,
    "captain": 1,
}
BASE = {"rounds": 10, "ships_each": 2, "losses": "order"}
OPTIONAL = BASE | {
    "sea_mm": [1400, 1100],
    "terrain": ISLES,
    "grounding": "full",
    "head_on_proximity": True,
    "sail_types": True,
    "hauling": True,
    "launches": True,
}
SETS: Mapping[str, Mapping[str, object]] = {
    "basic rules": BASE,
    "islands and reefs": BASE | {"terrain": ISLES, "sea_mm": [1400, 1100]},
    "launches, full grounding": OPTIONAL,
    "islanders, alligators": OPTIONAL
    | {"natives": [NATIVES | {"kind": "islanders"}], "alligators": True},
    "skeletons, snares, sails on launches": OPTIONAL
    | {
        "natives": [NATIVES | {"kind": "skeletons", "boats": 0}],
        "snares": True,
        "launch_sails": True,
    },
}
Times = dict[str, list[float]]


def _timed(times: list[float], call: Callable[..., Any], *given: object) -> Any:
    begun = process_time()
    value = call(*given)
    times.append(process_time() - begun)
    return value


def _of_each_kind(random: Random, actions: Sequence[Any]) -> list[Any]:
    kinds: dict[type, list[Any]] = defaultdict(list)
    for action in actions:
        kinds[type(action)].append(action)
    return [random.choice(kinds[kind]) for kind in sorted(kinds, key=lambda k: k.rank)]


def battle(random: Random, options: Mapping[str, object], checks: Times, steps: Times) -> None:
    """Play a battle and collect seconds: of checks by kind, of choices and steps by phase."""
    game = PirateWars()
    state = game.setup(["Ann", "Ben"], options)
    for _ in range(MOST_STEPS):
        pending = game.pending(state)
        if isinstance(pending, GameOver):
            return
        player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
        phase = steps[f"choices: {pending.phase}"]
        some = _of_each_kind(random, _timed(phase, game.legal_actions, state, player))
        for action in some:
            _timed(checks[type(action).__name__], game.check, state, action)
        # Nobody sinks the own ship, or the battle were over too soon.
        chosen = random.choice([a for a in some if not isinstance(a, Scuttle)])
        step = steps[f"step: {type(chosen).__name__}"]
        state = _timed(step, game.apply, state, chosen).state


def _shown(times: Times) -> None:
    for name, seconds in sorted(times.items(), key=lambda item: -median(item[1])):
        if len(seconds) < 2:
            continue
        middle, high = median(seconds) * 1e6, quantiles(seconds, n=20)[-1] * 1e6
        print(f"    {name:32} {middle:8.1f} us   p95 {high:8.1f} us   of {len(seconds)}")


def main() -> None:
    """Measure every set of options and print a line for every kind of action and every phase."""
    games = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    for name, options in SETS.items():
        checks: Times = defaultdict(list)
        steps: Times = defaultdict(list)
        for seed in range(games):
            battle(Random(seed), options, checks, steps)
        print(f"{name}:\n  check")
        _shown(checks)
        print("  choices and steps")
        _shown(steps)


if __name__ == "__main__":
    main()
