"""What a die can be used for, what that changes, and which uses leave most dice usable.

Everything here is a pure function of a `Position` and a `Crew`, so that a turn can be tried out on
paper (AHM-16).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache

from companion.rules.ahoy_matey.actions import Deploy, LieTo, Run, Use, run
from companion.rules.ahoy_matey.crew import Crew
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.sea import board_of, is_harbour, is_strait
from companion.rules.layout import Cell
from companion.rules.tuples import less

POSITIONS_KEPT = 4096
"""Positions whose count of usable dice is kept at hand."""
Load = tuple[int, bool]
"""How many ships of a stack run, and whether the treasure goes with them."""


def die_of(use: Use) -> int:
    """Return the face of the die that is used."""
    return use.die if isinstance(use, Run) else 0


def end_of(crew: Crew, use: Use) -> Cell | None:
    """Return the square a legal use leads to; ``None`` where nothing moves."""
    if isinstance(use, Run):
        return crew.options.sea.courses[use.start][use.course][use.die - 1]
    return crew.fleets[crew.own[use.fleet]].harbour if isinstance(use, Deploy) else None


def loads(crew: Crew, position: Position, stack: Stack) -> tuple[Load, ...]:
    """Return what of a stack can run, sorted; nothing of a lone cursed ship (AHM-V3, V4)."""
    most = stack.size if crew.options.stacks else 1
    carried = [t for t in position.treasures if t.place == stack.cell and not t.is_home]
    if not carried:
        return _unladen(most)
    found = [(count, False) for count in range(1, min(most, stack.size - 1) + 1)]
    if not any(t.cursed for t in carried):
        found += [(count, True) for count in range(1, most + 1)]
    return tuple(sorted(found))


@cache
def _unladen(most: int) -> tuple[Load, ...]:
    return tuple((count, False) for count in range(1, most + 1))


def harbour_is_open(crew: Crew, position: Position, harbour: Cell, there: Stack | None) -> bool:
    """Say whether the treasure may come home: no ship of that harbour in it or in reserve.

    The crew's own ships must be out as well: the landing captures nobody but enemies (AHM-V14).
    """
    if there is not None and there.fleet in crew.own:
        return False
    keeper = crew.keepers.get(harbour)
    if keeper is None:
        return True
    if position.reserve[keeper] and not crew.options.delivery_ignores_reserve:
        return False
    return there is None or there.fleet != crew.fleets[keeper].colour


def may_land(crew: Crew, position: Position, fleet: str, cell: Cell, there: Stack | None) -> bool:
    """Say whether a run of a fleet may end on a square, given what stands there."""
    if there is None:
        return cell not in position.wrecks
    if there.fleet not in crew.own:
        return True
    return there.fleet == fleet and (
        crew.options.stacks or any(t.cursed for t in position.treasures if t.place == cell)
    )


def clear_water(
    position: Position, occupied: Mapping[Cell, Stack], course: tuple[Cell, ...]
) -> int:
    """Return how far along a course a run can go: up to the first ship or wreck, or its end."""
    wrecks = position.wrecks
    for length, cell in enumerate(course, 1):
        if cell in occupied or cell in wrecks:
            return length
    return len(course)


def uses(crew: Crew, position: Position, dice: tuple[int, ...]) -> Iterator[Use]:
    """Yield what each of the dice could be used for now if it were the only one, in order."""
    occupied = position.occupied()
    own = [stack for stack in position.ships if stack.fleet in crew.own]
    if dice and dice[0] == 0:
        yield from _nulls(crew, position, occupied, own)
    faces = sorted({die for die in dice if die})
    if faces:
        barriers = {*occupied, *position.wrecks}
        for stack in own:
            for die in faces:
                yield from _runs(crew, position, occupied, barriers, stack, die)


def _nulls(
    crew: Crew, position: Position, occupied: Mapping[Cell, Stack], own: list[Stack]
) -> Iterator[Use]:
    for colour, index in sorted(crew.own.items()):
        there = occupied.get(crew.fleets[index].harbour)
        ally = there is not None and there.fleet in crew.own and there.fleet != colour
        if position.reserve[index] and not ally:
            yield Deploy(crew.player, colour)
    if any(loads(crew, position, stack) for stack in own):
        yield LieTo(crew.player)


def _runs(
    crew: Crew,
    position: Position,
    occupied: Mapping[Cell, Stack],
    barriers: set[Cell],
    stack: Stack,
    die: int,
) -> Iterator[Run]:
    able = loads(crew, position, stack)
    if not able:
        return
    start, fleet = stack.cell, stack.fleet
    homeward = crew.homeward[fleet][start]
    for way, end, passed in crew.options.sea.legs[start, die]:
        if not barriers.isdisjoint(passed):
            continue
        there = occupied.get(end)
        if end in barriers and not may_land(crew, position, fleet, end, there):
            continue
        for ships, treasure in able:
            if treasure and not (
                die in homeward[way]
                and (not is_harbour(end) or harbour_is_open(crew, position, end, there))
            ):
                continue
            yield run(crew.player, start, die, way, ships, treasure)


def after(crew: Crew, position: Position, use: Use) -> Position:
    """Return the position a use leads to; a treasure that changes hands is not cursed yet."""
    end = end_of(crew, use)
    if end is None or isinstance(use, LieTo):
        return position
    if isinstance(use, Deploy):
        reserve = list(position.reserve)
        reserve[crew.own[use.fleet]] -= 1
        deployed = position._replace(reserve=tuple(reserve))
        return _landed(crew, deployed, None, end, use.fleet, 1, False)
    stack = next(stack for stack in position.ships if stack.cell == use.start)
    return _landed(crew, position, stack, end, stack.fleet, use.ships, use.treasure)


def _landed(
    crew: Crew,
    position: Position,
    left: Stack | None,
    end: Cell,
    fleet: str,
    count: int,
    treasure: bool,
) -> Position:
    """Return the position once ships of a stack (or from the reserve) have landed on a square."""
    joined, wrecks, barred = count, position.wrecks, position.barred
    ships = []
    for stack in position.ships:
        if stack is left:
            if stack.size > count:
                ships.append(stack._replace(size=stack.size - count))
            elif barred:
                barred = tuple(cell for cell in barred if cell != stack.cell)
        elif stack.cell != end:
            ships.append(stack)
        elif stack.fleet == fleet:
            joined += stack.size
        elif crew.options.shipwrecked and not (is_harbour(end) or is_strait(end)):
            wrecks = tuple(sorted({*wrecks, end}))
    ships.append(Stack(end, fleet, joined))
    ships.sort()
    if barred:
        barred = tuple(cell for cell in barred if cell != end)
    treasures = position.treasures
    if treasure or any(t.place == end for t in treasures):
        start = left.cell if left is not None and treasure else None
        treasures = tuple(sorted(_moved(t, start, end) for t in treasures))
    return Position(tuple(ships), position.reserve, treasures, wrecks, barred)


def _moved(treasure: Treasure, start: Cell | None, end: Cell) -> Treasure:
    return Treasure(end) if treasure.place in (start, end) else treasure


def all_home(crew: Crew, position: Position) -> bool:
    """Say whether every treasure has been delivered."""
    home = [treasure for treasure in position.treasures if treasure.is_home]
    return len(home) == crew.options.treasures


def ends_game(crew: Crew, position: Position) -> bool:
    """Say whether a position of the crew's own making ends the game at once (AHM-44)."""
    if all_home(crew, position):
        return True
    if crew.ghost_waits or any(position.reserve[i] for i in crew.others):
        return False
    return all(stack.fleet in crew.own for stack in position.ships)


