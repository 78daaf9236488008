"""Invented cells: prints, tiles, ships, shadows and light of every kind, for training.

The tones, shapes and pictures are drawn from wide ranges on purpose: the reader must not know one
print by heart. Values are gamma-coded paint, 0 black to 1 white paper, BGR, as
`vision.board.patches.code_patches` makes them.
"""

from __future__ import annotations

import math

import cv2
import numpy as np

from benchmarks.board_net.canvas import (
    FINE,
    INRADIUS,
    PX,
    SHIFT,
    disc,
    hexagon,
    line,
    noise_field,
    poly,
    to_px,
    tone,
)
from benchmarks.board_net.tiles import lay_tile

SHIPS = ("red", "blue", "yellow", "green", "gray", "black", "white")
TERRAINS = (None, "volcano", "desert", "reef")
OFTEN = np.array([2, 2, 2, 2, 3, 2, 2]) / 15
"""How often each ship is drawn: gray ones look most like shadows and rocks."""
# hue (degrees), saturation, value: low and high
TONES = {
    "red": ((-14, 12), (0.6, 1.0), (0.35, 0.95)),
    "blue": ((205, 246), (0.5, 1.0), (0.28, 0.95)),
    "yellow": ((38, 60), (0.55, 1.0), (0.62, 1.0)),
    "green": ((95, 165), (0.42, 1.0), (0.25, 0.85)),
    "gray": ((0, 360), (0.0, 0.15), (0.36, 0.73)),
    "black": ((0, 360), (0.0, 0.45), (0.04, 0.29)),
    "white": ((0, 360), (0.0, 0.1), (0.8, 1.05)),
}


NEIGHBOURS = [(42 * math.cos(a), 42 * math.sin(a)) for a in np.radians(60 * np.arange(6))]


def new_print(rng):
    """Return the style of a printed board."""
    style = {
        "sea": tone(rng, (0, 360), (0.0, 0.85), (0.1, 0.95)),
        "edge": tone(rng, (0, 360), (0.0, 0.8), (0.05, 0.95)),
        "line": tone(rng, (0, 360), (0.0, 0.7), (0.02, 1.0)),
        "line_mm": rng.uniform(0.5, 1.8),
        "mark": tone(rng, (0, 360), (0.0, 0.9), (0.05, 1.0)),
        "grain": rng.uniform(1.5, 14),
        "rough": abs(rng.normal(0, 0.05)),
        "waves": rng.random() < 0.5,
        "inset": rng.choice([0.0, 0.0, 1.0, 2.0]),
    }
    if rng.random() < 0.6:  # seas are blue, teal or parchment more often than anything else
        hue = [(185, 240), (160, 195), (30, 50)][rng.integers(3)]
        style["sea"] = tone(rng, hue, (0.15, 0.85), (0.12, 0.9))
    return style


def draw_print(rng, style, texture=True, kind=None, outside=None):
    image = np.empty((FINE, FINE, 3), np.float32)
    image[:] = style["sea"]
    if texture:
        image *= (
            1
            + style["rough"]
            * (noise_field(rng, style["grain"]) + 0.7 * noise_field(rng, 2))[..., None]
        )
        if style["waves"]:
            for _ in range(rng.integers(0, 6)):
                p = rng.uniform(-20, 20, 2)
                x = np.linspace(-3, 3, 7)
                pts = np.column_stack([p[0] + x, p[1] + np.sin(x * rng.uniform(0.5, 1.5))])
                line(image, pts, style["sea"] * rng.uniform(0.8, 1.35), 0.6)
    for k in outside or ():
        poly(image, hexagon(NEIGHBOURS[k]), style["edge"])
    for c in [(0, 0), *NEIGHBOURS]:
        line(image, hexagon(c, INRADIUS - style["inset"]), style["line"], style["line_mm"], True)
    if kind == "circle":
        disc(image, (0, 0), style.get("circle_mm", 12), style["line"], style["line_mm"] + 0.4)
    elif kind == "diamond":
        r = style.get("diamond_mm", 6)
        poly(image, [(0, -1.3 * r), (r, 0), (0, 1.3 * r), (-r, 0)], style["mark"])
    elif kind == "star":
        for a in np.linspace(0, math.pi, 5)[:-1] + rng.uniform(0, 1):
            d = np.array([math.cos(a), math.sin(a)]) * rng.uniform(8, 18)
            line(image, [-d, d], style["mark"], 1.0)
    return image


