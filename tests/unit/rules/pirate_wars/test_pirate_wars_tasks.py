"""Tasks: moving figures and cannons, loading, swimming, scuttling."""

from __future__ import annotations

from companion.rules.game import Decision
from companion.rules.pirate_wars.actions import (
    Board,
    Commit,
    Cross,
    Disembark,
    Done,
    Fall,
    HoldBack,
    LoadArms,
    LoadGun,
    Lower,
    Post,
    Press,
    Scuttle,
    ShiftGun,
    Shoot,
    Swim,
)
from companion.rules.pirate_wars.pieces import Shoal
from companion.rules.pirate_wars.state import Hit
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    CLIPPER,
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

FAR = ship(FLAGSHIP, 1, (300, 300, 0))


def alone(design: str = SCHOONER, **changes) -> Battle:
    """Return the task phase of a ship that nobody bothers."""
    return tasks(ship(design, 0, (1500, 1500, 0), **changes), FAR, slot=0)


def idle(line: Battle, kind: str) -> int:
    return sum(n for hand, n in line.ships[0].crew if hand.kind == kind and not hand.busy)


def test_one_task_a_figure() -> None:
    """PWR-56, PWR-78: whoever was posted has had its task; any station of the ship will do."""
    line = alone(crew=crew_of(("pirate", "deck", 4), ("pirate", "guns", 2)))
    line.do(Post(P[0], 0, "pirate", "deck", "castle", 3))
    assert idle(line, "pirate") == 3
    assert line.refusal(Post(P[0], 0, "pirate", "castle", "deck", 1)) == "PWR-56"
    assert line.refusal(Post(P[0], 0, "pirate", "deck", "deck", 1)) == "PWR-78"
    assert line.refusal(Post(P[0], 0, "pirate", "deck", "cabin", 1)) == "PWR-78"
    runner = alone(RUNNER)
    assert runner.refusal(Post(P[0], 0, "pirate", "deck", "castle", 1)) == "PWR-78"


def test_officers_move_freely() -> None:
    """PWR-56: for Captain and First Mate moving is no task, even after another one."""
    line = alone()
    line.do(Post(P[0], 0, "pirate-captain", "deck", "castle", 1))
    assert idle(line, "pirate-captain") == 1
    line.do(Post(P[0], 0, "pirate-captain", "castle", "helm", 1))
    line.do(Scuttle(P[0], 0))
    assert idle(line, "pirate-captain") == 0
    line.do(Post(P[0], 0, "pirate-captain", "helm", "deck", 1))


def test_marines_fire_load_and_board_and_do_nothing_else() -> None:
    """PWR-56: "Imperial marines may only fire and reload muskets and participate in Boarding"."""
    line = tasks(ship(FLAGSHIP, 0, (1500, 1500, 0)), ship(SCHOONER, 1, (300, 300, 0)), slot=0)
    assert line.refusal(Post(P[0], 0, "marine", "deck", "castle", 1)) == "PWR-56"
    assert line.refusal(Post(P[0], 0, "lieutenant", "deck", "castle", 1)) == "PWR-56"
    moved = {a.figure for a in line.legal() if isinstance(a, Post)}
    assert moved == {"imperial-captain", "first-mate", "sailor"}


def test_marines_do_not_serve_cannons() -> None:
    """PWR-9: they load muskets and fire them, aboard ship nothing else."""
    crew = crew_of(("marine", "guns", 4), ("marine", "deck", 2))
    flagship = ship(FLAGSHIP, 0, (1500, 1500, 0), crew=crew)
    line = tasks(flagship, ship(SCHOONER, 1, (1500, 1100, 0)), slot=0)
    assert line.refusal(LoadGun(P[0], 0, 0, 1)) == "PWR-56"
    assert not any(type(a).__name__ in ("FireGun", "LoadGun", "ShiftGun") for a in line.legal())
    assert GAME.check(line.state, LoadArms(P[0], 0, "marine", 6))


