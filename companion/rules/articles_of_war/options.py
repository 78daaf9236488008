"""What a table may choose before the battle, and the amounts the rules pay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from companion.errors import BadOptions
from companion.rules.articles_of_war.cards import (
    HOUSE_CARDS,
    Gambit,
    card_fields,
    read_cards,
)
from companion.rules.dice import DieKind
from companion.rules.game import Option
from companion.rules.hexes import (
    DIRECTION_NAMES,
    DIRECTIONS,
    distance,
    hex_name,
    hexagon,
    parse_hex,
)
from companion.rules.layout import Cell, parse_cell
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
BOX_DOUBLOONS = 30
"""Doubloons in the box (AOW-1)."""
MOST_BATTLES = 99

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
    merchant_boarded: int = 0
    """Paid at once, before the merchant is scuttled or pressed."""
    merchant_scuttled: int = 1
    last_afloat: int = 1
    """Times the number of the battle (AOW-77)."""


BASIC_PURSE = Purse()
MARQUE_PURSE = Purse(merchant_sunk=1, merchant_boarded=1)
"""AOW-79."""
_PURSES = {
    (marque, duel): replace(purse, start=0, third_ship=0) if duel else purse
    for marque, purse in ((False, BASIC_PURSE), (True, MARQUE_PURSE))
    for duel in (False, True)
}


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one table, complete and valid."""

    radius: int = 5
    start_ring: int = 4
    start_hexes: str = ""
    """Six cells in order, e.g. ``"G3 K3 C7 K7 C11 G11"``; empty: those of the ring."""
    sail_faces: tuple[int, ...] = SAIL_FACES
    cannon_faces: tuple[int, ...] = CANNON_FACES
    card_numbers: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    destructive_moves: str = "allowed"
    tie_break: str = "shared"
    bank: int | None = None
    desperation: bool = False
    duel: bool = False
    battles: int = 1
    marque: bool = False
    grudge: bool = False
    wind: str = "none"
    storm: bool = False
    gambits: str = "none"
    gambit_cards: tuple[Gambit, ...] = ()
    gambits_fresh: str = "battle"

    @property
    def start_cells(self) -> tuple[Cell, ...]:
        """The six starting hexes, sorted (AOW-9)."""
        if self.start_hexes:
            return tuple(map(parse_hex, self.start_hexes.split()))
        return tuple(sorted((q * self.start_ring, r * self.start_ring) for q, r in DIRECTIONS))

    @property
    def sail(self) -> DieKind:
        """The sail die of this table."""
        return DieKind("sail", self.sail_faces)

    @property
    def cannon(self) -> DieKind:
        """The cannonball die of this table."""
        return DieKind("cannon", self.cannon_faces)

    @property
    def purse(self) -> Purse:
        """What this table pays."""
        return _PURSES[self.marque, self.duel]

    @property
    def rule_of_order(self) -> str:
        """The rule of the turn order."""
        return "AOW-70" if self.duel else "AOW-13"

    @property
    def rule_of_end(self) -> str:
        """The rule by which a battle is over once one captain alone has ships."""
        return "AOW-72" if self.duel else "AOW-59"

    @property
    def cards(self) -> tuple[Gambit, ...]:
        """The gambits on the commodore cards; none in the basic game (AOW-64)."""
        return HOUSE_CARDS if self.gambits == "house" else self.gambit_cards


VARIANTS, GAMBITS, WEATHER = "Variants", "Gambits", "Weather"
OCEAN, DICE, HOUSE = "Ocean", "Dice and cards", "House rules"

