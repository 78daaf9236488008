"""The scripts of a page in one file: a phone asks for one instead of forty.

Scripts are modules that take by name what they need of each other. Joined, each is the body of a
function that is run once, after those it takes from, and returns what it gives. The page's own
script comes last, as it is.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_IMPORT = re.compile(r'^import (\{[^}]*\}|\* as \w+) from "\./(\w+)\.js";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)


@cache
def joined(folder: Path, page: str) -> str:
    """Return the script of a page with all that it imports; it is worked out once.

    Parameters
    ----------
    folder : Path
        Where the scripts lie.
    page : str
        The name of the page's own script, without ".js".

    Raises
    ------
    FileNotFoundError
        If there is no such script, or none of a name that is imported.
    ValueError
        If scripts import each other in a circle: none of them could be run first.
    """
    scripts: dict[str, str] = {}
    _add(folder, page, scripts, ())
    own = scripts.pop(page)
    return "\n".join([*(_within_a_function(*part) for part in scripts.items()), _taking(own)])


def _add(folder: Path, name: str, scripts: dict[str, str], within: tuple[str, ...]) -> None:
    """Add a script behind those it imports; `within` are those that led to it."""
    if name in scripts:
        return
    if name in within:
        raise ValueError(f"scripts import each other: {' > '.join((*within, name))}")
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, other in _IMPORT.findall(text):
        _add(folder, other, scripts, (*within, name))
    scripts[name] = text


def _within_a_function(name: str, text: str) -> str:
    given = ", ".join(given for _, given in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1 \2", _taking(text))
    return f"const ${name} = (() => {{\n{body}\nreturn {{ {given} }};\n}})();"


def _taking(text: str) -> str:
    """Return a script that takes from the functions' values what it imports."""
    return _IMPORT.sub(_taken, text)


def _taken(found: re.Match[str]) -> str:
    names, other = found.groups()
    names = names.removeprefix("* as ").replace(" as ", ": ")
    return f"const {names} = ${other};"
