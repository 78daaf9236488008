"""Spending dice: sailing hex by hex, reefs and gunnery (AOW-33 to 50)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import Fire, RollAgain, Sail
from companion.rules.articles_of_war.boarding import board
from companion.rules.articles_of_war.cards import AFTER_ROLL, ON_REEF
from companion.rules.articles_of_war.flow import Told, after_spend, offered, settle
from companion.rules.articles_of_war.gambits import ready, turn_over
from companion.rules.articles_of_war.ocean import DESERT, REEF, VOLCANO
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.rolls import DieRoll
from companion.rules.articles_of_war.spends import (
    BY_GAMBIT,
    duty_after_sail,
    duty_after_shot,
    gambit_spends,
    refuse_spend,
    spends,
    struck,
)
from companion.rules.articles_of_war.state import (
    OnReef,
    Rerolling,
    Ship,
    Spending,
    State,
    earn,
    lose,
    with_ship,
    without,
)
from companion.rules.articles_of_war.words import colour_name, dice_shown, ship_first, ship_of
from companion.rules.deeds import Roll
from companion.rules.dice import die_words
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.hexes import hex_name, step
from companion.rules.layout import Die
from companion.rules.phases import Choice, no, stage_of
from companion.rules.tuples import less

BREACHED = 1
"""Face of the cannonball die that sinks a ship on a reef (AOW-41)."""


class SpendDice(Choice[State, Sail | Fire | RollAgain]):
    """Dice are spent one at a time on own ships, in any order (AOW-26)."""

    name, rule, takes = "spend", "AOW-26", (Sail, Fire, RollAgain)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        fleet = state.fleet
        text = f"{colour_name(fleet.colour)}: spend {dice_shown(state.sails, state.cannons)}"
        return Decision(fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[Sail | Fire | RollAgain, ...]:
        """Every legal spend, and what the gambit of the fleet allows besides."""
        found = tuple(spends(state))
        if not state.options.cards:
            return found
        return (*found, *gambit_spends(state), *_rolled_again(state))

    def refuse(self, state: State, action: Sail | Fire | RollAgain) -> Ruling | None:
        """See `companion.rules.articles_of_war.spends`."""
        if not isinstance(action, RollAgain):
            return refuse_spend(state, action)
        again = _rolled_again(state)
        if action in again:
            return None
        if again:
            return no("AOW-64", "Only a die that lies in the tray can be rolled again.")
        return no("AOW-64", "Dice are rolled once; no gambit allows another roll now.")

    def play(self, state: State, action: Sail | Fire | RollAgain) -> Step[State]:
        """Sail, fire or take a die up to roll it again."""
        if isinstance(action, RollAgain):
            return _take_up(state, action.rolled)
        if isinstance(action, Sail):
            return _set_sail(state, action)
        return _shoot(state, action)


def _ship_on(state: State, action: Sail | Fire) -> Ship:
    colour = state.fleet.colour
    return next(s for s in state.ships if s.cell == action.ship and s.colour == colour)


def _rolled_again(state: State) -> tuple[RollAgain, ...]:
    """Return the dice that a gambit lets the fleet on turn roll again, sorted."""
    fleet = state.fleet
    effect = ready(state, fleet.colour, AFTER_ROLL)
    if not stage_of(state, Spending).fresh or effect is None:
        return ()
    dice = {Die("sail", face) for face in state.sails}
    dice |= {Die("cannon", face) for face in state.cannons}
    return tuple(RollAgain(fleet.player, die) for die in sorted(dice))


def _take_up(state: State, die: Die) -> Step[State]:
    state, told = turn_over(state, state.fleet.colour)
    state = replace(state, stage=Rerolling(die.kind))
    if die.kind == "sail":
        return Step(replace(state, sails=less(state.sails, die.face)), (told,))
    return Step(replace(state, cannons=less(state.cannons, die.face)), (told,))


class RollDieAgain(DieRoll):
    """A gambit: one die is rolled again before any is spent (AOW-64)."""

    name, rule = "roll_again", "AOW-64"

    def kind(self, state: State) -> str:
        """Return the kind of the die that was taken up."""
        return stage_of(state, Rerolling).kind

    def pending(self, state: State) -> ChanceRoll:
        """Ask the fleet on turn."""
        kind = self.kind(state)
        text = f"{colour_name(state.fleet.colour)}: roll the {die_words(kind)} again"
        return ChanceRoll(state.fleet.player, self.name, text, (kind,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Put it to the others."""
        die = action.dice[0]
        if die.kind == "sail":
            state = replace(state, sails=tuple(sorted((*state.sails, die.face))))
        else:
            state = replace(state, cannons=tuple(sorted((*state.cannons, die.face))))
        return after_spend(state)


