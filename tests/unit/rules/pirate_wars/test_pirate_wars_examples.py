"""The worked examples of the rules, with their arithmetic: vectors T1 to T10, T12, T16, T17.

Where an example contradicts the rules it illustrates, the digest's ruling holds and the test says
so.
"""

from __future__ import annotations

from companion.rules import plane
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import (
    Board,
    CastOff,
    Commit,
    Done,
    FallOff,
    HoldBack,
    Sail,
    SetSails,
    Shoot,
)
from companion.rules.pirate_wars.built.damage import Chart, struck
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.built.weapons import successes
from companion.rules.pirate_wars.crew import crew_size, without
from companion.rules.pirate_wars.fighting.boarding import eligible
from companion.rules.pirate_wars.fighting.close_quarters import gun_throws, melee_throws
from companion.rules.pirate_wars.morale import conditions
from companion.rules.pirate_wars.pieces import ADRIFT, FLEEING, FULL, TACK
from companion.rules.pirate_wars.sailing.aground import grounding_damage
from companion.rules.pirate_wars.sailing.contact import ram_damage
from companion.rules.pirate_wars.sailing.seamanship import way_at, wind_from
from companion.rules.pirate_wars.sailing.waters import clear_mm
from companion.rules.pirate_wars.stages import Fight, Throw
from tests.unit.rules.pirate_wars.moves import ahead, turned
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    FLAGSHIP,
    GAME,
    MAN_OF_WAR,
    SCHOONER,
    Battle,
    P,
    battle,
    crew_of,
    ship,
    tasks,
)


def test_the_schooner_turns_into_the_wind_and_falls_off() -> None:
    """T1: 64 dots, a leap of 48, 90 degrees to port, 16 more; fallen off it tacks at 32."""
    fleet = ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (300, 300, 0))
    line = battle(*fleet, wind="N")
    assert (line.ships[0].way, line.ships[0].left) == (FULL, 64)
    corner = turned(line.state, 0, ahead(line.ships[0].pose, 48), -90)
    end = ahead(corner, 16)
    line.do(Sail(P[0], 0, (corner, end)))
    assert line.ships[0].pose == end.rounded()
    assert line.ships[0].pose.heading_deg == 270
    # 16 is no more than half of 48: no turn after the rest of the way.
    assert line.ships[0].left == 0
    line.do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    # Were she to stay so, she would be adrift in the next turn.
    luffing = Battle(line.state).until("tasks").until("move")
    assert (luffing.ships[0].way, luffing.ships[0].left) == (ADRIFT, 8)
    line.do(FallOff(P[0], 0, turned(line.state, 0, line.ships[0].pose, 45)))
    line.until("tasks").until("move")
    assert (line.ships[0].way, line.ships[0].left) == (TACK, 32)


def rammed() -> Battle:
    """Return the Barracuda right in front of the Flagship's side, 32 dots away."""
    flagship = ship(FLAGSHIP, 1, (1500, 1500, 90))
    bow = 1500 - 4 * DOT_MM
    start = (bow - 32 * DOT_MM - 24 * DOT_MM, 1500, 0)
    return battle(ship(BARRACUDA, 0, start), flagship, wind="W")


