"""The unit that opens the table at boot: what is in it, and how it comes and goes."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import build_parser

ROOT = Path(__file__).parents[3]
PYTHON = f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} "$@"\n'


class Pi:
    """A checkout that is set up, on a system whose root, groups and systemd are pretended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "the quarterdeck"
        self.root = folder / "root"
        self.unit = self.root / "etc/systemd/system/quarterdeck.service"
        self._bin, self._told = folder / "bin", folder / "told"
        self._told.touch()
        shutil.copytree(ROOT / "deploy", self.folder / "deploy")
        shutil.copy(ROOT / "Makefile", self.folder)
        self.script(self.folder / ".venv/bin/python", PYTHON)
        self.script(self.folder / ".venv/bin/quarterdeck", "#!/bin/sh\n")
        self.command("systemctl", 'echo "$*" >>"$TOLD"')
        self.command("getent", 'case "$2" in video | gpio | spi) ;; *) exit 2 ;; esac')
        self.command("id", "echo 0")

    def script(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def command(self, name: str, line: str) -> None:
        """Pretend a program."""
        self.script(self._bin / name, f"#!/bin/sh\n{line}\n")

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        """Type a line as the captain Anne, by sudo."""
        return subprocess.run(
            words,
            cwd=self.folder,
            env={
                "PATH": f"{self._bin}:/usr/bin:/bin",
                "SUDO_USER": "anne",
                "DESTDIR": str(self.root),
                "TOLD": str(self._told),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    def told(self) -> list[str]:
        """Return what systemd was told."""
        return self._told.read_text().splitlines()


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def settings(unit: str) -> dict[str, str]:
    lines = (line for line in unit.splitlines() if "=" in line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def test_the_unit_is_for_this_checkout_and_for_whoever_typed_sudo(pi: Pi) -> None:
    done = pi.run("deploy/service.sh", "show", "--camera", "picamera2", "--empty", "my board.jpg")
    assert done.returncode == 0, done.stderr
    assert "@" not in done.stdout
    unit = settings(done.stdout)
    assert unit["User"] == "anne"
    assert unit["WorkingDirectory"] == str(pi.folder)
    assert unit["SupplementaryGroups"] == "video gpio spi"
    assert (unit["Restart"], unit["StartLimitIntervalSec"]) == ("always", "0")
    program, *words = shlex.split(unit["ExecStart"])
    assert program == f"{pi.folder}/.venv/bin/quarterdeck"
    arguments = build_parser().parse_args(words)
    assert (arguments.command, arguments.camera, arguments.empty) == (
        "serve",
        "picamera2",
        "my board.jpg",
    )


def test_systemd_understands_the_unit(pi: Pi, tmp_path: Path) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("no systemd-analyze here")
    unit = tmp_path / "quarterdeck.service"
    odd = ['100% "sure" $HOME \\', "--camera", "v4l2:0@0.7,0.6,1,1+v4l2:1"]
    unit.write_text(pi.run("deploy/service.sh", "show", *odd).stdout)
    done = subprocess.run([verify, "verify", unit], capture_output=True, text=True, check=False)
    about_it = [line for line in done.stderr.splitlines() if "quarterdeck" in line]
    assert about_it == []


def test_make_service_installs_and_starts_it_and_make_service_off_takes_it_away(pi: Pi) -> None:
    done = pi.run("make", "service", "OPTIONS=--camera v4l2:0 --empty 'my board.jpg'")
    assert done.returncode == 0, done.stderr
    assert "journalctl -u quarterdeck" in done.stdout
    assert '" serve "--camera" "v4l2:0" "--empty" "my board.jpg"' in pi.unit.read_text()
    assert pi.told() == ["daemon-reload", "enable quarterdeck", "restart quarterdeck"]
    done = pi.run("make", "service-off")
    assert done.returncode == 0, done.stderr
    assert not pi.unit.exists()
    assert pi.told()[3:] == ["disable --now quarterdeck", "daemon-reload"]


def test_whoever_is_not_root_is_told_what_to_type(pi: Pi) -> None:
    pi.command("id", "echo 1000")
    done = pi.run("make", "service", "OPTIONS=--camera picamera2")
    assert done.returncode != 0
    assert 'sudo make service OPTIONS="--camera picamera2"' in done.stderr
    assert not pi.unit.exists()
    assert pi.told() == []


def test_an_option_that_serve_does_not_know_changes_nothing(pi: Pi) -> None:
    done = pi.run("make", "service", "OPTIONS=--camrea picamera2")
    assert done.returncode != 0
    assert "serve: it does not take: --camrea" in done.stderr
    assert not pi.unit.exists()
    assert pi.told() == []


def test_without_a_set_up_the_set_up_is_named(pi: Pi) -> None:
    (pi.folder / ".venv/bin/quarterdeck").unlink()
    done = pi.run("make", "service")
    assert "make setup" in done.stderr
    assert not pi.unit.exists()
