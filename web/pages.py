"""The pages: the phone, joining, the big screen; evidence pictures and the service's health."""

from __future__ import annotations

from urllib.parse import urlsplit

import segno
from flask import Blueprint, Response, jsonify, render_template, request
from markupsafe import Markup

from companion.table.ports import House
from web.address import table_address
from web.downloads import kept_picture
from web.live import Live


class Pages:
    """Plain pages; everything that changes on them comes from the live stream."""

    def __init__(self, house: House, live: Live) -> None:
        self._house, self._live = house, live

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("pages", __name__)
        pages.add_url_rule("/", view_func=self.phone)
        pages.add_url_rule("/join", view_func=self.join)
        pages.add_url_rule("/screen", view_func=self.screen)
        pages.add_url_rule("/evidence/<name>", view_func=self.evidence)
        pages.add_url_rule("/health", view_func=self.health)
        return pages

    def phone(self) -> str:
        """Show the scoreboard for a phone."""
        return render_template("phone.html")

    def join(self) -> str:
        """Show the QR code that brings a phone to the table."""
        address = shown_address()
        return render_template("join.html", address=address, code=qr_svg(address))

    def screen(self) -> str:
        """Show the big screen: board, scores, last moves, QR code."""
        address = shown_address()
        return render_template("screen.html", address=address, code=qr_svg(address))

    def evidence(self, name: str) -> Response:
        """Send one evidence picture; it never changes, so phones may keep it."""
        table = self._live.refresh()
        return kept_picture(table.evidence(name) if table is not None else None)

    def health(self) -> Response:
        """Say that the service runs and which of its parts are ill."""
        snapshot = self._live.newest().snapshot
        ill = dict(snapshot.health if snapshot is not None else self._house.ill)
        return jsonify(
            {
                "ok": not ill,
                "game": snapshot.game if snapshot is not None else None,
                "version": snapshot.version if snapshot is not None else None,
                "streams": self._live.streams,
                "ill": ill,
            }
        )


def shown_address() -> str:
    """Return the address phones should use.

    The one this request came by works, unless it came from the table's computer itself.
    """
    here = urlsplit(request.host_url)
    if here.hostname in ("localhost", "127.0.0.1", "::1"):
        return table_address(here.port or 80)
    return request.host_url


def qr_svg(text: str) -> Markup:
    """Return a QR code as an SVG element, for pages (no file, no foreign service)."""
    code = segno.make(text, error="m", micro=False)
    return Markup(
        code.svg_inline(scale=8, border=3, dark="#06141f", light="#f4efe2", omitsize=True)
    )
