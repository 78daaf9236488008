"""Figures and weapons of PirateWars: attacks, what they carry, dice and ranges."""

from __future__ import annotations

import copy

import pytest

from companion.errors import MalformedAction
from companion.rules.pirate_wars.built.charts import built_in, charts, read_charts
from companion.rules.pirate_wars.built.figures import KINDS, captain_of, crew_kinds, hand_of, kind
from companion.rules.pirate_wars.built.weapons import chance, is_success, successes


@pytest.mark.parametrize(
    ("figure", "attack", "cutlasses"),
    [
        ("pirate-captain", 5, 2),
        ("imperial-captain", 5, 2),
        ("lieutenant", 5, 2),
        ("first-mate", 4, 1),
        ("marine", 4, 1),
        ("pirate", 3, 1),
        ("sailor", 2, 1),
    ],
)
def test_attacks_and_cutlasses(figure: str, attack: int, cutlasses: int) -> None:
    """PWR-4, PWR-5: the Attack of each role; Captains and Lieutenants strike twice."""
    assert (kind(figure).attack, kind(figure).melee) == (attack, cutlasses)


@pytest.mark.parametrize(
    ("figure", "weapons", "has_hook"),
    [
        ("imperial-captain", ("pistol",), False),
        ("first-mate", ("pistol",), False),
        ("lieutenant", ("pistol",), False),
        ("marine", ("musket",), False),
        ("sailor", (), False),
        ("pirate-captain", ("pistol",), True),
        ("pirate", (), False),
    ],
)
def test_equipment(figure: str, weapons: tuple[str, ...], has_hook: bool) -> None:
    """PWR-6, PWR-16: what each figure carries beside a cutlass; a hook is one attack more."""
    assert (kind(figure).weapons, kind(figure).has_hook) == (weapons, has_hook)
    empty = kind(figure).melee_attacks(loaded_pistol=False)
    assert empty == kind(figure).melee + has_hook


def test_a_loaded_pistol_is_an_attack_and_an_empty_one_is_none() -> None:
    """PWR-13, PWR-61: cutlass, hook and pistol count one by one."""
    assert kind("pirate-captain").melee_attacks(loaded_pistol=True) == 4
    assert kind("pirate-captain").melee_attacks(loaded_pistol=False) == 3
    assert kind("marine").melee_attacks(loaded_pistol=True) == 1


@pytest.mark.parametrize("man", ["pirate-captain", "imperial-captain", "first-mate", "pirate"])
def test_females_take_any_role_and_never_load(man: str) -> None:
    """PWR-7: as the man in everything but pistols, which are loaded always."""
    woman = kind(f"{man}-female")
    assert (woman.role, woman.attack, woman.melee) == (
        kind(man).role,
        kind(man).attack,
        kind(man).melee,
    )
    assert woman.always_loaded
    assert woman.is_armed
    assert woman.melee_attacks(loaded_pistol=False) == woman.melee + woman.has_hook + 1


@pytest.mark.parametrize("man", [k.id for k in KINDS.values() if f"{k.id}-female" in KINDS])
def test_a_female_figure_is_the_man_in_all_but_pistols(man: str) -> None:
    """PWR-7, PWR-6, PWR-123: one special feature; hook and peg leg are hers, too."""
    his, hers = kind(man), kind(f"{man}-female")
    assert (hers.has_hook, hers.shore_dots) == (his.has_hook, his.shore_dots)
    assert {*his.weapons, "pistol"} == {*hers.weapons}


def test_a_female_pirate_captain_has_hook_and_peg_leg() -> None:
    """PWR-7, PWR-16, PWR-123: two attacks, one for the hook, one for the pistol; 18 dots."""
    captain = kind("pirate-captain-female")
    assert captain.melee_attacks(loaded_pistol=False) == 4
    assert captain.shore_dots == 18


def test_marines_neither_sail_nor_serve_cannons_aboard() -> None:
    """PWR-9: nor does their Lieutenant; everybody else does both."""
    idle = {k.id for k in crew_kinds("imperial") if not k.can_sail}
    assert idle == {"marine", "lieutenant", "marine-female", "lieutenant-female"}
    assert all(k.can_sail for k in crew_kinds("pirate"))
    assert kind("lieutenant").is_marine


def test_who_sails_for_whom() -> None:
    """PWR-6: a Captain and a plain hand for each side; First Mates sail for both."""
    assert (captain_of("pirate").id, hand_of("pirate").id) == ("pirate-captain", "pirate")
    assert (captain_of("imperial").id, hand_of("imperial").id) == ("imperial-captain", "sailor")
    both = {k.id for k in crew_kinds("pirate")} & {k.id for k in crew_kinds("imperial")}
    assert both == {"first-mate", "first-mate-female"}
    assert all(figure.id == name for name, figure in KINDS.items())


