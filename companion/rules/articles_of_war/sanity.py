"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from companion.errors import BadOptions
from companion.rules.articles_of_war.flow import caught
from companion.rules.articles_of_war.ocean import REEF, TILES
from companion.rules.articles_of_war.options import (
    COLOURS,
    FLEET_LIMIT,
    MERCHANT,
    MOST_CANNONS,
    MOST_SAILS,
    check_table,
)
from companion.rules.articles_of_war.sanity_gambits import gambits, more_dice, window
from companion.rules.articles_of_war.setup import cards_to_draw, free_starts, third_places
from companion.rules.articles_of_war.spends import muster, spends
from companion.rules.articles_of_war.state import (
    FRESH,
    AddingThird,
    Boarding,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    ClearingOcean,
    DrawingCommodores,
    DrawingTile,
    Drifted,
    Drifting,
    Finished,
    Fleet,
    OnReef,
    PlacingFleets,
    PlacingGrudge,
    PlacingTile,
    Rerolling,
    Rolling,
    RollingWind,
    Spending,
    State,
    Storming,
    TakingPrize,
    Window,
)
from companion.rules.articles_of_war.terrain import tile_places
from companion.rules.articles_of_war.turns import dice_sets, is_desperate
from companion.rules.articles_of_war.wind import ships_in_order
from companion.rules.writing import Findings, people

SETTING_UP = (
    PlacingFleets,
    BuyingThird,
    AddingThird,
    ChoosingDensity,
    DrawingTile,
    PlacingTile,
)
BETWEEN_TURNS = (ChoosingDice, Rolling, PlacingGrudge, RollingWind, Drifting, Drifted, Storming)
WITH_DICE = (Spending, OnReef, Boarding, TakingPrize, Rerolling)
HOME = "a fleet has one ship on a starting hex"


def _table(state: State) -> Findings:
    players, duel = len(state.names), state.options.duel
    yield from people(state.names, 2, len(COLOURS))
    yield _fits(state), "the options are not for so many players"
    yield len(state.gold) == players == len(state.lost), "gold and lost have one entry a player"
    bank = state.options.bank
    yield bank is None or sum(state.gold) <= bank, "the bank has paid more than it held"
    drawing = isinstance(state.stage, DrawingCommodores)
    seats = [fleet.player for fleet in state.fleets]
    if drawing:
        in_order = [seat % players for seat in range(len(seats))]
        yield seats == in_order, "commodores are drawn in order of the seats"
        yield len(seats) < cards_to_draw(state), "every commodore is drawn already"
        yield not state.ships, "there are no ships before the commodores are drawn"
    else:
        fleets = sorted([*range(players)] * (2 if duel else 1))
        many = "two fleets" if duel else "one fleet"
        yield sorted(seats) == fleets, f"every player has {many}"
        yield not duel or seats[0] != seats[1] != seats[2], "the captains of a duel alternate"
    colours = {fleet.colour for fleet in state.fleets}
    yield len(colours) == len(seats), "every fleet has its own colour"
    cards = dict(zip(COLOURS, state.options.card_numbers, strict=True))
    yield all(cards[f.colour] == f.number for f in state.fleets), "a number is not its card's"
    yield 0 <= state.turn < max(len(seats), 1), "turn is the index of a fleet"
    yield state.round >= 0, "round is not negative"


def _fits(state: State) -> bool:
    try:
        check_table(state.options, len(state.names))
    except BadOptions:
        return False
    return True


