"""The page of every ship: masts, hold, guns, crew, and what she may still do this turn."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.pirates_csg.abilities import slots_used, space
from companion.rules.pirates_csg.deck import COLOURS
from companion.rules.pirates_csg.gunnery import cannons_of, may_still
from companion.rules.pirates_csg.sailing import segments
from companion.rules.pirates_csg.stages import LayingOut
from companion.rules.pirates_csg.state import (
    IDLE_NEXT,
    MOVE,
    Ship,
    State,
    card_of,
)
from companion.rules.pirates_csg.words import name_of, token_of, tokens_listed
from companion.rules.sheets import Gauge, Sheet
from companion.rules.words import listed


def sheets(state: State, asked: int | None) -> tuple[Sheet, ...]:
    """Return the page of every ship in play, lost in fog or not; `asked` is who is asked."""
    return tuple(_sheet(state, ship, ship.owner == asked) for ship in state.ships)


def _sheet(state: State, ship: Ship, is_on_turn: bool) -> Sheet:
    card = card_of(state, ship)
    gauges = (
        Gauge("Masts", len(ship.masts), card.masts),
        Gauge("Room", max(space(state, ship), 0), card.cargo),
    )
    todo = tuple(_todo(state, ship)) if is_on_turn else ()
    lines = tuple(_lines(state, ship))
    return Sheet(ship.owner, card.title, COLOURS[ship.owner], ship.tag, gauges, lines, (), todo)


def _lines(state: State, ship: Ship) -> Iterator[str]:
    card = card_of(state, ship)
    now, printed = "+".join(segments(state, ship)), "+".join(card.move)
    moves = f"Moves {now}" if now else "Cannot move"
    yield moves if now == printed else f"{moves}; {printed} is printed on her card"
    guns = cannons_of(state, ship.tag)
    if guns:
        yield f"Cannons: {listed(str(guns[gun]) for gun in sorted(guns))}"
    if not ship.masts:
        yield "Derelict: a further hit sinks her"
    if ship.crew:
        yield f"Crew: {listed(state.deck.crewman[c].title for c in ship.crew)}"
    cargo = [tokens_listed(ship.tokens)] if any(ship.tokens) else []
    cargo += [f"{sum(ship.coins)} gold"] if ship.coins else []
    cargo += [state.deck.treasure[t].title for t in ship.treasures]
    cargo += [token_of(state, u) for u in ship.upgrades]
    if cargo:
        yield f"Cargo: {listed(cargo)}"
    yield from _conditions(state, ship)


def _conditions(state: State, ship: Ship) -> Iterator[str]:
    if isinstance(state.stage, LayingOut):
        yield f"Bears tag {ship.tag}"
    if ship.docked:
        yield f"Docked at {name_of(state, ship.docked)}"
    if ship.barred:
        when = "on her captain's next turn" if ship.barred == IDLE_NEXT else "this turn"
        yield f"No action {when}"
    if ship.pinned_by:
        yield f"Pinned by {listed(name_of(state, tag) for tag in ship.pinned_by)}"
    if ship.towing:
        yield f"Tows {name_of(state, ship.towing)}"
    if ship.blockade:
        yield "Blockades the port"
    if ship.lost_in:
        yield "Lost in the fog"
    if ship.is_mired:
        yield "In sargasso"
    if ship.hired:
        yield "Privateer"


def _todo(state: State, ship: Ship) -> Iterator[str]:
    can_move = bool(segments(state, ship))
    left = [what for what in may_still(state, ship) if what != MOVE or can_move]
    if left:
        yield f"{'still' if slots_used(state, ship) else 'one action:'} {listed(left, 'or')}"
