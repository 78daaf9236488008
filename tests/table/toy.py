"""A toy game: two pieces race along a row of hexes. It shows that the table knows no game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any

from companion.boards.profile import load_profile
from companion.errors import BadOptions, IllegalAction, MalformedAction
from companion.ledger.memory_store import MemoryStore
from companion.rules.dice import DieKind
from companion.rules.game import (
    CHANCE,
    LEGAL,
    ChanceRoll,
    Decision,
    GameInfo,
    GameOver,
    Happening,
    Outcome,
    Pending,
    PlayerId,
    Ruling,
    Step,
)
from companion.rules.layout import CellContent, Die, Layout, Pose, make_layout
from companion.rules.views import SeatView, View, Weather
from companion.table.referee import Referee
from tests.table.synthetic import Hands

COIN = DieKind("coin", (1, 2))
GOAL = 3
COLOURS = ("red", "blue")


@dataclass(frozen=True, order=True)
class Move:
    """A throw of the coin (by chance) or a run along the row."""

    player: PlayerId
    kind: str
    value: int


@dataclass(frozen=True)
class Race:
    """How far the two pieces have come, whose go it is, and the thrown coin."""

    names: tuple[str, ...]
    places: tuple[int, int] = (-3, -3)
    turn: int = 0
    coin: int | None = None


class ToyRace:
    """Throw the coin, run as far as it shows."""

    info = GameInfo("toy-race", "Toy race", (2, 2), (), (COIN,), "hex-ocean")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> Race:
        if len(players) != 2:
            raise BadOptions("two race")
        return Race(tuple(players))

    def check_new(self, state: Race) -> None:
        pass

    def pending(self, state: Race) -> Pending:
        if max(state.places) >= GOAL:
            return GameOver("The race is over.")
        player, name = PlayerId(state.turn), state.names[state.turn]
        if state.coin is None:
            return ChanceRoll(player, "throw", f"{name}: throw the coin", ("coin",))
        return Decision(player, "run", f"{name}: run {state.coin}")

    def legal_actions(self, state: Race, player: PlayerId) -> tuple[Move, ...]:
        asked = self.pending(state)
        if isinstance(asked, ChanceRoll) and player == CHANCE:
            return (Move(CHANCE, "throw", 1), Move(CHANCE, "throw", 2))
        if isinstance(asked, Decision) and player == asked.player:
            return (Move(player, "run", state.coin or 0),)
        return ()

    def open_actions(self, state: Race) -> tuple[Move, ...]:
        asked = self.pending(state)
        return self.legal_actions(state, asked.player if isinstance(asked, Decision) else CHANCE)

    def chance_outcomes(self, state: Race) -> tuple[tuple[Move, Fraction], ...]:
        return tuple((a, Fraction(1, 2)) for a in self.legal_actions(state, CHANCE))

    def asides(self, state: Race) -> tuple[Move, ...]:
        return ()

    def measured(self, state: Race, seen: Mapping[int, Pose]) -> tuple[Move, ...]:
        return ()

    def roll_of(self, state: Race, dice: tuple[Die, ...]) -> Move | None:
        thrown = [a for a in self.legal_actions(state, CHANCE) if self.rolled(a) == dice]
        return thrown[0] if thrown else None

    def rolled(self, action: Move) -> tuple[Die, ...]:
        return (Die("coin", action.value),) if action.kind == "throw" else ()

    def check(self, state: Race, action: Move) -> Ruling:
        if action in self.legal_actions(state, action.player):
            return LEGAL
        return Ruling(False, "TOY-1", f"Run exactly {state.coin}, not {action.value}.")

    def objection(self, state: Race, seen: Layout) -> Ruling:
        return Ruling(False, "TOY-2", "That is not how this race is run.")

    def apply(self, state: Race, action: Move) -> Step[Race]:
        ruling = self.check(state, action)
        if not ruling:
            raise IllegalAction(ruling.rule, ruling.reason)
        if action.kind == "throw":
            return Step(replace(state, coin=action.value))
        places = list(state.places)
        places[state.turn] += action.value
        after = Race(state.names, (places[0], places[1]), 1 - state.turn)
        return Step(after, (Happening("A step nearer", "TOY-3"),))

    def view(self, state: Race, viewer: PlayerId | None) -> View:
        seats = tuple(
            SeatView(PlayerId(i), name, (COLOURS[i],), {"hexes": state.places[i] + 3}, 1)
            for i, name in enumerate(state.names)
        )
        return View("race", 1, seats)

    def outcome(self, state: Race) -> Outcome | None:
        if max(state.places) < GOAL:
            return None
        first = PlayerId(state.places.index(max(state.places)))
        return Outcome("First at the goal", "TOY-4", ((first,), (PlayerId(1 - first),)))

    def layout(self, state: Race) -> Layout:
        cells = {
            (place, row): CellContent((COLOURS[row],)) for row, place in enumerate(state.places)
        }
        return make_layout(cells, [Die("coin", state.coin)] if state.coin else [])

    def stray(self, state: Race, tag: int) -> str:
        return ""

    def pieces_of(self, action: Move) -> dict[str, int]:
        return {}

    def printed(self, state: Race, action: Move) -> str:
        return ""

    def order(self, state: Race, action: Move) -> tuple[int, ...]:
        return ()

    def loss(self, state: Race, action: Move) -> str:
        return ""

    def describe(self, state: Race, action: Move) -> str:
        return f"{state.names[state.turn]}: {action.kind} {action.value}"

    def parse(self, state: Race, text: str) -> Move:
        raise MalformedAction(text)

    def action_to_json(self, action: Move) -> dict[str, Any]:
        return {"type": action.kind, "player": action.player, "value": action.value}

    def action_from_json(self, data: Mapping[str, Any]) -> Move:
        return Move(PlayerId(data["player"]), data["type"], data["value"])

    def to_json(self, state: Race) -> dict[str, Any]:
        raise NotImplementedError

    def from_json(self, data: Mapping[str, Any]) -> Race:
        raise NotImplementedError


@dataclass(frozen=True)
class Trick(Race):
    """A race in which a captain may play a trick before the throw."""

    is_asked: bool = True
    is_doubled: bool = False


class TrickRace(ToyRace):
    """Before each throw a trick may be played that doubles the run; a cheat walks the plank."""

    info = replace(ToyRace.info, id="trick-race")

    def setup(self, players: Sequence[str], options: Mapping[str, object]) -> Trick:
        return Trick(tuple(players))

    def pending(self, state: Race) -> Pending:
        assert isinstance(state, Trick)
        asked = super().pending(state)
        if isinstance(asked, ChanceRoll) and state.is_asked:
            passing = Move(asked.player, "pass", 0)
            return Decision(asked.player, "trick", "Play the trick?", passing)
        return asked

    def legal_actions(self, state: Race, player: PlayerId) -> tuple[Move, ...]:
        asked = self.pending(state)
        if isinstance(asked, Decision) and asked.phase == "trick" and player == asked.player:
            return (Move(player, "double", 0), Move(player, "pass", 0))
        return super().legal_actions(state, player)

    def asides(self, state: Race) -> tuple[Move, ...]:
        return tuple(Move(PlayerId(i), "plank", 0) for i in range(len(state.names)))

    def check(self, state: Race, action: Move) -> Ruling:
        return LEGAL if action in self.asides(state) else super().check(state, action)

    def apply(self, state: Race, action: Move) -> Step[Race]:
        assert isinstance(state, Trick)
        ruling = self.check(state, action)
        if not ruling:
            raise IllegalAction(ruling.rule, ruling.reason)
        if action.kind == "plank":
            places = tuple(-3 if i == action.player else p for i, p in enumerate(state.places))
            return Step(replace(state, places=places))
        if action.kind in ("pass", "double"):
            return Step(replace(state, is_asked=False, is_doubled=action.kind == "double"))
        if action.kind == "run":
            run = replace(action, value=action.value * (2 if state.is_doubled else 1))
            after = super().apply(replace(state, coin=run.value), run)
            return replace(
                after, state=Trick(after.state.names, after.state.places, after.state.turn)
            )
        return super().apply(state, action)

    def view(self, state: Race, viewer: PlayerId | None) -> View:
        return replace(super().view(state, viewer), weather=Weather(270.0, 4, 5, "A west wind."))


def open_race(game: ToyRace) -> tuple[Referee, Hands]:
    """Open a race of Ann and Bob whose pieces and dice have been looked at once."""
    profile = load_profile("hex-ocean")
    referee = Referee.open(game, ["Ann", "Bob"], {}, profile, MemoryStore(), lambda: 1.0, "race")
    hands = Hands(Random(5), game.layout(referee.state))
    referee.observe(hands.look())
    return referee, hands


def kinds(referee: Referee) -> list[str]:
    """Return what was done, in a word each."""
    return [entry.text.split()[1] for entry in referee.snapshot().log]