def most_uses(crew: Crew, position: Position, dice: tuple[int, ...]) -> int:
    """Return how many of the dice can be used one after the other, in the best order.

    Taking the treasure is left out: it is never compulsory and only ever bars runs, so no line
    with a taking uses more. Rolls that may come in between are counted as if they turned out well.
    """
    if len(dice) < 2:
        return any(True for _ in uses(crew, position, dice))
    return _most_uses(crew, position, dice)


@lru_cache(POSITIONS_KEPT)
def _most_uses(crew: Crew, position: Position, dice: tuple[int, ...]) -> int:
    best = 0
    for use in uses(crew, position, dice):
        later = after(crew, position, use)
        rest = () if ends_game(crew, later) else less(dice, die_of(use))
        best = max(best, 1 + most_uses(crew, later, rest))
        if best == len(dice):
            break
    return best


@lru_cache(POSITIONS_KEPT)
def _can_end(crew: Crew, position: Position, dice: tuple[int, ...]) -> bool:
    """Say whether some of the dice, and the treasure taken in between, can end the game."""
    for use in uses(crew, position, dice):
        later = after(crew, position, use)
        if ends_game(crew, later) or _can_end(crew, later, less(dice, die_of(use))):
            return True
    anchors = crew.options.sea.anchors
    return any(
        _can_end(crew, taken(position, anchors[ship], ship), dice)
        for ship in takers(crew, position)
        if dice
    )


