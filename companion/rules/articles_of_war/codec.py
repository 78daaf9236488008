"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.articles_of_war.actions import KINDS
from companion.rules.articles_of_war.ocean import TILES, Ocean
from companion.rules.articles_of_war.options import (
    COLOURS,
    MERCHANT,
    Options,
    read_options,
)
from companion.rules.articles_of_war.sanity import CHECKS
from companion.rules.articles_of_war.state import (
    DONE,
    FIRED,
    FRESH,
    TAKEN,
    AddingThird,
    Boarding,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    ClearingOcean,
    DrawingCommodores,
    DrawingTile,
    Drifted,
    Drifting,
    Finished,
    Fleet,
    Memory,
    OnReef,
    PlacingFleets,
    PlacingGrudge,
    PlacingTile,
    Rerolling,
    Rolling,
    RollingWind,
    Ship,
    Spending,
    Stage,
    State,
    Storming,
    TakingPrize,
    Window,
)
from companion.rules.fields import (
    CELL,
    CELLS,
    FLAG,
    KNOWN,
    WHOLE,
    WHOLES,
    FieldCodec,
    dice_of,
    many,
    named,
    one_of,
    record,
)
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Die
from companion.rules.options import options_json
from companion.rules.reading import read_choice, read_mapping
from companion.rules.writing import Codec, Writer, read_state, write_state

DUTIES = {FRESH: "fresh", FIRED: "fired", DONE: "done", TAKEN: "taken"} | {
    d: f"sailed {name}" for d, name in enumerate(DIRECTION_NAMES)
}
STAGES: dict[str, type[Stage]] = {
    "drawing_commodores": DrawingCommodores,
    "placing_fleets": PlacingFleets,
    "buying_third": BuyingThird,
    "adding_third": AddingThird,
    "choosing_density": ChoosingDensity,
    "drawing_tile": DrawingTile,
    "placing_tile": PlacingTile,
    "choosing_dice": ChoosingDice,
    "rolling": Rolling,
    "spending": Spending,
    "on_reef": OnReef,
    "boarding": Boarding,
    "taking_prize": TakingPrize,
    "placing_grudge": PlacingGrudge,
    "rerolling": Rerolling,
    "rolling_wind": RollingWind,
    "drifting": Drifting,
    "drifted": Drifted,
    "storming": Storming,
    "clearing_ocean": ClearingOcean,
    "finished": Finished,
}
"""Every stage that may stand behind a window, and `Window` besides."""


def _read_direction(value: Any, what: str) -> int:
    return DIRECTION_NAMES.index(read_choice(value, what, DIRECTION_NAMES))


def _read_duty(value: Any, what: str) -> int:
    duty = read_choice(value, what, DUTIES.values())
    return next(d for d, name in DUTIES.items() if name == duty)


_DICE = dice_of(("sail", "cannon"))


def _read_die(value: Any, what: str) -> Die:
    die: Die = _DICE[1]([value], what)[0]
    return die


_COLOUR = one_of((*COLOURS, MERCHANT))
_TILE = one_of(TILES)
_SHIP = record(Ship, cell=CELL, colour=_COLOUR, duty=(DUTIES.__getitem__, _read_duty))

_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "colour": _COLOUR,
    "number": WHOLE,
    "start": CELL,
    "second": CELL,
    "cell": CELL,
    "ship": CELL,
    "each": WHOLE,
    "tile": _TILE,
    "sails": WHOLE,
    "cannons": WHOLE,
    "dice": _DICE,
    "rolled": (lambda die: _DICE[0]((die,))[0], _read_die),
    "kind": one_of(("sail", "cannon")),
    "by": WHOLE,
    "more": WHOLE,
    "fresh": FLAG,
    "length": WHOLE,
    "due": CELLS,
    "die": WHOLE,
    "direction": (DIRECTION_NAMES.__getitem__, _read_direction),
    "barrel": WHOLES,
    "mover": _SHIP,
    "left": WHOLE,
    "enemy": _COLOUR,
    "attack": KNOWN,
    "attack_more": WHOLE,
    "defence_more": WHOLE,
    "boarder_won": FLAG,
}
"""Fields of actions and stages by name; a name means the same wherever it stands."""


_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _FIELDS)
_BEHIND = Writer(STAGES, _FIELDS)
_WINDOW: dict[str, FieldCodec] = {
    "colours": many(one_of(COLOURS)),
    "then": (_BEHIND.write, _BEHIND.read),
}
_STAGES = Writer({**STAGES, "window": Window}, {**_FIELDS, **_WINDOW})
_MEMORY = record(
    Memory,
    battle=WHOLE,
    played=many(one_of(COLOURS)),
    grudges=many(one_of(COLOURS)),
    storm=KNOWN,
    more=WHOLE,
    desperate=FLAG,
)
_STATE: dict[str, FieldCodec] = {
    "stage": (_STAGES.write, _STAGES.read),
    "fleets": many(record(Fleet, player=WHOLE, colour=one_of(COLOURS), number=WHOLE)),
    "gold": WHOLES,
    "lost": WHOLES,
    "ships": many(_SHIP),
    "turn": WHOLE,
    "round": WHOLE,
    "sails": WHOLES,
    "cannons": WHOLES,
    "memory": _MEMORY,
}
"""Fields of a state but its options and its ocean."""
_TERRAIN = many(named(cell=CELL, tile=_TILE))


def _write_state(state: State) -> dict[str, Any]:
    written = write_state(state, options_json(state.options), _STATE)
    return written | {"terrain": _TERRAIN[0](state.ocean.tiles)}


_ADDED: Mapping[str, Mapping[str, Any]] = {
    "choosing_dice": {"more": 0},
    "spending": {"fresh": False},
    "boarding": {"attack_more": 0, "defence_more": 0},
}
"""What stages have been given since the basic game, and its value there."""


def _upgraded(data: Any) -> Any:
    """Return a state that was written before there were all options, as it is written now."""
    if not isinstance(data, Mapping):
        return data
    if isinstance(memory := data.get("memory"), Mapping):
        return {**data, "memory": {"more": 0, "desperate": False, **memory}}
    if "memory" in data:
        return data
    stage, options = data.get("stage"), data.get("options")
    if not isinstance(stage, Mapping) or not isinstance(options, Mapping):
        return data
    return {
        **data,
        "options": {**options_json(Options()), **options},
        "stage": {**_ADDED.get(str(stage.get("type")), {}), **stage},
        "memory": _MEMORY[0](Memory()),
    }


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    ocean = Ocean(options.radius, _TERRAIN[1](data["terrain"], "terrain"))
    return State(options=options, ocean=ocean, **read_state(data, _STATE))


_WRITTEN = ("players", "options", "terrain", *_STATE)
CODEC = Codec(_ACTIONS, _WRITTEN, _write_state, _build, CHECKS, _upgraded)
