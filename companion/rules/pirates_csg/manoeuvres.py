"""Standard manoeuvres: what captains do who do not measure for themselves. Legal or nearly so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.outlines import centre, is_near, nearest_point, overlap
from companion.rules.paths import first_struck
from companion.rules.pirates_csg.actions import ComeAbout, Move
from companion.rules.pirates_csg.deck import NOBODY, ShipCard
from companion.rules.pirates_csg.sea import (
    hull,
    hull_at,
    islands_touched,
    near_obstacles,
    patch,
    pose_with_bow,
    shore,
    weeds,
)
from companion.rules.pirates_csg.state import Ship, State, card_of, island_of, ship_of
from companion.rules.plane import (
    XY,
    Outline,
    bearing_deg,
    between,
    distance,
    place,
    toward,
    turn_deg,
    turned,
)

TURNS_DEG = (0, 45, -45, 90, -90, 180)
ABOUT_DEG = (90, -90, 180)
ALIKE_DEG = 1.0
"""Two ways that differ by less are the same to a hand."""
LEAST_MM = 8.0
"""A shorter move is none."""
PARTS = (1.0, 0.6)
"""Parts of the way that are tried where the whole way is not free."""
TRIES = 14
"""How often a ship backs off from what she would lie in before a shorter part is tried. Beside a
shore that she meets at a flat angle each try brings her out by a part only."""
BACK_MM = 2.0
"""The least she backs off; what she has left so near still counts as touched."""
TOUCH_MM = 0.5
"""What touches may overlap so much: poses are rounded. Nobody is offered to lie in another piece,
whatever the table's tolerance for what is measured."""
NEAREST = 3
"""Islands and enemies that are steered for."""


def standard_moves(state: State, ship: Ship, sides: Sequence[str]) -> Iterator[Move]:
    """Yield moves straight ahead in several directions, and straight to what is near."""
    reach = float(sum(state.options.side_mm(side) for side in sides))
    start = place(ship.pose)
    ahead = card_of(state, ship).bow_mm[0]
    size = 2 * max(x for x, _ in card_of(state, ship).outline_mm)
    around = near_obstacles(state, [start], reach + size, ship.tag, ship.towing)
    around |= weeds(state, ship)
    headings = [(ship.pose.heading_deg + turn) % 360 for turn in TURNS_DEG]
    headings += _marks(state, ship, start)
    known: list[float] = []
    for heading in headings:
        if any(abs(turn_deg(heading, other)) < ALIKE_DEG for other in known):
            continue
        far = reach + ahead
        struck = first_struck(start, toward(start, heading, far), around)
        free = reach if struck is None else min(reach, struck[1] * far - ahead)
        for part in PARTS:
            move = _clear(state, ship, heading, free * part, around.values())
            if move is not None:
                known.append(heading)
                yield move
                break


def _clear(
    state: State, ship: Ship, heading: float, mm: float, around: Collection[Outline]
) -> Move | None:
    """Return a move straight ahead, so much shorter that no hull lies in anything at its end."""
    start = place(ship.pose)
    for _ in range(TRIES):
        move = _straight(state, ship, start, heading, mm)
        deep = 0.0 if move is None else _depth(state, ship, move.pose, move.tow, around)
        if deep <= TOUCH_MM:
            return move
        mm -= max(deep, BACK_MM)
    return None


def _marks(state: State, ship: Ship, start: XY) -> list[float]:
    """Return the directions of the nearest islands and enemies."""
    here = {island.tag for island in islands_touched(state, ship)}
    points = [nearest_point(start, shore(state, i)) for i in state.islands if i.tag not in here]
    points.sort(key=lambda p: distance(start, p))
    foes = [
        nearest_point(start, hull(state, s))
        for s in state.ships
        if s.owner != ship.owner and not s.lost_in
    ]
    foes.sort(key=lambda p: distance(start, p))
    return [round(bearing_deg(start, p), 1) for p in (*points[:NEAREST], *foes[:NEAREST])]


def _straight(state: State, ship: Ship, start: XY, heading: float, mm: float) -> Move | None:
    if mm < LEAST_MM:
        return None
    pose = Pose(*toward(start, heading, mm), heading).rounded()
    tow = _astern(state, ship, pose) if ship.towing else None
    return Move(PlayerId(ship.owner), ship.tag, (), pose, tow)


def _astern(state: State, ship: Ship, pose: Pose) -> Pose:
    """Return where a tow lies: its bow at the stern."""
    card, towed = card_of(state, ship), card_of(state, ship_of(state, ship.towing))
    stern = min(x for x, _ in card.outline_mm)
    tip = toward(place(pose), pose.heading_deg, stern)
    return pose_with_bow(towed, tip, pose.heading_deg)


def _depth(
    state: State, ship: Ship, pose: Pose, tow: Pose | None, around: Collection[Outline]
) -> float:
    """Return how deep hulls would lie in other pieces; the turn itself is judged by the rules."""
    hulls = [hull_at(card_of(state, ship), pose)]
    if tow is not None:
        hulls.append(hull_at(card_of(state, ship_of(state, ship.towing)), tow))
    return max((_inside(hull, other) for hull in hulls for other in around), default=0.0)


def _inside(outline: Outline, other: Outline) -> float:
    return overlap(outline, other) if is_near(outline, other, 0) else 0.0


def about_turns(state: State, ship: Ship) -> list[ComeAbout]:
    """Return turns on the spot that leave her clear of what lies around."""
    if ship.towing:
        return []
    size = card_of(state, ship).radius_mm
    near = near_obstacles(state, [place(ship.pose)], size, ship.tag)
    around = (near | weeds(state, ship)).values()
    poses = [turned(ship.pose, deg).rounded() for deg in ABOUT_DEG]
    return [
        ComeAbout(PlayerId(ship.owner), ship.tag, pose)
        for pose in poses
        if _depth(state, ship, pose, None, around) <= TOUCH_MM
    ]


def berths(state: State, tag: int, island_tag: int) -> Iterator[Pose]:
    """Yield poses of a ship docked at an island, bow to the shore, where there is room."""
    card = state.deck.ship_of_tag[tag]
    land = shore(state, island_of(state, island_tag))
    near = near_obstacles(state, land, 2 * max(x for x, _ in card.outline_mm) + 1, tag, island_tag)
    around = [*near.values(), *(patch(terrain) for terrain in state.terrain)]
    middle = centre(land)
    width, height = state.options.sea_mm
    for k in range(24):
        pose = _berth(card, land, middle, k * 15)
        outline = hull_at(card, pose)
        inside = all(0 <= x <= width and 0 <= y <= height for x, y in outline)
        if inside and not any(_inside(outline, other) > TOUCH_MM for other in around):
            yield pose


def first_berth(state: State, card: ShipCard, island_tag: int) -> Pose:
    """Return a berth whether there is room or not."""
    land = shore(state, island_of(state, island_tag))
    return _berth(card, land, centre(land), 0)


def _berth(card: ShipCard, land: Outline, middle: XY, side_deg: float) -> Pose:
    """Return the pose of a ship that comes in from a side, bow to the shore."""
    tip = nearest_on_shore(toward(middle, side_deg, 400), middle, land)
    return pose_with_bow(card, tip, (side_deg + 180) % 360)


def nearest_on_shore(outside: XY, middle: XY, land: tuple[XY, ...]) -> XY:
    """Return where the line from outside to the middle meets the shore."""
    struck = first_struck(outside, middle, {NOBODY: land})
    assert struck is not None
    return between(outside, middle, struck[1])
