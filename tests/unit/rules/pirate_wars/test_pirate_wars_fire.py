"""Fire: bores, ranges, rakes, criticals, bursting cannons, muskets and pistols; damage."""

from __future__ import annotations

import pytest

from companion.rules.game import CHANCE, ChanceRoll
from companion.rules.layout import Die
from companion.rules.pirate_wars.actions import Done, FireGun, LoadArms, LoadGun, Lower, Post, Shoot
from companion.rules.pirate_wars.built.damage import Chart, struck
from companion.rules.pirate_wars.built.ships import DOT_MM
from companion.rules.pirate_wars.crew import of
from companion.rules.pirate_wars.dice import batches, successes_only
from companion.rules.pirate_wars.fighting.gunnery import (
    bears,
    gun_dots,
    is_raking,
    ranged,
    ship_dots,
)
from companion.rules.pirate_wars.stages import Attack, Firing, Volley
from companion.rules.plane import toward
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    FLAGSHIP,
    GAME,
    REVISED,
    RUNNER,
    SCHOONER,
    Battle,
    P,
    crew_of,
    ship,
    tasks,
)


def duel(dots: float = 50, heading: float = 0, slot: int = 0, **changes) -> Battle:
    """Return a Schooner and a Flagship on her port side, the Schooner the last to fire."""
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - dots * DOT_MM, heading), **changes)
    return tasks(ship(SCHOONER, 0, (1500, 1500, 0)), flagship, slot=slot)


def test_a_bore_must_meet_the_waterline() -> None:
    """PWR-68: straight down the bore; a ship abeam is met, one ahead or on the other side not."""
    line = duel()
    assert all(bears(line.state, 0, gun, 1) for gun in range(4))
    aft = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1900, 0)), slot=0)
    assert aft.refusal(FireGun(P[0], 0, 0, "ball", 1, "")) == "PWR-68"
    ahead = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (2100, 1500, 0)), slot=0)
    assert not any(isinstance(a, FireGun) for a in ahead.legal())


def test_ships_and_islands_between_stop_a_ball() -> None:
    """PWR-68, PWR-75: a line that another hull or an island crosses hits nothing behind it."""
    between = ship(FLAGSHIP, 1, (1500, 1300, 0))
    line = tasks(
        ship(SCHOONER, 0, (1500, 1500, 0)),
        ship(FLAGSHIP, 1, (1500, 900, 0)),
        between,
        slot=0,
        options={"ships_each": 2},
    )
    assert line.refusal(FireGun(P[0], 0, 1, "ball", 1, "")) == "PWR-68"
    assert GAME.check(line.state, FireGun(P[0], 0, 1, "ball", 2, ""))
    isle = {"kind": "island", "x_mm": 1500, "y_mm": 1250, "across_dots": 60, "depth_dots": 0}
    far = duel(75).state
    hidden = far._replace(options=tasks(*far.ships, options={"terrain": [isle]}).state.options)
    assert not bears(hidden, 0, 1, 1)
    shot = Shoot(P[0], 0, "pirate-musket", "musket", 1, 1, "deck")
    assert GAME.check(far, shot)
    assert GAME.check(hidden, shot).rule == "PWR-75"


def test_a_turntable() -> None:
    """PWR-68: a cannon on a turntable points anywhere but along its own ship."""
    for bearing, fires in ((90, True), (40, True), (20, False), (170, False)):
        x, y = toward((1500, 1500), bearing, 500)
        line = tasks(ship(REVISED, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (x, y, bearing)), slot=0)
        assert bears(line.state, 0, 0, 1) == fires, bearing


