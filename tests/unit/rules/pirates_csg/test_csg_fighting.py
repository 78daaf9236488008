"""Cannons, masts, boarding, settlements and colonies under attack."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.rules.deeds import roll
from companion.rules.game import CHANCE, Decision
from companion.rules.layout import Die, Pose
from companion.rules.pirates_csg.actions import (
    Board,
    CeaseFire,
    ComeAbout,
    Explore,
    Keep,
    KillCrew,
    LoseMast,
    Move,
    Repair,
    RollAgain,
    Scuttle,
    Shoot,
    Surrender,
    TakeCoin,
    TakeNoMore,
    TakeToken,
    TakeTreasure,
    TryExtra,
)
from companion.rules.pirates_csg.gunnery import cannons_of, reach_mm, volley
from companion.rules.pirates_csg.sea import pose_with_bow
from companion.rules.pirates_csg.stages import Firing, Looting, RollingBoard
from companion.rules.pirates_csg.state import NEW, find_ship, with_island, with_ship
from companion.rules.plane import toward
from tests.unit.rules.pirates_csg.shipyard import (
    FISH,
    GAME,
    LUMBER,
    TAG,
    P,
    at_sea,
    house,
    robbed_of_fish,
)


def duel(apart, first="grey-heron", second="corona", **extra):
    """Return two ships abreast, their hulls so many millimetres apart."""
    # Both lie along x; half a beam is 15 to 17 mm.
    beams = {"grey-heron": 15, "corona": 17, "tern": 15, "lady-of-kent": 16, "widowmaker": 16}
    y = 200 + beams[first] + apart + beams[second]
    given = {"bow": (700, 200), **extra.pop("first_has", {})}
    other = {"owner": 1, "bow": (700, y), **extra.pop("second_has", {})}
    return at_sea({first: given, second: other}, {102: {"pose": _far()}}, **extra)


def _far():
    from companion.rules.layout import Pose

    return Pose(900, 60, 0)


def fire(cruise, face, cannon=0, shooter="grey-heron", target="corona"):
    """Fire one cannon and cease."""
    cruise.act(Shoot, TAG[shooter], cannon, TAG[target]).roll(face)
    while cruise.asked() == "fire":
        cruise.act(CeaseFire)
    return cruise


def test_t9_ranges_and_ranks():
    """T9, CSG-3, CSG-16: a 3S at 50 mm hits with 4, misses with 3; at 61 mm there is no shot."""
    cruise = fire(duel(50), 4)
    assert cruise.asked() == "lose_mast"
    aimed = duel(50).act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    said = "Red: roll for the 3S at Corona de Oro, more than 3 hits"
    assert GAME.pending(aimed.state).text == said
    cruise = fire(duel(50), 3)
    assert len(cruise.ship("corona").masts) == 5
    assert "misses" not in cruise.told() or cruise.asked() == "turn"
    far = duel(61)
    assert far.refused(Shoot, TAG["grey-heron"], 0, TAG["corona"]) == "CSG-16"
    ruling = GAME.check(far.state, Shoot(P[0], TAG["grey-heron"], 0, TAG["corona"]))
    assert "61 mm away; the 3S carries 54 mm" in ruling.reason
    gunboat = duel(105, "widowmaker")
    assert reach_mm(gunboat.state, TAG["widowmaker"], 0) == 108
    assert volley(gunboat.state, TAG["widowmaker"]) == (0, 0, 1, 1, 2, 2, 3, 3)


def test_a_close_measure_goes_to_the_shooter():
    """CSG-16, CSG-17: within the tolerance, and marked as such."""
    cruise = duel(57).act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    assert "close measure goes to the shooter" in cruise.told()
    assert "who is 3 mm short" in cruise.told()
    assert "if you doubt" not in cruise.told()
    cruise = duel(50).act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    assert "close measure" not in cruise.told()


def test_where_a_millimetre_decides_people_are_told_to_measure():
    """CSG-16, CSG-21, CSG-23: which side of the tolerance it is hangs on less than is measured."""
    cruise = duel(59).act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    assert "5 mm short: in range by 1 mm; measure it if you doubt" in cruise.told()
    shot = Shoot(P[0], TAG["grey-heron"], 0, TAG["corona"])
    for apart, told in ((61, True), (63, False)):
        reason = GAME.check(duel(apart).state, shot).reason
        assert (
            "60 with the tolerance: too far by 1 mm; measure it if you doubt." in reason
        ) == told
    board = Board(P[0], TAG["grey-heron"], TAG["corona"])
    near = "does not touch Corona de Oro, 7 mm away: too far by 1 mm; measure it if you doubt."
    for apart, told in ((7, True), (9, False)):
        assert (near in GAME.check(duel(apart).state, board).reason) == told


def test_each_cannon_fires_once():
    """CSG-16, CSG-79: the volley goes on until all have fired or it is ceased."""
    cruise = duel(20).act(Shoot, TAG["grey-heron"], 1, TAG["corona"]).roll(2)
    assert cruise.state.stage == Firing(TAG["grey-heron"], (0,))
    assert cruise.refused(Shoot, TAG["grey-heron"], 1, TAG["corona"]) == "CSG-16"
    pending = GAME.pending(cruise.state)
    assert isinstance(pending, Decision)
    assert pending.passing == CeaseFire(P[0])
    cruise.act(Shoot, TAG["grey-heron"], 0, TAG["corona"]).roll(1)
    assert cruise.asked() == "turn"
    assert cruise.refused(Shoot, TAG["grey-heron"], 0, TAG["corona"]) == "CSG-9"


def test_a_gunboat_rolls_two_dice_for_each_mast():
    """CSG-74: each die may have its own target."""
    cruise = at_sea(
        {
            "widowmaker": {"bow": (700, 200), "masts": 1},
            "corona": {"owner": 1, "bow": (700, 260)},
            "tern": {"owner": 1, "bow": (700, 165)},
        },
        {102: {"pose": _far()}},
    )
    cruise.act(Shoot, TAG["widowmaker"], 0, TAG["corona"]).roll(1)
    cruise.act(Shoot, TAG["widowmaker"], 0, TAG["tern"]).roll(1)
    assert cruise.asked() == "turn"


def test_what_is_said_while_a_gunboat_fires_is_true_of_her():
    """CSG-74, CSG-18: her cannons fire twice, and who has fired all is not told "once" either."""
    corona = {"owner": 1, "bow": (700, 260)}
    ships = {"widowmaker": {"bow": (700, 200), "masts": 2}, "tern": {}, "corona": corona}
    cruise = at_sea(ships, {102: {"pose": _far()}})
    widow, foe = TAG["widowmaker"], TAG["corona"]
    cruise.act(Shoot, widow, 0, foe).roll(1)
    assert "has 3 shots left" in GAME.pending(cruise.state).text
    cruise.act(Shoot, widow, 0, foe).roll(1)
    for shot, said in (
        (Shoot(P[0], widow, 0, foe), "Cannon 1 of Widowmaker has fired already."),
        (Shoot(P[0], widow, 2, foe), "Widowmaker has no cannon 3; lost masts do not fire."),
        (Shoot(P[0], TAG["tern"], 0, foe), "Widowmaker is shooting"),
    ):
        assert said in GAME.check(cruise.state, shot).reason


def test_who_can_hit_nothing_more_ceases_fire_by_itself():
    """CSG-16: her other cannons carry S and the only enemy lies farther away, or has sunk."""
    corona = {"owner": 1, "bow": (470, 200), "heading": 180.0}
    cruise = at_sea({"steadfast": {"bow": (400, 200)}, "corona": corona}, {102: {"pose": _far()}})
    cruise.act(Shoot, TAG["steadfast"], 2, TAG["corona"]).roll(1)
    assert cruise.asked() == "turn"
    assert cruise.told().endswith("Steadfast has nothing left to hit")
    cruise = duel(20, "corona", "grey-heron", second_has={"masts": 0})
    cruise.act(Shoot, TAG["corona"], 0, TAG["grey-heron"]).roll(4)
    assert find_ship(cruise.state, TAG["grey-heron"]) is None
    assert cruise.asked() == "turn"


def test_the_defender_chooses_the_mast():
    """CSG-16, CSG-18: where cannons differ; that cannon is silent afterwards."""
    cruise = duel(20, second="lady-of-kent")
    cruise.act(Shoot, TAG["grey-heron"], 0, TAG["lady-of-kent"]).roll(6)
    # Lady of Kent ignores her first hit; the second counts.
    assert "ignores" in cruise.told()
    cruise.act(Shoot, TAG["grey-heron"], 1, TAG["lady-of-kent"]).roll(6)
    assert cruise.player == 1
    assert cruise.refusal(LoseMast(P[1], TAG["lady-of-kent"], 9)) == "CSG-16"
    assert cruise.refusal(LoseMast(P[0], TAG["lady-of-kent"], 0)) == "CSG-16"
    cruise.do(LoseMast(P[1], TAG["lady-of-kent"], 0))
    assert cruise.ship("lady-of-kent").masts == (1, 2, 3)
    assert 0 not in cannons_of(cruise.state, TAG["lady-of-kent"])
    cruise.end()
    assert cruise.refused(Shoot, TAG["lady-of-kent"], 0, TAG["grey-heron"]) == "CSG-18"


def test_like_masts_go_without_a_question():
    """CSG-16, CSG-19, CSG-20: then she is a derelict, and the next hit sinks her."""
    cruise = duel(20, "corona", "grey-heron", second_has={"masts": 1})
    cruise.act(Shoot, TAG["corona"], 0, TAG["grey-heron"]).roll(3)
    assert cruise.ship("grey-heron").is_derelict
    assert "derelict" in cruise.told()
    cruise.act(Shoot, TAG["corona"], 1, TAG["grey-heron"]).roll(4)
    assert TAG["grey-heron"] not in {s.tag for s in cruise.state.ships}
    assert "grey-heron" in cruise.state.gone
    assert "sinks" in cruise.told()


def test_a_derelict_is_silent_but_for_a_musketeer():
    """CSG-19, CSG-5: a musketeer's 3S fires from lost masts."""
    cruise = duel(20, first_has={"masts": 0})
    assert cruise.refused(Shoot, TAG["grey-heron"], 0, TAG["corona"]) == "CSG-19"
    cruise = duel(20, first_has={"masts": 0, "crew": ["english-musketeer"]})
    cruise.act(Shoot, TAG["grey-heron"], 2, TAG["corona"]).roll(1)
    assert cruise.asked() == "turn"


