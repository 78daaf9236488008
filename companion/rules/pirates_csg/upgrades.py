"""Island upgrades: bought, delivered and built (CSG-60 to CSG-64)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from companion.rules.game import Happening, Ruling, Step
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import space
from companion.rules.pirates_csg.arrivals import end_service
from companion.rules.pirates_csg.buying import refuse_price, used_cards
from companion.rules.pirates_csg.deck import NOBODY
from companion.rules.pirates_csg.doing import Doing, berth_of, docked_at, own_ship, own_ships
from companion.rules.pirates_csg.fates import buried, is_at_home
from companion.rules.pirates_csg.gunnery import FLAGS
from companion.rules.pirates_csg.harbour_actions import BuyUpgrade, Deliver
from companion.rules.pirates_csg.state import (
    COLONIES,
    FORT,
    FORT_PREFIX,
    MILITARY,
    SETTLEMENT,
    TRADING,
    UPGRADE_GOLD,
    UPGRADES,
    Island,
    State,
    forts_among,
    island_of,
    paid,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    Told,
    island_name,
    ship_name,
    token_of,
    upgrade_name,
    who,
)
from companion.rules.tuples import less
from companion.rules.words import capital


def upgrade_gold(state: State, upgrade: str) -> int | None:
    """Return what an upgrade costs; ``None`` if there is none of this name."""
    if upgrade in UPGRADES:
        return UPGRADE_GOLD
    card = state.deck.fort.get(upgrade.removeprefix(FORT_PREFIX))
    return card.cost if card and upgrade.startswith(FORT_PREFIX) else None


def all_upgrades(state: State) -> list[str]:
    """Return every upgrade by its token."""
    return [*UPGRADES, *(FORT_PREFIX + card.id for card in state.deck.forts)]


class BuyUpgrades(Doing[BuyUpgrade]):
    """Buy an upgrade at home and load its token (CSG-60)."""

    takes = BuyUpgrade

    def candidates(self, state: State) -> Iterator[BuyUpgrade]:
        """Every upgrade for every ship at home."""
        if state.seats[state.turn].gold >= 0:  # A fort may cost nothing.
            for ship in own_ships(state):
                if is_at_home(state, ship):
                    for upgrade in all_upgrades(state):
                        yield BuyUpgrade(state.player, ship.tag, upgrade)

    def refuse(self, state: State, action: BuyUpgrade) -> Ruling | None:
        """Refuse other places, full ships, used forts and what cannot be paid."""
        ship = own_ship(state, action.ship, "CSG-60")
        if isinstance(ship, Ruling):
            return ship
        gold = upgrade_gold(state, action.upgrade)
        if gold is None:
            return no("CSG-60", f"There is no island upgrade {action.upgrade!r}.")
        if not is_at_home(state, ship):
            return no(
                "CSG-60", f"{ship_name(state, ship)} must be docked at home to load an upgrade."
            )
        if action.upgrade.removeprefix(FORT_PREFIX) in used_cards(state) & state.deck.fort.keys():
            name = upgrade_name(state, action.upgrade)
            return no("CSG-7", f"{name} is built, under way or lost: forts are unique.")
        if space(state, ship) < 1:
            return no("CSG-35", f"{ship_name(state, ship)} has no space free.")
        token = token_of(state, action.upgrade)
        return refuse_price(state, state.turn, gold, capital(token))

    def play(self, state: State, action: BuyUpgrade) -> Step[State]:
        """Pay and load."""
        ship, gold = ship_of(state, action.ship), upgrade_gold(state, action.upgrade)
        assert gold is not None
        ship = replace(ship, upgrades=tuple(sorted((*ship.upgrades, action.upgrade))))
        token = token_of(state, action.upgrade)
        text = f"{who(state, state.turn)} buys {token} for {gold} gold"
        state = with_ship(paid(state, state.turn, -gold), ship)
        return Step(state, (Happening(text, "CSG-60", ((state.player, -gold),)),))


def refuse_building(state: State, island: Island, seat: int, upgrade: str) -> Ruling | None:
    """Refuse an upgrade that cannot be built on an island (CSG-60, CSG-61, CSG-64)."""
    name = island_name(state, island)
    if island.home != NOBODY:
        return no("CSG-60", f"Upgrades are built on wild islands; {name} is none.")
    if island.building and island.owner != seat:
        return no("CSG-61", f"{who(state, island.owner)} has built on {name} already.")
    if seat not in island.camps:
        return no("CSG-60", f"{name} has no encampment of yours; explore it first.")
    if upgrade in COLONIES:
        if island.building == SETTLEMENT:
            return None
        return no("CSG-64", f"A {UPGRADE_NAMES[upgrade]} is built on top of a settlement.")
    if island.building:
        return no("CSG-61", f"There is a {UPGRADE_NAMES[island.building]} on {name} already.")
    return None


class DeliverUpgrade(Doing[Deliver]):
    """Unload an upgrade where it is to be built (CSG-60)."""

    takes = Deliver

    def candidates(self, state: State) -> Iterator[Deliver]:
        """Every upgrade aboard a ship in harbour."""
        for ship in own_ships(state):
            if ship.docked:
                upgrades = sorted(set(ship.upgrades))
                yield from (Deliver(state.player, ship.tag, u) for u in upgrades)

    def refuse(self, state: State, action: Deliver) -> Ruling | None:
        """Refuse what is not aboard, and places where it cannot be built."""
        berth = docked_at(state, action.ship, "CSG-60")
        if isinstance(berth, Ruling):
            return berth
        ship, island = berth
        if action.upgrade not in ship.upgrades:
            return no("CSG-60", f"{ship_name(state, ship)} does not have this token aboard.")
        if any(seat == state.turn for _, seat in island.arriving):
            return no("CSG-60", "An upgrade of yours waits here already.")
        return refuse_building(state, island, state.turn, action.upgrade)

    def play(self, state: State, action: Deliver) -> Step[State]:
        """Unload the token; it is built at the beginning of the owner's next turn."""
        ship, island = berth_of(state, action.ship)
        arriving = tuple(sorted((*island.arriving, (action.upgrade, state.turn))))
        token = token_of(state, action.upgrade)
        text = f"{ship_name(state, ship)} unloads {token} on {island_name(state, island)}"
        ship = replace(ship, upgrades=less(ship.upgrades, action.upgrade))
        state = with_island(with_ship(state, ship), replace(island, arriving=arriving))
        return Step(state, (Happening(text, "CSG-60"),))


