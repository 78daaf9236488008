"""The legal uses of dice against a slow twin written straight from the rules digest.

The twin counts rows and columns as the digest does, keeps every ship by itself, walks every run
square by square and plays out every order of dice and takings. It shares no geometry, no
look-ahead and no caches with the game. ``QUARTERDECK_TWIN=10000`` asks for so many positions of
every set of options (`make twin`).
"""

import os
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

import pytest

from companion.rules.ahoy_matey.actions import Deploy, Done, LieTo, Run, Take
from companion.rules.ahoy_matey.fleets import fleets_of
from companion.rules.ahoy_matey.options import TWO_BOARDS, VARIANTS, read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.sailing import UseDice
from companion.rules.ahoy_matey.state import Sailing, State
from companion.rules.ahoy_matey.uses import after
from companion.rules.game import PlayerId

GAME = AhoyMatey()
POSITIONS = int(os.environ.get("QUARTERDECK_TWIN", "150"))

MISSING = {(r, c) for r in (1, 2) for c in (9, 10)} | {(r, c) for r in (9, 10) for c in (1, 2)}
ISLAND = {(5, 5), (5, 6), (6, 5), (6, 6)}
SEA = {(r, c) for r in range(1, 11) for c in range(1, 11)} - MISSING - ISLAND
ANCHORS = {(4, 5), (4, 6), (5, 7), (6, 7), (7, 6), (7, 5), (6, 4), (5, 4)}
HARBOURS = {"N": (0, 8), "E": (3, 11), "S": (11, 3), "W": (8, 0)}
SIDE_OF_SUIT = {"suns": "N", "crowns": "E", "moons": "S", "arms": "W"}
FACING = {"N": "S", "S": "N", "E": "W", "W": "E"}
STEPS = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
WIND_A = [(r, 9 - r) for r in range(1, 9)]
WIND_B = [(r, 13 - r) for r in range(3, 11)]
FAR = 10**6


@dataclass(frozen=True)
class Square:
    """A square of a board; a strait is that of the board whose (1,1) it is."""

    board: int
    r: int
    c: int


@dataclass(frozen=True)
class Table:
    """A position as the twin sees it."""

    ships: tuple[tuple[Square, str], ...]
    """Every ship by itself, see `in_order`."""
    reserve: tuple[tuple[str, int], ...]
    treasures: tuple[tuple[Square, bool], ...]
    """On an island square, a ship or in a harbour; and whether cursed."""
    wrecks: frozenset[Square]
    barred: frozenset[Square]


