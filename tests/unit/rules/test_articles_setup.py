"""The set-up: AOW-12 to AOW-22."""

from fractions import Fraction

import pytest

from companion.rules.articles_of_war.actions import (
    BuyThird,
    ChooseDensity,
    DrawCommodore,
    DrawTile,
    Pass,
    PlaceFleet,
    PlaceTile,
)
from companion.rules.articles_of_war.state import DrawingTile, PlacingTile
from companion.rules.game import CHANCE, PlayerId

P0, P1, P2 = PlayerId(0), PlayerId(1), PlayerId(2)


@pytest.fixture
def placing(opening):
    """Three players; seat 1 (red) goes first, then seat 2 (black), then seat 0 (green)."""
    table = opening(3)
    for colour, number in (("green", 4), ("red", 1), ("black", 6)):
        table.do(DrawCommodore(CHANCE, colour, number))
    return table


@pytest.fixture
def buying(placing):
    placing.do(PlaceFleet(P1, (4, 0), (4, 1)))
    placing.do(PlaceFleet(P2, (-4, 0), (-3, 0)))
    placing.do(PlaceFleet(P0, (0, 4), (0, 3)))
    return placing


@pytest.fixture
def tiling(buying):
    buying.do(Pass(P1)).do(Pass(P2)).do(Pass(P0)).do(ChooseDensity(P0, 2))
    return buying


def test_each_player_draws_a_card_at_random(opening):
    """AOW-12."""
    table = opening(2)
    outcomes = table.game.chance_outcomes(table.state)
    assert len(outcomes) == 6
    assert {p for _, p in outcomes} == {Fraction(1, 6)}
    table.do(DrawCommodore(CHANCE, "gray", 5))
    assert "AOW-12" in table.rules()
    assert table.refusal(DrawCommodore(CHANCE, "gray", 5)) == "AOW-12"
    assert table.refusal(DrawCommodore(CHANCE, "red", 2)) == "AOW-12"
    assert len(table.game.chance_outcomes(table.state)) == 5
    assert table.asked() == "draw_commodore"


def test_lowest_number_first_then_clockwise(placing):
    """AOW-13."""
    assert [fleet.player for fleet in placing.state.fleets] == [1, 2, 0]
    assert placing.player == P1
    assert "AOW-13" in placing.rules()
    assert placing.refusal(PlaceFleet(P0, (4, 0), (3, 0))) == "AOW-13"


def test_everyone_takes_two_doubloons(placing):
    """AOW-14."""
    assert placing.state.gold == (2, 2, 2)
    coins = [h.coins for h in placing.happenings if h.rule == "AOW-14"]
    assert coins == [((0, 2), (1, 2), (2, 2))]


def test_merchant_on_the_centre(placing):
    """AOW-15."""
    assert placing.cells("white") == [(0, 0)]
    assert "AOW-15" in placing.rules()


def test_fleet_on_a_starting_hex_and_beside_it(placing):
    """AOW-16."""
    assert len(placing.legal()) == 36
    assert placing.refusal(PlaceFleet(P1, (3, 0), (4, 0))) == "AOW-16"
    assert placing.refusal(PlaceFleet(P1, (4, 0), (2, 0))) == "AOW-16"
    assert placing.refusal(PlaceFleet(P1, (4, 0), (4, 0))) == "AOW-16"
    placing.do(PlaceFleet(P1, (4, 0), (4, 1)))
    assert placing.cells("red") == [(4, 0), (4, 1)]
    assert placing.player == P2
    assert placing.refusal(PlaceFleet(P2, (4, 0), (3, 0))) == "AOW-16"


def test_second_ship_stays_on_the_board(opening):
    """AOW-16: on the outermost ring only three hexes lie beside a corner."""
    table = opening(2, start_ring=5)
    table.do(DrawCommodore(CHANCE, "red", 1)).do(DrawCommodore(CHANCE, "blue", 2))
    assert len(table.legal()) == 18
    assert table.refusal(PlaceFleet(P0, (5, 0), (6, 0))) == "AOW-16"


def test_second_ship_on_an_empty_hex(opening):
    """AOW-16: on the second ring neighbours of two starting hexes meet."""
    table = opening(2, start_ring=2)
    table.do(DrawCommodore(CHANCE, "red", 1)).do(DrawCommodore(CHANCE, "blue", 2))
    table.do(PlaceFleet(P0, (2, 0), (2, -1)))
    assert table.refusal(PlaceFleet(P1, (2, -2), (2, -1))) == "AOW-16"


def test_third_ship_costs_two_and_lies_beside_the_start(buying):
    """AOW-17."""
    assert {type(a) for a in buying.legal()} == {BuyThird, Pass}
    assert buying.refusal(BuyThird(P1, (3, 2))) == "AOW-17"  # beside the second ship only
    assert buying.refusal(BuyThird(P1, (4, 1))) == "AOW-17"  # taken
    buying.do(BuyThird(P1, (5, 0)))
    assert buying.state.gold == (2, 0, 2)
    assert buying.happenings[0].coins == ((1, -2),)
    buying.do(Pass(P2))
    assert buying.state.gold == (2, 0, 2)
    assert buying.cells("black") == [(-4, 0), (-3, 0)]


