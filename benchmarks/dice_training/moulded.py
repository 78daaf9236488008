"""Pictures of moulded cubes (`cubes.py`), most with pips, on tables where other things lie."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import cv2
import numpy as np

from benchmarks.dice_training.brush import TINTS, fill
from benchmarks.dice_training.colours import hue, two_colours
from benchmarks.dice_training.cubes import Lamp, Make, draw_cube
from benchmarks.dice_training.drawing import Look, Scene
from benchmarks.dice_training.eye import Eye
from benchmarks.dice_training.glyphs import Glyphs
from benchmarks.dice_training.solids import Solid
from vision.dice.kinds import COLOURS
from vision.frame import Array

_CUBE_SIDES = 6
_LEAST_SEEN = 50
"""Pixels of a drawn die from which on its outline is that of what is seen."""
_RED = np.array([35.0, 35.0, 190.0])


class MouldedScene(Scene):
    """A picture being drawn whose cubes have round edges and mirror lamps."""

    as_bright = 0.25
    """Share of the cubes whose ink is about as bright as they are."""
    marbled = 0.0
    """Share of them that are marbled, beside those that happen to be."""
    ring_lit = 0.0
    """Share of the pictures with a ring of light near the camera, that glossy dice mirror."""
    kinds: ClassVar[dict[str, float]] = {
        "d6": 0.7, "piecepack": 0.07, "d6_numeral": 0.06, "colour": 0.05, "cannon": 0.03,
        "sail": 0.03, "d20": 0.02, "d8": 0.01, "d10": 0.01, "d12": 0.01, "d4_barrel": 0.01,
    }  # fmt: skip

    def __init__(self, rng: np.random.Generator, glyphs: Glyphs, size: int) -> None:
        super().__init__(rng, glyphs, size)
        if rng.random() < 0.6:
            _litter(self.canvas, rng)
        self._farther()
        self._lamps = [Lamp.random(rng, self.eye.place) for _ in range(int(rng.integers(1, 4)))]
        self._is_ring_lit = rng.random() < self.ring_lit
        if self._is_ring_lit:
            self._lamps[0] = Lamp.around_camera(rng, self.eye.place)
        self._make = self._some_make()
        self.ambient = rng.uniform(0.4, 0.85)
        self._is_set = rng.random() < 0.4

    def draw(
        self, solid: Solid, at: Array, look_kind: str, high: float = 0.0, look: Look | None = None
    ) -> None:
        """Draw a die that lies `high` over the floor, and its shadow."""
        before = len(self.dice)
        super().draw(solid, at, look_kind, high, look)
        if len(self.dice) > before and len(solid.sides) == _CUBE_SIDES:
            # Round edges: the box is around what is seen, not around the sharp corners.
            _, sharp, area = self.dice[-1]
            rows, columns = np.nonzero(self.owner == len(self.dice))
            if len(rows) > _LEAST_SEEN and sharp.min() >= 0 and sharp.max() < self.full:
                outline = cv2.convexHull(np.stack([columns, rows], 1).astype(np.float32))
                self.dice[-1] = (solid, outline.reshape(-1, 2), area)

    def _some_make(self) -> Make:
        """Return some make; most dice under a ring of light are as glossy as to show it."""
        rng = self.rng
        make = Make.random(rng)
        if self._is_ring_lit and rng.random() < 0.75:
            make = replace(make, gloss=rng.uniform(0.4, 1.3), blur=rng.uniform(0.02, 0.12))
        return make

    def _farther(self) -> None:
        """Move the camera: sometimes farther away, sometimes lower."""
        rng, eye = self.rng, self.eye
        focal = eye.focal * rng.uniform(0.7, 1.0)
        if rng.random() < 0.3:
            eye = Eye.random(rng, self.full, rng.uniform(15, 48))
            focal = eye.focal * 2 * rng.uniform(0.7, 1.0)
        self.eye = replace(eye, focal=focal)

    def _draw_solid(
        self, layer: Array, corner: Array, solid: Solid, shift: Array, hull: Array, look: Look
    ) -> Array:
        """Draw a die over a part of the picture; return how much it covers each place (H, W)."""
        if len(solid.sides) != _CUBE_SIDES:
            return super()._draw_solid(layer, corner, solid, shift, hull, look)
        rng = self.rng
        body, second, ink = _colours(rng, self.as_bright)
        painted = {}
        for k, side in enumerate(solid.sides):
            if side.paint is not None:
                painted[k] = np.array(TINTS[COLOURS[side.paint]]) + rng.normal(0, 12, 3)
        glyphs = {
            k: [self.glyphs[p.text][look.font % len(self.glyphs[p.text])] for p in side.prints]
            for k, side in enumerate(solid.sides)
        }
        inks = dict.fromkeys(range(_CUBE_SIDES), ink)
        if rng.random() < 0.06 and float(np.linalg.norm(body - _RED)) > 90:  # a red ace
            inks |= {k: _RED for k, side in enumerate(solid.sides) if len(side.prints) == 1}
        make = self._make if self._is_set else self._some_make()
        if rng.random() < self.marbled:
            make = replace(make, pattern="marbled")
        mask = draw_cube(
            layer, corner, solid, shift, self.eye, (self.light, self.ambient, self._lamps), make,
            (body, second, inks), painted, glyphs, rng,
        )  # fmt: skip
        return mask.astype(np.float32)


class PipsScene(MouldedScene):
    """A picture of dice with pips, many of them hard to see: for the network that counts them."""

    kinds: ClassVar[dict[str, float]] = {"d6": 0.94, "piecepack": 0.03, "d6_numeral": 0.03}
    as_bright = 0.45
    marbled = 0.25
    ring_lit = 0.35


def _colours(rng: np.random.Generator, as_bright: float) -> tuple[Array, Array, Array]:
    """Return a body, what may be mixed into it, and an ink (BGR float).

    `as_bright` is the share of those that differ in colour and little in brightness.
    """
    drawn = rng.random()
    if drawn < 0.2:
        body, ink = rng.uniform(205, 250, 3), rng.uniform(5, 60, 3)
    elif drawn < 0.35:
        body, ink = hue(rng, rng.uniform(40, 230)), rng.uniform(215, 252, 3)
    elif drawn < 0.35 + as_bright:
        body, ink = _as_bright(rng)
    else:
        body, ink = two_colours(rng)
    body = np.clip(body, 8, 252)
    second = np.clip(body + rng.normal(0, 55, 3), 0, 255)
    drawn = rng.random()
    if drawn < 0.55:  # swirls of another colour, black or white, that leave the pips plain
        other = hue(rng, rng.uniform(20, 255))
        if drawn > 0.3:
            other = np.full(3, rng.choice([rng.uniform(5, 60), rng.uniform(190, 250)]))
        second = other if float(np.linalg.norm(other - ink)) > 90 else second
    return body, second, np.clip(ink, 5, 252)


def _as_bright(rng: np.random.Generator) -> tuple[Array, Array]:
    """Return a body and an ink that differ in colour and little in brightness."""
    weights = np.array([0.11, 0.59, 0.3])
    while True:
        body, ink = hue(rng, rng.uniform(50, 255)), hue(rng, rng.uniform(50, 255))
        if rng.random() < 0.4:
            body = np.full(3, rng.uniform(20, 150)) + rng.normal(0, 8, 3)
        apart = float(np.linalg.norm(body - ink))
        if abs(float((body - ink) @ weights)) < 50 and apart > 70:
            return body, ink


def _litter(canvas: Array, rng: np.random.Generator) -> None:
    """Print things on the floor: lines, dots like pips, letters, patches, a mesh."""
    full = len(canvas)
    for _ in range(int(rng.integers(1, 5))):
        shape = str(rng.choice(["lines", "dots", "letters", "patch", "mesh"]))
        colour = tuple(float(c) for c in rng.uniform(0, 255, 3))
        if rng.random() < 0.5:  # near to what is there
            row, column = rng.integers(0, full, 2)
            colour = tuple(float(c) for c in canvas[row, column] + rng.normal(0, 18, 3))
        at, far = rng.uniform(0, full, 2), float(rng.uniform(30, 260))
        if shape == "lines":
            for _ in range(int(rng.integers(1, 6))):
                ends = (at + rng.normal(0, full / 2, (2, 2))).astype(int)
                wide = int(rng.integers(1, 14))
                cv2.line(canvas, ends[0].tolist(), ends[1].tolist(), colour, wide, cv2.LINE_AA)
        elif shape == "dots":
            size = int(rng.integers(2, 14))
            for place in at + rng.normal(0, far / 2, (int(rng.integers(1, 14)), 2)):
                cv2.circle(canvas, place.astype(int).tolist(), size, colour, -1, cv2.LINE_AA)
        elif shape == "letters":
            text = "".join(chr(c) for c in rng.integers(40, 123, int(rng.integers(1, 12))))
            face, tall = int(rng.integers(8)), float(rng.uniform(0.6, 4))
            thick = int(rng.integers(1, 6))
            cover = np.zeros(canvas.shape[:2], np.uint8)
            cv2.putText(cover, text, at.astype(int).tolist(), face, tall, 255, thick, cv2.LINE_AA)
            canvas[:] = canvas + (np.array(colour) - canvas) * (cover[..., None] / 255)
        elif shape == "patch":
            count = int(rng.integers(3, 7))
            angles = np.sort(rng.uniform(0, 2 * np.pi, count))
            reach = far * rng.uniform(0.5, 1.0, count)
            points = at + np.stack([np.cos(angles), np.sin(angles)], 1) * reach[:, None]
            fill(canvas, points, colour)
        else:
            step, wide = int(rng.integers(14, 90)), int(rng.integers(1, 4))
            for place in range(int(rng.integers(step)), full, step):
                cv2.line(canvas, (place, 0), (place, full), colour, wide, cv2.LINE_AA)
                cv2.line(canvas, (0, place), (full, place), colour, wide, cv2.LINE_AA)
