"""Fortresses of PirateWars in play: built, fired at, stormed, held and left again."""

from __future__ import annotations

from typing import Any

import pytest

from companion.errors import BadOptions
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Board,
    CastOff,
    ChooseShip,
    Climb,
    Commit,
    Cross,
    Done,
    Enter,
    Fall,
    FireGun,
    HoldBack,
    LoadArms,
    LoadGun,
    PlaceShip,
    Post,
    Sail,
    ShiftGun,
    Shoot,
    TakeCover,
)
from companion.rules.pirate_wars.ashore.forts import fort_of, garrison, read_forts
from companion.rules.pirate_wars.built.fort_inside import NO_WAY, OUTSIDE, YARD
from companion.rules.pirate_wars.built.vessels import LAUNCH, PARTY
from companion.rules.pirate_wars.crew import COVER, Crew, crew_size, moved_to
from companion.rules.pirate_wars.fighting.firing import land_hits
from companion.rules.pirate_wars.fighting.gunnery import BALL, ranged
from companion.rules.pirate_wars.fighting.losses import settle
from companion.rules.pirate_wars.options import read_options, write_options
from companion.rules.pirate_wars.pieces import AFLOAT, GONE, LOADED, WRECKED, Gun, Ship, Shoal
from companion.rules.pirate_wars.sailing.moving import to_move
from companion.rules.pirate_wars.stages import Attack, Firing, Tasking, Volley
from companion.rules.pirate_wars.state import Hit, State, design_of
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    FLAGSHIP,
    GAME,
    SCHOONER,
    Battle,
    P,
    battle,
    crew_of,
    ship,
)
from tests.unit.rules.pirate_wars.test_pirate_wars_landings import FORT, ISLAND, check, hands, small

HALF = 48
"""Half of its sides in millimetres."""
FORT_NO, PARTY_NO = 1, 3
"""Places of the fortress and of the first landing party among the pieces."""


def besieged(
    *pieces: Ship,
    stage: Any = None,
    slot: int = 1,
    build: dict[str, Any] | None = None,
    **house: Any,
) -> Battle:
    """Return a fort of the first captain on the island, the second's Schooner to the south."""
    place = FORT | (build or {})
    places = read_forts((place,))
    built = fort_of(places[0], 1)
    guns = tuple(Gun(cannon.side) for cannon in built.cannons)
    closed = 2 if built.door else 0
    fort = Ship(built.id, P[0], 1, 0, garrison(built), guns, places[0].pose, boats=closed)
    chosen = {"forts": [place], "launches": True, "terrain": [ISLAND], "losses": "order"} | house
    flagship = ship(FLAGSHIP, 0, (300, 300, 0))
    schooner = ship(SCHOONER, 1, (1500, 1950, 180), guns=(Gun("starboard"),) * 4)
    return battle(
        flagship, fort, schooner, *pieces, stage=stage, order=(0, 1), slot=slot, options=chosen
    )


def tasking(*pieces: Ship, **rest: Any) -> Battle:
    return besieged(*pieces, stage=Tasking(), **rest)


def storming(*pieces: Ship, **rest: Any) -> Battle:
    """Return the Movement phase in which only a garrison and parties are left to move."""
    fight = besieged(*pieces, **rest)
    moved = tuple(
        it if design_of(fight.state, n).kind != "ship" else it._replace(left=0)
        for n, it in enumerate(fight.ships)
    )
    fight.state = fight.state._replace(ships=moved)
    return fight


def party(
    crew: Crew, at: tuple[float, float] | str = (1500, 1500 + HALF + 12), **changes: Any
) -> Ship:
    """Return a landing party of the second captain: at the foot of the wall, or within."""
    if isinstance(at, str):
        crew = moved_to(crew, at)
        return small(PARTY.id, 1, (1500, 1500, 0), crew, fort=FORT_NO, **changes)
    return small(PARTY.id, 1, (*at, 0), crew, **changes)


MEN = hands(pirate=6, first_mate=1)
BEFORE_DOORS = (1500 + HALF + 12, 1500)


def with_fort(fight: Battle, **changes: Any) -> Battle:
    fort = fight.ships[FORT_NO]._replace(**changes)
    ships = (*fight.ships[:FORT_NO], fort, *fight.ships[FORT_NO + 1 :])
    fight.state = fight.state._replace(ships=ships)
    return fight


def next_turn(fight: Battle, slot: int = 1, phase: str = "move") -> Battle:
    """Play on, nobody doing anything, until a side is asked in a phase of the next turn."""
    before = fight.state.round
    while fight.state.round == before or (fight.asked(), fight.state.slot) != (phase, slot):
        asked = GAME.pending(fight.state)
        if getattr(asked, "passing", None) is not None:
            fight.do(asked.passing)  # type: ignore[union-attr, arg-type]
        elif fight.asked() == "initiative":
            fight.roll(6 if fight.player == 0 else 1)
        elif fight.asked() == "move":
            ships = [n for n in to_move(fight.state) if design_of(fight.state, n).kind == "ship"]
            fight.do(next(a for a in fight.legal() if a.ship in ships))  # type: ignore[attr-defined]
        else:
            fight.do(fight.legal()[0])
    return fight


def target_number(fight: Battle, attack: Attack) -> int:
    """Return the target number that play throws at for an attack."""
    (volley,), lost = ranged(fight.state, (attack,))
    assert not lost
    assert isinstance(volley, Volley)
    return volley.target


# -- how it is built ----------------------------------------------------------------------------


def test_a_fortress_is_manned_by_marines_and_held_by_an_imperial() -> None:
    """PWR-139, PWR-127: four marines a cannon and a Lieutenant; an Imperial holds it."""
    state = GAME.setup(["Ann", "Bob"], {"forts": [FORT], "wind": "N", "sea_mm": [3000, 3000]})
    offered = {action.design for action in GAME.legal_actions(state, P[0])}
    assert SCHOONER not in offered
    assert check(Battle(state), ChooseShip(P[0], SCHOONER)).rule == "PWR-139"
    fight = Battle(state).do(ChooseShip(P[0], FLAGSHIP)).do(ChooseShip(P[1], SCHOONER))
    fort = fight.ships[2]
    assert fort.crew == garrison(fort_of(fight.state.options.forts[0], 1))
    assert {hand.kind: n for hand, n in fort.crew} == {"lieutenant": 1, "marine": 8}
    assert GAME.layout(fight.state).pieces[3].kind == "fort"
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cannons": 3}, "allows 2 cannons (one for every 24), not 3. (PWR-127)"),
        ({"cannons": 3, "wall_dots": 76, "door_dots": 6}, "allows 2 cannons"),
        ({"tower_floors": 3, "tower_way": "none"}, "must lead to each of them. (PWR-128)"),
        ({"tower_cannons": 3, "tower_floors": 2}, "holds 2 of its cannons, one on a floor."),
        ({"width_dots": 4}, "“Width” must be 8 to 80"),
        ({"captain": 5}, "“Captain” must be 1 to 4"),
        ({"mount": "rope"}, "mount must be one of wheels, slide, turntable."),
        ({"barrels": 1}, "barrels must be one of false, true."),
        ({"moat": 4}, "needs the fields x_mm, y_mm,"),
    ],
)
def test_fortresses_that_may_not_be_built(change: dict[str, Any], said: str) -> None:
    """PWR-127, PWR-128, PWR-129: the set-up refuses them with the rule."""
    with pytest.raises(BadOptions) as raised:
        read_options({"forts": [FORT | change]})
    assert said in str(raised.value)
    assert raised.value.option == "forts"


