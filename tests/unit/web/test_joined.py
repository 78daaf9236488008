"""The scripts of a page in one file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import web
from tests.web.doubles import FakeHouse, FakeTable
from web.app import create_app
from web.base_app import PAGES
from web.joined import joined

SCRIPTS = Path(web.__file__).parent / "static" / "js"


def taken_along(page: str) -> list[str]:
    """Return the scripts that stand before a page's own."""
    return re.findall(r"^const \$(\w+) = ", joined(SCRIPTS, page), re.MULTILINE)


def test_each_script_comes_once_and_after_those_it_takes_from() -> None:
    for page in PAGES:
        there = [*taken_along(page), page]
        assert len(set(there)) == len(there)
        for place, name in enumerate(there):
            text = (SCRIPTS / f"{name}.js").read_text("utf-8")
            taken = re.findall(r'from "\./(\w+)\.js"', text)
            assert set(taken) <= set(there[:place]), f"{page}: {name}"


def test_nothing_is_left_to_be_asked_for() -> None:
    """An import of a form that is not known would be asked for by every phone, and in vain."""
    for page in PAGES:
        assert not re.search(r"^\s*(import|export)\b", joined(SCRIPTS, page), re.MULTILINE), page


def test_older_iphones_can_read_every_script() -> None:
    """Safari before 16.4 knows no look-behind, and then runs nothing of a script that has one."""
    for page in PAGES:
        assert not re.search(r"\(\?<[=!]", joined(SCRIPTS, page)), page


def test_every_script_belongs_to_a_page() -> None:
    used = {name for page in PAGES for name in (page, *taken_along(page))}
    assert used == {file.stem for file in SCRIPTS.glob("*.js")}


def test_a_circle_and_a_missing_script_are_named(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text('import { b } from "./two.js";\n')
    (tmp_path / "two.js").write_text('import { a } from "./one.js";\n')
    (tmp_path / "three.js").write_text('import { c } from "./four.js";\n')
    with pytest.raises(ValueError, match="one > two > one"):
        joined(tmp_path, "one")
    with pytest.raises(FileNotFoundError, match=r"four\.js"):
        joined(tmp_path, "three")


def test_the_scripts_of_pages_are_found_and_no_others() -> None:
    app = create_app(FakeHouse(FakeTable()))
    for pages, status in ((PAGES, 200), (("nowhere", "api", "x" * 5000, "%00"), 404)):
        for page in pages:
            answer = app.test_client().get(f"{app.static_url_path}/pages/{page}.js")
            assert answer.status_code == status, page
