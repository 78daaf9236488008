"""Battles of PirateWars in mid-play, for the tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from companion.rules.deeds import Deed, roll
from companion.rules.layout import Die, Pose
from companion.rules.pirate_wars.actions import (
    Board,
    Commit,
    Done,
    Drift,
    FireGun,
    Lose,
    Post,
    Press,
    Sail,
    Scuttle,
    SetSails,
)
from companion.rules.pirate_wars.built.ship_reading import stock_ship, stock_ships
from companion.rules.pirate_wars.crew import Crew, Hand, crew_size, make_crew
from companion.rules.pirate_wars.options import read_options
from companion.rules.pirate_wars.pieces import Ship, Shoal
from companion.rules.pirate_wars.rules import PirateWars
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.sailing.seamanship import under_way, wind_from
from companion.rules.pirate_wars.sailing.waters import is_off_table
from companion.rules.pirate_wars.setup import launched
from companion.rules.pirate_wars.stages import Moving, Stage, Tasking
from companion.rules.pirate_wars.state import PLAYERS, State
from tests.playing import Line

GAME = PirateWars()
P = PLAYERS
WIDE_SEA = (3000, 3000)
"""Room for the worked examples."""
SCHOONER, BARRACUDA = "skulls-eye-schooner", "black-seas-barracuda"
FLAGSHIP, RUNNER, REVISED = "imperial-flagship", "renegade-runner", "renegade-runner-revised"
MAN_OF_WAR, CLIPPER = "man-of-war", "caribbean-clipper"


class Battle(Line):
    """A state and what is done from it."""

    game = GAME

    @property
    def ships(self) -> tuple[Ship, ...]:
        return self.state.ships

    def roll(self, *faces: int, kind: str = "d6") -> Battle:
        """Throw dice once."""
        return self.do(roll(*[Die(kind, face) for face in faces]))

    def done(self) -> Battle:
        return self.do(Done(self.player))

    def fire(self, ship: int, gun: int, ammo: str, target: int) -> Battle:
        return self.do(FireGun(self.player, ship, gun, ammo, target, ""))

    def drift(self, ship: int) -> Battle:
        """Let a ship drift to where the wind takes it."""
        return self.do(Drift(self.player, ship, due_drift(self.state, ship)))

    def lose(self, ship: int, figure: str, station: str, count: int) -> Battle:
        return self.do(Lose(self.player, ship, figure, station, count))

    def lose_any(self) -> Battle:
        """Let the plainest figures fall as long as somebody must choose."""
        while self.asked() in ("lose_figures", "lose_boarders"):
            self.do(self.legal()[-1])
        return self

    def until(self, phase: str, first: int = 0) -> Battle:
        """Play on without doing anything until a phase begins.

        Dice are kind: crews hold, nobody is eaten; side `first` wins the initiative.
        """
        self.step(first)
        while self.asked() != phase:
            self.step(first)
        return self

    def step(self, first: int = 0) -> Battle:
        """Take the next step that changes least."""
        if self.asked() == "initiative":
            return self.roll(6 if self.player == first else 5 - self.player)
        offered = self.legal()
        if offered:
            done = Done(self.player)
            return self.do(done if done in offered else offered[-1])
        return self.do(GAME.chance_outcomes(self.state)[0][0])

    def aboard(self, ship: int) -> int:
        return crew_size(self.ships[ship].crew)

    def do_left(self, action: Deed) -> int:
        """Return the dots that would be left to the ship of a move; this battle stays."""
        return GAME.apply(self.state, action).state.ships[action.ship].left  # type: ignore[attr-defined]

    def hulls(self) -> list[tuple[int, int]]:
        """Return the hull and sail factors of every ship."""
        return [(ship.hf, ship.sf) for ship in self.ships]


def crew_of(*groups: tuple[str, str, int] | tuple[str, str, int, bool]) -> Crew:
    """Return a crew: kind, station, count and, where it matters, whether they are loaded."""
    return make_crew(Counter({Hand(g[0], g[1], *g[3:]): g[2] for g in groups}))


def ship(
    design: str, player: int, at: tuple[float, float, float] = (0, 0, 0), **changes: Any
) -> Ship:
    """Return a ship with its whole crew, at x and y in mm and with a heading."""
    return launched(stock_ship(design), P[player])._replace(pose=Pose(*map(float, at)), **changes)


def battle(
    *ships: Ship,
    stage: Stage | None = None,
    wind: str = "N",
    order: Sequence[int] = (),
    slot: int = 0,
    engaged: Sequence[tuple[int, int]] = (),
    shoals: Sequence[Shoal] = (),
    options: Mapping[str, object] | None = None,
) -> Battle:
    """Return a battle in its first turn; by default the first side is to move."""
    revised = any(s.design == REVISED for s in ships)
    house = {"sea_mm": WIDE_SEA, "wind": wind, "revised_runner": revised}
    chosen = read_options(house | dict(options or {}))
    count = max(s.player for s in ships) + 1
    models = stock_ships()
    sides = {s.player: models[s.design].side for s in reversed(ships) if s.design in models}
    state = State(
        names=tuple(f"Captain {n}" for n in range(count)),
        options=chosen,
        stage=stage or Moving(),
        sides=tuple(sides.get(P[n], "pirate") for n in range(count)),
        ships=ships,
        shoals=tuple(shoals),
        wind=wind_from(wind),
        round=1,
        order=tuple(order) or tuple(range(count)),
        slot=slot,
        engaged=tuple(engaged),
    )
    if stage is None:
        state = state._replace(ships=tuple(under_way(state, n) for n in range(len(ships))))
    return Battle(state)


def tasks(*ships: Ship, slot: int | None = None, **rest: Any) -> Battle:
    """Return a battle in its task phase; the last side in initiative is on turn."""
    count = len({s.player for s in ships})
    return battle(*ships, stage=Tasking(), slot=count - 1 if slot is None else slot, **rest)


WEIGHTS: Mapping[type[Deed], float] = {
    Scuttle: 0.02,
    Post: 0.15,
    SetSails: 0.15,
    Done: 0.7,
    FireGun: 12.0,
    Board: 6.0,
    Commit: 4.0,
    Press: 3.0,
}
"""How much likelier than others a lively captain chooses a kind of action."""


def lively(random: Random, state: State, actions: Sequence[Any]) -> Any:
    """Choose first among the kinds of actions, then among those of a kind.

    Quite at random captains would do little but post figures, and sail off the sea.
    """
    kinds = sorted({type(action) for action in actions}, key=lambda kind: kind.rank)
    kind = random.choices(kinds, [WEIGHTS.get(k, 1.0) for k in kinds])[0]
    chosen = [action for action in actions if type(action) is kind]
    if kind.by_chance:
        odds = GAME.chance_outcomes(state)
        return random.choices([a for a, _ in odds], [float(p) for _, p in odds])[0]
    if kind is Sail:
        staying = [action for action in chosen if not is_off_table(state, action.path[-1])]
        return random.choice(staying or chosen)
    return random.choice(chosen)
