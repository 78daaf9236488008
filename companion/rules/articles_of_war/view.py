"""How a battle looks: layout, seats, result, and actions in words."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from companion.rules.articles_of_war.actions import (
    AddThird,
    BuyThird,
    ChooseDensity,
    ChooseDice,
    ClearOcean,
    DrawCommodore,
    DrawTile,
    Drift,
    Fire,
    Pass,
    PlaceFleet,
    PlaceGrudge,
    PlaceTile,
    PlayGambit,
    Press,
    Relaunch,
    RollAgain,
    Sail,
    Scuttle,
    TurnCard,
    YieldToStorm,
)
from companion.rules.articles_of_war.cards import ONCE, Gambit
from companion.rules.articles_of_war.flow import caught, has_rival_grudges, last_afloat, who_is_left
from companion.rules.articles_of_war.gambits import gambit_of
from companion.rules.articles_of_war.ocean import TILES
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.setup import drawing_seat
from companion.rules.articles_of_war.spends import spend_text
from companion.rules.articles_of_war.state import (
    Boarding,
    DrawingTile,
    Drifted,
    Drifting,
    PlacingGrudge,
    PlacingTile,
    State,
    TakingPrize,
    Window,
)
from companion.rules.articles_of_war.wind import downwind, roller_of_reef
from companion.rules.articles_of_war.words import (
    colour_name,
    dice_set,
    dice_shown,
    ship_of,
    ships_on,
    who,
)
from companion.rules.deeds import Deed, Roll
from companion.rules.game import (
    CHANCE,
    Outcome,
    PlayerId,
)
from companion.rules.hexes import DIRECTION_NAMES, hex_name
from companion.rules.layout import Cell, CellContent, Die, Layout, make_layout
from companion.rules.views import CALM, SeatView, View, Weather
from companion.rules.words import capital, counted, listed


def layout(state: State) -> Layout:
    """Return where each piece lies; the ship under way or boarding included."""
    ships: defaultdict[Cell, list[str]] = defaultdict(list)
    for ship in state.afloat:
        ships[ship.cell].append(ship.colour)
    terrain = state.ocean.terrain
    cells = dict(state.ocean.bare_tiles)
    for cell, colours in ships.items():
        cells[cell] = CellContent(tuple(sorted(colours)), terrain.get(cell))
    dice = [Die("sail", face) for face in state.sails]
    dice += [Die("cannon", face) for face in state.cannons]
    return make_layout(cells, dice)


def view(state: State, phase: str) -> View:
    """Return what everybody may know; this game has no secrets."""
    afloat = Counter(ship.colour for ship in state.afloat)
    seats = []
    for seat, name in enumerate(state.names):
        colours = state.colours_of(PlayerId(seat))
        ships = sum(afloat[colour] for colour in colours)
        scores = {"doubloons": state.gold[seat]}
        seats.append(SeatView(PlayerId(seat), name, colours, scores, ships))
    return View(phase, state.round, tuple(seats), _notes(state), weather(state))


TILES_NAMED = {"volcano": "volcanoes", "desert": "deserts", "reef": "reefs"}
"""What several tiles of a kind are called."""
WIND_DEG = dict(zip(DIRECTION_NAMES, (90.0, 30.0, 330.0, 270.0, 210.0, 150.0), strict=True))
"""Where a wind blows from, clockwise from the top of the board."""


def weather(state: State) -> Weather:
    """Return wind and storm for the ring and the pages."""
    wind, ring = state.options.wind, state.memory.storm
    if wind == "none" and ring is None:
        return CALM
    words = []
    if wind != "none":
        words.append(f"wind from {wind}, ships drift {DIRECTION_NAMES[downwind(state)]}")
    if ring is not None:
        words.append(f"storm beyond ring {ring}")
    text = "; ".join(words)
    text = capital(text)
    return Weather(WIND_DEG.get(wind), ring, state.options.radius, text)


def _notes(state: State) -> tuple[str, ...]:
    stage, options = state.stage, state.options
    notes = []
    if options.battles > 1:
        notes.append(f"Battle {state.memory.battle} of {options.battles}")
    if isinstance(stage, DrawingTile | PlacingTile):
        barrel = zip(TILES, stage.barrel, strict=True)
        left = (counted(n, tile, TILES_NAMED[tile]) for tile, n in barrel if n)
        notes.append(f"In the barrel: {listed(left) or 'nothing'}")
    afloat = {ship.colour for ship in state.afloat}
    if MERCHANT in afloat:
        notes.append("The merchant is at anchor")
    for colour in state.memory.grudges:
        if colour in afloat:
            notes.append(f"{colour_name(colour)} sails a grudge ship")
    return (*notes, *_cards_in_words(state))


def _cards_in_words(state: State) -> Iterator[str]:
    for fleet in state.fleets:
        card = gambit_of(state, fleet.colour)
        if card is not None:
            left = "used" if fleet.colour in state.memory.played else _card_text(card)
            yield f"{colour_name(fleet.colour)}'s gambit, {card.name}: {left}"


def _card_text(card: Gambit) -> str:
    """Say what a card says, and what limits it besides being played once (AOW-64)."""
    limit = "" if card.limit in ("", ONCE) else f"Limit: {card.limit}"
    return " ".join(filter(None, (card.text, limit))) or "to be played"


def outcome(state: State) -> Outcome:
    """Return the result of the last battle: most doubloons first (AOW-62, AOW-78)."""
    winner = last_afloat(state)
    seats = [PlayerId(seat) for seat in range(len(state.names))]

    def merit(seat: PlayerId) -> tuple[int, ...]:
        if state.options.tie_break == "shared":
            return (state.gold[seat],)
        return (state.gold[seat], seat == winner, -state.lost[seat])

    places: dict[tuple[int, ...], list[PlayerId]] = {}
    for seat in sorted(seats, key=merit, reverse=True):
        places.setdefault(merit(seat), []).append(seat)
    placing = tuple(tuple(sorted(place)) for place in places.values())
    battles = state.options.battles
    if battles > 1:
        end, rule = f"The campaign of {battles} battles is over", "AOW-78"
    elif winner is None:
        end, rule = who_is_left(state), "AOW-61"
    else:
        rule = "AOW-84" if has_rival_grudges(state, winner) else state.options.rule_of_end
        end = who_is_left(state)
    # The last afloat need not be who wins: say what decides.
    return Outcome(f"{end}; the most doubloons win", rule, placing)


def describe(state: State, action: Deed) -> str:
    """Name an action in plain words."""
    if action.player == CHANCE:
        return _describe_chance(state, action)
    return f"{who(state, action.player)}: {_describe_choice(state, action)}"


def _describe_choice(state: State, action: Deed) -> str:
    match action:
        case PlaceFleet():
            return f"place ships on {hex_name(action.start)} and {hex_name(action.second)}"
        case BuyThird():
            return f"buy a third ship on {hex_name(action.cell)}"
        case AddThird():
            name = colour_name(action.colour)
            return f"place {name}'s third ship on {hex_name(action.cell)}"
        case ChooseDensity():
            return f"{counted(action.each, 'tile', 'tiles')} of each terrain"
        case PlaceTile():
            tile = state.stage.tile if isinstance(state.stage, PlacingTile) else "tile"
            return f"place the {tile} on {hex_name(action.cell)}"
        case ChooseDice():
            return f"take {dice_set(action.sails, action.cannons) or 'no dice'}"
        case Sail() | Fire():
            return spend_text(state, action)
        case PlaceGrudge():
            return f"place a grudge ship on {hex_name(action.cell)}"
    return _describe_gambit(state, action)


def _describe_gambit(state: State, action: Deed) -> str:
    match action:
        case Pass():
            return _let_be(state)
        case RollAgain():
            return f"by gambit, roll the {action.rolled.kind} {action.rolled.face} again"
        case PlayGambit():
            return f"play {_card_name(state, action.colour)}"
        case Relaunch():
            return f"by gambit, put a new ship on {hex_name(action.cell)}"
        case TurnCard():
            return f"the table plays {_card_name(state, action.colour)}"
    return _describe_weather(state, action)


def _let_be(state: State) -> str:
    match state.stage:
        case PlacingGrudge():
            return "bring no grudge ship"
        case Window():
            return f"do not play {_card_name(state, state.stage.colours[0])}"
    return "buy no third ship"


def _card_name(state: State, colour: str) -> str:
    card = gambit_of(state, colour)
    return f"{card.name} ({colour_name(colour)})" if card else f"{colour_name(colour)}'s gambit"


def _describe_weather(state: State, action: Deed) -> str:
    match action:
        case Drift():
            if not isinstance(state.stage, Drifting):
                return "move every ship with the wind"
            way = DIRECTION_NAMES[downwind(state)]
            return f"move every ship {state.stage.length} {way} with the wind"
        case YieldToStorm():
            lost = [ship.cell for ship in caught(state)]
            return f"take {ships_on(lost) if lost else 'no ship'} out of the storm"
        case ClearOcean():
            return "clear the ocean for the next battle"
    return _describe_prize(state, action)


def _describe_prize(state: State, action: Deed) -> str:
    stage = state.stage
    prize = ship_of(stage.loser) if isinstance(stage, TakingPrize) else "the prize"
    match action:
        case Scuttle():
            return f"scuttle {prize}"
        case Press():
            return f"press {prize} into service on {hex_name(action.cell)}"
    return type(action).name


def _describe_chance(state: State, action: Deed) -> str:
    match action:
        case DrawCommodore():
            seat = drawing_seat(state)
            return f"{state.names[seat]} draws {colour_name(action.colour)}, number {action.number}"
        case DrawTile():
            return f"{_roller(state)} draws a {action.tile}"
        case Roll():
            sails = tuple(die.face for die in action.dice if die.kind == "sail")
            cannons = tuple(die.face for die in action.dice if die.kind == "cannon")
            return f"{_roller(state)} rolls {dice_shown(sails, cannons)}"
    return f"chance: {type(action).name}"


def _roller(state: State) -> str:
    stage = state.stage
    if isinstance(stage, Boarding) and stage.attack is not None:
        return colour_name(stage.enemy)
    if isinstance(stage, Drifted):
        return colour_name(roller_of_reef(state, stage))
    return colour_name(state.fleet.colour) if state.fleets else state.names[0]
