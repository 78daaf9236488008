"""The pieces of an open table's game, to be printed: ships by their tags, islands as they lie."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.boards.choice import board_for
from companion.errors import PrintingError
from companion.rules.catalogue import find_game
from companion.rules.layout import Placed, Pose
from companion.rules.options import new_game
from companion.rules.pirate_wars.options import MOST_SHIPS
from companion.rules.pirates_csg.state import State as PiratesState

_AT_REST = Pose(0.0, 0.0, 0.0)


def islands_of(game: str, players: int | None, options: Mapping[str, object]) -> dict[int, Placed]:
    """Return what lies on the table before the first ship does, by tag.

    Raises `BadOptions` where no such game can be set up.
    """
    rules = find_game(game)
    state = new_game(rules, _captains(players or rules.info.players[0]), options)
    return dict(rules.layout(state).pieces)


def ships_of(game: str, players: int | None, options: Mapping[str, object]) -> dict[int, Placed]:
    """Return the ships of a game by tag, with the names of those that are known beforehand."""
    rules = find_game(game)
    names = _captains(players or rules.info.players[0])
    state = rules.setup(names, options)
    if not board_for(rules.info, options).is_open:
        raise PrintingError(f"{rules.info.title} is played on cells: its pieces bear no tags")
    if isinstance(state, PiratesState):
        cards = state.options.deck.ships
        return {
            c.tag: Placed(_AT_REST, "ship", c.title, "", c.outline_mm, c.height_mm) for c in cards
        }
    return unnamed(range(1, len(names) * MOST_SHIPS + 1))


def unnamed(numbers: Iterable[int]) -> dict[int, Placed]:
    """Return ships that nobody has named yet."""
    return {number: Placed(_AT_REST, "ship", "") for number in numbers}


def _captains(count: int) -> list[str]:
    return [f"Captain {number}" for number in range(1, count + 1)]


def read_numbers(text: str) -> list[int]:
    """Read numbers of tags: ``"1-8,12"``. Raises `PrintingError`.

    >>> read_numbers("1-3,12")
    [1, 2, 3, 12]
    """
    numbers: list[int] = []
    for part in text.split(","):
        first, _, last = part.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise PrintingError(f"tags are numbered like 1-8,12; {text!r} cannot be read")
        least, most = int(first), int(last or first)
        if least > most:
            raise PrintingError(f"tags are numbered upward: {most}-{least}, not {part.strip()}")
        numbers += range(least, most + 1)
    return numbers
