"""Islanders and skeletons of PirateWars in play."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from companion.errors import BadOptions
from companion.rules.deeds import Deed
from companion.rules.game import Ruling, Step
from companion.rules.layout import Placed, Pose
from companion.rules.pirate_wars.actions import (
    Board,
    Commit,
    Cross,
    Disembark,
    FireGun,
    Lower,
    Raid,
    Sail,
    Shoot,
)
from companion.rules.pirate_wars.ashore.forts import fort_of, garrison, read_forts
from companion.rules.pirate_wars.ashore.islanders import CALM, FIGHTING, HIDING
from companion.rules.pirate_wars.ashore.natives import NativePlace, tribe_of
from companion.rules.pirate_wars.ashore.rousing import hidden, regrouped, roused
from companion.rules.pirate_wars.built.vessels import LAUNCH, PARTY
from companion.rules.pirate_wars.crew import (
    Crew,
    Hand,
    by_kind,
    changed,
    crew_size,
    make_crew,
    rested,
)
from companion.rules.pirate_wars.fighting.close_quarters import gun_throws, melee, melee_throws
from companion.rules.pirate_wars.fighting.firing import land_hits
from companion.rules.pirate_wars.fighting.gunnery import ranged
from companion.rules.pirate_wars.fighting.losses import settle
from companion.rules.pirate_wars.fighting.native_melee import cleft, felled, target_against
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.fighting.sinking import blow_up
from companion.rules.pirate_wars.options import read_options, write_options
from companion.rules.pirate_wars.pieces import NOWHERE, SUNK, Gun, Ship, Shoal
from companion.rules.pirate_wars.sailing.seamanship import mm, under_way
from companion.rules.pirate_wars.sailing.swimming import swims
from companion.rules.pirate_wars.stages import (
    Attack,
    Between,
    FeedingSharks,
    Fight,
    Lurking,
    Moving,
    Tasking,
    Throw,
    Throwing,
)
from companion.rules.pirate_wars.state import Hit
from companion.rules.pirate_wars.turns import go_on
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import FLAGSHIP, GAME, SCHOONER, Battle, P, battle, ship
from tests.unit.rules.pirate_wars.test_pirate_wars_landings import (
    FORT,
    ISLAND,
    SHORE_MM,
    hands,
    small,
)

PEOPLE = {
    "kind": "islanders",
    "island": 1,
    "plates": 1,
    "small_plates": 0,
    "archers": 2,
    "treasure": 4,
    "cannons": 0,
    "boat": "canoe",
    "boats": 0,
    "captain": 1,
}
BONES = PEOPLE | {"kind": "skeletons", "archers": 0}


def check(fight: Battle, action: Deed) -> Ruling:
    return GAME.check(fight.state, action)


def natives(place: dict[str, Any], **changes: Any) -> Ship:
    """Return the natives in the middle of the island; the first captain is their friend."""
    built = tribe_of(NativePlace(**place), 1)
    at = ship(FLAGSHIP, 0, (1500, 1500, 0)).pose
    tribe = Ship(built.id, P[0], 1, 0, built.full, (), at, temper=CALM, chests=4)
    return tribe._replace(**changes)


def island(*pieces: Ship, place: dict[str, Any] = PEOPLE, stage: Any = None) -> Battle:
    """Return a battle: a Flagship far away, the natives, a Schooner of the second captain."""
    ships = (
        ship(FLAGSHIP, 0, (300, 300, 0)),
        pieces[0],
        ship(SCHOONER, 1, (2600, 2600, 0)),
        *pieces[1:],
    )
    chosen = {"launches": True, "terrain": [ISLAND], "losses": "order", "natives": [place]}
    return battle(*ships, stage=stage or Tasking(), order=(0, 1), slot=1, options=chosen)


def party(x: float = 1400, y: float = 1500, **counts: int) -> Ship:
    return small(PARTY.id, 1, (x, y, 0), hands(**(counts or {"pirate": 5})))


def crew(**counts: int) -> Crew:
    names = {name.replace("_", "-"): n for name, n in counts.items()}
    return make_crew(Counter({Hand(k, "deck", True): n for k, n in names.items()}))


def test_who_lives_on_an_island() -> None:
    """PWR-131, PWR-134: eight on a plate: the Kahuna, a Shaman, four spears and two bows."""
    options = read_options({"natives": [PEOPLE], "terrain": [ISLAND], "sea_mm": [3000, 3000]})
    tribe = options.built["natives-1"]
    people = {hand.kind: n for hand, n in tribe.full}  # type: ignore[attr-defined]
    assert people == {"kahuna": 1, "shaman": 1, "warrior": 4, "warrior-bow": 2}
    assert read_options(write_options(options)) == options
    dead = read_options({"natives": [BONES], "terrain": [ISLAND], "sea_mm": [3000, 3000]})
    assert crew_size(dead.built["natives-1"].full) == 8  # type: ignore[attr-defined]


def test_the_page_of_islanders_speaks_of_their_weapons() -> None:
    """PWR-132: they have no muskets and pistols."""
    fight = island(natives(PEOPLE, temper=FIGHTING), party())
    fight.state = fight.state._replace(slot=0)
    assert GAME.view(fight.state, None).sheets[1].todo == ("fire 8 bows and spears",)


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([PEOPLE | {"island": 2}], "there is no island 2"),
        ([PEOPLE, PEOPLE], "One people lives on each island"),
        ([PEOPLE | {"archers": 7}], "of 6 warriors 7 cannot be archers"),
        ([PEOPLE | {"kind": "ghosts"}], "islanders or skeletons"),
        ([PEOPLE | {"plates": 0}], "“Plates” must be 1 to 4"),
        ([PEOPLE | {"cannons": 1}], "islanders have no cannons"),
        ([BONES | {"boats": 1}], "skeletons have no boats"),
        ([PEOPLE | {"boat": "raft"}], "paddle a canoe, outrigger or catamaran"),
        ([{"island": 1}], "need the fields"),
    ],
)
def test_natives_that_cannot_be(places: list[dict[str, Any]], said: str) -> None:
    """PWR-134: the set-up refuses them with a sentence."""
    with pytest.raises(BadOptions) as raised:
        read_options({"natives": places, "terrain": [ISLAND], "sea_mm": [3000, 3000]})
    assert said in str(raised.value)
    assert raised.value.option == "natives"


def test_forts_and_natives_stand_with_captains_who_play() -> None:
    """PWR-135, PWR-139: two captains play, so nobody is the friend of a third."""
    for option, places in (
        ("natives", [PEOPLE | {"captain": 3}]),
        ("forts", [FORT | {"captain": 3}]),
    ):
        options = {option: places, "terrain": [ISLAND], "sea_mm": [3000, 3000]}
        with pytest.raises(BadOptions, match="There is no captain 3: 2 play") as raised:
            GAME.setup(["Ann", "Bob"], options)
        assert raised.value.option == option
        assert GAME.setup(["Ann", "Bob", "Cid"], options).round == 0


def test_islanders_keep_still_until_somebody_lands() -> None:
    """PWR-135: they neither move nor are a target; a landing party rouses them at once."""
    boat = small(LAUNCH.id, 1, (1500 - SHORE_MM - 32, 1500, 0), hands(pirate=5))
    fight = island(natives(PEOPLE), boat)
    assert under_way(fight.state, 1).left == 0
    assert check(fight, Shoot(P[1], 2, "pirate-musket", "musket", 1, 1, "deck")).rule == "PWR-135"
    assert check(fight, FireGun(P[1], 2, 0, "shot", 1, "")).rule == "PWR-135"
    foreign = check(fight, FireGun(P[1], 1, 0, "shot", 0, "")).reason
    assert foreign == "The islanders of island 1 are not Captain 1's."
    fight.do(Disembark(P[1], 3, (("pirate", 5),), 0))
    fight.do(fight.legal()[0])
    assert fight.ships[1].temper == FIGHTING
    assert fight.ships[1].flees_at == 4
    assert "attack" in fight.told()
    assert under_way(fight.state, 1).left == 24
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_roused_islanders_walk_and_throw() -> None:
    """PWR-132, PWR-133: 24 dots on their island; bows to 48, spears to 24 dots."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), party(1400, 1500))
    fight.state = fight.state._replace(slot=0)
    bow = Attack(1, "bow", -1, "warrior-bow", 2, 3, "deck")
    spear = Attack(1, "spear", -1, "warrior", 4, 3, "deck")
    volleys, lost = ranged(fight.state, (bow, spear))
    assert not lost
    assert [volley.target for volley in volleys] == [4]
    assert sum(volley.dice for volley in volleys) == 6
    assert check(fight, Shoot(P[0], 1, "warrior-bow", "bow", 2, 3, "deck"))
    walking = island(natives(PEOPLE, temper=FIGHTING, flees_at=4, left=24), party(), stage=None)
    assert under_way(walking.state, 1).left == 24


