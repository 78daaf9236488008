"""Rolls out of a ledger that a real referee wrote: what was read, who rolled, what stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from unittest.mock import Mock

import pytest

from companion.audit.from_ledger import Archive, declared_dice, whole_rolls
from companion.audit.proof import prove
from companion.audit.rolls import CORRECTED, STANDS, TAKEN_BACK, DieRoll
from companion.audit.rolls_csv import verify_export, write_rolls
from companion.errors import AlteredExport, CorruptLedger
from companion.ledger.events import (
    TRAY_PICTURE,
    ActionApplied,
    CorrectionMade,
    GameOpened,
    Retracted,
)
from companion.ledger.memory_store import MemoryStore
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.dice import DieKind
from companion.table.commands import Correct, Undo
from companion.table.observation import Observation
from companion.table.referee import Referee
from tests.table.battle import GAME, dice, open_referee, set_up, tell
from tests.table.synthetic import Hands

LOOKS = {"sail": "ivory sail", "cannon": ""}
SEEMS = {"cannon": "cocked"}


@dataclass
class Table:
    """A game at which Anne's first dice have just been read from the tray."""

    store: MemoryStore
    referee: Referee

    def rolls(self) -> tuple[DieRoll, ...]:
        return Archive(self.store, "cabin").rolls()

    def last_seq(self) -> int:
        return self.referee.snapshot().log[-1].seq


def looked(seen: Observation) -> Observation:
    """Return what was seen with the dice's looks told, and what some seem."""
    assert seen.dice is not None
    kinds = [die.best[0].kind if die.best else "" for die in seen.dice]
    told = (
        replace(d, look=LOOKS.get(k, ""), seems=SEEMS.get(k, ""))
        for d, k in zip(seen.dice, kinds, strict=True)
    )
    return replace(seen, dice=tuple(told))


@pytest.fixture
def table() -> Table:
    store = MemoryStore()
    referee = open_referee(store)
    set_up(referee)
    layout = GAME.layout(referee.state)
    hands = Hands(Random(3), layout)
    referee.observe(hands.look())
    hands.throw(dice("234", "4"))
    for _ in range(2):
        referee.observe(looked(hands.look()), lambda: b"the table", lambda: b"the tray")
    assert "rolls sail 2, 3, 4 and cannon 4" in referee.snapshot().log[-1].text
    return Table(store, referee)


def test_each_die_is_told_with_what_was_read_of_it(table: Table) -> None:
    rolls = table.rolls()
    assert sorted((r.kind.id, r.face) for r in rolls) == [
        ("cannon", 4),
        ("sail", 2),
        ("sail", 3),
        ("sail", 4),
    ]
    for roll in rolls:
        assert roll.read == roll.face
        assert roll.p is not None
        assert roll.p > 0.5
        assert roll.box is not None
        assert roll.look == LOOKS[roll.kind.id]
        assert roll.seems == SEEMS.get(roll.kind.id, "")
        assert (roll.captain, roll.purpose, roll.source) == ("Anne", "roll", "camera")
        assert (roll.table, roll.game, roll.roll) == ("cabin", "g", table.last_seq())
        assert (roll.status, roll.confirmed_by, roll.time_s) == (STANDS, "", 1.0)
    assert len({roll.box for roll in rolls}) == 4


def test_the_picture_of_the_tray_is_kept_with_a_roll(table: Table) -> None:
    name = table.rolls()[0].picture
    assert table.store.picture("g", name) == b"the table"
    assert table.store.picture("g", name + TRAY_PICTURE) == b"the tray"


def test_a_picture_is_named_after_its_content_too(table: Table) -> None:
    frame, _, digest = table.rolls()[0].picture.rpartition("-")
    assert frame
    assert len(digest) == 12


def test_a_told_roll_has_nobody_but_people_behind_it() -> None:
    store = MemoryStore()
    referee = open_referee(store)
    set_up(referee)
    tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    rolls = Archive(store).rolls()
    assert [(r.kind.id, r.face, r.read, r.p, r.box, r.source) for r in rolls] == [
        ("cannon", 5, None, None, None, "phone"),
        ("sail", 2, None, None, None, "phone"),
        ("sail", 3, None, None, None, "phone"),
        ("sail", 3, None, None, None, "phone"),
    ]


def test_a_correction_keeps_what_was_read_beside_what_is_true(table: Table) -> None:
    seq = table.last_seq()
    entry = table.referee._book.history.find(seq)
    assert entry is not None
    right = replace(entry.action, dice=dice("344", "4"))
    table.referee.command(Correct(seq, right, 1, "the 2 was a 4"))
    old, new = ([r for r in table.rolls() if (r.roll == seq) is is_old] for is_old in (True, False))
    assert {r.status for r in old} == {CORRECTED}
    assert sorted(r.face for r in old) == [2, 3, 4, 4]
    assert {r.status for r in new} == {STANDS}
    assert sorted((r.kind.id, r.face, r.read) for r in new) == [
        ("cannon", 4, 4),
        ("sail", 3, 3),
        ("sail", 4, 2),
        ("sail", 4, 4),
    ]
    place = {(r.kind.id, r.read): r.box for r in old}
    assert all(r.box == place[r.kind.id, r.read] for r in new), "each with its own picture"
    assert {r.picture for r in new} == {old[0].picture}
    assert {r.confirmed_by for r in new} == {"Mary"}


