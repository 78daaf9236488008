"""What cards ask: draws, choices and rolls while effects are carried out (PRV-21, PRV-61 to 64)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from companion.rules.deeds import Roll
from companion.rules.dice import COLOUR
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Chance, Choice, no, stage_of
from companion.rules.privateer.actions import (
    Anchor,
    Discard,
    DrawCard,
    Gain,
    SetWind,
    draws_of,
)
from companion.rules.privateer.carrying import (
    arrival,
    blow,
    from_bank,
    say,
    send,
    to_bank,
)
from companion.rules.privateer.dice import PIPS, RollOneDie, one_in
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
)
from companion.rules.privateer.needs import (
    gainable,
    held,
    to_discard,
)
from companion.rules.privateer.state import (
    Asking,
    State,
    drawable_bounty,
    rank_value,
    with_seat,
)
from companion.rules.privateer.turns import Told, crowned, go_on
from companion.rules.privateer.words import WIND_NAMES, ask, ask_roll, who
from companion.rules.words import counted, listed

SORTED_WINDS = tuple(sorted(WINDS))


def job_of(state: State) -> Job:
    """Return the job that is asked about."""
    return stage_of(state, Asking).job


def rest_of(state: State) -> Jobs:
    """Return the jobs that come after it."""
    return stage_of(state, Asking).jobs[1:]


def with_one_less(state: State) -> Jobs:
    """Return the jobs with one good less to move in the first one."""
    job, rest = job_of(state), rest_of(state)
    effect: Any = job.effect
    if isinstance(effect, Overboard):
        return (job, *rest)  # it counts for itself what is too much
    left = effect.amount - (1 if effect.amount > 0 else -1)
    return (Job(job.player, replace(effect, amount=left)), *rest) if left else rest


class DrawBountyCard(Chance[State, DrawCard]):
    """Phase 1: draw a bounty card and carry it out (PRV-21)."""

    name, rule, takes = "bounty", "PRV-21", (DrawCard,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn; an empty pile must be shuffled first (PRV-60)."""
        what = "draw a bounty card"
        if not state.bounty_pile:
            what = "shuffle the discarded bounty cards and draw one"
        return ask_roll(state.player, self.name, who(state, state.turn), what)

    def odds(self, state: State) -> tuple[tuple[DrawCard, Fraction], ...]:
        """Every card in the pile is equally likely."""
        cards, draws = drawable_bounty(state), draws_of(state.deck)
        p = one_in(len(cards))
        return tuple([(draws[card], p) for card in cards])

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
        jobs = (*[Job(player, effect) for effect in card.draw], *rest_of(state))
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
        player = PlayerId(job_of(state).player)
        return ask(player, self.name, who(state, player), "choose where the wind blows to")

    def actions(self, state: State) -> tuple[SetWind, ...]:
        """Every wind, and none."""
        player = PlayerId(job_of(state).player)
        return tuple([SetWind(player, wind) for wind in SORTED_WINDS])

    def refuse(self, state: State, action: SetWind) -> Ruling | None:
        """Refuse what is no wind."""
        if action.wind in WINDS:
            return None
        return no("PRV-32", f"Choose {listed(WIND_NAMES.values(), 'or')}.")

    def play(self, state: State, action: SetWind) -> Step[State]:
        """Turn the wind."""
        rest = rest_of(state)
        state, told = blow(state, action.wind)
        return go_on(state, rest, told)


class GainGood(Choice[State, Gain]):
    """The captain takes a good of any type from the bank."""

    name, rule, takes = "gain", "PRV-64", (Gain,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        job = job_of(state)
        assert isinstance(job.effect, Cargo)
        count = counted(job.effect.amount, "good", "goods")
        what = f"take {count} of any type from the bank, as the hold allows"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Gain, ...]:
        """Every type in the bank."""
        player = PlayerId(job_of(state).player)
        return tuple(Gain(player, good) for good in gainable(state, player))

    def refuse(self, state: State, action: Gain) -> Ruling | None:
        """Refuse what the bank does not have."""
        goods = gainable(state, action.player)
        if action.good in goods:
            return None
        return no("PRV-5", f"The bank has no {action.good}: take {listed(goods, 'or')}.")

    def play(self, state: State, action: Gain) -> Step[State]:
        """Take one."""
        jobs = with_one_less(state)
        state, _ = from_bank(state, action.player, action.good, 1)
        told = say(state, action.player, f"takes 1 {action.good} from the bank")
        return go_on(state, jobs, told)


