"""Ships as data: from TOML or JSON values and back, and the ships that come with the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.charts import built_in
from companion.rules.pirate_wars.built.figures import KINDS, Groups, grouped
from companion.rules.pirate_wars.built.ships import MOUNTS, SQUARE_SAILS, Cannon, Mast, ShipDesign
from companion.rules.reading import (
    read_choice,
    read_flag,
    read_list,
    read_mapping,
    read_text,
    read_whole,
)

SIDES = ("pirate", "imperial")
MAST_KINDS = ("single", "topped", "full", "launch")
SAIL_ORDER = (*SQUARE_SAILS, "gaff", "lateen", "launch-gaff", "jib")
MOST_MASTS = 6
MOST_CANNONS = 20
MOST_FIGURES = 60
MOST_CHESTS = 60
MOST_LETTERS = 40
MOST_DOTS = 200

_REQUIRED = ("id", "title", "side", "hull", "length", "mast")
_OPTIONAL = (
    "cannon",
    "extras",
    "crows_nest",
    "deck_guns",
    "cargo",
    "withheld",
    "captain",
    "mate",
    "tag_x_dots",
    "tag_height_mm",
)


@cache
def stock_ships() -> Mapping[str, ShipDesign]:
    """Return the ships of the game's own models, by id (PWR-22 to PWR-29)."""
    ships = [read_design(item) for item in built_in("ships")["ship"]]
    return MappingProxyType({ship.id: ship for ship in ships})


def stock_ship(name: str) -> ShipDesign:
    """Return one of the game's own ships, which is known to be one."""
    return stock_ships()[name]


def read_design(value: Any, what: str = "the ship") -> ShipDesign:
    """Return the ship that JSON or TOML values describe. Raises `MalformedAction`.

    Any numbers are read: whether the ship may be built so is for the module `design` to say.
    """
    data = _fields(value, what, _REQUIRED, _OPTIONAL)
    side = read_choice(data["side"], f"{what}'s side", SIDES)
    masts = read_list(data["mast"], f"{what}'s masts")
    cannons = read_list(data.get("cannon", []), f"{what}'s cannons")
    if len(masts) > MOST_MASTS or len(cannons) > MOST_CANNONS:
        raise MalformedAction(
            f"{what} can have at most {MOST_MASTS} masts and {MOST_CANNONS} cannons"
        )
    return ShipDesign(
        id=_name(data["id"], f"{what}'s id"),
        title=_name(data["title"], f"{what}'s title"),
        side=side,
        hull=_count(data["hull"], f"{what}'s hull", MOST_DOTS),
        length=_count(data["length"], f"{what}'s length", MOST_DOTS),
        masts=tuple(_mast(m, f"mast {n} of {what}") for n, m in enumerate(masts, 1)),
        cannons=tuple(_cannon(c, f"cannon {n} of {what}") for n, c in enumerate(cannons, 1)),
        extras=_groups(data.get("extras", {}), f"the extras of {what}"),
        crows_nest=read_flag(data.get("crows_nest", False), f"{what}'s crow's nest"),
        deck_guns=_count(data.get("deck_guns", 0), f"{what}'s deck guns", MOST_CANNONS),
        cargo=_count(data.get("cargo", 0), f"{what}'s cargo", MOST_CHESTS),
        withheld=_count(data.get("withheld", 0), f"{what}'s sails withheld", MOST_FIGURES),
        captain=_captain(data.get("captain", ""), f"{what}'s captain"),
        mate=read_choice(data.get("mate", "first-mate"), f"{what}'s mate", _of_role("mate")),
        tag_x_dots=_measure(data.get("tag_x_dots", 0.0), f"{what}'s tag_x_dots", 40),
        tag_height_mm=_measure(data.get("tag_height_mm", 60.0), f"{what}'s tag_height_mm", 500),
    )


def write_design(ship: ShipDesign) -> dict[str, object]:
    """Return a ship as JSON values that `read_design` reads; every field, in a fixed order."""
    return {
        "id": ship.id,
        "title": ship.title,
        "side": ship.side,
        "hull": ship.hull,
        "length": ship.length,
        "mast": [
            {"kind": m.kind, "sails": list(m.sails), "mizzen": m.is_mizzen} for m in ship.masts
        ],
        "cannon": [{"mount": c.mount, "side": c.side, "at": c.x_dots} for c in ship.cannons],
        "extras": dict(ship.extras),
        "crows_nest": ship.crows_nest,
        "deck_guns": ship.deck_guns,
        "cargo": ship.cargo,
        "withheld": ship.withheld,
        "captain": ship.captain,
        "mate": ship.mate,
        "tag_x_dots": ship.tag_x_dots,
        "tag_height_mm": ship.tag_height_mm,
    }


def _fields(
    value: Any, what: str, required: Iterable[str], optional: Iterable[str] = ()
) -> Mapping[str, Any]:
    data = read_mapping(value, what)
    needed = list(required)
    for name in needed:
        if name not in data:
            raise MalformedAction(f"{what} lacks the field {name!r}")
    for name in data:
        read_choice(name, f"a field of {what}", (*needed, *optional))
    return data


def _name(value: Any, what: str) -> str:
    text = read_text(value, what).strip()
    if not text or len(text) > MOST_LETTERS or not text.isprintable():
        raise MalformedAction(f"{what} must be a text of 1 to {MOST_LETTERS} letters")
    return text


def _count(value: Any, what: str, most: int) -> int:
    number = read_whole(value, what)
    if not 0 <= number <= most:
        raise MalformedAction(f"{what} must be 0 to {most}, not {number}")
    return number


def _measure(value: Any, what: str, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= most:
        raise MalformedAction(f"{what} must be a number up to {most:g}, not {value!r}")
    return float(value)


def _mast(value: Any, what: str) -> Mast:
    data = _fields(value, what, ("kind", "sails"), ("mizzen",))
    sails = [
        read_choice(s, f"a sail of {what}", SAIL_ORDER)
        for s in read_list(data["sails"], f"the sails of {what}")
    ]
    if len(set(sails)) < len(sails):
        raise MalformedAction(f"{what} has the same sail twice")
    return Mast(
        read_choice(data["kind"], f"the kind of {what}", MAST_KINDS),
        tuple(sorted(sails, key=SAIL_ORDER.index)),
        read_flag(data.get("mizzen", False), f"the field 'mizzen' of {what}"),
    )


def _cannon(value: Any, what: str) -> Cannon:
    data = _fields(value, what, ("mount", "side", "at"))
    mount = read_choice(data["mount"], f"the mount of {what}", MOUNTS)
    side = read_choice(data["side"], f"the side of {what} ({mount})", MOUNTS[mount])
    return Cannon(mount, side, _measure(data["at"], f"the place of {what}", 40))


def _groups(value: Any, what: str) -> Groups:
    data = read_mapping(value, what)
    counts = {
        read_choice(name, f"a figure of {what}", KINDS): _count(number, f"{what}, {name}", 60)
        for name, number in data.items()
    }
    return grouped(counts)


def _captain(value: Any, what: str) -> str:
    return read_choice(value, what, ("", *_of_role("captain")))


def _of_role(role: str) -> tuple[str, ...]:
    return tuple(k.id for k in KINDS.values() if k.role == role)
