"""What cards do: a language of a dozen small words (PRV-64).

An effect is a frozen value. A card lists its effects, and they are carried out one after the other
for the captain whose card it is; `docs/cards.md` shows how each is written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

TRACKS = ("sails", "crew", "cannons", "hold")
"""The four tracks of a ship board (PRV-8)."""
SAILS, CREW, CANNONS, HOLD = range(4)
GOODS = ("rum", "paprika", "cinnamon", "tobacco", "sugar", "fruit")
"""The six cargo types in the order of the rules (PRV-5)."""
GOOD = {good: index for index, good in enumerate(GOODS)}
SORTED_GOODS = tuple(sorted(GOODS))
WINDS = ("none", "N", "E", "S", "W")
"""Where the wind blows to; ``"none"`` is neutral (PRV-32)."""
WHO = ("you", "others", "all")
CHOICE = "choice"
"""In place of a wind or a port: the captain chooses."""
ANY = "any"
"""In place of a good: the captain chooses, one at a time."""


@dataclass(frozen=True, slots=True)
class Effect:
    """Base of all effects."""

    do: ClassVar[str] = ""
    """Its name in card files; empty: rules use it, cards do not."""


@dataclass(frozen=True, slots=True)
class Silver(Effect):
    """Take silver from the bank; negative: pay, as far as the purse goes."""

    do = "silver"
    amount: int
    who: str = "you"


@dataclass(frozen=True, slots=True)
class Cargo(Effect):
    """Take goods from the bank, as far as hold and bank go; negative: give goods back to it."""

    do = "cargo"
    amount: int
    good: str = ANY
    who: str = "you"


@dataclass(frozen=True, slots=True)
class Wind(Effect):
    """Turn the wind (PRV-35)."""

    do = "wind"
    to: str


@dataclass(frozen=True, slots=True)
class Steps(Effect):
    """Move a marker on a track up (free of charge) or down, not beyond its ends."""

    do = "steps"
    track: str
    amount: int


@dataclass(frozen=True, slots=True)
class Moves(Effect):
    """Sail farther (negative: less far) this turn."""

    do = "moves"
    amount: int


@dataclass(frozen=True, slots=True)
class Skip(Effect):
    """Do not sail this turn; it ends once the card is carried out."""

    do = "skip"


@dataclass(frozen=True, slots=True)
class StealRelic(Effect):
    """Take a relic of your choice from another captain (PRV-62)."""

    do = "steal_relic"


@dataclass(frozen=True, slots=True)
class StealCargo(Effect):
    """Take goods of your choice from other captains, one at a time, as far as your hold goes."""

    do = "steal_cargo"
    amount: int


@dataclass(frozen=True, slots=True)
class StealSilver(Effect):
    """Take silver from another captain of your choice, as far as that purse goes."""

    do = "steal_silver"
    amount: int


@dataclass(frozen=True, slots=True)
class Trade(Effect):
    """Offer one of your goods for one of another captain's, who may refuse."""

    do = "trade"


@dataclass(frozen=True, slots=True)
class Move(Effect):
    """Your ship is moved to a port: a named one, one you choose, or the colour die's."""

    do = "move"
    to: str


@dataclass(frozen=True, slots=True)
class CrewTest(Effect):
    """Roll the white die and add the Crew rank; what follows depends on the total (PRV-63)."""

    do = "crew_test"
    target: int
    success: tuple[Effect, ...]
    fail: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class DrawBounty(Effect):
    """Draw the turn's bounty card (PRV-21). No card says so: every turn does."""


@dataclass(frozen=True, slots=True)
class Overboard(Effect):
    """Discard what the hold no longer has space for (PRV-56)."""


CARD_EFFECTS: tuple[type[Effect], ...] = (
    Silver,
    Cargo,
    Wind,
    Steps,
    Moves,
    Skip,
    StealRelic,
    StealCargo,
    StealSilver,
    Trade,
    Move,
    CrewTest,
)
"""What a card may say."""


class Job(NamedTuple):
    """An effect that is still to be carried out, and for whom."""

    player: int
    effect: Effect


Jobs = tuple[Job, ...]
