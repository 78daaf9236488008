"""The opening: fleets are picked or bought, and who begins (CSG-37, CSG-38, CSG-43)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.errors import BadOptions
from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.actions import DoneBuying, PickFleet
from companion.rules.pirates_csg.buying import (
    has_berth,
    refuse_crew,
    refuse_ship_card,
    with_new_crew,
    with_new_ship,
)
from companion.rules.pirates_csg.deck import NOBODY, ReadyFleet
from companion.rules.pirates_csg.dice import RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.harbour_actions import BuyShip, Hire
from companion.rules.pirates_csg.laying_out import (
    LayOutSea,
    drawn_islands,
    drawn_terrain,
    standard_layout,
)
from companion.rules.pirates_csg.options import Options
from companion.rules.pirates_csg.stages import Building, LayingOut, PickingFleets, RollingOrder
from companion.rules.pirates_csg.state import (
    Seat,
    State,
    find_ship,
    fleet_of,
    home_of,
    paid,
    with_ship,
)
from companion.rules.pirates_csg.turns import begin_turn
from companion.rules.pirates_csg.words import Told, island_name, name_of, who
from companion.rules.words import listed


def opening(names: Sequence[str], options: Options) -> State:
    """Return the state before the first captain does anything. Raises `BadOptions`."""
    dearest = max(options.deck.fleet_cost(fleet) for fleet in options.deck.fleets)
    if options.fleets != "build" and options.build_points < dearest:
        raise BadOptions(
            f"the ready fleets cost up to {dearest} gold: that many build points are needed",
            "build_points",
        )
    seats = tuple(Seat(options.build_points) for _ in names)
    stage = {"ready": LayingOut(), "choose": PickingFleets(), "build": Building()}
    islands = drawn_islands(len(names), options)
    terrain = drawn_terrain(islands, options)
    state = State(tuple(names), options, stage[options.fleets], seats, (), islands, terrain)
    if options.fleets == "build":
        return state
    ready = state
    for seat, fleet in zip(range(len(names)), options.deck.fleets, strict=False):
        ready = _with_fleet(ready._replace(turn=seat), fleet)
    # Without a camera the lay-out as drawn is the only one.
    if LayOutSea().refuse(ready, standard_layout(ready)) is not None:
        width, height = options.sea_mm
        raise BadOptions(
            f"the ready fleets of {len(names)} captains do not find room at home"
            f" in a sea of {width} by {height} mm: choose fewer islands or a larger sea",
            "sea_mm",
        )
    return ready._replace(turn=0) if options.fleets == "ready" else state


def _with_fleet(state: State, fleet: ReadyFleet) -> State:
    """Return the state after the captain on turn has bought a ready fleet (CSG-37, CSG-42)."""
    home = home_of(state, state.turn).tag
    for name, crew in fleet.ships:
        card = state.deck.ship[name]
        state = paid(with_new_ship(state, card, home), state.turn, -card.cost)
        for member in crew:
            state = with_new_crew(state, card.tag, member).state
    return state


def free_fleets(state: State) -> list[ReadyFleet]:
    """Return the ready fleets nobody has picked."""
    taken = {ship.card for ship in state.ships}
    gold = state.options.build_points
    fleets = [f for f in state.deck.fleets if not taken & {name for name, _ in f.ships}]
    return [f for f in fleets if state.deck.fleet_cost(f) <= gold]


class PickFleets(TurnChoice[State, PickFleet]):
    """Captains pick a ready fleet, in order of their seats (CSG-37)."""

    name, rule, takes = "pick_fleet", "CSG-37", (PickFleet,)

    def pending(self, state: State) -> Decision:
        """Ask the next captain."""
        text = f"{who(state, state.turn)}: choose a ready fleet"
        return Decision(state.player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[PickFleet, ...]:
        """Return those that are left."""
        return tuple(sorted(PickFleet(state.player, f.id) for f in free_fleets(state)))

    def refuse(self, state: State, action: PickFleet) -> Ruling | None:
        """Refuse fleets that are taken."""
        if action.fleet in [f.id for f in free_fleets(state)]:
            return None
        return no(self.rule, f"There is no ready fleet {action.fleet!r} that is still free.")

    def play(self, state: State, action: PickFleet) -> Step[State]:
        """Buy it."""
        fleet = state.deck.fleet[action.fleet]
        state = _with_fleet(state, fleet)
        text = f"{who(state, state.turn)} sails with {fleet.title}"
        return Step(_next_fleet(state), (Happening(text, self.rule),))


def _next_fleet(state: State) -> State:
    """Let the next captain choose a fleet; after the last the sea is laid out."""
    if state.turn + 1 < len(state.seats):
        return state._replace(turn=state.turn + 1)
    return state._replace(turn=0, stage=LayingOut())


class BuyFleets(TurnChoice[State, Deed]):
    """Captains buy ships and crew card by card, in order of their seats (CSG-37, CSG-38)."""

    name, rule, takes = "build", "CSG-37", (BuyShip, Hire, DoneBuying)

    def pending(self, state: State) -> Decision:
        """Ask the next captain; the big button says that the fleet is complete."""
        gold, done = state.seats[state.turn].gold, DoneBuying(state.player)
        passing = done if self.refuse(state, done) is None else None
        text = f"{who(state, state.turn)}: buy ships and crew with {gold} gold"
        text += ", then finish" if passing else ""
        return Decision(state.player, self.name, text, passing, told=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return everything that can be paid."""
        home = home_of(state, state.turn).tag
        ships = [BuyShip(state.player, card.id, home) for card in state.deck.ships]
        crew = [
            Hire(state.player, ship.tag, card.id)
            for ship in fleet_of(state, state.turn)
            for card in state.deck.crew
        ]
        found = [*ships, *crew, DoneBuying(state.player)]
        return tuple(sorted(a for a in found if self.refuse(state, a) is None))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse what cannot be bought, and captains without a ship."""
        match action:
            case BuyShip(card=card, island=island):
                return self._refuse_ship(state, card, island)
            case Hire(ship=tag, card=card):
                ship = find_ship(state, tag)
                if ship is None or ship.owner != state.turn:
                    return no("CSG-4", f"{name_of(state, tag)} is not in your fleet.")
                return refuse_crew(state, ship, card)
        home, cards = home_of(state, state.turn).tag, state.deck.ships
        can_buy = any(self._refuse_ship(state, card.id, home) is None for card in cards)
        if can_buy and not any(True for _ in fleet_of(state, state.turn)):
            return no(self.rule, "Buy a ship first: a fleet has at least one.")
        return None

    def _refuse_ship(self, state: State, card: str, island: int) -> Ruling | None:
        home = home_of(state, state.turn)
        if island != home.tag:
            return no("CSG-42", "All ships begin docked at home.")
        refusal = refuse_ship_card(state, state.turn, card)
        if refusal is None and not has_berth(state, state.deck.ship[card], island):
            return no(
                "CSG-42", f"There is no room to dock more ships at {island_name(state, home)}."
            )
        return refusal

    def play(self, state: State, action: Deed) -> Step[State]:
        """Buy it, or let the next captain buy."""
        match action:
            case BuyShip(card=card, island=island):
                printed = state.deck.ship[card]
                state = paid(with_new_ship(state, printed, island), state.turn, -printed.cost)
                text = f"{who(state, state.turn)} buys {printed.title} for {printed.cost} gold"
                coins = ((state.player, -printed.cost),)
                return Step(state, (Happening(text, self.rule, coins),))
            case Hire(ship=tag, card=card):
                return with_new_crew(state, tag, card)
        gold = state.seats[state.turn].gold
        text = f"{who(state, state.turn)}'s fleet is complete, {gold} gold are left"
        return Step(_next_fleet(state), (Happening(text, self.rule),))


class RollForOrder(RollOneDie):
    """Everybody rolls; the highest begins, ties roll again (CSG-43)."""

    name, rule = "roll_order", "CSG-43"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next who may still begin."""
        seat = self._roller(state)
        return ask_die(seat, self.name, f"{who(state, seat)}: roll for the first turn")

    def play(self, state: State, action: Roll) -> Step[State]:
        """Keep the roll; after the last see who begins."""
        seat = self._roller(state)
        before = stage_of(state, RollingOrder).rolls
        rolls = [*before[:seat], face_of(action), *before[seat + 1 :]]
        if 0 in rolls:
            return Step(state._replace(stage=RollingOrder(tuple(rolls))))
        best = [s for s, rolled in enumerate(rolls) if rolled == max(rolls)]
        if len(best) > 1:
            again = tuple(0 if s in best else NOBODY for s in range(len(rolls)))
            names = listed(who(state, s) for s in best)
            told: Told = (Happening(f"{names} roll again", self.rule),)
            return Step(state._replace(stage=RollingOrder(again)), told)
        first = best[0]
        for ship in state.ships:
            state = with_ship(state, replace(ship, barred=0))
        state = state._replace(first=first, turn=first, round=1)
        return begin_turn(state, (Happening(f"{who(state, first)} begins", self.rule),))

    def _roller(self, state: State) -> int:
        return stage_of(state, RollingOrder).rolls.index(0)