def test_the_barracuda_rams_the_flagship() -> None:
    """T2: four hull factors of the Flagship go, and with them her five sails: nine figures.

    The Barracuda loses one hull factor and the two sails above it: three figures.
    """
    line = rammed()
    assert ram_damage(own_hf=6, own_sails=7, target_hf=4) == (1, 4)
    before = line.ships[0].pose
    line.do(Sail(P[0], 0, (ahead(before, 32),)))
    assert "rams the Imperial Flagship" in line.told()
    assert line.hulls() == [(5, 5), (0, 0)]
    assert GAME.pending(line.state).player == P[0]
    line.lose(0, "pirate", "deck", 3)
    assert line.aboard(0) == 33 - 3
    # Nine of nineteen fall; five of the ten who are left, the Captain among them.
    line.lose(1, "sailor", "guns", 4).lose(1, "sailor", "deck", 2).lose(1, "marine", "deck", 3)
    # Nobody moves any more, so she sinks: of the ten left her Captain goes down at once.
    assert line.aboard(1) == 10 - 1
    assert "1 Imperial Captain goes down with her" in line.told()
    line.lose_any()
    assert [s.size for s in line.state.shoals] == [5]
    swimmers = dict(line.state.shoals[0].figures)
    assert "imperial-captain" not in swimmers
    # The last enemy is gone: the battle is over.
    assert line.asked() == "over"
    assert line.ships[0].stunned


def test_after_ramming_the_barracuda_sails_at_40() -> None:
    """T2: five sail factors are left: 40 dots; it is adrift and has no tasks in that round."""
    line = rammed()
    other = ship(FLAGSHIP, 1, (300, 2500, 0))
    line = Battle(line.state._replace(ships=(*line.ships, other)))
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, 32),))).lose_any().until("tasks")
    assert line.state.options.designs[BARRACUDA].speed_at(line.ships[0].sf) == 40
    while line.player:
        line.done()
    assert line.refusal(SetSails(P[0], 0, 3)) == "PWR-50"
    line.until("move")
    assert (line.ships[0].way, line.ships[0].left) == (ADRIFT, 8)
    line.until("tasks")
    while line.player:
        line.done()
    line.do(SetSails(P[0], 0, 5)).until("move")
    assert (line.ships[0].way, line.ships[0].left) == (FULL, 40)


def test_the_flagship_comes_alongside() -> None:
    """T3: contact at less than 45 degrees, half-way through the second leap: no damage."""
    schooner = ship(SCHOONER, 1, (1500, 1500, 0))
    line = battle(ship(FLAGSHIP, 0, (0, 0, 0)), schooner, wind="W")
    flagship = line.state.options.designs[FLAGSHIP]
    # Where she ends: her bow against the port side of the Schooner at 30 degrees.
    near = plane.pose_at((1350.0, 1300.0), 30, flagship.bow_mm)
    free, struck_ship = clear_mm(line.state, 0, near, 30, 1000)
    assert struck_ship == 1
    end = plane.advance(near, free).rounded()
    corner = ahead(end, -16)
    start = ahead(turned(line.state, 0, corner, -30), -32)
    line = battle(ship(FLAGSHIP, 0, _at(start)), schooner, wind="W")
    line.do(Sail(P[0], 0, (corner, end)))
    assert "no damage" in line.told()
    assert line.hulls() == [(4, 5), (6, 8)]
    assert line.ships[0].left == 0
    assert not line.ships[0].stunned


def _at(pose: Pose) -> tuple[float, float, float]:
    return pose.x_mm, pose.y_mm, pose.heading_deg


def broadside(**changes: object) -> Battle:
    """Return the Schooner with the Flagship 40 dots off her port broadside, both abeam."""
    schooner = ship(SCHOONER, 0, (1500, 1500, 0))
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - 50 * DOT_MM, 0), **changes)
    return tasks(schooner, flagship, slot=0)


def test_a_broadside_of_shot_and_ball() -> None:
    """T4: 5 SF, 3 HF, 8 + 2 figures and a cannon; one HF, no sails and nine men are left."""
    flagship = Chart("SSHSHSHSH", 4, 5)
    # The first shot takes the rows 1 and 2, the second 4; the balls 3 and 5, then 6, 7 and 8.
    for what, hits, left in (("shot", 2, (4, 3)), ("shot", 1, (4, 2)), ("ball", 2, (2, 2))):
        flagship, rows = struck(flagship, what, hits)
        assert rows == hits
        assert (flagship.hf, flagship.sf) == left
    line = broadside()
    for gun, ammo in enumerate(("shot", "shot", "ball", "ball")):
        line.fire(0, gun, ammo, 1)
    line.done()
    for faces in ((3, 3, 6), (1, 4, 6), (1, 2, 3), (1, 2, 2)):
        line.roll(*faces)
    assert line.asked() == "critical_hit"
    line.roll(2)
    # Eight fall wherever their captain says, two at the cannon.
    line.lose_any()
    assert line.hulls()[1] == (1, 0)
    assert line.aboard(1) == 19 - 10
    assert [gun.load for gun in line.ships[1].guns].count(-1) == 1
    assert "adrift" in conditions(line.state, 1)


