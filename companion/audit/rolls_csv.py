"""Rolls as CSV, in and out; an export is a chain of hashes that shows the first changed line.

`COLUMNS` is the whole format. Only `face` must be there to be read, and `kind` unless the caller
knows it; every other column may be missing or empty.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import MAXYEAR, MINYEAR, UTC, datetime

from companion.audit.rolls import STANDS, STATUSES, DieRoll, find_kind
from companion.errors import AlteredExport, BadRolls
from companion.ledger.events import GENESIS, canonical_json
from companion.rules.dice import DieKind, parse_face

COLUMNS: Mapping[str, str] = {
    # First, because it is a number: a line that begins with "#" is none of the rolls.
    "roll": "a whole number; dice of a game with the same number were rolled together",
    "table": "name of the table",
    "game": "the ledger's id of the game",
    "time": "when, ISO 8601 with the offset to UTC, e.g. 2026-11-21T20:14:05+00:00",
    "kind": "kind of die, e.g. d6, d20, sail",
    "faces": "what is printed on its faces, e.g. 2 3 3 4; empty: as usual for the kind",
    "die": "tells dice of one kind apart, e.g. green",
    "face": "what it shows; empty: it could not be read, and nobody has told it",
    "captain": "who rolled",
    "purpose": "what for: the phase of the game",
    "source": "who told it: camera, phone, button or table",
    "read": "what the camera took it for; empty: told by people",
    "p": "how sure the camera was, 0 to 1",
    "seems": "why it was not: cocked, half-hidden, stacked, no die or unclear; empty: it was sure",
    "confirmed_by": "who said that it is right",
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

SEPARATORS = ",;\t"
"""What may stand between the cells of a table of one's own."""
MOST_TOLD = 5
"""So many wrong lines are told one by one."""
MOST_SAID = 300
"""So many characters are said of each; what is wrong may be a cell of thousands."""

CELLS = tuple(name for name in COLUMNS if name != "hash")


# -- out ------------------------------------------------------------------------------------------


def write_rolls(rolls: Iterable[DieRoll]) -> str:
    """Return rolls as a sealed CSV file."""
    lines = [csv_line(COLUMNS)]
    last, count = GENESIS, 0
    for roll in rolls:
        line, last = roll_line(last, roll)
        lines.append(line)
        count += 1
    return "".join([*lines, csv_line((SEAL, str(count), last))])


def roll_line(last: str, roll: DieRoll) -> tuple[str, str]:
    """Return the line of a roll behind one whose hash is `last`, and its own hash."""
    cells = to_cells(roll)
    chained = chain_hash(last, cells)
    return csv_line([*cells, chained]), chained


