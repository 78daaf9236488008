"""Sharks at the end of the morale phase (PWR-95)."""

from __future__ import annotations

from collections import Counter

from companion.rules.deeds import Odds, Roll
from companion.rules.game import ChanceRoll, Happening, Ruling, Step
from companion.rules.phases import Chance, stage_of
from companion.rules.pirate_wars.built.figures import grouped, kind
from companion.rules.pirate_wars.dice import MOST_DICE, faces_of, kinds, pool, refuse_dice
from companion.rules.pirate_wars.pieces import Shoal
from companion.rules.pirate_wars.stages import FeedingSharks
from companion.rules.pirate_wars.state import State
from companion.rules.pirate_wars.words import figures_named, who
from companion.rules.words import capital, counted

EATEN = (5, 6)
"""Faces on which a swimmer is eaten (PWR-95)."""


class FeedSharks(Chance[State, Roll]):
    """Dice for the figures of one ship that swim together (PWR-95)."""

    name, rule, takes = "sharks", "PWR-95", (Roll,)

    def pending(self, state: State) -> ChanceRoll:
        """Ask for the dice."""
        player, dice = _shoal(state).player, _dice(state)
        thrown = counted(dice, "d6", "d6")
        text = f"{who(state, player)}: sharks, throw {thrown}; each 5 or 6 eats a figure"
        return ChanceRoll(player, self.name, text, kinds(dice))

    def odds(self, state: State) -> Odds:
        """Return a throw for every number of figures eaten."""
        return pool(_dice(state), EATEN)

    def refuse(self, state: State, action: Roll) -> Ruling | None:
        """Refuse anything but a die for each swimmer."""
        return refuse_dice(action, _dice(state), self.rule)

    def play(self, state: State, action: Roll) -> Step[State]:
        """Take the eaten away: plain hands first, a Pirate Captain last of his ship."""
        number = stage_of(state, FeedingSharks).shoal
        count = sum(face in EATEN for face in faces_of(action))
        rest = _owed(state) - len(action.dice)
        before = state.shoals
        after = devoured(before, number, count)
        gone = Counter[str]()
        for old, new in zip(before, after, strict=True):
            gone += Counter(dict(old.figures)) - Counter(dict(new.figures))
        done = sum(bool(shoal.figures) for shoal in after[: number + (not rest)])
        shoals = tuple(shoal for shoal in after if shoal.figures)
        state = state._replace(shoals=shoals, stage=FeedingSharks(done, rest))
        text = f"{capital(figures_named(sorted(gone.items())))} eaten by sharks"
        return Step(state, (Happening(text, "PWR-95"),))


def hunted(state: State) -> State:
    """Begin with the sharks; shoals with a Pirate Captain come last (PWR-95)."""
    shoals = tuple(sorted(state.shoals, key=_holds_captain))
    return state._replace(shoals=shoals, stage=FeedingSharks(0))


def _holds_captain(shoal: Shoal) -> bool:
    return any(kind(name).lives_to_the_last for name, _ in shoal.figures)


def _shoal(state: State) -> Shoal:
    return state.shoals[stage_of(state, FeedingSharks).shoal]


def _owed(state: State) -> int:
    """Return the figures of the shoal that are still to be thrown for."""
    return stage_of(state, FeedingSharks).rest or _shoal(state).size


def _dice(state: State) -> int:
    return min(_owed(state), MOST_DICE)


def devoured(shoals: tuple[Shoal, ...], number: int, count: int) -> tuple[Shoal, ...]:
    """Return who is left in the water when so many of one shoal are eaten (PWR-95).

    A Pirate Captain lives to the last: others off his ship are eaten in his place.

    >>> from companion.rules.pirate_wars.state import PLAYERS
    >>> crew = Shoal(PLAYERS[0], 0, "pirate", (("first-mate", 1), ("pirate-captain", 1)), 0, 0)
    >>> [shoal.figures for shoal in devoured((crew,), 0, 1)]
    [(('pirate-captain', 1),)]
    """
    left = list(shoals)
    others = [n for n, s in enumerate(shoals) if s.ship == shoals[number].ship and n != number]
    for place, spares in (*[(n, True) for n in (number, *others)], (number, False)):
        left[place], count = _bitten(left[place], count, spares=spares)
    return tuple(left)


def _bitten(shoal: Shoal, count: int, *, spares: bool) -> tuple[Shoal, int]:
    """Return a shoal that has lost so many, plain hands first, and how many it did not have.

    `spares`: a Pirate Captain is not eaten.
    """
    left = dict(shoal.figures)
    for name in sorted(left, key=lambda n: (kind(n).attack, len(kind(n).weapons), n)):
        if not (spares and kind(name).lives_to_the_last):
            taken = min(left[name], count)
            left[name] -= taken
            count -= taken
    return shoal._replace(figures=grouped(left)), count
