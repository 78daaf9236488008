"""From turn to turn: who is next, who is out, and how the game ends (AHM-14, 41 to 46)."""

from __future__ import annotations

from companion.rules.ahoy_matey.actions import WalkThePlank
from companion.rules.ahoy_matey.fleets import destination
from companion.rules.ahoy_matey.state import Finished, Rolling, Sailing, State
from companion.rules.ahoy_matey.uses import all_home
from companion.rules.ahoy_matey.words import faces, fleet_name, who
from companion.rules.game import Happening, PlayerId, Ruling, Step
from companion.rules.phases import Aside, no
from companion.rules.tuples import shifted
from companion.rules.words import listed

Happenings = tuple[Happening, ...]


def begin_play(state: State, happenings: Happenings) -> Step[State]:
    """Begin the first turn; who has walked the plank already forfeits it."""
    state = state.but(stage=Rolling(), turns=1, round=1, first=state.player)
    if not state.penalties[state.player]:
        return Step(state, happenings)
    return _pass_turn(*_forfeited(state, happenings))


def go_on(state: State, happenings: Happenings = ()) -> Step[State]:
    """Go on once a die is used or a treasure taken: next use, next turn or the end (AHM-16)."""
    if all_home(state.crew, state.position):
        return _delivered(state, happenings)
    if state.uses or state.takers:
        at_sea = isinstance(state.stage, Sailing)
        return Step(state if at_sea else state.but(stage=Sailing()), happenings)
    return _turn_over(state, happenings)


def end_turn(state: State, happenings: Happenings = ()) -> Step[State]:
    """End the turn whatever dice are left, unless the game is over."""
    state, happenings = reckon(state, happenings)
    if isinstance(state.stage, Finished):
        return Step(state, happenings)
    return _turn_over(state, happenings)


def _turn_over(state: State, happenings: Happenings) -> Step[State]:
    """Go on to the next turn, or let the player roll again (AHM-V10)."""
    if state.dice:
        text = f"{who(state, state.player)} cannot use {faces(state.dice)}"
        happenings = (*happenings, Happening(text, "AHM-16"))
    if state.rolls_again and state.afloat[state.player]:
        text = f"{who(state, state.player)} rolls again after the squall"
        happenings = (*happenings, Happening(text, "AHM-V10"))
        return Step(state.but(stage=Rolling(), dice=(), rolls_again=False), happenings)
    return _pass_turn(state, happenings)


def _pass_turn(state: State, happenings: Happenings) -> Step[State]:
    while True:
        if state.turns >= state.options.turn_cap:
            text = f"{state.turns} turns have been played: a draw"
            return _finished(state, "turn_cap", (), (*happenings, Happening(text, "AHM-45")))
        state = _next_turn(state)
        if not state.penalties[state.player]:
            return Step(state, happenings)
        state, happenings = _forfeited(state, happenings)


def _forfeited(state: State, happenings: Happenings) -> tuple[State, Happenings]:
    state = state.but(penalties=shifted(state.penalties, state.player, -1))
    text = f"{who(state, state.player)} forfeits this turn"
    return state, (*happenings, Happening(text, "AHM-46"))


def _next_turn(state: State) -> State:
    """Return the state in which the next player rolls: the Ghost Fleet thrice, else clockwise."""
    ghost = state.ghost
    haunted = bool(state.extra_turns and ghost is not None and state.afloat[ghost])
    player = ghost if haunted and ghost is not None else _following(state)
    opens = not haunted and _opens_round(state, player)
    return state.but(
        stage=Rolling(),
        player=player,
        dice=(),
        rolls_again=False,
        extra_turns=state.extra_turns - 1 if haunted else 0,
        resume_after=state.resume_after if haunted else None,
        turns=state.turns + 1,
        round=state.round + opens,
    )


def _opens_round(state: State, player: PlayerId) -> bool:
    """Say whether the turns come to the player who began, or pass their place, on the way."""
    last = state.player if state.resume_after is None else state.resume_after
    seats = len(state.names)
    # Whoever follows themselves has gone once round the table.
    return (state.first - last - 1) % seats <= (player - last - 1) % seats