OPTION_LIST: tuple[Option, ...] = (
    Option(
        "desperation",
        False,
        (False, True),
        "A fleet with one ship left rolls three dice and spends two of them.",
        "Desperation dice",
        VARIANTS,
    ),
    Option(
        "marque",
        False,
        (False, True),
        "The merchant also pays when she is sunk, and one doubloon more when she is boarded.",
        "Marque for the merchant",
        VARIANTS,
    ),
    Option(
        "duel",
        False,
        (False, True),
        "Two captains with two fleets each; no doubloons at the start.",
        "The Duel",
        VARIANTS,
    ),
    Option(
        "battles",
        1,
        (),
        "Battles in a campaign, 1 to 99; doubloons carry over from one to the next.",
        "Battles",
        VARIANTS,
    ),
    Option(
        "grudge",
        False,
        (False, True),
        "Who has lost every ship may come back once with one ship that earns nothing.",
        "Grudge ships",
        VARIANTS,
    ),
    Option(
        "wind",
        "none",
        ("none", *DIRECTION_NAMES),
        "After every round the wind carries all ships as far as a sail die shows.",
        "Wind",
        WEATHER,
        ("No wind", *(f"From the {name}" for name in DIRECTION_NAMES)),
    ),
    Option(
        "storm",
        False,
        (False, True),
        "Once the merchant is gone a storm closes in, one ring every round.",
        "Storm",
        WEATHER,
    ),
    Option(
        "gambits",
        "none",
        ("none", "house", "cards"),
        "What the commodore cards allow once; the house gambits are of our own invention.",
        "Gambits",
        GAMBITS,
        ("None", "Six house gambits", "The cards typed in below"),
    ),
    Option(
        "gambit_cards",
        (),
        (),
        "The gambits of your own commodore cards, one for each colour that has one.",
        "Cards",
        GAMBITS,
        fields=card_fields(COLOURS),
    ),
    Option(
        "gambits_fresh",
        "battle",
        ("battle", "campaign"),
        "In a campaign a gambit may be played once in every battle, or once in all.",
        "Fresh gambits",
        GAMBITS,
        ("In every battle", "Once a campaign"),
    ),
    Option("radius", 5, (4, 5, 6), "Rings of hexes around the centre hex.", "Size", OCEAN),
    Option(
        "start_ring",
        None,
        (None, 2, 3, 4, 5, 6),
        "Ring of the six starting hexes; if not given, one ring inside the edge.",
        "Starting ring",
        OCEAN,
        ("One inside the edge", "2", "3", "4", "5", "6"),
    ),
    Option(
        "start_hexes",
        "",
        (),
        "Six other starting hexes, such as 'C7 C11 G3 G11 K3 K7'; empty: on the ring.",
        "Starting hexes",
        OCEAN,
    ),
    Option(
        "sail_faces",
        SAIL_FACES,
        ((2, 3, 3, 4), (2, 2, 3, 4), (2, 3, 4, 4)),
        "The four faces of the sail die.",
        "Sail die",
        DICE,
        ("2, 3, 3, 4", "2, 2, 3, 4", "2, 3, 4, 4"),
    ),
    Option(
        "cannon_faces",
        CANNON_FACES,
        (),
        "The twenty faces of the cannonball die, each from 1 to 5.",
        "Cannonball die",
        DICE,
    ),
    Option(
        "card_numbers",
        (1, 2, 3, 4, 5, 6),
        (),
        "Numbers on the commodore cards of " + ", ".join(COLOURS) + ", all different.",
        "Commodore numbers",
        DICE,
    ),
    Option(
        "destructive_moves",
        "allowed",
        ("allowed", "forbidden-if-alternative"),
        "May a captain sail into a volcano or desert island while another way is open?",
        "Sailing onto islands",
        HOUSE,
        ("Allowed", "If no other way is open"),
    ),
    Option(
        "tie_break",
        "shared",
        ("shared", "last-afloat"),
        "Equal doubloons: share the place, or the last afloat and then who lost fewer ships.",
        "Ties",
        HOUSE,
        ("Share the place", "The last afloat first"),
    ),
    Option(
        "bank",
        None,
        (None, BOX_DOUBLOONS),
        "May more doubloons be paid than the box holds?",
        "Bank",
        HOUSE,
        ("It never runs dry", "Only the 30 of the box"),
    ),
)


