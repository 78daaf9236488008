"""Everyone aboard a ship, counted: who stands where, whose weapon is loaded, who has had a task.

Figures that agree in all of that are one entry, so a crew of thirty is a handful of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from companion.rules.pirate_wars.built.figures import FigureKind, Groups, grouped, hand_of, kind
from companion.rules.pirate_wars.built.fort_inside import FLOORS, PLACES, WALL, YARD
from companion.rules.pirate_wars.built.ships import CASTLE_FIGURES, ShipDesign

HELM, DECK, CASTLE, NEST, GUNS = "helm", "deck", "castle", "nest", "guns"
ABOARD = (HELM, DECK, CASTLE, NEST, GUNS)
"""Of a ship: the helm, the main deck, the top castles, the crow's nest, the gun deck."""
CLIMBING, COVER = "climbing", "cover"
"""Ashore: on the wall of a fortress (PWR-120); behind barrels and cargo (PWR-126)."""
STATIONS = (*ABOARD, CLIMBING, COVER, *PLACES)
"""Who is in a launch or in the open ashore is at `DECK`; `PLACES` are those of a fortress."""
ALOFT = (CASTLE, NEST)
SAILING = (HELM, DECK, CASTLE)
"""Where sails are worked and the ship is steered (PWR-81)."""
STATION_NAMES = {
    HELM: "at the helm",
    DECK: "on deck",
    CASTLE: "on the top castles",
    NEST: "in the crow's nest",
    GUNS: "on the gun deck",
    CLIMBING: "climbing the wall",
    COVER: "behind barrels and cargo",
    YARD: "in the yard",
    WALL: "on the wall",
} | {floor: f"on floor {number} of the tower" for number, floor in enumerate(FLOORS, 1)}

WALKED, FALLEN, THROWN = "walked", "fallen", "thrown"
HAMPERED = ("", WALKED, FALLEN, THROWN)


class Hand(NamedTuple):
    """What is the same of some figures."""

    kind: str
    station: str
    loaded: bool = False
    """Its musket or pistol is loaded."""
    busy: bool = False
    """It has had its task in this phase (PWR-56)."""
    hampered: str = ""
    """``"walked"``: in a fortress it went to another place in this turn and loads nothing
    (PWR-123); ``"fallen"``: it spends its next task phase standing up (PWR-125); ``"thrown"``: it
    has thrown its spear and strikes nobody in this turn (PWR-132)."""

    @property
    def figure(self) -> FigureKind:
        """What it is."""
        return kind(self.kind)

    def is_ready(self, weapon: str) -> bool:
        """Tell whether it has a weapon, loaded."""
        figure = self.figure
        return weapon in figure.weapons and (self.loaded or figure.stays_loaded(weapon))

    def emptied(self, weapon: str) -> Hand:
        """Return it after it has fired a weapon (PWR-18)."""
        return self._replace(loaded=self.loaded and self.figure.stays_loaded(weapon))


Crew = tuple[tuple[Hand, int], ...]
"""Hands and how many, sorted."""
Test = Callable[[Hand], bool]

_CREW_ORDER = ("sailor", "pirate", "marine", "mate", "lieutenant", "captain")
_FALL_ORDER = (*_CREW_ORDER, "skeleton", "warrior", "shaman", "kahuna")


def make_crew(counts: Counter[Hand]) -> Crew:
    """Return a crew in its one order."""
    return tuple(sorted((hand, count) for hand, count in counts.items() if count))


def crew_size(crew: Sequence[tuple[object, int]]) -> int:
    """Return how many they are, of a crew or of figures by kind."""
    return sum([count for _, count in crew])


def count_of(crew: Crew, test: Test) -> int:
    """Return how many figures pass a test."""
    return sum([count for hand, count in crew if test(hand)])


def has_role(crew: Crew, role: str) -> bool:
    """Tell whether a figure of a role is among them."""
    return any(hand.figure.role == role for hand, _ in crew)


def by_kind(crew: Crew) -> Groups:
    """Return how many there are of each kind, sorted."""
    counts: Counter[str] = Counter()
    for hand, count in crew:
        counts[hand.kind] += count
    return grouped(counts)


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


def standing_at(crew: Crew, station: str) -> Crew:
    """Return those at a station."""
    return of(crew, lambda hand: hand.station == station)


def group_of(crew: Crew, kind: str, station: str) -> Crew:
    """Return those of a kind at a station."""
    return of(crew, lambda hand: (hand.kind, hand.station) == (kind, station))


def changed(crew: Crew, who: Crew, change: Callable[[Hand], Hand]) -> Crew:
    """Return the crew with some of them changed: moved, loaded, busy."""
    counts = Counter(dict(crew)) - Counter(dict(who))
    for hand, count in who:
        counts[change(hand)] += count
    return make_crew(counts)


def rested(crew: Crew) -> Crew:
    """Return the crew at the beginning of a phase: nobody has had a task.

    Whoever has fallen over spends it standing up (PWR-125).
    """
    if not any(hand.busy or hand.hampered == FALLEN for hand, _ in crew):
        return crew

    def fresh(hand: Hand) -> Hand:
        lies = hand.hampered == FALLEN
        return hand._replace(busy=lies, hampered=hand.hampered if hand.hampered == WALKED else "")

    return changed(crew, crew, fresh)


def footloose(crew: Crew) -> Crew:
    """Return the crew at the beginning of a turn: nobody has walked yet (PWR-123)."""
    tired = of(crew, lambda hand: hand.hampered == WALKED)
    return changed(crew, tired, lambda hand: hand._replace(hampered="")) if tired else crew


def moved_to(crew: Crew, station: str) -> Crew:
    """Return the crew with everybody at one place."""
    return changed(crew, crew, lambda hand: hand._replace(station=station))


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
        Counter({Hand(name, DECK, kind(name).needs_no_loading, True): n for name, n in figures})
    )
