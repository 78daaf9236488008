"""The state of a battle: frozen, hashable and canonical.

Every hull and sail factor a ship has lost lies above those that are left (PWR-86, PWR-89), so two
numbers say which rows of its damage chart are open.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.pirate_wars.built.ships import ShipDesign
from companion.rules.pirate_wars.crew import Crew
from companion.rules.pirate_wars.options import Options
from companion.rules.plane import Outline, outline_at

PLAYERS = tuple(PlayerId(seat) for seat in range(4))
FLEET_COLOURS = ("red", "blue", "yellow", "green")
"""By seat."""
NOWHERE = Pose(0.0, 0.0, 0.0)
"""Where a ship is before it is placed, and once it is out of the battle."""

AFLOAT, SINKING, SUNK, GONE, AGROUND = "afloat", "sinking", "sunk", "gone", "aground"
FATES = (AFLOAT, SINKING, SUNK, GONE, AGROUND)
"""``"gone"``: it has left the battle, over the edge or out of range; ``"aground"``: it has broken
its hull on the ground and lies there for the rest of the battle (PWR-107)."""
ON_THE_TABLE = (AFLOAT, SINKING, AGROUND)
HOLDS_OUT = ("ship", "fort")
"""Kinds that keep a side in the battle (PWR-140)."""
FULL, TACK, ADRIFT = "full", "tack", "adrift"
WAYS = (FULL, TACK, ADRIFT)
"""The three speeds of a ship (PWR-40)."""
LOYAL, MUTINOUS, FLEEING = "loyal", "mutinous", "fleeing"
MOODS = (LOYAL, MUTINOUS, FLEEING)
"""Mutineers flee; once they fail a second test nothing brings them back (PWR-93)."""
LOADED, WRECKED = 2, -1
"""Loads of a cannon: 0 empty, 1 half loaded, `LOADED`, `WRECKED`; a deck gun goes from 0 to 2."""


class Gun(NamedTuple):
    """A cannon, or after the cannons a deck gun."""

    side: str
    """Where it stands and points: port, starboard, bow, stern; a turntable's is bow."""
    load: int = LOADED
    busy: bool = False
    """It was fired, loaded or moved in this phase."""


class Ship(NamedTuple):
    """One ship and everyone aboard."""

    design: str
    """Id of what was built."""
    player: PlayerId
    """Who commands it."""
    hf: int
    """Hull factors left."""
    sf: int
    """Sail factors open."""
    crew: Crew
    guns: tuple[Gun, ...]
    pose: Pose = NOWHERE
    fate: str = AFLOAT
    wanted: int = 0
    """Sail factors the captain wants to carry (PWR-31)."""
    resetting: int = 0
    """Sail factors that are opened again at the end of the phase (PWR-82)."""
    used: int = 0
    """Sail factors carried in the last move; 0: adrift (PWR-32)."""
    way: str = FULL
    """Its speed class in this turn (PWR-41)."""
    left: int = 0
    """Dots still to be moved in this turn."""
    stunned: bool = False
    """It rammed or was rammed in this turn: adrift, and no tasks (PWR-50)."""
    steering: bool = True
    """Its rudder obeys in the next move (critical hit)."""
    raked: bool = False
    """It was raked in this turn."""
    mood: str = LOYAL
    prize: bool = False
    """It was captured by the Imperials and must leave (PWR-97)."""
    fell_off: bool = False
    """It has fallen off the wind in this turn."""
    tested: tuple[str, ...] = ()
    """Conditions that have brought a morale test about and still hold, sorted."""
    struck: bool = False
    """Its square sail is struck, so that it can tack (PWR-117)."""
    chests: int = 0
    """Chests and barrels aboard (PWR-130)."""
    stowed: int = 0
    """Cannons carried as cargo (PWR-130)."""
    boats: int = 0
    """Launches aboard (PWR-113); of a fortress: hits that its doors still stand (PWR-121)."""
    moved: bool = False
    """A launch or a landing party: it has moved in this turn (PWR-114, PWR-123)."""
    temper: str = ""
    """Of natives: calm, fighting or hiding (PWR-135, PWR-136); empty for all others."""
    snared: Crew = ()
    """Of a landing party: who hangs in snares (PWR-137)."""
    flees_at: int = -1
    """Natives hide once so few of them are left."""

    @property
    def alive(self) -> bool:
        """It floats and somebody is aboard."""
        return self.fate == AFLOAT and bool(self.crew)


class Shoal(NamedTuple):
    """Figures in the water, off one ship and at one place."""

    player: PlayerId
    ship: int
    """The ship they were on."""
    side: str
    """``"pirate"`` or ``"imperial"``."""
    figures: tuple[tuple[str, int], ...]
    """Kinds and how many, sorted."""
    x_mm: float
    y_mm: float
    fresh: bool = True
    """They fell in this round and cannot swim or board yet (PWR-78)."""

    @property
    def size(self) -> int:
        """How many they are."""
        return sum(count for _, count in self.figures)


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


