"""Boarding: who joins, gunfire, the melee, and what becomes of the ships (PWR-58 to PWR-66)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.rules.deeds import Deed
from companion.rules.game import Decision, Happening, PlayerId, Ruling, Step
from companion.rules.phases import Choice, no, stage_of
from companion.rules.pirate_wars.actions import CastOff, Commit, HoldBack, Press, Surrender
from companion.rules.pirate_wars.ashore.rousing import refuse_native
from companion.rules.pirate_wars.built.vessels import Fort
from companion.rules.pirate_wars.crew import (
    ALOFT,
    DECK,
    GUNS,
    Crew,
    Hand,
    changed,
    count_of,
    crew_size,
    merged,
    of,
    without,
)
from companion.rules.pirate_wars.dice import batches
from companion.rules.pirate_wars.fighting.losses import groups, those
from companion.rules.pirate_wars.fighting.native_melee import are_bones, cleft, target_against
from companion.rules.pirate_wars.fighting.prizes import captured
from companion.rules.pirate_wars.pieces import AFLOAT, LOADED
from companion.rules.pirate_wars.sailing.courses import is_touching
from companion.rules.pirate_wars.stages import (
    Committing,
    Fight,
    Pressing,
    Tasking,
    Throw,
    Throwing,
    Yielding,
)
from companion.rules.pirate_wars.state import State, design_of, hull_of, mate_of, with_ship
from companion.rules.pirate_wars.words import capital, ship_name, who
from companion.rules.plane import gap, outline_at
from companion.rules.words import counted

Told = tuple[Happening, ...]
DECK_GUN_DICE = "deck-gun"


def eligible(crew: Crew, *, attacking: bool) -> Crew:
    """Return who may join a boarding (PWR-59).

    Nobody from the gun deck or aloft but officers. Who has had a task in this phase cannot attack
    any more, but everybody defends the own deck.
    """
    return of(
        crew,
        lambda hand: (
            (hand.station not in (GUNS, *ALOFT) or hand.figure.always_boards)
            and not (attacking and hand.busy)
        ),
    )


def refuse_board(state: State, number: int, target: int) -> Ruling | None:
    """Refuse ships that do not touch, were rammed just now, or have fought already (PWR-52)."""
    mine, name = state.ships[number], capital(ship_name(state, number))
    if not 0 <= target < len(state.ships) or state.ships[target].player == mine.player:
        return no("PWR-52", "Board a ship of another side.")
    theirs, other = state.ships[target], ship_name(state, target)
    if theirs.fate != AFLOAT:
        return no("PWR-52", f"{capital(other)} is out of the battle.")
    if mine.prize:
        return no("PWR-97", "A captured ship takes no part in the battle.")
    if theirs.stunned:
        return no("PWR-52", "After a ramming, boarding begins in the next round.")
    if target in state.fought or mate_of(state, target) is not None:
        return no("PWR-58", f"{capital(other)} is engaged in a boarding already.")
    refusal = refuse_native(state, target)
    if refusal is None:
        refusal = refuse_entry(state, number, target)
    if refusal is not None:
        return refusal
    if not is_touching(state, number, target):
        return no("PWR-52", f"{name} and {other} do not touch.")
    if not eligible(mine.crew, attacking=True):
        return no("PWR-59", f"Nobody aboard {ship_name(state, number)} is free to board.")
    return None


def is_open(state: State, number: int, target: int) -> bool:
    """Tell whether a party stands before the broken doors of a fortress (PWR-121)."""
    design, fort = design_of(state, target), state.ships[target]
    if not isinstance(design, Fort) or not design.door or fort.boats:
        return False
    doors = outline_at(fort.pose, design.doors_mm)
    return gap(hull_of(state, number), doors) <= state.options.tolerance_mm


def refuse_entry(state: State, number: int, target: int) -> Ruling | None:
    """Refuse to enter a fortress but over its wall: a turn at its foot first (PWR-120)."""
    if design_of(state, target).kind != "fort":
        return None
    if design_of(state, number).kind != "party":
        return no("PWR-120", "A fortress is entered over its walls: set figures ashore first.")
    if is_open(state, number, target):
        return None
    if state.ships[number].moved:
        return no("PWR-120", "Who has just come to the wall stands on it at the end of next turn.")
    return None


def may_board(state: State, number: int, target: int) -> bool:
    """Tell whether a ship can declare a boarding of another."""
    return number != target and refuse_board(state, number, target) is None


def board(state: State, number: int, target: int) -> Step[State]:
    """Lash the ships together and begin; an empty ship is simply taken."""
    pair = (number, target)
    name, other = ship_name(state, number), ship_name(state, target)
    told: Told = (Happening(f"{capital(name)} boards {other}", "PWR-52"),)
    state = state._replace(fought=tuple(sorted((*state.fought, *pair))))
    if not state.ships[target].crew:
        return captured(state, number, target, told)
    state = state._replace(engaged=(*state.engaged, pair))
    return begin_round(state, Fight(pair, first=True), told)


def begin_round(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """Ask both sides who joins; until then everybody who may does."""
    crews = (
        eligible(state.ships[fight.ships[0]].crew, attacking=fight.first),
        eligible(state.ships[fight.ships[1]].crew, attacking=False),
    )
    fight = fight._replace(crews=crews)
    return Step(state._replace(stage=Committing(fight, 0)), told)


class CommitFigures(Choice[State, Deed]):
    """Each side says whom it keeps out of the boarding (PWR-59)."""

    name, rule, takes = "commit", "PWR-59", (HoldBack, Commit)

    def asked(self, state: State) -> PlayerId:
        """Return whose side commits."""
        stage = stage_of(state, Committing)
        return state.ships[stage.fight.ships[stage.side]].player

    def pending(self, state: State) -> Decision:
        """Ask; playing on commits everybody who is not held back."""
        stage, player = stage_of(state, Committing), self.asked(state)
        count = counted(crew_size(stage.fight.crews[stage.side]), "figure", "figures")
        text = f"{who(state, player)}: {count} fight; hold some back or begin"
        return Decision(player, self.name, text, passing=Commit(player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return going on, and holding back one or all of a group."""
        stage, player = stage_of(state, Committing), self.asked(state)
        ship = stage.fight.ships[stage.side]
        found: list[Deed] = [Commit(player)]
        for figure, station, there in groups(stage.fight.crews[stage.side]):
            for count in sorted({1, there}):
                found.append(HoldBack(player, ship, figure, station, count))
        return tuple(sorted(found))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse figures that are not committed."""
        if isinstance(action, Commit):
            return None
        assert isinstance(action, HoldBack)
        stage = stage_of(state, Committing)
        if action.ship != stage.fight.ships[stage.side]:
            return no(self.rule, "Hold back figures of the ship that commits now.")
        there = count_of(
            stage.fight.crews[stage.side],
            lambda h: (h.kind, h.station) == (action.figure, action.station),
        )
        if not 1 <= action.count <= there:
            return no(self.rule, f"{there} of them are committed from there.")
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Hold back, or ask the other side, or begin."""
        stage = stage_of(state, Committing)
        crews = list(stage.fight.crews)
        if isinstance(action, HoldBack):
            kept = those(crews[stage.side], action.figure, action.station, action.count)
            crews[stage.side] = without(crews[stage.side], kept)
            fight = stage.fight._replace(crews=(crews[0], crews[1]))
            return Step(state._replace(stage=Committing(fight, stage.side)))
        if stage.side == 0:
            return Step(state._replace(stage=Committing(stage.fight, 1)))
        return _begin(state, stage.fight)


