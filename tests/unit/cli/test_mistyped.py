"""Mistyped commands: what was expected, what came, and what to do."""

from __future__ import annotations

from pathlib import Path

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
        ("demo --pace inf", "argument --pace: a number is wanted, not 'inf'"),
        ("see tags --height 12=nan a.jpg", "'12=nan' is not like 12=85: tag=millimetres"),
        ("audit --date today", "quarterdeck audit: it does not take: --date"),
        ("audit captain Anne", "it does not take: captain Anne; did you mean '--captain'?"),
        # A file is named with what it is; so is what a pattern of the shell stands for.
        ("audit rolls.csv", "not take: rolls.csv; say --rolls rolls.csv for rolls or a trial"),
        ("audit --rolls a.csv b&c.csv", "it does not take: b&c.csv; say --rolls 'b&c.csv' for"),
        ("demo --sed=3", "quarterdeck demo: it does not take: --sed=3; did you mean '--seed'?"),
        ("demo seed 3", "quarterdeck demo: it does not take: seed 3; did you mean '--seed'?"),
        ("see board --emty a.jpg b.jpg", "quarterdeck see board: it does not take: --emty; did"),
        # What is missing for the same mistake is not told instead.
        ("dice --dei d6", "quarterdeck dice: it does not take: --dei; did you mean '--die'?"),
        ("--verson", "quarterdeck: it does not take: --verson; did you mean '--version'?"),
        ("ship man-of-war -- --title x", "quarterdeck ship: it does not take: x"),
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


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("demo --headless --game privatear", "no game 'privatear'; did you mean 'privateer'? The"),
        ("dice --by-hand --die d21", "no die 'd21'; did you mean 'd20'? Known are: cannon, colour"),
        ("see dice --expect canon a.jpg", "no die 'canon'; did you mean 'cannon'? There are: d6"),
        ("see board --profile hexocean a.jpg", "no board 'hexocean', nor such a TOML file; did"),
        ("print bord", "'bord' is no thing to print; did you mean 'board'? There are: board"),
        ("ship man-o-war", "no model is called 'man-o-war'; did you mean 'man-of-war'?"),
        ("demo --headless --option marqe=true", "option 'marqe'; did you mean 'marque'?"),
    ],
)
def test_a_word_that_is_not_known_is_told_with_the_one_that_was_meant(
    typed: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(typed.split()) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert told in said


@pytest.mark.parametrize("content", [b"\x89PNG\r\n\x1a\n\0\xff", b"id = ", b""])
def test_a_board_that_is_none_is_named(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes(content)
    assert main(["see", "board", "--profile", str(own), "a.jpg"]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"quarterdeck: board profile {str(own)!r}")


@pytest.mark.parametrize(
    ("option", "told"),
    [("--pace", "--pace is a number of seconds from 0 on"), ("--seed", "--seed is a whole number")],
)
def test_what_is_less_than_nothing_is_refused(
    option: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--headless", option, "-1"]) == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--games", "3"), ("--json",)])
def test_games_that_are_counted_have_no_pages(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--game", "no such", *words]) == 2  # refused before a game is looked for
    assert f"for {' '.join(words)} add --headless" in capsys.readouterr().err


def test_who_names_no_camera_to_serve_hears_that_none_will_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--camera", "usb", "--data", str(tmp_path)]) == 2
    assert "say one of folder:PATH, v4l2:NUMBER, picamera2, none" in capsys.readouterr().err
