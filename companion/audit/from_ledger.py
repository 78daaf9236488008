"""The rolls of a game, out of its events. The ledger is the only place where rolls are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from threading import Lock
from typing import Any

from companion.audit.rolls import CORRECTED, TAKEN_BACK, DieRoll
from companion.errors import CorruptLedger, RuleError, UnknownEventVersion
from companion.ledger.events import (
    ActionApplied,
    CorrectionMade,
    GameOpened,
    Retracted,
    StoredEvent,
    unseal,
)
from companion.ledger.store import Records
from companion.rules.catalogue import find_game
from companion.rules.dice import DieKind
from companion.rules.game import GameInfo
from companion.rules.layout import Die


class Archive:
    """The rolls of all games in a ledger; what was read once is not read again.

    Parameters
    ----------
    records : Records
        The ledger.
    table : str
        What to call the table they were rolled at.
    """

    def __init__(self, records: Records, table: str = "") -> None:
        self._records = records
        self._table = table
        self._games: dict[str, _GameReader] = {}
        self._lock = Lock()
        self.unread: dict[str, str] = {}
        """Games that cannot be read to their ends, and why; nothing of theirs is told."""

    def rolls(self) -> tuple[DieRoll, ...]:
        """Return all rolls, taken back and corrected ones included, in the order of writing.

        Those of a game that cannot be read are left out, which `unread` says.
        """
        with self._lock:
            for game in self._records.games():
                if game not in self.unread:
                    self._read_on(game)
            read = [reader for game, reader in self._games.items() if game not in self.unread]
            return tuple(roll for reader in read for roll in reader.rolls)

    def _read_on(self, game: str) -> None:
        reader = self._games.setdefault(game, _GameReader(self._table))
        try:
            for stored in self._records.read(game, after=reader.seq):
                reader.take(stored)
        except (CorruptLedger, UnknownEventVersion, RuleError) as error:
            self.unread[game] = str(error)


def whole_rolls(archive: Archive) -> tuple[DieRoll, ...]:
    """Return all rolls of an archive. Raises `CorruptLedger` if there are more than can be read."""
    rolls = archive.rolls()
    for why in archive.unread.values():
        raise CorruptLedger(why)
    return rolls


class _GameReader:
    """Reads one game from its opening on."""

    def __init__(self, table: str) -> None:
        self._table = table
        self._players: tuple[str, ...] = ()
        self._kinds: Mapping[str, DieKind] = {}
        self.rolls: list[DieRoll] = []
        self.seq = 0
        """Number of the last event that was taken in."""

    def take(self, stored: StoredEvent) -> None:
        """Take in the next event."""
        event = unseal(stored)
        self.seq = stored.seq
        if isinstance(event, GameOpened):
            self._game = find_game(event.rules)
            self._kinds = declared_dice(self._game.info, event.options)
            self._players = event.players
        elif isinstance(event, ActionApplied):
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
                time_s=stored.time_s if event.happened_s is None else event.happened_s,
                source=event.source,
                confirmed_by=self._confirmer(event),
                picture=event.evidence or "",
                event=stored.hash,
            )
            if read is not None:
                x, y, w, h = read["box"]
                roll = replace(
                    roll,
                    look=read["look"],
                    read=read["face"],
                    p=read["p"],
                    seems=read.get("seems", ""),
                    box=(x, y, w, h),
                )
            self.rolls.append(roll)

    def _confirmer(self, event: ActionApplied) -> str:
        if event.confirmed_by is not None:
            return self._name(event.confirmed_by)
        # Somebody looked, though from no seat. Corrections of before that was noted tell it, too.
        return "the host" if event.by_host or event.source == "table" else ""

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
        kind.id: DieKind(kind.id, tuple(sorted(options.get(f"{kind.id}_faces") or kind.faces)))
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
