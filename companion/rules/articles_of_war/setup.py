"""The set-up, step by step: cards, gold, merchant, fleets, third ships, terrain (AOW-12 to 22)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.rules.articles_of_war.actions import (
    BuyThird,
    ChooseDensity,
    DrawCommodore,
    DrawTile,
    Pass,
    PlaceFleet,
    PlaceTile,
    place_tile,
)
from companion.rules.articles_of_war.options import BASIC_PURSE, COLOURS, DENSITIES, MERCHANT
from companion.rules.articles_of_war.state import (
    TILES,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    DrawingCommodores,
    DrawingTile,
    Fleet,
    PlacingFleets,
    PlacingTile,
    Ship,
    Stage,
    State,
    pay,
    with_ship,
)
from companion.rules.articles_of_war.words import who
from companion.rules.game import (
    CHANCE,
    ChanceRoll,
    Decision,
    Happening,
    PlayerId,
    Ruling,
    Step,
)
from companion.rules.hexes import neighbours
from companion.rules.layout import Cell, cell_name
from companion.rules.phases import Chance, Choice, Phase, no, stage_of
from companion.rules.words import cells_listed, counted, listed

CENTRE: Cell = (0, 0)


def empty_neighbours(state: State, cell: Cell) -> tuple[Cell, ...]:
    """Return the hexes beside a cell, on the map, without ship or tile, sorted."""
    taken = {ship.cell for ship in state.afloat}
    around = neighbours(cell, state.ocean.radius)
    return tuple(sorted(c for c in around if c not in taken and c not in state.ocean.terrain))


class DrawCommodores(Chance[State, DrawCommodore]):
    """Each player draws a commodore: colour and number (AOW-12)."""

    name, rule, takes = "draw_commodore", "AOW-12", (DrawCommodore,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next seat for its card."""
        player = PlayerId(len(state.fleets))
        return ChanceRoll(player, self.name, f"{state.names[player]}: draw a commodore card")

    def odds(self, state: State) -> tuple[tuple[DrawCommodore, Fraction], ...]:
        """Every card that nobody holds is equally likely."""
        held = {fleet.colour for fleet in state.fleets}
        cards = zip(COLOURS, state.options.card_numbers, strict=True)
        left = sorted(DrawCommodore(CHANCE, c, n) for c, n in cards if c not in held)
        return tuple((card, Fraction(1, len(left))) for card in left)

    def refuse(self, state: State, action: DrawCommodore) -> Ruling | None:
        """Refuse a card that is not in the pile."""
        left = [card for card, _ in self.odds(state)]
        if action in left:
            return None
        cards = listed((f"{card.colour.capitalize()} {card.number}" for card in left), "or")
        return no(self.rule, f"That card is not in the pile: it can be {cards}.")

    def play(self, state: State, action: DrawCommodore) -> Step[State]:
        """Give the card to its seat; after the last one turn order, gold and merchant follow."""
        player = PlayerId(len(state.fleets))
        fleets = (*state.fleets, Fleet(player, action.colour, action.number))
        state = replace(state, fleets=fleets)
        text = f"{state.names[player]} sails under {action.colour.capitalize()}"
        drawn = Happening(text, "AOW-12")
        if len(fleets) < len(state.names):
            return Step(state, (drawn,))
        return _open_battle(state, drawn)


def turn_order(fleets: tuple[Fleet, ...]) -> tuple[Fleet, ...]:
    """Return the fleets from the lowest number on, clockwise by seat (AOW-13)."""
    first = min(range(len(fleets)), key=lambda i: fleets[i].number)
    return fleets[first:] + fleets[:first]


def _open_battle(state: State, drawn: Happening) -> Step[State]:
    start = BASIC_PURSE.start
    fleets = turn_order(state.fleets)
    state = replace(
        state,
        stage=PlacingFleets(),
        fleets=fleets,
        gold=tuple(gold + start for gold in state.gold),
        ships=(Ship(CENTRE, MERCHANT),),
    )
    first = fleets[0].colour.capitalize()
    coins = tuple((PlayerId(seat), start) for seat in range(len(state.names)))
    return Step(
        state,
        (
            drawn,
            Happening(f"{first} goes first: the lowest number", "AOW-13"),
            Happening(f"Everyone takes {start} doubloons", "AOW-14", coins),
            Happening("The merchant anchors in the centre", "AOW-15"),
        ),
    )


