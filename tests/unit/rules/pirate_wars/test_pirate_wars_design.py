"""The ship designer: what may be built, and what is said of what may not."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from companion.rules.pirate_wars.built.design import (
    BASIC,
    BuildRules,
    most_sails,
    oversail,
    sails_for,
    tonnage,
    tons_used,
    tons_words,
    violations,
)
from companion.rules.pirate_wars.built.rigging import rig
from companion.rules.pirate_wars.built.ship_reading import stock_ship, stock_ships
from companion.rules.pirate_wars.built.ships import SAIL_LOSS, Cannon, Mast, ShipDesign

SCHOONER = stock_ship("skulls-eye-schooner")
FLAGSHIP = stock_ship("imperial-flagship")
BARE = replace(SCHOONER, cannons=(), extras=(), cargo=0)
"""A pirates' hull of 12 by 48 with 8 sail factors and nothing else aboard."""


CHASERS = BuildRules(stern_chasers=True)


def said(ship: ShipDesign, rules: BuildRules = BASIC) -> list[tuple[str, str]]:
    return [(v.rule, v.reason) for v in violations(ship, rules)]


def rules_of(ship: ShipDesign, rules: BuildRules = BASIC) -> list[str]:
    return [v.rule for v in violations(ship, rules)]


def test_the_models_may_be_built_but_for_the_revised_runner() -> None:
    """PWR-105: the game's own Revised Runner has two turntables, and 2 of 3 tons in cannons."""
    faulty = {name: rules_of(ship) for name, ship in stock_ships().items() if violations(ship)}
    assert faulty == {"renegade-runner-revised": ["PWR-105", "PWR-105"]}


@pytest.mark.parametrize(("hull", "length"), [(10, 48), (8, 16), (12, 88), (12, 50)])
def test_hulls(hull: int, length: int) -> None:
    """PWR-98: 8 or 12 wide, 24 to 80 long in steps of 8; nothing else is said of others."""
    assert set(rules_of(replace(SCHOONER, hull=hull, length=length))) == {"PWR-98"}


def test_sail_loss() -> None:
    """PWR-99: what a sail factor is worth, by hull factor."""
    assert dict(SAIL_LOSS) == {3: 16, 4: 12, 5: 10, 6: 8, 7: 8, 8: 6, 9: 6, 10: 6}


def test_the_design_of_the_schooner() -> None:
    """PWR-100, PWR-103, PWR-104, PWR-8, T11: the worked example, step by step."""
    assert sails_for(6, 70) == 8
    assert 8 * SAIL_LOSS[6] == 64
    assert most_sails(6) == 8
    assert rig(12, 8) == SCHOONER.masts
    assert tonnage(SCHOONER) == 9
    assert tons_used(replace(SCHOONER, cargo=0)) == 4 + 4
    assert tons_used(SCHOONER) == 9
    assert violations(SCHOONER) == ()
    assert sum(n for kind, n in SCHOONER.extras if kind != "pirate") == 8


def test_a_ninth_sail_is_refused() -> None:
    """PWR-100, T11: 9 is one and a half times 6, and SF must be less."""
    ship = replace(BARE, masts=rig(12, 9))
    assert said(ship) == [
        (
            "PWR-100",
            "A hull factor of 6 carries at most 8 sail factors (fewer than one and a half times"
            " as many), not 9.",
        )
    ]


def test_a_ship_is_built_for_forty_eight_dots() -> None:
    """PWR-100: the slowest speed; the sentence says how many sails it takes."""
    ship = replace(BARE, masts=rig(12, 5))
    assert said(ship) == [
        (
            "PWR-100",
            "A ship is built for 48 dots at least: with 8 dots a sail factor it needs 6, not 5.",
        )
    ]


@pytest.mark.parametrize(
    ("sails", "factor"),
    [
        (("main",), 2),
        (("main", "topsail"), 3),
        (("main", "high-topsail", "jib"), 4),
        (("gaff",), 2),
        (("high-topsail", "gaff"), 4),
        (("lateen",), 1),
        (("jib",), 1),
        (("launch-gaff",), 1),
    ],
)
def test_sail_factors(sails: tuple[str, ...], factor: int) -> None:
    """PWR-101: the first square sail 2, the second 1; gaff 2; lateen and jib 1."""
    assert Mast("full", sails).sail_factor == factor


