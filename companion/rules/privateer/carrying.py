"""Carrying out effects: what each does to the state once all is chosen and rolled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from companion.rules.game import Happening, PlayerId
from companion.rules.privateer.effects import (
    ANY,
    GOOD,
    HOLD,
    TRACKS,
    Cargo,
    Effect,
    Job,
    Jobs,
    Move,
    Moves,
    Overboard,
    Silver,
    Skip,
    StealCargo,
    StealRelic,
    StealSilver,
    Steps,
    Trade,
    Wind,
)
from companion.rules.privateer.needs import (
    cargo_to_take,
    gainable,
    held,
    relics_to_take,
    to_discard,
)
from companion.rules.privateer.state import State, hold_space, rivals_of, with_seat
from companion.rules.privateer.words import TRACK_NAMES, WIND_NAMES, goods_listed, who
from companion.rules.tuples import shifted
from companion.rules.words import capital, counted


class Done(NamedTuple):
    """What an effect has led to."""

    state: State
    told: tuple[Happening, ...] = ()
    jobs: Jobs = ()
    """What is to be done next because of it."""


def carry_out(state: State, job: Job) -> Done:
    """Carry out a job that needs nobody's choice any more."""
    return CARRIERS[type(job.effect)](state, job.player, job.effect)


def say(state: State, player: int, what: str, rule: str = "PRV-64") -> tuple[Happening, ...]:
    """Tell one thing about a captain."""
    return (Happening(f"{who(state, player)} {what}", rule),)


def _silver(state: State, player: int, effect: Silver) -> Done:
    seat = state.seats[player]
    if effect.amount > 0:
        text = f"{who(state, player)} takes {effect.amount} silver"
        happening = Happening(text, "PRV-64", ((PlayerId(player), effect.amount),))
        richer = seat._replace(silver=seat.silver + effect.amount)
        return Done(with_seat(state, player, richer), (happening,))
    # How much was really paid would show a purse that is nearly empty, so it is not told (PRV-7).
    poorer = seat._replace(silver=max(seat.silver + effect.amount, 0))
    told = say(state, player, f"pays {-effect.amount} silver, or all there is in the purse")
    return Done(with_seat(state, player, poorer), told)


def from_bank(state: State, player: int, good: str, most: int) -> tuple[State, int]:
    """Give a captain goods from the bank, as far as bank and hold go; say how many."""
    index, seat = GOOD[good], state.seats[player]
    count = max(min(most, hold_space(state.deck, seat), state.bank[index]), 0)
    state = state._replace(bank=shifted(state.bank, index, -count))
    return with_seat(state, player, seat._replace(cargo=shifted(seat.cargo, index, count))), count


def to_bank(state: State, player: int, good: str, count: int) -> State:
    """Return goods of a captain to the bank."""
    index, seat = GOOD[good], state.seats[player]
    state = state._replace(bank=shifted(state.bank, index, count))
    return with_seat(state, player, seat._replace(cargo=shifted(seat.cargo, index, -count)))


def hand_over(state: State, giver: int, taker: int, good: str, count: int = 1) -> State:
    """Move goods from one captain's hold to another's."""
    index = GOOD[good]
    for player, more in ((giver, -count), (taker, count)):
        seat = state.seats[player]
        state = with_seat(state, player, seat._replace(cargo=shifted(seat.cargo, index, more)))
    return state


def _cargo(state: State, player: int, effect: Cargo) -> Done:
    if effect.amount < 0:
        return _less_cargo(state, player, effect)
    goods = gainable(state, player) if effect.good == ANY else [effect.good]
    state, count = from_bank(state, player, goods[0], effect.amount) if goods else (state, 0)
    if not count:
        wanted = "goods" if effect.good == ANY else effect.good
        return _takes_nothing(state, player, f"finds no {wanted} in the bank")
    return Done(state, say(state, player, f"takes {count} {goods[0]} from the bank"))


def _takes_nothing(state: State, player: int, finding: str) -> Done:
    """Say why a captain takes no goods: the hold is full, or there are none."""
    is_full = hold_space(state.deck, state.seats[player]) <= 0
    return Done(state, say(state, player, "has a full hold" if is_full else finding))


def _less_cargo(state: State, player: int, effect: Cargo) -> Done:
    cargo = state.seats[player].cargo
    if effect.good == ANY:
        if any(cargo):
            return _overboard(state, player, effect)
        return Done(state, say(state, player, "has no goods to give"))
    count = min(-effect.amount, cargo[GOOD[effect.good]])
    if not count:
        return Done(state, say(state, player, f"has no {effect.good} to give"))
    told = say(state, player, f"gives {count} {effect.good} to the bank")
    return Done(to_bank(state, player, effect.good, count), told)


def _overboard(state: State, player: int, effect: Effect) -> Done:
    """Discard what leaves no choice: all, or the only type there is."""
    left = to_discard(state, Job(player, effect))
    if not left:
        return Done(state)
    rule = "PRV-56" if isinstance(effect, Overboard) else "PRV-64"
    before = state.seats[player].cargo
    for good in held(state, player):
        count = min(left, state.seats[player].cargo[GOOD[good]])
        state, left = to_bank(state, player, good, count), left - count
    given = [old - new for old, new in zip(before, state.seats[player].cargo, strict=True)]
    return Done(state, say(state, player, f"gives {goods_listed(given)} to the bank", rule))


