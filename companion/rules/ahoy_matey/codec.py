"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.ahoy_matey.actions import KINDS
from companion.rules.ahoy_matey.fleets import SUITS
from companion.rules.ahoy_matey.options import DIE, VARIANTS, read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.sanity import CHECKS
from companion.rules.ahoy_matey.state import (
    Bargaining,
    Charting,
    Cursing,
    Digging,
    Finished,
    GivingUp,
    Rolling,
    RollingForFirst,
    Sailing,
    SettingPair,
    Stage,
    State,
    Tossing,
)
from companion.rules.ahoy_matey.view import ENDS
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
    one_of,
    read_fields,
    record,
    write_fields,
)
from companion.rules.options import options_json
from companion.rules.reading import read_mapping
from companion.rules.writing import Codec, Writer, read_state, write_state

STAGES: dict[str, type[Stage]] = {
    "rolling_for_first": RollingForFirst,
    "bargaining": Bargaining,
    "tossing": Tossing,
    "rolling": Rolling,
    "setting_pair": SettingPair,
    "sailing": Sailing,
    "digging": Digging,
    "cursing": Cursing,
    "charting": Charting,
    "giving_up": GivingUp,
    "finished": Finished,
}
COLOURS = (*SUITS, *(f"{suit}2" for suit in SUITS))

_VARIANT = one_of(VARIANTS)

_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "variant": _VARIANT,
    "offer": _VARIANT,
    "board": WHOLE,
    "dice": dice_of((DIE.id,)),
    "low": WHOLE,
    "high": WHOLE,
    "fleet": one_of(COLOURS),
    "start": CELL,
    "ship": CELL,
    "die": WHOLE,
    "course": WHOLE,
    "ships": WHOLE,
    "treasure": FLAG,
    "contenders": WHOLES,
    "faces": WHOLES,
    "worse": FLAG,
    "how": one_of(ENDS),
    "winners": WHOLES,
}
"""Fields of actions and stages by name; a name means the same wherever it stands."""

_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _FIELDS)
_STAGES = Writer(STAGES, _FIELDS)


_POSITION: dict[str, FieldCodec] = {
    "ships": many(record(Stack, cell=CELL, fleet=one_of(COLOURS), size=WHOLE)),
    "reserve": WHOLES,
    "treasures": many(record(Treasure, place=CELL, cursed=FLAG)),
    "wrecks": CELLS,
    "barred": CELLS,
}
_STATE: dict[str, FieldCodec] = {
    "stage": (_STAGES.write, _STAGES.read),
    "captured": WHOLES,
    "penalties": WHOLES,
    "player": WHOLE,
    "dice": WHOLES,
    "rolls_again": FLAG,
    "ghost": KNOWN,
    "extra_turns": WHOLE,
    "resume_after": KNOWN,
    "turns": WHOLE,
    "round": WHOLE,
    "first": WHOLE,
}
"""Fields of a state but its options and its position."""


def _write_state(state: State) -> dict[str, Any]:
    written = write_state(state, options_json(state.options), _STATE)
    return written | write_fields(state.position, _POSITION)


def _build(data: Mapping[str, Any]) -> State:
    fields = read_state(data, _STATE)
    options = read_options(read_mapping(data["options"], "options"), len(fields["names"]))
    return State(options=options, position=Position(**read_fields(data, _POSITION)), **fields)


def _upgraded(data: Any) -> Any:
    """Return a state that was written before it was known who began, as it is written now."""
    return {"first": 0, **data} if isinstance(data, Mapping) else data


_WRITTEN = ("players", "options", *_STATE, *_POSITION)
CODEC = Codec(_ACTIONS, _WRITTEN, _write_state, _build, CHECKS, _upgraded)
