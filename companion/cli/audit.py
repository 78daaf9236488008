"""``quarterdeck audit``: whether the dice are fair, and whether an export is as it was written."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.audit_trials import trials_beside
from companion.cli.files import check_spared, open_ledger, read_table, same_file
from companion.cli.play import DATA
from companion.errors import AuditError, DamagedLedger
from companion.files import write_file
from companion.ledger.store import LEDGER
from companion.rules.dice import die_words
from companion.trial.names import PICTURES, ROLLS

if TYPE_CHECKING:
    from companion.audit.fair import ReaderChecks
    from companion.audit.judging import DieAudit
    from companion.audit.rolls import Choice, DieRoll
    from companion.ledger.sqlite_store import SqliteRecords

REPORT = Path("dice-report.html")
GIVE_ONE = "--table names a ledger, or the folder of a table, --rolls a CSV"
"""What to do if no ledger is there."""
NO_PROOF = "rolls kind checks die captain evening game at export json".split()
"""What only an audit takes, and `--verify` does not."""

ALONE = "say --rolls {0} for rolls or a trial, --table {0} for a ledger, --verify {0} for a proof"
"""What to do with a file that is named without an option."""

MOST_LOG10 = 300.0
"""Evidence beyond this power of ten is told as this: floats, and JSON's readers, end at 308."""

SEVERAL = "Each die is judged by itself: of twenty fair ones, one may be called unfair."

NOTES = """\
Each verdict may be looked at after every roll: of fair dice one in twenty, at most, is ever called
unfair. Captains, evenings, tables and memory are each judged beside it, as strictly, so some mark
stands on the card of a fair die a little more often. docs/audit.md says how, and describes the
columns of the tables.

The least that a table of your own needs is a first line "kind,face" and a line like "d6,4" for each
die rolled; "captain", "die" (which of several), "roll" (the same number: rolled together) and
"time" tell more. The lines must stand in the order in which the dice were rolled: a table that was
sorted by face convicts fair dice. Where every line has a time, they are put into that order.

--checks holds checked readings of the camera (kind,true,read,count); `quarterdeck dice --check`
makes one. A reader that takes sixes for fives then convicts no die.
"""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``audit``."""
    audit = commands.add_parser(
        "audit",
        help="say which dice are fair, from a ledger or a table of rolls",
        description="Say which dice are fair, and write a report with plots.",
        epilog=NOTES,
        alone=ALONE,
    )
    audit.add_argument(
        "--rolls",
        type=Path,
        action="append",
        default=[],
        metavar="CSV",
        help="rolls as CSV, or the folder of a trial of one die; may be given more than once",
    )
    audit.add_argument(
        "--table",
        type=Path,
        action="append",
        default=[],
        metavar="DB",
        help=f"rolls of the games in a ledger, or in its folder; more than once for several tables "
        f"(default: {DATA}); the trials beside it are named",
    )
    audit.add_argument("--kind", default="", help="kind of the dice, where the table has no column")
    audit.add_argument("--checks", type=Path, metavar="CSV", help="checked readings of the camera")
    for name, words in (
        ("die", "one kind, or one die by its look"),
        ("captain", "one captain"),
        ("evening", "one evening, e.g. 2026-11-21"),
        ("game", "one game, by its id in the ledger"),
        ("at", "one of several tables, by its name"),
    ):
        audit.add_argument(f"--{name}", default="", help=f"only {words}")
    audit.add_argument(
        "--out", type=Path, default=REPORT, metavar="HTML", help=f"the report (default: {REPORT})"
    )
    audit.add_argument("--export", type=Path, metavar="CSV", help="write the rolls, sealed")
    audit.add_argument("--json", action="store_true", help="print one JSON object a die and line")
    audit.add_argument(
        "--verify",
        type=Path,
        metavar="EXPORT",
        help="prove that an export was not altered, or name the first line that was; whoever makes "
        "a new chain of hashes can only be found by the seal, which is printed to be compared, or "
        "with --table: then its ledger, or one of several, must hold every roll and picture",
    )
    audit.set_defaults(run=run_audit)


def run_audit(arguments: argparse.Namespace) -> int:
    """Verify an export, or audit rolls."""
    if arguments.verify is not None:
        _check_alone(arguments)
        return _verify(arguments.verify, arguments.table)
    # Here and not above: other commands need not wait for it.
    from companion.audit.checks_csv import read_checks
    from companion.audit.judging import audit
    from companion.audit.rolls import Choice

    _check_outputs(arguments)
    rolls = _all_rolls(arguments)
    choice = Choice(
        arguments.die, arguments.captain, arguments.evening, arguments.game, arguments.at
    )
    chosen = [roll for roll in rolls if choice.takes(roll)]
    checks = read_table(arguments.checks, read_checks) if arguments.checks else None
    found = audit(chosen, checks)
    if checks and found and all(one.fair.misreads is None for one in found):
        print(_unused(arguments.checks, checks), file=sys.stderr)
    for one in found:
        print(json.dumps(_to_json(one)) if arguments.json else text_of(one))
    said = [SEVERAL] if len(found) > 1 else []
    nothing = "" if found else _nothing(rolls)
    said.append(nothing or _write_report(arguments.out, found, choice, chosen))
    if arguments.export is not None:
        said.append(_write_export(arguments.export, chosen))
    if not arguments.json:
        named = [_table_of(path) for path in arguments.rolls]
        for ledger in _ledgers(arguments):
            said += trials_beside(ledger, named)
        print("\n".join(said))
    elif nothing:
        print(nothing, file=sys.stderr)
    return 0


def _write_report(
    path: Path, found: Sequence[DieAudit], choice: Choice, chosen: Sequence[DieRoll]
) -> str:
    """Write the report; return what is said of it."""
    from companion.audit.html import report
    from companion.audit.words import chosen_words

    write_file(path, report(found, f"The dice: {chosen_words(choice)}", chosen))
    return f"The report with plots: {path}"


def _write_export(path: Path, chosen: Sequence[DieRoll]) -> str:
    """Write the rolls, sealed; return what is said of them."""
    from companion.audit.rolls_csv import seal, write_rolls

    export = write_rolls(chosen)
    write_file(path, export)
    return f"The rolls: {path}, {sealed_words(seal(export))}"


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to write over what is read. Raises `AuditError`; then nothing was written."""
    ledgers = (table / LEDGER if table.is_dir() else table for table in arguments.table)
    read = [*map(_table_of, arguments.rolls), *ledgers, *filter(None, [arguments.checks])]
    check_spared(arguments.out, "<!doctype html", read)
    if arguments.export is not None:
        check_spared(arguments.export, "roll,table,game,", [*read, arguments.out])


