"""Everyone aboard a ship, counted: who stands where, whose weapon is loaded, who has had a task.

Figures that agree in all of that are one entry, so a crew of thirty is a handful of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from companion.rules.pirate_wars.built.figures import FigureKind, hand_of, kind
from companion.rules.pirate_wars.built.ships import CASTLE_FIGURES, ShipDesign

HELM, DECK, CASTLE, NEST, GUNS = "helm", "deck", "castle", "nest", "guns"
STATIONS = (HELM, DECK, CASTLE, NEST, GUNS)
"""The helm, the main deck, the top castles, the crow's nest, the gun deck."""
ALOFT = (CASTLE, NEST)
SAILING = (HELM, DECK, CASTLE)
"""Where sails are worked and the ship is steered (PWR-81)."""
STATION_NAMES = {
    HELM: "at the helm",
    DECK: "on deck",
    CASTLE: "on the top castles",
    NEST: "in the crow's nest",
    GUNS: "on the gun deck",
}


class Hand(NamedTuple):
    """What is the same of some figures."""

    kind: str
    station: str
    loaded: bool = False
    """Its musket or pistol is loaded."""
    busy: bool = False
    """It has had its task in this phase (PWR-56)."""

    @property
    def figure(self) -> FigureKind:
        """What it is."""
        return kind(self.kind)


Crew = tuple[tuple[Hand, int], ...]
"""Hands and how many, sorted."""
Test = Callable[[Hand], bool]

_CREW_ORDER = ("sailor", "pirate", "marine", "mate", "lieutenant", "captain")
_FALL_ORDER = (*_CREW_ORDER, "skeleton", "warrior", "shaman", "kahuna")


def make_crew(counts: Counter[Hand]) -> Crew:
    """Return a crew in its one order."""
    return tuple(sorted((hand, count) for hand, count in counts.items() if count))


def crew_size(crew: Crew) -> int:
    """Return how many they are."""
    return sum([count for _, count in crew])


def count_of(crew: Crew, test: Test) -> int:
    """Return how many figures pass a test."""
    return sum([count for hand, count in crew if test(hand)])


def has_role(crew: Crew, role: str) -> bool:
    """Tell whether a figure of a role is among them."""
    return any(hand.figure.role == role for hand, _ in crew)


def by_kind(crew: Crew) -> tuple[tuple[str, int], ...]:
    """Return how many there are of each kind, sorted."""
    counts: Counter[str] = Counter()
    for hand, count in crew:
        counts[hand.kind] += count
    return tuple(sorted(counts.items()))


def merged(crew: Crew, other: Crew) -> Crew:
    """Return both together."""
    return make_crew(Counter(dict(crew)) + Counter(dict(other)))


def without(crew: Crew, taken: Crew) -> Crew:
    """Return who is left when some go."""
    return make_crew(Counter(dict(crew)) - Counter(dict(taken)))


def picked(crew: Crew, count: int, rank: Callable[[Hand], object]) -> Crew:
    """Return so many figures, those that rank lowest first; all of them if they are fewer."""
    chosen: Counter[Hand] = Counter()
    for hand, there in sorted(crew, key=lambda entry: (rank(entry[0]), entry[0])):
        if count > 0:
            chosen[hand] = min(there, count)
            count -= there
    return make_crew(chosen)


def of(crew: Crew, test: Test) -> Crew:
    """Return those who pass a test."""
    return tuple([entry for entry in crew if test(entry[0])])


def changed(crew: Crew, who: Crew, change: Callable[[Hand], Hand]) -> Crew:
    """Return the crew with some of them changed: moved, loaded, busy."""
    counts = Counter(dict(crew)) - Counter(dict(who))
    for hand, count in who:
        counts[change(hand)] += count
    return make_crew(counts)


def rested(crew: Crew) -> Crew:
    """Return the crew at the beginning of a phase: nobody has had a task."""
    if not any(hand.busy for hand, _ in crew):
        return crew
    return changed(crew, of(crew, lambda hand: hand.busy), lambda hand: hand._replace(busy=False))


def wearied(crew: Crew) -> Crew:
    """Return the crew with every task spent."""
    return changed(crew, crew, lambda hand: hand._replace(busy=True))


def fall_rank(hand: Hand) -> tuple[object, ...]:
    """Return the house order in which figures fall: plain hands first, the Captain last."""
    figure = hand.figure
    worth = len(figure.weapons) + figure.has_hook
    return _FALL_ORDER.index(figure.role), worth, hand.loaded


def muster(design: ShipDesign) -> Crew:
    """Return the crew of a new ship at its stations, weapons loaded (PWR-21).

    One sailor steers, the others share the top castles and the deck (PWR-81); cannon crews stand
    at their cannons; officers and extras on deck.
    """
    hand = hand_of(design.side)
    sailors = design.sailors
    aloft = min(CASTLE_FIGURES * design.castles, max(sailors - 1, 0) // 2)
    posts: Counter[Hand] = Counter()
    posts[_fresh(hand.id, HELM)] += 1
    posts[_fresh(hand.id, CASTLE)] += aloft
    posts[_fresh(hand.id, DECK)] += sailors - 1 - aloft
    posts[_fresh(hand.id, GUNS if design.has_gun_deck else DECK)] += design.gunners
    posts[_fresh(hand.id, NEST)] += design.crows_nest
    for officer in design.officers:
        posts[_fresh(officer.id, DECK)] += 1
    for name, count in design.extras:
        posts[_fresh(name, DECK)] += count
    return make_crew(posts)


def _fresh(name: str, station: str) -> Hand:
    return Hand(name, station, kind(name).is_armed)


def boarded(figures: Iterable[tuple[str, int]]) -> Crew:
    """Return figures that climb aboard from the water: on deck, weapons wet, task spent."""
    return make_crew(
        Counter({Hand(name, DECK, kind(name).always_loaded, True): n for name, n in figures})
    )
