"""``quarterdeck ship`` and ``quarterdeck print ship``: ships checked, built and printed."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from companion.errors import AuditError, MalformedAction, PrintingError
from companion.rules.pirate_wars.built.charts import charts
from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import stock_ships
from tests.command_line import run_command as run
from vision.printing.ship_card import ship_card_pdf


@pytest.mark.parametrize("name", stock_ships())
def test_a_card_has_one_page_with_chart_and_crew(name: str) -> None:
    ship = stock_ships()[name]
    pages = PdfReader(BytesIO(ship_card_pdf(ship, charts(), "a4"))).pages
    assert len(pages) == 1
    text = pages[0].extract_text()
    for speed in ship.speed_labels:
        assert f"\n{speed}\n" in text
    assert text.count("HULL") == ship.hull_factor
    assert text.count("\nsail\n") == ship.sail_factor
    assert ship.title in text
    assert "our range" in text


def test_a_card_fits_its_paper() -> None:
    """The tallest chart and the largest crew of the models stay above the ruler of a letter."""
    for ship in stock_ships().values():
        page = PdfReader(BytesIO(ship_card_pdf(ship, charts(), "letter"))).pages[0]
        lines = places(page)
        (ruler,) = (y for text, y in lines if text.startswith("Print at 100 %"))
        assert ruler == max(y for _, y in lines)
        assert len(lines) > 40


def places(page: PageObject) -> list[tuple[str, float]]:
    """Return the texts of a page and how far down they stand."""
    found: list[tuple[str, float]] = []

    def visit(text: str, _: object, at: list[float], *__: object) -> None:
        if text.strip():
            found.append((text.strip(), at[5]))

    page.extract_text(visitor_text=visit)
    return found


def test_print_ship(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "card.pdf"
    assert run("print", "ship", "man-of-war", "-o", str(target)) == 0
    assert "the card of Man of War on a4" in capsys.readouterr().out
    assert len(PdfReader(target).pages) == 1


@pytest.mark.parametrize(
    ("words", "error", "message"),
    [
        (["print", "ship"], PrintingError, "say which ship"),
        (["print", "ship", "man-of-wra"], MalformedAction, "did you mean 'man-of-war'"),
        (["print", "ship", "man-of-war", "--paper", "full"], PrintingError, "fits on one sheet"),
        (["ship", "lugger"], MalformedAction, "no model is called 'lugger'"),
        (["ship", "missing.toml"], AuditError, "missing.toml cannot be read"),
        (["ship", "new"], MalformedAction, "say where the new ship goes"),
        (["ship", "new", "a.toml", "--length", "50"], MalformedAction, "PWR-98"),
        (["ship", "new", "a.toml", "--extras", "pirate"], MalformedAction, "KIND=COUNT"),
        (
            ["ship", "new", "a.toml", "--cannons", "2", "--mount", "wheel"],
            MalformedAction,
            "did you mean 'wheels'",
        ),
    ],
)
def test_mistakes_are_answered(
    words: list[str],
    error: type[Exception],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=message):
        run(*words)
    assert not list(tmp_path.iterdir())


def test_models_are_listed_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("ship") == 0
    listed = capsys.readouterr().out.splitlines()
    assert len(listed) == len(stock_ships())
    assert run("ship", "imperial-flagship") == 0
    shown = capsys.readouterr().out
    assert "S60 S48 H S36 H S24 H S12 H" in shown
    assert shown.endswith("It may be built.\n")


def test_the_revised_runner_sails_against_the_rules_of_building(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("ship", "renegade-runner-revised") == 0
    shown = capsys.readouterr().out
    assert "PWR-105: A ship has one cannon on a turntable at most, not 2." in shown
    assert "sails all the same" in shown


def test_a_ship_is_built_changed_and_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "black-swan.toml"
    parts = ("--hull", "12", "--length", "48", "--speed", "70", "--cannons", "4", "--cargo", "4")
    extras = ("--extras", "pirate=8", "--extras", "pirate-musket=4", "--extras", "pirate-female=4")
    assert run("ship", "new", str(path), *parts, *extras) == 0
    swan = parse_ship(path.read_text("utf-8"))
    schooner = stock_ships()["skulls-eye-schooner"]
    assert (swan.title, swan.masts) == ("Black Swan", schooner.masts)
    assert (swan.column, swan.crew) == (schooner.column, schooner.crew)
    path.write_text(ship_toml(swan).replace("cargo = 4", "cargo = 8"), "utf-8")
    capsys.readouterr()
    assert run("ship", str(path)) == 1
    assert "PWR-104: There is room for 9 tons" in capsys.readouterr().out


def test_back_to_back_cannons_stand_in_pairs(tmp_path: Path) -> None:
    path = tmp_path / "pair.toml"
    options = ("--side", "imperial", "--mount", "fixed", "--cannons", "4", "--speed", "56")
    assert run("ship", "new", str(path), *options) == 0
    cannons = parse_ship(path.read_text("utf-8")).cannons
    assert [(c.side, c.x_dots) for c in cannons] == [
        ("port", 8.0),
        ("starboard", 8.0),
        ("port", -8.0),
        ("starboard", -8.0),
    ]


def test_optional_rules_of_building_are_played_with_when_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "fast.toml"
    assert run("ship", "new", str(path), "--speed", "80") == 1
    assert run("ship", str(path)) == 1
    assert run("ship", str(path), "--oversailing") == 0


def test_a_hull_that_cannot_be_is_not_printed(tmp_path: Path) -> None:
    path = tmp_path / "raft.toml"
    ship = stock_ships()["man-of-war"]
    path.write_text(ship_toml(ship).replace("length = 48", "length = 50"), "utf-8")
    assert run("ship", str(path)) == 1
    with pytest.raises(PrintingError, match="24 to 80"):
        run("print", "ship", str(path))
