"""*Ahoy, Matey!* behind the game interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.ahoy_matey import view
from companion.rules.ahoy_matey.codec import CODEC
from companion.rules.ahoy_matey.objections import objection
from companion.rules.ahoy_matey.opening import Bargain, RollForFirst, TossForIsland, new_game
from companion.rules.ahoy_matey.options import DIE, FEWEST, MOST, OPTION_LIST, read_options
from companion.rules.ahoy_matey.rolls import GiveUpShip, RollDice, SetThePair
from companion.rules.ahoy_matey.sailing import UseDice
from companion.rules.ahoy_matey.state import (
    Bargaining,
    Charting,
    Cursing,
    Digging,
    Finished,
    GivingUp,
    Rolling,
    RollingForFirst,
    Sailing,
    SettingPair,
    Stage,
    State,
    Tossing,
)
from companion.rules.ahoy_matey.treasure import RollForChart, RollForCurse, RollToFind
from companion.rules.ahoy_matey.turns import PlankWalk
from companion.rules.ahoy_matey.words import who
from companion.rules.deeds import Deed
from companion.rules.game import Decision, GameInfo, Outcome, PlayerId, Ruling
from companion.rules.layout import Layout
from companion.rules.options import check_players
from companion.rules.phases import Phase, PhasedGame, no
from companion.rules.views import View

PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    RollingForFirst: RollForFirst(),
    Bargaining: Bargain(),
    Tossing: TossForIsland(),
    Rolling: RollDice(),
    SettingPair: SetThePair(),
    Sailing: UseDice(),
    Digging: RollToFind(),
    Cursing: RollForCurse(),
    Charting: RollForChart(),
    GivingUp: GiveUpShip(),
}
"""The phase of every stage but the last."""


class AhoyMatey(PhasedGame[State]):
    """The complete game with all its variants (AHM-1 to 46, AHM-V1 to V20)."""

    info = GameInfo(
        id="ahoy-matey",
        title="Ahoy, Matey!",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=(DIE,),
        profile="piecepack-sea",
    )
    phases = PHASES
    codec = CODEC
    aside_list = (PlankWalk(),)
    seats_rule = "AHM-2"
    over = no("AHM-44", "The game is over; nothing more can be done.")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before anybody has rolled for the first turn. Raises `BadOptions`."""
        names = check_players(players, FEWEST, MOST)
        return new_game(names, read_options(options, len(names)))

    def who(self, state: State, player: PlayerId) -> str:
        """Name a player by fleet, or by name where they command several."""
        return who(state, player)

    def rule_of_turn(self, state: State, asked: Decision) -> str:
        """Return the rule of the turn order: nobody but the player on turn ever chooses."""
        haunted = state.resume_after is not None and state.player == state.ghost
        return "AHM-V13" if haunted else "AHM-14"

    def ended(self, state: State) -> Ruling:
        """Refuse everything by the rule that ended the game."""
        ended = self.outcome(state)
        assert ended is not None
        return replace(self.over, rule=ended.rule)

    def nearest_refusal(
        self, state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done; `asked` if nothing was."""
        if isinstance(state.stage, Sailing):
            asked = replace(asked, rule="AHM-16")
        return objection(state, seen, self.check, self.apply, asked)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what everybody may know: this game has no secrets."""
        return view.view(state, self.phase_name(state))

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the game is over."""
        return view.outcome(state, state.stage) if isinstance(state.stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each piece should lie now."""
        return view.layout(state)

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return view.describe(state, action)
