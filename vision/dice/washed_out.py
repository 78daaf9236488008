"""Tops of dice that a lamp makes as bright as the camera can show: what is on them is lost."""

from __future__ import annotations

from vision.dice.crops import Box, cut_crop
from vision.frame import Image

_WHITE, _LOST, _TOP, _TOP_PX = 248, 0.7, 0.5, 48
"""A die is washed out if of the middle of its box (this share of its sides) more than this share is
white, all colours being as bright as this (of 255) or brighter. Of thrown dice to choose by (in
trays of the seeds 5093 to 5095) 21 of 103 that are asked about are, 8 of 372 that are told."""


def is_washed_out(picture: Image, box: Box) -> bool:
    """Tell whether the top of a die is brighter than the camera can show.

    `picture` is (H, W, 3) uint8 BGR, `box` (x, y, width, height) in its pixels.
    """
    top = cut_crop(picture, box, _TOP_PX, _TOP)
    return float((top.min(axis=2) >= _WHITE).mean()) > _LOST
