"""What a die seems that is asked about, and what people at the table are told of it."""

from __future__ import annotations

from collections.abc import Iterable

HALF_HIDDEN, COCKED, STACKED = "half-hidden", "cocked", "stacked"
"""Something covers it, or it is cut off; it leans; it lies on something, or still rolls: in one
picture these two look alike."""
NO_DIE, UNCLEAR = "no die", "unclear"
"""It may be none; it lies well, but what it shows is not plain."""

_SAID = {
    HALF_HIDDEN: "a die is half hidden",
    COCKED: "a die is cocked",
    STACKED: "a die lies on something or still rolls",
    NO_DIE: "something lies there that may be no die",
    UNCLEAR: "what a die shows is not plain",
}
_UNKNOWN = "a die is cocked, covered or not plain"


def said_of(unsure: Iterable[str]) -> str:
    """Say what dice seem that cannot be told; empty where nobody knows.

    >>> said_of(["cocked", "half-hidden", "cocked"])
    'a die is cocked, and a die is half hidden'
    """
    parts = [_SAID.get(seems, _UNKNOWN) for seems in dict.fromkeys(unsure)]
    return ", and ".join(parts) or _UNKNOWN
