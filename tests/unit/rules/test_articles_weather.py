"""Wind, grudge ships and the storm ring: AOW-80 to AOW-87, vectors T18 and T19."""

import pytest

from companion.errors import BadOptions
from companion.rules.articles_of_war.actions import Drift, Pass, PlaceGrudge, Press, YieldToStorm
from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    ChoosingDice,
    Drifted,
    Drifting,
    Finished,
    Memory,
    PlacingGrudge,
    RollingWind,
    Storming,
    TakingPrize,
)
from companion.rules.deeds import roll
from companion.rules.game import (
    Decision,
    Happening,
)
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.layout import Die
from companion.rules.views import CALM

GAME = ArticlesOfWar()
WIND = {"wind": "W"}


def blown(battle, ships, terrain=None, options=WIND, **more):
    """Return a battle before the first turn of a round, the wind not rolled yet."""
    return battle(ships, terrain, stage=RollingWind(), options=options, **more)


def test_wind_blows_after_every_full_round(battle):
    """AOW-80: after the last captain's turn, not between turns, and not before the first."""
    ships = {"red": [(0, 0)], "blue": [(0, 3)]}
    fight = battle(ships, sails=(2, 2), options=WIND)
    fight.sail((0, 0), 2, "NE").sail((2, -2), 2, "W")
    assert fight.state.stage == ChoosingDice()
    fight.take(2, 0).throw([2, 2]).sail((0, 3), 2, "W").sail((-2, 3), 2, "NW")
    assert (fight.state.stage, fight.state.round) == (RollingWind(), 2)
    assert GAME.pending(fight.state).dice == ("sail",)
    assert fight.refusal(roll(Die("cannon", 2))) == "AOW-80"


def test_vector_t18_wind(battle):
    """AOW-80, AOW-81, T18: from W, three hexes: (3,0) is lost, (-5,0) drifts to (-2,0)."""
    ships = {"red": [(3, 0), (0, 2)], "blue": [(-5, 0)], "white": [(0, 0)]}
    fight = blown(battle, ships)
    fight.do(roll(Die("sail", 3)))
    assert fight.state.stage == Drifting(3)
    assert fight.cells("red") == [(0, 2), (3, 0)], "people move the ships after the roll"
    fight.do(Drift(fight.player))
    assert (fight.cells("red"), fight.cells("blue")) == ([(3, 2)], [(-2, 0)])
    assert fight.cells("white") == [(3, 0)]
    assert (fight.gold(), fight.rules()) == ((2, 2), ["AOW-37"])
    assert fight.state.stage == ChoosingDice()


@pytest.mark.parametrize("side", DIRECTION_NAMES)
def test_wind_from_every_side(side, battle):
    """AOW-80: ships drift away from the side the wind blows from."""
    fight = blown(battle, {"red": [(0, 0)], "blue": [(0, 1)]}, options={"wind": side}).wind(2)
    ends = {"E": (-2, 0), "NE": (-2, 2), "NW": (0, 2), "W": (2, 0), "SW": (2, -2), "SE": (0, -2)}
    assert fight.cells("red") == [ends[side]]


def test_drift_meets_islands_and_reefs_hex_by_hex(battle):
    """AOW-81: islands take ships, a ship rolls for each reef, the owner rolls, in turn order."""
    terrain = {(2, 0): "volcano", (1, 1): "reef", (2, 1): "reef", (0, 3): "reef", (0, -3): "reef"}
    ships = {"red": [(0, 0), (0, 1)], "blue": [(-2, 3)], "white": [(-2, -3)]}
    fight = blown(battle, ships, terrain).wind(2)
    assert (fight.cells("red"), fight.rules()) == ([(2, 1)], ["AOW-39"])
    assert fight.state.stage == Drifted(((2, 1), (2, 1), (0, 3), (0, -3)))
    assert fight.player == 0
    fight.roll(2)
    assert fight.rules() == ["AOW-81"]
    fight.roll(1)
    assert (fight.cells("red"), fight.player) == ([], 1)


