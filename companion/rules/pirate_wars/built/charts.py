"""The charts of the game as values: weapons, critical hits, morale. Read from data.

The rules page refers to charts that were never found. What is not in the text is ours and says so
(`Charts.is_default`); a table that has better numbers plays with a file of its own.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pkgutil import get_data
from types import MappingProxyType
from typing import Any

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.weapons import WEAPON_IDS, Weapon
from companion.rules.reading import (
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_text,
    read_whole,
)

BUILT_IN = "quarterdeck"
"""The charts that come with the game."""

CRITICAL_EFFECTS = ("rudder", "cannon", "sails", "hull", "officer")
MORALE_CONDITIONS = ("adrift", "half_lost", "three_quarters_lost", "raked", "captain_lost")
RELOADS = {"cannon-ball": 2, "cannon-shot": 2, "bow": 0, "spear": 0}
"""Figures times rounds it takes to load a weapon, 1 where none is named: the text says so, so no
table changes it (PWR-80, PWR-132)."""
_FIELDS = ("defaults", "morale_tests", "weapon", "critical", "morale")


@dataclass(frozen=True, slots=True)
class Critical:
    """What a critical hit does besides its three hits (PWR-77)."""

    effect: str
    """One of `CRITICAL_EFFECTS`."""
    count: int


@dataclass(frozen=True)
class Charts:
    """The charts a game is played with."""

    weapons: Mapping[str, Weapon]
    """By id."""
    criticals: tuple[Critical, ...]
    """By the face of the die, from 1."""
    morale: Mapping[str, int]
    """Added to the target number of a morale test, by condition (PWR-92)."""
    morale_tests: frozenset[str]
    """Conditions that bring a morale test about (PWR-91)."""
    defaults: frozenset[str]
    """Entries that are ours and not the rules', e.g. ``"weapon.musket.range"``."""
    source: object = field(default=BUILT_IN, compare=False, repr=False)
    """What it was read from: `BUILT_IN`, or the JSON values of a table's own."""

    def __hash__(self) -> int:
        return hash((self.criticals, self.defaults))

    def critical(self, face: int) -> Critical:
        """Return what the die of a critical hit brings about."""
        return self.criticals[face - 1]

    def is_default(self, entry: str) -> bool:
        """Tell whether an entry is ours, because no text of the game gives it."""
        return entry in self.defaults

    def morale_modifier(self, conditions: Collection[str]) -> int:
        """Return what conditions of a ship add to a morale test (PWR-92).

        >>> charts().morale_modifier({"adrift", "half_lost"})
        -3
        """
        holding = set(conditions)
        if "three_quarters_lost" in holding:
            holding.discard("half_lost")
        return sum(self.morale[condition] for condition in holding)


def built_in(name: str) -> Mapping[str, Any]:
    """Return a data file of the game, e.g. ``"ships"``, as plain values."""
    # Not importlib.resources: it brings tempfile and random along, and the rules load this.
    content = get_data("companion.rules.pirate_wars.built", f"{name}.toml")
    assert content is not None  # regular packages have a loader that can read them
    return tomllib.loads(content.decode("utf-8"))


@cache
def charts() -> Charts:
    """Return the charts that come with the game."""
    return read_charts(built_in("charts"), BUILT_IN)


def read_charts(data: Any, source: object = None) -> Charts:
    """Return the charts a file describes. Raises `MalformedAction` naming the entry at fault."""
    top = read_object(data, "the charts file", _FIELDS)
    weapons = read_object(top["weapon"], "weapon", WEAPON_IDS)
    faces = tuple(str(face) for face in range(1, 7))
    criticals = read_object(top["critical"], "critical", faces)
    morale = read_object(top["morale"], "morale", MORALE_CONDITIONS)
    tests = read_list(top["morale_tests"], "morale_tests")
    defaults = read_list(top["defaults"], "defaults")
    return Charts(
        MappingProxyType({name: _weapon(name, weapons[name]) for name in WEAPON_IDS}),
        tuple(_critical(face, criticals[face]) for face in faces),
        MappingProxyType({c: _modifier(c, morale[c]) for c in MORALE_CONDITIONS}),
        frozenset(read_choice(t, "morale_tests", MORALE_CONDITIONS) for t in tests),
        frozenset(read_text(entry, "defaults") for entry in defaults),
        data if source is None else source,
    )


def _weapon(name: str, value: Any) -> Weapon:
    what = f"weapon.{name}"
    keys = ("title", "dice", "target", "nearest", "range", "close", "reload")
    data, reload = read_object(value, what, keys), RELOADS.get(name, 1)
    weapon = Weapon(
        name,
        read_text(data["title"], f"{what}.title"),
        _number(data["dice"], f"{what}.dice", range(1, 11)),
        _number(data["target"], f"{what}.target", range(6)),
        _number(data["nearest"], f"{what}.nearest", range(1000)),
        _number(data["range"], f"{what}.range", range(1, 1001)),
        read_flag(data["close"], f"{what}.close"),
        _number(data["reload"], f"{what}.reload", range(reload, reload + 1)),
    )
    if weapon.nearest >= weapon.range:
        raise MalformedAction(f"{what}.nearest must be less than its range of {weapon.range} dots")
    return weapon


def _critical(face: str, value: Any) -> Critical:
    what = f"critical.{face}"
    data = read_object(value, what, ("effect", "count"))
    effect = read_choice(data["effect"], f"{what}.effect", CRITICAL_EFFECTS)
    return Critical(effect, _number(data["count"], f"{what}.count", range(1, 11)))


def _modifier(condition: str, value: Any) -> int:
    return _number(value, f"morale.{condition}", range(-6, 7))


def _number(value: Any, what: str, allowed: range) -> int:
    number = read_whole(value, what)
    if number not in allowed:
        most = f" to {allowed[-1]}" if len(allowed) > 1 else ""
        raise MalformedAction(f"{what} must be {allowed[0]}{most}, not {number}")
    return number
