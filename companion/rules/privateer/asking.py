"""What cards ask: draws, choices and rolls while effects are carried out (PRV-21, PRV-61 to 64)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.rules.deeds import Roll
from companion.rules.game import CHANCE, ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.privateer.actions import (
    Accept,
    Anchor,
    Decline,
    Discard,
    DrawCard,
    Gain,
    Offer,
    Rob,
    SetWind,
    Take,
    TakeRelic,
    draw_card,
)
from companion.rules.privateer.carrying import (
    arrival,
    blow,
    from_bank,
    hand_over,
    rob,
    say,
    send,
    take_relic,
    to_bank,
)
from companion.rules.privateer.dice import COLOUR, PIPS, odds_of, refuse_roll
from companion.rules.privateer.effects import (
    CREW,
    HOLD,
    WINDS,
    Cargo,
    CrewTest,
    Effect,
    Job,
    Jobs,
    Overboard,
    StealCargo,
    StealSilver,
)
from companion.rules.privateer.needs import (
    cargo_to_take,
    gainable,
    held,
    relics_to_take,
    to_discard,
    trades,
)
from companion.rules.privateer.state import (
    Answering,
    Asking,
    State,
    drawable_bounty,
    rank_value,
    rivals_of,
    with_seat,
)
from companion.rules.privateer.turns import Told, crowned, go_on
from companion.rules.privateer.words import WIND_NAMES, ask, ask_roll, who
from companion.rules.words import counted, listed

SORTED_WINDS = tuple(sorted(WINDS))


def _job(state: State) -> Job:
    return stage_of(state, Asking).job


def _rest(state: State) -> Jobs:
    return stage_of(state, Asking).jobs[1:]


def _with_less(state: State) -> Jobs:
    """Return the jobs with one good less to move in the first one."""
    job, rest = _job(state), _rest(state)
    effect: Any = job.effect
    if isinstance(effect, Overboard):
        return (job, *rest)  # it counts for itself what is too much
    left = effect.amount - (1 if effect.amount > 0 else -1)
    return (Job(job.player, replace(effect, amount=left)), *rest) if left else rest


class DrawBountyCard(Chance[State, DrawCard]):
    """Phase 1: draw a bounty card and carry it out (PRV-21)."""

    name, rule, takes = "bounty", "PRV-21", (DrawCard,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        return ask_roll(state.player, self.name, who(state, state.turn), "draw a bounty card")

    def odds(self, state: State) -> tuple[tuple[DrawCard, Fraction], ...]:
        """Every card in the pile is equally likely."""
        cards = drawable_bounty(state)
        p = Fraction(1, len(cards))
        return tuple([(draw_card(CHANCE, card), p) for card in cards])

    def refuse(self, state: State, action: DrawCard) -> Ruling | None:
        """Refuse a card that is not in the pile."""
        if action.card in drawable_bounty(state):
            return None
        card = state.deck.bounty_card.get(action.card)
        name = card.title if card else repr(action.card)
        return no(self.rule, f"{name} is not in the pile that is drawn from.")

    def play(self, state: State, action: DrawCard) -> Step[State]:
        """Gain control of a relic; carry out what the card says."""
        card, player = state.deck.bounty_card[action.card], state.turn
        pile = tuple([c for c in drawable_bounty(state) if c != action.card])
        state = state._replace(bounty_pile=pile)
        told: Told = (Happening(f"{who(state, player)} draws {card.title}: {card.text}", "PRV-21"),)
        jobs = (*[Job(player, effect) for effect in card.draw], *_rest(state))
        if card.is_relic:
            seat = state.seats[player]
            relics = tuple(sorted((*seat.relics, card.id)))
            state = with_seat(state, player, seat._replace(relics=relics))
            if card.bonus[HOLD] < 0:
                jobs = (Job(player, Overboard()), *jobs)
            if over := crowned(state, told):
                return over
        return go_on(state, jobs, told)


class ChooseWind(Choice[State, SetWind]):
    """The captain turns the wind (PRV-35)."""

    name, rule, takes = "set_wind", "PRV-35", (SetWind,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(_job(state).player)
        return ask(player, self.name, who(state, player), "choose where the wind blows to")

    def actions(self, state: State) -> tuple[SetWind, ...]:
        """Every wind, and none."""
        player = PlayerId(_job(state).player)
        return tuple([SetWind(player, wind) for wind in SORTED_WINDS])

    def refuse(self, state: State, action: SetWind) -> Ruling | None:
        """Refuse what is no wind."""
        if action.wind in WINDS:
            return None
        return no("PRV-32", f"Choose {listed(WIND_NAMES.values(), 'or')}.")

    def play(self, state: State, action: SetWind) -> Step[State]:
        """Turn the wind."""
        rest = _rest(state)
        state, told = blow(state, action.wind)
        return go_on(state, rest, told)


class GainGood(Choice[State, Gain]):
    """The captain takes a good of any type from the bank."""

    name, rule, takes = "gain", "PRV-64", (Gain,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = _job(state)
        assert isinstance(job.effect, Cargo)
        count = counted(job.effect.amount, "good", "goods")
        what = f"take {count} of any type from the bank, as the hold allows"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Gain, ...]:
        """Every type in the bank."""
        player = PlayerId(_job(state).player)
        return tuple(Gain(player, good) for good in gainable(state, player))

    def refuse(self, state: State, action: Gain) -> Ruling | None:
        """Refuse what the bank does not have."""
        goods = gainable(state, action.player)
        if action.good in goods:
            return None
        return no("PRV-5", f"The bank has no {action.good}: take {listed(goods, 'or')}.")

    def play(self, state: State, action: Gain) -> Step[State]:
        """Take one."""
        jobs = _with_less(state)
        state, _ = from_bank(state, action.player, action.good, 1)
        told = say(state, action.player, f"takes 1 {action.good} from the bank")
        return go_on(state, jobs, told)


class DiscardGood(Choice[State, Discard]):
    """A captain gives goods back, the owner's choice (PRV-56; cards)."""

    name, rule, takes = "discard", "PRV-56", (Discard,)

    def pending(self, state: State) -> Decision:
        """Ask the owner."""
        job = _job(state)
        what = f"give {counted(to_discard(state, job), 'good', 'goods')} back to the bank"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Discard, ...]:
        """Every type in the hold."""
        player = PlayerId(_job(state).player)
        return tuple(Discard(player, good) for good in held(state, player))

    def refuse(self, state: State, action: Discard) -> Ruling | None:
        """Refuse what is not in the hold."""
        goods = held(state, action.player)
        if action.good in goods:
            return None
        return no(self.rule, f"There is no {action.good} in your hold: {listed(goods, 'or')}.")

    def play(self, state: State, action: Discard) -> Step[State]:
        """Give one back."""
        jobs = _with_less(state)
        state = to_bank(state, action.player, action.good, 1)
        told = say(state, action.player, f"gives 1 {action.good} to the bank", self.rule)
        return go_on(state, jobs, told)


