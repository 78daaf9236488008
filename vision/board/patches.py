"""Cut-outs of the cells, straightened, in the paint's own colours."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import cv2
import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell
from vision.frame import GAMMA, LINEAR, Array, Image
from vision.light import Light
from vision.registration import BoardFit

SIDE = 32
"""Pixels along a cut-out."""

SHRINK_MARGIN = 0.85
"""A picture is halved first unless it then has less than this of a cut-out's resolution."""

BRIGHTEST = 1.25
"""Paint values are cut off here; white paper in the same light is 1."""

FEW_ALIKE = 6
"""Fewer cells than this that are printed alike cannot teach what they look like empty."""

_FITTED = ((1, 6), (3, 6), (6, 12))
"""How many terms of the field of light are fitted, and how many times over."""

OWN_GROUND = frozenset({"land", "wind", "harbour", "port"})
"""Prints that change the colour of the whole cell; others are lines on the sea."""

Print = frozenset[tuple[str, str]]


@dataclass(frozen=True, eq=False)
class PatchGrid:
    """Where the cut-outs of every cell lie on the board.

    Made for one picture; the picture of the empty board is cut along the same grid, so that the
    print lies under the same pixels in both.
    """

    points_mm: Array
    """Shape (cells, SIDE, SIDE, 2)."""
    centres_mm: Array
    """Shape (cells, 2), of the leaning cut-outs."""
    span: float
    """Width of a cut-out in pitches."""


def lay_grid(fit: BoardFit, profile: BoardProfile, span: float, lean_mm: float) -> PatchGrid:
    """Lay the cut-outs of `profile.cells`, in that order; they follow things `lean_mm` high."""
    centres = np.array([profile.cell_centre_mm(cell) for cell in profile.cells])
    centres = centres + fit.lean_mm(centres, lean_mm)
    step = span * profile.pitch_mm / SIDE
    line = (np.arange(SIDE) - (SIDE - 1) / 2) * step
    offsets = np.stack(np.meshgrid(line, line), axis=-1)
    return PatchGrid(centres[:, None, None, :] + offsets, centres, span)


def cut_patches(image: Image, fit: BoardFit, light: Light, grid: PatchGrid) -> Array:
    """Cut every cell out of a picture.

    Returns
    -------
    ndarray of shape (cells, SIDE, SIDE, 3), float32, BGR
        Linear paint values: 0 black, 1 white paper in the same light.
    """
    x, y = _patch_pixels(fit, grid)
    if _px_per_step(x, y) / 2 > SHRINK_MARGIN:
        image = cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        x, y = (x - 0.5) / 2, (y - 0.5) / 2
    values = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    white = light.white_at(grid.centres_mm)[:, None, None, :]
    return np.asarray(LINEAR[values].reshape(len(white), SIDE, SIDE, 3) / white)


def _patch_pixels(fit: BoardFit, grid: PatchGrid) -> tuple[Array, Array]:
    """Return x and y in the picture, each of shape (cells * SIDE, SIDE), float32.

    Only the corners of a cut-out are projected: over four centimetres a camera is as good as
    bilinear.
    """
    corners = grid.points_mm[:, :: SIDE - 1, :: SIDE - 1]
    pixels = fit.project(corners.reshape(-1, 2)).reshape(-1, 4, 2).astype(np.float32)
    t = np.linspace(0, 1, SIDE, dtype=np.float32)
    across, down = (line.ravel() for line in np.meshgrid(t, t))
    weights = np.stack(
        [(1 - down) * (1 - across), (1 - down) * across, down * (1 - across), down * across]
    )
    spread = [(pixels[..., k] @ weights).reshape(-1, SIDE) for k in (0, 1)]
    return spread[0], spread[1]


def _px_per_step(x: Array, y: Array) -> float:
    """Return how many pixels of the picture lie between two of a cut-out, on average."""
    return float(np.hypot(x[:, -1] - x[:, 0], y[:, -1] - y[:, 0]).mean() / (SIDE - 1))


