"""How a turn begins and ends: the market, upkeep, rounds, victory (CSG-44 to 50, CSG-86 to 91)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from companion.rules.deeds import Deed, Roll
from companion.rules.game import ChanceRoll, Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Aside, Chance, Choice, no, stage_of
from companion.rules.pirates_csg.actions import EndTurn, Idle, Scuttle, Surrender
from companion.rules.pirates_csg.deck import NOBODY, RESOURCES
from companion.rules.pirates_csg.dice import (
    MARKET_ODDS,
    OneDie,
    ask_die,
    face_of,
    market_of,
    refuse_market,
)
from companion.rules.pirates_csg.doing import Doing
from companion.rules.pirates_csg.fates import is_at_home, opened, sunk
from companion.rules.pirates_csg.raiding import must_leave
from companion.rules.pirates_csg.stages import (
    Defaulting,
    Finished,
    Firing,
    FiringAgain,
    LosingMast,
    OnTurn,
    RollingDrift,
    RollingMarket,
    RollingShot,
    Setting,
    Stage,
)
from companion.rules.pirates_csg.state import (
    FORT,
    NEW,
    Ship,
    State,
    find_island,
    find_ship,
    find_terrain,
    fleet_of,
    living,
    paid,
    price,
    ship_of,
    with_island,
    with_seat,
    with_ship,
)
from companion.rules.pirates_csg.terrain import WAYS, drifted, drifting, heading_of
from companion.rules.pirates_csg.upgrades import built, forfeited
from companion.rules.pirates_csg.words import Told, name_of, ship_name, who
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
    leave = 2 if ship.leave else 0
    return replace(ship, done=(), extra="", barred=int(ship.barred == 2), leave=leave)


class RollMarket(Chance[State, Roll]):
    """The first captain rolls prices and their duration (CSG-44)."""

    name, rule, takes = "roll_market", "CSG-44", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask the captain on turn."""
        text = f"{who(state, state.turn)}: roll the d6 and the d20 for the market"
        return ChanceRoll(state.player, self.name, text, ("d20", "d6"))

    def odds(self, state: State) -> tuple[tuple[Roll, Fraction], ...]:
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


class FinishTurn(Doing[EndTurn]):
    """End the turn: upkeep, victory, the next captain (CSG-49, CSG-86, CSG-87)."""

    takes = EndTurn

    def candidates(self, state: State) -> tuple[EndTurn, ...]:
        """Return the one."""
        return (EndTurn(state.player),)

    def refuse(self, state: State, action: EndTurn) -> Ruling | None:
        """Refuse while a raider must leave."""
        ship = must_leave(state)
        if ship is None:
            return None
        where = name_of(state, ship.docked)
        return no("CSG-84", f"{ship_name(state, ship)} must leave {where} this turn.")

    def play(self, state: State, action: EndTurn) -> Step[State]:
        """Pay the upkeep, or name the ships it cannot be paid for."""
        away = [s for s in fleet_of(state, state.turn) if not is_at_home(state, s)]
        gold = state.seats[state.turn].gold
        due = len(away)
        debt = state.options.upkeep_default == "debt"
        pays = due if debt else min(due, max(gold, 0))
        told: Told = ()
        if pays:
            text = f"{who(state, state.turn)} pays {pays} gold for ships away from home"
            told = (Happening(text, "CSG-49", ((state.player, -pays),)),)
        state = paid(state, state.turn, -pays)
        return default(state, due - pays, told)


def unpaid_ships(state: State) -> list[Ship]:
    """Return the ships at sea that may be named for want of upkeep (CSG-50).

    A ship that has just lain idle is not named again, or the poor would never move any more.
    """
    away = [s for s in fleet_of(state, state.turn) if not is_at_home(state, s)]
    if state.options.upkeep_default == "debt":
        return []
    if state.options.upkeep_default == "idle":
        return [s for s in away if s.barred in (0, NEW)]
    return away


def default(state: State, missing: int, told: Told) -> Step[State]:
    """Ask which ships lack their upkeep, unless all do; then hand the turn on (CSG-50)."""
    ships = unpaid_ships(state)
    if 0 < missing < len(ships):
        return Step(state._replace(stage=Defaulting(missing)), told)
    for ship in ships if missing else ():
        state, more = _unpaid(state, ship)
        told = (*told, *more)
    return pass_on(state, told)


def _unpaid(state: State, ship: Ship) -> tuple[State, Told]:
    """Return the state after a ship has gone without her upkeep."""
    if state.options.upkeep_default == "idle":
        name, captain = ship_name(state, ship), who(state, state.turn)
        text = f"{name} stays idle on {captain}'s next turn for want of upkeep"
        return with_ship(state, replace(ship, barred=2)), (Happening(text, "CSG-50"),)
    text = f"{ship_name(state, ship)} is scuttled for want of upkeep"
    state = sunk(state, ship)
    return state, (Happening(text, "CSG-50"), *opened(state, ship.blockade))


