"""Actions and states as JSON values, both ways.

A state as JSON holds every purse: it is for the table's own records, never for a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.rules.fields import (
    CELL,
    FLAG,
    KNOWN,
    TEXT,
    TEXTS,
    WHOLE,
    WHOLES,
    FieldCodec,
    dice_of,
    many,
    one_of,
    record,
)
from companion.rules.privateer.actions import KINDS
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.dice import KINDS as DICE
from companion.rules.privateer.effect_reading import jobs_reader, write_jobs
from companion.rules.privateer.effects import GOODS, TRACKS, WINDS
from companion.rules.privateer.options import read_options, write_options
from companion.rules.privateer.sanity import CHECKS
from companion.rules.privateer.state import (
    Answering,
    ChoosingColours,
    ChoosingFoe,
    ChoosingPort,
    Discarding,
    DrawingBounty,
    DrawingPortCards,
    Fighting,
    Finished,
    Fleeing,
    Gaining,
    KeepingCaptains,
    Offering,
    Outfitting,
    Plundering,
    RollingFirst,
    RollingGoods,
    RollingPort,
    Sailing,
    Seat,
    SettingWind,
    Stage,
    State,
    StealingCargo,
    StealingRelic,
    StealingSilver,
    TestingCrew,
    Trading,
    WonPrize,
)
from companion.rules.reading import read_mapping
from companion.rules.writing import Codec, Writer, read_state, write_state

STAGES: dict[str, type[Stage]] = {
    "keeping_captains": KeepingCaptains,
    "drawing_port_cards": DrawingPortCards,
    "choosing_colours": ChoosingColours,
    "rolling_first": RollingFirst,
    "outfitting": Outfitting,
    "drawing_bounty": DrawingBounty,
    "setting_wind": SettingWind,
    "gaining": Gaining,
    "discarding": Discarding,
    "stealing_relic": StealingRelic,
    "stealing_cargo": StealingCargo,
    "stealing_silver": StealingSilver,
    "offering": Offering,
    "answering": Answering,
    "choosing_port": ChoosingPort,
    "rolling_port": RollingPort,
    "testing_crew": TestingCrew,
    "sailing": Sailing,
    "choosing_foe": ChoosingFoe,
    "fighting": Fighting,
    "won_prize": WonPrize,
    "rolling_goods": RollingGoods,
    "plundering": Plundering,
    "fleeing": Fleeing,
    "trading": Trading,
    "finished": Finished,
}


_GOOD = one_of(GOODS)

_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": dice_of(tuple(DICE)),
    "captain": TEXT,
    "card": TEXT,
    "colour": one_of(COLOURS),
    "cell": CELL,
    "foe": WHOLE,
    "good": _GOOD,
    "count": WHOLE,
    "track": one_of(TRACKS),
    "wind": one_of(WINDS),
    "relic": TEXT,
    "give": _GOOD,
    "get": _GOOD,
    "port": TEXT,
}
"""Fields of actions by name; a name means the same wherever it stands."""

_ACTIONS = Writer({kind.name: kind for kind in KINDS}, _ACTION_FIELDS)


@cache
def _stages(ports: tuple[str, ...]) -> Writer:
    """Return the writer of stages for a deck with these ports, which its effects may name."""
    fields: dict[str, FieldCodec] = {
        "jobs": (write_jobs, jobs_reader(ports)),
        "moves": WHOLE,
        "rolls": WHOLES,
        "foe": WHOLE,
        "attack": KNOWN,
        "spoils": WHOLE,
        "winner": WHOLE,
        "loser": WHOLE,
        "left": WHOLE,
        "begun": FLAG,
        "renew": FLAG,
        "give": _GOOD,
        "get": _GOOD,
    }
    return Writer(STAGES, fields)


_SEAT = record(
    Seat,
    captain=TEXT,
    colour=TEXT,
    ranks=WHOLES,
    silver=WHOLE,
    cargo=WHOLES,
    relics=TEXTS,
    cell=CELL,
    last=WHOLE,
)
_STATE: dict[str, FieldCodec] = {
    "seats": many(_SEAT),
    "slots": TEXTS,
    "port_pile": TEXTS,
    "bounty_pile": TEXTS,
    "bank": WHOLES,
    "first": WHOLE,
    "turn": WHOLE,
    "round": WHOLE,
    "wind": one_of(WINDS),
    "extra": KNOWN,
}
"""Fields of a state but its options and its stage, which names ports of the deck."""


def _write_state(state: State) -> dict[str, Any]:
    stage = _stages(tuple(state.deck.port_of_id)).write(state.stage)
    return write_state(state, write_options(state.options), _STATE) | {"stage": stage}


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    stage = _stages(tuple(options.deck.port_of_id)).read(data["stage"], "the stage")
    return State(options=options, stage=stage, **read_state(data, _STATE))


_WRITTEN = ("players", "options", "stage", *_STATE)
CODEC = Codec(_ACTIONS, _WRITTEN, _write_state, _build, CHECKS)
