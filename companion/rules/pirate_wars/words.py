"""Names in plain words, as people at the table say them."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.game import Happening, PlayerId
from companion.rules.pirate_wars.built.figures import KINDS
from companion.rules.pirate_wars.crew import DECK, STATION_NAMES
from companion.rules.pirate_wars.pieces import FLOATS, tag_of
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.words import listed

Told = tuple[Happening, ...]
"""What is said of a step."""
ON_LAND = ("party", "tribe")
"""Kinds of pieces whose figures stand on the ground."""
WIND_NAMES = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


def who(state: State, player: PlayerId | int) -> str:
    """Name a player."""
    return state.names[player] if 0 <= player < len(state.names) else f"player {player}"


def ship_name(state: State, number: int) -> str:
    """Name a ship: its colour and what it is, numbered where a side has two of them."""
    if not 0 <= number < len(state.ships):
        return f"ship {number + 1}"
    ship = state.ships[number]
    design = state.options.built[ship.design]
    like = [n for n, s in enumerate(state.ships) if s.design == ship.design]
    name = f"the {design.title}"
    return name if len(like) == 1 else f"{name} ({number + 1})"


def with_tag(state: State, number: int) -> str:
    """Name a ship and the tag she is to bear: some are told from others by its number alone."""
    tag = tag_of(number)
    return f"{ship_name(state, number).removesuffix(f' ({tag})')} (tag {tag})"


def verb_of(state: State, number: int, word: str) -> str:
    """Return a verb as it is said of a piece: of natives, who are many, without its ending."""
    if not (0 <= number < len(state.ships) and design_of(state, number).kind == "tribe"):
        return word
    return {"is": "are", "has": "have"}.get(word, word.removesuffix("s"))


def moving_verb(state: State, number: int) -> str:
    """Say what is done to move a piece: ships are sailed, boats rowed, figures marched."""
    design = design_of(state, number) if 0 <= number < len(state.ships) else None
    if design is None or design.masts:
        return "sail"
    return "row" if design.kind == "launch" else "march"


def boarding_verb(state: State, target: int) -> str:
    """Say what is done to fight a piece hand to hand: what floats is boarded, the rest attacked."""
    known = 0 <= target < len(state.ships)
    return "attack" if known and design_of(state, target).kind not in FLOATS else "board"


def is_melee(state: State, pair: tuple[int, int]) -> bool:
    """Tell whether a fight hand to hand is no boarding, which is between what floats."""
    return any(design_of(state, number).kind not in FLOATS for number in pair)


def fight_named(state: State, pair: tuple[int, int]) -> str:
    """Name a fight hand to hand."""
    return "melee" if is_melee(state, pair) else "boarding"


def figures_named(figures: Iterable[tuple[str, int]]) -> str:
    """Name some figures: ``"7 pirates and 1 First Mate"``."""
    return listed(figure_named(name, count) for name, count in figures) or "nobody"


def figure_named(name: str, count: int) -> str:
    """Name so many of a kind."""
    kind = KINDS.get(name)
    if kind is None:
        return f"{count} {name}"
    return f"{count} {kind.title if count == 1 else kind.plural}"


def standing(state: State, number: int, station: str) -> str:
    """Say where figures of a piece stand; those in the open ashore are on no deck."""
    open_ground = 0 <= number < len(state.ships) and design_of(state, number).kind in ON_LAND
    return "ashore" if open_ground and station == DECK else station_named(station)


def place_name(station: str) -> str:
    """Name a station or a place of a fortress.

    >>> place_name("deck"), place_name("guns"), place_name("floor-2")
    ('deck', 'the gun deck', 'floor 2 of the tower')
    """
    return station_named(station).partition(" ")[2] or "?"


def station_named(station: str) -> str:
    """Say where figures stand."""
    return STATION_NAMES.get(station, station or "anywhere")
