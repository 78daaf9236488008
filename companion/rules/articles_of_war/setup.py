"""The set-up up to the third ships: cards, gold, merchant, fleets (AOW-12 to 17)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.articles_of_war.actions import BuyThird, DrawCommodore, Pass, PlaceFleet
from companion.rules.articles_of_war.ocean import CENTRE
from companion.rules.articles_of_war.options import COLOURS, MERCHANT
from companion.rules.articles_of_war.order import turn_order
from companion.rules.articles_of_war.state import (
    AddingThird,
    BuyingThird,
    ChoosingDensity,
    Coins,
    Fleet,
    Memory,
    PlacingFleets,
    Ship,
    State,
    earn,
    pay,
    with_ship,
)
from companion.rules.articles_of_war.words import colour_name, hexes_listed
from companion.rules.game import (
    CHANCE,
    ChanceRoll,
    Decision,
    Happening,
    PlayerId,
    Ruling,
    Step,
)
from companion.rules.hexes import hex_name, neighbours
from companion.rules.layout import Cell
from companion.rules.phases import Chance, Choice, no
from companion.rules.words import counted, listed


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
        player = drawing_seat(state)
        return ChanceRoll(player, self.name, f"{state.names[player]}: draw a commodore card")

    def odds(self, state: State) -> tuple[tuple[DrawCommodore, Fraction], ...]:
        """Every card that nobody holds is equally likely."""
        held = {fleet.colour for fleet in state.fleets}
        cards = sorted(zip(COLOURS, state.options.card_numbers, strict=True))
        left = [DrawCommodore(CHANCE, c, n) for c, n in cards if c not in held]
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
        player = drawing_seat(state)
        fleets = (*state.fleets, Fleet(player, action.colour, action.number))
        state = replace(state, fleets=fleets)
        text = f"{state.names[player]} sails under {action.colour.capitalize()}"
        drawn = Happening(text, "AOW-12")
        if len(fleets) < cards_to_draw(state):
            return Step(state, (drawn,))
        return open_battle(state, 1, (drawn,))


def cards_to_draw(state: State) -> int:
    """Return how many commodores take part: one a captain, two in The Duel (AOW-70)."""
    return len(state.names) * (2 if state.options.duel else 1)


def drawing_seat(state: State) -> PlayerId:
    """Return who draws the next card: seat after seat, in The Duel twice round."""
    return PlayerId(len(state.fleets) % len(state.names))


def open_battle(state: State, battle: int, told: tuple[Happening, ...]) -> Step[State]:
    """Begin a battle with an empty ocean: order, gold and merchant (AOW-13 to 15, AOW-75, 76)."""
    fleets = turn_order(state.fleets, battle, duel=state.options.duel)
    keeps_cards = state.options.gambits_fresh == "campaign"
    state = replace(
        state,
        stage=PlacingFleets(),
        fleets=fleets,
        ocean=state.ocean.cleared(),
        ships=(Ship(CENTRE, MERCHANT),),
        turn=0,
        round=0,
        memory=Memory(battle, state.memory.played if keeps_cards else ()),
    )
    if battle == 1:
        first = colour_name(fleets[0].colour)
        told = (
            *told,
            Happening(f"{first} goes first: the lowest number", state.options.rule_of_order),
        )
        state, paid = _start_gold(state)
        told = (*told, *paid)
    return Step(state, (*told, Happening("The merchant anchors in the centre", "AOW-15")))


def _start_gold(state: State) -> tuple[State, tuple[Happening, ...]]:
    """Pay the doubloons of the first battle; there are none in The Duel (AOW-14, AOW-71)."""
    start = state.options.purse.start
    if not start:
        return state, ()
    coins: Coins = ()
    for fleet in sorted(state.fleets, key=lambda fleet: fleet.player):
        state, paid = earn(state, fleet.colour, start)
        coins = (*coins, *paid)
    return state, (Happening(f"Everyone takes {start} doubloons", "AOW-14", coins),)


class PlaceFleets(Choice[State, PlaceFleet]):
    """Two ships: on a starting hex and beside it (AOW-16)."""

    name, rule, takes = "place_fleet", "AOW-16", (PlaceFleet,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        text = (
            f"{colour_name(state.fleet.colour)}: place a ship on a starting hex and one beside it"
        )
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
                f"{hex_name(action.start)} is no free starting hex: choose"
                f" {hexes_listed(free, 'or')}.",
            )
        beside = empty_neighbours(state, action.start)
        if action.second not in beside:
            return no(
                self.rule,
                f"The second ship goes on an empty hex beside {hex_name(action.start)}:"
                f" {hexes_listed(beside)}.",
            )
        return None

    def play(self, state: State, action: PlaceFleet) -> Step[State]:
        """Put both ships down; next fleet, or on to the third ships."""
        colour = state.fleet.colour
        ships = with_ship(state.ships, Ship(action.start, colour))
        ships = with_ship(ships, Ship(action.second, colour))
        if state.turn < len(state.fleets) - 1:
            return Step(replace(state, ships=ships, turn=state.turn + 1))
        third = AddingThird() if state.options.duel else BuyingThird()
        return Step(replace(state, ships=ships, turn=0, stage=third))


def free_starts(state: State) -> tuple[Cell, ...]:
    """Return the starting hexes that nobody has claimed, sorted."""
    occupied = state.occupied()
    return tuple(cell for cell in state.options.start_cells if cell not in occupied)


class BuyThirds(Choice[State, BuyThird | Pass]):
    """A third ship for gold, or keep the gold (AOW-17)."""

    name, rule, takes = "buy_third", "AOW-17", (BuyThird, Pass)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        price = state.options.purse.third_ship
        name = colour_name(state.fleet.colour)
        text = f"{name}: buy a third ship for {price} doubloons or keep them"
        if not self._can_pay(state):
            text = f"{name}: a third ship costs {price} doubloons, more than you have; go on"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[BuyThird | Pass, ...]:
        """Every place for the ship if it can be paid, and passing."""
        player = state.fleet.player
        places = third_places(state, state.fleet.colour) if self._can_pay(state) else ()
        return (*(BuyThird(player, cell) for cell in places), Pass(player))

    def refuse(self, state: State, action: BuyThird | Pass) -> Ruling | None:
        """Refuse a ship that is not paid or not beside the starting hex."""
        if isinstance(action, Pass):
            return None
        if not self._can_pay(state):
            have = counted(state.gold[state.fleet.player], "doubloon", "doubloons")
            price = state.options.purse.third_ship
            return no(self.rule, f"A third ship costs {price} doubloons; you have {have}.")
        places = third_places(state, state.fleet.colour)
        if action.cell not in places:
            return no(
                self.rule,
                "The third ship goes on an empty hex beside your starting hex:"
                f" {hexes_listed(places) or 'none is left'}.",
            )
        return None

    def play(self, state: State, action: BuyThird | Pass) -> Step[State]:
        """Pay and place, or keep the gold; next fleet, or on to the terrain."""
        happenings: tuple[Happening, ...] = ()
        if isinstance(action, BuyThird):
            price = -state.options.purse.third_ship
            state = pay(state, action.player, price)
            ships = with_ship(state.ships, Ship(action.cell, state.fleet.colour))
            state = replace(state, ships=ships)
            text = f"{colour_name(state.fleet.colour)} pays {-price} doubloons for a third ship"
            happenings = (Happening(text, "AOW-17", ((action.player, price),)),)
        if state.turn < len(state.fleets) - 1:
            return Step(replace(state, turn=state.turn + 1), happenings)
        # AOW-18: the last fleet in turn order also chooses the density, so it stays on turn.
        return Step(replace(state, stage=ChoosingDensity()), happenings)

    @staticmethod
    def _can_pay(state: State) -> bool:
        return state.gold[state.fleet.player] >= state.options.purse.third_ship


def third_places(state: State, colour: str) -> tuple[Cell, ...]:
    """Return the empty hexes beside the starting hex of a fleet, sorted (AOW-17)."""
    # Starting hexes are two or more steps apart, so just one of a fleet's ships lies on one.
    starts = state.options.start_cells
    home = next(s.cell for s in state.ships if s.colour == colour and s.cell in starts)
    return empty_neighbours(state, home)
