"""``quarterdeck dice``: roll a die again and again, and hear whether it is fair."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cli.audit import audit_and_report
from companion.cli.files import read_file, write_file
from companion.errors import AuditError, CameraUnavailable

if TYPE_CHECKING:
    from companion.audit.checks_csv import Counts
    from companion.audit.evidence import Evidence
    from companion.audit.rolls import DieRoll
    from companion.rules.dice import DieKind
    from vision.frame import Camera, Image

TRAY_MM = (220.0, 160.0)
BAR = 24
"""Characters of the progress bar."""
BELL = "\a"
ROLLS, REPORT, CHECKS, PICTURES = "rolls.csv", "report.html", "checks.csv", "pictures"
"""What is written into the folder of a session."""

NOTES = """\
The camera looks straight down at the tray. Throw, wait for the bell, take the dice out, throw
again. A folder of pictures is taken as one roll a picture. Ctrl-C ends it; the next time it goes on
from there. By hand, type what the die shows and Enter; u takes the last roll back, q ends.

Into the folder go rolls.csv (docs/audit.md), report.html and pictures of the tray.
"""


@dataclass(frozen=True, slots=True)
class ReadFace:
    """A die of a roll, as the camera read it."""

    face: int | None
    """``None``: it could not be told."""
    p: float
    box: tuple[int, int, int, int]
    look: str


@dataclass(frozen=True, slots=True)
class Thrown:
    """Dice that came to rest, and why that may be no roll."""

    dice: tuple[ReadFace, ...]
    doubt: str
    jpeg: bytes


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``dice``."""
    dice = commands.add_parser(
        "dice",
        help="count the rolls of a die before a camera and say whether it is fair",
        description="Count the rolls of a die and say whether it is fair.",
        epilog=NOTES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    dice.add_argument("--die", required=True, metavar="KIND", help="e.g. d6, d20, sail")
    dice.add_argument(
        "--faces", default="", metavar="LIST", help='what is printed on it, e.g. "2 3 3 4"'
    )
    dice.add_argument("--rolls", type=int, default=300, help="how many (default: 300)")
    dice.add_argument("--dice", type=int, default=1, help="dice thrown at once (default: 1)")
    dice.add_argument(
        "--camera",
        default="picamera2",
        help="picamera2, v4l2:NUMBER, folder:PATH, or virtual:SEED to try it out "
        "(default: picamera2)",
    )
    dice.add_argument("--by-hand", action="store_true", help="without a camera: type what it shows")
    dice.add_argument("--empty", metavar="PICTURE", help="the tray without dice, same camera")
    dice.add_argument(
        "--tray",
        default="{:.0f}x{:.0f}".format(*TRAY_MM),
        metavar="WxH",
        help="inside of the tray in mm (default: %(default)s)",
    )
    dice.add_argument("--captain", default="", help="who rolls")
    dice.add_argument(
        "--check",
        action="store_true",
        help="ask after each roll whether it was read right, to measure the camera's errors",
    )
    dice.add_argument("--checks", type=Path, metavar="CSV", help="errors measured before")
    dice.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder of the session (default: dice-KIND)"
    )
    dice.set_defaults(run=run_dice)


def run_dice(arguments: argparse.Namespace) -> int:
    """Count rolls until there are enough; then say what they are worth."""
    from companion.audit.checks_csv import read_checks
    from companion.audit.rolls import find_kind

    if arguments.rolls < 1 or arguments.dice < 1:
        raise AuditError("--rolls and --dice must be at least 1")
    kind = find_kind(arguments.die, _faces(arguments.faces))
    checks = read_checks(read_file(arguments.checks)) if arguments.checks else None
    session = Session(
        kind, arguments.out or Path(f"dice-{kind.id}"), arguments.rolls, arguments.captain
    )
    try:
        if arguments.by_hand:
            roll_by_hand(session, arguments.dice)
        else:
            watch_tray(session, arguments)
    except KeyboardInterrupt:
        print()
    session.end(checks)
    return 0


