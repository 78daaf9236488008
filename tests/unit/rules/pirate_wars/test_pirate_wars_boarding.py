"""Boarding: who may, the gunfire, the melee, who wins, prizes and prize crews."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.game import ChanceRoll, Decision, Step
from companion.rules.pirate_wars.actions import (
    Board,
    CastOff,
    Commit,
    Done,
    FireGun,
    HoldBack,
    LeavePrize,
    Lose,
    ManPrize,
    Press,
    ResetSails,
    Sail,
    Surrender,
)
from companion.rules.pirate_wars.built.ship_reading import stock_ship, write_design
from companion.rules.pirate_wars.crew import crew_size
from companion.rules.pirate_wars.fighting.boarding import eligible
from companion.rules.pirate_wars.fighting.close_quarters import gun_throws, melee_throws
from companion.rules.pirate_wars.fighting.firing import land_hits
from companion.rules.pirate_wars.fighting.gunnery import ranged
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import ADRIFT, FULL, GONE, NOWHERE, Gun
from companion.rules.pirate_wars.sailing.seamanship import carried, under_way
from companion.rules.pirate_wars.stages import Attack, Between, Fight, Tasking
from companion.rules.pirate_wars.state import Hit, with_ship
from companion.rules.pirate_wars.turns import go_on
from tests.unit.rules.pirate_wars.moves import ahead
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

PIRATES = crew_of(
    ("pirate-captain", "deck", 1, True),
    ("first-mate", "deck", 1, True),
    ("pirate", "deck", 8),
    ("pirate", "castle", 2),
)
SAILORS = crew_of(("imperial-captain", "deck", 1, True), ("sailor", "deck", 6))
MARINES = crew_of(
    ("imperial-captain", "deck", 1, True),
    ("lieutenant", "deck", 1, True),
    ("marine", "deck", 6, True),
    ("sailor", "guns", 4),
)
THIRD = ship(FLAGSHIP, 1, (300, 300, 0))


def alongside(pirates=PIRATES, imperials=SAILORS, slot: int = 0, **changes) -> Battle:
    """Return a Schooner and a Flagship side by side, and another Flagship far off."""
    return tasks(
        ship(SCHOONER, 0, (1500, 1500, 90), crew=pirates),
        ship(FLAGSHIP, 1, (1580, 1500, 90), crew=imperials),
        THIRD,
        slot=slot,
        options={"ships_each": 2},
        **changes,
    )


def boarding(slot: int = 0, **crews) -> Battle:
    line = alongside(slot=slot, **crews)
    return line.do(Board(P[0] if slot == 0 else P[1], 0 if slot == 0 else 1, 1 - slot))


def test_who_may_be_boarded() -> None:
    """PWR-52: a ship of another side whose hull touches."""
    line = alongside()
    assert line.refusal(Board(P[0], 0, 2)) == "PWR-52"
    assert line.refusal(Board(P[0], 0, 0)) == "PWR-52"
    assert line.refusal(Board(P[0], 0, 9)) == "PWR-52"
    assert Board(P[0], 0, 1) in line.legal()


def test_nobody_from_the_gun_deck_and_aloft() -> None:
    """PWR-59: officers may come from anywhere; who has had a task cannot attack any more."""
    crew = crew_of(
        ("pirate", "guns", 3),
        ("pirate", "castle", 2),
        ("pirate", "nest", 1),
        ("pirate", "helm", 1),
        ("first-mate", "guns", 1),
    )
    assert crew_size(eligible(crew, attacking=True)) == 2
    busy = tuple((hand._replace(busy=True), n) for hand, n in crew)
    assert eligible(busy, attacking=True) == ()
    assert crew_size(eligible(busy, attacking=False)) == 2
    line = alongside(pirates=crew_of(("pirate", "guns", 5)))
    assert line.refusal(Board(P[0], 0, 1)) == "PWR-59"


def test_committing_is_voluntary() -> None:
    """PWR-59: each side holds back whom it likes; playing on commits everybody else."""
    line = boarding()
    pending = GAME.pending(line.state)
    assert isinstance(pending, Decision)
    assert pending.passing == Commit(P[0])
    assert line.refusal(HoldBack(P[0], 0, "pirate", "castle", 1)) == "PWR-59"
    assert line.refusal(HoldBack(P[0], 0, "pirate", "deck", 9)) == "PWR-59"
    line.do(HoldBack(P[0], 0, "pirate", "deck", 6)).do(Commit(P[0]))
    assert line.player == P[1]
    line.do(HoldBack(P[1], 1, "imperial-captain", "deck", 1)).do(Commit(P[1]))
    assert "4 against 6 in the boarding" in line.told()


def test_one_figure_fights_and_falls_alone() -> None:
    line = boarding(imperials=crew_of(("sailor", "deck", 1))).do(Commit(P[0]))
    assert GAME.pending(line.state).text == "Captain 1: 1 figure fights; hold some back or begin"
    line = throw(fight(), 0, 0, 0, 1, 0)
    assert GAME.pending(line.state).text == "Captain 0: 1 figure of the boarding falls, say which"


def test_the_first_round_begins_with_gunfire() -> None:
    """PWR-60: loaded muskets and deck guns of both sides, only in the first round."""
    line = boarding(imperials=MARINES).do(Commit(P[0])).do(Commit(P[1]))
    stage = line.state.stage
    assert stage.guns
    assert [(t.side, t.dice, t.target) for t in stage.throws] == [(1, 6, 4)]
    line.roll(1, 2, 3, 4, 5, 6)
    assert line.asked() == "lose_boarders"
    line.lose(0, "pirate", "deck", 4)
    assert "it is 6 against 8" in line.told()
    assert not any(
        hand.loaded for hand, _ in line.state.stage.fight.crews[1] if hand.kind == "marine"
    )
    later = Fight((0, 1), first=False, crews=line.state.stage.fight.crews)
    assert gun_throws(line.state, later) == ()


def test_the_deck_gun_of_the_first_round() -> None:
    """PWR-14, PWR-60: a loaded deck gun is fired by one of the committed, two dice."""
    line = tasks(
        ship(BARRACUDA, 0, (1500, 1500, 90), crew=PIRATES),
        ship(FLAGSHIP, 1, (1580, 1500, 90), crew=SAILORS),
        slot=0,
    )
    line.do(Board(P[0], 0, 1)).do(Commit(P[0])).do(Commit(P[1]))
    assert [(t.side, t.dice, t.target) for t in line.state.stage.throws] == [(0, 2, 3)]
    assert line.ships[0].guns[4].load == 0


def test_a_deck_gun_that_nobody_fires_stays_loaded() -> None:
    """PWR-14, PWR-60: marines fire their muskets, and no gun; those who board do it."""
    built = replace(stock_ship(FLAGSHIP), id="gunned", title="Gunned", deck_guns=1)
    marines = crew_of(("lieutenant", "deck", 1, True), ("marine", "deck", 3, True))
    gunned = ship(FLAGSHIP, 1, (1580, 1500, 90), crew=marines)
    line = tasks(
        ship(BARRACUDA, 0, (1500, 1500, 90), crew=PIRATES),
        gunned._replace(design="gunned", guns=(*gunned.guns, Gun("bow"))),
        THIRD,
        slot=0,
        options={"own_ships": (write_design(built),), "ships_each": 2},
    )
    line.do(Board(P[0], 0, 1)).do(Commit(P[0])).do(Commit(P[1]))
    assert [(t.side, t.dice) for t in line.state.stage.throws] == [(0, 2), (1, 3)]
    assert [ship.guns[-1].load for ship in line.ships[:2]] == [0, 2]


def test_attacks_have_no_modifiers() -> None:
    """PWR-5, PWR-13, PWR-16, PWR-61, PWR-62: cutlasses, hooks, loaded pistols at the Attack."""
    crew = crew_of(
        ("pirate-captain", "deck", 1, True),
        ("first-mate", "deck", 1),
        ("pirate-hook", "deck", 2),
        ("pirate-female", "deck", 3, True),
        ("pirate-pistol", "deck", 2),
        ("pirate-pistol", "helm", 1, True),
    )
    throws = melee_throws(Fight((0, 1), False, (crew, ())))
    by_target = {t.target: t.dice for t in throws}
    # Captain: two, a hook, a pistol; hooks 2 each; females 2 each; pistols 1 each and one more.
    assert by_target == {5: 4, 4: 1, 3: 4 + 6 + 3 + 1}


def fight(pirates=PIRATES, imperials=SAILORS) -> Battle:
    """Return the melee of a first round without guns."""
    return boarding(pirates=pirates, imperials=imperials).do(Commit(P[0])).do(Commit(P[1]))


def throw(line: Battle, *hits: int) -> Battle:
    """Throw so many successes with each batch of dice."""
    for count in hits:
        pending = GAME.pending(line.state)
        assert isinstance(pending, ChanceRoll)
        line.roll(*[1] * count, *[6] * (len(pending.dice) - count))
    return line


def test_losses_fall_at_once_and_excess_is_lost() -> None:
    """PWR-37, PWR-63: both sides lose figures equal to the enemy's successes, of those fighting."""
    line = fight()
    # Pirates: 8 at 3, the First Mate's two at 4, the Captain's four at 5; six sailors at 2, their
    # Captain's three at 5.
    sizes = [(t.side, t.dice, t.target) for t in line.state.stage.throws]
    assert sizes == [(0, 8, 3), (0, 2, 4), (0, 4, 5), (1, 6, 2), (1, 3, 5)]
    throw(line, 8, 2, 4, 0, 2)
    # Fourteen successes against seven: seven fall, and both pirates that are lost are chosen.
    assert line.asked() == "lose_boarders"
    line.lose(0, "pirate", "deck", 2)
    assert "wins the round of boarding, 8 against 0" in line.told()
    assert (line.aboard(0), line.aboard(1)) == (10, 0)


