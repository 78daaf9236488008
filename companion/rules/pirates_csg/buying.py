"""Buying ships, crew and island upgrades (CSG-4, CSG-32 to 38, CSG-58 to 64, CSG-85)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirates_csg.actions import BuyShip, BuyUpgrade, Deliver, Hire, Place
from companion.rules.pirates_csg.boarding import without
from companion.rules.pirates_csg.deck import ShipCard
from companion.rules.pirates_csg.doing import Doing, own_ships, refuse_ship
from companion.rules.pirates_csg.fates import is_at_home, is_blockaded
from companion.rules.pirates_csg.gunnery import FLAGS
from companion.rules.pirates_csg.manoeuvres import berths, first_berth
from companion.rules.pirates_csg.sailing import refuse_off_sea
from companion.rules.pirates_csg.sea import hull_at, near_obstacles, shore, touches
from companion.rules.pirates_csg.state import (
    COLONIES,
    FORT,
    FORT_PREFIX,
    MILITARY,
    NOBODY,
    SETTLEMENT,
    TRADING,
    UPGRADE_GOLD,
    UPGRADES,
    Berthing,
    Island,
    OnTurn,
    Ship,
    State,
    card_of,
    find_island,
    fleet_of,
    home_of,
    island_of,
    paid,
    ship_of,
    space,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    Told,
    island_name,
    name_of,
    ship_name,
    token_of,
    upgrade_name,
    who,
)
from companion.rules.plane import overlap


def used_cards(state: State) -> set[str]:
    """Return the ids of all cards that are in play or gone for good (CSG-32, CSG-33)."""
    used = {*state.gone}
    for ship in state.ships:
        used |= {ship.card, *ship.crew}
        used |= {u.removeprefix(FORT_PREFIX) for u in ship.upgrades if u.startswith(FORT_PREFIX)}
    for island in state.islands:
        used.add(island.fort)
        used |= {kind.removeprefix(FORT_PREFIX) for kind, _ in island.arriving}
    return used


def refuse_nation(state: State, seat: int, nation: str) -> Ruling | None:
    """Refuse a second major nation where fleets are of one (CSG-38)."""
    nations = state.deck.nation
    if state.options.nations == "mixed" or nations[nation].is_minor:
        return None
    cards = state.deck.ship
    own = {cards[s.card].nation for s in fleet_of(state, seat)}
    majors = {n for n in own if not nations[n].is_minor}
    if majors <= {nation}:
        return None
    title = nations[min(majors)].title
    return no("CSG-38", f"Fleets are of one nation here: yours is {title}, with minor nations.")


def refuse_price(state: State, seat: int, gold: int, what: str) -> Ruling | None:
    """Refuse what cannot be paid (CSG-58)."""
    has = state.seats[seat].gold
    if gold <= has:
        return None
    return no("CSG-58", f"{what} costs {gold} gold; you have {max(has, 0)}.")


def refuse_ship_card(state: State, seat: int, card: str) -> Ruling | None:
    """Refuse ships that cannot be bought at all."""
    printed = state.deck.ship.get(card)
    if printed is None:
        return no("CSG-1", f"There is no ship card {card!r} in this deck.")
    if card in used_cards(state):
        return no("CSG-32", f"{printed.title} is in play, or lost for this game: ships are unique.")
    refusal = refuse_nation(state, seat, printed.nation)
    return refuse_price(state, seat, printed.cost, printed.title) if refusal is None else refusal


def has_berth(state: State, card: ShipCard, island: int) -> bool:
    """Say whether there is room for a ship at an island."""
    return next(berths(state, card.tag, island), None) is not None


def ports_of(state: State) -> list[Island]:
    """Return where the captain on turn may get ships: at home and in own colonies."""
    colonies = [i for i in state.islands if i.building in COLONIES and i.owner == state.turn]
    return [home_of(state, state.turn), *colonies]


class BuyShips(Doing[BuyShip]):
    """Buy a ship at home or in a military port, hire a privateer in a trading port."""

    takes = BuyShip

    def candidates(self, state: State) -> Iterator[BuyShip]:
        """Every card that can be paid, everywhere."""
        gold, used = state.seats[state.turn].gold, used_cards(state)
        cards = [c for c in state.deck.ships if c.cost <= gold and c.id not in used]
        if cards:
            for island in ports_of(state):
                yield from (BuyShip(state.player, card.id, island.tag) for card in cards)

    def refuse(self, state: State, action: BuyShip) -> Ruling | None:
        """Refuse cards and places."""
        island = find_island(state, action.island)
        if island is None or island not in ports_of(state):
            return no("CSG-58", "Ships are bought at your home island or in your own colonies.")
        refusal = refuse_ship_card(state, state.turn, action.card)
        if refusal is not None:
            return refusal
        card = state.deck.ship[action.card]
        if island.building == TRADING:
            refusal = _refuse_privateer(state, card, island)
            if refusal is not None:
                return refusal
        if not has_berth(state, card, island.tag):
            where = island_name(state, island)
            return no("CSG-58", f"There is no room to dock {card.title} at {where}.")
        return None

    def play(self, state: State, action: BuyShip) -> Step[State]:
        """Pay, and put her there; she acts from the next turn."""
        card, island = state.deck.ship[action.card], island_of(state, action.island)
        hired = island.building == TRADING
        state = with_new_ship(state, card, island.tag, int(hired))
        state = paid(state, state.turn, -card.cost)._replace(stage=Berthing(card.tag))
        verb = "hires" if hired else "buys"
        text = f"{who(state, state.turn)} {verb} {card.title} for {card.cost} gold"
        coins = ((state.player, -card.cost),)
        return Step(state, (Happening(text, "CSG-85" if hired else "CSG-58", coins),))


def _refuse_privateer(state: State, card: ShipCard, port: Island) -> Ruling | None:
    nations = state.deck.nation
    if not nations[card.nation].is_minor:
        return no("CSG-85", f"{card.title} is of a major nation: minor ones serve as privateers.")
    if is_blockaded(state, port):
        return no("CSG-81", f"{island_name(state, port)} is blockaded: its owner has no use of it.")
    own = [card_of(state, s) for s in fleet_of(state, state.turn) if not s.hired]
    if not any(not nations[c.nation].is_minor for c in own):
        return no("CSG-85", "Major nations hire privateers: you have no ship of one.")
    return None


def with_new_ship(state: State, card: ShipCard, island: int, hired: int = 0) -> State:
    """Return the state with a ship of the captain on turn docked at a standard berth."""
    # Where there is no room at all she lies at the first berth, to be put in order by the table.
    pose = next(berths(state, card.tag, island), None) or first_berth(state, card, island)
    masts = tuple(range(card.masts))
    ship = Ship(card.tag, card.id, state.turn, pose, masts, docked=island, barred=1, hired=hired)
    return with_ship(state, ship)


class PlaceShip(Choice[State, Place]):
    """The ship that was bought is put where she docks (CSG-58)."""

    name, rule, takes = "berth", "CSG-58", (Place,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        ship = ship_of(state, stage_of(state, Berthing).ship)
        where = name_of(state, ship.docked)
        text = f"{who(state, state.turn)}: put {ship_name(state, ship)} (tag {ship.tag}) at {where}"
        return Decision(state.player, self.name, text, measured=True)

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

    def actions(self, state: State) -> tuple[Place, ...]:
        """Return a few berths."""
        ship = ship_of(state, stage_of(state, Berthing).ship)
        poses = list(berths(state, ship.tag, ship.docked))[:3]
        return tuple(sorted(Place(state.player, ship.tag, pose) for pose in poses))

    def measured(self, state: State, seen: Mapping[int, Pose]) -> tuple[Place, ...]:
        """Return where she is seen, if she may dock there."""
        tag = stage_of(state, Berthing).ship
        if tag not in seen:
            return ()
        place = Place(state.player, tag, seen[tag].rounded())
        return () if self.refuse(state, place) is not None else (place,)

    def refuse(self, state: State, action: Place) -> Ruling | None:
        """Refuse other ships, and berths that are none."""
        ship = ship_of(state, stage_of(state, Berthing).ship)
        name = ship_name(state, ship)
        if action.ship != ship.tag:
            return no(self.rule, f"{name} was bought: put her in her place first.")
        refusal = refuse_off_sea(state, ship, action.pose)
        if refusal is not None:
            return refusal
        outline = hull_at(card_of(state, ship), action.pose)
        if not touches(state, outline, shore(state, island_of(state, ship.docked))):
            return no(self.rule, f"{name} must touch {name_of(state, ship.docked)}.")
        tolerance = state.options.tolerance_mm
        for tag, other in near_obstacles(state, outline, 0, ship.tag).items():
            if overlap(outline, other) > tolerance:
                return no(self.rule, f"{name} would lie in {name_of(state, tag)}.")
        return None

    def play(self, state: State, action: Place) -> Step[State]:
        """Put her there."""
        ship = replace(ship_of(state, action.ship), pose=action.pose.rounded())
        return Step(with_ship(state, ship)._replace(stage=OnTurn()))


def refuse_crew(state: State, ship: Ship, card: str) -> Ruling | None:
    """Refuse crew that cannot sail on a ship (CSG-4, CSG-33, CSG-38)."""
    printed = state.deck.crewman.get(card)
    if printed is None:
        return no("CSG-4", f"There is no crew card {card!r} in this deck.")
    if not printed.is_generic and card in used_cards(state):
        reason = f"{printed.title} is in play, or lost for this game: named crew are unique."
        return no("CSG-33", reason)
    refusal = refuse_nation(state, ship.owner, printed.nation)
    if refusal is not None:
        return refusal
    name, most = ship_name(state, ship), card_of(state, ship).cost
    total = printed.cost + sum(state.deck.crewman[c].cost for c in ship.crew)
    if total > most:
        return no(
            "CSG-4", f"The crew of {name} would cost {total}; it may cost {most}, as she did."
        )
    crew = tuple(sorted((*ship.crew, card)))
    if space(state, replace(ship, crew=crew)) < 0:
        return no("CSG-4", f"{name} has no cargo space left for {printed.title}.")
    return refuse_price(state, ship.owner, printed.cost, printed.title)


class HireCrew(Doing[Hire]):
    """Hire a crew where a ship is docked (CSG-58, CSG-59, CSG-85)."""

    takes = Hire

    def candidates(self, state: State) -> Iterator[Hire]:
        """Every card that can be paid, for every ship in harbour."""
        gold = state.seats[state.turn].gold
        cards = [c for c in state.deck.crew if c.cost <= gold]
        for ship in own_ships(state):
            if cards and self._refuse_place(state, ship) is None:
                yield from (Hire(state.player, ship.tag, card.id) for card in cards)

    def refuse(self, state: State, action: Hire) -> Ruling | None:
        """Refuse other places, and crew that cannot sail on her."""
        refusal = refuse_ship(state, action.ship, "CSG-58")
        if refusal is not None:
            return refusal
        ship = ship_of(state, action.ship)
        refusal = self._refuse_place(state, ship)
        if refusal is not None:
            return refusal
        port = island_of(state, ship.docked)
        card = state.deck.crewman.get(action.card)
        if port.building == TRADING and card and not state.deck.nation[card.nation].is_minor:
            return no("CSG-85", "Only crew of minor nations are hired in a trading port.")
        return refuse_crew(state, ship, action.card)

    def _refuse_place(self, state: State, ship: Ship) -> Ruling | None:
        port = find_island(state, ship.docked)
        name = ship_name(state, ship)
        if port is None or not (port.home == ship.owner or port.owner == ship.owner):
            reason = f"{name} must be docked at home, an own fort or colony to hire crew."
            return no("CSG-59", reason)
        if port.building == SETTLEMENT:
            return no("CSG-59", "Nobody is for hire in a settlement.")
        if port.building == TRADING and is_blockaded(state, port):
            return no("CSG-81", f"{island_name(state, port)} is blockaded.")
        return None

    def play(self, state: State, action: Hire) -> Step[State]:
        """Pay, and take them aboard."""
        return with_new_crew(state, action.ship, action.card)


def with_new_crew(state: State, tag: int, card: str) -> Step[State]:
    """Return the state after a crew was hired for a ship."""
    ship, printed = ship_of(state, tag), state.deck.crewman[card]
    ship = replace(ship, crew=tuple(sorted((*ship.crew, card))))
    text = f"{who(state, ship.owner)} hires {printed.title} for {ship_name(state, ship)}"
    coins = ((PlayerId(ship.owner), -printed.cost),)
    state = with_ship(paid(state, ship.owner, -printed.cost), ship)
    return Step(state, (Happening(text, "CSG-4", coins),))


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
        if state.seats[state.turn].gold > 0:
            for ship in own_ships(state):
                if is_at_home(state, ship):
                    for upgrade in all_upgrades(state):
                        yield BuyUpgrade(state.player, ship.tag, upgrade)

    def refuse(self, state: State, action: BuyUpgrade) -> Ruling | None:
        """Refuse other places, full ships, used forts and what cannot be paid."""
        refusal = refuse_ship(state, action.ship, "CSG-60")
        if refusal is not None:
            return refusal
        ship, gold = ship_of(state, action.ship), upgrade_gold(state, action.upgrade)
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
        return refuse_price(state, state.turn, gold, f"{token[0].upper()}{token[1:]}")

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
    if island.home != NOBODY or seat not in island.camps:
        return no("CSG-60", f"{name} has no encampment of yours; explore it first.")
    if island.building and island.owner != seat:
        return no("CSG-61", f"{who(state, island.owner)} has built on {name} already.")
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
        refusal = refuse_ship(state, action.ship, "CSG-60")
        if refusal is not None:
            return refusal
        ship, island = ship_of(state, action.ship), None
        if ship.docked:
            island = island_of(state, ship.docked)
        if island is None or action.upgrade not in ship.upgrades:
            reason = f"{ship_name(state, ship)} must be docked, with this token aboard."
            return no("CSG-60", reason)
        if any(seat == state.turn for _, seat in island.arriving):
            return no("CSG-60", "An upgrade of yours waits here already.")
        return refuse_building(state, island, state.turn, action.upgrade)

    def play(self, state: State, action: Deliver) -> Step[State]:
        """Unload the token; it is built at the beginning of the owner's next turn."""
        ship = ship_of(state, action.ship)
        island = island_of(state, ship.docked)
        arriving = tuple(sorted((*island.arriving, (action.upgrade, state.turn))))
        token = token_of(state, action.upgrade)
        text = f"{ship_name(state, ship)} unloads {token} on {island_name(state, island)}"
        ship = replace(ship, upgrades=without(ship.upgrades, action.upgrade))
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


def _built_here(state: State, island: Island, seat: int, upgrade: str) -> tuple[State, Told]:
    name, where = upgrade_name(state, upgrade), island_name(state, island)
    arriving = without(island.arriving, (upgrade, seat))
    island = replace(island, arriving=arriving)
    if refuse_building(state, island, seat, upgrade) is not None:
        text = f"A {name} cannot be built on {where} any more: the token is lost"
        state = with_island(state, island)
        if upgrade.startswith(FORT_PREFIX):
            gone = tuple(sorted({*state.gone, upgrade.removeprefix(FORT_PREFIX)}))
            state = state._replace(gone=gone)
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
    article = "" if island.fort else "a "
    text = f"{who(state, seat)} has built {article}{name} on {where}"
    return with_island(state, island), (Happening(text, rule),)
