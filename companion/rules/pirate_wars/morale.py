"""The morale phase: tests and mutiny (PWR-91 to PWR-94)."""

from __future__ import annotations

from companion.rules.deeds import Roll
from companion.rules.dice import D6
from companion.rules.game import ChanceRoll, Happening, Step
from companion.rules.phases import stage_of
from companion.rules.pirate_wars.built.weapons import is_success
from companion.rules.pirate_wars.crew import (
    DECK,
    SAILING,
    Crew,
    changed,
    crew_size,
    has_role,
    merged,
    of,
)
from companion.rules.pirate_wars.dice import RollOneDie, faces_of
from companion.rules.pirate_wars.fighting.losses import remove
from companion.rules.pirate_wars.pieces import ADRIFT, FLEEING, LOYAL, MUTINOUS, Ship
from companion.rules.pirate_wars.sailing.seamanship import under_way
from companion.rules.pirate_wars.sailing.swimming import overboard
from companion.rules.pirate_wars.stages import TestingMorale
from companion.rules.pirate_wars.state import State, design_of, mate_of, unlashed, with_ship
from companion.rules.pirate_wars.words import Told, figures_named, ship_name, who

Tests = tuple[tuple[int, str, int], ...]

MARINES, CREW = "marines", "crew"
PASSING = ("raked",)
"""Conditions that belong to one turn only."""


def conditions(state: State, number: int) -> frozenset[str]:
    """Return the conditions of the morale chart that hold for a ship (PWR-92).

    Adrift is a ship that would drift if it moved now: mutineers of the worked example who have
    reset their sails are not.
    """
    ship, crew = state.ships[number], _alive(state, number)
    whole, left = ship.complement or design_of(state, number).crew_size, crew_size(crew)
    lashed = mate_of(state, number) is not None
    holding = {
        "adrift": not lashed and under_way(state, number).way == ADRIFT,
        "half_lost": 2 * left <= whole,
        "three_quarters_lost": 4 * left <= whole,
        "raked": ship.raked,
        "captain_lost": not has_role(crew, "captain"),
    }
    return frozenset(name for name, holds in holding.items() if holds)


def _alive(state: State, number: int) -> Crew:
    """Return a ship's crew, with those who are away in her boats or ashore: they are not lost."""
    away = (s for s in state.ships if s.home == number and s.player == state.ships[number].player)
    crew = state.ships[number].crew
    for piece in away:
        crew = merged(crew, merged(piece.crew, piece.snared))
    return crew


def due_tests(state: State) -> tuple[State, Tests, Told]:
    """Return the tests to be made in this turn; those that cannot succeed are failed at once."""
    tests: list[tuple[int, str, int]] = []
    told: Told = ()
    for number, ship in enumerate(state.ships):
        is_ship = design_of(state, number).kind == "ship"
        if not is_ship or not ship.alive or ship.mood == FLEEING or ship.prize:
            continue
        if ship.crew == _officers(ship):
            continue  # nobody is there to mutiny
        holding = conditions(state, number)
        new = (holding & state.options.charts.morale_tests) - set(ship.tested)
        still = tuple(sorted(holding - {*PASSING}))
        state = with_ship(state, number, ship._replace(tested=still))
        if not new and ship.mood == LOYAL:
            continue
        mine = _tests(state, number, state.options.charts.morale_modifier(holding))
        if mine:
            tests += mine
        else:
            state, more = mutiny(state, number)
            told = (*told, *more)
    return state, tuple(tests), told


def _tests(state: State, number: int, modifier: int) -> list[tuple[int, str, int]]:
    """Return the tests of a ship that can succeed: marines, then the others (PWR-91, PWR-94)."""
    crew = state.ships[number].crew
    marines = of(crew, lambda hand: hand.figure.is_marine)
    others = of(crew, lambda hand: not hand.figure.is_marine)
    found = [
        (number, name, best_attack(part) + modifier)
        for name, part in ((MARINES, marines), (CREW, others))
        if part
    ]
    return [test for test in found if test[2] >= 1]


def best_attack(crew: Crew) -> int:
    """Return the highest Attack a crew follows; sailors follow only Captain and First Mate.

    Without either they follow nobody: far below anything that can succeed.
    """
    leaders = of(crew, lambda hand: hand.figure.role != "sailor")
    return max((hand.figure.attack for hand, _ in leaders), default=-10)


class TestMorale(RollOneDie[State]):
    """One die for a crew (PWR-91)."""

    __test__ = False  # Its name would make it a test of pytest's.
    name, rule = "morale", "PWR-91"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain for the die."""
        number, group, target = stage_of(state, TestingMorale).tests[0]
        player = state.ships[number].player
        what = "the marines" if group == MARINES else "the crew"
        text = (
            f"{who(state, player)}: morale of {what} of {ship_name(state, number)},"
            f" {min(target, 5)} or less holds"
        )
        return ChanceRoll(player, self.name, text, (D6.id,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Settle the ship's tests by a success, or by a failure in the last of them (PWR-94)."""
        tests = stage_of(state, TestingMorale).tests
        number, _, target = tests[0]
        rest = tests[1:]
        face = faces_of(action)[0]
        if is_success(face, target):
            rest = tuple(test for test in rest if test[0] != number)
            state, told = held(state, number)
        elif rest and rest[0][0] == number:
            told = (Happening("They fail; the rest of the crew is asked", "PWR-94"),)
        else:
            state, told = mutiny(state, number)
        return Step(state._replace(stage=TestingMorale(rest)), told)


def held(state: State, number: int) -> tuple[State, Told]:
    """Keep a crew loyal, or bring mutineers back (PWR-93)."""
    ship, name = state.ships[number], ship_name(state, number)
    back = ship.mood == MUTINOUS
    text = f"The crew of {name} returns to the battle" if back else f"The crew of {name} holds"
    rule = "PWR-93" if back else "PWR-91"
    return with_ship(state, number, ship._replace(mood=LOYAL)), (Happening(text, rule),)


def _officers(ship: Ship) -> Crew:
    """Return those whom mutineers throw overboard; alone they do not mutiny."""
    return of(ship.crew, lambda hand: hand.figure.role in ("captain", "mate"))


def mutiny(state: State, number: int) -> tuple[State, Told]:
    """Throw Captain and First Mate overboard; mutineers who fail again are lost (PWR-93)."""
    ship, name = state.ships[number], ship_name(state, number)
    if ship.mood == MUTINOUS:
        text = f"The crew of {name} flees for good"
        return with_ship(state, number, ship._replace(mood=FLEEING)), (Happening(text, "PWR-93"),)
    thrown = _officers(ship)
    state = overboard(state, number, thrown)
    state = remove(state, number, thrown)
    # Whoever was below or in the crow's nest comes on deck to get the ship away.
    crew = state.ships[number].crew
    rest = of(crew, lambda hand: hand.station not in SAILING)
    crew = changed(crew, rest, lambda hand: hand._replace(station=DECK))
    # They flee under all sails, whatever was ordered before.
    sails = design_of(state, number).sail_factor
    mutineer = state.ships[number]._replace(mood=MUTINOUS, crew=crew, wanted=sails)
    state = unlashed(with_ship(state, number, mutineer), number)
    officers = figures_named((h.kind, n) for h, n in thrown)
    text = f"Mutiny on {name}: {officers} overboard" if thrown else f"Mutiny on {name}"
    return state, (Happening(text, "PWR-93"),)