def test_an_equal_round_goes_on() -> None:
    """PWR-64: as many on both sides: nobody wins, the ships stay lashed."""
    even = crew_of(("pirate", "deck", 3))
    odd = crew_of(("sailor", "deck", 3), ("sailor", "guns", 2))
    line = fight(pirates=even, imperials=odd)
    throw(line, 1, 1)
    assert "2 against 2: nobody wins" in line.told()
    assert line.state.engaged == ((0, 1),)
    assert line.asked() == "tasks"


def test_where_nobody_may_fight_those_below_come_on_deck() -> None:
    """PWR-66, PWR-59: else two gun decks would be lashed together for ever."""
    line = fight(
        pirates=crew_of(("pirate", "deck", 1), ("pirate", "guns", 8)),
        imperials=crew_of(("sailor", "deck", 1), ("sailor", "castle", 4)),
    )
    throw(line, 1, 1)
    assert "come on deck to fight" in line.told()
    assert line.state.engaged == ((0, 1),)
    assert [{h.station for h, _ in ship.crew} for ship in line.ships[:2]] == [{"deck"}, {"deck"}]


def test_where_nobody_is_left_the_ships_part() -> None:
    """PWR-66: so that others can take them."""
    line = fight(pirates=crew_of(("pirate", "deck", 1)), imperials=crew_of(("sailor", "deck", 1)))
    throw(line, 1, 1)
    assert "Nobody is left to fight" in line.told()
    assert line.state.engaged == ()


