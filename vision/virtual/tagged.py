"""Tagged pieces on an open table: ships, islands, forts, wherever a layout has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from companion.boards.profile import BoardProfile
from companion.rules.layout import Cell, Layout, Placed, Pose
from vision.virtual.canvas import Canvas
from vision.virtual.cards import paint_card
from vision.virtual.meshes import Facet, Stand, paint_facets
from vision.virtual.pieces import ShipPose
from vision.virtual.ships import launch_facets, ship_facets
from vision.virtual.shores import WATERS, block_facets, fort_facets, island_facets, water_facets

_HAND_MM = 0.7
"""How exactly people put pieces down: standard deviation, each way."""
_HAND_DEG = 0.5
_FLAT = ("island", *WATERS)
"""Kinds that ships may stand beside or on but never behind."""


class TaggedOnTable:
    """Pieces that bear a tag each."""

    def __init__(self, profile: BoardProfile, rng: np.random.Generator) -> None:
        assert profile.tags is not None
        self._tags, self._rng = profile.tags, rng
        self._pieces: dict[int, Placed] = {}

    @property
    def ships(self) -> Mapping[tuple[Cell, str], ShipPose]:
        """None stand on cells."""
        return {}

    @property
    def tagged(self) -> Mapping[int, Placed]:
        """The truth: where each piece stands, by its tag."""
        return dict(self._pieces)

    def lay(self, was: Layout, now: Layout) -> None:
        """Put the pieces so, as exactly as people do; one that stays keeps its exact pose."""
        laid: dict[int, Placed] = {}
        for tag, piece in sorted(now.pieces.items()):
            before, lying = was.pieces.get(tag), self._pieces.get(tag)
            if before is not None and lying is not None and before.pose == piece.pose:
                laid[tag] = replace(piece, pose=lying.pose)
            else:
                laid[tag] = replace(piece, pose=self._put_down(piece.pose))
        self._pieces = laid

    def paint(self, canvas: Canvas) -> None:
        """Paint islands and reefs, then what is far before what is near."""
        eye = canvas.lens.position_mm

        def depth(item: tuple[int, Placed]) -> tuple[bool, float]:
            pose = item[1].pose
            return item[1].kind not in _FLAT, -np.hypot(pose.x_mm - eye[0], pose.y_mm - eye[1])

        for tag, piece in sorted(self._pieces.items(), key=depth):
            stand = Stand(piece.pose.x_mm, piece.pose.y_mm, piece.pose.heading_deg)
            facets = _facets(tag, piece) if len(piece.outline_mm) > 2 else ()
            _cast(canvas, facets, piece, stand)
            paint_facets(canvas, facets, stand)
            paint_card(canvas, self._tags, tag, stand, piece.height_mm)

    def _put_down(self, pose: Pose) -> Pose:
        dx, dy = self._rng.normal(0, _HAND_MM, 2)
        turn = float(self._rng.normal(0, _HAND_DEG))
        heading = (pose.heading_deg + turn) % 360
        return Pose(pose.x_mm + float(dx), pose.y_mm + float(dy), heading)


def _facets(tag: int, piece: Placed) -> tuple[Facet, ...]:
    """Return the body of a piece; the tag's number makes each island its own."""
    outline, height = piece.outline_mm, piece.height_mm
    if piece.kind == "ship":
        return ship_facets(outline, height, piece.colour)
    if piece.kind == "launch":
        return launch_facets(outline, height, piece.colour)
    if piece.kind == "fort":
        return fort_facets(outline, height, piece.colour)
    if piece.kind == "island":
        return island_facets(outline, height, tag)
    if piece.kind in WATERS:
        return water_facets(piece.kind, outline, tag)
    return block_facets(outline, height, piece.colour)


def _cast(canvas: Canvas, facets: tuple[Facet, ...], piece: Placed, stand: Stand) -> None:
    """Darken the table in the shadow of a body, and softly of each of its sails."""
    body = [f.corners for f in facets if not f.is_thin and -f.corners[:, 2].max() < 22.0]
    light, px_per_mm = canvas.light, canvas.lens.px_per_mm
    blur = light.softness_mm * 0.35 * px_per_mm
    strength = 0.8 * (1 - light.ambient)
    if body and piece.kind not in _FLAT:
        thrown = light.shadow_mm(stand.placed(np.concatenate(body)))
        canvas.shadow(thrown, strength, blur)
        foot = np.c_[np.array(piece.outline_mm), np.zeros(len(piece.outline_mm))]
        canvas.shadow(stand.placed(foot), 0.35, 1.6 * px_per_mm)
    sails = [f.corners for f in facets if f.is_thin]
    if sails:
        thrown = light.shadow_mm(stand.placed(np.concatenate(sails)))
        for start in range(0, len(thrown), 84):  # the 21 facets of one sail
            canvas.shadow(thrown[start : start + 84], 0.6 * strength, 1.5 * blur)