def test_each_musketeer_fires():
    """CSG-5, CSG-33: generic crew comes as often as it is paid for, and so does its cannon."""
    both = {"crew": ["english-musketeer", "english-musketeer"]}
    cruise = duel(20, "lady-of-kent", first_has={"masts": 0, **both})
    assert volley(cruise.state, TAG["lady-of-kent"]) == (4, 5)
    cruise.act(Shoot, TAG["lady-of-kent"], 4, TAG["corona"]).roll(1)
    cruise.act(Shoot, TAG["lady-of-kent"], 5, TAG["corona"]).roll(1)
    assert cruise.asked() == "turn"


def test_a_natural_one_misses():
    """CSG-16: an option, where ranks are low or much is added."""

    def rank_one(data):
        data["ship"][TAG["grey-heron"] - 10]["cannons"] = ["1S", "1S"]
        data["crew"][0]["abilities"] = [{"do": "gunnery", "amount": 1}]

    given = {"crew": [house()["crew"][0]["id"]]}
    aimed = duel(20, first_has=given, deck=house(rank_one))
    aimed.act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    assert GAME.pending(aimed.state).text.endswith("more than 1 hits")
    cruise = fire(duel(20, first_has=given, deck=house(rank_one)), 1)
    assert len(cruise.ship("corona").masts) == 5
    cruise = duel(20, first_has=given, deck=house(rank_one), one_misses=False)
    cruise.act(Shoot, TAG["grey-heron"], 0, TAG["corona"]).roll(1)
    assert cruise.asked() == "lose_mast"


