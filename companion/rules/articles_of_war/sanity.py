"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.articles_of_war.options import (
    COLOURS,
    FLEET_LIMIT,
    MERCHANT,
    MOST_CANNONS,
    MOST_SAILS,
)
from companion.rules.articles_of_war.setup import free_starts, tile_places
from companion.rules.articles_of_war.spends import muster, spends
from companion.rules.articles_of_war.state import (
    FRESH,
    REEF,
    TILES,
    Boarding,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    DrawingCommodores,
    DrawingTile,
    Finished,
    OnReef,
    PlacingFleets,
    PlacingTile,
    Rolling,
    Spending,
    State,
    TakingPrize,
)
from companion.rules.articles_of_war.turns import dice_sets

Findings = Iterator[tuple[bool, str]]
"""What must hold, and what to say where it does not."""


def first_complaint(state: State) -> str | None:
    """Return what cannot be in a state, or ``None``. Later checks rely on the earlier ones."""
    for part in (_table, _ocean, _dice, _stage):
        for holds, complaint in part(state):
            if not holds:
                return complaint
    return None


def _table(state: State) -> Findings:
    players = len(state.names)
    yield 2 <= players <= len(COLOURS), "2 to 6 players play"
    yield len(set(state.names)) == players, "players have different names"
    yield len(state.gold) == players == len(state.lost), "gold and lost have one entry a player"
    drawing = isinstance(state.stage, DrawingCommodores)
    seats = [fleet.player for fleet in state.fleets]
    if drawing:
        yield seats == list(range(len(seats))), "commodores are drawn in order of the seats"
        yield len(seats) < players, "every commodore is drawn already"
        yield not state.ships, "there are no ships before the commodores are drawn"
    else:
        yield sorted(seats) == list(range(players)), "every player has one fleet"
    colours = {fleet.colour for fleet in state.fleets}
    yield len(colours) == len(seats), "every fleet has its own colour"
    cards = dict(zip(COLOURS, state.options.card_numbers, strict=True))
    yield all(cards[f.colour] == f.number for f in state.fleets), "a number is not its card's"
    yield 0 <= state.turn < max(len(seats), 1), "turn is the index of a fleet"
    yield state.round >= 0, "round is not negative"


def _ocean(state: State) -> Findings:
    ocean, afloat = state.ocean, state.afloat
    cells = [ship.cell for ship in state.ships]
    tiles = [cell for cell, _ in ocean.tiles]
    seen = [*tiles, *(ship.cell for ship in afloat)]
    colours = {fleet.colour for fleet in state.fleets}
    own = state.fleet.colour if state.fleets else ""
    yield all(cell in ocean.cells for cell in seen), "every ship and tile lies in the ocean"
    yield len(set(cells)) == len(cells), "two ships at rest share a hex"
    yield len(set(tiles)) == len(tiles), "two tiles share a hex"
    yield all(ocean.terrain.get(c, REEF) == REEF for c in cells), "a ship is aground"
    yield {s.colour for s in afloat} <= {*colours, MERCHANT}, "a ship belongs to nobody"
    yield all(state.count(c) <= FLEET_LIMIT for c in colours), "a colour has more than 3 ships"
    yield state.count(MERCHANT) <= 1, "there is one merchant"
    yield all(s.duty == FRESH or s.colour == own for s in afloat), "a duty is not its fleet's turn"
    yield list(state.ships) == sorted(state.ships), "ships are sorted"
    yield tiles == sorted(tiles), "tiles are sorted"


def _dice(state: State) -> Findings:
    options = state.options
    yield set(state.sails) <= set(options.sail_faces), "a sail die has no such face"
    yield set(state.cannons) <= set(options.cannon_faces), "a cannonball die has no such face"
    yield list(state.sails) == sorted(state.sails), "sails are sorted"
    yield list(state.cannons) == sorted(state.cannons), "cannons are sorted"
    few = len(state.sails) <= MOST_SAILS and len(state.cannons) <= MOST_CANNONS
    yield few, "there are 6 sail dice and 5 cannonball dice"
    if not isinstance(state.stage, Spending | OnReef | Boarding | TakingPrize):
        yield not state.sails and not state.cannons, "dice wait only while they are spent"


