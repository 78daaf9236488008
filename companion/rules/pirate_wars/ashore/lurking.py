"""What lurks ashore, in the Morale phase: alligators near the water, snares inland (PWR-137)."""

from __future__ import annotations

from fractions import Fraction

from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.outlines import depth
from companion.rules.phases import Chance, stage_of
from companion.rules.pirate_wars.ashore.hazards import (
    TAKEN,
    WATER_EDGE,
    alligator_can_reach,
    lost_in_snares,
    taken,
)
from companion.rules.pirate_wars.crew import (
    by_kind,
    crew_size,
    fall_rank,
    merged,
    picked,
    without,
)
from companion.rules.pirate_wars.dice import (
    MOST_DICE,
    faces_of,
    good_faces,
    kinds,
    refuse_dice,
    successes_only,
)
from companion.rules.pirate_wars.pieces import AFLOAT, Ship, vanished
from companion.rules.pirate_wars.sailing.seamanship import dots
from companion.rules.pirate_wars.stages import Lurking
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import Told, capital, figures_named, ship_name, who
from companion.rules.words import counted

RULE = "PWR-137"
FREEING, ALLIGATORS, SNARES = "freeing", "alligators", "snares"
WORDS = {
    FREEING: "for those who hack at the snares",
    ALLIGATORS: "alligators",
    SNARES: "snares",
}


def lurking(state: State) -> tuple[tuple[int, str], ...]:
    """Return what is thrown for, in order: landing parties and what befalls them."""
    found: list[tuple[int, str]] = []
    for number, ship in enumerate(state.ships):
        if design_of(state, number).kind != "party" or ship.fate != AFLOAT or not ship.crew:
            continue
        if ship.fort >= 0:
            continue  # walls keep out what lurks
        inland = _inland_dots(state, ship)
        near = any(alligator_can_reach(hand.kind, inland) for hand, _ in ship.crew)
        found += [(number, FREEING)] * bool(ship.snared)
        found += [(number, ALLIGATORS)] * (state.options.alligators and near)
        found += [(number, SNARES)] * (state.options.snares and inland > WATER_EDGE)
    return tuple(found)


def _inland_dots(state: State, ship: Ship) -> float:
    here = (ship.pose.x_mm, ship.pose.y_mm)
    return dots(max([depth(here, shore) for shore in state.options.islands], default=0.0))


def forsaken(state: State) -> tuple[State, Told]:
    """Take those out of the snares for whom nobody free is left to come (PWR-137)."""
    told: Told = ()
    for number, ship in enumerate(state.ships):
        if ship.snared and not ship.crew:
            lost = lost_in_snares(crew_size(ship.snared), 0)
            told = (*told, Happening(f"Nobody is left to free {lost}", RULE))
            state = with_ship(state, number, ship._replace(snared=()))
    return state, told


class Lurk(Chance[State, Roll]):
    """A die for every figure: a six is eaten or trapped; whoever hacks frees by his Attack."""

    name, rule, takes = "lurking", RULE, (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice."""
        number, what = _first(state)
        player, dice = state.ships[number].player, _dice(state)
        good = " or ".join(str(face) for face in _good(state)[-1:])
        text = (
            f"{who(state, player)}: {WORDS[what]}, throw {counted(dice, 'd6', 'd6')} for"
            f" {ship_name(state, number)}; {good}{' or less frees one' if what == FREEING else ''}"
        )
        return ChanceRoll(player, self.name, text, kinds(dice))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """Return a throw for every number of figures it befalls."""
        return successes_only(_dice(state), _good(state))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but a die for each figure."""
        return refuse_dice(action, _dice(state), self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Free, eat or trap; a party of which nobody is free is lost."""
        number, what = _first(state)
        count = sum(face in _good(state) for face in faces_of(action))
        ship = state.ships[number]
        name = capital(ship_name(state, number))
        if what == FREEING:
            freed = picked(ship.snared, count, fall_rank)
            ship = ship._replace(crew=merged(ship.crew, freed), snared=without(ship.snared, freed))
            text = f"{name}: {figures_named(by_kind(freed))} freed from snares"
        else:
            gone = taken(ship.crew, count)
            ship = ship._replace(crew=without(ship.crew, gone))
            if what == SNARES:
                ship = ship._replace(snared=merged(ship.snared, gone))
            fate = "eaten by alligators" if what == ALLIGATORS else "caught in snares"
            text = f"{name}: {figures_named(by_kind(gone))} {fate}"
        told = [Happening(text, RULE)]
        rest = stage_of(state, Lurking).parties[1:]
        if not ship.crew:
            lost = lost_in_snares(crew_size(ship.snared), 0)
            told += [Happening(f"Nobody is left to free {lost}", RULE)] * bool(lost)
            ship = vanished(ship)
            rest = tuple(entry for entry in rest if entry[0] != number)
        state = with_ship(state, number, ship)._replace(stage=Lurking(rest))
        return Step(state, tuple(told))


def _first(state: State) -> tuple[int, str]:
    return stage_of(state, Lurking).parties[0]


def _good(state: State) -> tuple[int, ...]:
    """Return the faces on which something happens: sixes, or what frees from a snare."""
    number, what = _first(state)
    if what != FREEING:
        return (TAKEN,)
    return good_faces(max(hand.figure.attack for hand, _ in state.ships[number].crew))


def _dice(state: State) -> int:
    number, _ = _first(state)
    return min(crew_size(state.ships[number].crew), MOST_DICE)
