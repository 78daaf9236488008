"""The shipyard: ships of PirateWars put together on a page, checked while they are.

Nothing is kept here: a design is sent, judged and sent back; what people save stays in their
browser and in files of their own.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from typing import Any

from flask import Blueprint, Response, jsonify, render_template

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.charts import charts
from companion.rules.pirate_wars.built.design import BuildRules, sails_for, violations
from companion.rules.pirate_wars.built.figures import FigureKind, crew_kinds
from companion.rules.pirate_wars.built.rigging import CARRIES, SAIL_NAMES, rig
from companion.rules.pirate_wars.built.ship_card import ship_card
from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import (
    SAIL_ORDER,
    read_design,
    stock_ships,
    write_design,
)
from companion.rules.pirate_wars.built.ships import HULLS, MOUNTS, SAIL_LOSS, ShipDesign
from web.errors import WebError
from web.security import check_changes, json_body

NO_HULL = "PWR-98"
"""Where this is broken there is no hull, and nothing else can be said of the ship."""


class ShipsPage:
    """The views of ``/ships``; `blueprint` mounts them."""

    def blueprint(self) -> Blueprint:
        """Return the routes."""
        pages = Blueprint("ships", __name__)
        pages.before_request(check_changes)
        pages.add_url_rule("/ships", view_func=self.page)
        pages.add_url_rule("/api/ships", view_func=self.parts)
        pages.add_url_rule("/api/ships/check", view_func=self.check, methods=["POST"])
        pages.add_url_rule("/api/ships/rig", view_func=self.rig, methods=["POST"])
        pages.add_url_rule("/api/ships/read", view_func=self.read, methods=["POST"])
        return pages

    def page(self) -> str:
        """Show the designer."""
        return render_template("ships.html")

    def parts(self) -> Response:
        """List what ships are made of, and the game's own models."""
        return jsonify(
            {
                "hulls": list(HULLS),
                "lengths": [8 * factor for factor in SAIL_LOSS],
                "masts": {
                    kind: [_sails(sails) for sails in sorted(sets, key=_sails)]
                    for kind, sets in CARRIES.items()
                },
                "sail_names": SAIL_NAMES,
                "mounts": {mount: list(sides) for mount, sides in MOUNTS.items()},
                "figures": {
                    side: [_figure_json(kind) for kind in crew_kinds(side)]
                    for side in ("pirate", "imperial")
                },
                "models": [write_design(ship) for ship in stock_ships().values()],
            }
        )

    def check(self) -> Response:
        """Judge a design: ``{"ship": SHIP, RULE: bool, ...}`` with the `BuildRules` played with."""
        body = json_body()
        rules = BuildRules(
            **{rule.name: body.get(rule.name) is True for rule in fields(BuildRules)}
        )
        return jsonify(_judged(read_design(body.get("ship")), rules))

    def rig(self) -> Response:
        """Answer with masts for a wished speed: ``{"hull", "length", "speed", "gaff"}``."""
        body = json_body()
        hull, length, speed = (_whole(body, name) for name in ("hull", "length", "speed"))
        if hull not in HULLS or length % 8 or length // 8 not in SAIL_LOSS or speed > 400:
            raise MalformedAction("choose a hull of 8 or 12 dots, 24 to 80 long, and a speed")
        masts = rig(hull, sails_for(length // 8, speed), gaff=body.get("gaff") is True)
        bare = ShipDesign("ship", "ship", "pirate", hull, length, masts)
        return jsonify({"mast": write_design(bare)["mast"]})

    def read(self) -> Response:
        """Read a ship's file: ``{"text": TOML}``."""
        text = json_body().get("text")
        if not isinstance(text, str):
            raise MalformedAction("a ship's file is a text")
        try:
            return jsonify({"ship": write_design(parse_ship(text))})
        except MalformedAction as fault:
            raise WebError(400, "ship_file", str(fault)) from fault


def _judged(ship: ShipDesign, rules: BuildRules) -> dict[str, Any]:
    found = violations(ship, rules)
    exists = all(violation.rule != NO_HULL for violation in found)
    return {
        "violations": [asdict(violation) for violation in found],
        "card": asdict(ship_card(ship, charts())) if exists else None,
        "outline": [list(point) for point in ship.outline_mm] if exists else [],
        "muzzles": [_bore(ship, n) for n in range(len(ship.cannons))] if exists else [],
        "toml": ship_toml(ship),
    }


def _bore(ship: ShipDesign, number: int) -> dict[str, Any]:
    side = ship.cannons[number].side
    return {"at": list(ship.muzzle_mm(number, side)), "side": side}


def _sails(sails: frozenset[str]) -> list[str]:
    return sorted(sails, key=SAIL_ORDER.index)


def _figure_json(kind: FigureKind) -> dict[str, Any]:
    return {"id": kind.id, "title": kind.plural, "one": kind.title, "role": kind.role}


def _whole(body: dict[str, Any], name: str) -> int:
    value = body.get(name)
    if type(value) is not int:
        raise MalformedAction(f"{name} must be a whole number, not {value!r}")
    return value
