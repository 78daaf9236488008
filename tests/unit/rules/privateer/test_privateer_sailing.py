"""Turn, sailing and wind: PRV-21 to PRV-39, vectors T1, T2 and T13."""

import pytest

from companion.rules.game import CHANCE, Happening, PlayerId
from companion.rules.privateer.actions import MERCHANT, Attack, DrawCard, Leave, Sail, SetWind
from companion.rules.privateer.sailing import COSTS, costs_from
from companion.rules.privateer.state import Sailing
from companion.rules.record import action_line, header_line, replay
from tests.unit.rules.privateer.voyage import (
    GAME,
    P,
    house,
    make_voyage,
    start,
    to_colours,
    to_turn,
)

SEA = make_voyage().state.deck.sea
START = (7, 6)


def cost(wind, across, down):
    """Return the half-points to a square so many columns east and rows south of the middle."""
    return costs_from(SEA, START, wind)[START[0] + across, START[1] + down]


def can(wind, moves, across, down):
    return cost(wind, across, down) <= 2 * moves


def test_four_moves_with_and_against_the_wind():
    """T1, PRV-31, PRV-33: legs in any order, half and double cost."""
    assert can("E", 4, 8, 0)
    assert not can("E", 4, 8, 1)
    assert can("W", 4, 2, 0)
    assert not can("W", 4, 3, 0)
    assert can("E", 4, 4, -2)
    assert can("E", 4, 2, -3)
    assert not can("E", 4, 3, -3)


def test_three_moves_back_and_forth():
    """T2, PRV-33: what is too much by half a point is refused."""
    assert cost("E", -1, 0) + cost("E", 2, 0) == 6
    assert cost("E", -1, 0) + cost("E", 3, 0) == 7
    voyage = make_voyage({"cell": START}, wind="W", moves=3)
    assert (START[0] + 1, START[1] - 1) in voyage.cells()
    assert voyage.refusal(Sail(P[0], (START[0] + 2, START[1]))) == "PRV-31"
    blocked = house(
        lambda d: d["sea"].update(land=[[7, 5], [8, 5], [7, 7], [8, 7], [9, 6]], merchants=[])
    )
    lane = make_voyage({"cell": START}, wind="E", moves=3, deck=blocked)
    assert (8, 6) in lane.cells()
    assert (9, 6) not in lane.cells()


@pytest.mark.parametrize(
    ("wind", "costs"),
    [
        ("none", (2, 2, 2, 2)),
        ("N", (1, 2, 4, 2)),
        ("E", (2, 1, 2, 4)),
        ("S", (4, 2, 1, 2)),
        ("W", (2, 4, 2, 1)),
    ],
)
def test_cost_of_a_step(wind, costs):
    """PRV-31, PRV-32: half with it, double against it, one across; none blows diagonally."""
    assert COSTS[wind] == costs
    steps = ((0, -1), (1, 0), (0, 1), (-1, 0))
    assert tuple(cost(wind, *step) for step in steps) == costs
    assert set(COSTS) == {"none", "N", "E", "S", "W"}


def test_refusals_of_sailing():
    """PRV-23, PRV-29, PRV-30: too far, on land, off the board; staying is allowed."""
    voyage = make_voyage({"cell": START}, moves=2)
    assert len(voyage.legal()) == 13
    assert START in voyage.cells()
    assert voyage.refusal(Sail(P[0], (7, 9))) == "PRV-30"
    assert voyage.refusal(Sail(P[0], (0, 0))) == "PRV-29"
    assert voyage.refusal(Sail(P[0], (16, 0))) == "PRV-29"
    assert voyage.refusal(Leave(P[0])) == "PRV-23"
    assert voyage.refusal(Sail(P[1], (12, 0))) == "PRV-16"


def test_land_is_in_the_way():
    """PRV-29: a ship goes round it, orthogonally, or not at all."""
    wall = house(
        lambda d: d["sea"].update(land=[[5, 5], [6, 5], [5, 7], [6, 7], [7, 6]], merchants=[])
    )
    voyage = make_voyage({"cell": (6, 6)}, moves=3, deck=wall)
    assert voyage.cells() == {(6, 6), (5, 6), (4, 6), (3, 6), (4, 5), (4, 7)}
    pond = house(lambda d: d["sea"].update(land=[[6, 5], [6, 7], [5, 6], [7, 6]], merchants=[]))
    voyage = make_voyage({"cell": (8, 6)}, moves=3, deck=pond)
    assert voyage.refusal(Sail(P[0], (6, 6))) == "PRV-29"


