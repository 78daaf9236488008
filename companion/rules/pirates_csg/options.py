"""What a table may choose before the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache

from companion.cards.choice import HOUSE, read_house, read_own
from companion.errors import BadOptions
from companion.rules.game import Option
from companion.rules.options import check_numbers, read_chosen
from companion.rules.pirates_csg.deck import LONG, SHORT, Deck
from companion.rules.pirates_csg.deck_reading import BUILD_POINTS, read_deck
from companion.rules.plane import TOLERANCE_MM

SHORT_MM, LONG_MM = 54, 86
"""The sides of a game card (CSG-2); recollected, so the table may measure its own."""
SEA_MM = (1300, 900)
"""What lies between the markers of the cloth."""


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game, complete and valid."""

    deck: Deck
    fleets: str = "ready"
    build_points: int = BUILD_POINTS
    nations: str = "mixed"
    islands: int = 4
    island_gold: int = 0
    treasures: int = 0
    terrain: bool = False
    rounds: int = 30
    monopoly: bool = True
    upkeep_default: str = "idle"
    short_mm: int = SHORT_MM
    long_mm: int = LONG_MM
    turn_limit: int = 180
    tolerance_mm: int = int(TOLERANCE_MM)
    sea_mm: tuple[int, int] = SEA_MM
    spacing_mm: int = 30
    ramming: str = "masts"
    pinning: bool = True
    board_tie: str = "nothing"
    one_misses: bool = True
    explorer_keeps_base: bool = True
    own_masts_block: bool = False

    def side_mm(self, side: str) -> int:
        """Return the length of a side of a card (CSG-2)."""
        return {SHORT: self.short_mm, LONG: self.long_mm}[side]


OPTION_LIST: tuple[Option, ...] = (
    Option(
        "fleets",
        "ready",
        ("ready", "choose", "build"),
        "Where fleets come from. A ready one costs at most 40 gold; the rest is the treasury.",
        "Fleets",
        "Fleets",
        (
            "ready ones, dealt out",
            "ready ones, chosen",
            "bought card by card",
        ),
    ),
    Option(
        "build_points",
        BUILD_POINTS,
        (),
        "Gold to buy ships and crew with before the game.",
        "Build points",
        "Fleets",
    ),
    Option(
        "nations",
        "mixed",
        ("mixed", "single"),
        "Whether a fleet that is bought card by card may mix nations; minor ones serve all.",
        "Nations in a fleet",
        "Fleets",
        ("any", "one, and mercenaries"),
    ),
    Option("islands", 4, (3, 4, 5, 6), "Wild islands for each captain.", "Wild islands", "The sea"),
    Option(
        "island_gold",
        0,
        (0, 1, 2, 3, 4, 5, 6, 7),
        "Value of one coin that lies on every wild island; 0: none.",
        "Gold on the islands",
        "The sea",
    ),
    Option(
        "treasures",
        0,
        (0, 1, 2, 3, 4, 5, 6),
        "Unique treasures that lie face down, one each on so many wild islands.",
        "Unique treasures",
        "The sea",
    ),
    Option(
        "terrain",
        False,
        (False, True),
        "Reefs, fog, sargasso, icebergs and whirlpools lie in chains between the islands.",
        "Terrain",
        "The sea",
    ),
    Option(
        "rounds",
        30,
        (),
        "Rounds after which the most gold at home wins.",
        "Rounds",
        "How to win",
    ),
    Option(
        "monopoly",
        True,
        (False, True),
        "Whoever owns every island that produces wins, once every wild island has been explored.",
        "Trade monopoly",
        "How to win",
    ),
    Option(
        "upkeep_default",
        "idle",
        ("idle", "scuttle", "debt"),
        "What happens for each gold of upkeep that cannot be paid.",
        "Unpaid upkeep",
        "House rulings",
        ("a ship at sea stays idle", "a ship at sea is scuttled", "the gold is owed"),
    ),
    Option(
        "turn_limit",
        180,
        (90, 180),
        "How many degrees a ship may turn before each part of her move.",
        "Turning",
        "House rulings",
    ),
    Option(
        "ramming",
        "masts",
        ("masts", "off"),
        "A rammer must roll higher than the masts of her target to take one.",
        "Ramming",
        "House rulings",
        ("higher than her masts", "no ramming"),
    ),
    Option(
        "pinning",
        True,
        (False, True),
        "A rammed ship cannot move while the rammer's bow touches her.",
        "Pinning",
        "House rulings",
    ),
    Option(
        "board_tie",
        "nothing",
        ("nothing", "defender"),
        "What a tied boarding brings.",
        "Tied boarding",
        "House rulings",
        ("nothing happens", "the defender wins"),
    ),
    Option(
        "one_misses",
        True,
        (False, True),
        "A cannon that rolls a 1 misses, whatever is added.",
        "A 1 misses",
        "House rulings",
    ),
    Option(
        "explorer_keeps_base",
        True,
        (False, True),
        "An Explorer also docks and explores with one action, as in the base game.",
        "Explorer keeps both",
        "House rulings",
    ),
    Option(
        "own_masts_block",
        False,
        (False, True),
        "A ship's own masts stand in the way of her cannons.",
        "Own masts block",
        "House rulings",
    ),
    Option(
        "deck",
        HOUSE,
        (),
        "Ships, crew, forts and fleets: the house deck, or a card file of your own.",
        "Cards",
        "Fleets",
        file=".toml",
    ),
    Option("short_mm", SHORT_MM, (), "The short side of a card, in millimetres.", "S", "Measures"),
    Option("long_mm", LONG_MM, (), "The long side of a card, in millimetres.", "L", "Measures"),
    Option(
        "tolerance_mm",
        int(TOLERANCE_MM),
        (),
        "Millimetres that a measured move may be out of bounds.",
        "Tolerance",
        "Measures",
    ),
    Option(
        "sea_mm",
        SEA_MM,
        (),
        "Width and height of the sea between the markers, in millimetres.",
        "Size of the sea",
        "Measures",
    ),
    Option(
        "spacing_mm",
        30,
        (),
        "Least water between two islands, in millimetres.",
        "Island spacing",
        "Measures",
    ),
)

