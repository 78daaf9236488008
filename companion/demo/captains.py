"""Virtual captains: they know the rules, hold pieces and dice in their hands, and look at phones.

They move the pieces of a virtual table, roll its dice, press its buttons and tap on phones, as
people do. They never call the referee; what it makes of their play it must see in the pictures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any

from companion.demo.accounts import as_measured, says, tells, unsaid
from companion.demo.party import Pieces, Tally
from companion.demo.phone import Phone, PhoneRefused
from companion.demo.taste import Taste
from companion.rules.dice import STANDARD_DICE
from companion.rules.game import (
    AnyGame,
    ChanceRoll,
    Decision,
    GameOver,
    PlayerId,
)
from companion.rules.layout import Die, Layout, Spot
from companion.table.sight import same_table

PATIENCE = 80
"""Pictures a captain waits for the phone to follow before telling it what happened: a ship at the
edge of the picture may be an arm for as many as `vision.settling.ARM_PATIENCE`, and a question
comes some seconds later."""
PRESS_AFTER = 5
"""Pictures a captain waits before saying by the button that what was done is done."""

NONE_OF_THESE = "other"
"""Id of the answer that fits no choice."""
HURRY = 0.15
"""Chance of making another move before the hand is taken away."""
MOST_LISTED = 6
"""Dice of a roll whose results are weighed; more are simply thrown."""


@dataclass
class Captains:
    """A party playing one game at a virtual table.

    Parameters
    ----------
    game, state
        Rules and truth: what really lies on the table.
    pieces : Pieces
        The virtual table.
    phone : Phone
        Any captain's phone.
    press_turn : callable
        Pushes the big button.
    wait : callable
        Lets the table look once more (a picture, or a moment of real time).
    rng : Random
        Source of all dice and choices.
    """

    game: AnyGame
    state: Any
    pieces: Pieces
    phone: Phone
    press_turn: Callable[[], None]
    wait: Callable[[], None]
    rng: Random
    tally: Tally = field(default_factory=Tally)
    taste: Taste = field(init=False)
    _agreed: Any = field(init=False)
    """Truth when the phone last agreed with it."""
    _since: list[Any] = field(default_factory=list)
    """What was done since then."""
    _read: int = 0
    """Number of the last line of the log at that time."""

    def __post_init__(self) -> None:
        self._agreed = self.state
        self.taste = Taste(self.game, self.rng)

    def play(self, on_step: Callable[[Any], None] = lambda state: None) -> Any:
        """Play to the end and return the final state; `on_step` gets the truth after each step."""
        while not self.is_over:
            self.step()
            on_step(self.state)
        return self.state

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, in truth."""
        return isinstance(self.game.pending(self.state), GameOver)

    def step(self) -> None:
        """Do what is pending, as people would, and wait until the phone shows it."""
        pending = self.game.pending(self.state)
        if isinstance(pending, ChanceRoll):
            self._chance(pending)
        elif isinstance(pending, Decision):
            self._decide(pending)

    # -- chance ---------------------------------------------------------------------------------

    def _chance(self, pending: ChanceRoll) -> None:
        if len(pending.dice) > MOST_LISTED:
            self._roll(pending, self._thrown(pending.dice))
            return
        outcomes = self.game.chance_outcomes(self.state)
        weights = [float(p) for _, p in outcomes]
        roll = self.rng.choices([a for a, _ in outcomes], weights)[0]
        if pending.dice:
            self._roll(pending, roll)
        elif pending.told:
            self._say(roll)
        elif self._shows(roll) and self._is_told_apart(roll, outcomes):
            self._move(roll, pending.player)
        elif not self._shows(roll) and self._is_placed_next(roll, pending.player):
            self._do(roll)  # in the hand; the camera sees it once it is placed
        else:
            self._say(roll)

    def _thrown(self, kinds: tuple[str, ...]) -> Any:
        """Throw more dice than anybody would list the results of."""
        faces = {kind.id: kind.faces for kind in (*STANDARD_DICE, *self.game.info.dice)}
        dice = (Die(kind, self.rng.choice(faces[kind])) for kind in kinds)
        return self.game.roll_of(self.state, tuple(sorted(dice)))

    def _is_told_apart(self, draw: Any, outcomes: Sequence[tuple[Any, Fraction]]) -> bool:
        """Whether the table looks otherwise after every other draw."""
        after = self.game.layout(self._after(draw))
        return all(self.game.layout(self._after(a)) != after for a, _ in outcomes if a != draw)

    def _is_placed_next(self, draw: Any, player: PlayerId) -> bool:
        """Whether what is drawn will be put on the board at once by the same hand."""
        after = self._after(draw)
        pending = self.game.pending(after)
        if not isinstance(pending, Decision) or pending.player != player:
            return False
        before = self.game.layout(after)
        choices = self.game.legal_actions(after, player)
        return all(self.game.layout(self.game.apply(after, c).state) != before for c in choices)

    def _roll(self, pending: ChanceRoll, roll: Any) -> None:
        """Take the dice up, and throw them past the camera: it is to see them tumble."""
        before = self._do(roll)
        self.pieces.reach((), int(pending.player))
        self.wait()
        if len(pending.dice) > 1 or not self.game.layout(before).dice:
            self.pieces.sweep()  # all there is spoken for; a die is rolled over and over
        self._hand(before, self.state, self.game.rolled(roll))
        self._hand_away()
        self.wait()
        self.pieces.roll(self.game.rolled(roll))
        self._follow(seen=1)

    # -- decisions ------------------------------------------------------------------------------

    def _decide(self, pending: Decision) -> None:
        action = self.taste.choose(self.state, pending.player)
        changed = self._changes(action)
        if (changed or self._shows(action)) and not self._is_told(pending, changed):
            self._move(action, pending.player)
        elif changed:
            self._say(action)
        else:
            self._unseen(action, pending)

    def _changes(self, action: Any) -> frozenset[Spot]:
        """Return the cells and pieces that an action changes."""
        return self.game.layout(self.state).changed(self.game.layout(self._after(action)))

    @staticmethod
    def _is_told(pending: Decision, changed: frozenset[Spot]) -> bool:
        """Whether a phone tells it: pieces of an open table are moved by hand where it measures."""
        return not pending.measured and any(isinstance(spot, int) for spot in changed)

    def _shows(self, action: Any) -> bool:
        """Whether the board or the tray shows it. A tag that is gone is no evidence of anything."""
        before, after = self.game.layout(self.state), self.game.layout(self._after(action))
        stands = after.changed(before) - (before.pieces.keys() - after.pieces.keys())
        return bool(stands) or after.dice != before.dice

    def _move(self, action: Any, player: PlayerId) -> None:
        """Do it by hand, and perhaps more under the same hand."""
        touched = _touched(self.game.layout(self.state), self.game.layout(self._after(action)))
        self.pieces.reach(touched, int(player))
        self.wait()
        self._hand(self._do(action), self.state)
        seen = 1
        while self.rng.random() < HURRY and (more := self._another(player)):
            self._hand(self._do(more), self.state)
            seen += 1
        self._hand_away()
        self._follow(seen)

    def _unseen(self, action: Any, pending: Decision) -> None:
        """Choices that move no piece: play on, roll, press the button, or tell the phone."""
        follows = self.game.pending(self._after(action))
        rolls = isinstance(follows, ChanceRoll) and bool(follows.dice)
        passes = action == pending.passing
        if passes and (pending.told or self._scores(action)):
            self._press(action)  # nobody leaves open whether upkeep was paid, or the game is over
        elif passes or (pending.passing is None and rolls and not pending.told):
            self._do(action)  # what comes next will show it
        elif not pending.told and self._silent(pending.player) == [action]:
            self._press(action)
        else:
            self._say(action)

    def _scores(self, action: Any) -> bool:
        """Whether a choice changes what the pages show of the captains, or ends the game."""
        before, after = self.state, self._after(action)
        seats = [self.game.view(state, None).seats for state in (before, after)]
        return seats[0] != seats[1] or isinstance(self.game.pending(after), GameOver)

    def _press(self, action: Any) -> None:
        """Make a choice by the big button, and first those that were left to be seen."""
        for _ in self._unsaid():
            if not self._has_followed(self.phone.look()):
                self.press_turn()
        self._do(action)
        self.press_turn()
        self._await_phone()

    def _silent(self, player: PlayerId) -> list[Any]:
        """Return the choices that move nothing."""
        return [a for a in self.game.legal_actions(self.state, player) if not self._shows(a)]

    def _another(self, player: PlayerId) -> Any | None:
        """Choose one more move of the same captain that pieces and dice can show, or ``None``."""
        pending = self.game.pending(self.state)
        if not isinstance(pending, Decision) or pending.player != player:
            return None
        action = self.taste.choose(self.state, player)
        changed = self._changes(action)
        return action if changed and not self._is_told(pending, changed) else None

    # -- hands and phones -----------------------------------------------------------------------

    def _after(self, action: Any) -> Any:
        return self.game.apply(self.state, action).state

    def _do(self, action: Any) -> Any:
        """Make it true; return the state before."""
        before, self.state = self.state, self._after(action)
        self._since.append(action)
        return before

    def _hand(self, before: Any, after: Any, rolled: tuple[Die, ...] = ()) -> None:
        """Move the pieces, put spent dice aside, lay down dice that were turned."""
        old, new = self.game.layout(before), self.game.layout(after)
        self.pieces.lay(new)
        self.pieces.take(tuple((Counter(old.dice) - Counter(new.dice)).elements()))
        turned = Counter(new.dice) - Counter(old.dice) - Counter(rolled)
        self.pieces.roll(tuple(turned.elements()))

    def _hand_away(self) -> None:
        self.wait()
        self.pieces.withdraw()

    def _say(self, action: Any) -> None:
        """Tell the phone, and do it; what a millimetre more or less forbids is not done."""
        before = self._do(action)
        told = {"type": "act", "action": self.game.action_to_json(action)}
        try:
            self.phone.send(told)
        except PhoneRefused:
            if self.game.layout(before).pieces:
                self.state = before
                self._since.pop()
                self.taste.refused.add(action)
                return
            self._take_the_seat_back()
            self.phone.send(told)
        self._hand(before, self.state)
        self._await_phone()

    def _take_the_seat_back(self) -> None:
        """Free the seat that a visitor holds for whoever is on turn: what is secret needs it."""
        for seat in self.phone.look()["seats"]:
            if seat["asked"] and seat["taken"]:
                self.phone.send({"type": "free_seat", "taken": seat["seat"]})

    def _follow(self, seen: int) -> None:
        """Wait until the phone shows what was done; answer its question; at last, tell it."""
        self.tally.moves += seen
        helped = self.tally.asked + self.tally.pressed
        if self._await_phone():
            self.tally.recognised += seen if self.tally.asked + self.tally.pressed == helped else 0
            return
        if self._put_right():
            return
        self.tally.told += seen
        self._tell()

    def _await_phone(self) -> bool:
        """Let the table look until the phone agrees with the truth; ``False`` if it does not."""
        for patience in range(PATIENCE):
            shown = self.phone.look()
            if self._has_followed(shown):
                return True
            if shown["question"]:
                self._answer(shown["question"])
            elif patience == PRESS_AFTER and shown["notice"] and not self._may_pass():
                self.tally.pressed += 1
                self.press_turn()  # "what I did is done"
            else:
                self.wait()
        return self._has_followed(self.phone.look())

    def _has_followed(self, shown: dict[str, Any]) -> bool:
        """Note it if the phone agrees with the truth."""
        if not self._agrees(shown):
            return False
        seen = Layout.from_json(shown["layout"])
        self.state = as_measured(self.game, self._agreed, self._since, self.state, seen)
        self.pieces.accept(self.game.layout(self.state))
        self._agreed, self._read = self.state, _last_line(shown)
        self._since.clear()
        return True

    def _may_pass(self) -> bool:
        """Whether the button would make another choice than what was done: it ends a turn."""
        pending = self.game.pending(self._agreed)
        return isinstance(pending, Decision) and pending.passing is not None

    def _agrees(self, shown: dict[str, Any]) -> bool:
        """Whether the phone shows the truth, as far as a captain can see."""
        view = self.game.view(self.state, None)
        return (
            shown["question"] is None
            and (not self._since or _last_line(shown) > self._read)
            and shown["pending"] == self.game.pending(self.state).text
            and same_table(Layout.from_json(shown["layout"]), self.game.layout(self.state))
            and [seat["scores"] for seat in shown["seats"]] == [dict(s.scores) for s in view.seats]
        )

    def _answer(self, question: dict[str, Any]) -> None:
        """Answer honestly: the choice that leads to the table as it truly is, else none of them."""
        self.tally.asked += 1
        choices = question["choices"]
        known = (self._agreed, self._since, self.state)
        fitting = [c for c in choices if tells(self.game, c["text"], *known)]
        fitting += [c for c in choices if c["id"] == NONE_OF_THESE] or choices[-1:]
        self.phone.send({"type": "answer", "question": question["id"], "choice": fitting[0]["id"]})

    def _put_right(self) -> bool:
        """Point at the line of the log that is wrong and say what it was, if there is one."""
        state = self._agreed
        for entry, action in zip(self._new_lines(), self._since, strict=False):
            after = self.game.apply(state, action).state
            if not says(self.game, entry["text"], state, action):
                self.tally.misread += 1
                correction = {"seq": entry["seq"], "action": self.game.action_to_json(action)}
                try:
                    self.phone.send({"type": "correct", **correction})
                except PhoneRefused:
                    return False
                return self._await_phone()
            state = after
        return False

    def _tell(self) -> None:
        """Tell the table what it did not see; once it knows the first it may see the rest."""
        for _ in tuple(self._since):
            if not (left := self._unsaid()):
                break
            try:
                self.phone.send({"type": "act", "action": self.game.action_to_json(left[0])})
            except PhoneRefused:
                break
        self._await_phone()

    def _unsaid(self) -> list[Any]:
        """Return what was done since the phone last agreed, but for what its log says by now."""
        said = [entry["text"] for entry in self._new_lines()]
        return unsaid(self.game, said, self._agreed, self._since)

    def _new_lines(self) -> list[dict[str, Any]]:
        """Return the lines of the log since the phone last agreed, but for those taken back."""
        log = self.phone.look()["log"]
        return [e for e in log if e["seq"] > self._read and not e["retracted"]]


def _last_line(shown: dict[str, Any]) -> int:
    """Return the number of the last line of the log."""
    return max((entry["seq"] for entry in shown["log"]), default=0)


def _touched(old: Layout, new: Layout) -> tuple[Spot, ...]:
    """Cells and pieces a hand must reach for."""
    return tuple(sorted(old.changed(new), key=str))
