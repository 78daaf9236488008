"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.errors import AuditError


def write_file(path: Path, content: str | bytes) -> None:
    """Write a text or a picture into a file, whole or not at all: it is on the card then.

    Raises `AuditError`.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a pipe, say
            return
        new = path.with_name(path.name + ".new")
        try:
            with new.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())  # else a power cut may leave the name and nothing in it
            new.replace(path)
        except OSError:
            with suppress(OSError):
                new.unlink()  # on a full card half a file is in the way
            raise
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}") from error
