"""The explanation search: the legal lines of play that make the layout agree with the picture.

Pure: it knows the `Game` interface and one observation, nothing of any particular game. Every
picture is explained from the last certain state, or from the few states that the pictures since
leave open, so several spends may lie between two pictures.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from math import exp
from typing import Any

from companion.rules.game import CHANCE, AnyGame, ChanceRoll, Decision
from companion.rules.layout import Cell, Die, Layout
from companion.table.observation import Observation
from companion.table.sight import Sight
from companion.table.tray import LEFT_LYING, Assigned, Memory, TraySight

State = Any
"""A game's state: frozen, hashable, canonical."""
Hand = tuple[tuple[int, Die], ...]
"""Rolled dice: numbers of their readings and the faces they are taken for."""

STEP_COST = 0.3
"""Prior cost of every step of a line: short lines first."""
CHANGE_COST = 1.0
"""Prior cost of saying that anything happened at all."""
SURE = 0.9
"""Least probability of an explanation that is applied without asking."""
RIVAL = 0.03
"""Explanations less likely than this are forgotten."""
MARGIN = 3.5
"""Lines this much dearer than the best agreeing one are not followed any further."""
CLEAN = 1.0
"""A picture that costs less agrees in every respect."""
MOST_NODES = 3000
"""Steps tried before the search gives up on being complete."""


@dataclass(frozen=True, slots=True)
class ReadStep:
    """One action of an explanation."""

    action: Any
    p: float
    """How sure the camera was of it."""
    evidence: str | None
    """The picture (`Observation.frame_id`) it was read from."""
    equivalent: int
    """How many different lines lead to the very same state."""


@dataclass(frozen=True, slots=True)
class Start:
    """A state to explain from: the last certain one, or one that the pictures since leave open."""

    state: State
    memory: Memory = ()
    steps: tuple[ReadStep, ...] = ()
    """How it was reached from the last certain state."""
    cost: float = 0.0
    may_go_on: bool = False
    """See `Explanation.may_go_on`."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """A line whose layout agrees with the picture."""

    start: Start
    state: State
    layout: Layout
    steps: tuple[ReadStep, ...]
    """From the last certain state on; empty when nothing happened."""
    memory: Memory
    """The tray, once this is believed."""
    p: float
    """Probability among all explanations found."""
    cost: float
    rests_on_absence: bool
    """Nothing tells it but dice that are not seen any more."""
    may_go_on: bool
    """What was done may be the beginning of something else: the enemy not lifted off yet."""
    prior: float
    """Cost of the line itself, without what the picture has to say."""

    @property
    def is_null(self) -> bool:
        """Nothing happened since the last certain state."""
        return not self.steps

    def as_start(self) -> Start:
        """Return it as a beginning for the next picture."""
        return Start(self.state, self.memory, self.steps, self.prior, self.may_go_on)


@dataclass(frozen=True, slots=True)
class Findings:
    """What the search found, likeliest first."""

    explanations: tuple[Explanation, ...]
    """One per resulting state; empty if no legal line explains the picture."""
    is_complete: bool
    """All lines worth it were tried."""
    underway: tuple[Any, ...] = ()
    """Actions that somebody may be in the middle of: all that is wrong is still to be done."""
    contradicted: frozenset[Cell] = frozenset()
    """Cells that contradict the first of the starts."""
    is_clean: bool = False
    """Something agrees with the picture in every respect."""

    @property
    def best(self) -> Explanation | None:
        """The likeliest explanation."""
        return self.explanations[0] if self.explanations else None

    @property
    def margin(self) -> float:
        """How much dearer, in nats, the second best is."""
        if len(self.explanations) < 2:
            return float("inf")
        return self.explanations[1].cost - self.explanations[0].cost


@dataclass(slots=True)
class _Node:
    """A state on a line, held against the picture."""

    start: int
    """Index of the start."""
    state: State
    layout: Layout
    parent: _Node | None
    action: Any
    assigned: Assigned
    wrong: frozenset[Cell]
    board_cost: float
    tray_cost: float
    missing: int
    sunk_cost: float
    """What the line has cost for good: steps, readings of rolled dice."""
    depth: int
    leaves_trace: bool
    """The last step shows on the board or in the tray."""
    left_lying: float = 0.0
    """Part of the tray's cost that no further step can mend."""
    lines: int = 1
    """How many lines lead here."""

    @property
    def cost(self) -> float:
        return self.board_cost + self.tray_cost + self.sunk_cost

    @property
    def agrees(self) -> bool:
        return not self.wrong and not self.missing

    def path(self) -> Iterator[_Node]:
        """Yield the nodes from here back to the start, the start not included."""
        node = self
        while node.parent is not None:
            yield node
            node = node.parent