def test_shields_and_chiefs_in_a_melee() -> None:
    """PWR-131, PWR-132: pirates hit shields at 2; a Shaman takes two hits, the Kahuna three."""
    shields = crew(warrior=4, shaman=1)
    assert target_against(3, shields) == 2
    assert target_against(3, crew(warrior_bow=4)) == 3
    assert felled(crew(warrior=2, shaman=1, kahuna=1), 2) == 2
    assert felled(crew(warrior=2, shaman=1, kahuna=1), 3) == 2
    assert felled(crew(warrior=2, shaman=1, kahuna=1), 4) == 3
    assert felled(crew(warrior=2, shaman=1, kahuna=1), 7) == 4
    fight = Fight((3, 1), first=True, crews=(hands(pirate=5), crew(kahuna=1, warrior=4)))
    throws = melee_throws(fight)
    assert Throw(0, 5, 2) in throws
    assert Throw(1, 2, 5) in throws
    assert Throw(1, 4, 4) in throws


@pytest.mark.parametrize(
    ("people", "hits", "left"),
    [
        ({"warrior": 6, "shaman": 1, "kahuna": 1}, (6, 2), {"kahuna": 1}),
        ({"kahuna": 1}, (2,), {"kahuna": 1}),
        ({"kahuna": 1}, (2, 1), {}),
    ],
)
def test_hits_of_a_phase_are_counted_together(
    people: dict[str, int], hits: tuple[int, ...], left: dict[str, int]
) -> None:
    """PWR-131: whoever throws them, three fell a Kahuna and two a Shaman."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=0, crew=crew(**people)), party())
    volleys = tuple(Hit(1, "figures", count, "deck") for count in hits)
    state, _ = land_hits(fight.state._replace(hits=volleys))
    assert dict(by_kind(settle(state, Tasking()).state.ships[1].crew)) == left


def test_who_has_thrown_a_spear_strikes_nobody() -> None:
    """PWR-132: not in that turn; they stand in the melee, and strike again in the next."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=0), party(1500 - 40, 1500))
    fight.state = fight.state._replace(order=(1, 0), slot=1)
    fight.do(Shoot(P[0], 1, "warrior", "spear", 4, 3, "deck"))
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    threw = tuple(entry for entry in fight.ships[1].crew if entry[0].kind == "warrior")
    men = hands(pirate=5)
    assert [t.side for t in melee_throws(Fight((3, 1), False, (men, threw)))] == [0]
    assert Throw(1, 4, 4) in melee_throws(Fight((3, 1), False, (men, rested(threw))))


def test_islanders_board_a_party_and_win_its_loot() -> None:
    """PWR-135: who is beaten is gone, the treasure is at the idol."""
    strangers = small(PARTY.id, 1, (1500 - 32, 1500, 0), hands(pirate=1), chests=2)
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), strangers)
    fight.state = fight.state._replace(slot=0)
    fight.do(Board(P[0], 1, 3))
    while fight.asked() != "tasks":
        actions = fight.legal()
        if fight.asked() == "boarding":
            first = GAME.chance_outcomes(fight.state)
            mine = GAME.pending(fight.state).player == P[0]  # type: ignore[union-attr]
            best = max(first, key=lambda o: sum(die.face < 3 for die in GAME.rolled(o[0])))
            worst = min(first, key=lambda o: sum(die.face < 3 for die in GAME.rolled(o[0])))
            fight.do((best if mine else worst)[0])
        else:
            fight.do(actions[-1])
    assert fight.ships[3].fate == "gone"
    assert fight.ships[1].chests == 6


def test_at_half_their_number_islanders_hide() -> None:
    """PWR-136: in the jungle nobody shoots at them or follows."""
    four = crew(kahuna=1, shaman=1, warrior=2)
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4, crew=four), party())
    state, told = hidden(fight.state)
    assert state.ships[1].temper == HIDING
    assert [happening.rule for happening in told] == ["PWR-136"]
    gone = Battle(state)
    assert check(gone, Board(P[1], 3, 1)).rule == "PWR-136"
    assert check(gone, Shoot(P[1], 2, "pirate-musket", "musket", 1, 1, "deck")).rule == "PWR-136"
    assert check(gone, FireGun(P[1], 2, 0, "shot", 1, "")).rule == "PWR-136"
    assert under_way(state, 1).left == 0


