"""Cannons: who can hit whom, and what a hit does (CSG-16 to CSG-20, CSG-65, CSG-71, CSG-74)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirates_csg.actions import CeaseFire, Keep, RollAgain, Shoot
from companion.rules.pirates_csg.deck import SHORT, Cannon
from companion.rules.pirates_csg.dice import OneDie, ask_die, face_of
from companion.rules.pirates_csg.doing import Doing, own_ships, refuse_ship
from companion.rules.pirates_csg.fates import buried, unexplored
from companion.rules.pirates_csg.hits import hit
from companion.rules.pirates_csg.raiding import refuse_action
from companion.rules.pirates_csg.sea import line_of_fire, may_reach, range_mm
from companion.rules.pirates_csg.stages import Firing, FiringAgain, OnTurn, RollingShot
from companion.rules.pirates_csg.state import (
    FORT,
    MILITARY,
    SETTLEMENT,
    SHOOT,
    TRADING,
    Island,
    Ship,
    State,
    card_of,
    did,
    find_island,
    find_ship,
    has,
    island_of,
    serving,
    ship_of,
    with_island,
    with_ship,
)
from companion.rules.pirates_csg.words import UPGRADE_NAMES, Told, island_name, name_of, who
from companion.rules.words import counted, if_close

FLAG = Cannon(3, SHORT)
"""What each flag of a military port fires (CSG-71), and a musketeer (CSG-5)."""
FLAGS = (0, 1, 2, 3)
TOWN_HITS = 3
"""Hits that destroy a settlement (CSG-65)."""
AGAIN = "again"
"""A cannoneer has had a shot fired again this turn."""


def cannons_of(state: State, tag: int) -> dict[int, Cannon]:
    """Return the cannons that can fire, by number; musketeers' come after the masts."""
    island = find_island(state, tag)
    if island is not None:
        printed = state.deck.fort[island.fort].cannons if island.building == FORT else (FLAG,) * 4
        return {gun: printed[gun] for gun in island.guns}
    ship = ship_of(state, tag)
    card = card_of(state, ship)
    found = {mast: card.cannons[mast] for mast in ship.masts}
    crew = [state.deck.crewman[c] for c in serving(state, ship)]
    muskets = sum(each.has("musketeer") for each in (card, *crew))
    return found | {card.masts + k: FLAG for k in range(muskets)}


def reach_mm(state: State, tag: int, cannon: int) -> int:
    """Return how far a cannon carries; a gunboat's printed ones twice as far (CSG-74)."""
    reach = state.options.side_mm(cannons_of(state, tag)[cannon].reach)
    ship = find_ship(state, tag)
    if ship is None or not has(state, ship, "gunboat"):
        return reach
    return 2 * reach if cannon < card_of(state, ship).masts else reach


def volley(state: State, tag: int) -> tuple[int, ...]:
    """Return the shots of one shoot action, by cannon, sorted."""
    ship = find_ship(state, tag)
    twice = ship is not None and has(state, ship, "gunboat")
    masts = card_of(state, ship).masts if ship else 0
    guns = cannons_of(state, tag)
    return tuple(sorted([*guns, *(g for g in guns if twice and g < masts)]))


def targets(state: State, seat: int) -> list[int]:
    """Return the tags that a captain's cannons may be aimed at: ships and buildings of others."""
    ships = [s.tag for s in state.ships if s.owner != seat and not s.lost_in]
    built = [
        i.tag
        for i in state.islands
        if i.building in (FORT, SETTLEMENT, MILITARY) and i.owner != seat
    ]
    return ships + built


def refuse_shot(state: State, action: Shoot) -> Ruling | None:
    """Refuse a target that this cannon cannot hit from where it is."""
    shooter, target = action.ship, action.target
    if action.cannon not in cannons_of(state, shooter):
        return _no_cannon(state, action)
    if target not in targets(state, state.turn):
        return _no_target(state, target)
    cannon = cannons_of(state, shooter)[action.cannon]
    foe = find_ship(state, target)
    if foe is not None and cannon.reach != SHORT and has(state, foe, "no_long"):
        return no("CSG-6", f"Cannons of long range cannot hit {name_of(state, target)}.")
    reach = reach_mm(state, shooter, action.cannon)
    apart = range_mm(state, shooter, target)
    most = reach + state.options.tolerance_mm
    if apart is None or apart > most:
        where = f"{apart:.0f} mm away" if apart is not None else "not to be seen"
        close = if_close(apart - most) if apart is not None else ""
        reason = f"{name_of(state, target)} is {where}; the {cannon} carries {reach} mm"
        reason += f", {most} with the tolerance: too far{close}" if close else ""
        return no("CSG-16", f"{reason}.")
    if not _line(state, action)[0]:
        reason = f"Something stands between {name_of(state, shooter)} and {name_of(state, target)}."
        return no("CSG-17", reason)
    return None


