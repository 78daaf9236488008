"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from companion.rules.privateer.actions import MERCHANT
from companion.rules.privateer.deck import COLOURS
from companion.rules.privateer.effects import GOODS, TRACKS, DrawBounty, Overboard
from companion.rules.privateer.needs import held, needed_stage, trades
from companion.rules.privateer.sailing import foes_here
from companion.rules.privateer.state import (
    NO_PORT,
    NOWHERE,
    Answering,
    Asking,
    ChoosingColours,
    ChoosingFoe,
    DrawingPortCards,
    Fighting,
    Finished,
    Fleeing,
    KeepingCaptains,
    Outfitting,
    Plundering,
    RollingFirst,
    RollingGoods,
    Sailing,
    Seat,
    State,
    Trading,
    WonPrize,
    champion,
    hold_space,
)
from companion.rules.writing import Findings, people


def _table(state: State) -> Findings:
    players = len(state.names)
    yield from people(state.names, 2, len(COLOURS))
    yield len(state.seats) == players, "there is a seat for each player"
    yield 0 <= state.turn < players and 0 <= state.first < players, "turn and first are seats"
    yield state.round >= 0, "round is not negative"
    setup = isinstance(state.stage, _SETUP)
    either = isinstance(state.stage, Finished | DrawingPortCards)
    yield either or setup == (state.round == 0), "round 0 is the set-up"


_SETUP = KeepingCaptains | ChoosingColours | RollingFirst | Outfitting


def _seats(state: State) -> Findings:
    deck = state.deck
    for seat in state.seats:
        yield seat.captain == "" or seat.captain in deck.captain, "a captain is not in the deck"
        yield len(seat.ranks) == len(TRACKS), "a ship has four tracks"
        in_range = all(0 <= r <= n for r, n in zip(seat.ranks, deck.lengths, strict=True))
        yield in_range, "a rank is not on its track"
        yield seat.silver >= 0, "a purse is not negative"
        yield len(seat.cargo) == len(GOODS), "a hold has six types"
        yield min(seat.cargo) >= 0, "cargo is not negative"
        yield all(relic in deck.bounty_card for relic in seat.relics), "a relic is not in the deck"
        yield all(deck.bounty_card[r].is_relic for r in seat.relics), "a fortune is no relic"
        yield _is_placed(state, seat), "a ship is where no ship can be"
    captains = [seat.captain for seat in state.seats if seat.captain]
    colours = [seat.colour for seat in state.seats if seat.colour]
    yield len(set(captains)) == len(captains), "two seats have one captain"
    yield len(set(colours)) == len(colours), "two seats have one colour"
    finished = isinstance(state.stage, Finished)
    if not isinstance(state.stage, KeepingCaptains | Finished):
        yield len(captains) == len(state.seats), "every seat has a captain"
    early = isinstance(state.stage, KeepingCaptains | ChoosingColours)
    early = early or (isinstance(state.stage, DrawingPortCards) and state.round == 0)
    if not early and not finished:
        yield len(colours) == len(state.seats), "every seat has a colour"
    cap = state.options.round_cap
    ended = champion(state) is not None or bool(cap and state.round >= cap)
    yield not finished or ended, "the game is not over"
    yield finished or champion(state) is None, "the game is over"


def _is_placed(state: State, seat: Seat) -> bool:
    if not seat.colour:
        return seat.cell == NOWHERE and seat.last == NO_PORT
    deck = state.deck
    known = seat.colour in COLOURS and 0 <= seat.last < len(deck.ports)
    if not known or seat.cell not in deck.sea.cells:
        return False
    port = deck.port_at.get(seat.cell)
    if not state.round:
        return port == seat.last == deck.port_of_colour[seat.colour]  # the set-up (PRV-13)
    # However a ship came into a port, that one is the last it visited (PRV-48, PRV-59).
    return port is None or port == seat.last


def _cards(state: State) -> Findings:
    deck = state.deck
    yield len(state.slots) == len(deck.ports), "every port has a slot"
    slots = [slot for slot in state.slots if slot]
    relics = [relic for seat in state.seats for relic in seat.relics]
    piles = [
        ("port", [*slots, *state.port_pile], deck.port_card, state.port_pile),
        ("bounty", [*relics, *state.bounty_pile], deck.bounty_card, state.bounty_pile),
    ]
    for name, cards, known, pile in piles:
        yield all(card in known for card in cards), f"a {name} card is not in the deck"
        yield len(set(cards)) == len(cards), f"a {name} card is in two places"
        yield list(pile) == sorted(pile), f"the {name} pile is sorted"
    for seat in state.seats:
        yield list(seat.relics) == sorted(seat.relics), "relics are sorted"
    dealing = isinstance(state.stage, DrawingPortCards | KeepingCaptains | Finished)
    yield dealing or len(slots) == len(deck.ports), "every port has a card"
    if isinstance(state.stage, DrawingPortCards):
        yield len(slots) < len(deck.ports), "every port has a card already"
        yield state.round == 0 or len(slots) == len(deck.ports) - 1, "one port gets a card"