def test_what_is_said_of_natives() -> None:
    """PWR-135, PWR-136: they are many, and the dead do not vanish into the jungle.

    What floats is boarded; who stands on land is attacked, and that is a melee.
    """
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), party(1500 - 32, 1500))
    fight.state = fight.state._replace(slot=0)
    assert "islanders of island 1 board " in GAME.describe(fight.state, Board(P[0], 1, 2))
    assert "islanders of island 1 attack " in GAME.describe(fight.state, Board(P[0], 1, 3))
    assert "islanders of island 1 attack " in fight.do(Board(P[0], 1, 3)).told()
    assert GAME.describe(fight.state, Commit(P[0])) == "Captain 0: begin the melee"
    assert GAME.view(fight.state, None).notes[-1].endswith("the landing party are in a melee")
    dead = natives(PEOPLE, temper=FIGHTING, flees_at=4, crew=())
    _, told = hidden(island(dead, party()).state)
    assert told[0].text.endswith("are all dead")


def test_robbing_the_idol_brings_them_back() -> None:
    """PWR-136: they fight on until half of those who came back are left."""
    four = crew(kahuna=1, shaman=1, warrior=2)
    near = party(1500 - 32, 1500)
    fight = island(natives(PEOPLE, temper=HIDING, flees_at=4, crew=four), near)
    robbery = Raid(P[1], 3, 1)
    assert robbery in fight.legal()
    fight.do(robbery)
    assert (fight.ships[1].temper, fight.ships[1].flees_at) == (FIGHTING, 2)
    assert check(fight, robbery).rule == "PWR-136"


def test_who_beats_the_natives_has_still_to_rob_their_idol() -> None:
    """PWR-130, PWR-136: two free figures carry a chest off, in a later turn."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), party(1450, 1500, pirate=2))
    after = captured(fight.state, 3, 1, ()).state
    assert (after.ships[1].crew, after.ships[1].chests, after.ships[3].chests) == ((), 4, 0)
    assert GAME.check(after._replace(stage=Tasking()), Raid(P[1], 3, 1))


def test_two_free_figures_carry_a_chest_from_the_idol() -> None:
    """PWR-130, PWR-136: five without a task take two of four, and have had it."""
    fight = island(natives(PEOPLE, temper=HIDING, crew=crew(kahuna=1)), party(1500 - 32, 1500))
    fight.do(Raid(P[1], 3, 1))
    assert (fight.ships[3].chests, fight.ships[1].chests) == (2, 2)
    assert sum(count for hand, count in fight.ships[3].crew if hand.busy) == 4


def wearied_party(x: float) -> Ship:
    tired = party(x)
    return tired._replace(
        crew=changed(tired.crew, tired.crew, lambda hand: hand._replace(busy=True))
    )


@pytest.mark.parametrize(
    ("piece", "changes", "said"),
    [
        (wearied_party(1500 - 32), {"temper": HIDING}, "two figures without another task"),
        (party(1500 - 32), {"temper": FIGHTING}, "guard their idol"),
        (party(1300), {"temper": HIDING}, "dots away"),
        (party(1500 - 32), {"temper": HIDING, "bare": True}, "nothing at the idol"),
    ],
)
def test_an_idol_is_not_robbed_just_so(piece: Ship, changes: dict[str, Any], said: str) -> None:
    """PWR-136."""
    bare = changes.pop("bare", False)
    tribe = natives(PEOPLE, **changes)
    fight = island(tribe._replace(chests=0) if bare else tribe, piece)
    ruling = check(fight, Raid(P[1], 3, 1))
    assert (ruling.rule in ("PWR-130", "PWR-136"), said in ruling.reason) == (True, True), ruling


def test_with_nobody_left_ashore_they_are_as_many_as_ever() -> None:
    """PWR-136: a ship at the shore counts as a landing party."""
    two = crew(kahuna=1, warrior=1)
    tribe = natives(PEOPLE, temper=HIDING, flees_at=4, crew=two)
    for piece, back in (
        (party(), False),
        (small(LAUNCH.id, 1, (1500 - SHORE_MM - 40, 1500, 0), hands(pirate=1)), False),
        (small(LAUNCH.id, 1, (600, 1500, 0), hands(pirate=1)), True),
    ):
        state, told = regrouped(island(tribe, piece).state)
        assert (crew_size(state.ships[1].crew) == 8) == back
        assert (state.ships[1].temper == CALM) == back
        assert bool(told) == back


def test_at_the_edge_of_the_water_is_ashore() -> None:
    """PWR-136: as far out as a walk may be measured, so nobody is all back."""
    edge = party(1500 - SHORE_MM - 4, 1500)
    for temper in (HIDING, CALM):
        fight = island(natives(PEOPLE, temper=temper, flees_at=4, crew=crew(kahuna=1)), edge)
        assert regrouped(fight.state) == (fight.state, ())


def test_who_walks_over_from_another_island_has_landed() -> None:
    """PWR-135: they are roused once all have moved."""
    fight = island(natives(PEOPLE), party())
    step = go_on(Step(fight.state._replace(stage=Between("tasks"))))
    assert step.state.ships[1].temper == FIGHTING
    assert "PWR-135" in [happening.rule for happening in step.happenings]


def test_skeletons_regroup_though_a_ship_lies_off_their_shore() -> None:
    """PWR-138: once no other living figures are on the island itself."""
    bones = natives(BONES, temper=FIGHTING, flees_at=-1, crew=crew(skeleton=2))
    for piece, count in (
        (party(), 2),
        (small(LAUNCH.id, 1, (1500 - SHORE_MM - 40, 1500, 0), hands(pirate=1)), 8),
    ):
        state, _ = regrouped(island(bones, piece, place=BONES).state)
        assert crew_size(state.ships[1].crew) == count


def test_natives_return_at_initiative() -> None:
    """PWR-136: when a new turn begins."""
    tribe = natives(PEOPLE, temper=HIDING, flees_at=4, crew=crew(kahuna=1))
    fight = island(tribe)
    step = go_on(Step(fight.state._replace(stage=Between("round"))))
    assert crew_size(step.state.ships[1].crew) == 8
    assert "PWR-136" in [happening.rule for happening in step.happenings]


def test_friends_are_no_strangers() -> None:
    """PWR-135: the party of the captain they stand with rouses nobody."""
    friend = small(PARTY.id, 0, (1400, 1500, 0), hands(marine=3))
    state, told = roused(island(natives(PEOPLE), friend).state)
    assert (state.ships[1].temper, told) == (CALM, ())


def test_natives_keep_to_themselves() -> None:
    """PWR-133: they do not walk into a friend's party, nor he into theirs."""
    friend = small(PARTY.id, 0, (1500 - 32, 1500, 0), hands(marine=3))
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), friend)
    fight.state = fight.state._replace(slot=0)
    for cross in (Cross(P[0], 1, 3, (("warrior", 1),), 0), Cross(P[0], 3, 1, (("marine", 1),), 0)):
        assert check(fight, cross).rule == "PWR-133"


