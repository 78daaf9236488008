"""The set-up script on pretended machines: Python, pip and apt only write down what they hear."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PYTHON = f"""#!/usr/bin/env bash
case "$*" in
  *"import ensurepip"* | *"import cv2"* | *"-m playwright"*) exit 0 ;;
  *"-m venv"*) rm -rf .venv; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
  *"-m pip"*) ;;
  *) exec {sys.executable} -S "$@" ;;
esac
echo "python $*" >>"$TOLD"
"""
"""Sees the packages of PYTHONPATH only."""


class Machine:
    """A copy of what the set-up reads, and a system in which everything else is pretended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "quarterdeck"
        shutil.copytree(ROOT / "deploy", self.folder / "deploy")
        shutil.copy(ROOT / "pyproject.toml", self.folder)
        self._bin, self._packages, self._told = (folder / name for name in ("bin", "site", "told"))
        self._bin.mkdir()
        self._system = "/usr/bin:/bin"
        self._packages.mkdir()
        self.command("python3", PYTHON)
        self.command("chromium", "#!/bin/sh\n")
        self.command("apt-get", '#!/bin/sh\necho "apt-get $*" >>"$TOLD"\nexit 1\n')

    def without_browser(self) -> None:
        """Pretend a system that has all of this one's programs but Chromium."""
        (self._bin / "chromium").unlink()
        programs = self._bin.parent / "programs"
        programs.mkdir()
        for program in [*Path("/usr/bin").iterdir(), *Path("/bin").iterdir()]:
            if "chrom" not in program.name and not (programs / program.name).exists():
                (programs / program.name).symlink_to(program)
        self._system = str(programs)

    def command(self, name: str, text: str) -> None:
        """Pretend a program."""
        (self._bin / name).write_text(text)
        (self._bin / name).chmod(0o755)

    def install(self, package: str, version: str = "1.0") -> None:
        """Let the system's Python see a package."""
        (self._packages / package).mkdir()
        (self._packages / package / "__init__.py").touch()
        about = self._packages / f"{package}-{version}.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(f"Name: {package}\nVersion: {version}\n")

    def set_up(self, *words: str) -> tuple[list[str], str]:
        """Run the script; return what Python and apt were told, and what people were."""
        done = self.run(*words)
        assert done.returncode == 0, done.stderr
        return self._told.read_text().splitlines(), done.stdout

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Run the script, which may fail."""
        self._told.write_text("")
        return subprocess.run(
            ["bash", "deploy/setup.sh", *words],
            cwd=self.folder,
            env={
                "PATH": f"{self._bin}:{self._system}",
                "PYTHONPATH": str(self._packages),
                "TOLD": str(self._told),
                "HOME": os.environ.get("HOME", "/"),
            },
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_by_itself_the_environment_is_alone_and_holds_what_was_tested(machine: Machine) -> None:
    (venv, packages, itself), _ = machine.set_up()
    assert venv == "python -m venv --clear .venv"
    assert packages.endswith("install -r deploy/requirements.lock")
    assert itself.endswith("--no-deps -e .")
    assert machine.set_up() == ([], "")


def test_the_tests_environment_keeps_the_numpy_that_picamera2_was_built_against(
    machine: Machine,
) -> None:
    """The lock's numpy beside the system's could not be installed at all."""
    machine.install("picamera2", "0.3.31")
    machine.install("numpy", "1.24.2")
    (venv, packages), _ = machine.set_up("--dev")
    assert venv == "python -m venv --clear --system-site-packages .venv"
    assert packages.endswith("-c .venv/constraints.txt -r .venv/requirements.txt -e .")
    assert (machine.folder / ".venv/constraints.txt").read_text() == "numpy==1.24.2\n"
    asked = set((machine.folder / ".venv/requirements.txt").read_text().splitlines())
    lock = set((ROOT / "deploy/requirements-dev.lock").read_text().splitlines())
    assert asked < lock
    assert all(needs_numpy(line.partition("==")[0]) for line in lock - asked)
    assert not any(needs_numpy(line.partition("==")[0]) for line in asked)


def needs_numpy(package: str) -> bool:
    """Tell whether a package of the lock is numpy or is built against it."""
    try:
        needs = metadata.requires(package) or []
    except metadata.PackageNotFoundError:  # not for this system
        return False
    return package == "numpy" or any(
        need.startswith("numpy") and "extra ==" not in need for need in needs
    )


@pytest.mark.parametrize("package", ["lgpio", "spidev"])
def test_the_system_s_pins_are_seen_without_a_camera_too(machine: Machine, package: str) -> None:
    machine.install(package)
    (venv, packages, _), _ = machine.set_up()
    assert venv == "python -m venv --clear --system-site-packages .venv"
    assert packages.endswith("install -r deploy/requirements.lock")


@pytest.mark.parametrize("package", ["picamera2", "lgpio"])
def test_what_is_installed_as_advised_is_seen_after_another_set_up(
    machine: Machine, package: str
) -> None:
    """It did nothing: the environment was up to date but for the package it had been made for."""
    machine.set_up("--dev")
    machine.install("numpy", "2.2.4")
    machine.install(package)
    (venv, *_), _ = machine.set_up("--dev")
    assert venv == "python -m venv --clear --system-site-packages .venv"
    assert machine.set_up("--dev") == ([], "")
    assert machine.set_up() == ([], ""), "what the tests need holds what playing needs"


def test_on_a_raspberry_pi_what_is_missing_is_named_once_and_not_installed(
    machine: Machine,
) -> None:
    grep = shutil.which("grep", path="/usr/bin:/bin")
    machine.command(
        "grep",
        f'#!/bin/sh\ncase "$*" in *device-tree*) exit 0 ;; esac\nexec {grep} "$@"\n',
    )
    machine.install("lgpio")
    told, said = machine.set_up()
    assert "\n    sudo apt install python3-picamera2 python3-spidev\n" in said
    assert not any("apt" in line for line in told)
    assert machine.set_up() == ([], "")


def test_elsewhere_nobody_is_told_of_a_pi_s_packages(machine: Machine) -> None:
    assert "sudo apt" not in machine.set_up()[1]


def test_a_system_of_32_bits_is_told_how_long_it_takes(machine: Machine) -> None:
    """A pip that builds OpenCV says nothing for hours."""
    machine.command("getconf", "#!/bin/sh\necho 32\n")
    _, said = machine.set_up()
    assert "64-bit Raspberry Pi OS" in said
    assert "32 bits" not in machine.set_up()[1]


def test_without_a_network_an_environment_that_works_is_kept(machine: Machine) -> None:
    machine.set_up()
    machine.install("companion")
    offline = PYTHON.replace('*"-m pip"*) ;;', '*"-m pip"*) exit 1 ;;')
    (machine.folder / ".venv/bin/python").write_text(offline)
    machine.install("lgpio")  # the system has changed
    told, said = machine.set_up()
    assert "what is installed is used as it is" in said
    assert not any("-m venv" in line for line in told)
    (machine.folder / ".venv/bin/python").write_text(PYTHON)
    told, said = machine.set_up()
    assert any("-m venv" in line for line in told)


BARE = PYTHON.replace('*"import ensurepip"* |', '*"import ensurepip"*) exit 1 ;;\n ')


@pytest.mark.parametrize(
    ("words", "more"), [((), ""), (("--dev",), " libatomic1")], ids=["to play", "to test"]
)
def test_a_bare_system_is_told_all_that_it_lacks_in_one_line(
    machine: Machine, words: tuple[str, ...], more: str
) -> None:
    """Python's venv was asked for, and after all packages were installed OpenCV's libraries."""
    machine.command("python3", BARE)
    machine.command("ldconfig", "#!/bin/sh\nprintf '\\tlibc.so.6 (libc6) => /lib/libc.so.6\\n'\n")
    machine.command("id", "#!/bin/sh\necho 1000\n")
    done = machine.run(*words)
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if "sudo" in line]
    assert line == f"    sudo apt install python3-venv libgl1 libxcb1 libglib2.0-0{more}"
    assert not (machine.folder / ".venv").exists()


def test_without_any_python_libraries_are_asked_for_with_it(machine: Machine) -> None:
    machine.command("python3", "#!/bin/sh\nexit 1\n")
    for name in ("python3.13", "python3.12", "python3.11"):
        machine.command(name, "#!/bin/sh\nexit 1\n")
    machine.command("ldconfig", "#!/bin/sh\necho '\tlibGL.so.1 (libc6) => /lib/libGL.so.1'\n")
    machine.command("id", "#!/bin/sh\necho 1000\n")
    asked = "    sudo apt install python3 python3-venv libxcb1 libglib2.0-0\n"
    assert asked in machine.run().stderr


def test_what_sudo_make_left_behind_is_named_and_left_alone(machine: Machine) -> None:
    """All that was said was "Permission denied"."""
    machine.set_up()
    machine.install("lgpio")  # the system has changed
    machine.command("id", '#!/bin/sh\n[ "$1" = -u ] && echo 65534 || echo ann\n')
    done = machine.run()
    assert done.returncode == 1
    assert ".venv belongs to" in done.stderr
    assert f"\n    sudo chown -R ann: {machine.folder}\n" in done.stderr
    assert (machine.folder / ".venv/bin/python").exists()


def test_for_the_tests_the_browser_without_a_window_is_asked_for_first(machine: Machine) -> None:
    machine.without_browser()
    machine.command("id", "#!/bin/sh\necho 0\n")
    told, said = machine.set_up("--dev")
    asked = [line.split()[-1] for line in told if line.startswith("apt-get install")]
    assert list(dict.fromkeys(asked)) == ["chromium-headless-shell", "chromium"]
    assert "the whole of Chromium will do" in said
    assert machine.set_up() == ([], ""), "who plays needs neither"


def test_nobody_is_asked_for_a_browser_twice(machine: Machine) -> None:
    assert not any("apt" in line for line in machine.set_up("--dev")[0])
    machine.without_browser()
    machine.command("chromium-headless-shell", "#!/bin/sh\n")
    assert not any("apt" in line for line in machine.set_up("--dev")[0])
