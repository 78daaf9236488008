"""A captain's phone: what the web serves, seen from the outside. Nothing else reaches the table."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Any, Protocol

from flask import Flask

from companion.errors import CompanionError


class PhoneRefused(CompanionError):
    """The table refused what a phone sent."""

    code = "phone"


class Phone(Protocol):
    """Look at the scoreboard and tap on it."""

    def look(self) -> dict[str, Any]:
        """Return the table as the phone shows it (`Snapshot.to_json`)."""
        ...

    def send(self, command: Mapping[str, Any]) -> None:
        """Send a command. Raises `PhoneRefused` with the sentence the phone shows."""
        ...


HOST: Mapping[str, Any] = {"type": "take_seat", "seat": "host"}
"""One phone lies in the middle of the table and speaks for everybody."""


class FlaskPhone:
    """A phone inside this process: the same pages and checks, without a socket."""

    def __init__(self, app: Flask) -> None:
        """Open the scoreboard and take the host's place."""
        self._client = app.test_client()
        self._client.get("/")
        self.send(HOST)

    def look(self) -> dict[str, Any]:
        """Return the table as the phone shows it."""
        return _table(self._client.get("/api/state").get_json())

    def send(self, command: Mapping[str, Any]) -> None:
        """Send a command."""
        answer = self._client.post("/api/command", json=dict(command))
        if answer.status_code >= 400:
            raise PhoneRefused(answer.get_json()["message"])


class HttpPhone:
    """A phone on the network, by its address."""

    def __init__(self, url: str) -> None:
        """Open the scoreboard and take the host's place."""
        self._url = url.rstrip("/")
        self._browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(CookieJar())
        )
        self._browser.open(f"{self._url}/", timeout=10).close()
        self.send(HOST)

    def look(self) -> dict[str, Any]:
        """Return the table as the phone shows it."""
        with self._browser.open(f"{self._url}/api/state", timeout=10) as answer:
            return _table(json.load(answer))

    def send(self, command: Mapping[str, Any]) -> None:
        """Send a command."""
        request = urllib.request.Request(
            f"{self._url}/api/command",
            data=json.dumps(dict(command)).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            self._browser.open(request, timeout=10).close()
        except urllib.error.HTTPError as error:
            raise PhoneRefused(json.load(error)["message"]) from error


def _table(moment: dict[str, Any]) -> dict[str, Any]:
    """Return the table's snapshot out of the moment the web serves."""
    table: dict[str, Any] = moment["table"]
    return table
