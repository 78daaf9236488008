"""Setting up the table: what the camera sees, pictures it keeps, buttons and ring."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify, render_template, request

from companion.boards.profile import BoardProfile, builtin_profiles, load_profile
from companion.errors import CameraUnavailable, NotCalibrated
from companion.rules.dice import die_words, face_name
from companion.table.findings import SURE_DIE
from companion.table.observation import DieReading
from companion.table.ports import House
from companion.table.setting_up import Part, Printed, TrayReading, Zone
from companion.table.unsure_dice import said_of
from web.errors import WebError
from web.live import Live
from web.phones import Phones, phone_token
from web.security import check_changes, json_body

_CHANGE = "change what the camera knows"


class SetUpPage:
    """The views of ``/setup``; `blueprint` mounts them."""

    def __init__(self, house: House, live: Live, phones: Phones) -> None:
        self._house, self._live, self._phones = house, live, phones

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("setup", __name__)
        pages.before_request(check_changes)
        pages.add_url_rule("/setup", view_func=self.page)
        pages.add_url_rule("/setup/<any(board, tray):part>.jpg", view_func=self.picture)
        pages.add_url_rule("/setup/<board>/<any(board, markers):what>.pdf", view_func=self.print)
        pages.add_url_rule("/setup/<board>/empty-<any(board, tray):part>.jpg", view_func=self.kept)
        pages.add_url_rule("/api/setup/<board>", view_func=self.state)
        pages.add_url_rule("/api/setup/<board>/take", view_func=self.take, methods=["POST"])
        pages.add_url_rule("/api/setup/<board>/dice", view_func=self.dice, methods=["POST"])
        pages.add_url_rule("/api/setup/<board>/drop", view_func=self.drop, methods=["POST"])
        pages.add_url_rule("/api/setup/<board>/teach", view_func=self.teach, methods=["POST"])
        pages.add_url_rule("/api/setup/<board>/forget", view_func=self.forget, methods=["POST"])
        pages.add_url_rule("/api/setup/zone", view_func=self.move_zone, methods=["POST"])
        pages.add_url_rule("/api/setup/north", view_func=self.north, methods=["POST"])
        return pages

    def page(self) -> str:
        """Show the page, with the board in play chosen."""
        table = self._house.table()
        titles = {game.id: game.title for game in self._house.games}
        boards = [load_profile(name) for name in builtin_profiles()]
        return render_template(
            "setup.html",
            boards=[(board, _label(board, titles)) for board in boards],
            chosen=table.snapshot().profile if table is not None else None,
        )

    def picture(self, part: Part) -> Response:
        """Send the newest picture of board or tray."""
        return _jpeg(self._house.set_up.picture(part))

    def kept(self, board: str, part: Part) -> Response:
        """Send the picture of the empty board or tray that is used."""
        return _jpeg(self._house.set_up.kept_picture(part, _known(board)))

    def print(self, board: str, what: Printed) -> Response:
        """Send a board or its markers as a PDF, true to scale; ``?paper=letter`` for others."""
        paper = request.args.get("paper", "a4")
        data = self._house.set_up.printed(what, _known(board), paper)
        answer = Response(data, mimetype="application/pdf")
        answer.headers["Content-Disposition"] = f'inline; filename="{board}-{what}-{paper}.pdf"'
        return answer

    def state(self, board: str) -> Response:
        """Say what is seen of a board and what there is.

        ``{"board": {frame, is_found, says, outlines, places} or null, "trouble", "has_camera",
        "has_tray", "can_cut_tray",
        "zone": [left, top, right, bottom] or null, "kept": {"board", "tray"},
        "lesson": [[ship, cell]...], "taught": [ship...],
        "presses": {"turn", "undo"}, "has_ring", "watches": this phone changes nothing}``
        """
        profile, set_up = _known(board), self._house.set_up
        try:
            sight, trouble = set_up.board(profile), ""
        except (CameraUnavailable, NotCalibrated) as error:
            sight, trouble = None, self._house.ill.get("camera", f"{error}.")
        return jsonify(
            {
                "board": sight,
                "trouble": trouble,
                "has_camera": set_up.has_camera,
                "has_tray": set_up.has_tray,
                "can_cut_tray": set_up.can_cut_tray,
                "zone": set_up.zone,
                "kept": dict(set_up.kept(profile)),
                "lesson": [list(pair) for pair in set_up.lesson(profile)],
                "taught": list(set_up.taught(profile)),
                "presses": dict(set_up.presses),
                "has_ring": set_up.has_ring,
                "watches": not self._phones.may_disturb(self._live.refresh(), phone_token()),
            }
        )

    def take(self, board: str) -> Response:
        """Keep the newest picture: ``{"part": "board" or "tray", "is_sure": bool}``."""
        body = json_body()
        part, is_sure = _part_of(body), _is_sure(body)
        self._check_plays(_CHANGE)
        self._house.set_up.take(part, _known(board), is_sure)
        return jsonify({"kept": dict(self._house.set_up.kept(board))})

    def drop(self, board: str) -> Response:
        """Throw a kept picture away: ``{"part": "board" or "tray"}``."""
        part = _part_of(json_body())
        self._check_plays(_CHANGE)
        self._house.set_up.drop(part, _known(board))
        return jsonify({"kept": dict(self._house.set_up.kept(board))})

    def teach(self, board: str) -> Response:
        """Learn this table's ships from the newest picture: ``{"is_sure": bool}``."""
        is_sure = _is_sure(json_body())
        self._check_plays(_CHANGE)
        self._house.set_up.teach(_known(board), is_sure)
        return jsonify({"taught": list(self._house.set_up.taught(board))})

    def forget(self, board: str) -> Response:
        """Know nothing of this table's ships any more."""
        self._check_plays(_CHANGE)
        self._house.set_up.forget(_known(board))
        return jsonify({"taught": list(self._house.set_up.taught(board))})

    def dice(self, board: str) -> Response:
        """Read the dice in the tray: ``{"dice": [{words, is_told, p, box}], "advice"}``."""
        self._check_plays("try its dice")
        return jsonify(_reading_json(self._house.set_up.read_dice(_known(board))))

    def move_zone(self) -> Response:
        """Say where the tray is, in shares: ``{"zone": [left, top, right, bottom]}``.

        ``{"zone": null}``: there is none in the camera's picture.
        """
        zone = _zone_of(json_body())
        self._check_plays("say where the tray is")
        self._house.set_up.move_zone(zone)
        return jsonify({"zone": zone})

    def north(self) -> Response:
        """Light the lamps that point north for a while."""
        self._check_plays("light its ring")
        self._house.set_up.point_north()
        return jsonify({})

    def _check_plays(self, what: str) -> None:
        """Refuse an onlooker while others fight a battle, as `Phones.check_plays` does."""
        self._phones.check_plays(self._live.refresh(), what)


