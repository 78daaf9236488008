"""A piece of an open table that is moved on after its move was taken down.

People stop half-way, look along the ruler and push the ship on. What was measured first was only
the beginning, so as long as nothing else has happened the whole way takes its place.
"""

from __future__ import annotations

from typing import Any

from companion.rules.game import Decision
from companion.table.history import Played
from companion.table.measuring import measured_outcomes
from companion.table.observation import Observation
from companion.table.outlook import Outlook
from companion.table.sight import Sight


def whole_way(outlook: Outlook, last: Played | None, seen: Observation) -> Any | None:
    """Return the action that a piece moved on amounts to, in the place of the last one.

    ``None`` unless the last thing that happened was read from a picture, nothing but its pieces
    has moved since, and the rules allow one way only from where they stood before it.
    """
    if last is None or last.event.source != "camera":
        return None
    pending = outlook.game.pending(last.before)
    if not isinstance(pending, Decision) or not pending.measured:
        return None
    before, after = outlook.layout(last.before), outlook.layout(last.after)
    sight = Sight(seen)
    moved, now = before.changed(after), sight.compare(after)[1]
    if not now or not now <= moved:
        return None
    tags = sorted(spot for spot in now if isinstance(spot, int))
    ways = [
        way.action
        for way in measured_outcomes(outlook, last.before, sight.poses, tags)
        if not sight.compare(way.layout)[1]
    ]
    return ways[0] if len(ways) == 1 and ways[0].player == last.action.player else None
