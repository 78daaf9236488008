"""Which rule is named when the table lies as no legal line of play leaves it."""

import pytest

from companion.rules.articles_of_war.rules import ArticlesOfWar
from companion.rules.articles_of_war.state import (
    BuyingThird,
    DrawingTile,
    PlacingFleets,
    PlacingTile,
)
from companion.rules.layout import CellContent, Die, Layout, make_layout

GAME = ArticlesOfWar()
SHIPS = {"red": [(0, 0), (0, 3)], "blue": [(3, 0), (-4, 0)], "white": [(2, -4)]}
TERRAIN = {(0, -2): "volcano", (-2, 1): "desert", (-2, 2): "reef"}


def seen(
    layout: Layout,
    ships: dict[tuple[int, int], tuple[str, ...]],
    less: tuple[Die, ...] = (),
    tiles: dict[tuple[int, int], str] | None = None,
    more: tuple[Die, ...] = (),
) -> Layout:
    """Return a layout with cells relaid, dice taken out and dice added."""
    cells = dict(layout.cells)
    for cell, colours in ships.items():
        cells[cell] = CellContent(colours, layout.at(cell).terrain)
    for cell, tile in (tiles or {}).items():
        cells[cell] = CellContent((), tile)
    dice = list(layout.dice)
    for die in less:
        dice.remove(die)
    return make_layout(cells, [*dice, *more])


S2, S3, S4, C3 = Die("sail", 2), Die("sail", 3), Die("sail", 4), Die("cannon", 3)


@pytest.mark.parametrize(
    ("ships", "less", "rule", "says"),
    [
        ({(0, 0): (), (2, 0): ("red",)}, (S4,), "AOW-36", "meets Blue's ship on G10"),
        ({(0, 0): (), (2, -2): ("red",)}, (S3,), "AOW-33", "3 hexes to D10, you moved 2"),
        ({(0, 0): (), (2, -2): ("red",)}, (), "AOW-33", "3 or 4 hexes, not 2"),
        ({(0, 0): (), (3, -3): ("red",)}, (S4,), "AOW-33", "the 4 is out of the tray: swap"),
        ({(0, 0): (), (1, 1): ("red",)}, (S3,), "AOW-11", "not in line"),
        ({(0, 0): (), (0, -3): ("red",)}, (S3,), "AOW-39", "volcano at E7"),
        ({(0, 3): (), (-3, 3): ("red",)}, (S4,), "AOW-33", "you moved 3|swap"),
        ({(0, 3): (), (-4, 3): ("red",)}, (S4,), "", ""),
        ({(3, 0): (), (3, 1): ("blue",)}, (), "AOW-26", "Blue's ship may not be moved"),
        ({(1, 1): ("red",)}, (), "AOW-6", "No ship of yours may enter"),
        ({(-4, 0): ()}, (C3,), "AOW-45", "none of your ships reaches G3"),
        ({(0, 0): ()}, (S3,), "", ""),
    ],
)
def test_spending(ships, less, rule, says, battle):
    state = battle(SHIPS, TERRAIN, sails=(3, 4, 4), cannons=(3,)).state
    ruling = GAME.objection(state, seen(GAME.layout(state), ships, less))
    assert (ruling.rule, ruling.legal) == (rule, not rule)
    assert any(part in ruling.reason for part in says.split("|"))


def test_a_shot_over_a_volcano(battle):
    ships = {"red": [(0, 0)], "blue": [(0, -3), (5, -5)]}
    state = battle(ships, TERRAIN, sails=(3,), cannons=(3,)).state
    ruling = GAME.objection(state, seen(GAME.layout(state), {(0, -3): ()}, (C3,)))
    assert ruling.rule == "AOW-47"


def test_a_ship_waits_on_its_reef(battle):
    ships = {"red": [(0, 2)], "blue": [(5, -5)]}
    state = battle(ships, TERRAIN, sails=(3, 4)).state
    moved = {(0, 2): (), (-3, 2): ("red",)}
    ruling = GAME.objection(state, seen(GAME.layout(state), moved, (S3,)))
    assert (ruling.rule, "I5" in ruling.reason) == ("AOW-41", True)


def test_a_ship_that_nothing_can_sink_stays(battle):
    ships = {"red": [(0, 0)], "blue": [(5, -5)]}
    state = battle(ships, sails=(2, 2)).state
    assert GAME.objection(state, seen(GAME.layout(state), {(0, 0): ()}, (S2,))).rule == "AOW-37"


