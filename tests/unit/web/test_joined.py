"""The scripts of a page in one file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.web.doubles import FakeHouse, FakeTable
from web.app import create_app
from web.joined import joined

SCRIPTS = Path("web/static/js")


@pytest.fixture
def client() -> FlaskClient:
    return create_app(FakeHouse(FakeTable())).test_client()


def pages(client: FlaskClient) -> dict[str, str]:
    """Return the address of each page's script."""
    (rule,) = client.application.url_map.iter_rules("script")
    names = re.search(r"<any\((.+)\):page>", rule.rule)
    assert names
    return {name: re.sub("<.*>", name, rule.rule) for name in names[1].split(", ")}


def taken_along(page: str) -> list[str]:
    return re.findall(r"^const \$(\w+) = ", joined(SCRIPTS, page), re.MULTILINE)


def test_each_script_comes_once_and_after_those_it_takes_from(client: FlaskClient) -> None:
    assert len(pages(client)) == 7
    for page in pages(client):
        there = [*taken_along(page), page]
        assert len(set(there)) == len(there)
        for place, name in enumerate(there):
            text = (SCRIPTS / f"{name}.js").read_text("utf-8")
            taken = re.findall(r'from "\./(\w+)\.js"', text)
            assert set(taken) <= set(there[:place]), f"{page}: {name}"


def test_nothing_is_left_to_be_asked_for(client: FlaskClient) -> None:
    """An import of a form that is not known would be asked for by every phone, and in vain."""
    for page in pages(client):
        assert not re.search(r"^\s*(import|export)\b", joined(SCRIPTS, page), re.MULTILINE), page


def test_older_iphones_can_read_every_script(client: FlaskClient) -> None:
    """Safari before 16.4 knows no look-behind, and then runs nothing of a script that has one."""
    for page in pages(client):
        assert not re.search(r"\(\?<[=!]", joined(SCRIPTS, page)), page


def test_every_script_belongs_to_a_page(client: FlaskClient) -> None:
    used = {name for page in pages(client) for name in (page, *taken_along(page))}
    assert used == {file.stem for file in SCRIPTS.glob("*.js")}


def test_a_circle_and_a_missing_script_are_named(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\n')
    (tmp_path / "two.js").write_text('import { a } from "./one.js";\n')
    (tmp_path / "three.js").write_text('import { c } from "./four.js";\n')
    with pytest.raises(ValueError, match="one > two > one"):
        joined(tmp_path, "one")
    with pytest.raises(FileNotFoundError, match=r"four\.js"):
        joined(tmp_path, "three")


def test_other_scripts_of_pages_are_not_found(client: FlaskClient) -> None:
    phone = pages(client)["phone"]
    assert client.get(phone).status_code == 200
    for other in ("nowhere", "api", "x" * 5000, "%00"):
        assert client.get(phone.replace("/phone.js", f"/{other}.js")).status_code == 404, other
