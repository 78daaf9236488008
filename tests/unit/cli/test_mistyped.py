"""Mistyped commands: what was expected, what came, and what to do."""

from __future__ import annotations

import pytest

from companion.cli import main


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("sevre", "quarterdeck: argument COMMAND: there is no 'sevre'; did you mean 'serve'?"),
        ("see bord a.jpg", "quarterdeck see: argument WHAT: there is no 'bord'; did you mean"),
        ("see coins a.jpg", "there is no 'coins'; there are: board, dice, tags, teach"),
        ("demo --players two", "argument --players: a whole number is wanted, not 'two'"),
        ("demo --pace slow", "argument --pace: a number is wanted, not 'slow'"),
        ("audit --date today", "quarterdeck audit: it does not take: --date today"),
        ("backup", "the following arguments are required: FILE"),
    ],
)
def test_a_line_that_cannot_be_read_is_told_in_two(
    typed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(typed.split())
    assert ended.value.code == 2
    said, way = capsys.readouterr().err.splitlines()
    assert told in said
    command = said.partition(":")[0]
    assert way == f"`{command} --help` says what can be given."


def test_a_hand_takes_no_time_at_least(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--headless", "--pace", "-1"]) == 2
    assert "--pace is a number of seconds from 0 on, not -1" in capsys.readouterr().err