def test_engaged_ships_have_no_other_tasks() -> None:
    """PWR-58: neither side of a boarding fires, loads or sails in that round."""
    even = crew_of(("pirate", "deck", 3), ("pirate", "guns", 8))
    odd = crew_of(("sailor", "deck", 3), ("sailor", "guns", 4))
    line = throw(fight(pirates=even, imperials=odd), 1, 1)
    assert [type(a) for a in line.legal()] == [Done]
    assert line.refusal(FireGun(P[0], 0, 0, "ball", 2, "")) == "PWR-58"
    assert under_way(line.state, 0).way == ADRIFT
    before = line.hulls()
    while line.asked() == "tasks":
        line.done()
    assert line.hulls() == before


def test_boarding_goes_on_in_the_next_round() -> None:
    """PWR-37: at the first slot of the two sides, before anything else."""
    line = battle(
        ship(SCHOONER, 0, (1500, 1500, 90), crew=PIRATES),
        ship(FLAGSHIP, 1, (1580, 1500, 90), crew=SAILORS),
        THIRD,
        stage=Tasking(),
        slot=1,
        engaged=[(0, 1)],
        options={"ships_each": 2},
    )
    line = Battle(go_on(Step(line.state)).state)
    assert line.asked() == "commit"
    assert not line.state.stage.fight.first
    line.do(Commit(P[0])).do(Commit(P[1]))
    throw(line, 8, 2, 4, 0, 0)
    assert "is taken" in line.told()


