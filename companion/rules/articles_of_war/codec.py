"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from companion.errors import BadOptions, MalformedAction
from companion.rules.articles_of_war.actions import KINDS, Deed
from companion.rules.articles_of_war.options import (
    COLOURS,
    MERCHANT,
    options_json,
    read_options,
)
from companion.rules.articles_of_war.sanity import first_complaint
from companion.rules.articles_of_war.state import (
    DONE,
    FIRED,
    FRESH,
    TAKEN,
    TILES,
    Boarding,
    BuyingThird,
    ChoosingDensity,
    ChoosingDice,
    DrawingCommodores,
    DrawingTile,
    Finished,
    Fleet,
    Ocean,
    OnReef,
    PlacingFleets,
    PlacingTile,
    Rolling,
    Ship,
    Spending,
    Stage,
    State,
    TakingPrize,
)
from companion.rules.game import PlayerId
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Die, cell_name
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_flag,
    read_list,
    read_object,
    read_text,
    read_whole,
)

DUTIES = {FRESH: "fresh", FIRED: "fired", DONE: "done", TAKEN: "taken"} | {
    d: f"sailed {name}" for d, name in enumerate(DIRECTION_NAMES)
}
STAGES: dict[str, type[Stage]] = {
    "drawing_commodores": DrawingCommodores,
    "placing_fleets": PlacingFleets,
    "buying_third": BuyingThird,
    "choosing_density": ChoosingDensity,
    "drawing_tile": DrawingTile,
    "placing_tile": PlacingTile,
    "choosing_dice": ChoosingDice,
    "rolling": Rolling,
    "spending": Spending,
    "on_reef": OnReef,
    "boarding": Boarding,
    "taking_prize": TakingPrize,
    "finished": Finished,
}
_STAGE_NAMES = {stage: name for name, stage in STAGES.items()}
_KIND_BY_NAME = {kind.name: kind for kind in KINDS}

Codec = tuple[Callable[[Any], Any], Callable[[Any, str], Any]]
"""How a field is written and how it is read."""


def _same(value: Any) -> Any:
    return value


def _read_die(value: Any, what: str) -> Die:
    data = read_object(value, what, ("kind", "face"))
    kind = read_choice(data["kind"], f"{what}.kind", ("sail", "cannon"))
    return Die(kind, read_whole(data["face"], f"{what}.face"))


def _read_dice(value: Any, what: str) -> tuple[Die, ...]:
    # In a message the order of the dice means nothing, as in the tray.
    return tuple(sorted(_read_die(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))))


def _write_dice(dice: tuple[Die, ...]) -> list[dict[str, Any]]:
    return [{"kind": die.kind, "face": die.face} for die in dice]


def _read_direction(value: Any, what: str) -> int:
    return DIRECTION_NAMES.index(read_choice(value, what, DIRECTION_NAMES))


def _read_ship(value: Any, what: str) -> Ship:
    data = read_object(value, what, ("cell", "colour", "duty"))
    duty = read_choice(data["duty"], f"{what}.duty", DUTIES.values())
    return Ship(
        read_cell(data["cell"], f"{what}.cell"),
        read_choice(data["colour"], f"{what}.colour", (*COLOURS, MERCHANT)),
        next(d for d, name in DUTIES.items() if name == duty),
    )


def _write_ship(ship: Ship) -> dict[str, Any]:
    return {"cell": cell_name(ship.cell), "colour": ship.colour, "duty": DUTIES[ship.duty]}


def _read_wholes(value: Any, what: str) -> tuple[int, ...]:
    return tuple(read_whole(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what)))


def _read_attack(value: Any, what: str) -> int | None:
    return None if value is None else read_whole(value, what)


_CELL: Codec = (cell_name, read_cell)
_WHOLE: Codec = (_same, read_whole)
_WHOLES: Codec = (list, _read_wholes)
_COLOUR: Codec = (_same, lambda v, what: read_choice(v, what, (*COLOURS, MERCHANT)))
_TILE: Codec = (_same, lambda v, what: read_choice(v, what, TILES))

_FIELDS: dict[str, Codec] = {
    "player": _WHOLE,
    "colour": _COLOUR,
    "number": _WHOLE,
    "start": _CELL,
    "second": _CELL,
    "cell": _CELL,
    "ship": _CELL,
    "each": _WHOLE,
    "tile": _TILE,
    "sails": _WHOLE,
    "cannons": _WHOLE,
    "dice": (_write_dice, _read_dice),
    "die": _WHOLE,
    "direction": (DIRECTION_NAMES.__getitem__, _read_direction),
    "barrel": _WHOLES,
    "mover": (_write_ship, _read_ship),
    "left": _WHOLE,
    "enemy": _COLOUR,
    "attack": (_same, _read_attack),
    "boarder_won": (_same, read_flag),
}
"""Fields of actions and stages by name; a name means the same wherever it stands."""


