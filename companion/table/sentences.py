"""What the table says about a picture, in plain words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.rules.dice import face_name
from companion.rules.game import AnyGame, ChanceRoll, Decision, Pending
from companion.rules.layout import Cell, CellContent, Die, Layout, Placed, Spot
from companion.rules.places import as_said, names_places
from companion.rules.words import capital, listed
from companion.table.snapshot import Notice
from companion.table.unsure_dice import remedy_of, said_of

NameOf = Callable[[Cell], str]
"""What people call a cell of this board."""


def acting_seat(pending: Pending) -> int | None:
    """Return the seat whose go it is, ``None`` when the game is over."""
    return int(pending.player) if isinstance(pending, Decision | ChanceRoll) else None


def die_name(die: Die) -> str:
    """Name a die: ``"sail 3"``, ``"piecepack null"``."""
    return f"{die.kind} {face_name(die.kind, die.face)}"


def dice_named(dice: tuple[Die, ...]) -> str:
    """Name some dice: ``"sail 3 and cannon 2"``."""
    return listed(map(die_name, dice))


def content_name(content: CellContent) -> str:
    """Name what lies on a cell: ``"red on a reef"``, ``"nothing"``."""
    ships = " and ".join(content.ships)
    if content.terrain and ships:
        ships = f"{ships} on a {content.terrain}"
    parts = [ships or content.terrain, content.cargo]
    return " with ".join(part for part in parts if part) or "nothing"


def done_text(game: AnyGame, state: object, action: Any) -> str:
    """Say what was done; of pieces on an open table how far they went and whither."""
    text = game.describe(state, action)
    if not names_places(text):
        return text
    after = game.apply(state, action).state
    return as_said(text, game.layout(state).pieces, game.layout(after).pieces)


def line_texts(game: AnyGame, state: object, lines: Sequence[Sequence[Any]]) -> list[str]:
    """Say each of some lines of play as people do, or exactly where two would sound alike."""
    texts = [line_text(game, state, actions) for actions in lines]
    if len(set(texts)) == len(texts):
        return texts
    return [line_text(game, state, actions, exactly=True) for actions in lines]


def line_text(
    game: AnyGame, state: object, actions: Iterable[Any], *, exactly: bool = False
) -> str:
    """Say a line of play in words; of what was measured also what follows from it."""
    parts = []
    for action in actions:
        pending = game.pending(state)
        said = game.describe(state, action) if exactly else done_text(game, state, action)
        step = game.apply(state, action)
        if isinstance(pending, Decision) and pending.measured and step.happenings:
            said = f"{said} ({', '.join(h.text.rstrip('.') for h in step.happenings)})"
        parts.append(said)
        state = step.state
    return "; then ".join(parts) or "Nothing has happened yet"


def waiting_for(expected: Layout, lying: tuple[Die, ...], wrong: frozenset[Spot]) -> Notice:
    """Say that somebody is in the middle of something."""
    missing = tuple(sorted((Counter(expected.dice) - Counter(lying)).elements()))
    if missing and not wrong:
        text = f"{dice_named(missing)} is out of the tray: now make its move."
        return Notice("hint", capital(text))
    return Notice("hint", "Waiting until the move is finished.")


def put_back(expected: Layout, seen: Layout, name_of: NameOf) -> Notice:
    """Say what must be put right after something was taken back."""
    cells = sorted(expected.changed_cells(seen))
    parts = [f"{content_name(expected.at(c))} on {name_of(c)}" for c in cells]
    parts += [piece.name for piece in _moved(expected, seen)]
    missing = tuple(sorted((Counter(expected.dice) - Counter(seen.dice)).elements()))
    if missing:
        parts.append(f"{dice_named(missing)} in the tray")
    return Notice("hint", f"Put it back as it was: {', '.join(parts) or 'nothing is missing'}.")


def objection(
    game: AnyGame, state: object, expected: Layout, seen: Layout, name_of: NameOf
) -> Notice:
    """Say which rule stands against the table as it is seen, or at least what is wrong."""
    pending = game.pending(state)
    seat = acting_seat(pending)
    ruling = game.objection(state, seen)
    if not ruling:
        # What is asked for stands on every page already: said again, it would explain nothing.
        is_asked = ruling.reason == f"{pending.text}."
        reason = f"This comes first. {ruling.reason}" if is_asked else ruling.reason
        return Notice("refusal", reason, ruling.rule, seat)
    moved = _moved(expected, seen)
    if moved:
        text = f"I cannot follow: {moved[0].name} does not stand where it should."
        return Notice("hint", text, "", seat)
    cells = sorted(expected.changed_cells(seen))
    if not cells:
        return Notice("hint", "The dice in the tray are not those I expect.", "", seat)
    cell = cells[0]
    text = (
        f"I cannot follow: {content_name(expected.at(cell))} should lie on {name_of(cell)}, "
        f"I see {content_name(seen.at(cell))}."
    )
    return Notice("hint", text, "", seat)


def _moved(expected: Layout, seen: Layout) -> list[Placed]:
    """Return the pieces of an open table that stand elsewhere, by tag."""
    tags = sorted(t for t in expected.changed(seen) if isinstance(t, int))
    return [expected.pieces[t] for t in tags if t in expected.pieces]


def too_few_dice(seen: int, wanted: int) -> Notice:
    """Say that a roll is not complete yet."""
    dice = "die" if seen == 1 else "dice"
    are = "is" if wanted == 1 else "are"
    return Notice("hint", f"I see {seen} {dice}, {wanted} {are} to be rolled.")


def not_seen_rolled(dice: tuple[Die, ...], *, is_rolling: bool) -> Notice:
    """Say that dice lie there of which the camera cannot know whether they were rolled.

    With `is_rolling` nothing but a roll is awaited: then the button says that it was one.
    """
    were = "they were" if len(dice) > 1 else "it was"
    what = f"press the button if {were}" if is_rolling else "tell it on a phone"
    text = f"I did not see {dice_named(dice)} rolled: throw again, or {what}."
    return Notice("hint", text)


def cannot_be_told(seem: Sequence[str]) -> Notice:
    """Say what dice seem that cannot be told, and what to do."""
    why = said_of(seem)
    return Notice("hint", f"{capital(why)}: {remedy_of(seem)}.")


def unseen_tags(names: Sequence[str]) -> Notice:
    """Say that the tags of some pieces are hidden."""
    tags = "the tag" if len(names) == 1 else "the tags"
    text = f"I cannot see {tags} of {listed(names)}. Clear the view, or show me on a phone."
    return Notice("hint", text)


HIDDEN = Notice("hint", "Something lies in the way of the camera; take the hand away.")
UNCERTAIN = Notice("hint", "I am not sure what I see yet; play on, or press the button.")
SETTLE_FIRST = Notice("hint", "I am not sure what I see; I ask once the open question is answered.")
MAY_GO_ON = Notice("hint", "If that was all, play on or press the button; if not, finish the move.")
LOOKING_FIRST = Notice("hint", "One moment, I look at the table first. Press again not to wait.")
NOT_LOOKED = Notice(
    "hint",
    "I could not see what you did, so your press was not counted. Press again if you are done.",
)
HELD_TOO_LONG = Notice(
    "hint",
    "Something was counted while undo was held; nothing was taken back. Hold it again if that is "
    "to go.",
)
PRESS_ONCE_MORE = Notice(
    "hint", "What you did was counted as you pressed. Press once more if that was all."
)


def may_go_on_with(line: str) -> Notice:
    """Say what was seen after something that the rules refuse now."""
    return Notice("hint", f"Press the button if this is what was done from there: {line}.")


def refused_now(text: str, why: str) -> str:
    """Say that today's rules do not allow what was played by those of an earlier version."""
    return (
        f"The rules have been mended since this was played, and refuse “{text}”: {why} It and what "
        "came after it are struck through; the game goes on from before it."
    )
