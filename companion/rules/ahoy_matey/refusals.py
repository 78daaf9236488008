"""Why a die cannot be used so, or the treasure not be taken: rule and one plain sentence."""

from __future__ import annotations

from companion.rules.ahoy_matey.actions import Deploy, LieTo, Run, Take, Use
from companion.rules.ahoy_matey.crew import Crew
from companion.rules.ahoy_matey.fleets import destination
from companion.rules.ahoy_matey.position import Stack
from companion.rules.ahoy_matey.sea import (
    COURSE_NAMES,
    FIRST_CORNER,
    LAST_CORNER,
    WIND_NORTH_EAST,
    at_home,
    board_of,
    is_harbour,
    is_island,
    on_board,
)
from companion.rules.ahoy_matey.state import State
from companion.rules.ahoy_matey.uses import (
    clear_water,
    die_of,
    end_of,
    harbour_is_open,
    loads,
    may_land,
)
from companion.rules.ahoy_matey.words import (
    at,
    at_each,
    dice_shown,
    faces,
    fleet_name,
    place,
    ships_are,
    ships_of,
)
from companion.rules.game import Ruling
from companion.rules.layout import Cell
from companion.rules.phases import no
from companion.rules.squares import square_name, step
from companion.rules.words import capital, counted, listed


def refuse_use(state: State, use: Use) -> Ruling | None:
    """Return why a die cannot be used so, if it cannot."""
    if use in state.uses:
        return None
    if isinstance(use, Deploy):
        refusal = _refuse_deploy(state, use)
    elif isinstance(use, LieTo):
        refusal = _refuse_null(state)
    else:
        refusal = _refuse_run(state, use)
    return _stranding(state) if refusal is None else refusal


def refuse_done(state: State) -> Ruling | None:
    """Return why the turn cannot end now: a die can still be used."""
    if not state.uses:
        return None
    left = faces(sorted({die_of(use) for use in state.uses}), "or")
    return no("AHM-16", f"Dice are used as long as that is possible: {left} can still be used.")


def refuse_take(state: State, action: Take) -> Ruling | None:
    """Return why a ship cannot take the treasure now, if it cannot."""
    if action.ship in state.takers:
        return None
    position, sea = state.position, state.options.sea
    stack = _own_stack(state, action.ship, "AHM-30", "Only your own ships take the treasure")
    if isinstance(stack, Ruling):
        return stack
    if stack.cell not in sea.anchors:
        return no(
            "AHM-30",
            "The treasure is taken from an anchor square beside Skull Island, not"
            f" {at(state, stack.cell)}.",
        )
    board = sea.anchors[stack.cell]
    if not position.treasures:
        return no("AHM-V17", "The first ship to land on an anchor rolls for where the treasure is.")
    if not any(t.waits and board_of(t.place) == board for t in position.treasures):
        return no("AHM-30", "There is no treasure on this island to be taken.")
    rule = "AHM-V2" if state.options.buried_treasure else "AHM-V1"
    return no(rule, "This ship must land on an anchor anew before it takes the treasure.")


def _refuse_deploy(state: State, use: Deploy) -> Ruling | None:
    crew, position = state.crew, state.position
    index = crew.own.get(use.fleet)
    if index is None:
        return no("AHM-17", f"You deploy ships of your own: {_own_fleets(crew)}.")
    name = fleet_name(use.fleet)
    if 0 not in state.dice:
        return no(
            "AHM-17", f"A ship leaves the harbour on a null; the dice show {dice_shown(state)}."
        )
    if not position.reserve[index]:
        return no("AHM-13", f"{name} has no ship left in reserve.")
    harbour = crew.fleets[index].harbour
    there = position.occupied().get(harbour)
    if there is not None and there.fleet in crew.own and there.fleet != use.fleet:
        allies = ships_of(there)
        leave = f"{capital(allies)} must first leave {place(state, harbour)}."
        return no("AHM-19", leave)
    return None


def _own_fleets(crew: Crew) -> str:
    return listed(fleet_name(colour) for colour in crew.own)


def _refuse_null(state: State) -> Ruling | None:
    if 0 not in state.dice:
        return no(
            "AHM-18", f"Only a null moves a ship no square; the dice show {dice_shown(state)}."
        )
    crew, position = state.crew, state.position
    own = [stack for stack in position.ships if stack.fleet in crew.own]
    if any(loads(crew, position, stack) for stack in own):
        return None
    if any(isinstance(use, Deploy) for use in state.uses):
        return no("AHM-18", "No ship of yours could move, so the null can only deploy one.")
    return no("AHM-18", "No ship of yours could move, so the null cannot be used for that.")


def refuse_far_end(state: State, cell: Cell) -> Ruling | None:
    """Refuse the end of a strait on which nothing lies: it goes by its other end (AHM-9)."""
    if at_home(cell) != LAST_CORNER:
        return None
    end = on_board(FIRST_CORNER, (board_of(cell) + 1) % state.options.boards)
    return no(
        "AHM-9",
        f"The two ends of {place(state, end)} are one square: what stops there lies on"
        f" {square_name(end)}, and {square_name(cell)} stays empty.",
    )


