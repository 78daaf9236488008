"""*Articles of War: Privateer* behind the game interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from companion.errors import (
    BadOptions,
    GameIsOver,
    IllegalAction,
    MalformedAction,
    NotYourTurn,
)
from companion.rules.articles_of_war import codec, view
from companion.rules.articles_of_war.actions import CHANCE_KINDS, Deed, Roll
from companion.rules.articles_of_war.boarding import RollBoarding, TakePrize
from companion.rules.articles_of_war.objections import objection
from companion.rules.articles_of_war.options import OPTION_LIST, Options, read_options
from companion.rules.articles_of_war.phase import Chance, Choice, Phase, no
from companion.rules.articles_of_war.sailing import RollReef, SpendDice
from companion.rules.articles_of_war.setup import SETUP_PHASES
from companion.rules.articles_of_war.state import (
    Boarding,
    ChoosingDice,
    DrawingCommodores,
    Finished,
    Ocean,
    OnReef,
    Rolling,
    Spending,
    Stage,
    State,
    TakingPrize,
)
from companion.rules.articles_of_war.turns import ChooseDiceSet, RollDice
from companion.rules.articles_of_war.words import who
from companion.rules.game import (
    CHANCE,
    LEGAL,
    Decision,
    GameInfo,
    GameOver,
    Outcome,
    Pending,
    PlayerId,
    Ruling,
    Step,
    View,
)
from companion.rules.layout import Die, Layout

PHASES: Mapping[type[Stage], Phase[Any]] = {
    **SETUP_PHASES,
    ChoosingDice: ChooseDiceSet(),
    Rolling: RollDice(),
    Spending: SpendDice(),
    OnReef: RollReef(),
    Boarding: RollBoarding(),
    TakingPrize: TakePrize(),
}
"""The phase of every stage but the last."""

FEWEST, MOST = 2, 6


class ArticlesOfWar:
    """The complete basic game, sections 1 to 9 of its rules (AOW-1 to AOW-63)."""

    info = GameInfo(
        id="articles-of-war",
        title="Articles of War: Privateer",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=(Options().sail, Options().cannon),
        profile="hex-ocean",
    )

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before the first card is drawn. Raises `BadOptions`."""
        names = tuple(players)
        if not FEWEST <= len(names) <= MOST:
            raise BadOptions(f"this game is for {FEWEST} to {MOST} players, not {len(names)}")
        if not all(isinstance(name, str) and name.strip() for name in names):
            raise BadOptions("every player needs a name")
        if len(set(names)) < len(names):
            raise BadOptions("two players have the same name; give them different ones")
        chosen = read_options(options)
        zeros = (0,) * len(names)
        return State(names, chosen, DrawingCommodores(), (), zeros, zeros, Ocean(chosen.radius))

    def pending(self, state: State) -> Pending:
        """Say who must do what now."""
        if isinstance(state.stage, Finished):
            return GameOver(f"The battle is over: {view.outcome(state).reason}")
        return PHASES[type(state.stage)].pending(state)

    def legal_actions(self, state: State, player: PlayerId) -> tuple[Deed, ...]:
        """Return the choices of a player, or for `CHANCE` the possible rolls and draws."""
        phase = PHASES.get(type(state.stage))
        if player == CHANCE:
            return tuple(action for action, _ in self.chance_outcomes(state))
        if isinstance(phase, Choice) and phase.pending(state).player == player:
            actions: tuple[Deed, ...] = phase.actions(state)
            return actions
        return ()

    def chance_outcomes(self, state: State) -> tuple[tuple[Deed, Fraction], ...]:
        """Return every roll or draw that can come now with its exact probability."""
        phase = PHASES.get(type(state.stage))
        return phase.odds(state) if isinstance(phase, Chance) else ()

    def asides(self, state: State) -> tuple[Deed, ...]:
        """Return nothing: this game knows no penalties."""
        return ()

    def rolled(self, action: Deed) -> tuple[Die, ...]:
        """Return the dice that a roll shows, sorted; empty for draws and choices."""
        return action.dice if isinstance(action, Roll) else ()

    def check(self, state: State, action: Deed) -> Ruling:
        """Rule on an action, without raising and without changing anything."""
        phase = PHASES.get(type(state.stage))
        if phase is None:
            return no("AOW-59", "The battle is over; nothing more can be done.")
        # A refusal is falsy, so `or` would not do here.
        refusal = _refuse_hand(state, phase, action)
        if refusal is None:
            refusal = phase.refuse(state, action)
        return LEGAL if refusal is None else refusal

    def objection(self, state: State, seen: Layout) -> Ruling:
        """Rule on a table that no legal line of play explains."""
        phase = PHASES.get(type(state.stage))
        if phase is None:
            return no("AOW-59", "The battle is over; nothing more can be done.")
        rule = "AOW-29" if isinstance(state.stage, Spending) else phase.rule
        asked = no(rule, f"{phase.pending(state).text}.")
        return objection(state, seen, self.check, asked)

    def apply(self, state: State, action: Deed) -> Step[State]:
        """Return what the action leads to. Raises `IllegalAction`."""
        ruling = self.check(state, action)
        if not ruling:
            raise _error(state, action)(ruling.rule, ruling.reason)
        return PHASES[type(state.stage)].play(state, action)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what everybody may know: this game has no secrets."""
        phase = PHASES.get(type(state.stage))
        return view.view(state, phase.name if phase else "over")

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the battle is over."""
        return view.outcome(state) if isinstance(state.stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each piece should lie now."""
        return view.layout(state)

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return view.describe(state, action)

    def parse(self, state: State, text: str) -> Deed:
        """Return the legal action that `describe` gives this text. Raises `MalformedAction`."""
        asked = self.pending(state)
        if isinstance(asked, GameOver):
            raise MalformedAction(f"{asked.text}; {text!r} cannot be done any more")
        player = asked.player if isinstance(asked, Decision) else CHANCE
        known = {self.describe(state, a): a for a in self.legal_actions(state, player)}
        if text.strip() in known:
            return known[text.strip()]
        near = get_close_matches(text.strip(), known, 1, 0) or [next(iter(known))]
        raise MalformedAction(f"{text!r} is not among what can be done now; nearest: {near[0]!r}")

    def action_to_json(self, action: Deed) -> dict[str, Any]:
        """Write an action as JSON values."""
        return codec.action_to_json(action)

    def action_from_json(self, data: Mapping[str, Any]) -> Deed:
        """Read an action. Raises `MalformedAction`."""
        return codec.action_from_json(data)

    def to_json(self, state: State) -> dict[str, Any]:
        """Write a state as JSON values."""
        return codec.state_to_json(state)

    def from_json(self, data: Mapping[str, Any]) -> State:
        """Read a state. Raises `MalformedAction`."""
        return codec.state_from_json(data)


def _refuse_hand(state: State, phase: Phase[Any], action: Deed) -> Ruling | None:
    """Refuse what is not asked for now, or not from this player."""
    asked = phase.pending(state)
    by_chance = isinstance(action, CHANCE_KINDS)
    if by_chance != (action.player == CHANCE):
        return no(phase.rule, "Rolls and draws belong to chance, choices to a player.")
    if not by_chance and not 0 <= action.player < len(state.names):
        return no("AOW-7", f"There is no player {action.player} among these {len(state.names)}.")
    if isinstance(asked, Decision) and not by_chance and action.player != asked.player:
        rule = "AOW-13" if asked.player == state.fleet.player else phase.rule
        return no(rule, f"It is not on {who(state, action.player)} now. {asked.text}.")
    if not isinstance(action, phase.takes):
        return no(phase.rule, f"That cannot be done now. {asked.text}.")
    return None


def _error(state: State, action: Deed) -> type[IllegalAction]:
    phase = PHASES.get(type(state.stage))
    if phase is None:
        return GameIsOver
    asked = phase.pending(state)
    if isinstance(asked, Decision) and action.player not in (CHANCE, asked.player):
        return NotYourTurn
    return IllegalAction