class DiscardGood(Choice[State, Discard]):
    """A captain gives goods back because a card says so, the owner's choice (PRV-64)."""

    name, rule, takes = "discard", "PRV-64", (Discard,)

    def pending(self, state: State) -> Decision:
        """Ask the owner."""
        job = job_of(state)
        what = f"give {counted(to_discard(state, job), 'good', 'goods')} back to the bank"
        return ask(PlayerId(job.player), self.name, who(state, job.player), what)

    def actions(self, state: State) -> tuple[Discard, ...]:
        """Every type in the hold."""
        player = PlayerId(job_of(state).player)
        return tuple(Discard(player, good) for good in held(state, player))

    def refuse(self, state: State, action: Discard) -> Ruling | None:
        """Refuse what is not in the hold."""
        goods = held(state, action.player)
        if action.good in goods:
            return None
        rule = rule_of_discard(state)
        return no(rule, f"There is no {action.good} in your hold: {listed(goods, 'or')}.")

    def play(self, state: State, action: Discard) -> Step[State]:
        """Give one back."""
        jobs, rule = with_one_less(state), rule_of_discard(state)
        state = to_bank(state, action.player, action.good, 1)
        told = say(state, action.player, f"gives 1 {action.good} to the bank", rule)
        return go_on(state, jobs, told)


class DiscardOverHold(DiscardGood):
    """A captain gives back what a smaller hold cannot carry (PRV-56)."""

    rule = "PRV-56"


def rule_of_discard(state: State) -> str:
    """Return the rule that takes goods: that of a smaller hold, or that of cards."""
    over_hold = isinstance(job_of(state).effect, Overboard)
    return DiscardOverHold.rule if over_hold else DiscardGood.rule


class ChooseHarbour(Choice[State, Anchor]):
    """The captain chooses the port the ship is moved to."""

    name, rule, takes = "choose_port", "PRV-64", (Anchor,)

    def pending(self, state: State) -> Decision:
        """Ask whose card it is."""
        player = PlayerId(job_of(state).player)
        return ask(player, self.name, who(state, player), "choose the port your ship goes to")

    def actions(self, state: State) -> tuple[Anchor, ...]:
        """Every port."""
        player = PlayerId(job_of(state).player)
        return tuple(Anchor(player, port) for port in sorted(state.deck.port_of_id))

    def refuse(self, state: State, action: Anchor) -> Ruling | None:
        """Refuse what is no port."""
        if action.port in state.deck.port_of_id:
            return None
        return no(self.rule, f"Choose {listed((p.title for p in state.deck.ports), 'or')}.")

    def play(self, state: State, action: Anchor) -> Step[State]:
        """Move the ship."""
        rest, port = rest_of(state), state.deck.port_of_id[action.port]
        state = send(state, action.player, port)
        return go_on(state, rest, say(state, action.player, arrival(state, port)))


class RollHarbour(RollOneDie[State]):
    """The colour die says to which port the ship is moved."""

    name, rule, kind = "roll_port", "PRV-64", COLOUR

    def pending(self, state: State) -> ChanceRoll:
        """Ask whose card it is."""
        player = PlayerId(job_of(state).player)
        what = "roll the colour die for the port your ship goes to"
        return ask_roll(player, self.name, who(state, player), what, ("colour",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Move the ship."""
        player, rest = job_of(state).player, rest_of(state)
        port = state.deck.port_of_face[action.dice[0].face]
        state = send(state, player, port)
        return go_on(state, rest, say(state, player, arrival(state, port)))


class RollCrew(RollOneDie[State]):
    """White die and Crew against the card (PRV-63)."""

    name, rule, kind = "crew_test", "PRV-63", PIPS

    def pending(self, state: State) -> ChanceRoll:
        """Ask whose card it is."""
        job = job_of(state)
        assert isinstance(job.effect, CrewTest)
        crew = rank_value(state.deck, state.seats[job.player], CREW)
        what = (
            f"roll the white die and add {crew} for your crew: {job.effect.target} or more passes"
        )
        return ask_roll(PlayerId(job.player), self.name, who(state, job.player), what, ("d6",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Go on with what the total brings."""
        job, rest = job_of(state), rest_of(state)
        assert isinstance(job.effect, CrewTest)
        total = action.dice[0].face + rank_value(state.deck, state.seats[job.player], CREW)
        passed = total >= job.effect.target
        effects: tuple[Effect, ...] = job.effect.success if passed else job.effect.fail
        word = "passes" if passed else "fails"
        text = f"{word} the test of the crew, {total} against {job.effect.target}"
        jobs = (*(Job(job.player, effect) for effect in effects), *rest)
        return go_on(state, jobs, say(state, job.player, text, self.rule))
