"""Which rule stands against a table that no legal line of play explains.

The nearest illegal action is guessed from what changed, and its refusal returned. A wrong guess
only makes a less helpful sentence; nothing that is applied here is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from companion.rules.ahoy_matey.actions import Deploy, Done, GiveUp, LieTo, Run, Take
from companion.rules.ahoy_matey.position import Stack
from companion.rules.ahoy_matey.refusals import refuse_far_end, refuse_line
from companion.rules.ahoy_matey.sea import LONGEST, WIND_NORTH_EAST, is_island
from companion.rules.ahoy_matey.state import GivingUp, Sailing, SettingPair, Stage, State
from companion.rules.ahoy_matey.view import layout
from companion.rules.ahoy_matey.words import at, dice_shown, faces, fleet_name, island, place
from companion.rules.changes import Change, Check, change
from companion.rules.deeds import Deed, Roll
from companion.rules.game import CHANCE, LEGAL, Ruling, Step
from companion.rules.layout import Cell, Layout
from companion.rules.phases import no

Apply = Callable[[State, Deed], Step[State]]
"""`companion.rules.game.Game.apply` of the game."""


def objection(state: State, seen: Layout, check: Check, apply: Apply, asked: Ruling) -> Ruling:
    """Return the refusal of the nearest illegal action, or `LEGAL`.

    `asked` is what to answer while nothing was done: what is to be done, and its rule.
    """
    seen_change = change(layout(state), seen)
    if seen_change.is_nothing:
        return asked
    for cell in (*(cell for _, cell in seen_change.came), *seen_change.cargo_came):
        far_end = refuse_far_end(state, cell)
        if far_end is not None:
            return far_end
    rolled = Roll(CHANCE, seen_change.rolled)
    if check(state, rolled):
        for ruling in _outstanding(state, apply(state, rolled).state, seen_change):
            return ruling
    guess = GUESSES.get(type(state.stage), _waiting)
    for ruling in guess(state, seen_change, check):
        if not ruling:
            return ruling
    return asked if not isinstance(state.stage, Sailing) else LEGAL


def _outstanding(state: State, later: State, seen: Change) -> Iterator[Ruling]:
    """Rule while the board does not show yet what the roll in the tray brings about."""
    due = change(layout(state), layout(later))
    for colour, cell in sorted({*due.gone} - {*seen.gone}):
        ship = f"the ship of {fleet_name(colour)} {at(state, cell)}"
        yield no("AHM-V8", f"The hurricane sinks {ship}: take it off the board.")
    for cell in sorted({*due.cargo_came} - {*seen.cargo_came}):
        if is_island(cell):
            yield no("AHM-V17", f"The treasure is on {island(state, cell)}: put it there.")
        else:
            yield no("AHM-V2", f"The ship {at(state, cell)} finds the treasure: put it there.")


def _waiting(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    """Rule while dice are to be rolled or something is to be told."""
    if seen.rolled:
        yield check(state, Roll(CHANCE, seen.rolled))
    if not (seen.gone or seen.came or seen.cargo_came):
        for cell in filter(is_island, seen.cargo_gone):
            yield no("AHM-13", f"The treasure waits on {island(state, cell)}: put it there.")
    if not (seen.gone and seen.came):
        # None has moved: one was lost or deployed by word, or is not set up yet.
        for colour, cell in seen.gone:
            ship = f"a ship of {fleet_name(colour)} belongs {at(state, cell)}"
            yield no("AHM-15", f"Before the roll {ship}: put it there.")
        for colour, cell in seen.came:
            ship = f"no ship of {fleet_name(colour)} belongs {at(state, cell)}"
            yield no("AHM-15", f"Before the roll {ship}: take it away.")
    if seen.gone or seen.came or seen.cargo_gone or seen.cargo_came:
        yield no("AHM-15", "The dice are rolled before any ship or treasure moves.")


def _squall(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    if seen.gone or seen.came or seen.cargo_gone or seen.cargo_came:
        yield no("AHM-V10", "The two nulls are turned before any ship or treasure moves.")


def _give_up(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    for _, cell in seen.gone:
        yield check(state, GiveUp(state.player, cell))
    if seen.came:
        yield no("AHM-V8", "The hurricane takes a ship away; no other moves now.")


def _sail(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    own = state.crew.own
    gone = [(colour, cell) for colour, cell in seen.gone if colour in own]
    came = [(colour, cell) for colour, cell in seen.came if colour in own]
    for colour, cell in seen.came:
        if colour not in own:
            yield no(
                "AHM-21",
                f"Dice are used on your own ships; the ship of {fleet_name(colour)}"
                f" {at(state, cell)} may not be moved.",
            )
    yield from _runs(state, seen, check, gone, came)
    if not gone:
        for colour, cell in came:
            yield _appeared(state, check, colour, cell)
    if not came:
        for colour, cell in seen.gone:
            rule, did = ("AHM-21", "takes away") if colour in own else ("AHM-23", "has captured")
            where = f"{fleet_name(colour)} {at(state, cell)}"
            yield no(rule, f"Nothing {did} the ship of {where}: put it back.")
    yield from _cargo(state, seen, check)
    yield from _tray(state, seen, check)


def _runs(
    state: State,
    seen: Change,
    check: Check,
    gone: list[tuple[str, Cell]],
    came: list[tuple[str, Cell]],
) -> Iterator[Ruling]:
    occupied = state.position.occupied()
    for colour, start in gone:
        for other, end in came:
            if colour == other:
                size = min(gone.count((colour, start)), came.count((other, end)))
                yield _ran(state, seen, check, occupied[start], end, size)


def _ran(state: State, seen: Change, check: Check, stack: Stack, end: Cell, size: int) -> Ruling:
    """Return why ships cannot have run so with one die."""
    start = stack.cell
    lines = state.options.sea.lines(start, end)
    if not lines:
        return _no_line(state, start, end)
    way, line = lines[0]
    length = len(line)
    if length > LONGEST:
        return _too_far(state, stack, way, line)
    laden = state.position.has_treasure(start) and (start in seen.cargo_gone or size == stack.size)
    meant = Run(state.player, start, length, way, size, laden)
    ruling = check(state, meant)
    spent = [die.face for die in seen.spent]
    if ruling and spent and length not in spent:
        shown = faces(spent)
        return no("AHM-21", f"That was a run of {length}, but the {shown} is out of the tray.")
    return ruling


def _too_far(state: State, stack: Stack, way: int, line: tuple[Cell, ...]) -> Ruling:
    """Return why ships cannot have sailed a line that is longer than a run."""
    rule, how = ("AHM-25", " with the wind") if way >= WIND_NORTH_EAST else ("AHM-21", "")
    names = f"{place(state, stack.cell)} to {place(state, line[-1])}"
    far = f"From {names} it is {len(line)} squares{how}"
    if len(line) > sum(state.dice):
        return no(rule, f"{far}, too far: the dice show {dice_shown(state)}.")
    longest = f"no run is longer than {LONGEST}: the dice show {dice_shown(state)}"
    blocked = refuse_line(state, stack.fleet, line)
    return no("AHM-22", f"{far}, and {longest}.") if blocked is None else blocked


def _no_line(state: State, start: Cell, end: Cell) -> Ruling:
    across, down = abs(start[0] - end[0]), abs(start[1] - end[1])
    names = f"{place(state, start)} to {place(state, end)}"
    if across == down and across:
        return no("AHM-25", f"Ships run diagonally only along a trade wind: not from {names}.")
    if across == 0 or down == 0:
        return no("AHM-22", f"Nothing but open sea lets a ship through: not from {names}.")
    return no("AHM-21", f"Each die is one straight run: not from {names}.")


def _appeared(state: State, check: Check, colour: str, cell: Cell) -> Ruling:
    harbour = state.crew.fleets[state.crew.own[colour]].harbour
    if cell == harbour:
        return check(state, Deploy(state.player, colour))
    return no("AHM-17", f"A ship enters the sea in its harbour, not {at(state, cell)}.")


def _cargo(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    """Rule on a treasure that has moved; on the run of its ship `_runs` has ruled."""
    occupied = state.position.occupied()
    left = {cell for _, cell in seen.gone}
    reached = {cell for colour, cell in seen.came if colour in state.crew.own}
    taken = any(is_island(cell) for cell in seen.cargo_gone) or not seen.cargo_gone
    for cell in seen.cargo_came if taken else ():
        if cell in occupied and cell not in reached:
            yield check(state, Take(state.player, cell))
        elif cell not in reached & state.options.sea.anchors.keys():
            yield no(
                "AHM-30",
                "Only a ship of yours at an anchor takes the treasure from Skull Island; none"
                f" is {at(state, cell)}.",
            )
        if state.options.buried_treasure:
            yield no("AHM-V2", "Roll a die to find the treasure before the ship takes it.")
    for cell in seen.cargo_gone:
        sailed = cell in left and reached.intersection(seen.cargo_came)
        if not sailed and not (is_island(cell) and seen.cargo_came):
            yield no("AHM-30", f"The treasure {at(state, cell)} stays with what carries it.")


def _tray(state: State, seen: Change, check: Check) -> Iterator[Ruling]:
    """Rule on dice where no ship has moved."""
    if seen.gone or seen.came:
        return
    for die in seen.spent:
        if die.face == 0:
            yield check(state, LieTo(state.player))
        else:
            yield no(
                "AHM-21",
                f"The {faces([die.face])} is out of the tray, but no ship has run {die.face}.",
            )
    if seen.rolled:
        yield check(state, Done(state.player))


GUESSES: dict[type[Stage], Callable[[State, Change, Check], Iterator[Ruling]]] = {
    Sailing: _sail,
    GivingUp: _give_up,
    SettingPair: _squall,
}
"""By stage; where there is none, dice are to be rolled or something is to be told."""
