"""``quarterdeck print`` writes PDFs and answers typing mistakes with a sentence."""

from pathlib import Path

import pytest
from pypdf import PdfReader

from companion.errors import AuditError, BoardError, PrintingError
from tests.command_line import run_command


def run(*words: str) -> int:
    return run_command("print", *words)


def test_a_board_on_tiles(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "board.pdf"
    assert run("board", "--paper", "A4", "-o", str(target)) == 0
    assert len(PdfReader(target).pages) == 6
    said = capsys.readouterr().out
    assert "6 sheets of a4, 3 across and 2 down" in said
    assert "must measure 100 mm" in said


def test_names_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("markers") == 0
    assert run("board", "--paper", "full") == 0
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "hex-ocean-board-full.pdf",
        "hex-ocean-markers-a4.pdf",
    ]
    assert "one sheet of 576 x 548 mm" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["bord"], "'bord' is no thing to print; did you mean 'board'"),
        (["board", "--paper", "a44"], "'a44' is no paper; did you mean 'a4'"),
        (["board", "--paper", "tabloid"], "there are: a4, a3, a2, a1, letter, full"),
        (["board", "--style", "dep"], "did you mean 'deep'"),
        (["board", "-o", "board.png"], "only PDF files are written: call it board.pdf"),
        (["board", "-o", "nowhere/board.pdf"], "there is no folder nowhere"),
        (["markers", "--paper", "full"], "the markers fit on one sheet"),
    ],
)
def test_a_typing_mistake_is_answered(words: list[str], message: str) -> None:
    with pytest.raises(PrintingError, match=message):
        run(*words)


def test_an_unknown_board_is_answered() -> None:
    with pytest.raises(BoardError, match=r"no board 'hex-ocen'.* did you mean 'hex-ocean'"):
        run("board", "--profile", "hex-ocen")


def test_a_folder_in_the_way_is_answered(tmp_path: Path) -> None:
    (tmp_path / "board.pdf").mkdir()
    with pytest.raises(AuditError, match=r"board\.pdf cannot be written: Is a directory"):
        run("board", "-o", str(tmp_path / "board.pdf"))


def test_help_names_everything(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    said = capsys.readouterr().out
    assert all(word in said for word in ("--profile", "--paper", "letter", "full", "--style"))
