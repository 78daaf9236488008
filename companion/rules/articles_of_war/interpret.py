"""What a captain may have meant who left the table so that no legal line explains it.

The nearest action is built from what changed, legal or not, and the rules are asked about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations

from companion.rules.articles_of_war.actions import (
    BuyThird,
    ChooseDice,
    Deed,
    Fire,
    PlaceFleet,
    PlaceTile,
    Press,
    Roll,
    Sail,
    roll,
)
from companion.rules.articles_of_war.phase import no
from companion.rules.articles_of_war.state import (
    BuyingThird,
    ChoosingDice,
    PlacingFleets,
    PlacingTile,
    Rolling,
    Spending,
    State,
    TakingPrize,
)
from companion.rules.articles_of_war.words import dice_shown
from companion.rules.game import LEGAL, PlayerId, Ruling
from companion.rules.hexes import DIRECTIONS, distance
from companion.rules.layout import Cell, Die, Layout

Check = Callable[[State, Deed], Ruling]
Change = tuple[Counter[str], Counter[str], str | None]
"""Ships that left a cell, ships that came to it, and the tile that came."""


def objection(state: State, expected: Layout, seen: Layout, check: Check) -> Ruling:
    """Return the refusal of the nearest action; `LEGAL` where none can be named.

    Parameters
    ----------
    state : State
        The battle.
    expected : Layout
        Its layout.
    seen : Layout
        The table as it lies.
    check : callable
        `ArticlesOfWar.check`.
    """
    changes = dict(_changes(expected, seen))
    for action in _candidates(state, changes, seen.dice):
        ruling = check(state, action)
        if not ruling:
            return ruling
        wrong = _wrong_die(state, action, seen.dice)
        if wrong:
            return wrong
    if changes or not isinstance(state.stage, Spending):
        return LEGAL
    left = dice_shown(state.sails, state.cannons)
    return no("AOW-29", f"Dice must be spent while one can be: left are {left}.")


def _changes(expected: Layout, seen: Layout) -> Iterator[tuple[Cell, Change]]:
    for cell in sorted(expected.cells.keys() | seen.cells.keys()):
        old, new = expected.at(cell), seen.at(cell)
        if old != new:
            before, after = Counter(old.ships), Counter(new.ships)
            tile = new.terrain if new.terrain != old.terrain else None
            yield cell, (before - after, after - before, tile)


def _candidates(state: State, changes: dict[Cell, Change], dice: tuple[Die, ...]) -> Iterator[Deed]:
    """Yield the actions, legal or not, that would change the table about so."""
    stage, player = state.stage, state.fleet.player if state.fleets else PlayerId(0)
    colour = state.colour_of(player)
    came = [cell for cell, (_, new, _) in changes.items() if new[colour]]
    if isinstance(stage, Spending):
        yield from _spends(state, changes, came)
    elif isinstance(stage, ChoosingDice) and dice:
        kinds = Counter(die.kind for die in dice)
        yield ChooseDice(player, kinds["sail"], kinds["cannon"])
    elif isinstance(stage, Rolling) and dice:
        yield roll(*dice)
    elif isinstance(stage, PlacingFleets):
        yield from (PlaceFleet(player, a, b) for a, b in permutations(came, 2))
    elif isinstance(stage, BuyingThird):
        yield from (BuyThird(player, cell) for cell in came)
    elif isinstance(stage, PlacingTile):
        tiles = [cell for cell, (_, _, tile) in changes.items() if tile == stage.tile]
        yield from (PlaceTile(player, cell) for cell in tiles)
    elif isinstance(stage, TakingPrize):
        winner = state.owner(stage.winner)
        came = [cell for cell, (_, new, _) in changes.items() if new[stage.winner]]
        if winner is not None:
            yield from (Press(winner, cell) for cell in came)


def _spends(state: State, changes: dict[Cell, Change], came: list[Cell]) -> Iterator[Deed]:
    player, colour = state.fleet.player, state.fleet.colour
    left = [cell for cell, (gone, _, _) in changes.items() if gone[colour]]
    for start in left:
        for end in sorted(came, key=lambda cell: distance(start, cell)):
            yield Sail(player, start, distance(start, end), _direction(start, end))
    for target, (gone, new, _) in changes.items():
        if not gone or new or gone[colour]:
            continue
        guns = [ship.cell for ship in state.ships if ship.colour == colour]
        aimed = [cell for cell in guns if _direction(cell, target) >= 0]
        for gun in aimed or guns:
            yield Fire(player, gun, distance(gun, target), _direction(gun, target))


def _direction(start: Cell, end: Cell) -> int:
    """Return the direction from one cell to another, -1 if they are not in a straight line."""
    length = distance(start, end)
    for index, (dq, dr) in enumerate(DIRECTIONS):
        if length and (start[0] + dq * length, start[1] + dr * length) == end:
            return index
    return -1


def _wrong_die(state: State, action: Deed, lying: tuple[Die, ...]) -> Ruling | None:
    """Object to a legal spend whose die still lies in the tray while another was taken out."""
    if isinstance(action, Roll) or not isinstance(action, Sail | Fire):
        return None
    kind = "sail" if isinstance(action, Sail) else "cannon"
    spent = Counter([Die(kind, action.die)])
    waiting = Counter(Die("sail", v) for v in state.sails)
    waiting.update(Die("cannon", v) for v in state.cannons)
    missing = waiting - spent - Counter(lying)
    if not missing:
        return None
    taken = min(missing)
    return no(
        "AOW-33" if kind == "sail" else "AOW-45",
        f"That was the {kind} {action.die}, but the {taken.kind} {taken.face} is out of the tray: "
        "swap them.",
    )
