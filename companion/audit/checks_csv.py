"""Checked readings as CSV: how often a face was read right, and what it was taken for when not."""

from __future__ import annotations

from collections.abc import Iterable

from companion.audit.fair import Checks, ReaderChecks
from companion.audit.rolls import usual_kind
from companion.audit.rolls_csv import csv_line
from companion.audit.tables import Line, read_lines
from companion.errors import BadRolls
from companion.rules.dice import DieKind

CHECK_COLUMNS = {
    "kind": "kind of die, e.g. d6",
    "faces": "what is printed on its faces; empty, or no such column: as usual for the kind",
    "true": "what the die shows",
    "read": "what the camera took it for",
    "count": "how often",
}
"""Columns of a table of checks, in order, and what they mean."""

NEEDED = tuple(name for name in CHECK_COLUMNS if name != "faces")
MOST_COUNTED = 1_000_000_000
"""Nobody has checked more readings; numbers of any size would be too great to reckon with."""

Counts = dict[str, dict[tuple[int, int], int]]


def write_checks(checks: ReaderChecks, dice: Iterable[DieKind] = ()) -> str:
    """Return checks as CSV.

    Parameters
    ----------
    checks : ReaderChecks
        Checked readings by kind of die.
    dice : iterable of DieKind
        Dice with other faces than usual. Of those that are not told, the faces that were counted
        are written: the table can be read back whatever is in it.
    """
    known = {die.id: die for die in dice}
    faces = {kind: _faces(kind, counts, known.get(kind)) for kind, counts in checks.items()}
    columns = tuple(CHECK_COLUMNS) if any(faces.values()) else NEEDED
    lines = [csv_line(columns)]
    for kind, counts in sorted(checks.items()):
        for (true, read), count in sorted(counts.items()):
            cells = dict(zip(CHECK_COLUMNS, (kind, faces[kind], true, read, count), strict=True))
            lines.append(csv_line(str(cells[name]) for name in columns))
    return "".join(lines)


def _faces(kind: str, counts: Checks, die: DieKind | None) -> str:
    """Return what is printed on the faces of a die, as far as it must be told; empty: as usual."""
    counted = {face for faces in counts for face in faces}
    usual = usual_kind(kind)
    for known in (die, usual):
        if known is not None and counted <= set(known.faces):
            return "" if known == usual else " ".join(map(str, known.faces))
    return " ".join(map(str, sorted(counted)))


def read_checks(text: str) -> Counts:
    """Read checks; lines about the same faces add up.

    Raises `BadRolls` naming the first wrong line and what would have been right.
    """
    checks: Counts = {}
    for kind, faces, count in read_lines(text, CHECK_COLUMNS, NEEDED, ",".join(NEEDED), _check):
        counts = checks.setdefault(kind, {})
        counts[faces] = counts.get(faces, 0) + count
    return checks


def _check(line: Line) -> tuple[str, tuple[int, int], int]:
    """Return the kind of die, what it showed and was read as, and how often."""
    die = line.die()
    true, read, count = line.face("true", die), line.face("read", die), line.whole("count")
    if true is None or read is None or count is None:
        raise BadRolls(line.number, "'true', 'read' and 'count' must all be told")
    if not 0 <= count <= MOST_COUNTED:
        raise BadRolls(line.number, f"'count' must be from 0 to {MOST_COUNTED}, not {count}")
    return die.id, (true, read), count
