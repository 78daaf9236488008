"""Commands as JSON: what phones send.

========== ==========================================
type       fields
========== ==========================================
act        ``action`` (JSON of the game), ``version``
answer     ``question``, ``choice``
turn       ``version``
undo       ``seq``, ``reason``
correct    ``seq``, ``action``, ``reason``
take_seat  ``phone``
free_seat  ``taken``
========== ==========================================

All may carry ``seat``: whoever speaks for it; the web layer sets it, not the phone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.errors import MalformedAction
from companion.rules.game import AnyGame
from companion.table.commands import (
    Act,
    AnswerQuestion,
    Command,
    Correct,
    FreeSeat,
    PressTurn,
    TakeSeat,
    Undo,
)

Json = Mapping[str, Any]


def read_command(game: AnyGame, data: Json) -> Command:
    """Return the command that `data` says.

    Raises
    ------
    MalformedAction
        Naming the field that is missing or wrong.
    """
    kind = data.get("type")
    if not isinstance(kind, str) or kind not in READERS:
        raise MalformedAction(f"a command's type is one of {', '.join(READERS)}, not {kind!r}")
    return READERS[kind](game, data)


def _act(game: AnyGame, data: Json) -> Command:
    action = game.action_from_json(_field(data, "action", dict))
    return Act(action, _seat(data), _optional_int(data, "version"))


def _answer(_game: AnyGame, data: Json) -> Command:
    choice = _field(data, "choice", str)
    return AnswerQuestion(_field(data, "question", int), choice, _seat(data))


def _turn(_game: AnyGame, data: Json) -> Command:
    return PressTurn(_seat(data), _optional_int(data, "version"))


def _undo(_game: AnyGame, data: Json) -> Command:
    return Undo(_seat(data), _reason(data), _optional_int(data, "seq"))


def _correct(game: AnyGame, data: Json) -> Command:
    action = game.action_from_json(_field(data, "action", dict))
    return Correct(_field(data, "seq", int), action, _seat(data), _reason(data))


def _take_seat(_game: AnyGame, data: Json) -> Command:
    return TakeSeat(_field(data, "phone", str), _seat(data))


def _free_seat(_game: AnyGame, data: Json) -> Command:
    return FreeSeat(_field(data, "taken", int), _seat(data))


READERS: Mapping[str, Callable[[AnyGame, Json], Command]] = {
    "act": _act,
    "answer": _answer,
    "turn": _turn,
    "undo": _undo,
    "correct": _correct,
    "take_seat": _take_seat,
    "free_seat": _free_seat,
}


def _field(data: Json, name: str, kind: type) -> Any:
    value = data.get(name)
    if not isinstance(value, kind) or isinstance(value, bool):
        raise MalformedAction(f"{name!r} must be {_KINDS[kind]}, not {value!r}")
    if isinstance(value, str) and not _can_be_kept(value):
        raise MalformedAction(f"{name!r} holds half a character, which cannot be written down")
    return value


def _can_be_kept(text: str) -> bool:
    """Say whether a text can be written at all; JSON can spell half a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


_KINDS = {int: "a whole number", str: "a text", dict: "an object"}


def _optional_int(data: Json, name: str) -> int | None:
    return None if data.get(name) is None else _field(data, name, int)


def _seat(data: Json) -> int | None:
    return _optional_int(data, "seat")


def _reason(data: Json) -> str:
    text: str = _field({"reason": "", **data}, "reason", str)
    return text[:200]
