"""Errors as people and programs meet them: one place maps each family to a status and a hint."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from flask import Flask, Response, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from companion.errors import (
    AuditError,
    BadOptions,
    CompanionError,
    HardwareError,
    IllegalAction,
    LedgerError,
    MalformedAction,
    NotCalibrated,
    NotYourTurn,
    PrintingError,
    RuleError,
    SequenceConflict,
    StaleVersion,
    VisionError,
)

STATUSES: tuple[tuple[type[CompanionError], int], ...] = (
    (MalformedAction, 400),
    (BadOptions, 400),
    (NotYourTurn, 403),
    (IllegalAction, 409),
    (StaleVersion, 409),
    (SequenceConflict, 409),
    (RuleError, 409),
    (NotCalibrated, 409),
    (PrintingError, 400),
    (AuditError, 409),
    (LedgerError, 503),
    (VisionError, 503),
    (HardwareError, 503),
)
"""First match decides, so a family stands below its members."""

HINTS = {
    "malformed": "Reload the page; if it happens again, tell the table in another way.",
    "ship_file": "Choose a ship's file, or begin with a model.",
    "options": "Change what is named and try again.",
    "not_your_turn": "Wait for your turn, or choose who holds this phone in the menu.",
    "seat_held": "Choose another captain, or only watch: the menu asks who holds this phone.",
    "illegal": "Choose something else, or put the piece back.",
    "game_over": "Open a new game from the menu.",
    "stale": "The table has moved on meanwhile. Look again, then decide.",
    "sequence": "Somebody was quicker. Look again, then decide.",
    "ledger": "Check the memory card of the table's computer; nothing was lost that you saw.",
    "doubtful": "Put it right and try again, or take the picture all the same.",
    "camera": "Check the camera's cable. The game can go on by phone.",
    "unknown_command": "Reload the page.",
    "watching": "Choose a captain first: take a seat in the menu of the table's page.",
    "no_trial": "Somebody has ended it: it stands among the earlier ones.",
    "other_trial": "Nothing was changed. Look again, then decide.",
    "no_game": "Open a game on the start page.",
    "full": "This phone asks again every two seconds instead.",
    "not_found": "Go back to the table's first page.",
    "cross_site": "Open the table's own page and do it there.",
    "http_413": "If it is a file: perhaps it is another one than you meant.",
    "not_json": "Send JSON with the content type application/json.",
}
"""What to do next, by code."""

PLAIN = {
    400: "The table could not read this.",
    403: "This is not yours to do.",
    404: "There is nothing here.",
    405: "This address is for something else.",
    413: "That is far too much for the table to read.",
    415: "The table reads JSON only.",
    500: "Something went wrong in the table's computer.",
}
"""Sentences for errors which come from HTTP itself, by status."""


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as it is shown: a sentence, what to do, and the rule that stands in the way."""

    status: int
    code: str
    message: str
    hint: str = ""
    rule: str = ""
    option: str = ""
    """The option of a set-up that is at fault, if one is."""

    def response(self) -> Response:
        """Return the JSON body ``{code, message, hint, rule, option}`` with its status."""
        body = asdict(self)
        status = body.pop("status")
        answer = jsonify(body)
        answer.status_code = status
        return answer


class WebError(CompanionError):
    """A request the web layer itself refuses (no seat, no game, foreign page)."""

    code = "web"

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code


def problem_of(error: CompanionError) -> Problem:
    """Return how an error is shown.

    >>> problem_of(IllegalAction("AOW-33", "A sail must be used in full."))
    Problem(status=409, code='illegal', message='A sail must be used in full.', \
hint='Choose something else, or put the piece back.', rule='AOW-33', option='')
    """
    hint = HINTS.get(error.code, "")
    if isinstance(error, WebError):
        return Problem(error.status, error.code, str(error), hint)
    if isinstance(error, IllegalAction):
        return Problem(_status(error), error.code, error.reason, hint, error.rule)
    if isinstance(error, BadOptions):
        return Problem(_status(error), error.code, str(error), hint, option=error.option)
    return Problem(_status(error), error.code, str(error), hint)


def _status(error: CompanionError) -> int:
    return next((status for family, status in STATUSES if isinstance(error, family)), 503)


def install(app: Flask) -> None:
    """Make every error of the app plain words: JSON under ``/api/``, a page elsewhere."""
    app.register_error_handler(CompanionError, _on_companion_error)
    app.register_error_handler(HTTPException, _on_http_error)


def _show(problem: Problem) -> ResponseReturnValue:
    if request.path.startswith("/api/"):
        return problem.response()
    return render_template("error.html", problem=problem), problem.status


def _on_companion_error(error: CompanionError) -> ResponseReturnValue:
    return _show(problem_of(error))


def _on_http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < 400:
        return error.get_response()
    code = "not_found" if status == 404 else f"http_{status}"
    message = PLAIN.get(status, error.name)
    return _show(Problem(status, code, message, HINTS.get(code, "")))