def test_loading_muskets() -> None:
    """PWR-18, PWR-80: one figure, one round; it can fire in the next."""
    crew = crew_of(("pirate-musket", "deck", 3), ("pirate", "deck", 2))
    line = tasks(
        ship(SCHOONER, 0, (1500, 1500, 0), crew=crew), ship(FLAGSHIP, 1, (1500, 1200, 0)), slot=0
    )
    shot = Shoot(P[0], 0, "pirate-musket", "musket", 1, 1, "deck")
    assert line.refusal(shot) == "PWR-18"
    assert line.refusal(LoadArms(P[0], 0, "pirate", 1)) == "PWR-80"
    line.do(LoadArms(P[0], 0, "pirate-musket", 2))
    assert line.refusal(LoadArms(P[0], 0, "pirate-musket", 2)) == "PWR-80"
    assert line.refusal(shot) == "PWR-18"
    rested = tasks(*line.ships, slot=0)
    rested.state = rested.state._replace(
        ships=tuple(
            s._replace(crew=tuple(sorted((h._replace(busy=False), n) for h, n in s.crew)))
            for s in rested.ships
        )
    )
    assert GAME.check(rested.state, shot)


def test_loading_cannons_and_deck_guns() -> None:
    """PWR-80: two figures load a cannon, one loads half of it; a deck gun takes one."""
    guns = ship(BARRACUDA, 0).guns
    empty = tuple(gun._replace(load=0) for gun in guns)
    line = alone(BARRACUDA, guns=empty)
    assert line.refusal(LoadGun(P[0], 0, 0, 3)) == "PWR-80"
    line.do(LoadGun(P[0], 0, 0, 2)).do(LoadGun(P[0], 0, 1, 1))
    assert line.refusal(LoadGun(P[0], 0, 4, 2)) == "PWR-80"
    line.do(LoadGun(P[0], 0, 4, 1))
    assert [gun.load for gun in line.ships[0].guns] == [2, 1, 0, 0, 2]
    few = alone(BARRACUDA, guns=empty, crew=crew_of(("pirate", "guns", 1)))
    assert few.refusal(LoadGun(P[0], 0, 0, 2)) == "PWR-80"
    assert alone(BARRACUDA).refusal(LoadGun(P[0], 0, 0, 1)) == "PWR-80"


def test_moving_a_cannon() -> None:
    """PWR-79: two figures take it across; in that turn it neither fires nor is loaded."""
    line = alone()
    line.do(ShiftGun(P[0], 0, 2))
    assert [gun.side for gun in line.ships[0].guns] == ["port", "port", "starboard", "port"]
    assert line.refusal(LoadGun(P[0], 0, 2, 1)) == "PWR-79"
    assert alone(BARRACUDA).refusal(ShiftGun(P[0], 0, 0)) == "PWR-79"
    assert alone(REVISED).refusal(ShiftGun(P[0], 0, 0)) == "PWR-79"
    one = alone(crew=crew_of(("pirate", "guns", 1)))
    assert one.refusal(ShiftGun(P[0], 0, 0)) == "PWR-79"


def swimmers(x: float, y: float, fresh: bool = False) -> Shoal:
    return Shoal(P[0], 0, "pirate", (("first-mate", 1), ("pirate", 3)), x, y, fresh)


