"""Which phone sits where, and who may speak for whom."""

from __future__ import annotations

import hashlib

from companion.errors import MalformedAction, NotYourTurn, SeatIsHeld
from companion.ledger.events import SeatTaken
from companion.table.book import Book
from companion.table.commands import FreeSeat, TakeSeat
from companion.table.snapshot import Notice


class Seating:
    """The seats of one table; the ledger keeps the hash of each phone's token only."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def seat_of(self, phone: str) -> int | None:
        """Return the seat on which the phone with this token sits."""
        return self._book.history.seat_of(_hashed(phone))

    def check(self, seat: int | None, player: int) -> None:
        """Refuse who may not speak for a player. Raises `NotYourTurn`."""
        if not self._book.history.may_speak_for(seat, player):
            raise NotYourTurn("table", f"It is on {self._name(player)} now.")

    def take(self, command: TakeSeat) -> None:
        """Let a phone sit down or stand up. Raises `MalformedAction`, `SeatIsHeld`."""
        history = self._book.history
        seats = len(history.opened.players)
        if command.seat is not None and not 0 <= command.seat < seats:
            raise MalformedAction(f"the seats are 0 to {seats - 1}, not {command.seat}")
        phone = _hashed(command.phone)
        holder = None if command.seat is None else history.phones.get(command.seat)
        if command.seat is not None and holder not in (None, phone):
            name = self._name(command.seat)
            raise SeatIsHeld(
                "table",
                f"Another phone sits on the seat of {name}; the phone that speaks for the whole"
                " table can free it.",
            )
        if history.seat_of(phone) != command.seat:
            # A phone that sits down again after a restart is no news.
            self._book.append([SeatTaken(command.seat, phone)])

    def free(self, command: FreeSeat) -> Notice:
        """Make the phone on a seat stand up; everybody is told, for a seat may hold secrets."""
        if command.seat is not None:
            raise NotYourTurn("table", "The phone that speaks for the whole table does this.")
        phone = self._book.history.phones.get(command.taken)
        if phone is None:
            raise MalformedAction(f"no phone sits on seat {command.taken}")
        self._book.append([SeatTaken(None, phone)])
        name = self._name(command.taken)
        return Notice("hint", f"The host has freed the seat of {name}; a phone may sit down there.")

    def _name(self, seat: int) -> str:
        return self._book.history.opened.players[seat]


def _hashed(phone: str) -> str:
    """Return what the ledger keeps of a phone's token."""
    return hashlib.sha256(phone.encode()).hexdigest()