def test_a_ship_that_is_hidden_in_part_is_seen() -> None:
    """PWR-75: one free line from hull to hull is enough; behind a whole ship nobody is seen."""
    shot = Shoot(P[0], 0, "pirate-musket", "musket", 1, 1, "deck")
    for x, seen in ((1500, True), (1280, True), (1120, True)):
        line = tasks(
            ship(SCHOONER, 0, (1500, 1500, 0)),
            ship(FLAGSHIP, 1, (1500, 1000, 90)),
            ship(RUNNER, 0, (x, 1300, 0)),
            slot=0,
            options={"ships_each": 2},
        )
        assert bool(GAME.check(line.state, shot)) == seen, x
    line = tasks(
        ship(FLAGSHIP, 0, (1500, 1500, 90)),
        ship(FLAGSHIP, 1, (1500, 1100, 90)),
        ship(SCHOONER, 1, (1500, 1300, 0)),
        slot=0,
        options={"ships_each": 2},
    )
    assert line.refusal(Shoot(P[0], 0, "marine", "musket", 1, 1, "deck")) == "PWR-75"


def test_a_gun_that_turns_fires_at_what_can_be_seen_of_a_ship() -> None:
    """PWR-68: it may point at any part of the target, not only at the nearest."""
    at, schooner = ship(REVISED, 0, (1468, 1500, 0)), ship(SCHOONER, 1, (1500, 1000, 0))
    for heading, fires in ((90, True), (0, False)):
        between = ship(FLAGSHIP if fires else BARRACUDA, 1, (1500, 1300, heading))
        line = tasks(at, schooner, between, slot=0, options={"ships_each": 2})
        assert bears(line.state, 0, 0, 2)
        assert bears(line.state, 0, 0, 1) == fires, heading


def test_range_is_found_out_after_declaring() -> None:
    """PWR-3, PWR-69: out of range is legal to declare; the shot is wasted, the cannon empty."""
    line = duel(dots=120).fire(0, 0, "ball", 1)
    assert line.asked() == "tasks"
    line.done()
    assert "fires in vain: " in line.told()
    assert "PWR-69" in line.rules()
    assert line.ships[0].guns[0].load == 0
    assert line.hulls()[1] == (4, 5)


def test_range_counts_from_the_closest_cannon() -> None:
    """PWR-69: the closest of the cannons that fire decides for all of them."""
    own = ship(SCHOONER, 0, (1500, 1500, 0))
    line = tasks(own, ship(FLAGSHIP, 1, (1500, 1500 - 88 * DOT_MM, 40)), slot=0)
    away = [gun_dots(line.state, 0, gun, 1) for gun in range(4)]
    assert min(away) < 72 < max(away)
    declared = [gun for gun in range(4) if bears(line.state, 0, gun, 1)]
    assert max(away[g] for g in declared) > 72 > min(away[g] for g in declared)
    for gun in declared:
        line.fire(0, gun, "shot", 1)
    line.done()
    assert "in vain" not in line.told()
    assert len(line.state.stage.volleys) == len(declared)


def test_the_order_of_the_dice() -> None:
    """PWR-3, PWR-67: everything is declared, then thrown in the declared order, three a cannon."""
    line = duel().fire(0, 2, "ball", 1).fire(0, 0, "shot", 1)
    line.do(Shoot(P[0], 0, "pirate-musket", "musket", 3, 1, "castle"))
    line.do(Shoot(P[0], 0, "pirate-musket", "musket", 1, 1, "castle"))
    line.done()
    texts = []
    for faces in ((3, 4, 5), (4, 5, 6), (4, 4, 4, 5)):
        pending = GAME.pending(line.state)
        assert isinstance(pending, ChanceRoll)
        texts.append(pending.text)
        line.roll(*faces)
    assert "cannon 3 (port, ball)" in texts[0]
    assert "2 or less" in texts[0]
    assert "cannon 1 (port, shot)" in texts[1]
    # Muskets at one target number and one place are one throw.
    assert "throw 4 d6" in texts[2]


