"""*Privateer* behind the game interface."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.rules.deeds import Deed
from companion.rules.dice import COLOUR
from companion.rules.game import Decision, GameInfo, Outcome, PlayerId, Ruling
from companion.rules.layout import Layout
from companion.rules.options import check_players
from companion.rules.phases import Phase, PhasedGame, no
from companion.rules.privateer import view
from companion.rules.privateer.asking import (
    ChooseHarbour,
    ChooseWind,
    DiscardGood,
    DiscardOverHold,
    DrawBountyCard,
    GainGood,
    RollCrew,
    RollHarbour,
    rule_of_discard,
)
from companion.rules.privateer.battles import (
    PlunderCaptain,
    PlunderMerchant,
    RollAmongCaptains,
    RollBattle,
    RollFlight,
    RollGoods,
    rule_of_battle,
)
from companion.rules.privateer.codec import CODEC
from companion.rules.privateer.dealings import (
    AnswerTrade,
    ChooseCargo,
    ChoosePurse,
    ChooseRelic,
    OfferTrade,
)
from companion.rules.privateer.deck import GOAL
from companion.rules.privateer.dice import PIPS
from companion.rules.privateer.objections import objection
from companion.rules.privateer.options import OPTION_LIST, read_options, sea_of
from companion.rules.privateer.sailing import ChooseFoe, SailShip
from companion.rules.privateer.setup import ChooseColours, KeepCaptains, RollForFirst
from companion.rules.privateer.state import (
    EMPTY_SLOTS,
    Answering,
    ChoosingColours,
    ChoosingFoe,
    ChoosingPort,
    Discarding,
    DrawingBounty,
    DrawingPortCards,
    Fighting,
    Finished,
    Fleeing,
    Gaining,
    KeepingCaptains,
    Offering,
    Outfitting,
    Plundering,
    RollingFirst,
    RollingGoods,
    RollingPort,
    Sailing,
    Seat,
    SettingWind,
    Stage,
    State,
    StealingCargo,
    StealingRelic,
    StealingSilver,
    TestingCrew,
    Trading,
    WonPrize,
    champion,
)
from companion.rules.privateer.trading import (
    DrawPortCards,
    Outfit,
    RenewPortCard,
    TradeInPort,
    rule_of_draw,
)
from companion.rules.privateer.words import who
from companion.rules.views import View

PHASES: Mapping[type[Stage], Phase[Any, Any]] = {
    KeepingCaptains: KeepCaptains(),
    DrawingPortCards: DrawPortCards(),
    ChoosingColours: ChooseColours(),
    RollingFirst: RollForFirst(),
    Outfitting: Outfit(),
    DrawingBounty: DrawBountyCard(),
    SettingWind: ChooseWind(),
    Gaining: GainGood(),
    Discarding: DiscardGood(),
    StealingRelic: ChooseRelic(),
    StealingCargo: ChooseCargo(),
    StealingSilver: ChoosePurse(),
    Offering: OfferTrade(),
    Answering: AnswerTrade(),
    ChoosingPort: ChooseHarbour(),
    RollingPort: RollHarbour(),
    TestingCrew: RollCrew(),
    Sailing: SailShip(),
    ChoosingFoe: ChooseFoe(),
    Fighting: RollBattle(),
    WonPrize: PlunderMerchant(),
    RollingGoods: RollGoods(),
    Plundering: PlunderCaptain(),
    Fleeing: RollFlight(),
    Trading: TradeInPort(),
}
"""The phase of every stage but the last."""

TWINS: Mapping[type[Stage], tuple[Phase[Any, Any], Callable[[State], str]]] = {
    Fighting: (RollAmongCaptains(), rule_of_battle),
    Discarding: (DiscardOverHold(), rule_of_discard),
    DrawingPortCards: (RenewPortCard(), rule_of_draw),
}
"""Phases that go like the one of their stage but by another rule, and which rule it is now."""

FEWEST, MOST = 2, 6


class Privateer(PhasedGame[State]):
    """The complete game (PRV-1 to PRV-76), with the house deck or one of the table's own."""

    info = GameInfo(
        id="privateer",
        title="Privateer",
        players=(FEWEST, MOST),
        options=OPTION_LIST,
        dice=(PIPS, COLOUR),
        profile="sea-grid",
        sea_of=sea_of,
        coin=None,
        ships_stay=True,
        has_secrets=True,
    )
    phases = PHASES
    codec = CODEC
    seats_rule = "PRV-1"
    over = no("PRV-65", f"Somebody has reached {GOAL} Infamy: nothing follows.")
    capped = no("PRV-68", "The last round is over: nothing follows.")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> State:
        """Return the state before the first captain is kept. Raises `BadOptions`."""
        names = check_players(players, FEWEST, MOST)
        chosen = read_options(options)
        deck = chosen.deck
        return State(
            names=names,
            options=chosen,
            stage=KeepingCaptains(),
            seats=(Seat(),) * len(names),
            slots=EMPTY_SLOTS,
            port_pile=deck.port_card_ids,
            bounty_pile=deck.bounty_ids,
            bank=deck.stock,
        )

    def who(self, state: State, player: PlayerId) -> str:
        """Name a player by colour, or by name before the colour is chosen."""
        return who(state, player)

    def phase(self, state: State) -> Phase[Any, Any] | None:
        """Return the phase a state is in, under the rule that holds there now."""
        if pair := TWINS.get(type(state.stage)):
            twin, rule_of = pair
            if rule_of(state) == twin.rule:
                return twin
        return super().phase(state)

    def rule_of_turn(self, state: State, asked: Decision) -> str:
        """Return the turn order's rule, or the phase's where others than the one on turn choose."""
        # Seats keep captains and choose colours before a roll gives the turn to anybody.
        in_order = not isinstance(state.stage, KeepingCaptains | ChoosingColours)
        if in_order and asked.player == state.turn:
            return "PRV-16"
        phase = self.phase(state)
        assert phase is not None  # somebody is asked
        return phase.rule

    def ended(self, state: State) -> Ruling:
        """Refuse everything by the rule that ended the game."""
        return self.capped if champion(state) is None else self.over

    def nearest_refusal(
        self, state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        """Return the refusal of what seems to have been done; `asked` if nothing was."""
        return objection(state, seen, self.check, asked)

    def view(self, state: State, viewer: PlayerId | None) -> View:
        """Return what a player, or ``None`` for a spectator, may know: only the own purse."""
        return view.view(state, viewer, self.phase_name(state))

    def outcome(self, state: State) -> Outcome | None:
        """Return the result once the game is over."""
        return view.outcome(state) if isinstance(state.stage, Finished) else None

    def layout(self, state: State) -> Layout:
        """Return where each ship should lie now."""
        return view.layout(state)

    def printed(self, state: State, action: Deed) -> str:
        """Return what a captain begins with, or the port of a colour (PRV-13, PRV-19)."""
        return view.printed(state, action)

    def describe(self, state: State, action: Deed) -> str:
        """Name an action in plain words, unique among those legal in `state`."""
        return view.describe(state, action, self.pending(state))
