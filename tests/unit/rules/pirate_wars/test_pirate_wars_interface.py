"""The game interface: layouts, views, sheets, JSON, objections. What programs rely on."""

from __future__ import annotations

import json
from dataclasses import fields, replace

import pytest

from companion.errors import GameIsOver, IllegalAction, MalformedAction, NotYourTurn
from companion.rules.catalogue import find_game
from companion.rules.game import CHANCE, Happening
from companion.rules.layout import Pose, make_layout
from companion.rules.pirate_wars.actions import KINDS, Board, Commit, Done, Drift, Sail
from companion.rules.pirate_wars.codec import STAGES
from companion.rules.pirate_wars.pieces import NOWHERE, Shoal
from companion.rules.pirate_wars.rules import PHASES
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.stages import (
    Between,
    Fight,
    Finished,
    Firing,
    Losing,
    Moving,
    Pressing,
    Tasking,
)
from companion.rules.pirate_wars.state import Hit
from tests.unit.rules.pirate_wars.moves import ahead, turned
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
    tasks,
)

FAR = ship(FLAGSHIP, 1, (300, 300, 0))


def test_the_game_is_in_the_catalogue() -> None:
    """PWR-1, PWR-38: six-sided dice, and an eight-sided one for the wind; an open table."""
    game = find_game("pirate-wars")
    assert [kind.id for kind in game.info.dice] == ["d6", "d8"]
    assert game.info.profile == "open-table"
    assert {*PHASES} | {Finished, Between} == {*STAGES.values()}


def test_the_layout() -> None:
    """PWR-2: a dot is eight millimetres; ships by tag, islands and reefs from tag 101."""
    isle = {"kind": "island", "x_mm": 700, "y_mm": 900, "across_dots": 16, "depth_dots": 0}
    line = battle(ship(SCHOONER, 0, (1500, 1500, 30)), FAR, options={"terrain": [isle]})
    pieces = GAME.layout(line.state).pieces
    assert [*pieces] == [1, 2, 101]
    schooner = pieces[1]
    assert (schooner.kind, schooner.colour, schooner.pose) == ("ship", "red", Pose(1500, 1500, 30))
    width = max(x for x, _ in schooner.outline_mm) - min(x for x, _ in schooner.outline_mm)
    assert width == 48 * 8
    assert (pieces[101].kind, pieces[101].colour) == ("island", "")
    assert max(x for x, _ in pieces[101].outline_mm) == 64


def test_sunk_and_lost_ships_are_not_on_the_table() -> None:
    """PWR-90: whoever is out of the battle has no place in the layout."""
    sunk = ship(SCHOONER, 0)._replace(fate="sunk", crew=(), hf=0, sf=0)
    line = battle(ship(BARRACUDA, 0, (900, 900, 0)), sunk, FAR, options={"ships_each": 2})
    assert [*GAME.layout(line.state).pieces] == [1, 3]
    assert line.refusal(Drift(P[0], 1, NOWHERE)) == "PWR-35"


def test_the_sheet_of_a_ship() -> None:
    """PWR-84, PWR-85: the damage chart, crew by station, guns, and what can still be done."""
    own = ship(SCHOONER, 0, (1500, 1500, 0), hf=5, sf=4)
    line = tasks(own, ship(FLAGSHIP, 1, (1500, 1100, 0)), slot=0)
    sheet, other = GAME.view(line.state, None).sheets
    assert [(g.label, g.left, g.full) for g in sheet.gauges] == [
        ("Hull", 5, 6),
        ("Sails", 4, 8),
        ("Crew", 34, 34),
    ]
    rows = [(row.kind, row.label, row.is_lost) for row in sheet.chart]
    assert rows[:4] == [
        ("sail", "64", True),
        ("sail", "56", True),
        ("sail", "48", True),
        ("hull", "", True),
    ]
    assert rows[4:7] == [("sail", "40", True), ("hull", "", False), ("sail", "32", False)]
    assert "Cannon 1, port: loaded" in sheet.lines
    assert "Carries 4 SF: 32 dots" in sheet.lines
    assert any(text.startswith("fire 4 guns") for text in sheet.todo)
    assert any("muskets and pistols" in text for text in sheet.todo)
    assert "reset up to 1 sail factor" in sheet.todo
    assert other.todo == ()
    beside = tasks(own, ship(FLAGSHIP, 1, (1500, 1420, 0)), slot=0)
    assert "board the Imperial Flagship" in GAME.view(beside.state, None).sheets[0].todo
    moving = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    assert GAME.view(moving.state, None).sheets[0].todo == ("sail 64 dots",)


