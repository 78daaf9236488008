"""Seas set up by hand, and a hand that sails them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from companion.rules.ahoy_matey.actions import Deploy, Done, GiveUp, LieTo, Run, SetPair, Take
from companion.rules.ahoy_matey.fleets import fleets_of
from companion.rules.ahoy_matey.options import DIE, read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.rules import AhoyMatey
from companion.rules.ahoy_matey.sea import COURSE_NAMES, TREASURE_SPOT, on_board
from companion.rules.ahoy_matey.state import Rolling, Sailing, Stage, State
from companion.rules.deeds import Deed, roll
from companion.rules.game import PlayerId
from companion.rules.layout import Cell, Die
from tests.playing import Line

GAME = AhoyMatey()
PLACES: dict[str, Cell] = {
    "north": (8, 0),
    "east": (11, 3),
    "south": (3, 11),
    "west": (0, 8),
    "straits": (1, 1),
    "inside straits": (13, 1),
    "island": TREASURE_SPOT,
    "island 2": on_board(TREASURE_SPOT, 1),
}


def at(name: str) -> Cell:
    """Return the square of a name: ``"C6"``, ``"north"``, ``"north 2"``, ``"straits"``."""
    if name in PLACES:
        return PLACES[name]
    if name.endswith(" 2"):
        return on_board(PLACES[name[:-2]], 1)
    return ord(name[0]) - ord("A") + 1, int(name[1:])


def way(name: str) -> int:
    """Return the course of a name; ``"NE"`` and ``"SW"`` are the ways of the wind."""
    return (*COURSE_NAMES[:4], "NE", "SW").index(name)


class Voyage(Line):
    """A state and what is done from it."""

    game = GAME
    marks = (".",)

    def ships(self, fleet: str) -> list[str]:
        """Return where a fleet is, by name, a stack's square as often as it has ships."""
        names = {cell: name for name, cell in PLACES.items()}
        found = []
        for stack in self.state.position.ships:
            if stack.fleet == fleet:
                column, row = stack.cell
                name = names.get(stack.cell, f"{chr(ord('A') + column - 1)}{row}")
                found += [name] * stack.size
        return sorted(found)

    def reserve(self, fleet: str) -> int:
        fleets = [f.colour for f in self.state.fleets]
        return self.state.position.reserve[fleets.index(fleet)]

    def treasure(self) -> str:
        """Return the square of the only treasure."""
        (treasure,) = self.state.position.treasures
        names = {cell: name for name, cell in PLACES.items()}
        column, row = treasure.place
        return names.get(treasure.place, f"{chr(ord('A') + column - 1)}{row}")

    def do(self, action: Deed) -> Voyage:
        super().do(action)
        assert GAME.from_json(GAME.to_json(self.state)) == self.state
        return self

    def action(
        self, start: str, die: int, course: str, ships: int = 1, treasure: bool | None = None
    ) -> Run:
        """Return a run; the treasure goes along with the last ships unless told otherwise."""
        cell = at(start)
        stack = self.state.position.occupied().get(cell)
        if treasure is None:
            last = stack is not None and stack.size == ships
            treasure = last and self.state.position.has_treasure(cell)
        return Run(self.player, cell, die, way(course), ships, treasure)

    def run(self, *words: Any, **more: Any) -> Voyage:
        return self.do(self.action(*words, **more))

    def deploy(self, fleet: str = "suns") -> Voyage:
        return self.do(Deploy(self.player, fleet))

    def lie_to(self) -> Voyage:
        return self.do(LieTo(self.player))

    def take(self, ship: str) -> Voyage:
        return self.do(Take(self.player, at(ship)))

    def done(self) -> Voyage:
        return self.do(Done(self.player))

    def give_up(self, ship: str) -> Voyage:
        return self.do(GiveUp(self.player, at(ship)))

    def set_pair(self, low: int, high: int) -> Voyage:
        return self.do(SetPair(self.player, low, high))

    def roll(self, *faces: int) -> Voyage:
        return self.do(roll(*(Die(DIE.id, face) for face in faces)))

    def texts(self) -> list[str]:
        return [GAME.describe(self.state, action).split(": ", 1)[1] for action in self.legal()]

    def runs(self, start: str, die: int) -> set[str]:
        """Return the ways in which the ship on a square may run."""
        short = (*COURSE_NAMES[:4], "NE", "SW")
        return {
            short[a.course]
            for a in self.legal()
            if isinstance(a, Run) and a.start == at(start) and a.die == die
        }

    def refusal(self, action: Deed) -> str:
        """Return the rule that forbids an action, which is not offered either."""
        assert action not in self.legal()
        return super().refusal(action)

    def why_not(self, *words: Any, **more: Any) -> str:
        return self.refusal(self.action(*words, **more))

    def why_no_take(self, ship: str) -> str:
        return self.refusal(Take(self.player, at(ship)))


def make_voyage(
    ships: Mapping[str, Sequence[str]],
    dice: Sequence[int] = (),
    *,
    reserve: Mapping[str, int] | None = None,
    treasure: str | Sequence[str] = "island",
    cursed: Sequence[str] = (),
    wrecks: Sequence[str] = (),
    barred: Sequence[str] = (),
    players: int = 2,
    turn: int = 0,
    stage: Stage | None = None,
    options: Mapping[str, object] | None = None,
    **more: Any,
) -> Voyage:
    """Set up a sea in mid-play. Fleets not named wait in reserve; missing ships are captured."""
    chosen = read_options(options or {}, players)
    fleets = fleets_of(chosen, players, more.get("ghost"))
    waiting = [
        (reserve or {}).get(f.colour, 0 if f.colour in ships else chosen.ships) for f in fleets
    ]
    stacks = [
        Stack(at(name), fleet, list(names).count(name))
        for fleet, names in ships.items()
        for name in set(names)
    ]
    names = [treasure] if isinstance(treasure, str) else list(treasure)
    treasures = tuple(sorted(Treasure(at(name), name in cursed) for name in names))
    missing = chosen.ships * len(fleets) - sum(waiting) - sum(s.size for s in stacks)
    state = State(
        names=tuple(f"Captain {n}" for n in range(players)),
        options=chosen,
        stage=stage or (Sailing() if dice else Rolling()),
        position=Position(
            tuple(sorted(stacks)),
            tuple(waiting),
            treasures,
            tuple(sorted(map(at, wrecks))),
            tuple(sorted(map(at, barred))),
        ),
        captured=(missing, *(0,) * (players - 1)),
        penalties=(0,) * players,
        player=PlayerId(turn),
        dice=tuple(sorted(dice)),
        **({"turns": 1, "round": 1} | more),
    )
    return Voyage(state)


@pytest.fixture
def voyage() -> Callable[..., Voyage]:
    """A function that sets up a sea in mid-play; see `make_voyage`."""
    return make_voyage


@pytest.fixture
def opening() -> Callable[..., Voyage]:
    """A function that begins a game with so many players and options."""

    def begin(players: int = 2, **options: Any) -> Voyage:
        return Voyage(GAME.setup([f"Captain {n}" for n in range(players)], options))

    return begin


@pytest.fixture
def square() -> Callable[[str], Cell]:
    """A function that returns the square of a name; see `at`."""
    return at
