"""Spending dice: sailing hex by hex, reefs and gunnery (AOW-33 to 50)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.articles_of_war.actions import Fire, Sail
from companion.rules.articles_of_war.boarding import board
from companion.rules.articles_of_war.options import BASIC_PURSE, MERCHANT
from companion.rules.articles_of_war.spends import (
    duty_after_sail,
    duty_after_shot,
    refuse_spend,
    spends,
    struck,
)
from companion.rules.articles_of_war.state import (
    DESERT,
    REEF,
    VOLCANO,
    OnReef,
    Ship,
    State,
    lose,
    pay,
    with_ship,
    without,
)
from companion.rules.articles_of_war.turns import (
    after_spend,
    cannon_rolls,
    refuse_cannon_roll,
    ship_lost,
)
from companion.rules.articles_of_war.words import colour_name, dice_shown, ship_of, who
from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.hexes import step
from companion.rules.layout import cell_name
from companion.rules.phases import Chance, Choice, stage_of

BREACHED = 1
"""Face of the cannonball die that sinks a ship on a reef (AOW-41)."""


class SpendDice(Choice[State, Sail | Fire]):
    """Dice are spent one at a time on own ships, in any order (AOW-26)."""

    name, rule, takes = "spend", "AOW-26", (Sail, Fire)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        player = state.fleet.player
        text = f"{who(state, player)}: spend {dice_shown(state.sails, state.cannons)}"
        return Decision(player, self.name, text)

    def actions(self, state: State) -> tuple[Sail | Fire, ...]:
        """Every legal spend."""
        return tuple(spends(state))

    def refuse(self, state: State, action: Sail | Fire) -> Ruling | None:
        """See `companion.rules.articles_of_war.spends`."""
        return refuse_spend(state, action)

    def play(self, state: State, action: Sail | Fire) -> Step[State]:
        """Sail or fire."""
        if isinstance(action, Sail):
            return _set_sail(state, action)
        return _shoot(state, action)


def _ship_on(state: State, action: Sail | Fire) -> Ship:
    colour = state.fleet.colour
    return next(s for s in state.ships if s.cell == action.ship and s.colour == colour)


def _less(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def _set_sail(state: State, action: Sail) -> Step[State]:
    ship = _ship_on(state, action)
    state = replace(
        state,
        sails=_less(state.sails, action.die),
        ships=without(state.ships, ship.cell, ship.colour),
    )
    mover = ship._replace(duty=duty_after_sail(ship.duty, action.direction))
    return _under_way(state, mover, action.direction, action.die)


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
        wreck = _wreck(state, mover)
        if wreck:
            return ship_lost(state, mover, (*happenings, wreck))
        if state.ocean.terrain.get(mover.cell) == REEF:
            return Step(replace(state, stage=OnReef(mover, direction, still)), happenings)
        enemy = occupied.get(mover.cell)
        if enemy and state.are_enemies(mover.colour, enemy):
            return board(state, mover, enemy, happenings)
    return after_spend(replace(state, ships=with_ship(state.ships, mover)), happenings)


def _wreck(state: State, mover: Ship) -> Happening | None:
    """Return how the hex it has entered destroys a ship, if it does."""
    ship, place = ship_of(mover.colour), cell_name(mover.cell)
    if mover.cell not in state.ocean.cells:
        return Happening(f"{ship} has left the map and is out of the battle", "AOW-37")
    tile = state.ocean.terrain.get(mover.cell)
    if tile == VOLCANO:
        return Happening(f"{ship} is dashed to splinters on the volcano at {place}", "AOW-39")
    if tile == DESERT:
        return Happening(f"{ship} is beached on the desert at {place}", "AOW-40")
    return None


class RollReef(Chance[State, Roll]):
    """One cannonball die for each reef entered; a 1 sinks the ship (AOW-41)."""

    name, rule, takes = "reef", "AOW-41", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the owner of the ship."""
        mover = stage_of(state, OnReef).mover
        text = f"{colour_name(mover.colour)}: roll a cannonball die for the reef at"
        text = f"{text} {cell_name(mover.cell)}"
        return ChanceRoll(state.fleet.player, self.name, text, ("cannon",))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One cannonball die."""
        return cannon_rolls(state.options.cannon)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """One cannonball die."""
        return refuse_cannon_roll(state, action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Lose the ship, or let it sail on."""
        stage = stage_of(state, OnReef)
        mover, face = stage.mover, action.dice[0].face
        ship, place = ship_of(mover.colour), cell_name(mover.cell)
        if face == BREACHED:
            text = f"The reef at {place} breaches {ship}"
            return ship_lost(state, mover, (Happening(text, "AOW-41"),))
        happenings = (Happening(f"{ship} passes the reef at {place}", "AOW-41"),)
        enemy = state.occupied().get(mover.cell)
        if enemy and state.are_enemies(mover.colour, enemy):
            return board(state, mover, enemy, happenings)
        return _under_way(state, mover, stage.direction, stage.left, happenings)


def _shoot(state: State, action: Fire) -> Step[State]:
    ship = _ship_on(state, action)
    fired = ship._replace(duty=duty_after_shot(ship.duty))
    hit = struck(state, action)
    ships = with_ship(without(state.ships, ship.cell, ship.colour), fired)
    state = replace(state, cannons=_less(state.cannons, action.die), ships=ships)
    if hit is None:
        return after_spend(state)
    target = state.ocean.target(action.ship, action.direction, action.die)
    assert target is not None
    state = lose(replace(state, ships=without(state.ships, target, hit)), hit)
    shooter = colour_name(ship.colour)
    if hit == MERCHANT:
        coins, rule, text = BASIC_PURSE.merchant_sunk, "AOW-50", f"{shooter} sinks the merchant"
    else:
        coins, rule, text = BASIC_PURSE.sunk, "AOW-46", f"{shooter} sinks {ship_of(hit)}"
    paid = ((action.player, coins),) if coins else ()
    return after_spend(pay(state, action.player, coins), (Happening(text, rule, paid),))
