"""Battles set up by hand, and a hand that plays them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from companion.rules.articles_of_war.actions import (
    ChooseDice,
    Drift,
    Fire,
    Pass,
    PlayGambit,
    Press,
    Sail,
    Scuttle,
)
from companion.rules.articles_of_war.ocean import Ocean
from companion.rules.articles_of_war.options import COLOURS, MERCHANT, read_options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    FRESH,
    ChoosingDice,
    Fleet,
    Memory,
    Ship,
    Spending,
    Stage,
    State,
)
from companion.rules.deeds import roll
from companion.rules.game import PlayerId
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Cell, Die
from tests.playing import Line

GAME = ArticlesOfWar()
Place = Cell | tuple[Cell, int]


class Battle(Line):
    """A state and the moves made from it; red is player 0, the next colour given player 1..."""

    game = GAME

    def cells(self, colour: str) -> list[Cell]:
        return sorted(ship.cell for ship in self.state.afloat if ship.colour == colour)

    def sail(self, ship: Cell, die: int, way: str) -> Battle:
        return self.do(Sail(self.player, ship, die, DIRECTION_NAMES.index(way)))

    def fire(self, ship: Cell, die: int, way: str) -> Battle:
        return self.do(Fire(self.player, ship, die, DIRECTION_NAMES.index(way)))

    def roll(self, *faces: int) -> Battle:
        """Roll one cannonball die after the other, as reefs and boardings ask."""
        for face in faces:
            self.do(roll(Die("cannon", face)))
        return self

    def take(self, sails: int, cannons: int) -> Battle:
        return self.do(ChooseDice(self.player, sails, cannons))

    def throw(self, sails: Iterable[int], cannons: Iterable[int] = ()) -> Battle:
        dice = [Die("sail", face) for face in sails] + [Die("cannon", face) for face in cannons]
        return self.do(roll(*dice))

    def scuttle(self) -> Battle:
        return self.do(Scuttle(self.player))

    def press(self, cell: Cell) -> Battle:
        return self.do(Press(self.player, cell))

    def let_be(self) -> Battle:
        return self.do(Pass(self.player))

    def play_gambit(self, colour: str) -> Battle:
        return self.do(PlayGambit(self.player, colour))

    def wind(self, face: int) -> Battle:
        """Roll the wind and move all ships."""
        self.do(roll(Die("sail", face)))
        return self.do(Drift(self.player))

    def texts(self) -> list[str]:
        """Return what can be done now, in words."""
        return [GAME.describe(self.state, action) for action in self.legal()]

    def choose(self, words: str) -> Battle:
        """Do the first thing whose words hold these."""
        found = [a for a in self.legal() if words in GAME.describe(self.state, a)]
        assert found, f"{words!r} is not among {self.texts()}"
        return self.do(found[0])

    def gold(self) -> tuple[int, ...]:
        return self.state.gold

    def ends(self, ship: Cell, die: int) -> set[str]:
        """Return the directions in which a ship may sail."""
        return {
            DIRECTION_NAMES[a.direction]
            for a in self.legal()
            if isinstance(a, Sail) and a.ship == ship and a.die == die
        }

    def why_not_sail(self, ship: Cell, die: int, way: str) -> str:
        return self.refusal(Sail(self.state.fleet.player, ship, die, DIRECTION_NAMES.index(way)))

    def why_not_fire(self, ship: Cell, die: int, way: str) -> str:
        return self.refusal(Fire(self.state.fleet.player, ship, die, DIRECTION_NAMES.index(way)))


def make_battle(
    ships: Mapping[str, Sequence[Place]],
    terrain: Mapping[Cell, str] | None = None,
    *,
    sails: Sequence[int] = (),
    cannons: Sequence[int] = (),
    turn: str = "red",
    stage: Stage | None = None,
    gold: int = 2,
    options: Mapping[str, object] | None = None,
    seats: Sequence[int] = (),
    memory: Memory | None = None,
) -> Battle:
    """Set a battle up in mid-play. A ship is a cell, or a cell and its duty.

    `seats` tells whose each colour is, in the order of the colours; left out, one a captain.
    """
    chosen = read_options(options or {})
    colours = [colour for colour in ships if colour != MERCHANT]
    owners = list(seats) or list(range(len(colours)))
    fleets = tuple(
        Fleet(PlayerId(seat), c, chosen.card_numbers[COLOURS.index(c)])
        for seat, c in zip(owners, colours, strict=True)
    )
    players = max(owners) + 1
    afloat: list[Ship] = []
    for colour, places in ships.items():
        for place in places:
            cell, duty = place if isinstance(place[0], tuple) else (place, FRESH)
            afloat.append(Ship(cell, colour, duty))  # type: ignore[arg-type]
    default: Stage = Spending() if sails or cannons else ChoosingDice()
    state = State(
        names=tuple(f"Captain {c.capitalize()}" for c in colours[:players]),
        options=chosen,
        stage=stage or default,
        fleets=fleets,
        gold=(gold,) * players,
        lost=(0,) * players,
        ocean=Ocean(chosen.radius, tuple(sorted((terrain or {}).items()))),
        ships=tuple(sorted(afloat)),
        turn=colours.index(turn),
        round=1,
        sails=tuple(sorted(sails)),
        cannons=tuple(sorted(cannons)),
        memory=memory or Memory(),
    )
    return Battle(state)


@pytest.fixture
def battle() -> Callable[..., Battle]:
    """A function that sets up a battle in mid-play; see `make_battle`."""
    return make_battle


@pytest.fixture
def opening() -> Callable[..., Battle]:
    """A function that begins a game with so many players and options."""

    def begin(players: int = 2, **options: Any) -> Battle:
        return Battle(GAME.setup([f"Captain {n}" for n in range(players)], options))

    return begin
