"""Cargo in home islands, forts and ports, and the market (CSG-56 to 69)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement

from companion.rules.game import Happening, PlayerId, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import amount, has, room_for, space
from companion.rules.pirates_csg.deck import RESOURCES
from companion.rules.pirates_csg.doing import (
    Doing,
    berth_of,
    docked_at,
    own_ships,
    refuse_blockaded,
)
from companion.rules.pirates_csg.fates import is_blockaded
from companion.rules.pirates_csg.harbour_actions import (
    Convert,
    Load,
    LoadGold,
    Trade,
    Unload,
    UnloadGold,
)
from companion.rules.pirates_csg.state import (
    FORT,
    MOST_OF_A_KIND,
    TRADING,
    Island,
    Ship,
    State,
    did,
    find_island,
    home_of,
    paid,
    price,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import Told, island_name, ship_name, tokens_text, who
from companion.rules.tuples import less, shifted
from companion.rules.words import counted

KINDS = range(len(RESOURCES))
WORTH = "worth"


def is_own(island: Island, seat: int) -> bool:
    """Say whether an island is a captain's home or holds a building of theirs."""
    return island.home == seat or bool(island.building and island.owner == seat)


def is_store(island: Island, seat: int) -> bool:
    """Say whether a captain stores cargo there: at home or in an own fort (CSG-56, CSG-62)."""
    return island.home == seat or (island.building == FORT and island.owner == seat)


class LoadTokens(Doing[Load]):
    """Load tokens that lie at home, in an own fort or port, or in a raided home."""

    takes = Load

    def candidates(self, state: State) -> Iterator[Load]:
        """Every number of every resource that lies where a ship is docked."""
        for ship in own_ships(state):
            island = find_island(state, ship.docked)
            if island is not None and any(island.stock):
                for resource in KINDS:
                    most = min(island.stock[resource], MOST_OF_A_KIND)
                    yield from (
                        Load(state.player, ship.tag, resource, n) for n in range(1, most + 1)
                    )

    def refuse(self, state: State, action: Load) -> Ruling | None:
        """Refuse what is not there, not hers, or does not fit."""
        berth = docked_at(state, action.ship, "CSG-56")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        raids = island.home not in (-1, ship.owner) and has(state, ship, "raider")
        if not (raids or is_own(island, ship.owner)):
            return no("CSG-56", f"What lies at {island_name(state, island)} is not yours to load.")
        refusal = refuse_blockaded(state, island)
        if refusal is not None:
            return refusal
        if raids and ship.is_derelict:
            return no("CSG-84", f"{ship_name(state, ship)} is a derelict; she raids nobody.")
        if action.resource not in KINDS or not 1 <= action.count <= island.stock[action.resource]:
            return no("CSG-56", f"So many tokens do not lie at {island_name(state, island)}.")
        if action.count > room_for(state, ship, action.resource):
            name, free = ship_name(state, ship), counted(space(state, ship), "space", "spaces")
            return no("CSG-35", f"{name} has {free} free and takes 4 of a kind at most.")
        return None

    def play(self, state: State, action: Load) -> Step[State]:
        """Load them."""
        ship, island = berth_of(state, action.ship)
        stock = shifted(island.stock, action.resource, -action.count)
        ship = replace(ship, tokens=shifted(ship.tokens, action.resource, action.count))
        text = f"{ship_name(state, ship)} loads {tokens_text(action.resource, action.count)}"
        rule = "CSG-84" if island.home not in (-1, ship.owner) else "CSG-56"
        state = with_island(with_ship(state, ship), replace(island, stock=stock))
        return Step(state, (Happening(text, rule),))