@dataclass(frozen=True, slots=True)
class _Child:
    action: Any
    state: State
    layout: Layout


@dataclass(slots=True)
class Explainer:
    """Explains pictures of one game; keeps what follows from recent states at hand."""

    game: AnyGame
    spending: set[str] = field(default_factory=set)
    """Phases in which every choice spends a die, as far as has been seen."""
    _other_phases: set[str] = field(default_factory=set)
    _children: dict[State, tuple[_Child, ...]] = field(default_factory=dict)
    _rolls: dict[State, dict[tuple[Die, ...], Any]] = field(default_factory=dict)
    _layouts: dict[State, Layout] = field(default_factory=dict)

    def explain(
        self,
        starts: Sequence[Start],
        observation: Observation,
        banned: frozenset[State] = frozenset(),
    ) -> Findings:
        """Find the lines that make the layout agree with the picture.

        Parameters
        ----------
        starts : sequence of Start
            The states, likeliest first, that the picture is explained from.
        observation : Observation
            The picture.
        banned : frozenset of states
            States just taken back: no line may pass through them.
        """
        self._forget_old()
        search = _Search(self, starts, observation, banned)
        search.run(slack=0)
        if not search.agreeing and not search.underway and search.is_complete:
            # Ships of one colour may have changed places in ways that look worse half-way.
            search.run(slack=2)
        return search.findings()

    def layout(self, state: State) -> Layout:
        """Return the layout of a state, computed once."""
        found = self._layouts.get(state)
        if found is None:
            found = self._layouts[state] = self.game.layout(state)
        return found

    def choices(self, state: State, player: Any) -> tuple[_Child, ...]:
        """Return what a player may do, with what it leads to."""
        found = self._children.get(state)
        if found is None:
            children = []
            for action in self.game.legal_actions(state, player):
                after = self.game.apply(state, action).state
                children.append(_Child(action, after, self.layout(after)))
            found = self._children[state] = tuple(children)
            self._learn(state, found)
        return found

    def _learn(self, state: State, children: tuple[_Child, ...]) -> None:
        """Note whether all choices of this phase spend dice."""
        pending = self.game.pending(state)
        if isinstance(pending, Decision) and pending.phase not in self._other_phases:
            dice = self.layout(state).dice
            if all(child.layout.dice != dice for child in children):
                self.spending.add(pending.phase)
            else:
                self.spending.discard(pending.phase)
                self._other_phases.add(pending.phase)

    def roll(self, state: State, dice: tuple[Die, ...]) -> Any | None:
        """Return the chance action that shows these dice (sorted), or ``None``."""
        found = self._rolls.get(state)
        if found is None:
            actions = self.game.legal_actions(state, CHANCE)
            found = self._rolls[state] = {self.game.rolled(a): a for a in actions}
        return found.get(dice)

    def _forget_old(self) -> None:
        if len(self._children) > 4 * MOST_NODES:
            self._children.clear()
            self._rolls.clear()
        if len(self._layouts) > 16 * MOST_NODES:
            self._layouts.clear()


