"""Every numbered rule of Privateer is cited by a test that says so."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
RULES = dict(
    line.split(" ", 1) for line in (HERE / "privateer_rules.txt").read_text("utf-8").splitlines()
)
VECTORS = {f"T{number}" for number in range(1, 15)}


def docstrings_of_tests():
    """Yield the docstring of each test function of the rules."""
    for path in sorted(HERE.glob("test_privateer_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                yield ast.get_docstring(node) or ""


def test_the_list_has_all_rules():
    assert list(RULES) == [f"PRV-{number}" for number in range(1, 77)]


def test_every_rule_is_cited_by_a_test():
    cited = {rule for text in docstrings_of_tests() for rule in re.findall(r"PRV-\d+", text)}
    missing = [f"{rule} ({name})" for rule, name in RULES.items() if rule not in cited]
    assert not missing, f"no test cites {', '.join(missing)}"
    assert cited <= set(RULES)


def test_every_vector_is_a_test():
    cited = {name for text in docstrings_of_tests() for name in re.findall(r"\bT\d+", text)}
    assert cited == VECTORS
