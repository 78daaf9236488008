"""What is different in a melee with natives: shields, tough chiefs, bones (PWR-131, 132, 138)."""

from __future__ import annotations

from companion.rules.pirate_wars.ashore.dead_island import SKELETON, cleaved, melee_target
from companion.rules.pirate_wars.ashore.islanders import shielded
from companion.rules.pirate_wars.crew import Crew, by_kind, count_of, crew_size, fall_rank


def target_against(attack: int, foes: Crew) -> int:
    """Return the target number of a figure in a melee with these foes.

    Shields count where most of the foes bear one (PWR-132); skeletons are easier to hit (PWR-138).
    """
    if are_bones(foes):
        return melee_target(attack)
    shields = count_of(foes, lambda hand: hand.figure.has_shield)
    return shielded(attack, 2 * shields > crew_size(foes))


def are_bones(crew: Crew) -> bool:
    """Tell whether a crew is skeletons."""
    return any(hand.kind == SKELETON for hand, _ in crew)


def cleft(crew: Crew, foes: Crew) -> int:
    """Return the skeletons that Captains and Lieutenants fell without dice (PWR-138)."""
    return min(cleaved(by_kind(crew)), crew_size(foes)) if are_bones(foes) else 0


def felled(crew: Crew, hits: int) -> int:
    """Return how many of a crew so many hits fell, the weakest first (PWR-131)."""
    fallen = 0
    for hand, count in sorted(crew, key=lambda entry: (fall_rank(entry[0]), entry[0])):
        taken = min(count, hits // hand.figure.hits)
        fallen += taken
        hits -= taken * hand.figure.hits
        if taken < count:
            break
    return fallen


def falls_in_order(crew: Crew) -> bool:
    """Tell whether nobody chooses who falls: natives lose their weakest first."""
    return any({"islander", "dead"} & {*hand.figure.sides} for hand, _ in crew)
