"""What a table may choose before the game: the variants, and what the rules leave open.

A variant is a flag. What follows from the flags together (dice, ships, boards) is worked out here
once, so that the rest of the rules read numbers and seldom ask for a variant by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property

from companion.errors import BadOptions
from companion.rules.ahoy_matey.sea import Sea, sea_of
from companion.rules.dice import DieKind
from companion.rules.game import Option
from companion.rules.options import read_chosen
from companion.rules.words import listed

FEWEST, MOST, MOST_ON_ONE_BOARD = 2, 8, 4
DIE = DieKind("piecepack", (0, 1, 2, 3, 4, 5))
"""Null, ace, 2, 3, 4 and 5 (AHM-1)."""
TURN_CAPS = range(10, 2001)


@dataclass(frozen=True)
class Options:
    """The options of one game, complete and without contradictions."""

    isla_diablo: bool = False
    buried_treasure: bool = False
    cursed_treasure: bool = False
    flotilla: bool = False
    strength_in_numbers: bool = False
    storm_surge: bool = False
    packed_to_the_rafters: bool = False
    hurricane: bool = False
    shipwrecked: bool = False
    freak_squall: bool = False
    dominion: bool = False
    armada: bool = False
    ghost_fleet: bool = False
    brethren: bool = False
    pieces_of_eight: bool = False
    doubloons: bool = False
    badly_drawn_map: bool = False
    world_domination: bool = False
    parlay: bool = False
    second_pack: bool = False
    delivery_ignores_reserve: bool = False
    diablo_take_needs_move: bool = True
    turn_cap: int = 300

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Options are looked up with every state; two dozen flags are hashed once.
        return hash(tuple(vars(self)[field.name] for field in fields(self)))

    @cached_property
    def boards(self) -> int:
        """Boards in play (AHM-V15)."""
        return 1 + any(getattr(self, name) for name in TWO_BOARDS)

    @cached_property
    def sea(self) -> Sea:
        """The sea that is sailed."""
        return sea_of(self.boards, self.storm_surge)

    @cached_property
    def dice(self) -> int:
        """Dice of a roll: two, four on two boards, and one more in a hurricane."""
        return 2 * self.boards + self.hurricane

    @cached_property
    def ships(self) -> int:
        """Ships of a fleet (AHM-3, AHM-V7)."""
        return 3 + self.packed_to_the_rafters

    @cached_property
    def stacks(self) -> bool:
        """Ships of a fleet may share any square and move together (AHM-V4, AHM-V5)."""
        return self.flotilla or self.strength_in_numbers

    @cached_property
    def treasures(self) -> int:
        """Treasures that must be brought home (AHM-V16)."""
        return 2 if self.doubloons else 1

    @cached_property
    def chosen(self) -> tuple[str, ...]:
        """The variants in play, in their order."""
        return tuple(name for name in VARIANTS if getattr(self, name))


@dataclass(frozen=True, slots=True)
class Variant:
    """What the set-up page says of a variant, and what it cannot be played with."""

    title: str
    text: str
    group: str
    players: tuple[int, int] = (FEWEST, MOST)
    clashes: tuple[tuple[str, str], ...] = ()
    """Other variants, each with the sentence that says why not both. Stands with the later one."""

    @property
    def wanted(self) -> str:
        """Say how many players it is for: ``"2"``, ``"2 to 4"``."""
        fewest, most = self.players
        return f"{fewest}" if fewest == most else f"{fewest} to {most}"


_PLAY, _CREWS, _BOARDS = "Variants", "Variants for so many players", "Two boards"
_TAKES_TWO_BOARDS = tuple(
    (name, f"{title} shares out the four harbours of one board; this is played on two.")
    for name, title in (
        ("dominion", "Dominion"),
        ("armada", "Armada"),
        ("ghost_fleet", "Ghost Fleet"),
    )
)

VARIANTS: Mapping[str, Variant] = {
    "isla_diablo": Variant(
        "Isla Diablo",
        "Everyone begins with one ship in the harbour and two at the nearest anchor squares.",
        _PLAY,
    ),
    "buried_treasure": Variant(
        "Buried Treasure",
        "Whoever digs for the treasure rolls a die: on a 4 or 5 it is not found.",
        _PLAY,
    ),
    "cursed_treasure": Variant(
        "Cursed Treasure",
        "Whoever takes the treasure rolls a die: on a null (later also an ace) the ship is stuck.",
        _PLAY,
    ),
    "flotilla": Variant(
        "Flotilla",
        "All ships begin stacked in the harbour; stacks move as one, split and join.",
        _PLAY,
        clashes=(
            (
                "isla_diablo",
                "Flotilla starts every ship in the harbour, Isla Diablo two of them at the island.",
            ),
        ),
    ),
    "strength_in_numbers": Variant(
        "Strength in Numbers",
        "Ships of one fleet may share a square, move together and are captured together.",
        _PLAY,
    ),
    "storm_surge": Variant(
        "Storm Surge", "The two trade winds are linked at their ends into one loop.", _PLAY
    ),
    "packed_to_the_rafters": Variant(
        "Packed to the Rafters", "Every fleet has four ships instead of three.", _PLAY
    ),
    "hurricane": Variant(
        "Hurricane",
        "One die more; three of a kind sink your ship that is furthest from home.",
        _PLAY,
    ),
    "shipwrecked": Variant(
        "Shipwrecked", "Captured ships stay where they sank and block the square.", _PLAY
    ),
    "freak_squall": Variant(
        "Freak Squall",
        "Two nulls may be turned to any faces; after playing them you roll again.",
        _PLAY,
    ),
    "dominion": Variant(
        "Dominion",
        "Two players: the two fleets at the ends of one trade wind against those of the other.",
        _CREWS,
        (2, 2),
    ),
    "armada": Variant(
        "Armada",
        "Two players: the two fleets at one corner of the winds against those at the other.",
        _CREWS,
        (2, 2),
        (("dominion", "Dominion and Armada share out the four fleets in different ways."),),
    ),
    "ghost_fleet": Variant(
        "Ghost Fleet",
        "Three players: whoever first loses every ship returns with the empty harbour's fleet.",
        _CREWS,
        (3, 3),
    ),
    "brethren": Variant(
        "Brethren of the Coast",
        "The treasure must be brought to the harbour opposite your own.",
        _CREWS,
        (2, 4),
        tuple(
            (
                name,
                f"{title} asks for the harbour of the ship's own fleet, Brethren for the one"
                " opposite.",
            )
            for name, title in (("dominion", "Dominion"), ("armada", "Armada"))
        ),
    ),
    "pieces_of_eight": Variant(
        "Pieces of Eight",
        "Two boards, four dice; a coin toss says which island has the treasure.",
        _BOARDS,
        clashes=_TAKES_TWO_BOARDS,
    ),
    "doubloons": Variant(
        "Doubloons!",
        "Two boards, four dice and a treasure on each island: bring both home.",
        _BOARDS,
        clashes=(
            *_TAKES_TWO_BOARDS,
            (
                "pieces_of_eight",
                "Doubloons! has a treasure on each island, Pieces of Eight one by coin toss.",
            ),
        ),
    ),
    "badly_drawn_map": Variant(
        "Badly Drawn Map",
        "Two boards, four dice; the first ship at an anchor rolls for where the treasure is.",
        _BOARDS,
        clashes=(
            *_TAKES_TWO_BOARDS,
            (
                "pieces_of_eight",
                "The Badly Drawn Map hides the one treasure, Pieces of Eight shows it at once.",
            ),
            (
                "doubloons",
                "The Badly Drawn Map hides one treasure, Doubloons! puts one on each island.",
            ),
        ),
    ),
    "world_domination": Variant(
        "World Domination",
        "Four players, two boards, four dice: everyone has a harbour and a fleet on each board.",
        _BOARDS,
        (4, 4),
    ),
}
"""By option, in the order of their rules, AHM-V1 to AHM-V18."""

TWO_BOARDS = ("pieces_of_eight", "doubloons", "badly_drawn_map", "world_domination")
"""Variants played on two boards."""

OPTION_LIST: tuple[Option, ...] = (
    *(
        Option(name, False, (False, True), variant.text, variant.title, variant.group)
        for name, variant in VARIANTS.items()
    ),
    Option(
        "parlay",
        False,
        (False, True),
        "Whoever rolls highest for the first turn picks further variants for this game.",
        "Parlay",
        "Variants",
    ),
    Option(
        "second_pack",
        False,
        (False, True),
        "Parlay may also pick the variants that need a second piecepack and board.",
        "Second piecepack at hand",
        "Two boards",
    ),
    Option(
        "delivery_ignores_reserve",
        False,
        (False, True),
        "The treasure may come home while ships are still in reserve.",
        "Home despite reserve",
    ),
    Option(
        "diablo_take_needs_move",
        True,
        (False, True),
        "In Isla Diablo a ship must move to an anchor before it takes the treasure.",
        "Isla Diablo: first move, then take",
    ),
    Option(
        "turn_cap",
        300,
        (),
        f"Turns after which the game is a draw, {TURN_CAPS[0]} to {TURN_CAPS[-1]}.",
        "Longest game",
    ),
)


def read_options(given: Mapping[str, object], players: int) -> Options:
    """Return the options of a game from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    cap = values["turn_cap"]
    if type(cap) is not int or cap not in TURN_CAPS:
        raise BadOptions(
            f"The longest game has {TURN_CAPS[0]} to {TURN_CAPS[-1]} turns, a whole number.",
            "turn_cap",
        )
    options = Options(**values)
    for name in options.chosen:
        objection = clash(name, options.chosen, players)
        if objection:
            raise BadOptions(objection, name)
    if players > MOST_ON_ONE_BOARD and options.boards == 1:
        titles = listed((VARIANTS[name].title for name in TWO_BOARDS[:3]), "or")
        raise BadOptions(
            f"One board has harbours for {MOST_ON_ONE_BOARD} players, not {players}: choose"
            f" {titles}.",
            "pieces_of_eight",
        )
    return options


def clash(name: str, others: tuple[str, ...], players: int) -> str | None:
    """Return why a variant cannot be played beside others or by so many, if it cannot.

    What no number of players would help comes first.
    """
    variant, title = VARIANTS[name], VARIANTS[name].title
    fewest, most = variant.players
    for other in others:
        for one, two in ((name, other), (other, name)):
            reason = dict(VARIANTS[one].clashes).get(two)
            if reason:
                return reason
        too = VARIANTS[other]
        if too.players[1] < fewest or most < too.players[0]:
            return f"{title} is for {variant.wanted} players, {too.title} for {too.wanted}."
    if not fewest <= players <= most:
        return f"{title} is for {variant.wanted} players, not {players}."
    return None