def test_the_game_rolls_for_the_merchant(battle):
    """AOW-81: the fleet that opens the round rolls for her."""
    ships = {"red": [(0, 2)], "blue": [(0, -2)], "white": [(0, 0)]}
    fight = blown(battle, ships, {(2, 0): "reef"}).wind(2)
    assert (fight.state.stage, fight.player) == (Drifted(((2, 0),)), 0)
    asked = GAME.pending(fight.state).text
    assert (
        asked == "Red: roll a cannonball die for a reef the merchant on G9 has met, a 1 loses her"
    )
    assert GAME.describe(fight.state, roll(Die("cannon", 1))) == "Red rolls cannon 1"
    fight.roll(1)
    assert (fight.cells("white"), fight.gold()) == ([], (2, 2))


def test_sentences_about_the_merchant_begin_like_sentences(battle):
    """AOW-39, AOW-81: she is called by no colour, so her name begins small elsewhere."""
    ships = {"red": [(0, 2)], "blue": [(0, -2)], "white": [(0, 0)]}
    lost = blown(battle, ships, {(1, 0): "volcano"}).wind(2)
    says = "The merchant from G7 is dashed to splinters on the volcano at G8"
    assert lost.happenings[0].text == says
    safe = blown(battle, ships, {(2, 0): "reef"}).wind(2).roll(2)
    assert safe.happenings[0].text == "The merchant on G9 passes the reef"


def test_which_ship_the_wind_takes_is_told(battle):
    """AOW-81: a fleet may have several adrift."""
    ships = {"red": [(0, 0), (0, 3), (4, -1)], "blue": [(0, -2)]}
    lost = blown(battle, ships, {(1, 0): "desert"}).wind(2).happenings
    assert [happening.text for happening in lost] == [
        "Red's ship from G7 is beached on the desert at G8",
        "Red's ship from F11 has left the map and is out of the battle",
    ]


def test_a_ship_that_is_lost_anyway_rolls_for_no_reef(battle):
    """AOW-81: the roll could change nothing."""
    ships = {"red": [(0, 2), (4, 0)], "blue": [(0, -2)]}
    assert blown(battle, ships, {(5, 0): "reef"}).wind(2).state.stage == ChoosingDice()


def test_nobody_boards_in_the_wind(battle):
    """AOW-81: a hex left in the same drift is free, and no two ships meet."""
    fight = blown(battle, {"red": [(0, 0), (1, 0)], "blue": [(2, 0)]}).wind(2)
    assert (fight.cells("red"), fight.cells("blue")) == ([(2, 0), (3, 0)], [(4, 0)])


def test_the_end_is_looked_at_after_the_drift(battle):
    """AOW-82: the last ship of a captain drifts away, nobody is paid for it but the last afloat."""
    fight = blown(battle, {"red": [(0, 0)], "blue": [(4, 0)]}).wind(2)
    assert isinstance(fight.state.stage, Finished)
    assert (fight.gold(), fight.rules()) == ((3, 2), ["AOW-37", "AOW-59"])


# Grudge ships

GRUDGE = {"grudge": True}
THREE = {"red": [(0, 0), (0, 2)], "blue": [(4, 0)], "green": [(-4, 0)]}


def sunk_to_grudge(battle, **options):
    """Return Blue's turn after Red has sunk her last ship."""
    fight = battle(THREE, sails=(2, 2, 2), cannons=(4,), options=GRUDGE | options)
    fight.fire((0, 0), 4, "E").sail((0, 0), 2, "NW").sail((0, 2), 2, "SE")
    if fight.player == 0:
        fight.sail((0, 4), 2, "NE")
    return fight


def test_a_captain_without_ships_may_come_back(battle):
    """AOW-83: at the next turn, on an empty edge hex, with two dice and in the old order."""
    fight = sunk_to_grudge(battle, desperation=True)
    assert (fight.state.stage, fight.player) == (PlacingGrudge(), 1)
    assert fight.refusal(PlaceGrudge(fight.player, (0, 1))) == "AOW-83"
    assert len(fight.legal()) == 1 + 30
    fight.do(PlaceGrudge(fight.player, (5, 0)))
    assert fight.state.stage == ChoosingDice()
    assert {(a.sails, a.cannons) for a in fight.legal()} == {(1, 1), (2, 0)}
    assert GAME.view(fight.state, None).notes == ("Blue sails a grudge ship",)


def test_who_lets_it_be_is_out_of_the_battle(battle):
    """AOW-83: asked once."""
    fight = sunk_to_grudge(battle)
    pending = GAME.pending(fight.state)
    assert isinstance(pending, Decision)
    assert pending.passing == Pass(fight.player)
    fight.let_be()
    assert fight.state.fleet.colour == "green"
    fight.take(2, 0).throw([2, 2]).sail((-4, 0), 2, "E").sail((-2, 0), 2, "SE")
    assert fight.state.fleet.colour == "red"
    assert fight.state.memory.grudges == ("blue",)