def paddling(**counts: int) -> Ship:
    crew_ = hands(**(counts or {"warrior": 3}))
    loaded = make_crew(Counter({hand._replace(loaded=True): n for hand, n in crew_}))
    return small("canoe", 0, (2000, 2600, 0), loaded, home=1)


def embarking(boat: str = "canoe", **changes: Any) -> Battle:
    """Return roused islanders at their shore with two boats, about to move."""
    place = PEOPLE | {"boat": boat, "boats": 2}
    at_shore = Pose(1500.0 + SHORE_MM - 40, 1500.0, 0.0)
    tribe = natives(place, temper=FIGHTING, flees_at=4, boats=2, pose=at_shore)
    fight = island(tribe._replace(**changes), party(), place=place, stage=Moving())
    ships = tuple(under_way(fight.state, number) for number in range(len(fight.ships)))
    fight.state = fight.state._replace(ships=ships, slot=0)
    return fight


def put_off(fight: Battle, **figures: int) -> Battle:
    """Let islanders get into a boat, and put it on the water."""
    fight.do(Lower(P[0], 1, tuple(sorted(figures.items())), 0))
    assert fight.asked() == "set_down"
    return fight.do(fight.legal()[0])


def in_tasks(fight: Battle) -> Battle:
    """Return a battle once all have moved, with the first captain to give tasks."""
    state = go_on(Step(fight.state._replace(stage=Between("tasks")))).state
    return Battle(state._replace(slot=0))


@pytest.mark.parametrize(
    ("boat", "holds", "first", "dots"),
    [("canoe", 3, 18, 36), ("outrigger", 3, 24, 48), ("catamaran", 6, 24, 48)],
)
def test_islanders_take_to_their_boats(boat: str, holds: int, first: int, dots: int) -> None:
    """PWR-133: in the Movement phase; half as far in that turn, from the next one at full speed."""
    fight = embarking(boat)
    everybody = Lower(P[0], 1, by_kind(fight.ships[1].crew), 0)
    assert f"holds {holds} figures" in check(fight, everybody).reason
    assert GAME.view(fight.state, None).sheets[1].todo == (
        "walk up to 24 dots, or get into a boat",
    )
    assert "walk up to 24 dots, or get into a boat" in GAME.pending(fight.state).text
    offered = [a for a in fight.legal() if isinstance(a, Lower)]
    assert max(sum(count for _, count in a.figures) for a in offered) == holds
    put_off(fight, warrior=min(holds, 4))
    assert (fight.asked(), fight.player) == ("move", P[0])
    assert (fight.ships[4].design, fight.ships[1].boats) == (boat, 1)
    assert (fight.ships[4].left, fight.ships[1].left) == (first, 24)
    start = fight.ships[4].pose
    over = check(fight, Sail(P[0], 4, (ahead(start, first + 3),)))
    assert f"has {first} dots left" in over.reason
    way = Sail(P[0], 4, (ahead(start, first).rounded(),))
    assert way in GAME.measured(fight.state, {5: way.path[0]})
    fight.do(way)
    assert under_way(fight.state, 4).left == dots
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_a_canoe_turns_on_its_first_way_and_at_its_end() -> None:
    """PWR-113, PWR-133: nine dots, half a right angle, nine dots and another one."""
    fight = put_off(embarking(), warrior=3)
    corner = turned(fight.state, 4, ahead(fight.ships[4].pose, 9), -45)
    end = turned(fight.state, 4, ahead(corner, 9), -45).rounded()
    (found,) = GAME.measured(fight.state, {5: end})
    assert fight.do(found).ships[4].pose == end


def test_a_boat_is_set_down_within_its_reach_of_the_islanders() -> None:
    """PWR-133: twelve dots from their tag to a canoe; who has put it farther off is told so."""
    fight = embarking().do(Lower(P[0], 1, (("warrior", 3),), 0))
    home = fight.ships[1].pose
    layout = GAME.layout(fight.state)
    for apart, reason in (
        (12, ""),
        (14, "The canoe is set down within 12 dots of the islanders of island 1."),
    ):
        there = Pose(home.x_mm + mm(2 + apart + 4), home.y_mm, 0.0)
        pieces = {**layout.pieces, 5: Placed(there, "launch", "canoe")}
        assert GAME.objection(fight.state, replace(layout, pieces=pieces)).reason == reason


def test_the_tasks_of_the_last_turn_keep_nobody_ashore() -> None:
    """PWR-56, PWR-133: who has shot or struck then gets into a boat now."""
    weary = natives(PEOPLE).crew
    fight = embarking(crew=changed(weary, weary, lambda hand: hand._replace(busy=True)))
    assert crew_size(put_off(fight, warrior=3).ships[4].crew) == 3


def test_islanders_get_into_boats_in_the_movement_phase_only() -> None:
    """PWR-133, PWR-114: not in their tasks, in which ships lower launches, nor after a walk."""
    fight, canoe = embarking(), Lower(P[0], 1, (("warrior", 3),), 0)
    launch = check(fight, Lower(P[0], 0, (("sailor", 1),), 0))
    assert (launch.rule, launch.reason) == ("PWR-114", "Ships lower launches in the Tasks phase.")
    walked = Battle(fight.state).do(Sail(P[0], 1, (Pose(1600.0, 1500.0, 0.0),)))
    refused = check(walked, canoe)
    assert (refused.rule, "islanders of island 1 have no" in refused.reason) == ("PWR-39", True)
    tasks = in_tasks(fight)
    assert tasks.player == P[0]
    assert not [a for a in tasks.legal() if isinstance(a, Lower) and a.ship == 1]
    late = check(tasks, canoe)
    assert (late.rule, "in the Movement phase" in late.reason) == ("PWR-133", True)


def test_a_boat_with_too_few_to_paddle_stays() -> None:
    """PWR-133: one alone does not move a canoe, neither in this turn nor in the next."""
    fight = put_off(embarking(), warrior=1)
    assert (fight.ships[4].left, under_way(fight.state, 4).left) == (0, 0)


def test_who_has_just_put_off_paddles_as_well() -> None:
    """PWR-133: of three that got into a canoe in this turn one has a hand free."""
    fight = in_tasks(put_off(embarking(), warrior=3))
    assert sorted((hand.busy, count) for hand, count in fight.ships[4].crew) == [
        (False, 1),
        (True, 2),
    ]