def test_abilities_of_guns():
    """CSG-6: +1 against a nation; long range cannot hit; a cannoneer fires again (CSG-5)."""
    steadfast = at_sea(
        {
            "steadfast": {"bow": (700, 200)},
            "santa-clara": {"owner": 1, "bow": (700, 240)},
            "mouette": {"owner": 1, "bow": (700, 160)},
            "hirondelle": {"owner": 1, "bow": (770, 200)},
        },
        {102: {"pose": _far()}},
    )
    assert steadfast.refused(Shoot, TAG["steadfast"], 2, TAG["hirondelle"]) == "CSG-6"
    steadfast.act(Shoot, TAG["steadfast"], 1, TAG["mouette"]).roll(3)
    assert steadfast.ship("mouette").masts == (0,)
    steadfast.act(Shoot, TAG["steadfast"], 2, TAG["santa-clara"]).roll(3)
    assert steadfast.asked() == "lose_mast"

    cruise = duel(20, first_has={"crew": ["english-cannoneer"]})
    cruise.act(Shoot, TAG["grey-heron"], 0, TAG["corona"]).roll(2)
    assert cruise.asked() == "fire_again"
    cruise.act(RollAgain).roll(2)
    assert cruise.asked() == "fire"
    cruise.act(Shoot, TAG["grey-heron"], 1, TAG["corona"]).roll(2)
    assert cruise.asked() == "turn"
    kept = duel(20, first_has={"crew": ["english-cannoneer"]})
    kept.act(Shoot, TAG["grey-heron"], 0, TAG["corona"]).roll(2).act(Keep)
    assert kept.asked() == "fire"


def test_lines_of_fire_are_blocked():
    """CSG-17: by islands and by ships, but not for who shoots over them (CSG-6)."""

    def between(first, **extra):
        return at_sea(
            {
                first: {"bow": (700, 200)},
                "lady-of-kent": {"bow": (718, 232)},
                "tern": {"owner": 1, "bow": (704, 264)},
            },
            {102: {"pose": _far()}},
            **extra,
        )

    cruise = between("alcatraz")
    assert cruise.refused(Shoot, TAG["alcatraz"], 0, TAG["tern"]) == "CSG-17"
    over = between("liberty-bell")
    assert GAME.check(over.state, Shoot(P[0], TAG["liberty-bell"], 0, TAG["tern"]))
    own = at_sea(
        {"steadfast": {"bow": (700, 200)}, "tern": {"owner": 1, "bow": (800, 200)}},
        {102: {"pose": _far()}},
        own_masts_block=True,
    )
    # Straight ahead the foremost mast alone has a free line.
    assert GAME.check(own.state, Shoot(P[0], TAG["steadfast"], 0, TAG["tern"]))
    assert own.refused(Shoot, TAG["steadfast"], 2, TAG["tern"]) == "CSG-17"


def test_own_masts_only_ever_stand_in_the_way():
    """CSG-17, CSG-16: no line is tried with them that is longer than the range."""
    poses = {"grey-heron": (500, 250, 62), "corona": (537, 348, 180), "tern": (507, 315, 142)}
    for own_masts_block in (False, True):
        cruise = at_sea(
            {"grey-heron": {}, "corona": {"owner": 1}, "tern": {}}, own_masts_block=own_masts_block
        )
        for name, at in poses.items():
            moved = replace(cruise.ship(name), pose=Pose(*at), docked=0)
            cruise.state = with_ship(cruise.state, moved)
        assert cruise.refused(Shoot, TAG["grey-heron"], 0, TAG["corona"]) == "CSG-17"


def test_who_can_be_shot_at():
    """CSG-16: enemies only, not own ships, not empty islands."""
    cruise = at_sea({"steadfast": {"bow": (500, 200)}, "tern": {"bow": (500, 230)}})
    assert cruise.refused(Shoot, TAG["steadfast"], 0, TAG["tern"]) == "CSG-16"
    assert cruise.refused(Shoot, TAG["steadfast"], 0, 103) == "CSG-16"


def test_t13_three_hits_destroy_a_settlement():
    """T13, CSG-65, CSG-66: they add up over the turns; then nobody has explored the island."""
    cruise = at_sea(
        {"steadfast": {"docked": 102}},
        {102: {"building": "settlement", "owner": 1, "resource": 2, "camps": (0, 1)}},
    )
    tag = TAG["steadfast"]
    cruise.act(Shoot, tag, 0, 102).roll(3).act(Shoot, tag, 1, 102).roll(3)
    assert cruise.island(102).hits == 1
    cruise.act(Shoot, tag, 2, 102).roll(5)
    assert cruise.island(102).hits == 2
    cruise.end().end()
    cruise.act(Shoot, tag, 0, 102).roll(6)
    assert "unexplored" in cruise.told()
    island = cruise.island(102)
    assert (island.building, island.owner, island.resource, island.camps) == ("", -1, -1, ())