def _following(state: State) -> PlayerId:
    """Return the next player clockwise who is still in play."""
    last, skipped = state.player, None
    if state.resume_after is not None:
        # The ghosts' three turns stand for the one of their own that would follow.
        last, skipped = state.resume_after, state.ghost
    seats = len(state.names)
    following = [PlayerId((last + k) % seats) for k in range(1, seats + 1)]
    return next(seat for seat in following if state.afloat[seat] and seat != skipped)


def reckon(state: State, happenings: Happenings) -> tuple[State, Happenings]:
    """See who has lost every ship: raise the Ghost Fleet, end the game for the last one left."""
    for seat, ships in enumerate(state.afloat):
        if not ships and state.options.ghost_fleet and state.ghost is None:
            state, happenings = _risen(state, PlayerId(seat), happenings)
    left = [PlayerId(seat) for seat, ships in enumerate(state.afloat) if ships]
    if len(left) == 1:
        text = f"{who(state, left[0])} has outlasted everybody and wins"
        step = _finished(
            state, "last_afloat", tuple(left), (*happenings, Happening(text, "AHM-44"))
        )
        return step.state, step.happenings
    return state, happenings


def _risen(state: State, player: PlayerId, happenings: Happenings) -> tuple[State, Happenings]:
    position = state.position
    reserve = (*position.reserve, state.options.ships)
    state = state.but(
        position=position._replace(reserve=reserve),
        ghost=player,
        extra_turns=3,
        resume_after=state.player,
    )
    fleet = fleet_name(state.fleets[-1].colour)
    text = f"{state.names[player]} has lost every ship and returns with the Ghost Fleet, {fleet}"
    return state, (*happenings, Happening(text, "AHM-V13"))


def _delivered(state: State, happenings: Happenings) -> Step[State]:
    homes = {t.place for t in state.position.treasures}
    goals = {destination(state.options, fleet): fleet.player for fleet in state.fleets}
    winners = tuple(sorted({goals[home] for home in homes}))
    names = listed(who(state, winner) for winner in winners)
    rule = "AHM-44" if state.options.treasures == 1 else "AHM-V16"
    share = "share the victory" if len(winners) > 1 else "wins"
    what = "The treasure is" if state.options.treasures == 1 else "Both treasures are"
    text = f"{what} home: {names} {share}"
    return _finished(state, "delivery", winners, (*happenings, Happening(text, rule)))


def _finished(
    state: State, how: str, winners: tuple[PlayerId, ...], happenings: Happenings
) -> Step[State]:
    stage = Finished(how, winners)
    state = state.but(stage=stage, dice=(), rolls_again=False)
    return Step(state, happenings)


def storm_over(state: State, happenings: Happenings) -> Step[State]:
    """End the game without a winner: the hurricane has sunk the treasure (AHM-V8)."""
    text = "The treasure has sunk: the game is over and nobody wins"
    return _finished(state, "hurricane", (), (*happenings, Happening(text, "AHM-V8")))


class PlankWalk(Aside[State, WalkThePlank]):
    """Whoever is caught cheating forfeits the next turn; the table decides it (AHM-46)."""

    takes = WalkThePlank

    def actions(self, state: State) -> tuple[WalkThePlank, ...]:
        """One for every player still in play."""
        seats = range(len(state.names))
        return tuple(WalkThePlank(PlayerId(seat)) for seat in seats if state.afloat[seat])

    def refuse(self, state: State, action: WalkThePlank) -> Ruling | None:
        """Only who is still in play has turns to forfeit."""
        if action in self.actions(state):
            return None
        return no("AHM-46", f"{who(state, action.player)} has no turn left to forfeit.")

    def play(self, state: State, action: WalkThePlank) -> Step[State]:
        """Note the penalty; the turn under way is played to its end."""
        penalties = shifted(state.penalties, action.player, 1)
        text = f"{who(state, action.player)} walks the plank and forfeits the next turn"
        return Step(state.but(penalties=penalties), (Happening(text, "AHM-46"),))
