"""Pages, evidence, health and what every answer carries."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from urllib.parse import urljoin

import pytest
import segno
from flask.testing import FlaskClient

import web
from tests.web.doubles import FakeHouse, FakeTable
from web.app import create_app
from web.base_app import digest
from web.pages import qr_svg

STATIC = Path(web.__file__).parent / "static"


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(FakeHouse(table)).test_client()


@pytest.mark.parametrize("path", ["/", "/join", "/screen", "/setup"])
def test_pages_name_nothing_from_elsewhere(client: FlaskClient, path: str) -> None:
    page = client.get(path).text
    addresses = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert addresses
    assert all(a.startswith("/") and not a.startswith("//") for a in addresses)
    assert "style=" not in page
    for address in addresses:
        with client.get(address) as answer:
            leads = address == "/rules/in-play"  # to those of the game
            assert answer.status_code == (302 if leads else 200), address


def test_every_script_and_style_is_served_and_small() -> None:
    scripts = sorted(STATIC.glob("js/*.js"))
    assert len(scripts) > 10
    for script in scripts:
        text = script.read_text("utf-8")
        assert len(text.splitlines()) < 300, script.name
        assert "innerHTML" not in text.replace("No innerHTML", ""), script.name
        for name in re.findall(r'from "\./([\w-]+\.js)"', text):
            assert (STATIC / "js" / name).is_file(), f"{script.name} imports {name}"


def linked(client: FlaskClient, path: str) -> list[str]:
    """Return the addresses of scripts, styles and icons that a page names."""
    found = re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(path).get_data(as_text=True))
    assert len(found) > 5
    return found


@pytest.mark.parametrize("path", ["/", "/screen", "/rules", "/dice", "/ships"])
def test_scripts_and_styles_are_asked_for_once(client: FlaskClient, path: str) -> None:
    for address in linked(client, path):
        with client.get(address) as answer:
            assert answer.status_code == 200, address
            assert answer.cache_control.max_age == 365 * 24 * 3600
            assert not answer.cache_control.no_cache


def test_scripts_and_styles_have_another_address_after_an_update(
    client: FlaskClient, tmp_path: Path
) -> None:
    now = digest(STATIC)
    assert all(f"/{now}/" in address for address in linked(client, "/"))
    same, changed = tmp_path / "same", tmp_path / "changed"
    for folder in (same, changed):
        shutil.copytree(STATIC, folder)
    script = changed / "js" / "api.js"
    script.write_text(script.read_text("utf-8") + "\n", "utf-8")
    assert digest(same) == now
    assert digest(changed) != now


def test_the_icon_of_an_installed_page_is_served(client: FlaskClient) -> None:
    (manifest,) = [name for name in linked(client, "/") if name.endswith("manifest.json")]
    with client.get(manifest) as answer:
        (icon,) = answer.get_json(force=True)["icons"]
    with client.get(urljoin(manifest, icon["src"])) as answer:
        assert answer.mimetype == "image/svg+xml"


@pytest.mark.parametrize("path", ["/", "/api/state", "/join", "/nowhere"])
def test_every_answer_carries_the_policy(client: FlaskClient, path: str) -> None:
    with client.get(path) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"  # no other site shows pictures


def test_a_phone_gets_one_token_that_scripts_cannot_read(client: FlaskClient) -> None:
    first = client.get("/").headers["Set-Cookie"]
    assert "HttpOnly" in first
    assert "SameSite=Lax" in first
    assert "Set-Cookie" not in client.get("/").headers
    client.set_cookie("quarterdeck_phone", "short")
    assert "Set-Cookie" in client.get("/").headers


def test_the_code_brings_phones_to_the_tables_address(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.pages.table_address", lambda port: f"http://10.42.0.1:{port}/")
    page = client.get("/join", base_url="http://localhost:8080/").text
    assert "http://10.42.0.1:8080/" in page
    assert qr_svg("http://10.42.0.1:8080/") in page
    # Asked for by a name that evidently works, that name is shown.
    elsewhere = client.get("/join", base_url="http://192.168.7.9:8080/").text
    assert "http://192.168.7.9:8080/" in elsewhere


def test_the_code_holds_its_text() -> None:
    code = segno.make("http://a.example/", error="m", micro=False)
    assert code.version <= 3
    assert qr_svg("http://a.example/").startswith("<svg")


def test_evidence_is_served_and_kept_by_phones(client: FlaskClient, table: FakeTable) -> None:
    table.pictures["shot-2"] = b"\xff\xd8jpeg"
    answer = client.get("/evidence/shot-2")
    assert (answer.data, answer.mimetype) == (b"\xff\xd8jpeg", "image/jpeg")
    assert "immutable" in answer.headers["Cache-Control"]


@pytest.mark.parametrize("name", ["none", "..%2fsecret", "a/b"])
def test_evidence_that_is_not_kept_is_a_page_in_plain_words(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/evidence/{name}")
    assert answer.status_code == 404
    assert "To the table" in answer.text


def test_health_names_the_ill_parts(client: FlaskClient, table: FakeTable) -> None:
    assert client.get("/health").json == {
        "ok": True,
        "game": "toy-battle",
        "version": 3,
        "streams": 0,
        "ill": {},
    }
    table.show(health={"camera": "Check the cable."})
    health = client.get("/health").json
    assert health is not None
    assert health["ok"] is False
    assert health["ill"] == {"camera": "Check the cable."}


def test_health_without_a_game() -> None:
    answer = create_app(FakeHouse(None)).test_client().get("/health").json
    assert answer is not None
    assert (answer["ok"], answer["game"]) == (True, None)


def test_health_without_a_game_names_what_is_amiss_with_the_house() -> None:
    house = FakeHouse(None)
    house.ill["camera"] = "Check the cable."
    answer = create_app(house).test_client().get("/health").json
    assert answer is not None
    assert (answer["ok"], answer["ill"]) == (False, {"camera": "Check the cable."})


def test_evidence_without_a_game_is_not_found() -> None:
    assert create_app(FakeHouse(None)).test_client().get("/evidence/x").status_code == 404


def test_a_bug_of_ours_is_told_in_plain_words(table: FakeTable) -> None:
    app = create_app(FakeHouse(table))
    app.config["PROPAGATE_EXCEPTIONS"] = False
    table.evidence = lambda name: 1 // 0  # type: ignore[method-assign,return-value]
    answer = app.test_client().get("/evidence/x")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.text