class Session:
    """The rolls of one die, counted, kept and judged.

    Parameters
    ----------
    kind : DieKind
        The die.
    folder : Path
        Where all of it is kept; made if it is missing.
    wanted : int
        How many dice are to be rolled.
    captain : str
        Who rolls.
    clock : callable
        Wall clock, seconds since 1970.
    """

    def __init__(
        self,
        kind: DieKind,
        folder: Path,
        wanted: int,
        captain: str = "",
        clock: Callable[[], float] = time.time,
    ) -> None:
        from companion.audit.rolls_file import RollsFile

        self.kind, self._folder, self._wanted = kind, folder, wanted
        self._captain, self._clock = captain, clock
        try:
            (folder / PICTURES).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise AuditError(f"{folder} cannot be made: {error.strerror}") from error
        self._file = RollsFile(folder / ROLLS)
        strangers = {roll.kind.id for roll in self._file.rolls if roll.kind != kind}
        if strangers:
            raise AuditError(
                f"{folder} holds rolls of {', '.join(sorted(strangers))}: choose another --out"
            )
        self._checked: Counts = {}
        self._evidence = self._weighed()
        if self._file.standing:
            print(f"Going on behind {len(self._file.standing)} rolls in {folder}.")

    @property
    def is_complete(self) -> bool:
        """There are as many rolls as were wanted."""
        return len(self._file.standing) >= self._wanted

    def tell(self, faces: Iterable[int]) -> None:
        """Count a roll that people tell."""
        self._add([self._roll(face) for face in faces])

    def take(self, thrown: Thrown, truth: Iterable[int] | None = None) -> None:
        """Count a roll that the camera read, and keep its picture.

        With `truth`, in the order of the dice, somebody has said what they really show.
        """
        name = f"{self._file.next_roll:05d}.jpg"
        told = [die.face for die in thrown.dice] if truth is None else list(truth)
        dice = []
        for die, face in zip(thrown.dice, told, strict=True):
            if face is None:
                continue
            confirmed = "" if truth is None else self._captain or "the roller"
            dice.append(self._roll(face, die, name, confirmed))
        (self._folder / PICTURES / name).write_bytes(thrown.jpeg)
        self._add(dice)

    def check(self, thrown: Thrown, truth: Iterable[int]) -> None:
        """Note how well the camera read dice that really show `truth`."""
        counts = self._checked.setdefault(self.kind.id, {})
        for die, face in zip(thrown.dice, truth, strict=True):
            if die.face is not None:
                counts[face, die.face] = counts.get((face, die.face), 0) + 1

    def take_back(self) -> None:
        """Strike through the last roll."""
        struck = self._file.take_back()
        faces = " ".join(str(roll.face) for roll in struck)
        print(f"taken back: {faces}" if struck else "there is nothing to take back")
        self._evidence = self._weighed()

    def end(self, checks: Counts | None) -> None:
        """Seal the rolls, say the verdict, write the report."""
        from companion.audit.checks_csv import read_checks, write_checks

        self._file.seal()
        if self._checked:
            path = self._folder / CHECKS
            before = read_checks(read_file(path)) if path.exists() else {}
            counts = before.setdefault(self.kind.id, {})
            for faces, count in self._checked[self.kind.id].items():
                counts[faces] = counts.get(faces, 0) + count
            write_file(path, write_checks(before))
            print(f"Checked readings: {path}")
        print()
        if not self._file.standing:
            print("No rolls were counted.")
            return
        audit_and_report(self._file.standing, self._folder / REPORT, checks)
        print(f"The report with plots: {self._folder / REPORT}")
        print(f"The rolls: {self._folder / ROLLS}")

    def _roll(
        self, face: int, read: ReadFace | None = None, picture: str = "", confirmed_by: str = ""
    ) -> DieRoll:
        from companion.audit.rolls import DieRoll

        seen = read if read is not None and read.face is not None else None
        return DieRoll(
            self.kind,
            face,
            look=seen.look if seen else "",
            captain=self._captain,
            roll=self._file.next_roll,
            time_s=self._clock(),
            source="camera" if seen else "table",
            read=seen.face if seen else None,
            p=round(seen.p, 4) if seen else None,
            confirmed_by=confirmed_by,
            picture=picture,
            box=read.box if read else None,
        )

    def _weighed(self) -> Evidence:
        """Return the evidence of all rolls that stand, for the progress line."""
        from companion.audit.evidence import Evidence
        from companion.audit.fair import exactly_read
        from companion.audit.rolls import together

        evidence = Evidence(exactly_read(self.kind))
        for dice in together(self._file.standing):
            evidence.update(roll.face for roll in dice)
        return evidence

    def _add(self, dice: list[DieRoll]) -> None:
        if not dice:
            return
        self._file.add(dice)
        self._evidence.update(roll.face for roll in dice)
        faces = " ".join(str(roll.face) for roll in dice)
        line = progress(len(self._file.standing), self._wanted)
        line += f"  shows {faces:<8} evidence {exp(min(self._evidence.log_now, 200)):.3g} to 1"
        if sys.stdout.isatty():
            print(f"\r\033[K{line}{BELL}", end="", flush=True)
        else:
            print(line, flush=True)


