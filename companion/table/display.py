"""What is shown of a table, and who is told when it changes."""

from __future__ import annotations

from companion.table.book import Book
from companion.table.ports import Listener
from companion.table.scoreboard import take_snapshot
from companion.table.sentences import refused_now
from companion.table.snapshot import Notice, Snapshot
from companion.table.watcher import Watcher


class Display:
    """The snapshot of one table: its notice, what is ill, and who is told of the next one."""

    def __init__(self, book: Book, watcher: Watcher) -> None:
        self._book, self._watcher = book, watcher
        self.notice: Notice | None = None
        """What the table says at the moment; seen once it is published."""
        self.listeners: list[Listener] = []
        self._health: dict[str, str] = {}
        self.snapshot = self._taken()

    def report_health(self, part: str, text: str | None) -> None:
        """Show that a part of the set-up is ill and what to do, or with ``None`` well again."""
        if self._health.get(part) != text:
            self._note(part, text)
            self.publish()

    def publish(self) -> None:
        """Show the new snapshot if anything has changed; what fails to show it is told, too."""
        new = self._taken()
        if new == self.snapshot:
            return
        failure = self._show(new)
        if failure != self._health.get("display"):
            self._note("display", failure)
            self._show(self._taken())

    def _note(self, part: str, text: str | None) -> None:
        if text is None:
            del self._health[part]
        else:
            self._health[part] = text

    def _show(self, new: Snapshot) -> str | None:
        """Tell everybody who listens; return what is said of one that fails."""
        self.snapshot = new
        failure = None
        for listener in tuple(self.listeners):
            try:
                listener(new)
            except Exception as error:  # noqa: BLE001 - what was done is written down already
                failure = f"A display failed: {error}"
        return failure

    def _taken(self) -> Snapshot:
        history, health = self._book.history, dict(self._health)
        if history.refused is not None:
            health["rules"] = refused_now(history.refused.text, history.refused.why)
        return take_snapshot(history, self._watcher.outlook, self.notice, health)
