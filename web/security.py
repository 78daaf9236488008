"""What every answer carries, and what a request that changes something must be."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Response, request

from web.errors import WebError

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Everything comes from the table itself; nothing inline, nothing framed."""

MOST_BYTES = 64 * 1024
"""Longest request body that is read."""


def add_headers(response: Response) -> Response:
    """Put the security headers on an answer."""
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers.setdefault("Cache-Control", "no-store")
    return response


def check_change_request() -> None:
    """Refuse a changing request that another site's page could have made.

    A foreign page can send neither JSON nor our origin without the browser asking first; both are
    demanded. Programs without a browser (no Origin header) may change things.
    """
    if request.mimetype != "application/json":
        raise WebError(415, "not_json", "A change must be sent as JSON.")
    origin = request.headers.get("Origin")
    foreign = origin is not None and urlsplit(origin).netloc != request.host
    if foreign or request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise WebError(403, "cross_site", "This request comes from another site's page.")
