"""Battles with merchants and captains, and their plunder (PRV-37 to PRV-50)."""

from __future__ import annotations

from companion.rules.deeds import Odds, Roll, rolls_of
from companion.rules.dice import COLOUR
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.privateer.actions import MERCHANT, Decline, Plunder, Take
from companion.rules.privateer.carrying import from_bank, hand_over, say, send, to_bank
from companion.rules.privateer.dice import PIPS, RollOneDie, refuse_roll
from companion.rules.privateer.effects import CANNONS
from companion.rules.privateer.needs import held
from companion.rules.privateer.state import (
    Fighting,
    Fleeing,
    Plundering,
    RollingGoods,
    State,
    WonPrize,
    hold_space,
    rank_value,
)
from companion.rules.privateer.turns import Told, end_turn
from companion.rules.privateer.words import ask, ask_roll, who
from companion.rules.words import capital, counted, listed


def cannons(state: State, player: int) -> int:
    """Return what a captain adds to the combat die."""
    return rank_value(state.deck, state.seats[player], CANNONS)


class RollBattle(Chance[State, Roll]):
    """White die and Cannons against the foe's, or two red dice; ties repeat (PRV-40, PRV-44)."""

    name, rule, takes = "battle", "PRV-40", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn, then the foe; the captain rolls for a merchant, too."""
        stage = stage_of(state, Fighting)
        foe = PlayerId(stage.foe)
        me, them = who(state, state.turn), who(state, foe)
        if stage.attack is None:
            what = f"roll the white die against {them}"
            return ask_roll(state.player, self.name, me, what, ("d6",))
        total = stage.attack + cannons(state, state.turn)
        if foe == MERCHANT:
            what = f"roll the two red dice for the merchant against your {total}"
            return ask_roll(state.player, self.name, me, what, ("d6", "d6"))
        what = f"roll the white die against {me}'s {total}"
        return ask_roll(foe, self.name, them, what, ("d6",))

    def odds(self, state: State) -> Odds:
        """One die, or two for a merchant."""
        return rolls_of(PIPS, _count(stage_of(state, Fighting)))

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """One die, or two for a merchant."""
        return refuse_roll(action, PIPS, _count(stage_of(state, Fighting)), rule_of_battle(state))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Higher wins; a tie starts again."""
        stage = stage_of(state, Fighting)
        shown = sum(die.face for die in action.dice)
        if stage.attack is None:
            return Step(state._replace(stage=Fighting(stage.foe, shown)))
        mine = stage.attack + cannons(state, state.turn)
        theirs = shown if stage.foe == MERCHANT else shown + cannons(state, stage.foe)
        rule = rule_of_battle(state)
        if mine == theirs:
            told = (Happening(f"{mine} each: both sides roll again", rule),)
            return Step(state._replace(stage=Fighting(stage.foe)), told)
        winner = state.turn if mine > theirs else stage.foe
        text = f"{who(state, winner)} wins the battle, {max(mine, theirs)} to {min(mine, theirs)}"
        won = (Happening(capital(text), rule),)
        if stage.foe == MERCHANT:
            return _beat_merchant(state, mine - theirs, won)
        loser = stage.foe if winner == state.turn else state.turn
        return _beat_captain(state, winner, loser, abs(mine - theirs), won)


class RollAmongCaptains(RollBattle):
    """White die and Cannons on both sides (PRV-44)."""

    rule = "PRV-44"


def rule_of_battle(state: State) -> str:
    """Return the rule a battle is fought by: with a merchant or between captains."""
    with_merchant = stage_of(state, Fighting).foe == MERCHANT
    return RollBattle.rule if with_merchant else RollAmongCaptains.rule


def _count(stage: Fighting) -> int:
    return 2 if stage.foe == MERCHANT and stage.attack is not None else 1


def _beat_merchant(state: State, spoils: int, told: Told) -> Step[State]:
    """End the turn if lost; offer the plunder if there is space for any (PRV-41, PRV-42)."""
    if spoils < 0:
        return end_turn(state, (*told, Happening("The turn ends there", "PRV-42")))
    if hold_space(state.deck, state.seat) <= 0:
        return end_turn(state, (*told, *say(state, state.turn, "has a full hold", "PRV-41")))
    return Step(state._replace(stage=WonPrize(spoils)), told)


class PlunderMerchant(Choice[State, Plunder | Decline]):
    """The winner may plunder (PRV-41)."""

    name, rule, takes = "plunder_merchant", "PRV-41", (Plunder, Decline)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        spoils = min(stage_of(state, WonPrize).spoils, hold_space(state.deck, state.seat))
        goods = counted(spoils, "good", "goods")
        what = f"plunder the merchant, up to {goods}, or let it go"
        return ask(state.player, self.name, who(state, state.turn), what, told=False)

    def actions(self, state: State) -> tuple[Plunder | Decline, ...]:
        """Plunder or not."""
        return Plunder(state.player), Decline(state.player)

    def refuse(self, state: State, action: Plunder | Decline) -> Ruling | None:
        """Both are free."""
        return None

    def play(self, state: State, action: Plunder | Decline) -> Step[State]:
        """Go on to the colour die, or end the turn."""
        if isinstance(action, Decline):
            return end_turn(state, say(state, state.turn, "lets the merchant go", self.rule))
        return Step(state._replace(stage=RollingGoods(stage_of(state, WonPrize).spoils)))


