"""The command line: ``quarterdeck COMMAND``. One module a family of commands, listed here."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

from companion import __version__
from companion.cli.parser import Parser
from companion.errors import CompanionError

_FULL = (errno.ENOSPC, errno.EDQUOT)
"""No room is left on the disk, or for this user."""
INTERRUPTED = 130
"""Exit status of a command that was ended by Ctrl-C."""


def build_parser() -> Parser:
    """Return the parser of every command.

    Each command module offers ``add_commands(subparsers)``, which sets ``run`` on its parsers: a
    function of the parsed arguments that returns the exit status.
    """
    # Imported here and not above: `quarterdeck rules` must not wait for OpenCV to load.
    from companion.cli import (
        audit,
        backup,
        cards,
        demo,
        dice,
        play,
        printing,
        record,
        rules,
        see,
        ship,
    )

    parser = Parser(prog="quarterdeck", description="A companion for physical pirate board games.")
    parser.add_argument("--version", action="version", version=f"quarterdeck {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for module in (play, demo, see, printing, rules, record, backup, dice, audit, ship, cards):
        module.add_commands(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; errors of ours become one plain sentence and status 2."""
    _open_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        # Of a file's name what is no text is told as \udcff: it must not end the telling.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        arguments = build_parser().parse_args(argv)  # loads much: Ctrl-C may come meanwhile
        status: int = arguments.run(arguments)
        sys.stdout.flush()  # here, where it can be said if that fails
    except CompanionError as error:
        print(f"quarterdeck: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        if error.errno in _FULL:
            print(f"quarterdeck: nothing more can be written: {error.strerror}", file=sys.stderr)
            # Else Python tries it once more at its end, and complains.
            with suppress(OSError):
                sys.stdout.close()
            return 1
        if error.filename is None:
            raise
        print(f"quarterdeck: {error.filename} cannot be used: {error.strerror}", file=sys.stderr)
        return 2
    return status


def _open_streams() -> None:
    """Put something in the place of streams that the caller closed (``>&-``).

    Python has ``None`` there, which nobody expects; worse, the next file that is opened, the ledger
    perhaps, would get the number of standard output.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))
