"""What cards ask of two captains: thefts of relics, goods and silver, and trades (PRV-62, 64)."""

from __future__ import annotations

from companion.rules.game import Decision, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.privateer.actions import Accept, Decline, Offer, Rob, Take, TakeRelic
from companion.rules.privateer.asking import job_of, rest_of, with_one_less
from companion.rules.privateer.carrying import hand_over, rob, say, take_relic
from companion.rules.privateer.effects import StealCargo, StealSilver
from companion.rules.privateer.needs import cargo_to_take, held, relics_to_take, trades
from companion.rules.privateer.state import Answering, Asking, State, rivals_of
from companion.rules.privateer.turns import crowned, go_on
from companion.rules.privateer.words import ask, who
from companion.rules.words import counted, listed


class ChooseRelic(Choice[State, TakeRelic]):
    """The captain takes a relic from another (PRV-62)."""

    name, rule, takes = "steal_relic", "PRV-62", (TakeRelic,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(job_of(state).player)
        return ask(player, self.name, who(state, player), "take a relic from another captain")

    def actions(self, state: State) -> tuple[TakeRelic, ...]:
        """Every relic of the others."""
        player = PlayerId(job_of(state).player)
        return tuple(TakeRelic(player, *pair) for pair in relics_to_take(state, player))

    def refuse(self, state: State, action: TakeRelic) -> Ruling | None:
        """Refuse what that captain does not control."""
        pairs = relics_to_take(state, action.player)
        if (action.foe, action.relic) in pairs:
            return None
        cards = state.deck.bounty_card
        found = (f"{cards[relic].title} from {who(state, foe)}" for foe, relic in pairs)
        named = listed(found, "or")
        return no(self.rule, f"That relic cannot be taken from there: take {named}.")

    def play(self, state: State, action: TakeRelic) -> Step[State]:
        """Take it, and its Infamy with it."""
        rest = rest_of(state)
        done = take_relic(state, action.player, action.foe, action.relic)
        return crowned(done.state, done.told) or go_on(done.state, (*done.jobs, *rest), done.told)


class ChooseCargo(Choice[State, Take]):
    """The captain takes goods from others, one by one."""

    name, rule, takes = "steal_cargo", "PRV-64", (Take,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = job_of(state)
        assert isinstance(job.effect, StealCargo)
        goods = counted(job.effect.amount, "good", "goods")
        what = f"take {goods} from other captains, as the hold allows"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Take, ...]:
        """Every type of every other captain."""
        player = PlayerId(job_of(state).player)
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
        jobs = with_one_less(state)
        state = hand_over(state, action.foe, action.player, action.good)
        text = f"takes 1 {action.good} from {who(state, action.foe)}"
        return go_on(state, jobs, say(state, action.player, text))


class ChoosePurse(Choice[State, Rob]):
    """The captain takes silver from another's purse."""

    name, rule, takes = "steal_silver", "PRV-64", (Rob,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = job_of(state)
        assert isinstance(job.effect, StealSilver)
        what = f"choose a captain who gives you up to {job.effect.amount} silver"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Rob, ...]:
        """Every other captain; whether there is anything in the purse is not known."""
        player = PlayerId(job_of(state).player)
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
        job, rest = job_of(state), rest_of(state)
        assert isinstance(job.effect, StealSilver)
        done = rob(state, action.player, action.foe, job.effect.amount)
        return go_on(done.state, rest, done.told)


class OfferTrade(Choice[State, Offer | Decline]):
    """The captain may offer one good for another captain's."""

    name, rule, takes = "offer", "PRV-64", (Offer, Decline)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(job_of(state).player)
        what = "offer one of your goods for another captain's, or offer nothing"
        return ask(player, self.name, who(state, player), what)

    def actions(self, state: State) -> tuple[Offer | Decline, ...]:
        """Every swap of two types, and none."""
        player = PlayerId(job_of(state).player)
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
