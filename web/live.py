"""Live updates: the newest snapshot for every phone, by server-sent events.

The table publishes into one slot that holds the newest value only, and returns. Each stream keeps
its own place, so a slow or dead phone misses what lies between and delays nobody.
"""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from companion.rules.layout import Layout
from companion.table.ports import House, Table
from companion.table.ring import ring_sign
from companion.table.snapshot import Snapshot
from web.changes import Change, change_between
from web.errors import WebError

BEAT = b"event: beat\ndata:\n\n"
"""A sign of life that the page can see (comments are invisible to `EventSource`)."""


class Message:
    """One published moment; turned into bytes once, by the first stream that needs them."""

    def __init__(self, id: str, snapshot: Snapshot | None, change: Change) -> None:
        self.id = id
        """Names the moment: the run of this server and a number; equal ids mean equal content."""
        self.snapshot = snapshot
        self.change = change
        """Last change of the board, drawn as an arrow."""
        self._lock = threading.Lock()
        self._json: dict[int | None, bytes] = {}

    def json(self, seat: int | None = None) -> bytes:
        """Return the body of `/api/state`, UTF-8 JSON on one line.

        `seat` is where the phone sits that it is sent to (`Table.seat_of`): its captain's secrets
        are added for that phone, and for no other.
        """
        with self._lock:
            if None not in self._json:
                self._json[None] = _json(self._values())
            if seat not in self._json:
                self._json[seat] = self._with_own(self._json[None], seat)
            return self._json[seat]

    def event(self, seat: int | None = None) -> bytes:
        """Return the server-sent event for a phone on a seat, or on none."""
        return b"id: %s\ndata: %s\n\n" % (self.id.encode(), self.json(seat))

    def _with_own(self, shown: bytes, seat: int | None) -> bytes:
        own = {} if self.snapshot is None or seat is None else self.snapshot.private.get(seat, {})
        return shown[:-1] + b', "own": ' + _json(own) + b"}" if own else shown

    def _values(self) -> dict[str, Any]:
        if self.snapshot is None:
            return {"id": self.id, "table": None, "change": None, "ring": None}
        sign = ring_sign(self.snapshot)
        return {
            "id": self.id,
            "table": self.snapshot.to_json(),
            "change": self.change.to_json(),
            "ring": {**asdict(sign), "storm": round(sign.storm, 3)},
        }


class Live:
    """Follows the game in play and hands its newest moment to any number of streams."""

    def __init__(self, house: House, *, max_streams: int = 200, beat_s: float = 5.0) -> None:
        """Follow what `house` has open.

        Parameters
        ----------
        max_streams : int
            Streams served at once; one more gets the error "full" and its phone polls instead.
        beat_s : float
            Seconds between signs of life. A phone that vanished is noticed after two of them.
        """
        self._house = house
        self._max_streams = max_streams
        self._beat_s = beat_s
        self._run = secrets.token_hex(4)
        self._count = 0
        self._news = threading.Condition()
        self._following = threading.Lock()
        self._table: Table | None = None
        self._layout: Layout | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._message = Message(f"{self._run}-0", None, Change())
        self._streams = 0
        self._closed = False

    @property
    def streams(self) -> int:
        """Streams open now."""
        return self._streams

    def refresh(self) -> Table | None:
        """Follow the game in play, should another have been opened since; return it."""
        table = self._house.table()
        if table is self._table:
            return table
        with self._following:
            if table is not self._table and not self._closed:
                self._follow(table)
        return table

    def newest(self) -> Message:
        """Return the newest moment."""
        self.refresh()
        return self._message

    def seat_of(self, token: str | None) -> int | None:
        """Return where a phone sits at the game that is followed, by its secret token."""
        table = self._table
        return None if token is None or table is None else table.seat_of(token)

    def stream(self, last_id: str | None = None, token: str | None = None) -> Stream:
        """Open a stream: the newest moment, then each newer one.

        Parameters
        ----------
        token : str or None
            Secret token of the phone; what is private to its seat is sent along.
        last_id : str or None
            What the phone showed last; that very moment is not sent again.

        Raises
        ------
        WebError
            At once, if too many streams are open or the server is stopping.
        """
        self.refresh()
        with self._news:
            if self._closed or self._streams >= self._max_streams:
                raise WebError(503, "full", "Too many phones listen at once.")
            self._streams += 1
        return Stream(self, last_id, token)

    def leave(self) -> None:
        """Count one stream less."""
        with self._news:
            self._streams -= 1

    def other_than(self, last_id: str | None) -> Message | None:
        """Wait for a moment other than `last_id`; ``None`` after a beat without one.

        Raises `StopIteration` when the server is stopping.
        """
        deadline = time.monotonic() + self._beat_s
        with self._news:
            while self._message.id == last_id and not self._closed:
                left = deadline - time.monotonic()
                if left <= 0:
                    break
                self._news.wait(left)
            if self._closed:
                raise StopIteration
            if self._message.id != last_id:
                return self._message
        self.refresh()
        return None

    def close(self) -> None:
        """End all streams and stop following; may be called twice."""
        with self._following:
            self._closed = True
            if self._unsubscribe is not None:
                self._unsubscribe()
                self._unsubscribe = None
        with self._news:
            self._news.notify_all()

    def _follow(self, table: Table | None) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None
        self._table, self._layout = table, None
        if table is None:
            self._publish(None)
            return
        count = self._count
        self._unsubscribe = table.subscribe(lambda snapshot: self._hear(table, snapshot))
        first = table.snapshot()
        with self._news:
            # A snapshot that came in since is newer than the one just asked for.
            if self._count == count:
                self._publish(first)

    def _hear(self, table: Table, snapshot: Snapshot) -> None:
        with self._news:
            if table is self._table:
                self._publish(snapshot)

    def _publish(self, snapshot: Snapshot | None) -> None:
        with self._news:
            self._count += 1
            change = Change()
            if snapshot is not None:
                if self._layout is not None:
                    change = change_between(self._layout, snapshot.layout) or self._message.change
                self._layout = snapshot.layout
            self._message = Message(f"{self._run}-{self._count}", snapshot, change)
            self._news.notify_all()


class Stream:
    """The server-sent events of one phone, as a WSGI body.

    A class and not a generator: `close` must give the place free even if nobody ever asked for
    the first event.
    """

    def __init__(self, live: Live, last_id: str | None, token: str | None) -> None:
        self._live = live
        self._last_id = last_id
        self._token = token
        self._open = True
        self._greeted = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        if not self._greeted:
            self._greeted = True
            return b"retry: 1000\n\n"
        message = self._live.other_than(self._last_id)
        if message is None:
            return BEAT
        self._last_id = message.id
        # Asked anew each time: the phone may have stood up since the stream was opened.
        return message.event(self._live.seat_of(self._token))

    def close(self) -> None:
        """Give the place free; may be called twice."""
        if self._open:
            self._open = False
            self._live.leave()


def _json(values: object) -> bytes:
    return json.dumps(values, ensure_ascii=False).encode()
