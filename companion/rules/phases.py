"""A game as a list of phases: each named part of it answers for itself.

A state carries a stage, a small value that says which part of the game it is in and what is known
only there. The game maps the type of every stage to one phase object. What is the same in all such
games (who is asked, what is refused before a phase looks at it) stands here once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from difflib import get_close_matches
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from companion.errors import GameIsOver, IllegalAction, MalformedAction, NotYourTurn
from companion.rules.deeds import Deed, Odds, Roll, roll, rolls_of
from companion.rules.dice import DieKind
from companion.rules.game import (
    CHANCE,
    LEGAL,
    ChanceRoll,
    Decision,
    GameOver,
    Outcome,
    Pending,
    PlayerId,
    Ruling,
    Step,
)
from companion.rules.layout import Die, Layout, Pose
from companion.rules.writing import Codec


class Staged(Protocol):
    """A state of such a game."""

    @property
    def stage(self) -> Any:
        """Where in the game it is."""
        ...

    @property
    def names(self) -> tuple[str, ...]:
        """Players by seat."""
        ...


class Turned(Staged, Protocol):
    """A state in which it is somebody's turn."""

    @property
    def player(self) -> PlayerId:
        """The captain on turn."""
        ...


S = TypeVar("S", bound=Staged)
T = TypeVar("T", bound=Turned)
D = TypeVar("D", bound=Deed)
G = TypeVar("G")


class Phase(ABC, Generic[S, D]):
    """A part of the set-up or turn. Asked only while the state is in its stage."""

    name: ClassVar[str]
    rule: ClassVar[str]
    """Rule that says what must happen now; cited when somebody does something else."""
    takes: ClassVar[tuple[type[Deed], ...]]

    @abstractmethod
    def pending(self, state: S) -> Decision | ChanceRoll:
        """Say who must do what."""

    @abstractmethod
    def refuse(self, state: S, action: D) -> Ruling | None:
        """Return why an action of the right kind by the right player is illegal, if it is."""

    @abstractmethod
    def play(self, state: S, action: D) -> Step[S]:
        """Carry out a legal action."""


class Choice(Phase[S, D]):
    """A part in which a captain chooses."""

    @abstractmethod
    def pending(self, state: S) -> Decision:
        """Say who must choose what."""

    def asked(self, state: S) -> PlayerId:
        """Return who chooses; a phase that knows without wording the question may say so."""
        return self.pending(state).player

    @abstractmethod
    def actions(self, state: S) -> tuple[D, ...]:
        """Return the legal choices, sorted."""

    def open_actions(self, state: S) -> tuple[D, ...]:
        """Return the choices as far as everybody may know them; see `Game.open_actions`."""
        return self.actions(state)

    def measured(self, state: S, seen: Mapping[int, Pose]) -> tuple[D, ...]:
        """Return what brings pieces of an open table where they are seen; `Game.measured`."""
        return ()


class TurnChoice(Choice[T, D]):
    """A part in which the captain on turn chooses."""

    def asked(self, state: T) -> PlayerId:
        """Return the captain on turn."""
        return state.player


class Chance(Phase[S, D]):
    """A part in which dice or a draw decide."""

    @abstractmethod
    def odds(self, state: S) -> tuple[tuple[D, Fraction], ...]:
        """Return what can come, sorted, with its exact probability."""


class OneDie(Chance[S, Roll]):
    """A part in which one die decides; each game has words of its own for other dice."""

    takes = (Roll,)
    kind: ClassVar[DieKind]

    def odds(self, state: S) -> Odds:
        """Return what the die can show."""
        return rolls_of(self.kind, 1)


class Aside(ABC, Generic[S, D]):
    """Something the table may decide at any time, whoever is asked: a penalty, say."""

    takes: ClassVar[type[Deed]]

    @abstractmethod
    def actions(self, state: S) -> tuple[D, ...]:
        """Return what may be decided, sorted."""

    @abstractmethod
    def refuse(self, state: S, action: D) -> Ruling | None:
        """Return why a decision of the right kind cannot be, if it cannot."""

    @abstractmethod
    def play(self, state: S, action: D) -> Step[S]:
        """Carry out what was decided."""


def no(rule: str, reason: str) -> Ruling:
    """Refuse, with the number of the rule and one sentence."""
    return Ruling(False, rule, reason)


def stage_of(state: Staged, kind: type[G]) -> G:
    """Return the stage of a state that is known to be of a kind."""
    assert isinstance(state.stage, kind)
    return state.stage


