"""A battle of PirateWars at the table: ships chosen on phones, the rest from tags and dice."""

from __future__ import annotations

from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import ChooseShip, Done, FireGun
from companion.table.commands import Act
from companion.table.referee import Referee
from tests.table.regatta import seen
from tests.unit.rules.pirate_wars.moves import ahead, turned

RULES = find_game("pirate-wars")


class Table:
    """A referee, what stands on the cloth, and the time of the next picture."""

    def __init__(self, **options: object) -> None:
        chosen = {"wind": "N", "losses": "order"} | options
        profile = board_for(RULES.info, chosen)
        names = ["Ann", "Ben"]
        self.referee = Referee.open(
            RULES, names, chosen, profile, MemoryStore(), lambda: 0.0, "20261121-battle"
        )
        self.poses: dict[int, Pose] = {}
        self.clock = 0.0

    @property
    def state(self):
        return self.referee.state

    def tell(self, action) -> None:
        self.referee.command(Act(action))

    def look(self, *faces: int, **moved: Pose) -> None:
        """Take a picture with ships moved (``tag1=...``) and dice in the tray."""
        self.poses |= {int(name.removeprefix("tag")): pose for name, pose in moved.items()}
        self.clock += 1.0
        self.referee.observe(seen(self.poses, faces, self.clock))

    def asked(self) -> str:
        return RULES.pending(self.state).phase

    def notice(self) -> str:
        notice = self.referee.snapshot().notice
        return notice.text if notice else ""


def in_line() -> Table:
    """Return a Schooner and a Flagship under way, the Schooner to move first."""
    table = Table()
    table.tell(ChooseShip(0, "skulls-eye-schooner"))
    table.tell(ChooseShip(1, "imperial-flagship"))
    table.look(tag1=Pose(250.0, 700.0, 0.0))
    table.look(tag2=Pose(1200.0, 300.0, 180.0))
    for face in (5, 2):
        table.look()
        table.look(face)
    return table


def test_ships_are_placed_and_dice_rolled_before_the_camera() -> None:
    table = in_line()
    assert table.asked() == "move"
    assert table.state.order == (0, 1)
    assert [ship.pose for ship in table.state.ships] == [*table.poses.values()]


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
