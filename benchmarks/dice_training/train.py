"""Train a network of the dice reader: ``python -m benchmarks.dice_training.train finder ...``.

Needs PyTorch (2.13 was used) and onnx, in an environment of their own; the product runs the
exported network with OpenCV. Only pictures that may be learnt from (`pictures.py`) are used.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch

from benchmarks.dice_training import facing, finding, leaning, lying, nearer, telling
from benchmarks.dice_training.nets import (
    Close,
    Facing,
    Finder,
    Lean,
    Lying,
    Net,
    Pips,
    Plain,
    Sides,
    Teller,
    export,
    take_exported,
    weights_beside,
)
from benchmarks.dice_training.pictures import (
    Known,
    drawn_pictures,
    real_photographs,
    traced_boards,
    traced_trays,
    with_leans,
    with_strays,
    with_whole_boxes,
)
from benchmarks.halves import halves

_SHARES = {
    "nellbyler_d6": 0.13,
    "matteop_d6_wood": 0.07,
    "dicetower_poly": 0.04,
    "traced": 0.13,
    "tables": 0.08,
    "moulded": 0.08,
    "cast": 0.22,
    "boards": 0.12,
    "bare boards": 0.08,
}
"""How much of what a network is shown comes from a set; drawn pictures make up the rest."""
_CLOSE_SHARES = {
    "nellbyler_d6": 0.02,
    "matteop_d6_wood": 0.02,
    "dicetower_poly": 0.05,
    "traced": 0.07,
    "tables": 0.05,
    "cast": 0.2,
}
"""The same for the network that tells small numerals."""
_PIPS_SHARES = {
    "nellbyler_d6": 0.20,
    "matteop_d6_wood": 0.10,
    "dicetower_poly": 0.02,
    "traced": 0.08,
    "tables": 0.04,
    "moulded": 0.36,
    "cast": 0.15,
}
"""The same for the network that counts pips."""
_PLAIN_SHARES = {"traced": 0.08, "tables2": 0.12, "plain": 0.54, "cast": 0.26}
"""The same for the one that tells sides without a sign."""
_LEAN_SHARES = {
    "nellbyler_d6": 0.08,
    "matteop_d6_wood": 0.04,
    "dicetower_poly": 0.02,
    "traced": 0.05,
    "tables": 0.04,
    "cast": 0.25,
}
"""The same for the one that tells how dice are seen."""
_LYING_SHARES = {
    "nellbyler_d6": 0.05,
    "matteop_d6_wood": 0.03,
    "dicetower_poly": 0.01,
    "traced": 0.06,
    "tables": 0.1,
    "moulded": 0.08,
    "cast": 0.42,
    "near_awkward": 0.17,
}
"""The same for the one that tells how dice lie."""
_FACING_SHARES = {"traced": 0.03, "tables": 0.2, "cast": 0.35}
"""The same for the one that tells whether dice face as what lies flat."""
_OWN_SHARES = {
    "close": _CLOSE_SHARES, "pips": _PIPS_SHARES, "plain": _PLAIN_SHARES, "lean": _LEAN_SHARES,
    "lying": _LYING_SHARES, "facing": _FACING_SHARES,
}  # fmt: skip

_END = ("hidden", "told")
"""Layers that remember single dice rather than what dice look like."""
_KEPT = 0.995
"""What is exported is a mean over the last steps: each step's weights count so much less."""
_STORED_EVERY = 500
_MEASURED_BATCHES = 150
"""What layers normalise by is measured anew on so many batches."""


NETS = {
    "finder": (Finder, finding.Feed, finding.loss, finding.BATCH),
    "teller": (Teller, telling.Feed, telling.loss, telling.BATCH),
    "close": (Close, nearer.CloseFeed, nearer.loss, 2 * telling.BATCH),
    "pips": (Pips, nearer.PipsFeed, nearer.loss, 2 * telling.BATCH),
    "plain": (Plain, nearer.PlainFeed, nearer.loss, telling.BATCH),
    "lean": (Lean, leaning.LeanFeed, leaning.loss, telling.BATCH),
    "lying": (Lying, lying.LyingFeed, lying.loss, lying.BATCH),
    "facing": (Facing, facing.FacingFeed, facing.loss, telling.BATCH),
    "sides": (Sides, nearer.SidesFeed, nearer.loss, 128),
}


