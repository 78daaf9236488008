"""What holds in each part of a game: somebody is asked, and can do something."""

from __future__ import annotations

from companion.rules.pirates_csg.abilities import has, slots_used
from companion.rules.pirates_csg.boarding import TOWNS
from companion.rules.pirates_csg.buying import PlaceShip
from companion.rules.pirates_csg.deck import NOBODY
from companion.rules.pirates_csg.exploring import unseen_treasures
from companion.rules.pirates_csg.firing import AGAIN
from companion.rules.pirates_csg.gunnery import cannons_of, targets, volley
from companion.rules.pirates_csg.hits import kinds_of_masts
from companion.rules.pirates_csg.loading import loads
from companion.rules.pirates_csg.looting import spoils
from companion.rules.pirates_csg.retreating import ways_off
from companion.rules.pirates_csg.second_actions import AGAIN_NEEDS
from companion.rules.pirates_csg.setting import SetPiece
from companion.rules.pirates_csg.setup import free_fleets
from companion.rules.pirates_csg.stages import (
    Berthing,
    Building,
    Defaulting,
    DrawingTreasure,
    Finished,
    Firing,
    FiringAgain,
    KeepingResource,
    LayingOut,
    Loading,
    Looting,
    LosingMast,
    OnTurn,
    PickingFleets,
    Retreating,
    RollingBoard,
    RollingDrift,
    RollingExit,
    RollingExtra,
    RollingMarket,
    RollingOrder,
    RollingRam,
    RollingResource,
    RollingShot,
    RollingTerrain,
    Setting,
    Stage,
)
from companion.rules.pirates_csg.state import (
    MOST_OF_A_KIND,
    Island,
    Ship,
    State,
    find_island,
    find_ship,
)
from companion.rules.pirates_csg.terrain import drifting
from companion.rules.pirates_csg.terrain_data import REEF
from companion.rules.pirates_csg.upkeep import unpaid_ships
from companion.rules.writing import Findings

SETUP = PickingFleets | Building | LayingOut | RollingOrder
ENDS = ("CSG-86", "CSG-87", "CSG-88", "CSG-89", "CSG-91")


def stage_complaints(state: State) -> Findings:
    """Yield what must hold in the stage of a state."""
    yield is_sound(state, state.stage), "the stage does not fit what is on the table"


def is_sound(state: State, stage: Stage) -> bool:
    """Say whether a stage fits what is on the table."""
    match stage:
        case Building() | LayingOut() | OnTurn():
            return True
        case PickingFleets():
            return bool(free_fleets(state))
        case RollingMarket():
            return state.turn == state.first
        case RollingOrder(rolls=rolls):
            fit = len(rolls) == len(state.names) and all(-1 <= r <= 6 for r in rolls)
            return fit and 0 in rolls
        case RollingDrift(left=left):
            known = drifting(state)
            return bool(left) and known[-len(left) :] == left and state.turn == state.first
        case Finished(rule=rule, winner=winner):
            who = -1 <= winner < len(state.names)
            return who and rule in ENDS and (winner == NOBODY or rule != "CSG-86")
        case Defaulting(missing=missing):
            return 1 <= missing < len(unpaid_ships(state))
        case Looting(winner=winner, loser=loser, tokens=tokens):
            a, b = find_ship(state, winner), find_ship(state, loser)
            return bool(
                a and b and a.owner != b.owner and 0 <= tokens <= 3 and spoils(state, stage)
            )
        case LosingMast() | Setting():
            return _is_asked(state, stage)
    return _is_shooting(state, stage) if isinstance(stage, _SHOOTING) else _is_acting(state, stage)


_SHOOTING = Firing | RollingShot | FiringAgain
_AFTER_A_MAST = OnTurn | Firing | Retreating | Setting | RollingMarket | RollingDrift
"""The last two: who fired has surrendered, and the next turn is about to begin (CSG-89)."""


def _is_asked(state: State, stage: LosingMast | Setting) -> bool:
    """Say whether a mast can be chosen, or a piece be put where it is to lie."""
    if isinstance(stage, LosingMast):
        return _is_losing(state, stage)
    ship, bergs = find_ship(state, stage.piece), drifting(state)
    if ship is not None:
        fits = ship.owner == state.turn and not stage.left
    else:
        after = bergs[bergs.index(stage.piece) + 1 :] if stage.piece in bergs else None
        fits = stage.left == after and state.turn == state.first
    return fits and bool(SetPiece().actions(state._replace(stage=stage)))


