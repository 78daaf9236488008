"""The service: the only place where camera, referee, ledger, buttons, ring and web meet."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial

from companion.audit.fair import ReaderChecks
from companion.boards.choice import board_for
from companion.boards.profile import load_profile
from companion.errors import (
    AuditError,
    BadOptions,
    BoardError,
    CompanionError,
    CorruptLedger,
    LedgerError,
    UnknownEventVersion,
    VisionError,
)
from companion.ledger.store import Records, Store
from companion.rules.catalogue import GAMES, find_game
from companion.rules.dice import DieKind
from companion.rules.game import GameInfo
from companion.rules.options import playable
from companion.rules.words import ended
from companion.setup.looks import TRAY, Looks
from companion.setup.page import SettingUp
from companion.setup.readers import aim_of, board_reader, watcher_of
from companion.table.book import opening
from companion.table.commands import Command, PressTurn, Undo
from companion.table.ports import Listener
from companion.table.referee import Referee
from companion.table.setting_up import Part
from companion.trial.names import TRIALS
from companion.trial.tray import Reader, reader_at_table
from companion.trial.trials import TableTrials
from hardware.shade import Shade
from vision.evidence import evidence_picture, jpeg
from vision.frame import Camera, Frame
from vision.pipeline import Watcher

_LOG = logging.getLogger(__name__)

RETRY_S = 1.0
"""Pause before a camera that failed is asked again."""
TRAY_MM = (220.0, 160.0)
"""Inside size of the tray (width, height) where no board gives one."""
ON_TRIAL = (
    "A die is on trial: until that ends (/trial) rolls of the game are told by phone, and the "
    "buttons are the trial's."
)
UNREAD = (
    "A picture could not be read ({}). The next one is tried; if this stays, start Quarterdeck "
    "anew: the game goes on where it stands."
)
UNMEASURED: ReaderChecks = {}
NO_LOOKS = Looks()


class Service:
    """A table that is open for play: implements `companion.table.ports.House`.

    One process owns camera, pins and ledger. `look` takes in one picture; `start` does so in a
    thread until `close`. A game that was in play when the last process ended goes on at the same
    event; one that cannot is kept as it is and told by `ill`.

    Parameters
    ----------
    store : Store
        The ledger; closed together with the service.
    camera : Camera or None
        Without one everything is told by phone.
    looks : Looks
        Pictures of the empty board and tray.
    reader_checks : ReaderChecks
        How well this camera reads dice, as far as it was measured (`quarterdeck dice --check`).
    """

    def __init__(
        self,
        store: Store,
        camera: Camera | None = None,
        looks: Looks = NO_LOOKS,
        reader_checks: ReaderChecks = UNMEASURED,
    ) -> None:
        self.reader_checks = reader_checks
        self._store, self._camera, self._looks = store, camera, looks
        self._lock = threading.RLock()
        self._referee: Referee | None = None
        self._watcher: Watcher | None = None
        self._frame: Frame | None = None
        """The newest."""
        self._is_tray_out = False
        """Whether the camera over the tray gave no picture the last time."""
        self._was_cut = False
        """Whether the tray's picture was cut out of the last one."""
        self._listeners: list[Listener] = []
        self._ill: dict[str, str] = {}
        self._passing: dict[str, str] = {}
        """What is amiss for the time being, by part: until it is well, or until a game is open."""
        self._last_trouble = ""
        self._shade = Shade()
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None
        folder = None if looks.folder is None else looks.folder / TRIALS
        self.trials = TableTrials(folder, self._tray_reader, self._give_tray, reader_checks)
        self.set_up = SettingUp(
            lambda: self._frame, looks, self._use, aim_of(camera), camera is not None
        )
        self._resume()

    # -- the house ------------------------------------------------------------------------------

    @property
    def games(self) -> Sequence[GameInfo]:
        """The games that can be opened."""
        return tuple(game.info for game in GAMES)

    @property
    def records(self) -> Records:
        """The ledger, to read in."""
        return self._store

    @property
    def ill(self) -> Mapping[str, str]:
        """What is amiss with the house itself, by part, each with what to do."""
        return {**self._passing, **self._ill}

    def table(self) -> Referee | None:
        """Return the game in play, or ``None`` before the first is opened."""
        return self._referee

    def check(self, game: str, options: Mapping[str, object]) -> Sequence[int]:
        """Return how many can play a game with these options. Raises `BadOptions` if nobody can."""
        rules = find_game(game)
        return playable(rules, {**options, **board_for(rules.info, options).options})

    def open(self, game: str, players: Sequence[str], options: Mapping[str, object]) -> Referee:
        """Open a game; the one in play stays in the ledger. Raises `BadOptions`."""
        rules = find_game(game)
        profile = board_for(rules.info, options)
        with self._lock:
            game_id = f"game-{len(self._store.games()) + 1:04d}"
            referee = Referee.open(
                rules, players, options, profile, self._store, time.time, game_id
            )
            self._seat(referee)
            self._passing.pop("ledger", None)
        return referee

    def subscribe(self, listener: Listener) -> None:
        """Be told of every snapshot, of this game and of those opened later."""
        self._listeners.append(listener)
        if self._referee is not None:
            self._referee.subscribe(listener)

    def dim_with(self, dark_enough: Callable[[], AbstractContextManager[None]]) -> None:
        """Have the ring dimmed for the pictures that are read; call it before `start`."""
        self._shade = Shade(dark_enough)

    def _resume(self) -> None:
        games = self._store.games()
        if not games:
            return
        try:
            opened = opening(self._store, games[-1])
            rules, profile = find_game(opened.rules), load_profile(opened.profile)
            referee = Referee.resume(rules, profile, self._store, time.time, games[-1])
        except (CorruptLedger, UnknownEventVersion, BadOptions, BoardError) as error:
            # Nobody sees a service that will not start: the pages tell it, and begin another game.
            _LOG.error("%s is not gone on with: %s", games[-1], error)
            self._passing["ledger"] = (
                "The last game cannot be gone on with. It is kept as it is, and you can begin "
                f"another. Why: {error}."
            )
        else:
            self._seat(referee)

    def _seat(self, referee: Referee) -> None:
        if self._camera is not None:
            # Before the referee, for it takes a while: no game is read with the reader of another.
            self._watcher = watcher_of(referee, self._camera, self._looks)
        self._referee = referee
        for part, text in self._ill.items():
            referee.report_health(part, text)
        for listener in self._listeners:
            referee.subscribe(listener)
            listener(referee.snapshot())

    def _use(self, part: Part, profile: str) -> None:
        """Read the table with what is kept now of a board, or of the tray."""
        if part == "tray":
            self.trials.read_anew()
        with self._lock:
            referee, watcher = self._referee, self._watcher
            if referee is None or watcher is None or self._camera is None:
                return
            if part == "tray":
                self._watcher = watcher_of(referee, self._camera, self._looks)
            elif (
                referee.profile.games == load_profile(profile).games and not referee.profile.is_open
            ):
                # What its dice have taught the tray's reader stays.
                watcher.read_with(board_reader(referee, self._looks))

    def report_health(self, part: str, text: str) -> None:
        """Show at this table and those that follow that a part has failed for good."""
        with self._lock:
            self._ill[part] = text
            if self._referee is not None:
                self._referee.report_health(part, text)

    # -- pictures -------------------------------------------------------------------------------

    def look(self) -> bool:
        """Take in one picture; ``False`` when the camera has no more (a folder that ended).

        Raises `CameraUnavailable` when no picture can be had.
        """
        assert self._camera is not None
        reads = self.trials if self.trials.now is not None else self._watcher
        self._shade.follow(reads is not None and reads.is_about_to_read)
        frame = self._camera.read()
        if frame is None:
            self._wait_no_longer()
            return False
        self._frame = frame
        self._passing.pop("camera", None)
        if self._shade.is_too_late_for(frame.time_s):
            return True
        if self.trials.now is not None:
            self.trials.feed(frame)
            frame = replace(frame, tray=None, tray_zone=None, tray_trouble="")
        referee, watcher = self._referee, self._watcher
        if referee is not None and watcher is not None:
            self._read(frame, referee, watcher)
        return True

    def _read(self, frame: Frame, referee: Referee, watcher: Watcher) -> None:
        """Read a picture for the game in play."""
        referee.note_exposure(frame.time_s)
        if referee.is_unsure:
            watcher.look_again()
        self._note_tray(frame, referee, watcher)
        seen = watcher.feed(frame)
        if referee is not self._referee or watcher is not self._watcher:
            return  # another was opened meanwhile, or is being opened
        if seen is None:
            referee.expect_picture(watcher.is_behind)
        else:
            tray = None if frame.tray is None else partial(jpeg, frame.tray)
            referee.observe(seen, lambda: evidence_picture(frame), tray)
            self._last_trouble = ""
            for part in ("ledger", "reading"):
                referee.report_health(part, None)

    def _note_tray(self, frame: Frame, referee: Referee, watcher: Watcher) -> None:
        """Take in whether there is a picture of the tray, before it is read."""
        if frame.tray_trouble:
            told = f"{ended(frame.tray_trouble)} Until then rolls are told."
            referee.report_health("dice", told)
        elif self._is_tray_out:
            watcher.look_again()  # even if nothing in it has changed
        self._is_tray_out = bool(frame.tray_trouble)
        is_cut = frame.tray_zone is not None
        if self._was_cut and not is_cut:
            referee.forget_tray()
        self._was_cut = is_cut

    def _tray_reader(self, kind: DieKind, say: Callable[[str], None]) -> Reader:
        """Return what reads a die on trial, wherever on this table it is rolled."""
        tray = None if self._referee is None else self._referee.profile.tray
        size_mm = TRAY_MM if tray is None else tray.size_mm
        return reader_at_table(kind, size_mm, self._looks.empty(TRAY), say)

    def _give_tray(self, is_tried: bool) -> None:
        """Leave the tray to a trial, or to the game again; what lies in it then was not rolled."""
        with self._lock:
            referee, watcher = self._referee, self._watcher
            if referee is not None:
                referee.forget_tray(is_unrolled=not is_tried)
            if watcher is not None:
                watcher.look_again()
            if is_tried:
                self.report_health("tray", ON_TRIAL)
            else:
                self._ill.pop("tray", None)
                if referee is not None:
                    referee.report_health("tray", None)

    def _wait_no_longer(self) -> None:
        """Let no press wait for a picture: none comes soon."""
        if self._referee is not None:
            self._referee.expect_picture(False)

    def start(self) -> None:
        """Look on and on, in a thread; does nothing without a camera."""
        if self._camera is not None and self._thread is None:
            self._thread = threading.Thread(target=self._look_on, name="camera", daemon=True)
            self._thread.start()

    def _look_on(self) -> None:
        while not self._stopping.is_set():
            try:
                if not self.look():
                    return
            except VisionError as error:
                self._try_again("camera", str(error))
            except LedgerError as error:
                self._try_again("ledger", f"{error}. Nothing is lost: it is tried again.")
            except Exception as error:  # noqa: BLE001 - else nobody would look on, nor be told
                _LOG.exception("a picture could not be taken in")
                why = str(error).strip().partition("\n")[0] or type(error).__name__
                self._try_again("reading", UNREAD.format(why))

    def _try_again(self, part: str, text: str) -> None:
        """Say on the phones what is ill, wait, and look at the table anew."""
        if text != self._last_trouble:
            _LOG.warning("%s: %s", part, text)  # once, however long it lasts
        self._last_trouble = text
        self._shade.close()
        if part == "camera":
            # What it saw last is no longer so.
            self._frame, self._passing[part] = None, text
            self.trials.lose_sight(text)
        if self._referee is not None:
            self._referee.report_health(part, text)
        if part != "ledger":  # else the picture is read again, and a press waits for that
            self._wait_no_longer()
        if self._watcher is not None:
            # What was seen is not taken in yet, and a table that is well again is to say so.
            self._watcher.look_again()
        self._stopping.wait(RETRY_S)

    # -- buttons --------------------------------------------------------------------------------

    def press_turn(self) -> None:
        """Take the big button's press; what stands against it is shown on the phones.

        While a die is on trial it says that a doubtful roll was one.
        """
        self.set_up.note_press("turn")
        if self.trials.now is not None:
            self.trials.vouch()
        else:
            self._command(PressTurn(), self._referee)

    def press_undo(self) -> Callable[[], None]:
        """Return what the undo button does once it is held: take back what is the last thing now.

        While a die is on trial its last throw is what happened last.
        """
        trial, referee = self.trials.now, self._referee
        seen = trial or referee
        version = None if seen is None else seen.version

        def held() -> None:
            self.set_up.note_press("undo")
            if trial is None:
                self._command(Undo(reason="undo button", version=version), referee)
            elif trial is self.trials.now:
                trial.undo(version)

        return held

    def _command(self, command: Command, referee: Referee | None) -> None:
        if referee is None or referee is not self._referee:
            return  # another game was opened meanwhile
        try:
            referee.command(command)
        except CompanionError as error:
            # Nobody reads an exception on a button; the phones have the sentence already.
            _LOG.info("button: %s", error)

    def close(self) -> None:
        """End the thread, let camera and ledger go; may be called twice."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(5)
            self._thread = None
        self._shade.close()
        if self._camera is not None:
            self._camera.close()
        with suppress(AuditError):  # every roll is on the card, sealed or not
            self.trials.end()
        self._store.close()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
