"""Invented square cells with piecepack coins: stacks, wrecks, pawns, for training.

As in `benchmarks.board_net.synthetic`: tones, looks and prints are drawn from
wide ranges. Lengths of the pieces are scaled so that the cut-out shows `SPAN` pitches of a square
board; the virtual table's renderer is not used.
"""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np

from benchmarks.board_net.canvas import FINE, PX, disc, line, noise_field, poly, tone
from benchmarks.board_net.synthetic import lay_arm, spoil
from vision.board.coins import SPAN
from vision.printing.coins import SUITS, symbol_shapes
from vision.printing.drawing import Disc

SIDE = FINE / PX / SPAN
"""Side of a cell in the canvas's millimetres."""
TOPS = (None, *SUITS, "wreck")

# hue (degrees), saturation, value: low and high
PAINTS = {
    "suns": ((-14, 12), (0.6, 1.0), (0.4, 0.95)),
    "crowns": ((36, 68), (0.5, 1.0), (0.55, 1.0)),
    "moons": ((0, 360), (0.0, 0.3), (0.04, 0.26)),
    "arms": ((203, 248), (0.5, 1.0), (0.3, 0.95)),
}
BARE = ((22, 58), (0.0, 0.42), (0.68, 1.0))
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

CELL = np.zeros((FINE, FINE), np.float32)
_half = round(SIDE * PX / 2)
CELL[FINE // 2 - _half : FINE // 2 + _half, FINE // 2 - _half : FINE // 2 + _half] = 1


def new_print(rng):
    """Return the style of a printed board."""
    sea = tone(rng, (0, 360), (0.0, 0.85), (0.08, 0.95))
    if rng.random() < 0.6:
        sea = tone(
            rng, [(185, 240), (160, 195), (30, 50)][rng.integers(3)], (0.1, 0.85), (0.1, 0.92)
        )
    contrast = rng.choice([-1, 1]) * rng.uniform(0.15, 0.9)
    ink = np.clip(sea * (1 + contrast) + rng.uniform(0, 0.6) * max(contrast, 0), 0.02, 1.05)
    return {
        "sea": sea,
        "line": ink if rng.random() < 0.7 else tone(rng, (0, 360), (0, 0.7), (0.02, 1.0)),
        "paper": tone(rng, (0, 360), (0.0, 0.6), (0.05, 1.0)),
        "land": tone(rng, (20, 60), (0.1, 0.7), (0.15, 0.95)),
        "line_mm": rng.uniform(0.5, 2.0),
        "grain": rng.uniform(1.5, 14),
        "rough": abs(rng.normal(0, 0.05)),
    }


def square(image, centre, side, colour):
    x, y = centre
    h = side / 2
    poly(image, [(x - h, y - h), (x + h, y - h), (x + h, y + h), (x - h, y + h)], colour)


def draw_print(rng, style, kind, detailed=True):
    """Draw the cell and its neighbours, empty."""
    image = np.empty((FINE, FINE, 3), np.float32)
    image[:] = style["sea"]
    ground = {"land": style["land"], "wind": 0.7 * style["sea"] + 0.3 * style["line"]}
    for x, y in AROUND:
        u = rng.random()
        near = style["paper"] if u < 0.12 else ground["land"] if u < 0.18 else ground["wind"]
        if u < 0.34:
            square(image, (x * SIDE, y * SIDE), SIDE, near)
    if kind in ground:
        square(image, (0, 0), SIDE, ground[kind])
    if detailed:
        grain = noise_field(rng, style["grain"]) + 0.7 * noise_field(rng, 2)
        image *= 1 + style["rough"] * grain[..., None]
    for k in (-1.5, -0.5, 0.5, 1.5):
        for pair in ([(-60, k * SIDE), (60, k * SIDE)], [(k * SIDE, -60), (k * SIDE, 60)]):
            line(image, pair, style["line"], style["line_mm"])
    if kind == "land" and rng.random() < 0.5:
        cross(rng, image)
    elif kind and detailed:
        doodle(rng, image, style, kind)
    return image


def cross(rng, image):
    """Mark where treasure lies."""
    size, colour = rng.uniform(4, 11), tone(rng, (-20, 20), (0.3, 1.0), (0.2, 0.9))
    for way in (1, -1):
        line(image, [(-size, -way * size), (size, way * size)], colour, rng.uniform(0.8, 3))


def doodle(rng, image, style, kind):
    """Draw something like an anchor, arrows, a letter or a cross."""
    colour = style["line"] if rng.random() < 0.7 else tone(rng, (0, 360), (0, 0.9), (0.05, 1.0))
    if kind == "letter":
        centre, radius = (0, 0), rng.uniform(0.35, 0.48) * SIDE
        disc(image, centre, radius, colour, rng.uniform(0.8, 2))
    if kind in ("letter", "wreck"):
        text(rng, image, "NESWA1J0"[rng.integers(8)], (0, 0), rng.uniform(5, 14), colour)
        return
    for _ in range(rng.integers(1, 5)):
        centre = rng.uniform(-0.35, 0.35, 2) * SIDE
        u = rng.random()
        if u < 0.3:
            disc(image, centre, rng.uniform(1, 7), colour, rng.uniform(0.6, 2))
        elif u < 0.6:
            a, d = rng.uniform(0, math.pi), rng.uniform(2, 12)
            way = np.array([math.cos(a), math.sin(a)]) * d
            line(image, [centre - way, centre + way], colour, rng.uniform(0.6, 2.4))
        else:
            a = np.sort(rng.uniform(0, 2 * math.pi, rng.integers(3, 6)))
            ring = np.column_stack([np.cos(a), np.sin(a)]) * rng.uniform(1.5, 7)
            poly(image, centre + ring, colour)


def text(rng, image, word, centre, height_mm, colour, turn_deg=0.0):
    """Write a word turned about a point."""
    drawn = np.zeros((FINE, FINE), np.uint8)
    font = [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_COMPLEX][
        rng.integers(3)
    ]
    scale, thick = height_mm * PX / 21, max(1, round(height_mm * PX * rng.uniform(0.08, 0.2)))
    (w, h), _ = cv2.getTextSize(word, font, scale, thick)
    at = (round(FINE / 2 - w / 2), round(FINE / 2 + h / 2))
    cv2.putText(drawn, word, at, font, scale, 255, thick, cv2.LINE_AA)
    mask = drawn.astype(np.float32) / 255
    turn = cv2.getRotationMatrix2D((FINE / 2, FINE / 2), turn_deg, 1)
    turn[:, 2] += np.asarray(centre) * PX
    mask = cv2.warpAffine(mask, turn, (FINE, FINE))[..., None]
    image[:] = image * (1 - mask) + np.asarray(colour, np.float32) * mask


class Box:
    """The coins and the pawn of one table, the way its light falls and its camera leans."""

    def __init__(self, rng):
        self.unit = SIDE / rng.uniform(28, 37)  # canvas millimetres a real one
        self.radius = rng.uniform(8.8, 10.2) * self.unit
        self.height = rng.uniform(1.2, 4.6) * self.unit
        a, tilt = rng.uniform(0, 2 * math.pi), rng.uniform(0, 0.55)
        self.lean = np.array([math.cos(a), math.sin(a)]) * tilt
        a, low = rng.uniform(0, 2 * math.pi), rng.uniform(0.05, 0.9)
        self.shadow = np.array([math.cos(a), math.sin(a)]) * low
        self.dark = np.clip(rng.uniform(0.25, 0.95) + rng.normal(0, 0.04, 3), 0.1, 1)
        self.blur = rng.uniform(0.6, 3.0)
        self.bare = tone(rng, *BARE)
        self.paints = {suit: tone(rng, *PAINTS[suit]) for suit in PAINTS}
        self.first = rng.choice(["painted", "rimmed", "bare"], p=[0.55, 0.2, 0.25])
        self.ring = rng.random() < 0.6
        self.symbol = rng.uniform(0.42, 0.74)
        self.rim = rng.uniform(0.14, 0.3)
        self.ink = tone(rng, (0, 60), (0, 0.6), (0.03, 0.3))
        pawn = [((0, 360), (0, 1), (0.05, 1.0)), BARE, *PAINTS.values()]
        self.pawn = tone(rng, *pawn[rng.integers(len(pawn))])
        self.barrel = rng.random() < 0.2
        if rng.random() < 0.2:  # the very paint of a fleet
            self.pawn = list(self.paints.values())[rng.integers(4)] * rng.uniform(0.8, 1.2)

    def at(self, point, height):
        """Return where a point above the board is seen; cut-outs follow `LEAN_MM` up."""
        return np.asarray(point) + self.lean * (height - 3.0 * self.unit)

    def cast(self, image, point, radius, low, high):
        """Darken what a body shades."""
        mask = np.zeros((FINE, FINE), np.float32)
        for k in np.linspace(low, high, 4):
            disc(mask[..., None], np.asarray(point) + self.shadow * k, radius, (1.0, 1.0, 1.0))
        mask = cv2.GaussianBlur(mask, (0, 0), self.blur)
        image *= 1 - mask[..., None] * (1 - self.dark)


def lay_coin(rng, image, box, top, look, point, level):
    """Lay a coin on `level` others."""
    low, high = level * box.height, (level + 1) * box.height
    box.cast(image, box.at(point, 0), box.radius, low, high)
    paint = box.bare if top == "wreck" else box.paints[top]
    paint = paint * rng.uniform(0.88, 1.1)
    pale = box.bare * rng.uniform(0.92, 1.06)
    body = paint if look == "painted" and top != "wreck" else pale
    edge = (paint if look == "rimmed" else body) * rng.uniform(0.45, 0.95)
    face = image.copy()
    for k in np.linspace(low, high, 5):
        disc(face, box.at(point, k), box.radius, edge)
    centre = box.at(point, high)
    disc(face, centre, box.radius, body)
    turn = rng.uniform(0, 360)
    if top == "wreck":
        if box.ring:
            disc(face, centre, 0.88 * box.radius, 0.7 * pale, 0.4)
        word = "2345"[rng.integers(4)]
        text(rng, face, word, centre, box.radius * rng.uniform(0.6, 1.0), box.ink, turn)
    else:
        pattern(rng, face, box, top, look, centre, turn, paint, pale)
    face *= 1 + rng.uniform(0, 0.05) * noise_field(rng, 3)[..., None]
    changed = (np.abs(face - image).max(axis=-1) > 0).astype(np.float32)
    soft = cv2.GaussianBlur(changed, (0, 0), 0.5)[..., None]
    image[:] = image * (1 - soft) + face * soft


def pattern(rng, face, box, suit, look, centre, turn, paint, pale):
    """Paint rim and symbol of a coin's suit side."""
    size, ink, ground = box.symbol * box.radius, paint, pale
    if look == "painted":
        ink = pale if rng.random() < 0.6 else paint + (1 - paint) * rng.uniform(0.5, 0.95)
        ground = paint
        if box.ring:
            disc(face, centre, 0.9 * box.radius, ink, rng.uniform(0.3, 0.8))
    if look == "rimmed":
        size = min(size, (0.93 - box.rim) * box.radius)
        disc(face, centre, (1 - box.rim / 2) * box.radius, paint, box.rim * box.radius)
    a = math.radians(turn)
    spin = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])
    for shape in symbol_shapes(suit, (0.0, 0.0), size, (1, 1, 1), (0, 0, 0)):
        colour = ink if shape.fill == (1, 1, 1) else ground
        if isinstance(shape, Disc):
            disc(face, centre, shape.radius_mm, colour)
        else:
            poly(face, np.array(shape.points_mm) @ spin + centre, colour)


