"""A session of `quarterdeck dice`: the rolls of one die, counted, kept and judged."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.audit import PICTURES, ROLLS, sealed_words, text_of, write_report
from companion.cli.dice_lessons import MOST, lessons_of
from companion.cli.dice_lines import evidence_words, is_alarm, progress, say
from companion.cli.dice_throws import ReadFace, Thrown, is_same_throw, matched
from companion.cli.files import read_table, write_file
from companion.errors import AuditError
from companion.rules.dice import die_words
from companion.rules.words import counted

if TYPE_CHECKING:
    from companion.audit.checks_csv import Counts
    from companion.audit.evidence import Evidence
    from companion.audit.fair import ReaderChecks
    from companion.audit.rolls import DieRoll
    from companion.rules.dice import DieKind

BELL = "\a"
REPORT, CHECKS = "report.html", "checks.csv"
"""What is written into the folder of a session, beside `ROLLS` and `PICTURES`."""


class Session:
    """The rolls of one die, counted, kept and judged.

    Parameters
    ----------
    kind : DieKind
        The die.
    folder : Path
        Where all of it is kept; made if it is missing.
    wanted : int
        How many dice are to be rolled.
    captain : str
        Who rolls.
    checks : ReaderChecks, optional
        How well the camera was found to read.
    clock : callable
        Wall clock, seconds since 1970.
    """

    def __init__(
        self,
        kind: DieKind,
        folder: Path,
        wanted: int,
        captain: str = "",
        checks: ReaderChecks | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        from companion.audit.rolls_file import RollsFile

        self.kind, self._folder, self._wanted = kind, folder, wanted
        self._captain, self._checks, self._clock = captain, checks, clock
        try:
            (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AuditError(f"{folder} cannot be made: {error.strerror}") from error
        self._file = RollsFile(folder / ROLLS)
        if strangers := {roll.kind for roll in self._file.rolls if roll.kind != kind}:
            raise AuditError(f"{folder} holds rolls of {_others(strangers, kind)}")
        self._checked: Counts = {}
        self._doubtful: Thrown | None = None
        """The last roll, if it was passed over: it may still be put right."""
        self.lessons = deque(lessons_of(self._file.standing, folder / PICTURES), maxlen=MOST)
        """What people have said of dice, for the reader: it takes out what it has learnt."""
        self._entries: list[tuple[Sequence[DieRoll], Sequence[DieRoll]] | None] = []
        """What was entered, for `take_back`: dice as they were and as told; ``None``: a roll."""
        self._evidence = self._weighed()
        self._is_alarm = is_alarm(self._evidence)
        if self._file.is_torn:
            print(f"The last line of {folder / ROLLS} was broken off; it is left out.")
        if self._file.standing:
            behind = counted(len(self._file.standing), "roll", "rolls")
            print(f"Going on behind {behind} in {folder}.")

    @property
    def is_complete(self) -> bool:
        """There are as many rolls as were wanted."""
        return self._read >= self._wanted

    @property
    def unread(self) -> list[DieRoll]:
        """Dice that could not be read, and that nobody has told yet."""
        return [roll for roll in self._file.standing if roll.face is None]

    def told_of(self, roll: int) -> list[DieRoll]:
        """Return the dice of a roll that could not be read, told since or not."""
        dice = [die for die in self._file.standing if die.roll == roll]
        return [
            d
            for d in dice
            if d.face is None or (d.confirmed_by and d.picture and (d.seems or d.read is None))
        ]

    @property
    def digests(self) -> Iterator[str]:
        """The digest of the picture of each throw, taken back or not; old names have none."""
        from companion.audit.rolls import together

        for dice in together(self._file.rolls):
            _, dash, named = Path(dice[0].picture).stem.rpartition("-")
            if dash:
                yield named

    @property
    def _read(self) -> int:
        return len(self._file.standing) - len(self.unread)

    def tell(self, faces: Iterable[int]) -> None:
        """Count a roll that people tell."""
        self._add([self._roll(face) for face in faces])

    def fill_in(self, roll: int, faces: Sequence[int]) -> None:
        """Take somebody's word for the dice of a roll that could not be read, in any order."""
        unread = self.told_of(roll)
        told = [
            replace(die, face=face, confirmed_by=self._teller)
            for die, face in zip(unread, matched(faces, [d.read for d in unread]), strict=True)
        ]
        self._enter(unread, told)
        print(f"roll {roll} shows {' '.join(die.shows for die in told)}")

    def strike(self, roll: int) -> None:
        """Strike through the dice of a roll that could not be read: they were not rolled."""
        from companion.audit.rolls import TAKEN_BACK

        unread = self.told_of(roll)
        self._enter(unread, [replace(die, status=TAKEN_BACK) for die in unread])
        print(f"roll {roll} was none")

    def _enter(self, dice: Sequence[DieRoll], told: Sequence[DieRoll]) -> None:
        self._put_right(dice, told)
        self._entries.append((dice, told))

    def _put_right(self, dice: Sequence[DieRoll], told: Sequence[DieRoll]) -> None:
        self._file.put_right(dice, told)
        self._evidence = self._weighed()

    def take(self, thrown: Thrown, truth: Iterable[int] | None = None) -> None:
        """Count a roll that the camera read, and keep its picture.

        With `truth`, in the order of the dice, somebody has said what they really show.
        """
        self._settle(thrown)
        told = [die.face for die in thrown.dice] if truth is None else list(truth)
        self._keep(thrown, told, "" if truth is None else self._teller)

    def _keep(self, thrown: Thrown, told: Sequence[int | None], confirmed: str = "") -> None:
        """Write down dice that show what is told, ``None``: unread, and keep their pictures."""
        from companion.audit.html import crop_name
        from companion.ledger.events import picture_name

        pictures, number = self._folder / PICTURES, self._file.next_roll
        name = picture_name(f"{number:05d}", thrown.jpeg, None) + ".jpg"
        dice = []
        for die, face in zip(thrown.dice, told, strict=True):
            roll = self._roll(face, die, name, confirmed)
            # A die that is rolled alone is the same die, whatever the light makes of its colour.
            dice.append(roll if len(thrown.dice) > 1 else replace(roll, look=""))
            if die.crop:
                write_file(pictures / crop_name(number, len(dice)), die.crop)
        write_file(pictures / name, thrown.jpeg)
        self._add(dice)
        self.lessons.extend(lessons_of(dice, pictures))

    def check(self, thrown: Thrown, truth: Iterable[int]) -> None:
        """Note how well the camera read dice that really show `truth`."""
        counts = self._checked.setdefault(self.kind.id, {})
        for die, face in zip(thrown.dice, truth, strict=True):
            if die.face is not None and die.is_sure:  # else it would have asked
                counts[face, die.face] = counts.get((face, die.face), 0) + 1

    def pass_over(self, thrown: Thrown, told: str, why: str) -> None:
        """Say that a roll cannot be counted as it is; unless it is put right it is kept as unread.

        Which rolls these are may hang on what they show. Without them the rest would be no fair
        sample.
        """
        self._settle(thrown)
        self._doubtful = thrown
        say(f"not counted: I read {told}; {why}")

    def _settle(self, now: Thrown | None = None) -> None:
        """Write down the roll that was passed over, unless it is the same throw, perhaps put right.

        Its dice that were read for sure count, unless the doubt is whether they were rolled at all.
        """
        before, self._doubtful = self._doubtful, None
        if before is None or (now is not None and is_same_throw(before, now)):
            return
        was_rolled = not before.doubt or not all(die.is_sure for die in before.dice)
        self._keep(
            before,
            [
                die.face if was_rolled and die.is_sure and die.face in self.kind.faces else None
                for die in before.dice
            ],
        )

    def take_back(self) -> None:
        """Take back what was entered last; behind that, strike through the last roll."""
        entry = self._entries.pop() if self._entries else None
        if entry is not None:
            dice, told = entry
            self._put_right(told, dice)
            print(f"taken back: what was told of roll {dice[0].roll}")
            return
        struck = self._file.take_back()
        faces = " ".join(roll.shows for roll in struck)
        print(f"taken back: {faces}" if struck else "there is nothing to take back")
        self._evidence = self._weighed()

    def end(self) -> None:
        """Keep what was checked, seal the rolls, say the verdict, write the report."""
        try:
            self._keep_checks()
        finally:
            self._settle()
            self._judge(self._file.seal())

    def _keep_checks(self) -> None:
        """Add what was checked to what was before; if that cannot be read, write it beside."""
        from companion.audit.checks_csv import read_checks, write_checks

        if not self._checked:
            return
        path = self._folder / CHECKS
        before: Counts = {}
        try:
            before = read_table(path, read_checks) if path.exists() else {}
        except AuditError as error:
            path = next(new for k in count(2) if not (new := numbered(path, k)).exists())
            print(
                f"\n{error}\nIt is left as it is. What was checked now is in {path}: put the first "
                "right, and add these lines to it."
            )
        counts = before.setdefault(self.kind.id, {})
        for faces, times in self._checked.pop(self.kind.id).items():
            counts[faces] = counts.get(faces, 0) + times
        write_file(path, write_checks(before, [self.kind]))
        print(f"Checked readings: {path}")

    def _judge(self, sealed: str) -> None:
        """Say the verdict and write the report."""
        from companion.audit.judging import audit

        print()
        if self.unread:
            dice = "1 die" if len(self.unread) == 1 else f"{len(self.unread)} dice"
            print(
                f"Could not be read: {dice}. The verdict holds whatever they showed; tell it with "
                f"--by-hand if {self._folder / PICTURES} shows it."
            )
        if not self._read:
            print("No rolls were counted.")
            if self.unread:
                print(f"The rolls: {self._folder / ROLLS}, {sealed_words(sealed)}")
            return
        found = audit(self._file.standing, self._checks)
        for one in found:
            print(text_of(one))
        shown = PICTURES if any(roll.picture for roll in self._file.rolls) else ""
        write_report(self._folder / REPORT, found, self._file.rolls, shown)
        print(f"The report with plots: {self._folder / REPORT}")
        print(f"The rolls: {self._folder / ROLLS}, {sealed_words(sealed)}")

    @property
    def _teller(self) -> str:
        return self._captain or "the roller"

    def _roll(
        self,
        face: int | None,
        read: ReadFace | None = None,
        picture: str = "",
        confirmed_by: str = "",
    ) -> DieRoll:
        from companion.audit.rolls import DieRoll

        seen = read if read is not None and read.face in self.kind.faces else None
        return DieRoll(
            self.kind,
            face,
            look=seen.look if seen else "",
            captain=self._captain,
            roll=self._file.next_roll,
            time_s=self._clock(),
            source="camera" if seen else "table",
            read=seen.face if seen else None,
            p=round(seen.p, 4) if seen else None,
            seems=read.seems if read else "",
            confirmed_by=confirmed_by,
            picture=picture,
            box=read.box if read else None,
        )

    def _weighed(self) -> Evidence:
        """Return the evidence of all rolls that stand, for the progress line."""
        from companion.audit.evidence import Evidence
        from companion.audit.fair import exactly_read, read_with_errors
        from companion.audit.rolls import together

        measured = (self._checks or {}).get(self.kind.id)
        fair = (
            exactly_read(self.kind) if measured is None else read_with_errors(self.kind, measured)
        )
        evidence = Evidence(fair)
        for dice in together(self._file.standing):
            evidence.update(roll.face for roll in dice)
        return evidence

    def _add(self, dice: list[DieRoll]) -> None:
        self._file.add(dice)
        self._entries.append(None)
        self._evidence.update(roll.face for roll in dice)
        faces = " ".join(roll.shows for roll in dice)
        line = f"{progress(self._read, self._wanted)}  shows {faces:<8} "
        line += evidence_words(self._evidence)
        if is_alarm(self._evidence) and not self._is_alarm:
            self._is_alarm = True
            say(f"ALARM: by now nobody would call this die fair.{BELL * 3 * sys.stdout.isatty()}")
        if sys.stdout.isatty():
            print(f"\r\033[K{line}{BELL}", end="", flush=True)
        else:
            print(line, flush=True)


def _others(strangers: Iterable[DieKind], kind: DieKind) -> str:
    """Say which other dice a session is of, and what to do; a like one has other faces."""
    for other in strangers:
        if other.id == kind.id:
            theirs, ours = (" ".join(map(str, die.faces)) for die in (other, kind))
            return (
                f"a {die_words(kind.id)} with the faces {theirs}, not {ours}: "
                f'go on with --faces "{theirs}", or choose another --out'
            )
    names = sorted(die_words(other.id) for other in strangers)
    return f"{', '.join(names)}: choose another --out"


def numbered(path: Path, number: int) -> Path:
    """Return the path beside another, e.g. ``checks-2.csv``."""
    return path.with_stem(f"{path.stem}-{number}")
