"""Every action in plain words, no two alike among those that are legal at a time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, GameOver, Pending
from companion.rules.layout import Pose
from companion.rules.pirates_csg.actions import (
    Board,
    CastOff,
    CeaseFire,
    ComeAbout,
    DoneBuying,
    DrawTreasure,
    EndTurn,
    Explore,
    Idle,
    Keep,
    KillCrew,
    LayOut,
    LeaveFog,
    LoseMast,
    Move,
    PickFleet,
    Place,
    Ram,
    Repair,
    RollAgain,
    Scuttle,
    Shoot,
    Surrender,
    TakeCoin,
    TakeNoMore,
    TakeToken,
    TakeTreasure,
    Tow,
    TryExtra,
    Unmark,
)
from companion.rules.pirates_csg.harbour_actions import (
    BuyShip,
    BuyUpgrade,
    Convert,
    DeclareBlockade,
    Deliver,
    DiscardStock,
    Hire,
    Load,
    LoadGold,
    RaidGold,
    Trade,
    Unload,
    UnloadGold,
)
from companion.rules.pirates_csg.laying_out import (
    standard_layout,
)
from companion.rules.pirates_csg.setting import way_out
from companion.rules.pirates_csg.stages import Setting
from companion.rules.pirates_csg.state import State, find_terrain, price
from companion.rules.pirates_csg.upgrades import upgrade_gold
from companion.rules.pirates_csg.words import gun_name, name_of, token_of, tokens_text, who
from companion.rules.places import compass, place_text
from companion.rules.plane import bearing_deg, distance, place
from companion.rules.words import listed

Words = Callable[[State, Any], str]


def describe(state: State, action: Deed, asked: Pending) -> str:
    """Name an action in plain words."""
    if isinstance(action, Roll):
        roller = state.turn if isinstance(asked, GameOver) else asked.player
        shown = listed(f"{d.face} ({d.kind})" for d in action.dice)
        return f"{who(state, roller)} rolls {shown}"
    player = state.turn if action.player == CHANCE else action.player
    return f"{who(state, player)}: {WORDS[type(action)](state, action)}"


def _move(state: State, a: Move) -> str:
    turns = "".join(f" by {x:g}, {y:g}" for x, y in a.corners)
    tow = f" with her tow at {place_text(a.tow)}" if a.tow else ""
    return f"sail {name_of(state, a.ship)}{turns} to {place_text(a.pose)}{tow}"


def _place(state: State, a: Place) -> str:
    """Say where a ship is put; an iceberg has no bow that points anywhere."""
    berg, name = find_terrain(state, a.ship), name_of(state, a.ship)
    if berg is None and isinstance(state.stage, Setting):
        return f"put {name} out at {way_out(state, state.stage)}, now at {place_text(a.pose)}"
    if berg is None:
        return f"put {name} at {place_text(a.pose)}"
    here, there = place(berg.pose), place(a.pose)
    return f"move {name} {distance(here, there):.0f} mm {compass(bearing_deg(here, there))}"


def _about(state: State, a: ComeAbout) -> str:
    return f"{name_of(state, a.ship)} comes about to {place_text(a.pose)}"


def _shoot(state: State, a: Shoot) -> str:
    ship, target = gun_name(state, a.ship), gun_name(state, a.target)
    return f"{ship} fires cannon {a.cannon + 1} at {target}"


def _trade(state: State, a: Trade) -> str:
    given = " and ".join(tokens_text(r, 1) for r in a.give[:2])
    fee = "".join(f", with {tokens_text(r, 1)} as the fee" for r in a.give[2:])
    return f"{name_of(state, a.ship)} trades {given} for {tokens_text(a.get, 1)}{fee}"


def _unmark(state: State, a: Unmark) -> str:
    what = "marks and resource" if a.clears else "marks"
    return f"{name_of(state, a.ship)} takes others' {what} from {name_of(state, a.island)}"


def _card(state: State, card: str) -> str:
    deck = state.deck
    for cards in (deck.ship, deck.crewman, deck.treasure, deck.fleet):
        if card in cards:
            return str(cards[card].title)
    return card


def _price(state: State, a: BuyShip | Hire) -> str:
    """Say what a ship or one of a crew costs; nothing of a card that is not in the deck."""
    cards = {**state.deck.ship, **state.deck.crewman}
    return f", {cards[a.card].cost} gold" if a.card in cards else ""


def _worth(state: State, a: Convert) -> str:
    """Say what tokens bring, once the market has its prices."""
    return f", {a.count * price(state.row, a.resource)} gold" if state.row else ""


def _buy_upgrade(state: State, a: BuyUpgrade) -> str:
    gold = upgrade_gold(state, a.upgrade)
    cost = "" if gold is None else f", {gold} gold"
    return f"buy {token_of(state, a.upgrade)} for {name_of(state, a.ship)}{cost}"


def _lay_out(state: State, a: LayOut) -> str:
    moved = [tag for tag, pose in a.poses if pose != _drawn(state, tag)]
    if not moved:
        return "the sea is laid out as drawn"
    return f"the sea is laid out; otherwise than drawn lie {listed(moved)}"


def _drawn(state: State, tag: int) -> Pose | None:
    return dict(standard_layout(state).poses).get(tag)


WORDS: Mapping[type[Deed], Words] = {
    PickFleet: lambda s, a: f"sail with {_card(s, a.fleet)}",
    BuyShip: lambda s, a: f"buy {_card(s, a.card)} at {name_of(s, a.island)}{_price(s, a)}",
    Hire: lambda s, a: f"hire {_card(s, a.card)} for {name_of(s, a.ship)}{_price(s, a)}",
    DoneBuying: lambda s, a: "the fleet is complete",
    LayOut: _lay_out,
    Place: _place,
    Move: _move,
    ComeAbout: _about,
    Explore: lambda s, a: f"{name_of(s, a.ship)} explores {name_of(s, a.target)}",
    Shoot: _shoot,
    CeaseFire: lambda s, a: "cease fire",
    Repair: lambda s, a: f"{name_of(s, a.ship)} repairs mast {a.mast + 1}",
    Ram: lambda s, a: f"{name_of(s, a.ship)} rams {name_of(s, a.target)}",
    Board: lambda s, a: f"{name_of(s, a.ship)} boards {name_of(s, a.target)}",
    LoseMast: lambda s, a: f"{name_of(s, a.ship)} loses mast {a.mast + 1}",
    TakeCoin: lambda s, a: f"take a coin of {a.coin}",
    TakeTreasure: lambda s, a: f"take {_card(s, a.card)}",
    TakeToken: lambda s, a: f"take {tokens_text(a.resource, a.count)}",
    KillCrew: lambda s, a: f"eliminate {_card(s, a.card)}",
    TakeNoMore: lambda s, a: "take no more",
    RollAgain: lambda s, a: "roll again",
    Keep: lambda s, a: "keep the roll",
    Scuttle: lambda s, a: f"scuttle {name_of(s, a.ship)}",
    Tow: lambda s, a: f"{name_of(s, a.ship)} takes {name_of(s, a.target)} in tow",
    CastOff: lambda s, a: f"{name_of(s, a.ship)} casts her tow off",
    Load: lambda s, a: f"{name_of(s, a.ship)} loads {tokens_text(a.resource, a.count)}",
    Unload: lambda s, a: f"{name_of(s, a.ship)} unloads {tokens_text(a.resource, a.count)}",
    UnloadGold: lambda s, a: f"{name_of(s, a.ship)} unloads her gold",
    LoadGold: lambda s, a: f"{name_of(s, a.ship)} loads a coin of {a.coin}",
    Convert: lambda s, a: f"convert {tokens_text(a.resource, a.count)}{_worth(s, a)}",
    BuyUpgrade: _buy_upgrade,
    Deliver: lambda s, a: f"{name_of(s, a.ship)} unloads {token_of(s, a.upgrade)}",
    Trade: _trade,
    DeclareBlockade: lambda s, a: f"{name_of(s, a.ship)} declares hostilities",
    DiscardStock: lambda s, a: f"{name_of(s, a.ship)} destroys the port's stock",
    RaidGold: lambda s, a: f"{name_of(s, a.ship)} raids for gold",
    LeaveFog: lambda s, a: f"{name_of(s, a.ship)} looks for a way out of the fog",
    Unmark: _unmark,
    TryExtra: lambda s, a: f"{name_of(s, a.ship)} tries for a second action",
    Idle: lambda s, a: f"{name_of(s, a.ship)} stays idle next turn",
    DrawTreasure: lambda s, a: f"turn over {_card(s, a.card)}",
    Surrender: lambda s, a: "surrender",
    EndTurn: lambda s, a: "end the turn",
}
