"""The doubter's page: every die, every roll with its picture, and one honest verdict per die."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from flask import Blueprint, Response, render_template, request
from markupsafe import Markup

from companion.audit import html
from companion.audit.from_ledger import Archive
from companion.audit.judging import audit
from companion.audit.rolls import STANDS, Choice, DieRoll, together
from companion.audit.rolls_csv import seal, write_rolls
from companion.audit.trial import Trials
from companion.audit.words import chosen_words, none_words
from companion.ledger.events import TRAY_PICTURE
from companion.rules.dice import die_words
from companion.table.ports import House
from web.downloads import kept_picture, rolls_table, verdict_page
from web.errors import WebError

ROLLS_A_PAGE = 30
MOST_KEPT = 8
"""So many ways of choosing are remembered; there are seldom more phones that ask."""
WORDS = {"die": "dice", "captain": "captains", "evening": "evenings", "game": "games"}
"""What can be chosen by, and what one says where nothing is chosen."""


@dataclass(frozen=True, slots=True)
class Link:
    """One thing to choose."""

    text: str
    address: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ShownRoll:
    """Dice that were rolled together, for the list."""

    dice: Sequence[DieRoll]

    @property
    def when(self) -> str:
        """Return the local date and time; empty if they are not known."""
        if self.first.time_s is None:
            return ""
        local = datetime.fromtimestamp(self.first.time_s, UTC).astimezone()
        return local.strftime("%Y-%m-%d %H:%M")

    @property
    def first(self) -> DieRoll:
        """One of the dice; all were rolled by the same captain for the same purpose."""
        return self.dice[0]

    @property
    def stands(self) -> bool:
        """The roll was neither taken back nor corrected."""
        return self.first.status == STANDS

    @property
    def confirmed(self) -> str:
        """What somebody did who said what the dice show."""
        return "put right" if any(die.misread for die in self.dice) else "confirmed"


class Kept:
    """What was made of rolls, for each way of choosing them: many phones ask for it after a roll.

    Parameters
    ----------
    make : callable
        Makes it.
    """

    def __init__(self, make: Callable[[Sequence[DieRoll]], str]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: dict[Choice, tuple[Sequence[DieRoll], str]] = {}

    def of(self, choice: Choice, rolls: Sequence[DieRoll]) -> str:
        """Return what is made of chosen rolls; what was asked for longest ago is forgotten."""
        with self._lock:
            known, made = self._made.pop(choice, (None, ""))
            if known != rolls:
                made = self._make(rolls)
            self._made[choice] = rolls, made
            if len(self._made) > MOST_KEPT:
                del self._made[next(iter(self._made))]
            return made


class DicePage:
    """The views of ``/dice``; `blueprint` mounts them."""

    def __init__(self, house: House, trials: Trials | None) -> None:
        self._house, self._trials = house, trials
        self._archive = Archive(house.records)
        self._cards = Kept(lambda rolls: html.cards(audit(rolls, house.reader_checks)))
        self._seals = Kept(lambda rolls: seal(write_rolls(rolls)))

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("dice", __name__, url_prefix="/dice")
        pages.add_url_rule("", view_func=self.page)
        pages.add_url_rule("/style.css", view_func=self.style)
        pages.add_url_rule("/rolls.csv", view_func=self.table)
        pages.add_url_rule("/report.html", view_func=self.report)
        pages.add_url_rule("/picture/<game>/<name>", view_func=self.picture)
        return pages

    def page(self) -> str:
        """Show verdicts and rolls; what is asked about is chosen in the address."""
        choice = _choice()
        moment = self._moment()  # before the rolls are read: none may come in between
        rolls = self._archive.rolls()
        chosen = [roll for roll in rolls if choice.takes(roll)]
        standing = [roll for roll in chosen if roll.status == STANDS]
        latest = list(together(chosen))[::-1]
        last_page = max(0, len(latest) - 1) // ROLLS_A_PAGE
        page = min(_page_number(), last_page)
        start = page * ROLLS_A_PAGE
        return render_template(
            "dice.html",
            moment=moment,
            has_trials=self._trials is not None,
            on_trial=self._on_trial(),
            why_empty="" if chosen else _why_empty(rolls, choice),
            unread=dict(self._archive.unread),
            cards=Markup(self._cards.of(choice, standing)),
            seal=self._seals.of(choice, chosen),
            notes=html.HOW_TO_READ,
            rolls=[ShownRoll(dice) for dice in latest[start : start + ROLLS_A_PAGE]],
            count=len(latest),
            chosen=chosen_words(choice),
            filters=_filters(rolls, choice),
            older=_address(choice, page=str(page + 1)) if page < last_page else None,
            newer=_address(choice, page=str(page - 1)) if page else None,
            query=_query(choice),
            tray=TRAY_PICTURE,
            sure=html.sure_words,
            die_words=die_words,
        )

    def _moment(self) -> str:
        """Return which moment of the game in play the page shows, as its script names them."""
        table = self._house.table()
        if table is None:
            return ""
        now = table.snapshot()
        return f"{now.game} {now.version}"

    def _on_trial(self) -> str:
        """Return what the die on trial is called; empty if there is none."""
        trial = None if self._trials is None else self._trials.now
        return "" if trial is None else die_words(trial.plan.die)

    def style(self) -> Response:
        """Send the style sheet of the cards, the same as in reports."""
        return Response(html.style(), mimetype="text/css")

    def table(self) -> Response:
        """Send the chosen rolls as a sealed CSV file."""
        return rolls_table(self._chosen())

    def report(self) -> Response:
        """Send the audit of the chosen rolls as a page of its own."""
        title = f"The dice: {chosen_words(_choice())}"
        return verdict_page(self._chosen(), self._house.reader_checks, title)

    def picture(self, game: str, name: str) -> Response:
        """Send a picture that was kept with a roll; it never changes."""
        return kept_picture(self._house.records.picture(game, name))

    def _chosen(self) -> list[DieRoll]:
        """Return what is exported: it must not lack anything without a word."""
        choice, rolls = _choice(), self._archive.rolls()
        left_out = [game for game in self._archive.unread if choice.game in ("", game)]
        if left_out:
            raise WebError(
                409,
                "unread",
                f"The dice of {left_out[0]} cannot be read. Choose another game, and its rolls "
                "can be taken along.",
            )
        return [roll for roll in rolls if choice.takes(roll)]


def _why_empty(rolls: Sequence[DieRoll], choice: Choice) -> str:
    """Say why there is nothing to show, if something has been rolled; else it is empty."""
    count = sum(1 for _ in together(rolls))
    return none_words(count, chosen_words(choice)) if count else ""


def _choice() -> Choice:
    names = [field.name for field in fields(Choice)]
    return Choice(**{name: request.args.get(name, "") for name in names})


def _page_number() -> int:
    text = request.args.get("page", "0")
    return int(text) if text.isdecimal() and len(text) < 6 else 0


def _filters(rolls: Sequence[DieRoll], choice: Choice) -> dict[str, list[Link]]:
    """Return what can be chosen by, where there is more than one to choose."""
    links = {WORDS[name]: _links(name, rolls, choice) for name in WORDS}
    return {title: offered for title, offered in links.items() if len(offered) > 2}


def _links(name: str, rolls: Iterable[DieRoll], choice: Choice) -> list[Link]:
    """Return what can be chosen for one of the filters; everything first."""
    now = getattr(choice, name)
    values = list(dict.fromkeys(getattr(roll, name) for roll in rolls))
    if name == "die":
        values = list(dict.fromkeys([roll.kind.id for roll in rolls])) + values
    shown = [value for value in dict.fromkeys(values) if value]
    return [
        Link(
            _shown(name, value) or f"all {WORDS[name]}",
            _address(replace(choice, **{name: value})),
            value == now,
        )
        for value in ("", *shown)
    ]


def _shown(name: str, value: str) -> str:
    return die_words(value) if name == "die" else value


def _address(choice: Choice, **more: str) -> str:
    query = _query(choice, **more)
    return f"/dice?{query}" if query else "/dice"


def _query(choice: Choice, **more: str) -> str:
    asked = {field.name: getattr(choice, field.name) for field in fields(Choice)}
    return urlencode({name: value for name, value in {**asked, **more}.items() if value})
