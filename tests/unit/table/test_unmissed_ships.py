"""Ships that leave a place without being missed there: among others, or under an arm.

A card sends Red to any port. From Tortuga she can sail on to Caracas; who sees her there only
later cannot know whether she was sent there or came in by herself, and may trade.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.rules.layout import Cell
from companion.rules.privateer.actions import Anchor, Sail
from companion.rules.privateer.effects import CHOICE, Job, Move
from companion.rules.privateer.state import ChoosingPort
from companion.table.sentences import line_texts
from companion.table.verdicts import Apply, Ask, Verdict
from companion.table.watcher import Watcher
from tests.table.synthetic import Hands
from tests.unit.rules.privateer.voyage import GAME, P, make_voyage

SEA, ELSEWHERE, CARACAS = (9, 9), (10, 9), (12, 11)
SENT = ChoosingPort((Job(0, Move(CHOICE)),))
ON_FROM_TORTUGA = (Anchor(P[0], "tortuga"), Sail(P[0], CARACAS))
SENT_TO_CARACAS = (Anchor(P[0], "caracas"),)


def seen(
    line: tuple[Any, ...], other: Cell, *, wind: str = "S", arm: frozenset[Cell] = frozenset()
) -> tuple[Verdict, Any, list[str]]:
    """Return what the table makes of a line that Red plays from `SEA`, the truth, and what it asks.

    Blue lies on `other`; an arm hides some cells in the first pictures.
    """
    state = make_voyage({"cell": SEA, "sails": 4}, {"cell": other}, stage=SENT, wind=wind).state
    cells = tuple(sorted(state.deck.sea.cells))
    watcher, hands = Watcher(GAME, state), Hands(Random(2), GAME.layout(state), cells)
    watcher.observe(hands.look())
    truth = state
    for action in line:
        truth = GAME.apply(truth, action).state
    hands.lay(GAME.layout(truth))
    for look in range(12):
        verdict = watcher.observe(hands.look(occluded=arm if look < 2 else frozenset()))
        if isinstance(verdict, Apply | Ask):
            break
    asked = verdict.explanations if isinstance(verdict, Ask) else ()
    return verdict, truth, line_texts(GAME, state, [[s.action for s in e.steps] for e in asked])


@pytest.mark.parametrize("line", [ON_FROM_TORTUGA, SENT_TO_CARACAS])
@pytest.mark.parametrize(
    ("other", "arm"), [(ELSEWHERE, frozenset()), (SEA, frozenset()), (ELSEWHERE, frozenset({SEA}))]
)
def test_whether_she_was_sent_there_or_sailed_on_is_asked(
    line: tuple[Any, ...], other: Cell, arm: frozenset[Cell]
) -> None:
    """As well where another ship lay beside her, or an arm was over the place (was silent)."""
    verdict, truth, asked = seen(line, other, arm=arm)
    assert isinstance(verdict, Ask)
    assert truth in [e.state for e in verdict.explanations]
    assert asked[0] == "Red: go to Caracas"
    assert "; then Red: sail to M12, Caracas, for " in asked[1]


def test_what_nobody_can_have_done_is_not_asked() -> None:
    """Against the wind no port is near enough to sail on from."""
    verdict, truth, _ = seen(SENT_TO_CARACAS, SEA, wind="N")
    assert isinstance(verdict, Apply)
    assert verdict.explanation.state == truth


def test_what_was_seen_half_way_is_not_asked() -> None:
    state = make_voyage({"cell": SEA, "sails": 4}, {"cell": SEA}, stage=SENT, wind="S").state
    cells = tuple(sorted(state.deck.sea.cells))
    watcher, hands = Watcher(GAME, state), Hands(Random(2), GAME.layout(state), cells)
    for action in ON_FROM_TORTUGA:
        state = GAME.apply(state, action).state
        hands.lay(GAME.layout(state))
        verdict = watcher.observe(hands.look())
        assert isinstance(verdict, Apply)
        assert verdict.explanation.state == state
        watcher.accept(verdict.explanation)
