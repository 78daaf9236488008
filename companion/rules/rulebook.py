"""What each rule's number says, in plain words: one ``rulebook.md`` in every game's folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources

from companion.rules.catalogue import GAMES, find_game

NUMBER = re.compile(r"[A-Z]{3}-V?\d+")
"""The number of a rule: its game, then which; variants of *Ahoy, Matey!* have a V."""

_RULE = re.compile(rf"- ({NUMBER.pattern}) (\[ours\] )?(\S.*)")


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule."""

    number: str
    """``"AOW-33"``."""
    text: str
    """A few sentences; other rules are named by their numbers."""
    is_ours: bool
    """Whether it, or a part of it, is not printed: where the game's text is silent."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Rules that belong together."""

    title: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Rulebook:
    """All numbered rules of a game."""

    game: str
    """`GameInfo.id`."""
    title: str
    chapters: tuple[Chapter, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """Every rule, in the order of the chapters."""
        return tuple(rule for chapter in self.chapters for rule in chapter.rules)


@cache
def rulebook(game: str) -> Rulebook:
    """Return the rulebook of a game. Raises `BadOptions` naming the games there are."""
    info = find_game(game).info
    folder = resources.files("companion.rules") / info.id.replace("-", "_")
    return parse_rulebook(info.id, (folder / "rulebook.md").read_text("utf-8"))


def find_rule(number: str) -> tuple[Rulebook, Rule] | None:
    """Return the rule with this number and the book it stands in; ``None`` if there is none."""
    return _all_rules().get(number)


def parse_rulebook(game: str, text: str) -> Rulebook:
    r"""Read a rulebook: a title (``#``), chapters (``##``), rules (``- AOW-12 [ours] ...``).

    Raises `ValueError` naming the line that is none of these.

    >>> parse_rulebook("toy", "# Toy\n## Sailing\n- TOY-1 Ships sail.").rules
    (Rule(number='TOY-1', text='Ships sail.', is_ours=False),)
    """
    title, chapters = "", list[tuple[str, list[Rule]]]()
    for number, line in enumerate(text.splitlines(), 1):
        found = _RULE.fullmatch(line)
        if line.startswith("# ") and not title:
            title = line[2:]
        elif line.startswith("## "):
            chapters.append((line[3:], []))
        elif found and chapters:
            chapters[-1][1].append(Rule(found[1], found[3], found[2] is not None))
        elif line:
            raise ValueError(f"rulebook of {game}, line {number} is no rule: {line!r}")
    return Rulebook(game, title, tuple(Chapter(name, tuple(rules)) for name, rules in chapters))


@cache
def _all_rules() -> dict[str, tuple[Rulebook, Rule]]:
    return {rule.number: (book, rule) for book in _books() for rule in book.rules}


def _books() -> Iterable[Rulebook]:
    return (rulebook(game.info.id) for game in GAMES)
