"""Pirates CSG before the camera: what dice and terrain move is put there by people."""

from __future__ import annotations

import re

import pytest

from companion.boards.choice import board_for
from companion.errors import IllegalAction
from companion.ledger.memory_store import MemoryStore
from companion.rules.catalogue import find_game
from companion.rules.deeds import roll
from companion.rules.game import PlayerId
from companion.rules.layout import Die, Pose
from companion.rules.pirates_csg.actions import EndTurn, LeaveFog, Move
from companion.rules.pirates_csg.state import find_terrain, ship_of
from companion.table.commands import Act, PressTurn
from companion.table.referee import Referee
from tests.table.regatta import seen
from tests.unit.rules.pirates_csg.shipyard import TAG

RULES = find_game("pirates-csg")
RED, BLUE = PlayerId(0), PlayerId(1)
HERON = TAG["grey-heron"]


class Sea:
    """A referee in the first turn of a game with terrain, and what stands on the cloth."""

    def __init__(self) -> None:
        options = {"terrain": True, "islands": 3}
        profile = board_for(RULES.info, options)
        self.referee = Referee.open(
            RULES, ["Ann", "Ben"], options, profile, MemoryStore(), lambda: 0.0, "20261121-sea"
        )
        self.clock = 0.0
        self.tell(*RULES.legal_actions(self.state, RED))
        self.tell(roll(Die("d6", 6)), roll(Die("d6", 1)), roll(Die("d6", 1), Die("d20", 20)))
        self.poses = {tag: piece.pose for tag, piece in RULES.layout(self.state).pieces.items()}
        self.look()

    @property
    def state(self):
        return self.referee.state

    def tell(self, *actions) -> None:
        for action in actions:
            self.referee.command(Act(action))

    def look(self, *faces: int, **moved: Pose) -> None:
        """Take a few pictures with pieces moved (``tag11=...``) and dice in the tray."""
        self.poses |= {int(name.removeprefix("tag")): pose for name, pose in moved.items()}
        for _ in range(4):
            self.clock += 1.0
            self.referee.observe(seen(self.poses, faces, self.clock))

    def pass_round(self) -> None:
        """End both turns, let the icebergs drift, and put every piece where it is to lie."""
        self.tell(EndTurn(RED), EndTurn(BLUE))
        while self.asked() != "turn":
            self.tell(*RULES.legal_actions(self.state, RED) or (roll(Die("d6", 4)),))
        self.poses = {tag: piece.pose for tag, piece in RULES.layout(self.state).pieces.items()}
        self.look()

    def asked(self) -> str:
        return RULES.pending(self.state).phase

    def notice(self) -> str:
        notice = self.referee.snapshot().notice
        return notice.text if notice else ""


def test_an_iceberg_is_moved_after_its_roll_is_read() -> None:
    """CSG-27: nobody knew where to before; now a hand is told, and about there is near enough."""
    sea = Sea()
    sea.tell(EndTurn(RED), EndTurn(BLUE))
    sea.look()
    sea.look(3)
    assert sea.asked() == "set"
    berg = find_terrain(sea.state, 205).pose
    sea.look(3, tag205=Pose(berg.x_mm, berg.y_mm - 54, 0.0))
    assert "tag 205 is to lie 104 mm farther south" in sea.notice()
    about = Pose(berg.x_mm - 38, berg.y_mm + 38, 12.0)
    sea.look(3, tag205=about)
    assert (find_terrain(sea.state, 205).pose, sea.asked()) == (about, "roll_drift")


def test_a_ship_that_sails_into_a_whirlpool_is_put_out_at_the_other() -> None:
    """CSG-27: the camera sees her where she was sailed to first, and then about at the exit."""
    sea = Sea()
    sea.look(tag11=Pose(245.7, 560.1, 30.0))
    assert sea.asked() == "set"
    sea.look(tag11=Pose(553.0, 233.0, 8.0))
    assert ship_of(sea.state, HERON).pose == Pose(553.0, 233.0, 8.0)
    assert sea.asked() == "turn"


def test_a_ship_is_put_about_where_she_leaves_the_fog() -> None:
    """CSG-27: that is no move of hers yet."""
    sea = Sea()
    for x_mm in (264.5, 404.5):
        sea.tell(Move(RED, HERON, (), Pose(x_mm, 492.0, 0.0)))
        sea.pass_round()
    sea.look(tag11=Pose(444.5, 472.0, 333.4))
    assert ship_of(sea.state, HERON).lost_in == 203
    sea.pass_round()
    sea.look()
    sea.tell(LeaveFog(RED, HERON))
    sea.look()
    sea.look(2)
    assert sea.asked() == "set"
    sea.look(2, tag11=Pose(505.0, 520.0, 50.0))
    ship = ship_of(sea.state, HERON)
    assert (ship.pose, ship.lost_in, ship.done) == (Pose(505.0, 520.0, 50.0), 0, ())


def test_a_ship_on_the_table_that_nobody_has_bought_is_named() -> None:
    """CSG-58: she was passed over in silence, and her captain waited to see her on the phones."""
    sea = Sea()
    minnow = TAG["minnow"]
    assert sea.notice() == ""
    sea.look(**{f"tag{minnow}": Pose(650.0, 450.0, 0.0), "tag999": Pose(700.0, 450.0, 0.0)})
    assert sea.notice().startswith(f"Minnow (tag {minnow}) stands on the table, but nobody has")
    del sea.poses[minnow]
    sea.look()
    assert sea.notice() == ""

    sunk = sea.state._replace(gone=("minnow",))
    assert RULES.stray(sunk, minnow) == f"Minnow (tag {minnow}) is out of the game: take her away."
    assert RULES.stray(sunk, HERON) == ""


def test_the_button_says_that_a_fleet_is_complete() -> None:
    """It refused with what was asked, "or be done"; that it was had to be found in a long list."""
    options = {"fleets": "build"}
    profile = board_for(RULES.info, options)
    referee = Referee.open(
        RULES, ["Ann", "Ben"], options, profile, MemoryStore(), lambda: 0.0, "20261121-build"
    )
    with pytest.raises(IllegalAction, match="CSG-37"):
        referee.command(PressTurn())
    referee.command(Act(RULES.legal_actions(referee.state, RED)[0]))
    assert "then finish" in referee.snapshot().pending
    referee.command(PressTurn())
    assert [seat.asked for seat in referee.snapshot().seats] == [False, True]


def test_moves_are_offered_as_people_say_them_and_told_apart() -> None:
    """Where to was told in millimetres and degrees of the table, which nobody at it can see."""
    sea = Sea()
    offers = sea.referee.offers(None)
    texts = [offer.text for offer in offers]
    assert len(set(texts)) == len(texts)
    moves = [RULES.action_from_json(dict(offer.action)) for offer in offers]
    sails = [text for text, move in zip(texts, moves, strict=True) if isinstance(move, Move)]
    assert all(re.search(r"sail .+ \d+ mm (north|south|east|west)", text) for text in sails)
    assert not any("heading" in text for text in sails), "of three ways north each says its turn"