@pytest.mark.parametrize(
    ("places", "said"),
    [
        ([FORT | {"x_mm": 5000}], "Fortress 1 stands off the sea"),
        ([FORT, FORT | {"x_mm": 1560}], "Fortress 2 stands on another"),
    ],
)
def test_fortresses_that_cannot_stand_there(places: list[dict[str, Any]], said: str) -> None:
    """PWR-127: on the cloth, and each in its own place."""
    with pytest.raises(BadOptions, match=said) as caught:
        read_options({"forts": places, "sea_mm": [3000, 3000]})
    assert caught.value.option == "forts"


def test_a_wall_that_is_built_out_bears_more_cannons() -> None:
    """PWR-127: 76 dots bear three; the mountain base's 88 bear three as well, doors left out."""
    (built_out,) = read_forts((FORT | {"cannons": 3, "wall_dots": 76},))
    assert len(fort_of(built_out, 1).cannons) == 3
    mountain = FORT | {"width_dots": 22, "depth_dots": 22, "cannons": 3, "door_dots": 16}
    assert read_forts((mountain | {"mountain": True},))
    with pytest.raises(BadOptions, match="allows 3 cannons"):
        read_forts((mountain | {"cannons": 4, "door_dots": 0},))


def test_options_with_everything_survive_a_round_trip() -> None:
    """PWR-124, PWR-128: how a fortress is built inside is kept; what is left out is as usual."""
    inside = {"tower_floors": 3, "tower_way": "stairs", "barrels": True, "tower_roof": False}
    for fort in (FORT, FORT | inside):
        options = read_options(
            {"forts": [fort], "launches": True, "terrain": [ISLAND], "sea_mm": [3000, 3000]}
        )
        assert read_options(write_options(options)) == options


def test_every_place_can_be_reached_and_what_the_ways_cost() -> None:
    """PWR-124, PWR-128: stairs two a dot, ladders 12 a level, a ramp 18; every level has a way."""
    base = {"door_dots": 6, "cannons": 1, "tower_floors": 3}
    ways = {
        "stairs": {"wall_way": "stairs", "stairs_dots": 4, "tower_way": "ladder"},
        "ladder": {"wall_way": "ladder", "stairs_dots": 5, "tower_way": "stairs", "mountain": True},
    }
    costs = {}
    for name, build in ways.items():
        (place,) = read_forts((FORT | base | build,))
        inside = fort_of(place, 1).inside
        assert all(inside.cost(OUTSIDE, p.station) < NO_WAY for p in inside.places)
        pairs = (OUTSIDE, YARD), (YARD, "wall"), (YARD, "floor-1"), ("floor-1", "floor-3")
        costs[name] = [inside.cost(*pair) for pair in pairs]
    assert costs == {"stairs": [4, 8, 4, 24], "ladder": [18, 12, 4, 20]}
    (closed,) = read_forts((FORT,))
    assert fort_of(closed, 1).inside.cost(YARD, OUTSIDE) == NO_WAY


def test_cannons_stand_where_they_were_built() -> None:
    """PWR-129, PWR-139: in the tower from the top floor, else on the wall, marines with each."""
    (place,) = read_forts((FORT | {"tower_cannons": 1, "tower_floors": 3},))
    built = fort_of(place, 1)
    assert [cannon.station for cannon in built.cannons] == ["floor-3", "wall"]  # type: ignore[attr-defined]
    posted = {(hand.kind, hand.station): n for hand, n in garrison(built)}
    assert posted == {("lieutenant", "wall"): 1, ("marine", "floor-3"): 4, ("marine", "wall"): 4}
    fight = tasking(build={"tower_cannons": 1, "tower_floors": 3}, slot=0)
    crew = crew_of(("marine", "wall", 4, True))
    with_fort(fight, crew=crew)
    assert "Nobody at gun 1" in check(fight, LoadGun(P[0], FORT_NO, 0, 2)).reason


# -- under fire ---------------------------------------------------------------------------------


def test_stone_swallows_the_first_success() -> None:
    """PWR-119: {1,1,6} with ball kills one; {1,1,1} two and a cannon with its crew; no critical."""
    fight = tasking()
    fight.fire(2, 1, "ball", 1).done().roll(1, 1, 6).done()
    assert fight.aboard(1) == 8
    fight = tasking()
    fight.fire(2, 1, "ball", 1).done().roll(1, 1, 1)
    assert fight.asked() != "critical_hit"
    fight.done()
    assert fight.aboard(1) == 9 - 2 - 2
    assert [gun.load for gun in fight.ships[1].guns].count(WRECKED) == 1
    assert fight.ships[1].hf == 1


@pytest.mark.parametrize("effect", range(1, 7))
def test_a_fortress_that_fires_from_too_near_does_not_sink(effect: int) -> None:
    """PWR-119, PWR-74: the cannon and its crew go, and two figures; no critical hit on stone."""
    fight = tasking(slot=0)
    volley = Volley(Attack(1, BALL, 0, "", 1, 2, ""), 3, 3, near=True)
    fight.state = fight.state._replace(stage=Firing((volley,)))
    fight.roll(1, 1, 1).roll(effect)
    fort = fight.ships[FORT_NO]
    assert (fort.fate, fort.hf, fight.aboard(FORT_NO)) == (AFLOAT, 1, 9 - 2 - 2)
    assert [gun.load for gun in fort.guns] == [WRECKED, LOADED]


def test_muskets_at_a_fortress() -> None:
    """PWR-119, PWR-126: -2 wherever in it they aim; each success a figure."""
    schooner = ship(SCHOONER, 1, (1500, 1700, 180))
    fight = tasking(schooner)
    with_fort(fight, crew=crew_of(("marine", "wall", 4), ("marine", "yard", 2)))
    assert target_number(fight, Attack(3, "musket", -1, "pirate-musket", 4, 1, "wall")) == 3 - 2
    shots = Shoot(P[1], 3, "pirate-musket", "musket", 4, 1, "yard")
    assert shots in fight.legal()
    fight.do(shots).done().roll(1, 1, 2, 6).done()
    assert [n for hand, n in fight.ships[1].crew if hand.station == "yard"] == []
    assert fight.aboard(1) == 4


def test_a_fortress_stays_where_it_is() -> None:
    """PWR-119: it neither moves nor drifts nor falls off; only its garrison walks about."""
    fight = storming(slot=0)
    moved = Sail(P[0], FORT_NO, (Pose(1600.0, 1500.0, 0.0),))
    assert fight.refusal(moved) == "PWR-119"
    assert GAME.measured(fight.state, {FORT_NO + 1: Pose(1600.0, 1500.0, 0.0)}) == ()


