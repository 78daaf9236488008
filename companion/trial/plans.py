"""What is rolled in a trial of an open table, kept in its folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.audit.rolls import find_kind
from companion.audit.trial import MOST_DICE, Plan
from companion.files import write_file
from companion.trial.names import PLAN


def keep_plan(plan: Plan, folder: Path) -> None:
    """Write down what is rolled. Raises `AuditError` if the card refuses it."""
    write_file(folder / PLAN, json.dumps(_to_json(plan), indent=1))


def kept_plan(folder: Path) -> Plan | None:
    """Return what is rolled; ``None`` if that was not written down, or is none of ours."""
    try:
        return _of_json(json.loads((folder / PLAN).read_text("utf-8")))
    except (OSError, ValueError, KeyError, TypeError):
        return None


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
    names = [data[name] for name in ("kind", "captain", "look")]
    numbers = [data[name] for name in ("wanted", "at_once")]
    if not all(isinstance(name, str) for name in names):
        raise TypeError(f"a name is a text: {names}")
    if not all(type(number) is int for number in [*numbers, *data["faces"]]):
        raise TypeError("a number is a whole one")
    if min(numbers) < 1 or data["at_once"] > MOST_DICE:
        raise ValueError("nobody throws so many")
    kind = find_kind(data["kind"], data["faces"])
    return Plan(kind, data["wanted"], data["at_once"], data["captain"], data["look"])
