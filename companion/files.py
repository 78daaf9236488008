"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from companion.errors import AuditError


def write_file(path: Path, content: str | bytes, *, is_forced: bool = True) -> None:
    """Write a text or a picture into a file, whole or not at all: it is on the card then.

    If it is not `is_forced` a power cut within the next half minute may leave an empty file, or
    none; no time is spent on waiting for the card. Raises `AuditError`.
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
                if is_forced:
                    os.fsync(file.fileno())  # else a power cut may leave the name and nothing in it
            new.replace(path)
        except OSError:
            with suppress(OSError):
                new.unlink()  # on a full card half a file is in the way
            raise
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}") from error


def force_names(folder: Path) -> None:
    """Have the names of all files of a folder on the card, too. Raises `AuditError`."""
    try:
        names = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(names)
        finally:
            os.close(names)
    except OSError as error:
        raise AuditError(f"{folder} cannot be written: {error.strerror}") from error
