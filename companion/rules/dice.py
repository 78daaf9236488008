"""Kinds of dice and their exact distributions. The rules never roll; they weigh rolls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb


@dataclass(frozen=True, slots=True)
class DieKind:
    """A kind of die: its name and the value printed on each of its faces."""

    id: str
    faces: tuple[int, ...]
    """One value per physical face, sorted; a value that repeats is likelier."""

    @property
    def values(self) -> tuple[int, ...]:
        """The different values, ascending."""
        return tuple(sorted(set(self.faces)))

    def distribution(self) -> tuple[tuple[int, Fraction], ...]:
        """Return ``(value, probability)`` in ascending order; probabilities sum to 1.

        >>> DieKind("sail", (2, 3, 3, 4)).distribution()
        ((2, Fraction(1, 4)), (3, Fraction(1, 2)), (4, Fraction(1, 4)))
        """
        counts = Counter(self.faces)
        return tuple((v, Fraction(counts[v], len(self.faces))) for v in sorted(counts))


D6 = DieKind("d6", tuple(range(1, 7)))
D8 = DieKind("d8", tuple(range(1, 9)))
D20 = DieKind("d20", tuple(range(1, 21)))
COLOUR = DieKind("colour", tuple(range(6)))

STANDARD_DICE = (
    DieKind("d4", tuple(range(1, 5))),
    DieKind("d4_barrel", tuple(range(1, 5))),
    D6,
    DieKind("d6_numeral", tuple(range(1, 7))),
    D8,
    DieKind("d10", tuple(range(10))),
    DieKind("d12", tuple(range(1, 13))),
    D20,
    DieKind("d100", tuple(range(0, 100, 10))),
    COLOUR,
)
"""Dice that are sold everywhere. A d10 shows 0 to 9, a d100 00 to 90."""

MOST_LISTED = 6
"""Values of a die beyond so many are not listed one by one, if each is one more than the last."""

FACE_NAMES: Mapping[str, Mapping[int, str]] = {
    "colour": dict(enumerate(("brown", "red", "orange", "green", "white", "yellow"))),
    "d100": {0: "00"},
    "piecepack": {0: "null", 1: "ace"},
}
"""Faces that people call otherwise than by their number, by kind."""


KIND_NAMES: Mapping[str, str] = {
    "cannon": "cannonball die",
    "colour": "colour die",
    "d4_barrel": "barrel d4",
    "d6_numeral": "d6 with digits",
    "piecepack": "piecepack die",
    "sail": "sail die",
}
"""Kinds that people call otherwise than commands and files do."""


KINDS_BY_NAME: Mapping[str, str] = {name: kind for kind, name in KIND_NAMES.items()} | {
    name.removesuffix(" die"): kind for kind, name in KIND_NAMES.items()
}
"""Kinds by what people call them; the longer names first."""


def parse_kind(text: str) -> str:
    """Return the kind of die that people call so; what nobody calls a die stays as it is.

    >>> parse_kind("Cannonball"), parse_kind("d6 with digits"), parse_kind("d20")
    ('cannon', 'd6_numeral', 'd20')
    """
    return KINDS_BY_NAME.get(" ".join(text.lower().split()), text)


def die_words(die: str) -> str:
    """Return what people call a kind of die, or one that is named by its look and kind.

    >>> die_words("d6_numeral"), die_words("green cannon 2"), die_words("red d20")
    ('d6 with digits', 'green cannonball die 2', 'red d20')
    """
    return " ".join(KIND_NAMES.get(word, word) for word in die.split())


def face_name(kind: str, face: int) -> str:
    """Return what people call a face of a kind of die.

    >>> face_name("colour", 3), face_name("piecepack", 0), face_name("d6", 3)
    ('green', 'null', '3')
    """
    return FACE_NAMES.get(kind, {}).get(face, str(face))


def parse_face(kind: DieKind, text: str) -> int | None:
    """Return the face of a die that people call so, by its name or number; ``None`` if none.

    >>> parse_face(COLOUR, "Green"), parse_face(COLOUR, "3"), parse_face(COLOUR, "purple")
    (3, 3, None)
    """
    known = {face_name(kind.id, value): value for value in kind.values}
    known |= {str(value): value for value in kind.values}
    return known.get(text.strip().lower())


def values_words(kind: DieKind) -> str:
    """List the values of a die, with what people call them where that is another word.

    >>> values_words(DieKind("piecepack", tuple(range(6))))
    '0 null, 1 ace, 2, 3, 4, 5'
    >>> values_words(D20)
    '1 to 20'
    >>> values_words(DieKind("odd", (1, 10**12)))
    '1, 1000000000000'
    """
    named = [(str(value), face_name(kind.id, value)) for value in kind.values]
    told = [value if value == name else f"{value} {name}" for value, name in named]
    first, last = kind.values[0], kind.values[-1]
    is_row = last - first < len(told) and told == [value for value, _ in named]
    return f"{first} to {last}" if is_row and len(told) > MOST_LISTED else ", ".join(told)


@cache
def pool_distribution(kind: DieKind, count: int) -> tuple[tuple[tuple[int, ...], Fraction], ...]:
    """Return all results of rolling `count` like dice at once, sorted, each a sorted tuple.

    Order in the tray means nothing, so a result is a multiset with its multinomial probability.

    >>> pool_distribution(DieKind("coin", (0, 1)), 2)
    (((0, 0), Fraction(1, 4)), ((0, 1), Fraction(1, 2)), ((1, 1), Fraction(1, 4)))
    """
    results: list[tuple[tuple[int, ...], Fraction]] = [((), Fraction(1))]
    faces = kind.distribution()
    for index, (value, p) in enumerate(faces):
        last = index == len(faces) - 1
        extended = []
        for values, mass in results:
            left = count - len(values)
            for k in range(left if last else 0, left + 1):
                extended.append((values + (value,) * k, mass * comb(left, k) * p**k))
        results = extended
    return tuple(sorted(results))
