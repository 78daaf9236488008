"""What holds in every state that play can reach; states from outside are held against it."""

from __future__ import annotations

from companion.rules.ahoy_matey.fleets import destination
from companion.rules.ahoy_matey.opening import is_offered, laid_out
from companion.rules.ahoy_matey.options import DIE, FEWEST, MOST
from companion.rules.ahoy_matey.position import Stack
from companion.rules.ahoy_matey.rolls import furthest_ships
from companion.rules.ahoy_matey.sea import TREASURE_SPOT, is_harbour, is_strait, on_board
from companion.rules.ahoy_matey.state import (
    Bargaining,
    Charting,
    Cursing,
    Digging,
    Finished,
    GivingUp,
    Rolling,
    RollingForFirst,
    Sailing,
    SettingPair,
    State,
    Tossing,
)
from companion.rules.ahoy_matey.uses import all_home, can_take
from companion.rules.writing import Findings, people


def _table(state: State) -> Findings:
    players, options = len(state.names), state.options
    seats = range(players)
    yield from people(state.names, FEWEST, MOST)
    yield state.player in seats, "the player on turn sits at the table"
    yield state.first in seats, "who began sits at the table"
    yield len(state.captured) == players == len(state.penalties), "there is one entry a player"
    yield min(*state.captured, *state.penalties) >= 0, "nothing is counted below 0"
    yield state.ghost is None or (options.ghost_fleet and state.ghost in seats), "no ghost sails"
    yield 0 <= state.extra_turns <= 3 * (state.ghost is not None), "the Ghost Fleet has 3 turns"
    resumes = state.resume_after
    yield resumes is None or (state.ghost is not None and resumes in seats), "no turn to resume"
    yield 0 <= state.turns <= options.turn_cap, "turns go up to the cap"
    yield (state.turns > 0) == (state.round > 0), "the first turn begins the first round"
    yield 0 <= state.round <= state.turns, "rounds are no more than turns"


def _ships(state: State) -> Findings:
    options, position = state.options, state.position
    harbours = {fleet.colour: fleet.harbour for fleet in state.fleets}
    cells = [stack.cell for stack in position.ships]
    yield list(position.ships) == sorted(position.ships), "ships are sorted"
    yield len(set(cells)) == len(cells), "ships of a square are counted together"
    yield options.sea.squares.issuperset(cells), "every ship is on a square of the sea"
    yield {s.fleet for s in position.ships} <= set(harbours), "every ship is of a fleet in play"
    yield all(s.size > 0 for s in position.ships), "a square without ships is not listed"
    yield len(position.reserve) == len(harbours), "every fleet has its reserve"
    yield min(position.reserve) >= 0, "no reserve is less than nothing"
    for colour, reserve in zip(harbours, position.reserve, strict=True):
        afloat = sum(s.size for s in position.ships if s.fleet == colour)
        yield afloat + reserve <= options.ships, "a fleet has more ships than it began with"
    shares = options.stacks or options.cursed_treasure
    alone = (s.size == 1 or s.cell == harbours[s.fleet] for s in position.ships)
    yield shares or all(alone), "ships share only their own harbour"


def _treasures(state: State) -> Findings:
    options, position = state.options, state.position
    treasures = position.treasures
    spots = [on_board(TREASURE_SPOT, board) for board in range(options.boards)]
    goals = {destination(options, fleet) for fleet in state.fleets}
    cells = {stack.cell for stack in position.ships}
    waiting = [t.place for t in treasures if t.waits]
    yield list(treasures) == sorted(treasures), "treasures are sorted"
    yield len(waiting) == len(set(waiting)), "each island had one treasure"
    unknown = options.boards == 2 and not options.doubloons and not treasures
    sunk = isinstance(state.stage, Finished) and state.stage.how == "hurricane"
    missing = options.treasures - len(treasures)
    yield unknown or missing == 0 or (sunk and missing > 0), "a treasure is missing or too many"
    for treasure in treasures:
        aboard = treasure.place in cells and not is_harbour(treasure.place)
        placed = treasure.place in spots or treasure.place in goals or aboard
        yield placed, "a treasure is on an island, a ship or home"
        can_be = aboard and options.cursed_treasure
        yield can_be or not treasure.cursed, "only treasure ships are cursed"


def _tokens(state: State) -> Findings:
    options, position = state.options, state.position
    wrecks, barred = position.wrecks, position.barred
    cells = {stack.cell for stack in position.ships}
    yield wrecks == tuple(sorted(set(wrecks))), "wrecks are sorted"
    yield options.shipwrecked or not wrecks, "there are no wrecks in this game"
    afloat = all(
        c in options.sea.squares and not is_harbour(c) and not is_strait(c) for c in wrecks
    )
    yield afloat, "wrecks lie neither in harbours nor in the straits"
    yield barred == tuple(sorted(set(barred))), "barred anchors are sorted"
    yield options.buried_treasure or options.isla_diablo or not barred, "no anchor is barred"
    yield cells & options.sea.anchors.keys() >= set(barred), "a barred anchor has its ship"


