"""Who sails which fleets from which harbours (AHM-2, AHM-12 and the variants that change it)."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from companion.rules.ahoy_matey.options import Options
from companion.rules.ahoy_matey.sea import (
    ANCHORS,
    EAST,
    HARBOURS,
    NORTH,
    SOUTH,
    WEST,
    at_home,
    board_of,
    on_board,
)
from companion.rules.game import PlayerId
from companion.rules.layout import Cell
from companion.rules.squares import opposite

SUITS = ("suns", "crowns", "moons", "arms")
"""By side of the board: north, east, south, west."""

Berth = tuple[int, int]
"""A board (0-based) and a side of it."""

_ONE_BOARD: dict[int, tuple[Berth, ...]] = {
    2: ((0, NORTH), (0, SOUTH)),
    3: ((0, NORTH), (0, EAST), (0, SOUTH)),
    4: ((0, NORTH), (0, EAST), (0, SOUTH), (0, WEST)),
}
"""By number of players, clockwise (AHM-12)."""
_AROUND_TWO_BOARDS: tuple[Berth, ...] = (
    (0, NORTH),
    (0, EAST),
    (1, NORTH),
    (1, EAST),
    (1, SOUTH),
    (1, WEST),
    (0, SOUTH),
    (0, WEST),
)
"""Clockwise around two boards that overlap at the straits."""
_FILLED_FIRST: tuple[Berth, ...] = (
    (0, NORTH),
    (1, SOUTH),
    (0, SOUTH),
    (1, NORTH),
    (0, EAST),
    (1, EAST),
    (0, WEST),
    (1, WEST),
)
"""Both boards are peopled alike as far as it goes."""


class Fleet(NamedTuple):
    """Ships of one suit: who commands them and where they are at home."""

    colour: str
    player: PlayerId
    harbour: Cell


@cache
def fleets_of(options: Options, players: int, ghost: PlayerId | None) -> tuple[Fleet, ...]:
    """Return the fleets in play, clockwise; the Ghost Fleet, if it sails, last (AHM-V13)."""
    berths = _berths(options, players)
    fleets = [_fleet(berth, PlayerId(player)) for berth, player in berths]
    if ghost is not None:
        fleets.append(_fleet((0, WEST), ghost))
    return tuple(fleets)


def _berths(options: Options, players: int) -> list[tuple[Berth, int]]:
    if options.dominion:
        return [((0, NORTH), 0), ((0, EAST), 1), ((0, SOUTH), 1), ((0, WEST), 0)]
    if options.armada:
        return [((0, NORTH), 0), ((0, EAST), 0), ((0, SOUTH), 1), ((0, WEST), 1)]
    if options.world_domination:
        return [((board, side), side) for board in (0, 1) for side in range(4)]
    if options.boards == 1:
        return [(berth, player) for player, berth in enumerate(_ONE_BOARD[players])]
    taken = _FILLED_FIRST[:players]
    around = [berth for berth in _AROUND_TWO_BOARDS if berth in taken]
    return [(berth, player) for player, berth in enumerate(around)]


def _fleet(berth: Berth, player: PlayerId) -> Fleet:
    board, side = berth
    colour = SUITS[side] if board == 0 else f"{SUITS[side]}{board + 1}"
    return Fleet(colour, player, on_board(HARBOURS[side], board))


def nearest_anchors(harbour: Cell) -> tuple[Cell, ...]:
    """Return the two anchors nearest to a harbour (AHM-10, AHM-V1)."""
    side = HARBOURS.index(at_home(harbour))
    return tuple(on_board(cell, board_of(harbour)) for cell in ANCHORS[side])


def destination(options: Options, fleet: Fleet) -> Cell:
    """Return the harbour that a fleet must bring the treasure to (AHM-38, AHM-V14)."""
    if not options.brethren:
        return fleet.harbour
    side = opposite(HARBOURS.index(at_home(fleet.harbour)))
    return on_board(HARBOURS[side], board_of(fleet.harbour))
