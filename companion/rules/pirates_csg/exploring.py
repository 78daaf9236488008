"""Exploring islands and derelicts, and others' marks taken off (CSG-15, CSG-51 to 54, CSG-78)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.phases import Chance, no, stage_of
from companion.rules.pirates_csg.abilities import explores_freely, has, space
from companion.rules.pirates_csg.actions import DrawTreasure, Explore, RollAgain, Unmark
from companion.rules.pirates_csg.deck import NOBODY, RESOURCES, SHORT
from companion.rules.pirates_csg.dice import OnceMore, RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.fates import is_blockaded
from companion.rules.pirates_csg.loading import loading
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.sea import hull, if_nearly, range_mm, ships_touch, with_tolerance
from companion.rules.pirates_csg.stages import (
    DrawingTreasure,
    KeepingResource,
    Loading,
    RollingResource,
)
from companion.rules.pirates_csg.state import (
    COLONIES,
    DOCKED,
    EXPLORE,
    FORT,
    MOST_OF_A_KIND,
    Island,
    Ship,
    State,
    did,
    find_island,
    find_ship,
    island_of,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import Told, island_name, name_of, refuse_tag, ship_name, who
from companion.rules.tuples import less
from companion.rules.words import listed

UNMARK = "unmark"


def yields(state: State, ship: Ship, island: Island) -> bool:
    """Say whether a ship may load what an island produces (CSG-63, CSG-72, CSG-81)."""
    if is_blockaded(state, island):
        return ship.blockade == island.tag
    return island.owner in (NOBODY, ship.owner)


class ExploreIt(Doing[Explore]):
    """Give an explore action (CSG-51, CSG-52, CSG-15)."""

    takes = Explore

    def candidates(self, state: State) -> Iterator[Explore]:
        """Where each ship is docked, and the derelicts beside her."""
        for ship in own_ships(state):
            if ship.docked:
                yield Explore(state.player, ship.tag, ship.docked)
            derelicts = (s for s in state.ships if s.is_derelict and s.tag != ship.tag)
            yield from (Explore(state.player, ship.tag, s.tag) for s in derelicts)

    def refuse(self, state: State, action: Explore) -> Ruling | None:
        """Refuse what cannot be explored from where she is."""
        ship = own_ship(state, action.ship, "CSG-15")
        if isinstance(ship, Ruling):
            return ship
        if not _is_landing(state, ship, action):
            refusal = refuse_action(state, ship, EXPLORE)
            if refusal is not None:
                return refusal
        wreck, island = find_ship(state, action.target), find_island(state, action.target)
        if wreck is not None:
            return _refuse_wreck(state, ship, wreck)
        if island is None:
            return refuse_tag(state, action.target, "island", "CSG-15")
        return _refuse_island(state, ship, island)

    def play(self, state: State, action: Explore) -> Step[State]:
        """Turn treasures over, roll for the resource, load."""
        ship = ship_of(state, action.ship)
        if _is_landing(state, ship, action):
            ship = replace(ship, done=less(ship.done, DOCKED))
        else:
            ship = did(ship, EXPLORE)
        state = with_ship(state, ship)
        text = f"{name_of(state, action.ship)} explores {name_of(state, action.target)}"
        told: Told = (Happening(text, "CSG-15"),)
        if find_ship(state, action.target):
            stage = Loading(action.ship, action.target, 0)
            return loading(state, stage, told)
        island = island_of(state, action.target)
        if island.home == NOBODY and not island.building:
            state, camp = _encamped(state, island)
            told = (*told, *camp)
        if island.hidden:
            return Step(state._replace(stage=DrawingTreasure(action.ship)), told)
        return explored(state, action.ship, told)


def _is_landing(state: State, ship: Ship, action: Explore) -> bool:
    """Say whether an explorer explores with the action by which she docked (CSG-5)."""
    return action.target == ship.docked and explores_freely(state, ship)


def _refuse_wreck(state: State, ship: Ship, wreck: Ship) -> Ruling | None:
    if wreck.tag != ship.tag and wreck.is_derelict:
        if ships_touch(state, ship, wreck):
            return None
        name, other = ship_name(state, ship), ship_name(state, wreck)
        close = if_nearly(state, hull(state, ship), hull(state, wreck))
        return no("CSG-15", f"{name} does not touch {other}{close or ', to explore her'}.")
    name = ship_name(state, ship)
    return no("CSG-15", f"{name} explores islands, and derelicts that she touches.")


def _refuse_island(state: State, ship: Ship, island: Island) -> Ruling | None:
    name = island_name(state, island)
    if ship.docked != island.tag:
        return no("CSG-15", f"{ship_name(state, ship)} must be docked at {name} to explore it.")
    if island.home != NOBODY:
        return no("CSG-15", f"{name} is no wild island; there is nothing to explore.")
    if island.building == FORT:
        return no("CSG-62", f"The fort on {name} yields nothing.")
    if island.building in COLONIES and is_blockaded(state, island):
        return None if ship.blockade == island.tag else no("CSG-81", f"{name} is blockaded.")
    if not yields(state, ship, island):
        owner = who(state, island.owner)
        return no("CSG-63", f"{owner} controls {name}: nobody else takes anything there.")
    return None


def _encamped(state: State, island: Island) -> tuple[State, Told]:
    """Put up an encampment (CSG-53)."""
    if state.turn in island.camps:
        return state, ()
    camps = tuple(sorted((*island.camps, state.turn)))
    text = f"{who(state, state.turn)} has an encampment on {island_name(state, island)}"
    return with_island(state, replace(island, camps=camps)), (Happening(text, "CSG-53"),)


def explored(state: State, tag: int, told: Told) -> Step[State]:
    """Return what follows once nothing lies face down any more."""
    island = island_of(state, ship_of(state, tag).docked)
    if island.resource == NOBODY:
        return Step(state._replace(stage=RollingResource(tag)), told)
    return loading(state, Loading(tag, island.tag, MOST_OF_A_KIND), told)


class TurnTreasure(Chance[State, Deed]):
    """A treasure that lay face down is turned over; people tell which it is (CSG-40)."""

    name, rule, takes = "draw_treasure", "CSG-40", (DrawTreasure,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: turn the treasure over and tell which it is"
        return ChanceRoll(state.player, self.name, text)

    def odds(self, state: State) -> tuple[tuple[Deed, Fraction], ...]:
        """Each that has not been seen yet is as likely as another."""
        unseen = unseen_treasures(state)
        p = Fraction(1, len(unseen))
        return tuple((DrawTreasure(CHANCE, card), p) for card in unseen)

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse cards that are known already."""
        assert isinstance(action, DrawTreasure)
        if action.card in unseen_treasures(state):
            return None
        return no(self.rule, f"There is no treasure {action.card!r} that still lies face down.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Load it if there is space; else leave it as gold on the island."""
        assert isinstance(action, DrawTreasure)
        ship = ship_of(state, stage_of(state, DrawingTreasure).ship)
        island = island_of(state, ship.docked)
        island = replace(island, hidden=island.hidden - 1)
        card = state.deck.treasure[action.card]
        told: Told = (Happening(f"It is {card.title}: {card.text}", self.rule),)
        if space(state, ship) > 0:
            treasures = tuple(sorted((*ship.treasures, card.id)))
            state = with_ship(state, replace(ship, treasures=treasures))
        else:
            coins = (*island.coins, card.gold) if card.gold else island.coins
            island = replace(island, coins=tuple(sorted(coins)))
            state = state._replace(gone=tuple(sorted((*state.gone, card.id))))
            what = f"it stays as {card.gold} gold" if card.gold else "it is out of the game"
            told = (*told, Happening(f"No space for it: {what}", self.rule))
        return explored(with_island(state, island), ship.tag, told)


def unseen_treasures(state: State) -> list[str]:
    """Return the treasures that may still lie face down, sorted."""
    seen = {*state.gone, *(t for ship in state.ships for t in ship.treasures)}
    return sorted(state.deck.treasure.keys() - seen)


class RollResource(RollOneDie):
    """The first to explore rolls for what the island produces (CSG-51)."""

    name, rule = "roll_resource", "CSG-51"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        ship = ship_of(state, stage_of(state, RollingResource).ship)
        text = f"{who(state, state.turn)}: roll for what {name_of(state, ship.docked)} produces"
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Fix the resource, unless an explorer wants another roll."""
        stage, resource = stage_of(state, RollingResource), face_of(action) - 1
        ship = ship_of(state, stage.ship)
        seasoned = has(state, ship, "explorer") or has(state, ship, "hoist")
        if seasoned and not stage.is_second:
            return Step(state._replace(stage=KeepingResource(ship.tag, resource)))
        return produces(state, ship, resource)


def produces(state: State, ship: Ship, resource: int) -> Step[State]:
    """Return what follows once an island's resource is fixed."""
    island = replace(island_of(state, ship.docked), resource=resource)
    text = f"{island_name(state, island)} produces {RESOURCES[resource]}"
    stage = Loading(ship.tag, island.tag, MOST_OF_A_KIND)
    return loading(with_island(state, island), stage, (Happening(text, "CSG-51"),))


class KeepResource(OnceMore):
    """An explorer may roll once more (CSG-78)."""

    name, rule = "keep_resource", "CSG-78"

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        resource = RESOURCES[stage_of(state, KeepingResource).resource]
        text = f"{who(state, state.turn)}: keep {resource}, or roll again and keep that"
        return Decision(state.player, self.name, text, told=True)

    def play(self, state: State, action: Deed) -> Step[State]:
        """Fix it, or roll."""
        stage = stage_of(state, KeepingResource)
        if isinstance(action, RollAgain):
            return Step(state._replace(stage=RollingResource(stage.ship, True)))
        return produces(state, ship_of(state, stage.ship), stage.resource)


class UnmarkIt(Doing[Unmark]):
    """Take others' marks from an island within S, once a turn (CSG-6, CSG-54)."""

    takes = Unmark

    def candidates(self, state: State) -> Iterator[Unmark]:
        """Every wild island, with and without its resource."""
        for ship in own_ships(state):
            if UNMARK not in ship.done and has(state, ship, "unexplore"):
                for island in state.islands:
                    yield from (
                        Unmark(state.player, ship.tag, island.tag, clears)
                        for clears in (False, True)
                    )

    def refuse(self, state: State, action: Unmark) -> Ruling | None:
        """Refuse who cannot, what is too far, and where there is nothing to remove."""
        ship = own_ship(state, action.ship, "CSG-54")
        if isinstance(ship, Ruling):
            return ship
        island = find_island(state, action.island)
        name = ship_name(state, ship)
        if ship.lost_in:
            return no("CSG-27", f"{name} is lost in the fog.")
        if not has(state, ship, "unexplore"):
            return no("CSG-54", f"Nobody aboard {name} can take marks from islands.")
        if UNMARK in ship.done:
            return no("CSG-54", f"{name} has done so this turn.")
        if island is None or island.home != NOBODY or island.building:
            return no("CSG-54", "Marks are taken from wild islands without a building.")
        apart = range_mm(state, ship.tag, island.tag)
        reach = state.options.side_mm(SHORT)
        assert apart is not None, "she is not lost in the fog"
        if apart > reach + state.options.tolerance_mm:
            far = with_tolerance(state, reach, apart)
            return no("CSG-54", f"{island_name(state, island)} is not within S, {reach} mm{far}.")
        others = [seat for seat in island.camps if seat != ship.owner]
        if not others and not (action.clears and island.resource != NOBODY):
            return no("CSG-54", f"There is nothing to remove from {island_name(state, island)}.")
        if action.clears and island.resource == NOBODY:
            return no("CSG-54", f"What {island_name(state, island)} produces is not known yet.")
        return None

    def play(self, state: State, action: Unmark) -> Step[State]:
        """Remove encampments of others, and the resource if so chosen.

        Upgrades of theirs that wait here find no encampment when they are to be built (CSG-60).
        """
        island = island_of(state, action.island)
        own = tuple(seat for seat in island.camps if seat == state.turn)
        gone = ["the marks of others"] if own != island.camps else []
        gone += ["what it produced"] if action.clears else []
        resource = NOBODY if action.clears else island.resource
        island = replace(island, camps=own, resource=resource)
        text = f"{name_of(state, action.ship)} takes {listed(gone)} from "
        text += island_name(state, island)
        state = with_ship(state, did(ship_of(state, action.ship), UNMARK))
        return Step(with_island(state, island), (Happening(text, "CSG-54"),))
