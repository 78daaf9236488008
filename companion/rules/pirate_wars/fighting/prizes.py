"""Captured ships and prize crews (PWR-65, PWR-96, PWR-97)."""

from __future__ import annotations

from math import ceil

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import LeavePrize, ManPrize
from companion.rules.pirate_wars.crew import (
    DECK,
    Crew,
    Hand,
    changed,
    crew_size,
    merged,
    of,
    picked,
    without,
)
from companion.rules.pirate_wars.fighting.leaving import Rank, leaving, refuse_leaving
from companion.rules.pirate_wars.fighting.native_melee import falls_in_order
from companion.rules.pirate_wars.pieces import ADRIFT, GONE, LOYAL, NOWHERE
from companion.rules.pirate_wars.stages import ManningPrize, Tasking
from companion.rules.pirate_wars.state import State, design_of, side_of, unlashed, with_ship
from companion.rules.pirate_wars.words import Told, ship_name, verb_of, who
from companion.rules.words import capital, counted

KNOWN_TO_PRIZES = ("adrift", "captain_lost")
"""Conditions that bring no test about on a prize: its crew knew them when it went."""
OFFERED = (0, 2, 4, 8)
"""Hands beyond the least that are offered; any number may be sent."""


def captured(state: State, captor: int, prize: int, told: Told) -> Step[State]:
    """Take a ship: its crew is out of the battle, the captor may send a prize crew."""
    ship = state.ships[prize]
    count = crew_size(ship.crew)
    if design_of(state, prize).kind != "ship":
        return overrun(state, captor, prize, told)
    if falls_in_order(state.ships[captor].crew):
        return burnt(state, captor, prize, told)
    unset, ship = ship.resetting, ship._replace(resetting=0)
    ship = ship._replace(crew=(), used=0, way=ADRIFT, left=0, mood=LOYAL)
    # Her new captain has ordered nothing: all sails that are open, or are opened, are carried.
    sails = design_of(state, prize).sail_factor
    ship = ship._replace(tested=(), complement=0, wanted=sails)
    # Who was hit before is among those taken; a prize crew was not there (PWR-36).
    hits = [h for h in state.hits if h.ship != prize or h.what not in ("figures", "officer")]
    borne = tuple([h._replace(borne=True) if h.ship == prize else h for h in hits])
    state = unlashed(with_ship(state, prize, ship), prize)._replace(hits=borne)
    men = counted(count, "man", "men") if count else "nobody aboard"
    text = f"{capital(ship_name(state, prize))} is taken, with {men}"
    told = (*told, Happening(text, "PWR-65"))
    if unset:
        # Her captor has no use for what the others were at.
        text = f"{capital(ship_name(state, prize))} resets no sails: those who did are taken"
        told = (*told, Happening(text, "PWR-82"))
    return Step(state._replace(stage=ManningPrize(captor, prize, count)), told)


def burnt(state: State, captor: int, prize: int, told: Told) -> Step[State]:
    """Let islanders burn a ship they have taken and bring its treasure to their idol (PWR-135)."""
    lost, name = state.ships[prize], capital(ship_name(state, prize))
    state = _looted(state, captor, prize)
    ashes = lost._replace(crew=(), chests=0, stowed=0, left=0, fate=GONE, pose=NOWHERE)
    state = unlashed(with_ship(state, prize, ashes), prize)._replace(stage=Tasking())
    return Step(state, (*told, Happening(f"{name} is burnt", "PWR-135")))


def _looted(state: State, captor: int, lost: int) -> State:
    """Let a winner have what the loser carried; islanders bring it to their idol (PWR-135).

    A launch of others has nowhere to put it.
    """
    owner, winner, loot = captor, state.ships[captor], state.ships[lost]
    if winner.home >= 0 and falls_in_order(winner.crew):
        owner, winner = winner.home, state.ships[winner.home]
    elif design_of(state, captor).kind == "launch":
        return state
    chests, stowed = winner.chests + loot.chests, winner.stowed + loot.stowed
    return with_ship(state, owner, winner._replace(chests=chests, stowed=stowed))


def overrun(state: State, captor: int, taken: int, told: Told) -> Step[State]:
    """Take a launch, a landing party or a fortress: whoever was there is out of the battle.

    What they carried is the winner's, unless there is only a launch to put it in; what lies at the
    idol of natives is robbed by a task of its own (PWR-136). A fortress is held by whoever enters
    it next.
    """
    lost, player = state.ships[taken], state.ships[captor].player
    kind = design_of(state, taken).kind
    empty = lost._replace(crew=(), left=0, fort=-1, snared=())
    if kind != "tribe":
        state = _looted(state, captor, taken)
        empty = empty._replace(chests=0, stowed=0)
    if kind == "fort":
        empty = empty._replace(player=player)
    elif kind != "tribe":
        empty = empty._replace(fate=GONE, pose=NOWHERE)
    state = unlashed(with_ship(state, taken, empty), taken)._replace(stage=Tasking())
    text = f"{capital(ship_name(state, taken))} {verb_of(state, taken, 'is')} taken"
    return Step(state, (*told, Happening(text, "PWR-65")))


