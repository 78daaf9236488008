"""All tests: what hypothesis tries is the same in every run."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("the same", derandomize=True)
settings.load_profile("the same")