def _zone_of(body: Mapping[str, Any]) -> Zone | None:
    zone = body.get("zone", "")
    if zone is None:
        return None
    if not isinstance(zone, list) or len(zone) != 4 or not all(map(_is_share, zone)):
        raise WebError(400, "malformed", "A zone is left, top, right and bottom, from 0 to 1.")
    left, top, right, bottom = map(float, zone)
    return left, top, right, bottom


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1


def _part_of(body: Mapping[str, Any]) -> Part:
    part: Part | None = body.get("part")
    if part not in ("board", "tray"):
        raise WebError(400, "malformed", "Say of what the picture is: of the board or the tray.")
    return part


def _is_sure(body: Mapping[str, Any]) -> bool:
    is_sure = body.get("is_sure", False)
    if not isinstance(is_sure, bool):
        raise WebError(400, "malformed", "Say whether you are sure: yes or no.")
    return is_sure


def _jpeg(picture: bytes | None) -> Response:
    if picture is None:
        raise WebError(404, "not_found", "There is no picture of this.")
    return Response(picture, mimetype="image/jpeg")


def _label(board: BoardProfile, titles: Mapping[str, str]) -> str:
    """Return what tells a board from others: its games and how large it is."""
    games = ", ".join(titles.get(game, game) for game in board.games)
    return f"{board.title}, {board.width_mm / 10:.0f} × {board.height_mm / 10:.0f} cm ({games})"


def _known(board: str) -> str:
    if board not in builtin_profiles():
        raise WebError(404, "not_found", f"There is no board {board!r}.")
    return board


def _reading_json(reading: TrayReading) -> dict[str, Any]:
    return {
        "dice": [_die_json(die, reading.size_px) for die in reading.dice],
        "advice": reading.advice,
    }


def _die_json(die: DieReading, size_px: tuple[int, int]) -> dict[str, Any]:
    """Return a die in words; its box is x, y, width, height as shares of the picture."""
    x, y, w, h = die.box_px
    width, height = size_px
    told = die.p >= SURE_DIE
    return {
        "words": _words(die) if told else said_of([die.seems]),
        "is_told": told,
        "p": round(die.p, 3),
        "box": [x / width, y / height, w / width, h / height],
    }


def _words(die: DieReading) -> str:
    assert die.best is not None
    shown = die.best[0]
    return f"{die_words(shown.kind)}: {face_name(shown.kind, shown.face)}"