# -- its cannons --------------------------------------------------------------------------------


def test_marines_fire_and_load_the_cannons_of_a_fortress() -> None:
    """PWR-139: aboard ship they never would."""
    fight = tasking(slot=0)
    south = fight.ships[1].guns.index(Gun("starboard"))
    fight.do(FireGun(P[0], 1, south, "ball", 2, ""))
    empty = tuple(gun._replace(load=0, busy=False) for gun in fight.ships[1].guns)
    fresh = with_fort(tasking(slot=0), guns=empty)
    fresh.do(LoadGun(P[0], 1, south, 2))
    assert fresh.ships[1].guns[south].load == 2


def test_cannons_on_wheels_are_turned_and_roll_twelve_dots_in_a_turn() -> None:
    """PWR-129, PWR-79: two figures; 12 dots from wall to wall here, 22 take two turns."""
    fight = tasking(slot=0)
    south = fight.ships[1].guns.index(Gun("starboard"))
    fight.do(ShiftGun(P[0], 1, 1 - south))
    assert fight.ships[1].guns[1 - south] == Gun("starboard", busy=True)
    wide = {"width_dots": 22, "depth_dots": 22}
    crew = crew_of(("marine", "wall", 8, True))
    fight = with_fort(tasking(slot=0, build=wide), crew=crew)
    fight.do(ShiftGun(P[0], 1, 1 - south))
    rolling = fight.ships[1].guns[1 - south]
    assert (rolling.side, rolling.rolling) == ("starboard", 22 - 12)
    guns = tuple(gun._replace(busy=False) for gun in fight.ships[1].guns)
    with_fort(fight, guns=guns, crew=crew)
    ruling = check(fight, FireGun(P[0], 1, 1 - south, "ball", 2, ""))
    assert (ruling.rule, "on its way" in ruling.reason) == ("PWR-129", True)
    assert "10 dots to roll" in str(GAME.view(fight.state, None).sheets[1].lines)
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.do(ShiftGun(P[0], 1, 1 - south))
    assert fight.ships[1].guns[1 - south].rolling == 0


def test_cannons_on_slides_point_one_way_and_on_turntables_anywhere() -> None:
    """PWR-129: a slide is fixed, a turntable turns freely; neither can be taken away."""
    for mount, bears in (("slide", [False, True]), ("turntable", [True, True])):
        fight = tasking(slot=0, build={"mount": mount})
        found = [bool(check(fight, FireGun(P[0], 1, gun, "shot", 2, ""))) for gun in (0, 1)]
        assert found == bears
        assert fight.refusal(ShiftGun(P[0], 1, 1)) == "PWR-79"


# -- over the wall ------------------------------------------------------------------------------


def test_the_wall_takes_a_turn_to_climb() -> None:
    """PWR-120: at its foot at the end of a turn, on top of it at the end of the next."""
    fresh = storming(party(MEN))
    fresh.do(Sail(P[1], PARTY_NO, (fresh.ships[PARTY_NO].pose,)))
    assert fresh.ships[PARTY_NO].left == 0
    fight = storming(party(MEN))
    climb = Climb(P[1], PARTY_NO, FORT_NO)
    assert climb in fight.legal()
    fight.do(climb)
    assert PARTY_NO + 1 in GAME.layout(fight.state).pieces
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    next_turn(fight)
    men = fight.ships[PARTY_NO]
    assert ({hand.station for hand, _ in men.crew}, men.is_inside) == ({"wall"}, True)
    assert PARTY_NO + 1 not in GAME.layout(fight.state).pieces
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


def test_who_has_just_come_to_the_wall_waits() -> None:
    """PWR-120: climbing begins in the turn after."""
    fight = storming(party(MEN, (1500, 1500 + HALF + 60)))
    climb = Climb(P[1], PARTY_NO, FORT_NO)
    assert "must stand at the foot" in check(fight, climb).reason
    fresh = storming(party(MEN))
    moved = fresh.ships[PARTY_NO]._replace(moved=True)
    fresh.state = fresh.state._replace(ships=(*fresh.ships[:3], moved))
    ruling = check(fresh, climb)
    assert (ruling.rule, "in the next turn" in ruling.reason) == ("PWR-120", True)
    assert fresh.refusal(Climb(P[1], PARTY_NO, 2)) == "PWR-120"
    assert fresh.refusal(Climb(P[1], 9, FORT_NO)) == "PWR-35"


def test_ships_and_parties_outside_fight_nobody_within() -> None:
    """PWR-120: a fortress is entered first."""
    fight = tasking(party(MEN))
    for number in (2, PARTY_NO):
        ruling = check(fight, Board(P[1], number, FORT_NO))
        assert (ruling.rule, "Climb its walls" in ruling.reason) == ("PWR-120", True)
    held = tasking(party(MEN), slot=0)
    assert "cannot be reached" in check(held, Board(P[0], FORT_NO, PARTY_NO)).reason


def test_nobody_walks_through_a_fortress() -> None:
    """PWR-120, PWR-121, PWR-123: 15 dots to the foot of the other wall, but stone is between."""
    fight = storming(party(MEN))
    there = Pose(1500.0, 1500.0 - HALF - 13, 0.0)
    ruling = check(fight, Sail(P[1], PARTY_NO, (there,)))
    assert (ruling.rule, "on meeting the fortress 1" in ruling.reason) == ("PWR-123", True)
    assert GAME.measured(fight.state, {PARTY_NO + 1: there}) == ()
    along = Pose(1500.0 + HALF + 20, 1500.0 + HALF + 12, 0.0)
    assert check(fight, Sail(P[1], PARTY_NO, (along,)))


def climbing() -> Battle:
    """Return marines on the wall and in the yard with their tasks, a party climbing under them."""
    crew = crew_of(("lieutenant", "wall", 1, True), ("lieutenant", "yard", 1, True))
    return with_fort(tasking(party(MEN, fort=FORT_NO), slot=0), crew=crew)


def test_only_from_the_top_of_the_wall_climbers_are_easier_to_hit() -> None:
    """PWR-120: +1 for figures on top of the wall, none for others."""
    fight = climbing()
    climbers = fight.ships[PARTY_NO]._replace(crew=moved_to(MEN, "climbing"))
    fight.state = fight.state._replace(ships=(*fight.ships[:3], climbers))
    shot = Attack(FORT_NO, "pistol", -1, "lieutenant", 1, PARTY_NO, "climbing", "wall")
    assert target_number(fight, shot) == 5 + 1
    assert target_number(fight, shot._replace(start="yard")) == 5
    told = Shoot(P[0], FORT_NO, "lieutenant", "pistol", 1, PARTY_NO, "climbing", "wall")
    assert told in fight.legal()
    said = GAME.describe(fight.state, told)
    assert "1 Lieutenant on the wall fires a pistol at figures climbing the wall of" in said
    fight.state = fight.state._replace(slot=1)
    assert "with both hands" in check(fight, LoadArms(P[1], PARTY_NO, "pirate", 1)).reason