def test_what_was_taken_back_does_not_stand(table: Table) -> None:
    table.referee.command(Undo())
    assert {r.status for r in table.rolls()} == {TAKEN_BACK}


def test_only_what_came_after_is_struck_through_and_once() -> None:
    store = MemoryStore()
    opened = GameOpened(GAME.info.id, ("Anne", "Mary"), {}, "hex-ocean")
    roll = ActionApplied(find_roll(), "rolls", 0, "phone", is_chance=True)
    wrong, undone = CorrectionMade(3, "it was a 4", 0), Retracted(2, "", 0)
    archive = Archive(store)

    def status() -> list[tuple[int, str]]:
        return [(die.roll, die.status) for die in archive.rolls()]

    store.append("g", 0, [opened, roll, roll, roll], 5.0)
    assert status() == [(2, STANDS), (3, STANDS), (4, STANDS)]
    store.append("g", 4, [wrong, roll], 6.0)
    assert status() == [(2, STANDS), (3, CORRECTED), (4, TAKEN_BACK), (6, STANDS)]
    store.append("g", 6, [undone, roll], 7.0)
    struck = [(2, TAKEN_BACK), (3, CORRECTED), (4, TAKEN_BACK), (6, TAKEN_BACK)]
    assert status() == [*struck, (8, STANDS)]


def test_rolls_behind_a_correction_keep_their_evidence(table: Table) -> None:
    choice = table.referee.snapshot().log[-2]
    assert "take 3 sail dice" in choice.text
    again = table.referee._book.history.find(choice.seq)
    assert again is not None
    table.referee.command(Correct(choice.seq, again.action, None, "the same once more"))
    standing = [r for r in table.rolls() if r.status == STANDS]
    assert len(standing) == 4
    assert all(r.read == r.face and r.box and r.source == "camera" for r in standing)
    assert {r.confirmed_by for r in standing} == {""}
    assert {r.status for r in table.rolls()} == {STANDS, TAKEN_BACK}


def test_what_was_read_once_is_not_read_again(table: Table) -> None:
    archive = Archive(table.store)
    before = archive.rolls()
    layout = table.referee.snapshot().layout
    assert layout.dice
    tell(table.referee, "sail 3")
    assert archive.rolls() == before
    table.referee.command(Undo())
    table.referee.command(Undo())
    assert {r.status for r in archive.rolls()} == {TAKEN_BACK}
    assert archive.rolls() == Archive(table.store).rolls()


def test_old_events_tell_less_and_are_read_all_the_same() -> None:
    store = MemoryStore()
    roll = find_roll()
    opened = GameOpened(GAME.info.id, ("Anne", "Mary"), {}, "hex-ocean")
    store.append("g", 0, [opened, ActionApplied(roll, "rolls", 1, "camera", True, 0.9, "f1")], 5.0)
    (die,) = Archive(store).rolls()
    assert (die.kind.id, die.face, die.captain, die.picture) == ("cannon", 3, "Mary", "f1")
    assert (die.read, die.purpose) == (None, "")


@pytest.mark.parametrize(
    ("known", "who"),
    [
        ({"source": "camera", "by_host": True}, "the host"),
        ({"source": "table"}, "the host"),
        ({"source": "table", "confirmed_by": 1}, "Mary"),
        ({"source": "camera"}, ""),
    ],
)
def test_who_said_that_a_roll_is_right_is_told(known: dict[str, object], who: str) -> None:
    store = MemoryStore()
    opened = GameOpened(GAME.info.id, ("Anne", "Mary"), {}, "hex-ocean")
    roll = ActionApplied(find_roll(), "rolls", 0, is_chance=True, **known)  # type: ignore[arg-type]
    store.append("g", 0, [opened, roll], 5.0)
    assert [die.confirmed_by for die in Archive(store).rolls()] == [who]


def find_roll() -> dict[str, object]:
    return {"type": "roll", "player": -1, "dice": [{"kind": "cannon", "face": 3}]}


def test_options_tell_the_faces_of_the_dice() -> None:
    dice_of = declared_dice(ArticlesOfWar().info, {"sail_faces": [4, 2, 2, 3]})
    assert dice_of["sail"] == DieKind("sail", (2, 2, 3, 4))
    assert dice_of["cannon"].values == (1, 2, 3, 4, 5)


# -- the ledger as a witness ----


def test_an_honest_export_is_proven_even_after_a_correction(table: Table) -> None:
    exported = verify_export(write_rolls(table.rolls()))
    assert prove(exported, [table.store]) == 0
    table.referee.command(Undo())
    assert prove(exported, [table.store]) == 0
    assert prove(exported[:1], [table.store]) == 3


