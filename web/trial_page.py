"""The page of `quarterdeck dice --phones`: one die, counted live."""

from __future__ import annotations

import threading

from flask import Flask, Response, jsonify, render_template
from markupsafe import Markup

from companion.audit import html
from companion.audit.judging import audit
from companion.audit.rolls import STANDS, DieRoll, together
from companion.audit.trial import Trial
from companion.rules.dice import FACE_NAMES, DieKind, die_words, face_name
from web import errors, security
from web.downloads import rolls_table, verdict_page
from web.errors import WebError
from web.security import json_body

ASKED_AT_ONCE = 3
"""Throws that a phone shows to be told; more come up once these are."""


def create_trial_app(trial: Trial) -> Flask:
    """Return the web application of a trial."""
    app = Flask("web")
    app.config["MAX_CONTENT_LENGTH"] = security.MOST_BYTES
    page = _TrialPage(trial)
    app.add_url_rule("/", view_func=page.page)
    app.add_url_rule("/dice/style.css", view_func=page.style)
    app.add_url_rule("/api/version", view_func=page.version)
    app.add_url_rule("/throw/<int:roll>.jpg", view_func=page.picture)
    app.add_url_rule("/throw/<int:roll>-<int:number>.jpg", view_func=page.crop)
    app.add_url_rule("/rolls.csv", view_func=page.table)
    app.add_url_rule("/report.html", view_func=page.report)
    app.add_url_rule("/api/answer", view_func=page.answer, methods=["POST"])
    app.add_url_rule("/api/dismiss", view_func=page.dismiss, methods=["POST"])
    app.add_url_rule("/api/back", view_func=page.take_back, methods=["POST"])
    app.before_request(security.check_changes)
    app.after_request(security.add_headers)
    errors.install(app)
    return app


class _TrialPage:
    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._lock = threading.Lock()
        self._cards: tuple[int, Markup] = (-1, Markup())

    def page(self) -> str:
        """Show how far it is, what is asked, the last throw and the verdict."""
        trial = self._trial
        version, rolls = trial.version, trial.rolls
        standing = [roll for roll in rolls if roll.status == STANDS]
        return render_template(
            "trial.html",
            name=die_words(trial.kind.id),
            faces=_faces(trial.kind),
            has_names=trial.kind.id in FACE_NAMES,
            version=version,
            wanted=trial.wanted,
            read=sum(1 for roll in standing if roll.face is not None),
            asked=trial.asked,
            at_once=ASKED_AT_ONCE,
            last=list(together(standing))[-1] if standing else [],
            cards=self._cards_of(version, standing),
            notes=html.HOW_TO_READ,
        )

    def _cards_of(self, version: int, standing: list[DieRoll]) -> Markup:
        """Return the verdict; all phones ask for the same one after a roll."""
        with self._lock:
            if self._cards[0] != version:
                found = audit(standing, self._trial.checks)
                self._cards = (version, Markup(html.cards(found)))
            return self._cards[1]

    def style(self) -> Response:
        """Send the style sheet of the cards."""
        return Response(html.style(), mimetype="text/css")

    def version(self) -> Response:
        """Say which state is shown: ``{"version": n}``."""
        return jsonify({"version": self._trial.version})

    def picture(self, roll: int) -> Response:
        """Send the picture of a throw."""
        return _jpeg(self._trial.picture(roll))

    def crop(self, roll: int, number: int) -> Response:
        """Send the picture of one of its dice."""
        return _jpeg(self._trial.crop(roll, number))

    def table(self) -> Response:
        """Send all rolls as a sealed CSV file."""
        return rolls_table(self._trial.rolls)

    def report(self) -> Response:
        """Send the verdict as a page of its own."""
        trial = self._trial
        return verdict_page(trial.rolls, trial.checks, f"The {die_words(trial.kind.id)}")

    def answer(self) -> Response:
        """Say what dice show: ``{"roll": number, "faces": [...]}``, in the order they are asked."""
        faces = json_body().get("faces")
        if not isinstance(faces, list) or not all(type(face) is int for face in faces):
            raise WebError(400, "malformed", "What dice show is a list of numbers.")
        self._trial.answer(_roll_number(), faces)
        return self.version()

    def dismiss(self) -> Response:
        """Say that it was no roll: ``{"roll": number}``."""
        self._trial.dismiss(_roll_number())
        return self.version()

    def take_back(self) -> Response:
        """Take back what was entered last: ``{"version": n}``, unless there is something newer."""
        if json_body().get("version") != self._trial.version:
            raise WebError(409, "stale", "Something was rolled meanwhile.")
        self._trial.take_back()
        return self.version()


def _roll_number() -> int:
    roll = json_body().get("roll")
    if type(roll) is not int:
        raise WebError(400, "malformed", "A roll has a number.")
    return roll


def _faces(kind: DieKind) -> list[tuple[int, str]]:
    """Return what the die can show, with its name."""
    return [(value, face_name(kind.id, value)) for value in kind.values]


def _jpeg(picture: bytes | None) -> Response:
    if picture is None:
        raise WebError(404, "not_found", "No such picture is kept.")
    return Response(picture, mimetype="image/jpeg")
