"""What the finder is trained on: windows of pictures, each at some size, and where dice lie."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import torch
import torch.nn.functional as F

from benchmarks.dice_training.pictures import STRAY, Known
from vision.dice.finder import STEP_PX, to_input
from vision.frame import Array, Image

BATCH = 16
WINDOW_PX = 256
_LEAST_PX, _MOST_PX = 18.0, 100.0
"""Size at which a picture's middling die is shown."""
_LEAST_KEPT = 0.4
"""Share of a die that must lie in the window to be found."""
_KEPT_PX = 800
"""Longest side that a picture is kept with in memory."""


class Feed:
    """Draws windows, from each set as often as `shares` says; the rest from drawn pictures."""

    def __init__(
        self, known: list[Known], shares: Mapping[str, float], rng: np.random.Generator
    ) -> None:
        self._rng = rng
        self._sets: dict[str, list[tuple[Image, Array]]] = {}
        for picture in known:
            if all(die.is_whole for die in picture.dice):
                self._sets.setdefault(picture.source, []).append(_kept(picture))
        self._names = list(self._sets)
        drawn = [n for n in self._names if n not in shares]
        given = sum(shares[n] for n in self._names if n in shares)
        weights = [shares[n] if n in shares else (1 - given) / len(drawn) for n in self._names]
        self._weights = np.array(weights) / sum(weights)
        counts = {name: len(pictures) for name, pictures in self._sets.items()}
        print("pictures", counts, np.round(self._weights, 3), flush=True)

    def batch(self, size: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return pictures (N, 3, W, W) as the network takes them and what it should answer.

        The answer is (N, 6, W/8, W/8): how much a die's middle, its offset and size, and the
        weight of these four.
        """
        shown, wanted = [], []
        for _ in range(size):
            name = self._names[int(self._rng.choice(len(self._names), p=self._weights))]
            pictures = self._sets[name]
            window, boxes = _window(*pictures[int(self._rng.integers(len(pictures)))], self._rng)
            shown.append(to_input(_recoloured(window, self._rng)))
            wanted.append(_answer(boxes))
        return torch.from_numpy(np.concatenate(shown)), torch.from_numpy(np.stack(wanted))


def _kept(picture: Known) -> tuple[Image, Array]:
    image = picture.read()
    scale = min(1.0, _KEPT_PX / max(image.shape[:2]))
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
    boxes = [die.box for die in picture.dice if die.kind != STRAY]
    return image, np.array(boxes, float).reshape(-1, 4) * scale


def _window(image: Image, boxes: Array, rng: np.random.Generator) -> tuple[Image, Array]:
    """Return a square window of a picture at a random size, turned and mirrored."""
    usual = float(np.median(boxes[:, 2:].max(axis=1))) if len(boxes) else 40.0
    scale = float(np.exp(rng.uniform(np.log(_LEAST_PX), np.log(_MOST_PX)))) / usual
    scale = max(scale, 0.35 * WINDOW_PX / max(image.shape[:2]))
    side = WINDOW_PX / scale
    height, width = image.shape[:2]
    if len(boxes) and rng.random() < 0.85:  # a die is in it
        x, y, w, h = boxes[int(rng.integers(len(boxes)))]
        middle = np.array([x + w / 2, y + h / 2]) + rng.uniform(-0.48, 0.48, 2) * side
    else:
        middle = rng.uniform([0, 0], [width, height])
    if side < min(width, height):
        middle = np.clip(middle, side / 2, [width - side / 2, height - side / 2])
    stretch = np.exp(rng.normal(0, 0.06, 2))
    scales = scale * stretch
    shift = WINDOW_PX / 2 - middle * scales
    how = np.array([[scales[0], 0, shift[0]], [0, scales[1], shift[1]]])
    fit = image
    if scale < 0.6:
        fit = np.asarray(cv2.blur(image, (round(0.8 / scale),) * 2), np.uint8)
    border = cv2.BORDER_REPLICATE if rng.random() < 0.7 else cv2.BORDER_CONSTANT
    window = cv2.warpAffine(fit, how, (WINDOW_PX, WINDOW_PX), borderMode=border)
    low = boxes[:, :2] * scales + shift
    moved = np.concatenate([low, boxes[:, 2:] * scales], axis=1)
    moved = _clipped(moved)
    for _ in range(int(rng.integers(4))):
        window = np.rot90(window)
        x, y, w, h = moved.T
        moved = np.stack([y, WINDOW_PX - x - w, h, w], axis=1)
    if rng.random() < 0.5:
        window = window[:, ::-1]
        moved[:, 0] = WINDOW_PX - moved[:, 0] - moved[:, 2]
    return np.ascontiguousarray(window, np.uint8), moved


def _clipped(boxes: Array) -> Array:
    """Cut boxes at the window's edge; drop those of which little is left."""
    low = np.clip(boxes[:, :2], 0, WINDOW_PX)
    high = np.clip(boxes[:, :2] + boxes[:, 2:], 0, WINDOW_PX)
    size = high - low
    kept = size.prod(axis=1) > _LEAST_KEPT * boxes[:, 2:].prod(axis=1)
    return np.concatenate([low, size], axis=1)[kept]


def _recoloured(window: Image, rng: np.random.Generator) -> Image:
    """Change light and colours, soften, add noise."""
    picture = window.astype(np.float32)
    if rng.random() < 0.3:
        picture = picture[..., rng.permutation(3)]
    picture = picture * (1 + 0.12 * rng.normal(size=3)) * rng.uniform(0.5, 1.3)
    picture += rng.normal(0, 10)
    if rng.random() < 0.1:
        picture = 255 - picture
    if rng.random() < 0.3:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, 1.3))
    if rng.random() < 0.4:
        picture = picture + rng.normal(0, rng.uniform(1, 8), picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def _answer(boxes: Array) -> Array:
    side = WINDOW_PX // STEP_PX
    told = np.zeros((6, side, side), np.float32)
    rows, columns = np.mgrid[0:side, 0:side]
    for x, y, w, h in boxes / STEP_PX:
        middle = np.array([x + w / 2, y + h / 2]) - 0.5
        away = (columns - middle[0]) ** 2 + (rows - middle[1]) ** 2
        spread = max(0.11 * min(w, h), 0.35)
        told[0] = np.maximum(told[0], np.exp(-away / (2 * spread**2)))
        column, row = (int(np.clip(round(v), 0, side - 1)) for v in middle)
        told[0, row, column] = 1.0
        near = away < max(0.25 * min(w, h), 0.8) ** 2
        near[row, column] = True
        told[1][near] = (middle[0] - columns)[near]
        told[2][near] = (middle[1] - rows)[near]
        told[3][near], told[4][near], told[5][near] = np.log(w), np.log(h), 1 / near.sum()
    return told


def loss(net: torch.nn.Module, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
    """Return the penalty-reduced focal loss of the middles plus that of places and sizes."""
    pictures, wanted = batch
    told = net(pictures).float()
    sure = torch.sigmoid(told[:, 0])
    middle = wanted[:, 0]
    is_middle = (middle > 0.999).float()
    hit = F.logsigmoid(told[:, 0]) * (1 - sure) ** 2 * is_middle
    miss = F.logsigmoid(-told[:, 0]) * sure**2 * (1 - middle) ** 4 * (1 - is_middle)
    dice = is_middle.sum().clamp(min=1)
    weight = wanted[:, 5:]
    place = F.smooth_l1_loss(told[:, 1:], wanted[:, 1:5], reduction="none", beta=0.1)
    answer: torch.Tensor = -(hit.sum() + miss.sum()) / dice + (place * weight).sum() / dice
    return answer
