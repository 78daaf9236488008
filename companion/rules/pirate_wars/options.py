"""What a table may choose before the battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from companion.errors import BadOptions
from companion.rules import plane
from companion.rules.game import Option
from companion.rules.options import check_numbers, options_json, read_chosen
from companion.rules.pirate_wars.ashore.forts import (
    FORT_FIELDS,
    FORTS,
    FortPlace,
    check_sites,
    fort_of,
    read_forts,
)
from companion.rules.pirate_wars.ashore.ground import GROUND_FIELDS, Ground, read_terrain
from companion.rules.pirate_wars.ashore.natives import (
    NATIVE_FIELDS,
    NATIVES,
    NativePlace,
    read_natives,
    tribe_of,
)
from companion.rules.pirate_wars.built.charts import BUILT_IN, Charts, charts
from companion.rules.pirate_wars.built.design import BuildRules
from companion.rules.pirate_wars.built.own_ships import (
    CHARTS,
    SHIPS,
    all_designs,
    read_own_charts,
    read_own_ships,
)
from companion.rules.pirate_wars.built.ship_reading import write_design
from companion.rules.pirate_wars.built.ships import ShipDesign
from companion.rules.pirate_wars.built.vessels import SMALL

WINDS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Where the wind can come from, in the order of the faces of a d8; N is the top of the board."""
ROLLED = "roll"
BASIC, FULL = "basic", "full"
"""Running aground by PWR-55, or by the optional rules (PWR-107 to PWR-110)."""
MOST_SHIPS = 4
"""Ships a side can have."""
SMALLEST_SEA, LARGEST_SEA = 300, 5000
"""Sides of the sea in millimetres."""


@dataclass(frozen=True)
class Options:
    """The options of one table, complete and valid."""

    ships_each: int = 1
    wind: str = ROLLED
    losses: str = "owner"
    rounds: int = 0
    terrain: tuple[Ground, ...] = ()
    sea_mm: tuple[int, ...] = (1300, 900)
    tolerance_mm: int = round(plane.TOLERANCE_MM)
    own_ships: tuple[ShipDesign, ...] = ()
    own_charts: Charts = field(default_factory=charts)
    oversailing: bool = False
    overloading: bool = False
    stern_chasers: bool = False
    revised_runner: bool = False
    grounding: str = BASIC
    head_on_proximity: bool = False
    sail_types: bool = False
    hauling: bool = False
    launches: bool = False
    launch_sails: bool = False
    alligators: bool = False
    snares: bool = False
    forts: tuple[FortPlace, ...] = ()
    natives: tuple[NativePlace, ...] = ()

    @cached_property
    def designs(self) -> Mapping[str, ShipDesign]:
        """The ships that can be chosen, by id."""
        return all_designs(self.own_ships, revised=self.revised_runner)

    @cached_property
    def built(self) -> Mapping[str, ShipDesign]:
        """Everything that may stand on the table, by id."""
        forts = [fort_of(place, number) for number, place in enumerate(self.forts, 1)]
        people = [tribe_of(place, number) for number, place in enumerate(self.natives, 1)]
        both = {built.id: built for built in (*forts, *people)}
        return {**self.designs, **SMALL, **both}

    @property
    def charts(self) -> Charts:
        """The charts that are played with."""
        return self.own_charts

    @cached_property
    def grounds(self) -> tuple[tuple[Ground, plane.Outline], ...]:
        """Islands and reefs with their outlines on the table."""
        return tuple([(ground, ground.shore) for ground in self.terrain])

    @cached_property
    def land(self) -> tuple[tuple[Ground, plane.Outline], ...]:
        """The islands alone."""
        return tuple([item for item in self.grounds if item[0].kind == "island"])

    @cached_property
    def islands(self) -> tuple[plane.Outline, ...]:
        """The outlines of the islands."""
        return tuple([shore for _, shore in self.land])


FLEETS, SEA, OPTIONAL, HOUSE = "Fleets", "Sea", "Optional rules", "House rules"

