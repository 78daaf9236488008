"""All that is found out about the dice in some rolls: the audit itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from companion.audit.batch import power
from companion.audit.comparison import Comparison, holm
from companion.audit.dependence import Dependence
from companion.audit.evidence import Evidence
from companion.audit.exact import FixedTest, fixed_test
from companion.audit.fair import (
    ALPHA,
    Checks,
    Fair,
    ReaderChecks,
    exactly_read,
    read_with_errors,
)
from companion.audit.rolls import STANDS, DieRoll, together
from companion.rules.dice import DieKind, face_name
from companion.rules.words import counting_order

RATIOS = (1.25, 1.5, 2.0, 3.0)
"""How much one face is favoured in the loaded dice that would have been found."""
MOST_POINTS = 240
"""Points of the evidence kept for its plot."""
FEW = 20
"""Below so many dice nothing is said of fairness, nor of memory, unless it is an alarm."""
HARDLY = 0.05
"""What has a smaller chance to be found would hardly have been; if that is so of the most loaded
of `RATIOS`, too, nothing is said of fairness either."""

FAIR, LOADED, TOO_FEW = "fair", "loaded", "too few"
UNREAD, TABLES, LOOKS, TOGETHER = "unread", "tables", "looks", "together"
"""Why a die cannot be followed: some rolls were not read, or it may be more than one die."""


@dataclass(frozen=True, slots=True)
class Group:
    """The rolls of one captain, evening or table among those of a die."""

    name: str
    dice: int
    p_value: float
    """Corrected by Holm for the number of groups; valid whenever one looks."""
    counts: tuple[int, ...] = ()
    """How often each of the die's `fair.values` came; an unread die is none of them."""

    @property
    def stands_out(self) -> bool:
        """Whether it may be called different."""
        return self.p_value <= ALPHA


@dataclass(frozen=True, slots=True)
class Memory:
    """Whether the last face predicts the next."""

    rolls: int
    repeats: int
    expected: float
    p_value: float

    @property
    def is_found(self) -> bool:
        """Whether it may be said that it does."""
        return self.p_value <= ALPHA


@dataclass(frozen=True, slots=True)
class DieAudit:
    """What is found out about one die, or about all dice of a kind."""

    die: str
    """Kind, or kind and look (`DieRoll.die`)."""
    names: tuple[str, ...]
    """What people call each of `fair.values`."""
    fair: Fair
    """What it is held against."""
    counts: tuple[int, ...]
    """How often each of `fair.values` came."""
    counts_then: tuple[int, ...]
    """The same when the evidence against the die was greatest."""
    band: tuple[tuple[int, int], ...]
    """Within this lie all counts of a fair die, 95 times in 100, for this number of rolls, whatever
    its unread dice showed."""
    p_value: float
    """Probability of evidence like this, at any time, from a fair die; at most."""
    path: tuple[tuple[int, float], ...]
    """Dice rolled and the evidence then (factor against fair, base 10 logarithm)."""
    fixed: FixedTest
    power: Mapping[float, float]
    """For each of `RATIOS` how likely such a die had been found by now."""
    memory: Memory | None
    """``None``: it cannot be followed from roll to roll."""
    unfollowed: str
    """Why not: `UNREAD`, `TABLES`, `LOOKS` or `TOGETHER`; empty if it can be."""
    captains: tuple[Group, ...]
    """Empty where they may have rolled different dice, too: of several looks, or tables."""
    evenings: tuple[Group, ...]
    tables: tuple[Group, ...]
    unread: int
    """Dice that could not be read; the verdict holds whatever they showed."""
    unchecked: int
    """Dice that nobody but an unmeasured camera has read."""

    @property
    def is_out(self) -> tuple[bool, ...]:
        """Which counts lie out of their bands."""
        return tuple(
            not least <= count <= most
            for count, (least, most) in zip(self.counts, self.band, strict=True)
        )

    @property
    def rolls(self) -> int:
        """How many dice were rolled and read."""
        return sum(self.counts)

    @property
    def verdict(self) -> str:
        """Return ``"fair"`` (as far as one can tell), ``"loaded"`` or ``"too few"``."""
        if self.p_value <= ALPHA:
            return LOADED
        is_blind = self.rolls < FEW or self.power[max(RATIOS)] < HARDLY
        return TOO_FEW if is_blind else FAIR