NUMBERS: Mapping[str, tuple[range, str]] = {
    "build_points": (range(5, 201), "gold"),
    "rounds": (range(1, 201), "rounds"),
    "short_mm": (range(20, 151), "millimetres"),
    "long_mm": (range(30, 251), "millimetres"),
    "tolerance_mm": (range(1, 31), "millimetres"),
    "spacing_mm": (range(0, 301), "millimetres"),
}
"""Options that are typed in as one number."""
SEA_RANGE = range(500, 4001)


@cache
def house_deck() -> Deck:
    """Return the deck that comes with Quarterdeck."""
    return read_house("csg-house", read_deck)


def read_options(given: Mapping[str, object]) -> Options:
    """Return the options of a game from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    for name, (allowed, unit) in NUMBERS.items():
        value = values[name]
        if type(value) is not int or value not in allowed:
            title = next(option.title for option in OPTION_LIST if option.id == name)
            low, high = allowed[0], allowed[-1]
            raise BadOptions(f"{title}: {low} to {high} {unit}, a whole number.", name)
    check_numbers("sea_mm", "Width and height of the sea", values["sea_mm"], 2, SEA_RANGE)
    if values["short_mm"] >= values["long_mm"]:
        raise BadOptions("S is the short side of a card: it must be less than L.", "short_mm")
    options = Options(**{**values, "deck": _chosen(values["deck"])})
    if options.treasures > len(options.deck.treasures):
        count = len(options.deck.treasures)
        raise BadOptions(f"The deck has only {count} unique treasures.", "treasures")
    return options


def _chosen(deck: object) -> Deck:
    return house_deck() if deck == HOUSE else read_own(deck, read_deck)


def write_options(options: Options) -> dict[str, object]:
    """Return options as JSON values that `read_options` accepts."""
    values = {f.name: getattr(options, f.name) for f in fields(options)}
    return {**values, "deck": options.deck.source, "sea_mm": list(options.sea_mm)}