def test_allowance_is_sails_and_bonuses():
    """PRV-30, PRV-71: 2 to 7 by step, and what relics and cards add."""
    for rank in range(6):
        ship = {"cell": START, "sails": rank}
        voyage = make_voyage({}, ship, bounty=["norther", "trade-wind"], stage=Sailing(0))
        voyage.sail(voyage.seats[0].cell).draw("norther")
        assert voyage.state.stage == Sailing(2 + rank)
    voyage = make_voyage({}, {"relics": ["storm-lantern"]}, bounty=["trade-wind"])
    voyage.sail((3, 0)).draw("trade-wind")
    assert voyage.state.stage == Sailing(2 + 1 + 1)


def test_passing_ships_merchants_and_ports():
    """PRV-34: nothing happens on the way."""
    voyage = make_voyage({"cell": (4, 0), "last": "caracas"}, {"cell": (6, 0)}, moves=4)
    for cell in ((2, 0), (8, 0)):  # behind the port of Havana, behind the blue ship
        assert cell in voyage.cells()
    voyage.sail((8, 0))
    assert voyage.asked() == "bounty"
    assert voyage.seats[0].last == voyage.state.deck.port_of_id["caracas"]


def test_existing_effects_come_before_the_draw():
    """PRV-22, PRV-35: the knotted rope first, then the card; both turn the wind."""
    voyage = make_voyage({}, {"relics": ["knotted-rope", "lucky-purse"], "silver": 0})
    voyage.sail((3, 0))
    assert voyage.asked() == "set_wind"
    assert voyage.player == P[1]
    assert len(voyage.legal()) == 5
    voyage.do(SetWind(P[1], "E"))
    assert voyage.state.wind == "E"
    assert voyage.seats[1].silver == 1
    assert voyage.asked() == "bounty"
    voyage.draw("norther")
    assert voyage.state.wind == "S"
    assert voyage.refusal(SetWind(P[1], "N")) == "PRV-23"


def test_a_fortune_is_followed_and_gone():
    """PRV-21: then the captain sails; the card is not in the pile any more."""
    voyage = to_turn()
    assert voyage.refusal(DrawCard(CHANCE, "nothing")) == "PRV-21"
    voyage.draw("land-breeze")
    assert voyage.state.wind == "N"
    assert voyage.rules() == ["PRV-21", "PRV-35"]
    assert "land-breeze" not in voyage.state.bounty_pile
    assert voyage.asked() == "sail"
    voyage.sail(voyage.state.seat.cell)
    assert voyage.refusal(DrawCard(CHANCE, "land-breeze")) == "PRV-21"


def test_battle_where_a_ship_or_merchant_is():
    """PRV-24, PRV-36: never anywhere else."""
    voyage = make_voyage({"cell": (7, 2)}, {"cell": (7, 3)})
    assert voyage.sail((7, 1)).asked() == "battle"
    voyage = make_voyage({"cell": (7, 2)}, {"cell": (7, 3)})
    assert voyage.sail((7, 3)).asked() == "battle"
    assert GAME.layout(voyage.state).at((7, 3)).ships == ("blue", "red")
    voyage = make_voyage({"cell": (7, 2)}, {"cell": (7, 3)})
    assert voyage.sail((8, 2)).asked() == "bounty"


def test_no_battle_in_port():
    """T13, PRV-27, PRV-37, PRV-36: two ships in a port; the newcomer trades."""
    voyage = make_voyage({"cell": (11, 0)}, {})
    voyage.sail((12, 0))
    assert voyage.asked() == "trade"
    assert GAME.layout(voyage.state).at((12, 0)).ships == ("blue", "red")
    voyage.leave()
    assert voyage.asked() == "bounty"


def test_trading_in_a_new_port_only():
    """PRV-25, PRV-58: the port one came from last is closed."""
    voyage = make_voyage({"cell": (3, 1)}, {})
    voyage.sail((3, 0))
    assert voyage.asked() == "bounty"
    assert voyage.player == P[1]


def test_staying_in_the_last_port_is_explained():
    """PRV-58: the turn passes without a deal, and the table hears why."""
    voyage = make_voyage({}, {})
    voyage.sail(voyage.state.seat.cell)
    assert voyage.rules() == ["PRV-58"]
    assert voyage.told().startswith("Red visited Havana last: ")
    assert voyage.player == P[1]