def test_forts_and_military_ports_fight():
    """CSG-28, CSG-71: they shoot once a turn, lose a gun for each hit, and are destroyed."""
    cruise = at_sea(
        {"steadfast": {"owner": 1, "docked": 102}, "corona": {"owner": 1, "docked": 103}},
        {
            102: {"building": "military", "owner": 0},
            103: {"building": "fort", "owner": 0, "fort": "smugglers", "coins": (4,)},
        },
    )
    cruise.act(Shoot, 102, 0, TAG["steadfast"])
    assert "The military port on Island 102 fires the 3S at Steadfast" in cruise.told()
    cruise.roll(3)
    cruise.act(Shoot, 102, 3, TAG["steadfast"]).roll(1)
    assert cruise.refused(Shoot, 102, 0, TAG["steadfast"]) == "CSG-16"
    cruise.act(CeaseFire)
    assert cruise.refused(Shoot, 102, 0, TAG["steadfast"]) == "CSG-71"
    cruise.act(Shoot, 103, 1, TAG["corona"]).roll(1)
    cruise.act(CeaseFire).end()
    assert cruise.refused(Shoot, 103, 1, TAG["corona"]) == "CSG-28"
    cruise.act(Shoot, TAG["corona"], 0, 103).roll(6)
    assert cruise.island(103).guns == (0,)
    assert "is hit, 1 gun left" in cruise.told()
    cruise.act(Shoot, TAG["corona"], 1, 103).roll(6)
    fort = cruise.island(103)
    assert (fort.building, fort.guns, fort.coins) == ("", (), (4,))
    assert "smugglers" in cruise.state.gone
    for cannon in (0, 1, 2):
        cruise.state = cruise.state._replace(stage=Firing(TAG["steadfast"], (cannon,)))
        cruise.act(Shoot, TAG["steadfast"], cannon, 102).roll(6)
    cruise.state = cruise.state._replace(stage=Firing(TAG["corona"], (0,)))
    assert len(cruise.island(102).guns) == 1


def test_the_last_flag_of_a_military_port_is_its_end():
    """CSG-71: the log says that the island is unexplored; of a fort's island it does not."""
    military = {"building": "military", "owner": 0, "guns": (0,), "resource": FISH}
    fort = {"building": "fort", "owner": 0, "fort": "smugglers", "guns": (0,)}
    for port, resource in ((military, -1), ({**fort, "resource": FISH}, FISH)):
        cruise = at_sea({"corona": {"owner": 1, "docked": 102}}, {102: port}, turn=1)
        cruise.act(Shoot, TAG["corona"], 0, 102).roll(6)
        assert (cruise.island(102).building, cruise.island(102).resource) == ("", resource)
        assert ("the island is unexplored again" in cruise.told()) == (resource < 0)


def boarding(first, second, faces, **options):
    """Return two ships that touch after both have rolled."""
    cruise = at_sea(
        {
            "grey-heron": {"bow": (500, 200), **first},
            "corona": {"owner": 1, "bow": (500, 224), **second},
        },
        **options,
    )
    return cruise.act(Board, TAG["grey-heron"], TAG["corona"]).roll(*faces)


def test_t10_boarding_and_loot():
    """T10, CSG-23, CSG-80: 2+2 against 1+2; one treasure or crew and three tokens that fit."""
    cruise = boarding(
        {},
        {"masts": 1, "coins": (2, 5), "tokens": {"fish": 3}, "crew": ["spanish-captain"]},
        (2, 2),
    )
    assert cruise.state.stage == Looting(TAG["grey-heron"], TAG["corona"], True, 3)
    assert cruise.refused(TakeToken, FISH, 4) == "CSG-80"
    cruise.act(TakeCoin, 5)
    assert cruise.refused(KillCrew, "spanish-captain") == "CSG-80"
    cruise.act(TakeToken, FISH, 2).act(TakeToken, FISH, 1)
    assert cruise.asked() == "turn"
    assert cruise.ship("grey-heron").coins == (5,)
    assert cruise.ship("grey-heron").tokens[FISH] == 3
    assert cruise.ship("corona").coins == (2,)
    assert cruise.refused(Board, TAG["grey-heron"], TAG["corona"]) == "CSG-23"


@pytest.mark.parametrize(
    ("ours", "theirs", "asked"),
    [
        (
            {},
            {"tokens": {"fish": 4}, "coins": (1,), "crew": ["dona-ines"]},
            "take one treasure or eliminate one crew, and take up to 3 tokens",
        ),
        ({}, {"tokens": {"fish": 1}}, "take up to 1 token"),
        ({"tokens": {"fish": 3}}, {"tokens": {"spices": 3}}, "take up to 1 token"),
        ({"tokens": {"fish": 4}}, {"coins": (1,), "crew": ["dona-ines"]}, "eliminate one crew"),
    ],
)
def test_the_winner_is_asked_for_what_there_is_to_take(ours, theirs, asked):
    """CSG-80: of what is aboard and fits."""
    cruise = boarding(ours, {"masts": 1, **theirs}, (6, 1))
    assert GAME.pending(cruise.state).text == f"Red: aboard Corona de Oro {asked}"


def test_the_winner_is_asked_for_what_is_left_to_take():
    """CSG-80: "up to 1 token", and no tokens once three are taken before the treasure."""
    cruise = boarding({}, {"masts": 1, "tokens": {"fish": 4}, "coins": (1,)}, (6, 1))
    cruise.act(TakeToken, FISH, 2)
    assert "take one treasure, and take up to 1 token" in GAME.pending(cruise.state).text
    cruise.act(TakeToken, FISH, 1)
    assert GAME.pending(cruise.state).text.endswith("take one treasure")


def test_a_crew_may_be_eliminated_instead():
    """CSG-23, CSG-33: named crew do not come back."""
    cruise = boarding({}, {"masts": 1, "crew": ["dona-ines"], "coins": (1,)}, (6, 1))
    cruise.act(KillCrew, "dona-ines")
    assert cruise.state.gone == ("dona-ines",)
    assert cruise.ship("corona").crew == ()
    assert cruise.asked() == "turn"


def test_a_defender_may_win():
    """CSG-23: and takes; unique treasures are taken like coins (CSG-34)."""
    cruise = boarding({"treasures": ("ruby-eye",)}, {}, (1, 6))
    assert cruise.player == 1
    assert cruise.refusal(TakeNoMore(P[0])) in ("CSG-80", "CSG-43")
    cruise.act(TakeTreasure, "ruby-eye")
    assert cruise.ship("corona").treasures == ("ruby-eye",)


