"""Checking what a host chose against what a game offers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from companion.errors import BadOptions, meant
from companion.rules.game import AnyGame, Option


def read_chosen(given: Mapping[str, object], offered: Sequence[Option]) -> dict[str, Any]:
    """Return a value for every option: the host's where given, else the default.

    Lists come back as tuples. Raises `BadOptions` for a name that is not offered and for a value
    that is not among an option's choices; options without listed choices are the game's to check.
    """
    known = {option.id: option for option in offered}
    for name in given:
        if name not in known:
            raise BadOptions(_unknown(name, known))
    values = {name: frozen(given.get(name, option.default)) for name, option in known.items()}
    for option in offered:
        if option.choices and not _is_one_of(values[option.id], option.choices):
            listed = ", ".join(map(_shown, option.choices))
            wrong = _shown(given[option.id])
            raise BadOptions(f"{option.id} must be one of {listed}, not {wrong}", option.id)
    return values


def check_numbers(name: str, what: str, value: object, count: int, allowed: range) -> None:
    """Demand so many whole numbers within a range; `what` begins the sentence that refuses others.

    Raises `BadOptions`.
    """
    numbers = value if isinstance(value, tuple) else ()
    fit = all(type(n) is int and n in allowed for n in numbers)
    if len(numbers) != count or not fit:
        given = "none" if value == () else _shown(value)
        if numbers:
            given = f"{len(numbers)}: {', '.join(map(str, numbers))}"
        raise BadOptions(
            f"{what} must be {count} whole numbers from {allowed[0]} to {allowed[-1]}, not"
            f" {given}.",
            name,
        )


def check_limits(
    name: str,
    what: str,
    item: Mapping[str, object],
    limits: Mapping[str, range],
    fields: Sequence[Option],
) -> None:
    """Demand whole numbers within their ranges of an object that was typed in, such as a fortress.

    One that is out of range is called by the title that its field has on the page. Raises
    `BadOptions`.
    """
    titles = {field.id: field.title for field in fields}
    for field, allowed in limits.items():
        if type(item[field]) is not int or item[field] not in allowed:
            low, high = allowed[0], allowed[-1]
            raise BadOptions(f"{what}: “{titles[field]}” must be {low} to {high}.", name)


def _shown(value: object) -> str:
    """Return a value as hosts write it: in JSON."""
    try:
        return json.dumps(_plain(value), ensure_ascii=False)
    except TypeError:
        return repr(value)


def options_json(options: Any) -> dict[str, object]:
    """Return a dataclass of options as JSON values that its reader accepts."""
    return {f.name: _plain(getattr(options, f.name)) for f in fields(options)}


def _plain(value: Any) -> object:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return options_json(value) if is_dataclass(value) else value


def check_players(names: Sequence[str], fewest: int, most: int) -> tuple[str, ...]:
    """Return the players' names by seat. Raises `BadOptions` naming what is wrong with them."""
    if not fewest <= len(names) <= most:
        raise BadOptions(f"this game is for {fewest} to {most} players, not {len(names)}")
    for number, name in enumerate(names, start=1):
        if not (isinstance(name, str) and name.strip()):
            raise BadOptions(f"Captain {number} has no name yet.")
    _check_distinct(names, names)
    return tuple(names)


def check_alike(names: Sequence[str]) -> None:
    """Refuse names that sound the same, such as Ann and ann, where a new game is opened.

    The games do not mind: one that is kept is gone on with all the same. Raises `BadOptions`.
    """
    _check_distinct(names, [" ".join(name.casefold().split()) for name in names])


def _check_distinct(names: Sequence[str], called: Sequence[str]) -> None:
    for name, sound in zip(names, called, strict=True):
        if called.count(sound) > 1:
            raise BadOptions(f"Two captains are called {name}: give them different names.")


def new_game(game: AnyGame, players: Sequence[str], options: Mapping[str, object]) -> Any:
    """Return the first state of a game that nobody has played yet. Raises `BadOptions`."""
    state = game.setup(players, options)
    game.check_new(state)
    return state


def playable(game: AnyGame, options: Mapping[str, object]) -> list[int]:
    """Return how many players can play with these options.

    Raises `BadOptions` if none can, for the fewest: they ask for least room.
    """
    fewest, most = game.info.players
    counts, refusals = [], []
    for count in range(fewest, most + 1):
        try:
            new_game(game, [f"Captain {n}" for n in range(count)], options)
            counts.append(count)
        except BadOptions as error:
            refusals.append(error)
    if not counts:
        raise refusals[0]
    return counts


def frozen(value: object) -> object:
    """Return an option's value so that it can be compared: lists of TOML and JSON as tuples."""
    return tuple(value) if isinstance(value, list | tuple) else value


def _is_one_of(value: object, choices: tuple[object, ...]) -> bool:
    return any(type(value) is type(choice) and value == choice for choice in choices)


def _unknown(name: str, known: Mapping[str, Option]) -> str:
    hint = meant(name, known) or f"they are: {', '.join(known)}"
    return f"this game has no option {name!r}; {hint}"
