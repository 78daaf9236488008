"""What pictures of a board and its tray show while a table is set up."""

from __future__ import annotations

import numpy as np

from companion.boards.profile import XY, BoardProfile, builtin_profiles, load_profile
from companion.errors import DoubtfulPicture, NotCalibrated, TrayNotFound
from companion.rules.dice import die_words, face_name
from companion.rules.layout import Cell
from companion.rules.words import capital, ended
from companion.setup.teaching import lesson
from companion.table.findings import SURE_DIE
from companion.table.observation import CellReading, DieReading, Unreadable
from companion.table.setting_up import BoardSight
from vision.board.reader import BoardReader
from vision.dice.any_tray import AnyTrayReader
from vision.dice.reader import TrayReader
from vision.frame import Array, Frame, Image
from vision.registration import BoardFit, marker_corners, marker_ids, missing_text, register

SURE_PIECE = 0.9
"""From here on a cell of a board that should be empty holds something."""
MOST_NAMED = 4
"""Places that are named where pieces still stand."""

_NO_WALLS = (
    "I see no box with upright walls in it. If yours has none, a leather tray or a mat, no such "
    "picture is needed; else let it be seen whole"
)


def sight(frame: Frame, board: BoardProfile) -> BoardSight:
    """Look for a board in a picture."""
    fit = register(frame.board, board, None, frame.id)
    if isinstance(fit, Unreadable):
        return BoardSight(frame.id, False, _why_not(frame, board, fit.reason))
    outlines = [_edge_mm(board), *_markers_mm(board, fit)]
    places = [np.array(board.cell_outline_mm(cell)) for cell in lesson(board)]
    return BoardSight(
        frame.id,
        True,
        _how_well(board, fit),
        tuple(_shares(fit, outline) for outline in outlines),
        tuple(_shares(fit, outline) for outline in places),
    )


def _shares(fit: BoardFit, outline_mm: Array) -> tuple[XY, ...]:
    """Return where corners on the board, (N, 2) mm, are seen, as shares of the picture."""
    return tuple((float(x), float(y)) for x, y in fit.project(outline_mm) / np.array(fit.size_px))


def _why_not(frame: Frame, board: BoardProfile, reason: str) -> str:
    """Say why a board is not found, and which one lies there if it is another."""
    seen = marker_ids(frame.board, board.dictionary)  # all of ours have the same
    for other in map(load_profile, builtin_profiles()):
        # Fitting takes long, and mostly there is nothing in the picture yet.
        may_lie_there = other.id != board.id and len(seen & {m.id for m in other.markers}) > 1
        if may_lie_there and isinstance(register(frame.board, other), BoardFit):
            return f"{_sentence(reason)} It is “{other.title}” that lies there: choose that one."
    return f"{_sentence(reason)} The whole board has to be in the picture."


def _edge_mm(board: BoardProfile) -> Array:
    near = -board.marker_inset_mm
    right, bottom = near + board.width_mm, near + board.height_mm
    return np.array([[near, near], [right, near], [right, bottom], [near, bottom]])


def _markers_mm(board: BoardProfile, fit: BoardFit) -> list[Array]:
    corners = zip(board.markers, marker_corners(board), strict=True)
    return [quad for marker, quad in corners if marker.id in fit.markers]


def _how_well(board: BoardProfile, fit: BoardFit) -> str:
    good = f"The board lies where I think it does to {fit.error_mm:.1f} mm."
    if len(fit.markers) == len(board.markers):
        return f"I see all markers. {good}"
    missing = missing_text(set(fit.markers), board)
    return f"{_sentence(missing)} It will do, but all are better. {good}"


def check_board(frame: Frame, board: BoardProfile, is_sure: bool) -> None:
    """Refuse a picture that is of no use as that of the empty board, or that seems to be none."""
    if board.is_open:
        raise NotCalibrated("an open table needs no such picture: the tags of the pieces are read")
    seen = BoardReader(board).read(frame)
    if isinstance(seen, Unreadable):
        raise NotCalibrated(seen.reason)
    full = [cell for cell, reading in seen.cells.items() if _holds_something(reading)]
    # Rings and names around ports look like an arm where the board was never seen empty.
    covered = [cell for cell in seen.occluded if not board.marks_on(cell)]
    if not is_sure and (full or covered):
        raise DoubtfulPicture(
            _standing(full, board) if full else "something lies over a part of it"
        )


def _holds_something(reading: CellReading) -> bool:
    looked_for = (reading.ships.get((), 0.0), reading.terrain.get(None, 0.0))
    cargo = reading.cargo.get(None, 0.0) if reading.cargo else 1.0
    return min(*looked_for, cargo) <= 1 - SURE_PIECE


def _standing(cells: list[Cell], board: BoardProfile) -> str:
    names = [board.name_of(cell) for cell in sorted(cells)]
    shown, more = names[:MOST_NAMED], len(names) - MOST_NAMED
    places = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    return f"something seems to stand on {places}"


def check_tray(picture: Image, board: BoardProfile, is_sure: bool) -> None:
    """Refuse a picture that is of no use as that of the empty tray, or that seems to be none."""
    if board.tray is None:
        raise NotCalibrated(f"{board.title} is played without a tray")
    try:
        TrayReader(board.tray.size_mm, picture)
    except TrayNotFound as error:
        raise NotCalibrated(_NO_WALLS) from error
    read = read_tray(picture, board, None)
    dice = [die.best[0] for die in read if die.best is not None and die.p >= SURE_DIE]
    if dice and not is_sure:
        words = ", ".join(f"{die_words(d.kind)} {face_name(d.kind, d.face)}" for d in dice)
        raise DoubtfulPicture(f"dice seem to lie in it: {words}")


def read_tray(picture: Image, board: BoardProfile, empty: Image | None) -> tuple[DieReading, ...]:
    """Read the dice in a tray, of any kind. Raises `NotCalibrated` if the board has none."""
    if board.tray is None:
        raise NotCalibrated(f"{board.title} is played without a tray")
    return AnyTrayReader(board.tray.size_mm, empty).read(picture, None)


def _sentence(text: str) -> str:
    return capital(ended(text))
