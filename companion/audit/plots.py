"""Plots of an audit as SVG elements; their colours come from the page's style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import ceil, log10

from companion.audit.fair import ALPHA
from companion.audit.judging import DieAudit
from companion.audit.words import counts_words
from companion.rules.words import counted

WIDTH = 340.0
"""Units across; on a phone one of them is about a pixel."""
COUNTS_HEIGHT, PATH_HEIGHT = 170.0, 150.0
LEFT, RIGHT, TOP, BOTTOM = 34.0, 8.0, 14.0, 22.0
FACE_WIDE, NUMBER_WIDE, GAP = 6.2, 5.9, 2.0
"""Of one character below a bar and above it, and what stays free between two words."""
TIGHT = 0.9
"""Names that fill more than this part of their room are written smaller: letters of some phones are
wider, and names would run into one another."""
LEAST_SHOWN, MOST_SHOWN = -1.0, 2.0
"""Evidence that the plot always spans, base 10 logarithm."""
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
DEEPEST_SHOWN = -2.0
"""Evidence for a fair die keeps growing; the plot does not follow it down."""


def counts_plot(found: DieAudit) -> str:
    """Draw how often each face came, in front of the band in which a fair die's counts lie."""
    names, counts, band, is_out = found.names, found.counts, found.band, found.is_out
    top = 1.08 * max(max(counts), max(most for _, most in band), 1)
    step = (WIDTH - LEFT - RIGHT) / len(names)
    floor = COUNTS_HEIGHT - BOTTOM
    per_roll = (floor - TOP) / top
    parts = list(_grid(top, floor, per_roll))
    has_room = _wide(map(str, counts), NUMBER_WIDE) <= step
    wide_name = _wide(names, FACE_WIDE)
    apart = ceil(wide_name / step)
    labelled = _labelled(is_out, apart)
    tight = " tight" * (wide_name > TIGHT * apart * step)
    for k, (name, count, (least, most)) in enumerate(zip(names, counts, band, strict=True)):
        middle, out = LEFT + (k + 0.5) * step, " out" * is_out[k]
        bar, wide = step * 0.46, step * 0.84
        parts.append(
            _rect(
                "band", middle - wide / 2, floor - most * per_roll, wide, (most - least) * per_roll
            )
        )
        parts.append(
            _rect(f"bar{out}", middle - bar / 2, floor - count * per_roll, bar, count * per_roll)
        )
        if has_room or out:
            parts.append(_text("number", middle, floor - count * per_roll - 4, str(count)))
        if k in labelled:
            parts.append(_text(f"face{out}{tight}", middle, floor + 15, name))
    told = counts_words(names, counts)
    return _svg(COUNTS_HEIGHT, f"How often each face came. {told}", parts)


def _wide(texts: Iterable[str], character: float) -> float:
    """Return how wide the longest of some words is, with a little room beside it."""
    return max(map(len, texts)) * character + GAP


def _labelled(is_out: Sequence[bool], apart: int) -> set[int]:
    """Return which faces are named: all that are out of their bands, others as there is room.

    >>> sorted(_labelled([False] * 5, 2)), sorted(_labelled([False, False, False, True, False], 2))
    ([0, 2, 4], [0, 3])
    """
    named = {k for k, out in enumerate(is_out) if out}
    for k in range(len(is_out)):
        if all(abs(k - other) >= apart for other in named):
            named.add(k)
    return named


def path_plot(found: DieAudit) -> str:
    """Draw the evidence against the die over its rolls, with the line that means an alarm."""
    points = [(rolls, max(level, DEEPEST_SHOWN)) for rolls, level in found.path]
    alarm = -log10(ALPHA)
    low = min(LEAST_SHOWN, min(level for _, level in points))
    high = max(MOST_SHOWN, ceil(max(level for _, level in points)))
    floor = PATH_HEIGHT - BOTTOM
    per_roll = (WIDTH - LEFT - RIGHT) / max(points[-1][0], 1)
    per_level = (floor - TOP) / (high - low)

    def place(rolls: float, level: float) -> tuple[float, float]:
        return LEFT + rolls * per_roll, floor - (level - low) * per_level

    parts = []
    stride = max(1, ceil((high - low) / 5))
    for level in range(ceil(low), int(high) + 1, stride):
        y = place(0, level)[1]
        parts.append(_line("grid", LEFT, y, WIDTH - RIGHT, y))
        parts.append(_text("axis", LEFT - 4, y + 3, _odds(level)))
    y = place(0, alarm)[1]
    parts.append(_line("alarm", LEFT, y, WIDTH - RIGHT, y))
    # At the left, where the evidence begins at one.
    parts.append(_text("alarm-word", LEFT + 2, y - 4, f"alarm at {1 / ALPHA:.0f}"))
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(*point) for point in points))
    parts.append(f'<polyline class="path" points="{corners}"/>')
    parts.append(_text("face", LEFT, PATH_HEIGHT - 7, "0"))
    parts.append(
        _text("end", WIDTH - RIGHT, PATH_HEIGHT - 7, counted(points[-1][0], "roll", "rolls"))
    )
    now = found.path[-1][1]
    return _svg(
        PATH_HEIGHT, f"Evidence against the die after each roll; now {_odds_words(now)}", parts
    )


def _grid(top: float, floor: float, per_roll: float) -> Iterable[str]:
    """Draw a few lines at round counts."""
    step = _round_step(top / 5)
    count = 0
    while count <= top:
        y = floor - count * per_roll
        yield _line("grid", LEFT, y, WIDTH - RIGHT, y)
        yield _text("axis", LEFT - 4, y + 3, str(count))
        count += step


def _round_step(least: float) -> int:
    """Return the first of 1, 2, 5, 10, 20, 50 ... that is not less."""
    size = 1
    while True:
        for digit in (1, 2, 5):
            if digit * size >= least:
                return digit * size
        size *= 10


def _odds(level: int) -> str:
    """Write evidence as a factor: ``"100"``, ``"1/10"``, ``"10⁵"``."""
    if level > 3:
        return "10" + str(level).translate(SUPERSCRIPT)
    return str(10**level) if level >= 0 else f"1/{10**-level}"


def _odds_words(level: float) -> str:
    return f"{10**level:.3g} to 1" if level < 6 else f"more than 10 to the power of {int(level)}"


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" '
        f'aria-label="{escape(title)}">{"".join(parts)}</svg>'
    )


def _rect(kind: str, x: float, y: float, width: float, height: float) -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
        f'height="{max(height, 0.5):.1f}" rx="1.5"/>'
    )


def _line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def _text(kind: str, x: float, y: float, text: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'
