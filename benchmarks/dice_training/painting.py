"""What is painted on a die's sides, as one picture that is laid around it."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.dice_training.brush import lay, quad_of, tint_of
from benchmarks.dice_training.colours import hue, two_colours
from benchmarks.dice_training.falling import Fallen
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.solids import Print, Side
from benchmarks.dice_training.textures import Texture
from vision.frame import Array

_PX_A_MM = 6.0
_DARK = 120
"""Ink that can be seen on a white piecepack die."""


@dataclass(frozen=True, eq=False)
class Skin:
    """A picture with all sides of a die, square beside square."""

    picture: Array
    """Shape (H, W, 3) float32, BGR, 0 to 255."""
    tile_px: int
    """Side of a square."""
    frames: Array
    """Of each side its middle and, in it as seen from outside, right and down: (S, 3, 3)."""

    def tile(self, side: int) -> Array:
        """Return the part of the picture with a side."""
        x, y = np.array(self._first(np.array(side))) * self.tile_px
        return self.picture[y : y + self.tile_px, x : x + self.tile_px]

    def places(self, points: Array, sides: Array) -> Array:
        """Return where in the picture, as shares of it, points (F, N, 3) of sides (F,) are."""
        middle, right, down = np.moveaxis(self.frames[sides][:, None], 2, 0)
        away = points - middle
        at = np.stack([(away * right).sum(-1), (away * down).sum(-1)], -1)
        at = np.clip(at * _PX_A_MM + self.tile_px / 2, 1, self.tile_px - 1)
        first = np.stack(self._first(sides), -1)[:, None] * self.tile_px
        return np.asarray((at + first) / self.picture.shape[1::-1])

    def _first(self, sides: Array) -> tuple[Array, Array]:
        """Return column and row of the squares of sides."""
        columns = self.picture.shape[1] // self.tile_px
        return sides % columns, sides // columns


def painted(
    fallen: Fallen, glyphs: Glyphs, rng: np.random.Generator, contrast: float, textured: float = 0.0
) -> Skin:
    """Return a die's sides in colours at random (`two_colours`), with what is printed on them."""
    sides = fallen.solid.sides
    body, ink = two_colours(rng, contrast)
    if fallen.solid.kind == "piecepack" and rng.random() < 0.5 and ink.mean() < _DARK:
        body = np.clip(np.array([222.0, 234, 238]) + rng.normal(0, 6, 3), 0, 255)
    skin = _bare(sides, body)
    if fallen.solid.kind != "colour":
        if textured and rng.random() < textured:
            skin.picture[:] = Texture.random(body, ink, rng).laid(skin.picture, _PX_A_MM, rng)
        elif rng.random() < 0.2:
            _swirl(skin.picture, body, rng)
    font = int(rng.integers(1 << 16))
    for k, side in enumerate(sides):
        if side.paint is not None:
            skin.tile(k)[:] = np.clip(tint_of(side.paint, rng), 0, 255)
        for p in side.prints:
            _print(skin.tile(k), p, skin.frames[k], glyphs[p.text], font, ink)
    return skin


def _bare(sides: tuple[Side, ...], body: Array) -> Skin:
    span = max(float(np.ptp(s.corners, axis=0).max()) for s in sides) * 1.5
    tile, columns = round(span * _PX_A_MM), int(np.ceil(np.sqrt(len(sides))))
    rows = -(-len(sides) // columns)
    picture = np.empty((rows * tile, columns * tile, 3), np.float32)
    picture[:] = body
    return Skin(picture, tile, np.array([_frame(side) for side in sides]))


def _frame(side: Side) -> tuple[Array, Array, Array]:
    middle = side.corners.mean(axis=0)
    right = side.corners[0] - middle
    right = right / np.linalg.norm(right)
    return middle, right, np.cross(right, side.normal)


def _swirl(picture: Array, body: Array, rng: np.random.Generator) -> None:
    """Mix a second colour into a body, in soft swirls."""
    is_alike = rng.random() < 0.5
    second = body + rng.normal(0, 45, 3) if is_alike else hue(rng, rng.uniform(60, 255))
    second = np.clip(second, 0, 255)
    high, wide = picture.shape[:2]
    coarse = rng.normal(0, 1, (high // 25 + 2, wide // 25 + 2)).astype(np.float32)
    share = np.clip(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC) * 0.5, 0, 1)
    picture[:] = picture * (1 - share[..., None]) + second * share[..., None]


def _print(
    tile: Array, p: Print, frame: Array, choices: list[Array], font: int, ink: Array
) -> None:
    """Print a sign on a side."""
    middle, right, down = frame
    glyph = choices[font % len(choices)]
    away = quad_of(p, np.cross(down, right), glyph) - middle
    lay(tile, glyph, np.stack([away @ right, away @ down], 1) * _PX_A_MM + len(tile) / 2, ink)
