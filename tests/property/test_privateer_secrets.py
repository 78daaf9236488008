"""PRV-7 at the table: every byte that others receive in a whole game, searched for a purse.

Two games run side by side, move by move the same; in one of them a captain is far richer. Whatever
is sent to anybody who does not own a purse that differs must be the same in both, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from flask.testing import FlaskClient

from companion.rules.game import CHANCE, ChanceRoll, Decision, GameOver
from companion.rules.privateer.actions import Buy, Leave, Upgrade
from companion.rules.privateer.rules import Privateer
from companion.table.referee import Referee
from tests.unit.rules.privateer.voyage import lively
from tests.web.real_house import RealHouse
from web.app import create_app
from web.live import Live

GAME = Privateer()
NAMES = ("Anne", "Bart", "Calico", "Drake")
RICH = 76_543
"""Silver that nobody has by playing."""
HOST, ONLOOKER = "host", "watch"


@dataclass
class World:
    """One of the two games, with a phone for three captains, one for the table and an onlooker."""

    house: RealHouse = field(default_factory=RealHouse)
    phones: dict[Any, FlaskClient] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.table = self.house.open("privateer", NAMES, {"round_cap": 9})
        self.live = Live(self.house)
        app = create_app(self.house, live=self.live)
        for place in (0, 1, 2, HOST, ONLOOKER):
            phone = self.phones[place] = app.test_client()
            phone.get("/")
            token = f"{place}".ljust(24, "x")  # the same in both worlds
            phone.set_cookie("quarterdeck_phone", token)
            if place != ONLOOKER:
                self.send(place, {"type": "take_seat", "seat": place})

    @property
    def state(self) -> Any:
        return self.table.state

    def enrich(self, seat: int) -> None:
        """Fill a purse behind everybody's back."""
        state = self.state
        richer = state.seats[seat]._replace(silver=state.seats[seat].silver + RICH)
        seats = (*state.seats[:seat], richer, *state.seats[seat + 1 :])
        self.table._book.history.state = state._replace(seats=seats)
        self.table._display.publish()

    def send(self, place: Any, command: dict[str, Any]) -> bytes:
        answer = self.phones[place].post("/api/command", json=command)
        return f"{answer.status_code} ".encode() + answer.data

    def tell(self, action: Any) -> None:
        """Do it on the phone of whoever must."""
        asked = GAME.pending(self.state)
        assert not isinstance(asked, GameOver)
        place = asked.player if asked.player in self.phones else HOST
        answer = self.send(place, {"type": "act", "action": GAME.action_to_json(action)})
        assert answer.startswith(b"200"), answer

    def received(self, place: Any, seq: int) -> Iterator[bytes]:
        """Yield what a phone gets, whatever it asks for."""
        phone = self.phones[place]
        for path in ("/api/state", "/api/offers", f"/api/alternatives?seq={seq}", "/api/me"):
            yield phone.get(path).data
        token = phone.get_cookie("quarterdeck_phone")
        assert token is not None
        stream = self.live.stream(None, token.value)
        next(stream)
        yield next(stream)
        stream.close()

    def pages(self, place: Any) -> Iterator[bytes]:
        """Yield what is seldom looked at."""
        for path in ("/", "/screen", "/health", "/dice", "/dice/rolls.csv", "/dice/report.html"):
            yield self.phones[place].get(path).data

    def snoop(self, rng: Random) -> Iterator[tuple[Any, bytes]]:
        """Yield what those hear who try a deal in the name of another captain."""
        asked = GAME.pending(self.state)
        if not isinstance(asked, Decision) or not asked.private or asked.player not in self.phones:
            return
        deals = [a for a in GAME.open_actions(self.state) if not isinstance(a, Leave)]
        if deals:
            command = {"type": "act", "action": GAME.action_to_json(rng.choice(deals))}
            for place in self.phones:
                if place != asked.player:
                    answer = self.send(place, command)
                    assert answer.startswith(b"403"), answer
                    yield place, answer


def seq_of_a_deal(world: World, rng: Random) -> int:
    """Return the number of a line of the log, rather one of a deal."""
    played = list(world.table._book.history.standing)
    deals = [p for p in played if isinstance(p.action, Buy | Upgrade | Leave)]
    return rng.choice(deals or played).seq


def without_run(world: World, data: bytes) -> bytes:
    """Leave out what names the run of the server and counts its moments."""
    return re.sub(world.live._run.encode() + rb"-\d+", b"MOMENT", data)


def play_both(poor: World, rich: World, rng: Random) -> Iterator[None]:
    """Play both games alike to the end; pause after every move."""
    while not isinstance(asked := GAME.pending(poor.state), GameOver):
        assert GAME.pending(rich.state) == asked
        player = CHANCE if isinstance(asked, ChanceRoll) else asked.player
        actions = GAME.legal_actions(poor.state, player)
        action = lively(rng, poor.state, actions)
        for world in (poor, rich):
            world.tell(action)
        yield


