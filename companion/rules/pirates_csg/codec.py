"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import MalformedAction
from companion.rules.layout import Pose
from companion.rules.pirates_csg.actions import KINDS
from companion.rules.pirates_csg.options import read_options, write_options
from companion.rules.pirates_csg.sanity import first_complaint
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
    Stage,
)
from companion.rules.pirates_csg.state import Island, Seat, Ship, State, Terrain
from companion.rules.plane import XY
from companion.rules.reading import (
    read_flag,
    read_list,
    read_mapping,
    read_object,
    read_text,
    read_whole,
)
from companion.rules.writing import (
    FLAG,
    WHOLE,
    WHOLES,
    Codec,
    FieldCodec,
    Writer,
    dice_reader,
    same,
    write_dice,
)

STAGES: dict[str, type[Stage]] = {
    "picking_fleets": PickingFleets,
    "building": Building,
    "laying_out": LayingOut,
    "rolling_order": RollingOrder,
    "rolling_market": RollingMarket,
    "on_turn": OnTurn,
    "berthing": Berthing,
    "firing": Firing,
    "rolling_shot": RollingShot,
    "firing_again": FiringAgain,
    "losing_mast": LosingMast,
    "rolling_ram": RollingRam,
    "rolling_board": RollingBoard,
    "looting": Looting,
    "retreating": Retreating,
    "rolling_resource": RollingResource,
    "keeping_resource": KeepingResource,
    "drawing_treasure": DrawingTreasure,
    "loading": Loading,
    "rolling_extra": RollingExtra,
    "defaulting": Defaulting,
    "rolling_terrain": RollingTerrain,
    "rolling_exit": RollingExit,
    "rolling_drift": RollingDrift,
    "finished": Finished,
}
FAR_MM = 100000
"""Nothing on a table lies farther away than this."""


def _read_number(value: Any, what: str) -> float:
    if type(value) not in (int, float) or not abs(value) <= FAR_MM:
        raise MalformedAction(f"{what} must be millimetres or degrees, not {value!r}")
    return float(value)


def write_pose(pose: Pose) -> list[float]:
    """Write a pose as x, y and heading."""
    return [pose.x_mm, pose.y_mm, pose.heading_deg]


def read_pose(value: Any, what: str) -> Pose:
    """Return a pose, rounded as states keep them."""
    numbers = [_read_number(v, what) for v in read_list(value, what)]
    if len(numbers) != 3:
        raise MalformedAction(f"{what} must be x, y and heading, not {value!r}")
    return Pose(*numbers).rounded()


def _write_maybe_pose(pose: Pose | None) -> list[float] | None:
    return None if pose is None else write_pose(pose)


def _read_maybe_pose(value: Any, what: str) -> Pose | None:
    return None if value is None else read_pose(value, what)


def _read_corners(value: Any, what: str) -> tuple[XY, ...]:
    corners = []
    for i, item in enumerate(read_list(value, what)):
        pair = [_read_number(v, f"{what}[{i}]") for v in read_list(item, f"{what}[{i}]")]
        if len(pair) != 2:
            raise MalformedAction(f"{what}[{i}] must be x and y, not {item!r}")
        corners.append((round(pair[0], 1), round(pair[1], 1)))
    if len(corners) > MOST_CORNERS:
        raise MalformedAction(f"{what} must be {MOST_CORNERS} corners at most")
    return tuple(corners)


MOST_CORNERS = 8


def _read_poses(value: Any, what: str) -> tuple[tuple[int, Pose], ...]:
    found = {}
    for i, item in enumerate(read_list(value, what)):
        data = read_object(item, f"{what}[{i}]", ("tag", "pose"))
        tag = read_whole(data["tag"], f"{what}[{i}].tag")
        found[tag] = read_pose(data["pose"], f"{what}[{i}].pose")
    return tuple(sorted(found.items()))


def _read_texts(value: Any, what: str) -> tuple[str, ...]:
    return tuple(read_text(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what)))


def _read_arriving(value: Any, what: str) -> tuple[tuple[str, int], ...]:
    found = []
    for i, item in enumerate(read_list(value, what)):
        data = read_object(item, f"{what}[{i}]", ("upgrade", "seat"))
        upgrade = read_text(data["upgrade"], f"{what}[{i}].upgrade")
        found.append((upgrade, read_whole(data["seat"], f"{what}[{i}].seat")))
    return tuple(found)


TEXT: FieldCodec = (same, read_text)
TEXTS: FieldCodec = (list, _read_texts)
POSE: FieldCodec = (write_pose, read_pose)

