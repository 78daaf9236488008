"""Which effects need somebody's choice, roll or draw, and what can be chosen.

What is asked depends on open things only (cargo, relics, bank), never on a purse: otherwise being
asked, or not, would tell how much is in it (PRV-7).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.rules.game import PlayerId
from companion.rules.privateer.effect_reading import ROLLED
from companion.rules.privateer.effects import (
    ANY,
    CHOICE,
    SORTED_GOODS,
    Cargo,
    CrewTest,
    DrawBounty,
    Effect,
    Job,
    Move,
    Overboard,
    StealCargo,
    StealRelic,
    StealSilver,
    Trade,
    Wind,
)
from companion.rules.privateer.effects import GOOD as INDEX
from companion.rules.privateer.state import (
    Asking,
    ChoosingPort,
    Discarding,
    DrawingBounty,
    Gaining,
    Offering,
    RollingPort,
    SettingWind,
    State,
    StealingCargo,
    StealingRelic,
    StealingSilver,
    TestingCrew,
    hold_space,
    rivals_of,
)


def needed_stage(state: State, job: Job) -> type[Asking] | None:
    """Return the stage in which a job is asked about; ``None``: it needs nobody."""
    needs = NEEDS.get(type(job.effect))
    return needs(state, job) if needs else None


def gainable(state: State, player: int) -> list[str]:
    """Return the goods a captain can take from the bank, sorted by name."""
    if hold_space(state.deck, state.seats[player]) <= 0:
        return []
    return [good for good in SORTED_GOODS if state.bank[INDEX[good]]]


def held(state: State, player: int) -> list[str]:
    """Return the types of goods a captain has, sorted by name."""
    cargo = state.seats[player].cargo
    return [good for good in SORTED_GOODS if cargo[INDEX[good]]]


def to_discard(state: State, job: Job) -> int:
    """Return how many goods a captain has to give back, at most what there is."""
    seat = state.seats[job.player]
    if isinstance(job.effect, Cargo):
        return min(-job.effect.amount, sum(seat.cargo))
    return max(-hold_space(state.deck, seat), 0)


def relics_to_take(state: State, player: int) -> list[tuple[PlayerId, str]]:
    """Return whose relics can be stolen, sorted."""
    foes = sorted(rivals_of(state, player))
    return [(foe, relic) for foe in foes for relic in state.seats[foe].relics]


def cargo_to_take(state: State, player: int) -> list[tuple[PlayerId, str]]:
    """Return whose goods can be stolen, sorted; none for a full hold."""
    if hold_space(state.deck, state.seats[player]) <= 0:
        return []
    return [(foe, good) for foe in sorted(rivals_of(state, player)) for good in held(state, foe)]


def trades(state: State, player: int) -> list[tuple[PlayerId, str, str]]:
    """Return every swap of one good for another: with whom, what is given, what is got."""
    own = held(state, player)
    return [
        (foe, give, get)
        for foe in sorted(rivals_of(state, player))
        for give in own
        for get in held(state, foe)
        if give != get
    ]


def _draw(state: State, job: Job) -> type[Asking] | None:
    return DrawingBounty  # there is a fortune to draw in every deck


def _wind(state: State, job: Job) -> type[Asking] | None:
    return SettingWind if isinstance(job.effect, Wind) and job.effect.to == CHOICE else None


def _cargo(state: State, job: Job) -> type[Asking] | None:
    effect = job.effect
    assert isinstance(effect, Cargo)
    if effect.good != ANY:
        return None
    if effect.amount > 0:
        return Gaining if len(gainable(state, job.player)) > 1 else None
    return _discard(state, job)


def _discard(state: State, job: Job) -> type[Asking] | None:
    count = to_discard(state, job)
    all_goes = count == sum(state.seats[job.player].cargo)
    return Discarding if count and not all_goes and len(held(state, job.player)) > 1 else None


def _relic(state: State, job: Job) -> type[Asking] | None:
    return StealingRelic if len(relics_to_take(state, job.player)) > 1 else None


def _steal(state: State, job: Job) -> type[Asking] | None:
    return StealingCargo if len(cargo_to_take(state, job.player)) > 1 else None


def _silver(state: State, job: Job) -> type[Asking] | None:
    return StealingSilver if len(state.seats) > 2 else None


def _trade(state: State, job: Job) -> type[Asking] | None:
    return Offering if trades(state, job.player) else None


def _move(state: State, job: Job) -> type[Asking] | None:
    effect = job.effect
    assert isinstance(effect, Move)
    return {CHOICE: ChoosingPort, ROLLED: RollingPort}.get(effect.to)


def _test(state: State, job: Job) -> type[Asking] | None:
    return TestingCrew


NEEDS: dict[type[Effect], Callable[[State, Job], Any]] = {
    DrawBounty: _draw,
    Wind: _wind,
    Cargo: _cargo,
    Overboard: _discard,
    StealRelic: _relic,
    StealCargo: _steal,
    StealSilver: _silver,
    Trade: _trade,
    Move: _move,
    CrewTest: _test,
}
"""By effect; the others need nobody."""
