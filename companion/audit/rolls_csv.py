"""Rolls as CSV, in and out; an export is a chain of hashes that shows the first changed line.

`COLUMNS` is the whole format. Only `face` must be there to be read, and `kind` unless the caller
knows it; every other column may be missing or empty.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Mapping
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time
from itertools import count

from companion.audit.rolls import STANDS, STATUSES, DieRoll, usual_kind
from companion.audit.tables import Line, read_lines, table_lines
from companion.errors import AlteredExport, BadRolls
from companion.ledger.events import GENESIS, canonical_json

COLUMNS: Mapping[str, str] = {
    # First, because it is a number: a line that begins with "#" is none of the rolls.
    "roll": "a whole number; dice of a game with the same number were rolled together",
    "table": "name of the table",
    "game": "the ledger's id of the game",
    "time": "when, ISO 8601, e.g. 2026-11-21T20:14:05+00:00; without the offset to UTC it is local "
    "time, a date alone is noon",
    "kind": "kind of die, e.g. d6, d20, sail",
    "faces": "what is printed on its faces, e.g. 2 3 3 4; empty: as usual for the kind",
    "die": "tells dice of one kind apart, e.g. green",
    "face": "what it shows; empty: it could not be read, and nobody has told it",
    "captain": "who rolled",
    "purpose": "what for: the phase of the game",
    "source": "who told it: camera, phone, button or table",
    "read": "what the camera took it for; empty: told by people",
    "p": "how sure the camera was, 0 to 1",
    "seems": "why it was not: cocked, half-hidden, stacked, no die, unclear, or one too many; "
    "empty: it was sure",
    "confirmed_by": "who said what it shows",
    "status": "stands, corrected or taken back; only what stands is counted",
    "picture": "name of the evidence picture",
    "box": "where the die lies in the picture of the tray: x y width height, pixels",
    "event": "hash of the ledger's event it comes from",
    "hash": "SHA-256 over the hash of the line before and the other cells of this one",
}
"""Columns of an export, in order, and what they mean."""

ADDED_LATER = ("seems",)
"""Columns that exports of earlier versions have not: those are as well sealed without."""

SEAL = "#sealed"
"""First cell of the last line of an export: then the number of rolls and the last hash."""

SEAL_CHARS = 12
"""So much of the last hash is told to people, to be compared."""

NOON = time(12)

CELLS = tuple(name for name in COLUMNS if name != "hash")


# -- out ------------------------------------------------------------------------------------------


def write_rolls(rolls: Iterable[DieRoll]) -> str:
    """Return rolls as a sealed CSV file."""
    lines, last = roll_lines(rolls)
    return "".join([csv_line(COLUMNS), *lines, csv_line((SEAL, str(len(lines)), last))])


def roll_lines(rolls: Iterable[DieRoll], last: str = GENESIS) -> tuple[list[str], str]:
    """Return the lines of rolls behind one whose hash is `last`, and the hash of the last."""
    lines = []
    for roll in rolls:
        cells = to_cells(roll)
        last = chain_hash(last, cells)
        lines.append(csv_line([*cells, last]))
    return lines, last


def csv_line(cells: Iterable[str]) -> str:
    """Return a line of CSV with its end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def to_cells(roll: DieRoll) -> list[str]:
    """Return a roll as the cells of a line, without its hash."""
    usual = roll.kind == usual_kind(roll.kind.id)
    cells = {
        "table": roll.table,
        "game": roll.game,
        "roll": str(roll.roll),
        "time": "" if roll.time_s is None else _time_text(roll.time_s),
        "kind": roll.kind.id,
        "faces": "" if usual else " ".join(map(str, roll.kind.faces)),
        "die": roll.look,
        "face": "" if roll.face is None else str(roll.face),
        "captain": roll.captain,
        "purpose": roll.purpose,
        "source": roll.source,
        "read": "" if roll.read is None else str(roll.read),
        "p": "" if roll.p is None else f"{roll.p:g}",
        "seems": roll.seems,
        "confirmed_by": roll.confirmed_by,
        "status": roll.status,
        "picture": roll.picture,
        "box": "" if roll.box is None else " ".join(map(str, roll.box)),
        "event": roll.event,
    }
    return [_safe(cells[name]) for name in CELLS]


def _safe(cell: str) -> str:
    """Return a cell that comes back as it went: the end of a line is one character, none is last.

    A name may come from anywhere, and CSV cannot hold a carriage return faithfully.
    """
    return cell.replace("\r\n", "\n").replace("\r", "\n").strip()


