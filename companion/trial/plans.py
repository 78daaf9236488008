"""What is rolled in a trial of an open table, kept in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.audit.rolls import find_kind
from companion.audit.trial import MOST_DICE, Plan
from companion.errors import AuditError
from companion.files import write_file
from companion.trial.names import PLAN


def keep_plan(plan: Plan, folder: Path) -> None:
    """Write down what is rolled. Raises `AuditError` if the card refuses it."""
    write_file(folder / PLAN, json.dumps(_to_json(plan), indent=1))


def kept_plan(folder: Path) -> Plan | None:
    """Return what is rolled; ``None`` if that was not written down.

    Raises `AuditError` if it cannot be read, or is none of ours.
    """
    try:
        return _of_json(json.loads((folder / PLAN).read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise AuditError(f"{PLAN}, which says what was rolled, {_why(error)}") from error


def _why(error: Exception) -> str:
    """Say why a plan cannot be read."""
    if isinstance(error, OSError):
        return f"cannot be read: {error.strerror}"
    if isinstance(error, json.JSONDecodeError):
        return f"was spoilt in line {error.lineno}"
    if isinstance(error, UnicodeDecodeError):
        return "is no text any more"
    if isinstance(error, KeyError):
        return f"says no {error.args[0]}"
    return f"was changed: {error}"


def _to_json(plan: Plan) -> dict[str, object]:
    return {
        "kind": plan.kind.id,
        "faces": plan.kind.faces,
        "wanted": plan.wanted,
        "at_once": plan.at_once,
        "captain": plan.captain,
        "look": plan.look,
    }


def _of_json(data: Any) -> Plan:
    """Return a plan. Raises `ValueError`, `KeyError` or `TypeError` for what is none."""
    if not isinstance(data, dict) or not isinstance(data.get("faces", []), list):
        raise TypeError("its parts are others")
    names = [data[name] for name in ("kind", "captain", "look")]
    numbers = [data[name] for name in ("wanted", "at_once")]
    if not all(isinstance(name, str) for name in names):
        raise TypeError("a name is no text")
    if not all(type(number) is int for number in [*numbers, *data["faces"]]):
        raise TypeError("a number is no whole one")
    if min(numbers) < 1 or data["at_once"] > MOST_DICE:
        raise ValueError("nobody throws so many")
    kind = find_kind(data["kind"], data["faces"])
    return Plan(kind, data["wanted"], data["at_once"], data["captain"], data["look"])