class PhasedGame(ABC, Generic[S]):
    """The half of `companion.rules.game.Game` that follows from a game's phases."""

    phases: ClassVar[Mapping[type, Phase[Any, Any]]]
    """The phase of every stage but the last."""
    aside_list: ClassVar[tuple[Aside[Any, Any], ...]] = ()
    """What the table may decide until the game is over, in the order of their actions."""
    over: ClassVar[Ruling]
    """The refusal of everything once the game has ended; see `ended`."""
    codec: ClassVar[Codec[Any]]
    seats_rule: ClassVar[str]
    """The rule that says how many play."""
    bout: ClassVar[str] = "game"
    """What people call what they play: a game or a battle."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return the result once the game is over, else ``None``."""

    @abstractmethod
    def describe(self, state: S, action: Deed) -> str:
        """Name an action in plain words."""

    def stray(self, state: S, tag: int) -> str:
        """Say why a piece on an open table has no business there; see `Game.stray`."""
        return ""

    def pieces_of(self, action: Deed) -> Mapping[str, int]:
        """Return the tags of the pieces that an action names, by field; see `Game.pieces_of`."""
        return {}

    def printed(self, state: S, action: Deed) -> str:
        """Return what is printed on what an action takes; see `Game.printed`."""
        return ""

    def order(self, state: S, action: Deed) -> tuple[Any, ...]:
        """Return the key by which an action is found among others; see `Game.order`."""
        return ()

    def loss(self, state: S, action: Deed) -> str:
        """Return what an action costs its captain for good; see `Game.loss`."""
        return ""

    @abstractmethod
    def who(self, state: S, player: PlayerId) -> str:
        """Name a player as refusals do."""

    @abstractmethod
    def rule_of_turn(self, state: S, asked: Decision) -> str:
        """Return the rule that gives the decision to the player who is asked."""

    def over_text(self, state: S) -> str:
        """Say in one sentence that the game is over and why."""
        outcome = self.outcome(state)
        assert outcome is not None
        return f"The {self.bout} is over: {outcome.reason}"

    def check_new(self, state: S) -> None:
        """Refuse a new game that cannot be played; see `Game.check_new`."""
        return

    def phase(self, state: S) -> Phase[Any, Any] | None:
        """Return the phase a state is in; ``None`` once the game has ended."""
        return self.phases.get(type(state.stage))

    def phase_name(self, state: S) -> str:
        """Return the name of the phase a state is in; ``"over"`` once the game has ended."""
        phase = self.phase(state)
        return "over" if phase is None else phase.name

    def pending(self, state: S) -> Pending:
        """Say who must do what now."""
        phase = self.phase(state)
        return GameOver(self.over_text(state)) if phase is None else phase.pending(state)

    def legal_actions(self, state: S, player: PlayerId) -> tuple[Deed, ...]:
        """Return the choices of a player, or for `CHANCE` the possible rolls and draws."""
        phase = self.phase(state)
        if player == CHANCE:
            return tuple([action for action, _ in self.chance_outcomes(state)])
        if isinstance(phase, Choice) and phase.asked(state) == player:
            actions: tuple[Deed, ...] = phase.actions(state)
            return actions
        return ()

    def open_actions(self, state: S) -> tuple[Deed, ...]:
        """Return the choices of whoever is asked as far as everybody may know them, sorted."""
        phase = self.phase(state)
        if isinstance(phase, Choice):
            actions: tuple[Deed, ...] = phase.open_actions(state)
            return actions
        return self.legal_actions(state, CHANCE)

    def chance_outcomes(self, state: S) -> tuple[tuple[Deed, Fraction], ...]:
        """Return every roll or draw that can come now with its exact probability."""
        phase = self.phase(state)
        return phase.odds(state) if isinstance(phase, Chance) else ()

    def asides(self, state: S) -> tuple[Deed, ...]:
        """Return what the table may decide besides what is asked; nothing in most games."""
        if self.phase(state) is None:
            return ()
        return tuple(action for aside in self.aside_list for action in aside.actions(state))

    def measured(self, state: S, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return what may have been done to bring pieces of an open table where they are seen."""
        phase = self.phase(state)
        return phase.measured(state, seen) if isinstance(phase, Choice) else ()

    def roll_of(self, state: S, dice: tuple[Die, ...]) -> Deed | None:
        """Return the roll awaited in `state` that shows these dice (sorted), or ``None``."""
        deed = roll(*dice)
        return deed if self.check(state, deed) else None

    def rolled(self, action: Deed) -> tuple[Die, ...]:
        """Return the dice that a roll shows, sorted; empty for draws and choices."""
        return action.dice if isinstance(action, Roll) else ()

    def ended(self, state: S) -> Ruling:
        """Return the refusal of everything in a game that is over."""
        return self.over

    def objection(self, state: S, seen: Layout) -> Ruling:
        """Rule on a table that no legal line of play explains; see `Game.objection`."""
        phase = self.phase(state)
        if phase is None:
            return self.ended(state)
        asked = no(phase.rule, f"{phase.pending(state).text}.")
        return self.nearest_refusal(state, seen, phase, asked)

    @abstractmethod
    def nearest_refusal(
        self, state: S, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done in a phase; `asked` if nothing was."""

    def check(self, state: S, action: Deed) -> Ruling:
        """Rule on an action, without raising and without changing anything."""
        phase = self.phase(state)
        if phase is None:
            return self.ended(state)
        aside = self._aside_of(action)
        # A refusal is falsy, so `or` would not do here.
        refusal = None if aside else self._refuse_hand(state, phase, action)
        if refusal is None:
            refusal = (aside or phase).refuse(state, action)
        return LEGAL if refusal is None else refusal

    def apply(self, state: S, action: Deed) -> Step[S]:
        """Return what the action leads to. Raises `IllegalAction`; the old state stays."""
        ruling = self.check(state, action)
        if not ruling:
            raise self._error(state, action)(ruling.rule, ruling.reason)
        part = self._aside_of(action) or self.phases[type(state.stage)]
        step: Step[S] = part.play(state, action)
        return step

    def parse(self, state: S, text: str) -> Deed:
        """Return the legal action that `describe` gives this text. Raises `MalformedAction`."""
        asked = self.pending(state)
        if isinstance(asked, GameOver):
            raise MalformedAction(f"{asked.text}; {text!r} cannot be done any more")
        player = asked.player if isinstance(asked, Decision) else CHANCE
        offered = (*self.legal_actions(state, player), *self.asides(state))
        known = {self.describe(state, a): a for a in offered}
        if text.strip() in known:
            return known[text.strip()]
        near = get_close_matches(text.strip(), known, 1, 0) or [next(iter(known))]
        raise MalformedAction(f"{text!r} is not among what can be done now; nearest: {near[0]!r}")

    def action_to_json(self, action: Deed) -> dict[str, Any]:
        """Write an action as JSON values."""
        return self.codec.actions.write(action)

    def action_from_json(self, data: Mapping[str, Any]) -> Deed:
        """Read an action. Raises `MalformedAction`."""
        return self.codec.read_action(data)

    def to_json(self, state: S) -> dict[str, Any]:
        """Write a state as JSON values, secrets included: for the table's own records only."""
        return self.codec.write(state)

    def from_json(self, data: Mapping[str, Any]) -> S:
        """Read a state. Raises `MalformedAction`."""
        state: S = self.codec.read(data)
        return state

    def _aside_of(self, action: Deed) -> Aside[Any, Any] | None:
        for aside in self.aside_list:
            if isinstance(action, aside.takes):
                return aside
        return None

    def _refuse_hand(self, state: S, phase: Phase[Any, Any], action: Deed) -> Ruling | None:
        """Refuse what is not asked for now, or not from this player."""
        if action.by_chance != (action.player == CHANCE):
            return no(phase.rule, "Rolls and draws belong to chance, choices to a player.")
        if not action.by_chance and not 0 <= action.player < len(state.names):
            seats = len(state.names)
            return no(self.seats_rule, f"There is no player {action.player} among these {seats}.")
        if isinstance(phase, Choice) and not action.by_chance:
            if action.player != phase.asked(state):
                asked = phase.pending(state)
                reason = f"{self.who(state, action.player)} must wait now. {asked.text}."
                return no(self.rule_of_turn(state, asked), reason)
        if not isinstance(action, phase.takes):
            return no(phase.rule, f"That cannot be done now. {phase.pending(state).text}.")
        return None

    def _error(self, state: S, action: Deed) -> type[IllegalAction]:
        phase = self.phase(state)
        if phase is None:
            return GameIsOver
        asked = phase.pending(state)
        if isinstance(asked, Decision) and action.player not in (CHANCE, asked.player):
            return NotYourTurn
        return IllegalAction
