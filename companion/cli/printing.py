"""``quarterdeck print``: boards, markers, coins, tags, islands and cards as true-scale PDFs."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from companion.boards.profile import load_profile
from companion.errors import PrintingError, meant_of
from companion.files import write_file

_THINGS = ("board", "markers", "coins", "ship", "tags", "islands", "cards")
_BOARD, _OPEN_TABLE = "hex-ocean", "open-table"
Printed = Callable[[], tuple[bytes, str]]
"""Makes the PDF and says what is in it."""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``print`` to the command line."""
    parser = commands.add_parser(
        "print",
        help="make a PDF of a board, of its markers, of coins, tags, islands or cards",
        description="Make a true-scale PDF of a board, of its markers alone, of coins for those "
        "without a piecepack, of the reference card of a ship of PirateWars, of the tags and "
        "islands of an open table, or of the cards of Privateer. Print it at 100 %, never 'fit to "
        "page', and measure its ruler.",
    )
    # Not argparse's choices: a typing mistake deserves a sentence rather than a usage line.
    parser.add_argument(
        "thing", metavar="board|markers|coins|ship|tags|islands|cards", help="what to print"
    )
    parser.add_argument(
        "which",
        nargs="?",
        metavar="NAME|FILE.toml",
        help="ship: which (see quarterdeck ship); cards: your card file, not the house deck",
    )
    parser.add_argument(
        "--profile",
        default=_BOARD,
        help=f"built-in board or TOML file (default: {_BOARD}; tags, islands: {_OPEN_TABLE})",
    )
    parser.add_argument(
        "--paper", default="a4", help="a4, a3, a2, a1, letter, or full for one sheet (default: a4)"
    )
    parser.add_argument(
        "--style", default="chart", help="chart (saves ink), deep or night (default: chart)"
    )
    parser.add_argument(
        "--game", metavar="G", help="tags, islands: whose pieces, pirates-csg or pirate-wars"
    )
    parser.add_argument("--players", type=int, metavar="N", help="tags, islands: for how many")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="tags, islands: an option of the game; may be given several times",
    )
    parser.add_argument(
        "--numbers", metavar="1-8,12", help="tags: these numbers, without names, of no game"
    )
    parser.add_argument("-o", "--output", metavar="FILE.pdf", help="where to write it")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the PDF and say how to print it. Raises `PrintingError`, `BoardError`, `AuditError`."""
    # Here and not above: the other commands need not wait for reportlab and OpenCV.
    from vision.printing.sheets import PAPERS

    thing = _one_of("thing to print", arguments.thing, _THINGS)
    paper = _one_of("paper", arguments.paper, (*PAPERS, "full"))
    if thing == "ship":
        name, make = _ship(arguments.which, paper)
    elif thing == "cards":
        name, make = _cards(arguments.which, paper)
    elif thing in ("tags", "islands"):
        name, make = _of_an_open_table(thing, paper, arguments)
    else:
        name, make = _of_a_board(thing, paper, arguments)
    path = _pdf_path(arguments.output or f"{name}-{paper}.pdf")
    data, what = make()
    write_file(path, data)
    print(f"{path}: {what}.")
    print("Print at 100 % (never 'fit to page'); the ruler on it must measure 100 mm.")
    return 0


def _ship(ship_name: str | None, paper: str) -> tuple[str, Printed]:
    """Return what to call the card of a ship and how to make it. Raises `PrintingError`."""
    from companion.cli.ship import find_ship
    from companion.rules.pirate_wars.built.charts import charts
    from companion.rules.pirate_wars.built.design import violations
    from vision.printing.ship_card import ship_card_pdf

    if ship_name is None:
        raise PrintingError("say which ship: quarterdeck print ship NAME, or a file of your own")
    ship = find_ship(ship_name)
    faults = [v.reason for v in violations(ship) if v.rule == "PWR-98"]
    if faults:
        raise PrintingError(f"{ship.title} cannot be built: {' '.join(faults)}")
    return f"{ship.id}-card", lambda: (
        ship_card_pdf(ship, charts(), paper),
        f"the card of {ship.title} on {paper}",
    )


def _cards(file: str | None, paper: str) -> tuple[str, Printed]:
    """Return what to call the cards of Privateer and how to make them. Raises `CardError`."""
    from companion.cards.files import builtin_text, read_cards
    from companion.cli.files import read_file
    from companion.rules.privateer.deck_reading import read_deck
    from vision.printing.cards import cards_pdf

    text = builtin_text("privateer-house") if file is None else read_file(Path(file))
    deck = read_cards(text, read_deck)
    return f"{deck.id}-cards", lambda: (cards_pdf(deck, paper), f"{deck.title}, cards on {paper}")


def _of_an_open_table(thing: str, paper: str, arguments: argparse.Namespace) -> tuple[str, Printed]:
    """Return what to call a game's tags or islands and how to make them."""
    from companion.cli.demo import read_options
    from companion.cli.pieces import islands_of, read_numbers, ships_of, unnamed
    from vision.printing.tags import islands_pdf, tags_pdf

    name = arguments.profile if arguments.profile != _BOARD else _OPEN_TABLE
    tags = load_profile(name).tags
    if tags is None:
        raise PrintingError(f"the pieces of {name!r} stand on cells and bear no tags")
    if thing == "tags" and arguments.numbers:
        pieces = unnamed(read_numbers(arguments.numbers))
    elif arguments.game is None:
        raise PrintingError("say whose: --game pirates-csg or --game pirate-wars (--numbers: tags)")
    else:
        find = islands_of if thing == "islands" else ships_of
        pieces = find(arguments.game, arguments.players, read_options(arguments.option))
    if thing == "islands":
        return "islands", lambda: (islands_pdf(tags, pieces, paper), f"islands on {paper}")
    return "tags", lambda: (tags_pdf(tags, pieces, paper), f"{len(pieces)} tags on {paper}")


