"""Rolls and checks as tables: out and in again, errors that name the line, forgeries found."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

import pytest

from companion.audit.checks_csv import read_checks, write_checks
from companion.audit.rolls import (
    STANDS,
    Choice,
    DieRoll,
    find_kind,
    in_order,
    merged,
    together,
)
from companion.audit.rolls_csv import (
    ADDED_LATER,
    CELLS,
    COLUMNS,
    SEAL,
    chain_hash,
    csv_line,
    read_rolls,
    seal,
    to_cells,
    unknown_columns,
    verify_export,
    write_rolls,
)
from companion.errors import AlteredExport, BadRolls
from companion.ledger.events import GENESIS
from companion.rules.dice import DieKind

SAIL = DieKind("sail", (2, 3, 3, 4))
ROLLS = (
    DieRoll(find_kind("d6"), 5),
    DieRoll(
        find_kind("cannon"),
        3,
        look="green cannon",
        captain='Anne, "the Red"\nof Cork',
        purpose="roll",
        table="cabin",
        game="game-0001",
        roll=17,
        time_s=1763753645.25,
        source="camera",
        read=4,
        p=0.9875,
        confirmed_by="Mary",
        status="corrected",
        picture="v000012-0123456789ab",
        box=(605, 472, 59, 62),
        event="ab" * 32,
    ),
    DieRoll(DieKind("sail", (2, 2, 3, 4)), 2, roll=18),
    DieRoll(find_kind("d20"), None, roll=19, source="camera", read=17, p=0.41, picture="19.jpg"),
    DieRoll(find_kind("d6"), None, roll=20, source="camera", read=2, p=0.2, seems="half-hidden"),
)


def test_rolls_come_back_as_they_were_written() -> None:
    assert read_rolls(write_rolls(ROLLS)) == ROLLS
    assert [roll for _, roll in verify_export(write_rolls(ROLLS))] == list(ROLLS)
    assert verify_export(write_rolls(())) == ()


def test_the_first_line_of_an_export_names_every_column() -> None:
    assert write_rolls(()).splitlines()[0] == ",".join(COLUMNS)


def test_a_table_of_ones_own_needs_the_faces_only() -> None:
    rolls = read_rolls("Face , note\n3,first\n\n# half time\n6,\n", kind="d6")
    assert [(r.kind.id, r.face, r.roll, r.status) for r in rolls] == [
        ("d6", 3, 1, STANDS),
        ("d6", 6, 2, STANDS),
    ]


def test_a_die_whose_face_is_empty_could_not_be_read() -> None:
    read, unread = read_rolls("kind,face,read\nd6,3,\nd6,,5\n")
    assert (unread.face, unread.read, unread.shows, unread.misread) == (None, 5, "?", "perhaps 5")
    assert (read.face, read.misread) == (3, "")
    assert not unread.is_read_only


def test_spreadsheets_may_begin_with_a_mark() -> None:
    assert read_rolls("\ufeffkind,face\r\nd20,20\r\n")[0].face == 20


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "e.g. kind,face; and this file is empty"),
        ("kind,value\nd6,3\n", 1, "e.g. kind,face; not 'kind, value'"),
        ("3\n4\n", 1, "e.g. kind,face; not '3'"),
        ("kind,face\nd6\n", 2, "it has 1 cell, the first line names 2"),
        ("face\n3\n", 2, "which kind of die .* --kind"),
        ("kind,face\nd6,3\nd6,7\n", 3, "a d6 shows 1, 2, 3, 4, 5, 6, not 7"),
        ("kind,face\nd6,three\n", 2, "'face' must be a whole number, not 'three'"),
        ("kind,face\nd6,1 2\n", 2, "'face' must be one whole number"),
        ("kind,face\ncolour,rot\n", 2, "a colour die shows 0 brown, 1 red, .*, not 'rot'"),
        ("kind,face\npiecepack,two aces\n", 2, "shows 0 null, 1 ace, 2, .*, not 'two aces'"),
        ('kind,faces,face\nd6,"1,2,3",2\n', 2, "'faces' .* blanks between them, e.g. 2 3 3 4"),
        ("kind,face,box\nd6,1,a b c d\n", 2, "'box' must be whole numbers with blanks"),
        ("kind,face\nd7,3\n", 2, "there is no die 'd7'"),
        (f"kind,faces,face\nx,{'1 2 ' * 101},1\n", 2, "tell up to 200 faces$"),
        ("kind,faces,face\nx,1 1000000000000,2\n", 2, "a x shows 1, 1000000000000, not 2; tell"),
        ("kind,face\n2d6,11\n", 2, "'2d6' is no single die: .* by itself, as a d6$"),
        ("kind,face\nd6,3,1\n", 2, "it has 3 cells, the first line names 2"),
        ("kind,face,p\nd6,3,1.5\n", 2, "'p' must be a number from 0 to 1"),
        ("kind,face,p\nd6,3,sure\n", 2, "'p' must be a number from 0 to 1"),
        ("kind,face,time\nd6,3,yesterday\n", 2, "'time' must be like"),
        ("kind,face,time\nd6,3,9999-12-31T23:59:59-23:59\n", 2, "'time' must be like"),
        ("kind,face,time\nd6,3,0001-01-01T00:00:00+23:00\n", 2, "'time' must be like"),
        ("kind,face,Kind\nd6,3,d8\n", 1, "names the column 'kind' more than once"),
        ("kind,face\nd6," + "x" * 9000, 2, r"not 'x{200,270} \.\.\.$"),
        ("kind,face,status\nd6,3,lost\n", 2, "'status' must be one of stands"),
        ("kind,face,box\nd6,3,1 2 3\n", 2, "'box' must be x, y, width and height"),
        ("kind,face,read\nd6,3,9\n", 2, "a d6 shows"),
        ('kind,face\nd6,"3\n', 2, "this is no CSV"),
    ],
)
def test_an_error_names_the_line_and_what_would_have_been_right(
    text: str, line: int, words: str
) -> None:
    with pytest.raises(BadRolls, match=words) as caught:
        read_rolls(text)
    assert caught.value.line == line


def test_columns_that_mean_nothing_are_told() -> None:
    assert unknown_columns("kind,Face ,captian,,count\nd6,3,Anne,,2\n") == ("captian", "count")
    assert unknown_columns(write_rolls(PLAIN)) == ()
    assert unknown_columns("") == ()


def test_all_wrong_lines_are_named_at_once_and_of_many_the_first() -> None:
    with pytest.raises(BadRolls) as caught:
        read_rolls("kind,face\nd6,3\nd6,x\nd6,4\nd6,7\n")
    assert str(caught.value) == (
        "line 3: 'face' must be a whole number, not 'x'\n"
        "  line 5: a d6 shows 1, 2, 3, 4, 5, 6, not 7; tell other faces in a column 'faces'"
    )
    with pytest.raises(BadRolls, match=r"line 6: .*\n  and 3 more lines$"):
        read_rolls("kind,face\n" + "d6,9\n" * 8)


@pytest.mark.parametrize("separator", [";", "\t"])
def test_tables_of_spreadsheets_in_other_tongues_are_read(separator: str) -> None:
    text = "\r\n".join(("D6,5,0.5", "d20,20,")).replace(",", separator).replace("0.5", "0,5")
    rolls = read_rolls(f"kind{separator}face{separator}p\r\n{text}\r\n")
    assert [(roll.kind.id, roll.face, roll.p) for roll in rolls] == [
        ("d6", 5, 0.5),
        ("d20", 20, None),
    ]


def test_other_faces_are_told_in_the_table() -> None:
    (roll,) = read_rolls("kind,faces,face\nwhale,0 0 7,7\n")
    assert roll.kind == DieKind("whale", (0, 0, 7))


def test_a_kind_is_the_same_in_capitals_whatever_its_faces() -> None:
    capital, small = read_rolls("kind,faces,face\nD6,1 1 2 2 3 3,2\nd6,1 1 2 2 3 3,2\n")
    assert capital.kind == small.kind


def test_faces_may_be_told_by_name() -> None:
    rolls = read_rolls("kind,face,read\ncolour,green,white\npiecepack,Null,\nd100,00,0\n")
    assert [(roll.face, roll.read) for roll in rolls] == [(3, 4), (0, None), (0, 0)]


@pytest.fixture(params=["America/New_York", "Asia/Tokyo", "UTC"])
def _somewhere(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as world:
        world.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("_somewhere")
@pytest.mark.parametrize(
    ("told", "evening"),
    [
        ("2026-11-21", "2026-11-21"),
        ("2026-11-21T20:14:05", "2026-11-21"),
        ("2026-11-21 20:14", "2026-11-21"),
        ("2026-11-22T01:30", "2026-11-21"),
    ],
)
def test_a_date_alone_and_a_time_without_an_offset_are_local(told: str, evening: str) -> None:
    (roll,) = read_rolls(f"kind,face,time\nd6,3,{told}\n")
    assert roll.evening == evening
    assert read_rolls(write_rolls([roll])) == (roll,)


def test_a_time_with_an_offset_is_taken_as_it_is() -> None:
    (roll,) = read_rolls("kind,face,time\nd6,3,1970-01-02T01:00:10+01:00\n")
    assert roll.time_s == 86410.0


def test_whole_numbers_may_end_in_point_nought() -> None:
    rolls = read_rolls("roll,kind,face,read\n7.0,d6,4.0,5.0\n8.0,d6,,\n9.0,d6,03,1\n")
    assert [(r.roll, r.face, r.read) for r in rolls] == [(7, 4, 5), (8, None, None), (9, 3, 1)]
    assert read_rolls("kind;face\nd6;4,0\n")[0].face == 4
    with pytest.raises(BadRolls, match=r"must be a whole number, not '4\.5'"):
        read_rolls("kind,face\nd6,4.5\n")


@pytest.mark.parametrize(
    "above", ["sep=;\n", '"sep=;"\r\n', "# my rolls, by hand\n\n", "\ufeffsep=;\n#x\n", "#\n"]
)
def test_lines_above_the_columns_are_skipped_and_counted(above: str) -> None:
    text = f"{above}kind;face\nd6;4\n"
    assert read_rolls(text)[0].face == 4
    assert unknown_columns(text) == ()
    with pytest.raises(BadRolls) as caught:
        read_rolls(f"{text}d6;9\n")
    assert caught.value.line == above.count("\n") + 3


def test_a_column_may_be_called_by_a_number_sign() -> None:
    for text in ("#,kind,face\n1,d6,4\n", '"#",kind,face\n1,d6,4\n'):
        assert read_rolls(text)[0].face == 4


@pytest.mark.parametrize("name", ["A\rB", "A\r\nB", " Anne ", "A\x00B", "\r"])
def test_a_fresh_export_is_proven_whatever_is_in_a_name(name: str) -> None:
    text = write_rolls([replace(PLAIN[0], captain=name)])
    ((_, roll),) = verify_export(text)
    assert write_rolls([roll]) == text


def rows_of(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text)))


def written(rows: list[list[str]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


PLAIN = tuple(DieRoll(find_kind("d6"), 1 + k % 6, roll=k, captain="Anne") for k in range(8))


@pytest.mark.parametrize("row", [1, 4, 8])
@pytest.mark.parametrize("column", list(COLUMNS))
def test_any_changed_cell_is_found_in_its_line(row: int, column: str) -> None:
    rows = rows_of(write_rolls(PLAIN))
    cell = list(COLUMNS).index(column)
    rows[row][cell] = rows[row][cell] + "1"
    with pytest.raises(AlteredExport) as caught:
        verify_export(written(rows))
    assert caught.value.line == row + 1


def test_an_export_from_before_it_was_told_what_a_die_seems_is_as_well_sealed() -> None:
    lines, last = [csv_line(name for name in COLUMNS if name not in ADDED_LATER)], GENESIS
    for roll in PLAIN:
        named = zip(CELLS, to_cells(roll), strict=True)
        cells = [cell for name, cell in named if name not in ADDED_LATER]
        last = chain_hash(last, cells)
        lines.append(csv_line([*cells, last]))
    text = "".join([*lines, csv_line((SEAL, str(len(PLAIN)), last))])
    assert [roll for _, roll in verify_export(text)] == list(PLAIN)
    rows = rows_of(text)
    rows[3][rows[0].index("face")] = "6"
    with pytest.raises(AlteredExport) as caught:
        verify_export(written(rows))
    assert caught.value.line == 4


def test_removed_swapped_and_added_lines_are_found() -> None:
    rows = rows_of(write_rolls(PLAIN))
    for changed, line in (
        (rows[:3] + rows[4:], 4),
        ([*rows[:3], rows[4], rows[3], *rows[5:]], 4),
        ([*rows[:5], rows[4], *rows[5:]], 6),
        (rows[:-1], 10),
        (rows[:4], 5),
        ([*rows, rows[1]], 11),
        (rows[1:], 1),
        ([], 1),
        ([*rows[:-1], [SEAL, "7", rows[-1][2]]], 10),
        ([*rows[:6], rows[-1]], 7),
    ):
        with pytest.raises(AlteredExport) as caught:
            verify_export(written(changed))
        assert caught.value.line == line


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("\n3,", "\n\n3,", 5),
        ("\n3,", "\r3,", 4),
        ("\n3,", "\r\n3,", 4),
        ("\n3,", '\n"3",', 5),
        ("roll,", "\ufeffroll,", 1),
        ("roll,", "\nroll,", 1),
    ],
)
def test_what_changes_no_cell_is_found_too(old: str, new: str, line: int) -> None:
    text = write_rolls(PLAIN)
    with pytest.raises(AlteredExport) as caught:
        verify_export(text.replace(old, new, 1))
    assert caught.value.line == line


def test_the_end_of_the_last_line_is_missed() -> None:
    with pytest.raises(AlteredExport) as caught:
        verify_export(write_rolls(PLAIN)[:-1])
    assert caught.value.line == 10


def test_the_ends_of_all_lines_may_be_those_of_windows() -> None:
    text = write_rolls((*PLAIN, *ROLLS))
    assert len(verify_export(text.replace("\n", "\r\n"))) == len((*PLAIN, *ROLLS))


def test_of_a_chain_that_was_made_anew_in_part_the_next_line_is_named() -> None:
    forged = write_rolls([replace(PLAIN[0], face=6), *PLAIN[1:]]).splitlines(keepends=True)
    honest = write_rolls(PLAIN).splitlines(keepends=True)
    with pytest.raises(AlteredExport) as caught:
        verify_export("".join([*forged[:4], *honest[4:]]))
    assert caught.value.line == 5


def test_a_whole_new_chain_has_another_seal() -> None:
    forged = write_rolls([replace(PLAIN[0], face=6), *PLAIN[1:]])
    assert len(verify_export(forged)) == len(PLAIN)
    assert seal(forged) != seal(write_rolls(PLAIN))
    assert len(seal(forged)) == 12


def of_a_game(*moments: tuple[int, float]) -> list[DieRoll]:
    """Return rolls of the ledger by number and time."""
    return [replace(ROLLS[1], captain="Anne", roll=n, time_s=time_s) for n, time_s in moments]


def test_an_order_that_cannot_be_is_found_in_a_new_chain() -> None:
    forged = of_a_game((4, 10.0), (9, 30.0), (6, 20.0))
    forged.insert(2, replace(forged[0], game="game-0002", roll=1, time_s=40.0))
    with pytest.raises(AlteredExport, match="roll 6 stands behind roll 9, which came af") as caught:
        verify_export(write_rolls(forged))
    assert caught.value.line == 5
    with pytest.raises(AlteredExport, match="roll 4 stands behind roll 9"):
        verify_export(write_rolls(of_a_game((9, 30.0), (4, 30.0))))


@pytest.mark.parametrize(
    "rolls",
    [
        of_a_game((4, 10.0), (4, 10.0), (6, 5.0)),  # the clock was put back
        of_a_game((6, 5.0), (4, 10.0)),  # likewise, and sorted among those of another ledger
        [replace(roll, event="") for roll in of_a_game((6, 20.0), (4, 10.0))],  # one's own
    ],
)
def test_an_order_that_may_be_is_not_held_against_an_export(rolls: list[DieRoll]) -> None:
    assert len(verify_export(write_rolls(rolls))) == len(rolls)


def test_an_export_of_a_newer_version_is_not_called_altered_for_nothing() -> None:
    with pytest.raises(AlteredExport, match="columns that are not known here: update Quarterdeck"):
        verify_export(write_rolls(PLAIN).replace("event,hash", "event,lamp,hash", 1))


def test_line_numbers_count_lines_within_names() -> None:
    text = write_rolls((ROLLS[1], ROLLS[0]))
    assert [number for number, _ in verify_export(text)] == [2, 4]
    with pytest.raises(AlteredExport) as caught:
        verify_export(text.replace(",d6,,,5,", ",d6,,,6,"))
    assert caught.value.line == 4


# -- choosing ----


def test_an_evening_lasts_until_six_in_the_morning() -> None:
    assert DieRoll(find_kind("d6"), 1).evening == ""
    for told, evening in (
        ("2025-11-21T20:14:05", "2025-11-21"),
        ("2025-11-22T05:59:59", "2025-11-21"),
        ("2025-11-22T06:00:00", "2025-11-22"),
    ):
        time_s = datetime.fromisoformat(told).astimezone().timestamp()  # local, wherever it runs
        assert DieRoll(find_kind("d6"), 1, time_s=time_s).evening == evening


def test_a_choice_takes_what_it_names() -> None:
    roll = ROLLS[1]
    assert roll.die == "green cannon"
    assert DieRoll(SAIL, 3, look="ivory").die == "ivory sail"
    assert Choice().takes(roll)
    for choice in (
        Choice(die="cannon"),
        Choice(die="green cannon", game="game-0001"),
        Choice(die="green cannonball die"),
        Choice(die="cannonball die"),
        Choice(captain=roll.captain, evening=roll.evening, table="cabin"),
    ):
        assert choice.takes(roll)
    for choice in (
        Choice(die="sail"),
        Choice(die="red cannon"),
        Choice(captain="Mary"),
        Choice(evening="1999-01-01"),
        Choice(game="game-0002"),
        Choice(table="ship"),
    ):
        assert not choice.takes(roll)


@pytest.mark.parametrize(
    ("kind", "look", "name"),
    [
        ("d6", "red", "red d6"),
        ("cannon", "green cannon 2", "green cannonball die 2"),
        ("d6_numeral", "red", "red d6 with digits"),
        ("d6_numeral", "red", "red d6_numeral"),
    ],
)
def test_a_die_that_could_not_be_read_may_be_the_chosen_one(
    kind: str, look: str, name: str
) -> None:
    die = find_kind(kind)
    choice = Choice(die=name, captain="Anne")
    assert choice.takes(DieRoll(die, die.faces[0], look=look, captain="Anne"))
    assert not choice.takes(DieRoll(die, die.faces[0], look="blue", captain="Anne"))
    for seen in ("", "blue", look):
        assert choice.takes(DieRoll(die, None, look=seen, captain="Anne"))
    assert not choice.takes(DieRoll(die, None, captain="Mary"))
    for other in ("d6", "d8", "sail"):
        assert choice.takes(DieRoll(find_kind(other), None, captain="Anne")) is (other == kind)


def test_rolls_are_put_into_the_order_of_their_times_if_all_have_one() -> None:
    times = [3.0, 1.0, 2.0, 2.0, 1.0]
    rolls = [DieRoll(SAIL, 3, roll=k, time_s=at) for k, at in enumerate(times)]
    assert [roll.roll for roll in in_order(rolls)] == [1, 4, 2, 3, 0]
    untimed = [*rolls, DieRoll(SAIL, 3)]
    assert in_order(untimed) == untimed
    assert in_order([]) == []


def test_tables_are_merged_by_time_and_each_keeps_its_order() -> None:
    """A clock that stepped back in one of two ledgers put its rolls into another order."""
    times = [3.0, 1.0, 2.0, 2.0, 1.0]
    rolls = [DieRoll(SAIL, 3, roll=k, time_s=at) for k, at in enumerate(times)]
    others = [DieRoll(SAIL, 2, roll=k, time_s=at) for k, at in enumerate((0.5, 2.5, 4.0))]
    assert merged(rolls, others) == [others[0], others[1], *rolls, others[2]]
    untimed = [*rolls, DieRoll(SAIL, 3)]
    assert merged(untimed, rolls) == [*untimed, *rolls]
    assert merged() == merged([]) == []


def test_dice_of_one_roll_stay_together_whatever_was_rolled_meanwhile() -> None:
    cabin = [DieRoll(SAIL, 3, roll=5, table="cabin", time_s=at) for at in (1.0, 3.0)]
    ship = [DieRoll(SAIL, 3, roll=5, table="ship", time_s=2.0)]
    assert in_order([*ship, *cabin]) == [*cabin, *ship]


def test_dice_with_one_number_were_rolled_together() -> None:
    rolls = [DieRoll(SAIL, 3, roll=n) for n in (1, 1, 2, 3, 3, 3)]
    assert [len(dice) for dice in together(rolls)] == [2, 1, 3]


# -- checks ----


@pytest.mark.parametrize("start", ["\ufeff", "# my checks\n", "sep=;\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_checks_are_read_like_rolls(start: str, separator: str) -> None:
    text = "Kind,True,Read,Count\nD6,1,1,2\n# half time\n\nd6,1.0,2,3\ncolour,red,1,4\n"
    assert read_checks(start + text.replace(",", separator)) == {
        "d6": {(1, 1): 2, (1, 2): 3},
        "colour": {(1, 1): 4},
    }


def test_checks_of_other_faces_come_back() -> None:
    d6, whale = find_kind("d6", (0, 1, 2, 3, 4, 5)), DieKind("whale", (1, 2, 2))
    checks = {"d6": {(0, 0): 2, (5, 4): 1}, "whale": {(1, 2): 1}, "d8": {(8, 8): 1}}
    for dice in ((), (d6,), (d6, whale)):
        assert read_checks(write_checks(checks, dice)) == checks
    lines = write_checks(checks, (d6,)).splitlines()
    assert lines[:3] == [
        "kind,faces,true,read,count",
        "d6,0 1 2 3 4 5,0,0,2",
        "d6,0 1 2 3 4 5,5,4,1",
    ]
    assert lines[3:] == ["d8,,8,8,1", "whale,1 2,1,2,1"]
    mixed = {"d6": {(0, 0): 2, (6, 6): 1}}
    assert read_checks(write_checks(mixed, (d6,))) == mixed
    assert write_checks({"d6": {(1, 1): 1}}, [find_kind("d6")]).startswith("kind,true,")


def test_checks_come_back_and_add_up() -> None:
    checks = {"d6": {(6, 5): 3, (6, 6): 40}, "sail": {(2, 2): 9}}
    assert read_checks(write_checks(checks)) == checks
    assert read_checks("kind,true,read,count\nd6,1,1,2\nd6,1,1,3\n") == {"d6": {(1, 1): 5}}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("", 0, "e.g. kind,true,read,count; and this file is empty"),
        ("kind,true,read\nd6,1,1\n", 1, "must name the columns"),
        ("kind,true,read,count\nd6,1,1,2\nd6,0,1,2\n", 3, "a d6 shows 1, 2, 3, 4, 5, 6, not 0"),
        ("kind,true,read,count\nd6,1,1,many\n", 2, "'count' must be a whole number"),
        ("kind,true,read,count\nd6,1,1\n", 2, "it has 3 cells, the first line names 4"),
        ("kind,true,read,count\nd6,1,1,\n", 2, "'count' must all be told"),
        ("kind,true,read,count\nd6,,1,2\n", 2, "'count' must all be told"),
        ("kind,true,read,count\nd6,1,1,-2\n", 2, "'count' must be from 0 to 1000000000, not -2"),
        ("kind,true,read,count\nd6,1,1,1" + "0" * 400, 2, "'count' must be from 0 to"),
        ("kind,true,read,count\nd6,1,1," + "9" * 5000, 2, r"'count' must be a .* not '9+ \.\.\.$"),
        ('kind,true,read,count\nd6,1,1,"2\n', 2, "this is no CSV"),
        ("kind,faces,true,read,count\nd6,0 1 2,0,3,2\n", 2, "a d6 shows 0, 1, 2, not 3"),
        ("kind,true,read,count\nwhale,1,1,2\n", 2, "there is no die 'whale'"),
    ],
)
def test_a_bad_check_names_its_line(text: str, line: int, words: str) -> None:
    with pytest.raises(BadRolls, match=words) as caught:
        read_checks(text)
    assert caught.value.line == line