def chain_hash(last: str, cells: Iterable[str]) -> str:
    """Return the hash of a line behind one whose hash is `last`."""
    return hashlib.sha256(canonical_json([last, *cells]).encode()).hexdigest()


def _time_text(time_s: float) -> str:
    return datetime.fromtimestamp(time_s, UTC).isoformat()


# -- in -------------------------------------------------------------------------------------------


def read_rolls(text: str, kind: str = "") -> tuple[DieRoll, ...]:
    """Read rolls from CSV, an export or a table of one's own.

    Parameters
    ----------
    text : str
        The file, separated by commas, semicolons or tabs. Its first line names the columns; unknown
        ones are left alone.
    kind : str
        The kind of dice, for lines that do not tell it.

    Raises
    ------
    BadRolls
        Naming the first wrong line, from 1, and what would have been right; more of them follow.
    """
    # A line without a number of its own is a roll by itself.
    places = count(1)
    return tuple(
        read_lines(
            text, COLUMNS, ("face",), "kind,face", lambda line: _roll(line, kind, next(places))
        )
    )


def unknown_columns(text: str) -> tuple[str, ...]:
    """Return the columns of a table that mean nothing here: somebody may have misspelt one."""
    _, header = next(table_lines(text), (0, []))
    return tuple(name for name in header if name and name.strip().lower() not in COLUMNS)


def _roll(line: Line, kind: str, place: int) -> DieRoll:
    die = line.die(kind)
    number = line.whole("roll")
    return DieRoll(
        die,
        line.face("face", die),
        look=line.text("die"),
        captain=line.text("captain"),
        purpose=line.text("purpose"),
        table=line.text("table"),
        game=line.text("game"),
        roll=place if number is None else number,
        time_s=_time(line),
        source=line.text("source"),
        read=line.face("read", die),
        p=_probability(line),
        seems=line.text("seems"),
        confirmed_by=line.text("confirmed_by"),
        status=_status(line),
        picture=line.text("picture"),
        box=_box(line),
        event=line.text("event"),
    )


def _time(line: Line) -> float | None:
    """Return a time in seconds since 1970; who notes none of the day or no offset means local."""
    text = line.text("time")
    if not text:
        return None
    try:
        when = _noon(text) or datetime.fromisoformat(text)
        if not MINYEAR < when.year < MAXYEAR:  # else it has no evening, or none in UTC
            raise ValueError
    except ValueError:
        raise BadRolls(
            line.number, f"'time' must be like 2026-11-21T20:14:05+00:00, not {text!r}"
        ) from None
    return when.timestamp()


def _noon(text: str) -> datetime | None:
    """Return noon of a date that stands alone: midnight would belong to the evening before."""
    try:
        return datetime.combine(date.fromisoformat(text), NOON)
    except ValueError:
        return None


def _probability(line: Line) -> float | None:
    text = line.text("p")
    if not text:
        return None
    try:
        p = float(text.replace(",", "."))
    except ValueError:
        p = -1.0
    if not 0 <= p <= 1:
        raise BadRolls(line.number, f"'p' must be a number from 0 to 1, not {text!r}")
    return p


def _status(line: Line) -> str:
    status = line.text("status") or STANDS
    if status not in STATUSES:
        raise BadRolls(
            line.number, f"'status' must be one of {', '.join(STATUSES)}, not {status!r}"
        )
    return status


def _box(line: Line) -> tuple[int, int, int, int] | None:
    numbers = line.numbers("box")
    if not numbers:
        return None
    if len(numbers) != 4:
        raise BadRolls(line.number, "'box' must be x, y, width and height")
    return (numbers[0], numbers[1], numbers[2], numbers[3])


# -- is it as it was written? ---------------------------------------------------------------------


