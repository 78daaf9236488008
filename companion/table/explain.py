"""The explanation search: the legal lines of play that make the layout agree with the picture.

Pure: it knows the `Game` interface and one observation, nothing of any particular game. Every
picture is explained from the last certain state, or from the few states that the pictures since
leave open, so several spends may lie between two pictures.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import exp
from typing import Any

from companion.rules.game import AnyGame, ChanceRoll, Decision
from companion.rules.layout import Cell, Layout
from companion.table.findings import Explanation, Findings, ReadStep, Start, State
from companion.table.measuring import essence_of
from companion.table.node import Node
from companion.table.observation import Observation
from companion.table.outlook import Outlook
from companion.table.search import CLEAN, Search
from companion.table.sight import same_table
from companion.table.tray import TraySight

RIVAL = 0.03
"""Explanations less likely than this are forgotten."""


class Explainer:
    """Explains pictures of one game; `outlook` keeps what follows from recent states at hand."""

    def __init__(self, game: AnyGame) -> None:
        self.outlook = Outlook(game)

    def explain(
        self,
        certain: State,
        starts: Sequence[Start],
        observation: Observation,
        banned: frozenset[State] = frozenset(),
        pairs: frozenset[Cell] = frozenset(),
    ) -> Findings:
        """Find the lines that make the layout agree with the picture.

        Parameters
        ----------
        certain : State
            The last state that is beyond doubt.
        starts : sequence of Start
            The states, likeliest first, that the picture is explained from.
        observation : Observation
            The picture.
        banned : frozenset of states
            States just taken back: no line may pass through them.
        pairs : frozenset of Cell
            Cells on which pictures have told two ships apart.
        """
        self.outlook.forget_old()
        search = Search(self.outlook, certain, starts, observation, banned, pairs)
        search.run(slack=0)
        if not search.agreeing and not search.underway and search.is_complete:
            # Ships of one colour may have changed places in ways that look worse half-way.
            search.run(slack=2)
        return _Ranking(search).findings()


class _Ranking:
    """What a finished search has found, in order."""

    def __init__(self, search: Search) -> None:
        self.search = search

    def findings(self) -> Findings:
        """Rank what was found."""
        nodes = sorted(self.search.agreeing.values(), key=lambda n: n.cost)
        nodes = self._one_per_outcome(_one_per_state(nodes))
        costs = [n.cost for n in nodes] + self.search.others
        least = min(costs, default=0.0)
        total = sum(exp(least - cost) for cost in costs)
        explanations = []
        for node in nodes:
            p = exp(least - node.cost) / total
            if p >= RIVAL * (exp(least - nodes[0].cost) / total):
                explanations.append(self._explanation(node, p))
        root = self.search.roots[0]
        return Findings(
            tuple(explanations),
            self.search.is_complete,
            tuple(dict.fromkeys(n.action for n in self.search.underway)),
            root.wrong,
            any(n.board_cost + n.tray_cost < CLEAN for n in nodes),
        )

    def _one_per_outcome(self, nodes: list[Node]) -> list[Node]:
        """Keep the likeliest of what comes to the same: places are measured anew every time."""
        if len(nodes) < 2 or not nodes[0].layout.pieces:
            return nodes
        outlook, kept = self.search.outlook, dict[Any, list[Node]]()
        for node in nodes:
            essence = essence_of(outlook, node.state, node.layout)
            alike = kept.setdefault((essence, node.assigned), [])
            if not any(same_table(node.layout, other.layout) for other in alike):
                alike.append(node)
        return sorted(chain.from_iterable(kept.values()), key=lambda n: n.cost)

    def _explanation(self, node: Node, p: float) -> Explanation:
        start = self.search.starts[node.start]
        tray = self.search.trays[node.start]
        pending = self.search.game.pending(node.state)
        awaits = _awaits_dice(pending) or self._may_lead_to_roll(node, pending)
        path = list(node.path())[::-1]
        before = self.search.roots[node.start].layout
        same_board = bool(path) and not before.changed(node.layout)
        return Explanation(
            start=start,
            state=node.state,
            layout=node.layout,
            steps=start.steps + tuple(self._read_step(n, p, tray) for n in path),
            memory=tray.remember(node.layout.dice, node.assigned, awaits),
            p=p,
            cost=node.cost,
            rests_on_absence=same_board and not node.assigned,
            may_go_on=self._may_go_on(node, before) if path else start.may_go_on,
            prior=node.sunk_cost,
        )

    def _may_lead_to_roll(self, node: Node, pending: object) -> bool:
        """Say whether a choice that leaves no trace leads to a roll (the choice of the dice)."""
        if not isinstance(pending, Decision):
            return False
        silent = self.search.outlook.silent(node.state)
        return any(_awaits_dice(self.search.game.pending(c.state)) for c in silent)

    def _read_step(self, node: Node, p: float, tray: TraySight) -> ReadStep:
        assert node.parent is not None
        before = {i for i, _, _ in node.parent.assigned}
        dice = tuple(tray.read_as(i, die) for i, die, _ in node.assigned if i not in before)
        return ReadStep(
            node.action,
            round(min([p, *(d.p for d in dice)]), 4),
            self.search.observation.frame_id,
            node.lines // max(node.parent.lines, 1) or 1,
            dice,
        )

    def _may_go_on(self, node: Node, before: Layout) -> bool:
        """Say whether something legal with the same dice would have changed still more."""
        for rival in self.search.underway:
            if (rival.start, rival.assigned) != (node.start, node.assigned):
                continue
            if rival.depth != node.depth:  # what may come next is another matter
                continue
            if rival.layout.dice == node.layout.dice and _continues(
                before, node.layout, rival.layout
            ):
                return True
        return False


def _continues(before: Layout, now: Layout, later: Layout) -> bool:
    """Say whether `later` differs from `now` only in what still lies as it did `before`."""
    changed = now.changed(later)
    return bool(changed) and not changed & before.changed(now)


def _awaits_dice(pending: object) -> bool:
    return isinstance(pending, ChanceRoll) and bool(pending.dice)


def _one_per_state(nodes: Iterable[Node]) -> list[Node]:
    """Keep the cheapest node of every state; equal states are one explanation."""
    best: dict[State, Node] = {}
    for node in nodes:
        twin = best.setdefault(node.state, node)
        if twin is not node:
            twin.lines += node.lines
    return list(best.values())