def test_ties():
    """CSG-23: nothing happens; an option lets the defender win."""
    cruise = boarding({"coins": (3,)}, {"masts": 2}, (3, 3))
    assert cruise.asked() == "turn"
    assert "tie" in cruise.told()
    cruise = boarding({"coins": (3,)}, {"masts": 2}, (3, 3), board_tie="defender")
    assert cruise.player == 1


def test_boarding_abilities():
    """CSG-6: +1 to boarding rolls counts."""
    plain = boarding({"coins": (3,)}, {"masts": 1}, (1, 3))
    assert plain.asked() == "loot"
    assert plain.player == 1
    given = {"coins": (3,), "crew": ["the-stranger"]}
    assert boarding(given, {"masts": 1}, (1, 3)).asked() == "turn"


def test_who_cannot_board():
    """CSG-23, CSG-19: ships apart, derelicts, own ships, empty islands."""
    cruise = at_sea(
        {
            "grey-heron": {"bow": (500, 200), "masts": 0},
            "tern": {"bow": (500, 300)},
            "corona": {"owner": 1, "bow": (500, 224)},
        }
    )
    assert cruise.refused(Board, TAG["grey-heron"], TAG["corona"]) == "CSG-19"
    assert cruise.refused(Board, TAG["tern"], TAG["corona"]) == "CSG-23"
    assert cruise.refused(Board, TAG["tern"], TAG["grey-heron"]) == "CSG-23"
    assert cruise.refused(Board, TAG["tern"], 103) == "CSG-23"


def test_a_trading_port_is_not_shot_at():
    """CSG-16, CSG-82: it has no guns and can only be boarded; its owner is not told to."""
    port = {"building": "trading", "owner": 1, "resource": FISH}
    cruise = at_sea({"steadfast": {"docked": 102}}, {102: port})
    ruling = GAME.check(cruise.state, Shoot(P[0], TAG["steadfast"], 0, 102))
    assert (ruling.rule, "dock there and board it" in ruling.reason) == ("CSG-16", True)
    own = at_sea({"steadfast": {"docked": 102}}, {102: port | {"owner": 0}})
    ruling = GAME.check(own.state, Shoot(P[0], TAG["steadfast"], 0, 102))
    assert "aim at an enemy's ship, fort, settlement or military port" in ruling.reason


@pytest.mark.parametrize("who", ["steadfast", "corona"])
def test_who_is_lost_in_fog_neither_boards_nor_is_shot_at(who):
    """CSG-27, CSG-19: she is no derelict, and no own ship; fog is what is against it."""
    ships = {"steadfast": {"bow": (500, 300)}, "corona": {"owner": 1, "bow": (570, 300)}}
    cruise = at_sea(ships, terrain=True)
    fog = next(t.tag for t in cruise.state.terrain if t.kind == "fog")
    cruise.state = with_ship(cruise.state, replace(cruise.ship(who), lost_in=fog))
    tags = TAG["steadfast"], TAG["corona"]
    action = Board(P[0], *tags) if who == "steadfast" else Shoot(P[0], tags[0], 0, tags[1])
    ruling = GAME.check(cruise.state, action)
    assert (ruling.rule, "lost in the fog" in ruling.reason) == ("CSG-27", True)


def siege(ship, building, faces, **values):
    """Return a ship after she has boarded a town of the second captain's."""
    town = {"building": building, "owner": 1, "resource": FISH, "camps": (0, 1)}
    town |= values.pop("town", {})
    cruise = at_sea({ship: {"docked": 102, **values}}, {102: town})
    return cruise.act(Board, TAG[ship], 102).roll(*faces)


def test_a_new_ship_does_not_board():
    """CSG-58: she acts from the next turn on; an idle one may still board (CSG-10, CSG-50)."""
    board = Board(P[0], TAG["grey-heron"], TAG["corona"])
    assert duel(2, first_has={"barred": NEW}).refusal(board) == "CSG-58"
    assert duel(2, first_has={"barred": 1}).kinds(Board) == [board]


def test_t11_a_settlement_drives_a_ship_off():
    """T11, CSG-67: 1+3 against 2+4; she loses her only mast and stays where she is."""
    cruise = siege("tern", "settlement", (3, 4))
    assert cruise.ship("tern").is_derelict
    assert cruise.ship("tern").docked == 102
    assert cruise.asked() == "turn"


def test_a_beaten_ship_moves_away():
    """CSG-67: S, as her captain likes, away from the settlement."""
    cruise = siege("grey-heron", "settlement", (1, 6))
    assert len(cruise.ship("grey-heron").masts) == 1
    assert cruise.asked() == "retreat"
    pose = cruise.ship("grey-heron").pose
    stay = Move(P[0], TAG["grey-heron"], (), pose)
    assert cruise.refusal(stay) == "CSG-67"
    out = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 54)
    move = cruise.sail("grey-heron", *out, pose.heading_deg + 180)
    assert GAME.measured(cruise.state, {TAG["grey-heron"]: move.pose}) == (move,)
    far = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 80)
    assert cruise.refusal(cruise.sail("grey-heron", *far, pose.heading_deg + 180)) == "CSG-11"
    cruise.do(move)
    assert cruise.ship("grey-heron").docked == 0
    assert "move" not in cruise.ship("grey-heron").done


