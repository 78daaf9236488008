"""Whether an export agrees with the ledger that it came from, and the pictures with both."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.audit.from_ledger import Archive
from companion.audit.rolls import DieRoll
from companion.audit.rolls_csv import CELLS, to_cells
from companion.errors import AlteredExport
from companion.ledger.events import DIGEST_CHARS, TRAY_PICTURE, picture_digest, picture_name
from companion.ledger.store import Records, verify_chain

MAY_CHANGE = ("table", "status")
"""A table may be called otherwise, and a roll be corrected after it was exported."""

Numbered = tuple[int, DieRoll]
"""A roll and the number of its line."""


def prove(exported: Iterable[Numbered], records: Records) -> None:
    """Check that the ledger is unaltered and holds every exported roll with its picture.

    Raises
    ------
    CorruptLedger
        When the ledger itself was altered.
    AlteredExport
        Naming the first line that the ledger does not know, or whose picture is not the one that
        was taken then.
    """
    for game in records.games():
        verify_chain(game, records.read(game))
    known = {_lasting(roll) for roll in Archive(records).rolls()}
    for number, roll in exported:
        if _lasting(roll) not in known:
            raise AlteredExport(number, "the ledger has no such roll")
        if not _shows_what_was_taken(roll, records):
            raise AlteredExport(number, "its picture in the ledger is missing or was changed")


def prove_pictures(exported: Iterable[Numbered], folder: Path) -> bool:
    """Check that the pictures beside a table of `quarterdeck dice` are those that were taken then.

    Returns whether there are any. Raises `AlteredExport` naming the first line whose picture is
    missing or was changed.
    """
    has_any = False
    for number, roll in exported:
        picture = folder / Path(roll.picture).name
        digest = picture.stem.rpartition("-")[2]
        if len(digest) != DIGEST_CHARS:
            continue  # told by hand, or kept before pictures were named after their content
        if not picture.is_file() or picture_digest(picture.read_bytes()) != digest:
            raise AlteredExport(number, f"its picture {picture} is missing or was changed")
        has_any = True
    return has_any


def _lasting(roll: DieRoll) -> tuple[str, ...]:
    """Return what never changes about a roll."""
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