def stand_pawn(rng, image, box, point, level):
    """Stand the treasure on `level` coins: a foot, a neck, a head."""
    u, low = box.unit, level * box.height
    head = rng.uniform(13, 24) * u
    foot, neck, ball = rng.uniform(4.8, 7.5), rng.uniform(1.8, 3.6), rng.uniform(2.6, 4.8)
    outline = [(foot, 0.0), (foot * rng.uniform(0.85, 1), 0.12), (neck + 1, 0.25), (neck, 0.6)]
    outline += [(ball * 0.8, 0.7), (ball, 0.82), (ball * 0.7, 0.95), (0.3 * ball, 1.0)]
    if box.barrel:
        foot = rng.uniform(4.5, 7.5)
        outline = [(foot, 0.0), (foot * rng.uniform(0.9, 1.1), 0.5), (foot, 1.0)]
    box.cast(image, box.at(point, 0), 0.7 * foot * u, low, low + head)
    light = box.shadow / (np.linalg.norm(box.shadow) + 1e-6)
    depth, gloss = rng.uniform(0.35, 0.9), rng.uniform(0.9, 1.5)
    body = image.copy()
    for (r0, h0), (r1, h1) in pairwise(outline):
        for t in np.linspace(0, 1, 4):
            radius = (r0 + (r1 - r0) * t) * u
            centre = box.at(point, low + head * (h0 + (h1 - h0) * t))
            disc(body, centre, radius, box.pawn * depth)
            lit = depth + (gloss - depth) * rng.uniform(0.4, 0.7)
            disc(body, centre - light * 0.3 * radius, 0.66 * radius, box.pawn * lit)
    top = box.at(point, low + head)
    if box.barrel:
        lid(rng, body, box, top, foot * u)
    else:
        disc(body, top - light * u, 0.35 * ball * u, np.clip(box.pawn * gloss + 0.04, 0, 1.1))
    changed = (np.abs(body - image).max(axis=-1) > 0).astype(np.float32)
    soft = cv2.GaussianBlur(changed, (0, 0), 0.5)[..., None]
    image[:] = image * (1 - soft) + body * soft