def test_unfinished_spending(battle):
    state = battle(SHIPS, sails=(3, 4, 4), cannons=(3,)).state
    ruling = GAME.objection(state, GAME.layout(state))
    said = "Spend your dice first: sail 3, 4, 4 and cannon 3."
    assert (ruling.rule, ruling.reason) == ("AOW-29", said)
    # The headline says the same already, so the refusal says more.
    assert GAME.pending(state).text not in ruling.reason


def test_wrong_dice_in_the_tray(battle):
    fight = battle(SHIPS)
    layout = GAME.layout(fight.state)
    assert GAME.objection(fight.state, seen(layout, {}, more=(S2, C3, C3, C3))).rule == "AOW-24"
    assert GAME.objection(fight.state, seen(layout, {}, more=(S2, S2, S2))).rule == "AOW-23"
    assert (
        GAME.objection(fight.state, seen(layout, {(0, 0): (), (2, 0): ("red",)})).rule == "AOW-23"
    )
    fight.take(2, 2)
    assert GAME.objection(fight.state, seen(layout, {}, more=(S2, S2, S3, C3))).rule == "AOW-25"
    assert (
        GAME.objection(fight.state, seen(layout, {(0, 0): (), (2, 0): ("red",)})).rule == "AOW-25"
    )


def test_setting_up(battle):
    fight = battle({"red": [], "blue": []}, stage=PlacingFleets())
    layout = GAME.layout(fight.state)
    for ships, rule in (
        ({(4, 0): ("red",), (2, 0): ("red",)}, "AOW-16"),
        ({(4, 0): ("red",)}, "AOW-16"),
        ({(1, 0): ("red",)}, "AOW-16"),
        ({(4, 0): ("blue",), (3, 0): ("blue",)}, "AOW-16"),
        ({(4, 0): ("red",), (3, 0): ("red",), (5, 0): ("red",)}, "AOW-16"),
    ):
        assert GAME.objection(fight.state, seen(layout, ships)).rule == rule
    fight = battle({"red": [(4, 0), (4, 1)], "blue": [(-4, 0), (-3, 0)]}, stage=BuyingThird())
    layout = GAME.layout(fight.state)
    assert GAME.objection(fight.state, seen(layout, {(3, 2): ("red",)})).rule == "AOW-17"
    assert GAME.objection(fight.state, seen(layout, {(4, 0): ()})).rule == "AOW-17"
    both = {(3, 0): ("red",), (5, 0): ("red",)}
    assert GAME.objection(fight.state, seen(layout, both)).rule == "AOW-17"


@pytest.mark.parametrize("stage", [DrawingTile((0, 1, 1)), PlacingTile((0, 0, 1), "desert")])
def test_placing_tiles(stage, battle):
    fight = battle(SHIPS, stage=stage)
    layout = GAME.layout(fight.state)
    near = GAME.objection(fight.state, seen(layout, {}, tiles={(4, 0): "desert"}))
    assert (near.rule, "G11 is beside Blue" in near.reason) == ("AOW-20", True)
    two = GAME.objection(fight.state, seen(layout, {}, tiles={(0, 1): "desert", (0, 2): "reef"}))
    assert two.rule == "AOW-19"
    assert GAME.objection(fight.state, seen(layout, {(0, 0): ()})).rule == "AOW-19"
    used = GAME.objection(fight.state, seen(layout, {}, tiles={(0, 1): "volcano"}))
    assert used.rule == "AOW-19"


def test_prizes(battle):
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (5, -5)]}, sails=(2, 2))
    fight.sail((0, 0), 2, "E").roll(5, 1)
    layout = GAME.layout(fight.state)
    assert GAME.objection(fight.state, layout).rule == "AOW-53"
    far = {(2, 0): ("red",), (4, 0): ("red",)}
    assert GAME.objection(fight.state, seen(layout, far)).rule == "AOW-54"
    gone = {(2, 0): ()}
    assert GAME.objection(fight.state, seen(layout, gone)).rule == "AOW-55"


def test_rolls_are_awaited_before_anything_else(battle):
    fight = battle({"red": [(0, 0)], "blue": [(2, 0), (5, -5)]}, sails=(2, 2))
    fight.sail((0, 0), 2, "E")
    layout = GAME.layout(fight.state)
    assert GAME.objection(fight.state, seen(layout, {(2, 0): ("red",)})).rule == "AOW-52"


