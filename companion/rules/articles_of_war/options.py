"""What a table may choose before the battle, and the amounts the basic game pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.errors import BadOptions
from companion.rules.dice import DieKind
from companion.rules.game import Option
from companion.rules.hexes import DIRECTIONS
from companion.rules.layout import Cell
from companion.rules.options import check_numbers, read_chosen

COLOURS = ("red", "blue", "yellow", "green", "gray", "black")
"""Fleet colours in the order the rules list them (AOW-1)."""
MERCHANT = "white"
FLEET_LIMIT = 3
"""Ships of one colour in the ocean at once (AOW-6)."""
MOST_SAILS, MOST_CANNONS = 6, 5
"""Dice in the box (AOW-1)."""
DENSITIES = (2, 3, 4)
"""Tiles of each kind the last player may put into the barrel (AOW-18)."""

SAIL_FACES = (2, 3, 3, 4)
CANNON_FACES = tuple(value for value in range(1, 6) for _ in range(4))


@dataclass(frozen=True, slots=True)
class Purse:
    """Doubloons the rules pay and ask (AOW-58); a variant is another value of this."""

    start: int = 2
    third_ship: int = 2
    sunk: int = 1
    scuttled: int = 1
    merchant_sunk: int = 0
    merchant_scuttled: int = 1
    last_afloat: int = 1


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one battle, complete and valid."""

    radius: int = 5
    start_ring: int = 4
    sail_faces: tuple[int, ...] = SAIL_FACES
    cannon_faces: tuple[int, ...] = CANNON_FACES
    card_numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    destructive_moves: str = "allowed"
    tie_break: str = "shared"

    @property
    def start_cells(self) -> tuple[Cell, ...]:
        """The six starting hexes, sorted (AOW-9)."""
        return tuple(sorted((q * self.start_ring, r * self.start_ring) for q, r in DIRECTIONS))

    @property
    def sail(self) -> DieKind:
        """The sail die of this table."""
        return DieKind("sail", self.sail_faces)

    @property
    def cannon(self) -> DieKind:
        """The cannonball die of this table."""
        return DieKind("cannon", self.cannon_faces)


BASIC_PURSE = Purse()

OPTION_LIST: tuple[Option, ...] = (
    Option("radius", 5, (4, 5, 6), "Rings of hexes around the centre hex."),
    Option(
        "start_ring",
        None,
        (None, 2, 3, 4, 5, 6),
        "Ring of the six starting hexes; if not given, one ring inside the edge.",
    ),
    Option(
        "sail_faces",
        SAIL_FACES,
        ((2, 3, 3, 4), (2, 2, 3, 4), (2, 3, 4, 4)),
        "The four faces of the sail die.",
    ),
    Option(
        "cannon_faces",
        CANNON_FACES,
        (),
        "The twenty faces of the cannonball die, each from 1 to 5.",
    ),
    Option(
        "card_numbers",
        (1, 2, 3, 4, 5, 6),
        (),
        "Numbers on the commodore cards of " + ", ".join(COLOURS) + ", all different.",
    ),
    Option(
        "destructive_moves",
        "allowed",
        ("allowed", "forbidden-if-alternative"),
        "May a captain sail into a volcano or desert island while another way is open?",
    ),
    Option(
        "tie_break",
        "shared",
        ("shared", "last-afloat"),
        "Equal doubloons: share the place, or the last afloat and then who lost fewer ships.",
    ),
)


def read_options(given: Mapping[str, object]) -> Options:
    """Return the options of a battle from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    radius = values["radius"]
    if values["start_ring"] is None:
        values["start_ring"] = radius - 1
    if values["start_ring"] > radius:
        raise BadOptions(f"start_ring must be 2 to {radius} on a board of radius {radius}")
    check_numbers("cannon_faces", values["cannon_faces"], 20, range(1, 6))
    check_numbers("card_numbers", values["card_numbers"], len(COLOURS), range(1, 100))
    values["cannon_faces"] = tuple(sorted(values["cannon_faces"]))
    if len(set(values["card_numbers"])) < len(COLOURS):
        raise BadOptions("card_numbers must all be different")
    return Options(**values)
