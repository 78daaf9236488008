"""The wind of the player-submitted rules: roll, drift, reefs (AOW-80 to 82)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.actions import Drift
from companion.rules.articles_of_war.flow import Told, drift_on, settle
from companion.rules.articles_of_war.ocean import REEF
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.rolls import DieRoll
from companion.rules.articles_of_war.sailing import BREACHED, wreck
from companion.rules.articles_of_war.state import (
    Drifted,
    Drifting,
    Ship,
    State,
    lose,
    without,
)
from companion.rules.articles_of_war.words import colour_name, ship_first, ship_of
from companion.rules.deeds import Roll
from companion.rules.game import ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.hexes import DIRECTION_NAMES, hex_name, opposite, step
from companion.rules.layout import Cell
from companion.rules.phases import Choice, stage_of
from companion.rules.words import counted


def downwind(state: State) -> int:
    """Return the direction in which the wind carries ships (0-5)."""
    return opposite(DIRECTION_NAMES.index(state.options.wind))


class RollWind(DieRoll):
    """One sail die before the first turn of a round (AOW-80)."""

    name, rule = "wind", "AOW-80"

    def kind(self, state: State) -> str:
        """Return the sail die."""
        return "sail"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the fleet that opens the round."""
        text = f"{colour_name(state.fleet.colour)}: roll a sail die for the wind"
        return ChanceRoll(state.fleet.player, self.name, text, ("sail",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Let the people move the ships."""
        length = action.dice[0].face
        wind = state.options.wind
        text = f"The wind from {wind} carries every ship {length} hexes"
        return Step(replace(state, stage=Drifting(length)), (Happening(text, "AOW-80"),))


class DriftAll(Choice[State, Drift]):
    """Every ship, the merchant too, is moved as far as the wind carries it (AOW-80)."""

    name, rule, takes = "drift", "AOW-80", (Drift,)

    def pending(self, state: State) -> Decision:
        """Ask the fleet that opens the round to move all ships."""
        length = counted(stage_of(state, Drifting).length, "hex", "hexes")
        way = DIRECTION_NAMES[downwind(state)]
        text = f"{colour_name(state.fleet.colour)}: move every ship {length} {way}, downwind"
        return Decision(state.fleet.player, self.name, text)

    def actions(self, state: State) -> tuple[Drift, ...]:
        """Nothing is left to choose."""
        return (Drift(state.fleet.player),)

    def refuse(self, state: State, action: Drift) -> Ruling | None:
        """Nothing stands against it."""
        return None

    def play(self, state: State, action: Drift) -> Step[State]:
        """Move all ships at once; what the land and the edge take is lost (AOW-81)."""
        length, way = stage_of(state, Drifting).length, downwind(state)
        lost: list[Ship] = []
        moved: list[Ship] = []
        due: list[Cell] = []
        told: Told = ()
        for ship in ships_in_order(state):
            course = state.ocean.course(ship.cell, way, length)
            if course.end:
                lost.append(ship)
                told = (*told, *_told(state, ship, step(ship.cell, way, len(course.open) + 1)))
                continue
            moved.append(ship._replace(cell=course.open[-1]))
            due += [course.open[-1] for c in course.open if state.ocean.terrain.get(c) == REEF]
        state = replace(state, ships=tuple(sorted(moved)))
        for ship in lost:
            state = lose(state, ship.colour)
        return settle(state, tuple(s.colour for s in lost), Drifted(tuple(due)), told)


def ships_in_order(state: State) -> list[Ship]:
    """Return the ships in the order of their reef rolls: by turn, the merchant last."""
    turns = {fleet.colour: turn for turn, fleet in enumerate(state.fleets)}
    return sorted(state.ships, key=lambda ship: (turns.get(ship.colour, len(turns)), ship.cell))


def _told(state: State, ship: Ship, end: Cell) -> Told:
    # A fleet may have several adrift: say which is lost.
    named = f"{ship_first(ship.colour)} from {hex_name(ship.cell)}"
    ruin = wreck(state, ship._replace(cell=end), named)
    return () if ruin is None else (ruin,)


class RollDriftedReef(DieRoll):
    """A cannonball die for each reef a ship has drifted onto or over (AOW-81)."""

    name, rule = "drift_reef", "AOW-81"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the owner of the ship; for the merchant the fleet that opens the round."""
        stage = stage_of(state, Drifted)
        cell, roller = stage.due[0], roller_of_reef(state, stage)
        player = state.owner(roller)
        assert player is not None  # only fleets roll
        met = "the merchant" if state.occupied()[cell] == MERCHANT else "the ship"
        text = f"{colour_name(roller)}: roll a cannonball die for a reef {met} on"
        text = f"{text} {hex_name(cell)} has met, a 1 loses her"
        return ChanceRoll(player, self.name, text, ("cannon",))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Lose the ship, or go on with the next reef."""
        due = stage_of(state, Drifted).due
        cell, colour = due[0], state.occupied()[due[0]]
        if action.dice[0].face != BREACHED:
            text = f"{ship_first(colour)} on {hex_name(cell)} passes the reef"
            passed = Happening(text, "AOW-81")
            return past_drifted_reef(state, stage_of(state, Drifted), (passed,))
        text = f"The reef breaches {ship_of(colour)} on {hex_name(cell)}"
        sunk = Happening(text, "AOW-41")
        state = lose(replace(state, ships=without(state.ships, cell, colour)), colour)
        rest = Drifted(tuple(c for c in due if c != cell))
        return settle(state, (colour,), rest, (sunk,))


def roller_of_reef(state: State, stage: Drifted) -> str:
    """Return the fleet that rolls: the ship's own, for the merchant who opens the round."""
    colour = state.occupied()[stage.due[0]]
    return state.fleet.colour if colour == MERCHANT else colour


def past_drifted_reef(state: State, stage: Drifted, told: Told) -> Step[State]:
    """Go on with the next reef."""
    return drift_on(state, Drifted(stage.due[1:]), told)
