"""A toy game on an open table: two ships run for a line, at most 200 mm a go.

Some goes begin with a roll of many dice. It shows that the table measures any open game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import hypot
from typing import Any, ClassVar

from companion.boards.profile import load_profile
from companion.ledger.memory_store import MemoryStore
from companion.rules.deeds import Deed, Roll
from companion.rules.dice import D6
from companion.rules.fields import POSE, WHOLE, dice_of
from companion.rules.game import (
    LEGAL,
    ChanceRoll,
    Decision,
    GameInfo,
    Happening,
    Outcome,
    PlayerId,
    Ruling,
    Step,
)
from companion.rules.layout import Die, Layout, Placed, Pose, make_layout
from companion.rules.phases import Chance, Choice, Phase, PhasedGame, no
from companion.rules.views import SeatView, View
from companion.rules.writing import Codec, Writer
from companion.table.observation import DieReading, Observation, TagReading
from companion.table.referee import Referee

GOAL_MM = 600.0
REACH_MM = 200.0
HULL = ((40.0, 0.0), (0.0, 15.0), (-40.0, 15.0), (-40.0, -15.0), (0.0, -15.0))
DICE = 20


@dataclass(frozen=True, slots=True)
class Sail(Deed):
    """Sail a ship to a pose."""

    name: ClassVar[str] = "sail"
    tag: int
    to: Pose


@dataclass(frozen=True, slots=True)
class Launch(Deed):
    """Put one's ship behind the line."""

    name: ClassVar[str] = "launch"
    to: Pose


@dataclass(frozen=True, slots=True)
class Launching:
    """The ships are put on the table."""


@dataclass(frozen=True, slots=True)
class Cast:
    """The wind is rolled for, with far too many dice."""


@dataclass(frozen=True, slots=True)
class Running:
    """Somebody sails."""


@dataclass(frozen=True, slots=True)
class Finished:
    """A ship is over the line."""


@dataclass(frozen=True, slots=True)
class Waters:
    """Where the two ships are."""

    names: tuple[str, ...]
    stage: Launching | Cast | Running | Finished
    poses: tuple[Pose, ...]
    turn: PlayerId
    dice: tuple[Die, ...] = ()


ACTIONS = Writer(
    {"roll": Roll, "sail": Sail, "launch": Launch},
    {"player": WHOLE, "tag": WHOLE, "to": POSE, "dice": dice_of(["d6"])},
)


def _none(state: Any) -> Any:
    """States of this toy are never written."""
    raise NotImplementedError


class Casting(Chance[Waters, Deed]):
    """Rolls twenty dice."""

    name, rule, takes = "cast", "REG-1", (Roll,)

    def pending(self, state: Waters) -> ChanceRoll:
        return ChanceRoll(state.turn, self.name, "Roll for the wind", ("d6",) * DICE)

    def refuse(self, state: Waters, action: Deed) -> Ruling | None:
        assert isinstance(action, Roll)
        fits = [d.kind for d in action.dice] == ["d6"] * DICE
        return None if fits else no("REG-1", f"Roll {DICE} dice.")

    def play(self, state: Waters, action: Deed) -> Step[Waters]:
        assert isinstance(action, Roll)
        return Step(replace(state, stage=Running()))

    def odds(self, state: Waters) -> tuple[tuple[Deed, Fraction], ...]:
        raise AssertionError("nobody can list the rolls of twenty dice")


