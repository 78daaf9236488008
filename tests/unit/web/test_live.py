"""The live stream: newest moment for everybody, slow phones delay nobody."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from companion.rules.layout import CellContent, make_layout
from tests.web.doubles import LAYOUT, FakeHouse, FakeTable, moved
from web.errors import WebError
from web.live import BEAT, Live, Message, Stream


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def live(table: FakeTable) -> Iterator[Live]:
    live = Live(FakeHouse(table), max_streams=3, beat_s=0.02)
    yield live
    live.close()


def moment(event: bytes) -> Any:
    id_line, data_line = event.decode().strip().split("\n")
    value = json.loads(data_line.removeprefix("data: "))
    assert id_line == f"id: {value['id']}"
    return value


def opened(live: Live, last_id: str | None = None) -> Stream:
    stream = live.stream(last_id)
    assert next(stream).startswith(b"retry:")
    return stream


def test_a_stream_begins_with_the_newest_moment(live: Live, table: FakeTable) -> None:
    table.show(pending="Before anybody listened.")
    assert moment(next(opened(live)))["table"]["pending"] == "Before anybody listened."


def test_each_newer_moment_follows(live: Live, table: FakeTable) -> None:
    stream = opened(live)
    next(stream)
    table.show(pending="One")
    assert moment(next(stream))["table"]["pending"] == "One"
    assert next(stream) == BEAT


def test_a_slow_phone_gets_only_the_newest(live: Live, table: FakeTable) -> None:
    stream = opened(live)
    next(stream)
    for number in range(50):
        table.show(pending=str(number))
    assert moment(next(stream))["table"]["pending"] == "49"
    assert next(stream) == BEAT


def test_a_phone_that_comes_back_is_not_sent_what_it_has(live: Live, table: FakeTable) -> None:
    seen = moment(next(opened(live)))["id"]
    stream = opened(live, seen)
    assert next(stream) == BEAT
    table.show()
    assert next(stream) != BEAT


def test_an_id_of_an_earlier_run_is_unknown(live: Live, table: FakeTable) -> None:
    other = Live(FakeHouse(table))
    assert other.newest().id != live.newest().id
    assert next(opened(live, other.newest().id)) != BEAT
    other.close()


def test_a_question_without_a_new_event_is_news(live: Live, table: FakeTable) -> None:
    stream = opened(live)
    next(stream)
    table.show(version=table.now.version, pending="Same version, other words.")
    assert moment(next(stream))["table"]["pending"] == "Same version, other words."


def test_a_moment_is_written_once_for_all(monkeypatch: pytest.MonkeyPatch, live: Live) -> None:
    written: list[str] = []
    values = Message._values

    def count(message: Message) -> dict[str, Any]:
        written.append(message.id)
        return values(message)

    monkeypatch.setattr(Message, "_values", count)
    events = [next(opened(live)) for _ in range(3)]
    assert events[0] == events[1] == events[2]
    assert len(written) == 1


def test_streams_are_counted_even_if_never_begun(live: Live) -> None:
    streams = [live.stream() for _ in range(3)]
    with pytest.raises(WebError) as refused:
        live.stream()
    assert (refused.value.status, refused.value.code) == (503, "full")
    streams[0].close()
    streams[0].close()
    assert live.streams == 2
    live.stream()


def test_closing_ends_waiting_streams(table: FakeTable) -> None:
    live = Live(FakeHouse(table), beat_s=60)
    stream = opened(live)
    next(stream)
    rest: list[bytes] = []
    waiting = threading.Thread(target=lambda: rest.extend(stream))
    waiting.start()
    live.close()
    waiting.join(5)
    assert not waiting.is_alive()
    assert rest == []
    assert table.listeners == []
    with pytest.raises(WebError):
        live.stream()


def test_another_game_is_followed_and_the_old_one_let_go(table: FakeTable) -> None:
    house = FakeHouse(table)
    live = Live(house, beat_s=0.02)
    stream = opened(live)
    next(stream)
    house.now = FakeTable()
    house.now.show(title="Another", layout=moved(LAYOUT, (4, 0), (1, 0)))
    assert next(stream) == BEAT
    news = moment(next(stream))
    assert news["table"]["title"] == "Another"
    assert news["change"]["moved"] == [], "two games' boards are not compared"
    assert table.listeners == []
    house.now = None
    assert live.newest().snapshot is None
    live.close()


def test_what_comes_in_while_subscribing_is_newer_than_what_was_asked_for() -> None:
    class Hasty(FakeTable):
        def snapshot(self) -> Any:
            old = self.now
            self.show(pending="Newer")
            return old

    live = Live(FakeHouse(Hasty()))
    snapshot = live.newest().snapshot
    assert snapshot is not None
    assert snapshot.pending == "Newer"
    live.close()


def test_a_late_word_of_the_old_table_is_not_heard(table: FakeTable) -> None:
    house = FakeHouse(table)
    live = Live(house)
    live.refresh()
    late = table.listeners[0]
    house.now = FakeTable()
    live.refresh()
    before = live.newest().id
    late(table.now)
    assert live.newest().id == before
    live.close()


def test_the_last_change_stays_until_the_board_changes_again(live: Live, table: FakeTable) -> None:
    live.refresh()
    table.show(layout=moved(LAYOUT, (4, 0), (1, 0)))
    table.show(pending="Nothing moved.")
    change = json.loads(live.newest().json())["change"]
    assert change["moved"] == [["red", "4,0", "1,0"]]
    table.show(layout=make_layout({(0, 0): CellContent(("white",))}))
    assert json.loads(live.newest().json())["change"]["moved"] == []


def test_publishing_does_not_wait_for_anybody(live: Live, table: FakeTable) -> None:
    streams = [opened(live) for _ in range(3)]
    for _ in range(1000):
        table.show()
    assert [len(list(islice(s, 1))) for s in streams] == [1, 1, 1]
