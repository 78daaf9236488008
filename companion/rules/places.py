"""Places of an open table in words: exactly, as choices are named, and as people say them.

A choice must be told from every other one, so it names millimetres and degrees (`place_text`).
What was done is told by how far a piece went and whither (`as_said`), what may be done likewise
(`as_meant`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from math import atan2, degrees, hypot

from companion.rules.layout import Placed, Pose
from companion.rules.outlines import nearest_point, outline_at
from companion.rules.plane import bearing_deg, place, turn_deg

Pieces = Mapping[int, Placed]
"""Pieces of an open table by their tags."""

NEAR_MM = 200.0
"""Up to here a piece is said to lie beside another one."""
NO_WAY_MM = 5.0
"""A piece that moved less has only turned: nobody turns one without moving it a little."""
AIMED_DEG = 0.3
"""A way points at a piece if it misses its nearest edge by no more: it was rounded."""
COMPASS = (
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
    "north",
    "north-east",
)
"""Directions clockwise from +x; the top of the board is north."""

_EXACT = re.compile(r"(?:\b(?:to|at)|(, now at)) (-?[\d.]+), (-?[\d.]+) mm heading ([\d.]+)")
_CORNER = re.compile(r" by -?[\d.]+, -?[\d.]+")
_ANY = "|".join(sorted(COMPASS, key=len, reverse=True))  # "north-east" before "north"
_SAID = re.compile(
    rf"\d+ mm (?:{_ANY})(?: of [^,:;()]+)?(?:, bow (?:{_ANY}))?|(?:with her|,) bow (?:{_ANY})"
    rf"|-?\d+ mm from the left and -?\d+ mm from the top, bow (?:{_ANY})"
    r"|where it is drawn"
)


def place_text(pose: Pose) -> str:
    """Say exactly where a piece stands; `as_said` reads it behind "to" or "at".

    Behind ", now at" only the bow is said: the rules leave no choice of how far the piece goes.

    >>> place_text(Pose(210.4, 80, 271.3))
    '210.4, 80 mm heading 271.3'
    """
    return f"{pose.x_mm:g}, {pose.y_mm:g} mm heading {pose.heading_deg:g}"


def compass(heading_deg: float) -> str:
    """Name a direction.

    >>> compass(0), compass(271.3), compass(340)
    ('east', 'north', 'east')
    """
    return COMPASS[int(heading_deg % 360 / 45 + 0.5) % 8]  # `round` would have 67.5 and 112.5 alike


def as_said(text: str, before: Pieces, after: Pieces) -> str:
    """Say how far and whither pieces went, where a sentence says exactly where to.

    Parameters
    ----------
    text : str
        The sentence, with places by `place_text` and corners of a way as ``" by 120, 80"``.
    before, after : Pieces
        All pieces before and after what it tells.
    """
    moved = {tag: piece.pose for tag, piece in after.items() if before.get(tag) != piece}
    stay = {before[tag].pose for tag in before.keys() - moved.keys()}

    def said(match: re.Match[str]) -> str:
        only_bow, *place = match.groups()
        end = Pose(*map(float, place))
        if only_bow:
            return f", bow {compass(end.heading_deg)}"
        if end in stay:
            return "where it is drawn"
        if not moved:
            return match[0]
        tag = min(moved, key=lambda tag: _apart_mm(moved[tag], end))
        if tag in before:
            return _whither(before[tag].pose, end)
        return _beside(before, end) or f"with her bow {compass(end.heading_deg)}"

    return _EXACT.sub(said, _CORNER.sub("", text) if moved else text)


def as_meant(text: str, pieces: Pieces, tag: int) -> str:
    """Say how far and whither a piece is to go, where a sentence says exactly where to.

    Where a piece is put down and nothing is near, it is told how far from the edges. Of several
    places the first is that of the piece; where what it takes along comes to lie goes
    unsaid, as it follows from there.
    """
    first = _EXACT.search(text)
    if first is None:
        return text
    end = _end_of(first)
    if tag not in pieces and not _beside(pieces, end):
        return _EXACT.sub(_from_edges(end), text)
    goes = replace(pieces[tag], pose=end) if tag in pieces else Placed(end, "ship", "")
    rest = _EXACT.sub("", text[first.end() :]).rstrip()
    return as_said(text[: first.end()] + rest, pieces, {**pieces, tag: goes})


def as_aimed(text: str, pieces: Pieces, tag: int) -> str:
    """Say the same, and what tells it from what sounds like it.

    Which piece the way points at, else how far the piece turns; of one that is only put down, how
    far from the edges.
    """
    meant, first = as_meant(text, pieces, tag), _EXACT.search(text)
    if first is None or meant == text:
        return meant
    end = _end_of(first)
    if tag not in pieces:
        return _EXACT.sub(_from_edges(end), text)
    start = pieces[tag].pose
    return f"{meant}, {_aim(start, end, pieces, tag) or _turn(start, end)}"


def _end_of(found: re.Match[str]) -> Pose:
    return Pose(*map(float, found.groups()[1:]))


def _aim(start: Pose, end: Pose, pieces: Pieces, tag: int) -> str:
    """Say which piece a way points at; ``""`` if it points at none."""
    if _apart_mm(start, end) < NO_WAY_MM:
        return ""
    way = bearing_deg(place(start), place(end))
    for other, piece in pieces.items():
        shore = outline_at(piece.pose, piece.outline_mm)
        if other == tag or not shore:
            continue
        there = bearing_deg(place(start), nearest_point(place(start), shore))
        if abs(turn_deg(way, there)) <= AIMED_DEG:
            return f"towards {piece.name}"
    return ""


def _turn(start: Pose, end: Pose) -> str:
    """Say how far the bow turns, and to which side."""
    turn = round(turn_deg(start.heading_deg, end.heading_deg))
    side = "starboard" if turn > 0 else "port"
    return f"turned {abs(turn)} degrees to {side}" if turn else "straight on"


def _from_edges(pose: Pose) -> str:
    """Say where in the sea a piece stands, and where its bow points."""
    bow = compass(pose.heading_deg)
    return f"{pose.x_mm:.0f} mm from the left and {pose.y_mm:.0f} mm from the top, bow {bow}"


def names_places(text: str) -> bool:
    """Tell whether a sentence says exactly where a piece stands."""
    return bool(_EXACT.search(text))


def but_for_places(text: str) -> str:
    """Return what is said without the places in it, exact ones or not.

    >>> but_for_places("Ann: sail the Schooner 64 mm north-east, bow east (aground)")
    'Ann: sail the Schooner  (aground)'
    """
    return _SAID.sub("", _EXACT.sub("", _CORNER.sub("", text)))


def _whither(start: Pose, end: Pose) -> str:
    """Say how far and in which direction a piece went, and where its bow points if elsewhere."""
    away, bow = _apart_mm(start, end), compass(end.heading_deg)
    if away < NO_WAY_MM:
        return f"with her bow {bow}"
    way = _bearing(start, end)
    return f"{away:.0f} mm {way}" if way == bow else f"{away:.0f} mm {way}, bow {bow}"


def _beside(pieces: Pieces, end: Pose) -> str:
    """Say beside what a piece is put; ``""`` if nothing is near."""
    near = min(pieces.values(), key=lambda piece: _apart_mm(piece.pose, end), default=None)
    if near is None or (away := _apart_mm(near.pose, end)) > NEAR_MM:
        return ""
    bow = compass(end.heading_deg)
    return f"{away:.0f} mm {_bearing(near.pose, end)} of {near.name}, bow {bow}"


def _apart_mm(one: Pose, other: Pose) -> float:
    return hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)


def _bearing(start: Pose, end: Pose) -> str:
    return compass(degrees(atan2(end.y_mm - start.y_mm, end.x_mm - start.x_mm)))
