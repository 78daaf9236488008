"""What can follow from a state is worked out once, until there is too much of it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from companion.rules.game import Decision, PlayerId, Step
from companion.rules.layout import Die, Layout, make_layout
from companion.table.outlook import Outlook

CAPTAIN = PlayerId(0)


class Spending:
    """Its states are how many dice wait; each choice spends one, but at 5 one may be kept."""

    def __init__(self) -> None:
        self.listed: list[int] = []

    def pending(self, state: int) -> Decision:
        return Decision(CAPTAIN, "spend", "spend a die")

    def layout(self, state: int) -> Layout:
        return make_layout({}, tuple(Die("sail", 3) for _ in range(state)), {})

    def legal_actions(self, state: int, player: PlayerId) -> tuple[SimpleNamespace, ...]:
        self.listed.append(state)
        spend, keep = (SimpleNamespace(player=player, to=to) for to in (state - 1, state))
        return (spend, keep) if state == 5 else (spend,)

    def apply(self, state: int, action: SimpleNamespace) -> Step:
        return Step(action.to)


@pytest.fixture
def game() -> Spending:
    return Spending()


@pytest.fixture
def outlook(game: Spending) -> Outlook:
    return Outlook(game)  # type: ignore[arg-type]


def test_a_phase_in_which_once_a_die_could_be_kept_is_none_of_spending(outlook: Outlook) -> None:
    outlook.choices(3, CAPTAIN)
    assert outlook.spending == {"spend"}
    outlook.choices(5, CAPTAIN)
    assert outlook.spending == set()
    outlook.choices(2, CAPTAIN)
    assert outlook.spending == set(), "it is known better for good"


def test_choices_are_worked_out_once_until_there_is_too_much(
    outlook: Outlook, game: Spending, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.table.outlook.MOST_STATES", 3)
    for _ in range(2):
        assert [after.state for after in outlook.choices(3, CAPTAIN)] == [2]
        outlook.forget_old()
    assert game.listed == [3]
    outlook.choices(7, CAPTAIN)
    outlook.forget_old()
    assert [after.state for after in outlook.choices(3, CAPTAIN)] == [2]
    assert game.listed == [3, 7, 3]