def test_muskets_reach_down_to_climbers() -> None:
    """PWR-120, PWR-17: 8 dots, as from place to place within; the walls touch their tag."""
    fight = tasking(party(moved_to(MEN, "climbing"), fort=FORT_NO), slot=0)
    with_fort(fight, crew=crew_of(("marine", "wall", 3, True)))
    shot = Attack(FORT_NO, "musket", -1, "marine", 3, PARTY_NO, "climbing", "wall")
    assert target_number(fight, shot) == 4 + 1


def test_nobody_fights_hand_to_hand_with_climbers() -> None:
    """PWR-120: they hang on the wall until the end of the turn; who is there fires at them."""
    climbers = party(moved_to(MEN, "climbing"), fort=FORT_NO)
    below = small(PARTY.id, 0, (1500, 1500 + HALF + 28, 0), hands(marine=4))
    fight = tasking(climbers, below, slot=0)
    ruling = check(fight, Board(P[0], 4, PARTY_NO))
    assert (ruling.rule, "climbs the wall" in ruling.reason) == ("PWR-120", True)


def test_of_climbers_who_have_all_fallen_nothing_is_left() -> None:
    """PWR-120: at once, though others still swim for their lives."""
    climbers = party(moved_to(hands(pirate=2), "climbing"), fort=FORT_NO)
    swimmers = Shoal(P[1], 2, "pirate", (("pirate", 2),), 2400.0, 2400.0)
    fight = tasking(climbers, slot=0)
    shot = Hit(PARTY_NO, "figures", 2, "climbing")
    fight.state = fight.state._replace(hits=(shot,), shoals=(swimmers,))
    fight.done()
    while fight.asked() != "sharks":
        fight.step()
    assert (fight.ships[PARTY_NO].fate, fight.ships[PARTY_NO].fort) == (GONE, -1)
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


# -- through the doors --------------------------------------------------------------------------


def before_the_doors(**rest: Any) -> Battle:
    """Return a fort with doors to the right, a Flagship's guns pointing at them, a party there."""
    attacker = ship(FLAGSHIP, 1, (1900, 1500, 90), guns=(Gun("starboard"),) * 2)
    build = {"door_dots": 12, "cannons": 1}
    return tasking(party(MEN, BEFORE_DOORS), attacker, build=build, **rest)


AIM = FireGun(P[1], 4, 1, "ball", FORT_NO, "doors")


def test_doors_are_broken_by_two_hits_with_ball() -> None:
    """PWR-121: no success is swallowed, nobody falls; who stands there can go in next turn."""
    fight = before_the_doors()
    assert AIM in fight.legal()
    fight.do(AIM).done().roll(1, 2, 6).done()
    assert (fight.ships[FORT_NO].boats, fight.aboard(FORT_NO)) == (0, 5)
    assert "doors of the fortress 1 are broken" in fight.told()
    late = fight.state._replace(hits=(Hit(FORT_NO, "doors", 1),))
    assert land_hits(late) == (fight.state, ())
    assert "while they hold" in check(with_fort(before_the_doors(), boats=0), AIM).reason
    next_turn(fight)
    # Eight marines of another day: the wall is manned, the yard is not.
    assert Enter(P[1], PARTY_NO, FORT_NO, "yard") in fight.legal()


def test_who_fires_at_doors_from_too_near_is_hit_as_hard() -> None:
    """PWR-74, PWR-121: two balls through the doors are two rows of her own, and the cannon goes."""
    fight = before_the_doors()
    attack = Attack(4, BALL, 1, "", 1, FORT_NO, "doors")
    volley = Volley(attack, 3, 2, near=True)
    fight.state = fight.state._replace(stage=Firing((volley,)))
    fight.roll(1, 2, 6).done()
    flagship = fight.ships[4]
    assert (flagship.hf, flagship.sf, flagship.guns[1].load) == (4, 3, WRECKED)
    assert fight.ships[FORT_NO].boats == 0


@pytest.mark.parametrize(
    ("aim", "said"),
    [
        (FireGun(P[1], 4, 1, "shot", 1, "doors"), "broken with ball"),
        (FireGun(P[1], 2, 0, "ball", 1, "doors"), "does not point at the doors"),
        (FireGun(P[1], 4, 1, "ball", 1, "wall"), "Only the doors"),
    ],
)
def test_what_breaks_no_doors(aim: FireGun, said: str) -> None:
    """PWR-121: ball, from a cannon that points at them."""
    ruling = check(before_the_doors(), aim)
    assert (ruling.rule, said in ruling.reason) == ("PWR-121", True), ruling


BROKEN = {"door_dots": 12, "cannons": 1, "tower_floors": 2, "wall_way": "stairs", "stairs_dots": 6}


def breached(*pieces: Ship, crew: Crew | None = None, **build: Any) -> Battle:
    """Return a fort whose doors are broken, its garrison on the wall, a party to move."""
    fight = storming(*pieces, build=BROKEN | build)
    with_fort(fight, boats=0, crew=crew or crew_of(("marine", "wall", 4, True)))
    return fight


def enter(station: str) -> Enter:
    return Enter(P[1], PARTY_NO, FORT_NO, station)


def test_a_party_goes_in_and_up_as_far_as_its_dots_reach() -> None:
    """PWR-121, PWR-124: 4 through the doors, 12 up six dots of stairs; 24 dots in all."""
    fight = breached(party(MEN, BEFORE_DOORS)).do(enter("yard"))
    assert fight.ships[PARTY_NO].left == 20
    assert fight.ships[PARTY_NO].is_inside
    fight.do(enter("floor-1"))
    assert fight.ships[PARTY_NO].left == 16
    fight.do(enter("floor-2"))
    assert fight.ships[PARTY_NO].left == 4
    ruling = check(fight, enter("floor-1"))
    assert (ruling.rule, "takes 12 dots" in ruling.reason) == ("PWR-124", True)
    stormed = breached(party(MEN, BEFORE_DOORS)).do(enter("wall"))
    assert (stormed.ships[PARTY_NO].left, stormed.ships[PARTY_NO].station) == (24 - 4 - 12, "wall")


def test_who_walks_up_to_the_doors_goes_on_with_what_is_left() -> None:
    """PWR-123, PWR-121: the dots are counted on; elsewhere a walk ends where it stops."""
    fight = breached(party(MEN, (1500 + HALF + 12 + 80, 1500)))
    assert "broken doors" in check(fight, enter("yard")).reason
    fight.do(Sail(P[1], PARTY_NO, (Pose(*BEFORE_DOORS, 0.0),)))
    assert fight.ships[PARTY_NO].left == 24 - 10
    assert fight.refusal(enter("wall")) == "PWR-124"
    fight.do(enter("yard")).do(Done(P[1]))
    assert fight.asked() != "move"