def test_what_hampers_a_ship_is_on_its_sheet() -> None:
    """PWR-50, PWR-77, PWR-93, PWR-97: in plain words."""
    own = ship(SCHOONER, 0, (1500, 1500, 0))
    for changes, text in (
        ({"stunned": True}, "Rammed: adrift, no tasks this round"),
        ({"steering": False}, "Rudder hit: no turning in the next move"),
        ({"mood": "mutinous"}, "Mutiny: the crew flees"),
        ({"prize": True}, "A prize: must leave, cannot fight"),
        ({"way": "adrift"}, "Adrift"),
    ):
        line = tasks(own._replace(**changes), FAR)
        assert text in GAME.view(line.state, None).sheets[0].lines
    lashed = tasks(own, ship(FLAGSHIP, 1, (1500, 1580, 0)), engaged=[(0, 1)])
    assert "Lashed to the Imperial Flagship" in GAME.view(lashed.state, None).sheets[0].lines
    note = GAME.view(lashed.state, None).notes[-1]
    assert note.startswith("The ")
    assert note.endswith("are lashed together")


def test_scores_of_a_seat() -> None:
    """PWR-19: hulls, sails and figures; nothing is secret."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    seat = GAME.view(line.state, None).seats[0]
    assert seat.scores == {"hull": 6, "sails": 8, "crew": 34}
    swims = line.state._replace(shoals=(Shoal(P[0], 0, "pirate", (("pirate", 3),), 300.0, 300.0),))
    assert GAME.view(swims, None).seats[0].scores["in the water"] == 3
    assert seat.colours == ("red",)
    assert GAME.view(line.state, P[1]) == GAME.view(line.state, None)


def test_who_fights_in_a_boarding_is_still_aboard() -> None:
    """PWR-59: a ship all of whose crew fights was lost for the scoreboard until dice had fallen."""
    crew = crew_of(("pirate", "deck", 8), ("pirate-musket", "deck", 1))
    sailors = crew_of(("sailor", "deck", 6), ("sailor", "guns", 4))
    line = tasks(
        ship(SCHOONER, 0, (1500, 1500, 90), crew=crew),
        ship(FLAGSHIP, 1, (1580, 1500, 90), crew=sailors),
        slot=0,
    )
    line.do(Board(P[0], 0, 1)).do(Commit(P[0])).do(Commit(P[1]))
    for asked in ("boarding", "lose_boarders"):
        assert line.asked() == asked
        view = GAME.view(line.state, None)
        assert [(seat.ships, seat.scores["crew"]) for seat in view.seats] == [(1, 9), (1, 10)]
        assert "On deck: 6 sailors" in view.sheets[1].lines
        if asked == "boarding":
            line.roll(*[6] * 9).roll(1, *[6] * 5)


def seen(line: Battle, number: int, pose: Pose):
    layout = GAME.layout(line.state)
    pieces = {**layout.pieces, number + 1: replace(layout.pieces[number + 1], pose=pose)}
    return make_layout({}, (), pieces)


def objection(line: Battle, number: int, pose: Pose) -> tuple[str, str]:
    ruling = GAME.objection(line.state, seen(line, number, pose))
    return ruling.rule, ruling.reason


def test_objections_to_a_way() -> None:
    """PWR-39, PWR-43, PWR-44: the measured excess, in millimetres or degrees."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    here = line.ships[0].pose
    assert objection(line, 0, ahead(here, 66))[1] == (
        "10 mm too far: the Skull's Eye Schooner has 64 dots (512 mm) left."
    )
    aside = replace(ahead(here, 64), y_mm=1512.0)
    assert objection(line, 0, aside)[1].startswith(
        "A leap is straight ahead: the Skull's Eye Schooner is 6 mm too far to the side."
    )
    corner = turned(line.state, 0, ahead(here, 48), 60)
    assert objection(line, 0, ahead(corner, 30))[1] == (
        "106 mm too far: the Skull's Eye Schooner has 16 dots (128 mm) left."
    )
    sharp = turned(line.state, 0, ahead(here, 48), 110)
    assert objection(line, 0, ahead(sharp, 16))[1] == (
        "20 degrees too much: the Skull's Eye Schooner may turn up to 90."
    )
    abeam = replace(here, y_mm=1700.0)
    assert "is 194 mm too far to the side. Move her forward" in objection(line, 0, abeam)[1]
    assert objection(line, 0, here)[0] == "PWR-35"
    assert objection(line, 0, ahead(here, 64)) == ("", "")
    rule, reason = objection(line, 1, Pose(500, 300, 0))
    assert (rule, reason) == (
        "PWR-35",
        "The Imperial Flagship stays where she was: she is 200 mm off.",
    )
    assert "turn her back by 20 degrees" in objection(line, 1, Pose(300, 300, 20))[1]