def _begin(state: State, fight: Fight) -> Step[State]:
    """Take the committed figures off their stations; muskets and deck guns fire first."""
    for number, crew in zip(fight.ships, fight.crews, strict=True):
        ship = state.ships[number]
        state = with_ship(state, number, ship._replace(crew=without(ship.crew, crew)))
    sizes = [crew_size(crew) for crew in fight.crews]
    told = (Happening(f"{sizes[0]} against {sizes[1]} in the boarding", "PWR-59"),)
    throws = gun_throws(state, fight) if fight.first else ()
    if throws:
        state, fight = _emptied(state, fight)
        return Step(state._replace(stage=Throwing(fight, True, throws)), told)
    return melee(state, fight, told)


def gun_throws(state: State, fight: Fight) -> tuple[Throw, ...]:
    """Return the dice of muskets and deck guns, side by side and by target number (PWR-60)."""
    found = []
    for side, crew in enumerate(fight.crews):
        if are_bones(fight.crews[1 - side]):
            continue  # bullets do nothing to skeletons (PWR-138)
        dice: Counter[int] = Counter()
        for hand, count in crew:
            if "musket" in hand.figure.weapons and hand.loaded:
                dice[hand.figure.attack] += count
        for target, count in _deck_guns(state, fight, side):
            dice[target] += count
        found += _throws(side, dice)
    return tuple(found)


