"""What the optional rules let people do, in words."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed
from companion.rules.pirate_wars.actions import (
    Climb,
    Cross,
    Disembark,
    Enter,
    Fall,
    Haul,
    Lower,
    Raid,
    StrikeSail,
    TakeCover,
)
from companion.rules.pirate_wars.ashore.falling import DOWN, OVER, SPLASH
from companion.rules.pirate_wars.ashore.islanders import CALM, FIGHTING, HIDING
from companion.rules.pirate_wars.ashore.natives import Tribe
from companion.rules.pirate_wars.built.figures import Groups
from companion.rules.pirate_wars.crew import FALLEN, by_kind, count_of, crew_size
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.pirate_wars.words import (
    figure_named,
    figures_named,
    ship_name,
    standing,
    station_named,
    verb_of,
)
from companion.rules.words import counted, listed

TEMPER_WORDS = {
    CALM: "They keep still until strangers land",
    FIGHTING: "They fight",
    HIDING: "They hide in the jungle",
}


FALL_WORDS = {
    OVER: "has fallen over",
    DOWN: "has fallen down",
    SPLASH: "has fallen into the water",
}


def optional_words(state: State, action: Deed) -> str:
    """Name an action of the optional rules; empty for all others."""
    match action:
        case StrikeSail(ship=ship):
            struck = 0 <= ship < len(state.ships) and state.ships[ship].struck
            what = "sets" if struck else "strikes"
            return f"{ship_name(state, ship)} {what} her square sail"
        case Haul(ship=ship, target=target, gun=gun, count=count):
            chests = counted(count, "chest or barrel", "chests and barrels")
            what = chests if gun == -1 else "a stowed cannon" if gun < 0 else f"gun {gun + 1}"
            return f"{ship_name(state, ship)} hauls {what} to {ship_name(state, target)}"
        case Lower(ship=ship, figures=figures, chests=chests):
            boat = f"{verb_of(state, ship, 'lowers')} {_boat(state, ship)}"
            return f"{ship_name(state, ship)} {boat} with {_load(figures, chests)}"
        case Disembark(ship=ship, figures=figures, chests=chests):
            verb = _verb(figures, chests, "go")
            return f"{_load(figures, chests)} {verb} ashore from {ship_name(state, ship)}"
        case Cross(ship=ship, target=target, figures=figures, chests=chests):
            start, end = ship_name(state, ship), ship_name(state, target)
            verb = _verb(figures, chests, "cross")
            return f"{_load(figures, chests)} {verb} from {start} to {end}"
    return ""


def ashore_words(state: State, action: Deed) -> str:
    """Name what figures ashore do; empty for all other actions."""
    match action:
        case Climb(ship=ship, target=target):
            return f"{ship_name(state, ship)} climbs the wall of {ship_name(state, target)}"
        case Enter(ship=ship, target=target, station=station):
            where = f"{ship_name(state, target)}, {station_named(station)}"
            return f"{ship_name(state, ship)} goes into {where}"
        case TakeCover(ship=ship):
            return f"{ship_name(state, ship)} goes behind its chests and barrels"
        case Fall(ship=ship, figure=figure, station=station, how=how):
            who = f"{figure_named(figure, 1)} of {ship_name(state, ship)}"
            return f"{who} {FALL_WORDS.get(how, how)} ({standing(state, ship, station)})"
        case Raid(ship=ship, target=target):
            return f"{ship_name(state, ship)} robs the idol of {ship_name(state, target)}"
    return ""


def optional_lines(state: State, number: int) -> Iterator[str]:
    """Yield what the page of a piece says of loot, launches, doors and natives."""
    ship, kind = state.ships[number], design_of(state, number).kind
    loot = [counted(ship.chests, "chest or barrel", "chests and barrels")] * (ship.chests > 0)
    loot += [counted(ship.stowed, "stowed cannon", "stowed cannons")] * (ship.stowed > 0)
    if loot:
        yield f"Carries {listed(loot)}"
    if kind == "ship" and state.options.launches:
        yield f"{counted(ship.boats, 'launch', 'launches')} aboard"
    if kind == "fort" and ship.boats:
        yield f"The doors hold {counted(ship.boats, 'more hit', 'more hits')}"
    if ship.is_inside:
        yield f"Within {ship_name(state, ship.fort)}: its tag is off the table"
    down = count_of(ship.crew, lambda hand: hand.hampered == FALLEN)
    if down:
        lies = counted(down, "lies on the ground and stands", "lie on the ground and stand")
        yield f"{lies} up in the next Tasks phase"
    if ship.snared:
        yield f"In snares: {figures_named(by_kind(ship.snared))}"
    if ship.struck:
        yield "The square sail is struck"
    if ship.temper:
        yield TEMPER_WORDS[ship.temper]


def _verb(figures: Groups, chests: int, verb: str) -> str:
    """Return what one figure, or several things, do."""
    is_one = not chests and crew_size(figures) == 1
    return f"{verb}es" if is_one else verb


def _boat(state: State, number: int) -> str:
    """Name what a piece lowers: a launch, or a boat of islanders."""
    design = design_of(state, number) if 0 <= number < len(state.ships) else None
    boat = design.boat if isinstance(design, Tribe) else "launch"
    return f"{'an' if boat[0] in 'aeiou' else 'a'} {boat}"


def _load(figures: Groups, chests: int) -> str:
    with_chests = f" and {counted(chests, 'chest or barrel', 'chests and barrels')}"
    return figures_named(figures) + (with_chests if chests else "")