def _no_cannon(state: State, action: Shoot) -> Ruling:
    """Refuse a cannon that is lost, or was never there (CSG-18, CSG-28, CSG-71)."""
    reason = f"{name_of(state, action.ship)} has no cannon {action.cannon + 1}"
    island = find_island(state, action.ship)
    if island is None:
        return no("CSG-18", f"{reason}; lost masts do not fire.")
    rule = "CSG-28" if island.building == FORT else "CSG-71"
    return no(rule, f"{reason}; each hit on it takes one.")


def _no_target(state: State, target: int) -> Ruling:
    """Say why something cannot be shot at (CSG-16)."""
    name = name_of(state, target)
    ship, island = find_ship(state, target), find_island(state, target)
    if ship is not None and ship.owner != state.turn:
        return no("CSG-27", f"{name} is lost in the fog: nobody can shoot at her.")
    if island is not None and island.building == TRADING and island.owner != state.turn:
        reason = f"The trading port on {name} has no guns and is not shot at"
        return no("CSG-16", f"{reason}: dock there and board it.")
    reason = "aim at an enemy's ship, fort, settlement or military port."
    return no("CSG-16", f"{name} cannot be shot at: {reason}")


def _line(state: State, action: Shoot) -> tuple[bool, bool]:
    ship = find_ship(state, action.ship)
    over_ships = ship is not None and has(state, ship, "over_ships")
    reach = reach_mm(state, action.ship, action.cannon)
    return line_of_fire(state, action.ship, action.target, action.cannon, float(reach), over_ships)


def close_measure(state: State, action: Shoot) -> Told:
    """Say so where a shot is only within reach by the tolerance, which goes to the shooter."""
    apart = range_mm(state, action.ship, action.target)
    assert apart is not None
    over = apart - reach_mm(state, action.ship, action.cannon)
    close = if_close(state.options.tolerance_mm - over)
    if over <= 0 and not _line(state, action)[1] and not close:
        return ()
    text = "A close measure goes to the shooter"
    text += f", who is {over:.0f} mm short" if over > 0 else ""
    text += f": in range{close}" if close else ""
    return (Happening(text, "CSG-17"),)


def _shots(state: State, tag: int, guns: tuple[int, ...]) -> Iterator[Shoot]:
    """Yield the shots of some cannons at everything that is near enough for one of them."""
    known = cannons_of(state, tag)
    far = max((reach_mm(state, tag, g) for g in known), default=0) + state.options.tolerance_mm
    for target in targets(state, state.turn):
        apart = range_mm(state, tag, target) if may_reach(state, tag, target, far) else None
        if apart is not None and apart <= far:
            yield from (Shoot(state.player, tag, g, target) for g in sorted(set(guns)))


def own_guns(state: State) -> list[Island]:
    """Return the forts and military ports of the captain on turn that may still shoot."""
    armed = (FORT, MILITARY)
    return [
        i
        for i in state.islands
        if i.owner == state.turn and i.building in armed and i.guns and not i.has_fired
    ]


class OpenFire(Doing[Shoot]):
    """Give a ship or a fort a shoot action: the first cannon (CSG-16)."""

    takes = Shoot

    def candidates(self, state: State) -> Iterator[Shoot]:
        """Every cannon at everything near."""
        for ship in own_ships(state):
            if _refuse_shooter(state, ship.tag) is None:
                yield from _shots(state, ship.tag, volley(state, ship.tag))
        for island in own_guns(state):
            yield from _shots(state, island.tag, volley(state, island.tag))

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
    refusal = refuse_ship(state, tag, "CSG-9")
    if refusal is not None:
        return refusal
    ship = ship_of(state, tag)
    if ship.lost_in:
        return no("CSG-27", f"{name_of(state, tag)} is lost in the fog.")
    if not cannons_of(state, tag):
        return no("CSG-19", f"{name_of(state, tag)} is a derelict without a cannon that fires.")
    return refuse_action(state, ship, SHOOT)


def _aimed(state: State, action: Shoot, left: tuple[int, ...]) -> Step[State]:
    cannon = cannons_of(state, action.ship)[action.cannon]
    text = f"{name_of(state, action.ship)} fires the {cannon} at {name_of(state, action.target)}"
    told: Told = (Happening(text, "CSG-16"), *close_measure(state, action))
    rest = list(left)
    rest.remove(action.cannon)
    stage = RollingShot(action.ship, action.cannon, action.target, tuple(rest))
    return Step(state._replace(stage=stage), told)


