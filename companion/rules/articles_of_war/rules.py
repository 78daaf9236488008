"""*Articles of War: Privateer* behind the game interface."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules.articles_of_war import view
from companion.rules.articles_of_war.actions import Sail
from companion.rules.articles_of_war.boarding import RollBoarding, TakePrize
from companion.rules.articles_of_war.campaign import BetweenBattles
from companion.rules.articles_of_war.codec import CODEC
from companion.rules.articles_of_war.duel import AddThirds
from companion.rules.articles_of_war.gambits import TableGambits
from companion.rules.articles_of_war.grudge import PlaceGrudgeShip
from companion.rules.articles_of_war.objections import objection
from companion.rules.articles_of_war.ocean import Ocean
from companion.rules.articles_of_war.options import OPTION_LIST, Options, check_table, read_options
from companion.rules.articles_of_war.sailing import RollDieAgain, RollReef, SpendDice
from companion.rules.articles_of_war.setup import BuyThirds, DrawCommodores, PlaceFleets
from companion.rules.articles_of_war.spends import loses_ship
from companion.rules.articles_of_war.state import (
    AddingThird,
    Boarding,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    ClearingOcean,
    DrawingCommodores,
    DrawingTile,
    Drifted,
    Drifting,
    Finished,
    OnReef,
    PlacingFleets,
    PlacingGrudge,
    PlacingTile,
    Rerolling,
    Rolling,
    RollingWind,
    Spending,
    Stage,
    State,
    Storming,
    TakingPrize,
    Window,
)
from companion.rules.articles_of_war.storm import TakeOutCaught
from companion.rules.articles_of_war.terrain import ChooseDensities, DrawTiles, PlaceTiles
from companion.rules.articles_of_war.turns import ChooseDiceSet, RollDice
from companion.rules.articles_of_war.wind import DriftAll, RollDriftedReef, RollWind
from companion.rules.articles_of_war.windows import OfferGambit
from companion.rules.articles_of_war.words import dice_shown, who
from companion.rules.deeds import Deed
from companion.rules.game import Decision, GameInfo, Outcome, PlayerId, Ruling
from companion.rules.layout import Layout
from companion.rules.options import check_players
from companion.rules.phases import Phase, PhasedGame, no
from companion.rules.views import View

PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    DrawingCommodores: DrawCommodores(),
    PlacingFleets: PlaceFleets(),
    BuyingThird: BuyThirds(),
    AddingThird: AddThirds(),
    ChoosingDensity: ChooseDensities(),
    DrawingTile: DrawTiles(),
    PlacingTile: PlaceTiles(),
    PlacingGrudge: PlaceGrudgeShip(),
    ChoosingDice: ChooseDiceSet(),
    Rolling: RollDice(),
    Spending: SpendDice(),
    OnReef: RollReef(),
    Boarding: RollBoarding(),
    TakingPrize: TakePrize(),
    Rerolling: RollDieAgain(),
    Window: OfferGambit(),
    RollingWind: RollWind(),
    Drifting: DriftAll(),
    Drifted: RollDriftedReef(),
    Storming: TakeOutCaught(),
    ClearingOcean: BetweenBattles(),
}
"""The phase of every stage but the last."""

FEWEST, MOST = 2, 6


class ArticlesOfWar(PhasedGame[State]):
    """The complete game with every option (AOW-1 to AOW-87)."""

    info = GameInfo(
        id="articles-of-war",
        title="Articles of War: Privateer",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=(Options().sail, Options().cannon),
        profile="hex-ocean",
    )
    phases = PHASES
    codec = CODEC
    bout = "battle"
    aside_list = (TableGambits(),)
    seats_rule = "AOW-7"
    over = no("AOW-59", "The battle is over; nothing more can be done.")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before the first card is drawn. Raises `BadOptions`."""
        names = check_players(players, FEWEST, MOST)
        chosen = read_options(options)
        check_table(chosen, len(names))
        zeros = (0,) * len(names)
        return State(names, chosen, DrawingCommodores(), (), zeros, zeros, Ocean(chosen.radius))

    def who(self, state: State, player: PlayerId) -> str:
        """Name a player by colour, or by name before the colour is drawn."""
        return who(state, player)

    def rule_of_turn(self, state: State, asked: Decision) -> str:
        """Return the turn order's rule, or the phase's where others than the one on turn choose."""
        phase = self.phases[type(state.stage)]
        mine = asked.player == state.fleet.player and not isinstance(state.stage, Window)
        return state.options.rule_of_order if mine else phase.rule

    def ended(self, state: State) -> Ruling:
        """Refuse everything by the rule that ended the battle or campaign."""
        return replace(self.over, rule=view.outcome(state).rule)

    def nearest_refusal(
        self, state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done; `asked` if nothing was."""
        if isinstance(state.stage, Spending):
            left = dice_shown(state.sails, state.cannons)
            asked = no("AOW-29", f"Spend your dice first: {left}.")
        return objection(state, seen, self.check, asked)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what everybody may know: this game has no secrets."""
        return view.view(state, self.phase_name(state))

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the battle is over."""
        return view.outcome(state) if isinstance(state.stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each piece should lie now."""
        return view.layout(state)

    def loss(self, state: State, action: Deed) -> str:
        """Return what a sail off the map or onto an island costs."""
        is_lost = isinstance(action, Sail) and loses_ship(state, action)
        return "the ship is out of the battle" if is_lost else ""

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return view.describe(state, action)
