"""Text files that people name on the command line."""

from __future__ import annotations

from pathlib import Path

from companion.errors import AuditError


def read_file(path: Path) -> str:
    """Return the text of a file. Raises `AuditError` in plain words."""
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text in UTF-8"
        raise AuditError(f"{path} cannot be read: {reason}") from error


def write_file(path: Path, text: str) -> None:
    """Write a text into a file. Raises `AuditError` in plain words."""
    try:
        path.write_text(text, "utf-8", newline="")
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}") from error
