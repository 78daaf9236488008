"""``quarterdeck ship``: ships of PirateWars, the models' and one's own, checked and built."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from companion.cli.files import read_file
from companion.errors import MalformedAction, meant
from companion.files import write_file
from companion.rules.pirate_wars.built.charts import charts
from companion.rules.pirate_wars.built.design import BuildRules, sails_for, violations
from companion.rules.pirate_wars.built.rigging import rig
from companion.rules.pirate_wars.built.ship_card import ShipCard, ship_card
from companion.rules.pirate_wars.built.ship_files import parse_ship, ship_toml
from companion.rules.pirate_wars.built.ship_reading import read_design, stock_ships, write_design
from companion.rules.pirate_wars.built.ships import HULLS, MOUNTS, SAIL_LOSS, ShipDesign
from companion.rules.pirate_wars.built.violations import Violation
from companion.rules.words import counted

NOTES = """\
quarterdeck ship                       lists the ships of the models
quarterdeck ship NAME                  shows one of them
quarterdeck ship FILE.toml             checks a ship of your own; status 1 if it may not be built
quarterdeck ship new sloop.toml --hull 8 --length 32 --speed 60 --cannons 2 --extras pirate=8
                                       builds one and writes its file, to be changed by hand
quarterdeck print ship NAME|FILE.toml  prints its reference card"""


def add_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``ship``."""
    parser = commands.add_parser(
        "ship",
        help="PirateWars: check, show and build ships",
        description="Ships of PirateWars, the models' and your own.",
        epilog=NOTES,
    )
    parser.add_argument("ship", nargs="?", metavar="NAME|FILE|new", help="which ship")
    parser.add_argument("file", nargs="?", metavar="FILE.toml", help="file of a new ship")
    parser.add_argument("--oversailing", action="store_true", help="play with PWR-111")
    parser.add_argument("--overloading", action="store_true", help="play with PWR-112")
    parser.add_argument("--stern-chasers", action="store_true", help="with cannons astern")
    built = parser.add_argument_group("a new ship")
    built.add_argument("--title", default="", help="its name (default: that of the file)")
    built.add_argument("--side", default="pirate", help="pirate or imperial (default: pirate)")
    built.add_argument("--hull", type=int, default=12, help="8 or 12 dots wide (default: 12)")
    built.add_argument("--length", type=int, default=48, help="24 to 80 dots (default: 48)")
    built.add_argument("--speed", type=int, default=64, help="wished for, dots (default: 64)")
    built.add_argument("--gaff", action="store_true", help="gaff sails on the main masts")
    built.add_argument("--cannons", type=int, default=0, help="how many (default: 0)")
    built.add_argument("--mount", default="slide", help=f"{', '.join(MOUNTS)} (default: slide)")
    built.add_argument("--deck-guns", type=int, default=0, help="at the bow (default: 0)")
    built.add_argument("--cargo", type=int, default=0, help="chests and barrels (default: 0)")
    built.add_argument(
        "--extras", action="append", default=[], metavar="KIND=COUNT", help="more figures"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """List, show, check or build. Raises `MalformedAction` on what is no ship."""
    if arguments.ship is None:
        _list_models()
        return 0
    rules = BuildRules(arguments.oversailing, arguments.overloading, arguments.stern_chasers)
    if arguments.ship == "new":
        return _build(arguments, rules)
    ship = find_ship(arguments.ship)
    found = violations(ship, rules)
    is_model = ship == stock_ships().get(ship.id)
    _show(ship, found)
    if is_model and found:
        print("This is a model of the game and sails all the same.")
    return 1 if found and not is_model else 0


def find_ship(text: str) -> ShipDesign:
    """Return a model by its name or the ship of a file. Raises `MalformedAction`, `AuditError`."""
    if text in stock_ships():
        return stock_ships()[text]
    if not text.endswith(".toml"):
        hint = meant(text, stock_ships()) or f"they are: {', '.join(stock_ships())}."
        raise MalformedAction(f"no model is called {text!r}; {hint} A ship's file ends in .toml.")
    return parse_ship(read_file(Path(text)))


def _list_models() -> None:
    for ship in stock_ships().values():
        print(
            f"{ship.id:24} {ship.title}: HF {ship.hull_factor}, SF {ship.sail_factor},"
            f" {ship.speed} dots, {ship.crew_size} figures, "
            f"{counted(len(ship.cannons), 'cannon', 'cannons')}"
        )


def _show(ship: ShipDesign, found: Iterable[Violation]) -> None:
    faults = list(found)
    if not any(fault.rule == "PWR-98" for fault in faults):
        print(card_text(ship_card(ship, charts())))
    for fault in faults:
        print(f"{fault.rule}: {fault.reason}")
    if not faults:
        print("It may be built.")


def card_text(card: ShipCard) -> str:
    """Return a card as lines of text."""
    chart = " ".join(f"{r.factor}{r.speed}" if r.speed is not None else r.factor for r in card.rows)
    mounts = Counter(card.cannons)
    lines = [
        card.title,
        card.subtitle,
        *(f"  {name:12} {value}" for name, value in card.numbers),
        f"  {'Damage':12} {chart}",
        f"  {'Masts':12} {'; '.join(card.masts)}",
        f"  {'Crew':12} {', '.join(f'{count} {title}' for title, count in card.crew)}",
    ]
    if mounts:
        words = ", ".join(f"{count} {mount}" for mount, count in mounts.items())
        lines.append(f"  {'Cannons':12} {words}")
    return "\n".join(lines)


def _build(arguments: argparse.Namespace, rules: BuildRules) -> int:
    if arguments.file is None or not arguments.file.endswith(".toml"):
        raise MalformedAction("say where the new ship goes: quarterdeck ship new sloop.toml")
    path = Path(arguments.file)
    if path.exists():
        raise MalformedAction(f"{path} is there, and may be changed by hand: name another file")
    ship = _from_parts(arguments, path.stem)
    found = violations(ship, rules)
    write_file(path, ship_toml(ship))
    _show(ship, found)
    print(f"Written to {path}; print its card with: quarterdeck print ship {path}")
    return 1 if found else 0


def _from_parts(arguments: argparse.Namespace, name: str) -> ShipDesign:
    """Return the ship the options describe; masts and places of cannons are reckoned."""
    factor = arguments.length // 8
    if arguments.hull not in HULLS or factor not in SAIL_LOSS or arguments.length % 8:
        raise MalformedAction(
            "a hull is 8 or 12 dots wide and 24 to 80 long in steps of 8, not"
            f" {arguments.hull} and {arguments.length} (PWR-98)"
        )
    sails = sails_for(factor, arguments.speed)
    bare = ShipDesign(
        name,
        arguments.title or name.replace("-", " ").title(),
        arguments.side,
        arguments.hull,
        arguments.length,
        rig(arguments.hull, sails, gaff=arguments.gaff),
    )
    return read_design(
        write_design(bare)
        | {
            "cannon": _cannons(arguments.cannons, arguments.mount, arguments.length),
            "deck_guns": arguments.deck_guns,
            "cargo": arguments.cargo,
            "extras": dict(map(_group, arguments.extras)),
        }
    )


def _cannons(count: int, mount: str, length: int) -> list[dict[str, object]]:
    """Spread cannons along the keel; fixed ones stand back to back."""
    sides = MOUNTS.get(mount, ("port",))
    a_place = 2 if mount == "fixed" else 1
    places = -(-count // a_place)
    room = length * 2 / 3
    return [
        {
            "mount": mount,
            "side": sides[n % a_place],
            "at": round(room / 2 - room * (n // a_place + 0.5) / places, 1),
        }
        for n in range(count)
    ]


def _group(text: str) -> tuple[str, int]:
    name, _, count = text.partition("=")
    if not count.isdecimal():
        raise MalformedAction(f"extra figures are written KIND=COUNT, e.g. pirate=8, not {text!r}")
    return name, int(count)