def test_where_all_have_put_off_nobody_walks() -> None:
    """PWR-133: the idol is left alone; who is on turn is not asked to move it."""
    fight = put_off(embarking(crew=crew(warrior=3)), warrior=3)
    assert (fight.ships[1].crew, fight.ships[1].left, fight.ships[4].left) == ((), 0, 18)
    assert "islanders" not in GAME.pending(fight.state).text


def test_a_full_canoe_says_how_many_it_holds() -> None:
    """PWR-115, PWR-133: three, and not the seven of a launch."""
    x, place = 1500 - SHORE_MM, PEOPLE | {"boats": 2}
    tribe = natives(place, temper=FIGHTING, flees_at=4, pose=Pose(x + 10, 1500, 0))
    fight = island(tribe, small("canoe", 0, (x - 30, 1500, 0), crew(warrior=3)), place=place)
    fight.state = fight.state._replace(slot=0)
    refused = check(fight, Cross(P[0], 1, 3, (("warrior", 1),), 0))
    assert refused.rule == "PWR-115"
    assert refused.reason == "The canoe has 3 seats, and a chest takes two: there is no room."


def test_who_paddles_does_not_fight() -> None:
    """PWR-133: two paddle a canoe, so one throws; where it has lain still, all three do."""
    for moved, fighters in ((True, 1), (False, 3)):
        near = ship(SCHOONER, 1, (2000, 2600 + 20 * 8, 0))
        fight = island(natives(PEOPLE), paddling()._replace(moved=moved), near)
        fight.state = go_on(Step(fight.state._replace(stage=Between("tasks")))).state
        fight.until("tasks")
        assert fight.player == P[0]
        thrown = [a.count for a in fight.legal() if isinstance(a, Shoot) and a.ship == 3]
        assert max(thrown) == fighters


def test_islanders_burn_what_they_take() -> None:
    """PWR-135: the ship is gone, her treasure is at the idol."""
    empty = ship(SCHOONER, 1, (2000, 2600 + 8 * 8, 0), crew=())
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), paddling(), empty)
    fight.state = fight.state._replace(slot=0)
    fight.do(Board(P[0], 3, 4))
    assert fight.ships[4].fate == "gone"
    assert fight.ships[1].chests == 4 + 4
    assert "is burnt" in fight.told()


def test_those_at_sea_are_not_at_home_as_well() -> None:
    """PWR-136: with three of them in a canoe five come back to the village."""
    two = crew(kahuna=1, warrior=1)
    tribe = natives(PEOPLE, temper=HIDING, flees_at=4, crew=two)
    state, _ = regrouped(island(tribe, paddling()).state)
    assert crew_size(state.ships[1].crew) == 8 - 3


def test_who_is_in_a_canoe_is_not_lost() -> None:
    """PWR-136: five at home and three at sea are eight, so nobody hides."""
    five = crew(kahuna=1, shaman=1, warrior=1)
    tribe = natives(PEOPLE, temper=FIGHTING, flees_at=4, crew=five)
    for boats, mood in (((), HIDING), ((paddling(),), FIGHTING)):
        state, _ = hidden(island(tribe, party(), *boats).state)
        assert state.ships[1].temper == mood


def test_each_people_lives_on_its_own_island() -> None:
    """PWR-136: friends of one captain do not count one another as out in boats."""
    far = ISLAND | {"x_mm": 2500, "y_mm": 600}
    places = [PEOPLE, PEOPLE | {"island": 2, "captain": 1}]
    second = natives(PEOPLE, design="natives-2", pose=ship(FLAGSHIP, 0, (2500, 600, 0)).pose)
    ships = (ship(FLAGSHIP, 0, (300, 300, 0)), natives(PEOPLE), ship(SCHOONER, 1, (300, 2600, 0)))
    options = {"launches": True, "terrain": [ISLAND, far], "natives": places}
    state = battle(*ships, second, stage=Tasking(), options=options).state
    assert regrouped(state) == (state, ())


def test_natives_and_sailors_share_no_boat() -> None:
    """PWR-133: nobody crosses from a canoe to a ship or a launch, nor the other way."""
    flagship = ship(FLAGSHIP, 0, (2000, 2600 + 7 * 8, 0))
    launch = small(LAUNCH.id, 0, (2000, 2600 - 5 * 8, 0), hands(sailor=2))
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), paddling(), flagship, launch)
    fight.state = fight.state._replace(slot=0)
    for start, end, name in ((3, 4, "warrior"), (3, 5, "warrior"), (5, 3, "sailor")):
        assert fight.refusal(Cross(P[0], start, end, ((name, 1),), 0)) == "PWR-133"


def test_natives_in_the_water_climb_aboard_no_ship() -> None:
    """PWR-133, PWR-78: they swim to their own boats only, sailors to ships and launches."""
    ships = (natives(PEOPLE), paddling(warrior=1), ship(FLAGSHIP, 0, (2000, 2680, 0)))
    fight = island(*ships)
    swimmers = tuple(
        Shoal(P[0], 3, "imperial", ((name, 1),), 2000.0, 2640.0, False)
        for name in ("warrior", "sailor")
    )
    fight.state = fight.state._replace(slot=0, shoals=swimmers)
    assert set(swims(fight.state, P[0])) == {(0, 3), (1, 0), (1, 4)}


def test_a_canoe_brings_what_it_wins_to_the_idol() -> None:
    """PWR-135: chests and cannons of a launch, too."""
    launch = small(LAUNCH.id, 1, (2000, 2632, 0), hands(pirate=1), chests=1, stowed=1)
    state = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), paddling(), launch).state
    after = captured(state, 3, 4, ()).state
    assert (after.ships[1].chests, after.ships[1].stowed) == (4 + 1, 1)
    assert (after.ships[4].chests, after.ships[4].stowed) == (0, 0)


def test_skeletons_are_hacked_apart() -> None:
    """PWR-138: no bullet hurts them, all others hit at +1, a Captain cleaves two."""
    bones = crew(skeleton=6)
    men = crew(pirate_captain=1, pirate_musket=2)
    assert target_against(3, bones) == 4
    assert cleft(men, bones) == 2
    fight = Fight((3, 1), first=True, crews=(men, bones))
    throws = melee_throws(fight)
    assert Throw(0, 2, 4) in throws
    assert not any(throw.side == 0 and throw.target == 6 for throw in throws)
    tribe = natives(BONES, temper=FIGHTING, flees_at=-1)
    field = island(tribe, party(), place=BONES)
    assert gun_throws(field.state, fight) == ()