def won(**crews) -> Battle:
    """Return a boarding whose first round the pirates have won, with sailors left below."""
    below = crew_of(("imperial-captain", "deck", 1), ("sailor", "deck", 4), ("sailor", "guns", 6))
    line = throw(fight(imperials=crews.get("imperials", below)), 5, 0, 0, 0, 0)
    return line.lose_any()


def test_the_winner_goes_on_or_casts_off() -> None:
    """PWR-65: who casts off is free to sail in the next turn."""
    below = crew_of(("sailor", "deck", 6), ("sailor", "guns", 6))
    line = throw(fight(imperials=below), 3, 0, 0, 0)
    line.lose_any()
    assert line.asked() == "press_on"
    assert line.player == P[0]
    free = Battle(line.state).do(CastOff(P[0]))
    assert free.state.engaged == ()
    assert under_way(free.state, 0).way == FULL
    line.do(Press(P[0]))
    assert line.asked() == "yield"
    assert line.player == P[1]
    assert Battle(line.state).do(Press(P[1])).state.engaged == ((0, 1),)


def test_a_loser_without_fighters_is_taken() -> None:
    """PWR-66: when nobody is left who may fight, the ship is captured."""
    below = crew_of(("sailor", "deck", 4), ("sailor", "guns", 6))
    line = throw(fight(imperials=below), 4, 0, 0, 0)
    assert line.asked() == "press_on"
    line.do(Press(P[0]))
    assert "is taken, with 6 men" in line.told()
    assert line.asked() == "man_prize"


def beaten() -> Battle:
    below = crew_of(("sailor", "deck", 6), ("sailor", "guns", 6))
    return throw(fight(imperials=below), 3, 0, 0, 0).lose_any().do(Press(P[0]))


def surrendered() -> Battle:
    return beaten().do(Surrender(P[1]))


def test_who_surrenders_loses_the_ship_that_was_boarded() -> None:
    """PWR-66: it was said that one fights no more after that, whatever else one had."""
    state = beaten().state
    taken = "the Skull's Eye Schooner takes the Imperial Flagship (2)"
    assert GAME.loss(state, Surrender(P[1])) == taken
    assert GAME.loss(state, Press(P[1])) == ""


def test_a_prize_crew_of_pirates() -> None:
    """PWR-66, PWR-96: the First Mate and a figure for each sail factor; more may go."""
    line = surrendered()
    assert "surrenders" in line.told()
    # Ten hands are aboard, five sail factors on the prize: five more could go.
    assert line.refusal(ManPrize(P[0], 6)) == "PWR-96"
    line.do(ManPrize(P[0], 2))
    assert (line.aboard(0), line.aboard(1)) == (12 - 1 - 7, 1 + 7)
    assert line.ships[1].player == P[0]
    assert line.state.engaged == ()
    assert "sails under Captain 0" in line.told()
    assert not line.ships[1].prize
    while line.asked() == "tasks":
        line.done()
    # Few, adrift and without a Captain, but they knew that when they went.
    assert line.ships[1].mood == "loyal"
    assert {test[0] for test in line.state.stage.tests} == {0}


