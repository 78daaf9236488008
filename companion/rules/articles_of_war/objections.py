"""Which rule stands against a table that no legal line of play explains.

The nearest illegal action is guessed from what changed, and its refusal returned. A wrong guess
only makes a less helpful sentence; nothing is applied from here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from companion.rules.articles_of_war.actions import (
    BuyThird,
    ChooseDice,
    DrawTile,
    Fire,
    PlaceFleet,
    PlaceTile,
    Press,
    Sail,
)
from companion.rules.articles_of_war.objections_optional import GUESSES as OPTIONAL_GUESSES
from companion.rules.articles_of_war.ocean import REEF, VOLCANO
from companion.rules.articles_of_war.spends import (
    BOARD,
    EDGE,
    SEA,
    landfall,
    not_its_dice,
    refuse_spend,
)
from companion.rules.articles_of_war.state import (
    BuyingThird,
    ChoosingDice,
    DrawingTile,
    PlacingFleets,
    PlacingTile,
    Rolling,
    Ship,
    Spending,
    Stage,
    State,
    TakingPrize,
)
from companion.rules.articles_of_war.view import layout
from companion.rules.articles_of_war.words import colour_name, dice_shown, ship_first, ship_of
from companion.rules.changes import Change, Check, cells_of, change
from companion.rules.deeds import Roll
from companion.rules.game import CHANCE, LEGAL, Ruling
from companion.rules.hexes import distance, hex_name, ray, step
from companion.rules.layout import Cell, Layout
from companion.rules.phases import no, stage_of


def objection(state: State, seen: Layout, check: Check, asked: Ruling) -> Ruling:
    """Return the refusal of the nearest illegal action, or `LEGAL`.

    `asked` is what to answer while nothing was done: what is to be done, and its rule.
    """
    seen_change = change(layout(state), seen)
    if seen_change.is_nothing:
        return asked
    guess = GUESSES.get(type(state.stage))
    if guess is None:
        return asked
    for ruling in guess(state, seen_change, check):
        if not ruling:
            return ruling
    return LEGAL


def _fleet(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    player, colour = state.fleet.player, state.fleet.colour
    yield _only_own(state, seen, "AOW-16")
    cells = cells_of(colour, seen.came)
    if len(cells) == 1:
        start = cells[0]
        if start in state.options.start_cells:
            yield no("AOW-16", "A second ship goes on a hex beside the starting hex.")
        yield check(state, PlaceFleet(player, start, start))
    if len(cells) > 2:
        yield no("AOW-16", "A fleet begins with two ships; a third is bought later.")
    starts = [c for c in cells if c in state.options.start_cells] or cells
    for start in starts:
        for second in cells:
            if second != start:
                yield check(state, PlaceFleet(player, start, second))


def _third(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    yield _only_own(state, seen, "AOW-17")
    cells = cells_of(state.fleet.colour, seen.came)
    if len(cells) > 1:
        yield no("AOW-17", "Only one more ship can be bought.")
    for cell in cells:
        yield check(state, BuyThird(state.fleet.player, cell))


def _only_own(state: State, seen: Change, rule: str) -> Ruling:
    """Refuse ships of other colours coming and any ship leaving or moving."""
    own = colour_name(state.fleet.colour)
    for colour, cell in seen.came:
        if colour != state.fleet.colour:
            return no(
                rule,
                f"{own} places ships now; {ship_of(colour)} on {hex_name(cell)} must wait.",
            )
    for colour, cell in seen.gone:
        return no(rule, f"{ship_first(colour)} stays on {hex_name(cell)} during the set-up.")
    return LEGAL


def _tile(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    for colour, cell in (*seen.gone, *seen.came):
        yield no("AOW-19", f"Tiles are placed now; {ship_of(colour)} near {hex_name(cell)} stays.")
    if len(seen.tiles) > 1:
        yield no("AOW-19", "One tile is placed at a time.")
    for kind, cell in seen.tiles:
        placing = state
        if isinstance(state.stage, DrawingTile):
            yield check(state, DrawTile(CHANCE, kind))
            barrel = stage_of(state, DrawingTile).barrel
            placing = replace(state, stage=PlacingTile(barrel, kind))
        elif kind != (drawn := stage_of(state, PlacingTile).tile):
            yield no("AOW-19", f"The tile that was drawn is a {drawn}, not a {kind}.")
        yield check(placing, PlaceTile(state.fleet.player, cell))


def _dice_choice(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    if seen.rolled:
        kinds = Counter(die.kind for die in seen.rolled)
        yield check(state, ChooseDice(state.fleet.player, kinds["sail"], kinds["cannon"]))
    if seen.gone or seen.came:
        yield no("AOW-23", "The dice are chosen and rolled before any ship moves.")


def _roll(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    if seen.rolled:
        yield check(state, Roll(CHANCE, seen.rolled))
    if seen.gone or seen.came:
        yield no("AOW-25", "The dice are rolled before any ship moves.")


def _prize(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    stage = stage_of(state, TakingPrize)
    player = state.owner(stage.winner)
    if player is None:
        return
    for cell in cells_of(stage.winner, seen.came):
        yield check(state, Press(player, cell))
    if (stage.winner, stage.mover.cell) in seen.gone:
        yield no("AOW-55", "The winning ship stays in the hex of the boarding.")


def _spend(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    own = state.fleet.colour
    gone, came = cells_of(own, seen.gone), cells_of(own, seen.came)
    dice = [die.face for die in seen.spent if die.kind == "sail"]
    shots = [die.face for die in seen.spent if die.kind == "cannon"]
    for start in gone:
        for end in came:
            yield _sailed(state, start, end, dice)
    for colour, cell in seen.came:
        if colour != own:
            yield not_its_dice(state, colour, f"; {ship_of(colour)} may not be moved.")
        if not gone:
            yield no("AOW-6", f"No ship of yours may enter the ocean on {hex_name(cell)} now.")
    for colour, cell in seen.gone:
        if colour != own:
            yield _shot(state, colour, cell, shots)
        elif shots and not dice and not came:
            name = hex_name(cell)
            yield no("AOW-49", f"Your own ships are never hit: put the ship on {name} back.")
        elif not came:
            yield _vanished(state, cell)


def _sailed(state: State, start: Cell, end: Cell, dice: list[int]) -> Ruling:
    """Return why a ship cannot have sailed so; `dice` are the sails taken from the tray."""
    name, length = hex_name(start), distance(start, end)
    way = next((d for d in range(6) if step(start, d, length) == end), None)
    if way is None:
        return no(
            "AOW-11",
            f"A ship sails in a straight line; {hex_name(end)} is not in line with {name}.",
        )
    die = dice[0] if len(dice) == 1 else length
    action = Sail(state.fleet.player, start, die, way)
    meant = replace(action, die=length)
    if die != length and refuse_spend(state, meant) is None and _ends_on(state, meant, end):
        return no(
            "AOW-33", f"That was the sail {length}, but the {die} is out of the tray: swap them."
        )
    refusal = refuse_spend(state, action)
    if refusal is not None:
        return refusal
    return _stopped_wrongly(state, action, end, length)


def _ends_on(state: State, action: Sail, end: Cell) -> bool:
    ship = Ship(action.ship, state.fleet.colour)
    return landfall(state, state.occupied(), ship, action.die, action.direction)[0] == end


def _stopped_wrongly(state: State, action: Sail, end: Cell, length: int) -> Ruling:
    ship = Ship(action.ship, state.fleet.colour)
    stop, how = landfall(state, state.occupied(), ship, action.die, action.direction)
    where = hex_name(stop)
    line = ray(action.ship, action.direction, distance(action.ship, stop))
    reefs = [c for c in line if state.ocean.terrain.get(c) == REEF]
    if reefs:
        reef = hex_name(reefs[0])
        return no("AOW-41", f"The ship waits on the reef at {reef} until its roll is read.")
    if how == BOARD and stop != end:
        met = ship_of(state.occupied()[stop])
        return no("AOW-36", f"The ship meets {met} on {where}: it stops there and boards.")
    if how == EDGE:
        return no("AOW-37", "The ship sails off the map: take it out of the ocean.")
    if how not in (SEA, BOARD):
        rule = "AOW-39" if how == VOLCANO else "AOW-40"
        return no(rule, f"The ship is lost on the {how} at {where}: take it out of the ocean.")
    if stop != end:
        return no(
            "AOW-33",
            f"A sail must be used in full: {action.die} hexes to {where}, you moved {length}.",
        )
    return LEGAL


def _shot(state: State, colour: str, cell: Cell, dice: list[int]) -> Ruling:
    """Return why no shot can have sunk a ship there; `dice` are the cannonballs taken away."""
    if not state.are_enemies(state.fleet.colour, colour):
        ally = f"{ship_of(colour)} on {hex_name(cell)}"
        return no("AOW-73", f"Your two fleets are allies and are never hit: put {ally} back.")
    fallen = dice or list(state.cannons)
    if not fallen:
        return no("AOW-26", f"Nothing has sunk {ship_of(colour)} on {hex_name(cell)}.")
    player = state.fleet.player
    for ship in state.ships:
        if ship.colour != state.fleet.colour:
            continue
        for die in fallen:
            for way in range(6):
                if step(ship.cell, way, die) == cell:
                    return _barred_shot(state, Fire(player, ship.cell, die, way))
    shown = dice_shown((), tuple(fallen))
    fleet = f"{colour_name(state.fleet.colour)}'s" if state.options.duel else "your"
    return no(
        "AOW-45",
        f"A shot hits only the hex exactly as far as its die shows, in a straight line: with"
        f" {shown} none of {fleet} ships reaches {hex_name(cell)}.",
    )


def _barred_shot(state: State, action: Fire) -> Ruling:
    refusal = refuse_spend(state, action)
    if refusal is not None:
        return refusal
    if state.ocean.target(action.ship, action.direction, action.die) is None:
        return no("AOW-47", "A volcano lies between: no shot flies over it.")
    return LEGAL


def _vanished(state: State, cell: Cell) -> Ruling:
    """Refuse a ship of one's own leaving the ocean although no sail can lose it."""
    ship = next((s for s in state.ships if s.cell == cell), None)
    ways = [(die, way) for die in set(state.sails) for way in range(6)]
    if ship is None or any(_is_deadly(state, ship, die, way) for die, way in ways):
        return LEGAL
    name = hex_name(cell)
    return no("AOW-37", f"Nothing takes the ship on {name} out of the ocean: put it back.")


def _is_deadly(state: State, ship: Ship, die: int, way: int) -> bool:
    if refuse_spend(state, Sail(state.fleet.player, ship.cell, die, way)) is not None:
        return False
    _, how = landfall(state, state.occupied(), ship, die, way)
    return how != SEA or state.ocean.course(ship.cell, way, die).reefs


GUESSES: dict[type[Stage], Callable[[State, Change, Check], Iterator[Ruling]]] = {
    **OPTIONAL_GUESSES,
    PlacingFleets: _fleet,
    BuyingThird: _third,
    DrawingTile: _tile,
    PlacingTile: _tile,
    ChoosingDice: _dice_choice,
    Rolling: _roll,
    Spending: _spend,
    TakingPrize: _prize,
}
"""By stage; where there is none, nothing but what is asked can happen."""
