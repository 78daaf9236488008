"""``quarterdeck print``: boards, markers and coins as true-scale PDFs."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable
from pathlib import Path

from companion.boards.profile import load_profile
from companion.errors import PrintingError

_THINGS = ("board", "markers", "coins")


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``print`` to the command line."""
    parser = commands.add_parser(
        "print",
        help="make a PDF of a board, of its markers or of coins",
        description="Make a true-scale PDF of a board, of its markers alone, or of coins for those "
        "without a piecepack. Print it at 100 %%, never 'fit to page', and measure its ruler.",
    )
    # Not argparse's choices: a typing mistake deserves a sentence rather than a usage line.
    parser.add_argument("thing", metavar="board|markers|coins", help="what to print")
    parser.add_argument(
        "--profile", default="hex-ocean", help="built-in board or TOML file (default: hex-ocean)"
    )
    parser.add_argument(
        "--paper", default="a4", help="a4, a3, a2, a1, letter, or full for one sheet (default: a4)"
    )
    parser.add_argument(
        "--style", default="chart", help="chart (saves ink), deep or night (default: chart)"
    )
    parser.add_argument("-o", "--output", metavar="FILE.pdf", help="where to write it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the PDF and say how to print it. Raises `PrintingError` or `BoardError`."""
    # Here and not above: the other commands need not wait for reportlab and OpenCV.
    from vision.printing.pdf import PAPERS, board_pdf, coins_pdf, markers_pdf, tiling
    from vision.printing.styles import STYLES

    thing = _one_of("thing to print", arguments.thing, _THINGS)
    paper = _one_of("paper", arguments.paper, (*PAPERS, "full"))
    style = _one_of("style", arguments.style, STYLES)
    profile = load_profile(arguments.profile)
    name = thing if thing == "coins" else f"{profile.id}-{thing}"
    path = _pdf_path(arguments.output or f"{name}-{paper}.pdf")
    if thing == "board":
        data, tiles = board_pdf(profile, STYLES[style], paper), tiling(profile, paper)
        what = (
            f"one sheet of {tiles.page_mm[0]:.0f} x {tiles.page_mm[1]:.0f} mm"
            if tiles.pages == 1
            else f"{tiles.pages} sheets of {paper}, {tiles.columns} across and {tiles.rows} down"
        )
    elif thing == "coins":
        data, what = coins_pdf(paper), f"coins of two piecepacks on {paper}"
    else:
        data, what = markers_pdf(profile, paper), f"{len(profile.markers)} markers on {paper}"
    try:
        path.write_bytes(data)
    except OSError as error:
        raise PrintingError(f"cannot write {path}: {error.strerror}") from error
    print(f"{path}: {what}.")
    print("Print at 100 % (never 'fit to page'); the ruler on it must measure 100 mm.")
    return 0


def _one_of(name: str, word: str, known: Iterable[str]) -> str:
    """Return the known word that was meant, whatever its case; `PrintingError` otherwise."""
    words = list(known)
    if word.lower() in words:
        return word.lower()
    close = difflib.get_close_matches(word.lower(), words, 1, 0.5)
    hint = f"did you mean {close[0]!r}? " if close else ""
    raise PrintingError(f"{word!r} is no {name}; {hint}There are: {', '.join(words)}.")


def _pdf_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".pdf":
        raise PrintingError(f"only PDF files are written: call it {path.with_suffix('.pdf').name}")
    if not path.parent.is_dir():
        raise PrintingError(f"there is no folder {path.parent} to write {path.name} into")
    return path