def built(state: State, seat: int) -> tuple[State, Told]:
    """Return the state after a captain's upgrades have taken effect (CSG-60 to CSG-64)."""
    told: Told = ()
    for island in state.islands:
        for upgrade, owner in island.arriving:
            if owner == seat:
                state, more = _built_here(state, island_of(state, island.tag), seat, upgrade)
                told = (*told, *more)
    return state, told


def forfeited(state: State, seat: int) -> tuple[State, Told]:
    """Return the state without the tokens that wait for a captain who is out (CSG-60, CSG-61)."""
    told: Told = ()
    for island in state.islands:
        lost = [upgrade for upgrade, owner in island.arriving if owner == seat]
        for upgrade in lost:
            left = less(island_of(state, island.tag).arriving, (upgrade, seat))
            state = with_island(state, replace(island_of(state, island.tag), arriving=left))
            state = buried(state, forts_among([upgrade]))
            token, where = token_of(state, upgrade), island_name(state, island)
            text = f"{capital(token)} on {where} is lost: {who(state, seat)} is out"
            told = (*told, Happening(text, "CSG-61"))
    return state, told


def _built_here(state: State, island: Island, seat: int, upgrade: str) -> tuple[State, Told]:
    where, article = island_name(state, island), "a " if upgrade in UPGRADES else ""
    name = f"{article}{upgrade_name(state, upgrade)}"
    arriving = less(island.arriving, (upgrade, seat))
    island = replace(island, arriving=arriving)
    if refuse_building(state, island, seat, upgrade) is not None:
        text = f"{capital(name)} cannot be built on {where} any more: the token is lost"
        state = buried(with_island(state, island), forts_among([upgrade]))
        return state, (Happening(text, "CSG-61"),)
    island = replace(island, owner=seat, hits=0)
    rule = {SETTLEMENT: "CSG-63", TRADING: "CSG-68", MILITARY: "CSG-71"}.get(upgrade, "CSG-62")
    if upgrade in UPGRADES:
        flags = FLAGS if upgrade == MILITARY else ()
        island = replace(island, building=upgrade, guns=flags)
    else:
        card = state.deck.fort[upgrade.removeprefix(FORT_PREFIX)]
        guns = tuple(range(len(card.cannons)))
        island = replace(island, building=FORT, fort=card.id, guns=guns)
    told: Told = (Happening(f"{who(state, seat)} has built {name} on {where}", rule),)
    state = with_island(state, island)
    # Privateers who lie where a port is built are docked at one now, whosever it is (CSG-85).
    for ship in state.ships if upgrade in COLONIES else ():
        if ship.docked == island.tag:
            state, more = end_service(state, ship.tag)
            told = (*told, *more)
    return state, told