def test_a_ramp_is_walked_as_a_whole_or_not_at_all() -> None:
    """PWR-124, PWR-123: 18 dots to the top; a peg leg just makes it, and only from its foot."""
    captain = hands(pirate=3, pirate_captain=1)
    fight = breached(party(captain, BEFORE_DOORS), mountain=True)
    assert fight.ships[PARTY_NO].left == 18
    fight.do(enter("yard"))
    assert fight.ships[PARTY_NO].left == 0
    tired = breached(party(captain, (BEFORE_DOORS[0] + 16, 1500)), mountain=True)
    tired.do(Sail(P[1], PARTY_NO, (Pose(*BEFORE_DOORS, 0.0),)))
    assert tired.ships[PARTY_NO].left == 16
    assert "takes 18 dots" in check(tired, enter("yard")).reason


def test_closed_doors_let_nobody_in_but_their_own() -> None:
    """PWR-121: broken, or one's own."""
    fight = with_fort(breached(party(MEN, BEFORE_DOORS)), boats=2)
    assert fight.refusal(enter("yard")) == "PWR-121"
    with_fort(fight, boats=2, player=P[1])
    assert check(fight, enter("yard"))


def test_nobody_walks_past_enemies() -> None:
    """PWR-124: marines in the yard hold the way to the tower and the wall."""
    fight = breached(party(MEN, BEFORE_DOORS), crew=crew_of(("marine", "yard", 1, True)))
    assert "Enemies stand in the way" in check(fight, enter("floor-1")).reason
    fight.do(enter("yard"))
    assert check(fight, enter("floor-1"))
    assert check(fight, enter("yard")).reason.endswith("is in the yard already.")


# -- inside -------------------------------------------------------------------------------------


def test_a_garrison_walks_figure_by_figure_and_does_not_load_afterwards() -> None:
    """PWR-123, PWR-124: 24 dots each, once a turn; they may fight, but load nothing."""
    build = {"tower_floors": 3, "wall_way": "ladder"}
    fight = storming(slot=0, build=build)
    empty = tuple(gun._replace(load=0) for gun in fight.ships[FORT_NO].guns)
    crew = crew_of(("marine", "yard", 4), ("lieutenant", "wall", 1, True))
    with_fort(fight, crew=crew, guns=empty)
    up = Post(P[0], FORT_NO, "marine", YARD, "wall", 3)
    assert Post(P[0], FORT_NO, "marine", YARD, "wall", 4) in fight.legal()
    assert GAME.describe(fight.state, up).endswith("3 marines go from the yard to the wall")
    fight.do(up)
    back = check(fight, Post(P[0], FORT_NO, "marine", "wall", YARD, 3))
    assert (back.rule, "None of them is free" in back.reason) == ("PWR-124", True)
    far = check(fight, Post(P[0], FORT_NO, "lieutenant", "wall", "floor-2", 1))
    assert "takes 28 dots; they have 24" in far.reason
    assert fight.refusal(Post(P[0], 0, "marine", "deck", "castle", 1)) in ("PWR-78", "PWR-39")
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.state = fight.state._replace(stage=Tasking())
    assert [count for count in range(1, 5) if check(fight, LoadArms(P[0], 1, "marine", count))] == [
        1
    ]
    both = check(fight, LoadGun(P[0], FORT_NO, 0, 2))
    assert (both.rule, "Only 1 at gun 1" in both.reason) == ("PWR-80", True)
    assert fight.refusal(Post(P[0], FORT_NO, "marine", YARD, "wall", 1)) == "PWR-123"
    next_turn(fight, slot=0)
    assert not [hand for hand, _ in fight.ships[FORT_NO].crew if hand.hampered]


@pytest.mark.parametrize(
    ("start", "station", "modifier"),
    [
        ("floor-2", "yard", 0),
        ("yard", "floor-2", -2),
        ("yard", "wall", -1),
        ("wall", "floor-1", -2),
        ("floor-1", "floor-2", 0),
        ("floor-1", "wall", -1),
    ],
)
def test_what_hides_figures_within_a_fortress(start: str, station: str, modifier: int) -> None:
    """PWR-126, PWR-128: -2 into a building, -1 at parapets, nothing in the open yard."""
    crew = hands(pirate_musket=2)
    fight = tasking(party(crew, start))
    with_fort(fight, crew=crew_of(("marine", station, 4, True)))
    shot = Shoot(P[1], PARTY_NO, "pirate-musket", "musket", 2, FORT_NO, station, start)
    assert shot in fight.legal()
    fight.do(shot)
    assert target_number(fight, fight.state.attacks[0]) == 3 + modifier


def test_a_tower_without_a_roof_or_walls_is_no_building() -> None:
    """PWR-128: a roof and two walls; else it is as good as a parapet. Barrels fill a yard."""
    builds = ({"tower_roof": False}, {"tower_walls": 1}, {"tower_walls": 2})
    found = []
    for build in builds:
        fight = tasking(party(hands(pirate_musket=2), "yard"), build=build)
        shot = Attack(PARTY_NO, "musket", -1, "pirate-musket", 2, FORT_NO, "floor-1", "yard")
        found.append(target_number(fight, shot) - 3)
    assert found == [-1, -1, -2]
    fight = tasking(party(hands(pirate_musket=2), "wall"), build={"barrels": True})
    shot = Attack(PARTY_NO, "musket", -1, "pirate-musket", 2, FORT_NO, "yard", "wall")
    assert target_number(fight, shot) == 3 - 1


def test_in_one_place_of_a_fortress_only_pistols_can_be_fired() -> None:
    """PWR-17, PWR-126: hand to hand a musket is too long; no cover there."""
    fight = tasking(party(hands(pirate_musket=2, pirate_pistol=2), "wall"))
    shot = Attack(PARTY_NO, "musket", -1, "pirate-musket", 2, FORT_NO, "wall", "wall")
    ((_, rule, _),) = ranged(fight.state, (shot,))[1]
    assert rule == "PWR-17"
    near = shot._replace(weapon="pistol", figure="pirate-pistol")
    assert target_number(fight, near) == 3


def test_garrisons_say_where_those_stand_who_fire() -> None:
    """PWR-126: what hides the others hangs on it."""
    fight = tasking(party(MEN, "yard"), slot=0)
    shot = Shoot(P[0], FORT_NO, "marine", "musket", 1, PARTY_NO, "yard")
    assert "Say where" in check(fight, shot).reason
    aboard = Shoot(P[0], 0, "marine", "musket", 1, 2, "deck", "deck")
    assert "Do not say where" in check(fight, aboard).reason


def test_from_outside_whoever_is_within_is_behind_stone() -> None:
    """PWR-126, PWR-119: -2 at attackers in the fortress, too; cannons are fired at the fortress."""
    flagship = ship(FLAGSHIP, 0, (1500, 1250, 0), guns=(Gun("starboard"),) * 2)
    fight = tasking(party(MEN, "yard"), flagship, slot=0)
    shot = Attack(4, "musket", -1, "marine", 4, PARTY_NO, "yard")
    assert target_number(fight, shot) == 4 - 2
    ruling = check(fight, FireGun(P[0], 4, 0, "shot", PARTY_NO, ""))
    assert (ruling.rule, "bears the losses" in ruling.reason) == ("PWR-122", True)