def grudge_fight(battle, ships, **more):
    return battle(ships, turn="blue", options=GRUDGE, memory=Memory(grudges=("blue",)), **more)


def test_a_grudge_ship_earns_nothing_and_always_scuttles(battle):
    """AOW-83."""
    ships = {"red": [(0, 0), (0, 2)], "blue": [(4, 0)], "green": [(-4, 0)]}
    guns = grudge_fight(battle, ships, sails=(2,), cannons=(4,)).fire((4, 0), 4, "W")
    assert (guns.gold(), guns.rules()) == ((2, 2, 2), ["AOW-46"])
    boards = grudge_fight(battle, ships, sails=(4, 2)).sail((4, 0), 4, "W").roll(5, 1)
    assert isinstance(boards.state.stage, TakingPrize)
    assert boards.texts() == ["Blue: scuttle Red's ship"]
    assert boards.refusal(Press(boards.player, (1, 0))) == "AOW-83"
    assert boards.scuttle().gold() == (2, 2, 2)


def test_a_grudge_ship_does_not_keep_the_battle_alive(battle):
    """AOW-84: nor is she paid for being last; to sink her pays as usual. It is said, too."""
    ships = {"red": [(0, 0), (0, 2)], "blue": [(4, 0)], "green": [(-4, 0)]}
    fight = battle(
        ships, sails=(2, 2, 2), cannons=(4,), options=GRUDGE, memory=Memory(grudges=("blue",))
    )
    assert fight.fire((0, 0), 4, "E").gold() == (3, 2, 2)
    other = battle(
        ships, sails=(2, 2, 2), cannons=(4,), options=GRUDGE, memory=Memory(grudges=("blue",))
    )
    other.fire((0, 0), 4, "W")
    assert isinstance(other.state.stage, Finished)
    assert other.gold() == (4, 2, 2)
    outcome = GAME.outcome(other.state)
    assert outcome.reason == "Only Red's ships and grudge ships are left; the most doubloons win"
    assert outcome.rule == "AOW-84"
    assert "Red is the last afloat, grudge ships aside, and wins the day" in [
        happening.text for happening in other.happenings
    ]


def test_only_grudge_ships_may_be_left(battle):
    """AOW-61, AOW-84: the last two captains are lost together, a grudge ship is not."""
    ships = {"red": [(4, 0)], "blue": [(-4, 0)], "green": [(5, -1)]}
    fight = battle(
        ships,
        stage=RollingWind(),
        options=GRUDGE | {"wind": "W"},
        memory=Memory(grudges=("blue",)),
    )
    fight.wind(3)
    assert isinstance(fight.state.stage, Finished)
    assert (fight.cells("blue"), fight.gold()) == ([(-1, 0)], (2, 2, 2))
    assert fight.happenings[-1] == Happening("Only grudge ships are left afloat", "AOW-61")
    reason = "Only grudge ships are left afloat; the most doubloons win"
    assert GAME.outcome(fight.state).reason == reason


@pytest.mark.parametrize("options", [{"duel": True, "grudge": True}, {"grudge": True}])
def test_grudge_ships_need_a_third_captain(options):
    """AOW-83: with two the battle is over, so they are refused at the set-up."""
    with pytest.raises(BadOptions, match="nobody is left to sail a grudge ship") as caught:
        GAME.setup(["A", "B"], options)
    assert caught.value.option == "grudge"


# Storm

STORM = {"storm": True}


def next_round(battle, ships, ring=None):
    """Play Blue's turn, the last of a round, with a ship that stays where no storm reaches."""
    fight = battle(ships, turn="blue", sails=(2, 2), options=STORM, memory=Memory(storm=ring))
    home = fight.cells("blue")[0]
    return fight.sail(home, 2, "E").sail((home[0] + 2, home[1]), 2, "NW")


