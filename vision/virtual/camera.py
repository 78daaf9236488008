"""The camera over a virtual table."""

from __future__ import annotations

from vision.frame import Frame
from vision.virtual.table import VirtualTable


class VirtualCamera:
    """Takes pictures of a virtual table, as `vision.frame.Camera` promises."""

    def __init__(self, table: VirtualTable) -> None:
        """Stand over `table`, which others may move things on."""
        self._table = table

    def read(self) -> Frame:
        """Return the next exposure; it never ends."""
        return self._table.frame()

    def close(self) -> None:
        """Nothing is held, so nothing is let go."""
