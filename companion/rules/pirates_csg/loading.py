"""What a ship that explores loads (CSG-15, CSG-35, CSG-51, CSG-52, CSG-81)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, Ruling, Step
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.abilities import room_for, space
from companion.rules.pirates_csg.actions import TakeCoin, TakeNoMore, TakeToken, TakeTreasure
from companion.rules.pirates_csg.deck import RESOURCES
from companion.rules.pirates_csg.stages import Loading, OnTurn
from companion.rules.pirates_csg.state import (
    NO_TOKENS,
    Island,
    Ship,
    State,
    find_ship,
    island_of,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import Told, name_of, ship_name, tokens_text, who
from companion.rules.tuples import less, shifted
from companion.rules.words import counted


def loading(state: State, stage: Loading, told: Told) -> Step[State]:
    """Return what follows while there is something to load, and once there is not."""
    state = state._replace(stage=stage)
    if not loads(state, stage):
        state = state._replace(stage=OnTurn())
    return Step(state, told)


def may_take_stock(ship: Ship, island: Island) -> bool:
    """Say whether an explorer may load what lies stored: ruins are anybody's (CSG-28, CSG-81)."""
    return not island.building or ship.blockade == island.tag


def given(state: State, stage: Loading) -> tuple[tuple[int, ...], tuple[str, ...], tuple[int, ...]]:
    """Return the coins, treasures and tokens that an island or a derelict gives an explorer now."""
    wreck = find_ship(state, stage.source)
    if wreck is not None:
        return wreck.coins, wreck.treasures, wreck.tokens
    ship, island = ship_of(state, stage.ship), island_of(state, stage.source)
    # Four of a kind is all a ship takes (CSG-35): what the island produces is never short.
    tokens = island.stock if may_take_stock(ship, island) else NO_TOKENS
    made = island.resource
    return island.coins, (), (*tokens[:made], stage.yield_left, *tokens[made + 1 :])


def loads(state: State, stage: Loading) -> list[Deed]:
    """Return what a ship that explores may load now."""
    ship, player = ship_of(state, stage.ship), state.player
    coins, treasures, tokens = given(state, stage)
    found: list[Deed] = []
    if space(state, ship) > 0:
        found += [TakeCoin(player, coin) for coin in sorted(set(coins))]
        found += [TakeTreasure(player, card) for card in treasures]
    for resource, there in enumerate(tokens):
        most = min(there, room_for(state, ship, resource))
        found += [TakeToken(player, resource, n) for n in range(1, most + 1)]
    return found


class LoadIt(TurnChoice[State, Deed]):
    """A ship that explores loads what she likes, as far as it fits (CSG-51, CSG-52, CSG-35)."""

    name, rule = "load", "CSG-51"
    takes = (TakeCoin, TakeTreasure, TakeToken, TakeNoMore)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        stage = stage_of(state, Loading)
        text = f"{who(state, state.turn)}: load what {name_of(state, stage.source)} gives"
        return Decision(state.player, self.name, text, passing=TakeNoMore(state.player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Everything that fits, or no more."""
        found = loads(state, stage_of(state, Loading))
        return tuple(sorted([*found, TakeNoMore(state.player)]))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse what is not there or does not fit."""
        stage = stage_of(state, Loading)
        if isinstance(action, TakeNoMore) or action in loads(state, stage):
            return None
        if not _is_given(state, stage, action):
            rule = "CSG-15" if find_ship(state, stage.source) else self.rule
            return no(rule, f"{name_of(state, stage.source)} does not give that.")
        ship = ship_of(state, stage.ship)
        name, free = ship_name(state, ship), counted(space(state, ship), "space", "spaces")
        return no("CSG-35", f"{name} has {free} free and takes 4 of a kind at most.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Load it; go on while there is more."""
        stage = stage_of(state, Loading)
        if isinstance(action, TakeNoMore):
            return Step(state._replace(stage=OnTurn()))
        ship = ship_of(state, stage.ship)
        text = f"{ship_name(state, ship)} loads {cargo_text(state, action)}"
        state, stage = _taken(with_ship(state, loaded(ship, action)), stage, action)
        return loading(state, stage, (Happening(text, self.rule),))


def loaded(ship: Ship, action: Deed) -> Ship:
    """Return a ship with what she takes aboard: a coin, a treasure or tokens."""
    match action:
        case TakeCoin(coin=coin):
            return replace(ship, coins=tuple(sorted((*ship.coins, coin))))
        case TakeTreasure(card=card):
            return replace(ship, treasures=tuple(sorted((*ship.treasures, card))))
        case TakeToken(resource=resource, count=count):
            return replace(ship, tokens=shifted(ship.tokens, resource, count))
    return ship


def lightened(ship: Ship, action: Deed) -> Ship:
    """Return a ship without what another takes out of her."""
    match action:
        case TakeCoin(coin=coin):
            return replace(ship, coins=less(ship.coins, coin))
        case TakeTreasure(card=card):
            return replace(ship, treasures=less(ship.treasures, card))
        case TakeToken(resource=resource, count=count):
            tokens = shifted(ship.tokens, resource, -count)
            # What is gone was not brought in (CSG-36).
            brought = tuple(min(pair) for pair in zip(ship.brought, tokens, strict=True))
            return replace(ship, tokens=tokens, brought=brought)
    return ship


def cargo_text(state: State, action: Deed) -> str:
    """Name what is taken: ``"a coin of 3"``, ``"2 fish"``."""
    match action:
        case TakeCoin(coin=coin):
            return f"a coin of {coin}"
        case TakeTreasure(card=card):
            return state.deck.treasure[card].title
        case TakeToken(resource=resource, count=count):
            return tokens_text(resource, count)
    return ""


def _is_given(state: State, stage: Loading, action: Deed) -> bool:
    """Say whether what an explorer wants lies there, whether it fits aboard or not."""
    coins, treasures, tokens = given(state, stage)
    match action:
        case TakeCoin(coin=coin):
            return coin in coins
        case TakeTreasure(card=card):
            return card in treasures
        case TakeToken(resource=resource, count=count):
            return 0 <= resource < len(RESOURCES) and 1 <= count <= tokens[resource]
    return False


def _taken(state: State, stage: Loading, action: Deed) -> tuple[State, Loading]:
    """Return the state without what was taken from where it lay, and what may still be loaded."""
    wreck = find_ship(state, stage.source)
    if wreck is None:
        return _taken_ashore(state, stage, action)
    return with_ship(state, lightened(wreck, action)), stage


def _taken_ashore(state: State, stage: Loading, action: Deed) -> tuple[State, Loading]:
    """Return the same of an island: it produces for ever, but four in one action (CSG-51)."""
    island = island_of(state, stage.source)
    match action:
        case TakeCoin(coin=coin):
            island = replace(island, coins=less(island.coins, coin))
        case TakeToken(resource=resource, count=count) if resource == island.resource:
            stage = replace(stage, yield_left=stage.yield_left - count)
        case TakeToken(resource=resource, count=count):
            island = replace(island, stock=shifted(island.stock, resource, -count))
    return with_island(state, island), stage
