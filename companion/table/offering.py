"""What may be told the table now: listed where it can be, else worked out from what is shown.

On an open table no list holds every move, and no list holds every roll of thirty dice. There a
phone shows what the camera would see, the pieces where they stand now or the dice that lie there,
and the rules say what that makes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import comb, prod
from typing import Any

from companion.errors import IllegalAction
from companion.rules.changes import change
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision
from companion.rules.layout import Layout, Pose, cell_name
from companion.rules.places import Pieces, as_aimed, as_meant
from companion.table.sight import is_nudge
from companion.table.snapshot import Offer

MOST_OFFERS = 400
MOST_FACES = 6
"""Different faces of a die that a roll of many is reckoned with; more only makes a list longer."""


def offers_of(game: AnyGame, state: Any, actions: Iterable[Any]) -> tuple[Offer, ...]:
    """Return actions as what may be told the table, as people say it."""
    actions = sorted(actions, key=partial(game.order, state))
    exact = [game.describe(state, action) for action in actions]
    pieces = [game.pieces_of(action) for action in actions]
    before = game.layout(state)
    told = _told_apart(exact, pieces, before.pieces)
    written = [game.action_to_json(action) for action in actions]
    goals = map(partial(_goal, game, state, before), actions, written)
    printed = map(partial(game.printed, state), actions)
    losses = map(partial(game.loss, state), actions)
    return tuple(map(Offer, told, written, pieces, goals, printed, losses))


def _told_apart(
    exact: Sequence[str], pieces: Sequence[Mapping[str, int]], placed: Pieces
) -> list[str]:
    """Return what people say for exact texts, each of which names some pieces by field.

    Those that would sound alike say what tells them apart; if that is the same, exactly where
    their piece goes.
    """

    def said(name: Callable[[str, Pieces, int], str], text: str, k: int) -> str:
        return name(text, placed, pieces[k]["ship"]) if "ship" in pieces[k] else text

    meant = [said(as_meant, text, k) for k, text in enumerate(exact)]
    times = Counter(meant)
    aimed = [
        short if times[short] == 1 else said(as_aimed, text, k)
        for k, (text, short) in enumerate(zip(exact, meant, strict=True))
    ]
    times = Counter(aimed)
    return [short if times[short] == 1 else text for text, short in zip(exact, aimed, strict=True)]


def _goal(
    game: AnyGame, state: Any, before: Layout, action: Any, written: Mapping[str, Any]
) -> str:
    """Return the one cell to which ships go by an action that does not name it, or ``""``.

    Where none goes anywhere, the one that is emptied: a shot leads to the ship that it sinks.
    """
    if not before.cells or action.player == CHANCE or "cell" in written:
        return ""
    try:
        after = game.apply(state, action).state
    except IllegalAction:  # one that hangs on a secret: it is offered all the same
        return ""
    changed = change(before, game.layout(after))
    cells = {cell for _, cell in changed.came or changed.gone}
    name = cell_name(cells.pop()) if len(cells) == 1 else ""
    return "" if name in written.values() else name


def listed(
    game: AnyGame, state: Any, pending: Decision | ChanceRoll, is_own: bool, is_seated: bool
) -> tuple[Offer, ...]:
    """Return what may be told; empty where there would be more than `MOST_OFFERS`.

    Parameters
    ----------
    is_own : bool
        The phone that asks sits on the seat of whoever must decide.
    is_seated : bool
        Some phone sits there: then only that one tells what hangs on a secret.
    """
    if isinstance(pending, ChanceRoll) and _ways(pending.dice) > 10 * MOST_OFFERS:
        return ()  # not even counted
    actions = _choices(game, state, pending, is_own, is_seated)
    return () if len(actions) > MOST_OFFERS else offers_of(game, state, actions)


def _choices(
    game: AnyGame, state: Any, pending: Decision | ChanceRoll, is_own: bool, is_seated: bool
) -> tuple[Any, ...]:
    if isinstance(pending, ChanceRoll):
        return game.legal_actions(state, CHANCE)
    if is_own or not pending.private:
        return game.legal_actions(state, pending.player)
    if is_seated:
        return () if pending.passing is None else (pending.passing,)
    return game.open_actions(state)


def shown(game: AnyGame, state: Any, seen: Layout) -> tuple[Offer, ...]:
    """Return what may have been done for the table to lie as a phone shows it.

    Parameters
    ----------
    seen : Layout
        Poses of pieces that stand elsewhere now (their other fields mean nothing), or the dice of
        the roll that is awaited.

    Raises
    ------
    IllegalAction
        If no legal action leads there: with the rule in the way, or with what is awaited.
    """
    pending = game.pending(state)
    if isinstance(pending, ChanceRoll):
        roll = game.roll_of(state, seen.dice)
        actions = () if roll is None else (roll,)
    else:
        poses = {tag: piece.pose for tag, piece in seen.pieces.items()}
        actions = tuple([a for a in game.measured(state, poses) if _leads(game, state, a, poses)])
    if actions:
        return offers_of(game, state, actions)
    ruling = game.objection(state, _as_seen(game.layout(state), seen))
    raise IllegalAction(ruling.rule or "table", ruling.reason or f"{pending.text}.")


def _leads(game: AnyGame, state: Any, action: Any, poses: Mapping[int, Pose]) -> bool:
    """Say whether an action brings pieces all the way to where they are shown, or off the table."""
    after = game.layout(game.apply(state, action).state).pieces
    return all(is_nudge(after[tag].pose, pose) for tag, pose in poses.items() if tag in after)


def _as_seen(expected: Layout, seen: Layout) -> Layout:
    """Return the table as it should lie but for what is shown."""
    known = expected.pieces
    moved = {t: replace(known[t], pose=p.pose) for t, p in seen.pieces.items() if t in known}
    return replace(expected, pieces={**known, **moved}, dice=seen.dice or expected.dice)


def _ways(dice: tuple[str, ...]) -> int:
    """Return about how many different rolls there are of dice of these kinds."""
    counts = Counter(dice).values()
    return prod(comb(count + MOST_FACES - 1, count) for count in counts)
