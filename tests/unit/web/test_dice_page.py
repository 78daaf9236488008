"""The doubter's page: verdicts, filters, every roll with its picture; what can be taken away."""

from __future__ import annotations

import re
from dataclasses import replace
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from companion.audit.rolls_csv import seal, verify_export
from companion.ledger.events import (
    TRAY_PICTURE,
    ActionApplied,
    CorrectionMade,
    Event,
    GameOpened,
    SeatTaken,
)
from companion.ledger.memory_store import MemoryStore
from tests.web.doubles import FakeHouse, FakeTable
from web import dice_page
from web.app import create_app
from web.dice_page import MOST_KEPT

DAY_S = 86400.0
START_S = 1763753645.0


def rolled(
    faces: tuple[int, ...], seat: int = 0, read: tuple[int, ...] = (), **known: object
) -> ActionApplied:
    """Return a roll of cannonball dice, told by phone or read by the camera."""
    dice = [{"kind": "cannon", "face": face} for face in faces]
    seen = tuple(
        {"kind": "cannon", "face": face, "p": 0.987, "box": [9 * k, 2, 30, 31], "look": ""}
        for k, face in enumerate(read)
    )
    event = ActionApplied(
        {"type": "roll", "player": -1, "dice": dice},
        "rolls",
        seat,
        "camera" if read else "phone",
        is_chance=True,
        evidence="v1-abc" if read else None,
        phase="reef_roll",
        dice=seen,
    )
    return replace(event, **known)  # type: ignore[arg-type]


def opened(*names: str) -> GameOpened:
    return GameOpened("articles-of-war", names, {}, "hex-ocean")


def append(store: MemoryStore, game: str, events: list[Event], time_s: float) -> None:
    pictures = {"v1-abc": b"whole", "v1-abc" + TRAY_PICTURE: b"tray"}
    store.append(game, len(store.read(game)), events, time_s, pictures)


@pytest.fixture
def records() -> MemoryStore:
    store = MemoryStore()
    append(store, "game-0001", [opened("Ann", "<Bob>")], START_S)
    append(store, "game-0001", [rolled((1,), 0), rolled((2, 5), 1, read=(2, 5))], START_S)
    append(store, "game-0002", [opened("Ann", "Cid")], START_S + DAY_S)
    append(store, "game-0002", [rolled((4,), 1)] * 40, START_S + DAY_S)
    return store


@pytest.fixture
def client(records: MemoryStore) -> FlaskClient:
    house = FakeHouse(FakeTable())
    house.records = records
    return create_app(house).test_client()


def page(client: FlaskClient, query: str = "") -> str:
    answer = client.get(f"/dice{query}")
    assert answer.status_code == 200
    return answer.get_data(as_text=True)


def test_the_page_has_a_verdict_and_every_roll(client: FlaskClient) -> None:
    text = page(client)
    assert "Not fair: 4 came 40 times in 43 rolls" in text
    assert text.count('<div class="thrown">') == 30
    assert "42 rolls" in text
    assert re.findall(r"page=(\d+)", text) == ["1"]
    older = page(client, "?page=1")
    assert older.count('<div class="thrown">') == 12
    assert re.findall(r"page=(\d+)", older) == ["0"]


def test_names_are_text_and_nothing_else(client: FlaskClient) -> None:
    text = page(client, "?game=game-0001")
    assert "<Bob>" not in text
    assert "&lt;Bob&gt;" in text


def test_each_die_shows_its_picture_how_sure_and_what_for(client: FlaskClient) -> None:
    text = page(client, "?game=game-0001")
    assert 'data-box="9 2 30 31"' in text
    assert "/dice/picture/game-0001/v1-abc.tray" in text
    assert "98.7 %" in text
    assert "seemed" not in text
    assert "reef roll" in text
    assert "read by the camera" in text
    assert "told by phone" in text
    assert client.get("/dice/picture/game-0001/v1-abc.tray").data == b"tray"
    answer = client.get("/dice/picture/game-0001/v1-abc")
    assert (answer.data, answer.mimetype) == (b"whole", "image/jpeg")
    assert "immutable" in answer.headers["Cache-Control"]
    assert client.get("/dice/picture/game-0002/v1-nothing").status_code == 404