class _Search:
    """One best-first search over the lines from some starts."""

    def __init__(
        self,
        explainer: Explainer,
        starts: Sequence[Start],
        observation: Observation,
        banned: frozenset[State],
    ) -> None:
        self.explainer = explainer
        self.game = explainer.game
        self.starts = starts
        self.observation = observation
        self.banned = banned
        certain = explainer.layout(starts[0].state)
        paired = frozenset(c for c, held in certain.cells.items() if len(held.ships) == 2)
        self.sight = Sight(observation, paired)
        self.trays = [TraySight(observation.dice, start.memory) for start in starts]
        self.roots = [self._root(i, start) for i, start in enumerate(starts)]
        self.agreeing: dict[tuple[State, Assigned], _Node] = {}
        self.others: list[float] = []
        self.underway: list[_Node] = []
        self.is_complete = True
        self._tried = 0
        self._pushed = 0
        self._heap: list[tuple[float, int, _Node]] = []

    def run(self, slack: int) -> None:
        """Search all lines; `slack` is how many more cells a step may leave wrong."""
        for root in self.roots:
            self._note(root)
            self._push(root)
        known: dict[tuple[int, State, Assigned], _Node] = {}
        while self._heap:
            _, _, node = heapq.heappop(self._heap)
            if not self._is_worth_following(node):
                continue
            for child in self._expand(node):
                if self._tried >= MOST_NODES:
                    self.is_complete = False
                    self._heap.clear()
                    return
                self._consider(node, child, slack, known)

    def _consider(
        self,
        node: _Node,
        child: _Node,
        slack: int,
        known: dict[tuple[int, State, Assigned], _Node],
    ) -> None:
        """Keep a step if it may be part of an explanation that has not been found yet."""
        self._note_underway(child)
        if len(child.wrong) > len(node.wrong) + slack or self._is_idle_talk(node, child):
            return
        key = (child.start, child.state, child.assigned)
        twin = known.get(key)
        if twin is not None:
            twin.lines += child.lines
            if twin.cost <= child.cost + 1e-9:
                return
            child.lines = twin.lines
        known[key] = child
        self._note(child)
        self._push(child)

    def _push(self, node: _Node) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (node.cost, self._pushed, node))

    def _root(self, index: int, start: Start) -> _Node:
        layout = self.explainer.layout(start.state)
        return self._measure(
            _Node(
                start=index,
                state=start.state,
                layout=layout,
                parent=None,
                action=None,
                assigned=(),
                wrong=frozenset(),
                board_cost=0.0,
                tray_cost=0.0,
                missing=0,
                sunk_cost=start.cost,
                depth=0,
                leaves_trace=True,
            )
        )

    def _measure(self, node: _Node) -> _Node:
        node.board_cost, node.wrong = self.sight.compare(node.layout)
        tray = self.trays[node.start]
        node.tray_cost, node.missing, node.left_lying = tray.compare(
            node.layout.dice, node.assigned
        )
        return node

    def _expand(self, node: _Node) -> Iterator[_Node]:
        """Yield what can follow a node."""
        pending = self.game.pending(node.state)
        if isinstance(pending, Decision):
            for child in self.explainer.choices(node.state, pending.player):
                yield self._step(node, child, node.assigned, 0.0)
        elif isinstance(pending, ChanceRoll) and pending.dice:
            yield from self._roll(node, pending)
        elif isinstance(pending, ChanceRoll) and node.leaves_trace:
            # A draw shows only in what is done with it, so no two are tried in a row.
            for child in self.explainer.choices(node.state, CHANCE):
                yield self._step(node, child, node.assigned, 0.0)

    def _step(self, node: _Node, child: _Child, assigned: Assigned, roll_cost: float) -> _Node:
        self._tried += 1
        before = node.layout
        shows = child.layout.dice != before.dice or child.layout.cells != before.cells
        begins = CHANGE_COST if node.depth == 0 and not self.starts[node.start].steps else 0.0
        return self._measure(
            _Node(
                start=node.start,
                state=child.state,
                layout=child.layout,
                parent=node,
                action=child.action,
                assigned=assigned,
                wrong=node.wrong,
                board_cost=0.0,
                tray_cost=0.0,
                missing=0,
                sunk_cost=node.sunk_cost + STEP_COST + begins + roll_cost,
                depth=node.depth + 1,
                leaves_trace=shows or assigned != node.assigned,
                lines=node.lines,
            )
        )

    def _roll(self, node: _Node, pending: ChanceRoll) -> Iterator[_Node]:
        """Yield the rolls that the dice in the tray may show."""
        tray = self.trays[node.start]
        for hand, cost in _possible_rolls(tray, node.assigned, pending.dice):
            action = self.explainer.roll(node.state, tuple(sorted(die for _, die in hand)))
            if action is None:
                continue
            after = self.game.apply(node.state, action).state
            layout = self.explainer.layout(after)
            waits = len(layout.dice) > len(node.layout.dice)
            rolled = ((i, die, waits) for i, die in hand)
            assigned = tuple(sorted((*node.assigned, *rolled)))
            yield self._step(node, _Child(action, after, layout), assigned, cost)

    def _is_worth_following(self, node: _Node) -> bool:
        """Say whether a node can lead to something better than what has been found."""
        tray = self.trays[node.start]
        unread = tray.unread(node.assigned) or tray.doubtful.difference(
            i for i, _, _ in node.assigned
        )
        if node.agrees and not unread and node.board_cost + node.tray_cost < CLEAN:
            return False
        if node.state in self.banned:
            return False
        for_good = node.left_lying
        all_there = node.tray_cost - node.left_lying < CLEAN
        if all_there and not unread and self._spends_dice(node):
            # Whatever is done next is done with a die that still lies there.
            for_good += LEFT_LYING
        if for_good >= 2 * LEFT_LYING:
            return False
        best = min((n.cost for n in self.agreeing.values()), default=None)
        return best is None or node.sunk_cost + STEP_COST + for_good < best + MARGIN

    def _spends_dice(self, node: _Node) -> bool:
        pending = self.game.pending(node.state)
        return isinstance(pending, Decision) and pending.phase in self.explainer.spending

    @staticmethod
    def _is_idle_talk(node: _Node, child: _Node) -> bool:
        """Say whether a step claims a die was spent that still lies there, to no effect."""
        return child.tray_cost > node.tray_cost + 0.5 and child.layout.cells == node.layout.cells

    def _note(self, node: _Node) -> None:
        if not node.leaves_trace or node.state in self.banned:
            return
        if not node.agrees:
            self.others.append(node.cost)
            return
        key = (node.state, node.assigned)
        twin = self.agreeing.get(key)
        if twin is None or node.cost < twin.cost:
            self.agreeing[key] = node

    def _note_underway(self, node: _Node) -> None:
        """Keep a node whose dice agree and whose wrong cells are only still to be done."""
        if not node.wrong or node.missing or node.left_lying or node.depth == 0:
            return
        if node.state in self.banned:
            return
        if self.trays[node.start].unread(node.assigned):
            return
        before = self.roots[node.start].layout
        if self.sight.agrees_there(node.wrong, before):
            self.underway.append(node)

    def findings(self) -> Findings:
        """Rank what was found."""
        nodes = sorted(self.agreeing.values(), key=lambda n: n.cost)
        nodes = _one_per_state(nodes)
        costs = [n.cost for n in nodes] + self.others
        least = min(costs, default=0.0)
        total = sum(exp(least - cost) for cost in costs)
        explanations = []
        for node in nodes:
            p = exp(least - node.cost) / total
            if p >= RIVAL * (exp(least - nodes[0].cost) / total):
                explanations.append(self._explanation(node, p))
        root = self.roots[0]
        return Findings(
            tuple(explanations),
            self.is_complete,
            tuple(dict.fromkeys(n.action for n in self.underway)),
            root.wrong,
            any(n.board_cost + n.tray_cost < CLEAN for n in nodes),
        )

    def _explanation(self, node: _Node, p: float) -> Explanation:
        start = self.starts[node.start]
        tray = self.trays[node.start]
        pending = self.game.pending(node.state)
        awaits = isinstance(pending, ChanceRoll) and bool(pending.dice)
        awaits = awaits or self._may_lead_to_roll(node, pending)
        path = list(node.path())[::-1]
        before = self.roots[node.start].layout
        same_cells = bool(path) and before.cells == node.layout.cells
        return Explanation(
            start=start,
            state=node.state,
            layout=node.layout,
            steps=start.steps + tuple(self._read_step(n, p, tray) for n in path),
            memory=tray.remember(node.layout.dice, node.assigned, awaits),
            p=p,
            cost=node.cost,
            rests_on_absence=same_cells and not node.assigned,
            may_go_on=self._may_go_on(node, before) if path else start.may_go_on,
            prior=node.sunk_cost,
        )

    def _may_lead_to_roll(self, node: _Node, pending: object) -> bool:
        """Say whether a choice that leaves no trace leads to a roll (the choice of the dice)."""
        if not isinstance(pending, Decision):
            return False
        choices = self.explainer.choices(node.state, pending.player)
        return any(
            c.layout == node.layout and _awaits_dice(self.game.pending(c.state)) for c in choices
        )

    def _read_step(self, node: _Node, p: float, tray: TraySight) -> ReadStep:
        assert node.parent is not None
        before = {i for i, _, _ in node.parent.assigned}
        sure = [tray.probability(i, die) for i, die, _ in node.assigned if i not in before]
        return ReadStep(
            node.action,
            round(min([p, *sure]), 4),
            self.observation.frame_id,
            node.lines // max(node.parent.lines, 1) or 1,
        )

    def _may_go_on(self, node: _Node, before: Layout) -> bool:
        """Say whether something legal with the same dice would have changed still more."""
        for rival in self.underway:
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
    """Say whether `later` differs from `now` only in cells still as they were `before`."""
    changed = now.cells != later.cells
    return changed and all(
        now.at(c) == before.at(c)
        for c in now.cells.keys() | later.cells.keys()
        if now.at(c) != later.at(c)
    )


