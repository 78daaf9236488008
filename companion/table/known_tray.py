"""The tray from picture to picture: what lay there last, and whether something tumbled since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf

from companion.rules.game import ChanceRoll
from companion.rules.layout import Die
from companion.table.awaited import awaited_dice, make_a_roll
from companion.table.findings import Start, State, told_by_people
from companion.table.observation import Observation
from companion.table.outlook import Outlook
from companion.table.remembered_dice import Memory, Role
from companion.table.tray import ReadDie, TraySight


@dataclass(frozen=True, slots=True)
class Told:
    """A roll that somebody told last, and when.

    By then its dice lay still: what tumbled before is that throw, whatever is read of it, and what
    tumbles later is another one.
    """

    dice: tuple[Die, ...] = ()
    """Those that the camera may still have to see."""
    at_s: float = -inf
    """Exposure of the newest picture by then."""

    def is_of(self, observation: Observation) -> bool | None:
        """Say whether dice that are new in a picture were thrown before; ``None``: it is open."""
        if observation.time_s <= self.at_s:
            return True  # it was still being read
        if not observation.has_tumbled:
            return None
        before_s, after_s = observation.tumbled_s or (observation.time_s, observation.time_s)
        if before_s > self.at_s:
            return False
        return True if after_s <= self.at_s else None


@dataclass(slots=True)
class KnownTray:
    """Remembers the tray for the watcher of a table.

    Parameters
    ----------
    outlook : Outlook
        What can follow from the states of the game.
    """

    outlook: Outlook
    memory: Memory | None = None
    """What lay there at the last certain rest; ``None`` until the tray has been seen."""
    lessons: list[ReadDie] = field(default_factory=list)
    """What people have said of dice that the camera did not tell so; for who learns from it."""
    _newest_s: float = -inf
    """Exposure of the newest picture, though it may not have been read yet."""
    _latest: Observation | None = None
    """The last picture in which the tray was seen."""
    _told: Told = Told()
    _has_tumbled: bool = False
    """Something has tumbled that is not spoken for yet."""
    _is_unrolled: bool = False
    """What is seen first was not rolled for this game."""
    _forgotten_s: float = -inf
    """Exposure of the newest picture when there was no tray any more: what older ones show of it,
    which may still be read, is of no account."""

    def look(self, state: State, observation: Observation) -> Observation:
        """Take the next picture; return it with whether anything tumbled since the last roll.

        Parameters
        ----------
        state : State
            The last certain state.
        observation : Observation
            What was seen, and whether anything tumbled since the picture before.
        """
        self.note_exposure(observation.time_s)
        if observation.time_s <= self._forgotten_s:
            observation = replace(observation, dice=None, has_tumbled=None)
        is_told = self._told.is_of(observation)
        if observation.has_tumbled is not None:
            self._has_tumbled |= observation.has_tumbled and not is_told
            observation = replace(observation, has_tumbled=self._has_tumbled)
        if observation.dice is None:
            return observation
        is_first = not self._has_looked_since_told
        self._latest = observation
        waiting = self.outlook.layout(state).dice
        if self.memory is None:
            # After a start nobody knows how the dice came to lie there.
            is_doubtful = not self._is_unrolled
            self.memory = TraySight(observation.dice, ()).settle(waiting, is_doubtful)
        elif is_told is False:
            self._told = Told()
        elif is_told or self._told.dice:
            self._take_told(state, is_told, is_first)
        return observation

    def note_exposure(self, time_s: float) -> None:
        """Take in that there is a picture of this moment: what is told next is told later."""
        self._newest_s = max(self._newest_s, time_s)

    @property
    def _has_looked_since_told(self) -> bool:
        return self._latest is not None and self._latest.time_s > self._told.at_s

    def _take_told(self, state: State, is_told: bool | None, is_first: bool) -> None:
        """Hold dice that are new for those of the roll that was told, if they may be its.

        If nobody knows when they were thrown, dice that were not there in an earlier picture since
        are another throw, unless they show what was told.
        """
        sight = self.sight()
        assert sight is not None, "the tray has just been seen"
        if not sight.fresh:
            return
        spent, others = Role.USED, Role.USED if is_told else None
        if not is_told:
            may_be_next = make_a_roll(self._told.dice, awaited_dice(self.outlook, state))
            spent = Role.IDLE if may_be_next else Role.USED
            others = Role.IDLE if is_first else None
        waiting = self.outlook.layout(state).dice
        self.memory = sight.take_told(self._told.dice, waiting, spent, others)
        self._told = replace(self._told, dice=())

    def forget(self, *, is_unrolled: bool = False) -> None:
        """Know nothing of it: there is none in the pictures from now on.

        With `is_unrolled`, what lies there in the next one was not rolled for this game.
        """
        self.memory = self._latest = None
        self._told, self._has_tumbled = Told(), False
        self._is_unrolled, self._forgotten_s = is_unrolled, self._newest_s

    def sight(self) -> TraySight | None:
        """Return the last picture against the memory."""
        if self._latest is None or self.memory is None:
            return None
        return TraySight(self._latest.dice, self.memory, self._latest.has_tumbled)

    def remember(self, memory: Memory) -> None:
        """Go on from what a certain picture showed."""
        self.memory = memory
        sight = self.sight()
        if sight is not None and not sight.fresh:
            self._has_tumbled = False

    def accept(self, memory: Memory, *, is_told: bool = False) -> None:
        """Go on from a picture whose roll or move was applied.

        With `is_told` people have said that its dice were rolled. If others were thrown by then,
        nobody knows what for.
        """
        if is_told:
            self._told = Told((), self._newest_s)
        elif self._has_looked_since_told:
            self._told = Told()
        self.remember(memory)

    def settle(self, state: State, told: tuple[Die, ...], *, is_undone: bool = False) -> None:
        """Hold what lies there to be spoken for: it is no new roll.

        Parameters
        ----------
        state : State
            What is certain now.
        told : tuple of Die
            Dice of a roll that somebody told.
        is_undone : bool
            Something was taken back: of what had been thrown by then nobody knows what it is for.
        """
        if told or is_undone:  # else the one told last may still have to be seen
            self._told = Told(told, self._newest_s)
        self._has_tumbled = False
        sight = self.sight()
        if sight is not None:
            self.lessons.extend(told_by_people(_as_told(sight, told)))
            if told and sight.shows(told):
                self._told = replace(self._told, dice=())
            self.memory = sight.settle(self.outlook.layout(state).dice, told=told)

    def untold_roll(self, state: State) -> str | None:
        """Return the last picture if dice lie in it that were rolled, or may have been."""
        sight = self.sight()
        wanted = awaited_dice(self.outlook, state)
        if sight is None or self._latest is None or not wanted:
            return None
        is_rolled = bool(sight.fresh) or make_a_roll(sight.best_dice(sight.doubtful), wanted)
        return self._latest.frame_id if is_rolled else None

    def as_rolled(self, state: State) -> tuple[Start, Observation] | None:
        """Return the last picture, and how to explain it if somebody says the dice were rolled.

        ``None``: no roll is awaited, or no dice lie there of which that is in doubt.
        """
        sight, pending = self.sight(), self.outlook.game.pending(state)
        if sight is None or self._latest is None or not isinstance(pending, ChanceRoll):
            return None
        if not sight.doubtful:
            return None
        return Start(state, sight.undoubted()), replace(self._latest, has_tumbled=None)


def _as_told(sight: TraySight, told: Iterable[Die]) -> tuple[ReadDie, ...]:
    """Return the dice that may be new, taken for those somebody told; empty if that is open.

    What the camera tells likeliest is it, if it was told; the rest must be one die.
    """
    left, unread, dice = Counter(told), list[int](), list[ReadDie]()
    for index in sorted(sight.fresh | sight.doubtful):
        best = sight.best_dice((index,))
        if best and left[best[0]] > 0:
            left[best[0]] -= 1
            dice.append(sight.read_as(index, best[0]))
        else:
            unread.append(index)
    rest = list(left.elements())
    if len(unread) != len(rest) or len(rest) > 1:
        return ()
    return (*dice, *(sight.read_as(k, die) for k, die in zip(unread, rest, strict=True)))