def test_a_die_that_the_camera_was_not_sure_of_shows_what_it_seemed(
    client: FlaskClient, records: MemoryStore
) -> None:
    sure, unsure = rolled((3, 4), 0, read=(3, 2)).dice
    told = rolled((3, 4), 0, read=(3, 2), dice=(sure, {**unsure, "p": 0.4, "seems": "half-hidden"}))
    append(records, "game-0003", [opened("Ann", "Bob"), told], START_S)
    text = page(client, "?game=game-0003")
    assert text.count("seemed half-hidden") == text.count("seemed") == 1
    assert client.get("/dice/rolls.csv?game=game-0003").text.count("half-hidden") == 1


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("?captain=Ann", 1),
        ("?captain=Cid", 40),
        ("?die=sail", 0),
        ("?die=cannon&game=game-0001", 2),
        ("?evening=1999-12-31", 0),
    ],
)
def test_filters_take_what_they_name(client: FlaskClient, query: str, count: int) -> None:
    assert f"<span>{count} roll{'' if count == 1 else 's'}</span>" in page(client, query)


def test_filters_are_links_and_the_chosen_one_is_marked(client: FlaskClient) -> None:
    text = page(client, "?captain=Cid")
    assert re.search(r'<a href="/dice\?captain=Cid" aria-current="true">Cid</a>', text)
    assert re.search(r'<a href="/dice">all captains</a>', text)
    evenings = re.findall(r'href="/dice\?captain=Cid&amp;evening=([\d-]+)"', text)
    assert len(evenings) == 2


def test_a_table_without_rolls_says_so() -> None:
    text = page(create_app(FakeHouse(None)).test_client())
    assert "Nothing has been rolled yet." in text
    assert "There are no rolls to judge." in text
    assert "sealed as" not in text
    assert "choose" not in text, "there is nothing to choose by"


@pytest.mark.parametrize(
    ("query", "asked"),
    [("?captain=Nobody", "Nobody"), ("?captain=Cid&game=game-0001", "Cid, game-0001")],
)
def test_a_choice_that_no_roll_meets_says_so(client: FlaskClient, query: str, asked: str) -> None:
    text = page(client, query)
    assert text.count(f"None of the 42 rolls is of {asked}.") == 2
    assert '<a class="page-link" href="/dice">show all</a>' in text
    assert "Nothing has been rolled yet." not in text
    assert "no rolls to judge" not in text


def test_a_corrected_roll_is_struck_through_and_does_not_count(
    client: FlaskClient, records: MemoryStore
) -> None:
    before = records.read("game-0002")
    right = rolled((3,), 1, read=(4,), source="table", confirmed_by=0)
    append(records, "game-0002", [CorrectionMade(before[-1].seq, "", 0), right], START_S + DAY_S)
    text = page(client, "?game=game-0002")
    assert text.count('<li class="struck">') == 1
    assert "corrected" in text
    assert "read as 4" in text
    assert "put right by Ann" in text
    assert "4 came 39 times in" in text


def test_a_new_roll_shows_at_once(client: FlaskClient, records: MemoryStore) -> None:
    assert "<span>2 rolls</span>" in page(client, "?game=game-0001")
    append(records, "game-0001", [rolled((3,))], START_S)
    assert "<span>3 rolls</span>" in page(client, "?game=game-0001")