def test_a_prize_crew_knows_how_many_it_was() -> None:
    """PWR-96: its morale counts from there."""
    line = surrendered().do(ManPrize(P[0], 2))
    assert line.ships[1].complement == 1 + 7


def test_nobody_has_ordered_fewer_sails_on_a_prize() -> None:
    """PWR-31, PWR-96: one taken without a sail carries those that her prize crew resets."""
    fight = surrendered().state
    taken = captured(with_ship(fight, 1, fight.ships[1]._replace(sf=0, wanted=0)), 0, 1, ()).state
    prize = taken.ships[1]
    assert (prize.wanted, carried(prize), carried(prize._replace(sf=2))) == (5, 0, 2)


def test_sails_that_were_being_reset_open_on_a_ship_that_is_boarded() -> None:
    """PWR-82, PWR-36: the task was given before; the boarding takes no effect from it."""
    line = alongside(slot=1)
    lost = line.ships[1]._replace(sf=3)
    line.state = with_ship(line.state, 1, lost)
    line.do(ResetSails(P[1], 1, 2)).done().do(Board(P[0], 0, 1))
    line.do(Commit(P[0])).do(Commit(P[1]))
    while line.asked() == "boarding":
        line.roll(*[6] * len(GAME.pending(line.state).dice))
    line.until("morale")
    assert line.ships[1].sf == 5
    assert "The Imperial Flagship (2) resets 2 SF" in line.told()


def test_sails_that_were_being_reset_stay_down_on_a_ship_that_is_taken() -> None:
    """PWR-82: those who were at it are out of the battle; the log says so."""
    fight = surrendered().state
    hurt = with_ship(fight, 1, fight.ships[1]._replace(sf=1, resetting=2))
    step = captured(hurt, 0, 1, ())
    assert step.state.ships[1].resetting == 0
    assert ("PWR-82", True) in [(h.rule, "resets no sails" in h.text) for h in step.happenings]


def test_a_boarding_saves_nobody_who_was_hit_before() -> None:
    """PWR-36: who fought goes back to where figures were hit; as many stay out of a prize crew."""
    manned = crew_of(("pirate-captain", "deck", 1, True), ("pirate", "helm", 2))
    line = alongside(pirates=manned, slot=0)
    line.state = line.state._replace(hits=(Hit(0, "figures", 2, "helm"),))
    line.do(Board(P[0], 0, 1)).do(Commit(P[0])).do(Commit(P[1]))
    while line.asked() == "boarding":
        line.roll(*[6] * len(GAME.pending(line.state).dice))
    at_helm = [n for hand, n in line.ships[0].crew if hand.station == "helm"]
    assert at_helm == [2]
    prize = surrendered()
    prize.state = prize.state._replace(hits=(Hit(0, "figures", 8, "deck"),))
    ruling = GAME.check(prize.state, ManPrize(P[0], 0))
    assert (ruling.rule, "as many stay" in ruling.reason) == ("PWR-36", True)
    assert [type(action) for action in prize.legal()] == [LeavePrize]


def test_a_prize_crew_is_not_hit_by_what_was_fired_before_it_came() -> None:
    """PWR-36, PWR-88: that hit those who were taken; hull, sails and cannons are hit all the same.

    Rows of the damage chart and a cannon's crew were charged to the prize crew.
    """
    figures = (Hit(1, "figures", 3, "deck"), Hit(1, "officer", 1))
    ship_alone = (Hit(1, "ball", 3), Hit(1, "cannon", 1))
    line = fight(imperials=crew_of(("sailor", "deck", 6), ("sailor", "guns", 6)))
    line.state = line.state._replace(hits=figures + ship_alone)
    throw(line, 3, 0, 0, 0).lose_any().do(Press(P[0])).do(Surrender(P[1]))
    assert line.state.hits == tuple(hit._replace(borne=True) for hit in ship_alone)
    line.do(ManPrize(P[0], 0))
    crew = line.aboard(1)
    line.state = line.state._replace(hits=(*line.state.hits, Hit(1, "shot", 1)))
    line.until("morale")
    assert line.hulls()[1] == (3, 2)
    assert [gun.load for gun in line.ships[1].guns] == [-1, 2]
    assert line.aboard(1) == crew - 1, "what is fired afterwards costs them as ever"


