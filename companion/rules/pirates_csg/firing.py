"""Shooting, cannon after cannon, and what a hit does (CSG-16 to CSG-20, CSG-65, CSG-71)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.phases import TurnChoice, no, stage_of
from companion.rules.pirates_csg.abilities import has, serving
from companion.rules.pirates_csg.actions import CeaseFire, Keep, Shoot
from companion.rules.pirates_csg.dice import OnceMore, RollOneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ship, own_ships
from companion.rules.pirates_csg.fates import buried, unexplored
from companion.rules.pirates_csg.gunnery import (
    cannons_of,
    close_measure,
    own_guns,
    refuse_shot,
    shots_of,
    volley,
)
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.stages import Firing, FiringAgain, OnTurn, RollingShot
from companion.rules.pirates_csg.state import (
    FORT,
    MILITARY,
    SETTLEMENT,
    SHOOT,
    Island,
    Ship,
    State,
    card_of,
    did,
    find_island,
    find_ship,
    island_of,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import (
    UPGRADE_NAMES,
    Told,
    gun_name,
    island_name,
    name_of,
    who,
)
from companion.rules.words import capital, counted

TOWN_HITS = 3
"""Hits that destroy a settlement (CSG-65)."""
AGAIN = "again"
"""A cannoneer has had a shot fired again this turn."""


class OpenFire(Doing[Shoot]):
    """Give a ship or a fort a shoot action: the first cannon (CSG-16)."""

    takes = Shoot

    def candidates(self, state: State) -> Iterator[Shoot]:
        """Every cannon at everything near."""
        for ship in own_ships(state):
            if _refuse_shooter(state, ship.tag) is None:
                yield from shots_of(state, ship.tag, volley(state, ship.tag))
        for island in own_guns(state):
            yield from shots_of(state, island.tag, volley(state, island.tag))

    def refuse(self, state: State, action: Shoot) -> Ruling | None:
        """Refuse who may not shoot, and what cannot be hit."""
        refusal = _refuse_shooter(state, action.ship)
        return refuse_shot(state, action) if refusal is None else refusal

    def play(self, state: State, action: Shoot) -> Step[State]:
        """Aim the first cannon."""
        left = volley(state, action.ship)
        ship = find_ship(state, action.ship)
        if ship is not None:
            state = with_ship(state, did(ship, SHOOT))
        else:
            fort = island_of(state, action.ship)
            state = with_island(state, replace(fort, has_fired=True))
        return _aimed(state, action, left)


def _refuse_shooter(state: State, tag: int) -> Ruling | None:
    island = find_island(state, tag)
    if island is not None:
        if island in own_guns(state):
            return None
        reason = f"{island_name(state, island)} has no guns of yours that may still fire this turn."
        return no("CSG-71" if island.building == MILITARY else "CSG-28", reason)
    ship = own_ship(state, tag, "CSG-9")
    if isinstance(ship, Ruling):
        return ship
    if ship.lost_in:
        return no("CSG-27", f"{name_of(state, tag)} is lost in the fog.")
    if not cannons_of(state, tag):
        return no("CSG-19", f"{name_of(state, tag)} is a derelict without a cannon that fires.")
    return refuse_action(state, ship, SHOOT)


def _aimed(state: State, action: Shoot, left: tuple[int, ...]) -> Step[State]:
    cannon = cannons_of(state, action.ship)[action.cannon]
    ship, target = capital(gun_name(state, action.ship)), gun_name(state, action.target)
    text = f"{ship} fires the {cannon} at {target}"
    told: Told = (Happening(text, "CSG-16"), *close_measure(state, action))
    rest = list(left)
    rest.remove(action.cannon)
    stage = RollingShot(action.ship, action.cannon, action.target, tuple(rest))
    return Step(state._replace(stage=stage), told)


class KeepFiring(TurnChoice[State, Deed]):
    """The other cannons of a ship or fort that is shooting (CSG-16, CSG-74)."""

    name, rule, takes = "fire", "CSG-16", (Shoot, CeaseFire)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        stage = stage_of(state, Firing)
        # Not cannons: those of a gunboat fire twice (CSG-74).
        left = counted(len(stage.left), "shot", "shots")
        name = gun_name(state, stage.ship)
        text = f"{who(state, state.turn)}: {name} has {left} left to fire"
        return Decision(state.player, self.name, text, passing=CeaseFire(state.player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Every cannon that is left at everything it can hit; or no more."""
        return tuple(sorted([*_shots_left(state), CeaseFire(state.player)]))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse other shooters and cannons that have fired."""
        if isinstance(action, CeaseFire):
            return None
        assert isinstance(action, Shoot)
        stage = stage_of(state, Firing)
        name = gun_name(state, stage.ship)
        if action.ship != stage.ship:
            reason = f"{capital(name)} is shooting: fire all that is left, or cease fire first."
            return no(self.rule, reason)
        if action.cannon in volley(state, stage.ship) and action.cannon not in stage.left:
            return no(self.rule, f"Cannon {action.cannon + 1} of {name} has fired already.")
        return refuse_shot(state, action)

    def play(self, state: State, action: Deed) -> Step[State]:
        """Aim the next, or go on with the turn."""
        if isinstance(action, Shoot):
            return _aimed(state, action, stage_of(state, Firing).left)
        return Step(state._replace(stage=OnTurn()))


def _shots_left(state: State) -> list[Deed]:
    stage = stage_of(state, Firing)
    refuse = partial(refuse_shot, state)
    return [s for s in shots_of(state, stage.ship, stage.left) if refuse(s) is None]


def fired_out(step: Step[State]) -> Step[State]:
    """Go on with the turn once who is shooting has nothing left to hit (CSG-16)."""
    state = step.state
    if not isinstance(state.stage, Firing) or _shots_left(state):
        return step
    text = f"{capital(gun_name(state, state.stage.ship))} has nothing left to hit"
    told = (*step.happenings, Happening(text, "CSG-16"))
    return Step(state._replace(stage=OnTurn()), told)


class RollShot(RollOneDie):
    """A cannon hits with more than its rank (CSG-16)."""

    name, rule = "roll_shot", "CSG-16"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        stage = stage_of(state, RollingShot)
        cannon = cannons_of(state, stage.ship)[stage.cannon]
        target, misses = gun_name(state, stage.target), _misses(state, stage)
        text = (
            f"{who(state, state.turn)}: roll for the {cannon} at {target}, more than {misses} hits"
        )
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Hit or miss."""
        stage = stage_of(state, RollingShot)
        if face_of(action) > _misses(state, stage):
            return _struck(state, stage)
        told: Told = (Happening("The shot misses", self.rule),)
        ship = find_ship(state, stage.ship)
        if ship is not None and AGAIN not in ship.done and has(state, ship, "cannoneer"):
            again = FiringAgain(stage.ship, stage.cannon, stage.target, stage.left)
            return Step(state._replace(stage=again), told)
        return Step(state._replace(stage=_next(stage)), told)


