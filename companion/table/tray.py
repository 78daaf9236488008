"""The dice in the tray: which are new since the last rest, which still wait to be spent.

A roll is made of dice at new places. So the tray is remembered from picture to picture: what lay
where, and what it meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import log

from companion.rules.layout import Die
from companion.table.observation import DieReading
from companion.table.remembered_dice import (
    Lying,
    Memory,
    Role,
    Seen,
    die_of,
    matched,
    missing_from,
    perhaps_moved,
    vanished,
)

LEGIBLE = 0.5
"""A die whose likeliest face is less likely than this is cocked or covered: it cannot be told."""
LIKELY = 0.02
"""Faces less likely than this are not considered."""
MISSING = 6.0
"""Cost of a die that should wait in the tray and is not there."""
LEFT_LYING = 3.5
"""Cost of a spent die that was not taken out."""
NUDGED = 0.3
"""Cost of finding a waiting die at another place."""
MISTAKEN = 3.0
"""Cost of a die with the same face lying where a waiting one should be (it had been used up)."""
UNREAD = 7.0
"""Cost of newly lying dice that the line says nothing about."""
REUSED = 6.0
"""Cost of calling a die rolled which lies as it lay before."""


@dataclass(frozen=True, slots=True)
class ReadDie:
    """A die of a roll, as the camera read it."""

    die: Die
    p: float
    """How sure the camera was of this face."""
    box_px: tuple[int, int, int, int]
    """`DieReading.box_px`."""
    look: str
    """Tells dice of one kind apart; empty: it cannot be told."""
    seems: str = ""
    """`DieReading.seems`."""


Assigned = tuple[tuple[int, Die, bool], ...]
"""Dice that a line reads as rolled: number of the reading, the face it is taken for, and whether
it waited to be spent then (a check roll's does not)."""


class TraySight:
    """The tray of one observation against the memory of the last.

    Parameters
    ----------
    readings : sequence of DieReading or None
        ``None``: the tray was not seen; then it neither costs nor tells anything.
    memory : Memory
        What lay there at the last certain rest.
    has_tumbled : bool, optional
        Whether anything tumbled in the tray since then; ``None``: it is not known. If nothing did,
        dice that show what others showed may have been pushed, or taken up and put down.
    """

    def __init__(
        self,
        readings: Sequence[DieReading] | None,
        memory: Memory,
        has_tumbled: bool | None = None,
    ) -> None:
        self.is_seen = readings is not None
        self._memory = memory
        is_still = has_tumbled is False
        self._seen = matched(readings or (), memory, is_still=is_still)
        if is_still:
            self._seen = perhaps_moved(self._seen, memory)
        self._costs: dict[tuple[tuple[Die, ...], Assigned], tuple[float, int, float]] = {}
        self.fresh = frozenset(
            i for i, s in enumerate(self._seen) if s.known is None and not s.is_doubtful
        )
        """Readings of dice that were certainly not there before."""
        self.doubtful = frozenset(i for i, s in enumerate(self._seen) if s.is_doubtful)
        self._vanished = vanished(self._seen, memory)

    @property
    def is_unchanged(self) -> bool:
        """Whether every die lies where it lay, and no other one."""
        lay = tuple(m for m in self._memory if m.role is not Role.GONE)
        return not (self.fresh or self.doubtful or missing_from(self._seen, lay))

    def usable(self) -> tuple[int, ...]:
        """Return the readings that could be part of a roll at all."""
        waiting = (Role.WAITING, Role.LEFT)
        return tuple(
            i for i, s in enumerate(self._seen) if s.known is None or s.known.role not in waiting
        )

    def roll_cost(self, hand: Sequence[int]) -> float:
        """Return what it costs to call these dice newly rolled, all together."""
        doubtful = self.doubtful.intersection(hand)
        lay_before = len(hand) - len(self.fresh.intersection(hand)) - len(doubtful)
        # A single doubtful die is asked about; among others it rather lay there before.
        if len(hand) > 1 and not self._were_taken_up(hand):
            lay_before += len(doubtful)
        return REUSED * lay_before

    def _were_taken_up(self, hand: Sequence[int]) -> bool:
        """Say whether the dice that a roll recalls were taken up, and not put back as they were.

        Of many dice one often shows what another has shown near by. Then nothing that was
        remembered is left, or most of the roll is certainly new; and some face is another one.
        """
        is_cleared = all(m.role is Role.GONE for m in self._memory)
        is_mostly_fresh = 2 * len(self.fresh.intersection(hand)) > len(hand)
        shown, recalled = Counter(self.best_dice(hand)), Counter(m.die for m in self._memory)
        return (is_cleared or is_mostly_fresh) and bool(shown - recalled)

    def likely_faces(self, index: int) -> tuple[tuple[Die, float], ...]:
        """Return what a die may show and its cost, likeliest first; empty if it cannot be told."""
        reading = self._seen[index].reading
        if reading.p < LEGIBLE:
            return ()
        ranked = sorted(reading.faces.items(), key=lambda told: (-told[1], told[0]))
        return tuple((die, log(reading.p / p)) for die, p in ranked if p >= LIKELY)

    def read_as(self, index: int, die: Die) -> ReadDie:
        """Return a reading taken for this face, with how likely the camera holds it."""
        reading = self._seen[index].reading
        p = reading.faces.get(die, 0.0)
        return ReadDie(die, p, reading.box_px, reading.look, reading.seems)

    def undoubted(self) -> Memory:
        """Return the memory without what casts doubt on the dice that lie here now."""
        moot = missing_from(tuple(s for s in self._seen if not s.is_doubtful), self._memory)
        return tuple(m for m in self._memory if m.role is Role.WAITING or m not in moot)

    def live(self) -> tuple[int, ...]:
        """Return the dice that may mean something: new ones and those waiting to be spent."""
        spent = (Role.USED, Role.LEFT, Role.IDLE, Role.GONE)
        return tuple(
            i for i, s in enumerate(self._seen) if s.known is None or s.known.role not in spent
        )

    def illegible(self) -> tuple[DieReading, ...]:
        """Return the new dice whose face cannot be told."""
        return tuple(self._seen[i].reading for i in sorted(self.fresh) if not self.likely_faces(i))

    def best_dice(self, indexes: Iterable[int]) -> tuple[Die, ...]:
        """Return the likeliest faces of some dice, sorted; those that cannot be told left out."""
        faces = (self.likely_faces(i) for i in indexes)
        return tuple(sorted(f[0][0] for f in faces if f))

    def unread(self, assigned: Assigned) -> frozenset[int]:
        """Return the fresh dice a line has not made use of."""
        return self.fresh.difference(i for i, _, _ in assigned)

    def compare(self, waiting: tuple[Die, ...], assigned: Assigned) -> tuple[float, int, float]:
        """Hold the tray against the dice that should wait in it.

        Returns the cost, how many of `waiting` are missing, and the part of the cost that is for
        spent dice left lying: nothing that follows can mend that.
        """
        key = waiting, assigned
        if key not in self._costs:
            self._costs[key] = self._compare(waiting, assigned)
        return self._costs[key]

    def _compare(self, waiting: tuple[Die, ...], assigned: Assigned) -> tuple[float, int, float]:
        if not self.is_seen:
            return 0.0, 0, 0.0
        places, cost, missing = self._places(waiting, assigned)
        cost += UNREAD if self.unread(assigned) - places.keys() else 0.0
        left_lying = 0.0
        rolled = {i: waited for i, _, waited in assigned}
        for i, seen in enumerate(self._seen):
            waited = seen.known is not None and seen.known.role is Role.WAITING
            if i not in places and rolled.get(i, waited):
                left_lying += LEFT_LYING
        return cost + left_lying, missing, left_lying

    def _places(
        self, waiting: tuple[Die, ...], assigned: Assigned
    ) -> tuple[dict[int, Die], float, int]:
        """Find a reading for every waiting die, the cheapest first."""
        rolled = {i: die for i, die, _ in assigned}
        places: dict[int, Die] = {}
        total, missing = 0.0, 0
        for die in waiting:
            options = [
                (cost, i)
                for i in range(len(self._seen))
                if i not in places and (cost := self._stand_in_cost(i, die, rolled)) is not None
            ]
            if options:
                cost, index = min(options)
                places[index] = die
                total += cost
            else:
                missing += 1
                total += MISSING
        return places, total, missing

    def _stand_in_cost(self, index: int, die: Die, rolled: dict[int, Die]) -> float | None:
        """Return what it costs to see waiting `die` in a reading; ``None`` if it cannot be."""
        if index in rolled:
            return 0.0 if rolled[index] == die else None
        known = self._seen[index].known
        if known is not None:
            if known.die != die:
                return None
            return 0.0 if known.role in (Role.WAITING, Role.LEFT) else MISTAKEN
        reading = self._seen[index].reading
        p = reading.faces.get(die, 0.0)
        return NUDGED + log(reading.p / p) if p >= LIKELY else None

    def remember(self, waiting: tuple[Die, ...], assigned: Assigned, awaits_roll: bool) -> Memory:
        """Return the memory of the tray once a line is believed.

        Parameters
        ----------
        waiting : tuple of Die
            Unspent dice after the line.
        assigned : Assigned
            Dice the line read as rolled.
        awaits_roll : bool
            A roll is awaited after the line: then new dice that mean nothing yet stay new, for
            there may be more to come.
        """
        if not self.is_seen:
            return tuple(_retired(m, waiting) for m in self._memory)
        places, _, _ = self._places(waiting, assigned)
        rolled = {i: die for i, die, _ in assigned}
        waited = {i: did for i, _, did in assigned}
        memory = []
        for i, seen in enumerate(self._seen):
            role = self._role(i, seen, places, waited, awaits_roll)
            die = places.get(i) or rolled.get(i) or die_of(seen)
            if role is not None and die is not None:
                memory.append(Lying(die, seen.reading.centre_mm, role))
        if not assigned:
            memory += [replace(m, role=Role.GONE) for m in self._vanished]
        return tuple(memory)

    def settle(
        self, waiting: tuple[Die, ...], is_doubtful: bool = False, told: tuple[Die, ...] = ()
    ) -> Memory:
        """Return a memory in which everything that lies here is spoken for.

        With `is_doubtful` nobody knows how the dice that do not wait came to lie here. What cannot
        be told at all is one of the dice that somebody has `told`, or forgotten.
        """
        places, _, _ = self._places(waiting, ())
        spent = Role.IDLE if is_doubtful else Role.USED
        shown = Counter(self.best_dice(range(len(self._seen))))
        unseen = (Counter(told) - shown).elements()
        return tuple(
            Lying(die, seen.reading.centre_mm, Role.WAITING if i in places else spent)
            for i, seen in enumerate(self._seen)
            if (die := places.get(i) or die_of(seen) or next(unseen, None)) is not None
        )

    def shows(self, told: tuple[Die, ...]) -> bool:
        """Say whether a roll that somebody told is what lies here, most of it newly."""
        faces, new = Counter(told), Counter(self.best_dice(self.fresh | self.doubtful))
        lies_here = faces <= Counter(self.best_dice(self.usable()))
        return lies_here and 2 * (faces & new).total() >= len(told)

    def take_told(
        self,
        told: tuple[Die, ...],
        waiting: tuple[Die, ...],
        spent: Role,
        others: Role | None,
    ) -> Memory:
        """Return the memory with those new dice in it that somebody has told already.

        Parameters
        ----------
        told : tuple of Die
            What was told and has not been seen yet.
        waiting : tuple of Die
            Unspent dice.
        spent : Role
            What dice mean that show what was told and do not wait.
        others : Role or None
            What those mean that show something else, as many as were told: the camera may read
            them wrongly. Of those beyond it nobody knows what they mean. ``None``: all stay new.
        """
        left, rest, memory = list(told), list[int](), list(self._memory)
        for i in sorted(self.fresh):
            die = die_of(self._seen[i])
            if die is not None and die in left:
                left.remove(die)
                memory.append(self._lying(i, die, Role.WAITING if die in waiting else spent))
            else:
                rest.append(i)
        if others is None:
            return tuple(memory)
        for i, die in zip_longest(rest, left[: len(rest)]):
            shown = die_of(self._seen[i]) or die
            if die is not None and die in waiting:
                memory.append(self._lying(i, die, Role.WAITING))
            elif shown is not None:
                memory.append(self._lying(i, shown, Role.IDLE if die is None else others))
        return tuple(memory)

    def _lying(self, index: int, die: Die, role: Role) -> Lying:
        return Lying(die, self._seen[index].reading.centre_mm, role)

    def _role(
        self,
        i: int,
        seen: Seen,
        places: dict[int, Die],
        rolled: dict[int, bool],
        awaits_roll: bool,
    ) -> Role | None:
        """Return what a die means from now on; ``None`` to forget it, so that it stays new."""
        if i in places:
            return Role.WAITING
        if i in rolled:
            return Role.LEFT if places and rolled[i] else Role.USED
        if seen.known is None:
            return None if awaits_roll and not seen.is_doubtful else Role.IDLE
        if seen.known.role in (Role.WAITING, Role.LEFT):
            return Role.LEFT if places else Role.USED
        return Role.IDLE if seen.is_doubtful else seen.known.role


def _retired(lying: Lying, waiting: tuple[Die, ...]) -> Lying:
    """Once nothing waits any more, dice that waited are used up."""
    if waiting or lying.role not in (Role.WAITING, Role.LEFT):
        return lying
    return replace(lying, role=Role.USED)
