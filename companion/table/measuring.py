"""What a picture of an open table may mean where a millimetre decides.

A pose is measured, and what follows from it may hang on less than the measurement can tell: a ram
at 45 degrees, a hull that touches or just does not. So a measured move is judged as it was read and
a little to every side; if that leads to different things, the table is asked which it was.

What was not moved stands where it is recorded: to read it anew would make moves of errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any

from companion.rules.layout import Layout, Pose
from companion.rules.plane import ERROR_MM, distance, place
from companion.table.findings import State
from companion.table.outlook import Next, Outlook

ERROR_DEG = 1.5
"""What a measured heading may be off by, as often as a place is by `ERROR_MM`."""


def measured_outcomes(
    outlook: Outlook, state: State, poses: Mapping[int, Pose], moved: Sequence[int]
) -> tuple[Next, ...]:
    """Return what the pieces that `moved` may have done, each different consequence once.

    Of what comes to the same the one that is nearest to the poses as they were read.
    """
    standing = {tag: piece.pose for tag, piece in outlook.layout(state).pieces.items()}
    read = {tag: poses[tag] for tag in moved if tag in poses}
    stands = {tag: pose for tag, pose in standing.items() if tag in poses} | read
    found = _nearest(outlook, state, (stands, *_nearby(stands, read)), read)
    # Hulls that touch, one of them read a little farther on: out of it leads neither axis alone.
    return found or _nearest(outlook, state, _aslant(stands, read), read)


def _nearest(
    outlook: Outlook, state: State, poses: Iterable[Mapping[int, Pose]], read: Mapping[int, Pose]
) -> tuple[Next, ...]:
    """Return each different consequence of some poses once, the nearest to what was read first."""
    best: dict[Any, tuple[float, Next]] = {}
    for seen in poses:
        for action in outlook.game.measured(state, seen):
            after = outlook.after(state, action)
            off = sum(_off_mm(after, tag, pose) for tag, pose in read.items())
            essence = essence_of(outlook, after.state, after.layout)
            if essence not in best or off < best[essence][0]:
                best[essence] = off, after
    return tuple(after for _, after in sorted(best.values(), key=lambda found: found[0]))


def _off_mm(after: Next, tag: int, seen: Pose) -> float:
    """Return how far a piece would be from where it was read."""
    piece = after.layout.pieces.get(tag)
    if piece is None:
        return 0.0
    return distance(place(piece.pose), place(seen))


def _nearby(poses: Mapping[int, Pose], moved: Iterable[int]) -> Iterator[Mapping[int, Pose]]:
    """Yield the poses with one of them off by what the measurement may be off by."""
    for tag in moved:
        pose = poses[tag]
        for by in (-1, 1):
            yield {**poses, tag: replace(pose, x_mm=pose.x_mm + by * ERROR_MM)}
            yield {**poses, tag: replace(pose, y_mm=pose.y_mm + by * ERROR_MM)}
            turned = (pose.heading_deg + by * ERROR_DEG) % 360
            yield {**poses, tag: replace(pose, heading_deg=turned)}


def _aslant(poses: Mapping[int, Pose], moved: Iterable[int]) -> Iterator[Mapping[int, Pose]]:
    """Yield the poses with one of them off by that much along both axes."""
    for tag in moved:
        pose = poses[tag]
        for x, y in product((-ERROR_MM, ERROR_MM), repeat=2):
            yield {**poses, tag: replace(pose, x_mm=pose.x_mm + x, y_mm=pose.y_mm + y)}


def essence_of(outlook: Outlook, state: Any, layout: Layout) -> Any:
    """Return what people would call different, places apart."""
    view = outlook.game.view(state, None)
    seats = tuple((seat.ships, tuple(sorted(seat.scores.items()))) for seat in view.seats)
    kinds = tuple(sorted((tag, piece.kind) for tag, piece in layout.pieces.items()))
    return outlook.game.pending(state).text, seats, view.sheets, view.notes, kinds
