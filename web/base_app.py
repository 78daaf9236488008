"""What every application of the web has in common: a table's, and that of a die on trial."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from flask import Flask, Response

from web import errors, security
from web.joined import joined
from web.phones import YEAR_S

_STATIC = Path(__file__).parent / "static"

PAGES = ("dice_page", "phone", "rulebook", "screen", "setup", "ships", "trial")
"""Those that have a script, by its name."""


def base_app() -> Flask:
    """Return an application without pages: limits, headers, refusals, scripts and styles.

    Their address holds what is in them, so a phone asks for each one once and never again, and gets
    all of them anew after an update.
    """
    app = Flask("web", static_url_path=f"/static/{digest(_STATIC)}")
    app.config["SEND_FILE_MAX_AGE_DEFAULT"] = YEAR_S
    app.config["MAX_CONTENT_LENGTH"] = security.MOST_BYTES
    page = f"<any({', '.join(PAGES)}):page>"
    app.add_url_rule(f"{app.static_url_path}/pages/{page}.js", view_func=script)
    app.after_request(security.add_headers)
    errors.install(app)
    return app


def script(page: str) -> Response:
    """Send the script of a page with all that it imports."""
    response = Response(joined(_STATIC / "js", page), mimetype="text/javascript")
    response.cache_control.public = True
    response.cache_control.max_age = YEAR_S
    return response


@cache
def digest(folder: Path) -> str:
    """Return what names the present state of all files in a folder; it is worked out once."""
    said = sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            said.update(f"{file.relative_to(folder).as_posix()} {file.stat().st_size} ".encode())
            said.update(file.read_bytes())
    return said.hexdigest()[:12]
