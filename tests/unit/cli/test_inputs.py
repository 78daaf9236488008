"""What people may name on the command line, and what may happen to it: told plainly, lost never."""

from __future__ import annotations

import errno
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import INTERRUPTED, main
from companion.files import write_file


def said(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the one line that was said."""
    (line,) = capsys.readouterr().err.splitlines()
    return line


def test_what_nobody_may_use_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_file", refuse)  # as in a folder of somebody else's
    assert main(["record", "--data", str(tmp_path)]) == 2
    assert said(capsys).endswith("ledger.sqlite3 cannot be used: Permission denied")


def test_streams_that_are_closed_are_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert main(["ship"]) == 0
    assert sys.stdin.read() == ""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        stream.close()


def test_the_ledger_gets_no_number_of_a_closed_stream() -> None:
    program = """
import os, sys
from companion.cli import main
main(["ship"])
sys.stderr.write(str(os.open(os.devnull, os.O_RDONLY)))
"""
    done = subprocess.run(
        ["sh", "-c", '"$@" <&- >&-', "sh", sys.executable, "-c", program],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        check=True,
    )
    assert int(done.stderr) > 2


def test_ctrl_c_while_commands_are_loaded_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("companion.cli.build_parser", interrupted)
    assert main(["ship"]) == INTERRUPTED


def test_a_full_disk_leaves_the_earlier_print_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    earlier = tmp_path / "coins.pdf"
    earlier.write_text("the earlier one")

    def is_full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", is_full)
    assert main(["print", "coins", "-o", str(earlier)]) == 2
    assert said(capsys).endswith("coins.pdf cannot be written: No space left on device")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the earlier one"]


def test_a_ship_that_was_changed_by_hand_is_not_built_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ship = tmp_path / "swan.toml"
    write_file(ship, "changed by hand")
    assert main(["ship", "new", str(ship)]) == 2
    assert said(capsys).endswith("is there, and may be changed by hand: name another file")
    assert ship.read_text() == "changed by hand"


def test_of_a_file_that_is_one_endless_line_a_part_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "film").write_text("\0" * 100_000)
    assert main(["cards", str(tmp_path / "film")]) == 1
    assert len(capsys.readouterr().out) < 1000


@pytest.mark.parametrize(
    ("layout", "why"),
    [
        ('{"cells": [{"cell": 3, "ships": ["red"], "terrain": null}]}', "it holds something else"),
        ("[" * 100_000, "it holds something else"),
        ("{}", "'cells' is missing"),
        ("", "it is no JSON (line 1)"),
    ],
)
def test_a_layout_that_is_none_is_named_with_the_reason(
    layout: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text(layout)
    pair = f"{tmp_path}/a.jpg={tmp_path}/a.json"
    assert main(["see", "teach", "--out", str(tmp_path / "look.json"), pair]) == 2
    assert said(capsys).endswith(f"a.json' cannot be read: {why}")


@pytest.mark.parametrize(
    ("out", "pair", "why"),
    [
        ("a.jpg", "a.jpg=a.json", "a.jpg is named twice"),
        ("notes.txt", "a.jpg=a.json", "notes.txt is there and holds something else"),
        ("look.json", "a.jpg", "a picture comes with its layout, IMAGE=LAYOUT, not 'a.jpg'"),
    ],
)
def test_teaching_writes_over_nothing_else(
    out: str,
    pair: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("mine")
    assert main(["see", "teach", "--out", out, pair]) == 2
    assert why in said(capsys)
    assert Path("notes.txt").read_text() == "mine"


def test_a_captain_whose_name_is_no_text_rolls_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("4\nq\n"))
    line = ["dice", "--die", "d6", "--by-hand", "--out", str(tmp_path / "d6")]
    assert main([*line, "--captain", os.fsdecode(b"caf\xe9")]) == 0
    assert ",4,caf?," in (tmp_path / "d6" / "rolls.csv").read_text("utf-8")
