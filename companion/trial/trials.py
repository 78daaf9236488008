"""The trials of an open table: begun, watched and ended there, each kept beside the games."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import rmtree
from threading import RLock

from companion.audit.fair import ReaderChecks
from companion.audit.judging import audit
from companion.audit.rolls import STANDS
from companion.audit.trial import MORE, Kept, Plan, Trial
from companion.errors import AuditError, TakenOver
from companion.rules.dice import DieKind, die_words
from companion.rules.words import capital
from companion.trial.earlier import kept_trials
from companion.trial.folder import sweep, write_verdict
from companion.trial.kept import KeptTrial
from companion.trial.plans import keep_plan
from companion.trial.throws import Thrown
from companion.trial.tray import Reader, TrayWatch
from vision.frame import Frame

ReaderOf = Callable[[DieKind, Callable[[str], None]], Reader]
NO_FOLDER = "this table has no folder to keep anything in"


class TableTrials:
    """Implements `companion.audit.trial.Trials`; `feed` takes in the pictures of the tray.

    Parameters
    ----------
    folder : Path or None
        Where they are kept, each in a folder of its own; ``None``: none can be.
    reader_of : callable
        Returns what reads the dice of one kind in the tray of this table; given how to tell what
        is amiss.
    on_tray : callable
        Is told whether the tray is a trial's from now on (else it is the game's).
    checks : ReaderChecks
        How well the camera was found to read.
    clock : callable
        Wall clock, seconds since 1970.
    """

    def __init__(
        self,
        folder: Path | None,
        reader_of: ReaderOf,
        on_tray: Callable[[bool], None],
        checks: ReaderChecks,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder, self._reader_of, self._on_tray = folder, reader_of, on_tray
        self._checks, self._clock = checks, clock
        self._lock = RLock()
        """Held while a picture is taken in, or a trial begins or ends."""
        self._trial: KeptTrial | None = None
        self._watch: TrayWatch | None = None
        self._unwritten: Thrown | None = None
        """A roll for which the card had no room: it is tried again before anything else."""
        self._unseen = ""
        """What was told when the tray was lost from sight."""

    @property
    def now(self) -> KeptTrial | None:
        """The trial under way, if there is one."""
        return self._trial

    @property
    def is_about_to_read(self) -> bool:
        """Whether one of the next pictures will be read, should the tray stay still."""
        watch = self._watch
        return watch is not None and watch.is_about_to_read

    @property
    def kept(self) -> Kept:
        """The other trials in the folder, read anew each time."""
        now = self._trial
        if self._folder is None:
            return Kept()
        return kept_trials(self._folder, lambda path: now is None or path != now.folder)

    def begin(self, plan: Plan) -> None:
        """Put a die on trial. Raises `AuditError` while another is, or without a folder for it."""
        with self._lock:
            self._check_free()
            if self._folder is None:
                raise AuditError(NO_FOLDER)
            folder = self._folder / f"{self._next_number():03d}-{_slug(plan.die)}"
            try:
                folder.mkdir(parents=True)
            except OSError as error:
                raise AuditError(f"{folder} cannot be made: {error.strerror}") from error
            try:
                self._begin_in(folder, plan)
            except AuditError:
                rmtree(folder, ignore_errors=True)
                raise

    def go_on(self, name: str) -> None:
        """Go on with an earlier one, for more rolls if it was complete. Raises `AuditError`."""
        with self._lock:
            self._check_free()
            found = next((one for one in self.kept.earlier if one.name == name), None)
            if found is None or self._folder is None:
                raise AuditError("there is no such trial any more: look again")
            plan, read = found.plan, found.read
            if read >= plan.wanted:
                plan = replace(plan, wanted=read + MORE)
            self._begin_in(self._folder / name, plan)

    def end(self, meant: Trial | None = None) -> None:
        """Seal the rolls, leave the tray to the game again, and write the report.

        If one is `meant`, no other is ended in its place: somebody else has ended it. Where nothing
        was rolled, no folder is left.

        Raises `AuditError` if the rolls cannot be sealed, and then it has not ended; or if there is
        no report. Where somebody else has gone on with the trial it ends all the same.
        """
        with self._lock:
            trial = self._trial
            if trial is None or meant not in (None, trial):
                return
            try:
                self._take_in(TrayWatch.end)
                trial.end()
            except TakenOver:
                self._leave_tray()  # it is theirs: here nothing can be written any more
                raise
            self._leave_tray()
            if not trial.rolls:
                sweep(trial.folder)
                return
        standing = [roll for roll in trial.rolls if roll.status == STANDS]
        title = f"The {die_words(trial.plan.die)}"
        try:
            write_verdict(trial.folder, audit(standing, trial.checks), trial.rolls, title)
        except AuditError as error:
            raise AuditError(f"the trial has ended and its rolls are kept, but {error}") from error

    def _leave_tray(self) -> None:
        self._trial = self._watch = self._unwritten = None
        self._on_tray(False)

    def vouch(self) -> None:
        """Say that the doubtful roll in the tray was one: the turn button."""
        if (watch := self._watch) is not None:
            watch.vouch()

    def feed(self, frame: Frame) -> None:
        """Take in the next picture, if a die is on trial."""
        if (tray := frame.tray) is None:
            self.lose_sight(frame.tray_trouble)
            return
        with self._lock:
            if self._trial is not None and self._unseen:
                self._trial.unsay(self._unseen)
                self._unseen = ""
            self._try_to_take_in(lambda watch: watch.feed(tray, frame.time_s))

    def lose_sight(self, why: str = "") -> None:
        """Take in that the tray is not seen. Dice that lie there afterwards were told by phone."""
        with self._lock:
            self._try_to_take_in(TrayWatch.end)
            if self._trial is None or self._watch is None:
                return
            self._watch.begin_anew()
            if why:
                self._unseen = _tell(self._trial, why)

    def read_anew(self) -> None:
        """Read with what is known of the tray by now: it was moved, or another picture is kept."""
        with self._lock:
            self.lose_sight()
            if self._trial is not None:
                self._trial.teach_anew()
                self._watch = self._watch_for(self._trial)

    def _try_to_take_in(self, look: Callable[[TrayWatch], Thrown | None]) -> None:
        try:
            self._take_in(look)
        except TakenOver as error:
            assert self._trial is not None
            _tell(self._trial, str(error))
        except AuditError as error:
            assert self._trial is not None
            _tell(self._trial, f"{error}. The last roll is not lost: it is tried again.")

    def _take_in(self, look: Callable[[TrayWatch], Thrown | None]) -> None:
        """Count the roll that is seen, if more are wanted. Raises `AuditError` as the card does."""
        self._write_down()
        if self._trial is None or self._watch is None:
            return
        if self._trial.is_complete:
            self._watch.begin_anew()  # what is thrown now is not wanted, should one be taken back
        else:
            self._unwritten = look(self._watch)
            self._write_down()

    def _write_down(self) -> None:
        """Count the roll that was seen last, if it has not been."""
        if self._unwritten is None or self._trial is None or self._watch is None:
            return
        if self._trial.count(self._unwritten, self._watch.asked):
            self._watch.counted()
        self._unwritten = None

    def _begin_in(self, folder: Path, plan: Plan) -> None:
        keep_plan(plan, folder)
        trial = KeptTrial(plan, folder, self._checks, self._clock)
        self._trial, self._watch, self._unwritten = trial, self._watch_for(trial), None
        self._on_tray(True)

    def _watch_for(self, trial: KeptTrial) -> TrayWatch:
        kind, at_once = trial.plan.kind, trial.plan.at_once
        watch = TrayWatch(kind, at_once, self._reader_of(kind, trial.say), trial.say)
        watch.join(trial)
        return watch

    def _check_free(self) -> None:
        if self._trial is not None:
            die = die_words(self._trial.plan.die)
            raise AuditError(f"the {die} is on trial: end that first")

    def _next_number(self) -> int:
        assert self._folder is not None
        numbers = (re.match(r"\d+", path.name) for path in self._folder.glob("*"))
        return 1 + max((int(found[0]) for found in numbers if found), default=0)


def _tell(trial: KeptTrial, text: str) -> str:
    """Tell something that lasts, once; return how it is told."""
    text = capital(text)
    if trial.notice != text:
        trial.say(text)
    return text


def _slug(text: str) -> str:
    """Return a name for a folder that any card can hold.

    >>> _slug("Zoë's green d20"), _slug("?!")
    ('zo-s-green-d20', 'die')
    """
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())) or "die"
