"""Battles set up by hand, and a hand that plays them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import pytest

from companion.rules.articles_of_war.actions import ChooseDice, Fire, Press, Sail, Scuttle
from companion.rules.articles_of_war.options import COLOURS, MERCHANT, read_options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    FRESH,
    ChoosingDice,
    Fleet,
    Ocean,
    Ship,
    Spending,
    Stage,
    State,
)
from companion.rules.deeds import Deed, roll
from companion.rules.game import ChanceRoll, Decision, GameOver, Happening, PlayerId
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Cell, Die

GAME = ArticlesOfWar()
Place = Cell | tuple[Cell, int]


class Battle:
    """A state and the moves made from it; red is player 0, the next colour given player 1..."""

    def __init__(self, state: State) -> None:
        self.game = GAME
        self.state = state
        self.happenings: list[Happening] = []

    @property
    def player(self) -> PlayerId:
        """Who is asked."""
        pending = GAME.pending(self.state)
        assert not isinstance(pending, GameOver)
        return pending.player

    def cells(self, colour: str) -> list[Cell]:
        return sorted(ship.cell for ship in self.state.afloat if ship.colour == colour)

    def do(self, action: Deed) -> Battle:
        step = GAME.apply(self.state, action)
        self.state = step.state
        self.happenings = list(step.happenings)
        return self

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

    def legal(self) -> tuple[Deed, ...]:
        return GAME.legal_actions(self.state, self.player)

    def ends(self, ship: Cell, die: int) -> set[str]:
        """Return the directions in which a ship may sail."""
        return {
            DIRECTION_NAMES[a.direction]
            for a in self.legal()
            if isinstance(a, Sail) and a.ship == ship and a.die == die
        }

    def refusal(self, action: Deed) -> str:
        """Return the rule that forbids an action; it must be a full sentence and change nothing."""
        ruling = GAME.check(self.state, action)
        assert not ruling.legal, f"{action} is legal"
        assert ruling.reason.endswith((".", "?")), ruling.reason
        assert ruling.reason[0].isupper() or ruling.reason[0].isdigit() or ruling.reason[0] == "-"
        return ruling.rule

    def why_not_sail(self, ship: Cell, die: int, way: str) -> str:
        return self.refusal(Sail(self.state.fleet.player, ship, die, DIRECTION_NAMES.index(way)))

    def why_not_fire(self, ship: Cell, die: int, way: str) -> str:
        return self.refusal(Fire(self.state.fleet.player, ship, die, DIRECTION_NAMES.index(way)))

    def rules(self) -> list[str]:
        """Return the rules of what happened last."""
        return [happening.rule for happening in self.happenings]

    def asked(self) -> str:
        pending = GAME.pending(self.state)
        assert isinstance(pending, Decision | ChanceRoll)
        return pending.phase


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
) -> Battle:
    """Set a battle up in mid-play. A ship is a cell, or a cell and its duty."""
    chosen = read_options(options or {})
    colours = [colour for colour in ships if colour != MERCHANT]
    fleets = tuple(
        Fleet(PlayerId(seat), c, chosen.card_numbers[COLOURS.index(c)])
        for seat, c in enumerate(colours)
    )
    afloat: list[Ship] = []
    for colour, places in ships.items():
        for place in places:
            cell, duty = place if isinstance(place[0], tuple) else (place, FRESH)
            afloat.append(Ship(cell, colour, duty))  # type: ignore[arg-type]
    default: Stage = Spending() if sails or cannons else ChoosingDice()
    state = State(
        names=tuple(f"Captain {c.capitalize()}" for c in colours),
        options=chosen,
        stage=stage or default,
        fleets=fleets,
        gold=(gold,) * len(colours),
        lost=(0,) * len(colours),
        ocean=Ocean(chosen.radius, tuple(sorted((terrain or {}).items()))),
        ships=tuple(sorted(afloat)),
        turn=colours.index(turn),
        round=1,
        sails=tuple(sorted(sails)),
        cannons=tuple(sorted(cannons)),
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