def test_fire_takes_effect_at_the_end_of_the_phase() -> None:
    """PWR-36: the side with the lower initiative fires first, and is answered at full strength."""
    line = duel(slot=1, heading=180).fire(1, 0, "ball", 0).fire(1, 1, "ball", 0).done()
    line.roll(1, 1, 3).roll(1, 2, 3)
    assert line.hulls()[0] == (6, 8)
    assert line.player == P[0]
    for gun in range(4):
        line.fire(0, gun, "ball", 1)
    line.done()
    for _ in range(4):
        line.roll(1, 2, 4)
    line.lose_any()
    # Eight balls: five sails and three hulls; four: three sails and one hull.
    assert line.hulls() == [(5, 5), (1, 0)]


def test_nobody_runs_from_fire_before_it_takes_effect() -> None:
    """PWR-36: as many as were hit at a station stay there to the end of the phase."""
    crew = crew_of(("pirate-captain", "helm", 1), ("pirate", "deck", 6), ("pirate", "castle", 12))
    schooner = ship(SCHOONER, 0, (1500, 1500, 0), crew=crew)
    line = tasks(
        schooner, ship(FLAGSHIP, 1, (1500, 1260, 0)), options={"launches": True, "losses": "order"}
    )
    line.do(Shoot(P[1], 1, "marine", "musket", 7, 0, "deck")).done()
    line.roll(1, 1, 2, 2, 6, 6, 6)
    assert line.player == P[0]
    assert line.refusal(Post(P[0], 0, "pirate", "deck", "guns", 3)) == "PWR-36"
    assert line.refusal(Post(P[0], 0, "pirate", "deck", "guns", 7)) == "PWR-56"
    offered = [a for a in line.legal() if isinstance(a, Post) and a.start == "deck"]
    assert {a.count for a in offered} == {1, 2}
    line.do(Post(P[0], 0, "pirate", "deck", "guns", 1))
    # The launch takes whoever is idle, those aloft first.
    assert GAME.check(line.state, Lower(P[0], 0, (("pirate", 6),), 0))
    line.do(Post(P[0], 0, "pirate", "castle", "guns", 12))
    assert line.refusal(Lower(P[0], 0, (("pirate", 2),), 0)) == "PWR-36"
    line.done()
    # Four of the five who were left on deck fall.
    assert line.aboard(0) == 19 - 4


def test_ball_and_shot() -> None:
    """PWR-10, PWR-11, PWR-70, PWR-86: ball takes the topmost open rows, shot only sails."""
    chart = Chart("SSHSHSHSH", 4, 5)
    assert struck(chart, "ball", 3)[0][1:] == (3, 3)
    assert struck(chart, "shot", 3)[0][1:] == (4, 2)
    assert struck(chart, "shot", 9) == (Chart("SSHSHSHSH", 4, 0), 5)
    assert struck(chart, "ball", 99) == (Chart("SSHSHSHSH", 0, 0), 9)


def test_sails_go_with_the_hull() -> None:
    """PWR-87, PWR-88: two hull factors of a Flagship take three sails along: five figures."""
    assert struck(Chart("SSHSHSHSH", 4, 5), "hull", 2) == (Chart("SSHSHSHSH", 2, 2), 5)
    line = duel()
    before = line.aboard(1)
    line.fire(0, 0, "ball", 1).done().roll(1, 2, 6)
    line.lose_any()
    assert line.aboard(1) == before - 2
    assert line.hulls()[1] == (4, 3)


def test_the_captain_chooses_who_falls() -> None:
    """PWR-88: by kind and station; the Captain only when nobody else is left."""
    line = duel().fire(0, 0, "ball", 1).done().roll(1, 2, 6)
    assert line.asked() == "lose_figures"
    assert line.player == P[1]
    figures = {action.figure for action in line.legal()}
    assert "imperial-captain" not in figures
    assert {"marine", "sailor", "lieutenant", "first-mate"} <= figures
    assert line.refusal(line.legal()[0].__class__(P[1], 1, "marine", "deck", 3)) == "PWR-88"
    line.lose(1, "marine", "deck", 1).lose(1, "sailor", "guns", 1)
    assert line.aboard(1) == 17