def _misses(state: State, stage: RollingShot) -> int:
    """Return the highest roll that misses."""
    cannon = cannons_of(state, stage.ship)[stage.cannon]
    ship = find_ship(state, stage.ship)
    plus = 0
    if ship is not None and stage.cannon < card_of(state, ship).masts:
        plus = _gunnery(state, ship, stage.target)
    return max(cannon.rank - plus, int(state.options.one_misses))


def _gunnery(state: State, ship: Ship, target: int) -> int:
    """Return what abilities add to a cannon's roll against a target (CSG-6)."""
    foe = find_ship(state, target)
    nation = card_of(state, foe).nation if foe else ""
    crewmen = state.deck.crewman
    cards = [card_of(state, ship), *(crewmen[c] for c in serving(state, ship))]
    abilities = [a for card in cards for a in card.abilities if a.do == "gunnery"]
    return sum(a.amount for a in abilities if a.nation in ("", nation))


def _next(stage: RollingShot | FiringAgain) -> Firing | OnTurn:
    return Firing(stage.ship, stage.left) if stage.left else OnTurn()


def _struck(state: State, stage: RollingShot) -> Step[State]:
    then = _next(stage)
    foe = find_ship(state, stage.target)
    if foe is None:
        return _building_struck(state._replace(stage=then), island_of(state, stage.target))
    told: Told = (Happening(f"{name_of(state, foe.tag)} is hit", "CSG-16"),)
    whole = len(foe.masts) == card_of(state, foe).masts
    if whole and "spared" not in foe.done and has(state, foe, "first_hit"):
        state = with_ship(state, did(foe, "spared"))._replace(stage=then)
        text = f"{name_of(state, foe.tag)} ignores the first hit while all her masts stand"
        return Step(state, (*told, Happening(text, "CSG-6")))
    return hit(state, foe.tag, then, "CSG-16", told)


def _building_struck(state: State, island: Island) -> Step[State]:
    """Hit a settlement, a fort or a military port (CSG-28, CSG-65, CSG-71)."""
    name = island_name(state, island)
    if island.building == SETTLEMENT:
        hits = island.hits + 1
        if hits < TOWN_HITS:
            text = f"The settlement on {name} is hit, {hits} of {TOWN_HITS}"
            state = with_island(state, replace(island, hits=hits))
            return Step(state, (Happening(text, "CSG-65"),))
        text = f"The settlement on {name} is destroyed; the island is unexplored again"
        return Step(with_island(state, unexplored(island)), (Happening(text, "CSG-66"),))
    rule = "CSG-28" if island.building == FORT else "CSG-71"
    guns = island.guns[:-1]
    if guns:
        left = counted(len(guns), "gun", "guns")
        text = f"The {UPGRADE_NAMES[island.building]} on {name} is hit, {left} left"
        return Step(with_island(state, replace(island, guns=guns)), (Happening(text, rule),))
    text = f"The {UPGRADE_NAMES[island.building]} on {name} is destroyed"
    if island.building == MILITARY:
        text += "; the island is unexplored again"
    if island.fort:
        state = buried(state, [island.fort])
    return Step(with_island(state, demolished(island)), (Happening(text, rule),))


def demolished(island: Island) -> Island:
    """Return an island whose fort or military port is gone; what lay there can be loaded."""
    if island.building == FORT:
        return replace(island, building="", owner=-1, fort="", guns=(), has_fired=False)
    return unexplored(island)


class FireAgain(OnceMore):
    """A cannoneer fires one shot a turn again (CSG-5)."""

    name, rule = "fire_again", "CSG-5"

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: have the cannoneer fire the shot again, or let it be"
        return Decision(state.player, self.name, text, passing=Keep(state.player))

    def play(self, state: State, action: Deed) -> Step[State]:
        """Roll once more, or go on."""
        stage = stage_of(state, FiringAgain)
        if isinstance(action, Keep):
            return Step(state._replace(stage=_next(stage)))
        state = with_ship(state, did(ship_of(state, stage.ship), AGAIN))
        shot = RollingShot(stage.ship, stage.cannon, stage.target, stage.left)
        return Step(state._replace(stage=shot))
