"""What a table may choose before the battle, and the amounts the basic game pays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches

from companion.errors import BadOptions
from companion.rules.dice import DieKind
from companion.rules.game import Option
from companion.rules.hexes import DIRECTIONS
from companion.rules.layout import Cell

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
    known = {option.id: option for option in OPTION_LIST}
    for name in given:
        if name not in known:
            raise BadOptions(_unknown(name, known))
    values = {name: _plain(given.get(name, known[name].default)) for name in known}
    radius = values["radius"]
    for option in OPTION_LIST:
        if option.choices and not _is_one_of(values[option.id], option.choices):
            listed = ", ".join(map(repr, option.choices))
            raise BadOptions(f"{option.id} must be one of {listed}, not {given[option.id]!r}")
    if values["start_ring"] is None:
        values["start_ring"] = radius - 1  # type: ignore[operator]
    if values["start_ring"] > radius:  # type: ignore[operator]
        raise BadOptions(f"start_ring must be 2 to {radius} on a board of radius {radius}")
    _check_numbers("cannon_faces", values["cannon_faces"], 20, range(1, 6))
    _check_numbers("card_numbers", values["card_numbers"], len(COLOURS), range(1, 100))
    values["cannon_faces"] = tuple(sorted(values["cannon_faces"]))  # type: ignore[call-overload]
    if len(set(values["card_numbers"])) < len(COLOURS):  # type: ignore[call-overload]
        raise BadOptions("card_numbers must all be different")
    return Options(**values)  # type: ignore[arg-type]


def options_json(options: Options) -> dict[str, object]:
    """Return options as JSON values that `read_options` accepts."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}


def _plain(value: object) -> object:
    return tuple(value) if isinstance(value, list | tuple) else value


def _is_one_of(value: object, choices: tuple[object, ...]) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _check_numbers(name: str, value: object, count: int, allowed: range) -> None:
    numbers = value if isinstance(value, tuple) else ()
    fit = all(type(n) is int and n in allowed for n in numbers)
    if len(numbers) != count or not fit:
        raise BadOptions(
            f"{name} must be {count} whole numbers from {allowed[0]} to {allowed[-1]},"
            f" not {value!r}"
        )


def _unknown(name: str, known: Mapping[str, Option]) -> str:
    near = get_close_matches(str(name), known, 1)
    hint = f"; did you mean {near[0]!r}?" if near else f"; they are: {', '.join(known)}"
    return f"this game has no option {name!r}{hint}"