def test_the_house_order_of_losses() -> None:
    """PWR-88: where the table leaves it to the order, plain hands fall first, unasked."""
    flagship = ship(FLAGSHIP, 1, (1500, 1100, 0))
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), flagship, slot=0, options={"losses": "order"})
    line.fire(0, 0, "ball", 1).done().roll(1, 2, 6)
    assert line.asked() != "lose_figures"
    left = {hand.kind: 0 for hand, _ in line.ships[1].crew}
    for hand, count in line.ships[1].crew:
        left[hand.kind] += count
    assert left["sailor"] == 9 - 2
    assert left["marine"] == 7


def test_rakes() -> None:
    """PWR-71: a cannon ahead or astern of the target, in the strip of its hull, doubles shot."""
    stern = duel(heading=270)
    assert is_raking(stern.state, 0, 1, 1) or is_raking(stern.state, 0, 2, 1)
    assert not any(is_raking(duel().state, 0, gun, 1) for gun in range(4))
    stern.fire(0, 1, "ball", 1).fire(0, 2, "shot", 1).done()
    stern.roll(2, 4, 5)
    assert "1 hit with ball" in stern.told()
    stern.roll(3, 5, 5)
    assert "2 hits with shot" in stern.told()
    assert stern.state.stage.__class__.__name__ != "Firing"


@pytest.mark.parametrize(("off", "rakes"), [(31.9, True), (37.9, True), (38.1, False)])
def test_dead_astern_is_measured_like_a_bore(off: float, rakes: bool) -> None:
    """PWR-71: half of the beam, 32 mm, to either side of the keel, and 6 mm are forgiven."""
    # The first cannon of the Schooner stands nine dots ahead of her middle.
    astern = ship(FLAGSHIP, 1, (1500 + 9 * DOT_MM + off, 1500 - 50 * DOT_MM, 270))
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), astern, slot=0)
    assert is_raking(line.state, 0, 0, 1) == rakes
    strict = tasks(*line.ships, slot=0, options={"tolerance_mm": 1})
    assert is_raking(strict.state, 0, 0, 1) == (off <= 33)


def test_critical_hits_with_ball_alone() -> None:
    """PWR-72, PWR-77: three hits with ball and one die more."""
    effects = {
        1: lambda line: not line.ships[1].steering,
        2: lambda line: [g.load for g in line.ships[1].guns].count(-1) == 1,
        3: lambda line: line.hulls()[1] == (4 - 1, 5 - 2 - 2),
        4: lambda line: line.hulls()[1] == (4 - 2, 2),
        5: lambda line: not any(h.kind == "first-mate" for h, _ in line.ships[1].crew),
        6: lambda line: line.hulls()[1] == (4 - 3, 1),
    }
    for face, holds in effects.items():
        line = duel().fire(0, 0, "ball", 1).done().roll(1, 1, 2)
        assert line.asked() == "critical_hit"
        line.roll(face).lose_any()
        assert holds(line), face


def test_three_sixes_burst_a_cannon() -> None:
    """PWR-73: the cannon and its crew of two are lost, at the end of the phase."""
    line = duel().fire(0, 0, "ball", 1).done().roll(6, 6, 6)
    assert line.ships[0].guns[0].load == -1
    assert line.aboard(0) == 34 - 2
    assert line.refusal(LoadGun(P[1], 1, 0, 1)) in ("PWR-34", "PWR-35", "PWR-91")


def test_firing_from_too_near() -> None:
    """PWR-74: nearer than eight dots the cannon bursts and the own ship is hit as well."""
    line = duel(dots=16)
    assert gun_dots(line.state, 0, 1, 1) < 8
    line.fire(0, 1, "ball", 1).done().roll(1, 2, 5)
    told = {(h.text, h.rule) for h in line.happenings}
    assert ("The Skull's Eye Schooner loses cannon 2 and its crew", "PWR-74") in told
    line.lose_any()
    assert line.hulls() == [(6, 6), (4, 3)]
    assert line.ships[0].guns[1].load == -1


