"""The rolls of a game, out of its events. The ledger is the only place where rolls are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.audit.rolls import CORRECTED, TAKEN_BACK, DieRoll
from companion.ledger.events import (
    ActionApplied,
    CorrectionMade,
    GameOpened,
    Retracted,
    StoredEvent,
    unseal,
)
from companion.ledger.store import Store
from companion.rules.catalogue import find_game
from companion.rules.dice import DieKind
from companion.rules.game import GameInfo
from companion.rules.layout import Die


def ledger_rolls(store: Store, table: str = "") -> tuple[DieRoll, ...]:
    """Return all rolls of all games in a ledger, in the order in which they were written."""
    return tuple(roll for game in store.games() for roll in game_rolls(store.read(game), table))


def game_rolls(events: Sequence[StoredEvent], table: str = "") -> tuple[DieRoll, ...]:
    """Return the rolls of one game, taken back and corrected ones included.

    Parameters
    ----------
    events : sequence of StoredEvent
        All events of the game, from its opening on.
    table : str
        What to call the table they were rolled at.

    Raises
    ------
    CorruptLedger, UnknownEventVersion
        When an event cannot be read.
    """
    reader: _GameReader | None = None
    for stored in events:
        event = unseal(stored)
        if isinstance(event, GameOpened):
            reader = _GameReader(event, table)
        elif reader is not None:
            reader.take(stored, event)
    return () if reader is None else tuple(reader.rolls)


class _GameReader:
    """Reads one game from its opening on."""

    def __init__(self, opened: GameOpened, table: str) -> None:
        self._game = find_game(opened.rules)
        self._kinds = declared_dice(self._game.info, opened.options)
        self._players = opened.players
        self._table = table
        self.rolls: list[DieRoll] = []

    def take(self, stored: StoredEvent, event: object) -> None:
        """Take in the next event."""
        if isinstance(event, ActionApplied):
            if event.is_chance:
                self._roll(stored, event)
        elif isinstance(event, Retracted):
            self._strike(event.of, TAKEN_BACK)
        elif isinstance(event, CorrectionMade):
            self._strike(event.of, CORRECTED)

    def _roll(self, stored: StoredEvent, event: ActionApplied) -> None:
        shown = self._game.rolled(self._game.action_from_json(event.action))
        for die, read in _paired(shown, event.dice):
            roll = DieRoll(
                self._kinds.get(die.kind, DieKind(die.kind, (die.face,))),
                die.face,
                captain=self._name(event.seat),
                purpose=event.phase,
                table=self._table,
                game=stored.game,
                roll=stored.seq,
                time_s=stored.time_s,
                source=event.source,
                confirmed_by=self._confirmer(event),
                picture=event.evidence or "",
                event=stored.hash,
            )
            if read is not None:
                x, y, w, h = read["box"]
                roll = replace(
                    roll, look=read["look"], read=read["face"], p=read["p"], box=(x, y, w, h)
                )
            self.rolls.append(roll)

    def _confirmer(self, event: ActionApplied) -> str:
        if event.confirmed_by is not None:
            return self._name(event.confirmed_by)
        # A correction by the host: somebody looked, though from no seat.
        return "the host" if event.source == "table" else ""

    def _name(self, seat: int | None) -> str:
        return "" if seat is None else self._players[seat]

    def _strike(self, of: int, status: str) -> None:
        """Strike through all that stands from event `of` on; the first is what was wrong."""
        for k, roll in enumerate(self.rolls):
            if roll.roll >= of and roll.status not in (CORRECTED, TAKEN_BACK):
                struck = status if roll.roll == of else TAKEN_BACK
                self.rolls[k] = replace(roll, status=struck)


def declared_dice(info: GameInfo, options: Mapping[str, Any]) -> dict[str, DieKind]:
    """Return the dice of a game with the faces that its options give them.

    An option ``<kind>_faces`` of a game tells the faces of that kind.
    """
    return {
        kind.id: DieKind(kind.id, tuple(options.get(f"{kind.id}_faces") or kind.faces))
        for kind in info.dice
    }


def _paired(
    shown: Iterable[Die], read: Iterable[Mapping[str, Any]]
) -> list[tuple[Die, Mapping[str, Any] | None]]:
    """Pair the dice that count with what was read of them: equal faces first, then equal kinds."""
    dice, left = list(shown), list(read)
    found: list[Mapping[str, Any] | None] = [None] * len(dice)
    for is_same in (_same_face, _same_kind):
        for k, die in enumerate(dice):
            match = next((one for one in left if found[k] is None and is_same(die, one)), None)
            if match is not None:
                left.remove(match)
                found[k] = match
    return list(zip(dice, found, strict=True))


def _same_face(die: Die, read: Mapping[str, Any]) -> bool:
    return (die.kind, die.face) == (read["kind"], read["face"])


def _same_kind(die: Die, read: Mapping[str, Any]) -> bool:
    return bool(die.kind == read["kind"])
