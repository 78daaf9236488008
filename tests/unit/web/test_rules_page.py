"""The rules by their numbers, as pages and as JSON."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from companion.rules.catalogue import GAMES
from companion.rules.rulebook import find_rule
from tests.web.real_house import RealHouse
from web.app import create_app


@pytest.fixture
def client() -> FlaskClient:
    return create_app(RealHouse()).test_client()


def test_the_games_are_listed_and_lead_to_their_rules(client: FlaskClient) -> None:
    page = client.get("/rules").text
    assert re.findall(r'href="/rules/([a-z-]+)"', page) == [game.info.id for game in GAMES]
    assert "in play now" not in page


def test_the_game_in_play_comes_first_and_is_led_to(client: FlaskClient) -> None:
    assert client.get("/rules/in-play").location == "/rules"
    house = RealHouse()
    house.open("pirate-wars", ["Ann", "Bob"], {})
    client = create_app(house).test_client()
    assert client.get("/rules/in-play").location == "/rules/pirate-wars"
    page = client.get("/rules").text
    assert re.findall(r'href="/rules/([a-z-]+)"', page)[0] == "pirate-wars"
    assert page.count("in play now") == 1


@pytest.mark.parametrize("game", [game.info.id for game in GAMES])
def test_a_page_has_every_rule_under_its_number(client: FlaskClient, game: str) -> None:
    page = client.get(f"/rules/{game}").text
    numbers = re.findall(r'<li id="([A-Z]{3}-V?\d+)"', page)
    assert len(numbers) >= 46
    assert all(find_rule(number) for number in numbers)
    for address in set(re.findall(r'(?:src|href)="(/[^"#]*)"', page)):
        with client.get(address) as answer:
            assert answer.status_code in (200, 302), address


def test_a_number_leads_to_its_place(client: FlaskClient) -> None:
    for number in ("AOW-33", "aow-33"):
        answer = client.get(f"/rules/{number}")
        assert (answer.status_code, answer.location) == (302, "/rules/articles-of-war#AOW-33")
    assert client.get("/rules/").status_code == 200


def test_a_single_rule_is_told(client: FlaskClient) -> None:
    found = find_rule("AOW-33")
    assert found is not None
    assert client.get("/api/rules/AOW-33").json == {
        "number": "AOW-33",
        "text": found[1].text,
        "is_ours": found[1].is_ours,
        "title": "Articles of War: Privateer",
        "page": "/rules/articles-of-war#AOW-33",
    }


@pytest.mark.parametrize("path", ["/rules/AOW-999", "/rules/chess"])
def test_what_there_is_not_is_a_page_in_plain_words(client: FlaskClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "To the table" in answer.text


def test_a_single_rule_that_there_is_not_is_refused(client: FlaskClient) -> None:
    answer = client.get("/api/rules/AOW-999")
    assert answer.status_code == 404
    assert answer.json is not None
    assert answer.json["message"] == "There is no rule AOW-999."
