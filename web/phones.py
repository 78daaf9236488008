"""Which phone sits where. A phone is known by a random token in a cookie, nothing else."""

from __future__ import annotations

import re
import secrets
import threading
from typing import Literal

from flask import Response, request

from companion.table.ports import Table
from web.errors import WebError

Place = int | Literal["host", "watch"]
"""A seat; the phone that speaks for everybody without one; or an onlooker."""

COOKIE = "quarterdeck_phone"
YEAR_S = 365 * 24 * 3600
MOST_PHONES = 2000
"""Places remembered; beyond it the oldest is forgotten and that phone sits down anew."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}")


def phone_token() -> str | None:
    """Return the token the asking phone sent, or ``None`` if it has none yet."""
    token = request.cookies.get(COOKIE, "")
    return token if _TOKEN.fullmatch(token) else None


def give_token(response: Response) -> Response:
    """Send a phone without a token a new one; scripts on the page cannot read it."""
    if phone_token() is None:
        token = secrets.token_urlsafe(18)
        response.set_cookie(COOKIE, token, max_age=YEAR_S, httponly=True, samesite="Lax")
    return response


class Phones:
    """Places of the phones at the game in play; all stand up when another game is opened.

    Who sits on a seat is the table's to say; kept here is who speaks for everybody or only watches.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table: Table | None = None
        self._places: dict[str, Place] = {}

    def place(self, table: Table | None, token: str | None) -> Place:
        """Return where a phone sits at this table."""
        if table is None or token is None:
            return "watch"
        seat = table.seat_of(token)
        if seat is not None:
            return seat
        with self._lock:
            kept = self._places.get(token, "watch") if table is self._table else "watch"
        return kept if kept == "host" else "watch"

    def name(self, table: Table | None, token: str | None) -> str:
        """Return who speaks by a phone: a captain, the host for all of them, or nobody knows."""
        place = self.place(table, token)
        if table is None or place == "watch":
            return "a phone"
        return "the host" if place == "host" else table.snapshot().seats[place].name

    def has_host(self, table: Table) -> bool:
        """Say whether some phone speaks for everybody at this table."""
        with self._lock:
            return table is self._table and "host" in self._places.values()

    def may_disturb(self, table: Table | None, token: str | None) -> bool:
        """Say whether a phone may do what would disturb a battle: an onlooker of one may not."""
        if table is None or self.place(table, token) != "watch":
            return True
        now = table.snapshot()
        return now.over or not (any(s.taken for s in now.seats) or self.has_host(table))

    def check_plays(self, table: Table | None, what: str) -> None:
        """Refuse an onlooker who would disturb a battle that others are fighting.

        `what` completes "Only who plays in it can ...". Raises `WebError`.
        """
        if not self.may_disturb(table, phone_token()):
            text = f"A battle is being fought here. Only who plays in it can {what}."
            raise WebError(403, "watching", text)

    def sit(self, table: Table, token: str, place: Place) -> None:
        """Remember where a phone sits."""
        with self._lock:
            if table is not self._table:
                self._table, self._places = table, {}
            self._places.pop(token, None)
            self._places[token] = place
            if len(self._places) > MOST_PHONES:
                del self._places[next(iter(self._places))]