class ChooseRelic(Choice[State, TakeRelic]):
    """The captain takes a relic from another (PRV-62)."""

    name, rule, takes = "steal_relic", "PRV-62", (TakeRelic,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(_job(state).player)
        return ask(player, self.name, who(state, player), "take a relic from another captain")

    def actions(self, state: State) -> tuple[TakeRelic, ...]:
        """Every relic of the others."""
        player = PlayerId(_job(state).player)
        return tuple(TakeRelic(player, *pair) for pair in relics_to_take(state, player))

    def refuse(self, state: State, action: TakeRelic) -> Ruling | None:
        """Refuse what that captain does not control."""
        pairs = relics_to_take(state, action.player)
        if (action.foe, action.relic) in pairs:
            return None
        cards = state.deck.bounty_card
        named = listed((f"{who(state, foe)}'s {cards[relic].title}" for foe, relic in pairs), "or")
        return no(self.rule, f"That relic cannot be taken from there: take {named}.")

    def play(self, state: State, action: TakeRelic) -> Step[State]:
        """Take it, and its Infamy with it."""
        rest = _rest(state)
        done = take_relic(state, action.player, action.foe, action.relic)
        return crowned(done.state, done.told) or go_on(done.state, (*done.jobs, *rest), done.told)


class ChooseCargo(Choice[State, Take]):
    """The captain takes goods from others, one by one."""

    name, rule, takes = "steal_cargo", "PRV-64", (Take,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = _job(state)
        assert isinstance(job.effect, StealCargo)
        what = f"take {counted(job.effect.amount, 'good', 'goods')} from other captains"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Take, ...]:
        """Every type of every other captain."""
        player = PlayerId(_job(state).player)
        return tuple(Take(player, foe, good) for foe, good in cargo_to_take(state, player))

    def refuse(self, state: State, action: Take) -> Ruling | None:
        """Refuse what that captain does not have."""
        goods = cargo_to_take(state, action.player)
        if (action.foe, action.good) in goods:
            return None
        named = listed((f"{who(state, foe)}'s {good}" for foe, good in goods), "or")
        return no(self.rule, f"That cannot be taken from there: take {named}.")

    def play(self, state: State, action: Take) -> Step[State]:
        """Take one."""
        jobs = _with_less(state)
        state = hand_over(state, action.foe, action.player, action.good)
        text = f"takes 1 {action.good} from {who(state, action.foe)}"
        return go_on(state, jobs, say(state, action.player, text))


class ChoosePurse(Choice[State, Rob]):
    """The captain takes silver from another's purse."""

    name, rule, takes = "steal_silver", "PRV-64", (Rob,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = _job(state)
        assert isinstance(job.effect, StealSilver)
        what = f"choose a captain who gives you up to {job.effect.amount} silver"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Rob, ...]:
        """Every other captain; whether there is anything in the purse is not known."""
        player = PlayerId(_job(state).player)
        return tuple(Rob(player, foe) for foe in sorted(rivals_of(state, player)))

    def refuse(self, state: State, action: Rob) -> Ruling | None:
        """Refuse oneself and strangers."""
        foes = rivals_of(state, action.player)
        if action.foe in foes:
            return None
        named = listed((who(state, foe) for foe in foes), "or")
        return no(self.rule, f"Choose another captain: {named}.")

    def play(self, state: State, action: Rob) -> Step[State]:
        """Take it."""
        job, rest = _job(state), _rest(state)
        assert isinstance(job.effect, StealSilver)
        done = rob(state, action.player, action.foe, job.effect.amount)
        return go_on(done.state, rest, done.told)


class OfferTrade(Choice[State, Offer | Decline]):
    """The captain may offer one good for another captain's."""

    name, rule, takes = "offer", "PRV-64", (Offer, Decline)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(_job(state).player)
        what = "offer one of your goods for another captain's, or offer nothing"
        return ask(player, self.name, who(state, player), what)

    def actions(self, state: State) -> tuple[Offer | Decline, ...]:
        """Every swap of two types, and none."""
        player = PlayerId(_job(state).player)
        offers = tuple(Offer(player, *swap) for swap in trades(state, player))
        return (*offers, Decline(player))

    def refuse(self, state: State, action: Offer | Decline) -> Ruling | None:
        """Refuse goods that one of both does not have."""
        if isinstance(action, Decline):
            return None
        if (action.foe, action.give, action.get) in trades(state, action.player):
            return None
        mine = listed(held(state, action.player), "or")
        return no(self.rule, f"Offer {mine} for another type of good of another captain.")

    def play(self, state: State, action: Offer | Decline) -> Step[State]:
        """Ask the other captain, or go on."""
        jobs = stage_of(state, Asking).jobs
        if isinstance(action, Decline):
            return go_on(state, jobs[1:], say(state, action.player, "offers no trade"))
        return Step(state._replace(stage=Answering(jobs, action.foe, action.give, action.get)))


class AnswerTrade(Choice[State, Accept | Decline]):
    """The other captain accepts or refuses."""

    name, rule, takes = "answer", "PRV-64", (Accept, Decline)

    def pending(self, state: State) -> Decision:
        """Ask the captain the offer was made to."""
        stage = stage_of(state, Answering)
        foe = PlayerId(stage.foe)
        what = f"take 1 {stage.give} of {who(state, stage.job.player)} for 1 {stage.get}, or not"
        return ask(foe, self.name, who(state, foe), what)

    def actions(self, state: State) -> tuple[Accept | Decline, ...]:
        """Yes or no."""
        foe = PlayerId(stage_of(state, Answering).foe)
        return Accept(foe), Decline(foe)

    def refuse(self, state: State, action: Accept | Decline) -> Ruling | None:
        """Both are free."""
        return None

    def play(self, state: State, action: Accept | Decline) -> Step[State]:
        """Swap, or not."""
        stage = stage_of(state, Answering)
        rest = stage.jobs[1:]
        if isinstance(action, Decline):
            return go_on(state, rest, say(state, stage.foe, "refuses the trade"))
        mine = stage.job.player
        state = hand_over(state, mine, stage.foe, stage.give)
        state = hand_over(state, stage.foe, mine, stage.get)
        text = f"gives 1 {stage.give} to {who(state, stage.foe)} for 1 {stage.get}"
        return go_on(state, rest, say(state, mine, text))


class ChooseHarbour(Choice[State, Anchor]):
    """The captain chooses the port the ship is moved to."""

    name, rule, takes = "choose_port", "PRV-64", (Anchor,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(_job(state).player)
        return ask(player, self.name, who(state, player), "choose the port your ship goes to")

    def actions(self, state: State) -> tuple[Anchor, ...]:
        """Every port."""
        player = PlayerId(_job(state).player)
        return tuple(Anchor(player, port) for port in sorted(state.deck.port_of_id))

    def refuse(self, state: State, action: Anchor) -> Ruling | None:
        """Refuse what is no port."""
        if action.port in state.deck.port_of_id:
            return None
        return no(self.rule, f"Choose {listed((p.title for p in state.deck.ports), 'or')}.")

    def play(self, state: State, action: Anchor) -> Step[State]:
        """Move the ship."""
        rest, port = _rest(state), state.deck.port_of_id[action.port]
        state = send(state, action.player, port)
        return go_on(state, rest, say(state, action.player, arrival(state, port)))


class RollHarbour(Chance[State, Roll]):
    """The colour die says to which port the ship is moved."""

    name, rule, takes = "roll_port", "PRV-64", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask whose card it is."""
        player = PlayerId(_job(state).player)
        what = "roll the colour die for the port your ship goes to"
        return ask_roll(player, self.name, who(state, player), what, ("colour",))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One colour die."""
        return odds_of(COLOUR, 1)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """One colour die."""
        return refuse_roll(action, COLOUR, 1, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Move the ship."""
        player, rest = _job(state).player, _rest(state)
        port = state.deck.port_of_face[action.dice[0].face]
        state = send(state, player, port)
        return go_on(state, rest, say(state, player, arrival(state, port)))


class RollCrew(Chance[State, Roll]):
    """White die and Crew against the card (PRV-63)."""

    name, rule, takes = "crew_test", "PRV-63", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask whose card it is."""
        job = _job(state)
        assert isinstance(job.effect, CrewTest)
        crew = rank_value(state.deck, state.seats[job.player], CREW)
        what = f"roll the white die for your crew: with {crew} it needs {job.effect.target}"
        return ask_roll(PlayerId(job.player), self.name, who(state, job.player), what, ("d6",))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
        """One die."""
        return odds_of(PIPS, 1)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """One die."""
        return refuse_roll(action, PIPS, 1, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Go on with what the total brings."""
        job, rest = _job(state), _rest(state)
        assert isinstance(job.effect, CrewTest)
        total = action.dice[0].face + rank_value(state.deck, state.seats[job.player], CREW)
        passed = total >= job.effect.target
        effects: tuple[Effect, ...] = job.effect.success if passed else job.effect.fail
        word = "passes" if passed else "fails"
        text = f"{word} the test of the crew, {total} against {job.effect.target}"
        jobs = (*(Job(job.player, effect) for effect in effects), *rest)
        return go_on(state, jobs, say(state, job.player, text, self.rule))
