"""Whole games as texts, to be compared line by line with how they were."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from companion.rules.game import (
    AnyGame,
    GameOver,
)
from companion.rules.views import CALM
from tests.playing import Choose, any_action, asked_player

LISTED = 12
"""Actions listed of those a state offers."""


@dataclass(frozen=True)
class Play:
    """How a game was played: the seed of its random captains."""

    game: str
    players: tuple[str, ...]
    seed: int
    options: Mapping[str, object] = field(default_factory=dict)
    choose: Choose = any_action
    shown_first: int = 16
    """States shown at first, one after the other."""
    shown_every: int = 10
    """From then on one in so many is shown."""


def transcript(game: AnyGame, play: Play) -> Iterator[str]:
    """Yield the lines of a playthrough: every action, the first states and some of the later."""
    random = Random(play.seed)
    yield f"game: {play.game}"
    yield f"players: {', '.join(play.players)}"
    yield f"options: {dict(play.options)}"
    state, step = game.setup(play.players, play.options), 0
    while (player := asked_player(game, state)) is not None:
        actions = game.legal_actions(state, player)
        if step < play.shown_first or step % play.shown_every == 0:
            yield from shown(game, state, step)
        action = play.choose(random, state, actions)
        yield f"> {step} {game.describe(state, action)}"
        result = game.apply(state, action)
        for happening in result.happenings:
            coins = "".join(f" {seat}:{count:+}" for seat, count in happening.coins)
            yield f"    {happening.text} [{happening.rule}]{coins}"
        state, step = result.state, step + 1
    yield from shown(game, state, step)
    outcome = game.outcome(state)
    assert outcome is not None
    yield f"outcome: {outcome.reason} [{outcome.rule}] placing {outcome.placing}"


def shown(game: AnyGame, state, step: int) -> Iterator[str]:
    """Yield what is to be seen in a state, and what can be done there."""
    pending = game.pending(state)
    yield ""
    # What is not set is left out, so that a new field changes no transcript without need.
    yield f"# state {step}: {re.sub(r', ([a-z]+=False|total=0)', '', repr(pending))}"
    for viewer in (None, 0):
        view = game.view(state, viewer)
        seats = "; ".join(f"{s.name} {s.colours} {dict(s.scores)} {s.ships}" for s in view.seats)
        weather = f", {view.weather}" if view.weather != CALM else ""
        own = f", own {dict(view.own)}" if view.own else ""
        shown = f"{view.phase}, round {view.round}, {seats}, {view.notes}"
        yield f"view {viewer}: {shown}{weather}{own}"
    layout = game.layout(state).to_json()
    cells = [
        f"{c['cell']}={'+'.join(filter(None, (*c['ships'], c['terrain'], c['cargo'])))}"
        for c in layout["cells"]
    ]
    yield f"layout: {' '.join(cells)} dice {[tuple(d.values()) for d in layout['dice']]}"
    if layout["pieces"]:
        poses = (f"{p['tag']} {p['name']} {list(p['pose'].values())}" for p in layout["pieces"])
        yield f"pieces: {'; '.join(poses)}"
    if isinstance(pending, GameOver):
        return
    actions = game.legal_actions(state, asked_player(game, state))
    odds = dict(game.chance_outcomes(state))
    yield f"legal: {len(actions)}"
    for action in actions[:LISTED]:
        chance = f" ({odds[action]})" if odds else ""
        yield f"  {game.describe(state, action)}{chance}"


def check_playthrough(file: Path, lines: Iterable[str]) -> None:
    """Demand that a playthrough is as its file says."""
    expected, found = file.read_text("utf-8"), _text(lines)
    pairs = zip(expected.splitlines(), found.splitlines(), strict=False)
    for number, (was, now) in enumerate(pairs, 1):
        assert was == now, f"{file.name} line {number}: {was!r} is now {now!r}"
    assert found == expected


def write_playthrough(file: Path, lines: Iterable[str]) -> None:
    """Write a playthrough anew."""
    file.write_text(_text(lines), "utf-8")


def _text(lines: Iterable[str]) -> str:
    return "\n".join(lines) + "\n"
