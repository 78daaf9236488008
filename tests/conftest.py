"""All tests: what hypothesis tries is the same in every run; commands and what they print."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import settings

from tests.command_line import run_command

settings.register_profile("the same", derandomize=True)
settings.load_profile("the same")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., list[str]]:
    """Run a command line that ends with this status; return what it prints."""

    def call(*words: object, status: int = 0) -> list[str]:
        assert run_command(*words) == status
        return capsys.readouterr().out.splitlines()

    return call
