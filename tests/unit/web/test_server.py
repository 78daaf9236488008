"""The real server on a free port: streams, stopping, slow phones."""

from __future__ import annotations

import errno
import http.client
import json
import platform
import socket
import subprocess
import sys
from typing import Any

import pytest
from waitress.channel import HTTPChannel

from tests.web.doubles import FakeHouse, FakeTable
from web import security
from web.errors import PLAIN
from web.server import WebServer


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


def listen(server: WebServer) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    connection.request("GET", "/api/stream")
    answer = connection.getresponse()
    assert answer.status == 200
    assert answer.getheader("Content-Type", "").startswith("text/event-stream")
    return answer


def next_moment(answer: http.client.HTTPResponse) -> Any:
    while line := answer.readline():
        if line.startswith(b"data: "):
            return json.loads(line[6:])
    return None


def test_news_come_at_once_and_stopping_ends_the_stream(table: FakeTable) -> None:
    server = WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=4)
    server.start()
    answer = listen(server)
    assert next_moment(answer)["table"]["version"] == 3
    table.show(pending="Fresh")
    assert next_moment(answer)["table"]["pending"] == "Fresh"
    server.stop()
    server.stop()
    assert next_moment(answer) is None
    answer.close()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=5)


def test_the_same_port_can_be_served_again_at_once(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2) as first:
        port = first.port
        listen(first).close()
    with WebServer(FakeHouse(table), host="127.0.0.1", port=port, max_streams=2) as second:
        answer = listen(second)
        assert next_moment(answer)["table"]["version"] == 3
        answer.close()


def test_a_server_that_never_started_lets_its_port_go(table: FakeTable) -> None:
    server = WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2)
    port = server.port
    server.stop()
    with WebServer(FakeHouse(table), host="127.0.0.1", port=port, max_streams=2):
        pass


def test_one_phone_too_many_is_told_to_poll(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=1) as server:
        first = listen(server)
        assert next_moment(first) is not None
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        connection.request("GET", "/api/stream")
        refused = connection.getresponse()
        assert refused.status == 503
        assert json.loads(refused.read())["code"] == "full"
        connection.request("GET", "/api/state")
        assert connection.getresponse().status == 200
        connection.close()
        first.close()


def test_a_phone_that_reads_nothing_delays_nobody(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=3) as server:
        deaf = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.sendall(b"GET /api/stream HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = listen(server)
        next_moment(answer)
        for number in range(400):
            table.show(pending=f"{number} " + "x" * 20_000)
            assert next_moment(answer)["table"]["pending"].startswith(f"{number} ")
        deaf.close()
        answer.close()


def test_a_phone_that_is_gone_leaves_no_lines_in_the_terminal(
    table: FakeTable, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def out_of_reach(channel: HTTPChannel, *_: object, **__: object) -> int:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    monkeypatch.setattr(HTTPChannel, "send", out_of_reach)
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2) as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as phone:
            phone.sendall(b"GET /api/stream HTTP/1.1\r\nHost: table\r\n\r\n")
            assert phone.recv(1) == b""
    assert caplog.records == []


def test_a_long_request_is_cut_off_before_it_is_kept(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2) as server:
        phone = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        phone.putrequest("POST", "/api/command")
        phone.putheader("Content-Type", "application/json")
        phone.putheader("Content-Length", str(100_000_000))
        phone.endheaders()
        assert phone.getresponse().status == 413
        phone.close()


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_request_that_is_too_long_is_refused_in_words(table: FakeTable, is_chunked: bool) -> None:
    body = json.dumps({"text": "x" * security.MOST_BYTES}).encode()
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2) as server:
        phone = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        sent = iter([body]) if is_chunked else body
        headers = {"Content-Type": "application/json"}
        phone.request("POST", "/api/ships/read", sent, headers, encode_chunked=is_chunked)
        answer = phone.getresponse()
        assert answer.status == 413
        assert json.loads(answer.read())["message"] == PLAIN[413]
        phone.request("GET", "/api/state")  # it is read to its end: the phone need not call anew
        assert phone.getresponse().status == 200
        phone.close()


def test_a_request_without_end_is_cut_off(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="127.0.0.1", port=0, max_streams=2) as server:
        phone = socket.create_connection(("127.0.0.1", server.port), timeout=10)
        phone.sendall(
            b"POST /api/ships/read HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        chunk = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
        with pytest.raises(ConnectionError):
            phone.sendall(chunk * 2500)
        phone.close()


def test_a_host_with_two_addresses_is_served_on_one(table: FakeTable) -> None:
    with WebServer(FakeHouse(table), host="localhost", port=0, max_streams=2) as server:
        answer = listen(server)
        assert next_moment(answer)["table"]["version"] == 3
        answer.close()


HEAPS = """
import ctypes, http.client, threading
from tests.web.doubles import FakeHouse, FakeTable
from web.server import WebServer

with WebServer(FakeHouse(FakeTable()), host="127.0.0.1", port=0, max_streams=2) as server:
    for _ in range(20):  # threads take turns
        connection = http.client.HTTPConnection("127.0.0.1", server.port)
        connection.request("GET", "/api/state")
        assert connection.getresponse().status == 200
        connection.close()
    libc = ctypes.CDLL(None)
    libc.fdopen.restype = ctypes.c_void_p
    told = ctypes.c_void_p(libc.fdopen(1, b"w"))
    libc.malloc_info(0, told)
    libc.fflush(told)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other libraries keep no such heaps")
def test_the_threads_of_a_server_share_one_heap() -> None:
    """Each of sixteen kept what opening a game took: 830 MB after sixty games, on two cores."""
    told = subprocess.run([sys.executable, "-c", HEAPS], capture_output=True, text=True, check=True)
    assert told.stdout.count("<heap nr=") == 1
