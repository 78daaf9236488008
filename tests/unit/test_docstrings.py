"""What docstrings and comments name by its module is there: things move, sentences stay."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("companion", "vision", "hardware", "web")
NAMED = re.compile(rf"`((?:{'|'.join(ROOMS)})(?:\.\w+)+)`")


def module_of(dotted: str) -> tuple[Path, list[str]]:
    """Return the file of the innermost module or package in a dotted name, and what is left."""
    parts, left = dotted.split("."), list[str]()
    while parts:
        path = ROOT.joinpath(*parts)
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return file, left
        left.insert(0, parts.pop())
    raise AssertionError(dotted)


def names_in(body: list[ast.stmt]) -> dict[str, list[ast.stmt]]:
    """Return what a module or class body defines, each with the body of a class."""
    found: dict[str, list[ast.stmt]] = {}
    for node in body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            found[node.name] = node.body if isinstance(node, ast.ClassDef) else []
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in targets:
            every = target.elts if isinstance(target, ast.Tuple) else [target]
            found |= {name.id: [] for name in every if isinstance(name, ast.Name)}
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_what_is_named_by_its_module_is_there(room: str) -> None:
    missing = []
    for file in sorted((ROOT / room).rglob("*.py")):
        for dotted in NAMED.findall(file.read_text("utf-8")):
            module, left = module_of(dotted)
            body = ast.parse(module.read_text("utf-8")).body
            for name in left:
                known = names_in(body)
                if name not in known:
                    missing.append(f"{file.relative_to(ROOT)}: {dotted}")
                    break
                body = known[name]
    assert not missing
