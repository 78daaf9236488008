"""Which printed board a game is played on, given what the table has chosen."""

from __future__ import annotations

from collections.abc import Mapping

from companion.boards.profile import BoardProfile, builtin_profiles, load_profile
from companion.errors import BadOptions
from companion.rules.game import GameInfo
from companion.rules.options import frozen


def boards_of(game: GameInfo) -> tuple[BoardProfile, ...]:
    """Return the built-in boards a game can be played on, its default first."""
    default = load_profile(game.profile)
    others = (load_profile(name) for name in builtin_profiles() if name != game.profile)
    return (default, *(board for board in others if game.id in board.games))


def board_for(game: GameInfo, options: Mapping[str, object]) -> BoardProfile:
    """Return the built-in board that fits the chosen options.

    A board fits when nothing that its print fixes was chosen otherwise; options that are left out
    or ``None`` follow the board. A board made for something that was chosen goes first, then the
    game's default.

    Raises `BadOptions`, saying what the boards are printed for, when none fits.
    """
    boards = boards_of(game)
    made_for_it = [b for b in boards if any(options.get(name) for name in b.only_for)]
    for board in made_for_it or [b for b in boards if not b.only_for]:
        if not _clashes(board, options):
            _check_sea(game, board, options)
            return board
    wrong = _clashes(boards[0], options)
    wanted = _listed(game, {name: frozen(options[name]) for name in wrong})
    prints = "; ".join(f"{b.id}: {_listed(game, b.options)}" for b in boards)
    raise BadOptions(f"No board is printed for {wanted}; there are {prints}.", wrong[0])


def _check_sea(game: GameInfo, board: BoardProfile, options: Mapping[str, object]) -> None:
    """Refuse a sea of the table's own that is not the printed one: no board can be chosen for it.

    Raises `BadOptions`.
    """
    if game.sea_of is None:
        return
    wanted = game.sea_of(options)
    kinds = {*wanted.values()} - {""}
    there = {
        cell: next((m.kind for m in board.marks_on(cell) if m.kind in kinds), "")
        for cell in {*board.cells} - board.impassable
    }
    other = sorted(c for c in wanted.keys() | there.keys() if wanted.get(c) != there.get(c))
    if other:
        cell = other[0]
        mine, printed = (_square(sea.get(cell)) for sea in (wanted, there))
        raise BadOptions(
            f"the cards are for another sea than the printed board {board.id!r}: column {cell[0]},"
            f" row {cell[1]} is {mine} for the cards and {printed} on the board. Let the file have"
            " the sea and the ports of the house deck; there is no other board to choose",
            next(option.id for option in game.options if option.file),
        )


def _square(printed: str | None) -> str:
    return "no sea" if printed is None else f"a {printed}" if printed else "open sea"


def _clashes(board: BoardProfile, options: Mapping[str, object]) -> list[str]:
    """Return the options that were chosen otherwise than the board is printed."""
    chosen = {name: frozen(value) for name, value in options.items() if value is not None}
    return [name for name, value in board.options.items() if chosen.get(name, value) != value]


def _listed(game: GameInfo, options: Mapping[str, object]) -> str:
    """Say what was chosen, each option by the title it has on the page."""
    titles = {option.id: option.title for option in game.options}
    named = [f"“{titles.get(name, name)}” {_shown(value)}" for name, value in options.items()]
    return ", ".join(named) or "anything else"


def _shown(value: object) -> str:
    return " x ".join(map(str, value)) if isinstance(value, tuple) else str(value)
