"""``quarterdeck serve``: open the table for real."""

from __future__ import annotations

import argparse
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from warnings import catch_warnings, simplefilter

from companion.cli.parser import finite
from companion.errors import (
    BackendFallback,
    BoardError,
    CorruptLedger,
    DamagedLedger,
    HardwareError,
)
from companion.ledger.store import LEDGER

if TYPE_CHECKING:
    from companion.audit.fair import ReaderChecks
    from companion.boards.profile import XY
    from companion.ledger.sqlite_store import SqliteStore
    from companion.service import Service
    from vision.frame import Image
    from web.server import PageServer

DATA = Path("~/.local/share/quarterdeck")
NAME_FOLDER = "--data names the folder in which a table keeps its games"
"""What to do if no ledger is there."""
PORT = 8080
PLAY_ON_FROM_COPY = "If there is a copy of them, play on from it (docs/ledger.md)."


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``serve``."""
    serve = commands.add_parser(
        "serve",
        help="open the table: camera, buttons, ring and the scoreboard on every phone",
        description="Open the table. Every part may be absent; a game in play goes on where it "
        "stood.",
    )
    serve.add_argument(
        "--camera",
        default="none",
        help="picamera2, v4l2:NUMBER, folder:PATH or none (default: none, all is told by phone); "
        "v4l2:0+v4l2:2 for a second one over the tray",
    )
    serve.add_argument(
        "--empty", metavar="PICTURE", help="the board without pieces (or take it at /setup)"
    )
    serve.add_argument("--empty-tray", metavar="PICTURE", help="the tray without dice, likewise")
    serve.add_argument(
        "--tray-at",
        metavar="X,Y",
        help="where the tray is fixed beside the board: mm from the middle of the far left marker "
        "to its floor's far left corner, right and near; then a bumped camera does not lose it",
    )
    serve.add_argument(
        "--ring",
        default="page",
        help="page, terminal, leds:PIN,PIN,... or ws2812:LEDS (default: page)",
    )
    serve.add_argument("--buttons", action="store_true", help="use the buttons (docs/hardware.md)")
    add_server_arguments(serve)
    serve.add_argument(
        "--data", type=Path, default=DATA, help=f"folder of the ledger (default: {DATA})"
    )
    serve.add_argument(
        "--checks",
        type=Path,
        metavar="CSV",
        help="how well this camera reads dice, measured by `quarterdeck dice --check`",
    )
    serve.set_defaults(run=run_serve)


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what every command that serves pages takes."""
    parser.add_argument(
        "--port", type=port_number, default=PORT, help=f"0: a free one (default: {PORT})"
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to serve on (default: all)")


def port_number(text: str) -> int:
    """Read a port of `--port`."""
    number = int(text) if text.isdecimal() else -1
    if not 0 <= number < 2**16:
        raise argparse.ArgumentTypeError(f"a port is a number up to 65535, not {text}")
    return number


def run_serve(arguments: argparse.Namespace) -> int:
    """Serve until interrupted."""
    # Here and not above: other commands need not wait for OpenCV and Flask.
    from companion.ledger.folder import sole_table
    from companion.service import Service
    from companion.setup.looks import Looks
    from vision.camera.opening import KINDS, open_camera
    from web.server import WebServer

    folder = arguments.data.expanduser()
    looks = Looks(
        _picture(arguments.empty),
        _picture(arguments.empty_tray),
        parse_place(arguments.tray_at),
        folder,
    )
    checks = _checks(arguments.checks)
    camera = (
        None
        if arguments.camera == "none"
        else open_camera(arguments.camera, kinds=(*KINDS, "none"), may_be_missing=True)
    )
    done = on_end()
    with ExitStack() as stack:
        stack.enter_context(sole_table(folder))
        store, amiss = open_games(folder)
        service = stack.enter_context(Service(store, camera, looks, reader_checks=checks))
        if amiss:
            service.report_health("games", amiss)
        if arguments.buttons:
            open_buttons_for(service, stack)
        open_ring_for(service, arguments.ring, stack)
        serve = partial(WebServer, service, trials=service.trials)
        address = open_door(serve, arguments.host, arguments.port, stack)
        print(f"Camera, tray and buttons are set up at {address}setup\n", flush=True)
        service.start()
        # Short waits: on some systems a signal does not end an endless one.
        while not done.wait(0.5):
            store.settle()
            address = tell_new_address(address, arguments.host)
    return 0


def open_games(folder: Path) -> tuple[SqliteStore, str]:
    """Open the ledger of a table, and say what is amiss with it; empty if nothing is.

    One that is damaged is kept under another name, and a new one begun: nobody sees a table that
    will not open. Where only the last game was changed the service says so, and begins another.
    """
    from companion.ledger.folder import open_store, put_aside

    ledger = folder / LEDGER
    was_empty = ledger.exists() and not ledger.stat().st_size
    try:
        store = open_store(folder)
        try:
            for game in store.games()[-1:]:
                store.read(game)
        except DamagedLedger:
            store.close()
            raise
        except CorruptLedger:
            pass
    except DamagedLedger as error:
        kept = put_aside(ledger)
        return open_store(folder), (
            f"The games until now cannot be read: {error}. They are kept as they are in {kept}, "
            f"and new ones are begun. {PLAY_ON_FROM_COPY}"
        )
    if was_empty and not store.games():
        lost = f"There is nothing in {ledger}: if games were kept there, they are lost."
        return store, f"{lost} {PLAY_ON_FROM_COPY}"
    return store, ""


def open_buttons_for(service: Service, stack: ExitStack) -> None:
    """Let the buttons be heard until the stack closes; without pins the phones say so."""
    from hardware.buttons import Buttons

    try:
        stack.enter_context(Buttons(service.press_turn, service.press_undo))
    except HardwareError as error:
        _tell(service, "buttons", f"{error}. Until then turns are ended on the phones.")


def open_ring_for(service: Service, spec: str, stack: ExitStack) -> None:
    """Let the ring follow the table until the stack closes."""
    from hardware.ring import PageRing, open_ring
    from hardware.ring_driver import RingDriver

    stream = sys.stdout if sys.stdout.isatty() else None
    with catch_warnings():
        simplefilter("ignore", BackendFallback)  # it is told in our own words
        ring = open_ring(spec, stream=stream)
    if isinstance(ring, PageRing) and ring.reason:
        _tell(service, "ring", f"{ring.reason}. The pages show its signs.")
    driver = RingDriver(ring, on_failure=partial(service.report_health, "ring"))
    stack.callback(driver.close)
    if ring.leds:
        service.set_up.points_north_by(driver.point_north)
        service.dim_with(driver.dark_enough)
    service.subscribe(driver.show)
    driver.start()


def _tell(service: Service, part: str, text: str) -> None:
    """Say that a part cannot be used: where the table was started, and on the phones."""
    print(f"{part}: {text}", file=sys.stderr, flush=True)
    service.report_health(part, text)


def open_door(
    serve: Callable[..., PageServer],
    host: str,
    port: int,
    stack: ExitStack,
    what: str = "The scoreboard",
    otherwise: str = "--port, or with --host another address of this machine",
) -> str:
    """Serve pages until the stack closes; print the address and its QR code; return it."""
    from web.address import table_address, terminal_qr

    with _telling_if_taken(host, port, otherwise):
        server = serve(host=host, port=port)
    stack.enter_context(server)
    address = table_address(server.port, host)
    print(terminal_qr(address))
    print(f"{what} is open at {address}\n", flush=True)
    return address


def check_port(host: str, port: int, otherwise: str) -> None:
    """Raise `HardwareError` as `open_door` does if a port is taken, before anything is begun."""
    with _telling_if_taken(host, port, otherwise), socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
        probe.bind((host, port))


@contextmanager
def _telling_if_taken(host: str, port: int, otherwise: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HardwareError(
            f"port {port} on {host} cannot be opened ({error.strerror}): is Quarterdeck running "
            f"already? Choose another with {otherwise}"
        ) from error


def tell_new_address(address: str, host: str) -> str:
    """Return where phones find the table by now, and print it if it is no longer `address`.

    A Pi that is switched on opens the table before its Wi-Fi is there. One that is on no network
    any more keeps the address it had.
    """
    from web.address import OWN, table_address

    now = urlsplit(table_address(urlsplit(address).port or 80, host))
    if now.geturl() == address or now.hostname == OWN:
        return address
    print(f"Phones now find it at {now.geturl()}\n", flush=True)
    return now.geturl()


def on_end() -> threading.Event:
    """Return what is set by Ctrl-C, a polite kill, or the end of the terminal (not by `nohup`)."""
    done = threading.Event()
    for number in (signal.SIGINT, *_ends()):
        signal.signal(number, lambda *_: done.set())
    return done


def _ends() -> list[signal.Signals]:
    """Return the signals beside Ctrl-C that end a program politely; `nohup` keeps one from it."""
    hang_up = [] if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN else [signal.SIGHUP]
    return [signal.SIGTERM, *hang_up]


@contextmanager
def interrupted_on_end() -> Iterator[None]:
    """Let what is done here be interrupted by a polite kill as by Ctrl-C, once.

    So does the end of the terminal; what is told after that nobody reads.
    """
    before = {number: signal.getsignal(number) for number in _ends()}

    def interrupt(number: int, _frame: object) -> None:
        for other in before:
            signal.signal(other, signal.SIG_IGN)
        if number == signal.SIGHUP:
            sys.stdout = sys.stderr = StringIO()
        raise KeyboardInterrupt

    for number in before:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def parse_place(text: str | None) -> XY | None:
    """Read a place of the board frame, e.g. ``"505,250"``. Raises `BoardError`."""
    if text is None:
        return None
    try:
        x, y = (finite(part) for part in text.split(","))
    except ValueError:
        raise BoardError(f"--tray-at is two numbers of mm, e.g. 505,250, not {text!r}") from None
    return x, y


def _checks(path: Path | None) -> ReaderChecks:
    if path is None:
        return {}
    from companion.audit.checks_csv import read_checks
    from companion.cli.files import read_table

    return read_table(path, read_checks)


def _picture(path: str | None) -> Image | None:
    if path is None:
        return None
    from vision.camera.folder import load_picture

    return load_picture(Path(path))
