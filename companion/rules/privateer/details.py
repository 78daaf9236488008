"""What pages draw of a game: ship boards, port cards, the bank; and each captain's own purse.

`details` holds what lies open on the table, `own` what its captain alone may know (PRV-7). Both are
lists of named fields: what nobody wrote down here does not get out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.rules.game import PlayerId
from companion.rules.layout import cell_name
from companion.rules.privateer.actions import Buy, Upgrade
from companion.rules.privateer.deck import GOAL, PortCard
from companion.rules.privateer.effects import GOOD, GOODS, HOLD, TRACKS
from companion.rules.privateer.purse import in_coins, payment
from companion.rules.privateer.state import (
    NO_PORT,
    Outfitting,
    Seat,
    State,
    Trading,
    infamy,
    rank_value,
    track_infamy,
)
from companion.rules.privateer.trading import Deal, card_here, offered_deals, step_price
from companion.rules.privateer.words import TRACK_NAMES

Json = dict[str, Any]


def details(state: State) -> Json:
    """Return what lies open on the table."""
    deck = state.deck
    return {
        "page": "privateer",
        "goal": GOAL,
        "goods": list(GOODS),
        "deck": deck.title,
        "notice": deck.notice,
        "tracks": _tracks(state),
        "captains": [_captain(state, seat) for seat in state.seats],
        "ports": [_port(state, number) for number in range(len(deck.ports))],
        "here": _here(state),
        "merchants": [cell_name(cell) for cell in deck.sea.merchants],
        "bank": list(state.bank),
        "piles": {"bounty": len(state.bounty_pile), "port": len(state.port_pile)},
        "wind": state.wind,
    }


def _tracks(state: State) -> list[Json]:
    tracks = state.deck.tracks
    return [
        {
            "id": name,
            "title": TRACK_NAMES[name],
            "prices": list(track.prices),
            "values": list(track.values),
            "infamy": [track_infamy(state.deck, i, rank) for rank in range(len(track.values))],
        }
        for i, (name, track) in enumerate(zip(TRACKS, tracks, strict=True))
    ]


def _captain(state: State, seat: Seat) -> Json:
    deck = state.deck
    card = deck.captain.get(seat.captain)
    relics = [deck.bounty_card[relic] for relic in seat.relics]
    return {
        "title": card.title if card else "",
        "text": card.text if card else "",
        "ranks": list(seat.ranks),
        "values": [rank_value(deck, seat, track) for track in range(len(TRACKS))],
        "cargo": list(seat.cargo),
        "space": rank_value(deck, seat, HOLD),
        "relics": [{"title": r.title, "text": r.text, "infamy": r.infamy} for r in relics],
        "infamy": infamy(deck, seat),
        "last": "" if seat.last == NO_PORT else deck.ports[seat.last].title,
    }


def _port(state: State, number: int) -> Json:
    port, slot = state.deck.ports[number], state.slots[number]
    return {
        "title": port.title,
        "colour": port.colour,
        "good": port.good,
        "cell": cell_name(port.cell),
        "card": _card(state.deck.port_card[slot]) if slot else None,
    }


def _card(card: PortCard) -> Json:
    return {"title": card.title, "sells": list(card.sells), "buys": list(card.buys)}


def _here(state: State) -> int | None:
    """Return the number of the port in which the captain on turn deals now."""
    return state.seat.last if isinstance(state.stage, Outfitting | Trading) else None


def own(state: State, viewer: PlayerId | None) -> Json:
    """Return what only the viewer may know: the purse, and how to pay for what it can pay."""
    if viewer is None or not 0 <= viewer < len(state.seats):
        return {}
    silver = state.seats[viewer].silver
    purse = in_coins(silver)
    pay = {}
    if viewer == state.turn and _here(state) is not None:
        pay = {str(price): _payment(silver, price) for price in sorted(set(_prices(state)))}
    return {"silver": silver, "purse": {"gold": purse.gold, "silver": purse.silver}, "pay": pay}


def _prices(state: State) -> Iterator[int]:
    """Yield what the deals cost that the captain on turn can pay."""
    for deal in offered_deals(state):
        price = _price(state, deal)
        if price is not None:
            yield price


def _price(state: State, deal: Deal) -> int | None:
    match deal:
        case Buy(good=good, count=count):
            return count * (card_here(state).sells[GOOD[good]] or 0)
        case Upgrade(track=track):
            return step_price(state, track)
    return None


def _payment(silver: int, price: int) -> str:
    """Say which coins to give and what to take back (PRV-6)."""
    paid = payment(in_coins(silver), price)
    parts = [(paid.given.gold, "gold"), (paid.given.silver, "silver")]
    given = " and ".join(f"{count} {coin}" for count, coin in parts if count)
    change = f", take back {paid.change} silver" if paid.change else ""
    return f"pay {given or 'nothing'}{change}"