def _counts(state: State) -> Findings:
    options = state.options
    begun = options.ships * len(state.fleets)
    left = sum(state.afloat) + sum(state.captured)
    yield left == begun or (options.hurricane and left < begun), "ships have come or gone"
    if isinstance(state.stage, RollingForFirst | Bargaining | Tossing):
        fresh = state.position == laid_out(options, len(state.names))
        yield fresh and state.turns == 0, "everything lies as at the start"
        yield state.ghost is None, "no ghost sails yet"
    else:
        yield state.turns > 0, "the first turn has begun"


def _dice(state: State) -> Findings:
    dice, options = state.dice, state.options
    yield list(dice) == sorted(dice), "dice are sorted"
    yield set(dice) <= set(DIE.faces), "a die has no such face"
    yield len(dice) <= options.dice, "there are not so many dice"
    using = isinstance(state.stage, Sailing | Digging | Cursing | Charting)
    yield (
        using or isinstance(state.stage, SettingPair) or not dice,
        "dice wait to be used only then",
    )
    yield not state.rolls_again or (using and options.freak_squall), "nobody rolls again"


def _stage(state: State) -> Findings:
    stage = state.stage
    if isinstance(stage, RollingForFirst | Bargaining | Tossing):
        yield from _opening(state)
        return
    crew, position = state.crew, state.position
    if isinstance(stage, Finished):
        yield from _finished(state, stage)
        return
    yield not all_home(crew, position), "the treasure is home and the game over"
    if not isinstance(stage, Cursing):
        left = sum(ships > 0 for ships in state.afloat)
        waits = state.options.ghost_fleet and state.ghost is None
        yield left > 1 and not (waits and left < 3), "the game is over or the ghosts are late"
    yield state.afloat[state.player] > 0, "who has no ships has no turn"
    known = bool(position.treasures) or state.options.badly_drawn_map
    yield known, "nobody knows where the treasure is"
    if isinstance(stage, Rolling):
        return
    yield from _on_turn(state)


def _opening(state: State) -> Findings:
    stage, options, seats = state.stage, state.options, range(len(state.names))
    if isinstance(stage, RollingForFirst):
        contenders = stage.contenders
        yield contenders == tuple(sorted(set(contenders))), "contenders are sorted"
        yield len(contenders) > 1 and set(contenders) <= set(seats), "contenders sit at the table"
        yield set(stage.faces) <= set(DIE.faces), "a die has no such face"
        yield len(stage.faces) < len(contenders), "everybody has rolled"
    if isinstance(stage, Bargaining):
        yield options.parlay and is_offered(state, stage.offer), "this variant is not on offer"
    if isinstance(stage, Tossing):
        tossed = options.boards == 2 and not options.doubloons and not options.badly_drawn_map
        yield tossed, "no coin is tossed in this game"


def _on_turn(state: State) -> Findings:
    stage, options, position = state.stage, state.options, state.position
    crew = state.crew
    if isinstance(stage, SettingPair):
        yield options.freak_squall and state.dice.count(0) > 1, "a squall takes two nulls"
        yield len(state.dice) == options.dice, "no die is used before the squall"
    if isinstance(stage, Sailing):
        yield bool(state.uses or state.takers), "nothing can be done this turn"
    if isinstance(stage, GivingUp):
        yield options.hurricane and len(furthest_ships(state)) > 1, "there is no ship to give up"
    if isinstance(stage, Digging | Cursing):
        stack = _own(state, stage.ship)
        if stack is None:
            yield False, "the ship that takes the treasure is on its square"
            return
        if isinstance(stage, Digging):
            yield options.buried_treasure and can_take(crew, position, stack), "nobody digs here"
        else:
            fresh = [t for t in position.treasures if t.place == stage.ship and not t.cursed]
            aboard = position.has_treasure(stage.ship)
            yield options.cursed_treasure and aboard and bool(fresh), "nobody is cursed here"
    if isinstance(stage, Charting):
        yield options.badly_drawn_map and not position.treasures, "the map is drawn already"
        reached = [c for c, board in options.sea.anchors.items() if board == stage.board]
        yield any(_own(state, cell) for cell in reached), "nobody has reached this island"
    if isinstance(stage, Sailing | Digging | Cursing | Charting) and state.options.freak_squall:
        yield len(state.dice) <= options.dice, "there are not so many dice"


def _own(state: State, cell: tuple[int, int]) -> Stack | None:
    stack = state.position.occupied().get(cell)
    return stack if stack is not None and stack.fleet in state.crew.own else None


def _finished(state: State, stage: Finished) -> Findings:
    home = all_home(state.crew, state.position)
    left = tuple(seat for seat, ships in enumerate(state.afloat) if ships)
    if stage.how == "delivery":
        goals = {destination(state.options, f): f.player for f in state.fleets}
        winners = {goals.get(t.place) for t in state.position.treasures}
        yield home and set(stage.winners) == winners, "the treasure is not home"
        yield list(stage.winners) == sorted(winners, key=str), "winners are sorted"
    elif stage.how == "last_afloat":
        yield not home and len(left) == 1 and stage.winners == left, "more than one is afloat"
    else:
        yield stage.winners == (), "nobody wins so"
    if stage.how == "turn_cap":
        yield state.turns == state.options.turn_cap, "turns are left to play"
    if stage.how == "hurricane":
        yield state.options.hurricane, "there are no hurricanes in this game"


CHECKS = (_table, _ships, _treasures, _tokens, _counts, _dice, _stage)
"""What must hold of a state; later checks rely on the earlier ones."""