def test_objections_to_a_drift_and_a_fall() -> None:
    """PWR-42, PWR-46."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 270)), FAR, wind="N")
    rule, reason = objection(line, 0, Pose(1500, 1400, 270))
    assert rule == "PWR-42"
    assert "mm too" in reason
    line.drift(0).do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    assert line.asked() == "fall_off"
    here = line.ships[0].pose
    assert objection(line, 0, replace(here, heading_deg=200.0))[0] in ("PWR-44", "PWR-46")


def test_drifts_are_measured() -> None:
    """PWR-42: a ship seen where the wind takes it has drifted."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, wind="E")
    assert line.ships[0].way == "adrift"
    due = due_drift(line.state, 0)
    off = replace(due, x_mm=due.x_mm + 4)
    assert GAME.measured(line.state, {1: off}) == (Drift(P[0], 0, off),)
    assert GAME.measured(line.state, {1: replace(due, x_mm=due.x_mm + 40)}) == ()


def test_falls_are_measured() -> None:
    """PWR-46: a turn on the rudder, as it is seen."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR, wind="N")
    line.do(Sail(P[0], 0, (ahead(line.ships[0].pose, 64),)))
    line.do(Sail(P[1], 1, (ahead(line.ships[1].pose, 60),)))
    turned = next(a for a in line.legal() if type(a).__name__ == "FallOff" and a.ship == 0)
    assert turned in GAME.measured(line.state, {1: turned.pose})
    assert GAME.measured(line.state, {1: replace(turned.pose, x_mm=2000.0)}) == ()


def test_strange_actions_are_still_named_and_refused() -> None:
    """PWR-35: what is not legal here has words, too, and never an error but ours."""
    for stage in (Moving(), Tasking(), Firing(())):
        state = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR).state._replace(stage=stage)
        if isinstance(stage, Firing):
            continue
        for kind in KINDS:
            values = {f.name: STRANGE.get(f.name, 0) for f in fields(kind)}
            if kind.by_chance:
                values["player"] = CHANCE
            action = kind(**values)
            assert GAME.describe(state, action)
            assert not GAME.check(state, action) or kind is Done


STRANGE = {
    "player": P[0],
    "dice": (),
    "design": "bounty",
    "ship": 7,
    "pose": Pose(0, 0, 0),
    "path": (),
    "target": 9,
    "gun": 12,
    "ammo": "grape",
    "station": "cabin",
    "start": "cabin",
    "figure": "parrot",
    "weapon": "sling",
    "count": 0,
    "hands": 0,
    "figures": (),
}


def test_errors() -> None:
    """PWR-35: not your turn, illegal, over."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    with pytest.raises(NotYourTurn):
        GAME.apply(line.state, Drift(P[1], 1, NOWHERE))
    with pytest.raises(IllegalAction):
        GAME.apply(line.state, Drift(P[0], 0, NOWHERE))
    over = line.state._replace(stage=Finished("It is over"))
    with pytest.raises(GameIsOver):
        GAME.apply(over, Done(P[0]))
    assert GAME.view(over, None).phase == "over"
    assert GAME.objection(over, GAME.layout(over)).rule == "PWR-140"


def test_states_are_values() -> None:
    """PWR-86: equal, hashable, the same after JSON; the old one stays after a move."""
    line = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR)
    before = line.state
    twin = GAME.from_json(json.loads(json.dumps(GAME.to_json(before))))
    assert twin == before
    assert hash(twin) == hash(before)
    line.do(Sail(P[0], 0, (ahead(before.ships[0].pose, 64),)))
    assert before.ships[0].pose == Pose(1500, 1500, 0)


def spoil(state, change) -> str:
    data = json.loads(json.dumps(GAME.to_json(state)))
    change(data)
    with pytest.raises(MalformedAction) as caught:
        GAME.from_json(data)
    return str(caught.value)