def _memory(state: State) -> Findings:
    memory, options = state.memory, state.options
    colours = {fleet.colour for fleet in state.fleets}
    yield 1 <= memory.battle <= options.battles, "there is no such battle in this campaign"
    grudges = list(memory.grudges)
    yield grudges == sorted(set(grudges)), "grudges are sorted"
    yield options.grudge or not grudges, "grudge ships are not played"
    yield colours.issuperset(grudges), "a grudge belongs to nobody"
    yield all(state.count(c) <= 1 for c in grudges), "a captain has one grudge ship"
    if memory.storm is not None:
        yield options.storm, "no storm is played"
        yield 0 <= memory.storm <= options.radius, "the storm's ring is no ring of the ocean"
        yield state.count(MERCHANT) == 0, "the storm waits for the merchant to be gone"
    if isinstance(state.stage, (DrawingCommodores, *SETTING_UP)):
        yield not grudges and memory.storm is None, "the battle has not begun"
    if memory.more:
        stage = state.stage.then if isinstance(state.stage, Window) else state.stage
        yield isinstance(stage, (Rolling, *WITH_DICE)), "no dice are taken yet"
        most = more_dice(state) + options.desperation
        yield 0 < memory.more <= most, "no rule adds so many dice"
    may = options.desperation and memory.more > 0
    yield may or not memory.desperate, "no last ship has rolled a third die"


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
    options, stage = state.options, state.stage
    if isinstance(stage, Window):
        stage = stage.then
    yield set(state.sails) <= set(options.sail_faces), "a sail die has no such face"
    yield set(state.cannons) <= set(options.cannon_faces), "a cannonball die has no such face"
    yield list(state.sails) == sorted(state.sails), "sails are sorted"
    yield list(state.cannons) == sorted(state.cannons), "cannons are sorted"
    few = len(state.sails) <= MOST_SAILS and len(state.cannons) <= MOST_CANNONS
    yield few, "there are 6 sail dice and 5 cannonball dice"
    if not isinstance(stage, WITH_DICE):
        yield not state.sails and not state.cannons, "dice wait only while they are spent"


def _stage(state: State) -> Findings:
    stage = state.stage
    if isinstance(stage, Drifted):
        yield bool(stage.due), "no reef is left to roll for"
    if isinstance(stage, Window):
        yield from window(state, stage)
        state = replace(state, stage=stage.then)
        stage = stage.then
        # Whether the battle goes on is found out when the window closes.
        if isinstance(stage, Spending):
            yield muster(state).suffices(), "the dice cannot give every ship its two"
            return
        if isinstance(stage, ChoosingDice):
            yield all(ship.duty == FRESH for ship in state.ships), "no ship has had dice yet"
            return
    if isinstance(stage, SETTING_UP):
        yield from _setting_up(state)
    elif isinstance(stage, BETWEEN_TURNS):
        yield from _between_turns(state)
    elif isinstance(stage, Spending | Rerolling):
        yield from _spending(state)
    elif isinstance(stage, OnReef | Boarding | TakingPrize):
        yield from _under_way(state)
    elif isinstance(stage, Finished | ClearingOcean):
        yield len(state.captains_afloat()) < 2, "the battle is not over"
        last = state.memory.battle == state.options.battles
        yield last == isinstance(stage, Finished), "the campaign is over after its last battle"


def _setting_up(state: State) -> Findings:
    stage, duel = state.stage, state.options.duel
    counts = [state.count(fleet.colour) for fleet in state.fleets]
    yield all(ship.duty == FRESH for ship in state.ships), "no ship has had dice yet"
    if isinstance(stage, PlacingFleets):
        placed = [2 * (turn < state.turn) for turn in range(len(counts))]
        yield counts == placed, "fleets have two ships"
        yield _are_at_home(state, state.fleets[: state.turn]), HOME
        yield bool(free_starts(state)), "no starting hex is free"
        return
    yield all(counts), "every fleet is in the ocean"
    if isinstance(stage, BuyingThird):
        yield not duel, "in a duel the third ship is not bought"
        yield _are_at_home(state, state.fleets[state.turn :]), HOME
    if isinstance(stage, AddingThird):
        yield duel and state.turn < 2, "in a duel each captain adds one third ship"
        # The captain who was first has a third ship by now, the others' fleets have not.
        waiting = [f for f in state.fleets if state.turn == 0 or f.player == state.fleet.player]
        yield _are_at_home(state, waiting), HOME
        own = state.colours_of(state.fleet.player)
        yield any(third_places(state, c) for c in own), "no hex is free for a third ship"
    if isinstance(stage, ChoosingDensity):
        yield state.turn == len(state.fleets) - 1, "the last fleet chooses the density"
    if isinstance(stage, DrawingTile | PlacingTile):
        in_barrel = len(stage.barrel) == len(TILES) and all(0 <= n <= 4 for n in stage.barrel)
        yield in_barrel, "the barrel holds up to four of each of three kinds"
    if isinstance(stage, DrawingTile):
        yield any(stage.barrel), "the barrel is empty"
    if isinstance(stage, PlacingTile):
        yield bool(tile_places(state)), "the tile has no legal hex"


