"""The rules by their numbers: a page for each game, and single rules for who taps on a number."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template
from markupsafe import Markup, escape
from werkzeug.wrappers import Response as AnyResponse

from companion.errors import BadOptions
from companion.rules.rulebook import NUMBER, Rule, Rulebook, find_rule, rulebook
from companion.table.ports import House
from web.errors import WebError


class RulesPage:
    """The views of ``/rules``; `blueprint` mounts them."""

    def __init__(self, house: House) -> None:
        self._house = house

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("rules", __name__)
        pages.add_url_rule("/rules", view_func=self.games)
        pages.add_url_rule("/rules/in-play", view_func=self.in_play)
        pages.add_url_rule("/rules/<name>", view_func=self.book)
        pages.add_url_rule("/api/rules/<number>", view_func=self.rule)
        pages.add_app_template_filter(linked)
        return pages

    def games(self) -> str:
        """List the games, the one in play first."""
        title = self._title_in_play()
        games = sorted(self._house.games, key=lambda game: game.title != title)
        return render_template("rules.html", games=games, in_play=title)

    def in_play(self) -> AnyResponse:
        """Lead to the rules of the game in play, before the first to all."""
        title = self._title_in_play()
        played = next((game.id for game in self._house.games if game.title == title), None)
        return redirect("/rules" if played is None else f"/rules/{played}")

    def _title_in_play(self) -> str | None:
        table = self._house.table()
        return None if table is None else table.snapshot().title

    def book(self, name: str) -> str | AnyResponse:
        """Show the rules of a game; a rule's number leads to its place among them."""
        if NUMBER.fullmatch(name.upper()):
            return redirect(_place(name.upper()))
        try:
            return render_template("rulebook.html", book=rulebook(name))
        except BadOptions as error:
            raise WebError(404, "not_found", f"There are no rules of {name!r}.") from error

    def rule(self, number: str) -> Response:
        """Say what a rule says: ``{number, text, is_ours, title, page}``."""
        book, rule = _found(number)
        return jsonify(
            {
                "number": rule.number,
                "text": rule.text,
                "is_ours": rule.is_ours,
                "title": book.title,
                "page": _place(number),
            }
        )


def linked(text: str) -> Markup:
    """Return a rule's text with the numbers of other rules of its page as links.

    >>> linked("Sail <on> (AOW-33).")
    Markup('Sail &lt;on&gt; (<a href="#AOW-33">AOW-33</a>).')
    """
    link = Markup('<a href="#{0}">{0}</a>')
    parts = Markup()
    end = 0
    for found in NUMBER.finditer(text):
        parts += escape(text[end : found.start()]) + link.format(found.group())
        end = found.end()
    return parts + escape(text[end:])


def _place(number: str) -> str:
    book, rule = _found(number)
    return f"/rules/{book.game}#{rule.number}"


def _found(number: str) -> tuple[Rulebook, Rule]:
    found = find_rule(number)
    if found is None:
        raise WebError(404, "not_found", f"There is no rule {number}.")
    return found