def test_inside_both_sides_bear_the_losses() -> None:
    """PWR-122: the Schooner's shot at the fort her own men are in: defenders first, in turn."""
    fight = tasking(party(MEN, "yard"))
    fight.fire(2, 1, "shot", FORT_NO).done().roll(1, 1, 1).done()
    assert [fight.aboard(n) for n in (FORT_NO, PARTY_NO)] == [9 - 1, 7 - 1]
    three = tasking(party(MEN, "yard")).state._replace(hits=(Hit(1, "shot", 4),))
    after = settle(land_hits(three)[0], Tasking()).state
    assert [crew_size(after.ships[n].crew) for n in (FORT_NO, PARTY_NO)] == [9 - 2, 7 - 1]
    few = tasking(party(hands(pirate=1), "yard")).state._replace(hits=(Hit(1, "shot", 5),))
    after = settle(land_hits(few)[0], Tasking()).state
    assert [crew_size(after.ships[n].crew) for n in (FORT_NO, PARTY_NO)] == [9 - 3, 0]


# -- the melee ----------------------------------------------------------------------------------


def on_the_wall(*garrison_: tuple[Any, ...], men: Crew = MEN) -> Battle:
    fight = tasking(party(men, "wall"))
    return with_fort(fight, crew=crew_of(*garrison_))


def fought(fight: Battle, *throws: tuple[int, ...]) -> Battle:
    """Board the fortress, commit all, and throw."""
    fight.do(Board(P[1], PARTY_NO, FORT_NO))
    while fight.asked() == "commit":
        fight.do(Commit(fight.player))
    for faces in throws:
        fight.roll(*faces)
    return fight


def test_only_those_in_the_same_place_fight() -> None:
    """PWR-122, PWR-59: the marines of the tower go on with their tasks."""
    fight = on_the_wall(("marine", "wall", 2), ("marine", "floor-2", 3, True))
    assert Board(P[1], PARTY_NO, FORT_NO) in fight.legal()
    fight.do(Board(P[1], PARTY_NO, FORT_NO)).do(Commit(P[1]))
    fight_ = fight.state.stage.fight
    assert [crew_size(crew) for crew in fight_.crews] == [7, 2]
    fight.do(Commit(P[0])).roll(1, 1, 1, 1, 1, 1).roll(4, 6).roll(6, 6)
    assert fight.told().endswith("Nobody of the fortress 1 is left on the wall")
    assert (fight.aboard(FORT_NO), fight.state.engaged) == (3, ())
    assert {hand.station for hand, _ in fight.ships[PARTY_NO].crew} == {"wall"}
    fight.done()
    musket = Shoot(P[0], FORT_NO, "marine", "musket", 1, PARTY_NO, "wall", "floor-2")
    assert check(fight, musket)
    lost = on_the_wall(("marine", "floor-2", 3, True))
    assert "No defender is on the wall" in check(lost, Board(P[1], PARTY_NO, FORT_NO)).reason


def test_where_both_fall_the_melee_is_over() -> None:
    """PWR-64, PWR-66: nobody wins it, and nobody is there to go on with it."""
    fight = fought(on_the_wall(("marine", "wall", 1), men=hands(pirate=1)), (1,), (1,))
    assert "nobody wins" in fight.told()
    assert fight.state.engaged == ()
    next_turn(fight)
    assert (fight.state.engaged, fight.ships[PARTY_NO].fate) == ((), GONE)


def test_attackers_that_lose_are_driven_out() -> None:
    """PWR-65, PWR-120: outside again, where their tag is set down; the fortress is held."""
    fight = fought(on_the_wall(("marine", "wall", 4), men=hands(pirate=3)), (6, 6, 6), (1, 6, 6, 6))
    assert fight.asked() == "press_on"
    assert "go on with the melee, or break it off" in GAME.pending(fight.state).text
    assert GAME.describe(fight.state, CastOff(P[0])).endswith("break the melee off")
    fight.do(CastOff(P[0]))
    assert "is driven out" in fight.told()
    assert fight.asked() == "set_down"
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    places = fight.legal()
    assert places
    assert (
        "within 4 dots" in check(fight, PlaceShip(P[1], PARTY_NO, Pose(1300.0, 1300.0, 0.0))).reason
    )
    fight.do(places[0])
    out = fight.ships[PARTY_NO]
    assert (out.fort, out.is_inside, crew_size(out.crew)) == (-1, False, 2)
    assert PARTY_NO + 1 in GAME.layout(fight.state).pieces
    assert fight.asked() == "tasks"


def test_a_melee_goes_on_in_the_next_turn() -> None:
    """PWR-66, PWR-58: nobody walks out of it, others walk in."""
    fight = on_the_wall(("marine", "wall", 3), ("marine", "yard", 2))
    fight = fought(fight, (1, 6, 6, 6, 6, 6), (5, 6), (6, 6, 6))
    while fight.asked() in ("press_on", "yield"):
        fight.do(fight.legal()[0])
    assert fight.state.engaged == ((PARTY_NO, FORT_NO),)
    next_turn(fight, slot=0)
    stuck = check(fight, Post(P[0], FORT_NO, "marine", "wall", "yard", 1))
    assert "out of a melee" in stuck.reason
    fight.do(Post(P[0], FORT_NO, "marine", "yard", "wall", 2))
    assert fight.ships[PARTY_NO].left == 0


def test_a_fortress_that_is_taken_changes_hands_and_is_manned() -> None:
    """PWR-65, PWR-66, PWR-139: empty, it is simply taken; its captors cross over to its places."""
    fight = with_fort(tasking(party(MEN, "wall")), crew=())
    fight.do(Board(P[1], PARTY_NO, FORT_NO))
    assert (fight.ships[FORT_NO].player, fight.ships[FORT_NO].fate) == (P[1], AFLOAT)
    assert fight.asked() == "tasks"
    next_turn(fight, phase="tasks")
    fight.do(Cross(P[1], PARTY_NO, FORT_NO, (("pirate", 4),), 0))
    manned = {(hand.kind, hand.station): n for hand, n in fight.ships[FORT_NO].crew}
    assert (manned, fight.aboard(PARTY_NO)) == ({("pirate", "wall"): 4}, 3)


def test_who_mans_a_fortress_can_join_a_party_in_the_same_place() -> None:
    """PWR-114, PWR-139: as from ship to launch; from elsewhere in it they walk there first."""
    fight = tasking(party(MEN, "wall"))
    with_fort(fight, player=P[1], crew=crew_of(("pirate", "wall", 2), ("pirate", "yard", 3)))
    fight.do(Cross(P[1], FORT_NO, PARTY_NO, (("pirate", 2),), 0))
    assert (fight.aboard(PARTY_NO), fight.ships[PARTY_NO].station) == (9, "wall")
    assert fight.refusal(Cross(P[1], FORT_NO, PARTY_NO, (("pirate", 1),), 0)) == "PWR-114"


