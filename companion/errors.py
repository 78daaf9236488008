"""Every error Quarterdeck raises on purpose: one base, a family per room.

A message says what was expected, what came and what to do about it. Anything that a phone, camera,
file or button can cause is one of these; a bare built-in exception is a bug of ours.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def meant(word: object, known: Iterable[str]) -> str:
    """Ask whether the nearest of some words was meant; empty if none is near.

    That options begin with dashes makes them no more alike.

    >>> meant("privatear", ["privateer", "ahoy-matey"]), meant("chess", ["privateer"])
    ("did you mean 'privateer'?", '')
    >>> meant("--folder", ["--die", "--dice"])
    ''
    """
    spelt = {one.lstrip("-"): one for one in known}
    near = get_close_matches(str(word).lstrip("-"), spelt, 1)
    return f"did you mean {spelt[near[0]]!r}?" if near else ""


def meant_of(word: object, known: Iterable[str], these_are: str) -> str:
    """Ask whether the nearest was meant, and list all of them.

    >>> meant_of("bord", ["board", "dice"], "there are")
    "did you mean 'board'? There are: board, dice"
    >>> meant_of("sea", ["board", "dice"], "there are")
    'there are: board, dice'
    """
    words = list(known)
    near = meant(word, words)
    listed = f"{these_are}: {', '.join(words)}"
    return f"{near} {listed[0].upper()}{listed[1:]}" if near else listed


class CompanionError(Exception):
    """Base of all errors that Quarterdeck raises on purpose."""

    code = "companion"
    """Stable machine-readable name, sent to phones and printed in JSON."""


class RuleError(CompanionError):
    """The rules cannot accept what was asked of them."""

    code = "rule"


class MalformedAction(RuleError, ValueError):
    """The action cannot be read at all."""

    code = "malformed"


class BadOptions(RuleError, ValueError):
    """The options or players of a set-up cannot be played; names the option at fault, if one is."""

    code = "options"

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class IllegalAction(RuleError, ValueError):
    """The rules forbid the action; carries the ruling that says why."""

    code = "illegal"

    def __init__(self, rule: str, reason: str) -> None:
        super().__init__(f"{reason} ({rule})")
        self.rule = rule
        self.reason = reason


class NotYourTurn(IllegalAction):
    """Somebody acts who is not asked to."""

    code = "not_your_turn"


class SeatIsHeld(NotYourTurn):
    """A phone would sit down where another one sits."""

    code = "seat_held"


class GameIsOver(IllegalAction):
    """The game has ended; nothing more can happen in it."""

    code = "game_over"


class StaleVersion(RuleError):
    """The command speaks of a state of the game that has passed meanwhile."""

    code = "stale"


class BadRecord(CompanionError, ValueError):
    """A game record cannot be read; carries the number of the line (from 1; 0: the file)."""

    code = "record"

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason


class UnknownRecordVersion(BadRecord):
    """A game record was written by a newer version of Quarterdeck."""

    code = "record_version"


class BoardError(CompanionError, ValueError):
    """A board profile cannot be read."""

    code = "board"


class CardError(CompanionError, ValueError):
    """A deck of cards cannot be read or played; carries where in the deck the fault lies."""

    code = "cards"

    def __init__(self, path: str, reason: str, line: int = 0) -> None:
        where = f"{path}: " if path else ""
        super().__init__(f"line {line}: {where}{reason}" if line else f"{where}{reason}")
        self.path = path
        """Key, e.g. ``"bounty[3].draw[0].amount"``; empty: the deck as a whole."""
        self.reason = reason
        self.line = line
        """Line of the file, from 1; 0: not known."""


class LedgerError(CompanionError):
    """The record of the game cannot be written or trusted."""

    code = "ledger"


class SequenceConflict(LedgerError):
    """Another writer has appended an event with this number."""

    code = "sequence"


class UnknownEventVersion(LedgerError):
    """An event was written by a newer version than this one can read."""

    code = "event_version"


class CorruptLedger(LedgerError):
    """The chain of hashes is broken or an event cannot be replayed."""

    code = "corrupt"


class DamagedLedger(CorruptLedger):
    """The file itself is not what was written into it: its card has lost something."""

    code = "ledger"


class AuditError(CompanionError):
    """Rolls cannot be audited, or a file that somebody has named cannot be read or written."""

    code = "audit"


class TakenOver(AuditError):
    """Somebody else has written into the table of a trial: from now on the rolls are theirs."""


class BadRolls(AuditError, ValueError):
    """A table of rolls cannot be read; carries the number of the line (from 1; 0: the file)."""

    code = "rolls"

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}" if line else reason)
        self.line = line
        self.reason = reason


class AlteredExport(BadRolls):
    """An export is not as it was written; carries the first line that was changed."""

    code = "altered"


class VisionError(CompanionError):
    """The camera side cannot work."""

    code = "vision"


class CameraUnavailable(VisionError, OSError):
    """No picture can be had from the chosen camera."""

    code = "camera"


class NotCalibrated(VisionError):
    """The board, the tray or the pieces have not been shown to the camera yet."""

    code = "not_calibrated"


class DoubtfulPicture(NotCalibrated):
    """A picture seems not to show what was asked for; somebody may be sure that it does."""

    code = "doubtful"


class TrayNotFound(NotCalibrated):
    """No dice tray, a box with upright walls, is seen."""

    code = "no_tray"


class PictureError(VisionError, ValueError):
    """A picture file cannot be read as a picture."""

    code = "picture"


class PrintingError(VisionError, ValueError):
    """A board or its markers cannot be printed as asked."""

    code = "printing"


class HardwareError(CompanionError):
    """A button, pin or ring cannot work."""

    code = "hardware"


class BackendMissing(HardwareError, ImportError):
    """A device backend needs a package that is not installed."""

    code = "backend"


class DeviceClosed(HardwareError):
    """A device was used after it had been closed."""

    code = "device_closed"


class CompanionWarning(UserWarning):
    """Base of all warnings that Quarterdeck gives."""


class BackendFallback(CompanionWarning):
    """A device could not be opened and a simpler one stands in for it."""
