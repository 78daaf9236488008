"""The turn: choosing and rolling dice, what follows a spend, the end of turn and battle."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache

from companion.rules.articles_of_war.actions import ChooseDice
from companion.rules.articles_of_war.options import (
    BASIC_PURSE,
    MERCHANT,
    MOST_CANNONS,
    MOST_SAILS,
)
from companion.rules.articles_of_war.spends import spends
from companion.rules.articles_of_war.state import (
    FRESH,
    ChoosingDice,
    Finished,
    Rolling,
    Ship,
    Spending,
    State,
    lose,
    pay,
)
from companion.rules.articles_of_war.words import colour_name, dice_set, dice_shown, who
from companion.rules.deeds import Roll, roll
from companion.rules.dice import DieKind, pool_distribution
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Die
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.words import counted


def dice_sets(ships: int) -> tuple[tuple[int, int], ...]:
    """Return the legal ``(sails, cannons)`` for so many ships, fewest sails first (AOW-24).

    >>> dice_sets(2)
    ((2, 2), (3, 1), (4, 0))
    """
    return tuple(
        (sails, 2 * ships - sails)
        for sails in range(ships, 2 * ships + 1)
        if sails <= MOST_SAILS and 2 * ships - sails <= MOST_CANNONS
    )


class ChooseDiceSet(Choice[State, ChooseDice]):
    """Two dice a ship, at least half of them sails, chosen before the roll (AOW-23, AOW-24)."""

    name, rule, takes = "choose_dice", "AOW-23", (ChooseDice,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        ships = state.count(state.fleet.colour)
        fleet = counted(ships, "ship", "ships")
        text = f"{who(state, state.fleet.player)}: choose {2 * ships} dice for {fleet}"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[ChooseDice, ...]:
        """Every legal set."""
        sets = dice_sets(state.count(state.fleet.colour))
        return tuple(ChooseDice(state.fleet.player, s, c) for s, c in sets)

    def refuse(self, state: State, action: ChooseDice) -> Ruling | None:
        """Refuse a number that does not fit the ships, or too few sails."""
        ships = state.count(state.fleet.colour)
        if (action.sails, action.cannons) in dice_sets(ships):
            return None
        fleet = counted(ships, "ship", "ships")
        if action.sails + action.cannons != 2 * ships:
            return no("AOW-23", f"Take two dice for each ship: {2 * ships} dice for {fleet}.")
        return no(
            "AOW-24",
            f"Each ship needs a sail: {ships} to {2 * ships} of the dice for {fleet} are sails.",
        )

    def play(self, state: State, action: ChooseDice) -> Step[State]:
        """Put the dice into the cup."""
        return Step(replace(state, stage=Rolling(action.sails, action.cannons)))


class RollDice(Chance[State, Roll]):
    """All chosen dice are rolled together, once (AOW-25)."""

    name, rule, takes = "roll", "AOW-25", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice that were chosen."""
        stage = stage_of(state, Rolling)
        player = state.fleet.player
        text = f"{who(state, player)}: roll {dice_set(stage.sails, stage.cannons)}"
        kinds = ("cannon",) * stage.cannons + ("sail",) * stage.sails
        return ChanceRoll(player, self.name, text, kinds)

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """Every joint result; the order in the tray means nothing."""
        stage = stage_of(state, Rolling)
        options = state.options
        return _rolls(options.sail, stage.sails, options.cannon, stage.cannons)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice than those chosen and faces they do not have."""
        stage = stage_of(state, Rolling)
        wanted = dice_set(stage.sails, stage.cannons)
        kinds = [die.kind for die in action.dice]
        if sorted(kinds) != ["cannon"] * stage.cannons + ["sail"] * stage.sails:
            return no(self.rule, f"The dice chosen must all be rolled: {wanted}.")
        return refuse_faces(state, action)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Let the dice wait to be spent."""
        faces = {"sail": state.options.sail_faces, "cannon": state.options.cannon_faces}
        shown = {kind: _shown(action.dice, kind) for kind in faces}
        return Step(replace(state, stage=Spending(), sails=shown["sail"], cannons=shown["cannon"]))


def _shown(dice: Iterable[Die], kind: str) -> tuple[int, ...]:
    return tuple(sorted(die.face for die in dice if die.kind == kind))