def audit(rolls: Iterable[DieRoll], checks: ReaderChecks | None = None) -> tuple[DieAudit, ...]:
    """Audit every kind of dice, and each die that can be told from the others of its kind.

    Parameters
    ----------
    rolls : iterable of DieRoll
        In the order in which they were made; those that do not stand are left out.
    checks : ReaderChecks, optional
        How often the camera was found right and wrong; without them its word is taken.
    """
    kinds: dict[DieKind, list[DieRoll]] = {}
    for roll in rolls:
        if roll.status == STANDS:
            kinds.setdefault(roll.kind, []).append(roll)
    found = []
    for kind, same in kinds.items():
        measured = (checks or {}).get(kind.id)
        seen = {roll.look for roll in same if roll.face is not None}
        looks = sorted(seen, key=counting_order)
        first = next((roll for roll in same if roll.face is not None), same[0])
        has_like = sum(other.id == kind.id for other in kinds) > 1
        faces = f" ({', '.join(map(str, kind.faces))})" if has_like else ""
        title = kind.id if len(looks) > 1 else first.die
        found.append(_audit_die(title + faces, same, kind, measured))
        if len(looks) > 1:
            for look in looks:
                # What cannot be read may look like another die, too: it may be any of them.
                own = [roll for roll in same if roll.face is None or roll.look == look]
                named = next(roll for roll in own if roll.look == look)
                name = named.die if look else f"{kind.id} (others)"
                found.append(_audit_die(name + faces, own, kind, measured))
    return tuple(found)


def fair_die(rolls: Iterable[DieRoll], kind: DieKind, checks: Checks | None = None) -> Fair:
    """Return what these rolls are held against.

    As soon as the camera had a part in them, the limits of its errors hold for all. What people
    told instead is not kept apart: they tell the very faces that are hard to read.
    """
    if checks is None or not any(roll.is_read for roll in rolls):
        return exactly_read(kind)
    return read_with_errors(kind, checks)


def _audit_die(
    title: str, rolls: Sequence[DieRoll], kind: DieKind, checks: Checks | None
) -> DieAudit:
    fair = fair_die(rolls, kind, checks)
    evidence = Evidence(fair)
    path = [(0, 0.0)]
    for dice in together(rolls):
        evidence.update(roll.face for roll in dice)
        path.append((evidence.rolls, evidence.log_now / log(10)))
    counts = tuple(evidence.counts)
    read, unread = evidence.rolls, evidence.unread
    unfollowed = _unfollowed(rolls)
    return DieAudit(
        die=title,
        names=tuple(face_name(kind.id, value) for value in fair.values),
        fair=fair,
        counts=counts,
        counts_then=evidence.counts_then,
        band=tuple(_band(read, unread, low, high, len(counts)) for low, high in fair.limits()),
        p_value=evidence.p_value,
        path=tuple(_thinned(path)),
        fixed=fixed_test(counts, fair, unread),
        power={ratio: power(fair, _rounded(read, 5), ratio, _rounded(unread)) for ratio in RATIOS},
        memory=None if unfollowed else _memory(rolls, fair),
        unfollowed=unfollowed,
        captains=_differing(rolls, fair),
        evenings=_each_alone(rolls, fair, lambda roll: roll.evening),
        tables=_each_alone(rolls, fair, lambda roll: roll.table),
        unread=unread,
        unchecked=sum(roll.is_read_only for roll in rolls) if checks is None else 0,
    )


def _band(read: int, unread: int, low: float, high: float, faces: int) -> tuple[int, int]:
    """Return counts between which one face of a fair die lies; all faces together 95 in 100.

    The face may lack all unread dice, or none of them.
    """
    import numpy as np
    from scipy.special import bdtr

    level = ALPHA / (2 * faces)
    rolls = read + unread
    counts = np.arange(rolls + 1)
    least = np.searchsorted(bdtr(counts, rolls, low), level)
    most = np.searchsorted(bdtr(counts, rolls, high), 1 - level)
    return max(int(least) - unread, 0), min(int(most), read)


def _rounded(rolls: int, least: int = 1) -> int:
    """Round down to two digits, or in steps of at least so many.

    The power hardly changes, and is not simulated at every roll: a verdict that hangs on it does
    not waver.
    """
    step: int = max(least, 10 ** max(0, len(str(rolls)) - 2))
    return rolls // step * step


