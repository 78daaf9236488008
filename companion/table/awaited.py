"""Dice that are to be rolled, and what is said of those that lie there and make no roll."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from companion.rules.game import ChanceRoll
from companion.rules.layout import Die
from companion.table.observation import Observation
from companion.table.outlook import Outlook
from companion.table.remembered_dice import Memory
from companion.table.sentences import (
    NameOf,
    cannot_be_told,
    not_seen_rolled,
    objection,
    too_few_dice,
)
from companion.table.sight import Sight
from companion.table.snapshot import Notice
from companion.table.tray import TraySight

Kinds = tuple[str, ...]


def awaited_dice(outlook: Outlook, state: Any) -> set[Kinds]:
    """Return the kinds of dice that may be rolled now, also after a choice without a trace."""
    pending = outlook.game.pending(state)
    if isinstance(pending, ChanceRoll):
        return {pending.dice} - {()}
    after = (outlook.game.pending(choice.state) for choice in outlook.silent(state))
    return {p.dice for p in after if isinstance(p, ChanceRoll) and p.dice}


def make_a_roll(dice: Iterable[Die], wanted: Iterable[Kinds]) -> bool:
    """Say whether dice are of the kinds that one of the awaited rolls is made of."""
    kinds = sorted(die.kind for die in dice)
    return any(kinds == sorted(roll) for roll in wanted)


def dice_notice(
    outlook: Outlook, state: Any, observation: Observation, memory: Memory, name_of: NameOf
) -> Notice | None:
    """Say what is wrong with dice that lie in the tray and make no roll."""
    tray = TraySight(observation.dice, memory, observation.has_tumbled)
    wanted = awaited_dice(outlook, state)
    if not wanted:
        return None
    if not tray.fresh:
        return unrolled_notice(outlook, state, tray)
    if illegible := tray.illegible():
        return cannot_be_told([die.seems for die in illegible])
    fewest = min(map(len, wanted))
    if len(tray.fresh) < fewest:
        return too_few_dice(len(tray.fresh), fewest)
    expected = outlook.layout(state)
    seen = Sight(observation).seen(expected, frozenset(), tray.best_dice(tray.fresh))
    return objection(outlook.game, state, expected, seen, name_of)


def unrolled_notice(outlook: Outlook, state: Any, tray: TraySight) -> Notice | None:
    """Ask whether the dice in the tray were rolled, where only the people at the table know.

    Dice came out of turn, lay there when the camera began to look, or were perhaps only pushed.
    ``None``: some are certainly new, or those that are in doubt make no roll.
    """
    lying = tray.best_dice(tray.doubtful)
    if tray.fresh or not make_a_roll(lying, awaited_dice(outlook, state)):
        return None
    is_rolling = isinstance(outlook.game.pending(state), ChanceRoll)
    return not_seen_rolled(lying, is_rolling=is_rolling)
