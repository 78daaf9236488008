"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from companion.rules.pirates_csg.state import State


def first_complaint(state: State) -> str | None:
    """Return what cannot be in a state, or ``None``. Later checks rely on the earlier ones."""
    return None
