"""What hides figures from small arms: railings, stone, parapets (PWR-75, PWR-119, PWR-126)."""

from __future__ import annotations

from companion.rules.pirate_wars.ashore.shore import INTO_BUILDING, PARTLY_HIDDEN
from companion.rules.pirate_wars.ashore.storming import fort_around, fort_built
from companion.rules.pirate_wars.built.fort_inside import BUILDING, PARTLY, WALL
from companion.rules.pirate_wars.crew import ALOFT, CLIMBING, COVER
from companion.rules.pirate_wars.fighting.fort_hits import CLIMBERS, STONE
from companion.rules.pirate_wars.stages import Attack
from companion.rules.pirate_wars.state import State, design_of

RAILING = -2
"""Added to the target number against figures behind a railing (PWR-75)."""
OPEN_KINDS = ("launch", "party", "tribe")
"""Kinds whose figures have nothing to hide behind by themselves."""
ACROSS_A_FORT = 8
"""Dots from one place of a fortress to another, for weapons."""


def modifier(state: State, attack: Attack) -> int:
    """Return what is added to the target number of small arms."""
    fort = fort_around(state, attack.target)
    if fort >= 0:
        return _into_fort(state, attack, fort)
    if attack.station == CLIMBING:
        above = state.ships[attack.target].fort == fort_around(state, attack.ship)
        return CLIMBERS if above and attack.start == WALL else 0
    if attack.station == COVER:
        return PARTLY_HIDDEN
    kind = design_of(state, attack.target).kind
    return 0 if attack.station in ALOFT or kind in OPEN_KINDS else RAILING


def _into_fort(state: State, attack: Attack, fort: int) -> int:
    """Return what stone, buildings and parapets take off, from outside or from another place."""
    if fort_around(state, attack.ship) != fort:
        return STONE
    built = fort_built(state, fort)
    places = built.inside.by_station if built else {}
    if attack.start == attack.station or attack.station not in places:
        return 0
    cover = {p: places[p].cover for p in (attack.start, attack.station) if p in places}
    if cover[attack.station] == BUILDING:
        return 0 if cover.get(attack.start) == BUILDING else INTO_BUILDING
    return PARTLY_HIDDEN if cover[attack.station] == PARTLY else 0


def dots_within(state: State, attack: Attack) -> int | None:
    """Return the distance of two that are in one fortress, or climb it; ``None``: they are not."""
    climbs = attack.station == CLIMBING
    fort = state.ships[attack.target].fort if climbs else fort_around(state, attack.target)
    if fort < 0 or fort != fort_around(state, attack.ship):
        return None
    return 0 if attack.start == attack.station else ACROSS_A_FORT
