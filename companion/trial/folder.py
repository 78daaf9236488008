"""The folder of a trial: every roll, and the pictures of the tray and of each die."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from companion.audit.html import crop_name, report
from companion.audit.judging import DieAudit
from companion.audit.rolls import DieRoll, together
from companion.audit.rolls_file import RollsFile
from companion.errors import AuditError
from companion.files import force_names, write_file
from companion.ledger.events import picture_name
from companion.rules.dice import DieKind, die_words
from companion.trial.lessons import Lesson, lessons_of
from companion.trial.names import PICTURES, PLAN, REPORT, ROLLS
from companion.trial.throws import Thrown


class TrialFolder:
    """Keeps the rolls of a kind of die, with their pictures.

    Raises `AuditError` for a folder that cannot be made, is spoilt, or holds other rolls.
    """

    def __init__(self, path: Path, kind: DieKind) -> None:
        self.path, self._pictures = path, path / PICTURES
        try:
            self._pictures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AuditError(f"{path} cannot be made: {error.strerror}") from error

        def check(rolls: Sequence[DieRoll]) -> None:
            if strangers := {roll.kind for roll in rolls if roll.kind != kind}:
                raise AuditError(f"{path} holds rolls of {_others(strangers, kind)}")

        self.rolls = RollsFile(path / ROLLS, check)

    @property
    def digests(self) -> Iterator[str]:
        """The digest of the picture of each throw, taken back or not; old names have none."""
        for dice in together(self.rolls.rolls):
            _, dash, named = Path(dice[0].picture).stem.rpartition("-")
            if dash:
                yield named

    def write_pictures(self, thrown: Thrown) -> str:
        """Keep the pictures of the throw that is added next; return the name of the whole one.

        That is on the card then. Those of its dice are parts of it, and the bell of thirty dice
        does not wait for the card to take each of them by itself.
        """
        number = self.rolls.next_roll
        name = picture_name(f"{number:05d}", thrown.jpeg, None) + ".jpg"
        for place, die in enumerate(thrown.dice, 1):
            if die.crop:
                write_file(self._pictures / crop_name(number, place), die.crop, is_forced=False)
        write_file(self._pictures / name, thrown.jpeg)
        force_names(self._pictures)
        return name

    def picture(self, roll: int) -> bytes | None:
        """Return the picture of a throw, JPEG; ``None`` if there is none, or it was tidied up."""
        names = [die.picture for die in self.rolls.rolls if die.roll == roll and die.picture]
        return _content(self._pictures / names[0]) if names else None

    def crop(self, roll: int, number: int) -> bytes | None:
        """Return the picture of one of its dice likewise; `number` counts them from 1."""
        return _content(self._pictures / crop_name(roll, number))

    def lessons(self, rolls: Iterable[DieRoll]) -> Iterator[Lesson]:
        """Yield what can be learnt of what people have said of rolls."""
        return lessons_of(rolls, self._pictures)


def write_verdict(
    folder: Path, found: Sequence[DieAudit], rolls: Sequence[DieRoll], title: str
) -> None:
    """Write what a die was found to be, with its plots and pictures, into the folder of its trial.

    Raises `AuditError` if the card refuses it.
    """
    shown = PICTURES if any(roll.picture for roll in rolls) else ""
    write_file(folder / REPORT, report(found, title, rolls, shown))


def sweep(folder: Path) -> None:
    """Take away the folder of a trial in which nothing was rolled, unless it holds other things."""
    with suppress(OSError):
        for name in (ROLLS, PLAN):
            (folder / name).unlink(missing_ok=True)
        for path in (folder / PICTURES, folder):
            path.rmdir()


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes() or None  # a power cut may have left nothing in it
    except OSError:
        return None


def _others(strangers: Iterable[DieKind], kind: DieKind) -> str:
    """Say which other dice a trial is of, and what to do; a like one has other faces."""
    for other in strangers:
        if other.id == kind.id:
            theirs, ours = (" ".join(map(str, die.faces)) for die in (other, kind))
            return (
                f"a {die_words(kind.id)} with the faces {theirs}, not {ours}: "
                f'go on with --faces "{theirs}", or choose another --out'
            )
    names = sorted(die_words(other.id) for other in strangers)
    return f"{', '.join(names)}: choose another --out"
