"""How a game looks: layout, seats, result, and actions in words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from companion.rules.ahoy_matey.actions import (
    Deploy,
    Done,
    GiveUp,
    LeaveVariant,
    LieTo,
    PickVariant,
    Run,
    SetPair,
    Take,
    TossCoin,
    WalkThePlank,
)
from companion.rules.ahoy_matey.fleets import destination
from companion.rules.ahoy_matey.options import DIE, VARIANTS
from companion.rules.ahoy_matey.sea import COURSE_NAMES, is_harbour, is_island
from companion.rules.ahoy_matey.state import Bargaining, Finished, RollingForFirst, State
from companion.rules.ahoy_matey.uses import end_of
from companion.rules.ahoy_matey.words import (
    at,
    faces,
    fleet_name,
    going_on,
    island,
    place,
    ships_of,
    who,
)
from companion.rules.deeds import Deed, Roll
from companion.rules.game import (
    CHANCE,
    Outcome,
    PlayerId,
)
from companion.rules.layout import Cell, CellContent, Die, Layout, make_layout
from companion.rules.views import SeatView, View
from companion.rules.words import counted, listed

ENDS = {
    "delivery": "AHM-44",
    "last_afloat": "AHM-44",
    "hurricane": "AHM-V8",
    "turn_cap": "AHM-45",
}
"""How a game can end, each with its rule."""


def layout(state: State) -> Layout:
    """Return where each piece lies: ships in play, wrecks, treasures, dice waiting to be used."""
    position = state.position
    ships = {stack.cell: (stack.fleet,) * stack.size for stack in position.ships}
    treasures = {treasure.place for treasure in position.treasures}
    cells: dict[Cell, CellContent] = {
        cell: CellContent(
            ships.get(cell, ()),
            "wreck" if cell in position.wrecks else None,
            "treasure" if cell in treasures else None,
        )
        for cell in {*ships, *treasures, *position.wrecks}
    }
    return make_layout(cells, (Die(DIE.id, face) for face in state.dice))


def view(state: State, phase: str) -> View:
    """Return what everybody may know; this game has no secrets."""
    seats = []
    for seat, name in enumerate(state.names):
        player = PlayerId(seat)
        colours = tuple(fleet.colour for fleet in state.fleets_under(player))
        afloat = sum(s.size for s in state.position.ships if s.fleet in colours)
        seats.append(SeatView(player, name, colours, _scores(state, player), afloat))
    # A parlay, after the first roll, may still bring other fleets into the game.
    colours_stay = not isinstance(state.stage, RollingForFirst | Bargaining)
    notes = tuple(_notes(state))
    return View(phase, state.round, tuple(seats), notes, colours_stay=colours_stay)


def _scores(state: State, player: PlayerId) -> dict[str, int]:
    scores = {"captured": state.captured[player], "ships left": state.afloat[player]}
    if state.options.treasures > 1:
        goals = {destination(state.options, fleet) for fleet in state.fleets_under(player)}
        scores["treasures"] = sum(t.place in goals for t in state.position.treasures)
    return scores


def _notes(state: State) -> Iterator[str]:
    position = state.position
    occupied = position.occupied()
    for spot, here in groupby(position.treasures, attrgetter("place")):
        both = len(tuple(here)) > 1
        if is_harbour(spot):
            are = "Both treasures are" if both else "A treasure is"
            yield f"{are} home in {place(state, spot)}"
        elif is_island(spot):
            yield f"The treasure waits on {island(state, spot)}"
        else:
            held = ", held by the curse" if position.has_cursed(spot) else ""
            what = "both treasures" if both else "the treasure"
            yield f"{fleet_name(occupied[spot].fleet)} has {what} {at(state, spot)}{held}"
    waiting = [
        f"{fleet_name(fleet.colour)} {count}"
        for fleet, count in zip(state.fleets, position.reserve, strict=True)
        if count
    ]
    if waiting:
        yield f"In reserve: {listed(waiting)}"
    if state.options.chosen:
        yield f"Played with {listed(VARIANTS[name].title for name in state.options.chosen)}"
    if isinstance(state.stage, Finished):
        return
    for seat, count in enumerate(state.penalties):
        if count and state.afloat[seat]:
            turns = counted(count, "turn", "turns")
            yield f"{who(state, PlayerId(seat))} forfeits {turns}"


def outcome(state: State, stage: Finished) -> Outcome:
    """Return the result of a game that is over."""
    everybody = tuple(PlayerId(seat) for seat in range(len(state.names)))
    rest = tuple(seat for seat in everybody if seat not in stage.winners)
    names = listed(who(state, winner) for winner in stage.winners)
    what = "the treasure" if state.options.treasures == 1 else "the treasures"
    reasons = {
        "delivery": f"{names} brought {what} home",
        "last_afloat": f"Only {names} has ships left",
        "hurricane": "The hurricane has sunk the treasure: nobody wins",
        "turn_cap": f"A draw after {state.turns} turns",
    }
    placing = (stage.winners, rest) if rest else (stage.winners,)
    return Outcome(reasons[stage.how], ENDS[stage.how], placing)


def describe(state: State, action: Deed) -> str:
    """Name an action in plain words."""
    match action:
        case Roll():
            return f"{who(state, _roller(state))} rolls {faces(die.face for die in action.dice)}"
        case TossCoin():
            return f"The coin puts the treasure on board {action.board}"
    if action.player == CHANCE:
        return f"chance: {type(action).name}"
    return f"{who(state, action.player)}: {_choice(state, action)}"


def _roller(state: State) -> PlayerId:
    stage = state.stage
    if isinstance(stage, RollingForFirst):
        return stage.contenders[min(len(stage.faces), len(stage.contenders) - 1)]
    return state.player


def _choice(state: State, action: Deed) -> str:
    match action:
        case Run():
            return _run_text(state, action)
        case Deploy():
            return f"a null deploys a ship of {fleet_name(action.fleet)}"
        case LieTo():
            return "a null moves no ship"
        case Take():
            verb = "dig for" if state.options.buried_treasure else "take"
            return f"{verb} the treasure from {place(state, action.ship)}"
        case Done():
            return f"leave the treasure and {going_on(state)}"
        case SetPair():
            return f"turn the two nulls to {faces((action.low, action.high))}"
        case GiveUp():
            return f"lose the ship {at(state, action.ship)}"
        case WalkThePlank():
            return "walk the plank (forfeit a turn)"
        case PickVariant() | LeaveVariant():
            variant = VARIANTS.get(action.variant)
            title = variant.title if variant else action.variant
            return f"{'play' if isinstance(action, PickVariant) else 'leave out'} {title}"
    return type(action).name


def _run_text(state: State, action: Run) -> str:
    """Name a run and where it leads: ``"3 north from C6 to C3, captures a ship of Moons"``."""
    known = action.course in range(len(COURSE_NAMES))
    way = COURSE_NAMES[action.course] if known else "nowhere"
    stack = state.position.occupied().get(action.start)
    many = f"{action.ships} ships go " if action.ships > 1 else ""
    text = f"{many}{action.die} {way} from {place(state, action.start)}"
    if stack is not None and stack.size > action.ships and state.position.has_treasure(stack.cell):
        text += " with the treasure" if action.treasure else " without the treasure"
    if action not in state.uses:
        return text
    end = end_of(state.crew, action)
    assert end is not None
    text += f" to {place(state, end)}"
    there = state.position.occupied().get(end)
    if there is not None and there.fleet not in state.crew.own:
        text += f", captures {ships_of(there)}"
    return text
