"""The networks: where dice lie, and what each of them shows."""

from __future__ import annotations

import gzip
import io
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from vision.dice import tetrahedron_tops
from vision.dice.crops import (
    CLOSE_PX,
    CROP_PX,
    FACING_PX,
    LEAN_PX,
    LYING_PX,
    PIPS_PX,
    PLAIN_PX,
)
from vision.dice.kinds import CLOSE_SIGNS, KINDS, PIP_SIGNS, PLAIN_SIGNS, SIGNS, SOLIDS
from vision.dice.lean import LEANS_DEG
from vision.dice.lying import WAYS
from vision.frame import Array

if TYPE_CHECKING:
    from onnx import ModelProto


def _layer(before: int, after: int, size: int = 3, stride: int = 1, reach: int = 1) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(before, after, size, stride, size // 2 * reach, reach, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(),
    )


class Finder(nn.Module):
    """Picture (N, 3, H, W), sides multiples of 16, to (N, 5, H/8, W/8).

    Per place: logit of "the middle of a die is here", offset of the middle from the middle of the
    place (x, y, in places), logarithm of width and height (in places).
    """

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            _layer(3, 16, 3, 2), _layer(16, 24, 3, 2), _layer(24, 24), _layer(24, 48, 3, 2),
            _layer(48, 48),
        )  # fmt: skip
        self.wide = nn.Sequential(_layer(48, 64, 3, 2), _layer(64, 64, reach=2), _layer(64, 64))
        self.join = nn.Conv2d(64, 48, 1)
        self.told = nn.Sequential(_layer(48, 48), _layer(48, 32), nn.Conv2d(32, 5, 1))
        nn.init.constant_(self.told[-1].bias, 0.0)  # type: ignore[arg-type]
        self.told[-1].bias.data[0] = -4.0  # type: ignore[union-attr,index,operator]

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """Return the answers."""
        fine = self.fine(pictures)
        wide = F.interpolate(self.join(self.wide(fine)), scale_factor=2.0, mode="nearest")
        found: torch.Tensor = self.told(fine + wide)
        return found


class Teller(nn.Module):
    """Crop (N, 3, 72, 72), evened, to logits (N, len(KINDS) + len(SIGNS))."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _layer(3, 24, 5, 2), _layer(24, 32), _layer(32, 64, 3, 2), _layer(64, 64),
            _layer(64, 96, 3, 2), _layer(96, 96), _layer(96, 96, 3, 2), _layer(96, 64, 1),
        )  # fmt: skip
        self.drop = nn.Dropout(0.2)
        self.hidden = nn.Linear(64 * 25, 96)
        self.told = nn.Linear(96, len(KINDS) + len(SIGNS))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the logits of the kinds, then of the signs."""
        seen = self.body(crops).flatten(1)
        logits: torch.Tensor = self.told(F.relu(self.hidden(self.drop(seen))))
        return logits


