"""``quarterdeck rules`` and ``quarterdeck replay``: the rules for other programs, and the judge."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from companion.errors import (
    BadRecord,
    CompanionError,
    IllegalAction,
    MalformedAction,
    meant,
)
from companion.rules.catalogue import GAMES, find_game
from companion.rules.game import (
    CHANCE,
    AnyGame,
    ChanceRoll,
    Decision,
    GameOver,
    Happening,
    Outcome,
    PlayerId,
)
from companion.rules.options import new_game
from companion.rules.reading import read_list, read_mapping, read_object, read_text
from companion.rules.record import Replay, replay

RULES_NOTES = """\
Reads one JSON object from standard input and prints one JSON object:
  new    {"players": ["Ann", "Ben"], "options": {}}     -> state, pending
  legal  {"state": STATE}                               -> pending, actions
         (each action with its text, and for rolls and draws its probability as a fraction)
  check  {"state": STATE, "action": ACTION}             -> legal, rule, reason
  apply  {"state": STATE, "action": ACTION}             -> state, happenings, pending, outcome
STATE is what new and apply print as "state", ACTION what legal prints as "action".
pending is {"kind": "decision" | "chance" | "over", "player", "phase", "text", "dice"}.
On an error it prints {"code", "message"}, for an illegal action also "rule" and "reason",
and ends with status 1. check answers with status 0 whether the action is legal or not.
The formats are described in docs/record.md."""

REPLAY_NOTES = """\
Checks every line of a game record (docs/record.md) against the rules and prints the score sheet,
or the first line that cannot be played and why; then the status is 1. With --json it prints one
object: game, players, over, round, scores, placing, played, house_rulings, refusal."""


def add_commands(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``rules`` and ``replay``."""
    rules = subparsers.add_parser(
        "rules",
        help="ask the rules: JSON in, JSON out",
        description="Ask the rules of a game.",
        epilog=RULES_NOTES,
    )
    rules.add_argument("game", metavar="GAME", help=", ".join(game.info.id for game in GAMES))
    rules.add_argument("verb", metavar="VERB", help=", ".join(VERBS))
    rules.set_defaults(run=run_rules)
    again = subparsers.add_parser(
        "replay",
        help="check a game record from its beginning",
        description="Check a game record from its beginning.",
        epilog=REPLAY_NOTES,
    )
    again.add_argument(
        "record", metavar="RECORD", help="file of the record, or - for standard input"
    )
    again.add_argument("--json", action="store_true", help="print one JSON object")
    again.set_defaults(run=run_replay)


def run_rules(arguments: argparse.Namespace) -> int:
    """Answer one question to the rules; errors are JSON too."""
    try:
        game = find_game(arguments.game)
        answer = _find_verb(arguments.verb)(game, _read_input())
    except CompanionError as error:
        _print_json(_error_json(error))
        return 1
    _print_json(answer)
    return 0


def _find_verb(name: str) -> Callable[[AnyGame, Any], dict[str, Any]]:
    if name not in VERBS:
        known = "; ".join(filter(None, [f"ask for {', '.join(VERBS)}", meant(name, VERBS)]))
        raise MalformedAction(f"the rules cannot {name!r}; {known}")
    return VERBS[name]


def _read_input() -> Any:
    try:
        return json.loads(sys.stdin.read())
    except (ValueError, RecursionError) as error:
        raise MalformedAction(f"standard input holds no JSON: {error}") from error


def _print_json(data: Mapping[str, Any]) -> None:
    print(json.dumps(data, ensure_ascii=False))


def _error_json(error: CompanionError) -> dict[str, Any]:
    data = {"code": error.code, "message": str(error)}
    if isinstance(error, IllegalAction):
        data |= {"rule": error.rule, "reason": error.reason}
    return data


def _new(game: AnyGame, data: Any) -> dict[str, Any]:
    read_object(data, "the input", ("players", "options"))
    names = [read_text(name, "a player") for name in read_list(data["players"], "players")]
    state = new_game(game, names, read_mapping(data["options"], "options"))
    return {"state": game.to_json(state), "pending": _pending(game, state)}


def _legal(game: AnyGame, data: Any) -> dict[str, Any]:
    read_object(data, "the input", ("state",))
    state = game.from_json(data["state"])
    asked = game.pending(state)
    if isinstance(asked, ChanceRoll):
        actions = [
            {**_action(game, state, a), "probability": str(p)}
            for a, p in game.chance_outcomes(state)
        ]
    else:
        player = asked.player if isinstance(asked, Decision) else CHANCE
        actions = [_action(game, state, a) for a in game.legal_actions(state, player)]
    return {"pending": _pending(game, state), "actions": actions}


def _action(game: AnyGame, state: Any, action: Any) -> dict[str, Any]:
    return {"action": game.action_to_json(action), "text": game.describe(state, action)}


def _check(game: AnyGame, data: Any) -> dict[str, Any]:
    state, action = _state_and_action(game, data)
    ruling = game.check(state, action)
    return {"legal": ruling.legal, "rule": ruling.rule, "reason": ruling.reason}


