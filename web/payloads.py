"""Table values as the JSON that pages read."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from math import isfinite
from typing import Any
from unicodedata import category

from companion.boards.profile import XY, BoardProfile
from companion.rules.dice import STANDARD_DICE
from companion.rules.game import GameInfo, Option
from companion.rules.hexes import distance
from companion.rules.layout import Die, Layout, Placed, Pose, cell_name, make_layout
from companion.table.snapshot import LogEntry, Offer
from web.errors import WebError

MOST_LETTERS = 24
"""Of a name that people give: a captain, as the start page has it, or a die."""
UNSHOWN = ("Cc", "Zl", "Zp")
"""Unicode's control characters and ends of lines."""
MOST_DEEP = 32
"""Levels of lists and objects in a request."""


def is_name(text: str) -> bool:
    """Say whether a page can show a name: it is short, and in one line."""
    return len(text) <= MOST_LETTERS and not any(category(letter) in UNSHOWN for letter in text)


def board_json(profile: BoardProfile) -> dict[str, Any]:
    """Return the geometry of a board, millimetres in the board frame (y down)."""
    return {
        "profile": profile.id,
        "title": profile.title,
        "sheet": [-profile.marker_inset_mm] * 2 + [profile.width_mm, profile.height_mm],
        "pitch_mm": profile.pitch_mm,
        "pieces": profile.pieces.set,
        "cells": [
            {
                "id": cell_name(cell),
                "name": profile.name_of(cell),
                "centre": _rounded(profile.cell_centre_mm(cell)),
                "outline": [_rounded(corner) for corner in profile.cell_outline_mm(cell)],
                "ring": distance(cell, (0, 0)) if profile.grid.is_hex else None,
                "land": cell in profile.impassable,
                "marks": [
                    {"kind": m.kind, "text": m.text, "paint": m.paint}
                    for m in profile.marks_on(cell)
                ],
            }
            for cell in profile.cells
        ],
    }


def game_json(game: GameInfo, boards: Sequence[BoardProfile]) -> dict[str, Any]:
    """Return what the start page needs to know of a game.

    `boards` are those it can be played on. What their prints fix may be chosen as far as a board is
    printed for it; an option that follows the board (its default is ``None``) is not asked.
    """
    return {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "options": [
            _option_json(o, _printed(o, boards)) for o in game.options if _asked(o, boards)
        ],
    }


def _asked(option: Option, boards: Sequence[BoardProfile]) -> bool:
    printed = _printed(option, boards)
    return not printed or (option.default is not None and len(printed) > 1)


def _printed(option: Option, boards: Sequence[BoardProfile]) -> list[object]:
    """Return the values of an option that boards are printed for; empty where none fixes it."""
    if not all(option.id in board.options for board in boards):
        return []
    values = {board.options[option.id] for board in boards}
    return [choice for choice in option.choices if choice in values]


def _option_json(option: Option, printed: Collection[object]) -> dict[str, Any]:
    labels = option.labels or (None,) * len(option.choices)
    return {
        "id": option.id,
        "kind": option.kind,
        "title": option.title or option.id.replace("_", " ").capitalize(),
        "group": option.group,
        "text": option.text,
        "default": option.default,
        "choices": [
            {"value": value, "label": label}
            for value, label in zip(option.choices, labels, strict=True)
            if not printed or value in printed
        ],
        "fields": [_option_json(field, ()) for field in option.fields],
        "workshop": option.workshop,
        "file": option.file,
    }


def offers_json(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """Return what a captain may tell the table."""
    # Not `asdict`: it copies what is deep inside, and there may be hundreds.
    names = [field.name for field in fields(Offer)]
    return [{name: getattr(offer, name) for name in names} for offer in offers]


def log_json(lines: Iterable[LogEntry]) -> list[dict[str, Any]]:
    """Return lines of the log as `Snapshot.to_json` has them."""
    return [{**asdict(line), "consequences": list(line.consequences)} for line in lines]


def faces_json(kinds: Collection[str], games: Iterable[GameInfo]) -> list[dict[str, Any]]:
    """Return what each kind of the dice to be rolled can show, to count a roll of many."""
    known = {kind.id: kind for kind in (*STANDARD_DICE, *(k for g in games for k in g.dice))}
    wanted = (known[kind] for kind in sorted(set(kinds)) if kind in known)
    return [{"kind": kind.id, "face": value} for kind in wanted for value in kind.values]


def is_plain(value: object) -> bool:
    """Say whether a request can be kept: whole characters, finite numbers, and nothing too deep.

    >>> is_plain({"reason": "Möwe"}), is_plain({"reason": chr(0xD800)}), is_plain([float("nan")])
    (True, False, False)
    """
    level = [value]
    for _ in range(MOST_DEEP):
        if not all(map(_is_whole, level)):
            return False
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return True
    return False


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return (*value.keys(), *value.values())
    return value if isinstance(value, list) else ()


def _is_whole(value: object) -> bool:
    if isinstance(value, str):
        # JSON can spell half a character ("\\ud800"), which no file and no hash can hold.
        return not any("\ud800" <= letter <= "\udfff" for letter in value)
    return not isinstance(value, float) or isfinite(value)


def shown_layout(body: Mapping[str, Any]) -> Layout:
    """Read what a phone shows: ``{"pieces": [{tag, x_mm, y_mm, heading_deg}], "dice": [...]}``.

    Dice are ``{"kind", "face"}``; both lists may be left out. Raises `WebError`.
    """
    try:
        pieces = {_whole(p["tag"]): Placed(_pose(p), "", "") for p in body.get("pieces", ())}
        dice = [Die(str(d["kind"]), _whole(d["face"])) for d in body.get("dice", ())]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        text = "Pieces need tag, x_mm, y_mm and heading_deg as numbers; dice a kind and a face."
        raise WebError(400, "malformed", text) from error
    return make_layout({}, dice, pieces)


def _pose(data: Mapping[str, Any]) -> Pose:
    pose = Pose(*(float(data[key]) for key in ("x_mm", "y_mm", "heading_deg")))
    if not all(isfinite(value) for value in (pose.x_mm, pose.y_mm, pose.heading_deg)):
        raise ValueError("not a place")
    return pose.rounded()


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"not a whole number: {value!r}")
    return value


def _rounded(point: XY) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]
