"""Setting up over the web: what is seen, pictures that are kept, and who may change it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from companion.boards.profile import builtin_profiles
from companion.errors import NotCalibrated
from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.setting_up import BoardSight, TrayReading
from tests.web.doubles import FakeHouse, FakeTable
from tests.web.fake_set_up import JPEG
from web.app import create_app

SIGHT = BoardSight("v1", True, "I see all markers.", (((0.1, 0.1), (0.9, 0.1), (0.5, 0.9)),))


@pytest.fixture
def house() -> FakeHouse:
    house = FakeHouse(None)
    house.set_up.sight = SIGHT
    return house


@pytest.fixture
def client(house: FakeHouse) -> FlaskClient:
    return create_app(house).test_client()


def test_the_page_offers_every_board_and_chooses_that_in_play(client: FlaskClient) -> None:
    page = client.get("/setup").text
    assert re.findall(r'<option value="([^"]+)"', page) == list(builtin_profiles())
    assert " selected" not in page
    table = FakeTable()
    page = create_app(FakeHouse(table)).test_client().get("/setup").text
    assert re.findall(r'<option value="([^"]+)" selected', page) == [table.now.profile]


def test_what_is_seen_is_told(client: FlaskClient) -> None:
    assert client.get("/api/setup/hex-ocean").json == {
        "board": {
            "frame": "v1",
            "is_found": True,
            "says": "I see all markers.",
            "outlines": [[[0.1, 0.1], [0.9, 0.1], [0.5, 0.9]]],
            "places": [],
        },
        "trouble": "",
        "has_camera": True,
        "has_tray": False,
        "can_cut_tray": False,
        "zone": None,
        "kept": {"board": "", "tray": ""},
        "lesson": [["red", "C4"], ["white", "G7"]],
        "taught": [],
        "presses": {"turn": 0, "undo": 0},
        "has_ring": False,
        "watches": False,
    }


def test_pictures_are_sent_where_there_are_any(client: FlaskClient, house: FakeHouse) -> None:
    answer = client.get("/setup/board.jpg")
    assert (answer.mimetype, answer.data) == ("image/jpeg", JPEG)
    assert client.get("/setup/tray.jpg").status_code == 404
    house.set_up.has_tray = True
    assert client.get("/setup/tray.jpg").data == JPEG
    assert client.get("/setup/attic.jpg").status_code == 404


def test_without_a_picture_the_reason_is_told(client: FlaskClient, house: FakeHouse) -> None:
    house.set_up.sight = None
    state = client.get("/api/setup/hex-ocean").json
    assert state is not None
    assert (state["board"], state["trouble"]) == (None, "no picture has come yet.")
    house.ill["camera"] = "the camera's cable is out"
    state = client.get("/api/setup/hex-ocean").json
    assert state is not None
    assert state["trouble"] == "the camera's cable is out"


def test_a_picture_is_kept(client: FlaskClient, house: FakeHouse) -> None:
    answer = client.post("/api/setup/hex-ocean/take", json={"part": "board"})
    assert answer.json == {"kept": {"board": "taken", "tray": ""}}
    assert ("take", "board", "hex-ocean") in house.set_up.asked


def test_a_kept_picture_is_shown_and_thrown_away(client: FlaskClient, house: FakeHouse) -> None:
    assert client.get("/setup/hex-ocean/empty-tray.jpg").status_code == 404
    house.set_up.pictures["tray"] = "taken"
    assert client.get("/setup/hex-ocean/empty-tray.jpg").data == JPEG
    assert client.get("/setup/attic/empty-tray.jpg").status_code == 404
    answer = client.post("/api/setup/hex-ocean/drop", json={"part": "tray"})
    assert answer.json == {"kept": {"board": "", "tray": ""}}


def test_what_is_doubtful_is_kept_if_somebody_is_sure(
    client: FlaskClient, house: FakeHouse
) -> None:
    house.set_up.is_full = True
    answer = client.post("/api/setup/hex-ocean/take", json={"part": "tray"})
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["code"] == "doubtful"
    assert "take the picture all the same" in answer.json["hint"]
    answer = client.post("/api/setup/hex-ocean/take", json={"part": "tray", "is_sure": True})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/api/setup/hex-ocean/take", {"part": "attic"}, 400),
        ("/api/setup/hex-ocean/take", {"part": "tray", "is_sure": "yes"}, 400),
        ("/api/setup/attic/take", {"part": "board"}, 404),
        ("/api/setup/attic/dice", {}, 404),
        ("/api/setup/attic/teach", {}, 404),
        ("/api/setup/attic/forget", {}, 404),
        ("/api/setup/hex-ocean/teach", {"is_sure": 1}, 400),
        ("/api/setup/zone", {"zone": [0, 0, 1]}, 400),
        ("/api/setup/zone", {"zone": [0, 0, 1, True]}, 400),
        ("/api/setup/zone", {"zone": "0,0,1,1"}, 400),
        ("/api/setup/zone", {"zone": [0, 0, 10**400, 1]}, 400),
        ("/api/setup/zone", {"zone": [0, 0, float("nan"), 1]}, 400),
        ("/api/setup/hex-ocean/drop", {}, 400),
        ("/api/setup/attic/drop", {"part": "tray"}, 404),
    ],
)
def test_what_cannot_be_is_refused(
    client: FlaskClient, house: FakeHouse, path: str, body: dict[str, object], status: int
) -> None:
    assert client.post(path, json=body).status_code == status
    assert house.set_up.asked == []


def test_a_picture_of_no_use_is_told_with_its_reason(client: FlaskClient, house: FakeHouse) -> None:
    house.set_up.refuse = NotCalibrated("I see two of four markers")
    answer = client.post("/api/setup/hex-ocean/take", json={"part": "board"})
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["message"] == "I see two of four markers"


def test_dice_are_told_in_words(client: FlaskClient, house: FakeHouse) -> None:
    told = DieReading({Die("piecepack", 0): 0.99}, (1.0, 2.0), (16, 9, 32, 18))
    doubted = DieReading({Die("d6", 4): 0.4}, (1.0, 2.0), (80, 45, 16, 9), seems="cocked")
    house.set_up.reading = TrayReading((told, doubted), (160, 90), "come closer")
    assert client.post("/api/setup/hex-ocean/dice", json={}).json == {
        "dice": [
            {
                "words": "piecepack die: null",
                "is_told": True,
                "p": 0.99,
                "box": [0.1, 0.1, 0.2, 0.2],
            },
            {"words": "a die is cocked", "is_told": False, "p": 0.4, "box": [0.5, 0.5, 0.1, 0.1]},
        ],
        "advice": "come closer",
    }


def test_a_board_is_printed(client: FlaskClient) -> None:
    answer = client.get("/setup/hex-ocean/markers.pdf")
    assert (answer.mimetype, answer.data) == ("application/pdf", b"markers of hex-ocean")
    assert answer.headers["Content-Disposition"] == 'inline; filename="hex-ocean-markers-a4.pdf"'
    answer = client.get("/setup/hex-ocean/board.pdf?paper=napkin")
    assert answer.status_code == 400
    assert "no paper is called" in answer.text
    assert client.get("/setup/attic/board.pdf").status_code == 404


def test_ships_are_taught_and_forgotten(client: FlaskClient, house: FakeHouse) -> None:
    house.set_up.is_full = True
    answer = client.post("/api/setup/hex-ocean/teach", json={})
    assert answer.status_code == 409
    assert answer.json is not None
    assert answer.json["message"] == "what stands on C4 looks blue; red goes there"
    answer = client.post("/api/setup/hex-ocean/teach", json={"is_sure": True})
    assert answer.json == {"taught": ["red", "white"]}
    assert client.post("/api/setup/hex-ocean/forget", json={}).json == {"taught": []}


def test_the_tray_s_zone_is_moved(client: FlaskClient) -> None:
    answer = client.post("/api/setup/zone", json={"zone": [0.5, 0.25, 1, 0.75]})
    assert answer.json == {"zone": [0.5, 0.25, 1.0, 0.75]}
    state = client.get("/api/setup/hex-ocean").json
    assert state is not None
    assert state["zone"] == [0.5, 0.25, 1.0, 0.75]


def test_a_tray_is_taken_out_of_the_picture(client: FlaskClient, house: FakeHouse) -> None:
    house.set_up.zone = (0.5, 0.25, 1.0, 0.75)
    assert client.post("/api/setup/zone", json={}).status_code == 400
    assert house.set_up.zone is not None
    assert client.post("/api/setup/zone", json={"zone": None}).json == {"zone": None}
    assert house.set_up.zone is None


def test_the_ring_points_north(client: FlaskClient, house: FakeHouse) -> None:
    assert client.post("/api/setup/north", json={}).status_code == 200
    assert house.set_up.asked == [("north",)]


@pytest.mark.parametrize(
    "path",
    [
        *(f"hex-ocean/{deed}" for deed in ("take", "drop", "teach", "forget", "dice")),
        "north",
        "zone",
    ],
)
def test_who_only_watches_changes_nothing_while_others_fight(path: str) -> None:
    table = FakeTable()
    table.show(seats=tuple(replace(seat, taken=True) for seat in table.now.seats))
    house = FakeHouse(table)
    house.set_up.sight = SIGHT
    answer = (
        create_app(house)
        .test_client()
        .post(f"/api/setup/{path}", json={"part": "board", "zone": [0, 0, 1, 1]})
    )
    assert answer.status_code == 403
    assert answer.json is not None
    assert answer.json["message"].startswith("A battle is being fought here. Only who plays")
    assert (house.set_up.asked, house.set_up.zone) == ([], None)


def test_pages_know_whether_their_phone_changes_anything(
    client: FlaskClient, house: FakeHouse
) -> None:
    def watches() -> bool:
        state = client.get("/api/setup/hex-ocean").json
        assert state is not None
        return bool(state["watches"])

    assert not watches()  # no battle
    house.now = table = FakeTable()
    assert not watches()  # nobody plays
    table.show(seats=tuple(replace(seat, taken=True) for seat in table.now.seats))
    assert watches()
    table.show(over=True)
    assert not watches()


def test_another_site_s_page_changes_nothing(client: FlaskClient, house: FakeHouse) -> None:
    answer = client.post(
        "/api/setup/hex-ocean/take", json={"part": "board"}, headers={"Origin": "http://evil.test"}
    )
    assert answer.status_code == 403
    assert house.set_up.asked == []