def square(cell) -> Square:
    return Square(cell[0] // 12, cell[1], cell[0] % 12)


def in_order(things) -> tuple:
    return tuple(sorted(things, key=repr))


class Twin:
    """The rules for one crew."""

    def __init__(self, state: State) -> None:
        self.options, self.boards = state.options, state.options.boards
        self.player = state.player
        self.mine = {f.colour for f in state.fleets if f.player == state.player}
        self.all = [f.colour for f in state.fleets]
        self.ghost_to_come = state.options.ghost_fleet and state.ghost is None

    def table(self, state: State) -> Table:
        position = state.position
        ships = [(square(s.cell), s.fleet) for s in position.ships for _ in range(s.size)]
        return Table(
            in_order(ships),
            tuple(zip(self.all, position.reserve, strict=True)),
            in_order((square(t.place), t.cursed) for t in position.treasures),
            frozenset(square(c) for c in position.wrecks),
            frozenset(square(c) for c in position.barred),
        )

    # Geometry: AHM-5 to 11.

    def exists(self, r: int, c: int) -> bool:
        return (r, c) in SEA or (r, c) in HARBOURS.values()

    def next(self, at: Square, way: str) -> Square | None:
        """One orthogonal step (AHM-9, AHM-11)."""
        dr, dc = STEPS[way]
        board, r, c = at.board, at.r, at.c
        if (r, c) == (1, 1) and way in "NW":
            # Out of the other end of the strait, on the board before this one.
            board, r, c = (board - 1) % self.boards, 10, 10
        r, c = r + dr, c + dc
        if (r, c) == (10, 10):
            return Square((board + 1) % self.boards, 1, 1)
        return Square(board, r, c) if self.exists(r, c) else None

    def blown(self, at: Square, way: str, heading: list[str]) -> Square | None:
        """One step along the wind; `heading` turns round where two winds are linked (AHM-V6)."""
        here = (at.r, at.c)
        for wind, other in ((WIND_A, WIND_B), (WIND_B, WIND_A)):
            if here not in wind:
                continue
            index = wind.index(here) + (-1 if heading[0] == "NE" else 1)
            if 0 <= index < len(wind):
                return Square(at.board, *wind[index])
            if not self.options.storm_surge:
                return None
            end = other[0] if heading[0] == "NE" else other[-1]
            heading[0] = "SW" if heading[0] == "NE" else "NE"
            return Square(at.board, *end)
        return None

    def walk(self, at: Square, way: str, length: int) -> list[Square] | None:
        passed, heading = [], [way]
        for _ in range(length):
            at = self.blown(at, way, heading) if len(way) == 2 else self.next(at, way)
            if at is None:
                return None
            passed.append(at)
        return passed

    # Homeward: AHM-34.

    def goal(self, fleet: str) -> Square:
        side = SIDE_OF_SUIT[fleet.rstrip("2")]
        if self.options.brethren:
            side = FACING[side]
        return Square(1 if fleet.endswith("2") else 0, *HARBOURS[side])

    def ends(self, at: Square):
        """Return the places (board, r, c) that a square is; a strait is two."""
        places = [(at.board, at.r, at.c)]
        if (at.r, at.c) == (1, 1):
            places.append(((at.board - 1) % self.boards, 10, 10))
        return places

    def m1(self, at: Square, goal: Square) -> int:
        found = [abs(r - goal.r) + abs(c - goal.c) for b, r, c in self.ends(at) if b == goal.board]
        return min(found, default=FAR)

    def m2(self, at: Square, goal: Square) -> int:
        """Sail from corner to corner, up or down the row of boards, until the goal's is met."""
        found = []
        for board, r, c in self.ends(at):
            for down in (True, False):
                leave, enter = ((10, 10), (1, 1)) if down else ((1, 1), (10, 10))
                way = abs(r - leave[0]) + abs(c - leave[1])
                b = (board + (1 if down else -1)) % self.boards
                while b != goal.board:
                    way += 18
                    b = (b + (1 if down else -1)) % self.boards
                found.append(way + abs(enter[0] - goal.r) + abs(enter[1] - goal.c))
        return min(found)

    def is_homeward(self, start: Square, way: str, passed: list[Square], goal: Square) -> bool:
        stops = [start, *passed]
        if len(way) == 2:
            measure = self.m1
            if self.m1(start, goal) == FAR:
                measure = self.m2
            far = [measure(at, goal) for at in stops]
            rises = any(b > a for a, b in pairwise(far))
            return not rises and far[-1] < far[0]
        for a, b in pairwise(stops):
            by_sea = self.m2(a, goal) <= self.m1(a, goal) and self.m2(b, goal) < self.m2(a, goal)
            if not (self.m1(b, goal) < self.m1(a, goal) or by_sea):
                return False
        return True

    # What stands where.

    def on(self, table: Table, at: Square) -> list[str]:
        return [fleet for place, fleet in table.ships if place == at]

    def is_harbour(self, at: Square) -> bool:
        return (at.r, at.c) in HARBOURS.values()

    def aboard(self, table: Table, at: Square) -> list[bool]:
        """Return the curses of the treasures that ships on a square carry."""
        return [cursed for place, cursed in table.treasures if place == at and self.at_sea(place)]

    def at_sea(self, at: Square) -> bool:
        return not self.is_harbour(at) and (at.r, at.c) not in ISLAND

    def stacking(self) -> bool:
        return self.options.flotilla or self.options.strength_in_numbers

    def can_load(self, table: Table, at: Square, count: int, treasure: bool) -> bool:
        there, carried = len(self.on(table, at)), self.aboard(table, at)
        if count > there or (count > 1 and not self.stacking()):
            return False
        if treasure:
            return bool(carried) and not any(carried)
        return not carried or count < there

    def may_end(self, table: Table, fleet: str, at: Square) -> bool:
        there = self.on(table, at)
        if not there:
            return at not in table.wrecks
        if there[0] not in self.mine:
            return True
        return there[0] == fleet and (self.stacking() or any(self.aboard(table, at)))

    def home_is_open(self, table: Table, at: Square) -> bool:
        """AHM-39: neither own ships nor that harbour's in it, and none of the latter in reserve."""
        if any(fleet in self.mine for fleet in self.on(table, at)):
            return False
        keepers = [f for f in self.all if self.own_harbour(f) == at]
        if not keepers:
            return True
        waiting = dict(table.reserve)[keepers[0]]
        if waiting and not self.options.delivery_ignores_reserve:
            return False
        return keepers[0] not in self.on(table, at)

    def own_harbour(self, fleet: str) -> Square:
        side = SIDE_OF_SUIT[fleet.rstrip("2")]
        return Square(1 if fleet.endswith("2") else 0, *HARBOURS[side])

    # Uses of one die.

    def run_is_legal(self, table: Table, at, way, die, count, treasure) -> bool:
        fleet = self.on(table, at)[0]
        passed = self.walk(at, way, die)
        if passed is None or not self.can_load(table, at, count, treasure):
            return False
        if any(self.on(table, p) or p in table.wrecks for p in passed[:-1]):
            return False
        end = passed[-1]
        if not self.may_end(table, fleet, end):
            return False
        if treasure and not self.is_homeward(at, way, passed, self.goal(fleet)):
            return False
        return not (treasure and self.is_harbour(end)) or self.home_is_open(table, end)

    def uses(self, table: Table, die: int):
        if die == 0:
            for fleet, waiting in table.reserve:
                harbour = self.own_harbour(fleet)
                allies = [f for f in self.on(table, harbour) if f in self.mine and f != fleet]
                if fleet in self.mine and waiting and not allies:
                    yield ("deploy", fleet)
            if any(self.can_move_at_all(table, at) for at, f in table.ships if f in self.mine):
                yield ("null",)
            return
        for at in {at for at, fleet in table.ships if fleet in self.mine}:
            for way in ("N", "E", "S", "W", "NE", "SW"):
                for count in range(1, len(self.on(table, at)) + 1):
                    for treasure in (False, True):
                        if self.run_is_legal(table, at, way, die, count, treasure):
                            yield ("run", at, way, die, count, treasure)

    def can_move_at_all(self, table: Table, at: Square) -> bool:
        loads = [(n, t) for n in (1, 2, 3, 4) for t in (False, True)]
        return any(self.can_load(table, at, n, t) for n, t in loads)

    def do(self, table: Table, use) -> Table:
        if use[0] == "null":
            return table
        if use[0] == "deploy":
            reserve = tuple((f, n - (f == use[1])) for f, n in table.reserve)
            return self.land(replace(table, reserve=reserve), self.own_harbour(use[1]), use[1], 1)
        _, at, way, die, count, treasure = use
        end, fleet = self.walk(at, way, die)[-1], self.on(table, at)[0]
        ships = list(table.ships)
        for _ in range(count):
            ships.remove((at, fleet))
        treasures = table.treasures
        if treasure:
            treasures = in_order((end if p == at else p, cursed) for p, cursed in treasures)
        left = replace(table, ships=tuple(ships), treasures=treasures)
        if not self.on(left, at):
            left = replace(left, barred=left.barred - {at})
        return self.land(left, end, fleet, count)

    def land(self, table: Table, end: Square, fleet: str, count: int) -> Table:
        ships = [(p, f) for p, f in table.ships if p != end or f in self.mine]
        wrecks = table.wrecks
        sunk = len(ships) < len(table.ships)
        if self.options.shipwrecked and sunk and self.at_sea(end) and (end.r, end.c) != (1, 1):
            wrecks = wrecks | {end}
        ships += [(end, fleet)] * count
        # The rolls for the curse are taken to turn out well (AHM-16).
        treasures = tuple((p, cursed and p != end) for p, cursed in table.treasures)
        return Table(
            in_order(ships),
            table.reserve,
            treasures,
            wrecks,
            table.barred - {end},
        )

    def is_over(self, table: Table) -> bool:
        home = [p for p, _ in table.treasures if self.is_harbour(p)]
        if len(home) == (2 if self.options.doubloons else 1):
            return True
        enemies = [f for _, f in table.ships if f not in self.mine]
        waiting = [n for f, n in table.reserve if f not in self.mine and n]
        return not enemies and not waiting and not self.ghost_to_come

    # Taking the treasure and the whole turn.

    def takes(self, table: Table):
        for at in {at for at, fleet in table.ships if fleet in self.mine}:
            islands = [p for p, _ in table.treasures if (p.r, p.c) in ISLAND]
            near = any(p.board == at.board for p in islands)
            if (at.r, at.c) in ANCHORS and at not in table.barred and near:
                yield at

    def take(self, table: Table, at: Square) -> Table:
        treasures = in_order(
            (at, False) if (p.r, p.c) in ISLAND and p.board == at.board else (p, cursed)
            for p, cursed in table.treasures
        )
        return replace(table, treasures=treasures)

    def most(self, table: Table, dice: tuple[int, ...], known: dict) -> int:
        """Return the most dice that any order of uses and takings can use."""
        key = table, dice
        if key in known:
            return known[key]
        best = 0
        for die in sorted(set(dice)):
            rest = list(dice)
            rest.remove(die)
            for use in self.uses(table, die):
                later = self.do(table, use)
                over = self.is_over(later)
                best = max(best, 1 + (0 if over else self.most(later, tuple(rest), known)))
                if best == len(dice):
                    break
            if best == len(dice):
                break
        if best < len(dice) and dice:
            for at in self.takes(table):
                best = max(best, self.most(self.take(table, at), dice, known))
        known[key] = best
        return best

    def can_be_over(self, table: Table, dice: tuple[int, ...]) -> bool:
        """Say whether some order of uses and takings ends the game; dice may be left over."""
        for die in set(dice):
            rest = list(dice)
            rest.remove(die)
            for use in self.uses(table, die):
                later = self.do(table, use)
                if self.is_over(later) or self.can_be_over(later, tuple(rest)):
                    return True
        return bool(dice) and any(
            self.can_be_over(self.take(table, at), dice) for at in self.takes(table)
        )

    def legal(self, table: Table, dice: tuple[int, ...]) -> set:
        known: dict = {}
        best = self.most(table, dice, known)
        found = set()
        for die in set(dice):
            rest = list(dice)
            rest.remove(die)
            for use in self.uses(table, die):
                later = self.do(table, use)
                if self.is_over(later) or 1 + self.most(later, tuple(rest), known) == best:
                    found.add(use)
                elif self.can_be_over(later, tuple(rest)):
                    found.add(use)
        any_use = bool(found)
        for at in self.takes(table):
            found.add(("take", at))
        if not any_use and found:
            found.add(("done",))
        return found


def told(action) -> tuple:
    """Return an action of the game as the twin tells it."""
    match action:
        case Deploy():
            return ("deploy", action.fleet)
        case LieTo():
            return ("null",)
        case Run():
            way = ("N", "E", "S", "W", "NE", "SW")[action.course]
            start = square(action.start)
            return ("run", start, way, action.die, action.ships, action.treasure)
        case Take():
            return ("take", square(action.ship))
        case Done():
            return ("done",)
    raise AssertionError(action)


def players_for(chosen: dict, random: Random) -> int:
    fewest = max([VARIANTS[name].players[0] for name in chosen if name in VARIANTS], default=2)
    most = min([VARIANTS[name].players[1] for name in chosen if name in VARIANTS], default=8)
    two_boards = any(name in TWO_BOARDS for name in chosen)
    return random.randint(fewest, min(most, 8 if two_boards else 4))


def random_state(chosen: dict, random: Random) -> State:
    """Return a position with ships close together and dice to use."""
    players = players_for(chosen, random)
    options = read_options(chosen, players)
    ghost = None
    if options.ghost_fleet and random.random() < 0.5:
        ghost = PlayerId(random.randrange(players))
    fleets = fleets_of(options, players, ghost)
    player = random.choice(fleets).player
    ships, reserve = random_ships(options, fleets, player, random)
    mine = {fleet.colour for fleet in fleets if fleet.player == player}
    count = random.randint(1, options.dice)
    dice = tuple(sorted(random.randint(0, 5) for _ in range(count)))
    zeros = (0,) * players
    position = Position(
        ships,
        reserve,
        random_treasures(options, ships, mine, random),
        random_wrecks(options, ships, random),
        random_barred(options, ships, random),
    )
    state = State(
        tuple(f"P{n}" for n in range(players)),
        options,
        Sailing(),
        position,
        zeros,
        zeros,
        player,
        dice,
        ghost=ghost,
        turns=1,
        round=1,
    )
    return state if state.afloat[player] else random_state(chosen, random)


def random_ships(options, fleets, player, random: Random):
    """Return ships on the sea, often at harbours, winds and anchors, and the reserves."""
    squares = sorted(options.sea.squares)
    keen = [c for c in squares if c in options.sea.winds or c in options.sea.anchors]
    keen += [c for c in squares if is_named(options, c)]
    keen += [c for c in squares if any(abs(c[0] - f.harbour[0]) < 3 for f in fleets)]
    taken: dict = {}
    reserve = []
    for fleet in fleets:
        left = random.randint(fleet.player == player, options.ships)
        waiting = min(random.choice([0, 0, 1, left]), left)
        reserve.append(waiting)
        for _ in range(left - waiting):
            cell = random.choice(random.choice([squares, keen, keen, [fleet.harbour]]))
            colour, size = taken.get(cell, (fleet.colour, 0))
            may_share = options.stacks or cell == fleet.harbour
            if size == 0 or (colour == fleet.colour and may_share):
                taken[cell] = (colour, size + 1)
    return tuple(sorted(Stack(c, f, n) for c, (f, n) in taken.items())), tuple(reserve)


def is_named(options, cell) -> bool:
    """Say whether a square is a harbour or a strait."""
    return options.sea.name(cell).startswith("the ")


def random_treasures(options, ships, mine, random: Random) -> tuple[Treasure, ...]:
    """Return treasures on islands or aboard, half of the latter cursed where that can be."""
    if options.badly_drawn_map and random.random() < 0.3:
        return ()
    at_sea = [s for s in ships if "harbour" not in options.sea.name(s.cell)]
    found = []
    for number in range(options.treasures):
        board = number if options.doubloons else random.randrange(options.boards)
        aboard = random.choice([at_sea, [s for s in at_sea if s.fleet in mine], []])
        if aboard:
            cursed = options.cursed_treasure and random.random() < 0.5
            found.append(Treasure(random.choice(aboard).cell, cursed))
        else:
            found.append(Treasure((5 + 12 * board, 5)))
    return tuple(sorted(found))


def random_wrecks(options, ships, random: Random):
    """Return wrecks, some of them under the ship that sank the one that lies there."""
    if not options.shipwrecked:
        return ()
    open_sea = [c for c in sorted(options.sea.squares) if not is_named(options, c)]
    sunk = random.sample(open_sea, random.randint(0, 8))
    sunk += [s.cell for s in ships if s.cell in open_sea and random.random() < 0.3]
    return tuple(sorted(set(sunk)))


def random_barred(options, ships, random: Random):
    if not (options.isla_diablo or options.buried_treasure):
        return ()
    anchored = [s.cell for s in ships if s.cell in options.sea.anchors]
    return tuple(cell for cell in anchored if random.random() < 0.5)


ALONE = {name: {name: True} for name in VARIANTS}
TOGETHER = {
    "plain rules, open home": {"delivery_ignores_reserve": True},
    "parlay of the source": {
        "hurricane": True,
        "shipwrecked": True,
        "strength_in_numbers": True,
        "ghost_fleet": True,
        "freak_squall": True,
        "buried_treasure": True,
        "cursed_treasure": True,
    },
    "stacks under a curse": {"flotilla": True, "cursed_treasure": True, "brethren": True},
    "storm over the armada": {
        "armada": True,
        "storm_surge": True,
        "packed_to_the_rafters": True,
        "cursed_treasure": True,
    },
    "doubloons of the world": {
        "doubloons": True,
        "world_domination": True,
        "shipwrecked": True,
        "cursed_treasure": True,
        "storm_surge": True,
    },
    "stacks of brethren": {"strength_in_numbers": True, "brethren": True},
    "stacks over wrecks": {"shipwrecked": True, "strength_in_numbers": True},
    "brethren on the map": {"badly_drawn_map": True, "brethren": True, "isla_diablo": True},
}
SETS = {"plain rules": {}, **ALONE, **TOGETHER}


@pytest.mark.timeout(0 if POSITIONS > 1000 else 120)
@pytest.mark.parametrize("name", SETS)
def test_legal_actions_agree_with_the_twin(name):
    """AHM-16, V20: exactly the uses and takings that a slow search of all orders allows."""
    random = Random(f"twin {name}")
    several = 0
    for _ in range(POSITIONS):
        state = random_state(SETS[name], random)
        twin = Twin(state)
        table = twin.table(state)
        if twin.is_over(table):
            continue
        expected = twin.legal(table, state.dice)
        actions = UseDice().actions(state)
        found = {told(action) for action in actions}
        if not expected:
            assert found == {("done",)}
            continue
        assert found == expected, (GAME.to_json(state), found ^ expected)
        assert len(actions) == len(found)
        for action in random.sample(actions, min(3, len(actions))):
            if isinstance(action, Deploy | LieTo | Run):
                later = replace(state, position=after(state.crew, state.position, action))
                assert twin.table(later) == twin.do(table, told(action)), GAME.to_json(state)
        several += len(found) > 1
    assert several > POSITIONS / 4