class NameUnpaid(Choice[State, Deed]):
    """For each gold short a ship at sea is named (CSG-50)."""

    name, rule, takes = "default", "CSG-50", (Idle, Scuttle)

    def pending(self, state: State) -> Decision:
        """Ask the captain on turn."""
        left = stage_of(state, Defaulting).missing
        fate = "stays idle next turn" if state.options.upkeep_default == "idle" else "is scuttled"
        text = (
            f"{who(state, state.turn)}: {left} gold of upkeep is missing; name a ship that {fate}"
        )
        return Decision(state.player, self.name, text, told=True)

    def asked(self, state: State) -> PlayerId:
        """Return the captain on turn."""
        return state.player

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return every ship at sea that has not been named."""
        kind = Idle if state.options.upkeep_default == "idle" else Scuttle
        return tuple(kind(state.player, ship.tag) for ship in unpaid_ships(state))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse other ships."""
        if action in self.actions(state):
            return None
        names = listed((ship_name(state, s) for s in unpaid_ships(state)), "or")
        return no(self.rule, f"Name one of your ships away from home: {names}.")

    def play(self, state: State, action: Deed) -> Step[State]:
        """Bar her, or scuttle her; go on while gold is missing."""
        assert isinstance(action, Idle | Scuttle)
        state, told = _unpaid(state, ship_of(state, action.ship))
        return default(state, stage_of(state, Defaulting).missing - 1, told)


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
    turn, count = _next_seat(state, state.turn), len(state.seats)
    # Both seats are counted from the one that opened this round, who may be out by now.
    is_same_round = (turn - state.first) % count > (state.turn - state.first) % count
    if state.seats[state.first].is_out:
        # The next in order opens the rounds from now on.
        state = state._replace(first=_next_seat(state, state.first))
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


def _next_seat(state: State, seat: int) -> int:
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


class RollDrift(OneDie):
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


class GiveUp(Aside[State, Surrender]):
    """A captain surrenders; the ships leave the game (CSG-89)."""

    takes = Surrender

    def actions(self, state: State) -> tuple[Surrender, ...]:
        """Return one for each who still plays, in the rounds."""
        if not state.round:
            return ()
        return tuple(Surrender(PlayerId(seat)) for seat in living(state))

    def refuse(self, state: State, action: Surrender) -> Ruling | None:
        """Refuse who does not play any more."""
        if action in self.actions(state):
            return None
        return no("CSG-89", "Only somebody who still plays can surrender, once the rounds began.")

    def play(self, state: State, action: Surrender) -> Step[State]:
        """Remove their ships; the last one left wins."""
        told: Told = (Happening(f"{who(state, action.player)} surrenders", "CSG-89"),)
        for ship in list(fleet_of(state, action.player)):
            state = sunk(state, ship)
            told = (*told, *opened(state, ship.blockade))
        seat = replace(state.seats[action.player], is_out=True)
        state = with_seat(state, action.player, seat)
        state, lost = forfeited(state, action.player)
        told = (*told, *lost)
        left = living(state)
        if len(left) == 1:
            return Step(state._replace(stage=Finished("CSG-89", left[0])), told)
        state = state._replace(stage=_standing(state, state.stage))
        if state.turn == action.player:
            return _given_up(state, told)
        if state.seats[state.first].is_out:
            state = state._replace(first=_next_seat(state, state.first))
        return Step(state, told)


def _given_up(state: State, told: Told) -> Step[State]:
    """Hand on the turn of who has surrendered; a mast that a hit has cost is lost all the same."""
    owed = state.stage if isinstance(state.stage, LosingMast) else None
    if isinstance(owed.then if owed else state.stage, RollingDrift | Setting):
        # No turn has begun yet: the next in order rolls for the rest of the icebergs.
        turn = _next_seat(state, state.turn)
        return Step(state._replace(first=turn, turn=turn), told)
    step = pass_on(state, told)
    if owed is None or isinstance(step.state.stage, Finished):
        return step
    stage = replace(owed, then=step.state.stage)
    return Step(step.state._replace(stage=stage), step.happenings)


def _standing(state: State, stage: Stage) -> Stage:
    """Return the stage that is left of one when ships have gone out of play."""
    names = ("ship", "target", "winner", "loser", "source", "piece")
    tags = [getattr(stage, name, 0) for name in names]
    finders = (find_ship, find_island, find_terrain)
    if all(any(find(state, tag) for find in finders) for tag in tags if tag):
        return stage
    if isinstance(stage, LosingMast):
        return _standing(state, stage.then)
    if isinstance(stage, RollingShot | FiringAgain) and stage.left:
        return Firing(stage.ship, stage.left)
    return OnTurn()
