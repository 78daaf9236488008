"""The suits of a piecepack, one of which stands on the ace of each of its dice."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from PIL import ImageFont

from vision.frame import Image

_DRAWN = 6
"""So many of each suit are drawn at a time, and so many of fonts."""
_SYMBOLS = {
    "sun": "\u2600\u263c",
    "moon": "\u263d\u263e",
    "crown": "\u2655\u265b",
    "arms": "\u269c",
    "other": "\u2660\u2663\u2665\u2666\u2605\u2693\u2620\u2618",
}
"""Signs of fonts that show a suit; there are packs with other suits, those of cards above all."""
_LEAST_INK = 40.0
"""Mean of what is drawn of a sign, of 255; outlines alone have less."""
_UNKNOWN = "\uffff"
"""What no font has."""


def drawn_suits(fonts: list[Path], rng: np.random.Generator) -> dict[str, list[Image]]:
    """Return pictures of each suit (uint8), drawn by hand in one way and another, and of fonts.

    A suit must be told however it is drawn: when one lily alone was learnt from, others were taken
    for a 4.
    """
    drawn = {suit: [draw(rng) for _ in range(_DRAWN)] for suit, draw in _BY_HAND.items()}
    drawn["other"] = [_heart()]  # there is always one
    for suit, signs in _SYMBOLS.items():
        of_fonts = [symbol for path in fonts for symbol in _symbols(path, signs)]
        rng.shuffle(of_fonts)
        drawn[suit] += of_fonts[:_DRAWN]
    return drawn


@lru_cache(maxsize=4096)
def _symbols(path: Path, signs: str) -> tuple[Image, ...]:
    """Return those signs that a font has, in strokes that can be seen."""
    font = ImageFont.truetype(str(path), 110)
    missing = bytes(font.getmask(_UNKNOWN))
    found = []
    for sign in signs:
        mask = font.getmask(sign)
        shown = np.asarray(mask, np.uint8).reshape(mask.size[::-1])
        if bytes(mask) != missing and shown.size and shown.mean() > _LEAST_INK:
            found.append(shown)
    return tuple(found)


def _blank() -> Image:
    return np.zeros((128, 128), np.uint8)


def _ends(middle: tuple[float, float], angle: float, *far: float) -> list[tuple[int, int]]:
    """Return points on a ray."""
    way = np.array([np.cos(angle), np.sin(angle)])
    return [tuple((np.array(middle) + r * way).astype(int).tolist()) for r in far]


def _heart() -> Image:
    heart, turn = _blank(), np.linspace(0, 2 * np.pi, 60)
    x = 16 * np.sin(turn) ** 3
    y = 13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn) - np.cos(4 * turn)
    outline = np.stack([64 + 3.6 * x, 60 - 3.6 * y], axis=1)
    cv2.fillPoly(heart, [outline.astype(np.int32)], 255, cv2.LINE_AA)
    return heart


def _sun(rng: np.random.Generator) -> Image:
    """Return a disc with rays: lines, or pointed."""
    sun, rays = _blank(), int(rng.integers(7, 17))
    inner, is_pointed = int(rng.integers(18, 34)), rng.random() < 0.5
    cv2.circle(sun, (64, 64), inner, 255, -1 if rng.random() < 0.8 else 6, cv2.LINE_AA)
    near, half = inner + float(rng.uniform(1, 10)), np.pi / rays * float(rng.uniform(0.4, 0.9))
    for k in range(rays):
        angle = 2 * np.pi * k / rays
        tip = _ends((64, 64), angle, near, 61)
        if is_pointed:
            feet = [_ends((64, 64), angle + side * half, near)[0] for side in (-1, 1)]
            cv2.fillPoly(sun, [np.array([*feet, tip[1]], np.int32)], 255, cv2.LINE_AA)
        else:
            cv2.line(sun, tip[0], tip[1], 255, int(rng.integers(5, 10)), cv2.LINE_AA)
    return sun


def _moon(rng: np.random.Generator) -> Image:
    """Return a crescent, thin or full, either way."""
    moon = _blank()
    cv2.circle(moon, (64, 64), 58, 255, -1, cv2.LINE_AA)
    off, size = float(rng.uniform(14, 36)), int(rng.integers(40, 54))
    (cut,) = _ends((64, 64), float(rng.choice([0.0, np.pi]) + rng.normal(0, 0.4)), off)
    cv2.circle(moon, cut, size, 0, -1, cv2.LINE_AA)
    return moon


def _crown(rng: np.random.Generator) -> Image:
    """Return a crown of three or five points, some with balls on them, some on a band."""
    crown, points = _blank(), int(rng.choice([3, 5]))
    tops = np.linspace(12, 116, points)
    high, low = rng.uniform(16, 40, points), float(rng.uniform(56, 76))
    line = [(8.0, 104.0)]
    for k, (x, y) in enumerate(zip(tops, high, strict=True)):
        line.append((float(x), float(y)))
        if k + 1 < points:
            line.append((float(tops[k] + tops[k + 1]) / 2, low))
    line.append((120.0, 104.0))
    cv2.fillPoly(crown, [np.array(line, np.int32)], 255, cv2.LINE_AA)
    if rng.random() < 0.5:
        for x, y in zip(tops, high, strict=True):
            cv2.circle(crown, (int(x), int(y)), int(rng.integers(6, 12)), 255, -1, cv2.LINE_AA)
    if rng.random() < 0.5:
        cv2.line(crown, (8, 92), (120, 92), 0, int(rng.integers(4, 8)), cv2.LINE_AA)
    return crown


def _arms(rng: np.random.Generator) -> Image:
    """Return a lily: a leaf, one that turns outward on either side, a band and a foot."""
    arms = _blank()
    middle, band = int(rng.integers(36, 46)), int(rng.integers(74, 86))
    cv2.ellipse(
        arms, (64, middle), (int(rng.integers(10, 18)), band - middle), 0, 0, 360, 255, -1,
        cv2.LINE_AA,
    )  # fmt: skip
    thick, wide = int(rng.integers(9, 20)), int(rng.integers(16, 26))
    for side in (-1, 1):
        if rng.random() < 0.35:
            leaf = (64 + side * (wide + 12), int(0.45 * middle + 0.55 * band))
            turn = side * float(rng.uniform(0, 40))
            size = int(rng.integers(12, 20)), int(rng.integers(16, 24))
            cv2.ellipse(arms, leaf, size, turn, 0, 360, 255, -1, cv2.LINE_AA)
            continue
        start, end = (180, 400) if side > 0 else (-220, 0)
        at, reach = (64 + side * (wide + 8), band - 20), (wide, int(rng.integers(18, 32)))
        cv2.ellipse(arms, at, reach, 0, start, end, 255, thick, cv2.LINE_AA)
    half = int(rng.integers(20, 40))
    cv2.rectangle(arms, (64 - half, band), (64 + half, band + int(rng.integers(7, 12))), 255, -1)
    foot = int(rng.integers(8, 14)), int(rng.integers(16, 28))
    cv2.ellipse(arms, (64, band + 22), foot, 0, 0, 360, 255, -1, cv2.LINE_AA)
    for side in (-1, 1) if rng.random() < 0.5 else ():
        tip = (64 + side * int(rng.integers(16, 30)), band + int(rng.integers(22, 36)))
        cv2.line(arms, (64, band + 8), tip, 255, int(rng.integers(6, 11)), cv2.LINE_AA)
    return arms


_BY_HAND: dict[str, Callable[[np.random.Generator], Image]] = {
    "sun": _sun, "moon": _moon, "crown": _crown, "arms": _arms,
}  # fmt: skip
