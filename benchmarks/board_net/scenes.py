"""Cells of the virtual table's coin boards, for training beside the invented ones.

    python -m benchmarks.board_net.scenes --out scenes.npz [--scenes 160] [--seed 500000]

Every scene has its own camera, light, print and make of coins. Reports use other seeds, but the
same renderer: see docs/accuracy_boards.md for what that means.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import cv2
import numpy as np

from benchmarks.accuracy_virtual import random_coins, shown
from benchmarks.board_net.coins import TOPS
from companion.boards.profile import load_profile
from companion.rules.layout import make_layout
from vision.board.coins import CoinSet
from vision.board.patches import code_patches, cut_patches, even_light, lay_grid, typical_cells
from vision.light import measure_light
from vision.registration import BoardFit, register
from vision.virtual import Scene, VirtualTable

BOARDS = ("piecepack-sea", "piecepack-sea", "piecepack-two-seas")
PACKS = {"painted": 0, "rimmed": 1, "bare": -1}


def crowned(layout, rng, share):
    """Return a layout in which that share of the ships carries a treasure."""
    return make_layout(
        {
            cell: replace(c, cargo="treasure") if c.ships and rng.random() < share else c
            for cell, c in layout.cells.items()
        }
    )


def cut_scene(seed, layouts, share):
    """Yield pairs, top, pack, treasure and hidden share of a scene's cells, board by board."""
    rng = np.random.default_rng(seed)
    profile = load_profile(BOARDS[seed % len(BOARDS)])
    table = VirtualTable(profile, Scene.random(rng), rng, lambda: 0.0)
    empty = table.empty_board()
    fit0 = register(empty, profile)
    for _ in range(layouts):
        table.lay(crowned(random_coins(profile, rng), rng, share))
        image = table.frame().board
        fit = register(image, profile)
        if not isinstance(fit, BoardFit) or not isinstance(fit0, BoardFit):
            continue
        grid = lay_grid(fit, profile, CoinSet.span, CoinSet.lean_mm)
        seen = cut_patches(image, fit, measure_light(image, fit, profile), grid)
        bare = cut_patches(empty, fit0, measure_light(empty, fit0, profile), grid)
        labels = [label(table, cell) for cell in profile.cells]
        busy = np.array([top or treasure for top, _, treasure in labels], bool)
        chosen = np.flatnonzero(busy | (rng.random(len(busy)) < 0.2))
        for base in (bare, typical_cells(seen, profile, grid)):
            pair = [code_patches(even_light(seen, base, grid)), code_patches(base)]
            pairs = (np.concatenate(pair, axis=-1) * 230).astype(np.uint8)[chosen]
            tops, packs, treasures = (np.array(v)[chosen] for v in zip(*labels, strict=True))
            yield pairs, tops, packs, treasures, np.zeros(len(chosen), np.float32)


def label(table, cell):
    content = shown(table.layout.at(cell))
    treasure = content.cargo == "treasure"
    if not content.ships:
        return TOPS.index(content.terrain), -1, treasure
    (fleet,) = content.ships
    return TOPS.index(fleet.removesuffix("2")), PACKS[table.ships[cell, fleet].look], treasure


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", required=True)
    parser.add_argument("--scenes", type=int, default=160)
    parser.add_argument("--layouts", type=int, default=3)
    parser.add_argument("--crowned", type=float, default=0.0, help="share of ships with a treasure")
    parser.add_argument("--seed", type=int, default=500_000)
    a = parser.parse_args()
    cv2.setNumThreads(1)
    seeds = range(a.seed, a.seed + a.scenes)
    parts = [part for seed in seeds for part in cut_scene(seed, a.layouts, a.crowned)]
    arrays = [np.concatenate(values) for values in zip(*parts, strict=True)]
    np.savez(a.out, *arrays)
    print(f"{len(arrays[0])} cells of {a.scenes} scenes")


if __name__ == "__main__":
    main()