def test_pistols_do_nothing_to_skeletons() -> None:
    """PWR-138, PWR-61: only cutlasses and hooks count, though a pistol is loaded, or always is."""
    men = crew(first_mate=1, pirate_female=2, pirate_hook=1)
    for foes, throws in (
        (crew(skeleton=8), (Throw(0, 4, 4), Throw(0, 1, 5), Throw(1, 8, 2))),
        (crew(sailor=8), (Throw(0, 6, 3), Throw(0, 2, 4), Throw(1, 8, 2))),
    ):
        assert melee_throws(Fight((3, 1), True, (men, foes))) == throws


def test_a_pistol_that_cannot_hurt_is_not_fired() -> None:
    """PWR-138, PWR-61: against skeletons it stays loaded, against others it is empty."""
    mate = crew(first_mate=1, pirate=2)
    for foes, loaded in ((crew(skeleton=2), True), (crew(warrior=2), False)):
        tribe = natives(BONES, temper=FIGHTING, flees_at=-1, crew=foes)
        fight = island(tribe, party(), place=BONES)
        pair = Fight((3, 1), first=True, crews=(mate, foes))
        stage = melee(fight.state._replace(engaged=((3, 1),)), pair).state.stage
        assert isinstance(stage, Throwing)
        assert dict(stage.fight.crews[0])[mate[0][0]._replace(loaded=loaded)] == 1


def test_muskets_and_cannons_do_nothing_to_skeletons() -> None:
    """PWR-138: the shots land and nobody falls; of islanders shot kills two for a success."""
    for place, left in ((BONES, 8), (PEOPLE, 4)):
        fight = island(natives(place, temper=FIGHTING, flees_at=-1), place=place)
        shot, ball = Hit(1, "shot", 2), Hit(1, "figures", 3, "deck")
        state, _ = land_hits(fight.state._replace(hits=(shot,)))
        settled = settle(state, Tasking()).state
        assert crew_size(settled.ships[1].crew) == left
        state, _ = land_hits(settled._replace(hits=(ball,)))
        fewer = settle(state, Tasking()).state
        assert crew_size(fewer.ships[1].crew) == (8 if left == 8 else 4 - 2)


def test_alligators_come_for_figures_near_the_water() -> None:
    """PWR-137, PWR-95: a die each, a six is eaten; the Pirate Captain is the last."""
    wet = party(1500 - SHORE_MM + 24, 1500, pirate=2, pirate_captain=1)
    dry = party(1400, 1600, pirate=2)
    ships = (ship(FLAGSHIP, 0, (300, 300, 0)), wet, dry, ship(SCHOONER, 1, (2600, 2600, 0)))
    options = {"launches": True, "terrain": [ISLAND], "alligators": True}
    fight = battle(*ships, stage=FeedingSharks(0), order=(0, 1), options=options)
    fight.state = go_on(Step(fight.state)).state
    assert fight.asked() == "lurking"
    assert "alligators, throw 3 d6" in GAME.pending(fight.state).text
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.roll(5, 6, 6)
    assert {hand.kind for hand, _ in fight.ships[1].crew} == {"pirate-captain"}
    assert crew_size(fight.ships[2].crew) == 2
    assert "eaten by alligators" in fight.told()
    calm = options | {"alligators": False}
    off = battle(*ships, stage=FeedingSharks(0), order=(0, 1), options=calm)
    assert Battle(go_on(Step(off.state)).state).asked() == "initiative"


def test_a_party_of_more_than_thirty_throws_a_die_for_each() -> None:
    """PWR-137, PWR-1: the short throw first; who is hunted next has as many left as there are."""
    options = {"launches": True, "terrain": [ISLAND], "alligators": True}
    wet = party(1500 - SHORE_MM + 24, 1500, pirate=65)
    ships = (ship(FLAGSHIP, 0, (300, 300, 0)), wet, ship(SCHOONER, 1, (2600, 2600, 0)))
    fight = battle(*ships, stage=FeedingSharks(0), order=(0, 1), options=options)
    fight.state = go_on(Step(fight.state)).state
    assert "throw 5 d6, then 60 more" in GAME.pending(fight.state).text
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.roll(*[6] * 5).roll(*[1] * 29, 6).roll(*[6] * 30)
    assert crew_size(fight.ships[1].crew) == 65 - 5 - 1 - 30
    assert fight.asked() == "initiative"


def test_who_fought_a_party_that_is_eaten_is_free() -> None:
    """PWR-66, PWR-137: the melee is over with it, and the battle goes on."""
    wet = (party(1500 - SHORE_MM + 16, 1500, pirate=1), party(1500 - SHORE_MM + 16, 1530))
    ships = (ship(FLAGSHIP, 0, (300, 300, 0)), wet[0], wet[1]._replace(player=P[0]))
    options = {"launches": True, "terrain": [ISLAND], "alligators": True}
    away = ship(SCHOONER, 1, (2600, 2600, 0))
    line = battle(*ships, away, stage=FeedingSharks(0), order=(0, 1), options=options)
    line.state = line.state._replace(engaged=((1, 2),))
    fight = Battle(go_on(Step(line.state)).state).roll(6)
    assert (fight.ships[1].fate, fight.state.engaged) == ("gone", ())


def test_skeletons_fire_shot_from_their_wreckage() -> None:
    """PWR-138: to 72 dots, target number 1, at whoever passes."""
    armed = BONES | {"cannons": 1}
    tribe = natives(armed, temper=FIGHTING, guns=(Gun("bow"),))
    passing = ship(SCHOONER, 1, (1500, 1950, 0))
    fight = island(tribe, passing, place=armed)
    fight.state = fight.state._replace(slot=0)
    shot = FireGun(P[0], 1, 0, "shot", 3, "")
    assert shot in fight.legal()
    assert check(fight, FireGun(P[0], 1, 0, "ball", 3, "")).rule == "PWR-138"
    far = Attack(1, "cannon-shot", 0, "", 1, 2, "")
    near = far._replace(target=3)
    (volley,), lost = ranged(fight.state, (near, far))
    assert volley.target == 1
    assert [rule for _, rule, _ in lost] == ["PWR-69"]


def test_skeletons_fire_their_cannons_at_what_floats() -> None:
    """PWR-138: "at any ship within 72 dots": at launches, too, but not at figures ashore."""
    armed = BONES | {"cannons": 1}
    tribe = natives(armed, temper=FIGHTING, guns=(Gun("bow"),))
    boat = small(LAUNCH.id, 1, (1500, 1500 - SHORE_MM - 60, 0), hands(pirate=3))
    fight = island(tribe, party(1400), boat, place=armed)
    fight.state = fight.state._replace(slot=0)
    offered = {
        action.target
        for action in fight.legal()
        if isinstance(action, FireGun) and action.ship == 1
    }
    assert 4 in offered
    assert 3 not in offered
    ruling = check(fight, FireGun(P[0], 1, 0, "shot", 3, ""))
    assert (ruling.rule, "ships and launches" in ruling.reason) == ("PWR-138", True)


