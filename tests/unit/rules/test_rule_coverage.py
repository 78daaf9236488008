"""Every numbered rule of every game is cited by a test that says so."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = HERE.parents[2] / "companion" / "rules"


@dataclass(frozen=True)
class Game:
    """Where a game's rules are listed, tested and carried out."""

    package: str
    listed: Path
    """A rule a line: its number, then what it is called."""
    tests: str
    """What its tests are called, beside the list."""
    number: re.Pattern[str]
    numbers: tuple[str, ...]
    vectors: int
    """Worked examples T1, T2, ... to be found among the tests."""

    def rules(self) -> dict[str, str]:
        """Return the names of the rules by their numbers."""
        return dict(line.split(" ", 1) for line in self.listed.read_text("utf-8").splitlines())

    def cited(self, pattern: str | re.Pattern[str]) -> set[str]:
        """Return what the docstrings of the tests cite."""
        return {found for text in self._docstrings() for found in re.findall(pattern, text)}

    def _docstrings(self) -> Iterator[str]:
        for path in sorted(self.listed.parent.glob(self.tests)):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    yield ast.get_docstring(node) or ""


def numbered(prefix: str, last: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{number}" for number in range(1, last + 1))


GAME_LIST = (
    Game(
        "articles_of_war",
        HERE / "articles_rules.txt",
        "test_articles_*.py",
        re.compile(r"AOW-\d+"),
        numbered("AOW-", 87),
        vectors=20,
    ),
    Game(
        "ahoy_matey",
        HERE / "ahoy" / "ahoy_rules.txt",
        "test_ahoy_*.py",
        re.compile(r"AHM-V?\d+"),
        numbered("AHM-", 46) + numbered("AHM-V", 20),
        vectors=20,
    ),
    Game(
        "privateer",
        HERE / "privateer" / "privateer_rules.txt",
        "test_privateer_*.py",
        re.compile(r"PRV-\d+"),
        numbered("PRV-", 76),
        vectors=14,
    ),
    Game(
        "pirate_wars",
        HERE / "pirate_wars" / "pirate_wars_rules.txt",
        "test_pirate_wars_*.py",
        re.compile(r"PWR-\d+"),
        numbered("PWR-", 141),
        vectors=17,
    ),
    Game(
        "pirates_csg",
        HERE / "pirates_csg" / "pirates_csg_rules.txt",
        "test_csg_*.py",
        re.compile(r"CSG-\d+"),
        numbered("CSG-", 91),
        vectors=18,
    ),
)

every_game = pytest.mark.parametrize("game", GAME_LIST, ids=lambda game: game.package)


@every_game
def test_the_list_has_all_rules_of_the_game(game):
    assert tuple(game.rules()) == game.numbers


@every_game
def test_every_rule_is_cited_by_a_test(game):
    rules, cited = game.rules(), game.cited(game.number)
    missing = [f"{rule} ({name})" for rule, name in rules.items() if rule not in cited]
    assert not missing, f"no test cites {', '.join(missing)}"
    assert cited <= set(rules)


@every_game
def test_every_vector_is_a_test(game):
    assert game.cited(r"\bT\d+") == set(numbered("T", game.vectors))


@every_game
def test_the_rules_the_program_names_are_in_the_list(game):
    texts = [path.read_text("utf-8") for path in (PROGRAM / game.package).rglob("*.py")]
    named = {rule for text in texts for rule in game.number.findall(text)}
    assert named
    assert named <= set(game.rules())
