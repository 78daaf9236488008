"""Invented terrain tiles: volcanoes, deserts and reefs of several makes."""

from __future__ import annotations

import math

import cv2
import numpy as np

from benchmarks.board_net.canvas import (
    FINE,
    INRADIUS,
    SHIFT,
    disc,
    hexagon,
    line,
    noise_field,
    poly,
    to_px,
    tone,
)


def blobs(rng, image, colours, count, size):
    for _ in range(count):
        c = colours[rng.integers(len(colours))]
        p = rng.uniform(-21, 21, 2)
        if rng.random() < 0.6:
            disc(image, p, rng.uniform(*size), c)
        else:
            n = rng.integers(3, 7)
            a = np.sort(rng.uniform(0, 2 * math.pi, n))
            poly(image, p + np.column_stack([np.cos(a), np.sin(a)]) * rng.uniform(*size) * 1.3, c)


def streaks(rng, image, colours, count, centre, width):
    for _ in range(count):
        p = np.array(centre) + rng.normal(0, 1.5, 2)
        a = rng.uniform(0, 2 * math.pi)
        pts = [p]
        for _ in range(rng.integers(2, 6)):
            a += rng.normal(0, 0.5)
            p = p + np.array([math.cos(a), math.sin(a)]) * rng.uniform(2, 6)
            pts.append(p)
        line(image, pts, colours[rng.integers(len(colours))], rng.uniform(*width))


def volcano(rng, image):
    image[:] = tone(rng, (0, 45), (0.0, 0.5), (0.1, 0.42))
    image *= 1 + rng.uniform(0.02, 0.2) * (noise_field(rng, rng.uniform(2, 8)))[..., None]
    lava = [tone(rng, (2, 45), (0.7, 1), (0.7, 1.05)) for _ in range(3)]
    centre = rng.normal(0, 3, 2)
    if rng.random() < 0.4:
        disc(image, centre, rng.uniform(7, 15), tone(rng, (0, 40), (0, 0.4), (0.2, 0.55)))
    if rng.random() < 0.3:
        disc(image, centre, rng.uniform(4, 9), tone(rng, (0, 40), (0, 0.5), (0.03, 0.2)))
    if rng.random() < 0.85:
        streaks(rng, image, lava, rng.integers(2, 9), centre, (0.6, 2.6))
    if rng.random() < 0.75:
        disc(image, centre, rng.uniform(1.5, 6), lava[0])
    if rng.random() < 0.3:
        blobs(rng, image, lava, rng.integers(1, 7), (0.6, 2.5))
    if rng.random() < 0.2:
        blobs(rng, image, [tone(rng, (0, 30), (0, 0.15), (0.35, 0.8))], rng.integers(1, 4), (1, 4))


def desert(rng, image):
    base = tone(rng, (26, 50), (0.22, 0.7), (0.6, 1.0))
    image[:] = base
    image *= 1 + rng.uniform(0.01, 0.1) * noise_field(rng, rng.uniform(2, 12))[..., None]
    for _ in range(rng.integers(0, 7)):
        y = rng.uniform(-20, 20)
        x = np.linspace(-24, 24, 13)
        pts = np.column_stack(
            [x, y + rng.uniform(0.5, 4) * np.sin(x * rng.uniform(0.1, 0.4) + rng.uniform(0, 6))]
        )
        line(image, pts, base * rng.uniform(0.7, 1.12), rng.uniform(0.5, 2.5))
    if rng.random() < 0.5:
        blobs(rng, image, [base * rng.uniform(0.5, 0.85)], rng.integers(1, 12), (0.4, 1.8))
    if rng.random() < 0.2:
        blobs(
            rng,
            image,
            [tone(rng, (80, 140), (0.3, 0.8), (0.3, 0.6))],
            rng.integers(1, 4),
            (0.8, 2.5),
        )


def reef(rng, image):
    image[:] = tone(rng, (160, 205), (0.25, 0.85), (0.45, 1.0))
    image *= 1 + rng.uniform(0.01, 0.12) * noise_field(rng, rng.uniform(2, 8))[..., None]
    colours = [tone(rng, (-30, 40), (0.3, 0.95), (0.6, 1.0)) for _ in range(2)]
    colours += [
        tone(rng, (0, 60), (0.0, 0.35), (0.7, 1.0)),
        tone(rng, (150, 210), (0.1, 0.6), (0.5, 1.0)),
    ]
    colours.append(tone(rng, (270, 345), (0.3, 0.9), (0.5, 1.0)))
    if rng.random() < 0.3:
        colours.append(tone(rng, (20, 40), (0.1, 0.6), (0.25, 0.6)))
    blobs(rng, image, colours, rng.integers(8, 55), (0.6, rng.uniform(1.5, 3.6)))
    if rng.random() < 0.35:
        streaks(rng, image, colours, rng.integers(2, 9), (0, 0), (0.5, 1.6))


def rocks(rng, image):
    """A reef of rocks with foam around them, in shallow water or on the sea as it is printed."""
    if rng.random() < 0.9:
        image[:] = tone(rng, (165, 235), (0.2, 0.85), (0.3, 0.95))
    image *= 1 + rng.uniform(0.01, 0.1) * noise_field(rng, rng.uniform(2, 10))[..., None]
    hue, foam = rng.uniform(0, 60), tone(rng, (160, 220), (0.0, 0.25), (0.75, 1.05))
    stone = [tone(rng, (hue, hue + 20), (0.0, 0.4), (0.12, 0.65)) for _ in range(3)]
    for _ in range(rng.integers(6, 16)):
        p, n = rng.uniform(-16, 16, 2), rng.integers(4, 9)
        a = np.sort(rng.uniform(0, 2 * math.pi, n))
        rim = np.column_stack([np.cos(a), np.sin(a)]) * rng.uniform(1, 4.5, (n, 1))
        if rng.random() < 0.6:
            poly(image, p + rim * rng.uniform(1.15, 1.6), foam)
        poly(image, p + rim, stone[rng.integers(3)])
        if rng.random() < 0.5:
            poly(image, p + rim * 0.5 - rng.uniform(0, 1, 2), stone[rng.integers(3)] * 1.3)
    if rng.random() < 0.4:
        streaks(rng, image, [foam], rng.integers(2, 8), rng.normal(0, 8, 2), (0.4, 1.6))


