"""The turn's beginning: choosing and rolling dice (AOW-23 to 25, AOW-67 to 69)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from companion.rules.articles_of_war.actions import ChooseDice, PlayGambit, choose_dice
from companion.rules.articles_of_war.cards import AFTER_ROLL, BEFORE_DICE
from companion.rules.articles_of_war.gambits import ready, turn_over
from companion.rules.articles_of_war.options import MOST_CANNONS, MOST_SAILS
from companion.rules.articles_of_war.rolls import pool_rolls, refuse_faces
from companion.rules.articles_of_war.state import ChoosingDice, Rolling, Spending, State, remember
from companion.rules.articles_of_war.words import colour_name, dice_set
from companion.rules.deeds import Odds, Roll
from companion.rules.game import ChanceRoll, Decision, Ruling, Step
from companion.rules.layout import Die
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.words import counted


@cache
def dice_sets(ships: int, more: int = 0) -> tuple[tuple[int, int], ...]:
    """Return the legal ``(sails, cannons)`` for so many ships, fewest sails first (AOW-24).

    `more` dice are taken beyond two a ship; what is not spent of them is discarded.

    >>> dice_sets(2)
    ((2, 2), (3, 1), (4, 0))
    >>> dice_sets(1, more=1)
    ((1, 2), (2, 1), (3, 0))
    """
    dice = 2 * ships + more
    return tuple(
        (sails, dice - sails)
        for sails in range(ships, dice + 1)
        if sails <= MOST_SAILS and dice - sails <= MOST_CANNONS
    )


def is_desperate(state: State) -> bool:
    """Say whether the fleet on turn rolls a third die for its only ship (AOW-67)."""
    colour = state.fleet.colour
    alone = state.options.desperation and state.count(colour) == 1
    return alone and not state.is_grudge(colour)


def dice_on_offer(state: State) -> tuple[tuple[int, int], ...]:
    """Return the sets of dice the fleet on turn may take."""
    more = stage_of(state, ChoosingDice).more + is_desperate(state)
    return dice_sets(state.count(state.fleet.colour), more)


class ChooseDiceSet(Choice[State, ChooseDice | PlayGambit]):
    """Two dice a ship, at least half of them sails, chosen before the roll (AOW-23, AOW-24)."""

    name, rule, takes = "choose_dice", "AOW-23", (ChooseDice, PlayGambit)

    def pending(self, state: State) -> Decision:
        """Ask the fleet on turn."""
        fleet = counted(state.count(state.fleet.colour), "ship", "ships")
        text = f"{colour_name(state.fleet.colour)}: choose {_dice_wanted(state)} dice for {fleet}"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[ChooseDice | PlayGambit, ...]:
        """Every legal set, and the gambit that adds to them."""
        fleet = state.fleet
        sets = tuple(choose_dice(fleet.player, s, c) for s, c in dice_on_offer(state))
        if ready(state, fleet.colour, BEFORE_DICE) is None:
            return sets
        return (*sets, PlayGambit(fleet.player, fleet.colour))

    def refuse(self, state: State, action: ChooseDice | PlayGambit) -> Ruling | None:
        """Refuse a number that does not fit the ships, or too few sails."""
        if isinstance(action, PlayGambit):
            return self._refuse_gambit(state, action)
        if (action.sails, action.cannons) in dice_on_offer(state):
            return None
        desperate, ships = is_desperate(state), state.count(state.fleet.colour)
        fleet, wanted = counted(ships, "ship", "ships"), _dice_wanted(state)
        if action.sails + action.cannons != wanted:
            if more := stage_of(state, ChoosingDice).more:
                need = "three dice for the last ship" if desperate else "two dice for each ship"
                extra = counted(more, "die", "dice")
                return no("AOW-64", f"Take {need} and {extra} for the gambit: {wanted} in all.")
            if desperate:
                return no("AOW-67", f"The last ship of a fleet rolls {wanted} dice.")
            return no("AOW-23", f"Take two dice for each ship: {wanted} dice for {fleet}.")
        low, high = (edge[0] for edge in (dice_on_offer(state)[0], dice_on_offer(state)[-1]))
        return no(
            "AOW-68" if desperate else "AOW-24",
            f"Each ship needs a sail: {low} to {high} of the dice for {fleet} are sails.",
        )

    @staticmethod
    def _refuse_gambit(state: State, action: PlayGambit) -> Ruling | None:
        colour = state.fleet.colour
        if action.colour == colour and ready(state, colour, BEFORE_DICE) is not None:
            return None
        name = colour_name(action.colour)
        if action.colour != colour:
            return no("AOW-64", f"{name} is not on turn and plays no gambit before these dice.")
        return no("AOW-64", f"{name} has no gambit to play before the dice.")

    def play(self, state: State, action: ChooseDice | PlayGambit) -> Step[State]:
        """Put the dice into the cup."""
        if isinstance(action, PlayGambit):
            effect = ready(state, action.colour, BEFORE_DICE)
            assert effect is not None
            state, told = turn_over(state, action.colour)
            return Step(replace(state, stage=ChoosingDice(effect.more_dice)), (told,))
        desperate = is_desperate(state)
        more = stage_of(state, ChoosingDice).more + desperate
        if more:
            state = remember(state, more=more, desperate=desperate)
        return Step(replace(state, stage=Rolling(action.sails, action.cannons)))


def _dice_wanted(state: State) -> int:
    more = stage_of(state, ChoosingDice).more + is_desperate(state)
    return 2 * state.count(state.fleet.colour) + more


class RollDice(Chance[State, Roll]):
    """All chosen dice are rolled together, once (AOW-25)."""

    name, rule, takes = "roll", "AOW-25", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice that were chosen."""
        stage, fleet = stage_of(state, Rolling), state.fleet
        text = f"{colour_name(fleet.colour)}: roll {dice_set(stage.sails, stage.cannons)}"
        kinds = ("cannon",) * stage.cannons + ("sail",) * stage.sails
        return ChanceRoll(fleet.player, self.name, text, kinds)

    def odds(self, state: State) -> Odds:
        """Every joint result; the order in the tray means nothing."""
        stage, options = stage_of(state, Rolling), state.options
        return pool_rolls(options.sail, stage.sails, options.cannon, stage.cannons)

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
        sails, cannons = _shown(action.dice, "sail"), _shown(action.dice, "cannon")
        again = ready(state, state.fleet.colour, AFTER_ROLL) is not None
        return Step(replace(state, stage=Spending(again), sails=sails, cannons=cannons))


def _shown(dice: Iterable[Die], kind: str) -> tuple[int, ...]:
    return tuple(sorted(die.face for die in dice if die.kind == kind))