class Sailing(Choice[Waters, Deed]):
    """Moves one's ship by at most the reach."""

    name, rule, takes = "sail", "REG-2", (Sail,)

    def pending(self, state: Waters) -> Decision:
        return Decision(state.turn, self.name, f"{state.names[state.turn]}: sail", measured=True)

    def refuse(self, state: Waters, action: Deed) -> Ruling | None:
        assert isinstance(action, Sail)
        if action.tag != 10 + state.turn:
            return no("REG-3", "That is not your ship.")
        old = state.poses[state.turn]
        gone = hypot(action.to.x_mm - old.x_mm, action.to.y_mm - old.y_mm)
        over = gone - REACH_MM
        return no("REG-2", f"{over:.0f} mm too far.") if over > 6 else None

    def play(self, state: Waters, action: Deed) -> Step[Waters]:
        assert isinstance(action, Sail)
        poses = tuple(action.to if i == state.turn else p for i, p in enumerate(state.poses))
        stage = Finished() if action.to.x_mm > GOAL_MM else Running()
        after = PlayerId(1 - state.turn)
        told = (Happening(f"{state.names[state.turn]} is over the line", "REG-4"),)
        is_over = isinstance(stage, Finished)
        return Step(Waters(state.names, stage, poses, after), told if is_over else ())

    def actions(self, state: Waters) -> tuple[Deed, ...]:
        old = state.poses[state.turn]
        reaches = (replace(old, x_mm=old.x_mm + mm) for mm in (100.0, REACH_MM))
        return tuple(Sail(state.turn, 10 + state.turn, pose) for pose in reaches)

    def measured(self, state: Waters, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        pose = seen.get(10 + state.turn)
        old = state.poses[state.turn]
        if pose is None or hypot(pose.x_mm - old.x_mm, pose.y_mm - old.y_mm) < 6:
            return ()
        deed = Sail(state.turn, 10 + state.turn, pose.rounded())
        return (deed,) if self.refuse(state, deed) is None else ()


class PuttingOut(Choice[Waters, Deed]):
    """Puts one ship after the other on the table, left of the line."""

    name, rule, takes = "launch", "REG-5", (Launch,)

    def pending(self, state: Waters) -> Decision:
        text = f"{state.names[state.turn]}: put your ship on the table"
        return Decision(state.turn, self.name, text, measured=True)

    def refuse(self, state: Waters, action: Deed) -> Ruling | None:
        assert isinstance(action, Launch)
        return no("REG-5", "Start left of 300.") if action.to.x_mm > 300 else None

    def play(self, state: Waters, action: Deed) -> Step[Waters]:
        assert isinstance(action, Launch)
        poses = (*state.poses, action.to)
        stage = Running() if len(poses) == 2 else Launching()
        return Step(Waters(state.names, stage, poses, PlayerId(1 - state.turn)))

    def actions(self, state: Waters) -> tuple[Deed, ...]:
        return (Launch(state.turn, Pose(100.0, 200.0 + 300 * state.turn, 0.0)),)

    def measured(self, state: Waters, seen: Mapping[int, Pose]) -> tuple[Deed, ...]:
        tag = 10 + state.turn
        deeds = [Launch(state.turn, seen[tag].rounded())] if tag in seen else []
        return tuple(deed for deed in deeds if self.refuse(state, deed) is None)


class Regatta(PhasedGame[Waters]):
    """Two ships, one line."""

    info = GameInfo("regatta", "Regatta", (2, 2), (), (D6,), "open-table")
    phases: ClassVar[Mapping[type, Any]] = {
        Launching: PuttingOut(),
        Cast: Casting(),
        Running: Sailing(),
    }
    over = Ruling(False, "REG-4", "The race is over.")
    seats_rule = "REG-0"
    codec: ClassVar[Codec[Any]] = Codec(ACTIONS, (), _none, _none, _none)

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> Waters:
        if options.get("launch"):
            return Waters(tuple(players), Launching(), (), PlayerId(0))
        poses = (Pose(100.0, 200.0, 0.0), Pose(100.0, 500.0, 0.0))
        return Waters(
            tuple(players), Cast() if options.get("dice") else Running(), poses, PlayerId(0)
        )

    def outcome(self, state: Waters) -> Outcome | None:
        if not isinstance(state.stage, Finished):
            return None
        first = PlayerId(0 if state.poses[0].x_mm > GOAL_MM else 1)
        return Outcome("First over the line", "REG-4", ((first,), (PlayerId(1 - first),)))

    def describe(self, state: Waters, action: Deed) -> str:
        if isinstance(action, Sail):
            return (
                f"{state.names[action.player]}: sail to {action.to.x_mm:.0f}, {action.to.y_mm:.0f}"
            )
        if isinstance(action, Launch):
            return f"{state.names[action.player]} puts out"
        return "The wind is cast"

    def who(self, state: Waters, player: PlayerId) -> str:
        return state.names[player]

    def rule_of_turn(self, state: Waters, asked: Decision) -> str:
        return "REG-3"

    def over_text(self, state: Waters) -> str:
        return "The race is over"

    def nearest_refusal(
        self, state: Waters, seen: Layout, phase: Phase[Any, Any], asked: Ruling
    ) -> Ruling:
        tag = 10 + state.turn
        if not isinstance(state.stage, Running) or tag not in seen.pieces:
            return LEGAL
        deed = Sail(state.turn, tag, seen.pieces[tag].pose)
        return self.check(state, deed)

    def view(self, state: Waters, viewer: PlayerId | None) -> View:
        seats = (
            SeatView(PlayerId(i), name, (("red", "blue")[i],), {}, 1)
            for i, name in enumerate(state.names)
        )
        return View("race", 1, tuple(seats))

    def layout(self, state: Waters) -> Layout:
        ships = {
            10 + i: Placed(
                pose, "ship", ("Anne's sloop", "Bart's sloop")[i], ("red", "blue")[i], HULL
            )
            for i, pose in enumerate(state.poses)
        }
        return make_layout({}, state.dice, ships)


def open_regatta(options: Mapping[str, object]) -> Referee:
    """Open a regatta of Anne and Bart, with a roll of many ``dice`` or with a ``launch`` first."""
    profile = load_profile("open-table")
    names = ["Anne", "Bart"]
    return Referee.open(
        Regatta(), names, options, profile, MemoryStore(), lambda: 0.0, "20260101-regatta"
    )


def seen(poses: Mapping[int, Pose], faces: Sequence[int] = (), at_s: float = 0.0) -> Observation:
    """Return what a camera tells of tags at some poses and of d6 in the tray."""
    dice = tuple(
        DieReading({Die("d6", face): 0.99}, (20.0 * (i % 10), 20.0 * (i // 10)), (0, 0, 9, 9))
        for i, face in enumerate(faces)
    )
    tags = {tag: TagReading(pose, 0.999) for tag, pose in poses.items()}
    return Observation(f"frame-{at_s}", at_s, {}, dice, 0.2, tags=tags)
