"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from companion.errors import MalformedAction
from companion.rules.game import PlayerId
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import KINDS
from companion.rules.pirate_wars.ashore.islanders import MOODS as TEMPERS
from companion.rules.pirate_wars.built.figures import KINDS as FIGURES
from companion.rules.pirate_wars.built.ships import SIDE_BEARINGS
from companion.rules.pirate_wars.crew import STATIONS, Crew, Hand
from companion.rules.pirate_wars.dice import DICE
from companion.rules.pirate_wars.fighting.gunnery import DOORS
from companion.rules.pirate_wars.options import read_options, write_options
from companion.rules.pirate_wars.pieces import FATES, MOODS, WAYS, Gun, Ship, Shoal
from companion.rules.pirate_wars.sanity import first_complaint
from companion.rules.pirate_wars.stages import (
    Attack,
    Between,
    ChoosingShips,
    Committing,
    Culling,
    FallingOff,
    FeedingSharks,
    Fight,
    Finished,
    Firing,
    Losing,
    Lurking,
    ManningPrize,
    Moving,
    PlacingShips,
    Pressing,
    RollingCritical,
    RollingInitiative,
    RollingWind,
    SettingDown,
    Stage,
    Tasking,
    TestingMorale,
    Throw,
    Throwing,
    Volley,
    Yielding,
)
from companion.rules.pirate_wars.state import Due, Hit, State
from companion.rules.reading import (
    read_choice,
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
    read_wholes,
    same,
    write_dice,
)

STAGES: dict[str, type[Stage]] = {
    "choosing_ships": ChoosingShips,
    "rolling_wind": RollingWind,
    "placing_ships": PlacingShips,
    "rolling_initiative": RollingInitiative,
    "moving": Moving,
    "falling_off": FallingOff,
    "tasking": Tasking,
    "firing": Firing,
    "rolling_critical": RollingCritical,
    "between": Between,
    "losing": Losing,
    "committing": Committing,
    "throwing": Throwing,
    "culling": Culling,
    "pressing": Pressing,
    "yielding": Yielding,
    "manning_prize": ManningPrize,
    "testing_morale": TestingMorale,
    "feeding_sharks": FeedingSharks,
    "setting_down": SettingDown,
    "lurking": Lurking,
    "finished": Finished,
}

TEXT: FieldCodec = (same, read_text)


def one_of(words: tuple[str, ...]) -> FieldCodec:
    """Return the codec of one of some words."""
    return same, lambda value, what: read_choice(value, what, words)