def hull(rng, merchant):
    length, width = rng.uniform(21, 37), rng.uniform(7.5, 15)
    if merchant:
        length, width = rng.uniform(22, 37), rng.uniform(10, 18)
    bow, stern = rng.uniform(0.2, 0.5), rng.uniform(0.4, 1.0)
    x = np.array([0.5, 0.5 - bow * 0.5, 0.5 - bow, -0.1, -0.35, -0.5]) * length
    y = (
        np.array(
            [
                rng.uniform(0, 0.15),
                rng.uniform(0.25, 0.42),
                0.5,
                0.5,
                0.5 * (stern + 1) / 2,
                0.5 * stern,
            ]
        )
        * width
    )
    if rng.random() < 0.2:
        x[-1] -= rng.uniform(0, 2)
    return np.column_stack([np.r_[x, x[::-1]], np.r_[y, -y[::-1]]]), length, width


def rig(rng, paint, place, base, length, width):
    """Draw masts, and sails across the hull: paler, or thin ones of any cloth."""
    for x in rng.uniform(-0.35, 0.3, rng.integers(1, 4)) * length:
        cloth, wide = base * 0.6 + 0.4 * min(1.0, base.max() * 1.5), rng.uniform(2, 4)
        if rng.random() < 0.3:
            cloth, wide = tone(rng, (0, 60), (0.0, 0.3), (0.6, 1.0)), rng.uniform(1, 2)
        half = rng.uniform(0.25, 0.5) * width
        if rng.random() < 0.7:
            poly(paint, place([(x, -half), (x + wide, -half), (x + wide, half), (x, half)]), cloth)
        disc(paint, place([(x, 0)])[0], rng.uniform(0.4, 1.1), base * rng.uniform(0.2, 0.7))


def lay_ship(rng, image, colour, centre, shadow_mm, dark, heading=None):
    """Draw a ship; the shadow falls first."""
    outline, length, width = hull(rng, colour == "white")
    a = rng.uniform(0, 2 * math.pi) if heading is None else heading
    turn = np.array([[math.cos(a), math.sin(a)], [-math.sin(a), math.cos(a)]])

    def place(points):
        return np.asarray(points, float) @ turn + np.asarray(centre)

    mask = np.zeros((FINE, FINE), np.float32)
    cast = np.zeros((FINE, FINE), np.float32)
    for k in np.linspace(0, 1, 4):
        cv2.fillPoly(cast, [to_px(place(outline) + np.asarray(shadow_mm) * k)], 1.0, 8, SHIFT)
    cast = cv2.GaussianBlur(cast, (0, 0), rng.uniform(0.6, 3.0))
    image *= 1 - cast[..., None] * (1 - np.asarray(dark))
    cv2.fillPoly(mask, [to_px(place(outline))], 1.0, 8, SHIFT)
    base = tone(rng, *TONES[colour])
    paint = np.empty_like(image)
    paint[:] = base
    shade = rng.uniform(0.55, 0.95)
    poly(paint, place(np.c_[outline[:, 0], np.maximum(outline[:, 1], 0)]), base * shade)
    spread, shiny = rng.uniform(0.05, 0.4), rng.choice([0.1, 0.6])
    for _ in range(rng.integers(0, 7)):
        x = rng.uniform(-0.45, 0.3) * length
        w, h = rng.uniform(1.5, 9), rng.uniform(0.2, 0.85) * width / 2
        sheen = rng.uniform(0, 0.14) if rng.random() < shiny else 0.0
        c = base * (1 + rng.uniform(-spread, spread) * 1.2) + rng.uniform(-0.03, 0.06) + sheen
        poly(paint, place([(x, -h), (x + w, -h), (x + w, h), (x, h)]), np.clip(c, 0.01, 1.2))
    if rng.random() < 0.35:
        line(paint, place(outline), base * rng.uniform(0.5, 1.3), rng.uniform(0.6, 1.4), True)
    if rng.random() < 0.25:
        for x in rng.uniform(-0.3, 0.3, rng.integers(1, 4)):
            disc(
                paint,
                place([(x * length, 0)])[0],
                rng.uniform(0.6, 1.6),
                tone(rng, (20, 40), (0.1, 0.6), (0.15, 0.6)),
            )
    if rng.random() < 0.2:  # an open boat: darker inside
        inner = outline * rng.uniform(0.55, 0.8)
        poly(paint, place(inner), base * rng.uniform(0.35, 0.75))
    if rng.random() < 0.2:
        rig(rng, paint, place, base, length, width)
    paint *= 1 + rng.uniform(0, 0.08) * noise_field(rng, 3)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), 0.6)[..., None]
    image[:] = image * (1 - soft) + paint * soft


