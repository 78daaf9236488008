"""What each rule's number says, in plain words: one ``rulebook.md`` in every game's folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from companion.rules.catalogue import GAMES, find_game

NUMBER = re.compile(r"[A-Z]{3}-V?\d+")
"""The number of a rule: its game, then which; variants of *Ahoy, Matey!* have a V."""

_STEP = re.compile(r"\d+\. (\S.*)")
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
    rules: tuple[Rule, ...] = ()
    steps: tuple[str, ...] = ()
    """What is done in what order, with the numbers of the rules that say how."""


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

    A chapter may also have steps (``1. ...``). Raises `ValueError` naming the line that is none
    of these.

    >>> parse_rulebook("toy", "# Toy\n## Sailing\n- TOY-1 Ships sail.").rules
    (Rule(number='TOY-1', text='Ships sail.', is_ours=False),)
    """
    title, chapters = "", list[Chapter]()
    for number, line in enumerate(text.splitlines(), 1):
        found, step = _RULE.fullmatch(line), _STEP.fullmatch(line)
        if line.startswith("# ") and not title:
            title = line[2:]
        elif line.startswith("## "):
            chapters.append(Chapter(line[3:]))
        elif found and chapters:
            rule = Rule(found[1], found[3], found[2] is not None)
            chapters[-1] = replace(chapters[-1], rules=(*chapters[-1].rules, rule))
        elif step and chapters:
            chapters[-1] = replace(chapters[-1], steps=(*chapters[-1].steps, step[1]))
        elif line:
            raise ValueError(f"rulebook of {game}, line {number} is no rule: {line!r}")
    return Rulebook(game, title, tuple(chapters))


@cache
def _all_rules() -> dict[str, tuple[Rulebook, Rule]]:
    return {rule.number: (book, rule) for book in _books() for rule in book.rules}


def _books() -> Iterable[Rulebook]:
    return (rulebook(game.info.id) for game in GAMES)