def _goods(state: State) -> Findings:
    yield len(state.bank) == len(GOODS), "the bank has six types"
    yield min(state.bank) >= 0, "the bank is not negative"
    for i, stock in enumerate(state.deck.stock):
        there = state.bank[i] + sum(seat.cargo[i] for seat in state.seats)
        yield there == stock, f"{GOODS[i]} has vanished or come from nowhere"
    jobs = state.stage.jobs if isinstance(state.stage, Asking) else ()
    settling = {job.player for job in jobs if isinstance(job.effect, Overboard)}
    for player, seat in enumerate(state.seats):
        fits = hold_space(state.deck, seat) >= 0 or player in settling
        yield fits or isinstance(state.stage, Finished), "a hold has more than it can"


def _stage(state: State) -> Findings:
    stage = state.stage
    if isinstance(stage, Asking):
        yield from _asking(state, stage)
    elif isinstance(stage, KeepingCaptains):
        kept = [bool(seat.captain) for seat in state.seats]
        yield not all(kept) and kept == sorted(kept, reverse=True), "seats keep captains in turn"
    elif isinstance(stage, ChoosingColours):
        chosen = [bool(seat.colour) for seat in state.seats]
        yield not all(chosen) and chosen == sorted(chosen, reverse=True), "seats choose in turn"
    elif isinstance(stage, RollingFirst):
        yield len(stage.rolls) == len(state.seats), "there is a roll for each seat"
        yield all(-1 <= roll <= 6 for roll in stage.rolls), "a die shows 1 to 6"
        yield 0 in stage.rolls and stage.rolls.count(-1) < len(state.seats) - 1, "somebody rolls"
    elif isinstance(stage, Trading | Outfitting):
        yield state.seat.cell in state.deck.port_at, "who trades is in port"
    elif isinstance(stage, Sailing):
        yield stage.moves >= 0, "moves are not negative"
    elif not isinstance(stage, Finished | DrawingPortCards):
        yield from _battle(state)


def _asking(state: State, stage: Asking) -> Findings:
    yield bool(stage.jobs), "nothing is asked"
    players = range(len(state.seats))
    yield all(job.player in players for job in stage.jobs), "a job is nobody's"
    draws = [job for job in stage.jobs if isinstance(job.effect, DrawBounty)]
    yield len(draws) <= 1, "one bounty card is drawn a turn"
    yield all(job.player == state.turn for job in draws), "who is on turn draws"
    if isinstance(stage, Answering):
        mine = stage.job.player
        swap = stage.foe, stage.give, stage.get
        yield swap in trades(state, mine), "the offer cannot be kept"
        return
    yield needed_stage(state, stage.job) is type(stage), "the job asks something else"


def _battle(state: State) -> Findings:
    stage, players = state.stage, range(len(state.seats))
    if isinstance(stage, Fighting | ChoosingFoe | WonPrize | RollingGoods):
        yield state.seat.cell not in state.deck.port_at, "nobody fights in port"
        foes = foes_here(state)
        yield isinstance(stage, WonPrize | RollingGoods) or bool(foes), "nobody is there to fight"
    if isinstance(stage, ChoosingFoe):
        yield len(foes) > 1, "there is no choice of foes"
    if isinstance(stage, Fighting):
        yield stage.foe in foes, "the foe is not there"
        yield stage.attack is None or 1 <= stage.attack <= 6, "a die shows 1 to 6"
    if isinstance(stage, WonPrize | RollingGoods):
        yield MERCHANT in foes, "no merchant is there"
        yield stage.spoils >= 1, "there is nothing to plunder"
        yield hold_space(state.deck, state.seat) > 0, "the hold is full"
    if isinstance(stage, Plundering):
        known = stage.winner in players and stage.loser in players
        yield known and stage.winner != stage.loser, "plunder has two sides"
        yield state.turn in (stage.winner, stage.loser), "who is on turn fights"
        there = sum(state.seats[stage.loser].cargo)
        yield 1 <= stage.left <= there, "the loser does not have so much"
        yield bool(held(state, stage.loser)), "there is nothing to plunder"
    if isinstance(stage, Fleeing):
        yield stage.loser in players, "the loser is nobody"


CHECKS = (_table, _seats, _cards, _goods, _stage)
"""What must hold of a state; later checks rely on the earlier ones."""