def test_a_garrison_attacks_those_who_have_come_in() -> None:
    """PWR-122: either side boards, in the place where both are."""
    fight = tasking(party(MEN, "yard"), slot=0)
    with_fort(fight, crew=crew_of(("marine", "yard", 3, True), ("marine", "wall", 3, True)))
    fight.do(Board(P[0], FORT_NO, PARTY_NO))
    assert fight.asked() == "commit"
    assert crew_size(fight.state.stage.fight.crews[0]) == 3
    away = with_fort(tasking(party(MEN, "yard"), slot=0), crew=crew_of(("marine", "wall", 3)))
    assert check(away, Board(P[0], FORT_NO, PARTY_NO)).rule == "PWR-59"


def test_a_deck_gun_may_fire_at_those_who_have_come_in() -> None:
    """PWR-75, PWR-119: as muskets may, two less through the stone; it is offered, too."""
    near = ship(BARRACUDA, 0, (1500, 1500 - HALF - 300, 90))
    fight = tasking(party(MEN, "wall"), near, slot=0)
    shot = FireGun(P[0], 4, 4, "gun", PARTY_NO, "wall")
    assert check(fight, shot)
    assert shot in fight.legal()
    ball = FireGun(P[0], 4, 0, "ball", PARTY_NO, "")
    assert ball not in fight.legal()


def test_a_garrison_fights_one_melee_at_a_time() -> None:
    """PWR-58, PWR-122: in whatever place; the rest of it goes on with other tasks."""
    fight = tasking(party(MEN, "yard"), party(MEN, "wall"), slot=0)
    with_fort(fight, crew=crew_of(("marine", "yard", 3, True), ("marine", "wall", 3, True)))
    fight.state = fight.state._replace(engaged=((FORT_NO, PARTY_NO),), fought=(FORT_NO, PARTY_NO))
    again = Board(P[0], FORT_NO, PARTY_NO + 1)
    ruling = check(fight, again)
    assert (ruling.rule, "fortress 1 is engaged" in ruling.reason) == ("PWR-58", True)
    assert again not in fight.legal()


def test_walls_part_those_within_from_launches_and_loot() -> None:
    """PWR-122: nobody crosses through a wall."""
    boat = small(LAUNCH.id, 1, (1500, 1500 + HALF + 20, 0), hands(pirate=2))
    fight = tasking(party(MEN, "yard"), boat)
    ruling = check(fight, Cross(P[1], PARTY_NO, 4, (("pirate", 1),), 0))
    assert (ruling.rule, "Walls are between" in ruling.reason) == ("PWR-122", True)


def test_a_party_that_died_within_is_no_more() -> None:
    """PWR-119, PWR-120: at the end of the turn nothing of it is left."""
    fight = storming(party((), (1500, 1500), fort=FORT_NO))
    next_turn(fight)
    assert (fight.ships[PARTY_NO].fate, fight.ships[PARTY_NO].fort) == (GONE, -1)


# -- out again ----------------------------------------------------------------------------------


def test_who_comes_out_is_measured() -> None:
    """PWR-124, PWR-123: by the doors from the yard, down the wall from its top; 24 dots in all."""
    fight = breached(party(MEN, "yard"))
    out = Pose(1500.0 + HALF + 12 + 80, 1500.0, 0.0)
    assert GAME.measured(fight.state, {PARTY_NO + 1: out}) == (Sail(P[1], PARTY_NO, (out,)),)
    assert (
        check(fight, Sail(P[1], PARTY_NO, (Pose(1500.0 + HALF + 220, 1500.0, 0.0),))).rule
        == "PWR-123"
    )
    fight.do(Sail(P[1], PARTY_NO, (out,)))
    left = fight.ships[PARTY_NO]
    assert (left.pose, left.fort, left.station) == (out, -1, "deck")
    climbed = storming(party(MEN, "wall"))
    near = Pose(1500.0, 1500.0 + HALF + 12 + 80, 0.0)
    assert check(climbed, Sail(P[1], PARTY_NO, (near,)))
    assert not check(climbed, Sail(P[1], PARTY_NO, (Pose(1500.0, 1500.0 + HALF + 130, 0.0),)))
    exits = [a for a in climbed.legal() if isinstance(a, Sail) and a.path[0].x_mm != 1500.0]
    assert exits
    stays = Sail(P[1], PARTY_NO, (climbed.ships[PARTY_NO].pose,))
    climbed.do(stays)
    assert climbed.ships[PARTY_NO].is_inside


def test_enemies_bar_the_way_out() -> None:
    """PWR-124: with marines in the yard and on the wall whoever is in the tower stays there."""
    crew = crew_of(("marine", "yard", 2, True), ("marine", "wall", 2, True))
    fight = breached(party(MEN, "floor-1"), crew=crew)
    ruling = check(fight, Sail(P[1], PARTY_NO, (Pose(*BEFORE_DOORS, 0.0),)))
    assert (ruling.rule, "cannot get out" in ruling.reason) == ("PWR-124", True)


# -- cover in the open --------------------------------------------------------------------------


def test_a_party_hides_behind_its_barrels() -> None:
    """PWR-126: -1 at figures behind barrels and cargo; until they walk on."""
    fight = storming(party(MEN, (1500, 1700), chests=2))
    lines = GAME.view(fight.state, None).sheets[PARTY_NO].lines
    assert "Ashore: 1 First Mate and 6 pirates" in lines
    assert TakeCover(P[1], PARTY_NO) in fight.legal()
    fight.do(TakeCover(P[1], PARTY_NO))
    assert fight.ships[PARTY_NO].station == COVER
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    shot = Attack(FORT_NO, "musket", -1, "marine", 1, PARTY_NO, COVER, "wall")
    assert target_number(fight, shot) == 4 - 1
    next_turn(fight)
    fight.do(Sail(P[1], PARTY_NO, (Pose(1532.0, 1700.0, 0.0),)))
    assert fight.ships[PARTY_NO].station == "deck"
    bare = storming(party(MEN, (1500, 1700)))
    assert "no chests or barrels" in check(bare, TakeCover(P[1], PARTY_NO)).reason
    assert bare.refusal(TakeCover(P[1], 2)) in ("PWR-123", "PWR-39")


def test_a_party_keeps_together_behind_its_cargo_in_a_melee() -> None:
    """PWR-123, PWR-126: whoever was held back and whoever fought stand there still."""
    hidden = party(moved_to(MEN, COVER), (1500, 1700), chests=2)
    foes = small(PARTY.id, 0, (1500, 1700 + 24, 0), hands(marine=2))
    fight = tasking(hidden, foes, slot=0).do(Board(P[0], 4, PARTY_NO)).do(Commit(P[0]))
    fight.do(HoldBack(P[1], PARTY_NO, "pirate", COVER, 3)).do(Commit(P[1]))
    while fight.asked() == "boarding":
        fight.roll(*[6] * len(GAME.pending(fight.state).dice))
    assert {hand.station for hand, _ in fight.ships[PARTY_NO].crew} == {COVER}
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state


# -- falls --------------------------------------------------------------------------------------


def fall(fight: Battle, number: int, figure: str, station: str, how: str = "over") -> Fall:
    return Fall(fight.ships[number].player, number, figure, station, how)