def _wind(state: State, player: int, effect: Wind) -> Done:
    return Done(*blow(state, effect.to))


def blow(state: State, wind: str) -> tuple[State, tuple[Happening, ...]]:
    """Turn the wind."""
    text = WIND_NAMES[wind]
    happening = Happening(capital(text), "PRV-35")
    return state._replace(wind=wind), (happening,)


def _steps(state: State, player: int, effect: Steps) -> Done:
    seat, track = state.seats[player], TRACKS.index(effect.track)
    rank = min(max(seat.ranks[track] + effect.amount, 0), state.deck.lengths[track])
    ranks = (*seat.ranks[:track], rank, *seat.ranks[track + 1 :])
    state = with_seat(state, player, seat._replace(ranks=ranks))
    told = say(state, player, f"is at step {rank} of {TRACK_NAMES[effect.track]}", "PRV-55")
    return Done(state, told, (Job(player, Overboard()),) if track == HOLD else ())


def _moves(state: State, player: int, effect: Moves) -> Done:
    if state.extra is None:
        return Done(state)
    change = counted(abs(effect.amount), "move", "moves")
    change += " more" if effect.amount > 0 else " less"
    told = say(state, player, f"has {change} this turn", "PRV-30")
    return Done(state._replace(extra=state.extra + effect.amount), told)


def _skip(state: State, player: int, effect: Skip) -> Done:
    return Done(state._replace(extra=None), say(state, player, "does not sail this turn"))


def _steal_relic(state: State, player: int, effect: StealRelic) -> Done:
    relics = relics_to_take(state, player)
    if not relics:
        return Done(state, say(state, player, "finds no relic to steal", "PRV-62"))
    return take_relic(state, player, *relics[0])


def take_relic(state: State, player: int, foe: int, relic: str) -> Done:
    """Move a relic, with its Infamy and its effects (PRV-61)."""
    victim, thief = state.seats[foe], state.seats[player]
    kept = tuple(r for r in victim.relics if r != relic)
    state = with_seat(state, foe, victim._replace(relics=kept))
    relics = tuple(sorted((*thief.relics, relic)))
    state = with_seat(state, player, thief._replace(relics=relics))
    title = state.deck.bounty_card[relic].title
    told = say(state, player, f"takes {title} from {who(state, foe)}", "PRV-62")
    return Done(state, told, (Job(foe, Overboard()), Job(player, Overboard())))


def _steal_cargo(state: State, player: int, effect: StealCargo) -> Done:
    goods = cargo_to_take(state, player)
    if not goods:
        return _takes_nothing(state, player, "finds no goods to take")
    (foe, good) = goods[0]
    there = state.seats[foe].cargo[GOOD[good]]
    count = min(effect.amount, there, hold_space(state.deck, state.seats[player]))
    told = say(state, player, f"takes {count} {good} from {who(state, foe)}")
    return Done(hand_over(state, foe, player, good, count), told)


def _steal_silver(state: State, player: int, effect: StealSilver) -> Done:
    return rob(state, player, rivals_of(state, player)[0], effect.amount)


def rob(state: State, player: int, foe: int, most: int) -> Done:
    """Move silver, as far as the purse goes; how much is their secret (PRV-7)."""
    victim, thief = state.seats[foe], state.seats[player]
    count = min(most, victim.silver)
    state = with_seat(state, foe, victim._replace(silver=victim.silver - count))
    state = with_seat(state, player, thief._replace(silver=thief.silver + count))
    told = say(state, player, f"takes up to {most} silver from {who(state, foe)}")
    return Done(state, told)


def _no_trade(state: State, player: int, effect: Trade) -> Done:
    return Done(state, say(state, player, "finds nobody to trade with"))


def _move(state: State, player: int, effect: Move) -> Done:
    port = state.deck.port_of_id[effect.to]
    return Done(send(state, player, port), say(state, player, arrival(state, port)))


def send(state: State, player: int, port: int) -> State:
    """Move a ship to a port; it becomes the last port visited (PRV-48)."""
    seat = state.seats[player]
    return with_seat(state, player, seat._replace(cell=state.deck.ports[port].cell, last=port))


def arrival(state: State, port: int) -> str:
    """Say that a ship comes to a port without sailing."""
    return f"goes to {state.deck.ports[port].title} and cannot trade there now"


def _for_each(state: State, job: Job) -> tuple[Job, ...] | None:
    """Give each captain a job of their own where a card speaks of several."""
    effect: Any = job.effect
    if effect.who == "you":
        return None
    own = replace(effect, who="you")
    players = rivals_of(state, job.player)
    if effect.who == "all":
        players = [PlayerId(job.player), *players]
    return tuple(Job(player, own) for player in players)


FOLLOWERS: dict[type[Effect], Callable[[State, Job], tuple[Job, ...] | None]] = {
    Silver: _for_each,
    Cargo: _for_each,
}
"""Effects that may be for several captains."""

CARRIERS: dict[type[Effect], Callable[[State, int, Any], Done]] = {
    Silver: _silver,
    Cargo: _cargo,
    Wind: _wind,
    Steps: _steps,
    Moves: _moves,
    Skip: _skip,
    StealRelic: _steal_relic,
    StealCargo: _steal_cargo,
    StealSilver: _steal_silver,
    Trade: _no_trade,
    Move: _move,
    Overboard: _overboard,
}
"""By effect. Crew tests are always rolled and bounty cards drawn, so they are not among them."""
