"""The way of a frame: settle, register, read; used by the live service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from companion.table.observation import DieReading, Observation, Unreadable
from vision.frame import Frame
from vision.piece_reader import PieceReader
from vision.registration import BoardFit, register
from vision.settling import (
    RESTLESS,
    ChangeWatch,
    LongExposure,
    Restlessness,
    SettlingGate,
    Stillness,
    Tumbling,
)

DiceReader = Callable[[Frame, BoardFit], tuple[DieReading, ...] | None]
"""Reads the dice in a frame's picture of the tray; the fit tells where the board is."""

TrayAim = Callable[[Frame, BoardFit], bool]
"""Says whether a frame's picture of the tray is cut out where the tray is; if not, those of the
next ones are."""

CAMERA_MOVED_MM = 2.5
"""The board has shifted by so much in the picture: somebody has bumped camera or board."""

HAND_PATIENCE = 30
"""After so many still frames a board that is partly hidden is told as far as it can be seen."""

UNREAD_S = 1.5
"""So long the board must not have been found before that is told: a hand may pass the lens."""


class Watcher:
    """Follows one camera and tells each rest once.

    A rest that is looked at again (`look_again`) has its dice read in all pictures of it together:
    what noise hid in the first one is plain then.

    Parameters
    ----------
    reader : PieceReader
    dice : callable, optional
        Reads the dice from `Frame.tray`, ``None`` when no tray is found in it. Without it, or
        without a tray's picture, the observation's dice are ``None``, too.
    aim : callable, optional
        Where the tray's picture is cut out of the board's: keeps it on the tray. A rest in which
        it was not is told by the next frames.
    """

    def __init__(
        self,
        reader: PieceReader,
        dice: DiceReader | None = None,
        aim: TrayAim | None = None,
    ) -> None:
        self._reader = reader
        self._dice = dice
        self._aim = aim
        self._gates = (SettlingGate(), SettlingGate())
        self._read = (ChangeWatch(), ChangeWatch())
        self._exposure = LongExposure()
        """Of the tray."""
        self._tumbling = Tumbling()
        self._restlessness = Restlessness()
        self._due = True
        self._hidden_for = 0
        self._told_ill: str | None = None
        self._unread_since_s: float | None = None
        """Since when no rest shows the board."""

    @property
    def is_about_to_read(self) -> bool:
        """Whether one of the next frames will be read, should the table stay as still as it is."""
        return self._due and any(gate.is_settling for gate in self._gates)

    @property
    def is_behind(self) -> bool:
        """Whether something has moved since the last picture that was told, and a next one will be.

        Not while the board cannot be read, which has been told already.
        """
        return self._due and self._told_ill is None

    def read_with(self, reader: PieceReader) -> None:
        """Read the board with another reader from the next picture on."""
        self._reader = reader
        self._due = True

    def look_again(self) -> None:
        """Tell the present rest once more with the next frame."""
        self._due = True

    def feed(self, frame: Frame) -> Observation | Unreadable | None:
        """Take the next frame; return what a new rest shows, ``None`` if there is nothing new.

        That there has been no rest for long is told, too, once.
        """
        pictures = [p for p in (frame.board, frame.tray) if p is not None]
        states = [gate.feed(p) for gate, p in zip(self._gates, pictures, strict=False)]
        if frame.tray is not None:
            self._tumbling.feed(frame.tray, frame.time_s)
        moving, hand = Stillness.MOVING in states, Stillness.HAND in states
        is_restless = self._restlessness.lasts(moving, frame.time_s)
        if moving or hand:
            self._due = True
            self._hidden_for = 0
            self._exposure.end()
            return self._tell_ill(Unreadable(RESTLESS, frame.id)) if is_restless else None
        watches = list(zip(self._read, pictures, strict=False))
        changed = [watch.differs(picture) for watch, picture in watches]
        if frame.tray is not None:
            if changed[-1]:  # the gate has missed it: what lay there before is not to show through
                self._exposure.end()
            self._exposure.add(frame.tray)
        if not self._due and not any(changed):
            return None
        self._due = False  # whoever wants another look while this one is read is heard
        told = self._tell(frame)
        if told is None or isinstance(told, Unreadable):
            self._due = True
        if told is not None:
            for watch, picture in watches:
                watch.remember(picture)
        return told

    def _tell(self, frame: Frame) -> Observation | Unreadable | None:
        """Read a rest; ``None`` while it must be looked at again."""
        fit = register(frame.board, self._reader.profile, self._reader.fit, frame.id)
        if isinstance(fit, Unreadable):
            return self._not_found(fit, frame.time_s)
        self._told_ill = self._unread_since_s = None
        if self._aim is not None and not self._aim(frame, fit):
            # The tray's next picture is cut out elsewhere: what differs in it is no arm.
            self._gates = (self._gates[0], SettlingGate())
            self._exposure.end()
            return None
        board = self._reader.read_fitted(frame, fit)
        if board.occluded and self._hidden_for < HAND_PATIENCE:
            self._hidden_for += 1
            return None
        self._hidden_for = 0
        self._reader.fit = fit
        if self._dice is None or frame.tray is None:
            return board
        dice = self._dice(replace(frame, tray=self._exposure.picture), fit)
        if dice is None:
            return board
        tumbled_s = self._tumbling.end(frame.tray)
        has_tumbled = tumbled_s is not None
        return replace(board, dice=dice, has_tumbled=has_tumbled, tumbled_s=tumbled_s)

    def _not_found(self, why: Unreadable, time_s: float) -> Unreadable | None:
        """Tell why the board is not found, once that lasts; what is seen after it is no arm."""
        self._gates[0].forget_rest()
        if self._unread_since_s is None:
            self._unread_since_s = time_s
        return self._tell_ill(why) if time_s - self._unread_since_s >= UNREAD_S else None

    def _tell_ill(self, why: Unreadable) -> Unreadable | None:
        """Tell each reason once; look again at every frame until it is gone."""
        if why.reason == self._told_ill:
            return None
        self._told_ill = why.reason
        return why
