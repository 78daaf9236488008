"""The Flask application: pages, JSON API and live stream over one house."""

from __future__ import annotations

from flask import Flask
from flask.json.provider import DefaultJSONProvider

from companion.audit.trial import Trials
from companion.table.ports import House
from web import phones
from web.api import Api
from web.base_app import base_app
from web.dice_page import DicePage
from web.live import Live
from web.pages import Pages
from web.phones import Phones
from web.rules_page import RulesPage
from web.setup_page import SetUpPage
from web.ships_page import ShipsPage
from web.trials_page import TrialsPage


def create_app(house: House, *, trials: Trials | None = None, live: Live | None = None) -> Flask:
    """Return the web application of a house.

    Parameters
    ----------
    house : House
        Where games are opened and found.
    trials : Trials or None
        Where dice are put on trial; ``None``: they cannot be.
    live : Live or None
        The live stream, if the caller wants to close it (the server does); made here by default.
    """
    live = live if live is not None else Live(house)
    app = base_app()
    app.url_map.strict_slashes = False
    # Fields keep the order in which the table names them: pages ask for them in that order.
    app.json = _in_order(app)
    places = Phones()
    app.register_blueprint(Api(house, live, places).blueprint())
    app.register_blueprint(SetUpPage(house, live, places).blueprint())
    app.register_blueprint(Pages(house, live).blueprint())
    app.register_blueprint(DicePage(house, trials).blueprint())
    if trials is not None:
        app.register_blueprint(TrialsPage(house, trials, live, places).blueprint())
    app.register_blueprint(ShipsPage().blueprint())
    app.register_blueprint(RulesPage(house).blueprint())
    app.after_request(phones.give_token)
    return app


def _in_order(app: Flask) -> DefaultJSONProvider:
    json = DefaultJSONProvider(app)
    json.sort_keys = False
    json.ensure_ascii = False
    return json