def _thinned(path: Sequence[tuple[int, float]]) -> Iterable[tuple[int, float]]:
    """Keep the highest point of every stretch, and the last."""
    stretch = max(1, len(path) // MOST_POINTS)
    highest = path[0]
    for start in range(0, len(path), stretch):
        highest = max(path[start : start + stretch], key=lambda point: point[1])
        yield highest
    if path[-1] != highest:
        yield path[-1]


def _unfollowed(rolls: Sequence[DieRoll]) -> str:
    """Say why a die cannot be followed from roll to roll; empty if it can be.

    Not across dice that could not be read: a roll is doubted if it shows the same as the last. And
    not from one die to another: two loaded dice, one after the other, would seem to have a memory.
    """
    if any(roll.face is None for roll in rolls):
        return UNREAD
    if len({roll.table for roll in rolls}) > 1:
        return TABLES
    if len({roll.look for roll in rolls}) > 1:
        return LOOKS
    return "" if all(len(dice) == 1 for dice in together(rolls)) else TOGETHER


def _memory(rolls: Sequence[DieRoll], fair: Fair) -> Memory:
    """Follow a die from roll to roll."""
    follow = Dependence(fair)
    for roll in rolls:
        if roll.face is not None:
            follow.update(roll.face)
    return Memory(follow.rolls, follow.repeats, follow.expected_repeats(), exp(-follow.log_most))


def _differing(rolls: Sequence[DieRoll], fair: Fair) -> tuple[Group, ...]:
    """Compare each captain with the others, by what could be read; two with one another.

    Only where all of them rolled the same die, as far as one knows: else who rolled the loaded one
    of two would be accused for it.
    """
    read = [roll for roll in rolls if roll.captain and roll.face is not None]
    own = _by(read, lambda roll: roll.captain)
    if len(own) < 2 or len({(roll.look, roll.table) for roll in read}) > 1:
        return ()
    compared = list(own)[:1] if len(own) == 2 else list(own)
    sides = {name: Comparison(fair, len(own) - 1) for name in compared}
    for dice in together(read):
        faces = [roll.face for roll in dice if roll.face is not None]
        for name, side in sides.items():
            side.update(faces, in_group=dice[0].captain == name)
    p_values = holm({name: side.p_value for name, side in sides.items()})
    shared = p_values[compared[0]]
    return tuple(_group(name, same, fair, p_values.get(name, shared)) for name, same in own.items())


def _each_alone(
    rolls: Sequence[DieRoll], fair: Fair, key: Callable[[DieRoll], str]
) -> tuple[Group, ...]:
    """Hold the rolls of each evening or table against a fair die."""
    own = _by(rolls, key)
    if len(own) < 2:
        return ()
    evidence = {name: Evidence(fair) for name in own}
    for dice in together([roll for roll in rolls if key(roll)]):
        evidence[key(dice[0])].update(roll.face for roll in dice)
    p_values = holm({name: one.p_value for name, one in evidence.items()})
    return tuple(_group(name, same, fair, p_values[name]) for name, same in own.items())


def _by(rolls: Sequence[DieRoll], key: Callable[[DieRoll], str]) -> dict[str, list[DieRoll]]:
    """Sort rolls by captain, evening or table; those without one are left out."""
    groups: dict[str, list[DieRoll]] = {}
    for roll in rolls:
        if key(roll):
            groups.setdefault(key(roll), []).append(roll)
    return groups


def _group(name: str, rolls: Sequence[DieRoll], fair: Fair, p_value: float) -> Group:
    came = Counter(roll.face for roll in rolls)
    return Group(name, len(rolls), p_value, tuple(came[value] for value in fair.values))


def sorted_dice(rolls: Sequence[DieRoll]) -> tuple[str, ...]:
    """Return the kinds of dice whose rolls stand in the order of their faces.

    No dice fall so by chance: somebody has sorted the table. Dice of a single throw do not count,
    since they are always sorted.
    """
    found = []
    for kind in dict.fromkeys(roll.kind for roll in rolls):
        same = [roll for roll in rolls if roll.kind == kind and roll.face is not None]
        faces = [roll.face for roll in same if roll.face is not None]
        is_sorted = faces in (sorted(faces), sorted(faces, reverse=True))
        throws = sum(1 for _ in together(same))
        if is_sorted and len(faces) >= FEW and len(set(faces)) > 1 < throws:
            found.append(kind.id)
    return tuple(dict.fromkeys(found))
