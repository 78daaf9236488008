"""Table values as the JSON that pages read."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from companion.boards.profile import XY, BoardProfile
from companion.rules.game import GameInfo
from companion.rules.layout import cell_name
from companion.table.ports import Offer


def board_json(profile: BoardProfile) -> dict[str, Any]:
    """Return the geometry of a board, millimetres in the board frame (y down)."""
    return {
        "profile": profile.id,
        "title": profile.title,
        "pitch_mm": profile.pitch_mm,
        "cells": [
            {
                "id": cell_name(cell),
                "centre": _rounded(profile.cell_centre_mm(cell)),
                "outline": [_rounded(corner) for corner in profile.cell_outline_mm(cell)],
                "land": cell in profile.impassable,
                "marks": [{"kind": m.kind, "text": m.text} for m in profile.marks_on(cell)],
            }
            for cell in profile.cells
        ],
    }


def game_json(game: GameInfo, fixed: Collection[str]) -> dict[str, Any]:
    """Return what the start page needs to know of a game.

    `fixed` names the options that the printed board decides; nobody is asked about those.
    """
    return {
        "id": game.id,
        "title": game.title,
        "players": list(game.players),
        "options": [
            {"id": o.id, "default": o.default, "choices": list(o.choices), "text": o.text}
            for o in game.options
            if o.id not in fixed
        ],
    }


def offers_json(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """Return what a captain may tell the table."""
    return [{"text": offer.text, "action": dict(offer.action)} for offer in offers]


def _rounded(point: XY) -> list[float]:
    return [round(point[0], 2), round(point[1], 2)]
