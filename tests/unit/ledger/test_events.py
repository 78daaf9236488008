"""Stored events: names, versions, hashes, and what happens when they are tampered with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.errors import CorruptLedger, UnknownEventVersion
from companion.ledger.events import (
    GENESIS,
    KINDS,
    NAMES,
    ActionApplied,
    CorrectionMade,
    Event,
    GameOpened,
    QuestionAnswered,
    QuestionAsked,
    QuestionWithdrawn,
    Retracted,
    SeatTaken,
    StoredEvent,
    canonical_json,
    hash_event,
    seal,
    unseal,
)
from companion.ledger.store import chain_up, verify_chain
from companion.ledger.upcasts import UPCASTS

SAMPLES: tuple[Event, ...] = (
    GameOpened("toy", ("Anne", "Mary"), {"radius": 5, "dice": [1, 2]}, "hex-ocean", "0.1"),
    SeatTaken(1, "ab" * 32),
    SeatTaken(None, "ab" * 32),
    ActionApplied({"type": "sail", "player": 0}, "sail", 0, "camera", False, 0.99, "f1", None, 6),
    ActionApplied(
        {"type": "roll", "player": -1},
        "rolls 3",
        0,
        "camera",
        True,
        0.98,
        "f2-ab",
        None,
        1,
        False,
        "roll",
        ({"kind": "d6", "face": 3, "p": 0.98, "box": [1, 2, 3, 4], "look": ""},),
        by_host=True,
        happened_s=11.5,
    ),
    QuestionAsked("Which?", "AOW-1", (0, 1), ({"id": "a", "text": "A", "line": []},), "reading"),
    QuestionAnswered(5, "a", 0),
    QuestionAnswered(5, "yes", None, settles=False),
    QuestionWithdrawn(5, "moot"),
    Retracted(4, "slipped", 0),
    CorrectionMade(4, "it was a 3", None),
)


def test_every_kind_has_a_sample() -> None:
    assert {type(e) for e in SAMPLES} == set(NAMES)
    assert {NAMES[kind] for kind, _ in KINDS.values()} == set(KINDS)


@pytest.mark.parametrize("event", SAMPLES, ids=lambda e: NAMES[type(e)])
def test_an_event_comes_back_as_it_was_written(event: Event) -> None:
    assert unseal(seal("g", 1, GENESIS, event, 12.5)) == event


def test_the_hash_of_a_known_event_never_changes() -> None:
    # Pinned: if this fails, every ledger ever written would be called corrupt.
    stored = seal("g", 1, GENESIS, Retracted(4, "Möwe", 0), 12.5)
    assert stored.hash == "e0f4eeb271712fcda726b51b2a21ad20aba294bcc6291518e23699fe7ad635e4"


OLD_ACTION = {
    "action": {"type": "sail", "player": 0},
    "text": "sail",
    "seat": 0,
    "source": "camera",
    "is_chance": False,
    "p": 0.99,
    "evidence": "f1",
    "confirmed_by": None,
}
"""A sample of ``action_applied`` as version 1 wrote it."""


def _stored(name: str, version: int, data: dict[str, object]) -> StoredEvent:
    bare = StoredEvent("g", 1, name, version, data, 1.0, GENESIS, "")
    return replace(bare, hash=hash_event(bare))


def test_action_applied_v1_is_brought_up_to_date() -> None:
    event = unseal(_stored("action_applied", 1, OLD_ACTION))
    assert event == ActionApplied(
        {"type": "sail", "player": 0}, "sail", 0, "camera", False, 0.99, "f1", None, 1, False
    )


def test_action_applied_v2_is_brought_up_to_date() -> None:
    event = unseal(_stored("action_applied", 2, {**OLD_ACTION, "equivalent": 6, "p": None}))
    assert isinstance(event, ActionApplied)
    assert (event.equivalent, event.phase, event.dice) == (6, "", ())


def test_action_applied_v3_is_brought_up_to_date() -> None:
    old = {**OLD_ACTION, "equivalent": 1, "house_ruling": True, "phase": "roll", "dice": []}
    event = unseal(_stored("action_applied", 3, old))
    assert isinstance(event, ActionApplied)
    assert event.house_ruling
    assert (event.by_host, event.happened_s) == (False, None)


def test_question_answered_v1_is_brought_up_to_date() -> None:
    event = unseal(_stored("question_answered", 1, {"question": 5, "choice": "yes", "by": 1}))
    assert event == QuestionAnswered(5, "yes", 1, None)


def test_every_old_version_has_its_step() -> None:
    wanted = {(name, v) for name, (_, now) in KINDS.items() for v in range(1, now)}
    assert set(UPCASTS) == wanted


@pytest.mark.parametrize(("name", "version"), [("retracted", 2), ("kraken_surfaced", 1)])
def test_what_a_newer_version_wrote_is_named_and_not_guessed(name: str, version: int) -> None:
    with pytest.raises(UnknownEventVersion, match=name):
        unseal(_stored(name, version, {"of": 1, "reason": "", "by": None}))


def test_data_that_does_not_fit_its_kind_is_corrupt() -> None:
    with pytest.raises(CorruptLedger, match="event 1"):
        unseal(_stored("retracted", 1, {"of": 1}))


def test_canonical_json_refuses_what_json_cannot_hold() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json(float("nan"))


def _chain() -> list[StoredEvent]:
    return list(chain_up("g", 0, GENESIS, SAMPLES, 3.0))


def test_a_sound_chain_is_counted() -> None:
    assert verify_chain("g", _chain()) == len(SAMPLES)


def _changed(chain: list[StoredEvent], index: int, **changes: object) -> list[StoredEvent]:
    chain[index] = replace(chain[index], **changes)  # type: ignore[arg-type]
    return chain


@pytest.mark.parametrize(
    ("chain", "complaint"),
    [
        (_changed(_chain(), 3, data={"of": 9}), "event 4: it was changed"),
        (_changed(_chain(), 3, time_s=4.0), "event 4: it was changed"),
        (_changed(_chain(), 2, prev="f" * 64), "event 3: it is not chained"),
        (_changed(_chain(), 5, game="h"), "event 6: it belongs to game 'h'"),
        (_chain()[:4] + _chain()[5:], "event 6: event 5 was expected"),
        (_chain()[1:], "event 2: event 1 was expected"),
    ],
)
def test_the_first_bad_event_is_named(chain: list[StoredEvent], complaint: str) -> None:
    with pytest.raises(CorruptLedger, match=complaint):
        verify_chain("g", chain)


def test_a_rehashed_forgery_breaks_the_link_behind_it() -> None:
    chain = _chain()
    forged = replace(chain[3], data={**chain[3].data, "text": "other"})
    chain[3] = replace(forged, hash=hash_event(forged))
    with pytest.raises(CorruptLedger, match="event 5: it is not chained"):
        verify_chain("g", chain)