def test_phones_that_chose_otherwise_do_not_put_each_other_to_work(
    client: FlaskClient, records: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was made for one was forgotten for the other, and made anew at every event."""
    judged, sealed = Mock(wraps=dice_page.audit), Mock(wraps=dice_page.write_rolls)
    monkeypatch.setattr(dice_page, "audit", judged)
    monkeypatch.setattr(dice_page, "write_rolls", sealed)
    queries = ("", "?captain=Ann", "?captain=Cid")
    shown = [page(client, query) for query in queries]
    append(records, "game-0002", [SeatTaken(0, "a phone")], START_S + DAY_S)
    assert [page(client, query) for query in queries] == shown
    assert judged.call_count == sealed.call_count == 3

    append(records, "game-0002", [rolled((3,), 1)], START_S + DAY_S)
    now = [page(client, query) for query in queries * 2]
    assert now[:3] == now[3:]
    assert judged.call_count == sealed.call_count == 5, "of what Ann rolled nothing is new"

    for number in range(MOST_KEPT):
        page(client, f"?game=game-{number}")
    page(client)
    assert judged.call_count == 6 + MOST_KEPT, "but not all that was ever asked for is kept"


def test_the_rolls_can_be_taken_away_and_verified(client: FlaskClient) -> None:
    answer = client.get("/dice/rolls.csv?captain=Cid")
    assert answer.mimetype == "text/csv"
    sealed = seal(answer.text)
    exported = verify_export(answer.text)
    assert len(exported) == 40
    assert {roll.captain for _, roll in exported} == {"Cid"}
    assert f'filename="rolls-{sealed}.csv"' in answer.headers["Content-Disposition"]
    assert f'sealed as <b class="seal">{sealed}</b>' in page(client, "?captain=Cid")
    assert sealed not in page(client)


def test_the_seal_on_the_page_goes_along_with_the_rolls(
    client: FlaskClient, records: MemoryStore
) -> None:
    before = seal(client.get("/dice/rolls.csv").text)
    assert before in page(client)
    append(records, "game-0001", [rolled((3,))], START_S)
    now = seal(client.get("/dice/rolls.csv").text)
    assert now in page(client)
    assert before not in page(client)


def test_a_report_says_what_was_chosen(client: FlaskClient) -> None:
    page = client.get("/dice/report.html?captain=Cid&die=cannon&table=cabin").text
    assert "<h1>The dice: cannonball die, Cid, cabin</h1>" in page
    assert "<h1>The dice: All rolls</h1>" in client.get("/dice/report.html").text


def test_the_verdicts_can_be_taken_away(client: FlaskClient) -> None:
    answer = client.get("/dice/report.html?game=game-0002")
    text = answer.get_data(as_text=True)
    assert 'filename="dice.html"' in answer.headers["Content-Disposition"]
    assert "<h1>The dice: game-0002</h1>" in text
    assert "Not fair: 4 came 40 times in 40 rolls" in text


def test_the_style_of_the_cards_is_served(client: FlaskClient) -> None:
    answer = client.get("/dice/style.css")
    assert answer.mimetype == "text/css"
    assert ".judged" in answer.get_data(as_text=True)


@pytest.mark.parametrize("number", ["-1", "x", "99999999", "²"])
def test_a_page_that_is_no_number_is_the_first(client: FlaskClient, number: str) -> None:
    assert page(client, f"?page={number}").count('<div class="thrown">') == 30


def test_a_page_too_far_is_the_last(client: FlaskClient) -> None:
    assert page(client, "?page=7") == page(client, "?page=1")
    assert page(client, "?game=game-0001&page=7") == page(client, "?game=game-0001")


def test_nothing_inline_breaks_the_policy(client: FlaskClient) -> None:
    text = page(client)
    assert not re.search(r'style="|<style|onclick=|<script>', text)


def test_a_measured_camera_is_allowed_for(client: FlaskClient, records: MemoryStore) -> None:
    assert "checked readings" not in page(client)
    house = FakeHouse(FakeTable())
    house.records = records
    house.reader_checks = {"cannon": {(v, v): 50 for v in range(1, 6)}}
    assert "250 checked readings" in page(create_app(house).test_client())


def test_a_game_that_cannot_be_read_is_named_and_the_others_are_shown(
    client: FlaskClient, records: MemoryStore
) -> None:
    records._games["game-0002"][0] = replace(records._games["game-0002"][0], schema_version=99)
    shown = page(client)
    assert "The dice of game-0002 are left out: " in shown
    assert "Cid" not in shown
    assert "Ann" in shown
    for export in ("rolls.csv", "report.html"):
        answer = client.get(f"/dice/{export}")
        assert answer.status_code == 409
        assert "The dice of game-0002 cannot be read." in answer.text
        with client.get(f"/dice/{export}?game=game-0001") as whole:
            assert whole.status_code == 200
