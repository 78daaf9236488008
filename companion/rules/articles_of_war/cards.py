"""Gambits on the commodore cards, as data: small effects, and six house cards (AOW-64).

The texts of the real cards are not public, so a host types them in: either with an effect from
`EFFECTS`, or with the effect ``"table"`` that the people carry out themselves. The cards in
`HOUSE_CARDS` are our own invention and no part of the published game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from companion.errors import BadOptions
from companion.rules.game import Option

BEFORE_DICE = "beforeDiceChoice"
AFTER_ROLL = "afterRoll"
ON_SAIL = "onSpendSail"
ON_CANNON = "onSpendCannon"
ON_REEF = "onReefRoll"
ON_BOARDING = "onBoardingRoll"
ON_LOSS = "onLoss"
TIMINGS = (BEFORE_DICE, AFTER_ROLL, ON_SAIL, ON_CANNON, ON_REEF, ON_BOARDING, ON_LOSS)
TABLE = "table"
"""The effect that the people carry out themselves; the rules only mark the card as used."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a gambit does at its moment; a number left at nothing does nothing."""

    timing: str
    more_dice: int = 0
    """Dice taken and rolled beyond those for the ships."""
    reroll: bool = False
    """One rolled die is rolled again before any is spent."""
    sail_by: tuple[int, ...] = ()
    """Hexes that may be added to one sail."""
    shot_by: tuple[int, ...] = ()
    """Hexes that may be added to one shot."""
    boarding: int = 0
    """Added to one's own roll until the boarding is decided."""
    doubloons: int = 0
    """Paid for a ship lost."""
    new_ship: bool = False
    """A ship enters at the edge for the one lost."""


EFFECTS: Mapping[str, Effect] = {
    "one more die": Effect(BEFORE_DICE, more_dice=1),
    "two more dice": Effect(BEFORE_DICE, more_dice=2),
    "roll a die again": Effect(AFTER_ROLL, reroll=True),
    "sail one farther": Effect(ON_SAIL, sail_by=(1,)),
    "sail one less or farther": Effect(ON_SAIL, sail_by=(-1, 1)),
    "fire one farther": Effect(ON_CANNON, shot_by=(1,)),
    "fire one nearer or farther": Effect(ON_CANNON, shot_by=(-1, 1)),
    "pass the reef": Effect(ON_REEF),
    "board with one more": Effect(ON_BOARDING, boarding=1),
    "board with two more": Effect(ON_BOARDING, boarding=2),
    "a doubloon for the loss": Effect(ON_LOSS, doubloons=1),
    "a new ship at the edge": Effect(ON_LOSS, new_ship=True),
    "two doubloons for the loss": Effect(ON_LOSS, doubloons=2),
}
"""By the words with which a host picks them."""


@dataclass(frozen=True, slots=True)
class Gambit:
    """The gambit on one commodore card."""

    colour: str
    """The commodore who holds it."""
    name: str
    timing: str
    """One of `TIMINGS`."""
    effect: str
    """A key of `EFFECTS`, or `TABLE`."""
    limit: str
    text: str
    """What the card says."""


ONCE = "once"

HOUSE_CARDS: tuple[Gambit, ...] = (
    Gambit(
        "red",
        "All hands",
        BEFORE_DICE,
        "one more die",
        ONCE,
        "Take one die more than your ships need; what you do not spend is lost.",
    ),
    Gambit(
        "blue",
        "Second thoughts",
        AFTER_ROLL,
        "roll a die again",
        ONCE,
        "Before you spend a die, roll one of them again.",
    ),
    Gambit(
        "yellow",
        "Studding sails",
        ON_SAIL,
        "sail one farther",
        ONCE,
        "Spend a sail die as if it showed one more.",
    ),
    Gambit(
        "green",
        "Chain and grape",
        ON_CANNON,
        "fire one nearer or farther",
        ONCE,
        "Spend a cannonball die as if it showed one more or one less.",
    ),
    Gambit(
        "gray",
        "A hull in reserve",
        ON_LOSS,
        "a new ship at the edge",
        ONCE,
        "When you lose a ship, put it on an empty hex at the edge instead of the shipyard.",
    ),
    Gambit(
        "black",
        "Cutlasses",
        ON_BOARDING,
        "board with one more",
        ONCE,
        "Before you roll for a boarding, add one to your rolls until it is decided.",
    ),
)
"""Six house gambits, invented for Quarterdeck; they are not those of the published cards."""


def card_fields(colours: tuple[str, ...]) -> tuple[Option, ...]:
    """Return what a host types in for one card."""
    return (
        Option("colour", colours[0], colours, "The commodore's colour.", "Commodore"),
        Option("name", "", (), "The name of the gambit.", "Name"),
        Option("timing", BEFORE_DICE, TIMINGS, "When it may be played.", "When", labels=_WHEN),
        Option(
            "effect",
            TABLE,
            (TABLE, *EFFECTS),
            "What it does; anything else you carry out yourselves.",
            "Effect",
            labels=("You do it yourselves", *(effect.capitalize() for effect in EFFECTS)),
        ),
        Option("limit", ONCE, (), "What limits it.", "Limit"),
        Option("text", "", (), "What the card says.", "Text"),
    )


_WHEN = (
    "Before choosing dice",
    "After the roll",
    "Spending a sail",
    "Spending a cannonball",
    "At a reef",
    "Rolling for a boarding",
    "Losing a ship",
)


def read_cards(value: object, colours: tuple[str, ...], option: str) -> tuple[Gambit, ...]:
    """Return the typed-in cards in the order of their colours. Raises `BadOptions`."""
    rows = value if isinstance(value, tuple) else None
    if rows is None:
        raise BadOptions("The gambits are a list of cards.", option)
    cards = [_read_card(row, colours, option) for row in rows]
    held = [card.colour for card in cards]
    if len(set(held)) < len(held):
        raise BadOptions("Each commodore holds one gambit: two cards have one colour.", option)
    return tuple(sorted(cards, key=lambda card: colours.index(card.colour)))


def _read_card(row: object, colours: tuple[str, ...], option: str) -> Gambit:
    if isinstance(row, Gambit):
        row = asdict(row)
    if not isinstance(row, Mapping):
        raise BadOptions(f"A gambit card is a JSON object, not {row!r}.", option)
    fields = {field.id: field for field in card_fields(colours)}
    strange = [name for name in row if name not in fields]
    if strange:
        raise BadOptions(
            f"A gambit card has no {strange[0]!r}; it has {', '.join(fields)}.", option
        )
    values = {name: row.get(name, field.default) for name, field in fields.items()}
    for name, field in fields.items():
        if not isinstance(values[name], str) or (
            field.choices and values[name] not in field.choices
        ):
            known = ", ".join(map(str, field.choices)) or "a text"
            raise BadOptions(f"The {name} of a gambit is {known}; not {values[name]!r}.", option)
    card = Gambit(**values)
    if not card.name.strip():
        raise BadOptions(f"{card.colour.capitalize()}'s gambit needs a name.", option)
    if card.effect != TABLE and EFFECTS[card.effect].timing != card.timing:
        right, wrong = (
            _WHEN[TIMINGS.index(timing)] for timing in (EFFECTS[card.effect].timing, card.timing)
        )
        message = f"The effect '{card.effect}' belongs to '{right}', not to '{wrong}'."
        raise BadOptions(message, option)
    return card