def test_the_flagship_returns_fire() -> None:
    """T5: shot at 3, four muskets at the castles at 4, three at the deck at 2: 4 SF, 8 pirates."""
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - 30 * DOT_MM, 180))
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), flagship, slot=1)
    castles = {h.station for h, _ in line.ships[0].crew}
    assert "castle" in castles
    line.fire(1, 0, "shot", 0).fire(1, 1, "shot", 0)
    line.do(Shoot(P[1], 1, "marine", "musket", 4, 0, "castle"))
    line.do(Shoot(P[1], 1, "marine", "musket", 3, 0, "deck"))
    line.done()
    line.roll(1, 3, 5).roll(2, 3, 6)
    assert "4 or less hits" in GAME.pending(line.state).text
    line.roll(1, 2, 4, 5)
    assert "2 or less hits" in GAME.pending(line.state).text
    line.roll(2, 3, 6)
    before = line.aboard(0)
    line.do(Done(P[0])).lose_any()
    assert before - line.aboard(0) == 4 + 3 + 1
    assert line.hulls()[0] == (6, 8 - 4)


PIRATES = crew_of(
    ("pirate-captain", "deck", 1, True),
    ("first-mate", "deck", 1, True),
    ("pirate-musket", "deck", 4, True),
    ("pirate-female", "deck", 5, True),
    ("pirate-hook", "deck", 2),
    ("pirate", "deck", 7),
    ("pirate", "guns", 8),
    ("pirate", "castle", 2),
)
IMPERIALS = crew_of(
    ("imperial-captain", "guns", 1, True),
    ("first-mate", "castle", 1, True),
    ("lieutenant", "deck", 1, True),
    ("marine", "deck", 7, True),
    ("sailor", "guns", 4),
    ("sailor", "castle", 2),
    ("sailor", "deck", 3),
)


def boarding() -> Battle:
    """Return the Flagship alongside the Barracuda, both with the crews of the example."""
    barracuda = ship(BARRACUDA, 0, (1500, 1500, 0), crew=PIRATES)
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - 10 * DOT_MM, 0), crew=IMPERIALS)
    return tasks(barracuda, flagship, slot=1)


def committed() -> Battle:
    """Return the boarding when both sides have said who fights."""
    line = boarding().do(Board(P[1], 1, 0))
    line.do(HoldBack(P[1], 1, "imperial-captain", "guns", 1))
    line.do(HoldBack(P[1], 1, "first-mate", "castle", 1))
    line.do(HoldBack(P[1], 1, "sailor", "deck", 1)).do(Commit(P[1]))
    return line.do(HoldBack(P[0], 0, "pirate-captain", "deck", 1))


def test_who_fights_in_the_boarding() -> None:
    """T6: 30 less 8, 2 and the Captain are 19 pirates with 27 attacks; 10 Imperials with 12.

    19 attacks, 5 pistols, 2 hooks and the First Mate's pistol; 7 marines, 2 sailors and the
    Lieutenant with two cutlass attacks and a pistol.
    """
    line = committed()
    fight: Fight = line.state.stage.fight
    assert [crew_size(crew) for crew in fight.crews] == [10, 19]
    throws = melee_throws(fight)
    assert sum(t.dice for t in throws if t.side == 1) == 19 + 5 + 2 + 1 == 27
    assert sum(t.dice for t in throws if t.side == 0) == 7 + 2 + 3 == 12
    assert crew_size(without(PIRATES, eligible(PIRATES, attacking=False))) == 8 + 2


