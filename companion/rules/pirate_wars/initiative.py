"""Initiative: every side rolls, ties roll again (PWR-34 to PWR-36)."""

from __future__ import annotations

from companion.rules.deeds import Roll
from companion.rules.dice import D6
from companion.rules.game import ChanceRoll, Happening, Step
from companion.rules.phases import stage_of
from companion.rules.pirate_wars.dice import RollOneDie, faces_of
from companion.rules.pirate_wars.stages import Between, RollingInitiative
from companion.rules.pirate_wars.state import PLAYERS, State, sides_left
from companion.rules.pirate_wars.words import who
from companion.rules.words import listed

Rolls = tuple[tuple[int, ...], ...]
OUT = (-1,)
"""The rolls of a seat that has nothing left to command."""


def fresh_rolls(state: State) -> Rolls:
    """Return the rolls before anybody has rolled."""
    left = sides_left(state)
    return tuple(() if seat in left else OUT for seat in range(len(state.names)))


def roller(rolls: Rolls) -> int | None:
    """Return the seat that rolls now: fewest rolls among those still tied; ``None`` if none is.

    >>> roller(((5,), (5,), (3,))), roller(((5, 2), (5,), (3,))), roller(((5, 2), (5, 6), (3,)))
    (0, 1, None)
    """
    for seat, mine in enumerate(rolls):
        if mine == OUT:
            continue
        others = [r for n, r in enumerate(rolls) if n != seat and r != OUT]
        # Whoever has rolled less than a rival with the same beginning is still in the tie.
        if not mine or mine in others or any(r[: len(mine)] == mine for r in others):
            if all(len(mine) <= len(r) for r in _tied(rolls, seat)):
                return seat
    return None


def _tied(rolls: Rolls, seat: int) -> list[tuple[int, ...]]:
    mine = rolls[seat]
    return [r for r in rolls if r != OUT and r[: len(mine)] == mine[: len(r)]]


class RollInitiative(RollOneDie[State]):
    """One side rolls (PWR-34)."""

    name, rule = "initiative", "PWR-34"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the next side."""
        seat = roller(stage_of(state, RollingInitiative).rolls)
        assert seat is not None
        text = f"{who(state, seat)}: roll for initiative"
        return ChanceRoll(PLAYERS[seat], self.name, text, (D6.id,))

    def play(self, state: State, action: Roll) -> Step[State]:
        """Note the roll; when no tie is left the order of the turn is known."""
        rolls = stage_of(state, RollingInitiative).rolls
        seat = roller(rolls)
        assert seat is not None
        rolls = (*rolls[:seat], (*rolls[seat], *faces_of(action)), *rolls[seat + 1 :])
        if roller(rolls) is not None:
            return Step(state._replace(stage=RollingInitiative(rolls)))
        seats = [n for n, r in enumerate(rolls) if r != OUT]
        order = tuple(sorted(seats, key=lambda n: rolls[n], reverse=True))
        names = listed(state.names[n] for n in order)
        told = (Happening(f"Initiative: {names}", "PWR-34"),)
        return Step(state._replace(order=order, slot=0, stage=Between("movement")), told)
