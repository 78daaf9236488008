"""Alligators in the Morale phase: figures ashore near the water are eaten (PWR-137)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import Chance, stage_of
from companion.rules.pirate_wars.crew import (
    Crew,
    Hand,
    by_kind,
    crew_size,
    fall_rank,
    make_crew,
    of,
    picked,
)
from companion.rules.pirate_wars.dice import (
    MOST_DICE,
    faces_of,
    kinds,
    refuse_dice,
    successes_only,
)
from companion.rules.pirate_wars.hazards import TAKEN, alligator_can_reach, eaten_order, taken
from companion.rules.pirate_wars.launching import vanished
from companion.rules.pirate_wars.losses import remove
from companion.rules.pirate_wars.seamanship import dots
from companion.rules.pirate_wars.state import (
    AFLOAT,
    HuntingAlligators,
    State,
    design_of,
    with_ship,
)
from companion.rules.pirate_wars.words import capital, figures_named, ship_name, who
from companion.rules.plane import depth
from companion.rules.words import counted

RULE = "PWR-137"


def hunted(state: State) -> tuple[int, ...]:
    """Return the landing parties that stand within alligators' reach, by number."""
    if not state.options.alligators:
        return ()
    return tuple(n for n in range(len(state.ships)) if _is_near_water(state, n))


def _is_near_water(state: State, number: int) -> bool:
    ship = state.ships[number]
    if design_of(state, number).kind != "party" or ship.fate != AFLOAT or not ship.crew:
        return False
    here = (ship.pose.x_mm, ship.pose.y_mm)
    away = [depth(here, shore) for shore in state.options.islands]
    inland = max((inside for inside in away if inside > 0), default=0.0)
    return any(alligator_can_reach(hand.kind, dots(inland)) for hand, _ in ship.crew)


class HuntFigures(Chance[State, Roll]):
    """A die for every figure of a party near the water; a six is eaten (PWR-137)."""

    name, rule, takes = "alligators", RULE, (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice."""
        number = stage_of(state, HuntingAlligators).parties[0]
        player, dice = state.ships[number].player, _dice(state)
        text = (
            f"{who(state, player)}: alligators, throw {counted(dice, 'd6', 'd6')} for"
            f" {ship_name(state, number)}; 6 is eaten"
        )
        return ChanceRoll(player, self.name, text, kinds(dice))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """Return a throw for every number of figures eaten."""
        return successes_only(_dice(state), (TAKEN,))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but a die for each figure."""
        return refuse_dice(action, _dice(state), self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take the eaten away: the Pirate Captain last, as by sharks."""
        number, *rest = stage_of(state, HuntingAlligators).parties
        gone = _eaten(state.ships[number].crew, taken(faces_of(action)))
        name = capital(ship_name(state, number))
        told = Happening(f"{name}: {figures_named(by_kind(gone))} eaten by alligators", RULE)
        state = remove(state, number, gone)
        if not state.ships[number].crew:
            state = with_ship(state, number, vanished(state.ships[number]))
        return Step(state._replace(stage=HuntingAlligators(tuple(rest))), (told,))


def _dice(state: State) -> int:
    number = stage_of(state, HuntingAlligators).parties[0]
    return min(crew_size(state.ships[number].crew), MOST_DICE)


def _eaten(crew: Crew, count: int) -> Crew:
    """Return who is eaten of a party."""
    parts: Counter[Hand] = Counter()
    for name, many in eaten_order(by_kind(crew), count):
        group = of(crew, lambda hand, name=name: hand.kind == name)  # type: ignore[misc]
        parts.update(dict(picked(group, many, fall_rank)))
    return make_crew(parts)