def test_a_cannon_fires_once_and_is_loaded_again() -> None:
    """PWR-18, PWR-80: empty after the shot; two figures load it in a round, one in two."""
    line = duel().fire(0, 0, "ball", 1)
    assert line.refusal(FireGun(P[0], 0, 0, "ball", 1, "")) == "PWR-79"
    line.done().roll(4, 4, 5)
    empty = line.ships[0].guns[0]
    assert empty.load == 0
    fresh = tasks(*line.ships, slot=0)
    fresh.state = fresh.state._replace(
        ships=tuple(
            s._replace(
                guns=tuple(g._replace(busy=False) for g in s.guns),
                crew=ship(s.design, s.player).crew,
            )
            for s in fresh.ships
        )
    )
    assert fresh.refusal(FireGun(P[0], 0, 0, "ball", 1, "")) == "PWR-80"
    fresh.do(LoadGun(P[0], 0, 0, 1))
    assert fresh.ships[0].guns[0].load == 1
    assert fresh.refusal(LoadGun(P[0], 0, 0, 1)) == "PWR-79"
    half = fresh.ships[0].guns[0]._replace(busy=False)
    again = duel()
    guns = (half, *again.ships[0].guns[1:])
    again.state = again.state._replace(ships=(again.ships[0]._replace(guns=guns), again.ships[1]))
    assert again.refusal(LoadGun(P[0], 0, 0, 2)) == "PWR-80"
    assert again.do(LoadGun(P[0], 0, 0, 1)).ships[0].guns[0].load == 2


@pytest.mark.parametrize(
    ("station", "dots", "kind", "target"),
    [("castle", 20, "marine", 4), ("deck", 20, "marine", 2)],
)
def test_muskets(station: str, dots: float, kind: str, target: int) -> None:
    """PWR-12, PWR-75: at the figure's Attack; two less against figures behind a railing."""
    line = duel(dots=dots + 10, slot=1)
    line.do(Shoot(P[1], 1, kind, "musket", 3, 0, station)).done()
    assert f"{target} or less hits" in GAME.pending(line.state).text
    line.roll(1, 1, 6)
    line.do(Done(P[0])).lose_any()
    left = sum(n for hand, n in line.ships[0].crew if hand.station == station)
    whole = sum(n for hand, n in ship(SCHOONER, 0).crew if hand.station == station)
    assert left == whole - 2


def test_nobody_fires_at_a_place_where_nobody_stands() -> None:
    """PWR-75: muskets, pistols and deck guns need a target that can be seen."""
    line = duel(dots=30, slot=1)
    crew = of(line.ships[0].crew, lambda hand: hand.station != "castle")
    line.state = line.state._replace(ships=(line.ships[0]._replace(crew=crew), line.ships[1]))
    ruling = GAME.check(line.state, Shoot(P[1], 1, "marine", "musket", 3, 0, "castle"))
    assert (ruling.rule, "can be seen on the top castles" in ruling.reason) == ("PWR-75", True)
    for nowhere in ("yard", "climbing"):
        assert line.refusal(Shoot(P[1], 1, "marine", "musket", 3, 0, nowhere)) == "PWR-75"
    assert GAME.check(line.state, Shoot(P[1], 1, "marine", "musket", 3, 0, "deck"))
    told = GAME.check(line.state, Shoot(P[1], 1, "marine", "musket", 3, 0, "deck", "deck"))
    assert (told.rule, "Do not say where they stand" in told.reason) == ("PWR-126", True)


