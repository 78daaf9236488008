"""What an action costs for good, which phones ask about first: the rules say it, not the words."""

from collections.abc import Iterator

from companion.rules.articles_of_war.actions import Sail as SailDie
from companion.rules.hexes import DIRECTION_NAMES
from companion.rules.pirate_wars.actions import Scuttle
from companion.rules.pirates_csg import actions as csg
from tests.playing import Line
from tests.unit.rules.pirate_wars.squadron import FLAGSHIP, SCHOONER, battle, ship
from tests.unit.rules.pirates_csg.shipyard import TAG, P, under_way


def losses(line: Line) -> Iterator[tuple[str, str]]:
    """Return what may be done, in words, that costs something, and what."""
    for action in line.legal():
        if loss := line.game.loss(line.state, action):
            yield line.game.describe(line.state, action), loss


def test_sails_off_the_map_and_onto_islands(battle) -> None:
    ships = {"red": [(0, 0), (5, 0)], "blue": [(0, -2)]}
    line = battle(ships, {(0, 2): "volcano", (2, -2): "desert", (-2, 0): "reef"}, sails=(2,) * 4)
    out = "the ship is out of the battle"
    costly = {
        (action.ship, DIRECTION_NAMES[action.direction])
        for action in line.legal()
        if isinstance(action, SailDie) and line.game.loss(line.state, action) == out
    }
    assert {way for ship, way in costly if ship == (0, 0)} == {"SE", "NE"}
    assert {way for ship, way in costly if ship == (5, 0)} == {"E", "NE", "SE"}
    assert all("map" in text or "onto" in text for text, _ in losses(line))


def test_ships_that_leave_the_sea_or_scuttle() -> None:
    line = battle(ship(SCHOONER, 0, (2990, 978, 60)), ship(FLAGSHIP, 1, (300, 300, 0)), wind="W")
    out = "the Skull's Eye Schooner is out of the battle"
    assert list(losses(line)) == [("Captain 0: sail the Skull's Eye Schooner off the sea", out)]
    assert line.game.loss(line.state, Scuttle(P[0], 0)) == out


def test_captains_who_scuttle_or_surrender() -> None:
    cruise = under_way()
    loss = cruise.game.loss
    assert loss(cruise.state, csg.Scuttle(P[0], TAG["steadfast"])) == "Steadfast is out of the game"
    assert loss(cruise.state, csg.Surrender(P[0])) == "all your ships leave the game"
    assert not list(losses(cruise))
