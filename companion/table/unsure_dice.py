"""What a die seems that is asked about, and what people at the table are told of it."""

from __future__ import annotations

from collections.abc import Iterable

HALF_HIDDEN, COCKED, STACKED = "half-hidden", "cocked", "stacked"
"""Something covers it, or it is cut off; it leans; it lies on something, or still rolls: in one
picture these two look alike."""
NO_DIE, UNCLEAR = "no die", "unclear"
"""It may be none; it lies well, but what it shows is not plain."""

_SAID = {
    HALF_HIDDEN: ("a die is half hidden", "uncover it"),
    COCKED: ("a die is cocked", "lay it flat"),
    STACKED: ("a die lies or leans on something, or still rolls", "lay it flat and apart"),
    NO_DIE: ("something lies there that may be no die", "take it away if it is none"),
    UNCLEAR: ("what a die shows is not plain", "give it more light, or say what it shows"),
}
"""What it is, and what to do."""
_UNKNOWN = "a die is cocked, covered or not plain", "lay the dice flat and apart"


def said_of(unsure: Iterable[str]) -> str:
    """Say what dice seem that cannot be told; of one of no known reason, what it may be.

    >>> said_of(["cocked", "half-hidden", "cocked"])
    'a die is cocked, and a die is half hidden'
    """
    return ", and ".join(_SAID.get(seems, _UNKNOWN)[0] for seems in dict.fromkeys(unsure))


def remedy_of(unsure: Iterable[str]) -> str:
    """Say what to do about dice that cannot be told.

    >>> remedy_of(["cocked", "cocked"]), remedy_of(["cocked", "half-hidden"])
    ('lay it flat', 'lay the dice flat and apart')
    """
    every = set(unsure)
    return _SAID.get(every.pop(), _UNKNOWN)[1] if len(every) == 1 else _UNKNOWN[1]
