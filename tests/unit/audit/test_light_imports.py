"""SciPy takes a while to load, so nothing loads it before the first verdict is asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = "import sys, {module}; print('scipy' in sys.modules)"


@pytest.mark.parametrize("module", ["web.app", "companion.cli.audit", "companion.audit.judging"])
def test_scipy_waits_for_the_first_verdict(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(module=module)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "False\n"