def test_third_ship_must_be_paid(buying):
    """AOW-17."""
    from dataclasses import replace

    buying.state = replace(buying.state, gold=(2, 1, 2))
    assert buying.legal() == (Pass(P1),)
    assert buying.refusal(BuyThird(P1, (5, 0))) == "AOW-17"


def test_last_player_chooses_the_density(buying):
    """AOW-18, AOW-2."""
    buying.do(Pass(P1)).do(Pass(P2)).do(Pass(P0))
    assert buying.player == P0
    assert buying.legal() == tuple(ChooseDensity(P0, each) for each in (2, 3, 4))
    assert buying.refusal(ChooseDensity(P0, 5)) == "AOW-18"
    assert buying.refusal(ChooseDensity(P1, 2)) == "AOW-13"
    buying.do(ChooseDensity(P0, 4))
    assert buying.state.stage == DrawingTile((4, 4, 4))


def test_tiles_are_drawn_and_placed_in_turn_order(tiling):
    """AOW-19."""
    outcomes = dict(tiling.game.chance_outcomes(tiling.state))
    assert outcomes == {DrawTile(CHANCE, t): Fraction(1, 3) for t in ("volcano", "desert", "reef")}
    players = []
    for tile in ("reef", "reef", "volcano", "desert", "volcano", "desert"):
        players.append(tiling.player)
        tiling.do(DrawTile(CHANCE, tile))
        assert tiling.state.stage == PlacingTile(tiling.state.stage.barrel, tile)
        tiling.do(tiling.legal()[0])
    assert players == [1, 2, 0, 1, 2, 0]
    assert len(tiling.state.ocean.tiles) == 6
    assert tiling.asked() == "choose_dice"
    assert (tiling.player, tiling.state.round) == (P1, 1)


def test_the_barrel_is_told_in_words(tiling):
    """AOW-18: one of a kind or several."""

    def barrel():
        return next(n for n in tiling.game.view(tiling.state, None).notes if "barrel" in n)

    assert barrel() == "In the barrel: 2 volcanoes, 2 deserts and 2 reefs"
    tiling.do(DrawTile(CHANCE, "volcano"))
    assert barrel() == "In the barrel: 1 volcano, 2 deserts and 2 reefs"


def test_a_used_up_terrain_cannot_be_drawn(tiling):
    """AOW-19."""
    tiling.do(DrawTile(CHANCE, "reef")).do(tiling.legal()[0])
    tiling.do(DrawTile(CHANCE, "reef")).do(tiling.legal()[0])
    assert tiling.refusal(DrawTile(CHANCE, "reef")) == "AOW-19"
    assert dict(tiling.game.chance_outcomes(tiling.state)) == {
        DrawTile(CHANCE, "desert"): Fraction(1, 2),
        DrawTile(CHANCE, "volcano"): Fraction(1, 2),
    }


def test_tiles_go_on_empty_hexes(tiling):
    """AOW-19."""
    tiling.do(DrawTile(CHANCE, "reef"))
    assert tiling.refusal(PlaceTile(P1, (4, 0))) == "AOW-19"
    assert tiling.refusal(PlaceTile(P1, (6, 0))) == "AOW-19"
    tiling.do(PlaceTile(P1, (2, 0))).do(DrawTile(CHANCE, "desert"))
    assert tiling.refusal(PlaceTile(P2, (2, 0))) == "AOW-19"


def test_tiles_keep_away_from_ships_of_others(tiling):
    """AOW-20: beside own ships and other tiles is allowed."""
    tiling.do(DrawTile(CHANCE, "reef"))
    assert tiling.refusal(PlaceTile(P1, (1, 0))) == "AOW-20"
    refused = tiling.game.check(tiling.state, PlaceTile(P1, (1, 0)))
    assert "beside the merchant" in refused.reason
    assert tiling.refusal(PlaceTile(P1, (-2, 0))) == "AOW-20"  # black
    tiling.do(PlaceTile(P1, (3, 0))).do(DrawTile(CHANCE, "reef"))  # beside red's own ship
    tiling.do(PlaceTile(P2, (2, 0)))  # beside the tile
    assert tiling.state.ocean.tiles == (((2, 0), "reef"), ((3, 0), "reef"))


def test_a_tile_without_legal_hex_is_set_aside(battle):
    """AOW-21."""
    everywhere = {(q, r): "reef" for q in range(-4, 5) for r in range(-4, 5) if abs(q + r) <= 4}
    open_sea = [(4, 0), (4, -1), (3, 1)]
    for cell in (*open_sea, (3, 0)):
        del everywhere[cell]
    table = battle(
        {"red": [(-4, 0)], "blue": [(3, 0)]},
        everywhere,
        stage=DrawingTile((0, 0, 2)),
        options={"radius": 4},
    )
    table.do(DrawTile(CHANCE, "reef"))
    assert table.rules() == ["AOW-21"]
    assert table.state.stage == DrawingTile((0, 0, 1))
    assert table.player == P1
    assert len(table.state.ocean.tiles) == len(everywhere)


def test_unused_starting_hexes_are_ordinary(tiling):
    """AOW-22."""
    tiling.do(DrawTile(CHANCE, "volcano")).do(PlaceTile(P1, (4, -4)))
    assert tiling.state.ocean.terrain[(4, -4)] == "volcano"