def _set_sail(state: State, action: Sail) -> Step[State]:
    ship = _ship_on(state, action)
    state, told = _play_with(state, action)
    state = replace(
        state,
        sails=less(state.sails, action.die),
        ships=without(state.ships, ship.cell, ship.colour),
    )
    mover = ship._replace(duty=duty_after_sail(ship.duty, action.direction))
    return _under_way(state, mover, action.direction, action.length, told)


def _play_with(state: State, action: Sail | Fire) -> tuple[State, Told]:
    """Return the state with the card used that a spend needs, if it needs one."""
    if not isinstance(action, BY_GAMBIT):
        return state, ()
    state, told = turn_over(state, state.fleet.colour)
    return state, (told,)


def _under_way(
    state: State,
    mover: Ship,
    direction: int,
    left: int,
    happenings: tuple[Happening, ...] = (),
) -> Step[State]:
    """Sail on hex by hex: edge, then terrain, then enemy (AOW-38), until it ends or is rolled."""
    occupied = state.occupied()
    for still in range(left - 1, -1, -1):
        mover = mover._replace(cell=step(mover.cell, direction))
        ruin = wreck(state, mover, ship_first(mover.colour))
        if ruin:
            return _founder(state, mover, (*happenings, ruin))
        if state.ocean.terrain.get(mover.cell) == REEF:
            reef = OnReef(mover, direction, still)
            stage = offered(state, mover.colour, ON_REEF, reef)
            return Step(replace(state, stage=stage), happenings)
        enemy = occupied.get(mover.cell)
        if enemy and state.are_enemies(mover.colour, enemy):
            return board(state, mover, enemy, happenings)
    return after_spend(replace(state, ships=with_ship(state.ships, mover)), happenings)


def _founder(state: State, mover: Ship, told: Told) -> Step[State]:
    """Go on after the ship under way is lost; its share of the dice is forfeited (AOW-30)."""
    return settle(lose(state, mover.colour), (mover.colour,), Spending(), told)


def wreck(state: State, mover: Ship, ship: str) -> Happening | None:
    """Return how the hex it has entered destroys a ship, named so, if it does."""
    place = hex_name(mover.cell)
    if mover.cell not in state.ocean.cells:
        return Happening(f"{ship} has left the map and is out of the battle", "AOW-37")
    tile = state.ocean.terrain.get(mover.cell)
    if tile == VOLCANO:
        return Happening(f"{ship} is dashed to splinters on the volcano at {place}", "AOW-39")
    if tile == DESERT:
        return Happening(f"{ship} is beached on the desert at {place}", "AOW-40")
    return None


class RollReef(DieRoll):
    """One cannonball die for each reef entered; a 1 sinks the ship (AOW-41)."""

    name, rule = "reef", "AOW-41"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the owner of the ship."""
        mover = stage_of(state, OnReef).mover
        text = f"{colour_name(mover.colour)}: roll a cannonball die for the reef at"
        text = f"{text} {hex_name(mover.cell)}, a 1 loses the ship"
        return ChanceRoll(state.fleet.player, self.name, text, ("cannon",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Lose the ship, or let it sail on."""
        stage = stage_of(state, OnReef)
        mover, face = stage.mover, action.dice[0].face
        ship, place = ship_of(mover.colour), hex_name(mover.cell)
        if face == BREACHED:
            text = f"The reef at {place} breaches {ship}"
            return _founder(state, mover, (Happening(text, "AOW-41"),))
        return past_reef(state, stage, (Happening(f"{ship} passes the reef at {place}", "AOW-41"),))


def past_reef(state: State, stage: OnReef, told: Told) -> Step[State]:
    """Sail on from a reef; an enemy on it is boarded now (AOW-38)."""
    mover = stage.mover
    enemy = state.occupied().get(mover.cell)
    if enemy and state.are_enemies(mover.colour, enemy):
        return board(state, mover, enemy, told)
    return _under_way(state, mover, stage.direction, stage.left, told)


def _shoot(state: State, action: Fire) -> Step[State]:
    ship = _ship_on(state, action)
    fired = ship._replace(duty=duty_after_shot(ship.duty))
    hit = struck(state, action)
    state, told = _play_with(state, action)
    ships = with_ship(without(state.ships, ship.cell, ship.colour), fired)
    state = replace(state, cannons=less(state.cannons, action.die), ships=ships)
    if hit is None:
        return after_spend(state, told)
    target = state.ocean.target(action.ship, action.direction, action.length)
    assert target is not None
    state = lose(replace(state, ships=without(state.ships, target, hit)), hit)
    shooter, purse = colour_name(ship.colour), state.options.purse
    if hit == MERCHANT:
        rule = "AOW-79" if state.options.marque else "AOW-50"
        state, coins = earn(state, ship.colour, purse.merchant_sunk)
        sunk = Happening(f"{shooter} sinks the merchant", rule, coins)
    else:
        state, coins = earn(state, ship.colour, purse.sunk)
        sunk = Happening(f"{shooter} sinks {ship_of(hit)}", "AOW-46", coins)
    return settle(state, (hit,), Spending(), (*told, sunk))
