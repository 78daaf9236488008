"""The rulebooks: every number that is cited says something, in plain words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import companion
import web
from companion.errors import BadOptions
from companion.rules.catalogue import GAMES
from companion.rules.rulebook import NUMBER, find_rule, parse_rulebook, rulebook

LAST = {
    "articles-of-war": ("AOW", 87),
    "privateer": ("PRV", 76),
    "ahoy-matey": ("AHM", 46),
    "pirates-csg": ("CSG", 91),
    "pirate-wars": ("PWR", 141),
}
"""Each game's sign and its last rule."""
DOCS = [*(Path(__file__).parents[3] / "docs").glob("*.md")]
VARIANTS = [f"AHM-V{number}" for number in range(1, 21)]
SOURCES = [
    path
    for package in (companion, web)
    for path in Path(str(package.__file__)).parent.rglob("*.py")
    if path.name != "rulebook.py"
]


@pytest.mark.parametrize("game", [game.info.id for game in GAMES])
def test_every_rule_of_a_game_is_told_once_and_in_order(game: str) -> None:
    sign, last = LAST[game]
    numbers = [rule.number for rule in rulebook(game).rules]
    variants = VARIANTS if game == "ahoy-matey" else []
    assert numbers == [f"{sign}-{number}" for number in range(1, last + 1)] + variants


def test_every_number_that_is_cited_leads_to_a_rule() -> None:
    cites = [*SOURCES, *DOCS]
    found = {number for path in cites for number in NUMBER.findall(path.read_text("utf-8"))}
    signs = {sign for sign, _ in LAST.values()}
    cited = {number for number in found if number[:3] in signs}  # not UTF-8
    assert len(cited) > 300
    assert {number for number in cited if find_rule(number) is None} == set()


@pytest.mark.parametrize("game", [game.info.id for game in GAMES])
def test_texts_are_short_plain_and_name_rules_of_their_own_game(game: str) -> None:
    book = rulebook(game)
    numbers = {rule.number for rule in book.rules}
    assert book.title
    assert all(chapter.title and chapter.rules + chapter.steps for chapter in book.chapters)
    for step in (step for chapter in book.chapters for step in chapter.steps):
        assert len(step) <= 400
        assert step.endswith("."), step
        assert set(NUMBER.findall(step)) <= numbers, step
    for rule in book.rules:
        assert len(rule.text) <= 700, rule.number
        assert rule.text.endswith((".", "!", ")")), rule.number
        assert not re.search(r"[*_`]|\[ours", rule.text), rule.number
        assert set(NUMBER.findall(rule.text)) <= numbers, rule.number


def test_a_number_that_there_is_not_is_none() -> None:
    assert find_rule("AOW-999") is None
    assert find_rule("nonsense") is None


def test_a_game_that_there_is_not_is_refused() -> None:
    with pytest.raises(BadOptions, match="there is no game 'chess'"):
        rulebook("chess")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# Toy\n- TOY-1 A rule outside a chapter.", 2),
        ("# Toy\n## Sea\n- A rule without its number.", 3),
        ("# Toy\n1. A step outside a chapter.", 2),
        ("# Toy\n## Sea\nwords in between", 3),
        ("# Toy\n# Toy again", 2),
    ],
)
def test_a_line_that_is_no_rule_is_named(text: str, line: int) -> None:
    with pytest.raises(ValueError, match=f"rulebook of toy, line {line} is no rule"):
        parse_rulebook("toy", text)


def test_what_is_our_own_reading_is_known() -> None:
    book = parse_rulebook("toy", "# Toy\n\n## Sea\n- TOY-1 Sail.\n- TOY-2 [ours] Sink.\n")
    assert [(rule.number, rule.text, rule.is_ours) for rule in book.rules] == [
        ("TOY-1", "Sail.", False),
        ("TOY-2", "Sink.", True),
    ]


@pytest.mark.parametrize("game", [game.info.id for game in GAMES])
def test_every_game_says_how_it_is_set_up(game: str) -> None:
    """In *PirateWars* that had to be gathered from six chapters."""
    (chapter,) = (one for one in rulebook(game).chapters if one.title.startswith("Setting up"))
    assert len(chapter.rules) + len(chapter.steps) > 1
