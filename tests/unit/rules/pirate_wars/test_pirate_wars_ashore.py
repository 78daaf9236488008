"""Optional rules off the ships: grounds, fortresses, the shore, islanders and what lurks there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.pirate_wars.ashore.dead_island import bone_cannon, cleaved, melee_target
from companion.rules.pirate_wars.ashore.hazards import (
    alligator_can_reach,
    lost_in_snares,
    taken,
)
from companion.rules.pirate_wars.ashore.islanders import (
    BOATS,
    CALM,
    FIGHTING,
    HIDING,
    Temper,
    inhabitants,
    shielded,
    tribe,
)
from companion.rules.pirate_wars.ashore.shore import Walk, open_ground_losses
from companion.rules.pirate_wars.built.charts import charts
from companion.rules.pirate_wars.built.figures import KINDS, kind
from companion.rules.pirate_wars.built.fort_design import (
    Building,
    FortCannon,
    FortDesign,
    cannons_allowed,
    fort_violations,
)
from companion.rules.pirate_wars.crew import by_kind
from companion.rules.pirate_wars.fighting.fort_hits import CLIMBERS, STONE, fort_hit, inside_losses
from companion.rules.pirate_wars.sailing.groundings import (
    crossing_damage,
    head_on_damage,
    passing_damage,
    reef_damage,
)
from tests.unit.rules.pirate_wars.squadron import crew_of

# -- running aground ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("draft", "gap", "damage"),
    [
        (8, 8, 0),
        (8, 7.9, 1),
        (8, 4, 1),
        (8, 3.9, 2),
        (12, 12, 0),
        (12, 8.1, 1),
        (12, 8, 1),
        (12, 7.9, 2),
        (12, 4, 2),
        (12, 3.9, 3),
        (12, 6, 2),
    ],
)
def test_passing_an_island(draft: int, gap: float, damage: int) -> None:
    """PWR-108, T12: the bands of both hulls; 6 dots from a wide one are two points."""
    assert passing_damage(draft, gap) == damage


def test_head_on_against_a_rock() -> None:
    """PWR-109, T12: 44 dots left are six points; with nearness it would be eight."""
    assert head_on_damage(44) == 6
    assert head_on_damage(44, proximity=passing_damage(8, 0)) == 8
    assert [head_on_damage(left) for left in (0, 1, 8, 9)] == [0, 1, 1, 2]


def test_reefs() -> None:
    """PWR-110, T13: a Runner and a Man of War on a reef 8 deep, the Runner on to 4."""
    assert (reef_damage(8, 8), reef_damage(12, 8)) == (1, 2)
    assert crossing_damage(8, (None, 8, 4)) == 1 + 1
    assert crossing_damage(8, (None, 4, 8)) == 2
    assert crossing_damage(12, (None, 12, None, 12)) == 2
    assert crossing_damage(12, (None, 16)) == 0
    assert [reef_damage(8, depth) for depth in (4, 8, 12)] == [2, 1, 0]
    assert [reef_damage(12, depth) for depth in (4, 8, 12)] == [3, 2, 1]


# -- fortresses --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "ball", "figures", "cannons"),
    [
        (0, True, 0, 0),
        (1, True, 0, 0),
        (2, True, 1, 0),
        (3, True, 2, 1),
        (3, False, 2, 0),
        (4, True, 3, 1),  # of a chart with four dice
    ],
)
def test_cannons_against_stone(count: int, ball: bool, figures: int, cannons: int) -> None:
    """PWR-119: the first success is swallowed; three with ball take a cannon, too."""
    assert fort_hit(count, ball=ball) == (figures, cannons)


def test_muskets_and_climbers() -> None:
    """PWR-119, PWR-120: a marine's musket hits stone at 2, down at a climber at 5."""
    assert kind("marine").attack + STONE == 2
    assert kind("marine").attack + CLIMBERS == 5


def test_losses_inside_are_shared() -> None:
    """PWR-122: defenders first, then in turn."""
    assert [inside_losses(n) for n in range(4)] == [(0, 0), (1, 0), (1, 1), (2, 1)]


FORT = FortDesign(
    "el-dorado",
    "El Dorado",
    22,
    22,
    0,
    tuple(FortCannon("wheels", x, 0.0, 0) for x in (-8, 0, 8)),
    (Building("the tower", 4, True, 2, True),),
)


def test_the_mountain_base_has_three_cannons() -> None:
    """PWR-127: 88 dots of wall."""
    assert (FORT.outer_wall, cannons_allowed(FORT.outer_wall)) == (88, 3)
    assert fort_violations(FORT) == ()
    four = replace(FORT, cannons=(*FORT.cannons, FortCannon("slide", 0.0, 8.0, 0)))
    (fault,) = fort_violations(four)
    assert fault.rule == "PWR-127"
    assert "allows 3 cannons (one for every 24), not 4" in fault.reason
    assert fort_violations(replace(four, wall=96)) == ()
    assert fort_violations(replace(four, wall=100, door=6))[0].rule == "PWR-127"


def test_cannons_of_a_fortress_stand_apart() -> None:
    """PWR-129: four dots or a floor between them; wheels, slides or turntables."""
    near = (FortCannon("slide", 0, 0, 0), FortCannon("slide", 3, 0, 0))
    (fault,) = fort_violations(replace(FORT, cannons=near))
    assert (fault.rule, "stand 3 dots apart" in fault.reason) == ("PWR-129", True)
    above = (near[0], replace(near[1], floor=1))
    assert fort_violations(replace(FORT, cannons=above)) == ()
    fixed = replace(FORT, cannons=(FortCannon("fixed", 0, 0, 0),))
    assert fort_violations(fixed)[0].rule == "PWR-129"


