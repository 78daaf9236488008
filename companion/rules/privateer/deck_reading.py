"""A deck from the plain values of its file. Every fault is told with the key it is at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.cards.reading import (
    check_game,
    read_items,
    read_keys,
    read_number,
    read_text,
    read_word,
)
from companion.errors import CardError
from companion.rules.layout import Cell
from companion.rules.privateer.deck import (
    COLOURS,
    GOAL,
    MOST_SQUARES,
    BountyCard,
    CaptainCard,
    Deck,
    Port,
    PortCard,
    Sea,
    Track,
)
from companion.rules.privateer.effect_reading import (
    ROLLED,
    read_effects,
)
from companion.rules.privateer.effects import CHOICE, GOODS, TRACKS

MOST_SILVER = 99
FEWEST_CAPTAINS = 12
"""Two to draw for each of six players (PRV-10)."""
WORST_INFAMY = -5


def read_deck(data: Mapping[str, Any], source: object = None) -> Deck:
    """Return the deck a file describes (`docs/cards.md`). Raises `CardError`."""
    check_game(data, "Privateer")
    wanted = ("id", "title", "notice", "start_silver", "stock", "ship", "sea", "port", "captain")
    top = read_keys(data, "", (*wanted, "port_card", "bounty"))
    sea = _sea(top["sea"])
    ports = tuple(_port(v, f"port[{i}]", sea) for i, v in read_items(top["port"], "port"))
    _check_ports(ports, sea)
    port_ids = [port.id for port in ports]
    deck = Deck(
        id=read_text(top["id"], "id"),
        title=read_text(top["title"], "title"),
        notice=read_text(top["notice"], "notice"),
        start_silver=read_number(top["start_silver"], "start_silver", range(MOST_SILVER + 1)),
        stock=_by_word(top["stock"], "stock", GOODS, range(MOST_SILVER + 1)),
        tracks=tuple(_track(top["ship"], name) for name in _all_tracks(top["ship"])),
        sea=sea,
        ports=ports,
        captains=tuple(
            _captain(v, f"captain[{i}]") for i, v in read_items(top["captain"], "captain")
        ),
        port_cards=tuple(
            _port_card(v, f"port_card[{i}]") for i, v in read_items(top["port_card"], "port_card")
        ),
        bounty=tuple(
            _bounty(v, f"bounty[{i}]", port_ids) for i, v in read_items(top["bounty"], "bounty")
        ),
        source=data if source is None else source,
    )
    _check_cards(deck)
    _check_course(deck)
    return deck


def _numbers(value: Any, path: str, allowed: range) -> tuple[int, ...]:
    if not isinstance(value, list):
        raise CardError(path, f"must be a list of whole numbers, not {value!r}")
    return tuple(read_number(v, path, allowed) for v in value)


def _by_word(value: Any, path: str, words: tuple[str, ...], allowed: range) -> tuple[int, ...]:
    """Return a number for every word; 0 where the table names none."""
    data = read_keys(value, path, (), words)
    return tuple(read_number(data.get(w, 0), f"{path}.{w}", allowed) for w in words)


def _cell(value: Any, path: str, width: int, height: int) -> Cell:
    numbers = _numbers(value, path, range(MOST_SQUARES))
    if len(numbers) != 2 or numbers[0] >= width or numbers[1] >= height:
        raise CardError(path, f"must be a square [column, row] of the sea, not {value!r}")
    return numbers[0], numbers[1]


def _cells(value: Any, path: str, width: int, height: int) -> list[Cell]:
    if not isinstance(value, list):
        raise CardError(path, f"must be a list of squares, not {value!r}")
    return [_cell(v, f"{path}[{i}]", width, height) for i, v in enumerate(value)]


def _sea(value: Any) -> Sea:
    data = read_keys(value, "sea", ("width", "height", "land", "merchants"))
    width = read_number(data["width"], "sea.width", range(2, MOST_SQUARES + 1))
    height = read_number(data["height"], "sea.height", range(2, MOST_SQUARES + 1))
    land = frozenset(_cells(data["land"], "sea.land", width, height))
    merchants = sorted(_cells(data["merchants"], "sea.merchants", width, height))
    if land & {*merchants}:
        raise CardError("sea.merchants", f"{list(min(land & {*merchants}))} is land")
    if len(set(merchants)) < len(merchants):
        raise CardError("sea.merchants", "a square is named twice")
    return Sea(width, height, land, tuple(merchants))


def _port(value: Any, path: str, sea: Sea) -> Port:
    data = read_keys(value, path, ("id", "title", "colour", "cargo", "face", "cell"))
    cell = _cell(data["cell"], f"{path}.cell", sea.width, sea.height)
    if cell not in sea.cells or cell in sea.merchant_cells:
        raise CardError(f"{path}.cell", f"{list(cell)} is land or a merchant's square")
    return Port(
        id=read_text(data["id"], f"{path}.id"),
        title=read_text(data["title"], f"{path}.title"),
        colour=read_word(data["colour"], f"{path}.colour", COLOURS),
        good=read_word(data["cargo"], f"{path}.cargo", GOODS),
        face=read_number(data["face"], f"{path}.face", range(6)),
        cell=cell,
    )


def _check_ports(ports: tuple[Port, ...], sea: Sea) -> None:
    if len(ports) != len(COLOURS):
        raise CardError("port", f"there are {len(COLOURS)} ports, not {len(ports)}")
    for name in ("id", "title", "colour", "good", "face", "cell"):
        seen: list[object] = []
        for i, port in enumerate(ports):
            value, said = getattr(port, name), "cargo" if name == "good" else name
            if value in seen:
                raise CardError(f"port[{i}].{said}", f"every port has its own {said}")
            seen.append(value)
    for i, port in enumerate(ports):
        if port.id in (CHOICE, ROLLED):
            raise CardError(f"port[{i}].id", f"no port can be called {port.id!r}")
    known, new = {ports[0].cell}, [ports[0].cell]
    while new:
        near = sea.around[new.pop()]
        fresh = [c for c in near if c is not None and c not in known]
        known.update(fresh)
        new.extend(fresh)
    for i, port in enumerate(ports):
        if port.cell not in known:
            raise CardError(f"port[{i}].cell", f"no ship can sail there from {ports[0].title}")


def _all_tracks(value: Any) -> tuple[str, ...]:
    read_keys(value, "ship", TRACKS)
    return TRACKS


def _track(ship: Mapping[str, Any], name: str) -> Track:
    path = f"ship.{name}"
    data = read_keys(ship[name], path, ("prices", "values"))
    prices = _numbers(data["prices"], f"{path}.prices", range(MOST_SILVER + 1))
    values = _numbers(data["values"], f"{path}.values", range(MOST_SILVER + 1))
    if not prices or len(values) != len(prices) + 1:
        raise CardError(path, "a track has one value more than prices: what it is worth at first")
    if list(values) != sorted(values):
        raise CardError(f"{path}.values", f"no step makes a ship worse: {list(values)}")
    return Track(prices, values)


def _captain(value: Any, path: str) -> CaptainCard:
    data = read_keys(value, path, ("id", "title", "text", "steps"))
    steps = _by_word(data["steps"], f"{path}.steps", TRACKS, range(10))
    return CaptainCard(
        read_text(data["id"], f"{path}.id"),
        read_text(data["title"], f"{path}.title"),
        read_text(data["text"], f"{path}.text"),
        steps,
    )


def _port_card(value: Any, path: str) -> PortCard:
    data = read_keys(value, path, ("id", "title", "sells", "buys"))
    sells, buys = _prices(data["sells"], f"{path}.sells"), _prices(data["buys"], f"{path}.buys")
    for good, price, gain in zip(GOODS, sells, buys, strict=True):
        if price is not None and gain is not None:
            raise CardError(f"{path}.buys", f"a port never buys what it sells: {good}")
    id_, title = read_text(data["id"], f"{path}.id"), read_text(data["title"], f"{path}.title")
    return PortCard(id_, title, sells, buys)


def _prices(value: Any, path: str) -> tuple[int | None, ...]:
    data = read_keys(value, path, (), GOODS)
    allowed = range(1, MOST_SILVER + 1)
    return tuple(read_number(data[g], f"{path}.{g}", allowed) if g in data else None for g in GOODS)


def _bounty(value: Any, path: str, ports: list[str]) -> BountyCard:
    data = read_keys(
        value, path, ("id", "title", "text", "kind"), ("infamy", "bonus", "turn", "draw")
    )
    is_relic = read_word(data["kind"], f"{path}.kind", ("relic", "fortune")) == "relic"
    for name in ("infamy", "bonus", "turn"):
        if not is_relic and name in data:
            raise CardError(f"{path}.{name}", "only a relic stays and has that")
    return BountyCard(
        id=read_text(data["id"], f"{path}.id"),
        title=read_text(data["title"], f"{path}.title"),
        text=read_text(data["text"], f"{path}.text"),
        is_relic=is_relic,
        infamy=read_number(data.get("infamy", 0), f"{path}.infamy", range(WORST_INFAMY, 11)),
        bonus=_by_word(data.get("bonus", {}), f"{path}.bonus", TRACKS, range(-5, 11)),
        turn=read_effects(data.get("turn", []), f"{path}.turn", ports),
        draw=read_effects(data.get("draw", []), f"{path}.draw", ports),
    )


def _check_cards(deck: Deck) -> None:
    piles: list[tuple[str, Any]] = [
        ("captain", deck.captains),
        ("port_card", deck.port_cards),
        ("bounty", deck.bounty),
    ]
    for name, cards in piles:
        seen: set[str] = set()
        for i, card in enumerate(cards):
            if card.id in seen:
                raise CardError(f"{name}[{i}].id", f"there are two cards {card.id!r}")
            seen.add(card.id)
    titles = [card.title for _, cards in piles for card in cards]
    for title in titles:
        if titles.count(title) > 1:
            raise CardError("", f"two cards have the title {title!r}; people could not tell them")
    if len(deck.captains) < FEWEST_CAPTAINS:
        raise CardError("captain", f"six players draw two each: {FEWEST_CAPTAINS} are needed")
    if len(deck.port_cards) < len(deck.ports):
        raise CardError("port_card", f"each of {len(deck.ports)} ports needs one")
    for i, captain in enumerate(deck.captains):
        if any(s > n for s, n in zip(captain.steps, deck.lengths, strict=True)):
            raise CardError(f"captain[{i}].steps", "a track of the ship is not so long")


def _check_course(deck: Deck) -> None:
    """Refuse a deck with which a game would stand still, or never end (PRV-68, PRV-69)."""
    if all(card.is_relic for card in deck.bounty):
        raise CardError("bounty", "a fortune is needed: relics stay, and each turn draws a card")
    tracks = sum(length + 2 for length in deck.lengths)
    relics = sum(max(card.infamy, 0) for card in deck.bounty)
    if tracks + relics < GOAL:
        reason = f"nobody could win: the tracks give {tracks} Infamy at most, the relics {relics}"
        raise CardError("ship", f"{reason}; it takes {GOAL}")
