"""A deck from the plain values of its file. Every fault is told with the key it is at."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from math import hypot
from typing import Any

from companion.cards.reading import (
    check_game,
    read_flag,
    read_items,
    read_keys,
    read_number,
    read_table,
    read_text,
    read_word,
)
from companion.errors import CardError
from companion.rules.outlines import is_convex
from companion.rules.pirates_csg.deck import (
    ABILITIES,
    COLOURS,
    FIRST_SHIP_TAG,
    LONG,
    MOST_SHIPS,
    SHORT,
    WITH_AMOUNT,
    Ability,
    Cannon,
    CrewCard,
    Deck,
    FortCard,
    Nation,
    ReadyFleet,
    ShipCard,
    TreasureCard,
)
from companion.rules.plane import Outline

_CANNON = re.compile(r"([1-6])([SL])")
_CARD = ("id", "title", "nation", "cost")
BUILD_POINTS = 40
"""What a ready-made fleet may cost at most (CSG-37)."""
MOST_COST, MOST_MASTS, MOST_SEGMENTS, MOST_CARGO = 60, 10, 4, 12
Words = Collection[str]


def read_deck(data: Mapping[str, Any], source: object = None) -> Deck:
    """Return the deck a file describes (`docs/cards.md`). Raises `CardError`."""
    check_game(data, "Pirates CSG")
    tables = ("nation", "hull", "island", "ship", "crew", "fort", "fleet")
    top = read_keys(data, "", ("id", "title", "notice", *tables), ("treasure",))
    nations = tuple(_nation(v, f"nation[{i}]") for i, v in read_items(top["nation"], "nation"))
    flags = [n.id for n in nations]
    hulls = _hulls(top["hull"])
    deck = Deck(
        id=read_text(top["id"], "id"),
        title=read_text(top["title"], "title"),
        notice=read_text(top["notice"], "notice"),
        nations=nations,
        island_mm=_outline(
            read_keys(top["island"], "island", ("outline_mm",))["outline_mm"], "island.outline_mm"
        ),
        ships=tuple(_ship(v, i, flags, hulls) for i, v in read_items(top["ship"], "ship")),
        crew=tuple(_crew(v, f"crew[{i}]", flags) for i, v in read_items(top["crew"], "crew")),
        forts=tuple(_fort(v, f"fort[{i}]", flags) for i, v in read_items(top["fort"], "fort")),
        treasures=tuple(
            _treasure(v, f"treasure[{i}]")
            for i, v in (read_items(top["treasure"], "treasure") if "treasure" in top else [])
        ),
        fleets=tuple(_fleet(v, f"fleet[{i}]") for i, v in read_items(top["fleet"], "fleet")),
        source=data if source is None else source,
    )
    _check_ids(deck)
    _check_fleets(deck)
    return deck


def _nation(value: Any, path: str) -> Nation:
    data = read_keys(value, path, ("id", "title"), ("minor",))
    minor = read_flag(data.get("minor", False), f"{path}.minor")
    name = read_text(data["id"], f"{path}.id")
    return Nation(name, read_text(data["title"], f"{path}.title"), minor)


def _hulls(value: Any) -> Mapping[int, tuple[Outline, float]]:
    """Return outline and height of the tag by the number of masts."""
    found: dict[int, tuple[Outline, float]] = {}
    for i, v in read_items(value, "hull"):
        path = f"hull[{i}]"
        data = read_keys(v, path, ("masts", "outline_mm", "tag_height_mm"))
        masts = read_number(data["masts"], f"{path}.masts", range(1, MOST_MASTS + 1))
        height = _millimetres(data["tag_height_mm"], f"{path}.tag_height_mm")
        if height < 0:
            raise CardError(f"{path}.tag_height_mm", f"must not be negative, but is {height}")
        found[masts] = _outline(data["outline_mm"], f"{path}.outline_mm"), height
    return found


def _millimetres(value: Any, path: str) -> float:
    if type(value) not in (int, float) or not abs(value) <= 400:
        raise CardError(path, f"must be millimetres, at most 400, not {value!r}")
    return float(value)


def _outline(value: Any, path: str) -> Outline:
    if not isinstance(value, list) or not all(isinstance(p, list) and len(p) == 2 for p in value):
        raise CardError(path, "must be a list of corners [x, y] in millimetres")
    outline = tuple((_millimetres(x, path), _millimetres(y, path)) for x, y in value)
    if not is_convex(outline):
        raise CardError(path, "must be a convex polygon, its corners in order and none too many")
    return outline


def _ship(
    value: Any, number: int, flags: Words, hulls: Mapping[int, tuple[Outline, float]]
) -> ShipCard:
    path = f"ship[{number}]"
    if number >= MOST_SHIPS:
        raise CardError(path, f"there are tags for {MOST_SHIPS} ships only")
    wanted = (*_CARD, "cargo", "move", "cannons")
    data = read_keys(value, path, wanted, ("text", "abilities"))
    cannons = _cannons(data["cannons"], f"{path}.cannons")
    if len(cannons) not in hulls:
        raise CardError(f"{path}.cannons", f"there is no [[hull]] with {len(cannons)} masts")
    outline, height = hulls[len(cannons)]
    return ShipCard(
        **_card(data, path, flags),
        cargo=read_number(data["cargo"], f"{path}.cargo", range(1, MOST_CARGO + 1)),
        move=_move(data["move"], f"{path}.move"),
        cannons=cannons,
        outline_mm=outline,
        height_mm=height,
        radius_mm=max(hypot(x, y) for x, y in outline),
        tag=FIRST_SHIP_TAG + number,
    )


def _card(data: Mapping[str, Any], path: str, flags: Words) -> dict[str, Any]:
    abilities = data.get("abilities", [])
    if not isinstance(abilities, list):
        raise CardError(f"{path}.abilities", f"must be a list of abilities, not {abilities!r}")
    return {
        "id": read_text(data["id"], f"{path}.id"),
        "title": read_text(data["title"], f"{path}.title"),
        "nation": read_word(data["nation"], f"{path}.nation", flags),
        "cost": read_number(data["cost"], f"{path}.cost", range(MOST_COST + 1)),
        "text": read_text(data["text"], f"{path}.text") if "text" in data else "",
        "abilities": tuple(
            _ability(v, f"{path}.abilities[{i}]", flags) for i, v in enumerate(abilities)
        ),
    }


def _ability(value: Any, path: str, flags: Words) -> Ability:
    """Return an ability, written ``"captain"`` or ``{ do = "boarding", amount = 1 }``."""
    data = {"do": value} if isinstance(value, str) else read_table(value, path)
    do = read_word(data.get("do"), f"{path}.do", ABILITIES)
    named = ("amount",) if do in WITH_AMOUNT else ()
    read_keys(data, path, ("do", *named), ("nation",) if do == "gunnery" else ())
    return Ability(
        do,
        read_number(data["amount"], f"{path}.amount", range(1, 6)) if named else 0,
        read_word(data["nation"], f"{path}.nation", flags) if "nation" in data else "",
    )


def _cannons(value: Any, path: str) -> tuple[Cannon, ...]:
    if not isinstance(value, list) or not value:
        raise CardError(path, 'must be a list of cannons, e.g. ["3S", "2L"]')
    found = [_CANNON.fullmatch(v) if isinstance(v, str) else None for v in value]
    for text, match in zip(value, found, strict=True):
        if match is None:
            raise CardError(path, f"a cannon is a rank 1 to 6 and S or L, e.g. '3S', not {text!r}")
    return tuple(Cannon(int(m[1]), m[2]) for m in found if m)


def _move(value: Any, path: str) -> tuple[str, ...]:
    parts = value.split("+") if isinstance(value, str) else []
    if not 1 <= len(parts) <= MOST_SEGMENTS or not set(parts) <= {SHORT, LONG}:
        raise CardError(path, f"a base move is written 'L' or 'S+S', not {value!r}")
    return tuple(parts)


def _crew(value: Any, path: str, flags: Words) -> CrewCard:
    data = read_keys(value, path, _CARD, ("text", "abilities", "generic"))
    generic = read_flag(data.get("generic", False), f"{path}.generic")
    return CrewCard(**_card(data, path, flags), is_generic=generic)


def _fort(value: Any, path: str, flags: Words) -> FortCard:
    data = read_keys(value, path, (*_CARD, "cannons"), ("text", "abilities"))
    return FortCard(
        **_card(data, path, flags), cannons=_cannons(data["cannons"], f"{path}.cannons")
    )


def _treasure(value: Any, path: str) -> TreasureCard:
    data = read_keys(value, path, ("id", "title", "text", "gold"))
    return TreasureCard(
        read_text(data["id"], f"{path}.id"),
        read_text(data["title"], f"{path}.title"),
        read_text(data["text"], f"{path}.text"),
        read_number(data["gold"], f"{path}.gold", range(21)),
    )


def _fleet(value: Any, path: str) -> ReadyFleet:
    data = read_keys(value, path, ("id", "title", "ships"))
    ships = read_table(data["ships"], f"{path}.ships")
    if not ships:
        raise CardError(f"{path}.ships", "a fleet has at least one ship")
    for name, crew in ships.items():
        if not isinstance(crew, list) or not all(isinstance(c, str) for c in crew):
            raise CardError(f"{path}.ships.{name}", "must be the list of her crew, or []")
    return ReadyFleet(
        read_text(data["id"], f"{path}.id"),
        read_text(data["title"], f"{path}.title"),
        tuple((name, tuple(sorted(crew))) for name, crew in ships.items()),
    )


def _check_ids(deck: Deck) -> None:
    """Demand that no two cards have the same id or the same title."""
    cards: Mapping[str, Iterable[Any]] = {
        "ship": deck.ships,
        "crew": deck.crew,
        "fort": deck.forts,
        "treasure": deck.treasures,
    }
    for field in ("id", "title"):
        known: dict[str, str] = {}
        for kind, group in cards.items():
            _check_different(kind, group, field, known)
        _check_different("nation", deck.nations, field, {})
        _check_different("fleet", deck.fleets, field, {})


def _check_different(kind: str, group: Iterable[Any], field: str, known: dict[str, str]) -> None:
    for i, card in enumerate(group):
        value = getattr(card, field)
        if value in known:
            raise CardError(f"{kind}[{i}].{field}", f"{value!r} is {known[value]}'s already")
        known[value] = f"{kind}[{i}]"


def _fills_space(card: ShipCard, crew: CrewCard) -> bool:
    """Say whether one of a crew takes a cargo space: all but oarsmen who serve there (CSG-4)."""
    serves = crew.nation == card.nation or crew.has("any_nation")
    return not (serves and crew.has("oarsman"))


def _check_fleets(deck: Deck) -> None:
    """Demand fleets that can be sailed side by side and paid for (CSG-4, CSG-32, CSG-37)."""
    if len(deck.fleets) < len(COLOURS):
        raise CardError("fleet", f"there must be {len(COLOURS)} ready fleets, one for each captain")
    taken: set[str] = set()
    for i, fleet in enumerate(deck.fleets):
        for name, crew in fleet.ships:
            path = f"fleet[{i}].ships.{name}"
            card = deck.ship[read_word(name, path, deck.ship)]
            members = [deck.crewman[read_word(c, path, deck.crewman)] for c in crew]
            if sum(c.cost for c in members) > card.cost:
                raise CardError(path, f"her crew costs more than {card.title} herself")
            unique = {name, *(c.id for c in members if not c.is_generic)}
            if unique & taken:
                raise CardError(path, f"{min(unique & taken)!r} sails in another fleet already")
            taken |= unique
            if sum(_fills_space(card, c) for c in members) > card.cargo:
                raise CardError(path, f"her crew does not fit into {card.cargo} spaces")
        cost = deck.fleet_cost(fleet)
        if cost > BUILD_POINTS:
            raise CardError(f"fleet[{i}].ships", f"costs {cost} gold; {BUILD_POINTS} are allowed")
