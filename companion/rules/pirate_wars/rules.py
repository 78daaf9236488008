"""PirateWars behind the game interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.errors import BadOptions
from companion.rules.deeds import Deed
from companion.rules.game import Decision, GameInfo, Outcome, PlayerId, Ruling, Step
from companion.rules.layout import Layout
from companion.rules.options import check_players
from companion.rules.phases import Phase, PhasedGame, no
from companion.rules.pirate_wars import view
from companion.rules.pirate_wars.actions import ChooseShip
from companion.rules.pirate_wars.ashore.falling import FallOver
from companion.rules.pirate_wars.ashore.forts import FORTS
from companion.rules.pirate_wars.ashore.lurking import Lurk
from companion.rules.pirate_wars.ashore.natives import NATIVES
from companion.rules.pirate_wars.ashore.setting_down import SetDown
from companion.rules.pirate_wars.codec import CODEC
from companion.rules.pirate_wars.dice import DICE
from companion.rules.pirate_wars.fighting.committing import CommitFigures
from companion.rules.pirate_wars.fighting.firing import RollCritical, ThrowVolleys
from companion.rules.pirate_wars.fighting.losses import ChooseLosses
from companion.rules.pirate_wars.fighting.melee import ChooseFallen, ThrowBoarding
from companion.rules.pirate_wars.fighting.pressing import PressOn, Yield
from companion.rules.pirate_wars.fighting.prizes import MakePrizeCrew
from companion.rules.pirate_wars.initiative import RollInitiative
from companion.rules.pirate_wars.morale import TestMorale
from companion.rules.pirate_wars.objections import objection
from companion.rules.pirate_wars.options import OPTION_LIST, read_options
from companion.rules.pirate_wars.pieces import tag_of
from companion.rules.pirate_wars.sailing.falling_off import FallOffWind
from companion.rules.pirate_wars.sailing.moving import MoveShips
from companion.rules.pirate_wars.setup import (
    SIDES_DEG,
    ChooseShips,
    PlaceShips,
    RollWind,
    check_room,
)
from companion.rules.pirate_wars.sharks import FeedSharks
from companion.rules.pirate_wars.stages import (
    ChoosingShips,
    Committing,
    Culling,
    FallingOff,
    FeedingSharks,
    Finished,
    Firing,
    Losing,
    Lurking,
    ManningPrize,
    Moving,
    PlacingShips,
    Pressing,
    RollingCritical,
    RollingInitiative,
    RollingWind,
    SettingDown,
    Stage,
    Tasking,
    TestingMorale,
    Throwing,
    Yielding,
)
from companion.rules.pirate_wars.state import State
from companion.rules.pirate_wars.tasks import GiveTasks
from companion.rules.pirate_wars.turns import go_on
from companion.rules.pirate_wars.words import who
from companion.rules.views import View
from companion.rules.words import counted

PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    ChoosingShips: ChooseShips(),
    RollingWind: RollWind(),
    PlacingShips: PlaceShips(),
    RollingInitiative: RollInitiative(),
    Moving: MoveShips(),
    FallingOff: FallOffWind(),
    Tasking: GiveTasks(),
    Firing: ThrowVolleys(),
    RollingCritical: RollCritical(),
    Losing: ChooseLosses(),
    Committing: CommitFigures(),
    Throwing: ThrowBoarding(),
    Culling: ChooseFallen(),
    Pressing: PressOn(),
    Yielding: Yield(),
    ManningPrize: MakePrizeCrew(),
    TestingMorale: TestMorale(),
    FeedingSharks: FeedSharks(),
    SettingDown: SetDown(),
    Lurking: Lurk(),
}
"""The phase of every stage but the last; `Between` is passed through by itself."""

FEWEST, MOST = 2, 4
ROOM_MM2 = 100_000
"""Sea that each ship needs to be placed and to turn."""


class PirateWars(PhasedGame[State]):
    """The complete game with every optional rule but the firing of bricks (PWR-1 to PWR-141)."""

    info = GameInfo(
        id="pirate-wars",
        title="PirateWars",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=DICE,
        profile="open-table",
        sides_deg=SIDES_DEG,
    )
    phases = PHASES
    aside_list = (FallOver(),)
    codec = CODEC
    bout = "battle"
    seats_rule = "PWR-35"
    over = no("PWR-140", "One side is left, or the turns are over: nothing follows.")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before the first ship is chosen. Raises `BadOptions`."""
        names = check_players(players, FEWEST, MOST)
        chosen = read_options(options)
        width, height = chosen.sea_mm
        room = width * height // ROOM_MM2
        ships = len(names) * chosen.ships_each
        if ships > room:
            message = f"A sea of {width} x {height} mm has room for {room} ships, not {ships}."
            raise BadOptions(message, "ships_each")
        for option, places in ((FORTS, chosen.forts), (NATIVES, chosen.natives)):
            for place in places:
                if place.captain > len(names):
                    message = f"There is no captain {place.captain}: {len(names)} play."
                    raise BadOptions(message, option)
        return State(names=names, options=chosen, stage=ChoosingShips())

    def check_new(self, state: State) -> None:
        """Refuse a sea that has no room for the ships of every captain. Raises `BadOptions`."""
        check_room(state)

    def apply(self, state: State, action: Deed) -> Step[State]:
        """Return what the action leads to. Raises `IllegalAction`; the old state stays."""
        return go_on(super().apply(state, action))

    def who(self, state: State, player: PlayerId) -> str:
        """Name a player."""
        return who(state, player)

    def rule_of_turn(self, state: State, asked: Decision) -> str:
        """Return the rule of the order of initiative, or the phase's outside a turn."""
        in_turn = state.order and asked.player == state.player
        return "PWR-35" if in_turn else self.phases[type(state.stage)].rule

    def nearest_refusal(
        self, state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done; `asked` if nothing was."""
        return objection(state, seen, self.check, asked)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what anybody may know: nothing is secret."""
        return view.view(state, self.phase_name(state))

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the battle is over."""
        return view.outcome(state) if isinstance(state.stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each piece should stand now."""
        return view.layout(state)

    def pieces_of(self, action: Deed) -> Mapping[str, int]:
        """Return the tags of the ships that an action names by their numbers."""
        fields = [name for name in ("ship", "target") if hasattr(action, name)]
        return {name: tag_of(getattr(action, name)) for name in fields}

    def printed(self, state: State, action: Deed) -> str:
        """Return what a ship is that may be commanded (PWR-19)."""
        if not isinstance(action, ChooseShip):
            return ""
        ship = state.options.designs[action.design]
        side = "Pirates" if ship.side == "pirate" else "Imperials"
        guns = counted(len(ship.cannons), "cannon", "cannons")
        return f"{side}, hull {ship.hull_factor}, speed {ship.speed}, {guns}, crew {ship.crew_size}"

    def loss(self, state: State, action: Deed) -> str:
        """Return what leaving the sea, scuttling and surrender cost."""
        return view.loss(state, action)

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return view.describe(state, action, self.pending(state))
