"""A table and a house that are told what to show: test doubles of `companion.table.ports`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.boards.profile import BoardProfile, load_profile
from companion.errors import BadOptions, CompanionError
from companion.ledger.memory_store import MemoryStore
from companion.rules.dice import DieKind
from companion.rules.game import GameInfo, Option
from companion.rules.layout import Cell, CellContent, Die, Layout, make_layout
from companion.table.commands import Command
from companion.table.ports import Alternatives, Listener, Receipt
from companion.table.snapshot import Choice, LogEntry, Offer, Question, Seat, Snapshot
from tests.web.fake_set_up import FakeSetUp

INFO = GameInfo(
    id="toy-battle",
    title="Toy Battle",
    players=(2, 6),
    options=(
        Option("fog", False, (False, True), "Is there fog?"),
        Option("radius", 5, (4, 5), "The print decides this."),
        Option("faces", (2, 3, 3, 4), ((2, 3, 3, 4), (2, 3, 4, 4)), "Faces of the sail die."),
        Option("duel", False, (False, True), "Two fleets each.", "The Duel", "Variants"),
        Option("battles", 1, (), "How many.", "Battles", "Variants"),
        Option("numbers", (1, 2, 3), (), "On the cards.", "Card numbers", "Cards"),
        Option(
            "cards",
            (),
            (),
            "Typed in by the host.",
            "Gambits",
            "Cards",
            fields=(
                Option("colour", "red", ("red", "blue"), "Whose card.", labels=("Red", "Blue")),
                Option("name", "", (), "Its name.", "Name"),
                Option("text", "", (), "What it says.", "Words"),
            ),
        ),
    ),
    dice=(DieKind("sail", (2, 3, 3, 4)),),
    profile="hex-ocean",
)

LAYOUT = make_layout(
    {
        (0, 0): CellContent(("white",)),
        (4, 0): CellContent(("red",)),
        (4, -1): CellContent(("red",)),
        (-4, 0): CellContent(("blue",)),
        (-3, 0): CellContent(("blue",), "reef"),
        (0, 4): CellContent(("gray",)),
        (-1, 4): CellContent(("gray",)),
        (0, -4): CellContent(("black",)),
        (1, -4): CellContent(("black", "green")),
        (2, -2): CellContent((), "volcano"),
        (-2, 2): CellContent((), "desert"),
        (2, 1): CellContent((), "reef"),
    },
    (Die("sail", 3), Die("sail", 2), Die("cannon", 4)),
)


def moved(layout: Layout, start: Cell, end: Cell) -> Layout:
    """Return the layout after the one ship on `start` went to the empty cell `end`."""
    cells = dict(layout.cells)
    ships, terrain = cells[start].ships, layout.at(end).terrain
    cells[start] = CellContent((), cells[start].terrain)
    cells[end] = CellContent(ships, terrain)
    return make_layout(cells, layout.dice)


def make_snapshot(names: Sequence[str] = ("Ann", "Bob"), **changes: Any) -> Snapshot:
    """Return a snapshot in mid-game: the first captain is asked to spend dice."""
    colours = ("red", "blue", "gray", "black", "green", "yellow")
    seats = tuple(
        Seat(k, name, (colours[k],), {"doubloons": 2}, 2, False, k == 0)
        for k, name in enumerate(names)
    )
    log = (
        LogEntry(1, "Red draws commodore 1", 0, (), "phone"),
        LogEntry(
            2,
            "Blue: sail 3 NE, G3 to D6",
            1,
            ("+1 doubloon, sank Gray (AOW-46)",),
            "camera",
            0.987,
            "shot-2",
        ),
        LogEntry(
            3, "Blue: fire 4 E", 1, (), "camera", 0.91, None, retracted=True, is_one_of_many=True
        ),
    )
    snapshot = Snapshot(
        version=3,
        game=INFO.id,
        title=INFO.title,
        profile=INFO.profile,
        phase="spend",
        round=2,
        pending="Spend a die on one of your ships.",
        awaits_roll=(),
        over=False,
        result="",
        seats=seats,
        layout=LAYOUT,
        log=log,
        question=None,
        notice=None,
    )
    return replace(snapshot, **changes)


QUESTION = Question(
    7,
    "Which ship sailed?",
    "AOW-35",
    (0,),
    (
        Choice("a", "Red sailed 3 E", moved(LAYOUT, (4, 0), (1, 0))),
        Choice("b", "Red sailed 3 W", moved(LAYOUT, (4, -1), (1, -1)), is_one_of_many=True),
        Choice("c", "Neither"),
    ),
    "shot-2",
)


class FakeTable:
    """A `Table` whose snapshot, offers and refusals are set by the test; it keeps the commands."""

    def __init__(self, snapshot: Snapshot | None = None) -> None:
        self.now = snapshot if snapshot is not None else make_snapshot()
        self.told: list[Mapping[str, Any]] = []
        self.asked_offers: list[int | None] = []
        self.refuse: CompanionError | None = None
        self.pictures: dict[str, bytes] = {}
        self.offered: tuple[Offer, ...] = ()
        self.stands: tuple[Die, ...] = ()
        """What a roll shows that is put right."""
        self.listeners: list[Listener] = []
        self.phones: dict[str, int | None] = {}

    @property
    def profile(self) -> BoardProfile:
        return load_profile(self.now.profile)

    def snapshot(self) -> Snapshot:
        return self.now

    def seat_of(self, phone: str) -> int | None:
        return self.phones.get(phone)

    def offers(self, seat: int | None) -> tuple[Offer, ...]:
        self.asked_offers.append(seat)
        return self.offered

    def alternatives(self, seq: int, seat: int | None) -> Alternatives:
        return Alternatives(self.now.layout, self.offered, self.stands)

    def log(self, before: int | None = None) -> tuple[LogEntry, ...]:
        return tuple(e for e in self.now.log if before is None or e.seq < before)[-50:]

    def command(self, command: Command) -> Receipt:
        raise NotImplementedError("the web speaks JSON")

    def command_json(self, data: Mapping[str, Any]) -> Receipt:
        if self.refuse is not None:
            raise self.refuse
        self.told.append(dict(data))
        if data["type"] == "take_seat":
            self.phones[data["phone"]] = data["seat"]
            self._seat(data["seat"])
        return Receipt(self.now.version)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)

    def evidence(self, name: str) -> bytes | None:
        return self.pictures.get(name)

    def show(self, **changes: Any) -> None:
        """Publish a snapshot with these changes, as a new event would."""
        self.now = replace(self.now, **{"version": self.now.version + 1, **changes})
        for listener in list(self.listeners):
            listener(self.now)

    def _seat(self, seat: int | None) -> None:
        seats = tuple(replace(s, taken=s.taken or s.seat == seat) for s in self.now.seats)
        self.show(seats=seats, version=self.now.version)


class FakeHouse:
    """A `House` over one table, or none."""

    def __init__(self, table: FakeTable | None = None) -> None:
        self.now = table
        self.opened: list[tuple[str, tuple[str, ...], dict[str, object]]] = []
        self.records = MemoryStore()
        self.reader_checks: dict[str, dict[tuple[int, int], int]] = {}
        self.ill: dict[str, str] = {}
        self.set_up = FakeSetUp()

    @property
    def games(self) -> Sequence[GameInfo]:
        return (INFO,)

    def table(self) -> FakeTable | None:
        return self.now

    def check(self, game: str, options: Mapping[str, object]) -> Sequence[int]:
        if "deck" in options and options["deck"] != "a = 1\n":
            raise BadOptions("the deck cannot be played: line 2: no such card", "deck")
        return (2, 3)

    def open(self, game: str, players: Sequence[str], options: Mapping[str, object]) -> FakeTable:
        if len(set(players)) < len(players):
            raise BadOptions("two captains have the same name")
        if options.get("duel") and len(players) > 2:
            raise BadOptions("The Duel is for two captains.", "duel")
        self.opened.append((game, tuple(players), dict(options)))
        self.now = FakeTable(make_snapshot(players))
        return self.now