class Near(nn.Module):
    """Crop (N, channels, 48, 48), evened, to logits (N, classes): a sign seen from near."""

    channels = 3
    """Of the crop."""
    widths = (32, 56, 64, 112, 160, 56, 96)
    """Of the layers at 48, 24, 24, 12 and 6 pixels, of what is kept, and of the last but one."""
    signs = CLOSE_SIGNS

    def __init__(self) -> None:
        super().__init__()
        first, second, alike, third, fourth, kept, hidden = self.widths
        self.body = nn.Sequential(
            _layer(self.channels, first), _layer(first, second, 3, 2), _layer(second, alike),
            _layer(alike, third, 3, 2), _layer(third, third), _layer(third, fourth, 3, 2),
            _layer(fourth, kept, 1),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.hidden = nn.Linear(kept * 36, hidden)
        self.told = nn.Linear(hidden, len(self.signs))

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        seen = self.body(crops).flatten(1)
        logits: torch.Tensor = self.told(F.relu(self.hidden(self.drop(seen))))
        return logits


class Close(Near):
    """Numerals, evened: three channels."""


class Pips(Near):
    """Pips, evened with their colours apart, and how far aside the die is seen: seven channels."""

    channels = 7
    widths = (24, 40, 48, 72, 96, 32, 48)
    signs = PIP_SIGNS


class Facing(Near):
    """Crops evened, up being up, and how far aside what lies flat there is seen: four channels.

    Logits that a die of each of `SOLIDS` faces as what lies flat there.
    """

    channels = 4
    widths = (16, 32, 40, 64, 96, 24, 32)
    signs = SOLIDS


class Slight(nn.Module):
    """Crop (N, channels, size, size) to (N, answers): what is seen of a die as a whole."""

    channels = 3
    side = 6
    """Of what is kept: an eighth of the crop's."""

    widths: tuple[int, ...]
    """Of the layers at 24, 12 and 6 pixels, of what is kept, and of the last but one."""
    answers: int

    def __init__(self) -> None:
        super().__init__()
        first, second, third, fourth, kept, hidden = self.widths
        self.body = nn.Sequential(
            _layer(self.channels, first, 5, 2), _layer(first, second), _layer(second, third, 3, 2),
            _layer(third, third), _layer(third, fourth, 3, 2), _layer(fourth, kept, 1),
        )  # fmt: skip
        self.drop = nn.Dropout(0.1)
        self.hidden = nn.Linear(kept * self.side**2, hidden)
        self.told = nn.Linear(hidden, self.answers)

    def forward(self, crops: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        seen = self.body(crops).flatten(1)
        logits: torch.Tensor = self.told(F.relu(self.hidden(self.drop(seen))))
        return logits


class Plain(Slight):
    """Crops with up upward, as they are lit (`as_lit`); logits of `PLAIN_SIGNS`.

    One channel more: how far aside the die is seen.
    """

    channels = 7
    widths = (16, 24, 40, 56, 18, 32)
    answers = len(PLAIN_SIGNS)


class Lean(Slight):
    """Crops evened; how likely it is that the die is seen so far aside.

    Logarithms, for each place of the map of leans (`LEANS_DEG`), row by row.
    """

    widths = (20, 32, 56, 72, 32, 40)
    answers = len(LEANS_DEG) ** 2


class Lying(Slight):
    """Crops evened, up being up; logits of how dice lie (`WAYS`).

    Two channels more: how far aside the die is seen, and whether it is known how the camera stands.
    The answers are those for each of `SOLIDS`, one after the other.
    """

    channels = 5
    side = 8
    widths = (16, 28, 48, 64, 16, 32)
    answers = len(SOLIDS) * len(WAYS)


class Sides(nn.Module):
    """A corner of a tetrahedron's side laid flat (N, 3, 28, 28), evened, to logits (N, classes)."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _layer(3, 24, 5, 2), _layer(24, 56), _layer(56, 72, 3, 2), _layer(72, 72),
            _layer(72, 28, 1),
        )  # fmt: skip
        self.drop = nn.Dropout(0.15)
        self.hidden = nn.Linear(28 * 49, 48)
        self.told = nn.Linear(48, 1 + len(tetrahedron_tops.VALUES))

    def forward(self, views: torch.Tensor) -> torch.Tensor:
        """Return the logits."""
        seen = self.drop(self.body(views).flatten(1))
        logits: torch.Tensor = self.told(F.relu(self.hidden(seen)))
        return logits


Net = Finder | Teller | Close | Pips | Plain | Lean | Lying | Facing | Sides
_EXAMPLE_PX = {Finder: (64, 96), Teller: (CROP_PX, CROP_PX), Close: (CLOSE_PX, CLOSE_PX)}
_EXAMPLE_PX |= {Pips: (PIPS_PX, PIPS_PX), Plain: (PLAIN_PX, PLAIN_PX), Lean: (LEAN_PX, LEAN_PX)}
_EXAMPLE_PX |= {Lying: (LYING_PX, LYING_PX), Facing: (FACING_PX, FACING_PX)}
_EXAMPLE_PX |= {Sides: (tetrahedron_tops.VIEW_PX, tetrahedron_tops.VIEW_PX)}


def export(net: Net, out: Path) -> None:
    """Write a network as ONNX, its size of batch (and picture) free, its weights in bytes.

    What is to end with ``.gz`` is compressed.
    """
    import onnx

    net.eval()
    is_finder = isinstance(net, Finder)
    channels = net.channels if isinstance(net, Near | Slight) else 3
    example = torch.zeros(1, channels, *(_EXAMPLE_PX[type(net)]))
    free = {0: "n", 2: "h", 3: "w"} if is_finder else {0: "n"}
    stored = io.BytesIO()
    torch.onnx.export(
        net, (example,), stored, input_names=["pictures"], output_names=["told"],
        dynamic_axes={"pictures": free, "told": free}, dynamo=False, opset_version=13,
    )  # fmt: skip
    model = onnx.load_from_string(stored.getvalue())
    store_in_bytes(model)
    weights = model.SerializeToString()
    out.write_bytes(gzip.compress(weights, mtime=0) if out.suffix == ".gz" else weights)


def weights_beside(out: Path) -> Path:
    """Return where the weights of a network that is exported to `out` are kept, to go on from."""
    return out.with_name(out.name.partition(".")[0] + ".pt")


def take_exported(net: Net, path: Path, pictures: torch.Tensor) -> None:
    """Give a network the weights of an exported one of its build, to go on training from.

    Normalisation is folded into what is exported. Here each layer is told what it normalises by
    `pictures` (a batch as it is trained on), so that it tells the same of them.
    """
    modules = list(net.modules())
    at = [k for k, m in enumerate(modules) if isinstance(m, nn.Conv2d | nn.Linear)]
    norms = {}
    for k, (weight, bias) in zip(at, _exported(path), strict=True):
        layer, following = modules[k], modules[min(k + 1, at[-1])]
        if isinstance(layer, nn.Conv2d) and weight.shape[1] < layer.in_channels:  # one more now
            more = np.zeros_like(weight[:, : layer.in_channels - weight.shape[1]])
            weight = np.concatenate([weight, more], axis=1)
        elif isinstance(layer, nn.Linear) and len(weight) < layer.out_features:  # for each shape
            times = layer.out_features // len(weight)
            weight, bias = np.tile(weight, (times, 1)), np.tile(bias, times)
        layer.weight.data = torch.from_numpy(weight)
        if isinstance(following, nn.BatchNorm2d):
            norms[following] = torch.from_numpy(bias)
        else:
            layer.bias.data = torch.from_numpy(bias)
    _normalise(net, norms, pictures)


def _exported(path: Path) -> list[tuple[Array, Array]]:
    """Return weights and biases of the layers of an exported network, first to last."""
    import onnx
    from onnx import numpy_helper

    weights = path.read_bytes()
    weights = gzip.decompress(weights) if path.suffix == ".gz" else weights
    graph = onnx.load_from_string(weights).graph
    stored = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    layers = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [
        (stored[f"{w}_whole"].astype(np.float32) * stored[f"{w}_scale"], stored[b].copy())
        for _, w, b in layers
    ]


def _normalise(
    net: Net, norms: Mapping[nn.BatchNorm2d, torch.Tensor], pictures: torch.Tensor
) -> None:
    """Set what each layer normalises by, first to last, so that it only adds its bias."""

    def set_by(layer: nn.BatchNorm2d, shown: tuple[torch.Tensor]) -> None:
        mean, variance = shown[0].mean((0, 2, 3)), shown[0].var((0, 2, 3), correction=0)
        layer.running_mean, layer.running_var = mean, variance
        layer.weight.data = torch.sqrt(variance + layer.eps)
        layer.bias.data = norms[layer] + mean

    hooks = [layer.register_forward_pre_hook(set_by) for layer in norms]
    net.eval()
    with torch.no_grad():
        net(pictures)
    for hook in hooks:
        hook.remove()


def store_in_bytes(model: ModelProto) -> None:
    """Store the weights of each channel as whole numbers up to 127 and a scale.

    OpenCV works the weights out again when it loads them; it then runs as with the first.
    """
    from onnx import TensorProto, helper, numpy_helper

    graph, before = model.graph, []
    for tensor in list(graph.initializer):
        if len(tensor.dims) < 2:
            continue
        weights = numpy_helper.to_array(tensor).astype("float32")
        channel = tuple(range(1, weights.ndim))
        scale = np.abs(weights).max(axis=channel, keepdims=True).clip(1e-9) / 127
        whole = np.round(weights / scale).astype("int8")
        bare, size, cast = (f"{tensor.name}_{what}" for what in ("whole", "scale", "cast"))
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(whole, bare))
        graph.initializer.append(numpy_helper.from_array(scale.astype("float32"), size))
        before.append(helper.make_node("Cast", [bare], [cast], to=TensorProto.FLOAT))
        before.append(helper.make_node("Mul", [cast, size], [tensor.name]))
    nodes = [*before, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
