"""Morale, mutiny, sharks, sinking, the end of a battle."""

from __future__ import annotations

import pytest

from companion.rules.game import GameOver, Step
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Swim
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.morale import best_attack, conditions, mutiny
from companion.rules.pirate_wars.pieces import ADRIFT, FLEEING, LOYAL, MUTINOUS, Ship, Shoal
from companion.rules.pirate_wars.sailing.seamanship import carried
from companion.rules.pirate_wars.stages import Between
from companion.rules.pirate_wars.turns import go_on
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    FLAGSHIP,
    GAME,
    RUNNER,
    SCHOONER,
    Battle,
    P,
    battle,
    crew_of,
    ship,
    tasks,
)

FAR = ship(FLAGSHIP, 1, (300, 300, 0))


def at(step: str, *ships, **rest) -> Battle:
    """Return a battle when what begins with a step has followed."""
    line = battle(*ships, stage=Between(step), **rest)
    done = go_on(Step(line.state))
    line.state, line.happenings = done.state, list(done.happenings)
    return line


def test_conditions() -> None:
    """PWR-91, PWR-92: adrift, half and three quarters of the crew, raked, the Captain lost."""
    own = ship(SCHOONER, 0, (1500, 1500, 90))
    few = crew_of(("pirate-captain", "deck", 1), ("pirate", "deck", 16))
    fewer = crew_of(("pirate", "deck", 8))
    for changes, holding in (
        ({}, set()),
        ({"sf": 0}, {"adrift"}),
        ({"pose": Pose(1500.0, 1500.0, 300.0)}, {"adrift"}),
        ({"pose": Pose(1500.0, 1500.0, 315.0)}, set()),
        ({"stunned": True}, {"adrift"}),
        ({"way": ADRIFT}, set()),
        ({"raked": True}, {"raked"}),
        ({"crew": few}, {"half_lost"}),
        ({"crew": fewer}, {"half_lost", "three_quarters_lost", "captain_lost"}),
    ):
        line = battle(own._replace(**changes), FAR, stage=Between("morale"))
        assert conditions(line.state, 0) == holding, changes


def test_no_test_without_a_condition() -> None:
    """PWR-91: whole ships hold; a condition that was tested already brings no second test."""
    line = at("morale", ship(SCHOONER, 0, (1500, 1500, 90)), FAR)
    assert line.asked() == "initiative"
    crew = crew_of(("pirate-captain", "deck", 1), ("pirate", "deck", 16))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew)
    assert at("morale", own, FAR).asked() == "morale"
    assert at("morale", own._replace(tested=("half_lost",)), FAR).asked() == "initiative"


def test_the_target_number() -> None:
    """PWR-91, PWR-92: the highest Attack and what all conditions add."""
    crew = crew_of(("pirate-captain", "deck", 1), ("first-mate", "deck", 1), ("pirate", "deck", 15))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew)
    for changes, target in (({}, 5 - 2), ({"raked": True}, 5 - 2 - 1), ({"sf": 0}, 5 - 2 - 1)):
        line = at("morale", own._replace(**changes), FAR)
        assert line.state.stage.tests == ((0, "crew", target),)
    # 4 for the First Mate, less 1 adrift, 2 for the crew; the loss of the Captain is nothing (T9).
    lost = crew_of(("first-mate", "deck", 1), ("pirate", "deck", 15))
    without = own._replace(crew=lost, sf=0)
    assert at("morale", without, FAR).state.stage.tests == ((0, "crew", 4 - 1 - 2),)
    # Raked as well: nothing to roll for.
    assert at("morale", without._replace(raked=True), FAR).ships[0].mood == MUTINOUS


def test_who_is_ashore_or_in_a_boat_is_not_lost() -> None:
    """PWR-91: a launch with the Captain and half of the crew brings no test."""
    few = crew_of(("first-mate", "deck", 1), ("pirate", "deck", 12))
    away = crew_of(("pirate-captain", "deck", 1), ("pirate", "deck", 6))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=few)
    launch = Ship("launch", P[0], 1, 0, away, (), Pose(1500.0, 1400.0, 0.0))
    for home, holding in ((0, set()), (-1, {"half_lost", "captain_lost"})):
        line = battle(own, FAR, launch._replace(home=home), options={"launches": True})
        assert conditions(line.state, 0) == holding