def verify_export(text: str) -> tuple[tuple[int, DieRoll], ...]:
    """Return the rolls of an export that is as it was written, each with its line's number.

    It proves that no byte was changed, no line removed or put in since. It does not prove who wrote
    it: whoever makes a new chain makes a new export. Compare the `seal`, or the ledger, for that.
    Of a new chain only an order that cannot be is found: a roll of a game behind a later one.
    Only the ends of lines may be those of Windows, if all of them are. Bytes that are no text may
    stand in it as `surrogateescape` writes them.

    Raises
    ------
    AlteredExport
        Naming the first line that was changed.
    """
    if text.count("\r\n") == text.count("\n"):
        text = text.replace("\r\n", "\n")
    lines, at = table_lines(text), len(_header_of(text))
    next(lines)
    last, numbers = GENESIS, list[int]()
    for number, row in lines:
        line = csv_line(row)
        if not text.startswith(line, at):
            raise AlteredExport(_line_at(text, at), "it is not as it was written")
        at += len(line)
        if row[0] == SEAL:
            if row != [SEAL, str(len(numbers)), last]:
                raise AlteredExport(number, "the seal does not fit the lines before it")
            if at < len(text):
                raise AlteredExport(_line_at(text, at), "it was put in behind the seal")
            exported = tuple(zip(numbers, read_rolls(text), strict=True))
            _check_order(exported)
            return exported
        try:
            last = chain_hash(last, row[:-1])
        except UnicodeEncodeError:
            raise AlteredExport(number, "there is a byte in it that is no text") from None
        numbers.append(number)
        if row[-1] != last:
            raise AlteredExport(number, "it was changed, or a line before it was removed or put in")
    raise AlteredExport(
        _line_at(text, at),
        f"the seal is missing. {_dice_above(len(numbers))} unaltered, but others may have been "
        "removed behind; a trial that still goes on, or was cut off, is sealed when it is ended",
    )


def _header_of(text: str) -> str:
    """Return the first line of an export. Raises `AlteredExport` if it is that of none."""
    earlier = csv_line(name for name in COLUMNS if name not in ADDED_LATER)
    for header in (csv_line(COLUMNS), earlier):
        if text.startswith(header):
            return header
    is_newer = {*COLUMNS} < {*text.partition("\n")[0].strip().split(",")}
    raise AlteredExport(
        1,
        "it has columns that are not known here: update Quarterdeck to prove it"
        if is_newer
        else "the first line is not that of an export of Quarterdeck",
    )


def _dice_above(count: int) -> str:
    return "The die above is" if count == 1 else f"The {count} dice above are"


def _check_order(exported: Iterable[tuple[int, DieRoll]]) -> None:
    """Raise `AlteredExport` for a roll of a game that stands behind a later one.

    Rolls of the ledger are written in its order, or, from several ledgers, in that of their times:
    a clock may jump, but then their numbers ascend. Somebody's own rolls may bear any number.
    """
    before: dict[tuple[str, str], DieRoll] = {}
    for number, roll in exported:
        if not roll.event or roll.time_s is None:
            continue
        last = before.setdefault((roll.table, roll.game), roll)
        if last.roll > roll.roll and (last.time_s or 0.0) >= roll.time_s:
            raise AlteredExport(
                number, f"roll {roll.roll} stands behind roll {last.roll}, which came after it"
            )
        before[roll.table, roll.game] = roll


def first_altered(text: str) -> int | None:
    """Return the number of the first line of a trial's table that was changed since.

    A face that was empty may have been filled in: that is how people tell what could not be read. A
    table without hashes proves nothing, and nothing is held against it.
    """
    lines = table_lines(text)
    _, header = next(lines, (0, []))
    if header[-1:] != ["hash"] or "face" not in header:
        return None
    face, last, rolls = header.index("face"), GENESIS, 0
    for number, row in lines:
        if row[0] == SEAL:
            if row[1:3] != [str(rolls), last]:
                return number
            continue
        unread = [*row[:face], "", *row[face + 1 : -1]]
        if row[-1] not in (chain_hash(last, row[:-1]), chain_hash(last, unread)):
            return number
        last, rolls = row[-1], rolls + 1
    return None


def is_as_written(text: str) -> bool:
    """Say whether the lines of a table stand in the order in which Quarterdeck wrote them."""
    _, header = next(table_lines(text), (0, []))
    return header[-1:] == ["hash"] and first_altered(text) is None


def altered_words(text: str) -> str:
    """Say what speaks against it that a table with hashes is whole; empty if nothing does.

    `verify_export` is stricter: here a spreadsheet may have written the table in its own way.
    """
    if (number := first_altered(text)) is not None:
        return f"line {number} was changed since it was written, or a line before it removed"
    _, header = next(table_lines(text), (0, []))
    is_sealed = text.rstrip().rpartition("\n")[2].startswith(SEAL)
    if header[-1:] == ["hash"] and not is_sealed:
        return "its seal is missing: lines were removed from the end, or its trial has not ended"
    return ""


def _line_at(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)


def seal(text: str) -> str:
    """Return what the seal of an export begins with: another chain has another."""
    return text.rstrip().rpartition(",")[2][:SEAL_CHARS]
