"""The JSON API over the real referee and rules: every type of command goes through."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web.real_house import RealHouse
from web.app import create_app


@pytest.fixture
def house() -> RealHouse:
    return RealHouse()


@pytest.fixture
def host(house: RealHouse) -> FlaskClient:
    """The one phone of a table of two captains."""
    client = create_app(house).test_client()
    client.get("/")
    opening = {"game": "articles-of-war", "players": ["Ann", "Bob"]}
    assert client.post("/api/games", json=opening).status_code == 200
    assert tell(client, "take_seat", seat="host") == 200
    return client


def tell(client: FlaskClient, kind: str, **fields: Any) -> int:
    return client.post("/api/command", json={"type": kind, **fields}).status_code


def state(client: FlaskClient) -> Any:
    return client.get("/api/state").json["table"]  # type: ignore[index]


def play(client: FlaskClient, steps: int, seed: int = 1) -> None:
    """Tell random offers, as one phone for the whole table would."""
    chance = random.Random(seed)
    for _ in range(steps):
        answer = client.get("/api/offers").json
        assert answer is not None
        offer = chance.choice(answer["offers"])
        assert tell(client, "act", action=offer["action"], version=answer["version"]) == 200


def test_the_options_that_boards_are_printed_for_are_asked_and_no_others(host: FlaskClient) -> None:
    games = {game["id"]: game for game in host.get("/api/games").json}  # type: ignore[union-attr]
    game = games["articles-of-war"]
    options = {option["id"]: option for option in game["options"]}
    assert "start_ring" not in options
    printed = [choice["value"] for choice in options["radius"]["choices"]]
    assert printed == [4, 5, 6]


def test_own_starting_hexes_take_the_place_of_those_the_board_prints(host: FlaskClient) -> None:
    own = {"start_hexes": "5,0 5,-5 0,-5 -3,-2 -5,5 1,4", "radius": 5}
    opening = {"game": "articles-of-war", "players": ["Ann", "Bob"], "options": own}
    assert host.post("/api/games", json=opening).status_code == 200


def test_a_whole_battle_is_played_by_telling(host: FlaskClient) -> None:
    chance = random.Random(2)
    for _ in range(2000):
        answer = host.get("/api/offers").json
        assert answer is not None
        if not answer["offers"]:
            break
        offer = chance.choice(answer["offers"])
        assert tell(host, "act", action=offer["action"], version=answer["version"]) == 200
    final = state(host)
    assert final["over"]
    assert "victory" in final["result"] or "wins" in final["result"]


def test_a_seat_is_not_taken_twice_and_its_captain_speaks_alone(
    host: FlaskClient, house: RealHouse
) -> None:
    app = host.application
    ann, bob = app.test_client(), app.test_client()
    for client in (ann, bob):
        client.get("/")
    assert tell(ann, "take_seat", seat=0) == 200
    assert tell(bob, "take_seat", seat=0) == 403
    assert tell(bob, "take_seat", seat=1) == 200
    assert tell(bob, "take_seat", seat=5) == 400
    draw = ann.get("/api/offers").json["offers"][0]["action"]  # type: ignore[index]
    assert bob.get("/api/offers").json["offers"] == []  # type: ignore[index]
    refused = bob.post("/api/command", json={"type": "act", "action": draw})
    assert refused.status_code == 403
    assert refused.json["code"] == "not_your_turn"  # type: ignore[index]
    assert tell(ann, "act", action=draw) == 200


def test_what_was_told_is_taken_back(host: FlaskClient) -> None:
    play(host, 3)
    before = state(host)["layout"]
    play(host, 1)
    assert state(host)["layout"] != before
    assert tell(host, "undo", reason="slip") == 200
    now = state(host)
    assert now["layout"] == before
    assert now["log"][-1]["retracted"]


def test_an_action_told_twice_is_stale(host: FlaskClient) -> None:
    answer = host.get("/api/offers").json
    assert answer is not None
    act = {"action": answer["offers"][0]["action"], "version": answer["version"]}
    assert tell(host, "act", **act) == 200
    assert tell(host, "act", **act) == 409


def test_a_double_tap_on_take_it_back_takes_one_thing_back(host: FlaskClient) -> None:
    play(host, 3)
    last = state(host)["log"][-1]["seq"]
    assert tell(host, "undo", seq=last) == 200
    assert tell(host, "undo", seq=last) == 409
    assert [line["retracted"] for line in state(host)["log"][-2:]] == [False, True]


def test_a_correction_puts_another_action_in_its_place(host: FlaskClient) -> None:
    first, second = (host.get("/api/offers").json["offers"][k] for k in (0, 1))  # type: ignore[index]
    assert tell(host, "act", action=first["action"]) == 200
    seq = state(host)["log"][-1]["seq"]
    assert tell(host, "correct", seq=seq, action=second["action"], reason="misheard") == 200
    assert state(host)["log"][-1]["text"] == second["text"]


def test_every_refusal_carries_rule_and_sentence(host: FlaskClient) -> None:
    play(host, 2)
    illegal = {"type": "place_fleet", "player": 0, "start": "0,0", "second": "0,1"}
    first = state(host)["seats"][0]["asked"]
    illegal["player"] = 0 if first else 1
    answer = host.post("/api/command", json={"type": "act", "action": illegal})
    assert answer.status_code == 409
    told = answer.json
    assert told is not None
    assert told["rule"].startswith("AOW-")
    assert told["message"].endswith(".")
    notice = state(host)["notice"]
    assert (notice["kind"], notice["rule"]) == ("refusal", told["rule"])


@pytest.mark.parametrize(
    "body",
    [
        {"type": "act"},
        {"type": "act", "action": {"type": "fly"}},
        {"type": "answer", "question": "x"},
        {"type": "correct", "seq": 99, "action": {}},
        {"type": "act", "action": {"type": "pass", "player": "Ann"}},
    ],
)
def test_malformed_commands_are_400(host: FlaskClient, body: dict[str, Any]) -> None:
    answer = host.post("/api/command", json=body)
    assert (answer.status_code, answer.json["code"]) == (400, "malformed")  # type: ignore[index]


def test_an_answer_to_no_question_is_stale(host: FlaskClient) -> None:
    assert tell(host, "answer", question=1, choice="a") == 409


def test_the_turn_button_says_what_is_missing(host: FlaskClient) -> None:
    answer = host.post("/api/command", json={"type": "turn"})
    assert answer.status_code == 409
    assert "draw" in answer.json["message"]  # type: ignore[index]