def _own_stack(
    state: State,
    cell: Cell,
    rule: str = "AHM-21",
    why: str = "Dice are used on your own ships",
) -> Stack | Ruling:
    """Return the own ships on a square, or the refusal of a square without any."""
    crew = state.crew
    far_end = refuse_far_end(state, cell)
    if far_end is not None:
        return far_end
    if cell not in state.options.sea.squares:
        return no("AHM-6", f"{square_name(cell)} is not a square that ships sail on.")
    own = [stack for stack in state.position.ships if stack.fleet in crew.own]
    for stack in own:
        if stack.cell == cell:
            return stack
    yours = "you have none on the board"
    if own:
        be = "is" if sum(stack.size for stack in own) == 1 else "are"
        yours = f"yours {be} {at_each(state, (stack.cell for stack in own))}"
    there = state.position.occupied().get(cell)
    what = ships_are(there) if there else "no ship is"
    return no(rule, f"{why}: {what} {at(state, cell)}; {yours}.")


def _refuse_run(state: State, use: Run) -> Ruling | None:
    stack = _own_stack(state, use.start)
    if isinstance(stack, Ruling):
        return stack
    if use.die == 0:
        return no("AHM-18", "A null moves a ship no square.")
    if not state.dice:
        return no("AHM-21", "No die is left for a run.")
    if use.die not in state.dice:
        return no(
            "AHM-21",
            f"A run is exactly as long as a die shows: {dice_shown(state)}, not {use.die}.",
        )
    for refuse in (_refuse_load, _refuse_course, _refuse_way):
        refusal = refuse(state, stack, use)
        if refusal is not None:
            return refusal
    return None


def _refuse_load(state: State, stack: Stack, use: Run) -> Ruling | None:
    """Refuse ships or a treasure that cannot run together."""
    crew, position = state.crew, state.position
    if (use.ships, use.treasure) in loads(crew, position, stack):
        return None
    where = at(state, stack.cell)
    carried = [t for t in position.treasures if t.place == stack.cell and not t.is_home]
    if use.treasure and not carried:
        return no("AHM-30", f"No ship {where} has a treasure.")
    if not 1 <= use.ships <= stack.size:
        there = counted(stack.size, "ship of yours is", "ships of yours are")
        return no("AHM-21", f"{there} {where}, not {use.ships}.")
    if use.ships > 1 and not state.options.stacks:
        return no("AHM-21", "One die moves one ship.")
    if any(t.cursed for t in carried):
        return no("AHM-V3", f"The curse holds the treasure ship {where}.")
    return no("AHM-34", "The last ship takes the treasure with it.")


def _refuse_course(state: State, stack: Stack, use: Run) -> Ruling | None:
    """Refuse a line that does not lead so far."""
    if use.course not in range(len(COURSE_NAMES)):
        return no("AHM-21", f"Ships run in one direction: {listed(COURSE_NAMES, 'or')}.")
    sea, start = state.options.sea, place(state, stack.cell)
    course = sea.courses[use.start][use.course]
    if len(course) >= use.die:
        return None
    if use.course >= WIND_NORTH_EAST:
        if use.start not in sea.winds:
            here = at(state, use.start)
            return no("AHM-25", f"Only a ship in the Roaring 40s runs diagonally, not one {here}.")
        return no("AHM-25", f"From {start} the wind goes on for {len(course)}, not {use.die}.")
    last = course[-1] if course else use.start
    where = place(state, last)
    if is_harbour(last):
        return no(
            "AHM-24", f"A harbour is entered and left in a straight line: not beyond {where}."
        )
    beside = step(last, use.course)
    what = "Skull Island" if is_island(beside) else "the edge of the sea"
    rule = "AHM-6" if is_island(beside) else "AHM-5"
    return no(rule, f"After {where} comes {what}: that way leads {len(course)}, not {use.die}.")


def _refuse_way(state: State, stack: Stack, use: Run) -> Ruling | None:
    """Refuse a run into or through what lies there, or away from home with the treasure."""
    course = state.options.sea.courses[use.start][use.course]
    refusal = refuse_line(state, stack.fleet, course[: use.die])
    if refusal is None and use.treasure:
        return _refuse_treasure_run(state, stack, use)
    return refusal


def refuse_line(state: State, fleet: str, line: tuple[Cell, ...]) -> Ruling | None:
    """Return why a ship of a fleet cannot sail these squares to the last, if something is there."""
    crew, position = state.crew, state.position
    occupied = position.occupied()
    clear = clear_water(position, occupied, line)
    met = line[clear - 1]
    there = occupied.get(met)
    if clear < len(line) and there is not None:
        return no("AHM-22", f"A run does not pass a ship: {ships_are(there)} {at(state, met)}.")
    if met in position.wrecks and there is None:
        return no("AHM-V9", f"The wreck {at(state, met)} is in the way.")
    if not may_land(crew, position, fleet, met, there):
        return no("AHM-22", f"A ship of your own is {at(state, met)} already.")
    return None


def _refuse_treasure_run(state: State, stack: Stack, use: Run) -> Ruling | None:
    crew, position = state.crew, state.position
    end = end_of(crew, use)
    assert end is not None
    fleet = crew.fleets[crew.own[stack.fleet]]
    goal = place(state, destination(state.options, fleet))
    if use.die not in crew.homeward[stack.fleet][use.start][use.course]:
        if use.course >= WIND_NORTH_EAST:
            return no(
                "AHM-35",
                f"With the treasure a run with the wind must end nearer to {goal}, and no step of"
                " it may lead away.",
            )
        return no("AHM-34", f"With the treasure every step must lead towards {goal}.")
    if is_harbour(end) and not harbour_is_open(crew, position, end, position.occupied().get(end)):
        also = "" if state.options.delivery_ignores_reserve else ", the reserve included"
        return no("AHM-39", f"{goal.capitalize()} must be empty of ships{also}.")
    return None


def _stranding(state: State) -> Ruling:
    return no(
        "AHM-16",
        f"Used like this, more of the dice {faces(state.dice)} are lost than need be: begin with"
        " another die or another run.",
    )