def _check_alone(arguments: argparse.Namespace) -> None:
    """Refuse what an audit takes and a proof does not; nobody shall think that it was heeded."""
    given = [f"--{name}" for name in NO_PROOF if getattr(arguments, name)]
    given += ["--out"] * (arguments.out != REPORT)
    if given:
        raise AuditError(
            f"--verify proves an export and takes only --table beside it, not {', '.join(given)}: "
            "leave that out, or --verify"
        )


def _unused(path: Path, checks: ReaderChecks) -> str:
    """Say that checks were named for nothing."""
    kinds = ", ".join(sorted(checks))
    return (
        f"{path}: these checks ({kinds}) are about none of the rolls: none is of such a die and "
        "read by a camera (column 'read', or 'source' camera)"
    )


def _all_rolls(arguments: argparse.Namespace) -> list[DieRoll]:
    """Return the rolls of all ledgers and tables that are named, each once, in their order.

    Somebody may name a ledger and what was exported from it; the ledger knows what was corrected.
    """
    from companion.audit.judging import sorted_dice
    from companion.audit.rolls import merged

    rolls: list[Sequence[DieRoll]] = []
    known = set[tuple[object, ...]]()
    seen: list[Path] = []
    for name, more in _sources(arguments):
        if any(same_file(name, other) for other in seen):
            print(f"{name} is named twice; it counts once", file=sys.stderr)
            continue
        seen.append(name)
        new = [roll for roll in more if _mark(roll) not in known]
        if len(new) < len(more):
            twice = f"{len(more) - len(new)} of {len(more)} dice"
            print(f"{name}: {twice} are in what was named before; they count once", file=sys.stderr)
        for kind in sorted_dice(new):
            print(f"{name}: {_sorted_words(kind)}", file=sys.stderr)
        rolls.append(new)
        known |= {mark for roll in new if (mark := _mark(roll))}
    return list(rolls[0]) if len(rolls) == 1 else merged(*rolls)


def _sorted_words(kind: str) -> str:
    return (
        f"the lines of the {die_words(kind)} stand in the order of their faces. They must stand in "
        "that in which the dice were rolled, or each have its time: else a fair die looks loaded"
    )


def _sources(arguments: argparse.Namespace) -> Iterator[tuple[Path, Sequence[DieRoll]]]:
    """Yield what is named and its rolls in their order.

    A ledger is in order, and so is a trial, whatever its times say: the clock of a Pi without
    network may jump.
    """
    from companion.audit.rolls import in_order
    from companion.audit.rolls_csv import altered_words, is_as_written, read_rolls, unknown_columns

    def read(path: Path, text: str) -> Sequence[DieRoll]:
        rolls = read_rolls(text, arguments.kind)
        if unknown := ", ".join(unknown_columns(text)):
            print(f"{path}: columns that mean nothing here: {unknown}", file=sys.stderr)
        if altered := altered_words(text):
            print(f"{path}: {altered}. It is judged as it stands", file=sys.stderr)
        return rolls if is_as_written(text) else in_order(rolls)

    ledgers = _ledgers(arguments)
    for table in ledgers:
        yield table, _ledger_rolls(table)
    for path in map(_table_of, arguments.rolls):
        rolls = read_table(path, partial(read, path))  # once: it may be a pipe
        yield path, rolls if len(ledgers) + len(arguments.rolls) == 1 else _named(rolls, path)