def test_a_captain_does_not_mutiny_against_himself() -> None:
    """PWR-93: alone, or with the First Mate, nobody is there to throw him overboard."""
    alone = crew_of(("pirate-captain", "deck", 1), ("first-mate", "deck", 1))
    line = at("morale", ship(SCHOONER, 0, (1500, 1500, 90), crew=alone), FAR)
    assert (line.asked(), line.ships[0].mood) == ("initiative", LOYAL)


def test_a_prize_crew_is_as_many_as_it_was() -> None:
    """PWR-96, PWR-92: half of it lost is half of the few that went aboard."""
    few = crew_of(("first-mate", "deck", 1), ("pirate", "deck", 7))
    own = ship(BARRACUDA, 0, (1500, 1500, 90), crew=few, complement=8)
    assert conditions(battle(own, FAR).state, 0) == {"captain_lost"}
    half = own._replace(crew=crew_of(("pirate", "deck", 4)))
    assert "half_lost" in conditions(battle(half, FAR).state, 0)


def test_what_cannot_succeed_is_not_rolled() -> None:
    """PWR-1, PWR-91, PWR-93: below 1 the crew mutinies at once."""
    crew = crew_of(("pirate", "deck", 12))
    line = at("morale", ship(SCHOONER, 0, (1500, 1500, 90), crew=crew, sf=0), FAR)
    assert line.ships[0].mood == MUTINOUS
    assert "PWR-93" in line.rules()


def test_sailors_follow_officers_and_marines_hold_a_ship() -> None:
    """PWR-91, PWR-94: marines are tested first, by their own Attack; one success is enough."""
    crew = crew_of(
        ("imperial-captain", "deck", 1),
        ("sailor", "deck", 3),
        ("marine", "deck", 3),
        ("lieutenant", "deck", 1),
    )
    line = at(
        "morale", ship(FLAGSHIP, 0, (1500, 1500, 90), crew=crew), ship(SCHOONER, 1, (300, 300, 0))
    )
    assert line.state.stage.tests == ((0, "marines", 3), (0, "crew", 3))
    held = Battle(line.state).roll(3)
    assert held.ships[0].mood == LOYAL
    assert held.asked() == "initiative"
    line.roll(4)
    assert line.rules() == ["PWR-94"]
    assert Battle(line.state).roll(2).ships[0].mood == LOYAL
    line.roll(5)
    assert line.ships[0].mood == MUTINOUS
    assert best_attack(crew_of(("sailor", "deck", 9))) < 0


def mutineers(**changes) -> Battle:
    crew = crew_of(("pirate-captain", "deck", 1), ("first-mate", "deck", 1), ("pirate", "deck", 13))
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew, sf=4, **changes)
    return at("morale", own, ship(RUNNER, 0, (900, 2500, 0)), FAR, options={"ships_each": 2}).roll(
        4
    )


def test_mutiny() -> None:
    """PWR-93: Captain and First Mate go overboard, the crew resets sails and only flees."""
    line = mutineers()
    assert line.ships[0].mood == MUTINOUS
    assert line.aboard(0) == 13
    assert [s.size for s in line.state.shoals] == [2]
    assert line.asked() == "sharks"
    fleeing = tasks(*line.ships, slot=0, options={"ships_each": 2})
    assert {getattr(a, "ship", 1) for a in fleeing.legal()} <= {1, 2}
    while fleeing.asked() == "tasks":
        fleeing.done()
    assert fleeing.ships[0].sf == 8


def test_mutineers_flee_under_all_sails() -> None:
    """PWR-93: a ship whose captain had ordered none would lie there for ever."""
    own = ship(SCHOONER, 0, (1500, 1500, 90), crew=crew_of(("pirate", "deck", 20)), wanted=0)
    state, _ = mutiny(battle(own, FAR).state, 0)
    assert (state.ships[0].wanted, carried(state.ships[0])) == (8, 8)


def test_nobody_climbs_aboard_a_ship_of_mutineers() -> None:
    """PWR-78, PWR-93: theirs is no friendly ship, until they return to the battle."""
    line = mutineers()
    shoals = tuple(shoal._replace(fresh=False) for shoal in line.state.shoals)
    for mood, may in ((MUTINOUS, False), (FLEEING, False), (LOYAL, True)):
        ships = (line.ships[0]._replace(mood=mood), *line.ships[1:])
        next_turn = tasks(*ships, slot=0, shoals=shoals, options={"ships_each": 2})
        refused = GAME.check(next_turn.state, Swim(P[0], 0, 0))
        assert (Swim(P[0], 0, 0) in next_turn.legal(), bool(refused)) == (may, may)
        assert may or (refused.rule, "mutinied" in refused.reason) == ("PWR-78", True)
        assert Swim(P[0], 0, 1) in next_turn.legal()


