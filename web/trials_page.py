"""Putting a die on trial at an open table, and the trials that were held there."""

from __future__ import annotations

from flask import Blueprint, Response, render_template, request
from flask.typing import ResponseReturnValue
from markupsafe import Markup

from companion.audit import html
from companion.audit.judging import audit
from companion.audit.rolls import KNOWN_DICE, STANDS
from companion.audit.trial import MORE, MOST_DICE, Earlier, Plan, Trials
from companion.rules.dice import die_words
from companion.table.ports import House
from web.downloads import rolls_table, verdict_page
from web.errors import WebError
from web.live import Live
from web.payloads import MOST_LETTERS, is_name
from web.phones import Phones, phone_token
from web.security import check_changes, json_body
from web.trial_page import Around, TrialPage

USUAL_ROLLS = 300
MOST_ROLLS = 20_000
"""More nobody throws."""


class TrialsPage:
    """The views of ``/trial`` at an open table; `blueprint` mounts them."""

    def __init__(self, house: House, trials: Trials, live: Live, phones: Phones) -> None:
        self._house, self._trials = house, trials
        self._live, self._phones = live, phones
        self._page = TrialPage(lambda: trials.now, self._around)

    def blueprint(self) -> Blueprint:
        """Return the routes, those of a single trial among them."""
        pages = Blueprint("trials", __name__)
        pages.before_request(self._check)
        pages.add_url_rule("/trial", view_func=self.page)
        pages.add_url_rule("/api/trial/begin", view_func=self.begin, methods=["POST"])
        pages.add_url_rule("/api/trial/go-on", view_func=self.go_on, methods=["POST"])
        pages.add_url_rule("/api/trial/end", view_func=self.end, methods=["POST"])
        pages.add_url_rule("/trial/kept/<name>", view_func=self.kept)
        pages.add_url_rule("/trial/kept/<name>/rolls.csv", view_func=self.table)
        pages.add_url_rule("/trial/kept/<name>/report.html", view_func=self.report)
        pages.register_blueprint(self._page.blueprint())
        return pages

    def page(self) -> ResponseReturnValue:
        """Show the die on trial, or how one is put there, and those that were."""
        if self._trials.now is not None:
            return self._page.page()
        kept = self._trials.kept
        return render_template(
            "trials.html",
            moment=self._page.moment_of(None),
            kinds=[(kind, die_words(kind)) for kind in KNOWN_DICE],
            more=MORE,
            earlier=[(one, die_words(one.plan.die)) for one in kept.earlier],
            spoilt=kept.spoilt,
            around=self._around(),
            usual=USUAL_ROLLS,
            most_rolls=MOST_ROLLS,
            most_dice=MOST_DICE,
            most_letters=MOST_LETTERS,
        )

    def begin(self) -> Response:
        """Put a die on trial: ``{"kind", "look", "wanted", "at_once", "captain"}``."""
        self._trials.begin(_plan())
        return self._page.moment()

    def go_on(self) -> Response:
        """Go on with an earlier trial: ``{"name": "..."}``."""
        self._trials.go_on(str(json_body().get("name")))
        return self._page.moment()

    def end(self) -> Response:
        """End the trial: its verdict is written, and the tray is the game's again.

        ``{"moment": "..."}``
        """
        if self._trials.now is not None:  # else somebody else was quicker
            self._trials.end(self._page.meant())
        return self._page.moment()

    def kept(self, name: str) -> str:
        """Show the verdict of an earlier trial."""
        kept = self._kept(name)
        standing = [roll for roll in kept.rolls if roll.status == STANDS]
        return render_template(
            "trial_kept.html",
            kept=kept,
            name=die_words(kept.plan.die),
            cards=Markup(html.cards(audit(standing, self._house.reader_checks))),
            notes=html.HOW_TO_READ,
        )

    def table(self, name: str) -> Response:
        """Send the rolls of an earlier trial as a sealed CSV file."""
        return rolls_table(self._kept(name).rolls)

    def report(self, name: str) -> Response:
        """Send the verdict of an earlier trial as a page of its own."""
        kept = self._kept(name)
        title = f"The {die_words(kept.plan.die)}"
        return verdict_page(kept.rolls, self._house.reader_checks, title)

    def _kept(self, name: str) -> Earlier:
        for one in self._trials.kept.earlier:
            if one.name == name and one.rolls:
                return one
        raise WebError(404, "not_found", "No such trial is kept.")

    def _check(self) -> None:
        check_changes()
        if request.method == "POST":
            self._phones.check_plays(self._live.refresh(), "put a die on trial")

    def _around(self) -> Around:
        table, has_tray = self._live.refresh(), self._house.set_up.has_tray
        watches = not self._phones.may_disturb(table, phone_token())
        name = self._phones.name(table, phone_token())
        return Around(sees_tray=has_tray, teller=name, watches=watches)


def _plan() -> Plan:
    """Return what the page asks for. Raises `WebError`."""
    body = json_body()
    kind = KNOWN_DICE.get(str(body.get("kind")))
    if kind is None:
        raise WebError(400, "options", "Choose a kind of die.")
    look, captain = (_name(body.get(name, "")) for name in ("look", "captain"))
    wanted = _number(body.get("wanted"), MOST_ROLLS, "rolls are to be counted")
    at_once = _number(body.get("at_once"), MOST_DICE, "dice are thrown at once")
    return Plan(kind, wanted, at_once, captain, look)


def _name(text: object) -> str:
    if not isinstance(text, str) or not is_name(text.strip()):
        raise WebError(400, "options", f"A name has up to {MOST_LETTERS} letters in one line.")
    return text.strip()


def _number(number: object, most: int, what: str) -> int:
    if type(number) is not int or not 1 <= number <= most:
        raise WebError(400, "options", f"1 to {most} {what}.")
    return number