def progress(done: int, wanted: int) -> str:
    """Draw how far it is.

    >>> progress(150, 300)
    '[############............] 150/300'
    """
    full = min(BAR, BAR * done // wanted)
    return f"[{'#' * full}{'.' * (BAR - full)}] {done}/{wanted}"


# -- by hand --------------------------------------------------------------------------------------


def roll_by_hand(session: Session, dice: int) -> None:
    """Count what somebody types."""
    shown = ", ".join(map(str, session.kind.values))
    print(f"Type what the {session.kind.id} shows ({shown}) and Enter; u: undo, q: done.")
    while not session.is_complete:
        text = _ask("> ")
        if text is None or text == "q":
            return
        if text == "u":
            session.take_back()
        elif text:
            faces = parse_faces(text, session.kind, dice)
            if isinstance(faces, str):
                print(faces)
            else:
                session.tell(faces)


def parse_faces(text: str, kind: DieKind, dice: int) -> tuple[int, ...] | str:
    """Return the faces that somebody typed, or a sentence that says what is wrong with them."""
    try:
        faces = tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        return f"{text!r} is no number"
    wrong = next((face for face in faces if face not in kind.faces), None)
    if wrong is not None:
        return f"a {kind.id} shows {', '.join(map(str, kind.values))}, not {wrong}"
    if len(faces) != dice:
        return f"{dice} {'die is' if dice == 1 else 'dice are'} rolled at once, not {len(faces)}"
    return faces


def _ask(prompt: str) -> str | None:
    """Return what is typed, ``None`` at the end of the input."""
    try:
        return input(prompt).strip()
    except EOFError:
        return None


# -- before a camera ------------------------------------------------------------------------------


def watch_tray(session: Session, arguments: argparse.Namespace) -> None:
    """Count what the camera sees; ask where it cannot tell, if anybody is there to answer."""
    for thrown in _rolls_seen(session.kind, arguments):
        count_roll(session, thrown, is_check=arguments.check, can_ask=sys.stdin.isatty())
        if session.is_complete:
            return


def count_roll(session: Session, thrown: Thrown, *, is_check: bool, can_ask: bool) -> None:
    """Count one roll of the camera, with somebody's word where it is doubtful or to be checked."""
    kind = session.kind
    told = " ".join("?" if die.face is None else str(die.face) for die in thrown.dice)
    is_sure = not thrown.doubt and all(die.face in kind.faces for die in thrown.dice)
    if is_sure and not is_check:
        session.take(thrown)
        return
    if not (can_ask or is_check):
        print(f"not counted: I read {told}; {thrown.doubt or 'that is no face of this die'}")
        return
    question = f"\nI read {told}. Enter if that is right, else what it shows (n: no roll): "
    while True:
        answer = _ask((f"\n{thrown.doubt}." if thrown.doubt else "") + question)
        if answer is None or answer == "n":
            return
        faces = parse_faces(answer or told, kind, len(thrown.dice))
        if not isinstance(faces, str):
            break
        print(faces)
    if is_check:
        session.check(thrown, faces)
    session.take(thrown, faces)


def _rolls_seen(kind: DieKind, arguments: argparse.Namespace) -> Iterator[Thrown]:
    """Yield each roll in the tray once, when it rests."""
    from vision.camera.folder import load_picture
    from vision.dice.reader import TrayReader
    from vision.dice.rolls import RollGate, RollWatch

    size_mm = _tray_size(arguments.tray)
    camera, empty = _open(kind, arguments, size_mm)
    if arguments.empty:
        empty = load_picture(Path(arguments.empty))
    reader = TrayReader(size_mm, empty)
    watch = RollWatch(lambda picture: reader.read(picture, (kind.id,)), arguments.dice)
    gate = RollGate(arguments.dice)
    is_folder = arguments.camera.startswith("folder:")
    try:
        while (frame := camera.read()) is not None:
            picture = frame.board if frame.tray is None else frame.tray
            if is_folder:  # each picture was taken at rest
                roll = gate.rest(reader.read(picture, (kind.id,)), has_tumbled=True)
            else:
                roll = watch.feed(picture)
            if roll is not None:
                faces = []
                for die in roll.dice:
                    best = die.best
                    face = None if best is None else best[0].face
                    faces.append(ReadFace(face, best[1] if best else 0.0, die.box_px, die.look))
                yield Thrown(tuple(faces), roll.doubt, _jpeg(picture))
    finally:
        camera.close()


def _open(
    kind: DieKind, arguments: argparse.Namespace, size_mm: tuple[float, float]
) -> tuple[Camera, Image | None]:
    from vision.camera.opening import open_camera

    name, _, seed = arguments.camera.partition(":")
    if name != "virtual":
        return open_camera(arguments.camera), None
    from vision.virtual.roller import RollingTray

    if seed and not seed.isdecimal():
        raise CameraUnavailable(f"virtual:{seed}: say virtual, or virtual:NUMBER for other rolls")
    tray = RollingTray(kind.id, kind.faces, arguments.dice, size_mm, int(seed or 0))
    return tray, tray.empty


def _jpeg(picture: Image) -> bytes:
    import cv2

    _, jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 75])
    return jpeg.tobytes()


def _tray_size(text: str) -> tuple[float, float]:
    width, _, height = text.partition("x")
    try:
        size = float(width), float(height)
    except ValueError:
        size = (0.0, 0.0)
    if min(size) <= 0:
        raise AuditError(f"--tray is width x height in mm, e.g. 220x160, not {text!r}")
    return size


def _faces(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.replace(",", " ").split())
    except ValueError:
        raise AuditError(f'--faces is a list of numbers, e.g. "2 3 3 4", not {text!r}') from None