def main(argv: list[str] | None = None) -> int:
    """Train on the given pictures for a number of steps, print progress, export."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=list(NETS))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--drawn", type=Path, nargs="*", default=[], help="of generate, tables")
    parser.add_argument("--dice", type=Path, help="real photographs with their manifest")
    parser.add_argument("--traced", type=Path, help="path-traced trays")
    parser.add_argument("--bare", type=Path, help="path-traced boards, without dice")
    parser.add_argument("--views", type=Path, help="of tetrahedra: for sides")
    parser.add_argument("--boxes", type=Path, help="whole boxes for sets that have tops only")
    parser.add_argument("--strays", type=Path, help="what is to be told as no die")
    parser.add_argument("--leans", type=Path, help="how photographed dice lean")
    parser.add_argument("--without", nargs="*", default=[], help="sets to leave out")
    parser.add_argument("--left-out", type=int, help="fifth (0 to 4) not to learn from")
    parser.add_argument(
        "--steps", type=int, default=4000, help="0: only measure anew what is normalised by"
    )
    parser.add_argument("--batch", type=int)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights (.pt) or network to go on from")
    parser.add_argument("--beside", type=Path, help="weights of a teller to stay close to")
    parser.add_argument("--new-end", action="store_true", help="begin the last layers anew")
    arguments = parser.parse_args(argv)
    if arguments.beside and arguments.net != "teller":
        parser.error("--beside is for the teller")
    torch.manual_seed(arguments.seed)
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    rng = np.random.default_rng(arguments.seed)
    make_net, make_feed, loss, batch = NETS[arguments.net]
    if arguments.views:
        feed = make_feed(arguments.views)
    else:
        shares = _OWN_SHARES.get(arguments.net, _SHARES)
        feed = make_feed(_known_pictures(arguments), shares, rng)
    net = make_net()
    if arguments.start and arguments.start.suffix in (".onnx", ".gz"):
        take_exported(net, arguments.start, feed.batch(4 * batch)[0])
    elif arguments.start:
        known = torch.load(arguments.start)
        if arguments.new_end:
            known = {k: v for k, v in known.items() if k.split(".")[0] not in _END}
        net.load_state_dict(known, strict=not arguments.new_end)
    if arguments.beside:
        before = make_net()
        before.load_state_dict(torch.load(arguments.beside))
        loss = partial(telling.loss_beside, before.eval())
    arguments.batch = arguments.batch or batch
    if arguments.steps:
        net = _trained(net, feed, loss, arguments)
    else:
        _measure_normalisation(net, feed, arguments.batch)
        torch.save(net.state_dict(), weights_beside(arguments.out))
    export(net, arguments.out)
    return 0


def _known_pictures(arguments: argparse.Namespace) -> list[Known]:
    known: list[Known] = []
    if arguments.dice:
        found = real_photographs(arguments.dice)
        known += with_whole_boxes(found, arguments.boxes) if arguments.boxes else found
    if arguments.traced:
        known += traced_trays(arguments.traced)
    if arguments.bare:
        known += traced_boards(arguments.bare)
    if arguments.strays:
        known = list(with_strays(known, arguments.strays))
    if arguments.leans:
        known = list(with_leans(known, arguments.leans))
    for folder in arguments.drawn:
        known += drawn_pictures(folder)
    return [
        k
        for k in known
        if k.is_learnt and k.source not in arguments.without and k.fifth != arguments.left_out
    ]


def _measure_normalisation(net: Net, feed: finding.Feed | telling.Feed, batch: int) -> None:
    """Measure anew what each layer normalises by: a mean of weights normalises badly."""
    layers = [layer for layer in net.modules() if isinstance(layer, torch.nn.BatchNorm2d)]
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None  # a plain mean over all batches
    net.train()
    with torch.no_grad():
        for _ in range(_MEASURED_BATCHES):
            net(feed.batch(batch)[0])


def _trained(
    net: Net,
    feed: finding.Feed | telling.Feed,
    measure: Callable[..., torch.Tensor],
    arguments: argparse.Namespace,
) -> Net:
    """Train a network; return what is to be exported."""
    best = torch.optim.AdamW(net.parameters(), arguments.rate, weight_decay=1e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(
        best, arguments.rate, total_steps=arguments.steps, pct_start=0.1
    )
    net.to(memory_format=torch.channels_last).train()  # two thirds of the time
    smooth = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(_KEPT), use_buffers=True
    )
    started, losses = time.monotonic(), []
    for step in range(1, arguments.steps + 1):
        shown = feed.batch(arguments.batch)
        with halves():
            loss = measure(net, shown)
        best.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        smooth.update_parameters(net)
        losses.append(loss.item())
        if step % 100 == 0:
            spent = time.monotonic() - started
            print(step, f"{np.mean(losses[-100:]):.4f} {spent:.0f} s", flush=True)
        if step % _STORED_EVERY == 0 or step == arguments.steps:
            torch.save(smooth.module.state_dict(), weights_beside(arguments.out))
    kept: Net = smooth.module
    kept.to(memory_format=torch.contiguous_format)
    return kept


if __name__ == "__main__":
    sys.exit(main())
