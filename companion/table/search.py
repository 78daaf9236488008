"""The search itself: lines of play from some starts, best first, each held against one picture."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product

from companion.rules.game import CHANCE, ChanceRoll, Decision
from companion.rules.layout import Cell, Die, Pose
from companion.table.findings import Start, State
from companion.table.measuring import measured_outcomes
from companion.table.node import Node, goes_unmissed, is_seen, shows
from companion.table.observation import Observation
from companion.table.outlook import Next, Outlook
from companion.table.sight import Sight
from companion.table.tray import LEFT_LYING, Assigned, TraySight

Hand = tuple[tuple[int, Die], ...]
"""Rolled dice: numbers of their readings and the faces they are taken for."""

STEP_COST = 0.3
"""Prior cost of every step of a line: short lines first."""
CHANGE_COST = 1.0
"""Prior cost of saying that anything happened at all."""
MARGIN = 3.5
"""Lines this much dearer than the best agreeing one are not followed any further."""
CLEAN = 1.0
"""A picture that costs less agrees in every respect."""
MOST_CHANGED = 2
"""Cells that spending one die changes: where a ship was and where it is. What follows from the
last one (a prize is put beside it) may change one more."""
MOST_NODES = 1200
"""Steps tried before the search gives up on being complete."""


class Search:
    """One best-first search over the lines from some starts."""

    def __init__(
        self,
        outlook: Outlook,
        certain: State,
        starts: Sequence[Start],
        observation: Observation,
        banned: frozenset[State],
        pairs: frozenset[Cell],
    ) -> None:
        self.outlook = outlook
        self.game = outlook.game
        self.starts = starts
        self.observation = observation
        self.banned = banned
        known = outlook.layout(certain).cells
        paired = frozenset(c for c in pairs if c in known and len(known[c].ships) == 2)
        placeable = self._placeable(starts, observation)
        self.sight = Sight(observation, paired, placeable, outlook.fleet(certain))
        self.trays = [
            TraySight(observation.dice, start.memory, observation.has_tumbled) for start in starts
        ]
        self.roots = [self._root(i, start) for i, start in enumerate(starts)]
        self.agreeing: dict[tuple[State, Assigned], Node] = {}
        self.others: list[float] = []
        self.underway: list[Node] = []
        self.is_complete = True
        self._tried = 0
        self._pushed = 0
        self._heap: list[tuple[float, int, Node]] = []

    def _placeable(self, starts: Sequence[Start], observation: Observation) -> frozenset[int]:
        """Return the tags seen that may be pieces put on the table since, one after the other."""
        poses = {tag: reading.pose for tag, reading in observation.tags.items()}
        found: set[int] = set()
        for start in starts:
            state, known = start.state, self.outlook.layout(start.state).pieces.keys()
            while poses.keys() - known - found:
                after = self._after_placing(state, poses)
                if after is None:
                    break
                found |= after.layout.pieces.keys() - known
                state = after.state
        return frozenset(found)

    def _after_placing(self, state: State, poses: Mapping[int, Pose]) -> Next | None:
        """Return what follows if a piece that is seen is put on the table now."""
        pending = self.game.pending(state)
        if not isinstance(pending, Decision) or not pending.measured:
            return None
        before = self.outlook.layout(state).pieces.keys()
        steps = (self.outlook.after(state, a) for a in self.game.measured(state, poses))
        return next((step for step in steps if step.layout.pieces.keys() > before), None)

    def run(self, slack: int) -> None:
        """Search all lines; `slack` is how many more cells a step may leave wrong."""
        for root in self.roots:
            self._note(root)
            self._push(root)
        known: dict[tuple[int, int, Assigned], Node] = {}
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
        node: Node,
        child: Node,
        slack: int,
        known: dict[tuple[int, int, Assigned], Node],
    ) -> None:
        """Keep a step if it may be part of an explanation that has not been found yet."""
        self._note_underway(child)
        if len(child.wrong) > len(node.wrong) + slack + goes_unmissed(node, child):
            return
        if self._is_idle_talk(node, child):
            return
        key = (child.start, id(child.state), child.assigned)
        twin = known.get(key)
        if twin is not None:
            twin.lines += child.lines
            if twin.cost <= child.cost + 1e-9:
                return
            child.lines = twin.lines
        known[key] = child
        self._note(child)
        self._push(child)

    def _push(self, node: Node) -> None:
        self._pushed += 1
        heapq.heappush(self._heap, (node.cost, self._pushed, node))

    def _root(self, index: int, start: Start) -> Node:
        state = self.outlook.one(start.state)
        layout = self.outlook.layout(state)
        board_cost, wrong = self.sight.compare(layout)
        return self._measure(
            Node(
                start=index,
                state=state,
                layout=layout,
                parent=None,
                action=None,
                assigned=(),
                wrong=wrong,
                board_cost=board_cost,
                sunk_cost=start.cost,
                depth=0,
                leaves_trace=True,
            )
        )

    def _measure(self, node: Node) -> Node:
        """Hold the tray against a node."""
        tray = self.trays[node.start]
        node.tray_cost, node.missing, node.left_lying = tray.compare(
            node.layout.dice, node.assigned
        )
        return node

    def _expand(self, node: Node) -> Iterator[Node]:
        """Yield what can follow a node."""
        pending = self.game.pending(node.state)
        if isinstance(pending, Decision):
            for child in self._choices(node, pending):
                if is_seen(node, pending, child) or self._may_be_silent(node, pending, child):
                    yield self._step(node, child, node.assigned, 0.0)
        elif isinstance(pending, ChanceRoll) and pending.dice:
            yield from self._roll(node, pending)
        elif isinstance(pending, ChanceRoll) and not pending.told and node.leaves_trace:
            # A draw shows only in what is done with it, so no two are tried in a row.
            for child in self.outlook.choices(node.state, CHANCE):
                yield self._step(node, child, node.assigned, 0.0)

    def _choices(self, node: Node, pending: Decision) -> Iterator[Next]:
        """Yield what may have been chosen; on an open table, what the tags show of it."""
        if not pending.measured:
            yield from self.outlook.choices(node.state, pending.player)
            return
        moved = sorted(spot for spot in node.wrong if isinstance(spot, int))
        if moved:
            yield from measured_outcomes(self.outlook, node.state, self.sight.poses, moved)
        if pending.passing is not None:
            yield self.outlook.after(node.state, pending.passing)

    def _may_be_silent(self, node: Node, pending: Decision, child: Next) -> bool:
        """Say whether a choice without a trace is worth trying.

        Beside passing they are told by phone; and what leads to a roll for which no dice lie there
        leads nowhere.
        """
        if pending.told or pending.passing not in (None, child.action):
            return False
        follows = self.game.pending(child.state)
        if not isinstance(follows, ChanceRoll) or not follows.dice:
            return True
        hands = _possible_rolls(self.trays[node.start], node.assigned, follows.dice)
        return next(hands, None) is not None

    def _step(self, node: Node, child: Next, assigned: Assigned, roll_cost: float) -> Node:
        self._tried += 1
        board_cost, wrong = self.sight.compare_change(
            node.board_cost, node.wrong, node.layout, child.layout
        )
        begins = CHANGE_COST if node.depth == 0 and not self.starts[node.start].steps else 0.0
        return self._measure(
            Node(
                start=node.start,
                state=child.state,
                layout=child.layout,
                parent=node,
                action=child.action,
                assigned=assigned,
                wrong=wrong,
                board_cost=board_cost,
                sunk_cost=node.sunk_cost + STEP_COST + begins + roll_cost,
                depth=node.depth + 1,
                leaves_trace=shows(node.layout, child.layout) or assigned != node.assigned,
                lines=node.lines,
            )
        )

    def _roll(self, node: Node, pending: ChanceRoll) -> Iterator[Node]:
        """Yield the rolls that the dice in the tray may show."""
        tray = self.trays[node.start]
        for hand, cost in _possible_rolls(tray, node.assigned, pending.dice):
            action = self.outlook.roll(node.state, tuple(sorted(die for _, die in hand)))
            if action is None:
                continue
            after = self.outlook.after(node.state, action)
            waits = len(after.layout.dice) > len(node.layout.dice)
            rolled = ((i, die, waits) for i, die in hand)
            assigned = tuple(sorted((*node.assigned, *rolled)))
            yield self._step(node, after, assigned, cost)

    def _is_worth_following(self, node: Node) -> bool:
        """Say whether a node can lead to something better than what has been found."""
        tray = self.trays[node.start]
        unread = tray.unread(node.assigned) or tray.doubtful.difference(
            i for i, _, _ in node.assigned
        )
        if node.agrees and not unread and node.board_cost + node.tray_cost < CLEAN:
            return False
        if self._is_banned(node):
            return False
        if not unread and self._is_beyond_mending(node):
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

    def _is_banned(self, node: Node) -> bool:
        return bool(self.banned) and node.state in self.banned

    def _is_beyond_mending(self, node: Node) -> bool:
        """Say whether more is wrong than the dice can mend that are gone from the tray.

        Each spend changes a few cells. One more die may have been spent and left lying, as long as
        nothing better is known.
        """
        if not self._spends_dice(node):
            return False
        spends = node.missing + (not self.agreeing)
        return len(node.wrong) > MOST_CHANGED * spends + MOST_CHANGED - 1

    def _spends_dice(self, node: Node) -> bool:
        pending = self.game.pending(node.state)
        return isinstance(pending, Decision) and pending.phase in self.outlook.spending

    @staticmethod
    def _is_idle_talk(node: Node, child: Node) -> bool:
        """Say whether a step claims a die was spent that still lies there, to no effect."""
        return child.tray_cost > node.tray_cost + 0.5 and not node.layout.changed(child.layout)

    def _note(self, node: Node) -> None:
        if not node.leaves_trace or self._is_banned(node):
            return
        if not node.agrees:
            self.others.append(node.cost)
            return
        key = (node.state, node.assigned)
        twin = self.agreeing.get(key)
        if twin is None or node.cost < twin.cost:
            self.agreeing[key] = node

    def _note_underway(self, node: Node) -> None:
        """Keep a node whose dice agree and whose wrong cells are only still to be done."""
        if not node.wrong or node.missing or node.left_lying or node.depth == 0:
            return
        if self._is_banned(node):
            return
        if self.trays[node.start].unread(node.assigned):
            return
        before = self.roots[node.start].layout
        if self.sight.agrees_there(node.wrong, before):
            self.underway.append(node)


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
    base = tray.roll_cost(hand)
    for faces in product(*(tray.likely_faces(i) for i in hand)):
        dice = tuple(die for die, _ in faces)
        if tuple(sorted(d.kind for d in dice)) == kinds:
            yield tuple(zip(hand, dice, strict=True)), base + sum(cost for _, cost in faces)
