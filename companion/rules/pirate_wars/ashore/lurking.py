"""What lurks ashore, in the Morale phase: alligators near the water, snares inland (PWR-137)."""

from __future__ import annotations

from companion.rules.deeds import Odds, Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.outlines import depth, is_within
from companion.rules.phases import Chance, stage_of
from companion.rules.pirate_wars.ashore.hazards import (
    TAKEN,
    WATER_EDGE,
    alligator_can_reach,
    lost_in_snares,
    taken,
)
from companion.rules.pirate_wars.ashore.setting_down import BESIDE_DOTS
from companion.rules.pirate_wars.crew import (
    Crew,
    by_kind,
    crew_size,
    fall_rank,
    merged,
    picked,
    without,
)
from companion.rules.pirate_wars.dice import (
    MOST_DICE,
    batches,
    faces_of,
    good_faces,
    kinds,
    refuse_dice,
    successes_only,
)
from companion.rules.pirate_wars.pieces import AFLOAT, Ship
from companion.rules.pirate_wars.sailing.seamanship import dots, mm
from companion.rules.pirate_wars.stages import Lurking
from companion.rules.pirate_wars.state import State, design_of, hull_of, off_the_table, with_ship
from companion.rules.pirate_wars.words import Told, figures_named, ship_name, who
from companion.rules.plane import place
from companion.rules.words import capital, counted

Hunted = tuple[tuple[int, str], ...]
"""Landing parties and what befalls them; once for each throw that is due."""
RULE = "PWR-137"
FREEING, ALLIGATORS, SNARES = "freeing", "alligators", "snares"
WORDS = {
    FREEING: "for those who hack at the snares",
    ALLIGATORS: "alligators",
    SNARES: "snares",
}
FATES = {
    FREEING: "freed from snares",
    ALLIGATORS: "eaten by alligators",
    SNARES: "caught in snares",
}


def lurking(state: State) -> Hunted:
    """Return what is thrown for, in order: landing parties and what befalls them.

    Those who hack at snares come first, each party once: at those of its own, then of its friends.
    """
    parties = [number for number in _parties(state) if state.ships[number].crew]
    own_first = sorted(parties, key=lambda number: not state.ships[number].snared)
    found = [(number, FREEING) for number in own_first if snares_in_reach(state, number)]
    for number in parties:
        ship = state.ships[number]
        inland = _inland_dots(state, ship)
        near = any(alligator_can_reach(hand.kind, inland) for hand, _ in ship.crew)
        found += [(number, ALLIGATORS)] * (state.options.alligators and near)
        found += [(number, SNARES)] * (state.options.snares and inland > WATER_EDGE)
    return in_throws(state, tuple(found))


def in_throws(state: State, parties: Hunted) -> Hunted:
    """Return what is thrown for, the first as often as its party's dice take throws (PWR-1).

    The short throw is the first one: those it spares, and as many as all others still ask for, are
    there at each that follows, so the party itself says how many dice are left to be thrown.
    """
    if not parties:
        return ()
    throws = len(batches(crew_size(state.ships[parties[0][0]].crew)))
    return (*parties[:1] * throws, *parties[1:])


def _parties(state: State) -> list[int]:
    """Return the landing parties in the open, by number: walls keep out what lurks."""
    return [
        number
        for number, ship in enumerate(state.ships)
        if design_of(state, number).kind == "party" and ship.fate == AFLOAT and ship.fort < 0
    ]


def snares_in_reach(state: State, number: int) -> list[int]:
    """Return the parties whose figures hang where this one can hack at the snares, itself first."""
    here, player = hull_of(state, number), state.ships[number].player
    near = mm(BESIDE_DOTS) + state.options.tolerance_mm
    found = [
        n
        for n in _parties(state)
        if state.ships[n].snared
        and state.ships[n].player == player
        and is_within(here, hull_of(state, n), near)
    ]
    return sorted(found, key=lambda n: n != number)


