"""What must hold in every state of every game, whatever is played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import strategies as st

from companion.errors import MalformedAction
from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision, PlayerId, Ruling, Step
from companion.rules.record import replay
from tests.playing import Choose, any_action, asked_player, write_record

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def spoilt(data: st.DataObject, written: Any) -> Any:
    """Return a written state in which one value, perhaps deep inside, is another one."""
    inside: Any = written
    while True:
        keys = sorted(inside) if isinstance(inside, dict) else range(len(inside))
        key = data.draw(st.sampled_from(keys))
        if not (isinstance(inside[key], dict | list) and inside[key] and data.draw(st.booleans())):
            inside[key] = data.draw(JSON_VALUES | st.integers(-2, 140))
            return written
        inside = inside[key]


@dataclass(frozen=True)
class Rulebook:
    """A game held to what every game promises."""

    game: AnyGame
    prefix: str
    """What the numbers of its rules begin with."""

    def check_offers(self, state: Any) -> None:
        """Who is asked can do something, each thing named once; nobody else can."""
        game, asked = self.game, asked_player(self.game, state)
        for player in (CHANCE, *range(len(state.names))):
            actions = game.legal_actions(state, PlayerId(player))
            assert bool(actions) == (player == asked)
            assert list(actions) == sorted(actions)
            assert len(set(actions)) == len(actions)
        if asked is None:
            assert game.asides(state) == ()
            return
        actions = game.legal_actions(state, asked)
        offered = (*actions, *game.asides(state))
        assert len({game.describe(state, action) for action in offered}) == len(offered)
        pending = game.pending(state)
        if isinstance(pending, ChanceRoll):
            outcomes = game.chance_outcomes(state)
            assert tuple(action for action, _ in outcomes) == actions
            assert sum(p for _, p in outcomes) == Fraction(1)
            assert all(p > 0 for _, p in outcomes)
            assert {len(game.rolled(action)) for action in actions} == {len(pending.dice)}
        else:
            assert pending.passing in (None, *actions)
            named = [*game.pieces_of(actions[0]), *game.pieces_of(actions[-1])]
            assert all(field in ("ship", "target", "island") for field in named)
            if pending.total:
                assert all(1 <= action.count <= pending.total for action in actions)
        open_actions = game.open_actions(state)
        assert list(open_actions) == sorted(open_actions)
        if isinstance(pending, Decision) and pending.private:
            assert {*open_actions} >= {*actions}
        else:
            assert open_actions == actions

    def check_step(self, step: Step[Any]) -> None:
        """Everything that happens is told and has a rule."""
        for happening in step.happenings:
            assert happening.text
            assert happening.rule.startswith(self.prefix)

    def check_json(self, state: Any, action: Any) -> None:
        """States and actions survive their way through JSON, legal actions that through words."""
        game = self.game
        assert game.from_json(json.loads(json.dumps(game.to_json(state)))) == state
        assert game.action_from_json(json.loads(json.dumps(game.action_to_json(action)))) == action
        assert game.parse(state, game.describe(state, action)) == action

    def check_refusals(self, state: Any, strangers: Iterable[Any]) -> None:
        """What is not offered is refused with a rule and a sentence, and nothing changes."""
        asked = asked_player(self.game, state)
        legal = set(self.game.legal_actions(state, asked)) if asked is not None else set()
        legal |= set(self.game.asides(state))
        before = self.game.to_json(state)
        for action in strangers:
            ruling = self.game.check(state, action)
            assert ruling.legal == (action in legal), action
            self.check_ruling(ruling)
        assert self.game.to_json(state) == before

    def check_ruling(self, ruling: Ruling) -> None:
        """A refusal names a rule and says a sentence."""
        if not ruling.legal:
            assert ruling.rule.startswith(self.prefix)
            assert ruling.reason.endswith((".", "?"))

    def check_end(self, state: Any) -> None:
        """Everybody has a place; nothing can be done any more."""
        self.check_offers(state)
        outcome = self.game.outcome(state)
        assert outcome is not None
        assert sorted(p for place in outcome.placing for p in place) == [*range(len(state.names))]

    def check_record(
        self,
        names: Sequence[str],
        options: Mapping[str, object],
        played: Sequence[Any],
        last: Any,
    ) -> None:
        """The record of a game leads to where the game did."""
        again = replay(write_record(self.game, names, options, played))
        assert again.refusal is None
        assert again.state == last

    def wander(self, state: Any, steps: int, random: Random, choose: Choose = any_action) -> Any:
        """Return the state so many steps later, or the last of the game."""
        for _ in range(steps):
            asked = asked_player(self.game, state)
            if asked is None:
                break
            action = choose(random, state, self.game.legal_actions(state, asked))
            state = self.game.apply(state, action).state
        return state

    def check_spoilt(
        self, data: st.DataObject, state: Any, check_state: Callable[[Any], None] = lambda _: None
    ) -> None:
        """A state with another value somewhere is refused in our words, or it can be played."""
        try:
            read = self.game.from_json(spoilt(data, self.game.to_json(state)))
        except MalformedAction:
            return
        assert self.game.from_json(self.game.to_json(read)) == read
        self.check_offers(read)
        check_state(read)
        asked = asked_player(self.game, read)
        if asked is not None:
            for action in self.game.legal_actions(read, asked):
                self.game.apply(read, action)

    def check_strange_action(self, data: Any, kind: str) -> None:
        """An action from outside is read, or refused in our words."""
        value = {"type": kind, **data} if isinstance(data, dict) else data
        with suppress(MalformedAction):
            assert self.game.action_from_json(value) is not None