def read_options(given: Mapping[str, object]) -> Options:
    """Return the options of a table from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    _read_starts(values)
    faces, numbers = values["cannon_faces"], values["card_numbers"]
    check_numbers("cannon_faces", "The faces of the cannonball die", faces, 20, range(1, 6))
    if len(set(faces)) < 2:
        raise BadOptions(
            "A cannonball die must show two different numbers at least: with one alone no tie is"
            " ever broken.",
            "cannon_faces",
        )
    check_numbers("card_numbers", "The commodore numbers", numbers, len(COLOURS), range(1, 100))
    values["cannon_faces"] = tuple(sorted(values["cannon_faces"]))
    if len(set(values["card_numbers"])) < len(COLOURS):
        raise BadOptions("The six commodore numbers must all be different.", "card_numbers")
    battles = values["battles"]
    if type(battles) is not int or not 1 <= battles <= MOST_BATTLES:
        raise BadOptions(f"A campaign has 1 to {MOST_BATTLES} battles.", "battles")
    values["gambit_cards"] = read_cards(values["gambit_cards"], COLOURS, "gambit_cards")
    options = Options(**values)
    _refuse_contradictions(options)
    return options


def _read_starts(values: dict[str, object]) -> None:
    radius = values["radius"]
    assert isinstance(radius, int)
    if values["start_hexes"] != "":
        # They take the place of the ring, which may be no more than what the board has printed.
        values |= {"start_hexes": _read_hexes(values["start_hexes"], radius), "start_ring": None}
    ring = values["start_ring"] = values["start_ring"] or radius - 1
    assert isinstance(ring, int)
    if ring > radius:
        message = f"A board with {radius} rings has its starting hexes on ring 2 to {radius}."
        raise BadOptions(message, "start_ring")


def _read_hexes(text: object, radius: int) -> str:
    """Return six cells in order. They are so far apart that no fleet can block another's."""
    try:
        cells = sorted({_read_hex(name) for name in str(text).split()})
    except ValueError:
        raise BadOptions(
            "Starting hexes are written like 'C7 C11 G3 G11 K3 K7'.", "start_hexes"
        ) from None
    if len(cells) != len(DIRECTIONS) or not hexagon(radius).issuperset(cells):
        raise BadOptions(
            "The starting hexes must be six different hexes of the ocean.", "start_hexes"
        )
    if any(distance(a, b) < 3 for a, b in combinations(cells, 2)):
        raise BadOptions("Starting hexes must lie three steps or more apart.", "start_hexes")
    if any(distance(cell, (0, 0)) < 2 for cell in cells):
        raise BadOptions(
            "Starting hexes must lie two steps or more from the centre.", "start_hexes"
        )
    return " ".join(hex_name(cell) for cell in cells)


def _read_hex(name: str) -> Cell:
    """Read a hex by its name or, as AOW-10 counts them, by ``q,r``. Raises `ValueError`."""
    return parse_cell(name) if "," in name else parse_hex(name)


def _refuse_contradictions(options: Options) -> None:
    if options.duel and options.grudge:
        raise BadOptions(
            "In The Duel the battle ends when a captain has lost every ship: nobody is left to"
            " sail a grudge ship.",
            "grudge",
        )
    if options.gambits == "cards" and not options.gambit_cards:
        raise BadOptions("Type in a gambit card, or play without gambits.", "gambit_cards")
    if options.gambits != "cards" and options.gambit_cards:
        raise BadOptions(
            "Gambit cards are typed in: choose to play with them, or take them out.", "gambits"
        )


def check_table(options: Options, players: int) -> None:
    """Refuse options that do not fit the number of players. Raises `BadOptions`."""
    if options.duel and players != 2:
        raise BadOptions(f"The Duel is for two captains, not {players}.", "duel")
    if options.grudge and players == 2:
        raise BadOptions(
            "With two captains the battle ends when one has lost every ship: nobody is left to"
            " sail a grudge ship.",
            "grudge",
        )