def test_nothing_can_be_done_after_the_end(battle):
    fight = battle({"red": [(0, 0)], "blue": [(4, 0)]}, sails=(2,), cannons=(4,))
    fight.fire((0, 0), 4, "E")
    assert GAME.objection(fight.state, GAME.layout(fight.state)).rule == "AOW-59"


def test_a_ship_that_must_leave_the_map(battle):
    ships = {"red": [(4, 0), (0, 0)], "blue": [(-5, 5)]}
    state = battle(ships, sails=(3, 3, 3, 3)).state
    kept = seen(GAME.layout(state), {(4, 0): (), (5, 0): ("red",)}, (S3,))
    assert GAME.objection(state, kept).rule == "AOW-37"


def test_a_beached_ship_must_be_taken_away(battle):
    ships = {"red": [(0, 0)], "blue": [(-5, 5)]}
    state = battle(ships, {(2, 0): "desert"}, sails=(3, 3)).state
    kept = seen(GAME.layout(state), {(0, 0): (), (3, 0): ("red",)}, (S3,))
    assert GAME.objection(state, kept).rule == "AOW-40"


def test_nothing_has_sunk_an_enemy_without_a_cannonball(battle):
    ships = {"red": [(0, 0)], "blue": [(-5, 5), (3, 0)]}
    state = battle(ships, sails=(3, 3)).state
    assert GAME.objection(state, seen(GAME.layout(state), {(3, 0): ()})).rule == "AOW-26"


@pytest.mark.parametrize("cell", [(3, 0), (3, -1)])
def test_an_ally_is_not_hit(cell, battle):
    """AOW-73: in The Duel, whether or not a shot would reach so far."""
    ships = {"red": [(0, 0)], "blue": [(0, 4)], "green": [cell], "yellow": [(-4, 4)]}
    duel = battle(ships, sails=(3,), cannons=(3,), options={"duel": True}, seats=(0, 1, 0, 1))
    ruling = GAME.objection(duel.state, seen(GAME.layout(duel.state), {cell: ()}, (C3,)))
    assert ruling.rule == "AOW-73"
    assert "Green's ship" in ruling.reason


def test_only_the_fleet_on_turn_moves_and_fires_in_a_duel(battle):
    """AOW-73, AOW-45: the captain's other fleet has its own turn and dice."""
    ships = {"red": [(0, 0)], "blue": [(0, 4)], "green": [(3, 1)], "yellow": [(-4, 4)]}
    duel = battle(ships, sails=(3,), cannons=(3,), options={"duel": True}, seats=(0, 1, 0, 1))
    layout = GAME.layout(duel.state)
    moved = GAME.objection(duel.state, seen(layout, {(3, 1): (), (3, 2): ("green",)}))
    said = "Dice are spent on Red's ships; Green's ship may not be moved."
    assert (moved.rule, moved.reason) == ("AOW-73", said)
    shot = GAME.objection(duel.state, seen(layout, {(0, 4): ()}, (C3,)))
    assert (shot.rule, "none of Red's ships reaches K7" in shot.reason) == ("AOW-45", True)


@pytest.mark.parametrize("cell", [(3, 0), (4, 0)])
def test_an_own_ship_is_not_hit(cell, battle):
    """AOW-49: not even where a sail could have lost the ship, for it was a shot."""
    ships = {"red": [(0, 0), cell], "blue": [(0, 4)]}
    state = battle(ships, sails=(2, 2, 2), cannons=(3,)).state
    gone = seen(GAME.layout(state), {cell: ()}, (C3,))
    assert GAME.objection(state, gone).rule == "AOW-49"
    # Without a die in hand it may have left the map, or nothing explains it.
    kept = seen(GAME.layout(state), {cell: ()})
    assert GAME.objection(state, kept).rule == ("" if cell == (4, 0) else "AOW-37")


def test_a_second_shot_of_one_ship(battle):
    ships = {"red": [((0, 0), 6), (0, 4)], "blue": [(-5, 5), (3, 0)]}
    state = battle(ships, sails=(3, 3), cannons=(3,)).state
    gone = seen(GAME.layout(state), {(3, 0): ()}, (C3,))
    assert GAME.objection(state, gone).rule == "AOW-27"


def test_a_hit_that_is_legal_is_no_objection(battle):
    ships = {"red": [(0, 0)], "blue": [(-5, 5), (3, 0)]}
    state = battle(ships, sails=(3,), cannons=(3,)).state
    assert GAME.objection(state, seen(GAME.layout(state), {(3, 0): ()}, (C3,))).legal
