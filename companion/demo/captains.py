"""Virtual captains: they know the rules, hold pieces and dice in their hands, and look at phones.

They move the pieces of a virtual table, roll its dice, press its buttons and tap on phones, as
people do. They never call the referee; what it makes of their play it must see in the pictures.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, Protocol

from companion.demo.phone import Phone, PhoneRefused
from companion.demo.taste import Taste
from companion.errors import RuleError
from companion.rules.dice import STANDARD_DICE
from companion.rules.game import (
    AnyGame,
    ChanceRoll,
    Decision,
    GameOver,
    PlayerId,
)
from companion.rules.layout import Die, Layout, Spot
from companion.table.sentences import line_text
from companion.table.sight import same_table

PATIENCE = 40
"""Pictures a captain waits for the phone to follow before telling it what happened."""

NONE_OF_THESE = "other"
"""Id of the answer that fits no choice."""
MOST_LISTED = 6
"""Dice of a roll whose results are weighed; more are simply thrown."""
MEASURED = re.compile(r"-?[\d.]+, -?[\d.]+( mm)? heading [\d.]+|\d+ degrees")
"""What a sentence says of places and angles: it differs a little, measured."""


class Pieces(Protocol):
    """What hands can do at the table."""

    def lay(self, layout: Layout) -> None:
        """Put the pieces so; pieces that stay are not touched."""
        ...

    def accept(self, layout: Layout) -> None:
        """Hold the pieces to stand so from now on, as they were measured; none is touched."""
        ...

    def roll(self, dice: tuple[Die, ...]) -> None:
        """Throw these dice into the tray; those that lie there stay."""
        ...

    def take(self, dice: tuple[Die, ...]) -> None:
        """Take dice out of the tray."""
        ...

    def sweep(self) -> None:
        """Take all dice out of the tray."""
        ...

    def reach(self, spots: tuple[Spot, ...], seat: int) -> None:
        """Hold a hand over the board where something lies, or over the tray."""
        ...

    def withdraw(self) -> None:
        """Take the hand away."""
        ...


@dataclass
class Tally:
    """What became of the moves and rolls of a game."""

    moves: int = 0
    """Moves and rolls that the camera had to see."""
    recognised: int = 0
    """Recorded from the pictures alone."""
    asked: int = 0
    """Questions the table asked."""
    pressed: int = 0
    """Times a captain pressed the button to say that a move was done."""
    told: int = 0
    """Moves a captain had to tell by phone because the table did not follow."""
    misread: int = 0
    """Lines of the log that were wrong without a question; a captain put them right."""


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
    hurry: float = 0.15
    """Chance of making another move before the hand is taken away."""
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
        before = self._do(roll)
        self.pieces.reach((), int(pending.player))
        self.wait()
        if len(pending.dice) > 1 or not self.game.layout(before).dice:
            self.pieces.sweep()  # all there is spoken for; a die is rolled over and over
        self.pieces.roll(self.game.rolled(roll))
        self._hand(before, self.state, self.game.rolled(roll))
        self._hand_away()
        self._follow(seen=1)

    # -- decisions ------------------------------------------------------------------------------

    def _decide(self, pending: Decision) -> None:
        action = self.taste.choose(self.state, pending.player)
        before, after = self.game.layout(self.state), self.game.layout(self._after(action))
        if pending.measured and before.changed(after):
            self._move(action, pending.player)  # a ship taken away is asked about
        elif before.pieces != after.pieces:
            self._say(action)  # what stands on an open table is told where nothing is measured
        elif self._shows(action):
            self._move(action, pending.player)
        else:
            self._unseen(action, pending)

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
        while self.rng.random() < self.hurry and (more := self._another(player)):
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
        for _ in tuple(self._since):
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
        after = self.game.layout(self._after(action))
        return action if after.changed(self.game.layout(self.state)) else None

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
        try:
            self.phone.send({"type": "act", "action": self.game.action_to_json(action)})
        except PhoneRefused:
            if not self.game.layout(before).pieces:
                raise
            self.state = before
            self._since.pop()
            self.taste.refused.add(action)
            return
        self._hand(before, self.state)
        self._await_phone()

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
            elif patience == PATIENCE // 8 and shown["notice"] and not self._may_pass():
                self.tally.pressed += 1
                self.press_turn()  # "what I did is done"
            else:
                self.wait()
        return self._has_followed(self.phone.look())

    def _has_followed(self, shown: dict[str, Any]) -> bool:
        """Note it if the phone agrees with the truth."""
        if not self._agrees(shown):
            return False
        self._take_measured(Layout.from_json(shown["layout"]))
        self._agreed, self._read = self.state, _last_line(shown)
        self._since.clear()
        return True

    def _take_measured(self, seen: Layout) -> None:
        """Take the places that the table measured for those of the pieces, as people do.

        Nobody knows a place to the millimetre; what follows from it is what the phone says.
        """
        state = self._agreed
        try:
            for action in self._since:
                state = self.game.apply(state, self._as_measured(state, action, seen)).state
        except RuleError:
            return
        if state != self.state and self.game.layout(state).pieces == seen.pieces:
            self.state = state
            self.pieces.accept(self.game.layout(state))

    def _as_measured(self, state: Any, action: Any, seen: Layout) -> Any:
        """Return the same action with the poses that were measured, if it moves pieces."""
        after = self.game.layout(self.game.apply(state, action).state)
        moved = self.game.layout(state).changed(after)
        poses = {tag: piece.pose for tag, piece in seen.pieces.items() if tag in moved}
        words = _but_for_places(self.game.describe(state, action))
        found = self.game.measured(state, poses) if poses else ()
        alike = (a for a in found if _but_for_places(self.game.describe(state, a)) == words)
        return next(alike, action)

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
        fitting = [c for c in choices if self._is_true(c)]
        fitting += [c for c in choices if c["id"] == NONE_OF_THESE] or choices[-1:]
        self.phone.send({"type": "answer", "question": question["id"], "choice": fitting[0]["id"]})

    def _is_true(self, choice: dict[str, Any]) -> bool:
        """Whether an answer tells how the table came from what was last agreed to the truth.

        Words tell it exactly; where something was measured its place and angles differ a little.
        """
        state = self._agreed
        if self.game.layout(self.state).pieces:
            truth = line_text(self.game, state, self._since)
            return _but_for_places(choice["text"]) == _but_for_places(truth)
        try:
            for words in choice["text"].split("; then "):
                state = self.game.apply(state, self.game.parse(state, words)).state
        except RuleError:
            return False
        return bool(state == self.state)

    def _put_right(self) -> bool:
        """Point at the line of the log that is wrong and say what it was, if there is one."""
        log = [e for e in self.phone.look()["log"] if e["seq"] > self._read and not e["retracted"]]
        state = self._agreed
        for entry, action in zip(log, self._since, strict=False):
            after = self.game.apply(state, action).state
            if not self._says(entry["text"], state, action, after):
                self.tally.misread += 1
                correction = {"seq": entry["seq"], "action": self.game.action_to_json(action)}
                try:
                    self.phone.send({"type": "correct", **correction})
                except PhoneRefused:
                    return False
                return self._await_phone()
            state = after
        return False

    def _says(self, text: str, state: Any, action: Any, after: Any) -> bool:
        """Whether a line of the log says what was done; measured numbers differ a little."""
        words = self.game.describe(state, action)
        if self.game.layout(state).pieces == self.game.layout(after).pieces:
            return text == words
        return _but_for_places(text) == _but_for_places(words)

    def _tell(self) -> None:
        """Tell the table by phone what it did not see."""
        for action in tuple(self._since):
            try:
                self.phone.send({"type": "act", "action": self.game.action_to_json(action)})
            except PhoneRefused:
                break
        self._await_phone()


def _but_for_places(text: str) -> str:
    """Return what is said without the places and angles in it."""
    return MEASURED.sub("", text)


def _last_line(shown: dict[str, Any]) -> int:
    """Return the number of the last line of the log."""
    return max((entry["seq"] for entry in shown["log"]), default=0)


def _touched(old: Layout, new: Layout) -> tuple[Spot, ...]:
    """Cells and pieces a hand must reach for."""
    return tuple(sorted(old.changed(new), key=str))
