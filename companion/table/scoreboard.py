"""The snapshot: what everybody may see, derived from the history and nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.errors import RuleError
from companion.ledger.events import TRAY_PICTURE, QuestionAsked
from companion.rules.game import (
    CHANCE,
    AnyGame,
    ChanceRoll,
    Decision,
    GameInfo,
    GameOver,
    Happening,
    Outcome,
    PlayerId,
)
from companion.rules.views import SeatView
from companion.rules.words import listed
from companion.table.findings import SURE
from companion.table.history import History, OpenQuestion, Played
from companion.table.offering import offers_of
from companion.table.outlook import Outlook
from companion.table.sentences import acting_seat
from companion.table.snapshot import Choice, LogEntry, Notice, Question, Seat, Snapshot

LOG_LINES = 50
"""Lines of the log that are sent at once: with every snapshot, or with one page of older ones."""


def take_snapshot(
    history: History, outlook: Outlook, notice: Notice | None, health: Mapping[str, str]
) -> Snapshot:
    """Return the table as it stands."""
    game, state = history.game, history.state
    pending = game.pending(state)
    view = game.view(state, None)
    names = {int(seat.player): seat.name for seat in view.seats}
    outcome = game.outcome(state)
    return Snapshot(
        version=history.version,
        game=history.id,
        title=game.info.title,
        profile=history.opened.profile,
        phase=view.phase,
        round=view.round,
        pending=pending.text,
        measured=isinstance(pending, Decision) and pending.measured,
        total=pending.total if isinstance(pending, Decision) else 0,
        awaits_roll=pending.dice if isinstance(pending, ChanceRoll) else (),
        over=isinstance(pending, GameOver),
        result=outcome_text(outcome, names) if outcome else "",
        seats=tuple(_seat(seat, history, acting_seat(pending)) for seat in view.seats),
        layout=outlook.layout(state),
        log=log_lines(history),
        question=show_question(history.question, history, outlook),
        notice=notice,
        notes=view.notes,
        winners=tuple(int(p) for p in outcome.placing[0]) if outcome and outcome.placing else (),
        weather=view.weather,
        sheets=view.sheets,
        asides=() if isinstance(pending, GameOver) else offers_of(game, state, game.asides(state)),
        health=dict(health),
        details=view.details,
        private=_private(history),
    )


def _seat(view: SeatView, history: History, acting: int | None) -> Seat:
    seat, seats = int(view.player), len(history.opened.players)
    return Seat(
        seat=seat,
        name=view.name,
        colours=view.colours,
        scores=dict(view.scores),
        ships=view.ships,
        taken=seat in history.phones,
        asked=seat == acting,
        side_deg=_side_deg(history.game.info, seat, seats),
    )


def _private(history: History) -> dict[int, Mapping[str, Any]]:
    """Return what only the phones on their seats may be shown."""
    if not history.game.info.has_secrets:
        return {}
    view, state = history.game.view, history.state
    return {seat: view(state, PlayerId(seat)).own for seat in sorted(history.phones)}


def outcome_text(outcome: Outcome, names: Mapping[int, str]) -> str:
    """Say who won and why."""
    reason = outcome.reason.rstrip(".")
    first = outcome.placing[0] if outcome.placing else ()
    if not first:
        return reason
    won = "share the victory" if len(first) > 1 else "wins"
    return f"{listed(names[int(p)] for p in first)} {won}: {reason} ({outcome.rule})"


def log_lines(history: History, before: int | None = None) -> tuple[LogEntry, ...]:
    """Return the latest lines of the log, or the latest of those before number `before`."""
    played = history.played
    end = len(played) if before is None else bisect_left(played, before, key=lambda p: p.seq)
    shown = played[max(0, end - LOG_LINES) : end]
    return tuple(log_entry(entry, history.game.info.coin) for entry in shown)


def log_entry(entry: Played, coin: tuple[str, str] | None) -> LogEntry:
    """Return an action as a line of the log."""
    event = entry.event
    is_confirmed = event.by_host or event.confirmed_by is not None
    return LogEntry(
        seq=entry.seq,
        text=event.text,
        seat=event.seat,
        consequences=tuple(consequence_text(h, coin) for h in entry.happenings),
        source=event.source,
        p=event.p,
        evidence=event.evidence,
        tray=_tray_picture(event.evidence, event.dice),
        retracted=entry.is_retracted,
        house_ruling=event.house_ruling,
        asked=event.p is not None and (event.p < SURE or is_confirmed),
        is_one_of_many=event.equivalent > 1,
    )


def consequence_text(happening: Happening, coin: tuple[str, str] | None) -> str:
    """Say what followed, coins (one, several) first: ``"+1 doubloon: Red sinks Blue (AOW-46)"``.

    Coins that several captains get alike are said once: ``"+2 doubloons each: ..."``.
    """
    said = happening.text.rstrip(".")
    told = f"{said} ({happening.rule})"
    if coin is None or not happening.coins:
        return told
    shares = Counter(amount for _, amount in happening.coins)
    coins = ", ".join(
        f"{amount:+d} {coin[abs(amount) != 1]}{' each' if captains > 1 else ''}"
        for amount, captains in shares.items()
    )
    return f"{coins}: {told}"


def show_question(
    question: OpenQuestion | None, history: History, outlook: Outlook
) -> Question | None:
    """Return the open question with the board as each choice would leave it."""
    if question is None:
        return None
    event = question.event
    choices = tuple(_choices(event, history, outlook))
    seats = event.seats
    if event.topic != "reading":
        # A phone that has stood up keeps nobody waiting.
        seats = tuple(sorted(history.sitting(question) - question.agreed))
    tray = _tray_asked_about(event, history)
    return Question(question.id, event.text, event.rule, seats, choices, event.evidence, tray)


def _tray_asked_about(event: QuestionAsked, history: History) -> str | None:
    """Return the picture of the dice that a question is about, if it is about dice."""
    if event.topic != "reading":
        entry = history.find(event.data["of"])
        return None if entry is None else _tray_picture(entry.event.evidence, entry.event.dice)
    reads = (read for line in event.data.get("readings", {}).values() for read in line)
    pictures = (_tray_picture(read["evidence"], read["dice"]) for read in reads)
    return next(filter(None, pictures), None)


def _tray_picture(evidence: str | None, dice: Sequence[Any]) -> str | None:
    """Return the picture of the tray alone that is kept beside that in which dice were read."""
    return evidence + TRAY_PICTURE if evidence and dice else None


def _choices(event: QuestionAsked, history: History, outlook: Outlook) -> Iterator[Choice]:
    """Yield the choices of a question but for those that mended rules refuse."""
    readings = event.data.get("readings", {})
    for choice in event.choices:
        layout, line = None, choice.get("line")
        if line is not None:
            try:
                layout = outlook.layout(follow(history.game, history.state, line))
            except RuleError:
                continue
        reads = readings.get(choice["id"], ())
        is_one_of_many = any(read.get("equivalent", 1) > 1 for read in reads)
        yield Choice(choice["id"], choice["text"], layout, is_one_of_many)


def follow(game: AnyGame, state: Any, line: Sequence[Mapping[str, Any]]) -> Any:
    """Return the state that a line of actions in JSON leads to."""
    for data in line:
        state = game.apply(state, game.action_from_json(data)).state
    return state


def player_of(game: AnyGame, state: Any, action: Any) -> PlayerId:
    """Return whose doing an action is: the hand that rolls, for a roll."""
    pending = game.pending(state)
    if action.player == CHANCE and isinstance(pending, ChanceRoll):
        return pending.player
    player: PlayerId = action.player
    return player


def _side_deg(info: GameInfo, seat: int, seats: int) -> float:
    """Return where a captain sits, clockwise from the top of the board."""
    return info.sides_deg[seat] if info.sides_deg else 360.0 * seat / seats
