"""What follows what: after a spend, a lost ship, a turn, a round, a battle."""

from __future__ import annotations

from dataclasses import replace

from companion.rules.articles_of_war.cards import ON_REEF
from companion.rules.articles_of_war.gambits import ready, softens_loss
from companion.rules.articles_of_war.ocean import CENTRE
from companion.rules.articles_of_war.options import MERCHANT
from companion.rules.articles_of_war.order import turn_order
from companion.rules.articles_of_war.spends import spends
from companion.rules.articles_of_war.state import (
    DONE,
    FRESH,
    ChoosingDice,
    ClearingOcean,
    Drifted,
    Finished,
    PlacingGrudge,
    RollingWind,
    Ship,
    Spending,
    Stage,
    State,
    Storming,
    Window,
    earn,
    remember,
)
from companion.rules.articles_of_war.words import colour_name, dice_shown, who
from companion.rules.game import Happening, PlayerId, Step
from companion.rules.hexes import distance
from companion.rules.layout import Die

Told = tuple[Happening, ...]


def after_spend(state: State, told: Told = ()) -> Step[State]:
    """Go on once a spend is settled: end of battle, next spend or end of turn.

    `state.ships` must hold every ship that is still afloat.
    """
    state = replace(state, stage=Spending())
    if len(state.captains_afloat()) < 2:
        return end_battle(state, told)
    if any(True for _ in spends(state)):
        return Step(state, told)
    return _end_turn(state, told)


def settle(state: State, lost: tuple[str, ...], then: Stage, told: Told) -> Step[State]:
    """Go on with `then` after fleets have lost ships, once their gambits are played or not."""
    asked = tuple(
        f.colour for f in state.fleets if f.colour in lost and softens_loss(state, f.colour)
    )
    if asked:
        return Step(replace(state, stage=Window(asked, then)), told)
    return resume(state, then, told)


def resume(state: State, then: Stage, told: Told) -> Step[State]:
    """Go on after ships were lost: with the spending, the drift, or the turn after the storm."""
    if isinstance(then, Spending):
        return after_spend(state, told)
    if isinstance(then, Drifted):
        return drift_on(state, then, told)
    return _after_weather(state, told)


def _end_turn(state: State, told: Told) -> Step[State]:
    return pass_turn(state, (*told, *_forfeited(state)))


def _forfeited(state: State) -> Told:
    """Say which dice are left over at the end of a turn, each by its own rule.

    The sails of ships to which no way is open come first. The others are alike: one is the third
    of a last ship, as many as its card gave are a gambit's, and the rest those of lost ships.
    """
    dice = [Die("sail", face) for face in state.sails]
    dice += [Die("cannon", face) for face in state.cannons]
    third, more = int(state.memory.desperate), state.memory.more
    told: Told = ()
    for rule, share in (
        ("AOW-29", _wanted(state)),
        ("AOW-69", third),
        ("AOW-64", more - third),
        ("AOW-30", len(dice)),
    ):
        part, dice = dice[:share], dice[share:]
        if part:
            sails = tuple(die.face for die in part if die.kind == "sail")
            cannons = tuple(die.face for die in part if die.kind == "cannon")
            told = (*told, Happening(f"Forfeited: {dice_shown(sails, cannons)}", rule))
    return told


def _wanted(state: State) -> int:
    """Return how many dice the ships of the fleet on turn still want, though no way is open."""
    colour = state.fleet.colour
    duties = [ship.duty for ship in state.ships if ship.colour == colour and ship.duty < DONE]
    return sum(2 if duty == FRESH else 1 for duty in duties)


def pass_turn(state: State, told: Told = ()) -> Step[State]:
    """Let the next fleet begin its turn, or a new round begin."""
    turn = next_turn(state, state.turn + 1)
    if state.memory.more:
        state = remember(state, more=0, desperate=False)
    # Whoever comes earlier in the order, or again, opens a new round.
    opens = turn <= state.turn
    state = replace(
        state,
        ships=rested(state.ships),
        sails=(),
        cannons=(),
        turn=turn,
        round=state.round + opens,
    )
    return _open_round(state, told) if opens else _begin_turn(state, told)


def next_turn(state: State, first: int) -> int:
    """Return the index of the next fleet from `first` on that may act (AOW-13, AOW-32)."""
    count = len(state.fleets)
    turns = ((first + k) % count for k in range(count))
    return next(turn for turn in turns if _may_act(state, state.fleets[turn].colour))


def _may_act(state: State, colour: str) -> bool:
    if state.count(colour):
        return True
    return state.options.grudge and not state.is_grudge(colour)