def test_a_beaten_ship_that_is_driven_ashore_explores_by_an_action():
    """CSG-67, CSG-5: she has docked there by no action of hers; turning there is no docking."""
    crew = {"crew": ("english-explorer",)}
    cruise = siege("grey-heron", "settlement", (1, 6), **crew)
    pose = cruise.ship("grey-heron").pose
    out = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 54)
    shore = toward((pose.x_mm, pose.y_mm), pose.heading_deg + 180, 54 + 31 + 48)
    cruise.state = with_island(cruise.state, replace(cruise.island(103), pose=Pose(*shore, 0.0)))
    cruise.do(cruise.sail("grey-heron", *out, pose.heading_deg + 180))
    assert cruise.ship("grey-heron").docked == 103
    cruise.act(ComeAbout, TAG["grey-heron"], cruise.ship("grey-heron").pose)
    assert cruise.refused(Explore, TAG["grey-heron"], 103) == "CSG-9"


def test_a_settlement_is_captured_intact():
    """CSG-67: it changes its owner; a tie changes nothing."""
    cruise = siege("grey-heron", "settlement", (6, 1))
    island = cruise.island(102)
    assert (island.building, island.owner, island.resource) == ("settlement", 0, FISH)
    tie = siege("grey-heron", "settlement", (3, 3))
    assert tie.island(102).owner == 1
    assert tie.ship("grey-heron").masts == (0, 1)


def test_t12_a_colony_is_razed():
    """T12, CSG-82, CSG-83: 4+5 against 4+2; the ship loads what there is; nobody has explored."""
    town = {"stock": {"lumber": 1}}
    cruise = siege("lady-of-kent", "trading", (5, 2), town=town)
    island = cruise.island(102)
    assert (island.building, island.resource, island.camps) == ("", -1, ())
    assert cruise.ship("lady-of-kent").tokens[FISH] == 4
    assert cruise.ship("lady-of-kent").tokens[LUMBER] + island.stock[LUMBER] == 1


def test_t12_a_colony_takes_the_ship():
    """T12, CSG-82: 2+1 against 4+1; she changes her owner, her crew is gone."""
    cruise = siege("grey-heron", "military", (1, 1), crew=("harriet-stone",))
    ship = cruise.ship("grey-heron")
    assert (ship.owner, ship.crew, ship.docked) == (1, (), 102)
    assert cruise.state.gone == ("harriet-stone",)


@pytest.mark.parametrize("building", ["trading", "military"])
def test_the_colony_of_who_is_out_takes_no_ship(building):
    """CSG-82, CSG-87: nobody is left to command her; she goes down, and the state holds good."""
    town = {103: {"building": building, "owner": 0, "resource": FISH}}
    ships = {"tern": {"owner": 1, "docked": 103}, "rat": {"owner": 2}}
    cruise = at_sea(ships, town, gold=(5, 5, 5), turn=1)
    cruise.do(Surrender(P[0])).act(Board, TAG["tern"], 103).roll(1)
    assert cruise.player == 1
    cruise.roll(6)
    assert find_ship(cruise.state, TAG["tern"]) is None
    assert "tern" in cruise.state.gone
    assert GAME.from_json(GAME.to_json(cruise.state)) == cruise.state


def test_a_tie_at_a_colony():
    """CSG-82: nothing happens."""
    cruise = siege("lady-of-kent", "trading", (2, 2))
    assert cruise.island(102).building == "trading"
    assert cruise.ship("lady-of-kent").owner == 0


def test_towns_are_boarded_from_the_dock():
    """CSG-67, CSG-82: from where she is docked, and forts not at all."""
    cruise = at_sea(
        {"grey-heron": {"bow": (500, 250)}},
        {
            102: {"building": "settlement", "owner": 1},
            103: {"building": "trading", "owner": 1},
            104: {"building": "fort", "owner": 1, "fort": "castillo"},
        },
    )
    assert cruise.refused(Board, TAG["grey-heron"], 102) == "CSG-67"
    assert cruise.refused(Board, TAG["grey-heron"], 103) == "CSG-82"
    assert cruise.refused(Board, TAG["grey-heron"], 104) == "CSG-23"


def test_repair():
    """CSG-26: at home; elsewhere with a shipwright (CSG-5) or in a military port (CSG-71)."""
    cruise = at_sea(
        {
            "steadfast": {"masts": 1},
            "grey-heron": {"masts": 1, "bow": (500, 250)},
            "tern": {"masts": 0, "bow": (700, 250), "crew": ["english-shipwright"]},
            "lady-of-kent": {"masts": 3, "docked": 102},
        },
        {102: {"building": "military", "owner": 0}},
    )
    assert cruise.refused(Repair, TAG["steadfast"], 0) == "CSG-26"
    assert cruise.refused(Repair, TAG["grey-heron"], 1) == "CSG-26"
    for name, mast in (("steadfast", 2), ("tern", 0), ("lady-of-kent", 3)):
        cruise.act(Repair, TAG[name], mast)
        assert mast in cruise.ship(name).masts
    assert cruise.refused(Repair, TAG["steadfast"], 1) == "CSG-9"


def test_t16_repair_with_lumber_and_textiles():
    """T16, CSG-55: one of each at a wild island; two lumber are not enough."""
    cruise = at_sea(
        {
            "steadfast": {"masts": 1, "docked": 102, "tokens": {"lumber": 1, "textiles": 1}},
            "grey-heron": {"masts": 1, "docked": 103, "tokens": {"lumber": 2}},
        }
    )
    assert cruise.refused(Repair, TAG["grey-heron"], 1) == "CSG-55"
    cruise.act(Repair, TAG["steadfast"], 1)
    assert not any(cruise.ship("steadfast").tokens)
    assert cruise.rules() == ["CSG-55"]


def test_scuttling():
    """CSG-24: an own derelict, as her action."""
    cruise = at_sea({"steadfast": {"masts": 0, "bow": (500, 250)}, "tern": {}})
    assert cruise.refused(Scuttle, TAG["tern"]) == "CSG-24"
    cruise.act(Scuttle, TAG["steadfast"])
    assert cruise.state.gone == ("steadfast",)