def test_skeletons_are_not_offered_to_fire_at_doors() -> None:
    """PWR-138, PWR-121: doors are broken with ball, and they fire shot only."""
    armed = BONES | {"cannons": 1}
    gate = FORT | {"x_mm": 1400, "cannons": 1, "door_dots": 8, "captain": 2}
    tribe = natives(armed, temper=FIGHTING, guns=(Gun("bow"),))
    built = fort_of(read_forts((gate,))[0], 1)
    guns = tuple(Gun(cannon.side) for cannon in built.cannons)
    fort = Ship(built.id, P[1], 1, 0, garrison(built), guns, Pose(1400.0, 1500.0, 0.0), boats=2)
    options = {"terrain": [ISLAND], "natives": [armed], "forts": [gate]}
    fight = battle(
        ship(FLAGSHIP, 0, (300, 300, 0)),
        fort,
        tribe,
        ship(SCHOONER, 1, (2600, 2600, 0)),
        stage=Tasking(),
        options=options,
    )
    shots = [action for action in fight.legal() if isinstance(action, FireGun)]
    assert {(shot.ammo, shot.station) for shot in shots if shot.ship == 2} == {("shot", "")}


def test_skeletons_never_hide() -> None:
    """PWR-138: down to the last."""
    one = natives(BONES, temper=FIGHTING, flees_at=4, crew=crew(skeleton=1))
    state, told = hidden(island(one, party(), place=BONES).state)
    assert (state.ships[1].temper, told) == (FIGHTING, ())