def lid(rng, body, box, centre, radius):
    """Close a barrel: a disc, perhaps with a rim and a cross."""
    disc(body, centre, radius, box.pawn * rng.uniform(0.7, 1.2))
    inner = tone(rng, (0, 60), (0, 1), (0.05, 1.0))
    if rng.random() < 0.7:
        disc(body, centre, rng.uniform(0.6, 0.92) * radius, inner)
    if rng.random() < 0.7:
        ink, a = tone(rng, (-20, 40), (0, 1), (0.05, 0.9)), rng.uniform(0, math.pi)
        for k in range(2):
            way = np.array([math.cos(a + k * math.pi / 2), math.sin(a + k * math.pi / 2)])
            reach = way * radius * rng.uniform(0.4, 0.8)
            line(body, [centre - reach, centre + reach], ink, rng.uniform(0.8, 2.2))


def look_of(rng, box):
    """Return whether a coin is of the second pack (-1: cannot be told) and its look."""
    if rng.random() < 0.35:
        return 1, "rimmed"
    if box.first == "painted":
        return 0, "painted"
    return (1 if box.first == "rimmed" else -1), box.first


def lay_pile(rng, image, box, point, crowned):
    """Lay a pile; return what is on top, its pack, and whether the treasure is on it.

    `crowned` is the chance of a treasure on ships, and half that on an empty cell.
    """
    top = TOPS[rng.choice(6, p=[0.36, 0.13, 0.13, 0.13, 0.13, 0.12])]
    pack, look = look_of(rng, box)
    level = 0
    if top is not None:
        below = int(rng.choice(4, p=[0.72, 0.14, 0.09, 0.05])) if top != "wreck" else 0
        if below and rng.random() < 0.25:  # a captor over a wreck
            lay_coin(rng, image, box, "wreck", look, point + rng.normal(0, 0.8, 2) * box.unit, 0)
            level, below = 1, below - 1
        for _ in range(below + 1):
            lay_coin(rng, image, box, top, look, point, level)
            level += 1
            point = point + np.clip(rng.normal(0, 0.8, 2), -1.6, 1.6) * box.unit
    treasure = rng.random() < {None: crowned / 2, "wreck": 0.0}.get(top, crowned)
    if treasure:
        away = np.clip(rng.normal(0, 1.2, 2), -3, 3) * box.unit
        stand_pawn(rng, image, box, point + away, level)
    return TOPS.index(top), pack if top in SUITS else -1, treasure


