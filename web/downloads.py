"""What phones are sent of what was kept: rolls as a sealed table, verdicts as a page, pictures."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response

from companion.audit import html
from companion.audit.fair import ReaderChecks
from companion.audit.judging import audit
from companion.audit.rolls import DieRoll
from companion.audit.rolls_csv import seal, write_rolls
from web.errors import WebError
from web.phones import YEAR_S


def rolls_table(rolls: Sequence[DieRoll]) -> Response:
    """Return rolls as a CSV file that is called after its seal.

    The dice may have been rolled again since the page was shown: the name tells what is sent.
    """
    text = write_rolls(rolls)
    return _download(text, "text/csv", f"rolls-{seal(text)}.csv")


def verdict_page(rolls: Sequence[DieRoll], checks: ReaderChecks, title: str) -> Response:
    """Return the audit of rolls as a page of its own."""
    return _download(html.report(audit(rolls, checks), title, rolls), "text/html", "dice.html")


def kept_picture(jpeg: bytes | None) -> Response:
    """Return a picture of the ledger; it never changes, so phones may keep it."""
    if jpeg is None:
        raise WebError(404, "not_found", "No picture is kept under this name.")
    answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = f"private, max-age={YEAR_S}, immutable"
    return answer


def _download(text: str, kind: str, name: str) -> Response:
    answer = Response(text, mimetype=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