def _stage(state: State) -> Findings:
    stage = state.stage
    if isinstance(stage, PlacingFleets | BuyingThird | ChoosingDensity | DrawingTile | PlacingTile):
        yield from _setting_up(state)
    elif isinstance(stage, ChoosingDice | Rolling | Spending):
        yield from _in_turn(state)
    elif isinstance(stage, OnReef | Boarding | TakingPrize):
        yield from _under_way(state)
    elif isinstance(stage, Finished):
        yield _players_afloat(state) < 2, "the battle is not over"


def _setting_up(state: State) -> Findings:
    stage, own = state.stage, state.fleet.colour
    if isinstance(stage, PlacingFleets):
        placed = [state.count(fleet.colour) for fleet in state.fleets]
        yield placed == [2 * (i < state.turn) for i in range(len(placed))], "fleets have two ships"
        yield bool(free_starts(state)), "no starting hex is free"
        return
    yield _players_afloat(state) == len(state.names), "every fleet is in the ocean"
    if isinstance(stage, BuyingThird):
        starts = state.options.start_cells
        homes = [s for s in state.ships if s.colour == own and s.cell in starts]
        yield len(homes) == 1 and state.count(own) == 2, "a fleet has one ship on a starting hex"
    if isinstance(stage, ChoosingDensity):
        yield state.turn == len(state.fleets) - 1, "the last fleet chooses the density"
    if isinstance(stage, DrawingTile | PlacingTile):
        in_barrel = len(stage.barrel) == len(TILES) and all(0 <= n <= 4 for n in stage.barrel)
        yield in_barrel, "the barrel holds up to four of each of three kinds"
    if isinstance(stage, DrawingTile):
        yield any(stage.barrel), "the barrel is empty"
    if isinstance(stage, PlacingTile):
        yield bool(tile_places(state)), "the tile has no legal hex"


def _in_turn(state: State) -> Findings:
    stage, ships = state.stage, state.count(state.fleet.colour)
    yield _players_afloat(state) > 1, "the battle is over"
    if isinstance(stage, Spending):
        yield muster(state).suffices(), "the dice cannot give every ship its two"
        yield any(True for _ in spends(state)), "no die can be spent"
        return
    yield ships > 0, "a fleet without ships has no turn"
    yield all(ship.duty == FRESH for ship in state.ships), "no ship has had dice yet"
    if isinstance(stage, Rolling):
        yield (stage.sails, stage.cannons) in dice_sets(ships), "these dice cannot be chosen"


def _under_way(state: State) -> Findings:
    stage, mover = state.stage, state.mover
    assert mover is not None
    yield mover.colour == state.fleet.colour, "the ship under way is of the fleet on turn"
    yield mover.duty != FRESH, "the ship under way has had a die"
    yield muster(state).suffices(), "the dice cannot give every ship its two"
    if isinstance(stage, OnReef):
        yield state.ocean.terrain.get(mover.cell) == REEF, "there is no reef under the ship"
        yield 0 <= stage.left <= 3, "a sail is no longer than 4 hexes"
    if isinstance(stage, Boarding | TakingPrize):
        enemies = state.are_enemies(mover.colour, stage.enemy)
        beside = state.occupied().get(mover.cell) == stage.enemy
        yield enemies and beside, "the boarder and its enemy lie in one hex"
    if isinstance(stage, Boarding):
        yield stage.enemy != MERCHANT, "the merchant does not fight"
        faces = (None, *state.options.cannon_faces)
        yield stage.attack in faces, "a cannonball die has no such face"
    if isinstance(stage, TakingPrize):
        yield stage.boarder_won or stage.enemy != MERCHANT, "the merchant does not fight"


def _players_afloat(state: State) -> int:
    return len({state.owner(s.colour) for s in state.afloat if s.colour != MERCHANT})
