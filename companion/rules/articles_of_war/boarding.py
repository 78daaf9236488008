"""Boarding, and what the winner does with the prize (AOW-51 to 57)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.articles_of_war.actions import Press, Scuttle
from companion.rules.articles_of_war.options import BASIC_PURSE, FLEET_LIMIT, MERCHANT
from companion.rules.articles_of_war.setup import empty_neighbours
from companion.rules.articles_of_war.state import (
    FRESH,
    TAKEN,
    Boarding,
    Ship,
    State,
    TakingPrize,
    lose,
    pay,
    with_ship,
    without,
)
from companion.rules.articles_of_war.turns import (
    after_spend,
    cannon_rolls,
    refuse_cannon_roll,
)
from companion.rules.articles_of_war.words import colour_name, ship_of, who
from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Cell, cell_name
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.words import cells_listed


def board(state: State, mover: Ship, enemy: str, happenings: tuple[Happening, ...]) -> Step[State]:
    """Begin a boarding: the mover lies in the enemy's hex. The merchant does not fight."""
    name, place = colour_name(mover.colour), cell_name(mover.cell)
    if enemy == MERCHANT:
        text, rule = f"{name} takes the merchant at {place}", "AOW-57"
        prize = TakingPrize(mover, enemy, boarder_won=True)
        return Step(replace(state, stage=prize), (*happenings, Happening(text, rule)))
    text, rule = f"{name} boards {ship_of(enemy)} at {place}", "AOW-51"
    fight = Boarding(mover, enemy)
    return Step(replace(state, stage=fight), (*happenings, Happening(text, rule)))


class RollBoarding(Chance[State, Roll]):
    """Attacker, then defender roll a cannonball die; ties repeat (AOW-52)."""

    name, rule, takes = "boarding", "AOW-52", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the attacker, then the defender."""
        stage = stage_of(state, Boarding)
        place = cell_name(stage.mover.cell)
        attacker, defender = colour_name(stage.mover.colour), colour_name(stage.enemy)
        if stage.attack is None:
            text = f"{attacker}: roll a cannonball die to board {defender} at {place}"
        else:
            text = f"{defender}: roll a cannonball die against {attacker}'s {stage.attack}"
        return ChanceRoll(_roller(state, stage), self.name, text, ("cannon",))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One cannonball die."""
        return cannon_rolls(state.options.cannon)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """One cannonball die."""
        return refuse_cannon_roll(state, action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Higher wins; a tie starts again."""
        stage = stage_of(state, Boarding)
        face = action.dice[0].face
        if stage.attack is None:
            return Step(replace(state, stage=replace(stage, attack=face)))
        if stage.attack == face:
            again = replace(state, stage=replace(stage, attack=None))
            return Step(again, (Happening(f"{face} each: both roll again", "AOW-52"),))
        prize = TakingPrize(stage.mover, stage.enemy, boarder_won=stage.attack > face)
        high, low = max(stage.attack, face), min(stage.attack, face)
        text = f"{colour_name(prize.winner)} wins the boarding, {high} to {low}"
        return Step(replace(state, stage=prize), (Happening(text, _won_rule(prize)),))


def _roller(state: State, stage: Boarding) -> PlayerId:
    player = state.owner(stage.mover.colour if stage.attack is None else stage.enemy)
    assert player is not None  # the merchant is taken without a roll
    return player


def _won_rule(prize: TakingPrize) -> str:
    return "AOW-52" if prize.boarder_won else "AOW-55"


class TakePrize(Choice[State, Scuttle | Press]):
    """The winner scuttles the loser's ship for gold or takes it over (AOW-53)."""

    name, rule, takes = "prize", "AOW-53", (Scuttle, Press)

    def pending(self, state: State) -> Decision:
        """Ask the winner, on whose turn ever it is."""
        player = _winner(state)
        prize = ship_of(stage_of(state, TakingPrize).loser)
        text = f"{who(state, player)}: scuttle {prize}"
        if berths(state):
            text += " or press it into service"
        return Decision(player, self.name, text)

    def actions(self, state: State) -> tuple[Scuttle | Press, ...]:
        """Scuttle, and every hex for the pressed ship."""
        player = _winner(state)
        return (Scuttle(player), *(Press(player, cell) for cell in berths(state)))

    def refuse(self, state: State, action: Scuttle | Press) -> Ruling | None:
        """Pressing needs a piece left and an empty hex beside the winning ship."""
        if isinstance(action, Scuttle) or action.cell in berths(state):
            return None
        stage = stage_of(state, TakingPrize)
        if state.count(stage.winner) >= FLEET_LIMIT:
            return no(
                "AOW-53",
                f"{colour_name(stage.winner)} has {FLEET_LIMIT} ships in the ocean already:"
                " the prize can only be scuttled.",
            )
        free = berths(state)
        where = cells_listed(free) or "none is left, so it can only be scuttled"
        place = cell_name(stage.mover.cell)
        return no("AOW-54", f"The prize goes on an empty hex beside {place}: {where}.")

    def play(self, state: State, action: Scuttle | Press) -> Step[State]:
        """Remove the loser, and gain the doubloon or the ship."""
        stage = stage_of(state, TakingPrize)
        state = lose(_cleared(state, stage), stage.loser)
        winner, prize = colour_name(stage.winner), ship_of(stage.loser)
        if isinstance(action, Scuttle):
            merchant = stage.loser == MERCHANT
            coins = BASIC_PURSE.merchant_scuttled if merchant else BASIC_PURSE.scuttled
            text = f"{winner} scuttles {prize}"
            happening = Happening(
                text, "AOW-57" if merchant else "AOW-53", ((action.player, coins),)
            )
            return after_spend(pay(state, action.player, coins), (happening,))
        # Only ships of the fleet on turn carry a duty; a defender's prize rests like the others.
        duty = TAKEN if stage.winner == state.fleet.colour else FRESH
        ships = with_ship(state.ships, Ship(action.cell, stage.winner, duty))
        text = f"{winner} presses {prize} into service on {cell_name(action.cell)}"
        return after_spend(replace(state, ships=ships), (Happening(text, "AOW-53"),))


def _winner(state: State) -> PlayerId:
    player = state.owner(stage_of(state, TakingPrize).winner)
    assert player is not None  # the merchant never wins
    return player


def berths(state: State) -> tuple[Cell, ...]:
    """Return the hexes a pressed ship may enter, sorted; none for a full fleet (AOW-54)."""
    stage = stage_of(state, TakingPrize)
    if state.count(stage.winner) >= FLEET_LIMIT:
        return ()
    return empty_neighbours(state, stage.mover.cell)


def _cleared(state: State, stage: TakingPrize) -> State:
    """Return the state with the winner alone in the hex."""
    if not stage.boarder_won:
        return state  # the mover belongs to the stage only, and goes with it
    ships = without(state.ships, stage.mover.cell, stage.enemy)
    return replace(state, ships=with_ship(ships, stage.mover))
