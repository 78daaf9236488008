"""The page about the ledger names every event with its present version."""

from __future__ import annotations

from pathlib import Path

from companion.ledger.events import KINDS

PAGE = Path(__file__).parents[3] / "docs" / "ledger.md"


def test_every_event_is_documented_with_its_version() -> None:
    page = PAGE.read_text("utf-8")
    for name, (_, version) in KINDS.items():
        assert f"| `{name}` | {version} |" in page
