"""Boarding, and what the winner does with the prize (AOW-51 to 57)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import Press, Scuttle
from companion.rules.articles_of_war.cards import ON_BOARDING
from companion.rules.articles_of_war.flow import Told, offered, settle
from companion.rules.articles_of_war.options import FLEET_LIMIT, MERCHANT
from companion.rules.articles_of_war.rolls import DieRoll
from companion.rules.articles_of_war.setup import empty_neighbours
from companion.rules.articles_of_war.state import (
    FRESH,
    TAKEN,
    Boarding,
    Ship,
    Spending,
    State,
    TakingPrize,
    earn,
    lose,
    with_ship,
    without,
)
from companion.rules.articles_of_war.words import colour_name, hexes_listed, ship_of
from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.hexes import hex_name
from companion.rules.layout import Cell
from companion.rules.phases import Choice, no, stage_of


def board(state: State, mover: Ship, enemy: str, told: Told) -> Step[State]:
    """Begin a boarding: the mover lies in the enemy's hex. The merchant does not fight."""
    name, place = colour_name(mover.colour), hex_name(mover.cell)
    if enemy == MERCHANT:
        state, coins = earn(state, mover.colour, state.options.purse.merchant_boarded)
        rule = "AOW-79" if state.options.marque else "AOW-57"
        taken = Happening(f"{name} takes the merchant at {place}", rule, coins)
        prize = TakingPrize(mover, enemy, boarder_won=True)
        return Step(replace(state, stage=prize), (*told, taken))
    begun = Happening(f"{name} boards {ship_of(enemy)} at {place}", "AOW-51")
    return Step(_to_roll(state, Boarding(mover, enemy)), (*told, begun))


def _to_roll(state: State, fight: Boarding) -> State:
    """Return the state before the next roll; who rolls may play a gambit first (AOW-64)."""
    return replace(state, stage=offered(state, _roller(fight), ON_BOARDING, fight))


def _roller(fight: Boarding) -> str:
    return fight.mover.colour if fight.attack is None else fight.enemy


def with_more(fight: Boarding, more: int) -> Boarding:
    """Return the fight with something added to the rolls of the side that rolls now."""
    if fight.attack is None:
        return replace(fight, attack_more=fight.attack_more + more)
    return replace(fight, defence_more=fight.defence_more + more)


class RollBoarding(DieRoll):
    """Attacker, then defender roll a cannonball die; ties repeat (AOW-52)."""

    name, rule = "boarding", "AOW-52"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the attacker, then the defender."""
        stage = stage_of(state, Boarding)
        place = hex_name(stage.mover.cell)
        attacker, defender = colour_name(stage.mover.colour), colour_name(stage.enemy)
        if stage.attack is None:
            text = f"{attacker}: roll a cannonball die to board {defender} at {place}"
        else:
            total = stage.attack + stage.attack_more
            text = f"{defender}: roll a cannonball die against {attacker}'s {total}"
        player = state.owner(_roller(stage))
        assert player is not None  # the merchant is taken without a roll
        return ChanceRoll(player, self.name, text, ("cannon",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Higher wins; a tie starts again."""
        stage = stage_of(state, Boarding)
        face = action.dice[0].face
        if stage.attack is None:
            return Step(_to_roll(state, replace(stage, attack=face)))
        attack, defence = stage.attack + stage.attack_more, face + stage.defence_more
        if attack == defence:
            again = _to_roll(state, replace(stage, attack=None))
            return Step(again, (Happening(f"{attack} each: both roll again", "AOW-52"),))
        prize = TakingPrize(stage.mover, stage.enemy, boarder_won=attack > defence)
        high, low = max(attack, defence), min(attack, defence)
        text = f"{colour_name(prize.winner)} wins the boarding, {high} to {low}"
        return Step(replace(state, stage=prize), (Happening(text, _won_rule(prize)),))


