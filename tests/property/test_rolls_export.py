"""Any rolls survive the way out and in; no forgery of an export survives its verification."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.audit.rolls import STATUSES, DieRoll, find_kind
from companion.audit.rolls_csv import read_rolls, verify_export, write_rolls
from companion.errors import BadRolls
from companion.rules.dice import STANDARD_DICE, DieKind

# A cell is stripped when it is written, and ends of lines become one character.
names = st.text(st.characters(exclude_categories=("Cs", "Cc")) | st.just("\n"), max_size=12).map(
    str.strip
)
counts = st.integers(0, 10**6)


@st.composite
def rolls(draw: st.DrawFn) -> DieRoll:
    custom = st.lists(st.integers(-3, 9), min_size=2, max_size=6).map(
        lambda faces: DieKind("whale", tuple(sorted(faces)))
    )
    kind = draw(st.sampled_from((*STANDARD_DICE, find_kind("sail"))) | custom)
    face = st.sampled_from(kind.faces)
    return DieRoll(
        kind,
        draw(face),
        look=draw(names),
        captain=draw(names),
        purpose=draw(names),
        table=draw(names),
        game=draw(names),
        roll=draw(counts),
        time_s=draw(st.none() | st.integers(0, 4 * 10**9).map(float)),
        source=draw(st.sampled_from(("", "camera", "phone"))),
        read=draw(st.none() | face),
        p=draw(st.none() | st.integers(0, 10**4).map(lambda n: n / 10**4)),
        confirmed_by=draw(names),
        status=draw(st.sampled_from(STATUSES)),
        picture=draw(names),
        box=draw(st.none() | st.tuples(counts, counts, counts, counts)),
        event=draw(names),
    )


@settings(max_examples=80, deadline=None)
@given(st.lists(rolls(), max_size=5))
def test_rolls_come_back_as_they_went(some: list[DieRoll]) -> None:
    text = write_rolls(some)
    assert list(read_rolls(text)) == some
    assert [roll for _, roll in verify_export(text)] == some


wild_names = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)


@settings(max_examples=150, deadline=None)
@given(wild_names, wild_names)
def test_no_name_makes_a_fresh_export_fail(captain: str, look: str) -> None:
    text = write_rolls([DieRoll(find_kind("d6"), 3, captain=captain, look=look)])
    ((_, roll),) = verify_export(text)
    assert write_rolls([roll]) == text


def _record_at(text: str, at: int) -> int:
    """Return where the record begins that holds a character."""
    quoted, start = False, 0
    for k, character in enumerate(text[:at]):
        if character == '"':
            quoted = not quoted
        elif character == "\n" and not quoted:
            start = k + 1
    return start


@settings(max_examples=150, deadline=None)
@given(st.lists(rolls(), min_size=1, max_size=4), st.data())
def test_no_changed_character_goes_unnoticed(some: list[DieRoll], data: st.DataObject) -> None:
    text = write_rolls(some)
    at = data.draw(st.integers(0, len(text) - 1))
    cut = data.draw(st.integers(0, 1))
    new = data.draw(st.text(st.characters(codec="utf-8"), max_size=1))
    assume(new != text[at : at + cut])
    # A quote, or the end of a line, may change no cell: it is found all the same.
    changed = text[:at] + new + text[at + cut :]
    assume(changed != text)
    with pytest.raises(BadRolls) as complaint:
        verify_export(changed)
    # A name may have several lines: the roll that holds it begins at most that many before.
    assert complaint.value.line <= 1 + text.count("\n", 0, at)
    first = 1 + text.count("\n", 0, _record_at(text, at))
    assert complaint.value.line >= first


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_rolls_or_a_plain_complaint(text: str) -> None:
    for wild in (text, f"kind,face\n{text}"):
        with suppress(BadRolls):
            read_rolls(wild)