def _named(rolls: Sequence[DieRoll], path: Path) -> list[DieRoll]:
    """Return rolls with the name of their file, or of the folder of their trial, for a table.

    Unless they tell their table, or which die it is: rolls of another file may be of another die.
    """
    name = path.resolve().parent.name if path.name == ROLLS else path.stem
    return [roll if roll.table or roll.look else replace(roll, table=name) for roll in rolls]


def _ledgers(arguments: argparse.Namespace) -> Sequence[Path]:
    """Return the ledgers that are read: if nothing is named, that of `quarterdeck serve`."""
    return arguments.table or ([] if arguments.rolls else [DATA])


def _mark(roll: DieRoll) -> tuple[object, ...]:
    """Return what no other throw has: its event, or its moment; empty if it is not known so well.

    Who notes rolls by hand may give the same minute, or only the date, to many.
    """
    if roll.event:
        return (roll.event,)
    if roll.time_s is None or roll.time_s.is_integer():
        return ()
    return roll.time_s, roll.kind, roll.roll


def sealed_words(seal: str) -> str:
    """Say what to note of a table that was sealed."""
    return f"sealed as {seal}"


def _nothing(rolls: Sequence[DieRoll]) -> str:
    """Say why there is nothing to audit, and what could have been chosen."""
    from companion.audit.words import none_words

    if not rolls:
        return "There are no rolls to audit."
    lines = [none_words(len(rolls), "the die, captain, evening and game asked for")]
    several = {"die": "dice", "captain": "captains", "evening": "evenings", "table": "tables"}
    for name, words in several.items():
        values = sorted({str(getattr(roll, name)) for roll in rolls} - {""})
        if values:
            lines.append(f"  {words}: {', '.join(values)}")
    return "\n".join(lines)


def text_of(found: DieAudit) -> str:
    """Return what is said of a die in a terminal."""
    from companion.audit import words

    lines = [f"{die_words(found.die)}, {words.rolls_words(found.rolls)}. {words.verdict(found)}"]
    if found.memory is not None:
        lines.append(f"  {words.memory_words(found)}")
    if words.reading_words(found):
        lines.append(f"  {words.reading_words(found)}")
    lines += [f"  {text}" for text in words.standing_out(found)]
    if words.loaded_where(found):
        lines.append(f"  {words.loaded_where(found)}")
    return "\n".join(lines)


def _to_json(found: DieAudit) -> dict[str, Any]:
    from companion.audit import words
    from companion.audit.fair import ALPHA

    return {
        "die": found.die,
        "rolls": found.rolls,
        "unread": found.unread,
        "counts": dict(zip(found.fair.values, found.counts, strict=True)),
        "verdict": found.verdict,
        "text": words.verdict(found),
        "p_value": found.p_value,
        "alarm_at": 1 / ALPHA,
        "evidence": 10 ** min(found.path[-1][1], MOST_LOG10),
        "power": {str(ratio): chance for ratio, chance in found.power.items()},
        "fixed": {"method": found.fixed.method, "p_value": found.fixed.p_value},
        "memory_p_value": None if found.memory is None else found.memory.p_value,
        "captains": {group.name: group.p_value for group in found.captains},
        "evenings": {group.name: group.p_value for group in found.evenings},
        "tables": {group.name: group.p_value for group in found.tables},
    }


def _verify(export: Path, tables: Sequence[Path]) -> int:
    from companion.audit.proof import prove, prove_pictures
    from companion.audit.rolls_csv import seal, verify_export

    def proven(text: str) -> str:
        exported = verify_export(text)
        unaltered = f"{len(exported)} dice, unaltered"
        if export.is_dir() and prove_pictures(exported, export / PICTURES):
            unaltered += ", and so are the pictures of the tray"
        if tables:
            with ExitStack() as stack:
                ledgers = [stack.enter_context(closing(_open(table))) for table in tables]
                left = prove(exported, ledgers)
            whose = "the ledger holds" if len(tables) == 1 else "the ledgers hold"
            unaltered += f", and {whose} every one of them and {left or 'no'} more"
        return f"{unaltered}.\nIt is {sealed_words(seal(text))}: "

    path = _table_of(export)
    told = read_table(path, proven, errors="surrogateescape")
    print(f"{path}: {told}compare that with what was told when it was written.")
    return 0


def _table_of(path: Path) -> Path:
    """Return the table of rolls that is meant: a trial of `quarterdeck dice` is a folder."""
    return path / ROLLS if path.is_dir() else path


def _open(ledger: Path) -> SqliteRecords:
    try:
        return open_ledger(ledger, GIVE_ONE)
    except DamagedLedger as error:
        raise DamagedLedger(f"{error}; for a CSV say --rolls instead of --table") from error


def _ledger_rolls(path: Path) -> tuple[DieRoll, ...]:
    from companion.audit.from_ledger import Archive, whole_rolls

    # The usual name of a ledger says nothing, its folder may.
    folder = path.expanduser().resolve()
    name = folder.name if folder.is_dir() else path.stem
    with closing(_open(path)) as store:
        return whole_rolls(Archive(store, name))