def test_who_has_fallen_over_spends_a_phase_standing_up() -> None:
    """PWR-125: no tasks, no steps until then; it still defends itself."""
    fight = storming(party(MEN, (1500, 1700)), slot=0)
    knocked = fall(fight, FORT_NO, "lieutenant", "wall")
    assert knocked in GAME.asides(fight.state)
    fight.do(knocked)
    assert "is free" not in fight.told()
    assert check(fight, Post(P[0], FORT_NO, "lieutenant", "wall", YARD, 1)).rule == "PWR-124"
    assert GAME.from_json(GAME.to_json(fight.state)) == fight.state
    fight.do(fall(fight, PARTY_NO, "pirate", "deck"))
    assert fight.ships[PARTY_NO].left == 0
    assert "1 lies on the ground" in str(GAME.view(fight.state, None).sheets[PARTY_NO].lines)
    fight.do(Done(P[0]))
    while fight.asked() != "tasks":
        fight.do(next(a for a in fight.legal() if not isinstance(a, Climb | Enter)))
    men = {(hand.kind, hand.busy): n for hand, n in fight.ships[PARTY_NO].crew}
    assert men == {("pirate", False): 5, ("pirate", True): 1, ("first-mate", False): 1}
    next_turn(fight)
    assert fight.ships[PARTY_NO].left == 24


def test_falls_from_a_building_kill_but_into_water() -> None:
    """PWR-125: off the wall or an upper floor; into the water only where it stands at the water."""
    fight = storming(slot=0)
    assert check(fight, fall(fight, FORT_NO, "marine", "wall", "down"))
    assert "no water" in check(fight, fall(fight, FORT_NO, "marine", "wall", "water")).reason
    fight.do(fall(fight, FORT_NO, "marine", "wall", "down"))
    assert fight.aboard(FORT_NO) == 8
    coast = storming(slot=0, build={"y_mm": 1500 + 240 - HALF - 8})
    coast.do(fall(coast, FORT_NO, "marine", "wall", "water"))
    assert (coast.aboard(FORT_NO), coast.state.shoals[0].figures) == (8, (("marine", 1),))
    yard = with_fort(storming(slot=0), crew=crew_of(("marine", "yard", 2)))
    assert "it is the ground" in check(yard, fall(yard, FORT_NO, "marine", "yard", "down")).reason


def test_climbers_fall_to_death() -> None:
    """PWR-125, PWR-120: knocked off the wall, as off any building."""
    fight = storming(party(MEN)).do(Climb(P[1], PARTY_NO, FORT_NO))
    fight.do(fall(fight, PARTY_NO, "pirate", "climbing", "down"))
    assert fight.aboard(PARTY_NO) == 6


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Fall(P[0], FORT_NO, "pirate", "wall", "over"), "no such figure"),
        (Fall(P[1], FORT_NO, "marine", "wall", "over"), "no figures of that captain"),
        (Fall(P[0], FORT_NO, "marine", "wall", "up"), "fall over, down, or into the water"),
    ],
)
def test_falls_that_cannot_be(action: Fall, said: str) -> None:
    """PWR-125: of figures ashore, where they stand."""
    ruling = check(storming(slot=0), action)
    assert (ruling.rule, said in ruling.reason) == ("PWR-125", True)


def test_falls_are_told_while_figures_move_or_have_tasks() -> None:
    """PWR-125: in the middle of a throw nobody is taken off the table."""
    fight = tasking(party(MEN, "wall"))
    fight.do(Board(P[1], PARTY_NO, FORT_NO))
    assert GAME.asides(fight.state) == ()
    assert fight.refusal(fall(fight, PARTY_NO, "pirate", "wall")) == "PWR-125"


# -- what cannot be -----------------------------------------------------------------------------


def test_what_ships_and_garrisons_cannot_do_ashore() -> None:
    """PWR-120 to PWR-126: parties storm, garrisons walk about, ships do neither."""
    fight = besieged(party(MEN))
    for action in (Climb(P[1], 2, FORT_NO), Enter(P[1], 2, FORT_NO, "yard"), TakeCover(P[1], 2)):
        ruling = check(fight, action)
        assert (ruling.rule, "is no landing party" in ruling.reason) == ("PWR-123", True)
    assert "a floor of its tower" in check(fight, enter("moat")).reason
    own = besieged(party(MEN, "yard"), slot=0)
    assert check(own, Post(P[0], 0, "marine", "deck", "castle", 1)).rule == "PWR-78"
    assert "no such place" in check(own, Post(P[0], FORT_NO, "marine", "wall", "moat", 1)).reason
    across = check(own, Post(P[0], FORT_NO, "marine", "wall", "floor-1", 1))
    assert (across.rule, across.reason) == ("PWR-124", "Enemies stand in the way.")
    assert check(own, Post(P[0], FORT_NO, "marine", "wall", "wall", 1)).rule == "PWR-124"


def test_without_room_outside_nobody_is_driven_out() -> None:
    """PWR-65: a fortress that covers its island has no ground for them to stand on."""
    build = {"width_dots": 60, "depth_dots": 60}
    fight = tasking(party(hands(pirate=3), "wall"), build=build)
    with_fort(fight, crew=crew_of(("marine", "wall", 4)))
    fought(fight, (6, 6, 6), (1, 6, 6, 6)).do(CastOff(P[0]))
    assert "no way out" in fight.told()
    assert (fight.asked(), fight.ships[PARTY_NO].station) == ("tasks", "wall")


def test_a_table_has_four_fortresses_at_most() -> None:
    """PWR-127: each is built by itself."""
    with pytest.raises(BadOptions, match="up to 4 fortresses"):
        read_options({"forts": [FORT] * 5})


# -- states from outside ------------------------------------------------------------------------


def spoilt(state: State, number: int, **values: Any) -> str:
    data = GAME.to_json(state)
    data["ships"][number] |= values
    with pytest.raises(Exception, match="cannot be") as raised:
        GAME.from_json(data)
    return str(raised.value)


def test_states_of_fortresses_that_cannot_be() -> None:
    """PWR-120, PWR-123: where figures stand is held against the rules."""
    state = storming(party(MEN, "yard")).state
    crew = GAME.to_json(state)["ships"][PARTY_NO]["crew"]
    assert "no fortress is there" in spoilt(state, PARTY_NO, fort=2)
    assert "no fortress is there" in spoilt(state, 2, fort=FORT_NO)
    assert "stand where nobody can" in spoilt(state, PARTY_NO, fort=-1)
    moved = [[crew[0][0], "wall", *crew[0][2:]], *crew[1:]]
    assert "keeps together" in spoilt(state, PARTY_NO, crew=sorted(moved))
    assert "is where it stands" in spoilt(state, PARTY_NO, pose=[1400.0, 1500.0, 0.0])
    walked = [[*entry[:4], "walked", entry[5]] for entry in GAME.to_json(state)["ships"][0]["crew"]]
    assert "hampered so" in spoilt(state, 0, crew=walked)
    guns = GAME.to_json(state)["ships"][2]["guns"]
    assert "roll along walls" in spoilt(state, 2, guns=[guns[0] | {"rolling": 3}, *guns[1:]])