def mountain(rng, image):
    """A volcano as a hill lit from one side, its crater red or smoking."""
    image[:] = tone(rng, (15, 130), (0.1, 0.6), (0.15, 0.6))
    x, y = np.meshgrid(np.linspace(-1, 1, FINE), np.linspace(-1, 1, FINE))
    a, far = rng.uniform(0, 2 * math.pi), np.hypot(x, y)
    slope = (x * math.cos(a) + y * math.sin(a)) / np.maximum(far, 0.05)
    folds = np.sin(np.arctan2(y, x) * rng.integers(5, 17) + rng.uniform(0, 6))
    image *= (1 + rng.uniform(0.1, 0.45) * slope + rng.uniform(0, 0.15) * folds)[..., None]
    near = np.exp(-((far / rng.uniform(0.3, 0.7)) ** 2))[..., None]
    image[:] = image * (1 - near) + tone(rng, (0, 40), (0, 0.4), (0.1, 0.4)) * near
    image *= 1 + rng.uniform(0.02, 0.15) * noise_field(rng, rng.uniform(2, 6))[..., None]
    lava, centre = (
        [tone(rng, (0, 45), (0.7, 1), (0.7, 1.05)) for _ in range(2)],
        rng.normal(0, 2, 2),
    )
    disc(image, centre, rng.uniform(3, 7), tone(rng, (0, 40), (0, 0.5), (0.03, 0.25)))
    disc(image, centre, rng.uniform(1.5, 4.5), lava[0])
    if rng.random() < 0.6:
        streaks(rng, image, lava, rng.integers(1, 6), centre, (0.6, 2.2))
    if rng.random() < 0.3:
        blobs(rng, image, [tone(rng, (0, 40), (0, 0.1), (0.4, 0.9))], rng.integers(1, 4), (1, 4))


def island(rng, image):
    """A desert island: sand in a ring of surf, with palms or grass."""
    image[:] = tone(rng, (165, 225), (0.2, 0.8), (0.4, 0.95))
    base, n = tone(rng, (28, 50), (0.2, 0.65), (0.65, 1.0)), 18
    a = np.linspace(0, 2 * math.pi, n, endpoint=False)
    rim = np.column_stack([np.cos(a), np.sin(a)]) * rng.uniform(10, 16)
    rim *= 1 + rng.uniform(0.02, 0.15) * rng.normal(0, 1, (n, 1))
    poly(image, rim * rng.uniform(1.05, 1.2), tone(rng, (30, 210), (0.0, 0.3), (0.8, 1.05)))
    poly(image, rim, base)
    image *= 1 + rng.uniform(0.01, 0.08) * noise_field(rng, rng.uniform(2, 8))[..., None]
    if rng.random() < 0.4:
        blobs(rng, image, [base * rng.uniform(0.6, 0.9)], rng.integers(1, 8), (0.5, 2.0))
    for _ in range(rng.integers(0, 4)):
        top, leaf = rng.normal(0, 5, 2), tone(rng, (70, 140), (0.3, 0.85), (0.2, 0.6))
        for turn in np.linspace(0, 2 * math.pi, rng.integers(4, 8)):
            away = np.array([math.cos(turn), math.sin(turn)]) * rng.uniform(2, 4)
            line(image, [top, top + away], leaf, rng.uniform(0.6, 1.4))


TILES = {
    "volcano": (volcano, volcano, mountain),
    "desert": (desert, desert, desert, island),
    "reef": (reef, reef, reef, reef, rocks),
}
"""Makes of each terrain, as often as they stand here."""


def lay_tile(rng, image, terrain, centre=(0, 0)):
    tile = image.copy()
    TILES[terrain][rng.integers(len(TILES[terrain]))](rng, tile)
    if rng.random() < 0.5:
        turn = cv2.getRotationMatrix2D((FINE / 2, FINE / 2), float(rng.uniform(0, 360)), 1)
        tile = cv2.warpAffine(tile, turn, (FINE, FINE), borderMode=cv2.BORDER_REFLECT)
    if centre != (0, 0):
        tile = np.roll(tile, (rng.integers(FINE), rng.integers(FINE)), (0, 1))
    mask = np.zeros((FINE, FINE), np.float32)
    size = INRADIUS * rng.uniform(0.86, 1.0)
    place = np.asarray(centre) + rng.normal(0, 0.8, 2)
    turn = rng.normal(0, 0.04)
    cv2.fillPoly(mask, [to_px(hexagon(place, size, turn))], 1.0, 8, SHIFT)
    shadow = cv2.GaussianBlur(np.roll(mask, tuple(rng.integers(-3, 4, 2)), (0, 1)), (0, 0), 1.5)
    image *= 1 - rng.uniform(0.1, 0.5) * shadow[..., None]
    if rng.random() < 0.4:
        line(
            tile,
            hexagon(place, size - 0.5, turn),
            tile.mean(axis=(0, 1)) * rng.uniform(0.3, 1.2),
            rng.uniform(0.5, 1.5),
            True,
        )
    mask = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    image[:] = image * (1 - mask) + tile * mask