def test_nothing_is_thrown_for_a_crew_that_has_been_taken() -> None:
    """PWR-67: who was fired at before she was boarded; a launch that is gone is not hit either."""
    line = surrendered().do(ManPrize(P[0], 2))
    musket = Attack(0, "musket", -1, "pirate-musket", 4, 1, "deck")
    volleys, lost = ranged(line.state, (musket,))
    assert (volleys, lost[0][1], lost[0][2][:16]) == ((), "PWR-67", "no enemy is left")
    gone = line.ships[2]._replace(fate=GONE, pose=NOWHERE)
    line.state = line.state._replace(ships=(*line.ships[:2], gone))
    ball = Attack(0, "cannon-ball", 0, "", 1, 2, "")
    assert ranged(line.state, (ball,))[1][0][1] == "PWR-67"
    hit = line.state._replace(hits=(Hit(2, "ball", 2),))
    assert land_hits(hit) == (line.state, ())


def test_no_powder_is_fired_without_its_captain() -> None:
    """PWR-76: who fell in the melee, or was taken with the ship, does not get there any more."""
    for crew, hf in ((SAILORS, 0), (crew_of(("sailor", "deck", 6)), 4)):
        line = alongside(imperials=crew)
        line.state = line.state._replace(scuttles=(1,))
        assert line.done().ships[1].hf == hf


def test_a_prize_may_be_left_to_the_wind() -> None:
    """PWR-96: without a crew it is nobody's, and whoever touches it may take it."""
    line = surrendered().do(LeavePrize(P[0]))
    assert line.aboard(1) == 0
    assert GAME.view(line.state, None).seats[1].ships == 1
    again = tasks(*line.ships, slot=0, options={"ships_each": 2})
    again.state = again.state._replace(
        ships=(ship(SCHOONER, 0, (1500, 1500, 90), crew=PIRATES), *again.ships[1:])
    )
    again.do(Board(P[0], 0, 1))
    assert again.asked() == "man_prize"


def test_a_ship_left_empty_may_be_taken_back() -> None:
    """PWR-52, PWR-96: her old captain takes her as anybody else does, hull to hull."""
    empty = ship(FLAGSHIP, 0, (1500, 1582, 0), crew=())
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), empty, THIRD, slot=0)
    assert Board(P[0], 0, 1) in line.legal()
    line.do(Board(P[0], 0, 1))
    assert line.asked() == "man_prize"
    line.do(ManPrize(P[0], 0))
    assert (line.aboard(1), line.ships[1].player, line.state.engaged) == (1 + 5, P[0], ())


def test_nobody_boards_a_manned_ship_of_his_own() -> None:
    """PWR-52: nor an empty one that does not touch."""
    for crew, y, said in ((PIRATES, 1596, "another side"), ((), 1700, "do not touch")):
        own = ship(SCHOONER, 0, (1500, y, 0), crew=crew)
        line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), own, THIRD, slot=0)
        refused = GAME.check(line.state, Board(P[0], 0, 1))
        assert (refused.rule, said in refused.reason) == ("PWR-52", True)


def test_no_prize_crew_without_a_first_mate() -> None:
    """PWR-96: the First Mate leads it."""
    line = surrendered()
    alone = crew_of(("pirate", "deck", 9))
    line.state = line.state._replace(ships=(line.ships[0]._replace(crew=alone), *line.ships[1:]))
    assert line.refusal(ManPrize(P[0], 0)) == "PWR-96"
    assert line.legal() == (LeavePrize(P[0]),)