def test_the_picture_of_a_throw_is_proven_once_for_all_its_dice(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    exported = verify_export(write_rolls(table.rolls()))
    shown = Mock(wraps=table.store.picture)
    monkeypatch.setattr(table.store, "picture", shown)
    assert prove(exported, [table.store]) == 0
    assert shown.call_count == 2, "of the table and of the tray"
    shown.side_effect = lambda *_: b"another table"
    with pytest.raises(AlteredExport, match="picture in the ledger is missing or was") as caught:
        prove(exported, [table.store])
    assert caught.value.line == 2


def test_one_of_several_ledgers_holds_a_roll(table: Table) -> None:
    other = MemoryStore()
    referee = open_referee(other)
    set_up(referee)
    tell(referee, "take 3 sail dice and 1 cannonball", "rolls sail 2, 3, 3 and cannon 5")
    rolls = (*table.rolls(), *Archive(other, "ship").rolls())
    exported = verify_export(write_rolls(rolls))
    assert prove(exported, [table.store, other]) == 0
    assert prove(exported[:3], [other, table.store, table.store]) == 5
    with pytest.raises(AlteredExport, match="no such roll") as caught:
        prove(exported, [table.store])
    assert caught.value.line == 6


def test_a_roll_that_is_told_twice_is_found(table: Table) -> None:
    rolls = table.rolls()
    exported = verify_export(write_rolls((*rolls, rolls[1])))
    for ledgers in ([table.store], [table.store, table.store]):
        with pytest.raises(AlteredExport, match="not so many rolls like it") as caught:
            prove(exported, ledgers)
        assert caught.value.line == 6


@pytest.mark.parametrize("status", [CORRECTED, TAKEN_BACK])
def test_a_roll_that_stands_is_not_said_to_be_struck_through(table: Table, status: str) -> None:
    first, *rolls = table.rolls()
    exported = verify_export(write_rolls((replace(first, status=status), *rolls)))
    with pytest.raises(AlteredExport, match=f"it is {status} here, and stands in the") as caught:
        prove(exported, [table.store])
    assert caught.value.line == 2


def test_what_was_taken_back_is_not_said_to_be_corrected(table: Table) -> None:
    table.referee.command(Undo())
    first, *rolls = table.rolls()
    forged = [replace(first, status=CORRECTED), *rolls]
    with pytest.raises(AlteredExport, match="corrected here, and is taken back in the ledger"):
        prove(verify_export(write_rolls(forged)), [table.store])


def test_a_name_with_blanks_around_it_is_proven_too() -> None:
    store = MemoryStore()
    opened = GameOpened(GAME.info.id, (" Anne\rBonny ", "Mary"), {}, "hex-ocean")
    store.append("g", 0, [opened, ActionApplied(find_roll(), "rolls", 0, "phone", True)], 5.0)
    exported = verify_export(write_rolls(Archive(store).rolls()))
    assert [roll.captain for _, roll in exported] == ["Anne\nBonny"]
    assert prove(exported, [store]) == 0


def test_a_forgery_with_a_chain_of_its_own_is_found_in_its_line(table: Table) -> None:
    rolls = list(table.rolls())
    rolls[2] = replace(rolls[2], captain="Mary")
    exported = verify_export(write_rolls(rolls))
    with pytest.raises(AlteredExport, match="no such roll") as caught:
        prove(exported, [table.store])
    assert caught.value.line == 4


@pytest.mark.parametrize("suffix", ["", TRAY_PICTURE])
def test_an_exchanged_picture_is_found(table: Table, suffix: str) -> None:
    exported = verify_export(write_rolls(table.rolls()))
    table.store._pictures["g", exported[0][1].picture + suffix] = b"another tray"
    with pytest.raises(AlteredExport, match="picture") as caught:
        prove(exported, [table.store])
    assert caught.value.line == 2


def test_an_altered_ledger_is_no_witness(table: Table) -> None:
    exported = verify_export(write_rolls(table.rolls()))
    events = table.store._games["g"]
    events[3] = replace(events[3], time_s=9.0)
    with pytest.raises(CorruptLedger, match="event 4"):
        prove(exported, [table.store])


def test_a_game_that_cannot_be_read_is_left_out_and_named(table: Table) -> None:
    store, known = table.store, table.rolls()
    store.append("h", 0, [GameOpened("articles-of-war", ("Ann", "Bob"), {}, "hex-ocean")], 1.0)
    store._games["h"][0] = replace(store._games["h"][0], schema_version=99)
    archive = Archive(store, "cabin")
    assert archive.rolls() == known
    assert list(archive.unread) == ["h"]
    assert "version 99" in archive.unread["h"]
    with pytest.raises(CorruptLedger, match="version 99"):
        whole_rolls(archive)


def test_a_roll_that_this_version_does_not_know_leaves_its_game_out(table: Table) -> None:
    store, known = table.store, table.rolls()
    unknown = ActionApplied({"type": "roll_bones"}, "Rolls bones", None, "phone", is_chance=True)
    opened = GameOpened("articles-of-war", ("Ann", "Bob"), {}, "hex-ocean")
    one = ActionApplied(find_roll(), "rolls", 1, "camera", True, 0.9, "f1")
    store.append("h", 0, [opened, one, unknown], 1.0)
    archive = Archive(store, "cabin")
    assert archive.rolls() == known
    assert "roll_bones" in archive.unread["h"]
