"""A battle of PirateWars at the table: ships chosen on phones, the rest from tags and dice."""

from __future__ import annotations

from companion.boards.choice import board_for
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.layout import Pose
from companion.rules.pirate_wars.actions import ChooseShip
from companion.table.commands import Act
from companion.table.referee import Referee
from tests.table.regatta import seen

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


HERE, THERE = Pose(250.0, 700.0, 0.0), Pose(1200.0, 300.0, 180.0)


def in_line(first: Pose = HERE, second: Pose = THERE, other: str = "imperial-flagship") -> Table:
    """Return a Schooner and a Flagship under way, the Schooner to move first."""
    table = Table()
    table.tell(ChooseShip(0, "skulls-eye-schooner"))
    table.tell(ChooseShip(1, other))
    table.look(tag1=first)
    table.look(tag2=second)
    for face in (5, 2):
        table.look()
        table.look(face)
    return table
