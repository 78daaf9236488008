"""Who sails: the kinds of figures, what they fight with and what they may do (PWR-4 to PWR-9).

The figure chart of the game was never found. Attacks follow from worked examples of the rules, but
for that of the sailor, which comes from a later descendant of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

Side = Literal["pirate", "imperial", "islander", "dead"]
"""Whom a figure fights for. Captains of the table command pirates or imperials."""

Groups = tuple[tuple[str, int], ...]
"""Kinds of figures and how many there are of each, sorted."""

FEMALE = "-female"
"""Ends the id of a kind whose pistols are always loaded (PWR-7)."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """A kind of figure: its role and what it carries."""

    id: str
    title: str
    """Name in plain words; its plural adds an s, or is `plural`."""
    plural: str
    role: str
    """``"captain"``, ``"lieutenant"``, ``"mate"``, ``"marine"``, ``"pirate"``, ``"sailor"``;
    ashore also ``"kahuna"``, ``"shaman"``, ``"warrior"``, ``"skeleton"``."""
    sides: tuple[Side, ...]
    attack: int
    """Target number of its attacks (PWR-4)."""
    melee: int = 1
    """Attacks with cutlass, spear or fists in a melee (PWR-5)."""
    weapons: tuple[str, ...] = ()
    """What it can fire, by the ids of `companion.rules.pirate_wars.built.weapons`."""
    has_hook: bool = False
    """One attack more in a melee (PWR-16)."""
    always_loaded: bool = False
    """Its pistols, bow or spears never need loading (PWR-7, PWR-132); a musket does."""
    shore_dots: int = 24
    """How far it walks on land in a turn (PWR-123)."""
    hits: int = 1
    """Hits that kill it (PWR-131)."""
    has_shield: bool = False
    """Lowers the target number of whoever fights it in a melee (PWR-132)."""

    @property
    def is_marine(self) -> bool:
        """Marines and their Lieutenant never sail and aboard ship never serve cannons (PWR-9)."""
        return self.role in ("marine", "lieutenant")

    @property
    def can_sail(self) -> bool:
        """It may sail and serve cannons aboard a ship (PWR-9)."""
        return self.role in ("captain", "mate", "pirate", "sailor")

    @property
    def moves_freely(self) -> bool:
        """Moving about the ship is no task for it (PWR-56)."""
        return self.role in ("captain", "mate")

    @property
    def always_boards(self) -> bool:
        """It may join a boarding from wherever it stands (PWR-59)."""
        return self.role in ("captain", "mate", "lieutenant")

    def stays_loaded(self, weapon: str) -> bool:
        """Tell whether a weapon of it never needs loading."""
        return self.always_loaded and weapon != "musket"

    @property
    def needs_no_loading(self) -> bool:
        """None of its weapons ever needs loading."""
        return self.always_loaded and "musket" not in self.weapons

    @property
    def lives_to_the_last(self) -> bool:
        """A Pirate Captain: sharks eat him last of all who were on his ship (PWR-95)."""
        return self.role == "captain" and "pirate" in self.sides

    @property
    def is_armed(self) -> bool:
        """It counts as an extra pirate with musket or pistol (PWR-8)."""
        return "musket" in self.weapons or "pistol" in self.weapons

    def melee_attacks(self, *, loaded_pistol: bool, on_bones: bool = False) -> int:
        """Return its attacks in a melee: cutlass, hook and a loaded pistol (PWR-61).

        `on_bones`: it fights skeletons, which no pistol hurts (PWR-138).

        >>> kind("lieutenant").melee_attacks(loaded_pistol=True)
        3
        >>> kind("lieutenant").melee_attacks(loaded_pistol=True, on_bones=True)
        2
        """
        pistol = "pistol" in self.weapons and (loaded_pistol or self.always_loaded)
        return self.melee + self.has_hook + (pistol and not on_bones)


_CREW: tuple[FigureKind, ...] = (
    FigureKind(
        "pirate-captain",
        "Pirate Captain",
        "Pirate Captains",
        "captain",
        ("pirate",),
        attack=5,
        melee=2,
        weapons=("pistol",),
        has_hook=True,
        shore_dots=18,  # a peg leg
    ),
    FigureKind(
        "imperial-captain",
        "Imperial Captain",
        "Imperial Captains",
        "captain",
        ("imperial",),
        attack=5,
        melee=2,
        weapons=("pistol",),
    ),
    FigureKind(
        "lieutenant",
        "Lieutenant",
        "Lieutenants",
        "lieutenant",
        ("imperial",),
        attack=5,
        melee=2,
        weapons=("pistol",),
    ),
    FigureKind(
        "first-mate",
        "First Mate",
        "First Mates",
        "mate",
        ("pirate", "imperial"),
        attack=4,
        weapons=("pistol",),
    ),
    FigureKind(
        "marine", "marine", "marines", "marine", ("imperial",), attack=4, weapons=("musket",)
    ),
    FigureKind("pirate", "pirate", "pirates", "pirate", ("pirate",), attack=3),
    FigureKind("sailor", "sailor", "sailors", "sailor", ("imperial",), attack=2),
)
_PIRATE = _CREW[5]

_ARMED_PIRATES: tuple[FigureKind, ...] = (
    replace(
        _PIRATE,
        id="pirate-musket",
        title="pirate with a musket",
        plural="pirates with muskets",
        weapons=("musket",),
    ),
    replace(
        _PIRATE,
        id="pirate-pistol",
        title="pirate with a pistol",
        plural="pirates with pistols",
        weapons=("pistol",),
    ),
    replace(
        _PIRATE,
        id="pirate-hook",
        title="pirate with a hook",
        plural="pirates with hooks",
        has_hook=True,
    ),
)


def _female(man: FigureKind) -> FigureKind:
    """Return the same role as a female figure: as many loaded pistols as she wants (PWR-7).

    That is her one special feature: she has the hook and the peg leg of the man, too.
    """
    return replace(
        man,
        id=man.id + FEMALE,
        title=f"female {man.title}",
        plural=f"female {man.plural}",
        weapons=tuple(sorted({*man.weapons, "pistol"})),
        always_loaded=True,
    )


_ASHORE: tuple[FigureKind, ...] = (
    FigureKind(
        "kahuna",
        "Kahuna",
        "Kahunas",
        "kahuna",
        ("islander",),
        attack=5,
        melee=2,
        weapons=("spear",),
        always_loaded=True,
        hits=3,
        has_shield=True,
    ),
    FigureKind(
        "shaman",
        "Shaman",
        "Shamans",
        "shaman",
        ("islander",),
        attack=5,
        melee=2,
        weapons=("spear",),
        always_loaded=True,
        hits=2,
        has_shield=True,
    ),
    FigureKind(
        "warrior",
        "warrior with spear and shield",
        "warriors with spears and shields",
        "warrior",
        ("islander",),
        attack=4,
        weapons=("spear",),
        always_loaded=True,
        has_shield=True,
    ),
    FigureKind(
        "warrior-bow",
        "warrior with a bow",
        "warriors with bows",
        "warrior",
        ("islander",),
        attack=4,
        weapons=("bow",),
        always_loaded=True,
    ),
    FigureKind("skeleton", "skeleton", "skeletons", "skeleton", ("dead",), attack=2),
)

KINDS: Mapping[str, FigureKind] = MappingProxyType(
    {k.id: k for k in (*_CREW, *_ARMED_PIRATES, *map(_female, _CREW), *_ASHORE)}
)
"""Every kind of figure by its id."""


def kind(figure: str) -> FigureKind:
    """Return the kind with this id, which is known to be one."""
    return KINDS[figure]


def crew_kinds(side: str) -> tuple[FigureKind, ...]:
    """Return the kinds that can sail on ships of a side."""
    return tuple(k for k in KINDS.values() if side in k.sides)


def captain_of(side: str) -> FigureKind:
    """Return what the Captain of a ship is."""
    return KINDS[f"{side}-captain"]


def hand_of(side: str) -> FigureKind:
    """Return what the sailors and the cannon crews of a ship are (PWR-4)."""
    return KINDS["pirate" if side == "pirate" else "sailor"]


def grouped(counts: Mapping[str, int]) -> Groups:
    """Return how many there are of each kind, sorted; kinds of which there is none left out."""
    return tuple(sorted((name, count) for name, count in counts.items() if count))