def _won_rule(prize: TakingPrize) -> str:
    return "AOW-52" if prize.boarder_won else "AOW-55"


class TakePrize(Choice[State, Scuttle | Press]):
    """The winner scuttles the loser's ship for gold or takes it over (AOW-53)."""

    name, rule, takes = "prize", "AOW-53", (Scuttle, Press)

    def pending(self, state: State) -> Decision:
        """Ask the winner, on whose turn ever it is."""
        stage = stage_of(state, TakingPrize)
        text = f"{colour_name(stage.winner)}: scuttle {ship_of(stage.loser)}"
        if berths(state):
            text += " or press it into service"
        return Decision(_winner(state), self.name, text)

    def actions(self, state: State) -> tuple[Scuttle | Press, ...]:
        """Scuttle, and every hex for the pressed ship."""
        player = _winner(state)
        return (Scuttle(player), *(Press(player, cell) for cell in berths(state)))

    def refuse(self, state: State, action: Scuttle | Press) -> Ruling | None:
        """Pressing needs a piece left and an empty hex beside the winning ship."""
        if isinstance(action, Scuttle) or action.cell in berths(state):
            return None
        stage = stage_of(state, TakingPrize)
        if state.is_grudge(stage.winner):
            return no("AOW-83", "A grudge ship takes no prizes: she always scuttles.")
        if state.count(stage.winner) >= FLEET_LIMIT:
            return no(
                "AOW-53",
                f"{colour_name(stage.winner)} has {FLEET_LIMIT} ships in the ocean already:"
                " the prize can only be scuttled.",
            )
        free = berths(state)
        where = hexes_listed(free) or "none is left, so it can only be scuttled"
        place = hex_name(stage.mover.cell)
        return no("AOW-54", f"The prize goes on an empty hex beside {place}: {where}.")

    def play(self, state: State, action: Scuttle | Press) -> Step[State]:
        """Remove the loser, and gain the doubloon or the ship."""
        stage = stage_of(state, TakingPrize)
        state = lose(_cleared(state, stage), stage.loser)
        winner, prize = colour_name(stage.winner), ship_of(stage.loser)
        if isinstance(action, Scuttle):
            purse, merchant = state.options.purse, stage.loser == MERCHANT
            doubloons = purse.merchant_scuttled if merchant else purse.scuttled
            state, coins = earn(state, stage.winner, doubloons)
            rule = "AOW-57" if merchant else "AOW-53"
            told = Happening(f"{winner} scuttles {prize}", rule, coins)
        else:
            # Only ships of the fleet on turn carry a duty; a defender's prize rests.
            duty = TAKEN if stage.winner == state.fleet.colour else FRESH
            ships = with_ship(state.ships, Ship(action.cell, stage.winner, duty))
            state = replace(state, ships=ships)
            text = f"{winner} presses {prize} into service on {hex_name(action.cell)}"
            told = Happening(text, "AOW-53")
        return settle(state, (stage.loser,), Spending(), (told,))


def _winner(state: State) -> PlayerId:
    player = state.owner(stage_of(state, TakingPrize).winner)
    assert player is not None  # the merchant never wins
    return player


def berths(state: State) -> tuple[Cell, ...]:
    """Return the hexes a pressed ship may enter, sorted (AOW-54).

    There is none for a full fleet (AOW-53) nor for a grudge ship (AOW-83).
    """
    stage = stage_of(state, TakingPrize)
    if state.count(stage.winner) >= FLEET_LIMIT or state.is_grudge(stage.winner):
        return ()
    return empty_neighbours(state, stage.mover.cell)


def _cleared(state: State, stage: TakingPrize) -> State:
    """Return the state with the winner alone in the hex."""
    if not stage.boarder_won:
        return state  # the mover belongs to the stage only, and goes with it
    ships = without(state.ships, stage.mover.cell, stage.enemy)
    return replace(state, ships=with_ship(ships, stage.mover))
