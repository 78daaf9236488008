"""The page of a ship: its damage chart, crew by station, guns, and what can still be done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.rules.pirate_wars.ashore.rousing import is_native
from companion.rules.pirate_wars.crew import STATIONS, count_of, crew_size
from companion.rules.pirate_wars.fighting.boarding import may_board
from companion.rules.pirate_wars.fighting.gunnery import (
    CREW_OF_CANNON,
    gun_station,
    gunners,
    is_cannon,
    mount_of,
)
from companion.rules.pirate_wars.fighting.losses import chart_of
from companion.rules.pirate_wars.fighting.small_arms import unloaded
from companion.rules.pirate_wars.optional_words import optional_lines
from companion.rules.pirate_wars.pieces import (
    ADRIFT,
    AFLOAT,
    FLEET_COLOURS,
    FLOATS,
    LOADED,
    LOYAL,
    SINKING,
    WRECKED,
    Gun,
    tag_of,
)
from companion.rules.pirate_wars.sailing.moving import can_fall_off, to_move
from companion.rules.pirate_wars.sailing.sail_orders import resettable
from companion.rules.pirate_wars.sailing.seamanship import (
    carried,
    needs_wind,
    sailing_hands,
    shorteners,
)
from companion.rules.pirate_wars.stages import FallingOff, Moving, Tasking
from companion.rules.pirate_wars.state import State, design_of, mate_of, tied_to
from companion.rules.pirate_wars.tasks import can_scuttle, is_stranded, refuse_tasks
from companion.rules.pirate_wars.words import (
    boarding_verb,
    fight_named,
    figure_named,
    ship_name,
    standing,
    station_named,
)
from companion.rules.sheets import ChartRow, Gauge, Sheet
from companion.rules.words import capital, counted, listed

ARMS = ("musket or pistol", "muskets and pistols")
LOADS = {LOADED: "loaded", 1: "half loaded", 0: "empty", WRECKED: "lost"}


def sheets(state: State) -> tuple[Sheet, ...]:
    """Return the page of every ship on the table, and of wrecks whose crew may leave (PWR-107)."""
    return tuple(
        _sheet(state, number)
        for number, ship in enumerate(state.ships)
        if ship.fate in (AFLOAT, SINKING) or is_stranded(state, number)
    )


def _sheet(state: State, number: int) -> Sheet:
    ship = state.ships[number]
    return Sheet(
        ship.player,
        capital(ship_name(state, number)),
        FLEET_COLOURS[ship.player],
        tag_of(number),
        tuple(_gauges(state, number)),
        tuple(_lines(state, number)),
        _chart(state, number) if design_of(state, number).kind == "ship" else (),
        tuple(_todo(state, number)),
    )


def _gauges(state: State, number: int) -> Iterator[Gauge]:
    """Yield what is left of a piece: figures ashore have no hull, and a party no fixed number."""
    ship, design = state.ships[number], design_of(state, number)
    if design.kind in FLOATS:
        yield Gauge("Hull", ship.hf, design.hull_factor)
    if design.masts:
        yield Gauge("Sails", ship.sf, design.sail_factor)
    if design.kind != "party":
        yield Gauge("Crew", crew_size(ship.crew), design.crew_size)


def _chart(state: State, number: int) -> tuple[ChartRow, ...]:
    """Return the damage chart with the speed beside each sail factor (PWR-84, PWR-85)."""
    chart, labels = chart_of(state, number), iter(design_of(state, number).speed_labels)
    return tuple(
        ChartRow("sail", str(next(labels)), not is_open)
        if row == "S"
        else ChartRow("hull", "", not is_open)
        for row, is_open in zip(chart.column, chart.rows, strict=True)
    )


def _lines(state: State, number: int) -> Iterator[str]:
    ship = state.ships[number]
    if needs_wind(state, number):
        sails = carried(ship)
        yield f"Carries {sails} SF: {design_of(state, number).speed_at(sails)} dots"
    yield from optional_lines(state, number)
    for station in STATIONS:
        figures: Counter[str] = Counter()
        for hand, count in ship.crew:
            figures[hand.kind] += count * (hand.station == station)
        named = listed(figure_named(name, n) for name, n in sorted(figures.items()) if n)
        if named:
            yield f"{capital(standing(state, number, station))}: {named}"
    for gun, it in enumerate(ship.guns):
        yield _gun_line(state, number, gun, it)
    yield from _condition(state, number)


def _gun_line(state: State, number: int, gun: int, it: Gun) -> str:
    where = {"turntable": "turntable", "deck": "bow"}.get(mount_of(state, number, gun), it.side)
    what = "Cannon" if is_cannon(state, number, gun) else "Deck gun"
    if design_of(state, number).kind == "fort":
        where += f", {station_named(gun_station(state, number, gun))}"
    rolling = f", {it.rolling} dots to roll" if it.rolling else ""
    return f"{what} {gun + 1}, {where}: {LOADS[it.load]}{rolling}"


def _condition(state: State, number: int) -> Iterator[str]:
    """Yield what hampers a ship."""
    ship, mate, other = state.ships[number], mate_of(state, number), tied_to(state, number)
    if mate is not None:
        melee = fight_named(state, (number, mate)) == "melee"
        yield f"{'In a melee with' if melee else 'Lashed to'} {ship_name(state, mate)}"
    elif other is not None:
        yield f"Caught in {ship_name(state, other)} by the ramming"
    if ship.stunned:
        yield "Rammed: adrift, no tasks this round"
    elif ship.way == ADRIFT and state.round:
        yield "Adrift"
    if not ship.steering:
        yield "Rudder hit: no turning in the next move"
    if ship.mood != LOYAL:
        yield "Mutiny: the crew flees"
    if ship.prize:
        yield "A prize: must leave, cannot fight"


def _todo(state: State, number: int) -> Iterator[str]:
    """Yield what can still be done with a ship in this phase."""
    ship = state.ships[number]
    if not state.order:
        return
    if isinstance(state.stage, Moving) and number in to_move(state):
        yield _movement(state, number)
    if ship.player != state.player:
        return
    if isinstance(state.stage, FallingOff) and number in can_fall_off(state):
        yield "fall off up to 45 degrees"
    if isinstance(state.stage, Tasking):
        if refuse_tasks(state, number) is None:
            yield from _tasks(state, number)
        elif can_scuttle(state, number):
            yield "nothing but blow up the ship: her Captain was held back"


def _movement(state: State, number: int) -> str:
    ship, kind = state.ships[number], design_of(state, number).kind
    if kind == "fort":
        return "send figures to other places"
    if ship.way == ADRIFT:
        return "drift with the wind"
    how = {"ship": "sail", "launch": "move"}.get(kind, "walk up to")
    boats = ", or get into a boat" if kind == "tribe" and ship.boats else ""
    return f"{how} {ship.left} dots{boats}"


def _tasks(state: State, number: int) -> Iterator[str]:
    ship = state.ships[number]
    yield from _weapons(state, number)
    for target in range(len(state.ships)):
        if may_board(state, number, target):
            yield f"{boarding_verb(state, target)} {ship_name(state, target)}"
    if design_of(state, number).kind != "ship":
        return
    sails = resettable(state, number)
    if sails:
        yield f"reset up to {counted(sails, 'sail factor', 'sail factors')}"
    idle = count_of(ship.crew, lambda h: not h.busy)
    needed = ship.sf + shorteners(ship)
    are = "is" if needed == 1 else "are"
    yield f"{idle} without a task; {sailing_hands(ship)} of them can sail, {needed} {are} needed"


def _weapons(state: State, number: int) -> Iterator[str]:
    """Yield what can be fired and loaded; a prize fires nothing (PWR-97)."""
    ship = state.ships[number]
    guns = [it for it in enumerate(ship.guns) if it[1].load != WRECKED and not it[1].busy]
    loaded = [gun for gun, it in guns if it.load == LOADED and not it.rolling]
    fired = sum(bool(gunners(state, number, gun, CREW_OF_CANNON)) for gun in loaded)
    if fired and not ship.prize:
        yield f"fire {counted(fired, 'gun', 'guns')}"
    empty = [gun for gun, it in guns if it.load != LOADED]
    loads = sum(bool(gunners(state, number, gun, CREW_OF_CANNON, load=True)) for gun in empty)
    if loads:
        yield f"load {counted(loads, 'gun', 'guns')}"
    arms = ("bow or spear", "bows and spears") if is_native(state, number) else ARMS
    armed = count_of(ship.crew, lambda h: any(map(h.is_ready, h.figure.weapons)) and not h.busy)
    if armed and not ship.prize:
        yield f"fire {counted(armed, *arms)}"
    kinds = {hand.kind for hand, _ in ship.crew}
    unarmed = sum(crew_size(unloaded(ship, figure)) for figure in kinds)
    if unarmed:
        yield f"load {counted(unarmed, *arms)}"
