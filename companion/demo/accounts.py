"""What was said and measured of a move, held against what was done: places differ a little."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from companion.errors import RuleError
from companion.rules.game import AnyGame
from companion.rules.layout import Layout
from companion.rules.places import but_for_places
from companion.table.sentences import done_text, line_text

ANGLE = re.compile(r"\d+ degrees")


def but_for_measures(text: str) -> str:
    """Return what is said without the places and angles in it.

    >>> but_for_measures("Ann: sail the Schooner to 210.4, 80 mm heading 271.3 (at 44 degrees)")
    'Ann: sail the Schooner  (at )'
    """
    return ANGLE.sub("", but_for_places(text))


def says(game: AnyGame, text: str, before: Any, action: Any) -> bool:
    """Say whether a line of the log tells what was done."""
    words, after = done_text(game, before, action), game.apply(before, action).state
    if game.layout(before).pieces == game.layout(after).pieces:
        return text == words
    return but_for_measures(text) == but_for_measures(words)


def tells(game: AnyGame, text: str, before: Any, actions: Sequence[Any], truth: Any) -> bool:
    """Say whether an answer tells how the table came from a state to the truth."""
    if game.layout(truth).pieces:
        return but_for_measures(text) == but_for_measures(line_text(game, before, actions))
    state = before
    try:
        for words in text.split("; then "):
            state = game.apply(state, game.parse(state, words)).state
    except RuleError:
        return False
    return bool(state == truth)


def unsaid(game: AnyGame, lines: Sequence[str], before: Any, actions: Sequence[Any]) -> list[Any]:
    """Return the actions, done one after the other from a state, that no line of the log tells."""
    said, state, left = [but_for_measures(text) for text in lines], before, []
    for action in actions:
        words = but_for_measures(done_text(game, state, action))
        state = game.apply(state, action).state
        if words in said:
            said.remove(words)
        else:
            left.append(action)
    return left


def as_measured(
    game: AnyGame, before: Any, actions: Sequence[Any], truth: Any, seen: Layout
) -> Any:
    """Return the truth with the places that were measured, if they come to the same.

    Nobody knows a place to the millimetre; what follows from it is what the phone says.
    """
    if not seen.pieces:
        return truth
    state = before
    try:
        for action in actions:
            state = game.apply(state, _measured(game, state, action, seen)).state
    except RuleError:
        return truth
    return state if _as_told(game, state) == _as_told(game, truth) else truth


def _as_told(game: AnyGame, state: Any) -> tuple[Any, str]:
    return game.view(state, None).seats, game.pending(state).text


def _measured(game: AnyGame, state: Any, action: Any, seen: Layout) -> Any:
    """Return the same action with the poses that were measured, if it moves pieces."""
    moved = game.layout(state).changed(game.layout(game.apply(state, action).state))
    poses = {tag: piece.pose for tag, piece in seen.pieces.items() if tag in moved}
    words = but_for_measures(game.describe(state, action))
    for found in game.measured(state, poses) if poses else ():
        ends = game.layout(game.apply(state, found).state).pieces
        leads = all(tag in ends and ends[tag].pose == pose for tag, pose in poses.items())
        if leads and but_for_measures(game.describe(state, found)) == words:
            return found
    return action
