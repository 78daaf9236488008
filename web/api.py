"""The JSON API: the table's state, what may be told it, and the one door for commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.boards.choice import boards_of
from companion.errors import BadOptions
from companion.table.ports import House, Table
from web.errors import WebError
from web.live import Live
from web.payloads import (
    MOST_LETTERS,
    board_json,
    faces_json,
    game_json,
    is_name,
    log_json,
    offers_json,
    shown_layout,
)
from web.phones import Phones, Place, phone_token
from web.security import check_changes, json_body

MOST_DIGITS = 16
"""Of a line's number: so many events no table ever sees."""


COMMANDS = frozenset({"act", "answer", "turn", "undo", "correct", "take_seat", "free_seat"})


class Api:
    """The API's views over one house; `blueprint` mounts them under ``/api``."""

    def __init__(self, house: House, live: Live, phones: Phones) -> None:
        self._house = house
        self._live = live
        self._phones = phones

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        api = Blueprint("api", __name__, url_prefix="/api")
        api.before_request(check_changes)
        api.add_url_rule("/state", view_func=self.state)
        api.add_url_rule("/stream", view_func=self.stream)
        api.add_url_rule("/board", view_func=self.board)
        api.add_url_rule("/games", view_func=self.games)
        api.add_url_rule("/games", view_func=self.open_game, methods=["POST"])
        api.add_url_rule("/options", view_func=self.check_options, methods=["POST"])
        api.add_url_rule("/me", view_func=self.me)
        api.add_url_rule("/offers", view_func=self.offers)
        api.add_url_rule("/shown", view_func=self.shown, methods=["POST"])
        api.add_url_rule("/alternatives", view_func=self.alternatives)
        api.add_url_rule("/log", view_func=self.log)
        api.add_url_rule("/command", view_func=self.command, methods=["POST"])
        return api

    def state(self) -> Response:
        """Answer with the newest moment, as the stream sends it; for pages that poll."""
        message = self._live.newest()
        seat = self._live.seat_of(phone_token())
        tag = message.id if seat is None else f"{message.id}-{seat}"
        if request.if_none_match.contains(tag):
            return Response(status=304, headers={"ETag": f'"{tag}"'})
        answer = Response(message.json(seat), mimetype="application/json")
        answer.set_etag(tag)
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    def stream(self) -> Response:
        """Send the newest moment and every newer one, as server-sent events."""
        last_id = request.headers.get("Last-Event-ID") or request.args.get("last")
        answer = Response(self._live.stream(last_id, phone_token()), mimetype="text/event-stream")
        answer.headers["X-Accel-Buffering"] = "no"
        return answer

    def board(self) -> Response:
        """Answer with the geometry of the board in play."""
        return jsonify(board_json(self._table().profile))

    def games(self) -> Response:
        """List the games that can be opened, with their options."""
        return jsonify([game_json(g, boards_of(g)) for g in self._house.games])

    def open_game(self) -> Response:
        """Open a game: ``{"game": ID, "players": [NAME...], "options": {...}}``."""
        body = json_body()
        game, players, options = body.get("game"), body.get("players"), body.get("options", {})
        if not isinstance(game, str) or not isinstance(options, dict):
            raise WebError(400, "malformed", "A game needs its id and its options.")
        if not isinstance(players, list) or not all(isinstance(p, str) for p in players):
            raise WebError(400, "malformed", "A game needs the names of its captains.")
        self._phones.check_plays(self._live.refresh(), "open another")
        self._house.open(game, [_named(player) for player in players], options)
        self._live.refresh()
        return jsonify({"version": self._table().snapshot().version})

    def check_options(self) -> Response:
        """Say whether a game could be opened: ``{"game": ID, "options": {...}}``.

        The answer is ``{"players": [2, 3, ...], "fault": "", "option": ""}``.
        """
        body = json_body()
        game, options = body.get("game"), body.get("options")
        if not isinstance(game, str) or not isinstance(options, dict):
            raise WebError(400, "malformed", "A game needs its id and its options.")
        try:
            players = self._house.check(game, options)
        except BadOptions as refusal:
            return jsonify({"players": [], "fault": str(refusal), "option": refusal.option})
        return jsonify({"players": list(players), "fault": "", "option": ""})

    def me(self) -> Response:
        """Say where the asking phone sits: ``{"place": SEAT | "host" | "watch", "opens": bool}``.

        `opens`: whether it may open another battle.
        """
        table, token = self._live.refresh(), phone_token()
        place, opens = self._phones.place(table, token), self._phones.may_disturb(table, token)
        return jsonify({"place": place, "opens": opens})

    def offers(self) -> Response:
        """List what the asking phone may tell now."""
        table = self._table()
        seat = _speaks_for(self._phones.place(table, phone_token()))
        snapshot = table.snapshot()
        return jsonify(
            {
                "version": snapshot.version,
                "offers": offers_json(table.offers(seat)),
                "faces": faces_json(snapshot.awaits_roll, self._house.games),
                "total": snapshot.total,
            }
        )

    def shown(self) -> Response:
        """List what fits the table as the asking phone shows it (`shown_layout`)."""
        table = self._table()
        seat = _speaks_for(self._phones.place(table, phone_token()))
        version = table.snapshot().version
        body = json_body()
        offers = table.shown(seat, shown_layout(body), _line_meant(body))
        return jsonify({"version": version, "offers": offers_json(offers)})

    def alternatives(self) -> Response:
        """List what may have happened instead of the log's line ``?seq=N``, to correct it."""
        table = self._table()
        seat = _speaks_for(self._phones.place(table, phone_token()))
        found = table.alternatives(_line_number(request.args.get("seq", "")), seat)
        return jsonify(
            {
                "layout": found.layout.to_json(),
                "offers": offers_json(found.offers),
                "dice": [{"kind": die.kind, "face": die.face} for die in found.dice],
                "faces": faces_json({die.kind for die in found.dice}, self._house.games),
            }
        )

    def log(self) -> Response:
        """Answer with the log's lines before ``?before=SEQ``, latest last, as the state has them.

        ``{"game": ID, "lines": [...], "more": whether there are still older ones}``.
        """
        table = self._table()
        seq = request.args.get("before")
        before = None if seq is None else _line_number(seq)
        lines = table.log(before)
        more = bool(lines) and bool(table.log(lines[0].seq))
        return jsonify({"game": table.snapshot().game, "lines": log_json(lines), "more": more})

    def command(self) -> Response:
        """Carry out a command of the asking phone, for the seat it sits on, not one it names."""
        table = self._table()
        body = json_body()
        token = phone_token()
        kind = body.get("type")
        if not isinstance(kind, str) or kind not in COMMANDS:
            known = ", ".join(sorted(COMMANDS))
            raise WebError(400, "unknown_command", f"A command's type is one of: {known}.")
        if kind == "take_seat":
            return self._take_seat(table, token, body)
        place = self._phones.place(table, token)
        receipt = table.command_json({**body, "seat": _speaks_for(place)})
        return jsonify({"version": receipt.version})

    def _take_seat(self, table: Table, token: str | None, body: dict[str, Any]) -> Response:
        if token is None:
            raise WebError(
                400, "malformed", "This phone sent no token; allow cookies for this page."
            )
        place = body.get("seat")
        seat = place if isinstance(place, int) and not isinstance(place, bool) else None
        if seat is None and place not in (None, "host"):
            raise WebError(400, "malformed", "A seat is a number, null or 'host'.")
        receipt = table.command_json({"type": "take_seat", "phone": token, "seat": seat})
        sits: Place = seat if seat is not None else "host" if place == "host" else "watch"
        self._phones.sit(table, token, sits)
        return jsonify({"version": receipt.version, "place": sits})

    def _table(self) -> Table:
        table = self._live.refresh()
        if table is None:
            raise WebError(404, "no_game", "No game is open.")
        return table


def _named(player: str) -> str:
    """Return a captain's name. Raises `BadOptions` for one that no page can show."""
    name = player.strip()
    if not is_name(name):
        raise BadOptions(
            f"A captain's name has up to {MOST_LETTERS} letters in one line,"
            f" not {name[:MOST_LETTERS]!r}..."
        )
    return name


def _speaks_for(place: Place) -> int | None:
    """Return the seat a phone's commands carry, ``None`` for the host's."""
    if place == "watch":
        raise WebError(403, "watching", "This phone only watches.")
    return None if place == "host" else place


def _line_number(seq: str) -> int:
    """Read the number of a line of the log."""
    if not (seq.isascii() and seq.isdecimal() and len(seq) < MOST_DIGITS):
        raise WebError(400, "malformed", "A line of the log has a whole number.")
    return int(seq)


def _line_meant(body: Mapping[str, Any]) -> int | None:
    """Return the line of the log that a request is about, if it is about one."""
    seq = body.get("seq")
    if seq is not None and type(seq) is not int:
        raise WebError(400, "malformed", "A line of the log has a whole number.")
    return seq