@pytest.mark.parametrize(("face", "extra"), [(4, ""), (5, "any")])
def test_a_second_action(face, extra):
    """CSG-6, CSG-9: on 5 or 6, once a turn; no more than two actions."""
    cruise = at_sea({"triomphe": {"masts": 2}, "fortune": {"masts": 1}})
    cruise.act(TryExtra, TAG["triomphe"]).roll(face)
    assert cruise.ship("triomphe").extra == extra
    assert cruise.refused(TryExtra, TAG["triomphe"]) == "CSG-6"
    cruise.act(Repair, TAG["triomphe"], 2)
    again = cruise.legal()
    assert (Repair(P[0], TAG["triomphe"], 3) in again) == bool(extra)
    assert cruise.refused(TryExtra, TAG["fortune"]) == "CSG-6"
    cruise.act(Repair, TAG["fortune"], 1)
    cruise.act(TryExtra, TAG["fortune"]).roll(face)
    assert cruise.ship("fortune").extra == ("repair" if extra else "")


@pytest.mark.parametrize(
    ("barred", "rule", "why"), [(NEW, "CSG-58", "is new"), (1, "CSG-50", "upkeep was not paid")]
)
def test_who_gets_no_action_hears_why_she_does_not_roll(barred, rule, why):
    """CSG-6: a new or idle ship has not rolled yet; that is not what is against it."""
    cruise = at_sea({"triomphe": {"barred": barred}})
    ruling = GAME.check(cruise.state, TryExtra(P[0], TAG["triomphe"]))
    assert (ruling.rule, why in ruling.reason) == (rule, True)


@pytest.mark.parametrize(
    ("done", "moves", "shoots"),
    [
        (("extra", "move", "shoot", "shoot"), True, False),
        (("extra", "move", "move", "shoot"), False, True),
        (("extra", "move", "move", "shoot", "shoot"), False, False),
    ],
)
def test_a_captain_does_both_with_a_second_action_too(done, moves, shoots):
    """CSG-5, CSG-9: each of two actions is a move and a shooting."""
    ships = {
        "triomphe": {"bow": (500, 250), "crew": ["french-captain"], "done": done, "extra": "any"},
        "lady-of-kent": {"owner": 1, "bow": (520, 300)},
    }
    cruise = at_sea(ships)
    assert bool(cruise.kinds(Move)) == moves
    assert bool(cruise.kinds(Shoot)) == shoots
    told = "Triomphe may still act" if moves or shoots else "no ship has an action left"
    assert told in GAME.pending(cruise.state).text


def test_a_captain_shoots_with_a_move_that_is_given_again():
    """CSG-5, CSG-6: the same again is a move, and a captain shoots with a move."""
    given = {"crew": ["mercenary-captain"], "done": ("extra", "move", "move"), "extra": "move"}
    ships = {
        "fortune": {"bow": (500, 250), **given},
        "lady-of-kent": {"owner": 1, "bow": (520, 300)},
    }
    assert at_sea(ships).kinds(Shoot)
    ships["fortune"]["crew"] = []
    assert not at_sea(ships).kinds(Shoot)


def test_a_captain_does_the_same_again_in_either_order():
    """CSG-5, CSG-6: a move and a shot were one action, so the shot may be first, too."""
    given = {"crew": ["mercenary-captain"], "done": ("extra", "move", "shoot"), "extra": "move"}
    ships = {
        "fortune": {"bow": (500, 250), "docked": 0, **given},
        "lady-of-kent": {"owner": 1, "bow": (520, 300)},
    }
    cruise = at_sea(ships)
    assert cruise.kinds(Move)
    fortune = TAG["fortune"]
    cruise.do(cruise.kinds(Shoot)[0]).roll(1)
    while cruise.asked() == "fire":
        cruise.act(CeaseFire)
    assert cruise.kinds(Move)
    assert cruise.refused(Shoot, fortune, 0, TAG["lady-of-kent"]) == "CSG-9"
    cruise.do(cruise.kinds(Move)[0])
    assert not cruise.kinds(Move)
    ships["fortune"]["crew"] = []
    assert not at_sea(ships).kinds(Shoot)
    ships["fortune"] |= {"crew": ["mercenary-captain"], "done": ("move", "shoot"), "extra": ""}
    cruise = at_sea(ships).act(TryExtra, fortune).roll(5)
    assert "gets a second action: move and shoot" in cruise.told()


@pytest.mark.parametrize(
    ("given", "more"),
    [
        ({"done": ("move",)}, ""),
        ({"done": ("extra", "move"), "extra": "move"}, "; she may still move"),
        ({"done": ("move",), "crew": ("english-captain",)}, "; she may still shoot"),
        ({"done": ("docked", "move"), "crew": ("english-explorer",)}, "; she may still explore"),
    ],
)
def test_who_has_had_her_action_hears_what_is_left(given, more):
    """CSG-9, CSG-5, CSG-6: a second action for the same again, a shot, an explorer's landing."""
    wood = {"docked": 102, "masts": 2, "tokens": {"lumber": 1, "textiles": 1}}
    cruise = at_sea({"steadfast": {**wood, **given}})
    ruling = GAME.check(cruise.state, Repair(P[0], TAG["steadfast"], 2))
    assert ruling.reason == f"Steadfast has had her action this turn{more}."


def test_an_explorer_who_has_come_home_by_a_second_move_has_nothing_left_to_explore():
    """CSG-5, CSG-15: she docked at a wild island before; the page does not say she may act."""
    explorer = {"crew": ("english-explorer",), "done": ("docked", "extra", "move", "move")}
    for docked, acts in ((100, False), (102, True)):
        cruise = at_sea({"steadfast": {**explorer, "extra": "any", "docked": docked}})
        assert ("Steadfast may still act" in GAME.pending(cruise.state).text) == acts


