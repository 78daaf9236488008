"""Actions and states as JSON values, both ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.rules.fields import (
    FLAG,
    NUMBER,
    POSE,
    TEXT,
    TEXTS,
    WHOLE,
    WHOLES,
    FieldCodec,
    counts,
    dice_of,
    many,
    maybe,
    one_of,
    record,
    row,
)
from companion.rules.pirate_wars.actions import KINDS
from companion.rules.pirate_wars.ashore.islanders import MOODS as TEMPERS
from companion.rules.pirate_wars.built.figures import KINDS as FIGURES
from companion.rules.pirate_wars.built.ships import SIDE_BEARINGS
from companion.rules.pirate_wars.crew import HAMPERED, STATIONS, Hand
from companion.rules.pirate_wars.dice import DICE
from companion.rules.pirate_wars.fighting.gunnery import DOORS
from companion.rules.pirate_wars.options import read_options, write_options
from companion.rules.pirate_wars.pieces import FATES, MOODS, WAYS, Gun, Ship, Shoal
from companion.rules.pirate_wars.sanity import CHECKS
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
from companion.rules.reading import read_mapping
from companion.rules.writing import Codec, Writer, read_state, write_state

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

PAIR = row(WHOLE, WHOLE)
_FIGURES = tuple(FIGURES)
_STATION = one_of(STATIONS)
_MAYBE_STATION = one_of(("", *STATIONS, DOORS))


_HANDS = row(one_of(_FIGURES), one_of(STATIONS), FLAG, FLAG, one_of(HAMPERED), WHOLE)


def _write_hands(entry: tuple[Hand, int]) -> Any:
    hand, count = entry
    return _HANDS[0]((*hand, count))


def _read_hands(value: Any, what: str) -> tuple[Hand, int]:
    *hand, count = _HANDS[1](value, what)
    return Hand(*hand), count


CREW = many((_write_hands, _read_hands))
GUN = record(Gun, side=one_of(tuple(SIDE_BEARINGS)), load=WHOLE, busy=FLAG, rolling=WHOLE)
SHIP = record(
    Ship,
    design=TEXT,
    player=WHOLE,
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
    tested=TEXTS,
    struck=FLAG,
    chests=WHOLE,
    stowed=WHOLE,
    boats=WHOLE,
    moved=FLAG,
    temper=one_of(("", *TEMPERS)),
    snared=CREW,
    flees_at=WHOLE,
    fort=WHOLE,
    home=WHOLE,
    complement=WHOLE,
)
SHOAL = record(
    Shoal,
    player=WHOLE,
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
    start=_MAYBE_STATION,
)
VOLLEY = record(Volley, attack=ATTACK, dice=WHOLE, target=WHOLE, near=FLAG, rake=FLAG)
HIT = record(Hit, ship=WHOLE, what=TEXT, amount=WHOLE, station=_MAYBE_STATION, borne=FLAG)
DUE = record(Due, ship=WHOLE, figures=WHOLE, stations=many(_STATION), rule=TEXT)
FIGHT = record(Fight, ships=PAIR, first=FLAG, crews=row(CREW, CREW), hits=PAIR)
THROW = record(Throw, side=WHOLE, dice=WHOLE, target=WHOLE)


_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": dice_of(tuple(kind.id for kind in DICE)),
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
    "how": TEXT,
}
"""Fields of actions by name; a name means the same wherever it stands."""
ACTIONS = Writer({kind.name: kind for kind in KINDS}, _ACTION_FIELDS)


def _write_stage(stage: Stage) -> dict[str, Any]:
    return _STAGES.write(stage)


def _read_stage(value: Any, what: str) -> Stage:
    stage: Stage = _STAGES.read(value, what)
    return stage


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
    "tests": many(row(WHOLE, TEXT, WHOLE)),
    "shoal": WHOLE,
    "rest": WHOLE,
    "reason": TEXT,
    "number": WHOLE,
    "beside": WHOLE,
    "parties": many(row(WHOLE, TEXT)),
}
_STAGES = Writer(STAGES, _STAGE_FIELDS)


_STATE: Mapping[str, FieldCodec] = {
    "stage": (_write_stage, _read_stage),
    "sides": many(one_of(("pirate", "imperial"))),
    "ships": many(SHIP),
    "shoals": many(SHOAL),
    "wind": maybe(NUMBER),
    "round": WHOLE,
    "order": WHOLES,
    "slot": WHOLE,
    "attacks": many(ATTACK),
    "hits": many(HIT),
    "due": many(DUE),
    "engaged": many(PAIR),
    "rammed": many(PAIR),
    "fought": WHOLES,
    "scuttles": WHOLES,
}
"""Fields of a state but its options."""


def _write_state(state: State) -> dict[str, Any]:
    return write_state(state, write_options(state.options), _STATE)


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    return State(options=options, **read_state(data, _STATE))


_WRITTEN = ("players", "options", *_STATE)
CODEC = Codec(ACTIONS, _WRITTEN, _write_state, _build, CHECKS)
