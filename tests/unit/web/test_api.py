"""The JSON API over a fake house, by Flask's test client."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from companion.boards.profile import load_profile
from companion.errors import (
    BadOptions,
    BoardError,
    CameraUnavailable,
    CompanionError,
    CorruptLedger,
    GameIsOver,
    HardwareError,
    IllegalAction,
    MalformedAction,
    NotYourTurn,
    SequenceConflict,
    StaleVersion,
)
from companion.rules.game import Option
from companion.rules.layout import Die
from companion.table.snapshot import LogEntry, Offer
from tests.web.doubles import INFO, QUESTION, FakeHouse, FakeTable
from web.app import create_app
from web.errors import WebError
from web.payloads import game_json, shown_layout

ACT = {"type": "act", "action": {"type": "pass", "player": 0}, "version": 3}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def phone(table: FakeTable) -> FlaskClient:
    """A phone that has opened the page and so carries a token, but has no seat."""
    client = create_app(FakeHouse(table)).test_client()
    client.get("/")
    return client


def sit(phone: FlaskClient, seat: int | str | None) -> TestResponse:
    return phone.post("/api/command", json={"type": "take_seat", "seat": seat})


def body(answer: TestResponse) -> Any:
    return json.loads(answer.data)


def test_state_holds_table_ring_and_change(phone: FlaskClient) -> None:
    state = body(phone.get("/api/state"))
    assert state["table"]["version"] == 3
    assert state["table"]["layout"]["cells"][0]["cell"] == "-4,0"
    assert state["ring"]["pattern"] == "steady"
    assert state["ring"]["side_deg"] == 0
    assert state["change"] == {"moved": [], "came": [], "gone": [], "pieces": []}


def test_state_is_not_sent_again_to_a_phone_that_has_it(
    phone: FlaskClient, table: FakeTable
) -> None:
    etag = phone.get("/api/state").headers["ETag"]
    assert phone.get("/api/state", headers={"If-None-Match": etag}).status_code == 304
    table.show(pending="Roll the dice.")
    newer = phone.get("/api/state", headers={"If-None-Match": etag})
    assert body(newer)["table"]["pending"] == "Roll the dice."


def test_board_gives_every_cell_with_its_mark(phone: FlaskClient) -> None:
    board = body(phone.get("/api/board"))
    cells = {cell["id"]: cell for cell in board["cells"]}
    assert len(cells) == 91
    assert cells["0,0"]["centre"] == [260, 240]
    assert cells["0,0"]["marks"] == [{"kind": "diamond", "text": "", "paint": ""}]
    circle = {"kind": "circle", "text": "", "paint": ""}
    assert sum(circle in cell["marks"] for cell in cells.values()) == 6
    assert len(cells["1,0"]["outline"]) == 6


def test_games_are_listed_with_options(phone: FlaskClient) -> None:
    (game,) = body(phone.get("/api/games"))
    assert game["players"] == [2, 6]
    options = {option["id"]: option for option in game["options"]}
    assert list(options) == ["fog", "faces", "duel", "battles", "numbers", "cards"]
    values = [choice["value"] for choice in options["faces"]["choices"]]
    assert values == [[2, 3, 3, 4], [2, 3, 4, 4]]
    kinds = {name: option["kind"] for name, option in options.items()}
    assert kinds == {
        "fog": "flag",
        "faces": "choice",
        "duel": "flag",
        "battles": "number",
        "numbers": "numbers",
        "cards": "records",
    }
    assert (options["fog"]["title"], options["fog"]["group"]) == ("Fog", "")
    assert (options["duel"]["title"], options["duel"]["group"]) == ("The Duel", "Variants")
    colour = options["cards"]["fields"][0]
    assert colour["choices"] == [
        {"value": "red", "label": "Red"},
        {"value": "blue", "label": "Blue"},
    ]


def test_what_boards_are_printed_for_can_be_chosen_and_nothing_else() -> None:
    boards = [
        replace(load_profile("hex-ocean"), options={"radius": radius, "ring": radius})
        for radius in (4, 5)
    ]
    info = replace(
        INFO,
        options=(
            Option("radius", 5, (4, 5, 6), "Size."),
            Option("ring", None, (None, 3, 4), "Follows the board."),
            Option("fog", False, (False, True), "Fog."),
        ),
    )
    radius, fog = game_json(info, boards)["options"]
    assert [choice["value"] for choice in radius["choices"]] == [4, 5]
    assert fog["id"] == "fog"


def test_an_option_at_fault_is_named() -> None:
    client = create_app(FakeHouse(None)).test_client()
    request = {"game": "toy-battle", "players": ["A", "B", "C"], "options": {"duel": True}}
    answer = body(client.post("/api/games", json=request))
    assert (answer["option"], answer["message"]) == ("duel", "The Duel is for two captains.")


def test_a_game_is_opened_and_followed() -> None:
    house = FakeHouse(None)
    client = create_app(house).test_client()
    assert body(client.get("/api/state"))["table"] is None
    request = {"game": "toy-battle", "players": [" Eve ", "Fay"], "options": {"fog": True}}
    assert client.post("/api/games", json=request).status_code == 200
    assert house.opened == [("toy-battle", ("Eve", "Fay"), {"fog": True})]
    assert [s["name"] for s in body(client.get("/api/state"))["table"]["seats"]] == ["Eve", "Fay"]


def test_a_game_that_cannot_be_opened_says_why() -> None:
    client = create_app(FakeHouse(None)).test_client()
    answer = client.post("/api/games", json={"game": "toy-battle", "players": ["Eve", "Eve"]})
    assert answer.status_code == 400
    assert body(answer)["code"] == "options"
    assert body(answer)["message"] == "two captains have the same name"


@pytest.mark.parametrize(
    "request_body",
    [
        {},
        {"game": 1, "players": []},
        {"game": "x", "players": "Ann"},
        {"game": "x", "players": [1]},
    ],
)
def test_a_malformed_opening_is_refused(request_body: object) -> None:
    answer = create_app(FakeHouse(None)).test_client().post("/api/games", json=request_body)
    assert (answer.status_code, body(answer)["code"]) == (400, "malformed")


@pytest.mark.parametrize("name", ["x" * 25, "Ann\nBob", "Ann\0", "Ann\u2028Bob"])
def test_a_name_that_no_page_can_show_is_refused(name: str) -> None:
    house = FakeHouse(None)
    answer = (
        create_app(house)
        .test_client()
        .post("/api/games", json={"game": "toy-battle", "players": ["Eve", name]})
    )
    assert (answer.status_code, body(answer)["code"]) == (400, "options")
    assert "up to 24 letters in one line" in body(answer)["message"]
    assert not house.opened


def test_a_name_may_have_letters_of_any_kind() -> None:
    house = FakeHouse(None)
    names = ["Jörg 👩‍👩‍👧", "\u200fעדה"]
    answer = (
        create_app(house)
        .test_client()
        .post("/api/games", json={"game": "toy-battle", "players": names})
    )
    assert answer.status_code == 200
    assert house.opened[0][1] == tuple(names)


def test_a_place_beyond_all_numbers_is_refused() -> None:
    piece = {"tag": 1, "x_mm": 10**400, "y_mm": 0, "heading_deg": 0}
    with pytest.raises(WebError, match="as numbers"):
        shown_layout({"pieces": [piece]})


def test_without_a_game_the_api_says_so() -> None:
    client = create_app(FakeHouse(None)).test_client()
    for path in ("/api/board", "/api/offers"):
        answer = client.get(path)
        assert (answer.status_code, body(answer)["code"]) == (404, "no_game")


def test_a_phone_sits_down_and_speaks_for_its_seat_alone(
    phone: FlaskClient, table: FakeTable
) -> None:
    assert body(phone.get("/api/me")) == {"place": "watch", "opens": True}
    assert body(sit(phone, 1))["place"] == 1
    assert body(phone.get("/api/me")) == {"place": 1, "opens": True}
    token = table.told[0]["phone"]
    assert len(token) >= 20
    # It claims another captain's seat; the server puts its own in its place.
    assert phone.post("/api/command", json={**ACT, "seat": 0}).status_code == 200
    assert table.told[-1] == {**ACT, "seat": 1}


def test_the_host_phone_speaks_for_nobody_in_particular(
    phone: FlaskClient, table: FakeTable
) -> None:
    assert body(sit(phone, "host"))["place"] == "host"
    assert table.told[-1]["seat"] is None
    phone.post("/api/command", json={"type": "undo"})
    assert table.told[-1] == {"type": "undo", "seat": None}
    assert phone.get("/api/offers").status_code == 200
    assert table.asked_offers == [None]


def test_who_spoke_for_everybody_only_watches_the_next_game() -> None:
    app = create_app(house := FakeHouse(FakeTable()))
    host, other = app.test_client(), app.test_client()
    for client in (host, other):
        client.get("/")
    sit(host, "host")
    assert body(other.get("/api/me")) == {"place": "watch", "opens": False}
    house.now = FakeTable()
    assert body(other.get("/api/me")) == {"place": "watch", "opens": True}
    assert body(host.get("/api/me")) == {"place": "watch", "opens": True}


@pytest.mark.parametrize("seat", ["captain", 1.5, True, [0]])
def test_a_seat_that_is_none_is_refused(phone: FlaskClient, seat: object) -> None:
    answer = phone.post("/api/command", json={"type": "take_seat", "seat": seat})
    assert (answer.status_code, body(answer)["code"]) == (400, "malformed")


def test_a_phone_without_a_token_cannot_sit(table: FakeTable) -> None:
    client = create_app(FakeHouse(table)).test_client(use_cookies=False)
    assert sit(client, 0).status_code == 400
    assert table.told == []


def test_a_refused_seat_is_not_taken(phone: FlaskClient, table: FakeTable) -> None:
    table.refuse = IllegalAction("", "Bob's seat is taken by another phone.")
    assert sit(phone, 1).status_code == 409
    assert body(phone.get("/api/me"))["place"] == "watch"


def test_standing_up_makes_an_onlooker(phone: FlaskClient, table: FakeTable) -> None:
    sit(phone, 1)
    assert body(sit(phone, None))["place"] == "watch"
    answer = phone.post("/api/command", json=ACT)
    assert (answer.status_code, body(answer)["code"]) == (403, "watching")
    assert [told["type"] for told in table.told] == ["take_seat", "take_seat"]


def test_everybody_stands_up_when_another_game_is_opened(table: FakeTable) -> None:
    house = FakeHouse(table)
    client = create_app(house).test_client()
    client.get("/")
    sit(client, 1)
    house.now = FakeTable()
    assert body(client.get("/api/me"))["place"] == "watch"


def test_offers_are_those_of_the_seat(phone: FlaskClient, table: FakeTable) -> None:
    table.offered = (
        Offer("pass", {"type": "pass", "player": 1}, {"ship": 12}, "3,-1", "P", "a ship"),
    )
    assert phone.get("/api/offers").status_code == 403
    sit(phone, 1)
    answer = body(phone.get("/api/offers"))
    assert answer == {
        "version": 3,
        "offers": [
            {
                "text": "pass",
                "action": {"type": "pass", "player": 1},
                "pieces": {"ship": 12},
                "to": "3,-1",
                "printed": "P",
                "loss": "a ship",
            }
        ],
        "faces": [],
        "total": 0,
    }
    sit(phone, "host")
    assert phone.get("/api/offers").status_code == 200
    assert table.asked_offers == [1, None]


@pytest.mark.parametrize(
    ("error", "status", "code", "rule"),
    [
        (MalformedAction("no such cell"), 400, "malformed", ""),
        (BadOptions("no"), 400, "options", ""),
        (NotYourTurn("AOW-13", "It is Bob's turn."), 403, "not_your_turn", "AOW-13"),
        (IllegalAction("AOW-33", "Use the sail in full."), 409, "illegal", "AOW-33"),
        (GameIsOver("AOW-59", "The battle is over."), 409, "game_over", "AOW-59"),
        (StaleVersion("passed"), 409, "stale", ""),
        (SequenceConflict("late"), 409, "sequence", ""),
        (CorruptLedger("broken"), 503, "corrupt", ""),
        (CameraUnavailable("unplugged"), 503, "camera", ""),
        (HardwareError("pin"), 503, "hardware", ""),
        (BoardError("torn"), 503, "board", ""),
    ],
)
def test_every_family_of_errors_has_its_status(
    phone: FlaskClient, table: FakeTable, error: CompanionError, status: int, code: str, rule: str
) -> None:
    sit(phone, 0)
    table.refuse = error
    answer = phone.post("/api/command", json=ACT)
    assert answer.status_code == status
    told = body(answer)
    assert set(told) == {"code", "message", "hint", "rule", "option"}
    assert (told["code"], told["rule"]) == (code, rule)
    if isinstance(error, IllegalAction):
        assert told["message"] == error.reason


@pytest.mark.parametrize("content", ["[]", "{", '"act"', "", "null"])
def test_what_is_no_json_object_is_refused(phone: FlaskClient, content: str) -> None:
    answer = phone.post("/api/command", data=content, content_type="application/json")
    assert (answer.status_code, body(answer)["code"]) == (400, "malformed")


@pytest.mark.parametrize("kind", ["keelhaul", None, 3, ["act"]])
def test_unknown_commands_are_refused(phone: FlaskClient, kind: object) -> None:
    sit(phone, 0)
    answer = phone.post("/api/command", json={"type": kind})
    assert (answer.status_code, body(answer)["code"]) == (400, "unknown_command")
    assert "take_seat" in body(answer)["message"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://[x"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),
    ],
)
def test_only_our_own_pages_change_anything(
    phone: FlaskClient, table: FakeTable, headers: dict[str, str], status: int
) -> None:
    sit(phone, 0)
    before = len(table.told)
    assert phone.post("/api/command", json=ACT, headers=headers).status_code == status
    assert len(table.told) - before == (status == 200)


def test_a_form_cannot_change_anything(phone: FlaskClient, table: FakeTable) -> None:
    answer = phone.post("/api/command", data=json.dumps(ACT), content_type="text/plain")
    assert (answer.status_code, body(answer)["code"]) == (415, "not_json")
    assert table.told == []


def test_too_long_a_request_is_not_read(phone: FlaskClient) -> None:
    answer = phone.post("/api/command", json={"type": "act", "action": "x" * 70_000})
    assert answer.status_code in (400, 413)


def test_unknown_addresses_of_the_api_answer_in_json(phone: FlaskClient) -> None:
    answer = phone.get("/api/treasure")
    assert answer.status_code == 404
    assert body(answer)["code"] == "not_found"
    assert phone.get("/api/command").status_code == 405


def test_answers_reach_the_table(phone: FlaskClient, table: FakeTable) -> None:
    table.show(question=QUESTION)
    sit(phone, 0)
    phone.post("/api/command", json={"type": "answer", "question": 7, "choice": "b"})
    assert table.told[-1] == {"type": "answer", "question": 7, "choice": "b", "seat": 0}


def test_what_happened_instead_is_offered_to_those_who_sit(
    phone: FlaskClient, table: FakeTable
) -> None:
    table.offered = (Offer("Red rolls 3", {"type": "roll"}),)
    table.stands = (Die("sail", 4),)
    assert phone.get("/api/alternatives?seq=2").status_code == 403
    phone.post("/api/command", json={"type": "take_seat", "seat": 1})
    found = body(phone.get("/api/alternatives?seq=2"))
    rolled = {"text": "Red rolls 3", "action": {"type": "roll"}, "pieces": {}}
    assert found["offers"] == [{**rolled, "to": "", "printed": "", "loss": ""}]
    assert found["layout"] == table.now.layout.to_json()
    assert found["dice"] == [{"kind": "sail", "face": 4}]
    assert found["faces"] == [{"kind": "sail", "face": face} for face in (2, 3, 4)]
    assert phone.get("/api/alternatives?seq=two").status_code == 400


def test_older_lines_of_the_log_are_sent_page_by_page(phone: FlaskClient, table: FakeTable) -> None:
    lines = tuple(LogEntry(seq, f"line {seq}", 0) for seq in range(1, 121))
    table.show(log=lines)
    newest = body(phone.get("/api/log"))
    assert [line["seq"] for line in newest["lines"]] == list(range(71, 121))
    assert (newest["game"], newest["more"]) == ("toy-battle", True)
    older = body(phone.get("/api/log?before=21"))
    assert [line["seq"] for line in older["lines"]] == list(range(1, 21))
    assert not older["more"]
    assert older["lines"] == body(phone.get("/api/state"))["table"]["log"][:20]
    assert body(phone.get("/api/log?before=1")) == {
        "game": "toy-battle",
        "lines": [],
        "more": False,
    }


@pytest.mark.parametrize("seq", ["", "two", "-1", "1.5", "١", "9" * 5000])
def test_a_line_of_the_log_has_a_number(phone: FlaskClient, seq: str) -> None:
    assert phone.get("/api/log", query_string={"before": seq}).status_code == 400


def test_options_are_checked_before_a_game_is_opened(phone: FlaskClient) -> None:
    good = phone.post("/api/options", json={"game": "toy-battle", "options": {"deck": "a = 1\n"}})
    assert body(good) == {"players": [2, 3], "fault": "", "option": ""}
    bad = phone.post("/api/options", json={"game": "toy-battle", "options": {"deck": "b"}})
    assert body(bad)["option"] == "deck"
    assert "line 2" in body(bad)["fault"]
    assert phone.post("/api/options", json={"game": "toy-battle"}).status_code == 400
