"""The page of a die on trial: counted live, told where the camera could not, judged."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass

from flask import Blueprint, Flask, Response, jsonify, redirect, render_template
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.audit import html
from companion.audit.judging import audit
from companion.audit.rolls import STANDS, DieRoll, said_by, together
from companion.audit.trial import Trial
from companion.errors import StaleVersion
from companion.rules.dice import FACE_NAMES, DieKind, die_words, face_name
from web import security
from web.base_app import base_app
from web.downloads import rolls_table, verdict_page
from web.errors import WebError
from web.security import json_body

ASKED_AT_ONCE = 3
"""Throws that a phone shows to be told; more come up once these are."""


@dataclass(frozen=True, slots=True)
class Around:
    """What stands around a trial on its page."""

    is_table: bool = True
    """Whether it is held at an open table, where it may be ended by a phone."""
    sees_tray: bool = True
    """Whether there are pictures of the tray; else every roll is told."""
    teller: str = "a phone"
    """Who says what is told by the phone that asks."""
    watches: bool = False
    """Whether who asks only watches a battle that others fight: nothing is theirs to tell."""


def create_trial_app(trial: Trial, *, sees_tray: bool = True) -> Flask:
    """Return the web application of a trial without a table; `sees_tray` as in `Around`."""
    app = base_app()
    around = Around(is_table=False, sees_tray=sees_tray)
    page = TrialPage(lambda: trial, lambda: around)
    app.register_blueprint(page.blueprint())
    app.add_url_rule("/trial", view_func=page.page)
    app.add_url_rule("/", view_func=lambda: redirect("/trial"))
    app.before_request(security.check_changes)
    return app


class TrialPage:
    """The views of a trial; `blueprint` mounts all but the `page` itself.

    Parameters
    ----------
    now : callable
        Returns the trial; ``None`` while there is none.
    around : callable
        Returns what stands around it.
    """

    def __init__(self, now: Callable[[], Trial | None], around: Callable[[], Around]) -> None:
        self._now, self._around = now, around
        self._lock = threading.Lock()
        self._shown: tuple[Trial | None, str] = (None, "")
        """The trial that was asked for last, and its name: pages that were left open know another,
        even those of a table that was closed since."""
        self._cards: tuple[str, Markup] = ("", Markup())

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("trial", __name__)
        pages.add_url_rule("/trial/style.css", view_func=self.style)
        pages.add_url_rule("/api/trial/moment", view_func=self.moment)
        pages.add_url_rule("/trial/throw/<int:roll>.jpg", view_func=self.picture)
        pages.add_url_rule("/trial/throw/<int:roll>-<int:number>.jpg", view_func=self.crop)
        pages.add_url_rule("/trial/rolls.csv", view_func=self.table)
        pages.add_url_rule("/trial/report.html", view_func=self.report)
        pages.add_url_rule("/api/trial/answer", view_func=self.answer, methods=["POST"])
        pages.add_url_rule("/api/trial/put-right", view_func=self.put_right, methods=["POST"])
        pages.add_url_rule("/api/trial/dismiss", view_func=self.dismiss, methods=["POST"])
        pages.add_url_rule("/api/trial/tell", view_func=self.tell, methods=["POST"])
        pages.add_url_rule("/api/trial/back", view_func=self.take_back, methods=["POST"])
        return pages

    def page(self) -> ResponseReturnValue:
        """Show how far it is, what is asked, the last throw and the verdict."""
        trial = self._trial()
        moment, rolls, plan = self.moment_of(trial), trial.rolls, trial.plan
        standing = [roll for roll in rolls if roll.status == STANDS]
        last = list(together(standing))[-1] if standing else []
        return render_template(
            "trial.html",
            name=die_words(plan.die),
            plan=plan,
            faces=_faces(plan.kind),
            has_names=plan.kind.id in FACE_NAMES,
            moment=moment,
            notice=trial.notice,
            around=self._around(),
            read=sum(1 for roll in standing if roll.face is not None),
            asked=trial.asked,
            at_once=ASKED_AT_ONCE,
            last=last,
            said_by=said_by(last),
            is_read=all(die.picture and die.face is not None for die in last),
            cards=self._cards_of(moment, standing, trial),
            notes=html.HOW_TO_READ,
        )

    def moment_of(self, trial: Trial | None) -> str:
        """Return a name for what the page shows: another state has another one.

        It begins with the name of the trial.
        """
        return "none" if trial is None else self._moment_at(trial, trial.version)

    def _moment_at(self, trial: Trial, version: int) -> str:
        with self._lock:
            if trial is not self._shown[0]:
                self._shown = (trial, secrets.token_hex(4))
            return f"{self._shown[1]} {version} {self._around().sees_tray:d}"

    def meant(self) -> Trial:
        """Return the trial that the asking phone shows.

        Raises `WebError` if there is none any more, or another one.
        """
        trial = self._trial()
        shown = str(json_body().get("moment"))
        if shown.split(" ")[0] != self.moment_of(trial).split(" ")[0]:
            die = die_words(trial.plan.die)
            raise WebError(409, "other_trial", f"Another die is on trial by now: the {die}.")
        return trial

    def _cards_of(self, moment: str, standing: list[DieRoll], trial: Trial) -> Markup:
        """Return the verdict; all phones ask for the same one after a roll."""
        with self._lock:
            if self._cards[0] != moment:
                self._cards = (moment, Markup(html.cards(audit(standing, trial.checks))))
            return self._cards[1]

    def style(self) -> Response:
        """Send the style sheet of the cards."""
        return Response(html.style(), mimetype="text/css")

    def moment(self) -> Response:
        """Say which state is shown: ``{"moment": "..."}``."""
        return jsonify({"moment": self.moment_of(self._now())})

    def picture(self, roll: int) -> Response:
        """Send the picture of a throw."""
        return _jpeg(self._trial().picture(roll))

    def crop(self, roll: int, number: int) -> Response:
        """Send the picture of one of its dice."""
        return _jpeg(self._trial().crop(roll, number))

    def table(self) -> Response:
        """Send all rolls as a sealed CSV file."""
        return rolls_table(self._trial().rolls)

    def report(self) -> Response:
        """Send the verdict as a page of its own."""
        trial = self._trial()
        return verdict_page(trial.rolls, trial.checks, f"The {die_words(trial.plan.die)}")

    def answer(self) -> Response:
        """Say what dice show, in the order they are asked.

        ``{"moment": "...", "roll": number, "faces": [...]}``
        """
        self.meant().answer(_roll_number(), _told_faces(), self._around().teller)
        return self.moment()

    def put_right(self) -> Response:
        """Say what all dice of a throw show that was misread: the same as `answer`."""
        self.meant().put_right(_roll_number(), _told_faces(), self._around().teller)
        return self.moment()

    def dismiss(self) -> Response:
        """Say that it was no roll: ``{"moment": "...", "roll": number}``."""
        self.meant().dismiss(_roll_number())
        return self.moment()

    def tell(self) -> Response:
        """Count a throw that the camera has not seen: ``{"moment": "...", "faces": [...]}``."""
        (trial, version), faces = self._at_moment(), _told_faces()
        if len(faces) != trial.plan.at_once:
            raise WebError(400, "malformed", f"{trial.plan.at_once} are thrown at once.")
        trial.tell(faces, version, self._around().teller)
        return self.moment()

    def take_back(self) -> Response:
        """Take back what was entered last, unless something is newer: ``{"moment": "..."}``."""
        trial, version = self._at_moment()
        trial.take_back(version)
        return self.moment()

    def _trial(self) -> Trial:
        if (trial := self._now()) is None:
            raise WebError(404, "no_trial", "No die is on trial any more.")
        return trial

    def _at_moment(self) -> tuple[Trial, int]:
        """Return the trial and its version, if that is what the asking phone shows."""
        trial = self.meant()
        version = trial.version
        if json_body().get("moment") != self._moment_at(trial, version):
            raise StaleVersion("Something was rolled meanwhile.")
        return trial, version


def _roll_number() -> int:
    roll = json_body().get("roll")
    if type(roll) is not int:
        raise WebError(400, "malformed", "A roll has a number.")
    return roll


def _told_faces() -> list[int]:
    faces = json_body().get("faces")
    if not isinstance(faces, list) or not all(type(face) is int for face in faces):
        raise WebError(400, "malformed", "What dice show is a list of numbers.")
    return faces


def _faces(kind: DieKind) -> list[tuple[int, str]]:
    """Return what the die can show, with its name."""
    return [(value, face_name(kind.id, value)) for value in kind.values]


def _jpeg(picture: bytes | None) -> Response:
    if picture is None:
        raise WebError(404, "not_found", "No such picture is kept.")
    return Response(picture, mimetype="image/jpeg")
