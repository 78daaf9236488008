"""``quarterdeck dice``: roll a die again and again, and hear whether it is fair."""

from __future__ import annotations

import argparse
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING

from companion.cli.dice_camera import TrayCamera
from companion.cli.dice_ending import end
from companion.cli.dice_lines import Terminal, say
from companion.cli.dice_typed import ENOUGH, ask_about, roll_by_hand, words_in
from companion.cli.files import read_table
from companion.cli.play import PORT, check_port, interrupted_on_end, open_door, port_number
from companion.errors import AuditError, BadRolls, CameraUnavailable, HardwareError
from companion.rules.dice import DieKind
from companion.rules.words import listed
from companion.trial.names import ROLLS

if TYPE_CHECKING:
    from companion.trial.kept import KeptTrial
    from companion.trial.throws import Thrown
    from companion.trial.tray import TrayWatch

CAMERA = "picamera2"
ANYWHERE = "0.0.0.0"
"""Phones are heard from all of the network."""
TRAY_MM = (220.0, 160.0)
NOTES = """\
The camera looks straight down at the tray. Throw, wait for the bell, take the dice out, throw
again. A folder of pictures is taken as one roll a picture. Ctrl-C ends it; the next time it goes on
from there. Dice that are picked up and put back are no roll: if they show the same as before and
nothing was seen to tumble you are asked; with --buttons you press turn if it was a roll, and hold
undo if it was none. Answers are learnt: the more you say of a die, the less you are asked about it.

By hand, type what the die shows and Enter; u takes the last roll back, q ends; "12: 5" says that
roll 12 was a 5, and "12: n" that it was none. So what the camera could not read, or has misread, is
put right, too: Ctrl-C, then the same line with --by-hand.

Each line tells the evidence that the die is loaded: 1 says nothing, and only at 20 is it an alarm.
Into the folder go rolls.csv (docs/audit.md), report.html and pictures of the tray.

  quarterdeck dice --die d20 --camera v4l2:0         a USB camera over the tray
  quarterdeck dice --die d6 --dice 5 --rolls 600     five at once, 120 throws
  quarterdeck dice --die d6 --camera virtual         a virtual tray, to try it out
  quarterdeck dice --die d20 --phones                seen and answered on phones
"""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``dice``."""
    dice = commands.add_parser(
        "dice",
        help="count the rolls of a die before a camera and say whether it is fair",
        description="Count the rolls of a die and say whether it is fair.",
        epilog=NOTES,
    )
    dice.add_argument("--die", required=True, metavar="KIND", help="e.g. d6, d20, sail, cannonball")
    dice.add_argument(
        "--faces", default="", metavar="LIST", help='what is printed on it, e.g. "2 3 3 4"'
    )
    dice.add_argument(
        "--rolls", type=int, default=300, help="how many dice to count (default: 300)"
    )
    dice.add_argument(
        "--dice",
        type=int,
        default=1,
        help="dice thrown at once (default: 1); the virtual tray has room for some 20 d6, a larger "
        "one (--tray 300x220) for 30",
    )
    dice.add_argument(
        "--camera",
        help="picamera2, v4l2:NUMBER, folder:PATH, or virtual:SEED to try it out; of the first two "
        "a part of the picture: v4l2:0@0.5,0,1,1 (left, top, right, bottom; @0,0,1,1: all of it, "
        f"as fine as a USB camera can) (default: {CAMERA})",
    )
    dice.add_argument("--by-hand", action="store_true", help="without a camera: type what it shows")
    dice.add_argument(
        "--empty",
        metavar="PICTURE",
        help="the tray without dice, same camera; without it no tray is needed",
    )
    dice.add_argument(
        "--tray",
        default="{:.0f}x{:.0f}".format(*TRAY_MM),
        metavar="WxH",
        help="inside of the tray in mm, for --empty and virtual (default: %(default)s)",
    )
    dice.add_argument("--captain", default="", help="who rolls")
    dice.add_argument(
        "--check",
        action="store_true",
        help="ask after each roll whether it was read right, to measure the camera's errors",
    )
    dice.add_argument(
        "--buttons",
        action="store_true",
        help="the turn button says that a doubtful roll was one, undo that it was none, or takes "
        "the last one back (docs/hardware.md)",
    )
    dice.add_argument(
        "--phones",
        nargs="?",
        type=port_number,
        const=PORT,
        metavar="PORT",
        help="show it on every phone in the house, which tell what the camera could not read "
        f"(default port: {PORT})",
    )
    dice.add_argument("--checks", type=Path, metavar="CSV", help="errors measured before")
    dice.add_argument(
        "--out", type=Path, metavar="FOLDER", help="folder of the trial (default: dice-KIND)"
    )
    dice.set_defaults(run=run_dice)


def run_dice(arguments: argparse.Namespace) -> int:
    """Count rolls until there are enough; then say what they are worth."""
    from companion.audit.checks_csv import read_checks
    from companion.audit.trial import Plan
    from companion.trial.kept import KeptTrial

    if arguments.rolls < 1 or arguments.dice < 1:
        raise AuditError("--rolls and --dice must be at least 1")
    kind = _kind(arguments.die, _faces(arguments.faces))
    checks = read_table(arguments.checks, read_checks) if arguments.checks else None
    if arguments.by_hand and (idle := _idle(arguments)):
        print(f"By hand no camera is looked at: {idle} left aside.", file=sys.stderr)
    if arguments.phones is not None:  # before the trial: perhaps it is held there already
        check_port(ANYWHERE, arguments.phones, _other_port(arguments.phones))
    folder = arguments.out or Path(f"dice-{kind.id}")
    look = _look(folder)
    # The camera first: if there is none, the trial stays as it was.
    camera = None if arguments.by_hand else _open_camera(kind, arguments, _lines(folder / ROLLS))
    # A name may hold bytes that are no text: no file of rolls could hold them.
    captain = arguments.captain.encode(errors="replace").decode()
    plan = Plan(kind, arguments.rolls, arguments.dice, captain, look)
    trial = KeptTrial(plan, folder, checks, voice=Terminal())
    with interrupted_on_end():
        try:
            _hold(trial, camera, arguments)
        except KeyboardInterrupt:
            print()
        finally:
            end(trial)
    return 0


def _hold(trial: KeptTrial, camera: TrayCamera | None, arguments: argparse.Namespace) -> None:
    """Count rolls, seen on phones if that is wanted."""
    with ExitStack() as stack:
        if arguments.phones is not None:
            open_phones(trial, arguments.phones, stack, sees_tray=camera is not None)
        _roll(trial, camera, arguments)
        if arguments.phones is not None and (camera is not None or trial.is_complete):
            _stay_open()


def _roll(trial: KeptTrial, camera: TrayCamera | None, arguments: argparse.Namespace) -> None:
    """Count rolls until there are enough."""
    if trial.is_complete and not (arguments.by_hand and trial.unread):
        print(ENOUGH)
    if camera is None:
        roll_by_hand(trial, arguments.dice)
    elif not trial.is_complete:
        watch_tray(trial, camera, arguments)


def open_phones(trial: KeptTrial, port: int, stack: ExitStack, *, sees_tray: bool = True) -> None:
    """Let every phone see the trial, and tell what could not be read, until the stack closes."""
    from web.server import PageServer
    from web.trial_page import create_trial_app

    serve = partial(PageServer, create_trial_app(trial, sees_tray=sees_tray))
    open_door(serve, ANYWHERE, port, stack, "The trial", _other_port(port))


def _other_port(port: int) -> str:
    """Say what to type where a port is taken."""
    return f"--phones {port + 1 if port < 65535 else port - 1}"


def _stay_open() -> None:
    """Wait for Ctrl-C: people may still look at their phones, and tell what was not read."""
    print("\nThe phones still show it; Ctrl-C ends, and writes the report.", flush=True)
    # Short waits: on some systems a signal does not end an endless one.
    while True:
        sleep(0.5)


def _idle(arguments: argparse.Namespace) -> str:
    """Name what was said of a camera; the same line again with --by-hand may hold all of it."""
    said = ("camera", "empty", "check", "buttons")
    given = [f"--{name}" for name in said if getattr(arguments, name)]
    return f"{listed(given)} {'is' if len(given) == 1 else 'are'}" if given else ""


def _kind(name: str, faces: tuple[int, ...]) -> DieKind:
    from companion.audit.rolls import find_kind

    try:
        return find_kind(name, faces)
    except BadRolls as error:
        how = (
            'e.g. --faces "1 2 3 4 5 6 7"'
            if error.reason.endswith("faces")
            else "and with --dice how many"
        )
        raise AuditError(f"{error}, {how}") from error


def _open_camera(kind: DieKind, arguments: argparse.Namespace, before: int) -> TrayCamera:
    """Open the camera that is named, else that of a Raspberry Pi, which many have not."""
    is_named = arguments.camera is not None
    arguments.camera = arguments.camera or CAMERA
    try:
        return TrayCamera(kind, arguments, before)
    except CameraUnavailable as error:
        if is_named:
            raise
        raise CameraUnavailable(
            f"{error}. For a USB camera say --camera v4l2:0, to type what it shows --by-hand"
        ) from error


def _look(folder: Path) -> str:
    """Return what a die is called whose trial began at a table: it goes on with the same one."""
    from companion.trial.plans import kept_plan

    if folder.is_file():
        raise AuditError(f"{folder} is a file: --out is the folder of a trial, a new one perhaps")
    try:
        begun = kept_plan(folder)
    except AuditError as error:
        raise AuditError(f"{folder}: {error}; put it right, or choose another --out") from error
    return "" if begun is None else begun.look


def _lines(path: Path) -> int:
    """Return how many lines a file has so far; none if there is no such file."""
    try:
        return path.read_bytes().count(b"\n")
    except OSError:
        return 0  # whoever goes on with it says what is wrong with it


def watch_tray(trial: KeptTrial, camera: TrayCamera, arguments: argparse.Namespace) -> None:
    """Count what the camera sees; ask where it cannot tell, if anybody is there to answer."""
    if not camera.is_folder:
        dice = "the die" if arguments.dice == 1 else f"{arguments.dice} dice"
        print(f"Watching: throw {dice}, wait for the bell, take up, throw again. Ctrl-C ends.")
    camera.watch.join(trial)
    with ExitStack() as stack:
        has_buttons = arguments.buttons and _open_buttons(trial, camera.watch, stack)
        is_asked_elsewhere = has_buttons or arguments.phones is not None
        can_ask = sys.stdin.isatty() and not is_asked_elsewhere
        for thrown in camera.rolls(trial.digests, lambda: trial.is_complete):
            asked = camera.watch.asked
            if count_roll(trial, thrown, asked, is_check=arguments.check, can_ask=can_ask):
                camera.watch.counted()
            if trial.is_complete:
                return


def _open_buttons(trial: KeptTrial, watch: TrayWatch, stack: ExitStack) -> bool:
    """Let the buttons vouch for a roll that may be none, and take back the last; or say why not."""
    from hardware.buttons import Buttons

    try:
        stack.enter_context(
            Buttons(on_turn=watch.vouch, on_undo=lambda: partial(trial.undo, trial.version))
        )
    except HardwareError as error:
        say(f"{error}. It goes on without buttons.")
        return False
    return True


def count_roll(
    trial: KeptTrial,
    thrown: Thrown,
    asked: Thrown | None = None,
    *,
    is_check: bool,
    can_ask: bool,
) -> bool:
    """Count one roll of the camera, with somebody's word where it is doubtful or to be checked.

    Phones were `asked` about a throw when this one was looked at. Returns whether somebody, or the
    camera, is sure of it: then it need not be told again.
    """
    from companion.trial.throws import matched

    is_asked = is_check or (can_ask and not trial.is_sure_of(thrown))
    try:
        faces = ask_about(thrown, trial.plan.kind) if is_asked else None
    except KeyboardInterrupt:  # it was thrown all the same
        trial.count(thrown, asked)
        raise
    if faces == ():
        trial.put_away(thrown)
        return True
    if is_check and faces is not None:
        # People tell several dice in any order, and one that was misread is no several.
        faces = tuple(matched(faces, [die.face for die in thrown.dice]))
        trial.check(thrown, faces)
    return trial.count(thrown, asked, faces)


def _faces(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in words_in(text))
    except ValueError:
        raise AuditError(f'--faces is a list of numbers, e.g. "2 3 3 4", not {text!r}') from None
