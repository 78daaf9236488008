"""What a correction leaves as it was: marks, readings and the time of what is played again."""

from __future__ import annotations

from dataclasses import replace

from companion.audit.from_ledger import Archive
from companion.audit.rolls import CORRECTED, STANDS
from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE
from companion.table.commands import Act, Correct, Undo
from companion.table.history import Played
from companion.table.referee import Referee

AHOY = find_game("ahoy-matey")
EVENING, NEXT_DAY = 1_800_000_000.0, 1_800_086_400.0


class Evening:
    """Suns and Moons have rolled for the first go, and on the next day something is put right."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.now = EVENING
        board = board_for(AHOY.info, {})
        self.referee = Referee.open(
            AHOY, ["Ann", "Ben"], {}, board, self.store, lambda: self.now, "g"
        )
        self.roll("Suns rolls 5")
        self.roll("Moons rolls 3")

    def roll(self, text: str) -> None:
        self.referee.command(Act(self.action(self.referee.state, text)))

    def action(self, state: object, text: str) -> object:
        actions = AHOY.legal_actions(state, CHANCE)
        return next(a for a in actions if text in AHOY.describe(state, a))

    def standing(self) -> list[Played]:
        return list(self.referee._book.history.standing)[::-1]

    def put_right(self, text: str) -> None:
        """Say that the first roll was another."""
        first = self.standing()[0]
        self.referee.command(Correct(first.seq, self.action(first.before, text)))


def test_what_the_table_decided_stays_a_house_ruling() -> None:
    evening = Evening()
    evening.roll("Suns rolls")
    plank = AHOY.asides(evening.referee.state)[1]
    evening.referee.command(Act(plank))
    evening.put_right("Suns rolls 4")
    last = evening.referee.snapshot().log[-1]
    assert last.text.startswith("Moons: walk the plank")
    assert (last.house_ruling, last.retracted) == (True, False)


def test_a_house_ruling_on_another_captain_is_still_one() -> None:
    evening = Evening()
    evening.roll("Suns rolls")
    suns, moons = AHOY.asides(evening.referee.state)
    evening.referee.command(Act(moons))
    seq = evening.referee.snapshot().log[-1].seq
    evening.referee.command(Correct(seq, suns))
    last = evening.referee.snapshot().log[-1]
    assert last.text.startswith("Suns: walk the plank")
    assert last.house_ruling


def test_rolls_keep_the_evening_they_were_rolled_on() -> None:
    evening = Evening()
    before = [roll.time_s for roll in Archive(evening.store).rolls()]
    evening.now = NEXT_DAY
    evening.put_right("Suns rolls 4")
    evening.now = NEXT_DAY + 60
    evening.put_right("Suns rolls 3")
    rolls = Archive(evening.store).rolls()
    assert {roll.time_s for roll in rolls} == set(before) == {EVENING}
    standing = [roll for roll in rolls if roll.status == STANDS]
    assert [(roll.face, roll.confirmed_by) for roll in standing] == [(3, "the host"), (3, "")]
    assert sum(roll.status == CORRECTED for roll in rolls) == 2
    again = Referee.resume(AHOY, evening.referee.profile, evening.store, lambda: evening.now, "g")
    assert again._book.history.played == evening.referee._book.history.played


def test_what_is_rolled_after_a_correction_is_of_its_own_time() -> None:
    evening = Evening()
    evening.now = NEXT_DAY
    evening.put_right("Suns rolls 4")
    evening.referee.command(Undo())
    evening.roll("Moons rolls 2")
    assert Archive(evening.store).rolls()[-1].time_s == NEXT_DAY


def test_what_is_played_again_differs_in_nothing_but_its_words() -> None:
    evening = Evening()
    told = evening.standing()[1].event
    evening.referee.command(Undo())
    read = {"kind": "piecepack", "face": 3, "p": 0.9, "box": [1, 2, 3, 4], "look": ""}
    before = replace(
        told, source="camera", p=0.9, evidence="f1", equivalent=6, dice=(read,), by_host=True
    )
    evening.referee._book.append([before])
    evening.put_right("Suns rolls 4")
    after = evening.standing()[1].event
    same = ("action", "source", "p", "evidence", "equivalent", "dice", "confirmed_by", "by_host")
    assert [getattr(after, name) for name in same] == [getattr(before, name) for name in same]
    log = evening.referee.snapshot().log
    assert [line.tray for line in log[-2:]] == [None, "f1.tray"]  # who doubts it sees the dice
