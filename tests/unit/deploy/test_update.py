"""`make update`: the newest version is fetched and set up, and the games are copied first."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")


def script(path: Path, line: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


class Checkout:
    """A clone and where it came from; what sets up and what copies are pretended."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.origin = folder / "quarterdeck", folder / "origin"
        self.home, self.told = folder / "home", folder / "told"
        self.told.touch()
        shutil.copytree(ROOT / "deploy", self.origin / "deploy")
        shutil.copy(ROOT / "Makefile", self.origin)
        (self.origin / ".gitignore").write_text(".venv/\n")
        script(self.origin / "deploy/setup.sh", 'echo "set up" >>"$TOLD"')
        self.git(self.origin, "init", "-q", "-b", "main")
        self.commit("first")
        self.git(folder, "clone", "-q", str(self.origin), str(self.folder))
        script(self.folder / ".venv/bin/quarterdeck", 'echo "$*" >>"$TOLD"')
        self.data = self.home / ".local/share/quarterdeck"
        self.data.mkdir(parents=True)

    def git(self, folder: Path, *words: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)

    def version(self) -> str:
        words = ["git", "rev-parse", "HEAD"]
        done = subprocess.run(words, cwd=self.folder, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def commit(self, text: str) -> None:
        """Publish a new version."""
        (self.origin / "NEWS").write_text(text)
        self.git(self.origin, "add", ".")
        self.git(self.origin, "commit", "-q", "-m", text)

    def update(self) -> subprocess.CompletedProcess[str]:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "TOLD": str(self.told),
            "DESTDIR": str(self.home / "root"),
            "GIT_CEILING_DIRECTORIES": str(self.folder.parent),
        }
        words = ["make", "update"]
        return subprocess.run(
            words, cwd=self.folder, env=env, capture_output=True, text=True, check=False
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_the_newest_version_is_fetched_and_set_up_and_the_games_are_copied_first(
    checkout: Checkout,
) -> None:
    (checkout.data / "ledger.sqlite3").touch()
    version = checkout.version()
    checkout.commit("second")
    done = checkout.update()
    assert done.returncode == 0, done.stderr
    copy = checkout.data / f"before-update-{version[:8]}.sqlite3"
    told = [f"backup {copy} --data {checkout.data}", "set up"]
    assert checkout.told.read_text().splitlines() == told
    assert (checkout.folder / "NEWS").read_text() == "second"
    assert "systemctl" not in done.stdout
    assert "earlier updates" not in done.stdout
    # Once more, after trouble say: the games as the old version left them are not written over.
    assert checkout.update().returncode == 0
    assert checkout.told.read_text().splitlines() == [*told, "set up"]


def test_copies_of_earlier_updates_are_told_for_cards_fill_up(checkout: Checkout) -> None:
    (checkout.data / "ledger.sqlite3").touch()
    (checkout.data / "dice").mkdir()  # trials have thousands of pictures: nobody looks there
    for folder in (checkout.data, checkout.data / "dice"):
        (folder / "before-update-0a0b0c0d.sqlite3").write_bytes(bytes(3 << 20))
    checkout.commit("second")
    said = checkout.update().stdout
    assert f"earlier updates in {checkout.data} take 3.0M; delete what nobody needs" in said


def test_a_table_that_is_open_is_named(checkout: Checkout) -> None:
    unit = checkout.home / "root/etc/systemd/system/quarterdeck.service"
    unit.parent.mkdir(parents=True)
    unit.touch()
    checkout.commit("second")
    assert "sudo systemctl restart quarterdeck" in checkout.update().stdout


def test_the_newest_version_is_set_up_once_more_in_case_that_was_broken_off(
    checkout: Checkout,
) -> None:
    done = checkout.update()
    assert (done.returncode, checkout.told.read_text()) == (0, "set up\n")
    assert "this is the newest version" in done.stdout


def test_games_that_cannot_be_copied_stop_it(checkout: Checkout) -> None:
    (checkout.data / "ledger.sqlite3").touch()
    script(checkout.folder / ".venv/bin/quarterdeck", "exit 2")
    checkout.commit("second")
    done = checkout.update()
    assert done.returncode != 0
    assert "nothing was changed" in done.stderr
    assert (checkout.folder / "NEWS").read_text() == "first"


def test_what_somebody_has_changed_is_neither_lost_nor_merged(checkout: Checkout) -> None:
    (checkout.folder / "NEWS").write_text("mine")
    checkout.commit("second")
    done = checkout.update()
    assert done.returncode != 0
    assert "above it says why" in done.stderr
    assert (checkout.folder / "NEWS").read_text() == "mine"
    assert checkout.told.read_text() == ""


def test_a_folder_that_is_no_clone_is_told_so(checkout: Checkout) -> None:
    shutil.rmtree(checkout.folder / ".git")
    done = checkout.update()
    assert done.returncode != 0
    assert "make setup" in done.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="only root can give a folder away")
def test_root_leaves_the_folder_of_another_alone(checkout: Checkout) -> None:
    """It was told to be no clone, or by sudo what was fetched became root's."""
    checkout.commit("second")
    os.chown(checkout.folder, 65534, -1)
    done = checkout.update()
    assert done.returncode != 0
    assert "belongs to nobody" in done.stderr
    assert "without sudo" in done.stderr
    assert not checkout.told.read_text(), "nothing was set up"