def _is_losing(state: State, stage: LosingMast) -> bool:
    ship = find_ship(state, stage.ship)
    if ship is None or len(kinds_of_masts(state, ship)) < 2:
        return False
    if not isinstance(stage.then, _AFTER_A_MAST) or not is_sound(state, stage.then):
        return False
    most = len(ship.masts) if isinstance(stage.then, OnTurn) else 1
    return 1 <= stage.count <= most


def _is_shooting(state: State, stage: Stage) -> bool:
    assert isinstance(stage, _SHOOTING)
    ship, island = find_ship(state, stage.ship), find_island(state, stage.ship)
    shooter = ship or island
    if shooter is None or shooter.owner != state.turn or (island is not None and not island.guns):
        return False
    if ship is not None and ship.lost_in:
        return False
    full = list(volley(state, stage.ship))
    fired = [] if isinstance(stage, Firing) else [stage.cannon]
    for cannon in (*stage.left, *fired):
        if cannon not in full:
            return False
        full.remove(cannon)
    if list(stage.left) != sorted(stage.left):
        return False
    if isinstance(stage, Firing):
        return bool(stage.left)
    if stage.cannon not in cannons_of(state, stage.ship):
        return False
    again = isinstance(stage, FiringAgain)
    if again and (ship is None or AGAIN in ship.done):
        return False
    return stage.target in targets(state, state.turn)


def _is_acting(state: State, stage: Stage) -> bool:
    """Say whether the ship of a stage is there, the captain's on turn, and where she must be."""
    ship = find_ship(state, getattr(stage, "ship", 0))
    if ship is None or ship.owner != state.turn:
        return False
    match stage:
        case Berthing():
            return ship.docked > 0 and bool(PlaceShip().actions(state._replace(stage=stage)))
        case RollingRam(target=target):
            foe = find_ship(state, target)
            return bool(foe and foe.owner != ship.owner and not foe.is_derelict)
        case RollingBoard(target=target, attack=attack):
            return 0 <= attack <= 6 and _is_boarding(state, ship, target)
        case Retreating():
            town = find_island(state, ship.docked)
            return bool(town and ship.masts and ways_off(state, ship))
        case RollingTerrain(terrain=tag):
            return any(t.tag == tag and t.kind == REEF for t in state.terrain)
        case RollingExit():
            return ship.lost_in > 0
        case RollingExtra():
            return _may_repeat(state, ship)
        case Loading():
            return _is_loading(state, ship, stage)
    return _is_exploring(state, ship, stage)


def _is_boarding(state: State, ship: Ship, target: int) -> bool:
    foe, town = find_ship(state, target), find_island(state, target)
    if foe is not None:
        return foe.owner != ship.owner
    if town is None or ship.docked != town.tag or town.owner == ship.owner:
        return False
    return town.building in TOWNS and bool(ship.masts)


def _may_repeat(state: State, ship: Ship) -> bool:
    once = has(state, ship, "same_again") and slots_used(state, ship) == AGAIN_NEEDS
    return has(state, ship, "extra_action") or once


def _is_loading(state: State, ship: Ship, stage: Loading) -> bool:
    wreck, island = find_ship(state, stage.source), find_island(state, stage.source)
    if wreck is not None:
        fits = wreck.is_derelict and wreck.tag != ship.tag and stage.yield_left == 0
        return fits and bool(loads(state, stage))
    if island is None or ship.docked != island.tag or island.resource == NOBODY:
        return False
    return 0 <= stage.yield_left <= MOST_OF_A_KIND and bool(loads(state, stage))


def _is_exploring(state: State, ship: Ship, stage: Stage) -> bool:
    island: Island | None = find_island(state, ship.docked)
    if island is None or island.home != NOBODY:
        return False
    if isinstance(stage, DrawingTreasure):
        return island.hidden > 0 and bool(unseen_treasures(state))
    if isinstance(stage, KeepingResource) and not 0 <= stage.resource < 6:
        return False
    return isinstance(stage, RollingResource | KeepingResource) and island.resource == NOBODY
