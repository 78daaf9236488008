"""Where guns point and what they can hit: bores, ranges, rakes (PWR-67 to PWR-75)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import groupby, product
from math import ceil

from companion.rules.outlines import depth, gap, nearest_point, nearest_points, point_to_line
from companion.rules.paths import crossing, first_struck, is_free
from companion.rules.pirate_wars.ashore.dead_island import bone_cannon
from companion.rules.pirate_wars.ashore.storming import doors_of, fort_built
from companion.rules.pirate_wars.built.ships import SIDE_BEARINGS
from companion.rules.pirate_wars.built.vessels import FortCannonAt
from companion.rules.pirate_wars.built.weapons import Weapon
from companion.rules.pirate_wars.crew import DECK, GUNS, WALKED, Crew, Hand, fall_rank, of, picked
from companion.rules.pirate_wars.fighting.cover import dots_within, modifier
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.sailing.seamanship import dots
from companion.rules.pirate_wars.stages import Attack, Volley
from companion.rules.pirate_wars.state import State, afloat, design_of, hull_of
from companion.rules.pirate_wars.words import ship_name
from companion.rules.plane import (
    XY,
    Outline,
    bearing_deg,
    on_board,
    on_piece,
    place,
    toward,
    turn_deg,
)

FAR_MM = 20000.0
DOORS = "doors"
"""In the place of a station: the doors of a fortress."""
TURRET_BLIND = 30.0
"""A cannon on a turntable has masts and castles in its way so near to dead ahead and astern."""
DECK_GUN_ARC = 90.0
CREW_OF_CANNON = 2
"""Figures that serve a cannon together (PWR-80)."""
BALL, SHOT, DECK_GUN = "cannon-ball", "cannon-shot", "deck-gun"
AMMO: Mapping[str, str] = {"ball": BALL, "shot": SHOT}


def is_cannon(state: State, ship: int, gun: int) -> bool:
    """Tell a cannon from a deck gun; those come after the cannons."""
    return gun < len(design_of(state, ship).cannons)


def mount_of(state: State, ship: int, gun: int) -> str:
    """Return how a gun is mounted; ``"deck"`` for a deck gun."""
    design = design_of(state, ship)
    return design.cannons[gun].mount if gun < len(design.cannons) else "deck"


def muzzle(state: State, ship: int, gun: int) -> XY:
    """Return where the shot leaves, on the table."""
    design, it = design_of(state, ship), state.ships[ship]
    if gun >= len(design.cannons):
        return on_board(it.pose, design.bow_mm)
    return on_board(it.pose, design.muzzle_mm(gun, it.guns[gun].side))


def closed_doors(state: State, number: int) -> Outline | None:
    """Return where the doors of a fortress are on the table; ``None``: none that hold (PWR-121)."""
    return doors_of(state, number) if state.ships[number].boats else None


def bears(state: State, ship: int, gun: int, target: int, outline: Outline | None = None) -> bool:
    """Tell whether a straight line down the bore meets the target's waterline (PWR-68).

    What passes within the tolerance of the table counts as a hit; ships and islands between do not
    let it through. `outline`: a part of the target that has to be met.
    """
    it, start = state.ships[ship], muzzle(state, ship, gun)
    mount = mount_of(state, ship, gun)
    hull = outline or hull_of(state, target)
    if mount in ("turntable", "deck"):
        # It may be pointed at any part of the target: the nearest point, and the corners.
        ends = (nearest_point(start, hull), *hull)
        turned = (end for end in ends if _can_point(state, ship, mount, start, end))
        return any(_is_clear(state, start, end, (ship, target)) for end in turned)
    course = it.pose.heading_deg + SIDE_BEARINGS[it.guns[gun].side]
    far = toward(start, course, FAR_MM)
    hit = crossing(start, far, hull, -float(state.options.tolerance_mm))
    if hit is None:
        return False
    end = toward(start, course, FAR_MM * hit[0])
    return _is_clear(state, start, end, (ship, target))


def _can_point(state: State, ship: int, mount: str, start: XY, end: XY) -> bool:
    """Tell whether a gun that turns can be turned at a point (PWR-68)."""
    off = abs(turn_deg(state.ships[ship].pose.heading_deg, bearing_deg(start, end)))
    if mount == "deck":
        return off <= DECK_GUN_ARC
    on_ship = design_of(state, ship).kind == "ship"
    return not on_ship or TURRET_BLIND <= off <= 180 - TURRET_BLIND


def _blockers(
    state: State, start: XY, end: XY, wide_mm: float, pair: tuple[int, int]
) -> dict[int, Outline]:
    """Return what may stand on a way between two pieces: other hulls, islands neither stands on.

    None is missing, but some that do not stand there may be among them: each piece is taken for a
    circle about its tag, and the way is `wide_mm` wide on either side.
    """
    found = {}
    for n in afloat(state):
        reach = design_of(state, n).reach_mm + wide_mm
        if n not in pair and point_to_line(place(state.ships[n].pose), start, end) <= reach:
            found[n] = hull_of(state, n)
    feet = [place(state.ships[n].pose) for n in pair]
    for k, (ground, shore) in enumerate(state.options.land):
        if ground.is_near(start, end, wide_mm) and all(depth(foot, shore) <= 0 for foot in feet):
            found[-1 - k] = shore
    return found


def _is_clear(state: State, start: XY, end: XY, pair: tuple[int, int]) -> bool:
    return first_struck(start, end, _blockers(state, start, end, 0.0, pair)) is None


def sees(state: State, ship: int, target: int) -> bool:
    """Tell whether anything of a ship can be seen from another (PWR-75).

    One free line from hull to hull is enough: between the nearest points, or two corners. What
    hides the lines past both ends of two hulls hides all between them.
    """
    ends = place(state.ships[ship].pose), place(state.ships[target].pose)
    wide = max(design_of(state, n).reach_mm for n in (ship, target))
    between = _blockers(state, *ends, wide, (ship, target))
    if not between:
        return True
    return _is_in_view(hull_of(state, ship), hull_of(state, target), tuple(between.values()))


@lru_cache(maxsize=256)  # it is asked for each weapon, and while nobody sails always the same
def _is_in_view(one: Outline, other: Outline, between: tuple[Outline, ...]) -> bool:
    lines = (nearest_points(one, other), *product(one, other))
    return any(is_free(line, between) for line in lines)


def gun_dots(state: State, ship: int, gun: int, target: int) -> float:
    """Return the distance from a muzzle to the target's waterline, dots."""
    return _exact(-depth(muzzle(state, ship, gun), hull_of(state, target)))