def test_what_muskets_cannot_do() -> None:
    """PWR-6, PWR-17, PWR-18, PWR-75: the gun deck, four dots and less, empty muskets, sailors."""
    line = duel(dots=30, slot=1)
    assert line.refusal(Shoot(P[1], 1, "marine", "musket", 1, 0, "guns")) == "PWR-75"
    assert line.refusal(Shoot(P[1], 1, "marine", "musket", 8, 0, "deck")) == "PWR-18"
    assert line.refusal(Shoot(P[1], 1, "sailor", "musket", 1, 0, "deck")) == "PWR-18"
    line.do(Shoot(P[1], 1, "marine", "musket", 7, 0, "castle"))
    assert line.refusal(Shoot(P[1], 1, "marine", "musket", 1, 0, "castle")) == "PWR-18"
    close = duel(dots=12, slot=1)
    assert ship_dots(close.state, 1, 0) <= 4
    close.do(Shoot(P[1], 1, "marine", "musket", 7, 0, "castle")).done()
    assert "PWR-17" in close.rules()
    pistol = duel(dots=12, slot=1)
    pistol.do(Shoot(P[1], 1, "lieutenant", "pistol", 1, 0, "castle")).done()
    assert pistol.asked() == "fire"


def test_females_are_always_loaded() -> None:
    """PWR-7, PWR-13, PWR-18: their pistols need no loading, though a figure fires once a phase."""
    line = duel(dots=25)
    line.do(Shoot(P[0], 0, "pirate-female", "pistol", 4, 1, "castle"))
    assert all(hand.loaded for hand, _ in line.ships[0].crew if hand.kind == "pirate-female")
    assert line.refusal(Shoot(P[0], 0, "pirate-female", "pistol", 1, 1, "castle")) == "PWR-18"


def test_a_female_marine_loads_her_musket() -> None:
    """PWR-7, PWR-18: her pistols are always loaded, and nothing else is."""
    crew = crew_of(("marine-female", "deck", 2, True), ("imperial-captain", "deck", 1))
    flagship = ship(FLAGSHIP, 1, (1500, 1500 - 20 * DOT_MM, 0), crew=crew)
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), flagship, slot=1)
    line.do(Shoot(P[1], 1, "marine-female", "musket", 2, 0, "castle")).done().roll(6, 6).done()
    line.until("tasks")
    assert line.player == P[1]
    musket = Shoot(P[1], 1, "marine-female", "musket", 1, 0, "castle")
    assert line.refusal(musket) == "PWR-18"
    line.do(Shoot(P[1], 1, "marine-female", "pistol", 1, 0, "castle"))
    line.do(LoadArms(P[1], 1, "marine-female", 1)).done().roll(6).done()
    line.until("tasks")
    assert GAME.check(line.state, musket)


def test_shots_that_cannot_hit_are_not_thrown() -> None:
    """PWR-1, PWR-75: a pirate's 3 less 2 is 1; a sailor's deck gun at the railing would be 0."""
    sailors = crew_of(("sailor", "deck", 4))
    flagship = ship(FLAGSHIP, 1, (1500, 1200, 90), crew=sailors)
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), flagship, slot=0)
    line.do(Shoot(P[0], 0, "pirate-musket", "musket", 4, 1, "deck")).done()
    assert "1 or less hits" in GAME.pending(line.state).text
    attack = Attack(1, "deck-gun", 2, "sailor", 1, 0, "deck")
    volleys, lost = ranged(line.state, (attack,))
    assert volleys == ()
    assert "it cannot hit" in lost[0][2]


def test_a_deck_gun() -> None:
    """PWR-14: two dice at the Attack of whoever fires it, at figures ahead."""
    barracuda = ship(BARRACUDA, 0, (1500, 1500, 0))
    line = tasks(barracuda, ship(FLAGSHIP, 1, (1900, 1500, 90)), slot=0)
    line.do(FireGun(P[0], 0, 4, "gun", 1, "castle")).done()
    assert len(GAME.pending(line.state).dice) == 2
    assert "3 or less hits" in GAME.pending(line.state).text
    astern = tasks(barracuda, ship(FLAGSHIP, 1, (1100, 1500, 90)), slot=0)
    assert astern.refusal(FireGun(P[0], 0, 4, "gun", 1, "castle")) == "PWR-68"