def test_buildings() -> None:
    """PWR-128: a roof and two walls hide whoever is inside; every floor is reached."""
    tower = FORT.buildings[0]
    assert tower.is_enclosed
    assert not replace(tower, walls=1).is_enclosed
    assert not replace(tower, has_roof=False).is_enclosed
    (fault,) = fort_violations(replace(FORT, buildings=(replace(tower, has_stairs=False),)))
    assert fault.rule == "PWR-128"
    assert "a ladder or stairs must lead to each of them" in fault.reason


# -- ashore ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("walk", "cost"),
    [
        (Walk(flat=24), 24),
        (Walk(stairs=12), 24),
        (Walk(levels=2), 24),
        (Walk(flat=6, ramps=1), 24),
    ],
)
def test_what_ways_cost(walk: Walk, cost: float) -> None:
    """PWR-123, PWR-124: two for a dot of stairs, 12 for a level, 18 for a ramp."""
    assert walk.cost == cost
    assert [kind(name).shore_dots for name in ("pirate", "pirate-captain")] == [24, 18]


def test_shot_in_the_open() -> None:
    """PWR-126: two for each success."""
    assert open_ground_losses(2) == 4


# -- islanders ---------------------------------------------------------------------------------


def test_islanders() -> None:
    """PWR-131, PWR-132: attacks, hits, spears, bows and shields."""
    rows = {k.id: (k.attack, k.hits, k.melee) for k in KINDS.values() if "islander" in k.sides}
    assert rows == {
        "kahuna": (5, 3, 2),
        "shaman": (5, 2, 2),
        "warrior": (4, 1, 1),
        "warrior-bow": (4, 1, 1),
    }
    assert tribe(1 + 2 * 5) == {"kahuna": 1, "shaman": 2, "warrior": 8}
    assert tribe(0) == {"kahuna": 0, "shaman": 0, "warrior": 0}
    bow, spear = charts().weapons["bow"], charts().weapons["spear"]
    assert [bow.too_near(dots) for dots in (3.9, 4.0)] == [True, False]
    assert (bow.range, bow.reload) == (48, 0)
    assert (spear.range, spear.close, spear.reload) == (24, True, 0)
    assert shielded(3, kind("warrior").has_shield) == 2
    assert shielded(3, kind("warrior-bow").has_shield) == 3


def test_boats_of_the_islanders() -> None:
    """PWR-133: what each holds, how fast it is and how many paddle."""
    rows = {b.id: (b.holds, b.dots, b.paddlers, b.reach, b.first_dots) for b in BOATS.values()}
    assert rows == {
        "canoe": (3, 36, 2, 12, 18),
        "outrigger": (3, 48, 1, 8, 24),
        "catamaran": (6, 48, 2, 8, 24),
    }


def test_villages() -> None:
    """PWR-134: eight on a plate, two on a small one."""
    assert inhabitants(1, 0) == 8
    assert inhabitants(2, 3) == 22


def test_the_temper_of_islanders() -> None:
    """PWR-135, PWR-136: calm until somebody lands, hidden at half, back when the idol is robbed."""
    calm = Temper(8)
    assert calm.mood == CALM
    assert calm.raided() == calm
    fighting = calm.landed()
    assert fighting.mood == FIGHTING
    assert fighting.lost(3).mood == FIGHTING
    hidden = fighting.lost(4)
    assert (hidden.mood, hidden.left) == (HIDING, 4)
    assert hidden.landed() == hidden
    back = hidden.raided()
    assert back.mood == FIGHTING
    assert back.lost(1).mood == FIGHTING
    assert back.lost(2).mood == HIDING


# -- what lurks --------------------------------------------------------------------------------


def test_alligators() -> None:
    """PWR-137, PWR-95: near the water, no islanders, the Pirate Captain last."""
    assert alligator_can_reach("pirate", 4.0)
    assert not alligator_can_reach("pirate", 4.1)
    assert not alligator_can_reach("warrior", 0.0)
    landed = crew_of(("first-mate", "deck", 1), ("pirate-captain", "deck", 1))
    assert taken(landed, 1) == landed[:1]
    assert taken(landed, 2) == landed
    marines = crew_of(
        ("imperial-captain", "deck", 1), ("lieutenant", "deck", 1), ("marine", "deck", 5)
    )
    assert by_kind(taken(marines, 6)) == (("lieutenant", 1), ("marine", 5))


def test_snares() -> None:
    """PWR-137: with nobody free they are lost."""
    assert (lost_in_snares(3, 1), lost_in_snares(3, 0)) == (0, 3)


def test_dead_mans_island() -> None:
    """PWR-138: shot at target number 1, hacked apart only, two at a blow of a Captain's."""
    cannon = bone_cannon(charts().weapons["cannon-shot"])
    assert (cannon.target, cannon.range, cannon.dice) == (1, 72, 3)
    assert melee_target(kind("pirate").attack) == 4
    assert kind("skeleton").attack == 2
    assert cleaved((("imperial-captain", 1), ("lieutenant", 1), ("marine", 7))) == 4
