"""Which deck a game is played with: the house's own, or the people's card file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from companion.cards.files import builtin_text, parse_cards, read_cards
from companion.errors import BadOptions, CardError

HOUSE = "house"
"""The option's word for the deck that comes with Quarterdeck; our own, not the publisher's."""

D = TypeVar("D", covariant=True)


class DeckReader(Protocol[D]):
    """A game's reader of card files; `source` is what the deck is to be written as again."""

    def __call__(self, data: Mapping[str, Any], source: object = None) -> D:
        """Return the deck. Raises `CardError`."""
        ...


def read_house(name: str, reader: DeckReader[D]) -> D:
    """Return a deck that comes with Quarterdeck, e.g. ``"privateer-house"``."""
    return reader(parse_cards(builtin_text(name)), HOUSE)


def read_own(chosen: object, reader: DeckReader[D]) -> D:
    """Return the deck of a card file, TOML or parsed. Raises `BadOptions`."""
    if not isinstance(chosen, Mapping | str):
        raise BadOptions(f"deck must be {HOUSE!r} or the content of a card file", "deck")
    try:
        if isinstance(chosen, str):
            return read_cards(chosen, lambda data: reader(data, chosen))
        return reader(chosen)
    except CardError as error:
        raise BadOptions(f"the deck cannot be played: {error}", "deck") from error
