"""The web server: an application in waitress, a threaded production WSGI server."""

from __future__ import annotations

import ctypes
import logging
import socket
import threading
from contextlib import suppress
from typing import Self

from flask import Flask
from waitress import wasyncore
from waitress.server import create_server

from companion.audit.trial import Trials
from companion.table.ports import House
from web import security
from web.app import create_app
from web.live import Live

REQUEST_THREADS = 8
"""Threads beside those that hold streams open, so that commands never wait for a free one."""

DEAD_PHONE_MS = 20_000
"""A phone that acknowledges nothing for so long is cut off (Linux; elsewhere TCP's own limit)."""

TAKEN_BYTES = 2 * security.MOST_BYTES
"""From this length on waitress cuts a request off; by itself it would keep a gigabyte. It is above
what the application reads, so that what is a little too long is refused in our own words."""

KEPT_BYTES = 64 * 1024
"""Unsent bytes kept for a slow phone; beyond it its thread waits and skips to the newest."""

M_ARENA_MAX = -8
"""Of glibc's `mallopt`: from how many heaps threads take their memory."""


class PageServer:
    """Serves an application on a port, in threads of its own.

    A context manager; `stop` is idempotent.
    """

    def __init__(self, app: Flask, *, host: str, port: int, threads: int = REQUEST_THREADS) -> None:
        """Bind the port at once; serve from `start` on.

        Parameters
        ----------
        app : Flask
        host : str
        port : int
            0 takes a free one, found in `port` afterwards.
        threads : int
            Requests that are answered at once.

        Raises
        ------
        OSError
            If the port is taken, or no such host is known.
        """
        _share_one_heap()
        sockets: dict[int, object] = {}
        try:
            self._server = create_server(
                app,
                map=sockets,
                host=_one_of(host, port),
                port=port,
                threads=threads,
                connection_limit=4 * threads,
                backlog=256,
                outbuf_high_watermark=KEPT_BYTES,
                max_request_body_size=TAKEN_BYTES,
                log_socket_errors=False,  # phones come and go; each would be fourteen lines
                ident="quarterdeck",
            )
        except OSError:
            wasyncore.close_all(sockets)  # waitress leaves open what it has opened by then
            raise
        self._server.adj.socket_options = _socket_options()
        # Waitress warns of every request that waits an instant, as when all phones come back.
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def port(self) -> int:
        """The port that is served."""
        return int(self._server.effective_port)

    def start(self) -> None:
        """Serve from a thread; returns at once."""
        self._thread = threading.Thread(target=self._serve, name="web", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Finish running requests (5 s at most) and let the port go."""
        if self._stopping.is_set():
            return
        self._server.task_dispatcher.shutdown()
        self._stopping.set()
        if self._thread is not None:
            self._server.pull_trigger()
            self._thread.join()
        # Not before the loop has ended: it must not find a socket, or its own trigger, closed.
        wasyncore.close_all(self._server._map)

    def _serve(self) -> None:
        """Run waitress's loop until `stop`; its own `run` has no way to be ended by a thread."""
        while not self._stopping.is_set():
            wasyncore.loop(timeout=1, use_poll=True, map=self._server._map, count=1)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


class WebServer(PageServer):
    """Serves a house."""

    def __init__(
        self,
        house: House,
        *,
        host: str,
        port: int,
        max_streams: int = 200,
        trials: Trials | None = None,
    ) -> None:
        """Bind the port as `PageServer` does.

        Parameters
        ----------
        max_streams : int
            Live streams at once, one thread each; further phones poll.
        trials : Trials or None
            As for `create_app`.
        """
        self.live = Live(house, max_streams=max_streams)
        app = create_app(house, trials=trials, live=self.live)
        super().__init__(app, host=host, port=port, threads=max_streams + REQUEST_THREADS)

    def stop(self) -> None:
        """End the streams, then as `PageServer` does."""
        self.live.close()
        super().stop()


def _share_one_heap() -> None:
    """Let all threads take their memory from one heap; does nothing where there is no glibc.

    By itself glibc makes up to eight heaps a core, and each keeps what was free in it: with every
    game that another thread opens, what its pictures took would stay in one more of them.
    """
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _one_of(host: str, port: int) -> str:
    """Return one address of a host, the older kind if it has both: one is listened on."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return str(min(found, key=lambda info: info[0] != socket.AF_INET)[4][0])


def _socket_options() -> list[tuple[int, int, int]]:
    options = [(socket.SOL_TCP, socket.TCP_NODELAY, 1)]
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        options.append((socket.SOL_TCP, socket.TCP_USER_TIMEOUT, DEAD_PHONE_MS))
    return options