OPTION_LIST: tuple[Option, ...] = (
    Option(
        "ships_each",
        1,
        (1, 2, 3, 4),
        "How many ships each captain commands.",
        "Ships a side",
        FLEETS,
    ),
    Option(
        "wind",
        ROLLED,
        (ROLLED, *WINDS),
        "Where the wind comes from; N is the top of the board.",
        "Wind",
        SEA,
        ("Rolled with a d8", *(f"From {name}" for name in WINDS)),
    ),
    Option(
        "terrain",
        (),
        (),
        "Islands and reefs on the cloth; each is taken for a circle.",
        "Islands and reefs",
        SEA,
        fields=GROUND_FIELDS,
    ),
    Option(
        "sea_mm",
        (1300, 900),
        (),
        "Width and height of the sea in millimetres, between the middles of the markers.",
        "Size",
        SEA,
    ),
    Option(
        SHIPS,
        (),
        (),
        "Ships built in the shipyard, beside the models.",
        "Ships of your own",
        FLEETS,
        workshop="ships",
    ),
    Option(
        "oversailing",
        False,
        (False, True),
        "Ships of your own may carry more sails for less cargo (PWR-111).",
        "Oversailing",
        OPTIONAL,
    ),
    Option(
        "overloading",
        False,
        (False, True),
        "Ships of your own may carry more cargo for less speed (PWR-112).",
        "Overloading",
        OPTIONAL,
    ),
    Option(
        "stern_chasers",
        False,
        (False, True),
        "Wide ships of your own may carry one or two cannons that point astern (PWR-105).",
        "Stern chasers",
        OPTIONAL,
    ),
    Option(
        "revised_runner",
        False,
        (False, True),
        "The Renegade Runner comes with a launch's mast astern and two cannons on turntables: 64"
        " dots in place of 48, fire all round (PWR-23).",
        "Revised Renegade Runner",
        OPTIONAL,
    ),
    Option(
        "grounding",
        BASIC,
        (BASIC, FULL),
        "How ships run aground: the basic rule, or reefs by depth, islands passed and struck head"
        " on, and wrecks that stay (PWR-107 to PWR-110).",
        "Running aground",
        OPTIONAL,
        ("Basic rule", "Optional rule"),
    ),
    Option(
        "head_on_proximity",
        False,
        (False, True),
        "With the optional rule: striking an island head on costs its nearness, too (PWR-109).",
        "Nearness counts head on",
        OPTIONAL,
    ),
    Option(
        "sail_types",
        False,
        (False, True),
        "Square sails do not tack: such ships are adrift above the beam (PWR-117). It changes the"
        " balance a great deal.",
        "Headings by sails",
        OPTIONAL,
    ),
    Option(
        "hauling",
        False,
        (False, True),
        "Chests, barrels and cannons are carried from ship to ship (PWR-130).",
        "Hauling loot",
        OPTIONAL,
    ),
    Option(
        FORTS,
        (),
        (),
        "Fortresses of stone with cannons and Imperial marines; their captains command Imperial"
        " ships (PWR-119 to PWR-129).",
        "Fortresses",
        SEA,
        fields=FORT_FIELDS,
    ),
    Option(
        NATIVES,
        (),
        (),
        "Islanders or skeletons who live on islands and fall upon strangers ashore (PWR-131 to"
        " PWR-138).",
        "Natives",
        SEA,
        fields=NATIVE_FIELDS,
    ),
    Option(
        "launches",
        False,
        (False, True),
        "Ships lower launches; figures go ashore and from ship to ship in them (PWR-113 to PWR-115,"
        " PWR-123).",
        "Launches",
        OPTIONAL,
    ),
    Option(
        "launch_sails",
        False,
        (False, True),
        "Launches carry a mast: 36 dots with the wind, four figures (PWR-116).",
        "Sailing launches",
        OPTIONAL,
    ),
    Option(
        "alligators",
        False,
        (False, True),
        "Alligators come for figures ashore within four dots of the water (PWR-137).",
        "Alligators",
        OPTIONAL,
    ),
    Option(
        "snares",
        False,
        (False, True),
        "Islands are wooded: figures farther than four dots from the water may be caught in snares"
        " (PWR-137).",
        "Snares",
        OPTIONAL,
    ),
    Option(
        CHARTS,
        BUILT_IN,
        (),
        "Weapons, critical hits and morale: our own charts, or a file with yours.",
        "Charts",
        HOUSE,
        file=".toml",
    ),
    Option(
        "rounds",
        0,
        (),
        "Turns after which the battle ends; 0: it ends when one side is left.",
        "Turns",
        HOUSE,
    ),
    Option(
        "losses",
        "owner",
        ("owner", "order"),
        "Who says which figures fall: their captain, or the house order (plain hands first).",
        "Losses",
        HOUSE,
        ("Their captain", "House order"),
    ),
    Option(
        "tolerance_mm",
        round(plane.TOLERANCE_MM),
        (),
        "How many millimetres a measured move may be out, 1 to 30.",
        "Tolerance",
        HOUSE,
    ),
)


def read_options(given: Mapping[str, object]) -> Options:
    """Return the options of a table from what the host chose. Raises `BadOptions`."""
    values = read_chosen(given, OPTION_LIST)
    _demand_number(values, "rounds", range(1000), "Turns")
    _demand_number(values, "tolerance_mm", range(1, 31), "The tolerance")
    sides = range(SMALLEST_SEA, LARGEST_SEA + 1)
    check_numbers("sea_mm", "The sides of the sea", values["sea_mm"], 2, sides)
    values["terrain"] = read_terrain(values["terrain"], values["sea_mm"])
    build = BuildRules(values["oversailing"], values["overloading"], values["stern_chasers"])
    values[SHIPS] = read_own_ships(values[SHIPS], build)
    values[CHARTS] = read_own_charts(values[CHARTS])
    values[FORTS] = read_forts(values[FORTS])
    check_sites(values[FORTS], values["sea_mm"])
    islands = sum(ground.kind == "island" for ground in values["terrain"])
    values[NATIVES] = read_natives(values[NATIVES], islands)
    return Options(**values)


def write_options(options: Options) -> dict[str, object]:
    """Return options as JSON values that `read_options` accepts."""
    plain = options_json(replace(options, own_ships=(), own_charts=charts()))
    ships: list[object] = [write_design(ship) for ship in options.own_ships]
    return plain | {SHIPS: ships, CHARTS: options.own_charts.source}


def _demand_number(values: Mapping[str, Any], name: str, allowed: range, what: str) -> None:
    if type(values[name]) is not int or values[name] not in allowed:
        low, high = allowed[0], allowed[-1]
        raise BadOptions(f"{what} must be a whole number from {low} to {high}.", name)