class KeepFiring(Choice[State, Deed]):
    """The other cannons of a ship or fort that is shooting (CSG-16, CSG-74)."""

    name, rule, takes = "fire", "CSG-16", (Shoot, CeaseFire)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        stage = stage_of(state, Firing)
        left = counted(len(stage.left), "cannon", "cannons")
        text = f"{who(state, state.turn)}: {name_of(state, stage.ship)} has {left} left to fire"
        return Decision(state.player, self.name, text, passing=CeaseFire(state.player))

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Every cannon that is left at everything it can hit; or no more."""
        stage = stage_of(state, Firing)
        refuse = partial(refuse_shot, state)
        shots = [s for s in _shots(state, stage.ship, stage.left) if refuse(s) is None]
        return tuple(sorted([*shots, CeaseFire(state.player)]))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse other shooters and cannons that have fired."""
        if isinstance(action, CeaseFire):
            return None
        assert isinstance(action, Shoot)
        stage = stage_of(state, Firing)
        if action.ship != stage.ship or action.cannon not in stage.left:
            reason = f"{name_of(state, stage.ship)} is shooting; each of her cannons fires once."
            return no(self.rule, reason)
        return refuse_shot(state, action)

    def play(self, state: State, action: Deed) -> Step[State]:
        """Aim the next, or go on with the turn."""
        if isinstance(action, Shoot):
            return _aimed(state, action, stage_of(state, Firing).left)
        return Step(state._replace(stage=OnTurn()))


class RollShot(OneDie):
    """A cannon hits with more than its rank (CSG-16)."""

    name, rule = "roll_shot", "CSG-16"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        stage = stage_of(state, RollingShot)
        cannon = cannons_of(state, stage.ship)[stage.cannon]
        target = name_of(state, stage.target)
        text = f"{who(state, state.turn)}: roll for the {cannon} at {target}"
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Hit or miss."""
        stage = stage_of(state, RollingShot)
        if _is_hit(state, stage, face_of(action)):
            return _struck(state, stage)
        told: Told = (Happening("The shot misses", self.rule),)
        ship = find_ship(state, stage.ship)
        if ship is not None and AGAIN not in ship.done and has(state, ship, "cannoneer"):
            again = FiringAgain(stage.ship, stage.cannon, stage.target, stage.left)
            return Step(state._replace(stage=again), told)
        return Step(state._replace(stage=_next(state, stage)), told)


def _is_hit(state: State, stage: RollingShot, face: int) -> bool:
    if face == 1 and state.options.one_misses:
        return False
    cannon = cannons_of(state, stage.ship)[stage.cannon]
    ship = find_ship(state, stage.ship)
    plus = 0
    if ship is not None and stage.cannon < card_of(state, ship).masts:
        plus = _gunnery(state, ship, stage.target)
    return face + plus > cannon.rank


def _gunnery(state: State, ship: Ship, target: int) -> int:
    """Return what abilities add to a cannon's roll against a target (CSG-6)."""
    foe = find_ship(state, target)
    nation = card_of(state, foe).nation if foe else ""
    crewmen = state.deck.crewman
    cards = [card_of(state, ship), *(crewmen[c] for c in serving(state, ship))]
    abilities = [a for card in cards for a in card.abilities if a.do == "gunnery"]
    return sum(a.amount for a in abilities if a.nation in ("", nation))


def _next(state: State, stage: RollingShot | FiringAgain) -> Firing | OnTurn:
    return Firing(stage.ship, stage.left) if stage.left else OnTurn()


def _struck(state: State, stage: RollingShot) -> Step[State]:
    then = _next(state, stage)
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
        text = f"The {UPGRADE_NAMES[island.building]} on {name} is hit, {len(guns)} guns left"
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


class FireAgain(Choice[State, Deed]):
    """A cannoneer fires one shot a turn again (CSG-5)."""

    name, rule, takes = "fire_again", "CSG-5", (RollAgain, Keep)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: have the cannoneer fire the shot again, or let it be"
        return Decision(state.player, self.name, text, passing=Keep(state.player))

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Fire it again or not."""
        return RollAgain(state.player), Keep(state.player)

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing that is asked for."""
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Roll once more, or go on."""
        stage = stage_of(state, FiringAgain)
        if isinstance(action, Keep):
            return Step(state._replace(stage=_next(state, stage)))
        state = with_ship(state, did(ship_of(state, stage.ship), AGAIN))
        shot = RollingShot(stage.ship, stage.cannon, stage.target, stage.left)
        return Step(state._replace(stage=shot))
