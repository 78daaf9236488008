"""``quarterdeck rules`` and ``quarterdeck replay``."""

import io
import json

import pytest

from companion.errors import BadRecord
from companion.rules.articles_of_war.rules import ArticlesOfWar
from tests.command_line import run_command

GAME = ArticlesOfWar()


@pytest.fixture
def ask(monkeypatch, capsys):
    """A function that asks the rules and returns the status and the answer."""

    def ask(verb, data, game="articles-of-war"):
        text = data if isinstance(data, str) else json.dumps(data)
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        status = run_command("rules", game, verb)
        return status, json.loads(capsys.readouterr().out)

    return ask


@pytest.fixture
def replayed(capsys):
    """A function that replays a record and returns status and output."""

    def replay(*words):
        status = run_command("replay", *words)
        return status, capsys.readouterr().out

    return replay


def play_through(ask):
    """Play a game with nothing but the command; always the first action. Return its record."""
    status, answer = ask("new", {"players": ["Ann", "Ben"], "options": {}})
    header = {"format": "quarterdeck-record", "version": 1, "game": "articles-of-war"}
    lines = [json.dumps(header | {"players": ["Ann", "Ben"], "options": {}})]
    while answer["pending"]["kind"] != "over":
        assert status == 0
        state = answer["state"]
        _, legal = ask("legal", {"state": state})
        offer = legal["actions"][0]
        assert ("probability" in offer) == (legal["pending"]["kind"] == "chance")
        assert ask("check", {"state": state, "action": offer["action"]})[1]["legal"] is True
        status, answer = ask("apply", {"state": state, "action": offer["action"]})
        lines.append(json.dumps({"action": offer["action"], "text": offer["text"]}))
    return lines, answer


def test_a_program_can_play_a_whole_game(ask, tmp_path, replayed):
    lines, answer = play_through(ask)
    assert answer["outcome"]["rule"] == "AOW-59"
    assert any(h["coins"] for h in answer["happenings"])
    assert ask("legal", {"state": answer["state"]})[1]["actions"] == []
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    status, sheet = replayed(path)
    assert status == 0
    assert "all by the rules" in sheet
    assert "1. " in sheet
    assert "doubloons" in sheet
    status, text = replayed(path, "--json")
    data = json.loads(text)
    assert (status, data["over"], data["refusal"]) == (0, True, None)
    assert data["played"] == len(lines) - 1
    assert sorted(p for place in data["placing"] for p in place) == [0, 1]


def test_illegal_actions_are_ruled_on(ask):
    state = ask("new", {"players": ["Ann", "Ben"], "options": {}})[1]["state"]
    action = {"type": "pass", "player": 0}
    status, ruling = ask("check", {"state": state, "action": action})
    assert (status, ruling["legal"], ruling["rule"]) == (0, False, "AOW-12")
    status, error = ask("apply", {"state": state, "action": action})
    assert status == 1
    assert (error["code"], error["rule"]) == ("illegal", "AOW-12")
    assert error["message"].startswith(error["reason"])


@pytest.mark.parametrize(
    ("game", "verb", "data", "code", "says"),
    [
        ("articles-of-wra", "new", {}, "options", "did you mean 'articles-of-war'"),
        ("articles-of-war", "aply", {}, "malformed", "did you mean 'apply'"),
        ("articles-of-war", "xyz", {}, "malformed", "ask for new, legal, check, apply"),
        ("articles-of-war", "new", "", "malformed", "holds no JSON"),
        ("articles-of-war", "new", "[" * 100_000, "malformed", "holds no JSON"),
        ("articles-of-war", "new", {"player": []}, "malformed", "lacks the field 'players'"),
        ("articles-of-war", "new", {"players": [], "options": 1}, "malformed", "JSON object"),
        ("articles-of-war", "new", {"players": ["A"], "options": {}}, "options", "2 to 6"),
        (
            "articles-of-war",
            "new",
            {"players": ["A", "B"], "options": {"radius": 9}},
            "options",
            "radius must be one of 4, 5, 6",
        ),
        ("articles-of-war", "legal", {"state": {}}, "malformed", "lacks the field"),
        ("articles-of-war", "check", {"state": {}, "acton": {}}, "malformed", "'action'"),
    ],
)
def test_typing_mistakes_get_a_sentence(game, verb, data, code, says, ask):
    status, error = ask(verb, data, game)
    assert (status, error["code"]) == (1, code)
    assert says in error["message"]


def test_replay_names_the_line(ask, tmp_path, replayed):
    lines, _ = play_through(ask)
    path = tmp_path / "game.jsonl"
    path.write_text("\n".join([*lines[:3], lines[2]]), "utf-8")
    status, sheet = replayed(path)
    assert status == 1
    assert sheet.startswith("Line 4 (")
    assert "[AOW-16]" in sheet
    status, text = replayed(path, "--json")
    assert (status, json.loads(text)["refusal"]["line"]) == (1, 4)


def test_replay_of_an_unfinished_game_with_a_house_ruling(ask, tmp_path, replayed):
    lines, _ = play_through(ask)
    state = GAME.setup(["Ann", "Ben"], {})
    path = tmp_path / "game.jsonl"
    ruling = json.dumps({"house_ruling": GAME.to_json(state), "text": "again"})
    path.write_text("\n".join([lines[0], ruling]), "utf-8")
    _, sheet = replayed(path)
    assert "but for 1 allowed by the table" in sheet
    assert "Not finished" in sheet
    assert "Ann (no colour yet): 0 doubloons, none at sea" in sheet


def test_replay_from_standard_input(ask, monkeypatch, replayed):
    lines, _ = play_through(ask)
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert replayed("-")[0] == 0


def test_files_that_cannot_be_read(tmp_path, replayed):
    with pytest.raises(BadRecord, match=r"^'.*none\.jsonl' cannot be read"):
        replayed(tmp_path / "none.jsonl")
    (tmp_path / "picture.jpg").write_bytes(b"\xff\xd8\xff")
    with pytest.raises(BadRecord, match="no text"):
        replayed(tmp_path / "picture.jpg")


def test_help_explains_the_json(capsys):
    with pytest.raises(SystemExit):
        run_command("rules", "--help")
    text = capsys.readouterr().out
    for word in ("new", "legal", "check", "apply", "articles-of-war", "docs/record.md"):
        assert word in text
