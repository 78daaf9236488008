"""The set-up's last steps: how much terrain there is, and where it lies (AOW-18 to 21)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.articles_of_war.actions import ChooseDensity, DrawTile, PlaceTile, place_tile
from companion.rules.articles_of_war.ocean import TILES
from companion.rules.articles_of_war.options import DENSITIES
from companion.rules.articles_of_war.state import (
    ChoosingDice,
    DrawingTile,
    PlacingTile,
    Ship,
    State,
)
from companion.rules.articles_of_war.words import colour_name
from companion.rules.game import CHANCE, ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.hexes import hex_name, neighbours
from companion.rules.layout import Cell
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.words import listed


class ChooseDensities(Choice[State, ChooseDensity]):
    """The last player chooses how much terrain there is (AOW-18)."""

    name, rule, takes = "choose_density", "AOW-18", (ChooseDensity,)

    def pending(self, state: State) -> Decision:
        """Ask the last fleet."""
        choices = listed(DENSITIES, "or")
        text = f"{colour_name(state.fleet.colour)}: choose {choices} tiles of each terrain"
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
        return ChanceRoll(
            player, self.name, f"{colour_name(state.fleet.colour)}: draw a terrain tile"
        )

    def odds(self, state: State) -> tuple[tuple[DrawTile, Fraction], ...]:
        """Each tile in the barrel is equally likely."""
        barrel = stage_of(state, DrawingTile).barrel
        pairs = sorted(zip(TILES, barrel, strict=True))
        return tuple((DrawTile(CHANCE, t), Fraction(n, sum(barrel))) for t, n in pairs if n)

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
            f"No hex is free for {colour_name(state.fleet.colour)}'s {action.tile}: it is set aside"
        )
        return Step(_next_tile(drawn), (Happening(text, "AOW-21"),))


class PlaceTiles(Choice[State, PlaceTile]):
    """Put the tile on an empty hex, not beside an enemy (AOW-19, AOW-20)."""

    name, rule, takes = "place_tile", "AOW-19", (PlaceTile,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        tile = stage_of(state, PlacingTile).tile
        player = state.fleet.player
        return Decision(player, self.name, f"{colour_name(state.fleet.colour)}: place the {tile}")

    def actions(self, state: State) -> tuple[PlaceTile, ...]:
        """Every hex it may lie on."""
        player = state.fleet.player
        return tuple(place_tile(player, cell) for cell in sorted(tile_places(state)))

    def refuse(self, state: State, action: PlaceTile) -> Ruling | None:
        """Refuse a hex off the map, taken, or beside an enemy."""
        cell = hex_name(action.cell)
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
            f" {cell} is beside {listed(colour_name(c) for c in near)}.",
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
