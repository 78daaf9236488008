"""Train a net of `vision.board` and write it as ONNX.

Development only; needs PyTorch and onnx in an environment of their own::

    python -m venv .torch && .torch/bin/pip install torch==2.13.0 onnx numpy opencv-python
    PYTHONPATH=. .torch/bin/python -m benchmarks.board_net.train ships \
        --out vision/board/ships.onnx --frames FRAMES/dev/hex
    PYTHONPATH=. .torch/bin/python -m benchmarks.board_net.train coins \
        --out vision/board/coins.onnx --scenes SCENES.npz

Invented cells (seeded) and, for ships with --frames, the even-numbered labelled pictures (the odd
ones are never looked at here); for coins with --scenes, what `benchmarks.board_net.scenes` wrote.
"""

from __future__ import annotations

import argparse
import json
import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import onnx
import torch
from torch import nn
from torch.optim import swa_utils as swa

from benchmarks.board_net import coins, synthetic
from benchmarks.board_net.synthetic import SHIPS, TERRAINS
from benchmarks.halves import halves
from companion.boards.profile import load_profile
from vision.board.patches import code_patches, cut_patches, even_light, lay_grid, typical_cells
from vision.board.ships import ShipSet, groups_of
from vision.light import measure_light
from vision.registration import register

KEPT = 0.998
"""What is exported is a mean over the last steps: each step's weights count so much less."""
TOLD_EVERY = 1000
"""Steps between two counts of what it tells wrongly, and two exports."""

INVENT = {"ships": synthetic.invent_cell, "coins": coins.invent_cell}


def invent(job):
    """Return pairs of cells and their labels: one array for each value that `INVENT` returns."""
    kind, seed, count = job
    rng = np.random.default_rng(seed)
    cells = [INVENT[kind](rng) for _ in range(count)]
    pairs = np.stack([np.concatenate(c[:2], axis=-1) for c in cells])
    labels = [np.array(values) for values in zip(*(c[2:] for c in cells), strict=True)]
    labels[-1] = labels[-1].astype(np.float32)
    return (pairs * 230).astype(np.uint8), *labels


