"""The signs that are drawn on dice, from fonts and by hand."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image as Pictures
from PIL import ImageDraw, ImageFont

from benchmarks.dice_training.suits import drawn_suits
from vision.frame import Array, Image

GLYPH_PX = 64
FOOTLESS = "1 without a foot"
Glyphs = dict[str, list[Array]]
_FONTS = 30
"""Fonts of which glyphs are drawn at a time."""
_LEAST_INK = 110.0
"""Inked pixels of a digit that is 40 high; hairlines have less."""


def fonts_under(folder: Path) -> list[Path]:
    """Return the fonts of a folder that numerals can be drawn with; exits if there are none."""
    paths = [path for end in ("ttf", "otf") for path in folder.rglob(f"*.{end}")]
    fonts = [path for path in sorted(paths) if _has_digits(path)]
    if not fonts:
        raise SystemExit(f"no fonts under {folder}: give a folder with TrueType fonts")
    return fonts


def _has_digits(path: Path) -> bool:
    """Tell whether a font has ten different digits, in strokes that can be seen."""
    font = ImageFont.truetype(str(path), 55)
    drawn = [np.asarray(font.getmask(str(digit)), np.uint8) for digit in range(10)]
    inked = float(np.mean([digit.sum() / 255 for digit in drawn])) > _LEAST_INK
    return inked and len({digit.tobytes() for digit in drawn}) == len(drawn)


def load_glyphs(fonts: list[Path], rng: np.random.Generator) -> Glyphs:
    """Return coverage pictures (float32, 0 to 1) of all signs, the same font at the same index.

    Fonts are drawn from those given, wide and narrow.
    """
    texts = [*(str(n) for n in range(21)), "00", *(str(n) for n in range(30, 100, 10))]
    texts += [f"{t}{mark}" for t in ("6", "9", "60", "90") for mark in "._"]
    glyphs: Glyphs = {text: [] for text in texts}
    chosen = rng.choice(len(fonts), min(_FONTS, len(fonts)), replace=False)
    for path in (fonts[int(k)] for k in chosen):
        wide = float(rng.uniform(0.8, 1.15))
        font = ImageFont.truetype(str(path), 80)
        for text in texts:
            canvas = Pictures.new("L", (260, 200))
            draw = ImageDraw.Draw(canvas)
            bare = text.rstrip("._")
            draw.text((130, 80), bare, 255, font, anchor="mm")
            left, _, right, low = draw.textbbox((130, 80), bare, font, anchor="mm")
            if text.endswith("_"):
                draw.rectangle((left, low + 8, right, low + 17), 255)
            elif text.endswith("."):
                draw.ellipse((right + 6, low - 14, right + 20, low), 255)
            glyphs[text].append(_trimmed(np.asarray(canvas), bare == text, wide))
    for face in range(8):  # OpenCV's own strokes, thin or bold
        thick = int(rng.choice([5, 10]))
        for text in texts:
            stroke = np.zeros((240, 420), np.uint8)
            bare = text.rstrip("._")
            cv2.putText(stroke, bare, (60, 140), face, 4, 255, thick, cv2.LINE_AA)
            (width, _), _ = cv2.getTextSize(bare, face, 4, thick)
            if text.endswith("_"):
                cv2.line(stroke, (66, 165), (54 + width, 165), 255, thick, cv2.LINE_AA)
            elif text.endswith("."):
                cv2.circle(stroke, (68 + width, 134), thick + 3, 255, -1, cv2.LINE_AA)
            glyphs[text].append(_trimmed(stroke, bare == text))
    pip = np.zeros((64, 64), np.uint8)
    cv2.circle(pip, (32, 32), 31, 255, -1, cv2.LINE_AA)
    glyphs["o"] = [_trimmed(pip, True)]
    glyphs["spiral"] = [_trimmed(_spiral(t, w), True) for t in (2.0, 2.6, 3.2) for w in (5, 8, 11)]
    glyphs[FOOTLESS] = [
        _trimmed(_footless(flag, drop, thick), True)
        for flag in (26, 36, 46) for drop in (22, 32, 48) for thick in (9, 14, 20)
    ]  # fmt: skip
    for name, drawn in drawn_suits(fonts, rng).items():
        glyphs[name] = [_trimmed(suit, True) for suit in drawn]
    return glyphs


def _spiral(turns: float, thick: int) -> Image:
    angle = np.linspace(0, turns * 2 * np.pi, 200)
    radius = np.linspace(3, 56, 200)
    points = np.stack([64 + radius * np.cos(angle), 64 + radius * np.sin(angle)], 1)
    drawn = np.zeros((128, 128), np.uint8)
    cv2.polylines(drawn, [points.astype(np.int32)], False, 255, thick, cv2.LINE_AA)
    return drawn


def _footless(flag: int, drop: int, thick: int) -> Image:
    """Return a 1 that has a flag so far to the left and down, and nothing to stand on."""
    drawn = np.zeros((200, 128), np.uint8)
    stroke = np.array([(90 - flag, 30 + drop), (90, 30), (90, 160)], np.int32)
    cv2.polylines(drawn, [stroke], False, 255, thick, cv2.LINE_AA)
    return drawn


def _trimmed(drawn: Array, tall: bool, wide: float = 1.0) -> Array:
    """Cut away the empty margin; `GLYPH_PX` high, more where a mark stands below."""
    rows, columns = np.flatnonzero(drawn.max(1)), np.flatnonzero(drawn.max(0))
    cut = drawn[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    high = GLYPH_PX if tall else round(GLYPH_PX * 1.15)
    width = max(4, round(wide * cut.shape[1] * high / cut.shape[0]))
    return cv2.resize(cut, (width, high), interpolation=cv2.INTER_AREA).astype(np.float32) / 255
