"""The portable game record and its replay."""

import json
from pathlib import Path
from random import Random

import pytest

from companion.errors import BadRecord, UnknownRecordVersion
from companion.rules import record
from companion.rules.articles_of_war.actions import KINDS
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.record import replay
from tests.playing import asked_player, write_record

GAME = ArticlesOfWar()
NAMES = ["Ann", "Ben"]


@pytest.fixture(scope="module")
def game():
    """A whole random game: its record, its actions and its last state."""
    random, actions, options = Random(3), [], {"radius": 5}
    state = GAME.setup(NAMES, options)
    while (player := asked_player(GAME, state)) is not None:
        actions.append(random.choice(GAME.legal_actions(state, player)))
        state = GAME.apply(state, actions[-1]).state
    return write_record(GAME, NAMES, options, actions), actions, state


def test_a_whole_game_is_replayed(game):
    lines, actions, state = game
    result = replay(lines)
    assert (result.state, result.refusal, result.is_over) == (state, None, True)
    assert len(result.played) == len(actions)
    assert [played.line for played in result.played] == list(range(2, len(lines) + 1))
    assert any(played.happenings for played in result.played)


def test_the_record_reads_as_a_story(game):
    lines = game[0]
    assert json.loads(lines[0]) == {
        "format": "quarterdeck-record",
        "version": 1,
        "game": "articles-of-war",
        "players": NAMES,
        "options": {"radius": 5},
    }
    entry = json.loads(lines[1])
    assert set(entry) == {"action", "text"}
    assert entry["text"].startswith("Ann draws ")
    assert all("\n" not in line for line in lines)


def test_unfinished_games_and_empty_lines(game):
    result = replay([*game[0][:9], "", "  "])
    assert (result.is_over, result.refusal, len(result.played)) == (False, None, 8)


def test_the_first_illegal_line_is_named(game):
    lines = list(game[0])
    at = next(i for i, line in enumerate(lines) if '"sail"' in line and '"die"' in line)
    entry = json.loads(lines[at])
    entry["action"]["die"] = 1
    lines[at] = json.dumps(entry)
    result = replay(lines)
    assert (result.refusal.line, result.refusal.rule) == (at + 1, "AOW-33")
    assert "used in full" in result.refusal.reason
    assert len(result.played) == at - 1


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "no JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "lacks the field 'action'"),
        ('{"action": {"type": "pas", "player": 0}, "text": ""}', "did you mean 'pass'"),
        ('{"action": {"type": "pass", "player": 0}, "text": 5}', "text must be a text"),
        ('{"action": {}, "text": "", "note": 1}', "no field 'note'"),
    ],
)
def test_unreadable_lines_are_named(line, says, game):
    result = replay([*game[0][:3], line, *game[0][3:]])
    assert (result.refusal.line, result.refusal.rule) == (4, "")
    assert says in result.refusal.reason


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("", "empty"),
        ("{", "no JSON"),
        ("5", "must be a JSON object"),
        ({"format": "pgn"}, "must begin with"),
        ({"version": "1"}, "whole number"),
        ({"version": 0}, "never was"),
        ({"game": "monopoly"}, "there is no game 'monopoly'"),
        ({"players": "Ann"}, "players must be a list"),
        ({"players": ["Ann"]}, "2 to 6 players"),
        ({"options": []}, "options must be a JSON object"),
        ({"options": {"radius": 3}}, "radius must be one of"),
        ({"extra": 1}, "no field 'extra'"),
    ],
)
def test_wrong_headers_are_named(header, says, game):
    first = header
    if isinstance(header, dict):
        first = json.dumps(json.loads(game[0][0]) | header)
    with pytest.raises(BadRecord, match=says) as caught:
        replay([first])
    assert caught.value.line == 1


def test_newer_versions_have_an_error_of_their_own(game):
    header = json.dumps(json.loads(game[0][0]) | {"version": 2})
    with pytest.raises(UnknownRecordVersion, match="reads up to 1"):
        replay([header])


def test_old_versions_are_upgraded_step_by_step(game, monkeypatch):
    """The plan for the day there is a version 2: here version 1 called its words "words"."""

    def upgrade_v1_v2(lines):
        return [lines[0], *({"action": x["action"], "text": x["words"]} for x in lines[1:])]

    old = [game[0][0]]
    for line in game[0][1:]:
        entry = json.loads(line)
        old.append(json.dumps({"action": entry["action"], "words": entry["text"]}))
    assert replay(old).refusal is not None
    monkeypatch.setattr(record, "VERSION", 2)
    monkeypatch.setattr(record, "UPGRADES", {1: upgrade_v1_v2})
    assert replay(old).state == game[2]


def test_every_older_version_has_its_step():
    assert set(record.UPGRADES) == set(range(1, record.VERSION))


def test_house_rulings_are_taken_as_given_and_counted(game):
    lines, actions, _ = game
    state = GAME.setup(NAMES, {})
    for action in actions[:10]:
        state = GAME.apply(state, action).state
    ruling = json.dumps({"house_ruling": GAME.to_json(state), "text": "The table lets it stand"})
    result = replay([*lines[:5], ruling, *lines[11:]])
    assert result.refusal is None
    assert result.state == game[2]
    assert [p.text for p in result.played if p.house_ruling] == ["The table lets it stand"]
    spoilt = ruling.replace('"gold": [', '"gold": [9, ')
    assert replay([*lines[:5], spoilt]).refusal.line == 6


def test_the_documents_name_every_action_and_rule_option():
    """docs/record.md lists the actions, docs/rulings.md the options."""
    docs = Path(__file__).parents[3] / "docs"
    text = (docs / "record.md").read_text("utf-8")
    assert not [kind.name for kind in KINDS if f"`{kind.name}`" not in text]
    rulings = (docs / "rulings.md").read_text("utf-8")
    assert not [option.id for option in GAME.info.options if f"`{option.id}`" not in rulings]


def test_the_example_in_the_documents_can_be_replayed():
    text = (Path(__file__).parents[3] / "docs" / "record.md").read_text("utf-8")
    example = [line for line in text.splitlines() if line.startswith(('{"format"', '{"action"'))]
    result = replay(example)
    assert result.refusal is None
    assert [json.loads(line)["text"] for line in example[1:]] == [p.text for p in result.played]