_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": (write_dice, dice_reader(("d6", "d20"))),
    "fleet": TEXT,
    "card": TEXT,
    "island": WHOLE,
    "ship": WHOLE,
    "poses": (lambda v: [{"tag": t, "pose": write_pose(p)} for t, p in v], _read_poses),
    "pose": POSE,
    "corners": (lambda v: [list(xy) for xy in v], _read_corners),
    "tow": (_write_maybe_pose, _read_maybe_pose),
    "target": WHOLE,
    "cannon": WHOLE,
    "mast": WHOLE,
    "coin": WHOLE,
    "resource": WHOLE,
    "count": WHOLE,
    "upgrade": TEXT,
    "give": WHOLES,
    "get": WHOLE,
    "clears": FLAG,
}
"""Fields of actions by name; a name means the same wherever it stands."""

_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _ACTION_FIELDS)

_DEEPEST = 4
"""Stages that may be nested in one another."""


def _read_stage(value: Any, what: str) -> Stage:
    depth, inner = 0, value
    while isinstance(inner, Mapping) and "then" in inner:
        depth, inner = depth + 1, inner["then"]
    if depth > _DEEPEST:
        raise MalformedAction(f"{what} holds too many stages in one another")
    stage: Stage = _STAGE_WRITER.read(value, what)
    return stage


_STAGE_WRITER: Writer = Writer(
    STAGES,
    {
        "rolls": WHOLES,
        "ship": WHOLE,
        "left": WHOLES,
        "cannon": WHOLE,
        "target": WHOLE,
        "then": (lambda stage: _STAGE_WRITER.write(stage), _read_stage),
        "count": WHOLE,
        "attack": WHOLE,
        "winner": WHOLE,
        "loser": WHOLE,
        "prize": FLAG,
        "tokens": WHOLE,
        "is_second": FLAG,
        "resource": WHOLE,
        "source": WHOLE,
        "yield_left": WHOLE,
        "missing": WHOLE,
        "terrain": WHOLE,
        "rule": TEXT,
    },
)
_PIECES = Writer(
    {"ship": Ship, "island": Island, "terrain": Terrain, "seat": Seat},
    {
        "tag": WHOLE,
        "card": TEXT,
        "owner": WHOLE,
        "pose": POSE,
        "masts": WHOLES,
        "crew": TEXTS,
        "tokens": WHOLES,
        "coins": WHOLES,
        "treasures": TEXTS,
        "upgrades": TEXTS,
        "docked": WHOLE,
        "done": TEXTS,
        "extra": TEXT,
        "barred": WHOLE,
        "pinned_by": WHOLE,
        "towing": WHOLE,
        "leave": WHOLE,
        "blockade": WHOLE,
        "hired": WHOLE,
        "lost_in": WHOLE,
        "is_mired": FLAG,
        "home": WHOLE,
        "resource": WHOLE,
        "camps": WHOLES,
        "building": TEXT,
        "fort": TEXT,
        "guns": WHOLES,
        "hits": WHOLE,
        "arriving": (lambda v: [{"upgrade": u, "seat": s} for u, s in v], _read_arriving),
        "stock": WHOLES,
        "hidden": WHOLE,
        "has_fired": (same, read_flag),
        "kind": TEXT,
        "gold": WHOLE,
        "is_out": FLAG,
    },
)
_NUMBERS = ("first", "turn", "round", "row", "until")
_LISTS = {"seats": Seat, "ships": Ship, "islands": Island, "terrain": Terrain}
_STATE_FIELDS = ("players", "options", "stage", *_LISTS, "gone", *_NUMBERS)


def _write_state(state: State) -> dict[str, Any]:
    """Write a state as JSON values; nothing in this game is secret."""
    return {
        "players": list(state.names),
        "options": write_options(state.options),
        "stage": _STAGE_WRITER.write(state.stage),
        **{name: [_PIECES.write(v) for v in getattr(state, name)] for name in _LISTS},
        "gone": list(state.gone),
        **{name: getattr(state, name) for name in _NUMBERS},
    }


def _build(data: Mapping[str, Any]) -> State:
    lists: dict[str, Any] = {
        name: _read_pieces(data[name], name, kind) for name, kind in _LISTS.items()
    }
    numbers: dict[str, Any] = {name: read_whole(data[name], name) for name in _NUMBERS}
    return State(
        names=_read_texts(data["players"], "players"),
        options=read_options(read_mapping(data["options"], "options")),
        stage=_read_stage(data["stage"], "the stage"),
        gone=_read_texts(data["gone"], "gone"),
        **lists,
        **numbers,
    )


def _read_pieces(value: Any, what: str, kind: type[Any]) -> tuple[Any, ...]:
    pieces = [_PIECES.read(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))]
    for i, piece in enumerate(pieces):
        if not isinstance(piece, kind):
            raise MalformedAction(f"{what}[{i}] is of another type than the list")
    return tuple(pieces)


CODEC = Codec(_ACTIONS, _STATE_FIELDS, _write_state, _build, first_complaint)
