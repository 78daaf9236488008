"""The set-up: ships, wind, places; initiative; options."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import BadOptions
from companion.rules.game import CHANCE, ChanceRoll, Decision
from companion.rules.layout import Pose
from companion.rules.options import new_game
from companion.rules.pirate_wars.actions import ChooseShip, PlaceShip
from companion.rules.pirate_wars.built.ship_reading import stock_ship
from companion.rules.pirate_wars.crew import crew_size, muster
from companion.rules.pirate_wars.initiative import OUT, roller
from companion.rules.pirate_wars.stages import RollingInitiative
from companion.rules.pirate_wars.state import hull_of
from tests.unit.rules.pirate_wars.squadron import (
    BARRACUDA,
    FLAGSHIP,
    GAME,
    RUNNER,
    SCHOONER,
    Battle,
    P,
    battle,
    ship,
)


def chosen(*designs: str, **options: object) -> Battle:
    """Return a game whose ships are chosen, the wind from the north."""
    line = Battle(GAME.setup(["Ann", "Ben"], {"wind": "N"} | options))
    for number, design in enumerate(designs):
        line.do(ChooseShip(P[number % 2], design))
    return line


def placed(line: Battle) -> Battle:
    while line.asked() == "place_ship":
        line.do(line.legal()[0])
    return line


def test_ships_are_chosen_in_turns() -> None:
    """PWR-21: whole crews, cannons loaded; all ships of a captain fight for one side."""
    line = chosen(BARRACUDA, FLAGSHIP, ships_each=2)
    assert line.player == P[0]
    assert line.refusal(ChooseShip(P[0], FLAGSHIP)) == "PWR-21"
    assert line.refusal(ChooseShip(P[0], "bounty")) == "PWR-21"
    line.do(ChooseShip(P[0], RUNNER))
    assert [line.aboard(n) for n in range(3)] == [33, 19, 11]
    assert line.state.sides == ("pirate", "imperial")
    assert len(line.ships[0].guns) == 4 + 1
    assert all(gun.load == 2 for s in line.ships for gun in s.guns)


def test_stations_of_a_new_crew() -> None:
    """PWR-21, PWR-81: one at the helm, the other sailors aloft and on deck, gunners below."""
    crew = muster(stock_ship(SCHOONER))
    at = {s: sum(n for h, n in crew if h.station == s) for s in ("helm", "castle", "guns", "deck")}
    assert at == {"helm": 1, "castle": 3, "guns": 8, "deck": 34 - 12}
    assert crew_size(crew) == 34
    assert all(hand.loaded == hand.figure.is_armed for hand, _ in crew)


def test_the_wind_is_rolled() -> None:
    """PWR-38: a d8 for the whole battle, 1 is north, clockwise; or the table agrees on it."""
    line = chosen(BARRACUDA, FLAGSHIP, wind="roll")
    pending = GAME.pending(line.state)
    assert isinstance(pending, ChanceRoll)
    assert pending.dice == ("d8",)
    assert len(GAME.legal_actions(line.state, CHANCE)) == 8
    line.roll(3, kind="d8")
    assert line.told() == "The wind comes from the east"
    weather = GAME.view(line.state, None).weather
    assert (weather.wind_from_deg, weather.text) == (90, "Wind from the east")
    north = chosen(BARRACUDA, FLAGSHIP)
    assert GAME.view(north.state, None).weather.wind_from_deg == 0
    assert GAME.view(chosen(BARRACUDA, wind="roll").state, None).weather.text == ""


def test_places() -> None:
    """PWR-2: nearer to one's own edge, on the sea, beside other ships and deep water.

    Which edge that is nobody was told.
    """
    line = chosen(BARRACUDA, FLAGSHIP, RUNNER, FLAGSHIP, ships_each=2)
    pending = GAME.pending(line.state)
    assert isinstance(pending, Decision)
    assert pending.measured
    assert pending.text.endswith("(tag 1) at your edge, the left one")

    def put(x: float, y: float, number: int = 0) -> PlaceShip:
        return PlaceShip(line.player, number, Pose(x, y, 0))

    assert "your own edge, the left one," in GAME.check(line.state, put(900, 450)).reason
    assert line.refusal(put(-5, 450)) == "PWR-2"
    assert line.refusal(put(300, 450, 1)) == "PWR-2"
    line.do(put(300, 450))
    assert line.player == P[1]
    said = "Ben: place the Imperial Flagship (tag 2) at your edge, the right one"
    assert GAME.pending(line.state).text == said, 'not "(2) (tag 2)"'
    line.do(put(1000, 450, 1))
    assert line.refusal(put(330, 460, 2)) == "PWR-2"
    seen = Pose(300.04, 200.2, 359.99)
    assert GAME.measured(line.state, {3: seen}) == (PlaceShip(P[0], 2, Pose(300.0, 200.2, 0.0)),)
    assert GAME.measured(line.state, {}) == ()
    reef = {"kind": "reef", "x_mm": 300, "y_mm": 450, "across_dots": 20, "depth_dots": 4}
    shallow = chosen(BARRACUDA, FLAGSHIP, terrain=[reef])
    assert shallow.refusal(PlaceShip(P[0], 0, Pose(300, 450, 0))) == "PWR-55"


@pytest.mark.parametrize(("players", "each"), [(2, 4), (3, 3), (4, 2)])
def test_everybody_finds_a_place(players: int, each: int) -> None:
    """PWR-2: as many ships as the sea has room for, the largest there are."""
    names = ["Ann", "Ben", "Cat", "Dan"][:players]
    line = Battle(GAME.setup(names, {"wind": "N", "ships_each": each}))
    while line.asked() == "choose_ship":
        line.do(ChooseShip(line.player, BARRACUDA))
    offered = []
    while line.asked() == "place_ship":
        offered.append(len(line.legal()))
        line.do(line.legal()[0])
    assert line.asked() == "initiative"
    assert max(offered) <= 24, "a list that people can read"


def test_places_on_offer_lie_on_the_cloth() -> None:
    """PWR-2: nobody can put a ship down whose stern is beyond the edge of the table."""
    line = chosen(*[BARRACUDA, FLAGSHIP] * 2, ships_each=2)
    width, height = line.state.options.sea_mm
    while line.asked() == "place_ship":
        hulls = [hull_of(line.state, a.ship, a.pose) for a in line.legal()]
        assert all(0 <= x <= width and 0 <= y <= height for hull in hulls for x, y in hull)
        line.do(line.legal()[0])


def test_large_ships_find_room_between_islands() -> None:
    """PWR-2: ships that stuck out over their edges, side by side, left others no place."""
    isles = [
        {"kind": "island", "x_mm": x, "y_mm": y, "across_dots": across, "depth_dots": 0}
        for x, y, across in ((642, 633, 23), (412, 173, 34), (168, 712, 38))
    ]
    options = {"wind": "N", "sea_mm": [1000, 900], "terrain": isles, "ships_each": 2}
    line = Battle(new_game(GAME, ["Ann", "Ben", "Cat"], options))
    while line.asked() == "choose_ship":
        line.do(ChooseShip(line.player, BARRACUDA))
    assert placed(line).asked() == "initiative"


def test_initiative() -> None:
    """PWR-34: a die for each side, ties roll again among themselves."""
    assert roller(((5,), (5,), (3,))) == 0
    assert roller(((5, 2), (5,), (3,))) == 1
    assert roller(((5, 2), (5, 2), (3,))) == 0
    assert roller(((5, 2), (5, 6), (3,))) is None
    assert roller(((5,), OUT, ())) == 2
    line = placed(chosen(BARRACUDA, FLAGSHIP))
    line.roll(4).roll(4).roll(2)
    assert line.player == P[1]
    line.roll(6)
    assert line.told() == "Initiative: Ben and Ann"
    assert line.state.order == (1, 0)


def test_movement_from_the_highest_tasks_from_the_lowest() -> None:
    """PWR-35, PWR-36: the order of initiative is turned round for the tasks."""
    line = chosen(BARRACUDA, FLAGSHIP)
    line.do(line.legal()[0])
    line.do(line.legal()[-1]).roll(2).roll(5)  # in the other corner, out of each other's way
    players = []
    for _ in range(20):
        if line.asked() not in ("move", "fall_off", "tasks"):
            break
        if (line.asked(), line.player) not in players:
            players.append((line.asked(), line.player))
        staying = [a for a in line.legal() if "off the sea" not in GAME.describe(line.state, a)]
        done = [a for a in staying if type(a).__name__ == "Done"]
        line.do(done[0] if done else staying[0])
    order = [player for phase, player in players if phase == "move"]
    assert order == [P[1], P[0]]
    assert [player for phase, player in players if phase == "tasks"] == [P[0], P[1]]
    assert isinstance(line.state.stage, RollingInitiative)
    assert line.state.round == 2


@pytest.mark.parametrize(
    ("options", "at_fault"),
    [
        ({"ships_each": 4, "sea_mm": [600, 600]}, "ships_each"),
        ({"sea_mm": [100, 900]}, "sea_mm"),
        ({"sea_mm": "wide"}, "sea_mm"),
        ({"rounds": -1}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"tolerance_mm": 99}, "tolerance_mm"),
        ({"tolerance_mm": 0}, "tolerance_mm"),  # poses are kept to a tenth of a millimetre
        ({"wind": "up"}, "wind"),
        ({"terrain": 3}, "terrain"),
        ({"terrain": [{"kind": "island"}]}, "terrain"),
        (
            {"terrain": [{"kind": "ice", "x_mm": 1, "y_mm": 1, "across_dots": 8, "depth_dots": 4}]},
            "terrain",
        ),
        (
            {
                "terrain": [
                    {"kind": "reef", "x_mm": 1, "y_mm": -1, "across_dots": 8, "depth_dots": 4}
                ]
            },
            "terrain",
        ),
        ({"losses": "captain"}, "losses"),
    ],
)
def test_options_that_cannot_be(options: dict[str, object], at_fault: str) -> None:
    """PWR-2: what cannot be played is refused at its option."""
    with pytest.raises(BadOptions) as caught:
        GAME.setup(["Ann", "Ben"], options)
    assert caught.value.option == at_fault


def test_the_number_of_captains() -> None:
    """PWR-35: two to four sides."""
    for names in (["Ann"], ["Ann", "Ben", "Cat", "Dan", "Eve"], ["Ann", "Ann"]):
        with pytest.raises(BadOptions):
            GAME.setup(names, {})


def test_islands_that_leave_ships_no_place_are_refused() -> None:
    """PWR-2: an island larger than the sea left nothing that anybody could do."""
    isle = {"kind": "island", "x_mm": 300, "y_mm": 200, "across_dots": 80, "depth_dots": 0}
    with pytest.raises(BadOptions) as caught:
        new_game(GAME, ["Ann", "Ben"], {"sea_mm": [600, 400], "terrain": [isle]})
    assert (caught.value.option, str(caught.value)) == (
        "terrain",
        "Islands, reefs and fortresses leave no place at the left edge for 1 ship as large as the"
        " Black Seas Barracuda: make them fewer or smaller, or move them.",
    )
    at_the_right = isle | {"x_mm": 800, "y_mm": 225}
    with pytest.raises(BadOptions, match="no place at the right edge for 2 ships"):
        new_game(
            GAME,
            ["Ann", "Ben"],
            {"sea_mm": [1000, 450], "ships_each": 2, "terrain": [at_the_right]},
        )


def test_a_battle_of_before_the_largest_ships_had_to_have_room_is_gone_on_with() -> None:
    """PWR-2: two runners each fit where two Barracudas do not; the ledger sets up once more."""
    isle = {"kind": "island", "x_mm": 800, "y_mm": 225, "across_dots": 60, "depth_dots": 0}
    options = {"wind": "N", "sea_mm": [1000, 450], "ships_each": 2, "terrain": [isle]}
    with pytest.raises(BadOptions, match="no place at the right edge for 2 ships"):
        new_game(GAME, ["Ann", "Ben"], options)
    line = chosen(*[RUNNER] * 4, **options)
    assert placed(line).asked() == "initiative"


def test_where_little_room_is_left_it_is_looked_for_more_closely() -> None:
    """PWR-2: two islands leave four captains on a small sea hardly a place."""
    isles = [
        {"kind": "island", "x_mm": 633, "y_mm": 253, "across_dots": 33, "depth_dots": 0},
        {"kind": "island", "x_mm": 302, "y_mm": 159, "across_dots": 31, "depth_dots": 0},
    ]
    names = ["Ann", "Ben", "Cat", "Dan"]
    line = Battle(GAME.setup(names, {"wind": "N", "sea_mm": [900, 900], "terrain": isles}))
    while line.asked() == "choose_ship":
        line.do(ChooseShip(line.player, BARRACUDA))
    while line.asked() == "place_ship":
        line.do(line.legal()[0])
    assert line.asked() == "initiative"


def test_a_line_for_the_four_edges() -> None:
    """PWR-2: the third captain sits at the top, the fourth at the bottom."""
    line = Battle(GAME.setup(["Ann", "Ben", "Cat", "Dan"], {"wind": "N"}))
    while line.asked() == "choose_ship":
        line.do(ChooseShip(line.player, FLAGSHIP))
    spots = []
    while line.asked() == "place_ship":
        line.do(line.legal()[0])
        spots.append(line.ships[len(spots)].pose)
    assert spots[0].x_mm < 300
    assert spots[1].x_mm > 1000
    assert spots[2].y_mm < 300
    assert spots[3].y_mm > 600
    assert replace(spots[0]) == spots[0]
    assert battle(ship(FLAGSHIP, 0), ship(SCHOONER, 1)).asked() == "move"