def _apply(game: AnyGame, data: Any) -> dict[str, Any]:
    state, action = _state_and_action(game, data)
    step = game.apply(state, action)
    return {
        "state": game.to_json(step.state),
        "happenings": [_happening(h) for h in step.happenings],
        "pending": _pending(game, step.state),
        "outcome": _outcome(game.outcome(step.state)),
    }


VERBS: Mapping[str, Callable[[AnyGame, Any], dict[str, Any]]] = {
    "new": _new,
    "legal": _legal,
    "check": _check,
    "apply": _apply,
}


def _state_and_action(game: AnyGame, data: Any) -> tuple[Any, Any]:
    read_object(data, "the input", ("state", "action"))
    return game.from_json(data["state"]), game.action_from_json(data["action"])


def _pending(game: AnyGame, state: Any) -> dict[str, Any]:
    asked = game.pending(state)
    if isinstance(asked, GameOver):
        return {"kind": "over", "player": None, "phase": "over", "text": asked.text, "dice": []}
    return {
        "kind": "chance" if isinstance(asked, ChanceRoll) else "decision",
        "player": asked.player,
        "phase": asked.phase,
        "text": asked.text,
        "dice": list(asked.dice) if isinstance(asked, ChanceRoll) else [],
    }


def _happening(happening: Happening) -> dict[str, Any]:
    coins = {str(player): count for player, count in happening.coins}
    return {"text": happening.text, "rule": happening.rule, "coins": coins}


def _outcome(outcome: Outcome | None) -> dict[str, Any] | None:
    if outcome is None:
        return None
    placing = [list(place) for place in outcome.placing]
    return {"reason": outcome.reason, "rule": outcome.rule, "placing": placing}


def run_replay(arguments: argparse.Namespace) -> int:
    """Replay a record; status 1 if it cannot be played to its last line."""
    result = replay(_read_lines(arguments.record))
    if arguments.json:
        _print_json(_replay_json(result))
    else:
        print("\n".join(score_sheet(result)))
    return 1 if result.refusal else 0


def _read_lines(name: str) -> list[str]:
    if name == "-":
        return sys.stdin.read().splitlines()
    try:
        return Path(name).read_text("utf-8").splitlines()
    except OSError as error:
        raise BadRecord(0, f"{name!r} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadRecord(0, f"{name!r} is no text in UTF-8") from error


def _replay_json(result: Replay) -> dict[str, Any]:
    game, state, refusal = result.game, result.state, result.refusal
    seats = game.view(state, None)
    return {
        "game": result.header.game,
        "players": list(result.header.players),
        "over": result.is_over,
        "round": seats.round,
        "scores": {seat.name: dict(seat.scores) for seat in seats.seats},
        "placing": (_outcome(game.outcome(state)) or {}).get("placing"),
        "played": len(result.played),
        "house_rulings": sum(played.house_ruling for played in result.played),
        "refusal": refusal
        and {
            "line": refusal.line,
            "rule": refusal.rule,
            "reason": refusal.reason,
            "text": refusal.text,
        },
    }


def score_sheet(result: Replay) -> list[str]:
    """Return the result of a replay in lines for people."""
    if result.refusal:
        return _refusal_lines(result)
    seen = result.game.view(result.state, None)
    outcome = result.game.outcome(result.state)
    lines = [f"{result.game.info.title}, {len(result.played)} actions and rolls, all by the rules"]
    rulings = sum(played.house_ruling for played in result.played)
    if rulings:
        lines[0] = f"{lines[0]} but for {rulings} allowed by the table"
    if outcome:
        lines.append(f"{outcome.reason} ({outcome.rule}), round {seen.round}")
    else:
        lines.append(f"Not finished, round {seen.round}: {result.game.pending(result.state).text}")
    order = [p for place in outcome.placing for p in place] if outcome else range(len(seen.seats))
    place = {p: n for n, group in enumerate(outcome.placing, 1) for p in group} if outcome else {}
    for player in order:
        seat = seen.seats[player]
        scores = ", ".join(f"{count} {name}" for name, count in seat.scores.items())
        rank = f"{_rank(place[PlayerId(player)], outcome)} " if outcome else ""
        colours = ", ".join(seat.colours) or "no colour yet"
        lines.append(f"  {rank}{seat.name} ({colours}): {scores}, {seat.ships or 'none'} at sea")
    return lines


def _rank(place: int, outcome: Outcome | None) -> str:
    """Return the place as at sports: after two first comes a third."""
    assert outcome is not None
    ahead = sum(len(group) for group in outcome.placing[: place - 1])
    return f"{ahead + 1}."


def _refusal_lines(result: Replay) -> list[str]:
    refusal = result.refusal
    assert refusal is not None
    words = f" ({refusal.text})" if refusal.text else ""
    rule = f" [{refusal.rule}]" if refusal.rule else ""
    return [
        f"Line {refusal.line}{words} cannot be played: {refusal.reason}{rule}",
        f"The {len(result.played)} lines after the header and before it are by the rules.",
    ]