def test_mutineers_return_or_are_lost() -> None:
    """PWR-93: a success in the next turn brings them back, a failure makes them flee for good."""
    line = mutineers()
    again = line.state.ships[0]
    for face, mood in ((1, LOYAL), (6, FLEEING)):
        own = again._replace(sf=8, tested=("half_lost",), crew=crew_of(("pirate", "deck", 30)))
        next_turn = at(
            "morale", own, ship(RUNNER, 0, (900, 2500, 0)), FAR, options={"ships_each": 2}
        )
        next_turn.roll(face)
        assert next_turn.ships[0].mood == mood


def test_who_flees_is_removed_out_of_range() -> None:
    """PWR-93: beyond cannon range of every enemy the ship is out of the battle."""
    for x, fate in ((1500, "afloat"), (2900, "gone")):
        line = at(
            "flee",
            ship(SCHOONER, 0, (x, 300, 90), mood=FLEEING),
            ship(RUNNER, 0, (900, 2500, 0)),
            ship(FLAGSHIP, 1, (900, 300, 0)),
            options={"ships_each": 2},
        )
        assert line.ships[0].fate == fate


@pytest.mark.parametrize(("dots", "fate"), [(96, "afloat"), (97, "gone")])
def test_cannon_range_is_that_of_a_ball(dots: float, fate: str) -> None:
    """PWR-93: exactly in range is not beyond it."""
    line = at(
        "flee",
        ship(SCHOONER, 0, (1500, 300, 0), mood=FLEEING),
        ship(RUNNER, 0, (900, 2500, 0)),
        ship(FLAGSHIP, 1, (1500, 300 + (6 + dots + 4) * DOT_MM, 0)),
        options={"ships_each": 2},
    )
    assert line.ships[0].fate == fate


def test_sharks() -> None:
    """PWR-95: a die for every figure in the water, 5 or 6 is eaten; a Captain goes last."""
    shoal = Shoal(
        P[0], 0, "pirate", (("first-mate", 1), ("pirate", 2), ("pirate-captain", 1)), 1500, 1500
    )
    line = at("morale", ship(SCHOONER, 0, (1500, 1500, 90)), FAR, shoals=[shoal])
    pending = GAME.pending(line.state)
    assert len(pending.dice) == 4
    assert pending.text == "Captain 0: sharks, throw 4 d6; each 5 or 6 eats a figure"
    line.roll(1, 4, 5, 6)
    assert "2 pirates eaten by sharks" in line.told()
    assert line.state.shoals[0].figures == (("first-mate", 1), ("pirate-captain", 1))
    line.until("sharks").roll(1, 5)
    assert line.state.shoals[0].figures == (("pirate-captain", 1),)


def test_a_pirate_captain_is_eaten_last_of_all_off_his_ship() -> None:
    """PWR-95: others who fell from his ship elsewhere are eaten in his place."""
    captain = Shoal(P[0], 0, "pirate", (("pirate-captain", 1),), 1500, 1500)
    others = Shoal(P[0], 0, "pirate", (("pirate", 2),), 900, 900)
    strangers = Shoal(P[0], 1, "pirate", (("pirate", 1),), 900, 900)
    pair = ship(SCHOONER, 0, (1500, 1500, 90)), ship(RUNNER, 0, (900, 2500, 0))
    shoals = [captain, strangers, others]
    line = at("morale", *pair, FAR, shoals=shoals, options={"ships_each": 2})
    # Dice are thrown for the others first, then for him.
    assert [len(s.figures) and s.figures[0][1] for s in line.state.shoals] == [1, 2, 1]
    line.roll(1).roll(1, 5).roll(6)
    assert "1 pirate eaten" in line.told()
    assert [s.figures for s in line.state.shoals] == [(("pirate", 1),), (("pirate-captain", 1),)]
    line.until("sharks").roll(6).roll(6)
    assert line.state.shoals == ()


