"""Buying ships and crew (CSG-4, CSG-32 to CSG-38, CSG-58, CSG-59, CSG-85)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.layout import Pose
from companion.rules.outlines import overlap
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.abilities import space, with_crew
from companion.rules.pirates_csg.actions import Place
from companion.rules.pirates_csg.deck import ShipCard
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships, refuse_blockaded
from companion.rules.pirates_csg.fates import is_blockaded
from companion.rules.pirates_csg.harbour_actions import BuyShip, Hire
from companion.rules.pirates_csg.manoeuvres import berths, first_berth
from companion.rules.pirates_csg.sailing import refuse_off_sea
from companion.rules.pirates_csg.sea import hull_at, near_obstacles, patch, shore, touches
from companion.rules.pirates_csg.stages import Berthing, OnTurn
from companion.rules.pirates_csg.state import (
    COLONIES,
    NEW,
    SETTLEMENT,
    TRADING,
    Island,
    Ship,
    State,
    card_of,
    find_island,
    fleet_of,
    forts_among,
    home_of,
    island_of,
    paid,
    ship_of,
    with_ship,
)
from companion.rules.pirates_csg.words import island_name, name_of, ship_name, who


def used_cards(state: State) -> set[str]:
    """Return the ids of all cards that are in play or gone for good (CSG-32, CSG-33)."""
    used = {*state.gone}
    for ship in state.ships:
        used |= {ship.card, *ship.crew, *forts_among(ship.upgrades)}
    for island in state.islands:
        used |= {island.fort, *forts_among(kind for kind, _ in island.arriving)}
    return used


def refuse_nation(state: State, seat: int, nation: str) -> Ruling | None:
    """Refuse a second major nation where fleets are of one; prizes sail along (CSG-38)."""
    nations = state.deck.nation
    if state.options.nations == "mixed" or nations[nation].is_minor:
        return None
    crewmen = state.deck.crewman
    majors = {
        card.nation
        for ship in fleet_of(state, seat)
        if not ship.is_prize
        for card in (card_of(state, ship), *(crewmen[c] for c in ship.crew))
        if not nations[card.nation].is_minor
    }
    if not majors or nation in majors:
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
    refusal = refuse_blockaded(state, port)
    return _refuse_to_hire(state) if refusal is None else refusal


def _refuse_to_hire(state: State) -> Ruling | None:
    """Refuse privateers, ships and crew, to who has no ship of a major nation (CSG-85)."""
    nations = state.deck.nation
    own = [card_of(state, s) for s in fleet_of(state, state.turn) if not s.hired]
    if any(not nations[card.nation].is_minor for card in own):
        return None
    return no("CSG-85", "Major nations hire privateers: you have no ship of one.")


def with_new_ship(state: State, card: ShipCard, island: int, hired: int = 0) -> State:
    """Return the state with a ship of the captain on turn docked at a standard berth."""
    # Where there is no room at all she lies at the first berth, to be put in order by the table.
    pose = next(berths(state, card.tag, island), None) or first_berth(state, card, island)
    masts = tuple(range(card.masts))
    ship = Ship(card.tag, card.id, state.turn, pose, masts, docked=island, barred=NEW, hired=hired)
    return with_ship(state, ship)


class PlaceShip(TurnChoice[State, Place]):
    """The ship that was bought is put where she docks (CSG-58)."""

    name, rule, takes = "berth", "CSG-58", (Place,)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        ship = ship_of(state, stage_of(state, Berthing).ship)
        where = name_of(state, ship.docked)
        text = f"{who(state, state.turn)}: put {ship_name(state, ship)} (tag {ship.tag}) at {where}"
        return Decision(state.player, self.name, text, measured=True)

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
        near = near_obstacles(state, outline, 0, ship.tag).items()
        around = [(name_of(state, tag), other) for tag, other in near]
        around += [(f"the {t.kind} {t.tag}", patch(t)) for t in state.terrain]
        for what, other in around:
            if overlap(outline, other) > state.options.tolerance_mm:
                return no(self.rule, f"{name} would lie in {what}.")
        return None

    def play(self, state: State, action: Place) -> Step[State]:
        """Put her there."""
        ship = replace(ship_of(state, action.ship), pose=action.pose.rounded())
        return Step(with_ship(state, ship)._replace(stage=OnTurn()))


def refuse_crew(state: State, ship: Ship, card: str, *, hired: bool = False) -> Ruling | None:
    """Refuse crew that cannot sail on a ship (CSG-4, CSG-33, CSG-38); `hired`: in a port."""
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
    if space(state, with_crew(ship, card, hired=hired)) < 0:
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
        ship = own_ship(state, action.ship, "CSG-58")
        if isinstance(ship, Ruling):
            return ship
        refusal = self._refuse_place(state, ship)
        if refusal is not None:
            return refusal
        port = island_of(state, ship.docked)
        card = state.deck.crewman.get(action.card)
        if port.building == TRADING and card and not state.deck.nation[card.nation].is_minor:
            return no("CSG-85", "Only crew of minor nations are hired in a trading port.")
        return refuse_crew(state, ship, action.card, hired=port.building == TRADING)

    def _refuse_place(self, state: State, ship: Ship) -> Ruling | None:
        port = find_island(state, ship.docked)
        name = ship_name(state, ship)
        if port is None or not (port.home == ship.owner or port.owner == ship.owner):
            reason = f"{name} must be docked at home, an own fort or colony to hire crew."
            return no("CSG-59", reason)
        if port.building == SETTLEMENT:
            return no("CSG-59", "Nobody is for hire in a settlement.")
        if port.building != TRADING:
            return None
        if is_blockaded(state, port):
            return no("CSG-81", f"{island_name(state, port)} is blockaded.")
        return _refuse_to_hire(state)

    def play(self, state: State, action: Hire) -> Step[State]:
        """Pay, and take them aboard."""
        port = island_of(state, ship_of(state, action.ship).docked)
        hired = port.building == TRADING
        return with_new_crew(state, action.ship, action.card, hired=hired)


def with_new_crew(state: State, tag: int, card: str, *, hired: bool = False) -> Step[State]:
    """Return the state after a crew was hired for a ship; `hired`: as privateers (CSG-85)."""
    ship, printed = with_crew(ship_of(state, tag), card, hired=hired), state.deck.crewman[card]
    text = f"{who(state, ship.owner)} hires {printed.title} for {ship_name(state, ship)}"
    coins = ((PlayerId(ship.owner), -printed.cost),)
    state = with_ship(paid(state, ship.owner, -printed.cost), ship)
    return Step(state, (Happening(text, "CSG-85" if hired else "CSG-4", coins),))
