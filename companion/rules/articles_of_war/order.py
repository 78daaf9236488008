"""Who goes first and who follows (AOW-13, AOW-70, AOW-75)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.articles_of_war.state import Fleet


def turn_order(fleets: Sequence[Fleet], battle: int, *, duel: bool) -> tuple[Fleet, ...]:
    """Return the fleets in the order of their turns.

    Battle k of a campaign begins with the k-th lowest number, counting round again if there are
    fewer. From there it goes clockwise by seat; in The Duel the captains alternate, each with the
    lower of their remaining numbers.
    """
    numbers = sorted(fleet.number for fleet in fleets)
    opening = numbers[(battle - 1) % len(numbers)]
    first = next(fleet for fleet in fleets if fleet.number == opening)
    if duel:
        return _alternating(fleets, first)
    seats = sorted(fleets, key=lambda fleet: fleet.player)
    at = seats.index(first)
    return (*seats[at:], *seats[:at])


def _alternating(fleets: Sequence[Fleet], first: Fleet) -> tuple[Fleet, ...]:
    own = next(f for f in fleets if f.player == first.player and f != first)
    lower, higher = sorted(
        (f for f in fleets if f.player != first.player), key=lambda fleet: fleet.number
    )
    return first, lower, own, higher