def test_more_swimmers_than_thirty() -> None:
    """PWR-95: a die for every one of them, thirty at a time."""
    many = Shoal(P[0], 0, "pirate", (("pirate", 65),), 1500, 1500)
    line = at("morale", ship(SCHOONER, 0, (1500, 1500, 90)), FAR, shoals=[many])
    line.roll(*[6] * 30)
    assert GAME.from_json(GAME.to_json(line.state)) == line.state
    line.roll(*[1] * 30)
    assert len(GAME.pending(line.state).dice) == 5
    line.roll(*[5] * 5)
    assert line.asked() == "initiative"
    assert line.state.shoals[0].size == 65 - 30 - 5


def sinking(crew) -> Battle:
    """Return a battle in which a ship with this crew has just been shot to pieces."""
    return at(
        "sink_shot",
        ship(SCHOONER, 0, (1500, 1500, 0), crew=crew, hf=0, sf=0),
        ship(RUNNER, 0, (900, 2500, 0)),
        FAR,
        options={"ships_each": 2},
    )


def test_sinking_pirates() -> None:
    """PWR-90: half of those left die, rounded up; a Pirate Captain is among the swimmers."""
    crew = crew_of(("pirate-captain", "deck", 1), ("pirate", "deck", 4), ("pirate", "guns", 2))
    line = sinking(crew)
    assert line.asked() == "lose_figures"
    line.lose(0, "pirate", "deck", 4)
    assert line.ships[0].fate == "sunk"
    swimmers = dict(line.state.shoals[0].figures)
    assert swimmers == {"pirate-captain": 1, "pirate": 2}
    assert (line.state.shoals[0].x_mm, line.state.shoals[0].y_mm) == (1500, 1500)


def test_a_pirate_captain_alone_on_a_sinking_ship() -> None:
    """PWR-90: he always ends up in the water, even if nobody else can be the half that dies."""
    crew = crew_of(("pirate-captain", "deck", 1))
    line = sinking(crew)
    assert line.state.shoals[0].figures == (("pirate-captain", 1),)


def test_those_in_the_water_are_counted_kind_by_kind() -> None:
    """ "1 pirate, 1 pirate": each station of the ship was counted by itself."""
    stations = ("deck", "helm", "guns")
    crew = crew_of(*(("pirate", station, 2) for station in stations))
    line = sinking(crew)
    line.lose_any()
    assert "3 pirates in the water" in line.told()


def test_an_imperial_captain_goes_down() -> None:
    """PWR-90: an Imperial Captain is one of those who die."""
    crew = crew_of(("imperial-captain", "deck", 1), ("sailor", "deck", 3))
    line = at(
        "sink_shot",
        ship(SCHOONER, 0, (900, 900, 0)),
        ship(FLAGSHIP, 1, (1500, 1500, 0), crew=crew, hf=0, sf=0),
        ship(RUNNER, 1, (2500, 2500, 0)),
        options={"ships_each": 2},
    )
    assert dict(line.state.shoals[0].figures) == {"sailor": 2}


def test_the_last_side_wins() -> None:
    """PWR-140: when one side has a ship with a crew left, and nobody else."""
    line = at(
        "tasks", ship(SCHOONER, 0, (900, 900, 0)), ship(FLAGSHIP, 1, (1500, 1500, 0), crew=())
    )
    assert isinstance(GAME.pending(line.state), GameOver)
    outcome = GAME.outcome(line.state)
    assert outcome is not None
    assert (outcome.rule, outcome.placing[0]) == ("PWR-140", (P[0],))
    assert GAME.over_text(line.state).startswith("The battle is over")


def test_a_draw() -> None:
    """PWR-141: nobody is left on any side."""
    line = at(
        "tasks",
        ship(SCHOONER, 0, crew=(), at=(900, 900, 0)),
        ship(FLAGSHIP, 1, crew=(), at=(99, 99, 0)),
    )
    outcome = GAME.outcome(line.state)
    assert outcome is not None
    assert outcome.rule == "PWR-141"
    assert outcome.placing[0] == ()


def test_the_turns_may_be_limited() -> None:
    """PWR-140: an option of the house: most ships, then hulls, then figures win."""
    line = at("round", ship(BARRACUDA, 0, (900, 900, 0)), FAR, options={"rounds": 1})
    outcome = GAME.outcome(line.state)
    assert outcome is not None
    assert outcome.reason == "The last turn is over"
    assert outcome.placing == ((P[0],), (P[1],))
