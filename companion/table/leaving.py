"""Pieces of an open table that are not seen any more: some are hidden, some have left it.

A tag that is gone proves nothing. But where the rules let a piece leave now (a ship sails off the
sea), the table asks instead of waiting for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.rules.game import Decision
from companion.rules.layout import Spot
from companion.table.findings import Explanation, ReadStep, Start
from companion.table.observation import Observation
from companion.table.outlook import Next, Outlook
from companion.table.remembered_dice import Memory

LEFT = 0.5
"""How likely it is that a piece which is not seen has left, where it may."""


def unseen(outlook: Outlook, state: Any, observation: Observation) -> tuple[int, ...]:
    """Return the tags that cannot be seen while somebody may be moving their pieces."""
    pending = outlook.game.pending(state)
    if not isinstance(pending, Decision) or not pending.measured or not observation.tags:
        return ()
    return tuple(sorted(outlook.layout(state).pieces.keys() - observation.tags.keys()))


def departures(
    outlook: Outlook, state: Any, memory: Memory, observation: Observation
) -> tuple[Explanation, ...]:
    """Return what may have been done to take pieces away that are not seen; once for each."""
    gone = unseen(outlook, state, observation)
    if not gone:
        return ()
    start, before = Start(state, memory), outlook.layout(state)
    found: dict[frozenset[Spot], Explanation] = {}
    for after in _taking_away(outlook, state, frozenset(gone)):
        step = ReadStep(after.action, LEFT, observation.frame_id, 1)
        found.setdefault(
            before.changed(after.layout),
            Explanation(
                start,
                after.state,
                after.layout,
                (step,),
                memory,
                p=LEFT,
                cost=0.0,
                rests_on_absence=True,
                may_go_on=False,
                prior=0.0,
            ),
        )
    return tuple(found.values())


def _taking_away(outlook: Outlook, state: Any, gone: frozenset[int]) -> Iterator[Next]:
    """Yield the choices that take no other pieces off the table than some that are not seen."""
    pending = outlook.game.pending(state)
    assert isinstance(pending, Decision)
    before = outlook.layout(state)
    for after in outlook.choices(state, pending.player):
        taken = before.changed(after.layout)
        if taken and gone.issuperset(taken) and taken.isdisjoint(after.layout.pieces):
            yield after