def _deck_guns(state: State, fight: Fight, side: int) -> list[tuple[int, int]]:
    """Return target number and dice of the loaded deck guns that somebody is there to fire."""
    number = fight.ships[side]
    guns = state.ships[number].guns[len(design_of(state, number).cannons) :]
    loaded = sum(gun.load == LOADED for gun in guns)
    crew = of(fight.crews[side], lambda hand: hand.figure.can_sail)
    if not loaded or not crew:
        return []
    weapon = state.options.charts.weapons[DECK_GUN_DICE]
    plain = min(hand.figure.attack for hand, _ in crew)
    return [(weapon.target_of(plain), weapon.dice * min(loaded, crew_size(crew)))]


def melee_throws(fight: Fight) -> tuple[Throw, ...]:
    """Return the dice of the melee: cutlasses, hooks and loaded pistols (PWR-61)."""
    found = []
    for side, crew in enumerate(fight.crews):
        dice: Counter[int] = Counter()
        foes = fight.crews[1 - side]
        for hand, count in crew:
            figure = hand.figure
            if are_bones(foes) and figure.role in ("captain", "lieutenant"):
                continue  # they cleave without dice (PWR-138)
            attacks = figure.melee_attacks(loaded_pistol=hand.loaded) * count
            dice[target_against(figure.attack, foes)] += attacks
        found += _throws(side, dice)
    return tuple(found)


def _throws(side: int, dice: Mapping[int, int]) -> list[Throw]:
    return [Throw(side, size, target) for target in sorted(dice) for size in batches(dice[target])]


def _emptied(state: State, fight: Fight) -> tuple[State, Fight]:
    """Empty the muskets of the committed and the deck guns of both ships."""

    def shot(hand: Hand) -> Hand:
        if "musket" not in hand.figure.weapons:
            return hand
        return hand._replace(loaded=hand.figure.always_loaded)

    crews = tuple(changed(crew, crew, shot) for crew in fight.crews)
    for number in fight.ships:
        ship, cannons = state.ships[number], len(design_of(state, number).cannons)
        deck = tuple(gun._replace(load=0) for gun in ship.guns[cannons:])
        state = with_ship(state, number, ship._replace(guns=(*ship.guns[:cannons], *deck)))
    return state, fight._replace(crews=(crews[0], crews[1]))


