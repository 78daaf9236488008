"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.ahoy_matey.actions import KINDS
from companion.rules.ahoy_matey.fleets import SUITS
from companion.rules.ahoy_matey.options import DIE, VARIANTS, read_options
from companion.rules.ahoy_matey.position import Position, Stack, Treasure
from companion.rules.ahoy_matey.sanity import first_complaint
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
from companion.rules.game import PlayerId
from companion.rules.layout import cell_name
from companion.rules.options import options_json
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_flag,
    read_list,
    read_mapping,
    read_object,
    read_text,
    read_whole,
)
from companion.rules.writing import (
    CELL,
    FLAG,
    WHOLE,
    WHOLES,
    Codec,
    FieldCodec,
    Writer,
    dice_reader,
    read_cells,
    read_wholes,
    same,
    write_dice,
)

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

_VARIANT: FieldCodec = (same, lambda v, what: read_choice(v, what, VARIANTS))

_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "variant": _VARIANT,
    "offer": _VARIANT,
    "board": WHOLE,
    "dice": (write_dice, dice_reader((DIE.id,))),
    "low": WHOLE,
    "high": WHOLE,
    "fleet": (same, lambda v, what: read_choice(v, what, COLOURS)),
    "start": CELL,
    "ship": CELL,
    "die": WHOLE,
    "course": WHOLE,
    "ships": WHOLE,
    "treasure": FLAG,
    "contenders": WHOLES,
    "faces": WHOLES,
    "worse": FLAG,
    "how": (same, lambda v, what: read_choice(v, what, ENDS)),
    "winners": WHOLES,
}
"""Fields of actions and stages by name; a name means the same wherever it stands."""

_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _FIELDS)
_STAGES = Writer(STAGES, _FIELDS)


def _write_state(state: State) -> dict[str, Any]:
    """Write a state."""
    position = state.position
    return {
        "players": list(state.names),
        "options": options_json(state.options),
        "stage": _STAGES.write(state.stage),
        "ships": [
            {"cell": cell_name(stack.cell), "fleet": stack.fleet, "size": stack.size}
            for stack in position.ships
        ],
        "reserve": list(position.reserve),
        "treasures": [
            {"place": cell_name(treasure.place), "cursed": treasure.cursed}
            for treasure in position.treasures
        ],
        "wrecks": [cell_name(cell) for cell in position.wrecks],
        "barred": [cell_name(cell) for cell in position.barred],
        "captured": list(state.captured),
        "penalties": list(state.penalties),
        "player": state.player,
        "dice": list(state.dice),
        "rolls_again": state.rolls_again,
        "ghost": state.ghost,
        "extra_turns": state.extra_turns,
        "resume_after": state.resume_after,
        "turns": state.turns,
        "round": state.round,
    }


_STATE_FIELDS = (
    "players",
    "options",
    "stage",
    "ships",
    "reserve",
    "treasures",
    "wrecks",
    "barred",
    "captured",
    "penalties",
    "player",
    "dice",
    "rolls_again",
    "ghost",
    "extra_turns",
    "resume_after",
    "turns",
    "round",
)


def _build(data: Mapping[str, Any]) -> State:
    names = tuple(read_text(n, "a player") for n in read_list(data["players"], "players"))
    options = read_options(read_mapping(data["options"], "options"), len(names))
    position = Position(
        tuple(_read_stack(s) for s in read_list(data["ships"], "ships")),
        read_wholes(data["reserve"], "reserve"),
        tuple(_read_treasure(t) for t in read_list(data["treasures"], "treasures")),
        read_cells(data["wrecks"], "wrecks"),
        read_cells(data["barred"], "barred"),
    )
    return State(
        names=names,
        options=options,
        stage=_STAGES.read(data["stage"], "the stage"),
        position=position,
        captured=read_wholes(data["captured"], "captured"),
        penalties=read_wholes(data["penalties"], "penalties"),
        player=PlayerId(read_whole(data["player"], "player")),
        dice=read_wholes(data["dice"], "dice"),
        rolls_again=read_flag(data["rolls_again"], "rolls_again"),
        ghost=_read_seat(data["ghost"], "ghost"),
        extra_turns=read_whole(data["extra_turns"], "extra_turns"),
        resume_after=_read_seat(data["resume_after"], "resume_after"),
        turns=read_whole(data["turns"], "turns"),
        round=read_whole(data["round"], "round"),
    )


def _read_stack(value: Any) -> Stack:
    data = read_object(value, "a ship", ("cell", "fleet", "size"))
    return Stack(
        read_cell(data["cell"], "the cell of a ship"),
        read_choice(data["fleet"], "the fleet of a ship", COLOURS),
        read_whole(data["size"], "the size of a stack"),
    )


def _read_treasure(value: Any) -> Treasure:
    data = read_object(value, "a treasure", ("place", "cursed"))
    place = read_cell(data["place"], "the place of a treasure")
    return Treasure(place, read_flag(data["cursed"], "cursed"))


def _read_seat(value: Any, what: str) -> PlayerId | None:
    return None if value is None else PlayerId(read_whole(value, what))


CODEC = Codec(_ACTIONS, _STATE_FIELDS, _write_state, _build, first_complaint)