def _free_on_island(state: State, number: int) -> int:
    """Return a captain's figures who are free on the island where some of them hang."""
    caught = place(state.ships[number].pose)
    slack = state.options.tolerance_mm
    shores = [shore for shore in state.options.islands if depth(caught, shore) > -slack]
    return sum(
        crew_size(ship.crew)
        for n, ship in enumerate(state.ships)
        if ship.player == state.ships[number].player
        and ship.fate == AFLOAT
        and design_of(state, n).kind in ("party", "fort")
        and any(depth(place(ship.pose), shore) > -slack for shore in shores)
    )


def _inland_dots(state: State, ship: Ship) -> float:
    return dots(
        max([depth(place(ship.pose), shore) for shore in state.options.islands], default=0.0)
    )


def forsaken(state: State) -> tuple[State, Told]:
    """Take away those in snares whose captain has nobody free on their island (PWR-137)."""
    told: Told = ()
    for number, ship in enumerate(state.ships):
        if not ship.snared or ship.crew:
            continue
        lost = lost_in_snares(crew_size(ship.snared), _free_on_island(state, number))
        if lost:
            told = (*told, Happening(f"Nobody is left to free {lost}", RULE))
            state = off_the_table(state, number)
    return state, told


class Lurk(Chance[State, Roll]):
    """A die for every figure: a six is eaten or trapped; whoever hacks frees by his Attack."""

    name, rule, takes = "lurking", RULE, (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice."""
        number, what = _first(state)
        player, dice = state.ships[number].player, _dice(state)
        good = " or ".join(str(face) for face in _good(state)[-1:])
        more = f", then {_later(state)} more" if _later(state) else ""
        text = (
            f"{who(state, player)}: {WORDS[what]}, throw {counted(dice, 'd6', 'd6')}{more} for"
            f" {ship_name(state, number)}; {good}{' or less frees one' if what == FREEING else ''}"
        )
        return ChanceRoll(player, self.name, text, kinds(dice))

    def odds(self, state: State) -> Odds:
        """Return a throw for every number of figures it befalls."""
        return successes_only(_dice(state), _good(state))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but a die for each figure."""
        return refuse_dice(action, _dice(state), self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Free, eat or trap."""
        number, what = _first(state)
        count = sum(face in _good(state) for face in faces_of(action))
        if what == FREEING:
            state, figures = _freed(state, number, count)
        else:
            state, figures = _caught(state, number, what, count)
        rest = stage_of(state, Lurking).parties[1:]
        rest = tuple(entry for entry in rest if _is_due(state, *entry))
        if (number, what) not in rest:
            rest = in_throws(state, rest)
        text = (
            f"{capital(ship_name(state, number))}: {figures_named(by_kind(figures))} {FATES[what]}"
        )
        return Step(state._replace(stage=Lurking(rest)), (Happening(text, RULE),))


def _freed(state: State, number: int, count: int) -> tuple[State, Crew]:
    """Cut down so many that a party can reach; they stand with their own party again."""
    freed: Crew = ()
    for near in snares_in_reach(state, number):
        ship = state.ships[near]
        down = picked(ship.snared, count - crew_size(freed), fall_rank)
        ship = ship._replace(crew=merged(ship.crew, down), snared=without(ship.snared, down))
        state, freed = with_ship(state, near, ship), merged(freed, down)
    return state, freed


def _caught(state: State, number: int, what: str, count: int) -> tuple[State, Crew]:
    """Let alligators or snares have so many; of a party that is eaten up nothing is left."""
    ship = state.ships[number]
    gone = taken(ship.crew, count)
    ship = ship._replace(crew=without(ship.crew, gone))
    if what == SNARES:
        ship = ship._replace(snared=merged(ship.snared, gone))
    state = with_ship(state, number, ship)
    return state if ship.crew or ship.snared else off_the_table(state, number), gone


def _is_due(state: State, number: int, what: str) -> bool:
    """Tell whether there is still somebody to throw, and to throw for."""
    if what == FREEING:
        return bool(snares_in_reach(state, number))
    return bool(state.ships[number].crew)


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
    return min(crew_size(state.ships[number].crew) - _later(state), MOST_DICE)


def _later(state: State) -> int:
    """Return the dice of the throws that follow for the same party."""
    parties = stage_of(state, Lurking).parties
    return MOST_DICE * (parties.count(parties[0]) - 1)