def leader_and_hands(state: State, stage: ManningPrize) -> tuple[Crew, Crew, int]:
    """Return who can lead the prize crew, who can be of it, and how many it needs (PWR-96, 97)."""
    crew = state.ships[stage.captor].crew
    if side_of(state, stage.captor) == "pirate":
        leader = of(crew, lambda hand: hand.figure.role == "mate")
        hands = of(crew, lambda hand: hand.figure.role == "pirate")
        return leader[:1], hands, state.ships[stage.prize].sf
    leader = of(crew, lambda hand: hand.figure.role == "lieutenant")
    hands = of(crew, lambda hand: hand.figure.role == "marine")
    return leader[:1], hands, ceil(stage.captured / 2)


def spare(state: State, stage: ManningPrize) -> int:
    """Return how many more than the least could go; negative: it cannot be manned."""
    leader, hands, least = leader_and_hands(state, stage)
    return crew_size(hands) - least if leader else -1


def _going(state: State, stage: ManningPrize, more: int) -> Crew:
    """Return the prize crew with so many more than the least."""
    leader, hands, least = leader_and_hands(state, stage)

    def pick(rank: Rank) -> Crew:
        return merged(picked(leader, 1, rank), picked(hands, least + more, rank))

    return leaving(state, stage.captor, pick)


class MakePrizeCrew(Choice[State, Deed]):
    """The captor sends a prize crew, or leaves the ship to the wind."""

    name, rule, takes = "man_prize", "PWR-96", (ManPrize, LeavePrize)

    def asked(self, state: State) -> PlayerId:
        """Return the captor's captain."""
        return state.ships[stage_of(state, ManningPrize).captor].player

    def pending(self, state: State) -> Decision:
        """Ask for the prize crew."""
        stage, player = stage_of(state, ManningPrize), self.asked(state)
        text = f"{who(state, player)}: send a prize crew to {ship_name(state, stage.prize)}?"
        return Decision(player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return the least crew, larger ones, and none."""
        player, more = self.asked(state), spare(state, stage_of(state, ManningPrize))
        pirate = side_of(state, stage_of(state, ManningPrize).captor) == "pirate"
        offered = OFFERED if pirate else OFFERED[:1]
        crews = [ManPrize(player, count) for count in offered if count <= more]
        able = [crew for crew in crews if self.refuse(state, crew) is None]
        return (*able, LeavePrize(player))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse prize crews that the captor does not have."""
        if isinstance(action, LeavePrize):
            return None
        assert isinstance(action, ManPrize)
        stage = stage_of(state, ManningPrize)
        pirate = side_of(state, stage.captor) == "pirate"
        rule = "PWR-96" if pirate else "PWR-97"
        leader, hands, least = leader_and_hands(state, stage)
        if not leader:
            missing = "First Mate" if pirate else "Lieutenant"
            return no(rule, f"A prize crew needs the {missing}.")
        if spare(state, stage) < 0:
            needed = counted(least, "figure", "figures")
            return no(rule, f"The prize crew needs {needed}, {crew_size(hands)} can go.")
        most = spare(state, stage) if pirate else 0
        if not 0 <= action.more <= most:
            return no(rule, f"Up to {most} more can go.")
        return refuse_leaving(state, stage.captor, _going(state, stage, action.more))

    def play(self, state: State, action: Deed) -> Step[State]:
        """Send them across; whoever leaves the ship alone gives it to the wind."""
        stage = stage_of(state, ManningPrize)
        name = capital(ship_name(state, stage.prize))
        if isinstance(action, LeavePrize):
            told = (Happening(f"{name} is left without a crew", "PWR-96"),)
            return Step(state._replace(stage=Tasking()), told)
        assert isinstance(action, ManPrize)
        going = _going(state, stage, action.more)
        captor, prize = state.ships[stage.captor], state.ships[stage.prize]
        imperial = side_of(state, stage.captor) == "imperial"
        state = with_ship(state, stage.captor, captor._replace(crew=without(captor.crew, going)))
        prize = prize._replace(
            crew=changed(going, going, _across),
            player=captor.player,
            prize=imperial,
            tested=KNOWN_TO_PRIZES,
            complement=crew_size(going),
        )
        state = with_ship(state, stage.prize, prize)
        told = (Happening(f"{name} sails under {who(state, captor.player)}", "PWR-96"),)
        return Step(state._replace(stage=Tasking()), told)


def _across(hand: Hand) -> Hand:
    return hand._replace(station=DECK, busy=True)
