"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import MalformedAction
from companion.rules.fields import (
    FLAG,
    NUMBER,
    POSE,
    TEXT,
    TEXTS,
    WHOLE,
    WHOLES,
    FieldCodec,
    dice_of,
    many,
    maybe,
    named,
    row,
)
from companion.rules.layout import Pose
from companion.rules.pirates_csg.actions import KINDS
from companion.rules.pirates_csg.options import read_options, write_options
from companion.rules.pirates_csg.sanity import CHECKS
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
from companion.rules.pirates_csg.state import NO_TOKENS, Island, Seat, Ship, State, Terrain
from companion.rules.plane import XY
from companion.rules.reading import read_mapping
from companion.rules.writing import Codec, Writer, read_state, write_state

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
    "setting": Setting,
    "finished": Finished,
}
MOST_CORNERS = 8


def _read_corners(value: Any, what: str) -> tuple[XY, ...]:
    corners = many(row(NUMBER, NUMBER))[1](value, what)
    if len(corners) > MOST_CORNERS:
        raise MalformedAction(f"{what} must be {MOST_CORNERS} corners at most")
    return tuple((round(x, 1), round(y, 1)) for x, y in corners)


_POSES = many(named(tag=WHOLE, pose=POSE))


def _read_poses(value: Any, what: str) -> tuple[tuple[int, Pose], ...]:
    return tuple(sorted(dict(_POSES[1](value, what)).items()))


_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": dice_of(("d6", "d20")),
    "fleet": TEXT,
    "card": TEXT,
    "island": WHOLE,
    "ship": WHOLE,
    "poses": (_POSES[0], _read_poses),
    "pose": POSE,
    "corners": (lambda v: [list(xy) for xy in v], _read_corners),
    "tow": maybe(POSE),
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
        "piece": WHOLE,
        "pose": POSE,
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
        "pinned_by": WHOLES,
        "towing": WHOLE,
        "leave": WHOLE,
        "blockade": WHOLE,
        "hired": WHOLE,
        "lost_in": WHOLE,
        "is_mired": FLAG,
        "privateers": TEXTS,
        "is_prize": FLAG,
        "brought": WHOLES,
        "home": WHOLE,
        "resource": WHOLE,
        "camps": WHOLES,
        "building": TEXT,
        "fort": TEXT,
        "guns": WHOLES,
        "hits": WHOLE,
        "arriving": many(named(upgrade=TEXT, seat=WHOLE)),
        "stock": WHOLES,
        "hidden": WHOLE,
        "has_fired": FLAG,
        "kind": TEXT,
        "gold": WHOLE,
        "is_out": FLAG,
    },
)


def _pieces(kind: type[Any]) -> FieldCodec:
    """Return the codec of a list of pieces of one type."""

    def read(value: Any, what: str) -> Any:
        piece = _PIECES.read(value, what)
        if not isinstance(piece, kind):
            raise MalformedAction(f"{what} is of another type than the list")
        return piece

    return many((_PIECES.write, read))


_STATE: dict[str, FieldCodec] = {
    "stage": (_STAGE_WRITER.write, _read_stage),
    "seats": _pieces(Seat),
    "ships": _pieces(Ship),
    "islands": _pieces(Island),
    "terrain": _pieces(Terrain),
    "gone": TEXTS,
    "first": WHOLE,
    "turn": WHOLE,
    "round": WHOLE,
    "row": WHOLE,
    "until": WHOLE,
}
"""Fields of a state but its options; nothing in this game is secret."""


def _write_state(state: State) -> dict[str, Any]:
    return write_state(state, write_options(state.options), _STATE)


def _upgraded(data: Any) -> Any:
    """Return a state from before ships kept all that they keep now, as it is written now."""
    if not isinstance(data, Mapping) or not isinstance(ships := data.get("ships"), list):
        return data
    new = {"privateers": [], "is_prize": False, "brought": list(NO_TOKENS)}
    whole = [{**new, **_repinned(ship)} if isinstance(ship, Mapping) else ship for ship in ships]
    return {**data, "ships": whole}


def _repinned(ship: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a ship of when one tag was kept of who had rammed her, with 0 for nobody."""
    pin = ship.get("pinned_by")
    return {**ship, "pinned_by": [pin] if pin else []} if type(pin) is int else ship


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    return State(options=options, **read_state(data, _STATE))


_WRITTEN = ("players", "options", *_STATE)
CODEC = Codec(_ACTIONS, _WRITTEN, _write_state, _build, CHECKS, _upgraded)
