"""In port: buying, selling, upgrading; the Infamy set-up; new port cards (PRV-17, PRV-51 to 60)."""

from __future__ import annotations

from fractions import Fraction

from companion.rules.game import CHANCE, ChanceRoll, Decision, Happening, Ruling, Step
from companion.rules.phases import Chance, TurnChoice, no, stage_of
from companion.rules.privateer.actions import Buy, DrawPortCard, Leave, Sell, Upgrade
from companion.rules.privateer.deck import PortCard
from companion.rules.privateer.dice import one_in
from companion.rules.privateer.effects import GOOD, GOODS, SORTED_GOODS, TRACKS
from companion.rules.privateer.state import (
    ChoosingColours,
    DrawingPortCards,
    Outfitting,
    State,
    Trading,
    drawable_ports,
    hold_space,
    with_seat,
)
from companion.rules.privateer.turns import Told, begin_turn, crowned, end_turn
from companion.rules.privateer.words import TRACK_NAMES, ask_deal, ask_roll, who
from companion.rules.tuples import shifted
from companion.rules.words import listed

SORTED_TRACKS = tuple(sorted(TRACKS))
Deal = Buy | Sell | Upgrade | Leave
RICH = 1_000_000
"""Silver that pays for everything on offer."""


def card_here(state: State) -> PortCard:
    """Return the port card where the captain on turn lies."""
    return state.deck.port_card[state.slots[state.seat.last]]


def port_title(state: State) -> str:
    """Name the port where the captain on turn lies."""
    return state.deck.ports[state.seat.last].title


def step_price(state: State, track: str) -> int | None:
    """Return what the next step costs the captain on turn; ``None`` at the end of the track."""
    index = TRACKS.index(track)
    prices, rank = state.deck.tracks[index].prices, state.seat.ranks[index]
    return prices[rank] if rank < len(prices) else None


class _InPort(TurnChoice[State, Deal]):
    """Any number of deals of the captain on turn, whose purse nobody else sees."""

    def actions(self, state: State) -> tuple[Deal, ...]:
        """See `offered_deals`."""
        return offered_deals(state)

    def open_actions(self, state: State) -> tuple[Deal, ...]:
        """Return the same, whatever the purse may hold."""
        return _deals(state, RICH)

    def refuse(self, state: State, action: Deal) -> Ruling | None:
        """See `refuse_deal`."""
        return refuse_deal(state, action)


class Outfit(_InPort):
    """Infamy set-up: cargo and upgrades for the first silver, in the home port (PRV-17)."""

    name, rule, takes = "outfit", "PRV-17", (Buy, Upgrade, Leave)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        what = f"outfit your ship in {port_title(state)}: buy cargo and upgrades, then finish"
        leave = Leave(state.player)
        return ask_deal(state.player, self.name, who(state, state.turn), what, leave)

    def play(self, state: State, action: Deal) -> Step[State]:
        """Buy, or hand on to the next captain; after the last the game begins."""
        if not isinstance(action, Leave):
            state, told = deal(state, action)
            return crowned(state, told) or Step(state, told)
        turn = (state.turn + 1) % len(state.seats)
        if turn != state.first:
            return Step(state._replace(turn=turn))
        return begin_turn(state, turn, round_=1)


class TradeInPort(_InPort):
    """Phase 4: any number of purchases, sales and upgrades, in any order (PRV-53)."""

    name, rule, takes = "trade", "PRV-53", (Buy, Sell, Upgrade, Leave)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        what = f"trade and upgrade in {port_title(state)}, then leave"
        leave = Leave(state.player)
        return ask_deal(state.player, self.name, who(state, state.turn), what, leave)

    def play(self, state: State, action: Deal) -> Step[State]:
        """Strike the deal; when the captain leaves, the port card may be replaced (PRV-57)."""
        stage = stage_of(state, Trading)
        if not isinstance(action, Leave):
            state, told = deal(state, action)
            renews = not isinstance(action, Upgrade) or state.options.replace_on_upgrade
            if renews and not stage.renew:
                state = state._replace(stage=Trading(renew=True))
            return crowned(state, told) or Step(state, told)
        if not stage.renew:
            return end_turn(state)
        last = state.seat.last
        slots = (*state.slots[:last], "", *state.slots[last + 1 :])
        told = (Happening(f"{port_title(state)} gets a new port card", "PRV-57"),)
        return Step(state._replace(stage=DrawingPortCards(), slots=slots), told)