def refuse_faces(state: State, action: Roll) -> Ruling | None:
    """Refuse dice that are not sorted or show a face they do not have."""
    if action.dice != tuple(sorted(action.dice)):
        return no("AOW-25", "The dice of a roll are told in order: kind by kind, lowest first.")
    rules = {"sail": ("AOW-3", state.options.sail), "cannon": ("AOW-4", state.options.cannon)}
    for die in action.dice:
        rule, kind = rules[die.kind]
        if die.face not in kind.faces:
            low, high = kind.values[0], kind.values[-1]
            name = "sail" if die.kind == "sail" else "cannonball"
            return no(rule, f"A {name} die shows {low} to {high}, not {die.face}.")
    return None


@cache
def _rolls(
    sail: DieKind, sails: int, cannon: DieKind, cannons: int
) -> tuple[tuple[Roll, Fraction], ...]:
    odds = {}
    for sail_faces, sail_p in pool_distribution(sail, sails):
        for cannon_faces, cannon_p in pool_distribution(cannon, cannons):
            dice = [Die("sail", f) for f in sail_faces] + [Die("cannon", f) for f in cannon_faces]
            odds[roll(*dice)] = sail_p * cannon_p
    return tuple((result, odds[result]) for result in sorted(odds))


@cache
def cannon_rolls(cannon: DieKind) -> tuple[tuple[Roll, Fraction], ...]:
    """Return what one cannonball die can show, with its probability."""
    return tuple((roll(Die("cannon", face)), p) for face, p in cannon.distribution())


def refuse_cannon_roll(state: State, action: Roll, rule: str) -> Ruling | None:
    """Refuse anything but one cannonball die."""
    if [die.kind for die in action.dice] != ["cannon"]:
        return no(rule, "Roll one cannonball die.")
    return refuse_faces(state, action)


def ship_lost(state: State, ship: Ship, happenings: tuple[Happening, ...]) -> Step[State]:
    """Go on after the ship that was under way is lost; its share of the dice is forfeited."""
    return after_spend(lose(state, ship.colour), happenings)


def after_spend(state: State, happenings: tuple[Happening, ...] = ()) -> Step[State]:
    """Go on once a spend is settled: end of battle, next spend or end of turn.

    `state.ships` must hold every ship that is still afloat.
    """
    state = replace(state, stage=Spending())
    players = {state.owner(ship.colour) for ship in state.ships if ship.colour != MERCHANT}
    if len(players) < 2:
        return _finish(state, happenings)
    if any(True for _ in spends(state)):
        return Step(state, happenings)
    return _end_turn(state, happenings)


def _end_turn(state: State, happenings: tuple[Happening, ...]) -> Step[State]:
    surplus = len(state.sails) + len(state.cannons)
    if surplus:
        shown = dice_shown(state.sails, state.cannons)
        happenings = (*happenings, Happening(f"Forfeited: {shown}", "AOW-30"))
    turn = next_turn(state)
    state = replace(
        state,
        stage=ChoosingDice(),
        ships=_rested(state.ships),
        sails=(),
        cannons=(),
        turn=turn,
        # Whoever comes earlier in the order, or again, opens a new round.
        round=state.round + (turn <= state.turn),
    )
    return Step(state, happenings)


def next_turn(state: State) -> int:
    """Return the index of the next fleet that has a ship (AOW-13, AOW-32)."""
    count = len(state.fleets)
    turns = ((state.turn + k) % count for k in range(1, count + 1))
    return next(t for t in turns if state.count(state.fleets[t].colour))


def _rested(ships: tuple[Ship, ...]) -> tuple[Ship, ...]:
    return tuple(ship if ship.duty == FRESH else ship._replace(duty=FRESH) for ship in ships)


def _finish(state: State, happenings: tuple[Happening, ...]) -> Step[State]:
    state = replace(state, stage=Finished(), ships=_rested(state.ships), sails=(), cannons=())
    winner = last_afloat(state)
    if winner is None:
        return Step(state, (*happenings, Happening("No ship is left afloat", "AOW-61")))
    bonus = BASIC_PURSE.last_afloat
    text = f"{colour_name(state.colour_of(winner))} is the last afloat and wins the day"
    happening = Happening(text, "AOW-59", ((winner, bonus),))
    return Step(pay(state, winner, bonus), (*happenings, happening))


def last_afloat(state: State) -> PlayerId | None:
    """Return the only player with ships, or ``None``; the merchant counts for nobody."""
    players = {state.owner(ship.colour) for ship in state.afloat if ship.colour != MERCHANT}
    return players.pop() if len(players) == 1 else None
