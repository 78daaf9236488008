"""Ships of PirateWars as they were built: the models' numbers, the damage chart, the hull."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import (
    read_design,
    stock_ship,
    stock_ships,
    write_design,
)
from companion.rules.pirate_wars.built.ships import DOT_MM, SIDE_BEARINGS, Cannon, Mast, ShipDesign

MODELS = [
    # id, hull, HF, SF, speed, length, SL, cannons, extras, crew
    ("renegade-runner", 8, 3, 3, 48, 24, 16, 1, 4, 11),
    ("renegade-runner-revised", 8, 3, 4, 64, 24, 16, 2, 4, 14),
    ("black-seas-barracuda", 12, 6, 7, 56, 48, 8, 4, 16, 33),
    ("skulls-eye-schooner", 12, 6, 8, 64, 48, 8, 4, 16, 34),
    ("red-beards-runner", 12, 5, 7, 70, 40, 10, 3, 12, 27),
    ("caribbean-clipper", 12, 4, 4, 48, 32, 12, 4, 8, 22),
    ("imperial-flagship", 8, 4, 5, 60, 32, 12, 2, 8, 19),
    ("man-of-war", 12, 6, 8, 64, 48, 8, 8, 4, 30),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model[0])
def test_the_models(model: tuple[str, int, int, int, int, int, int, int, int, int]) -> None:
    """PWR-22, PWR-23, PWR-24, PWR-25, PWR-26, PWR-27, PWR-28, PWR-29: the chart of ships.

    PWR-19: HF is the length over eight; PWR-20: speed is SL times SF; PWR-21: the crew.
    """
    ship = stock_ship(model[0])
    numbers = (ship.hull, ship.hull_factor, ship.sail_factor, ship.speed, ship.length)
    others = (ship.sail_loss, len(ship.cannons), ship.extra_figures, ship.crew_size)
    assert (model[0], *numbers, *others) == model
    assert ship.length == 8 * ship.hull_factor
    assert ship.speed == ship.sail_loss * ship.sail_factor
    assert ship.crew_size == sum(count for _, count in ship.crew)


def test_all_models_are_listed() -> None:
    assert set(stock_ships()) == {model[0] for model in MODELS}


def test_the_crew_of_the_barracuda() -> None:
    """PWR-21: Captain, First Mate, a sailor a sail factor, two a cannon, the extras."""
    ship = stock_ship("black-seas-barracuda")
    assert dict(ship.crew) == {
        "pirate-captain": 1,
        "first-mate": 1,
        "pirate": 7 + 8 + 6,
        "pirate-hook": 2,
        "pirate-musket": 4,
        "pirate-female": 4,
    }
    nest = replace(ship, crows_nest=True)
    assert nest.crew_size == ship.crew_size + 1
    assert dict(nest.crew)["pirate"] == dict(ship.crew)["pirate"] + 1


def test_a_female_captain_commands_in_his_place() -> None:
    """PWR-7: she is in the crew, and he is not."""
    ship = replace(stock_ship("man-of-war"), captain="imperial-captain-female")
    assert dict(ship.crew)["imperial-captain-female"] == 1
    assert "imperial-captain" not in dict(ship.crew)
    assert ship.officers[0].always_loaded


@pytest.mark.parametrize(
    ("name", "column"),
    [
        ("imperial-flagship", "SSHSHSHSH"),
        ("black-seas-barracuda", "SSHSHSHSHSHSH"),
        ("skulls-eye-schooner", "SSSHSHSHSHSHSH"),
        ("renegade-runner", "SHSHSH"),
    ],
)
def test_the_damage_chart(name: str, column: str) -> None:
    """PWR-84: the rows from the top, as every worked example has them."""
    ship = stock_ship(name)
    assert ship.column == column
    assert ship.column.count("H") == ship.hull_factor
    assert ship.column.count("S") == ship.sail_factor


def test_a_chart_with_few_sails_leaves_out_the_topmost_gaps() -> None:
    """PWR-84: with fewer sails than gaps between hulls the gaps at the top stay empty."""
    mast = Mast("full", ("main", "topsail"))
    ship = replace(stock_ship("man-of-war"), masts=(mast,))
    assert ship.sail_factor == 3
    assert ship.column == "HHHSHSHSH"


def test_speed_labels() -> None:
    """PWR-85: full speed at the top, a sail loss less with each row."""
    ship = stock_ship("skulls-eye-schooner")
    assert ship.speed_labels == (64, 56, 48, 40, 32, 24, 16, 8)
    assert [ship.speed_at(sails) for sails in (8, 7, 1, 0)] == [64, 56, 8, 0]


def test_speed_labels_of_an_overloaded_ship() -> None:
    """PWR-112, T14: four tons on a schooner cost two sail factors; never below 8 dots."""
    ship = replace(stock_ship("skulls-eye-schooner"), withheld=2)
    assert ship.speed_labels == (48, 40, 32, 24, 16, 8, 8, 8)
    assert ship.column == stock_ship("skulls-eye-schooner").column
    assert ship.crew_size == stock_ship("skulls-eye-schooner").crew_size


def test_draft_and_launches() -> None:
    """PWR-33: narrow 8 dots, wide 12; PWR-113: a launch for every eight figures."""
    assert stock_ship("imperial-flagship").draft == 8
    assert stock_ship("caribbean-clipper").draft == 12
    assert [stock_ship(name).launches for name in ("renegade-runner", "skulls-eye-schooner")] == [
        1,
        4,
    ]


def test_top_castles_hold_the_figures_of_the_examples() -> None:
    """PWR-102, T5, T6: topped and full masts have a castle; four men on the schooner's two."""
    castles = {name: ship.castles for name, ship in stock_ships().items()}
    assert castles["skulls-eye-schooner"] == 2
    assert castles["imperial-flagship"] == 1
    assert castles["renegade-runner"] == 0


