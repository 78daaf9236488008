"""Games set up by hand, a hand that plays them, and decks made from the house deck."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from companion.cards.files import builtin_text, parse_cards
from companion.rules.deeds import Deed, roll
from companion.rules.game import CHANCE, PlayerId
from companion.rules.layout import Cell, Die
from companion.rules.privateer.actions import DrawCard, Leave, Sail
from companion.rules.privateer.codec import CODEC
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.effects import GOOD, GOODS, TRACKS
from companion.rules.privateer.options import read_options
from companion.rules.privateer.rules import Privateer
from companion.rules.privateer.state import Sailing, Seat, Stage, State
from tests.playing import Line

GAME = Privateer()
HOUSE = parse_cards(builtin_text("privateer-house"))
NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")
P = [PlayerId(n) for n in range(6)]


def house(change: Callable[[dict[str, Any]], object] | None = None) -> dict[str, Any]:
    """Return the house deck as plain values, changed."""
    data = deepcopy(HOUSE)
    if change:
        change(data)
    return data


def seat(
    number: int,
    *,
    cell: Cell | None = None,
    cargo: Mapping[str, int] | None = None,
    relics: Sequence[str] = (),
    silver: int = 10,
    last: str | None = None,
    deck: Any = None,
    **ranks: int,
) -> Seat:
    """Return a seat: captain and colour by number, ranks by track name (else 0)."""
    deck = deck or read_options({}).deck
    colour = COLOURS[number]
    port = deck.port_of_colour[colour]
    return Seat(
        captain=deck.captains[number].id,
        colour=colour,
        ranks=tuple(ranks.get(track, 0) for track in TRACKS),
        silver=silver,
        cargo=tuple((cargo or {}).get(good, 0) for good in GOODS),
        relics=tuple(sorted(relics)),
        cell=cell or deck.ports[port].cell,
        last=port if last is None else deck.port_of_id[last],
    )


class Voyage(Line):
    """A state and the moves made from it."""

    game = GAME

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.state.seats

    def say(self, text: str) -> Voyage:
        return self.do(GAME.parse(self.state, text))

    def roll(self, *faces: int) -> Voyage:
        """Roll one pipped die after the other."""
        for face in faces:
            self.do(roll(Die("d6", face)))
        return self

    def red(self, first: int, second: int) -> Voyage:
        return self.do(roll(Die("d6", first), Die("d6", second)))

    def colour(self, port: str) -> Voyage:
        """Roll the face of the colour die that stands for a port."""
        deck = self.state.deck
        return self.do(roll(Die("colour", deck.ports[deck.port_of_id[port]].face)))

    def draw(self, card: str) -> Voyage:
        return self.do(DrawCard(CHANCE, card))

    def sail(self, cell: Cell) -> Voyage:
        return self.do(Sail(self.player, cell))

    def leave(self) -> Voyage:
        return self.do(Leave(self.player))

    def draws(self) -> list[str]:
        return [action.card for action in GAME.legal_actions(self.state, CHANCE)]

    def cells(self) -> set[Cell]:
        return {action.cell for action in self.legal() if isinstance(action, Sail)}

    def goods(self, number: int) -> dict[str, int]:
        return {g: n for g, n in zip(GOODS, self.seats[number].cargo, strict=True) if n}

    def bank(self, good: str) -> int:
        return self.state.bank[GOOD[good]]

    def infamy(self, number: int) -> int:
        return GAME.view(self.state, None).seats[number].scores["infamy"]


def make_voyage(
    *seats: Mapping[str, Any],
    stage: Stage | None = None,
    wind: str = "none",
    turn: int = 0,
    moves: int = 4,
    bank: Mapping[str, int] | None = None,
    slots: Mapping[str, str] | None = None,
    bounty: Sequence[str] | None = None,
    deck: dict[str, Any] | None = None,
    sane: bool = True,
    **options: Any,
) -> Voyage:
    """Set a game up in mid-play: the captain on turn has `moves` to sail.

    There are two captains at least, red and blue, each in the own port if nothing else is said.
    `slots` names the card of a port; the other ports take what is left in order. `bank` says how
    much of a good is left there; what is missing then is in the deck's stock.
    """
    chosen = read_options(({"deck": deck} if deck else {}) | options)
    printed = chosen.deck
    given = [*seats, {}, {}][: max(len(seats), 2)]
    sat = tuple(seat(n, deck=printed, **s) for n, s in enumerate(given))
    cards = dict(slots or {})
    free = [c for c in printed.port_card_ids if c not in cards.values()]
    laid = tuple(cards.get(port.id) or free.pop(0) for port in printed.ports)
    held = [sum(s.cargo[i] for s in sat) for i in range(6)]
    left = tuple(n - h for n, h in zip(printed.stock, held, strict=True))
    if bank:
        left = tuple(bank.get(good, n) for good, n in zip(GOODS, left, strict=True))
    relics = {relic for s in sat for relic in s.relics}
    pile = [c for c in printed.bounty_ids if c not in relics] if bounty is None else sorted(bounty)
    state = State(
        names=NAMES[: len(sat)],
        options=chosen,
        stage=stage or Sailing(moves),
        seats=sat,
        slots=laid,
        port_pile=tuple(c for c in printed.port_card_ids if c not in laid),
        bounty_pile=tuple(pile),
        bank=left,
        turn=turn,
        round=1,
        wind=wind,
    )
    if sane and not bank:
        assert CODEC.complaint(state) is None, CODEC.complaint(state)
    return Voyage(state)


def start(players: int = 2, **options: Any) -> Voyage:
    return Voyage(GAME.setup(NAMES[:players], options))


def to_colours(players: int = 2, **options: Any) -> Voyage:
    """Play to the choice of colours: captains in order, port cards in order."""
    voyage = start(players, **options)
    for _ in range(players):
        voyage.do(voyage.legal()[0])
    for _ in range(6):
        voyage.do(GAME.legal_actions(voyage.state, CHANCE)[0])
    return voyage


def to_outfit(players: int = 2, **options: Any) -> Voyage:
    """Play to the Infamy set-up: colours in the rules' order, seat 0 goes first."""
    voyage = to_colours(players, **options)
    for number in range(players):
        voyage.say(f"{NAMES[number]}: sail the {COLOURS[number]} ship")
    return voyage.roll(6, *[1] * (players - 1))


def to_turn(players: int = 2, **options: Any) -> Voyage:
    """Play to the first bounty card."""
    voyage = to_outfit(players, **options)
    for _ in range(players):
        voyage.leave()
    return voyage


def lively(random: Random, state: State, actions: Sequence[Deed]) -> Deed:
    """Choose an action; ships look for ports, merchants and each other now and then."""
    if isinstance(state.stage, Sailing) and random.random() < 0.5:
        sea = {s.cell for s in state.seats} | {*state.deck.port_at} | {*state.deck.sea.merchants}
        sea -= {state.seat.cell}
        goals = [a for a in actions if isinstance(a, Sail) and a.cell in sea]
        if goals:
            return random.choice(goals)
    if isinstance(actions[-1], Leave) and len(actions) > 1 and random.random() < 0.7:
        return random.choice(actions[:-1])
    return random.choice(actions)