def offered_deals(state: State) -> tuple[Deal, ...]:
    """Return every deal that the purse, the bank and the hold allow in this port, and leaving."""
    return _deals(state, state.seat.silver)


def _deals(state: State, silver: int) -> tuple[Deal, ...]:
    sold = () if isinstance(state.stage, Outfitting) else _sales(state)
    leave = Leave(state.player)
    return (*_purchases(state, silver), *sold, *_upgrades(state, silver), leave)


def _purchases(state: State, silver: int) -> list[Buy]:
    seat, card, player = state.seat, card_here(state), state.player
    space = hold_space(state.deck, seat)
    found = []
    for good in SORTED_GOODS:
        price = card.sells[GOOD[good]]
        if price is not None:
            most = min(space, state.bank[GOOD[good]], silver // price)
            found += [Buy(player, good, count) for count in range(1, most + 1)]
    return found


def _sales(state: State) -> list[Sell]:
    seat, card, player = state.seat, card_here(state), state.player
    return [
        Sell(player, good, count)
        for good in SORTED_GOODS
        if card.buys[GOOD[good]] is not None
        for count in range(1, seat.cargo[GOOD[good]] + 1)
    ]


def _upgrades(state: State, silver: int) -> list[Upgrade]:
    prices = [(track, step_price(state, track)) for track in SORTED_TRACKS]
    return [
        Upgrade(state.player, t) for t, price in prices if price is not None and price <= silver
    ]


def refuse_deal(state: State, action: Deal) -> Ruling | None:
    """Return why a deal cannot be struck, if it cannot. Says nothing of what a purse holds."""
    match action:
        case Buy():
            return _refuse_buy(state, action)
        case Sell():
            return _refuse_sell(state, action)
        case Upgrade():
            return _refuse_upgrade(state, action)
    return None


def _refuse_buy(state: State, action: Buy) -> Ruling | None:
    card, port = card_here(state), port_title(state)
    sold = [good for good, price in zip(GOODS, card.sells, strict=True) if price is not None]
    if action.good not in sold:
        return no("PRV-51", f"{port} sells {listed(sold, 'and') or 'nothing'} now.")
    if action.count < 1:
        return no("PRV-52", "Buy one or more.")
    index = GOOD[action.good]
    if action.count > state.bank[index]:
        rule = "PRV-17" if isinstance(state.stage, Outfitting) else "PRV-52"
        return no(rule, f"The bank has {state.bank[index]} {action.good} left.")
    space = max(hold_space(state.deck, state.seat), 0)
    if action.count > space:
        return no("PRV-52", f"The hold has space for {space} more.")
    cost = action.count * (card.sells[index] or 0)
    if cost > state.seat.silver:
        verb = "costs" if action.count == 1 else "cost"
        return no("PRV-52", f"{action.count} {action.good} {verb} {cost} silver: too much now.")
    return None


def _refuse_sell(state: State, action: Sell) -> Ruling | None:
    card, port = card_here(state), port_title(state)
    wanted = [good for good, price in zip(GOODS, card.buys, strict=True) if price is not None]
    if action.good not in wanted:
        return no("PRV-51", f"{port} buys {listed(wanted, 'and') or 'nothing'} now.")
    if action.count < 1:
        return no("PRV-52", "Sell one or more.")
    there = state.seat.cargo[GOOD[action.good]]
    if action.count > there:
        return no("PRV-52", f"You have {there} {action.good} to sell.")
    return None


def _refuse_upgrade(state: State, action: Upgrade) -> Ruling | None:
    if action.track not in TRACKS:
        names = listed(TRACK_NAMES.values(), "or")
        return no("PRV-8", f"A ship is upgraded in {names}.")
    price, name = step_price(state, action.track), TRACK_NAMES[action.track]
    if price is None:
        return no("PRV-54", f"{name} is at its last step; choose another track.")
    if price > state.seat.silver:
        return no("PRV-54", f"The next step of {name} costs {price} silver: too much now.")
    return None


def deal(state: State, action: Deal) -> tuple[State, Told]:
    """Buy, sell or upgrade, and say at which printed price."""
    match action:
        case Buy(good=good, count=count):
            price = card_here(state).sells[GOOD[good]] or 0
            return _move_goods(state, good, count, -price * count, "buys")
        case Sell(good=good, count=count):
            price = card_here(state).buys[GOOD[good]] or 0
            return _move_goods(state, good, -count, price * count, "sells")
        case Upgrade(track=track):
            return _upgrade(state, track)
    raise AssertionError(action)


def _told(state: State, text: str, rule: str, silver: int) -> Told:
    return (Happening(f"{who(state, state.turn)} {text}", rule, ((state.player, silver),)),)


def _move_goods(state: State, good: str, count: int, silver: int, verb: str) -> tuple[State, Told]:
    """Move goods from the bank to the hold (or, negative, back) and silver the other way."""
    index, seat = GOOD[good], state.seat
    cargo = shifted(seat.cargo, index, count)
    richer = seat._replace(silver=seat.silver + silver, cargo=cargo)
    state = state._replace(bank=shifted(state.bank, index, -count))
    text = f"{verb} {abs(count)} {good} for {abs(silver)} silver"
    return with_seat(state, state.turn, richer), _told(state, text, "PRV-52", silver)


def _upgrade(state: State, track: str) -> tuple[State, Told]:
    price = step_price(state, track) or 0
    index, seat = TRACKS.index(track), state.seat
    ranks = shifted(seat.ranks, index, 1)
    upgraded = seat._replace(ranks=ranks, silver=seat.silver - price)
    text = f"upgrades {TRACK_NAMES[track]} to step {ranks[index]} for {price} silver"
    return with_seat(state, state.turn, upgraded), _told(state, text, "PRV-54", -price)


class DrawPortCards(Chance[State, DrawPortCard]):
    """In the set-up, a port card for the first port that has none (PRV-11)."""

    name, rule, takes = "draw_port_card", "PRV-11", (DrawPortCard,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn; an empty pile must be shuffled first (PRV-60)."""
        title = state.deck.ports[state.slots.index("")].title
        what = f"draw a port card for {title}"
        if not state.port_pile:
            what = f"shuffle the discarded port cards and draw one for {title}"
        return ask_roll(state.player, self.name, who(state, state.turn), what)

    def odds(self, state: State) -> tuple[tuple[DrawPortCard, Fraction], ...]:
        """Every card in the pile is equally likely."""
        cards = drawable_ports(state)
        p = one_in(len(cards))
        return tuple([(DrawPortCard(CHANCE, card), p) for card in cards])

    def refuse(self, state: State, action: DrawPortCard) -> Ruling | None:
        """Refuse a card that is not in the pile."""
        if action.card in drawable_ports(state):
            return None
        card = state.deck.port_card.get(action.card)
        name = repr(card.title) if card else f"{action.card!r}"
        rule = rule_of_draw(state)
        return no(rule, f"The port card {name} is not in the pile that is drawn from.")

    def play(self, state: State, action: DrawPortCard) -> Step[State]:
        """Lay the card; then the next port, the colours or the next captain."""
        pile = tuple([card for card in drawable_ports(state) if card != action.card])
        number = state.slots.index("")
        slots = (*state.slots[:number], action.card, *state.slots[number + 1 :])
        state = state._replace(slots=slots, port_pile=pile)
        title = state.deck.port_card[action.card].title
        told = (Happening(f"{state.deck.ports[number].title}: {title}", rule_of_draw(state)),)
        if "" in slots:
            return Step(state, told)
        if not state.round:
            return Step(state._replace(stage=ChoosingColours()), told)
        return end_turn(state, told)


class RenewPortCard(DrawPortCards):
    """A new card for the port where cargo was bought or sold (PRV-57)."""

    rule = "PRV-57"


def rule_of_draw(state: State) -> str:
    """Return the rule a port card is drawn by: that of the set-up, or after a visit."""
    return RenewPortCard.rule if state.round else DrawPortCards.rule
