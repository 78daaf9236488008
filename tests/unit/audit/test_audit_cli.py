"""``quarterdeck audit`` as people type it."""

from __future__ import annotations

import json
import os
import re
import shlex
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

import pytest

from companion.audit.rolls import find_kind
from companion.audit.rolls_csv import read_rolls
from companion.audit.trial import Plan
from companion.cli import main
from companion.ledger.sqlite_store import SqliteStore
from companion.table.referee import Referee
from companion.trial.kept import KeptTrial
from companion.trial.plans import keep_plan
from tests.table.battle import GAME, PROFILE, open_referee, set_up, tell
from tests.unit.audit.heard import trial_of

D6 = find_kind("d6")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def loaded(tmp_path: Path) -> str:
    dice = Random(1)
    faces = (dice.choice((1, 2, 3, 4, 5, 6, 6, 6)) for _ in range(300))
    (tmp_path / "mine.csv").write_text("kind,face\n" + "".join(f"d6,{f}\n" for f in faces))
    return "mine.csv"


@pytest.fixture
def ledger(tmp_path: Path) -> str:
    store = SqliteStore(tmp_path / "ledger.sqlite3")
    referee = open_referee(store)
    set_up(referee)
    tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    store.close()
    return "ledger.sqlite3"


def test_verdicts_are_printed_and_a_report_is_written(
    loaded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--rolls", loaded]) == 0
    told = capsys.readouterr().out
    assert told.startswith("d6, 300 rolls. Not fair: 6 came ")
    assert "The report with plots: dice-report.html" in told
    page = Path("dice-report.html").read_text("utf-8")
    assert "<svg" in page
    assert "Not fair: 6 came" in page


def test_a_misspelt_column_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.csv").write_text("kind,face,captian\nd6,3,Anne\nd8,2,Anne\n")
    assert main(["audit", "--rolls", "mine.csv"]) == 0
    told = capsys.readouterr()
    assert told.err == "mine.csv: columns that mean nothing here: captian\n"
    assert "Each die is judged by itself: of twenty fair ones" in told.out


def test_a_table_may_come_through_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    away, into = os.pipe()
    os.write(into, b"kind,face,mood\nd6,3,good\n")
    os.close(into)
    assert main(["audit", "--rolls", f"/dev/fd/{away}"]) == 0
    os.close(away)
    told = capsys.readouterr()
    assert told.out.startswith("d6, 1 roll. ")
    assert told.err == f"/dev/fd/{away}: columns that mean nothing here: mood\n"


def test_json_has_one_object_a_die(loaded: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--rolls", loaded, "--json", "--out", "r.html"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    told = json.loads(line)
    assert (told["die"], told["rolls"], told["verdict"]) == ("d6", 300, "loaded")
    assert sum(told["counts"].values()) == 300
    assert told["alarm_at"] == 20.0
    assert told["p_value"] < 0.05 < told["evidence"]
    assert told["power"]["1.5"] > 0.6


def test_a_table_without_kinds_is_told_the_kind(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.csv").write_text("face\n20\n3\n")
    assert main(["audit", "--rolls", "f.csv", "--kind", "d20"]) == 0
    assert "d20, 2 rolls. Too few rolls to tell: 2." in capsys.readouterr().out


@pytest.mark.parametrize("name", ["cannonball", "cannonball die", "cannon"])
def test_dice_are_called_what_the_table_calls_them(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("f.csv").write_text(f"kind,die,face\n{name},red,3\n{name},red,\nd6 with digits,,3\n")
    assert main(["audit", "--rolls", "f.csv", "--die", "red cannonball"]) == 0
    told = capsys.readouterr().out
    assert "red cannonball die, 1 roll. Too few rolls to tell: 1. 1 of 2 dice could not" in told
    assert main(["audit", "--rolls", "f.csv", "--die", name]) == 0
    assert "red cannonball die, 1 roll." in capsys.readouterr().out


def test_a_bad_line_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.csv").write_text("kind,face\nd6,3\nd6,0\n")
    assert main(["audit", "--rolls", "f.csv"]) == 2
    assert "f.csv: line 3: a d6 shows 1, 2, 3, 4, 5, 6, not 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--rolls", "none.csv"], "none.csv cannot be read"),
        (["--table", "none.sqlite3"], "there is no ledger none.sqlite3; --table names a ledger"),
        (["--verify", "none.csv"], "none.csv cannot be read"),
        (["--table", "f.csv"], "f.csv cannot be opened: file is not a database; for a CSV say --r"),
        (["--rolls", "f.csv"], "f.csv: line 1: the first line must name the columns, e.g. kind,fa"),
    ],
)
def test_a_file_that_is_missing_or_another_is_said_in_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("f.csv").write_text("d6,3\nd6,4\n")
    assert main(["audit", *arguments]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert words in said


def test_bytes_that_are_no_text_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    Path("f.csv").write_bytes(b"\xff\xfe\x00")
    assert main(["audit", "--rolls", "f.csv"]) == 2
    assert "no text in UTF-8" in capsys.readouterr().err


def test_checked_readings_are_allowed_for(capsys: pytest.CaptureFixture[str]) -> None:
    faces = [6] * 75 + [1, 2, 3, 4, 5] * 45
    Random(2).shuffle(faces)
    rows = [f"d6,{face},{face}\n" for face in faces]
    Path("read.csv").write_text("kind,face,read\n" + "".join(rows))
    checks = [f"d6,{v},{v},60\n" for v in range(1, 6)] + ["d6,6,6,60\n", "d6,5,6,40\n"]
    Path("checks.csv").write_text("kind,true,read,count\n" + "".join(checks))
    assert main(["audit", "--rolls", "read.csv", "--checks", "checks.csv"]) == 0
    told = capsys.readouterr().out
    assert "Fair as far as 300 rolls can tell" in told
    assert "400 checked readings" in told


def test_a_ledger_is_audited_exported_and_verified(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--table", ledger, "--die", "sail", "--export", "rolls.csv"]) == 0
    assert "sail die, 3 rolls." in capsys.readouterr().out
    rolls = read_rolls(Path("rolls.csv").read_text("utf-8"))
    assert [(roll.face, roll.captain, roll.purpose) for roll in rolls] == [
        (2, "Anne", "roll"),
        (3, "Anne", "roll"),
        (3, "Anne", "roll"),
    ]
    assert main(["audit", "--verify", "rolls.csv"]) == 0
    assert "rolls.csv: 3 dice, unaltered." in capsys.readouterr().out
    assert main(["audit", "--verify", "rolls.csv", "--table", "."]) == 0
    assert "the ledger holds every one of them" in capsys.readouterr().out


def keep_trials(folder: Path) -> None:
    """Keep three trials: one with rolls, one of which the rolls are spoilt, one without a plan."""
    for name, look in (("001-green-d6", "green"), ("002-red-d6", "red"), ("003-d6", "")):
        keep_plan(Plan(D6, 300, captain="Anne", look=look), _made(folder / "trials" / name))
    trial = KeptTrial(Plan(D6, 300, look="green"), folder / "trials/001-green-d6")
    trial.tell([4])
    (folder / "trials/002-red-d6/rolls.csv").write_text("face\n9\n")
    (folder / "trials/003-d6/trial.json").write_text("{")


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_trials_beside_the_games_are_named_and_how_one_is_audited(
    ledger: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep_trials(tmp_path)
    assert main(["audit", "--table", ledger, "--die", "sail"]) == 0
    told = capsys.readouterr().out.splitlines()
    at = told.index("Not counted here: 3 trials of a die, kept in trials")
    assert told[at + 1].startswith("  002-red-d6: red d6, Anne, its rolls cannot be read: ")
    when = r"\d{4}-\d\d-\d\d"
    assert re.fullmatch(f"  001-green-d6: green d6, Anne, {when}, 1 of 300 rolls", told[at + 2])
    assert told[at + 3 :] == [
        "  003-d6 cannot be read: trial.json, which says what was rolled, was spoilt in line 1",
        "To audit one of them: quarterdeck audit --rolls trials/001-green-d6",
    ]
    assert main(shlex.split(told[-1].partition("quarterdeck ")[2])) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "green d6, 1 roll. Too few rolls to tell: 1."
    assert not any("Not counted" in line for line in told)


def test_a_trial_that_is_audited_with_the_games_is_not_called_left_out(
    ledger: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep_trials(tmp_path)
    assert main(["audit", "--table", ".", "--rolls", "trials/001-green-d6"]) == 0
    told = capsys.readouterr().out
    assert "green d6, 1 roll." in told
    assert "Not counted here: 2 trials of a die" in told
    assert "001-green-d6:" not in told
    assert "To audit one" not in told, "none of them has a roll"


def test_json_has_verdicts_alone_though_dice_were_on_trial(
    ledger: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    keep_trials(tmp_path)
    assert main(["audit", "--table", ledger, "--json"]) == 0
    assert all(json.loads(line)["die"] for line in capsys.readouterr().out.splitlines())


def test_an_altered_export_names_its_first_changed_line(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["audit", "--table", ledger, "--export", "rolls.csv"])
    text = Path("rolls.csv").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    lines[2] = lines[2].replace("Anne", "Mary")
    lines[4] = lines[4].replace("Anne", "Mary")
    Path("rolls.csv").write_text("".join(lines), "utf-8")
    capsys.readouterr()
    assert main(["audit", "--verify", "rolls.csv"]) == 2
    assert "line 3: it was changed" in capsys.readouterr().err


def test_an_altered_export_is_not_judged_without_a_word(
    loaded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--rolls", loaded, "--export", "out.csv"]) == 0
    rows = Path("out.csv").read_text("utf-8").splitlines()
    *others, last = rows[:-1]
    forged = f"#sealed,299,{rows[-1].rpartition(',')[2]}"
    for table, told in (
        (rows, ""),
        ([*rows[:5], rows[5].replace("d6", "d8"), *rows[6:]], "line 6 was changed since"),
        ([*rows[:5], *rows[6:]], "line 6 was changed since it was written, or a line before it"),
        ([*others, rows[-1]], "line 301 was changed since"),
        ([*others, forged], "line 301 was changed since"),
        ([*others, last], "its seal is missing: lines were removed from the end, or its trial"),
    ):
        Path("in.csv").write_text("\n".join(table) + "\n", "utf-8")
        capsys.readouterr()
        assert main(["audit", "--rolls", "in.csv", "--json"]) == 0
        said = capsys.readouterr()
        assert said.err.startswith(f"in.csv: {told}" if told else "")
        assert bool(said.err) is bool(told)
        assert json.loads(said.out.splitlines()[0])["die"] == "d6"


def test_an_export_that_a_spreadsheet_wrote_anew_is_not_called_altered(
    loaded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--rolls", loaded, "--export", "out.csv"]) == 0
    first = len(Path("out.csv").read_text("utf-8").partition("\n")[0].split(","))
    lines = Path("out.csv").read_text("utf-8").replace(",", ";").splitlines()
    lines[-1] += ";" * (first - 3)  # as many cells in each line
    Path("in.csv").write_bytes(("\ufeff" + "\r\n".join(lines) + "\r\n").encode())
    capsys.readouterr()
    assert main(["audit", "--rolls", "in.csv"]) == 0
    assert capsys.readouterr().err == ""


def test_the_seal_is_told_to_be_compared(loaded: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", "--rolls", loaded, "--export", "out.csv"]) == 0
    (noted,) = re.findall(
        r"The rolls: out.csv, sealed as ([0-9a-f]{12})\n", capsys.readouterr().out
    )
    assert main(["audit", "--verify", "out.csv"]) == 0
    assert f"It is sealed as {noted}: compare" in capsys.readouterr().out


def test_one_byte_of_an_export_is_enough_to_be_found(capsys: pytest.CaptureFixture[str]) -> None:
    trial = trial_of(D6, Path("mine"), 10, "Zoë")
    for face in (4, 2, 6):
        trial.tell([face])
    trial.end()
    table, dice = Path("mine/rolls.csv"), Random(3)
    whole = table.read_bytes()
    for at in sorted(dice.sample(range(len(whole)), 200)):
        byte = dice.choice([b for b in (0x0A, 0x0D, 0x22, 0x2C, 0x80, 0xE9) if b != whole[at]])
        table.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
        line = whole[:at].count(b"\n") + 1
        assert main(["audit", "--verify", "mine/rolls.csv"]) == 2
        assert f"mine/rolls.csv: line {line}: " in capsys.readouterr().err


def test_several_tables_are_told_apart(
    ledger: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "cabin").mkdir()
    Path(ledger).rename("cabin/ledger.sqlite3")
    Path("mine.csv").write_text("table,kind,face\nship,sail,3\nship,sail,2\n")
    arguments = ["--table", "cabin", "--rolls", "mine.csv", "--die", "sail", "--json"]
    assert main(["audit", *arguments]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rolls"], set(told["tables"])) == (5, {"cabin", "ship"})
    assert main(["audit", *arguments, "--at", "ship"]) == 0
    assert json.loads(capsys.readouterr().out)["rolls"] == 2


def test_a_ledger_and_what_was_exported_from_it_count_once(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--table", ledger, "--export", "rolls.csv"]) == 0
    alone = capsys.readouterr().out
    assert main(["audit", "--rolls", "rolls.csv", "--table", ledger, "--export", "2.csv"]) == 0
    told = capsys.readouterr()
    assert told.err == "rolls.csv: 4 of 4 dice are in what was named before; they count once\n"
    assert told.out.partition("The report")[0] == alone.partition("The report")[0]
    assert Path("2.csv").read_text("utf-8") == Path("rolls.csv").read_text("utf-8")


def test_a_session_that_is_named_twice_counts_once_and_rolls_noted_by_the_day_do_not_vanish(
    capsys: pytest.CaptureFixture[str],
) -> None:
    trial = trial_of(D6, Path("mine"), 10, clock=lambda: 5.25)
    trial.tell([4])
    trial.tell([4])
    trial.end()
    noted = "kind,face,time\nd6,4,2026-11-21\nd6,4,2026-11-21\n"
    for name in ("a.csv", "b.csv"):
        Path(name).write_text(noted)
    capsys.readouterr()
    Path("copy.csv").write_bytes(Path("mine/rolls.csv").read_bytes())
    names = ("mine", "mine/rolls.csv", "copy.csv", "a.csv", "a.csv", "b.csv")
    tables = [word for name in names for word in ("--rolls", name)]
    assert main(["audit", *tables]) == 0
    told = capsys.readouterr()
    assert "mine/rolls.csv is named twice; it counts once" in told.err
    assert "a.csv is named twice; it counts once" in told.err
    assert "copy.csv: 2 of 2 dice are in what was named before" in told.err
    assert "d6, 6 rolls." in told.out


def test_what_could_have_been_chosen_is_said(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--table", ledger, "--captain", "Nobody"]) == 0
    told = capsys.readouterr().out
    assert "None of the 4 rolls is of the die, captain, evening and game asked for." in told
    assert "captains: Anne" in told


@pytest.mark.parametrize("rolls", ["kind,face\n", "kind,face\nd6,3\nd6,4\n"])
def test_json_of_nothing_says_why_beside_it(rolls: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.csv").write_text(rolls)
    assert main(["audit", "--rolls", "two.csv", "--die", "d8", "--json"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("None of the 2 rolls is" if "d6" in rolls else "There are no rolls")


@pytest.mark.parametrize(
    "words", [["--json"], ["--rolls", "mine.csv"], ["--out", "r.html"], ["--die", "d6"]]
)
def test_what_a_proof_does_not_take_is_refused(
    words: list[str], loaded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["audit", "--rolls", loaded, "--export", "out.csv"]) == 0
    assert main(["audit", "--verify", "out.csv", *words]) == 2
    assert f"takes only --table beside it, not {words[0]}: leave" in capsys.readouterr().err


def test_of_one_roll_it_is_said_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    Path("one.csv").write_text("kind,face\nd6,3\n")
    assert main(["audit", "--rolls", "one.csv", "--die", "d8"]) == 0
    assert "The only roll is not of the die, captain, eve" in capsys.readouterr().out


def test_nothing_rolled_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text("kind,face\n")
    assert main(["audit", "--rolls", str(tmp_path / "none.csv")]) == 0
    assert "There are no rolls to audit." in capsys.readouterr().out
    assert not Path("dice-report.html").exists()


def test_a_table_that_stands_out_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    dice = Random(1)
    faces = {"cabin": (1, 2, 3, 4, 5, 6), "ship": (1, 2, 3, 4, 5, 6, 6, 6)}
    rows = [f"{table},d6,{dice.choice(faces[table])}\n" for table in faces for _ in range(400)]
    Path("two.csv").write_text("table,kind,face\n" + "".join(rows))
    assert main(["audit", "--rolls", "two.csv"]) == 0
    told = capsys.readouterr().out
    assert "\n  Each judged by itself: 1 of 2 tables (ship) differs from a fair die.\n" in told


def test_rolls_that_were_sorted_by_face_are_told_and_times_put_them_right(
    loaded: str, capsys: pytest.CaptureFixture[str]
) -> None:
    dice = Random(1)
    rows = [
        f"d6,{dice.randint(1, 6)},2026-11-21T{20 + k // 60}:{k % 60:02d}:00\n" for k in range(180)
    ]
    head = "kind,face,time\n"
    Path("fair.csv").write_text(head + "".join(rows))
    Path("sorted.csv").write_text(head + "".join(sorted(rows)))
    Path("untimed.csv").write_text("kind,face\n" + "".join(row[:4] + "\n" for row in sorted(rows)))
    assert main(["audit", "--rolls", "fair.csv"]) == 0
    right = capsys.readouterr()
    assert main(["audit", "--rolls", "sorted.csv"]) == 0
    assert capsys.readouterr() == right
    assert "Fair as far as 180" in right.out
    assert right.err == ""
    assert main(["audit", "--rolls", "untimed.csv", "--rolls", loaded]) == 0
    told = capsys.readouterr()
    assert (
        "untimed.csv: the lines of the d6 stand in the order of their faces. They mus" in told.err
    )
    assert "mine.csv" not in told.err


def test_of_several_tables_all_rolls_are_put_in_order() -> None:
    head = "roll,kind,face,time\n"
    Path("late.csv").write_text(f"{head}1,d6,4,2026-11-22T20:00\n2,d6,5,2026-11-22T20:01\n")
    Path("early.csv").write_text(f"{head}1,d6,2,2026-11-21T20:01\n2,d6,1,2026-11-21T20:00\n")
    tables = ["--rolls", "late.csv", "--rolls", "early.csv"]
    assert main(["audit", *tables, "--export", "out.csv"]) == 0
    rolls = read_rolls(Path("out.csv").read_text("utf-8"))
    assert [roll.face for roll in rolls] == [1, 2, 4, 5]


def test_nobody_is_accused_for_a_die_of_another_file(capsys: pytest.CaptureFixture[str]) -> None:
    for name, faces in (("Anne", (1, 2, 3, 4, 5, 6)), ("Bob", (1, 2, 3, 4, 5, 6, 6, 6, 6))):
        Path(f"of-{name}").mkdir()
        lines = [f"d6,{face},{name}\n" for face in Random(1).choices(faces, k=250)]
        Path(f"of-{name}/rolls.csv").write_text("kind,face,captain\n" + "".join(lines))
    assert main(["audit", "--rolls", "of-Anne", "--rolls", "of-Bob/rolls.csv"]) == 0
    told = capsys.readouterr().out
    assert "differs from the others" not in told
    assert "predict" not in told, "nor is one die followed from one file to another"
    assert "1 of 2 tables (of-Bob) differs from a fair die" in told
    assert main(["audit", "--rolls", "of-Anne", "--rolls", "of-Bob", "--at", "of-Bob"]) == 0
    assert capsys.readouterr().out.startswith("d6, 250 rolls. Not fair: 6 came ")


def test_checks_that_are_of_no_use_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("cam.csv").write_text("kind,face,source\n" + "d6,4,camera\n" * 3)
    for kind, is_used in (("d6", True), ("d6_numeral", False)):
        Path("checks.csv").write_text(f"kind,true,read,count\n{kind},4,4,100\n")
        assert main(["audit", "--rolls", "cam.csv", "--checks", "checks.csv"]) == 0
        told = capsys.readouterr()
        assert ("100 checked readings" in told.out) is is_used
        unused = f"checks.csv: these checks ({kind}) are about none of the rolls"
        assert (unused in told.err) is not is_used


def test_a_filtered_report_says_so() -> None:
    Path("f.csv").write_text("kind,die,captain,table,face\nd6,red,<Anne>,cabin,3\nd6,blue,,,2\n")
    choice = ["--die", "red d6", "--captain", "<Anne>", "--at", "cabin"]
    assert main(["audit", "--rolls", "f.csv", *choice]) == 0
    page = Path("dice-report.html").read_text("utf-8")
    assert "<h1>The dice: red d6, &lt;Anne&gt;, cabin</h1>" in page
    assert main(["audit", "--rolls", "f.csv"]) == 0
    assert "<h1>The dice: All rolls</h1>" in Path("dice-report.html").read_text("utf-8")


def test_a_thousand_sixes_are_a_number_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    Path("sixes.csv").write_text("kind,face\n" + "d6,6\n" * 1000)
    assert main(["audit", "--rolls", "sixes.csv", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["evidence"], told["verdict"]) == (1e300, "loaded")


def test_a_ledger_keeps_its_order_whatever_its_clock_says(tmp_path: Path) -> None:
    """A Pi without network may wake up in the past; `/dice` judges in the order of writing."""
    store = SqliteStore(tmp_path / "ledger.sqlite3")
    for game, start in (("one", 5000.0), ("two", 1000.0)):
        clock = partial(next, count(start))
        referee = Referee.open(GAME, ["Anne", "Mary"], {}, PROFILE, store, clock, game)
        set_up(referee)
        tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    store.close()
    assert main(["audit", "--table", "ledger.sqlite3", "--export", "rolls.csv"]) == 0
    rolls = read_rolls(Path("rolls.csv").read_text("utf-8"))
    games = [roll.game for roll in rolls]
    assert games == sorted(games, key=["one", "two"].index)
    assert rolls[0].time_s > rolls[-1].time_s

    # So does what was written from it, or by a trial, as long as nobody changes it.
    text = Path("rolls.csv").read_text("utf-8")
    for name, again in (("rolls.csv", games), ("mine.csv", sorted(games, reverse=True))):
        Path(name).write_text(text.replace(",hash", ",own") if name == "mine.csv" else text)
        assert main(["audit", "--rolls", name, "--export", "again.csv"]) == 0
        assert [roll.game for roll in read_rolls(Path("again.csv").read_text("utf-8"))] == again


def test_a_ledger_is_read_and_never_written(
    ledger: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(ledger).read_bytes()
    assert main(["audit", "--table", ledger, "--export", "rolls.csv"]) == 0
    assert main(["audit", "--verify", "rolls.csv", "--table", ledger]) == 0
    assert Path(ledger).read_bytes() == before
    Path("empty.sqlite3").write_bytes(b"")
    capsys.readouterr()
    for arguments in (["--table", "empty.sqlite3"], ["--verify", "rolls.csv", "--table", "."]):
        if "--verify" in arguments:
            Path("empty.sqlite3").rename("ledger.sqlite3")
        assert main(["audit", *arguments]) == 2
        assert "is no ledger: there are no events in it" in capsys.readouterr().err
    assert Path("ledger.sqlite3").read_bytes() == b""


def test_an_export_of_two_tables_is_proven_by_both(capsys: pytest.CaptureFixture[str]) -> None:
    for name, faces in (("cabin", "2, 3, 3 and cannon 5"), ("ship", "2, 2, 4 and cannon 1")):
        Path(name).mkdir()
        store = SqliteStore(Path(name) / "ledger.sqlite3")
        referee = open_referee(store)
        set_up(referee)
        tell(referee, "take 3 sail dice and 1 cannonball", f"rolls sail {faces}")
        store.close()
    tables = ["--table", "cabin", "--table", "ship"]
    assert main(["audit", *tables, "--export", "both.csv"]) == 0
    assert main(["audit", *tables, "--die", "sail", "--export", "sails.csv"]) == 0
    capsys.readouterr()
    assert main(["audit", "--verify", "both.csv", *tables]) == 0
    told = capsys.readouterr().out
    assert (
        "both.csv: 8 dice, unaltered, and the ledgers hold every one of them and no more." in told
    )
    assert main(["audit", "--verify", "sails.csv", *tables]) == 0
    assert "the ledgers hold every one of them and 2 more." in capsys.readouterr().out
    assert main(["audit", "--verify", "both.csv", "--table", "cabin"]) == 2
    assert "the ledger has no such roll" in capsys.readouterr().err


def test_the_help_says_in_which_order_lines_stand(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["audit", "--help"])
    assert (
        "The lines must stand in the order in which the dice were rolled" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--rolls", "mine.csv", "--out", "mine.csv"], "mine.csv is named twice"),
        (["--rolls", "mine.csv", "--export", "./mine.csv"], "mine.csv is named twice"),
        (["--table", ".", "--out", "ledger.sqlite3"], "ledger.sqlite3 is named twice"),
        (["--rolls", "mine.csv", "--out", "ledger.sqlite3"], "holds something else"),
        (["--table", "ledger.sqlite3", "--export", "mine.csv"], "holds something else"),
        (["--rolls", "mine.csv", "--out", "new", "--export", "new"], "new is named twice"),
    ],
)
@pytest.mark.usefixtures("loaded", "ledger")
def test_nothing_that_is_read_or_of_others_is_written_over(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in Path.cwd().iterdir()}
    assert main(["audit", *words]) == 2
    assert says in capsys.readouterr().err
    assert {path: path.read_bytes() for path in Path.cwd().iterdir()} == before


def test_an_earlier_report_and_export_are_replaced(loaded: str) -> None:
    for _ in range(2):
        words = ["--out", "report.html", "--export", "rolls.csv"]
        assert main(["audit", "--rolls", loaded, *words]) == 0
