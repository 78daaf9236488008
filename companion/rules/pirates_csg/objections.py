"""Which rule stands against a table that no legal line of play explains."""

from __future__ import annotations

from typing import Any

from companion.rules.game import PlayerId, Ruling
from companion.rules.layout import Layout, Pose
from companion.rules.phases import Phase, no
from companion.rules.pirates_csg.actions import LayOut, Move, Place
from companion.rules.pirates_csg.laying_out import standard_layout
from companion.rules.pirates_csg.measuring import was_moved
from companion.rules.pirates_csg.sailing import Sail
from companion.rules.pirates_csg.setting import farther, piece_of
from companion.rules.pirates_csg.stages import Berthing, LayingOut, OnTurn, Retreating, Setting
from companion.rules.pirates_csg.state import Island, State, Terrain
from companion.rules.pirates_csg.words import name_of, who

_SAIL = Sail()


def objection(state: State, seen: Layout, phase: Phase[Any, Any], asked: Ruling) -> Ruling:
    """Return the refusal of what seems to have been done; else `asked`, what is awaited."""
    poses = {tag: piece.pose for tag, piece in seen.pieces.items()}
    found = _refused(state, poses, phase)
    # A refusal is falsy, so `or` would not do here.
    return asked if found is None else found


def _refused(state: State, poses: dict[int, Pose], phase: Phase[Any, Any]) -> Ruling | None:
    if isinstance(state.stage, LayingOut):
        return _lay_out(state, poses, phase)
    if isinstance(state.stage, Berthing) and state.stage.ship in poses:
        place = Place(state.player, state.stage.ship, poses[state.stage.ship].rounded())
        return phase.refuse(state, place)
    if isinstance(state.stage, Setting):
        tag = state.stage.piece
        if tag in poses and was_moved(piece_of(state, tag).pose, poses[tag]):
            return phase.refuse(state, Place(state.player, tag, poses[tag].rounded()))
    lying: tuple[Island | Terrain, ...] = (*state.islands, *state.terrain)
    for piece in lying:
        if piece.tag in poses and was_moved(piece.pose, poses[piece.tag]):
            rule = "CSG-39" if isinstance(piece, Island) else "CSG-27"
            return no(rule, farther(state, piece.tag, poses[piece.tag], piece.pose))
    return _ships(state, poses, phase)


def _lay_out(state: State, poses: dict[int, Pose], phase: Phase[Any, Any]) -> Ruling | None:
    drawn = standard_layout(state).poses
    missing = [tag for tag, _ in drawn if tag not in poses]
    if missing:
        names = name_of(state, missing[0])
        return no("CSG-39", f"Tag {missing[0]}, {names}, is not seen yet.")
    laid = LayOut(PlayerId(0), tuple((tag, poses[tag].rounded()) for tag, _ in drawn))
    return phase.refuse(state, laid)


def _ships(state: State, poses: dict[int, Pose], phase: Phase[Any, Any]) -> Ruling | None:
    """Return why a ship that was moved may not be where she is; a tow moves with her tower."""
    moved = [s for s in state.ships if s.tag in poses and was_moved(s.pose, poses[s.tag])]
    towed = {s.towing for s in moved if s.owner == state.turn}
    for ship in moved:
        tag, pose = ship.tag, poses[ship.tag]
        if tag in towed:
            continue
        if ship.owner != state.turn:
            owner = who(state, ship.owner)
            reason = f"{name_of(state, tag)} is {owner}'s and was moved: put her back."
            return no("CSG-9", reason)
        tow = poses.get(ship.towing)
        move = Move(state.player, tag, (), pose.rounded(), tow.rounded() if tow else None)
        if isinstance(state.stage, OnTurn):
            return _SAIL.refuse(state, move)
        if isinstance(state.stage, Retreating):
            return phase.refuse(state, move)
        return no(phase.rule, f"{name_of(state, tag)} has been moved. {phase.pending(state).text}.")
    return None
