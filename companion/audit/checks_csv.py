"""Checked readings as CSV: how often a face was read right, and what it was taken for when not."""

from __future__ import annotations

import csv
import io

from companion.audit.fair import ReaderChecks
from companion.audit.rolls import find_kind
from companion.errors import BadRolls

CHECK_COLUMNS = {
    "kind": "kind of die, e.g. d6",
    "true": "what the die shows",
    "read": "what the camera took it for",
    "count": "how often",
}
"""Columns of a table of checks, in order, and what they mean."""

Counts = dict[str, dict[tuple[int, int], int]]


def write_checks(checks: ReaderChecks) -> str:
    """Return checks as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CHECK_COLUMNS)
    for kind, counts in sorted(checks.items()):
        for (true, read), count in sorted(counts.items()):
            writer.writerow((kind, true, read, count))
    return out.getvalue()


def read_checks(text: str) -> Counts:
    """Read checks; lines about the same faces add up.

    Raises `BadRolls` naming the line and what would have been right.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    if reader.fieldnames is None or not set(CHECK_COLUMNS) <= set(reader.fieldnames):
        raise BadRolls(1, f"the first line must name the columns {', '.join(CHECK_COLUMNS)}")
    checks: Counts = {}
    for cells in reader:
        line = reader.line_num
        kind = find_kind((cells["kind"] or "").strip(), line=line)
        true, read, count = (_whole(cells[name], name, line) for name in ("true", "read", "count"))
        for face in (true, read):
            if face not in kind.faces:
                raise BadRolls(
                    line, f"a {kind.id} shows {', '.join(map(str, kind.values))}, not {face}"
                )
        counts = checks.setdefault(kind.id, {})
        counts[true, read] = counts.get((true, read), 0) + count
    return checks


def _whole(text: str | None, name: str, line: int) -> int:
    if text is None or not text.strip().isdecimal():
        raise BadRolls(line, f"{name!r} must be a whole number, not {text!r}")
    return int(text)
