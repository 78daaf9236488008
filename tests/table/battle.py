"""Battles set up quickly for tests of the table: ships, terrain and dice, as wished."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.boards.profile import load_profile
from companion.ledger.memory_store import MemoryStore
from companion.ledger.store import Store
from companion.rules.articles_of_war.options import Options
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import Fleet, Ocean, Ship, Spending, Stage, State
from companion.rules.game import CHANCE, Decision, PlayerId
from companion.rules.layout import Cell, Die
from companion.table.commands import Act
from companion.table.referee import Referee
from tests.table.synthetic import Hands

GAME = ArticlesOfWar()
PROFILE = load_profile("hex-ocean")


def battle(
    ships: dict[Cell, str],
    sails: tuple[int, ...] = (),
    cannons: tuple[int, ...] = (),
    stage: Stage | None = None,
    terrain: dict[Cell, str] | None = None,
) -> State:
    """Return a state in which Red (seat 0) plays Blue (seat 1) and it is Red's turn."""
    return State(
        names=("Anne", "Mary"),
        options=Options(start_ring=5),
        stage=stage or Spending(),
        fleets=(Fleet(PlayerId(0), "red", 1), Fleet(PlayerId(1), "blue", 2)),
        gold=(2, 2),
        lost=(0, 0),
        ocean=Ocean(5, tuple(sorted((terrain or {}).items()))),
        ships=tuple(sorted(Ship(cell, colour) for cell, colour in ships.items())),
        round=1,
        sails=sails,
        cannons=cannons,
    )


def find(state: Any, text: str) -> Any:
    """Return the first possible action whose words hold `text`."""
    pending = GAME.pending(state)
    player = pending.player if isinstance(pending, Decision) else CHANCE
    actions = GAME.legal_actions(state, player)
    for action in actions:
        if text in GAME.describe(state, action):
            return action
    known = [GAME.describe(state, a) for a in actions][:12]
    raise AssertionError(f"{text!r} is not possible; there are {known}")


def after(state: Any, *texts: str) -> Any:
    """Return the state after actions named by their words."""
    for text in texts:
        state = GAME.apply(state, find(state, text)).state
    return state


def at_table(state: Any, seed: int = 1) -> Hands:
    """Return hands at a table that lies as the state says."""
    layout = GAME.layout(state)
    hands = Hands(Random(seed), layout)
    hands.throw(layout.dice)
    return hands


def dice(sails: str = "", cannons: str = "") -> tuple[Die, ...]:
    """Return dice by their digits: ``dice("23", "4")``."""
    shown = [Die("sail", int(f)) for f in sails] + [Die("cannon", int(f)) for f in cannons]
    return tuple(sorted(shown))


def open_referee(store: Store | None = None, players: int = 2) -> Referee:
    """Return a referee with a new game."""
    names = ["Anne", "Mary", "Jack", "Bess", "Kid", "Tom"][:players]
    return Referee.open(GAME, names, {}, PROFILE, store or MemoryStore(), lambda: 1.0, "g")


def tell(referee: Referee, *texts: str) -> None:
    """Tell the referee actions by their words, each the first that holds the text."""
    for text in texts:
        referee.command(Act(find(referee.state, text)))


def set_up(referee: Referee) -> None:
    """Set up Red (Anne) in the east and Blue (Mary) in the west, tiles in the south; Anne's go."""
    tell(referee, "Anne draws Red", "Mary draws Blue")
    tell(referee, "on G12 and G11", "on G2 and G3")
    tell(referee, "no third", "no third", "2 tiles of each")
    for tile, cell in zip(
        ("volcano", "volcano", "desert", "desert", "reef", "reef"),
        ("L2", "L3", "L4", "L5", "L6", "L7"),
        strict=True,
    ):
        tell(referee, tile, f"on {cell}")