def melee(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """Throw for the melee; where one side has nobody, the round is decided."""
    mine, theirs = fight.crews
    fight = fight._replace(hits=(cleft(mine, theirs), cleft(theirs, mine)))
    if not all(fight.crews):
        return decided(state, fight, told)
    throws = melee_throws(fight)

    def spent(hand: Hand) -> Hand:
        pistol = "pistol" in hand.figure.weapons
        return hand._replace(loaded=hand.figure.always_loaded) if pistol else hand

    crews = tuple(changed(crew, crew, spent) for crew in fight.crews)
    fight = fight._replace(crews=(crews[0], crews[1]))
    return Step(state._replace(stage=Throwing(fight, False, throws)), told)


def decided(state: State, fight: Fight, told: Told = ()) -> Step[State]:
    """End the round: more committed figures left win it (PWR-64)."""
    left = [crew_size(crew) for crew in fight.crews]
    state = _back_aboard(state, fight)
    if left[0] == left[1]:
        text = f"{left[0]} against {left[1]}: nobody wins this round of boarding"
        return Step(state._replace(stage=Tasking()), (*told, Happening(text, "PWR-64")))
    winner = 0 if left[0] > left[1] else 1
    name = ship_name(state, fight.ships[winner])
    text = f"{capital(name)} wins the round of boarding, {max(left)} against {min(left)}"
    told = (*told, Happening(text, "PWR-64"))
    loser = fight.ships[1 - winner]
    if not state.ships[loser].crew:
        return captured(state, fight.ships[winner], loser, told)
    return Step(state._replace(stage=Pressing(fight._replace(crews=((), ())), winner)), told)


def _back_aboard(state: State, fight: Fight) -> State:
    """Bring those who fought back to their ships, on deck, with no task left."""

    def back(hand: Hand) -> Hand:
        return hand._replace(station=DECK, busy=True)

    for number, crew in zip(fight.ships, fight.crews, strict=True):
        ship = state.ships[number]
        aboard = changed(crew, crew, back)
        state = with_ship(state, number, ship._replace(crew=merged(ship.crew, aboard)))
    return state


class PressOn(Choice[State, Deed]):
    """The winner goes on or casts off (PWR-65)."""

    name, rule, takes = "press_on", "PWR-65", (Press, CastOff)

    def asked(self, state: State) -> PlayerId:
        """Return the winner."""
        stage = stage_of(state, Pressing)
        return state.ships[stage.fight.ships[stage.winner]].player

    def pending(self, state: State) -> Decision:
        """Ask the winner."""
        player = self.asked(state)
        text = f"{who(state, player)}: go on with the boarding, or cast off"
        return Decision(player, self.name, text, told=True)

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return both."""
        player = self.asked(state)
        return (Press(player), CastOff(player))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing."""
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Free the ships of each other, or ask the loser."""
        stage = stage_of(state, Pressing)
        if isinstance(action, CastOff):
            return Step(parted(state, stage.fight)._replace(stage=Tasking()), _parted_text())
        loser = stage.fight.ships[1 - stage.winner]
        crew = state.ships[loser].crew
        if not eligible(crew, attacking=False):
            text = f"Nobody aboard {ship_name(state, loser)} can fight any more"
            told = (Happening(text, "PWR-66"),)
            return captured(state, stage.fight.ships[stage.winner], loser, told)
        return Step(state._replace(stage=Yielding(stage.fight, stage.winner)))


def parted(state: State, fight: Fight) -> State:
    """Take the lashings off."""
    return state._replace(engaged=tuple(p for p in state.engaged if p != fight.ships))


def _parted_text() -> Told:
    return (Happening("The lashings are cut", "PWR-65"),)


class Yield(Choice[State, Deed]):
    """The loser fights on or surrenders (PWR-66)."""

    name, rule, takes = "yield", "PWR-66", (Press, Surrender)

    def asked(self, state: State) -> PlayerId:
        """Return the loser."""
        stage = stage_of(state, Yielding)
        return state.ships[stage.fight.ships[1 - stage.winner]].player

    def pending(self, state: State) -> Decision:
        """Ask the loser; playing on fights on in the next round."""
        player = self.asked(state)
        text = f"{who(state, player)}: fight on, or surrender the ship"
        return Decision(player, self.name, text, passing=Press(player))

    def actions(self, state: State) -> tuple[Deed, ...]:
        """Return both."""
        player = self.asked(state)
        return (Press(player), Surrender(player))

    def refuse(self, state: State, action: Deed) -> Ruling | None:
        """Refuse nothing."""
        return None

    def play(self, state: State, action: Deed) -> Step[State]:
        """Go on, or give the ship to the winner."""
        stage = stage_of(state, Yielding)
        if isinstance(action, Press):
            return Step(state._replace(stage=Tasking()))
        loser = stage.fight.ships[1 - stage.winner]
        text = f"{capital(ship_name(state, loser))} surrenders"
        told = (Happening(text, "PWR-66"),)
        return captured(state, stage.fight.ships[stage.winner], loser, told)


def unresolved(state: State) -> Fight | None:
    """Return the next fight the side on turn has to resolve in this round (PWR-37)."""
    for pair in state.engaged:
        own = any(state.ships[n].player == state.player for n in pair)
        if own and not set(pair) & set(state.fought):
            return Fight(pair, first=False)
    return None


def resumed(state: State, fight: Fight) -> Step[State]:
    """Go on with a boarding of an earlier round."""
    fought = tuple(sorted({*state.fought, *fight.ships}))
    return begin_round(state._replace(fought=fought), fight)
