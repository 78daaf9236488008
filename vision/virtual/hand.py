"""A hand with an arm that reaches over the board or into the tray."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from companion.boards.profile import XY
from vision.frame import Array, Image
from vision.virtual.canvas import Canvas
from vision.virtual.lens import Lens
from vision.virtual.light import Light

_COARSE = 2
"""Skin is smooth: the hand is painted at half the picture's size."""

# Bones of a right hand, millimetres: fingertips toward +x around the origin, as (x, y, z, radius).
_FINGERS = (
    ((-112, -34, -36, 13), (-62, -46, -28, 10), (-8, -24, -16, 8)),
    ((-88, 26, -44, 10), (-58, 31, -46, 8), (-36, 26, -26, 6.5)),
    ((-84, 10, -50, 10), (-44, 13, -54, 8.5), (-18, 9, -26, 7)),
    ((-84, -6, -50, 10.5), (-40, -8, -56, 8.5), (-8, -4, -24, 7)),
    ((-88, -22, -46, 10), (-44, -28, -50, 8.5), (0, -15, -14, 6.5)),
)
_PALM = (
    ((-86, -18, -46, 15), (-90, 0, -48, 16), (-92, 20, -44, 14), (-132, 2, -46, 22)),
    ((-132, 2, -46, 22), (-86, -18, -46, 15)),
    ((-112, -30, -40, 13), (-128, -6, -44, 20)),
)
_ARM = (((-126, 2, -46, 24), (-156, 3, -50, 23), (-230, 8, -66, 31)),)
_SLEEVE = (((-215, 7, -66, 42), (-900, 30, -130, 56)),)
_BODY = (_ARM + _PALM, _SLEEVE, *((finger,) for finger in _FINGERS))
"""From far below to on top: each part hides those before it."""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand that reaches to a point of the plane."""

    to_mm: XY
    """Where its fingertips are."""
    from_deg: float
    """Direction in which the body sits, from +x toward +y (90: the near edge)."""
    skin: tuple[int, int, int] = (128, 164, 214)
    sleeve: tuple[int, int, int] = (92, 58, 40)
    is_left: bool = False


def paint_hand(canvas: Canvas, hand: Hand) -> None:
    """Paint a hand with its arm and shadow."""
    picture, lens, light = canvas.picture, canvas.lens, canvas.light
    height, width = picture.shape[:2]
    coarse = (height // _COARSE, width // _COARSE)
    shade = np.zeros(coarse, np.uint8)
    masks = []
    for part in _BODY:
        mask = np.zeros(coarse, np.uint8)
        for bones in part:
            joints = _placed(bones, hand)
            _stroke(mask, lens, joints)
            ground = joints.copy()
            ground[:, :3] = light.shadow_mm(joints[:, :3])
            _stroke(shade, lens, ground)
        masks.append(mask)
    _darken(picture, shade, 0.9 * (1 - light.ambient))
    for mask, part in zip(masks, _BODY, strict=True):
        cloth = part is _SLEEVE
        colour = np.array(hand.sleeve if cloth else hand.skin) * canvas.gain
        roundness = max(joint[3] for bones in part for joint in bones) * lens.px_per_mm / _COARSE
        _fill(picture, mask, colour, light, roundness)


def _placed(bones: tuple[tuple[float, ...], ...], hand: Hand) -> Array:
    """Return bones (N, 4) turned and moved to where the hand is."""
    joints = np.array(bones, float)
    if hand.is_left:
        joints[:, 1] *= -1
    angle = np.radians(hand.from_deg + 180)
    cos, sin = np.cos(angle), np.sin(angle)
    joints[:, :2] = joints[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + np.array(hand.to_mm)
    return joints


def _stroke(mask: Image, lens: Lens, joints: Array) -> None:
    """Fill the hull of each pair of neighbouring joints (N, 4): tapered limbs with round ends."""
    pixels = lens.project(joints[:, :3])
    nearness = lens.distance_mm / ((joints[:, :3] - lens.position_mm) @ lens.rotation[2])
    radii = joints[:, 3] * lens.px_per_mm * nearness
    angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    rings = [(p + r * ring) / _COARSE for p, r in zip(pixels, radii, strict=True)]
    for first, second in pairwise(rings):
        hull = cv2.convexHull(np.concatenate([first, second]).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)


def _darken(picture: Image, shade: Image, strength: float) -> None:
    x, y, w, h = cv2.boundingRect(shade)
    if w == 0:
        return
    pad = 24
    x0, y0 = max(x - pad, 0), max(y - pad, 0)
    soft = cv2.blur(cv2.blur(shade[y0 : y + h + pad, x0 : x + w + pad], (17, 17)), (13, 13))
    keep = 255 - (soft * np.float32(strength)).astype(np.uint8)
    part = picture[_COARSE * y0 :, _COARSE * x0 :][: keep.shape[0] * 2, : keep.shape[1] * 2]
    full = cv2.resize(keep, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    part[:] = cv2.multiply(part, cv2.merge([full, full, full]), scale=1 / 255)


def _fill(picture: Image, mask: Image, colour: Array, light: Light, roundness: float) -> None:
    """Paint a mask as a rounded body: its height grows with the distance from its edge."""
    x, y, w, h = cv2.boundingRect(mask)
    if w == 0:
        return
    cut = np.ascontiguousarray(mask[y : y + h, x : x + w])
    inside = cv2.copyMakeBorder((cut > 127).astype(np.uint8), 1, 1, 1, 1, cv2.BORDER_REPLICATE)
    depth = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[1:-1, 1:-1]
    depth = np.minimum(depth, np.float32(roundness))
    body = np.sqrt(np.maximum(depth * (2 * np.float32(roundness) - depth), 0))
    body = cv2.GaussianBlur(body, (0, 0), 2.0)
    slope_x = cv2.Sobel(body, cv2.CV_32F, 1, 0, scale=0.125)
    slope_y = cv2.Sobel(body, cv2.CV_32F, 0, 1, scale=0.125)
    unit = light.unit.astype(np.float32)
    length = np.sqrt(1 + slope_x * slope_x + slope_y * slope_y)
    direct = np.maximum((-unit[2] - slope_x * unit[0] - slope_y * unit[1]) / length, 0)
    shade = np.float32(light.ambient) + np.float32((1 - light.ambient) / -unit[2]) * direct
    lit = np.clip(shade[..., None] * colour.astype(np.float32), 0, 255).astype(np.uint8)
    part = picture[_COARSE * y : _COARSE * (y + h), _COARSE * x : _COARSE * (x + w)]
    full = cv2.resize(lit, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    alpha = cv2.resize(cut, part.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    weight = cv2.merge([alpha, alpha, alpha])
    kept = cv2.multiply(part, cv2.bitwise_not(weight), scale=1 / 255)
    part[:] = cv2.add(kept, cv2.multiply(full, weight, scale=1 / 255))
