"""What every answer carries, and what a request that changes something must be."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from flask import Response, request

from web.errors import WebError
from web.payloads import is_plain

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


def check_changes() -> None:
    """Refuse a changing request that another site's page could have made.

    A foreign page can send neither JSON nor our origin without the browser asking first; both are
    demanded. Programs without a browser (no Origin header) may change things.
    """
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    if request.mimetype != "application/json":
        raise WebError(415, "not_json", "A change must be sent as JSON.")
    origin = request.headers.get("Origin")
    site = request.headers.get("Sec-Fetch-Site")
    if (origin is not None and not _is_ours(origin)) or site in ("cross-site", "same-site"):
        raise WebError(403, "cross_site", "This request comes from another site's page.")


def _is_ours(origin: str) -> bool:
    try:
        return urlsplit(origin).netloc == request.host
    except ValueError:  # no address at all
        return False


def json_body() -> dict[str, Any]:
    """Return the JSON object that a request brings. Raises `WebError`."""
    try:
        body = request.get_json(silent=True)
    except RecursionError:
        body = None  # Python's reader gives up at some depth
    if not isinstance(body, dict):
        raise WebError(400, "malformed", "The request is not a JSON object.")
    if not is_plain(body):
        raise WebError(400, "malformed", "The request holds what no page of this table sends.")
    return body
