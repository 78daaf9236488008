"""Export the mean of goes of one network.

``python -m benchmarks.dice_training.mean teller a.pt b.pt --out c.onnx``: each go must have begun
where the one before ended; their mean errs less on new pictures than either.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from benchmarks.dice_training.nets import export, weights_beside
from benchmarks.dice_training.train import NETS


def main(argv: list[str] | None = None) -> int:
    """Average the weights, store them beside the exported network."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("net", choices=list(NETS))
    parser.add_argument("goes", type=Path, nargs="+", help="weights (.pt) of train")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args(argv)
    goes = [torch.load(path) for path in arguments.goes]
    mean = {
        name: torch.stack([go[name] for go in goes]).mean(0) if last.is_floating_point() else last
        for name, last in goes[-1].items()
    }
    net = NETS[arguments.net][0]()
    net.load_state_dict(mean)
    torch.save(mean, weights_beside(arguments.out))
    export(net, arguments.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
