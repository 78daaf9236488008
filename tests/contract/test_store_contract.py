"""One suite for every event store, in memory and on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Barrier, Thread

import pytest

from companion.errors import LedgerError, SequenceConflict
from companion.ledger.events import GENESIS, QuestionAnswered, Retracted, unseal
from companion.ledger.memory_store import MemoryStore
from companion.ledger.sqlite_store import SqliteStore
from companion.ledger.store import Store, verify_chain

ONE = Retracted(1, "one", 0)
TWO = QuestionAnswered(1, "two", None)


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "l.db")
    yield made
    made.close()


def test_an_empty_ledger_knows_no_game(store: Store) -> None:
    assert store.games() == ()
    assert store.read("g") == ()
    assert store.picture("g", "p") is None


def test_events_are_numbered_chained_and_come_back(store: Store) -> None:
    first = store.append("g", 0, [ONE, TWO], 1.5)
    second = store.append("g", 2, [ONE], 2.5)
    assert store.read("g") == first + second
    assert [e.seq for e in store.read("g")] == [1, 2, 3]
    assert [unseal(e) for e in store.read("g")] == [ONE, TWO, ONE]
    assert first[0].prev == GENESIS
    assert second[0].prev == first[1].hash
    assert [e.time_s for e in store.read("g")] == [1.5, 1.5, 2.5]
    assert verify_chain("g", store.read("g")) == 3


def test_reading_on_from_a_number(store: Store) -> None:
    store.append("g", 0, [ONE, TWO, ONE], 1.0)
    assert [e.seq for e in store.read("g", after=2)] == [3]
    assert store.read("g", after=3) == ()


@pytest.mark.parametrize("after", [0, 1, 3])
def test_the_second_writer_is_refused(store: Store, after: int) -> None:
    store.append("g", 0, [ONE, TWO], 1.0)
    with pytest.raises(SequenceConflict, match="2 events"):
        store.append("g", after, [ONE], 2.0)
    assert len(store.read("g")) == 2


def test_a_batch_is_all_or_nothing(store: Store) -> None:
    # The third cannot be written as JSON; neither the first two nor the picture may stay.
    bad = QuestionAnswered(1, float("nan"), None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="JSON"):
        store.append("g", 0, [ONE, TWO, bad], 1.0, {"p": b"jpeg"})
    assert store.read("g") == ()
    assert store.picture("g", "p") is None
    store.append("g", 0, [ONE], 1.0)
    assert len(store.read("g")) == 1


def test_games_do_not_mix_and_keep_their_order(store: Store) -> None:
    store.append("z", 0, [ONE], 1.0)
    store.append("a", 0, [TWO], 1.0)
    store.append("z", 1, [TWO], 1.0)
    assert store.games() == ("z", "a")
    assert [e.game for e in store.read("z")] == ["z", "z"]
    assert len(store.read("a")) == 1


def test_a_picture_is_kept_with_its_events(store: Store) -> None:
    store.append("g", 0, [ONE], 1.0, {"p": b"\xff\xd8jpeg"})
    assert store.picture("g", "p") == b"\xff\xd8jpeg"
    assert store.picture("h", "p") is None


def test_a_closed_ledger_says_so(store: Store) -> None:
    store.close()
    store.close()
    with pytest.raises(LedgerError, match="closed"):
        store.read("g")
    with pytest.raises(LedgerError, match="closed"):
        store.append("g", 0, [ONE], 1.0)


def test_of_racing_writers_one_wins_every_number(store: Store) -> None:
    barrier = Barrier(4)
    won: list[int] = []

    def write(writer: int) -> None:
        barrier.wait(timeout=10)
        for _ in range(25):
            try:
                after = len(store.read("g"))
                store.append("g", after, [Retracted(writer, "race", None)], 1.0)
            except SequenceConflict:
                continue
            won.append(after + 1)

    threads = [Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(won) == list(range(1, len(won) + 1))
    assert verify_chain("g", store.read("g")) == len(won)
