"""What readers of pieces have in common: find the board first, then read what stands on it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from companion.boards.profile import BoardProfile
from companion.table.observation import Observation, Unreadable
from vision.frame import Frame
from vision.registration import BoardFit, register


class PieceReader(ABC):
    """Reads the pieces of a table: cells (`BoardReader`) or tags (`TagReader`).

    Not safe to share between threads. Remembers the last fit, so that the markers of a resting
    camera are found again quickly.
    """

    def __init__(self, profile: BoardProfile) -> None:
        self.profile = profile
        self.fit: BoardFit | None = None
        """Where the board was in the last readable frame."""

    def read(self, frame: Frame) -> Observation | Unreadable:
        """Read a frame; its dice are left to others (``None``)."""
        fit = register(frame.board, self.profile, self.fit, frame.id)
        if isinstance(fit, Unreadable):
            return fit
        self.fit = fit
        return self.read_fitted(frame, fit)

    @abstractmethod
    def read_fitted(self, frame: Frame, fit: BoardFit) -> Observation:
        """Read a frame whose board has been found already."""
