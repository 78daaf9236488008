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


def test_a_seat_is_not_taken_twice_and_its_captain_speaks_alone(host: FlaskClient) -> None:
    app = host.application
    ann, bob = app.test_client(), app.test_client()
    for client in (ann, bob):
        client.get("/")
    assert tell(ann, "take_seat", seat=0) == 200
    held = bob.post("/api/command", json={"type": "take_seat", "seat": 0})
    assert held.status_code == 403
    assert held.json["hint"].startswith("Choose another captain")  # type: ignore[index]
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


HALF = '{"type": "undo", "reason": "\\ud800"}'
HALF_NAME = '{"game": "articles-of-war", "players": ["Ann", "\\ud800"]}'
DEEP = '{"type": "undo", "reason": ' + "[" * 5000 + "]" * 5000 + "}"
DEEP_READ = '{"type": "act", "action": ' + "[" * 400 + "]" * 400 + "}"
NOT_A_NUMBER = '{"type": "correct", "seq": 2, "action": {"type": "sail", "x_mm": NaN}}'


@pytest.mark.parametrize(
    ("path", "content"),
    [
        ("/api/command", HALF),
        ("/api/games", HALF_NAME),
        ("/api/command", DEEP),
        ("/api/games", DEEP),
        ("/api/command", DEEP_READ),
        ("/api/command", NOT_A_NUMBER),
    ],
)
def test_what_cannot_be_kept_is_refused_in_plain_words(
    host: FlaskClient, path: str, content: str
) -> None:
    play(host, 2)
    answer = host.post(path, data=content, content_type="application/json")
    assert answer.status_code == 400
    told = answer.json
    assert told is not None
    assert told["code"] == "malformed"
    assert told["message"].endswith(".")


def test_a_line_that_was_put_right_already_is_stale(host: FlaskClient) -> None:
    first, second = (host.get("/api/offers").json["offers"][k] for k in (0, 1))  # type: ignore[index]
    assert tell(host, "act", action=first["action"]) == 200
    seq = state(host)["log"][-1]["seq"]
    assert tell(host, "correct", seq=seq, action=second["action"]) == 200
    assert tell(host, "correct", seq=seq, action=second["action"]) == 409
    assert host.get(f"/api/alternatives?seq={seq}").status_code == 409
    assert host.post("/api/shown", json={"seq": seq}).status_code == 409
    assert host.post("/api/shown", json={"seq": f"{seq}"}).status_code == 400
    assert tell(host, "correct", seq=999, action=second["action"]) == 400


OPENING = {"game": "articles-of-war", "players": ["Cid", "Dot"]}


def test_a_captain_without_a_name_is_told_by_number(host: FlaskClient) -> None:
    refused = host.post("/api/games", json={**OPENING, "players": ["Cid", "  "]})
    assert refused.status_code == 400
    assert refused.json["message"] == "Captain 2 has no name yet."  # type: ignore[index]


@pytest.mark.parametrize("other", ["Ann", "ANN", " ann "])
def test_two_captains_who_sound_the_same_are_refused(host: FlaskClient, other: str) -> None:
    refused = host.post("/api/games", json={**OPENING, "players": ["Ann", other]})
    assert refused.status_code == 400
    assert "give them different names" in refused.json["message"]  # type: ignore[index]


def onlooker(host: FlaskClient) -> FlaskClient:
    client = host.application.test_client()
    client.get("/")
    return client


@pytest.mark.parametrize("place", ["host", 0])
def test_an_onlooker_does_not_end_a_battle_that_is_being_fought(
    host: FlaskClient, place: str | int
) -> None:
    assert tell(host, "take_seat", seat=place) == 200
    watcher = onlooker(host)
    battle = state(host)["game"]
    refused = watcher.post("/api/games", json=OPENING)
    assert refused.status_code == 403
    assert "battle is being fought" in refused.json["message"]  # type: ignore[index]
    assert "take a seat" in refused.json["hint"]  # type: ignore[index]
    assert state(host)["game"] == battle
    assert host.application.test_client().post("/api/games", json=OPENING).status_code == 403
    assert host.post("/api/games", json=OPENING).status_code == 200


def test_a_battle_that_nobody_sits_at_is_anybodys_to_end(host: FlaskClient) -> None:
    assert tell(host, "take_seat", seat=None) == 200
    assert onlooker(host).post("/api/games", json=OPENING).status_code == 200


def test_an_onlooker_may_open_the_next_battle_once_this_one_is_over(host: FlaskClient) -> None:
    chance = random.Random(2)
    while offers := host.get("/api/offers").json["offers"]:  # type: ignore[index]
        assert tell(host, "act", action=chance.choice(offers)["action"]) == 200
    assert state(host)["over"]
    assert onlooker(host).post("/api/games", json=OPENING).status_code == 200


def test_an_answer_to_no_question_is_stale(host: FlaskClient) -> None:
    assert tell(host, "answer", question=1, choice="a") == 409


def test_the_turn_button_says_what_is_missing(host: FlaskClient) -> None:
    answer = host.post("/api/command", json={"type": "turn"})
    assert answer.status_code == 409
    assert "draw" in answer.json["message"]  # type: ignore[index]
