"""How a battle looks: layout, seats, result, and actions in words."""

from __future__ import annotations

from collections import Counter, defaultdict

from companion.rules.articles_of_war.actions import (
    BuyThird,
    ChooseDensity,
    ChooseDice,
    DrawCommodore,
    DrawTile,
    Fire,
    Pass,
    PlaceFleet,
    PlaceTile,
    Press,
    Sail,
    Scuttle,
)
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.spends import spend_text
from companion.rules.articles_of_war.state import (
    TILES,
    Boarding,
    DrawingTile,
    PlacingTile,
    State,
    TakingPrize,
)
from companion.rules.articles_of_war.turns import last_afloat
from companion.rules.articles_of_war.words import colour_name, dice_set, dice_shown, ship_of, who
from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, Outcome, PlayerId, SeatView, View
from companion.rules.layout import Cell, CellContent, Die, Layout, cell_name, make_layout
from companion.rules.words import counted, listed


def layout(state: State) -> Layout:
    """Return where each piece lies; the ship under way or boarding included."""
    ships: defaultdict[Cell, list[str]] = defaultdict(list)
    for ship in state.afloat:
        ships[ship.cell].append(ship.colour)
    terrain = state.ocean.terrain
    cells = {
        cell: CellContent(tuple(sorted(ships.get(cell, ()))), terrain.get(cell))
        for cell in {*ships, *terrain}
    }
    dice = [Die("sail", face) for face in state.sails]
    dice += [Die("cannon", face) for face in state.cannons]
    return make_layout(cells, dice)


def view(state: State, phase: str) -> View:
    """Return what everybody may know; this game has no secrets."""
    afloat = Counter(ship.colour for ship in state.afloat)
    seats = []
    for seat, name in enumerate(state.names):
        colour = state.colour_of(PlayerId(seat))
        colours = (colour,) if colour else ()
        scores = {"doubloons": state.gold[seat]}
        seats.append(SeatView(PlayerId(seat), name, colours, scores, afloat[colour]))
    return View(phase, state.round, tuple(seats), _notes(state))


def _notes(state: State) -> tuple[str, ...]:
    stage = state.stage
    notes = []
    if isinstance(stage, DrawingTile | PlacingTile):
        left = (f"{n} {tile}" for tile, n in zip(TILES, stage.barrel, strict=True) if n)
        notes.append(f"In the barrel: {listed(left) or 'nothing'}")
    if any(ship.colour == MERCHANT for ship in state.afloat):
        notes.append("The merchant is at anchor")
    return tuple(notes)


def outcome(state: State) -> Outcome:
    """Return the result of a finished battle: most doubloons first (AOW-62)."""
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
    if winner is None:
        return Outcome("No ship is left afloat", "AOW-61", placing)
    return Outcome(f"Only {who(state, winner)} has ships left", "AOW-59", placing)


def describe(state: State, action: Deed) -> str:
    """Name an action in plain words."""
    if action.player == CHANCE:
        return _describe_chance(state, action)
    return f"{who(state, action.player)}: {_describe_choice(state, action)}"


def _describe_choice(state: State, action: Deed) -> str:
    match action:
        case PlaceFleet():
            return f"place ships on {cell_name(action.start)} and {cell_name(action.second)}"
        case BuyThird():
            return f"buy a third ship on {cell_name(action.cell)}"
        case Pass():
            return "buy no third ship"
        case ChooseDensity():
            return f"{counted(action.each, 'tile', 'tiles')} of each terrain"
        case PlaceTile():
            tile = state.stage.tile if isinstance(state.stage, PlacingTile) else "tile"
            return f"place the {tile} on {cell_name(action.cell)}"
        case ChooseDice():
            return f"take {dice_set(action.sails, action.cannons) or 'no dice'}"
        case Sail() | Fire():
            return spend_text(state, action)
    return _describe_prize(state, action)


def _describe_prize(state: State, action: Deed) -> str:
    stage = state.stage
    prize = ship_of(stage.loser) if isinstance(stage, TakingPrize) else "the prize"
    match action:
        case Scuttle():
            return f"scuttle {prize}"
        case Press():
            return f"press {prize} into service on {cell_name(action.cell)}"
    return type(action).name


def _describe_chance(state: State, action: Deed) -> str:
    match action:
        case DrawCommodore():
            seat = min(len(state.fleets), len(state.names) - 1)
            return f"{state.names[seat]} draws {colour_name(action.colour)}, number {action.number}"
        case DrawTile():
            return f"{_roller(state)} draws a {action.tile}"
        case Roll():
            sails = (die.face for die in action.dice if die.kind == "sail")
            cannons = (die.face for die in action.dice if die.kind == "cannon")
            return f"{_roller(state)} rolls {dice_shown(sails, cannons)}"
    return f"chance: {type(action).name}"


def _roller(state: State) -> str:
    stage = state.stage
    if isinstance(stage, Boarding) and stage.attack is not None:
        return colour_name(stage.enemy)
    return colour_name(state.fleet.colour) if state.fleets else state.names[0]
