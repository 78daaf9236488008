"""*Pirates CSG: Economy Edition* behind the game interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.deeds import Deed
from companion.rules.dice import D6, D20
from companion.rules.game import Decision, GameInfo, Outcome, PlayerId, Ruling, Step
from companion.rules.layout import Layout
from companion.rules.options import check_players
from companion.rules.phases import Phase, PhasedGame, no
from companion.rules.pirates_csg import view
from companion.rules.pirates_csg.actions import Scuttle, Surrender
from companion.rules.pirates_csg.boarding import RollBoard
from companion.rules.pirates_csg.buying import PlaceShip
from companion.rules.pirates_csg.captain import CommandFleet
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.deck import COLOURS
from companion.rules.pirates_csg.describing import describe
from companion.rules.pirates_csg.exploring import KeepResource, RollResource, TurnTreasure
from companion.rules.pirates_csg.firing import FireAgain, KeepFiring, RollShot, fired_out
from companion.rules.pirates_csg.fog import RollExit
from companion.rules.pirates_csg.hits import ChooseMast
from companion.rules.pirates_csg.laying_out import LayOutSea
from companion.rules.pirates_csg.loading import LoadIt
from companion.rules.pirates_csg.looting import Loot
from companion.rules.pirates_csg.objections import objection
from companion.rules.pirates_csg.options import OPTION_LIST, read_options
from companion.rules.pirates_csg.printed import order, printed
from companion.rules.pirates_csg.ramming import RollRam
from companion.rules.pirates_csg.retreating import Retreat
from companion.rules.pirates_csg.second_actions import RollExtra
from companion.rules.pirates_csg.setting import SetPiece
from companion.rules.pirates_csg.setup import BuyFleets, PickFleets, RollForOrder, opening
from companion.rules.pirates_csg.stages import (
    Berthing,
    Building,
    Defaulting,
    DrawingTreasure,
    Finished,
    Firing,
    FiringAgain,
    KeepingResource,
    LayingOut,
    Loading,
    Looting,
    LosingMast,
    OnTurn,
    PickingFleets,
    Retreating,
    RollingBoard,
    RollingDrift,
    RollingExit,
    RollingExtra,
    RollingMarket,
    RollingOrder,
    RollingRam,
    RollingResource,
    RollingShot,
    RollingTerrain,
    Setting,
    Stage,
)
from companion.rules.pirates_csg.state import State
from companion.rules.pirates_csg.surrender import GiveUp
from companion.rules.pirates_csg.terrain import RollTerrain
from companion.rules.pirates_csg.turns import RollDrift, RollMarket
from companion.rules.pirates_csg.upkeep import NameUnpaid
from companion.rules.pirates_csg.words import name_of, who
from companion.rules.views import View

PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    PickingFleets: PickFleets(),
    Building: BuyFleets(),
    LayingOut: LayOutSea(),
    RollingOrder: RollForOrder(),
    RollingMarket: RollMarket(),
    OnTurn: CommandFleet(),
    Berthing: PlaceShip(),
    Firing: KeepFiring(),
    RollingShot: RollShot(),
    FiringAgain: FireAgain(),
    LosingMast: ChooseMast(),
    RollingRam: RollRam(),
    RollingBoard: RollBoard(),
    Looting: Loot(),
    Retreating: Retreat(),
    RollingResource: RollResource(),
    KeepingResource: KeepResource(),
    DrawingTreasure: TurnTreasure(),
    Loading: LoadIt(),
    RollingExtra: RollExtra(),
    Defaulting: NameUnpaid(),
    RollingTerrain: RollTerrain(),
    RollingExit: RollExit(),
    RollingDrift: RollDrift(),
    Setting: SetPiece(),
}
"""The phase of every stage but the last."""

FEWEST, MOST = 2, len(COLOURS)


class PiratesCsg(PhasedGame[State]):
    """The complete game (CSG-1 to CSG-91), with the house fleets or cards of the table's own."""

    info = GameInfo(
        id="pirates-csg",
        title="Pirates CSG: Economy Edition",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=(D6, D20),
        profile="open-table",
        coin=None,
    )
    phases = PHASES
    aside_list = (GiveUp(),)
    codec = CODEC
    seats_rule = "CSG-39"
    over = no("CSG-86", "The game is over: nothing can be done any more.")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before the sea is laid out. Raises `BadOptions`."""
        names = check_players(players, FEWEST, MOST)
        return opening(names, read_options(options))

    def apply(self, state: State, action: Deed) -> Step[State]:
        """Return what the action leads to, without a question who is to cease fire (CSG-16)."""
        return fired_out(super().apply(state, action))

    def who(self, state: State, player: PlayerId) -> str:
        """Name a player by colour."""
        return who(state, player)

    def rule_of_turn(self, state: State, asked: Decision) -> str:
        """Return the turn order's rule, or the phase's where others than the one on turn choose."""
        return "CSG-43" if asked.player == state.turn else self.phases[type(state.stage)].rule

    def nearest_refusal(
        self, state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done; `asked` if nothing was."""
        return objection(state, seen, phase, asked)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what a player, or ``None`` for a spectator, may know."""
        phase = self.phase(state)
        asked = None if phase is None else int(phase.pending(state).player)
        return view.view(state, self.phase_name(state), asked)

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the game is over."""
        stage = state.stage
        return view.outcome(state, stage) if isinstance(stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each piece should lie now."""
        return view.layout(state)

    def stray(self, state: State, tag: int) -> str:
        """Say of a ship on the table that nobody has bought her, or that she is lost."""
        return view.stray(state, tag)

    def pieces_of(self, action: Deed) -> Mapping[str, int]:
        """Return the tags of ships and islands; `ship` is an island where its guns fire."""
        fields = ("ship", "target", "island")
        return {name: getattr(action, name) for name in fields if hasattr(action, name)}

    def printed(self, state: State, action: Deed) -> str:
        """Return what is printed on the card that is bought."""
        return printed(state, action)

    def order(self, state: State, action: Deed) -> tuple[Any, ...]:
        """Return the key that lists ships by their names, and first the crew that is of use."""
        return order(state, action)

    def loss(self, state: State, action: Deed) -> str:
        """Return what scuttling a ship and surrender cost (CSG-24, CSG-89)."""
        match action:
            case Scuttle(ship=ship):
                return f"{name_of(state, ship)} is out of the game"
            case Surrender():
                return "all your ships leave the game"
        return ""

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return describe(state, action, self.pending(state))
