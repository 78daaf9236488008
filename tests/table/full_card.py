"""A ledger whose memory card is full from some moment on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.errors import LedgerError
from companion.ledger.events import Event, StoredEvent
from companion.ledger.memory_store import MemoryStore
from companion.ledger.store import NO_PICTURES


class FullCard(MemoryStore):
    """A store that writes so many more batches and then no more; ``None``: as many as come."""

    left: int | None = None

    def append(
        self,
        game: str,
        after: int,
        events: Sequence[Event],
        time_s: float,
        pictures: Mapping[str, bytes] = NO_PICTURES,
    ) -> tuple[StoredEvent, ...]:
        if self.left is not None:
            if not self.left:
                raise LedgerError("the memory card is full")
            self.left -= 1
        return super().append(game, after, events, time_s, pictures)