def lay_neighbours(rng, seen, shadow, dark):
    """Let tiles and ships of the cells around reach in."""
    for k, centre in enumerate(NEIGHBOURS):
        u = rng.random()
        if u < 0.05:
            lay_tile(rng, seen, ("volcano", "desert", "reef")[rng.integers(3)], centre)
        elif u < 0.15:
            away = np.array(centre) + rng.normal(0, 2.5, 2) + np.array(NEIGHBOURS[k]) * 0.04
            lay_ship(rng, seen, SHIPS[rng.integers(7)], away, shadow, dark)


def lay_own_ships(rng, seen, shadow, dark, ships):
    """Lay none, one or (a boarding) two ships and note their colours."""
    u = rng.random()
    spot = np.clip(rng.normal(0, 2.4, 2), -6, 6)
    if u < 0.12:
        first, second = rng.choice(7, 2, replace=False)
        a = rng.uniform(0, 2 * math.pi)
        side = np.array([-math.sin(a), math.cos(a)]) * rng.uniform(5.5, 10)
        lay_ship(rng, seen, SHIPS[first], spot + side, shadow, dark, -a + rng.normal(0, 0.3))
        lay_ship(rng, seen, SHIPS[second], spot - side, shadow, dark, -a + rng.normal(0, 0.3))
        ships[[first, second]] = 1
    elif u < 0.62:
        one = rng.choice(7, p=OFTEN)
        lay_ship(rng, seen, SHIPS[one], spot, shadow, dark)
        ships[one] = 1


def invent_cell(rng):
    """Return seen and empty (32, 32, 3) float32, ships (7,), terrain index, hidden share."""
    style = new_print(rng)
    kind = rng.choice([None, "circle", "diamond", "star"], p=[0.72, 0.12, 0.1, 0.06])
    style["circle_mm"], style["diamond_mm"] = rng.uniform(7, 15), rng.uniform(3, 8)
    outside = (
        [int(k) for k in rng.choice(6, rng.integers(1, 4), replace=False)]
        if rng.random() < 0.3
        else None
    )
    twin = rng.integers(2**31)
    seen = draw_print(np.random.default_rng(twin), style, True, kind, outside)
    guessed = rng.random() < 0.38
    if not guessed:  # the picture of the empty board
        empty = draw_print(np.random.default_rng(twin), style, True, kind, outside)
    else:  # a typical cell, guessed
        around = outside if rng.random() < 0.3 else None
        guess = kind if kind == "circle" and rng.random() < 0.75 else None
        empty = draw_print(rng, style, False, guess, around)
        if kind == "circle" and rng.random() < 0.4:  # of few cells, on some of which lay something
            share = rng.uniform(0.2, 0.8)
            empty = share * empty + (1 - share) * draw_print(rng, style, False, None, around)
    shadow = rng.normal(0, 4, 2)
    level = rng.uniform(0.25, 0.95)
    dark = np.clip(level + rng.normal(0, 0.04, 3), 0.1, 1)
    terrain = int(rng.choice(4, p=[0.57, 0.1, 0.1, 0.23]))
    lay_neighbours(rng, seen, shadow, dark)
    if terrain:
        lay_tile(rng, seen, TERRAINS[terrain])
    ships = np.zeros(7, np.float32)
    if terrain in (0, 3):
        lay_own_ships(rng, seen, shadow, dark, ships)
    if rng.random() < 0.12:  # a shadow from elsewhere
        soft = cv2.GaussianBlur(
            (noise_field(rng, 25) > 0.3).astype(np.float32), (0, 0), rng.uniform(1, 8)
        )
        seen *= 1 - soft[..., None] * (1 - dark)
    hidden = lay_arm(rng, seen, style) if rng.random() < 0.18 else 0.0
    if guessed:  # beyond its outline a guessed cell is taken as it is seen
        empty = np.where(CELL[..., None] > 0, empty, seen)
    return (*spoil(rng, seen, empty), ships, terrain, hidden)


