"""Files that are written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from companion.errors import AuditError


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text or a picture into a file, whole or not at all. Raises `AuditError`."""
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe, say
            return
        new = path.with_name(path.name + ".new")
        new.write_bytes(data)
        new.replace(path)
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}") from error