class RollGoods(RollOneDie[State]):
    """The colour die says which goods the merchant carries (PRV-41)."""

    name, rule, kind = "roll_goods", "PRV-41", COLOUR

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        what = "roll the colour die for the merchant's goods"
        return ask_roll(state.player, self.name, who(state, state.turn), what, ("colour",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take as many as bank and hold allow."""
        spoils = stage_of(state, RollingGoods).spoils
        deck = state.deck
        good = deck.ports[deck.port_of_face[action.dice[0].face]].good
        state, count = from_bank(state, state.turn, good, spoils)
        what = f"plunders {count} {good}" if count else f"finds no {good} in the bank"
        return end_turn(state, say(state, state.turn, what, self.rule))


def _beat_captain(state: State, winner: int, loser: int, spoils: int, told: Told) -> Step[State]:
    there = sum(state.seats[loser].cargo)
    if not there:
        return Step(state._replace(stage=Fleeing(loser)), told)
    stage = Plundering(winner, loser, min(spoils, there))
    return Step(state._replace(stage=stage), told)


class PlunderCaptain(Choice[State, Take | Decline]):
    """The winner, on whose turn ever it is, takes goods one by one (PRV-45, PRV-46)."""

    name, rule, takes = "plunder", "PRV-45", (Take, Decline)

    def pending(self, state: State) -> Decision:
        """Ask the winner."""
        stage = stage_of(state, Plundering)
        winner = PlayerId(stage.winner)
        what = f"take {stage.left} more of {who(state, stage.loser)}'s goods"
        if not stage.begun:
            what = f"take {stage.left} of {who(state, stage.loser)}'s goods, or plunder nothing"
        space = hold_space(state.deck, state.seats[winner])
        if space <= 0:
            what += "; your hold is full, all of it goes to the bank"
        elif space < stage.left:
            what += f"; your hold has space for {space}, the rest goes to the bank"
        return ask(winner, self.name, who(state, winner), what)

    def actions(self, state: State) -> tuple[Take | Decline, ...]:
        """Every type the loser has; nothing at all only at first."""
        stage = stage_of(state, Plundering)
        winner, loser = PlayerId(stage.winner), PlayerId(stage.loser)
        takes = tuple(Take(winner, loser, good) for good in held(state, loser))
        return takes if stage.begun else (*takes, Decline(winner))

    def refuse(self, state: State, action: Take | Decline) -> Ruling | None:
        """Refuse what the loser does not have, and stopping half-way."""
        stage = stage_of(state, Plundering)
        if isinstance(action, Decline):
            if not stage.begun:
                return None
            lost = counted(stage.left, "good is", "goods are")
            return no(self.rule, f"Plunder is all or nothing: {lost} still lost.")
        goods = held(state, stage.loser)
        if action.foe == stage.loser and action.good in goods:
            return None
        name = who(state, stage.loser)
        return no(self.rule, f"{name} lost the battle: take {name}'s {listed(goods, 'or')}.")

    def play(self, state: State, action: Take | Decline) -> Step[State]:
        """Take one; what leaves no choice follows by itself."""
        stage = stage_of(state, Plundering)
        if isinstance(action, Decline):
            told = say(state, stage.winner, "plunders nothing", self.rule)
            return Step(state._replace(stage=Fleeing(stage.loser)), told)
        state, told = _lose(state, stage, action.good)
        left = stage.left - 1
        while left and _is_settled(state, stage, left):
            state, more = _lose(state, stage, held(state, stage.loser)[0])
            told, left = (*told, *more), left - 1
        if left:
            rest = Plundering(stage.winner, stage.loser, left, begun=True)
            return Step(state._replace(stage=rest), told)
        return Step(state._replace(stage=Fleeing(stage.loser)), told)


def _lose(state: State, stage: Plundering, good: str) -> tuple[State, Told]:
    """Take one good of the loser's: into the winner's hold, else to the bank."""
    loser = who(state, stage.loser)
    if hold_space(state.deck, state.seats[stage.winner]) > 0:
        state = hand_over(state, stage.loser, stage.winner, good)
        return state, say(state, stage.winner, f"takes 1 {good} from {loser}", "PRV-45")
    state = to_bank(state, stage.loser, good, 1)
    return state, (Happening(f"1 {good} of {loser} goes to the bank", "PRV-46"),)


def _is_settled(state: State, stage: Plundering, left: int) -> bool:
    """Say whether it makes no difference which goods are taken now."""
    loser, space = state.seats[stage.loser], hold_space(state.deck, state.seats[stage.winner])
    all_goes = left == sum(loser.cargo)
    return len(held(state, stage.loser)) == 1 or (all_goes and (space >= left or space <= 0))


class RollFlight(RollOneDie[State]):
    """The loser goes at once to the port of the colour rolled (PRV-47)."""

    name, rule, kind = "flight", "PRV-47", COLOUR

    def pending(self, state: State) -> ChanceRoll:
        """Ask the loser."""
        loser = PlayerId(stage_of(state, Fleeing).loser)
        what = "roll the colour die for the port you are sent to"
        return ask_roll(loser, self.name, who(state, loser), what, ("colour",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Send the loser there; the turn ends (PRV-49)."""
        loser = stage_of(state, Fleeing).loser
        port = state.deck.port_of_face[action.dice[0].face]
        title = state.deck.ports[port].title
        told = say(state, loser, f"flees to {title} and cannot trade there now", "PRV-48")
        return end_turn(send(state, loser, port), told)