def test_the_gunfire_of_the_boarding() -> None:
    """T7: the text counts 1, 1, 1, 2, 5, 5 at 3 as three successes; by the rule they are four.

    So four Imperials would fall, not three; five pirates fall, as the text says.
    """
    assert successes((1, 1, 1, 2, 5, 5), 3) == 4
    line = committed()
    fight = line.state.stage.fight
    assert gun_throws(line.state, fight) == (Throw(0, 7, 4), Throw(1, 6, 3))
    line.do(Commit(P[0])).roll(1, 1, 1, 2, 3, 5, 6).roll(1, 1, 1, 2, 5, 5)
    stage = line.state.stage
    assert stage.owed == (4, 5)


def test_the_melee_goes_on_with_the_numbers_of_the_text() -> None:
    """T7, T8: with its three losses the text is consistent: 22 and 9 attacks, then 13 to 7."""
    left = crew_of(
        ("first-mate", "deck", 1, True),
        ("pirate-female", "deck", 5, True),
        ("pirate-hook", "deck", 2),
        ("pirate", "deck", 6),
    )
    marines = crew_of(("marine", "deck", 6), ("lieutenant", "deck", 1, True))
    throws = melee_throws(Fight((1, 0), False, (marines, left)))
    assert throws == (Throw(0, 6, 4), Throw(0, 3, 5), Throw(1, 20, 3), Throw(1, 2, 4))


def test_the_end_of_the_boarding() -> None:
    """T8: 13 successes against 7 Imperials, 7 against 14 pirates: 7 are left, the pirates win."""
    line = committed().do(Commit(P[0]))
    line.roll(1, 1, 1, 2, 3, 5, 6).roll(1, 1, 2, 4, 5, 5)
    # The Imperials lose two sailors and a marine, the pirates five.
    line.lose(1, "sailor", "deck", 2).lose(1, "marine", "deck", 1)
    line.lose(0, "pirate-musket", "deck", 4).lose(0, "pirate", "deck", 1)
    fight = line.state.stage.fight
    assert [crew_size(crew) for crew in fight.crews] == [7, 14]
    assert line.state.stage.throws == (
        Throw(0, 6, 4),
        Throw(0, 3, 5),
        Throw(1, 20, 3),
        Throw(1, 2, 4),
    )
    line.roll(1, 2, 3, 4, 5, 6).roll(1, 2, 3)
    line.roll(*[1] * 11, *[4] * 9).roll(1, 1)
    line.lose(0, "pirate", "deck", 6).lose(0, "pirate-female", "deck", 1)
    assert line.aboard(0) == 30 - 5 - 7 == 18
    assert "wins the round of boarding, 7 against 0" in line.told()
    assert line.asked() == "press_on"
    line.do(CastOff(P[0]))
    assert line.state.engaged == ()


def mutiny() -> Battle:
    """Return the stern rake that leaves the Barracuda without sails and with 13 of 33."""
    crew = crew_of(
        ("pirate-captain", "deck", 1),
        ("first-mate", "deck", 1),
        ("pirate", "deck", 15),
        ("pirate", "castle", 1),
    )
    astern = (1500 - (24 + 4 + 40) * DOT_MM, 1500, 90)
    line = tasks(
        ship(BARRACUDA, 0, (1500, 1500, 0), crew=crew, sf=4),
        ship(FLAGSHIP, 1, astern),
        ship(FLAGSHIP, 1, (300, 2700, 0)),
        options={"losses": "order", "ships_each": 2},
    )
    line.fire(1, 0, "shot", 0).fire(1, 1, "shot", 0)
    line.do(Shoot(P[1], 1, "marine", "musket", 1, 0, "castle")).done()
    return line.roll(1, 4, 5).roll(2, 6, 6).roll(4).done()


