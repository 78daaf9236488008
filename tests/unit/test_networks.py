"""What is shipped can be made anew by a command: the networks."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def said() -> str:
    """What `make networks` would do where nothing is made yet."""
    words = ["make", "--dry-run", "-f", "benchmarks/networks.mk", "W=build/none"]
    done = subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout


def test_every_network_is_trained_and_put_into_its_place(said: str) -> None:
    shipped = {path.relative_to(ROOT) for path in (ROOT / "vision").rglob("*.onnx*")}
    assert {Path(place) for place in re.findall(r"^cp .* (vision/\S+)$", said, re.M)} == shipped
    assert len(shipped) == 11


def test_whatever_it_runs_is_there(said: str) -> None:
    run = set(re.findall(r"-m (benchmarks\.\S+)", said))
    assert {"benchmarks.dice_training.train", "benchmarks.board_net.train"} < run
    assert [module for module in run if find_spec(module) is None] == []
