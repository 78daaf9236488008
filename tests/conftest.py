"""All tests: hypothesis tries the same in every run, a tray is looked for once; commands, and
what they print."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b

import pytest
from hypothesis import settings

from companion.boards.profile import XY
from tests.command_line import run_command
from vision.dice import reader
from vision.dice.tray import Sight, TrayView
from vision.frame import Image

settings.register_profile("the same", derandomize=True)
settings.load_profile("the same")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Run a command line that ends with this status; return what it prints."""

    def call(*words: object, status: int = 0) -> list[str]:
        assert run_command(*words) == status
        return capsys.readouterr().out.splitlines()

    return call


@pytest.fixture(scope="session", autouse=True)
def trays_looked_for_once() -> Iterator[None]:
    """Many tests set up the same tray: a picture that was searched by a reader has its answer."""
    find_tray, answers = reader.find_tray, dict[tuple[object, ...], TrayView]()

    def once(picture: Image, size_mm: XY, sight: Sight | None = None) -> TrayView:
        asked = blake2b(picture.tobytes()).digest(), picture.shape, tuple(size_mm), sight
        if asked not in answers:
            answers[asked] = find_tray(picture, size_mm, sight)
        return answers[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "find_tray", once)
        yield