def test_states_that_cannot_be() -> None:
    """PWR-83, PWR-87 and what else must hold: states from outside are held against the rules."""
    state = battle(ship(SCHOONER, 0, (1500, 1500, 0)), FAR).state
    good = GAME.to_json(state)
    assert GAME.from_json(good) == state

    def ship0(**values):
        return lambda data: data["ships"][0].update(values)

    assert "more sails than its hull allows" in spoil(state, ship0(hf=5))
    assert "no such hull" in spoil(state, ship0(hf=9))
    assert "belongs to nobody" in spoil(state, ship0(player=5))
    assert "ships are missing" in spoil(state, ship0(design="bounty"))
    assert "other guns" in spoil(state, ship0(guns=[]))
    assert "conditions are sorted" in spoil(state, ship0(tested=["raked", "adrift"]))
    assert "stands nowhere" in spoil(state, ship0(pose=[0, 0, 0]))
    assert "must be x, y and heading" in spoil(state, ship0(pose=[0, 0]))
    assert "must be a number" in spoil(state, ship0(pose=["a", 0, 0]))
    assert "a crew is not" in spoil(state, ship0(crew=[["marine", "deck", True, False, "", 0]]))
    assert "must be a list of 6" in spoil(state, ship0(crew=[["marine"]]))
    assert "one of eight" in spoil(state, lambda d: d.update(wind=12.0))
    assert "order is one of seats" in spoil(state, lambda d: d.update(order=[0, 0]))
    assert "somebody is on turn" in spoil(state, lambda d: d.update(order=[]))
    assert "lashed" in spoil(state, lambda d: d.update(engaged=[[0, 7]]))
    assert "hit is none" in spoil(
        state,
        lambda d: d.update(
            hits=[{"ship": 0, "what": "fire", "amount": 1, "station": "", "borne": False}]
        ),
    )
    assert "no such gun" in spoil(
        state,
        lambda d: d.update(
            hits=[{"ship": 0, "what": "burst", "amount": 9, "station": "", "borne": False}]
        ),
    )
    assert "settled at once" in spoil(
        state,
        lambda d: d.update(due=[{"ship": 0, "figures": 1, "stations": [], "rule": "PWR-88"}]),
    )
    assert "between phases" in spoil(
        state, lambda d: d.update(stage={"type": "between", "step": "morale"})
    )
    assert "nobody is asked" in spoil(
        state, lambda d: d.update(stage={"type": "firing", "volleys": []})
    )
    assert "sort its lists" in spoil(state, lambda d: d.update(options={}))
    over = {"type": "finished", "reason": "Captain 0 has the last ship in the battle"}
    assert "somebody is on turn" in spoil(state, lambda d: d.update(stage=over, slot=2))


def test_fights_that_cannot_be() -> None:
    """PWR-59, PWR-63: who fights is aboard, and lashed to the enemy."""
    own = ship(SCHOONER, 0, (1500, 1500, 90))
    line = tasks(own, ship(FLAGSHIP, 1, (1580, 1500, 90)), slot=0, engaged=[(0, 1)])
    fight = Fight((0, 1), False)
    good = line.state._replace(stage=Pressing(fight, 0), fought=(0, 1))
    assert GAME.from_json(GAME.to_json(good)) == good

    def stage(**values):
        return lambda data: data["stage"].update(values)

    assert "two sides" in spoil(good, stage(winner=2))
    assert "not lashed" in spoil(good, lambda d: d.update(engaged=[]))
    assert "are noted" in spoil(good, lambda d: d.update(fought=[0]))
    crewed = {"ships": [0, 1], "first": False, "hits": [0, 0]}
    crewed["crews"] = [[["pirate", "deck", False, False, "", 1]], []]
    assert "back aboard" in spoil(good, stage(fight=crewed))
    losing = line.state._replace(stage=Losing(Moving()), due=())
    assert "settled at once" in spoil(losing, lambda data: None)


def test_happenings_have_rules() -> None:
    """PWR-36: what takes effect is told with its rule."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1100, 0)), slot=0)
    line.state = line.state._replace(hits=(Hit(1, "ball", 2), Hit(0, "rudder", 1)))
    line.done()
    told = [h for h in line.happenings if isinstance(h, Happening)]
    assert [h.rule for h in told][:2] == ["PWR-86", "PWR-77"]
    assert "The Imperial Flagship loses 2 SF and 2 figures" in line.told()


def test_roll_of() -> None:
    """PWR-1: the dice in the tray are the roll that is awaited, whatever order they lie in."""
    line = tasks(ship(SCHOONER, 0, (1500, 1500, 0)), ship(FLAGSHIP, 1, (1500, 1100, 0)), slot=0)
    assert GAME.roll_of(line.state, ()) is None
    line.fire(0, 0, "ball", 1).done()
    assert line.asked() == "fire"
    assert crew_of(("pirate", "deck", 1))
