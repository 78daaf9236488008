"""The table of a trial on its card: no roll is lost, none is there twice, nothing is half there."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from companion.audit.rolls import TAKEN_BACK, DieRoll, find_kind
from companion.audit.rolls_csv import read_rolls, seal, verify_export, write_rolls
from companion.audit.rolls_file import RollsFile
from companion.errors import AlteredExport, AuditError, TakenOver

D6 = find_kind("d6")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "rolls.csv"


def thrown(number: int, *faces: int | None, captain: str = "") -> list[DieRoll]:
    return [DieRoll(D6, face, roll=number, captain=captain) for face in faces]


def faces(rolls: Iterable[DieRoll]) -> list[int | None]:
    return [roll.face for roll in rolls]


def on_card(path: Path) -> list[int | None]:
    """Return the faces that stand in a table whose every line fits the one before."""
    again = RollsFile(path)
    assert not again.is_torn
    return faces(again.rolls)


def full(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_table_grows_roll_by_roll(path: Path) -> None:
    table = RollsFile(path)
    assert (table.rolls, table.is_torn, table.next_roll) == ([], False, 1)
    assert read_rolls(path.read_text("utf-8")) == (), "its first line is there at once"
    table.add(iter(thrown(1, 3, 4)))
    table.add(thrown(5, 6))
    assert table.next_roll == 6
    assert read_rolls(path.read_text("utf-8")) == tuple(table.rolls)
    assert faces(table.rolls) == [3, 4, 6] == on_card(path)


def test_a_table_that_cannot_be_begun_is_said(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="cannot be written"):
        RollsFile(tmp_path / "missing" / "rolls.csv")


def test_only_the_last_throw_that_stands_is_taken_back_as_a_whole(path: Path) -> None:
    table = RollsFile(path)
    table.add(thrown(1, 3))
    table.add(thrown(2, 4, 4))
    assert faces(table.take_back()) == [4, 4]
    assert faces(table.standing) == [3]
    assert table.next_roll == 3, "numbers are not given twice"
    table.add(thrown(3, 5))
    assert faces(table.take_back()) == [5]
    assert faces(table.take_back()) == [3]
    assert table.take_back() == []
    assert on_card(path) == [3, 4, 4, 5], "all are there, struck through"
    assert {roll.status for roll in RollsFile(path).rolls} == {TAKEN_BACK}


def test_a_die_is_put_right_in_its_place(path: Path) -> None:
    table = RollsFile(path)
    for number, face in enumerate((3, None, 5), 1):
        table.add(thrown(number, face))
    table.put_right(table.rolls[1:2], thrown(2, 4))
    assert faces(table.rolls) == [3, 4, 5] == on_card(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.add(thrown(3, 6)),
        lambda table: table.put_right(table.rolls[1:], thrown(2, 4)),
        lambda table: table.take_back(),
        lambda table: table.seal(),
    ],
)
def test_what_the_card_refuses_is_not_taken_in_and_leaves_nothing_behind(
    path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[RollsFile], object]
) -> None:
    table = RollsFile(path)
    table.add(thrown(1, 3))
    table.add(thrown(2, None))
    before = list(table.rolls)
    with monkeypatch.context() as card:
        card.setattr("os.fsync", full)
        with pytest.raises(AuditError, match=r"rolls\.csv cannot be written: No space left"):
            change(table)
        assert table.rolls == before
    table.add(thrown(4, 1))
    assert faces(table.rolls) == [3, None, 1] == on_card(path)


def test_two_trials_do_not_write_into_one_table(path: Path) -> None:
    first = RollsFile(path)
    first.add(thrown(1, 3))
    second = RollsFile(path)
    second.add(thrown(2, 4))
    for attempt in (lambda: first.add(thrown(2, 5)), first.take_back, first.seal):
        with pytest.raises(TakenOver, match=r"rolls\.csv was changed by somebody else"):
            attempt()
    second.add(thrown(3, 6))
    assert on_card(path) == [3, 4, 6]


def test_the_seal_ends_a_table_until_it_is_opened_again(path: Path) -> None:
    table = RollsFile(path)
    table.add(thrown(1, 3))
    for above in ("The die above is unaltered, but", "The 2 dice above are unaltered, but"):
        with pytest.raises(AlteredExport, match=f"seal is missing. {above}.* when it is ended"):
            verify_export(path.read_text("utf-8"))
        table.add(thrown(2, 4))
    told = table.seal()
    text = path.read_text("utf-8")
    assert (text, told) == (write_rolls(table.rolls), seal(text))
    with pytest.raises(AuditError, match="this trial has ended"):
        table.add(thrown(4, 5))
    again = RollsFile(path)
    assert "#sealed" not in path.read_text("utf-8"), "it is open now"
    again.add(thrown(4, 5))
    assert on_card(path) == [3, 4, 4, 5]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_last_line_without_its_end_counts_if_it_is_whole(path: Path, end: str) -> None:
    table = RollsFile(path)
    table.add(thrown(1, 3))
    table.add(thrown(2, 4, captain="Jürgen"))
    whole = path.read_text("utf-8").replace("\n", end)
    path.write_bytes(whole.removesuffix(end).encode())
    assert on_card(path) == [3, 4], "an editor leaves out the last end of a line"
    cut = whole.removesuffix(end)
    for torn in (cut[:-1], cut[:-70], cut[: cut.index("ü")], whole + "3,,,"):
        path.write_bytes(torn.encode())
        again = RollsFile(path)
        assert again.is_torn
        assert faces(again.rolls) == ([3, 4] if torn.startswith(whole) else [3])
        assert on_card(path) == faces(again.rolls), "it is left out for good"
    path.write_bytes(cut.encode()[: cut.index("ü") + 1])
    assert faces(RollsFile(path).rolls) == [3], "the card stopped within a letter"