def test_no_byte_tells_another_captains_purse() -> None:
    """PRV-7: pages, pushes, offers, corrections, refusals, exports."""
    rng = Random(2)
    poor, rich = World(), World()
    own_seen = compared = snooped = 0
    enriched = False
    for _ in play_both(poor, rich, rng):
        if not enriched and GAME.pending(rich.state).phase == "outfit":  # type: ignore[union-attr]
            rich.enrich(0)
            enriched = True
            poor.table._display.publish()
        if not enriched:
            continue
        differ = {
            seat
            for seat, (a, b) in enumerate(zip(poor.state.seats, rich.state.seats, strict=True))
            if a.silver != b.silver
        }
        assert 0 in differ
        seq = seq_of_a_deal(poor, rng)
        seed_ = rng.random()
        tried = zip(poor.snoop(Random(seed_)), rich.snoop(Random(seed_)), strict=True)
        for (place, one), (_, other) in tried:
            assert place in differ or one == other
            snooped += 1
        silver = rich.state.seats[0].silver
        purse = re.compile(rb"(?<!\d)(%d|%d)(?!\d)" % (silver, silver // 5))
        for place in poor.phones:
            if place in differ:
                continue
            pairs = zip(poor.received(place, seq), rich.received(place, seq), strict=True)
            for one, other in pairs:
                assert without_run(poor, one) == without_run(rich, other)
                assert not purse.search(other)
                compared += 1
        own_seen += bool(purse.search(next(rich.received(0, seq))))
    for place in (1, 2, HOST, ONLOOKER):
        for one, other in zip(poor.pages(place), rich.pages(place), strict=True):
            assert without_run(poor, one) == without_run(rich, other)
    assert own_seen > 50, "the purse would be found if it were there"
    assert compared > 1000
    assert snooped > 10


def fitting_out(seat: int, rng: Random) -> World:
    """Return a world in which a captain fits out; whoever came before has bought nothing."""
    world = World()
    while GAME.pending(world.state).phase != "outfit" or world.state.turn != seat:  # type: ignore[union-attr]
        asked = GAME.pending(world.state)
        player = CHANCE if isinstance(asked, ChanceRoll) else asked.player  # type: ignore[union-attr]
        if isinstance(asked, Decision) and asked.private:
            world.tell(Leave(asked.player))
        else:
            world.tell(rng.choice(GAME.legal_actions(world.state, player)))
    return world


def test_a_refusal_that_tells_of_a_purse_reaches_its_captain_alone() -> None:
    """PRV-7: others do not even learn that something was tried."""
    world = fitting_out(0, Random(4))
    dear = max(
        (a for a in GAME.open_actions(world.state) if isinstance(a, Buy)), key=lambda a: a.count
    )
    seat = world.state.seats[0]._replace(silver=1)
    state = world.state._replace(seats=(seat, *world.state.seats[1:]))
    world.table._book.history.state = state
    before = [world.phones[p].get("/api/state").data for p in (1, HOST, ONLOOKER)]
    answer = world.send(0, {"type": "act", "action": GAME.action_to_json(dear)})
    assert answer.startswith(b"409")
    assert b"too much now" in answer
    assert [world.phones[p].get("/api/state").data for p in (1, HOST, ONLOOKER)] == before


def test_a_captain_without_a_phone_is_told_for_by_any_other() -> None:
    """Drake has no phone: every deal is offered, the purse is in the captain's own hand."""
    world = fitting_out(3, Random(5))
    offered = world.phones[1].get("/api/offers").get_json()["offers"]
    assert len(offered) == len(GAME.open_actions(world.state)) > 4
    assert world.table.snapshot().private.keys() == {0, 1, 2}


def test_a_seat_that_is_freed_takes_its_secrets_along() -> None:
    """A phone is gone: the host frees the seat, everybody is told, another phone sits down."""
    world = World()
    assert "own" in world.phones[1].get("/api/state").get_json()
    refused = world.send(2, {"type": "free_seat", "taken": 1})
    assert refused.startswith(b"403")
    assert world.send(HOST, {"type": "free_seat", "taken": 1}).startswith(b"200")
    shown = world.phones[1].get("/api/state").get_json()
    assert "own" not in shown
    assert "freed the seat of Bart" in shown["table"]["notice"]["text"]
    assert world.phones[1].get("/api/me").get_json()["place"] == "watch"
    assert world.send(HOST, {"type": "free_seat", "taken": 1}).startswith(b"400")
    assert world.send(ONLOOKER, {"type": "take_seat", "seat": 1}).startswith(b"200")
    assert "own" in world.phones[ONLOOKER].get("/api/state").get_json()


def test_the_table_s_own_values_name_no_purse() -> None:
    """What is public of a snapshot is listed, what is private stands apart."""
    world = World()
    snapshot = world.table.snapshot()
    assert set(snapshot.private) == {0, 1, 2}
    assert "private" not in snapshot.to_json()
    assert "private=" not in repr(snapshot)


def test_a_restart_keeps_purses_seats_and_log() -> None:
    """The ledger tells the same game again: state, undone deals, and what is whose."""
    world, rng = World(), Random(6)
    for _ in range(160):
        asked = GAME.pending(world.state)
        player = CHANCE if isinstance(asked, ChanceRoll) else asked.player  # type: ignore[union-attr]
        world.tell(lively(rng, world.state, GAME.legal_actions(world.state, player)))
        if rng.random() < 0.1:
            assert world.send(HOST, {"type": "undo"}).startswith(b"200")
            question = world.table.snapshot().question
            for seat in (0, 1, 2) if question else ():
                answer = {"type": "answer", "question": question.id, "choice": "yes"}
                assert world.send(seat, answer).startswith(b"200")
    again = Referee.resume(GAME, world.table.profile, world.house.records, lambda: 0.0, "game-1")
    assert again.state == world.state
    assert again.snapshot().private == world.table.snapshot().private
    assert again.snapshot().to_json() == {**world.table.snapshot().to_json(), "notice": None}
    assert {seat: again.seat_of(f"{seat}".ljust(24, "x")) for seat in (0, 1, 2)} == {
        0: 0,
        1: 1,
        2: 2,
    }