def ship_dots(state: State, ship: int, target: int) -> float:
    """Return the distance between two hulls, dots."""
    return _exact(gap(hull_of(state, ship), hull_of(state, target)))


def _exact(millimetres: float) -> float:
    """Return dots without the last digits of reckoning: exactly 8 dots are 8 dots."""
    return round(dots(max(millimetres, 0.0)), 3)


def attack_dots(state: State, attack: Attack) -> float:
    """Return the range of an attack: from the gun, or for small arms from hull to hull (PWR-69).

    Where aboard a figure with a musket stands is not measured.
    """
    if attack.gun >= 0:
        return gun_dots(state, attack.ship, attack.gun, attack.target)
    return ship_dots(state, attack.ship, attack.target)


def is_raking(state: State, ship: int, gun: int, target: int) -> bool:
    """Tell whether a cannon lies dead ahead or astern of the target (PWR-71).

    Its muzzle is in the strip that the target's hull would sweep, sailing straight on or back, or
    beside it by no more than the tolerance of the table, like a bore that meets.
    """
    design, pose = design_of(state, target), state.ships[target].pose
    x, y = on_piece(pose, muzzle(state, ship, gun))
    half, beam = design.length_mm / 2, dots_mm(design.hull) / 2 + state.options.tolerance_mm
    return abs(y) <= beam and abs(x + dots_mm(design.tag_x_dots)) > half


def dots_mm(count: float) -> float:
    """Return dots in millimetres."""
    return count / dots(1.0)


def gun_station(state: State, ship: int, gun: int) -> str:
    """Return where the crew of a gun stands."""
    built = fort_built(state, ship)
    if built is not None:
        cannon = built.cannons[gun]
        return cannon.station if isinstance(cannon, FortCannonAt) else DECK
    mount = mount_of(state, ship, gun)
    below = design_of(state, ship).has_gun_deck and mount not in ("turntable", "deck")
    return GUNS if below else DECK