def _write(value: Any, kind: str) -> dict[str, Any]:
    return {"type": kind} | {
        f.name: _FIELDS[f.name][0](getattr(value, f.name)) for f in fields(value)
    }


def _read(data: Any, what: str, kinds: Mapping[str, type[Any]]) -> Any:
    if not isinstance(data, Mapping) or "type" not in data:
        raise MalformedAction(f"{what} must be a JSON object with the field 'type', not {data!r}")
    name = read_choice(data["type"], f"the type of {what}", kinds)
    kind = kinds[name]
    names = [f.name for f in fields(kind)]
    read_object(data, f"{what} {name!r}", ("type", *names))
    return kind(**{n: _FIELDS[n][1](data[n], f"{n} of {what} {name!r}") for n in names})


def action_to_json(action: Deed) -> dict[str, Any]:
    """Write an action."""
    return _write(action, type(action).name)


def action_from_json(data: Mapping[str, Any]) -> Deed:
    """Read an action. Raises `MalformedAction` saying which field is wrong and how."""
    action: Deed = _read(data, "the action", _KIND_BY_NAME)
    return action


def state_to_json(state: State) -> dict[str, Any]:
    """Write a state."""
    return {
        "players": list(state.names),
        "options": options_json(state.options),
        "stage": _write(state.stage, _STAGE_NAMES[type(state.stage)]),
        "fleets": [
            {"player": fleet.player, "colour": fleet.colour, "number": fleet.number}
            for fleet in state.fleets
        ],
        "gold": list(state.gold),
        "lost": list(state.lost),
        "terrain": [{"cell": cell_name(c), "tile": t} for c, t in state.ocean.tiles],
        "ships": [_write_ship(ship) for ship in state.ships],
        "turn": state.turn,
        "round": state.round,
        "sails": list(state.sails),
        "cannons": list(state.cannons),
    }


_STATE_FIELDS = (
    "players",
    "options",
    "stage",
    "fleets",
    "gold",
    "lost",
    "terrain",
    "ships",
    "turn",
    "round",
    "sails",
    "cannons",
)


def state_from_json(data: Mapping[str, Any]) -> State:
    """Read a state. Raises `MalformedAction` on anything `state_to_json` cannot have written."""
    read_object(data, "the state", _STATE_FIELDS)
    state = _build(data)
    complaint = first_complaint(state)
    if complaint:
        raise MalformedAction(f"the state cannot be: {complaint}")
    if state_to_json(state) != data:
        raise MalformedAction("the state is not written as this game writes it: sort its lists")
    return state


def _build(data: Mapping[str, Any]) -> State:
    names = tuple(read_text(n, "a player") for n in read_list(data["players"], "players"))
    if not isinstance(data["options"], Mapping):
        raise MalformedAction(f"options must be a JSON object, not {data['options']!r}")
    try:
        options = read_options(data["options"])
    except BadOptions as error:
        raise MalformedAction(str(error)) from error
    tiles = [
        read_object(t, "a tile", ("cell", "tile")) for t in read_list(data["terrain"], "terrain")
    ]
    terrain = tuple(
        (read_cell(t["cell"], "a tile"), _FIELDS["tile"][1](t["tile"], "a tile")) for t in tiles
    )
    ships = read_list(data["ships"], "ships")
    return State(
        names=names,
        options=options,
        stage=_read(data["stage"], "the stage", STAGES),
        fleets=tuple(_read_fleet(f) for f in read_list(data["fleets"], "fleets")),
        gold=_read_wholes(data["gold"], "gold"),
        lost=_read_wholes(data["lost"], "lost"),
        ocean=Ocean(options.radius, terrain),
        ships=tuple(_read_ship(ship, f"ships[{i}]") for i, ship in enumerate(ships)),
        turn=read_whole(data["turn"], "turn"),
        round=read_whole(data["round"], "round"),
        sails=_read_wholes(data["sails"], "sails"),
        cannons=_read_wholes(data["cannons"], "cannons"),
    )


def _read_fleet(value: Any) -> Fleet:
    data = read_object(value, "a fleet", ("player", "colour", "number"))
    return Fleet(
        PlayerId(read_whole(data["player"], "the player of a fleet")),
        read_choice(data["colour"], "the colour of a fleet", COLOURS),
        read_whole(data["number"], "the number of a fleet"),
    )