MAIN, TOP = Mast("full", ("main", "topsail")), Mast("topped", ("high-topsail", "gaff"))


@pytest.mark.parametrize(
    ("hull", "masts", "words"),
    [
        (8, (MAIN, TOP), "Mast 1 is a full mast; a hull 8 dots wide has"),
        (12, (Mast("single", ("gaff",)), MAIN, MAIN), "Mast 1 is a single mast; on a hull 12"),
        (12, (MAIN, Mast("topped", ("gaff", "jib")), MAIN), "Mast 2 has the jib; only the first"),
        (
            12,
            (MAIN, Mast("full", ("main", "gaff")), Mast("topped", ("gaff",))),
            "Mast 2 is a full mast, which carries a main sail, alone or with a topsail or a high"
            " topsail, not main and gaff.",
        ),
        (12, (MAIN, MAIN, Mast("single", ("lateen", "gaff"), True)), "a gaff or a lateen sail"),
        (
            12,
            (MAIN, Mast("single", ("gaff",), True), MAIN),
            "rear deck, the last: mast 3, not mast 2.",
        ),
        (12, (MAIN, MAIN, Mast("full", ("main",), True), TOP), "last: mast 4, not mast 3."),
        (12, (MAIN, Mast("full", ("main", "topsail"), True)), "on the rear deck stands a smaller"),
        (12, (MAIN, TOP, Mast("launch", ("gaff",))), "the small gaff sail of a launch, not gaff"),
    ],
)
def test_masts_and_their_sails(hull: int, masts: tuple[Mast, ...], words: str) -> None:
    """PWR-102: which hull bears which mast, and which mast which sail."""
    told = [reason for rule, reason in said(replace(BARE, hull=hull, masts=masts)) if "102" in rule]
    assert any(words in reason for reason in told), told


def test_a_bare_mast_is_refused() -> None:
    """PWR-103: masts are as many as the sails need; the jib alone is no reason for one."""
    ship = replace(BARE, masts=(MAIN, MAIN, Mast("single", (), True)))
    assert (
        "PWR-103",
        "Mast 3 carries no sail; a single mast carries a gaff or a lateen sail.",
    ) in (said(ship))
    jib = replace(BARE, masts=(Mast("full", ("jib",)), MAIN, MAIN))
    assert "PWR-103" in rules_of(jib)


@pytest.mark.parametrize("hull", [8, 12])
@pytest.mark.parametrize("gaff", [False, True])
def test_rigs_that_are_reckoned_may_be_built(hull: int, gaff: bool) -> None:
    """PWR-103: for every length and speed the rules allow there are masts that carry it."""
    for factor, loss in SAIL_LOSS.items():
        for sails in range(-(-48 // loss), most_sails(factor) + 1):
            masts = rig(hull, sails, gaff=gaff)
            ship = replace(BARE, hull=hull, length=8 * factor, masts=masts)
            assert ship.sail_factor == sails
            assert violations(ship) == ()


@pytest.mark.parametrize(
    ("hull", "length", "tons"), [(8, 24, 3), (8, 32, 4), (12, 32, 6), (12, 40, 8), (12, 48, 9)]
)
def test_tonnage(hull: int, length: int, tons: int) -> None:
    """PWR-104: HF for narrow hulls, one and a half times HF rounded up for wide ones."""
    masts = rig(hull, sails_for(length // 8, 60))
    assert tonnage(replace(BARE, hull=hull, length=length, masts=masts)) == tons


def test_a_ton_too_many_is_reckoned_up() -> None:
    """PWR-104: 4 cannons, 16 figures and 5 chests are nine tons and a quarter."""
    assert said(replace(SCHOONER, cargo=5)) == [
        (
            "PWR-104",
            "There is room for 9 tons; 4 cannons, 16 extra figures and 5 chests and barrels take"
            " 9 1/4 tons. A ton is one cannon, four figures or four chests.",
        )
    ]
    assert tons_words(Fraction(1, 2)) == "1/2 tons"


def test_no_room_is_told_where_sails_take_more_than_there_is() -> None:
    """PWR-111: such a ship was said to have room for -15 tons, of which half are for cannons."""
    mast = Mast("full", frozenset({"main", "topsail"}))
    ship = replace(BARE, masts=(mast,) * 10, cannons=(Cannon("slide", "port", 0),))
    assert not [reason for _, reason in said(ship) if "-" in reason]
    assert "There is room for nothing beside such sails" in str(said(ship))
    assert "half of their 0 tons to cannons: 0, not 1" in str(said(ship))


def test_pirates_keep_half_their_tonnage_free_of_cannons() -> None:
    """PWR-105: five of nine tons are more than half; Imperials may."""
    five = tuple(Cannon("slide", "port", x) for x in (-12, -6, 0, 6, 12))
    ship = replace(BARE, cannons=five)
    assert said(ship) == [
        ("PWR-105", "Pirates give at most half of their 9 tons to cannons: 4, not 5.")
    ]
    assert violations(replace(ship, side="imperial")) == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"deck_guns": 3}, "The bow has room for 2 deck guns, not 3."),
        (
            {"cannons": tuple(Cannon("chaser", "stern", x) for x in (-20, -21, -22))},
            "A stern has room for 2 stern chasers, not 3.",
        ),
        (
            {"cannons": tuple(Cannon("turntable", "bow", x) for x in (3, -3))},
            "A ship has one cannon on a turntable at most, not 2.",
        ),
    ],
)
def test_special_mounts(change: dict[str, object], words: str) -> None:
    """PWR-105: deck guns, stern chasers and turntables."""
    found = said(replace(BARE, **change), CHASERS)  # type: ignore[arg-type]
    assert found == [("PWR-105", words)]