def gunners(state: State, ship: int, gun: int, count: int, *, load: bool = False) -> Crew:
    """Return so many idle figures who can serve a gun; plain hands first (PWR-9, PWR-56).

    `load`: who can load it; in a fortress nobody who has walked (PWR-123).
    """
    station = gun_station(state, ship, gun)

    in_fort = design_of(state, ship).kind in ("fort", "tribe")

    def can(hand: Hand) -> bool:
        # In a fortress marines serve the cannons, too (PWR-139); on their island the dead do.
        serves = in_fort or hand.figure.can_sail
        tired = load and hand.hampered == WALKED
        return hand.station == station and not hand.busy and serves and not tired

    return picked(of(state.ships[ship].crew, can), count, fall_rank)


Lost = tuple[Attack, str, str]
"""An attack that cannot hit, the rule, and why."""


def ranged(state: State, attacks: tuple[Attack, ...]) -> tuple[tuple[Volley, ...], list[Lost]]:
    """Measure what was declared: what is to be thrown, in order, and what cannot hit (PWR-3).

    Small arms at one target number and one place are one throw; every cannon is its own.
    """
    volleys: list[Volley] = []
    lost: list[Lost] = []
    for attack in attacks:
        found = _volley(state, attack, attacks)
        if isinstance(found, Volley):
            volleys.append(found)
        else:
            lost.append(found)
    return tuple(_together(volleys)), lost


def _volley(state: State, attack: Attack, attacks: tuple[Attack, ...]) -> Volley | Lost:
    weapon, at = state.options.charts.weapons[attack.weapon], state.ships[attack.target]
    # Boarded after the shot was declared: of a ship that is taken the hull alone can be hit.
    taken = at.player == state.player == state.ships[attack.ship].player or not at.crew
    if at.fate != AFLOAT or (taken and not weapon.is_cannon):
        return attack, "PWR-67", f"no enemy is left on {ship_name(state, attack.target)}"
    if weapon.is_cannon:
        if design_of(state, attack.ship).kind == "tribe":
            weapon = bone_cannon(weapon)
        return _cannonade(state, attack, attacks, weapon)
    target = weapon.target_of(_attack_value(attack)) + modifier(state, attack)
    within = dots_within(state, attack)
    away = attack_dots(state, attack) if within is None else within
    if not weapon.reaches(away):
        return attack, "PWR-69", _out_of_range(away, weapon)
    if weapon.too_near(away):
        return attack, "PWR-17", f"{away:.0f} dots is too near: only pistols can be used"
    if target < 1:
        return attack, "PWR-75", f"target number {target}: it cannot hit"
    return Volley(attack, weapon.dice * attack.shots, target)


def _out_of_range(away: float, weapon: Weapon) -> str:
    """Say how far off a target is, to a tenth that is more than the weapon reaches."""
    return f"{ceil(10 * away) / 10:g} dots is out of range: it reaches {weapon.range}"


def _attack_value(attack: Attack) -> int:
    return Hand(attack.figure, DECK).figure.attack


def _cannonade(
    state: State, attack: Attack, attacks: tuple[Attack, ...], weapon: Weapon
) -> Volley | Lost:
    """Measure one cannon: its range from the closest that fires at the target (PWR-69)."""
    guns = [
        other.gun
        for other in attacks
        if (other.ship, other.target) == (attack.ship, attack.target)
        and other.weapon in (BALL, SHOT)
    ]
    away = {gun: gun_dots(state, attack.ship, gun, attack.target) for gun in guns}
    closest = min(away.values())
    if not weapon.reaches(closest):
        return attack, "PWR-69", _out_of_range(closest, weapon)
    near = away[attack.gun] < weapon.nearest
    rake = any(is_raking(state, attack.ship, gun, attack.target) for gun in guns)
    kind = design_of(state, attack.target).kind
    small = kind == "launch" and attack.weapon == BALL
    if weapon.target - small < 1:
        return attack, "PWR-113", "a launch is too small for it"
    return Volley(attack, weapon.dice, weapon.target - small, near, rake and kind == "ship")


def _together(volleys: list[Volley]) -> list[Volley]:
    """Put small arms at one place and target number into one throw, where the first stood."""

    def key(volley: Volley) -> tuple[int, ...] | tuple[int, str, int]:
        if volley.attack.gun >= 0:
            return (volley.attack.ship, volley.attack.gun)
        return (volley.attack.target, volley.attack.station, volley.target)

    order = {key(v): place for place, v in reversed(list(enumerate(volleys)))}
    ranked = sorted(volleys, key=lambda v: order[key(v)])
    joined = []
    for _, group in groupby(ranked, key=key):
        first, *rest = group
        joined.append(first._replace(dice=first.dice + sum(v.dice for v in rest)))
    return joined