def _begin_turn(state: State, told: Told) -> Step[State]:
    afloat = state.count(state.fleet.colour)
    stage = ChoosingDice() if afloat else PlacingGrudge()
    return Step(replace(state, stage=stage), told)


def _open_round(state: State, told: Told) -> Step[State]:
    """Let the weather come before the first turn of a round: wind, then storm (AOW-87)."""
    if state.options.wind != "none":
        return Step(replace(state, stage=RollingWind()), told)
    return _close_storm(state, told)


def drift_on(state: State, stage: Drifted, told: Told) -> Step[State]:
    """Go on with the next reef that a ship drifted over, or with the storm (AOW-82)."""
    if not stage.due:
        if len(state.captains_afloat()) < 2:
            return end_battle(state, told)
        return _close_storm(state, told)
    colour = state.occupied()[stage.due[0]]
    return Step(replace(state, stage=offered(state, colour, ON_REEF, stage)), told)


def offered(state: State, colour: str, timing: str, then: Stage) -> Stage:
    """Return the window in which a fleet may play its gambit first, or `then` at once."""
    return then if ready(state, colour, timing) is None else Window((colour,), then)


def _close_storm(state: State, told: Told) -> Step[State]:
    if not state.options.storm or state.count(MERCHANT):
        return _after_weather(state, told)
    before = state.memory.storm
    ring = state.options.radius if before is None else max(before - 1, 0)
    state = remember(state, storm=ring)
    text = f"A storm gathers round the ocean, at ring {ring}"
    if before is not None:
        text = f"The storm closes in to ring {ring}"
    told = (*told, Happening(text, "AOW-85"))
    if caught(state):
        return Step(replace(state, stage=Storming()), told)
    return _after_weather(state, told)


def caught(state: State) -> tuple[Ship, ...]:
    """Return the ships outside the storm's ring."""
    ring = state.edge
    return tuple(ship for ship in state.ships if distance(ship.cell, CENTRE) > ring)


def _after_weather(state: State, told: Told) -> Step[State]:
    if len(state.captains_afloat()) < 2:
        return end_battle(state, told)
    # The weather may have sunk the fleet that was to open the round.
    return _begin_turn(replace(state, turn=next_turn(state, state.turn)), told)


def rested(ships: tuple[Ship, ...]) -> tuple[Ship, ...]:
    """Return the ships with nothing done this turn."""
    return tuple(ship if ship.duty == FRESH else ship._replace(duty=FRESH) for ship in ships)


def end_battle(state: State, told: Told) -> Step[State]:
    """Pay the last afloat; then the game is over or the ocean is cleared (AOW-59, AOW-76)."""
    state = replace(state, ships=rested(state.ships), sails=(), cannons=())
    state = remember(state, more=0, desperate=False)
    winner = last_afloat(state)
    if winner is None:
        told = (*told, Happening(who_is_left(state), "AOW-61"))
    else:
        colour = state.colours_of(winner)[0]
        bonus = state.options.purse.last_afloat * state.memory.battle
        state, coins = earn(state, colour, bonus)
        rule = state.options.rule_of_end if state.memory.battle == 1 else "AOW-77"
        aside = ", grudge ships aside," if has_rival_grudges(state, winner) else ""
        text = f"{who(state, winner)} is the last afloat{aside} and wins the day"
        told = (*told, Happening(text, rule, coins))
    if state.memory.battle == state.options.battles:
        return Step(replace(state, stage=Finished()), told)
    order = turn_order(state.fleets, state.memory.battle + 1, duel=state.options.duel)
    first = colour_name(order[0].colour)
    told = (*told, Happening(f"{first} goes first in the next battle", "AOW-75"))
    return Step(replace(state, stage=ClearingOcean(), fleets=order, turn=0), told)


def last_afloat(state: State) -> PlayerId | None:
    """Return the only captain with ships, or ``None``; grudge ships do not count (AOW-84)."""
    captains = state.captains_afloat()
    return captains.pop() if len(captains) == 1 else None


def has_rival_grudges(state: State, winner: PlayerId | None) -> bool:
    """Say whether grudge ships of others than the winner are still afloat."""
    colours = {ship.colour for ship in state.afloat}.intersection(state.memory.grudges)
    return any(state.owner(colour) != winner for colour in colours)


def who_is_left(state: State) -> str:
    """Say who has ships when a battle is over; grudge ships are there but count for nobody."""
    winner = last_afloat(state)
    aside = has_rival_grudges(state, winner)
    if winner is None:
        return "Only grudge ships are left afloat" if aside else "Nobody has a ship left"
    name = who(state, winner)
    return (
        f"Only {name}'s ships and grudge ships are left" if aside else f"Only {name} has ships left"
    )