def read_number(value: Any, what: str) -> float:
    """Return a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value):
        raise MalformedAction(f"{what} must be a number, not {value!r}")
    return float(value)


def write_pose(pose: Pose) -> list[float]:
    """Return a pose as x, y and heading."""
    return [pose.x_mm, pose.y_mm, pose.heading_deg]


def read_pose(value: Any, what: str) -> Pose:
    """Return a pose; rounded, as states keep it."""
    numbers = [read_number(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))]
    if len(numbers) != 3 or any(abs(n) > 1e6 for n in numbers):
        raise MalformedAction(f"{what} must be x, y and heading, not {value!r}")
    return Pose(*numbers).rounded()


def many(codec: FieldCodec) -> FieldCodec:
    """Return the codec of a tuple of values."""
    write, read = codec

    def write_all(values: tuple[Any, ...]) -> list[Any]:
        return [write(value) for value in values]

    def read_all(value: Any, what: str) -> tuple[Any, ...]:
        return tuple([read(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what))])

    return write_all, read_all


def several(count: int, codec: FieldCodec) -> FieldCodec:
    """Return the codec of a tuple of just so many values."""
    write, read = many(codec)

    def read_some(value: Any, what: str) -> tuple[Any, ...]:
        values: tuple[Any, ...] = read(value, what)
        if len(values) != count:
            raise MalformedAction(f"{what} must be a list of {count}, not {value!r}")
        return values

    return write, read_some


def record(kind: Callable[..., Any], **fields: FieldCodec) -> FieldCodec:
    """Return the codec of a named tuple: an object with its fields."""

    def write(value: Any) -> dict[str, Any]:
        return {name: codec[0](getattr(value, name)) for name, codec in fields.items()}

    def read(value: Any, what: str) -> Any:
        data = read_object(value, what, fields)
        return kind(**{n: c[1](data[n], f"{what}.{n}") for n, c in fields.items()})

    return write, read


def counts(names: tuple[str, ...]) -> FieldCodec:
    """Return the codec of words and how many there are of each."""

    def read(value: Any, what: str) -> tuple[tuple[str, int], ...]:
        data = read_mapping(value, what)
        return tuple(
            (read_choice(name, what, names), read_whole(n, f"{what}.{name}"))
            for name, n in data.items()
        )

    return dict, read


POSE: FieldCodec = (write_pose, read_pose)
NUMBER: FieldCodec = (same, read_number)
PAIR = several(2, WHOLE)
_FIGURES = tuple(FIGURES)
_STATION = one_of(STATIONS)
_MAYBE_STATION = one_of(("", *STATIONS, DOORS))


def _write_hand(entry: tuple[Hand, int]) -> list[Any]:
    hand, count = entry
    return [hand.kind, hand.station, hand.loaded, hand.busy, count]


def _read_hand(value: Any, what: str) -> tuple[Hand, int]:
    items = read_list(value, what)
    if len(items) != 5:
        raise MalformedAction(f"{what} must be kind, station, loaded, busy and count")
    hand = Hand(
        read_choice(items[0], f"{what}[0]", _FIGURES),
        read_choice(items[1], f"{what}[1]", STATIONS),
        read_flag(items[2], f"{what}[2]"),
        read_flag(items[3], f"{what}[3]"),
    )
    return hand, read_whole(items[4], f"{what}[4]")


def _write_crew(crew: Crew) -> list[Any]:
    return [_write_hand(entry) for entry in crew]


CREW: FieldCodec = (_write_crew, many((_write_hand, _read_hand))[1])
GUN = record(Gun, side=one_of(tuple(SIDE_BEARINGS)), load=WHOLE, busy=FLAG)
SHIP = record(
    Ship,
    design=TEXT,
    player=(same, lambda value, what: PlayerId(read_whole(value, what))),
    hf=WHOLE,
    sf=WHOLE,
    crew=CREW,
    guns=many(GUN),
    pose=POSE,
    fate=one_of(FATES),
    wanted=WHOLE,
    resetting=WHOLE,
    used=WHOLE,
    way=one_of(WAYS),
    left=WHOLE,
    stunned=FLAG,
    steering=FLAG,
    raked=FLAG,
    mood=one_of(MOODS),
    prize=FLAG,
    fell_off=FLAG,
    tested=many(TEXT),
    struck=FLAG,
    chests=WHOLE,
    stowed=WHOLE,
    boats=WHOLE,
    moved=FLAG,
    temper=one_of(("", *TEMPERS)),
    snared=CREW,
    flees_at=WHOLE,
)
SHOAL = record(
    Shoal,
    player=(same, lambda value, what: PlayerId(read_whole(value, what))),
    ship=WHOLE,
    side=TEXT,
    figures=counts(_FIGURES),
    x_mm=NUMBER,
    y_mm=NUMBER,
    fresh=FLAG,
)
ATTACK = record(
    Attack,
    ship=WHOLE,
    weapon=TEXT,
    gun=WHOLE,
    figure=TEXT,
    shots=WHOLE,
    target=WHOLE,
    station=_MAYBE_STATION,
)
VOLLEY = record(Volley, attack=ATTACK, dice=WHOLE, target=WHOLE, near=FLAG, rake=FLAG)
HIT = record(Hit, ship=WHOLE, what=TEXT, amount=WHOLE, station=_MAYBE_STATION)
DUE = record(Due, ship=WHOLE, figures=WHOLE, stations=many(_STATION), rule=TEXT)
FIGHT = record(Fight, ships=PAIR, first=FLAG, crews=several(2, CREW), hits=PAIR)
THROW = record(Throw, side=WHOLE, dice=WHOLE, target=WHOLE)


def _write_test(test: tuple[int, str, int]) -> list[Any]:
    return list(test)


def _read_test(value: Any, what: str) -> tuple[int, str, int]:
    items = read_list(value, what)
    if len(items) != 3:
        raise MalformedAction(f"{what} must be ship, group and target number")
    number, group, target = items
    return (
        read_whole(number, f"{what}[0]"),
        read_text(group, f"{what}[1]"),
        read_whole(target, f"{what}[2]"),
    )


_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": (write_dice, dice_reader(tuple(kind.id for kind in DICE))),
    "design": TEXT,
    "ship": WHOLE,
    "pose": POSE,
    "path": many(POSE),
    "target": WHOLE,
    "gun": WHOLE,
    "ammo": TEXT,
    "station": TEXT,
    "start": TEXT,
    "figure": TEXT,
    "weapon": TEXT,
    "count": WHOLE,
    "hands": WHOLE,
    "sails": WHOLE,
    "shoal": WHOLE,
    "more": WHOLE,
    "figures": counts(_FIGURES),
    "chests": WHOLE,
}
"""Fields of actions by name; a name means the same wherever it stands."""
ACTIONS = Writer({kind.name: kind for kind in KINDS}, _ACTION_FIELDS)


def _write_stage(stage: Stage) -> dict[str, Any]:
    return _STAGES.write(stage)


def _read_stage(value: Any, what: str) -> Stage:
    stage: Stage = _STAGES.read(value, what)
    return stage


def _read_lurking(value: Any, what: str) -> tuple[int, str]:
    items = read_list(value, what)
    if len(items) != 2:
        raise MalformedAction(f"{what} must be a party and what befalls it")
    return read_whole(items[0], f"{what}[0]"), read_text(items[1], f"{what}[1]")


_STAGE_FIELDS: dict[str, FieldCodec] = {
    "rolls": many(WHOLES),
    "volleys": many(VOLLEY),
    "ship": WHOLE,
    "near": WHOLE,
    "step": TEXT,
    "then": (_write_stage, _read_stage),
    "fight": FIGHT,
    "side": WHOLE,
    "guns": FLAG,
    "throws": many(THROW),
    "owed": PAIR,
    "winner": WHOLE,
    "captor": WHOLE,
    "prize": WHOLE,
    "captured": WHOLE,
    "tests": many((_write_test, _read_test)),
    "shoal": WHOLE,
    "reason": TEXT,
    "number": WHOLE,
    "beside": WHOLE,
    "parties": many((list, _read_lurking)),
}
_STAGES = Writer(STAGES, _STAGE_FIELDS)


def _maybe_number(value: Any, what: str) -> float | None:
    return None if value is None else read_number(value, what)


_STATE_FIELDS: Mapping[str, FieldCodec] = {
    "players": many(TEXT),
    "stage": (_write_stage, _read_stage),
    "sides": many(one_of(("pirate", "imperial"))),
    "ships": many(SHIP),
    "shoals": many(SHOAL),
    "wind": (same, _maybe_number),
    "round": WHOLE,
    "order": (list, read_wholes),
    "slot": WHOLE,
    "attacks": many(ATTACK),
    "hits": many(HIT),
    "due": many(DUE),
    "engaged": many(PAIR),
    "fought": (list, read_wholes),
    "scuttles": (list, read_wholes),
}
"""Fields of a state but its options; ``names`` is written as ``players``."""


def _write_state(state: State) -> dict[str, Any]:
    values = state._asdict() | {"players": state.names}
    fields = {name: codec[0](values[name]) for name, codec in _STATE_FIELDS.items()}
    return fields | {"options": write_options(state.options)}


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    values = {name: codec[1](data[name], name) for name, codec in _STATE_FIELDS.items()}
    names = values.pop("players")
    return State(names=names, options=options, **values)


CODEC = Codec(ACTIONS, (*_STATE_FIELDS, "options"), _write_state, _build, first_complaint)