def imperial_prize() -> Battle:
    """Return a Runner taken by a Flagship of two marines and the Lieutenant more than needed."""
    line = tasks(
        ship(
            RUNNER,
            0,
            (1500, 1500, 90),
            crew=crew_of(("pirate", "deck", 3), ("pirate", "guns", 6)),
        ),
        ship(SCHOONER, 0, (2500, 2500, 90)),
        ship(FLAGSHIP, 1, (1564, 1500, 90), crew=MARINES),
        slot=1,
        options={"ships_each": 2},
    )
    line.do(Board(P[1], 2, 0)).do(Commit(P[1])).do(Commit(P[0]))
    line.roll(1, 1, 1, 6, 6, 6)
    return line


def test_a_prize_of_the_imperials() -> None:
    """PWR-97: the Lieutenant and marines for half the captured crew; it cannot fight."""
    line = imperial_prize()
    assert line.asked() == "press_on"
    line.do(Press(P[1]))
    assert "is taken, with 6 men" in line.told()
    assert line.refusal(ManPrize(P[1], 1)) == "PWR-97"
    line.do(ManPrize(P[1], 0))
    assert line.aboard(0) == 1 + 3
    prize = line.ships[0]
    assert prize.prize
    assert prize.player == P[1]
    free = tasks(
        *(
            s._replace(crew=tuple((h._replace(busy=False), n) for h, n in s.crew))
            for s in line.ships
        ),
        slot=1,
        options={"ships_each": 2},
    )
    assert not any(isinstance(a, FireGun) and a.ship == 0 for a in free.legal())
    assert free.refusal(FireGun(P[1], 0, 0, "ball", 1, "")) in ("PWR-97", "PWR-56")


def test_a_prize_beyond_cannon_range_leaves() -> None:
    """PWR-97: it is removed once it is out of range of every enemy, and sails like any ship."""
    marines = crew_of(("lieutenant", "deck", 1), ("marine", "deck", 3))
    for x, fate in ((1900, "afloat"), (2900, "gone")):
        line = battle(
            ship(RUNNER, 1, (1500, 1500, 90), crew=marines, prize=True),
            ship(FLAGSHIP, 1, (1500, 300, 90)),
            ship(SCHOONER, 0, (x, 1500, 90)),
            stage=Between("flee"),
        )
        after = go_on(Step(line.state)).state
        assert after.ships[0].fate == fate, x
    moving = battle(ship(RUNNER, 0, (1500, 1500, 90), crew=marines, prize=True), THIRD, wind="N")
    assert moving.ships[0].left == 48
    moving.do(Sail(P[0], 0, (ahead(moving.ships[0].pose, 48),)))


def test_sailors_who_have_come_to_a_prize_reset_her_sails() -> None:
    """PWR-82, PWR-97: she cannot fight, but what her hands are tasked with is done."""
    crew = crew_of(("lieutenant", "deck", 1), ("marine", "deck", 3, True), ("sailor", "deck", 6))
    prize = ship(SCHOONER, 1, (600, 600, 90), crew=crew, prize=True, sf=5, complement=4)
    foe = ship(BARRACUDA, 0, (600, 1000, 90))
    line = tasks(prize, foe, slot=0, order=(1, 0), options={"losses": "order"})
    todo = GAME.view(line.state, None).sheets[0].todo
    assert "reset up to 3 sail factors" in todo
    assert not any("fire" in words for words in todo)
    line.do(ResetSails(P[1], 0, 2)).until("initiative")
    assert line.ships[0].sf == 7


def test_strangers_cannot_answer() -> None:
    """PWR-63: figures of the other side, or more than are owed, are refused."""
    line = fight()
    throw(line, 8, 2, 4, 0, 2)
    assert line.refusal(Lose(P[0], 1, "sailor", "deck", 1)) == "PWR-63"
    assert line.refusal(Lose(P[0], 0, "pirate", "deck", 3)) == "PWR-63"
    assert line.refusal(Lose(P[0], 0, "pirate", "castle", 1)) == "PWR-63"
    assert line.refusal(Lose(P[1], 1, "sailor", "deck", 1)) == "PWR-35"
    assert won().asked() in ("press_on", "man_prize", "tasks")