def test_natives_walk_only_on_their_island() -> None:
    """PWR-133: a way into the sea is refused."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), party(), stage=None)
    moving = battle(
        *fight.ships,
        order=(0, 1),
        options={"terrain": [ISLAND], "natives": [PEOPLE], "launches": True},
    )
    start = moving.ships[1].pose
    wet = start.__class__(1500.0, 1500.0 + SHORE_MM + 60, 0.0)
    assert moving.ships[1].left == 24
    assert check(moving, Sail(P[0], 1, (wet,))).rule == "PWR-123"


def wooded(*pieces: Ship) -> Battle:
    """Return parties of the second captain under trees, in the Morale phase."""
    ships = (ship(FLAGSHIP, 0, (300, 300, 0)), ship(SCHOONER, 1, (2600, 2600, 0)), *pieces)
    options = {"launches": True, "terrain": [ISLAND], "snares": True}
    fight = battle(*ships, stage=FeedingSharks(0), order=(0, 1), options=options)
    fight.state = go_on(Step(fight.state)).state
    return fight


def test_snares_catch_figures_under_the_trees() -> None:
    """PWR-137: a die each, a six hangs; nobody near the water is under a tree."""
    shore = party(1500 - SHORE_MM + 24, 1500, pirate=3)
    fight = wooded(party(1500, 1500, pirate=3), shore)
    fight.roll(2, 6, 6)
    assert [crew_size(fight.ships[2].crew), crew_size(fight.ships[2].snared)] == [1, 2]
    assert fight.asked() == "initiative"
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_friends_hack_at_snares_in_the_next_turn() -> None:
    """PWR-137: a success of their Attack frees one; then the snares wait for all again."""
    fight = wooded(party(1500, 1500, pirate=2)._replace(snared=hands(pirate=2)))
    fight.roll(3, 4)
    assert [crew_size(fight.ships[2].crew), crew_size(fight.ships[2].snared)] == [3, 1]
    fight.roll(1, 1, 1)
    assert fight.asked() == "initiative"


def test_freed_figures_count_at_the_snares_that_follow() -> None:
    """PWR-137, PWR-1: how many throws those take is known only then."""
    fight = wooded(party(1500, 1500, pirate=29)._replace(snared=hands(pirate=2)))
    fight.roll(*[1] * 29)
    assert fight.state.stage == Lurking(((2, "snares"),) * 2)
    fight.roll(5).roll(*[6] * 30)
    assert [crew_size(fight.ships[2].crew), crew_size(fight.ships[2].snared)] == [1, 30]


def test_where_nobody_is_free_all_are_lost() -> None:
    """PWR-137: trapped figures leave the game with the last who could free them."""
    fight = wooded(party(1500, 1500, pirate=1))
    fight.roll(6)
    assert (fight.ships[2].fate, fight.ships[2].snared) == ("gone", ())
    assert "Nobody is left to free 1" in fight.told()


def test_friends_of_another_party_hack_at_snares() -> None:
    """PWR-137: within four dots; who hangs there comes down to its own party."""
    caught = party(1500, 1500, pirate=1)._replace(crew=(), snared=hands(pirate=2))
    near = party(1500 + (3 + 4) * 8, 1500, pirate=3)
    far = party(1500, 1500 + (3 + 5) * 8 + 7, pirate=3)
    fight = wooded(caught, near, far)
    assert fight.state.stage == Lurking(((3, "freeing"), (3, "snares"), (4, "snares")))
    fight.roll(3, 4, 5)
    assert [crew_size(fight.ships[n].crew) for n in (2, 3, 4)] == [1, 3, 3]
    assert crew_size(fight.ships[2].snared) == 1
    assert "1 pirate freed from snares" in fight.told()
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_each_party_hacks_once_at_its_own_snares_first() -> None:
    """PWR-137: what is left over of its successes helps its friends."""
    one, two = (party(x, 1500, pirate=2)._replace(snared=hands(pirate=1)) for x in (1500, 1532))
    fight = wooded(party(1516, 1540, pirate=1), one, two)
    freeing = [number for number, what in fight.state.stage.parties if what == "freeing"]
    assert freeing == [3, 4, 2]
    fight.roll(1, 2)
    assert [ship.snared for ship in fight.ships[3:]] == [(), ()]
    # Nobody hangs any more: the others need not throw.
    assert {what for _, what in fight.state.stage.parties} == {"snares"}


def test_a_party_that_hangs_is_not_lost_while_friends_are_free_on_the_island() -> None:
    """PWR-137: be they near or not; with the last of them all are lost."""
    fight = wooded(party(1500, 1500, pirate=1), party(1420, 1560, pirate=1))
    fight.roll(6)
    hanging = fight.ships[2]
    assert (hanging.fate, hanging.crew, crew_size(hanging.snared)) == ("afloat", (), 1)
    again = Battle(fight.state).roll(1)
    assert (again.asked(), crew_size(again.ships[2].snared)) == ("initiative", 1)
    fight.roll(6)
    assert [ship.fate for ship in fight.ships[2:]] == ["gone", "gone"]
    assert fight.asked() == "initiative"


def test_those_in_snares_are_not_lost_when_the_others_join_friends() -> None:
    """PWR-137: another party of theirs is free beside them, and may cut them down."""
    stuck = party(1500, 1500, pirate=2)._replace(snared=hands(pirate=3))
    far = natives(PEOPLE, pose=Pose(1400.0, 1400.0, 0.0))
    fight = island(far, stuck, party(1500, 1530, pirate=3))
    fight.do(Cross(P[1], 3, 4, (("pirate", 2),), 0))
    left = fight.ships[3]
    assert (left.fate, left.crew, crew_size(left.snared)) == ("afloat", (), 3)


def test_those_in_snares_of_a_party_that_is_taken_are_lost() -> None:
    """PWR-65, PWR-91: they do not count among the living any more."""
    stuck = party(1500, 1500, pirate=1)._replace(snared=hands(pirate=2), home=2)
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=4), stuck)
    assert captured(fight.state, 1, 3, ()).state.ships[3].snared == ()


def test_a_party_waits_for_those_in_snares() -> None:
    """PWR-137: who hangs in a tree does not walk along."""
    stuck = party(1500, 1500, pirate=2)._replace(snared=hands(pirate=2))
    fight = island(natives(PEOPLE), stuck, party(1400, 1500))
    assert [under_way(fight.state, n).left for n in (3, 4)] == [0, 24]


def test_whom_nobody_is_left_to_free_is_lost() -> None:
    """PWR-137: though it was not the trees that took the last of the others."""
    fight = wooded(party()._replace(crew=(), snared=hands(pirate=2)))
    assert fight.asked() == "initiative"
    assert fight.ships[2].snared == ()


def test_the_page_of_a_piece_says_what_matters_of_it() -> None:
    """PWR-113, PWR-121, PWR-130, PWR-135: loot, launches and the temper of natives."""
    boat = small(LAUNCH.id, 1, (600, 1500, 0), hands(pirate=3), chests=2, stowed=1)
    fight = island(natives(PEOPLE), boat)
    lines = [sheet.lines for sheet in GAME.view(fight.state, None).sheets]
    assert "They keep still until strangers land" in lines[1]
    assert "4 launches aboard" in lines[2]
    assert "Carries 2 chests and barrels and 1 stowed cannon" in lines[3]
    assert not any("SF" in line for line in lines[3])


@pytest.mark.parametrize("place", [PEOPLE, BONES])
def test_scuttling_does_not_sink_the_people_of_an_island(place: dict[str, Any]) -> None:
    """PWR-76: half of the hull is for a *ship* that is lashed to her; they have none."""
    pieces = natives(place, temper=FIGHTING, flees_at=0), party()
    fight = island(*pieces, place=place)
    for foe in (1, 3):
        state = fight.state._replace(engaged=((2, foe),), scuttles=(2,))
        after = blow_up(state).state
        assert after.ships[2].hf == 0
        assert after.ships[foe] == state.ships[foe]


def test_who_boards_a_ship_that_blows_up_falls_with_her() -> None:
    """PWR-76: as many boarders as she had hull factors, people of an island among them."""
    fight = island(natives(PEOPLE, temper=FIGHTING, flees_at=0))
    schooner = fight.ships[2]._replace(hf=2)
    ships = (*fight.ships[:2], schooner)
    state = fight.state._replace(ships=ships, engaged=((1, 2),), scuttles=(2,))
    after = blow_up(state).state
    assert (after.ships[1].hf, crew_size(after.ships[1].crew)) == (1, 8 - 2)


def test_natives_once_sunk_do_not_come_back() -> None:
    """PWR-136: in games of an earlier version natives could be blown up."""
    lost = natives(PEOPLE, crew=())._replace(hf=0, fate=SUNK, pose=NOWHERE)
    state = island(lost).state
    assert regrouped(state) == (state, ())


def test_what_natives_do_is_said_as_people_say_it() -> None:
    """PWR-132, PWR-133: they are many, walk on land, throw spears, shoot arrows and have canoes."""
    fight = island(natives(PEOPLE | {"boats": 1}, temper=FIGHTING, boats=1), party(1600))
    people = "Captain 0: the islanders of island 1"
    for order, words in (
        (
            Shoot(P[0], 1, "warrior", "spear", 1, 3, "deck"),
            ": 1 warrior with spear and shield throws a",
        ),
        (
            Shoot(P[0], 1, "warrior-bow", "bow", 2, 3, "deck"),
            ": 2 warriors with bows shoot arrows at",
        ),
        (Lower(P[0], 1, (("kahuna", 1),), 0), " lower a canoe with 1 Kahuna"),
    ):
        assert GAME.describe(fight.state, order).startswith(people + words)
    sailing = Sail(P[0], 1, (Pose(1500.0, 1400.0, 0.0),))
    assert GAME.describe(fight.state, sailing).startswith("Captain 0: march the islanders of")
    moving = island(natives(PEOPLE, temper=FIGHTING), party(1600), stage=Moving())
    moving.state = moving.state._replace(slot=0)
    moving.state = moving.state._replace(
        ships=tuple(under_way(moving.state, n) for n in range(len(moving.ships)))
    )
    assert "the islanders of island 1 walk up to 24 dots" in GAME.pending(moving.state).text
    too_far = check(moving, Sail(P[0], 1, (Pose(1900.0, 1500.0, 0.0),)))
    assert "the islanders of island 1 walk up to 24 dots" in too_far.reason


def test_pages_of_pieces_show_what_they_have() -> None:
    """PWR-113, PWR-123: a landing party of five had a hull, no sails and "Crew 5/2"."""
    launch = small(LAUNCH.id, 1, (1200, 1500, 0), hands(pirate=4))
    sheets = GAME.view(island(natives(PEOPLE), party(), launch).state, None).sheets
    assert {sheet.tag: {g.label: (g.left, g.full) for g in sheet.gauges} for sheet in sheets} == {
        1: {"Hull": (4, 4), "Sails": (5, 5), "Crew": (19, 19)},
        2: {"Crew": (8, 8)},
        3: {"Hull": (6, 6), "Sails": (8, 8), "Crew": (34, 34)},
        4: {},
        5: {"Hull": (1, 1), "Crew": (4, 7)},
    }
    assert [sheet.tag for sheet in sheets if sheet.chart] == [1, 3]
