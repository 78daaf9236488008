"""The dice of a boarding and what they decide: gunfire, melee, the round (PWR-60 to PWR-64)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

from companion.rules.game import Happening, Step
from companion.rules.pirate_wars.crew import (
    DECK,
    STATIONS,
    THROWN,
    Crew,
    Hand,
    changed,
    crew_size,
    merged,
    moved_to,
    of,
)
from companion.rules.pirate_wars.dice import batches
from companion.rules.pirate_wars.fighting.boarding import at_place, eligible
from companion.rules.pirate_wars.fighting.losses import stations_hit
from companion.rules.pirate_wars.fighting.native_melee import are_bones, cleft, target_against
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import LOADED
from companion.rules.pirate_wars.stages import Fight, Pressing, Tasking, Throw, Throwing
from companion.rules.pirate_wars.state import State, design_of, with_ship
from companion.rules.pirate_wars.words import (
    Told,
    fight_named,
    ship_name,
    station_named,
    verb_of,
)
from companion.rules.words import capital

DECK_GUN = "deck-gun"


def gun_throws(state: State, fight: Fight) -> tuple[Throw, ...]:
    """Return the dice of muskets and deck guns, side by side and by target number (PWR-60)."""
    found = []
    for side, crew in enumerate(fight.crews):
        if not fires(fight, side):
            continue
        dice: Counter[int] = Counter()
        musket = state.options.charts.weapons["musket"]
        for hand, count in crew:
            if hand.is_ready("musket"):
                dice[musket.target_of(hand.figure.attack)] += musket.dice * count
        guns = deck_guns_fired(state, fight, side)
        if guns:
            weapon = state.options.charts.weapons[DECK_GUN]
            plain = min(hand.figure.attack for hand, _ in _gunners(crew))
            dice[weapon.target_of(plain)] += weapon.dice * len(guns)
        found += _throws(side, dice)
    return tuple(found)


def fires(fight: Fight, side: int) -> bool:
    """Tell whether a side uses firearms, the pistols of the melee too (PWR-60, PWR-61).

    No bullet hurts skeletons, and nobody stands with them on a side (PWR-133, PWR-138).
    """
    return not are_bones(fight.crews[1 - side])


def deck_guns_fired(state: State, fight: Fight, side: int) -> list[int]:
    """Return the loaded deck guns of a side that somebody is there to fire, by number."""
    number = fight.ships[side]
    cannons, guns = len(design_of(state, number).cannons), state.ships[number].guns
    loaded = [gun for gun in range(cannons, len(guns)) if guns[gun].load == LOADED]
    return loaded[: crew_size(_gunners(fight.crews[side]))] if fires(fight, side) else []


def _gunners(crew: Crew) -> Crew:
    return of(crew, lambda hand: hand.figure.can_sail)


def melee_throws(fight: Fight) -> tuple[Throw, ...]:
    """Return the dice of the melee: cutlasses, hooks and loaded pistols (PWR-61).

    Skeletons are hacked apart with cutlasses and hooks alone (PWR-138).
    """
    found = []
    for side, crew in enumerate(fight.crews):
        dice: Counter[int] = Counter()
        foes = fight.crews[1 - side]
        for hand, count in crew:
            figure = hand.figure
            if are_bones(foes) and figure.role in ("captain", "lieutenant"):
                continue  # they cleave without dice (PWR-138)
            if hand.hampered == THROWN:
                continue  # it has thrown its spear (PWR-132)
            bones = not fires(fight, side)
            attacks = figure.melee_attacks(loaded_pistol=hand.loaded, on_bones=bones)
            dice[target_against(figure.attack, foes)] += attacks * count
        found += _throws(side, dice)
    return tuple(found)


def _throws(side: int, dice: Mapping[int, int]) -> list[Throw]:
    return [Throw(side, size, target) for target in sorted(dice) for size in batches(dice[target])]


def melee(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """Throw for the melee; where one side has nobody, the round is decided."""
    mine, theirs = fight.crews
    fight = fight._replace(hits=(cleft(mine, theirs), cleft(theirs, mine)))
    if not all(fight.crews):
        return decided(state, fight, told)
    throws = melee_throws(fight)

    def spent(hand: Hand) -> Hand:
        return hand.emptied("pistol") if hand.is_ready("pistol") else hand

    crews = [
        changed(crew, crew, spent) if fires(fight, side) else crew
        for side, crew in enumerate(fight.crews)
    ]
    fight = fight._replace(crews=(crews[0], crews[1]))
    return Step(state._replace(stage=Throwing(fight, False, throws)), told)


def decided(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """End the round: more committed figures left win it (PWR-64)."""
    left = [crew_size(crew) for crew in fight.crews]
    state, named = _back_aboard(state, fight), fight_named(state, fight.ships)
    if left[0] == left[1]:
        text = f"{left[0]} against {left[1]}: nobody wins this round of {named}"
        told = (*told, Happening(text, "PWR-64"))
        state, more = _reinforced(state, fight)
        return Step(state._replace(stage=Tasking()), (*told, *more))
    winner = 0 if left[0] > left[1] else 1
    name = capital(ship_name(state, fight.ships[winner]))
    wins = verb_of(state, fight.ships[winner], "wins")
    text = f"{name} {wins} the round of {named}, {max(left)} against {min(left)}"
    told = (*told, Happening(text, "PWR-64"))
    loser = fight.ships[1 - winner]
    if not state.ships[loser].crew:
        return captured(state, fight.ships[winner], loser, told)
    if not at_place(state, loser, fight.ships[winner]):
        # The rest of a garrison is elsewhere in the fortress.
        text = f"Nobody of {ship_name(state, loser)} is left {_where(state, fight)}"
        state = parted(state, fight)._replace(stage=Tasking())
        return Step(state, (*told, Happening(text, "PWR-122")))
    return Step(state._replace(stage=Pressing(fight._replace(crews=((), ())), winner)), told)


def _reinforced(state: State, fight: Fight) -> tuple[State, Told]:
    """Where nobody is left who may fight, let those from below and aloft come on deck (PWR-66).

    Else the ships would be lashed together for ever. Where nobody is left at all they part.
    """
    crews = [state.ships[number].crew for number in fight.ships]
    if any(eligible(crew, attacking=False) for crew in crews):
        return state, ()
    if not any(crews):
        return parted(state, fight), (Happening("Nobody is left to fight: it is over", "PWR-66"),)
    for number, crew in zip(fight.ships, crews, strict=True):
        ship = state.ships[number]
        state = with_ship(state, number, ship._replace(crew=moved_to(crew, DECK)))
    return state, (Happening("Those from below and aloft come on deck to fight", "PWR-66"),)


def parted(state: State, fight: Fight) -> State:
    """Take the lashings off."""
    return state._replace(engaged=tuple(p for p in state.engaged if p != fight.ships))


def _where(state: State, fight: Fight) -> str:
    """Say where in a fortress a melee is fought."""
    parties = (state.ships[number] for number in fight.ships)
    return station_named(next(party.station for party in parties if party.is_inside))


def _back_aboard(state: State, fight: Fight) -> State:
    """Bring those who fought back to their ships, on deck, with no task left.

    Ashore they stay where they fought, in a fortress or behind their cargo; and nobody leaves a
    place where figures were hit in this phase, since that takes effect at its end (PWR-36).
    """
    for number, crew in zip(fight.ships, fight.crews, strict=True):
        ship, aboard_ship = state.ships[number], design_of(state, number).kind == "ship"
        stay = stations_hit(state, number) if aboard_ship else {*STATIONS}
        aboard = changed(crew, crew, partial(_spent, stay=stay))
        state = with_ship(state, number, ship._replace(crew=merged(ship.crew, aboard)))
    return state


def _spent(hand: Hand, stay: set[str]) -> Hand:
    return hand._replace(station=hand.station if hand.station in stay else DECK, busy=True)
