"""Which rule stands against a table that no legal line of play explains."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.ahoy_matey.state import State
from companion.rules.ahoy_matey.view import layout
from companion.rules.deeds import Deed
from companion.rules.game import LEGAL, Ruling
from companion.rules.layout import Layout

Check = Callable[[State, Deed], Ruling]


def objection(state: State, seen: Layout, check: Check, asked: Ruling) -> Ruling:
    """Return the refusal of the nearest illegal action, or `LEGAL`."""
    return asked if seen == layout(state) else LEGAL
