"""What a table may choose before the game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.cards.choice import HOUSE, read_house, read_own
from companion.errors import BadOptions
from companion.rules.game import Option
from companion.rules.layout import Cell
from companion.rules.options import read_chosen
from companion.rules.privateer.deck import Deck
from companion.rules.privateer.deck_reading import read_deck

MOST_ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Options:
    """The options of one game, complete and valid."""

    deck: Deck
    battle_needs_move: bool = False
    replace_on_upgrade: bool = False
    round_cap: int = 0


OPTION_LIST: tuple[Option, ...] = (
    Option(
        "deck",
        HOUSE,
        (),
        "The cards and the sea that are played with: the house deck, or a card file of your own.",
        "Deck",
        "Cards",
        file=".toml",
    ),
    Option(
        "battle_needs_move",
        False,
        (False, True),
        "A ship that ends its move where it began does not fight there.",
        "Staying keeps the peace",
        "Variants",
    ),
    Option(
        "replace_on_upgrade",
        False,
        (False, True),
        "A port card is replaced after upgrades, too, not only after cargo was bought or sold.",
        "Upgrades renew port cards",
        "Variants",
    ),
    Option(
        "round_cap",
        0,
        (),
        "Rounds after which the game ends and the most Infamy wins; 0: it never does.",
        "Longest game",
        "Variants",
    ),
)


@cache
def house_deck() -> Deck:
    """Return the deck that comes with Quarterdeck."""
    return read_house("privateer-house", read_deck)


def sea_of(given: Mapping[str, object]) -> Mapping[Cell, str]:
    """Return the squares of the chosen deck's sea with what must be printed on them (PRV-4)."""
    deck = read_options(given).deck
    printed = dict.fromkeys(deck.sea.merchants, "merchant")
    printed |= {port.cell: "port" for port in deck.ports}
    return {cell: printed.get(cell, "") for cell in deck.sea.cells}


def read_options(given: Mapping[str, object]) -> Options:
    """Return the options of a game from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    cap = values["round_cap"]
    if type(cap) is not int or not 0 <= cap <= MOST_ROUNDS:
        raise BadOptions(
            f"There may be 0 (no limit) to {MOST_ROUNDS} rounds, a whole number.", "round_cap"
        )
    return Options(**{**values, "deck": _chosen(values["deck"])})


def _chosen(deck: object) -> Deck:
    return house_deck() if deck == HOUSE else read_own(deck, read_deck)


def write_options(options: Options) -> dict[str, object]:
    """Return options as JSON values that `read_options` accepts."""
    return {
        "deck": options.deck.source,
        "battle_needs_move": options.battle_needs_move,
        "replace_on_upgrade": options.replace_on_upgrade,
        "round_cap": options.round_cap,
    }
