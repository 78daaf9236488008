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
from companion.rules.articles_of_war.sanity import first_complaint
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
from companion.rules.game import PlayerId
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Die, cell_name
from companion.rules.options import options_json
from companion.rules.reading import (
    read_cell,
    read_choice,
    read_known,
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


def _read_colours(value: Any, what: str) -> tuple[str, ...]:
    colours = enumerate(read_list(value, what))
    return tuple(read_choice(c, f"{what}[{i}]", COLOURS) for i, c in colours)


_DICE: FieldCodec = (write_dice, dice_reader(("sail", "cannon")))


def _read_die(value: Any, what: str) -> Die:
    die: Die = _DICE[1]([value], what)[0]
    return die


_COLOUR: FieldCodec = (same, lambda v, what: read_choice(v, what, (*COLOURS, MERCHANT)))
_TILE: FieldCodec = (same, lambda v, what: read_choice(v, what, TILES))

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
    "rolled": (lambda die: write_dice((die,))[0], _read_die),
    "kind": (same, lambda v, what: read_choice(v, what, ("sail", "cannon"))),
    "by": WHOLE,
    "more": WHOLE,
    "fresh": FLAG,
    "length": WHOLE,
    "due": (lambda cells: [cell_name(cell) for cell in cells], read_cells),
    "die": WHOLE,
    "direction": (DIRECTION_NAMES.__getitem__, _read_direction),
    "barrel": WHOLES,
    "mover": (_write_ship, _read_ship),
    "left": WHOLE,
    "enemy": _COLOUR,
    "attack": (same, read_known),
    "attack_more": WHOLE,
    "defence_more": WHOLE,
    "boarder_won": FLAG,
}
"""Fields of actions and stages by name; a name means the same wherever it stands."""


_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _FIELDS)
_BEHIND = Writer(STAGES, _FIELDS)
_WINDOW: dict[str, FieldCodec] = {
    "colours": (list, _read_colours),
    "then": (_BEHIND.write, _BEHIND.read),
}
_STAGES = Writer({**STAGES, "window": Window}, {**_FIELDS, **_WINDOW})
_MEMORY = ("battle", "played", "grudges", "storm")


def _write_state(state: State) -> dict[str, Any]:
    """Write a state."""
    return {
        "players": list(state.names),
        "options": options_json(state.options),
        "stage": _STAGES.write(state.stage),
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
        "memory": _write_memory(state.memory),
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
    "memory",
)


_ADDED: Mapping[str, Mapping[str, Any]] = {
    "choosing_dice": {"more": 0},
    "spending": {"fresh": False},
    "boarding": {"attack_more": 0, "defence_more": 0},
}
"""What stages have been given since the basic game, and its value there."""


def _upgraded(data: Any) -> Any:
    """Return a state of the basic game, written before there were options, as it is written now."""
    if not isinstance(data, Mapping) or "memory" in data:
        return data
    stage, options = data.get("stage"), data.get("options")
    if not isinstance(stage, Mapping) or not isinstance(options, Mapping):
        return data
    return {
        **data,
        "options": {**options_json(Options()), **options},
        "stage": {**_ADDED.get(str(stage.get("type")), {}), **stage},
        "memory": _write_memory(Memory()),
    }


def _build(data: Mapping[str, Any]) -> State:
    names = tuple(read_text(n, "a player") for n in read_list(data["players"], "players"))
    options = read_options(read_mapping(data["options"], "options"))
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
        stage=_STAGES.read(data["stage"], "the stage"),
        fleets=tuple(_read_fleet(f) for f in read_list(data["fleets"], "fleets")),
        gold=read_wholes(data["gold"], "gold"),
        lost=read_wholes(data["lost"], "lost"),
        ocean=Ocean(options.radius, terrain),
        ships=tuple(_read_ship(ship, f"ships[{i}]") for i, ship in enumerate(ships)),
        turn=read_whole(data["turn"], "turn"),
        round=read_whole(data["round"], "round"),
        sails=read_wholes(data["sails"], "sails"),
        cannons=read_wholes(data["cannons"], "cannons"),
        memory=_read_memory(data["memory"]),
    )


def _write_memory(memory: Memory) -> dict[str, Any]:
    return {
        "battle": memory.battle,
        "played": list(memory.played),
        "grudges": list(memory.grudges),
        "storm": memory.storm,
    }


def _read_memory(value: Any) -> Memory:
    data = read_object(value, "the memory", _MEMORY)
    return Memory(
        battle=read_whole(data["battle"], "battle"),
        played=_read_colours(data["played"], "played"),
        grudges=_read_colours(data["grudges"], "grudges"),
        storm=read_known(data["storm"], "storm"),
    )


def _read_fleet(value: Any) -> Fleet:
    data = read_object(value, "a fleet", ("player", "colour", "number"))
    return Fleet(
        PlayerId(read_whole(data["player"], "the player of a fleet")),
        read_choice(data["colour"], "the colour of a fleet", COLOURS),
        read_whole(data["number"], "the number of a fleet"),
    )


CODEC = Codec(_ACTIONS, _STATE_FIELDS, _write_state, _build, first_complaint, _upgraded)