class Hit(NamedTuple):
    """What takes effect at the end of the phase (PWR-36)."""

    ship: int
    what: str
    """``"ball"``, ``"shot"``, ``"hull"`` or ``"sails"`` cross off rows; ``"figures"``,
    ``"officer"`` kill; ``"cannon"`` wrecks; ``"burst"`` wrecks the gun numbered `amount`;
    ``"rudder"``."""
    amount: int
    station: str = ""


class Due(NamedTuple):
    """Figures a ship still has to lose."""

    ship: int
    figures: int
    stations: tuple[str, ...] = ()
    """Where they stand; empty: anywhere."""
    rule: str = "PWR-88"


class Fight(NamedTuple):
    """A round of boarding between two ships; entries go attacker, defender."""

    ships: tuple[int, int]
    first: bool
    """Muskets and deck guns fire before the melee (PWR-60)."""
    crews: tuple[Crew, Crew] = ((), ())
    """Figures committed."""
    hits: tuple[int, int] = (0, 0)
    """Successes of each side in the throws under way."""


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
    """Landing party and what befalls it (`companion.rules.pirate_wars.ashore.lurking`)."""


@dataclass(frozen=True, slots=True)
class Finished(Stage):
    """The battle is over."""

    reason: str


class State(NamedTuple):
    """Everything the rules need to go on."""

    names: tuple[str, ...]
    """Players by seat."""
    options: Options
    stage: Stage
    sides: tuple[str, ...] = ()
    """Whom each seat fights for, ``"pirate"`` or ``"imperial"``; grows while ships are chosen."""
    ships: tuple[Ship, ...] = ()
    """In the order they were chosen; a ship's tag is its place, from 1."""
    shoals: tuple[Shoal, ...] = ()
    wind: float | None = None
    """Direction the wind comes from in the board frame, degrees; ``None``: not known yet."""
    round: int = 0
    """Turn of the battle; 0 during the set-up."""
    order: tuple[int, ...] = ()
    """Seats by initiative, highest first."""
    slot: int = 0
    """Place in the order of who is on turn."""
    attacks: tuple[Attack, ...] = ()
    """Declared by the side on turn, in order."""
    hits: tuple[Hit, ...] = ()
    """Take effect at the end of the phase."""
    due: tuple[Due, ...] = ()
    """Losses to be settled, in order."""
    engaged: tuple[tuple[int, int], ...] = ()
    """Pairs of ships lashed together: attacker, defender."""
    fought: tuple[int, ...] = ()
    """Ships that have been in a boarding this round, sorted."""
    scuttles: tuple[int, ...] = ()
    """Ships whose captains fire into the powder at the end of the phase, sorted."""

    @property
    def player(self) -> PlayerId:
        """The side on turn."""
        return PLAYERS[self.order[self.slot]]


def design_of(state: State, ship: int) -> ShipDesign:
    """Return what a ship was built as."""
    return state.options.built[state.ships[ship].design]


def with_ship(state: State, number: int, ship: Ship) -> State:
    """Return the state with one ship changed."""
    return state._replace(ships=(*state.ships[:number], ship, *state.ships[number + 1 :]))


def fleet(state: State, player: int) -> list[int]:
    """Return the ships and fortresses of a side that somebody is aboard of, by number."""
    return [
        n
        for n, ship in enumerate(state.ships)
        if ship.player == player and ship.alive and design_of(state, n).kind in HOLDS_OUT
    ]


def afloat(state: State) -> list[int]:
    """Return every ship that is on the table, aground ones too, by number."""
    return [n for n, ship in enumerate(state.ships) if ship.fate in ON_THE_TABLE]


def hull_of(state: State, number: int, pose: Pose | None = None) -> Outline:
    """Return a ship's waterline on the table, where it is or in another pose."""
    return outline_at(pose or state.ships[number].pose, design_of(state, number).outline_mm)


def mate_of(state: State, number: int) -> int | None:
    """Return the ship that one is lashed to, ``None`` if none."""
    for pair in state.engaged:
        if number in pair:
            return pair[pair[0] == number]
    return None


def tag_of(number: int) -> int:
    """Return the tag of a ship."""
    return number + 1


def sides_left(state: State) -> list[int]:
    """Return the seats that still command a ship (PWR-140)."""
    return [seat for seat in range(len(state.names)) if fleet(state, seat)]


def side_of(state: State, number: int) -> str:
    """Return whom a ship fights for now."""
    return state.sides[state.ships[number].player]
