"""A small battle on an open table, for tests of pages: ships, figures ashore and an island."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from companion.rules.layout import Layout, Placed, Pose, make_layout
from companion.rules.sheets import Gauge, Sheet
from companion.table.ports import Receipt
from companion.table.snapshot import Offer, Snapshot
from tests.web.doubles import FakeTable, make_snapshot

HULL = ((-60.0, -20.0), (30.0, -20.0), (70.0, 0.0), (30.0, 20.0), (-60.0, 20.0))
ISLE = ((-80.0, -60.0), (80.0, -60.0), (80.0, 60.0), (-80.0, 60.0))
WOLF, RAVEN, PIKE, PARTY, COVE = 1, 2, 3, 4, 100

PIECES = {
    WOLF: Placed(Pose(200.0, 200.0, 30.0), "ship", "the Sea Wolf", "red", HULL),
    RAVEN: Placed(Pose(420.0, 220.0, 90.0), "ship", "the Raven", "red", HULL),
    PIKE: Placed(Pose(900.0, 600.0, 180.0), "ship", "the Pike", "blue", HULL),
    PARTY: Placed(Pose(640.0, 420.0, 0.0), "party", "the landing party", "red"),
    COVE: Placed(Pose(660.0, 440.0, 0.0), "island", "island 1", "", ISLE),
}
SHEETS = tuple(
    Sheet(0 if tag != PIKE else 1, name, colour, tag, (Gauge("Crew", 8, 9),), todo=todo)
    for tag, name, colour, todo in (
        (WOLF, "The Sea Wolf", "red", ("fire 2 guns",)),
        (RAVEN, "The Raven", "red", ("load 1 gun",)),
        (PIKE, "The Pike", "blue", ()),
    )
)


def act(text: str, ship: int, type_: str, target: int | None = None, **fields: Any) -> Offer:
    """Return an offer of a ship, which actions call by a number of their own."""
    pieces = {"ship": ship}
    action = {"type": type_, "player": 0, "ship": ship - 1, **fields}
    if target is not None:
        pieces["target"], action["target"] = target, target - 1
    return Offer(text, action, pieces)


ORDERS = (
    *(
        act(f"the Sea Wolf fires gun {gun + 1} at {name}", WOLF, "fire_gun", target, gun=gun)
        for gun in range(3)
        for target, name in ((RAVEN, "the Raven"), (PIKE, "the Pike"), (PARTY, "the party"))
    ),
    act("the Sea Wolf loads gun 4", WOLF, "load_gun", gun=3),
    act("the Raven loads gun 1", RAVEN, "load_gun", gun=0),
    act("the Raven loads gun 2", RAVEN, "load_gun", gun=1),
    Offer("Ann: no more tasks", {"type": "done", "player": 0}),
)


def at_sea(layout: Layout | None = None, **changes: Any) -> Snapshot:
    """Return a moment of the battle: the first captain gives tasks."""
    shown = layout or make_layout({}, (), PIECES)
    base = make_snapshot(
        profile="open-table", layout=shown, sheets=SHEETS, phase="tasks", pending="Give tasks."
    )
    return replace(base, **changes)


class Bleeding(FakeTable):
    """A table that asks which figures fall, kind by kind; the last of a kind fall by themselves."""

    def __init__(self, crew: dict[str, int], due: int) -> None:
        super().__init__(at_sea(phase="lose_figures", pending="Say which fall."))
        self.bleed(crew, due)

    def bleed(self, crew: dict[str, int], due: int) -> None:
        """Let so many of this crew fall."""
        self.crew, self.due = crew, due
        self._ask()

    def command_json(self, data: Any) -> Receipt:
        """Take the figures off and ask for the rest."""
        receipt = super().command_json(data)
        if data["type"] == "act":
            assert data["action"] in [dict(offer.action) for offer in self.offered]
            self.crew[data["action"]["figure"]] -= data["action"]["count"]
            self.due -= data["action"]["count"]
            self._ask()
        return receipt

    def _ask(self) -> None:
        left = {figure: count for figure, count in self.crew.items() if count}
        if len(left) < 2:
            self.due = 0  # nothing is left to choose
        self.offered = tuple(
            act(f"loses {n} {figure}", WOLF, "lose", figure=figure, station="deck", count=n)
            for figure, count in left.items()
            for n in range(1, min(count, self.due) + 1)
        )
        said = f"Say which {self.due} fall." if self.due else "Nobody else falls."
        self.show(total=self.due, pending=said)