@pytest.mark.parametrize("ship", stock_ships().values(), ids=lambda ship: ship.id)
def test_the_hull_is_as_long_and_wide_as_it_says(ship: ShipDesign) -> None:
    """PWR-2, PWR-19: a dot is 8 mm; bow and rudder are the ends of the waterline."""
    xs, ys = zip(*ship.outline_mm, strict=True)
    assert max(xs) - min(xs) == ship.length * DOT_MM == ship.length_mm
    assert max(ys) == -min(ys) == ship.hull * DOT_MM / 2
    assert ship.bow_mm == (max(xs), 0.0)
    assert ship.rudder_mm == (min(xs), 0.0)
    area = sum(
        x0 * y1 - x1 * y0
        for (x0, y0), (x1, y1) in zip(
            ship.outline_mm, (*ship.outline_mm[1:], ship.outline_mm[0]), strict=True
        )
    )
    assert area > 0  # clockwise as seen from above (y to starboard), bow first


def test_a_tag_off_the_middle_shifts_the_hull() -> None:
    ship = replace(stock_ship("imperial-flagship"), tag_x_dots=4.0)
    assert ship.bow_mm == (12 * DOT_MM, 0.0)
    assert ship.rudder_mm == (-20 * DOT_MM, 0.0)
    assert ship.muzzle_mm(0, "port") == (0.0, -4 * DOT_MM)


def test_cannons_point_where_their_mounts_let_them() -> None:
    """PWR-68, PWR-79, PWR-105: a fixed cannon one way, a sliding one to either side."""
    assert Cannon("fixed", "starboard", 0).sides == ("starboard",)
    assert Cannon("slide", "port", 0).sides == ("port", "starboard")
    assert Cannon("chaser", "stern", 0).sides == ("stern",)
    assert SIDE_BEARINGS["starboard"] == 90.0  # clockwise from the bow, as headings are
    ship = stock_ship("man-of-war")
    assert ship.muzzle_mm(0, "port") == (9 * DOT_MM, -6 * DOT_MM)
    assert ship.muzzle_mm(4, "starboard") == (9 * DOT_MM, 6 * DOT_MM)
    chaser = replace(ship, cannons=(Cannon("chaser", "stern", -20),))
    assert chaser.muzzle_mm(0, "stern") == chaser.rudder_mm


def test_gun_decks() -> None:
    """PWR-59: the crews of two cannons and more stand below, those of turntables do not."""
    decks = {name: ship.has_gun_deck for name, ship in stock_ships().items()}
    assert {name for name, has in decks.items() if not has} == {
        "renegade-runner",
        "renegade-runner-revised",
    }


@pytest.mark.parametrize("ship", stock_ships().values(), ids=lambda ship: ship.id)
def test_ships_are_the_same_after_a_round_trip(ship: ShipDesign) -> None:
    assert read_design(write_design(ship)) == ship
    assert parse_ship(ship_toml(ship)) == ship
    assert hash(parse_ship(ship_toml(ship))) == hash(ship)
    assert math.isfinite(hash(ship))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"side": "pirat"}, "did you mean 'pirate'?"),
        ({"hul": 8}, "did you mean 'hull'?"),
        ({"hull": "wide"}, "the ship's hull must be a whole number"),
        ({"mast": [{"kind": "full", "sails": ["main", "main"]}]}, "has the same sail twice"),
        ({"mast": [{"kind": "full", "sails": ["mian"]}]}, "did you mean 'main'?"),
        ({"cannon": [{"mount": "fixed", "side": "stern", "at": 0}]}, "the side of cannon 1"),
        ({"cannon": [{"mount": "fixed", "side": "port", "at": "aft"}]}, "must be a number"),
        ({"extras": {"pirats": 2}}, "did you mean 'pirate'?"),
        ({"extras": {"pirate": -1}}, "must be 0 to 60, not -1"),
        ({"title": ""}, "must be a text of 1 to 40 letters"),
        ({"captain": "first-mate"}, "the ship's captain cannot be 'first-mate'"),
        ({"tag_x_dots": True}, "must be a number"),
    ],
)
def test_faults_of_a_file_are_named(change: dict[str, object], said: str) -> None:
    data = write_design(stock_ship("imperial-flagship")) | change
    with pytest.raises(MalformedAction) as raised:
        read_design(data)
    assert said in str(raised.value)


def test_what_is_no_toml_is_said_so() -> None:
    with pytest.raises(MalformedAction, match="no TOML"):
        parse_ship("hull = ")
    with pytest.raises(MalformedAction, match="lacks the field 'id'"):
        parse_ship("")
