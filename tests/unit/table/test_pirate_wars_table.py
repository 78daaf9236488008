"""A battle of PirateWars at the table: ships chosen on phones, the rest from tags and dice."""

from __future__ import annotations

from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import Board, ChooseShip, Commit, Done, Drift, FireGun
from companion.rules.pirate_wars.built.ship_reading import stock_ship, write_design
from companion.rules.pirate_wars.sailing.drifting import due_drift
from companion.rules.pirate_wars.stages import Throw, Throwing
from companion.table.ring import CALM_S, GUST_S, ring_colours, ring_sign
from tests.table.seafight import RULES, Table, in_line
from tests.unit.rules.pirate_wars.moves import ahead, turned


def test_ships_are_placed_and_dice_rolled_before_the_camera() -> None:
    table = in_line()
    assert table.asked() == "move"
    assert table.state.order == (0, 1)
    assert [ship.pose for ship in table.state.ships] == [*table.poses.values()]


def test_the_log_says_in_plain_words_how_ships_are_placed() -> None:
    """The first one, too, on a cloth on which nothing lies yet."""
    log = [entry.text for entry in in_line().referee.snapshot().log]
    assert log[2:4] == [
        "Ann: place the Skull's Eye Schooner with her bow east",
        "Ben: place the Imperial Flagship with her bow west",
    ]


def test_a_ship_sails_leap_by_leap_and_is_measured() -> None:
    table = in_line()
    start = table.state.ships[0].pose
    corner = turned(table.state, 0, ahead(start, 48), -90)
    table.look(tag1=Pose(corner.x_mm + 1.4, corner.y_mm - 0.8, 269.6))
    assert table.state.ships[0].left == 16
    assert table.asked() == "move"
    table.look(tag1=ahead(table.state.ships[0].pose, 16))
    assert table.state.ships[0].left == 0
    assert table.state.player == 1


def test_a_whole_way_with_a_turn_is_found_from_where_it_ends() -> None:
    table = in_line()
    corner = turned(table.state, 0, ahead(table.state.ships[0].pose, 48), -60)
    table.look(tag1=ahead(corner, 16))
    assert table.state.ships[0].left == 0
    assert table.referee.snapshot().question is None


def test_too_far_is_said_in_millimetres() -> None:
    table = in_line()
    table.look(tag1=ahead(table.state.ships[0].pose, 68))
    assert table.state.ships[0].left == 64
    assert table.notice() == "26 mm too far: the Skull's Eye Schooner has 64 dots (512 mm) left."


def test_shots_are_told_and_thrown() -> None:
    table = in_line()
    table.look(tag1=ahead(table.state.ships[0].pose, 64))
    table.look(tag2=ahead(table.state.ships[1].pose, 60))
    while table.asked() == "fall_off":
        table.tell(Done(table.state.player))
    assert table.asked() == "tasks"
    table.tell(Done(1))
    for gun in range(4):
        table.tell(FireGun(0, 0, gun, "shot", 1, ""))
    table.tell(Done(0))
    for faces in ((1, 4, 5), (2, 3, 6), (4, 4, 5), (5, 6, 6)):
        assert table.asked() == "fire"
        table.look()
        table.look(*faces)
    assert table.state.ships[1].sf == 5 - 3
    assert table.state.round == 2


HORDE = write_design(stock_ship("skulls-eye-schooner")) | {
    "id": "horde",
    "title": "Horde",
    "cannon": [],
    "cargo": 0,
    "extras": {"pirate": 36},
}
"""Forty-four pirates with a Captain and a First Mate."""


def horde_alongside() -> Table:
    """Return a boarding of a Flagship by more pirates than thirty, after the gunfire."""
    table = Table(wind="W", own_ships=[HORDE])
    table.tell(ChooseShip(0, "horde"))
    table.tell(ChooseShip(1, "imperial-flagship"))
    table.look(tag1=Pose(460.0, 110.0, 45.0))
    table.look(tag2=Pose(700.0, 450.0, 190.0))
    for face in (2, 5):
        table.look()
        table.look(face)
    drift = due_drift(table.state, 1)
    table.tell(Drift(1, 1, drift))
    table.poses[2] = drift
    table.look(tag1=ahead(table.state.ships[0].pose, 279.8 / 8))
    table.tell(Done(1))
    table.tell(Done(0))
    table.tell(Board(0, 0, 1))
    table.tell(Commit(0))
    table.tell(Commit(1))
    table.look()
    table.look(1, 1, 6, 6, 6, 6, 6)
    return table