class UnloadTokens(Doing[Unload]):
    """Unload tokens at home or at an own fort (CSG-56, CSG-62)."""

    takes = Unload

    def candidates(self, state: State) -> Iterator[Unload]:
        """Every number of every resource aboard."""
        for ship in own_ships(state):
            if ship.docked and any(ship.tokens):
                for resource in KINDS:
                    most = ship.tokens[resource]
                    yield from (
                        Unload(state.player, ship.tag, resource, n) for n in range(1, most + 1)
                    )

    def refuse(self, state: State, action: Unload) -> Ruling | None:
        """Refuse other places, and tokens that are not aboard."""
        berth = docked_at(state, action.ship, "CSG-56")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        if not is_store(island, ship.owner):
            return no("CSG-56", "Tokens are unloaded at your home island or your own fort.")
        if action.resource not in KINDS or not 1 <= action.count <= ship.tokens[action.resource]:
            return no("CSG-56", f"So many tokens are not aboard {ship_name(state, ship)}.")
        return None

    def play(self, state: State, action: Unload) -> Step[State]:
        """Store them; some ships bring a little more, of what they came in with (CSG-36)."""
        ship, island = berth_of(state, action.ship)
        ship = replace(ship, tokens=shifted(ship.tokens, action.resource, -action.count))
        text = f"{ship_name(state, ship)} unloads {tokens_text(action.resource, action.count)}"
        rule = "CSG-56" if island.home == ship.owner else "CSG-62"
        told: Told = (Happening(text, rule),)
        brought = min(action.count, ship.brought[action.resource])
        ship = replace(ship, brought=shifted(ship.brought, action.resource, -brought))
        gain = amount(state, ship, WORTH) if brought else 0
        if gain and WORTH not in ship.done:
            ship = did(ship, WORTH)
            more = f"They are worth {tokens_text(action.resource, gain)} more"
            told = (*told, Happening(more, "CSG-36"))
        else:
            gain = 0
        stock = shifted(island.stock, action.resource, action.count + gain)
        state = with_island(with_ship(state, ship), replace(island, stock=stock))
        return Step(state, told)


class UnloadCoins(Doing[UnloadGold]):
    """Unload coins and treasures at home, or coins at an own fort (CSG-56, CSG-28)."""

    takes = UnloadGold

    def candidates(self, state: State) -> Iterator[UnloadGold]:
        """Every ship in harbour."""
        return (UnloadGold(state.player, s.tag) for s in own_ships(state) if s.docked)

    def refuse(self, state: State, action: UnloadGold) -> Ruling | None:
        """Refuse other places, and ships without gold."""
        berth = docked_at(state, action.ship, "CSG-56")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        if not is_store(island, ship.owner):
            return no("CSG-56", "Gold is unloaded at your home island or your own fort.")
        if not ship.coins and not (ship.treasures and island.home == ship.owner):
            return no("CSG-56", f"{ship_name(state, ship)} has no gold aboard to unload here.")
        return None

    def play(self, state: State, action: UnloadGold) -> Step[State]:
        """Bank it at home, or leave it in the fort."""
        ship, island = berth_of(state, action.ship)
        name = ship_name(state, ship)
        if island.home != ship.owner:
            coins = tuple(sorted((*island.coins, *ship.coins)))
            text = f"{name} leaves {sum(ship.coins)} gold in the fort"
            state = with_island(state, replace(island, coins=coins))
            return Step(with_ship(state, replace(ship, coins=())), (Happening(text, "CSG-28"),))
        gold = sum(ship.coins) + sum(state.deck.treasure[t].gold for t in ship.treasures)
        told: Told = ()
        gain = amount(state, ship, WORTH) if WORTH not in ship.done else 0
        if gain:
            ship = did(ship, WORTH)
            told = (Happening(f"One treasure is worth {gain} gold more", "CSG-6"),)
        gone = tuple(sorted({*state.gone, *ship.treasures}))
        state = with_ship(state, replace(ship, coins=(), treasures=()))._replace(gone=gone)
        text = f"{name} unloads {gold + gain} gold"
        coins_told = ((PlayerId(ship.owner), gold + gain),)
        told = (*told, Happening(text, "CSG-56", coins_told))
        return Step(paid(state, ship.owner, gold + gain), told)


class LoadCoin(Doing[LoadGold]):
    """Load a coin that lies at an own building (CSG-28)."""

    takes = LoadGold

    def candidates(self, state: State) -> Iterator[LoadGold]:
        """Every coin where a ship is docked."""
        for ship in own_ships(state):
            island = find_island(state, ship.docked)
            if island is not None:
                coins = sorted(set(island.coins))
                yield from (LoadGold(state.player, ship.tag, coin) for coin in coins)

    def refuse(self, state: State, action: LoadGold) -> Ruling | None:
        """Refuse what is not there or does not fit."""
        berth = docked_at(state, action.ship, "CSG-28")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        if not is_own(island, ship.owner) or action.coin not in island.coins:
            return no("CSG-28", f"No coin of {action.coin} lies here in a building of yours.")
        refusal = refuse_blockaded(state, island)
        if refusal is not None:
            return refusal
        if space(state, ship) < 1:
            return no("CSG-35", f"{ship_name(state, ship)} has no space free.")
        return None

    def play(self, state: State, action: LoadGold) -> Step[State]:
        """Load it."""
        ship, island = berth_of(state, action.ship)
        state = with_island(state, replace(island, coins=less(island.coins, action.coin)))
        ship = replace(ship, coins=tuple(sorted((*ship.coins, action.coin))))
        text = f"{ship_name(state, ship)} loads a coin of {action.coin}"
        return Step(with_ship(state, ship), (Happening(text, "CSG-28"),))


