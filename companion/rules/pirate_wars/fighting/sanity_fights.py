"""What holds while a boarding goes on."""

from __future__ import annotations

from companion.rules.pirate_wars.crew import Crew, crew_size
from companion.rules.pirate_wars.dice import MOST_DICE
from companion.rules.pirate_wars.fighting.losses import who_falls
from companion.rules.pirate_wars.pieces import AFLOAT
from companion.rules.pirate_wars.stages import (
    Committing,
    Culling,
    Fight,
    ManningPrize,
    Pressing,
    Throwing,
    Yielding,
)
from companion.rules.pirate_wars.state import State
from companion.rules.writing import Findings


def fights(state: State) -> Findings:
    """Yield what must hold of the stages of a boarding."""
    stage = state.stage
    if isinstance(stage, Committing | Throwing | Culling | Pressing | Yielding):
        yield from _fight(state, stage.fight)
    if isinstance(stage, Committing):
        yield stage.side in (0, 1), "a boarding has two sides"
        both = zip(stage.fight.ships, stage.fight.crews, strict=True)
        fit = all(_is_part(crew, state.ships[number].crew) for number, crew in both)
        yield fit, "figures fight that are not aboard"
    elif isinstance(stage, Throwing):
        yield bool(stage.throws), "there is nothing to throw for"
        for throw in stage.throws:
            sound = throw.side in (0, 1) and 1 <= throw.target <= 20
            yield sound and 1 <= throw.dice <= MOST_DICE, "dice cannot be thrown so"
    elif isinstance(stage, Culling):
        yield from _culling(state, stage)
    elif isinstance(stage, Pressing | Yielding):
        yield stage.winner in (0, 1), "a boarding has two sides"
        yield stage.fight.crews == ((), ()), "whoever fought is back aboard"
        loser = stage.fight.ships[1 - stage.winner]
        yield bool(state.ships[loser].crew), "nobody is left to lose"
    elif isinstance(stage, ManningPrize):
        ships = range(len(state.ships))
        yield stage.captor in ships and stage.prize in ships, "no such ship is taken"
        yield stage.captor != stage.prize and 0 <= stage.captured <= 1000, "no such ship is taken"
        yield not state.ships[stage.prize].crew, "the crew of a prize is out of the battle"


def _fight(state: State, fight: Fight) -> Findings:
    one, other = fight.ships
    ships = range(len(state.ships))
    yield one in ships and other in ships, "no such ships fight"
    yield state.ships[one].player != state.ships[other].player, "friends do not fight"
    yield fight.ships in state.engaged, "the ships are not lashed together"
    yield {one, other} <= set(state.fought), "ships that fight are noted"
    yield all(state.ships[n].fate == AFLOAT for n in fight.ships), "a ship in a boarding floats"
    yield all(0 <= hits <= 10_000 for hits in fight.hits), "successes are counted"
    for crew in fight.crews:
        hands = [hand for hand, _ in crew]
        known = hands == sorted(set(hands)) and all(0 < n <= 1000 for _, n in crew)
        yield known, "a crew is not written as it should be"
        sides = {side for hand in hands for side in hand.figure.sides}
        alone = not sides & {"islander", "dead"} or len(sides) == 1
        yield alone, "natives keep to themselves"


def _culling(state: State, stage: Culling) -> Findings:
    sizes = [crew_size(crew) for crew in stage.fight.crews]
    yield any(stage.owed), "nobody has to fall"
    fit = all(0 <= o <= n for o, n in zip(stage.owed, sizes, strict=True))
    yield fit, "more fall than fight"
    side = 0 if stage.owed[0] else 1
    crew = stage.fight.crews[side]
    to_choose = who_falls(state, crew, stage.owed[side]) is None
    yield to_choose, "nobody has to choose who falls"


def _is_part(crew: Crew, whole: Crew) -> bool:
    there = dict(whole)
    return all(count <= there.get(hand, 0) for hand, count in crew)