def _of_a_board(thing: str, paper: str, arguments: argparse.Namespace) -> tuple[str, Printed]:
    """Return what to call a board, its markers or coins and how to make them."""
    from vision.printing.pdf import board_pdf, coins_pdf, markers_pdf, tiling
    from vision.printing.styles import STYLES

    style = _one_of("style", arguments.style, STYLES)
    profile = load_profile(arguments.profile)

    def board() -> tuple[bytes, str]:
        tiles = tiling(profile, paper)
        what = (
            f"one sheet of {tiles.page_mm[0]:.0f} x {tiles.page_mm[1]:.0f} mm"
            if tiles.pages == 1
            else f"{tiles.pages} sheets of {paper}, {tiles.columns} across and {tiles.rows} down"
        )
        return board_pdf(profile, STYLES[style], paper), what

    def markers() -> tuple[bytes, str]:
        return markers_pdf(profile, paper), f"{len(profile.markers)} markers on {paper}"

    def coins() -> tuple[bytes, str]:
        return coins_pdf(paper), f"coins of two piecepacks on {paper}"

    name = thing if thing == "coins" else f"{profile.id}-{thing}"
    return name, {"board": board, "markers": markers, "coins": coins}[thing]


def _one_of(name: str, word: str, known: Iterable[str]) -> str:
    """Return the known word that was meant, whatever its case; `PrintingError` otherwise."""
    words = list(known)
    if word.lower() in words:
        return word.lower()
    raise PrintingError(f"{word!r} is no {name}; {meant_of(word.lower(), words, 'there are')}.")


def _pdf_path(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() != ".pdf":
        raise PrintingError(f"only PDF files are written: call it {path.with_suffix('.pdf').name}")
    if not path.parent.is_dir():
        raise PrintingError(f"there is no folder {path.parent} to write {path.name} into")
    return path
