"""How a turn goes on: from side to side, from phase to phase, to the end (PWR-34 to PWR-36).

Everything that follows without anybody's choice is done here, so a phase only changes the state
and says what is still to be done. `go_on` runs until somebody is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.game import Happening, Step
from companion.rules.pirate_wars.ashore.lurking import forsaken, lurking
from companion.rules.pirate_wars.ashore.rousing import hidden, paddled, regrouped, roused
from companion.rules.pirate_wars.ashore.storming import scaled
from companion.rules.pirate_wars.fighting.boarding import resumed, unresolved
from companion.rules.pirate_wars.fighting.firing import land_hits
from companion.rules.pirate_wars.fighting.gunnery import ship_dots
from companion.rules.pirate_wars.fighting.losses import blows_up, settle
from companion.rules.pirate_wars.fighting.sinking import blow_up, next_to_sink
from companion.rules.pirate_wars.initiative import fresh_rolls
from companion.rules.pirate_wars.morale import due_tests
from companion.rules.pirate_wars.options import ROLLED
from companion.rules.pirate_wars.pieces import FLEEING, ON_THE_TABLE
from companion.rules.pirate_wars.sailing.moving import can_fall_off, gone, lying_still, to_move
from companion.rules.pirate_wars.sailing.seamanship import under_way, wind_from
from companion.rules.pirate_wars.sailing.swimming import swims
from companion.rules.pirate_wars.sailing.trimming import trimmed
from companion.rules.pirate_wars.setup import garrisoned, next_to_place
from companion.rules.pirate_wars.sharks import hunted
from companion.rules.pirate_wars.stages import (
    Between,
    ChoosingShips,
    FallingOff,
    FeedingSharks,
    Finished,
    Firing,
    Lurking,
    Moving,
    PlacingShips,
    RollingInitiative,
    RollingWind,
    Tasking,
    TestingMorale,
)
from companion.rules.pirate_wars.state import State, fleet, sides_left
from companion.rules.pirate_wars.words import Told

Next = Step[State] | None
"""What follows without being asked; ``None`` where somebody is asked."""


def go_on(step: Step[State]) -> Step[State]:
    """Carry out what follows by itself until somebody is asked or the battle is over."""
    state, told = step.state, step.happenings
    while True:
        follow = _FOLLOWS.get(type(state.stage))
        after = follow(state) if follow else None
        if after is None:
            return Step(state, told)
        state, told = after.state, (*told, *after.happenings)


def _to(state: State, step: str) -> Step[State]:
    return Step(state._replace(stage=Between(step)))


# Set-up


def _chosen(state: State) -> Next:
    if len(state.ships) < state.options.ships_each * len(state.names):
        return None
    state = garrisoned(state)
    if state.options.wind == ROLLED:
        return Step(state._replace(stage=RollingWind()))
    return _to(state._replace(wind=wind_from(state.options.wind)), "place")


def _place(state: State) -> Step[State]:
    if next_to_place(state) is not None:
        return Step(state._replace(stage=PlacingShips()))
    return _to(state, "round")


# Initiative and movement


def _round(state: State) -> Step[State]:
    """Begin a turn, unless one side is left or the turns are over (PWR-140)."""
    over = ended(state)
    if over:
        return over
    limit = state.options.rounds
    if limit and state.round >= limit:
        return _finish(state, "The last turn is over")
    state, told = regrouped(state)
    shoals = tuple(shoal._replace(fresh=False) for shoal in state.shoals)
    state = state._replace(round=state.round + 1, shoals=shoals, order=(), slot=0)
    return Step(state._replace(stage=RollingInitiative(fresh_rolls(state))), told)


def ended(state: State) -> Next:
    """Return the end of the battle where at most one side is left (PWR-140, PWR-141)."""
    left = sides_left(state)
    if len(left) > 1:
        return None
    if not left:
        return _finish(state, "Nobody is left: a draw")
    return _finish(state, f"{state.names[left[0]]} has the last ship in the battle")


def _finish(state: State, reason: str) -> Step[State]:
    state = state._replace(
        stage=Finished(reason), attacks=(), hits=(), due=(), engaged=(), fought=(), scuttles=()
    )
    rule = "PWR-141" if not sides_left(state) else "PWR-140"
    return Step(state, (Happening(reason, rule),))


def _movement(state: State) -> Step[State]:
    ships = tuple(under_way(state, n) for n in range(len(state.ships)))
    rammed = tuple((max(pair), min(pair)) for pair in state.rammed)
    return Step(state._replace(ships=ships, rammed=rammed, slot=0, stage=Moving()))


def _moved(state: State) -> Next:
    if to_move(state):
        return None
    still = lying_still(state)
    if state.slot + 1 < len(state.order):
        return Step(still.state._replace(slot=state.slot + 1), still.happenings)
    return Step(still.state._replace(slot=0, stage=FallingOff()), still.happenings)


def _fell_off(state: State) -> Next:
    if can_fall_off(state):
        return None
    if state.slot + 1 < len(state.order):
        return Step(state._replace(slot=state.slot + 1))
    return _to(state, "sink_rammed")


# Sinking


def _sinks_then(after: str) -> Callable[[State], Step[State]]:
    def step(state: State) -> Step[State]:
        sinking = next_to_sink(state)
        return _to(state, after) if sinking is None else sinking

    return step


# Tasks


def _tasks(state: State) -> Step[State]:
    over = ended(state)
    if over:
        return over
    state, told = roused(state)
    ships = tuple(
        ship._replace(
            crew=paddled(state, number), guns=tuple(gun._replace(busy=False) for gun in ship.guns)
        )
        for number, ship in enumerate(state.ships)
    )
    # Ships that rammed in an earlier turn have drifted together and come apart, even if both are
    # rammed again (PWR-50, PWR-52).
    rammed = tuple(
        (a, b) for a, b in state.rammed if a < b and ships[a].stunned and ships[b].stunned
    )
    # From the lowest initiative to the highest (PWR-36).
    last = len(state.order) - 1
    tasking = state._replace(ships=ships, slot=last, fought=(), rammed=rammed, stage=Tasking())
    return Step(tasking, told)


def _tasking(state: State) -> Next:
    fight = unresolved(state)
    if fight is not None:
        return resumed(state, fight)
    return None if _has_hands(state) else Step(state._replace(stage=Firing(())))


def _has_hands(state: State) -> bool:
    """Tell whether the side on turn has anybody to give tasks to, or shots to throw for.

    Whose last figures were lost earlier in this turn is not waited for.
    """
    aboard = any(
        s.player == state.player and s.crew and s.fate in ON_THE_TABLE for s in state.ships
    )
    return aboard or bool(state.attacks) or any(True for _ in swims(state, state.player))


def _fired(state: State) -> Next:
    stage = state.stage
    assert isinstance(stage, Firing)
    if stage.volleys:
        return None
    if state.slot:
        return Step(state._replace(slot=state.slot - 1, stage=Tasking()))
    # Before what was fired takes effect: it is fired at the same time (PWR-36).
    state = state._replace(scuttles=tuple(n for n in state.scuttles if blows_up(state, n)))
    state, told = land_hits(state)
    return settle(state, Between("scuttle"), told)


# Sails and morale


def _sails(state: State) -> Step[State]:
    """Drop the sails nobody handles, open others again (PWR-81 to PWR-83)."""
    state, told = hidden(state)
    for number in range(len(state.ships)):
        state, more = trimmed(state, number)
        told = (*told, *more)
    return Step(state._replace(stage=Between("morale")), told)


def _morale(state: State) -> Step[State]:
    over = ended(state)
    if over:
        return over
    state, tests, told = due_tests(state)
    return Step(state._replace(stage=TestingMorale(tests)), told)


def _tested(state: State) -> Next:
    stage = state.stage
    assert isinstance(stage, TestingMorale)
    return None if stage.tests else Step(hunted(state))


def _fed(state: State) -> Next:
    stage = state.stage
    assert isinstance(stage, FeedingSharks)
    if stage.shoal < len(state.shoals):
        return None
    state, told = forsaken(state)
    return Step(state._replace(stage=Lurking(lurking(state))), told)


def _hunted(state: State) -> Next:
    stage = state.stage
    assert isinstance(stage, Lurking)
    if stage.parties:
        return None
    state, told = forsaken(state)
    return Step(state._replace(stage=Between("flee")), told)


def _flee(state: State) -> Step[State]:
    """Remove mutineers and prizes beyond cannon range of every enemy ship (PWR-93, PWR-97)."""
    told: Told = ()
    reach = state.options.charts.weapons["cannon-ball"].range
    for number, ship in enumerate(state.ships):
        if not ship.alive or not (ship.prize or ship.mood == FLEEING):
            continue
        foes = (foe for foe in range(len(state.names)) if foe != ship.player)
        enemies = [n for foe in foes for n in fleet(state, foe)]
        if all(ship_dots(state, number, enemy) > reach for enemy in enemies):
            rule = "PWR-97" if ship.prize else "PWR-93"
            state, more = gone(state, number, rule)
            told = (*told, *more)
    return Step(state._replace(stage=Between("scale")), told)


def _scale(state: State) -> Step[State]:
    """Put those who climbed a fortress on top of its wall (PWR-120)."""
    state, told = scaled(state)
    return Step(state._replace(stage=Between("round")), told)


_STEPS: Mapping[str, Callable[[State], Step[State]]] = {
    "place": _place,
    "round": _round,
    "movement": _movement,
    "sink_rammed": _sinks_then("tasks"),
    "tasks": _tasks,
    "scuttle": blow_up,
    "sink_shot": _sinks_then("sails"),
    "sails": _sails,
    "morale": _morale,
    "flee": _flee,
    "scale": _scale,
}
STEPS = tuple(_STEPS)


def _between(state: State) -> Next:
    stage = state.stage
    assert isinstance(stage, Between)
    return _STEPS[stage.step](state)


_FOLLOWS: Mapping[type, Callable[[State], Next]] = {
    ChoosingShips: _chosen,
    Between: _between,
    Moving: _moved,
    FallingOff: _fell_off,
    Tasking: _tasking,
    Firing: _fired,
    TestingMorale: _tested,
    FeedingSharks: _fed,
    Lurking: _hunted,
}
"""What follows a stage in which nobody is left to be asked."""