def invent_cell(rng):
    """Return seen and empty (32, 32, 3) float32, top, pack, treasure, hidden share."""
    style = new_print(rng)
    kind = rng.choice([None, "wind", "land", "letter", "doodle"], p=[0.46, 0.15, 0.12, 0.07, 0.2])
    twin = rng.integers(2**31)
    seen = draw_print(np.random.default_rng(twin), style, kind)
    guessed = rng.random() < 0.3
    if guessed:
        known = kind if rng.random() < 0.7 else None
        empty = draw_print(np.random.default_rng(twin), style, known, rng.random() < 0.4)
    else:
        empty = seen.copy()
    box = Box(rng)
    order = sorted(AROUND, key=lambda p: -float(np.dot(p, box.lean)))
    away, near = order[:4], order[4:]
    for p in away:
        lay_neighbour(rng, seen, box, p)
    spot = np.clip(rng.normal(0, 2.2, 2), -4.6, 4.6) * box.unit
    top, pack, treasure = lay_pile(rng, seen, box, spot, 0.6 if kind == "land" else 0.4)
    for p in near:
        lay_neighbour(rng, seen, box, p)
    if rng.random() < 0.12:  # a shadow from elsewhere
        soft = (noise_field(rng, 25) > 0.3).astype(np.float32)
        soft = cv2.GaussianBlur(soft, (0, 0), rng.uniform(1, 8))
        seen *= 1 - soft[..., None] * (1 - box.dark)
    hidden = lay_arm(rng, seen, style, CELL) if rng.random() < 0.18 else 0.0
    if guessed:  # beyond its outline a guessed cell is taken as it is seen
        empty = np.where(CELL[..., None] > 0, empty, seen)
    return (*spoil(rng, seen, empty), top, pack, treasure, hidden)


def lay_neighbour(rng, seen, box, where):
    if rng.random() < 0.16:
        off = np.clip(rng.normal(0, 2.2, 2), -4, 4) * box.unit
        lay_pile(rng, seen, box, np.asarray(where) * SIDE + off, 0.15)
