"""Cannons: which can fire, how far, and what they can hit (CSG-16 to CSG-18, CSG-28, CSG-74)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.rules.game import Happening, Ruling
from companion.rules.phases import no
from companion.rules.pirates_csg.abilities import actions_left, has, serving
from companion.rules.pirates_csg.actions import Shoot
from companion.rules.pirates_csg.deck import SHORT, Cannon
from companion.rules.pirates_csg.sea import line_of_fire, may_reach, range_mm, with_tolerance
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
    find_island,
    find_ship,
    ship_of,
)
from companion.rules.pirates_csg.words import Told, name_of
from companion.rules.words import capital, if_close

FLAG = Cannon(3, SHORT)
"""What each flag of a military port fires (CSG-71), and a musketeer (CSG-5)."""
FLAGS = (0, 1, 2, 3)


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


def may_still(state: State, ship: Ship) -> list[str]:
    """Return the actions that she may still be given; to shoot she needs a cannon (CSG-9, CSG-19).

    A captain's shot is left over when a reef has taken the last mast of her move (CSG-5, CSG-27).
    """
    can_shoot = bool(cannons_of(state, ship.tag))
    return [what for what in actions_left(state, ship) if what != SHOOT or can_shoot]


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
    assert apart is not None, "nobody lost in the fog shoots or is shot at"
    if apart > reach + state.options.tolerance_mm:
        reason = f"{name_of(state, target)} is {apart:.0f} mm away; the {cannon} carries {reach} mm"
        return no("CSG-16", f"{reason}{with_tolerance(state, reach, apart)}.")
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
    name = capital(name_of(state, target))
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


def shots_of(state: State, tag: int, guns: tuple[int, ...]) -> Iterator[Shoot]:
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
