"""The turn of a captain: one action for each ship, and free ones as many as make sense."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import TurnChoice
from companion.rules.pirates_csg.actions import ComeAbout, EndTurn
from companion.rules.pirates_csg.boarding import BoardIt
from companion.rules.pirates_csg.buying import BuyShips, HireCrew
from companion.rules.pirates_csg.doing import Doing
from companion.rules.pirates_csg.exploring import ExploreIt, UnmarkIt
from companion.rules.pirates_csg.firing import OpenFire
from companion.rules.pirates_csg.fog import ComeOut
from companion.rules.pirates_csg.gunnery import may_still
from companion.rules.pirates_csg.hostilities import Blockade, Discard, Raid
from companion.rules.pirates_csg.measuring import found_moves, was_moved
from companion.rules.pirates_csg.raiding import must_leave
from companion.rules.pirates_csg.ramming import RamShip
from companion.rules.pirates_csg.repairs import CastOffTow, RepairShip, ScuttleShip, TowShip
from companion.rules.pirates_csg.sailing import Sail, TurnAbout, refuse_to_sail, segments
from companion.rules.pirates_csg.second_actions import TryIt
from companion.rules.pirates_csg.state import State, fleet_of
from companion.rules.pirates_csg.trading import (
    ConvertTokens,
    LoadCoin,
    LoadTokens,
    TradeTokens,
    UnloadCoins,
    UnloadTokens,
)
from companion.rules.pirates_csg.upgrades import BuyUpgrades, DeliverUpgrade
from companion.rules.pirates_csg.upkeep import FinishTurn
from companion.rules.pirates_csg.words import name_of, ship_name, who
from companion.rules.words import listed

_SAIL, _ABOUT = Sail(), TurnAbout()
DOINGS: tuple[Doing[Any], ...] = (
    _SAIL,
    _ABOUT,
    ExploreIt(),
    OpenFire(),
    RepairShip(),
    RamShip(),
    BoardIt(),
    ScuttleShip(),
    TowShip(),
    CastOffTow(),
    LoadTokens(),
    UnloadTokens(),
    UnloadCoins(),
    LoadCoin(),
    ConvertTokens(),
    BuyShips(),
    HireCrew(),
    BuyUpgrades(),
    DeliverUpgrade(),
    TradeTokens(),
    Blockade(),
    Discard(),
    Raid(),
    ComeOut(),
    UnmarkIt(),
    TryIt(),
    FinishTurn(),
)
BY_KIND: Mapping[type[Deed], Doing[Any]] = {doing.takes: doing for doing in DOINGS}


class CommandFleet(TurnChoice[State, Deed]):
    """The captain on turn gives ships their actions, in any order (CSG-9, CSG-10)."""

    name, rule = "turn", "CSG-9"
    takes = tuple(BY_KIND)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        free = [s for s in fleet_of(state, state.turn) if may_still(state, s)]
        raider = must_leave(state)
        names = listed(ship_name(state, ship) for ship in free if ship != raider)
        todo = [f"{names} may still act"] if names else []
        if raider:
            todo += [f"{ship_name(state, raider)} must leave {name_of(state, raider.docked)}"]
        left = f"{listed(todo)}; then" if todo else "no ship has an action left:"
        passing = None if raider else EndTurn(state.player)
        text = f"{who(state, state.turn)}: {left} end the turn"
        # Whoever has done nothing yet is not taken to have ended the turn because others play on.
        idle = bool(free) and not any(s.done for s in fleet_of(state, state.turn))
        return Decision(state.player, self.name, text, passing, told=idle, measured=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return what is legal, moves as standard manoeuvres."""
        return tuple(sorted(action for doing in DOINGS for action in doing.actions(state)))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Ask the kind of action."""
        return BY_KIND[type(action)].refuse(state, action)

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        """Return a move for every own ship that is seen elsewhere."""
        found: list[Deed] = []
        for ship in fleet_of(state, state.turn):
            pose = seen.get(ship.tag)
            if pose is None or not was_moved(ship.pose, pose):
                continue
            if refuse_to_sail(state, ship.tag) is not None:
                continue
            about = ComeAbout(state.player, ship.tag, pose.rounded())
            if _ABOUT.refuse(state, about) is None:
                found.append(about)
            else:
                found += found_moves(state, ship, seen, segments(state, ship), _SAIL.refuse)
        return tuple(sorted(found))

    def play(self, state: State, action: Deed) -> Step[State]:
        """Carry it out."""
        step: Step[State] = BY_KIND[type(action)].play(state, action)
        return step