def test_vector_t19_storm(battle):
    """AOW-85, T19: first the coin lies on ring 5 and nobody is lost, then on ring 4."""
    ships = {"red": [(0, 0), (5, 0)], "blue": [(-2, 3)]}
    first = next_round(battle, ships)
    assert (first.state.memory.storm, first.state.stage) == (5, ChoosingDice())
    assert first.rules() == ["AOW-85"]
    later = next_round(battle, ships, ring=5)
    assert (later.state.memory.storm, later.state.stage) == (4, Storming())
    later.do(YieldToStorm(later.player))
    assert (later.cells("red"), later.gold(), later.state.lost) == ([(0, 0)], (2, 2), (1, 0))


def test_ships_in_the_storm_are_counted(battle):
    """AOW-85: one ship is spoken of as one."""
    ships = {"red": [(0, 0), (5, 0)], "blue": [(-2, 3)]}
    one = next_round(battle, ships, ring=5)
    text = "Red: take the ship on G12 out of the ocean, lost to the storm"
    assert GAME.pending(one.state).text == text
    assert one.texts() == ["Red: take the ship on G12 out of the storm"]
    two = next_round(battle, ships | {"red": [(0, 5), (5, 0)]}, ring=5)
    assert two.texts() == ["Red: take the ships on G12 and L7 out of the storm"]


def test_the_storm_waits_for_the_merchant(battle):
    """AOW-85: it begins only once she is sunk or taken."""
    fight = next_round(battle, {"red": [(5, 0)], "blue": [(-2, 3)], "white": [(0, 0)]})
    assert fight.state.memory.storm is None


def test_the_storm_stops_at_the_centre(battle):
    """AOW-85: ring 0 is the least."""
    fight = next_round(battle, {"red": [(0, 0)], "blue": [(-2, 3)]}, ring=0)
    assert fight.state.memory.storm == 0
    fight.do(YieldToStorm(fight.player))
    assert isinstance(fight.state.stage, Finished)
    assert (fight.gold(), GAME.outcome(fight.state).rule) == ((3, 2), "AOW-59")


def test_all_lost_at_once(battle):
    """AOW-86, AOW-61: no bonus for anybody."""
    fight = next_round(battle, {"red": [(1, 0)], "blue": [(-2, 3)]}, ring=0)
    fight.do(YieldToStorm(fight.player))
    assert (fight.gold(), fight.rules()[-1]) == ((2, 2), "AOW-61")
    assert GAME.outcome(fight.state).placing == ((0, 1),)
    assert fight.refusal(Pass(0)) == "AOW-61"
    assert GAME.objection(fight.state, GAME.layout(fight.state)).rule == "AOW-61"


def test_wind_first_then_storm(battle):
    """AOW-87: the wind carries a ship over the ring before the storm takes it."""
    both = {"wind": "W", "storm": True}
    fight = blown(
        battle, {"red": [(2, 0), (0, 0)], "blue": [(-4, 2)]}, options=both, memory=Memory(storm=5)
    )
    fight.wind(3)
    assert (fight.state.stage, fight.state.memory.storm) == (Storming(), 4)
    fight.do(YieldToStorm(fight.player))
    assert fight.cells("red") == [(3, 0)]


def test_what_the_storm_has_left_is_the_edge(battle):
    """AOW-83, AOW-85: a grudge ship comes in inside the storm."""
    fight = battle(
        {"red": [(0, 0)], "blue": [], "green": [(1, 0)]},
        turn="blue",
        stage=PlacingGrudge(),
        options=GRUDGE | STORM,
        memory=Memory(storm=2),
    )
    cells = {a.cell for a in fight.legal() if isinstance(a, PlaceGrudge)}
    assert len(cells) == 12
    assert (2, 0) in cells
    assert (5, 0) not in cells


def test_weather_is_a_value_for_ring_and_pages(battle):
    """AOW-80, AOW-85: where it blows from, clockwise from the top of the board."""
    ships = {"red": [(0, 0)], "blue": [(1, 0)]}
    assert GAME.view(battle(ships).state, None).weather == CALM
    degrees = {"E": 90, "NE": 30, "NW": 330, "W": 270, "SW": 210, "SE": 150}
    for side, deg in degrees.items():
        weather = GAME.view(battle(ships, options={"wind": side}).state, None).weather
        assert (weather.wind_from_deg, weather.storm_ring) == (deg, None)
    storm = battle(ships, options=WIND | STORM, memory=Memory(storm=3))
    weather = GAME.view(storm.state, None).weather
    assert (weather.storm_ring, weather.sea_rings) == (3, 5)
    assert weather.text == "Wind from W, ships drift E; storm beyond ring 3"