def test_a_wrong_die_is_refused():
    """CSG-16, CSG-21, CSG-23: one d6 for each roll."""
    cruise = duel(20).act(Shoot, TAG["grey-heron"], 0, TAG["corona"])
    assert cruise.refusal(roll(Die("d20", 7))) == "CSG-16"
    assert GAME.roll_of(cruise.state, (Die("d6", 4),)) == roll(Die("d6", 4))
    assert sum(p for _, p in GAME.chance_outcomes(cruise.state)) == 1
    assert len(GAME.legal_actions(cruise.state, CHANCE)) == 6
    boarded = at_sea({"tern": {"bow": (500, 250)}, "corona": {"owner": 1, "bow": (500, 274)}})
    boarded.act(Board, TAG["tern"], TAG["corona"])
    assert boarded.state.stage == RollingBoard(TAG["tern"], TAG["corona"])
    assert boarded.refusal(roll(Die("d6", 1), Die("d6", 1))) == "CSG-23"


def beset(*blockaders, masts=1, **options):
    """Return a trading port that ships blockade, the last with an enemy at her stern."""
    port = {104: {"building": "trading", "owner": 1, "resource": FISH}}
    foes = {name: {"docked": 104, "blockade": 104, "masts": masts} for name in blockaders}
    corona = {"owner": 1, "bow": (700, 700)}
    cruise = at_sea({**foes, "corona": corona}, port, turn=1, gold=(0, 9), **options)
    pose = cruise.ship(blockaders[-1]).pose
    tip = toward((pose.x_mm, pose.y_mm), pose.heading_deg, -31)
    behind = pose_with_bow(cruise.state.deck.ship["corona"], tip, pose.heading_deg)
    cruise.state = with_ship(cruise.state, replace(cruise.ship("corona"), pose=behind))
    return cruise


def test_a_port_is_open_again_when_nobody_blockades_it():
    """CSG-81: of two blockaders one may lose a boarding or her masts, and it stays closed."""
    for others, is_open in (((), True), (("black-gull",), False)):
        boarded = beset(*others, "midnight").act(Board, TAG["corona"], TAG["midnight"])
        shot = beset(*others, "midnight").act(Shoot, TAG["corona"], 0, TAG["midnight"])
        for cruise in (boarded.roll(6, 1), shot.roll(6)):
            assert cruise.ship("midnight").blockade == 0
            assert ("Island 104 is open again" in cruise.told()) == is_open
    cruise = beset("midnight", masts=2).end().act(Board, TAG["midnight"], 104).roll(1, 6)
    assert "Island 104 is open again" in cruise.told()
    cruise = beset("midnight", upkeep_default="scuttle").end().end()
    assert "Island 104 is open again" in cruise.told()


def test_the_port_of_who_is_out_is_open_again_when_it_sinks_its_blockader():
    """CSG-81, CSG-82: "until she leaves, sinks, ..."; the log says so there, too."""
    port = {104: {"building": "trading", "owner": 0, "resource": FISH}}
    tern = {"owner": 1, "docked": 104, "blockade": 104}
    cruise = at_sea({"tern": tern, "rat": {"owner": 2}}, port, gold=(5, 5, 5), turn=1)
    cruise.do(Surrender(P[0])).act(Board, TAG["tern"], 104).roll(1, 6)
    assert "Island 104 is open again" in cruise.told()


@pytest.mark.parametrize("masts", [0, 5])
def test_what_was_taken_from_a_ship_at_home_is_not_brought_in_by_her(masts):
    """CSG-36, CSG-80, CSG-15: tokens she then loads at home earn nothing, as any loaded there."""
    corona = {"tokens": {"fish": 2}, "masts": masts, "crew": ("spanish-oarsman",)}
    ships = {"corona": corona, "midnight": {"owner": 1, "bow": (193, 450), "heading": 180.0}}
    cruise = at_sea(ships, {100: {"stock": {"fish": 3}}}, turn=1)
    robbed_of_fish(cruise, "midnight", "corona")
    assert "worth" not in cruise.told()
    assert cruise.island(100).stock[FISH] == 3


def test_a_fort_has_lost_guns_and_no_masts():
    """CSG-28, CSG-71, CSG-18: what is said of a cannon that does not fire any more."""
    cruise = at_sea(
        {"steadfast": {"owner": 1, "docked": 102}, "corona": {"owner": 1, "docked": 103}},
        {
            102: {"building": "military", "owner": 0, "guns": (0, 1)},
            103: {"building": "fort", "owner": 0, "fort": "smugglers", "guns": (0,)},
        },
    )
    for tag, gun, target, rule in ((102, 2, "steadfast", "CSG-71"), (103, 1, "corona", "CSG-28")):
        ruling = GAME.check(cruise.state, Shoot(P[0], tag, gun, TAG[target]))
        assert (ruling.rule, "masts" in ruling.reason) == (rule, False)


@pytest.mark.parametrize(
    ("given", "todo"),
    [
        ({}, "one action: move, shoot, explore or repair"),
        ({"masts": 0}, "one action: explore or repair"),
        ({"masts": 0, "crew": ("english-oarsman",)}, "one action: move, explore or repair"),
        ({"masts": 0, "crew": ("english-musketeer",)}, "one action: shoot, explore or repair"),
        ({"done": ("move",), "crew": ("english-captain",)}, "still shoot"),
        ({"done": ("move",), "crew": ("english-captain",), "masts": 0}, None),
    ],
)
def test_the_sheet_tells_what_a_derelict_may_still_do(given, todo):
    """CSG-19, CSG-5, CSG-9: with oarsmen she moves, with a musketeer she shoots."""
    cruise = at_sea({"steadfast": given})
    (sheet,) = [s for s in GAME.view(cruise.state, None).sheets if s.title == "Steadfast"]
    assert sheet.todo == ((todo,) if todo else ())
    assert ("Steadfast may still act" in GAME.pending(cruise.state).text) == bool(todo)