def test_the_next_captain_follows_clockwise():
    """PRV-26: markers are settled by themselves; after the last captain a new round begins."""
    voyage = make_voyage({}, {}, {}, turn=2)
    voyage.sail(voyage.state.seat.cell)
    assert (voyage.state.turn, voyage.state.round) == (0, 2)
    assert voyage.state.extra == 0


def test_one_battle_with_the_foe_of_choice():
    """PRV-38: a merchant and two captains on one square."""
    there = {"cell": (7, 1)}
    voyage = make_voyage({"cell": (7, 2)}, there, there)
    voyage.sail((7, 1))
    assert voyage.asked() == "choose_foe"
    assert {a.foe for a in voyage.legal()} == {MERCHANT, P[1], P[2]}
    assert voyage.refusal(Attack(P[0], P[0])) == "PRV-38"
    assert voyage.refusal(Attack(P[0], PlayerId(9))) == "PRV-38"
    reason = "Fight the merchant, Blue or Yellow: nobody else is on your square."
    assert GAME.check(voyage.state, Attack(P[0], P[0])).reason == reason
    texts = [GAME.describe(voyage.state, action) for action in voyage.legal()]
    assert texts == ["Red: fight the merchant", "Red: fight Blue", "Red: fight Yellow"]
    voyage.do(Attack(P[0], P[2])).roll(6, 1)
    assert voyage.asked() == "flight"
    voyage.colour("caracas")
    assert voyage.asked() == "bounty"


def test_staying_with_a_merchant():
    """PRV-39: counts as ending the movement there, unless the table chose otherwise."""
    voyage = make_voyage({"cell": (7, 1)})
    assert voyage.sail((7, 1)).asked() == "battle"
    voyage = make_voyage({"cell": (7, 1)}, battle_needs_move=True)
    assert voyage.sail((7, 1)).asked() == "bounty"
    assert voyage.happenings == [Happening("Red stays and keeps the peace", "PRV-39")]
    voyage = make_voyage({"cell": (7, 2)}, battle_needs_move=True)
    assert voyage.sail((7, 2)).happenings == []
    voyage = make_voyage({"cell": (7, 2)}, battle_needs_move=True)
    assert voyage.sail((7, 1)).asked() == "battle"


def test_what_sailing_is_called():
    """PRV-23: the way is not told, the cost is."""
    voyage = make_voyage({"cell": (7, 1), "last": "caracas"}, {}, wind="E")
    texts = {a.cell: GAME.describe(voyage.state, a) for a in voyage.legal()}
    assert texts[7, 1] == "Red: stay at H2"
    assert texts[8, 1] == "Red: sail to I2, for half a move"
    assert texts[12, 0] == "Red: sail to M1, Tortuga, for 3½ moves"
    assert texts[7, 0] == "Red: sail to H1, for 1 move"
    assert GAME.pending(voyage.state).passing == Sail(P[0], (7, 1))
    text = GAME.pending(make_voyage(moves=1).state).text
    assert text == "Red: sail up to 1 move; no wind"


def test_ships_that_do_not_lie_on_the_sea_yet_can_be_named():
    """PRV-13, PRV-23: a record may have one sail too early; it is refused and told, no more."""
    early = Sail(P[0], (7, 1))
    told = "Ann: sail to H2, a merchant"
    for voyage in (start(), to_colours()):
        assert GAME.describe(voyage.state, early) == told
    lines = [header_line("privateer", ("Ann", "Ben"), {})]
    lines.append(action_line(GAME, start().state, early))
    refusal = replay(lines).refusal
    assert (refusal.rule, refusal.text) == ("PRV-10", told)


def test_refused_ways_begin_where_the_ship_lies():
    """PRV-23: not where the ship on turn does."""
    voyage = make_voyage({"cell": (0, 7)}, {"cell": (12, 1)})
    assert GAME.describe(voyage.state, Sail(P[1], (12, 2))) == "Blue: sail to M3, for 1 move"
    assert GAME.describe(voyage.state, Sail(P[1], (12, 1))) == "Blue: stay at M2"
    assert GAME.describe(voyage.state, Sail(P[1], (0, 7))).startswith("Blue: sail to A8, for ")
    assert GAME.describe(voyage.state, Sail(PlayerId(7), (0, 7))) == "Player 7: sail to A8"