CELL = np.zeros((FINE, FINE), np.float32)
cv2.fillPoly(CELL, [to_px(hexagon())], 1.0, 8, SHIFT)


def lay_arm(rng, image, style, cell=CELL):
    """Lay a finger, a hand or a sleeve over the cell; return the share of the cell it hides."""
    mask = np.zeros((FINE, FINE), np.float32)
    a = rng.uniform(0, 2 * math.pi)
    out, side = np.array([math.cos(a), math.sin(a)]), np.array([-math.sin(a), math.cos(a)])
    if rng.random() < 0.35:  # a finger tip
        tip = rng.normal(0, 10, 2)
        for w in [rng.uniform(5.5, 9)] * rng.integers(1, 4):
            bend = rng.normal(0, 4)
            far = tip + out * 60 + side * bend * 4
            cv2.line(
                mask,
                *(tuple(int(v) for v in np.asarray(q) * PX + FINE / 2) for q in (tip, far)),
                1.0,
                int(2 * w * PX),
            )
            tip = tip + side * rng.uniform(8, 16)
    else:  # a wide edge
        reach = rng.uniform(-26, 22)
        t = np.linspace(-60, 60, 25)
        wave = reach + rng.uniform(0, 4) * np.sin(t * rng.uniform(0.05, 0.25) + rng.uniform(0, 6))
        edge = -out * wave[:, None] + side * t[:, None]
        cv2.fillPoly(
            mask, [to_px(np.concatenate([edge, out * 90 + side * t[::-1, None]]))], 1.0, 8, SHIFT
        )
    if rng.random() < 0.5:
        colour = tone(rng, (8, 34), (0.2, 0.7), (0.25, 1.0))
    elif rng.random() < 0.3:  # a sleeve much like the print
        colour = style["sea"] * np.exp(rng.normal(0, 0.15)) * np.exp(rng.normal(0, 0.05, 3))
    else:
        colour = tone(rng, (0, 360), (0.0, 0.9), (0.04, 1.0))
    cast = cv2.GaussianBlur(
        np.roll(mask, tuple(rng.integers(-14, 15, 2)), (0, 1)), (0, 0), rng.uniform(1, 9)
    )
    image *= 1 - cast[..., None] * rng.uniform(0.0, 0.7)
    relief = (
        1
        + rng.uniform(0.02, 0.22) * noise_field(rng, rng.uniform(10, 40))
        + 0.03 * noise_field(rng, 5)
    )
    ridge = cv2.GaussianBlur(mask, (0, 0), rng.uniform(2, 9))
    paint = colour * (relief * (0.6 + 0.4 * ridge if rng.random() < 0.7 else 1))[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), 0.8)[..., None]
    image[:] = image * (1 - soft) + paint * soft
    return float((mask * cell).sum() / cell.sum())


def spoil(rng, seen, empty):
    """Blur, light, misfit, noise; down to 32 x 32."""
    sigma = rng.uniform(0.6, 2.4)
    out = []
    common = np.exp(rng.normal(0, 0.07)) * np.exp(rng.normal(0, 0.035, 3))
    shift = rng.normal(0, 0.8, 2) if rng.random() < 0.8 else rng.normal(0, 2.0, 2)
    for k, image in enumerate((seen, empty)):
        blurred = cv2.GaussianBlur(image, (0, 0), sigma)
        if k:
            move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
            blurred = cv2.warpAffine(blurred, move, (FINE, FINE), borderMode=cv2.BORDER_REPLICATE)
        small = cv2.resize(blurred, (32, 32), interpolation=cv2.INTER_AREA) * common
        if k:
            off = 3 if rng.random() < 0.15 else 1  # an arm is in the way of the light's fit
            small = small * np.exp(rng.normal(0, 0.05 * off) + rng.normal(0, 0.02 * off, 3))
            x, y = np.meshgrid(np.linspace(-1, 1, 32), np.linspace(-1, 1, 32))
            small = small * (1 + rng.normal(0, 0.03) * x + rng.normal(0, 0.03) * y)[..., None]
        grain = rng.normal(0, rng.uniform(0, 0.03), small.shape)
        grain += cv2.GaussianBlur(rng.normal(0, 1, small.shape), (0, 0), 1.2) * rng.uniform(0, 0.03)
        out.append(np.clip(small + grain, 0, 1.107).astype(np.float32))
    return out[0], out[1]
