"""Games set up by hand, a hand that plays them, and captains who do more than random ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Any

from companion.cards.files import builtin_text, parse_cards
from companion.rules.deeds import Deed, roll
from companion.rules.game import PlayerId
from companion.rules.layout import Die, Pose
from companion.rules.pirates_csg import actions, harbour_actions
from companion.rules.pirates_csg.codec import CODEC
from companion.rules.pirates_csg.deck import RESOURCES
from companion.rules.pirates_csg.manoeuvres import berths
from companion.rules.pirates_csg.rules import PiratesCsg
from companion.rules.pirates_csg.sea import bow, pose_with_bow
from companion.rules.pirates_csg.stages import OnTurn, Stage
from companion.rules.pirates_csg.state import (
    FORT,
    MILITARY,
    NO_TOKENS,
    Island,
    Ship,
    State,
    island_of,
    ship_of,
)
from tests.playing import Line

GAME = PiratesCsg()
HOUSE = parse_cards(builtin_text("csg-house"))
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
P = [PlayerId(n) for n in range(6)]
LUMBER, TEXTILES, METALS, FISH, SPICES, LUXURIES = range(6)
TAG = {ship["id"]: 10 + number for number, ship in enumerate(HOUSE["ship"])}

SPARE = ("minnow", "jade-dragon", "desert-wind")
"""Ships of captains who are given none."""

EAGER: Mapping[type[Deed], float] = {
    actions.EndTurn: 0.5,
    harbour_actions.Hire: 0.02,
    harbour_actions.BuyShip: 0.05,
    harbour_actions.BuyUpgrade: 0.3,
    actions.ComeAbout: 0.2,
    harbour_actions.Trade: 0.05,
    harbour_actions.Load: 0.1,
    actions.Explore: 12,
    harbour_actions.Deliver: 8,
    actions.Board: 20,
    actions.Ram: 8,
    actions.LeaveFog: 8,
    actions.Tow: 6,
    harbour_actions.Unload: 3,
    harbour_actions.UnloadGold: 8,
    harbour_actions.DeclareBlockade: 3,
    actions.TakeNoMore: 0.5,
}
"""How much sooner lively captains do something than just anything."""


def lively(random: Random, state: State, choices: Sequence[Any]) -> Any:
    """Choose as captains do who want to see the whole game."""
    weights = [EAGER.get(type(action), 1.0) for action in choices]
    return random.choices(choices, weights)[0]


def house(change: Callable[[dict[str, Any]], object] | None = None) -> dict[str, Any]:
    """Return the house deck as plain values, changed."""
    data = deepcopy(HOUSE)
    if change:
        change(data)
    return data


def tokens(**named: int) -> tuple[int, ...]:
    """Return tokens by resource."""
    return tuple(named.get(name, 0) for name in RESOURCES)


class Cruise(Line):
    """A state and the moves made from it."""

    game = GAME

    def ship(self, name: str) -> Ship:
        return ship_of(self.state, TAG[name])

    def island(self, tag: int) -> Island:
        return island_of(self.state, tag)

    def gold(self, seat: int) -> int:
        return self.state.seats[seat].gold

    def roll(self, *faces: int) -> Cruise:
        """Roll one die after the other."""
        for face in faces:
            self.do(roll(Die("d6", face)))
        return self

    def market(self, row: int, rounds: int) -> Cruise:
        return self.do(roll(Die("d6", row), Die("d20", rounds)))

    def settle(self) -> Cruise:
        """Put what dice or a whirlpool have moved exactly where it is to lie."""
        return self.do(*self.legal()) if self.asked() == "set" else self

    def end(self) -> Cruise:
        return self.do(actions.EndTurn(self.player))

    def act(self, kind: type[Deed], *values: Any) -> Cruise:
        """Do something of a kind, as whoever is asked."""
        return self.do(kind(self.player, *values))

    def refused(self, kind: type[Deed], *values: Any) -> str:
        """Return the rule that forbids something of a kind."""
        return self.refusal(kind(self.player, *values))

    def sail(self, name: str, x: float, y: float, heading: float, *corners: Any) -> actions.Move:
        """Return the move that brings a ship to a point."""
        pose = Pose(x, y, heading).rounded()
        return actions.Move(self.player, TAG[name], tuple(corners), pose)

    def bow(self, name: str) -> tuple[float, float]:
        return bow(self.state, self.ship(name))

    def kinds(self, kind: type[Deed]) -> list[Any]:
        """Return the legal actions of a kind."""
        return [a for a in self.legal() if type(a) is kind]


def start(players: int = 2, **options: Any) -> Cruise:
    """Return a game that has just been opened."""
    return Cruise(GAME.setup(NAMES[:players], options))


def under_way(players: int = 2, row: int = 1, rounds: int = 20, **options: Any) -> Cruise:
    """Return a game in which the first captain has the first turn."""
    cruise = start(players, **options)
    cruise.do(cruise.legal()[0])
    cruise.roll(6, *(1,) * (players - 1))
    return cruise.market(row, rounds)


def at_sea(
    ships: Mapping[str, Mapping[str, Any]],
    lands: Mapping[int, Mapping[str, Any]] | None = None,
    *,
    gold: Sequence[int] = (20, 20),
    stage: Stage | None = None,
    turn: int = 0,
    row: int = 1,
    round_: int = 2,
    first: int = 0,
    gone: Sequence[str] = (),
    **options: Any,
) -> Cruise:
    """Set a game up in mid-play.

    Ships are given by card: `owner`, `bow` (x, y) and `heading`, or `docked` at an island; else
    they are at home, with tokens that they have brought in; `masts` as a number or as those that
    stand. Whatever else a `Ship` or `Island` has can be named. Island 100 is the first captain's
    home, 102 the first wild one.
    """
    players = len(gold)
    state = GAME.setup(NAMES[:players], {"fleets": "build", **options})
    changed = []
    for island in state.islands:
        values = dict((lands or {}).get(island.tag, {}))
        if values.get("building") == MILITARY:
            values.setdefault("guns", (0, 1, 2, 3))
        if values.get("building") == FORT:
            values.setdefault("guns", tuple(range(len(state.deck.fort[values["fort"]].cannons))))
        if values.get("building"):
            values.setdefault("camps", (values["owner"],))
        if isinstance(values.get("stock"), dict):
            values["stock"] = tokens(**values["stock"])
        changed.append(replace(island, **values))
    seats = tuple(replace(s, gold=g) for s, g in zip(state.seats, gold, strict=True))
    state = state._replace(
        islands=tuple(changed),
        seats=seats,
        stage=stage or OnTurn(),
        turn=turn,
        row=row,
        round=round_,
        until=round_ + 20,
        first=first,
        gone=tuple(sorted(gone)),
    )
    idle = {owner: {"owner": owner} for owner in range(players)}
    for values in ships.values():
        idle.pop(values.get("owner", 0), None)
    # Who has no ship is out of the game, so everybody gets one.
    extra = {SPARE[owner]: values for owner, values in idle.items()}
    for name, values in {**ships, **extra}.items():
        state = state._replace(ships=(*state.ships, _ship(state, name, dict(values))))
    state = state._replace(ships=tuple(sorted(state.ships, key=lambda s: s.tag)))
    complaint = CODEC.complaint(state)
    assert complaint is None, complaint
    return Cruise(state)


def robbed_of_fish(cruise: Cruise, robber: str, robbed: str) -> None:
    """Have a ship's two fish taken at home, boarded or explored; then she loads and unloads two."""
    ours, theirs = TAG[robber], TAG[robbed]
    if cruise.ship(robbed).masts:
        cruise.act(actions.Board, ours, theirs).roll(6, 1)
    else:
        cruise.act(actions.Explore, ours, theirs)
    cruise.act(actions.TakeToken, FISH, 2)
    while cruise.asked() != "turn":
        cruise.act(actions.TakeNoMore)
    cruise.end().act(harbour_actions.Load, theirs, FISH, 2).act(
        harbour_actions.Unload, theirs, FISH, 2
    )


def _ship(state: State, name: str, values: dict[str, Any]) -> Ship:
    card = state.deck.ship[name]
    owner = values.pop("owner", 0)
    masts = values.pop("masts", card.masts)
    point, heading = values.pop("bow", None), values.pop("heading", 0.0)
    docked = values.pop("docked", 0 if point else 100 + owner)
    if point is not None:
        pose: Pose = pose_with_bow(card, point, heading)
    else:
        pose = next(berths(state, card.tag, docked))
    carried = values.pop("tokens", {})
    if carried and docked == 100 + owner:
        values.setdefault("brought", tokens(**carried))
    return Ship(
        card.tag,
        name,
        owner,
        pose,
        tuple(range(masts)) if isinstance(masts, int) else tuple(masts),
        crew=tuple(sorted(values.pop("crew", ()))),
        tokens=tokens(**carried) if carried else NO_TOKENS,
        docked=docked,
        **values,
    )
