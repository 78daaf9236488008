"""Whether an export agrees with the ledger that it came from, and the pictures with both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from companion.audit.from_ledger import Archive, whole_rolls
from companion.audit.rolls import CORRECTED, STANDS, STATUSES, TAKEN_BACK, DieRoll
from companion.audit.rolls_csv import CELLS, to_cells
from companion.errors import AlteredExport
from companion.ledger.events import DIGEST_CHARS, TRAY_PICTURE, picture_digest, picture_name
from companion.ledger.store import Records, verify_chain

MAY_CHANGE = ("table", "status")
"""A table may be called otherwise, and a roll that stood be corrected after it was exported."""

Numbered = tuple[int, DieRoll]
"""A roll and the number of its line."""
Lasting = tuple[str, ...]
"""What never changes about a roll, as cells."""


def prove(exported: Iterable[Numbered], ledgers: Sequence[Records]) -> int:
    """Check that the ledgers are unaltered and that one of them holds every exported roll.

    Returns how many dice of theirs are not in the export: it may be of one captain, or of an
    earlier day.

    Raises
    ------
    CorruptLedger
        When a ledger itself was altered.
    AlteredExport
        Naming the first line that no ledger knows, that stands there otherwise, that was there
        before, or whose picture is not the one that was taken then.
    """
    left = _Left(ledgers)
    proven = ("", "")
    for number, roll in exported:
        if why := left.take(roll):
            raise AlteredExport(number, why)
        picture = roll.game, roll.picture
        if picture == proven:
            continue  # that of the die before, which was thrown with this one
        if not any(_shows_what_was_taken(roll, records) for records in ledgers):
            raise AlteredExport(number, "its picture in the ledger is missing or was changed")
        proven = picture
    return left.count


class _Left:
    """Dice of some ledgers that no line of an export was about yet."""

    def __init__(self, ledgers: Iterable[Records]) -> None:
        dice = Counter[tuple[Lasting, str]]()
        for records in ledgers:
            for game in records.games():
                verify_chain(game, records.read(game))
            rolls = whole_rolls(Archive(records))
            # Not added up: whoever names one ledger twice holds no roll twice.
            dice |= Counter((_lasting(roll), roll.status) for roll in rolls)
        self._known = {lasting for lasting, _ in dice}
        self._dice = dice

    @property
    def count(self) -> int:
        """How many they are."""
        return self._dice.total()

    def take(self, roll: DieRoll) -> str:
        """Take a die of the export; return why there is none like it, else nothing."""
        lasting = _lasting(roll)
        # A roll may have been corrected since, but what was struck through never stands again.
        since = (CORRECTED, TAKEN_BACK) if roll.status == STANDS else ()
        for status in (roll.status, *since):
            if self._dice[lasting, status] > 0:
                self._dice[lasting, status] -= 1
                return ""
        if lasting not in self._known:
            return "the ledger has no such roll"
        for status in STATUSES:
            if self._dice[lasting, status] > 0:
                there = status if status == STANDS else f"is {status}"
                return f"it is {roll.status} here, and {there} in the ledger"
        return "the ledger has not so many rolls like it"


def prove_pictures(exported: Iterable[Numbered], folder: Path) -> bool:
    """Check that the pictures beside a table of `quarterdeck dice` are those that were taken then.

    Returns whether there are any. Raises `AlteredExport` naming the first line whose picture is
    missing or was changed.
    """
    has_any, proven = False, folder
    for number, roll in exported:
        picture = folder / Path(roll.picture).name
        digest = picture.stem.rpartition("-")[2]
        if len(digest) != DIGEST_CHARS or picture == proven:
            continue  # told by hand, or kept before pictures were named after their content
        if not picture.is_file() or picture_digest(picture.read_bytes()) != digest:
            raise AlteredExport(number, f"its picture {picture} is missing or was changed")
        has_any = True
    return has_any


def _lasting(roll: DieRoll) -> Lasting:
    cells = dict(zip(CELLS, to_cells(roll), strict=True))
    return tuple(cells[name] for name in CELLS if name not in MAY_CHANGE)


def _shows_what_was_taken(roll: DieRoll, records: Records) -> bool:
    """Compare the pictures of a roll with the name that its event gave them."""
    frame, _, digest = roll.picture.rpartition("-")
    if len(digest) != DIGEST_CHARS:
        return True  # kept before pictures were named after their content, or none at all
    jpeg = records.picture(roll.game, roll.picture)
    tray = records.picture(roll.game, roll.picture + TRAY_PICTURE)
    return jpeg is not None and picture_name(frame, jpeg, tray) == roll.picture