@pytest.mark.parametrize(
    ("weapon", "dice", "target", "reach", "nearest", "close"),
    [
        ("cannon-ball", 3, 2, 96, 8, False),
        ("cannon-shot", 3, 3, 72, 8, False),
        ("musket", 1, 0, 48, 0, False),
        ("pistol", 1, 0, 24, 0, True),
        ("deck-gun", 2, 0, 36, 0, False),
    ],
)
def test_weapon_chart(
    weapon: str, dice: int, target: int, reach: int, nearest: int, close: bool
) -> None:
    """PWR-10, PWR-11, PWR-12, PWR-13, PWR-14: dice, target numbers and ranges.

    The ranges were not found; each is marked as ours.
    """
    chart = charts().weapons[weapon]
    assert (chart.dice, chart.target, chart.range) == (dice, target, reach)
    assert (chart.nearest, chart.close) == (nearest, close)
    assert charts().is_default(f"weapon.{weapon}.range")
    assert not charts().is_default(f"weapon.{weapon}.dice")


def test_small_arms_hit_with_the_attack_of_whoever_fires() -> None:
    """PWR-12, PWR-14: a pirate's deck gun has target number 3, a marine's musket 4; T7."""
    weapons = charts().weapons
    assert weapons["deck-gun"].target_of(kind("pirate").attack) == 3
    assert weapons["musket"].target_of(kind("marine").attack) == 4
    assert weapons["cannon-shot"].target_of(kind("sailor").attack) == 3


def test_at_four_dots_only_close_weapons_serve() -> None:
    """PWR-17: at 4 dots and less only "B" weapons; PWR-15: a cutlass needs no range at all."""
    weapons = charts().weapons
    assert weapons["musket"].too_near(4.0)
    assert not weapons["musket"].too_near(4.1)
    assert not weapons["pistol"].too_near(1.0)
    assert weapons["cannon-ball"].too_near(7.9)
    assert not weapons["cannon-ball"].too_near(8.0)
    assert "cutlass" not in weapons


def test_what_needs_loading() -> None:
    """PWR-18: muskets, pistols and deck guns take one figure a round, a cannon two."""
    needs = {name: weapon.reload for name, weapon in charts().weapons.items()}
    assert needs == {
        "cannon-ball": 2,
        "cannon-shot": 2,
        "musket": 1,
        "pistol": 1,
        "deck-gun": 1,
        "bow": 0,
        "spear": 0,
    }


def test_dice_against_a_target_number() -> None:
    """PWR-1: at most the target number succeeds; a six never does, below one nothing does."""
    assert [chance(target) for target in (-1, 0, 1, 5, 6, 9)] == [
        (0, 6),
        (0, 6),
        (1, 6),
        (5, 6),
        (5, 6),
        (5, 6),
    ]
    for target in range(-2, 9):
        assert sum(is_success(face, target) for face in range(1, 7)) == chance(target)[0]
    assert successes((1, 1, 1, 2, 5, 5), 3) == 4  # T7: the rules' text says 3


def test_the_critical_chart_has_one_entry_of_the_rules() -> None:
    """PWR-77: a 2 destroys a cannon with its crew (T4); the others are ours and say so."""
    assert (charts().critical(2).effect, charts().critical(2).count) == ("cannon", 1)
    ours = [face for face in range(1, 7) if charts().is_default(f"critical.{face}")]
    assert ours == [1, 3, 4, 5, 6]


def test_morale_modifiers() -> None:
    """PWR-92: adrift -1, half the crew lost -2 (T9); three quarters lost take its place."""
    assert charts().morale_modifier({"adrift", "half_lost"}) == -3
    assert charts().morale_modifier({"half_lost", "three_quarters_lost"}) == -3
    assert charts().morale_modifier(()) == 0
    # Mutineers without their Captain are tested at 3 less 2 (T9).
    assert charts().morale_modifier({"half_lost", "captain_lost"}) == -2
    assert not charts().is_default("morale.adrift")
    assert charts().is_default("morale.raked")


def test_every_default_names_an_entry_of_the_charts() -> None:
    """What is said to be ours is there: no mark points at nothing."""
    data = built_in("charts")
    for entry in charts().defaults:
        value = data
        for key in entry.split("."):
            value = value[key]


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("weapon", "musket", "range"), 0, "weapon.musket.range must be 1 to 1000, not 0"),
        (("weapon", "musket", "dice"), "one", "weapon.musket.dice must be a whole number"),
        (("weapon", "musket", "nearest"), 60, "must be less than its range of 48 dots"),
        (("critical", "2", "effect"), "sail", "did you mean 'sails'?"),
        (("morale", "adrift"), -9, "morale.adrift must be -6 to 6, not -9"),
        (("morale_tests",), ["adrit"], "did you mean 'adrift'?"),
    ],
)
def test_charts_of_ones_own_are_read_strictly(
    path: tuple[str, ...], value: object, said: str
) -> None:
    """A fault in a table's own charts is told with the entry it is at."""
    data = copy.deepcopy(dict(built_in("charts")))
    part = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    with pytest.raises(MalformedAction) as raised:
        read_charts(data)
    assert said in str(raised.value)


def test_charts_of_ones_own_are_played_with() -> None:
    """A table that knows better numbers writes them into a file of its own."""
    data = copy.deepcopy(dict(built_in("charts")))
    data["weapon"]["musket"]["range"] = 60
    data["defaults"].remove("weapon.musket.range")
    own = read_charts(data)
    assert own.weapons["musket"].reaches(60.0)
    assert not own.is_default("weapon.musket.range")
    assert own.source == data
    assert hash(own) != hash(charts())
