"""The stages of a battle, with what only matters there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.pirate_wars.crew import Crew


class Attack(NamedTuple):
    """Something declared: which weapon fires at what (PWR-67)."""

    ship: int
    weapon: str
    gun: int
    """Number of the gun; -1 for small arms."""
    figure: str
    """Kind of whoever fires small arms or a deck gun; empty for cannons."""
    shots: int
    """Figures that fire; 1 for guns."""
    target: int
    """The ship fired at."""
    station: str
    """Where the figures stand that are fired at; empty: at the ship."""
    start: str = ""
    """Where in a fortress those stand who fire small arms."""


class Volley(NamedTuple):
    """Dice to be thrown for an attack within range."""

    attack: Attack
    dice: int
    target: int
    """Target number."""
    near: bool = False
    """A cannon too near its target: it bursts and the own ship is hit as well (PWR-74)."""
    rake: bool = False
    """Hits with shot count double (PWR-71)."""


class Fight(NamedTuple):
    """A round of boarding between two ships; entries go attacker, defender."""

    ships: tuple[int, int]
    first: bool
    """Muskets and deck guns fire before the melee (PWR-60)."""
    crews: tuple[Crew, Crew] = ((), ())
    """Figures committed."""
    hits: tuple[int, int] = (0, 0)
    """Successes of each side in the throws under way."""

    def with_crew(self, side: int, crew: Crew) -> Fight:
        """Return the round with other figures of a side."""
        crews = (crew, self.crews[1]) if side == 0 else (self.crews[0], crew)
        return self._replace(crews=crews)


class Throw(NamedTuple):
    """Dice of one side of a fight at one target number."""

    side: int
    dice: int
    target: int


@dataclass(frozen=True, slots=True)
class Stage:
    """The named part of set-up or turn the game is in, with what only matters there."""


@dataclass(frozen=True, slots=True)
class ChoosingShips(Stage):
    """Each seat in turn chooses its ships."""


@dataclass(frozen=True, slots=True)
class RollingWind(Stage):
    """A d8 says where the wind comes from."""


@dataclass(frozen=True, slots=True)
class PlacingShips(Stage):
    """Ships are placed, seat by seat, each at its own edge."""


@dataclass(frozen=True, slots=True)
class RollingInitiative(Stage):
    """Every side rolls; tied sides roll again."""

    rolls: tuple[tuple[int, ...], ...]
    """By seat: what was rolled, ties included; (-1,): the side has nothing left to command."""


@dataclass(frozen=True, slots=True)
class Moving(Stage):
    """The side on turn moves its ships."""


@dataclass(frozen=True, slots=True)
class FallingOff(Stage):
    """The side on turn may fall off the wind with its ships."""


@dataclass(frozen=True, slots=True)
class Tasking(Stage):
    """The side on turn gives tasks to its figures."""


@dataclass(frozen=True, slots=True)
class Firing(Stage):
    """The side on turn throws for what it declared, in the declared order."""

    volleys: tuple[Volley, ...]


@dataclass(frozen=True, slots=True)
class RollingCritical(Stage):
    """A cannon has hit with all three dice: one die more (PWR-72)."""

    ship: int
    """The ship hit."""
    near: int
    """The ship that fired from too near and is hit as well; -1: none."""
    volleys: tuple[Volley, ...]
    """Still to be thrown."""


@dataclass(frozen=True, slots=True)
class Between(Stage):
    """Nobody is asked: a step between the phases, while losses on the way are settled."""

    step: str


@dataclass(frozen=True, slots=True)
class Losing(Stage):
    """A captain says which figures fall; `State.due` says how many and where."""

    then: Stage


@dataclass(frozen=True, slots=True)
class Committing(Stage):
    """A side of a boarding says who joins it."""

    fight: Fight
    side: int


@dataclass(frozen=True, slots=True)
class Throwing(Stage):
    """Dice of a boarding are thrown: gunfire first, then the melee."""

    fight: Fight
    guns: bool
    throws: tuple[Throw, ...]


@dataclass(frozen=True, slots=True)
class Culling(Stage):
    """Figures that were committed to a boarding fall, chosen by their captain."""

    fight: Fight
    guns: bool
    owed: tuple[int, int]
    """Figures each side still has to lose."""


@dataclass(frozen=True, slots=True)
class Pressing(Stage):
    """The winner of a round of boarding goes on or casts off."""

    fight: Fight
    winner: int


@dataclass(frozen=True, slots=True)
class Yielding(Stage):
    """The loser of a round of boarding fights on or surrenders."""

    fight: Fight
    winner: int


@dataclass(frozen=True, slots=True)
class ManningPrize(Stage):
    """A captain who has taken a ship may send a prize crew (PWR-96, PWR-97)."""

    captor: int
    prize: int
    captured: int
    """Figures of the crew that was taken."""


@dataclass(frozen=True, slots=True)
class TestingMorale(Stage):
    """A die is rolled for a crew that may mutiny."""

    tests: tuple[tuple[int, str, int], ...]
    """Ship, ``"marines"`` or ``"crew"``, target number; in order."""


@dataclass(frozen=True, slots=True)
class FeedingSharks(Stage):
    """Dice are thrown for figures in the water, shoal by shoal."""

    shoal: int
    """Index of the shoal thrown for."""
    rest: int = 0
    """Figures of it that are still to be thrown for, 0: all of them."""


@dataclass(frozen=True, slots=True)
class SettingDown(Stage):
    """A launch or a landing party is put on the table (PWR-114)."""

    number: int
    beside: int
    """What it comes from."""


@dataclass(frozen=True, slots=True)
class Lurking(Stage):
    """Dice are thrown for what befalls landing parties, one after the other (PWR-137)."""

    parties: tuple[tuple[int, str], ...]
    """Landing party and what befalls it (`companion.rules.pirate_wars.ashore.lurking`); as often as
    dice are still to be thrown for it."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The battle is over."""

    reason: str
