"""Who may leave a piece in the phase in which it was hit: nobody runs from fire (PWR-36, PWR-114).

What was thrown takes effect at the end of the phase; until then everybody knows what it will cost.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.game import Ruling
from companion.rules.phases import no
from companion.rules.pirate_wars.built.damage import struck
from companion.rules.pirate_wars.crew import Crew, Hand, crew_size, fall_rank, standing_at
from companion.rules.pirate_wars.fighting.losses import (
    ROWS,
    blows_up,
    bound,
    chart_of,
    exposed,
    stations_hit,
)
from companion.rules.pirate_wars.fighting.native_melee import falls_in_order, felled
from companion.rules.pirate_wars.fighting.soft_targets import CANNON_HITS, figures_hit
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.pirate_wars.words import ship_name, station_named
from companion.rules.words import counted

Rank = Callable[[Hand], object]


def is_doomed(state: State, number: int) -> bool:
    """Tell whether a ship or launch sinks by what has been thrown or declared in this phase."""
    if blows_up(state, number):
        return True
    kind = design_of(state, number).kind
    if kind == "launch":
        return any(hit.ship == number and hit.what == "ball" for hit in state.hits)
    if kind != "ship" or state.ships[number].fate != AFLOAT:
        return False
    return not _crossed_off(state, number)[0]


def _crossed_off(state: State, number: int) -> tuple[int, int]:
    """Return the hull factors that the hits of this phase leave a ship, and the figures they cost.

    A figure for each row, unless those have been taken with the ship.
    """
    chart, lost = chart_of(state, number), 0
    for hit in state.hits:
        if hit.ship == number and hit.what in ROWS:
            chart, rows = struck(chart, hit.what, hit.amount)
            lost += 0 if hit.borne else rows
    return chart.hf, lost


def _bound_anywhere(state: State, number: int) -> int:
    """Return how many figures the hits of this phase cost a piece, wherever on it they stand."""
    mine = [hit for hit in state.hits if hit.ship == number]
    shots = sum(hit.amount for hit in mine if hit.what == "figures")
    if design_of(state, number).kind == "ship":
        return shots + _crossed_off(state, number)[1]
    hits = shots + sum(figures_hit(state, hit) for hit in mine if hit.what in CANNON_HITS)
    crew = state.ships[number].crew
    return felled(crew, hits) if falls_in_order(crew) else hits


def refuse_moving(state: State, number: int, going: Crew) -> Ruling | None:
    """Refuse to let so many go from a station that fewer stay there than were hit (PWR-36)."""
    if not state.hits:
        return None
    for station in sorted({hand.station for hand, _ in going}):
        hit, there = bound(state, number, station), exposed(state.ships[number], (station,))
        left = crew_size(there) - crew_size(standing_at(going, station))
        if left < hit:
            where = station_named(station)
            were = "was" if hit == 1 else "were"
            return no("PWR-36", f"{hit} of those {where} {were} hit in this phase: as many stay.")
    return None


def refuse_leaving(state: State, number: int, going: Crew) -> Ruling | None:
    """Refuse to let so many leave a piece that fewer stay than were hit (PWR-36).

    A cannon hits no station: what it costs can be borne by anybody there.
    """
    refusal = refuse_moving(state, number, going)
    if refusal is not None or not state.hits:
        return refusal
    crew = crew_size(state.ships[number].crew)
    hit = min(_bound_anywhere(state, number), crew)
    if crew - crew_size(going) >= hit:
        return None
    name, cost = ship_name(state, number), counted(hit, "figure", "figures")
    return no("PWR-36", f"The hits of this phase cost {name} {cost}: as many stay.")


def leaving(state: State, number: int, pick: Callable[[Rank], Crew]) -> Crew:
    """Return who goes: plain hands first, but others where too many of them were hit (PWR-36).

    `pick` returns those that rank lowest of all who may go.
    """
    plain = pick(fall_rank)
    if refuse_leaving(state, number, plain) is None:
        return plain
    hit = stations_hit(state, number)
    return pick(lambda hand: (hand.station in hit, fall_rank(hand)))
