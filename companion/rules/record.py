"""The portable game record: JSON Lines, a header and then every action and roll in order.

Texts in, values out; nothing here opens a file. `docs/record.md` describes the format.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import (
    BadOptions,
    BadRecord,
    IllegalAction,
    MalformedAction,
    UnknownRecordVersion,
)
from companion.rules.catalogue import find_game
from companion.rules.game import AnyGame, GameOver, Happening
from companion.rules.reading import read_list, read_mapping, read_object, read_text, read_whole

FORMAT = "quarterdeck-record"
VERSION = 1

Lines = list[dict[str, Any]]
UPGRADES: Mapping[int, Callable[[Lines], Lines]] = {}
"""For each older version the step that makes its lines (header first) those of the next one.

There is none yet. To change the format: raise `VERSION`, add ``upgrade_v1_v2`` here, and keep an
old record under ``tests/unit/rules/records/`` so that it stays readable.
"""


@dataclass(frozen=True, slots=True)
class Header:
    """What is needed to set the game up."""

    game: str
    """`GameInfo.id`."""
    players: tuple[str, ...]
    options: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Played:
    """One line of the record, replayed."""

    line: int
    """Number in the record, from 1; the header is line 1."""
    text: str
    """The action in words, as the rules name it today."""
    happenings: tuple[Happening, ...]
    house_ruling: bool = False
    """The table put the game into this state against the rules; it was taken as given."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first line that cannot be played."""

    line: int
    rule: str
    """Rule that forbids it; empty where the line cannot be read at all."""
    reason: str
    text: str
    """The line in words, as far as it can be told."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A record played again from its beginning."""

    game: AnyGame
    header: Header
    state: Any
    """After the last line that could be played."""
    played: tuple[Played, ...]
    refusal: Refusal | None

    @property
    def is_over(self) -> bool:
        """Say whether the game came to its end."""
        return isinstance(self.game.pending(self.state), GameOver)


def header_line(game: str, players: Sequence[str], options: Mapping[str, object]) -> str:
    """Write the first line of a record."""
    header = {"format": FORMAT, "version": VERSION, "game": game}
    return _dump({**header, "players": list(players), "options": dict(options)})


def action_line(game: AnyGame, state: Any, action: Any) -> str:
    """Write one action or roll, done in `state`."""
    data = {"action": game.action_to_json(action), "text": game.describe(state, action)}
    return _dump(data)


def _dump(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(", ", ": "))


def replay(lines: Iterable[str]) -> Replay:
    """Check a whole game again.

    Raises `BadRecord` if the header cannot be read or played; any later fault is the `refusal`
    of what is returned. Empty lines are passed over.
    """
    numbered = [(n, text) for n, text in enumerate(lines, 1) if text.strip()]
    if not numbered:
        raise BadRecord(1, "the record is empty; its first line must be the header")
    number, first = numbered[0]
    raw = _load(number, first)
    version = _version(number, raw)
    rest = numbered[1:]
    if version < VERSION:
        raw, rest = _upgraded(version, raw, rest)
    header = _read_header(number, raw)
    try:
        game = find_game(header.game)
        state = game.setup(header.players, header.options)
    except BadOptions as error:
        raise BadRecord(number, str(error)) from error
    return _play(game, header, state, rest)


def _upgraded(
    version: int, raw: dict[str, Any], rest: list[tuple[int, str]]
) -> tuple[dict[str, Any], list[tuple[int, str]]]:
    """Bring an old record to today's format. An upgrade step keeps the number of lines."""
    lines = [raw, *(_load(number, text) for number, text in rest)]
    for step in range(version, VERSION):
        lines = UPGRADES[step](lines)
    numbers = [number for number, _ in rest]
    return lines[0], [(n, _dump(d)) for n, d in zip(numbers, lines[1:], strict=True)]


def _play(game: AnyGame, header: Header, state: Any, rest: list[tuple[int, str]]) -> Replay:
    played: list[Played] = []
    refusal = None
    for number, text in rest:
        try:
            done, state = _play_line(game, state, number, text)
        except IllegalAction as error:
            refusal = Refusal(number, error.rule, error.reason, _words(game, state, text))
        except BadRecord as error:
            refusal = Refusal(error.line, "", error.reason, "")
        except MalformedAction as error:
            refusal = Refusal(number, "", str(error), "")
        if refusal:
            break
        played.append(done)
    return Replay(game, header, state, tuple(played), refusal)


def _play_line(game: AnyGame, state: Any, number: int, text: str) -> tuple[Played, Any]:
    data = _load(number, text)
    if "house_ruling" in data:
        read_object(data, "the line", ("house_ruling", "text"))
        words = read_text(data["text"], "text")
        return Played(number, words, (), house_ruling=True), game.from_json(data["house_ruling"])
    read_object(data, "the line", ("action", "text"))
    # The words are for people and may be put differently by later versions; the action counts.
    read_text(data["text"], "text")
    action = game.action_from_json(data["action"])
    step = game.apply(state, action)
    return Played(number, game.describe(state, action), step.happenings), step.state


def _words(game: AnyGame, state: Any, text: str) -> str:
    return game.describe(state, game.action_from_json(json.loads(text)["action"]))


def _load(number: int, text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadRecord(number, f"this is no JSON: {error}") from error
    if not isinstance(data, dict):
        raise BadRecord(number, f"a line must be a JSON object, not {data!r}")
    return data


def _version(number: int, data: Mapping[str, Any]) -> int:
    if data.get("format") != FORMAT:
        raise BadRecord(number, f'the header must begin with {{"format": "{FORMAT}", ...')
    try:
        version = read_whole(data.get("version"), "version")
    except MalformedAction as error:
        raise BadRecord(number, str(error)) from error
    if version > VERSION:
        raise UnknownRecordVersion(
            number,
            f"the record is of version {version}, this Quarterdeck reads up to {VERSION}:"
            " update it",
        )
    if version < VERSION and version not in UPGRADES:
        raise UnknownRecordVersion(number, f"there never was a record version {version}")
    return version


def _read_header(number: int, data: Mapping[str, Any]) -> Header:
    try:
        read_object(data, "the header", ("format", "version", "game", "players", "options"))
        names = [read_text(name, "a player") for name in read_list(data["players"], "players")]
        game = read_text(data["game"], "game")
        options = read_mapping(data["options"], "options")
    except MalformedAction as error:
        raise BadRecord(number, str(error)) from error
    return Header(game, tuple(names), options)