@pytest.mark.parametrize(("apart", "thrown"), [(30, True), (30.5, False)])
def test_the_range_of_a_deck_gun_counts_from_the_bow(apart: float, thrown: bool) -> None:
    """PWR-69: 36 dots from the gun itself, in the middle of a bow six dots inside the beam."""
    beside = ship(FLAGSHIP, 1, (1500 + 24 * DOT_MM, 1500 - (6 + apart + 4) * DOT_MM, 0))
    line = tasks(ship(BARRACUDA, 0, (1500, 1500, 0)), beside, slot=0)
    assert ship_dots(line.state, 0, 1) == pytest.approx(apart)
    line.do(FireGun(P[0], 0, 4, "gun", 1, "castle")).done()
    assert (line.asked() == "fire") == thrown
    assert thrown or "36.5 dots is out of range: it reaches 36" in line.told()


@pytest.mark.parametrize(
    ("figure", "weapon", "apart", "why"),
    [
        ("pirate-musket", "musket", 4, "PWR-17"),
        ("pirate-musket", "musket", 4.1, ""),
        ("pirate-musket", "musket", 48, ""),
        ("pirate-musket", "musket", 48.1, "PWR-69"),
        ("pirate-female", "pistol", 0.5, ""),
        ("pirate-female", "pistol", 24, ""),
        ("pirate-female", "pistol", 24.1, "PWR-69"),
    ],
)
def test_exactly_in_range(figure: str, weapon: str, apart: float, why: str) -> None:
    """PWR-12, PWR-13, PWR-17, PWR-69: the last dot counts, and so does the fourth."""
    line = duel(6 + apart + 4)
    line.do(Shoot(P[0], 0, figure, weapon, 1, 1, "castle")).done()
    assert line.asked() == ("initiative" if why else "fire")
    assert line.rules()[:1] == [why] * bool(why)


@pytest.mark.parametrize(("ammo", "reach"), [("ball", 96), ("shot", 72)])
def test_cannons_reach_so_far_and_no_farther(ammo: str, reach: int) -> None:
    """PWR-10, PWR-11, PWR-69, PWR-74: exactly in range; exactly eight dots are not too near."""
    for apart, thrown, near in (
        (reach, True, False),
        (reach + 0.1, False, False),
        (8, True, False),
        (7.9, True, True),
    ):
        line = duel(6 + apart + 4).fire(0, 1, ammo, 1).done()
        assert (line.asked() == "fire") == thrown, apart
        assert not thrown or line.state.stage.volleys[0].near == near


def test_own_ships_are_not_fired_at() -> None:
    """PWR-67: a target is a ship of another side that is still there."""
    line = duel()
    assert line.refusal(FireGun(P[0], 0, 0, "ball", 0, "")) == "PWR-67"
    assert line.refusal(FireGun(P[0], 0, 0, "grape", 1, "")) == "PWR-67"
    assert line.refusal(FireGun(P[0], 0, 9, "ball", 1, "")) == "PWR-67"
    assert line.refusal(FireGun(P[0], 1, 0, "ball", 1, "")) == "PWR-56"


def test_big_throws_are_cut_at_thirty() -> None:
    """PWR-1: up to thirty dice in one throw; the odds are by the number of successes."""
    assert batches(31) == [30, 1]
    odds = successes_only(30, (1, 2, 3))
    assert len(odds) == 31
    assert sum(p for _, p in odds) == 1
    line = duel()
    many = Volley(Attack(0, "musket", -1, "pirate-musket", 35, 1, "castle"), 35, 3)
    line.state = line.state._replace(stage=Firing((many,)))
    assert len(GAME.pending(line.state).dice) == 30
    dice = tuple(Die("d6", face) for face in sorted([1, 2, 4, 5, 6] * 6))
    roll = GAME.roll_of(line.state, dice)
    assert roll is not None
    assert roll not in GAME.legal_actions(line.state, CHANCE)
    line.do(roll)
    assert line.told() == "12 hits of 30"
    assert len(GAME.pending(line.state).dice) == 5
    assert GAME.roll_of(line.state, dice) is None