def test_stern_chasers_need_a_wide_hull_and_a_table_that_plays_with_them() -> None:
    """PWR-105: one or two on a wide hull, none on a narrow one; none without the optional rule."""
    chaser = (Cannon("chaser", "stern", -20),)
    assert violations(replace(BARE, cannons=chaser), CHASERS) == ()
    ((rule, words),) = said(replace(BARE, cannons=chaser))
    assert (rule, "only where the table plays with them" in words) == ("PWR-105", True)
    narrow = replace(FLAGSHIP, cannons=(Cannon("chaser", "stern", -14),))
    assert said(narrow, CHASERS) == [("PWR-105", "Only hulls 12 dots wide carry stern chasers.")]


def test_narrow_hulls_have_no_cannons_back_to_back() -> None:
    """PWR-106: on a narrow hull cannons move from side to side."""
    back = (Cannon("fixed", "port", 0), Cannon("fixed", "starboard", 0))
    assert rules_of(replace(FLAGSHIP, cannons=back)) == ["PWR-106"]
    assert rules_of(replace(FLAGSHIP, cannons=(Cannon("wheels", "port", 0),))) == []
    assert violations(replace(BARE, cannons=back)) == ()


def test_cannons_stand_within_the_hull_and_apart() -> None:
    """PWR-106: a cannon that slides to the other side needs that place, too."""
    far = replace(BARE, cannons=(Cannon("slide", "port", 30),))
    assert "ends 24 dots from it" in said(far)[0][1]
    same = replace(BARE, cannons=(Cannon("fixed", "port", 3), Cannon("slide", "starboard", 3)))
    assert said(same) == [
        (
            "PWR-106",
            "Cannons 1 and 2 would stand in the same place; move one along the keel.",
        )
    ]


def test_every_limit_is_told_with_its_numbers() -> None:
    """PWR-98 to PWR-106: who built it reads what was built and what would be right."""
    spoilt: tuple[dict[str, Any], ...] = (
        {"hull": 10},
        {"length": 50},
        {"masts": (MAIN,)},
        {"masts": (MAIN, MAIN, MAIN)},
        {"hull": 8, "masts": (MAIN, MAIN)},
        {"masts": (MAIN, Mast("single", ()), MAIN)},
        {"masts": (Mast("single", ("gaff",), True), MAIN, MAIN)},
        {"cargo": 99},
        {"cannons": tuple(Cannon("slide", "port", x) for x in range(-10, 14, 4))},
        {"cannons": tuple(Cannon("turntable", "bow", x) for x in (3, -3))},
        {"cannons": tuple(Cannon("chaser", "stern", x) for x in (-20, -21, -22))},
        {"hull": 8, "cannons": (Cannon("fixed", "port", 0), Cannon("chaser", "stern", -20))},
        {"cannons": (Cannon("slide", "port", 30), Cannon("slide", "port", 30))},
        {"deck_guns": 3},
    )
    told = [fault for change in spoilt for fault in said(replace(BARE, **change), CHASERS)]
    assert {rule for rule, _ in told} >= {f"PWR-{n}" for n in (98, 100, 102, 103, 104, 105, 106)}
    assert [reason for _, reason in told if not any(c.isdigit() for c in reason)] == []


