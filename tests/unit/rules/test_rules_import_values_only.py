"""The rules load without camera, server, pins or database."""

import subprocess
import sys

PROBE = """
import sys
import companion.rules.catalogue
import companion.rules.record
import companion.cli.rules
heavy = {"cv2", "flask", "gpiozero", "sqlite3", "numpy", "random"} & set(sys.modules)
assert not heavy, heavy
"""


def test_importing_the_rules_in_a_fresh_interpreter():
    done = subprocess.run(
        [sys.executable, "-c", PROBE], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