def is_sparing(crew: Crew, position: Position, dice: tuple[int, ...], use: Use) -> bool:
    """Say whether a use leaves as many dice usable as can be, or the game can end (AHM-16)."""
    later, rest = after(crew, position, use), less(dice, die_of(use))
    if ends_game(crew, later):
        return True
    count = 1 + most_uses(crew, later, rest)
    if count in (len(dice), most_uses(crew, position, dice)):
        return True
    return _can_end(crew, later, rest)


def legal_uses(crew: Crew, position: Position, dice: tuple[int, ...]) -> tuple[Use, ...]:
    """Return the uses that strand no die which could be used, sorted."""
    found = tuple(uses(crew, position, dice))
    if len(dice) < 2:
        return found
    if len(dice) == 2:
        sure = _surely_sparing(crew, position, found, dice)
        return tuple(u for u in found if u in sure or is_sparing(crew, position, dice, u))
    return tuple(use for use in found if is_sparing(crew, position, dice, use))


def _surely_sparing(
    crew: Crew, position: Position, found: tuple[Use, ...], dice: tuple[int, ...]
) -> set[Use]:
    """Return uses of one of two dice after which the other can certainly be used.

    So it is with most uses, and it is seen without trying them out: a ship that has run can be the
    one that a null does not move, and a run is not harmed by a use that starts elsewhere and ends
    on none of the squares it passes. A ship that leaves a wreck leaves a square that is closed.
    """
    courses = crew.options.sea.courses
    runs = [
        (use.die, use.start, courses[use.start][use.course][: use.die])
        for use in found
        if isinstance(use, Run)
    ]
    sure: set[Use] = set()
    for use in found:
        other = dice[0] if die_of(use) == dice[1] else dice[1]
        start = use.start if isinstance(use, Run) else None
        end = end_of(crew, use)
        if other == 0 and start is not None:
            sure.add(use)
            continue
        for die, from_cell, squares in runs:
            bares_wreck = squares[-1] == start and start in position.wrecks
            if die == other and from_cell != start and end not in squares and not bares_wreck:
                sure.add(use)
                break
    return sure


def taken(position: Position, board: int, ship: Cell) -> Position:
    """Return the position once the treasure of a board's island is on a ship."""
    treasures = [
        Treasure(ship) if t.waits and board_of(t.place) == board else t for t in position.treasures
    ]
    barred = tuple(cell for cell in position.barred if board_of(cell) != board)
    return position._replace(treasures=tuple(sorted(treasures)), barred=barred)


def can_take(crew: Crew, position: Position, stack: Stack) -> bool:
    """Say whether a ship stands where it may take a treasure (AHM-30)."""
    board = crew.options.sea.anchors.get(stack.cell)
    if board is None or stack.cell in position.barred:
        return False
    return any(t.waits and board_of(t.place) == board for t in position.treasures)


def takers(crew: Crew, position: Position) -> tuple[Cell, ...]:
    """Return the squares of the ships that may take a treasure now, sorted."""
    if not any(treasure.waits for treasure in position.treasures):
        return ()
    own = (stack for stack in position.ships if stack.fleet in crew.own)
    return tuple(stack.cell for stack in own if can_take(crew, position, stack))
