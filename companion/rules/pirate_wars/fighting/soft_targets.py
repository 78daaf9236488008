"""What cannons do to launches, landing parties and fortresses (PWR-113, PWR-119, PWR-126)."""

from __future__ import annotations

from companion.rules.game import Happening
from companion.rules.pirate_wars.ashore.shore import open_ground_losses
from companion.rules.pirate_wars.ashore.storming import parties_in
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.fighting.fort_hits import fort_hit, inside_losses
from companion.rules.pirate_wars.fighting.losses import owing, spare, strike, wounding
from companion.rules.pirate_wars.fighting.native_melee import are_bones, falls_in_order
from companion.rules.pirate_wars.state import Due, Hit, State, design_of
from companion.rules.pirate_wars.words import Told, ship_name, verb_of
from companion.rules.words import capital, counted

CANNON_HITS = ("ball", "shot")


def land_elsewhere(state: State, hit: Hit) -> tuple[State, Told]:
    """Let a cannon's successes take effect on what is no ship.

    A ball sinks a launch; shot kills two figures a success in launches and in the open, a ball one
    ashore; of a fortress the first success only chips the stone.
    """
    kind, crew = design_of(state, hit.ship).kind, state.ships[hit.ship].crew
    if kind == "launch" and hit.what == "ball":
        return strike(state, hit.ship, "hull", hit.amount, "PWR-113")
    figures = figures_hit(state, hit)
    rule = "PWR-119" if kind == "fort" else "PWR-126"
    name = capital(ship_name(state, hit.ship))
    if falls_in_order(crew):
        take = verb_of(state, hit.ship, "takes")
        told = (Happening(f"{name} {take} {counted(figures, 'hit', 'hits')}", rule),)
        return wounding(state, hit.ship, figures), told
    if kind == "fort":
        state, figures = _shared(state, hit.ship, figures)
    falling = min(figures, spare(state, hit.ship))
    told = (Happening(f"{name} loses {counted(falling, 'figure', 'figures')}", rule),)
    return owing(state, Due(hit.ship, figures, (), rule)), told


def figures_hit(state: State, hit: Hit) -> int:
    """Return the figures that a cannon's successes cost what is no ship (PWR-119, PWR-126).

    Of natives they are hits, of which a chief takes several; no cannon hurts skeletons (PWR-138).
    """
    kind = design_of(state, hit.ship).kind
    if are_bones(state.ships[hit.ship].crew):
        return 0
    if kind == "fort":
        return fort_hit(hit.amount, ball=hit.what == "ball").figures
    return open_ground_losses(hit.amount) if hit.what == "shot" else hit.amount


def _shared(state: State, number: int, losses: int) -> tuple[State, int]:
    """Let attackers within a fortress bear their part; return what the defenders lose (PWR-122)."""
    attackers = [
        n
        for n in parties_in(state, number)
        if state.ships[n].player != state.ships[number].player and state.ships[n].crew
    ]
    if not attackers:
        return state, losses
    defenders, theirs = inside_losses(losses)
    for n in attackers:
        falling = min(theirs, crew_size(state.ships[n].crew))
        state = owing(state, Due(n, falling, (), "PWR-122"))
        theirs -= falling
    return state, defenders + theirs


def breaks_cannon(state: State, hit: Hit) -> bool:
    """Tell whether a cannon of a fortress goes with its crew: three successes with ball."""
    if design_of(state, hit.ship).kind != "fort":
        return False
    return bool(fort_hit(hit.amount, ball=hit.what == "ball").cannons)
