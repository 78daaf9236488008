"""How a battle looks: layout, seats, result, and actions in words. Nothing is secret."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.deeds import Deed, Roll
from companion.rules.game import (
    CHANCE,
    GameOver,
    Outcome,
    Pending,
    PlayerId,
)
from companion.rules.layout import Layout, Placed, Pose, make_layout
from companion.rules.pirate_wars.actions import (
    Board,
    CastOff,
    ChooseShip,
    Commit,
    Done,
    Drift,
    FallOff,
    FireGun,
    HoldBack,
    LeavePrize,
    LoadArms,
    LoadGun,
    Lose,
    ManPrize,
    PlaceShip,
    Post,
    Press,
    ResetSails,
    Sail,
    Scuttle,
    SetSails,
    ShiftGun,
    Shoot,
    Surrender,
    Swim,
)
from companion.rules.pirate_wars.ashore.ground import FIRST_TERRAIN_TAG
from companion.rules.pirate_wars.crew import crew_size, merged
from companion.rules.pirate_wars.optional_words import ashore_words, optional_words
from companion.rules.pirate_wars.options import WINDS
from companion.rules.pirate_wars.pieces import FLEET_COLOURS, NOWHERE, ON_THE_TABLE, tag_of
from companion.rules.pirate_wars.sailing.seamanship import wind_from
from companion.rules.pirate_wars.sailing.waters import is_off_table
from companion.rules.pirate_wars.ship_sheets import sheets
from companion.rules.pirate_wars.stages import (
    Committing,
    Culling,
    Finished,
    Pressing,
    Tasking,
    Throwing,
    Yielding,
)
from companion.rules.pirate_wars.state import State, design_of, fleet, sides_left, with_ship
from companion.rules.pirate_wars.words import (
    WIND_NAMES,
    boarding_verb,
    fight_named,
    figure_named,
    is_melee,
    moving_verb,
    place_name,
    ship_name,
    standing,
    station_named,
    verb_of,
    who,
)
from companion.rules.places import place_text
from companion.rules.plane import turn_deg
from companion.rules.views import CALM, SeatView, View, Weather
from companion.rules.words import capital, listed


def layout(state: State) -> Layout:
    """Return ships, islands and reefs where they should stand."""
    pieces = {}
    for number, ship in enumerate(state.ships):
        if ship.fate in ON_THE_TABLE and ship.pose != NOWHERE and not ship.is_inside:
            design = design_of(state, number)
            pieces[tag_of(number)] = Placed(
                ship.pose,
                design.kind,
                ship_name(state, number),
                FLEET_COLOURS[ship.player],
                design.outline_mm,
                design.tag_height_mm,
            )
    for number, ground in enumerate(state.options.terrain):
        name = f"{ground.kind} {number + 1}"
        pieces[FIRST_TERRAIN_TAG + number] = Placed(
            ground.pose, ground.kind, name, "", ground.outline_mm
        )
    return make_layout({}, (), pieces)


def view(state: State, phase: str) -> View:
    """Return what everybody may know."""
    state = _with_fighters(state)
    seats = tuple(_seat(state, PlayerId(seat)) for seat in range(len(state.names)))
    return View(
        phase, state.round, seats, tuple(_notes(state)), weather(state), sheets=sheets(state)
    )


def _with_fighters(state: State) -> State:
    """Return the state with those who fight in a boarding counted aboard their ships, as they are.

    While dice are thrown and figures fall they are kept with the fight (PWR-59).
    """
    if isinstance(state.stage, Throwing | Culling):
        fight = state.stage.fight
        for number, crew in zip(fight.ships, fight.crews, strict=True):
            ship = state.ships[number]
            state = with_ship(state, number, ship._replace(crew=merged(ship.crew, crew)))
    return state


def _seat(state: State, player: PlayerId) -> SeatView:
    ships = fleet(state, player)
    scores = {
        "hull": sum(state.ships[n].hf for n in ships),
        "sails": sum(state.ships[n].sf for n in ships),
        "crew": sum(crew_size(state.ships[n].crew) for n in ships),
    }
    if swimmers := sum(s.size for s in state.shoals if s.player == player):
        scores["in the water"] = swimmers
    colours = (FLEET_COLOURS[player],)
    return SeatView(player, state.names[player], colours, scores, len(ships))


def _notes(state: State) -> Iterator[str]:
    if state.order:
        names = listed(state.names[seat] for seat in state.order)
        yield f"Initiative: {names}"
    for one, other in state.engaged:
        pair = f"{ship_name(state, one)} and {ship_name(state, other)}"
        how = "in a melee" if is_melee(state, (one, other)) else "lashed together"
        yield f"{capital(pair)} are {how}"


def weather(state: State) -> Weather:
    """Return the wind; the page counts from the top of the board, headings from its right."""
    if state.wind is None:
        return CALM
    name = next(n for n in WINDS if wind_from(n) == state.wind)
    return Weather((state.wind + 90) % 360, text=f"Wind from the {WIND_NAMES[name]}")


def outcome(state: State) -> Outcome:
    """Return the result: who is left, then by hulls and figures (PWR-140, PWR-141)."""
    assert isinstance(state.stage, Finished)
    left = sides_left(state)
    places: dict[tuple[int, int, int], list[PlayerId]] = {}
    for seat in range(len(state.names)):
        ships = fleet(state, seat)
        hulls = sum(state.ships[n].hf for n in ships)
        crews = sum(crew_size(state.ships[n].crew) for n in ships)
        places.setdefault((len(ships), hulls, crews), []).append(PlayerId(seat))
    placing = tuple(tuple(places[merit]) for merit in sorted(places, reverse=True))
    if not left:
        return Outcome(state.stage.reason, "PWR-141", ((), *placing))
    return Outcome(state.stage.reason, "PWR-140", placing)


def loss(state: State, action: Deed) -> str:
    """Say which ship an action costs its captain, if any."""
    match action:
        case Scuttle(ship=ship):
            return f"{ship_name(state, ship)} is out of the battle"
        case Sail(ship=ship, path=(*_, end)) | Drift(ship=ship, pose=end):
            gone = is_off_table(state, end)
            return f"{ship_name(state, ship)} is out of the battle" if gone else ""
        case Surrender() if isinstance(state.stage, Yielding):
            ships, winner = state.stage.fight.ships, state.stage.winner
            loser = ship_name(state, ships[1 - winner])
            return f"{ship_name(state, ships[winner])} takes {loser}"
    return ""


def describe(state: State, action: Deed, asked: Pending) -> str:
    """Name an action in plain words."""
    if action.player == CHANCE:
        roller = 0 if isinstance(asked, GameOver) else asked.player
        shown = [die.face for die in action.dice] if isinstance(action, Roll) else []
        return f"{who(state, roller)} rolls {listed(shown) or 'nothing'}"
    for words in (_setup_or_move, _task, _sails, optional_words, ashore_words, _crew):
        text = words(state, action)
        if text:
            return f"{who(state, action.player)}: {text}"
    return f"{who(state, action.player)}: {type(action).name}"


def _setup_or_move(state: State, action: Deed) -> str:
    match action:
        case ChooseShip(design=design):
            known = state.options.designs.get(design)
            return f"command the {known.title if known else design}"
        case PlaceShip(ship=ship, pose=pose):
            return f"place {ship_name(state, ship)} at {place_text(pose)}"
        case Sail(ship=ship, path=path):
            how = moving_verb(state, ship)
            return f"{how} {ship_name(state, ship)} {_where(state, path[-1:])}"
        case Drift(ship=ship, pose=pose):
            end = " off the sea" if is_off_table(state, pose) else f", now at {place_text(pose)}"
            return f"let {ship_name(state, ship)} drift{end}"
        case FallOff(ship=ship, pose=pose):
            turn = f"{_turn_deg(state, ship, pose):.0f} degrees"
            return f"{ship_name(state, ship)} falls off by {turn}, now at {place_text(pose)}"
        case Done():
            return "go on" if not isinstance(state.stage, Tasking) else "no more tasks"
    return ""


def _turn_deg(state: State, number: int, pose: Pose) -> float:
    """Return by how much a ship turns, if there is such a ship."""
    known = 0 <= number < len(state.ships)
    before = state.ships[number].pose if known else pose
    return abs(turn_deg(before.heading_deg, pose.heading_deg))


def _where(state: State, ends: tuple[Pose, ...]) -> str:
    """Say where a way ends, if it has an end."""
    if not ends:
        return "nowhere"
    return "off the sea" if is_off_table(state, ends[0]) else f"to {place_text(ends[0])}"


def _task(state: State, action: Deed) -> str:
    match action:
        case Board(ship=ship, target=target):
            boards = verb_of(state, ship, f"{boarding_verb(state, target)}s")
            return f"{ship_name(state, ship)} {boards} {ship_name(state, target)}"
        case FireGun(ship=ship, gun=gun, ammo=ammo, target=target, station=station):
            at = f"figures {standing(state, target, station)} of " if station else ""
            what = f"gun {gun + 1}" if ammo == "gun" else f"gun {gun + 1} with {ammo}"
            fires = f"{ship_name(state, ship)} {verb_of(state, ship, 'fires')}"
            return f"{fires} {what} at {at}{ship_name(state, target)}"
        case Shoot():
            return _shot(state, action)
        case LoadGun(ship=ship, gun=gun, hands=hands):
            loads = verb_of(state, ship, "loads")
            return f"{ship_name(state, ship)} {loads} gun {gun + 1} with {hands}"
        case LoadArms(ship=ship, figure=figure, count=count):
            verb = "loads" if count == 1 else "load"
            return f"{ship_name(state, ship)}: {figure_named(figure, count)} {verb}"
        case ShiftGun(ship=ship, gun=gun):
            return f"{ship_name(state, ship)} moves gun {gun + 1} to the other side"
        case Swim(shoal=shoal, ship=ship):
            return f"swimmers {shoal + 1} make for {ship_name(state, ship)}"
        case Scuttle(ship=ship):
            return f"scuttle {ship_name(state, ship)}"
    return ""


def _sails(state: State, action: Deed) -> str:
    match action:
        case SetSails(ship=ship, sails=sails):
            return f"{ship_name(state, ship)} carries {sails} SF"
        case ResetSails(ship=ship, sails=sails):
            return f"{ship_name(state, ship)} resets {sails} SF"
    return ""


_SHOTS = {
    "bow": ("shoots an arrow", "shoot arrows"),
    "spear": ("throws a spear", "throw spears"),
}
"""What one figure and several do with weapons that are not fired."""


def _shot(state: State, action: Shoot) -> str:
    figures = figure_named(action.figure, action.count)
    if action.start:
        figures += f" {station_named(action.start)}"
    fire = _SHOTS.get(action.weapon, (f"fires a {action.weapon}", f"fire {action.weapon}s"))
    return (
        f"{ship_name(state, action.ship)}: {figures} {fire[action.count > 1]} at figures"
        f" {standing(state, action.target, action.station)} of {ship_name(state, action.target)}"
    )


def _fight(state: State) -> str:
    """Name the fight that is on."""
    if isinstance(state.stage, Committing | Pressing):
        return fight_named(state, state.stage.fight.ships)
    return "boarding"


def _crew(state: State, action: Deed) -> str:
    match action:
        case Post(ship=ship, figure=figure, start=start, station=station, count=count):
            figures = figure_named(figure, count)
            way = f"from {place_name(start)} to {place_name(station)}"
            verb = "goes" if count == 1 else "go"
            return f"{ship_name(state, ship)}: {figures} {verb} {way}"
        case Lose(ship=ship, figure=figure, station=station, count=count):
            figures = figure_named(figure, count)
            return f"{ship_name(state, ship)} loses {figures} {standing(state, ship, station)}"
        case HoldBack(ship=ship, figure=figure, station=station, count=count):
            figures = figure_named(figure, count)
            return f"{ship_name(state, ship)} holds back {figures} {standing(state, ship, station)}"
        case Commit():
            return f"begin the {_fight(state)}"
        case Press():
            going_on = f"go on with the {_fight(state)}"
            return "fight on" if isinstance(state.stage, Yielding) else going_on
        case CastOff():
            return "break the melee off" if _fight(state) == "melee" else "cast off"
        case Surrender():
            return "surrender"
        case ManPrize(more=more):
            return f"send a prize crew and {more} more" if more else "send a prize crew"
        case LeavePrize():
            return "leave the prize without a crew"
    return ""
