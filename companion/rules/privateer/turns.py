"""How a turn goes on: jobs that cards leave, from one captain to the next, the end of the game.

Everything that follows without anybody's choice is done here, so a phase only changes the state and
says what is still to be done.
"""

from __future__ import annotations

from functools import cache

from companion.rules.game import Happening, Step
from companion.rules.privateer.carrying import FOLLOWERS, Done, carry_out
from companion.rules.privateer.deck import GOAL
from companion.rules.privateer.effects import (
    SAILS,
    DrawBounty,
    Effect,
    Job,
    Jobs,
    StealRelic,
    Steps,
)
from companion.rules.privateer.needs import needed_stage
from companion.rules.privateer.state import (
    DrawingBounty,
    Finished,
    Sailing,
    State,
    champion,
    rank_value,
)
from companion.rules.privateer.words import who
from companion.rules.words import counted

Told = tuple[Happening, ...]

RAISING: tuple[type[Effect], ...] = (Steps, StealRelic)
"""Effects after which somebody may have reached the goal."""


def go_on(state: State, jobs: Jobs, told: Told = ()) -> Step[State]:
    """Carry out jobs up to the first that needs somebody; then the captain sails."""
    while jobs:
        job, rest = jobs[0], jobs[1:]
        expand = FOLLOWERS.get(type(job.effect))
        several = expand(state, job) if expand else None
        if several is not None:
            jobs = (*several, *rest)
            continue
        stage = needed_stage(state, job)
        if stage is not None:
            return Step(state._replace(stage=stage(jobs)), told)
        done: Done = carry_out(state, job)
        state, told, jobs = done.state, (*told, *done.told), (*done.jobs, *rest)
        if isinstance(job.effect, RAISING) and (over := crowned(state, told)):
            return over
    if state.extra is None:
        return end_turn(state, told)
    moves = rank_value(state.deck, state.seat, SAILS) + state.extra
    return Step(state._replace(stage=_sailing(max(moves, 0)), extra=0), told)


def crowned(state: State, told: Told) -> Step[State] | None:
    """Return the end of the game if somebody has 20 Infamy, at any instant (PRV-65)."""
    winner = champion(state)
    if winner is None:
        return None
    text = f"{who(state, winner)} has reached {GOAL} Infamy and wins"
    return _finished(state, (*told, Happening(text, "PRV-65")))


def _finished(state: State, told: Told) -> Step[State]:
    return Step(state._replace(stage=Finished(), extra=0), told)


_sailing = cache(Sailing)


@cache
def _draw_stage(player: int) -> DrawingBounty:
    return DrawingBounty((Job(player, DrawBounty()),))


def begin_turn(state: State, turn: int, round_: int, told: Told = ()) -> Step[State]:
    """Phase 1: what relics do at the beginning of the turn, then the bounty card (PRV-22)."""
    stage = _draw_stage(turn)
    state = state._replace(stage=stage, turn=turn, round=round_, extra=0)
    jobs: Jobs = stage.jobs
    for relic in reversed(state.seats[turn].relics):
        effects = state.deck.bounty_card[relic].turn
        if effects:
            jobs = (*[Job(turn, effect) for effect in effects], *jobs)
    if jobs is stage.jobs:
        return Step(state, told)
    return go_on(state, jobs, told)


def end_turn(state: State, told: Told = ()) -> Step[State]:
    """Phase 5, and the next captain clockwise (PRV-16, PRV-26)."""
    turn = state.turn + 1
    if turn == len(state.seats):
        turn = 0
    if turn != state.first:
        return begin_turn(state, turn, state.round, told)
    cap = state.options.round_cap
    if cap and state.round >= cap:
        text = f"{counted(cap, 'round is', 'rounds are')} over"
        return _finished(state, (*told, Happening(text, "PRV-68")))
    return begin_turn(state, turn, state.round + 1, told)
