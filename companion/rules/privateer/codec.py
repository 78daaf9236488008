"""Actions and states as JSON values, both ways.

A state as JSON holds every purse: it is for the table's own records, never for a phone.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from companion.rules.layout import cell_name
from companion.rules.privateer.actions import KINDS
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.dice import KINDS as DICE
from companion.rules.privateer.effect_reading import jobs_reader, write_jobs
from companion.rules.privateer.effects import GOODS, TRACKS, WINDS
from companion.rules.privateer.options import read_options, write_options
from companion.rules.privateer.sanity import first_complaint
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
    read_wholes,
    same,
    write_dice,
)

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


def _one_of(words: tuple[str, ...]) -> FieldCodec:
    return same, lambda value, what: read_choice(value, what, words)


_TEXT: FieldCodec = (same, read_text)
_GOOD = _one_of(GOODS)
_MAYBE: FieldCodec = (same, read_known)

_ACTION_FIELDS: dict[str, FieldCodec] = {
    "player": WHOLE,
    "dice": (write_dice, dice_reader(tuple(DICE))),
    "captain": _TEXT,
    "card": _TEXT,
    "colour": _one_of(COLOURS),
    "cell": CELL,
    "foe": WHOLE,
    "good": _GOOD,
    "count": WHOLE,
    "track": _one_of(TRACKS),
    "wind": _one_of(WINDS),
    "relic": _TEXT,
    "give": _GOOD,
    "get": _GOOD,
    "port": _TEXT,
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
        "attack": _MAYBE,
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


_STATE_FIELDS = (
    "players",
    "options",
    "stage",
    "seats",
    "slots",
    "port_pile",
    "bounty_pile",
    "bank",
    "first",
    "turn",
    "round",
    "wind",
    "extra",
)
_SEAT_FIELDS = ("captain", "colour", "ranks", "silver", "cargo", "relics", "cell", "last")


def _write_state(state: State) -> dict[str, Any]:
    """Write a state as JSON values, purses included."""
    return {
        "players": list(state.names),
        "options": write_options(state.options),
        "stage": _stages(tuple(state.deck.port_of_id)).write(state.stage),
        "seats": [_write_seat(seat) for seat in state.seats],
        "slots": list(state.slots),
        "port_pile": list(state.port_pile),
        "bounty_pile": list(state.bounty_pile),
        "bank": list(state.bank),
        "first": state.first,
        "turn": state.turn,
        "round": state.round,
        "wind": state.wind,
        "extra": state.extra,
    }


def _write_seat(seat: Seat) -> dict[str, Any]:
    return {
        "captain": seat.captain,
        "colour": seat.colour,
        "ranks": list(seat.ranks),
        "silver": seat.silver,
        "cargo": list(seat.cargo),
        "relics": list(seat.relics),
        "cell": cell_name(seat.cell),
        "last": seat.last,
    }


def _build(data: Mapping[str, Any]) -> State:
    options = read_options(read_mapping(data["options"], "options"))
    seats = read_list(data["seats"], "seats")
    return State(
        names=_read_texts(data["players"], "players"),
        options=options,
        stage=_stages(tuple(options.deck.port_of_id)).read(data["stage"], "the stage"),
        seats=tuple(_read_seat(seat, f"seats[{i}]") for i, seat in enumerate(seats)),
        slots=_read_texts(data["slots"], "slots"),
        port_pile=_read_texts(data["port_pile"], "port_pile"),
        bounty_pile=_read_texts(data["bounty_pile"], "bounty_pile"),
        bank=read_wholes(data["bank"], "bank"),
        first=read_whole(data["first"], "first"),
        turn=read_whole(data["turn"], "turn"),
        round=read_whole(data["round"], "round"),
        wind=read_choice(data["wind"], "wind", WINDS),
        extra=read_known(data["extra"], "extra"),
    )


def _read_texts(value: Any, what: str) -> tuple[str, ...]:
    return tuple(read_text(v, f"{what}[{i}]") for i, v in enumerate(read_list(value, what)))


def _read_seat(value: Any, what: str) -> Seat:
    data = read_object(value, what, _SEAT_FIELDS)
    return Seat(
        captain=read_text(data["captain"], f"{what}.captain"),
        colour=read_text(data["colour"], f"{what}.colour"),
        ranks=read_wholes(data["ranks"], f"{what}.ranks"),
        silver=read_whole(data["silver"], f"{what}.silver"),
        cargo=read_wholes(data["cargo"], f"{what}.cargo"),
        relics=_read_texts(data["relics"], f"{what}.relics"),
        cell=read_cell(data["cell"], f"{what}.cell"),
        last=read_whole(data["last"], f"{what}.last"),
    )


CODEC = Codec(_ACTIONS, _STATE_FIELDS, _write_state, _build, first_complaint)
