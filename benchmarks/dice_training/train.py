"""Train the network of the dice reader: ``python -m benchmarks.dice_training.train PATCHES.npz``.

Needs PyTorch (2.13 was used) and onnx, in an environment of their own; the product runs the
exported network with OpenCV.
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from vision.dice import cannon, sail
from vision.dice.labels import CLASSES, PATCH_PX
from vision.dice.sail import VIEW_PX

_TOLD_ONCE_IN = 100
_CLOSE = {"sides": 1 + len(sail.VALUES), "tops": 1 + len(cannon.VALUES)}


class Net(nn.Module):
    """Patch (N, 3, 72, 72), evened, to logits (N, CLASSES)."""

    size = PATCH_PX

    def __init__(self) -> None:
        super().__init__()
        widths = [(3, 16, 2), (16, 32, 2), (32, 48, 1), (48, 48, 1), (48, 64, 2), (64, 96, 2)]
        layers: list[nn.Module] = []
        for k, (before, after, stride) in enumerate(widths):
            size = 5 if k == 0 else 3
            layers += [
                nn.Conv2d(before, after, size, stride, size // 2, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(),
            ]
        self.body = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.2)
        self.hidden = nn.Linear(96 * 25, 80)
        self.told = nn.Linear(80, CLASSES)

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        seen = self.body(patches).flatten(1)
        logits: torch.Tensor = self.told(F.relu(self.hidden(self.drop(seen))))
        return logits


class CloseNet(nn.Module):
    """Close view of one side (N, 3, 28, 28), evened, to logits (N, classes)."""

    size = VIEW_PX

    def __init__(self, classes: int) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for before, after, pool in ((3, 24, 2), (24, 48, 2), (48, 48, 1)):
            layers += [
                nn.Conv2d(before, after, 3, 1, 1, bias=False),
                nn.BatchNorm2d(after),
                nn.ReLU(),
                nn.MaxPool2d(pool),
            ]
        self.body = nn.Sequential(*layers)
        self.drop = nn.Dropout(0.3)
        self.hidden = nn.Linear(48 * 49, 48)
        self.told = nn.Linear(48, classes)

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        seen = self.body(views).flatten(1)
        logits: torch.Tensor = self.told(F.relu(self.hidden(self.drop(seen))))
        return logits


def augment(patches: torch.Tensor, most_turn: float) -> torch.Tensor:
    """Turn, shift and scale each patch (N, 3, H, W) a little and change its colours.

    A patch turned by any angle is as true as the first: it is the same die under a turned
    camera. A mirrored one is not.
    """
    count = len(patches)
    turn = (torch.rand(count) * 2 - 1) * most_turn
    scale = 1 + 0.06 * torch.randn(count)
    cos, sin = torch.cos(turn) * scale, torch.sin(turn) * scale
    shift = 0.02 * torch.randn(count, 2)
    how = torch.stack(
        [torch.stack([cos, -sin, shift[:, 0]], 1), torch.stack([sin, cos, shift[:, 1]], 1)], 1
    )
    grid = F.affine_grid(how, list(patches.shape), align_corners=False)
    turned = F.grid_sample(patches, grid, padding_mode="border", align_corners=False)
    gain = 1 + 0.15 * torch.randn(count, 3, 1, 1)
    turned = turned[:, torch.randperm(3)] * gain + 0.04 * torch.randn(count, 1, 1, 1)
    return turned.clamp(0, 1)


def evened(patches: torch.Tensor) -> torch.Tensor:
    """Bring each patch to mean 0 and spread 1, over all its channels at once."""
    mean = patches.mean((1, 2, 3), keepdim=True)
    spread = patches.std((1, 2, 3), keepdim=True)
    return (patches - mean) / (spread + 0.02)


def main(argv: list[str] | None = None) -> int:
    """Train on some files of patches, print progress, export the network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=["dice", "sides", "tops"])
    parser.add_argument("patches", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--start", type=Path, help="weights to go on from")
    arguments = parser.parse_args(argv)
    torch.manual_seed(arguments.seed)
    stored = [np.load(path) for path in arguments.patches]
    patches = torch.from_numpy(np.concatenate([s["patches"] for s in stored]).copy())
    labels = torch.from_numpy(np.concatenate([s["labels"] for s in stored]))
    net = Net() if arguments.net == "dice" else CloseNet(_CLOSE[arguments.net])
    if arguments.start:
        net.load_state_dict(torch.load(arguments.start))
    _train(net, patches, labels, arguments)
    return 0


def _train(
    net: Net | CloseNet, patches: torch.Tensor, labels: torch.Tensor, arguments: argparse.Namespace
) -> None:
    epochs, rate = arguments.epochs, arguments.rate
    most_turn = 0.12 if arguments.net == "sides" else math.pi
    batch, count = 128, len(labels)
    steps = epochs * (count // batch)
    best = torch.optim.AdamW(net.parameters(), rate, weight_decay=2e-2)
    plan = torch.optim.lr_scheduler.OneCycleLR(best, rate, total_steps=steps, pct_start=0.15)
    told, net_loss = 0, 0.0
    net.train()
    for epoch in range(epochs):
        order = torch.randperm(count)
        for first in range(0, count - batch + 1, batch):
            chosen = order[first : first + batch]
            shown = patches[chosen].permute(0, 3, 1, 2).float() / 255
            shown = evened(augment(shown, most_turn))
            loss = F.cross_entropy(net(shown), labels[chosen], label_smoothing=0.02)
            best.zero_grad()
            loss.backward()
            best.step()
            plan.step()
            net_loss += loss.item()
            told += 1
            if told % _TOLD_ONCE_IN == 0:
                print(epoch, told, round(net_loss / _TOLD_ONCE_IN, 4), flush=True)
                net_loss = 0.0
        torch.save(net.state_dict(), arguments.out.with_suffix(".pt"))
        export(net, arguments.out)
        net.train()


def export(net: Net | CloseNet, out: Path) -> None:
    """Write the network as ONNX with a free batch size."""
    net.eval()
    example = torch.zeros(1, 3, net.size, net.size)
    torch.onnx.export(
        net, (example,), str(out), input_names=["patches"], output_names=["logits"],
        dynamic_axes={"patches": {0: "n"}, "logits": {0: "n"}}, dynamo=False, opset_version=13,
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