class ConvertTokens(Doing[Convert]):
    """Change stored tokens for gold at today's price (CSG-56, CSG-57)."""

    takes = Convert

    def candidates(self, state: State) -> Iterator[Convert]:
        """Every number of what is stored at home."""
        for resource, stored in enumerate(home_of(state, state.turn).stock):
            yield from (Convert(state.player, resource, n) for n in range(1, stored + 1))

    def refuse(self, state: State, action: Convert) -> Ruling | None:
        """Refuse tokens that are not stored at home."""
        stock = home_of(state, state.turn).stock
        if action.resource in KINDS and 1 <= action.count <= stock[action.resource]:
            return None
        return no("CSG-56", "Convert tokens that are stored at your home island, one or more.")

    def play(self, state: State, action: Convert) -> Step[State]:
        """Change them."""
        home = home_of(state, state.turn)
        stock = shifted(home.stock, action.resource, -action.count)
        gold = action.count * price(state.row, action.resource)
        tokens = tokens_text(action.resource, action.count)
        text = f"{who(state, state.turn)} converts {tokens} for {gold} gold"
        state = with_island(paid(state, state.turn, gold), replace(home, stock=stock))
        return Step(state, (Happening(text, "CSG-57", ((state.player, gold),)),))


class TradeTokens(Doing[Trade]):
    """Swap two tokens for another in a trading port (CSG-68, CSG-69)."""

    takes = Trade

    def candidates(self, state: State) -> Iterator[Trade]:
        """Every pair aboard, with every fee where one is due, for everything else."""
        for ship in own_ships(state):
            island = find_island(state, ship.docked)
            if island is None or island.building != TRADING:
                continue
            aboard = [r for r in KINDS if ship.tokens[r]]
            fees = [()] if _is_free(state, ship, island) else [(r,) for r in aboard]
            for pair in combinations_with_replacement(aboard, 2):
                for fee in fees:
                    for get in KINDS:
                        yield Trade(state.player, ship.tag, (*pair, *fee), get)

    def refuse(self, state: State, action: Trade) -> Ruling | None:
        """Refuse other places, missing tokens and wrong fees."""
        berth = docked_at(state, action.ship, "CSG-68")
        if isinstance(berth, Ruling):
            return berth
        ship, port = berth
        if port.building != TRADING:
            return no("CSG-68", f"There is no trading port on {island_name(state, port)}.")
        if is_blockaded(state, port):
            return no("CSG-81", f"{island_name(state, port)} is blockaded: no trading.")
        free = _is_free(state, ship, port)
        if len(action.give) != (2 if free else 3):
            due = "two tokens" if free else "two tokens and a third for the owner"
            return no("CSG-69", f"Give {due} for one here.")
        return _refuse_swap(state, ship, action)

    def play(self, state: State, action: Trade) -> Step[State]:
        """Swap them; the fee stays in the port."""
        ship, port = berth_of(state, action.ship)
        tokens = ship.tokens
        for resource in action.give:
            tokens = shifted(tokens, resource, -1)
        tokens = shifted(tokens, action.get, 1)
        given = " and ".join(tokens_text(r, 1) for r in action.give[:2])
        text = f"{ship_name(state, ship)} trades {given} for {tokens_text(action.get, 1)}"
        told: Told = (Happening(text, "CSG-68"),)
        for fee in action.give[2:]:
            port = replace(port, stock=shifted(port.stock, fee, 1))
            told = (*told, Happening(f"{tokens_text(fee, 1)} is the fee", "CSG-69"))
        state = with_island(with_ship(state, replace(ship, tokens=tokens)), port)
        return Step(state, told)


def _is_free(state: State, ship: Ship, port: Island) -> bool:
    """Say whether a ship trades without a fee (CSG-69)."""
    return port.owner == ship.owner or has(state, ship, "parley")


def _refuse_swap(state: State, ship: Ship, action: Trade) -> Ruling | None:
    pair, everything = action.give[:2], (*action.give, action.get)
    if not all(r in KINDS for r in everything) or pair != tuple(sorted(pair)):
        return no("CSG-68", "Name two tokens aboard, the lower number first, and what you want.")
    left = list(ship.tokens)
    for resource in action.give:
        left[resource] -= 1
    if min(left) < 0:
        return no("CSG-68", f"{ship_name(state, ship)} does not have these tokens aboard.")
    if action.get in pair:
        return no("CSG-68", "Trade for another resource than you give.")
    if left[action.get] >= MOST_OF_A_KIND:
        return no("CSG-35", f"{ship_name(state, ship)} takes 4 of a kind at most.")
    return None