def invented_cells(kind, seed, count, workers):
    jobs = [(kind, seed + k, 2000) for k in range(-(-count // 2000))]
    with ProcessPoolExecutor(workers) as pool:
        parts = list(pool.map(invent, jobs))
    return [np.concatenate(p) for p in zip(*parts, strict=True)]


def load_or_invent(a):
    if a.cache and Path(a.cache).is_file():
        kept = np.load(a.cache)
        count = len(kept.files) // 2
        return [[kept[f"{name}{k}"] for k in range(count)] for name in ("train", "check")]
    train = invented_cells(a.pieces, 1000 * a.seed, a.invented, a.workers)
    check = invented_cells(a.pieces, 999_000, 4000, a.workers)
    if a.cache:
        named = {
            f"{n}{k}": v for n, d in (("train", train), ("check", check)) for k, v in enumerate(d)
        }
        np.savez(a.cache, **named)
    return train, check


def real_cells(folder, wanted):
    """Cut the cells of labelled pictures, each with its empty board and with the guessed one.

    Single pictures of `folder` and, beside it in ``hex_seq``, the sequences 00 and 01, whose first
    picture is the empty board.
    """
    parts = []
    for path in sorted(Path(folder).glob("*.json")):
        if wanted(json.loads(path.read_text())["index"]):
            parts += cut_labelled(path, path.with_name(path.stem + ".empty.jpg"))
    for game in ("00", "01"):
        first, *others = sorted((Path(folder).parent / "hex_seq" / game).glob("*.json"))
        for path in others:
            parts += cut_labelled(path, first.with_suffix(".jpg"))
    return [np.concatenate(p) for p in zip(*parts, strict=True)]


def cut_labelled(path, empty_path):
    profile = load_profile("hex-ocean")
    label = json.loads(path.read_text())
    image, empty = cv2.imread(str(path.with_suffix(".jpg"))), cv2.imread(str(empty_path))
    fit, fit0 = register(image, profile), register(empty, profile)
    grid = lay_grid(fit, profile, ShipSet.span, ShipSet.lean_mm)
    seen = cut_patches(image, fit, measure_light(image, fit, profile), grid)
    bare = cut_patches(empty, fit0, measure_light(empty, fit0, profile), grid)
    hidden = {(q, r): share for q, r, share in label.get("covered_cells", [])}
    content = {(c["q"], c["r"]): (c["ship"], c["terrain"]) for c in label["cells"]}
    held = [content.get(cell, (None, None)) for cell in profile.cells]
    ships = np.array([[ship == s for s in SHIPS] for ship, _ in held], np.float32)
    lands = np.array([TERRAINS.index(land) for _, land in held])
    shares = np.array([hidden.get(cell, 0.0) for cell in profile.cells], np.float32)
    for base in (bare, typical_cells(seen, profile, grid)):
        pair = [code_patches(even_light(seen, base, grid)), code_patches(base)]
        pairs = (np.concatenate(pair, axis=-1) * 230).astype(np.uint8)
        yield pairs, ships, lands, shares


def make_net(outputs, normed=True):
    def layer(i, o, size, stride):
        conv = nn.Conv2d(i, o, size, stride, size // 2, bias=not normed)
        return [conv, nn.BatchNorm2d(o), nn.ReLU()] if normed else [conv, nn.ReLU()]

    return nn.Sequential(
        *layer(6, 20, 5, 2),
        *layer(20, 32, 3, 2),
        *layer(32, 48, 3, 1),
        *layer(48, 64, 3, 2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(1024, 64),
        nn.ReLU(),
        nn.Linear(64, outputs),
    )


def load_net(path):
    """Return an exported net to train on; its normalisation has been folded into the weights."""
    graph = onnx.load(path).graph
    values = {t.name: torch.tensor(onnx.numpy_helper.to_array(t)) for t in graph.initializer}
    nodes = [n for n in graph.node if n.op_type in ("Conv", "Gemm")]
    outputs = int(values[graph.node[-1].input[2]].shape[0])
    net = make_net(outputs, normed=False)
    layers = [m for m in net if isinstance(m, (nn.Conv2d, nn.Linear))]
    with torch.no_grad():
        for module, node in zip(layers, nodes, strict=True):
            module.weight.copy_(values[node.input[1]])
            module.bias.copy_(values[node.input[2]])
    return net


def either(out, truth):
    return nn.functional.binary_cross_entropy_with_logits(out, truth.float(), reduction="none")


def one_of(out, truth):
    return nn.functional.cross_entropy(out, truth, reduction="none", label_smoothing=0.01)


def over_seen(seen, hidden, share):
    """Average; what is mostly hidden cannot be told, what is hardly touched need not be marked."""
    return (seen * (share < 0.25) + hidden * ((share < 0.03) | (share > 0.12))).mean()


GROUPS = torch.from_numpy(groups_of(2).members[1:].astype(np.float32))
"""Which ships, one or two, can lie on a cell; shape (28, 7)."""

APART = 0.2
"""How much it counts that each ship by itself is told to fit or not: crowds in ports, of which no
cell is invented, are judged by that."""


def ships_loss(out, ships, terrain, share):
    fits = nn.functional.log_softmax(out[:, :7] @ GROUPS.T, dim=1)
    are_here = (ships[:, None, :] == GROUPS).all(2).float()
    some = ships.any(1)
    told = either(out[:, 11], some) - (fits * are_here).sum(1)
    told = told + one_of(out[:, 7:11], terrain) + APART * either(out[:, :7], ships).sum(1)
    return over_seen(told, either(out[:, 12], share > 0.1), share)


def ships_wrong(out, ships, terrain):
    likeliest = GROUPS[(out[:, :7] @ GROUPS.T).argmax(1)] * (out[:, 11:12] > 0)
    return (likeliest.numpy() != ships).any(1) | (out[:, 7:11].argmax(1).numpy() != terrain)


def coins_loss(out, top, pack, treasure, share):
    told = one_of(out[:, :6], top) + either(out[:, 7], treasure)
    told = told + either(out[:, 6], pack > 0) * (pack >= 0)
    return over_seen(told, either(out[:, 8], share > 0.1), share)


def coins_wrong(out, top, pack, treasure):
    bad = (out[:, :6].argmax(1).numpy() != top) | ((out[:, 7] > 0).numpy() != treasure)
    return bad | (((out[:, 6] > 0).numpy() != (pack > 0)) & (pack >= 0))


TASKS = {"ships": (13, 6, ships_loss, ships_wrong), "coins": (9, 4, coins_loss, coins_wrong)}
"""Outputs of the net (the last: hidden by an arm), in how many ways a cell may lie, its
loss, and what tells wrong cells."""


def turn(x, ways):
    """Lay each cell another of so many ways round, turned, shifted and scaled a little besides."""
    n = len(x)
    angle = torch.randint(0, ways, (n,)) * (2 * math.pi / ways) + torch.randn(n) * 0.05
    scale = torch.exp(torch.randn(n) * 0.03)
    across, along = scale * torch.cos(angle), scale * torch.sin(angle)
    shift = torch.randn(n, 2) * 0.03
    rows = [across, -along, shift[:, 0], along, across, shift[:, 1]]
    grid = nn.functional.affine_grid(torch.stack(rows, 1).view(n, 2, 3), x.shape, False)
    return nn.functional.grid_sample(x, grid, padding_mode="reflection", align_corners=False)


def vary(x, ways, rng):
    """Turn, flip, grade and dirty a batch; the same cell is never seen twice alike."""
    x = turn(x, ways)
    if rng.random() < 0.5:
        x = x.flip(3)
    n = len(x)
    gain = torch.exp(torch.randn(n, 1, 1, 1) * 0.1)
    cast = torch.exp(torch.randn(n, 3, 1, 1) * 0.04).repeat(1, 2, 1, 1)
    own = torch.exp(torch.randn(n, 1, 1, 1) * 0.02) * torch.exp(torch.randn(n, 3, 1, 1) * 0.01)
    curve = torch.exp(torch.randn(n, 1, 1, 1) * 0.08)
    x = x.clamp(1e-3).pow(curve) * gain * cast
    x = torch.cat([x[:, :3] * own, x[:, 3:]], 1)
    return (x + torch.randn_like(x) * 0.012).clamp(0, 1.12)


def errors(net, data, wrong):
    net.eval()
    with torch.no_grad():
        x = torch.from_numpy(data[0]).permute(0, 3, 1, 2).float() / 230
        out = torch.cat([net(part) for part in x.split(2000)])
    share = data[-1]
    bad = wrong(out, *data[1:-1]) & (share < 0.05)
    hidden = (out[:, -1] > 0).numpy()
    missed, invented = (~hidden & (share > 0.2)).sum(), (hidden & (share == 0)).sum()
    return (
        f"{bad.sum()} wrong, {missed} hidden ones missed, {invented} called hidden, of {len(bad)}"
    )


def export(net, path):
    net.eval().to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        net,
        torch.zeros(1, 6, 32, 32),
        path,
        input_names=["cells"],
        output_names=["out"],
        dynamic_axes={"cells": {0: "n"}, "out": {0: "n"}},
        dynamo=False,
    )


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("pieces", choices=TASKS)
    p.add_argument("--out", required=True)
    p.add_argument("--frames", help="folder of labelled pictures; even ones are learnt from")
    p.add_argument("--scenes", nargs="+", help="cells of the virtual table, for coins")
    p.add_argument("--invented", type=int, default=60000)
    p.add_argument("--steps", type=int, default=4000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--workers", type=int, default=2)
    p.add_argument("--rate", type=float, default=4e-3, help="highest learning rate")
    p.add_argument("--resume", help="go on from this exported net")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--batch", type=int, default=192)
    p.add_argument("--cache", help="keep the invented cells in this .npz between runs")
    p.add_argument(
        "--watch-only", action="store_true", help="measure on the even ones, do not learn them"
    )
    a = p.parse_args()
    if (a.frames and a.pieces != "ships") or (a.scenes and a.pieces != "coins"):
        p.error("--frames has pictures of ships, --scenes cells with coins")
    torch.manual_seed(a.seed)
    torch.set_num_threads(a.threads)
    rng = np.random.default_rng(a.seed)
    outputs, ways, loss_of, wrong = TASKS[a.pieces]
    train, check = load_or_invent(a)
    real, busy = None, None
    if a.frames:
        real = real_cells(a.frames, lambda k: k % 2 == 0)
        busy = np.flatnonzero((real[1].sum(1) > 0) | (real[2] > 0) | (real[3] > 0))
    elif a.scenes:
        files = [np.load(name) for name in a.scenes]
        real = [np.concatenate([f[name] for f in files]) for name in files[0].files]
        busy = np.flatnonzero((real[1] > 0) | real[3])
    net = load_net(a.resume) if a.resume else make_net(outputs)
    best = torch.optim.AdamW(net.parameters(), 2e-3, weight_decay=1e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, a.rate, total_steps=a.steps, pct_start=0.2)
    net.to(memory_format=torch.channels_last)
    smooth = swa.AveragedModel(net, multi_avg_fn=swa.get_ema_multi_avg_fn(KEPT), use_buffers=True)
    for step in range(1, a.steps + 1):
        pick = rng.integers(0, len(train[0]), a.batch)
        batch = [d[pick] for d in train]
        if real and not a.watch_only:
            some = np.concatenate([rng.choice(busy, 32), rng.integers(0, len(real[0]), 48)])
            batch = [np.concatenate([b, d[some]]) for b, d in zip(batch, real, strict=True)]
        x = vary(torch.from_numpy(batch[0]).permute(0, 3, 1, 2).float() / 230, ways, rng)
        with halves():
            out = net(x)
        loss = loss_of(out.float(), *(torch.from_numpy(b) for b in batch[1:]))
        best.zero_grad()
        loss.backward()
        best.step()
        plan.step()
        smooth.update_parameters(net)
        if step % TOLD_EVERY == 0 or step == a.steps:
            on_real = errors(smooth.module, real, wrong) if real else "-"
            done = f"{step} loss {loss.item():.3f} invented: {errors(smooth.module, check, wrong)}"
            print(f"{done}; pictures learnt from: {on_real}", flush=True)
            export(smooth.module, a.out)


if __name__ == "__main__":
    main()
