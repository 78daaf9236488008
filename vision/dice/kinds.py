"""What the dice reader can tell: kinds of dice, and the signs that their faces show."""

from __future__ import annotations

from companion.errors import BadOptions, meant_of
from companion.rules.dice import FACE_NAMES, face_name, parse_kind
from companion.rules.layout import Die

COLOURS = tuple(FACE_NAMES["colour"].values())
"""Faces of the colour die, in order of their numbers from 0."""

FACES: dict[str, tuple[int, ...]] = {
    "d6": tuple(range(1, 7)),
    "d6_numeral": tuple(range(1, 7)),
    "piecepack": tuple(range(6)),
    "colour": tuple(range(6)),
    "sail": (2, 3, 4),
    "d4": tuple(range(1, 5)),
    "d4_barrel": tuple(range(1, 5)),
    "d8": tuple(range(1, 9)),
    "d10": tuple(range(10)),
    "d100": tuple(range(0, 100, 10)),
    "d12": tuple(range(1, 13)),
    "cannon": tuple(range(1, 6)),
    "d20": tuple(range(1, 21)),
}
"""Kinds of dice and the values of their faces.

``d6`` has pips, ``d6_numeral`` digits. ``sail`` and ``d4`` are tetrahedra that are read at the top
corner, ``d4_barrel`` is a rolling log, ``cannon`` an icosahedron numbered 1 to 5.
"""

SHAPES = {
    **dict.fromkeys(("d6", "d6_numeral", "piecepack", "colour"), "cube"),
    **dict.fromkeys(("sail", "d4"), "tetrahedron"),
    **dict.fromkeys(("cannon", "d20"), "icosahedron"),
    **dict.fromkeys(("d10", "d100"), "trapezohedron"),
    "d4_barrel": "log",
    "d8": "octahedron",
    "d12": "dodecahedron",
}
"""Solids: kinds of the same shape may be taken for each other where only one is expected."""

SOLIDS = tuple(dict.fromkeys(SHAPES.values()))
"""Shapes of dice, each once."""

NOTHING = "nothing"
"""The kind of what is no die, or cannot be told: cocked, hidden, stacked, still rolling."""
KINDS = (NOTHING, *FACES)
"""Classes of the network's first answer."""

CLOSE_KINDS = ("d8", "d10", "d100", "d12", "cannon", "d20")
"""Kinds whose numerals are small: the one on top is looked at from near."""
_NUMBERS = tuple(str(n) for n in (*range(21), *range(30, 100, 10)))
SIGNS = (
    *_NUMBERS,
    "00",
    *(f"{n} pips" for n in range(1, 7)),
    "blank",
    "ace",
    *COLOURS,
)
"""Classes of the network's second answer: what is to be seen on top, whatever the kind."""
CLOSE_SIGNS = ("none", *_NUMBERS, "00")
"""Classes of the network for close crops; the first one is no sign, or not the middle of one."""

PIP_SIGNS = ("none", *(f"{n} pips" for n in range(1, 7)))
"""Classes of the network that counts pips; the first one is anything else."""

PLAIN_SIGNS = ("none", "blank", *COLOURS)
"""Classes of the network for top sides without a sign: anything else, a die that has one colour,
and the top of one that has a colour a side."""


def sign_of(die: Die) -> str:
    """Return what a die shows on top.

    >>> sign_of(Die("d6", 4)), sign_of(Die("piecepack", 0)), sign_of(Die("cannon", 5))
    ('4 pips', 'blank', '5')
    """
    if die.kind == "d6":
        return f"{die.face} pips"
    if die == Die("piecepack", 0):
        return "blank"
    return face_name(die.kind, die.face)


def parse_kinds(text: str) -> tuple[str, ...]:
    """Read kinds of dice separated by commas; raises `BadOptions` for one that is not known."""
    kinds = tuple(parse_kind(part.strip()) for part in text.split(",") if part.strip())
    for kind in kinds:
        if kind not in FACES:
            raise BadOptions(f"there is no die {kind!r}; {meant_of(kind, FACES, 'there are')}")
    return kinds
