"""The shipyard's doors: parts, judgement, rigging, files; what cannot be read is said so."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import stock_ship, stock_ships, write_design
from tests.web.doubles import FakeHouse, FakeTable
from web.app import create_app


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeHouse(FakeTable())).test_client()


def judged(client: FlaskClient, ship: dict[str, Any], **rules: bool) -> dict[str, Any]:
    answer = client.post("/api/ships/check", json={"ship": ship, **rules})
    assert answer.status_code == 200, answer.json
    body: dict[str, Any] = answer.json
    return body


def test_parts_and_models(client: FlaskClient) -> None:
    parts = client.get("/api/ships").json
    assert [model["id"] for model in parts["models"]] == list(stock_ships())
    assert parts["lengths"] == [24, 32, 40, 48, 56, 64, 72, 80]
    assert ["main", "topsail"] in parts["masts"]["full"]
    assert "marine" not in {figure["id"] for figure in parts["figures"]["pirate"]}


def test_a_model_is_judged_with_its_card_and_file(client: FlaskClient) -> None:
    ship = stock_ship("imperial-flagship")
    answer = judged(client, write_design(ship))
    assert answer["violations"] == []
    assert answer["card"]["rows"][0] == {"factor": "S", "speed": 60}
    assert answer["outline"][0] == [128.0, 0.0]
    assert answer["muzzles"][0] == {"at": [32.0, -32.0], "side": "port"}
    assert parse_ship(answer["toml"]) == ship


def test_a_hull_that_cannot_be_has_no_card(client: FlaskClient) -> None:
    """PWR-98: the reason alone is told."""
    answer = judged(client, write_design(stock_ship("man-of-war")) | {"length": 50})
    assert [v["rule"] for v in answer["violations"]] == ["PWR-98"]
    assert answer["card"] is None


def test_optional_rules_are_asked_for(client: FlaskClient) -> None:
    """PWR-112: what is refused without overloading is fine with it."""
    ship = write_design(stock_ship("man-of-war")) | {"withheld": 1}
    assert [v["rule"] for v in judged(client, ship)["violations"]] == ["PWR-112"]
    assert judged(client, ship, overloading=True)["violations"] == []


def test_a_rig_for_a_speed(client: FlaskClient) -> None:
    """PWR-103, T11."""
    wish = {"hull": 12, "length": 48, "speed": 70, "gaff": False}
    schooner = write_design(stock_ship("skulls-eye-schooner"))
    assert client.post("/api/ships/rig", json=wish).json == {"mast": schooner["mast"]}


def test_a_file_is_read(client: FlaskClient) -> None:
    ship = stock_ship("caribbean-clipper")
    answer = client.post("/api/ships/read", json={"text": ship_toml(ship)})
    assert answer.json == {"ship": write_design(ship)}


@pytest.mark.parametrize(
    ("path", "body", "said"),
    [
        ("check", {"ship": {}}, "lacks the field 'id'"),
        ("check", [], "not a JSON object"),
        ("rig", {"hull": 9, "length": 48, "speed": 60}, "a hull of 8 or 12 dots"),
        ("rig", {"hull": 8, "length": 48}, "speed must be a whole number"),
        ("rig", {"hull": 8, "length": 48, "speed": 10**9}, "and a speed"),
        ("read", {"text": "hull = "}, "no TOML"),
        ("read", {}, "a ship's file is a text"),
    ],
)
def test_what_cannot_be_read_is_answered_with_a_sentence(
    client: FlaskClient, path: str, body: Any, said: str
) -> None:
    answer = client.post(f"/api/ships/{path}", json=body)
    assert answer.status_code == 400
    assert said in answer.json["message"]


def test_other_sites_cannot_ask(client: FlaskClient) -> None:
    answer = client.post("/api/ships/check", json={}, headers={"Origin": "http://elsewhere"})
    assert answer.status_code == 403


def test_what_is_nested_too_deep_is_refused(client: FlaskClient) -> None:
    deep = '{"ship":' + "[" * 20_000 + "]" * 20_000 + "}"
    answer = client.post("/api/ships/check", data=deep, content_type="application/json")
    assert answer.status_code == 400