def test_the_mutiny_of_the_barracuda() -> None:
    """T9: 5 less 1 (adrift) less 2 (half lost) is 2; with 1 for the rake it is 1, as the text says.

    A 3 fails. Mutineers reset sails; next turn the highest Attack is a pirate's 3, less 2: 1, and a
    4 fails: neither adrift nor the loss of the Captain counts.
    """
    line = mutiny()
    assert (line.aboard(0), line.ships[0].sf) == (33 - 15 - 5, 0)
    assert conditions(line.state, 0) == {"adrift", "half_lost", "raked"}
    assert line.state.stage.tests == ((0, "crew", 5 - 1 - 2 - 1),)
    line.roll(3)
    assert "Mutiny" in line.told()
    assert line.aboard(0) == 11
    line.until("tasks").until("morale")
    assert line.ships[0].sf == 5
    assert line.state.stage.tests == ((0, "crew", 3 - 2),)
    line.roll(4)
    assert line.ships[0].mood == FLEEING


def test_the_first_mate_is_eaten() -> None:
    """T10: 3 and 5 for Captain and First Mate: one is eaten, and the Captain lives to the last."""
    line = mutiny().roll(3)
    assert line.asked() == "sharks"
    assert line.state.shoals[0].figures == (("first-mate", 1), ("pirate-captain", 1))
    line.roll(3, 5)
    assert line.told().startswith("1 First Mate eaten by sharks")
    assert line.state.shoals[0].figures == (("pirate-captain", 1),)
    # He is munched two turns later.
    line.until("tasks").until("sharks").roll(4).until("tasks").until("sharks").roll(5)
    assert line.state.shoals == ()


def test_running_aground() -> None:
    """T12: a wide hull six dots from an island lacks six dots of water: two hull factors.

    How the Flagship runs upon a rock is a matter of the optional rule.
    """
    assert grounding_damage(12 - 6) == 2
    line = battle(
        ship(MAN_OF_WAR, 0, (1000, 1000, 0)),
        ship(SCHOONER, 1, (200, 2500, 0)),
        wind="W",
        options={
            "terrain": [
                {
                    "kind": "island",
                    "x_mm": 1300,
                    "y_mm": 1000 + round((6 + 6 + 8) * DOT_MM),
                    "across_dots": 16,
                    "depth_dots": 0,
                }
            ]
        },
    )
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, 64),)))
    assert line.hulls()[0][0] == 6 - 2


def test_three_sixes_and_three_hits() -> None:
    """T16: three sixes burst a cannon; three hits with shot take three sails and no more."""
    line = broadside().fire(0, 0, "shot", 1).fire(0, 1, "shot", 1).done()
    line.roll(6, 6, 6)
    assert "bursts" in line.told()
    line.roll(1, 1, 1)
    assert line.asked() != "critical_hit"
    line.lose_any()
    assert line.ships[0].guns[0].load == -1
    assert line.ships[1].hf == 4


def test_a_rake() -> None:
    """T17: with a cannon dead astern of the target two hits with shot cost four sails."""
    schooner = ship(SCHOONER, 0, (1500, 1500, 0))
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - 50 * DOT_MM, 270))
    line = tasks(schooner, flagship, slot=0)
    line.fire(0, 1, "shot", 1).done()
    line.roll(2, 3, 5)
    assert "4 hits with shot" in line.told()
    assert line.happenings[0].rule == "PWR-71"
    line.lose_any()
    assert line.hulls()[1] == (4, 1)


def test_wind_of_the_examples() -> None:
    """PWR-40: abeam is full speed, 45 degrees is tack, nearer is adrift."""
    north = wind_from("N")
    assert [way_at(h, north) for h in (0, 315, 290)] == [FULL, TACK, ADRIFT]
