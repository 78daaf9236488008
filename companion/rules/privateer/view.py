"""How a game looks: layout, seats, result, and actions in words. Purses are their owners' alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from companion.rules.deeds import Deed, Roll
from companion.rules.game import (
    CHANCE,
    GameOver,
    Outcome,
    Pending,
    PlayerId,
)
from companion.rules.layout import Cell, CellContent, Layout, make_layout
from companion.rules.privateer import details
from companion.rules.privateer.actions import (
    Accept,
    Anchor,
    Attack,
    Buy,
    ChooseColour,
    Decline,
    Discard,
    DrawCard,
    DrawPortCard,
    Gain,
    KeepCaptain,
    Leave,
    Offer,
    Plunder,
    Rob,
    Sail,
    Sell,
    SetWind,
    Take,
    TakeRelic,
    Upgrade,
)
from companion.rules.privateer.deck import GOAL
from companion.rules.privateer.effects import GOOD, GOODS, HOLD, TRACKS
from companion.rules.privateer.sailing import costs_from
from companion.rules.privateer.state import (
    NOWHERE,
    Answering,
    Offering,
    Outfitting,
    Plundering,
    RollingGoods,
    Sailing,
    Seat,
    Stage,
    State,
    WonPrize,
    champion,
    infamy,
    rank_value,
)
from companion.rules.privateer.trading import card_here, step_price
from companion.rules.privateer.words import (
    TRACK_NAMES,
    WIND_NAMES,
    begins_with,
    goods_listed,
    moves_text,
    place,
    who,
)
from companion.rules.views import SeatView, View, Weather
from companion.rules.words import capital, counted, listed

WIND_FROM_DEG = {"N": 180.0, "E": 270.0, "S": 0.0, "W": 90.0}
"""Where a wind comes from that blows to a side of the board (north is its top)."""


def layout(state: State) -> Layout:
    """Return the ship of every captain at its square; several may share one (PRV-36)."""
    ships: defaultdict[Cell, list[str]] = defaultdict(list)
    for seat in state.seats:
        if seat.cell != NOWHERE:
            ships[seat.cell].append(seat.colour)
    return make_layout({cell: CellContent(tuple(sorted(c))) for cell, c in ships.items()})


def view(state: State, viewer: PlayerId | None, phase: str) -> View:
    """Return what a viewer may know: everything that lies open, and the own purse."""
    seats = tuple(_seat_view(state, PlayerId(p)) for p in range(len(state.seats)))
    notes = tuple(_notes(state))
    own = details.own(state, viewer)
    return View(phase, state.round, seats, notes, weather(state), details.details(state), own)


def _seat_view(state: State, player: PlayerId) -> SeatView:
    seat, deck = state.seats[player], state.deck
    scores = {"infamy": infamy(deck, seat)}
    scores |= {track: rank_value(deck, seat, i) for i, track in enumerate(TRACKS)}
    scores |= {"goods": sum(seat.cargo), "relics": len(seat.relics)}
    colours = (seat.colour,) if seat.colour else ()
    return SeatView(player, state.names[player], colours, scores, int(seat.cell != NOWHERE))


def weather(state: State) -> Weather:
    """Return the wind as the compass shows it."""
    text = WIND_NAMES[state.wind]
    return Weather(WIND_FROM_DEG.get(state.wind), text=capital(text))


def _notes(state: State) -> Iterator[str]:
    deck = state.deck
    for player, seat in enumerate(state.seats):
        if seat.captain:
            yield _board_note(state, player, seat)
    for port, slot in zip(deck.ports, state.slots, strict=True):
        if slot:
            card = deck.port_card[slot]
            yield f"{port.title} sells {_priced(card.sells)}; buys {_priced(card.buys)}"
    yield f"In the bank: {goods_listed(state.bank)}"
    bounty = counted(len(state.bounty_pile), "bounty card", "bounty cards")
    yield f"To draw: {bounty}, {counted(len(state.port_pile), 'port card', 'port cards')}"


def _board_note(state: State, player: int, seat: Seat) -> str:
    deck = state.deck
    ranks = listed(f"{TRACK_NAMES[t]} {rank}" for t, rank in zip(TRACKS, seat.ranks, strict=True))
    parts = [f"{who(state, player)} as {deck.captain[seat.captain].title}: {ranks}"]
    parts.append(f"cargo {goods_listed(seat.cargo)} (space for {rank_value(deck, seat, HOLD)})")
    if seat.relics:
        parts.append(f"relics {listed(deck.bounty_card[r].title for r in seat.relics)}")
    return "; ".join(parts)


def _priced(prices: tuple[int | None, ...]) -> str:
    named = [f"{good} at {p}" for good, p in zip(GOODS, prices, strict=True) if p is not None]
    return listed(named) or "nothing"


def outcome(state: State) -> Outcome:
    """Return the result of a finished game: the winner, then by Infamy (PRV-65 to PRV-68)."""
    points = [infamy(state.deck, seat) for seat in state.seats]
    winner = champion(state)
    places: dict[tuple[bool, int], list[PlayerId]] = {}
    for player, score in enumerate(points):
        places.setdefault((player == winner, score), []).append(PlayerId(player))
    placing = tuple(tuple(places[merit]) for merit in sorted(places, reverse=True))
    if winner is None:
        over = counted(state.options.round_cap, "round is", "rounds are")
        return Outcome(f"{over} over; most Infamy wins", "PRV-68", placing)
    return Outcome(f"{who(state, winner)} is first to reach {GOAL} Infamy", "PRV-65", placing)


def describe(state: State, action: Deed, asked: Pending) -> str:
    """Name an action in plain words; never what a purse holds."""
    if action.player == CHANCE:
        roller = state.turn if isinstance(asked, GameOver) else asked.player
        return f"{who(state, roller)} {_chance(state, action)}"
    for kinds in (_in_setup, _at_sea, _in_port, _with_cards):
        text = kinds(state, action)
        if text:
            return f"{who(state, action.player)}: {text}"
    return f"{who(state, action.player)}: {type(action).name}"


def printed(state: State, action: Deed) -> str:
    """Return what a captain card gives, or in which port a ship begins; else ``""``."""
    match action:
        case KeepCaptain(captain=captain):
            card = state.deck.captain[captain]
            return f"{begins_with(card)} {card.text}".strip()
        case ChooseColour(colour=colour):
            port = next(port for port in state.deck.ports if port.colour == colour)
            return f"Begins in {port.title}."
    return ""


def _in_setup(state: State, action: Deed) -> str:
    match action:
        case KeepCaptain(captain=captain):
            card = state.deck.captain.get(captain)
            return f"keep {card.title}" if card else f"keep {captain}"
        case ChooseColour(colour=colour):
            return f"sail the {colour} ship"
    return ""


def _at_sea(state: State, action: Deed) -> str:
    match action:
        case Sail(player=player, cell=cell):
            return _sail_text(state, player, cell)
        case Attack(foe=foe):
            return f"fight {who(state, foe)}"
        case Plunder():
            return "plunder the merchant"
        case Take(foe=foe, good=good):
            return f"take 1 {good} from {who(state, foe)}"
    return ""


def _sail_text(state: State, player: PlayerId, cell: Cell) -> str:
    start = state.seats[player].cell if 0 <= player < len(state.seats) else NOWHERE
    if cell == start:
        return f"stay at {place(cell)}"
    text = f"sail to {place(cell)}"
    port = state.deck.port_at.get(cell)
    if port is not None:
        text += f", {state.deck.ports[port].title}"
    elif cell in state.deck.sea.merchant_cells:
        text += ", a merchant"
    # A record may name a ship that does not lie on the sea yet: nothing can be reckoned from there.
    if not isinstance(state.stage, Sailing) or start == NOWHERE:
        return text
    cost = costs_from(state.deck.sea, start, state.wind).get(cell)
    return text if cost is None else f"{text}, for {moves_text(cost)}"


def _in_port(state: State, action: Deed) -> str:
    match action:
        case Buy(good=good, count=count):
            return f"buy {count} {good}{_cost(state, True, good, count)}"
        case Sell(good=good, count=count):
            return f"sell {count} {good}{_cost(state, False, good, count)}"
        case Upgrade(track=track):
            price = step_price(state, track) if track in TRACKS else None
            name = TRACK_NAMES.get(track, track)
            return f"upgrade {name}" + (f" for {price} silver" if price is not None else "")
        case Leave():
            outfits = isinstance(state.stage, Outfitting)
            return "finish outfitting" if outfits else "leave the port"
    return ""


def _cost(state: State, is_bought: bool, good: str, count: int) -> str:
    if not state.seat.colour or not state.slots[state.seat.last] or good not in GOOD:
        return ""
    card = card_here(state)
    price = (card.sells if is_bought else card.buys)[GOOD[good]]
    return f" for {price * count} silver" if price is not None else ""


def _with_cards(state: State, action: Deed) -> str:
    match action:
        case SetWind(wind=wind):
            return WIND_NAMES.get(wind, wind)
        case Gain(good=good):
            return f"take 1 {good} from the bank"
        case Discard(good=good):
            return f"give 1 {good} to the bank"
        case TakeRelic(foe=foe, relic=relic):
            card = state.deck.bounty_card.get(relic)
            return f"take {card.title if card else relic} from {who(state, foe)}"
        case Rob(foe=foe):
            return f"take silver from {who(state, foe)}"
    return _answer(state, action)


def _answer(state: State, action: Deed) -> str:
    match action:
        case Offer(foe=foe, give=give, get=get):
            return f"offer {who(state, foe)} 1 {give} for 1 {get}"
        case Accept():
            return "accept the trade"
        case Anchor(port=port):
            number = state.deck.port_of_id.get(port)
            return f"go to {state.deck.ports[number].title if number is not None else port}"
        case Decline():
            return DECLINED.get(type(state.stage), "decline")
    return ""


DECLINED: dict[type[Stage], str] = {
    WonPrize: "let the merchant go",
    Plundering: "plunder nothing",
    Offering: "offer nothing",
    Answering: "refuse the trade",
}


def _chance(state: State, action: Deed) -> str:
    deck = state.deck
    match action:
        case DrawPortCard(card=card):
            known = deck.port_card.get(card)
            port = deck.ports[state.slots.index("")].title if "" in state.slots else "a port"
            return f"draws {known.title if known else card} for {port}"
        case DrawCard(card=card):
            bounty = deck.bounty_card.get(card)
            return f"draws {bounty.title if bounty else card}"
        case Roll(dice=dice):
            return f"rolls {_dice_text(state, tuple((d.kind, d.face) for d in dice))}"
    return type(action).name


def _dice_text(state: State, dice: tuple[tuple[str, int], ...]) -> str:
    ports = state.deck.port_of_face
    shown = [
        _colour_text(state, face) if kind == "colour" and face in ports else str(face)
        for kind, face in dice
    ]
    return listed(shown)


def _colour_text(state: State, face: int) -> str:
    port = state.deck.ports[state.deck.port_of_face[face]]
    return f"{port.good} ({port.title})" if isinstance(state.stage, RollingGoods) else port.title
