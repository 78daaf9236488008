"""What holds of gambits in every state that play can reach; see `sanity`."""

from __future__ import annotations

from companion.rules.articles_of_war.cards import (
    AFTER_ROLL,
    BEFORE_DICE,
    EFFECTS,
    ON_BOARDING,
    ON_REEF,
    TABLE,
    Effect,
)
from companion.rules.articles_of_war.gambits import gambit_of, ready, softens_loss
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.state import (
    FRESH,
    Boarding,
    ChoosingDice,
    DrawingCommodores,
    Drifted,
    OnReef,
    Rerolling,
    Spending,
    State,
    Window,
)
from companion.rules.writing import Findings


def gambits(state: State) -> Findings:
    """Yield what must hold of cards that are played."""
    stage, played = state.stage, list(state.memory.played)
    yield played == sorted(set(played)), "played gambits are sorted"
    held = all(gambit_of(state, colour) is not None for colour in played)
    yield held, "a gambit that nobody holds is played"
    yield not (played and isinstance(stage, DrawingCommodores)), "the battle has not begun"
    if isinstance(stage, Spending) and stage.fresh:
        rested = all(ship.duty == FRESH for ship in state.ships)
        again = ready(state, state.fleet.colour, AFTER_ROLL)
        yield rested and again is not None, "no gambit lets a die be rolled again"
    if isinstance(stage, Rerolling):
        effect = played_effect(state, state.fleet.colour)
        yield effect is not None and effect.reroll, "no gambit lets a die be rolled again"
        rested = all(ship.duty == FRESH for ship in state.ships)
        yield rested, "no ship has had dice yet"
    fight = stage.then if isinstance(stage, Window) else stage
    if isinstance(fight, Boarding):
        attack = (0, _boarding_more(state, fight.mover.colour))
        defence = (0, _boarding_more(state, fight.enemy))
        fits = fight.attack_more in attack and fight.defence_more in defence
        yield fits, "no gambit adds so much to a boarding"


def played_effect(state: State, colour: str) -> Effect | None:
    """Return the effect of a fleet's gambit that has been played."""
    card = gambit_of(state, colour)
    if card is None or card.effect == TABLE or colour not in state.memory.played:
        return None
    return EFFECTS[card.effect]


def more_dice(state: State) -> int:
    """Return the dice that the played gambit of the fleet on turn may have added."""
    effect = played_effect(state, state.fleet.colour)
    return effect.more_dice if effect and effect.timing == BEFORE_DICE else 0


def _boarding_more(state: State, colour: str) -> int:
    effect = played_effect(state, colour)
    return effect.boarding if effect and effect.timing == ON_BOARDING else 0


def window(state: State, stage: Window) -> Findings:
    """Yield what must hold of fleets that are asked for their gambit."""
    then, asked = stage.then, stage.colours
    yield bool(asked), "a window asks a fleet"
    in_order = tuple(f.colour for f in state.fleets if f.colour in asked)
    yield asked == in_order, "fleets are asked in the order of their turns"
    for_loss = all(softens_loss(state, colour) for colour in asked)
    if isinstance(then, OnReef):
        yield asked == (then.mover.colour,), "the ship on the reef is asked"
        yield ready(state, asked[0], ON_REEF) is not None, "no gambit fits"
    elif isinstance(then, Boarding):
        roller = then.mover.colour if then.attack is None else then.enemy
        yield asked == (roller,) and roller != MERCHANT, "who rolls is asked"
        yield ready(state, roller, ON_BOARDING) is not None, "no gambit fits"
    elif isinstance(then, Drifted) and not for_loss:
        at = state.occupied().get(then.due[0]) if then.due else None
        yield asked == (at,), "the ship that has drifted over a reef is asked"
        yield ready(state, asked[0], ON_REEF) is not None, "no gambit fits"
    elif isinstance(then, Drifted):
        return
    else:
        yield then in (Spending(), ChoosingDice()), "no gambit is played at such a moment"
        yield for_loss, "no gambit fits"
