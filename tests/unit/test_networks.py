"""What is shipped can be made anew by a command: the networks."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def asked(scale: str) -> subprocess.CompletedProcess[str]:
    """Ask what `make networks` would do where nothing is made yet."""
    how = ["-f", "benchmarks/networks.mk", "W=build/none", f"SCALE={scale}"]
    return subprocess.run(["make", "--dry-run", *how], cwd=ROOT, capture_output=True, text=True)


@pytest.fixture(scope="module")
def said() -> str:
    done = asked("1")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_network_is_trained_and_put_into_its_place(said: str) -> None:
    shipped = {path.relative_to(ROOT) for path in (ROOT / "vision").rglob("*.onnx*")}
    assert {Path(place) for place in re.findall(r"^cp .* (vision/\S+)$", said, re.M)} == shipped
    assert len(shipped) == 11


def test_whatever_it_runs_is_there(said: str) -> None:
    run = set(re.findall(r"-m (benchmarks\.\S+)", said))
    assert {"benchmarks.dice_training.train", "benchmarks.board_net.train"} < run
    assert [module for module in run if find_spec(module) is None] == []


def test_who_tries_the_way_keeps_the_networks_that_are_shipped() -> None:
    done = asked("0.002")
    assert done.returncode == 0
    assert "--out build/none/teller.onnx.gz --steps 40 " in done.stdout
    assert not re.findall(r"^cp .* vision/", done.stdout, re.M)


@pytest.mark.parametrize("scale", ["a hundredth", "2", "-0.1"])
def test_a_scale_that_is_none_is_named(scale: str) -> None:
    done = asked(scale)
    assert done.returncode == 2
    assert f"SCALE is 1, or less to try the way, such as 0.002; not {scale}" in done.stderr
