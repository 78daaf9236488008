"""How turns follow one another: market, rounds, icebergs, victory (CSG-44 to 48, 86 to 91)."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.deeds import Odds, Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import Chance, stage_of
from companion.rules.pirates_csg.deck import NOBODY, RESOURCES
from companion.rules.pirates_csg.dice import (
    MARKET_ODDS,
    RollOneDie,
    ask_die,
    face_of,
    market_of,
    refuse_market,
)
from companion.rules.pirates_csg.stages import (
    Finished,
    OnTurn,
    RollingDrift,
    RollingMarket,
    Setting,
)
from companion.rules.pirates_csg.state import (
    FORT,
    IDLE,
    IDLE_NEXT,
    LEAVING,
    Ship,
    State,
    find_terrain,
    fleet_of,
    living,
    price,
    with_island,
    with_seat,
    with_ship,
)
from companion.rules.pirates_csg.terrain import WAYS, drifted, drifting, heading_of
from companion.rules.pirates_csg.upgrades import built, forfeited
from companion.rules.pirates_csg.words import Told, name_of, who
from companion.rules.places import compass
from companion.rules.words import capital, counted, listed


def begin_turn(state: State, told: Told = ()) -> Step[State]:
    """Roll the market if it is due, then give the captain on turn their ships (CSG-44, CSG-60)."""
    if state.turn == state.first and state.round > state.until:
        return Step(state._replace(stage=RollingMarket()), told)
    for ship in fleet_of(state, state.turn):
        state = with_ship(state, _fresh(ship))
    for island in state.islands:
        if island.has_fired and island.owner == state.turn:
            state = with_island(state, replace(island, has_fired=False))
    state, more = built(state, state.turn)
    return Step(state._replace(stage=OnTurn()), (*told, *more))


def _fresh(ship: Ship) -> Ship:
    """Return a ship at the beginning of her owner's turn."""
    leave = LEAVING if ship.leave else 0
    barred = IDLE if ship.barred == IDLE_NEXT else 0
    return replace(ship, done=(), extra="", barred=barred, leave=leave)


class RollMarket(Chance[State, Roll]):
    """The first captain rolls prices and their duration (CSG-44)."""

    name, rule, takes = "roll_market", "CSG-44", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: roll the d6 and the d20 for the market"
        return ChanceRoll(state.player, self.name, text, ("d20", "d6"))

    def odds(self, state: State) -> Odds:
        """Both dice."""
        return MARKET_ODDS

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse other dice."""
        return refuse_market(action, self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Set the prices."""
        row, rounds = market_of(action)
        state = state._replace(row=row, until=state.round + rounds - 1)
        prices = listed(f"{name} {price(row, r)}" for r, name in enumerate(RESOURCES))
        text = f"For {counted(rounds, 'round', 'rounds')}: {prices}"
        return begin_turn(state, (Happening(text, "CSG-45"),))


def pass_on(state: State, told: Told) -> Step[State]:
    """Look for a winner, then hand the turn on (CSG-86 to CSG-91)."""
    state, lost = _eliminated(state)
    told = (*told, *lost)
    over = _victory(state)
    if over is not None:
        return Step(state._replace(stage=over), told)
    return hand_on(state, told)


def hand_on(state: State, told: Told) -> Step[State]:
    """Give the turn to the next captain; the first one's begins a round (CSG-47, CSG-48)."""
    turn, count = next_seat(state, state.turn), len(state.seats)
    # Both seats are counted from the one that opened this round, who may be out by now.
    is_same_round = (turn - state.first) % count > (state.turn - state.first) % count
    if state.seats[state.first].is_out:
        # The next in order opens the rounds from now on.
        state = state._replace(first=next_seat(state, state.first))
    if is_same_round:
        return begin_turn(state._replace(turn=turn), told)
    if state.round >= state.options.rounds:
        text = f"{counted(state.round, 'round is', 'rounds are')} over"
        return Step(state._replace(stage=Finished("CSG-86")), (*told, Happening(text, "CSG-86")))
    state = state._replace(turn=turn, round=state.round + 1)
    bergs = drifting(state)
    if bergs:
        return Step(state._replace(stage=RollingDrift(bergs)), told)
    return begin_turn(state, told)


def next_seat(state: State, seat: int) -> int:
    """Return who still plays and comes next after a seat."""
    count = len(state.seats)
    order = [(seat + k) % count for k in range(1, count + 1)]
    return next(s for s in order if not state.seats[s].is_out)


def _eliminated(state: State) -> tuple[State, Told]:
    """Put captains without ships out of the game (CSG-87)."""
    told: Told = ()
    for seat in living(state):
        if not any(True for _ in fleet_of(state, seat)):
            state = with_seat(state, seat, replace(state.seats[seat], is_out=True))
            state, lost = forfeited(state, seat)
            text = f"{who(state, seat)} has no ship left and is out"
            told = (*told, Happening(text, "CSG-87"), *lost)
    return state, told


def _victory(state: State) -> Finished | None:
    """Return the end of the game, the captain on turn first (CSG-91)."""
    left = living(state)
    if not left:
        return Finished("CSG-91", state.turn)
    if len(left) == 1:
        return Finished("CSG-87", left[0])
    if state.options.monopoly:
        for k in range(len(state.seats)):
            seat = (state.turn + k) % len(state.seats)
            if seat in left and has_monopoly(state, seat):
                return Finished("CSG-88", seat)
    return None


def has_monopoly(state: State, seat: int) -> bool:
    """Say whether every island that produces belongs to a captain (CSG-88).

    Asked only once every wild island has a resource or a fort, or the first settler would win.
    """
    wild = [i for i in state.islands if i.home == NOBODY]
    if not all(i.resource != NOBODY or i.building == FORT for i in wild):
        return False
    producing = [i for i in wild if i.building != FORT]
    owned = [i for i in producing if i.building and i.owner == seat]
    return bool(producing) and len(owned) == len(producing)


class RollDrift(RollOneDie):
    """Icebergs drift S in a random direction at the end of a round (CSG-27)."""

    name, rule = "roll_drift", "CSG-27"

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        tag = stage_of(state, RollingDrift).left[0]
        text = f"{who(state, state.turn)}: roll where {name_of(state, tag)} drifts: {WAYS}"
        return ask_die(state.turn, self.name, text)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Have it moved, if there is room for all of S."""
        tag, *left = stage_of(state, RollingDrift).left
        berg = find_terrain(state, tag)
        assert berg is not None
        moved = drifted(state, berg, face_of(action))
        name = capital(name_of(state, tag))
        if moved == berg:
            text = f"{name} has no room to drift and stays where it lies"
            return drift_on(state, tuple(left), (Happening(text, self.rule),))
        text = f"{name} drifts {compass(heading_of(face_of(action)))}"
        stage = Setting(tag, moved.pose, tuple(left))
        return Step(state._replace(stage=stage), (Happening(text, self.rule),))


def drift_on(state: State, left: tuple[int, ...], told: Told = ()) -> Step[State]:
    """Let the next iceberg drift; after the last the turn begins."""
    if left:
        return Step(state._replace(stage=RollingDrift(left)), told)
    return begin_turn(state, told)