class PlaceFleets(Choice[State, PlaceFleet]):
    """Two ships: on a starting hex and beside it (AOW-16)."""

    name, rule, takes = "place_fleet", "AOW-16", (PlaceFleet,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        text = f"{who(state, state.fleet.player)}: place a ship on a starting hex and one beside it"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[PlaceFleet, ...]:
        """Every free starting hex with every empty hex beside it."""
        return tuple(
            PlaceFleet(state.fleet.player, start, second)
            for start in free_starts(state)
            for second in empty_neighbours(state, start)
        )

    def refuse(self, state: State, action: PlaceFleet) -> Ruling | None:
        """Refuse if one of the hexes is wrong."""
        free = free_starts(state)
        if action.start not in free:
            return no(
                self.rule,
                f"{cell_name(action.start)} is no free starting hex:"
                f" free are {cells_listed(free)}.",
            )
        beside = empty_neighbours(state, action.start)
        if action.second not in beside:
            return no(
                self.rule,
                f"The second ship goes on an empty hex beside {cell_name(action.start)}:"
                f" {cells_listed(beside)}.",
            )
        return None

    def play(self, state: State, action: PlaceFleet) -> Step[State]:
        """Put both ships down; next fleet, or on to the third ships."""
        colour = state.fleet.colour
        ships = with_ship(state.ships, Ship(action.start, colour))
        ships = with_ship(ships, Ship(action.second, colour))
        last = state.turn == len(state.fleets) - 1
        return Step(
            replace(
                state,
                ships=ships,
                turn=0 if last else state.turn + 1,
                stage=BuyingThird() if last else state.stage,
            )
        )


def free_starts(state: State) -> tuple[Cell, ...]:
    """Return the starting hexes that nobody has claimed, sorted."""
    occupied = state.occupied()
    return tuple(cell for cell in state.options.start_cells if cell not in occupied)


class BuyThirds(Choice[State, BuyThird | Pass]):
    """A third ship for gold, or keep the gold (AOW-17)."""

    name, rule, takes = "buy_third", "AOW-17", (BuyThird, Pass)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        price = BASIC_PURSE.third_ship
        text = (
            f"{who(state, state.fleet.player)}: buy a third ship for {price} doubloons or keep them"
        )
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[BuyThird | Pass, ...]:
        """Every place for the ship if it can be paid, and passing."""
        player = state.fleet.player
        places = _third_places(state) if self._can_pay(state) else ()
        return (*(BuyThird(player, cell) for cell in places), Pass(player))

    def refuse(self, state: State, action: BuyThird | Pass) -> Ruling | None:
        """Refuse a ship that is not paid or not beside the starting hex."""
        if isinstance(action, Pass):
            return None
        if not self._can_pay(state):
            have = counted(state.gold[state.fleet.player], "doubloon", "doubloons")
            price = BASIC_PURSE.third_ship
            return no(self.rule, f"A third ship costs {price} doubloons; you have {have}.")
        places = _third_places(state)
        if action.cell not in places:
            return no(
                self.rule,
                "The third ship goes on an empty hex beside your starting hex:"
                f" {cells_listed(places) or 'none is left'}.",
            )
        return None

    def play(self, state: State, action: BuyThird | Pass) -> Step[State]:
        """Pay and place, or keep the gold; next fleet, or on to the terrain."""
        happenings: tuple[Happening, ...] = ()
        if isinstance(action, BuyThird):
            price = -BASIC_PURSE.third_ship
            state = pay(state, action.player, price)
            ships = with_ship(state.ships, Ship(action.cell, state.fleet.colour))
            state = replace(state, ships=ships)
            text = f"{who(state, action.player)} pays {-price} doubloons for a third ship"
            happenings = (Happening(text, "AOW-17", ((action.player, price),)),)
        if state.turn < len(state.fleets) - 1:
            return Step(replace(state, turn=state.turn + 1), happenings)
        # AOW-18: the last fleet in turn order also chooses the density, so it stays on turn.
        return Step(replace(state, stage=ChoosingDensity()), happenings)

    @staticmethod
    def _can_pay(state: State) -> bool:
        return state.gold[state.fleet.player] >= BASIC_PURSE.third_ship


def _third_places(state: State) -> tuple[Cell, ...]:
    # Starting hexes are two or more steps apart, so just one of a fleet's ships lies on one.
    starts = state.options.start_cells
    colour = state.fleet.colour
    home = next(s.cell for s in state.ships if s.colour == colour and s.cell in starts)
    return empty_neighbours(state, home)


class ChooseDensities(Choice[State, ChooseDensity]):
    """The last player chooses how much terrain there is (AOW-18)."""

    name, rule, takes = "choose_density", "AOW-18", (ChooseDensity,)

    def pending(self, state: State) -> Decision:
        """Ask the last fleet."""
        choices = listed(DENSITIES, "or")
        text = f"{who(state, state.fleet.player)}: choose {choices} tiles of each terrain"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[ChooseDensity, ...]:
        """Return the three densities."""
        return tuple(ChooseDensity(state.fleet.player, each) for each in DENSITIES)

    def refuse(self, state: State, action: ChooseDensity) -> Ruling | None:
        """Refuse any other number."""
        if action.each in DENSITIES:
            return None
        return no(self.rule, f"Put {listed(DENSITIES, 'or')} tiles of each kind into the barrel.")

    def play(self, state: State, action: ChooseDensity) -> Step[State]:
        """Fill the barrel; the first fleet draws."""
        barrel = (action.each,) * len(TILES)
        text = f"{sum(barrel)} tiles go into the barrel"
        return Step(replace(state, stage=DrawingTile(barrel), turn=0), (Happening(text, "AOW-18"),))


class DrawTiles(Chance[State, DrawTile]):
    """A tile at random from the barrel (AOW-19)."""

    name, rule, takes = "draw_tile", "AOW-19", (DrawTile,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the fleet on turn."""
        player = state.fleet.player
        return ChanceRoll(player, self.name, f"{who(state, player)}: draw a terrain tile")

    def odds(self, state: State) -> tuple[tuple[DrawTile, Fraction], ...]:
        """Each tile in the barrel is equally likely."""
        barrel = stage_of(state, DrawingTile).barrel
        pairs = zip(TILES, barrel, strict=True)
        odds = {DrawTile(CHANCE, t): Fraction(n, sum(barrel)) for t, n in pairs if n}
        return tuple((draw, odds[draw]) for draw in sorted(odds))

    def refuse(self, state: State, action: DrawTile) -> Ruling | None:
        """Refuse a kind that is used up."""
        left = [draw.tile for draw, _ in self.odds(state)]
        if action.tile in left:
            return None
        return no(self.rule, f"The barrel holds no {action.tile} any more: {listed(left, 'or')}.")

    def play(self, state: State, action: DrawTile) -> Step[State]:
        """Take the tile out; without a legal hex it is set aside (AOW-21)."""
        barrel = list(stage_of(state, DrawingTile).barrel)
        barrel[TILES.index(action.tile)] -= 1
        drawn = replace(state, stage=PlacingTile(tuple(barrel), action.tile))
        if tile_places(drawn):
            return Step(drawn)
        text = (
            f"No hex is free for {who(state, state.fleet.player)}'s {action.tile}: it is set aside"
        )
        return Step(_next_tile(drawn), (Happening(text, "AOW-21"),))


class PlaceTiles(Choice[State, PlaceTile]):
    """Put the tile on an empty hex, not beside an enemy (AOW-19, AOW-20)."""

    name, rule, takes = "place_tile", "AOW-19", (PlaceTile,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        tile = stage_of(state, PlacingTile).tile
        player = state.fleet.player
        return Decision(player, self.name, f"{who(state, player)}: place the {tile}")

    def actions(self, state: State) -> tuple[PlaceTile, ...]:
        """Every hex it may lie on."""
        player = state.fleet.player
        return tuple(place_tile(player, cell) for cell in sorted(tile_places(state)))

    def refuse(self, state: State, action: PlaceTile) -> Ruling | None:
        """Refuse a hex off the map, taken, or beside an enemy."""
        cell = cell_name(action.cell)
        if action.cell not in state.ocean.cells:
            return no(self.rule, f"{cell} is not a hex of this ocean.")
        if action.cell in state.ocean.terrain or action.cell in state.occupied():
            return no(self.rule, f"A tile goes on an empty hex; {cell} is taken.")
        near = sorted({s.colour for s in _enemies_beside(state, action.cell)})
        if not near:
            return None
        return no(
            "AOW-20",
            f"A tile may not touch a ship of another captain or the merchant;"
            f" {cell} is beside {listed(c.capitalize() for c in near)}.",
        )

    def play(self, state: State, action: PlaceTile) -> Step[State]:
        """Put it down; next fleet, or the battle begins."""
        tile = stage_of(state, PlacingTile).tile
        return Step(_next_tile(replace(state, ocean=state.ocean.with_tile(action.cell, tile))))


def _enemies_beside(state: State, cell: Cell) -> list[Ship]:
    around = neighbours(cell, state.ocean.radius)
    own = state.fleet.colour
    return [s for s in state.ships if s.cell in around and state.are_enemies(own, s.colour)]


def tile_places(state: State) -> set[Cell]:
    """Return the hexes on which the fleet on turn may place a tile."""
    own = state.fleet.colour
    barred = set(state.ocean.terrain)
    for ship in state.ships:
        barred.add(ship.cell)
        if state.are_enemies(own, ship.colour):
            barred.update(neighbours(ship.cell, state.ocean.radius))
    return set(state.ocean.cells) - barred


def _next_tile(state: State) -> State:
    barrel = stage_of(state, PlacingTile).barrel
    if any(barrel):
        return replace(state, stage=DrawingTile(barrel), turn=(state.turn + 1) % len(state.fleets))
    return replace(state, stage=ChoosingDice(), turn=0, round=1)


SETUP_PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    DrawingCommodores: DrawCommodores(),
    PlacingFleets: PlaceFleets(),
    BuyingThird: BuyThirds(),
    ChoosingDensity: ChooseDensities(),
    DrawingTile: DrawTiles(),
    PlacingTile: PlaceTiles(),
}
"""The phase of each stage of the set-up."""