def _awaits_dice(pending: object) -> bool:
    return isinstance(pending, ChanceRoll) and bool(pending.dice)


def _one_per_state(nodes: Iterable[_Node]) -> list[_Node]:
    """Keep the cheapest node of every state; equal states are one explanation."""
    best: dict[State, _Node] = {}
    for node in nodes:
        twin = best.setdefault(node.state, node)
        if twin is not node:
            twin.lines += node.lines
    return list(best.values())


def _possible_rolls(
    tray: TraySight, assigned: Assigned, kinds: tuple[str, ...]
) -> Iterator[tuple[Hand, float]]:
    """Yield what dice of these kinds may have been rolled, and what it costs to say so."""
    taken = {i for i, _, _ in assigned}
    free = [i for i in tray.usable() if i not in taken]
    fresh = [i for i in free if i in tray.fresh]
    if len(kinds) == 1:
        hands: Iterable[tuple[int, ...]] = ((i,) for i in free)
    elif not fresh and not any(i in tray.doubtful for i in free):
        return
    elif len(fresh) > len(kinds):
        return
    else:
        rest = [i for i in free if i not in fresh]
        hands = ((*fresh, *more) for more in combinations(rest, len(kinds) - len(fresh)))
    for hand in hands:
        yield from _faces_of(tray, hand, kinds)


def _faces_of(
    tray: TraySight, hand: tuple[int, ...], kinds: tuple[str, ...]
) -> Iterator[tuple[Hand, float]]:
    base = sum(tray.roll_cost(i, len(hand)) for i in hand)
    for faces in product(*(tray.likely_faces(i) for i in hand)):
        dice = tuple(die for die, _ in faces)
        if tuple(sorted(d.kind for d in dice)) == kinds:
            yield tuple(zip(hand, dice, strict=True)), base + sum(cost for _, cost in faces)