def _are_at_home(state: State, fleets: Iterable[Fleet]) -> bool:
    """Say whether fleets have two ships each, one of them on a starting hex."""
    starts = state.options.start_cells
    homes = Counter(ship.colour for ship in state.ships if ship.cell in starts)
    return all(homes[f.colour] == 1 and state.count(f.colour) == 2 for f in fleets)


def _between_turns(state: State) -> Findings:
    stage, colour = state.stage, state.fleet.colour
    yield all(ship.duty == FRESH for ship in state.ships), "no ship has had dice yet"
    if isinstance(stage, Drifted):
        yield from _drifted(state, stage)
        return
    yield len(state.captains_afloat()) > 1, "the battle is over"
    if isinstance(stage, RollingWind | Drifting):
        yield state.options.wind != "none", "no wind is played"
    if isinstance(stage, Drifting):
        yield stage.length in state.options.sail_faces, "a sail die has no such face"
    if isinstance(stage, Storming):
        yield bool(caught(state)), "the storm has caught no ship"
    if isinstance(stage, PlacingGrudge):
        may = state.options.grudge and not state.is_grudge(colour)
        yield may and not state.count(colour), "this fleet brings no grudge ship"
    if isinstance(stage, ChoosingDice | Rolling):
        yield state.count(colour) > 0, "a fleet without ships has no turn"
    if isinstance(stage, ChoosingDice):
        yield stage.more in (0, more_dice(state)), "no gambit adds so many dice"
    if isinstance(stage, Rolling):
        third = is_desperate(state)
        counts = {third, more_dice(state) + third}
        sets = {s for more in counts for s in dice_sets(state.count(colour), more)}
        yield (stage.sails, stage.cannons) in sets, "these dice cannot be chosen"


def _drifted(state: State, stage: Drifted) -> Findings:
    yield state.options.wind != "none", "no wind is played"
    cells = [ship.cell for ship in ships_in_order(state)]
    known = set(stage.due) <= set(cells)
    yield known, "a reef is rolled for where no ship lies"
    yield list(stage.due) == sorted(stage.due, key=cells.index), "reefs are rolled for in order"
    longest = max(state.options.sail_faces)
    yield all(stage.due.count(c) <= longest for c in stage.due), "no wind carries over so many"


def _spending(state: State) -> Findings:
    stage = state.stage
    yield len(state.captains_afloat()) > 1, "the battle is over"
    if isinstance(stage, Rerolling):
        sails, cannons = len(state.sails), len(state.cannons)
        rolled = muster(state)._replace(
            sails=sails + (stage.kind == "sail"), cannons=cannons + (stage.kind == "cannon")
        )
        few = rolled.sails <= MOST_SAILS and rolled.cannons <= MOST_CANNONS
        yield few, "there are 6 sail dice and 5 cannonball dice"
        yield rolled.suffices() and rolled.fresh > 0, "the dice cannot give every ship its two"
        return
    yield muster(state).suffices(), "the dice cannot give every ship its two"
    yield any(True for _ in spends(state)), "no die can be spent"


def _under_way(state: State) -> Findings:
    stage, mover = state.stage, state.mover
    assert mover is not None
    yield mover.colour == state.fleet.colour, "the ship under way is of the fleet on turn"
    yield mover.duty != FRESH, "the ship under way has had a die"
    yield muster(state).suffices(), "the dice cannot give every ship its two"
    if isinstance(stage, OnReef):
        yield state.ocean.terrain.get(mover.cell) == REEF, "there is no reef under the ship"
        yield 0 <= stage.left <= 4, "a sail is no longer than 4 hexes, 5 by gambit"
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


CHECKS = (_table, _memory, _ocean, gambits, _dice, _stage)
"""What must hold of a state; later checks rely on the earlier ones."""
