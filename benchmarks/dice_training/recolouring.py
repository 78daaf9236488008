"""Crops as other lights, colours and cameras would show them."""

from __future__ import annotations

import math

import cv2
import torch
import torch.nn.functional as F

from benchmarks.dice_training.pictures import as_jpeg
from vision.dice.box_network import MOST

SHARPNESSES = 6
"""A batch is softened in so many ways."""


def recoloured(
    crops: torch.Tensor, plain: torch.Tensor, softest: float, glossy: float
) -> torch.Tensor:
    """Change light, colours (not of colour dice) and sharpness."""
    count = len(crops)
    drawn = torch.rand(count)
    swapped = (drawn < 0.3) & ~plain
    mixed = torch.where(swapped[:, None, None, None], crops[:, torch.randperm(3)], crops)
    keep = plain | (drawn < 0.68)
    crops = torch.where(keep[:, None, None, None], mixed, _mixed(crops))
    inverted = (torch.rand(count) < 0.08) & ~plain
    crops = torch.where(inverted[:, None, None, None], 1 - crops, crops)
    tint = torch.where(plain, 0.05, 0.14)[:, None, None, None]
    crops = crops * (1 + tint * torch.randn(count, 3, 1, 1))
    power = torch.exp(0.25 * torch.randn(count, 1, 1, 1))
    crops = crops.clamp(0.001, 1) ** power
    crops = with_gloss(crops, glossy)
    crops = torch.cat([softened(part, softest) for part in crops.split(-(-count // SHARPNESSES))])
    return crops + torch.rand(count, 1, 1, 1) * 0.04 * torch.randn(crops.shape)


def stored_again(crops: torch.Tensor, share: float) -> torch.Tensor:
    """Return crops (N, H, W, 3) uint8 of which some are as a messenger would have stored them.

    Smaller, and as JPEG: it stores colours at half the size, and coarsely.
    """
    again = crops.clone()
    for k in torch.nonzero(torch.rand(len(crops)) < share)[:, 0].tolist():
        crop = crops[k].numpy()
        full = crop.shape[1], crop.shape[0]
        scale, quality = float(0.5 + 0.5 * torch.rand(1)), int(torch.randint(20, 90, (1,)))
        small = cv2.resize(crop, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        again[k] = torch.from_numpy(cv2.resize(as_jpeg(small, quality), full))
    return again


def dazzled(crops: torch.Tensor, share: float) -> torch.Tensor:
    """Return crops (N, 3, H, W) of which some are in more light than a camera can show."""
    gain = torch.exp(0.6 * torch.rand(len(crops), 1, 1, 1))
    return torch.where(torch.rand(len(crops), 1, 1, 1) < share, (crops * gain).clamp(0, 1), crops)


def relit(crops: torch.Tensor, lights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return crops and their pictures' lights (N, 3) under other lamps, and as other cameras bend.

    Of some more light falls on them than can be shown.
    """
    count = len(crops)
    gain = 1 + 0.06 * torch.randn(count, 3)
    bright = torch.rand(count, 1) < 0.3
    gain = gain * torch.where(bright, torch.exp(0.5 * torch.rand(count, 1)), 1.0)
    power = torch.exp(0.25 * torch.randn(count, 1))
    crops = (crops * gain[..., None, None]).clamp(0.001, 1) ** power[..., None, None]
    return crops, (lights * gain).clamp(0.001, 1) ** power


def _mixed(crops: torch.Tensor) -> torch.Tensor:
    """Give each crop other colours: any mixture of its channels around its mean colour.

    Some lose most of what is bright or dark and keep what is colour: red pips on a gray die.
    """
    count = len(crops)
    mean = crops.mean((2, 3), keepdim=True)
    mix = 0.6 * torch.randn(count, 3, 3) / math.sqrt(3) + 0.6 * torch.eye(3)
    dim = torch.where(torch.rand(count) < 0.35, torch.rand(count) * 0.8, 0.0)
    gray = torch.full((3, 3), 1 / 3)
    mix = mix @ (torch.eye(3) - dim[:, None, None] * gray)
    away = torch.einsum("nij,njhw->nihw", mix, crops - mean)
    # As much contrast as before, and not cut off at black or white.
    spread = (crops - mean).std((1, 2, 3), keepdim=True) / (
        away.std((1, 2, 3), keepdim=True) + 1e-3
    )
    shift = (torch.rand(count, 3, 1, 1) - 0.5) * 0.4
    return (0.5 + shift + away * spread.clamp(max=4) * 0.8).clamp(0, 1)


def with_gloss(crops: torch.Tensor, share: float) -> torch.Tensor:
    """Lay bright arcs, bars and spots, as of mirrored lamps, over some crops."""
    side = crops.shape[-1]
    some = torch.nonzero(torch.rand(len(crops)) < share)[:, 0]
    count = len(some)
    if not count:
        return crops
    middle, way = 0.5 * torch.randn(count, 2, 1, 1), torch.rand(count, 1, 1) * math.pi
    size, thick = 0.04 + 0.5 * torch.rand(count, 1, 1) ** 2, 0.015 + 0.04 * torch.rand(count, 1, 1)
    line = torch.linspace(-1, 1, side)
    y, x = torch.meshgrid(line, line, indexing="ij")
    x, y = x - 0.5 * middle[:, 0], y - 0.5 * middle[:, 1]
    u = x * torch.cos(way) + y * torch.sin(way)
    v = (y * torch.cos(way) - x * torch.sin(way)) * (1 + torch.rand(count, 1, 1))
    far = torch.hypot(u, v)
    arc = thick - (far - size).abs()
    arc = torch.where(u > size * (2 * torch.rand(count, 1, 1) - 1), arc, -thick)  # part of a ring
    bar = torch.minimum(thick - v.abs(), size - u.abs())
    inside = torch.where(torch.rand(count, 1, 1) < 0.7, arc, bar)
    cover = (inside / (0.01 + 0.04 * torch.rand(count, 1, 1)) + 0.5).clamp(0, 1)
    bright = (cover * (0.3 + 0.7 * torch.rand(count, 1, 1)))[:, None]
    shone = crops.clone()
    shone[some] = crops[some] * (1 - bright) + bright
    return shone


def softened(crops: torch.Tensor, softest: float) -> torch.Tensor:
    """Return crops as if taken from farther away, a little out of focus, or shaken."""
    count, full = len(crops), crops.shape[-1]
    size = int(torch.randint(round(softest * full), full, (1,)))
    soft = F.interpolate(crops, size=(size, size), mode="area")
    soft = F.interpolate(soft, size=(full, full), mode="bilinear", align_corners=False)
    drawn = torch.rand(count, 1, 1, 1)
    if torch.rand(1) < 0.5:  # colour alone is coarse, as JPEG stores it
        bright = crops.mean(1, keepdim=True)
        coarse = bright + soft - soft.mean(1, keepdim=True)
        crops = torch.where(drawn > 0.6, coarse, crops)
    else:
        far = int(torch.randint(1, 1 + full // 12, (1,)))
        along = torch.roll(crops, far, -1) / 3 + torch.roll(crops, -far, -1) / 3 + crops / 3
        crops = torch.where(drawn > 0.93, along, crops)
    return torch.where(drawn < 0.4, soft, crops)


def evened(crops: torch.Tensor, middle: float) -> torch.Tensor:
    """Bring each crop's middle to mean 0 and spread 1, as `vision.dice.box_network.evened`."""
    side = crops.shape[-1]
    edge = round(side * (1 - middle) / 2)
    inner = crops[..., edge : side - edge, edge : side - edge]
    mean, spread = inner.mean((1, 2, 3), keepdim=True), inner.std((1, 2, 3), keepdim=True)
    even = (crops - mean) / (spread + 0.02)
    return even if middle == 1 else even.clamp(-MOST, MOST)