def test_swimming() -> None:
    """PWR-57, PWR-78: eight dots a round toward a ship of one's own, or aboard from so near."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, shoals=[swimmers(1500, 1748)])
    before = line.aboard(0)
    line.do(Swim(P[0], 0, 0))
    shoal = line.state.shoals[0]
    assert (shoal.x_mm, round(shoal.y_mm)) == (1500, 1684)
    assert line.refusal(Swim(P[0], 0, 0)) == "PWR-78"
    near = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, shoals=[swimmers(1500, 1600)])
    near.do(Swim(P[0], 0, 0))
    assert near.aboard(0) == before + 4
    assert near.state.shoals == ()
    # They had their task; their pistols are wet.
    assert all(h.busy for h, _ in near.ships[0].crew if not h.loaded and h.kind == "first-mate")


def test_one_swimmer_swims_and_several_swim() -> None:
    """PWR-78: the words agree with the number of figures."""
    said = []
    for y, count in ((1748, 1), (1600, 1), (1748, 2), (1600, 2)):
        water = swimmers(1500, y)._replace(figures=(("pirate", count),))
        line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, shoals=[water])
        said.append(line.do(Swim(P[0], 0, 0)).told().split()[2])
    assert said == ["swims", "climbs", "swim", "climb"]


def test_nobody_swims_in_the_round_they_fell() -> None:
    """PWR-57, PWR-78: overboard is overboard for the round; enemies take nobody aboard."""
    line = tasks(
        ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, shoals=[swimmers(1500, 1600, True)]
    )
    assert line.refusal(Swim(P[0], 0, 0)) == "PWR-78"
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, shoals=[swimmers(400, 350)])
    assert line.refusal(Swim(P[0], 0, 1)) == "PWR-78"
    assert line.refusal(Swim(P[0], 3, 0)) == "PWR-78"


def test_who_falls_off_a_ship_swims() -> None:
    """PWR-57, PWR-78: set down or knocked off, a figure is overboard and does nothing but swim."""
    line = alone(crew=crew_of(("pirate-captain", "deck", 1), ("pirate", "castle", 30)))
    knocked = Fall(P[0], 0, "pirate", "castle", "water")
    assert knocked in GAME.asides(line.state)
    assert line.refusal(Fall(P[0], 0, "pirate", "castle", "over")) == "PWR-57"
    assert all(fall.how == "water" for fall in GAME.asides(line.state))
    assert line.refusal(Fall(P[0], 0, "pirate", "deck", "water")) == "PWR-125"
    line.do(knocked)
    assert (line.rules(), line.asked()) == (["PWR-57"], "tasks")
    assert (line.aboard(0), line.state.shoals[0].figures) == (30, (("pirate", 1),))
    assert line.refusal(Swim(P[0], 0, 0)) == "PWR-78"
    line.until("tasks")
    while line.player:
        line.done()
    assert GAME.check(line.state, Swim(P[0], 0, 0))


def test_scuttling() -> None:
    """PWR-76: the whole hull at the end of the phase, and as many figures as it had factors."""
    line = alone(
        FLAGSHIP, crew=crew_of(("imperial-captain", "deck", 1, True), ("sailor", "deck", 14))
    )
    line.do(Scuttle(P[0], 0))
    assert line.refusal(Scuttle(P[0], 0)) == "PWR-76"
    line.done()
    assert line.ships[0].fate == "sunk"
    assert "blows up" in " ".join(h.text for h in line.happenings)
    # Four of fifteen; of eleven six die, the Captain among them.
    assert [s.size for s in line.state.shoals] == [5]
    unloaded = alone(FLAGSHIP, crew=crew_of(("imperial-captain", "deck", 1), ("sailor", "deck", 3)))
    assert unloaded.refusal(Scuttle(P[0], 0)) == "PWR-76"
    assert alone(crew=crew_of(("pirate", "deck", 9))).refusal(Scuttle(P[0], 0)) == "PWR-76"


def test_scuttling_in_a_boarding() -> None:
    """PWR-58, PWR-76: the last that a Captain does who was held back from the fight.

    The ship lashed to his takes half of the hull as ball, and loses as many boarders as the whole.
    """
    crew = crew_of(("imperial-captain", "deck", 1, True), ("sailor", "deck", 15))
    line = tasks(
        ship(SCHOONER, 0, (1500, 1500, 90), crew=crew_of(("pirate", "deck", 30))),
        ship(FLAGSHIP, 1, (1580, 1500, 90), crew=crew),
        ship(FLAGSHIP, 1, (300, 300, 0)),
        order=(1, 0),
        options={"ships_each": 2, "losses": "order"},
    )
    line.do(Board(P[0], 0, 1)).do(Commit(P[0]))
    line.do(HoldBack(P[1], 1, "imperial-captain", "deck", 1)).do(Commit(P[1]))
    line.roll(*[6] * 30).roll(*[6] * 15)
    line.do(Press(P[0])).do(Press(P[1])).done()
    assert line.player == P[1]
    assert line.refusal(LoadArms(P[1], 1, "imperial-captain", 1)) == "PWR-58"
    assert Scuttle(P[1], 1) in line.legal()
    (page,) = (sheet for sheet in GAME.view(line.state, None).sheets if sheet.tag == 2)
    assert page.todo == ("nothing but blow up the ship: her Captain was held back",)
    line.do(Scuttle(P[1], 1)).done()
    # Half of four is two balls: two sails, two figures; and four boarders.
    assert line.hulls()[0] == (6, 6)
    assert line.aboard(0) == 30 - 2 - 4
    assert line.ships[1].fate == "sunk"


def test_no_launches_in_a_turn_in_which_a_ship_sinks() -> None:
    """PWR-114: who blows up lowers none, and who has lowered one does not blow up."""
    chosen = {"launches": True, "losses": "order"}
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, options=chosen)
    lower = Lower(P[0], 0, (("pirate", 4),), 0)
    assert GAME.check(line.state, lower)
    line.do(Scuttle(P[0], 0))
    assert line.refusal(lower) == "PWR-114"
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, slot=0, options=chosen)
    line.do(lower)
    line.do(line.legal()[0])
    assert line.refusal(Scuttle(P[0], 0)) == "PWR-114"


def sinking_by_fire(hull: int) -> Battle:
    """Return a task phase of a ship that was hit twice with ball, one hull factor on top."""
    line = tasks(
        ship(FLAGSHIP, 0, (1500, 1500, 0), hf=hull, sf=0, wanted=0),
        FAR,
        slot=0,
        options={"launches": True, "losses": "order"},
    )
    line.state = line.state._replace(hits=(Hit(0, "ball", 1), Hit(0, "hull", 1)))
    return line


def test_no_launches_off_a_ship_that_sinks_by_fire() -> None:
    """PWR-114, PWR-36: the hits of this phase sink her at its end, and everybody knows it."""
    lower = Lower(P[0], 0, (("sailor", 4),), 0)
    doomed = sinking_by_fire(2)
    refused = GAME.check(doomed.state, lower)
    assert (refused.rule, "sinks by the hits" in refused.reason) == ("PWR-114", True)
    assert not any(isinstance(action, Lower) for action in doomed.legal())
    assert GAME.check(sinking_by_fire(3).state, lower)


def test_nobody_steps_into_a_launch_off_a_ship_that_sinks() -> None:
    """PWR-114: not into one that has put off before, either."""
    line = sinking_by_fire(3)
    line.do(Lower(P[0], 0, (("sailor", 4),), 0)).do(line.legal()[0])
    step_over = Cross(P[0], 0, 2, (("sailor", 1),), 0)
    assert GAME.check(line.state, step_over)
    line.state = line.state._replace(hits=(*line.state.hits, Hit(0, "hull", 1)))
    assert line.refusal(step_over) == "PWR-114"


def test_one_does_what_several_do() -> None:
    """The words agree with the number of figures."""
    line = tasks(ship(BARRACUDA, 0, (1500, 1500, 0)), FAR, slot=0)
    said = [
        GAME.describe(line.state, action)
        for count in (1, 2)
        for action in (
            Shoot(P[0], 0, "first-mate", "pistol", count, 1, "deck"),
            LoadArms(P[0], 0, "pirate-hook", count),
            Post(P[0], 0, "pirate", "deck", "castle", count),
            Disembark(P[0], 0, (("pirate", count),), 0),
            Cross(P[0], 0, 1, (("pirate", count),), 0),
        )
    ]
    verbs = ["fires", "loads", "goes", "goes", "crosses", "fire", "load", "go", "go", "cross"]
    assert all(f" {verb} " in f"{text} " for verb, text in zip(verbs, said, strict=True)), said


def test_going_on_is_what_playing_on_means() -> None:
    """PWR-36: the phase of a side ends when it says so; the lowest initiative comes first."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    pending = GAME.pending(line.state)
    assert isinstance(pending, Decision)
    assert pending.player == P[1]
    assert pending.passing == Done(P[1])
    line.done()
    assert line.player == P[0]
    assert line.refusal(Done(P[1])) == "PWR-35"


def test_declared_attacks_are_counted() -> None:
    """PWR-3: the question says how much will be thrown for."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1100, 0)), slot=0)
    line.fire(0, 0, "ball", 1)
    assert "throw for 1 declared" in GAME.pending(line.state).text


def test_who_has_nobody_left_is_not_waited_for() -> None:
    """PWR-36: her captain is out from the next turn on, but still in the order of this one."""
    fleet = (
        ship(SCHOONER, 0, (1500, 1500, 0)),
        ship(FLAGSHIP, 1, (0, 0, 0), crew=(), fate="gone"),
        ship(RUNNER, 2, (300, 300, 0)),
    )
    assert tasks(*fleet).done().player == P[0]
    floating = Shoal(P[1], 1, "imperial", (("sailor", 3),), 900.0, 900.0, fresh=False)
    assert tasks(*fleet, shoals=[floating]).done().player == P[0], "with no ship to swim to"
    empty = ship(CLIPPER, 1, (920, 900, 0), crew=())
    assert tasks(*fleet, empty, shoals=[floating]).done().player == P[1]
