"""A trial whose rolls are kept in a folder: counted, asked about, told, taken back, sealed.

It implements `companion.audit.trial.Trial` for phones.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock

from companion.audit.checks_csv import Counts
from companion.audit.evidence import Evidence
from companion.audit.fair import ReaderChecks
from companion.audit.rolls import CORRECTED, TAKEN_BACK, DieRoll
from companion.audit.trial import Asked, Plan
from companion.errors import AuditError, StaleVersion
from companion.rules.dice import values_words
from companion.rules.words import counted
from companion.trial.asked import asked_about, meant_dice
from companion.trial.folder import TrialFolder
from companion.trial.lessons import MOST
from companion.trial.scales import Scales
from companion.trial.throws import Thrown, counted_faces, entered, is_same_throw, matched
from companion.trial.voice import ALARM, SILENT, TORN, Voice

KEYBOARD = "the keyboard"
"""Who has said what dice show, if that was typed."""


class KeptTrial:
    """The rolls of one die.

    Parameters
    ----------
    plan : Plan
        What is rolled.
    folder : Path
        Where all of it is kept; made if it is missing.
    checks : ReaderChecks, optional
        How well the camera was found to read.
    clock : callable
        Wall clock, seconds since 1970.
    voice : Voice
        Hears of everything.
    """

    def __init__(
        self,
        plan: Plan,
        folder: Path,
        checks: ReaderChecks | None = None,
        clock: Callable[[], float] = time.time,
        voice: Voice = SILENT,
    ) -> None:
        self.plan, self.folder, self._voice, self._clock = plan, folder, voice, clock
        self.checks: ReaderChecks = checks or {}
        self.checked: Counts = {}
        """What was checked (`check`) and is not kept yet."""
        self.version = 0
        """Grows with every change."""
        self.notice = ""
        """What was said last, unless something was counted since."""
        self._lock = RLock()
        """Held by whoever changes something: the camera's loop, or a phone."""
        self._kept = TrialFolder(folder, plan.kind)
        self._file = self._kept.rolls
        self.doubtful: Thrown | None = None
        """The last roll, if it was passed over: it may still be put right."""
        self.on_answered: Callable[[], None] = lambda: None
        """Called when a phone has said what was rolled: that lies in the tray, if anything does."""
        self.lessons = deque(self._kept.lessons(self._file.standing), maxlen=MOST)
        """What people have said of dice, for the reader: it takes out what it has learnt."""
        self._entries: list[tuple[Sequence[DieRoll], Sequence[DieRoll]] | None] = []
        """What was entered, for `take_back`: dice as they were and as told; ``None``: a roll."""
        self._scales = Scales(plan.kind, self.checks, self._file.standing)
        if self._file.is_torn:
            self.notice = TORN
            self._voice.say(f"The last line of {self._file.path} was broken off; it is left out.")
        if self._file.standing:
            behind = counted(len(self._file.standing), "roll", "rolls")
            self._voice.say(f"Going on behind {behind} in {self.folder}.")

    def teach_anew(self) -> None:
        """Have a reader that knows nothing yet learn what people have said of dice."""
        with self._lock:
            self.lessons.clear()
            self.lessons.extend(self._kept.lessons(self._file.standing))

    def say(self, text: str) -> None:
        """Tell people something in plain words."""
        with self._lock:
            self.notice = text
            self.version += 1
        self._voice.say(text)

    def unsay(self, text: str) -> None:
        """Tell something no more, if nothing else was told since."""
        with self._lock:
            if self.notice == text:
                self.notice, self.version = "", self.version + 1

    @property
    def is_complete(self) -> bool:
        """There are as many rolls as were wanted."""
        return self.read >= self.plan.wanted

    @property
    def unread(self) -> list[DieRoll]:
        """Dice that could not be read, and that nobody has told yet."""
        return [roll for roll in self._file.standing if roll.face is None]

    def told_of(self, roll: int, told: int) -> list[DieRoll]:
        """Return the dice of a roll that are meant where so many are told: `meant_dice`."""
        return meant_dice(self._file.standing, roll, told)

    @property
    def digests(self) -> Iterator[str]:
        """The digest of the picture of each throw, taken back or not; old names have none."""
        return self._kept.digests

    @property
    def evidence(self) -> Evidence:
        """Evidence of the rolls that stand, that the die is loaded."""
        return self._scales.evidence

    @property
    def read(self) -> int:
        """How many dice were counted."""
        return sum(1 for roll in self._file.standing if roll.face is not None)

    # -- what phones see and say (`companion.audit.trial.Trial`) ------------------------------

    @property
    def rolls(self) -> list[DieRoll]:
        """All rolls in order, struck ones included."""
        with self._lock:
            return list(self._file.rolls)

    @property
    def asked(self) -> list[Asked]:
        """Throws with dice that could not be read, the newest first."""
        with self._lock:
            return asked_about(self._file.standing, self.doubtful, self._file.next_roll)

    def picture(self, roll: int) -> bytes | None:
        """Return the picture of a throw, JPEG; ``None`` if none was kept."""
        with self._lock:
            thrown = self._passed_over(roll)
            return self._kept.picture(roll) if thrown is None else thrown.jpeg

    def crop(self, roll: int, number: int) -> bytes | None:
        """Return the picture of one of its dice, JPEG; `number` counts them from 1."""
        with self._lock:
            if (thrown := self._passed_over(roll)) is not None:
                dice = thrown.dice
                return dice[number - 1].crop or None if 0 < number <= len(dice) else None
            return self._kept.crop(roll, number)

    def answer(self, roll: int, faces: Sequence[int], by: str) -> None:
        """Take the word of who is named for the dice of a throw that is asked about, in order.

        Raises `AuditError` if it is not asked about any more, or no die shows that.
        """
        with self._lock:
            asked = self._asked_about(roll)
            if len(faces) != len(asked.dice):
                raise AuditError(f"other dice of roll {roll} are asked about by now: look again")
            self._check_faces(faces)
            thrown = self._passed_over(roll)
            if thrown is None:
                self._fill([die for die in self.unread if die.roll == roll], faces, by)
                return
            self._keep(thrown, faces, by)
            self.on_answered()

    def put_right(self, roll: int, faces: Sequence[int], by: str) -> None:
        """Take the word of who is named for all dice of a throw that the camera read, in order.

        What it took them for stays. Raises `AuditError` if they do not stand, or no die shows that.
        """
        self._check_faces(faces)
        with self._lock:
            dice = [die for die in self._file.standing if die.roll == roll]
            if len(dice) != len(faces) or not all(die.picture for die in dice):
                raise AuditError(f"roll {roll} does not stand as it did: look again")
            self._fill(dice, faces, by)

    def dismiss(self, roll: int) -> None:
        """Take somebody's word that it was no roll. Raises `AuditError` as `answer` does."""
        with self._lock:
            self._asked_about(roll)
            if (thrown := self._passed_over(roll)) is None:
                self.strike(roll)
                return
            self.put_away(thrown)
            self.on_answered()

    def put_away(self, thrown: Thrown) -> None:
        """Keep a throw that was no roll, struck through: who was mistaken takes that back."""
        with self._lock:
            self._settle(thrown)
            dice = self._dice_of(thrown, [None] * len(thrown.dice))
            struck = [replace(die, status=TAKEN_BACK) for die in dice]
            self._file.add(struck)
            self._entries += [None, (dice, struck)]
            self.doubtful, self.version = None, self.version + 1
        self.say(f"roll {dice[0].roll} was none")

    def _check_faces(self, faces: Iterable[int]) -> None:
        if not set(faces) <= set(self.plan.kind.values):
            raise AuditError(f"this die shows {values_words(self.plan.kind)}")

    def _asked_about(self, roll: int) -> Asked:
        for asked in self.asked:
            if asked.roll == roll:
                return asked
        raise AuditError(f"roll {roll} is not asked about any more: somebody was quicker")

    def _passed_over(self, roll: int) -> Thrown | None:
        """Return the throw that was passed over last, if that is meant."""
        return self.doubtful if roll == self._file.next_roll else None

    # -- what is counted --------------------------------------------------------------------------

    def _check_seen(self, version: int | None) -> None:
        if version not in (None, self.version):
            raise StaleVersion("Something was rolled meanwhile.")

    def tell(self, faces: Sequence[int], version: int | None = None, by: str = "") -> None:
        """Count a throw that somebody tells who has seen this version (if it matters).

        `by` is who does, if that is on a phone.

        Raises `AuditError` if no such dice are thrown, `StaleVersion` if something is newer.
        """
        self._check_faces(faces)
        with self._lock:
            self._check_seen(version)
            self._settle()  # it was thrown before
            number, source = self._file.next_roll, "phone" if by else "table"
            told = entered(self.plan, number, self._clock(), faces, confirmed_by=by)
            self._add([replace(die, source=source) for die in told])
            self.on_answered()

    def fill_in(self, roll: int, faces: Sequence[int]) -> None:
        """Take what is typed for the dice of a roll that are meant, in any order.

        What the camera took them for stays with them; of a throw that it has not seen what was told
        before stays, struck through.
        """
        dice = self.told_of(roll, len(faces))
        self._fill(dice, matched(faces, [die.read for die in dice]), KEYBOARD)

    def _fill(self, dice: Sequence[DieRoll], faces: Sequence[int], by: str) -> None:
        told = [
            replace(die, face=face, confirmed_by=by) for die, face in zip(dice, faces, strict=True)
        ]
        shown = " ".join(die.shows for die in told)
        before = [replace(die, status=CORRECTED) for die in dice if not die.picture]
        with self._lock:
            self._enter(dice, [*before, *told], f"roll {told[0].roll} shows {shown}")
            self.lessons.extend(self._kept.lessons(told))

    def strike(self, roll: int) -> None:
        """Strike through a roll that was none, those of its dice that could be read as well."""
        with self._lock:
            dice = [die for die in self._file.standing if die.roll == roll]
            struck = [replace(die, status=TAKEN_BACK) for die in dice]
            self._enter(dice, struck, f"roll {roll} was none")

    def _enter(self, dice: Sequence[DieRoll], told: Sequence[DieRoll], said: str) -> None:
        self._file.put_right(dice, told)
        self._entries.append((dice, told))
        self._weigh_anew(said)

    def take(self, thrown: Thrown, truth: Iterable[int] | None = None) -> None:
        """Count a roll that the camera read, and keep its picture.

        With `truth`, in the order of the dice, somebody has said what they really show.
        """
        with self._lock:
            self._settle(thrown)
            told = [die.face for die in thrown.dice] if truth is None else list(truth)
            self._keep(thrown, told, "" if truth is None else KEYBOARD)

    def _keep(self, thrown: Thrown, told: Sequence[int | None], confirmed: str = "") -> None:
        """Write down dice that show what is told, ``None``: unread, and keep their pictures.

        Then no throw is in doubt any more.
        """
        dice = self._dice_of(thrown, told, confirmed)
        self._add(dice)
        self.doubtful = None  # not before it is on the card
        self.lessons.extend(self._kept.lessons(dice))

    def _dice_of(
        self, thrown: Thrown, told: Sequence[int | None], confirmed: str = ""
    ) -> list[DieRoll]:
        """Keep the pictures of a throw; return its dice as they are written down next."""
        name = self._kept.write_pictures(thrown)
        number, now = self._file.next_roll, self._clock()
        return entered(self.plan, number, now, told, thrown.dice, name, confirmed)

    def count(
        self, thrown: Thrown, asked: Thrown | None = None, truth: Sequence[int] | None = None
    ) -> bool:
        """Count a roll if somebody, or the camera, is sure of it, else pass it over; return which.

        `asked` was the doubtful one when this was looked at: if it is the same throw, and somebody
        has told it meanwhile, it is counted. `truth` is as in `take`.
        """
        with self._lock:
            if asked is not None and asked is not self.doubtful and is_same_throw(asked, thrown):
                return True
            if is_sure := truth is not None or self.is_sure_of(thrown):
                self.take(thrown, truth)
            else:
                self.pass_over(thrown)
            return is_sure

    def is_sure_of(self, thrown: Thrown) -> bool:
        """Say whether the camera is sure of a roll, and that it was one."""
        return not thrown.doubt and all(die.face in self.plan.kind.faces for die in thrown.dice)

    def check(self, thrown: Thrown, truth: Iterable[int]) -> None:
        """Note how well the camera read dice that really show `truth`."""
        counts = self.checked.setdefault(self.plan.kind.id, {})
        for die, face in zip(thrown.dice, truth, strict=True):
            if die.face is not None and die.is_sure:  # else it would have asked
                counts[face, die.face] = counts.get((face, die.face), 0) + 1

    def pass_over(self, thrown: Thrown) -> None:
        """Say that a roll cannot be counted as it is; unless it is put right it is kept as unread.

        Which rolls these are may hang on what they show. Without them the rest would be no fair
        sample.
        """
        with self._lock:
            self._settle(thrown)
            self.doubtful = thrown
            self.version += 1
        why = thrown.doubt or "that is no face of this die"
        self.say(f"not counted: I read {thrown.told(self.plan.kind.id)}; {why}")

    def _settle(self, now: Thrown | None = None) -> None:
        """Write down the roll that was passed over, unless it is the same throw, put right."""
        before = self.doubtful
        if before is not None and not (now is not None and is_same_throw(before, now)):
            self._keep(before, counted_faces(before, self.plan.kind))

    def take_back(self, version: int | None = None) -> None:
        """Take back what was entered last; behind that, strike through the last roll.

        Raises `StaleVersion` likewise.
        """
        with self._lock:
            self._check_seen(version)
            entry = self._entries[-1] if self._entries else None
            if entry is not None:
                dice, told = entry
                self._file.put_right(told, dice)
                said = f"taken back: what was told of roll {dice[0].roll}"
            else:
                struck = self._file.take_back()
                faces = " ".join(roll.shows for roll in struck)
                said = f"taken back: {faces}" if struck else "there is nothing to take back"
            del self._entries[-1:]  # not before it is on the card
            self._weigh_anew(said)

    def undo(self, version: int | None = None) -> None:
        """Take back the last throw, the undo button: one that is asked about was no roll.

        `version` is the one that was shown as the button went down. Nobody reads an exception on a
        button: what stands against it is said.
        """
        try:
            with self._lock:
                self._check_seen(version)
                if self.doubtful is not None:
                    self.dismiss(self._file.next_roll)
                else:
                    self.take_back()
        except AuditError as error:
            self.say(str(error))
        except StaleVersion:
            self.say("something else happened while undo was held; nothing was taken back")

    def end(self) -> str:
        """Seal the rolls, with the one that was passed over; return what the seal begins with."""
        with self._lock:
            self._settle()
            return self._file.seal()

    def _add(self, dice: list[DieRoll]) -> None:
        self._file.add(dice)
        self._entries.append(None)
        is_alarm = self._scales.add(dice, self._file.standing)
        self.version, self.notice = self.version + 1, ""
        if is_alarm:
            self._alarm()
        self._voice.count(self, dice)

    def _weigh_anew(self, said: str) -> None:
        """Weigh all rolls, for some are others now; say what was done, and what that brings."""
        is_alarm = self._scales.weigh(self._file.standing)
        self.say(said)
        if is_alarm:
            self._alarm()

    def _alarm(self) -> None:
        self.notice, self.version = ALARM, self.version + 1
        self._voice.alarm(ALARM)