def test_half_of_the_extra_pirates_may_be_armed() -> None:
    """PWR-8: females count, hooks do not; of five two."""
    armed = replace(BARE, extras=(("pirate", 2), ("pirate-female", 1), ("pirate-musket", 2)))
    assert said(armed) == [
        (
            "PWR-8",
            "Half of the extra pirates may have a musket or a pistol: 2 of 5, not 3 (females"
            " among them).",
        )
    ]
    hooks = replace(BARE, extras=(("pirate-hook", 3), ("pirate-musket", 3)))
    assert violations(hooks) == ()


def test_each_side_sails_with_its_own() -> None:
    """PWR-6, PWR-21: no marines with pirates, and one Captain a ship."""
    assert said(replace(BARE, extras=(("marine", 2),))) == [
        ("PWR-6", "A marine does not sail with the pirates.")
    ]
    assert rules_of(replace(BARE, captain="imperial-captain")) == ["PWR-6"]
    assert rules_of(replace(BARE, extras=(("pirate-captain", 1),))) == ["PWR-21"]


OVERSAILING, OVERLOADING = BuildRules(oversailing=True), BuildRules(overloading=True)


def test_oversailing_trades_cargo_for_sails() -> None:
    """PWR-111: a sail a ton on a narrow hull, a sail two tons on a wide one, a sailor each."""
    ship = replace(BARE, masts=rig(12, 10))
    assert rules_of(ship) == ["PWR-100"]
    assert violations(ship, OVERSAILING) == ()
    assert (oversail(ship), tonnage(ship), ship.speed) == (2, 9 - 4, 80)
    assert ship.crew_size == BARE.crew_size + 2
    narrow = replace(FLAGSHIP, masts=rig(8, 6), cannons=(), extras=())
    assert (oversail(narrow), tonnage(narrow)) == (1, 3)
    crowded = replace(SCHOONER, masts=rig(12, 9))
    assert rules_of(crowded, OVERSAILING) == ["PWR-111", "PWR-105"]


def test_overloading_trades_sails_for_cargo() -> None:
    """PWR-112, T14: two crews and two tons of chests more cost the schooner two sail factors."""
    loaded = replace(
        SCHOONER,
        withheld=2,
        cargo=SCHOONER.cargo + 8,
        extras=(("pirate", 16), ("pirate-female", 4), ("pirate-musket", 4)),
    )
    assert rules_of(loaded) == ["PWR-112"]
    assert violations(loaded, OVERLOADING) == ()
    assert (tonnage(loaded), tons_used(loaded)) == (13, 13)
    assert "PWR-104" in rules_of(replace(loaded, withheld=1), OVERLOADING)
    narrow = replace(FLAGSHIP, withheld=1)
    assert tonnage(narrow) == tonnage(FLAGSHIP) + 1


def test_a_ship_keeps_a_sail_and_does_not_do_both() -> None:
    """PWR-111, PWR-112: all sails held back move nothing; more and fewer sails contradict."""
    assert rules_of(replace(BARE, withheld=8), OVERLOADING) == ["PWR-112"]
    both = replace(BARE, masts=rig(12, 9), withheld=1)
    assert rules_of(both, BuildRules(oversailing=True, overloading=True)) == ["PWR-111"]


def test_square_sails_are_known() -> None:
    """PWR-117: square sails keep a ship from heading above the beam; gaffs and lateens do not."""
    square = {name for name, ship in stock_ships().items() if ship.is_square_rigged}
    assert square == set(stock_ships()) - {"renegade-runner", "renegade-runner-revised"}
    assert not replace(FLAGSHIP, masts=rig(8, 5, gaff=True)).is_square_rigged
