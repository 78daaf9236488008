"""Taking the treasure: digging, curses and the badly drawn map (AHM-30 to 32, AHM-V2, V3, V17)."""

from __future__ import annotations

from abc import abstractmethod

from companion.rules.ahoy_matey.options import DIE
from companion.rules.ahoy_matey.position import Treasure
from companion.rules.ahoy_matey.rolls import RollOneDie
from companion.rules.ahoy_matey.sea import TREASURE_SPOT, on_board
from companion.rules.ahoy_matey.state import Charting, Cursing, Digging, State
from companion.rules.ahoy_matey.turns import Happenings, go_on
from companion.rules.ahoy_matey.uses import taken
from companion.rules.ahoy_matey.words import at, faces, fleet_name, place, who
from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Happening, Step
from companion.rules.layout import Cell
from companion.rules.phases import stage_of

FOUND = range(4)
"""Faces with which a digger finds the treasure (AHM-V2)."""
HERE = range(3)
"""Faces with which the treasure is on the island that was reached (AHM-V17)."""
CURSED, CURSED_AGAIN = range(1), range(2)
"""Faces that curse whoever takes the treasure from the island, and from another ship (AHM-V3)."""


class RollSpareDie(RollOneDie):
    """A roll of one spare die."""

    @abstractmethod
    def text(self, state: State) -> str:
        """Say what the roll is for."""

    def pending(self, state: State) -> ChanceRoll:
        """Ask the player on turn."""
        text = f"{who(state, state.player)}: roll a die {self.text(state)}"
        return ChanceRoll(state.player, self.name, text, (DIE.id,))


def take(state: State, ship: Cell) -> Step[State]:
    """Take the treasure, or dig for it first."""
    if state.options.buried_treasure:
        text = f"{who(state, state.player)} digs for the treasure"
        happening = Happening(text, "AHM-V2")
        return Step(state.but(stage=Digging(ship)), (happening,))
    return _taken(state, ship, ())


def _taken(state: State, ship: Cell, happenings: Happenings) -> Step[State]:
    board = state.options.sea.anchors[ship]
    state = state.but(position=taken(state.position, board, ship))
    fleet = state.position.occupied()[ship].fleet
    text = f"{fleet_name(fleet)} takes the treasure on {place(state, ship)}"
    return changed_hands(state, ship, False, (*happenings, Happening(text, "AHM-30")))


def changed_hands(state: State, ship: Cell, from_ship: bool, happenings: Happenings) -> Step[State]:
    """Go on after a ship has taken the treasure: it may be cursed (AHM-V3)."""
    if state.options.cursed_treasure:
        return Step(state.but(stage=Cursing(ship, from_ship)), happenings)
    return go_on(state, happenings)


class RollToFind(RollSpareDie):
    """A 4 or a 5 finds nothing (AHM-V2)."""

    name, rule = "dig", "AHM-V2"

    def text(self, state: State) -> str:
        """Say what the roll is for."""
        return "to find the treasure: up to 3 finds it"

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take the treasure, or go on without it."""
        ship = stage_of(state, Digging).ship
        if action.dice[0].face in FOUND:
            return _taken(state, ship, ())
        barred = tuple(sorted((*state.position.barred, ship)))
        state = state.but(position=state.position._replace(barred=barred))
        text = f"{who(state, state.player)} cannot find the treasure"
        return go_on(state, (Happening(text, "AHM-V2"),))


class RollForCurse(RollSpareDie):
    """A null curses the ship, and an ace if the treasure came from a ship (AHM-V3)."""

    name, rule = "curse", "AHM-V3"

    def text(self, state: State) -> str:
        """Say what the roll is for."""
        worse = stage_of(state, Cursing).worse
        return f"for the curse: {faces(CURSED_AGAIN if worse else CURSED, 'or')} holds the ship"

    def play(self, state: State, action: Roll) -> Step[State]:
        """Hold the ship, or let it go."""
        stage = stage_of(state, Cursing)
        held = action.dice[0].face in (CURSED_AGAIN if stage.worse else CURSED)
        ship, position = stage.ship, state.position
        fleet = fleet_name(position.occupied()[ship].fleet)
        if not held and position.has_cursed(ship):
            text = f"{fleet} escapes this curse, but the other treasure's still holds it"
            return go_on(state, (Happening(f"{text} {at(state, ship)}", "AHM-V3"),))
        if not held:
            return go_on(state, (Happening(f"{fleet} escapes the curse", "AHM-V3"),))
        treasures = tuple(
            t._replace(cursed=t.cursed or t.place == ship) for t in position.treasures
        )
        state = state.but(position=position._replace(treasures=treasures))
        text = f"The curse holds {fleet} {at(state, ship)}"
        return go_on(state, (Happening(text, "AHM-V3"),))


class RollForChart(RollSpareDie):
    """Up to 2 the treasure is on the island that was reached, else on the other (AHM-V17)."""

    name, rule = "chart", "AHM-V17"

    def text(self, state: State) -> str:
        """Say what the roll is for."""
        return "for the map: up to 2 the treasure is on this island, else on the other"

    def play(self, state: State, action: Roll) -> Step[State]:
        """Put the treasure there."""
        here = stage_of(state, Charting).board
        board = here if action.dice[0].face in HERE else 1 - here
        treasure = Treasure(on_board(TREASURE_SPOT, board))
        state = state.but(position=state.position._replace(treasures=(treasure,)))
        text = f"The treasure is on the island of board {board + 1}"
        return go_on(state, (Happening(text, "AHM-V17"),))