def csv_line(cells: Iterable[str]) -> str:
    """Return a line of CSV with its end."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def to_cells(roll: DieRoll) -> list[str]:
    """Return a roll as the cells of a line, without its hash."""
    usual = roll.kind == _usual(roll.kind.id)
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
    return [cells[name] for name in CELLS]


def chain_hash(last: str, cells: Iterable[str]) -> str:
    """Return the hash of a line behind one whose hash is `last`."""
    return hashlib.sha256(canonical_json([last, *cells]).encode()).hexdigest()


def _usual(name: str) -> DieKind | None:
    try:
        return find_kind(name)
    except BadRolls:
        return None


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
    lines = _lines(text)
    number, header = next(lines, (0, []))
    names = [name.strip().lower() for name in header]
    if "face" not in names:
        found = f"not {', '.join(header)!r}" if header else "and this file is empty"
        raise BadRolls(number, f"the first line must name the columns, e.g. kind,face; {found}")
    for name in COLUMNS:
        if names.count(name) > 1:
            raise BadRolls(number, f"the first line names the column {name!r} more than once")
    rolls, wrong = list[DieRoll](), list[BadRolls]()
    for number, row in lines:
        if row[0].startswith("#"):
            continue
        try:
            rolls.append(_line(number, names, row).roll(kind, len(rolls) + 1))
        except BadRolls as error:
            wrong.append(error)
    if wrong:
        raise _all_of(wrong)
    return tuple(rolls)


def unknown_columns(text: str) -> tuple[str, ...]:
    """Return the columns of a table that mean nothing here: somebody may have misspelt one."""
    _, header = next(_lines(text), (0, []))
    return tuple(name for name in header if name and name.strip().lower() not in COLUMNS)


def _line(number: int, names: Sequence[str], row: Sequence[str]) -> _Line:
    if len(row) != len(names):
        cells = f"{len(row)} cell{'' if len(row) == 1 else 's'}"
        raise BadRolls(number, f"it has {cells}, the first line names {len(names)}")
    return _Line(number, {name: cell.strip() for name, cell in zip(names, row, strict=True)})


def _all_of(wrong: Sequence[BadRolls]) -> BadRolls:
    """Return one error for all: who typed hundreds of lines wants to know all that is wrong."""
    first, *others = wrong
    told = [first.reason, *(f"line {error.line}: {error.reason}" for error in others)][:MOST_TOLD]
    told = [f"{text[:MOST_SAID]} ..." if len(text) > MOST_SAID else text for text in told]
    left = len(wrong) - len(told)
    more = [f"and {left} more line{'' if left == 1 else 's'}"] if left else []
    return BadRolls(first.line, "\n  ".join([*told, *more]))


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, with their numbers from 1."""
    text = text.removeprefix("\ufeff")
    first = text.lstrip().partition("\n")[0]
    # Spreadsheets write semicolons where a comma divides decimals; at a tie it is the comma.
    delimiter = max(SEPARATORS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=delimiter)
    while True:
        number = reader.line_num + 1
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise BadRolls(number, f"this is no CSV: {error}") from error
        if row is None:
            return
        if any(row):
            yield number, row


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the table."""

    number: int
    cells: Mapping[str, str]

    def roll(self, kind: str, count: int) -> DieRoll:
        """Return the roll it tells; one without a number of its own is the `count`-th."""
        name = self.text("kind") or kind
        if not name:
            raise BadRolls(self.number, "which kind of die is it? Add a column 'kind'")
        die = find_kind(name, self.numbers("faces"), self.number)
        roll = self.whole("roll")
        return DieRoll(
            die,
            self._face("face", die),
            look=self.text("die"),
            captain=self.text("captain"),
            purpose=self.text("purpose"),
            table=self.text("table"),
            game=self.text("game"),
            roll=count if roll is None else roll,
            time_s=self._time(),
            source=self.text("source"),
            read=self._face("read", die),
            p=self._probability(),
            seems=self.text("seems"),
            confirmed_by=self.text("confirmed_by"),
            status=self._status(),
            picture=self.text("picture"),
            box=self._box(),
            event=self.text("event"),
        )

    def text(self, name: str) -> str:
        """Return a cell; empty if there is none."""
        return self.cells.get(name, "")

    def whole(self, name: str) -> int | None:
        """Return a cell as a whole number; ``None`` if it is empty."""
        numbers = self.numbers(name)
        if len(numbers) > 1:
            raise BadRolls(self.number, f"{name!r} must be one whole number")
        return numbers[0] if numbers else None

    def numbers(self, name: str) -> tuple[int, ...]:
        """Return a cell as whole numbers."""
        try:
            return tuple(int(word) for word in self.text(name).split())
        except ValueError:
            raise BadRolls(
                self.number, f"{name!r} must be a whole number, not {self.text(name)!r}"
            ) from None

    def _face(self, name: str, die: DieKind) -> int | None:
        if (known := parse_face(die, self.text(name))) is not None:
            return known
        face = self.whole(name)
        if face is not None:
            shown = ", ".join(map(str, die.values))
            raise BadRolls(
                self.number,
                f"a {die.id} shows {shown}, not {face}; tell other faces in a column 'faces'",
            )
        return None

    def _time(self) -> float | None:
        text = self.text("time")
        if not text:
            return None
        try:
            when = datetime.fromisoformat(text)
            if not MINYEAR < when.year < MAXYEAR:  # else it has no evening, or none in UTC
                raise ValueError
        except ValueError:
            raise BadRolls(
                self.number, f"'time' must be like 2026-11-21T20:14:05+00:00, not {text!r}"
            ) from None
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()

    def _probability(self) -> float | None:
        text = self.text("p")
        if not text:
            return None
        try:
            p = float(text.replace(",", "."))
        except ValueError:
            p = -1.0
        if not 0 <= p <= 1:
            raise BadRolls(self.number, f"'p' must be a number from 0 to 1, not {text!r}")
        return p

    def _status(self) -> str:
        status = self.text("status") or STANDS
        if status not in STATUSES:
            raise BadRolls(
                self.number, f"'status' must be one of {', '.join(STATUSES)}, not {status!r}"
            )
        return status

    def _box(self) -> tuple[int, int, int, int] | None:
        numbers = self.numbers("box")
        if not numbers:
            return None
        if len(numbers) != 4:
            raise BadRolls(self.number, "'box' must be x, y, width and height")
        return (numbers[0], numbers[1], numbers[2], numbers[3])


# -- is it as it was written? ---------------------------------------------------------------------


def verify_export(text: str) -> tuple[tuple[int, DieRoll], ...]:
    """Return the rolls of an export that is as it was written, each with its line's number.

    It proves that no byte was changed, no line removed or put in since. It does not prove who wrote
    it: whoever makes a new chain makes a new export. Compare the `seal`, or the ledger, for that.
    Only the ends of lines may be those of Windows, if all of them are. Bytes that are no text may
    stand in it as `surrogateescape` writes them.

    Raises
    ------
    AlteredExport
        Naming the first line that was changed.
    """
    if text.count("\r\n") == text.count("\n"):
        text = text.replace("\r\n", "\n")
    earlier = csv_line(name for name in COLUMNS if name not in ADDED_LATER)
    header = earlier if text.startswith(earlier) else csv_line(COLUMNS)
    if not text.startswith(header):
        raise AlteredExport(1, "the first line is not that of an export of Quarterdeck")
    lines, at = _lines(text), len(header)
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
            return tuple(zip(numbers, read_rolls(text), strict=True))
        try:
            last = chain_hash(last, row[:-1])
        except UnicodeEncodeError:
            raise AlteredExport(number, "there is a byte in it that is no text") from None
        numbers.append(number)
        if row[-1] != last:
            raise AlteredExport(number, "it was changed, or a line before it was removed or put in")
    raise AlteredExport(
        _line_at(text, at),
        "the seal is missing: lines were removed from the end, or the session was not ended",
    )


def _line_at(text: str, at: int) -> int:
    return 1 + text.count("\n", 0, at)


def seal(text: str) -> str:
    """Return what the seal of an export begins with: another chain has another."""
    return text.rstrip().rpartition(",")[2][:SEAL_CHARS]