def even_light(seen: Array, bare: Array, grid: PatchGrid) -> Array:
    """Return `seen` in the light of `bare` (both as `cut_patches` returns them).

    The ratio of the two is fitted by a smooth field over the board, cell medians counting less the
    further they are off: pieces change some cells, the light changes all. The paper at the
    markers is thus trusted in the empty picture only, where no arm can lie over it. An even field
    is fitted first, then a sloping one, then a curved one: an arm over a quarter of the cells would
    bend a curved one toward itself from the start.
    """
    floor = 0.02
    ratio = np.log((_medians(seen) + floor) / (_medians(bare) + floor))
    x, y = ((grid.centres_mm - grid.centres_mm.mean(axis=0)) / 200).T
    terms = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    field = np.median(ratio, axis=0)
    for used, times in _FITTED:
        for _ in range(times):
            off = np.abs(ratio - field).sum(axis=1)
            root = (0.03 + off)[:, None] ** -0.75
            few = terms[:, :used]
            field = few @ np.linalg.lstsq(few * root, ratio * root, rcond=None)[0]
    return np.asarray(seen * np.exp(-field)[:, None, None, :].astype(np.float32))


def code_patches(linear: Array) -> Array:
    """Return paint values (...) as the eye grades them (1 / `GAMMA`), (...) float32, 0 to 1.11."""
    return np.asarray(np.clip(linear, 0, BRIGHTEST) ** (1 / GAMMA), dtype=np.float32)


def typical_cells(seen: Array, profile: BoardProfile, grid: PatchGrid) -> Array:
    """Return what each cell would look like empty, guessed from the others (shape of `seen`).

    Most cells are open sea of the same print. Printed circles, winds and the like are learnt from
    the cells that bear them among themselves; what is printed on one cell alone stays unknown, and
    what lies beyond the cell's own outline is taken as it is seen.
    """
    guess = np.empty_like(seen)
    lone = lone_cells(profile)
    prints = [frozenset() if c in lone else _print_of(c, profile) for c in profile.cells]
    sea = np.median(_medians(seen), axis=0)
    for alike in set(prints):
        members = np.array([p == alike for p in prints])
        levels = np.maximum(_medians(seen[members]), 1e-3)
        paint = np.median(levels, axis=0) if _kinds(alike) & OWN_GROUND else sea
        guess[members] = np.median(seen[members] / levels[:, None, None, :], axis=0) * paint
    return np.where(outline_mask(profile, grid.span), guess, seen)


def lone_cells(profile: BoardProfile) -> frozenset[Cell]:
    """Return the cells whose print is shared by too few to be guessed from the others.

    Without a picture of the empty board little can be told of them, and of those whose whole ground
    is printed (`blind_cells`) nothing.
    """
    prints = {cell: _print_of(cell, profile) for cell in profile.cells}
    alike = Counter(prints.values())
    return frozenset(cell for cell, p in prints.items() if alike[p] < FEW_ALIKE)


def blind_cells(profile: BoardProfile) -> frozenset[Cell]:
    """Return the `lone_cells` whose ground has a colour of its own."""
    own = {cell for cell in profile.cells if _kinds(_print_of(cell, profile)) & OWN_GROUND}
    return lone_cells(profile) & own


def _print_of(cell: Cell, profile: BoardProfile) -> Print:
    """Return what makes a cell's print look unlike others': kinds with their paint."""
    land = [("land", "")] if cell in profile.impassable else []
    return frozenset([*land, *((mark.kind, mark.paint) for mark in profile.marks_on(cell))])


def _kinds(alike: Print) -> frozenset[str]:
    return frozenset(kind for kind, _ in alike)


def outline_mask(profile: BoardProfile, span: float) -> Array:
    """Return which pixels of a cut-out are the cell's own, shape (SIDE, SIDE, 1), bool."""
    line = (np.arange(SIDE) - (SIDE - 1) / 2) * (span / SIDE)
    x, y = np.meshgrid(line, line)
    inside = np.ones((SIDE, SIDE), bool)
    corners = profile.grid.corners
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        inside &= (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0
    return inside[..., None]


def _medians(patches: Array) -> Array:
    """Return each cut-out's median colour, shape (cells, 3)."""
    return np.asarray(np.median(patches[:, ::2, ::2].reshape(len(patches), -1, 3), axis=1))
