"""Files that are written whole or not at all, and why one cannot be read."""

from __future__ import annotations

import os
from contextlib import suppress
from json import JSONDecodeError
from pathlib import Path

from companion.errors import AuditError

UNREAD = (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""What it may come to when a file of JSON is read and taken apart."""


def why_unread(error: Exception) -> str:
    """Say in plain words why a file cannot be read, or is not what it should be.

    >>> why_unread(FileNotFoundError(2, "No such file or directory", "a.json"))
    'No such file or directory'
    >>> why_unread(KeyError("ships")), why_unread(TypeError("'int' object is no ..."))
    ("'ships' is missing", 'it holds something else')
    """
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    if isinstance(error, JSONDecodeError):
        return f"it is no JSON (line {error.lineno})"
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return "it holds something else"


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
        replace_file(path, data, path.with_name(path.name + ".new"), is_forced=is_forced)
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}") from error


def replace_file(path: Path, data: bytes, new: Path, *, is_forced: bool = True) -> None:
    """Have a file hold something else, whole or not at all, by way of a `new` one beside it.

    `is_forced` as for `write_file`. Raises `OSError`; then all is as it was.
    """
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
