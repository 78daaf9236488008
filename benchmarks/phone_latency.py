"""How long from a command to the last phone: real rules, referee, SQLite, server and sockets.

A captain tells a legal action over HTTP; the referee checks it, makes it durable and publishes it;
every client's stream is watched by one selector in a process of its own, for no phone thinks with
the processor time of the Pi. Loopback. `--json` prints one object.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import selectors
import socket
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from companion.ledger.folder import open_store
from companion.rules.game import CHANCE, ChanceRoll, GameOver
from companion.service import Service
from web.server import WebServer

SEED = 7
NAMES = ("Ann", "Bob", "Cid", "Dora", "Eve", "Fay")


@dataclass(frozen=True)
class Figures:
    clients: int
    commands: int
    event_bytes: int
    p50_ms: float
    p95_ms: float
    p99_ms: float
    last_p95_ms: float
    """95 % of the commands had reached the last phone by then."""


def open_streams(port: int, count: int) -> selectors.BaseSelector:
    streams = selectors.DefaultSelector()
    for _ in range(count):
        stream = socket.create_connection(("127.0.0.1", port))
        stream.sendall(b"GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n")
        streams.register(stream, selectors.EVENT_READ, bytearray())
    return streams


def await_version(streams: selectors.BaseSelector, version: int, count: int) -> list[float]:
    """Return when each client had the whole event that carries `version`.

    Seconds of `perf_counter`, which all processes of one machine share on Linux.
    """
    mark = b'"version": %d,' % version
    arrived: list[float] = []
    deadline = time.perf_counter() + 10
    while len(arrived) < count:
        if time.perf_counter() > deadline:
            raise SystemExit(f"only {len(arrived)} of {count} clients got version {version}")
        for key, _ in streams.select(1):
            key.data.extend(key.fileobj.recv(262144))  # type: ignore[union-attr]
            at = key.data.find(mark)
            if at >= 0 and key.data.find(b"\n\n", at) >= 0:
                arrived.append(time.perf_counter())
                key.data.clear()
    return arrived


def watch(port: int, count: int, orders: Connection) -> None:
    """Be all the phones: for each version ordered, answer when each client had it."""
    streams = open_streams(port, count)
    while True:
        orders.send(await_version(streams, orders.recv(), count))


def send(connection: http.client.HTTPConnection, body: dict[str, object]) -> None:
    cookie = "quarterdeck_phone=" + "b" * 24
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    connection.request("POST", "/api/command", json.dumps(body), headers)


def tell(service: Service, random: Random) -> dict[str, object]:
    """Return the command that tells one random legal thing."""
    table = service.table()
    assert table is not None
    pending = table.game.pending(table.state)
    assert not isinstance(pending, GameOver), "the game ended early: choose fewer commands"
    player = CHANCE if isinstance(pending, ChanceRoll) else pending.player
    action = random.choice(table.game.legal_actions(table.state, player))
    return {"type": "act", "action": table.game.action_to_json(action)}


def measure(clients: int, commands: int) -> Figures:
    random = Random(SEED)
    each: list[float] = []
    last: list[float] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        service = stack.enter_context(Service(open_store(folder)))
        table = service.open("articles-of-war", NAMES, {})
        server = stack.enter_context(
            WebServer(service, host="127.0.0.1", port=0, max_streams=clients)
        )
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        send(connection, {"type": "take_seat", "seat": "host"})
        connection.getresponse().read()
        phones, orders = multiprocessing.Pipe()
        watching = multiprocessing.get_context("spawn").Process(
            target=watch, args=(server.port, clients, orders)
        )
        watching.start()
        stack.callback(watching.terminate)
        phones.send(table.snapshot().version)
        phones.recv()
        for _ in range(commands):
            command = tell(service, random)
            version = table.snapshot().version + 1
            phones.send(version)
            started = time.perf_counter()
            send(connection, command)
            arrived: list[float] = phones.recv()
            connection.getresponse().read()
            each += [1000 * (t - started) for t in arrived]
            last.append(1000 * (max(arrived) - started))
        size = len(server.live.newest().event())
        connection.close()
    each.sort()
    last.sort()

    def at(values: list[float], share: float) -> float:
        return round(values[min(len(values) - 1, int(share * len(values)))], 1)

    return Figures(
        clients, commands, size, at(each, 0.5), at(each, 0.95), at(each, 0.99), at(last, 0.95)
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[50, 200])
    parser.add_argument("--commands", type=int, default=60)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    rows = [measure(clients, arguments.commands) for clients in arguments.clients]
    if arguments.json:
        print(json.dumps([vars(row) for row in rows]))
        return
    print("command -> phone, milliseconds (loopback)")
    print(f"{'phones':>7} {'bytes':>7} {'p50':>7} {'p95':>7} {'p99':>7} {'last phone p95':>15}")
    for row in rows:
        print(
            f"{row.clients:>7} {row.event_bytes:>7} {row.p50_ms:>7} {row.p95_ms:>7}"
            f" {row.p99_ms:>7} {row.last_p95_ms:>15}"
        )


if __name__ == "__main__":
    main()
