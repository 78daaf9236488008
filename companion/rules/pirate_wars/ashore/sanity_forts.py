"""What holds of fortresses, and of whoever is ashore."""

from __future__ import annotations

from companion.rules.pirate_wars.ashore.rousing import is_native
from companion.rules.pirate_wars.ashore.storming import fort_built
from companion.rules.pirate_wars.crew import (
    ABOARD,
    CLIMBING,
    COVER,
    DECK,
    FALLEN,
    THROWN,
    WALKED,
)
from companion.rules.pirate_wars.state import State, design_of
from companion.rules.writing import Findings

MOST_ROLLED = 400


def ashore(state: State) -> Findings:
    """Yield what must hold of where figures stand, and of what hampers them."""
    for number, ship in enumerate(state.ships):
        kind, within = design_of(state, number).kind, fort_built(state, ship.fort)
        yield ship.fort == -1 or (kind == "party" and within is not None), "no fortress is there"
        stations = {hand.station for hand, _ in ship.crew}
        yield stations <= _stations(state, number), "figures stand where nobody can"
        yield kind != "party" or len(stations) <= 1, "a landing party keeps together"
        at_fort = not ship.is_inside or ship.pose == state.ships[ship.fort].pose
        yield at_fort, "who is in a fortress is where it stands"
        hampered = {hand.hampered for hand, _ in ship.crew} - {""}
        able = {"fort": {WALKED, FALLEN}, "party": {WALKED, FALLEN}, "tribe": {FALLEN}}
        yield hampered - {THROWN} <= able.get(kind, set()), "only ashore figures are hampered so"
        threw = is_native(state, number) or THROWN not in hampered
        yield threw, "only natives throw spears"
        rolling = [gun.rolling for gun in ship.guns]
        yield kind == "fort" or not any(rolling), "only in a fortress cannons roll along walls"
        yield all(0 <= dots <= MOST_ROLLED for dots in rolling), "no cannon rolls so far"


def _stations(state: State, number: int) -> set[str]:
    """Return where figures of a piece can stand."""
    kind, ship = design_of(state, number).kind, state.ships[number]
    if kind == "ship":
        return {*ABOARD}
    built = fort_built(state, number if kind == "fort" else ship.fort)
    if built is not None:
        places = {*built.inside.by_station}
        return places if kind == "fort" else places | {CLIMBING}
    return {DECK, COVER} if kind == "party" else {DECK}