def test_thirty_dice_lie_in_the_tray_at_once() -> None:
    """Big throws are thirty dice and the rest; each is assigned to the throw that is awaited."""
    table = horde_alongside()
    stage = table.state.stage
    assert isinstance(stage, Throwing)
    # Three are aloft, two were shot: 39 at target 3, First Mate and Captain by themselves.
    assert stage.throws[:4] == (Throw(0, 30, 3), Throw(0, 9, 3), Throw(0, 2, 4), Throw(0, 4, 5))
    table.look()
    table.look(*[1] * 5, *[6] * 25)
    assert table.state.stage.throws[0] == Throw(0, 9, 3)
    assert table.state.stage.fight.hits[0] == 5
    # The thirty are taken up; nine are thrown.
    table.look()
    table.look(*[2] * 4, *[5] * 5)
    assert table.state.stage.throws[0] == Throw(0, 2, 4)
    assert table.state.stage.fight.hits[0] == 5 + 4
    assert table.referee.snapshot().question is None


def test_thirty_dice_are_thrown_beside_thirty_that_lie_there() -> None:
    """The next throw is told from the last by where the dice lie, however many there are."""
    table = horde_alongside()
    table.look()
    thirty = [3] * 15 + [6] * 15
    table.look(*thirty)
    table.look(*thirty, *[1] * 9)
    assert table.state.stage.throws[0] == Throw(0, 2, 4)
    assert table.state.stage.fight.hits[0] == 15 + 9


def test_thirty_dice_can_be_told_by_phone() -> None:
    """A phone tells a throw as JSON, the dice in order; one short is refused with the number."""
    table = horde_alongside()
    dice = [{"kind": "d6", "face": face} for face in [1] * 9 + [6] * 21]
    short = RULES.action_from_json({"type": "roll", "player": -1, "dice": dice[1:]})
    assert RULES.check(table.state, short).reason == "Throw 30 d6 dice."
    table.tell(RULES.action_from_json({"type": "roll", "player": -1, "dice": dice}))
    assert table.state.stage.fight.hits[0] == 9


def test_the_ring_shows_the_wind_and_whose_turn_it_is() -> None:
    """Captains sit at their edges, left and right; gusts run the way ships drift."""
    table = in_line()
    sign = ring_sign(table.referee.snapshot())
    assert (sign.pattern, sign.side_deg, sign.wind_to_deg) == ("steady", 270.0, 180.0)
    lamps = ring_colours(sign, 12, GUST_S + CALM_S / 2)
    # Red is on turn at the left edge; the wind from the top whitens the lamp at the bottom.
    assert lamps[9] == max(lamps, key=lambda lamp: lamp[0] - lamp[2])
    assert lamps[6] == max(lamps, key=lambda lamp: lamp[2])
    table.look(tag1=ahead(table.state.ships[0].pose, 64))
    assert ring_sign(table.referee.snapshot()).side_deg == 90.0
    for wind, to in (("E", 270.0), ("SW", 45.0)):
        other = Table(wind=wind)
        other.tell(ChooseShip(0, "skulls-eye-schooner"))
        other.tell(ChooseShip(1, "imperial-flagship"))
        assert ring_sign(other.referee.snapshot()).wind_to_deg == to


def test_rammed_ships_are_pushed_together() -> None:
    """PWR-50, PWR-52: both tags drift at once, in this turn and the next; then one may board."""
    table = in_line(Pose(300.0, 450.0, 0.0), Pose(700.0, 450.0, 90.0), "man-of-war")
    table.look(tag1=Pose(460.0, 450.0, 0.0))
    assert [ship.stunned for ship in table.state.ships] == [True, True]
    assert table.state.player == 1
    table.look(tag1=Pose(460.0, 514.0, 0.0), tag2=Pose(700.0, 514.0, 90.0))
    assert table.asked() == "tasks"
    table.tell(Done(1))
    table.tell(Done(0))
    # The crew of the Schooner holds, the marines do; the Schooner goes first.
    for face in (1, 2, 5, 3):
        table.look()
        table.look(face)
    assert (table.asked(), table.state.round) == ("move", 2)
    table.look(tag1=Pose(461.0, 578.0, 1.0), tag2=Pose(701.0, 578.0, 90.0))
    assert table.asked() == "tasks"
    assert table.referee.snapshot().question is None
    table.tell(Board(table.state.player, 1, 0))
    assert table.asked() == "commit"
